/* What smpquery can ask beyond the attributes that every device has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/diag_records.h"
#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define HOST_NODE                                                                                  \
	SMP_NODE("Lid 7", "Channel Adapter", "1", "0x00000000000000b1", "0x00000000000000b2", "1")
#define HOST_QDR SMP_PORT("Lid 7 port 1", "7", "0x0", "1", "10.0 Gbps", "No Extended Speed")
#define HOST_MLNX(active)                                                                          \
	"# MLNX ext Port info: Lid 7 port 1\nStateChangeEnable:...............0x00\n"              \
	"LinkSpeedSupported:..............0x01\nLinkSpeedEnabled:................0x01\n"           \
	"LinkSpeedActive:................." active "\n"

static void fdr10_that_portinfo_calls_qdr_is_seen_whichever_comes_first(void **state)
{
	static const char *const texts[] = {
		HOST_NODE HOST_QDR HOST_MLNX("0x01"),
		HOST_NODE HOST_MLNX("0x01") HOST_QDR,
		HOST_NODE HOST_QDR HOST_MLNX("0x00"),
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct fabric *fabric = import_text("t", texts[i]);
		const struct port *port = must_port(fabric, 0xb1, 1);

		assert_int_equal(port->info.link_speed_code, i < 2 ? 0x10004 : 4);
		assert_int_equal(fabric->contradiction_count, 0);
		assert_int_equal(fabric->sources[0].odd_rows, 0);
		assert_int_not_equal(port->source_of[ATTRIBUTE_EXTENDED_PORT_INFO], 0);
		assert_false(fabric->partial);
		fabric_free(fabric);
	}
}

static void fec_modes_are_kept_under_the_names_that_ibdiagnet_gives_them(void **state)
{
	struct fabric *fabric = import_text("t", HOST_NODE
		"# Port info Extended: Lid 7 port 1\nFECModeActive:...................2\n"
		"HDRFECModeEnabled:...............0x0004\n");

	(void)state;
	assert_int_equal(fabric->fact_count, 2);
	assert_string_equal(fabric->facts[0].section, "fec");
	assert_string_equal(fabric->facts[0].key, "FECModeActive");
	assert_string_equal(fabric->facts[0].value, "2");
	assert_int_equal(fabric->facts[0].port, 1);
	fabric_free(fabric);
}

static void an_arbitration_table_with_fewer_entries_than_its_cap_is_not_one(void **state)
{
	static const char whole[] = HOST_NODE
		"# VLArbitration tables: Lid 7 port 1 LowCap 4 HighCap 2\n"
		"# Low priority VL Arbitration Table:\nVL    : |0x0 |0x1 |\nWEIGHT: |0x4 |0x8 |\n"
		"VL    : |0x2 |0x3 |\nWEIGHT: |0x4 |0x8 |\n"
		"# High priority VL Arbitration Table:\nVL    : |0x0 |0x1 |\nWEIGHT: |0x4 |0x8 |\n";
	char text[sizeof(whole)];
	struct fabric *fabric = import_text("t", whole);

	(void)state;
	assert_int_equal(must_port(fabric, 0xb1, 1)->vlarb_low_count, 4);
	assert_int_equal(must_port(fabric, 0xb1, 1)->vlarb_high_count, 2);
	assert_false(fabric->partial);
	fabric_free(fabric);

	/* Behind the first pair of lines. */
	snprintf(text, sizeof(text), "%.*s", (int)(strstr(whole, "VL    : |0x2") - whole), whole);
	fabric = import_text("t", text);
	assert_int_equal(must_port(fabric, 0xb1, 1)->vlarb_low_count, 0);
	assert_true(fabric->partial);
	fabric_free(fabric);
}

/* Cut behind its PortGuid, of a node whose port others name by this GUID. */
static void a_nodeinfo_without_its_local_port_has_the_guid_of_its_only_port(void **state)
{
	static const char ports[] = "# Node info: Lid 7\nBaseVers:........................1\n"
		"ClassVers:.......................1\nNodeType:........................Channel Adapter\n"
		"NumPorts:........................%d\nSystemGuid:......................0x00000000000000b1\n"
		"Guid:............................0x00000000000000b1\n"
		"PortGuid:........................0x00000000000000b2\n";
	char text[sizeof(ports) + 8];

	(void)state;
	for (int count = 1; count <= 2; count++) {
		const struct device *device;
		struct fabric *fabric;

		snprintf(text, sizeof(text), ports, count);
		fabric = import_text("t", text);
		device = fabric_device_find(fabric, 0xb1);
		assert_true(fabric->partial);
		assert_non_null(device);
		if (count == 1)
			assert_int_equal(must_port(fabric, 0xb1, 1)->guid, 0xb2);
		else
			assert_null(device_port(device, 1));
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fdr10_that_portinfo_calls_qdr_is_seen_whichever_comes_first),
		cmocka_unit_test(fec_modes_are_kept_under_the_names_that_ibdiagnet_gives_them),
		cmocka_unit_test(an_arbitration_table_with_fewer_entries_than_its_cap_is_not_one),
		cmocka_unit_test(a_nodeinfo_without_its_local_port_has_the_guid_of_its_only_port),
	};

	return cmocka_run_group_tests_name("import_smpquery", tests, NULL, NULL);
}
