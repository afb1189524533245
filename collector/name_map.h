/*
 * Node name maps, as infiniband-diags and OpenSM read them (man ibnetdiscover,
 * --node-name-map): "0x<node GUID> "<name>"" on a line, # begins a comment.
 */
#ifndef COLLECTOR_NAME_MAP_H
#define COLLECTOR_NAME_MAP_H

#include "store/err.h"
#include "store/fabric.h"

/*
 * Gives each device with a GUID of the map that name as its alias. A line that
 * is no entry is left out, as the tools do; a file without one entry is
 * ERR_INPUT, as is one that cannot be read. ERR_NOMEM.
 */
int name_map_apply(const char *path, struct fabric *fabric, struct err *err);

#endif
