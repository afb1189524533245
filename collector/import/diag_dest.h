/*
 * Whom smpquery and perfquery asked: "Lid 5", "DR path slid 0; dlid 0; 0,1,4",
 * or what the command line in a terminal log says. A NodeInfo in the same file
 * tells which node an address is; else a LID is looked up in what other files
 * told.
 */
#ifndef COLLECTOR_IMPORT_DIAG_DEST_H
#define COLLECTOR_IMPORT_DIAG_DEST_H

#include "collector/import/format.h"
#include "collector/import/scan.h"

struct diag_dests {
	struct lidmap *lids;	/* made when first needed */
	struct diag_known {
		char address[128];	/* as printed: "Lid 5", "DR path ..." */
		struct device *device;
	} known[64];		/* NodeInfos of this file, the newest last; a ring */
	size_t known_count;
};

/* The address at the cursor, up to " port " or the end; NULL-ended, cut at its room. */
bool diag_address(struct scan *scan, char out[128]);

/* The device of an address, or NULL: nobody said. 0 or ERR_NOMEM. */
int diag_find(struct diag_dests *dests, struct import *import, const char *address,
	      struct device **ret_device, struct err *err);

/* A NodeInfo was read from this address. */
void diag_learn(struct diag_dests *dests, struct import *import, const char *address,
		struct device *device, int64_t local_port);

/*
 * A command line in a terminal log: `smpquery pkeys 16 1`, `perfquery -x -G 0x...
 * 1`. False: none. *ret_guid is 0 unless -G was given; *ret_num is -1 without a port.
 */
bool diag_command(const char *text, size_t length, const char *tool, char address[128],
		  uint64_t *ret_guid, int *ret_num);

void diag_free(struct diag_dests *dests);

#endif
