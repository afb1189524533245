/* For the files that implement a form of output; see writer.h. */
#ifndef REPORT_WRITER_IMPL_H
#define REPORT_WRITER_IMPL_H

#include "report/writer.h"

struct writer_form {
	void (*begin)(struct writer *writer, const char *title);
	void (*section)(struct writer *writer, const char *id, const char *title);
	void (*paragraph)(struct writer *writer, const char *text);
	void (*tally)(struct writer *writer, const size_t counts[4]);
	void (*finding)(struct writer *writer, const struct writer_finding *finding);
	void (*table_begin)(struct writer *writer, const char *const *head, size_t columns);
	void (*table_row)(struct writer *writer, const char *const *cells);
	void (*table_end)(struct writer *writer);
	void (*end)(struct writer *writer);
	void (*release)(struct writer *writer);
};

/* First member of every form's own struct. */
struct writer {
	const struct writer_form *form;
	const struct report_options *options;
	FILE *out;
	int failed;	/* 0 or the first negative enum err_code */
	int write_errno;	/* of the write that failed, 0: none did or it is not known */
};

/*
 * The escaped form of `text`, to be freed; NULL latches ERR_NOMEM. A newline
 * passes when `lines` is set (remedies that are ready to paste), else it is
 * escaped like any control byte.
 */
char *writer_escape(struct writer *writer, const char *text, bool lines);

#endif
