/*
 * A live fabric -> struct fabric, through libibumad. Only Get (and the SA's
 * GetTable) ever leaves the program.
 */
#ifndef COLLECTOR_LIVE_LIVE_H
#define COLLECTOR_LIVE_LIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "store/err.h"
#include "store/fabric.h"

/* Groups that --only and --skip name; a set of bits. */
enum live_group {
	LIVE_TOPOLOGY = 1 << 0,	/* NodeInfo, NodeDescription, SwitchInfo, PortInfo, links: with all but HOST alone */
	LIVE_PORTINFO = 1 << 1,	/* what PortInfo leaves out: ExtendedPortInfo */
	LIVE_LFT = 1 << 2,
	LIVE_MFT = 1 << 3,
	LIVE_SL2VL = 1 << 4,
	LIVE_VLARB = 1 << 5,
	LIVE_PKEYS = 1 << 6,
	LIVE_GUIDS = 1 << 7,
	LIVE_SM = 1 << 8,
	LIVE_COUNTERS = 1 << 9,
	LIVE_HOST = 1 << 10,
	LIVE_DEFAULT = (1 << 11) - 1,
	LIVE_VL_COUNTERS = 1 << 11,	/* per VL and SL; on request only */
};

/* "lft,sl2vl" -> bits. False at an unknown word; *ret_bad points at it. */
bool live_groups_parse(const char *text, unsigned *ret_groups, const char **ret_bad);

struct live_options {
	const char *ca;		/* NULL: the first with an active port */
	int port;		/* 0: the first active one */
	unsigned timeout_ms;	/* per attempt; 0: the default */
	unsigned retries;	/* after the first attempt */
	unsigned window;	/* most MADs in flight; 0: the default */
	unsigned per_device;	/* most in flight to one device; 0: the default */
	unsigned groups;	/* enum live_group bits; 0: LIVE_DEFAULT; LIVE_HOST alone sends nothing */
	uint64_t m_key;		/* 0: none. Never stored, printed or traced */
	const char *m_key_file;	/* guid2mkey, or NULL */
	const char *node_name_map;	/* or NULL */
	const char *sysfs;	/* root of the sysfs tree, NULL: /sys */
	FILE *trace;		/* each MAD in words, or NULL */
	FILE *progress;		/* a line that is rewritten, or NULL: quiet */
	bool (*stop)(void *context);	/* asked between two rounds: true ends the run; or NULL */
	void (*opened)(void *context);	/* called when the port is open, or none is needed; or NULL */
	void *stop_context;		/* of both */
	int64_t now;		/* UTC seconds: taken_at of the snapshot */
};

/* What the MADs of a run are for. Many go on at once: while one device is found another is read. */
enum live_step {
	LIVE_STEP_DISCOVERY,	/* NodeInfo, NodeDescription, SwitchInfo */
	LIVE_STEP_IDENTITY,	/* a GUID behind another port: the same device, or a twin? */
	LIVE_STEP_PORT_INFO,
	LIVE_STEP_EXTENDED_PORT_INFO,
	LIVE_STEP_LFT,
	LIVE_STEP_MFT,
	LIVE_STEP_SL2VL,
	LIVE_STEP_VLARB,
	LIVE_STEP_PKEYS,
	LIVE_STEP_GUIDS,
	LIVE_STEP_SM,
	LIVE_STEP_COUNTERS,	/* with ClassPortInfo and the details of errors */
	LIVE_STEP_VL_COUNTERS,
	LIVE_STEP_AGAIN,	/* what was given up, asked once more; is the device alive; by another way */
	LIVE_STEP_COUNT
};

/* "discovery", "PortInfo", ... */
const char *live_step_name(enum live_step step);

/* What a run cost, for -v and the bench. */
struct live_stats {
	uint64_t sent, answered, retried, timed_out, late, duplicated, foreign, bad_status;
	unsigned window_peak, window_end;
	double seconds;
	struct {
		uint64_t sent;		/* MADs, with those that were tried again */
		double from, to;	/* first question, last answer: seconds since the run began */
	} steps[LIVE_STEP_COUNT];
};

/*
 * Fills an empty fabric and adds a SOURCE_LIVE. Holes are in the fabric; a
 * partial scan is a success. ERR_DEVICE (no HCA, no permission, port down),
 * ERR_FABRIC (nothing answers), ERR_STOPPED, ERR_USAGE, ERR_NOMEM. ret_stats may be NULL.
 */
int live_collect(const struct live_options *options, struct fabric *fabric,
		 struct live_stats *ret_stats, struct err *err);

#endif
