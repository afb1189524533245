/*
 * One program, one target for each reader: the name it is called by says which
 * (fuzz_db_csv, fuzz_ibnetdiscover, ...). Two more take whatever comes:
 * fuzz_detect tells the format first, fuzz_archive opens the input as an archive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/archive.h"
#include "collector/import/detect.h"
#include "collector/import/input.h"
#include "collector/import/merge.h"
#include "collector/import/part_read.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FORMAT(name) extern const struct format format_##name;
#include "collector/import/formats.h"
#undef FORMAT

static const struct {
	const char *name;
	const struct format *format;
} targets[] = {
#define FORMAT(name) {#name, &format_##name},
#include "collector/import/formats.h"
#undef FORMAT
};

static const struct format *target;	/* NULL: told by content */
static bool as_archive;
static struct input *buffer;		/* one for all runs */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = strstr((*argv)[0], "fuzz_");

	(void)argc;
	for (const char *next = name; next; next = strstr(next + 1, "fuzz_"))
		name = next;
	as_archive = name && strcmp(name, "fuzz_archive") == 0;
	for (size_t i = 0; name && i < sizeof(targets) / sizeof(targets[0]); i++) {
		if (strcmp(name + 5, targets[i].name) == 0)
			target = targets[i].format;
	}
	if (!target && !as_archive && (!name || strcmp(name, "fuzz_detect") != 0)) {
		fprintf(stderr, "no reader has the name %s\n", (*argv)[0]);
		exit(1);
	}
	return 0;
}

struct feed {
	const uint8_t *data;
	size_t size;
};

/* Small pieces, so that lines are cut everywhere. */
static ssize_t feed_read(void *context, void *out, size_t size, struct err *err)
{
	struct feed *feed = context;
	size_t n = feed->size < 700 ? feed->size : 700;

	(void)err;
	if (n > size)
		n = size;
	if (n)
		memcpy(out, feed->data, n);
	feed->data += n;
	feed->size -= n;
	return (ssize_t)n;
}

static int open_input(input_read read, void *context, struct err *err)
{
	if (buffer)
		return input_reopen(buffer, "fuzz", read, context, UINT64_MAX, err);
	return input_open("fuzz", read, context, UINT64_MAX, &buffer, err);
}

/* As a file of which nobody knows what it is: with its parts. */
static int read_parts(struct import *import, struct err *err)
{
	const struct part_pass pass = {.import = import, .input = buffer, .name = "fuzz", .split = true,
				       .late = -1};
	size_t known;

	return parts_read(&pass, &known, err);
}

static int read_one(struct import *import, const struct format *format, struct err *err)
{
	struct probe probe;
	int rc;

	if (!format)
		return read_parts(import, err);
	rc = input_probe(buffer, &probe, err);

	if (rc < 0)
		return rc;
	/* The detector sees everything too. */
	format->detect(&probe);
	rc = import_source_begin(import, buffer, "fuzz", format, err);
	if (rc == 0)
		rc = format->read(import, buffer, err);
	import->input = NULL;
	return rc;
}

static int read_member(void *context, const char *name, size_t index, input_read read_more,
		       void *read_context, struct err *err)
{
	int rc = open_input(read_more, read_context, err);

	(void)name;
	(void)index;
	if (rc == 0)
		rc = read_one(context, NULL, err);
	return rc == ERR_NOMEM ? rc : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct archive_limits limits = {.max_files = 100, .max_bytes = 1 << 24};
	struct replay replay = {.fd = -1, .head = data, .length = size};
	struct feed feed = {data, size};
	struct fabric *fabric = NULL;
	struct import import = {0};
	struct err err = {0};
	int rc = fabric_new(&fabric, &err);

	if (rc == 0)
		rc = import_begin(&import, fabric, NULL, &err);
	if (rc == 0 && as_archive)
		rc = archive_walk_stream(&replay, &limits, read_member, &import, &err);
	else if (rc == 0)
		rc = open_input(feed_read, &feed, &err);
	if (rc == 0 && !as_archive)
		rc = read_one(&import, target, &err);
	if (rc == 0)
		import_settle(&import, &err);
	import_end(&import);
	fabric_free(fabric);
	return 0;
}
