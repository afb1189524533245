/*
 * Where the linear forwarding tables lead: for each LID that a port owns, how
 * the way from each switch ends. Every (switch, LID) pair is looked at once:
 * the way to one LID is a graph with one edge out of each switch.
 */
#ifndef RULES_ANALYSIS_ROUTES_H
#define RULES_ANALYSIS_ROUTES_H

#include "rules/analysis/lids.h"
#include "rules/analysis/switches.h"

enum route_end {
	ROUTE_ARRIVES,
	ROUTE_UNDECIDED,	/* leads where the snapshot does not reach: LFT or neighbour not read */
	ROUTE_NO_ENTRY,		/* 255 */
	ROUTE_BEYOND_PORTS,	/* entry above NumPorts */
	ROUTE_DOWN_PORT,	/* entry names a port that is Down */
	ROUTE_NO_CABLE,		/* entry names a port without a cable, where all cables are known */
	ROUTE_ABOVE_TOP,	/* LID above LinearFDBTop */
	ROUTE_WRONG_DEVICE,	/* delivered to a port that does not own the LID */
	ROUTE_LOOP,
	ROUTE_END_COUNT
};

/* The ways to one LID. Arrays are by switch number and good during the call. */
struct route_column {
	unsigned lid;
	const struct port *owner;	/* the LID's first */
	const uint8_t *entry;		/* LFT entry, meaningful unless end is ROUTE_UNDECIDED there */
	const uint8_t *end;		/* enum route_end of the way from this switch */
	const uint32_t *at;		/* switch where that way ends; of a loop, its lowest number */
	size_t lost;			/* switches from where it does not arrive */
	size_t undecided;
};

/* 0, or a negative enum err_code that ends the walk. */
typedef int (*route_column_fn)(void *context, const struct route_column *column,
			       struct err *err);

/* Calls for each owned LID in rising order. 0, ERR_NOMEM or what `call` returned. */
int analysis_walk_routes(struct analysis *analysis, route_column_fn call, void *context,
			 struct err *err);

/* "no entry (255)", "a port that is Down", ...: what is wrong at the place where it ends. */
const char *route_end_name(enum route_end end);

#endif
