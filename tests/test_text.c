#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/text.h"

static const char *escaped(const char *in, size_t length)
{
	static char out[256];

	text_escape(in, length, out, sizeof(out));
	return out;
}

static void control_bytes_and_foreign_encodings_are_escaped(void **state)
{
	(void)state;

	assert_string_equal(escaped("a\033[31mb", 7), "a\\x1b[31mb");
	assert_string_equal(escaped("caf\xe9", 4), "caf\\xe9");
	assert_string_equal(escaped("\xc2\x9bm", 3), "\\xc2\\x9bm");
	assert_string_equal(escaped("\xe2\x80\xae", 3), "\\xe2\\x80\\xae");
	assert_string_equal(escaped("\xc0\x80", 2), "\\xc0\\x80");
	assert_string_equal(escaped("\0", 1), "\\x00");
}

static void printable_text_passes_as_it_is(void **state)
{
	(void)state;

	static const char text[] = "n\"02\" <b> \\ caf\xc3\xa9";

	assert_string_equal(escaped(text, sizeof(text) - 1), text);
}

static void an_escape_is_never_cut_in_half(void **state)
{
	char out[7];

	(void)state;

	assert_int_equal(text_escape("a\001\002", 3, out, sizeof(out)), 5);
	assert_string_equal(out, "a\\x01");
}

static void guids_are_numbers_whatever_their_padding(void **state)
{
	uint64_t guid = 0;
	char out[GUID_TEXT_SIZE];

	(void)state;

	assert_true(guid_parse("0x2c90300b1c200", 15, &guid));
	assert_string_equal(guid_format(guid, out), "0x0002c90300b1c200");
	assert_true(guid_parse("0002C90300B1C200", 16, &guid));
	assert_string_equal(guid_format(guid, out), "0x0002c90300b1c200");
	assert_false(guid_parse("", 0, &guid));
	assert_false(guid_parse("0x", 2, &guid));
	assert_false(guid_parse("00002c90300b1c2000", 18, &guid));
	assert_false(guid_parse("12g4", 4, &guid));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(control_bytes_and_foreign_encodings_are_escaped),
		cmocka_unit_test(printable_text_passes_as_it_is),
		cmocka_unit_test(an_escape_is_never_cut_in_half),
		cmocka_unit_test(guids_are_numbers_whatever_their_padding),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
