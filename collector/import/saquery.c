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

#include "collector/import/lft_table.h"
#include "collector/import/lidmap.h"
#include "collector/import/scan.h"
#include "collector/import/smp_values.h"
#include "collector/import/trouble.h"

enum record {
	RECORD_NONE,
	RECORD_NODE,
	RECORD_PORT,
	RECORD_LINK,
	RECORD_SWITCH,
	RECORD_SM,
	RECORD_LFT,
	RECORD_SL2VL,
	RECORD_VLARB,
	RECORD_PKEY,
	RECORD_GUID,
	RECORD_OTHER,		/* recognised, nothing of it is kept */
};

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

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct rows rows;
	struct lidmap *lids;
	struct trouble_list *troubles;
	enum record record;
	struct smp_node node;
	struct smp_port port;
	struct smp_switch sw;
	int64_t lid, num, in, block;	/* of the record, or unknown */
	int64_t to_lid, to_port;
	uint64_t guid;
	int64_t act_count, priority, state;
	uint8_t vl[64];
	uint8_t weight[64];
	size_t vl_count, weight_count;
	uint64_t values[64];		/* P_Keys or GUIDs of the block */
	size_t value_count;
	uint8_t lft[64];
	uint64_t lft_known;		/* bit per entry */
	bool name_told;			/* the description copied to `name` */
	char name[65];
	size_t name_length;
};

static int odd(struct reader *reader, const char *reason)
{
	return import_odd(reader->import, reader->input, reason, reader->err);
}

static void record_begin(struct reader *reader, enum record record)
{
	reader->record = record;
	smp_node_init(&reader->node);
	smp_port_init(&reader->port);
	smp_switch_init(&reader->sw);
	reader->lid = reader->num = reader->in = reader->block = FIELD_UNKNOWN;
	reader->to_lid = reader->to_port = FIELD_UNKNOWN;
	reader->act_count = reader->priority = reader->state = FIELD_UNKNOWN;
	reader->guid = 0;
	reader->vl_count = reader->weight_count = reader->value_count = 0;
	reader->lft_known = 0;
	reader->name_told = false;
}

/* The end port that owns a LID, or NULL: nobody said. */
static int owner_of(struct reader *reader, int64_t lid, struct port **ret_port)
{
	int rc = 0;

	if (!reader->lids)
		rc = lidmap_new(import_fabric(reader->import), &reader->lids, reader->err);
	*ret_port = rc == 0 ? lidmap_find(reader->lids, lid) : NULL;
	return rc;
}

/* The port `num` on the node that owns the LID; a CA's own port whatever num says when it is 0. */
static int port_of(struct reader *reader, int64_t lid, int64_t num, struct port **ret_port)
{
	struct port *owner;
	int rc = owner_of(reader, lid, &owner);

	*ret_port = NULL;
	if (rc < 0 || !owner)
		return rc;
	if (num == FIELD_UNKNOWN || (num == 0 && owner->device->type != NODE_TYPE_SWITCH))
		num = owner->num;
	if (num < 0 || num > 254)
		return 0;
	*ret_port = import_port(reader->import, owner->device, (unsigned)num);
	return *ret_port ? 0 : err_no_memory(reader->err);
}

static int end_node(struct reader *reader)
{
	struct device *device;
	struct port *port;
	int rc = smp_node_apply(&reader->node, &reader->rows, reader->import, &device, reader->err);

	if (rc < 0 || !device)
		return rc;
	if (reader->name_told) {
		import_device_read(reader->import, device, ATTRIBUTE_NODE_DESCRIPTION);
		rc = import_description(reader->import, device, reader->name, reader->name_length,
					reader->err);
	}
	port = device_port(device, device->type == NODE_TYPE_SWITCH ?
					   0 : (unsigned)(reader->node.local_port & 255));
	if (rc == 0 && port && reader->lids)
		lidmap_add(reader->lids, port);
	return rc;
}

static int end_link(struct reader *reader)
{
	struct port *from, *to;
	int rc = port_of(reader, reader->lid, reader->num, &from);

	if (rc == 0)
		rc = port_of(reader, reader->to_lid, reader->to_port, &to);
	if (rc < 0 || !from || !to)
		return rc;
	return import_link(reader->import, from, to, false, reader->err);
}

static int end_sm(struct reader *reader)
{
	struct sm *sm;

	if (reader->guid == 0)
		return 0;
	sm = import_sm(reader->import, reader->guid);
	if (!sm)
		return err_no_memory(reader->err);
	sm->lid = reader->lid;
	sm->act_count = reader->act_count;
	sm->priority = reader->priority;
	sm->state = reader->state;
	return 0;
}

static int end_lft(struct reader *reader, struct device *device)
{
	struct lft_table *table;
	unsigned first;
	int rc;

	/* A block is known whole or not at all. */
	if (reader->lft_known != UINT64_MAX || reader->block < 0 || reader->block >= LFT_BLOCKS)
		return 0;
	table = malloc(sizeof(*table));
	if (!table)
		return err_no_memory(reader->err);
	table->touched = LFT_LIDS;
	lft_table_reset(table);
	first = (unsigned)reader->block * 64;
	memcpy(table->entries + first, reader->lft, 64);
	rc = lft_table_commit(table, reader->import, device, first, first + 63, false, reader->err);
	free(table);
	return rc;
}

/* Blocks 1 and 2 are the low table, 3 and 4 the high one; the second of each is added to the first. */
static int end_vlarb(struct reader *reader, struct port *port)
{
	bool high = reader->block >= 3;
	const struct vlarb_entry *old = high ? port->vlarb_high : port->vlarb_low;
	int64_t cap = high ? port->info.vlarb_high_cap : port->info.vlarb_low_cap;
	struct vlarb_entry entries[64];
	size_t count = 0;

	if (reader->block < 1 || reader->block > 4 || reader->vl_count != reader->weight_count)
		return 0;
	if (reader->block % 2 == 0) {
		if (!old || cap <= 32 || port->source_of[ATTRIBUTE_VLARB] !=
						 import_source_ref(reader->import))
			return 0;
		memcpy(entries, old, 32 * sizeof(entries[0]));
		count = 32;
	}
	for (size_t i = 0; i < reader->vl_count && count < 64; i++)
		entries[count++] = (struct vlarb_entry){reader->vl[i], reader->weight[i]};
	/* A block has 32 places; the port has as many as its cap says. */
	if (cap >= 0 && (size_t)cap < count)
		count = (size_t)cap;
	import_port_read(reader->import, port, ATTRIBUTE_VLARB);
	return import_vlarb(reader->import, port, high, entries, count, reader->err);
}

static int end_table(struct reader *reader, struct port *port)
{
	int rc = 0;

	switch (reader->record) {
	case RECORD_SL2VL:
		if (reader->vl_count != 16)
			return 0;
		import_port_read(reader->import, port, ATTRIBUTE_SL2VL);
		return import_sl2vl(reader->import, port,
				    reader->in >= 0 ? (unsigned)reader->in : 0, reader->vl,
				    reader->err);
	case RECORD_VLARB:
		return end_vlarb(reader, port);
	case RECORD_PKEY:
		import_port_read(reader->import, port, ATTRIBUTE_PKEY_TABLE);
		for (size_t i = 0; rc == 0 && i < reader->value_count; i++)
			rc = import_pkey_add(reader->import, port, (uint16_t)reader->values[i],
					     reader->err);
		return rc;
	case RECORD_GUID:
		if (reader->block > 0)
			return 0;
		while (reader->value_count > 0 && reader->values[reader->value_count - 1] == 0)
			reader->value_count--;
		import_port_read(reader->import, port, ATTRIBUTE_GUID_INFO);
		return import_guids(reader->import, port, reader->values, reader->value_count,
				    reader->err);
	case RECORD_LFT:
		return end_lft(reader, port->device);
	case RECORD_SWITCH:
		return smp_switch_apply(&reader->sw, reader->import, port->device, reader->err);
	case RECORD_PORT:
		return smp_port_apply(&reader->port, reader->import, port->device, port->num, &port,
				      reader->err);
	default:
		return 0;
	}
}

static int record_end(struct reader *reader)
{
	enum record record = reader->record;
	struct port *port;
	int rc = 0;

	if (record == RECORD_NODE)
		rc = end_node(reader);
	else if (record == RECORD_LINK)
		rc = end_link(reader);
	else if (record == RECORD_SM)
		rc = end_sm(reader);
	else if (record != RECORD_NONE && record != RECORD_OTHER) {
		rc = port_of(reader, reader->lid, reader->num, &port);
		if (rc == 0 && port)
			rc = end_table(reader, port);
		else if (rc == 0)
			rc = odd(reader, "the record before names a LID that no file explains");
	}
	reader->record = RECORD_NONE;
	return rc;
}

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
static bool read_table_line(struct reader *reader, struct scan scan)
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
static bool take_record_key(struct reader *reader, const char *key, size_t key_length,
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
static bool take_guid(struct reader *reader, const char *key, size_t key_length, const char *value,
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

static bool take_key(struct reader *reader, const char *line, size_t length)
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
static int read_title(struct reader *reader, struct scan scan)
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
	rc = record_end(reader);
	record_begin(reader, record);
	import_row(reader->import);
	return rc < 0 ? rc : 1;
}

static int read_line(struct reader *reader, const char *line, size_t length)
{
	struct scan scan = scan_of(line, length);
	bool taken;
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
	if (line_is_noise(line, length))
		return 0;
	rc = trouble_note(&reader->troubles, line, length, input_line_number(reader->input),
			  &taken, reader->err);
	if (rc < 0 || taken)
		return rc;
	return odd(reader, "not a line of saquery");
}

static int saquery_read(struct import *import, struct input *input, struct err *err)
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
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = read_line(reader, line, length);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = record_end(reader);
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
