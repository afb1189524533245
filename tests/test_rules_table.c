#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rule.h"
#include "store/reads.h"
#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

static void ids_are_sorted_and_unique(void **state)
{
	(void)state;
	assert_non_null(rule_table[0]);
	for (size_t i = 1; rule_table[i]; i++)
		assert_true(strcmp(rule_table[i - 1]->id, rule_table[i]->id) < 0);
}

static void ids_are_words_joined_by_dashes(void **state)
{
	(void)state;
	for (size_t i = 0; rule_table[i]; i++)
		assert_int_equal(strspn(rule_table[i]->id, "abcdefghijklmnopqrstuvwxyz0123456789-"),
				 strlen(rule_table[i]->id));
}

static void a_text_fits(const char *text, size_t least, char last)
{
	assert_non_null(text);
	assert_true(strlen(text) >= least);
	if (last)
		assert_int_equal(text[strlen(text) - 1], last);
}

static void every_text_is_filled(void **state)
{
	(void)state;
	for (size_t i = 0; rule_table[i]; i++) {
		const struct rule *rule = rule_table[i];

		a_text_fits(rule->title, 12, 0);
		a_text_fits(rule->why, 40, '.');
		a_text_fits(rule->needs, 8, 0);
		a_text_fits(rule->remedy, 30, '.');
		a_text_fits(rule->source, 8, 0);
		assert_non_null(rule->check);
	}
}

static void what_a_rule_reads_is_told_in_known_words(void **state)
{
	(void)state;
	for (size_t i = 0; rule_table[i]; i++) {
		const char *at = rule_table[i]->reads;
		struct read_word word;

		while (reads_next(&at, &word)) {
			if (word.kind == READ_UNKNOWN)
				fail_msg("%s reads what nobody knows, before \"%s\"",
					 rule_table[i]->id, at);
		}
	}
}

static void break_much(struct fabric *fabric)
{
	struct device *host = build_device(fabric, "host-21");

	build_sl2vl_all(fabric, "0,1,2,15,4,9,6,7,0,1,2,3,4,5,6,7");
	build_vlarb_all(fabric, "0:64,9:4", "1:64,2:3");
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 1; num < fabric->devices[i]->port_slots; num++)
			fabric->devices[i]->ports[num]->info.vl_high_limit = 255;
	}
	build_port(host, 1)->info.lid = 0;
	build_port(build_device(fabric, "host-12"), 1)->info.lid = 22;
	build_port(build_device(fabric, "host-11"), 1)->info.gid_prefix = 5;
	build_port(build_device(fabric, "host-11"), 1)->info.lmc = 2;
	build_port(build_device(fabric, "leaf-1"), 1)->info.link_width_active = 1;
	build_port(build_device(fabric, "host-11"), 1)->info.link_width_active = 1;
	build_route(build_device(fabric, "leaf-1"), 22, 255);
	build_ca(fabric, host->guid, 1, 0, "twin");
}

/* The same devices as a list of nodes names them: nothing is known of their ports. */
static void forget(struct fabric *fabric)
{
	fabric->live = false;
	fabric->asked = 1u << ATTRIBUTE_NODE_INFO;
	fabric->sm_count = 0;
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		device->lft = NULL;
		for (size_t num = 0; num < device->port_slots; num++) {
			struct port *port = device->ports[num];

			if (!port)
				continue;
			field_set_all_unknown(&port->info, port_field_table);
			port->peer = NULL;
			port->sl2vl = NULL;
			port->sl2vl_count = 0;
			port->vlarb_high = NULL;
			port->vlarb_low = NULL;
		}
	}
}

static void no_finding_is_gone_because_nothing_was_read(void **state)
{
	struct fabric *before = build_tree();
	struct fabric *now = build_tree();
	struct audit *audit = NULL;
	struct audit *baseline = NULL;
	struct err err = {0};

	(void)state;
	break_much(before);
	forget(now);
	for (int i = 0; i < 2; i++) {
		struct fabric *fabric = i ? now : before;

		build_conf(fabric, "qos", "TRUE");
		build_conf(fabric, "max_op_vls", "2");
	}
	build_conf(before, "qos_high_limit", "4");
	assert_int_equal(rules_run(before, NULL, &baseline, &err), 0);
	assert_int_equal(rules_run(now, before, &audit, &err), 0);

	assert_int_equal(audit_compare(audit, baseline, before, now, &err), 0);

	assert_true(baseline->finding_count > 8);
	for (size_t i = 0; i < audit->finding_count; i++) {
		if (audit->findings[i].status == FINDING_GONE)
			fail_msg("%s [%s] is gone: %s", audit->findings[i].rule,
				 audit->findings[i].discriminator, audit->findings[i].message);
	}
	audit_free(audit);
	audit_free(baseline);
	fabric_free(before);
	fabric_free(now);
}

static void every_rule_is_found_by_its_id(void **state)
{
	(void)state;
	for (size_t i = 0; rule_table[i]; i++)
		assert_ptr_equal(rule_find(rule_table[i]->id), rule_table[i]);
	assert_null(rule_find("no-such-rule"));
}

static void the_mission_is_complete(void **state)
{
	static const char *const ids[] = {
		"collection-incomplete", "duplicate-guid", "high-limit-unbounded",
		"lmc-with-fat-tree",	 "lost-lid",	   "max-op-vls-truncation",
		"qos-setup-ignored",	 "sl-to-vl15",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		if (!rule_find(ids[i]))
			fail_msg("no rule %s", ids[i]);
	}
}

static void nothing_at_all_is_judged_in_an_empty_fabric(void **state)
{
	struct fabric *fabric = build_fabric();
	struct audit *audit = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(rules_run(fabric, NULL, &audit, &err), 0);
	assert_int_equal(audit->finding_count, 0);
	for (size_t i = 0; i < audit->verdict_count; i++) {
		if (strcmp(audit->verdicts[i].rule, "collection-incomplete") == 0)
			continue;
		if (audit->verdicts[i].kind == VERDICT_PASS)
			fail_msg("%s passes without any fact", audit->verdicts[i].rule);
		assert_non_null(audit->verdicts[i].reason);
	}
	audit_free(audit);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_are_sorted_and_unique),
		cmocka_unit_test(ids_are_words_joined_by_dashes),
		cmocka_unit_test(every_text_is_filled),
		cmocka_unit_test(what_a_rule_reads_is_told_in_known_words),
		cmocka_unit_test(no_finding_is_gone_because_nothing_was_read),
		cmocka_unit_test(every_rule_is_found_by_its_id),
		cmocka_unit_test(the_mission_is_complete),
		cmocka_unit_test(nothing_at_all_is_judged_in_an_empty_fabric),
	};

	return cmocka_run_group_tests_name("rules_table", tests, NULL, NULL);
}
