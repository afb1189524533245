/* Archives and compressed files: whole, cut, in each other, and bombs. */
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

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>

#include "collector/import/import.h"
#include "store/config.h"
#include "store/finding.h"
#include "support/capture_dir.h"
#include "support/import_text.h"

static void every_kind_of_archive_gives_the_same_fabric(void **state)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = {{"a.tar", TAR}, {"b.tgz", TAR_GZIP}, {"c.txz", TAR_XZ}, {"d.zip", ZIP}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct fabric *fabric;
		struct err err = {0};
		const struct device *device;

		capture_archive(*state, kinds[i].name, kinds[i].kind, capture_pair);
		assert_int_equal(capture_import(*state, kinds[i].name, NULL, &fabric, &err), 0);
		assert_int_equal(fabric->device_count, 1);
		device = fabric->devices[0];
		assert_int_equal(device->type, NODE_TYPE_SWITCH);
		assert_true(device_port(device, 3)->counters->value[COUNTER_symbol_error] == 5);
		/* The database first, though it stands behind; what nobody knows is a source too. */
		assert_int_equal(fabric->source_count, 3);
		assert_non_null(strstr(fabric->sources[0].name, ":run/b.db_csv"));
		assert_string_equal(fabric->sources[2].format, "unknown");
		fabric_free(fabric);
	}
}

static void one_compressed_file_is_that_file(void **state)
{
	struct fabric *fabric;
	struct err err = {0};
	const struct member alone[] = {capture_pair[1], {NULL, NULL, 0}};

	capture_archive(*state, "x.gz", GZIP, alone);
	assert_int_equal(capture_import(*state, "x.gz", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->device_count, 1);
	fabric_free(fabric);
}

/* One device, and behind it lines that hardly shrink. */
static void put_long_nodes(char *text, size_t size)
{
	uint32_t value = 1;

	memcpy(text, NODES, sizeof(NODES) - 1);
	for (size_t i = sizeof(NODES) - 1; i < size; i++) {
		value = value * 1103515245 + 12345;
		text[i] = i % 80 == 0 ? '\n' : i % 80 == 1 ? '#' : (char)('a' + (value >> 16) % 26);
	}
}

/* Keeps a part of the file. */
static void cut_file(const struct capture_dir *dir, const char *name, double part)
{
	struct stat status;
	char path[256];

	assert_int_equal(stat(capture_path(dir, name, path), &status), 0);
	assert_int_equal(truncate(path, (off_t)((double)status.st_size * part)), 0);
}

static void an_archive_cut_in_its_first_file_gives_what_is_left(void **state)
{
	static const struct {
		const char *name;
		enum kind kind;
	} kinds[] = {{"a.gz", GZIP}, {"b.tgz", TAR_GZIP}, {"c.txz", TAR_XZ}, {"d.tar", TAR}};
	static char text[200000];
	const struct member alone[] = {{"x.db_csv", text, sizeof(text)}, {NULL, NULL, 0}};

	put_long_nodes(text, sizeof(text));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct fabric *fabric;
		struct err err = {0};

		capture_archive(*state, kinds[i].name, kinds[i].kind, alone);
		assert_int_equal(capture_import(*state, kinds[i].name, NULL, &fabric, &err), 0);
		assert_int_equal(fabric->device_count, 1);
		for (size_t h = 0; h < fabric->hole_count; h++)
			assert_null(strstr(fabric->holes[h].text, "it is cut"));
		fabric_free(fabric);
		cut_file(*state, kinds[i].name, 0.7);
		assert_int_equal(capture_import(*state, kinds[i].name, NULL, &fabric, &err), 0);
		assert_int_equal(fabric->device_count, 1);
		assert_string_equal(fabric->sources[0].format, "ibdiagnet2.db_csv");
		assert_true(fabric->partial);
		assert_int_equal(fabric->holes[fabric->hole_count - 1].reason, HOLE_CUT);
		assert_non_null(strstr(fabric->holes[fabric->hole_count - 1].text, "it is cut"));
		fabric_free(fabric);
	}
}

static void an_archive_of_which_nothing_can_be_unpacked_says_what_to_do(void **state)
{
	const struct member alone[] = {{"x", NODES, sizeof(NODES) - 1}, {NULL, NULL, 0}};
	struct fabric *fabric;
	struct err err = {0};

	capture_archive(*state, "small.gz", GZIP, alone);
	cut_file(*state, "small.gz", 0.7);
	assert_int_equal(capture_import(*state, "small.gz", NULL, &fabric, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, "it is cut"));
	assert_non_null(strstr(err.text, "zcat"));
	fabric_free(fabric);
}

static void a_compressed_file_that_is_cut_says_which_and_how(void **state)
{
	struct fabric *fabric;
	struct err err = {0};
	static char text[2000000];
	const struct member alone[] = {{"x", text, sizeof(text)}, {NULL, NULL, 0}};

	put_long_nodes(text, sizeof(text));
	capture_archive(*state, "whole.gz", GZIP, alone);
	assert_int_equal(capture_import(*state, "whole.gz", NULL, &fabric, &err), 0);
	for (size_t i = 0; i < fabric->hole_count; i++)
		assert_null(strstr(fabric->holes[i].text, "truncated"));
	fabric_free(fabric);
	capture_archive(*state, "cut.gz", GZIP, alone);
	cut_file(*state, "cut.gz", 0.5);
	assert_int_equal(capture_import(*state, "cut.gz", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->device_count, 1);
	assert_true(fabric->partial);
	assert_true(fabric->hole_count > 0);
	assert_int_equal(fabric->holes[fabric->hole_count - 1].source, 1);
	assert_non_null(strstr(fabric->holes[fabric->hole_count - 1].text, "truncated gzip input"));
	fabric_free(fabric);
}

static void names_beyond_ascii_stay(void **state)
{
	const struct member members[] = {{"M\xc3\xbcller/a.csv", NODES, sizeof(NODES) - 1}, {NULL, NULL, 0}};
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	locale_t before = uselocale(utf8);
	struct fabric *fabric;
	struct err err = {0};

	/* The writer marks the name as UTF-8 only where the locale is. */
	capture_archive(*state, "utf8.zip", ZIP, members);
	uselocale(before);
	freelocale(utf8);
	assert_int_equal(capture_import(*state, "utf8.zip", NULL, &fabric, &err), 0);
	assert_non_null(strstr(fabric->sources[0].name, "utf8.zip:M\xc3\xbcller/a.csv"));
	fabric_free(fabric);
}

static void an_archive_in_an_archive_is_not_opened(void **state)
{
	struct fabric *fabric;
	struct err err = {0};
	char bytes[4096];
	char path[256];
	FILE *file;
	struct member members[] = {{"in.tar.gz", bytes, 0}, capture_pair[1], {NULL, NULL, 0}};
	struct member alone[] = {{"in.tar.gz", bytes, 0}, {NULL, NULL, 0}};

	capture_archive(*state, "in.tar.gz", TAR_GZIP, capture_pair);
	file = fopen(capture_path(*state, "in.tar.gz", path), "rb");
	alone[0].length = members[0].length = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	capture_archive(*state, "out.zip", ZIP, members);
	assert_int_equal(capture_import(*state, "out.zip", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->source_count, 2);
	assert_non_null(strstr(fabric->sources[1].detail, "archive inside an archive"));
	assert_true(fabric->partial);
	assert_int_equal(fabric->holes[fabric->hole_count - 1].source, 2);
	assert_int_equal(fabric->holes[fabric->hole_count - 1].reason, HOLE_CUT);
	fabric_free(fabric);

	capture_archive(*state, "alone.tar", TAR, alone);
	assert_int_equal(capture_import(*state, "alone.tar", NULL, &fabric, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, "not opened"));
	fabric_free(fabric);

	capture_archive(*state, "twice.gz", GZIP, alone);
	assert_int_equal(capture_import(*state, "twice.gz", NULL, &fabric, &err), ERR_INPUT);
	assert_non_null(strstr(err.text, "compressed twice"));
	fabric_free(fabric);
}

/* The bytes of a file in the directory; the caller frees them. */
static struct member member_of(const struct capture_dir *dir, const char *file_name, const char *name)
{
	struct member member = {.name = name};
	struct stat status;
	char path[256];
	char *bytes;
	FILE *file = fopen(capture_path(dir, file_name, path), "rb");

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	member.length = (size_t)status.st_size;
	bytes = malloc(member.length + 1);
	assert_int_equal(fread(bytes, 1, member.length, file), member.length);
	fclose(file);
	member.bytes = bytes;
	return member;
}

/* The hole that tells this, or NULL. */
static const struct hole *hole_with(const struct fabric *fabric, const char *text)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].text && strstr(fabric->holes[i].text, text))
			return &fabric->holes[i];
	}
	return NULL;
}

static void a_compressed_file_in_an_archive_is_read(void **state)
{
	const struct member alone[] = {capture_pair[1], {NULL, NULL, 0}};
	struct member members[] = {{NULL, NULL, 0}, capture_pair[0], {NULL, NULL, 0}};
	static const enum kind kinds[] = {TAR, TAR_GZIP, TAR_XZ, ZIP};
	struct fabric *fabric;
	struct err err = {0};

	capture_archive(*state, "nodes.gz", GZIP, alone);
	members[0] = member_of(*state, "nodes.gz", "log/nodes.gz");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		capture_archive(*state, "out", kinds[i], members);
		assert_int_equal(capture_import(*state, "out", NULL, &fabric, &err), 0);
		assert_int_equal(fabric->device_count, 1);
		assert_int_equal(fabric->source_count, 2);
		assert_non_null(strstr(fabric->sources[0].name, "/out:log/nodes.gz"));
		assert_string_equal(fabric->sources[0].format, "ibdiagnet2.db_csv");
		assert_non_null(strstr(fabric->sources[1].name, "/out:run/a.pm"));
		assert_null(hole_with(fabric, "archive"));
		fabric_free(fabric);
	}
	free((void *)members[0].bytes);
}

/* A rotated log of a day on which nothing was said. */
static void an_empty_compressed_file_in_an_archive_costs_nothing(void **state)
{
	const struct member alone[] = {{"empty", "", 0}, {NULL, NULL, 0}};
	struct member members[] = {{NULL, NULL, 0}, capture_pair[1], {NULL, NULL, 0}};
	struct fabric *fabric;
	struct err err = {0};
	char path[256];

	capture_archive(*state, "empty.gz", GZIP, alone);
	members[0] = member_of(*state, "empty.gz", "log/empty.gz");
	capture_archive(*state, "out.tar", TAR, members);
	assert_int_equal(capture_import(*state, "out.tar", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->device_count, 1);
	assert_null(hole_with(fabric, "archive"));
	fabric_free(fabric);
	free((void *)members[0].bytes);
	/* Nor does one in a directory. */
	capture_put(*state, "a.db_csv", NODES, sizeof(NODES) - 1);
	unlink(capture_path(*state, "out.tar", path));
	assert_int_equal(capture_import(*state, "", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->device_count, 1);
	assert_null(hole_with(fabric, "archive"));
	fabric_free(fabric);
}

static void a_cut_compressed_file_in_an_archive_costs_itself(void **state)
{
	static char text[400000];
	const struct member alone[] = {{"a", text, sizeof(text)}, {NULL, NULL, 0}};
	struct member members[] = {{NULL, NULL, 0}, capture_pair[1], {NULL, NULL, 0}};
	const struct hole *hole;
	struct fabric *fabric;
	struct err err = {0};

	put_long_nodes(text, sizeof(text));
	capture_archive(*state, "long.gz", GZIP, alone);
	cut_file(*state, "long.gz", 0.5);
	members[0] = member_of(*state, "long.gz", "log/long.gz");
	capture_archive(*state, "out.tar", TAR, members);
	assert_int_equal(capture_import(*state, "out.tar", NULL, &fabric, &err), 0);
	assert_non_null(fabric_device_find(fabric, 0x200000));
	hole = hole_with(fabric, "truncated gzip input");
	assert_non_null(hole);
	assert_non_null(strstr(fabric->sources[hole->source - 1].name, "/out.tar:log/long.gz"));
	fabric_free(fabric);
	free((void *)members[0].bytes);
}

static void a_bomb_in_a_compressed_file_of_an_archive_ends_in_a_sentence(void **state)
{
	struct import_options options = {.max_bytes = UINT64_C(64) << 20};
	size_t length = (size_t)40 << 20;
	char *text = calloc(1, length);
	const struct member alone[] = {{"a", text, length}, {NULL, NULL, 0}};
	struct member members[] = {{NULL, NULL, 0}, {NULL, NULL, 0}};
	struct fabric *fabric;
	struct err err = {0};

	memset(text, '\n', length);
	memcpy(text, NODES, sizeof(NODES) - 1);
	capture_archive(*state, "bomb.gz", GZIP, alone);
	free(text);
	members[0] = member_of(*state, "bomb.gz", "bomb.gz");
	capture_archive(*state, "bomb.tar.xz", TAR_XZ, members);
	assert_int_equal(capture_import(*state, "bomb.tar.xz", &options, &fabric, &err), ERR_LIMIT);
	assert_non_null(strstr(err.text, "bomb"));
	fabric_free(fabric);
	free((void *)members[0].bytes);
}

/* 40 MiB of zeros in a few kilobytes. */
static void a_bomb_ends_in_a_sentence(void **state)
{
	size_t block = (size_t)4 << 20;
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	struct import_options options = {.max_bytes = UINT64_C(64) << 20};
	char *zeros = calloc(1, block);
	struct fabric *fabric;
	struct err err = {0};
	char path[256];

	archive_write_add_filter_xz(archive);
	archive_write_set_format_pax_restricted(archive);
	assert_int_equal(archive_write_open_filename(archive, capture_path(*state, "bomb.tar.xz", path)),
			 0);
	archive_entry_set_pathname(entry, "bomb");
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_size(entry, (la_int64_t)(block * 10));
	archive_write_header(archive, entry);
	for (int i = 0; i < 10; i++)
		archive_write_data(archive, zeros, block);
	archive_entry_free(entry);
	archive_write_close(archive);
	archive_write_free(archive);
	free(zeros);
	assert_int_equal(capture_import(*state, "bomb.tar.xz", &options, &fabric, &err), ERR_LIMIT);
	assert_non_null(strstr(err.text, "bomb"));
	fabric_free(fabric);
}

static void what_stands_before_the_damage_is_used(void **state)
{
	struct member members[] = {capture_pair[1], {"big", NULL, 0}, {NULL, NULL, 0}};
	unsigned char *noise = malloc(200000);
	unsigned value = 1;
	char path[256];
	struct fabric *fabric;
	struct err err = {0};

	for (size_t i = 0; i < 200000; i++)
		noise[i] = (unsigned char)((value = value * 1103515245 + 12345) >> 16);
	members[1].bytes = noise;
	members[1].length = 200000;
	capture_archive(*state, "cut.tar.gz", TAR_GZIP, members);
	assert_int_equal(truncate(capture_path(*state, "cut.tar.gz", path), 150000), 0);
	assert_int_equal(capture_import(*state, "cut.tar.gz", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->device_count, 1);
	assert_true(fabric->partial);
	fabric_free(fabric);
	free(noise);
}

static void hosts_trees_in_an_archive_are_one_source(void **state)
{
	static const struct member tree[] = {
		{"h/plover/sys/class/infiniband/mlx5_0/node_guid", "0c42:a103:0011:2233\n", 20},
		{"h/plover/sys/class/infiniband/mlx5_0/ports/1/lid", "0x2a\n\0\0", 7},
		{"h/plover/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n", 11},
		{"h/dunlin/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n", 10},
		{"run/b.db_csv", NODES, sizeof(NODES) - 1},
		{NULL, NULL, 0},
	};
	struct fabric *fabric;
	struct err err = {0};

	capture_archive(*state, "hosts.tgz", TAR_GZIP, tree);
	assert_int_equal(capture_import(*state, "hosts.tgz", NULL, &fabric, &err), 0);
	assert_int_equal(fabric->source_count, 2);
	assert_string_equal(fabric->sources[1].format, "sysfs");
	assert_int_equal(fabric->sources[1].rows, 4);
	assert_int_equal(fabric->host_port_count, 2);
	assert_string_equal(fabric->host_ports[0].host, "plover");
	assert_int_equal(fabric->host_ports[0].lid, 42);
	assert_string_equal(fabric->host_ports[1].host, "dunlin");
	assert_int_equal(fabric->host_ports[1].state, 4);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define DIR_TEST(name) cmocka_unit_test_setup_teardown(name, capture_dir_make, capture_dir_remove)
		DIR_TEST(every_kind_of_archive_gives_the_same_fabric),
		DIR_TEST(one_compressed_file_is_that_file),
		DIR_TEST(a_compressed_file_that_is_cut_says_which_and_how),
		DIR_TEST(names_beyond_ascii_stay),
		DIR_TEST(an_archive_in_an_archive_is_not_opened),
		DIR_TEST(a_compressed_file_in_an_archive_is_read),
		DIR_TEST(an_empty_compressed_file_in_an_archive_costs_nothing),
		DIR_TEST(a_cut_compressed_file_in_an_archive_costs_itself),
		DIR_TEST(a_bomb_in_a_compressed_file_of_an_archive_ends_in_a_sentence),
		DIR_TEST(a_bomb_ends_in_a_sentence),
		DIR_TEST(what_stands_before_the_damage_is_used),
		DIR_TEST(an_archive_cut_in_its_first_file_gives_what_is_left),
		DIR_TEST(an_archive_of_which_nothing_can_be_unpacked_says_what_to_do),
		DIR_TEST(hosts_trees_in_an_archive_are_one_source),
	};

	return cmocka_run_group_tests_name("import_archives", tests, NULL, NULL);
}
