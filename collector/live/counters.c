/*
 * The performance manager's attributes, by LID. ClassPortInfo comes first and
 * says what there is. An agent that answers ClassPortInfo with nothing but
 * zeros has not said anything: it is asked, and may refuse.
 *
 * Bits of ClassPortInfo.CapabilityMask and CapabilityMask2: IBA 16.1.4, names
 * as in infiniband-diags' perfquery.
 */
#include "collector/live/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PM_EXTENDED_WIDTH 0x0200u
#define PM_EXTENDED_NO_IETF 0x0400u
#define PM_XMIT_WAIT 0x1000u
#define PM_QP1_DROP 0x8000u
#define PM2_ADDITIONAL_EXTENDED 0x2u

/*
 * We have a LID, the port that takes the questions has one, and the link that
 * leads to it is Active: nothing but SMPs passes a link that is not.
 */
static bool reachable(const struct collect *collect, const struct target *target)
{
	const struct port *own = device_port(target->device, target->port);
	const struct port *entry = device_port(target->device,
					       target->route.in[target->route.hops]);

	return collect->has_lid && own && own->info.lid > 0 && own->info.lid < 0xc000 &&
	       (target->route.hops == 0 || (entry && port_is_active(entry)));
}

/* Whose counters would come by a LID that two ports claim? */
static int tell_rival(struct collect *collect, struct target *target, const struct port *own,
		      const struct port *rival, struct err *err)
{
	char labels[2][DEVICE_LABEL_SIZE + 16];
	char line[sizeof(labels) + 128];
	char *text;

	port_label(own, false, labels[0], sizeof(labels[0]));
	port_label(rival, false, labels[1], sizeof(labels[1]));
	snprintf(line, sizeof(line), "not asked, for LID %" PRId64 " is held by both %s and %s",
		 own->info.lid, labels[0], labels[1]);
	text = fabric_text(collect->fabric, line, strlen(line));
	if (!text)
		return err_no_memory(err);
	return hole_of_target(collect, target, -1,
			      collect->groups & LIVE_COUNTERS ? ATTRIBUTE_COUNTERS
							      : ATTRIBUTE_COUNTER_DETAILS,
			      HOLE_NOT_REACHED, 0, text, err);
}

static int class_enter(struct collect *collect, struct target *target, struct err *err)
{
	const struct port *own = device_port(target->device, target->port);
	const struct port *rival;

	if (!reachable(collect, target))
		return 0;
	rival = lids_rival(collect, own);
	target->pm_shared_lid = rival != NULL;
	target->cursor_end = rival == NULL;
	return rival ? tell_rival(collect, target, own, rival, err) : 0;
}

static int class_question(struct collect *collect, struct target *target, uint32_t position,
			  struct question *ret_question)
{
	(void)collect;
	(void)position;
	ret_question->ask = ASK_CLASS_PORT_INFO;
	ret_question->port = target->port;
	return 1;
}

const struct stage_reader counter_class_stage = {
	.group = LIVE_COUNTERS | LIVE_VL_COUNTERS,
	.enter = class_enter,
	.question = class_question,
};

int read_class_port_info(struct collect *collect, struct target *target,
			 const struct question *question, uint8_t *data, const char **ret_why,
			 struct err *err)
{
	struct port *port = device_port(target->device, question->port);

	(void)ret_why;
	(void)err;
	target->pm_capability = (uint16_t)mad_get_field(data, 0, IB_CPI_CAPMASK_F);
	target->pm_capability2 = mad_get_field(data, 0, IB_CPI_CAPMASK2_F);
	target->pm_known = mad_get_field(data, 0, IB_CPI_BASEVER_F) != 0;
	port->source_of[ATTRIBUTE_CLASS_PORT_INFO] = collect->source_ref;
	return 0;
}

/* --- PortCounters and their 64-bit twins, of every port with a link. --- */

/* Two questions a port. */
static const struct port *port_at(const struct target *target, uint32_t position)
{
	return target_linked_port(target, target_port_num(target, position / 2));
}

static int counters_enter(struct collect *collect, struct target *target, struct err *err)
{
	if (!reachable(collect, target) || target->pm_shared_lid)
		return 0;
	/* An agent that keeps silent about ClassPortInfo is not asked for thirty ports more. */
	if (!target_heard(target, ASK_CLASS_PORT_INFO))
		return hole_of_target(collect, target, -1, ATTRIBUTE_COUNTERS, HOLE_NOT_REACHED, 0,
				      "not asked, for ClassPortInfo was not answered", err);
	target->cursor_end = 2 * target_ports(target);
	return 0;
}

static int counters_question(struct collect *collect, struct target *target, uint32_t position,
			     struct question *ret_question)
{
	const struct port *port = port_at(target, position);

	(void)collect;
	if (!port)
		return 0;
	ret_question->ask = position % 2 ? ASK_COUNTERS_EXTENDED : ASK_COUNTERS;
	ret_question->port = port->num;
	ret_question->port_select = port->num;
	return position % 2 == 0 || !target->pm_known ||
	       (target->pm_capability & (PM_EXTENDED_WIDTH | PM_EXTENDED_NO_IETF));
}

static int counters_leave(struct collect *collect, struct target *target, struct err *err)
{
	if (target->pm_known &&
	    !(target->pm_capability & (PM_EXTENDED_WIDTH | PM_EXTENDED_NO_IETF)))
		return hole_of_target(collect, target, -1, ATTRIBUTE_COUNTERS_EXTENDED,
				      HOLE_UNSUPPORTED, 0, "ClassPortInfo does not offer it", err);
	return 0;
}

const struct stage_reader counters_stage = {
	.group = LIVE_COUNTERS,
	.enter = counters_enter,
	.question = counters_question,
	.leave = counters_leave,
};

struct row {
	enum MAD_FIELDS field;
	enum counter counter;
};

static struct port_counters *counters_of(struct collect *collect, struct port *port)
{
	if (!port->counters) {
		port->counters = fabric_alloc(collect->fabric, 1, sizeof(*port->counters));
		if (!port->counters)
			return NULL;
		port->counters->read_at = collect_now(collect);
	}
	return port->counters;
}

#define BIT(counter) (UINT64_C(1) << COUNTER_##counter)

/* Counters that PortCountersExtended always has, and those of the additional form. */
static const uint64_t extended_always = BIT(xmit_data) | BIT(rcv_data) | BIT(xmit_pkts) |
					BIT(rcv_pkts);

/*
 * True when the count in 64 bits is behind the short one: then it was never counted. An adapter
 * offers all of the additional form and keeps some of it at 0 (ConnectX-7: symbol errors).
 */
static bool is_behind(enum counter counter, uint64_t extended, uint64_t brief)
{
	return !(extended_always >> counter & 1) && extended < brief;
}

/* The short form never overwrites a 64-bit one that counts. */
static void set_short(struct port_counters *counters, enum counter counter, uint64_t value,
		      uint64_t extended)
{
	uint64_t bit = UINT64_C(1) << counter;
	unsigned width = counter_table[counter].short_bits;

	if ((extended & bit) && !is_behind(counter, counters->value[counter], value))
		return;
	counters->value[counter] = value;
	counters->known |= bit;
	if (width < 64 && value == (UINT64_C(1) << width) - 1)
		counters->saturated |= bit;
}

static void set_extended(struct port_counters *counters, enum counter counter, uint64_t value)
{
	uint64_t bit = UINT64_C(1) << counter;

	if ((counters->known & bit) && is_behind(counter, value, counters->value[counter]))
		return;
	counters->value[counter] = value;
	counters->known |= bit;
	counters->saturated &= ~bit;
	if (value == UINT64_MAX)
		counters->saturated |= bit;
}

static const struct row short_rows[] = {
	{IB_PC_ERR_SYM_F, COUNTER_symbol_error},
	{IB_PC_LINK_RECOVERS_F, COUNTER_link_error_recovery},
	{IB_PC_LINK_DOWNED_F, COUNTER_link_downed},
	{IB_PC_ERR_RCV_F, COUNTER_rcv_errors},
	{IB_PC_ERR_PHYSRCV_F, COUNTER_rcv_remote_physical_errors},
	{IB_PC_ERR_SWITCH_REL_F, COUNTER_rcv_switch_relay_errors},
	{IB_PC_XMT_DISCARDS_F, COUNTER_xmit_discards},
	{IB_PC_ERR_XMTCONSTR_F, COUNTER_xmit_constraint_errors},
	{IB_PC_ERR_RCVCONSTR_F, COUNTER_rcv_constraint_errors},
	{IB_PC_ERR_LOCALINTEG_F, COUNTER_local_link_integrity_errors},
	{IB_PC_ERR_EXCESS_OVR_F, COUNTER_excessive_buffer_overrun_errors},
	{IB_PC_VL15_DROPPED_F, COUNTER_vl15_dropped},
	{IB_PC_XMT_BYTES_F, COUNTER_xmit_data},
	{IB_PC_RCV_BYTES_F, COUNTER_rcv_data},
	{IB_PC_XMT_PKTS_F, COUNTER_xmit_pkts},
	{IB_PC_RCV_PKTS_F, COUNTER_rcv_pkts},
};

static const struct row extended_rows[] = {
	{IB_PC_EXT_XMT_BYTES_F, COUNTER_xmit_data},
	{IB_PC_EXT_RCV_BYTES_F, COUNTER_rcv_data},
	{IB_PC_EXT_XMT_PKTS_F, COUNTER_xmit_pkts},
	{IB_PC_EXT_RCV_PKTS_F, COUNTER_rcv_pkts},
	{IB_PC_EXT_XMT_UPKTS_F, COUNTER_unicast_xmit_pkts},
	{IB_PC_EXT_RCV_UPKTS_F, COUNTER_unicast_rcv_pkts},
	{IB_PC_EXT_XMT_MPKTS_F, COUNTER_multicast_xmit_pkts},
	{IB_PC_EXT_RCV_MPKTS_F, COUNTER_multicast_rcv_pkts},
};

static const struct row additional_rows[] = {
	{IB_PC_EXT_ERR_SYM_F, COUNTER_symbol_error},
	{IB_PC_EXT_LINK_RECOVERS_F, COUNTER_link_error_recovery},
	{IB_PC_EXT_LINK_DOWNED_F, COUNTER_link_downed},
	{IB_PC_EXT_ERR_RCV_F, COUNTER_rcv_errors},
	{IB_PC_EXT_ERR_PHYSRCV_F, COUNTER_rcv_remote_physical_errors},
	{IB_PC_EXT_ERR_SWITCH_REL_F, COUNTER_rcv_switch_relay_errors},
	{IB_PC_EXT_XMT_DISCARDS_F, COUNTER_xmit_discards},
	{IB_PC_EXT_ERR_XMTCONSTR_F, COUNTER_xmit_constraint_errors},
	{IB_PC_EXT_ERR_RCVCONSTR_F, COUNTER_rcv_constraint_errors},
	{IB_PC_EXT_ERR_LOCALINTEG_F, COUNTER_local_link_integrity_errors},
	{IB_PC_EXT_ERR_EXCESS_OVR_F, COUNTER_excessive_buffer_overrun_errors},
	{IB_PC_EXT_VL15_DROPPED_F, COUNTER_vl15_dropped},
	{IB_PC_EXT_XMT_WAIT_F, COUNTER_xmit_wait},
	{IB_PC_EXT_QP1_DROP_F, COUNTER_qp1_dropped},
};

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static uint64_t extended_known(const struct target *target, const struct port *port)
{
	uint64_t known = 0;

	if (port->source_of[ATTRIBUTE_COUNTERS_EXTENDED] == 0)
		return 0;
	known |= extended_always;
	if (target->pm_known && target->pm_capability2 & PM2_ADDITIONAL_EXTENDED) {
		for (size_t i = 0; i < ROWS(additional_rows); i++)
			known |= UINT64_C(1) << additional_rows[i].counter;
	}
	return known;
}

int read_counters(struct collect *collect, struct target *target,
		  const struct question *question, uint8_t *data, const char **ret_why,
		  struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	struct port_counters *counters = counters_of(collect, port);
	uint64_t extended = extended_known(target, port);

	if (!counters)
		return err_no_memory(err);
	if (mad_get_field(data, 0, IB_PC_PORT_SELECT_F) != question->port) {
		*ret_why = "PortCounters of another port";
		return 1;
	}
	for (size_t i = 0; i < ROWS(short_rows); i++)
		set_short(counters, short_rows[i].counter,
			  mad_get_field(data, 0, short_rows[i].field), extended);
	if (!target->pm_known || target->pm_capability & PM_XMIT_WAIT)
		set_short(counters, COUNTER_xmit_wait, mad_get_field(data, 0, IB_PC_XMT_WAIT_F),
			  extended);
	port->source_of[ATTRIBUTE_COUNTERS] = collect->source_ref;
	return 0;
}

int read_counters_extended(struct collect *collect, struct target *target,
			   const struct question *question, uint8_t *data, const char **ret_why,
			   struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	struct port_counters *counters = counters_of(collect, port);
	size_t count = ROWS(extended_rows);

	if (!counters)
		return err_no_memory(err);
	if (mad_get_field(data, 0, IB_PC_EXT_PORT_SELECT_F) != question->port) {
		*ret_why = "PortCountersExtended of another port";
		return 1;
	}
	/* Without the IETF counters the last four are reserved. */
	if (target->pm_known && !(target->pm_capability & PM_EXTENDED_WIDTH))
		count = 4;
	for (size_t i = 0; i < count; i++)
		set_extended(counters, extended_rows[i].counter,
			     mad_get_field64(data, 0, extended_rows[i].field));
	if (target->pm_known && target->pm_capability2 & PM2_ADDITIONAL_EXTENDED) {
		for (size_t i = 0; i < ROWS(additional_rows); i++)
			set_extended(counters, additional_rows[i].counter,
				     mad_get_field64(data, 0, additional_rows[i].field));
	}
	port->source_of[ATTRIBUTE_COUNTERS_EXTENDED] = collect->source_ref;
	return 0;
}

/* --- The details of receive errors and discards, where there are any. --- */

static bool counted(const struct port *port, enum counter counter)
{
	const struct port_counters *counters = port->counters;

	return counters && (counters->known >> counter & 1) && counters->value[counter] > 0;
}

static int details_enter(struct collect *collect, struct target *target, struct err *err)
{
	(void)collect;
	(void)err;
	target->cursor_end = 2 * target_ports(target);
	return 0;
}

static int details_question(struct collect *collect, struct target *target, uint32_t position,
			    struct question *ret_question)
{
	const struct port *port = port_at(target, position);

	(void)collect;
	if (!port)
		return 0;
	ret_question->port = port->num;
	ret_question->port_select = port->num;
	if (position % 2) {
		ret_question->ask = ASK_XMIT_DISCARD_DETAILS;
		return counted(port, COUNTER_xmit_discards);
	}
	ret_question->ask = ASK_RCV_ERROR_DETAILS;
	return counted(port, COUNTER_rcv_errors);
}

const struct stage_reader counter_details_stage = {
	.group = LIVE_COUNTERS,
	.enter = details_enter,
	.question = details_question,
};

static int read_rows(struct collect *collect, struct target *target,
		     const struct question *question, uint8_t *data, const struct row *rows,
		     size_t count, struct err *err)
{
	struct port *port = device_port(target->device, question->port);
	struct port_counters *counters = counters_of(collect, port);

	if (!counters)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		set_short(counters, rows[i].counter, mad_get_field(data, 0, rows[i].field), 0);
	port->source_of[ATTRIBUTE_COUNTER_DETAILS] = collect->source_ref;
	return 0;
}

int read_rcv_error_details(struct collect *collect, struct target *target,
			   const struct question *question, uint8_t *data, const char **ret_why,
			   struct err *err)
{
	static const struct row rows[] = {
		{IB_PC_RCV_LOCAL_PHY_ERR_F, COUNTER_local_physical_errors},
		{IB_PC_RCV_MALFORMED_PKT_ERR_F, COUNTER_malformed_packet_errors},
		{IB_PC_RCV_BUF_OVR_ERR_F, COUNTER_buffer_overrun_errors},
		{IB_PC_RCV_DLID_MAP_ERR_F, COUNTER_dlid_mapping_errors},
		{IB_PC_RCV_VL_MAP_ERR_F, COUNTER_vl_mapping_errors},
		{IB_PC_RCV_LOOPING_ERR_F, COUNTER_looping_errors},
	};

	(void)ret_why;
	return read_rows(collect, target, question, data, rows, ROWS(rows), err);
}

int read_xmit_discard_details(struct collect *collect, struct target *target,
			      const struct question *question, uint8_t *data,
			      const char **ret_why, struct err *err)
{
	static const struct row rows[] = {
		{IB_PC_XMT_INACT_DISC_F, COUNTER_inactive_discards},
		{IB_PC_XMT_NEIGH_MTU_DISC_F, COUNTER_neighbor_mtu_discards},
		{IB_PC_XMT_SW_LIFE_DISC_F, COUNTER_sw_lifetime_limit_discards},
		{IB_PC_XMT_SW_HOL_DISC_F, COUNTER_sw_hoq_lifetime_limit_discards},
	};

	(void)ret_why;
	return read_rows(collect, target, question, data, rows, ROWS(rows), err);
}
