/*
 * Links of a port table that names the far end by node GUID and by the label
 * printed on the box ("1/17/2"): which port that is, is known when the whole
 * table has been read. A label that no row bears names no port, however much its
 * last number looks like one.
 */
#ifndef COLLECTOR_IMPORT_NET_LINKS_H
#define COLLECTOR_IMPORT_NET_LINKS_H

#include "collector/import/format.h"

struct net_links {
	struct net_pending *pending;
	size_t pending_count;
	size_t pending_room;
	struct net_label *labels;
	size_t label_count;
	size_t label_room;
	bool renumbered;	/* a port bears another plain number as its label */
};

/* The port bears this label. 0 or ERR_NOMEM. */
int net_links_label(struct net_links *links, struct import *import, struct port *port,
		    const char *label, size_t length, struct err *err);

/* What a row says of the far end. */
struct net_neighbor {
	uint64_t guid;		/* of the node or the port */
	const char *label;	/* of its port; NULL: not told */
	size_t label_length;
	int64_t lid;		/* or FIELD_UNKNOWN */
};

/* That is behind the port. 0 or ERR_NOMEM. */
int net_links_add(struct net_links *links, struct import *import, struct port *port,
		  const struct net_neighbor *neighbor, struct err *err);

/*
 * Makes the links. A neighbour whose port is not known becomes a fact of the port;
 * where that is a switch, the file lacks its table, and is cut. 0 or ERR_NOMEM.
 */
int net_links_settle(struct net_links *links, struct import *import, struct err *err);

void net_links_free(struct net_links *links);

#endif
