/*
 * Ports known by their GUID alone. Where another file has told which node the
 * port belongs to, that is the port; else a device of its own stands for the
 * node, with the port GUID in the place of the node GUID. Ports of one CA whose
 * numbers and GUIDs run side by side are one device; the source's detail says so.
 */
#ifndef COLLECTOR_IMPORT_STAND_IN_H
#define COLLECTOR_IMPORT_STAND_IN_H

#include "collector/import/format.h"

#define CA_PORTS_MAX 4	/* of one CA, and more than any has */

/*
 * The end port with this GUID: port 0 of a switch, else port `num` (1..254) of a
 * CA, a router or a node of unknown type, which then has no port GUID yet: a switch's
 * is its port 0's. NULL: no memory or the import's limit.
 */
struct port *stand_in_port(struct import *import, uint64_t port_guid, enum node_type type,
			   unsigned num);

/* A description for a device that has neither description nor alias. 0 or ERR_NOMEM. */
int stand_in_name(struct import *import, struct device *device, const char *text, size_t length,
		  struct err *err);

#endif
