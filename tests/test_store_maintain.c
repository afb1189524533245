#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/db.h"
#include "store/maintain.h"
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

static void write_fabric(struct store *store, const struct fabric *fabric, const char *site,
			 const char *label, int64_t stored_at)
{
	struct audit *audit = NULL;
	struct err err = {0};
	int64_t id = 0;

	if (store_snapshot_write(store, fabric, site, label, stored_at, &id, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(audit_new(&audit, &err), 0);
	assert_true(finding_evidence(audit_finding_add(audit, "rule", SEVERITY_ERROR,
						       fabric->device_count, 1),
				     "k", "v"));
	assert_int_equal(store_audit_write(store, id, 0, 0, audit, &err), 0);
	audit_free(audit);
}

static int64_t count_of(struct store *store, const char *table)
{
	struct err err = {0};
	int64_t value = -1;
	char sql[64];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
	assert_int_equal(db_integer(store, sql, &value, &err), 0);
	return value;
}

static int keep_problem(void *context, const char *problem)
{
	snprintf(context, 512, "%s", problem);
	return 0;
}

static void assert_whole(struct store *store)
{
	char problem[512] = "";
	struct err err = {0};
	size_t problems = 99;

	assert_int_equal(store_verify(store, keep_problem, problem, &problems, &err), 0);
	if (problems)
		fail_msg("%s", problem);
}

static void assert_problem(struct store *store, const char *words)
{
	char problem[512] = "";
	struct err err = {0};
	size_t problems = 0;

	assert_int_equal(store_verify(store, keep_problem, problem, &problems, &err), 0);
	assert_true(problems > 0);
	if (!strstr(problem, words))
		fail_msg("%s", problem);
}

static void change(struct store *store, const char *sql)
{
	struct err err = {0};

	if (db_exec(store, sql, &err) < 0)
		fail_msg("%s", err.text);
}

static void what_nothing_refers_to_goes_with_its_snapshot(void **state)
{
	struct fabric *full = full_fabric();
	struct fabric *tree = build_tree();
	struct fabric *again = NULL;
	struct prune_result result = {0};
	struct err err = {0};
	const int64_t first = 1;

	write_fabric(*state, full, NULL, NULL, 0);
	write_fabric(*state, tree, NULL, NULL, 0);
	assert_int_equal(store_prune(*state, &first, 1, false, &result, &err), 0);

	assert_int_equal(result.snapshots, 1);
	assert_true(result.blocks > 0);
	assert_true(result.bytes > 0);
	assert_int_equal(count_of(*state, "device_body"), 8);
	assert_int_equal(count_of(*state, "lft_body"), 4);
	assert_int_equal(count_of(*state, "finding_body"), 1);
	assert_int_equal(count_of(*state, "fact_part"), 0);
	assert_int_equal(count_of(*state, "hole_row"), 0);
	assert_int_equal(count_of(*state, "foreign_text"), 0);
	assert_int_equal(store_snapshot_read(*state, 2, &again, &err), 0);
	assert_true(same_fabric(tree, again));
	assert_whole(*state);
	fabric_free(full);
	fabric_free(tree);
	fabric_free(again);
}

static void what_another_snapshot_shares_stays(void **state)
{
	struct fabric *full = full_fabric();
	struct fabric *again = NULL;
	struct prune_result result = {0};
	struct err err = {0};
	const int64_t first = 1;

	write_fabric(*state, full, NULL, NULL, 0);
	write_fabric(*state, full, NULL, NULL, 0);
	assert_int_equal(store_prune(*state, &first, 1, true, &result, &err), 0);

	assert_int_equal(result.blocks, 0);
	assert_int_equal(result.bytes, 0);
	assert_int_equal(store_snapshot_read(*state, 2, &again, &err), 0);
	assert_true(same_fabric(full, again));
	assert_whole(*state);
	fabric_free(full);
	fabric_free(again);
}

static int look_into(void *context, const char *const *names, const struct cell *cells,
		     size_t count)
{
	(void)names;
	(void)count;
	if (cells)
		strcat(strcat(context, cells[0].text), " ");
	return 0;
}

/* Of all tables only those hold anything that every store has. */
static void assert_nothing_left(struct store *store)
{
	char tables[2048] = "";
	struct err err = {0};

	if (store_query(store,
			"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN"
			" ('meta', 'word', 'byte', 'sqlite_sequence')",
			look_into, tables, &err) < 0)
		fail_msg("%s", err.text);
	assert_non_null(strstr(tables, "device_row"));
	for (char *name = strtok(tables, " "); name; name = strtok(NULL, " ")) {
		if (count_of(store, name) != 0)
			fail_msg("something is left in %s", name);
	}
}

static void an_empty_store_after_all_is_pruned_goes_on_counting(void **state)
{
	struct fabric *full = full_fabric();
	struct prune_result result = {0};
	struct snapshot snapshot;
	struct err err = {0};
	const int64_t ids[] = {1, 2};

	write_fabric(*state, full, NULL, NULL, 0);
	write_fabric(*state, full, NULL, NULL, 0);
	assert_int_equal(store_prune(*state, ids, 2, false, &result, &err), 0);

	assert_nothing_left(*state);
	write_fabric(*state, full, NULL, NULL, 0);
	assert_int_equal(store_snapshot_find(*state, "latest", NULL, &snapshot, &err), 0);
	assert_int_equal(snapshot.id, 3);
	fabric_free(full);
}

static void a_snapshot_that_is_not_there_stops_the_whole_prune(void **state)
{
	struct fabric *tree = build_tree();
	struct prune_result result = {0};
	struct err err = {0};
	const int64_t ids[] = {1, 7};

	write_fabric(*state, tree, NULL, NULL, 0);

	assert_int_equal(store_prune(*state, ids, 2, false, &result, &err), ERR_NOT_FOUND);
	assert_int_equal(count_of(*state, "snapshot_row"), 1);
	assert_int_equal(count_of(*state, "device_row"), 8);
	fabric_free(tree);
}

static void assert_listed(struct store *store, const struct prune_rule *rule, const int64_t *want,
			  size_t want_count)
{
	struct err err = {0};
	int64_t *ids = NULL;
	size_t count = 0;

	if (store_prune_list(store, rule, &ids, &count, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(count, want_count);
	if (count > 0)
		assert_memory_equal(ids, want, count * sizeof(*ids));
	free(ids);
}

static void a_rule_keeps_the_newest_of_each_site_and_what_has_a_label(void **state)
{
	struct fabric *tree = build_tree();
	struct prune_rule rule = {.keep = 1, .before = FIELD_UNKNOWN};
	struct err err = {0};
	int64_t *ids = NULL;
	size_t count = 0;

	write_fabric(*state, tree, "north", NULL, 10);
	write_fabric(*state, tree, "north", "before", 20);
	write_fabric(*state, tree, "north", NULL, 30);
	write_fabric(*state, tree, "south", NULL, 40);
	write_fabric(*state, tree, NULL, NULL, 50);
	write_fabric(*state, tree, "north", NULL, 60);

	assert_listed(*state, &rule, (const int64_t[]){1, 3}, 2);
	rule.labelled = true;
	assert_listed(*state, &rule, (const int64_t[]){1, 2, 3}, 3);
	rule.before = 20;
	assert_listed(*state, &rule, (const int64_t[]){1}, 1);
	rule.before = FIELD_UNKNOWN;
	rule.keep = 2;
	assert_listed(*state, &rule, (const int64_t[]){1, 2}, 2);
	rule.site = "south";
	assert_listed(*state, &rule, NULL, 0);
	rule.keep = 0;
	assert_int_equal(store_prune_list(*state, &rule, &ids, &count, &err), ERR_USAGE);
	fabric_free(tree);
}

static void a_whole_store_has_no_problem(void **state)
{
	struct fabric *full = full_fabric();

	assert_whole(*state);
	write_fabric(*state, full, NULL, NULL, 0);
	assert_whole(*state);
	fabric_free(full);
}

static void a_changed_block_is_found(void **state)
{
	struct fabric *full = full_fabric();

	write_fabric(*state, full, NULL, NULL, 0);
	change(*state, "UPDATE block SET data = zeroblob(960) WHERE id ="
		       " (SELECT min(id) FROM block WHERE kind = 1)");
	assert_problem(*state, "is not what its hash says");
	fabric_free(full);
}

static void a_changed_port_is_found(void **state)
{
	struct fabric *full = full_fabric();

	write_fabric(*state, full, NULL, NULL, 0);
	change(*state, "UPDATE port_part SET lid = 4711 WHERE body_id = 2 AND part = 1");
	assert_problem(*state, "device_body 2 is not what its hash says");
	fabric_free(full);
}

static void a_missing_part_is_found(void **state)
{
	struct fabric *full = full_fabric();

	write_fabric(*state, full, NULL, NULL, 0);
	change(*state, "DELETE FROM evidence_part");
	assert_problem(*state, "finding_body 1 is not what its hash says");
	fabric_free(full);
}

static void a_snapshot_that_cannot_be_read_is_found(void **state)
{
	struct fabric *full = full_fabric();

	write_fabric(*state, full, NULL, NULL, 0);
	change(*state, "DELETE FROM source_row");
	assert_problem(*state, "snapshot 1: ");
	fabric_free(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define MAINTAIN_TEST(name) cmocka_unit_test_setup_teardown(name, open_store, close_store)
		MAINTAIN_TEST(what_nothing_refers_to_goes_with_its_snapshot),
		MAINTAIN_TEST(what_another_snapshot_shares_stays),
		MAINTAIN_TEST(an_empty_store_after_all_is_pruned_goes_on_counting),
		MAINTAIN_TEST(a_snapshot_that_is_not_there_stops_the_whole_prune),
		MAINTAIN_TEST(a_rule_keeps_the_newest_of_each_site_and_what_has_a_label),
		MAINTAIN_TEST(a_whole_store_has_no_problem),
		MAINTAIN_TEST(a_changed_block_is_found),
		MAINTAIN_TEST(a_changed_port_is_found),
		MAINTAIN_TEST(a_missing_part_is_found),
		MAINTAIN_TEST(a_snapshot_that_cannot_be_read_is_found),
	};

	return cmocka_run_group_tests_name("store_maintain", tests, NULL, NULL);
}
