#include "collector/import/lid_claims.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

int lid_claims_add(struct lid_claims *claims, struct import *import, const struct device *device,
		   int64_t told, struct err *err)
{
	struct lid_claim *items, *claim;
	int64_t lid = FIELD_UNKNOWN;
	int rc = import_within(import, "LID", told, 0xffff, &lid, err);

	if (rc < 0 || lid == FIELD_UNKNOWN)
		return rc;
	items = array_reach(claims->items, device->index, &claims->room, sizeof(*items));
	if (!items)
		return err_no_memory(err);
	claims->items = items;
	claim = &claims->items[device->index];
	if (!claim->known) {
		claim->known = true;
		claim->first = (uint16_t)lid;
	} else if (!claim->disputed && claim->first != lid) {
		claim->disputed = true;
		claim->other = (uint16_t)lid;
	}
	return 0;
}

int lid_claims_settle(const struct lid_claims *claims, struct import *import, struct err *err)
{
	const struct fabric *fabric = import_fabric(import);

	for (size_t i = 0; i < claims->room && i < fabric->device_count; i++) {
		const struct lid_claim *claim = &claims->items[i];
		struct port *port;
		int rc;

		if (!claim->known)
			continue;
		port = import_port(import, fabric->devices[i], 0);
		if (!port)
			return err_no_memory(err);
		rc = IMPORT_PORT(import, port, lid, claim->first, err);
		if (rc == 0 && claim->disputed)
			rc = IMPORT_PORT(import, port, lid, claim->other, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

void lid_claims_free(struct lid_claims *claims)
{
	free(claims->items);
	*claims = (struct lid_claims){NULL, 0};
}
