#include "collector/import/topology_settle.h"

#include <stdio.h>

static int settle_links(struct import *import, const struct rows *rows, const struct device *last,
			struct device *device, size_t *ret_lost, struct err *err)
{
	for (size_t p = 0; p < device->port_slots; p++) {
		struct port *port = device->ports[p];
		struct device *other = port && port->peer ? port->peer->device : NULL;
		int rc;

		if (!other || port->peer->peer)
			continue;
		if (other != last && rows_told(rows, other))
			continue;
		*ret_lost += other == last;
		rc = import_link(import, port->peer, port, false, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* A port line of this file leads to the device. */
static bool is_neighbor(const struct rows *rows, const struct device *device)
{
	for (size_t p = 0; p < device->port_slots; p++) {
		const struct port *port = device->ports[p];

		if (port && port->peer && rows_told(rows, port->peer->device))
			return true;
	}
	return false;
}

static int note_lost(struct import *import, const struct rows *rows, struct err *err)
{
	const struct fabric *fabric = import_fabric(import);
	const struct device *first = NULL;
	size_t lost = 0;
	char label[DEVICE_LABEL_SIZE];
	char text[DEVICE_LABEL_SIZE + 160];

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		if (rows_told(rows, device) || !is_neighbor(rows, device))
			continue;
		lost++;
		first = first ? first : device;
	}
	if (!first)
		return 0;
	device_label(first, label, sizeof(label));
	if (lost == 1)
		snprintf(text, sizeof(text), "%s is named as a neighbour and has no block of its own",
			 label);
	else
		snprintf(text, sizeof(text),
			 "%zu nodes are named as neighbours and have no block of their own, "
			 "%s is the first", lost, label);
	return import_cut(import, ATTRIBUTE_NODE_INFO, text, err);
}

int topology_settle(struct import *import, const struct rows *rows, const struct device *last,
		    struct err *err)
{
	struct fabric *fabric = import_fabric(import);
	char text[160];
	size_t lost = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		if (rows_told(rows, device))
			rc = settle_links(import, rows, last, device, &lost, err);
	}
	if (rc == 0)
		rc = note_lost(import, rows, err);
	if (rc < 0 || lost == 0)
		return rc;
	snprintf(text, sizeof(text), "its last block lacks %zu cable%s that the neighbours tell of", lost,
		 lost == 1 ? "" : "s");
	return import_cut(import, ATTRIBUTE_NODE_INFO, text, err);
}
