/*
 * Whether the files of a run are of one subnet. Files that tell links are of one when
 * they have a switch or a port in common, directly or by way of others; a CA alone
 * proves nothing, since it may have a port in each of two subnets. Files without links
 * (tables, counters, name lists) belong to whichever names what they name.
 */
#ifndef COLLECTOR_IMPORT_MERGE_SUBNETS_H
#define COLLECTOR_IMPORT_MERGE_SUBNETS_H

#include "collector/import/merge.h"

/*
 * The current source names what *first stands for: the first source with links that
 * named it, or the last of those without. Both are noted as having it in common.
 */
void import_touch(struct import *import, source_ref *first);

/* The current source tells a link. */
void import_tells_links(struct import *import);

/*
 * *ret_apart: the files are of two subnets or more; then each file is told with the
 * number of its subnet as a fact of the run (SUBNET_SECTION). 0 or ERR_NOMEM.
 */
int import_subnets(struct import *import, bool *ret_apart, struct err *err);

#endif
