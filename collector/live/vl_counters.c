/*
 * Counters for each VL and each SL, on request: facts of a port, named as the
 * standard does ("PortXmitDataSL3").
 */
#include "collector/live/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*
 * In order of enum ask. The section is the attribute's name, by which
 * rules/analysis/sl_use.h knows the levels in use.
 */
static const struct {
	enum MAD_FIELDS first;
	const char *name;
} tables[] = {
	{IB_PC_XMT_DATA_SL_FIRST_F, "PortXmitDataSL"},
	{IB_PC_RCV_DATA_SL_FIRST_F, "PortRcvDataSL"},
	{IB_PC_PORT_VL_OP_PACKETS_FIRST_F, "PortVLOpPackets"},
	{IB_PC_PORT_VL_OP_DATA_FIRST_F, "PortVLOpData"},
	{IB_PC_PORT_VL_XMIT_WAIT_COUNTERS_FIRST_F, "PortVLXmitWait"},
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static int vl_enter(struct collect *collect, struct target *target, struct err *err)
{
	(void)err;
	/* An agent that keeps silent about ClassPortInfo is asked for nothing more. */
	if (collect->has_lid && target_heard(target, ASK_CLASS_PORT_INFO))
		target->cursor_end = TABLES * target_ports(target);
	return 0;
}

static int vl_question(struct collect *collect, struct target *target, uint32_t position,
		       struct question *ret_question)
{
	unsigned num = target_port_num(target, position / TABLES);

	(void)collect;
	ret_question->ask = (enum ask)(ASK_XMIT_DATA_SL + position % TABLES);
	ret_question->port = num;
	ret_question->port_select = (uint8_t)num;
	return target_linked_port(target, num) != NULL;
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
	unsigned table = question->ask - ASK_XMIT_DATA_SL;
	const char *name = tables[table].name;

	(void)ret_why;
	for (unsigned i = 0; i < 16; i++) {
		struct fact *fact = fabric_fact_add(collect->fabric);
		char key[48], value[24];

		if (!fact)
			return err_no_memory(err);
		snprintf(key, sizeof(key), "%s%u", name, i);
		snprintf(value, sizeof(value), "%" PRIu32,
			 mad_get_field(data, 0, (enum MAD_FIELDS)(tables[table].first + i)));
		fact->device = target->device;
		fact->port = (int)question->port;
		fact->section = fabric_text(collect->fabric, name, strlen(name));
		fact->key = fabric_text(collect->fabric, key, strlen(key));
		fact->value = fabric_text(collect->fabric, value, strlen(value));
		fact->source = collect->source_ref;
		if (!fact->section || !fact->key || !fact->value)
			return err_no_memory(err);
	}
	return 0;
}
