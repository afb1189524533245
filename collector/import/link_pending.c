#include "collector/import/link_pending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/lidmap.h"
#include "collector/import/stand_in.h"
#include "store/array.h"

struct pending_link {
	struct port *port;
	uint64_t guid;		/* port GUID, 0: find it by LID */
	uint16_t lid;
	uint8_t num;
	const char *name;	/* interned, or NULL */
};

int link_pending_add(struct link_pending *pending, struct import *import, struct port *port,
		     const struct link_line *link, struct err *err)
{
	struct pending_link *item;

	/* No cable leads to a port 0. */
	if (link->remote_num == 0)
		return 0;
	item = array_grow(pending->items, pending->count, &pending->room, sizeof(*item));
	if (!item)
		return err_no_memory(err);
	pending->items = item;
	item = &pending->items[pending->count++];
	*item = (struct pending_link){.port = port,
				      .guid = link->remote_guid,
				      .lid = (uint16_t)link->remote_lid,
				      .num = (uint8_t)link->remote_num};
	if (!link->remote_name)
		return 0;
	item->name = import_intern(import, link->remote_name, link->remote_name_length);
	return item->name ? 0 : err_no_memory(err);
}

/* The neighbour is on a node this file and the others do not show. */
static int unresolved(const struct pending_link *item, struct import *import, struct err *err)
{
	char text[200];
	int n = snprintf(text, sizeof(text), "LID %u port %u \"%.120s\"", (unsigned)item->lid,
			 (unsigned)item->num, item->name ? item->name : "");

	return import_fact(import, item->port->device, item->port->num, "neighbor",
			   "not in the capture", text, n > 0 ? (size_t)n : 0, err);
}

/* The end port the line names; NULL: no file shows it. */
static struct port *find_owner(const struct pending_link *item, struct import *import,
			       const struct lidmap *lids)
{
	struct port *owner = item->guid ? import_port_by_guid(import, item->guid) : NULL;

	if (owner)
		return owner;
	owner = lidmap_find(lids, item->lid);
	/* A LID of another time may be somebody else's by now: his GUID tells. */
	if (owner && item->guid != 0 && owner->guid != 0)
		return NULL;
	if (owner && item->guid != 0)
		import_port_guid(import, owner, item->guid);
	return owner;
}

static int resolve(const struct pending_link *item, struct import *import,
		   const struct lidmap *lids, struct err *err)
{
	struct port *owner = find_owner(item, import, lids);
	struct port *peer;
	int rc;

	if (!owner && item->guid == 0)
		return unresolved(item, import, err);
	if (!owner)
		owner = stand_in_port(import, item->guid, NODE_TYPE_UNKNOWN, item->num);
	peer = owner ? import_port(import, owner->device, item->num) : NULL;
	if (!peer)
		return err_no_memory(err);
	rc = import_link(import, item->port, peer, false, err);
	if (rc == 0 && !peer->peer)
		rc = import_link(import, peer, item->port, false, err);
	if (rc == 0 && item->name)
		rc = stand_in_name(import, owner->device, item->name, strlen(item->name), err);
	return rc;
}

int link_pending_settle(const struct link_pending *pending, struct import *import,
			struct err *err)
{
	struct lidmap *lids = NULL;
	int rc = pending->count ? lidmap_new(import_fabric(import), &lids, err) : 0;

	for (size_t i = 0; rc == 0 && i < pending->count; i++)
		rc = resolve(&pending->items[i], import, lids, err);
	lidmap_free(lids);
	return rc;
}

void link_pending_free(struct link_pending *pending)
{
	free(pending->items);
	*pending = (struct link_pending){NULL, 0, 0};
}
