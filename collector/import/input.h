/*
 * One capture as cleaned lines, whatever it comes from. Memory is bounded by
 * the longest line accepted, not by the size of the file.
 *
 * Lines are handed out inside the buffer, not copied: reading stays near the
 * speed of memchr.
 */
#ifndef COLLECTOR_IMPORT_INPUT_H
#define COLLECTOR_IMPORT_INPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "collector/import/format.h"

#define INPUT_LINE_MAX ((size_t)1 << 20)	/* bytes; a longer line is ERR_LIMIT */
#define INPUT_PROBE_SIZE ((size_t)64 << 10)

/* Bytes read into buffer, 0 at the end, or a negative enum err_code with its sentence. */
typedef ssize_t (*input_read)(void *context, void *buffer, size_t size, struct err *err);

/*
 * name      for messages; not copied, must outlive the input.
 * max_bytes of content; more is ERR_LIMIT.
 *
 * Reads the first bytes at once. *ret_input belongs to the caller. ERR_NOMEM,
 * or what `read` fails with.
 */
int input_open(const char *name, input_read read, void *context, uint64_t max_bytes,
	       struct input **ret_input, struct err *err);

/* Starts again on other content with the same buffer. */
int input_reopen(struct input *input, const char *name, input_read read, void *context,
		 uint64_t max_bytes, struct err *err);

/* From here on blanks at the ends of lines stay, for readers that must see what OpenSM sees. */
void input_keep_blanks(struct input *input);

/*
 * The file is what a program read, not what somebody mailed: a mail's quotation marks
 * stay in its lines.
 */
void input_keep_quotes(struct input *input);

/* What was done to all lines by copying and undone, as a sentence without its end; NULL: nothing. */
const char *input_undone(const struct input *input);

/* NULL is fine. */
void input_close(struct input *input);

/* The bytes as they came, up to INPUT_PROBE_SIZE of them, before any line is taken. */
void input_raw(const struct input *input, const unsigned char **ret_bytes, size_t *ret_length);

/* How many bytes of input_raw's buffer are filled: all that was read so far. */
size_t input_held(const struct input *input);

/* The beginning as lines, for detection; text is good until the input is closed or reopened. */
int input_probe(struct input *input, struct probe *ret_probe, struct err *err);

/* An input_read over a file descriptor; context points to it (int). */
ssize_t input_read_fd(void *context, void *buffer, size_t size, struct err *err);

#endif
