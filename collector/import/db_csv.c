/* ibdiagnet2.db_csv: sections, header lines, rows. */
#include "collector/import/db_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/text.h"

#define DETAIL_SIZE 1000

int db_column(const struct db_csv *csv, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < csv->column_count; i++) {
		size_t n;

		for (n = 0; n < length && csv->columns[i][n]; n++) {
			if ((csv->columns[i][n] | 0x20) != (name[n] | 0x20))
				break;
		}
		if (n == length && !csv->columns[i][n])
			return (int)i;
	}
	return -1;
}

void db_extra(struct db_csv *csv, const char *const *names)
{
	for (size_t i = 0; names[i]; i++)
		csv->extra[i] = db_column(csv, names[i]);
}

int db_odd(struct db_csv *csv, const char *reason, struct err *err)
{
	if (csv->odd)
		return 0;
	csv->odd = true;
	csv->odd_rows++;
	return import_odd(csv->import, csv->input, reason, err);
}

int64_t db_number(struct db_csv *csv, int column, int64_t max)
{
	int64_t value;

	if (column < 0)
		return FIELD_UNKNOWN;
	if (!import_parse_cell(csv->cells[column].text, csv->cells[column].length, &value) ||
	    (max != INT64_MAX && value != FIELD_UNKNOWN && (value < 0 || value > max))) {
		struct err err;

		db_odd(csv, "a value is no number or out of its range", &err);
		return FIELD_UNKNOWN;
	}
	return value;
}

uint64_t db_guid(const struct db_csv *csv, int column)
{
	uint64_t guid = 0;

	if (column >= 0)
		import_parse_guid(csv->cells[column].text, csv->cells[column].length, &guid);
	return guid;
}

bool db_is_guid(const struct db_csv *csv, int column)
{
	uint64_t guid;

	return column >= 0 &&
	       import_parse_guid(csv->cells[column].text, csv->cells[column].length, &guid);
}

bool db_nobodys_guid(const struct db_csv *csv, int column)
{
	uint64_t guid;

	return column >= 0 && csv->cells[column].length == 2 + 16 &&
	       guid_parse(csv->cells[column].text, csv->cells[column].length, &guid) &&
	       (guid == 0 || guid == UINT64_MAX);
}

bool db_node_guid(const struct db_csv *csv, uint64_t *ret_guid)
{
	int column = csv->keys.node_guid;
	uint64_t guid;

	if (column < 0)
		return false;
	if (import_parse_guid(csv->cells[column].text, csv->cells[column].length, ret_guid))
		return true;
	if (!guid_parse(csv->cells[column].text, csv->cells[column].length, &guid) ||
	    (guid != 0 && guid != UINT64_MAX) ||
	    (!csv->tells_nodes && !fabric_device_find(import_fabric(csv->import), guid)))
		return false;
	*ret_guid = guid;
	return true;
}

bool db_has(const struct db_csv *csv, int column)
{
	return column >= 0 && !import_is_unknown(csv->cells[column].text, csv->cells[column].length);
}

/* Of several devices with one GUID the one that holds this port GUID. */
static struct device *pick_twin(struct device *first, uint64_t port_guid)
{
	for (struct device *device = first; device && port_guid; device = device->same_guid) {
		for (size_t i = 0; i < device->port_slots; i++) {
			if (device->ports[i] && device->ports[i]->guid == port_guid)
				return device;
		}
	}
	return first;
}

int db_device(struct db_csv *csv, struct device **ret_device, struct err *err)
{
	uint64_t guid;

	*ret_device = NULL;
	if (!db_node_guid(csv, &guid))
		return db_odd(csv, "no node GUID", err);
	*ret_device = import_device(csv->import, guid, NODE_TYPE_UNKNOWN);
	if (!*ret_device)
		return err_no_memory(err);
	if ((*ret_device)->same_guid)
		*ret_device = pick_twin(*ret_device, db_guid(csv, csv->keys.port_guid));
	return 0;
}

int db_port(struct db_csv *csv, struct port **ret_port, struct err *err)
{
	int64_t num = db_number(csv, csv->keys.port, 254);
	struct device *device;
	int rc;

	*ret_port = NULL;
	if (num == FIELD_UNKNOWN)
		return db_odd(csv, "no port number", err);
	rc = db_device(csv, &device, err);
	if (rc < 0 || !device)
		return rc;
	*ret_port = import_port(csv->import, device, (unsigned)num);
	if (!*ret_port)
		return err_no_memory(err);
	import_port_guid(csv->import, *ret_port, db_guid(csv, csv->keys.port_guid));
	return 0;
}

int db_event_of(struct db_csv *csv, uint64_t guid, struct err *err)
{
	struct db_event *events =
		array_grow(csv->events, csv->event_count, &csv->event_room, sizeof(*events));

	if (!events)
		return err_no_memory(err);
	csv->events = events;
	csv->events[csv->event_count++] = (struct db_event){
		.fact = import_fabric(csv->import)->fact_count - 1,
		.guid = guid,
	};
	return 0;
}

static void resolve_events(struct db_csv *csv)
{
	struct fabric *fabric = import_fabric(csv->import);

	for (size_t i = 0; i < csv->event_count; i++) {
		struct fact *fact = &fabric->facts[csv->events[i].fact];

		fact->device = fabric_device_find(fabric, csv->events[i].guid);
		if (!fact->device || !device_port(fact->device, (unsigned)fact->port))
			fact->port = -1;
	}
}

static bool name_matches(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (length && pattern[length - 1] == '*')
		return strncmp(pattern, name, length - 1) == 0;
	return strcmp(pattern, name) == 0;
}

const struct db_section *db_section_find(const char *name)
{
	static const struct db_section *const tables[] = {db_topology_sections, db_table_sections,
							  db_fact_sections, db_index_sections};

	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (const struct db_section *s = tables[t]; s->name; s++) {
			if (name_matches(s->name, name))
				return s;
		}
	}
	return NULL;
}

/* Rows that become facts stand side by side: one that comes again would be a second fact. */
static bool is_of_facts(const struct db_section *section)
{
	for (const struct db_section *s = db_fact_sections; s->name; s++) {
		if (s == section)
			return true;
	}
	return false;
}

static int read_header(struct db_csv *csv, const char *line, size_t length, struct err *err)
{
	struct cell cells[DB_CSV_COLUMNS];
	size_t count = db_split(line, length, cells, DB_CSV_COLUMNS);

	if (count > DB_CSV_COLUMNS) {
		csv->section = NULL;
		return import_odd(csv->import, csv->input, "more columns than any section has", err);
	}
	for (size_t i = 0; i < count; i++) {
		db_unquote(&cells[i]);
		csv->columns[i] = import_intern(csv->import, cells[i].text, cells[i].length);
		if (!csv->columns[i])
			return err_no_memory(err);
	}
	/* A spreadsheet's padding. */
	while (count > 1 && !*csv->columns[count - 1])
		count--;
	csv->column_count = count;
	csv->keys.node_guid = db_column(csv, "NodeGUID");
	csv->keys.port_guid = db_column(csv, "PortGUID");
	csv->keys.port = db_column(csv, "PortNum");
	if (csv->keys.port < 0)
		csv->keys.port = db_column(csv, "PortNumber");
	if (csv->section && csv->section->begin)
		return csv->section->begin(csv, err);
	return 0;
}

static int read_row(struct db_csv *csv, const char *line, size_t length, struct err *err)
{
	int rc;

	csv->odd = false;
	if (csv->headless)
		rc = db_odd(csv, "the section's heading is not there, which names the columns", err);
	else if (!db_take_cells(csv, line, length))
		rc = db_odd(csv, "its cells are not those of the section's heading", err);
	else if (csv->tells_facts && (rc = db_told_before(csv, line, length, err)) != 0)
		rc = rc < 0 ? rc : 0;
	else
		rc = csv->section->row(csv, err);
	if (rc == 0 && !csv->odd)
		import_row(csv->import);
	return rc;
}

/* What stood in rows that were not understood is not absent. */
static int tell_odd_rows(struct db_csv *csv, struct err *err)
{
	char text[128];

	if (csv->odd_rows == 0 || !csv->section || csv->section->attribute == ATTRIBUTE_COUNT)
		return 0;
	snprintf(text, sizeof(text), "%lld %s of its section %s", (long long)csv->odd_rows,
		 text_plural((size_t)csv->odd_rows, "row", "rows"), csv->name);
	return import_unclear(csv->import, csv->section->attribute, text, err);
}

static int section_ended(struct db_csv *csv, int64_t rows, struct err *err)
{
	bool is_index = strcmp(csv->name, "INDEX_TABLE") == 0;

	csv->has_nodes = csv->has_nodes || strcmp(csv->name, "NODES") == 0;
	csv->has_links = csv->has_links || strcmp(csv->name, "LINKS") == 0;
	csv->has_index = csv->has_index || is_index;
	return is_index ? db_index_settle(csv, err) : db_index_note(csv, rows, err);
}

/* The next section's start in this one: rows may have gone with the END_ line. */
static int run_over(struct db_csv *csv, struct err *err)
{
	char text[128];
	int rc = import_odd(csv->import, csv->input, "the section before this line is not ended", err);

	snprintf(text, sizeof(text), "its section %s has no end", csv->name);
	if (rc == 0)
		rc = import_cut(csv->import, ATTRIBUTE_NODE_INFO, text, err);
	input_unread(csv->input);
	return rc < 0 ? rc : 1;
}

/* The end of the file in a section. */
static int break_off(struct db_csv *csv, struct err *err)
{
	char text[128];
	int rc = import_odd(csv->import, csv->input, "the file breaks off in this section", err);

	snprintf(text, sizeof(text), "it breaks off in the section %s%s", csv->name,
		 csv->has_links || strcmp(csv->name, "LINKS") == 0 ? "" :
								      ", in front of all links");
	return rc < 0 ? rc : import_cut(csv->import, ATTRIBUTE_NODE_INFO, text, err);
}

/* A spreadsheet fills each line up with commas. */
static void take_name(char name[64], const char *text, size_t length)
{
	while (length && (text[length - 1] == ',' || text[length - 1] == ' '))
		length--;
	snprintf(name, 64, "%.*s", (int)(length < 64 ? length : 64), text);
}

/* Lines are lost from this section into another: rows of as many columns were taken for its own. */
static int check_name(struct db_csv *csv, const char *text, size_t length, struct err *err)
{
	char name[sizeof(csv->name)];
	char what[200];
	int rc;

	take_name(name, text, length);
	if (strcmp(name, csv->name) == 0)
		return 0;
	snprintf(what, sizeof(what), "its section %s ends as %s in line %lld, so lines between the two are lost",
		 csv->name, name, (long long)input_line_number(csv->input));
	rc = import_odd(csv->import, csv->input, "the end of another section", err);
	return rc < 0 ? rc : import_cut(csv->import, ATTRIBUTE_NODE_INFO, what, err);
}

/* What should stand in the file and does not. */
static int check_whole(struct db_csv *csv, struct err *err)
{
	int rc = 0;

	if (csv->promises_index && !csv->has_index)
		rc = import_cut(csv->import, ATTRIBUTE_NODE_INFO,
				csv->has_links ? "the table of sections that line 1 speaks of is not there" :
						 "it ends in front of its links and of the table of "
						 "sections that line 1 speaks of", err);
	if (rc == 0 && csv->has_nodes && !csv->has_links)
		rc = import_cut(csv->import, ATTRIBUTE_NEIGHBOR,
				"it has no whole section LINKS, so what is behind the ports is not "
				"known from it", err);
	return rc;
}

/* The next line without the blanks around it: an indented paste, an editor's or a table's padding. */
static int next_line(struct db_csv *csv, const char **ret_line, size_t *ret_length, struct err *err)
{
	char *line;
	int rc = input_line(csv->input, &line, ret_length, err);

	if (rc == 1) {
		*ret_line = line;
		import_trim(ret_line, ret_length);
		if (strspn(*ret_line, ", \t") == *ret_length)
			*ret_length = 0;
		line[*ret_line - line + (ptrdiff_t)*ret_length] = '\0';
	}
	return rc;
}

/* Rows of one section up to its END_ line. */
static int read_section(struct db_csv *csv, char *detail, struct err *err)
{
	bool header = false;
	bool ended = false;
	int64_t unplaced = 0;
	int64_t rows = 0;
	const char *line;
	size_t length;
	int rc;

	while ((rc = next_line(csv, &line, &length, err)) == 1) {
		if (strncmp(line, "END_", 4) == 0) {
			ended = true;
			rc = check_name(csv, line + 4, length - 4, err);
			rc = rc < 0 ? rc : 1;
			break;
		}
		if (strncmp(line, "START_", 6) == 0) {
			rc = run_over(csv, err);
			break;
		}
		if (length == 0)
			continue;
		if (!header) {
			header = true;
			csv->headless = csv->section && db_is_row(line, length);
			if (csv->headless && csv->section->begin)
				rc = csv->section->begin(csv, err);
			else if (!csv->headless)
				rc = read_header(csv, line, length, err);
			if (rc < 0)
				return rc;
			if (!csv->headless)
				continue;
		}
		rows++;
		if (!csv->section) {
			unplaced++;
			continue;
		}
		rc = read_row(csv, line, length, err);
		if (rc < 0)
			return rc;
	}
	if (rc >= 0) {
		int noted = ended ? section_ended(csv, rows, err) :
				    db_index_note(csv, rows, err);

		rc = noted < 0 ? noted : rc;
	}
	if (rc >= 0) {
		int told = tell_odd_rows(csv, err);

		rc = told < 0 ? told : rc;
	}
	if (rc == 0)
		rc = break_off(csv, err);
	if (unplaced) {
		size_t used = strlen(detail);

		snprintf(detail + used, DETAIL_SIZE - used, "%s%s %lld",
			 used ? ", " : "rows of sections without a place here: ", csv->name,
			 (long long)unplaced);
	}
	return rc < 0 ? rc : 0;
}

static int read_db_csv(struct import *import, struct input *input, struct err *err)
{
	struct db_csv *csv = calloc(1, sizeof(*csv));
	char detail[DETAIL_SIZE] = "";
	const char *line;
	size_t length;
	int rc;

	if (!csv)
		return err_no_memory(err);
	csv->import = import;
	csv->input = input;
	while ((rc = next_line(csv, &line, &length, err)) == 1) {
		if (strncmp(line, "START_", 6) == 0) {
			take_name(csv->name, line + 6, length - 6);
			csv->section = db_section_find(csv->name);
			csv->tells_nodes = strcmp(csv->name, "NODES") == 0;
			csv->tells_facts = is_of_facts(csv->section);
			csv->column_count = 0;
			csv->odd_rows = 0;
			rc = read_section(csv, detail, err);
		} else if (strncmp(line, "# INDEX_TABLE offset", 20) == 0) {
			csv->promises_index = true;
		} else if (length && line[0] != '#' && strncmp(line, "END_", 4) != 0) {
			rc = import_odd(import, input, "outside any section", err);
		}
		if (rc < 0)
			break;
	}
	if (rc == 0 && detail[0]) {
		import_source(import)->detail = import_intern(import, detail, strlen(detail));
		if (!import_source(import)->detail)
			rc = err_no_memory(err);
	}
	if (rc == 0)
		rc = check_whole(csv, err);
	if (rc == 0)
		resolve_events(csv);
	free(csv->events);
	free(csv->index_table);
	told_rows_free(&csv->told);
	free(csv);
	return rc;
}

/* True when some section's start stands in front of a line with columns. */
static bool has_section(const struct probe *probe)
{
	size_t offset = 0;
	bool start = false;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		if (start && memchr(line, ',', length))
			return true;
		import_trim(&line, &length);
		start = length > 6 && memcmp(line, "START_", 6) == 0;
	}
	return false;
}

static int detect_db_csv(const struct probe *probe)
{
	if (probe_has_line(probe, "START_RUN_INFO") || probe_has_line(probe, "START_NODES"))
		return 95;
	return has_section(probe) || probe_has_line(probe, "# INDEX_TABLE offset") ? 80 : 0;
}

const struct format format_db_csv = {
	.id = "ibdiagnet2.db_csv",
	.title = "ibdiagnet2 database (ibdiagnet2.db_csv)",
	.rank = 90,
	.one_look = true,
	.detect = detect_db_csv,
	.read = read_db_csv,
};
