/*
 * LIDs of switches as their neighbours' lines tell them. A switch with 64 links
 * is told 64 times: it counts once, behind what its own line says.
 */
#ifndef COLLECTOR_IMPORT_LID_CLAIMS_H
#define COLLECTOR_IMPORT_LID_CLAIMS_H

#include "collector/import/format.h"

struct lid_claims {
	struct lid_claim {
		bool known;
		bool disputed;
		uint16_t first;
		uint16_t other;		/* the first value unlike it, when disputed */
	} *items;			/* by device->index */
	size_t room;
};

/* FIELD_UNKNOWN is ignored; a number that no LID can be makes the line odd. 0 or ERR_NOMEM. */
int lid_claims_add(struct lid_claims *claims, struct import *import, const struct device *device,
		   int64_t told, struct err *err);

/* Gives port 0 of each what was claimed; what differs becomes a contradiction. 0 or ERR_NOMEM. */
int lid_claims_settle(const struct lid_claims *claims, struct import *import, struct err *err);

void lid_claims_free(struct lid_claims *claims);

#endif
