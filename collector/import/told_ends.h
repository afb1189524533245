/*
 * A list that tells each cable twice, once from either end: where both ends of
 * some cables were told and one end of others, lines are missing.
 */
#ifndef COLLECTOR_IMPORT_TOLD_ENDS_H
#define COLLECTOR_IMPORT_TOLD_ENDS_H

#include "collector/import/format.h"

struct told_ends {
	uint8_t (*ports)[32];	/* by device->index: bit (port & 7) of byte (port >> 3) */
	size_t room;
};

/* A line began with this port. 0 or ERR_NOMEM. */
int told_end_add(struct told_ends *told, const struct port *port, struct err *err);

/*
 * Says what is missing, when the links are made; `some`: maybe not all nodes were asked
 * for, and only those that have a line are to have them all. 0 or ERR_NOMEM.
 */
int told_ends_settle(const struct told_ends *told, bool some, struct import *import,
		     struct err *err);

/* Says that so many cables, that of `first` among them, lack the line of one end. 0 or ERR_NOMEM. */
int told_once(struct import *import, size_t once, const struct port *first, struct err *err);

void told_ends_free(struct told_ends *told);

#endif
