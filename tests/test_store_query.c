#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/db.h"
#include "store/store.h"
#include "store/text.h"
#include "tests/support/build_fabric.h"
#include "tests/support/same_fabric.h"

static int open_store(void **state)
{
	struct err err = {0};

	return store_open(":memory:", STORE_WRITE, (struct store **)state, &err);
}

static int close_store(void **state)
{
	store_close(*state);
	return 0;
}

static void write_and_free(struct store *store, struct fabric *fabric)
{
	struct err err = {0};
	int64_t id = 0;

	if (store_snapshot_write(store, fabric, "site", "label", 0, &id, &err) < 0)
		fail_msg("%s", err.text);
	fabric_free(fabric);
}

/* All cells of all rows, "a|b" and a newline each; the names are left out. */
struct answer {
	char text[4096];
	size_t rows;
	size_t columns;
	bool all_utf8;
};

static int keep(void *context, const char *const *names, const struct cell *cells, size_t count)
{
	struct answer *answer = context;
	size_t used = strlen(answer->text);

	(void)names;
	answer->columns = count;
	if (!cells)
		return 0;
	answer->rows++;
	for (size_t i = 0; i < count && used + 64 < sizeof(answer->text); i++) {
		char cell[64] = "NULL";

		if (cells[i].type == CELL_INTEGER)
			snprintf(cell, sizeof(cell), "%lld", (long long)cells[i].integer);
		else if (cells[i].type == CELL_TEXT || cells[i].type == CELL_BLOB)
			snprintf(cell, sizeof(cell), "%.*s", (int)cells[i].length, cells[i].text);
		used += (size_t)snprintf(answer->text + used, sizeof(answer->text) - used, "%s%s",
					 i ? "|" : "", cell);
	}
	if (used + 2 < sizeof(answer->text))
		strcat(answer->text, "\n");
	return 0;
}

/* A cell must be fit to print: no blob, nothing that text_escape would change. */
static int look(void *context, const char *const *names, const struct cell *cells, size_t count)
{
	struct answer *answer = context;

	for (size_t i = 0; cells && i < count; i++) {
		char *shown;

		if (cells[i].type == CELL_BLOB) {
			fprintf(stderr, "column %s is a blob\n", names[i]);
			answer->all_utf8 = false;
		}
		if (cells[i].type != CELL_TEXT)
			continue;
		shown = malloc(4 * cells[i].length + 1);
		assert_non_null(shown);
		text_escape(cells[i].text, cells[i].length, shown, 4 * cells[i].length + 1);
		if (strcmp(shown, cells[i].text) != 0) {
			fprintf(stderr, "column %s is not escaped: %s\n", names[i], shown);
			answer->all_utf8 = false;
		}
		free(shown);
	}
	if (cells)
		answer->rows++;
	return 0;
}

static void assert_answer(struct store *store, const char *sql, const char *want)
{
	struct answer answer = {.text = ""};
	struct err err = {0};

	if (store_query(store, sql, keep, &answer, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(answer.text, want);
}

static void assert_refused(struct store *store, const char *sql, const char *words)
{
	struct answer answer = {.text = ""};
	struct err err = {0};
	int rc = store_query(store, sql, keep, &answer, &err);

	if (rc != ERR_USAGE || !strstr(err.text, words))
		fail_msg("%s: %d, %s", sql, rc, err.text);
	assert_int_equal(answer.rows, 0);
}

static void views_speak_in_guids_and_names(void **state)
{
	write_and_free(*state, build_tree());

	assert_answer(*state,
		      "SELECT node_guid, node_type, description FROM node"
		      " WHERE description IN ('leaf-1', 'host-11') ORDER BY 1",
		      "0x0000000000001001|switch|leaf-1\n0x000000000000100b|CA|host-11\n");
	assert_answer(*state,
		      "SELECT port, port_state_name, link_speed_name, peer_node_guid, peer_port"
		      " FROM port WHERE node_guid = '0x0000000000001001' AND port = 1",
		      "1|Active|EDR|0x000000000000100b|1\n");
	assert_answer(*state, "SELECT count(*), sum(seen_from_both) FROM link", "8|8\n");
	assert_answer(*state,
		      "SELECT name, port, peer_name, peer_port FROM link WHERE peer_name = 'host-22'",
		      "leaf-2|2|host-22|1\n");
	assert_answer(*state,
		      "SELECT out_port FROM lft WHERE node_guid = '0x0000000000001001' AND lid = 12",
		      "2\n");
	assert_answer(*state, "SELECT kind, format FROM source", "live|live\n");
	assert_answer(*state, "SELECT state_name, node_guid FROM sm",
		      "Master|0x000000000000100b\n");
	assert_answer(*state, "SELECT snapshot_id, site, label, switches, cas, links FROM snapshot",
		      "1|site|label|4|4|8\n");
}

static void a_link_that_one_end_tells_is_in_the_view_once(void **state)
{
	struct fabric *fabric = build_tree();

	build_port(build_device(fabric, "host-11"), 1)->peer = NULL;
	write_and_free(*state, fabric);

	assert_answer(*state, "SELECT count(*), sum(seen_from_both) FROM link", "8|7\n");
	assert_answer(*state, "SELECT links FROM snapshot", "8\n");
}

/* Its far end has no word of its own and knows it all the same. */
static void a_link_that_one_end_tells_for_both_is_in_the_view_once(void **state)
{
	static const char *const names[] = {"host-11", "leaf-1"};

	for (size_t i = 0; i < 2; i++) {
		struct fabric *fabric = build_tree();
		struct fabric *again = NULL;
		struct port *port = build_port(build_device(fabric, names[i]), 1);
		struct err err = {0};

		port->peer_inferred = true;
		write_and_free(*state, fabric);
		assert_int_equal(store_snapshot_read(*state, (int64_t)i + 1, &again, &err), 0);
		port = build_port(build_device(again, names[i]), 1);
		assert_true(port->peer_inferred);
		assert_false(port->peer->peer_inferred);
		assert_true(port->peer->peer == port);
		fabric_free(again);
	}
	assert_answer(*state,
		      "SELECT snapshot_id, count(*), sum(seen_from_both) FROM link GROUP BY 1",
		      "1|8|7\n2|8|7\n");
	assert_answer(*state,
		      "SELECT snapshot_id, node_guid, port FROM link WHERE seen_from_both = 0",
		      "1|0x0000000000001001|1\n2|0x000000000000100b|1\n");
	assert_answer(*state, "SELECT links FROM snapshot", "8\n8\n");
}

static void views_take_the_bulk_tables_apart(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	struct port *port = build_port(leaf, 1);
	struct sl2vl runs[2] = {{0, 0, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 15}},
				{1, 36, {7, 6, 5, 4, 7, 6, 5, 4, 7, 6, 5, 4, 7, 6, 5, 4}}};
	struct vlarb_entry high[2] = {{3, 64}, {4, 255}};
	uint16_t keys[2] = {0xffff, 0x0012};
	uint64_t guids[2] = {UINT64_C(0xb83fd20300000001), 5};
	struct mft_entry groups[2] = {{0xc001, {0}}, {0xc010, {0}}};

	port->sl2vl = runs;
	port->sl2vl_count = 2;
	port->vlarb_high = high;
	port->vlarb_high_count = 2;
	port->pkeys = keys;
	port->pkey_count = 2;
	port->guids = guids;
	port->guid_count = 2;
	groups[0].ports[0] = 1 << 3;
	groups[1].ports[4] = 1 << 4;
	leaf->mft = groups;
	leaf->mft_count = 2;
	write_and_free(*state, fabric);

	assert_answer(*state, "SELECT vl FROM sl2vl WHERE in_first = 0 AND sl = 15", "15\n");
	assert_answer(*state, "SELECT in_last, vl FROM sl2vl WHERE in_first = 1 AND sl = 1",
		      "36|6\n");
	assert_answer(*state, "SELECT priority, position, vl, weight FROM vlarb ORDER BY position",
		      "high|0|3|64\nhigh|1|4|255\n");
	assert_answer(*state, "SELECT position, pkey, membership FROM pkey ORDER BY 1",
		      "0|0xffff|full\n1|0x0012|limited\n");
	assert_answer(*state, "SELECT position, guid FROM guid ORDER BY 1",
		      "0|0xb83fd20300000001\n1|0x0000000000000005\n");
	assert_answer(*state, "SELECT mlid, out_port FROM mft ORDER BY 1",
		      "0xc001|3\n0xc010|36\n");
}

static void the_view_of_a_table_is_the_table(void **state)
{
	struct fabric *fabric = full_fabric();
	const struct device *device = fabric->devices[0];
	char want[512];
	int64_t known = 0;
	int64_t sum = 0;

	fabric->devices[0]->sw.linear_fdb_top = 40000;
	for (unsigned lid = 0; lid <= 40000; lid++) {
		if (!lft_known(device, lid))
			continue;
		known++;
		sum += (int64_t)lid * device->lft[lid];
	}
	snprintf(want, sizeof(want), "%lld|%lld\n", (long long)known, (long long)sum);
	write_and_free(*state, fabric);

	assert_answer(*state, "SELECT count(*), sum(lid * out_port) FROM lft", want);
	assert_answer(*state, "SELECT count(DISTINCT position) FROM pkey", "300\n");
	assert_answer(*state, "SELECT symbol_error FROM counter WHERE port = 1 AND twin = 2",
		      "18446744073709551615\n");
}

static void no_view_gives_bytes_that_cannot_be_printed(void **state)
{
	struct answer views = {.text = ""};
	struct err err = {0};
	struct audit *audit = NULL;
	struct finding *finding;
	char *name;

	write_and_free(*state, full_fabric());
	assert_int_equal(audit_new(&audit, &err), 0);
	finding = audit_finding_add(audit, "rule", SEVERITY_ERROR, 1, 2);
	assert_true(finding_text(&finding->message, "%s", "\xff"));
	assert_true(finding_evidence(finding, "key", "%s", "\033[1m"));
	assert_int_equal(store_audit_write(*state, 1, 0, 0, audit, &err), 0);
	audit_free(audit);
	assert_int_equal(store_query(*state,
				     "SELECT name FROM sqlite_master WHERE type = 'view' AND name"
				     " NOT IN ('lft', 'mft', 'sl2vl', 'vlarb', 'pkey', 'guid')",
				     keep, &views, &err),
			 0);

	for (name = strtok(views.text, "\n"); name; name = strtok(NULL, "\n")) {
		struct answer answer = {.all_utf8 = true};
		char sql[64];

		snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\"", name);
		if (store_query(*state, sql, look, &answer, &err) < 0)
			fail_msg("%s: %s", name, err.text);
		assert_true(answer.all_utf8);
		/* full_fabric has something for every view but that of verdicts. */
		if (answer.rows == 0 && strcmp(name, "verdict") != 0)
			fail_msg("view %s is empty", name);
	}
}

static void a_query_that_would_write_is_refused(void **state)
{
	static const char *const statements[] = {
		"DELETE FROM snapshot_row",
		"INSERT INTO meta VALUES ('a', 'b')",
		"UPDATE meta SET value = 1",
		"CREATE TABLE t (x)",
		"CREATE TEMP TABLE t (x)",
		"DROP VIEW node",
		"ATTACH '/tmp/ibaudit-attached.db' AS other",
		"VACUUM",
		"VACUUM INTO '/tmp/ibaudit-vacuumed.db'",
		"BEGIN",
		"PRAGMA user_version = 7",
		"PRAGMA journal_mode = WAL",
		"PRAGMA writable_schema = ON",
		"PRAGMA query_only = OFF",
		"REINDEX",
		"ANALYZE",
		"WITH x AS (SELECT 1) DELETE FROM meta",
	};

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		assert_refused(*state, statements[i], "only SELECT");
	assert_refused(*state, "SELECT load_extension('x')", "");
	assert_answer(*state, "SELECT count(*) FROM snapshot", "0\n");
}

static void a_query_is_one_statement(void **state)
{
	assert_refused(*state, "", "empty");
	assert_refused(*state, "-- nothing", "empty");
	assert_refused(*state, "SELECT 1; SELECT 2", "more than one");
	assert_refused(*state, "SELECT 1; DROP VIEW node", "more than one");
	assert_refused(*state, "SELECT ?", "parameter");
	assert_refused(*state, "SELEC 1", "syntax error");
	assert_refused(*state, "SELECT missing FROM node", "no such column");

	assert_answer(*state, "SELECT 1;; -- that is all\n", "1\n");
}

static void a_query_without_end_is_stopped(void **state)
{
	struct store *store = *state;
	struct answer answer = {.text = ""};
	struct err err = {0};

	store->query_seconds = 0;

	assert_int_equal(store_query(store,
				     "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
				     " SELECT max(i) FROM n",
				     keep, &answer, &err),
			 ERR_USAGE);
	assert_non_null(strstr(err.text, "was stopped"));
}

static void a_cell_may_not_eat_all_memory(void **state)
{
	assert_refused(*state, "SELECT length(zeroblob(900000000))", "too big");
}

static int stop_at_once(void *context, const char *const *names, const struct cell *cells,
			size_t count)
{
	(void)names;
	(void)count;
	*(int *)context += cells != NULL;
	return cells != NULL;
}

static void the_caller_may_stop(void **state)
{
	struct err err = {0};
	int rows = 0;

	assert_int_equal(store_query(*state, "SELECT value FROM byte", stop_at_once, &rows, &err), 0);
	assert_int_equal(rows, 1);
}

static void a_query_does_not_bind_what_comes_after_it(void **state)
{
	struct answer answer = {.text = ""};
	struct err err = {0};

	assert_int_equal(store_query(*state, "DELETE FROM meta", keep, &answer, &err), ERR_USAGE);

	write_and_free(*state, build_tree());
	assert_answer(*state, "SELECT count(*) FROM snapshot", "1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define QUERY_TEST(name) cmocka_unit_test_setup_teardown(name, open_store, close_store)
		QUERY_TEST(views_speak_in_guids_and_names),
		QUERY_TEST(a_link_that_one_end_tells_is_in_the_view_once),
		QUERY_TEST(a_link_that_one_end_tells_for_both_is_in_the_view_once),
		QUERY_TEST(views_take_the_bulk_tables_apart),
		QUERY_TEST(the_view_of_a_table_is_the_table),
		QUERY_TEST(no_view_gives_bytes_that_cannot_be_printed),
		QUERY_TEST(a_query_that_would_write_is_refused),
		QUERY_TEST(a_query_is_one_statement),
		QUERY_TEST(a_query_without_end_is_stopped),
		QUERY_TEST(a_cell_may_not_eat_all_memory),
		QUERY_TEST(the_caller_may_stop),
		QUERY_TEST(a_query_does_not_bind_what_comes_after_it),
	};

	return cmocka_run_group_tests_name("store_query", tests, NULL, NULL);
}
