#include "store/maintain.h"

#include <stdlib.h>
#include <string.h>

#include "store/db.h"
#include "store/stmt.h"
#include "store/value.h"

int store_prune_list(struct store *store, const struct prune_rule *rule, int64_t **ret_ids,
		     size_t *ret_count, struct err *err)
{
	struct bytes ids = {0};
	struct stmt *rows = NULL;
	int rc;

	if (rule->keep < 1)
		return err_set(err, ERR_USAGE, "at least one snapshot must be kept");
	rc = stmt_prepare(store,
			  "SELECT id FROM (SELECT id, label, stored_at, site,"
			  "  row_number() OVER (PARTITION BY site ORDER BY id DESC) AS age"
			  "  FROM snapshot_row)"
			  " WHERE age > :keep AND (:before IS NULL OR stored_at < :before)"
			  "  AND (:labelled OR label IS NULL)"
			  "  AND (:site IS NULL OR CAST(site AS BLOB) = :site)"
			  " ORDER BY id",
			  &rows, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(rows, ":keep", rule->keep);
	stmt_bind_field(rows, ":before", rule->before);
	stmt_bind_i64(rows, ":labelled", rule->labelled);
	if (rule->site)
		stmt_bind_blob(rows, ":site", rule->site, strlen(rule->site));
	while ((rc = stmt_step(rows, err)) == 1) {
		int64_t id = stmt_i64(rows, 0);
		unsigned char *place = bytes_add(&ids, sizeof(id));

		if (!place) {
			rc = err_no_memory(err);
			break;
		}
		memcpy(place, &id, sizeof(id));
	}
	stmt_free(rows);
	if (rc < 0) {
		bytes_free(&ids);
		return rc;
	}
	*ret_ids = (void *)ids.data;
	*ret_count = ids.length / sizeof(int64_t);
	return 0;
}

/* Runs a statement with one id. */
static int run_with(struct store *store, const char *sql, int64_t id, struct err *err)
{
	struct stmt *stmt = NULL;
	int rc;

	rc = stmt_prepare(store, sql, &stmt, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(stmt, ":id", id);
	rc = stmt_run(stmt, err);
	stmt_free(stmt);
	return rc;
}

static int delete_snapshot(struct store *store, int64_t id, struct err *err)
{
	/* The snapshot's own row goes last: it tells whether there was one. */
	static const char *const statements[] = {
		"DELETE FROM verdict_row WHERE audit_id IN"
		" (SELECT id FROM audit_row WHERE snapshot_id = :id)",
		"DELETE FROM finding_row WHERE audit_id IN"
		" (SELECT id FROM audit_row WHERE snapshot_id = :id)",
		"DELETE FROM audit_row WHERE snapshot_id = :id",
		"DELETE FROM source_row WHERE snapshot_id = :id",
		"DELETE FROM device_row WHERE snapshot_id = :id",
		"DELETE FROM counter_row WHERE snapshot_id = :id",
		"DELETE FROM hole_row WHERE snapshot_id = :id",
		"DELETE FROM odd_line_row WHERE snapshot_id = :id",
		"DELETE FROM contradiction_row WHERE snapshot_id = :id",
		"DELETE FROM guid_conflict_row WHERE snapshot_id = :id",
		"DELETE FROM sm_row WHERE snapshot_id = :id",
		"DELETE FROM host_gid_row WHERE snapshot_id = :id",
		"DELETE FROM host_counter_row WHERE snapshot_id = :id",
		"DELETE FROM host_port_row WHERE snapshot_id = :id",
		"DELETE FROM fact_row WHERE snapshot_id = :id",
		"DELETE FROM planned_link_row WHERE snapshot_id = :id",
		"DELETE FROM option_row WHERE snapshot_id = :id",
		"DELETE FROM policy_row WHERE snapshot_id = :id",
		"DELETE FROM partition_row WHERE snapshot_id = :id",
		"DELETE FROM partition_member_row WHERE snapshot_id = :id",
		"DELETE FROM log_event_row WHERE snapshot_id = :id",
		"DELETE FROM config_problem_row WHERE snapshot_id = :id",
		"DELETE FROM snapshot_row WHERE id = :id",
	};

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		int rc = run_with(store, statements[i], id, err);

		if (rc < 0)
			return rc;
	}
	if (sqlite3_changes(store->handle) == 0)
		return err_set(err, ERR_NOT_FOUND,
			       "%s has no snapshot %lld; nothing was deleted, `ibaudit list` shows "
			       "what there is",
			       store->path, (long long)id);
	return 0;
}

/* Adds the rows the last statement deleted. */
static int delete_counting(struct store *store, const char *sql, int64_t *count, struct err *err)
{
	int rc = db_exec(store, sql, err);

	if (rc == 0)
		*count += sqlite3_changes(store->handle);
	return rc;
}

/* Bodies before blocks, since bodies refer to blocks. */
static int delete_unused(struct store *store, struct prune_result *result, struct err *err)
{
	static const char *const bodies[] = {
		"DELETE FROM device_body WHERE id NOT IN (SELECT body_id FROM device_row)",
		("DELETE FROM lft_body WHERE id NOT IN"
		 " (SELECT lft FROM device_row WHERE lft IS NOT NULL)"),
		"DELETE FROM fact_body WHERE id NOT IN (SELECT body_id FROM fact_row)",
		"DELETE FROM finding_body WHERE id NOT IN (SELECT body_id FROM finding_row)",
	};
	static const char parts[] =
		"DELETE FROM port_part WHERE body_id NOT IN (SELECT id FROM device_body);"
		"DELETE FROM lft_part WHERE body_id NOT IN (SELECT id FROM lft_body);"
		"DELETE FROM fact_part WHERE body_id NOT IN (SELECT id FROM fact_body);"
		"DELETE FROM evidence_part WHERE body_id NOT IN (SELECT id FROM finding_body)";
	static const char blocks[] =
		"DELETE FROM block WHERE id NOT IN"
		" (SELECT block FROM lft_part"
		"  UNION SELECT mft FROM device_row WHERE mft IS NOT NULL"
		"  UNION SELECT sources FROM device_body WHERE sources IS NOT NULL"
		"  UNION SELECT sources FROM port_part WHERE sources IS NOT NULL"
		"  UNION SELECT sl2vl FROM port_part WHERE sl2vl IS NOT NULL"
		"  UNION SELECT vlarb_high FROM port_part WHERE vlarb_high IS NOT NULL"
		"  UNION SELECT vlarb_low FROM port_part WHERE vlarb_low IS NOT NULL"
		"  UNION SELECT pkeys FROM port_part WHERE pkeys IS NOT NULL"
		"  UNION SELECT guids FROM port_part WHERE guids IS NOT NULL)";
	int rc = 0;

	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]) && rc == 0; i++)
		rc = delete_counting(store, bodies[i], &result->bodies, err);
	if (rc == 0)
		rc = db_exec(store, parts, err);
	if (rc == 0)
		rc = delete_counting(store, blocks, &result->blocks, err);
	return rc;
}

/* The printable forms of foreign texts that no column of text holds any more. */
static int delete_unused_texts(struct store *store, struct err *err)
{
	struct stmt *columns = NULL;
	char *sql = NULL;
	int rc;

	rc = stmt_prepare(store,
			  "SELECT 'DELETE FROM foreign_text WHERE raw NOT IN (' || group_concat("
			  " printf('SELECT \"%w\" FROM \"%w\" WHERE typeof(\"%w\") = ''blob''',"
			  "  c.name, m.name, c.name), ' UNION ') || ')'"
			  " FROM sqlite_master m, pragma_table_info(m.name) c"
			  " WHERE m.type = 'table' AND c.type = 'TEXT'"
			  "  AND m.name NOT IN ('foreign_text', 'byte', 'word', 'meta')",
			  &columns, err);
	if (rc == 0)
		rc = stmt_step(columns, err);
	if (rc == 1) {
		size_t length;
		const char *text = stmt_bytes(columns, 0, &length);

		sql = text ? strdup(text) : NULL;
		rc = sql ? 0 : err_no_memory(err);
	}
	stmt_free(columns);
	if (rc == 0)
		rc = db_exec(store, sql, err);
	free(sql);
	return rc;
}

static int free_bytes(struct store *store, int64_t *ret_bytes, struct err *err)
{
	int64_t pages = 0;
	int64_t size = 0;
	int rc;

	rc = db_integer(store, "PRAGMA freelist_count", &pages, err);
	if (rc == 0)
		rc = db_integer(store, "PRAGMA page_size", &size, err);
	*ret_bytes = pages * size;
	return rc;
}

int store_prune(struct store *store, const int64_t *ids, size_t count, bool compact,
		struct prune_result *ret_result, struct err *err)
{
	struct prune_result result = {.snapshots = (int64_t)count};
	int rc;

	rc = db_begin(store, err);
	for (size_t i = 0; i < count && rc == 0; i++)
		rc = delete_snapshot(store, ids[i], err);
	if (rc == 0)
		rc = delete_unused(store, &result, err);
	if (rc == 0)
		rc = delete_unused_texts(store, err);
	if (rc == 0)
		rc = db_commit(store, err);
	db_rollback(store);
	if (rc == 0 && compact)
		rc = db_exec(store, "VACUUM", err);
	if (rc == 0)
		rc = free_bytes(store, &result.bytes, err);
	if (rc == 0)
		*ret_result = result;
	return rc;
}
