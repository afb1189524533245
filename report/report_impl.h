/* What the report files share; see report.h. */
#ifndef REPORT_REPORT_IMPL_H
#define REPORT_REPORT_IMPL_H

#include <jansson.h>

#include "report/report.h"
#include "report/writer.h"

#define TIME_TEXT_SIZE 32

/* "2026-03-01 02:10:07 UTC", or "time unknown". Returns out. */
const char *report_time(int64_t seconds, char out[TIME_TEXT_SIZE]);

/* The rule of this id, or NULL. */
const struct rule *report_rule_of(const struct rule *const *rules, const char *id);

/* "snapshot 12 (site A, label before), taken 2026-..."; without an id "this snapshot, taken ...". */
const char *report_snapshot_label(const struct snapshot *snapshot, char *out, size_t size);

/* A fresh writer of a form; REPORT_JSON is an assertion: JSON has its own shape. */
struct writer *report_writer(enum report_format format, const struct report_options *options,
			     FILE *out);

/* Counts of what is open, by severity. */
void report_tally(const struct audit *audit, size_t ret_counts[4]);

/* A JSON string of foreign text: escaped to valid UTF-8; JSON null for NULL. */
json_t *report_json_text(const char *text);
/* "0x0c42a10300d00010"; JSON null for 0. */
json_t *report_json_guid(uint64_t guid);
/* JSON null for FIELD_UNKNOWN. */
json_t *report_json_field(int64_t value);
/* {"id", "site", "label", "taken_at", "sources": [...]}; fabric may be NULL. */
json_t *report_json_snapshot(const struct snapshot *snapshot, const struct fabric *fabric);
/* One finding in the shape design gives it. */
json_t *report_json_finding(const struct finding *finding, const struct rule *const *rules);
/* Dumps and frees root (NULL is ERR_NOMEM). */
int report_json_write(json_t *root, FILE *out, struct err *err);

#endif
