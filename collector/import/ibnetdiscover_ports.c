/*
 * ibnetdiscover -p, a port a line:
 *
 *   CA    14  1 0x7cfe900300ac2d59 4x EDR - SW     2 37 0x4444444444444444 ( 'a' - 'b' )
 *   SW     2 36 0x4444444444444444 4x SDR                                    'b'
 *
 * The GUIDs are port GUIDs, the same for all ports of a switch. A port without a
 * neighbour prints a width and a speed that mean nothing. Names are unescaped.
 *
 * Source: dump_ports_report() in ibnetdiscover.c.
 */
#include <string.h>

#include "collector/import/scan.h"
#include "collector/import/stand_in.h"
#include "collector/import/told_ends.h"
#include "collector/import/trouble.h"
#include "collector/import/words.h"

struct end {
	enum node_type type;
	uint64_t lid, num, guid;
};

/* "SW     2 37 " */
static bool read_place(struct scan *scan, struct end *end)
{
	struct scan rest = *scan;
	const char *word;
	size_t length;

	scan_blanks(&rest);
	if (!scan_word(&rest, &word, &length) || length != 2 ||
	    !words_node_type(word, length, &end->type))
		return false;
	scan_blanks(&rest);
	if (!scan_decimal(&rest, &end->lid) || end->lid > 0xffff)
		return false;
	scan_blanks(&rest);
	if (!scan_decimal(&rest, &end->num) || end->num > 254)
		return false;
	*scan = rest;
	return true;
}

/* "SW     2 37 0x4444444444444444" */
static bool read_end(struct scan *scan, struct end *end)
{
	struct scan rest = *scan;

	if (!read_place(&rest, end))
		return false;
	scan_blanks(&rest);
	/* What follows directly is of another line, and the GUID may have lost its end. */
	if (!scan_guid(&rest, &end->guid) || (!scan_done(&rest) && *rest.at != ' '))
		return false;
	*scan = rest;
	return true;
}

/* The port of an end, with its LID on whoever owns it. */
static int add_end(struct import *import, const struct end *end, struct port **ret_port,
		   struct err *err)
{
	struct port *owner = stand_in_port(import, end->guid, end->type, (unsigned)end->num);

	*ret_port = owner ? import_port(import, owner->device, (unsigned)end->num) : NULL;
	if (!*ret_port)
		return err_no_memory(err);
	import_device_read(import, owner->device, ATTRIBUTE_NODE_INFO);
	return IMPORT_PORT(import, owner, lid, (int64_t)end->lid, err);
}

/* "( 'a' - 'b' )". A row that ends before is cut. */
static int add_names(struct import *import, struct scan scan, struct device *a, struct device *b,
		     struct err *err)
{
	const char *middle = NULL;
	int rc;

	scan_trim_end(&scan);
	scan_blanks(&scan);
	if (scan_literal(&scan, "( '") && scan_left(&scan) >= 3 &&
	    memcmp(scan.end - 3, "' )", 3) == 0) {
		scan.end -= 3;
		middle = scan_find(&scan, "' - '");
	}
	if (!middle)
		return import_odd_once(import, "the names at its end are cut", err);
	rc = stand_in_name(import, a, scan.at, (size_t)(middle - scan.at), err);
	if (rc == 0)
		rc = stand_in_name(import, b, middle + 5, (size_t)(scan.end - middle - 5), err);
	return rc;
}

/* "4x EDR" */
static int add_width_and_speed(struct import *import, struct scan words, struct port *port,
			       struct err *err)
{
	const char *word;
	size_t length;
	int64_t value;
	bool odd;
	int rc = 0;

	scan_blanks(&words);
	odd = !scan_word(&words, &word, &length) || !import_parse_width(word, length, &value);
	if (!odd)
		rc = IMPORT_PORT(import, port, link_width_active, value, err);
	scan_blanks(&words);
	if (rc == 0 && scan_word(&words, &word, &length) && import_parse_speed(word, length, &value))
		rc = import_port_speed(import, port, value, err);
	else
		odd = true;
	if (rc == 0 && odd)
		rc = import_odd_once(import, "its width or speed is none", err);
	import_port_read(import, port, ATTRIBUTE_PORT_INFO);
	return rc;
}

/*
 * The second end, behind the first dash that is not in a name. `ret_words` is what
 * stands in front of it. False: none, or not all of it.
 */
static bool read_far_end(struct scan *scan, struct scan *ret_words, struct end *end)
{
	const char *dash = scan_find(scan, " - ");

	if (!dash || memchr(scan->at, '\'', (size_t)(dash - scan->at)))
		return false;
	*ret_words = (struct scan){scan->at, dash};
	scan->at = dash + 3;
	return read_end(scan, end) && end->num != 0;
}

/* "4x SDR        'b'": without a neighbour, which shows when its name is closed. */
static int add_alone(struct import *import, struct scan scan, struct port *port, struct err *err)
{
	const char *quote;

	scan_trim_end(&scan);
	quote = scan_find(&scan, "'");
	if (!quote || scan.end - quote < 2 || scan.end[-1] != '\'')
		return import_odd_once(import, "the line is cut", err);
	import_port_read(import, port, ATTRIBUTE_NEIGHBOR);
	return stand_in_name(import, port->device, quote + 1, (size_t)(scan.end - quote) - 2, err);
}

/* 1: a row, or the beginning of one, which is told; 0: none. */
static int read_row(struct import *import, struct input *input, struct told_ends *told,
		    struct scan scan, struct err *err)
{
	struct end a, b;
	struct port *port, *peer;
	struct scan behind, words;
	int rc;

	if (!read_end(&scan, &a)) {
		if (!read_place(&scan, &a))
			return 0;
		rc = import_odd(import, input, "the line is cut", err);
		return rc < 0 ? rc : 1;
	}
	if (a.num == 0)
		return 0;
	rc = add_end(import, &a, &port, err);
	if (rc < 0)
		return rc;
	import_row(import);
	rc = told_end_add(told, port, err);
	if (rc < 0)
		return rc;
	behind = scan;
	if (!read_far_end(&behind, &words, &b)) {
		rc = add_alone(import, scan, port, err);
		return rc < 0 ? rc : 1;
	}
	import_port_read(import, port, ATTRIBUTE_NEIGHBOR);
	rc = add_end(import, &b, &peer, err);
	if (rc == 0)
		rc = import_link(import, port, peer, false, err);
	if (rc == 0)
		rc = add_width_and_speed(import, words, port, err);
	if (rc == 0)
		rc = add_names(import, behind, port->device, peer->device, err);
	return rc < 0 ? rc : 1;
}

static int ports_read(struct import *import, struct input *input, struct err *err)
{
	struct trouble_list *troubles = NULL;
	struct told_ends told = {NULL, 0};
	char *line;
	size_t length;
	int rc;

	import_asked(import, ATTRIBUTE_NEIGHBOR);
	while ((rc = input_line(input, &line, &length, err)) == 1) {
		rc = read_row(import, input, &told, scan_of(line, length), err);
		if (rc == 0)
			rc = trouble_or_odd(&troubles, import, input, line, length, "not a port of the list",
					    NULL, err);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = import_links_back(import, err);
	if (rc == 0)
		rc = told_ends_settle(&told, false, import, err);
	if (rc == 0)
		rc = trouble_resolve(import, troubles, 0, 0, err);
	trouble_free(troubles);
	told_ends_free(&told);
	return rc;
}

static int ports_detect(const struct probe *probe)
{
	size_t offset = 0;
	const char *line;
	size_t length;

	while (probe_line(probe, &offset, &line, &length)) {
		struct scan scan = scan_of(line, length);
		struct end end;

		if (read_end(&scan, &end))
			return 90;
	}
	return 0;
}

const struct format format_ibnetdiscover_ports = {
	.id = "ibnetdiscover-ports",
	.title = "ibnetdiscover -p, the list of ports",
	.rank = 65,
	.late = true,
	.one_look = true,
	.detect = ports_detect,
	.read = ports_read,
};
