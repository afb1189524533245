#include "report/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_impl.h"
#include "store/text.h"

struct report_rows {
	enum report_format format;
	FILE *out;
	bool began;
	bool no_memory;
};

int report_rows_new(enum report_format format, FILE *out, struct report_rows **ret_rows,
		    struct err *err)
{
	struct report_rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		return err_no_memory(err);
	rows->format = format;
	rows->out = out;
	*ret_rows = rows;
	return 0;
}

/* The escaped bytes of a text or blob, to be freed; NULL without memory. */
static char *cell_text(const struct cell *cell)
{
	char *text = malloc(cell->length * 4 + 1);

	if (text)
		text_escape(cell->text, cell->length, text, cell->length * 4 + 1);
	return text;
}

static void put_text_cell(struct report_rows *rows, const struct cell *cell)
{
	char *text = NULL;

	switch (cell->type) {
	case CELL_NULL:
		break;
	case CELL_INTEGER:
		fprintf(rows->out, "%lld", (long long)cell->integer);
		break;
	case CELL_REAL:
		fprintf(rows->out, "%.15g", cell->real);
		break;
	case CELL_TEXT:
	case CELL_BLOB:
		text = cell_text(cell);
		rows->no_memory |= !text;
		fputs(text ? text : "", rows->out);
		free(text);
		break;
	}
}

static json_t *json_cell(struct report_rows *rows, const struct cell *cell)
{
	json_t *json = NULL;
	char *text = NULL;

	switch (cell->type) {
	case CELL_NULL:
		json = json_null();
		break;
	case CELL_INTEGER:
		json = json_integer(cell->integer);
		break;
	case CELL_REAL:
		json = json_real(cell->real);
		break;
	case CELL_TEXT:
	case CELL_BLOB:
		text = cell_text(cell);
		json = text ? json_string(text) : NULL;
		free(text);
		break;
	}
	rows->no_memory |= !json;
	return json;
}

static void put_json_row(struct report_rows *rows, const char *const *names,
			 const struct cell *cells, size_t count)
{
	json_t *row = json_object();

	for (size_t i = 0; i < count; i++)
		json_object_set_new(row, names[i], json_cell(rows, &cells[i]));
	fputs(rows->began ? ",\n " : "[\n ", rows->out);
	rows->began = true;
	if (!row || json_dumpf(row, rows->out, JSON_PRESERVE_ORDER) < 0)
		rows->no_memory |= !ferror(rows->out);
	json_decref(row);
}

int report_rows_put(void *context, const char *const *names, const struct cell *cells, size_t count)
{
	struct report_rows *rows = context;

	if (rows->format == REPORT_JSON) {
		if (cells)
			put_json_row(rows, names, cells, count);
	} else {
		for (size_t i = 0; i < count; i++) {
			if (i > 0)
				fputc('\t', rows->out);
			if (cells)
				put_text_cell(rows, &cells[i]);
			else
				fputs(names[i], rows->out);
		}
		fputc('\n', rows->out);
	}
	return rows->no_memory || ferror(rows->out);
}

int report_rows_finish(struct report_rows *rows, int rc, struct err *err)
{
	if (!rows)
		return rc;
	if (rc == 0 && rows->format == REPORT_JSON)
		fputs(rows->began ? "\n]\n" : "[]\n", rows->out);
	if (rc == 0 && rows->no_memory)
		rc = err_no_memory(err);
	free(rows);
	return rc;
}
