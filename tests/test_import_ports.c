/* Ports above NumPorts that a counter or a neighbour's line alone tells of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define LEAF UINT64_C(0x0008f10500650010)
#define HOST UINT64_C(0x0008f10500710021)

#define NODES                                                                                     \
	"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n"                                      \
	"\"leaf\",40,2,0x0008f10500650010\n\"host mlx5_0\",1,1,0x0008f10500710021\nEND_NODES\n"
#define NODES_WITHOUT_NUMBER                                                                      \
	"START_NODES\nNodeDesc,NodeType,NodeGUID\n"                                               \
	"\"leaf\",2,0x0008f10500650010\n\"host mlx5_0\",1,0x0008f10500710021\nEND_NODES\n"
#define LINK(port)                                                                                \
	"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"                                    \
	"0x0008f10500710021,1,0x0008f10500650010," port "\nEND_LINKS\n"
#define COUNTER(guid, port)                                                                       \
	"Errors for 0x" guid " \"x\"\n   GUID 0x" guid " port " port                            \
	": [PortRcvSwitchRelayErrors == 7]\n\n"                                                  \
	"## Summary: 2 nodes checked, 1 bad nodes found\n"                                        \
	"##          42 ports checked, 1 ports have errors beyond threshold\n"                    \
	"## Thresholds: \n## Suppressed:\n"
#define LEAF_COUNTER(port) COUNTER("0008f10500650010", port)
#define HOST_COUNTER(port) COUNTER("0008f10500710021", port)

static struct fabric *read_two(const char *first, const char *second)
{
	struct import_text *files = import_text_new();

	import_text_add(files, "a", first, strlen(first));
	import_text_add(files, "b", second, strlen(second));
	return import_text_run(files);
}

static void assert_port_in(struct fabric *fabric, uint64_t guid, unsigned num, bool there)
{
	const struct device *device = must_device(fabric, guid);

	assert_int_equal(device_port(device, num) != NULL, there);
	assert_int_equal(fabric->contradiction_count, !there);
	if (!there) {
		assert_true(fabric->contradictions[0].device == device);
		assert_string_equal(fabric->contradictions[0].fact, "num_ports");
	}
	fabric_free(fabric);
}

/* In either order. */
static void assert_port(const char *first, const char *second, uint64_t guid, unsigned num, bool there)
{
	assert_port_in(read_two(first, second), guid, num, there);
	assert_port_in(read_two(second, first), guid, num, there);
}

static void a_counter_of_a_port_above_num_ports_makes_none(void **state)
{
	(void)state;
	assert_port(NODES LINK("7"), LEAF_COUNTER("200"), LEAF, 200, false);
	assert_port(NODES LINK("7"), HOST_COUNTER("2"), HOST, 2, false);
}

static void a_counter_of_the_last_port_and_of_port_0_stays(void **state)
{
	(void)state;
	assert_port(NODES LINK("7"), LEAF_COUNTER("40"), LEAF, 40, true);
	assert_port(NODES LINK("7"), LEAF_COUNTER("0"), LEAF, 0, true);
	assert_port(NODES LINK("7"), HOST_COUNTER("1"), HOST, 1, true);
}

/* Some tools count a switch's own port and some do not. */
static void one_port_more_than_a_switch_is_said_to_have_stays(void **state)
{
	(void)state;
	assert_port(NODES LINK("7"), LEAF_COUNTER("41"), LEAF, 41, true);
	assert_port(NODES LINK("7"), LEAF_COUNTER("42"), LEAF, 42, false);
}

static void without_num_ports_every_port_stays(void **state)
{
	(void)state;
	assert_port(NODES_WITHOUT_NUMBER LINK("7"), LEAF_COUNTER("200"), LEAF, 200, true);
}

static void a_port_whose_portinfo_was_read_stays(void **state)
{
	(void)state;
	assert_port(NODES LINK("7")
		    "START_PORTS\nNodeGuid,PortGuid,PortNum,PortState\n"
		    "0x0008f10500650010,0x0008f10500650010,50,4\nEND_PORTS\n",
		    LEAF_COUNTER("50"), LEAF, 50, true);
}

static void a_cable_to_a_port_above_num_ports_leads_nobody_knows_where(void **state)
{
	struct fabric *fabric = import_text("x.csv", NODES LINK("73"));
	const struct port *port = must_port(fabric, HOST, 1);

	(void)state;
	assert_null(port->peer);
	assert_null(device_port(must_device(fabric, LEAF), 73));
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].attribute, ATTRIBUTE_NEIGHBOR);
	assert_true(fabric->holes[0].behind == port);
	assert_string_equal(fabric->holes[0].text,
			    "its neighbour is told as port 73 of leaf (0x0008f10500650010), which has 40");
	assert_true(fabric->partial);
	assert_int_equal(fabric->contradiction_count, 1);
	assert_string_equal(fabric->contradictions[0].kept, "40");
	assert_string_equal(fabric->contradictions[0].other, "a port 73");
	fabric_free(fabric);

	fabric = import_text("x.csv", NODES LINK("40"));
	assert_non_null(must_port(fabric, HOST, 1)->peer);
	assert_int_equal(fabric->hole_count + fabric->contradiction_count, 0);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_of_a_port_above_num_ports_makes_none),
		cmocka_unit_test(a_counter_of_the_last_port_and_of_port_0_stays),
		cmocka_unit_test(one_port_more_than_a_switch_is_said_to_have_stays),
		cmocka_unit_test(without_num_ports_every_port_stays),
		cmocka_unit_test(a_port_whose_portinfo_was_read_stays),
		cmocka_unit_test(a_cable_to_a_port_above_num_ports_leads_nobody_knows_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
