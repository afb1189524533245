/*
 * VLArbitrationTable: blocks 1 and 2 low, 3 and 4 high priority, 32 entries
 * each; modifier (block << 16) | port (IBA 14.2.5.9). Only as many entries exist
 * as the port's caps say.
 */
#include "collector/live/collect.h"

#include <string.h>

#define ENTRIES_PER_BLOCK 32
#define BLOCKS 4

static int64_t cap_of(const struct port *port, unsigned block)
{
	return block <= 2 ? port->info.vlarb_low_cap : port->info.vlarb_high_cap;
}

static int vlarb_enter(struct collect *collect, struct target *target, struct err *err)
{
	(void)collect;
	(void)err;
	target->cursor_end = BLOCKS;
	/* An enhanced port 0 has one too. */
	if (target_is_switch(target))
		target->cursor_end = BLOCKS * (target_ports(target) + 1);
	return 0;
}

static int vlarb_question(struct collect *collect, struct target *target, uint32_t position,
			  struct question *ret_question)
{
	bool is_switch = target_is_switch(target);
	unsigned num = is_switch ? position / BLOCKS : target->port;
	unsigned block = position % BLOCKS + 1;
	const struct port *port = target_linked_port(target, num);

	(void)collect;
	if (!port || port->info.vl_cap == 1)
		return 0;
	/* The second block of a list exists when the first cannot hold it. Unknown caps are unknown: -2^63. */
	if (cap_of(port, block) <= (block % 2 ? 0 : ENTRIES_PER_BLOCK))
		return 0;
	ret_question->ask = ASK_VLARB;
	ret_question->port = num;
	ret_question->modifier = block << 16 | (is_switch ? num : 0);
	return 1;
}

const struct stage_reader vlarb_stage = {
	.group = LIVE_VLARB,
	.enter = vlarb_enter,
	.question = vlarb_question,
};

int read_vlarb(struct collect *collect, struct target *target, const struct question *question,
	       uint8_t *data, const char **ret_why, struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	unsigned block = question->modifier >> 16;
	bool low = block <= 2;
	size_t cap = (size_t)cap_of(port, block);
	size_t first = block % 2 ? 0 : ENTRIES_PER_BLOCK;
	struct vlarb_entry **list = low ? &port->vlarb_low : &port->vlarb_high;
	size_t *count = low ? &port->vlarb_low_count : &port->vlarb_high_count;

	if (cap > 2 * ENTRIES_PER_BLOCK) {
		*ret_why = "a VLArbitrationTable longer than 64 entries";
		return 1;
	}
	if (!*list) {
		*list = fabric_alloc(collect->fabric, cap, sizeof(**list));
		if (!*list)
			return err_no_memory(err);
	}
	for (size_t i = 0; i < ENTRIES_PER_BLOCK && first + i < cap; i++) {
		(*list)[first + i].vl = data[2 * i] & 15;
		(*list)[first + i].weight = data[2 * i + 1];
		*count = first + i + 1 > *count ? first + i + 1 : *count;
	}
	port->source_of[ATTRIBUTE_VLARB] = collect->source_ref;
	return 0;
}
