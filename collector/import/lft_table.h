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

#define LFT_GAPS_KEPT 64

/* A LID that the table has no row of and another source an entry. */
struct lft_gap {
	uint16_t lid;
	uint8_t port;		/* the other source's */
	source_ref source;
};

struct lft_table {
	uint8_t entries[LFT_LIDS];	/* LFT_NO_PATH where no row said otherwise */
	bool spoiled[LFT_BLOCKS];
	unsigned touched;		/* entries and blocks from this LID on are as at the start */
	bool may_lack;			/* rows may be missing: an absent one does not say "no path" yet */
	/* Of lft_table_commit: */
	uint8_t given[LFT_BLOCKS / 8];	/* bit per block that the device has from this table */
	struct lft_gap gaps[LFT_GAPS_KEPT];	/* with may_lack: what was left as the other source has it */
	size_t gap_count;
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
 * loses by rank and time; where a table that may lack rows differs by absent rows
 * alone, the other's blocks stay and the gaps are kept. 0 or ERR_NOMEM.
 */
int lft_table_commit(struct lft_table *table, struct import *import, struct device *device,
		     unsigned first, unsigned last, bool whole, struct err *err);

/* "LID 19: port 35", "LID 19: no path", for a contradiction. */
void lft_entry_text(unsigned lid, unsigned port, char *out, size_t size);

/* The device's block, when this source gave it, is not known after all. */
void lft_table_forget(struct import *import, struct device *device, unsigned block);

#endif
