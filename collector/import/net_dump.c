/*
 * ibdiagnet2.net_dump (a table for each switch) and .net_dump_ext (one table for
 * all): cells between colons, columns found by the heading's names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/ibdiagnet_text.h"
#include "collector/import/net_links.h"
#include "collector/import/net_table.h"
#include "collector/import/port_run.h"
#include "collector/import/scan.h"
#include "store/text.h"

struct net_dump {
	struct import *import;
	struct device *device;		/* of the block; NULL in .net_dump_ext, and where the title is lost */
	bool titled;			/* the line before was a title */
	int64_t cut_line;		/* the first heading that is cut; 0: none */
	struct port_run run;		/* its rows */
	struct net_table table;
	struct net_links links;
};

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

	if (!scan_char(&scan, '"') || !(quote = scan_find_last(&scan, "\", ")))
		return 1;
	lid_at = scan_find_last(&scan, ", LID ");
	/* `"leaf", LID 3`: the GUID that stands between is lost. */
	if (!lid_at || lid_at < quote + 3)
		return 1;
	scan.at = quote + 3;
	scan.end = lid_at;
	scan.at = scan_find_last(&scan, "0x");
	/* What stands behind the word shows whether it was cut. */
	scan.end = line + length;
	if (!scan.at || !scan_guid(&scan, &guid))
		return 1;
	dump->device = import_device(dump->import, guid, NODE_TYPE_SWITCH);
	port0 = dump->device ? import_port(dump->import, dump->device, 0) : NULL;
	if (!port0)
		return err_no_memory(err);
	import_port_guid(dump->import, port0, guid);
	dump->titled = true;
	rc = import_description(dump->import, dump->device, line + 1, (size_t)(quote - line - 1),
				err);
	if (rc == 0 && import_parse_u64(lid_at + 6, length - (size_t)(lid_at + 6 - line), &lid) &&
	    lid <= INT64_MAX)
		rc = IMPORT_PORT(dump->import, port0, lid, (int64_t)lid, err);
	return rc;
}

/* All ports of a switch have the GUID of its port 0. */
static struct port *switch_port(struct net_dump *dump, uint64_t guid, unsigned num)
{
	struct port *port0 = ibdiagnet_port(dump->import, guid, 0);

	return port0 ? import_port(dump->import, port0->device, num) : NULL;
}

/* The port of this row; *ret_port NULL: the row names none. */
static int row_port(struct net_dump *dump, struct port **ret_port, struct err *err)
{
	int64_t num = net_number(&dump->table.cell[COLUMN_NUMBER], 254);
	const struct net_cell *guid_cell = &dump->table.cell[COLUMN_GUID];
	uint64_t guid;

	*ret_port = NULL;
	if (num == FIELD_UNKNOWN)
		return 0;
	if (guid_cell->text) {
		if (!import_parse_guid(guid_cell->text, guid_cell->length, &guid))
			return 0;
		if (net_node_type(&dump->table.cell[COLUMN_TYPE]) == NODE_TYPE_SWITCH)
			*ret_port = switch_port(dump, guid, (unsigned)num);
		else
			*ret_port = ibdiagnet_port(dump->import, guid, (unsigned)num);
	} else if (dump->device) {
		*ret_port = import_port(dump->import, dump->device, (unsigned)num);
	} else {
		return 0;
	}
	return *ret_port ? 0 : err_no_memory(err);
}

/* Something stands in the cell that is no value of its column; what has a value is not. */
static bool is_strange(const struct net_cell *cell, bool has_value)
{
	return cell->text && cell->length > 0 && !has_value && *cell->text != '?' &&
	       !import_is_unknown(cell->text, cell->length);
}

static bool has_strange_cell(const struct net_dump *dump)
{
	const struct net_cell *cell = dump->table.cell;
	int64_t value;

	return is_strange(&cell[COLUMN_STATE], net_port_state(&cell[COLUMN_STATE]) != FIELD_UNKNOWN) ||
	       is_strange(&cell[COLUMN_PHYS], net_phys_state(&cell[COLUMN_PHYS]) != FIELD_UNKNOWN) ||
	       is_strange(&cell[COLUMN_MTU], net_number(&cell[COLUMN_MTU], 15) != FIELD_UNKNOWN) ||
	       is_strange(&cell[COLUMN_WIDTH],
			  import_parse_width(cell[COLUMN_WIDTH].text, cell[COLUMN_WIDTH].length, &value)) ||
	       is_strange(&cell[COLUMN_SPEED],
			  import_parse_speed(cell[COLUMN_SPEED].text, cell[COLUMN_SPEED].length, &value)) ||
	       is_strange(&cell[COLUMN_PEER_LID],
			  net_number(&cell[COLUMN_PEER_LID], 0xffff) != FIELD_UNKNOWN);
}

static int row_fields(struct net_dump *dump, struct port *port, struct err *err)
{
	const struct net_cell *cell = dump->table.cell;
	int64_t mtu = net_number(&cell[COLUMN_MTU], 15);
	int64_t lanes;
	int64_t code;
	int rc = 0;

	if (cell[COLUMN_STATE].text)
		rc = IMPORT_PORT(dump->import, port, port_state, net_port_state(&cell[COLUMN_STATE]), err);
	if (rc == 0 && cell[COLUMN_PHYS].text)
		rc = IMPORT_PORT(dump->import, port, port_phys_state, net_phys_state(&cell[COLUMN_PHYS]),
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
				 net_number(&cell[COLUMN_LID], INT64_MAX), err);
	}
	import_port_read(dump->import, port, ATTRIBUTE_PORT_INFO);
	return rc;
}

static int row_facts(struct net_dump *dump, const struct port *port, struct err *err)
{
	static const struct {
		enum net_column column;
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
		const struct net_cell *cell = &dump->table.cell[facts[i].column];
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
	const struct net_cell *label = &dump->table.cell[COLUMN_LABEL];
	const struct net_cell *peer = &dump->table.cell[COLUMN_PEER_GUID];
	const struct net_cell *peer_label = &dump->table.cell[COLUMN_PEER_LABEL];
	struct net_neighbor neighbor = {.label = peer_label->text,
					.label_length = peer_label->length,
					.lid = net_number(&dump->table.cell[COLUMN_PEER_LID], 0xffff)};
	int rc = 0;

	if (peer->text)
		import_asked(dump->import, ATTRIBUTE_NEIGHBOR);
	if (label->text && label->length)
		rc = net_links_label(&dump->links, dump->import, port, label->text, label->length, err);
	if (rc < 0 || !peer->text || import_is_unknown(peer->text, peer->length))
		return rc;
	if (!import_parse_guid(peer->text, peer->length, &neighbor.guid))
		return import_odd_once(dump->import, "the neighbour's GUID is none", err);
	return net_links_add(&dump->links, dump->import, port, &neighbor, err);
}

static void strip_quotes(struct net_cell *text)
{
	if (text->length >= 2 && text->text[0] == '"' && text->text[text->length - 1] == '"') {
		text->text++;
		text->length -= 2;
	}
}

/*
 * A quotation that is not closed: the line was cut. One that something stands in
 * front of: the row has a cell more than the heading, and all are out of their place.
 */
static bool is_open(const struct net_cell *cell)
{
	if (!cell->text || cell->length == 0)
		return false;
	return cell->length == 1 ? cell->text[0] == '"' :
				   (cell->text[0] == '"') != (cell->text[cell->length - 1] == '"');
}

/* Something stands in front of the first column, or the end of the last is missing. */
static bool is_damaged(const struct net_dump *dump)
{
	const struct net_cell *label = &dump->table.cell[COLUMN_LABEL];
	const struct net_cell *type = &dump->table.cell[COLUMN_TYPE];

	return (type->text && net_node_type(type) == NODE_TYPE_UNKNOWN) ||
	       (label->text && memchr(label->text, ' ', label->length)) ||
	       is_open(&dump->table.cell[COLUMN_DESCRIPTION]) ||
	       is_open(&dump->table.cell[COLUMN_PEER_DESCRIPTION]);
}

/*
 * Where a switch has its own table its ports follow one another. One that does not
 * go on behind the one before belongs to a switch whose title is lost.
 */
static bool goes_on(struct net_dump *dump, struct input *input)
{
	int64_t num = net_number(&dump->table.cell[COLUMN_NUMBER], 254);

	return dump->table.cell[COLUMN_GUID].text || !dump->device || num == FIELD_UNKNOWN ||
	       port_run_next(&dump->run, (unsigned)num, input_line_number(input));
}

static void end_block(struct net_dump *dump)
{
	port_run_end(&dump->run);
	dump->device = NULL;
}

/* 1: the line is no row of the table. */
static int read_row(struct net_dump *dump, struct input *input, const char *line, size_t length,
		    struct err *err)
{
	struct net_cell *description = &dump->table.cell[COLUMN_DESCRIPTION];
	struct port *port;
	int rc;

	if (!net_table_row(&dump->table, line, length))
		return 1;
	if (is_damaged(dump))
		return 1;
	if (!goes_on(dump, input))
		end_block(dump);
	rc = row_port(dump, &port, err);
	if (rc < 0 || !port)
		return rc < 0 ? rc : 1;
	if (port->device->type == NODE_TYPE_UNKNOWN)
		port->device->type = net_node_type(&dump->table.cell[COLUMN_TYPE]);
	rc = row_fields(dump, port, err);
	if (rc == 0 && has_strange_cell(dump))
		rc = import_odd_once(dump->import, "a value is none of its column", err);
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
		if (net_is_heading(line, length)) {
			if (!dump->titled)
				end_block(dump);
			dump->titled = false;
			if (!net_table_heading(&dump->table, line, length)) {
				rc = import_odd(dump->import, input,
						"something stands in front of the heading", err);
				if (rc < 0)
					return rc;
			} else if (dump->table.cut && dump->cut_line == 0) {
				dump->cut_line = input_line_number(input);
			}
			continue;
		}
		if (ibdiagnet_comment(dump->import, line, length))
			continue;
		dump->titled = false;
		if (line[0] == '"') {
			end_block(dump);
			rc = read_title(dump, line, length, err);
		} else {
			rc = read_row(dump, input, line, length, err);
		}
		if (rc == 1)
			rc = import_odd(dump->import, input, "no row of this table", err);
		else if (rc == 0)
			import_row(dump->import);
		if (rc < 0)
			return rc;
	}
	end_block(dump);
	return rc;
}

static int tell_cut(const struct net_dump *dump, struct err *err)
{
	char text[120];

	if (dump->cut_line == 0)
		return 0;
	snprintf(text, sizeof(text), "the heading in line %lld ends in front of its last columns, so its "
		 "lines are cut", (long long)dump->cut_line);
	return import_cut(dump->import, ATTRIBUTE_PORT_INFO, text, err);
}

static int read_net_dump(struct import *import, struct input *input, struct err *err)
{
	struct net_dump dump = {.import = import};
	int rc;

	rc = read_lines(&dump, input, err);
	if (rc == 0)
		rc = net_links_settle(&dump.links, import, err);
	if (rc == 0)
		rc = port_run_tell(&dump.run, import, err);
	if (rc == 0)
		rc = tell_cut(&dump, err);
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

		if (net_is_heading(line, length) && scan_find(&scan, name))
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
	.one_look = true,
	.detect = detect_net_dump,
	.read = read_net_dump,
};

const struct format format_net_dump_ext = {
	.id = "ibdiagnet2.net_dump_ext",
	.title = "ibdiagnet2 ports with their error rates (ibdiagnet2.net_dump_ext)",
	.rank = 55,
	.late = true,
	.one_look = true,
	.detect = detect_net_dump_ext,
	.read = read_net_dump,
};
