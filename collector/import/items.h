/*
 * Reads one of the files that were found: a plain file, a stream, an archive, a
 * host's tree. A file of a directory or an archive that fails costs itself.
 */
#ifndef COLLECTOR_IMPORT_ITEMS_H
#define COLLECTOR_IMPORT_ITEMS_H

#include "collector/import/files.h"
#include "collector/import/merge.h"

/* 0, or what the user's own path fails with: ERR_INPUT, ERR_LIMIT, ERR_NOMEM. */
int item_read(struct import *import, struct files *files, const struct file_item *item,
	      struct err *err);

/* A path of the user's that is of no format. */
bool item_is_refused(const struct files *files, const struct file_item *item);

/* What reading such a one ends in, the sentence why. Never 0. */
int item_refuse(struct files *files, const struct file_item *item, struct err *err);

#endif
