/* Counters as bytes -> the fabric. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/analysis/sl_use.h"
#include "tests/support/live_bench.h"

static void a_counter_at_its_end_is_saturated(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};
	const struct port_counters *counters;

	(void)state;
	bench_put(bench, IB_PC_PORT_SELECT_F, 1);
	bench_put(bench, IB_PC_ERR_SYM_F, 65535);
	bench_put(bench, IB_PC_LINK_DOWNED_F, 254);
	bench_put(bench, IB_PC_ERR_LOCALINTEG_F, 15);
	assert_int_equal(bench_take(bench, read_counters, question), 0);
	counters = bench_port(bench, 1)->counters;
	assert_int_equal(counters->value[COUNTER_symbol_error], 65535);
	assert_true(counters->saturated >> COUNTER_symbol_error & 1);
	assert_false(counters->saturated >> COUNTER_link_downed & 1);
	assert_true(counters->saturated >> COUNTER_local_link_integrity_errors & 1);
	assert_false(counters->known >> COUNTER_unicast_xmit_pkts & 1);
	bench_free(bench);
}

static void the_long_counter_stands_whichever_comes_first(void **state)
{
	const struct question brief = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};
	const struct question extended = {
		.ask = ASK_COUNTERS_EXTENDED, .port = 1, .port_select = 1};

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);

		for (int step = 0; step < 2; step++) {
			memset(bench->data, 0, sizeof(bench->data));
			bench_put(bench, IB_PC_PORT_SELECT_F, 1);
			if (step == turn) {
				bench_put(bench, IB_PC_XMT_BYTES_F, UINT32_MAX);
				assert_int_equal(bench_take(bench, read_counters, brief), 0);
			} else {
				mad_set_field64(bench->data, 0, IB_PC_EXT_XMT_BYTES_F,
						UINT64_C(1) << 40);
				assert_int_equal(bench_take(bench, read_counters_extended, extended), 0);
			}
		}
		assert_true(bench_port(bench, 1)->counters->value[COUNTER_xmit_data] ==
			    UINT64_C(1) << 40);
		assert_false(bench_port(bench, 1)->counters->saturated >> COUNTER_xmit_data & 1);
		bench_free(bench);
	}
}

static void a_long_counter_that_was_never_counted_gives_way_to_the_short_one(void **state)
{
	const struct question brief = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};
	const struct question extended = {
		.ask = ASK_COUNTERS_EXTENDED, .port = 1, .port_select = 1};

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);
		const struct port_counters *counters;

		bench->target->pm_known = true;
		bench->target->pm_capability2 = 2;	/* the additional 64-bit counters */
		for (int step = 0; step < 2; step++) {
			memset(bench->data, 0, sizeof(bench->data));
			bench_put(bench, IB_PC_PORT_SELECT_F, 1);
			if (step == turn) {
				bench_put(bench, IB_PC_ERR_SYM_F, 65535);
				bench_put(bench, IB_PC_LINK_DOWNED_F, 255);
				assert_int_equal(bench_take(bench, read_counters, brief), 0);
			} else {
				mad_set_field64(bench->data, 0, IB_PC_EXT_LINK_DOWNED_F, 300);
				assert_int_equal(bench_take(bench, read_counters_extended, extended), 0);
			}
		}
		counters = bench_port(bench, 1)->counters;
		assert_int_equal(counters->value[COUNTER_symbol_error], 65535);
		assert_true(counters->saturated >> COUNTER_symbol_error & 1);
		assert_int_equal(counters->value[COUNTER_link_downed], 300);
		assert_false(counters->saturated >> COUNTER_link_downed & 1);
		bench_free(bench);
	}
}

static void counters_of_another_port_are_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};

	(void)state;
	bench_put(bench, IB_PC_PORT_SELECT_F, 2);
	assert_int_equal(bench_take(bench, read_counters, question), 1);
	bench_free(bench);
}

static void what_class_port_info_does_not_offer_is_unsupported(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 2);
	const struct question class = {.ask = ASK_CLASS_PORT_INFO};
	struct question question = {0};
	unsigned asked = 0;

	(void)state;
	bench_port_up(bench, 1);
	bench_port(bench, 0)->info.lid = 5;
	bench_put(bench, IB_CPI_BASEVER_F, 1);
	assert_int_equal(bench_take(bench, read_class_port_info, class), 0);
	bench->target->answered |= UINT32_C(1) << ASK_CLASS_PORT_INFO;
	assert_int_equal(counters_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	for (uint32_t at = 0; at < bench->target->cursor_end; at++) {
		if (counters_stage.question(&bench->collect, bench->target, at, &question)) {
			assert_int_equal(question.ask, ASK_COUNTERS);
			asked++;
		}
	}
	assert_int_equal(asked, 1);
	assert_int_equal(counters_stage.leave(&bench->collect, bench->target, &bench->err), 0);
	assert_int_equal(holes_write(&bench->collect, &bench->err), 0);
	assert_int_equal(bench->fabric->hole_count, 1);
	assert_int_equal(bench->fabric->holes[0].attribute, ATTRIBUTE_COUNTERS_EXTENDED);
	assert_int_equal(bench->fabric->holes[0].reason, HOLE_UNSUPPORTED);
	assert_false(bench->fabric->partial);
	bench_free(bench);
}

static void an_agent_that_refuses_class_port_info_is_asked_and_a_silent_one_is_not(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	bench_port_up(bench, 1);
	bench_port(bench, 1)->info.lid = 5;
	assert_int_equal(counters_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	assert_int_equal(bench->target->cursor_end, 0);
	assert_int_equal(bench->target->missing, 1 << ATTRIBUTE_COUNTERS);
	bench->target->refused = UINT32_C(1) << ASK_CLASS_PORT_INFO;
	assert_int_equal(counters_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	assert_int_equal(bench->target->cursor_end, 2);
	bench_free(bench);
}

static void details_are_asked_for_where_errors_were_counted(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question errors = {.ask = ASK_RCV_ERROR_DETAILS, .port = 1};
	const struct question discards = {.ask = ASK_XMIT_DISCARD_DETAILS, .port = 1};
	const struct question brief = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};
	struct question question;
	const struct port_counters *counters;

	(void)state;
	bench_port_up(bench, 1);
	bench_put(bench, IB_PC_PORT_SELECT_F, 1);
	bench_put(bench, IB_PC_ERR_RCV_F, 12);
	assert_int_equal(bench_take(bench, read_counters, brief), 0);
	assert_int_equal(counter_details_stage.question(&bench->collect, bench->target, 0, &question),
			 1);
	assert_int_equal(question.ask, ASK_RCV_ERROR_DETAILS);
	assert_int_equal(counter_details_stage.question(&bench->collect, bench->target, 1, &question),
			 0);

	memset(bench->data, 0, sizeof(bench->data));
	bench_put(bench, IB_PC_RCV_LOCAL_PHY_ERR_F, 3);
	bench_put(bench, IB_PC_RCV_VL_MAP_ERR_F, 65535);
	bench_put(bench, IB_PC_RCV_LOOPING_ERR_F, 1);
	assert_int_equal(bench_take(bench, read_rcv_error_details, errors), 0);
	memset(bench->data, 0, sizeof(bench->data));
	bench_put(bench, IB_PC_XMT_SW_HOL_DISC_F, 9);
	assert_int_equal(bench_take(bench, read_xmit_discard_details, discards), 0);
	counters = bench_port(bench, 1)->counters;
	assert_int_equal(counters->value[COUNTER_local_physical_errors], 3);
	assert_true(counters->saturated >> COUNTER_vl_mapping_errors & 1);
	assert_int_equal(counters->value[COUNTER_looping_errors], 1);
	assert_int_equal(counters->value[COUNTER_sw_hoq_lifetime_limit_discards], 9);
	assert_int_equal(counters->value[COUNTER_rcv_errors], 12);
	bench_free(bench);
}

static void counters_of_a_service_level_prove_its_use(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_XMIT_DATA_SL, .port = 1};
	struct sl_use use;

	(void)state;
	mad_set_field(bench->data, 0, (enum MAD_FIELDS)(IB_PC_XMT_DATA_SL_FIRST_F + 5), 777);
	assert_int_equal(bench_take(bench, read_vl_counters, question), 0);
	assert_int_equal(bench->fabric->fact_count, 16);
	assert_string_equal(bench->fabric->facts[5].key, "PortXmitDataSL5");
	assert_string_equal(bench->fabric->facts[5].value, "777");
	sl_use_find(bench->fabric, &use);
	assert_int_equal(use.used, 1 << 5 | 1);
	bench_free(bench);
}

static void each_kind_of_lane_and_level_counter_is_asked_for_by_itself(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	uint32_t asks = 0;

	(void)state;
	bench_port_up(bench, 1);
	bench->target->answered = UINT32_C(1) << ASK_CLASS_PORT_INFO;
	assert_int_equal(vl_counters_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	assert_int_equal(bench->target->cursor_end, 5);
	for (uint32_t at = 0; at < 5; at++) {
		struct question question = {0};

		assert_int_equal(vl_counters_stage.question(&bench->collect, bench->target, at,
							    &question), 1);
		asks |= UINT32_C(1) << question.ask;
	}
	/* A refusal of one leaves the others. */
	assert_int_equal(asks >> ASK_XMIT_DATA_SL, 31);
	bench_free(bench);
}

/* Nothing comes, twice, for this of port 1. */
static void keep_silent(struct bench *bench, enum ask ask)
{
	const struct answer silence = {.outcome = OUTCOME_TIMEOUT};
	struct mad_request request = {.kind = (uint8_t)ask, .tag = 1};

	for (unsigned rounds = 0; rounds < 2; rounds++) {
		request.tag = 1 | rounds << 8;
		bench->target->out++;
		assert_int_equal(target_answer(&bench->collect, bench->target, &request, &silence,
					       &bench->err),
				 0);
	}
}

static void silence_about_offered_counters_is_a_loss(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	bench->target->stage = STAGE_COUNTERS;
	bench->target->pm_known = true;
	bench->target->pm_capability = 0x0200;
	keep_silent(bench, ASK_COUNTERS_EXTENDED);
	assert_int_equal(bench->target->miss_count, 1);
	assert_int_equal(bench->target->misses[0].reason, HOLE_TIMEOUT);
	assert_int_equal(bench->target->misses[0].port, 1);
	bench_free(bench);
}

static const enum ask optional[] = {
	ASK_EXTENDED_PORT_INFO, ASK_COUNTERS_EXTENDED, ASK_RCV_ERROR_DETAILS,
	ASK_XMIT_DISCARD_DETAILS, ASK_XMIT_DATA_SL, ASK_RCV_DATA_SL, ASK_VL_OP_PACKETS,
	ASK_VL_OP_DATA, ASK_VL_XMIT_WAIT, ASK_GUID_INFO, ASK_SL2VL, ASK_VLARB, ASK_MFT, ASK_SM_INFO,
};

static void silence_about_what_nobody_offered_is_a_loss_too(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);

		bench->target->stage = STAGE_COUNTERS;
		keep_silent(bench, optional[i]);
		assert_int_equal(bench->target->miss_count, 1);
		assert_int_equal(bench->target->misses[0].attribute, ask_attribute(optional[i]));
		assert_int_equal(bench->target->misses[0].reason, HOLE_TIMEOUT);
		assert_true(bench->target->check_wanted);
		bench_free(bench);
	}
}

static void what_a_device_says_it_has_not_is_no_loss(void **state)
{
	static const struct answer no = {.outcome = OUTCOME_STATUS, .status = 0x0c};

	(void)state;
	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);
		struct mad_request request = {.kind = (uint8_t)optional[i], .tag = 1};

		/* No IsSM: then it says of SMInfo what is so. */
		bench_port(bench, 1)->info.capability_mask = 0;
		bench->target->stage = STAGE_COUNTERS;
		bench->target->out++;
		assert_int_equal(target_answer(&bench->collect, bench->target, &request, &no,
					       &bench->err),
				 0);
		assert_int_equal(bench->target->miss_count, 1);
		assert_int_equal(bench->target->misses[0].reason, HOLE_UNSUPPORTED);
		bench_free(bench);
	}
}

static void details_that_are_refused_hide_no_others_that_were_lost(void **state)
{
	static const struct answer no = {.outcome = OUTCOME_STATUS, .status = 0x0c};
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct mad_request request = {.kind = ASK_RCV_ERROR_DETAILS, .tag = 1};
	unsigned lost = 0;

	(void)state;
	bench->target->stage = STAGE_COUNTER_DETAILS;
	bench->target->out++;
	assert_int_equal(target_answer(&bench->collect, bench->target, &request, &no, &bench->err),
			 0);
	keep_silent(bench, ASK_XMIT_DISCARD_DETAILS);
	assert_int_equal(holes_write(&bench->collect, &bench->err), 0);
	for (size_t i = 0; i < bench->fabric->hole_count; i++)
		lost += bench->fabric->holes[i].reason == HOLE_TIMEOUT;
	assert_int_equal(bench->fabric->hole_count, 2);
	assert_int_equal(lost, 1);
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_at_its_end_is_saturated),
		cmocka_unit_test(the_long_counter_stands_whichever_comes_first),
		cmocka_unit_test(a_long_counter_that_was_never_counted_gives_way_to_the_short_one),
		cmocka_unit_test(counters_of_another_port_are_refused),
		cmocka_unit_test(what_class_port_info_does_not_offer_is_unsupported),
		cmocka_unit_test(
			an_agent_that_refuses_class_port_info_is_asked_and_a_silent_one_is_not),
		cmocka_unit_test(details_are_asked_for_where_errors_were_counted),
		cmocka_unit_test(counters_of_a_service_level_prove_its_use),
		cmocka_unit_test(each_kind_of_lane_and_level_counter_is_asked_for_by_itself),
		cmocka_unit_test(silence_about_offered_counters_is_a_loss),
		cmocka_unit_test(silence_about_what_nobody_offered_is_a_loss_too),
		cmocka_unit_test(what_a_device_says_it_has_not_is_no_loss),
		cmocka_unit_test(details_that_are_refused_hide_no_others_that_were_lost),
	};

	return cmocka_run_group_tests_name("live_counters", tests, NULL, NULL);
}
