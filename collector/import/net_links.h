/*
 * Links of a port table that names the far end by node GUID and by the label
 * printed on the box ("1/17/2"): which port that is, is known when the whole
 * table has been read.
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
};

/* The port bears this label. 0 or ERR_NOMEM. */
int net_links_label(struct net_links *links, struct import *import, struct port *port,
		    const char *label, size_t length, struct err *err);

/*
 * Behind the port is the device with this node or port GUID, at its port with
 * this label (NULL: not told), and of this LID (FIELD_UNKNOWN). 0 or ERR_NOMEM.
 */
int net_links_add(struct net_links *links, struct import *import, struct port *port, uint64_t guid,
		  const char *label, size_t length, int64_t lid, struct err *err);

/* Makes the links. 0 or ERR_NOMEM. */
int net_links_settle(struct net_links *links, struct import *import, struct err *err);

void net_links_free(struct net_links *links);

#endif
