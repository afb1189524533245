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
		 struct err *err)
{
	return add(torn, (struct torn_table){device, last, missing, false}, err);
}

int lft_torn_uncounted(struct lft_torn *torn, struct device *device, unsigned last,
		       struct err *err)
{
	return add(torn, (struct torn_table){device, last, 0, true}, err);
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

static int tell(struct import *import, struct device *device, unsigned lid, const char *why,
		struct err *err)
{
	struct hole *hole = fabric_hole_add(import_fabric(import));
	char text[120];
	int n = snprintf(text, sizeof(text), "it has no row for LID %u, %s", lid, why);

	if (!hole)
		return err_no_memory(err);
	*hole = (struct hole){.device = device,
			      .port = -1,
			      .attribute = ATTRIBUTE_LFT,
			      .reason = HOLE_INCONSISTENT,
			      .text = import_intern(import, text, (size_t)n),
			      .source = import_source_ref(import)};
	import_fabric(import)->partial = true;
	return hole->text ? 0 : err_no_memory(err);
}

/* The LID's row may be one that was lost. */
static bool may_be_lost(const struct lft_torn *torn, const struct torn_table *table,
			const bool *owned, unsigned lid)
{
	if (table->device->lft[lid] != LFT_NO_PATH)
		return false;
	return torn->seen[lid] || (owned[lid] && (!table->uncounted || torn->whole == 1));
}

static int forget(const struct lft_torn *torn, const struct torn_table *table, const bool *owned,
		  struct import *import, struct err *err)
{
	struct device *device = table->device;
	unsigned last = table->last;
	unsigned first = 0;
	uint64_t count = 0;

	if (device->source_of[ATTRIBUTE_LFT] != import_source_ref(import))
		return 0;
	if (last >= device->lft_size)
		last = device->lft_size > 0 ? (unsigned)device->lft_size - 1 : 0;
	for (unsigned lid = 1; lid <= last; lid++) {
		if (may_be_lost(torn, table, owned, lid) && count++ == 0)
			first = lid;
	}
	for (unsigned lid = 1; lid <= last; lid++) {
		if (count < table->missing ? device->lft[lid] == LFT_NO_PATH :
					     may_be_lost(torn, table, owned, lid))
			lft_table_forget(import, device, lid / 64);
	}
	if (!table->uncounted || first == 0)
		return 0;
	return tell(import, device, first,
		    torn->seen[first] ? "which other tables have: a line may be missing" :
					"and no other table shows whether a line is missing",
		    err);
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
		rc = forget(torn, &torn->tables[i], owned, import, err);
	free(owned);
	return rc;
}

void lft_torn_free(struct lft_torn *torn)
{
	free(torn->tables);
	free(torn->seen);
	*torn = (struct lft_torn){.tables = NULL};
}
