#include "collector/import/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/import/copied_text.h"
#include "collector/import/line_clean.h"

/* Room for the longest line, its end, and one good read behind it. */
#define BUFFER_SIZE (INPUT_LINE_MAX + ((size_t)256 << 10))
#define READ_SIZE ((size_t)256 << 10)

#define NONE SIZE_MAX

/* Where a line-ending byte comes next, so that no stretch is searched twice. */
struct mark {
	size_t at;		/* its place, or NONE in all that was searched */
	size_t searched;	/* everything in front of this was looked at */
};

struct input {
	const char *name;
	input_read read;
	void *context;
	uint64_t max_bytes;
	uint64_t bytes;		/* of content so far */
	char *buffer;		/* BUFFER_SIZE + 1, so that a line can always be ended */
	size_t start;		/* of what was not handed out yet */
	size_t end;
	bool at_end;		/* the source has no more */
	struct err failure;	/* why it has no more, to be told behind what it had; code 0: nothing failed */
	struct mark lf;
	struct mark cr;
	bool has_escape;	/* the buffer holds an escape: look for it in each line */
	bool quoted;		/* the content is a mail's quotation */
	struct copied_text copied;	/* what copying did to its lines, but to those of files by hand */
	bool keep_quotes;	/* though it looks so, its lines come as they are */
	bool had_bom;		/* a byte order mark stood in front */
	bool keep_blanks;	/* at the ends of lines */
	bool framed;		/* ibdiagnet's head was seen, and its foot is still to come */
	bool foot_lost;		/* another head came first */
	bool line_cr;		/* the last line's end has a CR */
	bool lf_only;		/* a CR alone ends no line */
	bool line_ended;	/* the last line has an end at all */
	bool again;		/* input_unread */
	char *line;
	size_t line_length;
	int64_t line_number;
	input_watch watch;
	void *watch_context;
	char *held;		/* the line the watch sees or stopped at, not handed out yet; or NULL */
	size_t held_length;
	bool held_ended;
	bool held_cr;
	bool stopped;		/* the watch ended the part */
	bool joined;		/* watched: it may be several files in one */
	uint64_t dropped;	/* bytes of content in front of the buffer */
	uint64_t place;		/* of the held line */
	char *probe;
};

ssize_t input_read_fd(void *context, void *buffer, size_t size, struct err *err)
{
	const int *fd = context;
	ssize_t got;

	do
		got = read(*fd, buffer, size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_set(err, ERR_INPUT, "cannot be read: %s", strerror(errno));
	return got;
}

static int too_long(const struct input *input, struct err *err)
{
	err_set(err, ERR_LIMIT, "line %lld is longer than %zu bytes, the most that is accepted",
		(long long)input->line_number + 1, INPUT_LINE_MAX);
	return ERR_LIMIT;
}

/* Reads once more behind what is there. The caller has made room. */
static int input_fill(struct input *input, struct err *err)
{
	size_t room = BUFFER_SIZE - input->end;
	char *place = input->buffer + input->end;
	ssize_t got;

	if (input->failure.code < 0) {
		*err = input->failure;
		return err->code;
	}
	got = input->read(input->context, place, room < READ_SIZE ? room : READ_SIZE, err);
	if (got < 0)
		return (int)got;
	if (got == 0) {
		input->at_end = true;
		return 0;
	}
	input->bytes += (uint64_t)got;
	if (input->bytes > input->max_bytes)
		return err_set(err, ERR_LIMIT,
			       "holds more than %llu bytes, the most that is accepted of one file",
			       (unsigned long long)input->max_bytes);
	input->has_escape = input->has_escape || memchr(place, LINE_ESCAPE, (size_t)got);
	input->end += (size_t)got;
	return 0;
}

static void mark_shift(struct mark *mark, size_t by)
{
	mark->searched = mark->searched > by ? mark->searched - by : 0;
	mark->at = mark->at != NONE && mark->at >= by ? mark->at - by : NONE;
}

/* Moves the rest to the front, with the line that the watch sees and, unless it is long, the last one. */
static void input_compact(struct input *input)
{
	size_t from = input->held ? (size_t)(input->held - input->buffer) : input->start;
	size_t last = input->line ? (size_t)(input->line - input->buffer) : from;
	size_t rest;

	if (last < from && from - last <= INPUT_PROBE_SIZE)
		from = last;
	rest = input->end - from;
	memmove(input->buffer, input->buffer + from, rest);
	mark_shift(&input->lf, from);
	mark_shift(&input->cr, from);
	input->start -= from;
	input->end = rest;
	input->dropped += from;
	if (input->held)
		input->held -= from;
	if (input->line && last >= from)
		input->line -= from;
	else if (input->line)
		input->line_length = 0;
	input->has_escape = memchr(input->buffer, LINE_ESCAPE, rest) != NULL;
}

/* Place of the next `byte` not handed out yet, or NONE in what the buffer holds. */
static size_t next_byte(const struct input *input, struct mark *mark, int byte)
{
	size_t from = mark->searched > input->start ? mark->searched : input->start;
	const char *found;

	if (mark->at != NONE && mark->at >= input->start)
		return mark->at;
	found = memchr(input->buffer + from, byte, input->end - from);
	mark->at = found ? (size_t)(found - input->buffer) : NONE;
	mark->searched = found ? mark->at + 1 : input->end;
	return mark->at;
}

/*
 * Where the line that begins at start ends, or NONE when the buffer does not
 * hold its end. *ret_next: where the following one begins.
 */
static size_t find_end(struct input *input, size_t *ret_next)
{
	size_t lf = next_byte(input, &input->lf, '\n');
	size_t after, cr;

	if (input->lf_only) {
		*ret_next = lf + 1;
		return lf != NONE && lf > input->start && input->buffer[lf - 1] == '\r' ? lf - 1 : lf;
	}
	cr = next_byte(input, &input->cr, '\r');
	if (cr == NONE || lf < cr) {
		*ret_next = lf + 1;
		return lf;
	}
	/* CRLF, and the CRCRLF of a file converted twice, are one end. */
	after = cr + 1;
	if (after < input->end && input->buffer[after] == '\r')
		after++;
	if (after >= input->end && !input->at_end)
		return NONE;
	*ret_next = after < input->end && input->buffer[after] == '\n' ? after + 1 : cr + 1;
	return cr;
}

static bool begins_with(const char *line, size_t length, const char *words)
{
	size_t want = strlen(words);

	return length >= want && memcmp(line, words, want) == 0;
}

/* The first and the last line that ibdiagnet puts around most of its files. */
static void note_frame(struct input *input, const char *line, size_t length)
{
	if (begins_with(line, length, "# File closed at")) {
		input->framed = false;
	} else if (begins_with(line, length, "# This database file was automatically generated by IBDIAG")) {
		input->foot_lost = input->foot_lost || input->framed;
		input->framed = true;
	}
}

/* Finds the next line, cleans it and holds it: 1, 0 at the end, or an error. */
static int take_line(struct input *input, struct err *err)
{
	size_t next = 0;
	size_t end;
	size_t length;
	char *line;
	int rc;

	while ((end = find_end(input, &next)) == NONE) {
		if (input->at_end) {
			if (input->start == input->end)
				return 0;
			end = next = input->end;
			break;
		}
		if (input->end - input->start > INPUT_LINE_MAX)
			return too_long(input, err);
		if (BUFFER_SIZE - input->end < READ_SIZE)
			input_compact(input);
		rc = input_fill(input, err);
		if (rc < 0)
			return rc;
	}
	line = input->buffer + input->start;
	length = end - input->start;
	if (length > INPUT_LINE_MAX)
		return too_long(input, err);
	input->place = input->dropped + input->start;
	input->held_cr = end < input->end && input->buffer[end] == '\r';
	input->held_ended = end < input->end;
	input->start = next;
	if (input->has_escape && memchr(line, LINE_ESCAPE, length))
		length = line_strip_escapes(line, length);
	if (!input->keep_blanks && copied_text_is_any(&input->copied))
		length = copied_text_undo(&input->copied, line, length);
	if (input->quoted && !input->keep_quotes) {
		size_t quote = line_quote_length(line, length);

		line += quote;
		length -= quote;
	}
	/* Files that were put together bring their marks along. */
	if (input->joined && length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0) {
		line += 3;
		length -= 3;
	}
	while (!input->keep_blanks && length > 0 &&
	       (line[length - 1] == ' ' || line[length - 1] == '\t'))
		length--;
	line[length] = '\0';
	input->held = line;
	input->held_length = length;
	return 1;
}

/* The held line becomes the last one that was handed out. */
static void hand_out(struct input *input)
{
	input->line = input->held;
	input->line_length = input->held_length;
	input->line_cr = input->held_cr;
	input->line_ended = input->held_ended;
	input->held = NULL;
	input->line_number++;
	if (*input->line == '#')
		note_frame(input, input->line, input->line_length);
}

int input_line(struct input *input, char **ret_line, size_t *ret_length, struct err *err)
{
	int rc = 1;

	if (input->again) {
		input->again = false;
		goto out;
	}
	if (input->stopped)
		return 0;
	/* What a watch let pass once comes without it: the first line of a part. */
	if (!input->held) {
		rc = take_line(input, err);
		if (rc <= 0)
			return rc;
		rc = input->watch ? input->watch(input->watch_context, input->held,
						 input->held_length, err) : 0;
		if (rc < 0)
			return rc;
		input->stopped = rc > 0;
		if (input->stopped)
			return 0;
	}
	hand_out(input);
out:
	*ret_line = input->line;
	*ret_length = input->line_length;
	return 1;
}

void input_watched(struct input *input, input_watch watch, void *context)
{
	input->watch = watch;
	input->joined = watch != NULL;
	input->watch_context = context;
}

void input_next_part(struct input *input)
{
	input->stopped = false;
	input->again = false;
	input->keep_blanks = false;
	input->keep_quotes = false;
	input->lf_only = false;
	input->framed = false;
	input->foot_lost = false;
	input->had_bom = false;
	input->line = NULL;
	input->line_ended = true;
	input->line_cr = false;
}

void input_number_from(struct input *input, int64_t number)
{
	input->line_number = number - 1;
}

uint64_t input_place(const struct input *input)
{
	return input->held ? input->place : input->dropped + input->start;
}

void input_like_fgets(struct input *input)
{
	input->lf_only = true;
}

int64_t input_line_number(const struct input *input)
{
	return input->line_number;
}

bool input_line_had_cr(const struct input *input)
{
	return input->line_cr;
}

bool input_line_had_end(const struct input *input)
{
	return input->line_ended;
}

const char *input_undone(const struct input *input)
{
	return !input->keep_blanks && copied_text_is_any(&input->copied) ?
		       copied_text_words(&input->copied) : NULL;
}

bool input_had_bom(const struct input *input)
{
	return input->had_bom;
}

bool input_lacks_foot(const struct input *input)
{
	return input->framed || input->foot_lost;
}

void input_keep_blanks(struct input *input)
{
	input->keep_blanks = true;
}

void input_keep_quotes(struct input *input)
{
	input->keep_quotes = true;
}

bool input_keeps_quotes(const struct input *input)
{
	return input->quoted && input->keep_quotes;
}

void input_unread(struct input *input)
{
	if (input->line)
		input->again = true;
}

int input_reopen(struct input *input, const char *name, input_read read_more, void *context,
		 uint64_t max_bytes, struct err *err)
{
	char *buffer = input->buffer;
	char *probe = input->probe;
	int rc;

	*input = (struct input){
		.name = name,
		.read = read_more,
		.context = context,
		.max_bytes = max_bytes,
		.buffer = buffer,
		.probe = probe,
		.lf = {.at = NONE},
		.cr = {.at = NONE},
	};
	while (!input->at_end && input->end < INPUT_PROBE_SIZE) {
		rc = input_fill(input, err);
		/* What came in front of the damage is there to be read. */
		if (rc == ERR_INPUT && input->end > 0) {
			input->failure = *err;
			break;
		}
		if (rc < 0)
			return rc;
	}
	input->had_bom = input->end >= 3 && memcmp(input->buffer, "\xef\xbb\xbf", 3) == 0;
	if (input->had_bom)
		input->start = 3;
	input->copied = copied_text_look(input->buffer + input->start,
					 (input->end < INPUT_PROBE_SIZE ? input->end : INPUT_PROBE_SIZE) -
						 input->start);
	input->quoted = text_is_quoted(input->buffer + input->start,
				     (input->end < INPUT_PROBE_SIZE ? input->end : INPUT_PROBE_SIZE) -
					     input->start);
	return 0;
}

int input_open(const char *name, input_read read_more, void *context, uint64_t max_bytes,
	       struct input **ret_input, struct err *err)
{
	struct input *input = calloc(1, sizeof(*input));
	int rc;

	if (!input)
		return err_no_memory(err);
	input->buffer = malloc(BUFFER_SIZE + 1);
	if (!input->buffer) {
		rc = err_no_memory(err);
		goto out;
	}
	rc = input_reopen(input, name, read_more, context, max_bytes, err);
	if (rc < 0)
		goto out;
	*ret_input = input;
	return 0;
out:
	input_close(input);
	return rc;
}

void input_close(struct input *input)
{
	if (!input)
		return;
	free(input->buffer);
	free(input->probe);
	free(input);
}

void input_raw(const struct input *input, const unsigned char **ret_bytes, size_t *ret_length)
{
	*ret_bytes = (const unsigned char *)input->buffer;
	*ret_length = input->end < INPUT_PROBE_SIZE ? input->end : INPUT_PROBE_SIZE;
}

size_t input_held(const struct input *input)
{
	return input->end;
}

/* Up to `size` bytes of the buffer from `from` on, as lines behind the first `used` bytes of the probe's text. */
static void clean_lines(struct input *input, size_t from, size_t size, size_t used,
			struct probe *ret_probe)
{
	const char *slash = strrchr(input->name, '/');
	struct input copy = *input;
	struct err err;
	size_t length;
	char *line;

	/* The lines of a copy, written over it as they are cleaned: never longer than it was. */
	copy.buffer = input->probe + 2 * INPUT_PROBE_SIZE + 2;
	copy.start = 0;
	copy.end = input->end - from < size ? input->end - from : size;
	copy.at_end = true;
	copy.watch = NULL;
	copy.held = NULL;
	copy.again = copy.stopped = false;
	copy.lf = copy.cr = (struct mark){.at = NONE};
	memcpy(copy.buffer, input->buffer + from, copy.end);
	while (input_line(&copy, &line, &length, &err) == 1) {
		memcpy(input->probe + used, line, length);
		used += length;
		if (copy.start < copy.end)
			input->probe[used++] = '\n';
	}
	ret_probe->name = slash ? slash + 1 : input->name;
	ret_probe->text = input->probe;
	ret_probe->length = used;
}

/* Room for a held line, the lines behind it, and what they are made of. */
static int probe_room(struct input *input, struct err *err)
{
	if (!input->probe)
		input->probe = malloc(3 * INPUT_PROBE_SIZE + 4);
	return input->probe ? 0 : err_no_memory(err);
}

int input_probe(struct input *input, struct probe *ret_probe, struct err *err)
{
	if (probe_room(input, err) < 0)
		return err->code;
	clean_lines(input, input->start, INPUT_PROBE_SIZE - input->start, 0, ret_probe);
	return 0;
}

int input_window(struct input *input, size_t size, struct probe *ret_probe, struct err *err)
{
	size_t used = 0;

	if (probe_room(input, err) < 0)
		return err->code;
	while (!input->at_end && input->end - input->start < size) {
		int rc;

		if (BUFFER_SIZE - input->end < READ_SIZE)
			input_compact(input);
		/* Behind a line of the greatest length there may be no room. */
		if (BUFFER_SIZE == input->end)
			break;
		rc = input_fill(input, err);
		/* What came in front of the damage is there to be read. */
		if (rc == ERR_INPUT) {
			input->failure = *err;
			break;
		}
		if (rc < 0)
			return rc;
	}
	if (input->held) {
		used = input->held_length < INPUT_PROBE_SIZE ? input->held_length : INPUT_PROBE_SIZE;
		memcpy(input->probe, input->held, used);
		if (input->held_ended)
			input->probe[used++] = '\n';
	}
	clean_lines(input, input->start, size, used, ret_probe);
	return 0;
}
