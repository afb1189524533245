/*
 * LID -> end port, for the formats that name a port by its LID alone (smpquery,
 * perfquery, error lines). Made from what the fabric holds; the first owner of a
 * LID keeps it.
 */
#ifndef COLLECTOR_IMPORT_LIDMAP_H
#define COLLECTOR_IMPORT_LIDMAP_H

#include "store/fabric.h"

struct lidmap;			/* opaque */

/* *ret_map belongs to the caller (lidmap_free). 0 or ERR_NOMEM. */
int lidmap_new(const struct fabric *fabric, struct lidmap **ret_map, struct err *err);

/* Adds the LIDs of one port (LMC range included), if it has any. */
void lidmap_add(struct lidmap *map, struct port *port);

/* The end port that owns this LID, or NULL. */
struct port *lidmap_find(const struct lidmap *map, int64_t lid);

void lidmap_free(struct lidmap *map);	/* NULL is fine */

#endif
