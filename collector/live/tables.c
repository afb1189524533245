/* P_KeyTable and GUIDInfo: blocks put together to one list for each port. */
#include "collector/live/collect.h"

#include <stdlib.h>
#include <string.h>

#define PKEYS_PER_BLOCK 32
#define GUIDS_PER_BLOCK 8

/* Blocks of `per` entries that hold `count`; none when the count is not known. */
static unsigned blocks_of(int64_t count, unsigned per)
{
	if (count == FIELD_UNKNOWN || count <= 0)
		return 0;
	return (unsigned)((count + per - 1) / per);
}

/* Entries in the P_Key table of a port: its own for an end port, the switch's for the others. */
static int64_t pkey_cap(const struct device *device, unsigned port)
{
	if (device->type == NODE_TYPE_SWITCH && port != 0)
		return device->sw.partition_enforcement_cap;
	return device->info.partition_cap;
}

/*
 * Positions walk over ports, and over blocks within a port. Only port 0 may
 * have another number of blocks than the rest.
 */
static void position_of(uint32_t position, unsigned first_blocks, unsigned blocks,
			unsigned *ret_port, unsigned *ret_block)
{
	if (position < first_blocks) {
		*ret_port = 0;
		*ret_block = position;
		return;
	}
	position -= first_blocks;
	*ret_port = position / blocks + 1;
	*ret_block = position % blocks;
}

static int pkeys_enter(struct collect *collect, struct target *target, struct err *err)
{
	const struct device *device = target->device;
	unsigned first = blocks_of(pkey_cap(device, 0), PKEYS_PER_BLOCK);
	unsigned rest = blocks_of(pkey_cap(device, 1), PKEYS_PER_BLOCK);

	(void)collect;
	(void)err;
	target->cursor_end = first;
	if (target_is_switch(target))
		target->cursor_end += rest * target_ports(target);
	return 0;
}

static int pkeys_question(struct collect *collect, struct target *target, uint32_t position,
			  struct question *ret_question)
{
	const struct device *device = target->device;
	unsigned first = blocks_of(pkey_cap(device, 0), PKEYS_PER_BLOCK);
	unsigned rest = blocks_of(pkey_cap(device, 1), PKEYS_PER_BLOCK);
	unsigned port, block;

	(void)collect;
	position_of(position, first, rest ? rest : 1, &port, &block);
	ret_question->ask = ASK_PKEY_TABLE;
	ret_question->port = target_is_switch(target) ? port : target->port;
	ret_question->modifier = block;
	if (!target_is_switch(target))
		return 1;
	ret_question->modifier |= port << 16;
	/* A port without a link enforces nothing; of one that was not read nothing is known. */
	return port == 0 ? device_port(device, 0) != NULL : target_linked_port(target, port) != NULL;
}

const struct stage_reader pkeys_stage = {
	.group = LIVE_PKEYS,
	.enter = pkeys_enter,
	.question = pkeys_question,
};

int read_pkey_table(struct collect *collect, struct target *target,
		    const struct question *question, uint8_t *data, const char **ret_why,
		    struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	size_t count = 0;
	uint16_t found[PKEYS_PER_BLOCK];
	uint16_t *pkeys;

	(void)ret_why;
	for (unsigned i = 0; i < PKEYS_PER_BLOCK; i++) {
		uint16_t pkey = (uint16_t)(data[2 * i] << 8 | data[2 * i + 1]);

		if (pkey & 0x7fff)
			found[count++] = pkey;
	}
	port->source_of[ATTRIBUTE_PKEY_TABLE] = collect->source_ref;
	if (count == 0 && port->pkeys)
		return 0;
	pkeys = fabric_alloc(collect->fabric, port->pkey_count + count + 1, sizeof(*pkeys));
	if (!pkeys)
		return err_no_memory(err);
	if (port->pkey_count)
		memcpy(pkeys, port->pkeys, port->pkey_count * sizeof(*pkeys));
	memcpy(pkeys + port->pkey_count, found, count * sizeof(*pkeys));
	port->pkeys = pkeys;
	port->pkey_count += count;
	return 0;
}

/* --- GUIDInfo, of end ports. --- */

static int guids_enter(struct collect *collect, struct target *target, struct err *err)
{
	const struct port *own = device_port(target->device, target->port);

	(void)collect;
	(void)err;
	target->cursor_end = blocks_of(own->info.guid_cap, GUIDS_PER_BLOCK);
	return 0;
}

static int guids_question(struct collect *collect, struct target *target, uint32_t position,
			  struct question *ret_question)
{
	(void)collect;
	ret_question->ask = ASK_GUID_INFO;
	ret_question->port = target->port;
	ret_question->modifier = position;
	return !target->odd_guids;
}

const struct stage_reader guids_stage = {
	.group = LIVE_GUIDS,
	.enter = guids_enter,
	.question = guids_question,
};

/*
 * Entry 0 is the port's own GUID and cannot be written (IBA 14.2.5.5); some
 * firmware leaves it zero. What begins otherwise is another port's list, or none.
 */
static bool begins_right(const struct port *port, uint8_t *data)
{
	uint64_t first = mad_get_field64(data, 0, IB_GI_GUID0_F);

	return first == 0 || port->guid == 0 || first == port->guid;
}

int read_guid_info(struct collect *collect, struct target *target,
		   const struct question *question, uint8_t *data, const char **ret_why,
		   struct err *err)
{
	struct port *port = device_port(target->device, target->port);
	size_t first = (size_t)question->modifier * GUIDS_PER_BLOCK;
	size_t count = port->guid_count;
	uint64_t *guids;

	if (first == 0 && !begins_right(port, data)) {
		target->odd_guids = true;
		port->guids = NULL;
		port->guid_count = 0;
		port->source_of[ATTRIBUTE_GUID_INFO] = 0;
		*ret_why = "GUIDInfo whose first entry is not the port's own GUID: none of it is believed";
		return 1;
	}
	if (target->odd_guids)
		return 0;
	port->source_of[ATTRIBUTE_GUID_INFO] = collect->source_ref;
	for (size_t i = 0; i < GUIDS_PER_BLOCK; i++) {
		if (mad_get_field64(data, 0, (enum MAD_FIELDS)(IB_GI_GUID0_F + i)) != 0 &&
		    first + i + 1 > count)
			count = first + i + 1;
	}
	if (port->guids && count == port->guid_count && first >= count)
		return 0;
	guids = fabric_alloc(collect->fabric, count + 1, sizeof(*guids));
	if (!guids)
		return err_no_memory(err);
	if (port->guid_count)
		memcpy(guids, port->guids, port->guid_count * sizeof(*guids));
	for (size_t i = 0; i < GUIDS_PER_BLOCK && first + i < count; i++)
		guids[first + i] = mad_get_field64(data, 0, (enum MAD_FIELDS)(IB_GI_GUID0_F + i));
	port->guids = guids;
	port->guid_count = count;
	return 0;
}
