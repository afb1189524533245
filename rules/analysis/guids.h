/*
 * GUIDs with two owners, by all that can prove it: rows with one node GUID,
 * what the collector met, one port seen behind two others, one port GUID on two
 * devices, OpenSM's log.
 */
#ifndef RULES_ANALYSIS_GUIDS_H
#define RULES_ANALYSIS_GUIDS_H

#include "rules/analysis/analysis.h"
#include "store/config.h"

struct guid_clash {
	uint64_t guid;
	bool is_port_guid;
	struct device *device;		/* the first row that has it, or NULL: seen in a log only */
	struct device *other;		/* a second row, or NULL */
	const struct port *const *owners;	/* of a port GUID on unlike devices: one port of each */
	size_t owner_count;
	const struct guid_conflict *conflict;	/* or NULL */
	struct port *place_a;		/* two ports that both see one port behind them, or NULL */
	struct port *place_b;
	const struct log_event *event;	/* of those to be judged the one with the most lines, or NULL */
};

struct guid_clashes {
	struct guid_clash *list;	/* one for each GUID and kind, by GUID */
	size_t count;
	size_t room;
	const struct port **ports;	/* what clash->owners points into */
};

/*
 * GUIDs of 0 and all ones are left out: they are nobody's. *ret_clashes belongs
 * to the analysis. 0 or ERR_NOMEM.
 */
int analysis_guids(struct analysis *analysis, const struct guid_clashes **ret_clashes,
		   struct err *err);

/* True when the clash is proved by this snapshot itself and not by a log alone. */
bool guid_clash_is_seen(const struct guid_clash *clash);

#endif
