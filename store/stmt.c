#include "store/stmt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"

struct stmt {
	sqlite3_stmt *handle;
	struct store *store;
	int bind_rc;		/* the first bind that failed, or SQLITE_OK */
};

int stmt_prepare(struct store *store, const char *sql, struct stmt **ret_stmt, struct err *err)
{
	struct stmt *stmt = calloc(1, sizeof(*stmt));
	int rc;

	if (!stmt)
		return err_no_memory(err);
	stmt->store = store;
	rc = sqlite3_prepare_v3(store->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt->handle,
				NULL);
	if (rc != SQLITE_OK) {
		rc = db_error(store, rc, NULL, err);
		stmt_free(stmt);
		return rc;
	}
	*ret_stmt = stmt;
	return 0;
}

/* Appends a name to a list of SQL text; the first one without a comma. */
static void append(char *sql, size_t size, const char *name, bool *is_first)
{
	size_t used = strlen(sql);

	snprintf(sql + used, size - used, "%s%s", *is_first ? "" : ", ", name);
	*is_first = false;
}

/* Room for the statement, begun with `verb`; NULL without memory. */
static char *begin_sql(const char *verb, const char *table, const char *rest,
		       const char *const *columns, size_t *ret_size)
{
	size_t size = 128 + strlen(verb) + strlen(table) + strlen(rest);
	char *sql;

	for (size_t i = 0; columns[i]; i++)
		size += strlen(columns[i]) + 5;
	sql = malloc(size);
	if (sql)
		snprintf(sql, size, "%s", verb);
	*ret_size = size;
	return sql;
}

int stmt_prepare_insert(struct store *store, const char *table, const char *first,
			const char *second, const char *const *columns, struct stmt **ret_stmt,
			struct err *err)
{
	const char *const lead[] = {first, second};
	bool is_first = true;
	size_t size;
	char *sql = begin_sql("INSERT INTO ", table, "", columns, &size);
	int rc;

	if (!sql)
		return err_no_memory(err);
	snprintf(sql + strlen(sql), size - strlen(sql), "%s (", table);
	for (size_t i = 0; i < 2; i++) {
		if (lead[i])
			append(sql, size, lead[i], &is_first);
	}
	for (size_t i = 0; columns[i]; i++)
		append(sql, size, columns[i], &is_first);
	snprintf(sql + strlen(sql), size - strlen(sql), ") VALUES (");
	is_first = true;
	for (size_t i = 0; i < 2; i++) {
		if (lead[i])
			append(sql, size, "?", &is_first);
	}
	for (size_t i = 0; columns[i]; i++)
		append(sql, size, "?", &is_first);
	snprintf(sql + strlen(sql), size - strlen(sql), ")");
	rc = stmt_prepare(store, sql, ret_stmt, err);
	free(sql);
	return rc;
}

int stmt_prepare_select(struct store *store, const char *first, const char *const *columns,
			const char *table, const char *rest, struct stmt **ret_stmt,
			struct err *err)
{
	bool is_first = true;
	size_t size;
	char *sql = begin_sql("SELECT ", table, rest, columns, &size);
	int rc;

	if (!sql)
		return err_no_memory(err);
	if (first)
		append(sql, size, first, &is_first);
	for (size_t i = 0; columns[i]; i++)
		append(sql, size, columns[i], &is_first);
	snprintf(sql + strlen(sql), size - strlen(sql), " FROM %s %s", table, rest);
	rc = stmt_prepare(store, sql, ret_stmt, err);
	free(sql);
	return rc;
}

void stmt_free(struct stmt *stmt)
{
	if (!stmt)
		return;
	sqlite3_finalize(stmt->handle);
	free(stmt);
}

static void latch(struct stmt *stmt, int rc)
{
	if (stmt->bind_rc == SQLITE_OK)
		stmt->bind_rc = rc;
}

/* 0 if there is no such parameter: bind refuses it. */
static int index_of(struct stmt *stmt, const char *name)
{
	return sqlite3_bind_parameter_index(stmt->handle, name);
}

void stmt_bind_i64_at(struct stmt *stmt, int index, int64_t value)
{
	latch(stmt, sqlite3_bind_int64(stmt->handle, index, value));
}

void stmt_bind_null_at(struct stmt *stmt, int index)
{
	latch(stmt, sqlite3_bind_null(stmt->handle, index));
}

void stmt_bind_text_at(struct stmt *stmt, int index, const char *text, size_t length)
{
	latch(stmt, sqlite3_bind_text64(stmt->handle, index, text, length, SQLITE_STATIC,
					SQLITE_UTF8));
}

void stmt_bind_blob_at(struct stmt *stmt, int index, const void *data, size_t length)
{
	/* A NULL pointer would bind NULL, not an empty blob. */
	latch(stmt, sqlite3_bind_blob64(stmt->handle, index, length ? data : "", length,
					SQLITE_STATIC));
}

void stmt_bind_i64(struct stmt *stmt, const char *name, int64_t value)
{
	stmt_bind_i64_at(stmt, index_of(stmt, name), value);
}

void stmt_bind_null(struct stmt *stmt, const char *name)
{
	stmt_bind_null_at(stmt, index_of(stmt, name));
}

void stmt_bind_text(struct stmt *stmt, const char *name, const char *text)
{
	latch(stmt, sqlite3_bind_text(stmt->handle, index_of(stmt, name), text, -1, SQLITE_STATIC));
}

void stmt_bind_blob(struct stmt *stmt, const char *name, const void *data, size_t length)
{
	stmt_bind_blob_at(stmt, index_of(stmt, name), data, length);
}

void stmt_bind_field(struct stmt *stmt, const char *name, int64_t value)
{
	if (value == FIELD_UNKNOWN)
		stmt_bind_null(stmt, name);
	else
		stmt_bind_i64(stmt, name, value);
}

void stmt_bind_guid(struct stmt *stmt, const char *name, uint64_t guid)
{
	stmt_bind_i64(stmt, name, (int64_t)guid);
}

int stmt_step(struct stmt *stmt, struct err *err)
{
	int rc = stmt->bind_rc;

	if (rc == SQLITE_OK) {
		rc = sqlite3_step(stmt->handle);
		if (rc == SQLITE_ROW)
			return 1;
		if (rc == SQLITE_DONE) {
			sqlite3_reset(stmt->handle);
			return 0;
		}
	}
	rc = db_error(stmt->store, rc, NULL, err);
	stmt_reset(stmt);
	return rc;
}

int stmt_run(struct stmt *stmt, struct err *err)
{
	int rc;

	do {
		rc = stmt_step(stmt, err);
	} while (rc == 1);
	return rc;
}

void stmt_reset(struct stmt *stmt)
{
	sqlite3_reset(stmt->handle);
	stmt->bind_rc = SQLITE_OK;
}

bool stmt_is_null(struct stmt *stmt, int column)
{
	return sqlite3_column_type(stmt->handle, column) == SQLITE_NULL;
}

enum cell_type stmt_type(struct stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt->handle, column)) {
	case SQLITE_INTEGER:
		return CELL_INTEGER;
	case SQLITE_FLOAT:
		return CELL_REAL;
	case SQLITE_TEXT:
		return CELL_TEXT;
	case SQLITE_BLOB:
		return CELL_BLOB;
	default:
		return CELL_NULL;
	}
}

int64_t stmt_i64(struct stmt *stmt, int column)
{
	return sqlite3_column_int64(stmt->handle, column);
}

int64_t stmt_field(struct stmt *stmt, int column)
{
	return stmt_is_null(stmt, column) ? FIELD_UNKNOWN : stmt_i64(stmt, column);
}

uint64_t stmt_guid(struct stmt *stmt, int column)
{
	return (uint64_t)stmt_i64(stmt, column);
}

const char *stmt_bytes(struct stmt *stmt, int column, size_t *ret_length)
{
	const char *data;

	*ret_length = 0;
	if (stmt_is_null(stmt, column))
		return NULL;
	/* Text is asked for as such: the file may keep it in UTF-16. */
	if (stmt_type(stmt, column) == CELL_TEXT)
		data = (const char *)sqlite3_column_text(stmt->handle, column);
	else
		data = sqlite3_column_blob(stmt->handle, column);
	if (!data && sqlite3_errcode(stmt->store->handle) == SQLITE_NOMEM)
		latch(stmt, SQLITE_NOMEM);
	*ret_length = (size_t)sqlite3_column_bytes(stmt->handle, column);
	return data ? data : "";
}

int64_t stmt_insert_id(const struct stmt *stmt)
{
	return sqlite3_last_insert_rowid(stmt->store->handle);
}
