/*
 * ibqueryerrors, with and without --counters, --data, -r and --details:
 *
 *   Errors for 0x<port GUID> "name"                 (a switch; a CA has the name only)
 *      GUID 0x<port GUID> port 5: [SymbolErrorCounter == 65535] [LinkDownedCounter == 2]
 *          Link info:  ...
 *
 * Counters below their threshold are not printed, so what is absent is unknown.
 * "port ALL" is the sum of a switch's ports and belongs to none. A text such as
 * "(1.566K)" behind an error counter is printed with the 64-bit form only.
 *
 * Source: print_results(), print_data_cnts() and print_port_config() in ibqueryerrors.c.
 */
#include <string.h>

#include "collector/import/counters.h"
#include "collector/import/each_line.h"
#include "collector/import/link_pending.h"
#include "collector/import/stand_in.h"
#include "collector/import/trouble.h"

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct trouble_list *troubles;
	const char *name;	/* of the node whose rows follow, interned; or NULL */
	bool is_switch;		/* its title has a GUID */
	bool titled;		/* a title came, and no row that cannot be its node's */
	uint64_t guid;		/* of the title, or 0 */
	uint64_t first_guid;	/* of the first row */
	unsigned first_num, last_num;
	bool node_guids;	/* "Data Counters for": rows have the node's GUID */
	struct device *device;	/* of the first row behind the title, or NULL */
	struct port *port;	/* of the last row */
	bool open;		/* nodes were told, and the summary that ends a report is still to come */
	uint64_t rows;		/* of ports in this report */
	uint64_t links;		/* of those, with a link line */
	struct link_pending pending;
};

/* `Errors for 0x... "name"`, `Data Counters for ...`. 1: a title, 0: none. */
static int read_title(struct reader *reader, struct scan scan)
{
	uint64_t guid;
	const char *quote;

	if (scan_literal(&scan, "Errors for "))
		reader->node_guids = false;
	else if (scan_literal(&scan, "Data Counters for "))
		reader->node_guids = true;
	else
		return 0;
	reader->open = true;
	reader->device = NULL;
	reader->port = NULL;
	reader->titled = true;
	reader->first_guid = 0;
	reader->guid = scan_guid(&scan, &guid) ? guid : 0;
	/* A GUID that lost digits names nobody. */
	if (reader->guid == 0 && scan_starts(&scan, "0x"))
		reader->titled = false;
	reader->is_switch = reader->guid != 0 && !reader->node_guids;
	reader->name = NULL;
	scan_blanks(&scan);
	quote = scan_find_last(&scan, "\"");
	if (!scan_char(&scan, '"') || !quote || quote < scan.at)
		return 1;
	reader->name = import_intern(reader->import, scan.at, (size_t)(quote - scan.at));
	return reader->name ? 1 : err_no_memory(reader->err);
}

/*
 * Whether the row is of the node that the title names: its GUID is the title's; where
 * that has none, GUIDs and numbers of a CA's ports run side by side.
 */
static bool is_of_title(struct reader *reader, uint64_t guid, unsigned num)
{
	if (!reader->titled || (reader->first_guid != 0 && num <= reader->last_num))
		return false;
	if (reader->guid != 0 ? guid != reader->guid :
	    reader->first_guid != 0 && guid - reader->first_guid != num - reader->first_num)
		return false;
	if (reader->first_guid == 0) {
		reader->first_guid = guid;
		reader->first_num = num;
	}
	reader->last_num = num;
	return true;
}

/* Each port of a CA has a GUID of its own; the title holds them together. */
static struct port *row_port(struct reader *reader, uint64_t guid, unsigned num)
{
	struct device *device = reader->device;
	struct port *port = NULL;

	if (reader->node_guids) {
		device = import_device(reader->import, guid, NODE_TYPE_UNKNOWN);
	} else if (!device || import_port_by_guid(reader->import, guid)) {
		port = stand_in_port(reader->import, guid,
				     reader->is_switch ? NODE_TYPE_SWITCH : NODE_TYPE_UNKNOWN,
				     num);
		device = port ? port->device : NULL;
	}
	/* Port 0 of something that is no switch: as good as no port. */
	if (!device || (num == 0 && !reader->is_switch && device->type != NODE_TYPE_SWITCH &&
			device->type != NODE_TYPE_UNKNOWN))
		return NULL;
	reader->device = device;
	port = import_port(reader->import, device, num);
	if (port && !reader->node_guids && !reader->is_switch)
		import_port_guid(reader->import, port, guid);
	return port;
}

/* "[SymbolErrorCounter == 65535] [PortXmitData == 6480 (25.312KB)]"; 1: the line is cut. */
static int add_counters(struct reader *reader, struct scan scan)
{
	const char *name, *stop, *close;
	enum counter counter;
	uint64_t value;
	bool wide;
	int rc = 0;

	while (rc == 0) {
		scan_blanks(&scan);
		if (!scan_char(&scan, '['))
			return 0;
		name = scan.at;
		stop = scan_find(&scan, " == ");
		if (!stop)
			return 0;
		scan.at = stop + 4;
		if (!scan_decimal(&scan, &value))
			return 0;
		wide = scan_starts(&scan, " (");
		/* Without it the line is cut, maybe in the number. */
		close = scan_find(&scan, "]");
		if (!close)
			return 1;
		counter = counter_of_name(name, (size_t)(stop - name));
		/* The data counters have the text in both forms. */
		if (counter == COUNTER_xmit_data || counter == COUNTER_rcv_data ||
		    counter == COUNTER_xmit_pkts || counter == COUNTER_rcv_pkts)
			wide = wide && value != UINT32_MAX;
		if (counter != COUNTER_COUNT && reader->port)
			rc = counter_apply(reader->import, reader->port, counter, value, wide,
					   reader->err);
		scan.at = close + 1;
	}
	return rc;
}

/* "   GUID 0x... port 5: [...]". 1: a row, 0: none. */
static int read_row(struct reader *reader, struct scan scan)
{
	uint64_t guid, num;
	int rc;

	scan_blanks(&scan);
	if (!scan_literal(&scan, "GUID ") || !scan_guid(&scan, &guid) ||
	    !scan_literal(&scan, " port "))
		return 0;
	reader->port = NULL;
	if (scan_literal(&scan, "ALL:")) {
		import_row(reader->import);
		return 1;
	}
	if (!scan_decimal(&scan, &num) || num > 254 || !scan_char(&scan, ':'))
		return 0;
	reader->rows++;
	if (!is_of_title(reader, guid, (unsigned)num)) {
		reader->titled = false;
		return 0;
	}
	reader->port = row_port(reader, guid, (unsigned)num);
	if (!reader->port)
		return 0;
	rc = add_counters(reader, scan);
	if (rc == 1)
		return 0;
	import_row(reader->import);
	if (rc == 0 && reader->name)
		rc = stand_in_name(reader->import, reader->port->device, reader->name,
				   strlen(reader->name), reader->err);
	return rc < 0 ? rc : 1;
}

/* "       Link info:  ...": of the port of the row before. 1: such a line, 0: none. */
static int read_link(struct reader *reader, struct scan scan)
{
	struct port *port = reader->port;
	struct link_line link;
	struct port *owner;
	int rc;

	scan_blanks(&scan);
	if (!scan_literal(&scan, "Link info:"))
		return 0;
	reader->links++;
	if (!port || !link_line_parse(scan, &link) || link.num != port->num || link.cut) {
		reader->port = NULL;
		rc = import_odd(reader->import, reader->input,
				"not the link of the port in the row before", reader->err);
		return rc < 0 ? rc : 1;
	}
	import_row(reader->import);
	/* One such line behind a row. */
	reader->port = NULL;
	rc = link_line_apply(reader->import, &link, port, reader->err);
	if (rc < 0)
		return rc;
	owner = port->device->type == NODE_TYPE_SWITCH ?
			import_port(reader->import, port->device, 0) : port;
	if (!owner)
		return err_no_memory(reader->err);
	rc = IMPORT_PORT(reader->import, owner, lid, link.lid, reader->err);
	if (rc == 0)
		rc = link_pending_own(&reader->pending, owner, link.lid, reader->name, reader->err);
	if (rc == 0 && link.odd_word)
		rc = import_odd_once(reader->import, "a state, width or speed of its link is none", reader->err);
	if (rc == 0 && link.has_remote)
		rc = link_pending_add(&reader->pending, reader->import, port, &link, reader->err);
	return rc < 0 ? rc : 1;
}

/*
 * "##          43 ports checked, 14 ports have errors beyond threshold": each of those has
 * a row, but for the data counters; with -r each row has its link line.
 */
static int read_summary(struct reader *reader, struct scan scan)
{
	uint64_t checked, bad;
	int rc = 0;

	if (scan_starts(&scan, "## Summary: "))
		reader->open = false;
	scan_literal(&scan, "##");
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &checked) || !scan_literal(&scan, " ports checked, ") ||
	    !scan_decimal(&scan, &bad))
		return 0;
	if (bad > reader->rows)
		rc = import_cut(reader->import, ATTRIBUTE_COUNTERS,
				"the summary counts more ports with errors than there are rows",
				reader->err);
	if (rc == 0 && reader->links > 0 && reader->links < reader->rows)
		rc = import_cut(reader->import, ATTRIBUTE_NEIGHBOR, "rows lack their link line",
				reader->err);
	reader->rows = reader->links = 0;
	return rc;
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	struct scan scan = scan_of(line, length);
	bool odd = false;
	int rc;

	rc = read_row(reader, scan);
	if (rc == 0)
		rc = read_title(reader, scan);
	if (rc == 0)
		rc = read_link(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (scan_starts(&scan, "##"))
		return read_summary(reader, scan);
	rc = trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			    "not a line of ibqueryerrors", &odd, reader->err);
	/* It may have been a title or a row. */
	if (odd)
		reader->port = NULL;
	if (odd && !scan_starts(&scan, "   "))
		reader->titled = false;
	return rc;
}

static int ibqueryerrors_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	int rc;

	rc = each_line(input, read_line, &reader, err);
	if (rc == 0 && reader.open)
		rc = import_cut(import, ATTRIBUTE_COUNTERS,
				"the line \"## Summary\" that ends a report is not there", err);
	if (rc == 0)
		rc = link_pending_settle(&reader.pending, import, err);
	rc = trouble_end(reader.troubles, import, rc, err);
	link_pending_free(&reader.pending);
	return rc;
}

static int ibqueryerrors_detect(const struct probe *probe)
{
	if (probe_has_line(probe, "Errors for ") || probe_has_line(probe, "Data Counters for "))
		return probe_has_line(probe, "GUID 0x") ? 92 : 60;
	return probe_has_line(probe, "## Summary: ") ? 85 : 0;
}

const struct format format_ibqueryerrors = {
	.id = "ibqueryerrors",
	.title = "ibqueryerrors report",
	.rank = 75,
	.late = true,
	.loses = ATTRIBUTE_COUNTERS,
	.detect = ibqueryerrors_detect,
	.read = ibqueryerrors_read,
};
