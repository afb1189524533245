#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_text.h"

#define DEFAULT_LEVEL "qos-levels\n qos-level\n  name: DEFAULT\n  sl: 0\n end-qos-level\nend-qos-levels\n"

static struct fabric *read_policy(const char *text)
{
	return import_text("qos-policy.conf", text);
}

static void assert_dropped(const char *text, const char *id, int64_t line)
{
	struct fabric *fabric = read_policy(text);
	const struct config_problem *problem = find_problem(fabric, id, 0);

	if (!problem)
		fail_msg("no %s in %s", id, text);
	assert_int_equal(problem->line, line);
	assert_true(fabric->config->policy.present);
	assert_true(fabric->config->policy.dropped);
	fabric_free(fabric);
}

/* Not dropped, and nothing worse than info is said of it. */
static void assert_good(const char *text)
{
	struct fabric *fabric = read_policy(text);

	for (size_t i = 0; i < fabric->config->problem_count; i++) {
		if (fabric->config->problems[i].severity > 0)
			fail_msg("%s", fabric->config->problems[i].text);
	}
	assert_false(fabric->config->policy.dropped);
	fabric_free(fabric);
}

static void assert_problem(const char *text, const char *id, int64_t line)
{
	struct fabric *fabric = read_policy(text);
	const struct config_problem *problem = find_problem(fabric, id, 0);

	if (!problem)
		fail_msg("no %s in %s", id, text);
	assert_int_equal(problem->line, line);
	assert_false(fabric->config->policy.dropped);
	fabric_free(fabric);
}

static const struct policy_node *child(const struct policy_node *parent, const char *keyword)
{
	const struct policy_node *node = policy_child(parent, keyword, NULL);

	if (!node)
		fail_msg("no %s", keyword);
	return node;
}

static void the_file_becomes_a_tree_of_its_words(void **state)
{
	struct fabric *fabric = read_policy(
		"port-groups\n port-group # targets\n  name: Targets\n  use: see page \"qos\", 2: here # no\n"
		"  port-guid: 0x5001, 0x6000-0x601F\n end-port-group\nend-port-groups\n"
		"qos-setup\n vlarb-tables\n  vlarb-scope\n   group: Targets\n   vlarb-high: 0:64,1:32\n"
		"   vl-high-limit: 10\n  end-vlarb-scope\n end-vlarb-tables\nend-qos-setup\n"
		"qos-ulps\n default : 1\n sdp, port-num 10000-20000 : 2\n IPoIB : 3\nend-qos-ulps\n");
	const struct policy_node *root = fabric->config->policy.root;
	const struct policy_node *group, *scope, *ulps;

	(void)state;

	assert_false(fabric->config->policy.dropped);
	group = child(child(root, "port-groups"), "port-group");
	assert_int_equal(group->line, 2);
	assert_null(group->value);
	assert_string_equal(child(group, "name")->value, "Targets");
	assert_string_equal(child(group, "use")->value, "see page \"qos\", 2: here");
	assert_string_equal(child(group, "port-guid")->value, "0x5001, 0x6000-0x601F");
	scope = child(child(child(root, "qos-setup"), "vlarb-tables"), "vlarb-scope");
	assert_string_equal(child(scope, "vlarb-high")->value, "0:64,1:32");
	assert_int_equal(child(scope, "vl-high-limit")->line, 13);
	ulps = child(root, "qos-ulps");
	assert_string_equal(child(ulps, "default")->value, "1");
	assert_string_equal(child(ulps, "sdp, port-num 10000-20000")->value, "2");
	assert_string_equal(child(ulps, "ipoib")->value, "3");
	fabric_free(fabric);
}

static void a_default_must_be_there_in_one_of_two_forms(void **state)
{
	(void)state;

	assert_dropped("qos-levels\n qos-level\n name: Fast\n sl: 1\n end-qos-level\nend-qos-levels\n",
		       "no-default-level", 0);
	assert_good(DEFAULT_LEVEL);
	assert_good("qos-levels\n qos-level\n name: default\n sl: 1\n end-qos-level\nend-qos-levels\n");
	assert_good("qos-ulps\n default : 0\nend-qos-ulps\n");
	assert_problem(DEFAULT_LEVEL "qos-ulps\n default : 2\nend-qos-ulps\n", "default-ulp-unused", 8);
}

static void names_that_lead_nowhere_drop_the_policy_and_all_are_named(void **state)
{
	static const char text[] = DEFAULT_LEVEL "qos-match-rules\n qos-match-rule\n  source: Nobody\n"
		"  destination: Nowhere, NoOne\n  qos-level-name: Faster\n end-qos-match-rule\nend-qos-match-rules\n";
	struct fabric *fabric = read_policy(text);

	(void)state;

	assert_string_equal(find_problem(fabric, "dangling-level", 0)->key, "Faster");
	assert_string_equal(find_problem(fabric, "dangling-group", 0)->key, "Nobody");
	assert_string_equal(find_problem(fabric, "dangling-group", 1)->key, "Nowhere");
	assert_string_equal(find_problem(fabric, "dangling-group", 2)->key, "NoOne");
	assert_null(find_problem(fabric, "dangling-group", 3));
	fabric_free(fabric);
	assert_dropped(text, "dangling-level", 11);
}

static void names_compare_without_case_and_without_blanks(void **state)
{
	(void)state;

	assert_good(DEFAULT_LEVEL "port-groups\n port-group\n name: Login nodes\n node-type: ca,Switch\n"
		    " end-port-group\nend-port-groups\nqos-match-rules\n qos-match-rule\n"
		    "  source: LOGINNODES\n  qos-level-name: Default\n end-qos-match-rule\nend-qos-match-rules\n");
	assert_dropped(DEFAULT_LEVEL "port-groups\n port-group\n name: \"Login nodes\"\n node-type: CA\n"
		       " end-port-group\nend-port-groups\nqos-match-rules\n qos-match-rule\n"
		       "  source: Login nodes\n  qos-level-name: Default\n end-qos-match-rule\n"
		       "end-qos-match-rules\n", "dangling-group", 15);
}

static void what_the_lexer_does_not_know_drops_the_policy(void **state)
{
	(void)state;

	assert_dropped(DEFAULT_LEVEL "# the end", "policy-syntax", 7);
	assert_good(DEFAULT_LEVEL "# the end\n");
	assert_dropped("qos-ulps\r\n default : 0\r\nend-qos-ulps\r\n", "policy-syntax", 1);
	assert_dropped("\xef\xbb\xbfqos-ulps\n default : 0\nend-qos-ulps\n", "policy-syntax", 1);
	assert_dropped("QoS-levels\nend-QoS-levels\n" DEFAULT_LEVEL, "policy-syntax", 1);
	assert_dropped("qos-levels\n qos-level\n Name: DEFAULT\n sl: 0\n end-qos-level\nend-qos-levels\n",
		       "policy-syntax", 3);
	assert_dropped(DEFAULT_LEVEL "port-groups\n port-group\n name: my-qos-level-ports\n end-port-group\n"
		       "end-port-groups\n", "policy-syntax", 9);
	assert_dropped("qos-ulps\nend-qos-ulps\n", "policy-syntax", 2);
	assert_dropped("qos-ulps\n default : 0\n", "policy-syntax", 3);
}

static void values_out_of_range_drop_the_policy(void **state)
{
	(void)state;

	assert_dropped("qos-ulps\n default : 16\nend-qos-ulps\n", "policy-value", 2);
	assert_dropped("qos-ulps\n default : 0\n sdp, port-num 70000 : 1\nend-qos-ulps\n", "policy-value", 3);
	assert_dropped("qos-levels\n qos-level\n name: DEFAULT\n sl: 0\n mtu-limit: 4096\n end-qos-level\n"
		       "end-qos-levels\n", "policy-value", 5);
	assert_dropped("qos-levels\n qos-level\n name: DEFAULT\n sl: 0\n rate-limit: 100\n end-qos-level\n"
		       "end-qos-levels\n", "policy-value", 5);
	assert_dropped("qos-levels\n qos-level\n name: DEFAULT\n name: x\n sl: 0\n end-qos-level\nend-qos-levels\n",
		       "policy-value", 4);
	assert_dropped("qos-levels\n qos-level\n name: DEFAULT\n end-qos-level\nend-qos-levels\n",
		       "policy-value", 2);
	assert_dropped(DEFAULT_LEVEL "port-groups\n port-group\n name: g\n port-name: host1\n end-port-group\n"
		       "end-port-groups\n", "policy-value", 10);
	assert_dropped(DEFAULT_LEVEL "qos-setup\n sl2vl-tables\n  sl2vl-scope\n  group: g\n"
		       "  sl2vl-table: 0,1,2,3\n  end-sl2vl-scope\n end-sl2vl-tables\nend-qos-setup\n",
		       "policy-value", 11);
	assert_good("qos-levels\n qos-level\n name: DEFAULT\n sl: 0x0\n mtu-limit: 5\n rate-limit: 22\n"
		    " packet-life: 12\n path-bits: 2,4,8-32\n pkey: 0x00FF-0x0FFF\n end-qos-level\nend-qos-levels\n");
}

static void what_was_meant_stays_visible_behind_a_fault(void **state)
{
	struct fabric *fabric = read_policy("qos-levels\n qos-level\n  Name: DEFAULT\n  sl: 3\n end-qos-level\n"
					    "end-qos-levels\nqos-setup\n sl2vl-tables\n  sl2vl-scope\n"
					    "   group: All # of them\n  end-sl2vl-scope\n end-sl2vl-tables\n"
					    "end-qos-setup\nqos-ulps\n ipoib, pkey 0x10 : 4\nend-qos-ulps\n");
	const struct policy_node *root = fabric->config->policy.root;

	(void)state;

	assert_true(fabric->config->policy.dropped);
	assert_string_equal(child(child(child(root, "qos-levels"), "qos-level"), "sl")->value, "3");
	assert_string_equal(child(child(child(child(root, "qos-setup"), "sl2vl-tables"), "sl2vl-scope"),
				  "group")->value, "All");
	assert_string_equal(child(child(root, "qos-ulps"), "ipoib, pkey 0x10")->value, "4");
	fabric_free(fabric);
}

#define RULE(criteria) " qos-match-rule\n" criteria "  qos-level-name: DEFAULT\n end-qos-match-rule\n"

static void a_rule_behind_a_wider_one_never_matches(void **state)
{
	(void)state;

	assert_problem(DEFAULT_LEVEL "qos-match-rules\n" RULE("") RULE("  qos-class: 3\n")
		       "end-qos-match-rules\n", "unreachable-rule", 11);
	assert_problem(DEFAULT_LEVEL "qos-match-rules\n" RULE("  pkey: 0x10-0x20\n")
		       RULE("  pkey: 0x8011\n  qos-class: 1\n") "end-qos-match-rules\n", "unreachable-rule", 12);
	assert_problem(DEFAULT_LEVEL "qos-match-rules\n" RULE("  service-id: 0x10000-0x1ffff\n")
		       "end-qos-match-rules\nqos-ulps\n sdp, port-num 5 : 1\nend-qos-ulps\n",
		       "unreachable-rule", 14);
	assert_good(DEFAULT_LEVEL "qos-match-rules\n" RULE("  pkey: 0x10-0x20\n  qos-class: 1\n")
		    RULE("  pkey: 0x11\n") RULE("  pkey: 0x21\n  qos-class: 1\n") RULE("")
		    "end-qos-match-rules\n");
}

static void a_rule_on_target_ports_belongs_last(void **state)
{
	(void)state;

	assert_problem("qos-ulps\n default : 0\n srp, target-port-guid 0x5001 : 2\n sdp : 1\nend-qos-ulps\n",
		       "target-rule-not-last", 3);
	assert_good("qos-ulps\n default : 0\n sdp : 1\n srp, target-port-guid 0x5001 : 2\n"
		    " any, target-port-guid 0x5002 : 3\nend-qos-ulps\n");
}

static void a_port_name_with_blanks_needs_quotes(void **state)
{
	(void)state;

	assert_problem(DEFAULT_LEVEL "port-groups\n port-group\n name: g\n port-name: node1 HCA-1/P1\n"
		       " end-port-group\nend-port-groups\n", "port-name-blank", 10);
	assert_good(DEFAULT_LEVEL "port-groups\n port-group\n name: g\n port-name: \"node1 HCA-1\"/P1, node2/P1\n"
		    " end-port-group\nend-port-groups\n");
}

static void names_are_taken_from_lists_as_opensm_holds_them(void **state)
{
	const char *at = " A b , \"C d\"x,,E";
	char name[8];

	(void)state;

	assert_true(policy_name_next(&at, name, sizeof(name)));
	assert_string_equal(name, "Ab");
	assert_true(policy_name_next(&at, name, sizeof(name)));
	assert_string_equal(name, "C dx");
	assert_true(policy_name_next(&at, name, sizeof(name)));
	assert_string_equal(name, "");
	assert_true(policy_name_next(&at, name, sizeof(name)));
	assert_string_equal(name, "E");
	assert_false(policy_name_next(&at, name, sizeof(name)));
}

static void ranges_are_taken_from_lists_the_smaller_number_first(void **state)
{
	const char *at = "5, 0x1F-0x10 ,010";
	uint64_t first = 0, last = 0;

	(void)state;

	assert_true(policy_range_next(&at, &first, &last));
	assert_true(first == 5 && last == 5);
	assert_true(policy_range_next(&at, &first, &last));
	assert_true(first == 0x10 && last == 0x1f);
	assert_true(policy_range_next(&at, &first, &last));
	assert_true(first == 8 && last == 8);
	assert_false(policy_range_next(&at, &first, &last));
}

#define ONE_GROUP                                                                                 \
	"port-groups\n port-group\n  name: Targets\n  node-type: CA\n end-port-group\n"             \
	"end-port-groups\n" DEFAULT_LEVEL

static void a_group_that_only_qos_setup_names_is_not_called_unused(void **state)
{
	struct fabric *fabric;

	(void)state;
	assert_problem(ONE_GROUP, "unused-name", 2);
	fabric = read_policy(ONE_GROUP "qos-setup\n vlarb-tables\n  vlarb-scope\n   group: Targets\n"
				       "   vl-high-limit: 10\n  end-vlarb-scope\n"
				       " end-vlarb-tables\nend-qos-setup\n");
	assert_null(find_problem(fabric, "unused-name", 0));
	fabric_free(fabric);
}

static const char *remedy_of(const struct fabric *fabric, const char *id)
{
	const struct config_problem *problem = find_problem(fabric, id, 0);

	assert_non_null(problem);
	return problem->remedy ? problem->remedy : "";
}

/* As OpenSM 3.3.23 goes on after each of them. */
static void a_fault_at_a_use_asks_for_a_restart(void **state)
{
	static const struct {
		const char *text;
		const char *id;
		bool restart;
	} cases[] = {
		{"qos-levels\n use: x\nend-qos-levels\n", "policy-syntax", true},
		{"qos-ulps\n default : 0\n use : x\nend-qos-ulps\n", "policy-syntax", true},
		{"port-groups\n port-group\n port-name: a\n use: x\n end-port-group\nend-port-groups\n",
		 "policy-value", true},
		{"port-groups\n port-group\n port-name: a\n pkey: 1\n end-port-group\nend-port-groups\n",
		 "policy-value", false},
		{"qos-levels\n qos-level\n mtu-limit: 9\n use: x\n end-qos-level\nend-qos-levels\n",
		 "policy-value", false},
		{"qos-levels\n qos-level\n use x\n end-qos-level\nend-qos-levels\n", "policy-syntax", false},
		{"qos-match-rules\n qos-match-rule\n sl: 1\n use: x\n end-qos-match-rule\nend-qos-match-rules\n",
		 "policy-syntax", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = read_policy(cases[i].text);

		if ((strstr(remedy_of(fabric, cases[i].id), "restart OpenSM") != NULL) != cases[i].restart)
			fail_msg("%s", cases[i].text);
		fabric_free(fabric);
	}
}

static void the_name_tells_what_no_line_does(void **state)
{
	(void)state;
	assert_dropped("qos-ulp\n default : 0\nend-qos-ulp\n", "policy-syntax", 1);
}

/* Counted on OpenSM 3.3.23: 2^28 numbers take it 5 seconds, and the last number of all is never passed. */
static void ranges_of_guids_that_keep_opensm_busy_are_told(void **state)
{
#define GROUP(guids) "port-groups\n port-group\n  name: g\n  port-guid: " guids "\n end-port-group\nend-port-groups\n"
	struct fabric *fabric;

	(void)state;
	assert_problem(GROUP("0x1, 0xffffffffffffffff") DEFAULT_LEVEL, "guid-range-endless", 4);
	/* A number that is too large is taken for the largest. */
	assert_problem(GROUP("0x1ffffffffffffffff") DEFAULT_LEVEL, "guid-range-endless", 4);
	assert_problem("qos-ulps\n default : 0\n any, target-port-guid 1-0xffffffffffffffff : 1\nend-qos-ulps\n",
		       "guid-range-endless", 3);
	assert_problem(GROUP("0x1-0xffffffffffff") DEFAULT_LEVEL, "guid-range-long", 4);
	fabric = read_policy(GROUP("0xfffffffffffffffe, 0x1-0xffffff") DEFAULT_LEVEL);
	assert_null(find_problem(fabric, "guid-range-endless", 0));
	assert_null(find_problem(fabric, "guid-range-long", 0));
	fabric_free(fabric);
	/* A fault behind it does not help, one in front of it does. */
	fabric = read_policy(GROUP("0xffffffffffffffff") "qos-level\n");
	assert_non_null(find_problem(fabric, "guid-range-endless", 0));
	fabric_free(fabric);
	fabric = read_policy("qos-level\n" GROUP("0xffffffffffffffff"));
	assert_null(find_problem(fabric, "guid-range-endless", 0));
	fabric_free(fabric);
#undef GROUP
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_file_becomes_a_tree_of_its_words),
		cmocka_unit_test(a_default_must_be_there_in_one_of_two_forms),
		cmocka_unit_test(names_that_lead_nowhere_drop_the_policy_and_all_are_named),
		cmocka_unit_test(names_compare_without_case_and_without_blanks),
		cmocka_unit_test(what_the_lexer_does_not_know_drops_the_policy),
		cmocka_unit_test(values_out_of_range_drop_the_policy),
		cmocka_unit_test(what_was_meant_stays_visible_behind_a_fault),
		cmocka_unit_test(a_rule_behind_a_wider_one_never_matches),
		cmocka_unit_test(a_rule_on_target_ports_belongs_last),
		cmocka_unit_test(a_port_name_with_blanks_needs_quotes),
		cmocka_unit_test(names_are_taken_from_lists_as_opensm_holds_them),
		cmocka_unit_test(ranges_are_taken_from_lists_the_smaller_number_first),
		cmocka_unit_test(a_group_that_only_qos_setup_names_is_not_called_unused),
		cmocka_unit_test(a_fault_at_a_use_asks_for_a_restart),
		cmocka_unit_test(the_name_tells_what_no_line_does),
		cmocka_unit_test(ranges_of_guids_that_keep_opensm_busy_are_told),
	};

	return cmocka_run_group_tests_name("config_policy", tests, NULL, NULL);
}
