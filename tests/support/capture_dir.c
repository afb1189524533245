#include "tests/support/capture_dir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>

int capture_dir_make(void **state)
{
	struct capture_dir *dir = calloc(1, sizeof(*dir));

	strcpy(dir->path, "/tmp/ibaudit-files-XXXXXX");
	*state = dir;
	return mkdtemp(dir->path) ? 0 : -1;
}

int capture_dir_remove(void **state)
{
	struct capture_dir *dir = *state;
	char command[128];
	int status;

	snprintf(command, sizeof(command), "rm -rf '%s'", dir->path);
	status = system(command);
	free(dir);
	return status;
}

char *capture_path(const struct capture_dir *dir, const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", dir->path, name);
	return path;
}

void capture_put(const struct capture_dir *dir, const char *name, const void *bytes, size_t length)
{
	char path[256];
	FILE *file = fopen(capture_path(dir, name, path), "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

void capture_archive(const struct capture_dir *dir, const char *name, enum kind kind,
			const struct member *members)
{
	struct archive *archive = archive_write_new();
	char path[256];

	if (kind == TAR_GZIP || kind == GZIP)
		archive_write_add_filter_gzip(archive);
	if (kind == TAR_XZ)
		archive_write_add_filter_xz(archive);
	if (kind == ZIP)
		archive_write_set_format_zip(archive);
	else if (kind == GZIP)
		archive_write_set_format_raw(archive);
	else
		archive_write_set_format_pax_restricted(archive);
	assert_int_equal(archive_write_open_filename(archive, capture_path(dir, name, path)), 0);
	for (; members->name; members++) {
		struct archive_entry *entry = archive_entry_new();

		archive_entry_set_pathname(entry, members->name);
		archive_entry_set_size(entry, (la_int64_t)members->length);
		archive_entry_set_filetype(entry, AE_IFREG);
		archive_entry_set_perm(entry, 0644);
		assert_int_equal(archive_write_header(archive, entry), 0);
		archive_write_data(archive, members->bytes, members->length);
		archive_entry_free(entry);
	}
	assert_int_equal(archive_write_close(archive), 0);
	archive_write_free(archive);
}

int capture_import(const struct capture_dir *dir, const char *name, const struct import_options *options,
		      struct fabric **ret_fabric, struct err *err)
{
	char path[256];
	const char *paths[] = {capture_path(dir, name, path)};

	assert_int_equal(fabric_new(ret_fabric, err), 0);
	return import_paths(paths, 1, options, *ret_fabric, err);
}

const struct member capture_pair[] = {
	{"run/a.pm", PM, sizeof(PM) - 1},
	{"run/b.db_csv", NODES, sizeof(NODES) - 1},
	{"run/notes.txt", "buy milk\n", 9},
	{NULL, NULL, 0},
};
