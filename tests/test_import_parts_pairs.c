/*
 * The output of two tools in one terminal's log: read as the two files by themselves.
 * The samples of all formats are put together in pairs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/import.h"
#include "store/config.h"
#include "tests/support/import_text.h"
#include "tests/support/sample_files.h"
#include "tests/support/sub_fabric.h"

#define PROMPT "[root@sm ~]# cat /tmp/capture\n"

#define SAMPLES_MAX 400

static struct kept {
	char name[128];
	const struct format *format;
	char *bytes;
	size_t length;
} kept[SAMPLES_MAX];
static size_t kept_count;
static unsigned failures;

/* Whole samples that are taken for what they are, each ended as a tool ends its last line. */
static void keep(const struct sample *sample)
{
	struct kept *one = &kept[kept_count];

	/* What a tool complains about in front of its output may be the one's before. */
	if (strncmp(sample->text.bytes, "src/", 4) == 0)
		return;
	if (told_format(&sample->text) != sample->format || sample->text.length == 0 ||
	    sample->text.bytes[sample->text.length - 1] != '\n')
		return;
	assert_true(kept_count < SAMPLES_MAX);
	snprintf(one->name, sizeof(one->name), "%s", sample->name);
	one->format = sample->format;
	one->length = sample->text.length;
	one->bytes = malloc(one->length);
	assert_non_null(one->bytes);
	memcpy(one->bytes, sample->text.bytes, one->length);
	kept_count++;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct kept *)a)->name, ((const struct kept *)b)->name);
}

static int keep_samples(void **state)
{
	(void)state;
	each_sample(keep);
	qsort(kept, kept_count, sizeof(kept[0]), by_name);
	return 0;
}

static int forget_samples(void **state)
{
	(void)state;
	for (size_t i = 0; i < kept_count; i++)
		free(kept[i].bytes);
	return 0;
}

/* What people write has no prompt in it where it is read. */
static size_t put_file(char *out, const struct kept *one, bool prompt)
{
	size_t used = prompt ? strlen(PROMPT) : 0;

	memcpy(out, PROMPT, used);
	memcpy(out + used, one->bytes, one->length);
	return used + one->length;
}

static bool by_hand(const struct kept *one)
{
	return one->format->by_hand;
}

static struct fabric *import_pair(const struct kept *a, const struct kept *b, bool together,
				  bool prompts)
{
	static char text[4 * SAMPLE_TEXT_MAX];
	struct import_text *files = import_text_new();
	size_t used = put_file(text, a, prompts && (together || !by_hand(a)));

	if (!together) {
		import_text_add(files, "a", text, used);
		used = 0;
	}
	used += put_file(text + used, b, prompts && (together || !by_hand(b)));
	import_text_add(files, "b", text, used);
	return import_text_run(files);
}

static int64_t odd_rows(const struct fabric *fabric)
{
	int64_t odd = 0;

	for (size_t i = 0; i < fabric->source_count; i++)
		odd += fabric->sources[i].odd_rows;
	return odd;
}

static bool same_config(const struct config *a, const struct config *b)
{
	return a->option_count == b->option_count && a->partition_count == b->partition_count &&
	       a->problem_count == b->problem_count && a->event_count == b->event_count &&
	       a->policy.present == b->policy.present && !a->opensm_conf == !b->opensm_conf &&
	       !a->opensm_log == !b->opensm_log && !a->partitions_conf == !b->partitions_conf;
}

/*
 * The answers of one tool are one source, read from the first to the last: what names a node
 * has to come first, as in a file of both.
 */
static bool is_one_file(const struct kept *a, const struct kept *b)
{
	return a->format->read == b->format->read;
}

static void expect_same(const struct kept *a, const struct kept *b, bool prompts)
{
	struct fabric *apart = import_pair(a, b, false, prompts);
	struct fabric *one = import_pair(a, b, true, prompts);
	char why[300] = "";

	if (!is_sub_fabric(one, apart, why, sizeof(why))) {
		print_error("%s + %s: together only: %s\n", a->name, b->name, why);
		failures++;
	} else if (!is_sub_fabric(apart, one, why, sizeof(why))) {
		print_error("%s + %s: apart only: %s\n", a->name, b->name, why);
		failures++;
	} else if (odd_rows(one) != odd_rows(apart) || one->hole_count != apart->hole_count ||
		   one->contradiction_count != apart->contradiction_count ||
		   one->host_port_count != apart->host_port_count ||
		   one->host_gid_count != apart->host_gid_count ||
		   one->fact_count != apart->fact_count || one->partial != apart->partial) {
		print_error("%s + %s: together %lld odd, %zu holes, %zu contradictions, %zu+%zu of hosts, %zu facts; "
			    "apart %lld, %zu, %zu, %zu+%zu, %zu\n", a->name, b->name, (long long)odd_rows(one),
			    one->hole_count, one->contradiction_count, one->host_port_count, one->host_gid_count,
			    one->fact_count, (long long)odd_rows(apart), apart->hole_count,
			    apart->contradiction_count, apart->host_port_count, apart->host_gid_count,
			    apart->fact_count);
		failures++;
	} else if (!same_config(one->config, apart->config)) {
		print_error("%s + %s: another configuration\n", a->name, b->name);
		failures++;
	}
	fabric_free(apart);
	fabric_free(one);
}

/* The first sample of its format, a whole one before others. */
static bool stands_for_format(size_t at)
{
	size_t best = SAMPLES_MAX;

	for (size_t i = 0; i < kept_count; i++) {
		if (kept[i].format == kept[at].format &&
		    (best == SAMPLES_MAX ||
		     (strstr(kept[i].name, "/whole") && !strstr(kept[best].name, "/whole"))))
			best = i;
	}
	return best == at;
}

static void two_formats_in_one_log_are_read_as_two_files(void **state)
{
	size_t pairs = 0;

	(void)state;
	failures = 0;
	for (size_t i = 0; i < kept_count; i++) {
		for (size_t j = 0; stands_for_format(i) && j < kept_count; j++) {
			if (i == j || !stands_for_format(j) || is_one_file(&kept[i], &kept[j]))
				continue;
			expect_same(&kept[i], &kept[j], true);
			pairs++;
		}
	}
	assert_true(pairs > 1500);
	assert_int_equal(failures, 0);
}

/* Formats that no line begins which could not stand in another file: only a prompt shows them. */
static bool has_beginning(const struct kept *one)
{
	static const char *const open[] = {"guid2lid", "guid2mkey", "ibdm-topo", "ndt", "neighbors",
					   "node-name-map", "opensm.conf", "partitions.conf",
					   "qos-policy.conf", "ttar", "opensm.log"};

	for (size_t i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
		if (strcmp(one->format->id, open[i]) == 0)
			return false;
	}
	return true;
}

static void two_formats_pasted_together_are_read_as_two_files_where_both_show_their_beginnings(void **state)
{
	size_t pairs = 0;

	(void)state;
	failures = 0;
	for (size_t i = 0; i < kept_count; i++) {
		for (size_t j = 0; stands_for_format(i) && has_beginning(&kept[i]) && j < kept_count; j++) {
			if (!stands_for_format(j) || !has_beginning(&kept[j]) ||
			    is_one_file(&kept[i], &kept[j]))
				continue;
			expect_same(&kept[i], &kept[j], false);
			pairs++;
		}
	}
	assert_true(pairs > 400);
	assert_int_equal(failures, 0);
}

static void no_sample_by_itself_is_taken_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < kept_count; i++) {
		static char text[4 * SAMPLE_TEXT_MAX];
		struct import_text *files = import_text_new();
		struct fabric *fabric;

		import_text_add(files, "a", text, put_file(text, &kept[i], false));
		fabric = import_text_run(files);
		if (fabric->source_count != 1)
			fail_msg("%s has %zu parts", kept[i].name, fabric->source_count);
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_formats_in_one_log_are_read_as_two_files),
		cmocka_unit_test(two_formats_pasted_together_are_read_as_two_files_where_both_show_their_beginnings),
		cmocka_unit_test(no_sample_by_itself_is_taken_apart),
	};

	return cmocka_run_group_tests_name("import_parts_pairs", tests, keep_samples, forget_samples);
}
