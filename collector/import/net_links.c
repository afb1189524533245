#include "collector/import/net_links.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/scan.h"
#include "store/array.h"

/* A neighbour, kept until all labels are known. */
struct net_pending {
	struct port *port;
	uint64_t guid;
	const char *label;	/* interned; NULL none */
	int64_t lid;
};

/* The label that a port of a switch bears. */
struct net_label {
	const struct device *device;
	const char *label;	/* interned */
	struct port *port;
};

int net_links_label(struct net_links *links, struct import *import, struct port *port,
		    const char *label, size_t length, struct err *err)
{
	char *text = import_intern(import, label, length);
	struct net_label *labels = array_grow(links->labels, links->label_count,
					      &links->label_room, sizeof(*labels));
	uint64_t number;

	if (labels)
		links->labels = labels;
	if (!text || !labels)
		return err_no_memory(err);
	if (import_parse_u64(label, length, &number) && number != port->num)
		links->renumbered = true;
	links->labels[links->label_count++] = (struct net_label){
		.device = port->device,
		.label = text,
		.port = port,
	};
	return 0;
}

int net_links_add(struct net_links *links, struct import *import, struct port *port,
		  const struct net_neighbor *neighbor, struct err *err)
{
	bool has_label = neighbor->label && neighbor->label_length;
	char *text = has_label ? import_intern(import, neighbor->label, neighbor->label_length) : NULL;
	struct net_pending *pending = array_grow(links->pending, links->pending_count,
						 &links->pending_room, sizeof(*pending));

	if (pending)
		links->pending = pending;
	if ((has_label && !text) || !pending)
		return err_no_memory(err);
	links->pending[links->pending_count++] = (struct net_pending){
		.port = port,
		.guid = neighbor->guid,
		.label = text,
		.lid = neighbor->lid,
	};
	return 0;
}

static int by_label(const void *a, const void *b)
{
	const struct net_label *x = a;
	const struct net_label *y = b;

	if (x->device != y->device)
		return x->device->index < y->device->index ? -1 : 1;
	return (uintptr_t)x->label < (uintptr_t)y->label ? -1
							  : (uintptr_t)x->label > (uintptr_t)y->label;
}

/* "B184D0F0/0/0/1", "B3D0F0/1": where an HCA's function sits; its port is the last number. */
static bool is_function(struct scan label, uint64_t *ret_port)
{
	uint64_t number;

	for (const char *letter = "BDF"; *letter; letter++) {
		if (!scan_char(&label, *letter) || !scan_digits(&label, &number))
			return false;
	}
	while (scan_char(&label, '/')) {
		if (!scan_decimal(&label, ret_port))
			return false;
		if (scan_done(&label))
			return true;
	}
	return false;
}

/*
 * The number of a port that bears this label; 0: the label does not say. Plain
 * numbers are IB's own but on switches whose ports can be split, and there a row
 * with another number shows it.
 */
static unsigned label_number(const struct net_links *links, const char *label)
{
	uint64_t number;

	if (!label)
		return 0;
	if (!is_function(scan_of(label, strlen(label)), &number) &&
	    (links->renumbered || !import_parse_u64(label, strlen(label), &number)))
		return 0;
	return number <= 254 ? (unsigned)number : 0;
}

/* The port that the row means; *ret_port NULL: it cannot be told. */
static int peer_port(struct net_links *links, struct import *import,
		     const struct net_pending *pending, struct port **ret_port, struct err *err)
{
	struct port *port = import_port_by_guid(import, pending->guid);
	struct net_label wanted = {.label = pending->label};
	const struct net_label *label;
	struct device *device;
	unsigned number;

	device = port ? port->device : import_device(import, pending->guid, NODE_TYPE_UNKNOWN);
	if (!device)
		return err_no_memory(err);
	wanted.device = device;
	label = links->labels && pending->label
			? bsearch(&wanted, links->labels, links->label_count, sizeof(wanted), by_label)
			: NULL;
	number = label_number(links, pending->label);
	/* A better file has told this link already. */
	if (pending->port->peer && pending->port->peer->device == device)
		*ret_port = pending->port->peer;
	else if (label)
		*ret_port = label->port;
	else if (port && port->num != 0)
		*ret_port = port;
	else if (number == 0)
		*ret_port = NULL;
	else if (!(*ret_port = import_port(import, device, number)))
		return err_no_memory(err);
	return 0;
}

/* The neighbour's port has no row, and its label is no number. */
static int unresolved(struct import *import, const struct net_pending *pending, struct err *err)
{
	char text[200];
	int n = snprintf(text, sizeof(text), "0x%016" PRIx64 " port \"%.120s\"", pending->guid,
			 pending->label ? pending->label : "");

	return import_fact(import, pending->port->device, pending->port->num, "neighbor",
			   "not in the capture", text, n > 0 ? (size_t)n : 0, err);
}

static int settle_link(struct net_links *links, struct import *import,
		       const struct net_pending *pending, struct err *err)
{
	struct scan label = scan_of(pending->label ? pending->label : "",
				    pending->label ? strlen(pending->label) : 0);
	struct port *peer = NULL;
	uint64_t number;
	int rc = peer_port(links, import, pending, &peer, err);

	if (rc < 0)
		return rc;
	if (!peer)
		return unresolved(import, pending, err);
	rc = import_link(import, pending->port, peer, false, err);
	if (rc < 0 || pending->lid == FIELD_UNKNOWN)
		return rc;
	/* The LID of a switch is not its port's. */
	if (peer->device->type == NODE_TYPE_CA || peer->device->type == NODE_TYPE_ROUTER ||
	    (peer->device->type == NODE_TYPE_UNKNOWN && is_function(label, &number)))
		rc = IMPORT_PORT(import, peer, lid, pending->lid, err);
	return rc;
}

/* Each switch has a table: one whose labels the rows speak of, and that has none, was lost. */
static int tell_lost(struct import *import, size_t lost, uint64_t first, struct err *err)
{
	char text[160];

	if (lost == 0)
		return 0;
	snprintf(text, sizeof(text),
		 "%zu cable%s to ports that no table here has, the first of 0x%016" PRIx64, lost,
		 lost == 1 ? " leads" : "s lead", first);
	return import_cut(import, ATTRIBUTE_NODE_INFO, text, err);
}

int net_links_settle(struct net_links *links, struct import *import, struct err *err)
{
	uint64_t first = 0;
	size_t lost = 0;
	int rc = 0;

	if (links->label_count)
		qsort(links->labels, links->label_count, sizeof(*links->labels), by_label);
	for (size_t i = 0; i < links->pending_count && rc == 0; i++) {
		const struct net_pending *pending = &links->pending[i];

		rc = settle_link(links, import, pending, err);
		if (rc == 0 && !pending->port->peer && lost++ == 0)
			first = pending->guid;
	}
	if (rc == 0)
		rc = import_links_back(import, err);
	return rc == 0 ? tell_lost(import, lost, first, err) : rc;
}

void net_links_free(struct net_links *links)
{
	free(links->pending);
	free(links->labels);
}
