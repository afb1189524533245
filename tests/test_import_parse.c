#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/format.h"

static int64_t cell(const char *text)
{
	int64_t value = 4711;

	assert_true(import_parse_cell(text, strlen(text), &value));
	return value;
}

static void words_for_nothing_are_unknown_and_never_zero(void **state)
{
	static const char *const words[] = {"N/A", "n/a", "NA", "ERR", "-1", "?", "???", "", "  \t"};

	(void)state;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_int_equal(cell(words[i]), FIELD_UNKNOWN);
	assert_int_equal(cell("0"), 0);
	assert_int_equal(cell(" 0x0010 "), 16);
}

static void a_number_is_the_whole_text_or_none(void **state)
{
	uint64_t value = 0;
	int64_t other;

	(void)state;
	assert_true(import_parse_u64("18446744073709551615", 20, &value));
	assert_true(value == UINT64_MAX);
	assert_false(import_parse_u64("18446744073709551616", 20, &value));
	assert_true(import_parse_u64("0xfe80000000000000", 18, &value));
	assert_true(value == UINT64_C(0xfe80000000000000));
	assert_false(import_parse_u64("0x", 2, &value));
	assert_false(import_parse_u64("12a", 3, &value));
	assert_false(import_parse_cell("twelve", 6, &other));
}

static void widths_and_speeds_read_as_the_tools_print_them(void **state)
{
	int64_t value;

	(void)state;
	assert_true(import_parse_width("4xEDR", 5, &value));
	assert_int_equal(value, 4);
	assert_true(import_parse_width("12X", 3, &value));
	assert_int_equal(value, 12);
	assert_true(import_parse_width("??", 2, &value));
	assert_int_equal(value, FIELD_UNKNOWN);
	assert_false(import_parse_width("3x", 2, &value));
	assert_true(import_parse_speed("25.78125", 8, &value));
	assert_int_equal(value, 512);
	/* A cell that the file does not have. */
	assert_false(import_parse_speed(NULL, 0, &value));
	assert_true(import_parse_speed("FDR10", 5, &value));
	assert_int_equal(value, 65536);
	assert_true(import_parse_speed("???", 3, &value));
	assert_int_equal(value, FIELD_UNKNOWN);
	assert_false(import_parse_speed("fast", 4, &value));
}

static int64_t when(const char *text)
{
	int64_t value = -1;

	return import_parse_time(text, strlen(text), &value) ? value : -1;
}

static void times_of_the_tools_become_utc_seconds(void **state)
{
	(void)state;
	assert_int_equal(when("Thu Jan  1 00:00:00 1970"), 0);
	assert_int_equal(when("Thu Feb 29 12:00:00 2024"), 1709208000);
	assert_int_equal(when("Fri Mar  1 00:00:00 CET 2024"), 1709251200);
	assert_int_equal(when("2024-03-01 00:00:00 UTC +0000"), 1709251200);
	assert_int_equal(when("2024-03-01 08:00:00 CST +0800"), 1709251200);
	assert_int_equal(when("2024-02-29 20:30:00 X -0330"), 1709251200);
	assert_int_equal(when("2024-13-01 00:00:00"), -1);
	assert_int_equal(when("yesterday"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_for_nothing_are_unknown_and_never_zero),
		cmocka_unit_test(a_number_is_the_whole_text_or_none),
		cmocka_unit_test(widths_and_speeds_read_as_the_tools_print_them),
		cmocka_unit_test(times_of_the_tools_become_utc_seconds),
	};

	return cmocka_run_group_tests_name("import_parse", tests, NULL, NULL);
}
