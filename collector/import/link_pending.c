#include "collector/import/link_pending.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/lidmap.h"
#include "collector/import/stand_in.h"
#include "collector/import/take_back.h"
#include "store/array.h"

struct pending_link {
	struct port *port;
	uint64_t guid;		/* port GUID, 0: find it by LID */
	uint16_t lid;
	uint8_t num;
	const char *name;	/* interned, or NULL */
};

/* Who has a LID as this file says. */
struct lid_owner {
	int64_t lid;
	struct port *port;
	const char *name;
	bool doubted;		/* its neighbours call it otherwise */
};

int link_pending_own(struct link_pending *pending, struct port *owner, int64_t lid,
		     const char *name, struct err *err)
{
	struct lid_owner *owners = array_grow(pending->owners, pending->owner_count,
					      &pending->owner_room, sizeof(*owners));

	if (!owners)
		return err_no_memory(err);
	pending->owners = owners;
	owners[pending->owner_count++] = (struct lid_owner){.lid = lid, .port = owner, .name = name};
	return 0;
}

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

static int by_lid(const void *a, const void *b)
{
	const struct lid_owner *x = a;
	const struct lid_owner *y = b;

	return x->lid < y->lid ? -1 : x->lid > y->lid;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool same_name(const char *a, const char *b)
{
	size_t a_length = strlen(a);
	size_t b_length = strlen(b);

	import_trim(&a, &a_length);
	import_trim(&b, &b_length);
	return a_length == b_length && memcmp(a, b, a_length) == 0;
}

/* What is known when links are made. */
struct places {
	struct lidmap *lids;
	const char **names;	/* of all devices, sorted */
	size_t name_count;
};

static int places_new(struct places *places, const struct fabric *fabric, struct err *err)
{
	int rc = lidmap_new(fabric, &places->lids, err);

	if (rc < 0)
		return rc;
	places->names = calloc(2 * fabric->device_count + 1, sizeof(*places->names));
	if (!places->names)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->device_count; i++) {
		if (fabric->devices[i]->description)
			places->names[places->name_count++] = fabric->devices[i]->description;
		if (fabric->devices[i]->alias)
			places->names[places->name_count++] = fabric->devices[i]->alias;
	}
	qsort(places->names, places->name_count, sizeof(*places->names), by_text);
	return 0;
}

/* One device alone is called so. */
static bool is_only_name(const struct places *places, const char *name)
{
	const char **found = bsearch(&name, places->names, places->name_count,
				     sizeof(*places->names), by_text);

	if (!found)
		return false;
	return (found == places->names || strcmp(found[-1], name) != 0) &&
	       (found + 1 == places->names + places->name_count || strcmp(found[1], name) != 0);
}

static int owner_and_lid(const void *element, const void *key)
{
	int64_t lid = ((const struct lid_owner *)element)->lid;
	int64_t wanted = *(const int64_t *)key;

	return lid < wanted ? -1 : lid > wanted;
}

/* The index of the first owner with this LID, or behind all with lower ones. */
static size_t first_owner(const struct link_pending *pending, int64_t lid)
{
	return array_first_from(&lid, pending->owners, pending->owner_count,
				sizeof(*pending->owners), owner_and_lid);
}

/*
 * The port of this file with the LID and the name; *ret_known: some port has the
 * LID. Of several with both none is meant.
 */
static struct port *find_own(const struct link_pending *pending, const struct pending_link *item,
			     bool *ret_known)
{
	size_t low = first_owner(pending, item->lid);
	struct port *owner = NULL;

	*ret_known = low < pending->owner_count && pending->owners[low].lid == item->lid;
	for (; low < pending->owner_count && pending->owners[low].lid == item->lid; low++) {
		const struct lid_owner *own = &pending->owners[low];

		if (own->port == owner || (own->name && item->name && !same_name(own->name, item->name)))
			continue;
		if (owner)
			return NULL;
		owner = own->port;
	}
	return owner;
}

/* The port of another file: its LID may be of another fabric, or of another time. */
static struct port *find_other(const struct pending_link *item, const struct places *places)
{
	struct port *owner = lidmap_find(places->lids, item->lid);
	const struct device *device = owner ? owner->device : NULL;

	if (!device || !item->name || !is_only_name(places, item->name) ||
	    !((device->description && strcmp(device->description, item->name) == 0) ||
	      (device->alias && strcmp(device->alias, item->name) == 0)))
		return NULL;
	return owner;
}

/* The end port the line names; NULL: no file shows it. *ret_known: this file has rows of it. */
static struct port *find_owner(const struct link_pending *pending, const struct pending_link *item,
			       struct import *import, const struct places *places, bool *ret_known)
{
	struct port *owner = item->guid ? import_port_by_guid(import, item->guid) : NULL;

	*ret_known = true;
	if (owner)
		return owner;
	owner = find_own(pending, item, ret_known);
	if (!*ret_known)
		owner = find_other(item, places);
	/* A LID of another time may be somebody else's by now: his GUID tells. */
	if (owner && item->guid != 0 && owner->guid != 0)
		return NULL;
	if (owner && item->guid != 0 && owner->device->type != NODE_TYPE_UNKNOWN)
		import_port_guid(import, owner, item->guid);
	return owner;
}

static int resolve(struct link_pending *pending, const struct pending_link *item,
		   struct import *import, const struct places *places, struct err *err)
{
	bool known;
	struct port *owner = find_owner(pending, item, import, places, &known);
	struct port *peer;
	int rc;

	pending->lost += !known;
	if (!owner && item->guid == 0)
		return unresolved(item, import, err);
	if (!owner)
		owner = stand_in_port(import, item->guid, NODE_TYPE_UNKNOWN, item->num);
	peer = owner ? import_port(import, owner->device, item->num) : NULL;
	if (!peer)
		return err_no_memory(err);
	rc = import_link(import, item->port, peer, false, err);
	if (rc == 0 && item->name)
		rc = stand_in_name(import, owner->device, item->name, strlen(item->name), err);
	return rc;
}

/* The only one that this file gives the LID to is called otherwise by this row. */
static void doubt_owner(struct link_pending *pending, const struct pending_link *item)
{
	size_t first = first_owner(pending, item->lid);
	struct lid_owner *own = &pending->owners[first];

	if (item->lid == 0 || !item->name || first == pending->owner_count ||
	    own->lid != item->lid || !own->name || same_name(own->name, item->name))
		return;
	for (size_t i = first + 1; i < pending->owner_count && own->lid == pending->owners[i].lid; i++) {
		if (pending->owners[i].port->device != own->port->device)
			return;
	}
	own->doubted = true;
}

/* What its own rows say of the node. */
static int tell_owner(const struct lid_owner *own, struct import *import, struct err *err)
{
	int rc = 0;

	/* Of a node that may be a switch the LID is port 0's. */
	if (own->port->device->type != NODE_TYPE_UNKNOWN)
		rc = IMPORT_PORT(import, own->port, lid, own->lid, err);
	if (rc == 0 && own->name)
		rc = stand_in_name(import, own->port->device, own->name, strlen(own->name), err);
	return rc;
}

static void take_back(struct import *import, struct device *device)
{
	for (size_t p = 0; p < device->port_slots; p++) {
		if (device->ports[p])
			take_back_link(import, device->ports[p]);
	}
}

/* Gives the nodes their LIDs and names. *ret_doubted: by device->index, those whose rows may be another's. */
static int tell_owners(struct link_pending *pending, struct import *import, bool **ret_doubted,
		       struct err *err)
{
	bool *doubted = calloc(import_fabric(import)->device_count + 1, sizeof(*doubted));
	char label[DEVICE_LABEL_SIZE];
	char text[DEVICE_LABEL_SIZE + 120];
	int rc = doubted ? 0 : err_no_memory(err);

	for (size_t i = 0; rc == 0 && i < pending->count; i++)
		doubt_owner(pending, &pending->items[i]);
	for (size_t i = 0; rc == 0 && i < pending->owner_count; i++) {
		struct lid_owner *own = &pending->owners[i];

		if (own->doubted) {
			doubted[own->port->device->index] = true;
			take_back(import, own->port->device);
			snprintf(text, sizeof(text), "the neighbours of %s call it otherwise than the "
				 "title in front of its rows, so lines between them may be missing",
				 device_label(own->port->device, label, sizeof(label)));
			rc = import_cut(import, ATTRIBUTE_NODE_INFO, text, err);
		} else {
			rc = tell_owner(own, import, err);
		}
	}
	*ret_doubted = doubted;
	return rc;
}

int link_pending_settle(struct link_pending *pending, struct import *import, struct err *err)
{
	struct places places = {NULL, NULL, 0};
	bool *doubted = NULL;
	int rc;

	if (pending->owner_count)
		qsort(pending->owners, pending->owner_count, sizeof(*pending->owners), by_lid);
	rc = tell_owners(pending, import, &doubted, err);
	if (rc == 0 && pending->count)
		rc = places_new(&places, import_fabric(import), err);
	for (size_t i = 0; rc == 0 && i < pending->count; i++) {
		if (!doubted[pending->items[i].port->device->index])
			rc = resolve(pending, &pending->items[i], import, &places, err);
	}
	free(doubted);
	if (rc == 0 && pending->count)
		rc = import_links_back(import, err);
	lidmap_free(places.lids);
	free(places.names);
	return rc;
}

void link_pending_free(struct link_pending *pending)
{
	free(pending->items);
	free(pending->owners);
	*pending = (struct link_pending){.items = NULL};
}
