/*
 * What the SM's host says: opensm.conf, qos-policy.conf, partitions.conf and
 * opensm.log, as this OpenSM would hold them (reference: opensm 3.3.23,
 * osm_subnet.c, osm_qos_parser_y.y, osm_qos_policy.c, osm_prtn_config.c,
 * osm_qos.c). The importer does the reading, quirks included; here are values.
 *
 * Everything belongs to the fabric; strings come from fabric_text.
 * Secrets (m_key, sm_key, sa_key, cc_key, ...) never come here: the option's
 * raw and effective text is "(hidden)".
 */
#ifndef STORE_CONFIG_H
#define STORE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/fabric.h"

/* One key of opensm.conf: as written and as held. Keys not written have line 0. */
struct config_option {
	char *key;
	char *raw;		/* the value as written, NULL: not written */
	char *effective;	/* canonical text of the value in force, NULL: unset */
	int64_t line;		/* of the line that won; 0: a default */
	source_ref source;
};

/* Which ports a set of qos_* options is for. */
enum qos_class {
	QOS_CLASS_DEFAULT,	/* qos_*: what the others inherit */
	QOS_CLASS_CA,		/* qos_ca_* */
	QOS_CLASS_SW0,		/* qos_sw0_*: enhanced port 0 */
	QOS_CLASS_SWE,		/* qos_swe_*: external switch ports */
	QOS_CLASS_RTR,		/* qos_rtr_* */
	QOS_CLASS_COUNT
};

/* "qos_", "qos_ca_", ... */
const char *qos_class_prefix(enum qos_class class);

/* The class whose options OpenSM programs into this port. */
enum qos_class qos_class_of_port(const struct port *port);

/* Effective values after inheritance and OpenSM's corrections. */
struct qos_options {
	int64_t max_vls;	/* limits nothing */
	int64_t high_limit;	/* 0..255 */
	struct vlarb_entry vlarb_high[64];
	size_t vlarb_high_count;
	struct vlarb_entry vlarb_low[64];
	size_t vlarb_low_count;
	uint8_t sl2vl[16];	/* not masked by OperVLs: that depends on the port */
	/* The class whose key gave the value: own, QOS_CLASS_DEFAULT, or -1 built in. */
	int high_limit_from, vlarb_high_from, vlarb_low_from, sl2vl_from;
};

/* Values in force, typed; built from the options by config_build. */
struct opensm_options {
	bool qos;
	int64_t lmc;			/* 0..7 */
	bool lmc_esp0;
	int64_t max_op_vls;		/* the code as held: 1..5 limit, 0 and 6.. do not */
	char *routing_engine;		/* list as written, NULL: none given (minhop) */
	uint64_t subnet_prefix;
	int64_t sm_priority;
	bool reassign_lids;
	bool honor_guid2lid_file;
	bool no_partition_enforcement;
	bool use_optimized_slvl;
	int64_t sweep_interval;		/* seconds */
	struct qos_options set[QOS_CLASS_COUNT];
};

/*
 * A qos-policy.conf as a tree of its own words: sections ("qos-setup",
 * "qos-level", ...) have children, "keyword: value" lines and ULP rules are
 * leaves. Keywords are as written.
 */
struct policy_node {
	char *keyword;			/* section name, keyword, or the ULP words ("ipoib, pkey 0x10") */
	char *value;			/* NULL for a section */
	int64_t line;
	struct policy_node *first_child;
	struct policy_node *next;
};

/* The first child with this keyword (exact), or after `after` if not NULL; NULL: no more. */
const struct policy_node *policy_child(const struct policy_node *parent, const char *keyword,
				       const struct policy_node *after);

/*
 * The next name of a value that lists some ("A, \"B c\""), as OpenSM holds it:
 * blanks outside quotes and the quotes themselves are gone. OpenSM compares names
 * without case. *at begins as the value and moves on; a longer name is cut at
 * size - 1. False: no more.
 */
bool policy_name_next(const char **at, char *out, size_t size);

/*
 * The next number or range of a value that lists some ("5, 0x10-0x1F"), the
 * smaller number first. False: no more, or no such list.
 */
bool policy_range_next(const char **at, uint64_t *ret_first, uint64_t *ret_last);

struct qos_policy {
	bool present;
	source_ref source;
	struct policy_node *root;	/* never NULL when present; its children are the top sections */
	/*
	 * OpenSM would drop the whole file (syntax, no DEFAULT level, dangling
	 * names); why is in the problems. Not set when that depends on a file not at hand.
	 */
	bool dropped;
};

enum partition_member_kind {
	MEMBER_GUID,
	MEMBER_ALL,
	MEMBER_ALL_CAS,
	MEMBER_ALL_SWITCHES,
	MEMBER_ALL_ROUTERS,
	MEMBER_SELF,
};

enum membership {
	MEMBERSHIP_LIMITED = 0,
	MEMBERSHIP_FULL = 1,
	MEMBERSHIP_BOTH = 2,
};

struct partition_member {
	enum partition_member_kind kind;
	uint64_t guid;			/* port GUID with MEMBER_GUID */
	enum membership membership;
	int64_t line;			/* 0: implied by OpenSM */
};

/* One partition as OpenSM would build it: rules with the same 15-bit key merged. */
struct partition {
	char *name;
	uint16_t pkey;			/* 15 bits */
	bool ipoib;
	int64_t mtu_code;		/* as asked; FIELD_UNKNOWN: not given */
	int64_t rate_code;
	int64_t sl;			/* as asked; FIELD_UNKNOWN: not given (0) */
	struct partition_member *members;
	size_t member_count;
	int64_t line;			/* 0: implied (Default) */
	source_ref source;
};

/* What a log line tells that a rule can rest on. Equal events are folded. */
enum log_event_kind {
	LOG_SM_STATE,			/* text: state entered */
	LOG_SUBNET_UP,
	LOG_FTREE_LMC,			/* "LMC > 0 is not supported by fat-tree routing." */
	LOG_ENGINE_FAILED,		/* text: engine whose tables could not be built */
	LOG_ENGINE_CONFIGURED,		/* text: engine of "X tables configured on all switches" */
	LOG_NO_ENGINE,			/* no routing engine able to configure the switches */
	LOG_DUPLICATE_NODE_GUID,	/* ERR 0D01: guid/port; a and b are the remote ends */
	LOG_DUPLICATE_PORT_GUID,	/* ERR 0D15: guid */
	LOG_OPTION_REJECTED,		/* text: option, value */
	LOG_POLICY_REJECTED,		/* ERR AC..: text */
	LOG_SL_TO_VL15,			/* ERR 1F24: text */
	LOG_UNKNOWN_REMOTE,		/* ERR 3315: guid/port */
	LOG_OTHER_SM,			/* ERR 2F18 and kin: text */
	LOG_ERROR,			/* any other ERR: text */
	LOG_EVENT_KIND_COUNT
};

const char *log_event_kind_name(enum log_event_kind kind);

/*
 * Which run of its OpenSM an event is of. OpenSM goes on in the log of its run before, and
 * logrotate keeps the older file beside it: what an earlier run met may be mended since.
 */
enum log_run_state {
	LOG_RUN_LAST,			/* the last run told of, which goes on as far as the log tells */
	LOG_RUN_EXITED,			/* the last one, which ended ("Exiting SM"), and no other runs */
	LOG_RUN_EARLIER,		/* another run began later, or another SM runs */
	LOG_RUN_STATE_COUNT
};

const char *log_run_state_name(enum log_run_state state);

struct log_event {
	enum log_event_kind kind;
	char *error;			/* "0D01", or NULL */
	char *text;			/* or NULL */
	uint64_t guid, guid_a, guid_b;	/* 0: none */
	int port, port_a, port_b;	/* -1: none */
	char *first_time;		/* as the log writes it ("Nov 29 20:52:27"), or NULL */
	char *last_time;
	int64_t first_line, last_line;
	int64_t count;
	source_ref source;
	enum log_run_state run;
	char *run_until;		/* last time of a run that ended, as the log writes it; or NULL */
};

/* A run of OpenSM as far as one file tells it: what the state of its events comes from. Not stored. */
struct log_run {
	source_ref source;
	int64_t first_line, last_line;
	uint64_t port_guid;		/* the port it binds to, or 0 */
	bool started;			/* its start line is there; else it may have begun in an older file */
	bool exited;
	char first_time[16];		/* "": none */
	char last_time[16];
};

/* Something wrong with a configuration file: what OpenSM does with it, in a sentence. */
struct config_problem {
	char *id;			/* "lookalike-boolean", "unknown-key", "dangling-level", ... */
	char *key;			/* option, level, group or partition concerned; or NULL */
	char *text;			/* whole sentence */
	char *remedy;			/* or NULL */
	int severity;			/* enum severity (finding.h) */
	int64_t line;
	source_ref source;
};

struct config {
	struct fabric *fabric;
	source_ref opensm_conf;		/* 0: not at hand */
	source_ref partitions_conf;
	source_ref opensm_log;
	struct config_option *options;	/* in key order, every key OpenSM knows and every one written */
	size_t option_count;
	struct opensm_options opensm;	/* OpenSM's defaults when opensm_conf is 0 */
	struct qos_policy policy;
	struct partition *partitions;
	size_t partition_count;
	/* One log behind the other, what was written last behind; within a log by first_line. */
	struct log_event *events;
	size_t event_count;
	struct log_run *log_runs;	/* log by log, by line; while files are read only */
	size_t log_run_count;
	struct config_problem *problems;
	size_t problem_count;
};

/* An empty config of the fabric; NULL without memory. fabric_new calls it. */
struct config *config_new(struct fabric *fabric);

/*
 * Growth, as in fabric.h: the new zeroed element or NULL; a partition's mtu_code,
 * rate_code and sl begin FIELD_UNKNOWN, an event's ports -1. Elements move as a list grows.
 */
struct config_option *config_option_add(struct config *config);
struct partition *config_partition_add(struct config *config);
struct log_event *config_event_add(struct config *config);
struct log_run *config_log_run_add(struct config *config);
struct config_problem *config_problem_add(struct config *config);

/* The option of that key (exact), or NULL. */
const struct config_option *config_option_find(const struct config *config, const char *key);

/*
 * Fills config->opensm from the options' effective text: numbers decimal or
 * 0x, booleans TRUE/FALSE, sl2vl "0,1,...,7" with 16 numbers, vlarb "0:64,1:32".
 * Unset keys take OpenSM's defaults; the class sets inherit. 0 or ERR_NOMEM.
 */
int config_build(struct config *config, struct err *err);

/*
 * VLs that max_op_vls lets operate on a link whose ends have these VLCap counts:
 * the least of what is known (osm_port.c). FIELD_UNKNOWN: a VLCap not known; as
 * the result, neither is known and max_op_vls does not limit (0 and 6 and more).
 */
int64_t config_oper_vls(const struct opensm_options *options, int64_t vl_cap_a, int64_t vl_cap_b);

/*
 * OpenSM's mask: VL & (oper_vls - 1), 15 kept; oper_vls 15 and what is not 1, 2,
 * 4 or 8 masks nothing (osm_qos.c).
 */
uint8_t config_mask_vl(uint8_t vl, int64_t oper_vls);

#endif
