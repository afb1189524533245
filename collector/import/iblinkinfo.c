/*
 * iblinkinfo, by node and with --line:
 *
 *   CA: name:
 *         0x<port GUID>   4    1[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==>  2 17[  ] "name" ( )
 *   Switch: 0x<port GUID> name:
 *              2    1[  ] ==(                Down/ Polling)==>             [  ] "" ( )
 *
 *   0x<port GUID> "   name"   4    1[  ] ==(...)==>  0x<port GUID>  2 17[  ] "name" ( )
 *
 * Node GUIDs are not printed. With --line a GUID with several ports is a switch. Without
 * --line a neighbour is told by LID, port and name only, so links are settled when
 * all LIDs of the file are known.
 *
 * Rows of a node that has lost its title are nobody's: a switch's bear its LID and
 * no GUID, a CA's a GUID each, and the numbers of one node's ports go up.
 *
 * Source: print_node_header() and print_port() in iblinkinfo.c.
 */
#include <stdio.h>

#include "collector/import/line_nodes.h"
#include "collector/import/link_line.h"
#include "collector/import/link_pending.h"
#include "collector/import/port_run.h"
#include "collector/import/stand_in.h"
#include "collector/import/told_ends.h"
#include "collector/import/trouble.h"
#include "collector/import/words.h"

/* The node whose rows are being read. */
struct group {
	struct device *device;	/* NULL: no row with a GUID yet */
	enum node_type type;	/* as the title says, unknown with --line */
	const char *name;	/* of the title, interned; or NULL */
	uint64_t guid;		/* port GUID of the first row, or the title's */
	struct port *port;	/* of the first row */
	bool down;		/* that row's port is Down */
	int64_t lid;
	bool line;		/* rows with --line, which do not tell the type */
	bool lost;		/* rows come whose title is missing */
	struct port_run run;
};

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct group group;
	struct link_pending pending;
	struct line_nodes line_nodes;
	struct told_ends told;
	struct trouble_list *troubles;
	bool has_ca, has_switch;	/* titles of both kinds: all nodes were asked for */
	bool has_up;			/* a port that is not Down: not only those were asked for */
};

static int own_lid(struct reader *reader)
{
	struct group *group = &reader->group;
	struct port *owner = group->port;

	if (group->device->type == NODE_TYPE_SWITCH) {
		owner = import_port(reader->import, group->device, 0);
		if (!owner)
			return err_no_memory(reader->err);
	}
	return link_pending_own(&reader->pending, owner, group->lid, group->name, reader->err);
}

/* The LID of a node is sure when its last row was read. */
static int group_end(struct reader *reader)
{
	struct group *group = &reader->group;
	int rc = 0;

	if (group->port && group->line)
		rc = line_nodes_add(&reader->line_nodes, group->port, group->guid, group->lid,
				    group->name, group->down, reader->err);
	else if (group->port)
		rc = own_lid(reader);
	port_run_end(&group->run);
	*group = (struct group){.lid = FIELD_UNKNOWN, .run = group->run};
	return rc;
}

/* The port of a row, on the device its GUID (or the title's) names. */
static struct port *row_port(struct reader *reader, uint64_t guid, unsigned num)
{
	struct group *group = &reader->group;
	struct port *port;

	if (!group->device) {
		struct port *owner = stand_in_port(reader->import, guid, group->type, num);

		if (!owner)
			return NULL;
		group->device = owner->device;
		group->guid = guid;
	}
	port = import_port(reader->import, group->device, num);
	/* Each port of a CA has a GUID of its own. */
	if (port && !group->line && group->device->type != NODE_TYPE_SWITCH && guid != 0)
		import_port_guid(reader->import, port, guid);
	return port;
}

static int add_row(struct reader *reader, uint64_t guid, const struct link_line *link)
{
	struct group *group = &reader->group;
	struct port *port;
	int rc;

	if (link->num == 0)
		return import_odd(reader->import, reader->input, "port 0 has no cable", reader->err);
	if (link->cut)
		return import_odd(reader->import, reader->input, "the line is cut", reader->err);
	port = row_port(reader, guid, link->num);
	if (!port)
		return err_no_memory(reader->err);
	if (!group->port) {
		group->port = port;
		group->lid = link->lid;
		group->down = link->state == 1;
	} else if (group->device->type == NODE_TYPE_CA || group->device->type == NODE_TYPE_ROUTER) {
		rc = link_pending_own(&reader->pending, port, link->lid, group->name, reader->err);
		if (rc < 0)
			return rc;
	}
	rc = link_line_apply(reader->import, link, port, reader->err);
	import_port_read(reader->import, port, ATTRIBUTE_NEIGHBOR);
	import_row(reader->import);
	reader->has_up = reader->has_up || link->state > 1;
	if (rc == 0)
		rc = told_end_add(&reader->told, port, reader->err);
	if (rc == 0 && link->odd_word)
		rc = import_odd_once(reader->import, "a state, width or speed of its link is none", reader->err);
	if (rc == 0 && !link->has_remote && link->state == 1)
		rc = import_no_link(reader->import, port, reader->err);
	if (rc == 0 && link->has_remote)
		rc = link_pending_add(&reader->pending, reader->import, port, link, reader->err);
	if (rc == 0 && group->line)
		rc = line_nodes_port(&reader->line_nodes, guid, link->num, reader->err);
	if (rc == 0 && group->line && link->has_remote)
		rc = line_nodes_port(&reader->line_nodes, link->remote_guid, link->remote_num,
				     reader->err);
	return rc;
}

/* "CA: name:", "Switch: 0x... name:". 1: a title, 0: none. */
static int read_title(struct reader *reader, struct scan scan)
{
	static const struct {
		const char *word;
		enum node_type type;
	} titles[] = {
		{"CA: ", NODE_TYPE_CA},
		{"Switch: ", NODE_TYPE_SWITCH},
		{"Router: ", NODE_TYPE_ROUTER},
	};
	struct group *group = &reader->group;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		if (scan_literal(&scan, titles[i].word))
			break;
	}
	if (i == sizeof(titles) / sizeof(titles[0]) || scan_done(&scan) || scan.end[-1] != ':')
		return 0;
	rc = group_end(reader);
	if (rc < 0)
		return rc;
	group->type = titles[i].type;
	reader->has_ca = reader->has_ca || group->type == NODE_TYPE_CA;
	reader->has_switch = reader->has_switch || group->type == NODE_TYPE_SWITCH;
	scan.end--;
	if (group->type == NODE_TYPE_SWITCH) {
		struct port *port;
		uint64_t guid;

		if (!scan_guid(&scan, &guid))
			return 0;
		scan_blanks(&scan);
		port = stand_in_port(reader->import, guid, NODE_TYPE_SWITCH, 0);
		if (!port)
			return err_no_memory(reader->err);
		group->device = port->device;
		group->guid = guid;
	}
	group->name = import_intern(reader->import, scan.at, scan_left(&scan));
	return group->name ? 1 : err_no_memory(reader->err);
}

/* A row with --line: the GUID and the name in front. 1: such a row, 0: none. */
static int read_full_row(struct reader *reader, struct scan scan)
{
	struct link_line link;
	const char *arrow, *quote;
	struct scan name;
	uint64_t guid;
	int rc = 0;

	if (!scan_guid(&scan, &guid))
		return 0;
	scan_blanks(&scan);
	if (!scan_char(&scan, '"'))
		return 0;
	/* The name's end: the last quote in front of the first arrow's beginning. */
	arrow = scan_find(&scan, "] ==(");
	if (!arrow)
		return 0;
	name = (struct scan){scan.at, arrow};
	quote = scan_find_last(&name, "\"");
	if (!quote)
		return 0;
	scan.at = quote + 1;
	if (!link_line_parse(scan, &link))
		return 0;
	if (!reader->group.line || reader->group.guid != guid)
		rc = group_end(reader);
	if (rc < 0)
		return rc;
	port_run_next(&reader->group.run, link.num, input_line_number(reader->input));
	reader->group.line = true;
	reader->group.guid = guid;
	reader->group.name = import_intern(reader->import, name.at, (size_t)(quote - name.at));
	if (!reader->group.name)
		return err_no_memory(reader->err);
	rc = add_row(reader, guid, &link);
	return rc < 0 ? rc : 1;
}

/* Whether a row without --line is one of the node that the last title names. */
static bool is_of_group(struct reader *reader, uint64_t guid, const struct link_line *link)
{
	struct group *group = &reader->group;
	bool is_switch = group->type == NODE_TYPE_SWITCH;

	if (group->line || group->lost || (group->type == NODE_TYPE_UNKNOWN && guid == 0))
		return false;
	if (group->type != NODE_TYPE_UNKNOWN && is_switch != (guid == 0))
		return false;
	if (is_switch && group->port && link->lid != group->lid)
		return false;
	if (is_switch)
		return port_run_next(&group->run, link->num, input_line_number(reader->input));
	if (link->num <= group->run.last)
		return false;
	group->run.last = link->num;
	return true;
}

static int read_group_row(struct reader *reader, uint64_t guid, const struct link_line *link)
{
	int rc;

	if (link->num == 0 || link->cut || is_of_group(reader, guid, link))
		return add_row(reader, guid, link);
	rc = group_end(reader);
	reader->group.lost = true;
	return rc < 0 ? rc : import_odd(reader->import, reader->input,
					"a port of a node whose title is missing", reader->err);
}

static int read_line(struct reader *reader, const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);
	struct link_line link;
	uint64_t guid = 0;
	bool odd = false;
	int rc;

	scan_blanks(&scan);
	if (scan_done(&scan) || *scan.at == '#')
		return 0;
	rc = read_full_row(reader, scan);
	if (rc == 0)
		rc = read_title(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	scan_guid(&scan, &guid);
	if (link_line_parse(scan, &link))
		return read_group_row(reader, guid, &link);
	rc = trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			    "neither node nor port", &odd, reader->err);
	/* It may have been a title. Rows are indented. */
	if (rc == 0 && odd && (!reader->group.port || (*line != ' ' && *line != '\t'))) {
		rc = group_end(reader);
		reader->group.lost = true;
	}
	return rc;
}

/* Nothing shows that lines are missing, or were not understood. */
static bool is_whole(const struct reader *reader)
{
	const struct fabric *fabric = import_fabric(reader->import);
	source_ref ref = import_source_ref(reader->import);

	return reader->has_up && import_source(reader->import)->odd_rows == 0 &&
	       (fabric->hole_count == 0 || fabric->holes[fabric->hole_count - 1].source != ref);
}

/* What shows that lines are missing. */
static int tell_lost(struct reader *reader)
{
	bool all = (reader->has_ca || reader->line_nodes.has_ca) &&
		   (reader->has_switch || reader->line_nodes.has_switch);
	char text[120];
	int rc = 0;

	if (all && reader->pending.lost > 0) {
		snprintf(text, sizeof(text), "%zu cable%s to nodes that it has no lines of",
			 reader->pending.lost, reader->pending.lost == 1 ? " leads" : "s lead");
		rc = import_cut(reader->import, ATTRIBUTE_NODE_INFO, text, reader->err);
	}
	if (rc == 0)
		rc = told_ends_settle(&reader->told, !all, reader->import, reader->err);
	if (rc == 0 && reader->has_up)
		rc = port_run_tell(&reader->group.run, reader->import, reader->err);
	if (rc == 0 && all && is_whole(reader))
		import_lists_all_of_series(reader->import);
	return rc;
}

static int settle(struct reader *reader)
{
	int rc = group_end(reader);

	if (rc == 0)
		rc = line_nodes_settle(&reader->line_nodes, reader->import, &reader->pending,
				       reader->err);
	if (rc == 0)
		rc = link_pending_settle(&reader->pending, reader->import, reader->err);
	if (rc == 0)
		rc = tell_lost(reader);
	if (rc == 0)
		rc = trouble_resolve(reader->import, reader->troubles, 0, 0, reader->err);
	return rc;
}

static int iblinkinfo_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import,
				.input = input,
				.err = err,
				.group = {.lid = FIELD_UNKNOWN}};
	char *line;
	size_t length;
	int rc;

	import_asked(import, ATTRIBUTE_NEIGHBOR);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = read_line(&reader, line, length);
		if (rc < 0)
			break;
	}
	/* A node is named where a port of it follows. */
	if (rc == 0 && reader.group.name && !reader.group.port)
		rc = import_cut(import, ATTRIBUTE_NODE_INFO,
				"its last node has no ports behind its name", err);
	if (rc == 0)
		rc = settle(&reader);
	trouble_free(reader.troubles);
	link_pending_free(&reader.pending);
	line_nodes_free(&reader.line_nodes);
	told_ends_free(&reader.told);
	return rc;
}

static int iblinkinfo_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);
		struct link_line link;
		const char *arrow = scan_find(&scan, "] ==(");

		/* ibqueryerrors prints the same words behind "Link info:". */
		if (!arrow || scan_find(&scan, "Link info:"))
			continue;
		scan.at = arrow;
		while (scan.at > line && scan.at[-1] != '"' && scan.at[-1] != 'x')
			scan.at--;
		if (scan.at > line && scan.at[-1] == '"')
			return link_line_parse(scan, &link) ? 90 : 0;
		return 85;
	}
	return 0;
}

const struct format format_iblinkinfo = {
	.id = "iblinkinfo",
	.title = "iblinkinfo, by node or by line",
	.rank = 55,
	.late = true,
	.one_look = true,
	.detect = iblinkinfo_detect,
	.read = iblinkinfo_read,
};
