#include "collector/import/topology_ids.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collector/import/topology_text.h"

void topology_ids_reset(struct topology_ids *ids)
{
	*ids = (struct topology_ids){.vendor_id = FIELD_UNKNOWN,
				     .device_id = FIELD_UNKNOWN,
				     .chassis = FIELD_UNKNOWN};
}

static bool take_id(struct scan *scan, int64_t *slot)
{
	uint64_t value;

	if (!scan_hex(scan, &value) || value > UINT32_MAX)
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

	if (!scan_hex(&scan, &ids->system_image_guid))
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

	if (!scan_hex(&scan, &value))
		return false;
	if (topology_parenthesis(&scan, &value, &is_hex) && is_hex)
		ids->port_guid = value;
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

int topology_ids_apply(const struct topology_ids *ids, struct import *import,
		       struct device *device, struct err *err)
{
	char number[24];
	int rc;

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
