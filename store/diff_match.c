/*
 * Devices are matched by node GUID. Where several rows share one, those that
 * hang on the same neighbour's port belong together, the rest in their order:
 * a duplicate is then one device more, not everything changed.
 */
#include <stdlib.h>
#include <string.h>

#include "store/diff_parts.h"

/* A row with what tells it from others of its GUID. */
struct row {
	uint64_t guid;
	bool has_peer;
	uint64_t peer_guid;	/* of its first linked port */
	unsigned peer_port;
	size_t index;
};

static void row_of(const struct device *device, struct row *row)
{
	memset(row, 0, sizeof(*row));
	row->guid = device->guid;
	row->index = device->index;
	for (size_t i = 0; i < device->port_slots; i++) {
		const struct port *port = device->ports[i];

		if (!port || !port->peer)
			continue;
		row->has_peer = true;
		row->peer_guid = port->peer->device->guid;
		row->peer_port = port->peer->num;
		return;
	}
}

static int compare_place(const struct row *a, const struct row *b)
{
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	if (a->has_peer != b->has_peer)
		return a->has_peer ? -1 : 1;
	if (a->peer_guid != b->peer_guid)
		return a->peer_guid < b->peer_guid ? -1 : 1;
	return a->peer_port < b->peer_port ? -1 : a->peer_port > b->peer_port;
}

static int compare_rows(const void *left, const void *right)
{
	const struct row *a = left;
	const struct row *b = right;
	int order = compare_place(a, b);

	if (order != 0)
		return order;
	return a->index < b->index ? -1 : a->index > b->index;
}

static struct row *sorted_rows(const struct fabric *fabric)
{
	struct row *rows = malloc((fabric->device_count + 1) * sizeof(*rows));

	if (!rows)
		return NULL;
	for (size_t i = 0; i < fabric->device_count; i++)
		row_of(fabric->devices[i], &rows[i]);
	qsort(rows, fabric->device_count, sizeof(*rows), compare_rows);
	return rows;
}

static void pair(struct diff_match *match, size_t old_index, size_t new_index)
{
	match->old_side.other[old_index] = new_index;
	match->new_side.other[new_index] = old_index;
}

/* Rows of one GUID: first those of one place, then the rest in turn. */
static void pair_group(struct diff_match *match, const struct row *old_rows, size_t old_count,
		       const struct row *new_rows, size_t new_count)
{
	size_t o = 0;
	size_t n = 0;

	while (o < old_count && n < new_count) {
		int order = compare_place(&old_rows[o], &new_rows[n]);

		if (order == 0)
			pair(match, old_rows[o++].index, new_rows[n++].index);
		else if (order < 0)
			o++;
		else
			n++;
	}
	o = 0;
	n = 0;
	while (o < old_count && n < new_count) {
		if (match->old_side.other[old_rows[o].index] != NO_DEVICE)
			o++;
		else if (match->new_side.other[new_rows[n].index] != NO_DEVICE)
			n++;
		else
			pair(match, old_rows[o++].index, new_rows[n++].index);
	}
}

static size_t group_length(const struct row *rows, size_t count)
{
	size_t length = 1;

	while (length < count && rows[length].guid == rows[0].guid)
		length++;
	return length;
}

static void pair_all(struct diff_match *match, const struct row *old_rows,
		     const struct row *new_rows)
{
	size_t old_left = match->old_side.fabric->device_count;
	size_t new_left = match->new_side.fabric->device_count;

	while (old_left > 0 && new_left > 0) {
		size_t old_count = group_length(old_rows, old_left);
		size_t new_count = group_length(new_rows, new_left);

		if (old_rows->guid == new_rows->guid)
			pair_group(match, old_rows, old_count, new_rows, new_count);
		if (old_rows->guid <= new_rows->guid) {
			uint64_t guid = old_rows->guid;

			old_rows += old_count;
			old_left -= old_count;
			if (guid < new_rows->guid)
				continue;
		}
		new_rows += new_count;
		new_left -= new_count;
	}
}

/* Holes that may keep a device from being seen; the other attributes hide facts only. */
static bool hides_devices(const struct hole *hole)
{
	if (hole->reason == HOLE_UNSUPPORTED)
		return false;
	switch (hole->attribute) {
	case ATTRIBUTE_NODE_INFO:
	case ATTRIBUTE_SWITCH_INFO:
	case ATTRIBUTE_PORT_INFO:
	case ATTRIBUTE_NEIGHBOR:
		return true;
	default:
		return false;
	}
}

static int compare_places(const void *left, const void *right)
{
	const struct hidden_place *a = left;
	const struct hidden_place *b = right;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->port < b->port ? -1 : a->port > b->port;
}

static bool find_places(struct diff_side *side)
{
	const struct fabric *fabric = side->fabric;

	side->places = malloc((2 * fabric->hole_count + 1) * sizeof(*side->places));
	if (!side->places)
		return false;
	for (size_t i = 0; i < fabric->hole_count; i++) {
		const struct hole *hole = &fabric->holes[i];

		if (!hides_devices(hole))
			continue;
		if (hole->device)
			side->places[side->place_count++] =
				(struct hidden_place){hole->device->index, hole->port};
		if (hole->behind)
			side->places[side->place_count++] = (struct hidden_place){
				hole->behind->device->index, hole->behind->num};
		if (!hole->device && !hole->behind)
			side->somewhere = true;
	}
	qsort(side->places, side->place_count, sizeof(*side->places), compare_places);
	return true;
}

/* True when one of the side's holes is at this port. */
static bool is_hole_at(const struct diff_side *side, size_t device, unsigned port)
{
	const struct hidden_place whole = {device, -1};
	const struct hidden_place one = {device, (int)port};

	if (side->place_count == 0)
		return false;
	return bsearch(&whole, side->places, side->place_count, sizeof(whole), compare_places) ||
	       bsearch(&one, side->places, side->place_count, sizeof(one), compare_places);
}

/* It has a cable, or is Down: one that is up has one, wherever that leads. */
static bool tells_of_cable(const struct port *port)
{
	return port && (port->peer || port->info.port_state == 1);
}

bool diff_could_see(const struct diff_side *here, const struct diff_side *there,
		    const struct port *port)
{
	size_t other = here->other[port->device->index];

	if (other == NO_DEVICE)
		return !here->unseen[port->device->index];
	if (is_hole_at(there, other, port->num))
		return false;
	return !there->somewhere || tells_of_cable(device_port(there->fabric->devices[other], port->num));
}

/* Devices to go on from: they were not reached, so what hung on them was not either. */
struct queue {
	size_t *devices;
	size_t count;
};

static void mark_unseen(struct diff_side *here, struct queue *queue, const struct device *device)
{
	if (here->other[device->index] != NO_DEVICE || here->unseen[device->index])
		return;
	here->unseen[device->index] = true;
	queue->devices[queue->count++] = device->index;
}

/* One cable, from its end `port`. */
static void mark_over(struct diff_side *here, const struct diff_side *there, struct queue *queue,
		      const struct port *port, const struct port *peer)
{
	if (here->other[port->device->index] != NO_DEVICE && !diff_could_see(here, there, port))
		mark_unseen(here, queue, peer->device);
}

static bool find_unseen(struct diff_side *here, const struct diff_side *there)
{
	const struct fabric *fabric = here->fabric;
	struct queue queue = {0};

	queue.devices = malloc((fabric->device_count + 1) * sizeof(*queue.devices));
	if (!queue.devices)
		return false;
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		if (there->somewhere)
			mark_unseen(here, &queue, device);
		for (size_t p = 0; p < device->port_slots; p++) {
			const struct port *port = device->ports[p];

			if (!port || !port->peer)
				continue;
			mark_over(here, there, &queue, port, port->peer);
			mark_over(here, there, &queue, port->peer, port);
		}
	}
	for (size_t next = 0; next < queue.count; next++) {
		const struct device *device = fabric->devices[queue.devices[next]];

		for (size_t p = 0; p < device->port_slots; p++) {
			if (device->ports[p] && device->ports[p]->peer)
				mark_unseen(here, &queue, device->ports[p]->peer->device);
		}
	}
	free(queue.devices);
	return true;
}

static bool side_new(struct diff_side *side, const struct fabric *fabric, const char *name)
{
	side->fabric = fabric;
	side->name = name;
	side->other = malloc((fabric->device_count + 1) * sizeof(*side->other));
	side->unseen = calloc(fabric->device_count + 1, sizeof(*side->unseen));
	if (!side->other || !side->unseen)
		return false;
	for (size_t i = 0; i < fabric->device_count; i++)
		side->other[i] = NO_DEVICE;
	return find_places(side);
}

int diff_match_new(const struct fabric *old_fabric, const struct fabric *new_fabric,
		   struct diff_match *ret_match, struct err *err)
{
	struct diff_match match = {0};
	struct row *old_rows = sorted_rows(old_fabric);
	struct row *new_rows = sorted_rows(new_fabric);
	int rc = 0;

	if (!old_rows || !new_rows || !side_new(&match.old_side, old_fabric, "older") ||
	    !side_new(&match.new_side, new_fabric, "newer")) {
		rc = err_no_memory(err);
		goto out;
	}
	pair_all(&match, old_rows, new_rows);
	if (!find_unseen(&match.old_side, &match.new_side) ||
	    !find_unseen(&match.new_side, &match.old_side)) {
		rc = err_no_memory(err);
		goto out;
	}
	*ret_match = match;
out:
	free(old_rows);
	free(new_rows);
	if (rc < 0)
		diff_match_free(&match);
	return rc;
}

static void side_free(struct diff_side *side)
{
	free(side->other);
	free(side->unseen);
	free(side->places);
	memset(side, 0, sizeof(*side));
}

void diff_match_free(struct diff_match *match)
{
	side_free(&match->old_side);
	side_free(&match->new_side);
}
