#include "collector/live/collect.h"

#include <stdio.h>
#include <string.h>

struct port *target_behind(const struct collect *collect, const struct target *target)
{
	const struct port *own;

	if (target == collect->local || target->route.hops == 0)
		return NULL;
	own = device_port(target->device, target->route.in[target->route.hops]);
	return own ? own->peer : NULL;
}

static int add(struct collect *collect, struct device *device, int port,
	       enum attribute attribute, enum hole_reason reason, uint16_t status,
	       struct port *behind, const struct mad_route *route, const char *text,
	       struct err *err)
{
	struct hole *hole = fabric_hole_add(collect->fabric);
	char path[MAD_ROUTE_TEXT_SIZE];
	char words[96];
	char line[sizeof(path) + sizeof(words) + 256];

	if (!hole)
		return err_no_memory(err);
	mad_route_text(route, path, sizeof(path));
	if (status)
		mad_status_text(status, words, sizeof(words));
	snprintf(line, sizeof(line), "%s%s%s%sDR path %s", text ? text : "", text ? ", " : "",
		 status ? words : "", status ? ", " : "", path);
	hole->device = device;
	hole->port = port;
	hole->attribute = attribute;
	hole->reason = reason;
	hole->status = status;
	hole->behind = behind;
	hole->source = collect->source_ref;
	hole->text = fabric_text(collect->fabric, line, strlen(line));
	if (!hole->text)
		return err_no_memory(err);
	/* What a device does not have is no loss. */
	if (reason != HOLE_UNSUPPORTED)
		collect->fabric->partial = true;
	return 0;
}

int hole_of_target(struct collect *collect, struct target *target, int port,
		   enum attribute attribute, enum hole_reason reason, uint16_t status,
		   const char *text, struct err *err)
{
	return add(collect, target->device, port, attribute, reason, status,
		   target_behind(collect, target), &target->route, text, err);
}

int hole_behind_port(struct collect *collect, struct port *behind, const struct mad_route *route,
		     enum hole_reason reason, uint16_t status, const char *text, struct err *err)
{
	return add(collect, NULL, -1, ATTRIBUTE_NODE_INFO, reason, status, behind, route, text,
		   err);
}
