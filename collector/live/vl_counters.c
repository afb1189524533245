/*
 * Counters for each VL and each SL, on request: facts of a port, named as the
 * standard does ("PortXmitDataSL3").
 */
#include "collector/live/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
	uint16_t attribute;
	enum MAD_FIELDS first;
	const char *name;
	const char *section;
} tables[] = {
	{IB_GSI_PORT_XMIT_DATA_SL, IB_PC_XMT_DATA_SL_FIRST_F, "PortXmitDataSL", "sl-counter"},
	{IB_GSI_PORT_RCV_DATA_SL, IB_PC_RCV_DATA_SL_FIRST_F, "PortRcvDataSL", "sl-counter"},
	{IB_GSI_PORT_PORT_VL_OP_PACKETS, IB_PC_PORT_VL_OP_PACKETS_FIRST_F, "PortVLOpPackets",
	 "vl-counter"},
	{IB_GSI_PORT_PORT_VL_OP_DATA, IB_PC_PORT_VL_OP_DATA_FIRST_F, "PortVLOpData",
	 "vl-counter"},
	{IB_GSI_PORT_PORT_VL_XMIT_WAIT_COUNTERS, IB_PC_PORT_VL_XMIT_WAIT_COUNTERS_FIRST_F,
	 "PortVLXmitWait", "vl-counter"},
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static int vl_enter(struct collect *collect, struct target *target, struct err *err)
{
	bool is_switch = target->device->type == NODE_TYPE_SWITCH;

	(void)err;
	if (collect->has_lid && target->answered >> ASK_CLASS_PORT_INFO & 1)
		target->cursor_end =
			TABLES * (is_switch ? (uint32_t)target->device->info.num_ports : 1);
	return 0;
}

static int vl_question(struct collect *collect, struct target *target, uint32_t position,
		       struct question *ret_question)
{
	bool is_switch = target->device->type == NODE_TYPE_SWITCH;
	unsigned num = is_switch ? position / TABLES + 1 : target->port;
	const struct port *port = device_port(target->device, num);

	(void)collect;
	ret_question->ask = ASK_VL_COUNTERS;
	ret_question->port = num;
	ret_question->port_select = (uint8_t)num;
	ret_question->attribute = tables[position % TABLES].attribute;
	return port && port_is_up(port);
}

const struct stage_reader vl_counters_stage = {
	.group = LIVE_VL_COUNTERS,
	.enter = vl_enter,
	.question = vl_question,
};

int read_vl_counters(struct collect *collect, struct target *target,
		     const struct question *question, uint8_t *data, const char **ret_why,
		     struct err *err)
{
	(void)ret_why;
	for (size_t t = 0; t < TABLES; t++) {
		if (tables[t].attribute != question->attribute)
			continue;
		for (unsigned i = 0; i < 16; i++) {
			struct fact *fact = fabric_fact_add(collect->fabric);
			char key[48], value[24];

			if (!fact)
				return err_no_memory(err);
			snprintf(key, sizeof(key), "%s%u", tables[t].name, i);
			snprintf(value, sizeof(value), "%" PRIu32,
				 mad_get_field(data, 0, (enum MAD_FIELDS)(tables[t].first + i)));
			fact->device = target->device;
			fact->port = (int)question->port;
			fact->section = fabric_text(collect->fabric, tables[t].section,
						    strlen(tables[t].section));
			fact->key = fabric_text(collect->fabric, key, strlen(key));
			fact->value = fabric_text(collect->fabric, value, strlen(value));
			fact->source = collect->source_ref;
			if (!fact->section || !fact->key || !fact->value)
				return err_no_memory(err);
		}
	}
	return 0;
}
