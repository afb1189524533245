/* What an import is given: files, directories, pipes, and what is none of them. */
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/import/import.h"
#include "store/config.h"
#include "store/finding.h"
#include "support/capture_dir.h"
#include "support/import_text.h"

static void a_directory_is_read_in_order_of_strength(void **state)
{
	struct fabric *fabric;
	struct err err = {0};
	char path[256];

	capture_put(*state, "a.pm", PM, sizeof(PM) - 1);
	assert_int_equal(mkdir(capture_path(*state, "sub", path), 0755), 0);
	capture_put(*state, "sub/z.csv", NODES, sizeof(NODES) - 1);
	assert_int_equal(symlink("..", capture_path(*state, "sub/loop", path)), 0);
	assert_int_equal(mkfifo(capture_path(*state, "pipe", path), 0600), 0);
	assert_int_equal(capture_import(*state, ".", NULL, &fabric, &err), 0);
	/* And what was not followed and not read. */
	assert_int_equal(fabric->source_count, 4);
	assert_string_equal(fabric->sources[0].format, "ibdiagnet2.db_csv");
	assert_string_equal(fabric->sources[1].format, "ibdiagnet2.pm");
	assert_string_equal(fabric->sources[2].format, "unknown");
	assert_string_equal(fabric->sources[3].format, "unknown");
	fabric_free(fabric);
}

/* A mail of an opensm.conf quotes its lines; a file of the SM's host with the marks in it is what OpenSM read. */
static void quotation_marks_are_the_mails_but_not_of_a_config_file(void **state)
{
	static const char quoted[] = "> # ours\n> lmc 2\n>qos TRUE\n";
	static const char plain[] = "# ours\nlmc 2\nqos TRUE\n";
	char path[256];
	const char *configs[] = {capture_path(*state, "opensm.conf", path)};
	const struct import_options options = {.configs = configs, .config_count = 1};
	struct fabric *fabric;
	struct err err = {0};

	capture_put(*state, "opensm.conf", quoted, sizeof(quoted) - 1);
	assert_int_equal(capture_import(*state, "opensm.conf", NULL, &fabric, &err), 0);
	assert_string_equal(effective_option(fabric, "lmc"), "2");
	assert_null(find_problem(fabric, "quoted", 0));
	fabric_free(fabric);
	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(import_paths(NULL, 0, &options, fabric, &err), 0);
	assert_string_equal(effective_option(fabric, "lmc"), "0");
	assert_string_equal(effective_option(fabric, "qos"), "FALSE");
	assert_int_equal(find_problem(fabric, "quoted", 0)->severity, SEVERITY_ERROR);
	assert_null(find_problem(fabric, "unknown-key", 0));
	fabric_free(fabric);
	capture_put(*state, "opensm.conf", plain, sizeof(plain) - 1);
	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(import_paths(NULL, 0, &options, fabric, &err), 0);
	assert_string_equal(effective_option(fabric, "lmc"), "2");
	assert_null(find_problem(fabric, "quoted", 0));
	fabric_free(fabric);
}

/* What people save may lack it; of a copy it is told, and no key that stands there is kept. */
static void a_copy_of_a_config_file_whose_last_line_has_no_end_may_be_cut(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{"opensm.conf", "qos TRUE\nsm_key 0x5ec3e7\n"},
		{"partitions.conf", "Default=0x7fff:ALL=full;\nA=0x9:ALL;\n"},
		{"qos-policy.conf", "qos-ulps\n\tdefault : 0\nend-qos-ulps\n"},
		{"guid2lid", "0x00000000000000b1 0x0002 0x0002\n"},
	};
	struct err err = {0};

	for (size_t i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		const char *name = cases[i / 2].name;
		bool torn = i % 2;
		char path[256];
		const char *configs[] = {capture_path(*state, name, path)};
		const struct import_options options = {.configs = configs, .config_count = 1};
		struct fabric *fabric;

		capture_put(*state, name, cases[i / 2].text, strlen(cases[i / 2].text) - torn);
		assert_int_equal(capture_import(*state, name, NULL, &fabric, &err), 0);
		assert_string_equal(fabric->sources[0].format, name);
		assert_int_equal(fabric->sources[0].odd_rows, torn);
		if (torn) {
			assert_string_equal(fabric->odd_lines[0].reason,
					    "the last line has no end: it may be cut");
			assert_string_equal(fabric->odd_lines[0].text, "(hidden)");
		}
		assert_false(fabric->partial);
		fabric_free(fabric);

		/* The SM's own: OpenSM reads it as it is. */
		assert_int_equal(fabric_new(&fabric, &err), 0);
		assert_int_equal(import_paths(NULL, 0, &options, fabric, &err), 0);
		assert_int_equal(fabric->sources[0].odd_rows, 0);
		fabric_free(fabric);
	}
}

static void a_slash_behind_a_directory_is_not_doubled(void **state)
{
	const struct capture_dir *dir = *state;
	struct fabric *fabric;
	struct err err = {0};
	char path[256];

	capture_put(dir, "a.db_csv", NODES, sizeof(NODES) - 1);
	assert_int_equal(capture_import(dir, "", NULL, &fabric, &err), 0);
	assert_string_equal(fabric->sources[0].name, capture_path(dir, "a.db_csv", path));
	fabric_free(fabric);
}

static void what_is_no_capture_is_refused_with_the_reason(void **state)
{
	static const struct {
		const char *name;
		const void *bytes;
		size_t length;
		const char *says;
	} files[] = {
		{"empty", "", 0, "the file is empty"},
		{"binary", "\x7f" "ELF\0\0\1", 7, "binary"},
		{"text", "dear all,\n", 10, "not a capture of any format"},
	};
	struct fabric *fabric;
	struct err err = {0};
	char path[256];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		capture_put(*state, files[i].name, files[i].bytes, files[i].length);
		assert_int_equal(capture_import(*state, files[i].name, NULL, &fabric, &err), ERR_INPUT);
		assert_non_null(strstr(err.text, files[i].says));
		assert_non_null(strstr(err.text, files[i].name));
		fabric_free(fabric);
	}
	assert_int_equal(capture_import(*state, "missing", NULL, &fabric, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, "No such file"));
	fabric_free(fabric);
	mkdir(capture_path(*state, "hollow", path), 0755);
	assert_int_equal(capture_import(*state, "hollow", NULL, &fabric, &err), ERR_INPUT);
	fabric_free(fabric);
}

static void a_pipe_that_nobody_writes_into_ends_in_a_sentence(void **state)
{
	struct fabric *fabric;
	struct err err = {0};
	char path[256];

	assert_int_equal(mkfifo(capture_path(*state, "pipe", path), 0600), 0);
	assert_int_equal(capture_import(*state, "pipe", NULL, &fabric, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, "pipe: nobody writes into this pipe"));
	fabric_free(fabric);
}

static void a_pipe_with_a_writer_is_read(void **state)
{
	struct fabric *fabric;
	struct err err = {0};
	char path[256];
	pid_t writer;
	int status;

	capture_put(*state, "x.csv", NODES, sizeof(NODES) - 1);
	assert_int_equal(mkfifo(capture_path(*state, "pipe", path), 0600), 0);
	writer = fork();
	assert_true(writer >= 0);
	if (writer == 0) {
		struct timespec pause = {.tv_nsec = 200000000};
		int fd;

		nanosleep(&pause, NULL);
		fd = open(path, O_WRONLY);
		_exit(fd < 0 || write(fd, NODES, sizeof(NODES) - 1) < 0);
	}
	assert_int_equal(capture_import(*state, "pipe", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->device_count, 1);
	assert_int_equal(waitpid(writer, &status, 0), writer);
	fabric_free(fabric);
}

static void a_device_is_no_file(void **state)
{
	const char *const paths[] = {"/dev/zero"};
	struct fabric *fabric;
	struct err err = {0};

	(void)state;
	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(import_paths(paths, 1, NULL, fabric, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, "/dev/zero: is a device, not a file"));
	fabric_free(fabric);
}

static void limits_on_size_and_count_hold(void **state)
{
	struct import_options few = {.max_files = 2};
	struct import_options small = {.max_bytes = 40};
	struct fabric *fabric;
	struct err err = {0};

	capture_archive(*state, "three.tar", TAR, capture_pair);
	assert_int_equal(capture_import(*state, "three.tar", &few, &fabric, &err), ERR_LIMIT);
	assert_non_null(strstr(err.text, "2 files"));
	fabric_free(fabric);
	capture_put(*state, "x.csv", NODES, sizeof(NODES) - 1);
	assert_int_equal(capture_import(*state, "x.csv", &small, &fabric, &err), ERR_LIMIT);
	assert_non_null(strstr(err.text, "40 bytes"));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define DIR_TEST(name) cmocka_unit_test_setup_teardown(name, capture_dir_make, capture_dir_remove)
		DIR_TEST(a_copy_of_a_config_file_whose_last_line_has_no_end_may_be_cut),
		DIR_TEST(a_directory_is_read_in_order_of_strength),
		DIR_TEST(a_slash_behind_a_directory_is_not_doubled),
		DIR_TEST(quotation_marks_are_the_mails_but_not_of_a_config_file),
		DIR_TEST(what_is_no_capture_is_refused_with_the_reason),
		DIR_TEST(a_pipe_that_nobody_writes_into_ends_in_a_sentence),
		DIR_TEST(a_pipe_with_a_writer_is_read),
		DIR_TEST(limits_on_size_and_count_hold),
		cmocka_unit_test(a_device_is_no_file),
	};

	return cmocka_run_group_tests_name("import_files", tests, NULL, NULL);
}
