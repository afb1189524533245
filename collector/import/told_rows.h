/* Rows that were told already, by their hashes; start with all zero. */
#ifndef COLLECTOR_IMPORT_TOLD_ROWS_H
#define COLLECTOR_IMPORT_TOLD_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "store/err.h"

struct told_rows {
	uint64_t *hashes;	/* open addressing; 0: free */
	size_t room;		/* a power of two, or 0 */
	size_t count;
};

/* 1 when the row was told before, else 0 and noted; or ERR_NOMEM. */
int told_rows_add(struct told_rows *rows, uint64_t hash, struct err *err);

void told_rows_free(struct told_rows *rows);

#endif
