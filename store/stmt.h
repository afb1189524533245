/*
 * Prepared statements. Binds latch their first failure (misspelt name, out of
 * memory) and stmt_step reports it, so that a row of binds reads flat. Columns
 * count from 0.
 */
#ifndef STORE_STMT_H
#define STORE_STMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/store.h"

struct stmt;

/* *ret_stmt belongs to the caller (stmt_free) and must go before the store does. ERR_DB, ERR_NOMEM. */
int stmt_prepare(struct store *store, const char *sql, struct stmt **ret_stmt, struct err *err);

/*
 * "INSERT INTO table (first, second, columns...) VALUES (?, ?, ...)" and
 * "SELECT first, columns... FROM table rest". Names come from lists in the code,
 * which end with NULL; `first` and `second` may be NULL.
 */
int stmt_prepare_insert(struct store *store, const char *table, const char *first,
			const char *second, const char *const *columns, struct stmt **ret_stmt,
			struct err *err);
int stmt_prepare_select(struct store *store, const char *first, const char *const *columns,
			const char *table, const char *rest, struct stmt **ret_stmt,
			struct err *err);

void stmt_free(struct stmt *stmt);	/* NULL is fine */

/* By name, ":guid" with its colon. Texts and blobs must stay until the statement is reset. */
void stmt_bind_i64(struct stmt *stmt, const char *name, int64_t value);
void stmt_bind_null(struct stmt *stmt, const char *name);
void stmt_bind_text(struct stmt *stmt, const char *name, const char *text);	/* NULL: NULL */
void stmt_bind_blob(struct stmt *stmt, const char *name, const void *data, size_t length);

/* FIELD_UNKNOWN is NULL. */
void stmt_bind_field(struct stmt *stmt, const char *name, int64_t value);

/* SQLite integers are signed: a GUID is stored as its bit pattern. */
void stmt_bind_guid(struct stmt *stmt, const char *name, uint64_t guid);

/* By number from 1, for statements made from a list of columns. */
void stmt_bind_i64_at(struct stmt *stmt, int index, int64_t value);
void stmt_bind_null_at(struct stmt *stmt, int index);
void stmt_bind_text_at(struct stmt *stmt, int index, const char *text, size_t length);
void stmt_bind_blob_at(struct stmt *stmt, int index, const void *data, size_t length);

/* 1 with a row; 0 when done, and reset for reuse; ERR_DB or ERR_NOMEM, reset too. */
int stmt_step(struct stmt *stmt, struct err *err);

/* For a statement that gives no rows: steps it to its end. 0 or an error. */
int stmt_run(struct stmt *stmt, struct err *err);

/* Gives up the rest of the rows. */
void stmt_reset(struct stmt *stmt);

bool stmt_is_null(struct stmt *stmt, int column);
int64_t stmt_i64(struct stmt *stmt, int column);
int64_t stmt_field(struct stmt *stmt, int column);	/* NULL: FIELD_UNKNOWN */
uint64_t stmt_guid(struct stmt *stmt, int column);	/* NULL: 0 */

/* Text or blob with its length, NULL for NULL; good until the next step. */
const char *stmt_bytes(struct stmt *stmt, int column, size_t *ret_length);

enum cell_type stmt_type(struct stmt *stmt, int column);

/* The rowid of the last insert through this connection. */
int64_t stmt_insert_id(const struct stmt *stmt);

#endif
