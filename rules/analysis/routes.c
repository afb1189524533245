/*
 * 3,000 switches by 45,000 LIDs are 134 million entries, spread over 3,000
 * tables. They are read in blocks of 64 LIDs, one cache line for each switch,
 * and turned, so that the ways to one LID lie side by side; what is behind each
 * port of each switch is looked up once and kept as one number.
 */
#include "rules/analysis/routes.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK 64
#define UNSET ROUTE_END_COUNT		/* not looked at yet */
#define ON_WAY (ROUTE_END_COUNT + 1)	/* part of the way being followed */

/* What is behind a port, beside a switch number. */
enum {
	NEXT_SELF = -1,		/* port 0 */
	NEXT_END_PORT = -2,	/* a CA or router port: whose LID has to be asked */
	NEXT_UNKNOWN = -3,
	NEXT_DOWN = -4,
	NEXT_NO_PORT = -5,
};

struct walk {
	const struct switches *switches;
	const struct lid_owners *owners;
	size_t stride;		/* ports kept for each switch */
	int32_t *next;		/* [switch * stride + port] */
	uint8_t *entry;		/* [LID in block * switches + switch] */
	uint8_t *known;		/* [switch]: the block was read */
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
		return NEXT_SELF;
	if (device->info.num_ports != FIELD_UNKNOWN && (int64_t)num > device->info.num_ports)
		return NEXT_NO_PORT;
	if (!port)
		return NEXT_UNKNOWN;
	if (port->info.port_state == 1)
		return NEXT_DOWN;
	if (!port->peer)
		return NEXT_UNKNOWN;
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
	walk->entry = malloc(count * BLOCK + 1);
	walk->known = malloc(count + 1);
	walk->end = malloc(count + 1);
	walk->at = calloc(count + 1, sizeof(*walk->at));
	walk->way = calloc(count + 1, sizeof(*walk->way));
	if (!walk->next || !walk->entry || !walk->known || !walk->end || !walk->at || !walk->way)
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
	free(walk->entry);
	free(walk->known);
	free(walk->end);
	free(walk->at);
	free(walk->way);
}

static void read_block(struct walk *walk, unsigned first)
{
	size_t count = walk->switches->count;

	for (size_t i = 0; i < count; i++) {
		const struct device *device = walk->switches->list[i];

		walk->known[i] = lft_known(device, first);
		if (!walk->known[i])
			continue;
		for (size_t lid = 0; lid < BLOCK; lid++)
			walk->entry[lid * count + i] = device->lft[first + lid];
	}
}

/* Where one step from this switch leads: a switch number, or an end (returned through ret_end). */
static int32_t step(const struct walk *walk, const struct route_column *column, uint32_t from,
		    enum route_end *ret_end)
{
	const struct device *device = walk->switches->list[from];
	const struct port *end_port;
	unsigned entry;
	int32_t next;

	*ret_end = ROUTE_UNDECIDED;
	if (device->lft && device->sw.linear_fdb_top != FIELD_UNKNOWN &&
	    (int64_t)column->lid > device->sw.linear_fdb_top) {
		*ret_end = ROUTE_ABOVE_TOP;
		return NEXT_SELF;
	}
	if (!walk->known[from])
		return NEXT_SELF;
	entry = column->entry[from];
	if (entry == 255) {
		*ret_end = ROUTE_NO_ENTRY;
		return NEXT_SELF;
	}
	next = entry < walk->stride ? walk->next[from * walk->stride + entry]
				    : next_of_port(walk, device, entry);
	switch (next) {
	case NEXT_SELF:
	case NEXT_END_PORT:
		end_port = device_port(device, entry);
		if (end_port && entry > 0)
			end_port = end_port->peer;
		if (end_port && port_owns_lid(end_port, column->lid))
			*ret_end = ROUTE_ARRIVES;
		else if (end_port && end_port->info.lid != FIELD_UNKNOWN)
			*ret_end = ROUTE_WRONG_DEVICE;
		break;
	case NEXT_DOWN:
		*ret_end = ROUTE_DOWN_PORT;
		break;
	case NEXT_NO_PORT:
		*ret_end = ROUTE_BEYOND_PORTS;
		break;
	default:
		break;
	}
	return next;
}

/* Follows the way from `start` to its end or to where the end is known, and marks all of it. */
static void follow(struct walk *walk, const struct route_column *column, uint32_t start)
{
	enum route_end end = ROUTE_UNDECIDED;
	uint32_t at = start;
	size_t length = 0;

	for (;;) {
		int32_t next;

		walk->end[at] = ON_WAY;
		walk->way[length++] = at;
		next = step(walk, column, at, &end);
		if (next < 0)
			break;
		if (walk->end[next] == ON_WAY) {
			end = ROUTE_LOOP;
			at = (uint32_t)next;
			for (size_t i = length; walk->way[--i] != (uint32_t)next;) {
				if (walk->way[i] < at)
					at = walk->way[i];
			}
			break;
		}
		if (walk->end[next] != UNSET) {
			end = walk->end[next];
			at = walk->at[next];
			break;
		}
		at = (uint32_t)next;
	}
	for (size_t i = 0; i < length; i++) {
		walk->end[walk->way[i]] = (uint8_t)end;
		walk->at[walk->way[i]] = at;
	}
}

static void walk_column(struct walk *walk, struct route_column *column)
{
	size_t count = walk->switches->count;

	column->lost = 0;
	column->undecided = 0;
	memset(walk->end, UNSET, count);
	for (size_t i = 0; i < count; i++) {
		if (walk->end[i] == UNSET)
			follow(walk, column, (uint32_t)i);
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
	if (rc == 0)
		rc = walk_prepare(&walk, err);
	for (unsigned first = 0; rc == 0 && first <= walk.owners->last; first += BLOCK) {
		read_block(&walk, first);
		for (unsigned lid = first; rc == 0 && lid < first + BLOCK && lid < LID_COUNT; lid++) {
			if (!walk.owners->first[lid])
				continue;
			column.lid = lid;
			column.owner = walk.owners->first[lid];
			column.entry = walk.entry + (lid - first) * walk.switches->count;
			column.end = walk.end;
			column.at = walk.at;
			walk_column(&walk, &column);
			rc = call(context, &column, err);
		}
	}
	walk_clear(&walk);
	return rc;
}
