/* Sections of ibdiagnet2.db_csv that make the fabric: nodes, ports, links, switches, SMs. */
#include <stdio.h>
#include <string.h>

#include "collector/import/db_csv.h"

enum decode {
	AS_IS,
	NOT_ZERO,	/* 0 means that the port has no such thing */
	WIDTH,
	SPEED,
	MTU,
	VLS,
	OPER_VLS,
};

/* A column that becomes a field. */
struct column {
	const char *name;
	const char *member;
	enum decode decode;
	bool end_port;		/* external switch ports print a 0 that means nothing */
	int64_t max;
};

static const struct column node_columns[] = {
	{"NumPorts", "num_ports", AS_IS, false, 255},
	{"ClassVersion", "class_version", AS_IS, false, 255},
	{"BaseVersion", "base_version", AS_IS, false, 255},
	{"DeviceID", "device_id", AS_IS, false, 0xffff},
	{"PartitionCap", "partition_cap", AS_IS, false, 0xffff},
	{"revision", "revision", AS_IS, false, UINT32_MAX},
	{"VendorID", "vendor_id", AS_IS, false, 0xffffff},
	{NULL, NULL, AS_IS, false, 0},
};

static const struct column switch_columns[] = {
	{"LinearFDBCap", "linear_fdb_cap", AS_IS, false, 0xffff},
	{"RandomFDBCap", "random_fdb_cap", AS_IS, false, 0xffff},
	{"MCastFDBCap", "multicast_fdb_cap", AS_IS, false, 0xffff},
	{"LinearFDBTop", "linear_fdb_top", AS_IS, false, 0xffff},
	{"DefPort", "default_port", AS_IS, false, 255},
	{"DefMCastPriPort", "default_mcast_primary_port", AS_IS, false, 255},
	{"DefMCastNotPriPort", "default_mcast_not_primary_port", AS_IS, false, 255},
	{"LifeTimeValue", "life_time_value", AS_IS, false, 31},
	{"PortStateChange", "port_state_change", AS_IS, false, 1},
	{"OptimizedSLVLMapping", "optimized_sl2vl_mapping", AS_IS, false, 3},
	{"LidsPerPort", "lids_per_port", AS_IS, false, 0xffff},
	{"PartEnfCap", "partition_enforcement_cap", AS_IS, false, 0xffff},
	{"InbEnfCap", "inbound_enforcement_cap", AS_IS, false, 1},
	{"OutbEnfCap", "outbound_enforcement_cap", AS_IS, false, 1},
	{"FilterRawInbCap", "filter_raw_inbound_cap", AS_IS, false, 1},
	{"FilterRawOutbCap", "filter_raw_outbound_cap", AS_IS, false, 1},
	{"ENP0", "enhanced_port0", AS_IS, false, 1},
	{"MCastFDBTop", "multicast_fdb_top", AS_IS, false, 0xffff},
	{NULL, NULL, AS_IS, false, 0},
};

/* The MKey column is not here: a key is never kept. */
static const struct column port_columns[] = {
	{"GIDPrfx", "gid_prefix", AS_IS, true, INT64_MAX},
	{"MSMLID", "sm_lid", AS_IS, true, 0xffff},
	{"LID", "lid", AS_IS, true, 0xffff},
	{"CapMsk", "capability_mask", AS_IS, true, UINT32_MAX},
	{"CapMsk2", "capability_mask2", AS_IS, true, 0xffff},
	{"LMC", "lmc", AS_IS, true, 7},
	{"MSMSL", "sm_sl", AS_IS, true, 15},
	{"M_KeyLeasePeriod", "m_key_lease_period", AS_IS, false, 0xffff},
	{"MKeyProtBits", "m_key_protect_bits", AS_IS, false, 3},
	{"DiagCode", "diag_code", AS_IS, false, 0xffff},
	{"LinkWidthActv", "link_width_active", WIDTH, false, 255},
	{"LinkWidthSup", "link_width_supported", NOT_ZERO, false, 255},
	{"LinkWidthEn", "link_width_enabled", NOT_ZERO, false, 255},
	{"LinkSpeedActv", "link_speed_code", SPEED, false, UINT32_MAX},
	{"LinkSpeedSup", "link_speed_supported", NOT_ZERO, false, UINT32_MAX},
	{"LinkSpeedEn", "link_speed_enabled", NOT_ZERO, false, UINT32_MAX},
	{"LinkDownDefState", "link_down_default", NOT_ZERO, false, 15},
	{"PortPhyState", "port_phys_state", NOT_ZERO, false, 15},
	{"PortState", "port_state", NOT_ZERO, false, 15},
	{"VLArbHighCap", "vlarb_high_cap", AS_IS, false, 255},
	{"VLArbLowCap", "vlarb_low_cap", AS_IS, false, 255},
	{"VLHighLimit", "vl_high_limit", AS_IS, false, 255},
	{"InitType", "init_type", AS_IS, false, 255},
	{"InitTypeReply", "init_type_reply", AS_IS, false, 255},
	{"VLCap", "vl_cap", VLS, false, 15},
	{"OpVLs", "oper_vls", OPER_VLS, false, 15},
	{"NMTU", "neighbor_mtu", MTU, false, 15},
	{"MTUCap", "mtu_cap", MTU, false, 15},
	{"FilterRawOutb", "filter_raw_outbound", AS_IS, false, 1},
	{"FilterRawInb", "filter_raw_inbound", AS_IS, false, 1},
	{"PartEnfOutb", "partition_enforcement_outbound", AS_IS, false, 1},
	{"PartEnfInb", "partition_enforcement_inbound", AS_IS, false, 1},
	{"HoQLife", "hoq_life", AS_IS, false, 31},
	{"VLStallCnt", "vl_stall_count", AS_IS, false, 7},
	{"PKeyViolations", "p_key_violations", AS_IS, false, 0xffff},
	{"MKeyViolations", "m_key_violations", AS_IS, false, 0xffff},
	{"QKeyViolations", "q_key_violations", AS_IS, false, 0xffff},
	{"SubnTmo", "subnet_timeout", AS_IS, false, 31},
	{"RespTimeValue", "resp_time_value", AS_IS, false, 31},
	{"MulticastPKeyTrapSuppressionEnabled", "mcast_pkey_trap_suppression", AS_IS, false, 3},
	{"ClientReregister", "client_reregister", AS_IS, false, 1},
	{"GUIDCap", "guid_cap", AS_IS, false, 255},
	{"MaxCreditHint", "max_credit_hint", AS_IS, false, 0xffff},
	{"OverrunErrs", "overrun_errors", AS_IS, false, 15},
	{"LocalPhyError", "local_phy_errors", AS_IS, false, 15},
	{"LinkRoundTripLatency", "link_round_trip_latency", AS_IS, false, 0xffffff},
	{NULL, NULL, AS_IS, false, 0},
};

static void map_columns(struct db_csv *csv, const struct column *columns, const struct field *table)
{
	for (size_t i = 0; columns[i].name; i++) {
		csv->index[i] = db_column(csv, columns[i].name);
		csv->field[i] = field_find(table, columns[i].member);
	}
}

/* Slots of csv->extra in NODES. */
enum {
	NODE_TYPE,
	NODE_LOCAL_PORT,
	NODE_DESC,
	NODE_SYSTEM_GUID,
	NODE_NUM_PORTS,
	NODE_DEVICE_ID,
};

static int begin_nodes(struct db_csv *csv, struct err *err)
{
	static const char *const names[] = {"NodeType", "LocalPortNum", "NodeDesc",
					    "SystemImageGUID", "NumPorts", "DeviceID", NULL};

	(void)err;
	db_extra(csv, names);
	map_columns(csv, node_columns, node_field_table);
	import_lists_all(csv->import);
	import_asked(csv->import, ATTRIBUTE_NODE_DESCRIPTION);
	return 0;
}

/* True when this row of the same file cannot be the device that an earlier one made. */
static bool is_another(struct db_csv *csv, const struct device *device, enum node_type type)
{
	int64_t num_ports = db_number(csv, csv->extra[NODE_NUM_PORTS], 255);
	int64_t device_id = db_number(csv, csv->extra[NODE_DEVICE_ID], 0xffff);
	int description = csv->extra[NODE_DESC];

	if (device->source_of[ATTRIBUTE_NODE_INFO] != import_source_ref(csv->import))
		return false;
	if (type != device->type && type != NODE_TYPE_UNKNOWN)
		return true;
	if (num_ports != device->info.num_ports && num_ports != FIELD_UNKNOWN)
		return true;
	if (device_id != device->info.device_id && device_id != FIELD_UNKNOWN)
		return true;
	return description >= 0 && device->description &&
	       (strlen(device->description) != csv->cells[description].length ||
		memcmp(device->description, csv->cells[description].text,
		       csv->cells[description].length) != 0);
}

/* The device of a NODES row: the one that is there, a new one, or a second one with its GUID. */
static struct device *node_device(struct db_csv *csv, uint64_t guid, enum node_type type)
{
	struct device *first = fabric_device_find(import_fabric(csv->import), guid);
	int seen = 0;

	/* More rows than this of one GUID are no devices, and comparing each with all takes for ever. */
	for (struct device *device = first; device && seen < 100; device = device->same_guid) {
		if (!is_another(csv, device, type))
			return device == first ? import_device(csv->import, guid, type) : device;
		seen++;
	}
	if (first && seen < 100)
		return import_device_twin(csv->import, guid, type);
	return import_device(csv->import, guid, type);
}

static int row_nodes(struct db_csv *csv, struct err *err)
{
	int64_t type = db_number(csv, csv->extra[NODE_TYPE], 255);
	int64_t port = db_number(csv, csv->extra[NODE_LOCAL_PORT], 254);
	int description = csv->extra[NODE_DESC];
	uint64_t port_guid = db_guid(csv, csv->keys.port_guid);
	bool invalid = port_guid == 0 && db_nobodys_guid(csv, csv->keys.port_guid);
	struct device *device;
	uint64_t guid;
	int rc;

	if (!db_node_guid(csv, &guid))
		return db_odd(csv, "no node GUID", err);
	if (type < NODE_TYPE_CA || type > NODE_TYPE_ROUTER)
		type = NODE_TYPE_UNKNOWN;
	device = node_device(csv, guid, (enum node_type)type);
	if (!device)
		return err_no_memory(err);
	import_device_read(csv->import, device, ATTRIBUTE_NODE_INFO);
	for (size_t i = 0; node_columns[i].name; i++) {
		rc = import_node_field(csv->import, device, csv->field[i],
				       db_number(csv, csv->index[i], node_columns[i].max), err);
		if (rc < 0)
			return rc;
	}
	rc = import_system_image_guid(csv->import, device,
				      db_guid(csv, csv->extra[NODE_SYSTEM_GUID]), err);
	if (rc == 0 && description >= 0)
		rc = import_description(csv->import, device, csv->cells[description].text,
					csv->cells[description].length, err);
	/* The port GUID given here is that of the port the answer came from; a switch has only one. */
	if (rc == 0 && (port_guid || invalid) && port != FIELD_UNKNOWN) {
		struct port *end = import_port(csv->import, device,
					       type == NODE_TYPE_SWITCH ? 0 : (unsigned)port);

		if (!end)
			return err_no_memory(err);
		if (invalid)
			import_port_guid_invalid(csv->import, end);
		else
			import_port_guid(csv->import, end, port_guid);
	}
	return rc;
}

/* FEC and retransmission have no field: kept as facts of the port. */
static const char *const port_fact_columns[] = {"FECActv", "RetransActv", "OOOSLMask", NULL};

static int begin_ports(struct db_csv *csv, struct err *err)
{
	(void)err;
	db_extra(csv, port_fact_columns);
	map_columns(csv, port_columns, port_field_table);
	import_asked(csv->import, ATTRIBUTE_PORT_INFO);
	return 0;
}

static int64_t decode_value(enum decode decode, int64_t value)
{
	switch (decode) {
	case NOT_ZERO:
		return value == 0 ? FIELD_UNKNOWN : value;
	case WIDTH:
		return width_of_code((unsigned)value);
	case MTU:
		return mtu_of_code((unsigned)value);
	case VLS:
		return vl_count_of_code((unsigned)value);
	case OPER_VLS:
		return value == 0 ? 0 : vl_count_of_code((unsigned)value);
	case AS_IS:
	case SPEED:
		break;
	}
	return value;
}

/* "Enabled" values that stand for "whatever is supported" are replaced by it. */
static int64_t enabled_speeds(int64_t enabled, int64_t supported)
{
	if (enabled == FIELD_UNKNOWN || supported == FIELD_UNKNOWN)
		return enabled;
	if ((enabled & 0xff) == 15)
		enabled = (enabled & ~INT64_C(0xff)) | (supported & 0xff);
	if ((enabled >> 8 & 0xff) == 31)
		enabled = (enabled & ~INT64_C(0xff00)) | (supported & 0xff00);
	else if ((enabled >> 8 & 0xff) == 30)
		enabled &= ~INT64_C(0xff00);
	return enabled;
}

static int set_port_column(struct db_csv *csv, struct port *port, size_t i, struct err *err)
{
	const struct column *column = &port_columns[i];
	int64_t value = db_number(csv, csv->index[i], column->max);

	if (value == FIELD_UNKNOWN)
		return 0;
	if (column->decode == SPEED)
		return value == 0 ? 0 : import_port_speed(csv->import, port, value, err);
	value = decode_value(column->decode, value);
	if (strcmp(column->member, "link_speed_enabled") == 0)
		value = enabled_speeds(value, port->info.link_speed_supported);
	if (strcmp(column->member, "link_width_enabled") == 0 && value == 255)
		value = port->info.link_width_supported;
	return import_port_field(csv->import, port, csv->field[i], value, err);
}

static int port_facts(struct db_csv *csv, struct port *port, struct err *err)
{
	for (size_t i = 0; port_fact_columns[i]; i++) {
		int column = csv->extra[i];
		int rc;

		if (!db_has(csv, column))
			continue;
		rc = import_fact(csv->import, port->device, port->num, "port", port_fact_columns[i],
				 csv->cells[column].text, csv->cells[column].length, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/*
 * A second row of one end port that tells another LID or port GUID: two devices
 * answered, although NODES shows one.
 */
static int check_second_row(struct db_csv *csv, const struct port *port, struct err *err)
{
	struct fabric *fabric = import_fabric(csv->import);
	int64_t lid = db_number(csv, db_column(csv, "LID"), 0xffff);
	uint64_t guid = db_guid(csv, csv->keys.port_guid);
	struct guid_conflict *conflict;
	char text[160];

	if (port->source_of[ATTRIBUTE_PORT_INFO] != import_source_ref(csv->import) ||
	    !port_is_end_port(port) ||
	    ((lid == FIELD_UNKNOWN || lid == port->info.lid) && (guid == 0 || guid == port->guid)) ||
	    fabric->guid_conflict_count >= 1000)
		return 0;
	conflict = fabric_guid_conflict_add(fabric);
	if (!conflict)
		return err_no_memory(err);
	snprintf(text, sizeof(text), "line %lld tells port %u again, with LID %lld instead of %lld",
		 (long long)input_line_number(csv->input), (unsigned)port->num,
		 (long long)(lid == FIELD_UNKNOWN ? 0 : lid),
		 (long long)(port->info.lid == FIELD_UNKNOWN ? 0 : port->info.lid));
	conflict->guid = port->device->guid;
	conflict->place_a = port->peer;
	conflict->source = import_source_ref(csv->import);
	conflict->detail = import_intern(csv->import, text, strlen(text));
	return conflict->detail ? 0 : err_no_memory(err);
}

static int row_ports(struct db_csv *csv, struct err *err)
{
	struct port *port;
	bool external;
	int rc = db_port(csv, &port, err);

	if (rc < 0 || !port)
		return rc;
	rc = check_second_row(csv, port, err);
	if (rc < 0)
		return rc;
	if (port->device->type == NODE_TYPE_UNKNOWN && port->num == 0)
		port->device->type = NODE_TYPE_SWITCH;
	external = !port_is_end_port(port);
	import_port_read(csv->import, port, ATTRIBUTE_PORT_INFO);
	for (size_t i = 0; port_columns[i].name; i++) {
		if (external && port_columns[i].end_port)
			continue;
		rc = set_port_column(csv, port, i, err);
		if (rc < 0)
			return rc;
	}
	return port_facts(csv, port, err);
}

static int begin_switches(struct db_csv *csv, struct err *err)
{
	(void)err;
	map_columns(csv, switch_columns, switch_field_table);
	import_asked(csv->import, ATTRIBUTE_SWITCH_INFO);
	return 0;
}

static int row_switches(struct db_csv *csv, struct err *err)
{
	struct device *device;
	int rc = db_device(csv, &device, err);

	if (rc < 0 || !device)
		return rc;
	if (device->type == NODE_TYPE_UNKNOWN)
		device->type = NODE_TYPE_SWITCH;
	import_device_read(csv->import, device, ATTRIBUTE_SWITCH_INFO);
	for (size_t i = 0; switch_columns[i].name && rc == 0; i++)
		rc = import_switch_field(csv->import, device, csv->field[i],
					 db_number(csv, csv->index[i], switch_columns[i].max), err);
	return rc;
}

static int begin_links(struct db_csv *csv, struct err *err)
{
	(void)err;
	csv->index[0] = db_column(csv, "NodeGuid1");
	csv->index[1] = db_column(csv, "PortNum1");
	csv->index[2] = db_column(csv, "NodeGuid2");
	csv->index[3] = db_column(csv, "PortNum2");
	import_asked(csv->import, ATTRIBUTE_NEIGHBOR);
	return 0;
}

/* One end of a link; of devices that share a GUID the first that has such a port and no partner yet. */
static struct port *link_end(struct db_csv *csv, int guid_column, int port_column)
{
	int64_t num = db_number(csv, port_column, 254);
	struct device *device;

	device = import_device(csv->import, db_guid(csv, guid_column), NODE_TYPE_UNKNOWN);
	if (!device)
		return NULL;
	for (struct device *twin = device; device->same_guid && twin; twin = twin->same_guid) {
		struct port *port = device_port(twin, (unsigned)num);

		if (port && !port->peer)
			return port;
	}
	return import_port(csv->import, device, (unsigned)num);
}

static int row_links(struct db_csv *csv, struct err *err)
{
	struct port *a;
	struct port *b;

	for (int i = 0; i < 4; i++) {
		if (i % 2 ? db_number(csv, csv->index[i], 254) == FIELD_UNKNOWN
			  : !db_is_guid(csv, csv->index[i]))
			return db_odd(csv, "one end of the link is not told", err);
	}
	a = link_end(csv, csv->index[0], csv->index[1]);
	b = link_end(csv, csv->index[2], csv->index[3]);
	if (!a || !b)
		return err_no_memory(err);
	return import_link(csv->import, a, b, true, err);
}

static int begin_sm_info(struct db_csv *csv, struct err *err)
{
	(void)err;
	import_asked(csv->import, ATTRIBUTE_SM_INFO);
	return 0;
}

static int row_sm_info(struct db_csv *csv, struct err *err)
{
	struct port *port;
	struct sm *sm;
	int rc = db_port(csv, &port, err);

	if (rc < 0 || !port)
		return rc;
	sm = import_sm(csv->import, db_guid(csv, csv->keys.port_guid));
	if (!sm)
		return err_no_memory(err);
	sm->port = port;
	sm->priority = db_number(csv, db_column(csv, "Priority"), 15);
	sm->state = db_number(csv, db_column(csv, "SmState"), 15);
	sm->act_count = db_number(csv, db_column(csv, "ActCount"), UINT32_MAX);
	sm->lid = port->info.lid;
	import_port_read(csv->import, port, ATTRIBUTE_SM_INFO);
	return 0;
}

static int begin_extended(struct db_csv *csv, struct err *err)
{
	static const char *const names[] = {"LinkSpeedActive", "IsSpecialPort", "SpecialPortType",
					    NULL};

	(void)err;
	db_extra(csv, names);
	import_asked(csv->import, ATTRIBUTE_EXTENDED_PORT_INFO);
	return 0;
}

/* FDR10 shows here alone: PORTS may call it QDR. */
static int row_extended(struct db_csv *csv, struct err *err)
{
	int64_t active = db_number(csv, csv->extra[0], 255);
	int64_t special = db_number(csv, csv->extra[1], 255);
	struct port *port;
	int rc = db_port(csv, &port, err);

	if (rc < 0 || !port)
		return rc;
	rc = import_port_extended_speed(csv->import, port, active, err);
	if (rc < 0)
		return rc;
	if (special == 1) {
		int type = csv->extra[2];
		bool known = db_has(csv, type);

		rc = import_fact(csv->import, port->device, port->num, "port", "SpecialPort",
				 known ? csv->cells[type].text : "1",
				 known ? csv->cells[type].length : 1, err);
	}
	return rc;
}

const struct db_section db_topology_sections[] = {
	{"NODES", ATTRIBUTE_NODE_INFO, begin_nodes, row_nodes},
	{"PORTS", ATTRIBUTE_PORT_INFO, begin_ports, row_ports},
	{"EXTENDED_PORT_INFO", ATTRIBUTE_EXTENDED_PORT_INFO, begin_extended, row_extended},
	{"SWITCHES", ATTRIBUTE_SWITCH_INFO, begin_switches, row_switches},
	{"LINKS", ATTRIBUTE_NEIGHBOR, begin_links, row_links},
	{"SM_INFO", ATTRIBUTE_SM_INFO, begin_sm_info, row_sm_info},
	{NULL, ATTRIBUTE_COUNT, NULL, NULL},
};
