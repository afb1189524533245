/*
 * ibdiagnet2.pm, .cables and .nodes_info: a title between two dashed lines,
 * then lines "name=value" or "name: value" until the next one.
 */
#include <stdio.h>
#include <string.h>

#include "collector/import/ibdiagnet_text.h"
#include "collector/import/scan.h"

#define BLOCK_NAMES_MAX 128	/* names of one block that are looked for again */

/* The state of one file's reading. */
struct blocks {
	struct import *import;
	struct port *port;	/* of the block, or NULL */
	struct device *device;
	const char *seen[BLOCK_NAMES_MAX];	/* names of the block so far, interned */
	size_t seen_count;
	/* .pm: what the short forms said, until their twins come. */
	uint64_t value[COUNTER_COUNT];
	uint64_t twin[COUNTER_COUNT];
	uint64_t has_value;
	uint64_t has_twin;
};

/* What a format does with a title and with a pair; 1: not understood. */
struct block_reader {
	int (*title)(struct blocks *blocks, const char *line, size_t length, struct err *err);
	int (*pair)(struct blocks *blocks, const char *name, size_t name_length, const char *value,
		    size_t value_length, struct err *err);
	int (*end)(struct blocks *blocks, struct err *err);
	char separator;
	const char *first;	/* the name that begins a block without its title, or NULL */
};

struct counter_name {
	enum counter counter;
	const char *name;
	const char *twin;
};

static const struct counter_name counter_names[] = {
	{COUNTER_link_downed, "link_down_counter", "link_downed_counter_extended"},
	{COUNTER_link_downed, "link_downed_counter", NULL},
	{COUNTER_link_error_recovery, "link_error_recovery_counter",
	 "link_error_recovery_counter_extended"},
	{COUNTER_symbol_error, "symbol_error_counter", "symbol_error_counter_extended"},
	{COUNTER_rcv_remote_physical_errors, "port_rcv_remote_physical_errors",
	 "port_rcv_remote_physical_errors_extended"},
	{COUNTER_rcv_errors, "port_rcv_errors", "port_rcv_errors_extended"},
	{COUNTER_xmit_discards, "port_xmit_discard", "port_xmit_discards_extended"},
	{COUNTER_xmit_discards, "port_xmit_discards", NULL},
	{COUNTER_rcv_switch_relay_errors, "port_rcv_switch_relay_errors",
	 "port_rcv_switch_relay_errors_extended"},
	{COUNTER_excessive_buffer_overrun_errors, "excessive_buffer_errors",
	 "excessive_buffer_overrun_errors_extended"},
	{COUNTER_excessive_buffer_overrun_errors, "excessive_buffer_overrun_errors", NULL},
	{COUNTER_local_link_integrity_errors, "local_link_integrity_errors",
	 "local_link_integrity_errors_extended"},
	{COUNTER_rcv_constraint_errors, "port_rcv_constraint_errors",
	 "port_rcv_constraint_errors_extended"},
	{COUNTER_xmit_constraint_errors, "port_xmit_constraint_errors",
	 "port_xmit_constraint_errors_extended"},
	{COUNTER_vl15_dropped, "vl15_dropped", "vl15_dropped_extended"},
	{COUNTER_qp1_dropped, "qp1_dropped", "qp1_dropped_extended"},
	{COUNTER_xmit_data, "port_xmit_data", "port_xmit_data_extended"},
	{COUNTER_rcv_data, "port_rcv_data", "port_rcv_data_extended"},
	{COUNTER_xmit_pkts, "port_xmit_pkts", "port_xmit_pkts_extended"},
	{COUNTER_rcv_pkts, "port_rcv_pkts", "port_rcv_pkts_extended"},
	{COUNTER_xmit_wait, "port_xmit_wait", "port_xmit_wait_extended"},
	{COUNTER_unicast_xmit_pkts, NULL, "port_unicast_xmit_pkts"},
	{COUNTER_unicast_rcv_pkts, NULL, "port_unicast_rcv_pkts"},
	{COUNTER_multicast_xmit_pkts, NULL, "port_multicast_xmit_pkts"},
	{COUNTER_multicast_rcv_pkts, NULL, "port_multicast_rcv_pkts"},
	{COUNTER_local_physical_errors, "port_local_physical_errors", NULL},
	{COUNTER_malformed_packet_errors, "port_malformed_packet_errors", NULL},
	{COUNTER_buffer_overrun_errors, "port_buffer_overrun_errors", NULL},
	{COUNTER_dlid_mapping_errors, "port_dlid_mapping_errors", NULL},
	{COUNTER_vl_mapping_errors, "port_vl_mapping_errors", NULL},
	{COUNTER_looping_errors, "port_looping_errors", NULL},
	{COUNTER_inactive_discards, "port_inactive_discards", NULL},
	{COUNTER_neighbor_mtu_discards, "port_neighbor_mtu_discards", NULL},
	{COUNTER_sw_lifetime_limit_discards, "port_sw_lifetime_limit_discards", NULL},
	{COUNTER_sw_hoq_lifetime_limit_discards, "port_sw_hoq_lifetime_limit_discards", NULL},
};

static bool is_name(const char *text, size_t length, const char *name)
{
	return name && strlen(name) == length && memcmp(text, name, length) == 0;
}

/* "Port=1 Lid=0x00b4 GUID=0x... Port Name=...": the port of the block. */
static int title_port(struct blocks *blocks, const char *line, size_t length, struct err *err)
{
	uint64_t guid;
	uint64_t num;

	blocks->port = NULL;
	if (!ibdiagnet_guid(line, length, "GUID=", &guid) ||
	    !ibdiagnet_number(line, length, "Port=", &num) || num > 254)
		return 1;
	blocks->port = ibdiagnet_port(blocks->import, guid, (unsigned)num);
	return blocks->port ? ibdiagnet_lid(blocks->import, blocks->port, line, length, "Lid=", err)
			    : err_no_memory(err);
}

/* Hands over what the block of a port counted. */
static int pm_end(struct blocks *blocks, struct err *err)
{
	int rc = 0;

	for (int c = 0; blocks->port && c < COUNTER_COUNT && rc == 0; c++)
		rc = import_counter_pair(blocks->import, blocks->port, (enum counter)c,
					 blocks->has_value >> c & 1 ? &blocks->value[c] : NULL,
					 blocks->has_twin >> c & 1 ? &blocks->twin[c] : NULL, err);
	blocks->has_value = 0;
	blocks->has_twin = 0;
	return rc;
}

static int pm_title(struct blocks *blocks, const char *line, size_t length, struct err *err)
{
	int rc = pm_end(blocks, err);

	return rc < 0 ? rc : title_port(blocks, line, length, err);
}

static int pm_pair(struct blocks *blocks, const char *name, size_t name_length, const char *text,
		   size_t text_length, struct err *err)
{
	uint64_t value;

	(void)err;
	if (!blocks->port)
		return 1;
	if (import_is_unknown(text, text_length))
		return 0;
	/* Always with 0x here: without it the digits are hex all the same. */
	if (text_length < 3 || text[1] != 'x' || !import_parse_u64(text, text_length, &value))
		return 1;
	for (size_t i = 0; i < sizeof(counter_names) / sizeof(counter_names[0]); i++) {
		const struct counter_name *row = &counter_names[i];

		if (is_name(name, name_length, row->name)) {
			blocks->value[row->counter] = value;
			blocks->has_value |= UINT64_C(1) << row->counter;
			return 0;
		}
		if (is_name(name, name_length, row->twin)) {
			blocks->twin[row->counter] = value;
			blocks->has_twin |= UINT64_C(1) << row->counter;
			return 0;
		}
	}
	return 0;
}

static int cables_pair(struct blocks *blocks, const char *name, size_t name_length,
		       const char *text, size_t text_length, struct err *err)
{
	char key[64];

	if (!blocks->port || name_length >= sizeof(key))
		return 1;
	if (import_is_unknown(text, text_length))
		return 0;
	memcpy(key, name, name_length);
	key[name_length] = '\0';
	return import_fact(blocks->import, blocks->port->device, blocks->port->num, "cable", key,
			   text, text_length, err);
}

/* "Node Name=...": the GUID comes with the pairs. */
static int nodes_title(struct blocks *blocks, const char *line, size_t length, struct err *err)
{
	(void)err;
	blocks->device = NULL;
	return length > 10 && memcmp(line, "Node Name=", 10) == 0 ? 0 : 1;
}

static int nodes_pair(struct blocks *blocks, const char *name, size_t name_length,
		      const char *text, size_t text_length, struct err *err)
{
	uint64_t guid;

	if (is_name(name, name_length, "GUID")) {
		if (!import_parse_guid(text, text_length, &guid))
			return 1;
		/* It begins the block, whether or not the title stands over it. */
		blocks->seen_count = 0;
		blocks->device = import_device(blocks->import, guid, NODE_TYPE_UNKNOWN);
		return blocks->device ? 0 : err_no_memory(err);
	}
	if (!blocks->device)
		return 1;
	if (import_is_unknown(text, text_length) || is_name(text, text_length, "0.0.0"))
		return 0;
	if (is_name(name, name_length, "FWInfo_Extended_Version"))
		return import_fw_version(blocks->import, blocks->device, text, text_length, err);
	if (is_name(name, name_length, "FWInfo_Version") && !blocks->device->fw_version)
		return import_fw_version(blocks->import, blocks->device, text, text_length, err);
	if (is_name(name, name_length, "FWInfo_PSID"))
		return import_psid(blocks->import, blocks->device, text, text_length, err);
	if (is_name(name, name_length, "HWInfo_UpTime"))
		return import_fact(blocks->import, blocks->device, -1, "device", "HWInfo_UpTime",
				   text, text_length, err);
	return 0;
}

static bool is_rule(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && line[i] == '-')
		i++;
	return length >= 10 && i == length;
}

/* A block has each name once: one that comes again belongs to a block whose title is lost. */
static int note_name(struct blocks *blocks, const struct block_reader *reader, const char *name,
		     size_t length, struct err *err)
{
	const char *own = import_intern(blocks->import, name, length);
	int rc = 0;

	if (!own)
		return err_no_memory(err);
	for (size_t i = 0; i < blocks->seen_count; i++) {
		if (blocks->seen[i] != own || is_name(name, length, reader->first))
			continue;
		if (reader->end)
			rc = reader->end(blocks, err);
		blocks->port = NULL;
		blocks->device = NULL;
		return rc;
	}
	if (blocks->seen_count < BLOCK_NAMES_MAX)
		blocks->seen[blocks->seen_count++] = own;
	return 0;
}

static int read_pair(struct blocks *blocks, const struct block_reader *reader, const char *line,
		     size_t length, struct err *err)
{
	const char *separator = memchr(line, reader->separator, length);
	const char *value;
	size_t name_length;
	size_t value_length;
	int rc;

	if (!separator || separator == line)
		return 1;
	value = separator + 1;
	value_length = length - (size_t)(value - line);
	name_length = (size_t)(separator - line);
	import_trim(&value, &value_length);
	import_trim(&line, &name_length);
	rc = note_name(blocks, reader, line, name_length, err);
	return rc < 0 ? rc : reader->pair(blocks, line, name_length, value, value_length, err);
}

static int read_blocks(struct import *import, struct input *input,
		       const struct block_reader *reader, struct err *err)
{
	struct blocks blocks = {.import = import};
	bool title = false;		/* the last line was a rule that opens a title */
	bool titled = false;		/* the last line was a title */
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		if (ibdiagnet_comment(import, line, length))
			continue;
		if (is_rule(line, length)) {
			title = !titled;
			titled = false;
			continue;
		}
		titled = title;
		if (title)
			blocks.seen_count = 0;
		rc = title ? reader->title(&blocks, line, length, err)
			   : read_pair(&blocks, reader, line, length, err);
		title = false;
		if (rc < 0)
			return rc;
		if (rc == 0)
			import_row(import);
		else
			rc = import_odd(import, input, titled ? "a title that names no port or node"
							       : "no name and value", err);
		if (rc < 0)
			return rc;
	}
	if (rc == 0 && reader->end)
		rc = reader->end(&blocks, err);
	return rc;
}

static int read_pm(struct import *import, struct input *input, struct err *err)
{
	static const struct block_reader reader = {pm_title, pm_pair, pm_end, '=', NULL};

	import_asked(import, ATTRIBUTE_COUNTERS);
	return read_blocks(import, input, &reader, err);
}

static int read_cables(struct import *import, struct input *input, struct err *err)
{
	static const struct block_reader reader = {title_port, cables_pair, NULL, ':', NULL};

	return read_blocks(import, input, &reader, err);
}

static int read_nodes_info(struct import *import, struct input *input, struct err *err)
{
	static const struct block_reader reader = {nodes_title, nodes_pair, NULL, '=', "GUID"};

	return read_blocks(import, input, &reader, err);
}

static int detect_pm(const struct probe *probe)
{
	return probe_has_line(probe, "Port=") && probe_has_line(probe, "symbol_error_counter=")
		       ? 90 : 0;
}

static int detect_cables(const struct probe *probe)
{
	return probe_has_line(probe, "Port=") && probe_has_line(probe, "Vendor: ") &&
		       probe_has_line(probe, "PN: ") ? 90 : 0;
}

static int detect_nodes_info(const struct probe *probe)
{
	return probe_has_line(probe, "Node Name=") && probe_has_line(probe, "FWInfo_") ? 90 : 0;
}

const struct format format_ibdiagnet_pm = {
	.id = "ibdiagnet2.pm",
	.title = "ibdiagnet2 port counters (ibdiagnet2.pm)",
	.rank = 85,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_COUNTERS,
	.detect = detect_pm,
	.read = read_pm,
};

const struct format format_ibdiagnet_cables = {
	.id = "ibdiagnet2.cables",
	.title = "ibdiagnet2 cable information (ibdiagnet2.cables)",
	.rank = 80,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_EXTENDED_PORT_INFO,
	.detect = detect_cables,
	.read = read_cables,
};

const struct format format_ibdiagnet_nodes_info = {
	.id = "ibdiagnet2.nodes_info",
	.title = "ibdiagnet2 node and firmware information (ibdiagnet2.nodes_info)",
	.rank = 80,
	.one_look = true,
	.detect = detect_nodes_info,
	.read = read_nodes_info,
};
