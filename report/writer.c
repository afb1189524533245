#include "report/writer.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/writer_impl.h"
#include "store/text.h"

char *writer_escape(struct writer *writer, const char *text, bool lines)
{
	size_t length = strlen(text);
	char *out = malloc(length * 4 + 1);
	size_t used = 0;

	if (!out) {
		writer->failed = writer->failed ? writer->failed : ERR_NOMEM;
		return NULL;
	}
	while (length > 0) {
		size_t line = lines ? strcspn(text, "\n") : length;

		used += text_escape(text, line, out + used, line * 4 + 1);
		text += line;
		length -= line;
		if (length > 0) {
			out[used++] = '\n';
			text++;
			length--;
		}
	}
	out[used] = '\0';
	return out;
}

void writer_begin(struct writer *writer, const char *title)
{
	if (writer && !writer->failed)
		writer->form->begin(writer, title);
}

void writer_section(struct writer *writer, const char *id, const char *title)
{
	if (writer && !writer->failed)
		writer->form->section(writer, id, title);
}

void writer_paragraph(struct writer *writer, const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	if (!writer || writer->failed)
		return;
	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = length < 0 ? NULL : malloc((size_t)length + 1);
	if (!text) {
		writer->failed = ERR_NOMEM;
		return;
	}
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	writer->form->paragraph(writer, text);
	free(text);
}

void writer_tally(struct writer *writer, const size_t counts[4])
{
	if (writer && !writer->failed)
		writer->form->tally(writer, counts);
}

void writer_finding(struct writer *writer, const struct writer_finding *finding)
{
	if (writer && !writer->failed)
		writer->form->finding(writer, finding);
}

void writer_table_begin(struct writer *writer, const char *const *head, size_t columns)
{
	if (writer && !writer->failed)
		writer->form->table_begin(writer, head, columns);
}

void writer_table_row(struct writer *writer, const char *const *cells)
{
	if (writer && !writer->failed)
		writer->form->table_row(writer, cells);
}

void writer_table_end(struct writer *writer)
{
	if (writer && !writer->failed)
		writer->form->table_end(writer);
}

int writer_finish(struct writer *writer, struct err *err)
{
	int failed;

	if (!writer)
		return err_no_memory(err);
	if (!writer->failed)
		writer->form->end(writer);
	errno = writer->write_errno;
	if (!writer->failed && (fflush(writer->out) != 0 || ferror(writer->out)))
		writer->failed = ERR_IO;
	failed = writer->failed;
	if (failed == ERR_NOMEM)
		err_no_memory(err);
	else if (failed)
		err_set(err, failed, "the report cannot be written: %s; it is cut short",
			errno ? strerror(errno) : "output error");
	writer->form->release(writer);
	return failed;
}
