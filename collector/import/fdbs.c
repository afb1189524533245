/*
 * opensm.fdbs and ibdiagnet's .fdbs: unicast routes of each switch, every LID
 * from 1 to the highest on a row of its own.
 *
 *   dump_ucast_routes: Switch 0x...
 *   LID    : Port : Hops : Optimal
 *   0x0002 : 003  : 00   : yes
 *   0x0003 : UNREACHABLE
 *
 * LIDs are hex, ports decimal. There is no closing line: the tables of one SM all
 * end at the same LID, and one that ends before the others has lost rows.
 * A row that is missing has nothing to say, since "no path" is written out.
 *
 * Source: dump_ucast_routes() in OpenSM's osm_dump.c. ibdiagnet may add
 * "PLFT_NUM: n"; only table 0 is the one all packets use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/each_line.h"
#include "collector/import/lft_table.h"
#include "collector/import/scan.h"
#include "collector/import/trouble.h"
#include "store/array.h"

/* Where a table ended that began with the first LIDs. */
struct table_end {
	struct device *device;
	unsigned last;
};

struct reader {
	struct import *import;
	struct input *input;
	struct lft_table *table;
	struct err *err;
	struct device *device;	/* of the table being read, or NULL */
	unsigned first, last;	/* LIDs of the first and the newest row; last 0: none yet */
	unsigned longest;	/* the highest LID of all tables */
	struct table_end *ends;
	size_t end_count, end_room;
	bool torn;		/* the last table has fewer rows than others, or none */
	bool gaps;		/* rows inside a table are missing */
	bool ignored;		/* rows of another private table */
	bool closed;		/* ibdiagnet's foot was there: nothing is missing behind the last row */
};

static int note_end(struct reader *reader)
{
	struct table_end *ends =
		array_grow(reader->ends, reader->end_count, &reader->end_room, sizeof(*ends));

	if (!ends)
		return err_no_memory(reader->err);
	reader->ends = ends;
	ends[reader->end_count++] = (struct table_end){reader->device, reader->last};
	return 0;
}

static int finish_table(struct reader *reader, bool whole)
{
	int rc = 0;

	if (!reader->device || reader->last == 0)
		goto out;
	if (reader->first > 1)
		reader->gaps = true;
	/* Nobody owns LID 0: a table from 1 leaves nothing out. */
	whole = whole && reader->first <= 1;
	rc = lft_table_commit(reader->table, reader->import, reader->device, reader->first,
			      reader->last, whole, reader->err);
	if (rc == 0 && whole)
		rc = note_end(reader);
out:
	reader->device = NULL;
	reader->last = 0;
	lft_table_reset(reader->table);
	return rc;
}

/* "dump_ucast_routes: Switch 0x...", "Switch 0x...". 1: a head line, 0: none. */
static int read_head(struct reader *reader, struct scan scan)
{
	const char *at = scan_find(&scan, "Switch 0x");
	uint64_t guid;
	int rc;

	if (!at)
		return 0;
	scan.at = at + strlen("Switch ");
	if (!scan_guid(&scan, &guid))
		return 0;
	rc = finish_table(reader, true);
	if (rc < 0)
		return rc;
	reader->ignored = false;
	reader->device = import_device(reader->import, guid, NODE_TYPE_SWITCH);
	return reader->device ? 1 : err_no_memory(reader->err);
}

/* "003", "UNREACHABLE" */
static bool read_port(struct scan *scan, uint8_t *ret_port)
{
	uint64_t port;

	if (scan_literal(scan, "UNREACHABLE")) {
		*ret_port = LFT_NO_PATH;
		return true;
	}
	if (!scan_decimal(scan, &port) || port > 255)
		return false;
	*ret_port = (uint8_t)port;
	return true;
}

/* "0x0003 : 012  : 00   : yes" */
static bool parse_row(struct scan scan, unsigned *ret_lid, uint8_t *ret_port)
{
	uint64_t lid;

	scan_blanks(&scan);
	if (!scan_hex(&scan, &lid) || lid >= LFT_LIDS)
		return false;
	scan_blanks(&scan);
	if (!scan_char(&scan, ':'))
		return false;
	scan_blanks(&scan);
	*ret_lid = (unsigned)lid;
	return read_port(&scan, ret_port);
}

/* 1: a row, 0: none of this table. */
static int read_row(struct reader *reader, struct scan scan)
{
	struct port *own;
	unsigned lid;
	uint8_t port;

	if (!parse_row(scan, &lid, &port))
		return 0;
	/* Nobody's rows tell where the tables end, too. */
	if (!reader->ignored && lid > reader->longest)
		reader->longest = lid;
	if (!reader->device)
		return 0;
	if (reader->ignored)
		return 1;
	/* LIDs go up: a lower one is of a switch whose head line is lost. */
	if (reader->last > 0 && lid <= reader->last)
		return 0;
	if (reader->last == 0)
		reader->first = lid;
	else if (lid > reader->last + 1) {
		lft_table_spoil(reader->table, reader->last + 1, lid - 1);
		reader->gaps = true;
	}
	lft_table_set(reader->table, lid, port);
	reader->last = lid;
	if (port != 0)
		return 1;
	own = import_port(reader->import, reader->device, 0);
	if (!own)
		return err_no_memory(reader->err);
	if (own->info.lid != FIELD_UNKNOWN)
		return 1;
	return IMPORT_PORT(reader->import, own, lid, lid, reader->err) < 0 ? ERR_NOMEM : 1;
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	struct scan scan = scan_of(line, length);
	uint64_t number = 0;
	int rc;

	scan_blanks(&scan);
	rc = read_row(reader, scan);
	if (rc == 1)
		import_row(reader->import);
	if (rc == 0)
		rc = read_head(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (scan_literal(&scan, "PLFT_NUM:")) {
		scan_blanks(&scan);
		reader->ignored = scan_decimal(&scan, &number) && number != 0;
		return 0;
	}
	if (scan_starts(&scan, "# File closed at"))
		reader->closed = true;
	/* A heading behind rows is that of a table whose head line is lost. */
	if (scan_starts(&scan, "LID "))
		return reader->last > 0 ? finish_table(reader, false) : 0;
	if (scan_done(&scan) || *scan.at == '#' || line_is_noise(line, length))
		return 0;
	rc = import_odd(reader->import, reader->input, "not a route of a switch", reader->err);
	/* It may have been a head line, or that is missing. */
	if (rc == 0 && reader->device)
		rc = finish_table(reader, false);
	return rc;
}

static int tell_short(struct reader *reader, const struct table_end *end, const char *text, size_t n)
{
	struct hole *hole = fabric_hole_add(import_fabric(reader->import));

	if (!hole)
		return err_no_memory(reader->err);
	*hole = (struct hole){.device = end->device,
			      .port = -1,
			      .attribute = ATTRIBUTE_LFT,
			      .reason = HOLE_INCONSISTENT,
			      .text = import_intern(reader->import, text, n),
			      .source = import_source_ref(reader->import)};
	import_fabric(reader->import)->partial = true;
	return hole->text ? 0 : err_no_memory(reader->err);
}

/* What stands behind its last row is not "no path" where other tables go on, or somebody has a LID there. */
static int settle_end(struct reader *reader, const struct table_end *end, int64_t highest)
{
	char text[100];
	int n;

	if (end->last < reader->longest)
		n = snprintf(text, sizeof(text), "its rows end at LID %u, those of others at %u",
			     end->last, reader->longest);
	else if ((int64_t)end->last < highest)
		n = snprintf(text, sizeof(text), "its rows end at LID %u, and LID %u is in use",
			     end->last, (unsigned)highest);
	else
		return 0;
	lft_table_forget(reader->import, end->device, (end->last + 1) / 64);
	/* OpenSM's tables all end alike: that is told of the file. */
	if (end->last < reader->longest && !reader->closed)
		return 0;
	return tell_short(reader, end, text, (size_t)n);
}

/* The highest unicast LID that somebody has. */
static int64_t highest_lid(const struct fabric *fabric)
{
	int64_t highest = 0;

	for (size_t d = 0; d < fabric->device_count; d++) {
		const struct device *device = fabric->devices[d];

		for (size_t p = 0; p < device->port_slots; p++) {
			int64_t lid = device->ports[p] ? device->ports[p]->info.lid : 0;

			if (lid > highest && lid < LFT_LIDS)
				highest = lid;
		}
	}
	return highest;
}

static int settle_ends(struct reader *reader)
{
	bool lost = !reader->closed && (reader->torn || (reader->end_count == 0 && reader->longest > 0));
	int64_t highest = highest_lid(import_fabric(reader->import));
	size_t longest = 0;
	int rc = 0;

	for (size_t i = 0; i < reader->end_count; i++)
		longest += reader->ends[i].last == reader->longest;
	for (size_t i = 0; rc == 0 && i < reader->end_count; i++) {
		const struct table_end *end = &reader->ends[i];

		rc = settle_end(reader, end, highest);
		lost = lost || (end->last < reader->longest && !reader->closed);
		/* One table alone may have lost its last row. */
		if (rc == 0 && end->last == reader->longest && longest > 1)
			rc = IMPORT_SWITCH(reader->import, end->device, linear_fdb_top, end->last,
					   reader->err);
	}
	if (rc == 0 && lost)
		rc = import_cut(reader->import, ATTRIBUTE_LFT,
				"a table ends before those of the other switches do", reader->err);
	if (rc == 0 && reader->gaps)
		rc = import_cut(reader->import, ATTRIBUTE_LFT, "rows of a switch's table are missing",
				reader->err);
	return rc;
}

static int fdbs_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	int rc;

	reader.table = malloc(sizeof(*reader.table));
	if (!reader.table)
		return err_no_memory(err);
	reader.table->touched = LFT_LIDS;
	lft_table_reset(reader.table);
	import_asked(import, ATTRIBUTE_LFT);
	rc = each_line(input, read_line, &reader, err);
	if (rc == 0 && reader.device && (reader.last == 0 || reader.last < reader.longest))
		reader.torn = true;
	if (rc == 0)
		rc = finish_table(&reader, reader.last >= reader.longest);
	if (rc == 0)
		rc = settle_ends(&reader);
	free(reader.ends);
	free(reader.table);
	return rc;
}

static int fdbs_detect(const struct probe *probe)
{
	return probe_has(probe, "Switch 0x") && probe_has_line(probe, "LID    : Port") ? 95 : 0;
}

/* What OpenSM or ibdiagnet computed of the routes, without names and LMC. */
const struct format format_fdbs = {
	.id = "fdbs",
	.title = "unicast routes as opensm.fdbs and ibdiagnet2.fdbs list them",
	.rank = 30,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_LFT,
	.sm_view = true,
	.detect = fdbs_detect,
	.read = fdbs_read,
};
