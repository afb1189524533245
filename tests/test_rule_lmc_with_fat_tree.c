#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_lmc_with_fat_tree;

/* The tree with this LMC on every host; LIDs 16, 24, 32 and 40. */
static struct fabric *tree_with_lmc(int64_t lmc)
{
	static const char *const hosts[] = {"host-11", "host-12", "host-21", "host-22"};
	struct fabric *fabric = build_tree();

	for (size_t i = 0; i < 4; i++) {
		struct port *port = build_port(build_device(fabric, hosts[i]), 1);

		port->info.lid = 16 + 8 * (int64_t)i;
		port->info.lmc = lmc;
	}
	build_routes(fabric);
	return fabric;
}

static struct fabric *tree_with_conf(int64_t lmc, const char *conf_lmc, const char *engines)
{
	struct fabric *fabric = tree_with_lmc(lmc);

	if (conf_lmc)
		build_option(fabric, "lmc", conf_lmc, 12);
	if (engines)
		build_option(fabric, "routing_engine", engines, 34);
	return fabric;
}

/* Runs, expects one finding "fallback" of this severity whose message has these words. */
static void expect_fallback(struct fabric *fabric, enum severity severity, const char *words)
{
	struct audit *audit = check_rule(&rule_lmc_with_fat_tree, fabric, NULL);
	const struct finding *finding = finding_of(audit, "fallback");

	assert_int_equal(audit->finding_count, 1);
	assert_string_equal(severity_name(finding->severity), severity_name(severity));
	assert_contains(finding->message, words);
	audit_free(audit);
	fabric_free(fabric);
}

static void expect_pass(struct fabric *fabric)
{
	assert_rule_passes(&rule_lmc_with_fat_tree, fabric, NULL);
	fabric_free(fabric);
}

static void ftree_with_lmc_0_passes(void **state)
{
	(void)state;
	expect_pass(tree_with_conf(0, "0", "ftree"));
	expect_pass(tree_with_conf(0, NULL, "ftree"));
}

static void lmc_with_another_engine_passes(void **state)
{
	(void)state;
	expect_pass(tree_with_conf(2, "2", "updn"));
	expect_pass(tree_with_conf(2, "2", NULL));
}

static void ftree_with_lmc_falls_back_to_minhop(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "ftree");
	struct audit *audit = check_rule(&rule_lmc_with_fat_tree, fabric, NULL);
	const struct finding *finding = finding_of(audit, "fallback");

	(void)state;
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_contains(finding->message, "LMC 2 and routes with minhop");
	assert_string_equal(finding->source, "opensm.conf:12");
	assert_string_equal(evidence_of(finding, "lmc"), "2 (line 12)");
	assert_string_equal(evidence_of(finding, "ports"), "4 with LMC 2");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_next_engine_of_the_list_is_the_one_left(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(2, "2", "ftree,minhop,updn"), SEVERITY_WARNING,
			"routes with minhop");
	expect_fallback(tree_with_conf(2, "2", "ftree updn"), SEVERITY_WARNING,
			"routes with updn, or minhop where that fails");
	expect_fallback(tree_with_conf(2, "2", "ftree,updn,no_fallback"), SEVERITY_WARNING,
			"routes with updn, or none where that fails");
}

static void an_unknown_engine_is_skipped(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(2, "2", "fattree,ftree,Updn"), SEVERITY_WARNING,
			"routes with minhop");
	expect_pass(tree_with_conf(2, "2", "FTREE"));
}

static void an_engine_that_never_fails_keeps_ftree_from_being_tried(void **state)
{
	(void)state;
	expect_pass(tree_with_conf(2, "2", "minhop,ftree"));
}

static void ftree_behind_an_engine_that_may_fail_is_worth_an_info(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(2, "2", "updn,ftree"), SEVERITY_INFO, "behind updn");
}

static void no_fallback_without_another_engine_leaves_nothing(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "no_fallback ftree");

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 0; num < fabric->devices[i]->port_slots; num++) {
			struct port *port = fabric->devices[i]->ports[num];

			if (port && port->info.port_state == 4)
				port->info.port_state = 2;
		}
	}
	expect_fallback(fabric, SEVERITY_CRITICAL, "no other engine");
}

static void no_fallback_on_a_fabric_still_up_is_an_error(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(2, "2", "ftree,no_fallback"), SEVERITY_ERROR,
			"no other engine");
}

static void lmc_of_the_ports_counts_when_the_file_names_the_engine_only(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(2, NULL, "ftree"), SEVERITY_WARNING, "command line");
}

static void a_file_that_is_not_in_force_is_told_as_such(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(0, "2", "ftree"), SEVERITY_WARNING, "The ports hold LMC 0");
}

static void the_log_line_is_the_strongest_proof(void **state)
{
	struct fabric *fabric = tree_with_lmc(2);
	struct audit *audit;

	(void)state;
	build_log_event(fabric, LOG_FTREE_LMC, NULL, 11);
	build_log_event(fabric, LOG_ENGINE_FAILED, "ftree", 13);
	build_log_event(fabric, LOG_ENGINE_CONFIGURED, "updn", 14);

	audit = check_rule(&rule_lmc_with_fat_tree, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_contains(audit->findings[0].message, "routes with updn");
	assert_string_equal(audit->findings[0].source, "opensm.log:11");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_log_without_any_engine_left_is_critical(void **state)
{
	struct fabric *fabric = tree_with_lmc(2);

	(void)state;
	build_log_event(fabric, LOG_FTREE_LMC, NULL, 11);
	build_log_event(fabric, LOG_NO_ENGINE, NULL, 14);
	expect_fallback(fabric, SEVERITY_CRITICAL, "no other engine");
}

static void ftree_that_worked_after_a_refusal_passes(void **state)
{
	struct fabric *fabric = tree_with_lmc(0);

	(void)state;
	build_log_event(fabric, LOG_FTREE_LMC, NULL, 11);
	build_log_event(fabric, LOG_ENGINE_CONFIGURED, "minhop", 14);
	build_log_event(fabric, LOG_ENGINE_CONFIGURED, "ftree", 200);
	expect_pass(fabric);
}

/* What the finding of this discriminator says of file and log disagreeing; it must be the only one. */
static void expect_contradiction(struct fabric *fabric, const char *discriminator, const char *words)
{
	struct audit *audit = check_rule(&rule_lmc_with_fat_tree, fabric, NULL);

	assert_contains(evidence_of(only_finding(audit, discriminator, SEVERITY_WARNING),
				    "contradiction"),
			words);
	audit_free(audit);
	fabric_free(fabric);
}

static void a_file_that_breaks_the_ftree_at_work_is_told_before_the_next_start(void **state)
{
	struct fabric *fabric = tree_with_conf(0, "2", "ftree");

	(void)state;
	build_log_event(fabric, LOG_ENGINE_CONFIGURED, "ftree", 14);
	expect_contradiction(fabric, "fallback-at-start", "ftree is in use");
}

static void a_file_that_says_what_the_log_shows_is_no_contradiction(void **state)
{
	struct fabric *fabric = tree_with_conf(0, "0", "ftree");

	(void)state;
	build_log_event(fabric, LOG_ENGINE_CONFIGURED, "ftree", 14);
	expect_pass(fabric);
}

static void a_refusal_that_the_file_does_not_explain_is_told_as_such(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "0", "ftree");

	(void)state;
	build_log_event(fabric, LOG_FTREE_LMC, NULL, 14);
	expect_contradiction(fabric, "fallback", "opensm.conf has LMC 0");

	fabric = tree_with_conf(2, "2", "updn");
	build_log_event(fabric, LOG_FTREE_LMC, NULL, 14);
	expect_contradiction(fabric, "fallback", "has no ftree");
}

static void an_engine_that_the_file_would_not_leave_is_told_as_such(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "ftree");

	(void)state;
	build_log_event(fabric, LOG_ENGINE_CONFIGURED, "updn", 14);
	expect_contradiction(fabric, "fallback", "updn is in use, with opensm.conf it would be minhop");
}

static void lash_takes_lmc_and_gains_nothing(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "lash");
	struct audit *audit = check_rule(&rule_lmc_with_fat_tree, fabric, NULL);

	(void)state;
	assert_int_equal(audit->finding_count, 1);
	assert_int_equal(finding_of(audit, "lash")->severity, SEVERITY_INFO);
	audit_free(audit);
	fabric_free(fabric);
}

static void lash_with_lmc_0_passes(void **state)
{
	(void)state;
	expect_pass(tree_with_conf(0, "0", "lash"));
}

static void ftree_named_twice_is_refused_twice(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(1, "1", "ftree,ftree"), SEVERITY_WARNING, "minhop");
	expect_fallback(tree_with_conf(1, "1", "ftree,ftree,minhop"), SEVERITY_WARNING, "minhop");
}

static void no_fallback_counts_wherever_it_stands(void **state)
{
	(void)state;
	expect_fallback(tree_with_conf(1, "1", "no_fallback,ftree"), SEVERITY_ERROR, "no other engine");
	expect_fallback(tree_with_conf(1, "1", "no_fallback,ftree,updn"), SEVERITY_WARNING, "none");
}

static void unlike_lmcs_are_a_warning(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "updn");
	struct audit *audit;

	(void)state;
	build_port(build_device(fabric, "host-22"), 1)->info.lmc = 0;

	audit = check_rule(&rule_lmc_with_fat_tree, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_string_equal(evidence_of(finding_of(audit, "unlike-lmc"), "ports"),
			    "host-22 port 1 (LMC 0)");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_port_0_of_a_switch_may_have_another_lmc(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "updn");

	(void)state;
	build_port(build_device(fabric, "spine-1"), 0)->info.lmc = 0;
	build_port(build_device(fabric, "spine-2"), 0)->info.lmc = 1;
	expect_pass(fabric);
}

static void lmc_over_a_single_path_gains_nothing(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "updn");
	struct audit *audit;

	(void)state;
	build_unlink(build_device(fabric, "leaf-1"), 4);

	audit = check_rule(&rule_lmc_with_fat_tree, fabric, NULL);

	assert_int_equal(audit->finding_count, 1);
	assert_int_equal(finding_of(audit, "single-path")->severity, SEVERITY_INFO);
	audit_free(audit);
	fabric_free(fabric);
}

static void two_cables_between_two_switches_are_two_paths(void **state)
{
	struct fabric *fabric = tree_with_conf(2, "2", "updn");

	(void)state;
	build_unlink(build_device(fabric, "leaf-1"), 4);
	build_link(build_device(fabric, "leaf-1"), 4, build_device(fabric, "spine-1"), 3);
	expect_pass(fabric);
}

static void without_file_and_log_it_is_not_checked(void **state)
{
	struct fabric *fabric = tree_with_lmc(0);

	(void)state;
	assert_rule_verdict(&rule_lmc_with_fat_tree, fabric, NULL, VERDICT_NOT_CHECKED,
			    "neither opensm.conf nor opensm.log");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ftree_with_lmc_0_passes),
		cmocka_unit_test(lmc_with_another_engine_passes),
		cmocka_unit_test(ftree_with_lmc_falls_back_to_minhop),
		cmocka_unit_test(the_next_engine_of_the_list_is_the_one_left),
		cmocka_unit_test(an_unknown_engine_is_skipped),
		cmocka_unit_test(an_engine_that_never_fails_keeps_ftree_from_being_tried),
		cmocka_unit_test(ftree_behind_an_engine_that_may_fail_is_worth_an_info),
		cmocka_unit_test(no_fallback_without_another_engine_leaves_nothing),
		cmocka_unit_test(no_fallback_on_a_fabric_still_up_is_an_error),
		cmocka_unit_test(lmc_of_the_ports_counts_when_the_file_names_the_engine_only),
		cmocka_unit_test(a_file_that_is_not_in_force_is_told_as_such),
		cmocka_unit_test(the_log_line_is_the_strongest_proof),
		cmocka_unit_test(a_log_without_any_engine_left_is_critical),
		cmocka_unit_test(ftree_that_worked_after_a_refusal_passes),
		cmocka_unit_test(a_file_that_breaks_the_ftree_at_work_is_told_before_the_next_start),
		cmocka_unit_test(a_file_that_says_what_the_log_shows_is_no_contradiction),
		cmocka_unit_test(a_refusal_that_the_file_does_not_explain_is_told_as_such),
		cmocka_unit_test(an_engine_that_the_file_would_not_leave_is_told_as_such),
		cmocka_unit_test(lash_takes_lmc_and_gains_nothing),
		cmocka_unit_test(lash_with_lmc_0_passes),
		cmocka_unit_test(ftree_named_twice_is_refused_twice),
		cmocka_unit_test(no_fallback_counts_wherever_it_stands),
		cmocka_unit_test(unlike_lmcs_are_a_warning),
		cmocka_unit_test(the_port_0_of_a_switch_may_have_another_lmc),
		cmocka_unit_test(lmc_over_a_single_path_gains_nothing),
		cmocka_unit_test(two_cables_between_two_switches_are_two_paths),
		cmocka_unit_test(without_file_and_log_it_is_not_checked),
	};

	return cmocka_run_group_tests_name("rule_lmc_with_fat_tree", tests, NULL, NULL);
}
