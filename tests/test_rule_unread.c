/* No rule passes without a word on what was not read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"
#include "tests/support/check_rule.h"

#define OF_PORTS "a field or a table of ports"

/* A healthy tree of which everything was read that a rule reads from devices. */
static struct fabric *whole_tree(void)
{
	struct fabric *fabric = build_tree();

	build_sl2vl_all(fabric, SL2VL_ON_8);
	build_vlarb_all(fabric, "0:64", "0:64,1:64,2:64,3:64,4:64,5:64,6:64,7:64");
	build_sm(fabric, build_port(build_device(fabric, "host-21"), 1), 2, 0);
	fabric->asked |= 1u << ATTRIBUTE_SL2VL | 1u << ATTRIBUTE_VLARB | 1u << ATTRIBUTE_LFT |
			 1u << ATTRIBUTE_SM_INFO;
	return fabric;
}

static void forget_port(struct port *port)
{
	for (const struct field *field = port_field_table; field->member; field++) {
		int64_t unknown = FIELD_UNKNOWN;

		memcpy((char *)&port->info + field->offset, &unknown, sizeof(unknown));
	}
	port->source_of[ATTRIBUTE_PORT_INFO] = 0;
}

static void forget_tables(struct port *port)
{
	port->sl2vl = NULL;
	port->sl2vl_count = 0;
	port->vlarb_high = NULL;
	port->vlarb_low = NULL;
}

static void forget_ports(struct device *device)
{
	for (size_t num = 0; num < device->port_slots; num++) {
		if (!device->ports[num])
			continue;
		forget_port(device->ports[num]);
		forget_tables(device->ports[num]);
	}
}

static void add_hole(struct fabric *fabric, struct device *device, struct port *behind,
		     enum attribute attribute, enum hole_reason reason)
{
	struct hole *hole = fabric_hole_add(fabric);

	assert_non_null(hole);
	hole->device = device;
	hole->behind = behind;
	hole->port = -1;
	hole->attribute = attribute;
	hole->reason = reason;
	hole->status = reason == HOLE_STATUS ? 0x1c : 0;
	hole->source = 1;
	fabric->partial = true;
}

static void refuse_port_info(struct fabric *fabric)
{
	struct device *leaf = build_device(fabric, "leaf-2");

	forget_ports(leaf);
	add_hole(fabric, leaf, NULL, ATTRIBUTE_PORT_INFO, HOLE_STATUS);
}

static void keep_port_info_untold(struct fabric *fabric)
{
	forget_ports(build_device(fabric, "leaf-2"));
	fabric->live = false;
}

static void protect(struct fabric *fabric)
{
	struct device *leaf = build_device(fabric, "leaf-2");

	forget_ports(leaf);
	leaf->description = NULL;
	leaf->lft = NULL;
	leaf->lft_blocks = NULL;
	leaf->lft_size = 0;
	add_hole(fabric, leaf, NULL, ATTRIBUTE_PORT_INFO, HOLE_PROTECTED);
}

static void refuse_tables(struct fabric *fabric)
{
	struct device *leaf = build_device(fabric, "leaf-2");

	for (size_t num = 0; num < leaf->port_slots; num++) {
		if (leaf->ports[num])
			forget_tables(leaf->ports[num]);
	}
	add_hole(fabric, leaf, NULL, ATTRIBUTE_SL2VL, HOLE_STATUS);
	add_hole(fabric, leaf, NULL, ATTRIBUTE_VLARB, HOLE_STATUS);
}

static void kill_leaf(struct fabric *fabric)
{
	struct device *leaf = build_device(fabric, "leaf-2");
	struct port *from_1 = build_port(leaf, 3)->peer;
	struct port *from_2 = build_port(leaf, 4)->peer;
	bool drop[8] = {false};

	assert_true(fabric->device_count == 8);
	drop[leaf->index] = true;
	drop[build_device(fabric, "host-21")->index] = true;
	drop[build_device(fabric, "host-22")->index] = true;
	fabric_devices_drop(fabric, drop);
	add_hole(fabric, NULL, from_1, ATTRIBUTE_NODE_INFO, HOLE_TIMEOUT);
	add_hole(fabric, NULL, from_2, ATTRIBUTE_NODE_INFO, HOLE_TIMEOUT);
}

static void refuse_a_part(struct fabric *fabric)
{
	struct device *leaf = build_device(fabric, "leaf-2");

	add_hole(fabric, leaf, NULL, ATTRIBUTE_SL2VL, HOLE_TIMEOUT);
	add_hole(fabric, leaf, NULL, ATTRIBUTE_VLARB, HOLE_TIMEOUT);
	add_hole(fabric, leaf, NULL, ATTRIBUTE_LFT, HOLE_TIMEOUT);
	add_hole(fabric, leaf, NULL, ATTRIBUTE_PORT_INFO, HOLE_TIMEOUT);
}

static bool is_of_ports(const char *word)
{
	if (strcmp(word, "sl2vl") == 0 || strcmp(word, "vlarb") == 0)
		return true;
	for (const struct field *field = port_field_table; field->member; field++) {
		if (strcmp(field->member, word) == 0)
			return true;
	}
	return false;
}

static bool is_of_file(const char *word)
{
	return strchr(word, '.') != NULL;
}

/* Calls for each word of what the rule reads until one is true. */
static bool reads_any(const struct rule *rule, bool (*is)(const char *word, const char *words),
		      const char *words)
{
	char copy[256];
	char *save = NULL;

	snprintf(copy, sizeof(copy), "%s", rule->reads ? rule->reads : "");
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (is(word, words))
			return true;
	}
	return false;
}

static bool is_among(const char *word, const char *words)
{
	if (is_of_ports(word) && strstr(words, OF_PORTS))
		return true;
	return strstr(words, word) != NULL;
}

static bool is_from_devices(const char *word, const char *words)
{
	(void)words;
	return !is_of_file(word);
}

static void assert_no_bare_pass(const struct fabric *fabric, const char *words, const char *what)
{
	for (size_t i = 0; rule_table[i]; i++) {
		struct audit *audit = check_rule(rule_table[i], fabric, NULL);
		const struct verdict *verdict = &audit->verdicts[0];
		bool concerned = words ? reads_any(rule_table[i], is_among, words) :
					 reads_any(rule_table[i], is_from_devices, NULL);

		if (concerned && verdict->kind == VERDICT_PASS && !verdict->reason)
			fail_msg("%s: %s passes without a word", what, rule_table[i]->id);
		audit_free(audit);
	}
}

static void no_rule_passes_bare_with_a_hole_in_what_it_reads(void **state)
{
	static const struct {
		const char *what;
		void (*harm)(struct fabric *fabric);
		const char *words;	/* what is missing of; NULL: of everything */
	} cases[] = {
		{"PortInfo refused", refuse_port_info, OF_PORTS " sm"},
		{"PortInfo in no file", keep_port_info_untold, OF_PORTS},
		{"an M_Key", protect, OF_PORTS " description lft sm"},
		{"tables refused", refuse_tables, "sl2vl vlarb"},
		{"a dead switch", kill_leaf, NULL},
		{"a part of each", refuse_a_part, OF_PORTS " lft"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = whole_tree();

		cases[i].harm(fabric);
		assert_no_bare_pass(fabric, cases[i].words, cases[i].what);
		fabric_free(fabric);
	}
}

static void where_nothing_was_read_nothing_passes(void **state)
{
	struct fabric *fabric = whole_tree();

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		forget_ports(device);
		device->description = NULL;
		device->lft = NULL;
		device->lft_blocks = NULL;
		device->lft_size = 0;
	}
	fabric->sm_count = 0;
	fabric->asked = 1u << ATTRIBUTE_NODE_INFO | 1u << ATTRIBUTE_NEIGHBOR;
	for (size_t i = 0; rule_table[i]; i++) {
		struct audit *audit = check_rule(rule_table[i], fabric, NULL);

		if (reads_any(rule_table[i], is_among, OF_PORTS " description lft sm") &&
		    audit->verdicts[0].kind == VERDICT_PASS)
			fail_msg("%s passes", rule_table[i]->id);
		audit_free(audit);
	}
	fabric_free(fabric);
}

static void where_all_was_read_a_pass_needs_no_reason(void **state)
{
	struct fabric *fabric = whole_tree();

	(void)state;
	for (size_t i = 0; rule_table[i]; i++) {
		struct audit *audit = check_rule(rule_table[i], fabric, NULL);
		const struct verdict *verdict = &audit->verdicts[0];

		if (verdict->kind == VERDICT_PASS && verdict->reason)
			fail_msg("%s passes with \"%s\"", rule_table[i]->id, verdict->reason);
		audit_free(audit);
	}
	fabric_free(fabric);
}

static void the_reason_says_how_many_whose_and_why(void **state)
{
	struct fabric *fabric = whole_tree();

	(void)state;
	refuse_port_info(fabric);
	assert_rule_verdict(rule_find("link-not-active"), fabric, NULL, VERDICT_PASS,
			    "the PortState of 4 of 16 ports with a cable was not read: 1 device refused "
			    "with MAD status 0x001c (invalid attribute or modifier value), leaf-2 (");
	assert_rule_verdict(rule_find("duplicate-lid"), fabric, NULL, VERDICT_PASS,
			    "the LID of 1 of 8 end ports was not read: 1 device refused");
	fabric_free(fabric);
	fabric = whole_tree();
	protect(fabric);
	assert_rule_verdict(rule_find("duplicate-description"), fabric, NULL, VERDICT_PASS,
			    "the NodeDescription of 1 of 8 devices was not read: 1 device kept answers back "
			    "behind an M_Key, ");
	fabric_free(fabric);
	fabric = whole_tree();
	kill_leaf(fabric);
	assert_rule_verdict(rule_find("subnet-prefix"), fabric, NULL, VERDICT_PASS,
			    "what lies behind 2 ports is not known, first spine-1 port 2 (did not answer)");
	fabric_free(fabric);
}

static void a_host_alone_before_a_dead_switch_proves_nothing_of_routes(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *host = build_ca(fabric, 0x2001, 1, 7, "host-1");

	(void)state;
	build_port(host, 1)->info.port_state = 4;
	assert_rule_passes(rule_find("lost-lid"), fabric, NULL);
	add_hole(fabric, NULL, build_port(host, 1), ATTRIBUTE_NODE_INFO, HOLE_TIMEOUT);
	assert_rule_verdict(rule_find("lost-lid"), fabric, NULL, VERDICT_NOT_CHECKED,
			    "no switch was read: what lies behind 1 port is not known, host-1 port 1");
	fabric_free(fabric);
}

static void a_map_that_no_port_gave_leaves_the_weights_unjudged(void **state)
{
	struct fabric *fabric = whole_tree();

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 0; num < fabric->devices[i]->port_slots; num++) {
			struct port *port = fabric->devices[i]->ports[num];

			if (port)
				port->sl2vl = NULL, port->sl2vl_count = 0;
		}
	}
	fabric->asked &= ~(1u << ATTRIBUTE_SL2VL);
	assert_rule_verdict(rule_find("vl-never-served"), fabric, NULL, VERDICT_NOT_CHECKED,
			    "none of the 16 ports with arbitration tables gave an SL2VL table: this scan "
			    "did not ask for them");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_rule_passes_bare_with_a_hole_in_what_it_reads),
		cmocka_unit_test(where_nothing_was_read_nothing_passes),
		cmocka_unit_test(where_all_was_read_a_pass_needs_no_reason),
		cmocka_unit_test(the_reason_says_how_many_whose_and_why),
		cmocka_unit_test(a_host_alone_before_a_dead_switch_proves_nothing_of_routes),
		cmocka_unit_test(a_map_that_no_port_gave_leaves_the_weights_unjudged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
