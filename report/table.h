/* A titled list as text, HTML or a JSON array of objects whose keys are the head's words. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "report/report.h"

struct report_table;

/* head is borrowed until report_table_finish. *ret_table then belongs to it. 0 or ERR_NOMEM. */
int report_table_new(const char *title, const char *const *head, size_t columns,
		     enum report_format format, const struct report_options *options, FILE *out,
		     struct report_table **ret_table, struct err *err);

/* NULL cells are empty. Failures are latched. */
void report_table_row(struct report_table *table, const char *const *cells);

/* Writes the rest and frees it (NULL is fine). Passes a negative `rc` on; else 0, ERR_IO, ERR_NOMEM. */
int report_table_finish(struct report_table *table, int rc, struct err *err);

#endif
