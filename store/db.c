/*
 * The file is kept in SQLite's rollback-journal mode: one file when nobody
 * writes, readable from read-only media and network file systems, and a crash
 * is undone by whoever opens it next. The price, readers waiting while a
 * snapshot is committed, is small beside a sweep.
 */
#include "store/db.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema.sql.h"
#include "version.h"

/*
 * Step n leads from user_version n + 1 to n + 2: what an older store has and has in
 * another form. What it does not have, views that a step drops among it, comes from
 * schema_sql, which is run behind the steps.
 */
static const char *const steps[DB_SCHEMA_VERSION - 1] = {
	"ALTER TABLE host_port_row ADD COLUMN gid_slots INTEGER;"
	"ALTER TABLE host_port_row ADD COLUMN gids_unread INTEGER;"
	"DROP VIEW IF EXISTS counter;"
	"DROP VIEW IF EXISTS host_gid;"
	"DROP VIEW IF EXISTS host_port;",
	/* A link that one end alone tells was NULL at neither end. */
	"DROP VIEW IF EXISTS link;",
	/* Which run of OpenSM an event is of was not asked: all were taken for the last one's. */
	"ALTER TABLE log_event_row ADD COLUMN run INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE log_event_row ADD COLUMN run_until TEXT;"
	"DROP VIEW IF EXISTS log_event;",
};

int db_error(const struct store *store, int sqlite_rc, const char *doing, struct err *err)
{
	const char *path = store->path;
	int system_errno = sqlite3_system_errno(store->handle);
	char lead[96] = "";
	struct rlimit limit;

	/* SQLite forgets the system's reason when it rolls back by itself. */
	if (system_errno == 0 && sqlite_rc == SQLITE_IOERR_WRITE &&
	    getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
		system_errno = EFBIG;
	if (doing)
		snprintf(lead, sizeof(lead), "%s: ", doing);
	switch (sqlite_rc & 0xff) {
	case SQLITE_NOMEM:
		return err_no_memory(err);
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, ERR_DB,
			       "%s%s is in use by another process (waited %d s); the store is as it "
			       "was, try again when that is done",
			       lead, path, DB_BUSY_MS / 1000);
	case SQLITE_FULL:
		return err_set(err, ERR_DB,
			       "%s%s: no space left; the store is as it was, make room on that disk "
			       "or choose another with --store",
			       lead, path);
	case SQLITE_READONLY:
	case SQLITE_PERM:
		if (sqlite_rc == SQLITE_READONLY_ROLLBACK)
			return err_set(err, ERR_DB,
				       "%s%s was left half-written by a program that died; open it "
				       "once with permission to write, which undoes that",
				       lead, path);
		return err_set(err, ERR_DB,
			       "%s%s cannot be written: no permission for the file or its directory; "
			       "choose another with --store",
			       lead, path);
	case SQLITE_NOTADB:
		return err_set(err, ERR_DB,
			       "%s%s is not a store of ibaudit; choose another file with --store",
			       lead, path);
	case SQLITE_CORRUPT:
		return err_set(err, ERR_DB,
			       "%s%s is damaged (%s); restore it from a backup, `ibaudit verify` "
			       "tells more",
			       lead, path, sqlite3_errmsg(store->handle));
	case SQLITE_CANTOPEN:
		return err_set(err, ERR_DB, "%s%s cannot be opened: %s", lead, path,
			       system_errno ? strerror(system_errno)
					    : "its directory is missing or closed to you");
	case SQLITE_IOERR:
		return err_set(err, ERR_DB,
			       "%s%s: reading or writing failed (%s); the store is as it was", lead,
			       path, system_errno ? strerror(system_errno)
						  : sqlite3_errmsg(store->handle));
	default:
		return err_set(err, ERR_DB, "%s%s: %s", lead, path, sqlite3_errmsg(store->handle));
	}
}

int db_damaged(const struct store *store, const char *what, struct err *err)
{
	return err_set(err, ERR_DB,
		       "%s is damaged (%s); restore it from a backup, `ibaudit verify` tells more",
		       store->path, what);
}

int db_exec(struct store *store, const char *sql, struct err *err)
{
	int rc = sqlite3_exec(store->handle, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : db_error(store, rc, NULL, err);
}

int db_integer(struct store *store, const char *sql, int64_t *ret_value, struct err *err)
{
	sqlite3_stmt *stmt = NULL;
	int64_t value = 0;
	int rc;

	rc = sqlite3_prepare_v2(store->handle, sql, -1, &stmt, NULL);
	if (rc == SQLITE_OK) {
		rc = sqlite3_step(stmt);
		if (rc == SQLITE_ROW)
			value = sqlite3_column_int64(stmt, 0);
	}
	if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
		rc = db_error(store, rc, NULL, err);
		sqlite3_finalize(stmt);
		return rc;
	}
	sqlite3_finalize(stmt);
	*ret_value = value;
	return 0;
}

int db_begin(struct store *store, struct err *err)
{
	if (store->mode == STORE_READ)
		return err_set(err, ERR_DB, "%s is open for reading only", store->path);
	return db_exec(store, "BEGIN IMMEDIATE", err);
}

int db_begin_read(struct store *store, struct err *err)
{
	return db_exec(store, "BEGIN", err);
}

int db_commit(struct store *store, struct err *err)
{
	int rc = db_exec(store, "COMMIT", err);

	if (rc < 0)
		db_rollback(store);
	return rc;
}

void db_rollback(struct store *store)
{
	if (!sqlite3_get_autocommit(store->handle))
		sqlite3_exec(store->handle, "ROLLBACK", NULL, NULL, NULL);
}

/* What kind of file this is. */
enum identity {
	IDENTITY_EMPTY,		/* nothing in it yet */
	IDENTITY_OLDER,		/* a store whose schema is older than ours */
	IDENTITY_OURS,
};

static int identify(struct store *store, enum identity *ret_identity, struct err *err)
{
	int64_t application = 0;
	int64_t version = 0;
	int64_t objects = 0;
	int rc;

	rc = db_integer(store, "SELECT count(*) FROM sqlite_master", &objects, err);
	if (rc == 0)
		rc = db_integer(store, "PRAGMA application_id", &application, err);
	if (rc == 0)
		rc = db_integer(store, "PRAGMA user_version", &version, err);
	if (rc < 0)
		return rc;
	if (objects == 0 && application == 0 && version == 0) {
		*ret_identity = IDENTITY_EMPTY;
		return 0;
	}
	if (application != DB_APPLICATION_ID)
		return err_set(err, ERR_DB,
			       "%s is a database of another program, not a store of ibaudit; choose "
			       "another file with --store",
			       store->path);
	if (version > DB_SCHEMA_VERSION)
		return err_set(err, ERR_DB,
			       "%s was written by a newer ibaudit (schema %lld, this one knows %d); "
			       "use that version, or another file with --store",
			       store->path, (long long)version, DB_SCHEMA_VERSION);
	*ret_identity = version == DB_SCHEMA_VERSION ? IDENTITY_OURS : IDENTITY_OLDER;
	return 0;
}

/* Brings an empty or older file to our schema, in one transaction. */
static int migrate(struct store *store, struct err *err)
{
	enum identity identity = IDENTITY_EMPTY;
	int64_t version = 0;
	int rc;

	rc = db_begin(store, err);
	if (rc < 0)
		return rc;
	/* Another process may have been faster. */
	rc = identify(store, &identity, err);
	if (rc == 0)
		rc = db_integer(store, "PRAGMA user_version", &version, err);
	if (rc < 0 || identity == IDENTITY_OURS)
		goto out;
	if (identity == IDENTITY_OLDER && version < 1) {
		rc = db_damaged(store, "its schema has no such version", err);
		goto out;
	}
	/* An empty file has nothing to be led on. */
	for (size_t step = version > 0 ? (size_t)version - 1 : DB_SCHEMA_VERSION - 1;
	     step < DB_SCHEMA_VERSION - 1 && rc == 0; step++)
		rc = db_exec(store, steps[step], err);
	if (rc == 0)
		rc = db_exec(store, schema_sql, err);
	if (rc == 0 && identity == IDENTITY_EMPTY)
		rc = db_exec(store,
			     "INSERT INTO meta VALUES ('created_by', '" IBAUDIT_VERSION "'),"
			     " ('created_at', datetime('now'))",
			     err);
	if (rc == 0)
		rc = db_commit(store, err);
out:
	db_rollback(store);
	return rc;
}

/* A new store needs a directory that takes files. */
static int check_directory(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash == path ? strdup("/")
			  : slash	? strndup(path, (size_t)(slash - path))
					: strdup(".");
	int rc = 0;

	if (!directory)
		return err_no_memory(err);
	if (access(directory, F_OK) < 0)
		rc = err_set(err, ERR_DB,
			     "%s cannot be made: its directory %s: %s; make that, or choose another "
			     "with --store",
			     path, directory, strerror(errno));
	else if (access(directory, W_OK | X_OK) < 0)
		rc = err_set(err, ERR_DB,
			     "%s cannot be made: you may not write in its directory %s (%s); choose "
			     "another with --store",
			     path, directory, strerror(errno));
	free(directory);
	return rc;
}

/* Looks at the path before SQLite does, which has one code for many troubles. */
static int check_path(const char *path, enum store_mode mode, bool *ret_is_new, struct err *err)
{
	struct stat status;

	*ret_is_new = false;
	if (strcmp(path, ":memory:") == 0)
		return 0;
	if (*path == '\0')
		return err_set(err, ERR_DB, "the store has an empty name; give a file with --store");
	if (stat(path, &status) < 0) {
		if (errno != ENOENT)
			return err_set(err, ERR_DB, "%s cannot be opened: %s", path,
				       strerror(errno));
		*ret_is_new = true;
		if (mode == STORE_WRITE)
			return check_directory(path, err);
		return err_set(err, ERR_DB,
			       "there is no store %s; `ibaudit collect` and `ibaudit import` make "
			       "one, --store names another",
			       path);
	}
	if (S_ISDIR(status.st_mode))
		return err_set(err, ERR_DB, "%s is a directory; name a file with --store", path);
	if (!S_ISREG(status.st_mode))
		return err_set(err, ERR_DB, "%s is not a regular file; name one with --store", path);
	if (access(path, R_OK) < 0)
		return err_set(err, ERR_DB, "%s cannot be read: %s", path, strerror(errno));
	if (mode == STORE_WRITE && access(path, W_OK) < 0)
		return err_set(err, ERR_DB,
			       "%s cannot be written: %s; choose another with --store", path,
			       strerror(errno));
	return 0;
}

/* The file may come from anybody: nothing in its schema is trusted to do more than store. */
static void configure(sqlite3 *handle)
{
	sqlite3_extended_result_codes(handle, 1);
	sqlite3_busy_timeout(handle, DB_BUSY_MS);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
}

static int tune(struct store *store, struct err *err)
{
	int rc;

	/* KiB: small beside a snapshot, and enough to keep the indices of a large one. */
	rc = db_exec(store, "PRAGMA cache_size = -65536; PRAGMA cell_size_check = ON", err);
	/* The flags of the connection do that too; this is for a store in memory. */
	if (rc == 0 && store->mode == STORE_READ)
		rc = db_exec(store, "PRAGMA query_only = ON", err);
	return rc;
}

static int connect(struct store *store, int flags, struct err *err)
{
	char *name = NULL;
	int rc;

	sqlite3_close(store->handle);
	store->handle = NULL;
	/* "./" keeps a name like "file:x?mode=memory" a name. */
	if (strcmp(store->path, ":memory:") == 0 || store->path[0] == '/')
		name = sqlite3_mprintf("%s", store->path);
	else
		name = sqlite3_mprintf("./%s", store->path);
	if (!name)
		return err_no_memory(err);
	rc = sqlite3_open_v2(name, &store->handle, flags | SQLITE_OPEN_NOMUTEX, NULL);
	sqlite3_free(name);
	if (rc != SQLITE_OK)
		return store->handle ? db_error(store, rc, NULL, err) : err_no_memory(err);
	configure(store->handle);
	return 0;
}

/*
 * A writer that died leaves its journal, which only a connection that may write
 * can undo. A reader does that first, so that a crash costs nobody anything.
 */
static int connect_read(struct store *store, struct err *err)
{
	int rc = connect(store, SQLITE_OPEN_READONLY, err);

	if (rc < 0)
		return rc;
	rc = sqlite3_exec(store->handle, "SELECT count(*) FROM sqlite_master", NULL, NULL, NULL);
	/* Waited for long enough; the next statement would wait as long again. */
	if ((rc & 0xff) == SQLITE_BUSY)
		return db_error(store, rc, NULL, err);
	if (rc != SQLITE_READONLY_ROLLBACK && rc != SQLITE_READONLY_RECOVERY)
		return 0;
	rc = connect(store, SQLITE_OPEN_READWRITE, err);
	if (rc == 0 && sqlite3_db_readonly(store->handle, "main") == 0)
		rc = db_exec(store, "SELECT count(*) FROM sqlite_master", err);
	if (rc < 0)
		return rc;
	return connect(store, SQLITE_OPEN_READONLY, err);
}

static int open_identified(struct store *store, struct err *err)
{
	enum identity identity = IDENTITY_EMPTY;
	int rc;

	if (store->mode == STORE_READ)
		rc = connect_read(store, err);
	else
		rc = connect(store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
	if (rc == 0)
		rc = tune(store, err);
	if (rc == 0)
		rc = identify(store, &identity, err);
	if (rc < 0 || identity == IDENTITY_OURS)
		return rc;
	if (store->mode == STORE_WRITE)
		return migrate(store, err);
	if (identity == IDENTITY_EMPTY)
		return err_set(err, ERR_DB,
			       "%s holds nothing yet; `ibaudit collect` and `ibaudit import` make "
			       "snapshots",
			       store->path);
	return err_set(err, ERR_DB,
		       "%s has an older schema; store something in it with this version, which "
		       "brings it up to date",
		       store->path);
}

/* Takes away the empty file that a failed first opening leaves. */
static void remove_if_empty(const char *path)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
		unlink(path);
}

int store_open(const char *path, enum store_mode mode, struct store **ret_store, struct err *err)
{
	struct store *store = NULL;
	bool is_new = false;
	int rc;

	rc = check_path(path, mode, &is_new, err);
	if (rc < 0)
		return rc;
	store = calloc(1, sizeof(*store));
	if (!store)
		return err_no_memory(err);
	store->mode = mode;
	store->query_seconds = 300;
	store->path = strdup(path);
	if (!store->path)
		rc = err_no_memory(err);
	if (rc == 0)
		rc = open_identified(store, err);
	if (rc < 0) {
		store_close(store);
		if (is_new)
			remove_if_empty(path);
		return rc;
	}
	*ret_store = store;
	return 0;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	sqlite3_close(store->handle);
	free(store->path);
	free(store);
}
