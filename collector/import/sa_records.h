/*
 * Records of the subnet administration while saquery's text of them is read:
 * gathered key by key, put into the fabric at the end of each.
 */
#ifndef COLLECTOR_IMPORT_SA_RECORDS_H
#define COLLECTOR_IMPORT_SA_RECORDS_H

#include "collector/import/lidmap.h"
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
	RECORD_OTHER,		/* recognised, nothing of it is kept */
};

struct sa_reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct rows rows;
	struct lidmap *lids;
	struct trouble_list *troubles;
	enum record record;
	struct smp_node node;
	struct smp_port port;
	struct smp_switch sw;
	int64_t lid, num, in, block;	/* what the record is about; each may be unknown */
	int64_t to_lid, to_port;	/* of a link's other end */
	uint64_t guid;
	int64_t act_count, priority, state;
	uint8_t vl[64];
	uint8_t weight[64];
	size_t vl_count, weight_count;
	uint64_t values[64];		/* P_Keys or GUIDs of the block */
	size_t value_count;
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

#endif
