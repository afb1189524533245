/*
 * One rule run over a built fabric, and the questions a test asks of the
 * outcome. Every function fails the test, in cmocka's way, when the run itself fails.
 */
#ifndef TESTS_SUPPORT_CHECK_RULE_H
#define TESTS_SUPPORT_CHECK_RULE_H

#include "rules/rule.h"

/* Runs only this rule. The caller frees the audit. baseline may be NULL. */
struct audit *check_rule(const struct rule *rule, const struct fabric *fabric,
			 const struct fabric *baseline);

/* Runs it and frees the audit: fails the test unless the verdict is pass with no finding. */
void assert_rule_passes(const struct rule *rule, const struct fabric *fabric,
			const struct fabric *baseline);

/* Same for another verdict without findings; the reason must contain `words`. */
void assert_rule_verdict(const struct rule *rule, const struct fabric *fabric,
			 const struct fabric *baseline, enum verdict_kind kind, const char *words);

/* The finding with this discriminator; fails the test when there is none. */
const struct finding *finding_of(const struct audit *audit, const char *discriminator);

/* The only finding of the audit, with this discriminator and severity; fails the test otherwise. */
const struct finding *only_finding(const struct audit *audit, const char *discriminator,
				   enum severity severity);

/* Runs the rule, which must find this alone. The caller frees the audit, which holds *ret_finding. */
struct audit *expect_one(const struct rule *rule, const struct fabric *fabric,
			 const char *discriminator, enum severity severity,
			 const struct finding **ret_finding);

/* Value of the evidence; fails the test when there is none. */
const char *evidence_of(const struct finding *finding, const char *key);

/* Fails the test unless `text` contains `words`. */
void assert_contains(const char *text, const char *words);

#endif
