/*
 * ibdiagnet2.net_dump (a table for each switch) and .net_dump_ext (one table for
 * all): cells between colons, columns found by the heading's names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/ibdiagnet_text.h"
#include "collector/import/net_links.h"
#include "collector/import/scan.h"
#include "store/text.h"

enum column {
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

/* Spellings of both files and of several releases. */
static const struct {
	const char *name;
	enum column column;
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

#define CELLS_MAX 64

struct text {
	const char *text;
	size_t length;
};

struct net_dump {
	struct import *import;
	struct device *device;		/* of the block; NULL in .net_dump_ext */
	int column_of[CELLS_MAX];	/* enum column of each cell, or -1 */
	size_t cell_count;		/* 0: no heading yet */
	struct text cell[COLUMN_COUNT];	/* of the row; text NULL: no such column */
	struct net_links links;
};

/* Cells of a line, the last one taking the rest; returns how many. */
static size_t split(const char *line, size_t length, struct text *cells, size_t max)
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

static bool is_heading(const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);

	return scan_find(&scan, "Sta ") && scan_find(&scan, "LWA") && scan_find(&scan, " : ");
}

static void read_heading(struct net_dump *dump, const char *line, size_t length)
{
	struct text cells[CELLS_MAX];

	dump->cell_count = split(line, length, cells, CELLS_MAX);
	for (size_t i = 0; i < dump->cell_count; i++) {
		dump->column_of[i] = -1;
		for (size_t n = 0; n < sizeof(column_names) / sizeof(column_names[0]); n++) {
			const char *name = column_names[n].name;

			if (strlen(name) == cells[i].length &&
			    memcmp(name, cells[i].text, cells[i].length) == 0)
				dump->column_of[i] = (int)column_names[n].column;
		}
	}
}

/* `"desc", Mellanox, 0x..., LID 24`: the switch whose table follows; 1: not such. */
static int read_title(struct net_dump *dump, const char *line, size_t length, struct err *err)
{
	struct scan scan = scan_of(line, length);
	const char *quote;
	const char *lid_at;
	struct port *port0;
	uint64_t guid;
	uint64_t lid;
	int rc;

	dump->device = NULL;
	if (!scan_char(&scan, '"') || !(quote = scan_find_last(&scan, "\", ")))
		return 1;
	lid_at = scan_find_last(&scan, ", LID ");
	if (!lid_at || lid_at < quote)
		return 1;
	scan.at = quote + 3;
	scan.end = lid_at;
	scan.at = scan_find_last(&scan, "0x");
	if (!scan.at || !scan_hex(&scan, &guid))
		return 1;
	dump->device = import_device(dump->import, guid, NODE_TYPE_SWITCH);
	port0 = dump->device ? import_port(dump->import, dump->device, 0) : NULL;
	if (!port0)
		return err_no_memory(err);
	import_port_guid(dump->import, port0, guid);
	rc = import_description(dump->import, dump->device, line + 1, (size_t)(quote - line - 1),
				err);
	if (rc == 0 && import_parse_u64(lid_at + 6, length - (size_t)(lid_at + 6 - line), &lid) &&
	    lid <= INT64_MAX)
		rc = IMPORT_PORT(dump->import, port0, lid, (int64_t)lid, err);
	return rc;
}

static int64_t state_of(const struct text *cell)
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

static int64_t phys_of(const struct text *cell)
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

/* A number in front of whatever stands behind it: "185  (0xb9 )". */
static int64_t leading_number(const struct text *cell, uint64_t max)
{
	struct scan scan;
	uint64_t value;

	if (!cell->text)
		return FIELD_UNKNOWN;
	scan = scan_of(cell->text, cell->length);
	return scan_number(&scan, &value) && value <= max ? (int64_t)value : FIELD_UNKNOWN;
}

/* The port of this row; *ret_port NULL: the row names none. */
static int row_port(struct net_dump *dump, struct port **ret_port, struct err *err)
{
	int64_t num = leading_number(&dump->cell[COLUMN_NUMBER], 254);
	const struct text *guid_cell = &dump->cell[COLUMN_GUID];
	uint64_t guid;

	*ret_port = NULL;
	if (num == FIELD_UNKNOWN)
		return 0;
	if (guid_cell->text) {
		if (!guid_parse(guid_cell->text, guid_cell->length, &guid))
			return 0;
		*ret_port = ibdiagnet_port(dump->import, guid, (unsigned)num);
	} else if (dump->device) {
		*ret_port = import_port(dump->import, dump->device, (unsigned)num);
	} else {
		return 0;
	}
	return *ret_port ? 0 : err_no_memory(err);
}

static int row_fields(struct net_dump *dump, struct port *port, struct err *err)
{
	const struct text *cell = dump->cell;
	int64_t mtu = leading_number(&cell[COLUMN_MTU], 15);
	int64_t lanes;
	int64_t code;
	int rc = 0;

	if (cell[COLUMN_STATE].text)
		rc = IMPORT_PORT(dump->import, port, port_state, state_of(&cell[COLUMN_STATE]), err);
	if (rc == 0 && cell[COLUMN_PHYS].text)
		rc = IMPORT_PORT(dump->import, port, port_phys_state, phys_of(&cell[COLUMN_PHYS]),
				 err);
	if (rc == 0 && mtu != FIELD_UNKNOWN)
		rc = IMPORT_PORT(dump->import, port, neighbor_mtu, mtu_of_code((unsigned)mtu), err);
	if (rc == 0 && cell[COLUMN_WIDTH].text &&
	    import_parse_width(cell[COLUMN_WIDTH].text, cell[COLUMN_WIDTH].length, &lanes))
		rc = IMPORT_PORT(dump->import, port, link_width_active, lanes, err);
	if (rc == 0 && cell[COLUMN_SPEED].text &&
	    import_parse_speed(cell[COLUMN_SPEED].text, cell[COLUMN_SPEED].length, &code))
		rc = import_port_speed(dump->import, port, code, err);
	if (rc == 0 && cell[COLUMN_LID].text) {
		struct port *owner = port_is_end_port(port) ? port
							    : import_port(dump->import, port->device, 0);

		if (!owner)
			return err_no_memory(err);
		rc = IMPORT_PORT(dump->import, owner, lid,
				 leading_number(&cell[COLUMN_LID], INT64_MAX), err);
	}
	import_port_read(dump->import, port, ATTRIBUTE_PORT_INFO);
	return rc;
}

static int row_facts(struct net_dump *dump, const struct port *port, struct err *err)
{
	static const struct {
		enum column column;
		const char *section;
		const char *key;
	} facts[] = {
		{COLUMN_LABEL, "port", "label"},
		{COLUMN_FEC, "port", "FEC mode"},
		{COLUMN_RAW_BER, "phy", "Raw BER"},
		{COLUMN_EFFECTIVE_BER, "phy", "Effective BER"},
		{COLUMN_SYMBOL_BER, "phy", "Symbol BER"},
		{COLUMN_SYMBOL_ERRORS, "phy", "Symbol Err"},
		{COLUMN_EFFECTIVE_ERRORS, "phy", "Effective Err"},
	};

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		const struct text *cell = &dump->cell[facts[i].column];
		int rc;

		if (!cell->text || import_is_unknown(cell->text, cell->length))
			continue;
		rc = import_fact(dump->import, port->device, port->num, facts[i].section,
				 facts[i].key, cell->text, cell->length, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Notes the row's own label and its neighbour. */
static int row_links(struct net_dump *dump, struct port *port, struct err *err)
{
	const struct text *label = &dump->cell[COLUMN_LABEL];
	const struct text *peer = &dump->cell[COLUMN_PEER_GUID];
	const struct text *peer_label = &dump->cell[COLUMN_PEER_LABEL];
	uint64_t guid;
	int rc = 0;

	if (label->text && label->length)
		rc = net_links_label(&dump->links, dump->import, port, label->text, label->length, err);
	if (rc == 0 && peer->text && guid_parse(peer->text, peer->length, &guid))
		rc = net_links_add(&dump->links, dump->import, port, guid, peer_label->text,
				   peer_label->length,
				   leading_number(&dump->cell[COLUMN_PEER_LID], 0xffff), err);
	return rc;
}

static void strip_quotes(struct text *text)
{
	if (text->length >= 2 && text->text[0] == '"' && text->text[text->length - 1] == '"') {
		text->text++;
		text->length -= 2;
	}
}

/* The type that the first column gives. */
static enum node_type type_of(const struct text *cell)
{
	if (!cell->text)
		return NODE_TYPE_UNKNOWN;
	if (import_is_word(cell->text, cell->length, "sw"))
		return NODE_TYPE_SWITCH;
	if (import_is_word(cell->text, cell->length, "ca"))
		return NODE_TYPE_CA;
	return import_is_word(cell->text, cell->length, "rt") ? NODE_TYPE_ROUTER : NODE_TYPE_UNKNOWN;
}

/* 1: the line is no row of the table. */
static int read_row(struct net_dump *dump, const char *line, size_t length, struct err *err)
{
	struct text cells[CELLS_MAX];
	struct text *description = &dump->cell[COLUMN_DESCRIPTION];
	struct port *port;
	int rc;

	if (dump->cell_count == 0 ||
	    split(line, length, cells, dump->cell_count) != dump->cell_count)
		return 1;
	memset(dump->cell, 0, sizeof(dump->cell));
	for (size_t i = 0; i < dump->cell_count; i++) {
		if (dump->column_of[i] >= 0)
			dump->cell[dump->column_of[i]] = cells[i];
	}
	rc = row_port(dump, &port, err);
	if (rc < 0 || !port)
		return rc < 0 ? rc : 1;
	if (port->device->type == NODE_TYPE_UNKNOWN)
		port->device->type = type_of(&dump->cell[COLUMN_TYPE]);
	rc = row_fields(dump, port, err);
	if (rc == 0)
		rc = row_facts(dump, port, err);
	if (rc == 0)
		rc = row_links(dump, port, err);
	if (rc == 0 && description->text && description->length) {
		strip_quotes(description);
		rc = import_description(dump->import, port->device, description->text,
					description->length, err);
	}
	return rc;
}

static int read_lines(struct net_dump *dump, struct input *input, struct err *err)
{
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		if (is_heading(line, length)) {
			read_heading(dump, line, length);
			continue;
		}
		if (ibdiagnet_comment(dump->import, line, length))
			continue;
		rc = line[0] == '"' ? read_title(dump, line, length, err)
				    : read_row(dump, line, length, err);
		if (rc == 1)
			rc = import_odd(dump->import, input, "no row of this table", err);
		else if (rc == 0)
			import_row(dump->import);
		if (rc < 0)
			return rc;
	}
	return rc;
}

static int read_net_dump(struct import *import, struct input *input, struct err *err)
{
	struct net_dump dump = {.import = import};
	int rc;

	import_asked(import, ATTRIBUTE_NEIGHBOR);
	rc = read_lines(&dump, input, err);
	if (rc == 0)
		rc = net_links_settle(&dump.links, import, err);
	net_links_free(&dump.links);
	return rc;
}

static bool heading_has(const struct probe *probe, const char *name)
{
	size_t offset = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);

		if (is_heading(line, length) && scan_find(&scan, name))
			return true;
	}
	return false;
}

static int detect_net_dump(const struct probe *probe)
{
	return heading_has(probe, "Neighbor Guid") ? 90 : 0;
}

static int detect_net_dump_ext(const struct probe *probe)
{
	return heading_has(probe, "Conn LID") ? 90 : 0;
}

const struct format format_net_dump = {
	.id = "ibdiagnet2.net_dump",
	.title = "ibdiagnet2 ports of the switches (ibdiagnet2.net_dump)",
	.rank = 60,
	.detect = detect_net_dump,
	.read = read_net_dump,
};

const struct format format_net_dump_ext = {
	.id = "ibdiagnet2.net_dump_ext",
	.title = "ibdiagnet2 ports with their error rates (ibdiagnet2.net_dump_ext)",
	.rank = 55,
	.late = true,
	.detect = detect_net_dump_ext,
	.read = read_net_dump,
};
