#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/diff.h"
#include "tests/support/build_fabric.h"
#include "tests/support/diff_pair.h"
#include "tests/support/same_fabric.h"

static void equal_fabrics_have_no_difference(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff = diff_pair_compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_int_equal(diff->note_count, 0);
	assert_int_equal(diff->lid_owners, 8);
	assert_false(diff_is_different(diff));
}

static void the_order_of_discovery_is_no_difference(void **state)
{
	struct diff_pair *pair = *state;
	struct fabric *fabric = pair->now;

	for (size_t i = 0; i < fabric->device_count / 2; i++) {
		struct device *device = fabric->devices[i];
		size_t other = fabric->device_count - 1 - i;

		fabric->devices[i] = fabric->devices[other];
		fabric->devices[other] = device;
		fabric->devices[i]->index = i;
		fabric->devices[other]->index = other;
	}

	assert_int_equal(diff_pair_compare(pair)->change_count, 0);
}

static void a_host_that_went_takes_its_link_along(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	diff_pair_take_away(pair, "host-22");
	diff = diff_pair_compare(pair);

	assert_non_null(strstr(diff_only(diff, DIFF_DEVICE_REMOVED)->subject, "host-22"));
	assert_string_equal(diff_only(diff, DIFF_LINK_REMOVED)->subject, "leaf-2 port 2");
	assert_string_equal(diff_only(diff, DIFF_LINK_REMOVED)->before, "host-22 port 1");
	assert_null(diff_only(diff, DIFF_LINK_REMOVED)->after);
	assert_string_equal(diff_only(diff, DIFF_PORT_STATE)->before, "Active");
	assert_string_equal(diff_only(diff, DIFF_PORT_STATE)->after, "Down");
	assert_int_equal(diff->change_count, 3);
	assert_true(diff_is_different(diff));
}

static void a_host_that_came_brings_its_link(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->before);
	pair->before = tree_without("host-22");
	diff = diff_pair_compare(pair);

	assert_non_null(strstr(diff_only(diff, DIFF_DEVICE_ADDED)->subject, "host-22"));
	assert_string_equal(diff_only(diff, DIFF_LINK_ADDED)->after, "host-22 port 1");
	assert_int_equal(diff_count(diff, DIFF_DEVICE_REMOVED), 0);
}

static void a_cable_with_one_end_elsewhere_has_moved(void **state)
{
	struct diff_pair *pair = *state;
	struct device *leaf = build_device(pair->now, "leaf-2");
	struct device *host = build_device(pair->now, "host-11");
	const struct change *change;

	build_unlink(build_device(pair->now, "leaf-1"), 1);
	build_unlink(leaf, 2);
	build_link(leaf, 2, host, 1);
	change = diff_only(diff_pair_compare_keys(pair, DIFF_LINK), DIFF_LINK_MOVED);

	assert_string_equal(change->subject, "host-11 port 1");
	assert_string_equal(change->before, "leaf-1 port 1");
	assert_string_equal(change->after, "leaf-2 port 2");
	assert_string_equal(diff_only(pair->diff, DIFF_LINK_REMOVED)->before, "host-22 port 1");
}

static void two_swapped_cables_are_two_moves(void **state)
{
	struct diff_pair *pair = *state;
	struct device *leaf = build_device(pair->now, "leaf-1");
	struct device *one = build_device(pair->now, "host-11");
	struct device *two = build_device(pair->now, "host-12");
	const struct diff *diff;

	build_unlink(leaf, 1);
	build_unlink(leaf, 2);
	build_link(leaf, 1, two, 1);
	build_link(leaf, 2, one, 1);
	diff = diff_pair_compare_keys(pair, DIFF_LINK);

	assert_int_equal(diff_count(diff, DIFF_LINK_MOVED), 2);
	assert_int_equal(diff->change_count, 2);
	assert_string_equal(diff->changes[0].subject, "host-11 port 1");
	assert_string_equal(diff->changes[0].before, "leaf-1 port 1");
	assert_string_equal(diff->changes[0].after, "leaf-1 port 2");
}

static void another_adapter_behind_a_port_is_a_move_of_the_port(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	diff_pair_take_away(pair, "host-22");
	build_link(build_device(pair->now, "leaf-2"), 2,
		   build_ca(pair->now, 0x2000, 1, 22, "host-22"), 1);
	diff = diff_pair_compare(pair);

	assert_int_equal(diff_count(diff, DIFF_DEVICE_ADDED), 1);
	assert_int_equal(diff_count(diff, DIFF_DEVICE_REMOVED), 1);
	assert_string_equal(diff_only(diff, DIFF_LINK_MOVED)->subject, "leaf-2 port 2");
	assert_int_equal(diff->change_count, 3);
}

static void a_link_seen_from_one_end_is_the_same_link(void **state)
{
	struct diff_pair *pair = *state;

	build_port(build_device(pair->now, "host-11"), 1)->peer = NULL;

	assert_int_equal(diff_pair_compare_keys(pair, DIFF_LINK)->change_count, 0);
}

static void a_second_device_of_one_guid_is_one_device_more(void **state)
{
	struct diff_pair *pair = *state;
	struct device *twin = build_ca(pair->now, 0x100b, 1, 99, "impostor");
	const struct diff *diff;

	build_link(build_device(pair->now, "spine-1"), 3, twin, 1);
	diff = diff_pair_compare_keys(pair, DIFF_NODE | DIFF_LINK | DIFF_LID | DIFF_NODEDESC);

	assert_non_null(strstr(diff_only(diff, DIFF_DEVICE_ADDED)->subject, "impostor"));
	assert_int_equal(diff_count(diff, DIFF_LINK_ADDED), 1);
	assert_int_equal(diff->change_count, 2);
}

static void of_two_devices_with_one_guid_the_one_that_left_is_told(void **state)
{
	struct diff_pair *pair = *state;
	struct device *twin = build_ca(pair->before, 0x100b, 1, 99, "impostor");
	const struct diff *diff;

	build_link(build_device(pair->before, "spine-1"), 3, twin, 1);
	diff = diff_pair_compare_keys(pair, DIFF_NODE | DIFF_LINK | DIFF_LID | DIFF_NODEDESC);

	assert_non_null(strstr(diff_only(diff, DIFF_DEVICE_REMOVED)->subject, "impostor"));
	assert_int_equal(diff->change_count, 2);
}

static void a_new_or_gone_finding_is_a_difference_and_a_still_open_one_is_not(void **state)
{
	struct diff_pair *pair = *state;
	struct audit *audit = NULL;
	struct err err = {0};
	struct finding *finding;

	assert_int_equal(audit_new(&audit, &err), 0);
	finding = audit_finding_add(audit, "some-rule", SEVERITY_ERROR, 1, -1);
	finding->status = FINDING_STILL;
	assert_int_equal(diff_new(pair->before, pair->now, audit, DIFF_ALL, &pair->diff, &err), 0);

	assert_false(diff_is_different(pair->diff));
	finding->status = FINDING_GONE;
	assert_true(diff_is_different(pair->diff));
	diff_free(pair->diff);
	pair->diff = NULL;
	assert_int_equal(diff_new(pair->before, pair->now, audit, DIFF_NODE, &pair->diff, &err), 0);
	assert_false(diff_is_different(pair->diff));
	audit_free(audit);
}

static void keys_choose_what_is_compared(void **state)
{
	struct diff_pair *pair = *state;
	unsigned keys = 0;
	const char *bad = NULL;
	static const char wrong[] = "node,linc,lid";

	build_port(build_device(pair->now, "host-11"), 1)->info.lid = 77;

	assert_true(diff_keys_parse("node,link,state", &keys, &bad));
	assert_int_equal(keys, DIFF_NODE | DIFF_LINK | DIFF_STATE);
	assert_int_equal(diff_pair_compare_keys(pair, keys)->change_count, 0);
	assert_true(diff_keys_parse("all", &keys, &bad));
	assert_int_equal(keys, DIFF_ALL);
	assert_false(diff_keys_parse(wrong, &keys, &bad));
	assert_ptr_equal(bad, wrong + 5);
	assert_false(diff_keys_parse("", &keys, &bad));
	assert_false(diff_keys_parse("node,", &keys, &bad));
}

static void everything_compares_equal_to_itself(void **state)
{
	struct fabric *one = full_fabric();
	struct fabric *two = full_fabric();
	struct diff *diff = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(diff_new(one, two, NULL, DIFF_ALL, &diff, &err), 0);

	assert_int_equal(diff->change_count, 0);
	/* Some of its counters are full, which equal values do not excuse. */
	assert_int_equal(diff->note_count, 1);
	assert_true(diff_has_note(diff, "counters stand at their maximum"));
	diff_free(diff);
	fabric_free(one);
	fabric_free(two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define DIFF_TEST(name) cmocka_unit_test_setup_teardown(name, diff_pair_make, diff_pair_free)
		DIFF_TEST(equal_fabrics_have_no_difference),
		DIFF_TEST(the_order_of_discovery_is_no_difference),
		DIFF_TEST(a_host_that_went_takes_its_link_along),
		DIFF_TEST(a_host_that_came_brings_its_link),
		DIFF_TEST(a_cable_with_one_end_elsewhere_has_moved),
		DIFF_TEST(two_swapped_cables_are_two_moves),
		DIFF_TEST(another_adapter_behind_a_port_is_a_move_of_the_port),
		DIFF_TEST(a_link_seen_from_one_end_is_the_same_link),
		DIFF_TEST(a_second_device_of_one_guid_is_one_device_more),
		DIFF_TEST(of_two_devices_with_one_guid_the_one_that_left_is_told),
		DIFF_TEST(a_new_or_gone_finding_is_a_difference_and_a_still_open_one_is_not),
		DIFF_TEST(keys_choose_what_is_compared),
		cmocka_unit_test(everything_compares_equal_to_itself),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
