#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/diff.h"
#include "tests/support/build_fabric.h"
#include "tests/support/same_fabric.h"

/* Two equal trees; a test breaks `now`. */
struct pair {
	struct fabric *before;
	struct fabric *now;
	struct diff *diff;
};

static int make_pair(void **state)
{
	struct pair *pair = calloc(1, sizeof(*pair));

	if (!pair)
		return -1;
	pair->before = build_tree();
	pair->now = build_tree();
	*state = pair;
	return 0;
}

static int free_pair(void **state)
{
	struct pair *pair = *state;

	diff_free(pair->diff);
	fabric_free(pair->before);
	fabric_free(pair->now);
	free(pair);
	return 0;
}

static const struct diff *compare_keys(struct pair *pair, unsigned keys)
{
	struct err err = {0};

	diff_free(pair->diff);
	pair->diff = NULL;
	if (diff_new(pair->before, pair->now, NULL, keys, &pair->diff, &err) < 0)
		fail_msg("%s", err.text);
	return pair->diff;
}

static const struct diff *compare(struct pair *pair)
{
	return compare_keys(pair, DIFF_ALL);
}

static size_t count_of(const struct diff *diff, enum diff_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		count += diff->changes[i].kind == kind;
	return count;
}

/* The one change of that kind. */
static const struct change *only(const struct diff *diff, enum diff_kind kind)
{
	assert_int_equal(count_of(diff, kind), 1);
	for (size_t i = 0; i < diff->change_count; i++) {
		if (diff->changes[i].kind == kind)
			return &diff->changes[i];
	}
	return NULL;
}

static bool has_note(const struct diff *diff, const char *words)
{
	for (size_t i = 0; i < diff->note_count; i++) {
		if (strstr(diff->notes[i], words))
			return true;
	}
	return false;
}

static void rename_device(struct fabric *fabric, struct device *device, const char *name)
{
	device->description = fabric_text(fabric, name, strlen(name));
}

/* A copy of the tree without one host; its leaf's port is Down as after a cable was pulled. */
static struct fabric *tree_without(const char *left_out)
{
	struct fabric *full = build_tree();
	struct fabric *part = build_fabric();

	for (size_t i = 0; i < full->device_count; i++) {
		const struct device *from = full->devices[i];
		struct device *to;

		if (strcmp(from->description, left_out) == 0)
			continue;
		to = fabric_device_add(part, from->guid, from->type);
		to->info = from->info;
		to->sw = from->sw;
		rename_device(part, to, from->description);
		for (unsigned p = 0; p < from->port_slots; p++) {
			const struct port *port = device_port(from, p);

			if (port)
				fabric_port(part, to, (uint8_t)p)->info = port->info;
		}
	}
	for (size_t i = 0; i < full->device_count; i++) {
		const struct device *from = full->devices[i];
		const struct device *to = fabric_device_find(part, from->guid);

		for (unsigned p = 0; to && p < from->port_slots; p++) {
			const struct port *port = device_port(from, p);
			const struct device *peer;

			if (!port || !port->peer)
				continue;
			peer = fabric_device_find(part, port->peer->device->guid);
			if (peer)
				device_port(to, p)->peer = device_port(peer, port->peer->num);
			else
				device_port(to, p)->info.port_state = 1;
		}
	}
	fabric_free(full);
	return part;
}

static void take_away(struct pair *pair, const char *name)
{
	fabric_free(pair->now);
	pair->now = tree_without(name);
}

static void equal_fabrics_have_no_difference(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff = compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_int_equal(diff->note_count, 0);
	assert_int_equal(diff->lid_owners, 8);
	assert_false(diff_is_different(diff));
}

static void the_order_of_discovery_is_no_difference(void **state)
{
	struct pair *pair = *state;
	struct fabric *fabric = pair->now;

	for (size_t i = 0; i < fabric->device_count / 2; i++) {
		struct device *device = fabric->devices[i];
		size_t other = fabric->device_count - 1 - i;

		fabric->devices[i] = fabric->devices[other];
		fabric->devices[other] = device;
		fabric->devices[i]->index = i;
		fabric->devices[other]->index = other;
	}

	assert_int_equal(compare(pair)->change_count, 0);
}

static void lids_given_anew_are_one_thing(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	for (size_t i = 0; i < pair->now->device_count; i++) {
		struct device *device = pair->now->devices[i];

		for (unsigned p = 0; p < device->port_slots; p++) {
			struct port *port = device_port(device, p);

			if (port && port->info.lid > 0)
				port->info.lid = 100 - port->info.lid;
		}
	}
	diff = compare(pair);

	assert_true(diff->lids_reassigned);
	assert_int_equal(diff->lids_changed, 8);
	assert_int_equal(diff->lid_owners, 8);
	assert_int_equal(count_of(diff, DIFF_LID_CHANGED), diff->change_count);
}

static void one_lid_that_changed_is_no_reassignment(void **state)
{
	struct pair *pair = *state;
	const struct change *change;

	build_port(build_device(pair->now, "host-11"), 1)->info.lid = 77;
	change = only(compare(pair), DIFF_LID_CHANGED);

	assert_false(pair->diff->lids_reassigned);
	assert_string_equal(change->subject, "host-11 port 1");
	assert_string_equal(change->field, "lid");
	assert_string_equal(change->before, "11");
	assert_string_equal(change->after, "77");
}

static void a_host_that_went_takes_its_link_along(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	take_away(pair, "host-22");
	diff = compare(pair);

	assert_non_null(strstr(only(diff, DIFF_DEVICE_REMOVED)->subject, "host-22"));
	assert_string_equal(only(diff, DIFF_LINK_REMOVED)->subject, "leaf-2 port 2");
	assert_string_equal(only(diff, DIFF_LINK_REMOVED)->before, "host-22 port 1");
	assert_null(only(diff, DIFF_LINK_REMOVED)->after);
	assert_string_equal(only(diff, DIFF_PORT_STATE)->before, "Active");
	assert_string_equal(only(diff, DIFF_PORT_STATE)->after, "Down");
	assert_int_equal(diff->change_count, 3);
	assert_true(diff_is_different(diff));
}

static void a_host_that_came_brings_its_link(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->before);
	pair->before = tree_without("host-22");
	diff = compare(pair);

	assert_non_null(strstr(only(diff, DIFF_DEVICE_ADDED)->subject, "host-22"));
	assert_string_equal(only(diff, DIFF_LINK_ADDED)->after, "host-22 port 1");
	assert_int_equal(count_of(diff, DIFF_DEVICE_REMOVED), 0);
}

static void add_hole(struct fabric *fabric, struct device *device, int port, struct port *behind,
		     enum hole_reason reason)
{
	struct hole *hole = fabric_hole_add(fabric);

	hole->device = device;
	hole->port = port;
	hole->attribute = ATTRIBUTE_NODE_INFO;
	hole->reason = reason;
	hole->behind = behind;
}

static void what_lies_behind_a_hole_is_not_reached(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	take_away(pair, "host-22");
	add_hole(pair->now, NULL, -1, build_port(build_device(pair->now, "leaf-2"), 2),
		 HOLE_TIMEOUT);
	diff = compare(pair);

	assert_non_null(strstr(only(diff, DIFF_DEVICE_NOT_REACHED)->subject, "host-22"));
	assert_int_equal(count_of(diff, DIFF_DEVICE_REMOVED), 0);
	assert_int_equal(count_of(diff, DIFF_LINK_REMOVED), 0);
	assert_true(has_note(diff, "1 link lies behind"));
}

static void a_hole_elsewhere_excuses_nothing(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	take_away(pair, "host-22");
	add_hole(pair->now, NULL, -1, build_port(build_device(pair->now, "leaf-1"), 2),
		 HOLE_TIMEOUT);
	add_hole(pair->now, build_device(pair->now, "leaf-2"), 2, NULL, HOLE_UNSUPPORTED);
	diff = compare(pair);

	assert_int_equal(count_of(diff, DIFF_DEVICE_REMOVED), 1);
	assert_int_equal(count_of(diff, DIFF_LINK_REMOVED), 1);
}

/* host-21 hangs on the leaf, the leaf on two spines; one of these ports gave no answer. */
static void what_hangs_on_something_not_reached_is_not_reached_either(void **state)
{
	struct pair *pair = *state;
	struct fabric *now = build_fabric();
	const struct diff *diff;
	struct device *spine;

	fabric_free(pair->now);
	pair->now = now;
	spine = build_switch(now, 0x1003, 4, 3, "spine-1");
	build_switch(now, 0x1004, 4, 4, "spine-2");
	build_switch(now, 0x1001, 4, 1, "leaf-1");
	build_ca(now, 0x100b, 1, 11, "host-11");
	build_ca(now, 0x100c, 1, 12, "host-12");
	add_hole(now, NULL, -1, build_port(spine, 2), HOLE_TIMEOUT);
	diff = compare_keys(pair, DIFF_NODE);

	/* leaf-2, host-21, host-22. */
	assert_int_equal(count_of(diff, DIFF_DEVICE_NOT_REACHED), 3);
	assert_int_equal(count_of(diff, DIFF_DEVICE_REMOVED), 0);
}

static void what_is_reached_again_did_not_come(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->before);
	pair->before = tree_without("host-22");
	add_hole(pair->before, NULL, -1, build_port(build_device(pair->before, "leaf-2"), 2),
		 HOLE_TIMEOUT);
	diff = compare_keys(pair, DIFF_NODE | DIFF_LINK);

	assert_int_equal(diff->change_count, 0);
	assert_true(has_note(diff, "not called added"));
}

static void a_hole_without_a_place_may_hide_anything(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	take_away(pair, "host-22");
	add_hole(pair->now, NULL, -1, NULL, HOLE_LIMIT);
	diff = compare(pair);

	assert_int_equal(count_of(diff, DIFF_DEVICE_NOT_REACHED), 1);
	assert_true(has_note(diff, "could not be told"));
}

static void a_cable_with_one_end_elsewhere_has_moved(void **state)
{
	struct pair *pair = *state;
	struct device *leaf = build_device(pair->now, "leaf-2");
	struct device *host = build_device(pair->now, "host-11");
	const struct change *change;

	build_unlink(build_device(pair->now, "leaf-1"), 1);
	build_unlink(leaf, 2);
	build_link(leaf, 2, host, 1);
	change = only(compare_keys(pair, DIFF_LINK), DIFF_LINK_MOVED);

	assert_string_equal(change->subject, "host-11 port 1");
	assert_string_equal(change->before, "leaf-1 port 1");
	assert_string_equal(change->after, "leaf-2 port 2");
	assert_string_equal(only(pair->diff, DIFF_LINK_REMOVED)->before, "host-22 port 1");
}

static void two_swapped_cables_are_two_moves(void **state)
{
	struct pair *pair = *state;
	struct device *leaf = build_device(pair->now, "leaf-1");
	struct device *one = build_device(pair->now, "host-11");
	struct device *two = build_device(pair->now, "host-12");
	const struct diff *diff;

	build_unlink(leaf, 1);
	build_unlink(leaf, 2);
	build_link(leaf, 1, two, 1);
	build_link(leaf, 2, one, 1);
	diff = compare_keys(pair, DIFF_LINK);

	assert_int_equal(count_of(diff, DIFF_LINK_MOVED), 2);
	assert_int_equal(diff->change_count, 2);
	assert_string_equal(diff->changes[0].subject, "host-11 port 1");
	assert_string_equal(diff->changes[0].before, "leaf-1 port 1");
	assert_string_equal(diff->changes[0].after, "leaf-1 port 2");
}

static void another_adapter_behind_a_port_is_a_move_of_the_port(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	take_away(pair, "host-22");
	build_link(build_device(pair->now, "leaf-2"), 2,
		   build_ca(pair->now, 0x2000, 1, 22, "host-22"), 1);
	diff = compare(pair);

	assert_int_equal(count_of(diff, DIFF_DEVICE_ADDED), 1);
	assert_int_equal(count_of(diff, DIFF_DEVICE_REMOVED), 1);
	assert_string_equal(only(diff, DIFF_LINK_MOVED)->subject, "leaf-2 port 2");
	assert_int_equal(diff->change_count, 3);
}

static void a_link_seen_from_one_end_is_the_same_link(void **state)
{
	struct pair *pair = *state;

	build_port(build_device(pair->now, "host-11"), 1)->peer = NULL;

	assert_int_equal(compare_keys(pair, DIFF_LINK)->change_count, 0);
}

static void a_new_description_is_a_rename(void **state)
{
	struct pair *pair = *state;
	const struct change *change;

	rename_device(pair->now, build_device(pair->now, "host-11"), "a\033[1m\xff");
	change = only(compare(pair), DIFF_DESCRIPTION);

	assert_string_equal(change->before, "host-11");
	assert_string_equal(change->after, "a\\x1b[1m\\xff");
	assert_null(strchr(change->subject, '\033'));
}

static void a_name_not_read_is_no_rename(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	build_device(pair->now, "host-11")->description = NULL;
	diff = compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_true(has_note(diff, "1 devices are known in the older snapshot only"));
}

static void a_name_from_a_map_is_no_rename(void **state)
{
	struct pair *pair = *state;
	struct device *leaf = build_device(pair->now, "leaf-1");
	struct device *host = build_device(pair->now, "host-11");
	const struct diff *diff;

	/* The map hides the switch's description, of the host both are known. */
	leaf->alias = fabric_text(pair->now, "row C", 5);
	leaf->description = NULL;
	host->alias = fabric_text(pair->now, "kiosk", 5);
	diff = compare(pair);

	assert_int_equal(count_of(diff, DIFF_DESCRIPTION), 0);
	assert_true(has_note(diff, "1 device has another name through a node name map"));
}

static void a_field_one_side_does_not_know_is_no_change(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	build_port(build_device(pair->now, "leaf-1"), 1)->info.vl_high_limit = 3;
	build_port(build_device(pair->before, "leaf-1"), 1)->info.vl_high_limit = FIELD_UNKNOWN;
	build_port(build_device(pair->now, "leaf-1"), 2)->info.port_state = FIELD_UNKNOWN;
	diff = compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_true(has_note(diff, "only the newer snapshot tells vl_high_limit of 1 port: "));
	assert_true(has_note(diff, "only the older snapshot tells port_state of 1 port: "));
}

static void many_fields_one_side_does_not_know_are_one_note(void **state)
{
	struct pair *pair = *state;
	struct port *port = build_port(build_device(pair->now, "leaf-1"), 1);
	const struct diff *diff;

	for (const struct field *field = port_field_table; field->member; field++)
		field_set(&port->info, field, FIELD_UNKNOWN);
	diff = compare_keys(pair, DIFF_PORT);

	assert_int_equal(diff->change_count, 0);
	assert_int_equal(diff->note_count, 1);
	assert_true(has_note(diff, "more of 1 port: not compared"));
}

static void values_are_told_in_the_fields_terms(void **state)
{
	struct pair *pair = *state;
	struct port *port = build_port(build_device(pair->now, "leaf-1"), 3);
	const struct diff *diff;

	port->info.link_width_active = 1;
	port->info.link_speed_active = 10312;
	port->info.link_speed_enabled = 1 | 4 | 256 | (1 << 26);
	diff = compare_keys(pair, DIFF_PORT);

	assert_int_equal(count_of(diff, DIFF_PORT_FIELD), 3);
	assert_string_equal(diff->changes[0].before, "4x");
	assert_string_equal(diff->changes[0].after, "1x");
	assert_string_equal(diff->changes[1].before, "EDR");
	assert_string_equal(diff->changes[1].after, "FDR10");
	assert_string_equal(diff->changes[2].after, "SDR QDR FDR 0x4000000");
}

static void what_a_down_port_still_answers_is_not_compared(void **state)
{
	struct pair *pair = *state;
	struct port *port = build_port(build_device(pair->now, "leaf-1"), 3);
	const struct diff *diff;

	port->info.port_state = 1;
	port->info.link_width_active = 1;
	port->info.neighbor_mtu = 256;
	diff = compare_keys(pair, DIFF_PORT | DIFF_STATE);

	assert_int_equal(diff->change_count, 1);
	assert_int_equal(diff->changes[0].kind, DIFF_PORT_STATE);
}

static void a_table_that_changed_is_told_whole(void **state)
{
	struct pair *pair = *state;
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
	diff = compare_keys(pair, DIFF_PORT);

	assert_string_equal(only(diff, DIFF_PORT_FIELD)->field, "vlarb_high");
	assert_string_equal(diff->changes[0].before, "1:64");
	assert_string_equal(diff->changes[0].after, "2:32");
	assert_true(has_note(diff, "only the older snapshot tells vlarb_low of 1 port"));
}

static void a_second_device_of_one_guid_is_one_device_more(void **state)
{
	struct pair *pair = *state;
	struct device *twin = build_ca(pair->now, 0x100b, 1, 99, "impostor");
	const struct diff *diff;

	build_link(build_device(pair->now, "spine-1"), 3, twin, 1);
	diff = compare_keys(pair, DIFF_NODE | DIFF_LINK | DIFF_LID | DIFF_NODEDESC);

	assert_non_null(strstr(only(diff, DIFF_DEVICE_ADDED)->subject, "impostor"));
	assert_int_equal(count_of(diff, DIFF_LINK_ADDED), 1);
	assert_int_equal(diff->change_count, 2);
}

static void of_two_devices_with_one_guid_the_one_that_left_is_told(void **state)
{
	struct pair *pair = *state;
	struct device *twin = build_ca(pair->before, 0x100b, 1, 99, "impostor");
	const struct diff *diff;

	build_link(build_device(pair->before, "spine-1"), 3, twin, 1);
	diff = compare_keys(pair, DIFF_NODE | DIFF_LINK | DIFF_LID | DIFF_NODEDESC);

	assert_non_null(strstr(only(diff, DIFF_DEVICE_REMOVED)->subject, "impostor"));
	assert_int_equal(diff->change_count, 2);
}

static void a_dump_of_forwarding_tables_removes_no_host(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->now);
	pair->now = build_fabric();
	pair->now->live = false;
	pair->now->asked = 1u << ATTRIBUTE_LFT;
	fabric_device_add(pair->now, 0x1001, NODE_TYPE_SWITCH);
	diff = compare(pair);

	assert_int_equal(diff->change_count, 0);
	assert_true(has_note(diff, "do not list devices"));
	assert_true(has_note(diff, "links are not compared"));
}

static void a_list_of_switches_removes_no_host(void **state)
{
	struct pair *pair = *state;
	const struct diff *diff;

	fabric_free(pair->now);
	pair->now = build_fabric();
	pair->now->live = false;
	pair->now->asked = 1u << ATTRIBUTE_NODE_INFO;
	for (uint64_t guid = 0x1001; guid <= 0x1003; guid++)
		fabric_device_add(pair->now, guid, NODE_TYPE_SWITCH);
	diff = compare(pair);

	assert_non_null(strstr(only(diff, DIFF_DEVICE_REMOVED)->subject, "spine-2"));
	assert_true(has_note(diff, "4 hosts are not compared"));
}

static void a_new_firmware_is_told_of_the_device(void **state)
{
	struct pair *pair = *state;
	const struct change *change;

	build_device(pair->before, "host-11")->fw_version = fabric_text(pair->before, "1.2", 3);
	build_device(pair->now, "host-11")->fw_version = fabric_text(pair->now, "1.3", 3);
	change = only(compare(pair), DIFF_DEVICE_FIELD);

	assert_int_equal(change->port, -1);
	assert_string_equal(change->field, "fw_version");
	assert_string_equal(change->after, "1.3");
}

static void a_new_or_gone_finding_is_a_difference_and_a_still_open_one_is_not(void **state)
{
	struct pair *pair = *state;
	struct audit *audit = NULL;
	struct err err = {0};
	struct finding *finding;

	assert_int_equal(audit_new(&audit, &err), 0);
	finding = audit_finding_add(audit, "some-rule", SEVERITY_ERROR, 1, -1);
	finding->status = FINDING_STILL;
	assert_int_equal(diff_new(pair->before, pair->now, audit, DIFF_ALL, &pair->diff, &err), 0);

	assert_false(diff_is_different(pair->diff));
	finding->status = FINDING_GONE;
	assert_true(diff_is_different(pair->diff));
	diff_free(pair->diff);
	pair->diff = NULL;
	assert_int_equal(diff_new(pair->before, pair->now, audit, DIFF_NODE, &pair->diff, &err), 0);
	assert_false(diff_is_different(pair->diff));
	audit_free(audit);
}

static void keys_choose_what_is_compared(void **state)
{
	struct pair *pair = *state;
	unsigned keys = 0;
	const char *bad = NULL;
	static const char wrong[] = "node,linc,lid";

	build_port(build_device(pair->now, "host-11"), 1)->info.lid = 77;

	assert_true(diff_keys_parse("node,link,state", &keys, &bad));
	assert_int_equal(keys, DIFF_NODE | DIFF_LINK | DIFF_STATE);
	assert_int_equal(compare_keys(pair, keys)->change_count, 0);
	assert_true(diff_keys_parse("all", &keys, &bad));
	assert_int_equal(keys, DIFF_ALL);
	assert_false(diff_keys_parse(wrong, &keys, &bad));
	assert_ptr_equal(bad, wrong + 5);
	assert_false(diff_keys_parse("", &keys, &bad));
	assert_false(diff_keys_parse("node,", &keys, &bad));
}

static void everything_compares_equal_to_itself(void **state)
{
	struct fabric *one = full_fabric();
	struct fabric *two = full_fabric();
	struct diff *diff = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(diff_new(one, two, NULL, DIFF_ALL, &diff, &err), 0);

	assert_int_equal(diff->change_count, 0);
	assert_int_equal(diff->note_count, 0);
	diff_free(diff);
	fabric_free(one);
	fabric_free(two);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define DIFF_TEST(name) cmocka_unit_test_setup_teardown(name, make_pair, free_pair)
		DIFF_TEST(equal_fabrics_have_no_difference),
		DIFF_TEST(the_order_of_discovery_is_no_difference),
		DIFF_TEST(lids_given_anew_are_one_thing),
		DIFF_TEST(one_lid_that_changed_is_no_reassignment),
		DIFF_TEST(a_host_that_went_takes_its_link_along),
		DIFF_TEST(a_host_that_came_brings_its_link),
		DIFF_TEST(what_lies_behind_a_hole_is_not_reached),
		DIFF_TEST(a_hole_elsewhere_excuses_nothing),
		DIFF_TEST(what_hangs_on_something_not_reached_is_not_reached_either),
		DIFF_TEST(what_is_reached_again_did_not_come),
		DIFF_TEST(a_hole_without_a_place_may_hide_anything),
		DIFF_TEST(a_cable_with_one_end_elsewhere_has_moved),
		DIFF_TEST(two_swapped_cables_are_two_moves),
		DIFF_TEST(another_adapter_behind_a_port_is_a_move_of_the_port),
		DIFF_TEST(a_link_seen_from_one_end_is_the_same_link),
		DIFF_TEST(a_new_description_is_a_rename),
		DIFF_TEST(a_name_not_read_is_no_rename),
		DIFF_TEST(a_name_from_a_map_is_no_rename),
		DIFF_TEST(a_field_one_side_does_not_know_is_no_change),
		DIFF_TEST(many_fields_one_side_does_not_know_are_one_note),
		DIFF_TEST(values_are_told_in_the_fields_terms),
		DIFF_TEST(what_a_down_port_still_answers_is_not_compared),
		DIFF_TEST(a_table_that_changed_is_told_whole),
		DIFF_TEST(a_second_device_of_one_guid_is_one_device_more),
		DIFF_TEST(of_two_devices_with_one_guid_the_one_that_left_is_told),
		DIFF_TEST(a_dump_of_forwarding_tables_removes_no_host),
		DIFF_TEST(a_list_of_switches_removes_no_host),
		DIFF_TEST(a_new_firmware_is_told_of_the_device),
		DIFF_TEST(a_new_or_gone_finding_is_a_difference_and_a_still_open_one_is_not),
		DIFF_TEST(keys_choose_what_is_compared),
		cmocka_unit_test(everything_compares_equal_to_itself),
	};

	return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
