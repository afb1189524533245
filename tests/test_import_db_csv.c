#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"
#include "support/import_sample.h"
#include "support/import_text.h"

#define SWITCH UINT64_C(0x0008f10500650010)
#define HOST UINT64_C(0x0008f10500710021)

#define NODES                                                                                     \
	"START_NODES\n"                                                                           \
	"NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,"  \
	"DeviceID,PartitionCap,revision,VendorID,LocalPortNum\n"                                  \
	"\"aisle2-leaf1\",40,2,1,1,0x8f10500650010,0x0008f10500650010,0x0008f10500650010,53000,"  \
	"32,160,713,0\n"                                                                          \
	"\"store7 mlx5_0\",1,1,1,1,0x0008F10500710021,0x0008F10500710021,0x0008f10500710021,"     \
	"4123,128,0,713,1\n"                                                                      \
	"END_NODES\n"

#define LINKS                                                                                     \
	"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"                                    \
	"0x0008f10500710021,1,0x0008f10500650010,7\nEND_LINKS\n"

static void columns_are_found_by_name_in_any_order_and_case(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PORTS\n"
		"portnum,PORTGUID,NodeGUID,OpVLs,VLCap,NMTU,linkwidthactv,LinkSpeedActv,PortState,lid\n"
		"7,0x0008f10500650010,0x0008f10500650010,3,4,5,2,2052,4,0\n"
		"1,0x0008f10500710021,0x0008f10500710021,3,3,4,16,512,4,21\n"
		"END_PORTS\n" LINKS);
	struct port *leaf = must_port(fabric, SWITCH, 7);
	struct port *host = must_port(fabric, HOST, 1);

	(void)state;
	assert_string_equal(fabric->sources[0].format, "ibdiagnet2.db_csv");
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(fabric->sources[0].rows, 5);
	assert_int_equal(leaf->device->type, NODE_TYPE_SWITCH);
	assert_int_equal(leaf->device->info.num_ports, 40);
	assert_int_equal(leaf->info.oper_vls, 4);
	assert_int_equal(leaf->info.vl_cap, 8);
	assert_int_equal(leaf->info.neighbor_mtu, 4096);
	assert_int_equal(leaf->info.link_width_active, 4);
	assert_int_equal(leaf->info.link_speed_active, 106250);
	assert_int_equal(leaf->info.link_speed_code, 2052);
	assert_int_equal(host->info.neighbor_mtu, 2048);
	assert_int_equal(host->info.link_width_active, 2);
	assert_int_equal(host->info.link_speed_active, 25781);
	assert_int_equal(host->info.lid, 21);
	assert_true(host->peer == leaf);
	assert_true(leaf->peer == host);
	/* A switch's LID is port 0's; what its other ports print there is nothing. */
	assert_true(leaf->info.lid == FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void no_value_is_unknown_and_the_row_stays(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PORTS\n"
		"NodeGuid,PortGuid,PortNum,NMTU,VLHighLimit,CapMsk2,LMC,LinkSpeedActv,FECActv,OOOSLMask\n"
		"0x0008f10500710021,0x0008f10500710021, 1 ,ERR,-1,N/A,0,33554432,N/A,0x0000\n"
		"END_PORTS\n");
	struct port *host = must_port(fabric, HOST, 1);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_true(host->info.neighbor_mtu == FIELD_UNKNOWN);
	assert_true(host->info.vl_high_limit == FIELD_UNKNOWN);
	assert_true(host->info.capability_mask2 == FIELD_UNKNOWN);
	assert_int_equal(host->info.lmc, 0);
	/* A speed nobody knows keeps its code and has no rate. */
	assert_int_equal(host->info.link_speed_code, 33554432);
	assert_true(host->info.link_speed_active == FIELD_UNKNOWN);
	assert_int_equal(fabric->fact_count, 1);
	assert_string_equal(fabric->facts[0].key, "OOOSLMask");
	fabric_free(fabric);
}

static void quotes_and_commas_inside_a_description_stay(void **state)
{
	static const char head[] =
		"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,DeviceID\n";
	static const char rows[] =
		"\"he said \"go\", twice\",1,1,0x100010,4123\n"
		"\"ends with \",\",1,1,0x100011,4123\n"
		"plain, with a comma,1,1,0x100012,4123\n"
		"\"\xe9t\xe9\",1,1,0x100013,4123\n"
		"END_NODES\n";
	char text[sizeof(head) + sizeof(rows)];
	struct fabric *fabric;

	(void)state;
	strcpy(text, head);
	strcat(text, rows);
	fabric = import_text("x.csv", text);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_string_equal(must_device(fabric, 0x100010)->description, "he said \"go\", twice");
	assert_string_equal(must_device(fabric, 0x100011)->description, "ends with \",");
	assert_string_equal(must_device(fabric, 0x100012)->description, "plain, with a comma");
	assert_string_equal(must_device(fabric, 0x100013)->description, "\xe9t\xe9");
	assert_int_equal(must_device(fabric, 0x100011)->info.device_id, 4123);
	fabric_free(fabric);
}

static void a_base_port_0_is_not_down_and_an_enhanced_one_keeps_its_link(void **state)
{
	struct fabric *fabric = import_text("x.csv",
		"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,DeviceID\n"
		"\"base\",36,2,0x200000,0x200000,1\n\"enhanced\",36,2,0x300000,0x300000,1\n"
		"\"simulated\",36,2,0x400000,0x400000,1\nEND_NODES\n"
		"START_PORTS\n"
		"NodeGuid,PortGuid,PortNum,LID,PortState,PortPhyState,NMTU,VLCap,OpVLs,LinkWidthActv\n"
		"0x200000,0x200000,0,5,0,0,0,0,0,0\n0x300000,0x300000,0,6,4,5,4,1,1,1\n0x400000,0x400000,0,7,4,5,4,4,4,2\n"
		"END_PORTS\n"
		"START_SWITCHES\nNodeGUID,LinearFDBTop,ENP0\n0x200000,9,0\n0x300000,9,1\n0x400000,9,0\n"
		"END_SWITCHES\n");
	struct port *base = must_port(fabric, 0x200000, 0);
	struct port *enhanced = must_port(fabric, 0x300000, 0);
	struct port *simulated = must_port(fabric, 0x400000, 0);

	(void)state;
	assert_int_equal(base->info.lid, 5);
	assert_true(base->info.port_state == FIELD_UNKNOWN);
	assert_true(base->info.vl_cap == FIELD_UNKNOWN);
	assert_true(base->info.oper_vls == FIELD_UNKNOWN);
	assert_int_equal(enhanced->info.port_state, 4);
	assert_int_equal(enhanced->info.neighbor_mtu, 2048);
	assert_int_equal(simulated->info.lid, 7);
	assert_true(simulated->info.port_state == FIELD_UNKNOWN);
	assert_true(simulated->info.link_width_active == FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void the_64_bit_twin_is_the_counter_and_a_full_short_one_is_at_least(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PM_INFO\nNodeGUID,PortGUID,PortNumber,SymbolErrorCounter,PortXmitData,"
		"SymbolErrorCounterExt,PortXmitDataExtended,LinkDownedCounter\n"
		"0x0008f10500650010,0x0008f10500650010,1,65535,4294967295,90001,"
		"18446744073709551613,255\n"
		"0x0008f10500650010,0x0008f10500650010,2,65535,4294967295,N/A,N/A,0\n"
		"0x0008f10500650010,0x0008f10500650010,3,12,0,0,0,N/A\n"
		"END_PM_INFO\n");
	const struct port_counters *one = must_port(fabric, SWITCH, 1)->counters;
	const struct port_counters *two = must_port(fabric, SWITCH, 2)->counters;
	const struct port_counters *three = must_port(fabric, SWITCH, 3)->counters;

	(void)state;
	assert_true(one->value[COUNTER_symbol_error] == 90001);
	assert_true(one->value[COUNTER_xmit_data] == UINT64_C(18446744073709551613));
	assert_false(one->saturated >> COUNTER_symbol_error & 1);
	assert_true(one->saturated >> COUNTER_link_downed & 1);
	assert_true(two->value[COUNTER_symbol_error] == 65535);
	assert_true(two->saturated >> COUNTER_symbol_error & 1);
	assert_true(two->saturated >> COUNTER_xmit_data & 1);
	/* A twin of zeros beside errors was never counted. */
	assert_true(three->value[COUNTER_symbol_error] == 12);
	assert_false(three->known >> COUNTER_link_downed & 1);
	fabric_free(fabric);
}

static void keys_are_never_kept(void **state)
{
	struct fabric *fabric = import_text("x.csv",
		"START_RUN_INFO\nDate,Args\n\"2024-03-01 00:00:00 UTC +0000\",\"--m_key 0x5ec2e7\"\n"
		"END_RUN_INFO\n" NODES
		"START_PORTS\nNodeGuid,PortGuid,PortNum,MKey,LID\n"
		"0x0008f10500710021,0x0008f10500710021,1,0x00000000005ec2e7,4\nEND_PORTS\n"
		"START_SM_INFO\nNodeGUID,PortGUID,PortNumber,GUID,Sm_Key,ActCount,SmState,Priority\n"
		"0x0008f10500710021,0x0008f10500710021,1,0x0008f10500710021,0x00000000005ec2e7,77,3,9\n"
		"END_SM_INFO\n"
		"START_AR_INFO\nNodeGUID,e,VSKey\n0x0008f10500650010,1,0x5ec2e7\nEND_AR_INFO\n");

	(void)state;
	assert_int_equal(fabric->taken_at, 1709251200);
	assert_int_equal(fabric->sm_count, 1);
	assert_int_equal(fabric->sms[0].priority, 9);
	assert_int_equal(fabric->sms[0].state, 3);
	for (size_t i = 0; i < fabric->fact_count; i++)
		assert_null(strstr(fabric->facts[i].value, "5ec2e7"));
	assert_int_equal(fabric->fact_count, 2);
	fabric_free(fabric);
}

static void a_cable_without_values_is_no_cable(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_CABLE_INFO\nNodeGuid,PortGuid,PortNum,Vendor,PN,Temperature\n"
		"0x0008f10500650010,0x0008f10500650010,1,\"Wirewerk   \",\"QQ-1 \",\"N/A\"\n"
		"0x0008f10500650010,0x0008f10500650010,2,\"N/A\",\"N/A\",\"ERR\"\nEND_CABLE_INFO\n");

	(void)state;
	assert_int_equal(fabric->fact_count, 2);
	assert_string_equal(fabric->facts[0].section, "cable");
	assert_string_equal(fabric->facts[0].value, "Wirewerk");
	assert_string_equal(fabric->facts[1].value, "QQ-1");
	assert_int_equal(fabric->facts[1].port, 1);
	fabric_free(fabric);
}

static void pkeys_carry_their_membership(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PKEY\nNodeGUID,PortGUID,LocalPortNum,BlockNum,Index,PKey,Membership\n"
		"0x0008f10500710021,0x0008f10500710021,1,0,0,0x7fff,0\n"
		"0x0008f10500710021,0x0008f10500710021,1,0,1,0x0012,1\nEND_PKEY\n");
	const struct port *host = must_port(fabric, HOST, 1);

	(void)state;
	assert_int_equal(host->pkey_count, 2);
	assert_int_equal(host->pkeys[0], 0x7fff);
	assert_int_equal(host->pkeys[1], 0x8012);
	fabric_free(fabric);
}

static void firmware_comes_from_the_extended_version(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_NODES_INFO\nNodeGUID,FWInfo_SubMinor,FWInfo_Minor,FWInfo_Major,FWInfo_PSID,"
		"FWInfo_Extended_Major,FWInfo_Extended_Minor,FWInfo_Extended_SubMinor\n"
		"0x0008f10500650010,0x00,0x00,0x00,XY_0000000042,0x0000001b,0x000007d8,0x00000064\n"
		"0x0008f10500710021,0x00,0x00,0x00,N/A,N/A,N/A,N/A\nEND_NODES_INFO\n");

	(void)state;
	assert_string_equal(must_device(fabric, SWITCH)->fw_version, "27.2008.0100");
	assert_string_equal(must_device(fabric, SWITCH)->psid, "XY_0000000042");
	assert_null(must_device(fabric, HOST)->fw_version);
	assert_null(must_device(fabric, HOST)->psid);
	fabric_free(fabric);
}

static void one_guid_with_two_shapes_is_two_devices(void **state)
{
	struct fabric *fabric = import_text("x.csv",
		"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,DeviceID,LocalPortNum\n"
		"\"n1\",1,1,0x500000,0x500001,4123,1\n\"n2\",2,1,0x500000,0x500008,4119,1\n\"n1\",1,1,0x500000,0x500001,4123,1\n"
		"END_NODES\n"
		"START_PORTS\nNodeGuid,PortGuid,PortNum,LID\n0x500000,0x500001,1,8\n0x500000,0x500008,1,9\nEND_PORTS\n");
	struct device *first = must_device(fabric, 0x500000);
	struct device *second = first->same_guid;

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_non_null(second);
	assert_string_equal(second->description, "n2");
	assert_int_equal(device_port(first, 1)->info.lid, 8);
	assert_int_equal(device_port(second, 1)->info.lid, 9);
	assert_non_null(strstr(first->place, "x.csv:3"));
	assert_non_null(strstr(second->place, "x.csv:4"));
	fabric_free(fabric);
}

static void a_port_with_two_partners_is_in_two_places(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"
		"0x0008f10500650010,7,0x0008f10500710021,1\n"
		"0x0008f10500710021,1,0x0008f10500650010,7\n"
		"0x0008f10500650010,9,0x0008f10500710021,1\nEND_LINKS\n");

	(void)state;
	assert_int_equal(fabric->guid_conflict_count, 1);
	assert_true(fabric->guid_conflicts[0].guid == HOST);
	assert_int_equal(fabric->guid_conflicts[0].place_a->num, 7);
	assert_int_equal(fabric->guid_conflicts[0].place_b->num, 9);
	assert_int_equal(must_port(fabric, HOST, 1)->peer->num, 7);
	fabric_free(fabric);
}

static void a_port_told_twice_with_two_lids_is_two_owners(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PORTS\nNodeGuid,PortGuid,PortNum,LID\n"
		"0x0008f10500710021,0x0008f10500710021,1,8\n"
		"0x0008f10500650010,0x0008f10500650010,0,3\n"
		"0x0008f10500650010,0x0008f10500650010,0,3\n"
		"0x0008f10500710021,0x0008f10500710021,1,9\nEND_PORTS\n");

	(void)state;
	assert_int_equal(fabric->guid_conflict_count, 1);
	assert_true(fabric->guid_conflicts[0].guid == HOST);
	assert_non_null(strstr(fabric->guid_conflicts[0].detail, "LID 9 instead of 8"));
	assert_int_equal(must_port(fabric, HOST, 1)->info.lid, 8);
	fabric_free(fabric);
}

static void an_odd_row_costs_itself(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PORTS\nNodeGuid,PortGuid,PortNum,LID,LMC\n"
		"0x0008f10500710021,0x0008f10500710021,1\n"
		"0x0008f10500710021,0x0008f10500710021,300,1,0\n"
		"nonsense,0x0008f10500710021,1,1,0\n"
		"0x0008f10500710021,0x0008f10500710021,1,17,9\n"
		"END_PORTS\nstray\n" LINKS "START_PKEY\nNodeGUID\n0x00");

	(void)state;
	assert_int_equal(must_port(fabric, HOST, 1)->info.lid, 17);
	assert_true(must_port(fabric, HOST, 1)->info.lmc == FIELD_UNKNOWN);
	assert_non_null(must_port(fabric, HOST, 1)->peer);
	assert_int_equal(fabric->sources[0].odd_rows, 7);
	assert_int_equal(fabric->odd_lines[0].line, 8);
	assert_string_equal(fabric->odd_lines[0].text, "0x0008f10500710021,0x0008f10500710021,1");
	fabric_free(fabric);
}

/* The hole that says the file is cut, or NULL. */
static const struct hole *find_cut(const struct fabric *fabric, enum attribute attribute)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].reason == HOLE_CUT && fabric->holes[i].attribute == attribute)
			return &fabric->holes[i];
	}
	return NULL;
}

#define PROMISE "# INDEX_TABLE offset: 100, line: 20\n\n"
#define INDEX "START_INDEX_TABLE\nName, Offset, Size, Line, Rows\nEND_INDEX_TABLE\n"

/* Value of the port's fact, or NULL. */
static const char *fact_of(const struct fabric *fabric, int port, const char *section,
			   const char *key)
{
	for (size_t i = 0; i < fabric->fact_count; i++) {
		const struct fact *fact = &fabric->facts[i];

		if (fact->port == port && strcmp(fact->section, section) == 0 &&
		    strcmp(fact->key, key) == 0)
			return fact->value;
	}
	return NULL;
}

static void fec_and_what_was_counted_during_the_run_are_facts(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES LINKS
		"START_FEC_MODE\nNodeGuid,PortGuid,PortNum,FECActv,HDRFECSup,NDRFECSup\n"
		"0x0008f10500650010,0x0008f10500650010,7,4,0x6018,0x0000\nEND_FEC_MODE\n"
		"START_PM_DELTA\nNodeGUID,PortGUID,PortNumber,SymbolErrorCounter,LinkDownedCounter,"
		"retransmission_per_sec,PortVLMappingErrors\n"
		"0x0008f10500650010,0x0008f10500650010,7,12,0,0xfffffffffffffffe,-1\nEND_PM_DELTA\n");

	(void)state;
	assert_string_equal(fact_of(fabric, 7, "fec", "FECActv"), "4");
	assert_string_equal(fact_of(fabric, 7, "fec", "HDRFECSup"), "0x6018");
	assert_null(fact_of(fabric, 7, "fec", "NDRFECSup"));
	assert_string_equal(fact_of(fabric, 7, "counter-delta", "SymbolErrorCounter"), "12");
	assert_null(fact_of(fabric, 7, "counter-delta", "LinkDownedCounter"));
	assert_null(fact_of(fabric, 7, "counter-delta", "retransmission_per_sec"));
	assert_null(fact_of(fabric, 7, "counter-delta", "PortVLMappingErrors"));
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_database_cut_in_front_of_its_links_says_so(void **state)
{
	struct fabric *fabric = import_text("x.csv", PROMISE NODES);

	(void)state;
	assert_non_null(find_cut(fabric, ATTRIBUTE_NODE_INFO));
	assert_non_null(strstr(find_cut(fabric, ATTRIBUTE_NODE_INFO)->text, "links"));
	assert_non_null(find_cut(fabric, ATTRIBUTE_NEIGHBOR));
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void a_database_that_breaks_off_in_a_section_is_partial(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x0008f10500710021,1,0x00");

	(void)state;
	assert_string_equal(find_cut(fabric, ATTRIBUTE_NODE_INFO)->text,
			    "it breaks off in the section LINKS (its last line is 8)");
	assert_true(fabric->partial);
	assert_int_not_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_whole_database_is_not_partial(void **state)
{
	struct fabric *fabric = import_text("x.csv", PROMISE NODES LINKS INDEX);

	(void)state;
	assert_false(fabric->partial);
	assert_int_equal(fabric->hole_count, 0);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_warning_finds_its_device_further_down(void **state)
{
	struct fabric *fabric = import_text("x.csv",
		"START_WARNINGS_SOMETHING\nScope,NodeGUID,PortGUID,PortNumber,EventName,Summary\n"
		"NODE,0x0008f10500650010,0x00,0x00,NODE_QUIET,\"no answer, twice\"\n"
		"NODE,0x0000000000000099,0x00,0x00,NODE_QUIET,\"unheard of\"\n"
		"END_WARNINGS_SOMETHING\n" NODES);

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_string_equal(fabric->facts[0].section, "ibdiagnet-warning");
	assert_string_equal(fabric->facts[0].value, "no answer, twice");
	assert_true(fabric->facts[0].device == must_device(fabric, SWITCH));
	assert_null(fabric->facts[1].device);
	fabric_free(fabric);
}

static void fdr10_shows_in_the_extended_section_alone(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PORTS\nNodeGuid,PortGuid,PortNum,LinkSpeedActv\n"
		"0x0008f10500710021,0x0008f10500710021,1,4\n"
		"0x0008f10500650010,0x0008f10500650010,7,4\nEND_PORTS\n"
		"START_EXTENDED_PORT_INFO\nNodeGuid,PortGuid,PortNum,LinkSpeedActive\n"
		"0x0008f10500710021,0x0008f10500710021,1,0x01\n"
		"0x0008f10500650010,0x0008f10500650010,7,0x00\nEND_EXTENDED_PORT_INFO\n");

	(void)state;
	assert_string_equal(speed_name(must_port(fabric, HOST, 1)->info.link_speed_active), "FDR10");
	assert_string_equal(speed_name(must_port(fabric, SWITCH, 7)->info.link_speed_active), "QDR");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_are_found_by_name_in_any_order_and_case),
		cmocka_unit_test(no_value_is_unknown_and_the_row_stays),
		cmocka_unit_test(quotes_and_commas_inside_a_description_stay),
		cmocka_unit_test(a_base_port_0_is_not_down_and_an_enhanced_one_keeps_its_link),
		cmocka_unit_test(the_64_bit_twin_is_the_counter_and_a_full_short_one_is_at_least),
		cmocka_unit_test(keys_are_never_kept),
		cmocka_unit_test(a_cable_without_values_is_no_cable),
		cmocka_unit_test(pkeys_carry_their_membership),
		cmocka_unit_test(firmware_comes_from_the_extended_version),
		cmocka_unit_test(one_guid_with_two_shapes_is_two_devices),
		cmocka_unit_test(a_port_with_two_partners_is_in_two_places),
		cmocka_unit_test(a_port_told_twice_with_two_lids_is_two_owners),
		cmocka_unit_test(an_odd_row_costs_itself),
		cmocka_unit_test(fec_and_what_was_counted_during_the_run_are_facts),
		cmocka_unit_test(a_database_cut_in_front_of_its_links_says_so),
		cmocka_unit_test(a_database_that_breaks_off_in_a_section_is_partial),
		cmocka_unit_test(a_whole_database_is_not_partial),
		cmocka_unit_test(a_warning_finds_its_device_further_down),
		cmocka_unit_test(fdr10_shows_in_the_extended_section_alone),
	};

	return cmocka_run_group_tests_name("import_db_csv", tests, NULL, NULL);
}
