/*
 * The parts of ibdiagnet2.db_csv's reader: sections of comma-separated rows,
 * columns found by the header's names without case, never by position.
 */
#ifndef COLLECTOR_IMPORT_DB_CSV_H
#define COLLECTOR_IMPORT_DB_CSV_H

#include "collector/import/format.h"
#include "collector/import/told_rows.h"

#define DB_CSV_COLUMNS 512	/* of one section; real ones have below 100 */

struct db_csv;

struct cell {
	const char *text;	/* blanks and quotes taken off; not ended by a NUL */
	size_t length;
};

/* What is done with one kind of section. */
struct db_section {
	const char *name;	/* "NODES"; a last '*' stands for any rest */
	/* What is not known when its rows were not understood; ATTRIBUTE_COUNT: nothing that a rule asks for. */
	enum attribute attribute;
	/* Looks up columns in csv->columns; NULL: nothing to prepare. 0 or ERR_NOMEM. */
	int (*begin)(struct db_csv *csv, struct err *err);
	int (*row)(struct db_csv *csv, struct err *err);
};

/* Columns that many sections share, by index, or -1. */
struct db_keys {
	int node_guid;
	int port_guid;
	int port;
};

/* A fact whose device is known when the file has been read. */
struct db_event {
	size_t fact;		/* in fabric->facts */
	uint64_t guid;
};

struct db_csv {
	struct import *import;
	struct input *input;
	const struct db_section *section;	/* NULL: rows have no place here */
	char name[64];				/* of the section; "" between sections */
	char *columns[DB_CSV_COLUMNS];		/* header names as written, interned */
	struct cell cells[DB_CSV_COLUMNS];	/* the row; as many as there are columns */
	size_t column_count;
	struct db_keys keys;
	int extra[16];				/* the section's own: columns found once by db_extra */
	int index[DB_CSV_COLUMNS];		/* the section's own: column of each row of its table */
	const struct field *field[DB_CSV_COLUMNS];	/* the section's own */
	struct told_rows told;			/* rows that became facts */
	struct db_event *events;
	size_t event_count;
	size_t event_room;
	bool tells_nodes;			/* the section is NODES */
	bool tells_facts;			/* it is one of db_fact_sections */
	bool odd;				/* the row was counted as not understood */
	bool headless;				/* the section's first line is a row: nothing tells its columns */
	int64_t odd_rows;			/* of the section */
	bool has_nodes, has_links;		/* sections that came to their END_ line */
	bool has_index;				/* the table of sections at the end */
	bool promises_index;			/* the first line names its place */
	struct db_index *index_table;		/* sections so far, or NULL */
};

/* Sections that have a place, ended by a row without name. */
extern const struct db_section db_topology_sections[];
extern const struct db_section db_table_sections[];
extern const struct db_section db_fact_sections[];
extern const struct db_section db_index_sections[];

/* What is done with a section of this name, or NULL. */
const struct db_section *db_section_find(const char *name);

/* Index of the column (any case), or -1. */
int db_column(const struct db_csv *csv, const char *name);

/* Looks the columns up into csv->extra[0..]; names ends with a NULL. */
void db_extra(struct db_csv *csv, const char *const *names);

/* The cells of a line, quotes still on, at most `max`; returns how many there are, max + 1 for more. */
size_t db_split(const char *line, size_t length, struct cell *cells, size_t max);

void db_unquote(struct cell *cell);

/* Takes the line's cells into csv->cells; false: they cannot be told to be those of the heading. */
bool db_take_cells(struct db_csv *csv, const char *line, size_t length);

/* True for a line of values: names of columns have no quotes and are no numbers. */
bool db_is_row(const char *line, size_t length);

/* The cell as a number: its value, FIELD_UNKNOWN for "no value", no column (-1) or no number (then the row is odd). */
int64_t db_number(struct db_csv *csv, int column, int64_t max);

/* The cell as a GUID; 0 when it is none. */
uint64_t db_guid(const struct db_csv *csv, int column);

/*
 * The row's node GUID. One that is nobody's (0, all ones) names a device only in
 * NODES, where a device that answers with it is told, and where one was told there.
 */
bool db_node_guid(const struct db_csv *csv, uint64_t *ret_guid);

/* True when the cell is 0 or all ones, written out: a GUID that was answered and is nobody's. */
bool db_nobodys_guid(const struct db_csv *csv, int column);

/* True when the cell is a GUID. */
bool db_is_guid(const struct db_csv *csv, int column);

/* True when the cell says something other than N/A and its like. */
bool db_has(const struct db_csv *csv, int column);

/*
 * The device of this row by its node GUID; among several with that GUID the
 * one that has the row's port GUID. NULL with 0: the row has no GUID and is
 * odd; NULL with an error code: no memory.
 */
int db_device(struct db_csv *csv, struct device **ret_device, struct err *err);

/* The same for the port; port GUID noted. */
int db_port(struct db_csv *csv, struct port **ret_port, struct err *err);

/* 1 when the section, or for an event another file's, had this very row before, else 0 and noted; or ERR_NOMEM. */
int db_told_before(struct db_csv *csv, const char *line, size_t length, struct err *err);

/* The newest fact is about the device with this GUID, if the file has it. 0 or ERR_NOMEM. */
int db_event_of(struct db_csv *csv, uint64_t guid, struct err *err);

/* The section ended with that many rows, understood or not, for INDEX_TABLE to be held against. 0 or ERR_NOMEM. */
int db_index_note(struct db_csv *csv, int64_t rows, struct err *err);

/* INDEX_TABLE came to its end: says which sections do not have the rows it counts. 0 or ERR_NOMEM. */
int db_index_settle(struct db_csv *csv, struct err *err);

/* Marks the row as not understood, once. 0 or ERR_NOMEM. */
int db_odd(struct db_csv *csv, const char *reason, struct err *err);

#endif
