/*
 * Forwarding tables that lost rows, or may have: where somebody's LID has no entry
 * the lost row may be its own, so that block is not known. Entries of LIDs that
 * nobody has matter to none.
 */
#ifndef COLLECTOR_IMPORT_LFT_TORN_H
#define COLLECTOR_IMPORT_LFT_TORN_H

#include "collector/import/lft_table.h"

struct lft_torn {
	struct torn_table *tables;
	size_t count, room;
	bool *seen;		/* LIDs that a table which counts no rows has a row of */
};

/* The device's table has other rows than its closing line counts. 0 or ERR_NOMEM. */
int lft_torn_add(struct lft_torn *torn, struct device *device, struct err *err);

/*
 * OpenSM's own dump closes a table with its highest LID, so a row that is missing
 * does not show there; the other tables of the file show it. 0 or ERR_NOMEM.
 */
int lft_torn_uncounted(struct lft_torn *torn, struct device *device, const struct lft_table *table,
		       struct err *err);

/*
 * When all LIDs are known: forgets those blocks, and says of uncounted tables that
 * they may lack a row. What no table has a row of has no route. 0 or ERR_NOMEM.
 */
int lft_torn_settle(struct lft_torn *torn, struct import *import, struct err *err);

void lft_torn_free(struct lft_torn *torn);

#endif
