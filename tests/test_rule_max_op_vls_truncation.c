#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "max-op-vls-truncation"
#define FOUR_CLASSES "0,1,2,3,3,3,3,3,3,3,3,3,3,3,3,3"
#define EIGHT_CLASSES "0,1,2,3,4,5,6,7,7,7,7,7,7,7,7,7"
#define EIGHT_ON_4 "0,1,2,3,0,1,2,3,3,3,3,3,3,3,3,3"

static void a_design_that_fits_passes(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "max_op_vls", "3");
	build_conf(fabric, "qos_sl2vl", FOUR_CLASSES);
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, FOUR_CLASSES);

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void a_design_that_fits_says_when_no_table_was_read(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", FOUR_CLASSES);

	run = run_rule(fabric, RULE_ID);
	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "SL2VL tables were not read"));
	run_end(&run);

	build_sl2vl_all(fabric, FOUR_CLASSES);
	run = run_rule(fabric, RULE_ID);
	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_null(run.verdict->reason);
	run_end(&run);
	fabric_free(fabric);
}

static void a_code_of_3_leaves_four_lanes_and_vl4_becomes_vl0(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "max_op_vls", "3");
	build_conf(fabric, "qos_sl2vl", SL2VL_SHIPPED);
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, SL2VL_ON_4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	finding = run_finding(&run, "all:folded:lanes=4");
	assert_non_null(strstr(finding->message, "4 CA ports, 12 external switch ports"));
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_string_equal(run_evidence(finding, "SLs on one lane"),
			    "{0,4,8,12} {1,5,9,13} {2,6,10,14} {3,7,11,15}");
	assert_non_null(strstr(run_evidence(finding, "limit"), "max_op_vls 3 (opensm.conf:2)"));
	run_end(&run);
	fabric_free(fabric);
}

static void hardware_with_eight_lanes_and_the_usual_map_is_healthy(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_sl2vl_all(fabric, SL2VL_ON_8);

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void two_sls_in_use_on_one_lane_count_even_when_hardware_is_the_limit(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_sl2vl_all(fabric, SL2VL_ON_8);
	build_policy(fabric, "qos-ulps\n default : 1\n ipoib : 9\nend-qos-ulps\n");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_non_null(strstr(run_evidence(run.first, "in use"), "SL 9"));
	assert_string_equal(run_evidence(run.first, "limit"), "VLCap of the link");
	run_end(&run);
	fabric_free(fabric);
}

static void sls_in_use_on_lanes_of_their_own_are_healthy(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "routing_engine", "dfsssp");
	build_sl2vl_all(fabric, SL2VL_ON_8);
	build_policy(fabric, "qos-ulps\n default : 1\n ipoib : 2\nend-qos-ulps\n");

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void classes_of_unlike_design_are_told_apart(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "max_op_vls", "2");
	build_conf(fabric, "qos_swe_sl2vl", FOUR_CLASSES);
	build_oper_vls_all(fabric, 2);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	assert_non_null(run_finding(&run, "ca:folded:lanes=2"));
	assert_non_null(run_finding(&run, "swe:folded:lanes=2"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_port_0_that_kept_fewer_lanes_is_no_designs_fault(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", FOUR_CLASSES);
	build_sl2vl_all(fabric, FOUR_CLASSES);
	build_enhanced_port0(leaf);
	build_port(leaf, 0)->info.vl_cap = 8;
	build_port(leaf, 0)->info.oper_vls = 2;

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void codes_0_8_and_15_restrict_nothing(void **state)
{
	(void)state;
	for (const char *const *code = (const char *const[]){"0", "8", "15", "5", NULL}; *code; code++) {
		struct fabric *fabric = build_tree();

		build_conf(fabric, "qos", "TRUE");
		build_conf(fabric, "max_op_vls", *code);
		build_sl2vl_all(fabric, SL2VL_ON_8);
		assert_rule(fabric, RULE_ID, VERDICT_PASS);
		fabric_free(fabric);
	}
}

static void aggregation_nodes_with_two_lanes_are_normal(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *host = build_device(fabric, "host-11");
	struct port *port = build_port(host, 1);

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", FOUR_CLASSES);
	build_sl2vl_all(fabric, FOUR_CLASSES);
	host->info.device_id = 53001;
	port->info.vl_cap = port->info.oper_vls = port->peer->info.oper_vls = 2;
	build_sl2vl(fabric, port, "0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1");
	build_sl2vl(fabric, port->peer, "0,1,0,1,1,1,1,1,1,1,1,1,1,1,1,1");

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void a_host_with_two_lanes_breaks_a_design_of_four(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "host-11"), 1);
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", FOUR_CLASSES);
	build_sl2vl_all(fabric, FOUR_CLASSES);
	port->info.vl_cap = port->info.oper_vls = port->peer->info.oper_vls = 2;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run_evidence(run.first, "ports"), "2");
	assert_non_null(strstr(run_evidence(run.first, "places"), "host-11"));
	run_end(&run);
	fabric_free(fabric);
}

static void lanes_cut_while_qos_is_false_leave_tables_that_name_them(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_conf(fabric, "max_op_vls", "3");
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, SL2VL_SHIPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_non_null(strstr(run.first->message, "4 of 8"));
	run_end(&run);
	fabric_free(fabric);
}

static void lanes_cut_while_qos_is_false_are_no_loss_when_no_table_names_them(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_conf(fabric, "max_op_vls", "3");
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, FOUR_CLASSES);

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void the_shipped_tables_of_a_fabric_without_qos_are_healthy(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_sl2vl_all(fabric, SL2VL_SHIPPED);

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void a_switch_table_folded_shorter_than_oper_vls_is_a_leftover(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", EIGHT_CLASSES);
	build_sl2vl_all(fabric, EIGHT_CLASSES);
	build_sl2vl_type(fabric, NODE_TYPE_SWITCH, EIGHT_ON_4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run.first->discriminator, "all:leftover:lanes=8");
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_non_null(strstr(run.first->remedy, "SIGHUP"));
	run_end(&run);
	fabric_free(fabric);
}

static void tables_behind_a_cut_are_told_with_the_cut(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "max_op_vls", "3");
	build_oper_vls_all(fabric, 4);
	build_sl2vl_type(fabric, NODE_TYPE_CA, SL2VL_ON_4);
	build_sl2vl_type(fabric, NODE_TYPE_SWITCH, SL2VL_ON_8);

	run = run_rule(fabric, RULE_ID);

	finding = run_finding(&run, "all:folded");
	assert_string_equal(run_evidence(finding, "ports"), "16");
	assert_non_null(strstr(run_evidence(finding, "tables behind"), "12 ports"));
	run_end(&run);
	fabric_free(fabric);
}

static void engines_that_need_lanes_make_a_fold_an_error(void **state)
{
	(void)state;
	for (const char *const *engine = (const char *const[]){"lash", "dfsssp", "nue", "torus-2QoS", NULL};
	     *engine; engine++) {
		struct fabric *fabric = build_tree();
		struct rule_run run;

		build_conf(fabric, "qos", "TRUE");
		build_conf(fabric, "max_op_vls", "2");
		build_conf(fabric, "routing_engine", *engine);
		build_oper_vls_all(fabric, 2);
		run = run_rule(fabric, RULE_ID);
		assert_int_equal(run.first->severity, SEVERITY_ERROR);
		assert_non_null(strstr(run_evidence(run.first, "routing engine"), *engine));
		run_end(&run);
		fabric_free(fabric);
	}
}

static void the_engine_that_the_log_names_counts(void **state)
{
	struct fabric *fabric = build_tree();
	struct log_event *event = config_event_add(fabric->config);
	char engine[] = "minhop";
	struct rule_run run;

	(void)state;
	event->kind = LOG_ENGINE_CONFIGURED;
	event->text = engine;
	event->last_line = 99;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "max_op_vls", "2");
	build_conf(fabric, "routing_engine", "lash");
	build_oper_vls_all(fabric, 2);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	run_end(&run);
	fabric_free(fabric);
}

static void opensm_conf_alone_tells_what_would_fall_together(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "max_op_vls", "3");
	build_conf(fabric, "qos_sl2vl", SL2VL_SHIPPED);
	build_conf(fabric, "qos_ca_sl2vl", "0,1,2,3,0,1,2,3,0,0,0,0,0,0,0,0");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run.first->subject, "opensm.conf:2");
	assert_null(strstr(run.first->message, "CA ports"));
	assert_string_equal(run_evidence(run.first, "SLs on one lane"),
			    "{0,4,8,12} {1,5,9,13} {2,6,10,14} {3,7,11,15}");
	run_end(&run);
	fabric_free(fabric);
}

static void opensm_conf_alone_is_told_with_qos_false_too(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_conf(fabric, "max_op_vls", "2");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_design_that_fits_passes),
		cmocka_unit_test(a_design_that_fits_says_when_no_table_was_read),
		cmocka_unit_test(a_code_of_3_leaves_four_lanes_and_vl4_becomes_vl0),
		cmocka_unit_test(hardware_with_eight_lanes_and_the_usual_map_is_healthy),
		cmocka_unit_test(two_sls_in_use_on_one_lane_count_even_when_hardware_is_the_limit),
		cmocka_unit_test(sls_in_use_on_lanes_of_their_own_are_healthy),
		cmocka_unit_test(classes_of_unlike_design_are_told_apart),
		cmocka_unit_test(a_port_0_that_kept_fewer_lanes_is_no_designs_fault),
		cmocka_unit_test(codes_0_8_and_15_restrict_nothing),
		cmocka_unit_test(aggregation_nodes_with_two_lanes_are_normal),
		cmocka_unit_test(a_host_with_two_lanes_breaks_a_design_of_four),
		cmocka_unit_test(lanes_cut_while_qos_is_false_leave_tables_that_name_them),
		cmocka_unit_test(lanes_cut_while_qos_is_false_are_no_loss_when_no_table_names_them),
		cmocka_unit_test(the_shipped_tables_of_a_fabric_without_qos_are_healthy),
		cmocka_unit_test(a_switch_table_folded_shorter_than_oper_vls_is_a_leftover),
		cmocka_unit_test(tables_behind_a_cut_are_told_with_the_cut),
		cmocka_unit_test(engines_that_need_lanes_make_a_fold_an_error),
		cmocka_unit_test(the_engine_that_the_log_names_counts),
		cmocka_unit_test(opensm_conf_alone_tells_what_would_fall_together),
		cmocka_unit_test(opensm_conf_alone_is_told_with_qos_false_too),
	};

	return cmocka_run_group_tests_name("rule_max_op_vls_truncation", tests, NULL, NULL);
}
