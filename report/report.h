/*
 * Findings, diffs and inventories as text, HTML and JSON. Reports never judge
 * and never read the store: they get everything in their structs.
 *
 * Foreign text (descriptions, file contents) is in the fabric raw: every writer
 * here escapes it. HTML goes through libxml2's writer, JSON through jansson.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rules/rule.h"
#include "store/diff.h"
#include "store/fabric.h"
#include "store/finding.h"
#include "store/store.h"

enum report_format {
	REPORT_TEXT,
	REPORT_HTML,
	REPORT_JSON,
};

/* False: no such format. */
bool report_format_parse(const char *text, enum report_format *ret_format);

struct report_options {
	bool color;		/* terminal colours; text only */
	bool verbose;		/* every place of a folded finding, every hole, every source line */
	unsigned width;		/* columns to fold text at; 0: 100 */
	int64_t now;		/* UTC seconds: when the report is made */
	const char *version;	/* of ibaudit */
};

/* One run of the rules over one snapshot. */
struct report_audit {
	const struct snapshot *snapshot;	/* id 0: not kept in a store */
	const struct fabric *fabric;
	const struct audit *audit;
	const struct snapshot *baseline;	/* or NULL */
	const struct rule *const *rules;	/* rule_table: titles, why, remedies */
};

/* Each writes to `out` and returns 0, or ERR_IO / ERR_NOMEM. */
int report_audit(const struct report_audit *report, enum report_format format,
		 const struct report_options *options, FILE *out, struct err *err);

struct report_diff {
	const struct snapshot *old_snapshot;
	const struct snapshot *new_snapshot;
	const struct diff *diff;
	const struct rule *const *rules;
};

int report_diff(const struct report_diff *report, enum report_format format,
		const struct report_options *options, FILE *out, struct err *err);

/* `ibaudit rules`, `explain`, `list`, `show`: text and JSON. */
int report_rules(const struct rule *const *rules, enum report_format format,
		 const struct report_options *options, FILE *out, struct err *err);
int report_rule(const struct rule *rule, enum report_format format,
		const struct report_options *options, FILE *out, struct err *err);
int report_snapshots(const struct snapshot *list, size_t count, enum report_format format,
		     const struct report_options *options, FILE *out, struct err *err);
int report_show(const struct snapshot *snapshot, const struct fabric *fabric,
		enum report_format format, const struct report_options *options, FILE *out,
		struct err *err);

#endif
