/*
 * Text for a terminal and for mail: folded at the width asked for, colour only
 * when asked, and never a control byte that came from the fabric.
 */
#include <stdlib.h>
#include <string.h>

#include "report/writer_impl.h"
#include "store/array.h"
#include "store/text.h"

#define TABLE_COLUMNS_MAX 12
#define LAST_CELL_ROOM 40
#define LAST_CELL_INDENT 6
#define EVIDENCE_SHOWN 400

struct text_writer {
	struct writer base;
	unsigned width;
	size_t columns;
	char **cells;		/* rows of the table that is open, head first */
	size_t cell_count;
	size_t cell_room;
};

#define STYLE_NONE ""
#define STYLE_BOLD "\033[1m"
#define STYLE_DIM "\033[2m"

static const char *severity_style(enum severity severity)
{
	switch (severity) {
	case SEVERITY_CRITICAL:
		return "\033[1;31m";
	case SEVERITY_ERROR:
		return "\033[31m";
	case SEVERITY_WARNING:
		return "\033[33m";
	case SEVERITY_INFO:
		break;
	}
	return "\033[36m";
}

static void styled(struct writer *writer, const char *style, const char *text)
{
	if (writer->options->color && *style)
		fprintf(writer->out, "%s%s\033[0m", style, text);
	else
		fputs(text, writer->out);
}

/* Columns that the first `bytes` of an escaped text take: continuation bytes take none. */
static unsigned columns_of(const char *text, size_t bytes)
{
	unsigned columns = 0;

	for (size_t i = 0; i < bytes; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

/* Prints one line of words, folded; `first` columns are taken already, later lines start at `indent`. */
static void fold_line(struct text_writer *writer, const char *text, size_t length, unsigned first,
		      unsigned indent)
{
	unsigned column = first;
	bool fresh = true;

	while (length > 0) {
		size_t word = 0;
		unsigned wide;

		while (word < length && text[word] != ' ')
			word++;
		wide = columns_of(text, word);
		if (!fresh && column + 1 + wide > writer->width) {
			fprintf(writer->base.out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!fresh) {
			fputc(' ', writer->base.out);
			column++;
		}
		fwrite(text, 1, word, writer->base.out);
		column += wide;
		fresh = false;
		text += word;
		length -= word;
		if (length > 0) {
			text++;
			length--;
		}
	}
	fputc('\n', writer->base.out);
}

/* A text of one or more lines; lines after the first are kept as they are (ready to paste). */
static void fold(struct text_writer *writer, const char *raw, unsigned first, unsigned indent)
{
	char *text = writer_escape(&writer->base, raw, true);
	const char *line = text;

	if (!text)
		return;
	fold_line(writer, line, strcspn(line, "\n"), first, indent);
	for (line = strchr(line, '\n'); line; line = strchr(line + 1, '\n')) {
		int length = (int)strcspn(line + 1, "\n");

		fprintf(writer->base.out, "%*s%.*s\n", (int)indent, "", length, line + 1);
	}
	free(text);
}

static void text_begin(struct writer *base, const char *title)
{
	char *text = writer_escape(base, title, false);

	if (text) {
		styled(base, STYLE_BOLD, text);
		fputc('\n', base->out);
	}
	free(text);
}

static void text_section(struct writer *base, const char *id, const char *title)
{
	char *text = writer_escape(base, title, false);

	(void)id;
	if (text) {
		fputc('\n', base->out);
		styled(base, STYLE_BOLD, text);
		fputc('\n', base->out);
	}
	free(text);
}

static void text_paragraph(struct writer *base, const char *text)
{
	fputs("  ", base->out);
	fold((struct text_writer *)base, text, 2, 2);
}

static void text_tally(struct writer *base, const size_t counts[4])
{
	fputs("\n", base->out);
	for (int severity = SEVERITY_CRITICAL; severity >= SEVERITY_INFO; severity--) {
		char text[64];

		snprintf(text, sizeof(text), "%zu %s", counts[severity],
			 severity_name((enum severity)severity));
		styled(base, counts[severity] ? severity_style((enum severity)severity) : STYLE_NONE,
		       text);
		fputs(severity > SEVERITY_INFO ? ", " : "\n", base->out);
	}
}

static void text_labelled(struct text_writer *writer, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(writer->base.out, "    %s: ", label);
	fold(writer, text, 6 + (unsigned)strlen(label), 6);
}

/* Where a list of hundreds of places is cut: after a whole entry; 0 when it is shown whole. */
static size_t cut_of(const struct text_writer *writer, const char *value)
{
	size_t end = EVIDENCE_SHOWN;

	if (writer->base.options->verbose || strlen(value) <= EVIDENCE_SHOWN)
		return 0;
	while (end > 0 && value[end] != ';')
		end--;
	return end;
}

static void text_evidence(struct text_writer *writer, const struct evidence *evidence)
{
	char *key = writer_escape(&writer->base, evidence->key, false);
	size_t end = cut_of(writer, evidence->value);
	char shown[EVIDENCE_SHOWN + 32];

	if (end > 0) {
		snprintf(shown, sizeof(shown), "%.*s; ... (-v shows all)", (int)end, evidence->value);
		text_labelled(writer, key ? key : "", shown);
	} else {
		text_labelled(writer, key ? key : "", evidence->value);
	}
	free(key);
}

static void text_finding(struct writer *base, const struct writer_finding *finding)
{
	struct text_writer *writer = (struct text_writer *)base;
	char *subject = writer_escape(base, finding->subject ? finding->subject : "", false);
	char word[32];

	fputc('\n', base->out);
	snprintf(word, sizeof(word), "%-8s", severity_name(finding->severity));
	styled(base, severity_style(finding->severity), word);
	fputc(' ', base->out);
	styled(base, STYLE_BOLD, subject ? subject : "");
	fprintf(base->out, "  [%s%s%s]\n    ", finding->rule, finding->status ? ", " : "",
		finding->status ? finding->status : "");
	free(subject);
	fold(writer, finding->message, 4, 4);
	for (size_t i = 0; i < finding->evidence_count; i++)
		text_evidence(writer, &finding->evidence[i]);
	text_labelled(writer, "why", finding->why);
	text_labelled(writer, "remedy", finding->remedy);
	text_labelled(writer, "rests on", finding->source);
}

static void text_table_row(struct writer *base, const char *const *cells)
{
	struct text_writer *writer = (struct text_writer *)base;

	char **grown = array_reach(writer->cells, writer->cell_count + writer->columns,
				   &writer->cell_room, sizeof(char *));

	if (!grown) {
		base->failed = ERR_NOMEM;
		return;
	}
	writer->cells = grown;
	for (size_t i = 0; i < writer->columns; i++)
		writer->cells[writer->cell_count++] =
			writer_escape(base, cells[i] ? cells[i] : "", false);
}

static void text_table_begin(struct writer *base, const char *const *head, size_t columns)
{
	struct text_writer *writer = (struct text_writer *)base;

	writer->columns = columns < TABLE_COLUMNS_MAX ? columns : TABLE_COLUMNS_MAX;
	writer->cell_count = 0;
	text_table_row(base, head);
}

/* True when the last cell of a row had too little room beside the others to be read. */
static bool goes_below(const struct text_writer *writer, const char *cell, unsigned column)
{
	return column + columns_of(cell, strlen(cell)) > writer->width &&
	       column + LAST_CELL_ROOM > writer->width;
}

static void print_row(struct text_writer *writer, size_t row, const unsigned *widths)
{
	char *const *cells = writer->cells + row * writer->columns;
	size_t used = writer->columns;
	unsigned column = 2;
	unsigned gap = 2;

	while (used > 0 && (!cells[used - 1] || !*cells[used - 1]))
		used--;
	if (used == 0)
		fputc('\n', writer->base.out);
	for (size_t i = 0; i < used; i++) {
		const char *cell = cells[i] ? cells[i] : "";

		if (i > 0 && i + 1 == used && goes_below(writer, cell, column)) {
			fputc('\n', writer->base.out);
			column = gap = LAST_CELL_INDENT;
		}
		fprintf(writer->base.out, "%*s", (int)gap, "");
		if (i + 1 == used)
			fold_line(writer, cell, strlen(cell), column, column);
		else
			fputs(cell, writer->base.out);
		gap = widths[i] - columns_of(cell, strlen(cell)) + 2;
		column += widths[i] + 2;
	}
}

static void text_table_end(struct writer *base)
{
	struct text_writer *writer = (struct text_writer *)base;
	unsigned widths[TABLE_COLUMNS_MAX] = {0};
	size_t columns = writer->columns ? writer->columns : 1;
	size_t rows = writer->columns ? writer->cell_count / columns : 0;

	for (size_t i = 0; i < writer->cell_count; i++) {
		const char *cell = writer->cells[i] ? writer->cells[i] : "";
		unsigned wide = columns_of(cell, strlen(cell));

		if (wide > widths[i % columns])
			widths[i % columns] = wide;
	}
	for (size_t row = 0; row < rows; row++) {
		if (row == 0 && base->options->color)
			fputs(STYLE_DIM, base->out);
		print_row(writer, row, widths);
		if (row == 0 && base->options->color)
			fputs("\033[0m", base->out);
	}
	for (size_t i = 0; i < writer->cell_count; i++)
		free(writer->cells[i]);
	writer->cell_count = 0;
}

static void text_end(struct writer *base)
{
	(void)base;
}

static void text_release(struct writer *base)
{
	struct text_writer *writer = (struct text_writer *)base;

	for (size_t i = 0; i < writer->cell_count; i++)
		free(writer->cells[i]);
	free(writer->cells);
	free(writer);
}

static const struct writer_form text_form = {
	.begin = text_begin,
	.section = text_section,
	.paragraph = text_paragraph,
	.tally = text_tally,
	.finding = text_finding,
	.table_begin = text_table_begin,
	.table_row = text_table_row,
	.table_end = text_table_end,
	.end = text_end,
	.release = text_release,
};

struct writer *writer_text_new(FILE *out, const struct report_options *options)
{
	struct text_writer *writer = calloc(1, sizeof(*writer));

	if (!writer)
		return NULL;
	writer->base.form = &text_form;
	writer->base.options = options;
	writer->base.out = out;
	writer->width = options->width ? options->width : 100;
	return &writer->base;
}
