/* INDEX_TABLE of ibdiagnet2.db_csv, held against the rows that are there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_sample.h"
#include "support/import_text.h"

#define HEAD "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n"
#define LEAF "\"leaf\",40,2,0x0008f10500650010\n"
#define HOST_A "\"a mlx5_0\",1,1,0x0008f10500710021\n"
#define HOST_B "\"b mlx5_0\",1,1,0x0008f10500710031\n"
#define NODES HEAD LEAF HOST_A HOST_B "END_NODES\n\n\n"
#define LINKS_HEAD "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"
#define LINK_A "0x0008f10500710021,1,0x0008f10500650010,7\n"
#define LINK_B "0x0008f10500710031,1,0x0008f10500650010,8\n"
#define LINKS LINKS_HEAD LINK_A LINK_B "END_LINKS\n\n\n"
#define EMPTY "START_AR_INFO\nNodeGUID,E\nEND_AR_INFO\n\n\n"
#define TEMPERATURE "START_TEMP_SENSING\nNodeGUID,CurrentTemperature\n0x0008f10500710021,40\nEND_TEMP_SENSING\n"
#define INDEX_HEAD "START_INDEX_TABLE\nName, Offset, Size, Line, Rows\n"
#define INDEX_OF(nodes, links, empty)                                                             \
	INDEX_HEAD "NODES,  12,  100,  2,  " nodes "\nLINKS, 300, 90, 10, " links "\n"            \
	"AR_INFO, 400, 20, 20, " empty "\n"
#define INDEX INDEX_OF("3", "2", "0") "END_INDEX_TABLE\n"

/* The only hole, of this attribute and with these words. */
static void assert_one_hole(const char *text, enum attribute attribute, const char *words)
{
	struct fabric *fabric = import_text("x.csv", text);

	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].reason, HOLE_CUT);
	assert_int_equal(fabric->holes[0].attribute, attribute);
	assert_non_null(strstr(fabric->holes[0].text, words));
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void assert_whole(const char *text)
{
	struct fabric *fabric = import_text("x.csv", text);

	assert_int_equal(fabric->hole_count, 0);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void rows_as_counted_are_whole(void **state)
{
	(void)state;
	assert_whole(NODES LINKS EMPTY INDEX);
	assert_whole(NODES LINKS EMPTY INDEX NODES LINKS EMPTY INDEX);
}

static void a_link_that_is_missing_is_told_with_both_numbers(void **state)
{
	(void)state;
	assert_one_hole(NODES LINKS_HEAD LINK_A "END_LINKS\n" EMPTY INDEX, ATTRIBUTE_NEIGHBOR,
			"its section LINKS has 1 row, INDEX_TABLE counts 2: 1 missing");
}

static void a_node_that_is_missing_leaves_devices_unknown(void **state)
{
	(void)state;
	assert_one_hole(HEAD LEAF HOST_A "END_NODES\n" LINKS EMPTY INDEX, ATTRIBUTE_NODE_INFO,
			"its section NODES has 2 rows, INDEX_TABLE counts 3: 1 missing");
}

static void a_row_too_many_is_told(void **state)
{
	(void)state;
	assert_one_hole(NODES LINKS_HEAD LINK_A LINK_B "0x0008f10500710041,1,0x0008f10500650010,9\n"
			"END_LINKS\n" EMPTY INDEX, ATTRIBUTE_NEIGHBOR,
			"its section LINKS has 3 rows, INDEX_TABLE counts 2");
}

static void a_section_that_is_missing_is_told(void **state)
{
	(void)state;
	assert_one_hole(NODES LINKS EMPTY INDEX_OF("3", "2", "0") "PM_INFO, 500, 90, 30, 2\nEND_INDEX_TABLE\n",
			ATTRIBUTE_COUNTERS, "its section PM_INFO has 0 rows, INDEX_TABLE counts 2");
}

static void sections_without_a_column_here_share_a_word(void **state)
{
	(void)state;
	assert_one_hole(NODES LINKS EMPTY TEMPERATURE INDEX_OF("3", "2", "1")
			"TEMP_SENSING, 500, 90, 30, 2\nEND_INDEX_TABLE\n", ATTRIBUTE_EXTENDED_PORT_INFO,
			"its section AR_INFO has 0 rows, INDEX_TABLE counts 1: 1 missing; so have 1 more "
			"section other numbers");
}

/* A row that was not understood was there. */
static void an_odd_row_counts(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES LINKS_HEAD LINK_A "0x0008f105,1\nEND_LINKS\n"
					    EMPTY INDEX);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].reason, HOLE_ODD);
	fabric_free(fabric);
}

/* A version that counts the heading, and one that counts something else. */
static void numbers_that_no_section_has_say_nothing(void **state)
{
	(void)state;
	assert_whole(NODES LINKS EMPTY INDEX_OF("4", "3", "1") "END_INDEX_TABLE\n");
	assert_whole(NODES LINKS EMPTY INDEX_OF("31", "62", "0") "END_INDEX_TABLE\n");
}

static void an_index_that_is_absent_cut_or_odd_says_nothing(void **state)
{
	static const char *const ends[] = {
		"",
		INDEX_OF("3", "2", "0"),
		INDEX_OF("3", "2", "0") "PM_INFO, 5",
		INDEX_OF("3", "2", "0") "PM_INFO, 500, 90, 30\nEND_INDEX_TABLE\n",
		"START_INDEX_TABLE\nName, Offset, Size, Line\nLINKS, 300, 90, 10\nEND_INDEX_TABLE\n",
		INDEX_OF("3", "2", "0") "LINKS, 300, 90, 10, 2\nEND_INDEX_TABLE\n",
	};
	char text[2048];

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct fabric *fabric;

		snprintf(text, sizeof(text), "%s%s", NODES LINKS_HEAD LINK_A "END_LINKS\n" EMPTY, ends[i]);
		fabric = import_text("x.csv", text);
		for (size_t h = 0; h < fabric->hole_count; h++)
			assert_null(strstr(fabric->holes[h].text, "INDEX_TABLE counts"));
		fabric_free(fabric);
	}
}

/* The second file's index is not the first file's, which was cut in front of its own. */
static void a_file_behind_one_that_was_cut_is_held_against_its_own_index(void **state)
{
	struct fabric *fabric = import_text("x.csv", HEAD LEAF "END_NODES\n" NODES LINKS EMPTY INDEX);

	(void)state;
	for (size_t h = 0; h < fabric->hole_count; h++)
		assert_null(strstr(fabric->holes[h].text, "INDEX_TABLE counts"));
	assert_int_equal(fabric->device_count, 3);
	fabric_free(fabric);
}

/* Its END_ line is gone: its rows were there, and so is the next section. */
static void a_section_without_its_end_has_its_rows_and_ends_at_the_next(void **state)
{
	struct fabric *fabric = import_text("x.csv", HEAD LEAF HOST_A HOST_B LINKS EMPTY INDEX);

	(void)state;
	for (size_t h = 0; h < fabric->hole_count; h++)
		assert_null(strstr(fabric->holes[h].text, "INDEX_TABLE counts"));
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_true(fabric->partial);
	assert_non_null(must_port(fabric, UINT64_C(0x0008f10500710021), 1)->peer);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_as_counted_are_whole),
		cmocka_unit_test(a_link_that_is_missing_is_told_with_both_numbers),
		cmocka_unit_test(a_node_that_is_missing_leaves_devices_unknown),
		cmocka_unit_test(a_row_too_many_is_told),
		cmocka_unit_test(a_section_that_is_missing_is_told),
		cmocka_unit_test(sections_without_a_column_here_share_a_word),
		cmocka_unit_test(an_odd_row_counts),
		cmocka_unit_test(numbers_that_no_section_has_say_nothing),
		cmocka_unit_test(an_index_that_is_absent_cut_or_odd_says_nothing),
		cmocka_unit_test(a_file_behind_one_that_was_cut_is_held_against_its_own_index),
		cmocka_unit_test(a_section_without_its_end_has_its_rows_and_ends_at_the_next),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
