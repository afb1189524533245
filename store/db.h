/*
 * The store's connection, for the files of this folder.
 *
 * A failed call leaves the file as it was: everything is written between
 * db_begin and db_commit, and db_rollback is safe at any time.
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <sqlite3.h>

#include "store/store.h"

#define DB_APPLICATION_ID 1229078869	/* "IBAU", as in schema.sql */
#define DB_SCHEMA_VERSION 4		/* user_version of schema.sql */
#define DB_BUSY_MS 5000			/* how long another process is waited for */

struct store {
	sqlite3 *handle;
	char *path;		/* as the user gave it */
	enum store_mode mode;
	unsigned query_seconds;	/* longest a query may run */
};

/*
 * Turns SQLite's result into a sentence with the way out, and into a code:
 * ERR_NOMEM or ERR_DB. `doing` ("writing a snapshot") starts it; NULL: left out.
 */
int db_error(const struct store *store, int sqlite_rc, const char *doing, struct err *err);

/* ERR_DB: the file holds what no ibaudit writes; `what` says where. */
int db_damaged(const struct store *store, const char *what, struct err *err);

/* Runs SQL text without parameters. 0, ERR_DB, ERR_NOMEM. */
int db_exec(struct store *store, const char *sql, struct err *err);

/* The single integer a statement gives, 0 without a row. */
int db_integer(struct store *store, const char *sql, int64_t *ret_value, struct err *err);

/* Takes the write lock, waiting for another writer. ERR_DB also when the store is open for reading. */
int db_begin(struct store *store, struct err *err);

int db_commit(struct store *store, struct err *err);

/* Undoes all since db_begin; nothing when no transaction is open. */
void db_rollback(struct store *store);

/*
 * Freezes what is read until db_rollback, so that statements see one state
 * while others write and prune.
 */
int db_begin_read(struct store *store, struct err *err);

#endif
