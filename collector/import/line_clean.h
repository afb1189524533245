/* What terminals and mails put into and in front of lines. */
#ifndef COLLECTOR_IMPORT_LINE_CLEAN_H
#define COLLECTOR_IMPORT_LINE_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

#define LINE_ESCAPE 0x1b

/* Takes terminal escape sequences out of the line, in place; returns what is left. */
size_t line_strip_escapes(char *line, size_t length);

/* Bytes of "> " and "> > " at the start of a line. */
size_t line_quote_length(const char *line, size_t length);

/* True when nearly every line of the text begins with a mail's quotation mark. */
bool text_is_quoted(const char *text, size_t length);

#endif
