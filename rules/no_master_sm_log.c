#include "rules/no_master_sm.h"

#include <inttypes.h>
#include <string.h>

#include "rules/analysis/log_events.h"
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
	    !log_event_add_run(finding, event) ||
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

/* The newest MASTER of the log that tells of most, and how many; two SMs that are it once are none twice. */
static const struct log_event *most_masters(const struct config *config, int64_t *ret_entered)
{
	const struct log_event *most = NULL, *event = NULL;
	int64_t entered = 0;
	source_ref source = 0;

	*ret_entered = 0;
	while ((event = log_event_next(config, LOG_SM_STATE, event))) {
		if (event->source != source)
			entered = 0;
		source = event->source;
		if (!event->text || strcmp(event->text, "MASTER") != 0)
			continue;
		entered += event->count;
		if (entered >= *ret_entered) {
			*ret_entered = entered;
			most = event;
		}
	}
	return most;
}

int no_master_sm_check_log(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	const struct log_event *state = log_newest_event(fabric->config, LOG_SM_STATE);
	const struct log_event *other = NULL, *event = NULL;
	const struct log_event *master;
	int64_t sightings = 0;
	int64_t entered = 0;
	int rc = 0;

	while ((event = log_event_next(fabric->config, LOG_OTHER_SM, event))) {
		other = event;
		sightings += event->count;
	}
	master = most_masters(fabric->config, &entered);
	if (other)
		rc = tell_event(fabric, other, log_event_severity(other, SEVERITY_ERROR), "log-other-sm",
				"OpenSM met an SM with another sm_key: the two ignore each other, "
				"so both can be master",
				sightings, out, err);
	if (rc == 0 && entered > 1)
		rc = tell_event(fabric, master, SEVERITY_INFO, "log-mastership",
				"This SM became master more than once while its log ran", entered,
				out, err);
	if (rc == 0 && state && state->run == LOG_RUN_EXITED && !fabric->live)
		rc = tell_event(fabric, state, SEVERITY_INFO, "log-exited",
				"OpenSM has ended, and its log tells of no start since: whether another "
				"SM runs, the log does not tell",
				state->count, out, err);
	return rc;
}
