#include "collector/host/host.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/import/sysfs_tree.h"

#define PATH_SIZE 4096

static bool join(char *path, const char *dir, const char *name)
{
	return snprintf(path, PATH_SIZE, "%s/%s", dir, name) < PATH_SIZE;
}

static bool is_directory(const char *path)
{
	struct stat found;

	return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* The infiniband class below root, wherever root points at; false: there is none. */
static bool find_class(const char *root, char path[PATH_SIZE])
{
	static const char *const places[] = {"class/infiniband", "sys/class/infiniband",
					     "infiniband", "."};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (join(path, root, places[i]) && is_directory(path))
			return true;
	}
	return false;
}

int host_read(const char *root, const char *host, source_ref source, struct fabric *fabric,
	      struct err *err)
{
	struct sysfs_tree *tree = NULL;
	char class_dir[PATH_SIZE];
	char called[PATH_SIZE];
	DIR *opened = opendir(root);
	int64_t files = 0;
	int rc;

	if (!opened)
		return err_set(err, ERR_INPUT, "cannot read the sysfs tree %s: %s", root,
			       strerror(errno));
	closedir(opened);
	if (!find_class(root, class_dir))
		return 0;
	/* The tree takes the host's name from the path. */
	snprintf(called, sizeof(called), "%s/sys/class/infiniband", host ? host : "");
	rc = sysfs_tree_new(&tree, err);
	if (rc == 0)
		rc = sysfs_tree_walk(tree, class_dir, called, &files, err);
	if (rc == 0)
		rc = sysfs_tree_settle(tree, fabric, source, err);
	sysfs_tree_free(tree);
	return rc;
}

void host_name_of_tree(const char *root, char *out, size_t size)
{
	const char *end = root + strlen(root);

	out[0] = '\0';
	while (end > root) {
		const char *start;
		size_t length;

		while (end > root && end[-1] == '/')
			end--;
		start = end;
		while (start > root && start[-1] != '/')
			start--;
		length = (size_t)(end - start);
		if (length > 0 && !(length == 3 && memcmp(start, "sys", 3) == 0) &&
		    !(length == 1 && *start == '.')) {
			snprintf(out, size, "%.*s", (int)length, start);
			return;
		}
		end = start;
	}
}
