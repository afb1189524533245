/*
 * smpquery, any number of answers in one file:
 *
 *   # Port info: Lid 16 port 1
 *   LinkWidthActive:.................4X
 *
 * NodeInfo, NodeDescription, PortInfo, PortInfoExtended, Mellanox' ExtendedPortInfo,
 * SwitchInfo, GUIDInfo, P_Keys, SL2VL and VLArb: all that the tool can ask. The
 * tables of GUIDs and P_Keys and the description have no line that names the node:
 * the command line in front of them does, or the answer before in the same file; a
 * GUID table begins with the port's own GUID.
 *
 * Source: smpquery.c; libibmad/dump.c.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/import/each_line.h"
#include "collector/import/smpquery.h"

static const char *const mlnx_lines[] = {
	"StateChangeEnable", "LinkSpeedSupported", "LinkSpeedEnabled", "LinkSpeedActive", NULL,
};
static const char *const extended_lines[] = {
	"CapMask", "FECModeActive", "FDRFECModeSupported", "FDRFECModeEnabled",
	"EDRFECModeSupported", "EDRFECModeEnabled", "HDRFECModeSupported", "HDRFECModeEnabled",
	"1NDRFECModeSupported", "1NDRFECModeEnabled", "2XDRFECModeSupported",
	"2XDRFECModeEnabled", NULL,
};

/* What the answers are called. */
static const struct record_title titles[] = {
	{"# Node info: ", BLOCK_NODE, {"NodeInfo", ATTRIBUTE_NODE_INFO, smp_node_lines, false}},
	{"# Port info: ", BLOCK_PORT, {"PortInfo", ATTRIBUTE_PORT_INFO, smp_port_lines, false}},
	{"# Port info Extended: ", BLOCK_PORT_EXTENDED,
	 {"PortInfoExtended", ATTRIBUTE_EXTENDED_PORT_INFO, extended_lines, false}},
	{"# MLNX ext Port info: ", BLOCK_MLNX_PORT,
	 {"ExtendedPortInfo", ATTRIBUTE_EXTENDED_PORT_INFO, mlnx_lines, false}},
	{"# Switch info: ", BLOCK_SWITCH, {"SwitchInfo", ATTRIBUTE_SWITCH_INFO, smp_switch_lines, false}},
	{"# SL2VL table: ", BLOCK_SL2VL, {"SL to VL table", ATTRIBUTE_SL2VL, NULL, true}},
	{"# VLArbitration tables: ", BLOCK_VLARB,
	 {"VL arbitration table", ATTRIBUTE_VLARB, NULL, true}},
	{"# No VLArbitration tables (BSP0): ", BLOCK_OTHER, {NULL, ATTRIBUTE_VLARB, NULL, false}},
	{NULL, 0, {NULL, ATTRIBUTE_COUNT, NULL, false}},
};

static int end_mlnx_port(struct smpquery *reader)
{
	struct device *device = reader->device;
	struct port *port;

	/* Port 0 has no link, or is one of several that nobody names. */
	if (!device || reader->num <= 0 || reader->mlnx_active == FIELD_UNKNOWN)
		return 0;
	port = import_port(reader->import, device, (unsigned)reader->num);
	return port ? import_port_extended_speed(reader->import, port, reader->mlnx_active,
						 reader->err) : err_no_memory(reader->err);
}

int smpquery_block_end(struct smpquery *reader)
{
	struct device *device = reader->device;
	struct port *port;
	int rc = 0;

	switch (reader->block) {
	case BLOCK_NODE:
		rc = smp_node_apply(&reader->node, &reader->rows, reader->import, &device,
				    reader->err);
		if (rc == 0 && device) {
			diag_learn(&reader->dests, reader->import, reader->address, device,
				   reader->node.local_port);
			reader->device = device;
		}
		break;
	case BLOCK_SWITCH:
		if (device)
			rc = smp_switch_apply(&reader->sw, reader->import, device, reader->err);
		break;
	case BLOCK_PORT:
		reader->port.cut = reader->ends.open && !record_is_whole(&reader->ends);
		if (device && reader->num >= 0)
			rc = smp_port_apply(&reader->port, reader->import, device,
					    (unsigned)reader->num, &port, reader->err);
		break;
	case BLOCK_VLARB:
		rc = smpquery_vlarb_end(reader);
		break;
	case BLOCK_MLNX_PORT:
		rc = end_mlnx_port(reader);
		break;
	case BLOCK_PORT_EXTENDED:
	case BLOCK_SL2VL:
	case BLOCK_OTHER:
	case BLOCK_NONE:
		break;
	}
	reader->block = BLOCK_NONE;
	record_end(&reader->ends);
	return rc;
}

int smpquery_forget_whose(struct smpquery *reader)
{
	int rc = smpquery_block_end(reader);

	reader->device = NULL;
	reader->num = -1;
	reader->address[0] = '\0';
	return rc;
}

/* "# Port info: Lid 16 port 1". 1: a title, 0: none. */
static int read_title(struct smpquery *reader, struct scan scan)
{
	const struct record_title *title = record_title_of(titles, scan.at, scan_left(&scan));
	uint64_t num;
	int rc;

	if (!title)
		return 0;
	scan.at += strlen(title->words);
	rc = smpquery_block_end(reader);
	if (rc < 0)
		return rc;
	reader->block = (enum smpquery_block)title->what;
	reader->num = -1;
	smp_node_init(&reader->node);
	smp_switch_init(&reader->sw);
	smp_port_init(&reader->port);
	reader->mlnx_active = FIELD_UNKNOWN;
	reader->sl2vl_in = reader->sl2vl_out = -1;
	reader->sl2vl_torn = false;
	if (title->kind.name)
		record_begin(&reader->ends, &title->kind, input_line_number(reader->input));
	else
		record_end(&reader->ends);
	if (!diag_address(&scan, reader->address)) {
		reader->device = NULL;
		return smpquery_odd(reader, "no address of a node") < 0 ? ERR_NOMEM : 1;
	}
	rc = diag_find(&reader->dests, reader->import, reader->address, &reader->device,
		       reader->err);
	if (scan_literal(&scan, " port ") && scan_decimal(&scan, &num) && num <= 254)
		reader->num = (int)num;
	if (reader->block == BLOCK_VLARB)
		smpquery_vlarb_caps(reader, scan);
	smpquery_settle_num(reader);
	if (rc == 0 && !reader->device && reader->block != BLOCK_NODE &&
	    reader->block != BLOCK_OTHER)
		rc = smpquery_odd(reader, "no file says which node has this address");
	return rc < 0 ? rc : 1;
}

/* FEC modes as their masks stand there: under the names that ibdiagnet gives them. */
static int add_fec(struct smpquery *reader, const char *key, size_t key_length, const char *value,
		   size_t length)
{
	char name[64];

	if (!reader->device || reader->num < 0 || key_length >= sizeof(name))
		return 0;
	if (!import_port(reader->import, reader->device, (unsigned)reader->num))
		return err_no_memory(reader->err);
	memcpy(name, key, key_length);
	name[key_length] = '\0';
	return import_fact(reader->import, reader->device, reader->num, "fec", name, value, length,
			   reader->err);
}

/* The key is one of the block. */
static bool take_key(struct smpquery *reader, const char *key, size_t key_length,
		     const char *value, size_t length)
{
	switch (reader->block) {
	case BLOCK_NODE:
		return smp_node_key(&reader->node, key, key_length, value, length);
	case BLOCK_SWITCH:
		return smp_switch_key(&reader->sw, key, key_length, value, length);
	case BLOCK_PORT:
		return smp_port_key(&reader->port, key, key_length, value, length);
	case BLOCK_MLNX_PORT:
		if (import_is_word(key, key_length, "linkspeedactive"))
			import_parse_cell(value, length, &reader->mlnx_active);
		return true;
	case BLOCK_PORT_EXTENDED:
	case BLOCK_OTHER:
		return true;
	case BLOCK_SL2VL:
	case BLOCK_VLARB:
	case BLOCK_NONE:
		break;
	}
	return false;
}

/* "Node Description:....name" */
static int read_description(struct smpquery *reader, const char *text, size_t length)
{
	struct device *device;
	int rc;

	import_row(reader->import);
	rc = smpquery_block_end(reader);
	device = reader->device;
	if (rc < 0)
		return rc;
	if (!device)
		return smpquery_odd(reader, "nothing says whose description this is") < 0 ?
			       ERR_NOMEM : 1;
	import_device_read(reader->import, device, ATTRIBUTE_NODE_DESCRIPTION);
	if (import_description(reader->import, device, text, length, reader->err) < 0)
		return ERR_NOMEM;
	/* A second one is another node's. */
	return smpquery_forget_whose(reader) < 0 ? ERR_NOMEM : 1;
}

static int read_key(struct smpquery *reader, const char *line, size_t length)
{
	const char *key, *value;
	size_t key_length, value_length;

	if (!smp_split(line, length, &key, &key_length, &value, &value_length))
		return 0;
	if (import_is_word(key, key_length, "node description"))
		return read_description(reader, value, value_length);
	/* Where its title is missing, what follows is another answer's. */
	if (record_is_foreign(&reader->ends, titles, key, key_length) ||
	    !record_key(&reader->ends, key, key_length) ||
	    !take_key(reader, key, key_length, value, value_length))
		return 0;
	import_row(reader->import);
	if (reader->block == BLOCK_PORT_EXTENDED &&
	    add_fec(reader, key, key_length, value, value_length) < 0)
		return ERR_NOMEM;
	return 1;
}

/* The command line in front of an answer that does not name its node. 1: one, 0: none. */
static int read_command(struct smpquery *reader, const char *line, size_t length)
{
	char address[sizeof(reader->address)];
	uint64_t guid;
	int num;
	int rc;

	if (!diag_command(line, length, "smpquery", address, &guid, &num))
		return 0;
	/* The answer in front of it is not this one's. */
	rc = smpquery_block_end(reader);
	memcpy(reader->address, address, sizeof(address));
	reader->num = num;
	reader->device = NULL;
	if (rc == 0 && guid != 0) {
		struct port *port = import_port_by_guid(reader->import, guid);

		reader->device = port ? port->device :
					fabric_device_find(import_fabric(reader->import), guid);
	} else if (rc == 0 && reader->address[0]) {
		rc = diag_find(&reader->dests, reader->import, reader->address, &reader->device,
			       reader->err);
	}
	return rc < 0 ? rc : 1;
}

/* A line of nothing but a capability's name behind its mask. */
static bool is_capability(const char *line, size_t length)
{
	return length > 3 && line[0] == '\t' && memchr(line, ':', length) == NULL;
}

/* "Switch PortInfo:", "After PortInfo set:": what ibportstate says in front of an answer. */
static bool is_portstate_heading(const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);

	return length > 0 && line[length - 1] == ':' && scan_find(&scan, "PortInfo");
}

static int read_line(void *context, const char *line, size_t length)
{
	struct smpquery *reader = context;
	struct scan scan = scan_of(line, length);
	int rc;

	rc = read_title(reader, scan);
	if (rc == 0)
		rc = read_key(reader, line, length);
	if (rc == 0)
		rc = smpquery_table_line(reader, scan);
	if (rc == 0)
		rc = read_command(reader, line, length);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (scan_starts(&scan, "#                 SL:") || is_capability(line, length) ||
	    line_is_noise(line, length))
		return 0;
	/* Somebody's remark, or a title. */
	if ((length > 0 && line[0] == '#') || is_portstate_heading(line, length))
		return smpquery_forget_whose(reader);
	rc = trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			    "not a line of smpquery", NULL, reader->err);
	return rc < 0 ? rc : smpquery_forget_whose(reader);
}

static int smpquery_read(struct import *import, struct input *input, struct err *err)
{
	struct smpquery *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader)
		return err_no_memory(err);
	reader->import = import;
	reader->input = input;
	reader->err = err;
	reader->num = -1;
	rc = each_line(input, read_line, reader, err);
	if (rc == 0)
		rc = smpquery_block_end(reader);
	if (rc == 0)
		rc = record_ends_settle(&reader->ends, import, err);
	rc = trouble_end(reader->troubles, import, rc, err);
	diag_free(&reader->dests);
	rows_free(&reader->rows);
	free(reader);
	return rc;
}

/* Files with a NodeInfo tell others which node a LID is: they are read before the rest. */
static int smpquery_nodes_detect(const struct probe *probe)
{
	return probe_has_line(probe, "# Node info: ") ? 91 : 0;
}

static int smpquery_detect(const struct probe *probe)
{
	for (const struct record_title *title = titles; title->words; title++) {
		if (probe_has_line(probe, title->words))
			return 90;
	}
	if (probe_has_line(probe, "Node Description:."))
		return 90;
	return probe_has(probe, " pkeys capacity for this port") ||
			       probe_has(probe, " guids capacity for this port") ? 90 : 0;
}

const struct format format_smpquery_nodes = {
	.id = "smpquery-nodes",
	.title = "smpquery answers with NodeInfo among them",
	.rank = 85,
	.detect = smpquery_nodes_detect,
	.read = smpquery_read,
};

const struct format format_smpquery = {
	.id = "smpquery",
	.title = "smpquery answers",
	.rank = 85,
	.late = true,
	.loses = ATTRIBUTE_PORT_INFO,
	.detect = smpquery_detect,
	.read = smpquery_read,
};
