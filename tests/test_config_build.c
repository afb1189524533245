#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"

static int open_fabric(void **state)
{
	struct err err = {0};

	return fabric_new((struct fabric **)state, &err);
}

static int close_fabric(void **state)
{
	fabric_free(*state);
	return 0;
}

static void set(struct fabric *fabric, const char *key, const char *value)
{
	struct config_option *option = config_option_add(fabric->config);

	assert_non_null(option);
	option->key = fabric_text(fabric, key, strlen(key));
	option->effective = fabric_text(fabric, value, strlen(value));
}

static struct opensm_options *build(struct fabric *fabric)
{
	struct err err = {0};

	assert_int_equal(config_build(fabric->config, &err), 0);
	return &fabric->config->opensm;
}

static void nothing_written_gives_what_opensm_has_built_in(void **state)
{
	const struct opensm_options *opensm = build(*state);
	const struct qos_options *ca = &opensm->set[QOS_CLASS_CA];

	assert_false(opensm->qos);
	assert_int_equal(opensm->lmc, 0);
	assert_int_equal(opensm->max_op_vls, 5);
	assert_null(opensm->routing_engine);
	assert_true(opensm->subnet_prefix == 0xfe80000000000000ull);
	assert_int_equal(opensm->sweep_interval, 10);
	assert_int_equal(ca->max_vls, 15);
	assert_int_equal(ca->high_limit, 0);
	assert_int_equal(ca->high_limit_from, -1);
	assert_int_equal(ca->sl2vl[14], 14);
	assert_int_equal(ca->sl2vl[15], 7);
	assert_int_equal(ca->sl2vl_from, -1);
	assert_int_equal(ca->vlarb_high_count, 15);
	assert_int_equal(ca->vlarb_high[0].weight, 4);
	assert_int_equal(ca->vlarb_high[1].weight, 0);
	assert_int_equal(ca->vlarb_low[0].weight, 0);
	assert_int_equal(ca->vlarb_low[14].weight, 4);
}

static void a_class_takes_its_own_value_then_that_of_all_then_the_built_in(void **state)
{
	set(*state, "qos", "TRUE");
	set(*state, "qos_high_limit", "4");
	set(*state, "qos_ca_high_limit", "255");
	set(*state, "qos_sl2vl", "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7");
	set(*state, "qos_swe_sl2vl", "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,15");
	set(*state, "qos_rtr_vlarb_low", "0:64,1:32");

	const struct opensm_options *opensm = build(*state);

	assert_true(opensm->qos);
	assert_int_equal(opensm->set[QOS_CLASS_CA].high_limit, 255);
	assert_int_equal(opensm->set[QOS_CLASS_CA].high_limit_from, QOS_CLASS_CA);
	assert_int_equal(opensm->set[QOS_CLASS_SWE].high_limit, 4);
	assert_int_equal(opensm->set[QOS_CLASS_SWE].high_limit_from, QOS_CLASS_DEFAULT);
	assert_int_equal(opensm->set[QOS_CLASS_CA].sl2vl[8], 0);
	assert_int_equal(opensm->set[QOS_CLASS_SWE].sl2vl[8], 1);
	assert_int_equal(opensm->set[QOS_CLASS_SWE].sl2vl[15], 15);
	assert_int_equal(opensm->set[QOS_CLASS_RTR].vlarb_low_count, 2);
	assert_int_equal(opensm->set[QOS_CLASS_RTR].vlarb_low[1].weight, 32);
	assert_int_equal(opensm->set[QOS_CLASS_SW0].vlarb_low_from, -1);
}

static void a_high_limit_out_of_range_is_unset_and_inherits(void **state)
{
	set(*state, "qos_high_limit", "9");
	set(*state, "qos_ca_high_limit", "300");
	set(*state, "qos_swe_high_limit", "-1");

	const struct opensm_options *opensm = build(*state);

	assert_int_equal(opensm->set[QOS_CLASS_CA].high_limit, 9);
	assert_int_equal(opensm->set[QOS_CLASS_CA].high_limit_from, QOS_CLASS_DEFAULT);
	assert_int_equal(opensm->set[QOS_CLASS_SWE].high_limit, 9);
}

static void max_op_vls_is_a_code_and_only_one_to_five_limit(void **state)
{
	struct opensm_options options = {.max_op_vls = 3};

	(void)state;

	assert_int_equal(config_oper_vls(&options, 8, 15), 4);
	assert_int_equal(config_oper_vls(&options, 2, 15), 2);
	assert_int_equal(config_oper_vls(&options, FIELD_UNKNOWN, FIELD_UNKNOWN), 4);
	options.max_op_vls = 8;
	assert_int_equal(config_oper_vls(&options, 8, 15), 8);
	assert_int_equal(config_oper_vls(&options, FIELD_UNKNOWN, FIELD_UNKNOWN), FIELD_UNKNOWN);
	options.max_op_vls = 0;
	assert_int_equal(config_oper_vls(&options, 15, 15), 15);
}

static void a_lane_is_cut_by_a_mask_and_not_by_a_clamp(void **state)
{
	(void)state;

	assert_int_equal(config_mask_vl(4, 4), 0);
	assert_int_equal(config_mask_vl(7, 4), 3);
	assert_int_equal(config_mask_vl(15, 4), 15);
	assert_int_equal(config_mask_vl(9, 1), 0);
	assert_int_equal(config_mask_vl(9, 15), 9);
	assert_int_equal(config_mask_vl(9, FIELD_UNKNOWN), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_written_gives_what_opensm_has_built_in,
						open_fabric, close_fabric),
		cmocka_unit_test_setup_teardown(
			a_class_takes_its_own_value_then_that_of_all_then_the_built_in, open_fabric,
			close_fabric),
		cmocka_unit_test_setup_teardown(a_high_limit_out_of_range_is_unset_and_inherits,
						open_fabric, close_fabric),
		cmocka_unit_test(max_op_vls_is_a_code_and_only_one_to_five_limit),
		cmocka_unit_test(a_lane_is_cut_by_a_mask_and_not_by_a_clamp),
	};

	return cmocka_run_group_tests_name("config_build", tests, NULL, NULL);
}
