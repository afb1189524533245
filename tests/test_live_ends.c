/* Links whose two ends do not agree, since a cable was out while the run went on. */
#include "tests/support/fake_net.h"

static void begin_routed(void)
{
	int leaf = begin();
	int far = node(NODE_TYPE_SWITCH, 0xf00, "far");

	cable(leaf, 2, far, 1);
	cable(leaf, 3, node(NODE_TYPE_CA, 0xc00, "host"), 1);
	net.routed = true;
}

/* Out when its port is read, and in again before the run ends. */
static void a_host_plugged_in_again_is_found_or_told(void **state)
{
	unsigned late = 0;

	(void)state;
	for (unsigned at = 1; at < 40; at++) {
		struct fabric *fabric;

		begin_routed();
		net.pulled_at = at;
		net.plugged_at = at + 8;
		net.pulled = (struct end){1, 3};
		net.pulled_far = net.nodes[1].ends[3];
		fabric = collect_groups(LIVE_TOPOLOGY | LIVE_LFT);
		/* Not where it came back when all was over. */
		if (net.answers > net.plugged_at + 8)
			assert_true(rows_of(fabric, 0xc00) == 1 || fabric->partial);
		for (size_t i = 0; i < fabric->hole_count; i++)
			late += strstr(fabric->holes[i].text, "came up while the run went on") != NULL;
		fabric_free(fabric);
	}
	assert_true(late > 0);
}

static void a_cable_that_stays_leaves_no_hole(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_routed();
	fabric = collect_groups(LIVE_TOPOLOGY | LIVE_LFT);
	assert_int_equal(fabric->device_count, 4);
	assert_int_equal(links_of(fabric), 3);
	assert_int_equal(fabric->hole_count, 0);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

/* Only routes make a port that is Down worth a second look. */
static void a_port_that_stays_down_leaves_no_hole(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_routed();
	uncable(1, 3);
	fabric = collect();
	assert_int_equal(fabric->device_count, 3);
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_plugged_in_again_is_found_or_told),
		cmocka_unit_test(a_cable_that_stays_leaves_no_hole),
		cmocka_unit_test(a_port_that_stays_down_leaves_no_hole),
	};

	return cmocka_run_group_tests_name("live_ends", tests, NULL, NULL);
}
