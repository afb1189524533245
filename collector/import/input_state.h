/* What input.c and input_look.c share: nobody else looks into an input. */
#ifndef COLLECTOR_IMPORT_INPUT_STATE_H
#define COLLECTOR_IMPORT_INPUT_STATE_H

#include "collector/import/copied_text.h"
#include "collector/import/input.h"

/* Room for the longest line, its end, and one good read behind it. */
#define INPUT_BUFFER_SIZE (INPUT_LINE_MAX + ((size_t)256 << 10))
#define INPUT_READ_SIZE ((size_t)256 << 10)

#define INPUT_NONE SIZE_MAX

/* Where a line-ending byte comes next, so that no stretch is searched twice. */
struct input_mark {
	size_t at;		/* its place, or INPUT_NONE in all that was searched */
	size_t searched;	/* everything in front of this was looked at */
};

struct input {
	const char *name;
	input_read read;
	void *context;
	uint64_t max_bytes;
	uint64_t bytes;		/* of content so far */
	char *buffer;		/* INPUT_BUFFER_SIZE + 1, so that a line can always be ended */
	size_t start;		/* of what was not handed out yet */
	size_t end;
	bool at_end;		/* the source has no more */
	struct err failure;	/* why it has no more, to be told behind what it had; code 0: nothing failed */
	struct input_mark lf;
	struct input_mark cr;
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

/* Reads once more behind what is there. The caller has made room. 0 or an error. */
int input_fill(struct input *input, struct err *err);

/* Moves the rest to the front, with the line that the watch sees and, unless it is long, the last one. */
void input_compact(struct input *input);

#endif
