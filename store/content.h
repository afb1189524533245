/*
 * Rows kept by content: a body (one row) with its parts (rows of another table)
 * is stored once, in a night and across nights. It is found by the hash of its
 * bytes (value.h) and then compared in full. A body never changes.
 */
#ifndef STORE_CONTENT_H
#define STORE_CONTENT_H

#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/store.h"
#include "store/value.h"

/*
 * Table `body` has the columns id, hash and body_columns; table `parts` has
 * body_id, part and part_columns. The lists end with NULL.
 */
struct content_kind {
	const char *body;
	const char *const *body_columns;
	const char *parts;
	const char *const *part_columns;
};

extern const struct content_kind content_device;
extern const struct content_kind content_lft;
extern const struct content_kind content_fact;
extern const struct content_kind content_finding;

/* The four of them, ended by NULL. */
extern const struct content_kind *const content_kinds[];

struct content;

/* For one kind; *ret_content belongs to the caller. ERR_DB, ERR_NOMEM. */
int content_new(struct store *store, const struct content_kind *kind,
		struct content **ret_content, struct err *err);
void content_free(struct content *content);	/* NULL is fine */

/*
 * Gathers one body: content_begin, the body's values in column order, then for
 * each part (ascending numbers) content_part and its values. A failure (no
 * memory) is latched and told by content_put. Data of values is borrowed until then.
 */
void content_begin(struct content *content);
void content_value(struct content *content, struct value value);
void content_part(struct content *content, int64_t part);

/* The id of the body gathered, stored if it is new. ERR_DB, ERR_NOMEM. */
int content_put(struct content *content, int64_t *ret_id, struct err *err);

/*
 * Reads a body: 1 and its row, of which column i of body_columns is i; then the
 * parts until 0, of which the part number is column 0 and column i of
 * part_columns is i + 1. ERR_DB when there is no such body.
 */
int content_get(struct content *content, int64_t id, struct stmt **ret_body, struct err *err);
int content_next_part(struct content *content, struct stmt **ret_part, struct err *err);

/* The hash that a stored body should have. */
int content_hash(struct content *content, int64_t id, uint64_t *ret_hash, struct err *err);

#endif
