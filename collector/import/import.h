/*
 * Files that somebody captured -> struct fabric. The format of each is told by
 * its content; several make one snapshot. One odd line costs itself: it is
 * kept, counted, and the rest goes on.
 */
#ifndef COLLECTOR_IMPORT_IMPORT_H
#define COLLECTOR_IMPORT_IMPORT_H

#include <stddef.h>
#include <stdint.h>

#include "store/err.h"
#include "store/fabric.h"

struct import_options {
	const char *node_name_map;	/* or NULL */
	uint64_t max_bytes;		/* of one file after unpacking; 0: the default */
	/* Files of the SM's host (struct format, config) for the same run; what else they hold is refused. */
	const char *const *configs;
	size_t config_count;
	uint64_t max_files;		/* in all archives and directories; 0: the default */
};

/*
 * Reads every path (file, directory, archive, "-" for standard input) into the
 * fabric, each file as one source. A file in a directory or an archive whose
 * format is not known is a source of format "unknown" with rows 0; a path named
 * by the user that cannot be read or recognised is ERR_INPUT. Files of a
 * directory are read in an order of strength that does not depend on the disk.
 * options may be NULL. A fabric that was read live keeps what it holds wherever a
 * file says otherwise, but for a file of a later sweep. ERR_INPUT, ERR_LIMIT, ERR_NOMEM.
 */
int import_paths(const char *const *paths, size_t count, const struct import_options *options,
		 struct fabric *fabric, struct err *err);

/* What import_paths would refuse of the configs by their kind, told before a long run. ERR_INPUT, ERR_NOMEM. */
int import_check_configs(const struct import_options *options, struct err *err);

#endif
