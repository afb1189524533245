/* lost-lid where routes lead to what was not read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_lost_lid;

static void a_route_to_a_port_whose_lid_was_not_read_is_not_stale(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_port(build_device(fabric, "host-21"), 1)->info.lid = FIELD_UNKNOWN;
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_PASS,
			    "1 LID with routes may belong to end ports whose LID was not read");
	fabric_free(fabric);
}

static void a_route_to_a_device_that_gave_no_answer_is_not_stale(void **state)
{
	struct fabric *fabric = build_tree();
	struct hole *hole = fabric_hole_add(fabric);

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 7, 1);
	hole->attribute = ATTRIBUTE_NODE_INFO;
	hole->reason = HOLE_TIMEOUT;
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_PASS, "devices that were not read");
	fabric_free(fabric);
}

static void a_route_to_a_second_lid_of_a_port_is_not_stale_when_its_lmc_was_not_read(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 13, 2);
	build_port(build_device(fabric, "host-12"), 1)->info.lmc = FIELD_UNKNOWN;
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_PASS, "whose LMC was not read");
	fabric_free(fabric);
}

static void a_lid_that_no_lmc_can_reach_is_stale_though_the_lmc_was_not_read(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	/* host-12 has LID 12, so 13 to 15 may be its own too, and 16 not. */
	build_port(build_device(fabric, "host-12"), 1)->info.lmc = FIELD_UNKNOWN;
	build_route(build_device(fabric, "leaf-1"), 15, 2);
	build_route(build_device(fabric, "leaf-1"), 16, 2);
	audit = expect_one(&rule_lost_lid, fabric, "stale", SEVERITY_INFO, &finding);
	assert_string_equal(evidence_of(finding, "lids"), "16");
	audit_free(audit);
	fabric_free(fabric);
}

/* The tree as files tell it that list every cable: ports without one are not there. */
static struct fabric *tree_of_files(void)
{
	struct fabric *fabric = build_tree();

	fabric->live = false;
	fabric->asked |= 1u << ATTRIBUTE_NEIGHBOR;
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t num = 1; num < device->port_slots; num++)
			device->ports[num]->info.port_state = FIELD_UNKNOWN;
	}
	return fabric;
}

static void a_route_out_of_a_port_without_a_cable_loses_the_lid(void **state)
{
	struct fabric *fabric = tree_of_files();
	struct device *spine = build_device(fabric, "spine-1");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	build_route(spine, 11, 3);

	audit = check_rule(&rule_lost_lid, fabric, NULL);
	finding = only_finding(audit, "unroutable:no-cable", SEVERITY_ERROR);

	assert_int_equal(finding->port, 3);
	assert_int_equal(finding->node_guid, spine->guid);
	assert_contains(finding->message, "spine-1 port 3 has no cable");
	assert_contains(finding->message, "LID 11");
	audit_free(audit);
	fabric_free(fabric);
}

static void where_cables_may_be_missing_such_a_route_is_not_judged(void **state)
{
	(void)state;
	for (int why = 0; why < 3; why++) {
		struct fabric *fabric = tree_of_files();

		build_route(build_device(fabric, "spine-1"), 11, 3);
		if (why == 0) {
			fabric->asked &= ~(1u << ATTRIBUTE_NEIGHBOR);
		} else if (why == 1) {
			build_device(fabric, "host-21")->info.num_ports = FIELD_UNKNOWN;
		} else {
			struct hole *hole = fabric_hole_add(fabric);

			hole->attribute = ATTRIBUTE_NODE_INFO;
			hole->reason = HOLE_TIMEOUT;
		}
		assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_NOT_CHECKED,
				    "cannot be followed");
		fabric_free(fabric);
	}
}

static void without_tables_the_rule_is_not_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		fabric->devices[i]->lft = NULL;
		fabric->devices[i]->lft_size = 0;
	}
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_NOT_CHECKED,
			    "forwarding tables were not captured");
	fabric_free(fabric);
}

static void a_switch_without_its_table_is_left_out_and_said(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->devices[2]->lft = NULL;
	fabric->devices[2]->lft_size = 0;
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_NOT_CHECKED,
			    "1 of 4 switches gave no forwarding table");
	fabric_free(fabric);
}

static void a_way_into_the_unknown_is_not_judged(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");

	(void)state;
	leaf->ports[3]->peer->peer = NULL;
	leaf->ports[3]->peer = NULL;
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_NOT_CHECKED, "cannot be followed");
	fabric_free(fabric);
}

static void a_block_that_was_not_read_is_not_judged(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");

	(void)state;
	leaf->lft_blocks[0] = 0;
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_NOT_CHECKED, "cannot be followed");
	fabric_free(fabric);
}

static void tables_without_cabling_still_show_missing_entries(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf = build_switch(fabric, 0x10, 200, 1, "q3-leaf");
	struct device *spine = build_switch(fabric, 0x20, 200, 3, "q3-spine");
	uint8_t no_path[64];
	struct audit *audit;

	(void)state;
	build_ca(fabric, 0xa0, 1, 2, "host")->ports[1]->info.port_state = FIELD_UNKNOWN;
	build_ca(fabric, 0xb0, 1, 17, "gateway")->ports[1]->info.port_state = FIELD_UNKNOWN;
	for (unsigned num = 1; num <= 200; num++) {
		leaf->ports[num]->info.port_state = FIELD_UNKNOWN;
		spine->ports[num]->info.port_state = FIELD_UNKNOWN;
	}
	memset(no_path, 255, sizeof(no_path));
	assert_true(device_lft_reserve(fabric, leaf, 64) && device_lft_reserve(fabric, spine, 64));
	lft_set_block(leaf, 0, no_path);
	lft_set_block(spine, 0, no_path);
	leaf->sw.linear_fdb_top = 17;
	spine->sw.linear_fdb_top = 17;
	build_route(leaf, 1, 0);
	build_route(leaf, 2, 200);
	build_route(leaf, 3, 144);
	build_route(leaf, 5, 144);
	build_route(leaf, 17, 144);
	build_route(spine, 1, 5);
	build_route(spine, 3, 0);

	audit = check_rule(&rule_lost_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 3);
	assert_contains(evidence_of(finding_of(audit, "unroutable:lid=2"), "switch"), "q3-spine");
	assert_contains(evidence_of(finding_of(audit, "unroutable:lid=17"), "switch"), "q3-spine");
	assert_string_equal(evidence_of(finding_of(audit, "stale"), "lids"), "5");
	audit_free(audit);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_route_to_a_port_whose_lid_was_not_read_is_not_stale),
		cmocka_unit_test(a_route_to_a_device_that_gave_no_answer_is_not_stale),
		cmocka_unit_test(a_route_to_a_second_lid_of_a_port_is_not_stale_when_its_lmc_was_not_read),
		cmocka_unit_test(a_lid_that_no_lmc_can_reach_is_stale_though_the_lmc_was_not_read),
		cmocka_unit_test(a_route_out_of_a_port_without_a_cable_loses_the_lid),
		cmocka_unit_test(where_cables_may_be_missing_such_a_route_is_not_judged),
		cmocka_unit_test(without_tables_the_rule_is_not_checked),
		cmocka_unit_test(a_switch_without_its_table_is_left_out_and_said),
		cmocka_unit_test(a_way_into_the_unknown_is_not_judged),
		cmocka_unit_test(a_block_that_was_not_read_is_not_judged),
		cmocka_unit_test(tables_without_cabling_still_show_missing_entries),
	};

	return cmocka_run_group_tests_name("rule_lost_lid_unread", tests, NULL, NULL);
}
