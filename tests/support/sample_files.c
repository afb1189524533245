#include "tests/support/sample_files.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/detect.h"
#include "collector/import/input.h"
#include "collector/import/merge.h"

#define FORMAT(name) extern const struct format format_##name;
#include "collector/import/formats.h"
#undef FORMAT

static const struct {
	const char *name;
	const struct format *format;
} formats[] = {
#define FORMAT(name) {#name, &format_##name},
#include "collector/import/formats.h"
#undef FORMAT
};

struct feed {
	const char *at;
	size_t left;
};

static ssize_t feed_read(void *context, void *out, size_t size, struct err *err)
{
	struct feed *feed = context;
	size_t n = feed->left < size ? feed->left : size;

	(void)err;
	memcpy(out, feed->at, n);
	feed->at += n;
	feed->left -= n;
	return (ssize_t)n;
}

/* One buffer for all texts; feed must outlive its use. */
static struct input *open_text(struct feed *feed)
{
	static struct input *input;
	struct err err = {0};

	if (input)
		assert_int_equal(input_reopen(input, "sample", feed_read, feed, UINT64_MAX, &err), 0);
	else
		assert_int_equal(input_open("sample", feed_read, feed, UINT64_MAX, &input, &err), 0);
	return input;
}

struct fabric *read_bytes(const struct format *format, const char *bytes, size_t length)
{
	struct feed feed = {bytes, length};
	struct fabric *fabric = NULL;
	struct input *input = open_text(&feed);
	struct import import;
	struct err err = {0};

	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(import_begin(&import, fabric, NULL, &err), 0);
	if (import_read(&import, input, "sample", format, &err) == 0)
		assert_int_equal(import_settle(&import, &err), 0);
	import_end(&import);
	return fabric;
}

struct fabric *read_sample(const struct format *format, const struct text *text)
{
	return read_bytes(format, text->bytes, text->length);
}

const struct format *told_format(const struct text *text)
{
	struct feed feed = {text->bytes, text->length};
	struct input *input = open_text(&feed);
	struct probe probe;
	struct err err = {0};

	assert_int_equal(input_probe(input, &probe, &err), 0);
	return import_detect(&probe);
}

void text_put(struct text *out, const char *bytes, size_t length)
{
	assert_true(out->length + length <= sizeof(out->bytes));
	memcpy(out->bytes + out->length, bytes, length);
	out->length += length;
}

void each_sample(void (*run)(const struct sample *sample))
{
	static struct sample sample;
	size_t count = 0;

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		const struct dirent *entry;
		char path[512];
		DIR *directory;

		snprintf(path, sizeof(path), "samples/fuzz/%s", formats[i].name);
		directory = opendir(path);
		/* Only a directory is a host's tree. */
		if (!directory && strcmp(formats[i].name, "sysfs") == 0)
			continue;
		assert_non_null(directory);
		while ((entry = readdir(directory))) {
			FILE *file;

			if (entry->d_name[0] == '.')
				continue;
			snprintf(sample.name, sizeof(sample.name), "%s/%.80s", formats[i].name,
				 entry->d_name);
			snprintf(path, sizeof(path), "samples/fuzz/%s", sample.name);
			file = fopen(path, "rb");
			assert_non_null(file);
			sample.format = formats[i].format;
			sample.text.length = fread(sample.text.bytes, 1, SAMPLE_TEXT_MAX, file);
			fclose(file);
			run(&sample);
			count++;
		}
		closedir(directory);
	}
	assert_true(count > 80);
}
