/* Who is who: whole runs over a small fabric whose GUIDs are alike, or that changes meanwhile. */
#include "tests/support/fake_net.h"

static void many_ways_to_one_switch_are_one_switch(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_SWITCH, 0xa00, "spine-a");
	int b = node(NODE_TYPE_SWITCH, 0xb00, "spine-b");
	int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 1);
	cable(leaf, 4, a, 5);
	cable(a, 2, far, 1);
	cable(b, 2, far, 2);
	cable(a, 3, far, 3);
	fabric = collect();
	assert_int_equal(fabric->device_count, 5);
	assert_int_equal(links_of(fabric), 7);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(fabric);
}

static void two_hosts_with_one_guid_are_two_rows(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_CA, 0xc00, "host-a");
	int b = node(NODE_TYPE_CA, 0xc00, "host-b");
	int c = node(NODE_TYPE_CA, 0xc00, "host-c");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 1);
	cable(leaf, 5, c, 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xc00), 3);
	assert_int_equal(links_of(fabric), 4);
	assert_int_equal(fabric->guid_conflict_count, 2);
	assert_non_null(fabric->guid_conflicts[0].place_a);
	assert_ptr_not_equal(fabric->guid_conflicts[0].place_a,
			     fabric->guid_conflicts[0].place_b);
	fabric_free(fabric);
}

static void what_told_the_twins_apart_is_said(void **state)
{
	static const struct {
		enum node_type type;
		const char *description;
		int port;
		const char *said;
	} second[] = {
		{NODE_TYPE_CA, "first", 1, "both were read twice"},
		{NODE_TYPE_CA, "second", 2, "their NodeDescriptions differ"},
		{NODE_TYPE_SWITCH, "first", 1, "their NodeInfos tell of two devices"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(second) / sizeof(second[0]); i++) {
		int leaf = begin();
		struct fabric *fabric;

		cable(leaf, 2, node(NODE_TYPE_CA, 0xabc, "first"), 1);
		cable(leaf, 3, node(second[i].type, 0xabc, second[i].description), second[i].port);
		fabric = collect();
		assert_int_equal(rows_of(fabric, 0xabc), 2);
		assert_int_equal(fabric->guid_conflict_count, 1);
		assert_non_null(strstr(fabric->guid_conflicts[0].detail, second[i].said));
		fabric_free(fabric);
	}
}

static void a_host_with_two_cables_is_one_host(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, host, 1);
	cable(leaf, 3, host, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xc00), 1);
	assert_int_equal(links_of(fabric), 3);
	assert_int_equal(fabric->guid_conflict_count, 0);
	fabric_free(fabric);
}

static void two_hosts_with_two_cables_each_are_two(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_CA, 0xc00, "host-a");
	int b = node(NODE_TYPE_CA, 0xc00, "host-b");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 2);
	cable(leaf, 4, b, 1);
	cable(leaf, 5, a, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xc00), 2);
	assert_int_equal(links_of(fabric), 5);
	for (const struct device *device = fabric_device_find(fabric, 0xc00); device;
	     device = device->same_guid) {
		assert_non_null(device_port(device, 1)->peer);
		assert_non_null(device_port(device, 2)->peer);
		/* Ports 2 and 5, or 4 and 3, of the leaf. */
		assert_int_equal(device_port(device, 1)->peer->num +
					 device_port(device, 2)->peer->num,
				 7);
	}
	fabric_free(fabric);
}

static void two_switches_cabled_alike_are_two(void **state)
{
	int leaf = begin();
	int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
	int a = node(NODE_TYPE_SWITCH, 0x500, "spine");
	int b = node(NODE_TYPE_SWITCH, 0x500, "spine");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 1);
	cable(far, 2, a, 2);
	cable(far, 3, b, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x500), 2);
	assert_int_equal(links_of(fabric), 5);
	assert_int_equal(fabric->device_count, 5);
	fabric_free(fabric);
}

/*
 * Both pairs share a GUID, and each port's neighbour says what the twin's says:
 * only the way home tells them apart.
 */
static void crossed_twins_are_four_switches(void **state)
{
	int leaf = begin();
	int a1 = node(NODE_TYPE_SWITCH, 0xa00, "a");
	int a2 = node(NODE_TYPE_SWITCH, 0xa00, "a");
	int b1 = node(NODE_TYPE_SWITCH, 0xb00, "b");
	int b2 = node(NODE_TYPE_SWITCH, 0xb00, "b");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a1, 1);
	cable(leaf, 3, b1, 2);
	cable(a1, 5, b2, 7);
	cable(a2, 5, b1, 7);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xa00), 2);
	assert_int_equal(rows_of(fabric, 0xb00), 2);
	assert_int_equal(links_of(fabric), 5);
	fabric_free(fabric);
}

static void twins_beside_each_other_are_two(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_SWITCH, 0x500, "twin");
	int b = node(NODE_TYPE_SWITCH, 0x500, "twin");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(a, 3, b, 3);
	cable(a, 4, b, 5);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x500), 2);
	assert_int_equal(links_of(fabric), 4);
	fabric_free(fabric);
}

static void a_ring_of_equal_guids_ends(void **state)
{
	int leaf = begin();
	int first = node(NODE_TYPE_SWITCH, 0x500, "ring");
	int last = first;
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, first, 1);
	for (int i = 0; i < 5; i++) {
		int next = node(NODE_TYPE_SWITCH, 0x500, "ring");

		cable(last, 3, next, 2);
		last = next;
	}
	cable(last, 3, first, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x500), 6);
	assert_int_equal(links_of(fabric), 8);
	fabric_free(fabric);
}

static void a_cable_back_to_its_switch_is_no_twin(void **state)
{
	int leaf = begin();
	struct fabric *fabric;

	(void)state;
	cable(leaf, 3, leaf, 6);
	cable(leaf, 5, leaf, 5);
	fabric = collect();
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_int_equal(links_of(fabric), 3);
	assert_ptr_equal(device_port(fabric->devices[1], 5)->peer,
			 device_port(fabric->devices[1], 5));
	fabric_free(fabric);
}

static void the_second_port_of_the_local_host_is_its_own(void **state)
{
	int leaf = begin();
	struct fabric *fabric;

	(void)state;
	cable(leaf, 4, 0, 2);
	fabric = collect();
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(links_of(fabric), 2);
	fabric_free(fabric);
}

static void a_twin_of_the_local_host_is_found(void **state)
{
	int leaf = begin();
	int twin = node(NODE_TYPE_CA, 0x100, "elsewhere");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 4, twin, 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x100), 2);
	assert_int_equal(links_of(fabric), 2);
	fabric_free(fabric);
}

static void two_hosts_back_to_back_with_one_guid_are_two(void **state)
{
	struct fabric *fabric;
	int twin;

	(void)state;
	memset(&net, 0, sizeof(net));
	node(NODE_TYPE_CA, 0x100, "here");
	twin = node(NODE_TYPE_CA, 0x100, "there");
	cable(0, 1, twin, 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x100), 2);
	assert_int_equal(links_of(fabric), 1);
	fabric_free(fabric);
}

/* Whenever the cable is moved, there is one host at the end, not two. */
static void a_cable_that_moves_is_no_duplicate(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 40; at += 3) {
		int leaf = begin();
		int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
		int host = node(NODE_TYPE_CA, 0xc00, "host");
		struct fabric *fabric;

		cable(leaf, 2, far, 1);
		cable(leaf, 3, host, 1);
		net.move_at = at;
		net.move_from = (struct end){host, 1};
		net.move_to = (struct end){far, 7};
		fabric = collect();
		assert_true(rows_of(fabric, 0xc00) <= 1);
		assert_int_equal(fabric->guid_conflict_count, 0);
		fabric_free(fabric);
	}
}

static void a_switch_that_moves_is_no_duplicate(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 60; at += 3) {
		int leaf = begin();
		int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
		int edge = node(NODE_TYPE_SWITCH, 0xe00, "edge");
		struct fabric *fabric;

		cable(leaf, 2, far, 1);
		cable(leaf, 3, edge, 1);
		net.move_at = at;
		net.move_from = (struct end){edge, 1};
		net.move_to = (struct end){far, 7};
		fabric = collect();
		assert_true(rows_of(fabric, 0xe00) <= 1);
		assert_int_equal(fabric->guid_conflict_count, 0);
		fabric_free(fabric);
	}
}

static void a_zero_guid_is_a_guid_like_any_other(void **state)
{
	int leaf = begin();
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, node(NODE_TYPE_CA, 0, "no-a"), 1);
	cable(leaf, 3, node(NODE_TYPE_CA, 0, "no-b"), 1);
	cable(leaf, 4, node(NODE_TYPE_CA, UINT64_MAX, "all"), 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0), 2);
	assert_int_equal(rows_of(fabric, UINT64_MAX), 1);
	fabric_free(fabric);
}

/* A leaf, two spines, and a switch with a host on ports 2 and 3 of them. */
static int begin_double(void)
{
	int leaf = begin();
	int a = node(NODE_TYPE_SWITCH, 0xa00, "spine-a");
	int b = node(NODE_TYPE_SWITCH, 0xb00, "spine-b");
	int far = node(NODE_TYPE_SWITCH, 0xf00, "far");

	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 1);
	cable(a, 2, far, 2);
	cable(b, 2, far, 3);
	cable(far, 1, node(NODE_TYPE_CA, 0xc00, "host"), 1);
	return far;
}

/* Whatever it calls its ports, the cables that were crossed say which they are. */
static void a_wrong_local_port_makes_no_devices_and_is_told(void **state)
{
	(void)state;
	for (int called = 0; called < PORTS; called++) {
		int far = begin_double();
		struct fabric *fabric;
		bool right_once = called == 2 || called == 3;

		net.nodes[far].misnumbers = true;
		net.nodes[far].called = called;
		fabric = collect();
		assert_int_equal(fabric->device_count, right_once ? 6 : 4);
		assert_int_equal(rows_of(fabric, 0xf00), right_once ? 1 : 0);
		assert_int_equal(links_of(fabric), right_once ? 6 : 3);
		assert_int_equal(fabric->guid_conflict_count, 0);
		assert_int_equal(fabric->hole_count, right_once ? 1 : 2);
		for (size_t i = 0; i < fabric->hole_count; i++) {
			assert_int_equal(fabric->holes[i].reason, HOLE_BAD_ANSWER);
			assert_int_equal(fabric->holes[i].attribute, ATTRIBUTE_NODE_INFO);
			assert_non_null(strstr(fabric->holes[i].text, "0x0000000000000f00"));
		}
		if (right_once)
			assert_true(fabric->holes[0].device->guid == 0xf00);
		assert_true(fabric->partial);
		fabric_free(fabric);
	}
}

static void right_local_ports_leave_no_hole(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_double();
	fabric = collect();
	assert_int_equal(fabric->device_count, 6);
	assert_int_equal(links_of(fabric), 6);
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(fabric);
}

static void a_host_that_calls_both_ports_one_is_no_duplicate(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, host, 2);
	cable(leaf, 3, host, 1);
	net.nodes[host].misnumbers = true;
	net.nodes[host].called = 1;
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xc00), 1);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_int_equal(fabric->hole_count, 1);
	assert_true(fabric->holes[0].device->guid == 0xc00);
	assert_non_null(strstr(fabric->holes[0].text, "leaf port 2"));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_ways_to_one_switch_are_one_switch),
		cmocka_unit_test(two_hosts_with_one_guid_are_two_rows),
		cmocka_unit_test(what_told_the_twins_apart_is_said),
		cmocka_unit_test(a_host_with_two_cables_is_one_host),
		cmocka_unit_test(two_hosts_with_two_cables_each_are_two),
		cmocka_unit_test(two_switches_cabled_alike_are_two),
		cmocka_unit_test(crossed_twins_are_four_switches),
		cmocka_unit_test(twins_beside_each_other_are_two),
		cmocka_unit_test(a_ring_of_equal_guids_ends),
		cmocka_unit_test(a_cable_back_to_its_switch_is_no_twin),
		cmocka_unit_test(the_second_port_of_the_local_host_is_its_own),
		cmocka_unit_test(a_twin_of_the_local_host_is_found),
		cmocka_unit_test(two_hosts_back_to_back_with_one_guid_are_two),
		cmocka_unit_test(a_cable_that_moves_is_no_duplicate),
		cmocka_unit_test(a_switch_that_moves_is_no_duplicate),
		cmocka_unit_test(a_zero_guid_is_a_guid_like_any_other),
		cmocka_unit_test(a_wrong_local_port_makes_no_devices_and_is_told),
		cmocka_unit_test(right_local_ports_leave_no_hole),
		cmocka_unit_test(a_host_that_calls_both_ports_one_is_no_duplicate),
	};

	return cmocka_run_group_tests_name("live_identity", tests, NULL, NULL);
}
