/* PortInfo as bytes -> the fabric. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/live_bench.h"

/* A CA's PortInfo, Active at 4x. */
static void put_ca_port(struct bench *bench)
{
	bench_put(bench, IB_PORT_LID_F, 77);
	bench_put(bench, IB_PORT_SMLID_F, 3);
	bench_put(bench, IB_PORT_LMC_F, 2);
	bench_put(bench, IB_PORT_CAPMASK_F, 1u << 14 | 1u << 15 | 1u << 6);
	bench_put(bench, IB_PORT_STATE_F, 4);
	bench_put(bench, IB_PORT_PHYS_STATE_F, 5);
	bench_put(bench, IB_PORT_LINK_WIDTH_ACTIVE_F, 2);
	bench_put(bench, IB_PORT_LINK_WIDTH_SUPPORTED_F, 0x13);
	bench_put(bench, IB_PORT_LINK_WIDTH_ENABLED_F, 255);
	bench_put(bench, IB_PORT_LINK_SPEED_ACTIVE_F, 4);
	bench_put(bench, IB_PORT_LINK_SPEED_SUPPORTED_F, 7);
	bench_put(bench, IB_PORT_LINK_SPEED_ENABLED_F, 15);
	bench_put(bench, IB_PORT_NEIGHBOR_MTU_F, 5);
	bench_put(bench, IB_PORT_MTU_CAP_F, 5);
	bench_put(bench, IB_PORT_VL_CAP_F, 4);
	bench_put(bench, IB_PORT_OPER_VLS_F, 3);
	bench_put(bench, IB_PORT_VL_HIGH_LIMIT_F, 255);
}

static const struct question own_port = {.ask = ASK_PORT_INFO, .port = 1, .modifier = 1};

static void port_info_is_decoded_once(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct port_fields *info;

	(void)state;
	put_ca_port(bench);
	mad_set_field64(bench->data, 0, IB_PORT_GID_PREFIX_F, 0xfe80000000000000);
	mad_set_field64(bench->data, 0, IB_PORT_MKEY_F, 0xfeedfacecafebeef);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	info = &bench_port(bench, 1)->info;
	assert_int_equal(info->lid, 77);
	assert_int_equal(info->lmc, 2);
	assert_true(info->gid_prefix == (int64_t)0xfe80000000000000);
	assert_int_equal(info->link_width_active, 4);
	assert_int_equal(info->link_width_enabled, 0x13);
	assert_int_equal(info->neighbor_mtu, 4096);
	assert_int_equal(info->vl_cap, 8);
	assert_int_equal(info->oper_vls, 4);
	assert_int_equal(info->vl_high_limit, 255);
	assert_int_equal(info->link_speed_code, 4);
	assert_int_equal(info->link_speed_active, 10000);
	assert_int_equal(info->link_speed_enabled, 7);
	assert_int_equal(bench_port(bench, 1)->source_of[ATTRIBUTE_PORT_INFO], 1);
	bench_free(bench);
}

static void the_extended_speed_goes_before_the_old_one(void **state)
{
	static const struct {
		unsigned code;
		int64_t mbps;
	} speeds[] = {{1, 14062}, {2, 25781}, {4, 53125}, {8, 106250}};

	(void)state;
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);

		put_ca_port(bench);
		bench_put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, speeds[i].code);
		bench_put(bench, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 15);
		bench_put(bench, IB_PORT_LINK_SPEED_EXT_ENABLED_F, 31);
		assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
		assert_int_equal(bench_port(bench, 1)->info.link_speed_active, speeds[i].mbps);
		assert_int_equal(bench_port(bench, 1)->info.link_speed_supported, 15 << 8 | 7);
		assert_int_equal(bench_port(bench, 1)->info.link_speed_enabled, 15 << 8 | 7);
		bench_free(bench);
	}
}

static void extended_speeds_that_are_switched_off_are_not_enabled(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	bench_put(bench, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 3);
	bench_put(bench, IB_PORT_LINK_SPEED_EXT_ENABLED_F, 30);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	assert_int_equal(bench_port(bench, 1)->info.link_speed_enabled, 7);
	bench_free(bench);
}

static void the_extended_fields_need_their_capability(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	bench_put(bench, IB_PORT_CAPMASK_F, 0);
	bench_put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 8);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	assert_int_equal(bench_port(bench, 1)->info.link_speed_active, 10000);
	bench_free(bench);
}

static void xdr_is_in_the_second_extension(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	bench_put(bench, IB_PORT_CAPMASK2_F, 1u << 11);
	bench_put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 8);
	bench_put(bench, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 15);
	bench_put(bench, IB_PORT_LINK_SPEED_EXT_ENABLED_F, 31);
	bench->data[56] = 1 << 5 | 1 << 3 | 1;
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	assert_int_equal(bench_port(bench, 1)->info.link_speed_active, 212500);
	assert_int_equal(bench_port(bench, 1)->info.link_speed_code, 1 << 24 | 8 << 8 | 4);
	bench_free(bench);
}

static void the_same_bits_without_its_capability_are_reserved(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	bench_put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 8);
	bench->data[56] = 0xff;
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	assert_int_equal(bench_port(bench, 1)->info.link_speed_active, 106250);
	bench_free(bench);
}

static void an_external_port_owns_no_lid_and_a_base_port_0_no_link(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
	const struct question port0 = {.ask = ASK_PORT_INFO};

	(void)state;
	put_ca_port(bench);
	bench->device->sw.enhanced_port0 = 0;
	assert_int_equal(bench_take(bench, read_port_info, port0), 0);
	assert_int_equal(bench_port(bench, 0)->info.lid, 77);
	assert_true(bench_port(bench, 0)->info.port_state == FIELD_UNKNOWN);
	assert_true(bench_port(bench, 0)->info.link_width_active == FIELD_UNKNOWN);
	assert_true(bench_port(bench, 0)->info.link_speed_active == FIELD_UNKNOWN);
	assert_true(bench_port(bench, 0)->info.oper_vls == FIELD_UNKNOWN);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	assert_true(bench_port(bench, 1)->info.lid == FIELD_UNKNOWN);
	assert_true(bench_port(bench, 1)->info.capability_mask == FIELD_UNKNOWN);
	assert_int_equal(bench_port(bench, 1)->info.port_state, 4);
	bench_free(bench);
}

static void an_enhanced_port_0_has_its_link_fields(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
	const struct question port0 = {.ask = ASK_PORT_INFO};

	(void)state;
	put_ca_port(bench);
	bench->device->sw.enhanced_port0 = 1;
	assert_int_equal(bench_take(bench, read_port_info, port0), 0);
	assert_int_equal(bench_port(bench, 0)->info.port_state, 4);
	assert_int_equal(bench_port(bench, 0)->info.oper_vls, 4);
	bench_free(bench);
}

static void codes_that_do_not_exist_are_unknown_or_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	bench_put(bench, IB_PORT_VL_CAP_F, 9);
	bench_put(bench, IB_PORT_NEIGHBOR_MTU_F, 0);
	bench_put(bench, IB_PORT_OPER_VLS_F, 0);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	assert_true(bench_port(bench, 1)->info.vl_cap == FIELD_UNKNOWN);
	assert_true(bench_port(bench, 1)->info.neighbor_mtu == FIELD_UNKNOWN);
	assert_true(bench_port(bench, 1)->info.oper_vls == FIELD_UNKNOWN);
	bench_put(bench, IB_PORT_STATE_F, 9);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 1);
	bench_free(bench);
}

/* A port that PortInfo shows at QDR. */
static void put_qdr(struct bench *bench)
{
	put_ca_port(bench);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	memset(bench->data, 0, sizeof(bench->data));
}

static void fdr10_is_in_the_extended_port_info(void **state)
{
	const struct question question = {.ask = ASK_EXTENDED_PORT_INFO, .port = 1};
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct port *port;

	(void)state;
	put_qdr(bench);
	bench_put(bench, IB_MLNX_EXT_PORT_LINK_SPEED_SUPPORTED_F, 1);
	bench_put(bench, IB_MLNX_EXT_PORT_LINK_SPEED_ENABLED_F, 1);
	bench_put(bench, IB_MLNX_EXT_PORT_LINK_SPEED_ACTIVE_F, 1);
	assert_int_equal(bench_take(bench, read_extended_port_info, question), 0);
	port = bench_port(bench, 1);
	assert_string_equal(speed_name(port->info.link_speed_active), "FDR10");
	assert_int_equal(port->source_of[ATTRIBUTE_EXTENDED_PORT_INFO], 1);
	bench_free(bench);
}

static void qdr_stays_qdr_where_the_extension_says_nothing(void **state)
{
	const struct question question = {.ask = ASK_EXTENDED_PORT_INFO, .port = 1};
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_qdr(bench);
	assert_int_equal(bench_take(bench, read_extended_port_info, question), 0);
	assert_string_equal(speed_name(bench_port(bench, 1)->info.link_speed_active), "QDR");
	bench_free(bench);
}

static unsigned extensions_asked(unsigned device_id, unsigned vendor_id, int64_t code)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct question question = {0};
	unsigned asked = 0;

	bench->device->info.device_id = device_id;
	bench->device->info.vendor_id = vendor_id;
	bench_port_up(bench, 1);
	bench_port(bench, 1)->info.link_speed_code = code;
	assert_int_equal(speed_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	for (uint32_t at = 0; at < bench->target->cursor_end; at++)
		asked += speed_stage.question(&bench->collect, bench->target, at, &question) == 1;
	bench_free(bench);
	return asked;
}

static void the_extension_is_asked_of_those_known_to_answer(void **state)
{
	(void)state;
	assert_int_equal(extensions_asked(0x1003, 0x02c9, 4), 1);
	assert_int_equal(extensions_asked(0xc738, 0x02c9, 4), 1);
	assert_int_equal(extensions_asked(0x1b02, 0x119f, 4), 1);
	assert_int_equal(extensions_asked(0x1b02, 0x02c9, 4), 0);
	assert_int_equal(extensions_asked(0x7322, 0x1175, 4), 0);
	/* Only where it could say more: a faster link says so in PortInfo. */
	assert_int_equal(extensions_asked(0x1003, 0x02c9, 4 | 1 << 8), 0);
	assert_int_equal(extensions_asked(0x1003, 0x02c9, 2), 0);
}

static void what_no_port_can_say_is_not_believed(void **state)
{
	static const struct {
		enum MAD_FIELDS field;
		uint32_t value;
		int rc;
	} rows[] = {
		{IB_PORT_STATE_F, 6, 1},	   {IB_PORT_STATE_F, 5, 0},
		{IB_PORT_PHYS_STATE_F, 2, 1},	   {IB_PORT_PHYS_STATE_F, 6, 0},
		/* One code alone may be a new one. */
		{IB_PORT_VL_CAP_F, 6, 0},	   {IB_PORT_MTU_CAP_F, 15, 0},
		{IB_PORT_VL_ARBITRATION_LOW_CAP_F, 65, 1},
		{IB_PORT_VL_ARBITRATION_LOW_CAP_F, 64, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);

		put_ca_port(bench);
		bench_put(bench, rows[i].field, rows[i].value);
		assert_int_equal(bench_take(bench, read_port_info, own_port), rows[i].rc);
		assert_int_equal(bench_port(bench, 1)->source_of[ATTRIBUTE_PORT_INFO],
				 rows[i].rc == 0);
		bench_free(bench);
	}
}

static void several_codes_that_do_not_exist_are_none(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	bench_put(bench, IB_PORT_LINK_WIDTH_ACTIVE_F, 3);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	bench_put(bench, IB_PORT_MTU_CAP_F, 6);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 1);
	bench_free(bench);
}

static void more_at_work_than_there_can_be_is_told_and_not_believed(void **state)
{
	static const struct {
		enum MAD_FIELDS field;
		uint32_t code;
		unsigned holes;
	} rows[] = {
		{IB_PORT_OPER_VLS_F, 3, 0},	{IB_PORT_OPER_VLS_F, 4, 0},
		{IB_PORT_OPER_VLS_F, 5, 1},	{IB_PORT_OPER_VLS_F, 0, 1},
		{IB_PORT_OPER_VLS_F, 15, 1},	{IB_PORT_VL_CAP_F, 0, 1},
		{IB_PORT_NEIGHBOR_MTU_F, 4, 0}, {IB_PORT_NEIGHBOR_MTU_F, 0, 1},
		{IB_PORT_MTU_CAP_F, 3, 1},	{IB_PORT_MTU_CAP_F, 0, 1},
		/* New to this program, and no nonsense. */
		{IB_PORT_MTU_CAP_F, 6, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);
		bool of_vls = rows[i].field == IB_PORT_OPER_VLS_F || rows[i].field == IB_PORT_VL_CAP_F;
		const struct port_fields *info;

		put_ca_port(bench);
		bench_put(bench, rows[i].field, rows[i].code);
		assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
		info = &bench_port(bench, 1)->info;
		assert_int_equal(bench->target->miss_count, rows[i].holes);
		assert_int_equal(info->lid, 77);
		if (rows[i].holes) {
			assert_int_equal(bench->target->misses[0].reason, HOLE_BAD_ANSWER);
			assert_int_equal(of_vls ? info->oper_vls : info->neighbor_mtu, FIELD_UNKNOWN);
			assert_int_equal(of_vls ? info->neighbor_mtu : info->oper_vls, of_vls ? 4096 : 4);
		}
		bench_free(bench);
	}
}

/* What is not at work has nothing at work. */
static void a_port_in_init_may_have_no_oper_vls(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	bench_put(bench, IB_PORT_STATE_F, 2);
	bench_put(bench, IB_PORT_OPER_VLS_F, 0);
	bench_put(bench, IB_PORT_NEIGHBOR_MTU_F, 0);
	assert_int_equal(bench_take(bench, read_port_info, own_port), 0);
	assert_int_equal(bench->target->miss_count, 0);
	bench_free(bench);
}

static void the_port_that_answers_come_by_is_not_down(void **state)
{
	(void)state;
	for (unsigned hops = 0; hops < 2; hops++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);

		bench->target->route.hops = (uint8_t)hops;
		bench->target->route.in[hops] = 1;
		put_ca_port(bench);
		bench_put(bench, IB_PORT_STATE_F, 1);
		bench_put(bench, IB_PORT_PHYS_STATE_F, 2);
		/* The local port answers without its link. */
		assert_int_equal(bench_take(bench, read_port_info, own_port), (int)hops);
		bench_free(bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(port_info_is_decoded_once),
		cmocka_unit_test(the_extended_speed_goes_before_the_old_one),
		cmocka_unit_test(extended_speeds_that_are_switched_off_are_not_enabled),
		cmocka_unit_test(the_extended_fields_need_their_capability),
		cmocka_unit_test(xdr_is_in_the_second_extension),
		cmocka_unit_test(the_same_bits_without_its_capability_are_reserved),
		cmocka_unit_test(an_external_port_owns_no_lid_and_a_base_port_0_no_link),
		cmocka_unit_test(an_enhanced_port_0_has_its_link_fields),
		cmocka_unit_test(fdr10_is_in_the_extended_port_info),
		cmocka_unit_test(qdr_stays_qdr_where_the_extension_says_nothing),
		cmocka_unit_test(the_extension_is_asked_of_those_known_to_answer),
		cmocka_unit_test(codes_that_do_not_exist_are_unknown_or_refused),
		cmocka_unit_test(what_no_port_can_say_is_not_believed),
		cmocka_unit_test(several_codes_that_do_not_exist_are_none),
		cmocka_unit_test(more_at_work_than_there_can_be_is_told_and_not_believed),
		cmocka_unit_test(a_port_in_init_may_have_no_oper_vls),
		cmocka_unit_test(the_port_that_answers_come_by_is_not_down),
	};

	return cmocka_run_group_tests_name("live_ports", tests, NULL, NULL);
}
