/*
 * Archives as streams of files: .tar, .zip, either compressed by gzip, bzip2,
 * xz or zstd, and a single file so compressed. Nothing is written to disk.
 */
#ifndef COLLECTOR_IMPORT_ARCHIVE_H
#define COLLECTOR_IMPORT_ARCHIVE_H

#include "collector/import/input.h"

/* True when these first bytes are an archive's or a compressed file's. */
bool archive_is(const unsigned char *bytes, size_t length);

/*
 * One file of an archive: name as stored ("" for a single compressed file),
 * its place among the regular files, its content through `read`. What is not
 * read is skipped. Not 0: the walk ends with it. A file that is compressed by
 * itself comes unpacked; an archive inside the archive as it is, and ends behind
 * its first bytes.
 */
typedef int (*archive_file)(void *context, const char *name, size_t index, input_read read,
			    void *read_context, struct err *err);

struct archive_limits {
	size_t max_files;
	uint64_t max_bytes;	/* of one file; an archive may hold four times as much */
};

/*
 * Visits every regular file of the archive behind fd, which stays open.
 * ERR_INPUT: damaged, encrypted, or compressed twice; ERR_LIMIT: more files or
 * bytes than allowed, or it unpacks to so much more than its size that it is a
 * bomb (a thousand times, and above a sixteenth of max_bytes).
 */
int archive_walk(int fd, const struct archive_limits *limits, archive_file visit, void *context,
		 struct err *err);

/* A stream whose first bytes were taken from it already. */
struct replay {
	int fd;
	const unsigned char *head;
	size_t length;
};

/* The same over what cannot be read twice; *replay is used up. */
int archive_walk_stream(struct replay *replay, const struct archive_limits *limits,
			archive_file visit, void *context, struct err *err);

#endif
