#include "collector/import/link_line.h"

#include "collector/import/words.h"

/* "   2    1[  ]": LID, port, external port. */
static bool read_place(struct scan *scan, int64_t *ret_lid, unsigned *ret_num)
{
	struct scan rest = *scan;
	uint64_t lid, num;
	const char *stop;

	scan_blanks(&rest);
	if (!scan_decimal(&rest, &lid) || lid > 0xffff)
		return false;
	scan_blanks(&rest);
	if (!scan_decimal(&rest, &num) || num > 254)
		return false;
	scan_blanks(&rest);
	if (!scan_char(&rest, '['))
		return false;
	stop = memchr(rest.at, ']', scan_left(&rest));
	if (!stop)
		return false;
	rest.at = stop + 1;
	*ret_lid = (int64_t)lid;
	*ret_num = (unsigned)num;
	*scan = rest;
	return true;
}

/* "undefined (16)" and "???" are what the tools say of a code without a name. */
static bool is_strange(const char *text, size_t length)
{
	struct scan scan = scan_of(text, length);

	return length > 0 && *text != '?' && !scan_starts(&scan, "undefined");
}

/* "( 4X 25.78125 Gbps Active/  LinkUp)", "(  Down/ Polling)", with -p "... ) (HOQ:16 VL_Stall:7)". */
static void read_states(struct scan scan, struct link_line *link)
{
	const char *options = scan_find(&scan, ") (HOQ:");
	const char *word, *text;
	const char *slash;
	size_t length;

	if (options)
		scan.end = options;
	slash = scan_find_last(&scan, "/");
	if (!slash) {
		link->odd_word = true;
		return;
	}
	text = slash + 1;
	length = (size_t)(scan.end - text);
	while (length > 0 && (text[length - 1] == ')' || text[length - 1] == ' '))
		length--;
	link->odd_word = !words_phys_state(text, length, &link->phys_state) && is_strange(text, length);
	scan.end = slash;
	/* The state is the last word before the slash. */
	word = slash;
	while (word > scan.at && word[-1] != ' ' && word[-1] != '(')
		word--;
	if (!words_port_state(word, (size_t)(slash - word), &link->state))
		link->odd_word = link->odd_word || is_strange(word, (size_t)(slash - word));
	scan.end = word;
	scan_char(&scan, '(');
	scan_blanks(&scan);
	if (!scan_word(&scan, &text, &length))
		return;
	if (!import_parse_width(text, length, &link->width))
		link->odd_word = true;
	text = scan.at;
	length = scan_left(&scan);
	import_trim(&text, &length);
	scan = scan_of(text, length);
	if (scan_find(&scan, "(FDR10)"))
		link->speed_code = 65536;
	else if (!words_speed_mask(text, length, &link->speed_code) || link->speed_code == 0) {
		link->speed_code = FIELD_UNKNOWN;
		link->odd_word = link->odd_word || is_strange(text, length);
	}
}

/* `0x... 4 17[  ] "name" (Could be ...)`, or `[  ] ""` without a neighbour. */
static void read_remote(struct scan scan, struct link_line *link)
{
	const char *stop;

	link->cut = true;
	scan_blanks(&scan);
	if (scan_guid(&scan, &link->remote_guid))
		scan_blanks(&scan);
	else
		link->remote_guid = 0;
	if (!read_place(&scan, &link->remote_lid, &link->remote_num)) {
		/* Some print nothing at all behind a port that is Down. */
		if (scan_done(&scan))
			link->cut = link->state != 1;
		else
			link->cut = !scan_find(&scan, "\"\"");
		return;
	}
	scan_blanks(&scan);
	if (!scan_char(&scan, '"'))
		return;
	stop = scan_find_last(&scan, "\"");
	if (!stop)
		return;
	link->cut = false;
	link->has_remote = true;
	link->remote_name = scan.at;
	link->remote_name_length = (size_t)(stop - scan.at);
}

bool link_line_parse(struct scan scan, struct link_line *ret_link)
{
	struct link_line link = {.width = FIELD_UNKNOWN,
				 .speed_code = FIELD_UNKNOWN,
				 .state = FIELD_UNKNOWN,
				 .phys_state = FIELD_UNKNOWN};
	const char *arrow;

	if (!read_place(&scan, &link.lid, &link.num))
		return false;
	scan_blanks(&scan);
	if (!scan_literal(&scan, "=="))
		return false;
	arrow = scan_find(&scan, "==>");
	if (!arrow)
		return false;
	read_states((struct scan){scan.at, arrow}, &link);
	read_remote((struct scan){arrow + 3, scan.end}, &link);
	*ret_link = link;
	return true;
}

int link_line_apply(struct import *import, const struct link_line *link, struct port *port,
		    struct err *err)
{
	int rc = IMPORT_PORT(import, port, port_state, link->state, err);

	import_port_read(import, port, ATTRIBUTE_PORT_INFO);
	if (rc == 0)
		rc = IMPORT_PORT(import, port, port_phys_state, link->phys_state, err);
	if (rc == 0)
		rc = IMPORT_PORT(import, port, link_width_active, link->width, err);
	if (rc == 0)
		rc = import_port_speed(import, port, link->speed_code, err);
	return rc;
}
