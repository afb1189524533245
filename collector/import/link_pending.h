/*
 * Links told by a row for one port, settled when the whole file was read: the
 * neighbour's own rows may come later, and where its port GUID is not printed,
 * or not known, its LID and its name tell it.
 */
#ifndef COLLECTOR_IMPORT_LINK_PENDING_H
#define COLLECTOR_IMPORT_LINK_PENDING_H

#include "collector/import/link_line.h"

struct link_pending {
	struct pending_link *items;
	size_t count;
	size_t room;
	struct lid_owner *owners;	/* that this file tells itself */
	size_t owner_count, owner_room;
	size_t lost;			/* neighbours whose LID or GUID the file has no row of */
};

/*
 * A row of this file has the LID; name (interned) is what the file calls its node, or
 * NULL. The port gets the LID, and a node without a description the name, when the
 * links are made. 0 or ERR_NOMEM.
 */
int link_pending_own(struct link_pending *pending, struct port *owner, int64_t lid,
		     const char *name, struct err *err);

/* The neighbour the line names for this port. 0 or ERR_NOMEM. */
int link_pending_add(struct link_pending *pending, struct import *import, struct port *port,
		     const struct link_line *link, struct err *err);

/*
 * Makes the links. A LID means the node that this same file gives it to, if that
 * bears the name which the row says; one that it gives to nobody means the node of
 * another file only if the name is that one's alone. A neighbour that no file shows
 * becomes a device when its GUID is there, a fact of the port when only its LID is.
 * Where rows call the only node that has a LID otherwise than its own title does, lines
 * are missing behind the title: that is said, and the node has neither LID, name nor
 * links, nor any word of its ports. 0 or ERR_NOMEM.
 */
int link_pending_settle(struct link_pending *pending, struct import *import, struct err *err);

void link_pending_free(struct link_pending *pending);

#endif
