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

/* Runs the rule and expects one finding with this discriminator; the caller frees the audit. */
static void an_entry_of_255_loses_the_lid(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 21, 255);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=21",
			   SEVERITY_ERROR, &finding);

	assert_int_equal(finding->severity, SEVERITY_ERROR);
	assert_int_equal(finding->node_guid, 0x1015);
	assert_int_equal(finding->port, 1);
	assert_string_equal(evidence_of(finding, "lid"), "21");
	assert_contains(evidence_of(finding, "switch"), "leaf-1");
	assert_contains(evidence_of(finding, "switch"), "no entry");
	assert_string_equal(evidence_of(finding, "cut_off"), "hosts on 1 of 2 switches with hosts");
	audit_free(audit);
	fabric_free(fabric);
}

static void an_entry_above_num_ports_loses_the_lid(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 21, 77);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=21",
			   SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "NumPorts");
	assert_contains(evidence_of(finding, "switch"), "entry 77");
	audit_free(audit);
	fabric_free(fabric);
}

static void entries_for_a_down_port_are_one_finding_of_that_port(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 21, 3);
	build_route(build_device(fabric, "leaf-1"), 22, 3);
	build_route(build_device(fabric, "leaf-1"), 2, 3);
	build_route(build_device(fabric, "leaf-1"), 3, 4);
	build_route(build_device(fabric, "leaf-2"), 3, 1);
	build_unlink(build_device(fabric, "leaf-1"), 3);
	/* What came down that cable goes another way; only leaf-1 was not rewritten. */
	for (unsigned lid = 1; lid <= 12; lid++) {
		if (lid == 1 || lid >= 11) {
			build_route(build_device(fabric, "leaf-2"), lid, 4);
			build_route(build_device(fabric, "spine-1"), lid, 2);
		}
	}
	build_route(build_device(fabric, "leaf-2"), 3, 3);
	build_route(build_device(fabric, "spine-2"), 3, 2);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:down-port",
			   SEVERITY_ERROR, &finding);

	assert_string_equal(finding->subject, "leaf-1 port 3");
	assert_string_equal(evidence_of(finding, "lids"), "2, 21-22");
	assert_string_equal(evidence_of(finding, "entry"), "3");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_lid_above_linear_fdb_top_is_lost(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_device(fabric, "spine-1")->sw.linear_fdb_top = 21;
	build_route(build_device(fabric, "leaf-1"), 22, 3);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=22",
			   SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "LinearFDBTop");
	audit_free(audit);
	fabric_free(fabric);
}

static void entries_above_linear_fdb_top_are_undefined(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");

	(void)state;
	for (unsigned lid = 23; lid < 64; lid++)
		build_route(leaf, lid, lid % 2 ? 255 : 99);
	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	fabric_free(fabric);
}

static void a_loop_is_told_with_its_hops(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 21, 3);
	build_route(build_device(fabric, "spine-1"), 21, 1);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=21",
			   SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "loop");
	assert_string_equal(evidence_of(finding, "loop"), "leaf-1 port 3, spine-1 port 1");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_lid_delivered_to_another_host_is_lost(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "leaf-2"), 21, 2);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=21",
			   SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "another device");
	assert_string_equal(evidence_of(finding, "cut_off"), "hosts on 2 of 2 switches with hosts");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_lid_that_ends_in_the_port_0_of_a_wrong_switch_is_lost(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "spine-2"), 12, 0);
	build_route(build_device(fabric, "leaf-2"), 12, 3);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=12",
			   SEVERITY_ERROR, &finding);

	assert_contains(evidence_of(finding, "switch"), "spine-2");
	assert_string_equal(evidence_of(finding, "cut_off"), "hosts on 0 of 2 switches with hosts");
	audit_free(audit);
	fabric_free(fabric);
}

static void every_lid_of_an_lmc_range_must_be_routed(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "host-22"), 1);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	port->info.lid = 32;
	port->info.lmc = 2;
	build_routes(fabric);
	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	build_route(build_device(fabric, "leaf-1"), 34, 255);
	build_route(build_device(fabric, "leaf-1"), 35, 255);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=34",
			   SEVERITY_ERROR, &finding);

	assert_string_equal(evidence_of(finding, "lids"), "34-35");
	assert_contains(finding->message, "LIDs 34 to 35 of host-22 port 1");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_host_that_claims_more_lids_condemns_no_switch(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "host-22"), 1);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	/* The routes are those of one LID a port: LIDs 23 to 149 are this port's own idea. */
	port->info.lmc = 7;

	audit = expect_one(&rule_lost_lid, fabric, "lmc-range", SEVERITY_WARNING, &finding);

	assert_contains(finding->message, "host-22 port 1 has LMC 7 where most ports have 0");
	assert_string_equal(evidence_of(finding, "lids"), "23-149");
	audit_free(audit);

	/* Of all ports: then the SM meant it, and the routes are what is missing. */
	for (size_t i = 0; i < fabric->device_count; i++) {
		if (fabric->devices[i]->type == NODE_TYPE_CA)
			build_port(fabric->devices[i], 1)->info.lmc = 7;
	}
	audit = check_rule(&rule_lost_lid, fabric, NULL);
	assert_true(audit->finding_count > 0);
	for (size_t i = 0; i < audit->finding_count; i++) {
		assert_string_not_equal(audit->findings[i].discriminator, "lmc-range");
		assert_null(strstr(audit->findings[i].message, "no routes were ever written"));
	}
	audit_free(audit);
	fabric_free(fabric);
}

static void a_switch_lid_missing_in_a_switch_without_hosts_is_healthy(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_route(build_device(fabric, "spine-1"), 4, 255);
	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	fabric_free(fabric);
}

static void a_switch_lid_that_a_host_cannot_reach_is_lost(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 2, 3);
	build_route(build_device(fabric, "spine-1"), 2, 255);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=2",
			   SEVERITY_ERROR, &finding);

	assert_contains(evidence_of(finding, "switch"), "spine-1");
	assert_string_equal(finding->subject, "leaf-2 port 0");
	audit_free(audit);
	fabric_free(fabric);
}

static void an_aggregation_node_does_not_make_its_switch_a_leaf(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *spine = build_device(fabric, "spine-1");
	struct device *node = build_ca(fabric, 0x4000, 1, 30, "Aggregation Node");
	const struct finding *finding;

	(void)state;
	node->system_image_guid = spine->system_image_guid;
	build_link(spine, 4, node, 1);
	build_routes(fabric);
	build_route(spine, 4, 255);
	assert_rule_passes(&rule_lost_lid, fabric, NULL);

	node->system_image_guid = node->guid;
	audit_free(expect_one(&rule_lost_lid, fabric, "unroutable:lid=4", SEVERITY_ERROR, &finding));
	fabric_free(fabric);
}

static void a_switch_that_lost_everything_is_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	memset(leaf->lft, 255, leaf->lft_size);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:switch",
			   SEVERITY_ERROR, &finding);

	assert_int_equal(finding->node_guid, 0x1001);
	assert_string_equal(evidence_of(finding, "lids"), "1-4, 11-12, 21-22");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_fabric_whose_tables_are_all_empty_is_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		memset(fabric->devices[i]->lft, 255, fabric->devices[i]->lft_size);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:switch",
			   SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "all 4 switches");
	audit_free(audit);
	fabric_free(fabric);
}

static void tables_that_no_engine_could_write_are_told_by_another_rule(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	for (size_t i = 0; i < 4; i++)
		memset(fabric->devices[i]->lft, 255, fabric->devices[i]->lft_size);
	build_option(fabric, "lmc", "2", 1);
	build_option(fabric, "routing_engine", "ftree,no_fallback", 2);
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_PASS, "lmc-with-fat-tree");
	fabric_free(fabric);
}

static void many_lids_lost_at_one_switch_are_one_finding(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf[2];
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	leaf[0] = build_switch(fabric, 0x100, 40, 1, "leaf-a");
	leaf[1] = build_switch(fabric, 0x200, 40, 2, "leaf-b");
	build_link(leaf[0], 40, leaf[1], 40);
	for (unsigned i = 0; i < 30; i++)
		build_link(leaf[i % 2], 1 + i / 2,
			   build_ca(fabric, 0x1000 + 16 * i, 1, 10 + i, "h"), 1);
	build_routes(fabric);
	build_sm(fabric, leaf[0]->ports[1]->peer, 3, 4);
	for (unsigned lid = 11; lid < 30; lid += 2)
		build_route(leaf[0], lid, 255);

	audit = expect_one(&rule_lost_lid, fabric, "unroutable:lid=*",
			   SEVERITY_ERROR, &finding);

	assert_int_equal(finding->node_guid, 0x100);
	assert_contains(finding->message, "10 LIDs");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_stale_route_is_worth_an_info_at_most(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_route(build_device(fabric, "leaf-1"), 17, 3);
	build_route(build_device(fabric, "spine-1"), 17, 255);

	audit = expect_one(&rule_lost_lid, fabric, "stale", SEVERITY_INFO, &finding);

	assert_int_equal(finding->severity, SEVERITY_INFO);
	assert_string_equal(evidence_of(finding, "lids"), "17");
	audit_free(audit);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_of_255_loses_the_lid),
		cmocka_unit_test(an_entry_above_num_ports_loses_the_lid),
		cmocka_unit_test(entries_for_a_down_port_are_one_finding_of_that_port),
		cmocka_unit_test(a_lid_above_linear_fdb_top_is_lost),
		cmocka_unit_test(entries_above_linear_fdb_top_are_undefined),
		cmocka_unit_test(a_loop_is_told_with_its_hops),
		cmocka_unit_test(a_lid_delivered_to_another_host_is_lost),
		cmocka_unit_test(a_lid_that_ends_in_the_port_0_of_a_wrong_switch_is_lost),
		cmocka_unit_test(every_lid_of_an_lmc_range_must_be_routed),
		cmocka_unit_test(a_host_that_claims_more_lids_condemns_no_switch),
		cmocka_unit_test(a_switch_lid_missing_in_a_switch_without_hosts_is_healthy),
		cmocka_unit_test(a_switch_lid_that_a_host_cannot_reach_is_lost),
		cmocka_unit_test(an_aggregation_node_does_not_make_its_switch_a_leaf),
		cmocka_unit_test(a_switch_that_lost_everything_is_one_finding),
		cmocka_unit_test(a_fabric_whose_tables_are_all_empty_is_one_finding),
		cmocka_unit_test(tables_that_no_engine_could_write_are_told_by_another_rule),
		cmocka_unit_test(many_lids_lost_at_one_switch_are_one_finding),
		cmocka_unit_test(a_stale_route_is_worth_an_info_at_most),
	};

	return cmocka_run_group_tests_name("rule_lost_lid_routes", tests, NULL, NULL);
}
