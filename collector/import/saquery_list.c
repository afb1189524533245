/*
 * saquery --list (-D): the CAs that the SA knows, by LID.
 *
 *      LID "name"
 *   ================
 *       16  "mgt mlx5_0"
 *
 * Other files tell whose a LID is; the names are printed unescaped.
 *
 * Source: print_node_desc() in saquery.c.
 */
#include "collector/import/each_line.h"
#include "collector/import/lidmap.h"
#include "collector/import/scan.h"
#include "collector/import/trouble.h"

struct reader {
	struct import *import;
	struct input *input;
	struct err *err;
	struct lidmap *lids;
	struct trouble_list *troubles;
};

static bool is_head(struct scan scan)
{
	scan_blanks(&scan);
	return scan_literal(&scan, "LID \"name\"") && scan_done(&scan);
}

static bool is_rule(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (line[i] != '=')
			return false;
	}
	return length > 0;
}

/* `    16  "name"` */
static bool parse_row(struct scan scan, uint64_t *ret_lid, const char **ret_name, size_t *ret_length)
{
	scan_blanks(&scan);
	if (!scan_decimal(&scan, ret_lid) || *ret_lid > 0xffff || !scan_literal(&scan, "  \"") ||
	    scan_left(&scan) < 1 || scan.end[-1] != '"')
		return false;
	*ret_name = scan.at;
	*ret_length = scan_left(&scan) - 1;
	return true;
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	const struct port *owner;
	const char *name;
	size_t name_length;
	uint64_t lid;

	if (is_head(scan_of(line, length)) || is_rule(line, length))
		return 0;
	if (!parse_row(scan_of(line, length), &lid, &name, &name_length))
		return trouble_or_odd(&reader->troubles, reader->import, reader->input, line, length,
				      "not a LID with a name in quotes", NULL, reader->err);
	import_row(reader->import);
	owner = lidmap_find(reader->lids, (int64_t)lid);
	if (!owner || owner->device->type == NODE_TYPE_SWITCH)
		return import_odd(reader->import, reader->input, "no file says which CA has this LID",
				  reader->err);
	import_device_read(reader->import, owner->device, ATTRIBUTE_NODE_DESCRIPTION);
	return import_description(reader->import, owner->device, name, name_length, reader->err);
}

static int saquery_list_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	int rc = lidmap_new(import_fabric(import), &reader.lids, err);

	if (rc == 0)
		rc = each_line(input, read_line, &reader, err);
	rc = trouble_end(reader.troubles, import, rc, err);
	lidmap_free(reader.lids);
	return rc;
}

static int saquery_list_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;
	bool headed = false;

	while (probe_line(probe, &offset, &line, &length)) {
		if (headed && is_rule(line, length))
			return 90;
		headed = is_head(scan_of(line, length));
	}
	return 0;
}

/* As sure as the SA's records. */
const struct format format_saquery_list = {
	.id = "saquery-list",
	.title = "names of the CAs by saquery --list",
	.rank = 64,
	.late = true,
	.loses = ATTRIBUTE_NODE_DESCRIPTION,
	.detect = saquery_list_detect,
	.read = saquery_list_read,
};
