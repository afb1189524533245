#include "report/table.h"

#include <stdlib.h>

#include "report/report_impl.h"

struct report_table {
	const char *const *head;
	size_t columns;
	FILE *out;
	struct writer *writer;	/* NULL with JSON */
	json_t *rows;		/* NULL without */
};

int report_table_new(const char *title, const char *const *head, size_t columns,
		     enum report_format format, const struct report_options *options, FILE *out,
		     struct report_table **ret_table, struct err *err)
{
	struct report_table *table = calloc(1, sizeof(*table));

	if (!table)
		return err_no_memory(err);
	table->head = head;
	table->columns = columns;
	table->out = out;
	if (format == REPORT_JSON) {
		table->rows = json_array();
	} else {
		table->writer = report_writer(format, options, out);
		writer_begin(table->writer, title);
		writer_table_begin(table->writer, head, columns);
	}
	*ret_table = table;
	return 0;
}

void report_table_row(struct report_table *table, const char *const *cells)
{
	json_t *row;

	if (!table->rows) {
		writer_table_row(table->writer, cells);
		return;
	}
	row = json_object();
	for (size_t i = 0; i < table->columns; i++)
		json_object_set_new(row, table->head[i], report_json_text(cells[i]));
	json_array_append_new(table->rows, row);
}

int report_table_finish(struct report_table *table, int rc, struct err *err)
{
	int written;

	if (!table)
		return rc;
	if (table->rows) {
		written = report_json_write(table->rows, table->out, err);
	} else {
		writer_table_end(table->writer);
		written = writer_finish(table->writer, err);
	}
	free(table);
	return rc < 0 ? rc : written;
}
