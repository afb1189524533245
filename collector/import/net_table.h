/*
 * The table of .net_dump and .net_dump_ext: cells between colons, columns found
 * by the heading's names.
 */
#ifndef COLLECTOR_IMPORT_NET_TABLE_H
#define COLLECTOR_IMPORT_NET_TABLE_H

#include "collector/import/format.h"

enum net_column {
	COLUMN_TYPE,
	COLUMN_LABEL,
	COLUMN_NUMBER,
	COLUMN_GUID,
	COLUMN_LID,
	COLUMN_STATE,
	COLUMN_PHYS,
	COLUMN_MTU,
	COLUMN_WIDTH,
	COLUMN_SPEED,
	COLUMN_FEC,
	COLUMN_RETRANS,
	COLUMN_PEER_GUID,
	COLUMN_PEER_LABEL,
	COLUMN_PEER_LID,
	COLUMN_PEER_DESCRIPTION,
	COLUMN_RAW_BER,
	COLUMN_EFFECTIVE_BER,
	COLUMN_SYMBOL_BER,
	COLUMN_SYMBOL_ERRORS,
	COLUMN_EFFECTIVE_ERRORS,
	COLUMN_DESCRIPTION,
	COLUMN_COUNT
};

#define NET_CELLS_MAX 64

struct net_cell {
	const char *text;
	size_t length;
};

struct net_table {
	int column_of[NET_CELLS_MAX];	/* enum net_column of each cell, or -1 */
	size_t cell_count;		/* 0: no heading yet, or none that is understood */
	bool cut;			/* the heading does not end with the descriptions, which end every line */
	struct net_cell cell[COLUMN_COUNT];	/* of the row; text NULL: no such column */
};

bool net_is_heading(const char *line, size_t length);

/*
 * Takes the columns from the heading. Of a heading that is cut the last column is not
 * used, as its rows' last values may be cut as well. False: its first column has no
 * known name, and no row is one.
 */
bool net_table_heading(struct net_table *table, const char *line, size_t length);

/* Fills the cells from a row. False: it has not as many as the heading. */
bool net_table_row(struct net_table *table, const char *line, size_t length);

/* A cell's words; FIELD_UNKNOWN and NODE_TYPE_UNKNOWN where they are none. */
int64_t net_port_state(const struct net_cell *cell);
int64_t net_phys_state(const struct net_cell *cell);
enum node_type net_node_type(const struct net_cell *cell);
/* A number in front of whatever stands behind it: "185  (0xb9 )". */
int64_t net_number(const struct net_cell *cell, uint64_t max);

#endif
