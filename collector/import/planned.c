/*
 * Cabling somebody planned; kept as a plan, names as written, never as a fabric.
 *
 * The NDT table of UFM: a CSV with a heading whose names tell the columns,
 *   #StartDevice,StartPort,EndDevice,EndPort,LinkType
 *
 * and ibdm's .topo: a system a block, a cable a line, speed and width optional:
 *   MTS800 SW_L2_1
 *      P1 -4x-5G-> Gnu L1_1 M/P1
 *
 * Source: ibutils ibdm/doc (topology file); UFM NDT plugin.
 */
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/scan.h"
#include "collector/import/trouble.h"

#define COLUMNS_MAX 64

struct cell {
	const char *text;
	size_t length;
};

enum column {
	START_DEVICE,
	START_PORT,
	END_DEVICE,
	END_PORT,
	COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {"startdevice", "startport", "enddevice",
						       "endport"};

/* Cells of a line, quotes taken off, blanks trimmed. */
static size_t split_cells(const char *line, size_t length, struct cell *cells)
{
	size_t count = 0;
	size_t start = 0;
	bool quoted = false;

	for (size_t i = 0; i <= length && count < COLUMNS_MAX; i++) {
		struct cell *cell = &cells[count];

		if (i < length && line[i] == '"')
			quoted = !quoted;
		if (i < length && (line[i] != ',' || quoted))
			continue;
		cell->text = line + start;
		cell->length = i - start;
		import_trim(&cell->text, &cell->length);
		if (cell->length >= 2 && cell->text[0] == '"' &&
		    cell->text[cell->length - 1] == '"') {
			cell->text++;
			cell->length -= 2;
		}
		count++;
		start = i + 1;
	}
	return count;
}

/* Places of the columns named in a heading, and how many it has; false: it is none. */
static bool read_heading(const char *line, size_t length, int columns[COLUMN_COUNT],
			 size_t *ret_count)
{
	struct cell cells[COLUMNS_MAX];
	int found[COLUMN_COUNT];
	size_t count;

	while (length > 0 && (*line == '#' || *line == ' ')) {
		line++;
		length--;
	}
	count = split_cells(line, length, cells);
	for (int c = 0; c < COLUMN_COUNT; c++) {
		found[c] = -1;
		for (size_t i = 0; i < count; i++) {
			if (import_is_word(cells[i].text, cells[i].length, column_names[c]))
				found[c] = (int)i;
		}
		if (found[c] < 0)
			return false;
	}
	memcpy(columns, found, sizeof(found));
	*ret_count = count;
	return true;
}

static int add_link(struct import *import, const struct cell *a, const struct cell *a_port,
		    const struct cell *b, const struct cell *b_port, const char *detail,
		    size_t detail_length, struct err *err)
{
	struct planned_link *link = fabric_planned_link_add(import_fabric(import));

	if (!link)
		return err_no_memory(err);
	link->source = import_source_ref(import);
	link->node_a = import_intern(import, a->text, a->length);
	link->port_a = import_intern(import, a_port->text, a_port->length);
	link->node_b = import_intern(import, b->text, b->length);
	link->port_b = import_intern(import, b_port->text, b_port->length);
	if (!link->node_a || !link->port_a || !link->node_b || !link->port_b)
		return err_no_memory(err);
	if (detail_length > 0) {
		link->detail = import_intern(import, detail, detail_length);
		if (!link->detail)
			return err_no_memory(err);
	}
	import_row(import);
	return 0;
}

/* What stands in the columns without a meaning here: "Data", speeds, states. */
static size_t rest_of(const struct cell *cells, size_t count, const int columns[COLUMN_COUNT],
		      char *out, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		bool named = false;

		for (int c = 0; c < COLUMN_COUNT; c++)
			named = named || columns[c] == (int)i;
		if (named || cells[i].length == 0 || used + cells[i].length + 3 > size)
			continue;
		if (used > 0) {
			out[used++] = ',';
			out[used++] = ' ';
		}
		memcpy(out + used, cells[i].text, cells[i].length);
		used += cells[i].length;
	}
	return used;
}

static int ndt_read(struct import *import, struct input *input, struct err *err)
{
	struct cell cells[COLUMNS_MAX];
	int columns[COLUMN_COUNT] = {-1, -1, -1, -1};
	size_t headings = 0;
	char detail[200];
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		size_t count, detail_length;

		if (read_heading(line, length, columns, &headings) || line_is_noise(line, length) ||
		    *line == '#')
			continue;
		count = split_cells(line, length, cells);
		/* A spreadsheet's padding. */
		while (count > headings && cells[count - 1].length == 0)
			count--;
		if (count > headings) {
			rc = import_odd(import, input, "more values than the heading has columns", err);
		} else if (columns[0] < 0 || (int)count <= columns[START_DEVICE] ||
		    (int)count <= columns[START_PORT] || (int)count <= columns[END_DEVICE] ||
		    (int)count <= columns[END_PORT] ||
		    cells[columns[START_DEVICE]].length == 0 ||
		    cells[columns[END_DEVICE]].length == 0) {
			rc = import_odd(import, input, "not a cable with two devices", err);
		} else {
			detail_length = rest_of(cells, count, columns, detail, sizeof(detail));
			rc = add_link(import, &cells[columns[START_DEVICE]],
				      &cells[columns[START_PORT]], &cells[columns[END_DEVICE]],
				      &cells[columns[END_PORT]], detail, detail_length, err);
		}
		if (rc < 0)
			break;
	}
	return rc;
}

static int ndt_detect(const struct probe *probe)
{
	int columns[COLUMN_COUNT];
	size_t offset = 0;
	size_t count;
	const char *line;
	size_t length;

	for (int lines = 0; lines < 20 && probe_line(probe, &offset, &line, &length); lines++) {
		if (read_heading(line, length, columns, &count))
			return 95;
	}
	return 0;
}

static bool take_cell(struct scan *scan, struct cell *cell)
{
	scan_blanks(scan);
	return scan_word(scan, &cell->text, &cell->length);
}

/* "-4x-5G->", "->": the words between the dashes. */
static bool read_arrow(const struct cell *word, const char **ret_detail, size_t *ret_length)
{
	if (word->length < 2 || word->text[0] != '-' ||
	    memcmp(word->text + word->length - 2, "->", 2) != 0)
		return false;
	*ret_detail = word->text + 1;
	*ret_length = word->length > 3 ? word->length - 3 : 0;
	return true;
}

/* "P1 -4x-5G-> Gnu L1_1 M/P1": port, arrow, system type, system name, port. */
static bool read_cable(struct scan scan, struct cell *port, struct cell *peer_type,
		       struct cell *peer, struct cell *peer_port, const char **ret_detail,
		       size_t *ret_detail_length)
{
	struct cell arrow;

	if (!take_cell(&scan, port) || !take_cell(&scan, &arrow) ||
	    !read_arrow(&arrow, ret_detail, ret_detail_length) || !take_cell(&scan, peer_type) ||
	    !take_cell(&scan, peer) || !take_cell(&scan, peer_port))
		return false;
	scan_blanks(&scan);
	return scan_done(&scan);
}

/* "MTS800 SW_L2_1", with "CFG: ..." behind it at times. */
static bool read_system(struct scan scan, struct cell *type, struct cell *name)
{
	return *scan.at != ' ' && *scan.at != '\t' && take_cell(&scan, type) &&
	       take_cell(&scan, name) && name->text[0] != '-';
}

static int topo_read(struct import *import, struct input *input, struct err *err)
{
	char name[256];
	struct cell node = {name, 0};
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		struct cell type, system, port, peer_type, peer, peer_port;
		struct scan scan = scan_of(line, length);
		const char *comment = scan_find(&scan, "#");
		const char *detail;
		size_t detail_length;

		if (comment)
			scan.end = comment;
		if (line_is_noise(line, (size_t)(scan.end - line)))
			continue;
		if (read_cable(scan, &port, &peer_type, &peer, &peer_port, &detail,
			       &detail_length) && node.length > 0) {
			rc = add_link(import, &node, &port, &peer, &peer_port, detail,
				      detail_length, err);
		} else if (read_system(scan, &type, &system)) {
			/* The line's memory goes with the next one. */
			node.length = system.length < sizeof(name) ? system.length : sizeof(name);
			memcpy(name, system.text, node.length);
			import_row(import);
		} else {
			rc = import_odd(import, input, "neither a system nor a cable", err);
		}
		if (rc < 0)
			break;
	}
	return rc;
}

static int topo_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;
	bool system = false;

	while (probe_line(probe, &offset, &line, &length)) {
		struct cell type, name, port, peer;
		struct scan scan = scan_of(line, length);
		const char *detail;
		size_t detail_length;

		if (length == 0 || *line == '#')
			continue;
		if (system && read_cable(scan, &port, &type, &name, &peer, &detail, &detail_length))
			return 85;
		if (read_system(scan, &type, &name))
			system = true;
	}
	return 0;
}

const struct format format_ndt = {
	.id = "ndt",
	.title = "planned cabling as UFM's NDT table",
	.rank = 10,
	.by_hand = true,
	.one_look = true,
	.detect = ndt_detect,
	.read = ndt_read,
};

const struct format format_ibdm_topo = {
	.id = "ibdm-topo",
	.title = "planned cabling as an ibdm topology file",
	.rank = 10,
	.by_hand = true,
	.one_look = true,
	.detect = topo_detect,
	.read = topo_read,
};
