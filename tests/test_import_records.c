/*
 * Records of infiniband-diags that are not whole: what is missing is told, and what
 * is left is not taken for something else. Each harm has its healthy twin.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/diag_records.h"
#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define HOST SMP_NODE("Lid 7", "Channel Adapter", "1", "0x00000000000000b1", "0x00000000000000b2", "1")
#define SWITCH SMP_NODE("Lid 9", "Switch", "2", "0x00000000000000aa", "0x00000000000000aa", "1")
#define SA_HOST                                                                                    \
	SA_NODE("7", "Channel Adapter", "1", "0x00000000000000b1", "0x00000000000000b2", "1", "ruff")
#define SA_KNOT SA_NODE("9", "Switch", "2", "0x00000000000000aa", "0x00000000000000aa", "0", "knot")

/* Imports the text without its first line that begins so, or with something in its place. */
static struct fabric *without(const char *text, const char *line, const char *instead)
{
	static char harmed[16384];
	const char *at = strstr(text, line);

	if (!at || (at != text && at[-1] != '\n'))
		fail_msg("no line begins with %s", line);
	snprintf(harmed, sizeof(harmed), "%.*s%s%s", (int)(at - text), text, instead,
		 strchr(at, '\n') + 1);
	return import_text("t", harmed);
}

static bool is_told(const struct fabric *fabric, const char *words)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (strstr(fabric->holes[i].text, words))
			return fabric->partial;
	}
	return false;
}

static void assert_whole(const char *text)
{
	struct fabric *fabric = import_text("t", text);

	if (fabric->hole_count > 0)
		fail_msg("said to be cut: %s", fabric->holes[0].text);
	assert_false(fabric->partial);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_line_missing_inside_a_record_is_told(void **state)
{
	static const struct {
		const char *whole, *line, *words;
	} cases[] = {
		{HOST, "SystemGuid:", "the NodeInfo that begins at line 1 lacks its line SystemGuid"},
		{HOST, "VendorId:", "the NodeInfo that begins at line 1 stops in the middle"},
		{HOST SMP_PORT("Lid 7 port 1", "7", "0x0", "1", "10.0 Gbps", "25.78125 Gbps"),
		 "CapabilityMask2:", "the PortInfo that begins at line 14 lacks its line CapabilityMask2"},
		{HOST SMP_PORT("Lid 7 port 1", "7", "0x0", "1", "10.0 Gbps", "25.78125 Gbps"),
		 "CapMask:", "lacks its line CapMask"},
		{HOST SMP_PORT_OLD("Lid 7 port 1", "7", "0x0", "1", "10.0 Gbps"), "RoundTrip:",
		 "the PortInfo that begins at line 14 stops in the middle"},
		{SA_HOST, "\t\tnode_guid", "the NodeRecord that begins at line 1 lacks its line node_guid"},
		{SA_KNOT SA_SWITCH("9"), "\t\tDefaultPort",
		 "the SwitchInfoRecord that begins at line 17 lacks its line DefaultPort"},
		{SA_KNOT SA_HOST SA_LINK("9", "1", "1", "7"), "\t\tFromPort",
		 "the LinkRecord that begins at line 33 lacks its line FromPort"},
		{SA_HOST SA_PKEYS("7", "1"), SA_NO_PKEYS,
		 "the PKeyTableRecord that begins at line 17 stops in the middle"},
		{SA_HOST SA_GUIDS("7", "0", "0x00000000000000b2", "0x00000000000000b9"),
		 "\t\tGUID 1", "the GUIDInfoRecord that begins at line 17 lacks its line GUID 1"},
		{"CA 'mlx5_0'\n\tCA type: MT4123\n\tNumber of ports: 1\n\tFirmware version: 20.35.1012\n"
		 "\tHardware version: 0\n\tNode GUID: 0x00000000000000b1\n"
		 "\tSystem image GUID: 0x00000000000000b1\n\tPort 1:\n\t\tState: Active\n"
		 "\t\tPhysical state: LinkUp\n\t\tRate: 200\n\t\tBase lid: 2\n\t\tLMC: 0\n\t\tSM lid: 2\n"
		 "\t\tCapability mask: 0x0050c04a\n\t\tPort GUID: 0x00000000000000b2\n"
		 "\t\tLink layer: InfiniBand\n",
		 "\t\tRate:", "the port that begins at line 8 lacks its line Rate"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric;

		assert_whole(cases[i].whole);
		fabric = without(cases[i].whole, cases[i].line, "");
		if (!is_told(fabric, cases[i].words))
			fail_msg("not told: %s", cases[i].words);
		fabric_free(fabric);
	}
}

static void counters_that_lost_a_line_are_told(void **state)
{
	static const char whole[] =
		"# Port counters: Lid 7 port 1 (CapMask: 0x1300)\n"
		"PortSelect:......................1\nCounterSelect:...................0x0000\n"
		"SymbolErrors:....................3\nLinkRecovers:....................0\n"
		"LinkDowned:......................0\nRcvErrors:.......................0\n"
		"RcvRemotePhysErrors:.............0\nRcvSwRelayErrors:................0\n"
		"XmtDiscards:.....................0\nXmtConstraintErrors:.............0\n"
		"RcvConstraintErrors:.............0\nLinkIntegrityErrors:.............0\n"
		"ExcBufOverrunErrors:.............0\nVL15Dropped:.....................0\n"
		"XmtData:.........................9\nRcvData:.........................9\n"
		"XmtPkts:.........................1\nRcvPkts:.........................1\n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "nodes", HOST, strlen(HOST));
	import_text_add(files, "counters", whole, strlen(whole));
	fabric = import_text_run(files);
	assert_false(fabric->partial);
	assert_int_equal(must_port(fabric, 0xb1, 1)->counters->value[COUNTER_symbol_error], 3);
	fabric_free(fabric);

	fabric = without(whole, "LinkDowned:", "");
	assert_true(is_told(fabric, "the counters that begins at line 1 lacks its line LinkDownedCounter"));
	fabric_free(fabric);
}

static void what_an_old_release_prints_is_whole(void **state)
{
	(void)state;
	assert_whole(HOST SMP_PORT_OLD("Lid 7 port 1", "7", "0x0", "1", "10.0 Gbps"));
	assert_whole(SWITCH "# Switch info: Lid 9\n"
		"LinearFdbCap:....................30720\nRandomFdbCap:....................0\n"
		"McastFdbCap:.....................1024\nLinearFdbTop:....................27\n"
		"DefPort:.........................0\nDefMcastPrimPort:................0\n"
		"DefMcastNotPrimPort:.............0\nLifeTime:........................18\n"
		"StateChange:.....................0\nLidsPerPort:.....................0\n"
		"PartEnforceCap:..................64\nInboundPartEnf:..................0\n"
		"OutboundPartEnf:.................0\nFilterRawInbound:................1\n"
		"FilterRawOutbound:...............1\nEnhancedPort0:...................1\n");
}

/* What the SA tells of it tells of all its switches. */
static void a_line_that_two_others_have_is_missing_in_the_third(void **state)
{
#define TOP "\t\tMulticastFDBTop.........................0xC000\n"
	static const char whole[] = SA_KNOT SA_SWITCH("9") TOP SA_SWITCH("9") TOP SA_SWITCH("9") TOP;
	static const char two[] = SA_KNOT SA_SWITCH("9") TOP SA_SWITCH("9");
	struct fabric *fabric = without(whole, "\t\tMulticastFDBTop", "");

	(void)state;
	assert_true(is_told(fabric, "the SwitchInfoRecord that begins at line 17 lacks its line MulticastFDBTop"));
	fabric_free(fabric);
	assert_whole(whole);
	assert_whole(two);
}

/* ibportstate prints some of PortInfo under the same title, in an order of its own. */
static void another_tool_s_choice_of_lines_is_not_cut(void **state)
{
	struct fabric *fabric = import_text("t", HOST
		"Initial CA/RT PortInfo:\n# Port info: Lid 7 port 1\nLinkState:.......................Active\n"
		"PhysLinkState:...................LinkUp\nLid:.............................7\n"
		"LinkWidthActive:.................4X\nLinkSpeedActive:.................5.0 Gbps\n");

	(void)state;
	assert_false(fabric->partial);
	assert_int_equal(must_port(fabric, 0xb1, 1)->info.link_width_active, 4);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_speed_is_known_by_all_its_lines_or_not_at_all(void **state)
{
	static const char whole[] =
		SWITCH SMP_PORT("Lid 9 port 1", "0", "0x0", "0", "10.0 Gbps", "25.78125 Gbps");
	static const char old[] = SWITCH SMP_PORT_OLD("Lid 9 port 1", "0", "0x0", "0", "10.0 Gbps");
	static const struct {
		const char *line;
		int64_t active, supported;
	} cases[] = {
		{"LinkSpeedActive:", FIELD_UNKNOWN, 0x0307},
		{"LinkSpeedExtActive:", FIELD_UNKNOWN, 0x0307},
		{"LinkSpeedSupported:", 25781, FIELD_UNKNOWN},
		{"LinkSpeedExtSupported:", 25781, FIELD_UNKNOWN},
	};
	char cut[sizeof(whole)];
	struct fabric *fabric;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct port *port;

		fabric = without(whole, cases[i].line, "");
		port = must_port(fabric, 0xaa, 1);
		assert_int_equal(port->info.link_speed_active, cases[i].active);
		assert_int_equal(port->info.link_speed_supported, cases[i].supported);
		assert_true(fabric->partial);
		fabric_free(fabric);
	}
	fabric = import_text("t", whole);
	assert_int_equal(must_port(fabric, 0xaa, 1)->info.link_speed_active, 25781);
	fabric_free(fabric);

	/* Cut in front of the extended speeds, and a release that has none. */
	snprintf(cut, sizeof(cut), "%.*s", (int)(strstr(whole, "CapabilityMask2") - whole), whole);
	fabric = import_text("t", cut);
	assert_int_equal(must_port(fabric, 0xaa, 1)->info.link_speed_active, FIELD_UNKNOWN);
	assert_true(fabric->partial);
	fabric_free(fabric);
	/* Cut so early that nothing shows the release. */
	for (size_t i = 0; i < 2; i++) {
		const char *end = i == 0 ? "LinkState:" : "SubnetTimeout:";

		snprintf(cut, sizeof(cut), "%.*s", (int)(strstr(old, end) - old), old);
		fabric = import_text("t", cut);
		assert_int_equal(must_port(fabric, 0xaa, 1)->info.link_speed_supported, FIELD_UNKNOWN);
		assert_int_equal(must_port(fabric, 0xaa, 1)->info.link_speed_active, FIELD_UNKNOWN);
		assert_true(fabric->partial);
		fabric_free(fabric);
	}
	fabric = import_text("t", old);
	assert_int_equal(must_port(fabric, 0xaa, 1)->info.link_speed_active, 10000);
	assert_int_equal(must_port(fabric, 0xaa, 1)->info.link_speed_supported, 7);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void an_answer_without_its_title_is_nobodys(void **state)
{
	static const char first[] =
		SWITCH SMP_PORT("Lid 9 port 1", "0", "0x0", "0", "10.0 Gbps", "25.78125 Gbps");
	static const char second[] =
		SMP_PORT("Lid 9 port 2", "0", "0x0", "0", "5.0 Gbps", "No Extended Speed");
	static const char *const instead[] = {"", "[...]\n", "# Port in\n", "# Port info: Lid 9 po\n"};
	char ports[sizeof(first) + sizeof(second)];
	struct fabric *fabric;

	(void)state;
	snprintf(ports, sizeof(ports), "%s%s", first, second);
	for (size_t i = 0; i < sizeof(instead) / sizeof(instead[0]); i++) {
		fabric = without(ports, "# Port info: Lid 9 port 2", instead[i]);
		assert_int_equal(must_port(fabric, 0xaa, 1)->info.link_speed_active, 25781);
		assert_null(device_port(must_device(fabric, 0xaa), 2));
		assert_int_not_equal(fabric->sources[0].odd_rows, 0);
		fabric_free(fabric);
	}
	fabric = import_text("t", ports);
	assert_int_equal(must_port(fabric, 0xaa, 2)->info.link_speed_active, 5000);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void what_stands_behind_an_unreadable_line_is_of_no_answer(void **state)
{
	/* The lines in its place were the end of one answer and the title of the next. */
	static const char text[] =
		SWITCH "# Port info: Lid 9 port 1\nGidPrefix:.......................0x0000000000000000\n"
		"[...]\nNeighborMTU:.....................2048\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(must_port(fabric, 0xaa, 1)->info.neighbor_mtu, FIELD_UNKNOWN);
	assert_int_equal(fabric->sources[0].odd_rows, 2);
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void an_sa_record_without_its_title_is_nobodys(void **state)
{
	static const char links[] = SA_KNOT SA_HOST SA_LINK("9", "1", "1", "7") SA_SL2VL("9", "1", "2");
	struct fabric *fabric = without(links, "LinkRecord", "");

	(void)state;
	assert_null(device_port(must_device(fabric, 0xaa), 1));
	assert_int_not_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);

	fabric = without(links, "SL2VLTableRecord", "");
	assert_non_null(must_port(fabric, 0xaa, 1)->peer);
	assert_null(device_port(must_device(fabric, 0xaa), 2));
	assert_int_not_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);

	fabric = import_text("t", links);
	assert_non_null(must_port(fabric, 0xaa, 1)->peer);
	assert_int_equal(port_sl2vl(must_port(fabric, 0xaa, 2), 1)->vl[3], 1);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

#define SA_VLARB_ROWS(weight)                                                                      \
	"\t\tVL    : 0| 1| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|\n"                            \
	"\t\tWeight: " weight "| 4| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0| 0|\n"

/* The title, and the lines that say whose they are: the rows stand behind those of the record in front. */
static void rows_of_an_sa_record_that_come_again_are_of_another(void **state)
{
	static const char first[] = SA_KNOT
		"VLArbTableRecord dump:\n\t\tLID........................9\n\t\tPort.......................1\n"
		"\t\tBlock......................1\n" SA_VLARB_ROWS("8") SA_VLARB_ROWS("0");
	char text[8192];
	struct fabric *fabric;
	size_t used;

	(void)state;
	snprintf(text, sizeof(text), "%s%s", first, SA_VLARB_ROWS("7") SA_VLARB_ROWS("0"));
	fabric = import_text("t", text);
	assert_int_equal(must_port(fabric, 0xaa, 1)->vlarb_low[0].weight, 8);
	assert_int_equal(fabric->sources[0].odd_rows, 4);
	fabric_free(fabric);

	used = (size_t)snprintf(text, sizeof(text), "%s", SA_KNOT "LFT Record dump:\n"
				"\t\tLID........................9\n\t\tBlock......................0\n");
	for (int lid = 0; lid < 128; lid++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "\t\t%d\t%d\n", lid % 64,
					 lid < 64 ? 3 : 4);
	fabric = import_text("t", text);
	assert_int_equal(must_device(fabric, 0xaa)->lft[1], 3);
	assert_int_equal(fabric->sources[0].odd_rows, 64);
	fabric_free(fabric);
}

static void an_sa_record_that_lacks_its_port_is_not_port_0_s(void **state)
{
	static const char tables[] = SA_KNOT SA_SL2VL("9", "1", "2") SA_PKEYS("9", "2")
		SA_GUIDS("9", "1", "0x00000000000000ab", "0x0000000000000000");
	static const char *const lines[] = {"\t\tOutPort", "\t\tInPort", "\t\tPort", "\t\tBlock"};
	struct fabric *fabric;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const struct port *base;

		fabric = without(tables, lines[i], "");
		base = must_port(fabric, 0xaa, 0);
		assert_int_equal(base->pkey_count + base->sl2vl_count, 0);
		assert_int_equal(base->guid_count, 0);
		assert_int_equal(fabric->sources[0].odd_rows, 1);
		assert_true(fabric->partial);
		fabric_free(fabric);
	}
	fabric = import_text("t", tables);
	assert_int_equal(must_port(fabric, 0xaa, 2)->pkey_count, 2);
	assert_int_equal(must_port(fabric, 0xaa, 2)->sl2vl_count, 1);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

#define LANES "| 0| 1| 2| 3| 0| 1| 2| 3| 0| 1| 2| 3| 0| 1| 2| 3|\n"

static void lanes_of_an_in_port_that_are_missing_are_told(void **state)
{
	static const char whole[] = SWITCH
		"# SL2VL table: Lid 9\n#                 SL: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n"
		"ports: in  0, out  1: " LANES "ports: in  1, out  1: " LANES "ports: in  2, out  1: " LANES
		"# SL2VL table: Lid 9\n#                 SL: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n"
		"ports: in  0, out  2: " LANES "ports: in  1, out  2: " LANES "ports: in  2, out  2: " LANES;
	static const char *const rows[] = {"ports: in  0, out  1", "ports: in  1, out  1",
					   "ports: in  2, out  2"};
	struct fabric *fabric;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		fabric = without(whole, rows[i], "");
		assert_true(is_told(fabric, "the SL to VL table that begins at line"));
		fabric_free(fabric);
	}
	assert_whole(whole);
}

#define ARBITRATION                                                                                \
	"# VLArbitration tables: Lid 7 port 1 LowCap 2 HighCap 2\n"                                \
	"# Low priority VL Arbitration Table:\nVL    : |0x0 |0x1 |\nWEIGHT: |0x4 |0x8 |\n"          \
	"# High priority VL Arbitration Table:\nVL    : |0x0 |0x1 |\nWEIGHT: |0x8 |0x4 |\n"

static void an_arbitration_table_takes_no_entries_of_another(void **state)
{
	static const char *const lines[] = {"# Low priority", "# High priority", "VL    :", "WEIGHT:"};
	struct fabric *fabric;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const struct port *port;

		fabric = without(HOST ARBITRATION, lines[i], "");
		port = device_port(must_device(fabric, 0xb1), 1);
		assert_int_equal(port->vlarb_low_count + port->vlarb_high_count, 0);
		assert_true(fabric->partial);
		fabric_free(fabric);
	}
	/* The low table's rows and the high one's heading are gone: what is left is not the low table. */
	fabric = import_text("t", HOST
		"# VLArbitration tables: Lid 7 port 1 LowCap 2 HighCap 2\n"
		"# Low priority VL Arbitration Table:\nVL    : |0x0 |0x1 |\nWEIGHT: |0x8 |0x4 |\n");
	assert_int_equal(must_device(fabric, 0xb1)->ports[1]->vlarb_low_count, 0);
	assert_true(fabric->partial);
	fabric_free(fabric);
	assert_whole(HOST ARBITRATION);
}

#define NO_PKEYS " 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n"

static void a_table_with_fewer_rows_than_its_end_counts_is_not_known(void **state)
{
	static const char pkeys[] = HOST "$ smpquery pkeys 7 1\n"
		"   0: 0xffff 0x8001 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n"
		"   8:" NO_PKEYS "  16:" NO_PKEYS "  24:" NO_PKEYS "32 pkeys capacity for this port\n";
	static const char guids[] = HOST "   0: 0x00000000000000b2 0x00000000000000b3 \n"
		"   2: 0x0000000000000000 0x0000000000000000 \n4 guids capacity for this port\n";
	struct fabric *fabric = without(pkeys, "  24:", "");

	(void)state;
	assert_int_equal(must_port(fabric, 0xb1, 1)->pkey_count, 0);
	assert_true(is_told(fabric, "the table of P_Keys that line 18 ends has fewer rows than that counts"));
	fabric_free(fabric);
	assert_whole(pkeys);

	fabric = without(guids, "   2:", "");
	assert_int_equal(must_port(fabric, 0xb1, 1)->guid_count, 0);
	assert_true(is_told(fabric, "the table of GUIDs that line 15 ends has fewer rows than that counts"));
	fabric_free(fabric);
	assert_whole(guids);
}

/* One answer to one command: what lost the command line between is nobody's. */
static void a_second_table_or_name_without_a_command_is_nobodys(void **state)
{
	static const char log[] = SWITCH
		"$ smpquery pkeys 9 1\n   0: 0xffff 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n"
		"8 pkeys capacity for this port\n"
		"$ smpquery pkeys 9 2\n   0: 0x7fff 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000 0x0000\n"
		"8 pkeys capacity for this port\n"
		"$ smpquery nd 9\nNode Description:.........knot\n"
		"$ smpquery nd 8\nNode Description:.........ruff\n";
	struct fabric *fabric = without(log, "$ smpquery pkeys 9 2", "");

	(void)state;
	assert_int_equal(must_port(fabric, 0xaa, 1)->pkeys[0], 0xffff);
	assert_int_equal(must_port(fabric, 0xaa, 1)->pkey_count, 1);
	assert_null(device_port(must_device(fabric, 0xaa), 2));
	assert_int_equal(fabric->contradiction_count, 0);
	/* And the name of LID 8, whom no file explains. */
	assert_int_equal(fabric->sources[0].odd_rows, 2);
	fabric_free(fabric);

	fabric = without(log, "$ smpquery nd 8", "");
	assert_string_equal(must_device(fabric, 0xaa)->description, "knot");
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);

	fabric = import_text("t", log);
	assert_int_equal(must_port(fabric, 0xaa, 2)->pkeys[0], 0x7fff);
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_missing_inside_a_record_is_told),
		cmocka_unit_test(counters_that_lost_a_line_are_told),
		cmocka_unit_test(what_an_old_release_prints_is_whole),
		cmocka_unit_test(a_line_that_two_others_have_is_missing_in_the_third),
		cmocka_unit_test(another_tool_s_choice_of_lines_is_not_cut),
		cmocka_unit_test(a_speed_is_known_by_all_its_lines_or_not_at_all),
		cmocka_unit_test(an_answer_without_its_title_is_nobodys),
		cmocka_unit_test(what_stands_behind_an_unreadable_line_is_of_no_answer),
		cmocka_unit_test(an_sa_record_without_its_title_is_nobodys),
		cmocka_unit_test(rows_of_an_sa_record_that_come_again_are_of_another),
		cmocka_unit_test(an_sa_record_that_lacks_its_port_is_not_port_0_s),
		cmocka_unit_test(lanes_of_an_in_port_that_are_missing_are_told),
		cmocka_unit_test(an_arbitration_table_takes_no_entries_of_another),
		cmocka_unit_test(a_second_table_or_name_without_a_command_is_nobodys),
		cmocka_unit_test(a_table_with_fewer_rows_than_its_end_counts_is_not_known),
	};

	return cmocka_run_group_tests_name("import_records", tests, NULL, NULL);
}
