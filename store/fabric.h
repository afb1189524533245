/*
 * One subnet at one time, in memory: what a collector found and a rule judges.
 *
 * Ownership: struct fabric owns everything reachable from it, strings and
 * tables included; all of it lives until fabric_free. Pointers to devices and
 * ports stay valid as the fabric grows. Everything added is copied.
 *
 * GUID is the key and it can lie: two devices that answer to one node GUID are
 * two rows; fabric_device_find gives the first and device->same_guid the next.
 *
 * Unknown is never 0: scalars are FIELD_UNKNOWN, tables are NULL, and
 * `source_of` tells which source (if any) a group of facts came from.
 *
 * Functions that return a pointer return NULL when memory is gone.
 */
#ifndef STORE_FABRIC_H
#define STORE_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/field.h"
#include "store/text.h"

struct config;			/* config.h */

enum node_type {
	NODE_TYPE_UNKNOWN = 0,
	NODE_TYPE_CA = 1,
	NODE_TYPE_SWITCH = 2,
	NODE_TYPE_ROUTER = 3,
};

/* Groups of facts that are read, and can be missing, together. */
enum attribute {
	ATTRIBUTE_NODE_INFO,
	ATTRIBUTE_NODE_DESCRIPTION,
	ATTRIBUTE_SWITCH_INFO,
	ATTRIBUTE_PORT_INFO,
	ATTRIBUTE_EXTENDED_PORT_INFO,	/* Mellanox, FDR10 */
	ATTRIBUTE_NEIGHBOR,		/* what is behind the port */
	ATTRIBUTE_GUID_INFO,
	ATTRIBUTE_PKEY_TABLE,
	ATTRIBUTE_SL2VL,
	ATTRIBUTE_VLARB,
	ATTRIBUTE_LFT,
	ATTRIBUTE_MFT,
	ATTRIBUTE_SM_INFO,
	ATTRIBUTE_COUNTERS,
	ATTRIBUTE_COUNTERS_EXTENDED,
	ATTRIBUTE_COUNTER_DETAILS,	/* PortRcvErrorDetails, PortXmitDiscardDetails */
	ATTRIBUTE_CLASS_PORT_INFO,
	ATTRIBUTE_HOST,			/* what the host says: GID tables, local ports */
	ATTRIBUTE_COUNT
};

/* "PortInfo", "LFT", ...: the field's term. */
const char *attribute_name(enum attribute attribute);

/* Index into fabric->sources plus 1; 0: this group was not read. */
typedef uint16_t source_ref;

struct sl2vl {
	uint8_t in_first;	/* in-ports in_first..in_last have this map as input; */
	uint8_t in_last;	/* 0..0 for a CA, a router, and for what port 0 itself sends */
	uint8_t vl[16];		/* VL of each SL, 0..15; 15 drops */
};

struct vlarb_entry {
	uint8_t vl;
	uint8_t weight;		/* units of 64 bytes; 0 skips the entry */
};

struct port_counters {
	uint64_t value[COUNTER_COUNT];
	uint64_t known;		/* bit per enum counter: value was read */
	uint64_t saturated;	/* bit per enum counter: at its maximum, so "at least" */
	int64_t read_at;	/* seconds since 1970 UTC, or FIELD_UNKNOWN */
};

struct port {
	struct device *device;
	uint8_t num;		/* 1..254; 0 only for a switch's own management port */
	uint64_t guid;		/* 0: unknown; for a switch's external ports the switch's port GUID */
	struct port_fields info;
	/*
	 * The port at the other end as this port's side told it; NULL: none seen.
	 * A link seen from both ends has a->peer == b and b->peer == a. One-way
	 * facts stay one-way.
	 */
	struct port *peer;
	bool peer_inferred;	/* this side could not tell it: the other end's word stands for both */
	struct sl2vl *sl2vl;	/* folded runs in order of in_first; NULL: not read */
	size_t sl2vl_count;
	struct vlarb_entry *vlarb_high;	/* as many entries as were read; NULL: not read */
	struct vlarb_entry *vlarb_low;
	size_t vlarb_high_count;
	size_t vlarb_low_count;
	uint16_t *pkeys;	/* as on the wire: bit 15 full member; 0 entries left out; NULL: not read */
	size_t pkey_count;
	uint64_t *guids;	/* GUIDInfo, index 0 first, up to the last that is not 0; NULL: not read */
	size_t guid_count;
	struct port_counters *counters;	/* NULL: not read */
	source_ref source_of[ATTRIBUTE_COUNT];
};

/* One multicast LID's ports on one switch. */
struct mft_entry {
	uint16_t mlid;
	uint8_t ports[32];	/* bit (port & 7) of byte (port >> 3) */
};

struct device {
	size_t index;		/* place in fabric->devices */
	uint64_t guid;		/* node GUID; 0 and all ones are kept as they came */
	uint64_t system_image_guid;	/* 0: none or unknown */
	enum node_type type;
	struct node_fields info;
	struct switch_fields sw;
	/*
	 * NodeDescription as read: up to 64 bytes, no NUL among them, foreign text
	 * (not UTF-8, control bytes). Ended by a NUL for convenience; NULL unknown.
	 */
	char *description;
	char *alias;		/* from a node name map, or NULL */
	bool name_shared;	/* another device bears the name too: fabric_mark_shared_names */
	char *place;		/* where it was seen: "DR path 0,1,10" or "file.txt:120"; or NULL */
	char *fw_version;	/* or NULL */
	char *psid;		/* or NULL */
	struct port **ports;	/* ports[0..port_slots-1], NULL where nothing is known */
	size_t port_slots;
	/*
	 * Linear forwarding table: entry of LID n at lft[n], 255 no path, valid only
	 * where lft_known(). Entries above sw.linear_fdb_top are undefined.
	 */
	uint8_t *lft;
	uint8_t *lft_blocks;	/* bit per block of 64 LIDs that was read */
	size_t lft_size;	/* LIDs, a multiple of 64 */
	struct mft_entry *mft;	/* ascending MLID, entries without a port left out; NULL: not read */
	size_t mft_count;
	source_ref source_of[ATTRIBUTE_COUNT];
	struct device *same_guid;	/* next row with this node GUID, or NULL */
	struct device *next_in_bucket;	/* for fabric.c only */
	struct device *last_of_guid;	/* for fabric.c only */
};

enum hole_reason {
	HOLE_TIMEOUT,		/* no answer after all retries */
	HOLE_STATUS,		/* answered with a MAD status other than 0 */
	HOLE_UNSUPPORTED,	/* the device says it has no such attribute: nothing is lost */
	HOLE_PROTECTED,		/* an M_Key keeps the answer back */
	HOLE_BAD_ANSWER,	/* answered nonsense: wrong length, impossible values */
	HOLE_NOT_REACHED,	/* lies behind something that did not answer */
	HOLE_LIMIT,		/* left out by a bound of ours */
	HOLE_INCONSISTENT,	/* a file contradicts itself there: its text says how */
	HOLE_CUT,		/* its source breaks off before it; its text says how */
	HOLE_ODD,		/* may stand in lines that were not understood; its text says where */
	HOLE_UNDECIDED,		/* the answers leave open what its text says */
};

const char *hole_reason_name(enum hole_reason reason);

/*
 * A MAD status in words: "busy", "method not supported", "no error" (IBA Volume 1, 13.4.7: bit 0
 * busy, bit 1 redirect, bits 2-4 a code, bits 8-15 the class's own). Returns out.
 */
#define MAD_STATUS_WORDS_SIZE 80
const char *mad_status_words(unsigned status, char out[MAD_STATUS_WORDS_SIZE]);

/* Something that was asked for and is not here. */
struct hole {
	struct device *device;	/* the device asked, or NULL when not even NodeInfo came */
	int port;		/* port asked about, or -1 */
	enum attribute attribute;
	enum hole_reason reason;
	int status;		/* MAD status (15 bits) with HOLE_STATUS, else 0 */
	struct port *behind;	/* last known port on the way to it, or NULL */
	char *text;		/* a sentence's worth of detail (path, status in words), or NULL */
	source_ref source;
};

enum source_kind {
	SOURCE_LIVE,
	SOURCE_FILE,
};

struct source {
	enum source_kind kind;
	char *name;		/* "mlx5_0 port 1", or the path as given, "tar:member" for archives */
	char *format;		/* "live", or a format id such as "ibdiagnet2.db_csv" */
	int64_t taken_at;	/* time the content itself names, UTC seconds, or FIELD_UNKNOWN */
	int64_t rows;		/* lines or answers understood */
	int64_t odd_rows;	/* lines not understood (each counted, the first ones kept) */
	char *detail;		/* what was asked and skipped, versions; or NULL */
};

/* A line of a file that was not understood. */
struct odd_line {
	source_ref source;
	int64_t line;		/* from 1 */
	char *text;		/* at most 200 bytes of it, foreign */
	char *reason;
};

/* Two sources, or two lines of one, that say different things of one fact. */
struct contradiction {
	struct device *device;	/* or NULL: fabric-wide */
	int port;		/* or -1 */
	char *fact;		/* field member, "link", "description", ... */
	char *kept;		/* value used */
	source_ref kept_source;
	char *other;		/* value not used */
	source_ref other_source;
};

/*
 * A proof that one GUID has two owners, found by whoever saw both places.
 * Devices with equal GUID are proof too; this is for what rows cannot show.
 */
struct guid_conflict {
	uint64_t guid;
	bool is_port_guid;
	struct port *place_a;	/* the port that leads to it, or NULL */
	struct port *place_b;
	char *detail;		/* a sentence: what was seen where */
	source_ref source;
};

/* SMInfo of one SM. */
struct sm {
	struct port *port;	/* the port it answers on, or NULL when only its GUID is known */
	uint64_t port_guid;	/* 0 unknown */
	int64_t lid;		/* or FIELD_UNKNOWN */
	int64_t priority;	/* 0..15 or FIELD_UNKNOWN */
	int64_t state;		/* sm_state_name(); or FIELD_UNKNOWN */
	int64_t act_count;	/* or FIELD_UNKNOWN */
	source_ref source;
};

/* What a host says of one GID table entry. */
struct host_gid {
	char *host;		/* host name, or NULL */
	char *device;		/* "mlx5_0" */
	uint8_t port;
	int index;
	uint8_t gid[16];	/* network order */
	char *type;		/* "IB", "RoCE v1", "RoCE v2", or NULL: the kernel refused */
	char *netdev;		/* or NULL */
	uint64_t port_guid;	/* 0 unknown */
	source_ref source;
};

/* What a host says of one local port. */
struct host_port {
	char *host;		/* or NULL */
	char *device;
	uint8_t port;
	uint64_t node_guid;	/* 0 unknown */
	uint64_t port_guid;	/* 0 unknown */
	char *link_layer;	/* "InfiniBand", "Ethernet", or NULL */
	int64_t state;		/* PortState or FIELD_UNKNOWN */
	int64_t phys_state;
	int64_t rate_mbps;	/* whole port, or FIELD_UNKNOWN */
	int64_t width;		/* lanes or FIELD_UNKNOWN */
	char *speed;		/* "NDR" or NULL */
	int64_t lid;
	int64_t lmc;
	int64_t sm_lid;
	char *fw_version;
	int64_t gid_slots;	/* places of the GID table that were read, empty ones too; or FIELD_UNKNOWN */
	int64_t gids_unread;	/* places that are there and could not be read; or FIELD_UNKNOWN */
	struct port_counters *counters;	/* as the host reads them; NULL: not read */
	source_ref source;
};

/*
 * Files of several subnets in one snapshot: of each file a fact without a device, with its
 * subnet's number from 1 as key and how many devices that has as value; with
 * SUBNET_SHARED as key and no source, how many CAs have ports in several. There is
 * none in a snapshot of one subnet, as it should be.
 */
#define SUBNET_SECTION "subnet"
#define SUBNET_SHARED "shared"

/* A fact with no column of its own: cables, temperatures, hierarchy labels, AR. */
struct fact {
	struct device *device;	/* or NULL: fabric-wide */
	int port;		/* or -1 */
	char *section;		/* "cable", "temperature", ... */
	char *key;
	char *value;		/* foreign text, blanks trimmed */
	source_ref source;
};

/* A cable that somebody planned; names as written there. */
struct planned_link {
	char *node_a;
	char *port_a;
	char *node_b;
	char *port_b;
	char *detail;		/* speed, length, what the file adds; or NULL */
	source_ref source;
};

struct fabric {
	struct device **devices;
	size_t device_count;
	struct source *sources;
	size_t source_count;
	struct hole *holes;
	size_t hole_count;
	struct odd_line *odd_lines;
	size_t odd_line_count;
	struct contradiction *contradictions;
	size_t contradiction_count;
	struct guid_conflict *guid_conflicts;
	size_t guid_conflict_count;
	struct sm *sms;
	size_t sm_count;
	struct host_gid *host_gids;
	size_t host_gid_count;
	struct host_port *host_ports;
	size_t host_port_count;
	struct fact *facts;
	size_t fact_count;
	struct planned_link *planned_links;
	size_t planned_link_count;
	struct config *config;	/* never NULL; empty when no configuration file was given */
	int64_t taken_at;	/* UTC seconds: the sweep began, or the newest time in the files */
	bool live;		/* collected, not imported */
	bool partial;		/* something asked for is missing; the holes say what */
	uint32_t asked;		/* bit per enum attribute: the sources could have told it */
	struct fabric_private *private;	/* for fabric.c only */
};

/* *ret_fabric belongs to the caller, who frees it. 0 or ERR_NOMEM. */
int fabric_new(struct fabric **ret_fabric, struct err *err);

/* NULL is fine. */
void fabric_free(struct fabric *fabric);

/*
 * A hash of a value out of a foreign file: seeded anew for each fabric, so that
 * nobody can choose values that all meet in one place of a table.
 */
uint64_t fabric_hash(const struct fabric *fabric, uint64_t value);

/* Zeroed memory that lives as long as the fabric. */
void *fabric_alloc(struct fabric *fabric, size_t count, size_t size);

/* A copy of length bytes and a NUL that lives as long as the fabric. */
char *fabric_text(struct fabric *fabric, const char *text, size_t length);

/* Appends a device with every fact unknown; equal GUIDs are chained, never merged. */
struct device *fabric_device_add(struct fabric *fabric, uint64_t guid, enum node_type type);

/*
 * Takes devices out again: drop[device->index] says which. What points to them
 * goes with them (facts, holes, contradictions, SMs) or loses its pointer
 * (peers, places of GUID conflicts). Indexes change; memory is not given back.
 */
void fabric_devices_drop(struct fabric *fabric, const bool *drop);

/* The part of it that belongs to fabric.c: the list and its index alone. */
void fabric_devices_compact(struct fabric *fabric, const bool *drop);

/* Finds the devices by their GUIDs of now, once these were changed in place. */
void fabric_devices_index(struct fabric *fabric);

/* First device with this node GUID (then ->same_guid), or NULL. */
struct device *fabric_device_find(const struct fabric *fabric, uint64_t guid);

/* Port `num` of the device; made with every fact unknown if it is not there. */
struct port *fabric_port(struct fabric *fabric, struct device *device, uint8_t num);

/* Port `num` if something is known of it, else NULL. */
struct port *device_port(const struct device *device, unsigned num);

/* Makes a and b each other's peer. What they had before is the caller's to look at first. */
void fabric_link(struct port *a, struct port *b);

/* True when both ends told the link, each for itself. */
bool port_peer_is_told_twice(const struct port *port);

/*
 * Room for LIDs 0..lids-1 (rounded up to 64); what was there stays. False: no memory.
 * Entries are written with lft_set_block or, one at a time, lft_set.
 */
bool device_lft_reserve(struct fabric *fabric, struct device *device, size_t lids);

/* Writes 64 entries and marks the block as read. The block must be reserved. */
void lft_set_block(struct device *device, unsigned block, const uint8_t entries[64]);

/* True when the entry of this LID was read. */
bool lft_known(const struct device *device, unsigned lid);

/*
 * Lists grow by these; each returns the new zeroed element, or NULL. Its
 * strings must come from fabric_text.
 */
struct source *fabric_source_add(struct fabric *fabric, enum source_kind kind, const char *name,
				 const char *format);
struct hole *fabric_hole_add(struct fabric *fabric);
struct odd_line *fabric_odd_line_add(struct fabric *fabric);
struct contradiction *fabric_contradiction_add(struct fabric *fabric);
struct guid_conflict *fabric_guid_conflict_add(struct fabric *fabric);
struct sm *fabric_sm_add(struct fabric *fabric);
struct host_gid *fabric_host_gid_add(struct fabric *fabric);
struct host_port *fabric_host_port_add(struct fabric *fabric);
struct fact *fabric_fact_add(struct fabric *fabric);
struct planned_link *fabric_planned_link_add(struct fabric *fabric);

/* The ref of the newest source; 0 when there is none. */
source_ref fabric_source_newest(const struct fabric *fabric);

/* --- Questions that every room asks. --- */

/* The port that holds LID, LMC and GidPrefix for this one: port 0 of a switch, else itself. */
struct port *port_lid_owner(const struct port *port);

/* True for the ports that own LIDs: CA and router ports, switch port 0. */
bool port_is_end_port(const struct port *port);

/* True for port 0 of a switch whose port 0 is base, or not known to be enhanced. */
bool port_is_base_port0(const struct port *port);

/* PortState is Init, Armed, Active or ActiveDefer (a base port 0 is never up). */
bool port_is_up(const struct port *port);

/* PortState is Active or ActiveDefer. */
bool port_is_active(const struct port *port);

/* A CapabilityMask bit (0..31) of this port, a switch's from port 0: 1, 0, or -1 unknown. */
int port_capability(const struct port *port, unsigned bit);
#define CAPABILITY_IS_SM 1
#define CAPABILITY_SL_MAPPING 6
#define CAPABILITY_SM_DISABLED 10
#define CAPABILITY_EXTENDED_SPEEDS 14
#define CAPABILITY_MASK2 15

/* The SL2VL map from in-port `in`; NULL: not read for this pair. */
const struct sl2vl *port_sl2vl(const struct port *port, unsigned in);

/*
 * "leaf-p03-07 (0x0c42a10300d00010)": alias, else description, else the GUID
 * alone. Escaped, safe to print. Returns out.
 */
#define DEVICE_LABEL_SIZE (TEXT_DESCRIPTION_SIZE + 32)
const char *device_label(const struct device *device, char *out, size_t size);

/*
 * True when somebody gave the device a name: an alias, or a description other
 * than what firmware or driver say by themselves ("MT4129 ConnectX7   Mellanox
 * Technologies", "localhost mlx5_0"), which many devices of a fabric share.
 */
bool device_is_named(const struct device *device);

/* The same of a description alone, which may be NULL. */
bool description_is_given(const char *name);

/*
 * Looks which devices bear a name (alias, else description) that another one has
 * too, so that labels tell them apart. For a fabric that is complete. 0 or ERR_NOMEM.
 */
int fabric_mark_shared_names(struct fabric *fabric, struct err *err);

/*
 * "leaf-p03-07 port 19"; with `guid`, or where the name is nobody's or not this
 * device's alone, the GUID is added. Returns out.
 */
const char *port_label(const struct port *port, bool guid, char *out, size_t size);

#endif
