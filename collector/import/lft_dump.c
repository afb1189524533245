/*
 * Unicast forwarding tables as ibroute, dump_lfts and dump_fts print them, and
 * opensm-lfts.dump, which looks alike but counts its range in decimal:
 *
 *   Unicast lids [0x0-0x1b] of switch Lid 5 guid 0x... (name):
 *   0x0006 035 : (Channel Adapter portguid 0x...: 'name')
 *   20 valid lids dumped
 *
 * Rows are printed for entries up to NumPorts only, so a row that is absent in a
 * whole table means "no path". It is whole when the closing line is there and
 * counts as many rows as were read.
 *
 * Source: dump_fts.c and ibroute.c of rdma-core, osm_dump.c of OpenSM. The first
 * two round the range's end up to a block and stop before it: when the end is a
 * multiple of 64 the block that begins there is never read.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/each_line.h"
#include "collector/import/lft_table.h"
#include "collector/import/lft_torn.h"
#include "collector/import/lid_owners.h"
#include "collector/import/scan.h"
#include "collector/import/trouble.h"

#define NONE UINT32_MAX
#define SMP_LFT 0x19

struct reader {
	struct import *import;
	struct input *input;
	struct lft_table *table;
	struct lid_owners *owners;
	struct trouble_list *troubles;
	struct err *err;
	struct device *device;	/* of the table being read, or NULL */
	const char *name;	/* of its title, interned, or NULL */
	bool opensm;		/* its range is decimal */
	unsigned first, last;	/* its range */
	unsigned last_row;	/* LID of the row before, or NONE */
	unsigned own_lid;	/* LID of its first row with port 0, or NONE */
	uint64_t rows;		/* rows of this table */
	uint64_t tables;
	struct lft_torn torn;
	bool odd_since;		/* a line behind last_row was not understood */
	bool doubtful;		/* something else stood there, maybe a title: rows may be another switch's */
	uint64_t odd_rows;	/* such lines of this table */
	bool named_lid;		/* the head line names the switch's LID */
};

/* Where the owner's words begin in each tool's row, and what they say. */
static const struct {
	const char *words;
	enum node_type type;
} owner_words[] = {
	{"Channel Adapter portguid ", NODE_TYPE_CA},
	{"Switch portguid ", NODE_TYPE_SWITCH},
	{"Router portguid ", NODE_TYPE_ROUTER},
};

/* "'name')" or "'name'"; names may hold quotes. */
static bool read_name(struct scan scan, const char **ret_name, size_t *ret_length)
{
	if (!scan_literal(&scan, ": '"))
		return false;
	while (!scan_done(&scan) && (scan.end[-1] == ' ' || scan.end[-1] == ')'))
		scan.end--;
	/* A name that ends in a parenthesis: the quote behind it is the row's. */
	if (scan_done(&scan) || scan.end[-1] != '\'')
		return false;
	*ret_name = scan.at;
	*ret_length = scan_left(&scan) - 1;
	return true;
}

/* "path #2 out of 4: portguid 0x...)" */
static int read_path(struct reader *reader, struct scan scan, unsigned lid)
{
	uint64_t path, paths, guid;

	if (!scan_decimal(&scan, &path) || !scan_literal(&scan, " out of ") ||
	    !scan_decimal(&scan, &paths) || !scan_literal(&scan, ": portguid ") ||
	    !scan_guid(&scan, &guid) || paths > 128 || path > paths)
		return 0;
	return lid_owners_note(reader->owners, reader->import, lid, guid, NODE_TYPE_UNKNOWN, NULL,
			       0, (unsigned)path, (unsigned)paths, reader->err);
}

/* What stands behind " : (" or " # ". */
static int read_owner(struct reader *reader, struct scan scan, unsigned lid)
{
	const char *name;
	size_t name_length;
	uint64_t guid;

	if (scan_literal(&scan, "path #"))
		return read_path(reader, scan, lid);
	for (size_t i = 0; i < sizeof(owner_words) / sizeof(owner_words[0]); i++) {
		if (!scan_literal(&scan, owner_words[i].words))
			continue;
		/* The route in front of it holds. */
		if (!scan_guid(&scan, &guid) || !read_name(scan, &name, &name_length))
			return import_odd_once(reader->import, "its end is cut", reader->err);
		if (lid_owners_has(reader->owners, lid, guid))
			return 0;
		return lid_owners_note(reader->owners, reader->import, lid, guid,
				       owner_words[i].type, name, name_length, 0, 0, reader->err);
	}
	return 0;
}

/*
 * The row of port 0 names the switch itself: by another GUID and another name than the
 * title, where the title and first rows of another switch are missing.
 */
static bool is_of_other_switch(const struct reader *reader, struct scan scan)
{
	const char *name;
	size_t length;
	uint64_t guid;

	return reader->name && scan_literal(&scan, "Switch portguid ") && scan_guid(&scan, &guid) &&
	       guid != reader->device->guid && read_name(scan, &name, &length) &&
	       (strlen(reader->name) != length || memcmp(reader->name, name, length) != 0);
}

/* The last LID that the tool asked for. */
static unsigned last_read(const struct reader *reader)
{
	unsigned last = reader->last;
	bool unread = !reader->opensm && last != 0 && last % 64 == 0 && reader->last_row != last;

	return unread ? last - 1 : last;
}

/* The table ends; `closed`: with its closing line. */
static int finish_table(struct reader *reader, bool closed)
{
	struct lft_table *table = reader->table;
	unsigned last;
	/* The tools begin at 0 by themselves; any other range was asked for, its end too. */
	bool whole = closed && reader->first == 0;
	struct port *port;
	int rc = 0;

	if (!reader->device)
		return 0;
	rc = lft_torn_see(&reader->torn, table, whole, reader->err);
	if (rc < 0)
		return rc;
	if (reader->odd_since)
		lft_table_spoil(table, reader->last_row == NONE ? reader->first : reader->last_row,
				reader->last);
	if (!closed)
		last = reader->last_row == NONE ? 0 : reader->last_row;
	else
		last = last_read(reader);
	if ((closed || last > 0) && !reader->doubtful)
		rc = lft_table_commit(table, reader->import, reader->device, reader->first, last,
				      whole, reader->err);
	if (rc == 0 && closed)
		rc = lft_torn_given(&reader->torn, reader->device, table, reader->err);
	if (rc == 0 && whole)
		rc = IMPORT_SWITCH(reader->import, reader->device, linear_fdb_top, reader->last,
				   reader->err);
	if (rc == 0 && !reader->doubtful && !reader->named_lid && reader->own_lid != NONE && reader->own_lid != 0) {
		port = import_port(reader->import, reader->device, 0);
		if (!port)
			rc = err_no_memory(reader->err);
		else if (port->info.lid == FIELD_UNKNOWN)
			rc = IMPORT_PORT(reader->import, port, lid, reader->own_lid, reader->err);
	}
	reader->device = NULL;
	lft_table_reset(table);
	return rc;
}

/* "0x0006 035 : (...)". 1: a row, 0: none. */
static int read_row(struct reader *reader, struct scan scan)
{
	uint64_t lid, port;
	bool owner;
	int rc = 0;

	if (!scan_hex(&scan, &lid) || !scan_char(&scan, ' '))
		return 0;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &port) || port > 255 || lid < reader->first ||
	    lid > reader->last || (!scan_done(&scan) && *scan.at != ' '))
		return 0;
	scan_blanks(&scan);
	owner = scan_left(&scan) >= 3 && scan_literal(&scan, reader->opensm ? "# " : ": (");
	if (port == 0 && owner && is_of_other_switch(reader, scan)) {
		reader->doubtful = true;
		return finish_table(reader, false);
	}
	/* LIDs go up: this one is of a switch whose title is missing. */
	if (reader->last_row != NONE && lid <= reader->last_row)
		return finish_table(reader, false);
	if (reader->odd_since) {
		unsigned from = reader->last_row == NONE ? reader->first : reader->last_row;

		lft_table_spoil(reader->table, from, (unsigned)lid);
		reader->odd_since = false;
	}
	lft_table_set(reader->table, (unsigned)lid, (uint8_t)port);
	reader->last_row = (unsigned)lid;
	reader->rows++;
	if (port == 0 && reader->own_lid == NONE)
		reader->own_lid = (unsigned)lid;
	if (owner)
		rc = read_owner(reader, scan, (unsigned)lid);
	return rc < 0 ? rc : 1;
}

/* "20 valid lids dumped ", "27 lids dumped": true and the number. */
static bool read_closing(struct scan scan, uint64_t *ret_count)
{
	if (!scan_decimal(&scan, ret_count) || !scan_char(&scan, ' '))
		return false;
	scan_literal(&scan, "valid ");
	return scan_literal(&scan, "lids dumped");
}

/* The switch of the table, with its LID and name where the head line has them. */
static int begin_switch(struct reader *reader, struct scan words, struct scan tail, uint64_t guid)
{
	struct device *device = import_device(reader->import, guid, NODE_TYPE_SWITCH);
	struct port *port = device ? import_port(reader->import, device, 0) : NULL;
	const char *stop;
	uint64_t lid;
	int rc = 0;

	if (!port)
		return err_no_memory(reader->err);
	reader->device = device;
	reader->tables++;
	reader->named_lid = scan_literal(&words, "Lid ") && scan_decimal(&words, &lid) && lid > 0 &&
			    lid <= INT64_MAX;
	if (reader->named_lid)
		rc = IMPORT_PORT(reader->import, port, lid, (int64_t)lid, reader->err);
	reader->name = NULL;
	stop = scan_find_last(&tail, reader->opensm ? "'):" : "):");
	if (rc < 0 || !stop || !scan_literal(&tail, reader->opensm ? " ('" : " (") || stop < tail.at)
		return rc;
	reader->name = import_intern(reader->import, tail.at, (size_t)(stop - tail.at));
	if (!reader->name)
		return err_no_memory(reader->err);
	if (device->description || device->alias)
		return 0;
	return import_description(reader->import, device, tail.at, (size_t)(stop - tail.at),
				  reader->err);
}

/* "Unicast lids [0x0-0x1b] of switch ... guid 0x... (name):". 1: a head line, 0: none. */
static int read_head(struct reader *reader, struct scan scan)
{
	uint64_t first, last, guid;
	struct scan words, tail;
	const char *at;
	bool hex;
	int rc;

	if (!scan_literal(&scan, "Unicast lids ["))
		return 0;
	hex = scan_starts(&scan, "0x");
	if (!scan_number(&scan, &first) || !scan_char(&scan, '-') || !scan_number(&scan, &last) ||
	    !scan_literal(&scan, "] of switch "))
		return 0;
	words = scan;
	at = scan_find(&scan, "guid ");
	if (!at || first >= LFT_LIDS)
		return 0;
	scan.at = at + 5;
	/* Without its name's end the line is cut, maybe in the GUID. */
	if (!scan_guid(&scan, &guid) || !scan_find_last(&scan, "):"))
		return 0;
	tail = scan;
	rc = reader->device ? import_odd(reader->import, reader->input,
					 "the table in front of this one has no closing line",
					 reader->err) : 0;
	if (rc == 0)
		rc = finish_table(reader, false);
	if (rc < 0)
		return rc;
	reader->opensm = !hex || scan_starts(&tail, " ('");
	reader->first = (unsigned)first;
	reader->last = last < LFT_LIDS ? (unsigned)last : LFT_LIDS - 1;
	reader->last_row = NONE;
	reader->own_lid = NONE;
	reader->rows = 0;
	reader->odd_since = false;
	reader->doubtful = false;
	reader->odd_rows = 0;
	rc = begin_switch(reader, words, tail, guid);
	return rc < 0 ? rc : 1;
}

static bool is_column_title(const struct scan *scan)
{
	struct scan rest = *scan;

	scan_blanks(&rest);
	return scan_starts(&rest, "Lid  Out") || scan_starts(&rest, "Port     Info");
}

static int note_torn(struct reader *reader, uint64_t count)
{
	/* More than counted: nobody can say which. */
	uint64_t missing = count > reader->rows ? count - reader->rows : LFT_LIDS;
	char text[80];
	char *why;
	int n = snprintf(text, sizeof(text), "line %lld counts %llu rows, there are %llu",
			 (long long)input_line_number(reader->input), (unsigned long long)count,
			 (unsigned long long)reader->rows);
	int rc;

	why = import_intern(reader->import, text, (size_t)n);
	if (!why)
		return err_no_memory(reader->err);
	/* Lines that were not understood have spoiled their blocks. */
	missing -= missing > reader->odd_rows ? reader->odd_rows : missing;
	rc = lft_torn_add(&reader->torn, reader->device, last_read(reader), missing, why, reader->err);
	if (rc < 0)
		return rc;
	reader->table->may_lack = missing > 0;
	return import_odd(reader->import, reader->input,
			  "the table's rows are fewer or more than counted here", reader->err);
}

/*
 * The closing line says how many rows there were: with fewer here, what was read
 * holds, and what is absent means nothing (lft_torn_settle).
 */
static int close_table(struct reader *reader, uint64_t count)
{
	if (reader->device && !reader->opensm && count != reader->rows) {
		int rc = note_torn(reader, count);

		if (rc < 0)
			return rc;
	}
	if (reader->device && reader->opensm) {
		int rc = lft_torn_uncounted(&reader->torn, reader->device, reader->last, reader->err);

		if (rc < 0)
			return rc;
		reader->table->may_lack = true;
	}
	return finish_table(reader, true);
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	struct scan scan = scan_of(line, length);
	bool odd = false;
	uint64_t count;
	int rc;

	if (length > 6 && line[0] == '0' && line[1] == 'x' && reader->device) {
		rc = read_row(reader, scan);
		if (rc == 1)
			import_row(reader->import);
		if (rc != 0)
			return rc < 0 ? rc : 0;
	}
	rc = read_head(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (read_closing(scan, &count))
		return close_table(reader, count);
	/* What follows a title that cannot be read is another switch's. */
	if (scan_starts(&scan, "Unicast lids ["))
		rc = finish_table(reader, false);
	if (rc < 0)
		return rc;
	if (is_column_title(&scan))
		return 0;
	rc = trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			    "not a row of a forwarding table", &odd, reader->err);
	reader->odd_since = reader->odd_since || odd;
	reader->odd_rows += odd;
	if (odd && !scan_starts(&scan, "0x"))
		reader->doubtful = true;
	return rc;
}

/* After a block that was not answered the tools print the one before it once more. */
static void forget_unanswered(struct reader *reader)
{
	const struct fabric *fabric = import_fabric(reader->import);
	size_t at = 0;
	uint64_t guid;
	uint32_t block;

	while (trouble_next(reader->troubles, SMP_LFT, &at, &guid, &block)) {
		struct device *device = fabric_device_find(fabric, guid);

		if (device)
			lft_table_forget(reader->import, device, block);
	}
}

static int lft_dump_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	int rc;

	reader.table = malloc(sizeof(*reader.table));
	if (!reader.table)
		return err_no_memory(err);
	reader.table->touched = LFT_LIDS;
	lft_table_reset(reader.table);
	rc = lid_owners_new(&reader.owners, err);
	if (rc == 0)
		rc = each_line(input, read_line, &reader, err);
	if (rc == 0 && reader.device)
		rc = import_cut(import, ATTRIBUTE_LFT, "it ends inside a switch's forwarding table",
				err);
	if (rc == 0)
		rc = finish_table(&reader, false);
	if (rc == 0)
		forget_unanswered(&reader);
	/* One table is what ibroute was asked for; several are a dump of all switches. */
	if (reader.tables > 1)
		import_asked(import, ATTRIBUTE_LFT);
	if (rc == 0)
		rc = lid_owners_settle(reader.owners, import, err);
	if (rc == 0)
		rc = lft_torn_settle(&reader.torn, import, err);
	rc = trouble_end(reader.troubles, import, rc, err);
	lid_owners_free(reader.owners);
	free(reader.table);
	lft_torn_free(&reader.torn);
	return rc;
}

/* How sure: 0 when no head line of this kind is there. */
static int detect_head(const struct probe *probe, bool opensm)
{
	size_t offset = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);
		uint64_t first;
		bool hex;

		if (!scan_literal(&scan, "Unicast lids ["))
			continue;
		hex = scan_starts(&scan, "0x");
		if (scan_number(&scan, &first) && scan_char(&scan, '-') && hex != opensm)
			return 95;
	}
	return 0;
}

static int dump_fts_detect(const struct probe *probe)
{
	return detect_head(probe, false);
}

static int opensm_lfts_detect(const struct probe *probe)
{
	return detect_head(probe, true);
}

/* LIDs and names come from the tool's own scan; the tables from the switches. */
const struct format format_dump_fts = {
	.id = "dump_fts",
	.title = "forwarding tables by ibroute, dump_lfts or dump_fts",
	.rank = 45,
	.late = true,
	.loses = ATTRIBUTE_LFT,
	.detect = dump_fts_detect,
	.read = lft_dump_read,
};

/* What OpenSM meant to write. */
const struct format format_opensm_lfts = {
	.id = "opensm-lfts.dump",
	.title = "forwarding tables as OpenSM dumps them",
	.rank = 35,
	.late = true,
	.loses = ATTRIBUTE_LFT,
	.sm_view = true,
	.detect = opensm_lfts_detect,
	.read = lft_dump_read,
};
