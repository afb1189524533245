/*
 * Host trees as sources of an import: the directory of a copied
 * /sys/class/infiniband as one source, and a ttar text that holds such trees.
 *
 * ttar: "Path: <path>", "Lines: <n>", n lines of content, "Mode: ...".
 */
#include <string.h>

#include "collector/import/format.h"
#include "collector/import/scan.h"
#include "collector/import/sysfs_tree.h"

static void count_rows(struct import *import, int64_t rows)
{
	for (int64_t i = 0; i < rows; i++)
		import_row(import);
}

/* The source's name is the directory; there is no single input to read. */
static int sysfs_read(struct import *import, struct input *input, struct err *err)
{
	struct sysfs_tree *tree = NULL;
	int64_t files = 0;
	int rc = sysfs_tree_new(&tree, err);

	(void)input;
	if (rc == 0)
		rc = sysfs_tree_walk(tree, import_source(import)->name, &files, err);
	count_rows(import, files);
	if (rc == 0)
		rc = sysfs_tree_settle(tree, import_fabric(import), import_source_ref(import), err);
	import_asked(import, ATTRIBUTE_HOST);
	sysfs_tree_free(tree);
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
	.detect = ttar_detect,
	.read = ttar_read,
};
