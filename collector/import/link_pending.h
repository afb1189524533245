/*
 * Links told by a row for one port, settled when the whole file was read: the
 * neighbour's own rows may come later, and where its port GUID is not printed,
 * or not known, its LID names it.
 */
#ifndef COLLECTOR_IMPORT_LINK_PENDING_H
#define COLLECTOR_IMPORT_LINK_PENDING_H

#include "collector/import/link_line.h"

struct link_pending {
	struct pending_link *items;
	size_t count;
	size_t room;
};

/* The neighbour the line names for this port. 0 or ERR_NOMEM. */
int link_pending_add(struct link_pending *pending, struct import *import, struct port *port,
		     const struct link_line *link, struct err *err);

/*
 * Makes the links. A neighbour that no file shows becomes a device when its GUID
 * is there, a fact of the port when only its LID is. 0 or ERR_NOMEM.
 */
int link_pending_settle(const struct link_pending *pending, struct import *import,
			struct err *err);

void link_pending_free(struct link_pending *pending);

#endif
