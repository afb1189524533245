/* Ports above a device's NumPorts that a counter or a neighbour's line alone told of. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collector/import/merge.h"

/*
 * Some tools count a switch's own management or aggregation port and some do not, so
 * one more than a switch is said to have may be there.
 */
static int64_t last_port(const struct device *device)
{
	int64_t ports = device->info.num_ports;

	if (ports <= 0 || ports >= 255)
		return 255;
	return device->type == NODE_TYPE_CA || device->type == NODE_TYPE_ROUTER ? ports : ports + 1;
}

/* Nothing of it is what the device itself answers: that would stand against its NumPorts. */
static bool is_hearsay(const struct port *port)
{
	return port->source_of[ATTRIBUTE_PORT_INFO] == 0 &&
	       port->source_of[ATTRIBUTE_EXTENDED_PORT_INFO] == 0 &&
	       port->source_of[ATTRIBUTE_SM_INFO] == 0 && !port->pkeys && !port->guids;
}

static int note_dropped(struct import *import, const struct port *port, source_ref source,
			struct err *err)
{
	const struct device *device = port->device;
	char kept[40];
	char other[40];

	snprintf(kept, sizeof(kept), "%" PRId64, device->info.num_ports);
	snprintf(other, sizeof(other), "a port %u", (unsigned)port->num);
	return import_contradiction(import, port->device, -1, "num_ports", kept,
				    device->source_of[ATTRIBUTE_NODE_INFO], other, source, err);
}

static bool is_dropped(const struct port *port)
{
	return port && device_port(port->device, port->num) != port;
}

/* A port whose cable is told to lead to such a port: where it leads is not known. */
static int forget_peer(struct import *import, struct port *port, struct err *err)
{
	const struct port *peer = port->peer;
	const struct port_origin *origin = import_port_origin(import, port);
	char label[DEVICE_LABEL_SIZE];
	char text[DEVICE_LABEL_SIZE + 96];
	struct hole *hole = fabric_hole_add(import->fabric);

	if (!origin || !hole)
		return err_no_memory(err);
	snprintf(text, sizeof(text), "its neighbour is told as port %u of %s, which has %" PRId64,
		 (unsigned)peer->num, device_label(peer->device, label, sizeof(label)),
		 peer->device->info.num_ports);
	*hole = (struct hole){.device = port->device,
			      .port = port->num,
			      .attribute = ATTRIBUTE_NEIGHBOR,
			      .reason = HOLE_INCONSISTENT,
			      .behind = port,
			      .text = fabric_text(import->fabric, text, strlen(text)),
			      .source = origin->peer ? origin->peer : origin->first};
	port->peer = NULL;
	import->fabric->partial = true;
	return hole->text ? 0 : err_no_memory(err);
}

static int forget_pointers(struct import *import, struct err *err)
{
	struct fabric *fabric = import->fabric;

	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (is_dropped(fabric->holes[i].behind))
			fabric->holes[i].behind = NULL;
	}
	for (size_t i = 0; i < fabric->sm_count; i++) {
		if (is_dropped(fabric->sms[i].port))
			fabric->sms[i].port = NULL;
	}
	for (size_t i = 0; i < fabric->guid_conflict_count; i++) {
		struct guid_conflict *conflict = &fabric->guid_conflicts[i];

		if (is_dropped(conflict->place_a))
			conflict->place_a = NULL;
		if (is_dropped(conflict->place_b))
			conflict->place_b = NULL;
	}
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			struct port *port = device->ports[num];

			if (port && is_dropped(port->peer) && forget_peer(import, port, err) < 0)
				return ERR_NOMEM;
		}
	}
	return 0;
}

/* 1 when some were dropped. */
static int drop_ports(struct import *import, struct device *device, struct err *err)
{
	int dropped = 0;

	for (size_t num = (size_t)last_port(device) + 1; num < device->port_slots; num++) {
		struct port *port = device->ports[num];
		const struct port_origin *origin;

		if (!port || !is_hearsay(port))
			continue;
		origin = import_port_origin(import, port);
		if (!origin)
			return err_no_memory(err);
		if (note_dropped(import, port, origin->first, err) < 0)
			return ERR_NOMEM;
		device->ports[num] = NULL;
		dropped = 1;
	}
	return dropped;
}

int import_settle_ports(struct import *import, struct err *err)
{
	struct fabric *fabric = import->fabric;
	int dropped = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];
		int rc;

		/* Of two devices with one GUID nobody can tell whose port it is. */
		if (device->same_guid || fabric_device_find(fabric, device->guid) != device)
			continue;
		rc = drop_ports(import, device, err);
		if (rc < 0)
			return rc;
		dropped += rc;
	}
	return dropped > 0 ? forget_pointers(import, err) : 0;
}
