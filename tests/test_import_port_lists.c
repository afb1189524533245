/* iblinkinfo, ibnetdiscover -p, lists of nodes, opensm-sl2vl.dump. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

/* Node GUIDs are not in these files: a port GUID stands for a CA's. */
static void assert_heron_by_port_guid(const struct fabric *fabric)
{
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_heron_links(fabric, HERON_N01 + 1, HERON_N02 + 1, HERON_N03 + 1, HERON_N04 + 1);
	assert_int_equal(must_device(fabric, HERON_N01 + 1)->type, NODE_TYPE_CA);
	assert_int_equal(must_device(fabric, HERON_LEAF2)->type, NODE_TYPE_SWITCH);
	assert_int_equal(must_port(fabric, HERON_N01 + 1, 1)->info.lid, 2);
	assert_int_equal(must_port(fabric, HERON_LEAF2, 0)->info.lid, 5);
	assert_int_equal(must_port(fabric, HERON_LEAF2, 17)->info.link_speed_active, 53125);
	assert_string_equal(must_device(fabric, HERON_N04 + 1)->description, "o'heron n04");
	assert_string_equal(must_device(fabric, HERON_SPINE)->description,
			    "MF0;heron-spine:QM87/U1 (row 3)");
}

static void each_list_of_ports_alone_shows_the_fabric(void **state)
{
	static const char *const names[] = {"iblinkinfo.txt", "iblinkinfo-line.txt",
					    "ibnetdiscover-ports.txt"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fabric *fabric = import_samples(names[i], NULL);

		assert_heron_by_port_guid(fabric);
		fabric_free(fabric);
	}
}

static void behind_ibnetdiscover_they_find_its_nodes(void **state)
{
	static const char *const names[] = {"iblinkinfo.txt", "iblinkinfo-line.txt",
					    "ibnetdiscover-ports.txt", "ibnetdiscover-list.txt",
					    "ibhosts.txt", "ibswitches.txt", "opensm-sl2vl.dump"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct fabric *fabric = import_samples("ibnetdiscover.txt", names[i], NULL);

		assert_int_equal(fabric->device_count, 7);
		assert_int_equal(fabric->contradiction_count, 0);
		assert_int_equal(fabric->guid_conflict_count, 0);
		assert_int_equal(fabric->sources[1].odd_rows, 0);
		assert_true(fabric->sources[1].rows > 0);
		fabric_free(fabric);
	}
}

static void iblinkinfo_tells_states_and_down_ports_have_no_speed(void **state)
{
	struct fabric *fabric = import_samples("iblinkinfo.txt", NULL);
	const struct port *down = must_port(fabric, HERON_LEAF1, 3);
	const struct port *up = must_port(fabric, HERON_LEAF1, 1);

	(void)state;
	assert_int_equal(down->info.port_state, 1);
	assert_int_equal(down->info.port_phys_state, 2);
	assert_int_equal(down->info.link_width_active, FIELD_UNKNOWN);
	assert_null(down->peer);
	assert_int_equal(up->info.port_state, 4);
	assert_int_equal(up->info.port_phys_state, 5);
	assert_int_equal(up->info.link_width_active, 4);
	fabric_free(fabric);
}

static void iblinkinfo_with_odd_words_is_read(void **state)
{
	static const char text[] =
		"CA: a:b \"c\":\n"
		"      0x00000000000000b1      4    1[  ] ==( 2X   10.0 Gbps (FDR10) Initialize/  LinkUp) "
		"(HOQ:16 VL_Stall:7)==>       2   17[ 3] \"s \"1\"\" (Could be 4X )\n"
		"      0x00000000000000b2      5    2[  ] ==( 4X    106.25 Gbps  Armed/  LinkUp)==>       9 "
		"   8[  ] \"elsewhere\" ( )\n"
		"Switch: 0x00000000000000aa s \"1\":\n"
		"           2   17[ 3] ==( 2X undefined (16) Initialize/LinkUp)==>       4    1[  ] \"a:b "
		"\"c\"\" ( )\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *port = must_port(fabric, 0xb1, 1);

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_string_equal(port->device->description, "a:b \"c\"");
	assert_string_equal(must_device(fabric, 0xaa)->description, "s \"1\"");
	assert_int_equal(port->info.link_speed_code, 65536);
	assert_int_equal(port->info.link_width_active, 2);
	assert_int_equal(port->info.port_state, 2);
	assert_ptr_equal(port->peer, must_port(fabric, 0xaa, 17));
	assert_int_equal(must_port(fabric, 0xaa, 17)->info.link_speed_code, FIELD_UNKNOWN);
	/* Both ports of one CA, each with a GUID and a LID of its own. */
	assert_int_equal(must_port(fabric, 0xb1, 2)->guid, 0xb2);
	assert_int_equal(must_port(fabric, 0xb1, 2)->info.lid, 5);
	assert_int_equal(must_port(fabric, 0xb1, 2)->info.port_state, 3);
	/* The node with LID 9 is not shown: no link to nowhere, but a fact. */
	assert_null(must_port(fabric, 0xb1, 2)->peer);
	assert_int_equal(fabric->fact_count, 1);
	assert_non_null(strstr(fabric->facts[0].value, "LID 9 port 8"));
	fabric_free(fabric);
}

static void a_port_without_a_neighbour_has_no_width_and_no_speed(void **state)
{
	static const char text[] =
		"SW    12 41 0x00000000000000aa 4x SDR                                    'dunlin - 1'\n"
		"SW    12 40 0x00000000000000aa 4x ???                                    'dunlin - 1'\n"
		"SW    12  3 0x00000000000000aa 4x HDR - CA     7  2 0x00000000000000b1 ( 'dunlin - 1' - "
		"'ruff mlx5_1' )\n"
		"CA     7  2 0x00000000000000b1 4x HDR - SW    12  3 0x00000000000000aa ( 'ruff mlx5_1' - "
		"'dunlin - 1' )\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *idle = must_port(fabric, 0xaa, 41);

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->sources[0].rows, 4);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_null(idle->peer);
	assert_int_equal(idle->info.link_width_active, FIELD_UNKNOWN);
	assert_int_equal(idle->info.link_speed_code, FIELD_UNKNOWN);
	assert_int_equal(must_port(fabric, 0xaa, 40)->info.link_width_active, FIELD_UNKNOWN);
	assert_ptr_equal(must_port(fabric, 0xaa, 3)->peer, must_port(fabric, 0xb1, 2));
	assert_int_equal(must_port(fabric, 0xaa, 0)->info.lid, 12);
	assert_int_equal(must_port(fabric, 0xb1, 2)->info.lid, 7);
	assert_string_equal(must_device(fabric, 0xaa)->description, "dunlin - 1");
	fabric_free(fabric);
}

static void a_list_of_nodes_gives_ports_and_identity(void **state)
{
	static const char text[] =
		"Ca\t: 0x00000000000000b1 ports 2 \"ruff \"a\"\"\n"
		"Switch\t : 0x00000000000000aa ports 41 devid 0xd2f0 vendid 0x2c9 \"dunlin\"\n"
		"Switch\t: 0x00000000000000ab ports 36 \"knot\" base port 0 lid 4 lmc 0\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(must_device(fabric, 0xb1)->info.num_ports, 2);
	assert_string_equal(must_device(fabric, 0xb1)->description, "ruff \"a\"");
	assert_int_equal(must_device(fabric, 0xaa)->info.device_id, 0xd2f0);
	assert_int_equal(must_device(fabric, 0xab)->sw.enhanced_port0, 0);
	assert_int_equal(must_port(fabric, 0xab, 0)->info.lid, 4);
	fabric_free(fabric);
}

static void opensm_s_sl_to_vl_tables_are_folded_over_in_ports(void **state)
{
	struct fabric *fabric = import_samples("opensm-sl2vl.dump", NULL);
	const struct port *port = must_port(fabric, HERON_LEAF1, 17);
	const struct port *host = must_port(fabric, HERON_N01 + 1, 1);

	(void)state;
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(port->sl2vl_count, 1);
	assert_int_equal(port->sl2vl[0].in_first, 0);
	assert_int_equal(port->sl2vl[0].in_last, 20);
	assert_int_equal(port->sl2vl[0].vl[13], 1);
	assert_int_equal(port->sl2vl[0].vl[14], 15);
	assert_int_equal(host->sl2vl_count, 1);
	assert_int_equal(host->info.lid, 2);
	assert_null(device_port(port->device, 5));
	fabric_free(fabric);
}

static void an_sl_to_vl_row_with_a_lost_number_costs_itself(void **state)
{
	static const char text[] =
		"Switch 0x00000000000000aa, base LID 4, \"knot\"\n"
		"#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
		"0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
		"1   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6 \n"
		"2   1   : 0  1  2  3  4  5  6  77 0  1  2  3  4  5  6  7 \n"
		"#--------------------------------------------------------\n\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 2);
	assert_non_null(port_sl2vl(must_port(fabric, 0xaa, 1), 0));
	assert_null(port_sl2vl(must_port(fabric, 0xaa, 1), 1));
	assert_null(port_sl2vl(must_port(fabric, 0xaa, 1), 2));
	fabric_free(fabric);
}

static void ibdiagnet_s_sl_to_vl_rows_have_the_even_sl_in_the_high_nibble(void **state)
{
	static const char text[] = "# SL2VL\n0x00000000000000aa 1 5 0x01 0x23 0x45 0x67 0x89 0xab 0xcd 0xef\n"
				   "0x00000000000000aa 2 5 0x01 0x23 0x45 0x67 0x89 0xab 0xcd\n";
	struct fabric *fabric = import_text("t", text);
	const struct sl2vl *map = port_sl2vl(must_port(fabric, 0xaa, 5), 1);

	(void)state;
	assert_non_null(map);
	for (int sl = 0; sl < 16; sl++)
		assert_int_equal(map->vl[sl], sl);
	assert_null(port_sl2vl(must_port(fabric, 0xaa, 5), 2));
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

#define PAIR(second)                                                                              \
	"CA     4  1 0x00000000000000a1 4x EDR - SW     2 3 0x00000000000000b0 ( 'h1 mlx5_0' - 'leaf' )\n" \
	"CA     5  2 0x00000000000000" second                                                     \
	" 4x EDR - SW     2 4 0x00000000000000b0 ( 'h1 mlx5_0' - 'leaf' )\n"

static void ports_side_by_side_are_one_ca_and_the_source_says_so(void **state)
{
	struct fabric *fabric = import_text("list", PAIR("a2"));

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(must_port(fabric, 0xa1, 1)->info.lid, 4);
	assert_int_equal(must_port(fabric, 0xa1, 2)->info.lid, 5);
	assert_true(must_port(fabric, 0xa1, 2)->guid == 0xa2);
	assert_non_null(strstr(fabric->sources[0].detail, "one device's"));
	fabric_free(fabric);
}

static void ports_whose_guids_prove_nothing_stay_apart(void **state)
{
	struct fabric *fabric = import_text("list", PAIR("a9"));

	(void)state;
	assert_int_equal(fabric->device_count, 3);
	assert_null(fabric->sources[0].detail);
	fabric_free(fabric);
}

#define PORTS_CA "CA    12  1 0x00000000000000b1 4x HDR - SW     5  2 0x00000000000000a1 ( 'n 1' - 'o'leaf' )\n"
#define PORTS_FREE "SW     5  1 0x00000000000000a1 4x SDR                                    'o'leaf'\n"
#define PORTS_LEAF "SW     5  2 0x00000000000000a1 4x HDR - CA    12  1 0x00000000000000b1 ( 'o'leaf' - 'n 1' )\n"

/* ibnetdiscover -p ends each line with a name in quotes. */
static void a_line_of_ports_that_lost_its_end_is_told_and_has_no_free_port(void **state)
{
	static const size_t ends[] = {30, 40, 55, 66, 72, 90};
	struct fabric *whole = import_text("t", PORTS_CA PORTS_FREE PORTS_LEAF);

	(void)state;
	assert_int_equal(whole->sources[0].odd_rows, 0);
	assert_true(must_port(whole, 0xa1, 2)->peer == must_port(whole, 0xb1, 1));
	assert_string_equal(must_device(whole, 0xa1)->description, "o'leaf");
	assert_true(must_port(whole, 0xa1, 1)->source_of[ATTRIBUTE_NEIGHBOR] != 0);
	fabric_free(whole);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char text[200];
		struct fabric *fabric;

		snprintf(text, sizeof(text), "%.*s\n", (int)ends[i], PORTS_CA);
		fabric = import_text("t", text);
		assert_int_equal(fabric->sources[0].odd_rows, 1);
		assert_null(must_device(fabric, 0xb1)->description);
		/* The far end is told or not known: the port is not without one. */
		assert_true(must_port(fabric, 0xb1, 1)->peer ||
			    must_port(fabric, 0xb1, 1)->source_of[ATTRIBUTE_NEIGHBOR] == 0);
		fabric_free(fabric);
	}
}

static void a_guid_that_something_follows_directly_makes_no_device(void **state)
{
	static const char *const torn[] = {
		"SW     5  1 0xa1b2c3d4e5f[root@sm ~]# iblinkinfo\n",
		"SW     5  1 0xa1b2c3d4e5f==> next.txt <==\n",
		"SW     5  1 0xa1b2c3d4e5f-bash-4.2$ iblinkinfo\n",
		"CA    12  1 0x00000000000000b1 4x HDR - SW     5  2 0xa1b2c3d4e5f[root@sm ~]# exit\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(torn) / sizeof(torn[0]); i++) {
		char text[600];
		struct fabric *fabric;

		snprintf(text, sizeof(text), PORTS_CA PORTS_FREE PORTS_LEAF "%s", torn[i]);
		fabric = import_text("t", text);
		if (fabric_device_find(fabric, 0xa1b2c3d4e5f))
			fail_msg("text %zu makes a device", i);
		assert_int_equal(fabric->device_count, 2);
		assert_int_equal(fabric->sources[0].odd_rows, 1);
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_list_of_ports_alone_shows_the_fabric),
		cmocka_unit_test(behind_ibnetdiscover_they_find_its_nodes),
		cmocka_unit_test(iblinkinfo_tells_states_and_down_ports_have_no_speed),
		cmocka_unit_test(iblinkinfo_with_odd_words_is_read),
		cmocka_unit_test(a_port_without_a_neighbour_has_no_width_and_no_speed),
		cmocka_unit_test(a_list_of_nodes_gives_ports_and_identity),
		cmocka_unit_test(opensm_s_sl_to_vl_tables_are_folded_over_in_ports),
		cmocka_unit_test(an_sl_to_vl_row_with_a_lost_number_costs_itself),
		cmocka_unit_test(ibdiagnet_s_sl_to_vl_rows_have_the_even_sl_in_the_high_nibble),
		cmocka_unit_test(ports_side_by_side_are_one_ca_and_the_source_says_so),
		cmocka_unit_test(ports_whose_guids_prove_nothing_stay_apart),
		cmocka_unit_test(a_line_of_ports_that_lost_its_end_is_told_and_has_no_free_port),
		cmocka_unit_test(a_guid_that_something_follows_directly_makes_no_device),
	};

	return cmocka_run_group_tests_name("port_lists", tests, NULL, NULL);
}
