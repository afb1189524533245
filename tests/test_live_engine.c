/*
 * The engine on a path of its own: a fake of the four umad functions that keeps
 * what was sent, and answers as each test wants it.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "collector/live/engine.h"

#define KEPT 4096

struct packet {
	uint8_t mad[IB_MAD_SIZE];
	int status;
	int length;
};

static struct {
	struct packet queue[KEPT];
	unsigned first, count;
	unsigned sent;
	unsigned in_flight, most_in_flight;
	unsigned capacity;		/* what exceeds it is lost; 0: nothing is */
	unsigned lose;			/* this many of the next questions are lost */
	unsigned busy;			/* this many of the next answers are "busy" */
	unsigned copies;		/* of each answer */
	bool mute;
	uint8_t last[IB_MAD_SIZE];	/* what was sent last */
	bool hold;			/* answers wait until released */
} path;

static void give_back(const uint8_t *mad, int status, int length)
{
	struct packet *packet = &path.queue[path.count++ % KEPT];

	memcpy(packet->mad, mad, sizeof(packet->mad));
	packet->status = status;
	packet->length = length;
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	uint8_t mad[IB_MAD_SIZE];

	(void)portid;
	(void)agentid;
	(void)length;
	(void)timeout_ms;
	(void)retries;
	path.sent++;
	memcpy(path.last, umad_get_mad(umad), sizeof(path.last));
	if (path.mute)
		return 0;
	if (path.lose > 0) {
		path.lose--;
		return 0;
	}
	if (path.capacity && path.in_flight >= path.capacity)
		return 0;
	path.in_flight++;
	if (path.in_flight > path.most_in_flight)
		path.most_in_flight = path.in_flight;
	memcpy(mad, umad_get_mad(umad), sizeof(mad));
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	if (path.busy > 0) {
		path.busy--;
		mad[5] |= IB_MAD_STS_BUSY;
	}
	for (unsigned i = 0; i <= path.copies; i++)
		give_back(mad, 0, IB_MAD_SIZE);
	return 0;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	struct packet *packet = &path.queue[path.first % KEPT];

	(void)portid;
	(void)timeout_ms;
	if (path.first == path.count || path.hold) {
		errno = EWOULDBLOCK;
		return -EWOULDBLOCK;
	}
	path.first++;
	if (path.in_flight > 0)
		path.in_flight--;
	((struct ib_user_mad *)umad)->status = (uint32_t)packet->status;
	memcpy(umad_get_mad(umad), packet->mad, sizeof(packet->mad));
	*length = packet->length;
	return 0;
}

int umad_poll(int portid, int timeout_ms)
{
	const struct timespec pause = {.tv_nsec = (timeout_ms > 5 ? 5 : timeout_ms) * 1000000L};

	(void)portid;
	path.hold = false;
	if (path.first == path.count)
		nanosleep(&pause, NULL);
	return 0;
}

struct seen {
	unsigned answers, timeouts, refused, bad;
};

static int on_done(void *context, const struct mad_request *request, const struct answer *answer,
		   struct err *err)
{
	struct seen *seen = context;

	(void)request;
	(void)err;
	seen->answers += answer->outcome == OUTCOME_ANSWER;
	seen->timeouts += answer->outcome == OUTCOME_TIMEOUT;
	seen->refused += answer->outcome == OUTCOME_STATUS;
	seen->bad += answer->outcome == OUTCOME_BAD;
	return 0;
}

static const struct wire wire = {.fd = 3};
static const struct mad_route here = {0};
static const struct mad_request node_info = {
	.class = IB_SMI_DIRECT_CLASS,
	.attribute = IB_ATTR_NODE_INFO,
	.known = true,
};

static struct engine *make(struct seen *seen, unsigned window, unsigned retries)
{
	const struct engine_options options = {
		.timeout_ms = 25,
		.retries = retries,
		.window = window,
		.done = on_done,
		.context = seen,
	};
	struct engine *engine = NULL;
	struct err err = {0};

	memset(&path, 0, sizeof(path));
	memset(seen, 0, sizeof(*seen));
	assert_int_equal(engine_new(&wire, &options, &engine, &err), 0);
	return engine;
}

static void ask_what(struct engine *engine, const struct mad_request *request, unsigned count)
{
	struct err err = {0};

	while (count > 0 || engine_pending(engine) > 0) {
		while (count > 0 && engine_has_room(engine)) {
			assert_int_equal(engine_submit(engine, request, &here, &err), 0);
			count--;
		}
		assert_int_equal(engine_pump(engine, &err), 0);
	}
}

/* Asks `count` questions, each once, and waits for the end of all. */
static void ask(struct engine *engine, unsigned count)
{
	ask_what(engine, &node_info, count);
}

static struct live_stats stats_of(const struct engine *engine)
{
	struct live_stats stats = {0};

	engine_stats(engine, &stats);
	return stats;
}

static void each_question_is_answered_once(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 64, 3);

	(void)state;
	ask(engine, 1000);
	assert_int_equal(seen.answers, 1000);
	assert_int_equal(path.sent, 1000);
	assert_true(path.most_in_flight <= 64);
	engine_free(engine);
}

static void a_lost_question_is_asked_again(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 16, 3);

	(void)state;
	path.lose = 3;
	ask(engine, 50);
	assert_int_equal(seen.answers, 50);
	assert_int_equal(stats_of(engine).retried, 3);
	assert_int_equal(seen.timeouts, 0);
	engine_free(engine);
}

static void each_step_tells_its_questions_and_its_time(void **state)
{
	const struct mad_request table = {
		.class = IB_SMI_DIRECT_CLASS,
		.attribute = IB_ATTR_NODE_INFO,
		.step = LIVE_STEP_LFT,
	};
	struct seen seen;
	struct engine *engine = make(&seen, 16, 3);
	struct live_stats stats;

	(void)state;
	ask(engine, 30);
	path.lose = 2;
	ask_what(engine, &table, 20);
	stats = stats_of(engine);
	assert_int_equal(stats.steps[LIVE_STEP_DISCOVERY].sent, 30);
	/* With those that were tried again. */
	assert_int_equal(stats.steps[LIVE_STEP_LFT].sent, 22);
	assert_int_equal(stats.sent, 52);
	assert_true(stats.steps[LIVE_STEP_DISCOVERY].from <= stats.steps[LIVE_STEP_DISCOVERY].to);
	assert_true(stats.steps[LIVE_STEP_DISCOVERY].to <= stats.steps[LIVE_STEP_LFT].from);
	/* The two that were lost took the time of an attempt. */
	assert_true(stats.steps[LIVE_STEP_LFT].to - stats.steps[LIVE_STEP_LFT].from > 0.01);
	assert_int_equal(stats.steps[LIVE_STEP_MFT].sent, 0);
	engine_free(engine);
}

/* How many questions were sent again after 60 ms of silence, where answers take less than 1 ms. */
static unsigned again_after_60_ms(uint32_t patience_us)
{
	const struct engine_options options = {
		.timeout_ms = 1000, .retries = 3, .window = 16, .done = on_done,
		.context = &(struct seen){0},
	};
	struct mad_request request = node_info;
	struct engine *engine = NULL;
	struct timespec begun, now;
	struct err err = {0};
	uint64_t again;

	memset(&path, 0, sizeof(path));
	assert_int_equal(engine_new(&wire, &options, &engine, &err), 0);
	ask(engine, 100);
	again = stats_of(engine).retried;
	path.mute = true;
	request.patience_us = patience_us;
	assert_int_equal(engine_submit(engine, &request, &here, &err), 0);
	clock_gettime(CLOCK_MONOTONIC, &begun);
	do {
		assert_int_equal(engine_pump(engine, &err), 0);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begun.tv_sec) * 1000 + (now.tv_nsec - begun.tv_nsec) / 1000000 < 60);
	again = stats_of(engine).retried - again;
	engine_free(engine);
	return (unsigned)again;
}

static void a_question_to_a_slow_device_is_not_sent_again_soon(void **state)
{
	(void)state;
	assert_int_equal(again_after_60_ms(500000), 0);
	assert_int_equal(again_after_60_ms(0), 1);
}

static void silence_ends_after_all_attempts(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 16, 2);

	(void)state;
	path.mute = true;
	ask(engine, 5);
	assert_int_equal(seen.timeouts, 5);
	assert_int_equal(path.sent, 15);
	assert_int_equal(stats_of(engine).timed_out, 5);
	engine_free(engine);
}

static void where_nobody_may_be_silence_is_cheap_and_says_nothing_of_the_path(void **state)
{
	const struct mad_request guess = {
		.class = IB_SMI_DIRECT_CLASS,
		.attribute = IB_ATTR_NODE_INFO,
		.guess = true,
	};
	struct seen seen;
	struct engine *engine = make(&seen, 64, 3);
	unsigned window;

	(void)state;
	ask(engine, 1000);
	window = stats_of(engine).window_end;
	path.sent = 0;
	path.mute = true;
	ask_what(engine, &guess, 40);
	assert_int_equal(seen.timeouts, 40);
	assert_int_equal(path.sent, 80);
	assert_int_equal(stats_of(engine).window_end, window);
	engine_free(engine);
}

static void what_an_m_key_may_keep_back_says_nothing_of_the_path(void **state)
{
	const struct mad_request doubtful = {
		.class = IB_SMI_DIRECT_CLASS,
		.attribute = IB_ATTR_PORT_INFO,
		.known = true,
		.doubtful = true,
	};
	struct seen seen;
	struct engine *engine = make(&seen, 64, 3);
	unsigned window;

	(void)state;
	ask(engine, 1000);
	window = stats_of(engine).window_end;
	path.sent = 0;
	path.mute = true;
	ask_what(engine, &doubtful, 40);
	assert_int_equal(seen.timeouts, 40);
	assert_int_equal(path.sent, 160);
	assert_int_equal(stats_of(engine).window_end, window);
	engine_free(engine);
}

static void a_busy_device_is_asked_again(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 16, 2);

	(void)state;
	path.busy = 5;
	ask(engine, 20);
	assert_int_equal(seen.answers, 20);
	assert_int_equal(seen.refused, 0);
	assert_int_equal(path.sent, 25);
	engine_free(engine);
}

static void a_device_that_stays_busy_is_told_so(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 16, 2);

	(void)state;
	path.busy = 1000;
	ask(engine, 4);
	assert_int_equal(seen.refused, 4);
	assert_int_equal(path.sent, 12);
	engine_free(engine);
}

static void an_answer_that_comes_too_late_is_dropped_and_counted(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 16, 0);

	(void)state;
	path.mute = true;
	ask(engine, 1);
	assert_int_equal(seen.timeouts, 1);
	path.mute = false;
	path.last[3] = IB_MAD_METHOD_GET_RESPONSE;
	give_back(path.last, 0, IB_MAD_SIZE);
	ask(engine, 1);
	assert_int_equal(seen.answers, 1);
	assert_int_equal(stats_of(engine).late, 1);
	assert_int_equal(stats_of(engine).duplicated + stats_of(engine).foreign, 0);
	engine_free(engine);
}

static void a_doubled_answer_is_dropped_and_counted(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 16, 3);

	(void)state;
	path.copies = 1;
	ask(engine, 100);
	assert_int_equal(seen.answers, 100);
	/* Those behind the last one are not read any more. */
	assert_true(stats_of(engine).duplicated >= 80);
	assert_int_equal(stats_of(engine).foreign, 0);
	engine_free(engine);
}

static void answers_to_nobody_and_fragments_are_dropped(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 16, 3);
	uint8_t mad[IB_MAD_SIZE] = {0};

	(void)state;
	mad_encode_request(&node_info, &here, 0xdeadbeef, mad);
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	give_back(mad, 0, IB_MAD_SIZE);
	give_back(mad, 0, 10);
	give_back(mad, 0, 0);
	give_back(mad, 110, IB_MAD_SIZE);
	ask(engine, 10);
	assert_int_equal(seen.answers, 10);
	/* The one of 256 bytes may look like an old one of this run. */
	assert_int_equal(stats_of(engine).foreign + stats_of(engine).late, 3);
	engine_free(engine);
}

static void the_window_shrinks_when_much_is_lost_and_loses_nobody(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 1024, 3);

	(void)state;
	path.capacity = 24;
	ask(engine, 4000);
	assert_int_equal(seen.answers, 4000);
	assert_true(stats_of(engine).window_end <= 96);
	engine_free(engine);
}

static void a_window_of_one_is_one_in_flight(void **state)
{
	struct seen seen;
	struct engine *engine = make(&seen, 1, 3);

	(void)state;
	ask(engine, 100);
	assert_int_equal(seen.answers, 100);
	assert_int_equal(path.most_in_flight, 1);
	engine_free(engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_question_is_answered_once),
		cmocka_unit_test(a_lost_question_is_asked_again),
		cmocka_unit_test(each_step_tells_its_questions_and_its_time),
		cmocka_unit_test(a_question_to_a_slow_device_is_not_sent_again_soon),
		cmocka_unit_test(silence_ends_after_all_attempts),
		cmocka_unit_test(where_nobody_may_be_silence_is_cheap_and_says_nothing_of_the_path),
		cmocka_unit_test(what_an_m_key_may_keep_back_says_nothing_of_the_path),
		cmocka_unit_test(a_busy_device_is_asked_again),
		cmocka_unit_test(a_device_that_stays_busy_is_told_so),
		cmocka_unit_test(an_answer_that_comes_too_late_is_dropped_and_counted),
		cmocka_unit_test(a_doubled_answer_is_dropped_and_counted),
		cmocka_unit_test(answers_to_nobody_and_fragments_are_dropped),
		cmocka_unit_test(the_window_shrinks_when_much_is_lost_and_loses_nobody),
		cmocka_unit_test(a_window_of_one_is_one_in_flight),
	};

	return cmocka_run_group_tests_name("live_engine", tests, NULL, NULL);
}
