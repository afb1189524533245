#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_lost_lid;

static void a_healthy_tree_passes(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	fabric_free(fabric);
}

static void a_healthy_tree_passes_against_its_own_baseline(void **state)
{
	struct fabric *before = build_tree();
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_lost_lid, fabric, before);
	fabric_free(fabric);
	fabric_free(before);
}

/* Takes the LID of host-21 away, entries and all. */
static struct port *bare_host_21(struct fabric *fabric, int64_t lid)
{
	struct port *port = build_port(build_device(fabric, "host-21"), 1);

	port->info.lid = lid;
	for (size_t i = 0; i < 4; i++)
		build_route(fabric->devices[i], 21, 255);
	return port;
}

static void an_active_port_with_lid_0_is_lost(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	bare_host_21(fabric, 0);

	audit = check_rule(&rule_lost_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	finding = finding_of(audit, "unassigned");
	assert_int_equal(finding->severity, SEVERITY_ERROR);
	assert_int_equal(finding->node_guid, 0x1015);
	assert_int_equal(finding->port, 1);
	assert_string_equal(evidence_of(finding, "neighbor"), "leaf-2 port 1");
	audit_free(audit);
	fabric_free(fabric);
}

static void lid_65535_on_an_active_port_was_never_assigned(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	bare_host_21(fabric, 0xffff);

	audit = check_rule(&rule_lost_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_contains(finding_of(audit, "unassigned")->message, "65535");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_down_port_owes_no_lid(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port;

	(void)state;
	port = bare_host_21(fabric, 0xffff);
	build_unlink(port->device, 1);
	assert_rule_passes(&rule_lost_lid, fabric, NULL);

	port->info.lid = 0;
	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	fabric_free(fabric);
}

static void an_external_switch_port_has_lid_0_by_design(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_port(build_device(fabric, "leaf-1"), 1)->info.lid = 0;
	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	fabric_free(fabric);
}

static void a_base_port_0_without_a_lid_is_lost(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	build_port(build_device(fabric, "spine-1"), 0)->info.lid = 0;
	build_port(build_device(fabric, "spine-1"), 0)->info.port_state = 0;
	for (size_t i = 0; i < 4; i++)
		build_route(fabric->devices[i], 3, 255);

	audit = check_rule(&rule_lost_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_string_equal(finding_of(audit, "unassigned")->subject, "spine-1 port 0");
	audit_free(audit);
	fabric_free(fabric);
}

static void an_init_port_without_a_lid_is_lost_where_a_master_works(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port;
	struct audit *audit;

	(void)state;
	port = bare_host_21(fabric, 0);
	port->info.port_state = 2;
	port->peer->info.port_state = 2;

	audit = check_rule(&rule_lost_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_string_equal(evidence_of(finding_of(audit, "unassigned"), "state"), "Init");
	audit_free(audit);
	fabric_free(fabric);
}

static void an_init_port_without_a_lid_waits_where_no_master_is(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port;

	(void)state;
	port = bare_host_21(fabric, 0);
	port->info.port_state = 2;
	port->peer->info.port_state = 2;
	fabric->sm_count = 0;

	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_PASS, "waits for an SM");
	fabric_free(fabric);
}

static void a_fabric_that_no_sm_configured_has_nothing_to_lose(void **state)
{
	struct fabric *before = build_tree();
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->sm_count = 0;
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (!device->ports[num])
				continue;
			device->ports[num]->info.lid = 0;
			if (device->ports[num]->info.port_state == 4)
				device->ports[num]->info.port_state = 2;
		}
	}
	build_enhanced_port0(build_device(fabric, "leaf-1"));
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_NOT_APPLICABLE, "no-master-sm");
	assert_rule_verdict(&rule_lost_lid, fabric, before, VERDICT_NOT_CHECKED, "no-master-sm");
	fabric_free(before);
	fabric_free(fabric);
}

static void a_port_in_another_subnet_is_not_judged(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *host = build_ca(fabric, 0x2000, 2, 0, "two-rails");
	struct device *leaf = build_switch(fabric, 0x2100, 4, 5, "leaf-3");

	(void)state;
	build_link(leaf, 3, build_device(fabric, "spine-1"), 3);
	build_link(leaf, 1, host, 1);
	host->ports[1]->info.lid = 31;
	host->ports[2]->info.lid = 0;
	host->ports[2]->info.port_state = 4;
	build_routes(fabric);

	assert_rule_passes(&rule_lost_lid, fabric, NULL);
	fabric_free(fabric);
}

static void a_lid_that_went_since_the_baseline_is_gone(void **state)
{
	struct fabric *before = build_tree();
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	bare_host_21(fabric, 0);

	audit = check_rule(&rule_lost_lid, fabric, before);

	assert_int_equal(audit->finding_count, 1);
	finding = finding_of(audit, "gone");
	assert_string_equal(evidence_of(finding, "lid_before"), "21");
	audit_free(audit);
	fabric_free(fabric);
	fabric_free(before);
}

static void a_lid_given_to_another_while_its_owner_has_none_is_taken(void **state)
{
	struct fabric *before = build_tree();
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	bare_host_21(fabric, 0);
	build_port(build_device(fabric, "host-22"), 1)->info.lid = 21;
	build_routes(fabric);

	audit = check_rule(&rule_lost_lid, fabric, before);

	assert_int_equal(audit->finding_count, 1);
	finding = finding_of(audit, "taken:lid=21");
	assert_int_equal(finding->node_guid, 0x1015);
	assert_contains(evidence_of(finding, "owner_now"), "host-22");
	audit_free(audit);
	fabric_free(fabric);
	fabric_free(before);
}

static void lids_that_merely_moved_are_no_loss(void **state)
{
	struct fabric *before = build_tree();
	struct fabric *fabric = build_tree();

	(void)state;
	build_port(build_device(fabric, "host-21"), 1)->info.lid = 22;
	build_port(build_device(fabric, "host-22"), 1)->info.lid = 12;
	build_port(build_device(fabric, "host-12"), 1)->info.lid = 21;
	build_routes(fabric);

	assert_rule_passes(&rule_lost_lid, fabric, before);
	fabric_free(fabric);
	fabric_free(before);
}

static void a_host_that_left_has_not_lost_its_lid(void **state)
{
	struct fabric *before = build_tree();
	struct fabric *fabric = build_tree();

	(void)state;
	build_ca(before, 0x3000, 1, 40, "left-since");
	build_link(build_device(before, "spine-1"), 3, build_device(before, "left-since"), 1);

	assert_rule_passes(&rule_lost_lid, fabric, before);
	fabric_free(fabric);
	fabric_free(before);
}

static void many_ports_without_a_lid_are_one_finding(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf = build_switch(fabric, 0x100, 40, 1, "leaf");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	for (unsigned i = 1; i <= 40; i++)
		build_link(leaf, i, build_ca(fabric, 0x1000 + 16 * i, 1, i < 10 ? i + 1 : 0, "h"), 1);
	build_routes(fabric);
	build_sm(fabric, leaf->ports[1]->peer, 3, 4);

	audit = check_rule(&rule_lost_lid, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	finding = finding_of(audit, "unassigned");
	assert_int_equal(finding->node_guid, 0);
	assert_contains(finding->message, "31 ports");
	audit_free(audit);
	fabric_free(fabric);
}

static void without_any_lid_read_the_rule_is_not_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 0; num < fabric->devices[i]->port_slots; num++)
			if (fabric->devices[i]->ports[num])
				fabric->devices[i]->ports[num]->info.lid = FIELD_UNKNOWN;
	}
	assert_rule_verdict(&rule_lost_lid, fabric, NULL, VERDICT_NOT_CHECKED, "no LID");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_tree_passes),
		cmocka_unit_test(a_healthy_tree_passes_against_its_own_baseline),
		cmocka_unit_test(an_active_port_with_lid_0_is_lost),
		cmocka_unit_test(lid_65535_on_an_active_port_was_never_assigned),
		cmocka_unit_test(a_down_port_owes_no_lid),
		cmocka_unit_test(an_external_switch_port_has_lid_0_by_design),
		cmocka_unit_test(a_base_port_0_without_a_lid_is_lost),
		cmocka_unit_test(an_init_port_without_a_lid_is_lost_where_a_master_works),
		cmocka_unit_test(an_init_port_without_a_lid_waits_where_no_master_is),
		cmocka_unit_test(a_fabric_that_no_sm_configured_has_nothing_to_lose),
		cmocka_unit_test(a_port_in_another_subnet_is_not_judged),
		cmocka_unit_test(a_lid_that_went_since_the_baseline_is_gone),
		cmocka_unit_test(a_lid_given_to_another_while_its_owner_has_none_is_taken),
		cmocka_unit_test(lids_that_merely_moved_are_no_loss),
		cmocka_unit_test(a_host_that_left_has_not_lost_its_lid),
		cmocka_unit_test(many_ports_without_a_lid_are_one_finding),
		cmocka_unit_test(without_any_lid_read_the_rule_is_not_checked),
	};

	return cmocka_run_group_tests_name("rule_lost_lid", tests, NULL, NULL);
}
