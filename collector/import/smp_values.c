#include "collector/import/smp_values.h"

#include <ctype.h>
#include <string.h>

#include "collector/import/scan.h"
#include "collector/import/words.h"

#define DUMP_WIDTH 32	/* libibmad fills up keys and their dots to so many */
#define DOTS_OF_TEXT 5	/* in front of a text, which may be empty or begin with a blank, at least */

enum kind {
	NUMBER,		/* decimal or 0x */
	HEX,		/* always printed with 0x */
	MTU,		/* bytes */
	STATE,
	PHYS_STATE,
	DOWN_STATE,
	WIDTH,		/* one, in lanes */
	WIDTH_MASK,
	VLS,		/* "VL0-3" */
};

struct key {
	const char *name;	/* lower case, as the tools print it */
	const char *member;
	enum kind kind;
};

static const struct key node_keys[] = {
	{"basevers", "base_version", NUMBER},
	{"base_version", "base_version", HEX},
	{"classvers", "class_version", NUMBER},
	{"class_version", "class_version", HEX},
	{"numports", "num_ports", NUMBER},
	{"num_ports", "num_ports", NUMBER},
	{"partcap", "partition_cap", NUMBER},
	{"partition_cap", "partition_cap", HEX},
	{"devid", "device_id", HEX},
	{"device_id", "device_id", HEX},
	{"revision", "revision", HEX},
	{"vendorid", "vendor_id", HEX},
	{"vendor_id", "vendor_id", HEX},
	{NULL, NULL, NUMBER},
};

static const struct key switch_keys[] = {
	{"linearfdbcap", "linear_fdb_cap", NUMBER},
	{"randomfdbcap", "random_fdb_cap", NUMBER},
	{"mcastfdbcap", "multicast_fdb_cap", NUMBER},
	{"multicastfdbcap", "multicast_fdb_cap", NUMBER},
	{"linearfdbtop", "linear_fdb_top", NUMBER},
	{"defport", "default_port", NUMBER},
	{"defaultport", "default_port", NUMBER},
	{"defmcastprimport", "default_mcast_primary_port", NUMBER},
	{"defaultmulticastprimaryport", "default_mcast_primary_port", NUMBER},
	{"defmcastnotprimport", "default_mcast_not_primary_port", NUMBER},
	{"defaultmulticastnotprimaryport", "default_mcast_not_primary_port", NUMBER},
	{"lifetime", "life_time_value", NUMBER},
	{"statechange", "port_state_change", NUMBER},
	{"optsltovlmapping", "optimized_sl2vl_mapping", NUMBER},
	{"lidsperport", "lids_per_port", NUMBER},
	{"partenforcecap", "partition_enforcement_cap", NUMBER},
	{"partitionenforcementcap", "partition_enforcement_cap", NUMBER},
	{"inboundpartenf", "inbound_enforcement_cap", NUMBER},
	{"outboundpartenf", "outbound_enforcement_cap", NUMBER},
	{"filterrawinbound", "filter_raw_inbound_cap", NUMBER},
	{"filterrawoutbound", "filter_raw_outbound_cap", NUMBER},
	{"enhancedport0", "enhanced_port0", NUMBER},
	{"multicastfdbtop", "multicast_fdb_top", HEX},
	{NULL, NULL, NUMBER},
};

static const struct key port_keys[] = {
	{"gidprefix", "gid_prefix", HEX},
	{"lid", "lid", NUMBER},
	{"base_lid", "lid", NUMBER},
	{"smlid", "sm_lid", NUMBER},
	{"master_sm_base_lid", "sm_lid", NUMBER},
	{"capmask", "capability_mask", HEX},
	{"capability_mask", "capability_mask", HEX},
	{"diagcode", "diag_code", HEX},
	{"mkeyleaseperiod", "m_key_lease_period", NUMBER},
	{"linkwidthenabled", "link_width_enabled", WIDTH_MASK},
	{"linkwidthsupported", "link_width_supported", WIDTH_MASK},
	{"linkwidthactive", "link_width_active", WIDTH},
	{"linkstate", "port_state", STATE},
	{"physlinkstate", "port_phys_state", PHYS_STATE},
	{"linkdowndefstate", "link_down_default", DOWN_STATE},
	{"protectbits", "m_key_protect_bits", NUMBER},
	{"lmc", "lmc", NUMBER},
	{"neighbormtu", "neighbor_mtu", MTU},
	{"smsl", "sm_sl", NUMBER},
	{"vlcap", "vl_cap", VLS},
	{"inittype", "init_type", HEX},
	{"vlhighlimit", "vl_high_limit", NUMBER},
	{"vlarbhighcap", "vlarb_high_cap", NUMBER},
	{"vlarblowcap", "vlarb_low_cap", NUMBER},
	{"initreply", "init_type_reply", HEX},
	{"mtucap", "mtu_cap", MTU},
	{"vlstallcount", "vl_stall_count", NUMBER},
	{"hoqlife", "hoq_life", NUMBER},
	{"opervls", "oper_vls", VLS},
	{"partenforceinb", "partition_enforcement_inbound", NUMBER},
	{"partenforceoutb", "partition_enforcement_outbound", NUMBER},
	{"filterrawinb", "filter_raw_inbound", NUMBER},
	{"filterrawoutb", "filter_raw_outbound", NUMBER},
	{"mkeyviolations", "m_key_violations", NUMBER},
	{"pkeyviolations", "p_key_violations", NUMBER},
	{"qkeyviolations", "q_key_violations", NUMBER},
	{"guidcap", "guid_cap", NUMBER},
	{"clientreregister", "client_reregister", NUMBER},
	{"mcastpkeytrapsuppressionenabled", "mcast_pkey_trap_suppression", NUMBER},
	{"subnettimeout", "subnet_timeout", NUMBER},
	{"resptimeval", "resp_time_value", NUMBER},
	{"localphyserr", "local_phy_errors", NUMBER},
	{"overrunerr", "overrun_errors", NUMBER},
	{"maxcredithint", "max_credit_hint", NUMBER},
	{"roundtrip", "link_round_trip_latency", NUMBER},
	{"capabilitymask2", "capability_mask2", HEX},
	{NULL, NULL, NUMBER},
};

const char *const smp_node_lines[] = {
	"BaseVers", "ClassVers", "NodeType", "NumPorts", "SystemGuid", "Guid", "PortGuid", "PartCap",
	"DevId", "Revision", "LocalPort", "VendorId", NULL,
};

const char *const smp_switch_lines[] = {
	"LinearFdbCap", "RandomFdbCap", "McastFdbCap", "LinearFdbTop", "DefPort", "DefMcastPrimPort",
	"DefMcastNotPrimPort", "LifeTime", "StateChange", "1OptSLtoVLMapping", "LidsPerPort",
	"PartEnforceCap", "InboundPartEnf", "OutboundPartEnf", "FilterRawInbound",
	"FilterRawOutbound", "EnhancedPort0", "1MulticastFDBTop", NULL,
};

const char *const smp_port_lines[] = {
	"GidPrefix", "Lid", "SMLid", "CapMask", "DiagCode", "MkeyLeasePeriod", "LocalPort",
	"LinkWidthEnabled", "LinkWidthSupported", "LinkWidthActive", "LinkSpeedSupported",
	"LinkState", "PhysLinkState", "LinkDownDefState", "ProtectBits", "LMC", "LinkSpeedActive",
	"LinkSpeedEnabled", "NeighborMTU", "SMSL", "VLCap", "InitType", "VLHighLimit",
	"VLArbHighCap", "VLArbLowCap", "InitReply", "MtuCap", "VLStallCount", "HoqLife", "OperVLs",
	"PartEnforceInb", "PartEnforceOutb", "FilterRawInb", "FilterRawOutb", "MkeyViolations",
	"PkeyViolations", "QkeyViolations", "GuidCap", "ClientReregister",
	"1McastPkeyTrapSuppressionEnabled", "SubnetTimeout", "RespTimeVal", "LocalPhysErr",
	"OverrunErr", "MaxCreditHint", "RoundTrip", "1CapabilityMask2", "1LinkSpeedExtActive",
	"1LinkSpeedExtSupported", "1LinkSpeedExtEnabled", "2LinkSpeedExtActive2",
	"2LinkSpeedExtSupported2", "2LinkSpeedExtEnabled2", NULL,
};

/* Rows: legacy, Ext, Ext2; columns: active, supported, enabled. */
static const char *const speed_keys[3][3] = {
	{"linkspeedactive", "linkspeedsupported", "linkspeedenabled"},
	{"linkspeedextactive", "linkspeedextsupported", "linkspeedextenabled"},
	{"linkspeedextactive2", "linkspeedextsupported2", "linkspeedextenabled2"},
};

/* What only end ports hold; the external ports of a switch answer 0 for them. */
static const char *const end_port_members[] = {
	"lid", "lmc", "sm_lid", "sm_sl", "gid_prefix", "capability_mask", "capability_mask2", NULL,
};

/* What a base port 0 has not: it has no link. */
static const char *const link_members[] = {
	"link_width_active", "link_width_supported", "link_width_enabled", "port_state",
	"port_phys_state", "link_down_default", "neighbor_mtu", "mtu_cap", "vl_cap", "oper_vls",
	"vl_high_limit", "vlarb_high_cap", "vlarb_low_cap", "vl_stall_count", "hoq_life", NULL,
};

static bool is_one_of(const char *member, const char *const *list)
{
	for (size_t i = 0; list[i]; i++) {
		if (strcmp(list[i], member) == 0)
			return true;
	}
	return false;
}

/* A word: blanks and dots are none of it. */
static bool is_one_word(const char *key, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)key[i]) && key[i] != '_')
			return false;
	}
	return true;
}

/* What the tools print between a key and its value: dots, and few behind a long key. */
static bool is_key_end(const char *key, size_t length, bool colon, size_t dots)
{
	return dots >= 2 || (colon && length + dots >= DUMP_WIDTH && is_one_word(key, length));
}

bool smp_split(const char *text, size_t length, const char **ret_key, size_t *ret_key_length,
	       const char **ret_value, size_t *ret_value_length)
{
	struct scan scan = scan_of(text, length);
	const char *at, *value;
	size_t key_length, dots = 0;

	scan_blanks(&scan);
	at = scan.at;
	/* "ServiceData8.10.........0x0": one dot alone belongs to the name. */
	/* A key is words: "[...]" is none. */
	if (at < scan.end && !scan_goes_on(at, scan.end))
		return false;
	while (at < scan.end && *at != ':' && (*at != '.' || scan.end - at < 2 || at[1] != '.'))
		at++;
	if (at == scan.end || at == scan.at)
		return false;
	key_length = (size_t)(at - scan.at);
	value = *at == ':' ? at + 1 : at;
	while (value + dots < scan.end && value[dots] == '.')
		dots++;
	if (!is_key_end(scan.at, key_length, *at == ':', dots))
		return false;
	value += dots;
	/* "Reading the list... done" */
	if (dots < DOTS_OF_TEXT && (value == scan.end || *value == ' '))
		return false;
	*ret_key = scan.at;
	*ret_key_length = key_length;
	*ret_value = value;
	*ret_value_length = (size_t)(scan.end - value);
	import_trim(ret_value, ret_value_length);
	return true;
}

static bool number_of(const char *value, size_t length, int64_t *ret_number)
{
	struct scan scan = scan_of(value, length);
	uint64_t number;

	if (!scan_number(&scan, &number))
		return false;
	*ret_number = (int64_t)number;
	return true;
}

static bool value_of(enum kind kind, const char *text, size_t length, int64_t *ret_value)
{
	switch (kind) {
	case HEX:
		return length > 2 && text[0] == '0' && text[1] == 'x' && number_of(text, length, ret_value);
	case NUMBER:
		return number_of(text, length, ret_value);
	case MTU:
		return number_of(text, length, ret_value) && *ret_value >= 256 &&
		       *ret_value <= 4096;
	case STATE:
		return words_port_state(text, length, ret_value);
	case PHYS_STATE:
	case DOWN_STATE:
		return words_phys_state(text, length, ret_value);
	case WIDTH:
		return import_parse_width(text, length, ret_value);
	case WIDTH_MASK:
		return words_width_mask(text, length, ret_value);
	case VLS:
		return words_vl_count(text, length, ret_value);
	}
	return false;
}

/* The key's row; NULL: none of this attribute. */
static const struct key *key_find(const struct key *keys, const char *name, size_t length)
{
	for (; keys->name; keys++) {
		if (import_is_word(name, length, keys->name))
			return keys;
	}
	return NULL;
}

static bool take(const struct key *keys, const struct field *table, void *fields, const char *name,
		 size_t name_length, const char *text, size_t length)
{
	const struct key *key = key_find(keys, name, name_length);
	int64_t value;

	if (!key)
		return false;
	if (value_of(key->kind, text, length, &value))
		field_set(fields, field_find(table, key->member), value);
	else if (key->kind == NUMBER || key->kind == HEX)
		return import_is_unknown(text, length) && text[0] != '-';
	return true;
}

void smp_node_init(struct smp_node *node)
{
	*node = (struct smp_node){.local_port = FIELD_UNKNOWN, .lid = FIELD_UNKNOWN};
	field_set_all_unknown(&node->info, node_field_table);
}

void smp_switch_init(struct smp_switch *sw)
{
	field_set_all_unknown(&sw->info, switch_field_table);
}

void smp_port_init(struct smp_port *port)
{
	*port = (struct smp_port){.local_port = FIELD_UNKNOWN};
	field_set_all_unknown(&port->info, port_field_table);
	for (int field = 0; field < 3; field++) {
		for (int what = 0; what < 3; what++)
			port->speed[field][what] = FIELD_UNKNOWN;
	}
}

static bool take_guid(const char *key, size_t key_length, const char *const names[2],
		      const char *value, size_t length, uint64_t *ret_guid, bool *ret_invalid)
{
	struct scan scan = scan_of(value, length);

	if (!import_is_word(key, key_length, names[0]) &&
	    !import_is_word(key, key_length, names[1]))
		return false;
	*ret_invalid = import_is_word(value, length, "0x0000000000000000") ||
		       import_is_word(value, length, "0xffffffffffffffff");
	/* A word behind it is for the reader; 0 is no GUID and says so. */
	return scan_guid(&scan, ret_guid) || *ret_invalid;
}

bool smp_node_key(struct smp_node *node, const char *key, size_t key_length, const char *value,
		  size_t value_length)
{
	static const char *const guid[2] = {"guid", "node_guid"};
	static const char *const port_guid[2] = {"portguid", "port_guid"};
	static const char *const system_guid[2] = {"systemguid", "sys_guid"};

	bool invalid;

	if (take_guid(key, key_length, guid, value, value_length, &node->guid, &invalid) ||
	    take_guid(key, key_length, port_guid, value, value_length, &node->port_guid,
		      &node->port_guid_invalid) ||
	    take_guid(key, key_length, system_guid, value, value_length,
		      &node->system_image_guid, &invalid))
		return true;
	if (import_is_word(key, key_length, "nodetype") ||
	    import_is_word(key, key_length, "node_type")) {
		words_node_type(value, value_length, &node->type);
		return true;
	}
	if (import_is_word(key, key_length, "localport") ||
	    import_is_word(key, key_length, "port_num")) {
		number_of(value, value_length, &node->local_port);
		return true;
	}
	return take(node_keys, node_field_table, &node->info, key, key_length, value, value_length);
}

bool smp_switch_key(struct smp_switch *sw, const char *key, size_t key_length, const char *value,
		    size_t value_length)
{
	int64_t byte;

	/* Two bytes that saquery prints as they are on the wire. */
	if (import_is_word(key, key_length, "lifetimevalue/portstatechange/opsl2vl")) {
		if (number_of(value, value_length, &byte)) {
			sw->info.life_time_value = byte >> 3 & 31;
			sw->info.port_state_change = byte >> 2 & 1;
			sw->info.optimized_sl2vl_mapping = byte & 3;
		}
		return true;
	}
	if (import_is_word(key, key_length, "flags")) {
		if (number_of(value, value_length, &byte)) {
			sw->info.inbound_enforcement_cap = byte >> 7 & 1;
			sw->info.outbound_enforcement_cap = byte >> 6 & 1;
			sw->info.filter_raw_inbound_cap = byte >> 5 & 1;
			sw->info.filter_raw_outbound_cap = byte >> 4 & 1;
			sw->info.enhanced_port0 = byte >> 3 & 1;
		}
		return true;
	}
	return take(switch_keys, switch_field_table, &sw->info, key, key_length, value,
		    value_length);
}

/* One of the nine speed keys. */
static bool take_speed(struct smp_port *port, int field, int what, const char *value,
		       size_t length)
{
	static const char *const as_supported[3] = {"undefined (15)", "undefined (31)",
						    "undefined (7)"};
	struct scan scan = scan_of(value, length);
	int64_t code;

	port->speed_told[field] = true;
	if (what == 2 && scan_find(&scan, as_supported[field]))
		port->as_supported[field] = true;
	else if (words_speed_mask(value, length, &code))
		port->speed[field][what] = code;
	return true;
}

bool smp_port_key(struct smp_port *port, const char *key, size_t key_length, const char *value,
		  size_t value_length)
{
	struct scan scan = scan_of(value, value_length);

	for (int field = 0; field < 3; field++) {
		for (int what = 0; what < 3; what++) {
			if (import_is_word(key, key_length, speed_keys[field][what]))
				return take_speed(port, field, what, value, value_length);
		}
	}
	if (import_is_word(key, key_length, "mkey"))
		return true;
	if (import_is_word(key, key_length, "localport")) {
		number_of(value, value_length, &port->local_port);
		return true;
	}
	if (import_is_word(key, key_length, "linkwidthenabled") &&
	    scan_find(&scan, "undefined (255)")) {
		port->width_as_supported = true;
		return true;
	}
	return take(port_keys, port_field_table, &port->info, key, key_length, value, value_length);
}

int smp_node_apply(const struct smp_node *node, struct rows *rows, struct import *import,
		   struct device **ret_device, struct err *err)
{
	struct row_shape shape = {node->type, node->info.num_ports, node->info.device_id};
	struct device *device;
	struct port *port = NULL;
	int rc;

	*ret_device = NULL;
	if (node->guid == 0)
		return 0;
	device = rows_device(rows, import, node->guid, &shape);
	if (!device)
		return err_no_memory(err);
	import_device_read(import, device, ATTRIBUTE_NODE_INFO);
	rc = import_system_image_guid(import, device, node->system_image_guid, err);
	for (const struct field *field = node_field_table; rc == 0 && field->member; field++)
		rc = import_node_field(import, device, field, field_get(&node->info, field), err);
	if (rc < 0)
		return rc;
	if (node->type == NODE_TYPE_SWITCH)
		port = import_port(import, device, 0);
	else if (node->local_port > 0 && node->local_port <= 254)
		port = import_port(import, device, (unsigned)node->local_port);
	/* Cut in front of its LocalPort: a node of one port has port 1. */
	else if (node->type != NODE_TYPE_UNKNOWN && node->info.num_ports == 1)
		port = import_port(import, device, 1);
	else
		goto out;
	if (!port)
		return err_no_memory(err);
	if (node->port_guid_invalid)
		import_port_guid_invalid(import, port);
	else
		import_port_guid(import, port, node->port_guid);
	rc = IMPORT_PORT(import, port, lid, node->lid, err);
out:
	*ret_device = device;
	return rc;
}

int smp_switch_apply(const struct smp_switch *sw, struct import *import, struct device *device,
		     struct err *err)
{
	int rc = 0;

	import_device_read(import, device, ATTRIBUTE_SWITCH_INFO);
	for (const struct field *field = switch_field_table; rc == 0 && field->member; field++)
		rc = import_switch_field(import, device, field, field_get(&sw->info, field), err);
	return rc;
}

/*
 * The fields of one kind joined. Each alone says something else, so it is unknown when
 * one that the release prints is missing or says nothing.
 */
static int64_t joined_speed(const struct smp_port *values, int what)
{
	int64_t joined = 0;

	for (int field = 0; field < 3; field++) {
		int64_t code = values->speed[field][what];

		if (what == 2 && values->as_supported[field])
			code = values->speed[field][1];
		if (code != FIELD_UNKNOWN)
			joined |= code;
		else if (field == 0 || values->speed_told[field])
			return FIELD_UNKNOWN;
	}
	return joined;
}

/* Base: port 0 without a link, as told, or as its own answer of nothing but zeros shows. */
static bool has_no_link(const struct smp_port *values, const struct device *device, unsigned num)
{
	if (device->type != NODE_TYPE_SWITCH || num != 0)
		return false;
	return device->sw.enhanced_port0 == 0 ||
	       (device->sw.enhanced_port0 != 1 && values->info.port_state == FIELD_UNKNOWN);
}

/*
 * Where PortInfo has the extended speeds, the legacy ones alone say nothing: of an
 * EDR link they read QDR. They are printed behind all others, so a cut takes them:
 * from a record of a release that has them, of a port whose mask tells of them, or
 * one of which nobody knows what else it lacks.
 */
static bool lacks_extended(const struct smp_port *values, const struct port *port)
{
	const struct port *base = device_port(port->device, 0);
	int64_t mask = values->info.capability_mask;

	if (values->speed_told[1])
		return false;
	/* Those of a switch are port 0's; its other ports answer 0. */
	if (port->device->type == NODE_TYPE_SWITCH && base)
		mask = base->info.capability_mask;
	return values->cut || values->info.mcast_pkey_trap_suppression != FIELD_UNKNOWN ||
	       values->info.capability_mask2 != FIELD_UNKNOWN ||
	       (mask != FIELD_UNKNOWN && (mask >> CAPABILITY_EXTENDED_SPEEDS & 1));
}

static int apply_speeds(const struct smp_port *values, struct import *import, struct port *port,
			struct err *err)
{
	int64_t active = joined_speed(values, 0);
	int rc;

	if (lacks_extended(values, port))
		return 0;
	rc = active == 0 || active == FIELD_UNKNOWN ? 0 : import_port_speed(import, port, active, err);
	if (rc == 0)
		rc = IMPORT_PORT(import, port, link_speed_supported, joined_speed(values, 1), err);
	if (rc == 0)
		rc = IMPORT_PORT(import, port, link_speed_enabled, joined_speed(values, 2), err);
	return rc;
}

int smp_port_apply(const struct smp_port *values, struct import *import, struct device *device,
		   unsigned num, struct port **ret_port, struct err *err)
{
	bool external, no_link;
	struct port *port;
	int rc = 0;

	*ret_port = NULL;
	if (num == 0 && device->type != NODE_TYPE_SWITCH) {
		if (values->local_port <= 0 || values->local_port > 254)
			return 0;
		num = (unsigned)values->local_port;
	}
	external = device->type == NODE_TYPE_SWITCH && num != 0;
	no_link = has_no_link(values, device, num);
	port = import_port(import, device, num);
	if (!port)
		return err_no_memory(err);
	import_port_read(import, port, ATTRIBUTE_PORT_INFO);
	for (const struct field *field = port_field_table; rc == 0 && field->member; field++) {
		int64_t value = field_get(&values->info, field);

		if ((external && is_one_of(field->member, end_port_members)) ||
		    (no_link && is_one_of(field->member, link_members)))
			continue;
		rc = import_port_field(import, port, field, value, err);
	}
	if (rc == 0 && values->width_as_supported && !no_link)
		rc = IMPORT_PORT(import, port, link_width_enabled,
				 values->info.link_width_supported, err);
	if (rc == 0 && !no_link)
		rc = apply_speeds(values, import, port, err);
	*ret_port = port;
	return rc;
}
