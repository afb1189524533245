/*
 * The qos-setup section of qos-policy.conf as tables and the ports they are
 * meant for.
 *
 * OpenSM documents no more than the grammar (it never applies the section), so
 * the words are taken as they read: `group` names ports that get the table;
 * `across` names ports whose neighbours get it; for SL2VL `from` and `to` are
 * port numbers on a switch, in and out, and `across-from` and `across-to` name
 * ports whose neighbours are the in and the out port. A scope that names no
 * ports is meant for all. Of several scopes for one table the last one counts.
 */
#ifndef RULES_QOS_SETUP_H
#define RULES_QOS_SETUP_H

#include "rules/analysis/policy_groups.h"

enum qos_table {
	QOS_TABLE_SL2VL,
	QOS_TABLE_HIGH,
	QOS_TABLE_LOW,
	QOS_TABLE_LIMIT,
	QOS_TABLE_COUNT
};

/* "sl2vl", "vlarb_high", "vlarb_low", "high_limit": as in qos_* options. */
const char *qos_table_option(enum qos_table table);

struct qos_scope {
	const struct policy_node *node;
	bool has[QOS_TABLE_COUNT];
	uint8_t sl2vl[SL_COUNT];
	struct vlarb_entry high[64], low[64];
	size_t high_count, low_count;
	int64_t limit;
	int *group, *across, *across_from, *across_to;	/* group indices ended by -2; -1: not defined */
	bool any_in, any_out;			/* no `from`, no `to`, or '*' */
	struct policy_ranges from, to;
};

#define QOS_SCOPES_MAX 256

struct qos_setup {
	struct policy_groups *groups;
	struct qos_scope *scopes;	/* those that hold a table, in the order of the file */
	size_t count;
	size_t left_out;		/* scopes beyond QOS_SCOPES_MAX */
	bool undefined_group;		/* a scope names a group that the file does not define */
};

/* *ret_setup is filled and must be given to qos_setup_free, on failure too. 0 or ERR_NOMEM. */
int qos_setup_read(const struct fabric *fabric, struct qos_setup *ret_setup, struct err *err);

void qos_setup_free(struct qos_setup *setup);

/* True when the scope gives out port `port` a table for packets from in-port `in` (VLArb: any `in`). */
bool qos_scope_has(const struct qos_setup *setup, const struct qos_scope *scope,
		   enum qos_table table, const struct port *port, unsigned in);

/* The scope that counts for this table of this port, or NULL. */
const struct qos_scope *qos_setup_for(const struct qos_setup *setup, enum qos_table table,
				      const struct port *port, unsigned in);

/* Bit per qos_class the scope can be for, as far as the file alone tells: 0, not told. */
unsigned qos_scope_classes(const struct qos_setup *setup, const struct qos_scope *scope);

#endif
