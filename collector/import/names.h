/*
 * Names out of tools that may have used a node name map.
 *
 * With --node-name-map ibnetdiscover prints the mapped name everywhere but on a
 * CA's own header line, which keeps the NodeDescription. So a CA that goes by
 * two names proves that a map was in use, and then a switch's name may be an
 * alias whose description is not in the file. Which is known at the end of the
 * file only: names are kept here until then.
 */
#ifndef COLLECTOR_IMPORT_NAMES_H
#define COLLECTOR_IMPORT_NAMES_H

#include "collector/import/format.h"

struct names {
	struct name {
		char *own;	/* in its own header line, or NULL */
		char *others;	/* the first that other devices' lines give it, or NULL */
		bool torn;	/* NUL bytes end one of them early: that they differ proves no map */
	} *items;		/* by device->index */
	size_t room;
};

/* Each keeps the first text it is given of a device. 0 or ERR_NOMEM. */
int names_own(struct names *names, struct import *import, const struct device *device,
	      const char *text, size_t length, struct err *err);
int names_others(struct names *names, struct import *import, const struct device *device,
		 const char *text, size_t length, struct err *err);

/* Makes descriptions and aliases of them. 0 or ERR_NOMEM. */
int names_settle(const struct names *names, struct import *import, struct err *err);

void names_free(struct names *names);

#endif
