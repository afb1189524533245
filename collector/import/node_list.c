/*
 * Lists of nodes: ibnetdiscover -l, -H, -S, -R; ibhosts, ibswitches, ibrouters,
 * ibnodes.
 *
 *   Ca	 : 0x<node GUID> ports 1 devid 0x101b vendid 0x2c9 "name"
 *   Switch	: 0x<node GUID> ports 37 "name" enhanced port 0 lid 4 lmc 0
 *
 * Source: list_node() in ibnetdiscover.c; the scripts ibhosts and ibswitches.
 */
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/rows.h"
#include "collector/import/stand_in.h"
#include "collector/import/topology_text.h"
#include "collector/import/trouble.h"

struct node_line {
	enum node_type type;
	uint64_t guid, ports;
	int64_t device_id, vendor_id;
};

/* Up to the name. */
static bool read_node(struct scan *scan, struct node_line *node)
{
	static const struct {
		const char *word;
		enum node_type type;
	} types[] = {
		{"Ca", NODE_TYPE_CA},
		{"Switch", NODE_TYPE_SWITCH},
		{"Router", NODE_TYPE_ROUTER},
		{"Rt", NODE_TYPE_ROUTER},
	};
	struct scan rest = *scan;
	uint64_t value;
	size_t i;

	*node = (struct node_line){.device_id = FIELD_UNKNOWN, .vendor_id = FIELD_UNKNOWN};
	scan_blanks(&rest);
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (scan_literal(&rest, types[i].word))
			break;
	}
	if (i == sizeof(types) / sizeof(types[0]))
		return false;
	node->type = types[i].type;
	scan_blanks(&rest);
	if (!scan_char(&rest, ':'))
		return false;
	scan_blanks(&rest);
	if (!scan_guid(&rest, &node->guid) || !scan_literal(&rest, " ports ") ||
	    !scan_decimal(&rest, &node->ports) || node->ports > 254)
		return false;
	if (scan_literal(&rest, " devid ") && scan_hex(&rest, &value) && value <= 0xffff)
		node->device_id = (int64_t)value;
	if (scan_literal(&rest, " vendid ") && scan_hex(&rest, &value) && value <= 0xffffff)
		node->vendor_id = (int64_t)value;
	scan_blanks(&rest);
	*scan = rest;
	return true;
}

/* What stands behind the name. */
struct node_tail {
	const char *name;
	size_t length;
	bool port0;		/* "enhanced port 0 lid 4 lmc 0" */
	bool enhanced;
	int64_t lid;
	uint64_t lmc;
};

/* From the name on. False: the line is cut. */
static bool read_tail(struct scan scan, struct node_tail *tail)
{
	*tail = (struct node_tail){.lid = FIELD_UNKNOWN};
	if (topology_quoted(&scan, "\" enhanced port 0", &tail->name, &tail->length))
		tail->port0 = tail->enhanced = true;
	else if (topology_quoted(&scan, "\" base port 0", &tail->name, &tail->length))
		tail->port0 = true;
	else if (!topology_quoted(&scan, "\"", &tail->name, &tail->length))
		return false;
	scan_blanks(&scan);
	if (!tail->port0)
		return scan_done(&scan);
	if (scan_literal(&scan, "lid"))
		tail->lid = topology_lid(&scan);
	scan_blanks(&scan);
	if (!scan_literal(&scan, "lmc ") || !scan_decimal(&scan, &tail->lmc) || tail->lmc > 7)
		return false;
	scan_blanks(&scan);
	return scan_done(&scan);
}

static int add_port0(struct import *import, const struct node_tail *tail, struct device *device,
		     struct err *err)
{
	struct port *port = import_port(import, device, 0);
	int rc;

	if (!port)
		return err_no_memory(err);
	rc = IMPORT_SWITCH(import, device, enhanced_port0, tail->enhanced, err);
	if (rc == 0)
		rc = IMPORT_PORT(import, port, lid, tail->lid, err);
	if (rc == 0)
		rc = IMPORT_PORT(import, port, lmc, (int64_t)tail->lmc, err);
	return rc;
}

/* 1: a node, 0: none, or one whose line is cut. */
static int read_row(struct rows *rows, struct import *import, struct scan scan, struct err *err)
{
	struct node_line node;
	struct node_tail tail;
	struct row_shape shape;
	struct device *device;
	bool whole;
	int rc;

	if (!read_node(&scan, &node))
		return 0;
	whole = read_tail(scan, &tail);
	shape = (struct row_shape){node.type, (int64_t)node.ports, node.device_id};
	device = rows_device(rows, import, node.guid, &shape);
	if (!device)
		return err_no_memory(err);
	import_device_read(import, device, ATTRIBUTE_NODE_INFO);
	rc = IMPORT_NODE(import, device, num_ports, (int64_t)node.ports, err);
	if (rc == 0)
		rc = IMPORT_NODE(import, device, device_id, node.device_id, err);
	if (rc == 0)
		rc = IMPORT_NODE(import, device, vendor_id, node.vendor_id, err);
	if (rc == 0 && whole && tail.port0)
		rc = add_port0(import, &tail, device, err);
	if (rc == 0 && tail.length > 0 && (whole || tail.port0))
		rc = stand_in_name(import, device, tail.name, tail.length, err);
	if (rc < 0 || !whole)
		return rc;
	import_row(import);
	return 1;
}

static int node_list_read(struct import *import, struct input *input, struct err *err)
{
	struct rows rows = {NULL, 0};
	struct trouble_list *troubles = NULL;
	char *line;
	size_t length;
	int rc;

	/* Of one kind of node, or all: which of them shows by those that are there. */
	import_asked(import, ATTRIBUTE_NODE_INFO);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = read_row(&rows, import, scan_of(line, length), err);
		if (rc == 0)
			rc = trouble_or_odd(&troubles, import, input, line, length, "not a node of the list",
					    NULL, err);
		if (rc < 0)
			break;
	}
	rc = trouble_end(troubles, import, rc, err);
	rows_free(&rows);
	return rc;
}

static int node_list_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);
		struct node_line node;

		if (read_node(&scan, &node))
			return 80;
	}
	return 0;
}

const struct format format_node_list = {
	.id = "node-list",
	.title = "lists of nodes (ibnetdiscover -l, ibhosts, ibswitches, ibnodes)",
	.rank = 50,
	.detect = node_list_detect,
	.read = node_list_read,
};
