/*
 * The scalar facts of a device, a switch and a port, each named once.
 *
 * One list serves struct fabric, the columns of schema.sql (a test holds them
 * together), the reader and writer of the store, the importers and the diff.
 *
 * Every value is an int64_t; FIELD_UNKNOWN means: not read, not supported, not
 * applicable or not in the source. Why is told by a hole (fabric.h), never by
 * a number. Wire encodings are decoded before they come here.
 *
 * Columns of a row: member (also the SQL column), the standard's name, how it
 * is decoded. Source of names and offsets: libibmad/src/fields.c; of
 * encodings: IBA Volume 1, chapter 14.2.5.
 */
#ifndef STORE_FIELD_H
#define STORE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FIELD_UNKNOWN INT64_MIN

/* NodeInfo. */
#define NODE_FIELDS(X)                                                                            \
	X(base_version, "BaseVersion", "number")                                                  \
	X(class_version, "ClassVersion", "number")                                                \
	X(num_ports, "NumPorts", "physical ports, port 0 not counted")                            \
	X(partition_cap, "PartitionCap", "entries in the P_Key table of a CA port or port 0")     \
	X(device_id, "DeviceID", "number")                                                        \
	X(revision, "Revision", "number")                                                         \
	X(vendor_id, "VendorID", "IEEE OUI")

/* SwitchInfo; unknown for CAs and routers. */
#define SWITCH_FIELDS(X)                                                                          \
	X(linear_fdb_cap, "LinearFDBCap", "LIDs")                                                 \
	X(random_fdb_cap, "RandomFDBCap", "LIDs")                                                 \
	X(multicast_fdb_cap, "MulticastFDBCap", "MLIDs")                                          \
	X(linear_fdb_top, "LinearFDBTop", "highest LID with a defined entry")                     \
	X(default_port, "DefaultPort", "port")                                                    \
	X(default_mcast_primary_port, "DefaultMulticastPrimaryPort", "port")                      \
	X(default_mcast_not_primary_port, "DefaultMulticastNotPrimaryPort", "port")               \
	X(life_time_value, "LifeTimeValue", "n of 4.096 us * 2^n")                                \
	X(port_state_change, "PortStateChange", "0 or 1")                                         \
	X(optimized_sl2vl_mapping, "OptimizedSLtoVLMappingProgramming", "0 to 3")                 \
	X(lids_per_port, "LIDsPerPort", "number")                                                 \
	X(partition_enforcement_cap, "PartitionEnforcementCap", "entries per external port")      \
	X(inbound_enforcement_cap, "InboundEnforcementCap", "0 or 1")                             \
	X(outbound_enforcement_cap, "OutboundEnforcementCap", "0 or 1")                           \
	X(filter_raw_inbound_cap, "FilterRawInboundCap", "0 or 1")                                \
	X(filter_raw_outbound_cap, "FilterRawOutboundCap", "0 or 1")                              \
	X(enhanced_port0, "EnhancedPort0", "1 enhanced, 0 base")                                  \
	X(multicast_fdb_top, "MulticastFDBTop", "highest MLID with a defined entry")

/*
 * PortInfo. "port 0 / end port" fields are FIELD_UNKNOWN on the external ports
 * of a switch, which answer 0 for them by design. The link fields of a base
 * switch port 0 are FIELD_UNKNOWN too: they do not apply (IBA C14-24). Of a port
 * that is Down only port_state, port_phys_state and link_down_default are
 * defined (C14-24.2.1); what it answered for the rest is kept, and a rule must
 * ask port_is_up() first.
 *
 * Speed codes (link_speed_code and the two masks) join the four fields in the
 * way ibdiagnet does: bits 0-7 LinkSpeed (1 SDR, 2 DDR, 4 QDR), 8-15
 * LinkSpeedExt (256 FDR, 512 EDR, 1024 HDR, 2048 NDR), 16-23 Mellanox
 * ExtendedPortInfo (65536 FDR10, 131072 EDR20), 24-31 LinkSpeedExt2 (16777216
 * XDR). The enabled mask has "as supported" (15, 31) already replaced.
 */
#define PORT_FIELDS(X)                                                                            \
	X(lid, "LID", "0 unassigned; port 0 / end port")                                          \
	X(lmc, "LMC", "2^lmc LIDs; port 0 / end port")                                            \
	X(sm_lid, "MasterSMLID", "LID; port 0 / end port")                                        \
	X(sm_sl, "MasterSMSL", "SL; port 0 / end port")                                           \
	X(gid_prefix, "GidPrefix", "64 bits as a bit pattern; port 0 / end port")                 \
	X(capability_mask, "CapabilityMask", "32 bits; port 0 / end port")                        \
	X(capability_mask2, "CapabilityMask2", "16 bits; port 0 / end port")                      \
	X(diag_code, "DiagCode", "number")                                                        \
	X(m_key_lease_period, "M_KeyLeasePeriod", "seconds")                                      \
	X(m_key_protect_bits, "M_KeyProtectBits", "0 to 3")                                       \
	X(link_width_active, "LinkWidthActive", "lanes: 1, 2, 4, 8, 12")                          \
	X(link_width_supported, "LinkWidthSupported", "bits: 1=1x 2=4x 4=8x 8=12x 16=2x")         \
	X(link_width_enabled, "LinkWidthEnabled", "bits as supported, 255 replaced")              \
	X(link_speed_active, "LinkSpeedActive", "Mb/s per lane, rounded down; see speed_name")    \
	X(link_speed_code, "LinkSpeedActive (code)", "joined code as read")                       \
	X(link_speed_supported, "LinkSpeedSupported", "joined code bits")                         \
	X(link_speed_enabled, "LinkSpeedEnabled", "joined code bits")                             \
	X(port_state, "PortState", "1 Down 2 Init 3 Armed 4 Active 5 ActiveDefer")                \
	X(port_phys_state, "PortPhysicalState", "1 Sleep 2 Polling 3 Disabled 4 Training "        \
					       "5 LinkUp 6 LinkErrorRecovery 7 PhyTest")          \
	X(link_down_default, "LinkDownDefaultState", "1 Sleep 2 Polling")                         \
	X(neighbor_mtu, "NeighborMTU", "bytes")                                                   \
	X(mtu_cap, "MTUCap", "bytes")                                                             \
	X(vl_cap, "VLCap", "data VLs: 1, 2, 4, 8, 15")                                            \
	X(oper_vls, "OperVLs", "data VLs: 1, 2, 4, 8, 15; 0 when the port answered code 0")       \
	X(vl_high_limit, "VLHighLimit", "units of 4096 bytes; 255 no limit")                      \
	X(vlarb_high_cap, "VLArbHighCap", "table entries")                                        \
	X(vlarb_low_cap, "VLArbLowCap", "table entries")                                          \
	X(vl_stall_count, "VLStallCount", "number")                                               \
	X(hoq_life, "HOQLife", "n of 4.096 us * 2^n; 20 and more unlimited")                      \
	X(init_type, "InitType", "bits")                                                          \
	X(init_type_reply, "InitTypeReply", "bits")                                               \
	X(partition_enforcement_inbound, "PartitionEnforcementInbound", "0 or 1")                 \
	X(partition_enforcement_outbound, "PartitionEnforcementOutbound", "0 or 1")               \
	X(filter_raw_inbound, "FilterRawInbound", "0 or 1")                                       \
	X(filter_raw_outbound, "FilterRawOutbound", "0 or 1")                                     \
	X(m_key_violations, "M_KeyViolations", "count, ends at 65535")                            \
	X(p_key_violations, "P_KeyViolations", "count, ends at 65535")                            \
	X(q_key_violations, "Q_KeyViolations", "count, ends at 65535")                            \
	X(guid_cap, "GUIDCap", "GUIDs")                                                           \
	X(client_reregister, "ClientReregister", "0 or 1")                                        \
	X(mcast_pkey_trap_suppression, "MulticastPKeyTrapSuppressionEnabled", "0 to 3")           \
	X(subnet_timeout, "SubnetTimeOut", "n of 4.096 us * 2^n")                                 \
	X(resp_time_value, "RespTimeValue", "n of 4.096 us * 2^n")                                \
	X(local_phy_errors, "LocalPhyErrors", "threshold")                                        \
	X(overrun_errors, "OverrunErrors", "threshold")                                           \
	X(max_credit_hint, "MaxCreditHint", "number")                                             \
	X(link_round_trip_latency, "LinkRoundTripLatency", "units of 4 ns")

/*
 * PortCounters, PortCountersExtended and the error details: member, the
 * standard's name, the width of the short form in bits (it saturates at all
 * ones and never wraps), unit. Where the 64-bit twin was read, it is the value.
 * Source: libibmad/src/fields.c; IBA Volume 1, chapter 16.1.
 */
#define COUNTERS(X)                                                                               \
	X(symbol_error, "SymbolErrorCounter", 16, "events")                                       \
	X(link_error_recovery, "LinkErrorRecoveryCounter", 8, "events")                           \
	X(link_downed, "LinkDownedCounter", 8, "events")                                          \
	X(rcv_errors, "PortRcvErrors", 16, "packets")                                             \
	X(rcv_remote_physical_errors, "PortRcvRemotePhysicalErrors", 16, "packets")               \
	X(rcv_switch_relay_errors, "PortRcvSwitchRelayErrors", 16, "packets")                     \
	X(xmit_discards, "PortXmitDiscards", 16, "packets")                                       \
	X(xmit_constraint_errors, "PortXmitConstraintErrors", 8, "packets")                       \
	X(rcv_constraint_errors, "PortRcvConstraintErrors", 8, "packets")                         \
	X(local_link_integrity_errors, "LocalLinkIntegrityErrors", 4, "events")                   \
	X(excessive_buffer_overrun_errors, "ExcessiveBufferOverrunErrors", 4, "events")           \
	X(vl15_dropped, "VL15Dropped", 16, "packets")                                             \
	X(qp1_dropped, "QP1Dropped", 16, "packets")                                               \
	X(xmit_data, "PortXmitData", 32, "4-byte words")                                          \
	X(rcv_data, "PortRcvData", 32, "4-byte words")                                            \
	X(xmit_pkts, "PortXmitPkts", 32, "packets")                                               \
	X(rcv_pkts, "PortRcvPkts", 32, "packets")                                                 \
	X(xmit_wait, "PortXmitWait", 32, "ticks of the port's own clock")                         \
	X(unicast_xmit_pkts, "PortUnicastXmitPkts", 64, "packets")                                \
	X(unicast_rcv_pkts, "PortUnicastRcvPkts", 64, "packets")                                  \
	X(multicast_xmit_pkts, "PortMulticastXmitPkts", 64, "packets")                            \
	X(multicast_rcv_pkts, "PortMulticastRcvPkts", 64, "packets")                              \
	X(local_physical_errors, "PortLocalPhysicalErrors", 16, "packets")                        \
	X(malformed_packet_errors, "PortMalformedPacketErrors", 16, "packets")                    \
	X(buffer_overrun_errors, "PortBufferOverrunErrors", 16, "packets")                        \
	X(dlid_mapping_errors, "PortDLIDMappingErrors", 16, "packets")                            \
	X(vl_mapping_errors, "PortVLMappingErrors", 16, "packets")                                \
	X(looping_errors, "PortLoopingErrors", 16, "packets")                                     \
	X(inactive_discards, "PortInactiveDiscards", 16, "packets")                               \
	X(neighbor_mtu_discards, "PortNeighborMTUDiscards", 16, "packets")                        \
	X(sw_lifetime_limit_discards, "PortSwLifetimeLimitDiscards", 16, "packets")               \
	X(sw_hoq_lifetime_limit_discards, "PortSwHOQLifetimeLimitDiscards", 16, "packets")

#define FIELD_MEMBER(member, ...) int64_t member;

struct node_fields {
	NODE_FIELDS(FIELD_MEMBER)
};

struct switch_fields {
	SWITCH_FIELDS(FIELD_MEMBER)
};

struct port_fields {
	PORT_FIELDS(FIELD_MEMBER)
};

enum counter {
#define COUNTER_ENUM(member, ...) COUNTER_##member,
	COUNTERS(COUNTER_ENUM)
#undef COUNTER_ENUM
	COUNTER_COUNT
};

/* One row of a field list; offset is into the struct of that list. */
struct field {
	const char *member;	/* also the SQL column */
	const char *name;	/* the standard's name, for people */
	const char *unit;	/* how it is decoded */
	size_t offset;
};

/* The lists as tables, ended by a row whose member is NULL. */
extern const struct field node_field_table[];
extern const struct field switch_field_table[];
extern const struct field port_field_table[];

struct counter_info {
	const char *member;
	const char *name;
	unsigned short_bits;	/* width of the form that saturates */
	const char *unit;
};

extern const struct counter_info counter_table[COUNTER_COUNT];

/* The field `field` of the struct at `fields` (one of the three structs above). */
static inline int64_t field_get(const void *fields, const struct field *field)
{
	return *(const int64_t *)((const char *)fields + field->offset);
}

static inline void field_set(void *fields, const struct field *field, int64_t value)
{
	*(int64_t *)((char *)fields + field->offset) = value;
}

/* Sets every field of a table to FIELD_UNKNOWN. */
void field_set_all_unknown(void *fields, const struct field *table);

/* Row of a table by member name, or NULL. */
const struct field *field_find(const struct field *table, const char *member);

/* --- Codes that several rooms decode: once here. --- */

/* VLCap and OperVLs: code 1..5 -> 1, 2, 4, 8, 15 data VLs; others FIELD_UNKNOWN. */
int64_t vl_count_of_code(unsigned code);

/* MTU: code 1..5 -> 256..4096 bytes; others FIELD_UNKNOWN. */
int64_t mtu_of_code(unsigned code);

/* One LinkWidth bit (1, 2, 4, 8, 16) -> lanes; others FIELD_UNKNOWN. */
int64_t width_of_code(unsigned code);

/* The most lanes a LinkWidth mask names (2x is bit 16 and less than 4x), or FIELD_UNKNOWN. */
int64_t width_widest(int64_t mask);

/*
 * The fastest speed that a joined code or mask names, in Mb/s per lane rounded
 * down; FIELD_UNKNOWN when no bit of it is known. A legacy QDR bit beside an
 * extended one loses: the extended part is the speed.
 */
int64_t speed_of_code(int64_t code);

/* True when the code has a bit that no released speed uses. */
bool speed_code_has_unknown(int64_t code);

/* "NDR" for 106250 and so on; NULL when no speed has this number. */
const char *speed_name(int64_t mbps);

/* Names of states as in the standard; "unknown" for what has none. Static text. */
const char *port_state_name(int64_t state);
const char *port_phys_state_name(int64_t state);
const char *sm_state_name(int64_t state);

#endif
