/*
 * A rule: one file, one struct. It reads a fabric and appends findings; it
 * never prints and never writes to the store.
 *
 * To add one: rules/<id with underscores>.c with `const struct rule
 * rule_<name>`, and a line RULE(<name>) in rules/list.h in id order.
 */
#ifndef RULES_RULE_H
#define RULES_RULE_H

#include "store/config.h"
#include "store/fabric.h"
#include "store/finding.h"

struct analysis;		/* rules/analysis/analysis.h: indices shared by the rules of one run */

/* What a rule may read. */
struct rule_input {
	const struct fabric *fabric;
	const struct fabric *baseline;	/* or NULL */
	struct analysis *analysis;	/* of fabric */
};

/* What a rule fills, through rule_*() below. */
struct rule_output {
	struct audit *audit;
	struct verdict *verdict;
	const struct rule *rule;
};

struct rule {
	const char *id;			/* printed in reports; never renamed, never reused */
	const char *title;
	enum severity severity;		/* of the usual case; a finding may differ */
	const char *why;		/* why it matters, for someone who has never seen it */
	const char *needs;		/* the facts it rests on, in words */
	bool one_subnet;		/* it joins devices by LID, name, route or the SM's plan: no verdict on several */
	const char *reads;		/* the same for the comparison of audits: struct verdict; or NULL */
	const char *remedy;		/* what to do and what that costs: flaps links? needs a window? */
	const char *source;		/* IBA clause, man page, OpenSM file */
	/*
	 * Sets the verdict through rule_not_checked, rule_not_applicable or
	 * rule_finding; a rule that does none of them has passed. 0 or a negative
	 * enum err_code.
	 */
	int (*check)(const struct rule_input *in, struct rule_output *out, struct err *err);
};

/* All rules in id order, ended by NULL. */
extern const struct rule *const rule_table[];

/* NULL: no such id. */
const struct rule *rule_find(const char *id);

/* The facts are not there; `format` says which and how to get them. Findings made so far stay. */
int rule_not_checked(struct rule_output *out, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The rule has no object in this fabric. */
int rule_not_applicable(struct rule_output *out, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * The rule did look, but not everywhere: "3 of 40 switches gave no LFT". The
 * verdict stays pass or findings and carries this reason; several are joined
 * with "; ".
 */
int rule_left_out(struct rule_output *out, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A finding on a port, a device (port NULL) or the fabric (both NULL), with
 * subject filled and message printed. The caller adds discriminator (printf
 * text, "" for none), evidence and remedy. NULL: no memory.
 */
struct finding *rule_finding(struct rule_output *out, enum severity severity,
			     const struct device *device, const struct port *port,
			     const char *discriminator, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/* Runs the rules of a list ended by NULL. *ret_audit belongs to the caller. 0 or ERR_NOMEM. */
int rules_run_list(const struct rule *const *list, const struct fabric *fabric,
		   const struct fabric *baseline, struct audit **ret_audit, struct err *err);

/* Runs every rule. *ret_audit belongs to the caller. 0 or ERR_NOMEM. */
int rules_run(const struct fabric *fabric, const struct fabric *baseline, struct audit **ret_audit,
	      struct err *err);

#endif
