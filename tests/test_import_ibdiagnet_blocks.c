/* ibdiagnet2.pm, .cables and .nodes_info with lines lost: no block goes on in another port's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_sample.h"
#include "support/import_text.h"

#define LEAF UINT64_C(0x0008f10500650010)
#define HOST UINT64_C(0x0008f10500710021)

#define RULE "-------------------------------------------------------\n"
#define PORT(num) RULE "Port=" num " Lid=0x0003 GUID=0x0008f10500650010 Port Name=leaf/U1/P" num "\n" RULE
#define PM(down) "link_down_counter=" down "\nsymbol_error_counter=" down "\nport_rcv_errors=" down "\n\n"
#define CABLE(sn) "Source: PHY\nVendor: Wirewerk\nPN: QQ-1\nSN: " sn "\n\n"
#define NODE(guid, fw)                                                                            \
	"GUID=" guid "\nFWInfo_Version=0.0.0\nFWInfo_PSID=XY_0000000042\n"                        \
	"FWInfo_Extended_Version=" fw "\n\n"

static uint64_t downs(const struct fabric *fabric, unsigned num)
{
	const struct port *port = device_port(must_device(fabric, LEAF), num);

	return port && port->counters ? port->counters->value[COUNTER_link_downed] : UINT64_MAX;
}

static void counters_behind_a_lost_title_are_nobodys(void **state)
{
	struct fabric *whole = import_text("a.pm", PORT("1") PM("0x00000001") PORT("2") PM("0x00000002"));
	struct fabric *lost = import_text("a.pm", PORT("1") PM("0x00000001") PM("0x00000002")
					  PORT("3") PM("0x00000003"));

	(void)state;
	assert_int_equal(whole->sources[0].odd_rows, 0);
	assert_int_equal(downs(whole, 1), 1);
	assert_int_equal(downs(whole, 2), 2);
	assert_int_equal(lost->sources[0].odd_rows, 3);
	assert_int_equal(downs(lost, 1), 1);
	assert_int_equal(downs(lost, 3), 3);
	fabric_free(whole);
	fabric_free(lost);
}

static void a_cable_behind_a_lost_title_is_nobodys(void **state)
{
	struct fabric *whole = import_text("a.cables", PORT("1") CABLE("s1") PORT("2") CABLE("s2"));
	/* The end of the first and the beginning of the second are gone, too. */
	struct fabric *lost = import_text("a.cables", PORT("1") "Source: PHY\nVendor: Wirewerk\n"
					  "PN: QQ-1\nVendor: Wirewerk\nPN: QQ-2\nSN: s2\n");

	(void)state;
	assert_int_equal(whole->fact_count, 8);
	assert_int_equal(lost->fact_count, 3);
	assert_string_equal(lost->facts[2].value, "QQ-1");
	assert_int_equal(lost->sources[0].odd_rows, 3);
	fabric_free(whole);
	fabric_free(lost);
}

/* The GUID stands in the block. */
static void a_node_without_its_title_is_a_node(void **state)
{
	static const char *const texts[] = {
		RULE "Node Name=leaf/U1\n" RULE NODE("0x0008f10500650010", "27.1.1")
		NODE("0x0008f10500710021", "28.1.1"),
		RULE "Node Name=leaf/U1\n" RULE NODE("0x0008f10500650010", "27.1.1")
		"FWInfo_PSID=XY_0000000043\nFWInfo_Extended_Version=28.1.1\n",
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fabric *fabric = import_text("a.nodes_info", texts[i]);

		assert_string_equal(must_device(fabric, LEAF)->fw_version, "27.1.1");
		assert_string_equal(must_device(fabric, LEAF)->psid, "XY_0000000042");
		if (i == 0)
			assert_string_equal(must_device(fabric, HOST)->fw_version, "28.1.1");
		assert_int_equal(fabric->sources[0].odd_rows, i == 0 ? 0 : 2);
		assert_int_equal(fabric->contradiction_count, 0);
		fabric_free(fabric);
	}
}

/* The block's GUID is the port's; a switch has it at port 0. */
static void a_node_of_unknown_kind_has_no_port_guid(void **state)
{
	struct fabric *fabric = import_text("a.pm", PORT("7") PM("0x00000001"));

	(void)state;
	assert_int_equal(must_port(fabric, LEAF, 7)->guid, 0);
	assert_int_equal(downs(fabric, 7), 1);
	fabric_free(fabric);
}

/* Twenty ports of one kind; what stands for the fifth of them. */
static struct fabric *many_ports(const char *fifth, const char *last)
{
	char text[8192] = "";

	for (int i = 1; i <= 20; i++) {
		char block[300];

		snprintf(block, sizeof(block), RULE "Port=%d Lid=0x0003 GUID=0x0008f10500650010 Port Name=x\n" RULE
			 PM("0x%08x"), i, (unsigned)i, (unsigned)i, (unsigned)i);
		strcat(text, i == 5 && fifth ? fifth : block);
	}
	strcat(text, last);
	return import_text("a.pm", text);
}

/* The beginning of port 5's, and the end of one whose title is lost. */
static void a_block_shorter_than_all_others_is_not_used(void **state)
{
#define SHORT PORT("5") "link_down_counter=0x00000005\nport_rcv_errors=0x00000066\n\n"
	struct fabric *whole = many_ports(NULL, "");
	struct fabric *torn = many_ports(SHORT, "");
	struct fabric *kinds = many_ports(SHORT, PORT("30") "link_down_counter=0x0000000a\n"
					  "symbol_error_counter=0x00000001\n");
	struct fabric *few = import_text("a.pm", PORT("1") PM("0x00000001") SHORT);

	(void)state;
	assert_false(whole->partial);
	assert_int_equal(downs(whole, 5), 5);
	assert_int_equal(downs(torn, 5), UINT64_MAX);
	assert_int_equal(downs(torn, 9), 9);
	assert_true(torn->partial);
	assert_int_equal(torn->holes[0].attribute, ATTRIBUTE_COUNTERS);
	assert_non_null(strstr(torn->holes[0].text, "1 block has fewer lines than the others and is not used, "
			       "the first begins at line 30"));
	/* Two of them are another device's kind; of a few nothing is usual. */
	assert_int_equal(downs(kinds, 5), 5);
	assert_int_equal(downs(kinds, 30), 10);
	assert_false(kinds->partial);
	assert_int_equal(downs(few, 5), 5);
	fabric_free(whole);
	fabric_free(torn);
	fabric_free(kinds);
	fabric_free(few);
}

static void a_gap_ends_a_block(void **state)
{
	struct fabric *fabric = import_text("a.pm", PORT("1") "link_down_counter=0x00000001\n[...]\n"
					    "port_rcv_errors=0x00000002\n" PORT("3") PM("0x00000003"));

	(void)state;
	assert_int_equal(downs(fabric, 1), 1);
	assert_false(must_port(fabric, LEAF, 1)->counters->known >> COUNTER_rcv_errors & 1);
	assert_int_equal(downs(fabric, 3), 3);
	assert_int_equal(fabric->sources[0].odd_rows, 2);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_behind_a_lost_title_are_nobodys),
		cmocka_unit_test(a_cable_behind_a_lost_title_is_nobodys),
		cmocka_unit_test(a_node_without_its_title_is_a_node),
		cmocka_unit_test(a_node_of_unknown_kind_has_no_port_guid),
		cmocka_unit_test(a_block_shorter_than_all_others_is_not_used),
		cmocka_unit_test(a_gap_ends_a_block),
	};

	return cmocka_run_group_tests_name("import_ibdiagnet_blocks", tests, NULL, NULL);
}
