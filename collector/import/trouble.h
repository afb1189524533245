/*
 * What the tools complain about while they dump: lines of stderr that ended up
 * in the file. A query that was not answered is a hole in the fabric, not a line
 * that was not understood; its directed route is followed through the links of
 * the same file, so that the hole gets a place a person can walk to. Of a tool that
 * says no more than that it failed, some of the answer is missing.
 */
#ifndef COLLECTOR_IMPORT_TROUBLE_H
#define COLLECTOR_IMPORT_TROUBLE_H

#include "collector/import/format.h"
#include "collector/import/prompt.h"

struct trouble_list;		/* opaque; start with NULL */

/*
 * What becomes of a line that is no row: noise is passed over, a query without an
 * answer and a tool's word that it failed are kept, anything else is odd for this
 * reason. *ret_odd (may be NULL) is set when it was odd, else left. *list belongs to
 * the caller (trouble_free). 0 or ERR_NOMEM.
 */
int trouble_or_odd(struct trouble_list **list, struct import *import, struct input *input,
		   const char *text, size_t length, const char *reason, bool *ret_odd,
		   struct err *err);

/*
 * Turns what was kept into holes and marks the fabric partial; what names neither who
 * nor what did not answer is one hole of what the format loses. from_node and
 * from_port are the GUIDs where the directed routes begin; 0: not known, then
 * the holes name the route only. 0 or ERR_NOMEM.
 */
int trouble_resolve(struct import *import, const struct trouble_list *list, uint64_t from_node,
		    uint64_t from_port, struct err *err);

/*
 * The next query from *at on (0 at first) for this SMP attribute id that names
 * its device: the node GUID and the attribute modifier. False: no more.
 */
bool trouble_next(const struct trouble_list *list, unsigned smp_id, size_t *at,
		  uint64_t *ret_node_guid, uint32_t *ret_modifier);

void trouble_free(struct trouble_list *list);	/* NULL is fine */

/*
 * The end of a reader's file: resolves what was kept, unless rc says that reading failed,
 * with routes that begin nowhere known, and frees the list. rc, 0 or ERR_NOMEM.
 */
int trouble_end(struct trouble_list *list, struct import *import, int rc, struct err *err);

/* The attribute with this SMP attribute id, or ATTRIBUTE_COUNT. */
enum attribute attribute_of_smp_id(unsigned id);

#endif
