/*
 * ibdiagnet2.slvl, the SL2VL matrix as ibutils reads it: "0x<switch> <in> <out>"
 * and eight bytes, the even SL in the high half of each.
 */
#include "collector/import/scan.h"

#include "collector/import/format.h"

struct slvl_row {
	uint64_t guid;
	uint64_t in;
	uint64_t out;
	uint8_t vl[16];
};

static bool scan_row(struct scan scan, struct slvl_row *row)
{
	scan_blanks(&scan);
	if (!scan_hex(&scan, &row->guid))
		return false;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &row->in) || row->in > 254)
		return false;
	scan_blanks(&scan);
	if (!scan_decimal(&scan, &row->out) || row->out > 254)
		return false;
	for (int i = 0; i < 8; i++) {
		uint64_t byte;

		scan_blanks(&scan);
		if (!scan_hex(&scan, &byte) || byte > 0xff)
			return false;
		row->vl[2 * i] = (uint8_t)(byte >> 4);
		row->vl[2 * i + 1] = (uint8_t)(byte & 15);
	}
	scan_blanks(&scan);
	return scan_done(&scan);
}

static int take_row(struct import *import, const struct slvl_row *row, struct err *err)
{
	struct device *device = import_device(import, row->guid, NODE_TYPE_SWITCH);
	struct port *port = device ? import_port(import, device, (unsigned)row->out) : NULL;

	if (!port)
		return err_no_memory(err);
	return import_sl2vl(import, port, (unsigned)row->in, row->vl, err);
}

static int read_slvl(struct import *import, struct input *input, struct err *err)
{
	char *line;
	size_t length;
	int rc;

	import_asked(import, ATTRIBUTE_SL2VL);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		struct scan scan = scan_of(line, length);
		struct slvl_row row;

		scan_blanks(&scan);
		if (scan_done(&scan) || *scan.at == '#')
			continue;
		if (scan_row(scan, &row)) {
			rc = take_row(import, &row, err);
			import_row(import);
		} else {
			rc = import_odd(import, input, "no row of the SL to VL matrix", err);
		}
		if (rc < 0)
			break;
	}
	return rc;
}

static int detect_slvl(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct slvl_row row;

		if (length && line[0] != '#')
			return scan_row(scan_of(line, length), &row) ? 85 : 0;
	}
	return 0;
}

const struct format format_slvl = {
	.id = "ibdiagnet2.slvl",
	.title = "SL to VL matrix (ibdiagnet2.slvl)",
	.rank = 80,
	.detect = detect_slvl,
	.read = read_slvl,
};
