#include "collector/import/part_read.h"

#include <stdio.h>
#include <string.h>

#include "collector/import/detect.h"

const char *import_prompt_host(const struct import *import)
{
	return import->prompt_host;
}

/* Goes on with the source of this name, if the file has one. */
static bool find_source(struct import *import, struct input *input, const char *name)
{
	struct fabric *fabric = import->fabric;

	if (import->others == 0 || strcmp(fabric->sources[import->others - 1].name, name) != 0)
		return false;
	import->ref = import->others;
	import->input = input;
	import->odd_kept = import_source(import)->odd_rows;
	import->odd_line = 0;
	return true;
}

static int note_command(struct import *import, const char *line, size_t length, struct err *err)
{
	struct source *source = import_source(import);
	struct prompt prompt;
	char text[200];

	if (!prompt_find(line, length, &prompt) || source->detail)
		return 0;
	snprintf(text, sizeof(text), "what other commands print is not read here; the first is `%.*s`",
		 (int)(prompt.length < 100 ? prompt.length : 100), prompt.command);
	source->detail = import_intern(import, text, strlen(text));
	return source->detail ? 0 : err_no_memory(err);
}

/* What no format is known for: counted, so that nobody takes it for read. */
static int pass_over(struct import *import, struct input *input, const char *name, struct err *err)
{
	char command[400] = "";
	size_t command_length = 0;
	bool begun = false;
	char *line;
	size_t length;
	int rc;

	while ((rc = input_line(input, &line, &length, err)) == 1) {
		struct prompt prompt;

		if (prompt_find(line, length, &prompt) && prompt.length > 0 && length < sizeof(command)) {
			memcpy(command, line, length);
			command_length = length;
		}
		if (part_line_is_empty(line, length))
			continue;
		if (!begun && !find_source(import, input, name)) {
			rc = import_source_begin(import, input, name, NULL, err);
			if (rc < 0)
				break;
			import->others = import->ref;
		}
		begun = true;
		rc = note_command(import, command, command_length, err);
		if (rc == 0)
			rc = import_odd(import, input, "of no format that is known here", err);
		if (rc < 0)
			break;
	}
	import->input = NULL;
	return rc;
}

/* "lines 170 to 340" in front of what the reader says. */
static int tell_lines(struct import *import, int64_t first, int64_t last, struct err *err)
{
	struct source *source = import_source(import);
	char text[1200];

	snprintf(text, sizeof(text), "lines %lld to %lld%s%s", (long long)first, (long long)last,
		 source->detail ? "; " : "", source->detail ? source->detail : "");
	source->detail = import_intern(import, text, strlen(text));
	return source->detail ? 0 : err_no_memory(err);
}

int part_read(struct import *import, struct input *input, const char *file, const char *name,
	      const struct part *part, struct err *err)
{
	int rc;

	if (!part->format)
		return pass_over(import, input, name, err);
	if (part->host[0]) {
		import->prompt_host = import_intern(import, part->host, strlen(part->host));
		if (!import->prompt_host)
			return err_no_memory(err);
	}
	import->part_file = file;
	import->part_line = part->line;
	import->part_time = part->time;
	rc = import_read(import, input, name, part->format, err);
	import->part_file = NULL;
	import->prompt_host = NULL;
	return rc == 0 ? tell_lines(import, part->line, input_line_number(input), err) : rc;
}

int parts_read(const struct part_pass *pass, size_t *ret_known, struct err *err)
{
	struct part_numbers numbers = {0};
	struct parts parts;
	struct part part;
	int rc;

	*ret_known = 0;
	parts_begin(&parts, pass->input, pass->whole);
	while ((rc = parts_next(&parts, &part, err)) == 1) {
		unsigned number = part_number_next(&numbers, part.format);
		bool late = !part.format || part.format->late;
		const char *name = pass->name;

		if (parts.hopeless)
			return 0;
		*ret_known += part.format != NULL;
		if (pass->late >= 0 && late != (pass->late == 1))
			continue;
		if (pass->split) {
			name = part_name(pass->import->fabric, pass->name, part.format, number);
			rc = name ? part_read(pass->import, pass->input, pass->name, name, &part,
					    err)
				  : err_no_memory(err);
		} else if (part.format) {
			rc = import_read(pass->import, pass->input, name, part.format, err);
		}
		if (rc < 0)
			return rc;
	}
	return rc;
}
