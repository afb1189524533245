/* Hosts' sysfs trees that lie file by file in an archive, gathered into one source. */
#ifndef COLLECTOR_IMPORT_SYSFS_H
#define COLLECTOR_IMPORT_SYSFS_H

#include "collector/import/input.h"
#include "collector/import/sysfs_tree.h"

struct sysfs_members {
	struct sysfs_tree *tree;	/* NULL: no such file so far */
	int64_t files;
};

/* Takes one file of the archive, for which sysfs_is_file said true. 0, ERR_INPUT, ERR_NOMEM, ERR_LIMIT. */
int sysfs_members_take(struct sysfs_members *members, const char *name, input_read read,
		       void *context, struct err *err);

/* What was gathered becomes a source of this name; members are empty then. 0, ERR_NOMEM or ERR_LIMIT. */
int sysfs_members_end(struct sysfs_members *members, struct import *import, const char *name,
		      struct err *err);

#endif
