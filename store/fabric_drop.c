#include <string.h>

#include "store/fabric.h"

static bool is_dropped(const bool *drop, const struct device *device)
{
	return device && drop[device->index];
}

static bool port_is_dropped(const bool *drop, const struct port *port)
{
	return port && drop[port->device->index];
}

/* Keeps the elements of a list for which KEEP (over `item`) holds, in order. */
#define LIST_KEEP(fabric, list, count, KEEP)                                                       \
	do {                                                                                      \
		size_t kept = 0;                                                                  \
		for (size_t i = 0; i < (fabric)->count; i++) {                                    \
			if (KEEP((fabric)->list[i]))                                              \
				(fabric)->list[kept++] = (fabric)->list[i];                       \
		}                                                                                 \
		(fabric)->count = kept;                                                           \
	} while (0)

#define DEVICE_STAYS(item) (!is_dropped(drop, (item).device))
#define PORT_STAYS(item) (!port_is_dropped(drop, (item).port))

void fabric_devices_drop(struct fabric *fabric, const bool *drop)
{
	LIST_KEEP(fabric, facts, fact_count, DEVICE_STAYS);
	LIST_KEEP(fabric, holes, hole_count, DEVICE_STAYS);
	LIST_KEEP(fabric, contradictions, contradiction_count, DEVICE_STAYS);
	LIST_KEEP(fabric, sms, sm_count, PORT_STAYS);
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (port_is_dropped(drop, fabric->holes[i].behind))
			fabric->holes[i].behind = NULL;
	}
	for (size_t i = 0; i < fabric->guid_conflict_count; i++) {
		struct guid_conflict *conflict = &fabric->guid_conflicts[i];

		if (port_is_dropped(drop, conflict->place_a))
			conflict->place_a = NULL;
		if (port_is_dropped(drop, conflict->place_b))
			conflict->place_b = NULL;
	}
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			if (device->ports[p] && port_is_dropped(drop, device->ports[p]->peer))
				device->ports[p]->peer = NULL;
		}
	}
	fabric_devices_compact(fabric, drop);
}
