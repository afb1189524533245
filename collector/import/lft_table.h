/*
 * One switch's linear forwarding table while its dump is read: entries, and
 * which blocks of 64 LIDs may be called known at the end. A block in which a
 * row is damaged or missing is not: an absent row would read as "no path".
 */
#ifndef COLLECTOR_IMPORT_LFT_TABLE_H
#define COLLECTOR_IMPORT_LFT_TABLE_H

#include "collector/import/format.h"

#define LFT_LIDS 0xc000			/* unicast LIDs and 0 */
#define LFT_BLOCKS (LFT_LIDS / 64)
#define LFT_NO_PATH 255

struct lft_table {
	uint8_t entries[LFT_LIDS];	/* LFT_NO_PATH where no row said otherwise */
	bool spoiled[LFT_BLOCKS];
	unsigned touched;		/* entries and blocks from this LID on are as at the start */
};

/* Makes the table empty; before the first time set touched to LFT_LIDS. */
void lft_table_reset(struct lft_table *table);

/* The row of a LID below LFT_LIDS. */
static inline void lft_table_set(struct lft_table *table, unsigned lid, uint8_t port)
{
	table->entries[lid] = port;
	if (lid >= table->touched)
		table->touched = lid + 1;
}

/* Rows of first..last are damaged or missing. */
void lft_table_spoil(struct lft_table *table, unsigned first, unsigned last);

/*
 * Gives the device the blocks that hold first..last and are not spoiled. With
 * `whole`, the partial blocks at both ends count (nothing lies beyond them), else
 * only blocks that lie in first..last entirely. Another source's table wins or
 * loses by rank and time. 0 or ERR_NOMEM.
 */
int lft_table_commit(const struct lft_table *table, struct import *import, struct device *device,
		     unsigned first, unsigned last, bool whole, struct err *err);

/* The device's block, when this source gave it, is not known after all. */
void lft_table_forget(struct import *import, struct device *device, unsigned block);

#endif
