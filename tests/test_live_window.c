#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/live/window.h"

#define MS INT64_C(1000000)
#define TIMEOUT (400 * MS)

static struct window grown_to(unsigned size)
{
	struct window window;

	window_init(&window, size, TIMEOUT);
	while (window.size < size)
		window_grow(&window, window.size);
	return window;
}

static void a_window_begins_small_and_grows_with_each_answer(void **state)
{
	struct window window;

	(void)state;
	window_init(&window, 128, TIMEOUT);
	assert_true(window.size < 16);
	for (int i = 0; i < 100; i++)
		window_grow(&window, window.size);
	assert_true(window.size > 100);
	for (int i = 0; i < 100; i++)
		window_grow(&window, window.size);
	assert_true(window.size == 128 && window.peak == 128);
}

static void a_window_that_is_not_used_does_not_grow(void **state)
{
	struct window window = grown_to(100);

	(void)state;
	window.limit = window.threshold = 200;
	window_grow(&window, 10);
	assert_true(window.size == 100);
	window_grow(&window, 90);
	assert_true(window.size == 101);
}

static void a_limit_below_the_beginning_is_kept(void **state)
{
	struct window window;

	(void)state;
	window_init(&window, 1, TIMEOUT);
	window_grow(&window, 1);
	window_lose(&window, 0, 1, 0);
	assert_true(window.size == 1);
}

static void single_losses_take_at_most_half_within_a_timeout(void **state)
{
	struct window window = grown_to(100);

	(void)state;
	for (int i = 0; i < 90; i++)
		window_lose(&window, MS, 1, 100);
	assert_true(window.size == 50);
	/* The next timeout may halve again. */
	for (int i = 0; i < 90; i++)
		window_lose(&window, MS + window.rto, 1, 100);
	assert_true(window.size == 25);
}

static void many_losses_at_once_leave_what_the_path_has_carried(void **state)
{
	struct window window = grown_to(100);

	(void)state;
	window_lose(&window, MS, 40, 24);
	assert_true(window.size == 24);
	/* Those of the same burst say nothing new. */
	window_lose(&window, MS, 40, 90);
	assert_true(window.size == 24);
}

static void after_a_loss_the_window_grows_by_one_in_a_round_trip(void **state)
{
	struct window window = grown_to(100);

	(void)state;
	window_lose(&window, MS, 40, 24);
	for (int i = 0; i < 24; i++)
		window_grow(&window, window.size);
	assert_true(window.size > 24.9 && window.size < 25.1);
}

static void the_timeout_follows_the_round_trip_between_its_bounds(void **state)
{
	struct window window;

	(void)state;
	window_init(&window, 8, TIMEOUT);
	assert_true(window.rto == TIMEOUT);
	window_measure(&window, MS / 10);
	assert_true(window.rto == 20 * MS);
	for (int i = 0; i < 100; i++)
		window_measure(&window, 50 * MS);
	assert_true(window.rto >= 50 * MS && window.rto < 60 * MS);
	for (int i = 0; i < 100; i++)
		window_measure(&window, 900 * MS);
	assert_true(window.rto == TIMEOUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_window_begins_small_and_grows_with_each_answer),
		cmocka_unit_test(a_window_that_is_not_used_does_not_grow),
		cmocka_unit_test(a_limit_below_the_beginning_is_kept),
		cmocka_unit_test(single_losses_take_at_most_half_within_a_timeout),
		cmocka_unit_test(many_losses_at_once_leave_what_the_path_has_carried),
		cmocka_unit_test(after_a_loss_the_window_grows_by_one_in_a_round_trip),
		cmocka_unit_test(the_timeout_follows_the_round_trip_between_its_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
