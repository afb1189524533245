/* One file with the output of several tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define TOPOLOGY                                                                                  \
	"vendid=0x2c9\ndevid=0xcb20\nswitchguid=0x8f10500650010(8f10500650010)\n"                 \
	"Switch\t20 \"S-0008f10500650010\"\t\t# \"s\" base port 0 lid 4 lmc 0\n\n"
#define ROW(port) "           4   " port "[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
/* Without the title that begins them. */
#define LINKS                                                                                     \
	ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6")   \
	ROW("7") ROW("8") ROW("9") ROW("10")

static void what_else_a_log_holds_and_nothing_begins_is_named(void **state)
{
	struct fabric *mixed = import_text("s.log", "[root@sm ~]# ibnetdiscover\n" TOPOLOGY LINKS);
	struct fabric *alone = import_text("s.log", "[root@sm ~]# ibnetdiscover\n" TOPOLOGY);
	const char *format = mixed->sources[0].format;

	(void)state;
	assert_non_null(mixed->sources[0].detail);
	assert_non_null(strstr(mixed->sources[0].detail,
			       strcmp(format, "ibnetdiscover") == 0 ? "lines look like iblinkinfo"
								    : "lines look like ibnetdiscover"));
	assert_true(mixed->partial);
	assert_null(alone->sources[0].detail);
	assert_int_equal(alone->sources[0].odd_rows, 0);
	fabric_free(mixed);
	fabric_free(alone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_else_a_log_holds_and_nothing_begins_is_named)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
