/*
 * ibdiagnet2.pm, .cables and .nodes_info: blocks of "name=value" or "name: value".
 */
#include <string.h>

#include "collector/import/ibdiagnet_text.h"
#include "collector/import/titled_blocks.h"

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
static int title_port(struct titled_block *block, struct import *import, const char *line,
		      size_t length, struct err *err)
{
	uint64_t guid;
	uint64_t num;

	if (!ibdiagnet_guid(line, length, "GUID=", &guid) ||
	    !ibdiagnet_number(line, length, "Port=", &num) || num > 254)
		return 1;
	block->port = ibdiagnet_port(import, guid, (unsigned)num);
	return block->port ? ibdiagnet_lid(import, block->port, line, length, "Lid=", err) :
			     err_no_memory(err);
}

/* Always with 0x here: without it the digits are hex all the same. */
static bool pm_value(const char *text, size_t length, uint64_t *ret_value)
{
	return length >= 3 && text[1] == 'x' && import_parse_u64(text, length, ret_value);
}

static int pm_pair(struct titled_block *block, struct import *import, const char *name,
		   size_t name_length, const char *text, size_t text_length, struct err *err)
{
	uint64_t value;

	(void)import;
	(void)name;
	(void)name_length;
	(void)err;
	return block->port && (import_is_unknown(text, text_length) ||
			       pm_value(text, text_length, &value)) ? 0 : 1;
}

/* The values of a block, a counter's short form and its 64-bit twin apart. */
struct pm_values {
	uint64_t value[COUNTER_COUNT];
	uint64_t twin[COUNTER_COUNT];
	uint64_t has_value;
	uint64_t has_twin;
};

static void pm_fill(struct pm_values *values, const char *name, uint64_t value)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(counter_names) / sizeof(counter_names[0]); i++) {
		const struct counter_name *row = &counter_names[i];

		if (is_name(name, length, row->name)) {
			values->value[row->counter] = value;
			values->has_value |= UINT64_C(1) << row->counter;
			return;
		}
		if (is_name(name, length, row->twin)) {
			values->twin[row->counter] = value;
			values->has_twin |= UINT64_C(1) << row->counter;
			return;
		}
	}
}

static int pm_take(const struct titled_block *block, struct import *import, struct err *err)
{
	struct pm_values values = {.has_value = 0};
	uint64_t value;
	int rc = 0;

	for (size_t i = 0; i < block->count; i++) {
		if (pm_value(block_value(block, i), block->pairs[i].length, &value))
			pm_fill(&values, block->pairs[i].name, value);
	}
	for (int c = 0; c < COUNTER_COUNT && rc == 0; c++)
		rc = import_counter_pair(import, block->port, (enum counter)c,
					 values.has_value >> c & 1 ? &values.value[c] : NULL,
					 values.has_twin >> c & 1 ? &values.twin[c] : NULL, err);
	return rc;
}

static int cables_pair(struct titled_block *block, struct import *import, const char *name,
		       size_t name_length, const char *text, size_t text_length, struct err *err)
{
	(void)import;
	(void)name;
	(void)text;
	(void)text_length;
	(void)err;
	return block->port && name_length < 64 ? 0 : 1;
}

static int cables_take(const struct titled_block *block, struct import *import, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < block->count && rc == 0; i++) {
		const char *value = block_value(block, i);

		if (!import_is_unknown(value, block->pairs[i].length))
			rc = import_fact(import, block->port->device, block->port->num, "cable",
					 block->pairs[i].name, value, block->pairs[i].length, err);
	}
	return rc;
}

/* "Node Name=...": the GUID comes with the pairs. */
static int nodes_title(struct titled_block *block, struct import *import, const char *line,
		       size_t length, struct err *err)
{
	(void)block;
	(void)import;
	(void)err;
	return length > 10 && memcmp(line, "Node Name=", 10) == 0 ? 0 : 1;
}

static int nodes_pair(struct titled_block *block, struct import *import, const char *name,
		      size_t name_length, const char *text, size_t text_length, struct err *err)
{
	uint64_t guid;

	if (!is_name(name, name_length, "GUID"))
		return block->device ? 0 : 1;
	if (!import_parse_guid(text, text_length, &guid))
		return 1;
	block->device = import_device(import, guid, NODE_TYPE_UNKNOWN);
	return block->device ? 0 : err_no_memory(err);
}

/* The value of this name, or NULL where it is none. */
static const char *nodes_value(const struct titled_block *block, const char *name, size_t *ret_length)
{
	for (size_t i = 0; i < block->count; i++) {
		const char *value = block_value(block, i);

		*ret_length = block->pairs[i].length;
		if (strcmp(block->pairs[i].name, name) == 0)
			return import_is_unknown(value, block->pairs[i].length) ||
			       strcmp(value, "0.0.0") == 0 ? NULL : value;
	}
	return NULL;
}

static int nodes_take(const struct titled_block *block, struct import *import, struct err *err)
{
	struct device *device = block->device;
	size_t length, psid_length, up_time_length;
	const char *version = nodes_value(block, "FWInfo_Extended_Version", &length);
	const char *psid = nodes_value(block, "FWInfo_PSID", &psid_length);
	const char *up_time = nodes_value(block, "HWInfo_UpTime", &up_time_length);
	int rc = 0;

	if (!version && !device->fw_version)
		version = nodes_value(block, "FWInfo_Version", &length);
	if (version)
		rc = import_fw_version(import, device, version, length, err);
	if (rc == 0 && psid)
		rc = import_psid(import, device, psid, psid_length, err);
	if (rc == 0 && up_time)
		rc = import_fact(import, device, -1, "device", "HWInfo_UpTime", up_time,
				 up_time_length, err);
	return rc;
}

static int read_pm(struct import *import, struct input *input, struct err *err)
{
	static const struct block_format format = {'=', ATTRIBUTE_COUNTERS, title_port, pm_pair,
						   pm_take};

	import_asked(import, ATTRIBUTE_COUNTERS);
	return titled_blocks_read(&format, import, input, err);
}

static int read_cables(struct import *import, struct input *input, struct err *err)
{
	static const struct block_format format = {':', ATTRIBUTE_EXTENDED_PORT_INFO, title_port,
						   cables_pair, cables_take};

	return titled_blocks_read(&format, import, input, err);
}

static int read_nodes_info(struct import *import, struct input *input, struct err *err)
{
	static const struct block_format format = {'=', ATTRIBUTE_NODE_INFO, nodes_title, nodes_pair,
						   nodes_take};

	return titled_blocks_read(&format, import, input, err);
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
