/*
 * Host trees as sources of an import: the directory of a copied
 * /sys/class/infiniband as one source, and a ttar text that holds such trees.
 *
 * ttar: "Path: <path>", "Lines: <n>", n lines of content, "Mode: ...".
 */
#include <stdio.h>
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/scan.h"
#include "collector/import/merge.h"
#include "collector/import/sysfs.h"

static void count_rows(struct import *import, int64_t rows)
{
	for (int64_t i = 0; i < rows; i++)
		import_row(import);
}

/* The source's name is the directory; there is no single input to read. */
extern const struct format format_sysfs;

static int sysfs_read(struct import *import, struct input *input, struct err *err)
{
	struct sysfs_tree *tree = NULL;
	int64_t files = 0;
	int rc = sysfs_tree_new(&tree, err);

	(void)input;
	if (rc == 0)
		rc = sysfs_tree_walk(tree, import_source(import)->name, NULL, &files, err);
	count_rows(import, files);
	if (rc == 0)
		rc = sysfs_tree_settle(tree, import_fabric(import), import_source_ref(import), err);
	import_asked(import, ATTRIBUTE_HOST);
	sysfs_tree_free(tree);
	return rc;
}

int sysfs_members_take(struct sysfs_members *members, const char *name, input_read read_more,
		       void *context, struct err *err)
{
	char content[4096];		/* a page: the kernel gives no more */
	size_t length = 0;
	ssize_t got = 1;
	bool taken = false;
	int rc = members->tree ? 0 : sysfs_tree_new(&members->tree, err);

	while (rc == 0 && got > 0 && length < sizeof(content)) {
		got = read_more(context, content + length, sizeof(content) - length, err);
		if (got < 0)
			return (int)got;
		length += (size_t)got;
	}
	if (rc == 0)
		rc = sysfs_tree_file(members->tree, name, content, length, &taken, err);
	members->files += taken;
	return rc;
}

int sysfs_members_end(struct sysfs_members *members, struct import *import, const char *name,
		      struct err *err)
{
	char title[1024];
	int rc;

	if (!members->tree)
		return 0;
	snprintf(title, sizeof(title), "%s:class/infiniband", name);
	rc = import_source_begin(import, NULL, title, &format_sysfs, err);
	if (rc == 0) {
		count_rows(import, members->files);
		import_asked(import, ATTRIBUTE_HOST);
		rc = sysfs_tree_settle(members->tree, import_fabric(import),
				       import_source_ref(import), err);
	}
	sysfs_tree_free(members->tree);
	*members = (struct sysfs_members){NULL, 0};
	return rc;
}

/* Only a directory is one. */
static int sysfs_detect(const struct probe *probe)
{
	(void)probe;
	return 0;
}

static int ttar_read(struct import *import, struct input *input, struct err *err)
{
	struct sysfs_tree *tree = NULL;
	char path[1024] = "";
	uint64_t lines = 0;
	char *line;
	size_t length;
	bool taken;
	int rc = sysfs_tree_new(&tree, err);

	while (rc == 0 && (rc = input_line(input, &line, &length, err)) == 1) {
		struct scan scan = scan_of(line, length);

		rc = 0;
		if (lines > 0) {
			lines--;
			if (!path[0])
				continue;
			rc = sysfs_tree_file(tree, path, line, length, &taken, err);
			path[0] = '\0';
			if (rc == 0 && taken)
				import_row(import);
		} else if (scan_literal(&scan, "Path: ") && scan_left(&scan) < sizeof(path)) {
			memcpy(path, scan.at, scan_left(&scan));
			path[scan_left(&scan)] = '\0';
		} else if (scan_literal(&scan, "Lines: ")) {
			if (!scan_decimal(&scan, &lines))
				rc = import_odd(import, input, "no number of lines", err);
		} else if (!scan_starts(&scan, "Mode: ") && !scan_starts(&scan, "Directory: ") &&
			   !scan_starts(&scan, "SymlinkTo: ") && !scan_starts(&scan, "# ttar")) {
			rc = import_odd(import, input, "not a line of ttar", err);
		}
	}
	if (rc == 0 && (lines > 0 || path[0]))
		rc = import_cut(import, ATTRIBUTE_HOST,
				"its last file has fewer lines than the line in front of it says", err);
	if (rc == 0)
		rc = sysfs_tree_settle(tree, import_fabric(import), import_source_ref(import), err);
	sysfs_tree_free(tree);
	return rc;
}

static int ttar_detect(const struct probe *probe)
{
	return probe_has_line(probe, "Path: ") && probe_has(probe, "class/infiniband/") &&
			       probe_has_line(probe, "Lines: ") ? 85 : 0;
}

const struct format format_sysfs = {
	.id = "sysfs",
	.title = "a host's /sys/class/infiniband, copied",
	.rank = 50,
	.by_hand = true,
	.detect = sysfs_detect,
	.read = sysfs_read,
};

const struct format format_ttar = {
	.id = "ttar",
	.title = "a host's sysfs as ttar text",
	.rank = 50,
	.by_hand = true,
	.loses = ATTRIBUTE_HOST,
	.detect = ttar_detect,
	.read = ttar_read,
};
