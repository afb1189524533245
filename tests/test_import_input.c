#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/input.h"

/* Content that arrives in pieces of `step` bytes. */
struct feed {
	const char *text;
	size_t length;
	size_t step;
};

static ssize_t feed_read(void *context, void *buffer, size_t size, struct err *err)
{
	struct feed *feed = context;
	size_t n = feed->length < feed->step ? feed->length : feed->step;

	(void)err;
	if (n > size)
		n = size;
	memcpy(buffer, feed->text, n);
	feed->text += n;
	feed->length -= n;
	return (ssize_t)n;
}

/* All lines joined by '|'. */
static void assert_lines(const char *text, size_t length, const char *expected)
{
	for (size_t step = 1; step <= length + 1; step++) {
		struct feed feed = {text, length, step};
		struct input *input = NULL;
		struct err err = {0};
		char joined[512] = "";
		char *line;
		size_t n;

		assert_int_equal(input_open("x", feed_read, &feed, 1 << 20, &input, &err), 0);
		while (input_line(input, &line, &n, &err) == 1) {
			assert_int_equal(strlen(line), n);
			strcat(joined, line);
			strcat(joined, "|");
		}
		assert_string_equal(joined, expected);
		input_close(input);
	}
}

#define ASSERT_LINES(text, expected) assert_lines(text, sizeof(text) - 1, expected)

static void every_kind_of_line_end_is_one(void **state)
{
	(void)state;
	ASSERT_LINES("a\nb\r\nc\rd\r\r\ne", "a|b|c|d|e|");
	ASSERT_LINES("a\n\n\r\n\rb\n", "a||||b|");
	ASSERT_LINES("", "");
	ASSERT_LINES("\r", "|");
}

static void a_byte_order_mark_and_colours_are_taken_off(void **state)
{
	(void)state;
	ASSERT_LINES("\xef\xbb\xbfone\n\x1b[1;31mtwo\x1b[0m\n", "one|two|");
	ASSERT_LINES("\x1b]0;title\atext\nan end \x1b", "text|an end|");
}

static void blanks_in_front_of_a_line_end_go_but_from_what_people_write(void **state)
{
	struct feed feed = {"one \t\n \ntwo \n", 12, 100};
	struct input *input = NULL;
	struct err err = {0};
	char *line;
	size_t n;

	(void)state;
	ASSERT_LINES("one \t\n \n  two \r\n", "one||  two|");
	assert_int_equal(input_open("x", feed_read, &feed, 100, &input, &err), 0);
	input_keep_blanks(input);
	assert_int_equal(input_line(input, &line, &n, &err), 1);
	assert_string_equal(line, "one \t");
	input_close(input);
}

static void quotation_marks_go_when_the_whole_file_is_quoted(void **state)
{
	(void)state;
	ASSERT_LINES("> one\n> > two\n>\n> three\n", "one|two||three|");
	ASSERT_LINES("one\n> two\nthree\n", "one|> two|three|");
}

static void a_line_given_back_comes_once_more(void **state)
{
	struct feed feed = {"one\ntwo\n", 8, 100};
	struct input *input = NULL;
	struct err err = {0};
	char *line;
	size_t n;

	(void)state;
	assert_int_equal(input_open("x", feed_read, &feed, 100, &input, &err), 0);
	assert_int_equal(input_line(input, &line, &n, &err), 1);
	input_unread(input);
	assert_int_equal(input_line(input, &line, &n, &err), 1);
	assert_string_equal(line, "one");
	assert_int_equal(input_line_number(input), 1);
	assert_int_equal(input_line(input, &line, &n, &err), 1);
	assert_string_equal(line, "two");
	assert_int_equal(input_line_number(input), 2);
	input_close(input);
}

static void a_line_without_an_end_is_refused_in_a_sentence(void **state)
{
	size_t length = INPUT_LINE_MAX + 10;
	char *text = malloc(length);
	struct feed feed = {text, length, 4096};
	struct input *input = NULL;
	struct err err = {0};
	char *line;
	size_t n;

	(void)state;
	memset(text, 'x', length);
	memcpy(text, "short\n", 6);
	assert_int_equal(input_open("x", feed_read, &feed, UINT64_MAX, &input, &err), 0);
	assert_int_equal(input_line(input, &line, &n, &err), 1);
	assert_int_equal(n, 5);
	assert_int_equal(input_line(input, &line, &n, &err), ERR_LIMIT);
	assert_non_null(strstr(err.text, "line 2 is longer"));
	input_close(input);
	free(text);
}

static void more_bytes_than_allowed_are_refused(void **state)
{
	struct feed feed = {"0123456789\n", 11, 4};
	struct input *input = NULL;
	struct err err = {0};

	(void)state;
	assert_int_equal(input_open("x", feed_read, &feed, 8, &input, &err), ERR_LIMIT);
	assert_null(input);
}

static void the_probe_is_clean_and_takes_no_line_away(void **state)
{
	static const char text[] = "> a\r\n> \x1b[1mb\r\n> c";
	struct feed feed = {text, sizeof(text) - 1, 3};
	struct input *input = NULL;
	struct probe probe;
	struct err err = {0};
	char *line;
	size_t n;

	(void)state;
	assert_int_equal(input_open("dir/x.txt", feed_read, &feed, 100, &input, &err), 0);
	assert_int_equal(input_probe(input, &probe, &err), 0);
	assert_string_equal(probe.name, "x.txt");
	assert_int_equal(probe.length, 5);
	assert_memory_equal(probe.text, "a\nb\nc", 5);
	assert_int_equal(input_line(input, &line, &n, &err), 1);
	assert_string_equal(line, "a");
	input_close(input);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_line_end_is_one),
		cmocka_unit_test(a_byte_order_mark_and_colours_are_taken_off),
		cmocka_unit_test(blanks_in_front_of_a_line_end_go_but_from_what_people_write),
		cmocka_unit_test(quotation_marks_go_when_the_whole_file_is_quoted),
		cmocka_unit_test(a_line_given_back_comes_once_more),
		cmocka_unit_test(a_line_without_an_end_is_refused_in_a_sentence),
		cmocka_unit_test(more_bytes_than_allowed_are_refused),
		cmocka_unit_test(the_probe_is_clean_and_takes_no_line_away),
	};

	return cmocka_run_group_tests_name("import_input", tests, NULL, NULL);
}
