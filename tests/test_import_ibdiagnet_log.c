/* ibdiagnet2.log with lines lost or folded: a warning is no other stage's, and no half of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_text.h"

#define HEAD "Running version:   \"IBDIAGNET 2.0\"\nRunning timestamp: 2024-03-01 00:00:00 UTC +0000\n\n"
#define RULE "----------\n"
#define OK "-I- finished successfully\n"
#define WARNING "-W- store7 - No response for MAD\n"
#define TABLE                                                                                     \
	"Summary\n-I- Stage                     Warnings   Errors     Comment\n"                  \
	"-I- Discovery                 1          0\n"                                            \
	"-I- Routing                   0          0\n"                                            \
	"\n-I- You can find detailed errors/warnings in: x.log\n"

/* The stages of the warnings, one behind the other. */
static void stages_of(const struct fabric *fabric, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < fabric->fact_count && n < size; i++) {
		if (strcmp(fabric->facts[i].section, "ibdiagnet-log-warning") == 0)
			n += (size_t)snprintf(out + n, size - n, "%s: %s;", fabric->facts[i].key,
					      fabric->facts[i].value);
	}
}

static void a_warning_belongs_to_the_stage_whose_heading_stands_over_it(void **state)
{
	static const struct {
		const char *middle;
		const char *stages;
		int64_t odd;
	} logs[] = {
		{RULE "Discovery\n" OK WARNING "\n" RULE "Routing\n-W- a\n\n",
		 "Discovery: store7 - No response for MAD;Routing: a;", 0},
		/* The dashes, then the heading. */
		{RULE "Discovery\n" OK WARNING "\nRouting\n-W- a\n\n",
		 "Discovery: store7 - No response for MAD;Routing: a;", 0},
		{RULE "Discovery\n" OK WARNING "\n" RULE "-W- a\n\n",
		 "Discovery: store7 - No response for MAD;", 1},
		{RULE "Discovery\n" OK WARNING "\n" RULE "[...]\n-W- a\n\n",
		 "Discovery: store7 - No response for MAD;", 2},
		{RULE "Discovery\n" OK WARNING "[...]\n-W- a\n\n",
		 "Discovery: store7 - No response for MAD;", 2},
		/* Folded. */
		{RULE "Discovery\n" OK "-W- store7 - No resp\nonse for MAD\n-W- a\n\n", "Discovery: a;", 1},
		{RULE "Discovery\n" OK "-W- store7 - No resp\n\n\nProse.\n\n",
		 "Discovery: store7 - No resp;", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		char text[1024];
		char stages[256];
		struct fabric *fabric;

		snprintf(text, sizeof(text), HEAD "%s" RULE TABLE, logs[i].middle);
		fabric = import_text("a.log", text);
		stages_of(fabric, stages, sizeof(stages));
		assert_string_equal(stages, logs[i].stages);
		assert_int_equal(fabric->sources[0].odd_rows, logs[i].odd);
		assert_false(fabric->partial);
		fabric_free(fabric);
	}
}

static void a_line_in_the_table_of_stages_that_is_no_row_is_told(void **state)
{
	struct fabric *fabric = import_text("a.log", HEAD RULE "Discovery\n" OK "\n" RULE
		"Summary\n-I- Stage                     Warnings   Errors     Comment\n"
		"-I- Discovery                 1          0\nRouting\n\n");

	(void)state;
	assert_int_equal(fabric->sources[0].odd_rows, 1);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_warning_belongs_to_the_stage_whose_heading_stands_over_it),
		cmocka_unit_test(a_line_in_the_table_of_stages_that_is_no_row_is_told),
	};

	return cmocka_run_group_tests_name("import_ibdiagnet_log", tests, NULL, NULL);
}
