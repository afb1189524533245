/* NodeDescription and SwitchInfo. */
#include "collector/live/collect.h"

#include <string.h>

static int node_enter(struct collect *collect, struct target *target, struct err *err)
{
	(void)collect;
	(void)err;
	target->cursor_end = 3;
	return 0;
}

static int node_question(struct collect *collect, struct target *target, uint32_t position,
			 struct question *ret_question)
{
	bool first_target = !target->device->description;

	(void)collect;
	switch (position) {
	case 0:
		ret_question->ask = ASK_NODE_DESCRIPTION;
		return first_target;
	case 1:
		ret_question->ask = ASK_SWITCH_INFO;
		return target_is_switch(target);
	default:
		ret_question->ask = ASK_PORT_INFO;
		ret_question->port = target->port;
		ret_question->modifier = target->port;
		return 1;
	}
}

/* A device that answers NodeInfo and nothing else: its M_Key keeps the rest back. */
static int shut(struct collect *collect, struct target *target, struct err *err)
{
	int rc;

	target->shut = true;
	collect->shut_count++;
	/* What lies behind may be read all the same. */
	rc = discover_unread(collect, target, err);
	if (rc < 0)
		return rc;
	return hole_of_target(collect, target, -1, ATTRIBUTE_PORT_INFO, HOLE_PROTECTED, 0,
			      target->m_key != 0
				      ? "answers NodeInfo and nothing else, as a port does whose "
					"M_Key is not the one given"
				      : "answers NodeInfo and nothing else, as a port does that has "
					"an M_Key: none was given for it",
			      err);
}

static int node_leave(struct collect *collect, struct target *target, struct err *err)
{
	static const enum ask asked[] = {ASK_NODE_DESCRIPTION, ASK_SWITCH_INFO, ASK_PORT_INFO};
	int rc = 0;

	if (target->silent)
		return 0;
	if (target->proven_shut)
		return shut(collect, target, err);
	for (size_t i = 0; rc == 0 && i < sizeof(asked) / sizeof(asked[0]); i++) {
		uint32_t bit = UINT32_C(1) << asked[i];

		if (target->failures[asked[i]] == 0 || (target->answered & bit) ||
		    (target->missing >> ask_attribute(asked[i]) & 1))
			continue;
		rc = hole_of_target(collect, target,
				    asked[i] == ASK_PORT_INFO ? target->port : -1,
				    ask_attribute(asked[i]), HOLE_TIMEOUT, 0, NULL, err);
	}
	return rc;
}

const struct stage_reader node_stage = {
	.group = LIVE_TOPOLOGY,
	.enter = node_enter,
	.question = node_question,
	.leave = node_leave,
};

int read_node_description(struct collect *collect, struct target *target,
			  const struct question *question, uint8_t *data, const char **ret_why,
			  struct err *err)
{
	struct device *device = target->device;
	size_t length = strnlen((const char *)data, IB_SMP_DATA_SIZE);

	(void)question;
	(void)ret_why;
	device->description = fabric_text(collect->fabric, (const char *)data, length);
	if (!device->description)
		return err_no_memory(err);
	device->source_of[ATTRIBUTE_NODE_DESCRIPTION] = collect->source_ref;
	return 0;
}

int read_switch_info(struct collect *collect, struct target *target,
		     const struct question *question, uint8_t *data, const char **ret_why,
		     struct err *err)
{
	static const struct {
		enum MAD_FIELDS field;
		size_t offset;
	} rows[] = {
#define ROW(field, member) {field, offsetof(struct switch_fields, member)}
		ROW(IB_SW_LINEAR_FDB_CAP_F, linear_fdb_cap),
		ROW(IB_SW_RANDOM_FDB_CAP_F, random_fdb_cap),
		ROW(IB_SW_MCAST_FDB_CAP_F, multicast_fdb_cap),
		ROW(IB_SW_LINEAR_FDB_TOP_F, linear_fdb_top),
		ROW(IB_SW_DEF_PORT_F, default_port),
		ROW(IB_SW_DEF_MCAST_PRIM_F, default_mcast_primary_port),
		ROW(IB_SW_DEF_MCAST_NOT_PRIM_F, default_mcast_not_primary_port),
		ROW(IB_SW_LIFE_TIME_F, life_time_value),
		ROW(IB_SW_STATE_CHANGE_F, port_state_change),
		ROW(IB_SW_OPT_SLTOVL_MAPPING_F, optimized_sl2vl_mapping),
		ROW(IB_SW_LIDS_PER_PORT_F, lids_per_port),
		ROW(IB_SW_PARTITION_ENFORCE_CAP_F, partition_enforcement_cap),
		ROW(IB_SW_PARTITION_ENF_INB_F, inbound_enforcement_cap),
		ROW(IB_SW_PARTITION_ENF_OUTB_F, outbound_enforcement_cap),
		ROW(IB_SW_FILTER_RAW_INB_F, filter_raw_inbound_cap),
		ROW(IB_SW_FILTER_RAW_OUTB_F, filter_raw_outbound_cap),
		ROW(IB_SW_ENHANCED_PORT0_F, enhanced_port0),
		ROW(IB_SW_MCAST_FDB_TOP_F, multicast_fdb_top),
#undef ROW
	};
	struct device *device = target->device;
	unsigned cap = mad_get_field(data, 0, IB_SW_LINEAR_FDB_CAP_F);
	unsigned top = mad_get_field(data, 0, IB_SW_LINEAR_FDB_TOP_F);
	bool doubted = false;

	(void)question;
	if (cap > 0xc000 || top > 0xbfff) {
		*ret_why = "SwitchInfo with a LinearFDBCap or LinearFDBTop beyond the unicast LIDs";
		return 1;
	}
	/* Entries that the table cannot hold: the others stand, these two are not believed. */
	if (cap > 0 && top >= cap) {
		if (hole_of_target(collect, target, -1, ATTRIBUTE_SWITCH_INFO, HOLE_BAD_ANSWER, 0,
				   "SwitchInfo with a LinearFDBTop that its LinearFDBCap cannot hold: "
				   "these two are not believed",
				   err) < 0)
			return err->code;
		doubted = true;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		*(int64_t *)(void *)((char *)&device->sw + rows[i].offset) =
			mad_get_field(data, 0, rows[i].field);
	if (doubted)
		device->sw.linear_fdb_cap = device->sw.linear_fdb_top = FIELD_UNKNOWN;
	device->source_of[ATTRIBUTE_SWITCH_INFO] = collect->source_ref;
	return 0;
}
