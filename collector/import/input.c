#include "collector/import/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/import/copied_text.h"

#define ESCAPE 0x1b
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
	input->has_escape = input->has_escape || memchr(place, ESCAPE, (size_t)got);
	input->end += (size_t)got;
	return 0;
}

static void mark_shift(struct mark *mark, size_t by)
{
	mark->searched = mark->searched > by ? mark->searched - by : 0;
	mark->at = mark->at != NONE && mark->at >= by ? mark->at - by : NONE;
}

/* Moves the rest to the front. */
static void input_compact(struct input *input)
{
	size_t rest = input->end - input->start;

	memmove(input->buffer, input->buffer + input->start, rest);
	mark_shift(&input->lf, input->start);
	mark_shift(&input->cr, input->start);
	input->start = 0;
	input->end = rest;
	input->has_escape = memchr(input->buffer, ESCAPE, rest) != NULL;
}

/* Takes terminal escape sequences out of the line, in place; returns what is left. */
static size_t strip_escapes(char *line, size_t length)
{
	size_t out = 0;

	for (size_t i = 0; i < length;) {
		if (line[i] != ESCAPE) {
			line[out++] = line[i++];
			continue;
		}
		i++;
		if (i < length && line[i] == '[') {		/* CSI: parameters, then one of @..~ */
			i++;
			while (i < length && (unsigned char)line[i] >= 0x20 &&
			       (unsigned char)line[i] <= 0x3f)
				i++;
			if (i < length)
				i++;
		} else if (i < length && line[i] == ']') {	/* OSC: a title, ended by BEL or ESC \ */
			while (i < length && line[i] != '\a' && line[i] != ESCAPE)
				i++;
			if (i < length && line[i] == '\a')
				i++;
			else if (i + 1 < length && line[i + 1] == '\\')
				i += 2;
		} else if (i < length) {
			i++;
		}
	}
	return out;
}

/* Bytes of "> " and "> > " at the start of a line. */
static size_t quote_length(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && line[i] == '>') {
		i++;
		if (i < length && line[i] == ' ')
			i++;
	}
	return i;
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

int input_line(struct input *input, char **ret_line, size_t *ret_length, struct err *err)
{
	size_t next = 0;
	size_t end;
	size_t length;
	char *line;
	int rc;

	if (input->again) {
		input->again = false;
		goto out;
	}
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
	input->line_cr = end < input->end && input->buffer[end] == '\r';
	input->line_ended = end < input->end;
	input->start = next;
	if (length > INPUT_LINE_MAX)
		return too_long(input, err);
	if (input->has_escape && memchr(line, ESCAPE, length))
		length = strip_escapes(line, length);
	if (!input->keep_blanks && copied_text_is_any(&input->copied))
		length = copied_text_undo(&input->copied, line, length);
	if (input->quoted && !input->keep_quotes) {
		size_t quote = quote_length(line, length);

		line += quote;
		length -= quote;
	}
	while (!input->keep_blanks && length > 0 &&
	       (line[length - 1] == ' ' || line[length - 1] == '\t'))
		length--;
	line[length] = '\0';
	input->line = line;
	input->line_length = length;
	input->line_number++;
	if (*line == '#')
		note_frame(input, line, length);
out:
	*ret_line = input->line;
	*ret_length = input->line_length;
	return 1;
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

/* True when nearly every line of the text begins with a mail's quotation mark. */
static bool looks_quoted(const char *text, size_t length)
{
	size_t lines = 0;
	size_t quoted = 0;

	for (size_t i = 0; i < length;) {
		const char *lf = memchr(text + i, '\n', length - i);
		size_t line = lf ? (size_t)(lf - (text + i)) : length - i;

		if (line > 1 || (line == 1 && text[i] != '\r')) {
			lines++;
			quoted += text[i] == '>';
		}
		i += line + 1;
	}
	return lines > 0 && quoted * 8 >= lines * 7;
}

int input_reopen(struct input *input, const char *name, input_read read_more, void *context,
		 uint64_t max_bytes, struct err *err)
{
	char *buffer = input->buffer;
	int rc;

	free(input->probe);
	*input = (struct input){
		.name = name,
		.read = read_more,
		.context = context,
		.max_bytes = max_bytes,
		.buffer = buffer,
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
	input->quoted = looks_quoted(input->buffer + input->start,
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

int input_probe(struct input *input, struct probe *ret_probe, struct err *err)
{
	const char *slash = strrchr(input->name, '/');
	struct input copy = *input;
	char *text;
	size_t length;
	size_t used = 0;
	char *line;

	free(input->probe);
	input->probe = malloc(2 * INPUT_PROBE_SIZE + 2);
	if (!input->probe)
		return err_no_memory(err);
	/* The lines of a copy, written over it as they are cleaned: never longer than it was. */
	copy.buffer = input->probe + INPUT_PROBE_SIZE + 1;
	copy.end = input->end < INPUT_PROBE_SIZE ? input->end : INPUT_PROBE_SIZE;
	copy.at_end = true;
	copy.lf = copy.cr = (struct mark){.at = NONE};
	memcpy(copy.buffer, input->buffer, copy.end);
	text = input->probe;
	while (input_line(&copy, &line, &length, err) == 1) {
		memcpy(text + used, line, length);
		used += length;
		if (copy.start < copy.end)
			text[used++] = '\n';
	}
	ret_probe->name = slash ? slash + 1 : input->name;
	ret_probe->text = text;
	ret_probe->length = used;
	return 0;
}
