/*
 * Records of the subnet administration while saquery's text of them is read:
 * gathered key by key, put into the fabric at the end of each.
 */
#ifndef COLLECTOR_IMPORT_SA_RECORDS_H
#define COLLECTOR_IMPORT_SA_RECORDS_H

#include "collector/import/lidmap.h"
#include "collector/import/mft_table.h"
#include "collector/import/record_ends.h"
#include "collector/import/smp_values.h"
#include "collector/import/trouble.h"

enum record {
	RECORD_NONE,
	RECORD_NODE,
	RECORD_PORT,
	RECORD_LINK,
	RECORD_SWITCH,
	RECORD_SM,
	RECORD_LFT,
	RECORD_SL2VL,
	RECORD_VLARB,
	RECORD_PKEY,
	RECORD_GUID,
	RECORD_MFT,
	RECORD_PATH, RECORD_MEMBER, RECORD_GROUP, RECORD_MEMBERSHIP, RECORD_SERVICE, RECORD_INFORM,
	RECORD_CLASS,		/* from RECORD_PATH on: recognised, nothing of it is kept */
	RECORD_OTHER,		/* of a kind that is not known */
	RECORD_COUNT
};

#define SA_MFT_BLOCKS 512	/* of 32 MLIDs; 16 ports at a position */

/* One switch's multicast table, gathered from record to record. */
struct sa_mft {
	struct device *device;		/* or NULL */
	int64_t lid;
	unsigned blocks;		/* the highest that came, plus 1 */
	uint16_t seen[SA_MFT_BLOCKS];	/* bit per position */
	uint16_t *masks;		/* by block, MLID and position; NULL until the first */
};

struct sa_reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct rows rows;
	struct lidmap *lids;
	struct trouble_list *troubles;
	struct record_ends ends;
	struct sa_mft mft;
	int64_t unplaced[RECORD_COUNT];	/* records of each kind that have no place */
	enum record record;
	struct smp_node node;
	struct smp_port port;
	struct smp_switch sw;
	int64_t lid, num, in, block, position;	/* what the record is about; each may be unknown */
	int64_t to_lid, to_port;	/* of a link's other end */
	uint64_t guid;
	int64_t act_count, priority, state;
	uint8_t vl[64];
	uint8_t weight[64];
	size_t vl_count, weight_count;
	uint64_t values[64];		/* P_Keys or GUIDs of the block */
	size_t value_count;
	uint16_t masks[32];		/* of an MFT record, by MLID */
	uint32_t masks_known;
	uint8_t lft[64];
	uint64_t lft_known;		/* bit per entry */
	bool name_told;			/* the description copied to `name` */
	char name[65];
	size_t name_length;
};

/* Forgets what was gathered; a record of this kind follows. */
void sa_record_begin(struct sa_reader *reader, enum record record);

/* Puts what was gathered into the fabric; then no record is open. 0 or ERR_NOMEM. */
int sa_record_end(struct sa_reader *reader);

/* The multicast table that the records before made, when they made all of it. 0 or ERR_NOMEM. */
int sa_mft_end(struct sa_reader *reader);

#endif
