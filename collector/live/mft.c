/*
 * MulticastForwardingTable: 32 MLIDs a block (modifier bits 0-8), 16 ports a
 * position (bits 28-31). Read up to MulticastFDBTop where the switch keeps one
 * (CapabilityMask bit 30), else to MulticastFDBCap.
 */
#include "collector/live/collect.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_MLID 0xc000
#define MLIDS_PER_BLOCK 32
#define CAPABILITY_MULTICAST_FDB_TOP 30
#define BLOCKS_MAX 512u

struct groups {
	unsigned mlids;
	uint8_t (*ports)[32];
};

/* How many MLIDs the switch can hold entries for. */
static unsigned mlids_of(const struct device *device)
{
	const struct port *port0 = device_port(device, 0);
	int64_t top = device->sw.multicast_fdb_top;
	int64_t cap = device->sw.multicast_fdb_cap;

	if (cap == FIELD_UNKNOWN)
		return 0;
	if (cap > BLOCKS_MAX * MLIDS_PER_BLOCK)
		cap = BLOCKS_MAX * MLIDS_PER_BLOCK;
	/* A top below the first MLID says that there is none. */
	if (port0 && port_capability(port0, CAPABILITY_MULTICAST_FDB_TOP) == 1 && top != 0) {
		if (top < FIRST_MLID)
			return 0;
		if (top - FIRST_MLID + 1 < cap)
			cap = top - FIRST_MLID + 1;
	}
	return (unsigned)cap;
}

static unsigned positions_of(const struct device *device)
{
	return (unsigned)device->info.num_ports / 16 + 1;
}

static int mft_enter(struct collect *collect, struct target *target, struct err *err)
{
	struct device *device = target->device;
	struct groups *groups;
	unsigned mlids;

	if (device->type != NODE_TYPE_SWITCH || device->sw.multicast_fdb_cap == FIELD_UNKNOWN)
		return 0;
	mlids = mlids_of(device);
	groups = calloc(1, sizeof(*groups) + (size_t)(mlids + MLIDS_PER_BLOCK) * 32);
	if (!groups)
		return err_no_memory(err);
	groups->mlids = mlids;
	groups->ports = (uint8_t (*)[32])(groups + 1);
	free(target->table);
	target->table = groups;
	device->source_of[ATTRIBUTE_MFT] = collect->source_ref;
	target->cursor_end =
		(mlids + MLIDS_PER_BLOCK - 1) / MLIDS_PER_BLOCK * positions_of(device);
	return 0;
}

static int mft_question(struct collect *collect, struct target *target, uint32_t position,
			struct question *ret_question)
{
	unsigned positions = positions_of(target->device);

	(void)collect;
	ret_question->ask = ASK_MFT;
	ret_question->modifier = position % positions << 28 | position / positions;
	return 1;
}

static bool any(const uint8_t ports[32])
{
	static const uint8_t none[32];

	return memcmp(ports, none, sizeof(none)) != 0;
}

static int mft_leave(struct collect *collect, struct target *target, struct err *err)
{
	struct device *device = target->device;
	struct groups *groups = target->table;
	size_t count = 0;

	if (!groups || device->type != NODE_TYPE_SWITCH)
		return 0;
	for (unsigned i = 0; i < groups->mlids; i++)
		count += any(groups->ports[i]);
	device->mft = fabric_alloc(collect->fabric, count + 1, sizeof(*device->mft));
	if (!device->mft)
		return err_no_memory(err);
	for (unsigned i = 0; i < groups->mlids; i++) {
		struct mft_entry *entry = &device->mft[device->mft_count];

		if (!any(groups->ports[i]))
			continue;
		entry->mlid = (uint16_t)(FIRST_MLID + i);
		memcpy(entry->ports, groups->ports[i], sizeof(entry->ports));
		device->mft_count++;
	}
	free(target->table);
	target->table = NULL;
	return 0;
}

const struct stage_reader mft_stage = {
	.group = LIVE_MFT,
	.enter = mft_enter,
	.question = mft_question,
	.leave = mft_leave,
};

int read_mft(struct collect *collect, struct target *target, const struct question *question,
	     uint8_t *data, const char **ret_why, struct err *err)
{
	struct groups *groups = target->table;
	unsigned position = question->modifier >> 28;
	unsigned first = (question->modifier & 0x1ff) * MLIDS_PER_BLOCK;

	(void)collect;
	(void)ret_why;
	(void)err;
	for (unsigned i = 0; i < MLIDS_PER_BLOCK; i++) {
		/* Two bytes, highest port first. */
		groups->ports[first + i][2 * position] = data[2 * i + 1];
		groups->ports[first + i][2 * position + 1] = data[2 * i];
	}
	return 0;
}
