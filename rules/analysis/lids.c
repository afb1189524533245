#include "rules/analysis/lids.h"

#include <stdlib.h>

#include "store/array.h"

bool lid_is_unicast(int64_t lid)
{
	return lid > 0 && lid <= LID_UNICAST_LAST;
}

unsigned port_lid_span(const struct port *port)
{
	int64_t lmc = port->info.lmc;

	return lmc > 0 && lmc <= 7 ? 1u << lmc : 1;
}

bool port_is_foreign(const struct port *port)
{
	const struct device *device = port->device;

	if (port->peer || device->type == NODE_TYPE_SWITCH)
		return false;
	for (size_t i = 1; i < device->port_slots; i++) {
		if (device->ports[i] && device->ports[i]->peer)
			return true;
	}
	return false;
}

bool port_owes_lid(const struct port *port)
{
	if (!port_is_end_port(port) || (port->num == 0 && port->device->type != NODE_TYPE_SWITCH))
		return false;
	if (port->info.port_state == 1 && !port_is_base_port0(port))
		return false;
	return !port_is_foreign(port);
}

bool port_owns_lid(const struct port *port, unsigned lid)
{
	return lid_is_unicast(lid) && lid_is_unicast(port->info.lid) &&
	       lid >= (unsigned)port->info.lid &&
	       lid - (unsigned)port->info.lid < port_lid_span(port) && port_owes_lid(port);
}

static void lids_release(void *data)
{
	struct lid_owners *owners = data;

	free(owners->clashes);
	free(owners);
}

static int compare_clashes(const void *a, const void *b)
{
	const struct lid_clash *left = a;
	const struct lid_clash *right = b;

	if (left->lid != right->lid)
		return left->lid < right->lid ? -1 : 1;
	if (left->port->device->index != right->port->device->index)
		return left->port->device->index < right->port->device->index ? -1 : 1;
	return (left->port->num > right->port->num) - (left->port->num < right->port->num);
}

static bool clash_add(struct lid_owners *owners, size_t *room, unsigned lid, struct port *port)
{
	struct lid_clash *grown =
		array_grow(owners->clashes, owners->clash_count, room, sizeof(*grown));

	if (!grown)
		return false;
	owners->clashes = grown;
	owners->clashes[owners->clash_count++] = (struct lid_clash){lid, port};
	return true;
}

static bool port_add(struct lid_owners *owners, size_t *room, struct port *port)
{
	unsigned first;
	unsigned end;

	if (!port_owes_lid(port)) {
		if (port->info.port_state != 1 && port_is_foreign(port))
			owners->foreign++;
		return true;
	}
	owners->end_ports++;
	if (port->info.lid == FIELD_UNKNOWN)
		owners->unknown++;
	if (!lid_is_unicast(port->info.lid))
		return true;
	first = (unsigned)port->info.lid;
	end = first + port_lid_span(port);
	for (unsigned lid = first; lid < end && lid <= LID_UNICAST_LAST; lid++) {
		struct port *before = owners->first[lid];
		bool is_base = lid == first && before && before->info.lid != port->info.lid;

		/* Whose base LID it is comes before those that claim it by their LMC. */
		if (!before || is_base)
			owners->first[lid] = port;
		if (before && !clash_add(owners, room, lid, is_base ? before : port))
			return false;
		if (lid > owners->last)
			owners->last = lid;
	}
	return true;
}

int analysis_lids(struct analysis *analysis, const struct lid_owners **ret_owners, struct err *err)
{
	const struct fabric *fabric = analysis_fabric(analysis);
	struct lid_owners *owners = analysis_part(analysis, ANALYSIS_LIDS);
	size_t room = 0;

	if (owners) {
		*ret_owners = owners;
		return 0;
	}
	owners = calloc(1, sizeof(*owners));
	if (!owners)
		return err_no_memory(err);
	analysis_keep(analysis, ANALYSIS_LIDS, owners, lids_release);
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];
		size_t last = device->type == NODE_TYPE_SWITCH ? 0 : device->port_slots - 1;

		if (device->port_slots == 0)
			continue;
		for (size_t num = 0; num <= last; num++) {
			if (device->ports[num] && !port_add(owners, &room, device->ports[num]))
				return err_no_memory(err);
		}
	}
	if (owners->clash_count > 1)
		qsort(owners->clashes, owners->clash_count, sizeof(*owners->clashes),
		      compare_clashes);
	*ret_owners = owners;
	return 0;
}

int64_t highest_lmc(const struct lid_owners *owners)
{
	int64_t highest = 0;

	for (unsigned lid = 1; lid <= owners->last; lid++) {
		if (owners->first[lid] && owners->first[lid]->info.lmc > highest)
			highest = owners->first[lid]->info.lmc;
	}
	return highest;
}
