/* A line of ibdiagnet2.db_csv as cells: quotes, commas inside texts, rows that do not fit their heading. */
#include <string.h>

#include "collector/import/db_csv.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * The end of a quoted text that begins behind its quote: a quote that a comma
 * or the line's end follows. Other quotes belong to the text: they are not
 * doubled in this format.
 */
static const char *closing_quote(const char *at, const char *end)
{
	for (; (at = memchr(at, '"', (size_t)(end - at))); at++) {
		const char *behind = at + 1;

		while (behind < end && is_space(*behind))
			behind++;
		if (behind == end || *behind == ',')
			return at;
	}
	return NULL;
}

size_t db_split(const char *line, size_t length, struct cell *cells, size_t max)
{
	const char *end = line + length;
	size_t count = 0;

	for (const char *at = line;; at++) {
		const char *start = at;
		const char *comma;

		while (at < end && is_space(*at))
			at++;
		if (at < end && *at == '"') {
			const char *quote = closing_quote(at + 1, end);

			if (quote)
				at = quote;
		}
		comma = memchr(at, ',', (size_t)(end - at));
		at = comma ? comma : end;
		if (count == max)
			return max + 1;
		cells[count].text = start;
		cells[count].length = (size_t)(at - start);
		import_trim(&cells[count].text, &cells[count].length);
		count++;
		if (!comma)
			return count;
	}
}

/* True when the heading says that this column is what people write, which ibdiagnet does not always quote. */
static bool is_free_text(const struct db_csv *csv, size_t column)
{
	size_t length = strlen(csv->columns[column]);

	return length >= 4 && import_is_word(csv->columns[column] + length - 4, 4, "desc");
}

/* Neither a number nor one of the words for none. */
static bool is_text(const struct cell *cell)
{
	int64_t value;

	return !import_parse_cell(cell->text, cell->length, &value);
}

/* True when these two cells can be the beginning and the end of one text that holds commas. */
static bool is_one_text(const struct db_csv *csv, size_t column, const struct cell *first,
			const struct cell *last)
{
	if (first->length == 0 || last->length == 0)
		return false;
	if (first->text[0] == '"')
		return last->text[last->length - 1] == '"' &&
		       (last->text[0] != '"' || last->length == 1);
	return is_free_text(csv, column) && is_text(first) && is_text(last);
}

/*
 * A quoted text may hold `",` itself, an unquoted one (VNodeDesc) a comma: the
 * row then has more cells than the heading. False where more or less than one
 * text can hold the surplus: a row whose values may be shifted tells nothing.
 */
static bool join_surplus(const struct db_csv *csv, struct cell *cells, size_t count)
{
	size_t surplus = count - csv->column_count;
	size_t found = 0;
	size_t at = 0;

	for (size_t i = 0; i + surplus < count; i++) {
		if (!is_one_text(csv, i, &cells[i], &cells[i + surplus]))
			continue;
		at = i;
		found++;
	}
	if (found != 1)
		return false;
	cells[at].length = (size_t)(cells[at + surplus].text + cells[at + surplus].length -
				    cells[at].text);
	memmove(&cells[at + 1], &cells[at + surplus + 1],
		(count - at - surplus - 1) * sizeof(*cells));
	return true;
}

void db_unquote(struct cell *cell)
{
	if (cell->length >= 2 && cell->text[0] == '"' && cell->text[cell->length - 1] == '"') {
		cell->text++;
		cell->length -= 2;
	}
}

/* A text whose closing quote is missing: the line is cut. */
static bool is_open(const struct cell *cell)
{
	return cell->length > 0 && cell->text[0] == '"' &&
	       (cell->length == 1 || cell->text[cell->length - 1] != '"');
}

bool db_take_cells(struct db_csv *csv, const char *line, size_t length)
{
	struct cell cells[2 * DB_CSV_COLUMNS];
	size_t count = db_split(line, length, cells, 2 * DB_CSV_COLUMNS);

	if (count > 2 * DB_CSV_COLUMNS || count < csv->column_count)
		return false;
	/* A comma too many, or a spreadsheet's padding. */
	while (count > csv->column_count && cells[count - 1].length == 0)
		count--;
	if (count > csv->column_count && !join_surplus(csv, cells, count))
		return false;
	if (csv->column_count > 0 && is_open(&cells[csv->column_count - 1]))
		return false;
	memcpy(csv->cells, cells, csv->column_count * sizeof(*cells));
	for (size_t i = 0; i < csv->column_count; i++)
		db_unquote(&csv->cells[i]);
	return true;
}

bool db_is_row(const char *line, size_t length)
{
	struct cell cells[DB_CSV_COLUMNS];
	size_t count = db_split(line, length, cells, DB_CSV_COLUMNS);

	for (size_t i = 0; i < count && i < DB_CSV_COLUMNS; i++) {
		if (cells[i].length > 0 && (cells[i].text[0] == '"' || !is_text(&cells[i])))
			return true;
	}
	return false;
}
