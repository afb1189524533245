/*
 * Who owns which unicast LID, all 2^LMC of each port counted.
 *
 * A port owns its LID when it is an end port (CA, router, switch port 0), holds
 * a unicast LID, is not Down (of a Down port PortInfo defines nothing but the
 * states, IBA C14-24.2.1) and belongs to this subnet.
 */
#ifndef RULES_ANALYSIS_LIDS_H
#define RULES_ANALYSIS_LIDS_H

#include "rules/analysis/analysis.h"

#define LID_UNICAST_LAST 0xbfff
#define LID_COUNT (LID_UNICAST_LAST + 1)
#define LID_PERMISSIVE 0xffff

/* A further owner of a LID that has one already. */
struct lid_clash {
	unsigned lid;
	struct port *port;
};

struct lid_owners {
	struct port *first[LID_COUNT];	/* whose base LID it is, if anybody's; NULL: nobody's */
	struct lid_clash *clashes;	/* by LID, then in the order of the devices */
	size_t clash_count;
	unsigned last;			/* highest LID owned; 0: none */
	size_t end_ports;		/* end ports of this subnet that are not Down */
	size_t unknown;			/* of these: without a LID field read */
	size_t foreign;			/* CA ports left out: their neighbour is not in this subnet */
};

/* *ret_owners belongs to the analysis. 0 or ERR_NOMEM. */
int analysis_lids(struct analysis *analysis, const struct lid_owners **ret_owners,
		  struct err *err);

/* True when the port is one of the LID's owners. */
bool port_owns_lid(const struct port *port, unsigned lid);

/* 1..0xBFFF. */
bool lid_is_unicast(int64_t lid);

/* LIDs the port answers to: 2^LMC, 1 when LMC is unknown. */
unsigned port_lid_span(const struct port *port);

/*
 * An end port whose LID counts here: not Down, and not a CA port that lies in
 * another subnet (its neighbour is not seen while that of a sibling port is).
 */
bool port_owes_lid(const struct port *port);

/* The highest LMC of all owners. */
int64_t highest_lmc(const struct lid_owners *owners);

/* True for a CA port whose neighbour is not seen while a sibling port's is. */
bool port_is_foreign(const struct port *port);

#endif
