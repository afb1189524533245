/* The rules about what arbitration tables hold: vlarb-dead-vl, vlarb-unlike, vlarb-weights. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

static void weights_for_lanes_that_operate_pass(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_vlarb_all(fabric, "0:64,7:0", "1:64,2:64");
	build_oper_vls_all(fabric, 4);
	assert_rule(fabric, "vlarb-dead-vl", VERDICT_PASS);
	fabric_free(fabric);
}

static void a_weight_for_a_lane_above_oper_vls_is_worth_knowing(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_vlarb_all(fabric, "0:64", "1:64,5:64");
	build_oper_vls_all(fabric, 4);

	run = run_rule(fabric, "vlarb-dead-vl");

	assert_int_equal(run.verdict->finding_count, 2);
	assert_int_equal(run.first->severity, SEVERITY_INFO);
	assert_non_null(run_finding(&run, "swe:vl=5"));
	run_end(&run);
	fabric_free(fabric);
}

static void shipped_tables_without_qos_are_only_mentioned(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:4", "1:4,2:4,3:4,4:4,5:4,6:4,7:4");
	build_oper_vls_all(fabric, 4);

	run = run_rule(fabric, "vlarb-dead-vl");

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "16 ports"));
	run_end(&run);
	fabric_free(fabric);
}

static void vl15_in_a_table_is_a_warning_whoever_wrote_it(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64,15:4");

	run = run_rule(fabric, "vlarb-dead-vl");

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	run_end(&run);
	fabric_free(fabric);
}

static void equal_tables_of_one_kind_pass(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64");
	assert_rule(fabric, "vlarb-unlike", VERDICT_PASS);
	fabric_free(fabric);
}

static void the_odd_port_of_a_kind_is_found(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *host = build_device(fabric, "host-12");
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64");
	build_vlarb(fabric, build_port(host, 1), "0:64", "1:32");

	run = run_rule(fabric, "vlarb-unlike");

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_int_equal(run.first->node_guid, host->guid);
	assert_string_equal(run_evidence(run.first, "usual low-priority table"), "1:64");
	run_end(&run);
	fabric_free(fabric);
}

static void hosts_and_switches_may_differ_and_so_may_models(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *host = build_device(fabric, "host-12");

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64");
	for (const char *const *name = (const char *const[]){"host-11", "host-21", "host-22", NULL}; *name;
	     name++)
		build_vlarb(fabric, build_port(build_device(fabric, *name), 1), "0:32", "1:32");
	host->info.device_id = 4123;
	assert_rule(fabric, "vlarb-unlike", VERDICT_PASS);
	fabric_free(fabric);
}

static void whole_packets_of_weight_pass(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_vlarb_all(fabric, "0:64", "1:128,2:64");
	assert_rule(fabric, "vlarb-weights", VERDICT_PASS);
	fabric_free(fabric);
}

static void unequal_weights_below_a_packet_are_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_vlarb_low", "1:8,2:2");
	build_vlarb_all(fabric, "0:64", "1:8,2:2");

	run = run_rule(fabric, "vlarb-weights");

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_non_null(strstr(run.first->message, "VLs 1, 2"));
	run_end(&run);
	fabric_free(fabric);
}

static void opensms_placeholders_are_worth_knowing_only(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_vlarb_all(fabric, "0:4", "1:4,2:4");

	run = run_rule(fabric, "vlarb-weights");

	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

static void the_weights_of_tables_nobody_programs_are_not_judged(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_vlarb_all(fabric, "0:4", "1:4,2:4");
	assert_rule(fabric, "vlarb-weights", VERDICT_NOT_CHECKED);
	build_conf(fabric, "qos", "FALSE");
	assert_rule(fabric, "vlarb-weights", VERDICT_NOT_APPLICABLE);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_for_lanes_that_operate_pass),
		cmocka_unit_test(a_weight_for_a_lane_above_oper_vls_is_worth_knowing),
		cmocka_unit_test(shipped_tables_without_qos_are_only_mentioned),
		cmocka_unit_test(vl15_in_a_table_is_a_warning_whoever_wrote_it),
		cmocka_unit_test(equal_tables_of_one_kind_pass),
		cmocka_unit_test(the_odd_port_of_a_kind_is_found),
		cmocka_unit_test(hosts_and_switches_may_differ_and_so_may_models),
		cmocka_unit_test(whole_packets_of_weight_pass),
		cmocka_unit_test(unequal_weights_below_a_packet_are_a_warning),
		cmocka_unit_test(opensms_placeholders_are_worth_knowing_only),
		cmocka_unit_test(the_weights_of_tables_nobody_programs_are_not_judged),
	};

	return cmocka_run_group_tests_name("rule_vlarb", tests, NULL, NULL);
}
