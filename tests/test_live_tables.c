/* Tables, block by block -> the fabric. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/live_bench.h"

static void the_even_sl_is_in_the_high_nibble(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_SL2VL, .port = 1};
	static const uint8_t packed[8] = {0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x6f};
	static const uint8_t vl[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 15};

	(void)state;
	memcpy(bench->data, packed, sizeof(packed));
	assert_int_equal(bench_take(bench, read_sl2vl, question), 0);
	assert_memory_equal(port_sl2vl(bench_port(bench, 1), 0)->vl, vl, sizeof(vl));
	bench_free(bench);
}

/* In-port 3 has another map than the rest. */
static void answer_sl2vl(struct bench *bench, const struct question *question)
{
	assert_int_equal(question->modifier & 255, question->port);
	memset(bench->data, (question->modifier >> 8 & 255) == 3 ? 0x11 : 0x22, 8);
}

static void equal_in_ports_fold_to_runs(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 5);

	(void)state;
	bench_port(bench, 0)->info.capability_mask = 1 << CAPABILITY_SL_MAPPING;
	bench_port_up(bench, 2);
	assert_int_equal(bench_walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 6);
	assert_int_equal(bench_port(bench, 2)->sl2vl_count, 3);
	assert_int_equal(port_sl2vl(bench_port(bench, 2), 3)->vl[0], 1);
	assert_int_equal(port_sl2vl(bench_port(bench, 2), 2)->in_last, 2);
	assert_int_equal(port_sl2vl(bench_port(bench, 2), 5)->vl[15], 2);
	bench_free(bench);
}

static unsigned pairs[6][6];

static void count_pair(struct bench *bench, const struct question *question)
{
	(void)bench;
	pairs[question->modifier & 255][question->modifier >> 8]++;
}

static void each_pair_of_ports_that_exists_is_asked_once(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 5);

	(void)state;
	bench_port(bench, 0)->info.capability_mask = 1 << CAPABILITY_SL_MAPPING;
	bench->device->sw.enhanced_port0 = 1;
	bench_port_up(bench, 0);
	bench_port_up(bench, 2);
	bench_port_up(bench, 5);
	memset(pairs, 0, sizeof(pairs));
	/* Not from port 0 to itself. */
	assert_int_equal(bench_walk(bench, &sl2vl_stage, read_sl2vl, count_pair), 3 * 6 - 1);
	for (unsigned out = 0; out < 6; out++) {
		for (unsigned in = 0; in < 6; in++)
			assert_int_equal(pairs[out][in], (out == 0 || out == 2 || out == 5) &&
								 (out != 0 || in != 0));
	}
	bench_free(bench);
}

static void one_port_that_refuses_its_table_is_no_reason_to_ask_no_other(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 5);
	struct question questions[12];
	unsigned asked = 0;

	(void)state;
	bench_port(bench, 0)->info.capability_mask = 1 << CAPABILITY_SL_MAPPING;
	bench_port_up(bench, 2);
	bench_port_up(bench, 5);
	assert_int_equal(sl2vl_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	for (uint32_t at = 0; at < bench->target->cursor_end; at++)
		asked += sl2vl_stage.question(&bench->collect, bench->target, at,
					      &questions[asked]) == 1;
	assert_int_equal(asked, 12);
	/* Three refusals end an attribute that was never answered: not all of one port come first. */
	assert_int_not_equal(questions[0].port, questions[1].port);
	assert_int_equal(sl2vl_stage.leave(&bench->collect, bench->target, &bench->err), 0);
	bench_free(bench);
}

static void a_table_without_use_is_not_asked_for(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 5);

	(void)state;
	bench_port(bench, 0)->info.capability_mask = 0;
	bench_port_up(bench, 2);
	assert_int_equal(bench_walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 0);
	bench_port(bench, 0)->info.capability_mask = 1 << CAPABILITY_SL_MAPPING;
	bench_port(bench, 2)->info.vl_cap = 1;
	assert_int_equal(bench_walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 0);
	bench_port(bench, 2)->info.vl_cap = 8;
	bench_port(bench, 2)->info.port_state = 1;
	assert_int_equal(bench_walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 0);
	assert_null(bench_port(bench, 2)->sl2vl);
	bench_free(bench);
}

/* The weight names the block. */
static void answer_vlarb(struct bench *bench, const struct question *question)
{
	for (unsigned i = 0; i < 32; i++) {
		bench->data[2 * i] = 0xf0 | (i & 7);
		bench->data[2 * i + 1] = (uint8_t)(question->modifier >> 16);
	}
}

static void arbitration_tables_end_where_the_port_says(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct port *port = bench_port(bench, 1);

	(void)state;
	port->info.port_state = 4;
	port->info.vl_cap = 8;
	port->info.vlarb_low_cap = 40;
	port->info.vlarb_high_cap = 8;
	assert_int_equal(bench_walk(bench, &vlarb_stage, read_vlarb, answer_vlarb), 3);
	assert_int_equal(port->vlarb_low_count, 40);
	assert_int_equal(port->vlarb_low[31].weight, 1);
	assert_int_equal(port->vlarb_low[32].weight, 2);
	assert_int_equal(port->vlarb_low[5].vl, 5);
	assert_int_equal(port->vlarb_high_count, 8);
	assert_int_equal(port->vlarb_high[7].weight, 3);
	bench_free(bench);
}

static void an_arbitration_table_of_200_entries_is_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_VLARB, .port = 1, .modifier = 1 << 16};

	(void)state;
	bench_port(bench, 1)->info.vlarb_low_cap = 200;
	assert_int_equal(bench_take(bench, read_vlarb, question), 1);
	assert_null(bench_port(bench, 1)->vlarb_low);
	bench_free(bench);
}

static void answer_lft(struct bench *bench, const struct question *question)
{
	memset(bench->data, (int)question->modifier + 1, 64);
}

static void forwarding_tables_are_read_up_to_their_top(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);

	(void)state;
	bench->device->sw.linear_fdb_top = 130;
	assert_int_equal(bench_walk(bench, &lft_stage, read_lft, answer_lft), 3);
	assert_int_equal(bench->device->lft[63], 1);
	assert_int_equal(bench->device->lft[64], 2);
	assert_true(lft_known(bench->device, 130));
	assert_false(lft_known(bench->device, 192));
	bench_free(bench);
}

/* MLID 0xC001 leads to ports 1 and 17. */
static void answer_mft(struct bench *bench, const struct question *question)
{
	if ((question->modifier & 0x1ff) == 0)
		bench->data[3] = 2;
}

static void multicast_entries_join_their_positions(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
	const struct mft_entry *entry;

	(void)state;
	bench->device->sw.multicast_fdb_cap = 64;
	bench->device->sw.multicast_fdb_top = 0;
	assert_int_equal(bench_walk(bench, &mft_stage, read_mft, answer_mft), 6);
	assert_int_equal(bench->device->mft_count, 1);
	entry = &bench->device->mft[0];
	assert_int_equal(entry->mlid, 0xc001);
	for (unsigned port = 0; port < 256; port++)
		assert_int_equal(entry->ports[port >> 3] >> (port & 7) & 1,
				 port == 1 || port == 17 || port == 33);
	bench_free(bench);
}

static uint32_t mft_blocks(struct bench *bench)
{
	assert_int_equal(mft_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	assert_int_equal(mft_stage.leave(&bench->collect, bench->target, &bench->err), 0);
	return bench->target->cursor_end;
}

static void multicast_tables_end_at_their_top(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 15);
	struct port *port0 = bench_port(bench, 0);

	(void)state;
	assert_int_equal(mft_stage.enter(&bench->collect, bench->target, &bench->err), 0);
	assert_int_equal(bench->target->cursor_end, 0);
	bench->device->sw.multicast_fdb_cap = 1024;
	bench->device->sw.multicast_fdb_top = 0xc020;
	assert_int_equal(mft_blocks(bench), 32);
	port0->info.capability_mask = 1 << 30;
	assert_int_equal(mft_blocks(bench), 2);
	/* Below the first: there is no entry. 0: not kept by the SM. */
	bench->device->sw.multicast_fdb_top = 0xbfff;
	assert_int_equal(mft_blocks(bench), 0);
	bench->device->sw.multicast_fdb_top = 0;
	assert_int_equal(mft_blocks(bench), 32);
	bench_free(bench);
}

static void answer_pkeys(struct bench *bench, const struct question *question)
{
	if (question->modifier == 0)
		memcpy(bench->data, "\xff\xff\x00\x00\x80\x00\x12\x34", 8);
	else
		memcpy(bench->data + 62, "\x92\x34", 2);
}

static void empty_partition_keys_are_left_out(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	static const uint16_t expected[] = {0xffff, 0x1234, 0x9234};

	(void)state;
	bench->device->info.partition_cap = 64;
	assert_int_equal(bench_walk(bench, &pkeys_stage, read_pkey_table, answer_pkeys), 2);
	assert_int_equal(bench_port(bench, 1)->pkey_count, 3);
	assert_memory_equal(bench_port(bench, 1)->pkeys, expected, sizeof(expected));
	bench_free(bench);
}

static void an_empty_partition_table_is_read_and_empty(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_PKEY_TABLE, .port = 1};

	(void)state;
	assert_int_equal(bench_take(bench, read_pkey_table, question), 0);
	assert_non_null(bench_port(bench, 1)->pkeys);
	assert_int_equal(bench_port(bench, 1)->pkey_count, 0);
	bench_free(bench);
}

static void guids_keep_their_index(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct question question = {.ask = ASK_GUID_INFO, .port = 1, .modifier = 1};
	struct port *port = bench_port(bench, 1);

	(void)state;
	mad_set_field64(bench->data, 0, IB_GI_GUID1_F, 0xbb);
	assert_int_equal(bench_take(bench, read_guid_info, question), 0);
	memset(bench->data, 0, sizeof(bench->data));
	mad_set_field64(bench->data, 0, IB_GI_GUID0_F, 0xaa);
	question.modifier = 0;
	assert_int_equal(bench_take(bench, read_guid_info, question), 0);
	assert_int_equal(port->guid_count, 10);
	assert_int_equal(port->guids[0], 0xaa);
	assert_int_equal(port->guids[1], 0);
	assert_int_equal(port->guids[9], 0xbb);
	bench_free(bench);
}

/* Block 1 of the list, then block 0 with this first entry, then block 2. */
static int take_guids(struct bench *bench, uint64_t first)
{
	struct question question = {.ask = ASK_GUID_INFO, .port = 1, .modifier = 1};
	int rc;

	bench_port(bench, 1)->guid = 0xaa;
	mad_set_field64(bench->data, 0, IB_GI_GUID1_F, 0xbb);
	assert_int_equal(bench_take(bench, read_guid_info, question), 0);
	memset(bench->data, 0, sizeof(bench->data));
	mad_set_field64(bench->data, 0, IB_GI_GUID0_F, first);
	question.modifier = 0;
	rc = bench_take(bench, read_guid_info, question);
	question.modifier = 2;
	mad_set_field64(bench->data, 0, IB_GI_GUID0_F, 0xcc);
	assert_int_equal(bench_take(bench, read_guid_info, question), 0);
	return rc;
}

static void guids_that_begin_with_another_ports_are_not_kept(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct port *port = bench_port(bench, 1);
	struct question question = {0};

	(void)state;
	assert_int_equal(take_guids(bench, 0xab), 1);
	assert_non_null(strstr(bench->why, "GUIDInfo"));
	assert_null(port->guids);
	assert_int_equal(port->source_of[ATTRIBUTE_GUID_INFO], 0);
	assert_int_equal(guids_stage.question(&bench->collect, bench->target, 3, &question), 0);
	bench_free(bench);
}

static void guids_that_begin_with_the_ports_own_or_with_zero_are(void **state)
{
	static const uint64_t first[] = {0xaa, 0};

	(void)state;
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);

		assert_int_equal(take_guids(bench, first[i]), 0);
		assert_int_equal(bench_port(bench, 1)->guid_count, 17);
		assert_int_equal(bench_port(bench, 1)->guids[0], first[i]);
		assert_int_equal(bench_port(bench, 1)->guids[9], 0xbb);
		bench_free(bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_even_sl_is_in_the_high_nibble),
		cmocka_unit_test(equal_in_ports_fold_to_runs),
		cmocka_unit_test(each_pair_of_ports_that_exists_is_asked_once),
		cmocka_unit_test(one_port_that_refuses_its_table_is_no_reason_to_ask_no_other),
		cmocka_unit_test(a_table_without_use_is_not_asked_for),
		cmocka_unit_test(arbitration_tables_end_where_the_port_says),
		cmocka_unit_test(an_arbitration_table_of_200_entries_is_refused),
		cmocka_unit_test(forwarding_tables_are_read_up_to_their_top),
		cmocka_unit_test(multicast_entries_join_their_positions),
		cmocka_unit_test(multicast_tables_end_at_their_top),
		cmocka_unit_test(empty_partition_keys_are_left_out),
		cmocka_unit_test(an_empty_partition_table_is_read_and_empty),
		cmocka_unit_test(guids_keep_their_index),
		cmocka_unit_test(guids_that_begin_with_another_ports_are_not_kept),
		cmocka_unit_test(guids_that_begin_with_the_ports_own_or_with_zero_are),
	};

	return cmocka_run_group_tests_name("live_tables", tests, NULL, NULL);
}
