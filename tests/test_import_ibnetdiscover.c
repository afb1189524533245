#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define SWITCH(guid, ports, name, kind, lid)                                                      \
	"vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x" guid "\nswitchguid=0x" guid "(" guid ")\n"    \
	"Switch\t" ports " \"S-" guid "\"\t\t# \"" name "\" " kind " port 0 lid " lid " lmc 0\n"
#define CA(guid, name)                                                                            \
	"\nvendid=0x2c9\ndevid=0x101b\nsysimgguid=0x" guid "\ncaguid=0x" guid "\n"                \
	"Ca\t1 \"H-" guid "\"\t\t# \"" name "\"\n"

static void the_tool_s_own_output_is_read_whole(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover.txt", NULL);
	const struct port *port;

	(void)state;
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_string_equal(fabric->sources[0].format, "ibnetdiscover");
	assert_int_equal(fabric->contradiction_count, 0);
	assert_heron_links(fabric, HERON_N01, HERON_N02, HERON_N03, HERON_N04);
	assert_int_equal(must_device(fabric, HERON_LEAF1)->sw.enhanced_port0, 1);
	assert_int_equal(must_device(fabric, HERON_LEAF2)->sw.enhanced_port0, 0);
	assert_string_equal(must_device(fabric, HERON_SPINE)->description,
			    "MF0;heron-spine:QM87/U1 (row 3)");
	port = must_port(fabric, HERON_N01, 1);
	assert_int_equal(port->info.lid, 2);
	assert_int_equal(port->info.lmc, 1);
	assert_int_equal(port->guid, HERON_N01 + 1);
	assert_int_equal(port->info.link_width_active, 4);
	assert_int_equal(port->info.link_speed_active, 53125);
	assert_int_equal(port->info.port_state, FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void full_and_grouped_output_say_the_same(void **state)
{
	static const char *const names[] = {"ibnetdiscover-full.txt", "ibnetdiscover-grouped.txt"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fabric *fabric = import_samples(names[i], "ibnetdiscover.txt", NULL);

		assert_int_equal(fabric->device_count, 7);
		assert_int_equal(fabric->sources[0].odd_rows, 0);
		assert_int_equal(fabric->contradiction_count, 0);
		fabric_free(fabric);
	}
}

static void the_full_form_adds_the_lanes(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover-full.txt", NULL);

	(void)state;
	assert_int_equal(must_port(fabric, HERON_LEAF2, 1)->info.vl_cap, 8);
	fabric_free(fabric);
}

static void guids_are_numbers_whatever_their_padding(void **state)
{
	static const char text[] =
		"switchguid=0x7ea0000000000a(7ea0000000000a)\n"
		"Switch\t2 \"S-007ea0000000000a\"\t\t# \"tern\" base port 0 lid 3 lmc 0\n"
		"[1]\t\"H-007EA0000000000B\"[1](7ea0000000000c) \t\t# \"egret\" lid 4 4xEDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(must_port(fabric, 0x007ea0000000000a, 0)->guid, 0x007ea0000000000a);
	assert_int_equal(must_port(fabric, 0x007ea0000000000b, 1)->guid, 0x007ea0000000000c);
	assert_int_equal(must_port(fabric, 0x007ea0000000000b, 1)->info.lid, 4);
	fabric_free(fabric);
}

static void a_name_may_hold_quotes_and_words_that_look_like_data(void **state)
{
	static const char text[] =
		SWITCH("1a", "3", "one \"two\" # base port 0 x", "enhanced", "7")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"a\" lid 44 1xSDR\" lid 8 4xHDR\n"
		CA("1b", "a\" lid 44 1xSDR")
		"[1](1b) \t\"S-1a\"[1]\t\t# lid 8 lmc 2 \"one \"two\" # base port 0 x\" lid 7 4xHDR\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *port = must_port(fabric, 0x1b, 1);

	(void)state;
	assert_string_equal(must_device(fabric, 0x1a)->description, "one \"two\" # base port 0 x");
	assert_int_equal(must_device(fabric, 0x1a)->sw.enhanced_port0, 1);
	assert_int_equal(must_port(fabric, 0x1a, 0)->info.lid, 7);
	assert_string_equal(port->device->description, "a\" lid 44 1xSDR");
	assert_null(port->device->alias);
	assert_int_equal(port->info.lid, 8);
	assert_int_equal(port->info.lmc, 2);
	assert_int_equal(port->info.link_width_active, 4);
	assert_int_equal(port->info.link_speed_active, 53125);
	fabric_free(fabric);
}

static const struct hole *find_cut(const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].reason == HOLE_CUT)
			return &fabric->holes[i];
	}
	return NULL;
}

static void lost_tabs_and_a_cut_line_cost_nothing_else(void **state)
{
	static const char text[] =
		"switchguid=0x1a(1a)\r\n"
		"Switch41 \"S-1a\"# \"rail\" base port 0 lid 9 lmc 0\r\n"
		"[1]\"H-1b\"[1](1b) # \"n1\" lid 2 4xHDR\r\n"
		"[2]\"H-1c\"[1](1c) # \"n2\" lid 3 4x";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(must_device(fabric, 0x1a)->info.num_ports, 41);
	assert_int_equal(must_port(fabric, 0x1a, 1)->info.link_speed_active, 53125);
	assert_int_equal(must_port(fabric, 0x1c, 1)->info.lid, 3);
	assert_int_equal(must_port(fabric, 0x1a, 2)->info.link_width_active, 4);
	assert_int_equal(must_port(fabric, 0x1a, 2)->info.link_speed_active, FIELD_UNKNOWN);
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_non_null(find_cut(fabric));
	assert_true(fabric->partial);
	fabric_free(fabric);
}

/* Two nodes in two blocks; what is cut off is the caller's. */
static const char pair[] =
	"switchguid=0x1a(1a)\nSwitch\t8 \"S-000000000000001a\"\t\t# \"rail\" base port 0 lid 9 lmc 0\n"
	"[1]\t\"H-000000000000001b\"[1](1c) \t\t# \"n1\" lid 160 4xHDR\n\n"
	"caguid=0x1b\nCa\t1 \"H-000000000000001b\"\t\t# \"n1\"\n"
	"[1](1c) \t\"S-000000000000001a\"[1]\t\t# lid 160 lmc 0 \"rail\" lid 9 4xHDR\n";

static struct fabric *import_cut_at(const char *text, size_t length)
{
	struct import_text *files = import_text_new();

	import_text_add(files, "t", text, length);
	return import_text_run(files);
}

static void a_whole_topology_is_not_called_cut(void **state)
{
	struct fabric *fabric = import_text("t", pair);

	(void)state;
	assert_null(find_cut(fabric));
	assert_false(fabric->partial);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_node_that_lost_its_block_makes_the_snapshot_partial(void **state)
{
	struct fabric *fabric = import_cut_at(pair, (size_t)(strstr(pair, "\ncaguid") - pair));

	(void)state;
	assert_non_null(find_cut(fabric));
	assert_non_null(strstr(find_cut(fabric)->text, "no block of its own"));
	assert_true(fabric->partial);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void wherever_a_topology_is_cut_no_lid_loses_digits_untold(void **state)
{
	(void)state;
	for (size_t length = strlen("switchguid=0x1a(1a)\nSwitch\t8 \"S-000000000000001a\"\t\t#");
	     length < sizeof(pair) - 2; length++) {
		struct fabric *fabric = import_cut_at(pair, length);
		struct device *node = fabric_device_find(fabric, 0x1b);
		struct port *port = node ? device_port(node, 1) : NULL;

		assert_true(!port || port->info.lid == FIELD_UNKNOWN || port->info.lid == 160);
		if (length < sizeof(pair) - 3)
			assert_true(node == NULL || fabric->partial || fabric->sources[0].odd_rows > 0);
		fabric_free(fabric);
	}
}

static void a_lid_above_65535_or_below_0_is_an_odd_line(void **state)
{
	static const char text[] =
		SWITCH("1a", "3", "s", "base", " 70000")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"n1\" lid 65536 4xHDR\n"
		"[2]\t\"H-1c\"[1](1c) \t\t# \"n2\" lid -1 4xHDR\n"
		"[3]\t\"H-1d\"[1](1d) \t\t# \"n3\" lid 65535 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(must_port(fabric, 0x1a, 0)->info.lid, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0x1b, 1)->info.lid, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0x1d, 1)->info.lid, 65535);
	assert_int_equal(fabric->sources[0].odd_rows, 3);
	assert_string_equal(fabric->odd_lines[1].reason, "LID 65536 is out of range (0 to 65535)");
	fabric_free(fabric);
}

static void a_nul_inside_a_description_is_told(void **state)
{
	char text[sizeof(pair)];
	struct fabric *fabric;

	(void)state;
	memcpy(text, pair, sizeof(pair));
	strstr(text, "rail")[2] = '\0';
	fabric = import_cut_at(text, sizeof(pair) - 1);
	assert_string_equal(must_device(fabric, 0x1a)->description, "ra");
	assert_int_not_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_blank_or_negative_lid_is_unknown(void **state)
{
	static const char text[] =
		SWITCH("1a", "3", "s", "base", "")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"n1\" lid  4xHDR\n"
		"[2]\t\"H-1c\"[1](1c) \t\t# \"n2\" lid -3 4xHDR\n"
		"[3]\t\"H-1d\"[1](1d) \t\t# \"n3\" lid 0 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(must_port(fabric, 0x1a, 0)->info.lid, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0x1a, 0)->info.lmc, 0);
	assert_int_equal(must_port(fabric, 0x1b, 1)->info.lid, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0x1a, 1)->info.link_width_active, 4);
	assert_int_equal(must_port(fabric, 0x1c, 1)->info.lid, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0x1d, 1)->info.lid, 0);
	fabric_free(fabric);
}

static void a_switch_s_own_line_tells_its_lid_and_neighbours_only_fill_in(void **state)
{
	static const char text[] =
		SWITCH("1a", "3", "s1", "base", "5")
		"[1]\t\"S-1b\"[1]\t\t# \"s2\" lid 70 4xHDR\n"
		"[2]\t\"S-1b\"[2]\t\t# \"s2\" lid 70 4xHDR\n"
		SWITCH("1b", "3", "s2", "base", "6")
		"[1]\t\"S-1a\"[1]\t\t# \"s1\" lid 5 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(must_port(fabric, 0x1b, 0)->info.lid, 6);
	assert_int_equal(fabric->contradiction_count, 1);
	assert_string_equal(fabric->contradictions[0].other, "70");
	fabric_free(fabric);
}

static void a_query_without_an_answer_is_a_hole_with_a_place(void **state)
{
	static const char text[] =
		"src/query_smp.c:199; umad (DR path slid 0; dlid 0; 0,2,3,9 Attr 0x11:0) bad status "
		"110; Connection timed out\n"
		"# Initiated from node 000000000000001b port 000000000000001c\n"
		SWITCH("1a", "12", "low", "base", "5")
		"[3]\t\"S-1f\"[4]\t\t# \"high\" lid 6 4xHDR\n"
		"[5]\t\"H-1b\"[2](1c) \t\t# \"n1\" lid 2 4xHDR\n"
		SWITCH("1f", "12", "high", "base", "6")
		"[4]\t\"S-1a\"[3]\t\t# \"low\" lid 5 4xHDR\n"
		"\ncaguid=0x1b\nCa\t2 \"H-1b\"\t\t# \"n1\"\n"
		"[2](1c) \t\"S-1a\"[5]\t\t# lid 2 lmc 0 \"low\" lid 5 4xHDR\n";
	struct fabric *fabric = import_text("t", text);
	const struct hole *hole = &fabric->holes[0];

	(void)state;
	assert_int_equal(fabric->device_count, 3);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(fabric->hole_count, 1);
	assert_true(fabric->partial);
	assert_int_equal(hole->attribute, ATTRIBUTE_NODE_INFO);
	assert_int_equal(hole->reason, HOLE_TIMEOUT);
	assert_null(hole->device);
	assert_ptr_equal(hole->behind, must_port(fabric, 0x1f, 9));
	assert_non_null(strstr(hole->text, "0,2,3,9"));
	fabric_free(fabric);
}

static void a_route_that_cannot_be_followed_ends_at_the_last_known_port(void **state)
{
	static const char text[] =
		"umad (DR path slid 0; dlid 0; 0,1,3,9,7 Attr 0x15:4) bad status 110; timed out\n"
		"# Initiated from node 1b port 1b\n"
		SWITCH("1a", "12", "low", "base", "5")
		"[5]\t\"H-1b\"[1](1b) \t\t# \"n1\" lid 2 4xHDR\n"
		CA("1b", "n1")
		"[1](1b) \t\"S-1a\"[5]\t\t# lid 2 lmc 0 \"low\" lid 5 4xHDR\n";
	struct fabric *fabric = import_text("t", text);
	const struct hole *hole = &fabric->holes[0];

	(void)state;
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(hole->attribute, ATTRIBUTE_PORT_INFO);
	assert_int_equal(hole->port, 4);
	assert_null(hole->device);
	assert_ptr_equal(hole->behind, must_port(fabric, 0x1a, 3));
	fabric_free(fabric);
}

static void a_capture_without_complaints_is_not_partial(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover.txt", NULL);

	(void)state;
	assert_int_equal(fabric->hole_count, 0);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void a_node_name_map_gives_aliases_and_keeps_the_description(void **state)
{
	static const char text[] =
		SWITCH("1a", "3", "row 7 left", "enhanced", "5")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"login\" lid 2 4xHDR\n"
		"[2]\t\"H-1c\"[1](1c) \t\t# \"plover mlx5_0\" lid 3 4xHDR\n"
		CA("1b", "plover mlx5_0")
		"[1](1b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"row 7 left\" lid 5 4xHDR\n"
		CA("1c", "plover mlx5_0")
		"[1](1c) \t\"S-1a\"[2]\t\t# lid 3 lmc 0 \"row 7 left\" lid 5 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->device_count, 3);
	assert_string_equal(must_device(fabric, 0x1b)->description, "plover mlx5_0");
	assert_string_equal(must_device(fabric, 0x1b)->alias, "login");
	assert_string_equal(must_device(fabric, 0x1c)->description, "plover mlx5_0");
	assert_null(must_device(fabric, 0x1c)->alias);
	assert_null(must_device(fabric, 0x1a)->description);
	assert_string_equal(must_device(fabric, 0x1a)->alias, "row 7 left");
	assert_int_equal(fabric->contradiction_count, 0);
	fabric_free(fabric);
}

static void a_name_of_64_bytes_is_kept_whole(void **state)
{
#define LONG "a-node-name-as-long-as-a-node-description-can-be-64-bytes-no-nu"
	static const char text[] =
		SWITCH("1a", "3", LONG "1", "base", "5")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"" LONG "2\" lid 2 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(strlen(LONG "1"), 64);
	assert_string_equal(must_device(fabric, 0x1a)->description, LONG "1");
	assert_string_equal(must_device(fabric, 0x1b)->description, LONG "2");
	fabric_free(fabric);
}

static void one_guid_with_two_shapes_is_two_devices(void **state)
{
	static const char text[] =
		CA("1b", "n1") "[1](1b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"s\" lid 5 4xHDR\n"
		"\nvendid=0x2c9\ndevid=0x1017\ncaguid=0x1b\nCa\t2 \"H-1b\"\t\t# \"n2\"\n"
		"[2](1c) \t\"S-1a\"[2]\t\t# lid 3 lmc 0 \"s\" lid 5 4xHDR\n";
	struct fabric *fabric = import_text("t", text);
	const struct device *first = must_device(fabric, 0x1b);

	(void)state;
	assert_int_equal(fabric->device_count, 3);
	assert_non_null(first->same_guid);
	assert_string_equal(first->description, "n1");
	assert_string_equal(first->same_guid->description, "n2");
	assert_int_equal(first->same_guid->info.num_ports, 2);
	assert_non_null(strstr(first->place, ":"));
	assert_string_not_equal(first->place, first->same_guid->place);
	fabric_free(fabric);
}

static void a_block_printed_twice_is_one_device(void **state)
{
	static const char block[] =
		CA("1b", "n1") "[1](1b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"s\" lid 5 4xHDR\n";
	char text[2 * sizeof(block)];
	struct fabric *fabric;

	(void)state;
	strcpy(text, block);
	strcat(text, block);
	fabric = import_text("t", text);
	assert_int_equal(fabric->device_count, 2);
	assert_null(must_device(fabric, 0x1b)->same_guid);
	assert_int_equal(fabric->guid_conflict_count, 0);
	fabric_free(fabric);
}

static void one_port_with_two_partners_is_told_as_two_places(void **state)
{
	static const char text[] =
		SWITCH("1a", "3", "s1", "base", "5")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"n1\" lid 2 4xHDR\n"
		SWITCH("1f", "3", "s2", "base", "6")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"n1\" lid 2 4xHDR\n"
		CA("1b", "n1") "[1](1b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"s1\" lid 5 4xHDR\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *lost = must_port(fabric, 0x1f, 1);

	(void)state;
	assert_ptr_equal(lost->peer, must_port(fabric, 0x1b, 1));
	assert_ptr_equal(must_port(fabric, 0x1b, 1)->peer, must_port(fabric, 0x1a, 1));
	fabric_free(fabric);
}

static void a_node_without_a_block_has_its_link_from_both_ends(void **state)
{
	static const char text[] =
		SWITCH("1a", "3", "s1", "base", "5")
		"[1]\t\"H-1b\"[1](1b) \t\t# \"n1\" lid 2 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_ptr_equal(must_port(fabric, 0x1b, 1)->peer, must_port(fabric, 0x1a, 1));
	fabric_free(fabric);
}

static void port_lines_behind_a_broken_header_go_to_nobody(void **state)
{
	static const char text[] =
		CA("1b", "n1") "[1](1b) \t\"S-1a\"[1]\t\t# lid 2 lmc 0 \"s\" lid 5 4xHDR\n"
		"\nvendid=0x2c9\ncaguid=0x1xxc\nCa\t1 \"H-1xxc\"\t\t# \"hidden\"\n"
		"[1](1xxc) \t\"S-1a\"[9]\t\t# lid 3 lmc 0 \"s\" lid 5 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_ptr_equal(must_port(fabric, 0x1b, 1)->peer, must_port(fabric, 0x1a, 1));
	assert_int_equal(fabric->sources[0].odd_rows, 3);
	assert_int_equal(fabric->guid_conflict_count, 0);
	fabric_free(fabric);
}

static void ibdiagnet_s_labels_are_facts_and_its_time_is_read(void **state)
{
	static const char text[] =
		"# Running timestamp : 2024-05-06 07:08:09 UTC +0000\n"
		"switchguid=0x1a(1a)\n"
		"Switch  65 \"S-1a\"      # \"q2\" base port 0 lid 5 lmc 0\n"
		"[1](1/1/1) \"H-1b\"[1](1b)      # \"n1\" lid 2 4xNDR\n"
		"[2](2) \"H-1c\"[1](1c)      # \"n2\" lid 3 4xNDR\n"
		"caguid=0x1b\nCa  1 \"H-1b\"      # \"n1\"\n"
		"[1](1)(000000000000001b) \"S-1a\"[1] # lid 2 lmc 0 \"q2\" lid 5 4xNDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->sources[0].taken_at, 1714979289);
	assert_int_equal(fabric->fact_count, 1);
	assert_string_equal(fabric->facts[0].value, "1/1/1");
	assert_int_equal(must_port(fabric, 0x1b, 1)->guid, 0x1b);
	assert_int_equal(must_port(fabric, 0x1a, 1)->info.link_speed_active, 106250);
	fabric_free(fabric);
}

static void a_prompt_in_front_is_no_port_line(void **state)
{
	static const char text[] =
		"[root@sandpiper ~]# ibnetdiscover -g\n"
		"#\n# Topology file: generated on Tue Jan  2 03:04:05 2024\n#\n"
		"Chassis 1 (guid 0x1)\n\n# Spine Nodes\n"
		SWITCH("1a", "3", "s1", "base", "5")
		"[1][ext 4]\t\"H-1b\"[1](1b) \t\t# \"n1\" lid 2 4xHDR\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(fabric->sources[0].taken_at, 1704164645);
	assert_ptr_equal(must_port(fabric, 0x1a, 1)->peer, must_port(fabric, 0x1b, 1));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tool_s_own_output_is_read_whole),
		cmocka_unit_test(full_and_grouped_output_say_the_same),
		cmocka_unit_test(the_full_form_adds_the_lanes),
		cmocka_unit_test(guids_are_numbers_whatever_their_padding),
		cmocka_unit_test(a_name_may_hold_quotes_and_words_that_look_like_data),
		cmocka_unit_test(lost_tabs_and_a_cut_line_cost_nothing_else),
		cmocka_unit_test(a_whole_topology_is_not_called_cut),
		cmocka_unit_test(a_node_that_lost_its_block_makes_the_snapshot_partial),
		cmocka_unit_test(wherever_a_topology_is_cut_no_lid_loses_digits_untold),
		cmocka_unit_test(a_lid_above_65535_or_below_0_is_an_odd_line),
		cmocka_unit_test(a_nul_inside_a_description_is_told),
		cmocka_unit_test(a_blank_or_negative_lid_is_unknown),
		cmocka_unit_test(a_switch_s_own_line_tells_its_lid_and_neighbours_only_fill_in),
		cmocka_unit_test(a_query_without_an_answer_is_a_hole_with_a_place),
		cmocka_unit_test(a_route_that_cannot_be_followed_ends_at_the_last_known_port),
		cmocka_unit_test(a_capture_without_complaints_is_not_partial),
		cmocka_unit_test(a_node_name_map_gives_aliases_and_keeps_the_description),
		cmocka_unit_test(a_name_of_64_bytes_is_kept_whole),
		cmocka_unit_test(one_guid_with_two_shapes_is_two_devices),
		cmocka_unit_test(a_block_printed_twice_is_one_device),
		cmocka_unit_test(one_port_with_two_partners_is_told_as_two_places),
		cmocka_unit_test(a_node_without_a_block_has_its_link_from_both_ends),
		cmocka_unit_test(port_lines_behind_a_broken_header_go_to_nobody),
		cmocka_unit_test(ibdiagnet_s_labels_are_facts_and_its_time_is_read),
		cmocka_unit_test(a_prompt_in_front_is_no_port_line),
	};

	return cmocka_run_group_tests_name("ibnetdiscover", tests, NULL, NULL);
}
