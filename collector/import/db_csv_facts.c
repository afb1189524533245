/* Sections of ibdiagnet2.db_csv without columns of their own here: kept as facts. */
#include <string.h>

#include <xxhash.h>

#include "collector/import/db_csv.h"

static bool is_of_events(const char *section)
{
	return strncmp(section, "WARNINGS_", 9) == 0 || strncmp(section, "ERRORS_", 7) == 0;
}

int db_told_before(struct db_csv *csv, const char *line, size_t length, struct err *err)
{
	uint64_t hash = fabric_hash(import_fabric(csv->import), 0);
	int rc;

	hash = XXH3_64bits_withSeed(csv->name, strlen(csv->name), hash);
	hash = XXH3_64bits_withSeed(line, length, hash);
	rc = told_rows_add(&csv->told, hash, err);
	/* Those of two files stand side by side: the same one would be told twice. */
	return rc == 0 && is_of_events(csv->name) ? told_rows_add(import_events(csv->import), hash, err)
						  : rc;
}

/* Which fact section the rows of a file's section become, and what of them is left out. */
struct fact_section {
	const char *name;
	const char *section;
	const char *index;	/* column that tells rows of one port apart ("VPortIndex"), or NULL */
	bool sparse;		/* 0 says nothing: not supported, not changed, not counted */
};

static const struct fact_section fact_sections[] = {
	{"TEMP_SENSING", "temperature", NULL, false},
	{"CABLE_INFO", "cable", NULL, false},
	{"PORT_HIERARCHY_INFO", "hierarchy", NULL, false},
	{"PHYSICAL_HIERARCHY_INFO", "hierarchy", NULL, false},
	{"AR_INFO", "adaptive-routing", NULL, false},
	{"ROUTERS_INFO", "router", NULL, false},
	{"ROUTERS_ADJ_SITE_LOCAL_SUBNETS_TABLE", "router-adjacent", "RecordNum", false},
	{"ROUTERS_NEXT_HOP_TABLE", "router-next-hop", "RecordNum", false},
	{"VNODES", "vnode", "VPortIndex", false},
	{"VPORTS", "vport", "VPortIndex", false},
	{"FEC_MODE", "fec", NULL, true},
	{"PORT_INFO_EXTENDED", "fec", NULL, true},
	{"PM_DELTA", "counter-delta", NULL, true},
	{"RN_COUNTERS", "adaptive-routing", NULL, true},
	{"HBF_PORT_COUNTERS", "adaptive-routing", NULL, true},
	{NULL, NULL, NULL, false},
};

static const struct fact_section *section_of(const struct db_csv *csv)
{
	const struct fact_section *section = fact_sections;

	while (section->name && strcmp(section->name, csv->name) != 0)
		section++;
	return section;
}

/* Keys are never kept, whatever the section. P_Keys are no secret. */
static bool is_secret(const char *column)
{
	size_t length = strlen(column);

	return length >= 3 && import_is_word(column + length - 3, 3, "key") &&
	       !import_is_word(column, length, "pkey") && !import_is_word(column, length, "p_key");
}

/* csv->index[i] is 1 where column i becomes a fact. */
static int begin_facts(struct db_csv *csv, struct err *err)
{
	const struct fact_section *section = section_of(csv);
	static const char *const in_label[] = {"ASIC", "Cage", "Port", "Split"};

	(void)err;
	for (size_t i = 0; i < csv->column_count; i++)
		csv->index[i] = !is_secret(csv->columns[i]);
	if (csv->keys.node_guid >= 0)
		csv->index[csv->keys.node_guid] = 0;
	if (csv->keys.port_guid >= 0)
		csv->index[csv->keys.port_guid] = 0;
	if (csv->keys.port >= 0)
		csv->index[csv->keys.port] = 0;
	csv->extra[1] = db_column(csv, "Label");
	for (size_t i = 0; csv->extra[1] >= 0 && i < sizeof(in_label) / sizeof(in_label[0]); i++) {
		int column = db_column(csv, in_label[i]);

		if (column >= 0)
			csv->index[column] = 0;
	}
	csv->extra[0] = section->index ? db_column(csv, section->index) : -1;
	if (csv->extra[0] >= 0)
		csv->index[csv->extra[0]] = 0;
	return 0;
}

/* The key of a fact: the column, behind it the number of the row where a port has several. */
static const char *fact_key(struct db_csv *csv, size_t column, char *out, size_t size)
{
	const struct cell *cell;
	size_t length = strlen(csv->columns[column]);

	if (csv->extra[0] < 0)
		return csv->columns[column];
	cell = &csv->cells[csv->extra[0]];
	if (length + cell->length + 2 > size)
		return csv->columns[column];
	memcpy(out, csv->columns[column], length);
	out[length] = ' ';
	memcpy(out + length + 1, cell->text, cell->length);
	out[length + 1 + cell->length] = '\0';
	return out;
}

/* 0, and the all ones that stand for "not counted" (0xfffffffffffffffe too). */
static bool says_nothing(const struct cell *cell)
{
	uint64_t value;

	return import_parse_u64(cell->text, cell->length, &value) &&
	       (value == 0 || value >= UINT64_MAX - 1);
}

static int row_facts(struct db_csv *csv, struct err *err)
{
	const struct fact_section *section = section_of(csv);
	struct device *device;
	int64_t num;
	char key[160];
	int rc = db_device(csv, &device, err);

	if (rc < 0 || !device)
		return rc;
	/* A label makes no port: those that nothing else tells of stay unknown. */
	num = db_number(csv, csv->keys.port, 254);
	for (size_t i = 0; i < csv->column_count && rc == 0; i++) {
		if (!csv->index[i] || !db_has(csv, (int)i) ||
		    (section->sparse && says_nothing(&csv->cells[i])))
			continue;
		if ((int)i == csv->extra[1] && num != FIELD_UNKNOWN)
			rc = import_fact(csv->import, device, (int)num, "port", "label",
					 csv->cells[i].text, csv->cells[i].length, err);
		else
			rc = import_fact(csv->import, device, num == FIELD_UNKNOWN ? -1 : (int)num,
					 section->section, fact_key(csv, i, key, sizeof(key)),
					 csv->cells[i].text, csv->cells[i].length, err);
	}
	return rc;
}

static int begin_events(struct db_csv *csv, struct err *err)
{
	static const char *const names[] = {"EventName", "Summary", NULL};

	(void)err;
	db_extra(csv, names);
	return 0;
}

/*
 * What ibdiagnet itself complained about: the key is its event. These sections
 * may stand in front of NODES, so the device is looked up at the file's end.
 */
static int row_events(struct db_csv *csv, struct err *err)
{
	bool error = strncmp(csv->name, "ERRORS", 6) == 0;
	uint64_t guid = db_guid(csv, csv->keys.node_guid);
	int64_t num = db_number(csv, csv->keys.port, 254);
	char key[96] = "event";
	int summary = csv->extra[1];
	int rc;

	if (summary < 0)
		return db_odd(csv, "no Summary column", err);
	if (csv->extra[0] >= 0 && csv->cells[csv->extra[0]].length < sizeof(key)) {
		memcpy(key, csv->cells[csv->extra[0]].text, csv->cells[csv->extra[0]].length);
		key[csv->cells[csv->extra[0]].length] = '\0';
	}
	/* Events of a whole device bear port 0. */
	rc = import_fact(csv->import, NULL, num > 0 ? (int)num : -1,
			 error ? "ibdiagnet-error" : "ibdiagnet-warning", key,
			 csv->cells[summary].text, csv->cells[summary].length, err);
	if (rc == 0 && guid != 0)
		rc = db_event_of(csv, guid, err);
	return rc;
}

/* True when a command line holds a key. */
static bool names_key(const struct cell *cell)
{
	for (size_t i = 0; i + 3 <= cell->length; i++) {
		if (import_is_word(cell->text + i, 3, "key"))
			return true;
	}
	return false;
}

static int row_run_info(struct db_csv *csv, struct err *err)
{
	int date = db_column(csv, "Date");
	int64_t taken_at;
	int rc = 0;

	if (date >= 0 &&
	    import_parse_time(csv->cells[date].text, csv->cells[date].length, &taken_at))
		import_taken_at(csv->import, taken_at);
	else if (db_has(csv, date))
		rc = db_odd(csv, "the date is none", err);
	for (size_t i = 0; i < csv->column_count && rc == 0; i++) {
		if (db_has(csv, (int)i) && !names_key(&csv->cells[i]))
			rc = import_fact(csv->import, NULL, -1, "run", csv->columns[i],
					 csv->cells[i].text, csv->cells[i].length, err);
	}
	return rc;
}

const struct db_section db_fact_sections[] = {
	{"RUN_INFO", ATTRIBUTE_COUNT, NULL, row_run_info},
	{"TEMP_SENSING", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"CABLE_INFO", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"PORT_HIERARCHY_INFO", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"PHYSICAL_HIERARCHY_INFO", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"AR_INFO", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"ROUTERS_INFO", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"ROUTERS_ADJ_SITE_LOCAL_SUBNETS_TABLE", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"ROUTERS_NEXT_HOP_TABLE", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"VNODES", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"VPORTS", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"FEC_MODE", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"PORT_INFO_EXTENDED", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"PM_DELTA", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"RN_COUNTERS", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"HBF_PORT_COUNTERS", ATTRIBUTE_COUNT, begin_facts, row_facts},
	{"WARNINGS_*", ATTRIBUTE_COUNT, begin_events, row_events},
	{"ERRORS_*", ATTRIBUTE_COUNT, begin_events, row_events},
	{NULL, ATTRIBUTE_COUNT, NULL, NULL},
};
