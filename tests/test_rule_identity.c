/* lid-out-of-range, lid-misaligned, subnet-prefix, duplicate-description, zero-guid, mixed-captures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_duplicate_description;
extern const struct rule rule_lid_misaligned;
extern const struct rule rule_lid_out_of_range;
extern const struct rule rule_mixed_captures;
extern const struct rule rule_subnet_prefix;
extern const struct rule rule_zero_guid;

static struct port *host_port(struct fabric *fabric, const char *name)
{
	return build_port(build_device(fabric, name), 1);
}

static void rename_device(struct fabric *fabric, const char *from, const char *to)
{
	build_device(fabric, from)->description = fabric_text(fabric, to, strlen(to));
}

static void a_healthy_tree_passes_every_rule_of_identity(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_lid_out_of_range, fabric, NULL);
	assert_rule_passes(&rule_lid_misaligned, fabric, NULL);
	assert_rule_passes(&rule_subnet_prefix, fabric, NULL);
	assert_rule_passes(&rule_duplicate_description, fabric, NULL);
	assert_rule_passes(&rule_zero_guid, fabric, NULL);
	assert_rule_verdict(&rule_mixed_captures, fabric, NULL, VERDICT_NOT_APPLICABLE, "one source");
	fabric_free(fabric);
}

static void a_multicast_lid_on_a_port_is_out_of_range(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	host_port(fabric, "host-21")->info.lid = 0xc000;

	audit = check_rule(&rule_lid_out_of_range, fabric, NULL);

	assert_contains(only_finding(audit, "range", SEVERITY_ERROR)->message, "LID 49152 of host-21");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_last_unicast_lid_is_in_range(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	host_port(fabric, "host-21")->info.lid = 0xbfff;
	assert_rule_passes(&rule_lid_out_of_range, fabric, NULL);

	host_port(fabric, "host-21")->info.lmc = 1;
	audit = check_rule(&rule_lid_out_of_range, fabric, NULL);
	only_finding(audit, "range", SEVERITY_ERROR);
	audit_free(audit);
	fabric_free(fabric);
}

static void lid_0_and_65535_are_left_to_lost_lid(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	host_port(fabric, "host-21")->info.lid = 0;
	host_port(fabric, "host-22")->info.lid = 0xffff;
	assert_rule_passes(&rule_lid_out_of_range, fabric, NULL);
	fabric_free(fabric);
}

static void a_base_lid_must_fit_its_lmc(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	host_port(fabric, "host-21")->info.lmc = 2;
	host_port(fabric, "host-21")->info.lid = 24;
	assert_rule_passes(&rule_lid_misaligned, fabric, NULL);
	host_port(fabric, "host-21")->info.lid = 22;

	audit = check_rule(&rule_lid_misaligned, fabric, NULL);

	assert_contains(only_finding(audit, "misaligned", SEVERITY_ERROR)->message, "no multiple of 4");
	audit_free(audit);
	fabric_free(fabric);
}

static void two_prefixes_in_one_subnet_are_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	host_port(fabric, "host-21")->info.gid_prefix += 6;

	audit = check_rule(&rule_subnet_prefix, fabric, NULL);

	finding = only_finding(audit, "several", SEVERITY_WARNING);
	assert_contains(finding->message, "host-21 port 1");
	assert_contains(evidence_of(finding, "ports"), "0xfe80000000000006");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_prefix_of_the_file_must_be_on_the_ports(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_option(fabric, "subnet_prefix", "0xfe80000000000000", 7);
	assert_rule_passes(&rule_subnet_prefix, fabric, NULL);
	fabric->config->options[0].effective = fabric_text(fabric, "0xfe80000000000006", 18);
	assert_int_equal(config_build(fabric->config, &(struct err){0}), 0);

	audit = check_rule(&rule_subnet_prefix, fabric, NULL);

	finding = only_finding(audit, "not-applied", SEVERITY_ERROR);
	assert_contains(finding->message, "8 of 8 end ports");
	assert_string_equal(finding->source, "opensm.conf:7");
	audit_free(audit);
	fabric_free(fabric);
}

static void external_switch_ports_hold_no_prefix_by_design(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_port(build_device(fabric, "leaf-1"), 1)->info.gid_prefix = 0;
	assert_rule_passes(&rule_subnet_prefix, fabric, NULL);
	fabric_free(fabric);
}

static void one_name_on_two_hosts_is_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	rename_device(fabric, "host-22", "host-12");

	audit = check_rule(&rule_duplicate_description, fabric, NULL);

	finding = only_finding(audit, "name=\"host-12\"", SEVERITY_WARNING);
	assert_contains(evidence_of(finding, "devices"), "behind leaf-1 port 2");
	assert_contains(evidence_of(finding, "devices"), "behind leaf-2 port 2");
	audit_free(audit);
	fabric_free(fabric);
}

static void modules_of_one_system_may_share_a_name(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_device(fabric, "host-22")->system_image_guid = 0x77;
	build_device(fabric, "host-12")->system_image_guid = 0x77;
	rename_device(fabric, "host-22", "host-12");
	assert_rule_passes(&rule_duplicate_description, fabric, NULL);
	fabric_free(fabric);
}

static void a_name_map_that_tells_them_apart_settles_it(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_device(fabric, "host-12")->alias = fabric_text(fabric, "rack-1", 6);
	build_device(fabric, "host-22")->alias = fabric_text(fabric, "rack-2", 6);
	rename_device(fabric, "host-22", "host-12");
	assert_rule_passes(&rule_duplicate_description, fabric, NULL);
	fabric_free(fabric);
}

static void factory_names_are_one_info_and_no_duplicates(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	rename_device(fabric, "spine-1", "Quantum Mellanox Technologies");
	rename_device(fabric, "spine-2", "Quantum Mellanox Technologies");
	rename_device(fabric, "host-11", "Mellanox Technologies Aggregation Node");
	rename_device(fabric, "host-12", "Mellanox Technologies Aggregation Node");

	audit = check_rule(&rule_duplicate_description, fabric, NULL);

	assert_contains(only_finding(audit, "factory", SEVERITY_INFO)->message, "2 devices");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_map_names_a_switch_but_not_the_host_that_never_said_its_name(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	rename_device(fabric, "spine-1", "Quantum Mellanox Technologies");
	fabric->devices[2]->alias = fabric_text(fabric, "rack-1", 6);
	rename_device(fabric, "host-11", "localhost mlx5_0");
	fabric->devices[4]->alias = fabric_text(fabric, "host-11", 7);
	rename_device(fabric, "host-12", "localhost mlx5_0");

	audit = check_rule(&rule_duplicate_description, fabric, NULL);

	assert_contains(only_finding(audit, "factory", SEVERITY_INFO)->message, "2 devices");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_device_without_a_name_is_an_info(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	rename_device(fabric, "host-22", " ");

	audit = check_rule(&rule_duplicate_description, fabric, NULL);

	only_finding(audit, "nameless", SEVERITY_INFO);
	audit_free(audit);
	fabric_free(fabric);
}

static void many_shared_names_are_one_finding(void **state)
{
	struct fabric *fabric = build_fabric();
	struct audit *audit;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		char name[] = {'n', (char)('a' + i / 2), '\0'};

		build_ca(fabric, 0x100 + 16 * i, 1, i + 1, name);
	}

	audit = check_rule(&rule_duplicate_description, fabric, NULL);

	assert_contains(only_finding(audit, "name=*", SEVERITY_WARNING)->message, "20 names");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_node_guid_of_0_is_critical_and_told_by_its_place(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *blank = build_ca(fabric, 0, 1, 0, "blank");
	struct audit *audit;

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, blank, 1);

	audit = check_rule(&rule_zero_guid, fabric, NULL);

	assert_string_equal(evidence_of(only_finding(audit, "", SEVERITY_CRITICAL), "places"),
			    "behind spine-1 port 3");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_port_guid_of_0_or_all_ones_is_critical(void **state)
{
	static const uint64_t guids[] = {0, UINT64_MAX};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fabric *fabric = build_tree();
		struct port *port = host_port(fabric, "host-22");
		struct audit *audit;

		port->guid = guids[i];
		port->source_of[ATTRIBUTE_NODE_INFO] = 1;
		audit = check_rule(&rule_zero_guid, fabric, NULL);
		assert_string_equal(evidence_of(only_finding(audit, "port", SEVERITY_CRITICAL), "ports"),
				    "host-22 port 1");
		audit_free(audit);
		fabric_free(fabric);
	}
}

/* The healthy twin: nobody told it, or the port has none of its own. */
static void a_port_guid_that_was_not_told_is_no_finding(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	host_port(fabric, "host-22")->guid = 0;
	host_port(fabric, "host-22")->source_of[ATTRIBUTE_NODE_INFO] = 0;
	build_port(build_device(fabric, "leaf-1"), 1)->guid = 0;
	build_port(build_device(fabric, "leaf-1"), 1)->source_of[ATTRIBUTE_NODE_INFO] = 1;
	assert_rule_passes(&rule_zero_guid, fabric, NULL);
	fabric_free(fabric);
}

static source_ref add_file(struct fabric *fabric, const char *name, const char *format,
			   int64_t taken_at)
{
	fabric_source_add(fabric, SOURCE_FILE, name, format)->taken_at = taken_at;
	return fabric_source_newest(fabric);
}

static void files_of_one_run_fit_together(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	add_file(fabric, "a.db_csv", "ibdiagnet2.db_csv", 1700000000);
	add_file(fabric, "a.pm", "ibdiagnet2.pm", 1700000300);
	add_file(fabric, "opensm.conf", "opensm.conf", 1500000000);
	add_file(fabric, "a.lst", "subnet.lst", FIELD_UNKNOWN);
	assert_rule_passes(&rule_mixed_captures, fabric, NULL);
	fabric_free(fabric);
}

static struct contradiction *contradict(struct fabric *fabric, source_ref kept, source_ref other)
{
	struct contradiction *c = fabric_contradiction_add(fabric);

	c->device = build_device(fabric, "host-21");
	c->port = 1;
	c->fact = fabric_text(fabric, "lid", 3);
	c->kept = fabric_text(fabric, "21", 2);
	c->other = fabric_text(fabric, "9", 1);
	c->kept_source = kept;
	c->other_source = other;
	return c;
}

static void files_of_two_days_are_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	source_ref today = add_file(fabric, "a.db_csv", "ibdiagnet2.db_csv", 1700000000);
	source_ref before = add_file(fabric, "a.net_dump_ext", "ibdiagnet2.net_dump_ext", 1699900000);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	contradict(fabric, today, before);

	audit = check_rule(&rule_mixed_captures, fabric, NULL);

	finding = finding_of(audit, "times");
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_contains(finding->message, "2023-11-13 18:26:40 UTC");
	assert_int_equal(finding_of(audit, "contradiction:lid")->severity, SEVERITY_INFO);
	audit_free(audit);
	fabric_free(fabric);
}

static void files_of_one_time_that_disagree_are_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	source_ref first = add_file(fabric, "a.db_csv", "ibdiagnet2.db_csv", 1700000000);
	source_ref second = add_file(fabric, "a.lst", "subnet.lst", FIELD_UNKNOWN);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	contradict(fabric, first, second);
	contradict(fabric, first, second)->port = -1;

	audit = check_rule(&rule_mixed_captures, fabric, NULL);

	finding = only_finding(audit, "contradiction:lid", SEVERITY_WARNING);
	assert_contains(finding->message, "2 places, first at host-21 port 1: 21 is used, 9 is not");
	assert_string_equal(evidence_of(finding, "not_used"), "a.lst");
	audit_free(audit);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_healthy_tree_passes_every_rule_of_identity),
		cmocka_unit_test(a_multicast_lid_on_a_port_is_out_of_range),
		cmocka_unit_test(the_last_unicast_lid_is_in_range),
		cmocka_unit_test(lid_0_and_65535_are_left_to_lost_lid),
		cmocka_unit_test(a_base_lid_must_fit_its_lmc),
		cmocka_unit_test(two_prefixes_in_one_subnet_are_a_warning),
		cmocka_unit_test(the_prefix_of_the_file_must_be_on_the_ports),
		cmocka_unit_test(external_switch_ports_hold_no_prefix_by_design),
		cmocka_unit_test(one_name_on_two_hosts_is_a_warning),
		cmocka_unit_test(modules_of_one_system_may_share_a_name),
		cmocka_unit_test(a_name_map_that_tells_them_apart_settles_it),
		cmocka_unit_test(factory_names_are_one_info_and_no_duplicates),
		cmocka_unit_test(a_map_names_a_switch_but_not_the_host_that_never_said_its_name),
		cmocka_unit_test(a_device_without_a_name_is_an_info),
		cmocka_unit_test(many_shared_names_are_one_finding),
		cmocka_unit_test(a_node_guid_of_0_is_critical_and_told_by_its_place),
		cmocka_unit_test(a_port_guid_of_0_or_all_ones_is_critical),
		cmocka_unit_test(a_port_guid_that_was_not_told_is_no_finding),
		cmocka_unit_test(files_of_one_run_fit_together),
		cmocka_unit_test(files_of_two_days_are_a_warning),
		cmocka_unit_test(files_of_one_time_that_disagree_are_a_warning),
	};

	return cmocka_run_group_tests_name("rule_identity", tests, NULL, NULL);
}
