/* The files of /sys/class/infiniband, read from a directory tree. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/import/sysfs_tree.h"

#define PATH_SIZE 4096
#define FILE_SIZE 4096		/* what one of these files can hold */

struct walk {
	struct sysfs_tree *tree;
	struct err *err;
	int64_t files;
	const char *called;	/* what the directory is called in the tree; NULL: by its path */
	size_t directory_length;
	char path[PATH_SIZE];
};

/* Appends "/name"; the length to go back to, or 0: too long. */
static size_t path_push(struct walk *walk, const char *name)
{
	size_t length = strlen(walk->path);
	size_t more = strlen(name);

	if (length + more + 2 > sizeof(walk->path))
		return 0;
	walk->path[length] = '/';
	memcpy(walk->path + length + 1, name, more + 1);
	return length;
}

/* A file that cannot be opened or read goes in empty: that may be a hole. */
static int read_file(struct walk *walk)
{
	char content[FILE_SIZE];
	char name[PATH_SIZE];
	struct stat status;
	bool taken = false;
	ssize_t got = -1;
	int fd = open(walk->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int rc;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd >= 0) {
		if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
			got = read(fd, content, sizeof(content));
		close(fd);
	}
	if (walk->called && snprintf(name, sizeof(name), "%s%s", walk->called,
				     walk->path + walk->directory_length) >= (int)sizeof(name))
		return 0;
	rc = sysfs_tree_file(walk->tree, walk->called ? name : walk->path, content,
			     got > 0 ? (size_t)got : 0, &taken, walk->err);
	walk->files += taken;
	return rc;
}

typedef int (*entry_fn)(struct walk *walk);

/* Calls `each` with walk->path at every entry of the directory walk->path, in order of names. */
static int each_entry(struct walk *walk, entry_fn each)
{
	struct dirent **entries = NULL;
	int count = scandir(walk->path, &entries, NULL, alphasort);
	int rc = 0;

	for (int i = 0; i < count; i++) {
		size_t length = 0;

		if (rc == 0 && entries[i]->d_name[0] != '.')
			length = path_push(walk, entries[i]->d_name);
		if (length != 0) {
			rc = each(walk);
			walk->path[length] = '\0';
		}
		free(entries[i]);
	}
	free(entries);
	return rc;
}

static int read_named(struct walk *walk, const char *const *names)
{
	int rc = 0;

	for (size_t i = 0; names[i] && rc == 0; i++) {
		size_t length = path_push(walk, names[i]);

		if (length == 0)
			continue;
		rc = read_file(walk);
		walk->path[length] = '\0';
	}
	return rc;
}

static int walk_port(struct walk *walk)
{
	static const char *const files[] = {"state", "phys_state", "rate", "lid",
					    "lid_mask_count", "sm_lid", "link_layer", NULL};
	static const char *const tables[] = {"gids", "gid_attrs/types", "gid_attrs/ndevs",
					     "counters", "counters_ext"};
	int rc = read_named(walk, files);

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && rc == 0; i++) {
		size_t length = path_push(walk, tables[i]);

		if (length == 0)
			continue;
		rc = each_entry(walk, read_file);
		walk->path[length] = '\0';
	}
	return rc;
}

static int walk_device(struct walk *walk)
{
	static const char *const files[] = {"node_guid", "fw_ver", NULL};
	int rc = read_named(walk, files);
	size_t length = path_push(walk, "ports");

	if (rc == 0 && length != 0) {
		rc = each_entry(walk, walk_port);
		walk->path[length] = '\0';
	}
	return rc;
}

int sysfs_tree_walk(struct sysfs_tree *tree, const char *directory, const char *called,
		    int64_t *ret_files, struct err *err)
{
	struct walk walk = {.tree = tree, .err = err};
	DIR *opened;
	int rc;

	if (strlen(directory) + 2 > sizeof(walk.path))
		return err_set(err, ERR_INPUT, "%s: the path is too long", directory);
	opened = opendir(directory);
	if (!opened)
		return err_set(err, ERR_INPUT, "%s: %s", directory, strerror(errno));
	closedir(opened);
	snprintf(walk.path, sizeof(walk.path), "%s", directory);
	while (strlen(walk.path) > 1 && walk.path[strlen(walk.path) - 1] == '/')
		walk.path[strlen(walk.path) - 1] = '\0';
	walk.directory_length = strlen(walk.path);
	walk.called = called;
	rc = each_entry(&walk, walk_device);
	*ret_files = walk.files;
	return rc;
}
