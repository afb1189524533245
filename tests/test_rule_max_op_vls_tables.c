/* max-op-vls-truncation without opensm.conf: what the tables themselves show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "max-op-vls-truncation"
#define EIGHT_CLASSES "0,1,2,3,4,5,6,7,7,7,7,7,7,7,7,7"
#define EIGHT_ON_4 "0,1,2,3,0,1,2,3,3,3,3,3,3,3,3,3"

static void a_leftover_shows_without_opensm_conf_beside_the_ca_tables(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_type(fabric, NODE_TYPE_CA, EIGHT_CLASSES);
	build_sl2vl_type(fabric, NODE_TYPE_SWITCH, EIGHT_ON_4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run.first->discriminator, "all:leftover:lanes=8");
	run_end(&run);
	fabric_free(fabric);
}

static void without_opensm_conf_the_usual_map_folded_is_worth_knowing_only(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, SL2VL_ON_4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

static void without_opensm_conf_another_map_folded_is_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, "0,1,2,3,0,1,2,3,0,1,2,3,0,1,15,15");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_non_null(strstr(run.first->message, "VL15 left out"));
	run_end(&run);
	fabric_free(fabric);
}

static void one_sl_sent_to_vl15_proves_no_fold(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_sl2vl_type(fabric, NODE_TYPE_CA, "0,1,2,15,4,5,6,7,0,1,2,3,4,5,6,7");
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void the_same_map_with_every_lane_shared_is_folded(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl_type(fabric, NODE_TYPE_CA, "1,0,2,3,4,5,6,7,1,0,2,3,4,5,6,7");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_null(strstr(run.first->message, "VL15"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_map_of_two_classes_on_four_lanes_is_a_choice(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_oper_vls_all(fabric, 4);
	build_sl2vl_all(fabric, "0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1");

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void without_tables_and_without_opensm_conf_nothing_was_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule(fabric, RULE_ID, VERDICT_NOT_CHECKED);
	fabric_free(fabric);
}

static void lanes_taken_away_that_tables_still_name_are_worth_knowing(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_oper_vls_all(fabric, 2);
	build_sl2vl_all(fabric, SL2VL_SHIPPED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run.first->discriminator, "all:lanes-cut:lanes=2");
	assert_int_equal(run.first->severity, SEVERITY_INFO);
	assert_non_null(strstr(run.first->message, "2 of the 8 data VLs"));
	run_end(&run);
	fabric_free(fabric);
}

static void lanes_that_the_hardware_lacks_were_not_taken_away(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_sl2vl_all(fabric, SL2VL_SHIPPED);
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leftover_shows_without_opensm_conf_beside_the_ca_tables),
		cmocka_unit_test(without_opensm_conf_the_usual_map_folded_is_worth_knowing_only),
		cmocka_unit_test(without_opensm_conf_another_map_folded_is_a_warning),
		cmocka_unit_test(one_sl_sent_to_vl15_proves_no_fold),
		cmocka_unit_test(the_same_map_with_every_lane_shared_is_folded),
		cmocka_unit_test(a_map_of_two_classes_on_four_lanes_is_a_choice),
		cmocka_unit_test(without_tables_and_without_opensm_conf_nothing_was_checked),
		cmocka_unit_test(lanes_taken_away_that_tables_still_name_are_worth_knowing),
		cmocka_unit_test(lanes_that_the_hardware_lacks_were_not_taken_away),
	};

	return cmocka_run_group_tests_name("rule_max_op_vls_tables", tests, NULL, NULL);
}
