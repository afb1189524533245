/*
 * Many questions in flight at once, without a thread.
 *
 * The asker submits while engine_has_room, then calls engine_pump, which takes
 * in what has arrived, repeats what got lost, and hands every question back
 * exactly once: answered, refused or given up.
 *
 * Congestion control: what is in flight over all devices is bounded by a window
 * (collector/live/window.h).
 *
 * A MAD counts as in flight until the retransmission timeout (measured as TCP
 * does it, RFC 6298); after that it is lost or its device is dead, and neither
 * fills a buffer: dead devices cost no window. The first attempt is repeated
 * after that time, or a quarter after what this device is known to take; later ones
 * wait for their full timeout. The window does not grow while more than a
 * sixteenth of it is overdue.
 */
#ifndef COLLECTOR_LIVE_ENGINE_H
#define COLLECTOR_LIVE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "collector/live/live.h"
#include "collector/live/wire.h"
#include "store/err.h"

struct engine;			/* opaque */

enum outcome {
	OUTCOME_ANSWER,		/* data is the attribute */
	OUTCOME_STATUS,		/* status says why not */
	OUTCOME_BAD,		/* an answer that cannot be one: wrong length or version */
	OUTCOME_TIMEOUT,	/* no answer after all attempts */
};

struct answer {
	enum outcome outcome;
	uint16_t status;	/* with OUTCOME_STATUS */
	/* With OUTCOME_ANSWER: the attribute's bytes, 64 of an SMP, 192 of a performance MAD. */
	uint8_t *data;
	const uint8_t *mad;	/* with OUTCOME_ANSWER: all 256 bytes */
	uint32_t after_us;	/* that it took, at most; OUTCOME_TIMEOUT: 0 */
};

/*
 * Gets each question back once. It may submit (when there is room). A negative
 * enum err_code ends the run.
 */
typedef int engine_done(void *context, const struct mad_request *request,
			const struct answer *answer, struct err *err);

struct engine_options {
	unsigned timeout_ms;	/* per attempt */
	unsigned retries;	/* after the first attempt */
	unsigned window;	/* most in flight */
	FILE *trace;		/* or NULL */
	int64_t began_ms;	/* of the run, on the monotonic clock: moments are told since then */
	engine_done *done;
	void *context;		/* for done */
};

/* `wire` is borrowed and must stay open. *ret_engine belongs to the caller. 0 or ERR_NOMEM. */
int engine_new(const struct wire *wire, const struct engine_options *options,
	       struct engine **ret_engine, struct err *err);

/* NULL is fine. */
void engine_free(struct engine *engine);

/* True when one more question may be sent now. */
bool engine_has_room(const struct engine *engine);

/* Questions not handed back yet. */
size_t engine_pending(const struct engine *engine);

/* Sends. Everything is copied. There must be room. 0, or ERR_DEVICE when the port is gone. */
int engine_submit(struct engine *engine, const struct mad_request *request,
		  const struct mad_route *route, struct err *err);

/* Takes in answers; waits for the next event if there is none. 0 or what `done` gave, or ERR_DEVICE. */
int engine_pump(struct engine *engine, struct err *err);

/* Adds what the run cost so far; `seconds` is left alone. */
void engine_stats(const struct engine *engine, struct live_stats *stats);

#endif
