/*
 * One case of identity.c, shared by its files: identity.c holds the cases and what
 * becomes of them, identity_ask.c sends, identity_decide.c compares two places that
 * answer to one GUID, identity_settle.c looks at switches whose GUID changes.
 */
#ifndef COLLECTOR_LIVE_IDENTITY_H
#define COLLECTOR_LIVE_IDENTITY_H

#include "collector/live/collect.h"

#define LOOKS 3			/* times a place may change before it is given up */
#define ROUNDS 3		/* times a case is gone through when answers are lost */

enum step {
	STEP_SETTLE,		/* NodeInfo of a switch whose GUID is new, once more */
	STEP_LOCAL,		/* the local port, asked through the fabric */
	STEP_LOCAL_AGAIN,
	STEP_HOME_TO_ROW,	/* the way home along a row whose GUID changes */
	STEP_HOME,		/* from the new place along the known route backwards */
	STEP_NEW_PLACE,		/* NodeInfo at the new place, again */
	STEP_OLD_PLACE,		/* NodeInfo at the known place, again */
	STEP_OLD_LINK,		/* PortInfo of the port that leads there, if that is silent */
	STEP_NEW_NAME,		/* NodeDescription at the new place */
	STEP_OLD_NAME,		/* and at the known one */
	STEP_OLD_NAME_AGAIN,
	STEP_NEW_NAME_AGAIN,
	STEP_NEW_BEFORE,	/* NodeInfo of the device before the new place */
	STEP_OLD_BEFORE,	/* and before the known one */
	STEP_OLD_BACK,		/* NodeInfo of what is met when the known place ... */
	STEP_NEW_BACK,		/* ... and the new one are left by the same port */
	STEP_NEW_BACK_AGAIN,
	STEP_OLD_BACK_AGAIN,
	STEP_PORT,		/* PortInfo of the port behind which one side met nothing */
	STEP_PORT_AGAIN,
};

/* What a place answered. */
struct reading {
	bool answered;
	uint8_t entry;		/* the port it was entered by */
	uint64_t guid;
};

struct identity {
	struct identity *before, *after;	/* among all cases */
	struct identity *next;			/* among those whose question waits */
	struct node_seen seen;
	struct target *from;
	uint8_t from_port;
	unsigned looks;
	uint64_t also;		/* STEP_HOME_TO_ROW: the GUID of the second answer */
	size_t row;		/* the next row to be compared */
	bool unheard;		/* one of them was silent */
	uint8_t rounds;
	uint8_t back;		/* STEP_..._BACK: 0 behind the port seen, else so many hops homeward */
	bool lost;		/* an answer that was wanted did not come */
	uint16_t status;	/* or was refused so */
	bool too_far;		/* a way that was wanted is too long */
	bool port_of_new;	/* STEP_PORT: at the new place, else at the known one */
	struct device *candidate;
	struct device *open;	/* the first row that could not be told from it */
	struct mad_route known;	/* to the candidate, when the case began: the target's may change */
	enum step step;
	const char *unlike;	/* why the first row of the GUID is another device */
	struct reading of_old, of_new;
	bool names_read[2];
	char names[2][IB_SMP_DATA_SIZE];	/* at the new place, at the known one */
};

/* --- identity.c; each of them ends the case or queues its next question. --- */

struct port *identity_place(struct collect *collect, const struct identity *identity);

/* The target whose route leads to the candidate: through the port seen, if it is known. */
struct target *identity_known(const struct collect *collect, const struct identity *identity);

/* What a device is for life is the same. */
bool identity_could_be(const struct node_seen *seen, const struct device *device);

/* A new case, not queued yet; NULL without memory. */
struct identity *identity_new(struct collect *collect, const struct node_seen *seen,
			      struct target *from, uint8_t from_port, unsigned looks);

void identity_close(struct collect *collect, struct identity *identity);

int identity_go(struct collect *collect, struct identity *identity, enum step step);

/* It is the candidate. */
int identity_same(struct collect *collect, struct identity *identity, struct err *err);

/* The candidate is another device: by answers that contradict each other. */
int identity_other(struct collect *collect, struct identity *identity, const char *unlike,
		   struct err *err);

/* Nothing was proved: once more if answers were lost, else the row stays a possible one. */
int identity_undecided(struct collect *collect, struct identity *identity, struct err *err);

/* A hole behind the new place. */
int identity_hole(struct collect *collect, const struct identity *identity,
		  enum hole_reason reason, const char *text, struct err *err);

/* --- identity_ask.c --- */

/* Where the current question goes. False: too far. *ret_port: the port that STEP_PORT asks for. */
bool identity_route(const struct identity *identity,
		    struct mad_route *ret_route, uint8_t *ret_port);

/* --- identity_decide.c --- */

int identity_decide(struct collect *collect, struct identity *identity,
		    const struct answer *answer, struct err *err);

/* The answer ends at the local port, on the way that was asked for. */
bool identity_is_home(struct collect *collect, const struct identity *identity,
		      const struct answer *answer);

/* The place answers as it did when it was met. */
bool identity_is_still(const struct identity *identity, const struct answer *answer);

/* --- identity_settle.c --- */

int identity_settle(struct collect *collect, struct identity *identity,
		    const struct answer *answer, struct err *err);

#endif
