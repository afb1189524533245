/*
 * What copying a capture through a mail program, a word processor or a web page does
 * to all of its lines: HTML's entities, typographic quotes, blanks that do not break.
 * It is undone where nothing in the file speaks against it.
 */
#ifndef COLLECTOR_IMPORT_COPIED_TEXT_H
#define COLLECTOR_IMPORT_COPIED_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct copied_text {
	bool entities;		/* &quot; &gt; &lt; &amp; &#34; &nbsp; ... */
	bool quotes;		/* typographic quotes stand for " */
	bool apostrophes;	/* and for ' */
	bool blanks;		/* U+00A0 stands for a blank */
};

/*
 * Looks at the beginning of a file. Each kind is undone only if an eighth of the lines
 * has it and the character it stands for is not there itself: a description may hold
 * any of them.
 */
struct copied_text copied_text_look(const char *text, size_t length);

bool copied_text_is_any(const struct copied_text *copied);

/* Undoes it in a line, in place; returns its length, which is never more. */
size_t copied_text_undo(const struct copied_text *copied, char *line, size_t length);

/* What was undone, as a sentence without its end. */
const char *copied_text_words(const struct copied_text *copied);

#endif
