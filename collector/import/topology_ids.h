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
	uint64_t port_guid;	/* of a switch; 0 not told */
	const char *slot;	/* "Spine 2 Chip 1", the fabric's memory; or NULL */
};

void topology_ids_reset(struct topology_ids *ids);

/* Takes such a line; "vendid=" begins anew. False: the line is none. */
bool topology_ids_line(struct topology_ids *ids, struct fabric *fabric, struct scan scan);

/* Into the node whose header follows. 0 or ERR_NOMEM. */
int topology_ids_apply(const struct topology_ids *ids, struct import *import,
		       struct device *device, struct err *err);

#endif
