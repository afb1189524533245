#include "store/node_names.h"

#include <stdlib.h>

#include "store/array.h"

enum node_name node_name(const struct device *device)
{
	bool has_port = false;
	bool has_other = false;

	for (size_t i = 0; i < device->port_slots; i++) {
		const struct port *port = device->ports[i];

		has_port |= port && port->guid != 0;
		has_other |= port && port->guid != 0 && port->guid != device->guid;
	}
	if (device->type != NODE_TYPE_SWITCH && device->info.num_ports == FIELD_UNKNOWN && !has_other)
		return NODE_BY_PORT;
	return has_port ? NODE_NAMED : NODE_NAMED_ALONE;
}

/* A device of the newer fabric, by the GUID of one of its ports. */
struct owner {
	uint64_t port_guid;
	uint64_t guid;
	bool by_port;
};

struct owners {
	struct owner *list;
	size_t count;
	bool all_by_port;	/* all but switches */
};

static int owner_compare(const void *left, const void *right)
{
	const struct owner *a = left;
	const struct owner *b = right;

	if (a->port_guid != b->port_guid)
		return a->port_guid < b->port_guid ? -1 : 1;
	return (a->guid > b->guid) - (a->guid < b->guid);
}

static bool owners_find(const struct fabric *fabric, struct owners *owners)
{
	size_t room = 1;
	size_t named = 0;

	for (size_t i = 0; i < fabric->device_count; i++)
		room += fabric->devices[i]->port_slots + 1;
	owners->list = malloc(room * sizeof(*owners->list));
	if (!owners->list)
		return false;
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];
		bool by_port = node_name(device) == NODE_BY_PORT;

		if (device->type == NODE_TYPE_SWITCH)
			continue;
		named += !by_port;
		if (by_port)
			owners->list[owners->count++] = (struct owner){device->guid, device->guid, true};
		for (size_t p = 0; !by_port && p < device->port_slots; p++) {
			const struct port *port = device->ports[p];

			if (port && port->guid != 0)
				owners->list[owners->count++] =
					(struct owner){port->guid, device->guid, false};
		}
	}
	qsort(owners->list, owners->count, sizeof(*owners->list), owner_compare);
	owners->all_by_port = owners->count > 0 && named == 0;
	return true;
}

/* NULL: nobody's, or that of two devices. */
static const struct owner *owner_of(const struct owners *owners, uint64_t port_guid)
{
	const struct owner lowest = {.port_guid = port_guid};
	size_t first = array_first_from(&lowest, owners->list, owners->count, sizeof(lowest),
					owner_compare);

	if (first == owners->count || owners->list[first].port_guid != port_guid)
		return NULL;
	if (first + 1 < owners->count && owners->list[first + 1].port_guid == port_guid &&
	    owners->list[first + 1].guid != owners->list[first].guid)
		return NULL;
	return &owners->list[first];
}

static uint64_t name_of(const struct owners *owners, const struct device *device)
{
	const struct owner *owner;
	uint64_t first = 0;

	if (device->type == NODE_TYPE_SWITCH)
		return device->guid;
	if (node_name(device) == NODE_BY_PORT) {
		owner = owner_of(owners, device->guid);
		return owner ? owner->guid : device->guid;
	}
	for (size_t i = 0; i < device->port_slots; i++) {
		const struct port *port = device->ports[i];

		if (!port || port->guid == 0)
			continue;
		owner = owner_of(owners, port->guid);
		if (owner && owner->by_port)
			return owner->guid;
		if (first == 0)
			first = port->guid;
	}
	return owners->all_by_port && first != 0 ? first : device->guid;
}

int fabric_adopt_names(struct fabric *older, const struct fabric *newer, struct err *err)
{
	struct owners owners = {0};

	if (!owners_find(newer, &owners))
		return err_no_memory(err);
	for (size_t i = 0; i < older->device_count; i++)
		older->devices[i]->guid = name_of(&owners, older->devices[i]);
	fabric_devices_index(older);
	free(owners.list);
	return 0;
}
