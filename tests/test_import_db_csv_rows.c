/* Rows of ibdiagnet2.db_csv that do not fit: what they cost, and what they may not tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
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

#define SM_INFO(rows)                                                                             \
	"START_SM_INFO\nNodeGUID,PortGUID,PortNumber,GUID,Sm_Key,ActCount,SmState,Priority\n" rows \
	"END_SM_INFO\n"
#define SM_ROW "0x0008f10500710021,0x0008f10500710021,1,0x0008f10500710021,0x0,7,3,12"

static size_t count_unclear(const struct fabric *fabric, enum attribute attribute)
{
	size_t count = 0;

	for (size_t i = 0; i < fabric->hole_count; i++)
		count += fabric->holes[i].reason == HOLE_ODD && fabric->holes[i].attribute == attribute;
	return count;
}

static void a_value_too_many_without_a_place_costs_the_row(void **state)
{
	static const char head[] = "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,DeviceID\n";
	static const char *const rows[] = {
		"\"host, 1\",1,1,0x0008f10500710021,0x0008f10500710021,4123,7\n",
		"host,1,1,0x0008f10500710021,0x0008f10500710021,4123,7\n",
		"7,\"host\",1,1,0x0008f10500710021,0x0008f10500710021,4123\n",
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fabric *fabric;

		snprintf(text, sizeof(text), "%s%s\"other\",1,1,0x0008f10500710031,0x0008f10500710031,"
			 "4123\nEND_NODES\n", head, rows[i]);
		fabric = import_text("x.csv", text);
		assert_int_equal(fabric->device_count, 1);
		assert_string_equal(must_device(fabric, 0x0008f10500710031)->description, "other");
		assert_int_equal(fabric->sources[0].odd_rows, 1);
		assert_int_equal(count_unclear(fabric, ATTRIBUTE_NODE_INFO), 1);
		fabric_free(fabric);
	}
}

static void commas_and_blanks_behind_a_line_are_padding(void **state)
{
	static const char text[] =
		"START_NODES,,, \n NodeDesc,NumPorts,NodeType,NodeGUID,DeviceID,,\n"
		"\"host, 1\",1,1,0x0008f10500710021,4123,, \n"
		"\tEND_NODES,,\n,,,,\nSTART_PORTS \nNodeGuid,PortGuid,PortNum,LID\n"
		"  0x0008f10500710021,0x0008f10500710021,1,8,\nEND_PORTS \n";
	struct fabric *fabric = import_text("x.csv", text);

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_string_equal(must_device(fabric, HOST)->description, "host, 1");
	assert_int_equal(must_device(fabric, HOST)->info.device_id, 4123);
	assert_int_equal(must_port(fabric, HOST, 1)->info.lid, 8);
	fabric_free(fabric);
}

static void rows_not_understood_are_not_absent(void **state)
{
	static const struct {
		const char *text;
		size_t unclear;
		size_t sms;
	} cases[] = {
		{NODES SM_INFO(SM_ROW "\n"), 0, 1},
		{NODES SM_INFO(""), 0, 0},
		{NODES SM_INFO(SM_ROW ",x\n"), 1, 0},
		{NODES "START_SM_INFO\n" SM_ROW "\nEND_SM_INFO\n", 1, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = import_text("x.csv", cases[i].text);

		assert_int_equal(count_unclear(fabric, ATTRIBUTE_SM_INFO), cases[i].unclear);
		assert_int_equal(fabric->sm_count, cases[i].sms);
		assert_int_equal(fabric->sources[0].odd_rows, cases[i].unclear);
		assert_true(fabric->asked >> ATTRIBUTE_SM_INFO & 1);
		fabric_free(fabric);
	}
}

static void what_can_be_no_guid_makes_no_device(void **state)
{
	static const char *const guids[] = {"0x0", "0x0000000000000000", "0xffffffffffffffff",
					    "0xfffffffffffffffe", "0x1", "0x000007dc", "2025",
					    "8f10500710021"};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(guids) / sizeof(guids[0]); i++) {
		struct fabric *fabric;

		snprintf(text, sizeof(text), NODES "START_TEMP_SENSING\nNodeGUID,CurrentTemperature\n"
			 "%s,40\nEND_TEMP_SENSING\n", guids[i]);
		fabric = import_text("x.csv", text);
		assert_int_equal(fabric->device_count, 2);
		assert_int_equal(fabric->sources[0].odd_rows, 1);
		fabric_free(fabric);
	}
}

/* Firmware without its settings answers with such a GUID, and zero-guid says so. */
static void a_device_that_answers_with_nobodys_guid_is_one(void **state)
{
	struct fabric *fabric = import_text("x.csv",
		"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,LocalPortNum\n"
		"\"blank\",1,1,0x0000000000000000,0x0000000000000000,1\nEND_NODES\n"
		"START_TEMP_SENSING\nNodeGUID,CurrentTemperature\n0x0000000000000000,40\n"
		"END_TEMP_SENSING\n");

	(void)state;
	assert_int_equal(fabric->device_count, 1);
	assert_int_equal(fabric->devices[0]->guid, 0);
	assert_int_equal(fabric->fact_count, 1);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

static void a_port_guid_of_nobody_is_told_and_a_blank_one_is_not(void **state)
{
	static const char *const guids[] = {"0x0000000000000000", "0xffffffffffffffff", "N/A"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char text[512];
		struct fabric *fabric;
		struct port *port;

		snprintf(text, sizeof(text),
			 "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,LocalPortNum\n"
			 "\"blank\",1,1,0x0008f10500710021,%s,1\nEND_NODES\n"
			 "START_PORTS\nNodeGUID,PortNum,PortState\n0x0008f10500710021,1,4\nEND_PORTS\n",
			 guids[i]);
		fabric = import_text("x.csv", text);
		port = must_port(fabric, HOST, 1);
		assert_true(port->guid == 0);
		assert_int_equal(port->source_of[ATTRIBUTE_NODE_INFO] != 0, i < 2);
		fabric_free(fabric);
	}
}

static void a_counter_that_is_not_available_is_none(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES
		"START_PM_INFO\nNodeGUID,PortGUID,PortNumber,LinkDownedCounter,LinkDownedCounterExt,"
		"PortXmitWait,PortXmitWaitExt\n"
		"0x0008f10500710021,0x0008f10500710021,1,0xfffffffffffffffe,0xfffffffffffffffe,"
		"5,0xfffffffffffffffe\nEND_PM_INFO\n");
	const struct port_counters *counters = must_port(fabric, HOST, 1)->counters;

	(void)state;
	assert_int_equal(counters->known, UINT64_C(1) << COUNTER_xmit_wait);
	assert_int_equal(counters->value[COUNTER_xmit_wait], 5);
	assert_int_equal(counters->saturated, 0);
	fabric_free(fabric);
}

#define TOLD                                                                                      \
	"START_RUN_INFO\nVersion\n2.10.0\nEND_RUN_INFO\n" NODES                                   \
	"START_TEMP_SENSING\nNodeGUID,CurrentTemperature\n0x0008f10500710021,40\nEND_TEMP_SENSING\n" \
	"START_WARNINGS_X\nScope,NodeGUID,PortGUID,PortNumber,EventName,Summary\n"                 \
	"NODE,0x0008f10500710021,0x0,0,HOT,\"is hot\"\n"                                            \
	"NODE,0x0008f10500650010,0x0,0,HOT,\"is hot\"\nEND_WARNINGS_X\n"

static void a_file_twice_in_one_tells_its_facts_once(void **state)
{
	struct fabric *once = import_text("x.csv", TOLD);
	struct fabric *twice = import_text("x.csv", TOLD TOLD);

	(void)state;
	assert_int_equal(once->fact_count, 4);
	assert_int_equal(twice->fact_count, 4);
	fabric_free(once);
	fabric_free(twice);
}

/* The event's text is the last column; a line cut in it has all its commas. */
static void a_text_that_lost_its_closing_quote_costs_the_row(void **state)
{
	static const char head[] = NODES "START_WARNINGS_X\nScope,NodeGUID,PortGUID,PortNumber,EventName,"
				   "Summary\nNODE,0x0008f10500650010,0x00,0x00,NODE_QUIET,";
	static const char *const ends[] = {"\"no answer, twice\"\n", "\"no answer, tw\n", "\"\n"};
	char text[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct fabric *fabric;

		snprintf(text, sizeof(text), "%s%sEND_WARNINGS_X\n", head, ends[i]);
		fabric = import_text("x.csv", text);
		assert_int_equal(fabric->fact_count, i == 0);
		assert_int_equal(fabric->sources[0].odd_rows, i != 0);
		fabric_free(fabric);
	}
}

/* Between the two names a section's end, another's start and its heading are gone. */
static void a_section_that_ends_as_another_is_told(void **state)
{
	struct fabric *whole = import_text("x.csv", NODES SM_INFO(SM_ROW "\n"));
	struct fabric *lost = import_text("x.csv", NODES "START_SM_INFO\n"
		"NodeGUID,PortGUID,PortNumber,GUID,Sm_Key,ActCount,SmState,Priority\n" SM_ROW "\n"
		"END_EXTENDED_NODE_INFO,,,\n");

	(void)state;
	assert_int_equal(whole->sources[0].odd_rows, 0);
	assert_int_equal(lost->sources[0].odd_rows, 1);
	assert_true(lost->partial);
	assert_non_null(strstr(lost->holes[0].text, "section SM_INFO ends as EXTENDED_NODE_INFO"));
	fabric_free(whole);
	fabric_free(lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_too_many_without_a_place_costs_the_row),
		cmocka_unit_test(commas_and_blanks_behind_a_line_are_padding),
		cmocka_unit_test(rows_not_understood_are_not_absent),
		cmocka_unit_test(what_can_be_no_guid_makes_no_device),
		cmocka_unit_test(a_device_that_answers_with_nobodys_guid_is_one),
		cmocka_unit_test(a_port_guid_of_nobody_is_told_and_a_blank_one_is_not),
		cmocka_unit_test(a_counter_that_is_not_available_is_none),
		cmocka_unit_test(a_file_twice_in_one_tells_its_facts_once),
		cmocka_unit_test(a_text_that_lost_its_closing_quote_costs_the_row),
		cmocka_unit_test(a_section_that_ends_as_another_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
