/*
 * The lists of a fabric and its config that are one table each: holes, odd
 * lines, options, log events, ... Sources are the first of them.
 */
#ifndef STORE_LISTS_H
#define STORE_LISTS_H

#include "store/column.h"

struct list_kind {
	const char *table;		/* columns snapshot_id, seq, then these */
	const struct column *columns;
	size_t column_count;
	size_t element_size;
	/* The first element and how many there are. */
	const void *(*elements)(const struct fabric *fabric, size_t *ret_count);
	/* Appends one; NULL without memory. */
	void *(*add)(struct fabric *fabric);
};

/* Sources first, since the others refer to them; ended by a row whose table is NULL. */
extern const struct list_kind list_kinds[];

#define LIST_COLUMNS_MAX 20

/* Writes one list as rows of the snapshot. */
int list_write(struct column_writer *writer, const struct list_kind *kind,
	       const struct fabric *fabric, int64_t snapshot_id, struct err *err);

/* Appends a snapshot's rows to the fabric's list. */
int list_read(struct column_reader *reader, const struct list_kind *kind, int64_t snapshot_id,
	      struct err *err);

#endif
