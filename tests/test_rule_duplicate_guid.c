#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_duplicate_guid;

static void a_healthy_tree_passes(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_duplicate_guid, fabric, NULL);
	fabric_free(fabric);
}

static void two_rows_with_one_guid_are_told_with_both_places(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *twin = build_ca(fabric, 0x1015, 1, 0, "host-21");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, twin, 1);
	twin->place = fabric_text(fabric, "DR path 0,3,3", 13);

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_int_equal(finding->node_guid, 0x1015);
	assert_contains(finding->message, "leaf-2 port 1");
	assert_contains(finding->message, "spine-1 port 3");
	assert_contains(evidence_of(finding, "place_1"), "leaf-2 port 1");
	assert_contains(evidence_of(finding, "place_2"), "DR path 0,3,3");
	audit_free(audit);
	fabric_free(fabric);
}

static void three_of_a_kind_are_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_switch(fabric, 0x1001, 4, 0, "leaf-1");
	build_switch(fabric, 0x1001, 4, 0, "leaf-1");

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_contains(finding->message, "has 3 owners: one behind ");
	assert_contains(finding->remedy, "all but one of the 3");
	assert_string_equal(evidence_of(finding, "devices"), "3");
	evidence_of(finding, "place_3");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_twin_switch_is_behind_a_switch_and_not_behind_its_host(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *twin = build_switch(fabric, 0x1001, 4, 0, "leaf-1");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_link(twin, 1, build_ca(fabric, 0x5000, 1, 50, "host-50"), 1);
	build_link(twin, 3, build_device(fabric, "spine-2"), 3);

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_contains(finding->message, "one behind spine-1 port 1, one behind spine-2 port 3");
	audit_free(audit);
	fabric_free(fabric);
}

static void one_port_guid_on_three_devices_has_three_owners(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_port(build_device(fabric, "host-22"), 1)->guid = 0x1016;
	build_port(build_device(fabric, "host-11"), 1)->guid = 0x1016;

	audit = expect_one(&rule_duplicate_guid, fabric, "port-guid=0x0000000000001016",
			   SEVERITY_CRITICAL, &finding);

	assert_contains(finding->message, "has 3 owners");
	assert_contains(finding->message, "leaf-1 port 1");
	assert_contains(finding->message, "leaf-2 port 2");
	evidence_of(finding, "place_3");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_conflict_the_collector_met_is_critical(void **state)
{
	struct fabric *fabric = build_tree();
	struct guid_conflict *conflict = fabric_guid_conflict_add(fabric);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	conflict->guid = 0x1015;
	conflict->place_a = build_port(build_device(fabric, "leaf-2"), 1);
	conflict->place_b = build_port(build_device(fabric, "spine-2"), 4);
	conflict->source = 1;

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_int_equal(finding->node_guid, 0x1015);
	assert_contains(evidence_of(finding, "reached_from_1"), "leaf-2");
	assert_contains(evidence_of(finding, "reached_from_2"), "spine-2");
	audit_free(audit);
	fabric_free(fabric);
}

static void one_port_seen_behind_two_others_is_proof(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *host = build_port(build_device(fabric, "host-21"), 1);
	struct port *other = build_port(build_device(fabric, "spine-1"), 3);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	fabric->live = false;
	other->peer = host;
	other->source_of[ATTRIBUTE_NEIGHBOR] = 1;

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_contains(finding->message, "leaf-2 port 1");
	assert_contains(finding->message, "spine-1 port 3");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_word_of_two_files_for_one_cable_is_no_proof(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *host = build_port(build_device(fabric, "host-21"), 1);
	struct port *other = build_port(build_device(fabric, "spine-1"), 3);

	(void)state;
	fabric_source_add(fabric, SOURCE_FILE, "older.topo", "ibnetdiscover");
	other->peer = host;
	other->source_of[ATTRIBUTE_NEIGHBOR] = 2;
	assert_rule_passes(&rule_duplicate_guid, fabric, NULL);
	fabric_free(fabric);
}

static void one_port_guid_on_two_devices_is_critical(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_port(build_device(fabric, "host-22"), 1)->guid = 0x1016;

	audit = expect_one(&rule_duplicate_guid, fabric, "port-guid=0x0000000000001016",
			   SEVERITY_CRITICAL, &finding);

	assert_contains(evidence_of(finding, "place_1"), "host-21");
	assert_contains(evidence_of(finding, "place_2"), "host-22");
	audit_free(audit);
	fabric_free(fabric);
}

/* A conflict of port GUIDs as a reader of files met it. */
static void add_port_conflict(struct fabric *fabric, uint64_t guid)
{
	struct guid_conflict *conflict = fabric_guid_conflict_add(fabric);

	conflict->guid = guid;
	conflict->is_port_guid = true;
	conflict->source = 1;
}

static void twins_whose_port_guid_is_their_node_guid_are_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *twin = build_ca(fabric, 0x1015, 1, 0, "other");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_port(build_device(fabric, "host-21"), 1)->guid = 0x1015;
	build_port(twin, 1)->guid = 0x1015;
	add_port_conflict(fabric, 0x1015);

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	audit_free(audit);
	fabric_free(fabric);
}

static void twins_with_a_port_guid_of_another_number_are_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_ca(fabric, 0x1015, 1, 0, "other");
	add_port_conflict(fabric, 0x1016);

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	audit_free(audit);
	fabric_free(fabric);
}

static void a_third_device_with_the_port_guid_of_twins_is_a_second_finding(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	build_ca(fabric, 0x1015, 1, 0, "other");
	build_port(build_device(fabric, "host-22"), 1)->guid = 0x1016;

	audit = check_rule(&rule_duplicate_guid, fabric, NULL);

	assert_int_equal(audit->finding_count, 2);
	finding_of(audit, "node-guid");
	finding_of(audit, "port-guid=0x0000000000001016");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_shared_system_image_guid_is_normal(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++)
		fabric->devices[i]->system_image_guid = 0x1001;
	assert_rule_passes(&rule_duplicate_guid, fabric, NULL);
	fabric_free(fabric);
}

static void a_port_guid_equal_to_its_node_guid_is_normal(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_port(build_device(fabric, "host-22"), 1)->guid = 0x1016;
	build_port(build_device(fabric, "host-21"), 1)->guid = 0x1015;
	assert_rule_passes(&rule_duplicate_guid, fabric, NULL);
	fabric_free(fabric);
}

static void a_ca_with_two_ports_in_the_fabric_is_normal(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *host = build_ca(fabric, 0x5000, 2, 30, "two-ports");

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, host, 1);
	build_link(build_device(fabric, "spine-2"), 3, host, 2);
	assert_rule_passes(&rule_duplicate_guid, fabric, NULL);
	fabric_free(fabric);
}

static struct log_event *add_0d01(struct fabric *fabric)
{
	struct log_event *event = build_log_event(fabric, LOG_DUPLICATE_NODE_GUID, NULL, 812);

	event->guid = 0x1015;
	event->port = 1;
	event->guid_a = 0x1002;
	event->port_a = 1;
	event->guid_b = 0x1003;
	event->port_b = 3;
	event->count = 412;
	return event;
}

static void the_log_is_proof_for_a_fabric_read_from_files(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	fabric->live = false;
	add_0d01(fabric);

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_contains(evidence_of(finding, "log_reached_from_1"), "leaf-2");
	assert_contains(evidence_of(finding, "log_reached_from_2"), "port 3");
	assert_string_equal(finding->source, "opensm.log:812");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_log_against_a_live_scan_that_met_one_owner_is_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_0d01(fabric);

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_WARNING, &finding);

	assert_contains(evidence_of(finding, "now"), "one owner");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_log_line_without_two_ends_may_be_a_moved_cable(void **state)
{
	struct fabric *fabric = build_tree();
	struct log_event *event;
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	fabric->live = false;
	event = add_0d01(fabric);
	event->guid_b = event->guid_a;
	event->port_b = event->port_a;

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_WARNING, &finding);

	audit_free(audit);
	fabric_free(fabric);
}

static void rows_and_log_of_one_guid_are_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_0d01(fabric);
	build_ca(fabric, 0x1015, 1, 0, "host-21");

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_string_equal(evidence_of(finding, "log_lines"), "412");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_guid_that_only_the_log_knows_is_named_by_its_number(void **state)
{
	struct fabric *fabric = build_fabric();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	fabric->live = false;
	add_0d01(fabric);

	audit = expect_one(&rule_duplicate_guid, fabric, "node-guid",
			   SEVERITY_CRITICAL, &finding);

	assert_string_equal(finding->subject, "0x0000000000001015");
	assert_int_equal(finding->node_guid, 0x1015);
	audit_free(audit);
	fabric_free(fabric);
}

static void files_keyed_by_guid_can_hide_an_owner_and_that_is_said(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->live = false;
	assert_rule_verdict(&rule_duplicate_guid, fabric, NULL, VERDICT_PASS, "can hide");
	fabric_free(fabric);
}

static void without_devices_it_is_not_checked(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	assert_rule_verdict(&rule_duplicate_guid, fabric, NULL, VERDICT_NOT_CHECKED, "no device");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_tree_passes),
		cmocka_unit_test(two_rows_with_one_guid_are_told_with_both_places),
		cmocka_unit_test(three_of_a_kind_are_one_finding),
		cmocka_unit_test(a_twin_switch_is_behind_a_switch_and_not_behind_its_host),
		cmocka_unit_test(one_port_guid_on_three_devices_has_three_owners),
		cmocka_unit_test(a_conflict_the_collector_met_is_critical),
		cmocka_unit_test(one_port_seen_behind_two_others_is_proof),
		cmocka_unit_test(the_word_of_two_files_for_one_cable_is_no_proof),
		cmocka_unit_test(one_port_guid_on_two_devices_is_critical),
		cmocka_unit_test(twins_whose_port_guid_is_their_node_guid_are_one_finding),
		cmocka_unit_test(twins_with_a_port_guid_of_another_number_are_one_finding),
		cmocka_unit_test(a_third_device_with_the_port_guid_of_twins_is_a_second_finding),
		cmocka_unit_test(a_shared_system_image_guid_is_normal),
		cmocka_unit_test(a_port_guid_equal_to_its_node_guid_is_normal),
		cmocka_unit_test(a_ca_with_two_ports_in_the_fabric_is_normal),
		cmocka_unit_test(the_log_is_proof_for_a_fabric_read_from_files),
		cmocka_unit_test(the_log_against_a_live_scan_that_met_one_owner_is_a_warning),
		cmocka_unit_test(a_log_line_without_two_ends_may_be_a_moved_cable),
		cmocka_unit_test(rows_and_log_of_one_guid_are_one_finding),
		cmocka_unit_test(a_guid_that_only_the_log_knows_is_named_by_its_number),
		cmocka_unit_test(files_keyed_by_guid_can_hide_an_owner_and_that_is_said),
		cmocka_unit_test(without_devices_it_is_not_checked),
	};

	return cmocka_run_group_tests_name("rule_duplicate_guid", tests, NULL, NULL);
}
