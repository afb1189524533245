/*
 * The same damage done to a sample of every format: what mail programs, terminals
 * and editors do to a text must change nothing of what is read, and what is lost
 * must be told. The samples are the fuzzer's seeds (samples/fuzz/<format>/).
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"
#include "support/same_fabric.h"
#include "support/sample_files.h"

/* Every line between `before` and `after`, which takes the place of its end. */
static void wrap_lines(const struct text *in, const char *before, const char *after,
		       struct text *out)
{
	out->length = 0;
	for (size_t i = 0; i < in->length;) {
		const char *lf = memchr(in->bytes + i, '\n', in->length - i);
		size_t line = lf ? (size_t)(lf - (in->bytes + i)) : in->length - i;

		text_put(out, before, strlen(before));
		text_put(out, in->bytes + i, line);
		text_put(out, after, strlen(after));
		i += line + 1;
	}
}

static void to_crlf(const struct text *in, struct text *out)
{
	wrap_lines(in, "", "\r\n", out);
}

static void to_quotation(const struct text *in, struct text *out)
{
	wrap_lines(in, "> ", "\n", out);
}

static void to_colours(const struct text *in, struct text *out)
{
	wrap_lines(in, "\x1b[32m", "\x1b[0m\n", out);
}

static void to_blanks(const struct text *in, struct text *out)
{
	wrap_lines(in, "", " \t \n", out);
}

static void to_bom(const struct text *in, struct text *out)
{
	out->length = 0;
	text_put(out, "\xef\xbb\xbf", 3);
	text_put(out, in->bytes, in->length);
}

/* How one kind of format takes to one kind of harm. */
struct harm {
	const char *name;
	void (*make)(const struct text *in, struct text *out);
	bool not_by_hand;	/* a program that reads its own files stumbles over it as OpenSM does */
};

static const struct harm harms[] = {
	{"CRLF", to_crlf, true},
	{"mail quotation", to_quotation, false},
	{"colours", to_colours, false},
	{"byte order mark", to_bom, true},
	{"blanks at line ends", to_blanks, true},
};

/* same_fabric without its word on the first difference. */
static bool is_same(const struct fabric *a, const struct fabric *b)
{
	if (a->device_count != b->device_count || a->fact_count != b->fact_count ||
	    a->sources[0].rows != b->sources[0].rows)
		return false;
	return same_fabric(a, b);
}

static void harmless(const struct sample *sample)
{
	static struct text harmed;
	struct fabric *clean;

	/* A sample that a fuzzer has mangled already is nobody's output. */
	if (told_format(&sample->text) != sample->format ||
	    memchr(sample->text.bytes, '\r', sample->text.length) ||
	    memchr(sample->text.bytes, '\x1b', sample->text.length) ||
	    sample->text.bytes[sample->text.length - 1] != '\n')
		return;
	clean = read_sample(sample->format, &sample->text);
	for (size_t i = 0; i < sizeof(harms) / sizeof(harms[0]); i++) {
		struct fabric *fabric;

		if (harms[i].not_by_hand && sample->format->by_hand)
			continue;
		harms[i].make(&sample->text, &harmed);
		if (told_format(&harmed) != sample->format)
			fail_msg("%s: not told with %s", sample->name, harms[i].name);
		fabric = read_sample(sample->format, &harmed);
		if (!same_fabric(clean, fabric))
			fail_msg("%s: another fabric with %s", sample->name, harms[i].name);
		fabric_free(fabric);
	}
	fabric_free(clean);
}

static void what_mail_and_terminals_do_to_a_text_changes_nothing(void **state)
{
	(void)state;
	each_sample(harmless);
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

/*
 * Cut at every byte: a line that lost its end is told, unless what is read is
 * the same as with that line whole, or as without it.
 */
static void cut(const struct sample *sample)
{
	static struct text part;
	struct fabric *before = NULL;	/* up to the line's begin */
	struct fabric *whole = NULL;	/* with all of the line */
	size_t begin = 0, end = 0;

	if (told_format(&sample->text) != sample->format || sample->format->by_hand)
		return;
	/* Each eleventh byte: every place in a line is met in one sample or another. */
	for (size_t length = 1; length < sample->text.length; length += 11) {
		struct fabric *fabric;

		if (length > end) {
			while (length > end) {
				const char *lf = memchr(sample->text.bytes + end, '\n',
							sample->text.length - end);

				begin = end;
				end = lf ? (size_t)(lf - sample->text.bytes) + 1 : sample->text.length;
			}
			fabric_free(before);
			fabric_free(whole);
			part = sample->text;
			part.length = begin;
			before = read_sample(sample->format, &part);
			part.length = end;
			whole = read_sample(sample->format, &part);
		}
		if (length == begin || length == end)
			continue;
		part.length = length;
		fabric = read_sample(sample->format, &part);
		if (!is_told(fabric) && !is_same(fabric, before) && !is_same(fabric, whole))
			fail_msg("%s: cut at byte %zu nothing is told", sample->name, length);
		fabric_free(fabric);
	}
	fabric_free(before);
	fabric_free(whole);
}

static void a_line_that_lost_its_end_is_told(void **state)
{
	(void)state;
	each_sample(cut);
}

/* A word that numbers stand behind, in the words of one format. */
static const char *const lid_words[] = {
	" lid ", "Lid ", "LID ", "lid:", "LID:", "Lid:", "base lid:", "Base lid:", "SM lid:", "lid=",
	"Lid=", "LID=", "sm lid ", "Lid............................",
};

/* Each number behind such a word replaced by one that no LID is. */
static void widen(const struct sample *sample)
{
	static struct text harmed;

	if (told_format(&sample->text) != sample->format || sample->format->by_hand)
		return;
	/* There a number is part of what somebody said, or of a name. */
	if (strncmp(sample->name, "opensm_log/", 11) == 0 ||
	    strcmp(sample->name, "subnet_lst/braces") == 0)
		return;
	for (size_t w = 0; w < sizeof(lid_words) / sizeof(lid_words[0]); w++) {
		size_t length = strlen(lid_words[w]);

		for (size_t i = 0; i + length < sample->text.length; i++) {
			size_t at = i + length;
			struct fabric *fabric;

			if (memcmp(sample->text.bytes + i, lid_words[w], length) != 0 ||
			    (i > 0 && isalpha((unsigned char)sample->text.bytes[i - 1])))
				continue;
			while (at < sample->text.length && (sample->text.bytes[at] == ' ' ||
							    sample->text.bytes[at] == '.'))
				at++;
			if (at >= sample->text.length || sample->text.bytes[at] < '0' ||
			    sample->text.bytes[at] > '9')
				continue;
			harmed.length = 0;
			text_put(&harmed, sample->text.bytes, at);
			text_put(&harmed, "0x11170", 7);
			if (sample->text.bytes[at + 1] != 'x') {
				harmed.length -= 7;
				text_put(&harmed, "70000", 5);
			}
			while (at < sample->text.length &&
			       strchr("0123456789abcdefx", sample->text.bytes[at]) != NULL)
				at++;
			text_put(&harmed, sample->text.bytes + at, sample->text.length - at);
			fabric = read_sample(sample->format, &harmed);
			if (!is_told(fabric))
				fail_msg("%s: LID 70000 at byte %zu is not told", sample->name, i);
			fabric_free(fabric);
		}
	}
}

static void a_lid_that_is_none_is_told(void **state)
{
	(void)state;
	each_sample(widen);
}

/* Two captures in one file: as much as one. */
static void twice(const struct sample *sample)
{
	static struct text doubled;
	struct fabric *once, *both;

	if (told_format(&sample->text) != sample->format || sample->format->by_hand ||
	    sample->text.bytes[sample->text.length - 1] != '\n')
		return;
	doubled = sample->text;
	text_put(&doubled, sample->text.bytes, sample->text.length);
	once = read_sample(sample->format, &sample->text);
	both = read_sample(sample->format, &doubled);
	if (once->device_count != both->device_count)
		fail_msg("%s: %zu devices are %zu when told twice", sample->name,
			 once->device_count, both->device_count);
	for (size_t i = 0; i < once->device_count; i++) {
		const struct device *a = once->devices[i], *b = both->devices[i];

		if (a->guid != b->guid || a->port_slots != b->port_slots ||
		    (a->lft == NULL) != (b->lft == NULL))
			fail_msg("%s: device %zu is another when told twice", sample->name, i);
	}
	fabric_free(once);
	fabric_free(both);
}

static void two_captures_in_one_file_are_one_fabric(void **state)
{
	(void)state;
	each_sample(twice);
}

/* One word in five left out: the reader ends by itself, and its numbers are in range. */
static void lose_words(const struct sample *sample)
{
	static struct text harmed;
	size_t words = 0;

	for (size_t i = 0; i < sample->text.length; i++) {
		size_t end = i;
		struct fabric *fabric;

		while (end < sample->text.length && strchr(" \t,:|\n", sample->text.bytes[end]) == NULL)
			end++;
		if (end == i)
			continue;
		if (words++ % 5 != 0) {
			i = end;
			continue;
		}
		harmed.length = 0;
		text_put(&harmed, sample->text.bytes, i);
		text_put(&harmed, sample->text.bytes + end, sample->text.length - end);
		fabric = read_sample(sample->format, &harmed);
		for (size_t d = 0; d < fabric->device_count; d++) {
			const struct device *device = fabric->devices[d];

			for (size_t p = 0; p < device->port_slots; p++) {
				const struct port *port = device->ports[p];

				if (port && port->info.lid != FIELD_UNKNOWN &&
				    (port->info.lid < 0 || port->info.lid > 0xffff))
					fail_msg("%s: without the word at byte %zu a LID is none",
						 sample->name, i);
			}
		}
		fabric_free(fabric);
		i = end;
	}
}

static void a_column_that_is_missing_makes_no_impossible_number(void **state)
{
	(void)state;
	each_sample(lose_words);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_mail_and_terminals_do_to_a_text_changes_nothing),
		cmocka_unit_test(a_line_that_lost_its_end_is_told),
		cmocka_unit_test(a_lid_that_is_none_is_told),
		cmocka_unit_test(two_captures_in_one_file_are_one_fabric),
		cmocka_unit_test(a_column_that_is_missing_makes_no_impossible_number),
	};

	return cmocka_run_group_tests_name("import_damage", tests, NULL, NULL);
}
