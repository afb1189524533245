#include "tests/support/check_rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void print_findings(const struct audit *audit)
{
	for (size_t i = 0; i < audit->finding_count; i++) {
		const struct finding *finding = &audit->findings[i];

		print_error("%s %s [%s] %s: %s\n", severity_name(finding->severity), finding->rule,
			    finding->discriminator, finding->subject, finding->message);
		for (size_t j = 0; j < finding->evidence_count; j++)
			print_error("    %s = %s\n", finding->evidence[j].key,
				    finding->evidence[j].value);
	}
}

struct audit *check_rule(const struct rule *rule, const struct fabric *fabric,
			 const struct fabric *baseline)
{
	const struct rule *const list[] = {rule, NULL};
	struct audit *audit = NULL;
	struct err err = {0};

	if (rules_run_list(list, fabric, baseline, &audit, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < audit->finding_count; i++) {
		assert_non_null(audit->findings[i].message);
		assert_non_null(audit->findings[i].subject);
		assert_non_null(audit->findings[i].discriminator);
	}
	return audit;
}

void assert_rule_verdict(const struct rule *rule, const struct fabric *fabric,
			 const struct fabric *baseline, enum verdict_kind kind, const char *words)
{
	struct audit *audit = check_rule(rule, fabric, baseline);
	const char *reason = audit->verdicts[0].reason;

	if (audit->verdicts[0].kind != kind || audit->finding_count > 0) {
		print_error("verdict %s, reason %s\n", verdict_name(audit->verdicts[0].kind),
			    reason ? reason : "none");
		print_findings(audit);
	}
	assert_int_equal(audit->finding_count, 0);
	assert_string_equal(verdict_name(audit->verdicts[0].kind), verdict_name(kind));
	if (words)
		assert_contains(reason ? reason : "", words);
	audit_free(audit);
}

void assert_rule_passes(const struct rule *rule, const struct fabric *fabric,
			const struct fabric *baseline)
{
	assert_rule_verdict(rule, fabric, baseline, VERDICT_PASS, NULL);
}

const struct finding *finding_of(const struct audit *audit, const char *discriminator)
{
	for (size_t i = 0; i < audit->finding_count; i++) {
		if (strcmp(audit->findings[i].discriminator, discriminator) == 0)
			return &audit->findings[i];
	}
	print_findings(audit);
	fail_msg("no finding [%s]", discriminator);
	return NULL;
}

const struct finding *only_finding(const struct audit *audit, const char *discriminator,
				   enum severity severity)
{
	const struct finding *finding = finding_of(audit, discriminator);

	if (audit->finding_count != 1)
		print_findings(audit);
	assert_int_equal(audit->finding_count, 1);
	assert_string_equal(severity_name(finding->severity), severity_name(severity));
	return finding;
}

struct audit *expect_one(const struct rule *rule, const struct fabric *fabric,
			 const char *discriminator, enum severity severity,
			 const struct finding **ret_finding)
{
	struct audit *audit = check_rule(rule, fabric, NULL);

	*ret_finding = only_finding(audit, discriminator, severity);
	return audit;
}

const char *evidence_of(const struct finding *finding, const char *key)
{
	for (size_t i = 0; i < finding->evidence_count; i++) {
		if (strcmp(finding->evidence[i].key, key) == 0)
			return finding->evidence[i].value;
	}
	fail_msg("no evidence \"%s\" in: %s", key, finding->message);
	return NULL;
}

void assert_contains(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("\"%s\" does not contain \"%s\"", text, words);
}
