/*
 * saquery records, any number and kind in one file:
 *
 *   NodeRecord dump:
 *   		lid.....................4
 *   		node_guid...............0x...
 *
 * All but NodeRecord name a port by LID, so a file with NodeRecords is read
 * before the others. SM_Keys and service keys are never taken.
 *
 * Source: saquery.c (dump_node_record and its neighbours).
 */
#include <stdlib.h>
#include <string.h>

#include "collector/import/sa_records.h"
#include "collector/import/scan.h"

static const struct {
	const char *title;
	enum record record;
} titles[] = {
	{"NodeRecord dump:", RECORD_NODE},
	{"PortInfoRecord dump:", RECORD_PORT},
	{"LinkRecord dump:", RECORD_LINK},
	{"SwitchInfoRecord dump:", RECORD_SWITCH},
	{"SMInfoRecord dump:", RECORD_SM},
	{"LFT Record dump:", RECORD_LFT},
	{"SL2VLTableRecord dump:", RECORD_SL2VL},
	{"VLArbTableRecord dump:", RECORD_VLARB},
	{"PKeyTableRecord dump:", RECORD_PKEY},
	{"PKEYTableRecord dump:", RECORD_PKEY},
	{"GUIDInfo Record dump:", RECORD_GUID},
	{"GUIDInfoRecord dump:", RECORD_GUID},
};

/* Numbers separated by bars: "0| 1| 2|". */
static size_t read_bars(struct scan scan, uint8_t *out, size_t room)
{
	size_t count = 0;
	uint64_t value;

	while (count < room) {
		scan_blanks(&scan);
		if (!scan_decimal(&scan, &value) || value > 255 || !scan_char(&scan, '|'))
			break;
		out[count++] = (uint8_t)value;
	}
	return count;
}

/* Lines that are no key: rows of tables and their headings. */
static bool read_table_line(struct sa_reader *reader, struct scan scan)
{
	uint64_t lid, port, value;

	switch (reader->record) {
	case RECORD_SL2VL:
		if (scan_literal(&scan, "VL:"))
			reader->vl_count = read_bars(scan, reader->vl, 16);
		else if (!scan_starts(&scan, "SL:"))
			return false;
		return true;
	case RECORD_VLARB:
		if (scan_literal(&scan, "VL    :"))
			reader->vl_count += read_bars(scan, reader->vl + reader->vl_count,
						      64 - reader->vl_count);
		else if (scan_literal(&scan, "Weight:"))
			reader->weight_count += read_bars(scan,
							  reader->weight + reader->weight_count,
							  64 - reader->weight_count);
		else
			return false;
		return true;
	case RECORD_PKEY:
		if (scan_starts(&scan, "PKey Table:"))
			return true;
		if (!scan_starts(&scan, "0x"))
			return false;
		while (scan_hex(&scan, &value)) {
			if (reader->value_count < 64 && value != 0)
				reader->values[reader->value_count++] = value;
			scan_blanks(&scan);
		}
		return scan_done(&scan);
	case RECORD_LFT:
		if (scan_starts(&scan, "LFT:") || scan_starts(&scan, "LID\t"))
			return true;
		if (!scan_decimal(&scan, &lid) || !scan_char(&scan, '\t') ||
		    !scan_decimal(&scan, &port) || port > 255)
			return false;
		if (reader->block >= 0 && lid / 64 == (uint64_t)reader->block) {
			reader->lft[lid % 64] = (uint8_t)port;
			reader->lft_known |= UINT64_C(1) << (lid % 64);
		}
		return true;
	default:
		return false;
	}
}

static bool is_heading(const struct scan *scan)
{
	return scan_starts(scan, "RID") || scan_starts(scan, "PortInfo dump:") ||
	       scan_starts(scan, "SMInfo dump:") || scan_starts(scan, "SwitchInfo dump:") ||
	       scan_starts(scan, "Is");
}

static bool take_number(const char *key, size_t key_length, const char *name, const char *value,
			size_t length, int64_t *slot)
{
	uint64_t number;

	if (!import_is_word(key, key_length, name))
		return false;
	if (import_parse_u64(value, length, &number) && number <= INT64_MAX)
		*slot = (int64_t)number;
	return true;
}

/* Keys of the records' own, in front of or beside an attribute's. */
static bool take_record_key(struct sa_reader *reader, const char *key, size_t key_length,
			    const char *value, size_t length)
{
	const struct {
		enum record record;
		const char *name;
		int64_t *slot;
	} keys[] = {
		{RECORD_NODE, "lid", &reader->node.lid},
		{RECORD_PORT, "endportlid", &reader->lid},
		{RECORD_PORT, "portnum", &reader->num},
		{RECORD_LINK, "fromlid", &reader->lid},
		{RECORD_LINK, "fromport", &reader->num},
		{RECORD_LINK, "tolid", &reader->to_lid},
		{RECORD_LINK, "toport", &reader->to_port},
		{RECORD_SM, "actcount", &reader->act_count},
		{RECORD_SM, "priority", &reader->priority},
		{RECORD_SM, "smstate", &reader->state},
		{RECORD_SL2VL, "inport", &reader->in},
		{RECORD_SL2VL, "outport", &reader->num},
		{RECORD_VLARB, "port", &reader->num},
		{RECORD_VLARB, "block", &reader->block},
		{RECORD_PKEY, "port", &reader->num},
		{RECORD_PKEY, "block", &reader->block},
		{RECORD_LFT, "block", &reader->block},
		{RECORD_GUID, "block", &reader->block},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].record == reader->record &&
		    take_number(key, key_length, keys[i].name, value, length, keys[i].slot))
			return true;
	}
	if (reader->record != RECORD_NODE && reader->record != RECORD_PORT &&
	    take_number(key, key_length, "lid", value, length, &reader->lid))
		return true;
	if (reader->record == RECORD_SM && import_is_word(key, key_length, "guid")) {
		import_parse_u64(value, length, &reader->guid);
		return true;
	}
	return false;
}

/* "GUID 3.....................0x..." */
static bool take_guid(struct sa_reader *reader, const char *key, size_t key_length, const char *value,
		      size_t length)
{
	struct scan scan = scan_of(key, key_length);
	uint64_t index, guid;

	if (reader->record != RECORD_GUID || !scan_literal(&scan, "GUID ") ||
	    !scan_decimal(&scan, &index) || index > 7 || !import_parse_u64(value, length, &guid))
		return false;
	while (reader->value_count <= index)
		reader->values[reader->value_count++] = 0;
	reader->values[index] = guid;
	return true;
}

static bool take_key(struct sa_reader *reader, const char *line, size_t length)
{
	const char *key, *value;
	size_t key_length, value_length;

	if (!smp_split(line, length, &key, &key_length, &value, &value_length))
		return false;
	if (take_record_key(reader, key, key_length, value, value_length) ||
	    take_guid(reader, key, key_length, value, value_length))
		return true;
	switch (reader->record) {
	case RECORD_NODE:
		if (import_is_word(key, key_length, "nodedescription")) {
			reader->name_length = value_length < 64 ? value_length : 64;
			memcpy(reader->name, value, reader->name_length);
			reader->name_told = true;
		} else {
			smp_node_key(&reader->node, key, key_length, value, value_length);
		}
		return true;
	case RECORD_SWITCH:
		smp_switch_key(&reader->sw, key, key_length, value, value_length);
		return true;
	case RECORD_PORT:
		smp_port_key(&reader->port, key, key_length, value, value_length);
		return true;
	case RECORD_NONE:
		return false;
	default:
		return true;
	}
}

/* 1: a title, 0: none. */
static int read_title(struct sa_reader *reader, struct scan scan)
{
	enum record record = RECORD_NONE;
	int rc;

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		if (scan_starts(&scan, titles[i].title))
			record = titles[i].record;
	}
	if (record == RECORD_NONE && !is_heading(&scan) && scan_left(&scan) > 6 &&
	    scan_left(&scan) < 60 && memcmp(scan.end - 6, " dump:", 6) == 0)
		record = RECORD_OTHER;
	if (record == RECORD_NONE)
		return 0;
	rc = sa_record_end(reader);
	sa_record_begin(reader, record);
	import_row(reader->import);
	return rc < 0 ? rc : 1;
}

static int read_line(struct sa_reader *reader, const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);
	int rc;

	scan_blanks(&scan);
	if (scan_done(&scan))
		return 0;
	rc = read_title(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (reader->record != RECORD_NONE &&
	    (is_heading(&scan) || read_table_line(reader, scan) || take_key(reader, line, length))) {
		import_row(reader->import);
		return 0;
	}
	return trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			      "not a line of saquery", NULL, reader->err);
}

static int saquery_read(struct import *import, struct input *input, struct err *err)
{
	struct sa_reader *reader = calloc(1, sizeof(*reader));
	char *line;
	size_t length;
	int rc;

	if (!reader)
		return err_no_memory(err);
	reader->import = import;
	reader->input = input;
	reader->err = err;
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = read_line(reader, line, length);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = sa_record_end(reader);
	if (rc == 0)
		rc = trouble_resolve(import, reader->troubles, 0, 0, err);
	trouble_free(reader->troubles);
	lidmap_free(reader->lids);
	rows_free(&reader->rows);
	free(reader);
	return rc;
}

static int saquery_nodes_detect(const struct probe *probe)
{
	return probe_has_line(probe, "NodeRecord dump:") ? 96 : 0;
}

static int saquery_detect(const struct probe *probe)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		if (probe_has_line(probe, titles[i].title))
			return 95;
	}
	return probe_has(probe, "Record dump:\n") ||
			       probe_has(probe, "MCMemberRecord group dump:") ? 90 : 0;
}

const struct format format_saquery_nodes = {
	.id = "saquery-nodes",
	.title = "saquery answers with NodeRecords among them",
	.rank = 66,
	.detect = saquery_nodes_detect,
	.read = saquery_read,
};

/* The SA tells what OpenSM last saw, not what the ports say. */
const struct format format_saquery = {
	.id = "saquery",
	.title = "saquery answers",
	.rank = 64,
	.late = true,
	.detect = saquery_detect,
	.read = saquery_read,
};
