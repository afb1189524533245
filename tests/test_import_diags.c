/* smpquery, perfquery, ibqueryerrors, saquery. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/diag_records.h"
#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

static uint64_t counter(const struct port *port, enum counter which)
{
	assert_non_null(port->counters);
	assert_true(port->counters->known >> which & 1);
	return port->counters->value[which];
}

static bool saturated(const struct port *port, enum counter which)
{
	return port->counters->saturated >> which & 1;
}

static void answers_by_lid_find_the_node_that_a_nodeinfo_names(void **state)
{
	struct fabric *fabric = import_samples(
		"smpquery-PI-2.txt", "smpquery-PI-4.txt", "smpquery-SI-4.txt", "smpquery-SL2VL-2.txt",
		"smpquery-SL2VL-4.txt", "smpquery-VLArb-4.txt", "smpquery-GI-2.txt",
		"smpquery-NI-2.txt", "smpquery-NI-4.txt", "perfquery.txt", NULL);
	const struct port *host = must_port(fabric, HERON_N01, 1);
	const struct port *leaf = must_port(fabric, HERON_LEAF1, 1);

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->odd_line_count, 0);
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(host->info.lid, 2);
	assert_int_equal(host->info.lmc, 1);
	assert_int_equal(host->info.sm_lid, 2);
	assert_int_equal(host->info.vl_cap, 8);
	assert_int_equal(host->info.oper_vls, 4);
	assert_int_equal(host->info.neighbor_mtu, 2048);
	assert_int_equal(host->info.port_state, 4);
	assert_int_equal(host->info.link_speed_active, 53125);
	assert_int_equal(host->info.link_width_supported, 31);
	assert_int_equal(host->info.link_speed_supported, 0x707);
	assert_int_equal(host->guid, HERON_N01 + 1);
	assert_int_equal(host->guid_count, 1);
	assert_int_equal(host->sl2vl_count, 1);
	assert_int_equal(leaf->sl2vl_count, 1);
	assert_int_equal(leaf->sl2vl[0].in_last, 20);
	assert_int_equal(leaf->vlarb_low_count, 8);
	assert_int_equal(leaf->vlarb_low[0].vl, 2);
	assert_int_equal(leaf->vlarb_low[0].weight, 64);
	assert_int_equal(leaf->vlarb_high[1].weight, 32);
	assert_int_equal(leaf->device->sw.linear_fdb_top, 13);
	assert_int_equal(leaf->device->sw.enhanced_port0, 1);
	fabric_free(fabric);
}

static void what_only_end_ports_hold_is_unknown_on_a_switch_s_external_port(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover.txt", "smpquery-PI-4.txt", NULL);
	const struct port *port = must_port(fabric, HERON_LEAF1, 1);

	(void)state;
	assert_int_equal(port->info.lid, FIELD_UNKNOWN);
	assert_int_equal(port->info.gid_prefix, FIELD_UNKNOWN);
	assert_int_equal(port->info.capability_mask, FIELD_UNKNOWN);
	assert_int_equal(port->info.port_state, 4);
	fabric_free(fabric);
}

static void a_base_port_0_has_no_link_to_tell_of(void **state)
{
	static const char text[] =
		"# Node info: Lid 7\nNodeType:........................Switch\n"
		"NumPorts:........................36\nGuid:............................0x00000000000000aa\n"
		"PortGuid:........................0x00000000000000aa\nDevId:...........................0xcb20\n"
		"# Port info: Lid 7 port 0\n"
		"Mkey:............................0x1122334455667788\n"
		"Lid:.............................7\nLinkWidthActive:.................undefined (0)\n"
		"LinkState:.......................NoChange\nPhysLinkState:...................NoChange\n"
		"NeighborMTU:.....................?(0)\nVLCap:...........................?(0)\n"
		"VLHighLimit:.....................0\nOperVLs:.........................No change\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *port = must_port(fabric, 0xaa, 0);

	(void)state;
	assert_int_equal(port->info.lid, 7);
	assert_int_equal(port->info.port_state, FIELD_UNKNOWN);
	assert_int_equal(port->info.link_width_active, FIELD_UNKNOWN);
	assert_int_equal(port->info.vl_high_limit, FIELD_UNKNOWN);
	assert_int_equal(port->info.oper_vls, FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void speeds_take_the_extended_field_first_and_enabled_as_supported(void **state)
{
	static const char text[] =
		"# Node info: DR path slid 65535; dlid 65535; 0,1\n"
		"NodeType:........................Channel Adapter\n"
		"NumPorts:........................1\nGuid:............................0x00000000000000b1\n"
		"PortGuid:........................0x00000000000000b2\nLocalPort:.......................1\n"
		"# Port info: DR path slid 65535; dlid 65535; 0,1 port 0\n"
		"LocalPort:.......................1\n"
		"LinkWidthEnabled:................1X or 4X or 8X or 12X or 2X or undefined (255)\n"
		"LinkWidthSupported:..............1X or 4X or 2X\n"
		"LinkSpeedSupported:..............2.5 Gbps or 5.0 Gbps or 10.0 Gbps\n"
		"LinkSpeedActive:.................10.0 Gbps\n"
		"LinkSpeedEnabled:................2.5 Gbps or 5.0 Gbps or 10.0 Gbps or undefined (15)\n"
		"LinkSpeedExtActive:..............106.25 Gbps\n"
		"LinkSpeedExtSupported:...........25.78125 Gbps or 53.125 Gbps or 106.25 Gbps\n"
		"LinkSpeedExtEnabled:.............Extended link speeds disabled\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *port = must_port(fabric, 0xb1, 1);

	(void)state;
	assert_int_equal(port->guid, 0xb2);
	assert_int_equal(port->info.link_speed_active, 106250);
	assert_int_equal(port->info.link_speed_supported, 0x0e07);
	assert_int_equal(port->info.link_speed_enabled, 0x07);
	assert_int_equal(port->info.link_width_enabled, 19);
	fabric_free(fabric);
}

static void a_table_without_a_name_belongs_to_the_command_in_front(void **state)
{
	static const char log[] =
		"[root@wren ~]# smpquery pkeys 4 1\n"
		"   0: 0xffff 0x8001 0x0000 0x0002 0x0000 0x0000 0x0000 0x0000\n"
		"8 pkeys capacity for this port\n"
		"[root@wren ~]# smpquery -C mlx5_0 nd -G 0x00ca5e0000002021\n"
		"Node Description:..........................heron-n02 new\n";
	static const char known[] =
		"switchguid=0xca5e0000001000(ca5e0000001000)\n"
		"Switch\t20 \"S-00ca5e0000001000\"\t\t# \"heron-leaf1\" base port 0 lid 4 lmc 0\n"
		"[2]\t\"H-00ca5e0000002020\"[1](ca5e0000002021)\t\t# \"x\" lid 8 4xHDR\n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;
	const struct port *port;

	(void)state;
	import_text_add(files, "log", log, strlen(log));
	import_text_add(files, "known", known, strlen(known));
	fabric = import_text_run(files);
	port = must_port(fabric, HERON_LEAF1, 1);
	assert_int_equal(port->pkey_count, 3);
	assert_int_equal(port->pkeys[0], 0xffff);
	assert_int_equal(port->pkeys[2], 0x0002);
	assert_string_equal(must_device(fabric, HERON_N02)->description, "heron-n02 new");
	assert_int_equal(fabric->odd_line_count, 0);
	fabric_free(fabric);
}

static void a_table_of_nobody_is_told_once(void **state)
{
	struct fabric *fabric = import_samples("smpquery-PKeys-4.txt", NULL);

	(void)state;
	assert_int_equal(fabric->device_count, 0);
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

static void short_counters_at_their_end_are_at_least(void **state)
{
	static const char text[] =
		"# Port counters: Lid 4 port 17 (CapMask: 0x1300)\n"
		"PortSelect:......................17\nCounterSelect:...................0x0000\n"
		"SymbolErrorCounter:..............65535\nLinkDownedCounter:...............255\n"
		"PortRcvErrors:...................255\nPortXmitData:....................4294967295\n"
		"# Port counters: Lid 4 port 255 (CapMask: 0x1300)\n"
		"SymbolErrorCounter:..............77\n"
		"# Port extended counters: Lid 4 port 17 (CapMask: 0x5300 CapMask2: 0x0000002)\n"
		"PortXmitData:....................4294967295\nPortUnicastXmitPkts:.............12\n"
		"LinkDownedCounter:...............0\n"
		"# PortRcvErrorDetails counters: Lid 4 port 17\n"
		"PortMalformedPktErrors:..........3\nPortLocalPhysicalErrors:.........0\n";
	static const char known[] =
		"switchguid=0xaa(aa)\nSwitch\t20 \"S-aa\"\t\t# \"s\" base port 0 lid 4 lmc 0\n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;
	const struct port *port;

	(void)state;
	import_text_add(files, "perf", text, strlen(text));
	import_text_add(files, "known", known, strlen(known));
	fabric = import_text_run(files);
	port = must_port(fabric, 0xaa, 17);
	assert_int_equal(counter(port, COUNTER_symbol_error), 65535);
	assert_true(saturated(port, COUNTER_symbol_error));
	/* A 64-bit form at 0 beside it was never counted. */
	assert_true(saturated(port, COUNTER_link_downed));
	assert_int_equal(counter(port, COUNTER_link_downed), 255);
	assert_false(saturated(port, COUNTER_rcv_errors));
	/* The 64-bit form says that this is the number itself. */
	assert_int_equal(counter(port, COUNTER_xmit_data), UINT32_MAX);
	assert_false(saturated(port, COUNTER_xmit_data));
	assert_int_equal(counter(port, COUNTER_unicast_xmit_pkts), 12);
	assert_int_equal(counter(port, COUNTER_malformed_packet_errors), 3);
	assert_null(device_port(port->device, 255));
	fabric_free(fabric);
}

static void at_least_never_takes_the_place_of_a_larger_count(void **state)
{
	static const char wide[] =
		"# Port extended counters: Lid 4 port 17 (CapMask: 0x5300 CapMask2: 0x0000002)\n"
		"LinkDownedCounter:...............300\nPortXmitData:....................9\n";
	static const char narrow[] =
		"# Port counters: Lid 4 port 17 (CapMask: 0x1300)\n"
		"PortSelect:......................17\nSymbolErrorCounter:..............4\n"
		"LinkDownedCounter:...............255\n";
	static const char known[] =
		"switchguid=0xaa(aa)\nSwitch\t20 \"S-aa\"\t\t# \"s\" base port 0 lid 4 lmc 0\n";

	(void)state;
	/* Whichever is read first, as their names sort. */
	for (int i = 0; i < 2; i++) {
		struct import_text *files = import_text_new();
		struct fabric *fabric;
		const struct port *port;

		import_text_add(files, i ? "b" : "a", wide, strlen(wide));
		import_text_add(files, i ? "a" : "b", narrow, strlen(narrow));
		import_text_add(files, "known", known, strlen(known));
		fabric = import_text_run(files);
		port = must_port(fabric, 0xaa, 17);
		assert_int_equal(counter(port, COUNTER_link_downed), 300);
		assert_false(saturated(port, COUNTER_link_downed));
		assert_int_equal(counter(port, COUNTER_symbol_error), 4);
		fabric_free(fabric);
	}
}

static void the_same_counters_from_both_tools_agree(void **state)
{
	struct fabric *fabric = import_samples("ibnetdiscover.txt", "perfquery.txt", "perfquery-x.txt",
					       "ibqueryerrors.txt", NULL);
	const struct port *port = must_port(fabric, HERON_LEAF1, 1);

	(void)state;
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(fabric->odd_line_count, 0);
	assert_true(port->counters->known >> COUNTER_xmit_pkts & 1);
	fabric_free(fabric);
}

static void an_error_report_names_ports_and_the_sum_is_nobody_s(void **state)
{
	static const char text[] =
		"Errors for \"ruff mlx4_0\"\n"
		"   GUID 0x00000000000000b1 port 1: [VL15Dropped == 14] [PortXmitWait == 4294967295]\n"
		"   GUID 0x00000000000000b2 port 2: [PortXmitWait == 2]\n"
		"Errors for 0x00000000000000aa \"knot \"7\"\"\n"
		"   GUID 0x00000000000000aa port ALL: [SymbolErrorCounter == 70000 (68.359K)]\n"
		"   GUID 0x00000000000000aa port 5: [SymbolErrorCounter == 65535] [PortXmitDiscards == 65535 (63.999K)]\n"
		"       Link info:      9   5[  ] ==( 4X  25.78125 Gbps Active/  LinkUp)==>  "
		"0x00000000000000b1      3    1[  ] \"ruff mlx4_0\" ( )\n"
		"\n## Summary: 2 nodes checked, 2 bad nodes found\n## Thresholds: \n## Suppressed:\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *port = must_port(fabric, 0xaa, 5);

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(must_port(fabric, 0xb1, 2)->guid, 0xb2);
	assert_string_equal(must_device(fabric, 0xaa)->description, "knot \"7\"");
	assert_true(saturated(must_port(fabric, 0xb1, 1), COUNTER_xmit_wait));
	assert_true(saturated(port, COUNTER_symbol_error));
	assert_false(saturated(port, COUNTER_xmit_discards));
	assert_int_equal(counter(port, COUNTER_symbol_error), 65535);
	assert_ptr_equal(port->peer, must_port(fabric, 0xb1, 1));
	assert_int_equal(must_port(fabric, 0xaa, 0)->info.lid, 9);
	/* What is below its threshold is not printed: unknown, not 0. */
	assert_false(port->counters->known >> COUNTER_link_downed & 1);
	fabric_free(fabric);
}

static void queries_that_failed_are_holes_in_the_counters(void **state)
{
	static const char text[] =
		"ibwarn: [77] query_cap_mask: classportinfo query failed on knot, Lid 9 port 5\n"
		"ibwarn: [77] mad_rpc: _do_madrpc failed; dport (Lid 9)\n"
		"Errors for 0x00000000000000aa \"knot\"\n"
		"   GUID 0x00000000000000aa port 4: [PortXmitWait == 2]\n"
		"       Link info:      9   4[  ] ==(                Down/ Polling)==>             [  ] "
		"\"\" ( )\n\n## Summary: 1 nodes checked, 1 bad nodes found\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].attribute, ATTRIBUTE_CLASS_PORT_INFO);
	assert_ptr_equal(fabric->holes[0].device, must_device(fabric, 0xaa));
	assert_true(fabric->partial);
	assert_null(must_port(fabric, 0xaa, 4)->peer);
	fabric_free(fabric);
}

static void data_counters_name_nodes_and_their_neighbours_are_found_by_lid(void **state)
{
	struct fabric *fabric = import_samples("ibqueryerrors-counters.txt", NULL);

	(void)state;
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_int_equal(fabric->contradiction_count, 0);
	assert_heron_links(fabric, HERON_N01, HERON_N02, HERON_N03, HERON_N04);
	fabric_free(fabric);
}

static void sa_records_by_lid_find_the_nodes_of_another_file(void **state)
{
	struct fabric *fabric = import_samples("saquery-LFTR.txt", "saquery-SL2VL.txt",
					       "saquery-VLAR.txt", "saquery-PIR.txt",
					       "saquery-SMIR.txt", "ibnetdiscover.txt", NULL);
	const struct device *leaf = must_device(fabric, HERON_LEAF1);

	(void)state;
	assert_int_equal(fabric->device_count, 7);
	assert_int_equal(fabric->odd_line_count, 0);
	assert_true(lft_known(leaf, 2));
	assert_int_equal(leaf->lft[2], 1);
	assert_int_equal(leaf->lft[5], 17);
	assert_int_equal(leaf->lft[1], 255);
	assert_int_equal(leaf->ports[1]->info.oper_vls, 4);
	assert_int_equal(fabric->sm_count, 1);
	assert_int_equal(fabric->sms[0].state, 3);
	fabric_free(fabric);
}

static void records_of_all_kinds_are_taken_and_keys_are_not(void **state)
{
	static const char text[] =
		SA_NODE("9", "Switch", "36", "0x00000000000000aa", "0x00000000000000aa", "0", "knot: 1")
		SA_NODE("3", "Channel Adapter", "2", "0x00000000000000b1", "0x00000000000000b2", "1",
			"ruff")
		SA_LINK("9", "5", "1", "3") SA_SL2VL("9", "1", "5") SA_PKEYS("3", "1")
		SA_GUIDS("3", "0", "0x00000000000000b2", "0x00000000000000b9")
		"SMInfoRecord dump:\n\t\tRID\n\t\tLID...................3\n\t\tSMInfo dump:\n"
		"\t\tGUID..................0x00000000000000b2\n\t\tSM_Key................0x00000000deadbeef\n"
		"\t\tActCount..............12\n\t\tPriority..............7\n\t\tSMState...............2\n"
		SA_SWITCH("9")
		"PathRecord dump:\n\t\tdlid....................3\n\t\tsl......................0x0\n";
	struct fabric *fabric = import_text("t", text);
	const struct port *host = must_port(fabric, 0xb1, 1);
	const struct port *port = must_port(fabric, 0xaa, 5);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(fabric->device_count, 2);
	assert_string_equal(must_device(fabric, 0xaa)->description, "knot: 1");
	assert_int_equal(must_device(fabric, 0xaa)->info.device_id, 0xcb20);
	assert_int_equal(must_device(fabric, 0xaa)->sw.linear_fdb_top, 27);
	assert_ptr_equal(port->peer, host);
	assert_int_equal(port_sl2vl(port, 1)->vl[3], 1);
	assert_int_equal(host->pkey_count, 2);
	assert_int_equal(host->guid_count, 2);
	assert_int_equal(fabric->sms[0].priority, 7);
	assert_int_equal(fabric->sms[0].state, 2);
	assert_int_equal(fabric->fact_count, 0);
	fabric_free(fabric);
}

/* Two answers with the command lines of a terminal's log in front of them. */
static void an_answer_is_its_own_command_s_and_not_the_next_one_s(void **state)
{
	static const char text[] =
		"$ smpquery nodeinfo 7\n"
		"# Node info: Lid 7\n"
		"NodeType:........................Switch\n"
		"NumPorts:........................4\n"
		"Guid:............................0x00000000000000aa\n"
		"PortGuid:........................0x00000000000000aa\n"
		"LocalPort:.......................1\n"
		"$ smpquery portinfo 7 1\n"
		"# Port info: Lid 7 port 1\n"
		"LinkState:.......................Active\n"
		"NeighborMTU:.....................4096\n"
		"$ smpquery portinfo 7 2\n"
		"# Port info: Lid 7 port 2\n"
		"LinkState:.......................Down\n"
		"NeighborMTU:.....................256\n"
		"$ smpquery portinfo 7 3\n";
	struct fabric *fabric = import_text("log", text);

	(void)state;
	assert_int_equal(must_port(fabric, 0xaa, 1)->info.port_state, 4);
	assert_int_equal(must_port(fabric, 0xaa, 1)->info.neighbor_mtu, 4096);
	assert_int_equal(must_port(fabric, 0xaa, 2)->info.port_state, 1);
	assert_int_equal(must_port(fabric, 0xaa, 2)->info.neighbor_mtu, 256);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void no_lane_leads_from_port_0_to_itself(void **state)
{
	static const char text[] =
		"# Node info: Lid 7\n"
		"NodeType:........................Switch\n"
		"NumPorts:........................4\n"
		"Guid:............................0x00000000000000aa\n"
		"# SL2VL table: Lid 7\n"
		"#                 SL: | 0| 1| 2| 3| 4| 5| 6| 7| 8| 9|10|11|12|13|14|15|\n"
		"ports: in  0, out  0: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|\n"
		"ports: in  1, out  0: | 0| 1| 2| 3| 4| 5| 6| 7| 0| 1| 2| 3| 4| 5| 6| 7|\n";
	struct fabric *fabric = import_text("log", text);

	(void)state;
	assert_null(port_sl2vl(must_port(fabric, 0xaa, 0), 0));
	assert_non_null(port_sl2vl(must_port(fabric, 0xaa, 0), 1));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_by_lid_find_the_node_that_a_nodeinfo_names),
		cmocka_unit_test(what_only_end_ports_hold_is_unknown_on_a_switch_s_external_port),
		cmocka_unit_test(a_base_port_0_has_no_link_to_tell_of),
		cmocka_unit_test(speeds_take_the_extended_field_first_and_enabled_as_supported),
		cmocka_unit_test(a_table_without_a_name_belongs_to_the_command_in_front),
		cmocka_unit_test(a_table_of_nobody_is_told_once),
		cmocka_unit_test(short_counters_at_their_end_are_at_least),
		cmocka_unit_test(at_least_never_takes_the_place_of_a_larger_count),
		cmocka_unit_test(the_same_counters_from_both_tools_agree),
		cmocka_unit_test(an_error_report_names_ports_and_the_sum_is_nobody_s),
		cmocka_unit_test(queries_that_failed_are_holes_in_the_counters),
		cmocka_unit_test(data_counters_name_nodes_and_their_neighbours_are_found_by_lid),
		cmocka_unit_test(sa_records_by_lid_find_the_nodes_of_another_file),
		cmocka_unit_test(records_of_all_kinds_are_taken_and_keys_are_not),
		cmocka_unit_test(an_answer_is_its_own_command_s_and_not_the_next_one_s),
		cmocka_unit_test(no_lane_leads_from_port_0_to_itself),
	};

	return cmocka_run_group_tests_name("diags", tests, NULL, NULL);
}
