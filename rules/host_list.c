#include "rules/host_list.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/places.h"
#include "store/array.h"

int host_list_add(struct host_list *hosts, const struct host_view *view, struct err *err)
{
	const struct host_view **grown = array_grow(hosts->list, hosts->count, &hosts->room,
						    sizeof(const struct host_view *));

	if (!grown)
		return err_no_memory(err);
	hosts->list = grown;
	hosts->list[hosts->count++] = view;
	return 0;
}

void host_list_clear(struct host_list *hosts)
{
	free(hosts->list);
	memset(hosts, 0, sizeof(*hosts));
}

int host_list_tell(const struct host_list *hosts, enum severity severity, const char *cause,
		   const char *many, host_tell_fn one, const struct rule_input *in,
		   struct rule_output *out, struct err *err)
{
	char label[HOST_LABEL_SIZE];
	struct places places = {0};
	struct finding *finding;
	int rc = 0;

	if (hosts->count <= HOSTS_APART) {
		for (size_t i = 0; rc == 0 && i < hosts->count; i++)
			rc = one(in, hosts->list[i], out, err);
		return rc;
	}
	finding = rule_finding(out, severity, NULL, NULL, "", "%zu %s", hosts->count, many);
	if (!finding || !finding_text(&finding->discriminator, "%s:*", cause))
		return err_no_memory(err);
	for (size_t i = 0; i < hosts->count; i++)
		places_add(&places, "%s", host_label_netdevs(hosts->list[i], label));
	return places_evidence(&places, finding, "host_ports") ? 0 : err_no_memory(err);
}

struct finding *host_finding(const struct fabric *fabric, struct rule_output *out,
			     enum severity severity, const struct host_view *view,
			     const char *cause, const char *format, ...)
{
	char label[HOST_LABEL_SIZE];
	char place[CITE_SIZE];
	struct finding *finding;
	char *message;
	va_list args;

	va_start(args, format);
	message = finding_vprint(format, args);
	va_end(args);
	if (!message)
		return NULL;
	finding = rule_finding(out, severity, NULL, NULL, "", "%s", message);
	free(message);
	if (!finding ||
	    !finding_text(&finding->discriminator, "%s:%s/%s/%u", cause, view->host ? view->host : "",
			  view->device, view->port) ||
	    !finding_text(&finding->subject, "%s", host_label(view, label)) ||
	    !finding_evidence(finding, "host", "%s", view->host ? view->host : "not named") ||
	    !finding_evidence(finding, "device", "%s", view->device) ||
	    !finding_evidence(finding, "port", "%u", view->port) ||
	    (view->source > 0 && !finding_text(&finding->source, "%s",
					       cite_whole(fabric, view->source, place))))
		return NULL;
	return finding;
}
