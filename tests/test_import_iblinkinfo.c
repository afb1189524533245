/*
 * iblinkinfo, damaged or beside another fabric's files: a LID names a neighbour only
 * where the row's own words agree, and a row belongs to a node only where it shows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_sample.h"
#include "support/import_text.h"

#define UP "[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==> "
#define DOWN "[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"

#define CA_TITLE "CA: n1 HCA-1:\n"
#define CA_ROW "      0x00000000000000b1      4    1" UP "      2    1[  ] \"leaf\" ( )\n"
#define LEAF_TITLE "Switch: 0x00000000000000a1 leaf:\n"
#define LEAF_ROWS                                                                                 \
	"           2    1" UP "      4    1[  ] \"n1 HCA-1\" ( )\n"                               \
	"           2    2" UP "      3    1[  ] \"spine\" ( )\n"                                  \
	"           2    3" DOWN                                                                  \
	"           2    4" DOWN
#define SPINE_TITLE "Switch: 0x00000000000000a2 spine:\n"
#define SPINE_ROWS                                                                                \
	"           3    1" UP "      2    2[  ] \"leaf\" ( )\n"                                   \
	"           3    2" DOWN                                                                  \
	"           3    3" DOWN                                                                  \
	"           3    4" DOWN
#define WHOLE CA_TITLE CA_ROW LEAF_TITLE LEAF_ROWS SPINE_TITLE SPINE_ROWS

static struct fabric *read_text(const char *text)
{
	return import_text("t", text);
}

static void a_whole_file_is_whole(void **state)
{
	struct fabric *fabric = read_text(WHOLE);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_false(fabric->partial);
	assert_true(must_port(fabric, 0xb1, 1)->peer == must_port(fabric, 0xa1, 1));
	assert_true(must_port(fabric, 0xa1, 2)->peer == must_port(fabric, 0xa2, 1));
	fabric_free(fabric);
}

/* A switch of another fabric has LID 2 and another name. */
#define OTHER                                                                                     \
	"switchguid=0xe1(e1)\nSwitch\t8 \"S-00000000000000e1\"\t\t# \"%s\" base port 0 lid %d lmc 0\n"   \
	"[8]\t\"H-00000000000000e2\"[1](e2) \t\t# \"x\" lid 9 4xEDR\n\n"                          \
	"caguid=0xe2\nCa\t1 \"H-00000000000000e2\"\t\t# \"x\"\n"                                   \
	"[1](e2) \t\"S-00000000000000e1\"[8]\t\t# lid 9 lmc 0 \"%s\" lid %d 4xEDR\n"

static struct fabric *beside(const char *text, const char *name, int lid)
{
	struct import_text *files = import_text_new();
	char other[1024];

	snprintf(other, sizeof(other), OTHER, name, lid, name, lid);
	import_text_add(files, "a", other, strlen(other));
	import_text_add(files, "b", text, strlen(text));
	return import_text_run(files);
}

static void a_neighbour_is_the_own_files_node_with_the_lid(void **state)
{
	struct fabric *fabric = beside(WHOLE, "leaf", 2);

	(void)state;
	assert_true(must_port(fabric, 0xb1, 1)->peer == must_port(fabric, 0xa1, 1));
	assert_null(device_port(must_device(fabric, 0xe1), 1));
	fabric_free(fabric);
}

static void a_lid_of_another_file_names_nobody_without_the_name(void **state)
{
	struct fabric *fabric = beside(CA_TITLE CA_ROW, "elsewhere", 2);

	(void)state;
	assert_null(must_port(fabric, 0xb1, 1)->peer);
	assert_null(device_port(must_device(fabric, 0xe1), 1));
	assert_string_equal(fabric->facts[fabric->fact_count - 1].value, "LID 2 port 1 \"leaf\"");
	fabric_free(fabric);
}

static void a_lid_and_the_name_of_another_file_prove_the_neighbour(void **state)
{
	struct fabric *fabric = beside(CA_TITLE CA_ROW, "leaf", 2);

	(void)state;
	assert_true(must_port(fabric, 0xb1, 1)->peer == must_port(fabric, 0xe1, 1));
	fabric_free(fabric);
}

static void a_lid_whose_node_has_another_name_in_the_file_names_nobody(void **state)
{
	struct fabric *fabric = read_text(
		CA_TITLE "      0x00000000000000b1      4    1" UP "      2    1[  ] \"spine\" ( )\n"
		LEAF_TITLE "           2    1" DOWN "           2    2" DOWN);

	(void)state;
	assert_null(must_port(fabric, 0xb1, 1)->peer);
	assert_null(must_port(fabric, 0xa1, 1)->peer);
	fabric_free(fabric);
}

/* The spine's ports must not become the leaf's, nor the leaf's the CA's. */
static void rows_whose_title_is_lost_are_nobodys(void **state)
{
	static const char *const texts[] = {
		CA_TITLE CA_ROW LEAF_TITLE LEAF_ROWS SPINE_ROWS,
		CA_TITLE CA_ROW LEAF_TITLE LEAF_ROWS "Switch: 0x00000000000000a2\n spine:\n" SPINE_ROWS,
		CA_TITLE CA_ROW LEAF_TITLE LEAF_ROWS "Swi tch: 0x00000000000000a2 spine:\n" SPINE_ROWS,
		/* Both bear LID 0 before an SM came: the numbers begin again. */
		CA_TITLE CA_ROW LEAF_TITLE LEAF_ROWS
		"           2    1" UP "      2    2[  ] \"leaf\" ( )\n           2    5" DOWN,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_true(fabric->sources[0].odd_rows >= 2);
		assert_true(fabric->partial);
		assert_null(fabric_device_find(fabric, 0xa2));
		assert_null(must_port(fabric, 0xa1, 2)->peer);
		assert_true(must_port(fabric, 0xa1, 1)->peer == must_port(fabric, 0xb1, 1));
		assert_null(device_port(must_device(fabric, 0xa1), 5));
		assert_null(device_port(must_device(fabric, 0xb1), 2));
		fabric_free(fabric);
	}
}

static void a_switchs_rows_behind_a_ca_are_not_the_cas(void **state)
{
	struct fabric *fabric = read_text(CA_TITLE CA_ROW LEAF_ROWS
					  "CA: n2:\n"
					  "      0x00000000000000b2      5    1" UP
					  "      3    9[  ] \"spine\" ( )\n"
					  "      0x00000000000000b3      6    1" UP
					  "      3    8[  ] \"spine\" ( )\n");

	(void)state;
	/* The title behind them is read again, and a second port 1 has lost its own. */
	assert_int_equal(fabric->sources[0].odd_rows, 5);
	assert_int_equal(fabric->device_count, 2);
	assert_null(device_port(must_device(fabric, 0xb1), 2));
	assert_int_equal(must_port(fabric, 0xb2, 1)->info.lid, 5);
	fabric_free(fabric);
}

static void a_decimal_comma_is_a_point(void **state)
{
	struct fabric *fabric = read_text(
		CA_TITLE "      0x00000000000000b1      4    1[  ] ==( 4X      25,78125 Gbps Active/  "
			 "LinkUp)==>       2    1[  ] \"leaf\" ( )\n");
	struct fabric *odd = read_text(
		CA_TITLE "      0x00000000000000b1      4    1[  ] ==( 4X      25;78125 Gbps Active/  "
			 "LinkUp)==>       2    1[  ] \"leaf\" ( )\n");

	(void)state;
	assert_int_equal(must_port(fabric, 0xb1, 1)->info.link_speed_code, 512);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(odd->sources[0].odd_rows, 1);
	fabric_free(fabric);
	fabric_free(odd);
}

/* The name is not closed: so much was cut that the far port may be another. */
static void a_row_that_lost_its_end_is_no_row(void **state)
{
	static const char row[] = CA_ROW;
	const char *name = strstr(row, "leaf\"");

	(void)state;
	for (const char *end = strstr(row, ")==>"); end <= name + 4; end++) {
		char text[256];
		struct fabric *fabric;

		snprintf(text, sizeof(text), "%s%.*s\n", CA_TITLE, (int)(end - row), row);
		fabric = import_text("t", text);
		/* Without an arrow nothing tells the format. */
		if (fabric->source_count > 0 && strcmp(fabric->sources[0].format, "iblinkinfo") == 0) {
			assert_int_equal(fabric->sources[0].odd_rows, 1);
			assert_int_equal(fabric->device_count, 0);
		}
		fabric_free(fabric);
	}
}

static void lines_that_are_missing_are_told(void **state)
{
	static const struct {
		const char *text;
		const char *words;
	} cuts[] = {
		{CA_TITLE CA_ROW LEAF_TITLE LEAF_ROWS, "1 cable leads to nodes that it has no lines of"},
		{LEAF_TITLE LEAF_ROWS SPINE_TITLE
		 "           3    1" UP "      2    2[  ] \"leaf\" ( )\n"
		 "           3    3" DOWN "           3    4" DOWN "           3    5" DOWN
		 "           3    6" DOWN,
		 "rows of ports are missing, the first in front of line 8"},
		{LEAF_TITLE LEAF_ROWS SPINE_TITLE SPINE_ROWS
		 "Switch: 0x00000000000000a3 third:\n"
		 "           7    1" UP "      3    5[  ] \"spine\" ( )\n",
		 "1 cable is told from one end only"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		struct fabric *fabric = read_text(cuts[i].text);

		assert_int_equal(fabric->hole_count, 1);
		assert_non_null(strstr(fabric->holes[0].text, cuts[i].words));
		fabric_free(fabric);
	}
}

/* Asked for switches only, or for what is Down. */
static void what_was_not_asked_for_is_not_missing(void **state)
{
	static const char *const texts[] = {
		LEAF_TITLE LEAF_ROWS SPINE_TITLE SPINE_ROWS,
		LEAF_TITLE "           2    3" DOWN "           2    4" DOWN "           2    5" DOWN
		"           2    6" DOWN,
		CA_TITLE CA_ROW,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_false(fabric->partial);
		fabric_free(fabric);
	}
}

#define LINE_CA "0x00000000000000b1 \"n1 HCA-1\" 4 1" UP "0x00000000000000a1 2 1[  ] \"leaf\" ( )\n"
#define LINE_LEAF_1 "0x00000000000000a1 \"leaf\" 2 1" UP "0x00000000000000b1 4 1[  ] \"n1 HCA-1\" ( )\n"
#define LINE_LEAF_2 "0x00000000000000a1 \"leaf\" 2 2" DOWN

/* With --line nothing but the rows says what kind of node it is. */
static void one_row_left_of_a_switch_makes_it_no_ca(void **state)
{
	static const struct {
		const char *text;
		enum node_type type;
	} files[] = {
		{LINE_CA LINE_LEAF_1 LINE_LEAF_2, NODE_TYPE_SWITCH},
		/* The CA's row leads to its port 1. */
		{LINE_CA LINE_LEAF_2, NODE_TYPE_SWITCH},
		{LINE_CA "[...]\n" LINE_LEAF_2, NODE_TYPE_SWITCH},
		{LINE_LEAF_2, NODE_TYPE_UNKNOWN},
		{"0x00000000000000a1 \"leaf\" 2 36" UP "0x00000000000000b1 4 1[  ] \"n1\" ( )\n",
		 NODE_TYPE_UNKNOWN},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct fabric *fabric = read_text(files[i].text);
		const struct device *leaf = must_device(fabric, 0xa1);
		const struct port *port = device_port(leaf, 0);

		assert_int_equal(leaf->type, files[i].type);
		assert_string_equal(leaf->description, "leaf");
		for (unsigned num = 1; num < leaf->port_slots; num++)
			assert_true(!leaf->ports[num] || leaf->ports[num]->guid == 0);
		if (leaf->type == NODE_TYPE_SWITCH) {
			assert_true(port && port->guid == 0xa1 && port->info.lid == 2);
			assert_int_equal(must_port(fabric, 0xb1, 1)->guid, 0xb1);
			assert_int_equal(must_device(fabric, 0xb1)->type, NODE_TYPE_CA);
		}
		fabric_free(fabric);
	}
}

/* Rows of a CA and of a switch: all were asked for, as with titles. */
static void rows_with_line_that_are_missing_are_told(void **state)
{
#define LINE_DOWN(num) "0x00000000000000a1 \"leaf\" 2 " num DOWN
#define LINE_REST LINE_DOWN("3") LINE_DOWN("4") LINE_DOWN("5") LINE_DOWN("6")
	static const struct {
		const char *text;
		size_t holes;
	} files[] = {
		{LINE_CA LINE_LEAF_1 LINE_LEAF_2 LINE_REST, 0},
		{LINE_CA LINE_LEAF_1 LINE_REST, 1},
		{LINE_LEAF_1 LINE_LEAF_2 LINE_REST, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct fabric *fabric = read_text(files[i].text);

		assert_int_equal(fabric->hole_count, files[i].holes);
		fabric_free(fabric);
	}
}

/* What stood between a title and another CA's row is gone. */
static void a_title_whose_neighbours_say_another_name_gives_its_rows_nothing(void **state)
{
	struct fabric *fabric = read_text(
		CA_TITLE "      0x00000000000000b2      9    1" UP "      2    3[  ] \"leaf\" ( )\n"
		LEAF_TITLE
		"           2    1" UP "      4    1[  ] \"n1 HCA-1\" ( )\n"
		"           2    2" DOWN
		"           2    3" UP "      9    1[  ] \"n2 HCA-1\" ( )\n");

	(void)state;
	assert_null(must_device(fabric, 0xb2)->description);
	assert_int_equal(must_port(fabric, 0xb2, 1)->info.lid, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0xb2, 1)->info.link_speed_active, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0xb2, 1)->info.port_state, FIELD_UNKNOWN);
	assert_null(must_port(fabric, 0xb2, 1)->peer);
	assert_non_null(strstr(fabric->holes[0].text, "call it otherwise than the title"));
	assert_string_equal(must_device(fabric, 0xa1)->description, "leaf");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_file_is_whole),
		cmocka_unit_test(a_neighbour_is_the_own_files_node_with_the_lid),
		cmocka_unit_test(a_lid_of_another_file_names_nobody_without_the_name),
		cmocka_unit_test(a_lid_and_the_name_of_another_file_prove_the_neighbour),
		cmocka_unit_test(a_lid_whose_node_has_another_name_in_the_file_names_nobody),
		cmocka_unit_test(rows_whose_title_is_lost_are_nobodys),
		cmocka_unit_test(a_switchs_rows_behind_a_ca_are_not_the_cas),
		cmocka_unit_test(a_decimal_comma_is_a_point),
		cmocka_unit_test(a_row_that_lost_its_end_is_no_row),
		cmocka_unit_test(lines_that_are_missing_are_told),
		cmocka_unit_test(what_was_not_asked_for_is_not_missing),
		cmocka_unit_test(one_row_left_of_a_switch_makes_it_no_ca),
		cmocka_unit_test(a_title_whose_neighbours_say_another_name_gives_its_rows_nothing),
		cmocka_unit_test(rows_with_line_that_are_missing_are_told),
	};

	return cmocka_run_group_tests_name("import_iblinkinfo", tests, NULL, NULL);
}
