/*
 * Nodes of a list whose rows bear a port GUID and do not say what kind of node it
 * is: all ports of a switch have one GUID, each port of a CA one of its own. Which
 * it is shows in all rows together, those of the neighbours as well.
 */
#ifndef COLLECTOR_IMPORT_LINE_NODES_H
#define COLLECTOR_IMPORT_LINE_NODES_H

#include "collector/import/link_pending.h"

struct line_nodes {
	struct line_node *nodes;
	size_t count, room;
	bool has_ca, has_switch;	/* among them, when they are settled */
	struct named_port *ports;	/* that rows name, as their own or as the neighbour */
	size_t port_count, port_room;
};

/* A row names this port of the node with this port GUID. 0 or ERR_NOMEM. */
int line_nodes_port(struct line_nodes *nodes, uint64_t guid, unsigned num, struct err *err);

/*
 * The node of some rows that follow one another, when the last was read. `port`: of
 * the first of them; `down`: that one is Down. 0 or ERR_NOMEM.
 */
int line_nodes_add(struct line_nodes *nodes, struct port *port, uint64_t guid, int64_t lid,
		   const char *name, bool down, struct err *err);

/*
 * Gives each node its kind, GUID and LID and tells `pending` of them. A node with one
 * row may be a CA or a switch whose other rows are lost or were not asked for: a port
 * that is Down, or has a number that CAs do not have, leaves that open. 0 or ERR_NOMEM.
 */
int line_nodes_settle(struct line_nodes *nodes, struct import *import,
		      struct link_pending *pending, struct err *err);

void line_nodes_free(struct line_nodes *nodes);

#endif
