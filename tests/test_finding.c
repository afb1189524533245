#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"
#include "store/finding.h"

#define LEAF UINT64_C(0xa088c20300c01000)

static struct audit *audit_of(enum verdict_kind first, enum verdict_kind second)
{
	struct err err = {0};
	struct audit *audit = NULL;

	assert_int_equal(audit_new(&audit, &err), 0);
	audit->verdicts = calloc(2, sizeof(*audit->verdicts));
	assert_non_null(audit->verdicts);
	audit->verdict_count = 2;
	audit->verdicts[0].rule = "b-rule";
	audit->verdicts[0].kind = first;
	audit->verdicts[1].rule = "a-rule";
	audit->verdicts[1].kind = second;
	return audit;
}

static size_t count_status(const struct audit *audit, enum finding_status status)
{
	size_t count = 0;

	for (size_t i = 0; i < audit->finding_count; i++)
		count += audit->findings[i].status == status;
	return count;
}

static struct finding *add(struct audit *audit, const char *rule, enum severity severity, int port,
			   const char *discriminator, const char *subject)
{
	struct finding *finding = audit_finding_add(audit, rule, severity, LEAF, port);

	assert_non_null(finding);
	assert_true(finding_text(&finding->discriminator, "%s", discriminator));
	assert_true(finding_text(&finding->subject, "%s", subject));
	return finding;
}

static void a_text_may_be_replaced_by_one_made_of_itself(void **state)
{
	char *text = NULL;

	(void)state;

	assert_true(finding_text(&text, "%s", "one"));
	assert_true(finding_text(&text, "%s and %s", text, text));

	assert_string_equal(text, "one and one");
	free(text);
}

static void evidence_is_kept_in_order(void **state)
{
	struct audit *audit = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	struct finding *finding = add(audit, "b-rule", SEVERITY_INFO, 1, "", "leaf port 1");
	char key[16];

	(void)state;

	for (int i = 0; i < 9; i++) {
		snprintf(key, sizeof(key), "key%d", i);
		assert_true(finding_evidence(finding, key, "%d of %s", i, "nine"));
	}

	assert_int_equal(finding->evidence_count, 9);
	assert_string_equal(finding->evidence[0].key, "key0");
	assert_string_equal(finding->evidence[8].value, "8 of nine");
	audit_free(audit);
}

static void a_finding_keeps_its_rule_when_the_caller_forgets_it(void **state)
{
	struct audit *audit = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	char rule[] = "b-rule";
	struct finding *finding = audit_finding_add(audit, rule, SEVERITY_INFO, 0, -1);

	(void)state;

	memset(rule, 'x', sizeof(rule) - 1);

	assert_string_equal(finding->rule, "b-rule");
	audit_free(audit);
}

static void findings_sort_by_severity_then_rule_then_subject_with_numbers_as_numbers(void **state)
{
	struct audit *audit = audit_of(VERDICT_FINDINGS, VERDICT_FINDINGS);
	static const char *const want[] = {"leaf port 2", "leaf port 10", "a", "low", "gone"};

	(void)state;
	add(audit, "b-rule", SEVERITY_CRITICAL, 0, "", "gone")->status = FINDING_GONE;
	add(audit, "a-rule", SEVERITY_ERROR, 1, "", "a");
	add(audit, "b-rule", SEVERITY_WARNING, 3, "", "low");
	add(audit, "b-rule", SEVERITY_ERROR, 10, "", "leaf port 10");
	add(audit, "b-rule", SEVERITY_ERROR, 2, "", "leaf port 2");

	audit_sort(audit);

	for (size_t i = 0; i < 5; i++)
		assert_string_equal(audit->findings[i].subject, want[i]);
	audit_free(audit);
}

static void a_comparison_tells_new_still_and_gone(void **state)
{
	struct audit *before = audit_of(VERDICT_FINDINGS, VERDICT_FINDINGS);
	struct audit *now = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	struct err err = {0};

	(void)state;
	add(before, "b-rule", SEVERITY_ERROR, 1, "lid=1", "worded so");
	add(before, "a-rule", SEVERITY_ERROR, 1, "", "leaf port 1");
	assert_true(finding_evidence(&before->findings[1], "k", "v"));
	add(now, "b-rule", SEVERITY_WARNING, 1, "lid=1", "worded otherwise");
	add(now, "b-rule", SEVERITY_ERROR, 1, "lid=2", "leaf port 1");

	assert_int_equal(audit_compare(now, before, NULL, NULL, &err), 0);
	audit_free(before);

	assert_int_equal(now->finding_count, 3);
	assert_int_equal(now->findings[0].status, FINDING_STILL);
	assert_int_equal(now->findings[1].status, FINDING_NEW);
	assert_int_equal(now->findings[2].status, FINDING_GONE);
	assert_string_equal(now->findings[2].rule, "a-rule");
	assert_string_equal(now->findings[2].evidence[0].value, "v");
	assert_int_equal(audit_count_at(now, SEVERITY_WARNING), 2);
	assert_int_equal(audit_count_at(now, SEVERITY_ERROR), 1);
	audit_free(now);
}

static struct finding *add_at(struct audit *audit, uint64_t guid, int port, const char *cause)
{
	struct finding *finding = audit_finding_add(audit, "b-rule", SEVERITY_ERROR, guid, port);

	assert_non_null(finding);
	assert_true(finding_text(&finding->discriminator, "%s", cause));
	return finding;
}

struct at {
	uint64_t guid;
	int port;
	const char *cause;
};

/* Whether what was `before` is called still there as `now`; with one finding each it is so both ways. */
static bool is_still(struct at before, struct at now)
{
	struct audit *old_audit = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	struct audit *new_audit = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	struct err err = {0};
	bool still;

	add_at(old_audit, before.guid, before.port, before.cause);
	add_at(new_audit, now.guid, now.port, now.cause);
	assert_int_equal(audit_compare(new_audit, old_audit, NULL, NULL, &err), 0);
	still = new_audit->findings[0].status == FINDING_STILL;
	assert_int_equal(new_audit->finding_count, still ? 1 : 2);
	audit_free(old_audit);
	audit_free(new_audit);
	return still;
}

static void a_cause_at_more_places_is_the_same_finding(void **state)
{
	const struct at port = {LEAF, 1, "ca:sl=3"};
	const struct at device = {LEAF, -1, "ca:sl=3"};
	const struct at fabric = {0, -1, "ca:sl=3"};

	(void)state;
	assert_true(is_still(port, device));
	assert_true(is_still(port, fabric));
	assert_true(is_still(device, fabric));
	assert_true(is_still(device, port));
	assert_true(is_still(fabric, port));
	assert_true(is_still(fabric, device));
}

static void a_cause_at_another_place_is_another_finding(void **state)
{
	(void)state;
	assert_false(is_still((struct at){LEAF, 1, "ca:sl=3"}, (struct at){LEAF, 2, "ca:sl=3"}));
	assert_false(is_still((struct at){LEAF, 1, "ca:sl=3"}, (struct at){LEAF + 1, 1, "ca:sl=3"}));
	assert_false(is_still((struct at){LEAF, -1, "ca:sl=3"}, (struct at){LEAF + 1, -1, "ca:sl=3"}));
	assert_false(is_still((struct at){LEAF, 1, "ca:sl=3"}, (struct at){0, -1, "ca:sl=4"}));
}

static void many_causes_told_together_are_those_told_apart_before(void **state)
{
	const struct at one = {LEAF, 1, "lid=17"};
	const struct at many = {0, -1, "lid=*"};

	(void)state;
	assert_true(is_still(one, many));
	assert_true(is_still(many, one));
	assert_true(is_still(many, many));
	assert_false(is_still(many, (struct at){LEAF, 1, "lost=17"}));
	assert_false(is_still((struct at){LEAF, 1, "a*b"}, (struct at){LEAF, 1, "ab"}));
}

static void what_was_not_checked_this_time_is_not_gone(void **state)
{
	struct audit *before = audit_of(VERDICT_FINDINGS, VERDICT_FINDINGS);
	struct audit *now = audit_of(VERDICT_NOT_CHECKED, VERDICT_NOT_APPLICABLE);
	struct err err = {0};

	(void)state;
	add(before, "b-rule", SEVERITY_ERROR, 1, "", "leaf port 1");
	add(before, "a-rule", SEVERITY_ERROR, 1, "", "leaf port 1");
	add(before, "withdrawn-rule", SEVERITY_ERROR, 1, "", "leaf port 1");

	assert_int_equal(audit_compare(now, before, NULL, NULL, &err), 0);

	assert_int_equal(now->finding_count, 3);
	for (size_t i = 0; i < now->finding_count; i++) {
		const struct finding *finding = &now->findings[i];

		assert_string_equal(finding_status_name(finding->status),
				    strcmp(finding->rule, "a-rule") == 0 ? "gone" : "not-checked");
	}
	assert_int_equal(audit_count_at(now, SEVERITY_INFO), 0);
	audit_free(before);
	audit_free(now);
}

static void what_the_baseline_calls_gone_is_new_when_it_returns(void **state)
{
	struct audit *before = audit_of(VERDICT_PASS, VERDICT_PASS);
	struct audit *now = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	struct err err = {0};

	(void)state;
	add(before, "b-rule", SEVERITY_ERROR, 1, "", "leaf port 1")->status = FINDING_GONE;
	add(before, "a-rule", SEVERITY_ERROR, 1, "", "leaf port 1")->status = FINDING_GONE;
	add(now, "b-rule", SEVERITY_ERROR, 1, "", "leaf port 1");

	assert_int_equal(audit_compare(now, before, NULL, NULL, &err), 0);

	assert_int_equal(now->finding_count, 1);
	assert_int_equal(now->findings[0].status, FINDING_NEW);
	audit_free(before);
	audit_free(now);
}

static struct fabric *fabric_with_leaf(void)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_non_null(fabric_device_add(fabric, LEAF, NODE_TYPE_SWITCH));
	return fabric;
}

/* How many of the leaf's findings (of the leaf, of its port 1, of the fabric) are gone in `fabric`. */
static size_t count_gone(const struct fabric *fabric)
{
	struct audit *before = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	struct audit *now = audit_of(VERDICT_PASS, VERDICT_PASS);
	struct err err = {0};
	size_t count;

	add(before, "b-rule", SEVERITY_ERROR, 1, "", "leaf port 1");
	add(before, "b-rule", SEVERITY_ERROR, -1, "", "leaf");
	assert_non_null(audit_finding_add(before, "b-rule", SEVERITY_ERROR, 0, -1));
	assert_int_equal(audit_compare(now, before, NULL, fabric, &err), 0);
	count = count_status(now, FINDING_GONE);
	assert_int_equal(now->finding_count, 3);
	audit_free(before);
	audit_free(now);
	return count;
}

static void add_hole(struct fabric *fabric, struct device *device, int port,
		     enum attribute attribute, enum hole_reason reason)
{
	struct hole *hole = fabric_hole_add(fabric);

	assert_non_null(hole);
	hole->device = device;
	hole->port = port;
	hole->attribute = attribute;
	hole->reason = reason;
}

static void what_gave_no_answer_this_time_is_not_gone(void **state)
{
	struct fabric *fabric = fabric_with_leaf();

	(void)state;
	assert_int_equal(count_gone(fabric), 3);
	add_hole(fabric, fabric->devices[0], 1, ATTRIBUTE_SL2VL, HOLE_UNSUPPORTED);
	assert_int_equal(count_gone(fabric), 3);
	add_hole(fabric, fabric->devices[0], 2, ATTRIBUTE_PORT_INFO, HOLE_TIMEOUT);
	assert_int_equal(count_gone(fabric), 2);
	add_hole(fabric, fabric->devices[0], -1, ATTRIBUTE_LFT, HOLE_TIMEOUT);
	assert_int_equal(count_gone(fabric), 1);
	fabric_free(fabric);
}

static void what_may_lie_behind_a_hole_is_not_gone(void **state)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(fabric_new(&fabric, &err), 0);
	fabric->live = true;
	fabric->asked = 1u << ATTRIBUTE_NODE_INFO;
	assert_int_equal(count_gone(fabric), 3);
	add_hole(fabric, NULL, -1, ATTRIBUTE_NODE_INFO, HOLE_TIMEOUT);
	assert_int_equal(count_gone(fabric), 1);
	fabric_free(fabric);
}

static void a_folded_finding_whose_places_are_silent_is_not_gone(void **state)
{
	struct audit *before = audit_of(VERDICT_FINDINGS, VERDICT_PASS);
	struct fabric *fabric = fabric_with_leaf();
	struct err err = {0};

	(void)state;
	fabric->devices[0]->description = fabric_text(fabric, "leaf-1", 6);
	assert_true(finding_evidence(add_at(before, 0, -1, "a"), "places", "leaf-1 port 3; x port 1"));
	assert_true(finding_evidence(add_at(before, 0, -1, "b"), "places", "leaf-2 port 3; x port 1"));
	for (size_t holes = 0; holes < 2; holes++) {
		struct audit *now = audit_of(VERDICT_PASS, VERDICT_PASS);

		assert_int_equal(audit_compare(now, before, NULL, fabric, &err), 0);
		assert_int_equal(count_status(now, FINDING_GONE), holes ? 1 : 2);
		audit_free(now);
		add_hole(fabric, fabric->devices[0], -1, ATTRIBUTE_PORT_INFO, HOLE_TIMEOUT);
	}
	audit_free(before);
	fabric_free(fabric);
}

static void severities_are_read_as_they_are_written(void **state)
{
	enum severity severity = SEVERITY_INFO;

	(void)state;

	for (int i = SEVERITY_INFO; i <= SEVERITY_CRITICAL; i++) {
		assert_true(severity_parse(severity_name((enum severity)i), &severity));
		assert_int_equal(severity, i);
	}
	assert_false(severity_parse("Error", &severity));
	assert_false(severity_parse("", &severity));
}

static void lists_of_a_config_grow_and_keep_what_they_hold(void **state)
{
	struct fabric *fabric = NULL;
	struct err err = {0};
	char key[16];

	(void)state;
	assert_int_equal(fabric_new(&fabric, &err), 0);
	for (int i = 0; i < 1000; i++) {
		struct config_option *option = config_option_add(fabric->config);

		snprintf(key, sizeof(key), "key%d", i);
		option->key = fabric_text(fabric, key, strlen(key));
		option->line = i;
	}

	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "key%d", i);
		assert_int_equal(config_option_find(fabric->config, key)->line, i);
	}
	assert_null(config_option_find(fabric->config, "key1000"));
	assert_int_equal(config_partition_add(fabric->config)->sl, FIELD_UNKNOWN);
	assert_int_equal(config_event_add(fabric->config)->port, -1);
	fabric_free(fabric);
}

static void children_of_a_policy_section_are_found_one_after_the_other(void **state)
{
	struct policy_node third = {.keyword = (char *)"use", .line = 3};
	struct policy_node second = {.keyword = (char *)"name", .line = 2, .next = &third};
	struct policy_node first = {.keyword = (char *)"use", .line = 1, .next = &second};
	struct policy_node root = {.first_child = &first};

	(void)state;

	assert_ptr_equal(policy_child(&root, "use", NULL), &first);
	assert_ptr_equal(policy_child(&root, "use", &first), &third);
	assert_null(policy_child(&root, "use", &third));
	assert_null(policy_child(&root, "Use", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_may_be_replaced_by_one_made_of_itself),
		cmocka_unit_test(evidence_is_kept_in_order),
		cmocka_unit_test(a_finding_keeps_its_rule_when_the_caller_forgets_it),
		cmocka_unit_test(
			findings_sort_by_severity_then_rule_then_subject_with_numbers_as_numbers),
		cmocka_unit_test(a_comparison_tells_new_still_and_gone),
		cmocka_unit_test(a_cause_at_more_places_is_the_same_finding),
		cmocka_unit_test(a_cause_at_another_place_is_another_finding),
		cmocka_unit_test(many_causes_told_together_are_those_told_apart_before),
		cmocka_unit_test(a_folded_finding_whose_places_are_silent_is_not_gone),
		cmocka_unit_test(what_was_not_checked_this_time_is_not_gone),
		cmocka_unit_test(what_the_baseline_calls_gone_is_new_when_it_returns),
		cmocka_unit_test(what_gave_no_answer_this_time_is_not_gone),
		cmocka_unit_test(what_may_lie_behind_a_hole_is_not_gone),
		cmocka_unit_test(severities_are_read_as_they_are_written),
		cmocka_unit_test(lists_of_a_config_grow_and_keep_what_they_hold),
		cmocka_unit_test(children_of_a_policy_section_are_found_one_after_the_other),
	};

	return cmocka_run_group_tests_name("finding", tests, NULL, NULL);
}
