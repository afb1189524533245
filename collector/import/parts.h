/*
 * A file that holds the output of several tools, taken apart: at prompts behind
 * which another format follows, and at lines that only another format begins with.
 * Behind a prompt with a command that is none of our tools, what is of no known format is a part
 * by itself.
 *
 *	parts_begin(&parts, input, false);
 *	while ((rc = parts_next(&parts, &part, err)) == 1)
 *		... input_line gives the part's lines and then 0
 *
 * What OpenSM reads as a whole is not taken apart but at prompts: a
 * configuration that quotes a tool in a comment stays one.
 */
#ifndef COLLECTOR_IMPORT_PARTS_H
#define COLLECTOR_IMPORT_PARTS_H

#include "collector/import/beginnings.h"
#include "collector/import/input.h"
#include "collector/import/prompt.h"

struct part {
	const struct format *format;	/* NULL: of none, and not to be read */
	int64_t line;			/* number of its first line */
	uint64_t place;			/* byte of the content that it begins at, */
	uint64_t mark;			/* and that a prompt in front of it does */
	bool behind_prompt;		/* a command line shows where it begins */
	char host[80];			/* of the last prompt in front of it; "": none, or nobody knows */
	int64_t time;			/* that `date` printed in front of it, UTC seconds; 0: it did not */
	int64_t lead;			/* lines in front of what shows its format: prose */
};

struct parts {
	struct input *input;
	bool whole;		/* it is one part, whatever is in it */
	bool begun;
	bool fresh;		/* no line of the part was given so far */
	bool full;		/* its prompts name the host: the short ones are none */
	bool hopeless;		/* the beginning of the file shows no format at all */
	bool more;		/* the watch ended the part */
	struct part now;
	struct part next;	/* that the watch found */
	char host[80];		/* of the last prompt so far */
	bool seen;		/* it has a line that a file has once */
	bool dated;		/* `date` ran in front of the first part */
	bool content;		/* it has lines that are no prompts, comments or blank */
	int64_t lines;		/* of it so far */
};

/* `whole`: never taken apart. The input stands in front of its first line. */
void parts_begin(struct parts *parts, struct input *input, bool whole);

/* The next part, once the lines of the one before were read or passed over: 1, 0 at the end, or an error. */
int parts_next(struct parts *parts, struct part *ret_part, struct err *err);

#endif
