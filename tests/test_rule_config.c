#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"
#include "tests/support/import_text.h"

#define POLICY "qos-ulps\n default : 0\n ipoib : 1\nend-qos-ulps\n"

/* Files as name, text pairs, ended by NULL. */
static struct fabric *import_files(const char *const *files)
{
	struct import_text *set = import_text_new();

	for (; files[0]; files += 2)
		import_text_add(set, files[0], files[1], strlen(files[1]));
	return import_text_run(set);
}

#define FILES(...) import_files((const char *const[]){__VA_ARGS__, NULL})

static void assert_verdict(struct fabric *fabric, const char *id, enum verdict_kind kind)
{
	assert_rule(fabric, id, kind);
	fabric_free(fabric);
}

/* The rule's one finding with this discriminator; severity and subject as said. */
static void assert_finding(struct fabric *fabric, const char *id, const char *discriminator,
			   enum severity severity, const char *subject)
{
	struct rule_run run = run_rule(fabric, id);
	const struct finding *finding = run_finding(&run, discriminator);

	if (!finding)
		fail_msg("%s has no finding %s", id, discriminator);
	assert_int_equal(finding->severity, severity);
	assert_string_equal(finding->subject, subject);
	run_end(&run);
	fabric_free(fabric);
}

static void without_their_files_the_rules_are_not_checked(void **state)
{
	static const char *const ids[] = {"opensm-conf", "opensm-conf-unknown-key", "partition-limited",
					  "partitions-conf", "qos-disabled", "qos-policy", "qos-tables",
					  "reassign-lids"};
	struct fabric *fabric = build_tree();

	(void)state;

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		assert_rule(fabric, ids[i], VERDICT_NOT_CHECKED);
	fabric_free(fabric);
}

static void a_boolean_that_only_looks_true_is_told_once(void **state)
{
	struct fabric *fabric = FILES("opensm.conf", "lmc 0\nqos True\n");
	struct rule_run run;

	(void)state;

	assert_rule(fabric, "qos-disabled", VERDICT_PASS);
	assert_finding(fabric, "opensm-conf", "lookalike-boolean:qos", SEVERITY_ERROR, "opensm.conf:2");
	fabric = FILES("opensm.conf", "qos True\nqos_high_limit 4\n");
	assert_rule(fabric, "opensm-conf", VERDICT_PASS);
	run = run_rule(fabric, "qos-disabled");
	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	run_end(&run);
	fabric_free(fabric);
	assert_verdict(FILES("opensm.conf", "qos TRUE\nlmc 0\n"), "opensm-conf", VERDICT_PASS);
}

static void each_rule_tells_its_own_part_of_the_file(void **state)
{
	static const char text[] = "qos TRUE\nlmc 9\nlmcc 1\nqos_ca_sl2vl 0,1\nreassign_lids TRUE\n";

	(void)state;

	assert_finding(FILES("opensm.conf", text), "opensm-conf", "lmc-above-7:lmc", SEVERITY_ERROR,
		       "opensm.conf:2");
	assert_finding(FILES("opensm.conf", text), "opensm-conf-unknown-key", "unknown-key:lmcc",
		       SEVERITY_WARNING, "opensm.conf:3");
	assert_finding(FILES("opensm.conf", text), "qos-tables", "sl2vl-length:qos_ca_sl2vl",
		       SEVERITY_ERROR, "opensm.conf:4");
	assert_finding(FILES("opensm.conf", text), "reassign-lids", "reassign-lids:reassign_lids",
		       SEVERITY_WARNING, "opensm.conf:5");
	assert_verdict(FILES("opensm.conf", "qos TRUE\nlmc 1\n"), "opensm-conf-unknown-key", VERDICT_PASS);
	assert_verdict(FILES("opensm.conf", "qos TRUE\nlmc 1\n"), "qos-tables", VERDICT_PASS);
	assert_verdict(FILES("opensm.conf", "qos TRUE\nlmc 1\n"), "reassign-lids", VERDICT_PASS);
}

static void two_equal_problems_are_two_findings(void **state)
{
	struct fabric *fabric = FILES("opensm.conf", "lmc 1x\nlmc 2x\n");
	struct rule_run run = run_rule(fabric, "opensm-conf");

	(void)state;

	assert_non_null(run_finding(&run, "not-a-number:lmc"));
	assert_non_null(run_finding(&run, "not-a-number:lmc#2"));
	assert_string_equal(run_evidence(run_finding(&run, "not-a-number:lmc#2"), "held"), "0");
	run_end(&run);
	fabric_free(fabric);
}

static void what_opensm_refused_at_its_start_counts_without_the_file(void **state)
{
	(void)state;

	assert_finding(FILES("opensm.log", " Invalid Cached Option Value:lmc = 9:Using Default:0\n"
			     "Jan 05 10:00:00 000002 [7F00A740] 0x80 -> Entering MASTER state\n"
			     "Jan 05 10:00:00 000003 [7F00A740] 0x02 -> SUBNET UP\n"
			     "Jan 05 10:00:10 000003 [7F00A740] 0x02 -> SUBNET UP\n"),
		       "opensm-conf", "log:", SEVERITY_ERROR, "opensm.log:1");
}

static void what_hangs_on_qos_is_told_when_it_is_off(void **state)
{
	(void)state;

	assert_finding(FILES("opensm.conf", "lmc 0\n", "qos-policy.conf", POLICY), "qos-disabled",
		       "policy-not-read", SEVERITY_WARNING, "qos-policy.conf");
	assert_finding(FILES("opensm.conf", "qos FALSE\n", "qos-policy.conf", POLICY), "qos-disabled",
		       "policy-not-read", SEVERITY_INFO, "qos-policy.conf");
	assert_finding(FILES("opensm.conf", "qos FALSE\n", "partitions.conf", "A=0x10, sl=2 : ALL=full;\n"),
		       "qos-disabled", "partition-sl:0x0010", SEVERITY_WARNING, "partitions.conf:1");
	assert_verdict(FILES("opensm.conf", "qos TRUE\n", "partitions.conf", "A=0x10, sl=2 : ALL=full;\n",
			     "qos-policy.conf", POLICY), "qos-disabled", VERDICT_PASS);
}

static void torus_2qos_without_qos_is_refused(void **state)
{
	(void)state;

	assert_finding(FILES("opensm.conf", "qos FALSE\nrouting_engine torus-2QoS\n"), "qos-disabled",
		       "torus-2qos", SEVERITY_ERROR, "opensm.conf:2");
	assert_finding(FILES("opensm.conf", "routing_engine updn,torus-2QoS,no_fallback\n"), "qos-disabled",
		       "torus-2qos", SEVERITY_ERROR, "opensm.conf:1");
	assert_verdict(FILES("opensm.conf", "qos TRUE\nrouting_engine torus-2QoS\n"), "qos-disabled",
		       VERDICT_PASS);
	assert_verdict(FILES("opensm.conf", "qos FALSE\nrouting_engine minhop,torus-2QoS\n"),
		       "qos-disabled", VERDICT_PASS);
}

static void an_ipoib_rule_needs_its_partition(void **state)
{
	struct fabric *fabric = FILES("qos-policy.conf", POLICY);
	struct rule_run run = run_rule(fabric, "qos-policy");

	(void)state;

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "no partitions.conf"));
	run_end(&run);
	fabric_free(fabric);
	assert_verdict(FILES("qos-policy.conf", POLICY, "partitions.conf", "Default=0x7fff : ALL=full;\n"),
		       "qos-policy", VERDICT_PASS);
	/* The Default that OpenSM makes itself has one full member, the SM's port. */
	fabric = FILES("qos-policy.conf", POLICY, "partitions.conf", "A=0x10 : ALL=full;\n");
	assert_true(fabric->config->policy.dropped);
	assert_finding(fabric, "qos-policy", "policy-partition:0x7fff", SEVERITY_ERROR,
		       "qos-policy.conf:3");
	fabric = FILES("partitions.conf", "A=0x10 : ALL=full;\n", "qos-policy.conf",
		       "qos-ulps\n default : 0\n ipoib, pkey 0x8011 : 1\nend-qos-ulps\n");
	assert_true(fabric->config->policy.dropped);
	assert_finding(fabric, "qos-policy", "policy-partition:0x0011", SEVERITY_ERROR,
		       "qos-policy.conf:3");
	fabric = FILES("partitions.conf", "A=0x10 : ALL=full;\n", "qos-policy.conf",
		       "qos-ulps\n default : 0\n any, pkey 0x11 : 1\nend-qos-ulps\n");
	assert_false(fabric->config->policy.dropped);
	assert_finding(fabric, "qos-policy", "policy-partition:0x0011", SEVERITY_INFO,
		       "qos-policy.conf:3");
}

static void a_policy_that_is_not_read_harms_nobody(void **state)
{
	static const char bad[] = "qos-levels\n qos-level\n  name: x\n  sl: 1\n end-qos-level\nend-qos-levels\n";

	(void)state;

	assert_finding(FILES("qos-policy.conf", bad), "qos-policy", "no-default-level", SEVERITY_ERROR,
		       "qos-policy.conf");
	assert_finding(FILES("qos-policy.conf", bad, "opensm.conf", "qos FALSE\n"), "qos-policy",
		       "no-default-level", SEVERITY_INFO, "qos-policy.conf");
}

static void a_policy_that_the_log_says_was_dropped_is_told(void **state)
{
	static const char log[] =
		"Jan 05 10:00:00 000002 [7F00A740] 0x80 -> Entering MASTER state\n"
		"Jan 05 10:00:00 000003 [7F00A740] 0x01 -> yyerror: ERR AC05: Syntax error (line 3:4): syntax error\n"
		"Jan 05 10:00:00 000004 [7F00A740] 0x02 -> SUBNET UP\n";

	(void)state;

	assert_finding(FILES("opensm.log", log), "qos-policy", "log-rejected", SEVERITY_ERROR,
		       "opensm.log:2");
	assert_finding(FILES("opensm.log", log, "qos-policy.conf", "qos-ulps\n default : 0\nend-qos-ulps\n"),
		       "qos-policy", "log-rejected", SEVERITY_ERROR, "opensm.log:2");
}

static void partitions_tell_what_they_are_not(void **state)
{
	(void)state;

	assert_finding(FILES("partitions.conf", "A=0x10 : all;\n"), "partitions-conf", "partitions-dropped",
		       SEVERITY_ERROR, "partitions.conf:1");
	assert_finding(FILES("opensm.log",
			     "Jan 05 10:00:00 000002 [7F00A740] 0x80 -> Entering MASTER state\n"
			     "Jan 05 10:00:00 000003 [7F00A740] 0x01 -> osm_prtn_make_partitions: Partition "
			     "configuration in error; retrying with default config\n"
			     "Jan 05 10:00:00 000004 [7F00A740] 0x02 -> SUBNET UP\n"),
		       "partitions-conf", "log-dropped", SEVERITY_ERROR, "opensm.log:2");
	assert_verdict(FILES("partitions.conf", "Default=0x7fff, ipoib : ALL=full;\n"), "partitions-conf",
		       VERDICT_PASS);
}

static void ports_limited_everywhere_cannot_talk_to_their_kind(void **state)
{
	struct fabric *fabric = FILES("partitions.conf", "A=0x10 : 0x5001, 0x5002, 0x6001=full;\n"
				      "B=0x11 : 0x5001, 0x5003=full;\n");
	struct rule_run run = run_rule(fabric, "partition-limited");

	(void)state;

	assert_string_equal(run_evidence(run_finding(&run, "named"), "ports"),
			    "0x0000000000005001, 0x0000000000005002");
	run_end(&run);
	fabric_free(fabric);
	assert_finding(FILES("partitions.conf", "Default=0x7fff : ALL, SELF=full;\n"), "partition-limited",
		       "others", SEVERITY_WARNING, "partitions.conf:1");
	assert_verdict(FILES("partitions.conf", "A=0x10 : 0x5001, 0x6001=full;\n"), "partition-limited",
		       VERDICT_PASS);
	assert_verdict(FILES("partitions.conf", "Default=0x7fff : ALL=full;\nA=0x10 : 0x5001, 0x5002;\n"),
		       "partition-limited", VERDICT_PASS);
}

static void a_group_without_a_port_of_the_fabric_is_told(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;

	build_policy(fabric, "port-groups\n port-group\n name: Here\n port-guid: 0x100c\n end-port-group\n"
		     " port-group\n name: Gone\n port-guid: 0x9999\n end-port-group\nend-port-groups\n"
		     "qos-ulps\n default : 0\nend-qos-ulps\n");
	struct rule_run run = run_rule(fabric, "qos-policy");

	assert_non_null(run_finding(&run, "empty-group:Gone"));
	assert_null(run_finding(&run, "empty-group:Here"));
	run_end(&run);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_their_files_the_rules_are_not_checked),
		cmocka_unit_test(a_boolean_that_only_looks_true_is_told_once),
		cmocka_unit_test(each_rule_tells_its_own_part_of_the_file),
		cmocka_unit_test(two_equal_problems_are_two_findings),
		cmocka_unit_test(what_opensm_refused_at_its_start_counts_without_the_file),
		cmocka_unit_test(what_hangs_on_qos_is_told_when_it_is_off),
		cmocka_unit_test(torus_2qos_without_qos_is_refused),
		cmocka_unit_test(an_ipoib_rule_needs_its_partition),
		cmocka_unit_test(a_policy_that_is_not_read_harms_nobody),
		cmocka_unit_test(a_policy_that_the_log_says_was_dropped_is_told),
		cmocka_unit_test(partitions_tell_what_they_are_not),
		cmocka_unit_test(ports_limited_everywhere_cannot_talk_to_their_kind),
		cmocka_unit_test(a_group_without_a_port_of_the_fabric_is_told),
	};

	return cmocka_run_group_tests_name("rule_config", tests, NULL, NULL);
}
