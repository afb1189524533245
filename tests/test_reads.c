#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "store/reads.h"
#include "tests/support/build_fabric.h"

static void words_come_one_by_one(void **state)
{
	const char *at = "  lid sl2vl  opensm.conf ";
	struct read_word word;

	(void)state;
	assert_true(reads_next(&at, &word));
	assert_int_equal(word.kind, READ_FIELD);
	assert_string_equal(word.field->member, "lid");
	assert_true(reads_next(&at, &word));
	assert_int_equal(word.kind, READ_SL2VL);
	assert_null(word.field);
	assert_true(reads_next(&at, &word));
	assert_int_equal(word.kind, READ_OPENSM_CONF);
	assert_false(reads_next(&at, &word));
}

static void nothing_and_no_text_have_no_words(void **state)
{
	const char *empty = "", *none = NULL;
	struct read_word word;

	(void)state;
	assert_false(reads_next(&empty, &word));
	assert_false(reads_next(&none, &word));
}

static void the_beginning_of_a_word_is_another_word(void **state)
{
	const char *at = "sl2v sl2vlx li";
	struct read_word word;

	(void)state;
	while (reads_next(&at, &word))
		assert_int_equal(word.kind, READ_UNKNOWN);
}

static struct read_word one(const char *text)
{
	struct read_word word = {0};

	assert_true(reads_next(&text, &word));
	return word;
}

static void what_was_not_read_is_not_known(void **state)
{
	const struct read_word lid = one("lid"), sl2vl = one("sl2vl"), lft = one("lft");
	struct fabric *fabric = build_fabric();
	struct device *device = fabric_device_add(fabric, 0x10, NODE_TYPE_SWITCH);
	struct port *port = fabric_port(fabric, device, 1);

	(void)state;
	assert_false(reads_port_knows(port, &lid));
	assert_false(reads_port_knows(port, &sl2vl));
	assert_false(reads_port_knows(port, &lft));
	assert_false(reads_device_knows(device, &lft));
	port->info.lid = 0;
	assert_true(reads_port_knows(port, &lid));
	assert_true(device_lft_reserve(fabric, device, 64));
	assert_true(reads_device_knows(device, &lft));
	assert_false(reads_device_knows(device, &lid));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_come_one_by_one),
		cmocka_unit_test(nothing_and_no_text_have_no_words),
		cmocka_unit_test(the_beginning_of_a_word_is_another_word),
		cmocka_unit_test(what_was_not_read_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
