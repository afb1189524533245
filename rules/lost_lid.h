/*
 * The rule lost-lid: ports without a LID (lost_lid.c), LIDs that the tables do
 * not lead to (lost_lid_routes.c finds them, lost_lid_tell.c tells them), those
 * that a port claims by an unusual LMC (lost_lid_lmc.c), and routes to LIDs that
 * nobody owns (lost_lid_stale.c).
 */
#ifndef RULES_LOST_LID_H
#define RULES_LOST_LID_H

#include "rules/analysis/routes.h"
#include "rules/places.h"
#include "rules/rule.h"

/* The way to a LID breaks at this switch. */
struct place {
	uint32_t at;
	uint8_t end;		/* enum route_end */
	uint8_t entry;
};

/* A LID that is lost somewhere, with its places in loss->places. */
struct lost {
	unsigned lid;
	const struct port *owner;
	uint64_t signature;	/* of the places and their causes */
	size_t place;
	size_t count;
	uint32_t cut_off;	/* switches with hosts that do not reach it */
};

/* What was counted for one switch. */
struct toll {
	size_t lost;
	size_t by_end[ROUTE_END_COUNT];
	bool whole;		/* told as a whole */
	struct number_list lids;
};

/* LIDs that one switch sends to one port that is Down or has no cable. */
struct down_port {
	enum route_end end;	/* ROUTE_DOWN_PORT, ROUTE_NO_CABLE */
	struct number_list lids;
};

/* A port whose LMC is above the usual one, and the LIDs of that range that are lost everywhere. */
struct claim {
	const struct port *port;
	struct number_list lids;
};

struct loss {
	const struct rule_input *in;
	const struct switches *switches;
	const struct lid_owners *owners;
	struct toll *tolls;		/* by switch number */
	struct down_port **down;	/* by switch number * 256 + port; NULL: none */
	uint32_t *needed_by;		/* by switch number: LID whose hosts' way breaks here */
	bool listing;			/* the second walk */
	size_t needed_everywhere;	/* LIDs of CAs and routers */
	size_t needed_by_hosts;		/* LIDs of switches */
	size_t undecided;
	size_t lost;			/* pairs of switch and LID */
	struct lost *lids;
	size_t lid_count;
	size_t lid_room;
	struct place *places;
	size_t place_count;
	size_t place_room;
	int64_t usual_lmc;		/* of more than half of the ports; FIELD_UNKNOWN: none is */
	struct claim *claims;
	size_t claim_count;
	size_t claim_room;
};

/* LIDs that this switch should forward. */
size_t loss_switch_duty(const struct loss *loss, size_t number);

/* Findings for all that the loss lists. whole: switches told as a whole. 0 or ERR_NOMEM. */
int lost_lid_tell_routes(struct loss *loss, struct rule_output *out, size_t whole,
			 struct err *err);

/* --- lost_lid_lmc.c --- */

int64_t lost_lid_usual_lmc(const struct fabric *fabric);

/* True when the owner claims the LID by an LMC above the usual one alone. */
bool lost_lid_is_beyond(const struct loss *loss, unsigned lid, const struct port *owner);

/* Such a LID is lost everywhere. 0 or ERR_NOMEM. */
int lost_lid_add_beyond(struct loss *loss, unsigned lid, const struct port *owner, struct err *err);

/* A warning for each port with such LIDs. 0 or ERR_NOMEM. */
int lost_lid_tell_beyond(struct loss *loss, struct rule_output *out, struct err *err);

/* At most one finding, at info: LIDs that nobody owns and some table still forwards. */
int lost_lid_tell_stale(const struct loss *loss, struct rule_output *out, struct err *err);

/* Finds LIDs that cannot be reached, and stale routes. 0 or ERR_NOMEM. */
int lost_lid_check_routes(const struct rule_input *in, struct rule_output *out, struct err *err);

#endif
