/*
 * A title that is missing, or cannot be read, in formats that have one above each
 * node's lines: those lines are nobody's, and never the node's before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_sample.h"
#include "support/import_text.h"

static struct fabric *read_text(const char *text)
{
	struct fabric *fabric = import_text("t", text);

	assert_int_equal(fabric->source_count, 1);
	return fabric;
}

static bool has_hole(const struct fabric *fabric, const char *words)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (strstr(fabric->holes[i].text, words))
			return true;
	}
	return false;
}

#define FDBS_HEAD(guid) "dump_ucast_routes: Switch 0x" guid "\n"
#define FDBS_HEADING "LID    : Port : Hops : Optimal\n"
#define FDBS_A                                                                                    \
	FDBS_HEAD("00ca5e0000001000") FDBS_HEADING                                                \
	"0x0001 : 000  : 00   : yes\n0x0002 : 001  : 01   : yes\n"
#define FDBS_ROWS_B "0x0001 : 007  : 01   : yes\n0x0002 : 000  : 00   : yes\n"

static void routes_without_their_switch_are_nobodys(void **state)
{
	static const char *const texts[] = {
		FDBS_A FDBS_HEADING FDBS_ROWS_B,
		FDBS_A FDBS_ROWS_B,
		FDBS_A "> Swi tch 0x00ca5e0000001100\n" FDBS_HEADING FDBS_ROWS_B,
		FDBS_A "[...]\n0x0003 : 007  : 01   : yes\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);
		const struct device *device = must_device(fabric, 0x00ca5e0000001000);

		assert_true(fabric->sources[0].odd_rows >= 2);
		assert_int_equal(fabric->device_count, 1);
		assert_true(device->lft_size < 3 || !lft_known(device, 1) || device->lft[1] == 0);
		assert_true(device->lft_size < 3 || device->lft[3] == 255);
		assert_int_equal(must_port(fabric, 0x00ca5e0000001000, 0)->info.lid, 1);
		fabric_free(fabric);
	}
}

static void a_table_of_routes_that_lacks_its_last_row_is_told(void **state)
{
	static const char short_one[] = FDBS_HEAD("00ca5e0000001000") FDBS_HEADING
		"0x0001 : 000  : 00   : yes\n" FDBS_HEAD("00ca5e0000001100") FDBS_HEADING FDBS_ROWS_B;
	struct fabric *fabric = read_text(short_one);

	(void)state;
	assert_int_equal(fabric->hole_count, 1);
	assert_true(must_device(fabric, 0x00ca5e0000001000)->sw.linear_fdb_top == FIELD_UNKNOWN);
	/* LID 2 has no row there: that is not the same as no path. */
	assert_false(lft_known(must_device(fabric, 0x00ca5e0000001000), 2));
	/* It may have lost rows as well: no other table ends there. */
	assert_true(must_device(fabric, 0x00ca5e0000001100)->sw.linear_fdb_top == FIELD_UNKNOWN);
	fabric_free(fabric);
	fabric = read_text(FDBS_A FDBS_HEAD("00ca5e0000001100") FDBS_HEADING FDBS_ROWS_B);
	assert_int_equal(fabric->hole_count, 0);
	assert_int_equal(must_device(fabric, 0x00ca5e0000001100)->sw.linear_fdb_top, 2);
	fabric_free(fabric);
}

static void a_row_missing_inside_a_table_of_routes_is_told(void **state)
{
	static const char *const texts[] = {
		FDBS_HEAD("00ca5e0000001000") FDBS_HEADING "0x0001 : 000  : 00   : yes\n0x0003 : 001\n"
		FDBS_HEAD("00ca5e0000001100") FDBS_HEADING FDBS_ROWS_B "0x0003 : 002\n",
		FDBS_HEAD("00ca5e0000001000") FDBS_HEADING "0x0002 : 001  : 01   : yes\n"
		FDBS_HEAD("00ca5e0000001100") FDBS_HEADING FDBS_ROWS_B,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_false(lft_known(must_device(fabric, 0x00ca5e0000001000), 2));
		assert_int_equal(fabric->hole_count, 1);
		assert_non_null(strstr(fabric->holes[0].text, "rows of a switch's table are missing"));
		fabric_free(fabric);
	}
}

/* Where there is one table only, or ibdiagnet closed the file, it may have lost its last row. */
static void behind_the_last_row_of_a_table_nothing_is_known_where_somebody_has_a_lid(void **state)
{
	static const char whole[] = FDBS_HEAD("00ca5e0000001000") FDBS_HEADING
		"0x0001 : 000  : 00   : yes\n0x0002 : 001  : 01   : yes\n";
	static const char nodes[] =
		"caguid=0x1b\nCa\t1 \"H-000000000000001b\"\t\t# \"n1\"\n"
		"[1](1c) \t\"S-00ca5e0000001000\"[4]\t\t# lid %d lmc 0 \"x\" lid 1 4xHDR\n";

	(void)state;
	for (int lid = 2; lid <= 3; lid++) {
		struct import_text *files = import_text_new();
		char text[400];
		struct fabric *fabric;

		snprintf(text, sizeof(text), nodes, lid);
		import_text_add(files, "nodes", text, strlen(text));
		import_text_add(files, "fdbs", whole, strlen(whole));
		fabric = import_text_run(files);
		assert_int_equal(lft_known(must_device(fabric, 0x00ca5e0000001000), 2), lid == 2);
		assert_int_equal(has_hole(fabric, "its rows end at LID 2, and LID 3 is in use"), lid == 3);
		fabric_free(fabric);
	}
}

#define SL2VL_HEADING "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
#define RULE "#------------------------------------------------\n"
#define MAP " : 0  1  2  3  0  1  2  3  0  1  2  3  0  1  15 15\n"
#define OTHER " : 0  0  0  0  0  0  0  0  0  0  0  0  0  0  0  0\n"
#define SL2VL_A                                                                                   \
	"Switch 0x00ca5e0000001000, base LID 4, \"a\"\n" SL2VL_HEADING RULE                         \
	"0   1  " MAP "1   1  " MAP "2   1  " MAP
#define SL2VL_B_ROWS "0   2  " OTHER "1   2  " OTHER "2   2  " OTHER RULE

static void sl_to_vl_rows_without_their_switch_are_nobodys(void **state)
{
	static const char *const texts[] = {
		SL2VL_A RULE SL2VL_HEADING RULE SL2VL_B_ROWS,
		SL2VL_A SL2VL_HEADING RULE SL2VL_B_ROWS,
		SL2VL_A RULE "> Swi tch 0x00ca5e0000001100, base LID 5, \"b\"\n" SL2VL_HEADING RULE SL2VL_B_ROWS,
		SL2VL_A "0   1  " OTHER,
	};
	struct fabric *whole = read_text(SL2VL_A SL2VL_B_ROWS);

	(void)state;
	assert_false(whole->partial);
	assert_int_equal(whole->sources[0].odd_rows, 0);
	assert_int_equal(must_port(whole, 0x00ca5e0000001000, 2)->sl2vl[0].vl[1], 0);
	fabric_free(whole);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_true(fabric->sources[0].odd_rows >= 1);
		assert_null(device_port(must_device(fabric, 0x00ca5e0000001000), 2));
		assert_int_equal(must_port(fabric, 0x00ca5e0000001000, 1)->sl2vl[0].vl[1], 1);
		fabric_free(fabric);
	}
}

static void an_in_port_without_a_row_is_told(void **state)
{
	static const char *const texts[] = {
		/* Between two rows, in front, and behind, where the out-port before had one more. */
		"Switch 0x00ca5e0000001000, base LID 4, \"a\"\n" SL2VL_HEADING RULE "0   1  " MAP "2   1  " MAP RULE,
		SL2VL_A "1   2  " MAP "2   2  " MAP RULE,
		SL2VL_A "0   2  " MAP "1   2  " MAP RULE,
		/* The very first one, and the only one of a CA. */
		"Switch 0x00ca5e0000001000, base LID 4, \"a\"\n" SL2VL_HEADING RULE "1   1  " MAP
		"0   2  " MAP "1   2  " MAP RULE,
		"Channel Adapter 0x00ca5e0000002011, base LID 2, \"h\"\n" SL2VL_HEADING RULE RULE,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_int_equal(fabric->hole_count, 1);
		assert_non_null(strstr(fabric->holes[0].text, "rows are missing"));
		fabric_free(fabric);
	}
}

#define IBSTATUS(name, state, rate, layer)                                                        \
	name "\tstate:\t\t " state "\n\trate:\t\t " rate "\n\tlink_layer:\t " layer "\n\n"

static void a_status_without_its_title_is_nobodys(void **state)
{
	struct fabric *fabric = read_text(
		IBSTATUS("Infiniband device 'mlx5_0' port 1 status:\n", "4: ACTIVE", "200 Gb/sec (4X HDR)",
			 "InfiniBand")
		IBSTATUS("", "4: ACTIVE", "40 Gb/sec (4X QDR)", "Ethernet"));

	(void)state;
	assert_int_equal(fabric->host_port_count, 1);
	assert_int_equal(fabric->host_ports[0].rate_mbps, 200000);
	assert_string_equal(fabric->host_ports[0].link_layer, "InfiniBand");
	assert_int_equal(fabric->sources[0].odd_rows, 3);
	fabric_free(fabric);
}

static void a_ca_without_its_title_does_not_change_the_one_before(void **state)
{
	struct fabric *fabric = read_text(
		"CA 'mlx5_0'\n\tCA type: MT4123\n\tNumber of ports: 1\n\tNode GUID: 0x00ca5e0000002010\n"
		"\tPort 1:\n\t\tPort GUID: 0x00ca5e0000002011\n\t\tState: Active\n\t\tRate: 200\n\t\tBase lid: 2\n\t\tLink layer: InfiniBand\n"
		"\tCA type: MT4124\n\tNode GUID: 0x00ca5e0000002020\n"
		"\tPort 1:\n\t\tState: Down\n\t\tBase lid: 9\n\t\tLink layer: Ethernet\n");

	(void)state;
	assert_int_equal(fabric->host_port_count, 1);
	assert_true(fabric->host_ports[0].node_guid == 0x00ca5e0000002010);
	assert_int_equal(fabric->host_ports[0].lid, 2);
	assert_true(fabric->sources[0].odd_rows >= 4);
	fabric_free(fabric);
}

#define QE_LEAF                                                                                   \
	"Errors for 0x00ca5e0000001100 \"leaf\"\n"                                                  \
	"   GUID 0x00ca5e0000001100 port 2: [LinkDownedCounter == 1]\n"                              \
	"   GUID 0x00ca5e0000001100 port 5: [LinkDownedCounter == 7]\n"
#define QE_END "\n## Summary: 2 nodes checked, 2 bad nodes found\n"

static void errors_without_their_node_are_nobodys(void **state)
{
	static const char *const texts[] = {
		QE_LEAF "   GUID 0x00ca5e0000002041 port 1: [LinkDownedCounter == 3]\n" QE_END,
		QE_LEAF "   GUID 0x00ca5e0000001200 port 6: [LinkDownedCounter == 3]\n" QE_END,
		QE_LEAF "   GUID 0x00ca5e0000001100 port 5: [LinkDownedCounter == 3]\n" QE_END,
		"Errors for \"n1 HCA-1\"\n   GUID 0x00ca5e0000002031 port 1: [LinkDownedCounter == 1]\n"
		"   GUID 0x00ca5e0000001100 port 5: [LinkDownedCounter == 3]\n" QE_END,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_int_equal(fabric->sources[0].odd_rows, 1);
		assert_int_equal(fabric->device_count, 1);
		fabric_free(fabric);
	}
}

static void rows_that_the_summary_counts_and_nobody_sees_are_missing(void **state)
{
#define QE_TOTAL(bad) QE_END "##          43 ports checked, " bad " ports have errors beyond threshold\n"
	struct fabric *lost = read_text(QE_LEAF QE_TOTAL("3"));
	struct fabric *fabric = read_text(QE_LEAF QE_TOTAL("2"));

	(void)state;
	assert_true(has_hole(lost, "the summary counts more ports with errors than there are rows"));
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(lost);
	fabric_free(fabric);
}

static void a_row_that_lacks_its_link_line_among_others_that_have_one_is_told(void **state)
{
#define QE_LINK(port) "       Link info:      5   " port "[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
#define QE_ROW(port) "   GUID 0x00ca5e0000001100 port " port ": [LinkDownedCounter == 1]\n"
	struct fabric *lost = read_text("Errors for 0x00ca5e0000001100 \"leaf\"\n"
					QE_ROW("1") QE_LINK("1") QE_ROW("2") QE_TOTAL("2"));
	struct fabric *fabric = read_text("Errors for 0x00ca5e0000001100 \"leaf\"\n"
					  QE_ROW("1") QE_LINK("1") QE_ROW("2") QE_LINK("2") QE_TOTAL("2"));

	(void)state;
	assert_true(has_hole(lost, "rows lack their link line"));
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(lost);
	fabric_free(fabric);
}

static void a_link_line_is_of_the_row_right_before_it(void **state)
{
	struct fabric *fabric = read_text(
		QE_LEAF "[...]\n       Link info:      5   5[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>  "
			"0x00ca5e0000002031     10    1[  ] \"n1\" ( )\n" QE_END);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 2);
	assert_null(must_port(fabric, 0x00ca5e0000001100, 5)->peer);
	fabric_free(fabric);
}

#define TOPO_LEAF                                                                                 \
	"vendid=0x2c9\ndevid=0xcb20\nswitchguid=0xca5e0000001000(ca5e0000001000)\n"                  \
	"Switch\t8 \"S-00ca5e0000001000\"\t\t# \"leaf\" base port 0 lid 4 lmc 0\n"                    \
	"[1]\t\"H-00ca5e0000002030\"[1](ca5e0000002031) \t\t# \"n1\" lid 10 4xEDR\n"
#define TOPO_HOST_LINES "[1](ca5e0000002031) \t\"S-00ca5e0000001000\"[1]\t\t# lid 10 lmc 1 \"leaf\" lid 4 4xEDR\n"
#define TOPO_HOST                                                                                 \
	"\nvendid=0x2c9\ndevid=0x1017\ncaguid=0xca5e0000002030\n"                                    \
	"Ca\t1 \"H-00ca5e0000002030\"\t\t# \"n1\"\n" TOPO_HOST_LINES

static void cables_without_their_node_are_nobodys(void **state)
{
	static const char *const texts[] = {
		/* A line that may have been a header, a port twice, a CA's line, a port too many. */
		TOPO_LEAF "[...]\n[2](ca5e0000002032) \t\"S-00ca5e0000001200\"[7]\t\t# \"x\" lid 7 4xEDR\n",
		TOPO_LEAF "[1]\t\"S-00ca5e0000001200\"[7]\t\t# \"spine\" lid 7 4xEDR\n",
		TOPO_LEAF "[2](ca5e0000002031) \t\"S-00ca5e0000001200\"[7]\t\t# lid 10 lmc 1 \"spine\" lid 7 4xEDR\n",
		TOPO_LEAF "[9]\t\"S-00ca5e0000001200\"[7]\t\t# \"spine\" lid 7 4xEDR\n",
	};
	struct fabric *whole = read_text(TOPO_LEAF TOPO_HOST);

	(void)state;
	assert_int_equal(whole->sources[0].odd_rows, 0);
	assert_false(whole->partial);
	assert_int_equal(must_port(whole, 0x00ca5e0000002030, 1)->info.lmc, 1);
	fabric_free(whole);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = read_text(texts[i]);

		assert_true(fabric->sources[0].odd_rows >= 1);
		assert_null(fabric_device_find(fabric, 0x00ca5e0000001200));
		assert_true(must_port(fabric, 0x00ca5e0000001000, 1)->peer ==
			    must_port(fabric, 0x00ca5e0000002030, 1));
		fabric_free(fabric);
	}
}

/* Of lines that end with the neighbour's LID all are old, or some were cut. */
static void a_cut_topology_line_is_told_and_its_number_not_taken(void **state)
{
	struct fabric *old = read_text(
		"Switch\t8 \"S-00ca5e0000001000\"\t\t# \"leaf\" base port 0 lid 4 lmc 0\n"
		"[1]\t\"H-00ca5e0000002030\"[1](ca5e0000002031) \t\t# \"n1\" lid 10\n");
	struct fabric *cut = read_text(
		TOPO_LEAF "[2]\t\"H-00ca5e0000002040\"[1](ca5e0000002041) \t\t# \"a longer name\" lid 1\n");
	struct fabric *own = read_text(
		TOPO_LEAF "\ncaguid=0xca5e0000002030\nCa\t1 \"H-00ca5e0000002030\"\t\t# \"n1\"\n"
			  "[1](ca5e0000002031) \t\"S-00ca5e0000001000\"[1]\t\t# lid 1\n");

	(void)state;
	assert_int_equal(must_port(old, 0x00ca5e0000002030, 1)->info.lid, 10);
	assert_true(must_port(cut, 0x00ca5e0000002040, 1)->info.lid == FIELD_UNKNOWN);
	assert_int_equal(cut->holes[0].attribute, ATTRIBUTE_PORT_INFO);
	assert_non_null(strstr(cut->holes[0].text, "the first is line 6"));
	assert_int_equal(must_port(own, 0x00ca5e0000002030, 1)->info.lid, 10);
	assert_int_equal(own->contradiction_count, 0);
	assert_true(own->partial);
	fabric_free(old);
	fabric_free(cut);
	fabric_free(own);
}

#define LFTS(guid, lid, rows) "Unicast lids [0-3] of switch Lid " lid " guid 0x" guid " ('" lid "'):\n" rows "3 lids dumped \n\n"
#define LFT_ROW(lid, port) "0x000" lid " 00" port " # Switch portguid 0x00ca5e000000" lid "000: '" lid "'\n"

/* Where a file has the table of one switch, a row that is missing shows nowhere. */
static void without_a_second_table_of_opensm_no_path_is_not_proved(void **state)
{
	struct import_text *files = import_text_new();
	static const char nodes[] =
		"caguid=0x1b\nCa\t1 \"H-000000000000001b\"\t\t# \"n1\"\n"
		"[1](1c) \t\"S-00ca5e0000001000\"[4]\t\t# lid 2 lmc 0 \"x\" lid 1 4xHDR\n";
	static const char lost[] = LFTS("00ca5e0000001000", "1", LFT_ROW("1", "0"));
	static const char whole[] = LFTS("00ca5e0000001000", "1",
					 LFT_ROW("1", "0") "0x0002 004 # unknown node and type\n");
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "nodes", nodes, strlen(nodes));
	import_text_add(files, "lfts", lost, strlen(lost));
	fabric = import_text_run(files);
	assert_false(lft_known(must_device(fabric, 0x00ca5e0000001000), 2));
	assert_true(has_hole(fabric, "no row for LID 2, and no other table shows"));
	fabric_free(fabric);

	files = import_text_new();
	import_text_add(files, "nodes", nodes, strlen(nodes));
	import_text_add(files, "lfts", whole, strlen(whole));
	fabric = import_text_run(files);
	assert_int_equal(must_device(fabric, 0x00ca5e0000001000)->lft[2], 4);
	assert_true(lft_known(must_device(fabric, 0x00ca5e0000001000), 2));
	assert_false(has_hole(fabric, "no row for LID"));
	fabric_free(fabric);
}

/* The closing line gives the highest LID: a row that is missing shows in the other tables alone. */
static void a_row_that_only_one_table_of_opensm_lacks_is_not_no_path(void **state)
{
	struct fabric *fabric = read_text(
		LFTS("00ca5e0000001000", "1", LFT_ROW("1", "0") LFT_ROW("2", "4"))
		LFTS("00ca5e0000002000", "2", LFT_ROW("2", "0")));
	struct fabric *lost = read_text(
		LFTS("00ca5e0000001000", "1", LFT_ROW("1", "0"))
		LFTS("00ca5e0000002000", "2", LFT_ROW("1", "5")));
	const struct device *one = must_device(lost, 0x00ca5e0000001000);

	(void)state;
	assert_true(lft_known(must_device(fabric, 0x00ca5e0000001000), 2));
	assert_false(lft_known(must_device(fabric, 0x00ca5e0000002000), 1));
	assert_int_equal(fabric->hole_count, 1);
	assert_non_null(strstr(fabric->holes[0].text, "no row for LID 1"));
	/* Nobody has a row for LID 2: it has no route indeed. */
	assert_true(lft_known(one, 2));
	assert_int_equal(one->lft[2], 255);
	assert_int_equal(lost->hole_count, 0);
	fabric_free(fabric);
	fabric_free(lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_without_their_switch_are_nobodys),
		cmocka_unit_test(a_table_of_routes_that_lacks_its_last_row_is_told),
		cmocka_unit_test(sl_to_vl_rows_without_their_switch_are_nobodys),
		cmocka_unit_test(an_in_port_without_a_row_is_told),
		cmocka_unit_test(a_status_without_its_title_is_nobodys),
		cmocka_unit_test(a_ca_without_its_title_does_not_change_the_one_before),
		cmocka_unit_test(errors_without_their_node_are_nobodys),
		cmocka_unit_test(a_row_that_only_one_table_of_opensm_lacks_is_not_no_path),
		cmocka_unit_test(without_a_second_table_of_opensm_no_path_is_not_proved),
		cmocka_unit_test(cables_without_their_node_are_nobodys),
		cmocka_unit_test(a_cut_topology_line_is_told_and_its_number_not_taken),
		cmocka_unit_test(a_link_line_is_of_the_row_right_before_it),
		cmocka_unit_test(rows_that_the_summary_counts_and_nobody_sees_are_missing),
		cmocka_unit_test(a_row_that_lacks_its_link_line_among_others_that_have_one_is_told),
		cmocka_unit_test(a_row_missing_inside_a_table_of_routes_is_told),
		cmocka_unit_test(behind_the_last_row_of_a_table_nothing_is_known_where_somebody_has_a_lid),
	};

	return cmocka_run_group_tests_name("import_titles", tests, NULL, NULL);
}
