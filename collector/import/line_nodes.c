#include "collector/import/line_nodes.h"

#include <stdlib.h>

#include "collector/import/stand_in.h"
#include "store/array.h"

struct line_node {
	struct port *port;
	uint64_t guid;
	int64_t lid;
	const char *name;	/* interned */
	bool down;
};

struct named_port {
	uint64_t guid;
	unsigned num;
};

int line_nodes_port(struct line_nodes *nodes, uint64_t guid, unsigned num, struct err *err)
{
	struct named_port *ports = array_grow(nodes->ports, nodes->port_count, &nodes->port_room,
					      sizeof(*ports));

	if (!ports)
		return err_no_memory(err);
	nodes->ports = ports;
	ports[nodes->port_count++] = (struct named_port){guid, num};
	return 0;
}

int line_nodes_add(struct line_nodes *nodes, struct port *port, uint64_t guid, int64_t lid,
		   const char *name, bool down, struct err *err)
{
	struct line_node *list = array_grow(nodes->nodes, nodes->count, &nodes->room, sizeof(*list));

	if (!list)
		return err_no_memory(err);
	nodes->nodes = list;
	list[nodes->count++] = (struct line_node){port, guid, lid, name, down};
	return 0;
}

static int by_guid_and_num(const void *a, const void *b)
{
	const struct named_port *x = a;
	const struct named_port *y = b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return x->num < y->num ? -1 : x->num > y->num;
}

/* Two of its ports are named: the first and the last of those with the GUID differ. */
static bool has_two_ports(const struct line_nodes *nodes, uint64_t guid)
{
	const struct named_port first = {.guid = guid};
	size_t low = array_first_from(&first, nodes->ports, nodes->port_count, sizeof(first),
				      by_guid_and_num);

	for (size_t i = low; i < nodes->port_count && nodes->ports[i].guid == guid; i++) {
		if (nodes->ports[i].num != nodes->ports[low].num)
			return true;
	}
	return false;
}

static enum node_type kind_of(const struct line_nodes *nodes, const struct line_node *node)
{
	if (has_two_ports(nodes, node->guid))
		return NODE_TYPE_SWITCH;
	return node->down || node->port->num > CA_PORTS_MAX ? NODE_TYPE_UNKNOWN : NODE_TYPE_CA;
}

static int settle_node(struct line_nodes *nodes, const struct line_node *node,
		       struct import *import, struct link_pending *pending, struct err *err)
{
	struct device *device = node->port->device;
	struct port *owner = node->port;

	if (device->type == NODE_TYPE_UNKNOWN)
		import_device(import, device->guid, kind_of(nodes, node));
	nodes->has_ca = nodes->has_ca || device->type == NODE_TYPE_CA;
	nodes->has_switch = nodes->has_switch || device->type == NODE_TYPE_SWITCH;
	if (device->type == NODE_TYPE_SWITCH) {
		owner = import_port(import, device, 0);
		if (!owner)
			return err_no_memory(err);
	}
	if (device->type != NODE_TYPE_UNKNOWN)
		import_port_guid(import, owner, node->guid);
	return link_pending_own(pending, owner, node->lid, node->name, err);
}

int line_nodes_settle(struct line_nodes *nodes, struct import *import,
		      struct link_pending *pending, struct err *err)
{
	int rc = 0;

	if (nodes->port_count > 0)
		qsort(nodes->ports, nodes->port_count, sizeof(*nodes->ports), by_guid_and_num);
	for (size_t i = 0; rc == 0 && i < nodes->count; i++)
		rc = settle_node(nodes, &nodes->nodes[i], import, pending, err);
	return rc;
}

void line_nodes_free(struct line_nodes *nodes)
{
	free(nodes->nodes);
	free(nodes->ports);
	*nodes = (struct line_nodes){.nodes = NULL};
}
