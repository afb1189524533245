/* A host that several outputs tell of is one host. */
#ifndef COLLECTOR_IMPORT_HOST_FOLD_H
#define COLLECTOR_IMPORT_HOST_FOLD_H

#include "collector/import/merge.h"

/*
 * Ends a run: rows of one port, or of one place of a GID table, of one host by its name
 * become one. The row stays whose source wins (format.h), of one source the last; it
 * takes over what it does not say itself, and what it says otherwise is a
 * contradiction. Rows without a host's name are one only where they are equal
 * and a GUID or GID shows whose they are. 0 or ERR_NOMEM.
 */
int host_fold(struct import *import, struct err *err);

#endif
