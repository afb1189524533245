#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "vl-never-served"
#define ON_4 "0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3"

static void every_vl_with_a_weight_somewhere_passes(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_sl2vl_all(fabric, ON_4);
	build_vlarb_all(fabric, "0:64,1:0", "1:4,2:4,3:4");
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void a_vl_of_weight_0_that_an_unused_sl_comes_to_is_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_sl2vl_all(fabric, ON_4);
	build_vlarb_all(fabric, "0:64", "1:4,2:4,3:0");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	finding = run_finding(&run, "swe:sl=3, 7, 11, 15");
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_non_null(strstr(finding->message, "VL 3"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_vl_without_weight_that_carries_an_sl_in_use_is_an_error(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_all(fabric, ON_4);
	build_vlarb_all(fabric, "1:64", "2:4,3:4");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "in use"), "SL 0"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_lane_that_does_not_operate_needs_no_weight(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_sl2vl_all(fabric, "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7");
	build_oper_vls_all(fabric, 2);
	build_vlarb_all(fabric, "0:64", "1:4");
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void lanes_that_no_port_can_have_are_not_judged(void **state)
{
	static const int64_t lanes[] = {0, 15, FIELD_UNKNOWN};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fabric *fabric = build_tree();
		struct rule_run run;

		build_conf(fabric, "qos", "TRUE");
		build_sl2vl_all(fabric, "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15");
		build_vlarb_all(fabric, "0:64", "1:4");
		build_oper_vls_all(fabric, lanes[i]);
		run = run_rule(fabric, RULE_ID);
		assert_int_equal(run.verdict->finding_count, 0);
		assert_non_null(strstr(run.verdict->reason, "OperVLs not known: VL0 alone was judged"));
		run_end(&run);
		fabric_free(fabric);
	}
}

static void with_qos_off_unused_sls_are_only_mentioned(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_sl2vl_all(fabric, ON_4);
	build_vlarb_all(fabric, "0:64", "1:4");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "16 ports"));
	run_end(&run);
	fabric_free(fabric);
}

/* Four lanes by max_op_vls, VL 3 with weight 0 at the end of the list, CA set shorter than it should be. */
static struct fabric *conf_alone(const char *qos)
{
	struct fabric *fabric = build_fabric();

	build_conf(fabric, "qos", qos);
	build_conf(fabric, "max_op_vls", "3");
	build_conf(fabric, "qos_vlarb_high", "0:48,1:24,0:16");
	build_conf(fabric, "qos_vlarb_low", "0:8,1:8,2:8,3:0");
	build_conf(fabric, "qos_sl2vl", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7");
	build_conf(fabric, "qos_ca_sl2vl", "0,1,2,3,0,1,2,3,0,0,0,0,0,0,0,0");
	return fabric;
}

static void opensm_conf_alone_is_judged_class_by_class(void **state)
{
	struct fabric *fabric = conf_alone("TRUE");
	struct rule_run run = run_rule(fabric, RULE_ID);
	const struct finding *finding;

	(void)state;
	assert_int_equal(run.verdict->finding_count, 2);
	finding = run_finding(&run, "conf:qos_vlarb_low:sl=3, 7, 11, 15");
	assert_non_null(strstr(finding->message, "external switch ports"));
	assert_string_equal(finding->subject, "opensm.conf:4");
	finding = run_finding(&run, "conf:qos_vlarb_low:sl=3, 7");
	assert_non_null(finding);
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	run_end(&run);
	fabric_free(fabric);
}

static void opensm_conf_is_dead_while_qos_is_false(void **state)
{
	struct fabric *fabric = conf_alone("FALSE");

	(void)state;
	assert_rule(fabric, RULE_ID, VERDICT_NOT_CHECKED);
	fabric_free(fabric);
}

static void the_built_in_tables_serve_every_lane(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_vl_with_a_weight_somewhere_passes),
		cmocka_unit_test(a_vl_of_weight_0_that_an_unused_sl_comes_to_is_a_warning),
		cmocka_unit_test(a_vl_without_weight_that_carries_an_sl_in_use_is_an_error),
		cmocka_unit_test(a_lane_that_does_not_operate_needs_no_weight),
		cmocka_unit_test(lanes_that_no_port_can_have_are_not_judged),
		cmocka_unit_test(with_qos_off_unused_sls_are_only_mentioned),
		cmocka_unit_test(opensm_conf_alone_is_judged_class_by_class),
		cmocka_unit_test(opensm_conf_is_dead_while_qos_is_false),
		cmocka_unit_test(the_built_in_tables_serve_every_lane),
	};

	return cmocka_run_group_tests_name("rule_vl_never_served", tests, NULL, NULL);
}
