#include "collector/import/topology_text.h"

int64_t topology_lid(struct scan *scan)
{
	struct scan rest;
	uint64_t value;
	bool negative;

	scan_blanks(scan);
	rest = *scan;
	negative = scan_char(&rest, '-');
	if (!scan_decimal(&rest, &value) || value > INT64_MAX ||
	    (!scan_done(&rest) && *rest.at != ' ' && *rest.at != '\t'))
		return FIELD_UNKNOWN;
	*scan = rest;
	return negative ? -(int64_t)value : (int64_t)value;
}

bool topology_quoted(struct scan *scan, const char *after, const char **ret_text,
		     size_t *ret_length)
{
	struct scan rest = *scan;
	const char *stop;

	if (!scan_char(&rest, '"'))
		return false;
	stop = scan_find_last(&rest, after);
	if (!stop)
		return false;
	*ret_text = rest.at;
	*ret_length = (size_t)(stop - rest.at);
	scan->at = stop + strlen(after);
	return true;
}

bool topology_node(struct scan *scan, enum node_type *ret_type, uint64_t *ret_guid)
{
	struct scan rest = *scan;
	enum node_type type;

	if (!scan_char(&rest, '"') || scan_left(&rest) < 3)
		return false;
	switch (*rest.at++) {
	case 'S':
		type = NODE_TYPE_SWITCH;
		break;
	case 'H':
		type = NODE_TYPE_CA;
		break;
	case 'R':
		type = NODE_TYPE_ROUTER;
		break;
	case '?':
		type = NODE_TYPE_UNKNOWN;
		break;
	default:
		return false;
	}
	if (!scan_char(&rest, '-') || !scan_bare_hex(&rest, ret_guid) || !scan_char(&rest, '"'))
		return false;
	*ret_type = type;
	scan->at = rest.at;
	return true;
}

bool topology_port(struct scan *scan, unsigned *ret_num)
{
	struct scan rest = *scan;
	uint64_t num;

	if (!scan_char(&rest, '[') || !scan_decimal(&rest, &num) || !scan_char(&rest, ']') ||
	    num > 254)
		return false;
	scan->at = rest.at;
	*ret_num = (unsigned)num;
	return true;
}

bool topology_parenthesis(struct scan *scan, uint64_t *ret_guid, bool *ret_guid_like)
{
	struct scan rest = *scan;
	const char *stop;

	if (!scan_char(&rest, '('))
		return false;
	stop = memchr(rest.at, ')', scan_left(&rest));
	if (!stop)
		return false;
	*ret_guid_like = scan_bare_hex(&rest, ret_guid) && rest.at == stop;
	scan->at = stop + 1;
	return true;
}
