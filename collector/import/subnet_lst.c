/*
 * opensm-subnet.lst and ibdiagnet2.lst: a cable a line.
 *
 *   { CA-SM Ports:01 SystemGUID:... NodeGUID:... PortGUID:... VenID:... DevID:...
 *     Rev:... {description} LID:0010 PN:01 } { SW ... } PHY=4x LOG=ACT SPD=25
 *
 * Source: dump_topology_node() in OpenSM's osm_dump.c. All numbers in the braces
 * are hex without 0x. Width, state and speed are those of the first side's port;
 * OpenSM prints each cable from both sides, ibdiagnet from one.
 */
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/rows.h"
#include "collector/import/scan.h"
#include "collector/import/told_ends.h"

#define UNICAST_LIDS 0xc000
#define SM_STATE_MASTER 3

struct side {
	enum node_type type;
	bool master_sm;
	uint64_t ports, system_guid, node_guid, port_guid, vendor, device_id, revision, lid, num;
	bool has_ids, has_system;	/* vendor, device and revision are told; the system's GUID is */
	bool odd;			/* a word stands where one of them should */
	const char *description;
	size_t description_length;
};

struct reader {
	struct import *import;
	struct rows rows;
	struct err *err;
	struct told_ends told;
	bool once;		/* ibdiagnet's: no second line will tell of the second side's port */
};

/* "SW", "CA-SM", ... */
static bool read_type(struct scan *scan, struct side *side)
{
	if (scan_literal(scan, "SW"))
		side->type = NODE_TYPE_SWITCH;
	else if (scan_literal(scan, "CA"))
		side->type = NODE_TYPE_CA;
	else if (scan_literal(scan, "Rt"))
		side->type = NODE_TYPE_ROUTER;
	else if (scan_literal(scan, "**"))
		side->type = NODE_TYPE_UNKNOWN;
	else
		return false;
	side->master_sm = scan_literal(scan, "-SM");
	return true;
}

/* The keys in front of the description, in any order, then its opening brace. */
static bool read_keys(struct scan *scan, struct side *side)
{
	struct {
		const char *key;
		uint64_t *value;
		bool found;
	} keys[] = {
		{"Ports:", &side->ports, false},	 {"SystemGUID:", &side->system_guid, false},
		{"NodeGUID:", &side->node_guid, false},	 {"PortGUID:", &side->port_guid, false},
		{"VenID:", &side->vendor, false},	 {"DevID:", &side->device_id, false},
		{"Rev:", &side->revision, false},
	};
	const char *word;
	size_t length;

	for (;;) {
		size_t i;

		scan_blanks(scan);
		if (scan_char(scan, '{')) {
			side->has_system = keys[1].found;
			side->has_ids = keys[4].found && keys[5].found && keys[6].found;
			side->odd = side->odd && !(side->has_system && side->has_ids && keys[3].found);
			return keys[0].found && keys[2].found;
		}
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			if (!keys[i].found && scan_literal(scan, keys[i].key))
				break;
		}
		if (i == sizeof(keys) / sizeof(keys[0])) {
			if (!scan_word(scan, &word, &length) || !memchr(word, ':', length))
				return false;
			side->odd = true;
			continue;
		}
		if (!scan_bare_hex(scan, keys[i].value))
			return false;
		keys[i].found = true;
	}
}

/* "} LID:0010 PN:01 }" */
static bool read_end(struct scan *scan, struct side *side)
{
	struct scan rest = *scan;

	if (!scan_literal(&rest, "} LID:") || !scan_bare_hex(&rest, &side->lid) ||
	    !scan_literal(&rest, " PN:") || !scan_bare_hex(&rest, &side->num) ||
	    !scan_literal(&rest, " }"))
		return false;
	*scan = rest;
	return true;
}

static bool read_begin(struct scan *scan, struct side *side)
{
	struct scan rest = *scan;

	scan_blanks(&rest);
	if (!scan_char(&rest, '{'))
		return false;
	scan_blanks(&rest);
	if (!read_type(&rest, side) || !read_keys(&rest, side))
		return false;
	side->description = rest.at;
	*scan = rest;
	return true;
}

/*
 * The first side's description ends where the second side begins; that has more
 * fixed text than a description is long, so it cannot be forged by one.
 */
static bool read_first(struct scan *scan, struct side *first, struct side *second)
{
	struct scan rest = *scan;
	const char *at;

	if (!read_begin(&rest, first))
		return false;
	while ((at = scan_find(&rest, "} LID:")) != NULL) {
		struct scan after = {at, rest.end};

		rest.at = at + 1;
		if (!read_end(&after, first) || !read_begin(&after, second))
			continue;
		first->description_length = (size_t)(at - first->description);
		*scan = after;
		return true;
	}
	return false;
}

/* The second side's description ends at the last "} LID:" of the line. */
static bool read_second(struct scan *scan, struct side *second)
{
	const char *at = scan_find_last(scan, "} LID:");

	if (!at)
		return false;
	second->description_length = (size_t)(at - second->description);
	scan->at = at;
	return read_end(scan, second);
}

static bool side_is_sane(const struct side *side)
{
	return side->ports <= 254 && side->num <= 254 && side->num > 0 && side->lid <= 0xffff;
}

/* A port whose own LID is its SM's LID is where the master SM runs; two zeros are no match. */
static int note_sm(struct reader *reader, const struct side *side)
{
	struct sm *sm;

	if (!side->master_sm || side->lid == 0 || side->lid >= UNICAST_LIDS ||
	    side->port_guid == 0)
		return 0;
	sm = import_sm(reader->import, side->port_guid);
	if (!sm)
		return err_no_memory(reader->err);
	if (sm->lid == FIELD_UNKNOWN)
		sm->lid = (int64_t)side->lid;
	if (sm->state == FIELD_UNKNOWN)
		sm->state = SM_STATE_MASTER;
	return 0;
}

static int add_side(struct reader *reader, const struct side *side, struct port **ret_port)
{
	struct import *import = reader->import;
	struct row_shape shape = {side->type, (int64_t)side->ports, FIELD_UNKNOWN};
	uint64_t device_id = side->device_id;
	struct device *device;
	struct port *owner;
	int rc;

	/* OpenSM prints the second side's 16-bit id shifted up by 16 bits. */
	if (device_id > 0xffff && (device_id & 0xffff) == 0)
		device_id >>= 16;
	if (side->has_ids)
		shape.device_id = (int64_t)device_id;
	device = rows_device(&reader->rows, import, side->node_guid, &shape);
	if (!device)
		return err_no_memory(reader->err);
	*ret_port = import_port(import, device, (unsigned)side->num);
	owner = side->type == NODE_TYPE_SWITCH ? import_port(import, device, 0) : *ret_port;
	if (!*ret_port || !owner)
		return err_no_memory(reader->err);
	import_device_read(import, device, ATTRIBUTE_NODE_INFO);
	import_port_guid(import, owner, side->port_guid);
	rc = import_system_image_guid(import, device, side->system_guid, reader->err);
	if (rc == 0)
		rc = IMPORT_NODE(import, device, num_ports, (int64_t)side->ports, reader->err);
	if (rc == 0 && side->has_ids)
		rc = IMPORT_NODE(import, device, device_id, (int64_t)device_id, reader->err);
	if (rc == 0 && side->has_ids)
		rc = IMPORT_NODE(import, device, vendor_id, (int64_t)(side->vendor & 0xffffff),
				 reader->err);
	if (rc == 0 && side->has_ids)
		rc = IMPORT_NODE(import, device, revision, (int64_t)(side->revision & UINT32_MAX),
				 reader->err);
	if (rc == 0 && side->odd)
		rc = import_odd_once(import, "a field of a node is not understood", reader->err);
	if (rc == 0)
		rc = IMPORT_PORT(import, owner, lid, (int64_t)side->lid, reader->err);
	if (rc == 0 && side->description_length > 0)
		rc = import_description(import, device, side->description,
					side->description_length, reader->err);
	return rc < 0 ? rc : note_sm(reader, side);
}

static int64_t port_state(const char *text, size_t length)
{
	static const struct {
		const char *word;
		int64_t state;
	} states[] = {{"DWN", 1}, {"INI", 2}, {"ARM", 3}, {"ACT", 4}};

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (length == 3 && memcmp(text, states[i].word, 3) == 0)
			return states[i].state;
	}
	return FIELD_UNKNOWN;
}

/* " PHY=4x LOG=ACT SPD=25": all three, or nothing at all. */
static int add_link_words(struct reader *reader, struct scan scan, struct port *port)
{
	const char *word;
	size_t length;
	size_t words = 0;
	int found = 0;
	int64_t value;
	int rc = 0;

	while (rc == 0) {
		scan_blanks(&scan);
		if (!scan_word(&scan, &word, &length))
			break;
		if (length > 4 && memcmp(word, "PHY=", 4) == 0) {
			found += import_parse_width(word + 4, length - 4, &value);
			if (import_parse_width(word + 4, length - 4, &value))
				rc = IMPORT_PORT(reader->import, port, link_width_active, value,
						 reader->err);
		} else if (length > 4 && memcmp(word, "SPD=", 4) == 0) {
			found += import_parse_speed(word + 4, length - 4, &value);
			if (import_parse_speed(word + 4, length - 4, &value))
				rc = import_port_speed(reader->import, port, value, reader->err);
		} else if (length > 4 && memcmp(word, "LOG=", 4) == 0) {
			value = port_state(word + 4, length - 4);
			found += value != FIELD_UNKNOWN || word[4] == '?';
			rc = IMPORT_PORT(reader->import, port, port_state, value, reader->err);
		}
		words++;
	}
	if (rc == 0 && words > 0 && found < 3)
		rc = import_odd_once(reader->import, "a state, width or speed of its link is none",
				     reader->err);
	return rc;
}

/* Width and speed are what both ends agreed on; the state is each port's own. */
static int copy_link_words(struct reader *reader, const struct port *from, struct port *to)
{
	int rc = IMPORT_PORT(reader->import, to, link_width_active, from->info.link_width_active,
			     reader->err);

	if (rc == 0)
		rc = import_port_speed(reader->import, to, from->info.link_speed_code, reader->err);
	return rc;
}

/* 1: a cable was read, 0: the line is none. */
static int read_cable(struct reader *reader, struct scan scan)
{
	struct side first = {0};
	struct side second = {0};
	struct port *a, *b;
	int rc;

	if (!read_first(&scan, &first, &second) || !read_second(&scan, &second) ||
	    !side_is_sane(&first) || !side_is_sane(&second))
		return 0;
	rc = add_side(reader, &first, &a);
	if (rc == 0)
		rc = add_side(reader, &second, &b);
	if (rc == 0)
		rc = import_link(reader->import, a, b, reader->once, reader->err);
	if (rc == 0)
		rc = told_end_add(&reader->told, a, reader->err);
	if (rc == 0)
		rc = add_link_words(reader, scan, a);
	if (rc == 0 && reader->once)
		rc = copy_link_words(reader, a, b);
	if (rc < 0)
		return rc;
	import_port_read(reader->import, a, ATTRIBUTE_PORT_INFO);
	import_row(reader->import);
	return 1;
}

/* "# Running timestamp : 2025-03-31 23:43:18 UTC +0000" */
static void read_comment(struct reader *reader, struct scan scan)
{
	int64_t time;

	if (scan_find(&scan, "generated by IBDIAG"))
		reader->once = true;
	if (scan_literal(&scan, "# Running timestamp : ") &&
	    import_parse_time(scan.at, scan_left(&scan), &time))
		import_taken_at(reader->import, time);
}

static int subnet_lst_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .err = err};
	char *line;
	size_t length;
	int rc;

	import_lists_all(import);
	import_asked(import, ATTRIBUTE_NODE_DESCRIPTION);
	import_asked(import, ATTRIBUTE_NEIGHBOR);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		struct scan scan = scan_of(line, length);

		scan_blanks(&scan);
		if (scan_done(&scan))
			continue;
		if (*scan.at == '#') {
			read_comment(&reader, scan);
			continue;
		}
		rc = read_cable(&reader, scan);
		if (rc == 0)
			rc = import_odd(import, input, "not a cable between two braces", err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = import_links_back(import, err);
	/* ibdiagnet lists a cable once, and closes the file. */
	if (rc == 0 && !reader.once)
		rc = told_ends_settle(&reader.told, false, import, err);
	told_ends_free(&reader.told);
	rows_free(&reader.rows);
	return rc;
}

static int subnet_lst_detect(const struct probe *probe)
{
	size_t offset = 0;
	size_t cables = 0;
	size_t others = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);
		struct side side = {0};

		if (read_begin(&scan, &side))
			cables++;
		else if (length > 0 && line[0] != '#')
			others++;
	}
	if (cables == 0)
		return 0;
	/* A log at its most talkative quotes the cables among its own lines. */
	return cables >= others ? 95 : 60;
}

const struct format format_subnet_lst = {
	.id = "subnet.lst",
	.title = "cables as opensm-subnet.lst and ibdiagnet2.lst list them",
	.rank = 60,
	.one_look = true,
	.sm_view = true,
	.detect = subnet_lst_detect,
	.read = subnet_lst_read,
};
