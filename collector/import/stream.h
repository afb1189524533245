/* Where the bytes of a capture come from: a file, a named pipe. */
#ifndef COLLECTOR_IMPORT_STREAM_H
#define COLLECTOR_IMPORT_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/err.h"

/* A file up to the length that it had when it was opened: one that grows while it is read has an end. */
struct file_stream {
	int fd;
	uint64_t left;		/* bytes */
};

/* Opens a file; a sentence on failure. The caller closes ->fd. 0 or ERR_INPUT. */
int stream_open(const char *path, struct file_stream *ret_stream, struct err *err);

/* An input_read; context is a struct file_stream. */
ssize_t stream_read(void *context, void *buffer, size_t size, struct err *err);

/* A pipe, and the byte that was read to find out that somebody writes into it. */
struct pipe_stream {
	int fd;
	char first;
	bool held;		/* first was not handed out yet */
};

/* Opens a named pipe, whose writer must be there within seconds; the caller closes ->fd. ERR_INPUT. */
int stream_open_pipe(const char *path, struct pipe_stream *ret_stream, struct err *err);

/* An input_read; context is a struct pipe_stream. */
ssize_t stream_read_pipe(void *context, void *buffer, size_t size, struct err *err);

#endif
