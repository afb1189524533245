/*
 * saquery records, any number and kind in one file:
 *
 *   NodeRecord dump:
 *   		lid.....................4
 *   		node_guid...............0x...
 *
 * What has no place in a fabric (paths, groups, services, subscriptions) is counted
 * and named. All but NodeRecord name a port by LID, so a file with NodeRecords is read
 * before the others. SM_Keys and service keys are never taken.
 *
 * Source: saquery.c (dump_node_record and its neighbours).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/each_line.h"
#include "collector/import/sa_records.h"
#include "collector/import/scan.h"

static const char *const node_lines[] = {
	"lid", "reserved", "base_version", "class_version", "node_type", "num_ports",
	"sys_guid", "node_guid", "port_guid", "partition_cap", "device_id", "revision",
	"port_num", "vendor_id", "NodeDescription", NULL,
};
/* Of all ports a few fields are printed; one asked for has Options, and all of PortInfo behind them. */
static const char *const port_lines[] = {
	"EndPortLid", "PortNum", "base_lid", "master_sm_base_lid", "capability_mask", NULL,
};
static const char *const link_lines[] = {
	"FromLID", "FromPort", "ToPort", "ToLID", NULL,
};
/* Not every SA tells of MulticastFDBTop. */
static const char *const switch_lines[] = {
	"LID", "LinearFDBCap", "RandomFDBCap", "MulticastFDBCap", "LinearFDBTop",
	"DefaultPort", "DefaultMulticastPrimaryPort", "DefaultMulticastNotPrimaryPort",
	"LifeTimeValue/PortStateChange/OpSL2VL", "LIDsPerPort", "PartitionEnforcementCap",
	"flags", "1MulticastFDBTop", NULL,
};
/* People take the SM_Key out, and old releases print none. */
static const char *const sm_lines[] = {
	"LID", "GUID", "ActCount", "Priority", "SMState", NULL,
};
static const char *const lft_lines[] = {
	"LID", "Block", NULL,
};
static const char *const mft_lines[] = {
	"LID", "Position", "Block", NULL,
};
static const char *const sl2vl_lines[] = {
	"LID", "InPort", "OutPort", NULL,
};
static const char *const vlarb_lines[] = {
	"LID", "Port", "Block", NULL,
};
static const char *const guid_lines[] = {
	"LID", "Block", "GUID 0", "GUID 1", "GUID 2", "GUID 3", "GUID 4", "GUID 5", "GUID 6",
	"GUID 7", NULL,
};
static const char *const path_lines[] = {
	"service_id", "dgid", "sgid", "dlid", "slid", "hop_flow_raw", "tclass",
	"num_path_revers", "pkey", "qos_class", "sl", "mtu", "rate", "pkt_life", "preference",
	"resv2", NULL,
};
static const char *const member_lines[] = {
	"MGID", "PortGid", "qkey", "mlid", "mtu", "TClass", "pkey", "rate", "pkt_life", "SL",
	"FlowLabel", "HopLimit", "Scope", "JoinState", "ProxyJoin", NULL,
};
static const char *const group_lines[] = {
	"MGID", "Mlid", "Mtu", "pkey", "Rate", "SL", NULL,
};
static const char *const membership_lines[] = {
	"MGID", "Mlid", "PortGid", "ScopeState", "ProxyJoin", "NodeDescription", NULL,
};
/* Without its key. */
static const char *const service_lines[] = {
	"ServiceID", "ServiceGID", "ServiceP_Key", "ServiceLease", "ServiceName",
	"ServiceData8.1", "ServiceData8.2", "ServiceData8.3", "ServiceData8.4",
	"ServiceData8.5", "ServiceData8.6", "ServiceData8.7", "ServiceData8.8",
	"ServiceData8.9", "ServiceData8.10", "ServiceData8.11", "ServiceData8.12",
	"ServiceData8.13", "ServiceData8.14", "ServiceData8.15", "ServiceData8.16",
	"ServiceData16.1", "ServiceData16.2", "ServiceData16.3", "ServiceData16.4",
	"ServiceData16.5", "ServiceData16.6", "ServiceData16.7", "ServiceData16.8",
	"ServiceData32.1", "ServiceData32.2", "ServiceData32.3", "ServiceData32.4",
	"ServiceData64.1", "ServiceData64.2", NULL,
};
static const char *const inform_lines[] = {
	"SubscriberGID", "SubscriberEnum", "gid", "lid_range_begin", "lid_range_end",
	"is_generic", "subscribe", "trap_type", "trap_num|dev_id", "qpn", "resp_time_val",
	"node_type|vendor_id", NULL,
};
static const char *const class_lines[] = {
	"Base version", "Class version", "Capability mask", "Response time value",
	"Redirect GID", "Redirect TC/SL/FL", "Redirect LID", "Redirect PKey", "Redirect QP",
	"Redirect QKey", "Trap GID", "Trap TC/SL/FL", "Trap LID", "Trap PKey", "Trap HL/QP",
	"Trap QKey", NULL,
};

static const struct record_title titles[] = {
	{"NodeRecord dump:", RECORD_NODE, {"NodeRecord", ATTRIBUTE_NODE_INFO, node_lines, false}},
	{"PortInfoRecord dump:", RECORD_PORT,
	 {"PortInfoRecord", ATTRIBUTE_PORT_INFO, port_lines, false}},
	{"LinkRecord dump:", RECORD_LINK, {"LinkRecord", ATTRIBUTE_NEIGHBOR, link_lines, false}},
	{"SwitchInfoRecord dump:", RECORD_SWITCH,
	 {"SwitchInfoRecord", ATTRIBUTE_SWITCH_INFO, switch_lines, false}},
	{"SMInfoRecord dump:", RECORD_SM, {"SMInfoRecord", ATTRIBUTE_SM_INFO, sm_lines, false}},
	{"LFT Record dump:", RECORD_LFT, {"LFT record", ATTRIBUTE_LFT, lft_lines, true}},
	{"MFT Record dump:", RECORD_MFT, {"MFT record", ATTRIBUTE_MFT, mft_lines, true}},
	{"SL2VLTableRecord dump:", RECORD_SL2VL,
	 {"SL2VLTableRecord", ATTRIBUTE_SL2VL, sl2vl_lines, true}},
	{"VLArbTableRecord dump:", RECORD_VLARB,
	 {"VLArbTableRecord", ATTRIBUTE_VLARB, vlarb_lines, true}},
	{"PKeyTableRecord dump:", RECORD_PKEY,
	 {"PKeyTableRecord", ATTRIBUTE_PKEY_TABLE, vlarb_lines, true}},
	{"PKEYTableRecord dump:", RECORD_PKEY,
	 {"PKeyTableRecord", ATTRIBUTE_PKEY_TABLE, vlarb_lines, true}},
	{"GUIDInfo Record dump:", RECORD_GUID,
	 {"GUIDInfoRecord", ATTRIBUTE_GUID_INFO, guid_lines, false}},
	{"GUIDInfoRecord dump:", RECORD_GUID,
	 {"GUIDInfoRecord", ATTRIBUTE_GUID_INFO, guid_lines, false}},
	{"PathRecord dump:", RECORD_PATH, {"PathRecord", ATTRIBUTE_LFT, path_lines, false}},
	{"MCMember Record dump:", RECORD_MEMBER,
	 {"MCMemberRecord", ATTRIBUTE_MFT, member_lines, false}},
	{"MCMemberRecord group dump:", RECORD_GROUP,
	 {"MCMemberRecord of a group", ATTRIBUTE_MFT, group_lines, false}},
	{"MCMemberRecord member dump:", RECORD_MEMBERSHIP,
	 {"MCMemberRecord of a member", ATTRIBUTE_MFT, membership_lines, false}},
	{"ServiceRecord dump:", RECORD_SERVICE,
	 {"ServiceRecord", ATTRIBUTE_CLASS_PORT_INFO, service_lines, false}},
	{"InformInfoRecord dump:", RECORD_INFORM,
	 {"InformInfoRecord", ATTRIBUTE_CLASS_PORT_INFO, inform_lines, false}},
	{"SA ClassPortInfo:", RECORD_CLASS,
	 {"ClassPortInfo of the SA", ATTRIBUTE_CLASS_PORT_INFO, class_lines, false}},
	{NULL, RECORD_NONE, {NULL, ATTRIBUTE_COUNT, NULL, false}},
};

/* All of PortInfo, behind what the record names it by. */
static const struct record_kind whole_port_kind = {"PortInfoRecord", ATTRIBUTE_PORT_INFO,
						   smp_port_lines, false};

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

/* "0xffff 0x0000 ...", eight of the block's 32. */
static bool read_pkey_row(struct sa_reader *reader, struct scan scan)
{
	uint64_t value;

	while (reader->value_count < 32 && scan_hex(&scan, &value)) {
		reader->values[reader->value_count++] = value;
		scan_blanks(&scan);
	}
	record_whole(&reader->ends, reader->value_count == 32);
	return scan_done(&scan);
}

/* "0xc000\t0x0006": an MLID of the block, and the mask of 16 ports. */
static bool read_mft_line(struct sa_reader *reader, struct scan scan)
{
	uint64_t mlid, mask;

	if (scan_starts(&scan, "MFT:") || scan_starts(&scan, "MLID\t"))
		return true;
	if (!scan_hex(&scan, &mlid) || !scan_char(&scan, '\t') || !scan_hex(&scan, &mask) ||
	    mlid < MFT_FIRST_MLID || mask > 0xffff)
		return false;
	if (reader->block >= 0 && (mlid - MFT_FIRST_MLID) / 32 == (uint64_t)reader->block) {
		/* A second time: of a record whose title is missing. */
		if (reader->masks_known >> (mlid % 32) & 1)
			return false;
		reader->masks[mlid % 32] = (uint16_t)mask;
		reader->masks_known |= UINT32_C(1) << (mlid % 32);
		record_whole(&reader->ends, reader->masks_known == UINT32_MAX);
	}
	return true;
}

/* Lines that are no key: rows of tables and their headings. */
static bool read_table_line(struct sa_reader *reader, struct scan scan)
{
	uint64_t lid, port;

	switch (reader->record) {
	case RECORD_SL2VL:
		if (reader->vl_count == 0 && scan_literal(&scan, "VL:"))
			record_whole(&reader->ends, (reader->vl_count = read_bars(scan, reader->vl, 16)) == 16);
		else if (!scan_starts(&scan, "SL:"))
			return false;
		return true;
	case RECORD_VLARB:
		if (reader->vl_count < 32 && scan_literal(&scan, "VL    :"))
			reader->vl_count += read_bars(scan, reader->vl + reader->vl_count,
						      64 - reader->vl_count);
		else if (reader->weight_count < 32 && scan_literal(&scan, "Weight:"))
			reader->weight_count += read_bars(scan,
							  reader->weight + reader->weight_count,
							  64 - reader->weight_count);
		else
			return false;
		record_whole(&reader->ends, reader->vl_count == 32 && reader->weight_count == 32);
		return true;
	case RECORD_PKEY:
		return scan_starts(&scan, "PKey Table:") || read_pkey_row(reader, scan);
	case RECORD_MFT:
		return read_mft_line(reader, scan);
	case RECORD_LFT:
		if (scan_starts(&scan, "LFT:") || scan_starts(&scan, "LID\t"))
			return true;
		if (!scan_decimal(&scan, &lid) || !scan_char(&scan, '\t') ||
		    !scan_decimal(&scan, &port) || port > 255)
			return false;
		if (reader->block >= 0 && lid / 64 == (uint64_t)reader->block) {
			if (reader->lft_known >> (lid % 64) & 1)
				return false;
			reader->lft[lid % 64] = (uint8_t)port;
			reader->lft_known |= UINT64_C(1) << (lid % 64);
			record_whole(&reader->ends, reader->lft_known == UINT64_MAX);
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
	       scan_starts(scan, "InformInfo dump:") ||
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
		{RECORD_MFT, "block", &reader->block},
		{RECORD_MFT, "position", &reader->position},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (keys[i].record == reader->record &&
		    take_number(key, key_length, keys[i].name, value, length, keys[i].slot))
			return true;
	}
	if (reader->record != RECORD_NODE && reader->record != RECORD_PORT &&
	    take_number(key, key_length, "lid", value, length, &reader->lid))
		return true;
	return false;
}

/* A key of releases to come is passed over; a GUID that is none is no line of this tool. */
static bool take_node_key(struct sa_reader *reader, const char *key, size_t key_length,
			  const char *value, size_t length)
{
	return smp_node_key(&reader->node, key, key_length, value, length) || key_length < 4 ||
	       !import_is_word(key + key_length - 4, 4, "guid");
}

/* "GUID 3.....................0x..." */
static bool take_guid(struct sa_reader *reader, const char *key, size_t key_length, const char *value,
		      size_t length)
{
	struct scan scan = scan_of(key, key_length);
	uint64_t index, guid;

	/* All 16 digits are printed. */
	if (!scan_literal(&scan, "GUID ") || !scan_decimal(&scan, &index) || index > 7 ||
	    length != 18 || !import_parse_hex(value, length, &guid))
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

	if (!smp_split(line, length, &key, &key_length, &value, &value_length) ||
	    record_is_foreign(&reader->ends, titles, key, key_length) ||
	    !record_key(&reader->ends, key, key_length))
		return false;
	if (reader->record == RECORD_PORT && import_is_word(key, key_length, "options"))
		record_becomes(&reader->ends, &whole_port_kind);
	if (reader->record == RECORD_SM && import_is_word(key, key_length, "guid"))
		return import_parse_guid(value, value_length, &reader->guid);
	if (take_record_key(reader, key, key_length, value, value_length))
		return true;
	switch (reader->record) {
	case RECORD_GUID:
		return take_guid(reader, key, key_length, value, value_length);
	case RECORD_NODE:
		if (import_is_word(key, key_length, "nodedescription")) {
			reader->name_length = value_length < 64 ? value_length : 64;
			memcpy(reader->name, value, reader->name_length);
			reader->name_told = true;
			return true;
		}
		return take_node_key(reader, key, key_length, value, value_length);
	case RECORD_SWITCH:
		smp_switch_key(&reader->sw, key, key_length, value, value_length);
		return true;
	case RECORD_PORT:
		smp_port_key(&reader->port, key, key_length, value, value_length);
		return true;
	case RECORD_LFT:
	case RECORD_MFT:
	case RECORD_SL2VL:
	case RECORD_VLARB:
	case RECORD_PKEY:
		/* "LID" and "Block" in front of the rows have a place of their own. */
	case RECORD_NONE:
		return false;
	default:
		return true;
	}
}

/* "MCMember Record dump:": words alone, not a title with something in front of it. */
static bool is_other_title(const struct scan *scan)
{
	if (scan_left(scan) <= 6 || scan_left(scan) >= 60 || memcmp(scan->end - 6, " dump:", 6) != 0)
		return false;
	for (const char *at = scan->at; at < scan->end - 6; at++) {
		if (*at != ' ' && ((*at | 0x20) < 'a' || (*at | 0x20) > 'z'))
			return false;
	}
	return true;
}

/* 1: a title, 0: none. */
static int read_title(struct sa_reader *reader, struct scan scan)
{
	const struct record_title *title = record_title_of(titles, scan.at, scan_left(&scan));
	int rc;

	if (!title && (is_heading(&scan) || !is_other_title(&scan)))
		return 0;
	rc = sa_record_end(reader);
	sa_record_begin(reader, title ? (enum record)title->what : RECORD_OTHER);
	if (title)
		record_begin(&reader->ends, &title->kind, input_line_number(reader->input));
	else
		record_end(&reader->ends);
	import_row(reader->import);
	return rc < 0 ? rc : 1;
}

static int read_line(void *context, const char *line, size_t length)
{
	struct sa_reader *reader = context;
	struct scan scan = scan_of(line, length);
	int rc;

	scan_blanks(&scan);
	if (scan_done(&scan))
		return 0;
	rc = read_title(reader, scan);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	if (is_heading(&scan))
		return 0;
	if (reader->record != RECORD_NONE &&
	    (read_table_line(reader, scan) || take_key(reader, line, length))) {
		import_row(reader->import);
		return 0;
	}
	if (line_is_noise(line, length))
		return 0;
	rc = trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
			    "not a line of saquery", NULL, reader->err);
	if (rc == 0)
		rc = sa_record_end(reader);
	record_end(&reader->ends);
	return rc;
}

/* "records without a place here: PathRecord 3" into the source's detail. */
static int tell_unplaced(struct sa_reader *reader)
{
	char text[400] = "";
	size_t used = 0;

	for (const struct record_title *title = titles; title->words; title++) {
		int64_t count = reader->unplaced[title->what];

		if (count > 0 && used < sizeof(text))
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %lld",
						 used ? ", " : "records without a place here: ",
						 title->kind.name, (long long)count);
	}
	if (reader->unplaced[RECORD_OTHER] > 0 && used < sizeof(text))
		snprintf(text + used, sizeof(text) - used, "%srecords of a kind not known here: %lld",
			 used ? "; " : "", (long long)reader->unplaced[RECORD_OTHER]);
	if (!text[0])
		return 0;
	import_source(reader->import)->detail =
		import_intern(reader->import, text, strlen(text));
	return import_source(reader->import)->detail ? 0 : err_no_memory(reader->err);
}

static int saquery_read(struct import *import, struct input *input, struct err *err)
{
	struct sa_reader *reader = calloc(1, sizeof(*reader));
	int rc;

	if (!reader)
		return err_no_memory(err);
	reader->import = import;
	reader->input = input;
	reader->err = err;
	rc = each_line(input, read_line, reader, err);
	if (rc == 0)
		rc = sa_record_end(reader);
	if (rc == 0)
		rc = sa_mft_end(reader);
	if (rc == 0)
		rc = record_ends_settle(&reader->ends, import, err);
	if (rc == 0)
		rc = tell_unplaced(reader);
	rc = trouble_end(reader->troubles, import, rc, err);
	lidmap_free(reader->lids);
	rows_free(&reader->rows);
	free(reader->mft.masks);
	free(reader);
	return rc;
}

static int saquery_nodes_detect(const struct probe *probe)
{
	return probe_has_line(probe, "NodeRecord dump:") ? 96 : 0;
}

static int saquery_detect(const struct probe *probe)
{
	for (const struct record_title *title = titles; title->words; title++) {
		if (probe_has_line(probe, title->words))
			return 95;
	}
	return probe_has(probe, "Record dump:\n") ? 90 : 0;
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
	.loses = ATTRIBUTE_PORT_INFO,
	.detect = saquery_detect,
	.read = saquery_read,
};
