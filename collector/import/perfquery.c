/*
 * perfquery, any number of answers in one file:
 *
 *   # Port counters: Lid 5 port 1 (CapMask: 0x1300)
 *   SymbolErrorCounter:..............0
 *
 * and the same with "extended counters" (-x), PortRcvErrorDetails (-E),
 * PortXmitDiscardDetails (-D). Port 255 is the sum of all ports, which belongs
 * to none; counters per SL and VL have no place.
 *
 * Source: perfquery.c; libibmad/fields.c.
 */
#include <string.h>

#include "collector/import/counters.h"
#include "collector/import/diag_dest.h"
#include "collector/import/each_line.h"
#include "collector/import/record_ends.h"
#include "collector/import/smp_values.h"
#include "collector/import/trouble.h"

#define MORE_WIDE_COUNTERS 2	/* CapMask2: PortCountersExtended holds the error counters too */

/* What the sets hold; the second names are those of releases before 2010. */
static const char *const plain_lines[] = {
	"PortSelect", "CounterSelect", "SymbolErrorCounter|SymbolErrors",
	"LinkErrorRecoveryCounter|LinkRecovers", "LinkDownedCounter|LinkDowned",
	"PortRcvErrors|RcvErrors", "PortRcvRemotePhysicalErrors|RcvRemotePhysErrors",
	"PortRcvSwitchRelayErrors|RcvSwRelayErrors", "PortXmitDiscards|XmtDiscards",
	"PortXmitConstraintErrors|XmtConstraintErrors",
	"PortRcvConstraintErrors|RcvConstraintErrors", "1CounterSelect2",
	"LocalLinkIntegrityErrors|LinkIntegrityErrors",
	"ExcessiveBufferOverrunErrors|ExcBufOverrunErrors", "2QP1Dropped", "VL15Dropped",
	"PortXmitData|XmtData", "PortRcvData|RcvData", "PortXmitPkts|XmtPkts",
	"PortRcvPkts|RcvPkts", "1PortXmitWait|XmtWait", NULL,
};

#define WIDE_LINES                                                                                 \
	"PortSelect", "CounterSelect", "PortXmitData", "PortRcvData", "PortXmitPkts",              \
		"PortRcvPkts", "PortUnicastXmitPkts", "PortUnicastRcvPkts",                        \
		"PortMulticastXmitPkts", "PortMulticastRcvPkts"

static const char *const wide_lines[] = {
	WIDE_LINES, "1CounterSelect2", "1SymbolErrorCounter", "1LinkErrorRecoveryCounter",
	"1LinkDownedCounter", "1PortRcvErrors", "1PortRcvRemotePhysicalErrors",
	"1PortRcvSwitchRelayErrors", "1PortXmitDiscards", "1PortXmitConstraintErrors",
	"1PortRcvConstraintErrors", "1LocalLinkIntegrityErrors",
	"1ExcessiveBufferOverrunErrors", "1VL15Dropped", "1PortXmitWait", "1QP1Dropped", NULL,
};
static const char *const more_lines[] = {
	WIDE_LINES, "CounterSelect2", "SymbolErrorCounter", "LinkErrorRecoveryCounter",
	"LinkDownedCounter", "PortRcvErrors", "PortRcvRemotePhysicalErrors",
	"PortRcvSwitchRelayErrors", "PortXmitDiscards", "PortXmitConstraintErrors",
	"PortRcvConstraintErrors", "LocalLinkIntegrityErrors", "ExcessiveBufferOverrunErrors",
	"VL15Dropped", "PortXmitWait", "QP1Dropped", NULL,
};
static const char *const received_lines[] = {
	"PortSelect", "CounterSelect", "PortLocalPhysicalErrors",
	"PortMalformedPktErrors|PortMalformedPacketErrors", "PortBufferOverrunErrors",
	"PortDLIDMappingErrors", "PortVLMappingErrors", "PortLoopingErrors", NULL,
};
static const char *const discards_lines[] = {
	"PortSelect", "CounterSelect", "PortInactiveDiscards", "PortNeighborMTUDiscards",
	"PortSwLifetimeLimitDiscards", "PortSwHOQLifetimeLimitDiscards", NULL,
};
static const char *const other_lines[] = {"PortSelect", NULL};

static const struct record_kind more_kind = {"extended counters", ATTRIBUTE_COUNTERS_EXTENDED,
					     more_lines, false};
/* The tool's many other sets: "# PortXmitDataSL counters: Lid 5 port 1". */
static const struct record_kind other_kind = {"counters", ATTRIBUTE_COUNTER_DETAILS, other_lines,
					      false};

/* 1: the 64-bit forms. */
static const struct record_title titles[] = {
	{"# Port counters: ", 0, {"counters", ATTRIBUTE_COUNTERS, plain_lines, false}},
	{"# Port extended counters: ", 1,
	 {"extended counters", ATTRIBUTE_COUNTERS_EXTENDED, wide_lines, false}},
	{"# PortRcvErrorDetails counters: ", 0,
	 {"PortRcvErrorDetails", ATTRIBUTE_COUNTER_DETAILS, received_lines, false}},
	{"# PortXmitDiscardDetails counters: ", 0,
	 {"PortXmitDiscardDetails", ATTRIBUTE_COUNTER_DETAILS, discards_lines, false}},
	{NULL, 0, {NULL, ATTRIBUTE_COUNT, NULL, false}},
};

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct diag_dests dests;
	struct trouble_list *troubles;
	struct record_ends ends;
	struct port *port;	/* of the block; NULL: nobody's, or a sum */
	bool wide;		/* the 64-bit forms */
	bool open;		/* inside a block */
};

/* The words of a block's title up to the address. */
static bool read_words(struct scan *scan, bool *ret_wide, const struct record_kind **ret_kind)
{
	const struct record_title *title;
	struct scan line = *scan;
	const char *address;
	uint64_t mask;

	*ret_kind = &other_kind;
	title = record_title_of(titles, scan->at, scan_left(scan));
	if (title) {
		scan->at += strlen(title->words);
		*ret_wide = title->what;
		*ret_kind = &title->kind;
		line.at = scan_find(&line, " CapMask2: ");
		if (line.at && scan_literal(&line, " CapMask2: ") && scan_hex(&line, &mask) &&
		    (mask & MORE_WIDE_COUNTERS))
			*ret_kind = &more_kind;
		return true;
	}
	address = scan_find(scan, " counters: ");
	if (!scan_starts(scan, "# Port") || !address)
		return false;
	scan->at = address + strlen(" counters: ");
	*ret_wide = false;
	return true;
}

/* 1: a title, 0: none. */
static int read_title(struct reader *reader, struct scan scan)
{
	const struct record_kind *kind;
	struct device *device = NULL;
	char address[128];
	uint64_t num;
	int rc;

	if (!read_words(&scan, &reader->wide, &kind))
		return 0;
	record_begin(&reader->ends, kind, input_line_number(reader->input));
	reader->open = true;
	reader->port = NULL;
	import_row(reader->import);
	if (!diag_address(&scan, address) || !scan_literal(&scan, " port ") ||
	    !scan_decimal(&scan, &num))
		return import_odd(reader->import, reader->input, "no address of a port",
				  reader->err) < 0 ? ERR_NOMEM : 1;
	if (num > 254)
		return 1;
	rc = diag_find(&reader->dests, reader->import, address, &device, reader->err);
	if (rc < 0)
		return rc;
	if (!device)
		return import_odd(reader->import, reader->input,
				  "no file says which node has this address", reader->err) < 0 ?
			       ERR_NOMEM : 1;
	/* Of a CA port 0 is the port asked through: with one port it is known which. */
	if (num == 0 && device->type != NODE_TYPE_SWITCH) {
		if (device->info.num_ports != 1)
			return 1;
		num = 1;
	}
	reader->port = import_port(reader->import, device, (unsigned)num);
	return reader->port ? 1 : err_no_memory(reader->err);
}

/* 1: a counter or another key of the block, 0: none. */
static int read_key(struct reader *reader, const char *line, size_t length)
{
	const char *key, *value;
	size_t key_length, value_length;
	enum counter counter;
	struct scan scan;
	uint64_t number;

	if (!reader->open ||
	    !smp_split(line, length, &key, &key_length, &value, &value_length))
		return 0;
	scan = scan_of(value, value_length);
	if (!scan_number(&scan, &number) || !record_key(&reader->ends, key, key_length))
		return 0;
	import_row(reader->import);
	counter = counter_of_name(key, key_length);
	if (counter == COUNTER_COUNT || !reader->port)
		return 1;
	return counter_apply(reader->import, reader->port, counter, number, reader->wide,
			     reader->err) < 0 ? ERR_NOMEM : 1;
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	struct scan scan = scan_of(line, length);
	int rc;

	rc = read_title(reader, scan);
	if (rc == 0)
		rc = read_key(reader, line, length);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (line_is_noise(line, length))
		return 0;
	/* What follows may be another port's. */
	reader->open = false;
	record_end(&reader->ends);
	if (*scan.at == '#')
		return 0;
	return trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			      "not a line of perfquery", NULL, reader->err);
}

static int perfquery_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	int rc;

	rc = each_line(input, read_line, &reader, err);
	if (rc == 0)
		rc = record_ends_settle(&reader.ends, import, err);
	rc = trouble_end(reader.troubles, import, rc, err);
	diag_free(&reader.dests);
	return rc;
}

static int perfquery_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);
		const struct record_kind *kind;
		char address[128];
		bool wide;

		if (read_words(&scan, &wide, &kind) && diag_address(&scan, address))
			return 90;
	}
	return 0;
}

const struct format format_perfquery = {
	.id = "perfquery",
	.title = "perfquery counters",
	.rank = 80,
	.late = true,
	.loses = ATTRIBUTE_COUNTERS,
	.detect = perfquery_detect,
	.read = perfquery_read,
};
