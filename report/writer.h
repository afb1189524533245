/*
 * One way to say things, several forms: a report describes itself through
 * these calls and does not know whether text or HTML comes out.
 *
 * Every string may be foreign and is escaped by the writer (text_escape, and
 * for HTML libxml2's own). The first failure is latched and told by
 * writer_finish; calls after it do nothing.
 */
#ifndef REPORT_WRITER_H
#define REPORT_WRITER_H

#include <stddef.h>
#include <stdio.h>

#include "report/report.h"

struct writer;

/* A finding as people read it. Members may be NULL or empty: then they are left out. */
struct writer_finding {
	enum severity severity;
	const char *status;	/* "new", "still", "gone", or NULL */
	const char *rule;
	const char *title;	/* of the rule */
	const char *subject;
	const char *message;
	const struct evidence *evidence;
	size_t evidence_count;
	const char *why;
	const char *remedy;
	const char *source;	/* what it rests on */
};

/* `out` is borrowed. NULL: no memory. */
struct writer *writer_text_new(FILE *out, const struct report_options *options);
struct writer *writer_html_new(FILE *out, const struct report_options *options);

/* The head of the document; lines below the title are what it is about. */
void writer_begin(struct writer *writer, const char *title);

/* A section; `id` is its anchor in HTML. */
void writer_section(struct writer *writer, const char *id, const char *title);

void writer_paragraph(struct writer *writer, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "2 critical, 0 error, 1 warning, 3 info", by severity index. */
void writer_tally(struct writer *writer, const size_t counts[4]);

void writer_finding(struct writer *writer, const struct writer_finding *finding);

/* A table: head, rows of as many cells (NULL: empty), end. The last column takes what room is left. */
void writer_table_begin(struct writer *writer, const char *const *head, size_t columns);
void writer_table_row(struct writer *writer, const char *const *cells);
void writer_table_end(struct writer *writer);

/* Ends the document and frees the writer. 0, ERR_IO or ERR_NOMEM. NULL is ERR_NOMEM. */
int writer_finish(struct writer *writer, struct err *err);

#endif
