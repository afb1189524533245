#include "collector/import/import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/import/archive.h"
#include "collector/import/detect.h"
#include "collector/import/files.h"
#include "collector/import/input.h"
#include "collector/import/merge.h"
#include "collector/import/sysfs.h"
#include "store/array.h"

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
	free(import->guids);
	free(import->texts);
	free(import->fact_slots);
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
	import->input = input;
	import->odd_kept = 0;
	import->odd_line = 0;
	return 0;
}

/*
 * A tool ends each line, so a last one without an end was cut. One that is no
 * row says so itself; a number that looks whole may still have lost digits.
 */
static int check_end(struct import *import, struct input *input, enum attribute loses,
		     struct err *err)
{
	if (input_lacks_foot(input)) {
		int rc = import_cut(import, loses,
				    "the line \"# File closed at\" that ends it is not there", err);

		if (rc < 0)
			return rc;
	}
	if (input_line_number(input) == 0 || input_line_had_end(input))
		return 0;
	if (import->odd_line == input_line_number(input))
		return import_cut(import, loses, "it breaks off in the middle of its last line", err);
	return import_odd(import, input, "the last line has no end: it may be cut", err);
}

int import_read(struct import *import, struct input *input, const char *name,
		const struct format *format, struct err *err)
{
	int rc = import_source_begin(import, input, name, format, err);

	if (rc == 0 && format)
		rc = format->read(import, input, err);
	if (rc == 0 && format && input && !format->by_hand)
		rc = check_end(import, input, format->loses, err);
	if (rc == ERR_NOMEM && import->limit)
		rc = err_set(err, ERR_LIMIT, "line %lld: %s", (long long)input_line_number(input),
			     import->limit);
	import->input = NULL;
	import->limit = NULL;
	return rc;
}

/*
 * A file of a directory or an archive that failed costs itself: its source says
 * why, and the snapshot is partial. Returns 0, or ERR_NOMEM.
 */
static int note_failure(struct import *import, const char *name, int rc, struct err *err)
{
	struct fabric *fabric = import->fabric;
	struct source *source = import->ref ? import_source(import) : NULL;

	if (rc == ERR_NOMEM)
		return rc;
	if (!source || strcmp(source->name, name) != 0) {
		rc = import_source_begin(import, NULL, name, NULL, err);
		if (rc < 0)
			return rc;
		source = import_source(import);
	}
	source->detail = fabric_text(fabric, err->text, strlen(err->text));
	fabric->partial = true;
	return source->detail ? 0 : err_no_memory(err);
}

/* Why a file that no format claims is refused. */
static int refuse(const struct input *input, struct err *err)
{
	const unsigned char *bytes;
	size_t length;

	input_raw(input, &bytes, &length);
	if (length == 0)
		return err_set(err, ERR_INPUT,
			       "the file is empty: the capture failed, or its disk was full; take it again");
	if (archive_is(bytes, length))
		return err_set(err, ERR_INPUT, "an archive inside an archive is not opened");
	if (length > 2 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0))
		return err_set(err, ERR_INPUT,
			       "text in UTF-16: convert it first (iconv -f UTF-16 -t UTF-8)");
	if (memchr(bytes, '\0', length))
		return err_set(err, ERR_INPUT, "a binary file; captures are text: give what the tool printed, not a core, a "
			       "database or ibnetdiscover's --cache");
	return err_set(err, ERR_INPUT, "not a capture of any format known here; `ibaudit formats` lists them");
}

/* A file of no known format in a directory or an archive: a source that says so. */
static int note_unknown(struct import *import, const struct input *input, const char *name,
			struct err *err)
{
	int rc;

	if (import->unknown_kept++ >= IMPORT_UNKNOWN_KEPT)
		return 0;
	rc = import_source_begin(import, NULL, name, NULL, err);
	if (rc < 0)
		return rc;
	refuse(input, err);
	import_source(import)->detail = fabric_text(import->fabric, err->text, strlen(err->text));
	return import_source(import)->detail ? 0 : err_no_memory(err);
}

/* A path of the user's that is of no format. */
static bool is_refused(const struct files *files, const struct file_item *item)
{
	return item->kind == FILE_PLAIN && !item->format && !files->roots[item->root].container;
}

static int read_plain(struct import *import, struct files *files, const struct file_item *item,
		      struct err *err)
{
	bool named = !files->roots[item->root].container;
	int fd = -1;
	int rc = files_open(item->path, &fd, err);

	if (rc == 0)
		rc = input_reopen(files->input, item->path, input_read_fd, &fd, files->limits.max_bytes,
				  err);
	if (rc == 0 && item->format)
		rc = import_read(import, files->input, item->path, item->format, err);
	else if (rc == 0)
		rc = named ? refuse(files->input, err)
			   : note_unknown(import, files->input, item->path, err);
	if (rc < 0 && !named)
		rc = note_failure(import, item->path, rc, err);
	if (rc < 0)
		err_prefix(err, "%s", item->path);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* One pass over an archive. */
struct pass {
	struct import *import;
	struct files *files;
	const char *path;
	const struct archive_index *index;	/* NULL: one pass that tells the formats itself */
	bool late;
	size_t known;
	struct sysfs_members hosts;
};

/* "capture.tar.gz:dir/file"; a single compressed file bears the archive's name. */
static char *member_name(struct pass *pass, const char *name)
{
	size_t size = strlen(pass->path) + strlen(name) + 2;
	char *full = fabric_alloc(pass->import->fabric, size, 1);

	if (full)
		snprintf(full, size, "%s%s%s", pass->path, *name ? ":" : "", name);
	return full;
}

static int read_member(void *context, const char *name, size_t index, input_read read_more,
		       void *read_context, struct err *err)
{
	struct pass *pass = context;
	struct files *files = pass->files;
	const struct format *format = NULL;
	struct probe probe;
	char *full;
	int rc;

	if (pass->index) {
		if (index >= pass->index->count)
			return 0;
		format = pass->index->formats[index];
		if ((!format || format->late) != pass->late)
			return 0;
	}
	if (sysfs_is_file(name)) {
		pass->known++;
		return sysfs_members_take(&pass->hosts, name, read_more, read_context, err);
	}
	full = member_name(pass, name);
	if (!full)
		return err_no_memory(err);
	rc = input_reopen(files->input, full, read_more, read_context, files->limits.max_bytes, err);
	if (rc == 0 && !pass->index) {
		rc = input_probe(files->input, &probe, err);
		if (rc == 0)
			format = import_detect(&probe);
	}
	pass->known += format != NULL;
	if (rc == 0)
		rc = format ? import_read(pass->import, files->input, full, format, err)
			    : note_unknown(pass->import, files->input, full, err);
	/* A bomb is not read on. */
	if (rc < 0 && rc != ERR_LIMIT)
		rc = note_failure(pass->import, full, rc, err);
	return rc;
}

/* The hosts of the archive, also of the part in front of its damage. */
static int end_hosts(struct pass *pass, int rc, struct err *err)
{
	struct err own = {0};
	int ended = sysfs_members_end(&pass->hosts, pass->import, pass->path, &own);

	if (rc == 0 && ended < 0)
		*err = own;
	return rc < 0 ? rc : ended;
}

static int read_archive(struct import *import, struct files *files, const struct file_item *item,
			struct err *err)
{
	struct pass pass = {
		.import = import,
		.files = files,
		.path = item->path,
		.index = item->index,
		.late = item->late,
	};
	int fd = -1;
	int rc = files_open(item->path, &fd, err);

	if (rc == 0)
		rc = archive_walk(fd, &files->limits, read_member, &pass, err);
	rc = end_hosts(&pass, rc, err);
	/* The damage behind what could be read is told once, by the second pass. */
	if (rc == ERR_INPUT)
		rc = item->late ? note_failure(import, item->path, rc, err) : 0;
	if (rc < 0)
		err_prefix(err, "%s", item->path);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* What --config does not take, and what does. */
static int refuse_config(const struct format *format, struct err *err)
{
	return err_set(err, ERR_INPUT,
		       "--config does not take a file of the format %s, but opensm.conf, "
		       "qos-policy.conf, partitions.conf and opensm.log of the SM's host; "
		       "`ibaudit import` and `ibaudit check PATH...` read captures",
		       format->id);
}

/* Standard input or a pipe: one look, in whatever order the content comes. */
static int read_stream(struct import *import, struct files *files, const struct file_item *item,
		       struct err *err)
{
	bool standard = strcmp(item->path, "-") == 0;
	const char *name = standard ? "standard input" : item->path;
	struct pass pass = {.import = import, .files = files, .path = name};
	const struct format *format;
	struct input *input = NULL;
	struct probe probe;
	struct replay replay;
	const unsigned char *bytes;
	size_t length;
	struct pipe_stream pipe = {.fd = STDIN_FILENO};
	int rc = standard ? 0 : files_open_pipe(item->path, &pipe, err);

	if (rc < 0) {
		err_prefix(err, "%s", name);
		return rc;
	}
	rc = input_open(name, files_read_pipe, &pipe, files->limits.max_bytes, &input, err);
	if (rc < 0)
		goto out;
	input_raw(input, &bytes, &length);
	if (archive_is(bytes, length) && item->root >= import->first_config) {
		rc = err_set(err, ERR_INPUT, "--config takes no archive from a pipe: unpack it first");
		goto out;
	}
	if (archive_is(bytes, length)) {
		replay = (struct replay){.fd = pipe.fd, .head = bytes, .length = input_held(input)};
		rc = archive_walk_stream(&replay, &files->limits, read_member, &pass, err);
		rc = end_hosts(&pass, rc, err);
		if (rc == 0 && pass.known == 0)
			rc = err_set(err, ERR_INPUT, "holds no capture of any format known here; `ibaudit formats` lists them");
		goto out;
	}
	rc = input_probe(input, &probe, err);
	if (rc < 0)
		goto out;
	format = import_detect(&probe);
	if (format && item->root >= import->first_config && !format->config)
		rc = refuse_config(format, err);
	else
		rc = format ? import_read(import, input, name, format, err) : refuse(input, err);
out:
	if (rc < 0)
		err_prefix(err, "%s", name);
	input_close(input);
	if (!standard)
		close(pipe.fd);
	return rc;
}

/* The format takes the directory from the source's name. */
static int read_host_tree(struct import *import, const struct file_item *item, struct err *err)
{
	int rc = import_read(import, NULL, item->path, item->format, err);

	return rc < 0 ? note_failure(import, item->path, rc, err) : 0;
}

static int read_item(struct import *import, struct files *files, const struct file_item *item,
		     struct err *err)
{
	switch (item->kind) {
	case FILE_PLAIN:
		return read_plain(import, files, item, err);
	case FILE_STREAM:
		return read_stream(import, files, item, err);
	case FILE_ARCHIVE:
		return read_archive(import, files, item, err);
	case FILE_HOST_TREE:
		return read_host_tree(import, item, err);
	}
	return 0;
}

/* A directory or an archive without one known file is as wrong as an unknown file. */
static int check_roots(const struct files *files, struct err *err)
{
	for (size_t i = 0; i < files->root_count; i++) {
		const struct file_root *root = &files->roots[i];

		if (!root->container || root->known > 0)
			continue;
		if (root->nested > 0)
			return err_set(err, ERR_INPUT,
				       "%s: holds no capture, but %zu archives, which are not opened "
				       "inside an archive: unpack it once first",
				       root->path, root->nested);
		return err_set(err, ERR_INPUT,
			       "%s: none of its %zu files is a capture that is known here",
			       root->path, root->seen);
	}
	return 0;
}

/* The names the user gives the devices; read when the devices are known. */
static int read_name_map(struct import *import, struct files *files, const char *path,
			 struct err *err)
{
	const struct format *format = import_format_find("node-name-map");
	int fd = -1;
	int rc = files_open(path, &fd, err);

	if (rc == 0)
		rc = input_reopen(files->input, path, input_read_fd, &fd, files->limits.max_bytes,
				  err);
	if (rc == 0)
		rc = import_read(import, files->input, path, format, err);
	if (rc < 0)
		err_prefix(err, "node name map %s", path);
	if (fd >= 0)
		close(fd);
	return rc;
}

/* A format of this file, or of one in this archive, that --config does not take; NULL: none. */
static const struct format *foreign_to_config(const struct file_item *item)
{
	if (item->format)
		return item->format->config ? NULL : item->format;
	for (size_t i = 0; item->index && i < item->index->count; i++) {
		const struct format *format = item->index->formats[i];

		if (format && !format->config)
			return format;
	}
	return NULL;
}

/* The files of the roots from `first` on against what --config takes. */
static int check_configs(const struct files *files, size_t first, struct err *err)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct file_item *item = &files->items[i];
		const struct format *foreign =
			item->root >= first ? foreign_to_config(item) : NULL;

		if (!foreign)
			continue;
		refuse_config(foreign, err);
		err_prefix(err, "%s", item->path);
		return ERR_INPUT;
	}
	return 0;
}

int import_check_configs(const struct import_options *options, struct err *err)
{
	struct files *files = NULL;
	int rc = files_find(options->configs, options->config_count, options, &files, err);

	if (rc == 0)
		rc = check_roots(files, err);
	if (rc == 0)
		rc = check_configs(files, 0, err);
	for (size_t i = 0; rc == 0 && i < files->count; i++) {
		if (is_refused(files, &files->items[i]))
			rc = read_plain(NULL, files, &files->items[i], err);
	}
	files_free(files);
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
	rc = files_find(all, count + configs, options, ret_files, err);
	if (rc == 0)
		rc = check_roots(*ret_files, err);
	if (rc == 0)
		rc = check_configs(*ret_files, count, err);
	free(all);
	return rc;
}

int import_paths(const char *const *paths, size_t count, const struct import_options *options,
		 struct fabric *fabric, struct err *err)
{
	struct files *files = NULL;
	struct import import;
	int rc = import_begin(&import, fabric, options, err);

	import.first_config = count;
	if (rc == 0)
		rc = find_all(paths, count, options, &files, err);
	for (size_t i = 0; rc == 0 && i < files->count; i++)
		rc = read_item(&import, files, &files->items[i], err);
	if (rc == 0 && options && options->node_name_map)
		rc = read_name_map(&import, files, options->node_name_map, err);
	if (rc == 0)
		rc = import_settle(&import, err);
	files_free(files);
	import_end(&import);
	return rc;
}
