#include "collector/import/lid_owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/stand_in.h"
#include "store/text.h"

#define LIDS 0xc000

struct owner {
	uint64_t guid;		/* 0: nobody told */
	const char *name;	/* fabric's memory, or NULL */
	uint16_t lid;
	uint8_t type;
	uint8_t path;		/* 1..paths, or 0 */
	uint8_t paths;
	bool disputed;
};

struct lid_owners {
	struct owner of[LIDS];
};

int lid_owners_new(struct lid_owners **ret_owners, struct err *err)
{
	*ret_owners = calloc(1, sizeof(**ret_owners));
	return *ret_owners ? 0 : err_no_memory(err);
}

void lid_owners_free(struct lid_owners *owners)
{
	free(owners);
}

bool lid_owners_has(const struct lid_owners *owners, unsigned lid, uint64_t port_guid)
{
	return lid < LIDS && owners->of[lid].guid == port_guid;
}

/* The dump was made while LIDs changed, or it is two dumps. */
static int dispute(struct import *import, struct owner *owner, uint64_t port_guid, struct err *err)
{
	char fact[32];
	char kept[GUID_TEXT_SIZE];
	char other[GUID_TEXT_SIZE];

	if (owner->disputed)
		return 0;
	owner->disputed = true;
	snprintf(fact, sizeof(fact), "owner of LID %u", (unsigned)owner->lid);
	return import_contradiction(import, NULL, -1, fact, guid_format(owner->guid, kept),
				    import_source_ref(import), guid_format(port_guid, other),
				    import_source_ref(import), err);
}

int lid_owners_note(struct lid_owners *owners, struct import *import, unsigned lid,
		    uint64_t port_guid, enum node_type type, const char *name, size_t name_length,
		    unsigned path, unsigned paths, struct err *err)
{
	struct owner *owner;

	if (lid == 0 || lid >= LIDS || port_guid == 0)
		return 0;
	owner = &owners->of[lid];
	if (owner->guid != 0 && owner->guid != port_guid)
		return dispute(import, owner, port_guid, err);
	owner->guid = port_guid;
	owner->lid = (uint16_t)lid;
	if (type != NODE_TYPE_UNKNOWN)
		owner->type = (uint8_t)type;
	if (paths >= 1 && paths <= 128 && path >= 1 && path <= paths) {
		owner->path = (uint8_t)path;
		owner->paths = (uint8_t)paths;
	}
	if (name && !owner->name) {
		owner->name = import_intern(import, name, name_length);
		if (!owner->name)
			return err_no_memory(err);
	}
	return 0;
}

static int compare_owners(const void *a, const void *b)
{
	const struct owner *x = a;
	const struct owner *y = b;

	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	return x->lid < y->lid ? -1 : x->lid > y->lid;
}

/* Base LID and LMC of a port from the LIDs it was seen with. */
static void range_of(const struct owner *group, size_t count, int64_t *ret_lid, int64_t *ret_lmc)
{
	unsigned first = group[0].lid;
	unsigned last = group[count - 1].lid;
	unsigned lmc = 0;

	*ret_lid = first;
	*ret_lmc = FIELD_UNKNOWN;
	for (size_t i = 0; i < count; i++) {
		if (group[i].paths <= 1)
			continue;
		while (1u << lmc < group[i].paths)
			lmc++;
		*ret_lid = group[i].lid - (group[i].path - 1);
		*ret_lmc = lmc;
		return;
	}
	if (first == last)
		return;
	while (lmc < 8 && first >> lmc != last >> lmc)
		lmc++;
	if (lmc > 7)
		return;
	*ret_lid = (int64_t)first >> lmc << lmc;
	*ret_lmc = lmc;
}

/* True when the port is known to own all LIDs of the group already. */
static bool range_is_known(const struct port *port, const struct owner *group, size_t count)
{
	int64_t lids = port->info.lmc > 0 && port->info.lmc <= 7 ? (int64_t)1 << port->info.lmc : 1;

	return port->info.lid > 0 && port->info.lid <= group[0].lid &&
	       group[count - 1].lid < port->info.lid + lids;
}

/* Nothing tells whether it is a switch, whose LID is port 0's, or a port of a CA. */
static bool is_placeless(struct import *import, const struct owner *group)
{
	const struct device *device = fabric_device_find(import_fabric(import), group->guid);

	return group->type == NODE_TYPE_UNKNOWN && !import_port_by_guid(import, group->guid) &&
	       (!device || device->type == NODE_TYPE_UNKNOWN);
}

/*
 * widest: the widest range of a CA's port in this file. A subnet has one LMC for all of
 * them, so a port of fewer LIDs has lost some, maybe the lowest.
 */
static int settle_group(struct import *import, const struct owner *group, size_t count,
			int64_t widest, struct err *err)
{
	const char *name = NULL;
	int64_t lid, lmc;
	struct port *port;
	int rc = 0;

	if (is_placeless(import, group))
		return 0;
	port = stand_in_port(import, group[0].guid, (enum node_type)group[0].type, 1);
	if (!port)
		return err_no_memory(err);
	for (size_t i = 0; i < count && !name; i++)
		name = group[i].name;
	if (name)
		rc = stand_in_name(import, port->device, name, strlen(name), err);
	if (rc < 0 || range_is_known(port, group, count))
		return rc;
	range_of(group, count, &lid, &lmc);
	if (group[0].type == NODE_TYPE_CA && (lmc == FIELD_UNKNOWN ? 0 : lmc) < widest)
		return 0;
	rc = IMPORT_PORT(import, port, lid, lid, err);
	if (rc == 0)
		rc = IMPORT_PORT(import, port, lmc, lmc, err);
	return rc;
}

/* The LIDs of one port, which stand together, from `start` on. */
static size_t group_end(const struct lid_owners *owners, size_t start, size_t count)
{
	size_t end = start + 1;

	while (end < count && owners->of[end].guid == owners->of[start].guid)
		end++;
	return end;
}

static int64_t widest_range(const struct lid_owners *owners, size_t count)
{
	int64_t widest = 0;

	for (size_t start = 0, end; start < count; start = end) {
		int64_t lid, lmc;

		end = group_end(owners, start, count);
		range_of(owners->of + start, end - start, &lid, &lmc);
		if (owners->of[start].type == NODE_TYPE_CA && lmc > widest)
			widest = lmc;
	}
	return widest;
}

int lid_owners_settle(struct lid_owners *owners, struct import *import, struct err *err)
{
	size_t count = 0;
	int64_t widest;
	int rc = 0;

	for (size_t lid = 0; lid < LIDS; lid++) {
		if (owners->of[lid].guid != 0)
			owners->of[count++] = owners->of[lid];
	}
	qsort(owners->of, count, sizeof(owners->of[0]), compare_owners);
	widest = widest_range(owners, count);
	for (size_t start = 0, end; rc == 0 && start < count; start = end) {
		end = group_end(owners, start, count);
		rc = settle_group(import, owners->of + start, end - start, widest, err);
	}
	memset(owners->of, 0, sizeof(owners->of));
	return rc;
}
