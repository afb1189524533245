#include "collector/import/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/import/archive.h"
#include "collector/import/detect.h"
#include "collector/import/sysfs_tree.h"
#include "store/array.h"

#define MAX_BYTES (UINT64_C(16) << 30)
#define MAX_FILES 100000	/* one host's sysfs tree has thousands */
#define MAX_DEPTH 16
#define RANK_STREAM 1000

static struct file_item *item_add(struct files *files, enum file_kind kind, const char *path,
				  size_t root)
{
	struct file_item *item;
	struct file_item *items =
		array_grow(files->items, files->count, &files->room, sizeof(*items));

	if (!items)
		return NULL;
	files->items = items;
	item = &files->items[files->count];
	*item = (struct file_item){.kind = kind, .order = files->count, .root = root};
	item->path = strdup(path);
	if (!item->path)
		return NULL;
	files->count++;
	return item;
}

static int count_file(struct files *files, size_t root, struct err *err)
{
	files->roots[root].seen++;
	if (++files->found > files->limits.max_files)
		return err_set(err, ERR_LIMIT, "more than the %zu files accepted",
			       files->limits.max_files);
	return 0;
}

/* Adds the format of one more file of an archive (struct archive_index). */
struct indexing {
	struct files *files;
	struct archive_index *index;
	size_t root;
};

/* What the parts of the input's file are together. */
static int index_parts(struct indexing *indexing, struct archive_entry *entry, struct err *err)
{
	struct files *files = indexing->files;
	struct part_list list = {0};
	int rc = part_list_scan(files->input, indexing->root >= files->first_config,
				files->limits.max_files, &list, err);

	for (size_t i = 0; rc == 0 && i < list.count; i++) {
		const struct format *format = list.parts[i].part.format;
		bool late = !format || format->late;
		int rank = format ? format->rank : 0;

		if (!entry->format)
			entry->format = format;
		if (rank > entry->ranks[late] && list.known > 0)
			entry->ranks[late] = rank;
	}
	entry->split = list.count > 1;
	free(list.parts);
	return rc;
}

static int index_file(void *context, const char *name, size_t index, input_read read_more,
		      void *read_context, struct err *err)
{
	struct indexing *indexing = context;
	struct archive_index *list = indexing->index;
	struct files *files = indexing->files;
	struct archive_entry *entries, *entry;
	const unsigned char *bytes;
	size_t length;
	int rc = count_file(files, indexing->root, err);

	if (rc < 0)
		return rc;
	entries = array_reach(list->entries, index, &list->room, sizeof(*entries));
	if (!entries)
		return err_no_memory(err);
	list->entries = entries;
	while (list->count <= index)
		entries[list->count++] = (struct archive_entry){.ranks = {-1, -1}};
	entry = &entries[index];
	if (sysfs_is_file(name)) {
		entry->format = import_format_find("sysfs");
		entry->ranks[entry->format->late] = entry->format->rank;
		files->roots[indexing->root].known++;
		return 0;
	}
	rc = input_reopen(files->input, name, read_more, read_context, files->limits.max_bytes, err);
	if (rc < 0)
		return rc;
	input_raw(files->input, &bytes, &length);
	if (archive_is(bytes, length))
		files->roots[indexing->root].nested++;
	else
		rc = index_parts(indexing, entry, err);
	files->roots[indexing->root].known += entry->format != NULL;
	return rc;
}

/* The highest rank of the formats in this pass; -1: there is none. */
static int rank_of_pass(const struct archive_index *index, bool late)
{
	int rank = -1;

	for (size_t i = 0; i < index->count; i++) {
		if (index->entries[i].ranks[late] > rank)
			rank = index->entries[i].ranks[late];
	}
	return rank;
}

/* An archive: its files are told apart now and read later, in two passes. */
static int add_archive(struct files *files, const char *path, int fd, size_t root, struct err *err)
{
	struct archive_index *index = calloc(1, sizeof(*index));
	struct indexing indexing = {.files = files, .index = index, .root = root};
	struct file_item *item = index ? item_add(files, FILE_ARCHIVE, path, root) : NULL;
	int rc;

	if (!item) {
		free(index);
		return err_no_memory(err);
	}
	item->index = index;
	item->late = true;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return err_set(err, ERR_INPUT, "%s", strerror(errno));
	rc = archive_walk(fd, &files->limits, index_file, &indexing, err);
	/* What an archive holds in front of its damage is still of use. */
	if (rc < 0 && (rc != ERR_INPUT || files->roots[root].known == 0))
		return rc;
	item->rank = rank_of_pass(index, true);
	if (rank_of_pass(index, false) < 0)
		return 0;
	item = item_add(files, FILE_ARCHIVE, path, root);
	if (!item)
		return err_no_memory(err);
	item->index = index;
	item->rank = rank_of_pass(index, false);
	return 0;
}

/* A file, or one item for each of its parts. */
static int add_parts(struct files *files, const char *path, size_t root, struct err *err)
{
	struct part_list list = {0};
	int rc = part_list_scan(files->input, root >= files->first_config, files->limits.max_files,
				&list, err);

	for (size_t i = 0; rc == 0 && i < list.count; i++) {
		const struct format *format = list.parts[i].part.format;
		struct file_item *item = item_add(files, FILE_PLAIN, path, root);

		if (!item) {
			rc = err_no_memory(err);
			break;
		}
		item->format = format;
		item->rank = format ? format->rank : -1;
		item->late = !format || format->late;
		item->split = list.count > 1;
		files->roots[root].known += format != NULL;
		if (!item->split && list.parts[i].part.place == 0 && list.parts[i].end == UINT64_MAX)
			break;
		item->part = malloc(sizeof(*item->part));
		if (!item->part)
			rc = err_no_memory(err);
		else
			*item->part = list.parts[i];
		/* Each is a source. */
		if (rc == 0 && i > 0)
			rc = count_file(files, root, err);
	}
	free(list.parts);
	return rc;
}

static int add_regular(struct files *files, const char *path, size_t root, bool named,
		       struct err *err)
{
	const unsigned char *bytes;
	size_t length;
	struct file_stream stream = {.fd = -1};
	int rc = stream_open(path, &stream, err);

	if (rc < 0)
		goto out;
	rc = input_reopen(files->input, path, stream_read, &stream, files->limits.max_bytes, err);
	if (rc < 0)
		goto out;
	input_raw(files->input, &bytes, &length);
	if (archive_is(bytes, length)) {
		if (named)
			files->roots[root].container = true;
		rc = add_archive(files, path, stream.fd, root, err);
		goto out;
	}
	rc = count_file(files, root, err);
	if (rc == 0)
		rc = add_parts(files, path, root, err);
out:
	if (rc < 0 && rc != ERR_NOMEM)
		err_prefix(err, "%s", path);
	if (stream.fd >= 0)
		close(stream.fd);
	return rc;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a directory, sorted; without "." and "..". */
static int list_directory(const char *path, size_t max, char ***ret_names, size_t *ret_count,
			  struct err *err)
{
	DIR *directory = opendir(path);
	const struct dirent *entry;
	char **names = NULL;
	size_t count = 0;
	size_t room = 0;
	int rc = 0;

	if (!directory)
		return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
	while (rc == 0 && (entry = readdir(directory))) {
		char **grown;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (count >= max) {
			rc = err_set(err, ERR_LIMIT, "%s: more than the %zu files accepted", path, max);
			break;
		}
		grown = array_grow(names, count, &room, sizeof(*names));
		if (!grown) {
			rc = err_no_memory(err);
			break;
		}
		names = grown;
		names[count] = strdup(entry->d_name);
		if (!names[count])
			rc = err_no_memory(err);
		else
			count++;
	}
	closedir(directory);
	if (count)
		qsort(names, count, sizeof(*names), by_name);
	*ret_names = names;
	*ret_count = count;
	return rc;
}

static int add_directory(struct files *files, const char *path, size_t root, int depth,
			 struct err *err);

/* An entry that is not read; `lost`: something of the fabric may be in it. */
static int add_unread(struct files *files, const char *path, size_t root, bool lost,
		      const char *why, struct err *err)
{
	size_t length = strlen(path);
	struct file_item *item = item_add(files, FILE_UNREAD, path, root);

	if (!item)
		return err_no_memory(err);
	/* The source bears the name already. */
	if (strncmp(why, path, length) == 0 && strncmp(why + length, ": ", 2) == 0)
		why += length + 2;
	item->late = true;
	item->rank = -1;
	item->lost = lost;
	item->why = strdup(why);
	return item->why ? count_file(files, root, err) : err_no_memory(err);
}

static const char *special_name(mode_t mode)
{
	if (S_ISDIR(mode))
		return "a link to a directory is not followed, it could lead in a circle: give the "
		       "directory itself";
	if (S_ISFIFO(mode))
		return "a pipe in a directory is not read";
	return S_ISSOCK(mode) ? "a socket is not read" : "a device is not read";
}

/* One entry of a directory. What cannot be read there is kept with the reason. */
static int add_entry(struct files *files, const char *path, size_t root, int depth,
		     struct err *err)
{
	struct err own = {0};
	struct stat status;
	size_t before = files->count;
	bool link;
	int rc;

	if (lstat(path, &status) < 0)
		return add_unread(files, path, root, true, strerror(errno), err);
	link = S_ISLNK(status.st_mode);
	if (link && stat(path, &status) < 0)
		return add_unread(files, path, root, false, "a link to nothing", err);
	if (S_ISDIR(status.st_mode) && !link)
		rc = add_directory(files, path, root, depth + 1, &own);
	else if (S_ISREG(status.st_mode))
		rc = add_regular(files, path, root, false, &own);
	else
		return add_unread(files, path, root, false, special_name(status.st_mode), err);
	if (rc != ERR_INPUT) {
		if (rc < 0)
			*err = own;
		return rc;
	}
	/* An archive tells its damage itself. */
	return files->count > before ? 0 : add_unread(files, path, root, true, own.text, err);
}

/* Hundreds of files with a number each: together they are one host's source. */
static int add_host_tree(struct files *files, const char *path, size_t root, struct err *err)
{
	struct file_item *item = item_add(files, FILE_HOST_TREE, path, root);

	if (!item)
		return err_no_memory(err);
	item->format = import_format_find("sysfs");
	item->rank = item->format->rank;
	files->roots[root].known++;
	return count_file(files, root, err);
}

static int add_directory(struct files *files, const char *path, size_t root, int depth,
			 struct err *err)
{
	const char *separator;
	char **names = NULL;
	size_t count = 0;
	char *full = NULL;
	int rc;

	if (depth > MAX_DEPTH)
		return err_set(err, ERR_LIMIT, "%s: more than %d folders in each other", path,
			       MAX_DEPTH);
	if (sysfs_is_class_directory(path))
		return add_host_tree(files, path, root, err);
	/* As a shell completes it, "captures/". */
	separator = *path && path[strlen(path) - 1] == '/' ? "" : "/";
	rc = list_directory(path, files->limits.max_files, &names, &count, err);
	for (size_t i = 0; i < count && rc == 0; i++) {
		size_t length = strlen(path) + strlen(names[i]) + 2;

		full = malloc(length);
		if (!full) {
			rc = err_no_memory(err);
			break;
		}
		snprintf(full, length, "%s%s%s", path, separator, names[i]);
		rc = add_entry(files, full, root, depth, err);
		free(full);
	}
	for (size_t i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return rc;
}

static int add_root(struct files *files, size_t root, struct err *err)
{
	const char *path = files->roots[root].path;
	struct file_item *item;
	struct stat status;

	if (strcmp(path, "-") != 0) {
		if (stat(path, &status) < 0)
			return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
		if (S_ISDIR(status.st_mode)) {
			files->roots[root].container = true;
			return add_directory(files, path, root, 0, err);
		}
		if (S_ISREG(status.st_mode))
			return add_regular(files, path, root, true, err);
		if (!S_ISFIFO(status.st_mode))
			return err_set(err, ERR_INPUT,
				       "%s: is %s, not a file; give the file it was captured to, or "
				       "`-` and the capture on standard input", path,
				       S_ISSOCK(status.st_mode) ? "a socket" : "a device");
	}
	item = item_add(files, FILE_STREAM, path, root);
	if (!item)
		return err_no_memory(err);
	item->rank = RANK_STREAM;
	return count_file(files, root, err);
}

static int by_rank(const void *a, const void *b)
{
	const struct file_item *x = a;
	const struct file_item *y = b;

	if (x->late != y->late)
		return x->late ? 1 : -1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static ssize_t read_nothing(void *context, void *buffer, size_t size, struct err *err)
{
	(void)context;
	(void)buffer;
	(void)size;
	(void)err;
	return 0;
}

int files_find(const char *const *paths, size_t count, size_t first_config,
	       const struct import_options *options, struct files **ret_files, struct err *err)
{
	struct files *files = calloc(1, sizeof(*files));
	int rc = 0;

	if (!files)
		return err_no_memory(err);
	files->limits.max_bytes = options && options->max_bytes ? options->max_bytes : MAX_BYTES;
	files->limits.max_files = options && options->max_files ? options->max_files : MAX_FILES;
	files->roots = calloc(count + 1, sizeof(*files->roots));
	files->root_count = count;
	files->first_config = first_config;
	if (!files->roots)
		rc = err_no_memory(err);
	if (rc == 0)
		rc = input_open("", read_nothing, NULL, files->limits.max_bytes, &files->input, err);
	for (size_t i = 0; i < count && rc == 0; i++) {
		files->roots[i].path = paths[i];
		rc = add_root(files, i, err);
	}
	if (rc < 0) {
		files_free(files);
		return rc;
	}
	if (files->count)
		qsort(files->items, files->count, sizeof(*files->items), by_rank);
	*ret_files = files;
	return 0;
}

void files_free(struct files *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < files->count; i++) {
		struct file_item *item = &files->items[i];

		/* Both passes share the index; the late one always exists. */
		if (item->index && item->late) {
			free(item->index->entries);
			free(item->index);
		}
		free(item->path);
		free(item->why);
		free(item->part);
	}
	free(files->items);
	free(files->roots);
	input_close(files->input);
	free(files);
}

int files_check_roots(const struct files *files, struct err *err)
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
		err_set(err, ERR_INPUT, "%s: none of its %zu files is a capture that is known here",
			root->path, root->seen);
		for (size_t n = 0; n < files->count; n++) {
			const struct file_item *item = &files->items[n];

			if (item->root == i && item->kind == FILE_UNREAD)
				return err_set(err, ERR_INPUT,
					       "%s: none of its %zu files is a capture that is known here; "
					       "%s: %s",
					       root->path, root->seen, item->path, item->why);
		}
		return ERR_INPUT;
	}
	return 0;
}
