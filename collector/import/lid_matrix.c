/*
 * opensm-lid-matrix.dump: hops from each port of each switch to the LIDs of
 * switches, as OpenSM computed them.
 *
 *   Switch: guid 0x...
 *   0x0002: 01 03 ff ff # portguid 0x...
 *
 * Hop counts have no place in a fabric (the tables say where packets go); who
 * owns a LID has. Source: dump_lid_matrix() in OpenSM's osm_dump.c.
 */
#include "collector/import/lid_owners.h"
#include "collector/import/scan.h"
#include "collector/import/trouble.h"

/* "0x0002: 01 03 ff # portguid 0x..." */
static bool read_row(struct scan scan, uint64_t *ret_lid, uint64_t *ret_guid)
{
	uint64_t hops;

	*ret_guid = 0;
	if (!scan_hex(&scan, ret_lid) || *ret_lid > 0xffff || !scan_char(&scan, ':'))
		return false;
	for (;;) {
		scan_blanks(&scan);
		if (!scan_bare_hex(&scan, &hops))
			break;
		if (hops > 255)
			return false;
	}
	if (scan_literal(&scan, "# portguid "))
		scan_guid(&scan, ret_guid);
	scan_blanks(&scan);
	return scan_done(&scan);
}

static int read_line(struct import *import, struct input *input, struct lid_owners *owners,
		     const char *line, size_t length, struct err *err)
{
	struct scan scan = scan_of(line, length);
	uint64_t lid, guid;

	if (read_row(scan, &lid, &guid)) {
		import_row(import);
		if (lid_owners_has(owners, (unsigned)lid, guid))
			return 0;
		return lid_owners_note(owners, import, (unsigned)lid, guid, NODE_TYPE_UNKNOWN, NULL,
				       0, 0, 0, err);
	}
	if (scan_literal(&scan, "Switch: guid ") && scan_guid(&scan, &guid))
		return import_device(import, guid, NODE_TYPE_SWITCH) ? 0 : err_no_memory(err);
	if (line_is_noise(line, length))
		return 0;
	return import_odd(import, input, "not a row of hop counts", err);
}

static int lid_matrix_read(struct import *import, struct input *input, struct err *err)
{
	struct lid_owners *owners = NULL;
	char *line;
	size_t length;
	int rc = lid_owners_new(&owners, err);

	while (rc == 0 && (rc = input_line(input, &line, &length, err)) == 1)
		rc = read_line(import, input, owners, line, length, err);
	if (rc == 0)
		rc = lid_owners_settle(owners, import, err);
	lid_owners_free(owners);
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
	.loses = ATTRIBUTE_LFT,
	.sm_view = true,
	.detect = lid_matrix_detect,
	.read = lid_matrix_read,
};
