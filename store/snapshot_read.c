#include <stdlib.h>

#include "store/config.h"
#include "store/counters.h"
#include "store/db.h"
#include "store/device.h"
#include "store/lists.h"
#include "store/tree.h"

static int read_source_ref(struct column_reader *reader, struct stmt *row, int column,
			   source_ref *ret_source, struct err *err)
{
	static const struct column source = {"source", COLUMN_SOURCE, 0, 0};

	return column_set(reader, &source, ret_source, row, column, err);
}

/* After the sources, which it refers to. */
static int read_header(struct column_reader *reader, int64_t id, struct err *err)
{
	struct fabric *fabric = reader->fabric;
	struct config *config = fabric->config;
	struct stmt *row = NULL;
	int rc;

	rc = stmt_prepare(reader->store,
			  "SELECT taken_at, live, partial, asked, opensm_conf, partitions_conf,"
			  " opensm_log, policy_present, policy_source, policy_dropped"
			  " FROM snapshot_row WHERE id = :id",
			  &row, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(row, ":id", id);
	rc = stmt_step(row, err);
	if (rc == 0)
		rc = err_set(err, ERR_NOT_FOUND, "%s has no snapshot %lld; `ibaudit list` shows all",
			     reader->store->path, (long long)id);
	if (rc < 0)
		goto out;
	fabric->taken_at = stmt_field(row, 0);
	fabric->live = stmt_i64(row, 1) != 0;
	fabric->partial = stmt_i64(row, 2) != 0;
	fabric->asked = (uint32_t)stmt_i64(row, 3);
	config->policy.present = stmt_i64(row, 7) != 0;
	config->policy.dropped = stmt_i64(row, 9) != 0;
	rc = read_source_ref(reader, row, 4, &config->opensm_conf, err);
	if (rc == 0)
		rc = read_source_ref(reader, row, 5, &config->partitions_conf, err);
	if (rc == 0)
		rc = read_source_ref(reader, row, 6, &config->opensm_log, err);
	if (rc == 0)
		rc = read_source_ref(reader, row, 8, &config->policy.source, err);
out:
	stmt_free(row);
	return rc;
}

static int read_all(struct column_reader *reader, int64_t id, struct err *err)
{
	struct body_place *places = NULL;
	const struct list_kind *kind = list_kinds;
	size_t count = 0;
	int rc;

	rc = list_read(reader, kind++, id, err);
	if (rc == 0)
		rc = read_header(reader, id, err);
	if (rc == 0)
		rc = devices_read(reader, id, &places, &count, err);
	for (; kind->table && rc == 0; kind++)
		rc = list_read(reader, kind, id, err);
	if (rc == 0)
		rc = host_counters_read(reader, id, err);
	if (rc == 0)
		rc = facts_read(reader, id, err);
	if (rc == 0)
		rc = policy_read(reader, id, err);
	if (rc == 0)
		rc = members_read(reader, id, err);
	if (rc == 0 && reader->fabric->config->policy.present &&
	    !reader->fabric->config->policy.root)
		rc = db_damaged(reader->store, "the QoS policy is missing", err);
	if (rc == 0)
		rc = fabric_mark_shared_names(reader->fabric, err);
	/* The values in force follow from the options. */
	if (rc == 0)
		rc = config_build(reader->fabric->config, err);
	free(places);
	return rc;
}

int store_snapshot_read(struct store *store, int64_t id, struct fabric **ret_fabric,
			struct err *err)
{
	struct column_reader reader = {.store = store};
	int rc;

	rc = db_begin_read(store, err);
	if (rc < 0)
		return rc;
	rc = fabric_new(&reader.fabric, err);
	if (rc == 0)
		rc = read_all(&reader, id, err);
	db_rollback(store);
	if (rc < 0) {
		fabric_free(reader.fabric);
		return rc;
	}
	*ret_fabric = reader.fabric;
	return 0;
}
