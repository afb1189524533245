/*
 * smpquery, any number of answers in one file:
 *
 *   # Port info: Lid 16 port 1
 *   LinkWidthActive:.................4X
 *
 * NodeInfo, NodeDescription, PortInfo, SwitchInfo, GUIDInfo, P_Keys, SL2VL and
 * VLArb. The tables of GUIDs and P_Keys and the description have no line that
 * names the node: the command line in front of them does, or the answer before
 * in the same file; a GUID table begins with the port's own GUID.
 *
 * Source: smpquery.c; libibmad/dump.c.
 */
#include <stdlib.h>
#include <string.h>

#include "collector/import/diag_dest.h"
#include "collector/import/rows.h"
#include "collector/import/smp_values.h"
#include "collector/import/trouble.h"

#define TABLE_MAX 2048

enum block {
	BLOCK_NONE,
	BLOCK_NODE,
	BLOCK_SWITCH,
	BLOCK_PORT,
	BLOCK_SL2VL,
	BLOCK_VLARB,
	BLOCK_OTHER,		/* recognised, nothing of it is kept */
};

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct rows rows;
	struct diag_dests dests;
	struct trouble_list *troubles;
	enum block block;
	char address[128];	/* of the block, or of the last command line; "" none */
	struct device *device;	/* of that address, or NULL */
	int num;		/* port asked for, -1 not told */
	struct smp_node node;
	struct smp_switch sw;
	struct smp_port port;
	bool high;		/* which VLArb table */
	struct vlarb_entry entries[64];
	size_t entry_count;	/* with a VL; weights follow */
	size_t weight_count;
	bool vlarb_open;	/* a table was begun and not applied */
	uint64_t table[TABLE_MAX];	/* of a GUID or P_Key table */
	size_t table_count;
};

static int odd(struct reader *reader, const char *reason)
{
	return import_odd(reader->import, reader->input, reason, reader->err);
}

static int apply_vlarb(struct reader *reader)
{
	struct port *port;
	int rc;

	if (!reader->vlarb_open)
		return 0;
	reader->vlarb_open = false;
	if (!reader->device || reader->num < 0 || reader->entry_count != reader->weight_count ||
	    reader->entry_count == 0)
		return 0;
	if (reader->num == 0 && reader->device->type != NODE_TYPE_SWITCH)
		return odd(reader, "nothing says of which port this table is");
	port = import_port(reader->import, reader->device, (unsigned)reader->num);
	if (!port)
		return err_no_memory(reader->err);
	rc = import_vlarb(reader->import, port, reader->high, reader->entries,
			  reader->entry_count, reader->err);
	import_port_read(reader->import, port, ATTRIBUTE_VLARB);
	return rc;
}

/* Port 0 of a CA's arbitration and P_Key tables is the port asked through; with one port, port 1. */
static void settle_num(struct reader *reader)
{
	if (reader->num == 0 && reader->device && reader->device->type != NODE_TYPE_SWITCH &&
	    reader->device->info.num_ports == 1)
		reader->num = 1;
}

static int block_end(struct reader *reader)
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
		if (device && reader->num >= 0)
			rc = smp_port_apply(&reader->port, reader->import, device,
					    (unsigned)reader->num, &port, reader->err);
		break;
	case BLOCK_VLARB:
		rc = apply_vlarb(reader);
		break;
	case BLOCK_SL2VL:
	case BLOCK_OTHER:
	case BLOCK_NONE:
		break;
	}
	reader->block = BLOCK_NONE;
	return rc;
}

/* "# Port info: Lid 16 port 1". 1: a title, 0: none. */
static int read_title(struct reader *reader, struct scan scan)
{
	static const struct {
		const char *words;
		enum block block;
	} titles[] = {
		{"# Node info: ", BLOCK_NODE},
		{"# Port info: ", BLOCK_PORT},
		{"# Port info Extended: ", BLOCK_OTHER},
		{"# MLNX ext Port info: ", BLOCK_OTHER},
		{"# Switch info: ", BLOCK_SWITCH},
		{"# SL2VL table: ", BLOCK_SL2VL},
		{"# VLArbitration tables: ", BLOCK_VLARB},
		{"# No VLArbitration tables (BSP0): ", BLOCK_OTHER},
	};
	uint64_t num;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		if (scan_literal(&scan, titles[i].words))
			break;
	}
	if (i == sizeof(titles) / sizeof(titles[0]))
		return 0;
	rc = block_end(reader);
	if (rc < 0)
		return rc;
	reader->block = titles[i].block;
	reader->num = -1;
	smp_node_init(&reader->node);
	smp_switch_init(&reader->sw);
	smp_port_init(&reader->port);
	if (!diag_address(&scan, reader->address)) {
		reader->device = NULL;
		return 1;
	}
	rc = diag_find(&reader->dests, reader->import, reader->address, &reader->device,
		       reader->err);
	if (scan_literal(&scan, " port ") && scan_decimal(&scan, &num) && num <= 254)
		reader->num = (int)num;
	settle_num(reader);
	if (rc == 0 && !reader->device && reader->block != BLOCK_NODE &&
	    reader->block != BLOCK_OTHER)
		rc = odd(reader, "no file says which node has this address");
	return rc < 0 ? rc : 1;
}

/* "ports: in  0, out  1: | 0| 1|...|" */
static bool read_sl2vl(struct scan scan, unsigned *ret_in, unsigned *ret_out, uint8_t vl[16])
{
	uint64_t in, out, value;

	if (!scan_literal(&scan, "ports: in "))
		return false;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &in) || !scan_literal(&scan, ", out "))
		return false;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &out) || !scan_literal(&scan, ": |") || in > 254 || out > 254)
		return false;
	for (int sl = 0; sl < 16; sl++) {
		scan_blanks(&scan);
		if (!scan_decimal(&scan, &value) || value > 15 || !scan_char(&scan, '|'))
			return false;
		vl[sl] = (uint8_t)value;
	}
	*ret_in = (unsigned)in;
	*ret_out = (unsigned)out;
	return true;
}

static int add_sl2vl(struct reader *reader, unsigned in, unsigned out, const uint8_t vl[16])
{
	struct device *device = reader->device;
	struct port *port;
	int rc;

	import_row(reader->import);
	if (!device)
		return 0;
	/* A CA's table has no port: it is that of the port asked through. */
	if (device->type != NODE_TYPE_SWITCH) {
		int64_t lid = FIELD_UNKNOWN;
		struct scan scan = scan_of(reader->address, strlen(reader->address));
		uint64_t value;

		if (scan_literal(&scan, "Lid ") && scan_number(&scan, &value))
			lid = (int64_t)value;
		out = device->info.num_ports == 1 ? 1 : 0;
		for (size_t p = 0; p < device->port_slots && out == 0; p++) {
			if (device->ports[p] && device->ports[p]->info.lid == lid)
				out = (unsigned)p;
		}
		if (out == 0)
			return 0;
		in = 0;
	}
	port = import_port(reader->import, device, out);
	if (!port)
		return err_no_memory(reader->err);
	rc = import_sl2vl(reader->import, port, in, vl, reader->err);
	import_port_read(reader->import, port, ATTRIBUTE_SL2VL);
	return rc;
}

/* "VL    : |0x2 |0x3 |" and "WEIGHT: |0x40|0x20|"; long tables wrap into several pairs. */
static bool read_vlarb(struct reader *reader, struct scan scan)
{
	bool weights = scan_starts(&scan, "WEIGHT:");
	uint64_t value;

	if (!weights && !scan_literal(&scan, "VL    :"))
		return false;
	if (weights)
		scan.at += strlen("WEIGHT:");
	scan_blanks(&scan);
	if (!scan_char(&scan, '|'))
		return false;
	for (;;) {
		scan_blanks(&scan);
		if (!scan_number(&scan, &value))
			return scan_done(&scan);
		scan_blanks(&scan);
		if (value > 255 || !scan_char(&scan, '|'))
			return false;
		if (!weights && reader->entry_count < 64)
			reader->entries[reader->entry_count++].vl = (uint8_t)(value & 15);
		else if (weights && reader->weight_count < 64)
			reader->entries[reader->weight_count++].weight = (uint8_t)value;
	}
}

/* "   8: 0xffff 0x0000 ..." */
static bool read_table_row(struct reader *reader, struct scan scan)
{
	uint64_t index, value;

	scan_blanks(&scan);
	if (!scan_decimal(&scan, &index) || !scan_literal(&scan, ": 0x"))
		return false;
	scan.at -= 2;
	if (index == 0)
		reader->table_count = 0;
	if (index != reader->table_count)
		return false;
	while (scan_hex(&scan, &value)) {
		if (reader->table_count < TABLE_MAX)
			reader->table[reader->table_count++] = value;
		scan_blanks(&scan);
	}
	return scan_done(&scan);
}

static int apply_pkeys(struct reader *reader)
{
	uint16_t pkeys[TABLE_MAX];
	size_t count = 0;
	struct port *port;

	settle_num(reader);
	if (!reader->device || reader->num < 0 ||
	    (reader->num == 0 && reader->device->type != NODE_TYPE_SWITCH))
		return odd(reader, "nothing says whose P_Key table this is");
	port = import_port(reader->import, reader->device, (unsigned)reader->num);
	if (!port)
		return err_no_memory(reader->err);
	for (size_t i = 0; i < reader->table_count; i++) {
		if (reader->table[i] != 0 && reader->table[i] <= 0xffff)
			pkeys[count++] = (uint16_t)reader->table[i];
	}
	import_port_read(reader->import, port, ATTRIBUTE_PKEY_TABLE);
	import_row(reader->import);
	return import_pkeys(reader->import, port, pkeys, count, reader->err);
}

static int apply_guids(struct reader *reader)
{
	struct port *port = NULL;
	size_t count = reader->table_count;

	/* Entry 0 is the port's own GUID (IBA C14-24). */
	if (count > 0)
		port = import_port_by_guid(reader->import, reader->table[0]);
	if (!port)
		return odd(reader, "no file says whose GUID table this is");
	while (count > 0 && reader->table[count - 1] == 0)
		count--;
	import_port_read(reader->import, port, ATTRIBUTE_GUID_INFO);
	import_row(reader->import);
	return import_guids(reader->import, port, reader->table, count, reader->err);
}

/* "64 pkeys capacity for this port". 1: such a line, 0: none. */
static int read_table_end(struct reader *reader, struct scan scan)
{
	uint64_t capacity;
	int rc;

	if (!scan_decimal(&scan, &capacity))
		return 0;
	if (scan_literal(&scan, " pkeys capacity"))
		rc = apply_pkeys(reader);
	else if (scan_literal(&scan, " guids capacity"))
		rc = apply_guids(reader);
	else
		return 0;
	reader->table_count = 0;
	return rc < 0 ? rc : 1;
}

static int read_key(struct reader *reader, const char *line, size_t length)
{
	const char *key, *value;
	size_t key_length, value_length;
	bool known = false;

	if (!smp_split(line, length, &key, &key_length, &value, &value_length))
		return 0;
	if (import_is_word(key, key_length, "node description")) {
		import_row(reader->import);
		if (!reader->device)
			return odd(reader, "nothing says whose description this is") < 0 ?
				       ERR_NOMEM : 1;
		import_device_read(reader->import, reader->device, ATTRIBUTE_NODE_DESCRIPTION);
		return import_description(reader->import, reader->device, value, value_length,
					  reader->err) < 0 ? ERR_NOMEM : 1;
	}
	switch (reader->block) {
	case BLOCK_NODE:
		known = smp_node_key(&reader->node, key, key_length, value, value_length);
		break;
	case BLOCK_SWITCH:
		known = smp_switch_key(&reader->sw, key, key_length, value, value_length);
		break;
	case BLOCK_PORT:
		known = smp_port_key(&reader->port, key, key_length, value, value_length);
		break;
	case BLOCK_OTHER:
		known = true;
		break;
	case BLOCK_SL2VL:
	case BLOCK_VLARB:
	case BLOCK_NONE:
		break;
	}
	if (known)
		import_row(reader->import);
	return known;
}

/* The command line in front of an answer that does not name its node. 1: one, 0: none. */
static int read_command(struct reader *reader, const char *line, size_t length)
{
	char address[sizeof(reader->address)];
	uint64_t guid;
	int num;
	int rc;

	if (!diag_command(line, length, "smpquery", address, &guid, &num))
		return 0;
	/* The answer in front of it is not this one's. */
	rc = block_end(reader);
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

static int read_line(struct reader *reader, const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);
	unsigned in, out;
	uint8_t vl[16];
	int rc;

	rc = read_title(reader, scan);
	if (rc == 0)
		rc = read_key(reader, line, length);
	if (rc == 0)
		rc = read_table_end(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (read_sl2vl(scan, &in, &out, vl))
		return add_sl2vl(reader, in, out, vl);
	if (reader->block == BLOCK_VLARB && scan_find(&scan, " priority VL Arbitration Table")) {
		rc = apply_vlarb(reader);
		reader->high = scan_find(&scan, "# High") != NULL;
		reader->entry_count = 0;
		reader->weight_count = 0;
		reader->vlarb_open = true;
		return rc;
	}
	if ((reader->block == BLOCK_VLARB && read_vlarb(reader, scan)) ||
	    read_table_row(reader, scan)) {
		import_row(reader->import);
		return 0;
	}
	rc = read_command(reader, line, length);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if ((length > 0 && line[0] == '#') || is_capability(line, length))
		return 0;
	return trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			      "not a line of smpquery", NULL, reader->err);
}

static int smpquery_read(struct import *import, struct input *input, struct err *err)
{
	struct reader *reader = calloc(1, sizeof(*reader));
	char *line;
	size_t length;
	int rc;

	if (!reader)
		return err_no_memory(err);
	reader->import = import;
	reader->input = input;
	reader->err = err;
	reader->num = -1;
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = read_line(reader, line, length);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = block_end(reader);
	if (rc == 0)
		rc = trouble_resolve(import, reader->troubles, 0, 0, err);
	trouble_free(reader->troubles);
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
	static const char *const starts[] = {
		"# Port info: ", "# Switch info: ", "# SL2VL table: ", "# VLArbitration tables: ",
		"# No VLArbitration tables", "Node Description:.", "# Port info Extended: ",
		"# MLNX ext Port info: ",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (probe_has_line(probe, starts[i]))
			return 90;
	}
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
	.detect = smpquery_detect,
	.read = smpquery_read,
};
