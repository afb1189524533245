#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rule.h"
#include "tests/support/build_fabric.h"

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
		cmocka_unit_test(every_rule_is_found_by_its_id),
		cmocka_unit_test(the_mission_is_complete),
		cmocka_unit_test(nothing_at_all_is_judged_in_an_empty_fabric),
	};

	return cmocka_run_group_tests_name("rules_table", tests, NULL, NULL);
}
