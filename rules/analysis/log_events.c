#include "rules/analysis/log_events.h"

#include <string.h>

#include "store/text.h"

const struct log_event *log_event_next(const struct config *config, enum log_event_kind kind,
				       const struct log_event *after)
{
	for (size_t i = after ? (size_t)(after - config->events) + 1 : 0; i < config->event_count; i++) {
		if (config->events[i].kind == kind && config->events[i].run != LOG_RUN_EARLIER)
			return &config->events[i];
	}
	return NULL;
}

bool log_event_is_newer(const struct log_event *a, const struct log_event *b)
{
	/* Logs stand in the order in which they were written. */
	if (b && a->source != b->source)
		return a > b;
	return !b || a->last_line > b->last_line;
}

const struct log_event *log_newest_event(const struct config *config, enum log_event_kind kind)
{
	const struct log_event *newest = NULL, *event = NULL;

	while ((event = log_event_next(config, kind, event))) {
		if (log_event_is_newer(event, newest))
			newest = event;
	}
	return newest;
}

enum severity log_event_severity(const struct log_event *event, enum severity severity)
{
	return event->run == LOG_RUN_EXITED && severity > SEVERITY_WARNING ? SEVERITY_WARNING : severity;
}

bool log_event_add_run(struct finding *finding, const struct log_event *event)
{
	char until[64] = "";

	if (event->run != LOG_RUN_EXITED)
		return true;
	if (event->run_until)
		text_escape(event->run_until, strlen(event->run_until), until, sizeof(until));
	return finding_evidence(finding, "run", "this OpenSM ended%s%s, and the log tells of none since",
				until[0] ? " " : "", until);
}
