/*
 * ibdiagnet2.net_dump and .net_dump_ext with lines missing or damaged: what is left
 * must not be given to another switch or port, and what is lost is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_sample.h"
#include "support/import_text.h"

#define LEAF UINT64_C(0x0008f10500650010)
#define SPINE UINT64_C(0x0008f10500650020)
#define HOST UINT64_C(0x0008f10500710021)

#define STAMP "# Running timestamp : 2024-03-01 08:00:00 CST +0800\n"
#define LEAF_TITLE "\"leaf\", Mellanox, 0x0008f10500650010, LID 3\n"
#define SPINE_TITLE "\"spine\", Mellanox, 0x0008f10500650020, LID 4\n"
#define HEADING                                                                                   \
	"  #     : IB# : Sta  : PhysSta : MTU : LWA : LSA : FEC mode : Retran : Neighbor Guid     " \
	" : N#  : NLID : Neighbor Description\n"
#define ROW(label, number, rest)                                                                  \
	"  " label " : " number " : ACT : LINK UP : 5 : 4x : 50 : RS : NO-RTR : " rest "\n"
#define LEAF_HOST ROW("1/1", "1", "0x0008f10500710021 : B3D0F0/1 : 21 : \"store7 : mlx5_0\"")
#define LEAF_DOWN "  1/2 : 2 : DOWN : POLL : N/A : N/A : N/A : N/A : N/A : : : : \n"
#define LEAF_SPINE ROW("2/1", "3", "0x0008f10500650020 : 7/2 : 4 : \"spine\"")
#define SPINE_DOWN "  7/1 : 1 : DOWN : POLL : N/A : N/A : N/A : N/A : N/A : : : : \n"
#define SPINE_LEAF ROW("7/2", "2", "0x0008f10500650010 : 2/1 : 3 : \"leaf\"")
#define LEAF_ROWS LEAF_HOST LEAF_DOWN LEAF_SPINE
#define SPINE_ROWS SPINE_DOWN SPINE_LEAF

static struct fabric *read_text(const char *text)
{
	return import_text("a.net_dump", text);
}

static void a_whole_dump_is_whole(void **state)
{
	struct fabric *fabric = read_text(STAMP LEAF_TITLE HEADING LEAF_ROWS SPINE_TITLE HEADING
					  SPINE_ROWS);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_false(fabric->partial);
	assert_true(must_port(fabric, LEAF, 3)->peer == must_port(fabric, SPINE, 2));
	assert_int_equal(must_port(fabric, LEAF, 1)->peer->info.lid, 21);
	fabric_free(fabric);
}

static void a_title_that_lost_its_guid_is_none(void **state)
{
	struct fabric *fabric = read_text(STAMP "\"leaf\", LID 3\n" HEADING LEAF_ROWS SPINE_TITLE HEADING
					  SPINE_ROWS);

	(void)state;
	assert_true(fabric->sources[0].odd_rows > 0);
	assert_null(fabric_device_find(fabric, HOST));
	assert_non_null(fabric_device_find(fabric, SPINE));
	fabric_free(fabric);
}

static void a_label_that_no_row_bears_is_no_port_number(void **state)
{
	struct fabric *fabric = read_text(STAMP LEAF_TITLE HEADING LEAF_ROWS);
	const struct port *port = must_port(fabric, LEAF, 3);

	(void)state;
	assert_null(port->peer);
	assert_int_equal(must_device(fabric, SPINE)->port_slots, 0);
	assert_int_equal(fabric->fact_count > 0, 1);
	assert_string_equal(fabric->facts[fabric->fact_count - 1].value,
			    "0x0008f10500650020 port \"7/2\"");
	/* An HCA's label ends with its port. */
	assert_true(must_port(fabric, LEAF, 1)->peer == must_port(fabric, HOST, 1));
	assert_true(fabric->partial);
	assert_non_null(strstr(fabric->holes[0].text, "1 cable leads to ports that no table here has"));
	fabric_free(fabric);
}

/* Where labels are plain numbers they are IB's, unless a row shows other ones. */
static void a_plain_number_is_a_port_until_a_row_contradicts(void **state)
{
	struct fabric *plain = read_text(STAMP LEAF_TITLE HEADING ROW(
		"1", "1", "0x0008f10500650020 : 7 : 4 : \"spine\""));
	struct fabric *split = read_text(STAMP LEAF_TITLE HEADING ROW(
		"1", "2", "0x0008f10500650020 : 7 : 4 : \"spine\""));

	(void)state;
	assert_int_equal(must_port(plain, LEAF, 1)->peer->num, 7);
	/* A switch has its LID on port 0, and that this is one nobody said. */
	assert_true(must_port(plain, LEAF, 1)->peer->info.lid == FIELD_UNKNOWN);
	assert_null(must_port(split, LEAF, 2)->peer);
	fabric_free(plain);
	fabric_free(split);
}

static void a_table_without_its_title_is_not_the_switch_before(void **state)
{
	static const char *const texts[] = {
		STAMP LEAF_TITLE HEADING LEAF_ROWS HEADING SPINE_ROWS,
		STAMP LEAF_TITLE HEADING LEAF_ROWS SPINE_ROWS,
		STAMP LEAF_TITLE HEADING LEAF_ROWS "> " SPINE_TITLE HEADING SPINE_ROWS,
		STAMP LEAF_TITLE HEADING LEAF_ROWS "\"spine\", Mellanox,\n0x0008f10500650020, LID 4\n" HEADING
			SPINE_ROWS,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_true(fabric->sources[0].odd_rows >= 2);
		assert_true(fabric->partial);
		assert_int_equal(must_port(fabric, LEAF, 1)->info.port_state, 4);
		assert_int_equal(must_port(fabric, LEAF, 2)->info.port_state, 1);
		assert_null(must_port(fabric, LEAF, 2)->peer);
		fabric_free(fabric);
	}
}

static void a_row_missing_inside_a_table_is_told(void **state)
{
	struct fabric *fabric = read_text(STAMP LEAF_TITLE HEADING LEAF_HOST
		ROW("2/1", "3", "0x0008f10500710031 : B3D0F0/1 : 22 : \"store8\"")
		ROW("2/2", "4", "0x0008f10500710032 : B3D0F0/1 : 23 : \"store9\"")
		ROW("3/1", "5", "0x0008f10500710033 : B3D0F0/1 : 24 : \"store10\""));

	(void)state;
	assert_int_equal(fabric->hole_count, 1);
	assert_non_null(strstr(fabric->holes[0].text, "rows of ports are missing, the first in front of line 5"));
	fabric_free(fabric);
}

#define EXT_HEADING                                                                               \
	"Ty : #   : #IB : GUID               : LID          : Sta  : PhysSta : LWA : LSA : "      \
	"Conn LID (#) : FEC mode : RTR    : Raw BER : Symbol BER : Node Desc\n"
#define EXT_ROW                                                                                   \
	"SW : 1/1 : 1   : 0x0008f10500650010 : 3    (0x3  ) : ACT  : LINK UP : 4x  : 100 : "      \
	"21   (1)     : RS       : NO-RTR : 1.5e-08 : 2e-13     : \"aisle2\"\n"
#define EXT_OPEN                                                                                  \
	"SW : 1/1 : 1   : 0x0008f10500650010 : 3    (0x3  ) : ACT  : LINK UP : 4x  : 100 : "      \
	"21   (1)     : RS       : NO-RTR : 1.5e-08 : 2e-13     : \"ais\n"

static void a_row_with_something_in_front_of_it_is_none(void **state)
{
	static const char *const texts[] = {
		STAMP "[10:00] " EXT_HEADING "[10:00] " EXT_ROW,
		STAMP EXT_HEADING "[10:00] " EXT_ROW,
		STAMP LEAF_TITLE HEADING "[10:00] " LEAF_HOST,
		STAMP EXT_HEADING EXT_OPEN,
	};
	struct fabric *fabric;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fabric = read_text(texts[i]);
		assert_true(fabric->sources[0].odd_rows > 0);
		assert_int_equal(fabric->fact_count, 0);
		assert_int_equal(fabric->device_count, i == 2);
		fabric_free(fabric);
	}
	fabric = read_text(STAMP EXT_HEADING EXT_ROW);
	assert_int_equal(must_port(fabric, LEAF, 0)->info.lid, 3);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_row_with_a_cell_too_many_is_none(void **state)
{
	struct fabric *fabric = read_text(STAMP LEAF_TITLE HEADING
		"  1/1 : 1 : 7 : ACT : LINK UP : 5 : 4x : 50 : RS : NO-RTR : 0x0008f10500710021 : B3D0F0/1 "
		": 21 : \"store7 : mlx5_0\"\n" LEAF_DOWN LEAF_SPINE);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_null(device_port(must_device(fabric, LEAF), 1));
	assert_int_equal(must_port(fabric, LEAF, 3)->info.port_state, 4);
	fabric_free(fabric);
}

#define EXT "Ty : # : #IB : GUID : LID : Sta  : PhysSta : LWA : LSA : Conn LID (#) : Raw BER"
#define EXT_LEAF(num, raw) "SW : 1/1 : " num " : 0x0008f10500650010 : 3 (0x3 ) : ACT : LINK UP : 4x : 50 : 21 (1) : " raw

static void all_ports_of_a_switch_have_the_guid_of_its_port_0(void **state)
{
	struct fabric *fabric = import_text("a.net_dump_ext", STAMP EXT " : Node Desc\n"
					    EXT_LEAF("2", "1.5e-08 : \"leaf\"\n")
					    EXT_LEAF("3", "1.5e-09 : \"leaf\"\n"));

	(void)state;
	assert_int_equal(must_port(fabric, LEAF, 0)->guid, LEAF);
	assert_int_equal(must_port(fabric, LEAF, 2)->guid, 0);
	assert_int_equal(must_port(fabric, LEAF, 0)->info.lid, 3);
	assert_int_equal(fabric->fact_count, 4);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

/* All lines end at the same column: 1.5e-08 may have been 1.5e-081. */
static void a_heading_that_is_cut_is_told_and_its_last_column_not_used(void **state)
{
	struct fabric *fabric = import_text("a.net_dump_ext", STAMP EXT "\n"
					    EXT_LEAF("2", "1.5e-08\n") EXT_LEAF("3", "1.5e-0\n"));

	(void)state;
	assert_true(fabric->partial);
	assert_non_null(strstr(fabric->holes[0].text, "the heading in line 2 ends in front of"));
	assert_int_equal(fabric->fact_count, 2);
	assert_string_equal(fabric->facts[0].key, "label");
	assert_int_equal(must_port(fabric, LEAF, 2)->info.port_state, 4);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_dump_is_whole),
		cmocka_unit_test(a_title_that_lost_its_guid_is_none),
		cmocka_unit_test(a_label_that_no_row_bears_is_no_port_number),
		cmocka_unit_test(a_plain_number_is_a_port_until_a_row_contradicts),
		cmocka_unit_test(a_table_without_its_title_is_not_the_switch_before),
		cmocka_unit_test(a_row_missing_inside_a_table_is_told),
		cmocka_unit_test(a_row_with_something_in_front_of_it_is_none),
		cmocka_unit_test(a_row_with_a_cell_too_many_is_none),
		cmocka_unit_test(all_ports_of_a_switch_have_the_guid_of_its_port_0),
		cmocka_unit_test(a_heading_that_is_cut_is_told_and_its_last_column_not_used),
	};

	return cmocka_run_group_tests_name("import_net_dump", tests, NULL, NULL);
}
