/*
 * Counters as perfquery and ibqueryerrors name them. Source: libibmad fields.c.
 */
#ifndef COLLECTOR_IMPORT_COUNTERS_H
#define COLLECTOR_IMPORT_COUNTERS_H

#include "collector/import/format.h"

/* The counter of this name, or COUNTER_COUNT. */
enum counter counter_of_name(const char *name, size_t length);

/*
 * One value into the port. wide: it is the 64-bit form, which cannot be at the
 * maximum of the short one and takes the place of a short value that is. 0 or ERR_NOMEM.
 */
int counter_apply(struct import *import, struct port *port, enum counter counter, uint64_t value,
		  bool wide, struct err *err);

#endif
