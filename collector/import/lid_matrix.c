/*
 * opensm-lid-matrix.dump: hops from each port of each switch to the LIDs of
 * switches, as OpenSM computed them.
 *
 *   Switch: guid 0x...
 *   0x0002: 01 03 ff ff # portguid 0x...
 *
 * Hop counts have no place in a fabric (the tables say where packets go); who
 * owns a LID has. A switch's own row counts no hop from port 0, and LIDs go up: so
 * a title that is missing shows. Source: dump_lid_matrix() in OpenSM's osm_dump.c.
 */
#include "collector/import/each_line.h"
#include "collector/import/lid_owners.h"
#include "collector/import/scan.h"
#include "collector/import/trouble.h"

struct reader {
	struct import *import;
	struct input *input;
	struct lid_owners *owners;
	struct err *err;
	uint64_t guid;		/* of the switch whose rows follow, 0: its title is missing */
	uint64_t last;		/* LID of the row before, 0: none */
};

struct row {
	uint64_t lid, guid;
	bool own;		/* no hop leads there from the switch's port 0 */
};

/* "0x0002: 01 03 ff # portguid 0x..." */
static bool parse_row(struct scan scan, struct row *row)
{
	uint64_t hops;
	bool first = true;

	*row = (struct row){.lid = 0};
	if (!scan_hex(&scan, &row->lid) || row->lid > 0xffff || !scan_char(&scan, ':'))
		return false;
	for (;; first = false) {
		scan_blanks(&scan);
		if (!scan_bare_hex(&scan, &hops))
			break;
		if (hops > 255)
			return false;
		row->own = row->own || (first && hops == 0);
	}
	if (scan_literal(&scan, "# portguid "))
		scan_guid(&scan, &row->guid);
	scan_blanks(&scan);
	return scan_done(&scan);
}

static int read_row(struct reader *reader, const struct row *row)
{
	/* Another switch's, or its LIDs begin anew. */
	if (row->lid <= reader->last || (row->own && row->guid != 0 && row->guid != reader->guid))
		reader->guid = 0;
	reader->last = row->lid;
	if (reader->guid == 0 &&
	    import_odd(reader->import, reader->input, "a row of a switch whose title is missing",
		       reader->err) < 0)
		return ERR_NOMEM;
	if (reader->guid != 0)
		import_row(reader->import);
	/* Who owns the LID holds under any title. */
	if (!row->own && lid_owners_has(reader->owners, (unsigned)row->lid, row->guid))
		return 0;
	return lid_owners_note(reader->owners, reader->import, (unsigned)row->lid, row->guid,
			       row->own ? NODE_TYPE_SWITCH : NODE_TYPE_UNKNOWN, NULL, 0, 0, 0,
			       reader->err);
}

static int read_line(void *context, const char *line, size_t length)
{
	struct reader *reader = context;
	struct scan scan = scan_of(line, length);
	struct row row;

	if (parse_row(scan, &row))
		return read_row(reader, &row);
	if (scan_literal(&scan, "Switch: guid ") && scan_guid(&scan, &reader->guid)) {
		reader->last = 0;
		return import_device(reader->import, reader->guid, NODE_TYPE_SWITCH) ?
			       0 : err_no_memory(reader->err);
	}
	if (line_is_noise(line, length))
		return 0;
	return import_odd(reader->import, reader->input, "not a row of hop counts", reader->err);
}

static int lid_matrix_read(struct import *import, struct input *input, struct err *err)
{
	struct reader reader = {.import = import, .input = input, .err = err};
	int rc = lid_owners_new(&reader.owners, err);

	if (rc == 0)
		rc = each_line(input, read_line, &reader, err);
	if (rc == 0)
		rc = lid_owners_settle(reader.owners, import, err);
	lid_owners_free(reader.owners);
	return rc;
}

static int lid_matrix_detect(const struct probe *probe)
{
	return probe_has_line(probe, "Switch: guid 0x") && probe_has(probe, " # portguid 0x") ?
		       90 : 0;
}

const struct format format_lid_matrix = {
	.id = "opensm-lid-matrix.dump",
	.title = "hop counts as OpenSM dumps them",
	.rank = 20,
	.late = true,
	.one_look = true,
	.loses = ATTRIBUTE_LFT,
	.sm_view = true,
	.detect = lid_matrix_detect,
	.read = lid_matrix_read,
};
