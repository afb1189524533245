#include "collector/import/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/import/input.h"

int stream_open(const char *path, struct file_stream *ret_stream, struct err *err)
{
	struct file_stream stream = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)};
	struct stat status;

	if (stream.fd < 0)
		return err_set(err, ERR_INPUT, "%s", strerror(errno));
	/* What the kernel makes up while it is read (/proc) says that it is empty. */
	stream.left = UINT64_MAX;
	if (fstat(stream.fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
		stream.left = (uint64_t)status.st_size;
	*ret_stream = stream;
	return 0;
}

ssize_t stream_read(void *context, void *buffer, size_t size, struct err *err)
{
	struct file_stream *stream = context;
	ssize_t got;

	if (size > stream->left)
		size = (size_t)stream->left;
	got = size > 0 ? input_read_fd(&stream->fd, buffer, size, err) : 0;
	if (got > 0)
		stream->left -= (uint64_t)got;
	return got;
}

/* Milliseconds in which somebody must open a pipe for writing. */
#define PIPE_WAIT 3000
#define PIPE_LOOK 50

int stream_open_pipe(const char *path, struct pipe_stream *ret_stream, struct err *err)
{
	struct pipe_stream stream = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)};
	ssize_t got = 0;

	if (stream.fd < 0)
		return err_set(err, ERR_INPUT, "%s", strerror(errno));
	/* 0: nobody has it open for writing; EAGAIN: somebody who has not written yet. */
	for (int waited = 0; got == 0 && waited < PIPE_WAIT; waited += PIPE_LOOK) {
		struct timespec pause = {.tv_nsec = PIPE_LOOK * 1000000L};

		got = read(stream.fd, &stream.first, 1);
		if (got == 0)
			nanosleep(&pause, NULL);
	}
	if (got == 0) {
		close(stream.fd);
		return err_set(err, ERR_INPUT,
			       "nobody writes into this pipe: start the writer first, or give the "
			       "capture on standard input (`-`)");
	}
	stream.held = got == 1;
	if (fcntl(stream.fd, F_SETFL, fcntl(stream.fd, F_GETFL) & ~O_NONBLOCK) < 0) {
		close(stream.fd);
		return err_set(err, ERR_INPUT, "%s", strerror(errno));
	}
	*ret_stream = stream;
	return 0;
}

ssize_t stream_read_pipe(void *context, void *buffer, size_t size, struct err *err)
{
	struct pipe_stream *stream = context;

	if (stream->held && size > 0) {
		stream->held = false;
		*(char *)buffer = stream->first;
		return 1;
	}
	return input_read_fd(&stream->fd, buffer, size, err);
}
