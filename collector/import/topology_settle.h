/* What a topology's blocks say together, when all of them were read. */
#ifndef COLLECTOR_IMPORT_TOPOLOGY_SETTLE_H
#define COLLECTOR_IMPORT_TOPOLOGY_SETTLE_H

#include "collector/import/rows.h"

/*
 * A device without a block of its own cannot contradict its neighbours, and the
 * last block (`last`) may be cut off: their silence is no one-way link. Nodes
 * that are named as neighbours and have no block are what the capture lost:
 * every node that answered has one. Port lines that such a node's neighbours show to
 * be its own are taken back from the block they stood in. 0 or ERR_NOMEM.
 */
int topology_settle(struct import *import, const struct rows *rows, const struct device *last,
		    struct err *err);

#endif
