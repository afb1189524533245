#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"
#include "store/db.h"
#include "store/store.h"
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

static struct fabric *empty_fabric(void)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	assert_int_equal(fabric_new(&fabric, &err), 0);
	return fabric;
}

static int64_t write_fabric(struct store *store, const struct fabric *fabric)
{
	struct err err = {0};
	int64_t id = 0;
	int rc = store_snapshot_write(store, fabric, NULL, NULL, 1000, &id, &err);

	if (rc < 0)
		fail_msg("%s", err.text);
	return id;
}

static struct fabric *read_fabric(struct store *store, int64_t id)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	if (store_snapshot_read(store, id, &fabric, &err) < 0)
		fail_msg("%s", err.text);
	return fabric;
}

static int keep_integer(void *context, const char *const *names, const struct cell *cells,
			size_t count)
{
	(void)names;
	(void)count;
	if (cells)
		*(int64_t *)context = cells[0].integer;
	return 0;
}

static int64_t integer(struct store *store, const char *sql)
{
	struct err err = {0};
	int64_t value = -1;

	if (store_query(store, sql, keep_integer, &value, &err) < 0)
		fail_msg("%s", err.text);
	return value;
}

static void a_fabric_with_everything_comes_back_as_it_was(void **state)
{
	struct fabric *fabric = full_fabric();
	struct fabric *again = read_fabric(*state, write_fabric(*state, fabric));

	assert_true(same_fabric(fabric, again));
	fabric_free(fabric);
	fabric_free(again);
}

static void what_is_unknown_comes_back_unknown(void **state)
{
	struct fabric *fabric = empty_fabric();
	struct device *sw = fabric_device_add(fabric, 1, NODE_TYPE_SWITCH);
	struct device *nothing = fabric_device_add(fabric, 2, NODE_TYPE_UNKNOWN);
	struct fabric *again;

	fabric_port(fabric, sw, 0);
	fabric_port(fabric, sw, 36);
	fabric_sm_add(fabric);
	fabric_host_port_add(fabric)->device = fabric_text(fabric, "mlx5_0", 6);
	(void)nothing;

	again = read_fabric(*state, write_fabric(*state, fabric));

	assert_true(same_fabric(fabric, again));
	assert_int_equal(again->devices[0]->ports[36]->info.lid, FIELD_UNKNOWN);
	assert_null(again->devices[0]->description);
	assert_null(again->devices[0]->lft);
	assert_int_equal(again->taken_at, FIELD_UNKNOWN);
	fabric_free(fabric);
	fabric_free(again);
}

static void an_empty_text_is_not_an_unknown_one(void **state)
{
	struct fabric *fabric = empty_fabric();
	struct fabric *again;

	fabric_device_add(fabric, 1, NODE_TYPE_CA)->description = fabric_text(fabric, "", 0);

	again = read_fabric(*state, write_fabric(*state, fabric));

	assert_string_equal(again->devices[0]->description, "");
	fabric_free(fabric);
	fabric_free(again);
}

static void an_empty_fabric_is_a_snapshot(void **state)
{
	struct fabric *fabric = empty_fabric();
	struct fabric *again = read_fabric(*state, write_fabric(*state, fabric));

	assert_true(same_fabric(fabric, again));
	fabric_free(fabric);
	fabric_free(again);
}

static void the_values_in_force_are_built_again_from_the_options(void **state)
{
	struct fabric *fabric = empty_fabric();
	struct config_option *option = config_option_add(fabric->config);
	struct err err = {0};
	struct fabric *again;

	option->key = fabric_text(fabric, "lmc", 3);
	option->raw = fabric_text(fabric, "2", 1);
	option->effective = fabric_text(fabric, "2", 1);
	assert_int_equal(config_build(fabric->config, &err), 0);
	assert_int_equal(fabric->config->opensm.lmc, 2);

	again = read_fabric(*state, write_fabric(*state, fabric));

	assert_int_equal(again->config->opensm.lmc, 2);
	assert_int_equal(again->config->opensm.max_op_vls, fabric->config->opensm.max_op_vls);
	fabric_free(fabric);
	fabric_free(again);
}

static void a_second_equal_night_adds_no_tables(void **state)
{
	struct fabric *fabric = full_fabric();
	int64_t blocks, bodies, parts;

	write_fabric(*state, fabric);
	blocks = integer(*state, "SELECT count(*) FROM block");
	bodies = integer(*state, "SELECT count(*) FROM device_body");
	parts = integer(*state, "SELECT count(*) FROM port_part");

	write_fabric(*state, fabric);

	assert_int_equal(integer(*state, "SELECT count(*) FROM block"), blocks);
	assert_int_equal(integer(*state, "SELECT count(*) FROM device_body"), bodies);
	assert_int_equal(integer(*state, "SELECT count(*) FROM port_part"), parts);
	assert_int_equal(integer(*state, "SELECT count(*) FROM node"), 10);
	fabric_free(fabric);
}

static void one_changed_field_costs_one_device(void **state)
{
	struct fabric *fabric = full_fabric();
	struct fabric *first;
	struct fabric *second;

	write_fabric(*state, fabric);
	fabric->devices[0]->ports[9]->info.port_state = 1;
	write_fabric(*state, fabric);

	assert_int_equal(integer(*state, "SELECT count(*) FROM device_body"), 6);
	first = read_fabric(*state, 1);
	second = read_fabric(*state, 2);
	assert_int_not_equal(first->devices[0]->ports[9]->info.port_state, 1);
	assert_true(same_fabric(fabric, second));
	fabric_free(fabric);
	fabric_free(first);
	fabric_free(second);
}

static void a_hash_that_lies_is_found_out(void **state)
{
	struct fabric *fabric = full_fabric();
	struct err err = {0};
	struct fabric *again;

	write_fabric(*state, fabric);
	assert_int_equal(db_exec(*state,
				 "UPDATE block SET data = zeroblob(length(data));"
				 "UPDATE device_body SET description = 'x' WHERE id = 1;"
				 "UPDATE port_part SET lid = 5 WHERE body_id = 2;"
				 "UPDATE lft_part SET known = 1;"
				 "UPDATE fact_part SET value = 'x'",
				 &err),
			 0);

	again = read_fabric(*state, write_fabric(*state, fabric));

	assert_true(same_fabric(fabric, again));
	fabric_free(fabric);
	fabric_free(again);
}

static void a_snapshot_that_is_not_there_is_said(void **state)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	assert_int_equal(store_snapshot_read(*state, 7, &fabric, &err), ERR_NOT_FOUND);
	assert_non_null(strstr(err.text, "7"));
}

static void a_failed_snapshot_leaves_nothing_behind(void **state)
{
	struct fabric *fabric = full_fabric();
	struct err err = {0};
	int64_t id = -1;

	/* No enum has this number: found after the devices are written. */
	fabric->holes[0].reason = (enum hole_reason)99;

	assert_int_equal(store_snapshot_write(*state, fabric, NULL, NULL, 0, &id, &err), ERR_DB);
	assert_int_equal(id, -1);
	assert_int_equal(integer(*state, "SELECT count(*) FROM snapshot"), 0);
	assert_int_equal(integer(*state, "SELECT count(*) FROM device_body"), 0);
	assert_int_equal(integer(*state, "SELECT count(*) FROM block"), 0);
	fabric_free(fabric);
}

/* The columns of a table, each followed by a space. */
static int join_names(void *context, const char *const *names, const struct cell *cells,
		      size_t count)
{
	char *out = context;

	(void)names;
	assert_int_equal(count, 1);
	if (cells) {
		strncat(out, cells[0].text, 8000 - strlen(out));
		strcat(out, " ");
	}
	return 0;
}

static void assert_columns(struct store *store, const char *table, const char *members)
{
	char sql[128];
	char columns[8192] = "";
	struct err err = {0};
	const char *tail;

	snprintf(sql, sizeof(sql), "SELECT name FROM pragma_table_info('%s') ORDER BY cid", table);
	if (store_query(store, sql, join_names, columns, &err) < 0)
		fail_msg("%s", err.text);
	tail = strlen(columns) >= strlen(members) ? columns + strlen(columns) - strlen(members)
						  : columns;
	assert_string_equal(tail, members);
}

#define MEMBER(member, ...) #member " "

static void the_schema_has_a_column_for_every_field(void **state)
{
	assert_columns(*state, "device_body", NODE_FIELDS(MEMBER) SWITCH_FIELDS(MEMBER));
	assert_columns(*state, "port_part", PORT_FIELDS(MEMBER));
	assert_columns(*state, "counter_row", COUNTERS(MEMBER));
	assert_columns(*state, "host_counter_row", COUNTERS(MEMBER));
	assert_columns(*state, "node", NODE_FIELDS(MEMBER));
	assert_columns(*state, "switch", SWITCH_FIELDS(MEMBER));
	assert_columns(*state, "counter", COUNTERS(MEMBER));
}

static void the_view_of_ports_has_every_field(void **state)
{
	for (const struct field *field = port_field_table; field->member; field++) {
		char sql[128];

		snprintf(sql, sizeof(sql), "SELECT count(%s) FROM port", field->member);
		assert_int_equal(integer(*state, sql), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define STORE_TEST(name) cmocka_unit_test_setup_teardown(name, open_store, close_store)
		STORE_TEST(a_fabric_with_everything_comes_back_as_it_was),
		STORE_TEST(what_is_unknown_comes_back_unknown),
		STORE_TEST(an_empty_text_is_not_an_unknown_one),
		STORE_TEST(an_empty_fabric_is_a_snapshot),
		STORE_TEST(the_values_in_force_are_built_again_from_the_options),
		STORE_TEST(a_second_equal_night_adds_no_tables),
		STORE_TEST(one_changed_field_costs_one_device),
		STORE_TEST(a_hash_that_lies_is_found_out),
		STORE_TEST(a_snapshot_that_is_not_there_is_said),
		STORE_TEST(a_failed_snapshot_leaves_nothing_behind),
		STORE_TEST(the_schema_has_a_column_for_every_field),
		STORE_TEST(the_view_of_ports_has_every_field),
	};

	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
