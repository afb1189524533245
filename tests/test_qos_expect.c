/* What OpenSM programs: rules/analysis/qos_expect.c and sl_fold.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/analysis/qos_expect.h"
#include "rules/analysis/sl_fold.h"
#include "tests/support/build_fabric.h"

static const uint8_t shipped[SL_COUNT] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 7};

static void masking_is_modulo_and_spares_15(void **state)
{
	const uint8_t design[SL_COUNT] = {4, 5, 15, 7, 8, 9, 10, 11, 12, 13, 14, 0, 1, 2, 3, 15};
	const uint8_t want[SL_COUNT] = {0, 1, 15, 3, 0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 15};
	uint8_t masked[SL_COUNT];

	(void)state;
	qos_mask_sl2vl(design, 4, masked);
	assert_memory_equal(masked, want, SL_COUNT);
	qos_mask_sl2vl(design, 15, masked);
	assert_memory_equal(masked, design, SL_COUNT);
}

static void a_table_is_written_up_to_its_cap_and_64_entries_only_by_half(void **state)
{
	const struct vlarb_entry set[] = {{0, 64}, {5, 32}, {9, 16}};
	struct vlarb_entry table[64];

	(void)state;
	assert_int_equal(qos_expect_vlarb(set, 3, 8, 4, table), 8);
	assert_int_equal(table[1].vl, 1);
	assert_int_equal(table[2].vl, 1);
	assert_int_equal(table[2].weight, 16);
	assert_int_equal(table[3].weight, 0);
	assert_int_equal(qos_expect_vlarb(set, 3, 2, 8, table), 2);
	assert_int_equal(qos_expect_vlarb(set, 3, 40, 8, table), 40);
	assert_int_equal(qos_expect_vlarb(set, 3, 64, 8, table), 32);
	assert_int_equal(qos_expect_vlarb(set, 3, 0, 8, table), 0);
}

static void entries_without_weight_make_no_difference(void **state)
{
	const struct vlarb_entry a[] = {{0, 64}, {1, 0}, {2, 8}};
	const struct vlarb_entry b[] = {{3, 0}, {0, 64}, {2, 8}, {0, 0}};
	const struct vlarb_entry c[] = {{2, 8}, {0, 64}};

	(void)state;
	assert_true(qos_vlarb_equal(a, 3, b, 4));
	assert_false(qos_vlarb_equal(a, 3, c, 2));
	assert_false(qos_vlarb_equal(a, 3, a, 2));
	assert_true(qos_vlarb_equal(a, 0, b, 1));
}

static void the_lanes_of_a_link_are_the_least_of_both_caps_and_the_code(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "host-11"), 1);
	struct opensm_options options = fabric->config->opensm;

	(void)state;
	port->peer->info.vl_cap = 4;
	assert_int_equal(qos_expect_oper_vls(&options, port), 4);
	options.max_op_vls = 2;
	assert_int_equal(qos_expect_oper_vls(&options, port), 2);
	options.max_op_vls = 8;
	assert_int_equal(qos_expect_oper_vls(&options, port), 4);
	options.max_op_vls = 0;
	assert_true(qos_expect_oper_vls(&options, port) == FIELD_UNKNOWN);
	options.max_op_vls = 5;
	port->peer->info.vl_cap = FIELD_UNKNOWN;
	assert_true(qos_expect_oper_vls(&options, port) == FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void values_no_port_can_hold_are_unknown(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "host-11"), 1);

	(void)state;
	port->info.oper_vls = 0;
	assert_true(qos_lanes(port) == FIELD_UNKNOWN);
	port->info.oper_vls = 4000;
	assert_true(qos_lanes(port) == FIELD_UNKNOWN);
	port->info.vl_cap = -3;
	assert_true(qos_link_vl_cap(port) == FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void folds_are_told_from_maps_of_few_classes(void **state)
{
	const uint8_t few[SL_COUNT] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
	const uint8_t own[SL_COUNT] = {1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2, 1, 0, 3, 2};
	uint8_t folded[SL_COUNT];

	(void)state;
	for (int64_t lanes = 1; lanes <= 8; lanes *= 2) {
		qos_mask_sl2vl(shipped, lanes, folded);
		assert_int_equal(sl_fold_seen(folded, lanes), SL_FOLD_SHIPPED);
	}
	assert_int_equal(sl_fold_seen(shipped, 8), SL_FOLD_NONE);
	assert_int_equal(sl_fold_seen(few, 4), SL_FOLD_NONE);
	assert_int_equal(sl_fold_seen(own, 4), SL_FOLD_OWN);
	assert_int_equal(sl_fold_seen(own, 8), SL_FOLD_NONE);
	assert_int_equal(sl_fold_seen(shipped, 15), SL_FOLD_NONE);
}

static void a_leftover_is_the_design_under_a_smaller_mask(void **state)
{
	uint8_t on4[SL_COUNT], on8[SL_COUNT];

	(void)state;
	qos_mask_sl2vl(shipped, 4, on4);
	qos_mask_sl2vl(shipped, 8, on8);
	assert_int_equal(sl_fold_leftover(shipped, on4, 8), 4);
	assert_int_equal(sl_fold_leftover(shipped, on4, 15), 4);
	assert_int_equal(sl_fold_leftover(shipped, on4, 4), 0);
	assert_int_equal(sl_fold_leftover(shipped, on8, 4), 0);
}

static void only_sls_that_the_design_keeps_apart_fall_together(void **state)
{
	const uint8_t design[SL_COUNT] = {0, 4, 0, 1, 15, 15};
	uint8_t held[SL_COUNT];

	(void)state;
	qos_mask_sl2vl(design, 4, held);
	assert_int_equal(sl_fold_together(design, held, 0x3f), 0x7);
	assert_int_equal(sl_fold_together(design, held, 0x5), 0);
	assert_int_equal(sl_fold_together(design, held, 0x3), 0x3);
}

static void bits_and_tables_print_as_people_write_them(void **state)
{
	const struct vlarb_entry table[] = {{0, 64}, {1, 0}, {2, 8}, {0, 0}};
	char bits[QOS_BITS_SIZE], named[QOS_SLS_SIZE], arb[QOS_VLARB_SIZE], groups[QOS_GROUPS_SIZE];
	struct vlarb_entry full[64];

	(void)state;
	assert_string_equal(qos_bits_text(0xf00b, bits), "0, 1, 3, 12-15");
	assert_string_equal(qos_bits_text(0, bits), "none");
	assert_string_equal(qos_sls_are(0x8, named), "SL 3 is");
	assert_string_equal(qos_vls_text(0xfe, named), "VLs 1-7");
	assert_string_equal(qos_vlarb_text(table, 4, arb), "0:64,1:0,2:8");
	assert_string_equal(qos_sl2vl_text(shipped, bits), "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7");
	assert_string_equal(qos_groups_text(shipped, 0xffff, groups), "{7,15}");
	memset(full, 0xff, sizeof(full));
	assert_true(strlen(qos_vlarb_text(full, 64, arb)) < QOS_VLARB_SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(masking_is_modulo_and_spares_15),
		cmocka_unit_test(a_table_is_written_up_to_its_cap_and_64_entries_only_by_half),
		cmocka_unit_test(entries_without_weight_make_no_difference),
		cmocka_unit_test(the_lanes_of_a_link_are_the_least_of_both_caps_and_the_code),
		cmocka_unit_test(values_no_port_can_hold_are_unknown),
		cmocka_unit_test(folds_are_told_from_maps_of_few_classes),
		cmocka_unit_test(a_leftover_is_the_design_under_a_smaller_mask),
		cmocka_unit_test(only_sls_that_the_design_keeps_apart_fall_together),
		cmocka_unit_test(bits_and_tables_print_as_people_write_them),
	};

	return cmocka_run_group_tests_name("qos_expect", tests, NULL, NULL);
}
