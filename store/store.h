/*
 * Snapshots on disk, in one SQLite file (schema.sql).
 *
 * A snapshot is written in one transaction and never changed afterwards: a
 * reader sees all of it or none of it, and a crash leaves the store as it was.
 * Bulk tables are kept by content: equal blocks once, in a night and across nights.
 * Only this folder includes <sqlite3.h>.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/fabric.h"
#include "store/finding.h"

struct store;

enum store_mode {
	STORE_READ,	/* must exist and is never changed, not even migrated */
	STORE_WRITE,	/* created if missing, migrated if older */
};

/*
 * path: a file, or ":memory:". On success *ret_store belongs to the caller.
 * ERR_DB with a sentence that says the way out: not a database, another
 * program's, newer schema than ours, no permission, disk full, locked by
 * another writer (waits 5 s first).
 */
int store_open(const char *path, enum store_mode mode, struct store **ret_store, struct err *err);

void store_close(struct store *store);	/* NULL is fine */

/* What a list shows of a snapshot. */
struct snapshot {
	int64_t id;
	int64_t taken_at;	/* UTC seconds, or FIELD_UNKNOWN */
	int64_t stored_at;
	char site[64];		/* "" none */
	char label[64];		/* "" none */
	bool live;
	bool partial;
	int64_t devices, switches, cas, routers, links, holes;
	char sources[256];	/* names, joined with ", ", cut with "..." */
	int64_t findings[4];	/* by severity, of the newest audit; -1: never audited */
};

/* Counts and names of a fabric that is not (yet) in a store: id 0. site and label may be NULL. */
void snapshot_describe(const struct fabric *fabric, const char *site, const char *label,
		       struct snapshot *ret_snapshot);

/*
 * Writes fabric as a new snapshot, in one transaction. site and label may be
 * NULL. Returns 0 and the id, or ERR_DB / ERR_NOMEM and the store as it was.
 * ERR_USAGE: a site or label that is empty or longer than 63 bytes, or a label
 * that reads as an id or as "latest".
 */
int store_snapshot_write(struct store *store, const struct fabric *fabric, const char *site,
			 const char *label, int64_t stored_at, int64_t *ret_id, struct err *err);

/* Reads a snapshot whole. *ret_fabric belongs to the caller. ERR_NOT_FOUND, ERR_DB, ERR_NOMEM. */
int store_snapshot_read(struct store *store, int64_t id, struct fabric **ret_fabric,
			struct err *err);

/*
 * name: an id, "latest", "latest~N" (N before it), or a label (its newest);
 * site narrows latest and labels, NULL: all. Newest means stored last, whatever
 * time a capture names. ERR_NOT_FOUND says what there is.
 */
int store_snapshot_find(struct store *store, const char *name, const char *site,
			struct snapshot *ret_snapshot, struct err *err);

/* Newest first, of one site or (NULL) all. The array belongs to the caller (free). */
int store_snapshot_list(struct store *store, const char *site, struct snapshot **ret_list,
			size_t *ret_count, struct err *err);

/* Keeps the outcome of a run of the rules beside its snapshot. baseline_id 0: none. */
int store_audit_write(struct store *store, int64_t snapshot_id, int64_t baseline_id,
		      int64_t audited_at, const struct audit *audit, struct err *err);

/* The newest audit of a snapshot. ERR_NOT_FOUND: never audited. Rule ids belong to the audit. */
int store_audit_read(struct store *store, int64_t snapshot_id, struct audit **ret_audit,
		     struct err *err);

enum cell_type {
	CELL_NULL,
	CELL_INTEGER,
	CELL_REAL,
	CELL_TEXT,
	CELL_BLOB,
};

struct cell {
	enum cell_type type;
	int64_t integer;
	double real;
	const char *text;	/* text or blob; not ended by NUL when a blob */
	size_t length;
};

/* Return non-zero to stop. The first call comes with cells NULL: the names. */
typedef int (*query_row_fn)(void *context, const char *const *names, const struct cell *cells,
			    size_t count);

/*
 * One read-only SQL statement over the documented views; anything that would
 * write, attach or run long without end is refused. ERR_USAGE with SQLite's words.
 */
int store_query(struct store *store, const char *sql, query_row_fn row, void *context,
		struct err *err);

#endif
