#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "sl-to-vl15"
#define HEALTHY "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7"
#define SL3_DROPPED "0,1,2,15,4,5,6,7,0,1,2,3,4,5,6,7"
#define SL15_DROPPED "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,15"

static const char policy_sl3[] = "qos-levels\n"
				 "  qos-level\n"
				 "    name: DEFAULT\n"
				 "    sl: 0\n"
				 "  end-qos-level\n"
				 "  qos-level\n"
				 "    name: Storage\n"
				 "    sl: 3\n"
				 "  end-qos-level\n"
				 "end-qos-levels\n";

#define SL3_AND_5_DROPPED "0,1,2,15,4,15,6,7,0,1,2,3,4,5,6,7"

static struct port *host_port(struct fabric *fabric)
{
	return build_port(build_device(fabric, "host-11"), 1);
}

static void a_table_without_15_passes(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_null(run.verdict->reason);
	run_end(&run);
	fabric_free(fabric);
}

static void an_unused_sl_on_vl15_is_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	build_sl2vl(fabric, host_port(fabric), SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_int_equal(run.first->node_guid, host_port(fabric)->device->guid);
	assert_int_equal(run.first->port, 1);
	assert_string_equal(run.first->discriminator, "ca:sl=3");
	run_end(&run);
	fabric_free(fabric);
}

static void an_sl_of_a_qos_level_on_vl15_is_critical(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	build_sl2vl(fabric, host_port(fabric), SL3_DROPPED);
	build_conf(fabric, "qos", "TRUE");
	build_policy(fabric, policy_sl3);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_CRITICAL);
	assert_non_null(strstr(run_evidence(run.first, "in use"), "qos-policy.conf:8"));
	run_end(&run);
	fabric_free(fabric);
}

static void with_qos_off_the_policy_hands_out_no_sl(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	build_sl2vl(fabric, host_port(fabric), SL3_DROPPED);
	build_conf(fabric, "qos", "FALSE");
	build_policy(fabric, policy_sl3);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	run_end(&run);
	fabric_free(fabric);
}

static void the_sm_sl_counts_as_in_use(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, SL3_DROPPED);
	host_port(fabric)->info.sm_sl = 3;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	assert_int_equal(run.first->severity, SEVERITY_CRITICAL);
	assert_non_null(run_finding(&run, "ca:"));
	assert_non_null(run_finding(&run, "swe:"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_partition_sl_counts_as_in_use(void **state)
{
	struct fabric *fabric = build_tree();
	struct partition *partition = config_partition_add(fabric->config);
	struct rule_run run;

	(void)state;
	partition->sl = 3;
	build_sl2vl_all(fabric, SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_CRITICAL);
	run_end(&run);
	fabric_free(fabric);
}

static void sl15_in_the_last_place_is_worth_knowing_only(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, SL15_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

static void equal_ports_of_a_class_are_one_finding_with_their_places(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	finding = run_finding(&run, "swe:");
	assert_int_equal(finding->port, -1);
	assert_string_equal(run_evidence(finding, "ports"), "12");
	assert_non_null(strstr(run_evidence(finding, "places"), "ports 1-4"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_port_without_sl_mapping_has_no_use_for_the_table(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	build_sl2vl(fabric, host_port(fabric), SL3_DROPPED);
	host_port(fabric)->info.capability_mask &= ~(INT64_C(1) << CAPABILITY_SL_MAPPING);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void a_port_with_one_vl_and_a_down_port_have_no_use_for_the_table(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *down = build_port(build_device(fabric, "host-12"), 1);
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	build_sl2vl(fabric, host_port(fabric), SL3_DROPPED);
	host_port(fabric)->info.vl_cap = 1;
	build_sl2vl(fabric, down, SL3_DROPPED);
	build_unlink(down->device, 1);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void a_table_of_a_dead_in_port_is_no_fault(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	struct port *port = build_port(leaf, 1);
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	port->sl2vl_count = 0;
	build_sl2vl_in(fabric, port, 0, 3, HEALTHY);
	build_sl2vl_in(fabric, port, 4, 4, SL3_DROPPED);
	build_unlink(leaf, 4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void the_in_ports_that_drop_are_named(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	port->sl2vl_count = 0;
	build_sl2vl_in(fabric, port, 0, 2, HEALTHY);
	build_sl2vl_in(fabric, port, 3, 4, SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->port, 1);
	assert_string_equal(run_evidence(run.first, "in ports"), "packets that come in by ports 3-4 and leave by port 1 (the first of the places)");
	run_end(&run);
	fabric_free(fabric);
}

static void what_comes_to_port_0_follows_the_options_of_external_ports(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	build_enhanced_port0(leaf);
	build_port(leaf, 0)->info.vl_cap = 8;
	build_sl2vl_in(fabric, build_port(leaf, 0), 0, 0, HEALTHY);
	build_sl2vl_in(fabric, build_port(leaf, 0), 1, 4, SL3_DROPPED);
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_swe_sl2vl", SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run.first->discriminator, "swe:sl=3");
	assert_int_equal(run.first->port, 0);
	assert_non_null(strstr(run_evidence(run.first, "opensm.conf"), "qos_swe_sl2vl"));
	run_end(&run);
	fabric_free(fabric);
}

static void without_tables_and_without_opensm_conf_nothing_was_checked(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run = run_rule(fabric, RULE_ID);

	(void)state;
	assert_int_equal(run.verdict->kind, VERDICT_NOT_CHECKED);
	assert_non_null(strstr(run.verdict->reason, "SL2VL"));
	run_end(&run);
	fabric_free(fabric);
}

static void missing_tables_are_counted(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, HEALTHY);
	host_port(fabric)->sl2vl = NULL;
	host_port(fabric)->sl2vl_count = 0;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "1 of 16"));
	run_end(&run);
	fabric_free(fabric);
}

static void opensm_conf_alone_is_judged_when_qos_is_true(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", SL3_DROPPED);
	build_conf(fabric, "qos_ca_sl2vl", HEALTHY);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_string_equal(run.first->subject, "opensm.conf:2");
	assert_null(strstr(run.first->message, "CA ports"));
	assert_non_null(strstr(run.first->message, "external switch ports"));
	run_end(&run);
	fabric_free(fabric);
}

static void opensm_conf_is_dead_while_qos_is_false(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_conf(fabric, "qos_sl2vl", SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_NOT_CHECKED);
	assert_int_equal(run.verdict->finding_count, 0);
	run_end(&run);
	fabric_free(fabric);
}

static void ports_that_hold_what_opensm_conf_asks_are_told_once(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, SL3_DROPPED);
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	assert_null(run_finding(&run, "conf:"));
	finding = run_finding(&run, "ca:");
	assert_non_null(strstr(run_evidence(finding, "opensm.conf"), "opensm.conf:2"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_log_line_proves_that_somebody_asked(void **state)
{
	struct fabric *fabric = build_tree();
	struct log_event *event = config_event_add(fabric->config);
	char text[] = "Selected SL (3) leads to VL15";
	struct rule_run run;

	(void)state;
	event->kind = LOG_SL_TO_VL15;
	event->text = text;
	event->last_line = 7;
	event->count = 2;
	build_sl2vl_all(fabric, HEALTHY);
	build_sl2vl(fabric, host_port(fabric), SL3_DROPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_CRITICAL);
	assert_non_null(strstr(run_evidence(run.first, "in use"), "opensm.log:7"));
	run_end(&run);
	fabric_free(fabric);
}

/* The rule's one finding with so many hosts at fault. */
static struct rule_run run_with_hosts(size_t count)
{
	static const char *const hosts[] = {"host-11", "host-21"};
	struct fabric *fabric = build_tree();
	struct rule_run run;

	build_sl2vl_all(fabric, HEALTHY);
	for (size_t i = 0; i < count; i++)
		build_sl2vl(fabric, build_port(build_device(fabric, hosts[i]), 1), SL3_DROPPED);
	run = run_rule(fabric, RULE_ID);
	assert_int_equal(run.verdict->finding_count, 1);
	fabric_free(fabric);
	return run;
}

static void a_second_host_with_the_same_fault_is_no_other_finding(void **state)
{
	struct rule_run one = run_with_hosts(1);
	struct rule_run two = run_with_hosts(2);
	struct err err = {0};

	(void)state;
	assert_int_equal(one.first->port, 1);
	assert_int_equal(two.first->node_guid, 0);

	assert_int_equal(audit_compare(two.audit, one.audit, NULL, NULL, &err), 0);

	assert_int_equal(run_finding(&two, "ca:sl=3")->status, FINDING_STILL);
	for (size_t i = 0; i < two.audit->finding_count; i++)
		assert_false(two.audit->findings[i].status == FINDING_GONE &&
			     strcmp(two.audit->findings[i].rule, RULE_ID) == 0);
	run_end(&one);
	run_end(&two);
}

static void an_sl_known_to_be_in_use_makes_it_graver_and_no_other_finding(void **state)
{
	struct fabric *unused = build_tree();
	struct fabric *used = build_tree();
	struct rule_run before, now;
	struct err err = {0};

	(void)state;
	build_sl2vl_all(unused, SL3_AND_5_DROPPED);
	build_sl2vl_all(used, SL3_AND_5_DROPPED);
	build_conf(used, "qos", "TRUE");
	build_policy(used, policy_sl3);
	before = run_rule(unused, RULE_ID);
	now = run_rule(used, RULE_ID);

	assert_int_equal(audit_compare(now.audit, before.audit, NULL, used, &err), 0);

	assert_int_equal(run_finding(&before, "ca:sl=3, 5")->severity, SEVERITY_WARNING);
	assert_int_equal(run_finding(&now, "ca:sl=3, 5")->severity, SEVERITY_CRITICAL);
	assert_int_equal(run_finding(&now, "ca:sl=3, 5")->status, FINDING_STILL);
	assert_non_null(strstr(run_finding(&now, "ca:sl=3, 5")->message, "(SL 3)"));
	run_end(&now);
	run_end(&before);
	fabric_free(used);
	fabric_free(unused);
}

static void sl15_left_out_on_purpose_stands_apart_from_others(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, "0,1,2,15,4,5,6,7,0,1,2,3,4,5,6,15");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run_finding(&run, "ca:sl=3")->severity, SEVERITY_WARNING);
	assert_int_equal(run_finding(&run, "ca:sl=15")->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_without_15_passes),
		cmocka_unit_test(an_unused_sl_on_vl15_is_a_warning),
		cmocka_unit_test(an_sl_of_a_qos_level_on_vl15_is_critical),
		cmocka_unit_test(with_qos_off_the_policy_hands_out_no_sl),
		cmocka_unit_test(the_sm_sl_counts_as_in_use),
		cmocka_unit_test(a_partition_sl_counts_as_in_use),
		cmocka_unit_test(sl15_in_the_last_place_is_worth_knowing_only),
		cmocka_unit_test(equal_ports_of_a_class_are_one_finding_with_their_places),
		cmocka_unit_test(a_port_without_sl_mapping_has_no_use_for_the_table),
		cmocka_unit_test(a_port_with_one_vl_and_a_down_port_have_no_use_for_the_table),
		cmocka_unit_test(a_table_of_a_dead_in_port_is_no_fault),
		cmocka_unit_test(the_in_ports_that_drop_are_named),
		cmocka_unit_test(what_comes_to_port_0_follows_the_options_of_external_ports),
		cmocka_unit_test(without_tables_and_without_opensm_conf_nothing_was_checked),
		cmocka_unit_test(missing_tables_are_counted),
		cmocka_unit_test(opensm_conf_alone_is_judged_when_qos_is_true),
		cmocka_unit_test(opensm_conf_is_dead_while_qos_is_false),
		cmocka_unit_test(ports_that_hold_what_opensm_conf_asks_are_told_once),
		cmocka_unit_test(a_log_line_proves_that_somebody_asked),
		cmocka_unit_test(a_second_host_with_the_same_fault_is_no_other_finding),
		cmocka_unit_test(an_sl_known_to_be_in_use_makes_it_graver_and_no_other_finding),
		cmocka_unit_test(sl15_left_out_on_purpose_stands_apart_from_others),
	};

	return cmocka_run_group_tests_name("rule_sl_to_vl15", tests, NULL, NULL);
}
