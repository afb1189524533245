/* A store of an earlier schema is brought to this one, and keeps what it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "store/config.h"
#include "store/db.h"
#include "store/store.h"
#include "tests/support/same_fabric.h"

/*
 * Schema 1 out of the present one: what it had in another form, and nothing of what it did
 * not have. The views were longer; that they are not the present ones is what matters.
 */
static const char to_schema_1[] =
	"DROP VIEW counter; DROP VIEW host_gid; DROP VIEW host_port; DROP VIEW link;"
	"DROP TABLE host_counter_row;"
	"ALTER TABLE host_port_row RENAME TO later;"
	"CREATE TABLE host_port_row (snapshot_id INTEGER NOT NULL REFERENCES snapshot_row,"
	" seq INTEGER NOT NULL, host TEXT, device TEXT, port INTEGER NOT NULL, node_guid INTEGER,"
	" port_guid INTEGER, link_layer TEXT, state INTEGER, phys_state INTEGER, rate_mbps INTEGER,"
	" width INTEGER, speed TEXT, lid INTEGER, lmc INTEGER, sm_lid INTEGER, fw_version TEXT,"
	" source INTEGER, PRIMARY KEY (snapshot_id, seq)) WITHOUT ROWID;"
	"INSERT INTO host_port_row SELECT snapshot_id, seq, host, device, port, node_guid, port_guid,"
	" link_layer, state, phys_state, rate_mbps, width, speed, lid, lmc, sm_lid, fw_version, source"
	" FROM later;"
	"DROP TABLE later;"
	"DROP VIEW log_event;"
	"ALTER TABLE log_event_row RENAME TO later;"
	"CREATE TABLE log_event_row (snapshot_id INTEGER NOT NULL REFERENCES snapshot_row,"
	" seq INTEGER NOT NULL, kind INTEGER NOT NULL, error TEXT, text TEXT, guid INTEGER,"
	" guid_a INTEGER, guid_b INTEGER, port INTEGER, port_a INTEGER, port_b INTEGER,"
	" first_time TEXT, last_time TEXT, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL,"
	" count INTEGER NOT NULL, source INTEGER, PRIMARY KEY (snapshot_id, seq)) WITHOUT ROWID;"
	"INSERT INTO log_event_row SELECT snapshot_id, seq, kind, error, text, guid, guid_a, guid_b,"
	" port, port_a, port_b, first_time, last_time, first_line, last_line, count, source FROM later;"
	"DROP TABLE later;"
	"CREATE VIEW counter AS SELECT snapshot_id FROM counter_row;"
	"CREATE VIEW link AS SELECT body_id FROM port_part;"
	"CREATE VIEW host_gid AS SELECT snapshot_id FROM host_gid_row;"
	"CREATE VIEW host_port AS SELECT snapshot_id FROM host_port_row;"
	"CREATE VIEW log_event AS SELECT snapshot_id FROM log_event_row;"
	"PRAGMA user_version = 1;";

static struct store *open_store(const char *path)
{
	struct store *store = NULL;
	struct err err = {0};

	if (store_open(path, STORE_WRITE, &store, &err) < 0)
		fail_msg("%s", err.text);
	return store;
}

static int64_t write_full(struct store *store)
{
	struct fabric *fabric = full_fabric();
	struct err err = {0};
	int64_t id = 0;

	if (store_snapshot_write(store, fabric, NULL, NULL, 0, &id, &err) < 0)
		fail_msg("%s", err.text);
	fabric_free(fabric);
	return id;
}

static struct fabric *read_back(struct store *store, int64_t id)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	if (store_snapshot_read(store, id, &fabric, &err) < 0)
		fail_msg("%s", err.text);
	return fabric;
}

/* A file with one snapshot in a store of schema 1. */
static int make_older(void **state)
{
	char *path = strdup("/tmp/ibaudit-older-XXXXXX");
	int file = path ? mkstemp(path) : -1;
	sqlite3 *handle = NULL;
	char *message = NULL;
	struct store *store;

	if (file < 0)
		return -1;
	close(file);
	store = open_store(path);
	assert_int_equal(write_full(store), 1);
	store_close(store);
	assert_int_equal(sqlite3_open(path, &handle), SQLITE_OK);
	sqlite3_exec(handle, to_schema_1, NULL, NULL, &message);
	if (message)
		fail_msg("%s", message);
	sqlite3_close(handle);
	*state = path;
	return 0;
}

static int remove_older(void **state)
{
	unlink(*state);
	free(*state);
	return 0;
}

static void an_older_store_is_not_read_as_it_is(void **state)
{
	struct store *store = NULL;
	struct err err = {0};

	assert_int_equal(store_open(*state, STORE_READ, &store, &err), ERR_DB);
	assert_non_null(strstr(err.text, "has an older schema; store something in it"));
}

static void an_older_store_keeps_its_snapshots(void **state)
{
	struct store *store = open_store(*state);
	struct fabric *again = read_back(store, 1);
	struct fabric *full = full_fabric();

	/* What schema 1 had no place for. */
	for (size_t i = 0; i < full->host_port_count; i++) {
		full->host_ports[i].gid_slots = FIELD_UNKNOWN;
		full->host_ports[i].gids_unread = FIELD_UNKNOWN;
		full->host_ports[i].counters = NULL;
	}
	for (size_t i = 0; i < full->config->event_count; i++) {
		full->config->events[i].run = LOG_RUN_LAST;
		full->config->events[i].run_until = NULL;
	}
	assert_true(same_fabric(full, again));
	fabric_free(full);
	fabric_free(again);
	store_close(store);
}

static void an_older_store_takes_new_snapshots(void **state)
{
	struct store *store = open_store(*state);
	struct fabric *full = full_fabric();
	struct fabric *again = read_back(store, write_full(store));

	assert_true(same_fabric(full, again));
	fabric_free(full);
	fabric_free(again);
	store_close(store);
}

/* Rows of the query, each with a line end, in memory of the caller's. */
static char *rows_of(struct store *store, const char *sql)
{
	sqlite3_stmt *rows = NULL;
	size_t size = 200000;
	char *out = calloc(1, size);
	size_t used = 0;

	assert_non_null(out);
	assert_int_equal(sqlite3_prepare_v2(store->handle, sql, -1, &rows, NULL), SQLITE_OK);
	while (sqlite3_step(rows) == SQLITE_ROW) {
		used += (size_t)snprintf(out + used, size - used, "%s\n",
					 (const char *)sqlite3_column_text(rows, 0));
		assert_true(used < size);
	}
	sqlite3_finalize(rows);
	return out;
}

/* All that is in a schema but the order of columns, which a step may append. */
static const char schema_rows[] =
	"SELECT * FROM (SELECT 'column ' || m.name || '.' || c.name || ' ' || c.type || c.\"notnull\" || c.pk"
	" FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
	" UNION ALL SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master"
	" WHERE type <> 'table') ORDER BY 1";

static void an_older_store_gets_the_schema_of_a_new_one(void **state)
{
	struct store *older = open_store(*state);
	struct store *fresh = open_store(":memory:");
	char *brought = rows_of(older, schema_rows);
	char *made = rows_of(fresh, schema_rows);

	assert_string_equal(brought, made);
	free(brought);
	free(made);
	store_close(older);
	store_close(fresh);
}

/* FNV-1a, over all but blanks. */
static uint64_t fingerprint(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++) {
		if (*text != ' ' && *text != '\t' && *text != '\n')
			hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	}
	return hash;
}

/*
 * Stores outlive the program that made them. Where this fails, tables or views changed: raise
 * user_version (schema.sql, store/db.h), write the step for stores of before (store/db.c), let
 * to_schema_1 undo it, and put the new number here.
 */
static void the_schema_changes_with_its_version_only(void **state)
{
	struct store *fresh = open_store(":memory:");
	char *rows = rows_of(fresh, schema_rows);

	(void)state;
	assert_int_equal(DB_SCHEMA_VERSION, 4);
	assert_int_equal(fingerprint(rows), UINT64_C(0x1b5bf84c5fbba959));
	free(rows);
	store_close(fresh);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define OLDER_TEST(name) cmocka_unit_test_setup_teardown(name, make_older, remove_older)
		OLDER_TEST(an_older_store_is_not_read_as_it_is),
		OLDER_TEST(an_older_store_keeps_its_snapshots),
		OLDER_TEST(an_older_store_takes_new_snapshots),
		OLDER_TEST(an_older_store_gets_the_schema_of_a_new_one),
		cmocka_unit_test(the_schema_changes_with_its_version_only),
	};

	return cmocka_run_group_tests_name("store_migrate", tests, NULL, NULL);
}
