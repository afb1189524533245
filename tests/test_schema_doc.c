/* doc/schema.md and the schema say the same. Runs in the top directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/store.h"
#include "tests/support/build_fabric.h"

struct world {
	struct store *store;
	char *text;		/* doc/schema.md */
};

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, 200000);

	assert_non_null(file);
	assert_non_null(text);
	assert_true(fread(text, 1, 199999, file) > 0);
	fclose(file);
	return text;
}

static int open_world(void **state)
{
	struct world *world = calloc(1, sizeof(*world));
	struct fabric *fabric = build_tree();
	struct err err = {0};
	int64_t id = 0;

	assert_non_null(world);
	world->text = read_file("doc/schema.md");
	assert_int_equal(store_open(":memory:", STORE_WRITE, &world->store, &err), 0);
	assert_int_equal(store_snapshot_write(world->store, fabric, NULL, NULL, 0, &id, &err), 0);
	fabric_free(fabric);
	*state = world;
	return 0;
}

static int close_world(void **state)
{
	struct world *world = *state;

	store_close(world->store);
	free(world->text);
	free(world);
	return 0;
}

/* "view.column\n" for each. */
static int add_line(void *context, const char *const *names, const struct cell *cells,
		    size_t count)
{
	char *out = context;

	(void)names;
	assert_int_equal(count, 1);
	if (cells)
		strcat(strncat(out, cells[0].text, cells[0].length), "\n");
	return 0;
}

static void list_of_doc(const char *text, char *out)
{
	char view[64] = "";
	const char *line = strstr(text, "\n## The views\n");

	assert_non_null(line);
	for (line = strchr(line + 1, '\n'); line; line = strchr(line + 1, '\n')) {
		char column[64];

		if (sscanf(line, "\n### %63s", view) == 1)
			continue;
		if (sscanf(line, "\n| `%63[a-z0-9_]` |", column) == 1) {
			assert_true(*view != '\0');
			sprintf(out + strlen(out), "%s.%s\n", view, column);
		}
	}
}

static void every_view_and_column_is_described_in_order(void **state)
{
	struct world *world = *state;
	char *schema = calloc(1, 100000);
	char *doc = calloc(1, 100000);
	struct err err = {0};

	assert_non_null(schema);
	assert_non_null(doc);
	if (store_query(world->store,
			"SELECT m.name || '.' || c.name FROM sqlite_master m,"
			" pragma_table_info(m.name) c WHERE m.type = 'view' ORDER BY m.rowid, c.cid",
			add_line, schema, &err) < 0)
		fail_msg("%s", err.text);
	list_of_doc(world->text, doc);

	assert_string_equal(doc, schema);
	free(schema);
	free(doc);
}

static int ignore(void *context, const char *const *names, const struct cell *cells, size_t count)
{
	(void)context;
	(void)names;
	(void)cells;
	(void)count;
	return 0;
}

static void every_example_runs(void **state)
{
	struct world *world = *state;
	struct err err = {0};
	size_t count = 0;

	for (char *at = world->text; (at = strstr(at, "```sql\n")) != NULL;) {
		char *end = strstr(at + 7, "```");

		assert_non_null(end);
		*end = '\0';
		if (store_query(world->store, at + 7, ignore, NULL, &err) < 0)
			fail_msg("%s: %s", at + 7, err.text);
		at = end + 1;
		count++;
	}
	assert_true(count >= 5);
}

static void every_column_of_the_schema_has_a_comment(void **state)
{
	char *schema = read_file("schema.sql");
	bool in_table = false;
	size_t columns = 0;

	(void)state;
	for (char *line = strtok(schema, "\n"); line; line = strtok(NULL, "\n")) {
		if (strncmp(line, "CREATE TABLE", 12) == 0)
			in_table = true;
		else if (*line == ')')
			in_table = false;
		else if (in_table && strncmp(line, "\tPRIMARY KEY", 12) != 0) {
			const char *comment = strstr(line, "-- ");

			if (!comment || strlen(comment) < 6)
				fail_msg("no comment: %s", line);
			columns++;
		}
	}
	assert_true(columns > 200);
	free(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define DOC_TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
		DOC_TEST(every_view_and_column_is_described_in_order),
		DOC_TEST(every_example_runs),
		DOC_TEST(every_column_of_the_schema_has_a_comment),
	};

	return cmocka_run_group_tests_name("schema_doc", tests, NULL, NULL);
}
