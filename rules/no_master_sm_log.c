#include "rules/no_master_sm.h"

#include <inttypes.h>
#include <string.h>

#include "rules/places.h"
#include "store/config.h"
#include "store/text.h"

static int tell_event(const struct fabric *fabric, const struct log_event *event,
		      enum severity severity, const char *id, const char *message, int64_t count,
		      struct rule_output *out, struct err *err)
{
	struct finding *finding = rule_finding(out, severity, NULL, NULL, id, "%s", message);
	char text[512];

	if (!finding || !finding_evidence(finding, "times", "%" PRId64, count) ||
	    !finding_source(finding, fabric, event->source, event->first_line))
		return err_no_memory(err);
	if (event->text) {
		text_escape(event->text, strlen(event->text), text, sizeof(text));
		if (!finding_evidence(finding, "log", "%s", text))
			return err_no_memory(err);
	}
	if (event->last_time) {
		text_escape(event->last_time, strlen(event->last_time), text, sizeof(text));
		if (!finding_evidence(finding, "last", "%s", text))
			return err_no_memory(err);
	}
	return 0;
}

int no_master_sm_check_log(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	const struct log_event *other = NULL;
	const struct log_event *master = NULL;
	int64_t sightings = 0;
	int64_t entered = 0;
	int rc = 0;

	for (size_t i = 0; i < fabric->config->event_count; i++) {
		const struct log_event *event = &fabric->config->events[i];

		if (event->kind == LOG_OTHER_SM) {
			other = event;
			sightings += event->count;
		}
		if (event->kind == LOG_SM_STATE && event->text &&
		    strcmp(event->text, "MASTER") == 0) {
			master = event;
			entered += event->count;
		}
	}
	if (other)
		rc = tell_event(fabric, other, SEVERITY_ERROR, "log-other-sm",
				"OpenSM met an SM with another sm_key: the two ignore each other, "
				"so both can be master",
				sightings, out, err);
	if (rc == 0 && entered > 1)
		rc = tell_event(fabric, master, SEVERITY_INFO, "log-mastership",
				"This SM became master more than once while its log ran", entered,
				out, err);
	return rc;
}
