/*
 * One name for one device in two fabrics. Sources such as iblinkinfo, ibnetdiscover -p
 * and neighbors name a CA by its port's GUID; beside a fabric that knows its node GUID
 * it would be another device.
 */
#ifndef STORE_NODE_NAMES_H
#define STORE_NODE_NAMES_H

#include "store/fabric.h"

enum node_name {
	NODE_NAMED,		/* by its node GUID, with the GUID of a port beside it */
	NODE_NAMED_ALONE,	/* by its node GUID; no port's is known */
	NODE_BY_PORT,		/* no source told more than a port's GUID, which stands for it */
};

/* How the device is named; a switch, whose port 0 has its node GUID, is named alone at worst. */
enum node_name node_name(const struct device *device);

/*
 * Gives each device of `older` the GUID that `newer` has for it, by the GUIDs of its
 * ports. Where `newer` knows every CA by a port alone, the others of `older` get their
 * first port's GUID too, lest one be taken for another whose port GUID is its node GUID.
 * Once only: a name given may be another device's port GUID. 0 or ERR_NOMEM.
 */
int fabric_adopt_names(struct fabric *older, const struct fabric *newer, struct err *err);

#endif
