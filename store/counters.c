#include "store/counters.h"

#include "store/db.h"
#include "store/stmt.h"

void counters_bind(struct stmt *insert, int first, const struct port_counters *counters)
{
	struct value read_at = value_field(counters->read_at);

	value_bind(insert, first, &read_at);
	stmt_bind_i64_at(insert, first + 1, (int64_t)counters->saturated);
	for (int i = 0; i < COUNTER_COUNT; i++) {
		if (counters->known >> i & 1)
			stmt_bind_i64_at(insert, first + 2 + i, (int64_t)counters->value[i]);
		else
			stmt_bind_null_at(insert, first + 2 + i);
	}
}

void counters_read(struct stmt *rows, int first, struct port_counters *counters)
{
	counters->read_at = stmt_field(rows, first);
	counters->saturated = stmt_guid(rows, first + 1);
	for (int i = 0; i < COUNTER_COUNT; i++) {
		counters->value[i] = stmt_guid(rows, first + 2 + i);
		if (!stmt_is_null(rows, first + 2 + i))
			counters->known |= UINT64_C(1) << i;
	}
}

static const char *const columns[] = {COUNTERS_COLUMNS NULL};

int host_counters_write(struct column_writer *writer, const struct fabric *fabric,
			int64_t snapshot_id, struct err *err)
{
	struct stmt *insert = NULL;
	int rc = stmt_prepare_insert(writer->store, "host_counter_row", "snapshot_id", "seq", columns,
				     &insert, err);

	if (rc < 0)
		return rc;
	stmt_bind_i64_at(insert, 1, snapshot_id);
	for (size_t i = 0; i < fabric->host_port_count && rc == 0; i++) {
		if (!fabric->host_ports[i].counters)
			continue;
		stmt_bind_i64_at(insert, 2, (int64_t)i + 1);
		counters_bind(insert, 3, fabric->host_ports[i].counters);
		rc = stmt_run(insert, err);
	}
	stmt_free(insert);
	return rc;
}

int host_counters_read(struct column_reader *reader, int64_t snapshot_id, struct err *err)
{
	struct fabric *fabric = reader->fabric;
	struct stmt *rows = NULL;
	int rc = stmt_prepare_select(reader->store, "seq", columns, "host_counter_row",
				     "WHERE snapshot_id = ?", &rows, err);

	if (rc < 0)
		return rc;
	stmt_bind_i64_at(rows, 1, snapshot_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		int64_t seq = stmt_i64(rows, 0);
		struct port_counters *counters;

		if (seq < 1 || (uint64_t)seq > fabric->host_port_count) {
			rc = db_damaged(reader->store, "counters belong to no port of a host", err);
			break;
		}
		counters = fabric_alloc(fabric, 1, sizeof(*counters));
		if (!counters) {
			rc = err_no_memory(err);
			break;
		}
		counters_read(rows, 1, counters);
		fabric->host_ports[seq - 1].counters = counters;
	}
	stmt_free(rows);
	return rc;
}
