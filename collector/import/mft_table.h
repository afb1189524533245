/*
 * One switch's multicast forwarding table while the file that holds it is read.
 */
#ifndef COLLECTOR_IMPORT_MFT_TABLE_H
#define COLLECTOR_IMPORT_MFT_TABLE_H

#include "collector/import/format.h"

#define MFT_FIRST_MLID 0xc000
#define MFT_LAST_MLID 0xfffe

struct mft_table {
	struct mft_entry *entries;	/* in the file's order */
	size_t count;
	size_t room;
};

/* Adds an MLID's ports; none, and more MLIDs than there are, are passed over. 0 or ERR_NOMEM. */
int mft_table_add(struct mft_table *table, unsigned mlid, const uint8_t ports[32], struct err *err);

/*
 * Gives the device the table, which is whole; one without entries is known to be
 * empty. Another source's table wins or loses by rank and time. Then the table is
 * empty. 0 or ERR_NOMEM.
 */
int mft_table_commit(struct mft_table *table, struct import *import, struct device *device,
		     struct err *err);

void mft_table_free(struct mft_table *table);

#endif
