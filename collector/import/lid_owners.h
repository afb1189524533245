/*
 * Who owns which LID, as table dumps tell it beside each row: "0x0006 ... Channel
 * Adapter portguid 0x...: 'name'". Every switch repeats it, so it is kept by LID
 * and settled once at the end of the file.
 */
#ifndef COLLECTOR_IMPORT_LID_OWNERS_H
#define COLLECTOR_IMPORT_LID_OWNERS_H

#include "collector/import/format.h"

struct lid_owners;		/* opaque */

/* *ret_owners belongs to the caller. 0 or ERR_NOMEM. */
int lid_owners_new(struct lid_owners **ret_owners, struct err *err);

/* True when this LID is known to belong to this port GUID: nothing more to note. */
bool lid_owners_has(const struct lid_owners *owners, unsigned lid, uint64_t port_guid);

/*
 * The port with this GUID owns the LID; name may be NULL. path and paths: "path
 * #2 out of 4" of an LMC range, 0 and 0 when not told. 0 or ERR_NOMEM.
 */
int lid_owners_note(struct lid_owners *owners, struct import *import, unsigned lid,
		    uint64_t port_guid, enum node_type type, const char *name, size_t name_length,
		    unsigned path, unsigned paths, struct err *err);

/*
 * Gives LIDs to the ports. A port GUID that no port has becomes a device of its
 * own (its node GUID is not in such a file, so the port GUID stands for it).
 */
int lid_owners_settle(struct lid_owners *owners, struct import *import, struct err *err);

void lid_owners_free(struct lid_owners *owners);	/* NULL is fine */

#endif
