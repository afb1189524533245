#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define HEAD(range, where, guid) "Unicast lids [" range "] of switch " where " guid 0x" guid " (wader):\n"
#define COLUMNS "  Lid  Out   Destination\n       Port     Info \n"

static unsigned entry(const struct fabric *fabric, uint64_t guid, unsigned lid)
{
	const struct device *device = must_device(fabric, guid);

	assert_true(lft_known(device, lid));
	return device->lft[lid];
}

static void every_dump_of_the_same_tables_says_the_same(void **state)
{
	static const char *const names[] = {"dump_fts.txt",	  "dump_fts-all.txt",
					    "dump_fts-brief.txt", "opensm-lfts.dump",
					    "opensm.fdbs",	  "ibroute.txt"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct fabric *fabric = import_samples("ibnetdiscover.txt", names[i], NULL);

		assert_int_equal(fabric->device_count, 7);
		assert_int_equal(fabric->contradiction_count, 0);
		assert_int_equal(fabric->sources[1].odd_rows, 0);
		assert_int_equal(entry(fabric, HERON_LEAF1, 2), 1);
		assert_int_equal(entry(fabric, HERON_LEAF1, 4), 0);
		assert_int_equal(entry(fabric, HERON_LEAF1, 1), 255);
		fabric_free(fabric);
	}
}

static void all_dumps_together_agree(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover.txt", "dump_fts.txt",
					       "opensm-lfts.dump", "opensm.fdbs", "ibroute.txt", NULL);

	(void)state;
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(must_device(fabric, HERON_SPINE)->source_of[ATTRIBUTE_LFT], 2);
	fabric_free(fabric);
}

static void a_dump_alone_names_switches_hosts_and_their_lid_ranges(void **state)
{
	struct fabric *fabric = import_samples("dump_fts.txt", NULL);
	const struct port *port = must_port(fabric, HERON_N04 + 1, 1);

	(void)state;
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(port->device->type, NODE_TYPE_CA);
	assert_int_equal(port->info.lid, 12);
	assert_int_equal(port->info.lmc, 1);
	assert_string_equal(port->device->description, "o'heron n04");
	assert_int_equal(must_device(fabric, HERON_SPINE)->type, NODE_TYPE_SWITCH);
	assert_string_equal(must_device(fabric, HERON_SPINE)->description,
			    "MF0;heron-spine:QM87/U1 (row 3)");
	assert_int_equal(must_port(fabric, HERON_SPINE, 0)->info.lid, 6);
	assert_int_equal(must_device(fabric, HERON_SPINE)->sw.linear_fdb_top, 13);
	fabric_free(fabric);
}

static void lids_are_hex_and_ports_decimal_up_to_255(void **state)
{
	static const char text[] =
		HEAD("0x0-0x1a", "Lid 9", "00000000000000aa") COLUMNS
		"0x0009 000 : (Switch portguid 0x00000000000000aa: 'wader')\n"
		"0x0010 010 : (Channel Adapter portguid 0x00000000000000b1: 'n16 (old)')\n"
		"0x0011 008 : (node info not available fabric scan)\n"
		"0x001a 201 : (Router portguid 0x00000000000000b2: 'edge')\n"
		"4 valid lids dumped \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(entry(fabric, 0xaa, 16), 10);
	assert_int_equal(entry(fabric, 0xaa, 17), 8);
	assert_int_equal(entry(fabric, 0xaa, 26), 201);
	assert_int_equal(entry(fabric, 0xaa, 25), 255);
	assert_string_equal(must_device(fabric, 0xb1)->description, "n16 (old)");
	assert_int_equal(must_device(fabric, 0xb2)->type, NODE_TYPE_ROUTER);
	assert_int_equal(fabric->device_count, 3);
	fabric_free(fabric);
}

static void a_switch_told_by_its_route_has_the_lid_of_its_own_row(void **state)
{
	static const char text[] =
		HEAD("0x0-0x3", "DR path slid 0; dlid 0; 0,1,4", "00000000000000aa") COLUMNS
		"0x0002 004 \n0x0003 000 \n2 valid lids dumped \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(must_port(fabric, 0xaa, 0)->info.lid, 3);
	fabric_free(fabric);
}

static void a_table_that_is_cut_off_gives_no_path_to_nobody(void **state)
{
	char text[8192];
	size_t used = (size_t)snprintf(text, sizeof(text),
				       HEAD("0x0-0x8f", "Lid 1", "00000000000000aa"));
	struct fabric *fabric;
	const struct device *device;

	(void)state;
	for (unsigned lid = 1; lid <= 70; lid++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "0x%04x 005 \n", lid);
	fabric = import_text("t", text);
	device = must_device(fabric, 0xaa);
	assert_true(lft_known(device, 63));
	assert_int_equal(device->lft[63], 5);
	assert_false(lft_known(device, 64));
	assert_false(lft_known(device, 0x8f));
	assert_int_equal(device->sw.linear_fdb_top, FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void a_table_that_lost_rows_keeps_its_full_blocks(void **state)
{
	char text[8192];
	size_t used = (size_t)snprintf(text, sizeof(text),
				       HEAD("0x0-0x85", "Lid 1", "00000000000000aa"));
	struct fabric *fabric;
	const struct device *device;

	/* LIDs 65 and 70 have no row; one of them had. */
	(void)state;
	for (unsigned lid = 1; lid <= 0x85; lid++) {
		if (lid != 65 && lid != 70)
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "0x%04x 00%d \n", lid, lid > 1);
	}
	snprintf(text + used, sizeof(text) - used, "%d valid lids dumped \n", 0x84);
	fabric = import_text("t", text);
	device = must_device(fabric, 0xaa);
	assert_true(lft_known(device, 63));
	assert_false(lft_known(device, 64));
	assert_true(lft_known(device, 0x85));
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].attribute, ATTRIBUTE_LFT);
	assert_int_equal(fabric->holes[0].reason, HOLE_INCONSISTENT);
	assert_string_equal(fabric->holes[0].text, "line 133 counts 132 rows, there are 131");
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void a_row_whose_lid_goes_down_is_another_switch_s(void **state)
{
	static const char text[] =
		HEAD("0x0-0x2", "Lid 1", "00000000000000aa") "0x0001 000 \n0x0002 003 \n"
		"0x0001 007 \n0x0002 000 \n2 valid lids dumped \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_false(lft_known(must_device(fabric, 0xaa), 1));
	assert_int_equal(fabric->sources[0].odd_rows, 2);
	fabric_free(fabric);
}

static void a_lost_row_of_somebody_s_lid_leaves_its_block_unknown(void **state)
{
	static const char nodes[] =
		"caguid=0x1b\nCa\t1 \"H-000000000000001b\"\t\t# \"n1\"\n"
		"[1](1c) \t\"S-00000000000000aa\"[1]\t\t# lid 3 lmc 0 \"rail\" lid 1 4xHDR\n";
	static const char table[] =
		HEAD("0x0-0x45", "Lid 1", "00000000000000aa")
		"0x0001 000 \n0x0004 007 \n0x0044 007 \n4 valid lids dumped \n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "nodes", nodes, strlen(nodes));
	import_text_add(files, "table", table, strlen(table));
	fabric = import_text_run(files);
	assert_false(lft_known(must_device(fabric, 0xaa), 3));
	assert_true(lft_known(must_device(fabric, 0xaa), 0x44));
	fabric_free(fabric);
}

static void a_row_of_port_0_that_names_another_switch_tells_of_a_lost_title(void **state)
{
#define OWN_ROW(guid, name) HEAD("0x0-0x2", "DR path slid 0; dlid 0; 0,1", "00000000000000aa")         \
	"0x0001 000 : (Switch portguid 0x" guid ": '" name "')\n0x0002 003 \n2 valid lids dumped \n"
	static const struct {
		const char *text;
		bool own;
	} cases[] = {
		{OWN_ROW("00000000000000aa", "wader"), true},
		/* A port's GUID may differ from its node's. */
		{OWN_ROW("00000000000000ab", "wader"), true},
		{OWN_ROW("00000000000000ab", "knot"), false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = import_text("t", cases[i].text);

		assert_int_equal(lft_known(must_device(fabric, 0xaa), 2), cases[i].own);
		assert_int_equal(fabric->sources[0].odd_rows > 0, !cases[i].own);
		fabric_free(fabric);
	}
}

/* A title may have stood there: the rows behind it have no switch. */
static void rows_behind_a_line_that_is_no_row_are_not_taken(void **state)
{
	static const char text[] =
		HEAD("0x0-0x3", "Lid 1", "00000000000000aa") "0x0001 000 \n[...]\n0x0002 003 \n"
		"3 valid lids dumped \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_false(lft_known(must_device(fabric, 0xaa), 2));
	assert_true(fabric->partial);
	fabric_free(fabric);
}

/* The lowest LID of the range may be the one whose row is missing. */
static void a_port_with_fewer_lids_than_others_has_lost_some(void **state)
{
#define HOST_ROW(lid, guid) "0x000" lid " 001 # Channel Adapter portguid 0x00000000000000" guid ": 'n'\n"
	static const char head[] = "Unicast lids [0-5] of switch Lid 1 guid 0x00000000000000aa ('wader'):\n"
				   "0x0001 000 # Switch portguid 0x00000000000000aa: 'wader'\n";
	char text[800];

	(void)state;
	for (int lost = 0; lost < 2; lost++) {
		struct fabric *fabric;
		const struct port *port;

		snprintf(text, sizeof(text), "%s%s%s5 lids dumped\n", head, lost ? "" : HOST_ROW("2", "b2"),
			 HOST_ROW("3", "b2") HOST_ROW("4", "c2") HOST_ROW("5", "c2"));
		fabric = import_text("t", text);
		port = must_port(fabric, 0xb2, 1);
		assert_int_equal(port->info.lid, lost ? FIELD_UNKNOWN : 2);
		assert_int_equal(must_port(fabric, 0xc2, 1)->info.lid, 4);
		assert_int_equal(must_port(fabric, 0xaa, 0)->info.lid, 1);
		fabric_free(fabric);
	}
}

static void a_table_without_its_closing_line_is_told(void **state)
{
	static const char text[] =
		HEAD("0x0-0x4", "Lid 1", "00000000000000aa") "0x0001 000 \n0x0004 007 \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].reason, HOLE_CUT);
	assert_null(fabric->holes[0].device);
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void a_row_whose_name_is_cut_keeps_its_route_and_is_odd(void **state)
{
#define NAMED_ROW(end) HEAD("0x0-0x2", "Lid 1", "00000000000000aa") "0x0001 000 \n"                  \
	"0x0002 003 : (Channel Adapter portguid 0x00000000000000b2: 'ruff" end "\n"                    \
	"2 valid lids dumped \n"
	struct fabric *cut = import_text("t", NAMED_ROW(""));
	struct fabric *fabric = import_text("t", NAMED_ROW("')"));

	(void)state;
	assert_int_equal(entry(cut, 0xaa, 2), 3);
	assert_int_equal(cut->sources[0].odd_rows, 1);
	assert_int_equal(cut->device_count, 1);
	assert_string_equal(must_device(fabric, 0xb2)->description, "ruff");
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(cut);
	fabric_free(fabric);
}

static void a_damaged_row_spoils_its_block_alone(void **state)
{
	char text[8192];
	size_t used = (size_t)snprintf(text, sizeof(text),
				       "Unicast lids [0-130] of switch Lid 1 guid "
				       "0x00000000000000aa ('wader'):\n");
	struct fabric *fabric;
	const struct device *device;

	(void)state;
	for (unsigned lid = 1; lid <= 130; lid++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 lid == 90 ? "0x00?? 0x05\n" : "0x%04x 005 # unknown node\n",
					 lid);
	snprintf(text + used, sizeof(text) - used, "130 lids dumped\n");
	fabric = import_text("t", text);
	device = must_device(fabric, 0xaa);
	assert_true(lft_known(device, 63));
	assert_false(lft_known(device, 90));
	assert_true(lft_known(device, 130));
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

static void the_block_that_the_tools_never_read_is_not_known(void **state)
{
	static const char text[] =
		HEAD("0x0-0x40", "Lid 1", "00000000000000aa")
		"0x0001 000 \n0x003f 002 \n2 valid lids dumped \n";
	static const char opensm[] =
		"Unicast lids [0-64] of switch Lid 1 guid 0x00000000000000aa ('wader'):\n"
		"0x0001 000 # Switch portguid 0x00000000000000aa: 'wader'\n64 lids dumped\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_true(lft_known(must_device(fabric, 0xaa), 63));
	assert_false(lft_known(must_device(fabric, 0xaa), 64));
	fabric_free(fabric);
	fabric = import_text("t", opensm);
	assert_int_equal(entry(fabric, 0xaa, 64), 255);
	fabric_free(fabric);
}

static void a_range_that_was_asked_for_says_nothing_of_the_rest(void **state)
{
	static const char text[] =
		HEAD("0x40-0x85", "Lid 1", "00000000000000aa")
		"0x0041 003 \n0x0085 004 \n2 valid lids dumped \n";
	struct fabric *fabric = import_text("t", text);
	const struct device *device = must_device(fabric, 0xaa);

	(void)state;
	assert_false(lft_known(device, 5));
	assert_int_equal(entry(fabric, 0xaa, 0x41), 3);
	assert_int_equal(entry(fabric, 0xaa, 0x42), 255);
	assert_false(lft_known(device, 0x85));
	assert_int_equal(device->sw.linear_fdb_top, FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void a_range_from_1_was_asked_for_too(void **state)
{
	static const char text[] =
		HEAD("0x1-0x14", "Lid 1", "00000000000000aa")
		"0x0001 000 \n0x0014 004 \n2 valid lids dumped \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_false(lft_known(must_device(fabric, 0xaa), 0x15));
	assert_int_equal(must_device(fabric, 0xaa)->sw.linear_fdb_top, FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void a_block_that_was_not_answered_is_a_hole(void **state)
{
	static const char text[] =
		"SubnGet(LFT) failed on switch 'wader' DR path slid 0; dlid 0; 0,1 Node GUID 0x00000000000000aa SMA "
		"LID 1; MAD status 0x6e AM 0x1\n"
		HEAD("0x0-0x50", "DR path slid 0; dlid 0; 0,1", "00000000000000aa")
		"0x0001 000 \n0x0041 003 \n2 valid lids dumped \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_true(lft_known(must_device(fabric, 0xaa), 1));
	assert_false(lft_known(must_device(fabric, 0xaa), 0x41));
	assert_int_equal(fabric->hole_count, 1);
	assert_ptr_equal(fabric->holes[0].device, must_device(fabric, 0xaa));
	assert_int_equal(fabric->holes[0].attribute, ATTRIBUTE_LFT);
	fabric_free(fabric);
}

static void two_tables_that_differ_are_a_contradiction_and_the_switch_s_own_wins(void **state)
{
	static const char told[] =
		"Unicast lids [0-3] of switch Lid 1 guid 0x00000000000000aa ('wader'):\n"
		"0x0001 000 # x\n0x0003 007 # x\n3 lids dumped\n";
	static const char read[] = HEAD("0x0-0x3", "Lid 1", "00000000000000aa")
				   "0x0001 000 \n0x0003 009 \n2 valid lids dumped \n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "a", told, strlen(told));
	import_text_add(files, "b", read, strlen(read));
	fabric = import_text_run(files);
	assert_int_equal(entry(fabric, 0xaa, 3), 9);
	assert_int_equal(fabric->contradiction_count, 1);
	assert_string_equal(fabric->contradictions[0].fact, "lft");
	assert_string_equal(fabric->contradictions[0].kept, "LID 3: port 9");
	assert_string_equal(fabric->contradictions[0].other, "LID 3: port 7");
	fabric_free(fabric);
}

static void in_an_fdbs_file_no_path_is_written_out(void **state)
{
	static const char text[] =
		"dump_ucast_routes: Switch 0x00000000000000aa\nLID    : Port : Hops : Optimal\n"
		"0x0001 : 000  : 00   : yes\n0x0002 : UNREACHABLE\n"
		"0x000A : 012  : HOPS UNKNOWN\n"
		"dump_ucast_routes: Switch 0x00000000000000ab\nLID    : Port : Hops : Optimal\n"
		"0x0001 : 004  : 02   : No 1 hop path possible via port 3!\n0x0002 : 000  : 00   : yes\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	/* LIDs 3 to 9 are missing: the block says nothing. */
	assert_false(lft_known(must_device(fabric, 0xaa), 10));
	/* The last table stops short of the first: it may be cut off. */
	assert_false(lft_known(must_device(fabric, 0xab), 1));
	fabric_free(fabric);
}

static void an_fdbs_file_of_whole_tables_is_known(void **state)
{
	static const char text[] =
		"Switch 0x00000000000000aa\nLID    : Port : Hops : Optimal\n"
		"PLFT_NUM: 0\n0x0001 : 000  : 00   : yes\n0x0002 : UNREACHABLE\n0x0003 : 012\n"
		"PLFT_NUM: 1\n0x0001 : 009  : 00   : yes\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(entry(fabric, 0xaa, 1), 0);
	assert_int_equal(entry(fabric, 0xaa, 2), 255);
	assert_int_equal(entry(fabric, 0xaa, 3), 12);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_dump_of_the_same_tables_says_the_same),
		cmocka_unit_test(all_dumps_together_agree),
		cmocka_unit_test(a_dump_alone_names_switches_hosts_and_their_lid_ranges),
		cmocka_unit_test(lids_are_hex_and_ports_decimal_up_to_255),
		cmocka_unit_test(a_switch_told_by_its_route_has_the_lid_of_its_own_row),
		cmocka_unit_test(a_table_that_is_cut_off_gives_no_path_to_nobody),
		cmocka_unit_test(a_table_that_lost_rows_keeps_its_full_blocks),
		cmocka_unit_test(a_row_whose_lid_goes_down_is_another_switch_s),
		cmocka_unit_test(a_lost_row_of_somebody_s_lid_leaves_its_block_unknown),
		cmocka_unit_test(a_row_of_port_0_that_names_another_switch_tells_of_a_lost_title),
		cmocka_unit_test(rows_behind_a_line_that_is_no_row_are_not_taken),
		cmocka_unit_test(a_port_with_fewer_lids_than_others_has_lost_some),
		cmocka_unit_test(a_table_without_its_closing_line_is_told),
		cmocka_unit_test(a_row_whose_name_is_cut_keeps_its_route_and_is_odd),
		cmocka_unit_test(a_damaged_row_spoils_its_block_alone),
		cmocka_unit_test(the_block_that_the_tools_never_read_is_not_known),
		cmocka_unit_test(a_range_that_was_asked_for_says_nothing_of_the_rest),
		cmocka_unit_test(a_range_from_1_was_asked_for_too),
		cmocka_unit_test(a_block_that_was_not_answered_is_a_hole),
		cmocka_unit_test(two_tables_that_differ_are_a_contradiction_and_the_switch_s_own_wins),
		cmocka_unit_test(in_an_fdbs_file_no_path_is_written_out),
		cmocka_unit_test(an_fdbs_file_of_whole_tables_is_known),
	};

	return cmocka_run_group_tests_name("lft_dump", tests, NULL, NULL);
}
