/* Reads one part of a file as a source of its own. */
#ifndef COLLECTOR_IMPORT_PART_READ_H
#define COLLECTOR_IMPORT_PART_READ_H

#include "collector/import/merge.h"
#include "collector/import/part_list.h"

/*
 * The lines of this part of `file` (whose name outlives the import) as a source of this name; of none of a format: all lines are
 * odd, and a source is made (or the file's one of this name goes on) when there are
 * any. 0, or what the format's reader fails with.
 */
int part_read(struct import *import, struct input *input, const char *file, const char *name,
	      const struct part *part, struct err *err);

/* One file whose parts come one behind the other. */
struct part_pass {
	struct import *import;
	struct input *input;	/* in front of its first line */
	const char *name;	/* of the file */
	bool whole;		/* never taken apart */
	bool split;		/* it has several parts, and a source's name says which */
	int late;		/* 1 or 0: only parts whose format is late, or is not; -1: all */
};

/*
 * Reads them. *ret_known: the parts of a known format, read or not; 0: the file is of
 * none, and its content was not read. 0, or what a format's reader fails with.
 */
int parts_read(const struct part_pass *pass, size_t *ret_known, struct err *err);

#endif
