#include "collector/import/net_table.h"

#include <string.h>

#include "collector/import/scan.h"

/* Spellings of both files and of several releases. */
static const struct {
	const char *name;
	enum net_column column;
} column_names[] = {
	{"Ty", COLUMN_TYPE},
	{"#", COLUMN_LABEL},
	{"IB#", COLUMN_NUMBER},
	{"#IB", COLUMN_NUMBER},
	{"GUID", COLUMN_GUID},
	{"LID", COLUMN_LID},
	{"Sta", COLUMN_STATE},
	{"PhysSta", COLUMN_PHYS},
	{"MTU", COLUMN_MTU},
	{"LWA", COLUMN_WIDTH},
	{"LSA", COLUMN_SPEED},
	{"FEC mode", COLUMN_FEC},
	{"Retran", COLUMN_RETRANS},
	{"RTR", COLUMN_RETRANS},
	{"Neighbor Guid", COLUMN_PEER_GUID},
	{"N#", COLUMN_PEER_LABEL},
	{"NLID", COLUMN_PEER_LID},
	{"Neighbor Description", COLUMN_PEER_DESCRIPTION},
	{"Raw BER", COLUMN_RAW_BER},
	{"Effective BER", COLUMN_EFFECTIVE_BER},
	{"Symbol BER", COLUMN_SYMBOL_BER},
	{"Symbol Err", COLUMN_SYMBOL_ERRORS},
	{"Effective Err", COLUMN_EFFECTIVE_ERRORS},
	{"Node Desc", COLUMN_DESCRIPTION},
};

/* Cells of a line, the last one taking the rest; returns how many. */
static size_t split(const char *line, size_t length, struct net_cell *cells, size_t max)
{
	struct scan scan = scan_of(line, length);
	size_t count = 0;

	while (count < max) {
		const char *colon = count + 1 < max ? scan_find(&scan, " :") : NULL;

		cells[count].text = scan.at;
		cells[count].length = (size_t)((colon ? colon : scan.end) - scan.at);
		import_trim(&cells[count].text, &cells[count].length);
		count++;
		if (!colon)
			break;
		scan.at = colon + 2;
	}
	return count;
}

bool net_is_heading(const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);

	return scan_find(&scan, "Sta ") && scan_find(&scan, "LWA") && scan_find(&scan, " : ");
}

bool net_table_heading(struct net_table *table, const char *line, size_t length)
{
	struct net_cell cells[NET_CELLS_MAX];
	int *last;

	table->cell_count = split(line, length, cells, NET_CELLS_MAX);
	for (size_t i = 0; i < table->cell_count; i++) {
		table->column_of[i] = -1;
		for (size_t n = 0; n < sizeof(column_names) / sizeof(column_names[0]); n++) {
			const char *name = column_names[n].name;

			if (strlen(name) == cells[i].length &&
			    memcmp(name, cells[i].text, cells[i].length) == 0)
				table->column_of[i] = (int)column_names[n].column;
		}
	}
	if (table->cell_count > 0 && table->column_of[0] < 0)
		table->cell_count = 0;
	if (table->cell_count == 0)
		return false;
	last = &table->column_of[table->cell_count - 1];
	table->cut = *last != COLUMN_DESCRIPTION && *last != COLUMN_PEER_DESCRIPTION;
	if (table->cut)
		*last = -1;
	return true;
}

bool net_table_row(struct net_table *table, const char *line, size_t length)
{
	struct net_cell cells[NET_CELLS_MAX];

	if (table->cell_count == 0 ||
	    split(line, length, cells, table->cell_count) != table->cell_count)
		return false;
	memset(table->cell, 0, sizeof(table->cell));
	for (size_t i = 0; i < table->cell_count; i++) {
		if (table->column_of[i] >= 0)
			table->cell[table->column_of[i]] = cells[i];
	}
	return true;
}

int64_t net_port_state(const struct net_cell *cell)
{
	static const struct {
		const char *word;
		int64_t state;
	} states[] = {{"act", 4}, {"arm", 3}, {"ini", 2}, {"init", 2}, {"down", 1}, {"dwn", 1}};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (import_is_word(cell->text, cell->length, states[i].word))
			return states[i].state;
	}
	return FIELD_UNKNOWN;
}

int64_t net_phys_state(const struct net_cell *cell)
{
	static const struct {
		const char *word;
		int64_t state;
	} states[] = {{"sleep", 1},    {"poll", 2},	{"polling", 2},	   {"disable", 3},
		      {"disabled", 3}, {"train", 4},	{"training", 4},   {"port conf", 4},
		      {"link up", 5},  {"linkup", 5},	{"link err rec", 6}, {"phy test", 7},
		      {"phytest", 7}};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (import_is_word(cell->text, cell->length, states[i].word))
			return states[i].state;
	}
	return FIELD_UNKNOWN;
}

int64_t net_number(const struct net_cell *cell, uint64_t max)
{
	struct scan scan;
	uint64_t value;

	if (!cell->text)
		return FIELD_UNKNOWN;
	scan = scan_of(cell->text, cell->length);
	return scan_number(&scan, &value) && value <= max && (scan_done(&scan) || *scan.at == ' ') ?
		       (int64_t)value : FIELD_UNKNOWN;
}

enum node_type net_node_type(const struct net_cell *cell)
{
	if (!cell->text)
		return NODE_TYPE_UNKNOWN;
	if (import_is_word(cell->text, cell->length, "sw"))
		return NODE_TYPE_SWITCH;
	if (import_is_word(cell->text, cell->length, "ca"))
		return NODE_TYPE_CA;
	return import_is_word(cell->text, cell->length, "rt") ? NODE_TYPE_ROUTER : NODE_TYPE_UNKNOWN;
}
