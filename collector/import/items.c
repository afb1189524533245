#include "collector/import/items.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/import/configs.h"
#include "collector/import/detect.h"
#include "collector/import/part_read.h"
#include "collector/import/sysfs.h"
#include "store/odd_cause.h"

/*
 * A file of a directory or an archive that failed costs itself: its source says
 * why, and the snapshot is partial. Returns 0, or ERR_NOMEM.
 */
static int note_failure(struct import *import, const char *name, int rc, struct err *err)
{
	struct fabric *fabric = import->fabric;
	struct source *source = import->ref ? import_source(import) : NULL;
	const struct format *format;

	if (rc == ERR_NOMEM)
		return rc;
	if (!source || strcmp(source->name, name) != 0) {
		rc = import_source_begin(import, NULL, name, NULL, err);
		if (rc < 0)
			return rc;
		source = import_source(import);
	}
	source->detail = fabric_text(fabric, err->text, strlen(err->text));
	if (!source->detail)
		return err_no_memory(err);
	format = import_format_find(source->format);
	return import_cut(import, format ? format->loses : ATTRIBUTE_NODE_INFO, source->detail, err);
}

/* What was done to a capture so that nobody knows it any more; "" for nothing that shows. */
static const char *cause_of(const unsigned char *bytes, size_t length)
{
	struct odd_look look = {0};
	const char *at = (const char *)bytes;
	const char *end = at + length;

	for (int64_t number = 1; at < end && number <= 100; number++) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		const char *stop = lf ? lf : end;

		odd_look_at(&look, at, (size_t)(stop - at), number);
		at = lf ? lf + 1 : end;
	}
	/* Any text may be of one width. */
	look.at_longest = 0;
	return odd_look_cause(&look);
}

/* Why a file that no format claims is refused. */
static int refuse(const struct input *input, struct err *err)
{
	const unsigned char *bytes;
	const char *cause;
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
	cause = cause_of(bytes, length);
	return err_set(err, ERR_INPUT, "not a capture of any format known here%s%s; `ibaudit formats` lists them",
		       *cause ? ": " : "", cause);
}

/* A file of no known format in a directory or an archive: a source that says so. */
static int note_unknown(struct import *import, const struct input *input, const char *name,
			struct err *err)
{
	const unsigned char *bytes;
	size_t length;
	int rc;

	if (import->unknown_kept++ >= IMPORT_UNKNOWN_KEPT)
		return 0;
	rc = import_source_begin(import, NULL, name, NULL, err);
	if (rc < 0)
		return rc;
	refuse(input, err);
	import_source(import)->detail = fabric_text(import->fabric, err->text, strlen(err->text));
	if (!import_source(import)->detail)
		return err_no_memory(err);
	/* A text or a picture is nothing that was asked for; an archive may hold captures. */
	input_raw(input, &bytes, &length);
	return archive_is(bytes, length)
		       ? import_cut(import, ATTRIBUTE_NODE_INFO, import_source(import)->detail, err)
		       : 0;
}

/* OpenSM's view of the fabric, among what --config takes. */
static int note_view(struct import *import, const char *name, const struct format *format,
		     struct err *err)
{
	static const char text[] = "not used: --config takes what the SM was told, not what it saw of "
				   "the fabric; give the file as a path to read it";
	int rc = import_source_begin(import, NULL, name, format, err);

	if (rc < 0)
		return rc;
	import_source(import)->detail = import_intern(import, text, strlen(text));
	return import_source(import)->detail ? 0 : err_no_memory(err);
}

bool item_is_refused(const struct files *files, const struct file_item *item)
{
	return item->kind == FILE_PLAIN && !item->format && !item->split &&
	       !files->roots[item->root].container;
}

int item_refuse(struct files *files, const struct file_item *item, struct err *err)
{
	struct file_stream stream = {.fd = -1};
	int rc = stream_open(item->path, &stream, err);

	if (rc == 0)
		rc = input_reopen(files->input, item->path, stream_read, &stream, files->limits.max_bytes,
				  err);
	if (rc == 0)
		rc = refuse(files->input, err);
	err_prefix(err, "%s", item->path);
	if (stream.fd >= 0)
		close(stream.fd);
	return rc;
}

/* Given with --config. */
static bool is_config(const struct import *import, const struct file_item *item)
{
	return item->root >= import->first_config;
}

/* The stream gives the part alone. */
static int seek_part(struct file_stream *stream, const struct listed_part *part, struct err *err)
{
	uint64_t place = part->part.place;

	if (lseek(stream->fd, (off_t)place, SEEK_SET) < 0)
		return err_set(err, ERR_INPUT, "%s", strerror(errno));
	stream->left = stream->left > place ? stream->left - place : 0;
	if (part->end != UINT64_MAX && part->end - place < stream->left)
		stream->left = part->end - place;
	return 0;
}

/* A file, or a part of one, that is opened. */
static int read_opened(struct import *import, struct files *files, const struct file_item *item,
		       const char *name, struct err *err)
{
	if (item->part)
		input_number_from(files->input, item->part->part.line);
	if (item->split)
		return part_read(import, files->input, item->path, name, &item->part->part, err);
	if (item->format)
		return import_read(import, files->input, name, item->format, err);
	return files->roots[item->root].container ? note_unknown(import, files->input, name, err)
						  : refuse(files->input, err);
}

static int read_plain(struct import *import, struct files *files, const struct file_item *item,
		      struct err *err)
{
	bool named = !files->roots[item->root].container;
	struct file_stream stream = {.fd = -1};
	const char *name = item->path;
	int rc;

	if (item->format && !item->format->config && import->config)
		return note_view(import, item->path, item->format, err);
	if (item->split) {
		name = part_name(import->fabric, item->path, item->format, item->part->number);
		if (!name)
			return err_no_memory(err);
	}
	rc = stream_open(item->path, &stream, err);
	if (rc == 0 && item->part)
		rc = seek_part(&stream, item->part, err);
	if (rc == 0)
		rc = input_reopen(files->input, item->path, stream_read, &stream, files->limits.max_bytes,
				  err);
	if (rc == 0)
		rc = read_opened(import, files, item, name, err);
	if (rc < 0 && !named)
		rc = note_failure(import, name, rc, err);
	if (rc < 0)
		err_prefix(err, "%s", item->path);
	if (stream.fd >= 0)
		close(stream.fd);
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
	const struct archive_entry *entry = NULL;
	struct part_pass parts;
	size_t known = 0;
	char *full;
	int rc;

	if (pass->index) {
		if (index >= pass->index->count)
			return 0;
		entry = &pass->index->entries[index];
		/* What is of no format is told behind the rest. */
		if (entry->ranks[pass->late] < 0 && (entry->format || !pass->late))
			return 0;
	}
	if (sysfs_is_file(name)) {
		pass->known++;
		return sysfs_members_take(&pass->hosts, name, read_more, read_context, err);
	}
	full = member_name(pass, name);
	if (!full)
		return err_no_memory(err);
	if (pass->import->config && entry && entry->format && !entry->format->config)
		return note_view(pass->import, full, entry->format, err);
	rc = input_reopen(files->input, full, read_more, read_context, files->limits.max_bytes, err);
	if (rc < 0)
		return rc == ERR_LIMIT ? rc : note_failure(pass->import, full, rc, err);
	parts = (struct part_pass){.import = pass->import, .input = files->input, .name = full,
				   /* One look is not enough to read the parts in the order of their strength. */
				   .whole = pass->import->config || !entry, .split = entry && entry->split,
				   .late = entry ? pass->late : -1};
	if (!entry || entry->format)
		rc = parts_read(&parts, &known, err);
	pass->known += known;
	if (rc == 0 && known == 0)
		rc = note_unknown(pass->import, files->input, full, err);
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
	struct file_stream stream = {.fd = -1};
	int rc = stream_open(item->path, &stream, err);

	if (rc == 0)
		rc = archive_walk(stream.fd, &files->limits, read_member, &pass, err);
	rc = end_hosts(&pass, rc, err);
	/* The damage behind what could be read is told once, by the second pass. */
	if (rc == ERR_INPUT)
		rc = item->late ? note_failure(import, item->path, rc, err) : 0;
	if (rc < 0)
		err_prefix(err, "%s", item->path);
	if (stream.fd >= 0)
		close(stream.fd);
	return rc;
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
	struct part_pass parts;
	struct probe probe;
	struct replay replay;
	size_t known;
	const unsigned char *bytes;
	size_t length;
	struct pipe_stream pipe = {.fd = STDIN_FILENO};
	int rc = standard ? 0 : stream_open_pipe(item->path, &pipe, err);

	if (rc < 0) {
		err_prefix(err, "%s", name);
		return rc;
	}
	rc = input_open(name, stream_read_pipe, &pipe, files->limits.max_bytes, &input, err);
	if (rc < 0)
		goto out;
	input_raw(input, &bytes, &length);
	if (archive_is(bytes, length) && import->config) {
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
	if (format && import->config && !format->config) {
		rc = configs_refuse(format, err);
		goto out;
	}
	parts = (struct part_pass){.import = import, .input = input, .name = name,
				   .whole = true, .late = -1};
	rc = parts_read(&parts, &known, err);
	if (rc == 0 && known == 0)
		rc = refuse(input, err);
out:
	if (rc < 0)
		err_prefix(err, "%s", name);
	input_close(input);
	if (!standard)
		close(pipe.fd);
	return rc;
}

/* An entry of a directory that was left out, and why. */
static int note_unread(struct import *import, const struct file_item *item, struct err *err)
{
	struct err why = {0};
	int rc;

	if (!item->lost && import->unknown_kept++ >= IMPORT_UNKNOWN_KEPT)
		return 0;
	if (item->lost) {
		err_set(&why, ERR_INPUT, "%s", item->why);
		rc = note_failure(import, item->path, ERR_INPUT, &why);
		if (rc < 0)
			*err = why;
		return rc;
	}
	rc = import_source_begin(import, NULL, item->path, NULL, err);
	if (rc < 0)
		return rc;
	import_source(import)->detail = fabric_text(import->fabric, item->why, strlen(item->why));
	return import_source(import)->detail ? 0 : err_no_memory(err);
}

/* The format takes the directory from the source's name. */
static int read_host_tree(struct import *import, const struct file_item *item, struct err *err)
{
	int rc = import_read(import, NULL, item->path, item->format, err);

	return rc < 0 ? note_failure(import, item->path, rc, err) : 0;
}

int item_read(struct import *import, struct files *files, const struct file_item *item,
		     struct err *err)
{
	import->config = is_config(import, item);
	switch (item->kind) {
	case FILE_PLAIN:
		return read_plain(import, files, item, err);
	case FILE_STREAM:
		return read_stream(import, files, item, err);
	case FILE_ARCHIVE:
		return read_archive(import, files, item, err);
	case FILE_UNREAD:
		return note_unread(import, item, err);
	case FILE_HOST_TREE:
		return read_host_tree(import, item, err);
	}
	return 0;
}
