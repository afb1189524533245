/*
 * Harm that takes something away from a file, done to a sample of every format: a
 * line or what tells whose lines follow, the ends of long lines, what stands first
 * in each line. What is left to read must be true, and what is gone must be told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"
#include "support/same_fabric.h"
#include "support/sample_files.h"
#include "support/sub_fabric.h"

static unsigned failures;

/* The lines, each put into `out` by `put` with its number. */
static void each_line(const struct text *in, struct text *out,
		      void (*put)(struct text *out, const char *line, size_t length, size_t argument),
		      size_t argument)
{
	out->length = 0;
	for (size_t i = 0; i < in->length;) {
		const char *lf = memchr(in->bytes + i, '\n', in->length - i);
		size_t line = lf ? (size_t)(lf - (in->bytes + i)) : in->length - i;

		put(out, in->bytes + i, line, argument);
		i += line + 1;
	}
}

static void put_cut(struct text *out, const char *line, size_t length, size_t width)
{
	text_put(out, line, length < width ? length : width);
	text_put(out, "\n", 1);
}

static void put_folded(struct text *out, const char *line, size_t length, size_t width)
{
	do {
		size_t part = length < width ? length : width;

		put_cut(out, line, part, width);
		line += part;
		length -= part;
	} while (length > 0);
}

static void put_stamped(struct text *out, const char *line, size_t length, size_t argument)
{
	(void)argument;
	text_put(out, "[10:00:00] ", 11);
	put_cut(out, line, length, length);
}

/* Something that the reader said of what it could not use. */
static bool is_told(const struct fabric *fabric)
{
	if (fabric->partial || fabric->hole_count > 0 || fabric->config->problem_count > 0)
		return true;
	for (size_t i = 0; i < fabric->source_count; i++) {
		if (fabric->sources[i].odd_rows > 0)
			return true;
	}
	return false;
}

static bool is_same(const struct fabric *a, const struct fabric *b)
{
	char why[256];

	return is_sub_fabric(a, b, why, sizeof(why)) && is_sub_fabric(b, a, why, sizeof(why));
}

static void expect(const struct sample *sample, const struct fabric *clean, const struct text *harmed,
		   bool tell, const char *harm, size_t number)
{
	const struct format *format = told_format(harmed);
	struct fabric *fabric;
	char why[256] = "";

	/* Refused, which tells everything. */
	if (!format)
		return;
	fabric = read_sample(format, harmed);
	if (!is_sub_fabric(fabric, clean, why, sizeof(why))) {
		print_error("%s: %s %zu: %s\n", sample->name, harm, number, why);
		failures++;
	} else if (tell && !is_told(fabric) && !is_same(fabric, clean)) {
		print_error("%s: %s %zu: nothing is told\n", sample->name, harm, number);
		failures++;
	}
	fabric_free(fabric);
}

/* Formats whose records have lines that a reader can count: each one that is missing is told. */
static const char *const counted[] = {"smpquery/", "smpquery_nodes/", "saquery/", "saquery_nodes/",
				      "perfquery/", "ibstat/", "ibstatus/", "dump_fts/", "opensm_lfts/",
				      "fdbs/", "sminfo/"};

static bool is_counted(const struct sample *sample)
{
	for (size_t i = 0; i < sizeof(counted) / sizeof(counted[0]); i++) {
		if (strncmp(sample->name, counted[i], strlen(counted[i])) == 0)
			return true;
	}
	return false;
}

static bool is_mine(const struct sample *sample)
{
	return told_format(&sample->text) == sample->format &&
	       !sample->format->by_hand && sample->text.bytes[sample->text.length - 1] == '\n';
}

static void wrap(const struct sample *sample)
{
	static const size_t widths[] = {79, 80, 100, 132};
	static struct text harmed;
	struct fabric *clean;

	if (!is_mine(sample))
		return;
	clean = read_sample(sample->format, &sample->text);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		each_line(&sample->text, &harmed, put_cut, widths[i]);
		expect(sample, clean, &harmed, true, "cut at", widths[i]);
		each_line(&sample->text, &harmed, put_folded, widths[i]);
		expect(sample, clean, &harmed, true, "folded at", widths[i]);
	}
	each_line(&sample->text, &harmed, put_stamped, 0);
	expect(sample, clean, &harmed, true, "a stamp in front", 0);
	fabric_free(clean);
}

static void lines_cut_folded_or_stamped_lose_facts_and_say_so(void **state)
{
	(void)state;
	failures = 0;
	each_sample(wrap);
	assert_int_equal(failures, 0);
}

/* Each line by itself, and each with a mark of what was left out. */
static void lose_line(const struct sample *sample)
{
	static struct text harmed;
	struct fabric *clean;
	size_t number = 0;

	if (!is_mine(sample))
		return;
	clean = read_sample(sample->format, &sample->text);
	for (size_t i = 0; i < sample->text.length;) {
		const char *lf = memchr(sample->text.bytes + i, '\n', sample->text.length - i);
		size_t next = (size_t)(lf - sample->text.bytes) + 1;

		number++;
		/* What a tool complains of is no line of its dump. */
		if (strncmp(sample->text.bytes + i, "SubnGet(", 8) == 0) {
			i = next;
			continue;
		}
		harmed.length = 0;
		text_put(&harmed, sample->text.bytes, i);
		text_put(&harmed, sample->text.bytes + next, sample->text.length - next);
		expect(sample, clean, &harmed, is_counted(sample), "without line", number);
		harmed.length = i;
		text_put(&harmed, "[...]\n", 6);
		text_put(&harmed, sample->text.bytes + next, sample->text.length - next);
		expect(sample, clean, &harmed, true, "instead of line", number);
		i = next;
	}
	fabric_free(clean);
}

static void a_line_that_is_missing_gives_nothing_to_another_node(void **state)
{
	(void)state;
	failures = 0;
	each_sample(lose_line);
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_cut_folded_or_stamped_lose_facts_and_say_so),
		cmocka_unit_test(a_line_that_is_missing_gives_nothing_to_another_node),
	};

	return cmocka_run_group_tests_name("import_less", tests, NULL, NULL);
}
