/* Forwarding tables that lost a row in one file, beside a file that tells them whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

#define FTS_A "Unicast lids [0x0-0x3] of switch Lid 1 guid 0x00000000000000aa (wader):\n0x0001 000 \n"
#define FTS_B "Unicast lids [0x0-0x3] of switch Lid 2 guid 0x00000000000000bb (heron):\n0x0001 001 \n0x0002 000 \n"
#define FTS_END "3 valid lids dumped \n"
#define FTS FTS_A "0x0002 001 \n0x0003 009 \n" FTS_END FTS_B "0x0003 007 \n3 valid lids dumped \n"
#define FTS_TORN FTS_A "0x0002 001 \n" FTS_END FTS_B "0x0003 007 \n3 valid lids dumped \n"

#define SM_A "Unicast lids [0-3] of switch Lid 1 guid 0x00000000000000aa ('wader'):\n0x0001 000 # x\n"
#define SM_B "Unicast lids [0-3] of switch Lid 2 guid 0x00000000000000bb ('heron'):\n0x0001 001 # x\n0x0002 000 # x\n"
#define SM_END "3 lids dumped\n"
#define SM SM_A "0x0002 001 # x\n0x0003 009 # x\n" SM_END SM_B "0x0003 007 # x\n" SM_END
#define SM_TORN SM_A "0x0002 001 # x\n" SM_END SM_B "0x0003 007 # x\n" SM_END
/* No table of it has a way to LID 3. */
#define SM_NO_PATH SM_A "0x0002 001 # x\n" SM_END SM_B SM_END

static struct fabric *read_two(const char *first, const char *second)
{
	struct import_text *files = import_text_new();

	import_text_add(files, "a", first, strlen(first));
	import_text_add(files, "b", second, strlen(second));
	return import_text_run(files);
}

/* The route to LID 3 stands, nothing is missing, nothing contradicts. */
static void assert_whole(const char *first, const char *second)
{
	struct fabric *fabric = read_two(first, second);
	const struct device *device = must_device(fabric, 0xaa);

	assert_true(lft_known(device, 3));
	assert_int_equal(device->lft[3], 9);
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(fabric->hole_count, 0);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void assert_unknown(struct fabric *fabric, size_t holes)
{
	assert_false(lft_known(must_device(fabric, 0xaa), 3));
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(fabric->hole_count, holes);
	for (size_t i = 0; i < fabric->hole_count; i++) {
		assert_int_equal(fabric->holes[i].attribute, ATTRIBUTE_LFT);
		assert_int_equal(fabric->holes[i].reason, HOLE_INCONSISTENT);
		assert_true(fabric->holes[i].device == must_device(fabric, 0xaa));
	}
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void a_table_that_lost_a_row_is_not_known_from_its_file_alone(void **state)
{
	(void)state;
	assert_unknown(import_text("a", FTS_TORN), 1);
	assert_unknown(import_text("a", SM_TORN), 1);
}

static void two_whole_files_agree(void **state)
{
	(void)state;
	assert_whole(FTS, SM);
	assert_whole(SM, FTS);
}

static void a_row_that_is_only_missing_contradicts_nobody(void **state)
{
	(void)state;
	assert_whole(FTS, SM_TORN);
	assert_whole(SM_TORN, FTS);
}

static void the_file_that_lost_a_row_says_so_in_its_detail(void **state)
{
	struct fabric *fabric = read_two(FTS, SM_TORN);
	const char *detail = fabric->sources[1].detail;

	(void)state;
	assert_null(fabric->sources[0].detail);
	assert_non_null(detail);
	assert_non_null(strstr(detail, "it has no row for LID 3, which other tables have"));
	assert_non_null(strstr(detail, "another file tells it whole"));
	fabric_free(fabric);
}

static void what_another_file_tells_whole_is_not_missing(void **state)
{
	(void)state;
	assert_whole(FTS_TORN, SM);
	assert_whole(SM, FTS_TORN);
	assert_whole(FTS_TORN, FTS);
	assert_whole(FTS, FTS_TORN);
	assert_whole(SM, SM_TORN);
	assert_whole(SM_TORN, SM);
}

static void a_row_that_both_files_lost_stays_missing(void **state)
{
	(void)state;
	assert_unknown(read_two(FTS_TORN, SM_TORN), 2);
	assert_unknown(read_two(SM_TORN, FTS_TORN), 2);
}

static void a_path_that_no_table_of_a_file_has_is_contradicted_by_one_that_has_it(void **state)
{
	static const char *const files[][2] = {{FTS, SM_NO_PATH}, {SM_NO_PATH, FTS}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct fabric *fabric = read_two(files[i][0], files[i][1]);

		assert_int_equal(must_device(fabric, 0xaa)->lft[3], 9);
		assert_int_equal(fabric->contradiction_count, 2);
		assert_string_equal(fabric->contradictions[0].kept, "LID 3: port 9");
		assert_string_equal(fabric->contradictions[0].other, "LID 3: no path");
		fabric_free(fabric);
	}
}

static void a_table_that_goes_elsewhere_is_a_contradiction_though_it_lost_a_row(void **state)
{
	static const char other[] = SM_A "0x0002 005 # x\n" SM_END SM_B "0x0003 007 # x\n" SM_END;
	struct fabric *fabric = read_two(FTS, other);

	(void)state;
	assert_int_equal(must_device(fabric, 0xaa)->lft[2], 1);
	assert_int_equal(fabric->contradiction_count, 1);
	assert_string_equal(fabric->contradictions[0].kept, "LID 2: port 1");
	assert_string_equal(fabric->contradictions[0].other, "LID 2: port 5");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_that_lost_a_row_is_not_known_from_its_file_alone),
		cmocka_unit_test(two_whole_files_agree),
		cmocka_unit_test(a_row_that_is_only_missing_contradicts_nobody),
		cmocka_unit_test(the_file_that_lost_a_row_says_so_in_its_detail),
		cmocka_unit_test(what_another_file_tells_whole_is_not_missing),
		cmocka_unit_test(a_row_that_both_files_lost_stays_missing),
		cmocka_unit_test(a_path_that_no_table_of_a_file_has_is_contradicted_by_one_that_has_it),
		cmocka_unit_test(a_table_that_goes_elsewhere_is_a_contradiction_though_it_lost_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
