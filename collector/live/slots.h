/*
 * The questions that are pending, each in one slot, and the place each is at. A
 * place is a ring in order of arrival; all moves take the same time, whatever is
 * pending.
 */
#ifndef COLLECTOR_LIVE_SLOTS_H
#define COLLECTOR_LIVE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "collector/live/engine.h"

#define SLOTS 4096u		/* questions pending, answered or not; a power of two */
#define SLOT_BITS 12
#define UMAD_ROOM 64u		/* a umad header is 56 or 64 bytes */

enum place {
	PLACE_FREE,
	PLACE_YOUNG,		/* counts against the window; ordered by time of sending */
	PLACE_OVERDUE,		/* waits for its full timeout, no longer counted */
	PLACE_AGAIN,		/* to be repeated as soon as there is room */
	PLACES
};

/* Each ring goes through a head that is no slot: index SLOTS + place. */
struct link {
	uint16_t next, prev;
};

struct slot {
	uint32_t tid;
	uint8_t place;
	uint8_t attempt;	/* 1 with the first sending */
	struct link link;
	uint16_t flight;	/* others in flight when it was sent */
	int64_t sent;		/* nanoseconds, as all times here */
	int64_t first_sent;
	struct mad_request request;
	_Alignas(8) uint8_t umad[UMAD_ROOM + IB_MAD_SIZE];
};

struct slots {
	struct slot *slot;		/* SLOTS of them; malloc'd */
	struct link heads[PLACES];
	size_t count[PLACES];
};

/* All free. 0 or ERR_NOMEM; to be given to slots_free. */
int slots_new(struct slots *slots, struct err *err);

/* All zero is fine. */
void slots_free(struct slots *slots);

/* The slot that came to the place before all others there, or SLOTS and above when it is empty. */
static inline uint16_t slots_first(const struct slots *slots, enum place place)
{
	return slots->heads[place].next;
}

/* To the end of another place; the free slot used last is the next to be used. */
void slots_move(struct slots *slots, uint16_t index, enum place place);

#endif
