/*
 * opensm-sl2vl.dump, and ibdiagnet's .slvl at the end of this file.
 *
 *   Switch 0x..., base LID 4, "name"
 *   #in out : 0  1  2 ... 15
 *   #----
 *   0   1   : 0  1  2 ... 15
 *
 * The GUID is the port's. Rows of CAs and routers are "0 0": the table of the
 * one port the title names. Ports without a partner are left out.
 *
 * Source: dump_sl2vl_tbl() in OpenSM's osm_dump.c. It shows what OpenSM has in
 * mind for the ports, which is what they answered when it last read them.
 */
#include <stdio.h>
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/scan.h"
#include "collector/import/stand_in.h"
#include "collector/import/trouble.h"

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct device *device;	/* of the switch whose rows follow, or NULL */
	struct port *port;	/* of the CA or router whose row follows, or NULL */
	unsigned rules;		/* lines of dashes since the title: the second ends a table */
	int64_t title;		/* line of the title of a table that has not ended; 0: none */
	bool headed;		/* the heading behind the title was there */
	bool ordered;		/* its rows began with in-port 0, as OpenSM's do */
	uint8_t seen[256][32];	/* by out-port: in-ports that had a row, bit (in & 7) of byte (in >> 3) */
	int in, out;		/* of the row before; -1: none in this table */
	int last_in;		/* the in-port that each out-port's rows end with; -1: not known */
	int64_t gap_line;	/* in front of it the first rows are missing; 0: nowhere */
};

static const struct {
	const char *word;
	enum node_type type;
} titles[] = {
	{"Switch ", NODE_TYPE_SWITCH},
	{"Channel Adapter ", NODE_TYPE_CA},
	{"Router ", NODE_TYPE_ROUTER},
};

static bool read_title(struct scan *scan, enum node_type *ret_type, uint64_t *ret_guid)
{
	struct scan rest = *scan;

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		if (!scan_literal(&rest, titles[i].word))
			continue;
		if (!scan_guid(&rest, ret_guid) || !scan_literal(&rest, ", base LID "))
			return false;
		*ret_type = titles[i].type;
		*scan = rest;
		return true;
	}
	return false;
}

/* What follows is nobody's until the next title. */
static void table_leave(struct reader *reader)
{
	reader->device = NULL;
	reader->port = NULL;
	reader->headed = false;
	memset(reader->seen, 0, sizeof(reader->seen));
	reader->in = reader->out = reader->last_in = -1;
}

static void note_gap(struct reader *reader)
{
	if (reader->gap_line == 0)
		reader->gap_line = input_line_number(reader->input);
}

/* The rows of an out-port end: all have the same in-ports. */
static void end_out_port(struct reader *reader)
{
	if (reader->out < 0 || !reader->ordered)
		return;
	if (reader->last_in >= 0 && reader->in != reader->last_in)
		note_gap(reader);
	if (reader->in > reader->last_in)
		reader->last_in = reader->in;
}

/*
 * No row comes twice; OpenSM's begin with in-port 0 and go up one by one, and behind
 * the last one the next out-port begins. False: the row does not follow, so it is one
 * of a table that has lost its title.
 */
static bool row_follows(struct reader *reader, int in, int out)
{
	uint8_t *seen = &reader->seen[out][in >> 3];

	if (*seen >> (in & 7) & 1)
		return false;
	*seen |= (uint8_t)(1u << (in & 7));
	if (reader->out < 0)
		reader->ordered = in == 0;
	if (!reader->ordered) {
		reader->out = out;
		/* They do, but for the first, which is missing. */
		if (in == 0)
			note_gap(reader);
		return true;
	}
	if (out < reader->out || (out == reader->out && in < reader->in))
		return false;
	if (out == reader->out ? in != reader->in + 1 : in > 0)
		note_gap(reader);
	if (out != reader->out)
		end_out_port(reader);
	reader->in = in;
	reader->out = out;
	return true;
}

/* The title behind ", base LID ": `4, "name"`. */
static int begin_port(struct reader *reader, struct scan scan, enum node_type type, uint64_t guid)
{
	struct port *port = stand_in_port(reader->import, guid, type, 1);
	struct device *device;
	uint64_t lid;
	int rc;

	table_leave(reader);
	if (!port)
		return err_no_memory(reader->err);
	device = port->device;
	if (device->type == NODE_TYPE_SWITCH)
		reader->device = device;
	else
		reader->port = port;
	if (!scan_decimal(&scan, &lid) || lid > INT64_MAX)
		return 0;
	rc = IMPORT_PORT(reader->import, port, lid, (int64_t)lid, reader->err);
	if (rc == 0 && scan_literal(&scan, ", \"") && scan_left(&scan) > 0 &&
	    scan.end[-1] == '"')
		rc = stand_in_name(reader->import, device, scan.at, scan_left(&scan) - 1,
				   reader->err);
	return rc;
}

/* "0   1   : 0  1  2 ... 15" */
static bool read_row(struct scan scan, unsigned *ret_in, unsigned *ret_out, uint8_t vl[16])
{
	uint64_t in, out, value;

	if (!scan_decimal(&scan, &in) || in > 254)
		return false;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &out) || out > 254)
		return false;
	scan_blanks(&scan);
	if (!scan_char(&scan, ':'))
		return false;
	for (int sl = 0; sl < 16; sl++) {
		scan_blanks(&scan);
		if (!scan_decimal(&scan, &value) || value > 15)
			return false;
		vl[sl] = (uint8_t)value;
	}
	scan_blanks(&scan);
	if (!scan_done(&scan))
		return false;
	*ret_in = (unsigned)in;
	*ret_out = (unsigned)out;
	return true;
}

/* OpenSM draws a line below the last row of each table. */
static int check_table(struct reader *reader)
{
	char text[128];

	if (reader->title == 0)
		return 0;
	snprintf(text, sizeof(text), "the table that begins at line %lld has no end",
		 (long long)reader->title);
	return import_cut(reader->import, ATTRIBUTE_SL2VL, text, reader->err);
}

static int read_line(struct reader *reader, const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);
	struct port *port = reader->port;
	enum node_type type;
	unsigned in, out;
	uint8_t vl[16];
	uint64_t guid;
	int rc;

	scan_blanks(&scan);
	if (scan_starts(&scan, "#--") && ++reader->rules == 2) {
		reader->title = 0;
		if (reader->out < 0 && (reader->device || reader->port))
			note_gap(reader);
		end_out_port(reader);
		table_leave(reader);
	}
	if (scan_starts(&scan, "#in ")) {
		if (reader->headed)
			table_leave(reader);
		reader->headed = true;
	}
	if (scan_done(&scan) || *scan.at == '#' || line_is_noise(line, length))
		return 0;
	if (read_title(&scan, &type, &guid)) {
		import_row(reader->import);
		rc = check_table(reader);
		if (rc < 0)
			return rc;
		reader->rules = 0;
		end_out_port(reader);
		reader->title = input_line_number(reader->input);
		return begin_port(reader, scan, type, guid);
	}
	if (!read_row(scan, &in, &out, vl)) {
		/* It may have been a title; a row begins with a number. */
		if (*scan.at < '0' || *scan.at > '9')
			table_leave(reader);
		return import_odd(reader->import, reader->input, "not a row of an SL to VL table",
				  reader->err);
	}
	if ((!reader->device && !reader->port) || !row_follows(reader, (int)in, (int)out)) {
		table_leave(reader);
		return import_odd(reader->import, reader->input, "a row of a table whose title is missing",
				  reader->err);
	}
	if (reader->device) {
		port = import_port(reader->import, reader->device, out);
		if (!port)
			return err_no_memory(reader->err);
	} else {
		in = 0;
	}
	rc = import_sl2vl(reader->import, port, in, vl, reader->err);
	import_port_read(reader->import, port, ATTRIBUTE_SL2VL);
	import_row(reader->import);
	return rc;
}

static int sl2vl_dump_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	char text[128];
	char *line;
	size_t length;
	int rc;

	table_leave(&reader);
	import_asked(import, ATTRIBUTE_SL2VL);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = read_line(&reader, line, length);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = check_table(&reader);
	if (rc == 0 && reader.gap_line > 0) {
		snprintf(text, sizeof(text), "rows are missing, the first in front of line %lld",
			 (long long)reader.gap_line);
		rc = import_cut(import, ATTRIBUTE_SL2VL, text, err);
	}
	return rc;
}

/*
 * A row of .slvl: "0x<switch GUID> <in> <out> 0x01 0x23 0x45 0x67 0x89 0xab 0xcd
 * 0xef", eight bytes as on the wire, the even SL in the high nibble. Source: ibutils'
 * parser of it (ibdm).
 */
static bool read_slvl(struct scan scan, uint64_t *ret_guid, unsigned *ret_in, unsigned *ret_out,
		      uint8_t vl[16])
{
	uint64_t in, out, byte;

	scan_blanks(&scan);
	if (!scan_guid(&scan, ret_guid))
		return false;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &in) || in > 254)
		return false;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &out) || out > 254)
		return false;
	for (int i = 0; i < 8; i++) {
		scan_blanks(&scan);
		if (!scan_hex(&scan, &byte) || byte > 255)
			return false;
		vl[2 * i] = (uint8_t)(byte >> 4);
		vl[2 * i + 1] = (uint8_t)(byte & 15);
	}
	scan_blanks(&scan);
	*ret_in = (unsigned)in;
	*ret_out = (unsigned)out;
	return scan_done(&scan);
}

static int slvl_read(struct import *import, struct input *input, struct err *err)
{
	struct port *port;
	unsigned in, out;
	uint8_t vl[16];
	uint64_t guid;
	char *line;
	size_t length;
	int rc;

	import_asked(import, ATTRIBUTE_SL2VL);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		if (read_slvl(scan_of(line, length), &guid, &in, &out, vl)) {
			struct device *device = import_device(import, guid, NODE_TYPE_SWITCH);

			port = device ? import_port(import, device, out) : NULL;
			if (!port)
				return err_no_memory(err);
			rc = import_sl2vl(import, port, in, vl, err);
			import_port_read(import, port, ATTRIBUTE_SL2VL);
			import_row(import);
		} else if (*line != '#' && !line_is_noise(line, length)) {
			rc = import_odd(import, input, "not a row of an SL to VL table", err);
		}
		if (rc < 0)
			break;
	}
	return rc;
}

static int slvl_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;
	unsigned in, out;
	uint8_t vl[16];
	uint64_t guid;

	while (probe_line(probe, &offset, &line, &length)) {
		if (read_slvl(scan_of(line, length), &guid, &in, &out, vl))
			return 85;
	}
	return 0;
}

static int sl2vl_dump_detect(const struct probe *probe)
{
	return probe_has_line(probe, "#in out :") && probe_has(probe, ", base LID ") ? 95 : 0;
}

const struct format format_sl2vl_dump = {
	.id = "opensm-sl2vl.dump",
	.title = "SL to VL tables as OpenSM dumps them",
	.rank = 50,
	.late = true,
	.loses = ATTRIBUTE_SL2VL,
	.sm_view = true,
	.detect = sl2vl_dump_detect,
	.read = sl2vl_dump_read,
};

const struct format format_slvl = {
	.id = "ibdiagnet2.slvl",
	.title = "SL to VL tables as ibdiagnet lists them",
	.rank = 55,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_SL2VL,
	.detect = slvl_detect,
	.read = slvl_read,
};
