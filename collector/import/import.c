#include "collector/import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/import/configs.h"
#include "collector/import/detect.h"
#include "collector/import/files.h"
#include "collector/import/input.h"
#include "collector/import/items.h"
#include "collector/import/merge.h"
#include "store/array.h"
#include "store/odd_cause.h"
#include "store/text.h"

/* Room for the notes of sources 0..count-1 (count: 1 or more), new ones zeroed. False: no memory. */
static bool notes_reserve(struct import *import, size_t count)
{
	struct source_note *notes =
		array_reach(import->notes, count - 1, &import->note_room, sizeof(*notes));

	if (!notes)
		return false;
	import->notes = notes;
	return true;
}

int import_begin(struct import *import, struct fabric *fabric, const struct import_options *options,
		 struct err *err)
{
	*import = (struct import){.fabric = fabric, .options = options};
	if (!notes_reserve(import, fabric->source_count + 1))
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->source_count; i++) {
		const struct source *source = &fabric->sources[i];
		const struct format *format = import_format_find(source->format);

		import->notes[i + 1].rank = format ? format->rank : IMPORT_RANK_LIVE;
		if (source->kind == SOURCE_LIVE)
			import->live = (source_ref)(i + 1);
	}
	return 0;
}

void import_end(struct import *import)
{
	for (size_t i = 0; i < import->origin_room; i++) {
		for (size_t p = 0; p < import->origins[i].port_slots; p++)
			free(import->origins[i].ports[p]);
		free(import->origins[i].ports);
	}
	free(import->origins);
	free(import->notes);
	free(import->pairs);
	free(import->guids);
	free(import->texts);
	free(import->fact_slots);
	free(import->torn_lfts);
	told_rows_free(&import->events);
}

int import_source_begin(struct import *import, struct input *input, const char *name,
			const struct format *format, struct err *err)
{
	struct fabric *fabric = import->fabric;

	if (fabric->source_count >= UINT16_MAX - 1)
		return err_set(err, ERR_LIMIT, "more than %d files in one snapshot", UINT16_MAX - 1);
	if (!fabric_source_add(fabric, SOURCE_FILE, name, format ? format->id : "unknown"))
		return err_no_memory(err);
	import->ref = fabric_source_newest(fabric);
	if (!notes_reserve(import, (size_t)import->ref + 1))
		return err_no_memory(err);
	import->notes[import->ref].rank = format ? format->rank : 0;
	if (import->part_file && format && format->one_look) {
		import->notes[import->ref].file = import->part_file;
		import->notes[import->ref].line = import->part_line;
		if (import->part_time != 0)
			import_taken_at(import, import->part_time);
	}
	import->input = input;
	import->odd_kept = 0;
	import->odd_line = 0;
	return 0;
}

#define OTHERS_NAMED 4
#define SURE 80		/* of a format, seen in a few of its lines */

/* The lines of the current source that were kept as not understood, as a file's beginning; NULL: no memory. */
static char *odd_text(const struct import *import, size_t *ret_length)
{
	const struct fabric *fabric = import->fabric;
	char *text;
	size_t length = 1;

	for (size_t i = 0; i < fabric->odd_line_count; i++) {
		if (fabric->odd_lines[i].source == import->ref)
			length += strlen(fabric->odd_lines[i].text) + 1;
	}
	text = malloc(length);
	*ret_length = 0;
	for (size_t i = 0; text && i < fabric->odd_line_count; i++) {
		size_t n = strlen(fabric->odd_lines[i].text);

		if (fabric->odd_lines[i].source != import->ref)
			continue;
		memcpy(text + *ret_length, fabric->odd_lines[i].text, n);
		text[*ret_length + n] = '\n';
		*ret_length += n + 1;
	}
	return text;
}

/* A terminal's log of several tools is read as the first one's: what else it holds goes into the detail. */
static int name_others(struct import *import, const struct format *own, struct err *err)
{
	struct source *source = import_source(import);
	struct probe probe = {.name = ""};
	const struct format *format;
	char names[1000];
	size_t count = 0;
	char *text;
	size_t used;

	if (source->odd_rows < ODD_STRAY_LINES)
		return 0;
	text = odd_text(import, &probe.length);
	if (!text)
		return err_no_memory(err);
	probe.text = text;
	used = (size_t)snprintf(names, sizeof(names), "%.500s%sread as %s alone, though lines look like ",
				source->detail ? source->detail : "", source->detail ? "; " : "", own->id);
	for (size_t i = 0; (format = import_format_at(i)) && count < OTHERS_NAMED; i++) {
		if (format != own && format->detect(&probe) >= SURE)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
						 count++ ? ", " : "", format->id);
	}
	free(text);
	if (count == 0)
		return 0;
	snprintf(names + used, sizeof(names) - used, ": give each tool's output as a file of its own");
	source->detail = import_intern(import, names, strlen(names));
	return source->detail ? 0 : err_no_memory(err);
}

/* What stands in lines that were not understood is not absent. */
static int check_odd(struct import *import, const struct format *format, struct err *err)
{
	const struct source *source = import_source(import);
	struct fabric *fabric = import->fabric;
	char text[64];

	fabric->partial = fabric->partial || odd_is_most(source);

	if (source->odd_rows == 0 || format->config || import->notes[import->ref].unclear)
		return 0;
	for (size_t i = fabric->hole_count; i-- > 0 && fabric->holes[i].source == import->ref;) {
		if (fabric->holes[i].attribute == format->loses)
			return 0;
	}
	snprintf(text, sizeof(text), "%lld %s", (long long)source->odd_rows,
		 text_plural((size_t)source->odd_rows, "line", "lines"));
	return import_unclear(import, format->loses, text, err);
}

/*
 * A tool ends each line, so a last one without an end was cut. One that is no
 * row says so itself; a number that looks whole may still have lost digits.
 */
static int check_end(struct import *import, struct input *input, const struct format *format,
		     struct err *err)
{
	static const char no_end[] = "the last line has no end: it may be cut";

	if (input_lacks_foot(input)) {
		int rc = import_cut(import, format->loses,
				    "the line \"# File closed at\" that ends it is not there", err);

		if (rc < 0)
			return rc;
	}
	if (input_line_number(input) == 0 || input_line_had_end(input))
		return 0;
	if (import->odd_line == input_line_number(input))
		return import_cut(import, format->loses, "it breaks off in the middle of its last line",
				  err);
	/* Of what OpenSM is told some values are keys. */
	return format->by_hand && format->config ? import_odd_hidden(import, input, no_end, err) :
						   import_odd(import, input, no_end, err);
}

/* What was undone in all lines stands beside the source. */
static int tell_undone(struct import *import, const struct input *input, struct err *err)
{
	const char *words = input_undone(input);
	struct source *source = import_source(import);
	char text[1000];

	if (!words)
		return 0;
	snprintf(text, sizeof(text), "%.600s%s%s", source->detail ? source->detail : "",
		 source->detail ? "; " : "", words);
	source->detail = import_intern(import, text, strlen(text));
	return source->detail ? 0 : err_no_memory(err);
}

int import_read(struct import *import, struct input *input, const char *name,
		const struct format *format, struct err *err)
{
	int rc = import_source_begin(import, input, name, format, err);

	if (input && format && format->by_hand)
		input_keep_blanks(input);
	if (input && format && format->by_hand && import->config)
		input_keep_quotes(input);
	if (rc == 0 && format)
		rc = format->read(import, input, err);
	if (rc == 0 && format && input && (!format->by_hand || (format->copied && !import->config)))
		rc = check_end(import, input, format, err);
	if (rc == 0 && format && input)
		rc = tell_undone(import, input, err);
	if (rc == 0 && format)
		rc = check_odd(import, format, err);
	if (rc == 0 && format)
		rc = name_others(import, format, err);
	if (rc == ERR_NOMEM && import->limit)
		rc = err_set(err, ERR_LIMIT, "line %lld: %s", (long long)input_line_number(input),
			     import->limit);
	import->input = NULL;
	import->limit = NULL;
	return rc;
}

/* The names the user gives the devices; read when the devices are known. */
static int read_name_map(struct import *import, struct files *files, const char *path,
			 struct err *err)
{
	const struct format *format = import_format_find("node-name-map");
	struct file_stream stream = {.fd = -1};
	int rc = stream_open(path, &stream, err);

	if (rc == 0)
		rc = input_reopen(files->input, path, stream_read, &stream, files->limits.max_bytes,
				  err);
	if (rc == 0)
		rc = import_read(import, files->input, path, format, err);
	if (rc < 0)
		err_prefix(err, "node name map %s", path);
	if (stream.fd >= 0)
		close(stream.fd);
	return rc;
}

/* The files of both kinds of paths, the configs' roots behind the others'. */
static int find_all(const char *const *paths, size_t count, const struct import_options *options,
		    struct files **ret_files, struct err *err)
{
	size_t configs = options ? options->config_count : 0;
	const char **all = calloc(count + configs + 1, sizeof(*all));
	int rc;

	if (!all)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		all[i] = paths[i];
	for (size_t i = 0; i < configs; i++)
		all[count + i] = options->configs[i];
	rc = files_find(all, count + configs, count, options, ret_files, err);
	if (rc == 0)
		rc = files_check_roots(*ret_files, err);
	if (rc == 0)
		rc = configs_check(*ret_files, count, err);
	free(all);
	return rc;
}

/*
 * A run in which not one line of any file was understood is told as a failure, not as a
 * fabric of nothing. A file that people write is none, whatever it holds: its lines
 * are told one by one.
 */
static int check_any(const struct fabric *fabric, size_t first, struct err *err)
{
	const struct source *lost = NULL;
	const struct format *format;
	const char *cause;

	for (size_t i = first; i < fabric->source_count; i++) {
		const struct source *source = &fabric->sources[i];

		format = import_format_find(source->format);
		if (format && format->by_hand)
			return 0;
		if (source->rows > 0 || (source->odd_rows == 0 && strcmp(source->format, "unknown") != 0))
			return 0;
		if (source->odd_rows > 0 && !lost && strcmp(source->format, "unknown") != 0)
			lost = source;
	}
	if (!lost || lost->odd_rows < ODD_STRAY_LINES || first > 0)
		return 0;
	format = import_format_find(lost->format);
	cause = odd_cause(fabric, (source_ref)(lost - fabric->sources + 1));
	return err_set(err, ERR_INPUT, "%s: looks like %s, but none of its %lld lines was understood%s%s",
		       lost->name, format ? format->title : lost->format, (long long)lost->odd_rows,
		       *cause ? ": " : "", cause);
}

int import_paths(const char *const *paths, size_t count, const struct import_options *options,
		 struct fabric *fabric, struct err *err)
{
	size_t before = fabric->source_count;
	struct files *files = NULL;
	struct import import;
	int rc = import_begin(&import, fabric, options, err);

	import.first_config = count;
	if (rc == 0)
		rc = find_all(paths, count, options, &files, err);
	for (size_t i = 0; rc == 0 && i < files->count; i++)
		rc = item_read(&import, files, &files->items[i], err);
	if (rc == 0 && options && options->node_name_map)
		rc = read_name_map(&import, files, options->node_name_map, err);
	if (rc == 0)
		rc = check_any(fabric, before, err);
	if (rc == 0)
		rc = import_settle(&import, err);
	files_free(files);
	import_end(&import);
	return rc;
}
