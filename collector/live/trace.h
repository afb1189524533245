/*
 * Each MAD in the field's words: one line when it is sent, one for its answer.
 * An M_Key is never among them.
 */
#ifndef COLLECTOR_LIVE_TRACE_H
#define COLLECTOR_LIVE_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "collector/live/engine.h"

/* `mad` is the question's own bytes (256). */
void trace_sent(FILE *out, const uint8_t *mad, const struct mad_request *request,
		unsigned attempt);

void trace_answered(FILE *out, const uint8_t *mad, const struct mad_request *request,
		    const struct answer *answer, int64_t rtt_ns);

void trace_given_up(FILE *out, const uint8_t *mad, const struct mad_request *request,
		    unsigned attempts, int64_t waited_ns);

#endif
