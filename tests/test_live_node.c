/* NodeInfo, NodeDescription, SwitchInfo and SMInfo as bytes -> the fabric. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/live_bench.h"

static void a_node_info_that_cannot_be_is_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct node_seen seen;
	const char *why;

	(void)state;
	bench_put(bench, IB_NODE_TYPE_F, 1);
	bench_put(bench, IB_NODE_NPORTS_F, 2);
	bench_put(bench, IB_NODE_LOCAL_PORT_F, 2);
	mad_set_field64(bench->data, 0, IB_NODE_GUID_F, 0x1234567890abcdef);
	assert_true(node_decode(bench->data, &seen, &why));
	assert_true(seen.guid == 0x1234567890abcdef);
	assert_int_equal(seen.local_port, 2);

	bench_put(bench, IB_NODE_LOCAL_PORT_F, 3);
	assert_false(node_decode(bench->data, &seen, &why));
	bench_put(bench, IB_NODE_LOCAL_PORT_F, 0);
	assert_false(node_decode(bench->data, &seen, &why));
	bench_put(bench, IB_NODE_LOCAL_PORT_F, 1);
	bench_put(bench, IB_NODE_NPORTS_F, 0);
	assert_false(node_decode(bench->data, &seen, &why));
	bench_put(bench, IB_NODE_NPORTS_F, 255);
	assert_false(node_decode(bench->data, &seen, &why));
	bench_put(bench, IB_NODE_NPORTS_F, 1);
	bench_put(bench, IB_NODE_TYPE_F, 0);
	assert_false(node_decode(bench->data, &seen, &why));
	bench_put(bench, IB_NODE_TYPE_F, 4);
	assert_false(node_decode(bench->data, &seen, &why));
	bench_free(bench);
}

static void a_description_may_fill_all_64_bytes(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_NODE_DESCRIPTION};

	(void)state;
	memset(bench->data, 'x', sizeof(bench->data));
	assert_int_equal(bench_take(bench, read_node_description, question), 0);
	assert_int_equal(strlen(bench->device->description), 64);
	memcpy(bench->data, "gw\0rest", 7);
	assert_int_equal(bench_take(bench, read_node_description, question), 0);
	assert_string_equal(bench->device->description, "gw");
	bench_free(bench);
}

static void a_forwarding_top_beyond_all_lids_is_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
	const struct question question = {.ask = ASK_SWITCH_INFO};

	(void)state;
	bench_put(bench, IB_SW_LINEAR_FDB_CAP_F, 49152);
	bench_put(bench, IB_SW_LINEAR_FDB_TOP_F, 0xbfff);
	bench_put(bench, IB_SW_ENHANCED_PORT0_F, 1);
	assert_int_equal(bench_take(bench, read_switch_info, question), 0);
	assert_int_equal(bench->device->sw.enhanced_port0, 1);
	bench_put(bench, IB_SW_LINEAR_FDB_TOP_F, 0xc000);
	assert_int_equal(bench_take(bench, read_switch_info, question), 1);
	bench_free(bench);
}

static void a_forwarding_top_that_the_table_cannot_hold_is_told_and_not_believed(void **state)
{
	static const uint32_t tops[] = {15, 16, 0xbfff};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
		const struct question question = {.ask = ASK_SWITCH_INFO};

		bench_put(bench, IB_SW_LINEAR_FDB_CAP_F, 16);
		bench_put(bench, IB_SW_LINEAR_FDB_TOP_F, tops[i]);
		bench_put(bench, IB_SW_ENHANCED_PORT0_F, 1);
		assert_int_equal(bench_take(bench, read_switch_info, question), 0);
		assert_int_equal(bench->target->miss_count, i > 0);
		assert_int_equal(bench->device->sw.linear_fdb_top, i > 0 ? FIELD_UNKNOWN : 15);
		assert_int_equal(bench->device->sw.enhanced_port0, 1);
		bench_free(bench);
	}
}

static void sm_info_is_read_without_its_key(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_SM_INFO, .port = 1};

	(void)state;
	mad_set_field64(bench->data, 0, IB_SMINFO_GUID_F, 0x77);
	mad_set_field64(bench->data, 0, IB_SMINFO_KEY_F, 0xfeedfacecafebeef);
	bench_put(bench, IB_SMINFO_PRIO_F, 14);
	bench_put(bench, IB_SMINFO_STATE_F, 3);
	bench_put(bench, IB_SMINFO_ACT_F, 900);
	assert_int_equal(bench_take(bench, read_sm_info, question), 0);
	assert_int_equal(bench->fabric->sm_count, 1);
	assert_int_equal(bench->fabric->sms[0].port_guid, 0x77);
	assert_int_equal(bench->fabric->sms[0].priority, 14);
	assert_int_equal(bench->fabric->sms[0].state, 3);
	bench_put(bench, IB_SMINFO_STATE_F, 9);
	assert_int_equal(bench_take(bench, read_sm_info, question), 1);
	bench_free(bench);
}

static void group_words_are_told_apart(void **state)
{
	const char *bad = NULL;
	unsigned groups = 0;

	(void)state;
	assert_true(live_groups_parse("lft,sl2vl", &groups, &bad));
	assert_int_equal(groups, LIVE_LFT | LIVE_SL2VL);
	assert_true(live_groups_parse("vl-counters", &groups, &bad));
	assert_int_equal(groups, LIVE_VL_COUNTERS);
	assert_false(live_groups_parse("lft,slvl", &groups, &bad));
	assert_string_equal(bad, "slvl");
	assert_false(live_groups_parse("", &groups, &bad));
	assert_false(live_groups_parse("lft,", &groups, &bad));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_info_that_cannot_be_is_refused),
		cmocka_unit_test(a_description_may_fill_all_64_bytes),
		cmocka_unit_test(a_forwarding_top_beyond_all_lids_is_refused),
		cmocka_unit_test(a_forwarding_top_that_the_table_cannot_hold_is_told_and_not_believed),
		cmocka_unit_test(sm_info_is_read_without_its_key),
		cmocka_unit_test(group_words_are_told_apart),
	};

	return cmocka_run_group_tests_name("live_node", tests, NULL, NULL);
}
