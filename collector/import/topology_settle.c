#include "collector/import/topology_settle.h"

#include <stdio.h>

#include "collector/import/take_back.h"
#include "collector/import/told_ends.h"
#include "store/text.h"

/*
 * The far end of this port's cable names a port with the same number on a node that
 * has no block: the line is that one's, and what stood between is lost. So it is
 * where both ends are in this block and the other has no line: that of a neighbour.
 */
static bool is_anothers_line(const struct rows *rows, const struct port *port)
{
	const struct port *other = port->peer ? port->peer->peer : NULL;

	if (port->peer && port->peer->device == port->device && port->peer != port && !other)
		return true;
	return other && other != port && other->num == port->num &&
	       rows_told(rows, port->peer->device) && !rows_told(rows, other->device);
}

static size_t forget_lines(struct import *import, const struct rows *rows, struct device *device)
{
	size_t count = 0;

	for (size_t p = 0; p < device->port_slots; p++) {
		struct port *port = device->ports[p];

		if (!port || !is_anothers_line(rows, port))
			continue;
		take_back_link(import, port);
		count++;
	}
	return count;
}

static int tell_forgotten(struct import *import, size_t count, struct err *err)
{
	char text[160];

	if (count == 0)
		return 0;
	snprintf(text, sizeof(text), "%zu %s of nodes whose headers are lost stood under others and "
		 "%s not used", count, text_plural(count, "port line", "port lines"),
		 text_plural(count, "is", "are"));
	return import_cut(import, ATTRIBUTE_NODE_INFO, text, err);
}

/* Cables that one end alone tells of, though the other has a block. */
struct one_sided {
	size_t in_last;		/* the end of the file may have taken them */
	size_t elsewhere;
	const struct port *first;	/* of those elsewhere */
};

static int settle_links(struct import *import, const struct rows *rows, const struct device *last,
			struct device *device, struct one_sided *lost, struct err *err)
{
	for (size_t p = 0; p < device->port_slots; p++) {
		struct port *port = device->ports[p];
		struct device *other = port && port->peer ? port->peer->device : NULL;
		int rc;

		if (!other || port->peer->peer)
			continue;
		if (other != last && rows_told(rows, other)) {
			lost->first = lost->elsewhere++ == 0 ? port : lost->first;
			continue;
		}
		lost->in_last += other == last;
		rc = import_link_back(import, port, err);
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
	size_t forgotten = 0;
	struct one_sided lost = {0};
	int rc;

	for (size_t i = 0; i < fabric->device_count; i++) {
		if (rows_told(rows, fabric->devices[i]))
			forgotten += forget_lines(import, rows, fabric->devices[i]);
	}
	rc = tell_forgotten(import, forgotten, err);
	for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		if (rows_told(rows, device))
			rc = settle_links(import, rows, last, device, &lost, err);
	}
	if (rc == 0)
		rc = note_lost(import, rows, err);
	if (rc == 0)
		rc = told_once(import, lost.elsewhere, lost.first, err);
	if (rc < 0 || lost.in_last == 0)
		return rc;
	snprintf(text, sizeof(text), "its last block lacks %zu cable%s that the neighbours tell of",
		 lost.in_last, lost.in_last == 1 ? "" : "s");
	return import_cut(import, ATTRIBUTE_NODE_INFO, text, err);
}
