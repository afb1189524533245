/*
 * ibnetdiscover's topology text, ibdiagnet's variant of it, ibsim net files.
 *
 * Source: ibnetdiscover.c of rdma-core (out_switch, out_ca, out_switch_port,
 * out_ca_port). A port line tells the width and speed of the port it is for;
 * ports without a partner are not listed.
 */
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/lid_claims.h"
#include "collector/import/names.h"
#include "collector/import/rows.h"
#include "collector/import/scan.h"
#include "collector/import/topology_damage.h"
#include "collector/import/topology_ids.h"
#include "collector/import/topology_settle.h"
#include "collector/import/topology_text.h"
#include "collector/import/trouble.h"

struct reader {
	struct import *import;
	struct input *input;
	struct fabric *fabric;
	struct names names;
	struct lid_claims lids;
	struct rows rows;
	struct topology_ids ids;
	struct topology_doubts doubts;
	struct device *current;	/* whose port lines follow; NULL: nobody's */
	struct device *last;	/* the last one that had a header line */
	struct trouble_list *troubles;
	uint64_t from_node, from_port;
	struct topology_damage damage;
	bool torn;		/* the line lacks what should stand at its end */
	struct err *err;
};

/* A number behind which something always stands, and now nothing does, may have lost digits. */
static bool is_cut(struct reader *reader, const struct scan *scan)
{
	struct scan rest = *scan;

	scan_blanks(&rest);
	if (!scan_done(&rest))
		return false;
	reader->torn = true;
	return true;
}

/* The line ends in a name, or in front of one. */
static void note_open_name(struct reader *reader, const struct scan *scan)
{
	struct scan name = *scan;

	reader->torn = true;
	scan_blanks(&name);
	scan_char(&name, '#');
	scan_blanks(&name);
	if (reader->damage.open_line == 0 && scan_char(&name, '"') && !scan_find(&name, "\""))
		reader->damage.open_line = input_line_number(reader->input);
}

/* "4xEDR", "??SDR", "4x???" */
static int read_width_and_speed(struct reader *reader, struct scan *scan, struct port *port)
{
	const char *text;
	size_t length, width_length;
	int64_t width, code;
	const char *x;
	bool has_width;
	int rc;

	scan_blanks(scan);
	reader->torn = true;
	if (!scan_word(scan, &text, &length))
		return 0;
	x = memchr(text, 'x', length);
	width_length = x ? (size_t)(x - text) + 1 : 2;
	if (width_length > length)
		return 0;
	has_width = import_parse_width(text, width_length, &width);
	if (has_width) {
		rc = IMPORT_PORT(reader->import, port, link_width_active, width, reader->err);
		if (rc < 0)
			return rc;
	}
	if (!import_parse_speed(text + width_length, length - width_length, &code))
		return 0;
	reader->torn = !has_width;
	reader->damage.whole_lines++;
	if (code == FIELD_UNKNOWN)
		return 0;
	return import_port_speed(reader->import, port, code, reader->err);
}

/* What -f adds: " s=4 w=2 v=4"; s and w are in the words before it. */
static int read_full(struct reader *reader, const struct scan *scan, struct port *port)
{
	struct scan rest = *scan;
	const char *at = scan_find(&rest, " v=");
	uint64_t code;

	rest.at = at ? at + 3 : rest.at;
	if (!at || !scan_decimal(&rest, &code)) {
		reader->torn = reader->torn || scan_find(scan, " s");
		return 0;
	}
	if (code > 15)
		return 0;
	return IMPORT_PORT(reader->import, port, vl_cap, vl_count_of_code((unsigned)code),
			   reader->err);
}

static int odd(struct reader *reader, const char *reason)
{
	return import_odd(reader->import, reader->input, reason, reader->err);
}

/* `" base port 0 lid 5 lmc 0` behind a switch's name. */
static int read_switch_tail(struct reader *reader, struct scan *scan, struct device *device,
			    bool enhanced)
{
	struct port *port = import_port(reader->import, device, 0);
	int64_t lid;
	uint64_t lmc;
	int rc;

	if (!port)
		return err_no_memory(reader->err);
	import_device_read(reader->import, device, ATTRIBUTE_SWITCH_INFO);
	rc = IMPORT_SWITCH(reader->import, device, enhanced_port0, enhanced, reader->err);
	scan_blanks(scan);
	if (rc < 0 || !scan_literal(scan, "lid"))
		return rc;
	lid = topology_lid(scan);
	if (is_cut(reader, scan))
		return 0;
	rc = IMPORT_PORT(reader->import, port, lid, lid, reader->err);
	scan_blanks(scan);
	reader->torn = !scan_starts(scan, "lmc ");
	if (rc == 0 && scan_literal(scan, "lmc ") && scan_decimal(scan, &lmc) && lmc <= 7)
		rc = IMPORT_PORT(reader->import, port, lmc, (int64_t)lmc, reader->err);
	import_port_read(reader->import, port, ATTRIBUTE_PORT_INFO);
	return rc;
}

/* `# "name" ...` of a header line. False: no name there. */
static bool read_header_name(struct scan *scan, enum node_type type, bool *ret_enhanced,
			     bool *ret_tail, const char **ret_text, size_t *ret_length)
{
	struct scan rest = *scan;

	scan_blanks(&rest);
	if (!scan_char(&rest, '#'))
		return false;
	scan_blanks(&rest);
	*ret_tail = false;
	if (type == NODE_TYPE_SWITCH) {
		*ret_tail = true;
		*ret_enhanced = true;
		*scan = rest;
		if (topology_quoted(scan, "\" enhanced port 0", ret_text, ret_length))
			return true;
		*ret_enhanced = false;
		if (topology_quoted(scan, "\" base port 0", ret_text, ret_length))
			return true;
		*ret_tail = false;
	}
	*scan = rest;
	return topology_quoted(scan, "\"", ret_text, ret_length);
}

/* "Switch\t36 "S-..."\t\t# "name" base port 0 lid 5 lmc 0", "Ca\t1 ...", "Rt\t2 ..." */
static int read_header(struct reader *reader, struct scan scan, enum node_type type)
{
	struct row_shape shape = {type, FIELD_UNKNOWN, reader->ids.device_id};
	enum node_type letter;
	struct device *device;
	const char *text;
	size_t length;
	uint64_t ports, guid;
	bool enhanced = false, tail = false;
	int rc;

	reader->current = NULL;
	topology_damage_block(&reader->damage);
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &ports) || ports > 254)
		return odd(reader, "no number of ports");
	scan_blanks(&scan);
	if (!topology_node(&scan, &letter, &guid))
		return odd(reader, "no node GUID in quotes");
	if (topology_ids_doubted(&reader->ids, guid))
		shape.device_id = FIELD_UNKNOWN;
	shape.num_ports = (int64_t)ports;
	device = rows_device(&reader->rows, reader->import, guid, &shape);
	if (!device)
		return err_no_memory(reader->err);
	reader->current = device;
	reader->last = device;
	import_device_read(reader->import, device, ATTRIBUTE_NODE_INFO);
	rc = IMPORT_NODE(reader->import, device, num_ports, (int64_t)ports, reader->err);
	if (rc == 0)
		rc = topology_ids_apply(&reader->ids, &reader->doubts, reader->import, device,
					reader->err);
	if (rc == 0 && read_header_name(&scan, type, &enhanced, &tail, &text, &length)) {
		rc = names_own(&reader->names, reader->import, device, text, length, reader->err);
		if (rc == 0 && tail)
			rc = read_switch_tail(reader, &scan, device, enhanced);
		else
			reader->torn = type == NODE_TYPE_SWITCH;
	} else {
		note_open_name(reader, &scan);
	}
	topology_ids_reset(&reader->ids);
	import_row(reader->import);
	return rc;
}

/* `"name" lid 5 4xEDR s=4 w=2 v=4`: what is behind the port, and the port's own width and speed. */
static int read_remote(struct reader *reader, struct scan scan, struct port *port,
		       struct port *peer)
{
	const char *text;
	size_t length;
	int64_t lid;
	int rc;

	scan_blanks(&scan);
	if (!topology_quoted(&scan, "\" lid", &text, &length)) {
		note_open_name(reader, &scan);
		return 0;
	}
	rc = names_others(&reader->names, reader->import, peer->device, text, length, reader->err);
	if (rc < 0)
		return rc;
	lid = topology_lid(&scan);
	if (lid != FIELD_UNKNOWN && is_cut(reader, &scan))
		return !input_line_had_end(reader->input) ? 0 :
		       topology_damage_lid(&reader->damage, peer, lid, reader->err);
	if (peer->device->type == NODE_TYPE_SWITCH)
		rc = lid_claims_add(&reader->lids, reader->import, peer->device, lid, reader->err);
	else
		rc = IMPORT_PORT(reader->import, peer, lid, lid, reader->err);
	if (rc == 0)
		rc = read_width_and_speed(reader, &scan, port);
	if (rc == 0)
		rc = read_full(reader, &scan, port);
	return rc;
}

/* `lid 16 lmc 1` in front of the remote part of a CA's line. */
static int read_own_lid(struct reader *reader, struct scan *scan, struct port *port)
{
	uint64_t lmc;
	int64_t lid;
	int rc;

	scan_blanks(scan);
	if (!scan_literal(scan, "lid"))
		return 0;
	lid = topology_lid(scan);
	if (is_cut(reader, scan))
		return 0;
	rc = IMPORT_PORT(reader->import, port, lid, lid, reader->err);
	scan_blanks(scan);
	if (rc == 0 && scan_literal(scan, "lmc")) {
		scan_blanks(scan);
		if (scan_decimal(scan, &lmc) && lmc <= 7)
			rc = IMPORT_PORT(reader->import, port, lmc, (int64_t)lmc, reader->err);
	}
	return rc;
}

/* What stands between "[1]" and the remote name: "[ext 3]", "(1/1/2)", "(guid)". */
static void read_own_extras(struct reader *reader, struct scan *scan, struct port *port,
			    const char **ret_label, size_t *ret_label_length)
{
	uint64_t guid;
	bool is_guid;

	*ret_label = NULL;
	for (;;) {
		const char *start;

		scan_blanks(scan);
		start = scan->at;
		if (scan_literal(scan, "[ext ")) {
			const char *stop = memchr(scan->at, ']', scan_left(scan));

			scan->at = stop ? stop + 1 : scan->end;
			continue;
		}
		if (!topology_parenthesis(scan, &guid, &is_guid))
			return;
		/* ibdiagnet puts the port's label first: "(1)" is a label, 16 digits are a GUID. */
		if (is_guid && port->device->type != NODE_TYPE_SWITCH && scan->at - start > 6) {
			import_port_guid(reader->import, port, guid);
		} else {
			*ret_label = start + 1;
			*ret_label_length = (size_t)(scan->at - start) - 2;
		}
	}
}

/* A label that only repeats the port's number tells nothing. */
static bool is_number(const char *label, size_t length, unsigned num)
{
	struct scan scan = scan_of(label, length);
	uint64_t value;

	return scan_decimal(&scan, &value) && scan_done(&scan) && value == num;
}

static int read_port_line(struct reader *reader, struct scan scan, unsigned num)
{
	struct import *import = reader->import;
	struct port *port, *peer;
	struct device *device;
	enum node_type type;
	unsigned peer_num;
	const char *label;
	size_t label_length = 0;
	uint64_t guid;
	bool is_guid;
	int rc;

	/* Lines in front of a header that is lost are not the next one's. */
	topology_ids_reset(&reader->ids);
	if (!reader->current)
		return odd(reader, "a port line before any node");
	if (num == 0)
		return odd(reader, "port 0 has no cable");
	if (!topology_damage_port(&reader->damage, reader->current, scan, num)) {
		reader->current = NULL;
		return odd(reader, "a port line of a node whose header is missing");
	}
	port = import_port(import, reader->current, num);
	if (!port)
		return err_no_memory(reader->err);
	read_own_extras(reader, &scan, port, &label, &label_length);
	if (!topology_node(&scan, &type, &guid) || !topology_port(&scan, &peer_num) ||
	    peer_num == 0)
		return odd(reader, "no remote node and port");
	device = import_device(import, guid, type);
	peer = device ? import_port(import, device, peer_num) : NULL;
	if (!peer)
		return err_no_memory(reader->err);
	scan_blanks(&scan);
	if (scan_literal(&scan, "[ext ")) {
		const char *stop = memchr(scan.at, ']', scan_left(&scan));

		scan.at = stop ? stop + 1 : scan.end;
		scan_blanks(&scan);
	}
	if (topology_parenthesis(&scan, &guid, &is_guid) && is_guid && type != NODE_TYPE_SWITCH)
		import_port_guid(import, peer, guid);
	import_port_read(import, port, ATTRIBUTE_NEIGHBOR);
	import_port_read(import, port, ATTRIBUTE_PORT_INFO);
	rc = import_link(import, port, peer, false, reader->err);
	if (rc == 0 && label && !is_number(label, label_length, num))
		rc = import_fact(import, port->device, (int)port->num, "port", "label", label,
				 label_length, reader->err);
	scan_blanks(&scan);
	if (rc == 0 && scan_char(&scan, '#')) {
		if (reader->current->type != NODE_TYPE_SWITCH)
			rc = read_own_lid(reader, &scan, port);
		if (rc == 0)
			rc = read_remote(reader, scan, port, peer);
	} else {
		reader->torn = true;
	}
	import_row(import);
	return rc;
}

/* "# Topology file: generated on ...", "# Initiated from node X port Y", ibdiagnet's time stamps. */
static void read_comment(struct reader *reader, struct scan scan)
{
	static const char *const stamps[] = {
		"Topology file: generated on ", "Running timestamp : ", "Timestamp: ",
	};
	int64_t time;

	scan_char(&scan, '#');
	scan_blanks(&scan);
	for (size_t i = 0; i < sizeof(stamps) / sizeof(stamps[0]); i++) {
		if (!scan_literal(&scan, stamps[i]))
			continue;
		if (import_parse_time(scan.at, scan_left(&scan), &time))
			import_taken_at(reader->import, time);
		return;
	}
	if (scan_literal(&scan, "Initiated from node ") &&
	    scan_bare_hex(&scan, &reader->from_node) && scan_literal(&scan, " port "))
		scan_bare_hex(&scan, &reader->from_port);
}

static bool is_heading(const struct scan *scan)
{
	return scan_starts(scan, "Chassis ") || scan_starts(scan, "Non-Chassis Nodes") ||
	       scan_starts(scan, "Hostname: ");
}

static int read_line(struct reader *reader, const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);
	bool is_odd = false;
	unsigned num;
	int rc;

	scan_blanks(&scan);
	if (scan_done(&scan))
		return 0;
	if (*scan.at == '#') {
		read_comment(reader, scan);
		return 0;
	}
	if (topology_port(&scan, &num))
		return read_port_line(reader, scan, num);
	if (scan_literal(&scan, "Switch"))
		return read_header(reader, scan, NODE_TYPE_SWITCH);
	if (scan_literal(&scan, "Ca"))
		return read_header(reader, scan, NODE_TYPE_CA);
	if (scan_literal(&scan, "Rt"))
		return read_header(reader, scan, NODE_TYPE_ROUTER);
	if (topology_ids_line(&reader->ids, reader->fabric, scan)) {
		/* A new block begins, whatever becomes of its header. */
		reader->current = NULL;
		return 0;
	}
	if (is_heading(&scan))
		return 0;
	rc = trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			    "neither node nor port", &is_odd, reader->err);
	/* It may have been a header. */
	if (is_odd) {
		reader->current = NULL;
		topology_ids_reset(&reader->ids);
	}
	return rc;
}

static int settle(struct reader *reader)
{
	int rc = names_settle(&reader->names, reader->import, reader->err);

	if (rc == 0)
		rc = topology_ids_settle(&reader->doubts, reader->import, reader->err);
	if (rc == 0)
		rc = topology_damage_settle(&reader->damage, reader->import, &reader->lids,
					    reader->err);
	if (rc == 0)
		rc = lid_claims_settle(&reader->lids, reader->import, reader->err);
	if (rc == 0)
		rc = topology_settle(reader->import, &reader->rows, reader->last, reader->err);
	if (rc == 0)
		rc = trouble_resolve(reader->import, reader->troubles, reader->from_node,
				     reader->from_port, reader->err);
	return rc;
}

static int ibnetdiscover_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {
		.import = import,
		.input = input,
		.fabric = import_fabric(import),
		.err = err,
	};
	char *line;
	size_t length;
	int rc;

	topology_ids_reset(&reader.ids);
	import_lists_all(import);
	import_asked(import, ATTRIBUTE_NODE_DESCRIPTION);
	import_asked(import, ATTRIBUTE_NEIGHBOR);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		reader.torn = false;
		rc = read_line(&reader, line, length);
		if (reader.torn && reader.damage.torn_line == 0)
			reader.damage.torn_line = input_line_number(input);
		if (rc == 0 && reader.torn && !input_line_had_end(input))
			rc = import_odd_once(import, "the line is cut", err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = settle(&reader);
	trouble_free(reader.troubles);
	names_free(&reader.names);
	lid_claims_free(&reader.lids);
	rows_free(&reader.rows);
	topology_damage_free(&reader.damage);
	topology_ids_free(&reader.doubts);
	return rc;
}

static int ibnetdiscover_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;
	unsigned headers = 0, guids = 0;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);
		enum node_type type;
		uint64_t value;

		scan_blanks(&scan);
		if (scan_starts(&scan, "# Topology file: generated on "))
			return 95;
		if (scan_starts(&scan, "switchguid=") || scan_starts(&scan, "caguid=") ||
		    scan_starts(&scan, "rtguid=")) {
			guids++;
			continue;
		}
		if ((scan_literal(&scan, "Switch") || scan_literal(&scan, "Ca") ||
		     scan_literal(&scan, "Rt"))) {
			scan_blanks(&scan);
			if (!scan_decimal(&scan, &value))
				continue;
			scan_blanks(&scan);
			headers += topology_node(&scan, &type, &value);
		}
	}
	if (headers > 0)
		return guids > 0 ? 90 : 75;
	return 0;
}

const struct format format_ibnetdiscover = {
	.id = "ibnetdiscover",
	.title = "ibnetdiscover topology",
	.rank = 70,
	.one_look = true,
	.detect = ibnetdiscover_detect,
	.read = ibnetdiscover_read,
};
