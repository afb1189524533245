#include "collector/import/topology_damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

struct bare_lid {
	struct port *port;
	int64_t lid;
};

void topology_damage_block(struct topology_damage *damage)
{
	memset(damage->seen, 0, sizeof(damage->seen));
}

bool topology_damage_port(struct topology_damage *damage, const struct device *device,
			  struct scan line, unsigned num)
{
	const char *own = scan_find(&line, "# ");

	if (damage->seen[num >> 3] >> (num & 7) & 1 ||
	    (device->info.num_ports != FIELD_UNKNOWN && (int64_t)num > device->info.num_ports))
		return false;
	if (own) {
		line.at = own + 2;
		if (device->type == NODE_TYPE_SWITCH && scan_starts(&line, "lid "))
			return false;
	}
	damage->seen[num >> 3] |= (uint8_t)(1u << (num & 7));
	return true;
}

int topology_damage_lid(struct topology_damage *damage, struct port *neighbor, int64_t lid,
			struct err *err)
{
	struct bare_lid *bare =
		array_grow(damage->bare, damage->bare_count, &damage->bare_room, sizeof(*bare));

	if (!bare)
		return err_no_memory(err);
	damage->bare = bare;
	bare[damage->bare_count++] = (struct bare_lid){neighbor, lid};
	return 0;
}

int topology_damage_settle(struct topology_damage *damage, struct import *import,
			   struct lid_claims *lids, struct err *err)
{
	char text[120];
	int rc = 0;

	if (damage->open_line > 0 || (damage->whole_lines > 0 && damage->torn_line > 0)) {
		snprintf(text, sizeof(text), "lines lack their last words, the first is line %lld",
			 (long long)(damage->torn_line > 0 ? damage->torn_line :
							     damage->open_line));
		return import_cut(import, ATTRIBUTE_PORT_INFO, text, err);
	}
	for (size_t i = 0; rc == 0 && i < damage->bare_count; i++) {
		const struct bare_lid *bare = &damage->bare[i];

		if (bare->port->device->type == NODE_TYPE_SWITCH)
			rc = lid_claims_add(lids, import, bare->port->device, bare->lid, err);
		else
			rc = IMPORT_PORT(import, bare->port, lid, bare->lid, err);
	}
	return rc;
}

void topology_damage_free(struct topology_damage *damage)
{
	free(damage->bare);
	*damage = (struct topology_damage){.bare = NULL};
}
