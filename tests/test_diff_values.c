#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/diff.h"
#include "tests/support/build_fabric.h"
#include "tests/support/diff_pair.h"

static void lids_given_anew_are_one_thing(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	for (size_t i = 0; i < pair->now->device_count; i++) {
		struct device *device = pair->now->devices[i];

		for (unsigned p = 0; p < device->port_slots; p++) {
			struct port *port = device_port(device, p);

			if (port && port->info.lid > 0)
				port->info.lid = 100 - port->info.lid;
		}
	}
	diff = diff_pair_compare(pair);

	assert_true(diff->lids_reassigned);
	assert_int_equal(diff->lids_changed, 8);
	assert_int_equal(diff->lid_owners, 8);
	assert_int_equal(diff_count(diff, DIFF_LID_CHANGED), diff->change_count);
}

static void one_lid_that_changed_is_no_reassignment(void **state)
{
	struct diff_pair *pair = *state;
	const struct change *change;

	build_port(build_device(pair->now, "host-11"), 1)->info.lid = 77;
	change = diff_only(diff_pair_compare(pair), DIFF_LID_CHANGED);

	assert_false(pair->diff->lids_reassigned);
	assert_string_equal(change->subject, "host-11 port 1");
	assert_string_equal(change->field, "lid");
	assert_string_equal(change->before, "11");
	assert_string_equal(change->after, "77");
}

static void a_new_description_is_a_rename(void **state)
{
	struct diff_pair *pair = *state;
	const struct change *change;

	rename_device(pair->now, build_device(pair->now, "host-11"), "a\033[1m\xff");
	change = diff_only(diff_pair_compare(pair), DIFF_DESCRIPTION);

	assert_string_equal(change->before, "host-11");
	assert_string_equal(change->after, "a\\x1b[1m\\xff");
	assert_null(strchr(change->subject, '\033'));
}

static void a_name_not_read_is_no_rename(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	build_device(pair->now, "host-11")->description = NULL;
	diff = diff_pair_compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_true(diff_has_note(diff, "1 devices are known in the older snapshot only"));
}

static void a_name_from_a_map_is_no_rename(void **state)
{
	struct diff_pair *pair = *state;
	struct device *leaf = build_device(pair->now, "leaf-1");
	struct device *host = build_device(pair->now, "host-11");
	const struct diff *diff;

	/* The map hides the switch's description, of the host both are known. */
	leaf->alias = fabric_text(pair->now, "row C", 5);
	leaf->description = NULL;
	host->alias = fabric_text(pair->now, "kiosk", 5);
	diff = diff_pair_compare(pair);

	assert_int_equal(diff_count(diff, DIFF_DESCRIPTION), 0);
	assert_true(diff_has_note(diff, "1 device has another name through a node name map"));
}

static void a_field_one_side_does_not_know_is_no_change(void **state)
{
	struct diff_pair *pair = *state;
	const struct diff *diff;

	build_port(build_device(pair->now, "leaf-1"), 1)->info.vl_high_limit = 3;
	build_port(build_device(pair->before, "leaf-1"), 1)->info.vl_high_limit = FIELD_UNKNOWN;
	build_port(build_device(pair->now, "leaf-1"), 2)->info.port_state = FIELD_UNKNOWN;
	diff = diff_pair_compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_true(diff_has_note(diff, "only the newer snapshot tells vl_high_limit of 1 port: "));
	assert_true(diff_has_note(diff, "only the older snapshot tells port_state of 1 port: "));
}

static void many_fields_one_side_does_not_know_are_one_note(void **state)
{
	struct diff_pair *pair = *state;
	struct port *port = build_port(build_device(pair->now, "leaf-1"), 1);
	const struct diff *diff;

	for (const struct field *field = port_field_table; field->member; field++)
		field_set(&port->info, field, FIELD_UNKNOWN);
	diff = diff_pair_compare_keys(pair, DIFF_PORT);

	assert_int_equal(diff->change_count, 0);
	assert_int_equal(diff->note_count, 1);
	assert_true(diff_has_note(diff, "more of 1 port: not compared"));
}

static void values_are_told_in_the_fields_terms(void **state)
{
	struct diff_pair *pair = *state;
	struct port *port = build_port(build_device(pair->now, "leaf-1"), 3);
	const struct diff *diff;

	port->info.link_width_active = 1;
	port->info.link_speed_active = 10312;
	port->info.link_speed_enabled = 1 | 4 | 256 | (1 << 26);
	diff = diff_pair_compare_keys(pair, DIFF_PORT);

	assert_int_equal(diff_count(diff, DIFF_PORT_FIELD), 3);
	assert_string_equal(diff->changes[0].before, "4x");
	assert_string_equal(diff->changes[0].after, "1x");
	assert_string_equal(diff->changes[1].before, "EDR");
	assert_string_equal(diff->changes[1].after, "FDR10");
	assert_string_equal(diff->changes[2].after, "SDR QDR FDR 0x4000000");
}

static void what_a_down_port_still_answers_is_not_compared(void **state)
{
	struct diff_pair *pair = *state;
	struct port *port = build_port(build_device(pair->now, "leaf-1"), 3);
	const struct diff *diff;

	port->info.port_state = 1;
	port->info.link_width_active = 1;
	port->info.neighbor_mtu = 256;
	diff = diff_pair_compare_keys(pair, DIFF_PORT | DIFF_STATE);

	assert_int_equal(diff->change_count, 1);
	assert_int_equal(diff->changes[0].kind, DIFF_PORT_STATE);
}

static void a_table_that_changed_is_told_whole(void **state)
{
	struct diff_pair *pair = *state;
	struct port *before = build_port(build_device(pair->before, "leaf-1"), 1);
	struct port *now = build_port(build_device(pair->now, "leaf-1"), 1);
	uint16_t keys[] = {0xffff, 0x8001};
	uint16_t turned[] = {0x8001, 0xffff};
	struct vlarb_entry high = {1, 64};
	struct vlarb_entry low = {2, 32};
	const struct diff *diff;

	before->pkeys = keys;
	now->pkeys = turned;
	before->pkey_count = now->pkey_count = 2;
	before->vlarb_high = &high;
	now->vlarb_high = &low;
	before->vlarb_high_count = now->vlarb_high_count = 1;
	before->vlarb_low = &low;
	before->vlarb_low_count = 1;
	diff = diff_pair_compare_keys(pair, DIFF_PORT);

	assert_string_equal(diff_only(diff, DIFF_PORT_FIELD)->field, "vlarb_high");
	assert_string_equal(diff->changes[0].before, "1:64");
	assert_string_equal(diff->changes[0].after, "2:32");
	assert_true(diff_has_note(diff, "only the older snapshot tells vlarb_low of 1 port"));
}

static void a_new_firmware_is_told_of_the_device(void **state)
{
	struct diff_pair *pair = *state;
	const struct change *change;

	build_device(pair->before, "host-11")->fw_version = fabric_text(pair->before, "1.2", 3);
	build_device(pair->now, "host-11")->fw_version = fabric_text(pair->now, "1.3", 3);
	change = diff_only(diff_pair_compare(pair), DIFF_DEVICE_FIELD);

	assert_int_equal(change->port, -1);
	assert_string_equal(change->field, "fw_version");
	assert_string_equal(change->after, "1.3");
}

static void counters_full_on_both_sides_are_a_note_and_no_change(void **state)
{
	struct diff_pair *pair = *state;
	struct fabric *sides[] = {pair->before, pair->now};
	struct port *ports[2];
	const struct diff *diff;

	for (size_t i = 0; i < 2; i++) {
		ports[i] = build_port(build_device(sides[i], "host-11"), 1);
		ports[i]->counters = fabric_alloc(sides[i], 1, sizeof(*ports[i]->counters));
		assert_non_null(ports[i]->counters);
		ports[i]->counters->value[COUNTER_symbol_error] = 65535;
		ports[i]->counters->known = UINT64_C(1) << COUNTER_symbol_error;
		ports[i]->counters->saturated = UINT64_C(1) << COUNTER_symbol_error;
	}
	diff = diff_pair_compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_true(diff_has_note(diff, "host-11 port 1: SymbolErrorCounter"));
	assert_true(diff_has_note(diff, "equal values there do not mean that nothing was added"));

	/* Cleared in between, what is there now is of now. */
	ports[1]->counters->value[COUNTER_symbol_error] = 2;
	ports[1]->counters->saturated = 0;
	assert_false(diff_has_note(diff_pair_compare(pair), "maximum"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define DIFF_TEST(name) cmocka_unit_test_setup_teardown(name, diff_pair_make, diff_pair_free)
		DIFF_TEST(lids_given_anew_are_one_thing),
		DIFF_TEST(one_lid_that_changed_is_no_reassignment),
		DIFF_TEST(a_new_description_is_a_rename),
		DIFF_TEST(a_name_not_read_is_no_rename),
		DIFF_TEST(a_name_from_a_map_is_no_rename),
		DIFF_TEST(a_field_one_side_does_not_know_is_no_change),
		DIFF_TEST(many_fields_one_side_does_not_know_are_one_note),
		DIFF_TEST(values_are_told_in_the_fields_terms),
		DIFF_TEST(what_a_down_port_still_answers_is_not_compared),
		DIFF_TEST(a_table_that_changed_is_told_whole),
		DIFF_TEST(a_new_firmware_is_told_of_the_device),
		DIFF_TEST(counters_full_on_both_sides_are_a_note_and_no_change),
	};

	return cmocka_run_group_tests_name("diff_values", tests, NULL, NULL);
}
