/*
 * What changed between two snapshots of one fabric, by GUID. LIDs are values
 * here, never keys. A fact that one side's sources cannot hold is "not in
 * source", not a change; what lay behind a hole is "not reached", not removed.
 */
#ifndef STORE_DIFF_H
#define STORE_DIFF_H

#include <stddef.h>
#include <stdint.h>

#include "store/fabric.h"
#include "store/finding.h"

/* What to compare; a set of bits. */
enum diff_key {
	DIFF_NODE = 1 << 0,	/* devices added, removed, changed (type, ports, firmware) */
	DIFF_LINK = 1 << 1,	/* links added, removed, moved */
	DIFF_PORT = 1 << 2,	/* width, speed, MTU, VLs, limits */
	DIFF_STATE = 1 << 3,	/* port state */
	DIFF_LID = 1 << 4,	/* LID, LMC */
	DIFF_NODEDESC = 1 << 5,	/* descriptions */
	DIFF_FINDING = 1 << 6,	/* new, still, gone */
	DIFF_ALL = (1 << 7) - 1,
};

/* "node,link,lid": False at an unknown word; *ret_bad then points at it in `text`. */
bool diff_keys_parse(const char *text, unsigned *ret_keys, const char **ret_bad);

enum diff_kind {
	DIFF_DEVICE_ADDED,
	DIFF_DEVICE_REMOVED,
	DIFF_DEVICE_NOT_REACHED,	/* gone from view behind a hole of the newer snapshot */
	DIFF_LINK_ADDED,
	DIFF_LINK_REMOVED,
	DIFF_LINK_MOVED,		/* one end stays, the other is elsewhere */
	DIFF_PORT_STATE,
	DIFF_PORT_FIELD,
	DIFF_LID_CHANGED,
	DIFF_DESCRIPTION,
	DIFF_DEVICE_FIELD,		/* type, NumPorts, firmware, ... of a device; port is -1 */
	DIFF_KIND_COUNT
};

const char *diff_kind_name(enum diff_kind kind);

struct change {
	enum diff_kind kind;
	uint64_t node_guid;
	int port;		/* -1: the device */
	char *subject;		/* escaped label */
	char *field;		/* member name ("link_speed_active", "sl2vl"), or NULL */
	char *before;		/* escaped, NULL: nothing there. Of a link: its other end */
	char *after;
};

struct diff {
	struct change *changes;	/* by kind, then subject */
	size_t change_count;
	size_t lid_owners;	/* end ports with a LID on both sides */
	size_t lids_changed;
	/*
	 * The SM gave (nearly) everybody another LID: one line with a list. Set when
	 * more than half of lid_owners and at least 3 changed.
	 */
	bool lids_reassigned;
	char **notes;		/* what could not be compared, in sentences */
	size_t note_count;
	const struct audit *audit;	/* of the newer one, with status set; borrowed, or NULL */
};

/*
 * audit: the newer snapshot's findings after audit_compare, borrowed; or NULL.
 * *ret_diff belongs to the caller. 0 or ERR_NOMEM.
 */
int diff_new(const struct fabric *old_fabric, const struct fabric *new_fabric,
	     const struct audit *audit, unsigned keys, struct diff **ret_diff, struct err *err);

void diff_free(struct diff *diff);	/* NULL is fine */

/* True when a change or a new or gone finding is there: exit status 1. Still-open findings alone are none. */
bool diff_is_different(const struct diff *diff);

#endif
