/*
 * Files of one short line a row: sminfo's answer, OpenSM's guid2lid, neighbors
 * and guid2mkey, a node name map.
 *
 *   sminfo: sm lid 16 sm guid 0x..., activity count 2313 priority 0 state 3 SMINFO_MASTER
 *   0x<port GUID> 0x<lowest LID> 0x<highest LID>
 *   0x<port GUID>:<port> 0x<port GUID>:<port>
 *   0x<node GUID> "name"
 *
 * Source: sminfo.c; osm_db_pack.c; node_name_map.c.
 */
#include <string.h>

#include "collector/import/scan.h"
#include "collector/import/stand_in.h"
#include "collector/import/trouble.h"
#include "store/text.h"

#define OTHERS_MAX 50	/* so many lines too much that do not fit, and the file is another */

/* Reads one row of its kind: 1 taken, 0 not such, or ERR_NOMEM. */
typedef int (*row_fn)(struct import *import, struct scan scan, struct err *err);

/* Every line is a row, a comment, blank, or odd. */
static int read_rows(struct import *import, struct input *input, row_fn row, const char *reason,
		     struct err *err)
{
	struct trouble_list *troubles = NULL;
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		struct scan scan = scan_of(line, length);

		scan_blanks(&scan);
		if (scan_done(&scan) || *scan.at == '#')
			continue;
		rc = row(import, scan, err);
		if (rc == 1)
			import_row(import);
		if (rc == 0)
			rc = trouble_or_odd(&troubles, import, input, line, length, reason, NULL, err);
		if (rc < 0)
			break;
	}
	return trouble_end(troubles, import, rc, err);
}

/* True when most of the lines fit; comments and blank lines apart. */
static bool probe_is_most(const struct probe *probe, bool (*fits)(struct scan scan))
{
	size_t offset = 0;
	const char *line;
	size_t length;
	size_t rows = 0, others = 0;

	while (others < rows + OTHERS_MAX && probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);

		scan_blanks(&scan);
		scan_trim_end(&scan);
		if (scan_done(&scan) || *scan.at == '#')
			continue;
		if (fits(scan))
			rows++;
		else if (rows == 0 || offset < probe->length)	/* the beginning may end inside a line */
			others++;
	}
	return rows > others;
}

/* What stands behind `words`; nothing when they are not there. */
static struct scan behind(const struct scan *scan, const char *words)
{
	const char *at = scan_find(scan, words);

	return (struct scan){at ? at + strlen(words) : scan->end, scan->end};
}

/* The number behind `words`. */
static bool number_after(const struct scan *scan, const char *words, uint64_t *ret_value)
{
	struct scan rest = behind(scan, words);

	return scan_number(&rest, ret_value);
}

/* The line's last word, SMINFO_MASTER: without it the line is cut, maybe in a number. */
static bool ends_with_state(const struct scan *scan)
{
	static const char *const states[] = {"SMINFO_NOTACT", "SMINFO_DISCOVER", "SMINFO_STANDBY",
					     "SMINFO_MASTER", "?"};
	struct scan rest = *scan;
	const char *at = NULL;

	scan_trim_end(&rest);
	at = scan_find_last(&rest, " ");
	if (!at)
		return false;
	rest.at = at + 1;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		if (scan_left(&rest) == strlen(states[i]) && scan_starts(&rest, states[i]))
			return true;
	}
	return false;
}

static int sminfo_row(struct import *import, struct scan scan, struct err *err)
{
	uint64_t lid, guid, activity, priority, state;
	struct sm *sm;
	struct scan words = behind(&scan, "sm guid ");

	if (!number_after(&scan, "sm lid ", &lid) || lid > 0xffff || !scan_guid(&words, &guid) ||
	    !number_after(&scan, "activity count ", &activity) || activity > UINT32_MAX ||
	    !number_after(&scan, "priority ", &priority) || priority > 15 ||
	    !number_after(&scan, " state ", &state) || state > 15 || !ends_with_state(&scan))
		return 0;
	sm = import_sm(import, guid);
	if (!sm)
		return err_no_memory(err);
	sm->lid = (int64_t)lid;
	sm->act_count = (int64_t)activity;
	sm->priority = (int64_t)priority;
	sm->state = (int64_t)state;
	if (sm->port)
		import_port_read(import, sm->port, ATTRIBUTE_SM_INFO);
	return 1;
}

static int sminfo_read(struct import *import, struct input *input, struct err *err)
{
	return read_rows(import, input, sminfo_row, "not an answer of sminfo", err);
}

static int sminfo_detect(const struct probe *probe)
{
	return probe_has_line(probe, "sminfo: sm lid ") ? 95 : 0;
}

/* "0x... 0x0012 0x0013" */
static bool guid2lid_fits(struct scan scan)
{
	uint64_t guid, low, high;

	if (!scan_guid(&scan, &guid))
		return false;
	scan_blanks(&scan);
	if (!scan_hex(&scan, &low) || low > 0xffff)
		return false;
	scan_blanks(&scan);
	return scan_hex(&scan, &high) && high <= 0xffff && scan_done(&scan);
}

/* What OpenSM wants the LIDs to be after a restart; not what they are. */
static int guid2lid_row(struct import *import, struct scan scan, struct err *err)
{
	struct port *port;
	char key[GUID_TEXT_SIZE];
	uint64_t guid = 0;
	int rc;

	if (!guid2lid_fits(scan))
		return 0;
	scan_guid(&scan, &guid);
	scan_blanks(&scan);
	port = import_port_by_guid(import, guid);
	rc = import_fact(import, port ? port->device : NULL, port ? port->num : -1, "guid2lid",
			 guid_format(guid, key), scan.at, scan_left(&scan), err);
	return rc < 0 ? rc : 1;
}

static int guid2lid_read(struct import *import, struct input *input, struct err *err)
{
	return read_rows(import, input, guid2lid_row, "not a port GUID with two LIDs", err);
}

static int guid2lid_detect(const struct probe *probe)
{
	return probe_is_most(probe, guid2lid_fits) ? 80 : 0;
}

/* "0x...:1 0x...:37" */
static bool neighbors_fit(struct scan scan)
{
	uint64_t guid, num;

	for (int end = 0; end < 2; end++) {
		scan_blanks(&scan);
		if (!scan_guid(&scan, &guid) || !scan_char(&scan, ':') ||
		    !scan_decimal(&scan, &num) || num == 0 || num > 254)
			return false;
	}
	return scan_done(&scan);
}

/* One GUID for two ports: only a switch's ports share theirs. */
static bool has_another_port(const struct port *port)
{
	for (size_t p = 0; p < port->device->port_slots; p++) {
		if (port->device->ports[p] && port->device->ports[p] != port)
			return true;
	}
	return false;
}

static int neighbors_row(struct import *import, struct scan scan, struct err *err)
{
	struct port *ends[2];
	uint64_t guid, num;
	int rc;

	if (!neighbors_fit(scan))
		return 0;
	for (int end = 0; end < 2; end++) {
		struct port *owner;

		scan_blanks(&scan);
		if (!scan_guid(&scan, &guid) || !scan_char(&scan, ':') || !scan_decimal(&scan, &num))
			return 0;
		owner = stand_in_port(import, guid, NODE_TYPE_UNKNOWN, (unsigned)num);
		ends[end] = owner ? import_port(import, owner->device, (unsigned)num) : NULL;
		if (!ends[end])
			return err_no_memory(err);
		if (owner->device->type == NODE_TYPE_UNKNOWN && has_another_port(ends[end]))
			import_device(import, owner->device->guid, NODE_TYPE_SWITCH);
	}
	rc = import_link(import, ends[0], ends[1], true, err);
	return rc < 0 ? rc : 1;
}

static int neighbors_read(struct import *import, struct input *input, struct err *err)
{
	return read_rows(import, input, neighbors_row, "not two ports", err);
}

static int neighbors_detect(const struct probe *probe)
{
	return probe_is_most(probe, neighbors_fit) ? 85 : 0;
}

/* "0x... 0x..." */
static bool guid2mkey_fits(struct scan scan)
{
	uint64_t guid, key;

	if (!scan_guid(&scan, &guid))
		return false;
	scan_blanks(&scan);
	return scan_hex(&scan, &key) && scan_done(&scan);
}

/* Known so that it is not taken for something else; the keys are secrets and stay there. */
static int guid2mkey_read(struct import *import, struct input *input, struct err *err)
{
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		if (guid2mkey_fits(scan_of(line, length)))
			import_row(import);
	}
	return rc;
}

static int guid2mkey_detect(const struct probe *probe)
{
	return probe_is_most(probe, guid2mkey_fits) ? 75 : 0;
}

/*
 * `0x... "name"`, and words behind it that the tools pass over. Lines of iblinkinfo
 * --line that were cut begin so, too: with blanks in front of the name, or a LID
 * behind it.
 */
static bool name_map_fits(struct scan scan)
{
	const char *quote;
	uint64_t guid;

	if (!scan_hex(&scan, &guid) || (!scan_starts(&scan, " ") && !scan_starts(&scan, "\t")))
		return false;
	scan_blanks(&scan);
	if (!scan_char(&scan, '"') || scan_starts(&scan, " "))
		return false;
	quote = scan_find(&scan, "\"");
	if (!quote)
		return false;
	scan.at = quote + 1;
	scan_blanks(&scan);
	return scan_done(&scan) || *scan.at < '0' || *scan.at > '9';
}

static int name_map_row(struct import *import, struct scan scan, struct err *err)
{
	struct device *device;
	char key[GUID_TEXT_SIZE];
	const char *quote;
	uint64_t guid = 0;
	int rc;

	if (!name_map_fits(scan))
		return 0;
	scan_hex(&scan, &guid);
	scan_blanks(&scan);
	scan_char(&scan, '"');
	/* The tools take the name up to the next quote. */
	quote = scan_find(&scan, "\"");
	device = fabric_device_find(import_fabric(import), guid);
	if (device)
		rc = import_alias(import, device, scan.at, (size_t)(quote - scan.at), err);
	else
		rc = import_fact(import, NULL, -1, "node-name-map", guid_format(guid, key),
				 scan.at, (size_t)(quote - scan.at), err);
	return rc < 0 ? rc : 1;
}

static int name_map_read(struct import *import, struct input *input, struct err *err)
{
	return read_rows(import, input, name_map_row, "not a GUID with a name in quotes", err);
}

/* Also one whose GUIDs somebody took out before handing it over. */
static int name_map_detect(const struct probe *probe)
{
	if (probe_is_most(probe, name_map_fits))
		return 80;
	return probe_has_line(probe, "<guid>  \"") ? 40 : 0;
}

const struct format format_sminfo = {
	.id = "sminfo",
	.title = "sminfo answer",
	.rank = 80,
	.late = true,
	.loses = ATTRIBUTE_SM_INFO,
	.detect = sminfo_detect,
	.read = sminfo_read,
};

const struct format format_guid2lid = {
	.id = "guid2lid",
	.title = "OpenSM's memory of LIDs",
	.rank = 20,
	.late = true,
	.by_hand = true,
	.copied = true,
	.loses = ATTRIBUTE_SM_INFO,
	.config = true,
	.detect = guid2lid_detect,
	.read = guid2lid_read,
};

const struct format format_neighbors = {
	.id = "neighbors",
	.title = "OpenSM's memory of cables",
	.rank = 25,
	.late = true,
	.by_hand = true,
	.copied = true,
	.loses = ATTRIBUTE_NEIGHBOR,
	.sm_view = true,
	.detect = neighbors_detect,
	.read = neighbors_read,
};

const struct format format_guid2mkey = {
	.id = "guid2mkey",
	.title = "OpenSM's memory of M_Keys (nothing of it is kept)",
	.rank = 0,
	.late = true,
	.by_hand = true,
	.loses = ATTRIBUTE_SM_INFO,
	.config = true,
	.detect = guid2mkey_detect,
	.read = guid2mkey_read,
};

const struct format format_node_name_map = {
	.id = "node-name-map",
	.title = "node name map",
	.rank = 95,
	.late = true,
	.by_hand = true,
	.config = true,
	.detect = name_map_detect,
	.read = name_map_read,
};
