/* Rows of a query as they come: tab-separated text with a head line, or a JSON array of objects. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "report/report.h"

struct report_rows;

/* format: REPORT_TEXT or REPORT_JSON. *ret_rows belongs to the caller until report_rows_finish. */
int report_rows_new(enum report_format format, FILE *out, struct report_rows **ret_rows,
		    struct err *err);

/* A query_row_fn; context is the struct report_rows. Stops at the first output error. */
int report_rows_put(void *context, const char *const *names, const struct cell *cells,
		    size_t count);

/* Ends the output and frees rows (NULL is fine). `rc` of the query passes through unless 0. */
int report_rows_finish(struct report_rows *rows, int rc, struct err *err);

#endif
