/* sminfo, OpenSM's small files, node name maps, multicast tables, plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/odd_cause.h"
#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"
#include "tests/support/sample_files.h"

static void sminfo_names_the_master(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover.txt", "opensm-subnet.lst", "sminfo.txt",
					       NULL);

	(void)state;
	assert_int_equal(fabric->sm_count, 1);
	assert_ptr_equal(fabric->sms[0].port, must_port(fabric, HERON_N01, 1));
	assert_int_equal(fabric->sms[0].state, 3);
	assert_int_equal(fabric->sms[0].priority, 0);
	assert_int_equal(fabric->sms[0].lid, 2);
	assert_true(fabric->sms[0].act_count > 0);
	fabric_free(fabric);
}

static void opensm_s_memory_of_lids_is_a_fact_and_no_lid(void **state)
{
	static const char text[] = "0x00000000000000b2 0x0012 0x0013\n\n"
				   "0x00000000000000b3 0xc001 0xc001\n\nnonsense\n";
	struct fabric *fabric = import_text("guid2lid", text);

	(void)state;
	assert_int_equal(fabric->device_count, 0);
	assert_int_equal(fabric->fact_count, 2);
	assert_string_equal(fabric->facts[0].section, "guid2lid");
	assert_string_equal(fabric->facts[0].value, "0x0012 0x0013");
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

static void opensm_s_memory_of_cables_agrees_with_the_tools(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover.txt", "neighbors", "guid2lid", NULL);

	(void)state;
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(fabric->contradiction_count, 0);
	fabric_free(fabric);
	fabric = import_samples("neighbors", NULL);
	assert_int_equal(fabric->device_count, 7);
	assert_heron_links(fabric, HERON_N01 + 1, HERON_N02 + 1, HERON_N03 + 1, HERON_N04 + 1);
	assert_int_equal(must_device(fabric, HERON_SPINE)->type, NODE_TYPE_SWITCH);
	fabric_free(fabric);
}

static void one_odd_line_of_a_list_costs_itself(void **state)
{
	static const struct {
		const char *format, *rows[2];
	} lists[] = {
		{"neighbors", {"0x00ca5e0000001000:1 0x00ca5e0000002011:1\n",
			       "0x00ca5e0000001000:2 0x00ca5e0000002021:1\n"}},
		{"guid2lid", {"0x00ca5e0000002011 0x0002 0x0002\n", "0x00ca5e0000002021 0x0003 0x0003\n"}},
		{"guid2mkey", {"0x00ca5e0000002011 0x00000000deadbeef\n",
			       "0x00ca5e0000002021 0x00000000deadbeef\n"}},
		{"node-name-map", {"0x00ca5e0000002011 \"row 3\"\n", "0x00ca5e0000002021 \"row 4\"\n"}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		for (unsigned at = 0; at < 3; at++) {
			struct fabric *fabric;
			char text[300];

			snprintf(text, sizeof(text), "%s%s%s%s%s", at == 0 ? "Killed\n" : "",
				 lists[i].rows[0], at == 1 ? "Killed\n" : "", lists[i].rows[1],
				 at == 2 ? "Killed\n" : "");
			fabric = import_text("t", text);
			assert_string_equal(fabric->sources[0].format, lists[i].format);
			assert_int_equal(fabric->sources[0].rows, 2);
			/* Of keys no line is looked at closer. */
			assert_int_equal(fabric->sources[0].odd_rows, strcmp(lists[i].format, "guid2mkey") != 0);
			fabric_free(fabric);
		}
	}
}

static void a_text_with_a_row_of_a_list_in_it_is_no_list(void **state)
{
	static const struct text text = {"Ports of the hall:\n0x00ca5e0000001000:1 0x00ca5e0000002011:1\n", 61};

	(void)state;
	assert_null(told_format(&text));
}

static void of_a_file_of_keys_nothing_is_kept(void **state)
{
	static const char text[] = "0x00000000000000b2 0x00000000deadbeef\n\n"
				   "0x00000000000000b3 0x1122334455667788\n";
	struct fabric *fabric = import_text("guid2mkey", text);

	(void)state;
	assert_string_equal(fabric->sources[0].format, "guid2mkey");
	assert_int_equal(fabric->sources[0].rows, 2);
	assert_int_equal(fabric->device_count + fabric->fact_count + fabric->odd_line_count, 0);
	fabric_free(fabric);
}

static void a_node_name_map_gives_aliases_to_what_is_there(void **state)
{
	static const char map[] = "# names of the hall\n0x00000000000000aa \"row 3 top\" extra\n"
				  "0x00000000000000ff\t\"sold\"\n";
	static const char topology[] =
		"switchguid=0xaa(aa)\nSwitch\t20 \"S-aa\"\t\t# \"knot\" base port 0 lid 4 lmc 0\n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "a-map", map, strlen(map));
	import_text_add(files, "topology", topology, strlen(topology));
	fabric = import_text_run(files);
	assert_int_equal(fabric->device_count, 1);
	assert_string_equal(must_device(fabric, 0xaa)->alias, "row 3 top");
	assert_string_equal(must_device(fabric, 0xaa)->description, "knot");
	assert_int_equal(fabric->fact_count, 1);
	assert_string_equal(fabric->facts[0].value, "sold");
	fabric_free(fabric);
}

/* Nothing of it may be taken, not even the lines whose names end before the cut. */
static void cut_lines_of_iblinkinfo_are_no_node_name_map(void **state)
{
	static const char *const texts[] = {
		("0x00000000000000b1 \"         n1 HCA-1\"     14    1[  ] ==( 4X\n"
		 "0x00000000000000b2 \"         n2 HCA-1\"     18    1[  ] ==( 4X\n"),
		"0x00000000000000b1 \"         n1 HCA-1\"\n0x00000000000000b2 \"         n2 HCA-1\"\n",
		"0x00000000000000b1 \"a name of thirty characters, or so\"     1\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		static struct text text;

		text.length = 0;
		text_put(&text, texts[i], strlen(texts[i]));
		assert_null(told_format(&text));
	}
}

static const struct mft_entry *group(const struct fabric *fabric, uint64_t guid, unsigned mlid)
{
	const struct device *device = must_device(fabric, guid);

	for (size_t i = 0; i < device->mft_count; i++) {
		if (device->mft[i].mlid == mlid)
			return &device->mft[i];
	}
	return NULL;
}

static void multicast_tables_in_three_spellings_are_one(void **state)
{
	static const char crosses[] =
		"Multicast mlids [0xc000-0xc3ff] of switch Lid 4 guid 0x00000000000000aa (knot (2)):\n"
		"            0                   1                   2 \n"
		"     Ports: 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 \n MLid\n"
		"0xc000        x x                             x       \n0xc001      x         \n"
		"2 valid mlids dumped \n";
	static const char masks[] =
		"Multicast mlids [0xc000-0xc3ff] of switch Lid 4 guid 0x00000000000000aa (knot (2)):\n"
		" MLid       Port Mask\n0xc000      00060002\n0xc001      00010000\n"
		"2 valid mlids dumped \n";
	static const char lists[] = "\nSwitch 0x00000000000000aa\nLID    : Out Port(s)\n"
				    "0xC000 : 0x001  0x002  0x011 \n0xC001 : 0x000 \n";
	static const char *const texts[] = {crosses, masks, lists};
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		fabric = import_text("t", texts[i]);
		assert_int_equal(must_device(fabric, 0xaa)->mft_count, 2);
		assert_int_equal(group(fabric, 0xaa, 0xc000)->ports[0], 0x06);
		assert_int_equal(group(fabric, 0xaa, 0xc000)->ports[2], 0x02);
		assert_int_equal(group(fabric, 0xaa, 0xc001)->ports[0], 0x01);
		assert_int_equal(fabric->sources[0].odd_rows, 0);
		fabric_free(fabric);
		import_text_add(files, i == 0 ? "a" : i == 1 ? "b" : "c", texts[i],
				strlen(texts[i]));
	}
	fabric = import_text_run(files);
	assert_int_equal(fabric->contradiction_count, 0);
	assert_string_equal(must_device(fabric, 0xaa)->description, "knot (2)");
	fabric_free(fabric);
}

static void a_multicast_table_that_is_cut_off_is_not_known(void **state)
{
	static const char text[] =
		"Multicast mlids [0xc000-0xc3ff] of switch Lid 4 guid 0x00000000000000aa (knot):\n"
		" MLid       Port Mask\n0xc000      00060002\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_null(must_device(fabric, 0xaa)->mft);
	fabric_free(fabric);
	fabric = import_samples("dump_mfts.txt", NULL);
	assert_non_null(must_device(fabric, HERON_LEAF1)->mft);
	assert_int_equal(must_device(fabric, HERON_LEAF1)->mft_count, 0);
	fabric_free(fabric);
}

static void hop_counts_are_recognised_and_tell_who_owns_a_lid(void **state)
{
	struct fabric *fabric = import_samples("opensm-lid-matrix.dump", NULL);

	(void)state;
	assert_int_equal(fabric->device_count, 3);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(must_port(fabric, HERON_LEAF1, 0)->info.lid, 4);
	fabric_free(fabric);
}

static void a_multicast_table_with_another_number_of_rows_is_told_and_not_known(void **state)
{
	static const char head[] =
		"Multicast mlids [0xc000-0xc3ff] of switch Lid 4 guid 0x00000000000000aa (knot):\n"
		" MLid       Port Mask\n0xc000      00060002\n";
	char text[400];
	struct fabric *fabric;

	(void)state;
	snprintf(text, sizeof(text), "%s2 valid mlids dumped \n", head);
	fabric = import_text("t", text);
	assert_null(must_device(fabric, 0xaa)->mft);
	assert_true(fabric->partial);
	fabric_free(fabric);

	snprintf(text, sizeof(text), "%s1 valid mlids dumped \n", head);
	fabric = import_text("t", text);
	assert_int_equal(must_device(fabric, 0xaa)->mft_count, 1);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void multicast_rows_without_their_switch_are_nobodys(void **state)
{
#define MULTICAST(guid) "Multicast mlids [0xc000-0xc3ff] of switch Lid 4 guid 0x" guid " (knot):\n"
#define MULTICAST_ROWS " MLid       Port Mask\n0xc000      00060002\n1 valid mlids dumped \n"
	static const char *const texts[] = {
		MULTICAST("00000000000000aa") MULTICAST_ROWS " MLid       Port Mask\n0xc001      00010000\n"
		"1 valid mlids dumped \n",
		"Switch 0x00000000000000aa\nLID    : Out Port(s)\n0xC000 : 0x001  0x002  0x011 \n"
		"LID    : Out Port(s)\n0xC001 : 0x000 \n",
		"Switch 0x00000000000000aa\nLID    : Out Port(s)\n0xC000 : 0x001  0x002  0x011 \n"
		"0xC000 : 0x000 \n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = import_text("t", texts[i]);

		assert_int_equal(must_device(fabric, 0xaa)->mft_count, 1);
		assert_int_equal(group(fabric, 0xaa, 0xc000)->ports[0], 0x06);
		assert_int_equal(fabric->sources[0].odd_rows, 1);
		fabric_free(fabric);
	}
}

static void hop_counts_without_their_switch_are_odd_and_their_own_row_tells_the_switch(void **state)
{
	static const char rows[] = "0x0004: 00 01 # portguid 0x00000000000000aa\n"
				   "0x0005: 01 02 # portguid 0x00000000000000ab\n";
	static const char others[] = "Switch: guid 0x00000000000000ab\n"
				     "0x0004: 01 02 # portguid 0x00000000000000aa\n"
				     "0x0005: 00 01 # portguid 0x00000000000000ab\n";
	char text[400];
	struct fabric *fabric;

	(void)state;
	for (int lost = 0; lost < 2; lost++) {
		snprintf(text, sizeof(text), "%s%s%s", lost ? "" : "Switch: guid 0x00000000000000aa\n",
			 rows, others);
		fabric = import_text("t", text);
		assert_int_equal(must_port(fabric, 0xaa, 0)->info.lid, 4);
		assert_int_equal(must_port(fabric, 0xab, 0)->info.lid, 5);
		assert_int_equal(must_device(fabric, 0xaa)->type, NODE_TYPE_SWITCH);
		assert_int_equal(fabric->sources[0].odd_rows, lost ? 2 : 0);
		fabric_free(fabric);
	}
}

static void an_sminfo_line_that_is_cut_is_odd(void **state)
{
	struct fabric *fabric = import_text("t", "sminfo: sm lid 16 sm guid 0x0008f10500710021, activity count 23\n");

	(void)state;
	assert_int_equal(fabric->sm_count, 0);
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

/* Its GUID and number of ports stand in front of the cut; the LID may have lost digits. */
static void a_node_of_a_list_whose_line_is_cut_is_odd(void **state)
{
#define LISTED "Switch\t: 0x00000000000000aa ports 37 \"knot\" enhanced port 0 lid 4"
	struct fabric *cut = import_text("t", LISTED "\n");
	struct fabric *fabric = import_text("t", LISTED "8 lmc 0\n");

	(void)state;
	assert_int_equal(must_device(cut, 0xaa)->info.num_ports, 37);
	assert_null(device_port(must_device(cut, 0xaa), 0));
	assert_int_equal(cut->sources[0].odd_rows, 1);
	assert_int_equal(must_port(fabric, 0xaa, 0)->info.lid, 48);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(cut);
	fabric_free(fabric);
}

static void a_plan_stays_a_plan(void **state)
{
	static const char ndt[] = "#StartDevice,StartPort,EndDevice,EndPort,LinkType\n"
				  "rack1-n1,rack1-n1 ibp1s0,\"leaf, left\",Port 3, Data\n,,,\n"
				  "rack1-n2,HCA 1,leaf right,12,Data\n";
	static const char topo[] = "# a plan\nQM87 leaf-1\n   P1 -4x-50G-> CX6 n1 P1\n"
				   "   P20 -> QM87 spine U1/P2   # up\nQM87 spine\n   P3\n";
	struct fabric *fabric = import_text("plan.csv", ndt);

	(void)state;
	assert_int_equal(fabric->device_count, 0);
	assert_int_equal(fabric->planned_link_count, 2);
	assert_string_equal(fabric->planned_links[1].node_b, "leaf right");
	assert_string_equal(fabric->planned_links[1].port_b, "12");
	assert_string_equal(fabric->planned_links[1].detail, "Data");
	assert_string_equal(fabric->planned_links[0].node_b, "leaf, left");
	assert_string_equal(fabric->planned_links[0].port_b, "Port 3");
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
	fabric = import_text("plan.topo", topo);
	assert_int_equal(fabric->planned_link_count, 2);
	assert_string_equal(fabric->planned_links[0].node_a, "leaf-1");
	assert_string_equal(fabric->planned_links[0].detail, "4x-50G");
	assert_string_equal(fabric->planned_links[1].port_b, "U1/P2");
	assert_null(fabric->planned_links[1].detail);
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

/* People write it, so one without a single GUID is a file with lines to tell, not a failed run. */
static void a_name_map_of_placeholders_is_imported_and_told(void **state)
{
	char text[1024] = "# names\n";
	struct fabric *fabric;

	(void)state;
	for (int i = 0; i < 12; i++)
		strcat(text, "<guid>  \"spine\"\n");
	fabric = import_text("ib-node-name-map", text);
	assert_string_equal(fabric->sources[0].format, "node-name-map");
	assert_int_equal(fabric->sources[0].rows, 0);
	assert_int_equal(fabric->sources[0].odd_rows, 12);
	assert_true(fabric->partial);
	assert_non_null(strstr(odd_cause(fabric, 1), "placeholders like <guid>"));
	fabric_free(fabric);
}

static const char *cause_of(const char *const *lines, size_t count)
{
	struct odd_look look = {0};

	for (size_t i = 0; i < count; i++)
		odd_look_at(&look, lines[i], strlen(lines[i]), (int64_t)i + 100);
	return odd_look_cause(&look);
}

static void a_host_in_front_of_each_line_is_the_cause_and_a_record_s_keys_are_none(void **state)
{
	static const char *const pdsh[] = {"n1: CA 'mlx5_0'", "n2: CA 'mlx5_0'", "n1: \tCA type: MT4119",
					   "n2: \tCA type: MT4119", "n1:", "n2:", "n1: \tPort 1:",
					   "n2: \tPort 1:"};
	static const char *const srun[] = {"0: CA 'mlx5_0'", "0: \tCA type: MT4119",
					   "0: \tNumber of ports: 1", "1: CA 'mlx5_0'", "1: \tCA type: MT4119",
					   "1: \tNumber of ports: 1", "1: \tPort 1:", "1: \t\tLMC: 0"};
	static const char *const keys[] = {"State: Active", "Rate: 100", "LMC: 0", "Name: a", "State: Down",
					   "Speed: 1", "Width: 4", "Layer: b"};

	(void)state;
	assert_non_null(strstr(cause_of(pdsh, 8), "dshbak"));
	assert_non_null(strstr(cause_of(srun, 8), "dshbak"));
	assert_string_equal(cause_of(keys, 8), "");
}

/* A comma in a name that is not quoted puts every value behind it into the next column. */
static void a_row_of_a_plan_with_a_value_too_many_is_none(void **state)
{
	struct fabric *fabric = import_text("plan.csv",
		"#StartDevice,StartPort,EndDevice,EndPort,LinkType\n"
		"rack1,n1,HCA 1,leaf,12,Data\n"
		"rack1-n2,HCA 1,leaf,12,Data,,\n");

	(void)state;
	assert_int_equal(fabric->planned_link_count, 1);
	assert_string_equal(fabric->planned_links[0].node_a, "rack1-n2");
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sminfo_names_the_master),
		cmocka_unit_test(opensm_s_memory_of_lids_is_a_fact_and_no_lid),
		cmocka_unit_test(opensm_s_memory_of_cables_agrees_with_the_tools),
		cmocka_unit_test(one_odd_line_of_a_list_costs_itself),
		cmocka_unit_test(a_text_with_a_row_of_a_list_in_it_is_no_list),
		cmocka_unit_test(of_a_file_of_keys_nothing_is_kept),
		cmocka_unit_test(a_node_name_map_gives_aliases_to_what_is_there),
		cmocka_unit_test(cut_lines_of_iblinkinfo_are_no_node_name_map),
		cmocka_unit_test(multicast_tables_in_three_spellings_are_one),
		cmocka_unit_test(a_multicast_table_that_is_cut_off_is_not_known),
		cmocka_unit_test(hop_counts_are_recognised_and_tell_who_owns_a_lid),
		cmocka_unit_test(a_multicast_table_with_another_number_of_rows_is_told_and_not_known),
		cmocka_unit_test(multicast_rows_without_their_switch_are_nobodys),
		cmocka_unit_test(hop_counts_without_their_switch_are_odd_and_their_own_row_tells_the_switch),
		cmocka_unit_test(an_sminfo_line_that_is_cut_is_odd),
		cmocka_unit_test(a_node_of_a_list_whose_line_is_cut_is_odd),
		cmocka_unit_test(a_plan_stays_a_plan),
		cmocka_unit_test(a_name_map_of_placeholders_is_imported_and_told),
		cmocka_unit_test(a_row_of_a_plan_with_a_value_too_many_is_none),
		cmocka_unit_test(a_host_in_front_of_each_line_is_the_cause_and_a_record_s_keys_are_none),
	};

	return cmocka_run_group_tests_name("small_lists", tests, NULL, NULL);
}
