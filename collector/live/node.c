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
	bool first_target = !device_port(target->device, target->port)->device->description;

	switch (position) {
	case 0:
		ret_question->ask = ASK_NODE_DESCRIPTION;
		return first_target;
	case 1:
		ret_question->ask = ASK_SWITCH_INFO;
		return target->device->type == NODE_TYPE_SWITCH;
	default:
		ret_question->ask = ASK_PORT_INFO;
		ret_question->port = target->port;
		ret_question->modifier = target->port;
		return (collect->groups & LIVE_PORTINFO) != 0;
	}
}

const struct stage_reader node_stage = {
	.group = LIVE_TOPOLOGY,
	.enter = node_enter,
	.question = node_question,
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

	(void)question;
	(void)err;
	if (cap > 0xc000 || top > 0xbfff) {
		*ret_why = "SwitchInfo with a LinearFDBCap or LinearFDBTop beyond the unicast LIDs";
		return 1;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		*(int64_t *)(void *)((char *)&device->sw + rows[i].offset) =
			mad_get_field(data, 0, rows[i].field);
	device->source_of[ATTRIBUTE_SWITCH_INFO] = collect->source_ref;
	return 0;
}
