/*
 * Processor time of every reader over the length of its file: each sample again and
 * again, once as it is and once with other GUIDs in each copy. Four times the length
 * costs four times the time; where a reader, or what it fills, walks a list for each
 * row, it costs sixteen times.
 */
#define _DEFAULT_SOURCE		/* wait4() */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "store/fabric.h"
#include "tests/support/sample_files.h"

#define SHORT ((size_t)1 << 20)
#define LONG (4 * SHORT)
#define GUID_DIGITS 16
#define LIMIT 8.0		/* between 4, linear, and 16, quadratic */
#define NOISE 0.2		/* seconds; what is faster tells nothing */

static char bytes[LONG + SAMPLE_TEXT_MAX];
static double worst;
static char worst_name[200];
static unsigned measured;
static unsigned failures;

/* Gives each GUID of the text another one for each number. */
static void change_guids(char *text, size_t length, size_t number)
{
	size_t digits = 0;

	for (size_t i = 0; i <= length; i++) {
		if (i < length && isxdigit((unsigned char)text[i])) {
			digits++;
			continue;
		}
		if (digits == GUID_DIGITS) {
			char changed[5];

			snprintf(changed, sizeof(changed), "%04zx", number & 0xffff);
			memcpy(text + i - 12, changed, 4);
		}
		digits = 0;
	}
}

/* In a process of its own, which has no memory left from what was read before. */
static double cost(const struct sample *sample, size_t size, bool other_guids)
{
	struct rusage usage;
	size_t length = 0;
	int status = 0;
	pid_t child;

	for (size_t copy = 0; length < size; copy++) {
		memcpy(bytes + length, sample->text.bytes, sample->text.length);
		if (other_guids && copy > 0)
			change_guids(bytes + length, sample->text.length, copy);
		length += sample->text.length;
	}
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		fabric_free(read_bytes(sample->format, bytes, length));
		_exit(0);
	}
	assert_int_equal(wait4(child, &status, 0, &usage), child);
	assert_int_equal(status, 0);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6;
}

static void measure(const struct sample *sample)
{
	if (sample->text.length == 0)
		return;
	for (int other = 0; other <= 1; other++) {
		double large = cost(sample, LONG, other);
		double ratio;

		measured++;
		if (large < NOISE)
			continue;
		ratio = large / cost(sample, SHORT, other);
		if (ratio > worst) {
			worst = ratio;
			snprintf(worst_name, sizeof(worst_name), "%s%s", sample->name,
				 other ? ", other GUIDs" : "");
		}
		if (ratio > LIMIT) {
			print_error("%s%s: %.2f s for 4 MiB, %.1f times 1 MiB\n", sample->name,
				    other ? ", other GUIDs" : "", large, ratio);
			failures++;
		}
	}
}

static void four_times_the_length_costs_no_more_than_eight_times_the_time(void **state)
{
	(void)state;
	each_sample(measure);
	print_message("%u texts of 4 MiB; the worst against 1 MiB: %.1f times (%s; the limit is %.0f)\n",
		      measured, worst, worst_name, LIMIT);
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_times_the_length_costs_no_more_than_eight_times_the_time),
	};

	return cmocka_run_group_tests_name("growth", tests, NULL, NULL);
}
