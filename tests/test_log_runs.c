/* What an earlier run of OpenSM wrote into its log is not taken for what is so now. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/check_rule.h"
#include "tests/support/import_text.h"

extern const struct rule rule_lmc_with_fat_tree;
extern const struct rule rule_duplicate_guid;
extern const struct rule rule_no_master_sm;

#define AT(day, clock) "Nov " day " " clock " 000001 [7F00A740] "
#define START(day) AT(day, "10:00:00") "0x03 -> OpenSM 3.3.23\n" AT(day, "10:00:00") "0x80 -> OpenSM 3.3.23\n"
#define MASTER(day) AT(day, "10:00:01") "0x80 -> Entering MASTER state\n"
#define REFUSED(day) AT(day, "10:00:02") "0x02 -> LMC > 0 is not supported by fat-tree routing.\n"
#define MINHOP(day) AT(day, "10:00:03") "0x02 -> osm_ucast_mgr_process: minhop tables configured on all switches\n"
#define UPDN(day) AT(day, "10:00:03") "0x02 -> osm_ucast_mgr_process: updn tables configured on all switches\n"
#define EXIT(day) AT(day, "10:00:09") "0x80 -> Exiting SM\n"
#define BOUND(day, guid) AT(day, "10:00:00") "0x02 -> osm_vendor_bind: Mgmt class 0x81 binding to port GUID 0x" guid "\n"
#define TWIN(day)                                                                                  \
	AT(day, "10:00:04") "0x81 -> report: ERR 0D01: Found duplicated node GUID.\n"             \
	"Node 0x5001 port 1 is reachable from remote node 0x6001 port 3 and remote node 0x6002 port 7.\n"

#define REFUSED_RUN(day) START(day) MASTER(day) REFUSED(day) MINHOP(day)
#define UPDN_RUN(day) START(day) MASTER(day) UPDN(day)

static struct fabric *read_one(const char *text)
{
	return import_text("opensm.log", text);
}

static struct fabric *read_two(const char *name, const char *text, const char *other_name,
			       const char *other_text)
{
	struct import_text *files = import_text_new();

	import_text_add(files, name, text, strlen(text));
	import_text_add(files, other_name, other_text, strlen(other_text));
	return import_text_run(files);
}

/* The state of the first event of that kind. */
static enum log_run_state run_of(const struct fabric *fabric, enum log_event_kind kind)
{
	for (size_t i = 0; i < fabric->config->event_count; i++) {
		if (fabric->config->events[i].kind == kind)
			return fabric->config->events[i].run;
	}
	fail_msg("no %s", log_event_kind_name(kind));
	return LOG_RUN_LAST;
}

static void expect_updn(struct fabric *fabric)
{
	assert_int_equal(run_of(fabric, LOG_FTREE_LMC), LOG_RUN_EARLIER);
	assert_rule_passes(&rule_lmc_with_fat_tree, fabric, NULL);
	fabric_free(fabric);
}

static void expect_refused(struct fabric *fabric)
{
	const struct finding *finding;
	struct audit *audit;

	audit = expect_one(&rule_lmc_with_fat_tree, fabric, "fallback", SEVERITY_WARNING, &finding);
	assert_contains(finding->message, "routes with minhop");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_log_without_a_single_event_is_read(void **state)
{
	struct fabric *fabric = import_text("opensm.log",
		"Nov 28 10:52:27 283645 [5BFC5740] 0x02 -> osm_vendor_bind: nothing that a rule rests on\n"
		"Nov 28 10:52:27 283646 [5BFC5740] 0x02 -> osm_vendor_bind: nothing either\n");

	(void)state;
	assert_int_equal(fabric->config->event_count, 0);
	assert_string_equal(fabric->sources[0].format, "opensm.log");
	fabric_free(fabric);
}

static void a_refusal_before_a_restart_is_not_judged(void **state)
{
	struct fabric *fabric = read_one(REFUSED_RUN("28") EXIT("28") UPDN_RUN("30"));

	(void)state;
	assert_string_equal(fabric->config->events[0].run_until, "Nov 28 10:00:09");
	assert_string_equal(fabric->sources[0].detail,
			    "OpenSM 3.3.23; lines 1 to 6 are of an earlier run: rules judge nothing of them");
	expect_updn(fabric);
	/* A crash leaves no last word. */
	expect_updn(read_one(REFUSED_RUN("28") UPDN_RUN("30")));
}

static void a_refusal_behind_a_restart_is_judged(void **state)
{
	struct fabric *fabric = read_one(UPDN_RUN("28") EXIT("28") REFUSED_RUN("30"));

	(void)state;
	assert_int_equal(run_of(fabric, LOG_FTREE_LMC), LOG_RUN_LAST);
	expect_refused(fabric);
	expect_refused(read_one(REFUSED_RUN("30")));
}

static void the_same_in_two_runs_is_counted_by_run(void **state)
{
	struct fabric *fabric = read_one(REFUSED_RUN("28") REFUSED("28") EXIT("28") REFUSED_RUN("30"));
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	audit = expect_one(&rule_lmc_with_fat_tree, fabric, "fallback", SEVERITY_WARNING, &finding);
	assert_string_equal(evidence_of(finding, "log_lines"), "1");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_start_whose_line_is_lost_is_seen_by_its_first_state(void **state)
{
	(void)state;
	expect_updn(read_one(REFUSED_RUN("28") EXIT("28") MASTER("30") UPDN("30")));
}

static void a_log_without_any_start_is_one_run(void **state)
{
	(void)state;
	expect_refused(read_one(MASTER("30") REFUSED("30") MINHOP("30")));
	/* DISCOVERING is entered in the midst of a run too. */
	expect_refused(read_one(REFUSED_RUN("30") AT("30", "11:00:00") "0x80 -> Entering DISCOVERING state\n"));
}

static void the_older_of_two_rotated_files_is_an_earlier_run(void **state)
{
	(void)state;
	expect_updn(read_two("opensm.log", UPDN_RUN("30"), "opensm.log.1", REFUSED_RUN("28") EXIT("28")));
	expect_updn(read_two("opensm.log.1", UPDN_RUN("20"), "opensm.log.2", REFUSED_RUN("10")));
	expect_updn(read_two("opensm.log-20261129", REFUSED_RUN("28"), "opensm.log", UPDN_RUN("30")));
	expect_updn(read_two("opensm.log", UPDN_RUN("30"), "opensm.log.old", REFUSED_RUN("28")));
	expect_refused(read_two("opensm.log", REFUSED_RUN("30"), "opensm.log.1", UPDN_RUN("28")));
}

static void a_rotated_run_goes_on_in_the_newer_file(void **state)
{
	(void)state;
	expect_refused(read_two("opensm.log", AT("30", "11:00:00") "0x02 -> SUBNET UP\n", "opensm.log.1",
				REFUSED_RUN("28")));
	/* It did not where the older one ends with the last word, and the newer is cut at its head. */
	expect_updn(read_two("opensm.log", MASTER("30") UPDN("30"), "opensm.log.1",
			     REFUSED_RUN("28") EXIT("28")));
}

static void the_engine_of_the_newer_file_is_the_one_in_use(void **state)
{
	struct fabric *fabric = read_two(
		"opensm.log", AT("30", "11:00:00") "0x02 -> osm_ucast_mgr_process: updn tables configured on all switches\n",
		"opensm.log.1", REFUSED_RUN("28"));
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	audit = expect_one(&rule_lmc_with_fat_tree, fabric, "fallback", SEVERITY_WARNING, &finding);
	assert_contains(finding->message, "routes with updn");
	audit_free(audit);
	fabric_free(fabric);
}

static void logs_of_two_hosts_have_each_its_runs(void **state)
{
	struct fabric *fabric;

	(void)state;
	/* The one that started last does not end the run of the other. */
	fabric = read_two("sm1.log", REFUSED_RUN("28") AT("30", "12:00:00") "0x02 -> SUBNET UP\n",
			  "sm2.log", START("29") AT("29", "10:00:01") "0x80 -> Entering STANDBY state\n");
	assert_int_equal(run_of(fabric, LOG_FTREE_LMC), LOG_RUN_LAST);
	expect_refused(fabric);
	/* Names of one stem are two hosts' all the same when they bind to unlike ports. */
	fabric = read_two("log.1", START("28") BOUND("28", "a1") MASTER("28") REFUSED("28") MINHOP("28"),
			  "log.2", START("30") BOUND("30", "a2") AT("30", "10:00:01") "0x80 -> Entering STANDBY state\n");
	assert_int_equal(run_of(fabric, LOG_FTREE_LMC), LOG_RUN_LAST);
	expect_refused(fabric);
	/* Addresses are no numbers of logrotate's. */
	fabric = read_two("log.10.0.0.2", REFUSED_RUN("28"), "log.10.0.0.1",
			  START("30") AT("30", "10:00:01") "0x80 -> Entering STANDBY state\n");
	assert_int_equal(run_of(fabric, LOG_FTREE_LMC), LOG_RUN_LAST);
	fabric_free(fabric);
}

static void files_of_any_name_that_bind_to_one_port_are_one_log(void **state)
{
	(void)state;
	expect_updn(read_two("after.txt", START("30") BOUND("30", "a1") MASTER("30") UPDN("30"),
			     "before.txt", START("28") BOUND("28", "a1") MASTER("28") REFUSED("28")));
}

static void december_is_before_january(void **state)
{
	struct fabric *fabric = read_two(
		"a.txt", START("30") BOUND("30", "a1") MASTER("30") REFUSED("30"), "b.txt",
		"Jan 02 10:00:00 000001 [1] 0x03 -> OpenSM 3.3.23\n"
		"Jan 02 10:00:00 000001 [1] 0x02 -> osm_vendor_bind: Mgmt class 0x81 binding to port GUID 0xa1\n"
		"Jan 02 10:00:03 000001 [1] 0x02 -> osm_ucast_mgr_process: updn tables configured on all switches\n");

	(void)state;
	expect_updn(fabric);
}

static void a_run_that_ended_with_none_since_is_judged_and_told(void **state)
{
	struct fabric *fabric = read_one(REFUSED_RUN("30") EXIT("30"));
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	audit = expect_one(&rule_lmc_with_fat_tree, fabric, "fallback", SEVERITY_WARNING, &finding);
	assert_contains(evidence_of(finding, "run"), "ended Nov 30 10:00:09");
	audit_free(audit);
	audit = expect_one(&rule_no_master_sm, fabric, "log-exited", SEVERITY_INFO, &finding);
	assert_contains(finding->message, "no start since");
	audit_free(audit);
	fabric_free(fabric);

	fabric = read_one(REFUSED_RUN("30"));
	audit = check_rule(&rule_no_master_sm, fabric, NULL);
	assert_int_equal(audit->finding_count, 0);
	audit_free(audit);
	fabric_free(fabric);
}

static void a_run_that_ended_is_not_judged_where_another_sm_runs(void **state)
{
	(void)state;
	expect_updn(read_two("sm1.log", REFUSED_RUN("30") EXIT("30"), "sm2.log", UPDN_RUN("29")));
}

static void expect_twin(const char *text, size_t findings, enum severity severity)
{
	struct fabric *fabric = read_one(text);
	struct audit *audit = check_rule(&rule_duplicate_guid, fabric, NULL);

	assert_int_equal(audit->finding_count, findings);
	if (findings > 0)
		assert_int_equal(audit->findings[0].severity, severity);
	audit_free(audit);
	fabric_free(fabric);
}

static void a_duplicate_guid_of_an_earlier_run_may_be_gone(void **state)
{
	(void)state;
	expect_twin(START("28") TWIN("28") UPDN_RUN("30"), 0, SEVERITY_INFO);
	expect_twin(UPDN_RUN("28") START("30") TWIN("30"), 1, SEVERITY_CRITICAL);
	expect_twin(START("30") TWIN("30") EXIT("30"), 1, SEVERITY_WARNING);
}

static void an_sm_that_restarts_is_master_once_each_time(void **state)
{
	struct fabric *fabric = read_one(UPDN_RUN("28") EXIT("28") UPDN_RUN("30"));
	struct audit *audit = check_rule(&rule_no_master_sm, fabric, NULL);

	(void)state;
	assert_int_equal(audit->finding_count, 0);
	audit_free(audit);
	fabric_free(fabric);
	fabric = read_two("sm1.log", UPDN_RUN("28"), "sm2.log", UPDN_RUN("30"));
	audit = check_rule(&rule_no_master_sm, fabric, NULL);
	assert_int_equal(audit->finding_count, 0);
	audit_free(audit);
	fabric_free(fabric);
}

static void an_sm_that_starts_again_and_again_keeps_its_last_run(void **state)
{
	static char text[6000 * sizeof(REFUSED_RUN("28"))];
	size_t used = 0;

	(void)state;
	for (int i = 0; i < 5500; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", REFUSED_RUN("28"));
	snprintf(text + used, sizeof(text) - used, "%s", UPDN_RUN("30"));
	expect_updn(read_one(text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_without_a_single_event_is_read),
		cmocka_unit_test(a_refusal_before_a_restart_is_not_judged),
		cmocka_unit_test(a_refusal_behind_a_restart_is_judged),
		cmocka_unit_test(the_same_in_two_runs_is_counted_by_run),
		cmocka_unit_test(a_start_whose_line_is_lost_is_seen_by_its_first_state),
		cmocka_unit_test(a_log_without_any_start_is_one_run),
		cmocka_unit_test(the_older_of_two_rotated_files_is_an_earlier_run),
		cmocka_unit_test(a_rotated_run_goes_on_in_the_newer_file),
		cmocka_unit_test(the_engine_of_the_newer_file_is_the_one_in_use),
		cmocka_unit_test(logs_of_two_hosts_have_each_its_runs),
		cmocka_unit_test(files_of_any_name_that_bind_to_one_port_are_one_log),
		cmocka_unit_test(december_is_before_january),
		cmocka_unit_test(a_run_that_ended_with_none_since_is_judged_and_told),
		cmocka_unit_test(a_run_that_ended_is_not_judged_where_another_sm_runs),
		cmocka_unit_test(a_duplicate_guid_of_an_earlier_run_may_be_gone),
		cmocka_unit_test(an_sm_that_restarts_is_master_once_each_time),
		cmocka_unit_test(an_sm_that_starts_again_and_again_keeps_its_last_run),
	};

	return cmocka_run_group_tests_name("log_runs", tests, NULL, NULL);
}
