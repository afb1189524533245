/*
 * What a host's own tools print: ibstat, ibstatus, show_gids. Several hosts in
 * one log are told apart by their prompts.
 *
 *   CA 'mlx5_0'                         Infiniband device 'mlx5_0' port 1 status:
 *   	Node GUID: 0x...                 	default gid:	 fe80:...
 *   	Port 1:                          	base lid:	 0x96
 *   		State: Active            	rate:		 200 Gb/sec (4X HDR)
 *
 * show_gids: tab-separated DEV PORT INDEX GID IPv4 VER DEV; the IPv4 cell may be
 * empty, so cells are split at tabs.
 *
 * Source: ibstat.c, the script ibstatus (rdma-core); show_gids (mlnx-tools).
 */
#include <stdio.h>
#include <string.h>

#include "collector/import/each_line.h"
#include "collector/import/host_words.h"
#include "collector/import/record_ends.h"
#include "collector/import/scan.h"
#include "collector/import/trouble.h"
#include "collector/import/words.h"

static const char *const ca_lines[] = {
	"Number of ports", "Firmware version", "Hardware version", "Node GUID",
	"System image GUID", NULL,
};
static const char *const ibstat_lines[] = {
	"State", "Physical state", "Rate", "Base lid", "LMC", "SM lid", "Capability mask",
	"Port GUID", "Link layer", NULL,
};
static const char *const ibstatus_lines[] = {
	"default gid", "base lid", "sm lid", "state", "phys state", "rate", "link_layer", NULL,
};

static const struct record_kind ca_kind = {"CA", ATTRIBUTE_HOST, ca_lines, false};
static const struct record_kind ibstat_kind = {"port", ATTRIBUTE_HOST, ibstat_lines, false};
static const struct record_kind ibstatus_kind = {"port's status", ATTRIBUTE_HOST, ibstatus_lines,
						 false};

/* Keys that each port (and from DEVICE_KEYS on, each device) has once. */
static const char *const once_keys[] = {
	"state", "physical state", "phys state", "rate", "base lid", "lmc", "sm lid", "port guid",
	"default gid", "link layer", "link_layer", "ca type", "number of ports", "firmware version",
	"node guid",
};
#define DEVICE_KEYS 11

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	const char *host;	/* interned, or NULL */
	const char *device;	/* interned; the device whose lines follow, or NULL */
	struct host_port port;	/* gathered; .port 0: none open */
	uint64_t node_guid;
	const char *fw_version;
	struct record_ends ends;
	struct trouble_list *troubles;
	uint32_t seen;		/* keys of the port and the device so far, a bit each */
	uint64_t ports_owed;	/* that "Number of ports" promises of this device, less what came */
	/* Of the answer that is being read: `ibstat -s` prints no port of any device. */
	bool asked_short;	/* the command line has the -s */
	bool asked;		/* there is a command line */
	bool has_port;
	bool device_has_port;
	size_t bare;		/* devices without a port */
	char bare_text[128];	/* what the first of them lacks */
};

static int port_end(struct reader *reader)
{
	struct host_port port = reader->port;
	struct host_port *added;

	if (reader->port.port == 0 || !reader->device)
		return 0;
	reader->port.port = 0;
	port.host = (char *)reader->host;
	port.device = (char *)reader->device;
	port.node_guid = reader->node_guid;
	port.fw_version = (char *)reader->fw_version;
	port.source = import_source_ref(reader->import);
	host_port_settle(&port);
	added = fabric_host_port_add(import_fabric(reader->import));
	if (!added)
		return err_no_memory(reader->err);
	*added = port;
	return 0;
}

static void port_begin(struct reader *reader, uint64_t num)
{
	reader->seen &= ~((UINT32_C(1) << DEVICE_KEYS) - 1);
	reader->port = (struct host_port){.port = (uint8_t)num,
					  .state = FIELD_UNKNOWN,
					  .phys_state = FIELD_UNKNOWN,
					  .rate_mbps = FIELD_UNKNOWN,
					  .width = FIELD_UNKNOWN,
					  .lid = FIELD_UNKNOWN,
					  .lmc = FIELD_UNKNOWN,
					  .sm_lid = FIELD_UNKNOWN,
					  .gid_slots = FIELD_UNKNOWN,
					  .gids_unread = FIELD_UNKNOWN};
}

/* The device whose lines end here has all the ports that it says it has. */
static int check_ports(struct reader *reader)
{
	char text[sizeof(reader->bare_text)];
	bool bare = !reader->device_has_port;

	if (reader->ports_owed == 0 || !reader->device)
		return 0;
	snprintf(text, sizeof(text), "of the ports of %.60s %llu are missing", reader->device,
		 (unsigned long long)reader->ports_owed);
	reader->ports_owed = 0;
	if (!bare)
		return import_cut(reader->import, ATTRIBUTE_HOST, text, reader->err);
	if (reader->bare++ == 0)
		memcpy(reader->bare_text, text, sizeof(text));
	return 0;
}

/*
 * The answer ends: devices none of which has a port are `ibstat -s`. One device alone may be
 * the beginning of a whole answer, unless the command line tells.
 */
static int check_answer(struct reader *reader)
{
	bool is_short = !reader->has_port &&
			(reader->asked ? reader->asked_short : reader->bare > 1);
	int rc = 0;

	if (reader->bare > 0 && !is_short)
		rc = import_cut(reader->import, ATTRIBUTE_HOST, reader->bare_text, reader->err);
	reader->bare = 0;
	reader->has_port = false;
	return rc;
}

/* "ibstat -s", "ibstat --short mlx5_0" */
static bool is_short_command(const struct prompt *prompt)
{
	struct scan scan = scan_of(prompt->command, prompt->length);
	const char *tool = scan_find(&scan, "ibstat ");
	const char *word;
	size_t length;

	if (!tool)
		return false;
	scan.at = tool;
	for (scan_blanks(&scan); scan_word(&scan, &word, &length); scan_blanks(&scan)) {
		if ((length == 2 && memcmp(word, "-s", 2) == 0) ||
		    (length == 7 && memcmp(word, "--short", 7) == 0))
			return true;
	}
	return false;
}

static int device_begin(struct reader *reader, const char *name, size_t length)
{
	int rc = port_end(reader);

	if (rc == 0)
		rc = check_ports(reader);

	reader->device_has_port = false;
	reader->seen = 0;
	reader->node_guid = 0;
	reader->fw_version = NULL;
	reader->device = import_intern(reader->import, name, length);
	if (rc == 0 && !reader->device)
		rc = err_no_memory(reader->err);
	return rc;
}

/* The text between the quotes at the cursor. */
static bool read_name(struct scan *scan, const char **ret_name, size_t *ret_length)
{
	const char *stop;

	if (!scan_char(scan, '\''))
		return false;
	stop = memchr(scan->at, '\'', scan_left(scan));
	if (!stop || stop == scan->at)
		return false;
	*ret_name = scan->at;
	*ret_length = (size_t)(stop - scan->at);
	scan->at = stop + 1;
	return true;
}

/* "CA 'mlx5_0'", "Infiniband device 'mlx5_0' port 1 status:", "Port 1:". 1: such a line, 0: none. */
static int read_title(struct reader *reader, struct scan scan)
{
	const char *name;
	size_t length;
	uint64_t num;
	int rc;

	if (scan_literal(&scan, "CA '") || scan_literal(&scan, "CA: '")) {
		scan.at--;
		if (!read_name(&scan, &name, &length))
			return 0;
		rc = device_begin(reader, name, length);
		/* One at least. */
		reader->ports_owed = 1;
		record_begin(&reader->ends, &ca_kind, input_line_number(reader->input));
		return rc < 0 ? rc : 1;
	}
	if (scan_literal(&scan, "Infiniband device ")) {
		if (!read_name(&scan, &name, &length) || !scan_literal(&scan, " port ") ||
		    !scan_decimal(&scan, &num) || num == 0 || num > 254)
			return 0;
		record_begin(&reader->ends, &ibstatus_kind, input_line_number(reader->input));
		rc = device_begin(reader, name, length);
		port_begin(reader, num);
		return rc < 0 ? rc : 1;
	}
	if (scan_literal(&scan, "Port ") && scan_decimal(&scan, &num) && num > 0 && num <= 254 &&
	    scan_char(&scan, ':')) {
		rc = port_end(reader);
		port_begin(reader, num);
		reader->has_port = reader->device_has_port = true;
		if (reader->ports_owed > 0)
			reader->ports_owed--;
		record_begin(&reader->ends, &ibstat_kind, input_line_number(reader->input));
		return rc < 0 ? rc : 1;
	}
	return 0;
}

/* 1, or ERR_NOMEM. */
static int take_number(struct reader *reader, const char *name, const char *text, size_t length,
		       int64_t largest, int64_t *slot)
{
	uint64_t value;
	int rc = 0;

	if (import_parse_u64(text, length, &value))
		rc = import_within(reader->import, name, value > INT64_MAX ? -1 : (int64_t)value,
				   largest, slot, reader->err);
	else if (length > 0 && !import_is_word(text, length, "n/a"))
		rc = import_odd_once(reader->import, "a number that is none", reader->err);
	return rc < 0 ? rc : 1;
}

/* 1, or ERR_NOMEM. */
static int take_host_guid(struct reader *reader, const char *text, size_t length,
			  uint64_t *ret_guid)
{
	if (!host_guid_parse(text, length, ret_guid) &&
	    import_odd_once(reader->import, "a GUID that is none", reader->err) < 0)
		return ERR_NOMEM;
	return 1;
}

static int take_text(struct reader *reader, const char *text, size_t length, const char **slot)
{
	*slot = import_intern(reader->import, text, length);
	return *slot ? 1 : err_no_memory(reader->err);
}

/*
 * Whether the key is of the port, or device, of the last title: one that comes a
 * second time, or of a port where none was begun, has lost its own. *ret_rc: 0 or
 * ERR_NOMEM.
 */
static bool is_of_title(struct reader *reader, const char *key, size_t length, int *ret_rc)
{
	size_t i = 0;

	*ret_rc = 0;
	while (i < sizeof(once_keys) / sizeof(once_keys[0]) &&
	       !import_is_word(key, length, once_keys[i]))
		i++;
	if (i == sizeof(once_keys) / sizeof(once_keys[0]))
		return true;
	if (!(reader->seen >> i & 1) && (i >= DEVICE_KEYS || reader->port.port != 0)) {
		reader->seen |= UINT32_C(1) << i;
		return true;
	}
	*ret_rc = port_end(reader);
	reader->port.port = 0;
	if (i >= DEVICE_KEYS)
		reader->device = NULL;
	return false;
}

/* 1: a key of either tool, 0: none. */
static int take_key(struct reader *reader, const char *key, size_t key_length, const char *text,
		    size_t length)
{
	struct host_port *port = &reader->port;
	const char *speed = NULL;
	uint8_t gid[16];
	int rc;

	if (!is_of_title(reader, key, key_length, &rc))
		return rc;
	record_key(&reader->ends, key, key_length);
	if (import_is_word(key, key_length, "state")) {
		words_port_state(text, length, &port->state);
	} else if (import_is_word(key, key_length, "physical state") ||
		   import_is_word(key, key_length, "phys state")) {
		words_phys_state(text, length, &port->phys_state);
	} else if (import_is_word(key, key_length, "rate")) {
		host_rate(text, length, &port->rate_mbps, &port->width, &speed);
		port->speed = (char *)speed;
	} else if (import_is_word(key, key_length, "base lid")) {
		return take_number(reader, "LID", text, length, 0xffff, &port->lid);
	} else if (import_is_word(key, key_length, "lmc")) {
		return take_number(reader, "LMC", text, length, 7, &port->lmc);
	} else if (import_is_word(key, key_length, "sm lid")) {
		return take_number(reader, "SM LID", text, length, 0xffff, &port->sm_lid);
	} else if (import_is_word(key, key_length, "port guid")) {
		return take_host_guid(reader, text, length, &port->port_guid);
	} else if (import_is_word(key, key_length, "default gid")) {
		if (host_gid_parse(text, length, gid))
			port->port_guid = host_gid_guid(gid);
	} else if (import_is_word(key, key_length, "link layer") ||
		   import_is_word(key, key_length, "link_layer")) {
		const char *layer = import_is_word(text, length, "ib") ? "InfiniBand" : NULL;

		/* A RoCE port's default GID is made of its MAC: no GUID of a fabric. */
		if (import_is_word(text, length, "ethernet") && reader->node_guid == 0)
			port->port_guid = 0;
		if (layer)
			return take_text(reader, layer, strlen(layer),
					 (const char **)&port->link_layer);
		return take_text(reader, text, length, (const char **)&port->link_layer);
	} else if (import_is_word(key, key_length, "node guid")) {
		return take_host_guid(reader, text, length, &reader->node_guid);
	} else if (import_is_word(key, key_length, "firmware version")) {
		return take_text(reader, text, length, &reader->fw_version);
	} else if (import_is_word(key, key_length, "number of ports")) {
		if (!import_parse_u64(text, length, &reader->ports_owed) || reader->ports_owed > 254)
			reader->ports_owed = 0;
	} else {
		return import_is_word(key, key_length, "ca type") ||
		       import_is_word(key, key_length, "hardware version") ||
		       import_is_word(key, key_length, "system image guid") ||
		       import_is_word(key, key_length, "capability mask");
	}
	return 1;
}

static int answer_end(struct reader *reader)
{
	int rc = port_end(reader);

	if (rc == 0)
		rc = check_ports(reader);
	return rc == 0 ? check_answer(reader) : rc;
}

/* What follows a command line is of the host that it ran on. */
static int note_host(struct reader *reader, const char *line, size_t length)
{
	size_t host_length;
	const char *host = host_in_prompt(line, length, &host_length);
	struct prompt prompt;
	bool prompts = prompt_find(line, length, &prompt);
	int rc;

	if (prompts && prompt.length > 0) {
		rc = answer_end(reader);
		reader->asked = true;
		reader->asked_short = is_short_command(&prompt);
		if (rc < 0)
			return rc;
	}
	if (!host)
		return 0;
	if (prompts) {
		host = prompt.host;
		host_length = prompt.host_length;
	}
	rc = answer_end(reader);
	reader->device = NULL;
	reader->host = host ? import_intern(reader->import, host, host_length) : NULL;
	if (rc == 0 && host && !reader->host)
		rc = err_no_memory(reader->err);
	return rc;
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	struct scan scan = scan_of(line, length);
	const char *colon, *text;
	size_t text_length;
	int rc;

	scan_blanks(&scan);
	if (scan_done(&scan))
		return 0;
	rc = read_title(reader, scan);
	colon = memchr(scan.at, ':', scan_left(&scan));
	if (rc == 0 && colon && reader->device) {
		text = colon + 1;
		text_length = (size_t)(scan.end - text);
		import_trim(&text, &text_length);
		rc = take_key(reader, scan.at, (size_t)(colon - scan.at), text, text_length);
	}
	if (rc == 1)
		import_row(reader->import);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (line_is_noise(line, length))
		return note_host(reader, line, length);
	return trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			      "not a line of ibstat or ibstatus", NULL, reader->err);
}

static int host_text_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err,
				.host = import_prompt_host(import)};
	int rc;

	rc = each_line(input, read_line, &reader, err);
	if (rc == 0)
		rc = answer_end(&reader);
	if (rc == 0)
		rc = record_ends_settle(&reader.ends, import, err);
	return trouble_end(reader.troubles, import, rc, err);
}

/* The next cell of a line split at tabs, blanks trimmed; false behind the last. */
static bool next_cell(struct scan *scan, bool *more, const char **ret_text, size_t *ret_length)
{
	const char *tab;

	if (!*more)
		return false;
	tab = memchr(scan->at, '\t', scan_left(scan));
	*ret_text = scan->at;
	*ret_length = (size_t)((tab ? tab : scan->end) - scan->at);
	scan->at = tab ? tab + 1 : scan->end;
	*more = tab != NULL;
	import_trim(ret_text, ret_length);
	return true;
}

/* "v1" and "v2" as the kernel calls them; NULL: neither. */
static const char *gid_type(const char *text, size_t length)
{
	if (import_is_word(text, length, "v1"))
		return "RoCE v1";
	return import_is_word(text, length, "v2") ? "RoCE v2" : NULL;
}

/*
 * Device, port, index, GID, then an IPv4 address or empty cells, how many depends
 * on the tool's version; the version's cell is known by its word. 1: a row, 0: none.
 */
static int gid_row(struct reader *reader, struct scan scan)
{
	struct {
		const char *text;
		size_t length;
	} cells[10];
	struct host_gid *entry;
	uint64_t num, index;
	uint8_t gid[16];
	bool more = true;
	size_t count = 0;

	while (count < 10 && next_cell(&scan, &more, &cells[count].text, &cells[count].length))
		count++;
	if (count < 4 || cells[0].length == 0 ||
	    !import_parse_u64(cells[1].text, cells[1].length, &num) || num == 0 || num > 254 ||
	    !import_parse_u64(cells[2].text, cells[2].length, &index) || index > 65535 ||
	    !host_gid_parse(cells[3].text, cells[3].length, gid))
		return 0;
	if (host_gid_is_zero(gid))
		return 1;
	entry = fabric_host_gid_add(import_fabric(reader->import));
	if (!entry)
		return err_no_memory(reader->err);
	entry->host = (char *)reader->host;
	entry->device = import_intern(reader->import, cells[0].text, cells[0].length);
	entry->port = (uint8_t)num;
	entry->index = (int)index;
	memcpy(entry->gid, gid, sizeof(gid));
	entry->source = import_source_ref(reader->import);
	for (size_t i = 4; i < count && !entry->type; i++) {
		entry->type = (char *)gid_type(cells[i].text, cells[i].length);
		if (entry->type && i + 1 < count && cells[i + 1].length > 0)
			entry->netdev = import_intern(reader->import, cells[i + 1].text,
						      cells[i + 1].length);
	}
	return entry->device ? 1 : err_no_memory(reader->err);
}

/* "n_gids_found=4": rows that it counts and nobody sees were lost. */
static int end_gids(struct reader *reader, struct scan scan, uint64_t rows)
{
	uint64_t found;
	char text[128];

	if (!scan_decimal(&scan, &found) || found <= rows)
		return 0;
	snprintf(text, sizeof(text), "it has %llu GIDs, and its last line counts %llu",
		 (unsigned long long)rows, (unsigned long long)found);
	return import_cut(reader->import, ATTRIBUTE_HOST, text, reader->err);
}

static int show_gids_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err,
				.host = import_prompt_host(import)};
	uint64_t rows = 0;
	bool open = false;
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		struct scan scan = scan_of(line, length);

		rc = gid_row(&reader, scan);
		if (rc == 0 && scan_literal(&scan, "n_gids_found=")) {
			rc = end_gids(&reader, scan, rows);
			rows = 0;
			open = false;
			if (rc == 0)
				continue;
		}
		open = open || rc == 1 || scan_starts(&scan, "DEV\t");
		rows += rc == 1;
		if (rc == 1)
			import_row(import);
		else if (rc == 0 && line_is_noise(line, length))
			rc = note_host(&reader, line, length);
		else if (rc == 0 && !scan_starts(&scan, "DEV\t") && !scan_starts(&scan, "---"))
			rc = import_odd(import, input, "not a row of show_gids", err);
		if (rc < 0)
			break;
	}
	if (rc == 0 && open)
		rc = import_cut(import, ATTRIBUTE_HOST,
				"the line \"n_gids_found=\" that ends it is not there", err);
	return rc;
}

static int ibstat_detect(const struct probe *probe)
{
	if (probe_has(probe, "CA '") && probe_has_line(probe, "Port GUID:"))
		return 90;
	/* With -s there are no ports. */
	if (probe_has_line(probe, "CA '") && probe_has_line(probe, "CA type:") &&
	    probe_has_line(probe, "Node GUID:"))
		return 80;
	return probe_has_line(probe, "CA: '") ? 70 : 0;
}

static int ibstatus_detect(const struct probe *probe)
{
	return probe_has_line(probe, "Infiniband device '") ? 90 : 0;
}

static int show_gids_detect(const struct probe *probe)
{
	return probe_has_line(probe, "DEV\tPORT\tINDEX\tGID") ? 95 : 0;
}

const struct format format_ibstat = {
	.id = "ibstat",
	.title = "ibstat of a host",
	.rank = 50,
	.loses = ATTRIBUTE_HOST,
	.detect = ibstat_detect,
	.read = host_text_read,
};

const struct format format_ibstatus = {
	.id = "ibstatus",
	.title = "ibstatus of a host",
	.rank = 50,
	.loses = ATTRIBUTE_HOST,
	.detect = ibstatus_detect,
	.read = host_text_read,
};

const struct format format_show_gids = {
	.id = "show_gids",
	.title = "GID tables of a host by show_gids",
	.rank = 50,
	.loses = ATTRIBUTE_HOST,
	.detect = show_gids_detect,
	.read = show_gids_read,
};
