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

/* The beginning as lines, for detection; text is good until the next probe. */
int input_probe(struct input *input, struct probe *ret_probe, struct err *err);

/*
 * Sees each line in front of who reads: 0, 1 when the reader's part of the file
 * ends before it, or a negative enum err_code. Of lines it may ask for
 * input_window alone.
 */
typedef int (*input_watch)(void *context, const char *line, size_t length, struct err *err);

/* From the next line on; NULL: nobody watches. */
void input_watched(struct input *input, input_watch watch, void *context);

/*
 * For the watch: up to `size` bytes of what begins with its line, as input_probe.
 * Between two lines, what begins with the next one. The line it was given is gone then.
 */
int input_window(struct input *input, size_t size, struct probe *ret_probe, struct err *err);

/* Goes on behind the end that the watch set, as at the beginning of a file: its line is the first. */
void input_next_part(struct input *input);

/* The first line has this number; before any line is taken. */
void input_number_from(struct input *input, int64_t number);

/* Where in the content the line begins that the watch is given, or else the next one. */
uint64_t input_place(const struct input *input);

/* An input_read over a file descriptor; context points to it (int). */
ssize_t input_read_fd(void *context, void *buffer, size_t size, struct err *err);

#endif
