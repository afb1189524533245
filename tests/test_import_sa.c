/* saquery's records that more than one line, or more than one record, makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/diag_records.h"
#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define NODE SA_NODE("9", "Switch", "20", "0x00000000000000aa", "0x00000000000000aa", "0", "knot")

#define SA_HOST_PORT                                                                               \
	"PortInfoRecord dump:\n\t\tEndPortLid..............1\n\t\tPortNum.................1\n"        \
	"\t\tbase_lid................1\n\t\tmaster_sm_base_lid......1\n"                             \
	"\t\tcapability_mask.........0x50C04A\n"

/* One MFT record of block 0: MLID 0xc000 has this mask, 0xc003 that one. */
static void add_mft(char *text, size_t size, unsigned position, unsigned first, unsigned fourth)
{
	size_t used = strlen(text);

	used += (size_t)snprintf(text + used, size - used,
				 "MFT Record dump:\n\t\tLID........................9\n"
				 "\t\tPosition...................%u\n"
				 "\t\tBlock......................0\n\t\tMFT:\n\t\tMLID\tPort Mask\n",
				 position);
	for (unsigned i = 0; i < 32; i++)
		used += (size_t)snprintf(text + used, size - used, "\t\t0x%04x\t0x%04x\n", 0xc000 + i,
					 i == 0 ? first : i == 3 ? fourth : 0);
	snprintf(text + used, size - used, "\n");
}

static void a_multicast_table_is_put_together_from_its_parts(void **state)
{
	char text[4000] = NODE;
	struct fabric *fabric;
	const struct device *device;

	(void)state;
	add_mft(text, sizeof(text), 0, 0x0006, 0);
	add_mft(text, sizeof(text), 1, 0, 0x0010);
	fabric = import_text("t", text);
	device = must_device(fabric, 0xaa);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_false(fabric->partial);
	assert_non_null(device->mft);
	assert_int_equal(device->mft_count, 2);
	assert_int_equal(device->mft[0].mlid, 0xc000);
	assert_int_equal(device->mft[0].ports[0], 0x06);
	assert_int_equal(device->mft[1].mlid, 0xc003);
	assert_int_equal(device->mft[1].ports[2], 0x10);
	fabric_free(fabric);
}

static void a_multicast_table_that_lacks_the_ports_above_15_is_not_known(void **state)
{
	char text[4000] = NODE;
	struct fabric *fabric;

	(void)state;
	add_mft(text, sizeof(text), 0, 0x0006, 0);
	fabric = import_text("t", text);
	assert_null(must_device(fabric, 0xaa)->mft);
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_string_equal(fabric->odd_lines[0].reason,
			    "parts of the multicast table before are missing");
	fabric_free(fabric);
}

static void the_joined_bytes_of_a_switch_are_taken_apart(void **state)
{
	struct fabric *fabric = import_text("t", NODE
		SA_SWITCH("9"));
	const struct switch_fields *sw = &must_device(fabric, 0xaa)->sw;

	(void)state;
	assert_int_equal(sw->life_time_value, 18);
	assert_int_equal(sw->port_state_change, 1);
	assert_int_equal(sw->optimized_sl2vl_mapping, 1);
	assert_int_equal(sw->inbound_enforcement_cap, 1);
	assert_int_equal(sw->outbound_enforcement_cap, 0);
	assert_int_equal(sw->filter_raw_inbound_cap, 1);
	assert_int_equal(sw->filter_raw_outbound_cap, 0);
	assert_int_equal(sw->enhanced_port0, 1);
	fabric_free(fabric);
}

static void guids_behind_the_first_eight_keep_their_index(void **state)
{
	struct fabric *fabric = import_text("t", NODE
		SA_GUIDS("9", "0", "0x00000000000000aa", "0x0000000000000000")
		SA_GUIDS("9", "1", "0x0000000000000000", "0x00000000000000ab"));
	const struct port *port = must_port(fabric, 0xaa, 0);

	(void)state;
	assert_int_equal(port->guid_count, 10);
	assert_true(port->guids[0] == 0xaa && port->guids[1] == 0 && port->guids[9] == 0xab);
	fabric_free(fabric);
}

static void records_without_a_place_are_counted_and_named(void **state)
{
	struct fabric *fabric = import_text("t",
		"PathRecord dump:\n\t\tdlid....................3\n\t\tresv2...................0x0\n"
		"PathRecord dump:\n\t\tdlid....................4\n\t\tresv2...................0x0\n"
		"ServiceRecord dump:\n\t\tServiceKey..............0x000000000000000000000000deadbeef\n"
		"\t\tServiceData64.2.........0x0000000000000000\n"
		"FutureRecord dump:\n\t\tlid.....................3\n");

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_string_equal(fabric->sources[0].detail,
			    "records without a place here: PathRecord 2, ServiceRecord 1; records "
			    "of a kind not known here: 1");
	assert_int_equal(fabric->fact_count, 0);
	fabric_free(fabric);
}

static void a_link_between_lids_that_nobody_explains_is_said(void **state)
{
	struct fabric *fabric = import_text("t",
		"LinkRecord dump:\n\t\tFromLID....................2\n\t\tFromPort...................1\n"
		"\t\tToPort.....................1\n\t\tToLID......................1\n");

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_string_equal(fabric->odd_lines[0].reason,
			    "the record before names a LID that no file explains");
	fabric_free(fabric);
}

static void a_title_with_something_in_front_of_it_is_none(void **state)
{
	struct fabric *plain = import_text("t", "ServiceRecord dump:\n\t\tServiceID...............1\n");
	struct fabric *stamped = import_text("t",
		"Nov 29 10:00:00 NodeRecord dump:\nNov 29 10:00:00 \t\tlid.....................9\n");

	(void)state;
	assert_int_equal(plain->sources[0].odd_rows, 0);
	assert_int_equal(stamped->sources[0].rows, 0);
	assert_int_equal(stamped->sources[0].odd_rows, 2);
	fabric_free(plain);
	fabric_free(stamped);
}

static void names_by_lid_find_the_cas_of_another_file(void **state)
{
	static const char nodes[] =
		SMP_NODE("Lid 12", "Channel Adapter", "1", "0x000000000000001b", "0x000000000000001c", "1")
		SMP_PORT_OLD("Lid 12 port 1", "12", "0x0", "1", "10.0 Gbps");
	static const char list[] =
		"   LID \"name\"\n================\n    12  \"ruff \"7\"\"\n    13  \"gone\"\n     1  \"knot\"\n"
		"    12  \"ru\n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "nodes", nodes, strlen(nodes));
	import_text_add(files, "list", list, strlen(list));
	fabric = import_text_run(files);
	assert_string_equal(must_device(fabric, 0x1b)->description, "ruff \"7\"");
	/* Nobody's LID, a switch's, a line that is cut. */
	assert_int_equal(fabric->sources[1].odd_rows, 3);
	assert_int_equal(fabric->sources[1].rows, 3);
	fabric_free(fabric);
}

static void the_heading_of_sms_by_saquery_is_no_odd_line(void **state)
{
	struct fabric *fabric = import_text("t",
		"IsSM ports\n" SA_HOST_PORT "\nIsSMdisabled ports\n");

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	assert_string_equal(fabric->odd_lines[0].reason, "the record before names a LID that no file explains");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_multicast_table_is_put_together_from_its_parts),
		cmocka_unit_test(a_multicast_table_that_lacks_the_ports_above_15_is_not_known),
		cmocka_unit_test(the_joined_bytes_of_a_switch_are_taken_apart),
		cmocka_unit_test(guids_behind_the_first_eight_keep_their_index),
		cmocka_unit_test(records_without_a_place_are_counted_and_named),
		cmocka_unit_test(a_link_between_lids_that_nobody_explains_is_said),
		cmocka_unit_test(a_title_with_something_in_front_of_it_is_none),
		cmocka_unit_test(names_by_lid_find_the_cas_of_another_file),
		cmocka_unit_test(the_heading_of_sms_by_saquery_is_no_odd_line),
	};

	return cmocka_run_group_tests_name("import_sa", tests, NULL, NULL);
}
