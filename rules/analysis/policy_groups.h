/*
 * The port groups of qos-policy.conf, resolved against the fabric: by port GUID
 * and range, "description/Pn", P_Key, partition name and node type.
 * Source: opensm osm_qos_parser_y.y; names of groups compare without case.
 */
#ifndef RULES_ANALYSIS_POLICY_GROUPS_H
#define RULES_ANALYSIS_POLICY_GROUPS_H

#include "rules/analysis/qos_expect.h"
#include "store/config.h"

struct policy_groups;

/* *ret_groups belongs to the caller and keeps pointers to the fabric. 0 or ERR_NOMEM. */
int policy_groups_new(const struct fabric *fabric, struct policy_groups **ret_groups,
		      struct err *err);

void policy_groups_free(struct policy_groups *groups);	/* NULL is fine */

/* Index of the group of that name (length bytes, blanks at the ends left out), or -1. */
int policy_group_find(const struct policy_groups *groups, const char *name, size_t length);

/*
 * True when the port belongs to the group. A switch's GUID, and node type
 * SWITCH, stand for all of its ports.
 */
bool policy_group_has(const struct policy_groups *groups, int group, const struct port *port);

/*
 * Bit per qos_class that the group's node types name, or 0 when it names ports in
 * other ways too: all that can be said without a fabric.
 */
unsigned policy_group_classes(const struct policy_groups *groups, int group);

/* Ranges "1, 5-7, *" of a policy value, sorted and joined. */
struct policy_range {
	uint64_t first, last;
};

struct policy_ranges {
	struct policy_range *items;
	size_t count;
	size_t room;
};

/* Adds what `text` lists; words that are no numbers are passed over. 0 or ERR_NOMEM. */
int policy_ranges_add(struct policy_ranges *ranges, const char *text, struct err *err);

/* To be called after the last add. */
void policy_ranges_sort(struct policy_ranges *ranges);

bool policy_ranges_have(const struct policy_ranges *ranges, uint64_t value);

void policy_ranges_free(struct policy_ranges *ranges);

#endif
