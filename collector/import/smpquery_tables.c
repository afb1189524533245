/*
 * What smpquery prints in rows: SL2VL, VLArb, P_Keys, GUIDs. A table of GUIDs or
 * P_Keys has no title; the line with its capacity ends it.
 *
 * Source: smpquery.c; mad_dump_vlarbitration() and mad_dump_sltovl() in libibmad's dump.c.
 */
#include <stdio.h>
#include <string.h>

#include "collector/import/smpquery.h"

static const struct record_kind pkey_kind = {"table of P_Keys", ATTRIBUTE_PKEY_TABLE, NULL, true};
static const struct record_kind guid_kind = {"table of GUIDs", ATTRIBUTE_GUID_INFO, NULL, true};

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

/* It has as many entries as its port's cap says, each with a weight. */
static bool vlarb_is_whole(const struct smpquery_vlarb *table)
{
	if (!table->told)
		return table->cap <= 0;
	return table->count > 0 && table->count == table->weight_count &&
	       (table->cap < 0 || (size_t)table->cap == table->count);
}

int smpquery_vlarb_end(struct smpquery *reader)
{
	bool whole = vlarb_is_whole(&reader->vlarb[0]) && vlarb_is_whole(&reader->vlarb[1]);
	struct port *port;
	int rc = 0;

	/* Where one lacks its heading its lines stand in the other. */
	record_whole(&reader->ends, whole);
	if (!whole || !reader->device || reader->num < 0)
		return 0;
	if (reader->num == 0 && reader->device->type != NODE_TYPE_SWITCH)
		return smpquery_odd(reader, "nothing says of which port this table is");
	port = import_port(reader->import, reader->device, (unsigned)reader->num);
	if (!port)
		return err_no_memory(reader->err);
	for (int high = 0; rc == 0 && high < 2; high++) {
		if (reader->vlarb[high].told)
			rc = import_vlarb(reader->import, port, high, reader->vlarb[high].entries,
					  reader->vlarb[high].count, reader->err);
	}
	import_port_read(reader->import, port, ATTRIBUTE_VLARB);
	return rc;
}

void smpquery_vlarb_caps(struct smpquery *reader, struct scan scan)
{
	static const char *const words[2] = {" LowCap ", " HighCap "};
	uint64_t cap;

	reader->vlarb_open = -1;
	for (int high = 0; high < 2; high++) {
		reader->vlarb[high] = (struct smpquery_vlarb){.cap = -1};
		if (scan_literal(&scan, words[high]) && scan_decimal(&scan, &cap))
			reader->vlarb[high].cap = cap < 64 ? (int)cap : 64;
	}
}

/* "# Low priority VL Arbitration Table:". True: such a line. */
static bool begin_vlarb(struct smpquery *reader, struct scan scan)
{
	bool high = scan_starts(&scan, "# High");

	if (reader->block != BLOCK_VLARB || !scan_find(&scan, " priority VL Arbitration Table"))
		return false;
	reader->vlarb_open = high;
	reader->vlarb[high].told = true;
	return true;
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

/*
 * The tool gives one way out all ways in from 0 on, up to the switch's last port; a
 * row that begins anew has lost its title.
 */
static bool sl2vl_goes_on(struct smpquery *reader, unsigned in, unsigned out)
{
	const struct device *device = reader->device;
	int before = reader->sl2vl_in;

	if (reader->block != BLOCK_SL2VL ||
	    (before >= 0 && ((int)in <= before || (int)out != reader->sl2vl_out)))
		return false;
	reader->sl2vl_torn = reader->sl2vl_torn || (int)in != before + 1;
	reader->sl2vl_in = (int)in;
	reader->sl2vl_out = (int)out;
	record_whole(&reader->ends, !reader->sl2vl_torn &&
					    (!device || device->type != NODE_TYPE_SWITCH ||
					     device->info.num_ports == FIELD_UNKNOWN ||
					     in >= device->info.num_ports));
	return true;
}

static int add_sl2vl(struct smpquery *reader, unsigned in, unsigned out, const uint8_t vl[16])
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
static bool read_vlarb(struct smpquery *reader, struct scan scan)
{
	bool weights = scan_starts(&scan, "WEIGHT:");
	struct smpquery_vlarb *table;
	uint64_t value;

	if (reader->block != BLOCK_VLARB || reader->vlarb_open < 0 ||
	    (!weights && !scan_literal(&scan, "VL    :")))
		return false;
	table = &reader->vlarb[reader->vlarb_open];
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
		if (!weights && table->count < 64)
			table->entries[table->count++].vl = (uint8_t)(value & 15);
		else if (weights && table->weight_count < 64)
			table->entries[table->weight_count++].weight = (uint8_t)value;
	}
}

/* The first row of a table; the answer in front of it has ended. */
static int begin_table(struct smpquery *reader, struct scan scan)
{
	const char *word;
	size_t length = 0;
	int rc = smpquery_block_end(reader);

	reader->table_count = 0;
	scan_word(&scan, &word, &length);
	reader->table_digits = length > 6 ? 18 : 6;
	record_begin(&reader->ends, length > 6 ? &guid_kind : &pkey_kind,
		     input_line_number(reader->input));
	return rc;
}

/* "   8: 0xffff 0x0000 ...". 1: such a row, 0: none. */
static int read_table_row(struct smpquery *reader, struct scan scan)
{
	uint64_t index, value;

	scan_blanks(&scan);
	if (!scan_decimal(&scan, &index) || !scan_literal(&scan, ": 0x"))
		return 0;
	scan.at -= 2;
	if (index == 0 && begin_table(reader, scan) < 0)
		return ERR_NOMEM;
	if (index != reader->table_count)
		return 0;
	for (;;) {
		const char *start = scan.at;

		if (!scan_hex(&scan, &value))
			return scan_done(&scan);
		/* All digits are printed: with fewer it is cut. */
		if (scan.at - start != reader->table_digits)
			return 0;
		if (reader->table_count < SMPQUERY_TABLE_MAX)
			reader->table[reader->table_count++] = value;
		scan_blanks(&scan);
	}
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

/* What its rows lack is not absent from the table. */
static int tell_short_table(struct smpquery *reader, const struct record_kind *kind)
{
	char text[120];

	snprintf(text, sizeof(text), "the %s that line %lld ends has fewer rows than that counts",
		 kind->name, (long long)input_line_number(reader->input));
	return import_cut(reader->import, kind->attribute, text, reader->err);
}

/*
 * "64 pkeys capacity for this port": so many entries are printed, eight or two a row.
 * 1: such a line, 0: none.
 */
static int read_table_end(struct smpquery *reader, struct scan scan)
{
	const struct record_kind *kind;
	uint64_t capacity;
	int rc;

	if (!scan_decimal(&scan, &capacity))
		return 0;
	if (scan_literal(&scan, " pkeys capacity"))
		kind = &pkey_kind;
	else if (scan_literal(&scan, " guids capacity"))
		kind = &guid_kind;
	else
		return 0;
	if (capacity > reader->table_count && reader->table_count < SMPQUERY_TABLE_MAX)
		rc = tell_short_table(reader, kind);
	else
		rc = kind == &pkey_kind ? apply_pkeys(reader) : apply_guids(reader);
	reader->table_count = 0;
	/* A short one has been told. */
	record_whole(&reader->ends, true);
	/* A second table without a word in front is of another port. */
	if (rc == 0)
		rc = smpquery_forget_whose(reader);
	return rc < 0 ? rc : 1;
}

int smpquery_table_line(struct smpquery *reader, struct scan scan)
{
	unsigned in, out;
	uint8_t vl[16];
	int rc = read_table_end(reader, scan);

	if (rc == 0 && read_sl2vl(scan, &in, &out, vl)) {
		if (!sl2vl_goes_on(reader, in, out))
			return 0;
		rc = add_sl2vl(reader, in, out, vl);
		return rc < 0 ? rc : 1;
	}
	if (rc != 0)
		return rc;
	if (begin_vlarb(reader, scan))
		return 1;
	rc = read_vlarb(reader, scan) ? 1 : read_table_row(reader, scan);
	if (rc == 1)
		import_row(reader->import);
	return rc;
}
