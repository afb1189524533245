#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/diff.h"
#include "tests/support/build_fabric.h"
#include "tests/support/diff_pair.h"

static void add_hole(struct fabric *fabric, struct device *device, int port, struct port *behind,
		     enum hole_reason reason)
{
	struct hole *hole = fabric_hole_add(fabric);

	hole->device = device;
	hole->port = port;
	hole->attribute = ATTRIBUTE_NODE_INFO;
	hole->reason = reason;
	hole->behind = behind;
}

static void what_lies_behind_a_hole_is_not_reached(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	diff_pair_take_away(pair, "host-22");
	add_hole(pair->now, NULL, -1, build_port(build_device(pair->now, "leaf-2"), 2),
		 HOLE_TIMEOUT);
	diff = diff_pair_compare(pair);

	assert_non_null(strstr(diff_only(diff, DIFF_DEVICE_NOT_REACHED)->subject, "host-22"));
	assert_int_equal(diff_count(diff, DIFF_DEVICE_REMOVED), 0);
	assert_int_equal(diff_count(diff, DIFF_LINK_REMOVED), 0);
	assert_true(diff_has_note(diff, "1 link lies behind"));
}

static void a_hole_elsewhere_excuses_nothing(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	diff_pair_take_away(pair, "host-22");
	add_hole(pair->now, NULL, -1, build_port(build_device(pair->now, "leaf-1"), 2),
		 HOLE_TIMEOUT);
	add_hole(pair->now, build_device(pair->now, "leaf-2"), 2, NULL, HOLE_UNSUPPORTED);
	diff = diff_pair_compare(pair);

	assert_int_equal(diff_count(diff, DIFF_DEVICE_REMOVED), 1);
	assert_int_equal(diff_count(diff, DIFF_LINK_REMOVED), 1);
}

/* host-21 hangs on the leaf, the leaf on two spines; one of these ports gave no answer. */
static void what_hangs_on_something_not_reached_is_not_reached_either(void **state)
{
	struct diff_pair *pair = *state;
	struct fabric *now = build_fabric();
	const struct diff *diff;
	struct device *spine;

	fabric_free(pair->now);
	pair->now = now;
	spine = build_switch(now, 0x1003, 4, 3, "spine-1");
	build_switch(now, 0x1004, 4, 4, "spine-2");
	build_switch(now, 0x1001, 4, 1, "leaf-1");
	build_ca(now, 0x100b, 1, 11, "host-11");
	build_ca(now, 0x100c, 1, 12, "host-12");
	add_hole(now, NULL, -1, build_port(spine, 2), HOLE_TIMEOUT);
	diff = diff_pair_compare_keys(pair, DIFF_NODE);

	/* leaf-2, host-21, host-22. */
	assert_int_equal(diff_count(diff, DIFF_DEVICE_NOT_REACHED), 3);
	assert_int_equal(diff_count(diff, DIFF_DEVICE_REMOVED), 0);
}

static void what_is_reached_again_did_not_come(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->before);
	pair->before = tree_without("host-22");
	add_hole(pair->before, NULL, -1, build_port(build_device(pair->before, "leaf-2"), 2),
		 HOLE_TIMEOUT);
	diff = diff_pair_compare_keys(pair, DIFF_NODE | DIFF_LINK);

	assert_int_equal(diff->change_count, 0);
	assert_true(diff_has_note(diff, "not called added"));
}

static void a_hole_without_a_place_may_hide_anything(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	diff_pair_take_away(pair, "host-22");
	add_hole(pair->now, NULL, -1, NULL, HOLE_LIMIT);
	diff = diff_pair_compare(pair);

	assert_int_equal(diff_count(diff, DIFF_DEVICE_NOT_REACHED), 1);
	assert_true(diff_has_note(diff, "could not be told"));
}

static void a_dump_of_forwarding_tables_removes_no_host(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->now);
	pair->now = build_fabric();
	pair->now->live = false;
	pair->now->asked = 1u << ATTRIBUTE_LFT;
	fabric_device_add(pair->now, 0x1001, NODE_TYPE_SWITCH);
	diff = diff_pair_compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_true(diff_has_note(diff, "do not list devices"));
	assert_true(diff_has_note(diff, "links are not compared"));
}

static void a_list_of_switches_removes_no_host(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->now);
	pair->now = build_fabric();
	pair->now->live = false;
	pair->now->asked = 1u << ATTRIBUTE_NODE_INFO;
	for (uint64_t guid = 0x1001; guid <= 0x1003; guid++)
		fabric_device_add(pair->now, guid, NODE_TYPE_SWITCH);
	diff = diff_pair_compare(pair);

	assert_non_null(strstr(diff_only(diff, DIFF_DEVICE_REMOVED)->subject, "spine-2"));
	assert_true(diff_has_note(diff, "4 hosts are not compared"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define DIFF_TEST(name) cmocka_unit_test_setup_teardown(name, diff_pair_make, diff_pair_free)
		DIFF_TEST(what_lies_behind_a_hole_is_not_reached),
		DIFF_TEST(a_hole_elsewhere_excuses_nothing),
		DIFF_TEST(what_hangs_on_something_not_reached_is_not_reached_either),
		DIFF_TEST(what_is_reached_again_did_not_come),
		DIFF_TEST(a_hole_without_a_place_may_hide_anything),
		DIFF_TEST(a_dump_of_forwarding_tables_removes_no_host),
		DIFF_TEST(a_list_of_switches_removes_no_host),
	};

	return cmocka_run_group_tests_name("diff_holes", tests, NULL, NULL);
}
