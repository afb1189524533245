/*
 * Events of opensm.log that tell of now. What an earlier run of OpenSM met is not
 * judged; what the last one met is, though with less weight when it ended: what it
 * left in the fabric holds, what it met may be gone.
 */
#ifndef RULES_ANALYSIS_LOG_EVENTS_H
#define RULES_ANALYSIS_LOG_EVENTS_H

#include "store/config.h"
#include "store/finding.h"

/* The first of this kind that is to be judged, behind `after` (NULL: of all); NULL: none. */
const struct log_event *log_event_next(const struct config *config, enum log_event_kind kind,
				       const struct log_event *after);

/* The one of this kind that is to be judged and was last written, or NULL. */
const struct log_event *log_newest_event(const struct config *config, enum log_event_kind kind);

/* True when a was last written behind the place where b was last, or b is NULL. Both of one config. */
bool log_event_is_newer(const struct log_event *a, const struct log_event *b);

/* The severity of what this event alone tells: no more than a warning when its OpenSM has ended. */
enum severity log_event_severity(const struct log_event *event, enum severity severity);

/* Adds that the event's OpenSM has ended, if it has. False without memory. */
bool log_event_add_run(struct finding *finding, const struct log_event *event);

#endif
