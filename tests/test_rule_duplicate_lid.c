#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_duplicate_lid;

static void a_healthy_tree_passes(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);
	fabric_free(fabric);
}

static void two_active_ports_with_one_lid_are_one_finding_naming_both(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_port(build_device(fabric, "host-22"), 1)->info.lid = 12;

	audit = check_rule(&rule_duplicate_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	finding = finding_of(audit, "lid=12");
	assert_int_equal(finding->severity, SEVERITY_ERROR);
	assert_contains(finding->message, "host-12 port 1");
	assert_contains(finding->message, "host-22 port 1");
	assert_string_equal(evidence_of(finding, "lid"), "12");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_third_owner_makes_no_other_finding(void **state)
{
	struct fabric *two = build_tree();
	struct fabric *three = build_tree();
	struct audit *before;
	struct audit *now;
	struct err err = {0};

	(void)state;
	build_port(build_device(two, "host-22"), 1)->info.lid = 12;
	build_port(build_device(three, "host-22"), 1)->info.lid = 12;
	build_port(build_device(three, "host-11"), 1)->info.lid = 12;
	before = check_rule(&rule_duplicate_lid, two, NULL);
	now = check_rule(&rule_duplicate_lid, three, NULL);

	assert_int_equal(audit_compare(now, before, NULL, three, &err), 0);

	assert_int_equal(now->finding_count, 1);
	assert_int_equal(now->findings[0].status, FINDING_STILL);
	assert_contains(now->findings[0].message,
			"LID 12 belongs to 3 ports: host-11 port 1, host-12 port 1 and host-22 port 1");
	assert_contains(evidence_of(&now->findings[0], "ports"), "host-22");
	audit_free(now);
	audit_free(before);
	fabric_free(three);
	fabric_free(two);
}

static void a_stranger_beside_twins_shares_their_lid(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, build_ca(fabric, 0x1015, 1, 21, "host-21"), 1);
	build_port(build_device(fabric, "host-22"), 1)->info.lid = 21;

	audit = check_rule(&rule_duplicate_lid, fabric, NULL);

	assert_contains(only_finding(audit, "lid=21", SEVERITY_ERROR)->message, "both host-21");
	audit_free(audit);
	fabric_free(fabric);
}

static void down_ports_with_65535_or_0_share_nothing(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_unlink(build_device(fabric, "host-21"), 1);
	build_unlink(build_device(fabric, "host-22"), 1);
	build_port(build_device(fabric, "host-21"), 1)->info.lid = 0xffff;
	build_port(build_device(fabric, "host-22"), 1)->info.lid = 0xffff;
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);
	build_port(build_device(fabric, "host-21"), 1)->info.lid = 0;
	build_port(build_device(fabric, "host-22"), 1)->info.lid = 0;
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);
	fabric_free(fabric);
}

static void the_leftover_lid_of_a_down_port_belongs_to_nobody(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_unlink(build_device(fabric, "host-21"), 1);
	build_port(build_device(fabric, "host-21"), 1)->info.lid = 12;
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);
	fabric_free(fabric);
}

static void overlapping_lmc_ranges_are_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *wide = build_port(build_device(fabric, "host-21"), 1);
	struct port *other = build_port(build_device(fabric, "host-22"), 1);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	wide->info.lid = 32;
	wide->info.lmc = 3;
	other->info.lid = 36;
	other->info.lmc = 2;

	audit = check_rule(&rule_duplicate_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	finding = finding_of(audit, "lid=36");
	assert_string_equal(evidence_of(finding, "lids"), "36-39");
	audit_free(audit);

	other->info.lid = 40;
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);
	fabric_free(fabric);
}

static void a_switch_and_a_host_can_share_a_lid_too(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	build_port(build_device(fabric, "spine-1"), 0)->info.lid = 21;

	audit = check_rule(&rule_duplicate_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_contains(audit->findings[0].message, "spine-1 port 0");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_other_rail_of_a_host_has_lids_of_its_own(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *host = build_ca(fabric, 0x5000, 2, 30, "two-rails");

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, host, 1);
	host->ports[2]->info.port_state = 4;
	host->ports[2]->info.lid = 12;
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);
	fabric_free(fabric);
}

static void twins_under_one_guid_are_left_to_duplicate_guid(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, build_ca(fabric, 0x1015, 1, 21, "host-21"), 1);
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);
	fabric_free(fabric);
}

static void the_planes_of_one_port_share_its_lid(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *host = build_ca(fabric, 0x5000, 2, 30, "two-planes");
	struct audit *audit;

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, host, 1);
	build_link(build_device(fabric, "spine-2"), 3, host, 2);
	host->ports[2]->info.lid = 30;
	host->ports[2]->guid = host->ports[1]->guid;
	assert_rule_passes(&rule_duplicate_lid, fabric, NULL);

	host->ports[2]->guid = 0x5002;
	audit = check_rule(&rule_duplicate_lid, fabric, NULL);
	assert_int_equal(audit->finding_count, 1);
	audit_free(audit);
	fabric_free(fabric);
}

static void many_shared_lids_are_one_finding(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf = build_switch(fabric, 0x10, 60, 1, "leaf");
	struct audit *audit;

	(void)state;
	for (unsigned i = 0; i < 60; i++)
		build_link(leaf, i + 1, build_ca(fabric, 0x1000 + 16 * i, 1, 2 + i / 2, "h"), 1);

	audit = check_rule(&rule_duplicate_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_contains(finding_of(audit, "lid=*")->message, "30 places");
	audit_free(audit);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_tree_passes),
		cmocka_unit_test(two_active_ports_with_one_lid_are_one_finding_naming_both),
		cmocka_unit_test(a_third_owner_makes_no_other_finding),
		cmocka_unit_test(a_stranger_beside_twins_shares_their_lid),
		cmocka_unit_test(down_ports_with_65535_or_0_share_nothing),
		cmocka_unit_test(the_leftover_lid_of_a_down_port_belongs_to_nobody),
		cmocka_unit_test(overlapping_lmc_ranges_are_one_finding),
		cmocka_unit_test(a_switch_and_a_host_can_share_a_lid_too),
		cmocka_unit_test(the_other_rail_of_a_host_has_lids_of_its_own),
		cmocka_unit_test(twins_under_one_guid_are_left_to_duplicate_guid),
		cmocka_unit_test(the_planes_of_one_port_share_its_lid),
		cmocka_unit_test(many_shared_lids_are_one_finding),
	};

	return cmocka_run_group_tests_name("rule_duplicate_lid", tests, NULL, NULL);
}
