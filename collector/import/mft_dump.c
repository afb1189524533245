/*
 * Multicast forwarding tables: dump_mfts, dump_fts -M and ibroute -M, and
 * opensm.mcfdbs / ibdiagnet2.mcfdbs.
 *
 *   Multicast mlids [0xc000-0xc3ff] of switch Lid 4 guid 0x... (name):
 *        Ports: 0 1 2 3 ...
 *    MLid
 *   0xc000        x   x
 *
 * (with -n a mask of hex digits, 16 ports each four) and
 *
 *   Switch 0x...
 *   LID    : Out Port(s)
 *   0xC000 : 0x007  0x00C
 *
 * Source: dump_fts.c (dump_multicast_tables, dump_mlid), osm_dump.c
 * (dump_mcast_routes). An x stands two columns behind the one before it.
 */
#include <string.h>

#include "collector/import/each_line.h"
#include "collector/import/mft_table.h"
#include "collector/import/scan.h"
#include "collector/import/stand_in.h"
#include "collector/import/trouble.h"

#define COLUMN_0 12		/* "0xc000      " */

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct trouble_list *troubles;
	struct device *device;		/* of the table being read, or NULL */
	struct mft_table table;
	uint64_t tables;
	uint64_t rows;			/* of this table */
	uint64_t last;			/* MLID of its newest row, 0: none */
	bool brief;
	bool closing;			/* a closing line counts the rows; it has not come yet */
	bool lost;			/* rows of the table are missing or were not understood */
};

/* The table into its device. An empty one is known to be empty; one with lost rows is not known. */
static int table_end(struct reader *reader)
{
	struct device *device = reader->device;
	int rc = 0;

	reader->device = NULL;
	if (device && reader->closing)
		rc = import_cut(reader->import, ATTRIBUTE_MFT,
				"it ends inside a switch's multicast table", reader->err);
	else if (device && reader->lost)
		rc = import_cut(reader->import, ATTRIBUTE_MFT,
				"a switch's multicast table has other rows than it counts",
				reader->err);
	else if (device)
		rc = mft_table_commit(&reader->table, reader->import, device, reader->err);
	reader->table.count = 0;
	reader->lost = false;
	return rc;
}

static int add_entry(struct reader *reader, uint64_t mlid, const uint8_t ports[32])
{
	import_row(reader->import);
	reader->rows++;
	return mft_table_add(&reader->table, (unsigned)mlid, ports, reader->err);
}

/* "Multicast mlids [...] of switch ... guid 0x... (name):", "Switch 0x...". 1: a head line, 0: none. */
static int read_head(struct reader *reader, struct scan scan)
{
	bool closing = scan_starts(&scan, "Multicast mlids [");
	struct scan words = scan;
	struct device *device;
	struct port *port;
	const char *at;
	uint64_t guid, lid;
	int rc = 0;

	if (closing)
		at = scan_find(&scan, "guid 0x");
	else
		at = scan_find(&scan, "Switch 0x");
	if (!at)
		return 0;
	scan.at = memchr(at, '0', (size_t)(scan.end - at));
	if (!scan_guid(&scan, &guid) || (closing && !scan_find_last(&scan, "):")))
		return 0;
	rc = table_end(reader);
	if (rc < 0)
		return rc;
	device = import_device(reader->import, guid, NODE_TYPE_SWITCH);
	if (!device)
		return err_no_memory(reader->err);
	reader->device = device;
	reader->brief = false;
	reader->closing = closing;
	reader->rows = 0;
	reader->last = 0;
	reader->tables++;
	words.at = scan_find(&words, "of switch Lid ");
	if (words.at && scan_literal(&words, "of switch Lid ") && scan_decimal(&words, &lid) &&
	    lid > 0 && lid <= INT64_MAX) {
		port = import_port(reader->import, device, 0);
		if (!port)
			return err_no_memory(reader->err);
		rc = IMPORT_PORT(reader->import, port, lid, (int64_t)lid, reader->err);
	}
	if (rc == 0 && scan_literal(&scan, " (")) {
		const char *stop = scan_find_last(&scan, "):");

		if (stop)
			rc = stand_in_name(reader->import, device, scan.at,
					   (size_t)(stop - scan.at), reader->err);
	}
	return rc < 0 ? rc : 1;
}

/* "0x007  0x00C" behind the colon. */
static bool read_port_list(struct scan scan, uint8_t ports[32])
{
	uint64_t port;

	for (;;) {
		scan_blanks(&scan);
		if (scan_done(&scan))
			return true;
		if (!scan_hex(&scan, &port) || port > 255)
			return false;
		ports[port >> 3] |= (uint8_t)(1u << (port & 7));
	}
}

/* "0006" a chunk of 16 ports, chunk 0 first. */
static bool read_masks(struct scan scan, uint8_t ports[32])
{
	scan_blanks(&scan);
	for (unsigned chunk = 0; chunk < 16 && scan_left(&scan) >= 4; chunk++) {
		struct scan digits = {scan.at, scan.at + 4};
		uint64_t mask;

		if (!scan_bare_hex(&digits, &mask) || !scan_done(&digits))
			return false;
		ports[2 * chunk] = (uint8_t)mask;
		ports[2 * chunk + 1] = (uint8_t)(mask >> 8);
		scan.at += 4;
	}
	scan_blanks(&scan);
	return scan_done(&scan);
}

/* An x in column 12 + 2n is port n. */
static bool read_crosses(const char *line, size_t length, uint8_t ports[32])
{
	for (size_t i = COLUMN_0; i < length; i++) {
		size_t port = (i - COLUMN_0) / 2;

		if (line[i] == ' ')
			continue;
		if (line[i] != 'x' || (i - COLUMN_0) % 2 != 0 || port > 254)
			return false;
		ports[port >> 3] |= (uint8_t)(1u << (port & 7));
	}
	return true;
}

/* 1: a row, 0: none. */
static int read_row(struct reader *reader, const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);
	uint8_t ports[32] = {0};
	uint64_t mlid;
	bool good;

	if (!scan_hex(&scan, &mlid) || mlid < MFT_FIRST_MLID || mlid > MFT_LAST_MLID)
		return 0;
	/* They go up: a lower one is of a switch whose title is missing. */
	if (mlid <= reader->last)
		return table_end(reader) < 0 ? ERR_NOMEM : 0;
	reader->last = mlid;
	if (scan_literal(&scan, " :"))
		good = read_port_list(scan, ports);
	else if (reader->brief)
		good = read_masks(scan, ports);
	else
		good = read_crosses(line, length, ports);
	if (!good)
		return 0;
	return add_entry(reader, mlid, ports) < 0 ? ERR_NOMEM : 1;
}

/* "2 valid mlids dumped": it ends the table. 1: such a line, 0: none. */
static int read_closing(struct reader *reader, struct scan scan)
{
	uint64_t number;

	if (!scan_decimal(&scan, &number) || !scan_char(&scan, ' '))
		return 0;
	scan_literal(&scan, "valid ");
	if (!scan_starts(&scan, "mlids dumped"))
		return 0;
	reader->closing = false;
	reader->lost = reader->lost || number != reader->rows;
	return table_end(reader) < 0 ? ERR_NOMEM : 1;
}

/* The lines between a title and its rows. 1: such a line, 0: none. */
static int read_heading(struct reader *reader, struct scan scan)
{
	uint64_t number;

	scan_blanks(&scan);
	if (scan_starts(&scan, "MLid       Port Mask"))
		reader->brief = true;
	else if (!scan_starts(&scan, "Ports: ") && !scan_starts(&scan, "MLid") &&
		 !scan_starts(&scan, "LID    : Out Port")) {
		/* The line of tens above the port numbers. */
		while (scan_decimal(&scan, &number))
			scan_blanks(&scan);
		return scan_done(&scan);
	}
	/* Behind rows it is that of a switch whose title is missing. */
	if (reader->device && reader->rows > 0 && table_end(reader) < 0)
		return ERR_NOMEM;
	return 1;
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	struct scan scan = scan_of(line, length);
	int rc = 0;

	if (reader->device)
		rc = read_row(reader, line, length);
	if (rc == 0)
		rc = read_head(reader, scan);
	if (rc == 0)
		rc = read_closing(reader, scan);
	if (rc == 0)
		rc = read_heading(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	return trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			      "not a row of a multicast table", &reader->lost, reader->err);
}

static int mft_dump_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	int rc;

	rc = each_line(input, read_line, &reader, err);
	if (rc == 0)
		rc = table_end(&reader);
	if (reader.tables > 1)
		import_asked(import, ATTRIBUTE_MFT);
	rc = trouble_end(reader.troubles, import, rc, err);
	mft_table_free(&reader.table);
	return rc;
}

static int mft_dump_detect(const struct probe *probe)
{
	if (probe_has_line(probe, "Multicast mlids ["))
		return 95;
	return probe_has_line(probe, "LID    : Out Port(s)") ? 95 : 0;
}

const struct format format_mft_dump = {
	.id = "mft-dump",
	.title = "multicast tables by dump_mfts, ibroute -M, opensm.mcfdbs",
	.rank = 45,
	.late = true,
	.loses = ATTRIBUTE_MFT,
	.sm_view = true,
	.detect = mft_dump_detect,
	.read = mft_dump_read,
};
