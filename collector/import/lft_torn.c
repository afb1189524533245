#include "collector/import/lft_torn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

struct torn_table {
	struct device *device;
	bool uncounted;
};

static int add(struct lft_torn *torn, struct device *device, bool uncounted, struct err *err)
{
	struct torn_table *tables =
		array_grow(torn->tables, torn->count, &torn->room, sizeof(*tables));

	if (!tables)
		return err_no_memory(err);
	torn->tables = tables;
	tables[torn->count++] = (struct torn_table){device, uncounted};
	return 0;
}

int lft_torn_add(struct lft_torn *torn, struct device *device, struct err *err)
{
	return add(torn, device, false, err);
}

int lft_torn_uncounted(struct lft_torn *torn, struct device *device, const struct lft_table *table,
		       struct err *err)
{
	if (!torn->seen)
		torn->seen = calloc(LFT_LIDS, sizeof(*torn->seen));
	if (!torn->seen)
		return err_no_memory(err);
	for (size_t lid = 0; lid < table->touched && lid < LFT_LIDS; lid++)
		torn->seen[lid] = torn->seen[lid] || table->entries[lid] != LFT_NO_PATH;
	return add(torn, device, true, err);
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

static int tell(struct import *import, struct device *device, size_t lid, struct err *err)
{
	struct hole *hole = fabric_hole_add(import_fabric(import));
	char text[120];
	int n = snprintf(text, sizeof(text),
			 "it has no row for LID %zu, which other tables have: a line may be missing", lid);

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

static int forget(const struct lft_torn *torn, const struct torn_table *table, const bool *owned,
		  struct import *import, struct err *err)
{
	struct device *device = table->device;
	size_t first = 0;

	if (device->source_of[ATTRIBUTE_LFT] != import_source_ref(import))
		return 0;
	for (size_t lid = 1; lid < device->lft_size && lid < LFT_LIDS; lid++) {
		if (!owned[lid] || device->lft[lid] != LFT_NO_PATH ||
		    (table->uncounted && !torn->seen[lid]))
			continue;
		device->lft_blocks[lid / 64 / 8] &= (uint8_t)~(1u << (lid / 64 % 8));
		first = first ? first : lid;
	}
	if (first == 0)
		return 0;
	return table->uncounted ? tell(import, device, first, err) : 0;
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
