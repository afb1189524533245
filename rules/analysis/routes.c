/*
 * 3,000 switches by 45,000 LIDs are 134 million entries, spread over 3,000
 * tables. They are read in blocks of 64 LIDs, one cache line for each switch,
 * and turned on the way: the entry becomes what is behind that port, and the
 * ways to one LID come to lie side by side in a few kilobytes.
 */
#include "rules/analysis/routes.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 64
#define UNSET ROUTE_END_COUNT		/* not looked at yet */
#define ON_WAY (ROUTE_END_COUNT + 1)	/* part of the way being followed */

/* What is behind a port, or becomes of the LID, beside a switch number. */
enum {
	NEXT_END_PORT = -1,	/* port 0, a CA or router port: whose LID has to be asked */
	NEXT_UNKNOWN = -2,
	NEXT_DOWN = -3,
	NEXT_NO_PORT = -4,
	NEXT_NO_ENTRY = -5,
	NEXT_ABOVE_TOP = -6,
	NEXT_NO_CABLE = -7,
};

struct walk {
	const struct switches *switches;
	const struct lid_owners *owners;
	bool whole;		/* every cable is known */
	size_t stride;		/* ports kept for each switch */
	int32_t *next;		/* [switch * stride + port] */
	int32_t *hop;		/* [LID in block * switches + switch]: where it goes from there */
	uint8_t *entry;		/* the same for the entries */
	uint8_t *end;
	uint32_t *at;
	uint32_t *way;
};

const char *route_end_name(enum route_end end)
{
	switch (end) {
	case ROUTE_ARRIVES:
		return "arrives";
	case ROUTE_UNDECIDED:
		return "cannot be followed";
	case ROUTE_NO_ENTRY:
		return "no entry (255)";
	case ROUTE_BEYOND_PORTS:
		return "an entry above NumPorts";
	case ROUTE_DOWN_PORT:
		return "an entry for a port that is Down";
	case ROUTE_NO_CABLE:
		return "an entry for a port without a cable";
	case ROUTE_ABOVE_TOP:
		return "a LinearFDBTop below the LID";
	case ROUTE_WRONG_DEVICE:
		return "an entry that delivers to another device";
	case ROUTE_LOOP:
		return "a loop";
	case ROUTE_END_COUNT:
		break;
	}
	return "unknown";
}

static int32_t next_of_port(const struct walk *walk, const struct device *device, size_t num)
{
	const struct port *port = device_port(device, (unsigned)num);

	if (num == 0)
		return NEXT_END_PORT;
	if (num == 255)
		return NEXT_NO_ENTRY;
	if (device->info.num_ports != FIELD_UNKNOWN && (int64_t)num > device->info.num_ports)
		return NEXT_NO_PORT;
	if (port && port->info.port_state == 1)
		return NEXT_DOWN;
	if (!port || !port->peer) {
		if (!walk->whole || (port && port->info.port_state != FIELD_UNKNOWN))
			return NEXT_UNKNOWN;
		return NEXT_NO_CABLE;
	}
	if (port->peer->device->type != NODE_TYPE_SWITCH)
		return NEXT_END_PORT;
	return (int32_t)walk->switches->number[port->peer->device->index];
}

static int walk_prepare(struct walk *walk, struct err *err)
{
	size_t count = walk->switches->count;
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		const struct device *device = walk->switches->list[i];

		if (device->port_slots > most)
			most = device->port_slots;
	}
	walk->stride = most ? most : 1;
	walk->next = calloc(count * walk->stride + 1, sizeof(*walk->next));
	walk->hop = calloc(count * BLOCK + 1, sizeof(*walk->hop));
	walk->entry = calloc(count * BLOCK + 1, 1);
	walk->end = malloc(count + 1);
	walk->at = calloc(count + 1, sizeof(*walk->at));
	walk->way = calloc(count + 1, sizeof(*walk->way));
	if (!walk->next || !walk->hop || !walk->entry || !walk->end || !walk->at || !walk->way)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		for (size_t num = 0; num < walk->stride; num++)
			walk->next[i * walk->stride + num] =
				next_of_port(walk, walk->switches->list[i], num);
	}
	return 0;
}

static void walk_clear(struct walk *walk)
{
	free(walk->next);
	free(walk->hop);
	free(walk->entry);
	free(walk->end);
	free(walk->at);
	free(walk->way);
}

/* LIDs first..first+63 of one switch. */
static void read_block_of(struct walk *walk, unsigned first, size_t number)
{
	const struct device *device = walk->switches->list[number];
	const int32_t *next = walk->next + number * walk->stride;
	size_t count = walk->switches->count;
	int64_t top = device->sw.linear_fdb_top;
	const uint8_t *lft = device->lft;
	bool known = lft && lft_known(device, first);

	for (size_t i = 0; i < BLOCK; i++) {
		unsigned entry = lft && known ? lft[first + i] : 0;
		int32_t hop;

		if (lft && top != FIELD_UNKNOWN && (int64_t)(first + i) > top)
			hop = NEXT_ABOVE_TOP;
		else if (!known)
			hop = NEXT_UNKNOWN;
		else
			hop = entry < walk->stride ? next[entry]
						   : next_of_port(walk, device, entry);
		walk->hop[i * count + number] = hop;
		walk->entry[i * count + number] = (uint8_t)entry;
	}
}

/* How the way ends at a switch whose entry leads to no other switch. */
static enum route_end end_of(const struct walk *walk, const struct route_column *column,
			     int32_t hop, uint32_t at)
{
	const struct port *port;

	switch (hop) {
	case NEXT_END_PORT:
		port = device_port(walk->switches->list[at], column->entry[at]);
		if (port && port->num > 0)
			port = port->peer;
		if (port && port_owns_lid(port, column->lid))
			return ROUTE_ARRIVES;
		return port && port->info.lid != FIELD_UNKNOWN ? ROUTE_WRONG_DEVICE
							       : ROUTE_UNDECIDED;
	case NEXT_DOWN:
		return ROUTE_DOWN_PORT;
	case NEXT_NO_CABLE:
		return ROUTE_NO_CABLE;
	case NEXT_NO_PORT:
		return ROUTE_BEYOND_PORTS;
	case NEXT_NO_ENTRY:
		return ROUTE_NO_ENTRY;
	case NEXT_ABOVE_TOP:
		return ROUTE_ABOVE_TOP;
	default:
		return ROUTE_UNDECIDED;
	}
}

/* The lowest number in the loop that ends a way: from `again` to the way's end. */
static uint32_t lowest_of_loop(const struct walk *walk, size_t length, uint32_t again)
{
	uint32_t lowest = again;

	for (size_t i = length; walk->way[--i] != again;) {
		if (walk->way[i] < lowest)
			lowest = walk->way[i];
	}
	return lowest;
}

/* Follows the way from `start` to its end or to where the end is known, and marks all of it. */
static void follow(struct walk *walk, const struct route_column *column, const int32_t *hop,
		   uint32_t start)
{
	enum route_end end;
	uint32_t at = start;
	size_t length = 0;

	for (;;) {
		uint32_t next;

		walk->end[at] = ON_WAY;
		walk->way[length++] = at;
		if (hop[at] < 0) {
			end = end_of(walk, column, hop[at], at);
			break;
		}
		next = (uint32_t)hop[at];
		if (walk->end[next] == ON_WAY) {
			end = ROUTE_LOOP;
			at = lowest_of_loop(walk, length, next);
			break;
		}
		if (walk->end[next] != UNSET) {
			end = walk->end[next];
			at = walk->at[next];
			break;
		}
		at = next;
	}
	for (size_t i = 0; i < length; i++) {
		walk->end[walk->way[i]] = (uint8_t)end;
		walk->at[walk->way[i]] = at;
	}
}

static void walk_column(struct walk *walk, struct route_column *column, const int32_t *hop)
{
	size_t count = walk->switches->count;

	column->lost = 0;
	column->undecided = 0;
	memset(walk->end, UNSET, count);
	for (size_t i = 0; i < count; i++) {
		if (walk->end[i] == UNSET)
			follow(walk, column, hop, (uint32_t)i);
		column->undecided += walk->end[i] == ROUTE_UNDECIDED;
		column->lost += walk->end[i] > ROUTE_UNDECIDED;
	}
}

int analysis_walk_routes(struct analysis *analysis, route_column_fn call, void *context,
			 struct err *err)
{
	struct walk walk = {0};
	struct route_column column;
	int rc;

	rc = analysis_switches(analysis, &walk.switches, err);
	if (rc == 0)
		rc = analysis_lids(analysis, &walk.owners, err);
	walk.whole = topology_is_whole(analysis_fabric(analysis));
	if (rc == 0)
		rc = walk_prepare(&walk, err);
	for (unsigned first = 0; rc == 0 && first <= walk.owners->last; first += BLOCK) {
		for (size_t i = 0; i < walk.switches->count; i++)
			read_block_of(&walk, first, i);
		for (unsigned lid = first; rc == 0 && lid < first + BLOCK && lid < LID_COUNT; lid++) {
			if (!walk.owners->first[lid])
				continue;
			column.lid = lid;
			column.owner = walk.owners->first[lid];
			column.entry = walk.entry + (lid - first) * walk.switches->count;
			column.end = walk.end;
			column.at = walk.at;
			walk_column(&walk, &column,
				    walk.hop + (lid - first) * walk.switches->count);
			rc = call(context, &column, err);
		}
	}
	walk_clear(&walk);
	return rc;
}
