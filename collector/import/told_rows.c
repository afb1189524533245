#include "collector/import/told_rows.h"

#include <stdbool.h>
#include <stdlib.h>

static uint64_t *slot_of(uint64_t *hashes, size_t room, uint64_t hash)
{
	size_t at = hash & (room - 1);

	while (hashes[at] && hashes[at] != hash)
		at = (at + 1) & (room - 1);
	return &hashes[at];
}

static bool grow(struct told_rows *rows)
{
	size_t room = rows->room ? 2 * rows->room : 1024;
	uint64_t *hashes;

	if (rows->count * 2 < rows->room)
		return true;
	hashes = calloc(room, sizeof(*hashes));
	if (!hashes)
		return false;
	for (size_t i = 0; i < rows->room; i++) {
		if (rows->hashes[i])
			*slot_of(hashes, room, rows->hashes[i]) = rows->hashes[i];
	}
	free(rows->hashes);
	rows->hashes = hashes;
	rows->room = room;
	return true;
}

int told_rows_add(struct told_rows *rows, uint64_t hash, struct err *err)
{
	uint64_t *slot;

	/* 0 is a free slot's. */
	hash |= 1;
	if (!grow(rows))
		return err_no_memory(err);
	slot = slot_of(rows->hashes, rows->room, hash);
	if (*slot)
		return 1;
	*slot = hash;
	rows->count++;
	return 0;
}

void told_rows_free(struct told_rows *rows)
{
	free(rows->hashes);
	*rows = (struct told_rows){0};
}
