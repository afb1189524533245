#include "collector/live/engine.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collector/live/trace.h"
#include "collector/live/window.h"

#define MS INT64_C(1000000)	/* in nanoseconds, which all times here are */

#define SLOTS 4096u		/* questions pending, answered or not; a power of two */
#define SLOT_BITS 12
#define KERNEL_SLACK (8 * MS)	/* the kernel's own timer goes off first */
#define UMAD_ROOM 64u		/* a umad header is 56 or 64 bytes */
#define BATCH 64		/* answers taken in before sending again */
#define GUESS_RETRIES 1	/* of a question that nobody may be there to answer */
#define GATHER 32		/* with so many in flight, answers may gather ... */
#define GATHER_NS 20000		/* ... so long before they are taken in */

enum place {
	PLACE_FREE,
	PLACE_YOUNG,		/* counts against the window; ordered by time of sending */
	PLACE_OVERDUE,		/* waits for its full timeout, no longer counted */
	PLACE_AGAIN,		/* to be repeated as soon as there is room */
	PLACES
};

/* Slots form one ring for each place, through a head that is no slot: index SLOTS + place. */
struct link {
	uint16_t next, prev;
};

struct slot {
	uint32_t tid;
	uint8_t place;
	uint8_t attempt;	/* 1 with the first sending */
	struct link link;
	uint16_t flight;	/* others in flight when it was sent */
	int64_t sent;
	int64_t first_sent;
	struct mad_request request;
	_Alignas(8) uint8_t umad[UMAD_ROOM + IB_MAD_SIZE];
};

struct engine {
	const struct wire *wire;
	struct engine_options options;
	struct slot *slots;
	struct link heads[PLACES];
	size_t count[PLACES];
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

/* --- Lists. --- */

static struct link *link_of(struct engine *engine, uint16_t index)
{
	if (index >= SLOTS)
		return &engine->heads[index - SLOTS];
	return &engine->slots[index].link;
}

static uint16_t head_of(enum place place)
{
	return (uint16_t)(SLOTS + place);
}

static void slot_unlink(struct engine *engine, uint16_t index)
{
	struct slot *slot = &engine->slots[index];

	link_of(engine, slot->link.prev)->next = slot->link.next;
	link_of(engine, slot->link.next)->prev = slot->link.prev;
	engine->count[slot->place]--;
}

static void slot_put(struct engine *engine, uint16_t index, enum place place, bool first)
{
	struct slot *slot = &engine->slots[index];
	uint16_t head = head_of(place);
	uint16_t before = first ? head : engine->heads[place].prev;
	uint16_t after = first ? engine->heads[place].next : head;

	slot->place = (uint8_t)place;
	slot->link.prev = before;
	slot->link.next = after;
	link_of(engine, before)->next = index;
	link_of(engine, after)->prev = index;
	engine->count[place]++;
}

static void slot_move(struct engine *engine, uint16_t index, enum place place)
{
	slot_unlink(engine, index);
	/* The slot used last is used next: it is still in the cache. */
	slot_put(engine, index, place, place == PLACE_FREE);
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
	engine->slots = calloc(SLOTS, sizeof(*engine->slots));
	engine->answered = calloc(ANSWERED, sizeof(*engine->answered));
	engine->umad = calloc(1, UMAD_ROOM + IB_MAD_SIZE);
	if (!engine->slots || !engine->answered || !engine->umad) {
		engine_free(engine);
		return err_no_memory(err);
	}
	for (unsigned i = 0; i < PLACES; i++)
		engine->heads[i].next = engine->heads[i].prev = head_of((enum place)i);
	for (unsigned i = 0; i < SLOTS; i++)
		slot_put(engine, (uint16_t)i, PLACE_FREE, false);
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
	free(engine->slots);
	free(engine->answered);
	free(engine->umad);
	free(engine);
}

size_t engine_pending(const struct engine *engine)
{
	return SLOTS - engine->count[PLACE_FREE];
}

bool engine_has_room(const struct engine *engine)
{
	return engine->count[PLACE_AGAIN] == 0 && engine->count[PLACE_FREE] > 0 &&
	       (double)engine->count[PLACE_YOUNG] < engine->window.size;
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

static int64_t timeout_of(const struct engine *engine, const struct slot *slot, unsigned attempt)
{
	int64_t full = (int64_t)engine->options.timeout_ms * MS;
	int64_t soon = (int64_t)slot->request.patience_us * 1250;

	/* The first attempt is repeated soon, if it may be repeated at all. */
	if (soon < engine->window.rto)
		soon = engine->window.rto;
	return attempt == 1 && engine->options.retries > 0 && soon < full ? soon : full;
}

/* The time of the last look at the clock will do: it costs no look of its own. */
static double since_begun(const struct engine *engine)
{
	return (double)(engine->now - engine->options.began_ms * MS) / 1e9;
}

static int slot_send(struct engine *engine, uint16_t index, struct err *err)
{
	struct slot *slot = &engine->slots[index];
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
	slot->flight = (uint16_t)engine->count[PLACE_YOUNG];
	slot->sent = engine->now;
	engine->stats.sent++;
	if (engine->stats.steps[slot->request.step].sent++ == 0)
		engine->stats.steps[slot->request.step].from = since_begun(engine);
	if (slot->attempt > 1)
		engine->stats.retried++;
	slot_move(engine, index, PLACE_YOUNG);
	if (engine->options.trace)
		trace_sent(engine->options.trace, umad_get_mad(slot->umad), &slot->request,
			   slot->attempt);
	return 0;
}

int engine_submit(struct engine *engine, const struct mad_request *request,
		  const struct mad_route *route, struct err *err)
{
	uint16_t index = engine->heads[PLACE_FREE].next;
	struct slot *slot = &engine->slots[index];

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
	uint16_t index = engine->heads[PLACE_YOUNG].next;

	for (size_t i = 0; i <= allowed; i++) {
		if (index >= SLOTS || engine->now - engine->slots[index].sent < usual)
			return false;
		index = engine->slots[index].link.next;
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
	struct mad_request request = engine->slots[index].request;

	engine->stats.steps[request.step].to = since_begun(engine);
	slot_move(engine, index, PLACE_FREE);
	return engine->options.done(engine->options.context, &request, answer, err);
}

static unsigned retries_of(const struct engine *engine, const struct slot *slot)
{
	if (slot->request.guess && engine->options.retries > GUESS_RETRIES)
		return GUESS_RETRIES;
	return engine->options.retries;
}

/* An attempt is over without an answer. */
static int attempt_lost(struct engine *engine, uint16_t index, struct err *err)
{
	struct slot *slot = &engine->slots[index];
	struct answer answer = {.outcome = OUTCOME_TIMEOUT};

	if (slot->attempt <= retries_of(engine, slot)) {
		slot_move(engine, index, PLACE_AGAIN);
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
	uint16_t index = engine->heads[PLACE_YOUNG].next;
	unsigned flight = SLOTS;
	unsigned lost = 0;

	while (index < SLOTS) {
		const struct slot *slot = &engine->slots[index];

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
	while (rc == 0 && engine->heads[PLACE_YOUNG].next < SLOTS) {
		uint16_t index = engine->heads[PLACE_YOUNG].next;
		struct slot *slot = &engine->slots[index];
		int64_t age = engine->now - slot->sent;

		if (age < limit)
			break;
		if (age < timeout_of(engine, slot, slot->attempt) + KERNEL_SLACK)
			slot_move(engine, index, PLACE_OVERDUE);
		else
			rc = attempt_lost(engine, index, err);
	}
	while (rc == 0 && engine->heads[PLACE_OVERDUE].next < SLOTS) {
		uint16_t index = engine->heads[PLACE_OVERDUE].next;
		struct slot *slot = &engine->slots[index];

		if (engine->now - slot->sent <
		    timeout_of(engine, slot, slot->attempt) + KERNEL_SLACK)
			break;
		rc = attempt_lost(engine, index, err);
	}
	while (rc == 0 && engine->heads[PLACE_AGAIN].next < SLOTS &&
	       (double)engine->count[PLACE_YOUNG] < engine->window.size)
		rc = slot_send(engine, engine->heads[PLACE_AGAIN].next, err);
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
	struct slot *slot = &engine->slots[index];
	const struct answer answer = {.outcome = OUTCOME_STATUS, .status = status};

	engine->stats.bad_status++;
	if (engine->options.trace)
		trace_answered(engine->options.trace, mad, &slot->request, &answer,
			       engine->now - slot->sent);
	if (slot->place == PLACE_YOUNG)
		slot_move(engine, index, PLACE_OVERDUE);
}

static int take(struct engine *engine, const uint8_t *mad, size_t length, struct err *err)
{
	uint32_t tid = length >= 24 ? mad_tid(mad) : 0;
	uint16_t index = (uint16_t)(tid & (SLOTS - 1));
	struct slot *slot = &engine->slots[index];
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
		window_grow(&engine->window, (double)engine->count[PLACE_YOUNG]);
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
	struct slot *slot = &engine->slots[index];

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
	uint16_t young = engine->heads[PLACE_YOUNG].next;
	uint16_t overdue = engine->heads[PLACE_OVERDUE].next;
	int64_t wait;

	if (young < SLOTS)
		until = engine->slots[young].sent + engine->window.rto + KERNEL_SLACK;
	if (overdue < SLOTS) {
		const struct slot *slot = &engine->slots[overdue];
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
	if (engine->count[PLACE_YOUNG] >= GATHER)
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
