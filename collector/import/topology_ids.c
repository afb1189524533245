#include "collector/import/topology_ids.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/topology_text.h"
#include "store/array.h"

struct doubted_ids {
	struct topology_ids ids;
	struct device *device;
};

void topology_ids_reset(struct topology_ids *ids)
{
	*ids = (struct topology_ids){.vendor_id = FIELD_UNKNOWN,
				     .device_id = FIELD_UNKNOWN,
				     .chassis = FIELD_UNKNOWN};
}

/* A number that letters or other marks follow is none. */
static bool take_hex(struct scan *scan, uint64_t *ret_value)
{
	struct scan rest = *scan;
	uint64_t value;

	if (!scan_hex(&rest, &value) || (!scan_done(&rest) && !strchr(" \t(", *rest.at)))
		return false;
	*ret_value = value;
	*scan = rest;
	return true;
}

static bool take_id(struct scan *scan, int64_t *slot)
{
	uint64_t value;

	if (!take_hex(scan, &value) || value > UINT32_MAX)
		return false;
	*slot = (int64_t)value;
	return true;
}

/* "0x... # Chassis 1 (name)" */
static bool take_system_image(struct topology_ids *ids, struct scan scan)
{
	static const char words[] = "# Chassis ";
	const char *chassis;
	uint64_t value;

	if (!take_hex(&scan, &ids->system_image_guid))
		return false;
	chassis = scan_find(&scan, words);
	if (!chassis)
		return true;
	scan.at = chassis + sizeof(words) - 1;
	if (scan_decimal(&scan, &value) && value < 65536)
		ids->chassis = (int64_t)value;
	return true;
}

/* "0x...(port GUID) # slot" */
static bool take_guid(struct topology_ids *ids, struct fabric *fabric, struct scan scan)
{
	const char *text;
	size_t length;
	uint64_t value;
	bool is_hex;

	if (!take_hex(&scan, &ids->node_guid))
		return false;
	if (topology_parenthesis(&scan, &value, &is_hex)) {
		if (!is_hex)
			return false;
		ids->port_guid = value;
	}
	scan_blanks(&scan);
	if (!scan_literal(&scan, "# "))
		return true;
	text = scan.at;
	length = scan_left(&scan);
	import_trim(&text, &length);
	if (length > 0)
		ids->slot = fabric_text(fabric, text, length);
	return true;
}

bool topology_ids_line(struct topology_ids *ids, struct fabric *fabric, struct scan scan)
{
	if (scan_literal(&scan, "vendid=")) {
		topology_ids_reset(ids);
		return take_id(&scan, &ids->vendor_id);
	}
	if (scan_literal(&scan, "devid=")) {
		return take_id(&scan, &ids->device_id);
	}
	if (scan_literal(&scan, "sysimgguid=")) {
		return take_system_image(ids, scan);
	}
	if (!scan_literal(&scan, "switchguid=") && !scan_literal(&scan, "caguid=") &&
	    !scan_literal(&scan, "rtguid="))
		return false;
	return take_guid(ids, fabric, scan);
}

static int apply_ids(const struct topology_ids *ids, struct import *import, struct device *device,
		     struct err *err)
{
	struct port *end = NULL;
	char number[24];
	int rc;

	if (ids->port_guid != 0 && device->type == NODE_TYPE_SWITCH) {
		end = import_port(import, device, 0);
		if (!end)
			return err_no_memory(err);
		import_port_guid(import, end, ids->port_guid);
	}
	rc = import_system_image_guid(import, device, ids->system_image_guid, err);
	if (rc == 0)
		rc = IMPORT_NODE(import, device, vendor_id, ids->vendor_id, err);
	if (rc == 0)
		rc = IMPORT_NODE(import, device, device_id, ids->device_id, err);
	if (rc == 0 && ids->chassis != FIELD_UNKNOWN) {
		snprintf(number, sizeof(number), "%" PRId64, ids->chassis);
		rc = import_fact(import, device, -1, "chassis", "number", number, strlen(number),
				 err);
	}
	if (rc == 0 && ids->slot)
		rc = import_fact(import, device, -1, "chassis", "slot", ids->slot,
				 strlen(ids->slot), err);
	return rc;
}

bool topology_ids_doubted(const struct topology_ids *ids, uint64_t guid)
{
	return ids->node_guid != 0 && ids->node_guid != guid;
}

static int keep_ids(struct topology_doubts *doubts, const struct topology_ids *ids,
		    struct device *device, struct err *err)
{
	struct doubted_ids *items = array_grow(doubts->items, doubts->count, &doubts->room,
					       sizeof(*items));

	if (!items)
		return err_no_memory(err);
	doubts->items = items;
	items[doubts->count++] = (struct doubted_ids){*ids, device};
	return 0;
}

int topology_ids_apply(const struct topology_ids *ids, struct topology_doubts *doubts,
		       struct import *import, struct device *device, struct err *err)
{
	return topology_ids_doubted(ids, device->guid) ? keep_ids(doubts, ids, device, err) :
							 apply_ids(ids, import, device, err);
}

int topology_ids_settle(struct topology_doubts *doubts, struct import *import, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < doubts->count; i++) {
		const struct doubted_ids *item = &doubts->items[i];

		if (!fabric_device_find(import_fabric(import), item->ids.node_guid))
			rc = apply_ids(&item->ids, import, item->device, err);
	}
	return rc;
}

void topology_ids_free(struct topology_doubts *doubts)
{
	free(doubts->items);
	*doubts = (struct topology_doubts){.items = NULL};
}
