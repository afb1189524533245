/* What a directory holds besides files, and files that change while they are read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/import/import.h"
#include "collector/import/stream.h"

#define NODES                                                                                      \
	"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,DeviceID\n\"sw\",36,2,0x0008f10500650010,1\nEND_NODES\n"  \
	"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\nEND_LINKS\n"

struct dir {
	char path[64];
};

static int make_dir(void **state)
{
	struct dir *dir = calloc(1, sizeof(*dir));

	strcpy(dir->path, "/tmp/ibaudit-directory-XXXXXX");
	*state = dir;
	return mkdtemp(dir->path) ? 0 : -1;
}

static int remove_dir(void **state)
{
	struct dir *dir = *state;
	char command[128];
	int status;

	snprintf(command, sizeof(command), "rm -rf '%s'", dir->path);
	status = system(command);
	free(dir);
	return status;
}

static const char *path_in(const struct dir *dir, const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", dir->path, name);
	return path;
}

static void put(const char *path, const char *text, const char *mode)
{
	FILE *file = fopen(path, mode);

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

/* What the source of this name says of itself; fails the test when there is none. */
static const char *detail_of(const struct fabric *fabric, const char *name)
{
	for (size_t i = 0; i < fabric->source_count; i++) {
		const char *slash = strrchr(fabric->sources[i].name, '/');

		if (slash && strcmp(slash + 1, name) == 0)
			return fabric->sources[i].detail ? fabric->sources[i].detail : "";
	}
	fail_msg("no source %s", name);
	return "";
}

static struct fabric *read_dir(const struct dir *dir, int want, struct err *err)
{
	const char *path = dir->path;
	struct fabric *fabric = NULL;

	assert_int_equal(fabric_new(&fabric, err), 0);
	assert_int_equal(import_paths(&path, 1, NULL, fabric, err), want);
	return fabric;
}

static void what_is_no_file_is_named_and_left(void **state)
{
	const struct dir *dir = *state;
	struct err err = {0};
	struct fabric *fabric;
	char path[256];

	put(path_in(dir, "a.csv", path), NODES, "wb");
	assert_int_equal(mkfifo(path_in(dir, "pipe", path), 0600), 0);
	assert_int_equal(symlink("nowhere", path_in(dir, "gone", path)), 0);
	assert_int_equal(symlink(".", path_in(dir, "circle", path)), 0);
	assert_int_equal(symlink("/dev/zero", path_in(dir, "zero", path)), 0);
	fabric = read_dir(dir, 0, &err);

	assert_int_equal(fabric->source_count, 5);
	assert_int_equal(fabric->device_count, 1);
	assert_false(fabric->partial);
	assert_string_equal(detail_of(fabric, "pipe"), "a pipe in a directory is not read");
	assert_string_equal(detail_of(fabric, "gone"), "a link to nothing");
	assert_string_equal(detail_of(fabric, "zero"), "a device is not read");
	assert_non_null(strstr(detail_of(fabric, "circle"), "is not followed"));
	assert_string_equal(detail_of(fabric, "a.csv"), "");
	fabric_free(fabric);
}

/* A file that fails when it is read, whoever reads. */
#define UNREADABLE "/proc/self/mem"

static void a_file_that_cannot_be_read_leaves_the_snapshot_partial(void **state)
{
	const struct dir *dir = *state;
	struct err err = {0};
	struct fabric *fabric;
	char path[256];

	if (access(UNREADABLE, R_OK) < 0)
		skip();
	put(path_in(dir, "a.csv", path), NODES, "wb");
	assert_int_equal(symlink(UNREADABLE, path_in(dir, "bad", path)), 0);
	fabric = read_dir(dir, 0, &err);

	assert_int_equal(fabric->device_count, 1);
	assert_true(fabric->partial);
	assert_non_null(strstr(detail_of(fabric, "bad"), "cannot be read"));
	fabric_free(fabric);
}

static void a_directory_of_nothing_but_that_says_so(void **state)
{
	const struct dir *dir = *state;
	struct err err = {0};
	char path[256];

	assert_int_equal(symlink("nowhere", path_in(dir, "gone", path)), 0);
	fabric_free(read_dir(dir, ERR_INPUT, &err));
	assert_non_null(strstr(err.text, "none of its 1 files"));
	assert_non_null(strstr(err.text, "gone: a link to nothing"));
}

static void a_file_that_grows_ends_where_it_ended_when_it_was_opened(void **state)
{
	const struct dir *dir = *state;
	struct file_stream stream;
	struct err err = {0};
	char path[256];
	char bytes[64];

	put(path_in(dir, "log", path), "first\n", "wb");
	assert_int_equal(stream_open(path, &stream, &err), 0);
	put(path, "second\n", "ab");
	assert_int_equal(stream_read(&stream, bytes, sizeof(bytes), &err), 6);
	assert_memory_equal(bytes, "first\n", 6);
	assert_int_equal(stream_read(&stream, bytes, sizeof(bytes), &err), 0);
	close(stream.fd);
}

static void a_file_that_shrinks_ends_where_it_ends(void **state)
{
	const struct dir *dir = *state;
	struct file_stream stream;
	struct err err = {0};
	char path[256];
	char bytes[64];

	put(path_in(dir, "log", path), "first\nsecond\n", "wb");
	assert_int_equal(stream_open(path, &stream, &err), 0);
	assert_int_equal(truncate(path, 6), 0);
	assert_int_equal(stream_read(&stream, bytes, sizeof(bytes), &err), 6);
	assert_int_equal(stream_read(&stream, bytes, sizeof(bytes), &err), 0);
	close(stream.fd);
}

static void a_file_that_the_kernel_makes_up_is_read_to_its_end(void **state)
{
	struct file_stream stream;
	struct err err = {0};
	char bytes[64];

	(void)state;
	assert_int_equal(stream_open("/proc/self/stat", &stream, &err), 0);
	assert_true(stream_read(&stream, bytes, sizeof(bytes), &err) > 0);
	close(stream.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_no_file_is_named_and_left, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(a_file_that_cannot_be_read_leaves_the_snapshot_partial,
						make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(a_directory_of_nothing_but_that_says_so, make_dir,
						remove_dir),
		cmocka_unit_test_setup_teardown(a_file_that_grows_ends_where_it_ended_when_it_was_opened,
						make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(a_file_that_shrinks_ends_where_it_ends, make_dir,
						remove_dir),
		cmocka_unit_test(a_file_that_the_kernel_makes_up_is_read_to_its_end),
	};

	return cmocka_run_group_tests_name("import_directory", tests, NULL, NULL);
}
