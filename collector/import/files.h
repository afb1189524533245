/*
 * What the paths given hold: every file with its format, told before any is
 * read, so that the order of reading follows the formats' strength and not the
 * disk's or the archive's.
 */
#ifndef COLLECTOR_IMPORT_FILES_H
#define COLLECTOR_IMPORT_FILES_H

#include "collector/import/archive.h"
#include "collector/import/format.h"
#include "collector/import/import.h"
#include "collector/import/input.h"
#include "collector/import/stream.h"

enum file_kind {
	FILE_PLAIN,
	FILE_STREAM,		/* standard input, a pipe: can be read only once, so it is read first */
	FILE_ARCHIVE,
	FILE_UNREAD,		/* an entry of a directory that is none of these, or cannot be read */
	FILE_HOST_TREE,		/* a copied /sys/class/infiniband: a directory read as one source */
};

/* The files of one archive, in its order. */
struct archive_index {
	const struct format **formats;	/* NULL: of no known format */
	size_t count;
	size_t room;
};

struct file_item {
	enum file_kind kind;
	char *path;
	char *why;			/* of an unread one: the reason, in a sentence */
	bool lost;			/* and what is in it is missing, which a pipe's or a device's is not */
	const struct format *format;	/* of a plain file; NULL unknown */
	struct archive_index *index;	/* of an archive, shared by its two passes */
	bool late;			/* read behind all that are not: format->late, unknown, the second pass */
	int rank;			/* among those from the highest down */
	size_t order;
	size_t root;			/* which of the user's paths it came from */
};

/* One path as the user gave it. */
struct file_root {
	const char *path;
	bool container;			/* a directory or an archive */
	size_t seen;			/* files in it */
	size_t known;			/* of a known format */
	size_t nested;			/* archives inside an archive: not opened */
};

struct files {
	struct file_item *items;
	size_t count;
	size_t room;
	struct file_root *roots;
	size_t root_count;
	struct archive_limits limits;	/* of all files together, and of each */
	size_t found;
	struct input *input;		/* a buffer for probing and reading */
};

/* Finds and orders the files of all paths. *ret_files belongs to the caller. */
int files_find(const char *const *paths, size_t count, const struct import_options *options,
	       struct files **ret_files, struct err *err);

/* A directory or an archive without one known file is as wrong as an unknown file. 0 or ERR_INPUT. */
int files_check_roots(const struct files *files, struct err *err);

/* NULL is fine. */
void files_free(struct files *files);

#endif
