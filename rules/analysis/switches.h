/*
 * The switches by number, and which of them have hosts.
 */
#ifndef RULES_ANALYSIS_SWITCHES_H
#define RULES_ANALYSIS_SWITCHES_H

#include "rules/analysis/analysis.h"

#define SWITCH_NONE UINT32_MAX

struct switches {
	struct device **list;
	size_t count;
	uint32_t *number;	/* by device->index; SWITCH_NONE: not a switch */
	bool *has_hosts;	/* by switch number */
	size_t with_hosts;	/* switches that have hosts */
	size_t with_lft;	/* switches of which some LFT block was read */
};

/* *ret_switches belongs to the analysis. 0 or ERR_NOMEM. */
int analysis_switches(struct analysis *analysis, const struct switches **ret_switches,
		      struct err *err);

/*
 * True for a CA that is a part of the switch it hangs on (an aggregation node):
 * it carries the switch's system image GUID. It sends no traffic of a host's.
 */
bool device_is_part_of_switch(const struct device *device);

/*
 * True when files list every device and all of its cables, so that a port without
 * one has none: links are told, every device has a record of its own, nothing is
 * known to be missing and every line was understood. A live scan needs no such
 * guess: there the state of a port tells.
 */
bool topology_is_whole(const struct fabric *fabric);

/* True when two switches, or one and itself, are joined by more than one path. */
bool switches_have_spare_path(const struct switches *switches, bool *ret_no_memory);

#endif
