#include "collector/import/lidmap.h"

#include <stdlib.h>

#define UNICAST_LIDS 0xc000

struct lidmap {
	struct port *port_of[UNICAST_LIDS];
};

int lidmap_new(const struct fabric *fabric, struct lidmap **ret_map, struct err *err)
{
	struct lidmap *map = calloc(1, sizeof(*map));

	if (!map)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			if (device->ports[p])
				lidmap_add(map, device->ports[p]);
		}
	}
	*ret_map = map;
	return 0;
}

void lidmap_add(struct lidmap *map, struct port *port)
{
	int64_t lid = port->info.lid;
	int64_t lids = 1;

	if (!port_is_end_port(port) || lid <= 0 || lid >= UNICAST_LIDS)
		return;
	if (port->info.lmc > 0 && port->info.lmc <= 7)
		lids = (int64_t)1 << port->info.lmc;
	for (int64_t i = lid; i < lid + lids && i < UNICAST_LIDS; i++) {
		if (!map->port_of[i])
			map->port_of[i] = port;
	}
}

struct port *lidmap_find(const struct lidmap *map, int64_t lid)
{
	return lid > 0 && lid < UNICAST_LIDS ? map->port_of[lid] : NULL;
}

void lidmap_free(struct lidmap *map)
{
	free(map);
}
