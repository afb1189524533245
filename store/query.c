/*
 * One statement from a stranger: it may read and nothing else. The authorizer
 * says what a statement may name, sqlite3_stmt_readonly is the second lock, the
 * progress handler ends what would not end.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/db.h"

#define STEPS_BETWEEN_CHECKS 100000
#define LARGEST_CELL (64 * 1024 * 1024)

static bool is_harmless_pragma(const char *name)
{
	static const char *const names[] = {"table_info", "table_xinfo", "table_list",
					    "application_id", "user_version"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (name && sqlite3_stricmp(name, names[i]) == 0)
			return true;
	}
	return false;
}

static int authorize(void *context, int action, const char *first, const char *second,
		     const char *database, const char *trigger)
{
	(void)context;
	(void)database;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return second && sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY
										  : SQLITE_OK;
	case SQLITE_PRAGMA:
		/* With a value even these would write. */
		if (is_harmless_pragma(first) &&
		    (!second || (sqlite3_stricmp(first, "application_id") != 0 &&
				 sqlite3_stricmp(first, "user_version") != 0)))
			return SQLITE_OK;
		return SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

struct deadline {
	struct timespec at;
	bool passed;
};

static int check_deadline(void *context)
{
	struct deadline *deadline = context;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	deadline->passed = now.tv_sec > deadline->at.tv_sec ||
			   (now.tv_sec == deadline->at.tv_sec && now.tv_nsec >= deadline->at.tv_nsec);
	return deadline->passed;
}

static struct cell cell_of(sqlite3_stmt *stmt, int column)
{
	struct cell cell = {.type = CELL_NULL};

	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_INTEGER:
		cell.type = CELL_INTEGER;
		cell.integer = sqlite3_column_int64(stmt, column);
		break;
	case SQLITE_FLOAT:
		cell.type = CELL_REAL;
		cell.real = sqlite3_column_double(stmt, column);
		break;
	case SQLITE_TEXT:
		cell.type = CELL_TEXT;
		cell.text = (const char *)sqlite3_column_text(stmt, column);
		cell.length = (size_t)sqlite3_column_bytes(stmt, column);
		break;
	case SQLITE_BLOB:
		cell.type = CELL_BLOB;
		cell.text = sqlite3_column_blob(stmt, column);
		cell.length = (size_t)sqlite3_column_bytes(stmt, column);
		break;
	default:
		break;
	}
	if ((cell.type == CELL_TEXT || cell.type == CELL_BLOB) && !cell.text)
		cell.text = "";
	return cell;
}

/* SQLite's words on a statement, or the store's when the file is the trouble. */
static int query_error(struct store *store, int rc, const struct deadline *deadline,
		       struct err *err)
{
	switch (rc & 0xff) {
	case SQLITE_AUTH:
		return err_set(err, ERR_USAGE,
			       "the query does more than read; only SELECT over the store's views is "
			       "allowed");
	case SQLITE_INTERRUPT:
		if (deadline->passed)
			return err_set(err, ERR_USAGE,
				       "the query ran longer than %u s and was stopped; narrow it, "
				       "for example by snapshot_id and node_guid",
				       store->query_seconds);
		break;
	case SQLITE_ERROR:
	case SQLITE_TOOBIG:
	case SQLITE_RANGE:
	case SQLITE_MISMATCH:
		break;
	default:
		return db_error(store, rc, NULL, err);
	}
	return err_set(err, ERR_USAGE, "the query is wrong: %s", sqlite3_errmsg(store->handle));
}

/* True when nothing but blanks, semicolons and comments follows. */
static bool is_blank_sql(struct store *store, const char *sql)
{
	while (*sql) {
		sqlite3_stmt *stmt = NULL;
		const char *rest = NULL;
		int rc = sqlite3_prepare_v2(store->handle, sql, -1, &stmt, &rest);

		sqlite3_finalize(stmt);
		if (rc != SQLITE_OK || stmt || !rest || rest == sql)
			return false;
		sql = rest;
	}
	return true;
}

static int prepare(struct store *store, const char *sql, const struct deadline *deadline,
		   sqlite3_stmt **ret_stmt, struct err *err)
{
	const char *rest = NULL;
	int rc = sqlite3_prepare_v2(store->handle, sql, -1, ret_stmt, &rest);

	if (rc != SQLITE_OK)
		return query_error(store, rc, deadline, err);
	if (!*ret_stmt)
		return err_set(err, ERR_USAGE, "the query is empty");
	if (!is_blank_sql(store, rest))
		return err_set(err, ERR_USAGE, "the query has more than one statement; give one");
	if (!sqlite3_stmt_readonly(*ret_stmt))
		return err_set(err, ERR_USAGE,
			       "the query would write; only SELECT over the store's views is allowed");
	if (sqlite3_bind_parameter_count(*ret_stmt) > 0)
		return err_set(err, ERR_USAGE,
			       "the query has a parameter (? or :name); write the value instead");
	return 0;
}

static int run(struct store *store, sqlite3_stmt *stmt, const struct deadline *deadline,
	       query_row_fn row, void *context, struct err *err)
{
	size_t count = (size_t)sqlite3_column_count(stmt);
	const char **names = calloc(count + 1, sizeof(*names));
	struct cell *cells = calloc(count + 1, sizeof(*cells));
	int rc = 0;

	if (!names || !cells) {
		rc = err_no_memory(err);
		goto out;
	}
	for (size_t i = 0; i < count; i++) {
		names[i] = sqlite3_column_name(stmt, (int)i);
		if (!names[i]) {
			rc = err_no_memory(err);
			goto out;
		}
	}
	if (row(context, names, NULL, count) != 0)
		goto out;
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (size_t i = 0; i < count; i++)
			cells[i] = cell_of(stmt, (int)i);
		if (row(context, names, cells, count) != 0)
			break;
	}
	rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : query_error(store, rc, deadline, err);
out:
	free(names);
	free(cells);
	return rc;
}

int store_query(struct store *store, const char *sql, query_row_fn row, void *context,
		struct err *err)
{
	struct deadline deadline = {.passed = false};
	sqlite3_stmt *stmt = NULL;
	int limit;
	int rc;

	if (strlen(sql) > 1000000)
		return err_set(err, ERR_USAGE, "the query is longer than 1000000 bytes");
	clock_gettime(CLOCK_MONOTONIC, &deadline.at);
	deadline.at.tv_sec += store->query_seconds;
	/* Its first use declares a table, which the authorizer would refuse. */
	rc = db_exec(store, "SELECT 1 FROM pragma_table_info('meta')", err);
	if (rc < 0)
		return rc;
	limit = sqlite3_limit(store->handle, SQLITE_LIMIT_LENGTH, LARGEST_CELL);
	sqlite3_set_authorizer(store->handle, authorize, NULL);
	sqlite3_progress_handler(store->handle, STEPS_BETWEEN_CHECKS, check_deadline, &deadline);
	rc = prepare(store, sql, &deadline, &stmt, err);
	if (rc == 0)
		rc = run(store, stmt, &deadline, row, context, err);
	sqlite3_finalize(stmt);
	sqlite3_progress_handler(store->handle, 0, NULL, NULL);
	sqlite3_set_authorizer(store->handle, NULL, NULL);
	sqlite3_limit(store->handle, SQLITE_LIMIT_LENGTH, limit);
	return rc;
}
