#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/finding.h"
#include "tests/support/import_text.h"

static struct fabric *read_partitions(const char *text)
{
	return import_text("partitions.conf", text);
}

/* The partition with this key; fails the test when there is none. */
static const struct partition *partition(const struct fabric *fabric, unsigned key)
{
	for (size_t i = 0; i < fabric->config->partition_count; i++) {
		if (fabric->config->partitions[i].pkey == key)
			return &fabric->config->partitions[i];
	}
	fail_msg("no partition 0x%04x", key);
	return NULL;
}

static void assert_dropped(const char *text, int64_t line)
{
	struct fabric *fabric = read_partitions(text);
	const struct config_problem *problem = find_problem(fabric, "partitions-dropped", 0);

	if (!problem)
		fail_msg("%s was not dropped", text);
	assert_int_equal(problem->line, line);
	assert_int_equal(fabric->config->partition_count, 1);
	assert_int_equal(fabric->config->partitions[0].pkey, 0x7fff);
	assert_int_equal(fabric->config->partitions[0].member_count, 1);
	assert_int_equal(fabric->config->partitions[0].members[0].kind, MEMBER_ALL);
	assert_int_equal(fabric->config->partitions[0].members[0].membership, MEMBERSHIP_FULL);
	fabric_free(fabric);
}

static void assert_quiet(const char *text)
{
	struct fabric *fabric = read_partitions(text);

	if (fabric->config->problem_count != 0)
		fail_msg("%s", fabric->config->problems[0].text);
	fabric_free(fabric);
}

static void a_default_partition_is_made_before_the_file_is_read(void **state)
{
	struct fabric *fabric = read_partitions("Blue=0x0020 : ALL=full;\n");
	const struct partition *first = partition(fabric, 0x7fff);

	(void)state;

	assert_string_equal(first->name, "Default");
	assert_int_equal(first->line, 0);
	assert_int_equal(first->member_count, 2);
	assert_int_equal(first->members[0].kind, MEMBER_ALL);
	assert_int_equal(first->members[0].membership, MEMBERSHIP_LIMITED);
	assert_int_equal(first->members[1].kind, MEMBER_SELF);
	assert_int_equal(first->members[1].membership, MEMBERSHIP_FULL);
	assert_int_equal(partition(fabric, 0x20)->member_count, 1);
	fabric_free(fabric);
}

static void keys_that_differ_in_bit_15_are_one_partition(void **state)
{
	struct fabric *fabric = read_partitions("Blue=0x0020 : 0x5001=full ;\nRed=0x8020 : 0x5002 ;\n");
	const struct partition *blue = partition(fabric, 0x20);

	(void)state;

	assert_int_equal(fabric->config->partition_count, 2);
	assert_string_equal(blue->name, "Blue");
	assert_int_equal(blue->member_count, 2);
	assert_true(blue->members[1].guid == 0x5002);
	assert_int_equal(blue->members[1].membership, MEMBERSHIP_LIMITED);
	assert_int_equal(find_problem(fabric, "merged-partitions", 0)->line, 2);
	fabric_free(fabric);
	assert_quiet("Blue=0x20 : 0x5001 ;\nBlue=0x20 : 0x5002 ;\nDefault=0xffff : ALL=full;\n");
}

static void a_rule_without_a_key_is_found_by_name_or_given_one(void **state)
{
	struct fabric *fabric = read_partitions("One=0x1 : ALL;\nNew : ALL;\nDefault : ALL=full;\n"
						"New : SELF=full;\nZero=0x8000 : ALL;\n");

	(void)state;

	assert_string_equal(partition(fabric, 2)->name, "New");
	assert_int_equal(partition(fabric, 2)->member_count, 2);
	assert_string_equal(partition(fabric, 3)->name, "Zero");
	assert_int_equal(partition(fabric, 0x7fff)->member_count, 3);
	assert_int_equal(fabric->config->partition_count, 4);
	fabric_free(fabric);
}

static void words_may_be_abbreviated(void **state)
{
	struct fabric *fabric = read_partitions("A=0x10, i, m=5, r=16, d=f : A, ALL_S=l, SE=b ;\n");
	const struct partition *made = partition(fabric, 0x10);

	(void)state;

	assert_true(made->ipoib);
	assert_int_equal(made->mtu_code, 5);
	assert_int_equal(made->rate_code, 16);
	assert_int_equal(made->members[0].kind, MEMBER_ALL);
	assert_int_equal(made->members[0].membership, MEMBERSHIP_FULL);
	assert_int_equal(made->members[1].kind, MEMBER_ALL_SWITCHES);
	assert_int_equal(made->members[1].membership, MEMBERSHIP_LIMITED);
	assert_int_equal(made->members[2].kind, MEMBER_SELF);
	assert_int_equal(made->members[2].membership, MEMBERSHIP_BOTH);
	fabric_free(fabric);
}

static void one_fault_drops_the_whole_file(void **state)
{
	(void)state;

	assert_dropped("Blue=0x20 : ALL=full;\nRed=0x21 : all=full;\n", 2);
	assert_dropped("Blue=0x20 : 248a070300a1b2c0=full;\n", 1);
	assert_dropped("Blue=0x20,\n ipoib : ALL=full;\n", 1);
	assert_dropped("Blue=0x2x : ALL=full;\n", 1);
	assert_dropped("Blue=0x20 : ALL=full\nRed=0x21 : ALL;\n", 2);
	assert_dropped("# nothing but a comment\n", 0);
	assert_dropped("Blue=0x20 : ALL=full;\r\n", 1);
	assert_dropped("Blue=0x20 : ALL=full;\rRed=0x21 : ALL;\n\r\n", 2);
	assert_dropped("\xef\xbb\xbf# first\nBlue=0x20 : ALL=full;\n", 1);
}

static void rules_may_span_lines_and_share_one(void **state)
{
	struct fabric *fabric = read_partitions("Blue=0x20 :\n\t0x5001,\n\t0x5002=full ;   # second\n"
						" Red=0x21 : SELF ; Green=0x22: ALL\n");

	(void)state;

	assert_int_equal(partition(fabric, 0x20)->member_count, 2);
	assert_int_equal(partition(fabric, 0x20)->members[1].line, 3);
	assert_int_equal(partition(fabric, 0x21)->line, 4);
	assert_int_equal(partition(fabric, 0x22)->member_count, 1);
	fabric_free(fabric);
}

static void behind_a_semicolon_in_the_first_place_opensm_reads_what_its_buffer_holds(void **state)
{
	struct fabric *fabric;

	(void)state;

	assert_dropped("Blue=0x20 : ALL=full,\n\t0x248a070300a1b2c0=full\n;\n", 3);
	assert_dropped("Blue=0x20 : ALL=full\n; # done\n", 2);
	assert_dropped("Blue=0x20 : ALL=full\n; Red=0x21 : SELF ;\n", 2);
	fabric = read_partitions("Blue=0x20 : ALL=full\n ;\n");
	assert_int_equal(partition(fabric, 0x20)->member_count, 1);
	fabric_free(fabric);
}

/* OpenSM steps behind the line's NUL there, and Debian's 3.3.23 takes some such files and drops others. */
static void an_mgid_that_ends_its_rule_is_chance_unless_something_follows(void **state)
{
	static const struct {
		const char *text;
		bool chance;
	} cases[] = {
		{"A=0x10 : ALL=full, mgid=ff12:401b::1;\n", true},
		{"A=0x10 : mgid=ff12:401b::1;", true},
		{"A=0x10 : ALL=full, mgid=ff12:401b::1, sl=1;\n", false},
		{"A=0x10 : mgid=ff12:401b::1\n ALL=full;\n", false},
		{"A=0x10 : ALL=full;\n", false},
		{"A=0x10 : ALL=full; # the end\n", false},
		{"A=0x10 : ALL=full;", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = read_partitions(cases[i].text);

		assert_int_equal(find_problem(fabric, "partitions-chance", 0) != NULL,
				 cases[i].chance);
		assert_null(find_problem(fabric, "partitions-dropped", 0));
		fabric_free(fabric);
	}
}

static void an_mgid_takes_its_line_and_nothing_more(void **state)
{
	struct fabric *fabric = read_partitions("Default=0x7fff, ipoib :\nmgid=ff12:401b::1   # all hosts\n"
						"mgid=ff12:401b::fb, sl=1\nALL=full, SELF=full;\n");

	(void)state;

	assert_int_equal(fabric->config->problem_count, 0);
	assert_true(partition(fabric, 0x7fff)->ipoib);
	assert_int_equal(partition(fabric, 0x7fff)->member_count, 4);
	fabric_free(fabric);
}

static void sizes_in_the_place_of_codes_are_told_with_their_code(void **state)
{
	struct fabric *fabric = read_partitions("A=0x10, ipoib, mtu=2048, rate=100 : ALL;\n"
						"B=0x11, ipoib, mtu=4, rate=40 : ALL;\n"
						"C=0x12, ipoib, mtu=4, rate=200 : ALL;\n"
						"D=0x13, ipoib, mtu=5, rate=10 : ALL;\n");

	(void)state;

	assert_false(partition(fabric, 0x10)->ipoib);
	assert_int_equal(partition(fabric, 0x10)->mtu_code, 2048);
	assert_non_null(strstr(find_problem(fabric, "mtu-no-code", 0)->remedy, "mtu=4"));
	assert_non_null(strstr(find_problem(fabric, "rate-no-code", 0)->remedy, "rate=16"));
	assert_false(partition(fabric, 0x11)->ipoib);
	assert_non_null(strstr(find_problem(fabric, "rate-no-code", 1)->remedy, "rate=7"));
	assert_true(partition(fabric, 0x12)->ipoib);
	assert_non_null(strstr(find_problem(fabric, "rate-no-code", 2)->text, "largest"));
	assert_true(partition(fabric, 0x13)->ipoib);
	assert_non_null(strstr(find_problem(fabric, "rate-code-or-size", 0)->text, "120 Gb/s"));
	fabric_free(fabric);
	assert_quiet("A=0x10, ipoib, mtu = 4 , rate = 7, sl=3, indx0 : ALL;\n");
}

static void words_in_another_case_are_told(void **state)
{
	struct fabric *fabric = read_partitions("A=0x10, IPoIB, defmember=Full : ALL, SELF=FULL, 0x5001= ;\n");
	const struct partition *made = partition(fabric, 0x10);

	(void)state;

	assert_false(made->ipoib);
	assert_int_equal(made->members[0].membership, MEMBERSHIP_LIMITED);
	assert_int_equal(made->members[1].membership, MEMBERSHIP_LIMITED);
	assert_int_equal(made->members[2].membership, MEMBERSHIP_FULL);
	assert_non_null(find_problem(fabric, "partition-flag", 0));
	assert_non_null(find_problem(fabric, "membership-word", 2));
	fabric_free(fabric);
}

static void a_partition_without_members_is_not_made(void **state)
{
	struct fabric *fabric = read_partitions("A=0x10 : NONE;\n");

	(void)state;

	assert_non_null(find_problem(fabric, "empty-partition", 0));
	fabric_free(fabric);
}

static void an_sl_is_lost_when_the_partition_is_given_again(void **state)
{
	struct fabric *fabric = read_partitions("A=0x10, sl=3 : ALL;\nA=0x10 : SELF=full;\n");

	(void)state;

	assert_true(partition(fabric, 0x10)->sl == FIELD_UNKNOWN);
	assert_int_equal(find_problem(fabric, "partition-sl-lost", 0)->line, 2);
	fabric_free(fabric);
}

static void a_key_that_opensm_makes_up_is_told(void **state)
{
	struct fabric *fabric = read_partitions("A=0x10 : ALL=full;\nB : ALL=full;\nA : SELF=full;\n");

	(void)state;
	assert_int_equal(find_problem(fabric, "generated-key", 0)->line, 2);
	assert_null(find_problem(fabric, "generated-key", 1));
	assert_int_equal(find_problem(fabric, "generated-key", 0)->severity, SEVERITY_INFO);
	fabric_free(fabric);
	fabric = read_partitions("A=0x10 : ALL=full;\n : ALL=full;\n");
	assert_int_equal(find_problem(fabric, "generated-key", 0)->severity, SEVERITY_ERROR);
	fabric_free(fabric);
}

#define LONG_NAME "a-name-of-exactly-32-characters!"

static void a_name_of_32_characters_is_never_found_again(void **state)
{
	struct fabric *fabric =
		read_partitions(LONG_NAME "=0x10 : ALL=full;\n" LONG_NAME " : SELF=full;\n");

	(void)state;
	assert_int_equal(partition(fabric, 0x10)->member_count, 1);
	assert_int_equal(partition(fabric, 0x0001)->member_count, 1);
	assert_int_equal(find_problem(fabric, "generated-key", 0)->severity, SEVERITY_ERROR);
	fabric_free(fabric);
	fabric = read_partitions("a-name-of-exactly-31-characters=0x10 : ALL=full;\n"
				 "a-name-of-exactly-31-characters : SELF=full;\n");
	assert_int_equal(partition(fabric, 0x10)->member_count, 2);
	fabric_free(fabric);
}

static void the_name_tells_what_no_line_does(void **state)
{
	(void)state;

	/* A definition without members, then what is none at all. */
	assert_dropped("A;\n", 1);
	assert_dropped("Blue\nGreen\n;\n", 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_default_partition_is_made_before_the_file_is_read),
		cmocka_unit_test(keys_that_differ_in_bit_15_are_one_partition),
		cmocka_unit_test(a_rule_without_a_key_is_found_by_name_or_given_one),
		cmocka_unit_test(words_may_be_abbreviated),
		cmocka_unit_test(one_fault_drops_the_whole_file),
		cmocka_unit_test(rules_may_span_lines_and_share_one),
		cmocka_unit_test(
			behind_a_semicolon_in_the_first_place_opensm_reads_what_its_buffer_holds),
		cmocka_unit_test(an_mgid_takes_its_line_and_nothing_more),
		cmocka_unit_test(an_mgid_that_ends_its_rule_is_chance_unless_something_follows),
		cmocka_unit_test(sizes_in_the_place_of_codes_are_told_with_their_code),
		cmocka_unit_test(words_in_another_case_are_told),
		cmocka_unit_test(a_partition_without_members_is_not_made),
		cmocka_unit_test(an_sl_is_lost_when_the_partition_is_given_again),
		cmocka_unit_test(a_key_that_opensm_makes_up_is_told),
		cmocka_unit_test(a_name_of_32_characters_is_never_found_again),
		cmocka_unit_test(the_name_tells_what_no_line_does),
	};

	return cmocka_run_group_tests_name("config_partitions", tests, NULL, NULL);
}
