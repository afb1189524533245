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
#include "collector/import/part_list.h"
#include "collector/import/stream.h"

enum file_kind {
	FILE_PLAIN,
	FILE_STREAM,		/* standard input, a pipe: can be read only once, so it is read first */
	FILE_ARCHIVE,
	FILE_UNREAD,		/* an entry of a directory that is none of these, or cannot be read */
	FILE_HOST_TREE,		/* a copied /sys/class/infiniband: a directory read as one source */
};

/* One file of an archive. */
struct archive_entry {
	const struct format *format;	/* its first part's; NULL: of no known format */
	int ranks[2];			/* the highest of its parts, of those that are late [1] or not; -1: none */
	bool split;			/* it has several parts */
};

/* The files of one archive, in its order. */
struct archive_index {
	struct archive_entry *entries;
	size_t count;
	size_t room;
};

struct file_item {
	enum file_kind kind;
	char *path;
	char *why;			/* of an unread one: the reason, in a sentence */
	bool lost;			/* and what is in it is missing, which a pipe's or a device's is not */
	const struct format *format;	/* of a plain file, or of this part of it; NULL unknown */
	struct listed_part *part;	/* of a plain file; NULL: all of it */
	bool split;			/* it has other parts, too */
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
	size_t first_config;		/* the roots from here on are --config's: their files have no parts */
	struct input *input;		/* a buffer for probing and reading */
};

/*
 * Finds and orders the files of all paths, of which those from first_config on are
 * --config's. *ret_files belongs to the caller.
 */
int files_find(const char *const *paths, size_t count, size_t first_config,
	       const struct import_options *options, struct files **ret_files, struct err *err);

/* A directory or an archive without one known file is as wrong as an unknown file. 0 or ERR_INPUT. */
int files_check_roots(const struct files *files, struct err *err);

/* NULL is fine. */
void files_free(struct files *files);

#endif
