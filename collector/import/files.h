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

enum file_kind {
	FILE_PLAIN,
	FILE_STREAM,		/* standard input, a pipe: can be read only once, so it is read first */
	FILE_ARCHIVE,
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

/* Opens a file; a sentence on failure. */
int files_open(const char *path, int *ret_fd, struct err *err);

/* A pipe, and the byte that was read to find out that somebody writes into it. */
struct pipe_stream {
	int fd;
	char first;
	bool held;		/* first was not handed out yet */
};

/* Opens a named pipe, whose writer must be there within seconds; the caller closes ->fd. ERR_INPUT. */
int files_open_pipe(const char *path, struct pipe_stream *ret_stream, struct err *err);

/* An input_read; context is a struct pipe_stream. */
ssize_t files_read_pipe(void *context, void *buffer, size_t size, struct err *err);

#endif
