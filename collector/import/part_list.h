/* The parts of one file, told before any is read; and what a part's source is called. */
#ifndef COLLECTOR_IMPORT_PART_LIST_H
#define COLLECTOR_IMPORT_PART_LIST_H

#include "collector/import/parts.h"
#include "store/fabric.h"

struct listed_part {
	struct part part;
	uint64_t end;		/* byte of the content behind its last line; UINT64_MAX: the file's end */
	unsigned number;	/* among the file's parts of this format, from 1 */
};

struct part_list {
	struct listed_part *parts;	/* those that hold something; the caller frees it */
	size_t count;
	size_t room;
	size_t known;			/* parts of a format */
};

/* How many parts of each format there were so far; start with all zero. */
struct part_numbers {
	unsigned of[64];
};

/* The number of one more part of this format (NULL: of none). */
unsigned part_number_next(struct part_numbers *numbers, const struct format *format);

/*
 * Reads the input to its end, but for one whose beginning is of no format: that is
 * one part. A file that fails on the way has the parts up to there; reading it tells.
 * 0, ERR_NOMEM, or ERR_LIMIT: more than `max` parts.
 */
int part_list_scan(struct input *input, bool whole, size_t max, struct part_list *ret_list,
		   struct err *err);

/* Nothing is lost with the line when it is not read: noise of a terminal, a prompt, a comment. */
bool part_line_is_empty(const char *line, size_t length);

/*
 * "s.log (iblinkinfo)", "s.log (iblinkinfo 2)", "s.log (other output)": unlike a line
 * number it stays what it is from one night's log to the next. NULL: no memory.
 */
char *part_name(struct fabric *fabric, const char *file, const struct format *format,
		unsigned number);

#endif
