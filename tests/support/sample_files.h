/*
 * The fuzzer's seeds (samples/fuzz/<format>/) as samples of every format, each a
 * text in memory that a test may harm and read.
 */
#ifndef TESTS_SUPPORT_SAMPLE_FILES_H
#define TESTS_SUPPORT_SAMPLE_FILES_H

#include "collector/import/format.h"

#define SAMPLE_TEXT_MAX 16384	/* bytes of a sample; what is made of it has four times the room */

struct text {
	char bytes[4 * SAMPLE_TEXT_MAX];
	size_t length;
};

struct sample {
	char name[128];		/* "<format>/<file>" */
	const struct format *format;
	struct text text;
};

/* Runs the function on every sample of every format; fails the test when there are few. */
void each_sample(void (*run)(const struct sample *sample));

/* What becomes of the bytes when they are read as this format; the caller frees the fabric. */
struct fabric *read_bytes(const struct format *format, const char *bytes, size_t length);
struct fabric *read_sample(const struct format *format, const struct text *text);

/* The format that the text is taken for, or NULL. */
const struct format *told_format(const struct text *text);

/* Adds bytes to the text; fails the test when there is no room. */
void text_put(struct text *out, const char *bytes, size_t length);

#endif
