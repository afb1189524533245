/* The loop over a file's lines, which most readers share. */
#ifndef COLLECTOR_IMPORT_EACH_LINE_H
#define COLLECTOR_IMPORT_EACH_LINE_H

#include "collector/import/format.h"

/* Takes one line, which is ended by a NUL and may hold others. 0 or a negative error, which ends the loop. */
typedef int (*line_fn)(void *reader, const char *line, size_t length);

/* Gives the function every line that is left. 0 at the end, or the first error. */
int each_line(struct input *input, line_fn take, void *reader, struct err *err);

#endif
