/*
 * What a rule found, and how far it could look. Rules make them, the store
 * keeps them, reports show them; nobody else judges.
 */
#ifndef STORE_FINDING_H
#define STORE_FINDING_H

#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "store/fabric.h"

enum severity {
	SEVERITY_INFO,		/* worth knowing */
	SEVERITY_WARNING,	/* degraded or fragile */
	SEVERITY_ERROR,		/* configured intent is not in force, or a risk of loss */
	SEVERITY_CRITICAL,	/* traffic is lost or a device is unusable now */
};

const char *severity_name(enum severity severity);
/* False: no such name. */
bool severity_parse(const char *text, enum severity *ret_severity);

enum verdict_kind {
	VERDICT_PASS,
	VERDICT_FINDINGS,
	VERDICT_NOT_APPLICABLE,
	VERDICT_NOT_CHECKED,
};

const char *verdict_name(enum verdict_kind verdict);

/* Against a baseline's findings. */
enum finding_status {
	FINDING_OPEN,		/* no baseline */
	FINDING_NEW,
	FINDING_STILL,
	FINDING_GONE,		/* of the baseline only */
	FINDING_UNCHECKED,	/* of the baseline only, and not looked at this time */
};

const char *finding_status_name(enum finding_status status);

struct evidence {
	char *key;
	char *value;		/* foreign text possible: escape where shown */
};

/*
 * Identity across runs: rule id + discriminator + place (node_guid, port). None of
 * the rest takes part, so wording may improve without a finding becoming new.
 *
 * How many places there are is no part of it either. A finding with several is
 * told of the device or the fabric that holds them all, so the same cause at a
 * place and at one around it is the same finding. A discriminator that ends in
 * '*' stands for many causes, all that begin with what is before the '*',
 * wherever they are: "name*" for "name=a" and "name=b".
 */
struct finding {
	const char *rule;	/* rule id */
	enum severity severity;
	enum finding_status status;
	uint64_t node_guid;	/* 0: the fabric as a whole, or a file */
	int port;		/* -1: the device as a whole */
	char *discriminator;	/* cause within the rule, "unroutable:lid=17"; "" when there is but one */
	char *subject;		/* "leaf-p03-07 port 19", "opensm.conf:12"; escaped */
	char *message;		/* one sentence: what is wrong, where, with values; escaped */
	char *remedy;		/* what to do, what it costs; NULL: the rule's own remedy */
	char *source;		/* what it rests on: "opensm.conf:12", "mlx5_0 port 1"; or NULL */
	struct evidence *evidence;
	size_t evidence_count;
	size_t evidence_room;
};

struct verdict {
	const char *rule;
	enum verdict_kind kind;
	char *reason;		/* why not-applicable or not-checked; with the others: what was left out; or NULL */
	size_t finding_count;
	/*
	 * What findings of the rule rest on, in the words of store/reads.h. Where one of
	 * them was known and is not known any more, a finding that is missing is not gone.
	 * Static text, not stored; NULL: nothing.
	 */
	const char *reads;
};

/* The outcome of running the rules once. Owns everything in it. */
struct audit {
	struct verdict *verdicts;	/* one per rule, in rule order */
	size_t verdict_count;
	struct finding *findings;	/* critical first, then in rule order */
	size_t finding_count;
	size_t finding_room;
	char **rules;			/* rule ids that findings point at, see audit_rule_id */
	size_t rule_count;
};

void audit_free(struct audit *audit);	/* NULL is fine */
int audit_new(struct audit **ret_audit, struct err *err);

/*
 * A copy of the rule id that lives as long as the audit, the same pointer for
 * the same id. For few ids (rules, not findings). NULL without memory.
 */
const char *audit_rule_id(struct audit *audit, const char *rule);

/*
 * Appends a finding with its identity set and the texts empty; NULL without
 * memory. Pointers to findings are good until the next one is added.
 */
struct finding *audit_finding_add(struct audit *audit, const char *rule, enum severity severity,
				  uint64_t node_guid, int port);

/* What printf would print, to be freed; NULL without memory. */
char *finding_vprint(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* printf into a text of the finding (finding->message, ...), replacing it. False: no memory. */
bool finding_text(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds key = formatted value. False: no memory. */
bool finding_evidence(struct finding *finding, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Sets the status of each finding of `audit` against `baseline` (new, still)
 * and appends those that are only in the baseline: FINDING_GONE, or
 * FINDING_UNCHECKED when they were not looked at this time, so that nobody can
 * tell: by rules that `audit` could not check and, with `now` (what `audit` is
 * about, or NULL), on devices that gave no answer there or may lie behind one
 * that gave none. With `before` (what `baseline` is about, or NULL) too, where
 * what the rule reads was known then and is not now. What the baseline itself
 * calls gone is not there. 0 or ERR_NOMEM.
 */
int audit_compare(struct audit *audit, const struct audit *baseline, const struct fabric *before,
		  const struct fabric *now, struct err *err);

/* True for a finding of the baseline only: gone, or not looked at this time. */
bool finding_is_past(const struct finding *finding);

/* Sorts: severity falling, then rule order of the verdicts, then subject. Those of the baseline only last. */
void audit_sort(struct audit *audit);

/* Findings that count for the exit status: at or above `level`, of now. */
size_t audit_count_at(const struct audit *audit, enum severity level);

#endif
