#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "sl-to-dead-vl"

static struct port *host_port(struct fabric *fabric)
{
	return build_port(build_device(fabric, "host-11"), 1);
}

static void tables_within_the_lanes_pass(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_sl2vl_all(fabric, SL2VL_ON_8);
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void shipped_tables_without_qos_pass_and_are_mentioned(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_sl2vl_all(fabric, SL2VL_SHIPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "SLs 8-14 are"));
	run_end(&run);
	fabric_free(fabric);
}

static void the_same_tables_are_an_error_once_such_an_sl_is_in_use(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_sl2vl_all(fabric, SL2VL_SHIPPED);
	host_port(fabric)->info.sm_sl = 9;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "in use"), "SL 9"));
	assert_non_null(run_finding(&run, "swe:sl=9"));
	run_end(&run);
	fabric_free(fabric);
}

static void with_qos_true_switch_tables_of_the_sweep_before_are_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "max_op_vls", "3");
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, SL2VL_ON_4);
	build_sl2vl(fabric, build_port(leaf, 1), SL2VL_ON_8);
	build_sl2vl(fabric, build_port(leaf, 2), SL2VL_ON_8);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_int_equal(run.first->node_guid, leaf->guid);
	assert_non_null(strstr(run.first->message, "one heavy sweep behind"));
	assert_non_null(strstr(run.first->remedy, "SIGHUP"));
	run_end(&run);
	fabric_free(fabric);
}

static void vl15_is_another_rules_matter(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_sl2vl_all(fabric, "0,1,2,15,4,5,6,7,0,1,2,3,4,5,6,15");
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void one_lane_of_many_leaves_every_other_sl_dead(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, SL2VL_ON_8);
	host_port(fabric)->info.oper_vls = 1;
	host_port(fabric)->info.sm_sl = 1;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_int_equal(run.first->port, 1);
	run_end(&run);
	fabric_free(fabric);
}

static void oper_vls_that_read_0_are_not_judged(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, SL2VL_ON_8);
	build_oper_vls_all(fabric, 0);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 0);
	assert_non_null(strstr(run.verdict->reason, "OperVLs of 16 ports"));
	run_end(&run);
	fabric_free(fabric);
}

static void lanes_taken_away_leave_the_use_of_their_sls_open(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, SL2VL_SHIPPED);
	build_oper_vls_all(fabric, 2);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_NOT_CHECKED);
	assert_non_null(strstr(run.verdict->reason, "SLs 2-15 are"));
	run_end(&run);
	fabric_free(fabric);
}

static void with_qos_false_nobody_hands_out_those_sls(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_conf(fabric, "max_op_vls", "2");
	build_sl2vl_all(fabric, SL2VL_SHIPPED);
	build_oper_vls_all(fabric, 2);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void what_devices_refused_is_told_with_their_names(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	for (size_t i = 4; i < 6; i++) {
		struct hole *hole = fabric_hole_add(fabric);

		*hole = (struct hole){.device = fabric->devices[i], .port = 1,
				      .attribute = ATTRIBUTE_SL2VL, .reason = HOLE_STATUS,
				      .status = 0x1c};
	}

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_NOT_CHECKED);
	assert_non_null(strstr(run.verdict->reason,
			       "not read: 2 devices refused with MAD status 0x001c"));
	assert_non_null(strstr(run.verdict->reason, "first host-11"));
	assert_null(strstr(run.verdict->reason, "collect live"));
	run_end(&run);
	fabric_free(fabric);
}

static void without_tables_nothing_was_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule(fabric, RULE_ID, VERDICT_NOT_CHECKED);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_within_the_lanes_pass),
		cmocka_unit_test(shipped_tables_without_qos_pass_and_are_mentioned),
		cmocka_unit_test(the_same_tables_are_an_error_once_such_an_sl_is_in_use),
		cmocka_unit_test(with_qos_true_switch_tables_of_the_sweep_before_are_a_warning),
		cmocka_unit_test(vl15_is_another_rules_matter),
		cmocka_unit_test(one_lane_of_many_leaves_every_other_sl_dead),
		cmocka_unit_test(oper_vls_that_read_0_are_not_judged),
		cmocka_unit_test(lanes_taken_away_leave_the_use_of_their_sls_open),
		cmocka_unit_test(with_qos_false_nobody_hands_out_those_sls),
		cmocka_unit_test(what_devices_refused_is_told_with_their_names),
		cmocka_unit_test(without_tables_nothing_was_checked),
	};

	return cmocka_run_group_tests_name("rule_sl_to_dead_vl", tests, NULL, NULL);
}
