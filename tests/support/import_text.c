#include "tests/support/import_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/import/import.h"

#define FILES_MAX 8

struct import_text {
	char directory[64];
	char *paths[FILES_MAX];
	size_t count;
};

struct import_text *import_text_new(void)
{
	struct import_text *files = calloc(1, sizeof(*files));

	assert_non_null(files);
	strcpy(files->directory, "/tmp/ibaudit-test.XXXXXX");
	assert_non_null(mkdtemp(files->directory));
	return files;
}

void import_text_add(struct import_text *files, const char *name, const char *text, size_t length)
{
	char path[256];
	FILE *file;

	assert_true(files->count < FILES_MAX);
	snprintf(path, sizeof(path), "%s/%s", files->directory, name);
	file = fopen(path, "wb");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
	files->paths[files->count] = strdup(path);
	assert_non_null(files->paths[files->count++]);
}

struct fabric *import_text_run_into(struct import_text *files, struct fabric *fabric)
{
	const struct import_options options = {0};
	struct err err = {0};
	int rc;

	rc = import_paths((const char *const *)files->paths, files->count, &options, fabric, &err);
	for (size_t i = 0; i < files->count; i++) {
		unlink(files->paths[i]);
		free(files->paths[i]);
	}
	rmdir(files->directory);
	free(files);
	if (rc < 0)
		fail_msg("%s", err.text);
	return fabric;
}

struct fabric *import_text_run(struct import_text *files)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	assert_int_equal(fabric_new(&fabric, &err), 0);
	return import_text_run_into(files, fabric);
}

struct fabric *import_text(const char *name, const char *text)
{
	struct import_text *files = import_text_new();

	import_text_add(files, name, text, strlen(text));
	return import_text_run(files);
}

const struct config_problem *find_problem(const struct fabric *fabric, const char *id, size_t n)
{
	for (size_t i = 0; i < fabric->config->problem_count; i++) {
		const struct config_problem *problem = &fabric->config->problems[i];

		if (strcmp(problem->id, id) == 0 && n-- == 0)
			return problem;
	}
	return NULL;
}

const char *effective_option(const struct fabric *fabric, const char *key)
{
	const struct config_option *option = config_option_find(fabric->config, key);

	assert_non_null(option);
	return option->effective;
}
