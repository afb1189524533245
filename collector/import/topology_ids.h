/*
 * The lines in front of a node's header in ibnetdiscover's text:
 *
 *   vendid=0x2c9
 *   devid=0xcb20
 *   sysimgguid=0xec0d9a0300ec8240		# Chassis 1 (name)
 *   switchguid=0xec0d9a0300ec8240(ec0d9a0300ec8240)	# Spine 2 Chip 1
 */
#ifndef COLLECTOR_IMPORT_TOPOLOGY_IDS_H
#define COLLECTOR_IMPORT_TOPOLOGY_IDS_H

#include "collector/import/format.h"
#include "collector/import/scan.h"

struct topology_ids {
	int64_t vendor_id;	/* or FIELD_UNKNOWN */
	int64_t device_id;
	int64_t chassis;	/* number, or FIELD_UNKNOWN */
	uint64_t system_image_guid;
	uint64_t node_guid;	/* 0 not told */
	uint64_t port_guid;	/* of a switch; 0 not told */
	const char *slot;	/* "Spine 2 Chip 1", the fabric's memory; or NULL */
};

void topology_ids_reset(struct topology_ids *ids);

/* Takes such a line; "vendid=" begins anew. False: the line is none. */
bool topology_ids_line(struct topology_ids *ids, struct fabric *fabric, struct scan scan);

/*
 * Lines that name another GUID than the header behind them. Where the fabric has such
 * a node, its header is lost and they are its own. Else who replaced the GUIDs of the
 * capture left out these lines.
 */
struct topology_doubts {
	struct doubted_ids *items;
	size_t count, room;
};

/* Whether the lines name another than the node with this GUID. */
bool topology_ids_doubted(const struct topology_ids *ids, uint64_t guid);

/* Into the node whose header follows; in doubt that waits. 0 or ERR_NOMEM. */
int topology_ids_apply(const struct topology_ids *ids, struct topology_doubts *doubts,
		       struct import *import, struct device *device, struct err *err);

/* When all nodes of the file are known. 0 or ERR_NOMEM. */
int topology_ids_settle(struct topology_doubts *doubts, struct import *import, struct err *err);

void topology_ids_free(struct topology_doubts *doubts);

#endif
