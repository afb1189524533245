#include "collector/import/lft_table.h"

#include <stdio.h>
#include <string.h>

void lft_table_reset(struct lft_table *table)
{
	unsigned used = table->touched < LFT_LIDS ? table->touched : LFT_LIDS;

	memset(table->entries, LFT_NO_PATH, used);
	memset(table->spoiled, 0, (used + 63) / 64 * sizeof(table->spoiled[0]));
	table->touched = 0;
	table->may_lack = false;
	memset(table->given, 0, sizeof(table->given));
	table->gap_count = 0;
}

void lft_table_spoil(struct lft_table *table, unsigned first, unsigned last)
{
	if (last >= LFT_LIDS)
		last = LFT_LIDS - 1;
	if (first > last)
		return;
	for (unsigned block = first / 64; block <= last / 64; block++)
		table->spoiled[block] = true;
	if (last >= table->touched)
		table->touched = last + 1;
}

static bool block_is_given(const struct lft_table *table, unsigned block, unsigned first,
			   unsigned last, bool whole)
{
	if (table->spoiled[block])
		return false;
	return whole || (block * 64 >= first && block * 64 + 63 <= last);
}

static bool is_gap(const struct lft_table *table, unsigned lid)
{
	return table->may_lack && table->entries[lid] == LFT_NO_PATH;
}

/* First LID for which the two say different things, or LFT_LIDS. */
static unsigned first_difference(const struct lft_table *table, const struct device *device,
				 unsigned first, unsigned last, bool whole)
{
	for (unsigned block = first / 64; block <= last / 64; block++) {
		if (!block_is_given(table, block, first, last, whole) ||
		    !lft_known(device, block * 64))
			continue;
		for (unsigned lid = block * 64; lid < block * 64 + 64; lid++) {
			if (table->entries[lid] != device->lft[lid] && !is_gap(table, lid))
				return lid;
		}
	}
	return LFT_LIDS;
}

/* The block is there, and what the table says of it too; keeps where it says nothing. */
static void keep_gaps(struct lft_table *table, const struct device *device, unsigned block,
		      source_ref source)
{
	for (unsigned lid = block * 64; lid < block * 64 + 64; lid++) {
		if (table->entries[lid] != device->lft[lid] && table->gap_count < LFT_GAPS_KEPT)
			table->gaps[table->gap_count++] =
				(struct lft_gap){(uint16_t)lid, device->lft[lid], source};
	}
}

void lft_entry_text(unsigned lid, unsigned port, char *out, size_t size)
{
	if (port == LFT_NO_PATH)
		snprintf(out, size, "LID %u: no path", lid);
	else
		snprintf(out, size, "LID %u: port %u", lid, port);
}

int lft_table_commit(struct lft_table *table, struct import *import, struct device *device,
		     unsigned first, unsigned last, bool whole, struct err *err)
{
	source_ref before = device->source_of[ATTRIBUTE_LFT];
	bool present = device->lft != NULL;
	char old[40] = "";
	char new[40] = "";
	unsigned differs;
	int rc;

	if (last >= LFT_LIDS)
		last = LFT_LIDS - 1;
	if (first > last)
		return 0;
	differs = present ? first_difference(table, device, first, last, whole) : LFT_LIDS;
	if (differs < LFT_LIDS) {
		lft_entry_text(differs, device->lft[differs], old, sizeof(old));
		lft_entry_text(differs, table->entries[differs], new, sizeof(new));
	}
	rc = import_table(import, device, -1, "lft", &device->source_of[ATTRIBUTE_LFT], present,
			  differs == LFT_LIDS, old, new, err);
	if (rc < 0 || (rc == 0 && differs < LFT_LIDS))
		return rc;
	if (!device_lft_reserve(import_fabric(import), device, (size_t)last + 1))
		return err_no_memory(err);
	/* The better table stands alone: blocks of two times would make routes nobody had. */
	if (rc == 1 && present)
		memset(device->lft_blocks, 0, device->lft_size / 64 / 8 + 1);
	for (unsigned block = first / 64; block <= last / 64; block++) {
		if (!block_is_given(table, block, first, last, whole))
			continue;
		if (table->may_lack && before != import_source_ref(import) &&
		    lft_known(device, block * 64)) {
			keep_gaps(table, device, block, before);
			continue;
		}
		lft_set_block(device, block, table->entries + (size_t)block * 64);
		table->given[block / 8] |= (uint8_t)(1u << (block % 8));
	}
	return 0;
}

void lft_table_forget(struct import *import, struct device *device, unsigned block)
{
	if (device->source_of[ATTRIBUTE_LFT] == import_source_ref(import) &&
	    block < device->lft_size / 64)
		device->lft_blocks[block / 8] &= (uint8_t)~(1u << (block % 8));
}
