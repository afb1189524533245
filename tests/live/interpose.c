/*
 * The umad functions that a program finds in front of libibumad's. Requests are
 * remembered by port and the low half of their transaction id, which is the half
 * that the kernel and ibsim leave alone; answers wait in order of the time they
 * are due. One lock guards everything and is never held while waiting.
 */
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/umad.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "interpose.h"

#define BUCKETS 16384
#define BUFFER_BYTES 65536

struct request {
	struct request *next;
	int port, agent;
	uint16_t lid;
	uint32_t tid;
	int length;
	int timeout_ms;		/* 0: the kernel expects no answer */
	int retries;
	uint64_t sent_at, expires_at;	/* microseconds; UINT64_MAX: never */
	bool lost;		/* it never reached the fabric */
	uint8_t *umad;		/* as sent */
};

struct answer {
	struct answer *next;
	int port;
	uint64_t due;		/* microseconds */
	int length;		/* of the MAD */
	bool in_flight;		/* counts for capacity until it is due */
	uint8_t *umad;
};

static struct {
	pthread_mutex_t lock;
	pthread_once_t once;
	int (*send)(int, int, void *, int, int, int);
	int (*recv)(int, void *, int *, int);
	int (*poll)(int, int);
	int (*close)(int);
	struct settings settings;
	struct request *requests[BUCKETS];
	struct answer *answers;		/* by due, soonest first */
	struct answer *last;		/* of the list, or NULL: not known */
	uint64_t next_expiry;		/* no request expires before this */
	uint64_t last_due;		/* of the last answer, for service */
	uint64_t waiting;		/* requests that reached the fabric and have no answer yet */
	uint64_t launched;		/* requests that reached the fabric */
	uint64_t sent, answered, delivered, lost, overrun, dropped, expired, resent, unmatched, peak;
	uint8_t buffer[BUFFER_BYTES];
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT, .next_expiry = UINT64_MAX};

static void start(void)
{
	/* POSIX's way to say it: ISO C knows no function in a void pointer. */
	*(void **)&state.send = dlsym(RTLD_NEXT, "umad_send");
	*(void **)&state.recv = dlsym(RTLD_NEXT, "umad_recv");
	*(void **)&state.poll = dlsym(RTLD_NEXT, "umad_poll");
	*(void **)&state.close = dlsym(RTLD_NEXT, "umad_close_port");
	settings_read(&state.settings, getenv("INTERPOSE"));
	/* Sleeps of some microseconds, not of fifty more. */
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
}

static void __attribute__((destructor)) finish(void)
{
	FILE *out = state.settings.stats ? fopen(state.settings.stats, "w") : NULL;

	if (state.settings.log)
		fflush(state.settings.log);
	if (!out)
		return;
	fprintf(out, "sent=%lu\nanswered=%lu\ndelivered=%lu\nlost=%lu\noverrun=%lu\ndropped=%lu\nexpired=%lu\n"
		"resent=%lu\nunmatched=%lu\npeak=%lu\n", state.sent, state.answered, state.delivered, state.lost,
		state.overrun, state.dropped, state.expired, state.resent, state.unmatched, state.peak);
	fclose(out);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static uint8_t *copy(const void *bytes, size_t length)
{
	uint8_t *memory = malloc(length ? length : 1);

	if (!memory)
		abort();
	memcpy(memory, bytes, length);
	return memory;
}

/* --- Answers that wait --- */

static void queue_answer(int port, const void *umad, int length, uint64_t due, bool in_flight)
{
	struct answer *answer = malloc(sizeof(*answer)), **at = &state.answers;

	if (!answer)
		abort();
	*answer = (struct answer){
		.port = port, .due = due, .length = length, .in_flight = in_flight,
		.umad = copy(umad, umad_size() + (size_t)length),
	};
	/* Most come in order: behind the last one is the usual place. */
	if (state.last && state.last->due <= due)
		at = &state.last->next;
	while (*at && (*at)->due <= due)
		at = &(*at)->next;
	answer->next = *at;
	*at = answer;
	if (!answer->next)
		state.last = answer;
}

static uint64_t in_flight(uint64_t time)
{
	uint64_t count = state.waiting;

	for (const struct answer *answer = state.answers; answer; answer = answer->next)
		count += answer->in_flight && answer->due > time;
	return count;
}

/* --- Requests that wait --- */

static struct request **find_request(int port, uint32_t tid)
{
	struct request **at = &state.requests[(tid ^ tid >> 14) % BUCKETS];

	while (*at && ((*at)->tid != tid || (*at)->port != port))
		at = &(*at)->next;
	return at;
}

static void forget(struct request **at)
{
	struct request *request = *at;

	*at = request->next;
	state.waiting -= !request->lost;
	free(request->umad);
	free(request);
}

static void write_log(const struct request *request, const uint8_t *mad)
{
	fprintf(state.settings.log, "method %02x class %02x attr %04x mod %08x lid %u", mad[MAD_METHOD],
		mad[MAD_CLASS], get16(mad + MAD_ATTR), get32(mad + MAD_MODIFIER), request->lid);
	if (mad[MAD_CLASS] == CLASS_SMP_DIRECTED) {
		fprintf(state.settings.log, " path 0");
		for (unsigned i = 1; i <= mad[MAD_HOP_COUNT] && i < 64; i++)
			fprintf(state.settings.log, ",%u", mad[SMP_PATH + i]);
	}
	fputc('\n', state.settings.log);
}

static void pump(int port);

/* Sends it to the fabric, or loses it. Returns what umad_send does. */
static int launch(struct request *request, uint64_t time)
{
	struct settings *settings = &state.settings;
	uint64_t flying = settings->capacity || settings->stats ? in_flight(time) : 0;
	int rc = 0;

	state.sent++;
	if (settings->log)
		write_log(request, (uint8_t *)umad_get_mad(request->umad));
	request->lost = true;
	if (settings->capacity && flying >= settings->capacity) {
		state.overrun++;
	} else if (settings->loss && settings_random(settings) % 1000 < settings->loss) {
		state.lost++;
	} else {
		uint8_t *sent = copy(request->umad, umad_size() + (size_t)request->length);

		rc = state.send(request->port, request->agent, sent, request->length, request->timeout_ms, 0);
		free(sent);
		request->lost = false;
		state.launched++;
		state.waiting++;
		if (flying + 1 > state.peak)
			state.peak = flying + 1;
	}
	request->sent_at = time;
	request->expires_at = settings->kernel && request->timeout_ms > 0 ?
			      time + (uint64_t)request->timeout_ms * 1000 : UINT64_MAX;
	if (request->expires_at < state.next_expiry)
		state.next_expiry = request->expires_at;
	return rc;
}

/* The kernel's answer to a request that got none: its own header and a status. */
static void give_back(const struct request *request, uint64_t time)
{
	struct ib_user_mad *umad = (struct ib_user_mad *)request->umad;

	umad->status = ETIMEDOUT;
	umad->agent_id = (uint32_t)request->agent;
	umad->length = (uint32_t)umad_size() + 24;
	queue_answer(request->port, umad, 24, time, false);
	state.expired++;
}

static void expire(uint64_t time)
{
	uint64_t next = UINT64_MAX;

	if (time < state.next_expiry)
		return;
	state.next_expiry = UINT64_MAX;
	for (size_t i = 0; i < BUCKETS; i++) {
		struct request **at = &state.requests[i];

		while (*at) {
			struct request *request = *at;

			if (request->expires_at <= time && request->retries > 0) {
				request->retries--;
				state.resent++;
				state.waiting -= !request->lost;
				launch(request, time);
			} else if (request->expires_at <= time) {
				give_back(request, time);
				forget(at);
				continue;
			}
			if (request->expires_at < next)
				next = request->expires_at;
			at = &request->next;
		}
	}
	state.next_expiry = next;
}

static void accept_answer(int port, uint8_t *umad, int length)
{
	struct settings *settings = &state.settings;
	uint8_t *mad = umad_get_mad(umad);
	struct request **at, *request;
	struct outcome outcome;
	uint64_t time = now(), due;

	if (length < 24 || !(mad[MAD_METHOD] & RESPONSE_BIT)) {
		queue_answer(port, umad, length, time, false);
		return;
	}
	state.answered++;
	at = find_request(port, get32(mad + MAD_TID_LOW));
	request = *at;
	if (!request) {
		state.unmatched++;
		if (!settings->kernel)
			queue_answer(port, umad, length, time, false);
		return;
	}
	settings_apply(settings, umad_get_mad(request->umad), request->lid, mad, length, &outcome);
	due = request->sent_at + settings->latency + outcome.late;
	if (settings->service && due < state.last_due + settings->service)
		due = state.last_due + settings->service;
	if (due < time)
		due = time;
	state.last_due = due;
	outcome.dropped |= settings->kernel && request->timeout_ms == 0;
	if (outcome.dropped || due >= request->expires_at) {
		/* The request stays, to expire; what it took of the path is free again. */
		state.dropped++;
		state.waiting -= !request->lost;
		request->lost = true;
		if (request->expires_at == UINT64_MAX)
			forget(at);
		return;
	}
	if (outcome.foreign) {
		mad[MAD_TID_LOW] ^= 0x55;
		queue_answer(port, umad, length, due, false);
		mad[MAD_TID_LOW] ^= 0x55;
	}
	queue_answer(port, umad, outcome.length, due, true);
	if (outcome.twice)
		queue_answer(port, umad, outcome.length, due, false);
	forget(at);
}

/* Takes in whatever the fabric has answered by now. */
static void pump(int port)
{
	while (state.poll(port, 0) == 0) {
		int length = BUFFER_BYTES - (int)umad_size();

		if (state.recv(port, state.buffer, &length, 0) < 0)
			break;
		accept_answer(port, state.buffer, length);
	}
	expire(now());
}

static struct answer **find_due(int port, uint64_t time)
{
	struct answer **at = &state.answers;

	while (*at && (*at)->port != port)
		at = &(*at)->next;
	return *at && (*at)->due <= time ? at : NULL;
}

/* Waits, without the lock, for the next thing that can happen before `deadline`. */
static void wait_some(int port, uint64_t time, uint64_t deadline)
{
	uint64_t until = deadline < time + 10000 ? deadline : time + 10000;
	const struct answer *first = state.answers;

	while (first && first->port != port)
		first = first->next;
	if (first && first->due < until)
		until = first->due;
	if (state.next_expiry < until)
		until = state.next_expiry;
	pthread_mutex_unlock(&state.lock);
	if (until > time + 1000 && !first) {
		state.poll(port, (int)((until - time) / 1000));
	} else if (until > time) {
		uint64_t pause = until - time < 200 ? until - time : 200;
		struct timespec t = {.tv_nsec = (long)(first ? pause : 20) * 1000};

		nanosleep(&t, NULL);
	}
	pthread_mutex_lock(&state.lock);
}

/* 0 when an answer is due, or -ETIMEDOUT. Called and left with the lock held. */
static int await(int port, int timeout_ms, struct answer ***ret_at)
{
	uint64_t begun = now();
	uint64_t deadline = timeout_ms < 0 ? UINT64_MAX : begun + (uint64_t)timeout_ms * 1000;

	for (;;) {
		uint64_t time;

		pump(port);
		time = now();
		*ret_at = find_due(port, time);
		if (*ret_at)
			return 0;
		if (time >= deadline)
			return -ETIMEDOUT;
		wait_some(port, time, deadline);
	}
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	const uint8_t *mad = umad_get_mad(umad);
	struct request *request;
	int rc;

	pthread_once(&state.once, start);
	if (length < 24 || (mad[MAD_METHOD] & RESPONSE_BIT))
		return state.send(portid, agentid, umad, length, timeout_ms, retries);
	request = calloc(1, sizeof(*request));
	if (!request)
		abort();
	pthread_mutex_lock(&state.lock);
	/* Capacity counts what is under way now: take in what has arrived. */
	if (state.settings.capacity)
		pump(portid);
	*request = (struct request){
		.port = portid, .agent = agentid, .length = length, .timeout_ms = timeout_ms, .retries = retries,
		.lid = (uint16_t)get16((const uint8_t *)&umad_get_mad_addr(umad)->lid),
		.tid = get32(mad + MAD_TID_LOW), .umad = copy(umad, umad_size() + (size_t)length),
	};
	rc = launch(request, now());
	if (rc < 0) {
		state.waiting--;
		free(request->umad);
		free(request);
	} else {
		struct request **bucket = &state.requests[(request->tid ^ request->tid >> 14) % BUCKETS];

		request->next = *bucket;
		*bucket = request;
	}
	pthread_mutex_unlock(&state.lock);
	return rc;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	struct answer **at;
	int rc;

	pthread_once(&state.once, start);
	pthread_mutex_lock(&state.lock);
	rc = await(portid, timeout_ms, &at);
	if (rc < 0) {
		rc = timeout_ms == 0 ? -EWOULDBLOCK : rc;
		errno = -rc;
	} else {
		struct answer *answer = *at;

		if (answer->length > *length) {
			memcpy(umad, answer->umad, umad_size());
			rc = -ENOSPC;
			errno = ENOSPC;
		} else {
			memcpy(umad, answer->umad, umad_size() + (size_t)answer->length);
			rc = (int)((struct ib_user_mad *)umad)->agent_id;
			*at = answer->next;
			if (state.last == answer)
				state.last = NULL;
			state.delivered++;
		}
		*length = answer->length;
		if (rc >= 0) {
			free(answer->umad);
			free(answer);
		}
	}
	pthread_mutex_unlock(&state.lock);
	return rc;
}

int umad_poll(int portid, int timeout_ms)
{
	struct answer **at;
	int rc;

	pthread_once(&state.once, start);
	pthread_mutex_lock(&state.lock);
	rc = await(portid, timeout_ms, &at);
	pthread_mutex_unlock(&state.lock);
	return rc;
}

/*
 * Takes in what is still under way: libumad2sim waits for ever at exit when an
 * answer comes just then. Gives up after 100 ms without one.
 */
static void drain(int port)
{
	while (state.launched > state.answered && state.poll(port, 100) == 0) {
		int length = BUFFER_BYTES - (int)umad_size();

		if (state.recv(port, state.buffer, &length, 0) < 0)
			break;
		state.answered++;
	}
}

int umad_close_port(int portid)
{
	pthread_once(&state.once, start);
	pthread_mutex_lock(&state.lock);
	drain(portid);
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct request **at = &state.requests[i]; *at;) {
			if ((*at)->port == portid)
				forget(at);
			else
				at = &(*at)->next;
		}
	pthread_mutex_unlock(&state.lock);
	return state.close(portid);
}
