#include "collector/import/lft_torn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

struct torn_table {
	struct device *device;
	unsigned last;
	uint64_t missing;
	bool uncounted;
	char *text;			/* of a counted one: what shows it; interned */
	uint8_t given[LFT_BLOCKS / 8];	/* blocks that the device has from it */
	struct lft_gap *gaps;		/* what another source's table has and it not */
	size_t gap_count;
};

static int add(struct lft_torn *torn, struct torn_table table, struct err *err)
{
	struct torn_table *tables =
		array_grow(torn->tables, torn->count, &torn->room, sizeof(*tables));

	if (!tables)
		return err_no_memory(err);
	torn->tables = tables;
	tables[torn->count++] = table;
	return 0;
}

int lft_torn_see(struct lft_torn *torn, const struct lft_table *table, bool whole, struct err *err)
{
	if (!torn->seen)
		torn->seen = calloc(LFT_LIDS, sizeof(*torn->seen));
	if (!torn->seen)
		return err_no_memory(err);
	for (size_t lid = 0; lid < table->touched && lid < LFT_LIDS; lid++)
		torn->seen[lid] = torn->seen[lid] || table->entries[lid] != LFT_NO_PATH;
	torn->whole += whole;
	return 0;
}

int lft_torn_add(struct lft_torn *torn, struct device *device, unsigned last, uint64_t missing,
		 char *text, struct err *err)
{
	return add(torn, (struct torn_table){.device = device, .last = last, .missing = missing,
					     .text = text}, err);
}

int lft_torn_uncounted(struct lft_torn *torn, struct device *device, unsigned last,
		       struct err *err)
{
	return add(torn, (struct torn_table){.device = device, .last = last, .uncounted = true}, err);
}

int lft_torn_given(struct lft_torn *torn, const struct device *device,
		   const struct lft_table *table, struct err *err)
{
	struct torn_table *last = torn->count > 0 ? &torn->tables[torn->count - 1] : NULL;

	if (!last || last->device != device || last->gaps)
		return 0;
	memcpy(last->given, table->given, sizeof(last->given));
	if (table->gap_count == 0)
		return 0;
	last->gaps = malloc(table->gap_count * sizeof(*last->gaps));
	if (!last->gaps)
		return err_no_memory(err);
	memcpy(last->gaps, table->gaps, table->gap_count * sizeof(*last->gaps));
	last->gap_count = table->gap_count;
	return 0;
}

/* Marks the LIDs that end ports own. */
static void mark_owned(const struct fabric *fabric, bool owned[LFT_LIDS])
{
	memset(owned, 0, LFT_LIDS * sizeof(*owned));
	for (size_t d = 0; d < fabric->device_count; d++) {
		const struct device *device = fabric->devices[d];

		for (size_t p = 0; p < device->port_slots; p++) {
			const struct port *port = device->ports[p];
			int64_t lid = port ? port->info.lid : FIELD_UNKNOWN;
			int64_t lids = port && port->info.lmc > 0 ? INT64_C(1) << port->info.lmc : 1;

			for (int64_t n = 0; lid > 0 && n < lids && lid + n < LFT_LIDS; n++)
				owned[lid + n] = true;
		}
	}
}

static bool is_given(const struct torn_table *table, unsigned lid)
{
	return table->given[lid / 512] >> (lid / 64 % 8) & 1;
}

/* The device has something of it. */
static bool is_used(const struct torn_table *table)
{
	static const uint8_t none[LFT_BLOCKS / 8];

	return memcmp(table->given, none, sizeof(none)) != 0;
}

/* The LID's row, if it had one, may be one that was lost. */
static bool row_may_be_lost(const struct lft_torn *torn, const struct torn_table *table,
			    const bool *owned, unsigned lid)
{
	return torn->seen[lid] || (owned[lid] && (!table->uncounted || torn->whole == 1));
}

static bool may_be_lost(const struct lft_torn *torn, const struct torn_table *table,
			const bool *owned, unsigned lid)
{
	return is_given(table, lid) && table->device->lft[lid] == LFT_NO_PATH &&
	       row_may_be_lost(torn, table, owned, lid);
}

/* The table says "no path" for this LID, and another source has one. */
static int contradict(const struct torn_table *table, const struct lft_gap *gap, bool first,
		      struct import *import, struct err *err)
{
	struct device *device = table->device;
	source_ref ref = import_source_ref(import);
	bool wins = device->source_of[ATTRIBUTE_LFT] == ref;
	char theirs[40];
	char ours[40];

	if (wins)
		device->lft[gap->lid] = LFT_NO_PATH;
	if (!first)
		return 0;
	lft_entry_text(gap->lid, gap->port, theirs, sizeof(theirs));
	lft_entry_text(gap->lid, LFT_NO_PATH, ours, sizeof(ours));
	return import_contradiction(import, device, -1, "lft", wins ? ours : theirs,
				    wins ? ref : gap->source, wins ? theirs : ours,
				    wins ? gap->source : ref, err);
}

/* What the device has of another source because this table has no row; the first LID of which it may be lost. */
static int settle_gaps(const struct lft_torn *torn, const struct torn_table *table,
		       const bool *owned, struct import *import, unsigned *lost, struct err *err)
{
	bool told = false;
	int rc = 0;

	for (size_t i = 0; i < table->gap_count && rc == 0; i++) {
		const struct lft_gap *gap = &table->gaps[i];

		/* Of a counted table nobody can tell which rows they were. */
		if (!table->uncounted || row_may_be_lost(torn, table, owned, gap->lid)) {
			*lost = *lost ? *lost : gap->lid;
			continue;
		}
		rc = contradict(table, gap, !told, import, err);
		told = true;
	}
	return rc;
}

/* Blocks of the table that are not known; gives the first LID of which the row may be lost, or 0. True: there are some. */
static bool forget(const struct lft_torn *torn, const struct torn_table *table, const bool *owned,
		   unsigned *ret_first)
{
	struct device *device = table->device;
	unsigned last = table->last;
	uint64_t count = 0;
	bool some = false;

	*ret_first = 0;
	if (last >= device->lft_size)
		last = device->lft_size > 0 ? (unsigned)device->lft_size - 1 : 0;
	for (unsigned lid = 1; lid <= last; lid++) {
		if (may_be_lost(torn, table, owned, lid) && count++ == 0)
			*ret_first = lid;
	}
	for (unsigned lid = 1; lid <= last; lid++) {
		if (!is_given(table, lid) ||
		    !(count < table->missing ? device->lft[lid] == LFT_NO_PATH :
					       may_be_lost(torn, table, owned, lid)))
			continue;
		device->lft_blocks[lid / 512] &= (uint8_t)~(1u << (lid / 64 % 8));
		some = true;
	}
	return some;
}

static int settle_table(const struct lft_torn *torn, const struct torn_table *table,
			const bool *owned, struct import *import, struct err *err)
{
	unsigned first;
	bool forgot = forget(torn, table, owned, &first);
	char text[120];
	char *why = table->text;
	/* Rows too many, so that none is absent: all is there, and yet it contradicts itself. */
	bool doubtful = !table->uncounted && !forgot && table->gap_count == 0 && is_used(table);
	int rc = settle_gaps(torn, table, owned, import, &first, err);

	if (rc < 0 || (table->uncounted && first == 0))
		return rc < 0 ? rc : 0;
	if (table->uncounted) {
		int n = snprintf(text, sizeof(text), "it has no row for LID %u, %s", first,
				 torn->seen[first] ?
				 "which other tables have: a line may be missing" :
				 "and no other table shows whether a line is missing");

		why = import_intern(import, text, (size_t)n);
		if (!why)
			return err_no_memory(err);
	}
	return import_torn_lft(import, table->device, table->last, doubtful, why, err);
}

int lft_torn_settle(struct lft_torn *torn, struct import *import, struct err *err)
{
	bool *owned;
	int rc = 0;

	if (torn->count == 0)
		return 0;
	owned = malloc(LFT_LIDS * sizeof(*owned));
	if (!owned)
		return err_no_memory(err);
	mark_owned(import_fabric(import), owned);
	for (size_t i = 0; rc == 0 && i < torn->count; i++)
		rc = settle_table(torn, &torn->tables[i], owned, import, err);
	free(owned);
	return rc;
}

void lft_torn_free(struct lft_torn *torn)
{
	for (size_t i = 0; i < torn->count; i++)
		free(torn->tables[i].gaps);
	free(torn->tables);
	free(torn->seen);
	*torn = (struct lft_torn){.tables = NULL};
}
