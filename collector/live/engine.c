#include "collector/live/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector/live/slots.h"
#include "collector/live/trace.h"
#include "collector/live/window.h"

#define MS INT64_C(1000000)	/* in nanoseconds, which all times here are */

#define KERNEL_SLACK (8 * MS)	/* the kernel's own timer goes off first */
#define BATCH 64		/* answers taken in before sending again */
#define GUESS_RETRIES 1	/* of a question that nobody may be there to answer */
#define GATHER 32		/* with so many in flight, answers may gather ... */
#define GATHER_NS 20000		/* ... so long before they are taken in */

struct engine {
	const struct wire *wire;
	struct engine_options options;
	struct slots slots;
	uint32_t sequence;		/* of the next new question */
	uint32_t *answered;		/* tids answered, by sequence: tells late from duplicated */
	uint8_t *umad;			/* to receive into */
	struct window window;
	int64_t now;
	struct live_stats stats;
};

#define ANSWERED 65536u

static int64_t clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* --- Life. --- */

int engine_new(const struct wire *wire, const struct engine_options *options,
	       struct engine **ret_engine, struct err *err)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		return err_no_memory(err);
	engine->wire = wire;
	engine->options = *options;
	engine->answered = calloc(ANSWERED, sizeof(*engine->answered));
	engine->umad = calloc(1, UMAD_ROOM + IB_MAD_SIZE);
	if (!engine->answered || !engine->umad || slots_new(&engine->slots, err) < 0) {
		engine_free(engine);
		return err_no_memory(err);
	}
	if (engine->options.window > SLOTS / 2)
		engine->options.window = SLOTS / 2;
	window_init(&engine->window, engine->options.window, (int64_t)options->timeout_ms * MS);
	engine->now = clock_now();
	/* Another number in each run, so that answers to a run before are told apart. */
	engine->sequence = (uint32_t)(engine->now >> 10);
	*ret_engine = engine;
	return 0;
}

void engine_free(struct engine *engine)
{
	if (!engine)
		return;
	slots_free(&engine->slots);
	free(engine->answered);
	free(engine->umad);
	free(engine);
}

size_t engine_pending(const struct engine *engine)
{
	return SLOTS - engine->slots.count[PLACE_FREE];
}

bool engine_has_room(const struct engine *engine)
{
	return engine->slots.count[PLACE_AGAIN] == 0 && engine->slots.count[PLACE_FREE] > 0 &&
	       (double)engine->slots.count[PLACE_YOUNG] < engine->window.size;
}

void engine_stats(const struct engine *engine, struct live_stats *stats)
{
	double seconds = stats->seconds;

	*stats = engine->stats;
	stats->window_peak = (unsigned)engine->window.peak;
	stats->window_end = (unsigned)engine->window.size;
	stats->seconds = seconds;
}

/* --- Sending. --- */

static unsigned retries_of(const struct engine *engine, const struct slot *slot)
{
	if (slot->request.once)
		return 0;
	if (slot->request.guess && engine->options.retries > GUESS_RETRIES)
		return GUESS_RETRIES;
	return engine->options.retries;
}

static int64_t timeout_of(const struct engine *engine, const struct slot *slot, unsigned attempt)
{
	int64_t full = (int64_t)engine->options.timeout_ms * MS;
	int64_t soon = (int64_t)slot->request.patience_us * 1250;

	/* The first attempt is repeated soon, if it may be repeated at all. */
	if (soon < engine->window.rto)
		soon = engine->window.rto;
	return attempt == 1 && retries_of(engine, slot) > 0 && soon < full ? soon : full;
}

/* The time of the last look at the clock will do: it costs no look of its own. */
static double since_begun(const struct engine *engine)
{
	return (double)(engine->now - engine->options.began_ms * MS) / 1e9;
}

static int slot_send(struct engine *engine, uint16_t index, struct err *err)
{
	struct slot *slot = &engine->slots.slot[index];
	unsigned timeout_ms = (unsigned)((timeout_of(engine, slot, slot->attempt + 1u) + MS - 1) / MS);

	switch (wire_send(engine->wire, slot->umad, timeout_ms)) {
	case WIRE_SENT:
		break;
	case WIRE_BUSY:
		/* It comes back as if it had been lost. */
		break;
	case WIRE_REFUSED:
		return err_set(err, ERR_DEVICE, "refused to send a MAD that is not a Get");
	case WIRE_BROKEN:
		return err_set(err, ERR_DEVICE,
			       "the local port is gone: %s; see dmesg for its driver, then run again",
			       strerror(errno));
	}
	slot->attempt++;
	slot->flight = (uint16_t)engine->slots.count[PLACE_YOUNG];
	slot->sent = engine->now;
	engine->stats.sent++;
	if (engine->stats.steps[slot->request.step].sent++ == 0)
		engine->stats.steps[slot->request.step].from = since_begun(engine);
	if (slot->attempt > 1)
		engine->stats.retried++;
	slots_move(&engine->slots, index, PLACE_YOUNG);
	if (engine->options.trace)
		trace_sent(engine->options.trace, umad_get_mad(slot->umad), &slot->request,
			   slot->attempt);
	return 0;
}

int engine_submit(struct engine *engine, const struct mad_request *request,
		  const struct mad_route *route, struct err *err)
{
	uint16_t index = slots_first(&engine->slots, PLACE_FREE);
	struct slot *slot = &engine->slots.slot[index];

	slot->tid = engine->sequence++ << SLOT_BITS | index;
	slot->request = *request;
	slot->attempt = 0;
	slot->first_sent = engine->now;
	memset(slot->umad, 0, UMAD_ROOM);
	mad_encode_request(request, route, slot->tid, umad_get_mad(slot->umad));
	if (request->class == IB_SMI_DIRECT_CLASS)
		umad_set_addr(slot->umad, 0xffff, 0, 0, 0);
	else if (request->class == IB_SMI_CLASS)
		umad_set_addr(slot->umad, request->lid, 0, 0, 0);
	else
		umad_set_addr(slot->umad, request->lid, 1, request->sl, IB_DEFAULT_QP1_QKEY);
	return slot_send(engine, index, err);
}

/* --- The window. --- */

/* More than a sixteenth of the window is older than an answer normally takes. */
static bool many_overdue(const struct engine *engine)
{
	int64_t usual = window_usual(&engine->window);
	size_t allowed = (size_t)(engine->window.size / 16);
	uint16_t index = slots_first(&engine->slots, PLACE_YOUNG);

	for (size_t i = 0; i <= allowed; i++) {
		if (index >= SLOTS || engine->now - engine->slots.slot[index].sent < usual)
			return false;
		index = engine->slots.slot[index].link.next;
	}
	return true;
}

/* A question says something of the path, not of a device that may be dead. */
static bool tells_of_path(const struct slot *slot)
{
	if (slot->request.guess || slot->request.doubtful)
		return false;
	return slot->attempt == 1 || (slot->attempt == 2 && slot->request.known);
}

/* Its device takes longer than others, and not more of that has passed. */
static bool is_slow(const struct engine *engine, const struct slot *slot)
{
	return slot->attempt == 1 && slot->request.patience_us > 0 &&
	       engine->now - slot->sent < timeout_of(engine, slot, 1) + KERNEL_SLACK;
}

/* --- Receiving. --- */

static int finish(struct engine *engine, uint16_t index, const struct answer *answer,
		  struct err *err)
{
	struct mad_request request = engine->slots.slot[index].request;

	engine->stats.steps[request.step].to = since_begun(engine);
	slots_move(&engine->slots, index, PLACE_FREE);
	return engine->options.done(engine->options.context, &request, answer, err);
}

/* An attempt is over without an answer. */
static int attempt_lost(struct engine *engine, uint16_t index, struct err *err)
{
	struct slot *slot = &engine->slots.slot[index];
	struct answer answer = {.outcome = OUTCOME_TIMEOUT};

	if (slot->attempt <= retries_of(engine, slot)) {
		slots_move(&engine->slots, index, PLACE_AGAIN);
		return 0;
	}
	engine->stats.timed_out++;
	if (engine->options.trace)
		trace_given_up(engine->options.trace, umad_get_mad(slot->umad), &slot->request,
			       slot->attempt, engine->now - slot->first_sent);
	return finish(engine, index, &answer, err);
}

/* Whatever was sent too long ago: the window learns of all of them together. */
static void count_lost(struct engine *engine)
{
	uint16_t index = slots_first(&engine->slots, PLACE_YOUNG);
	unsigned flight = SLOTS;
	unsigned lost = 0;

	while (index < SLOTS) {
		const struct slot *slot = &engine->slots.slot[index];

		if (engine->now - slot->sent < engine->window.rto + KERNEL_SLACK)
			break;
		if (tells_of_path(slot) && !is_slow(engine, slot)) {
			lost++;
			flight = slot->flight < flight ? slot->flight : flight;
		}
		index = slot->link.next;
	}
	if (lost > 0)
		window_lose(&engine->window, engine->now, lost, flight);
}

static int check_timers(struct engine *engine, struct err *err)
{
	int64_t limit = engine->window.rto + KERNEL_SLACK;
	int rc = 0;

	count_lost(engine);
	while (rc == 0 && slots_first(&engine->slots, PLACE_YOUNG) < SLOTS) {
		uint16_t index = slots_first(&engine->slots, PLACE_YOUNG);
		struct slot *slot = &engine->slots.slot[index];
		int64_t age = engine->now - slot->sent;

		if (age < limit)
			break;
		if (age < timeout_of(engine, slot, slot->attempt) + KERNEL_SLACK)
			slots_move(&engine->slots, index, PLACE_OVERDUE);
		else
			rc = attempt_lost(engine, index, err);
	}
	while (rc == 0 && slots_first(&engine->slots, PLACE_OVERDUE) < SLOTS) {
		uint16_t index = slots_first(&engine->slots, PLACE_OVERDUE);
		struct slot *slot = &engine->slots.slot[index];

		if (engine->now - slot->sent <
		    timeout_of(engine, slot, slot->attempt) + KERNEL_SLACK)
			break;
		rc = attempt_lost(engine, index, err);
	}
	while (rc == 0 && slots_first(&engine->slots, PLACE_AGAIN) < SLOTS &&
	       (double)engine->slots.count[PLACE_YOUNG] < engine->window.size)
		rc = slot_send(engine, slots_first(&engine->slots, PLACE_AGAIN), err);
	return rc;
}

/* An answer with a tid of ours that is no longer asked for. */
static void count_stray(struct engine *engine, uint32_t tid)
{
	uint32_t sequence = tid >> SLOT_BITS;
	uint32_t age = (engine->sequence - sequence) & (UINT32_MAX >> SLOT_BITS);

	if (engine->answered[sequence % ANSWERED] == tid)
		engine->stats.duplicated++;
	else if (age > 0 && age < ANSWERED)
		engine->stats.late++;
	else
		engine->stats.foreign++;
}

/* A device that is busy is asked again when its attempt would have been over. */
static void wait_for_busy(struct engine *engine, uint16_t index, const uint8_t *mad,
			  uint16_t status)
{
	struct slot *slot = &engine->slots.slot[index];
	const struct answer answer = {.outcome = OUTCOME_STATUS, .status = status};

	engine->stats.bad_status++;
	if (engine->options.trace)
		trace_answered(engine->options.trace, mad, &slot->request, &answer,
			       engine->now - slot->sent);
	if (slot->place == PLACE_YOUNG)
		slots_move(&engine->slots, index, PLACE_OVERDUE);
}

static int take(struct engine *engine, const uint8_t *mad, size_t length, struct err *err)
{
	uint32_t tid = length >= 24 ? mad_tid(mad) : 0;
	uint16_t index = (uint16_t)(tid & (SLOTS - 1));
	struct slot *slot = &engine->slots.slot[index];
	struct answer answer = {.outcome = OUTCOME_ANSWER};
	uint16_t status;

	if (length < 24) {
		engine->stats.foreign++;
		return 0;
	}
	if (slot->place == PLACE_FREE || slot->tid != tid) {
		count_stray(engine, tid);
		return 0;
	}
	switch (mad_check_answer(&slot->request, tid, mad, length, &status)) {
	case MAD_VERDICT_FOREIGN:
		engine->stats.foreign++;
		return 0;
	case MAD_VERDICT_OK:
		answer.data = (uint8_t *)(uintptr_t)mad + IB_SMP_DATA_OFFS;
		answer.mad = mad;
		break;
	case MAD_VERDICT_STATUS:
		if (status & IB_MAD_STS_BUSY && slot->attempt <= retries_of(engine, slot)) {
			wait_for_busy(engine, index, mad, status);
			return 0;
		}
		answer.outcome = OUTCOME_STATUS;
		answer.status = status;
		engine->stats.bad_status++;
		break;
	case MAD_VERDICT_BAD:
		answer.outcome = OUTCOME_BAD;
		engine->stats.bad_status++;
		break;
	}
	/* A second attempt is most often sent while the answer to the first is on its way. */
	answer.after_us = (uint32_t)((engine->now -
				      (slot->attempt <= 2 ? slot->first_sent : slot->sent)) /
				     1000);
	engine->stats.answered++;
	engine->answered[(tid >> SLOT_BITS) % ANSWERED] = tid;
	/* Karn: the time of a repeated question says nothing. */
	if (slot->attempt == 1)
		window_measure(&engine->window, engine->now - slot->sent);
	if (slot->place == PLACE_YOUNG && !many_overdue(engine))
		window_grow(&engine->window, (double)engine->slots.count[PLACE_YOUNG]);
	if (engine->options.trace)
		trace_answered(engine->options.trace, mad, &slot->request, &answer,
			       engine->now - slot->sent);
	return finish(engine, index, &answer, err);
}

/* The kernel (or the simulator, at once) says that no answer came. */
static int take_send_error(struct engine *engine, const uint8_t *mad, size_t length,
			   struct err *err)
{
	uint32_t tid = length >= 24 ? mad_tid(mad) : 0;
	uint16_t index = (uint16_t)(tid & (SLOTS - 1));
	struct slot *slot = &engine->slots.slot[index];

	if ((slot->place != PLACE_YOUNG && slot->place != PLACE_OVERDUE) || slot->tid != tid)
		return 0;
	if (slot->place == PLACE_YOUNG && tells_of_path(slot))
		window_lose(&engine->window, engine->now, 1, slot->flight);
	return attempt_lost(engine, index, err);
}

/* One umad: 1 taken, 0 there is none, or an error. */
static int receive(struct engine *engine, struct err *err)
{
	int length = IB_MAD_SIZE;
	const uint8_t *mad = umad_get_mad(engine->umad);
	int rc = umad_recv(engine->wire->fd, engine->umad, &length, 0);

	if (rc < 0) {
		if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
			return 0;
		return err_set(err, ERR_DEVICE,
			       "cannot read from the local port: %s; see dmesg for its driver, then "
			       "run again",
			       strerror(errno));
	}
	if (length < 0 || length > IB_MAD_SIZE)
		length = 0;
	if (umad_status(engine->umad) != 0)
		rc = take_send_error(engine, mad, (size_t)length, err);
	else
		rc = take(engine, mad, (size_t)length, err);
	return rc < 0 ? rc : 1;
}

/* Milliseconds until the next timer, rounded up. */
static int wait_ms(const struct engine *engine)
{
	int64_t until = engine->now + 1000 * MS;
	uint16_t young = slots_first(&engine->slots, PLACE_YOUNG);
	uint16_t overdue = slots_first(&engine->slots, PLACE_OVERDUE);
	int64_t wait;

	if (young < SLOTS)
		until = engine->slots.slot[young].sent + engine->window.rto + KERNEL_SLACK;
	if (overdue < SLOTS) {
		const struct slot *slot = &engine->slots.slot[overdue];
		int64_t end = slot->sent + timeout_of(engine, slot, slot->attempt) + KERNEL_SLACK;

		if (end < until)
			until = end;
	}
	wait = (until - engine->now + MS - 1) / MS;
	return wait < 1 ? 1 : (int)wait;
}

/*
 * Until there is an answer or a timer has run off. Being woken costs more than
 * taking an answer in, so with many in flight one waking takes several.
 */
static void wait_for_answers(const struct engine *engine)
{
	const struct timespec gather = {.tv_nsec = GATHER_NS};

	umad_poll(engine->wire->fd, wait_ms(engine));
	if (engine->slots.count[PLACE_YOUNG] >= GATHER)
		nanosleep(&gather, NULL);
}

/* What has arrived, but not more than a batch: how many, or an error. */
static int receive_batch(struct engine *engine, struct err *err)
{
	int taken = 0;
	int rc;

	engine->now = clock_now();
	while (taken < BATCH && (rc = receive(engine, err)) != 0) {
		if (rc < 0)
			return rc;
		taken++;
	}
	return taken;
}

int engine_pump(struct engine *engine, struct err *err)
{
	int taken = receive_batch(engine, err);

	if (taken == 0 && engine_pending(engine) > 0) {
		wait_for_answers(engine);
		taken = receive_batch(engine, err);
	}
	return taken < 0 ? taken : check_timers(engine, err);
}
