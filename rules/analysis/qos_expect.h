/*
 * What OpenSM would program into a port: which set of qos_* options, how many
 * VLs operate, which tables, masked by the VLs that operate.
 * Source: opensm 3.3.23, osm_qos.c, osm_link_mgr.c, osm_port.c.
 */
#ifndef RULES_ANALYSIS_QOS_EXPECT_H
#define RULES_ANALYSIS_QOS_EXPECT_H

#include "store/config.h"
#include "store/fabric.h"

#define SL_COUNT 16
#define VL_COUNT 16
#define VL_DROP 15

/* Whether opensm.conf turns QoS on; -Q on OpenSM's command line does too and is in no file. */
enum qos_state {
	QOS_UNKNOWN,	/* no opensm.conf at hand */
	QOS_OFF,	/* tables and high limits stay as the firmware or another SM left them */
	QOS_ON,
};

enum qos_state qos_state_of(const struct config *config);

/* "CA ports", "external switch ports", ... for a message. */
const char *qos_class_words(enum qos_class class);

/* "CA port" when count is 1, else as qos_class_words. */
const char *qos_class_counted(enum qos_class class, size_t count);

/* "ca", "swe", "sw0", "rtr": for discriminators. */
const char *qos_class_word(enum qos_class class);

/*
 * True when VLs of this port matter: its link is Active (or its state was not
 * read), it is no base port 0, and it has more than one data VL (or VLCap was not read).
 */
bool qos_port_counts(const struct port *port);

/*
 * As above, and SL to VL mapping is not ruled out: the device does not say that
 * it has none (CapabilityMask bit 6, port 0's for a switch).
 */
bool qos_port_has_sl2vl(const struct port *port);

/* True when in-port `in` of the switch can bring packets to out port `port`: not itself, not Down. */
bool qos_in_port_counts(const struct port *port, unsigned in);

/* True when some in-port of the run counts. */
bool qos_run_counts(const struct port *port, const struct sl2vl *run);

/* OperVLs, or FIELD_UNKNOWN when it was not read, is 0, or is no number of VLs. */
int64_t qos_lanes(const struct port *port);

/* VLs both ends of the link can do, FIELD_UNKNOWN when a VLCap is missing; port 0: its own VLCap. */
int64_t qos_link_vl_cap(const struct port *port);

/*
 * True when an end of the link is a SHARP aggregation node: two VLs are normal
 * there. Told by NodeInfo DeviceID 53001 (0xcf09) or by the factory's description.
 */
bool qos_link_of_aggregation_node(const struct port *port);

/*
 * Data VLs this configuration lets operate on the port: the least of VLCap at
 * both ends and max_op_vls. FIELD_UNKNOWN when a VLCap is missing, when
 * max_op_vls is 0 (written as "no change"), and for port 0.
 */
int64_t qos_expect_oper_vls(const struct opensm_options *options, const struct port *port);

/* True when max_op_vls is a code that limits, and to fewer than `vls`. */
bool qos_max_op_vls_cuts(const struct opensm_options *options, int64_t vls);

/* Masks a table as OpenSM does when `lanes` VLs operate. */
void qos_mask_sl2vl(const uint8_t table[SL_COUNT], int64_t lanes, uint8_t ret_table[SL_COUNT]);

/*
 * The class whose SL2VL options count for packets from in-port `in`: its own, but
 * on enhanced port 0 swe for all that it does not send itself.
 */
enum qos_class qos_class_of_sl2vl(const struct port *port, unsigned in);

/* The SL2VL table of the set that OpenSM takes for in-port `in` of this port. */
const uint8_t *qos_expect_sl2vl(const struct opensm_options *options, const struct port *port,
				unsigned in);

/*
 * The arbitration table OpenSM writes into `cap` entries when `lanes` VLs
 * operate; returns how many entries it writes. With a cap of 64 entries 33 to 64
 * are left as they were (block length cap % 32), so 32 are returned.
 */
size_t qos_expect_vlarb(const struct vlarb_entry *set, size_t set_count, int64_t cap,
			int64_t lanes, struct vlarb_entry ret_table[64]);

/* True when both tables come to the same turns: entries without weight are skipped, order counts. */
bool qos_vlarb_equal(const struct vlarb_entry *a, size_t a_count, const struct vlarb_entry *b,
		     size_t b_count);

/* Bit per VL that can operate with so many lanes; FIELD_UNKNOWN: all data VLs. */
uint16_t qos_lanes_mask(int64_t lanes);

/* Bit per VL that some entry with a weight serves. */
uint16_t qos_vlarb_served(const struct vlarb_entry *table, size_t count);

/* Bit per VL, 15 left out, that some SL of the mask is mapped to. */
uint16_t qos_sl2vl_vls(const uint8_t table[SL_COUNT], uint16_t sls);

/* How many bits are set. */
unsigned qos_bit_count(uint16_t bits);

/* "1, 3-5" of the bits; "none" for 0. Returns out. */
#define QOS_BITS_SIZE 64
const char *qos_bits_text(uint16_t bits, char out[QOS_BITS_SIZE]);

/* "SL 3 is", "SLs 3, 7 are": the bits as the subject of a sentence. Returns out. */
#define QOS_SLS_SIZE (QOS_BITS_SIZE + 16)
const char *qos_sls_are(uint16_t sls, char out[QOS_SLS_SIZE]);

/* "VL 3", "VLs 3-7". Returns out. */
const char *qos_vls_text(uint16_t vls, char out[QOS_SLS_SIZE]);

/* "0,1,2,..." of a table. Returns out. */
const char *qos_sl2vl_text(const uint8_t table[SL_COUNT], char out[QOS_BITS_SIZE]);

/* "0:64,1:32" of a table, entries after the last weight left out, "" when none. Returns out. */
#define QOS_VLARB_SIZE 512
const char *qos_vlarb_text(const struct vlarb_entry *table, size_t count, char out[QOS_VLARB_SIZE]);

/*
 * "{0,4,8,12} {1,5}": groups of the SLs of `sls` that `table` puts on one VL;
 * SLs alone on their VL and those on VL15 are left out. Returns out.
 */
#define QOS_GROUPS_SIZE 128
const char *qos_groups_text(const uint8_t table[SL_COUNT], uint16_t sls, char out[QOS_GROUPS_SIZE]);

#endif
