/*
 * What shows that a topology's lines are damaged: port lines that cannot belong to
 * the block they stand in, since its header is lost, and lines that were cut.
 */
#ifndef COLLECTOR_IMPORT_TOPOLOGY_DAMAGE_H
#define COLLECTOR_IMPORT_TOPOLOGY_DAMAGE_H

#include "collector/import/lid_claims.h"
#include "collector/import/scan.h"

struct topology_damage {
	uint8_t seen[32];	/* ports of the block that had a line, bit (port & 7) of byte (port >> 3) */
	size_t whole_lines;	/* port lines with a speed */
	int64_t open_line;	/* the first with a name that is not closed; 0: none */
	int64_t torn_line;	/* the first line without its last words; 0: none */
	struct bare_lid *bare;	/* LIDs that lines end with */
	size_t bare_count, bare_room;
};

/* A block begins. */
void topology_damage_block(struct topology_damage *damage);

/*
 * Whether a line, from behind "[num]" on, can be one of the block of this device: a
 * node has each port once and as many as its header says, and only the lines of CAs
 * and routers have a LID of their own.
 */
bool topology_damage_port(struct topology_damage *damage, const struct device *device,
			  struct scan line, unsigned num);

/* The line ends with the LID of the neighbour, a node's end port or some switch's port. 0 or ERR_NOMEM. */
int topology_damage_lid(struct topology_damage *damage, struct port *neighbor, int64_t lid,
			struct err *err);

/*
 * Old releases end a port's line with the neighbour's LID. Where other lines of the
 * file have a speed behind it, those without were cut, maybe in the number: that is
 * said, and they are not used. A name that is not closed is cut in any release.
 * 0 or ERR_NOMEM.
 */
int topology_damage_settle(struct topology_damage *damage, struct import *import,
			   struct lid_claims *lids, struct err *err);

void topology_damage_free(struct topology_damage *damage);

#endif
