/*
 * Answers that get lost, and devices that call themselves otherwise each time: none
 * of it makes a twin, and every run ends.
 */
#include "tests/support/fake_net.h"

/* Every switch on two or more ways, and one host on two. */
static void begin_mesh(void)
{
	int leaf = begin();
	int spine[2], leaf_b, leaf_c;

	spine[0] = node(NODE_TYPE_SWITCH, 0xa00, "spine-a");
	spine[1] = node(NODE_TYPE_SWITCH, 0xb00, "spine-b");
	leaf_b = node(NODE_TYPE_SWITCH, 0xc00, "leaf-b");
	leaf_c = node(NODE_TYPE_SWITCH, 0xd00, "leaf-c");
	for (int i = 0; i < 2; i++) {
		cable(leaf, 2 + i, spine[i], 1);
		cable(leaf_b, 2 + i, spine[i], 2);
		cable(leaf_c, 2 + i, spine[i], 3);
	}
	cable(leaf_b, 5, node(NODE_TYPE_CA, 0xe00, "host-b"), 1);
	cable(leaf_c, 5, node(NODE_TYPE_CA, 0xf00, "host-c"), 1);
	cable(leaf_c, 6, net.count - 1, 2);
}

static void lost_answers_make_no_twins(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 24; seed++) {
		struct fabric *fabric;

		begin_mesh();
		net.seed = seed;
		net.loss = seed % 3 == 0 ? 50 : seed % 3 == 1 ? 250 : 400;
		fabric = collect();
		assert_int_equal(fabric->guid_conflict_count, 0);
		assert_true(fabric->device_count <= 8);
		/* Whatever is missing is told. */
		if (fabric->device_count < 8 || links_of(fabric) < 10)
			assert_true(fabric->partial);
		fabric_free(fabric);
	}
}

static void twins_are_found_though_answers_get_lost(void **state)
{
	unsigned found = 0;

	(void)state;
	for (unsigned seed = 1; seed <= 16; seed++) {
		struct fabric *fabric;

		begin_mesh();
		net.nodes[3].guid = net.nodes[2].guid;
		net.seed = seed;
		net.loss = 100;
		fabric = collect();
		assert_true(fabric->device_count <= 8);
		assert_true(rows_of(fabric, 0xa00) <= 2);
		if (rows_of(fabric, 0xa00) < 2)
			assert_true(fabric->partial);
		found += fabric->guid_conflict_count == 1;
		fabric_free(fabric);
	}
	assert_true(found >= 12);
}

/* Its driver answers at path 0, and nobody answers for it through the fabric. */
static void a_local_port_that_the_fabric_cannot_reach_leaves_holes(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_mesh();
	net.nodes[0].far_mute = true;
	fabric = collect();
	assert_int_equal(fabric->device_count, 8);
	assert_int_equal(links_of(fabric), 10);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_true(fabric->partial);
	assert_true(fabric->hole_count >= 1);
	for (size_t i = 0; i < fabric->hole_count; i++)
		assert_int_equal(fabric->holes[i].reason, HOLE_UNDECIDED);
	fabric_free(fabric);
}

static void a_local_port_of_another_name_through_the_fabric_is_the_local_port(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_mesh();
	net.nodes[0].far_guid = 0x1122334455667788;
	fabric = collect();
	assert_int_equal(fabric->device_count, 8);
	assert_int_equal(links_of(fabric), 10);
	assert_int_equal(fabric->guid_conflict_count, 0);
	fabric_free(fabric);
}

static void a_local_port_that_changes_its_guid_makes_no_twins(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_mesh();
	net.nodes[0].changes = true;
	fabric = collect();
	assert_int_equal(fabric->device_count, 8);
	assert_int_equal(links_of(fabric), 10);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_true(fabric->partial);
	fabric_free(fabric);
}

/* Only cables tell what it is; nobody around it is a twin for its sake. */
static void a_switch_that_changes_its_guid_is_one_row_and_a_hole(void **state)
{
	(void)state;
	for (int which = 1; which <= 5; which++) {
		struct fabric *fabric;

		begin_mesh();
		net.nodes[which].changes = true;
		fabric = collect();
		assert_int_equal(fabric->device_count, 8);
		assert_int_equal(links_of(fabric), 10);
		assert_int_equal(fabric->guid_conflict_count, 0);
		assert_int_equal(fabric->hole_count, 1);
		assert_non_null(strstr(fabric->holes[0].text, "names another GUID each time"));
		assert_true(fabric->partial);
		fabric_free(fabric);
	}
}

static void switches_that_all_change_their_guids_come_to_an_end(void **state)
{
	struct fabric *fabric;

	(void)state;
	for (int local = 0; local < 2; local++) {
		begin_mesh();
		for (int i = 1; i <= 5; i++)
			net.nodes[i].changes = true;
		net.nodes[0].far_mute = local == 1;
		fabric = collect();
		assert_int_equal(fabric->guid_conflict_count, 0);
		assert_true(fabric->partial);
		if (local == 0)
			assert_int_equal(fabric->device_count, 8);
		else
			assert_true(fabric->device_count < 80);
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lost_answers_make_no_twins),
		cmocka_unit_test(twins_are_found_though_answers_get_lost),
		cmocka_unit_test(a_local_port_that_the_fabric_cannot_reach_leaves_holes),
		cmocka_unit_test(a_local_port_of_another_name_through_the_fabric_is_the_local_port),
		cmocka_unit_test(a_local_port_that_changes_its_guid_makes_no_twins),
		cmocka_unit_test(a_switch_that_changes_its_guid_is_one_row_and_a_hole),
		cmocka_unit_test(switches_that_all_change_their_guids_come_to_an_end),
	};

	return cmocka_run_group_tests_name("live_silence", tests, NULL, NULL);
}
