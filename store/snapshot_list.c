#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"
#include "store/stmt.h"
#include "store/value.h"

/* What a list shows; source names and the newest audit come from further statements. */
#define SNAPSHOT_COLUMNS                                                                          \
	"SELECT id, taken_at, stored_at, site, label, live, partial, devices, switches, cas,"     \
	" routers, links, holes FROM snapshot_row"

struct lister {
	struct store *store;
	struct stmt *rows;
	struct stmt *sources;
	struct stmt *audit;
};

static void lister_close(struct lister *lister)
{
	stmt_free(lister->rows);
	stmt_free(lister->sources);
	stmt_free(lister->audit);
}

static int lister_open(struct lister *lister, const char *sql, struct err *err)
{
	int rc;

	rc = stmt_prepare(lister->store, sql, &lister->rows, err);
	if (rc == 0)
		rc = stmt_prepare(lister->store,
				  "SELECT name FROM source_row WHERE snapshot_id = :id ORDER BY seq",
				  &lister->sources, err);
	if (rc == 0)
		rc = stmt_prepare(lister->store,
				  "SELECT info, warning, error, critical FROM audit_row"
				  " WHERE snapshot_id = :id ORDER BY id DESC LIMIT 1",
				  &lister->audit, err);
	return rc;
}

/* A cell into a buffer of `size` bytes, cut at its end. */
static void copy_cell(struct stmt *row, int column, char *out, size_t size)
{
	size_t length;
	const char *bytes = stmt_bytes(row, column, &length);

	if (length >= size)
		length = size - 1;
	if (bytes)
		memcpy(out, bytes, length);
	out[length] = '\0';
}

/* "a, b, c" or as much of it as fits with "..." behind. */
static int join_sources(struct lister *lister, struct snapshot *snapshot, struct err *err)
{
	static const char cut[] = "...";
	size_t used = 0;
	size_t room = sizeof(snapshot->sources) - sizeof(cut);
	int rc;

	stmt_bind_i64(lister->sources, ":id", snapshot->id);
	while ((rc = stmt_step(lister->sources, err)) == 1) {
		size_t length;
		const char *name = stmt_bytes(lister->sources, 0, &length);
		size_t comma = used > 0 ? 2 : 0;

		if (comma + length > room - used) {
			/* A name is cut only when it stands alone. */
			if (used == 0 && name) {
				memcpy(snapshot->sources, name, room);
				used = room;
			}
			strcpy(snapshot->sources + used, cut);
			stmt_reset(lister->sources);
			return 0;
		}
		memcpy(snapshot->sources + used, ", ", comma);
		if (name)
			memcpy(snapshot->sources + used + comma, name, length);
		used += comma + length;
		snapshot->sources[used] = '\0';
	}
	return rc;
}

static int read_row(struct lister *lister, struct snapshot *snapshot, struct err *err)
{
	struct stmt *row = lister->rows;
	int rc;

	memset(snapshot, 0, sizeof(*snapshot));
	snapshot->id = stmt_i64(row, 0);
	snapshot->taken_at = stmt_field(row, 1);
	snapshot->stored_at = stmt_i64(row, 2);
	copy_cell(row, 3, snapshot->site, sizeof(snapshot->site));
	copy_cell(row, 4, snapshot->label, sizeof(snapshot->label));
	snapshot->live = stmt_i64(row, 5) != 0;
	snapshot->partial = stmt_i64(row, 6) != 0;
	snapshot->devices = stmt_i64(row, 7);
	snapshot->switches = stmt_i64(row, 8);
	snapshot->cas = stmt_i64(row, 9);
	snapshot->routers = stmt_i64(row, 10);
	snapshot->links = stmt_i64(row, 11);
	snapshot->holes = stmt_i64(row, 12);
	rc = join_sources(lister, snapshot, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(lister->audit, ":id", snapshot->id);
	rc = stmt_step(lister->audit, err);
	for (int i = 0; i < 4; i++)
		snapshot->findings[i] = rc == 1 ? stmt_i64(lister->audit, i) : -1;
	stmt_reset(lister->audit);
	return rc < 0 ? rc : 0;
}

#define IN_SITE "(:site IS NULL OR CAST(site AS BLOB) = :site)"

/* Names are compared as bytes: they may be none of UTF-8. */
static void bind_name(struct stmt *stmt, const char *parameter, const char *name)
{
	if (name)
		stmt_bind_blob(stmt, parameter, name, strlen(name));
	else
		stmt_bind_null(stmt, parameter);
}

int store_snapshot_list(struct store *store, const char *site, struct snapshot **ret_list,
			size_t *ret_count, struct err *err)
{
	struct lister lister = {.store = store};
	struct bytes list = {0};
	int rc;

	rc = lister_open(&lister, SNAPSHOT_COLUMNS " WHERE " IN_SITE " ORDER BY id DESC", err);
	if (rc < 0)
		goto out;
	bind_name(lister.rows, ":site", site);
	while ((rc = stmt_step(lister.rows, err)) == 1) {
		void *place = bytes_add(&list, sizeof(struct snapshot));

		rc = place ? read_row(&lister, place, err) : err_no_memory(err);
		if (rc < 0)
			break;
	}
out:
	lister_close(&lister);
	if (rc < 0) {
		bytes_free(&list);
		return rc;
	}
	*ret_list = (void *)list.data;
	*ret_count = list.length / sizeof(struct snapshot);
	return 0;
}

/* "latest" and "latest~N": how many to skip; false: another name. */
static bool parse_latest(const char *name, int64_t *ret_skip)
{
	const char *digits = name + 7;

	if (strncmp(name, "latest~", 7) == 0) {
		if (*digits == '\0' || digits[strspn(digits, "0123456789")] != '\0')
			return false;
		errno = 0;
		*ret_skip = strtoll(digits, NULL, 10);
		return errno == 0;
	}
	*ret_skip = 0;
	return strcmp(name, "latest") == 0;
}

static bool parse_id(const char *name, int64_t *ret_id)
{
	if (*name == '\0' || name[strspn(name, "0123456789")] != '\0')
		return false;
	errno = 0;
	*ret_id = strtoll(name, NULL, 10);
	return errno == 0;
}

/* Names the snapshot that is not there, and what is. */
static int not_found(struct store *store, const char *name, const char *site, struct err *err)
{
	int64_t count = 0;
	int64_t newest = 0;
	int rc;

	rc = db_integer(store, "SELECT count(*) FROM snapshot_row", &count, err);
	if (rc == 0)
		rc = db_integer(store, "SELECT max(id) FROM snapshot_row", &newest, err);
	if (rc < 0)
		return rc;
	if (count == 0)
		return err_set(err, ERR_NOT_FOUND,
			       "%s holds no snapshot yet; `ibaudit collect` and `ibaudit import` "
			       "make them",
			       store->path);
	return err_set(err, ERR_NOT_FOUND,
		       "%s has no snapshot \"%s\"%s%s; it has %lld, the newest is %lld, `ibaudit "
		       "list` shows them",
		       store->path, name, site ? " of site " : "", site ? site : "",
		       (long long)count, (long long)newest);
}

int store_snapshot_find(struct store *store, const char *name, const char *site,
			struct snapshot *ret_snapshot, struct err *err)
{
	struct lister lister = {.store = store};
	int64_t number;
	int rc;

	if (parse_id(name, &number)) {
		rc = lister_open(&lister, SNAPSHOT_COLUMNS " WHERE id = :id", err);
		if (rc == 0)
			stmt_bind_i64(lister.rows, ":id", number);
	} else if (parse_latest(name, &number)) {
		rc = lister_open(&lister,
				 SNAPSHOT_COLUMNS " WHERE " IN_SITE
						  " ORDER BY id DESC LIMIT 1 OFFSET :skip",
				 err);
		if (rc == 0) {
			bind_name(lister.rows, ":site", site);
			stmt_bind_i64(lister.rows, ":skip", number);
		}
	} else {
		rc = lister_open(&lister,
				 SNAPSHOT_COLUMNS " WHERE CAST(label AS BLOB) = :label AND " IN_SITE
						  " ORDER BY id DESC LIMIT 1",
				 err);
		if (rc == 0) {
			bind_name(lister.rows, ":site", site);
			bind_name(lister.rows, ":label", name);
		}
	}
	if (rc == 0)
		rc = stmt_step(lister.rows, err);
	if (rc == 1)
		rc = read_row(&lister, ret_snapshot, err);
	else if (rc == 0)
		rc = not_found(store, name, site, err);
	lister_close(&lister);
	return rc;
}
