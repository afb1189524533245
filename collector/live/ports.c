/*
 * PortInfo, and the speed that Mellanox' ExtendedPortInfo adds (FDR10).
 *
 * Which fields apply where: IBA Volume 1, table 145 (the columns "used in").
 * LinkSpeedExt is looked at when the capability mask (of port 0 for a switch)
 * has bit 14 or could not be read.
 */
#include "collector/live/collect.h"

#include <string.h>

#define OFFSET(member) offsetof(struct port_fields, member)

enum decode {
	DECODE_NUMBER,
	DECODE_VLS,
	DECODE_MTU,
	DECODE_LANES,
};

/* Where a field says something. */
enum scope {
	SCOPE_ALL,
	SCOPE_END,	/* not on the external ports of a switch */
	SCOPE_LINK,	/* not on a base port 0, which has no link */
};

static const struct {
	enum MAD_FIELDS field;
	size_t offset;
	enum scope scope;
	enum decode decode;
} rows[] = {
	{IB_PORT_GID_PREFIX_F, OFFSET(gid_prefix), SCOPE_END, DECODE_NUMBER},
	{IB_PORT_LID_F, OFFSET(lid), SCOPE_END, DECODE_NUMBER},
	{IB_PORT_SMLID_F, OFFSET(sm_lid), SCOPE_END, DECODE_NUMBER},
	{IB_PORT_CAPMASK_F, OFFSET(capability_mask), SCOPE_END, DECODE_NUMBER},
	{IB_PORT_CAPMASK2_F, OFFSET(capability_mask2), SCOPE_END, DECODE_NUMBER},
	{IB_PORT_LMC_F, OFFSET(lmc), SCOPE_END, DECODE_NUMBER},
	{IB_PORT_SMSL_F, OFFSET(sm_sl), SCOPE_END, DECODE_NUMBER},
	{IB_PORT_DIAG_F, OFFSET(diag_code), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_MKEY_LEASE_F, OFFSET(m_key_lease_period), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_MKEY_PROT_BITS_F, OFFSET(m_key_protect_bits), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_LINK_WIDTH_ACTIVE_F, OFFSET(link_width_active), SCOPE_LINK, DECODE_LANES},
	{IB_PORT_LINK_WIDTH_SUPPORTED_F, OFFSET(link_width_supported), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_LINK_WIDTH_ENABLED_F, OFFSET(link_width_enabled), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_STATE_F, OFFSET(port_state), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_PHYS_STATE_F, OFFSET(port_phys_state), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_LINK_DOWN_DEF_F, OFFSET(link_down_default), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_NEIGHBOR_MTU_F, OFFSET(neighbor_mtu), SCOPE_LINK, DECODE_MTU},
	{IB_PORT_MTU_CAP_F, OFFSET(mtu_cap), SCOPE_LINK, DECODE_MTU},
	{IB_PORT_VL_CAP_F, OFFSET(vl_cap), SCOPE_LINK, DECODE_VLS},
	{IB_PORT_OPER_VLS_F, OFFSET(oper_vls), SCOPE_LINK, DECODE_VLS},
	{IB_PORT_VL_HIGH_LIMIT_F, OFFSET(vl_high_limit), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_VL_ARBITRATION_HIGH_CAP_F, OFFSET(vlarb_high_cap), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_VL_ARBITRATION_LOW_CAP_F, OFFSET(vlarb_low_cap), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_VL_STALL_COUNT_F, OFFSET(vl_stall_count), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_HOQ_LIFE_F, OFFSET(hoq_life), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_INIT_TYPE_F, OFFSET(init_type), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_INIT_TYPE_REPLY_F, OFFSET(init_type_reply), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_PART_EN_INB_F, OFFSET(partition_enforcement_inbound), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_PART_EN_OUTB_F, OFFSET(partition_enforcement_outbound), SCOPE_LINK,
	 DECODE_NUMBER},
	{IB_PORT_FILTER_RAW_INB_F, OFFSET(filter_raw_inbound), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_FILTER_RAW_OUTB_F, OFFSET(filter_raw_outbound), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_MKEY_VIOL_F, OFFSET(m_key_violations), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_PKEY_VIOL_F, OFFSET(p_key_violations), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_QKEY_VIOL_F, OFFSET(q_key_violations), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_GUID_CAP_F, OFFSET(guid_cap), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_CLIENT_REREG_F, OFFSET(client_reregister), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_MCAST_PKEY_SUPR_ENAB_F, OFFSET(mcast_pkey_trap_suppression), SCOPE_ALL,
	 DECODE_NUMBER},
	{IB_PORT_SUBN_TIMEOUT_F, OFFSET(subnet_timeout), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_RESP_TIME_VAL_F, OFFSET(resp_time_value), SCOPE_ALL, DECODE_NUMBER},
	{IB_PORT_LOCAL_PHYS_ERR_F, OFFSET(local_phy_errors), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_OVERRUN_ERR_F, OFFSET(overrun_errors), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_MAX_CREDIT_HINT_F, OFFSET(max_credit_hint), SCOPE_LINK, DECODE_NUMBER},
	{IB_PORT_LINK_ROUND_TRIP_F, OFFSET(link_round_trip_latency), SCOPE_LINK, DECODE_NUMBER},
};

static int64_t decode(enum decode how, uint64_t raw)
{
	switch (how) {
	case DECODE_VLS:
		return raw == 0 ? 0 : vl_count_of_code((unsigned)raw);
	case DECODE_MTU:
		return mtu_of_code((unsigned)raw);
	case DECODE_LANES:
		return width_of_code((unsigned)raw);
	case DECODE_NUMBER:
		break;
	}
	return (int64_t)raw;
}

/* Extended speeds: 1 the port has them, 0 not, -1 its capability mask is not known. */
static int has_extended(const struct port *port)
{
	return port_capability(port, CAPABILITY_EXTENDED_SPEEDS);
}

/* XDR: CapabilityMask bit 15 and CapabilityMask2 bit 11, IsExtendedSpeeds2Supported. */
static bool has_extended2(const struct port *port)
{
	const struct port *owner = port_lid_owner(port);

	return owner && port_capability(port, CAPABILITY_MASK2) == 1 &&
	       owner->info.capability_mask2 != FIELD_UNKNOWN &&
	       (owner->info.capability_mask2 >> 11 & 1);
}

/*
 * Joins LinkSpeed, LinkSpeedExt and LinkSpeedExt2 (bytes 56: 449,2 active,
 * 451,2 supported, 453,3 enabled; libibmad/src/fields.c of rdma-core 55).
 */
static void read_speeds(struct port *port, uint8_t *data)
{
	int64_t active = mad_get_field(data, 0, IB_PORT_LINK_SPEED_ACTIVE_F);
	int64_t supported = mad_get_field(data, 0, IB_PORT_LINK_SPEED_SUPPORTED_F);
	int64_t enabled = mad_get_field(data, 0, IB_PORT_LINK_SPEED_ENABLED_F);
	int64_t active2 = 0;

	if (enabled == 15)
		enabled = supported;
	if (has_extended(port) != 0) {
		int64_t ext = mad_get_field(data, 0, IB_PORT_LINK_SPEED_EXT_ACTIVE_F);
		int64_t ext_supported = mad_get_field(data, 0, IB_PORT_LINK_SPEED_EXT_SUPPORTED_F);
		int64_t ext_enabled = mad_get_field(data, 0, IB_PORT_LINK_SPEED_EXT_ENABLED_F);

		if (ext_enabled == 31)
			ext_enabled = ext_supported;
		else if (ext_enabled == 30)
			ext_enabled = 0;
		active |= ext << 8;
		supported |= ext_supported << 8;
		enabled |= ext_enabled << 8;
	}
	if (has_extended2(port)) {
		int64_t supported2 = data[56] >> 3 & 3;
		int64_t enabled2 = data[56] & 7;

		active2 = data[56] >> 5 & 3;
		if (enabled2 == 7)
			enabled2 = supported2;
		else if (enabled2 == 6)
			enabled2 = 0;
		active |= active2 << 24;
		supported |= supported2 << 24;
		enabled |= enabled2 << 24;
	}
	port->info.link_speed_code = active;
	port->info.link_speed_supported = supported;
	port->info.link_speed_enabled = enabled;
	port->info.link_speed_active = speed_of_code(active);
}

static bool applies(const struct port *port, enum scope scope)
{
	switch (scope) {
	case SCOPE_END:
		return port_is_end_port(port);
	case SCOPE_LINK:
		return !port_is_base_port0(port);
	case SCOPE_ALL:
		break;
	}
	return true;
}

/* The port by which the run's own SMPs come in: nothing passes a link that is Down. */
static bool is_entry(const struct target *target, const struct port *port)
{
	const struct mad_route *route = &target->route;

	return route->hops > 0 && port->num == route->in[route->hops];
}

/* One such code may be newer than this program. */
static unsigned unknown_codes(uint8_t *data, bool up)
{
	unsigned width = mad_get_field(data, 0, IB_PORT_LINK_WIDTH_ACTIVE_F);

	return (mad_get_field(data, 0, IB_PORT_VL_CAP_F) > 5) +
	       (mad_get_field(data, 0, IB_PORT_MTU_CAP_F) > 5) +
	       (up && width != 0 && width_of_code(width) == FIELD_UNKNOWN);
}

/*
 * What no PortInfo can say, whatever the device (IBA Volume 1, table 145), or
 * NULL. A zero is let pass: some firmware leaves it where nothing applies.
 */
static const char *impossible(const struct target *target, const struct port *port,
			      uint8_t *data)
{
	unsigned state = mad_get_field(data, 0, IB_PORT_STATE_F);
	unsigned physical = mad_get_field(data, 0, IB_PORT_PHYS_STATE_F);
	bool up = state >= 2;

	if (state > 5)
		return "PortInfo with a PortState that does not exist";
	if (port->num == 0)
		return NULL;
	if (!up && is_entry(target, port))
		return "PortInfo that calls the port Down by which it came";
	if (unknown_codes(data, up) > 1)
		return "PortInfo with several codes that do not exist";
	if (mad_get_field(data, 0, IB_PORT_VL_ARBITRATION_HIGH_CAP_F) > 64 ||
	    mad_get_field(data, 0, IB_PORT_VL_ARBITRATION_LOW_CAP_F) > 64)
		return "PortInfo with a VLArbitrationTable longer than 64 entries";
	if (up && physical != 0 && physical != 5 && physical != 6)
		return "PortInfo of a link that is up and has no physical link";
	return NULL;
}

/*
 * Fields of an Active link that no device can hold: 0 where it must have one, or
 * more at work than it is able to. Both of the pair are then not known. A code
 * that is new to this program is none of them.
 */
static const struct pair {
	enum MAD_FIELDS at_work, able;
	unsigned last;		/* code that is known here */
	size_t at_work_offset, able_offset;
	const char *why;
} pairs[] = {
	{IB_PORT_OPER_VLS_F, IB_PORT_VL_CAP_F, 5, OFFSET(oper_vls), OFFSET(vl_cap),
	 "OperVLs and VLCap of an Active port that cannot be: these two are not believed"},
	{IB_PORT_NEIGHBOR_MTU_F, IB_PORT_MTU_CAP_F, 5, OFFSET(neighbor_mtu), OFFSET(mtu_cap),
	 "NeighborMTU and MTUCap of an Active port that cannot be: these two are not believed"},
};

static int doubt(struct collect *collect, struct target *target, struct port *port, uint8_t *data,
		 struct err *err)
{
	int rc = 0;

	if (port->num == 0 || !port_is_active(port))
		return 0;
	for (size_t i = 0; rc == 0 && i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		const struct pair *pair = &pairs[i];
		unsigned at_work = mad_get_field(data, 0, pair->at_work);
		unsigned able = mad_get_field(data, 0, pair->able);

		if (at_work != 0 && able != 0 && (at_work <= able || able > pair->last))
			continue;
		*(int64_t *)(void *)((char *)&port->info + pair->at_work_offset) = FIELD_UNKNOWN;
		*(int64_t *)(void *)((char *)&port->info + pair->able_offset) = FIELD_UNKNOWN;
		rc = hole_of_target(collect, target, port->num, ATTRIBUTE_PORT_INFO, HOLE_BAD_ANSWER,
				    0, pair->why, err);
	}
	return rc;
}

static void forget(struct port *port)
{
	int64_t *fields = (int64_t *)(void *)&port->info;

	for (size_t i = 0; i < sizeof(port->info) / sizeof(*fields); i++)
		fields[i] = FIELD_UNKNOWN;
	port->source_of[ATTRIBUTE_PORT_INFO] = 0;
}

/* Where several are nonsense, the others are only nonsense that happens to be possible. */
#define ODD_PORTS 2

static int ports_leave(struct collect *collect, struct target *target, struct err *err)
{
	struct device *device = target->device;
	int rc = 0;

	if (target_is_switch(target) && target->odd_ports >= ODD_PORTS) {
		for (size_t i = 0; i < device->port_slots; i++) {
			if (device->ports[i])
				forget(device->ports[i]);
		}
		rc = hole_of_target(collect, target, -1, ATTRIBUTE_PORT_INFO, HOLE_BAD_ANSWER, 0,
				    "several of its PortInfos cannot be right: none is believed",
				    err);
	}
	return rc < 0 ? rc : discover_unread(collect, target, err);
}

int read_port_info(struct collect *collect, struct target *target,
		   const struct question *question, uint8_t *data, const char **ret_why,
		   struct err *err)
{
	struct port *port = fabric_port(collect->fabric, target->device,
					(uint8_t)question->port);
	const char *why;

	if (!port)
		return err_no_memory(err);
	why = impossible(target, port, data);
	if (why) {
		target->odd_ports += target->odd_ports < UINT8_MAX;
		*ret_why = why;
		return 1;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t raw;

		if (!applies(port, rows[i].scope))
			continue;
		raw = rows[i].field == IB_PORT_GID_PREFIX_F
			      ? mad_get_field64(data, 0, rows[i].field)
			      : mad_get_field(data, 0, rows[i].field);
		*(int64_t *)(void *)((char *)&port->info + rows[i].offset) =
			decode(rows[i].decode, raw);
	}
	if (port->info.link_width_enabled == 255)
		port->info.link_width_enabled = port->info.link_width_supported;
	if (!port_is_base_port0(port))
		read_speeds(port, data);
	if (port->num != 0 && target_is_switch(target) && port->guid == 0 &&
	    device_port(target->device, 0))
		port->guid = device_port(target->device, 0)->guid;
	port->source_of[ATTRIBUTE_PORT_INFO] = collect->source_ref;
	if (doubt(collect, target, port, data, err) < 0)
		return err->code;
	if (port->num != 0 && !port->peer && discover_says_link(port))
		return discover_probe(collect, target, port->num, 0, err);
	return 0;
}

/* --- The external ports of a switch. --- */

static int ports_enter(struct collect *collect, struct target *target, struct err *err)
{
	struct port *own = device_port(target->device, target->port);

	(void)err;
	if (target_is_switch(target))
		target->cursor_end = target_ports(target);
	/* A base port 0 that was read before SwitchInfo said what it is. */
	if (port_is_base_port0(own)) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			if (rows[i].scope == SCOPE_LINK)
				*(int64_t *)(void *)((char *)&own->info + rows[i].offset) =
					FIELD_UNKNOWN;
		}
	}
	(void)collect;
	return 0;
}

static int ports_question(struct collect *collect, struct target *target, uint32_t position,
			  struct question *ret_question)
{
	unsigned num = target_port_num(target, position);

	(void)collect;
	ret_question->ask = ASK_PORT_INFO;
	ret_question->port = num;
	ret_question->modifier = num;
	return 1;
}

const struct stage_reader ports_stage = {
	.group = LIVE_TOPOLOGY | LIVE_PORTINFO,
	.enter = ports_enter,
	.question = ports_question,
	.leave = ports_leave,
};
