#include "rules/analysis/switches.h"

#include <stdlib.h>

bool device_is_part_of_switch(const struct device *device)
{
	if (device->type != NODE_TYPE_CA || device->system_image_guid == 0)
		return false;
	for (size_t i = 0; i < device->port_slots; i++) {
		const struct port *peer = device->ports[i] ? device->ports[i]->peer : NULL;

		if (peer && peer->device->type == NODE_TYPE_SWITCH &&
		    peer->device->system_image_guid == device->system_image_guid)
			return true;
	}
	return false;
}

static bool switch_has_hosts(const struct device *device)
{
	for (size_t i = 1; i < device->port_slots; i++) {
		const struct port *peer = device->ports[i] ? device->ports[i]->peer : NULL;

		if (peer && peer->device->type != NODE_TYPE_SWITCH &&
		    !device_is_part_of_switch(peer->device))
			return true;
	}
	return false;
}

static void switches_release(void *data)
{
	struct switches *switches = data;

	free(switches->list);
	free(switches->number);
	free(switches->has_hosts);
	free(switches);
}

int analysis_switches(struct analysis *analysis, const struct switches **ret_switches,
		      struct err *err)
{
	const struct fabric *fabric = analysis_fabric(analysis);
	struct switches *switches = analysis_part(analysis, ANALYSIS_SWITCHES);
	size_t room = fabric->device_count + 1;

	if (switches) {
		*ret_switches = switches;
		return 0;
	}
	switches = calloc(1, sizeof(*switches));
	if (!switches)
		return err_no_memory(err);
	analysis_keep(analysis, ANALYSIS_SWITCHES, switches, switches_release);
	switches->list = calloc(room, sizeof(struct device *));
	switches->number = calloc(room, sizeof(*switches->number));
	switches->has_hosts = calloc(room, sizeof(*switches->has_hosts));
	if (!switches->list || !switches->number || !switches->has_hosts)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		if (device->type != NODE_TYPE_SWITCH) {
			switches->number[i] = SWITCH_NONE;
			continue;
		}
		switches->number[i] = (uint32_t)switches->count;
		switches->has_hosts[switches->count] = switch_has_hosts(device);
		switches->with_hosts += switches->has_hosts[switches->count];
		switches->with_lft += device->lft != NULL;
		switches->list[switches->count++] = device;
	}
	*ret_switches = switches;
	return 0;
}

static bool tells_links_badly(const struct fabric *fabric, const struct device *device)
{
	for (size_t num = 0; num < device->port_slots; num++) {
		source_ref ref = device->ports[num] ? device->ports[num]->source_of[ATTRIBUTE_NEIGHBOR]
						    : 0;

		if (ref > 0 && ref <= fabric->source_count && fabric->sources[ref - 1].odd_rows > 0)
			return true;
	}
	return false;
}

bool topology_is_whole(const struct fabric *fabric)
{
	if (fabric->live || !(fabric->asked >> ATTRIBUTE_NEIGHBOR & 1))
		return false;
	for (size_t i = 0; i < fabric->hole_count; i++) {
		enum attribute attribute = fabric->holes[i].attribute;

		if (attribute == ATTRIBUTE_NODE_INFO || attribute == ATTRIBUTE_NEIGHBOR ||
		    attribute == ATTRIBUTE_SWITCH_INFO || fabric->holes[i].reason == HOLE_NOT_REACHED)
			return false;
	}
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		if (device->type == NODE_TYPE_UNKNOWN || device->info.num_ports == FIELD_UNKNOWN ||
		    tells_links_badly(fabric, device))
			return false;
	}
	return fabric->device_count > 0;
}

static uint32_t set_of(uint32_t *parent, uint32_t member)
{
	while (parent[member] != member) {
		parent[member] = parent[parent[member]];
		member = parent[member];
	}
	return member;
}

/* A link that joins what is joined already closes a second path. */
bool switches_have_spare_path(const struct switches *switches, bool *ret_no_memory)
{
	uint32_t *parent = malloc((switches->count + 1) * sizeof(*parent));
	bool spare = false;

	*ret_no_memory = !parent;
	if (!parent)
		return false;
	for (size_t i = 0; i < switches->count; i++)
		parent[i] = (uint32_t)i;
	for (size_t i = 0; i < switches->count && !spare; i++) {
		const struct device *device = switches->list[i];

		for (size_t num = 1; num < device->port_slots && !spare; num++) {
			const struct port *port = device->ports[num];
			uint32_t a;
			uint32_t b;

			if (!port || !port->peer || port->peer->device->type != NODE_TYPE_SWITCH)
				continue;
			/* A cable seen from both ends counts once. */
			if (port->peer->peer == port &&
			    (port->peer->device->index < device->index ||
			     (port->peer->device == device && port->peer->num <= port->num)))
				continue;
			a = set_of(parent, (uint32_t)i);
			b = set_of(parent, switches->number[port->peer->device->index]);
			spare = a == b && port->peer->device != device;
			parent[a] = b;
		}
	}
	free(parent);
	return spare;
}
