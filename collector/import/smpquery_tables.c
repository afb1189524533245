/*
 * What smpquery prints in rows: SL2VL, VLArb, P_Keys, GUIDs. A table of GUIDs or
 * P_Keys has no title; the line with its capacity ends it.
 *
 * Source: smpquery.c; mad_dump_vlarbitration() and mad_dump_sltovl() in libibmad's dump.c.
 */
#include <string.h>

#include "collector/import/smpquery.h"

static const struct record_kind pkey_kind = {"table of P_Keys", ATTRIBUTE_PKEY_TABLE, NULL};
static const struct record_kind guid_kind = {"table of GUIDs", ATTRIBUTE_GUID_INFO, NULL};

int smpquery_odd(struct smpquery *reader, const char *reason)
{
	return import_odd(reader->import, reader->input, reason, reader->err);
}

void smpquery_settle_num(struct smpquery *reader)
{
	if (reader->num == 0 && reader->device && reader->device->type != NODE_TYPE_SWITCH &&
	    reader->device->info.num_ports == 1)
		reader->num = 1;
}

int smpquery_vlarb_end(struct smpquery *reader)
{
	struct port *port;
	int rc;

	if (!reader->vlarb_open)
		return 0;
	reader->vlarb_open = false;
	if (!reader->device || reader->num < 0 || reader->entry_count != reader->weight_count ||
	    reader->entry_count == 0 ||
	    (reader->caps[reader->high] >= 0 &&
	     (size_t)reader->caps[reader->high] > reader->entry_count))
		return 0;
	if (reader->num == 0 && reader->device->type != NODE_TYPE_SWITCH)
		return smpquery_odd(reader, "nothing says of which port this table is");
	port = import_port(reader->import, reader->device, (unsigned)reader->num);
	if (!port)
		return err_no_memory(reader->err);
	rc = import_vlarb(reader->import, port, reader->high, reader->entries,
			  reader->entry_count, reader->err);
	import_port_read(reader->import, port, ATTRIBUTE_VLARB);
	return rc;
}

void smpquery_vlarb_caps(struct smpquery *reader, struct scan scan)
{
	static const char *const words[2] = {" LowCap ", " HighCap "};
	uint64_t cap;

	reader->vlarb_owed = 0;
	for (int high = 0; high < 2; high++) {
		reader->caps[high] = -1;
		if (!scan_literal(&scan, words[high]) || !scan_decimal(&scan, &cap))
			continue;
		reader->caps[high] = cap < 64 ? (int)cap : 64;
		reader->vlarb_owed += (size_t)reader->caps[high];
	}
	record_whole(&reader->ends, reader->vlarb_owed == 0);
}

/* "# Low priority VL Arbitration Table:". 1: such a line, 0: none. */
static int begin_vlarb(struct smpquery *reader, struct scan scan)
{
	int rc;

	if (reader->block != BLOCK_VLARB || !scan_find(&scan, " priority VL Arbitration Table"))
		return 0;
	rc = smpquery_vlarb_end(reader);
	reader->high = scan_find(&scan, "# High") != NULL;
	reader->entry_count = 0;
	reader->weight_count = 0;
	reader->vlarb_open = true;
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

static int add_sl2vl(struct smpquery *reader, unsigned in, unsigned out, const uint8_t vl[16])
{
	struct device *device = reader->device;
	struct port *port;
	int rc;

	import_row(reader->import);
	/* A switch's table has a row for each port traffic comes in by, port 0 too. */
	record_whole(&reader->ends, !device || device->type != NODE_TYPE_SWITCH ||
					    device->info.num_ports == FIELD_UNKNOWN ||
					    in >= device->info.num_ports);
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

static void take_weight(struct smpquery *reader, uint8_t weight)
{
	reader->entries[reader->weight_count++].weight = weight;
	if (reader->vlarb_owed > 0)
		reader->vlarb_owed--;
	record_whole(&reader->ends, reader->vlarb_owed == 0);
}

/* "VL    : |0x2 |0x3 |" and "WEIGHT: |0x40|0x20|"; long tables wrap into several pairs. */
static bool read_vlarb(struct smpquery *reader, struct scan scan)
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
		if (!scan_hex(&scan, &value))
			return scan_done(&scan);
		scan_blanks(&scan);
		if (value > 255 || !scan_char(&scan, '|'))
			return false;
		if (!weights && reader->entry_count < 64)
			reader->entries[reader->entry_count++].vl = (uint8_t)(value & 15);
		else if (weights && reader->weight_count < 64)
			take_weight(reader, (uint8_t)value);
	}
}

/* "   8: 0xffff 0x0000 ..." */
static bool read_table_row(struct smpquery *reader, struct scan scan)
{
	struct scan digits;
	const char *word;
	size_t length = 0;
	uint64_t index, value;

	scan_blanks(&scan);
	if (!scan_decimal(&scan, &index) || !scan_literal(&scan, ": 0x"))
		return false;
	scan.at -= 2;
	if (index == 0) {
		reader->table_count = 0;
		digits = scan;
		scan_word(&digits, &word, &length);
		record_begin(&reader->ends, length > 6 ? &guid_kind : &pkey_kind,
			     input_line_number(reader->input));
	}
	if (index != reader->table_count)
		return false;
	while (scan_hex(&scan, &value)) {
		if (reader->table_count < SMPQUERY_TABLE_MAX)
			reader->table[reader->table_count++] = value;
		scan_blanks(&scan);
	}
	return scan_done(&scan);
}

static int apply_pkeys(struct smpquery *reader)
{
	uint16_t pkeys[SMPQUERY_TABLE_MAX];
	size_t count = 0;
	struct port *port;

	smpquery_settle_num(reader);
	if (!reader->device || reader->num < 0 ||
	    (reader->num == 0 && reader->device->type != NODE_TYPE_SWITCH))
		return smpquery_odd(reader, "nothing says whose P_Key table this is");
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

static int apply_guids(struct smpquery *reader)
{
	struct port *port = NULL;
	size_t count = reader->table_count;

	/* Entry 0 is the port's own GUID (IBA C14-24). */
	if (count > 0)
		port = import_port_by_guid(reader->import, reader->table[0]);
	if (!port)
		return smpquery_odd(reader, "no file says whose GUID table this is");
	while (count > 0 && reader->table[count - 1] == 0)
		count--;
	import_port_read(reader->import, port, ATTRIBUTE_GUID_INFO);
	import_row(reader->import);
	return import_guids(reader->import, port, reader->table, count, reader->err);
}

/* "64 pkeys capacity for this port". 1: such a line, 0: none. */
static int read_table_end(struct smpquery *reader, struct scan scan)
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
	record_whole(&reader->ends, true);
	return rc < 0 ? rc : 1;
}

int smpquery_table_line(struct smpquery *reader, struct scan scan)
{
	unsigned in, out;
	uint8_t vl[16];
	int rc = read_table_end(reader, scan);

	if (rc == 0 && read_sl2vl(scan, &in, &out, vl)) {
		rc = add_sl2vl(reader, in, out, vl);
		return rc < 0 ? rc : 1;
	}
	if (rc == 0)
		rc = begin_vlarb(reader, scan);
	if (rc != 0)
		return rc;
	if (!(reader->block == BLOCK_VLARB && read_vlarb(reader, scan)) &&
	    !read_table_row(reader, scan))
		return 0;
	import_row(reader->import);
	return 1;
}

