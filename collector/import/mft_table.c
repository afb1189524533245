#include "collector/import/mft_table.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

static int compare_entries(const void *a, const void *b)
{
	const struct mft_entry *x = a;
	const struct mft_entry *y = b;

	return (x->mlid > y->mlid) - (x->mlid < y->mlid);
}

/* Ascending, an MLID once. */
static void sort_entries(struct mft_table *table)
{
	size_t kept = 0;

	if (table->count > 1)
		qsort(table->entries, table->count, sizeof(table->entries[0]), compare_entries);
	for (size_t i = 0; i < table->count; i++) {
		if (kept > 0 && table->entries[kept - 1].mlid == table->entries[i].mlid)
			continue;
		table->entries[kept++] = table->entries[i];
	}
	table->count = kept;
}

int mft_table_add(struct mft_table *table, unsigned mlid, const uint8_t ports[32], struct err *err)
{
	static const uint8_t none[32];
	struct mft_entry *entries;

	if (memcmp(ports, none, sizeof(none)) == 0 ||
	    table->count > MFT_LAST_MLID - MFT_FIRST_MLID)
		return 0;
	entries = array_grow(table->entries, table->count, &table->room, sizeof(*entries));
	if (!entries)
		return err_no_memory(err);
	table->entries = entries;
	table->entries[table->count].mlid = (uint16_t)mlid;
	memcpy(table->entries[table->count++].ports, ports, 32);
	return 0;
}

int mft_table_commit(struct mft_table *table, struct import *import, struct device *device,
		     struct err *err)
{
	size_t size;
	bool equal;
	int rc;

	sort_entries(table);
	size = table->count * sizeof(table->entries[0]);
	equal = device->mft && device->mft_count == table->count &&
		(size == 0 || memcmp(device->mft, table->entries, size) == 0);
	rc = import_table(import, device, -1, "mft", &device->source_of[ATTRIBUTE_MFT],
			  device->mft != NULL, equal, "another table", "this table", err);
	if (rc == 1) {
		device->mft = fabric_alloc(import_fabric(import), table->count ? table->count : 1,
					   sizeof(table->entries[0]));
		if (!device->mft)
			return err_no_memory(err);
		if (size)
			memcpy(device->mft, table->entries, size);
		device->mft_count = table->count;
	}
	table->count = 0;
	return rc < 0 ? rc : 0;
}

void mft_table_free(struct mft_table *table)
{
	free(table->entries);
	*table = (struct mft_table){NULL, 0, 0};
}
