/*
 * INDEX_TABLE of ibdiagnet2.db_csv: how many rows ibdiagnet wrote of each section.
 *
 *   Name, Offset, Size, Line, Rows
 *   LINKS,      424339,       11619,        2823,         271
 *
 * Rows are those behind the heading. A version that counts otherwise is recognised by
 * its agreeing with no section, and tells nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/db_csv.h"
#include "store/text.h"

#define SECTIONS_MAX 512	/* real files have below 100 */

struct db_count {
	char name[64];
	int64_t rows;		/* read, odd ones too; -1: there are two of that name */
	int64_t odd;
	int64_t indexed;	/* as INDEX_TABLE has it; -1: not */
};

struct db_index {
	struct db_count counts[SECTIONS_MAX];
	size_t count;
	bool unsure;		/* more sections than that, or one counted twice */
};

static struct db_count *find(struct db_index *index, const char *name)
{
	for (size_t i = 0; i < index->count; i++) {
		if (strcmp(index->counts[i].name, name) == 0)
			return &index->counts[i];
	}
	return NULL;
}

/* The section's place; NULL: no room, and nothing will be said. */
static struct db_count *add(struct db_index *index, const char *name)
{
	struct db_count *count;

	if (index->count == SECTIONS_MAX) {
		index->unsure = true;
		return NULL;
	}
	count = &index->counts[index->count++];
	*count = (struct db_count){.rows = 0, .odd = 0, .indexed = -1};
	snprintf(count->name, sizeof(count->name), "%s", name);
	return count;
}

int db_index_note(struct db_csv *csv, int64_t rows, struct err *err)
{
	struct db_count *count;

	if (!csv->index_table) {
		csv->index_table = calloc(1, sizeof(*csv->index_table));
		if (!csv->index_table)
			return err_no_memory(err);
	}
	count = find(csv->index_table, csv->name);
	if (count) {
		count->rows = -1;
		return 0;
	}
	count = add(csv->index_table, csv->name);
	if (count) {
		count->rows = rows;
		count->odd = csv->odd_rows;
	}
	return 0;
}

static int begin_index(struct db_csv *csv, struct err *err)
{
	static const char *const names[] = {"Name", "Rows", NULL};

	(void)err;
	db_extra(csv, names);
	return 0;
}

static int row_index(struct db_csv *csv, struct err *err)
{
	int64_t rows = db_number(csv, csv->extra[1], INT32_MAX);
	char name[sizeof(csv->name)];
	struct db_count *count;

	if (csv->extra[0] < 0 || rows == FIELD_UNKNOWN)
		return db_odd(csv, "it names no section and its rows", err);
	if (!csv->index_table)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(csv->cells[csv->extra[0]].length % 4096),
		 csv->cells[csv->extra[0]].text);
	count = find(csv->index_table, name);
	if (count && count->indexed >= 0)
		csv->index_table->unsure = true;
	/* It is not in the file: no rows of it were read. */
	if (!count)
		count = add(csv->index_table, name);
	if (count)
		count->indexed = rows;
	return 0;
}

/* The numbers are of rows behind the heading: some section that has any agrees, and few are one above. */
static bool counts_rows(const struct db_index *index)
{
	size_t agree = 0;
	size_t filled = 0;
	size_t above = 0;

	for (size_t i = 0; i < index->count; i++) {
		const struct db_count *count = &index->counts[i];

		if (count->indexed < 0 || count->rows < 0)
			continue;
		agree += count->indexed == count->rows;
		filled += count->indexed == count->rows && count->rows > 0;
		above += count->indexed == count->rows + 1;
	}
	return filled > 0 && agree >= above;
}

/* True when the section does not have the rows it should, and nothing else says so. */
static bool differs(const struct db_count *count)
{
	if (count->indexed < 0 || count->rows < 0)
		return false;
	/* Lines that were broken in two are odd, and told as such. */
	return count->rows < count->indexed || count->rows > count->indexed + count->odd;
}

static void describe(const struct db_count *count, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "its section %s has %lld %s, INDEX_TABLE counts %lld",
				       count->name, (long long)count->rows,
				       text_plural((size_t)count->rows, "row", "rows"),
				       (long long)count->indexed);

	if (count->rows < count->indexed)
		snprintf(out + used, size - used, ": %lld missing",
			 (long long)(count->indexed - count->rows));
}

/* Sections without an attribute of their own share one hole. */
static int tell_facts(struct import *import, const char *first, size_t others, struct err *err)
{
	char text[256];

	if (!first[0])
		return 0;
	if (others == 0)
		snprintf(text, sizeof(text), "%s", first);
	else
		snprintf(text, sizeof(text), "%s; so have %zu more %s other numbers", first, others,
			 text_plural(others, "section", "sections"));
	return import_cut(import, ATTRIBUTE_EXTENDED_PORT_INFO, text, err);
}

static int tell(struct db_csv *csv, struct err *err)
{
	const struct db_index *index = csv->index_table;
	char facts[192] = "";
	size_t others = 0;
	char text[192];
	int rc = 0;

	for (size_t i = 0; i < index->count && rc == 0; i++) {
		const struct db_count *count = &index->counts[i];
		const struct db_section *section = db_section_find(count->name);

		/* Without any LINKS the file says so itself, whatever its index. */
		if (!differs(count) || (!csv->has_links && strcmp(count->name, "LINKS") == 0))
			continue;
		describe(count, text, sizeof(text));
		if (section && section->attribute != ATTRIBUTE_COUNT)
			rc = import_cut(csv->import, section->attribute, text, err);
		else if (facts[0])
			others++;
		else
			memcpy(facts, text, sizeof(facts));
	}
	return rc < 0 ? rc : tell_facts(csv->import, facts, others, err);
}

int db_index_settle(struct db_csv *csv, struct err *err)
{
	struct db_index *index = csv->index_table;
	int rc = 0;

	if (!index)
		return 0;
	if (!index->unsure && csv->odd_rows == 0 && counts_rows(index))
		rc = tell(csv, err);
	index->count = 0;
	index->unsure = false;
	return rc;
}

const struct db_section db_index_sections[] = {
	{"INDEX_TABLE", ATTRIBUTE_COUNT, begin_index, row_index},
	{NULL, ATTRIBUTE_COUNT, NULL, NULL},
};
