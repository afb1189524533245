/* Answers as bytes -> the fabric. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/live/collect.h"

struct bench {
	struct fabric *fabric;
	struct live_options options;
	struct collect collect;
	struct target *target;
	struct device *device;
	uint8_t data[192];
	struct err err;
	const char *why;
};

static struct bench *bench_new(enum node_type type, unsigned ports)
{
	const struct mad_route here = {0};
	struct bench *bench = calloc(1, sizeof(*bench));
	struct err err = {0};

	assert_non_null(bench);
	assert_int_equal(fabric_new(&bench->fabric, &err), 0);
	bench->collect.fabric = bench->fabric;
	bench->collect.options = &bench->options;
	bench->collect.groups = LIVE_DEFAULT;
	bench->collect.has_lid = true;
	bench->collect.source = fabric_source_add(bench->fabric, SOURCE_LIVE, "test", "live");
	bench->collect.source_ref = 1;
	bench->device = fabric_device_add(bench->fabric, 0x1a, type);
	bench->device->info.num_ports = ports;
	assert_non_null(fabric_port(bench->fabric, bench->device, type == NODE_TYPE_SWITCH ? 0 : 1));
	bench->target = target_add(&bench->collect, bench->device,
				   type == NODE_TYPE_SWITCH ? 0 : 1, &here);
	assert_non_null(bench->target);
	return bench;
}

static void bench_free(struct bench *bench)
{
	target_free(bench->target);
	agenda_free(&bench->collect.agenda);
	free(bench->collect.target_of);
	fabric_free(bench->fabric);
	free(bench);
}

static void put(struct bench *bench, enum MAD_FIELDS field, uint32_t value)
{
	mad_set_field(bench->data, 0, field, value);
}

static int take(struct bench *bench, answer_reader *read, struct question question)
{
	return read(&bench->collect, bench->target, &question, bench->data, &bench->why,
		    &bench->err);
}

static struct port *port_of(struct bench *bench, unsigned num)
{
	struct port *port = device_port(bench->device, num);

	assert_non_null(port);
	return port;
}

/* A CA's PortInfo, Active at 4x. */
static void put_ca_port(struct bench *bench)
{
	put(bench, IB_PORT_LID_F, 77);
	put(bench, IB_PORT_SMLID_F, 3);
	put(bench, IB_PORT_LMC_F, 2);
	put(bench, IB_PORT_CAPMASK_F, 1u << 14 | 1u << 15 | 1u << 6);
	put(bench, IB_PORT_STATE_F, 4);
	put(bench, IB_PORT_PHYS_STATE_F, 5);
	put(bench, IB_PORT_LINK_WIDTH_ACTIVE_F, 2);
	put(bench, IB_PORT_LINK_WIDTH_SUPPORTED_F, 0x13);
	put(bench, IB_PORT_LINK_WIDTH_ENABLED_F, 255);
	put(bench, IB_PORT_LINK_SPEED_ACTIVE_F, 4);
	put(bench, IB_PORT_LINK_SPEED_SUPPORTED_F, 7);
	put(bench, IB_PORT_LINK_SPEED_ENABLED_F, 15);
	put(bench, IB_PORT_NEIGHBOR_MTU_F, 5);
	put(bench, IB_PORT_MTU_CAP_F, 5);
	put(bench, IB_PORT_VL_CAP_F, 4);
	put(bench, IB_PORT_OPER_VLS_F, 3);
	put(bench, IB_PORT_VL_HIGH_LIMIT_F, 255);
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
	assert_int_equal(take(bench, read_port_info, own_port), 0);
	info = &port_of(bench, 1)->info;
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
	assert_int_equal(port_of(bench, 1)->source_of[ATTRIBUTE_PORT_INFO], 1);
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
		put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, speeds[i].code);
		put(bench, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 15);
		put(bench, IB_PORT_LINK_SPEED_EXT_ENABLED_F, 31);
		assert_int_equal(take(bench, read_port_info, own_port), 0);
		assert_int_equal(port_of(bench, 1)->info.link_speed_active, speeds[i].mbps);
		assert_int_equal(port_of(bench, 1)->info.link_speed_supported, 15 << 8 | 7);
		assert_int_equal(port_of(bench, 1)->info.link_speed_enabled, 15 << 8 | 7);
		bench_free(bench);
	}
}

static void extended_speeds_that_are_switched_off_are_not_enabled(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	put(bench, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 3);
	put(bench, IB_PORT_LINK_SPEED_EXT_ENABLED_F, 30);
	assert_int_equal(take(bench, read_port_info, own_port), 0);
	assert_int_equal(port_of(bench, 1)->info.link_speed_enabled, 7);
	bench_free(bench);
}

static void the_extended_fields_need_their_capability(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	put(bench, IB_PORT_CAPMASK_F, 0);
	put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 8);
	assert_int_equal(take(bench, read_port_info, own_port), 0);
	assert_int_equal(port_of(bench, 1)->info.link_speed_active, 10000);
	bench_free(bench);
}

static void xdr_is_in_the_second_extension(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	put(bench, IB_PORT_CAPMASK2_F, 1u << 11);
	put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 8);
	put(bench, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F, 15);
	put(bench, IB_PORT_LINK_SPEED_EXT_ENABLED_F, 31);
	bench->data[56] = 1 << 5 | 1 << 3 | 1;
	assert_int_equal(take(bench, read_port_info, own_port), 0);
	assert_int_equal(port_of(bench, 1)->info.link_speed_active, 212500);
	assert_int_equal(port_of(bench, 1)->info.link_speed_code, 1 << 24 | 8 << 8 | 4);
	bench_free(bench);
}

static void the_same_bits_without_its_capability_are_reserved(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	put(bench, IB_PORT_LINK_SPEED_EXT_ACTIVE_F, 8);
	bench->data[56] = 0xff;
	assert_int_equal(take(bench, read_port_info, own_port), 0);
	assert_int_equal(port_of(bench, 1)->info.link_speed_active, 106250);
	bench_free(bench);
}

static void an_external_port_owns_no_lid_and_a_base_port_0_no_link(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
	const struct question port0 = {.ask = ASK_PORT_INFO};

	(void)state;
	put_ca_port(bench);
	bench->device->sw.enhanced_port0 = 0;
	assert_int_equal(take(bench, read_port_info, port0), 0);
	assert_int_equal(port_of(bench, 0)->info.lid, 77);
	assert_true(port_of(bench, 0)->info.port_state == FIELD_UNKNOWN);
	assert_true(port_of(bench, 0)->info.link_width_active == FIELD_UNKNOWN);
	assert_true(port_of(bench, 0)->info.link_speed_active == FIELD_UNKNOWN);
	assert_true(port_of(bench, 0)->info.oper_vls == FIELD_UNKNOWN);
	assert_int_equal(take(bench, read_port_info, own_port), 0);
	assert_true(port_of(bench, 1)->info.lid == FIELD_UNKNOWN);
	assert_true(port_of(bench, 1)->info.capability_mask == FIELD_UNKNOWN);
	assert_int_equal(port_of(bench, 1)->info.port_state, 4);
	bench_free(bench);
}

static void an_enhanced_port_0_has_its_link_fields(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
	const struct question port0 = {.ask = ASK_PORT_INFO};

	(void)state;
	put_ca_port(bench);
	bench->device->sw.enhanced_port0 = 1;
	assert_int_equal(take(bench, read_port_info, port0), 0);
	assert_int_equal(port_of(bench, 0)->info.port_state, 4);
	assert_int_equal(port_of(bench, 0)->info.oper_vls, 4);
	bench_free(bench);
}

static void codes_that_do_not_exist_are_unknown_or_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);

	(void)state;
	put_ca_port(bench);
	put(bench, IB_PORT_VL_CAP_F, 9);
	put(bench, IB_PORT_NEIGHBOR_MTU_F, 0);
	put(bench, IB_PORT_OPER_VLS_F, 0);
	assert_int_equal(take(bench, read_port_info, own_port), 0);
	assert_true(port_of(bench, 1)->info.vl_cap == FIELD_UNKNOWN);
	assert_true(port_of(bench, 1)->info.neighbor_mtu == FIELD_UNKNOWN);
	assert_int_equal(port_of(bench, 1)->info.oper_vls, 0);
	put(bench, IB_PORT_STATE_F, 9);
	assert_int_equal(take(bench, read_port_info, own_port), 1);
	bench_free(bench);
}

static void a_node_info_that_cannot_be_is_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct node_seen seen;
	const char *why;

	(void)state;
	put(bench, IB_NODE_TYPE_F, 1);
	put(bench, IB_NODE_NPORTS_F, 2);
	put(bench, IB_NODE_LOCAL_PORT_F, 2);
	mad_set_field64(bench->data, 0, IB_NODE_GUID_F, 0x1234567890abcdef);
	assert_true(node_decode(bench->data, &seen, &why));
	assert_true(seen.guid == 0x1234567890abcdef);
	assert_int_equal(seen.local_port, 2);

	put(bench, IB_NODE_LOCAL_PORT_F, 3);
	assert_false(node_decode(bench->data, &seen, &why));
	put(bench, IB_NODE_LOCAL_PORT_F, 0);
	assert_false(node_decode(bench->data, &seen, &why));
	put(bench, IB_NODE_LOCAL_PORT_F, 1);
	put(bench, IB_NODE_NPORTS_F, 0);
	assert_false(node_decode(bench->data, &seen, &why));
	put(bench, IB_NODE_NPORTS_F, 255);
	assert_false(node_decode(bench->data, &seen, &why));
	put(bench, IB_NODE_NPORTS_F, 1);
	put(bench, IB_NODE_TYPE_F, 0);
	assert_false(node_decode(bench->data, &seen, &why));
	put(bench, IB_NODE_TYPE_F, 4);
	assert_false(node_decode(bench->data, &seen, &why));
	bench_free(bench);
}

static void a_description_may_fill_all_64_bytes(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_NODE_DESCRIPTION};

	(void)state;
	memset(bench->data, 'x', sizeof(bench->data));
	assert_int_equal(take(bench, read_node_description, question), 0);
	assert_int_equal(strlen(bench->device->description), 64);
	memcpy(bench->data, "gw\0rest", 7);
	assert_int_equal(take(bench, read_node_description, question), 0);
	assert_string_equal(bench->device->description, "gw");
	bench_free(bench);
}

static void the_even_sl_is_in_the_high_nibble(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_SL2VL, .port = 1};
	static const uint8_t packed[8] = {0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x6f};
	static const uint8_t vl[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 15};

	(void)state;
	memcpy(bench->data, packed, sizeof(packed));
	assert_int_equal(take(bench, read_sl2vl, question), 0);
	assert_memory_equal(port_sl2vl(port_of(bench, 1), 0)->vl, vl, sizeof(vl));
	bench_free(bench);
}

static void switch_port_up(struct bench *bench, unsigned num)
{
	struct port *port = fabric_port(bench->fabric, bench->device, (uint8_t)num);

	port->info.port_state = 4;
	port->info.vl_cap = 8;
}

/* Asks a stage's questions in order; the answer to each is put by `answer`. */
static unsigned walk(struct bench *bench, const struct stage_reader *stage, answer_reader *read,
		     void (*answer)(struct bench *, const struct question *))
{
	unsigned asked = 0;

	bench->target->cursor = bench->target->cursor_end = 0;
	assert_int_equal(stage->enter(&bench->collect, bench->target, &bench->err), 0);
	while (bench->target->cursor < bench->target->cursor_end) {
		struct question question = {0};

		if (!stage->question(&bench->collect, bench->target, bench->target->cursor++,
				     &question))
			continue;
		asked++;
		memset(bench->data, 0, sizeof(bench->data));
		answer(bench, &question);
		assert_int_equal(take(bench, read, question), 0);
	}
	if (stage->leave)
		assert_int_equal(stage->leave(&bench->collect, bench->target, &bench->err), 0);
	return asked;
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
	port_of(bench, 0)->info.capability_mask = 1 << CAPABILITY_SL_MAPPING;
	switch_port_up(bench, 2);
	assert_int_equal(walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 6);
	assert_int_equal(port_of(bench, 2)->sl2vl_count, 3);
	assert_int_equal(port_sl2vl(port_of(bench, 2), 3)->vl[0], 1);
	assert_int_equal(port_sl2vl(port_of(bench, 2), 2)->in_last, 2);
	assert_int_equal(port_sl2vl(port_of(bench, 2), 5)->vl[15], 2);
	bench_free(bench);
}

static void a_table_without_use_is_not_asked_for(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 5);

	(void)state;
	port_of(bench, 0)->info.capability_mask = 0;
	switch_port_up(bench, 2);
	assert_int_equal(walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 0);
	port_of(bench, 0)->info.capability_mask = 1 << CAPABILITY_SL_MAPPING;
	port_of(bench, 2)->info.vl_cap = 1;
	assert_int_equal(walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 0);
	port_of(bench, 2)->info.vl_cap = 8;
	port_of(bench, 2)->info.port_state = 1;
	assert_int_equal(walk(bench, &sl2vl_stage, read_sl2vl, answer_sl2vl), 0);
	assert_null(port_of(bench, 2)->sl2vl);
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
	struct port *port = port_of(bench, 1);

	(void)state;
	port->info.port_state = 4;
	port->info.vl_cap = 8;
	port->info.vlarb_low_cap = 40;
	port->info.vlarb_high_cap = 8;
	assert_int_equal(walk(bench, &vlarb_stage, read_vlarb, answer_vlarb), 3);
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
	port_of(bench, 1)->info.vlarb_low_cap = 200;
	assert_int_equal(take(bench, read_vlarb, question), 1);
	assert_null(port_of(bench, 1)->vlarb_low);
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
	assert_int_equal(walk(bench, &lft_stage, read_lft, answer_lft), 3);
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
	assert_int_equal(walk(bench, &mft_stage, read_mft, answer_mft), 6);
	assert_int_equal(bench->device->mft_count, 1);
	entry = &bench->device->mft[0];
	assert_int_equal(entry->mlid, 0xc001);
	for (unsigned port = 0; port < 256; port++)
		assert_int_equal(entry->ports[port >> 3] >> (port & 7) & 1,
				 port == 1 || port == 17 || port == 33);
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
	assert_int_equal(walk(bench, &pkeys_stage, read_pkey_table, answer_pkeys), 2);
	assert_int_equal(port_of(bench, 1)->pkey_count, 3);
	assert_memory_equal(port_of(bench, 1)->pkeys, expected, sizeof(expected));
	bench_free(bench);
}

static void an_empty_partition_table_is_read_and_empty(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_PKEY_TABLE, .port = 1};

	(void)state;
	assert_int_equal(take(bench, read_pkey_table, question), 0);
	assert_non_null(port_of(bench, 1)->pkeys);
	assert_int_equal(port_of(bench, 1)->pkey_count, 0);
	bench_free(bench);
}

static void guids_keep_their_index(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	struct question question = {.ask = ASK_GUID_INFO, .port = 1, .modifier = 1};
	struct port *port = port_of(bench, 1);

	(void)state;
	mad_set_field64(bench->data, 0, IB_GI_GUID1_F, 0xbb);
	assert_int_equal(take(bench, read_guid_info, question), 0);
	memset(bench->data, 0, sizeof(bench->data));
	mad_set_field64(bench->data, 0, IB_GI_GUID0_F, 0xaa);
	question.modifier = 0;
	assert_int_equal(take(bench, read_guid_info, question), 0);
	assert_int_equal(port->guid_count, 10);
	assert_int_equal(port->guids[0], 0xaa);
	assert_int_equal(port->guids[1], 0);
	assert_int_equal(port->guids[9], 0xbb);
	bench_free(bench);
}

static void a_counter_at_its_end_is_saturated(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};
	const struct port_counters *counters;

	(void)state;
	put(bench, IB_PC_PORT_SELECT_F, 1);
	put(bench, IB_PC_ERR_SYM_F, 65535);
	put(bench, IB_PC_LINK_DOWNED_F, 254);
	put(bench, IB_PC_ERR_LOCALINTEG_F, 15);
	assert_int_equal(take(bench, read_counters, question), 0);
	counters = port_of(bench, 1)->counters;
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
			put(bench, IB_PC_PORT_SELECT_F, 1);
			if (step == turn) {
				put(bench, IB_PC_XMT_BYTES_F, UINT32_MAX);
				assert_int_equal(take(bench, read_counters, brief), 0);
			} else {
				mad_set_field64(bench->data, 0, IB_PC_EXT_XMT_BYTES_F,
						UINT64_C(1) << 40);
				assert_int_equal(take(bench, read_counters_extended, extended), 0);
			}
		}
		assert_true(port_of(bench, 1)->counters->value[COUNTER_xmit_data] ==
			    UINT64_C(1) << 40);
		assert_false(port_of(bench, 1)->counters->saturated >> COUNTER_xmit_data & 1);
		bench_free(bench);
	}
}

static void counters_of_another_port_are_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};

	(void)state;
	put(bench, IB_PC_PORT_SELECT_F, 2);
	assert_int_equal(take(bench, read_counters, question), 1);
	bench_free(bench);
}

static void a_forwarding_top_beyond_all_lids_is_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_SWITCH, 36);
	const struct question question = {.ask = ASK_SWITCH_INFO};

	(void)state;
	put(bench, IB_SW_LINEAR_FDB_CAP_F, 49152);
	put(bench, IB_SW_LINEAR_FDB_TOP_F, 0xbfff);
	put(bench, IB_SW_ENHANCED_PORT0_F, 1);
	assert_int_equal(take(bench, read_switch_info, question), 0);
	assert_int_equal(bench->device->sw.enhanced_port0, 1);
	put(bench, IB_SW_LINEAR_FDB_TOP_F, 0xc000);
	assert_int_equal(take(bench, read_switch_info, question), 1);
	bench_free(bench);
}

static void sm_info_is_read_without_its_key(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_SM_INFO, .port = 1};

	(void)state;
	mad_set_field64(bench->data, 0, IB_SMINFO_GUID_F, 0x77);
	mad_set_field64(bench->data, 0, IB_SMINFO_KEY_F, 0xfeedfacecafebeef);
	put(bench, IB_SMINFO_PRIO_F, 14);
	put(bench, IB_SMINFO_STATE_F, 3);
	put(bench, IB_SMINFO_ACT_F, 900);
	assert_int_equal(take(bench, read_sm_info, question), 0);
	assert_int_equal(bench->fabric->sm_count, 1);
	assert_int_equal(bench->fabric->sms[0].port_guid, 0x77);
	assert_int_equal(bench->fabric->sms[0].priority, 14);
	assert_int_equal(bench->fabric->sms[0].state, 3);
	put(bench, IB_SMINFO_STATE_F, 9);
	assert_int_equal(take(bench, read_sm_info, question), 1);
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
		cmocka_unit_test(port_info_is_decoded_once),
		cmocka_unit_test(the_extended_speed_goes_before_the_old_one),
		cmocka_unit_test(extended_speeds_that_are_switched_off_are_not_enabled),
		cmocka_unit_test(the_extended_fields_need_their_capability),
		cmocka_unit_test(xdr_is_in_the_second_extension),
		cmocka_unit_test(the_same_bits_without_its_capability_are_reserved),
		cmocka_unit_test(an_external_port_owns_no_lid_and_a_base_port_0_no_link),
		cmocka_unit_test(an_enhanced_port_0_has_its_link_fields),
		cmocka_unit_test(codes_that_do_not_exist_are_unknown_or_refused),
		cmocka_unit_test(a_node_info_that_cannot_be_is_refused),
		cmocka_unit_test(a_description_may_fill_all_64_bytes),
		cmocka_unit_test(the_even_sl_is_in_the_high_nibble),
		cmocka_unit_test(equal_in_ports_fold_to_runs),
		cmocka_unit_test(a_table_without_use_is_not_asked_for),
		cmocka_unit_test(arbitration_tables_end_where_the_port_says),
		cmocka_unit_test(an_arbitration_table_of_200_entries_is_refused),
		cmocka_unit_test(forwarding_tables_are_read_up_to_their_top),
		cmocka_unit_test(multicast_entries_join_their_positions),
		cmocka_unit_test(empty_partition_keys_are_left_out),
		cmocka_unit_test(an_empty_partition_table_is_read_and_empty),
		cmocka_unit_test(guids_keep_their_index),
		cmocka_unit_test(a_counter_at_its_end_is_saturated),
		cmocka_unit_test(the_long_counter_stands_whichever_comes_first),
		cmocka_unit_test(counters_of_another_port_are_refused),
		cmocka_unit_test(a_forwarding_top_beyond_all_lids_is_refused),
		cmocka_unit_test(sm_info_is_read_without_its_key),
		cmocka_unit_test(group_words_are_told_apart),
	};

	return cmocka_run_group_tests_name("live_read", tests, NULL, NULL);
}
