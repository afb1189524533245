#include "collector/import/net_links.h"

#include <stdlib.h>
#include <string.h>

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

	if (labels)
		links->labels = labels;
	if (!text || !labels)
		return err_no_memory(err);
	links->labels[links->label_count++] = (struct net_label){
		.device = port->device,
		.label = text,
		.port = port,
	};
	return 0;
}

int net_links_add(struct net_links *links, struct import *import, struct port *port, uint64_t guid,
		  const char *label, size_t length, int64_t lid, struct err *err)
{
	char *text = label && length ? import_intern(import, label, length) : NULL;
	struct net_pending *pending = array_grow(links->pending, links->pending_count,
						 &links->pending_room, sizeof(*pending));

	if (pending)
		links->pending = pending;
	if ((label && length && !text) || !pending)
		return err_no_memory(err);
	links->pending[links->pending_count++] = (struct net_pending){
		.port = port,
		.guid = guid,
		.label = text,
		.lid = lid,
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

/* Number of a neighbour's port from its label: digits, or those behind the last slash. */
static unsigned label_number(const char *label)
{
	const char *digits = label ? strrchr(label, '/') : NULL;
	uint64_t num;

	digits = digits ? digits + 1 : label;
	if (!digits || !import_parse_u64(digits, strlen(digits), &num) || num == 0 || num > 254)
		return 1;
	return (unsigned)num;
}

/* The port at the other end; NULL: no memory. */
static struct port *peer_port(struct net_links *links, struct import *import, const struct net_pending *pending)
{
	struct port *port = import_port_by_guid(import, pending->guid);
	struct net_label wanted = {.label = pending->label};
	const struct net_label *label;
	struct device *device;

	device = port ? port->device : import_device(import, pending->guid, NODE_TYPE_UNKNOWN);
	if (!device)
		return NULL;
	/* A better file has told this link already. */
	if (pending->port->peer && pending->port->peer->device == device)
		return pending->port->peer;
	wanted.device = device;
	label = links->labels && pending->label
			? bsearch(&wanted, links->labels, links->label_count, sizeof(wanted), by_label)
			: NULL;
	if (label)
		return label->port;
	if (port && port->num != 0)
		return port;
	return import_port(import, device, label_number(pending->label));
}

int net_links_settle(struct net_links *links, struct import *import, struct err *err)
{
	int rc = 0;

	if (links->label_count)
		qsort(links->labels, links->label_count, sizeof(*links->labels), by_label);
	for (size_t i = 0; i < links->pending_count && rc == 0; i++) {
		const struct net_pending *pending = &links->pending[i];
		struct port *peer = peer_port(links, import, pending);

		if (!peer)
			return err_no_memory(err);
		rc = import_link(import, pending->port, peer, true, err);
		if (rc == 0 && peer->device->type != NODE_TYPE_SWITCH &&
		    pending->lid != FIELD_UNKNOWN)
			rc = IMPORT_PORT(import, peer, lid, pending->lid, err);
	}
	return rc;
}

void net_links_free(struct net_links *links)
{
	free(links->pending);
	free(links->labels);
}
