/*
 * Forwarding tables that lost rows, or may have: where a LID has no entry that other
 * tables have one for, or that somebody owns, the lost row may be its own, so that
 * block is not known. With more rows lost than there are such LIDs no block with an
 * empty entry is.
 */
#ifndef COLLECTOR_IMPORT_LFT_TORN_H
#define COLLECTOR_IMPORT_LFT_TORN_H

#include "collector/import/lft_table.h"

struct lft_torn {
	struct torn_table *tables;
	size_t count, room;
	bool *seen;		/* LIDs that some table of the file has a row of */
	size_t whole;		/* tables that were read to their end */
};

/* A table of the file, `whole`: up to its closing line. 0 or ERR_NOMEM. */
int lft_torn_see(struct lft_torn *torn, const struct lft_table *table, bool whole, struct err *err);

/*
 * The device's table, which ends at LID `last`, has `missing` rows fewer than are
 * counted, as `text` (interned) says. 0 or ERR_NOMEM.
 */
int lft_torn_add(struct lft_torn *torn, struct device *device, unsigned last, uint64_t missing,
		 char *text, struct err *err);

/*
 * OpenSM's own dump closes a table with its highest LID, so a row that is missing
 * does not show there; the other tables of the file show it. 0 or ERR_NOMEM.
 */
int lft_torn_uncounted(struct lft_torn *torn, struct device *device, unsigned last,
		       struct err *err);

/* What the device has got from the table that was added last, if it is the device's. 0 or ERR_NOMEM. */
int lft_torn_given(struct lft_torn *torn, const struct device *device,
		   const struct lft_table *table, struct err *err);

/*
 * When all LIDs are known: forgets those blocks, and says of uncounted tables that
 * they may lack a row, and where no row is lost that other sources know a path. What no table of several has a row of has no route; where
 * there is one only, nobody can tell. 0 or ERR_NOMEM.
 */
int lft_torn_settle(struct lft_torn *torn, struct import *import, struct err *err);

void lft_torn_free(struct lft_torn *torn);

#endif
