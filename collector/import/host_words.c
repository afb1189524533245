#include "collector/import/host_words.h"

#include <string.h>

#include "collector/import/scan.h"

/* "2.5", "200": in thousandths. */
static bool read_thousandths(struct scan *scan, int64_t *ret_value)
{
	uint64_t whole, part = 0;
	int digits = 0;

	if (!scan_decimal(scan, &whole) || whole > 1000000)
		return false;
	if (scan_char(scan, '.')) {
		while (!scan_done(scan) && *scan->at >= '0' && *scan->at <= '9') {
			if (digits < 3) {
				part = part * 10 + (uint64_t)(*scan->at - '0');
				digits++;
			}
			scan->at++;
		}
	}
	for (; digits < 3; digits++)
		part *= 10;
	*ret_value = (int64_t)(whole * 1000 + part);
	return true;
}

/* "4X HDR", "4X", "FDR10" */
static void read_lanes(struct scan scan, int64_t *ret_width, const char **ret_speed)
{
	const char *word;
	size_t length;
	int64_t code;

	scan_blanks(&scan);
	while (scan_word(&scan, &word, &length)) {
		if (length > 1 && (word[length - 1] == 'X' || word[length - 1] == 'x'))
			import_parse_width(word, length, ret_width);
		else if (import_parse_speed(word, length, &code) && code != FIELD_UNKNOWN)
			*ret_speed = speed_name(speed_of_code(code));
		scan_blanks(&scan);
	}
}

bool host_rate(const char *text, size_t length, int64_t *ret_mbps, int64_t *ret_width,
	       const char **ret_speed)
{
	struct scan scan = scan_of(text, length);
	int64_t mbps, width = FIELD_UNKNOWN;
	const char *speed = NULL;
	const char *open, *close;

	scan_blanks(&scan);
	if (!read_thousandths(&scan, &mbps))
		return false;
	open = scan_find(&scan, "(");
	close = open ? memchr(open, ')', (size_t)(scan.end - open)) : NULL;
	if (close)
		read_lanes((struct scan){open + 1, close}, &width, &speed);
	if (mbps == 0) {
		mbps = FIELD_UNKNOWN;
		width = FIELD_UNKNOWN;
		speed = NULL;
	} else if (!speed && width > 0 && mbps == width * 2500) {
		/* Kernels leave the lowest speed's name out. */
		speed = speed_name(2500);
	}
	*ret_mbps = mbps;
	*ret_width = width;
	*ret_speed = speed;
	return true;
}

bool host_gid_parse(const char *text, size_t length, uint8_t ret_gid[16])
{
	struct scan scan = scan_of(text, length);
	uint8_t gid[16];
	uint64_t part;

	scan_blanks(&scan);
	for (int i = 0; i < 8; i++) {
		if (i > 0 && !scan_char(&scan, ':'))
			return false;
		if (!scan_bare_hex(&scan, &part) || part > 0xffff)
			return false;
		gid[2 * i] = (uint8_t)(part >> 8);
		gid[2 * i + 1] = (uint8_t)part;
	}
	scan_blanks(&scan);
	if (!scan_done(&scan))
		return false;
	memcpy(ret_gid, gid, sizeof(gid));
	return true;
}

bool host_gid_is_zero(const uint8_t gid[16])
{
	static const uint8_t zero[16];

	return memcmp(gid, zero, sizeof(zero)) == 0;
}

uint64_t host_gid_guid(const uint8_t gid[16])
{
	uint64_t guid = 0;

	for (int i = 8; i < 16; i++)
		guid = guid << 8 | gid[i];
	return guid;
}

bool host_guid_parse(const char *text, size_t length, uint64_t *ret_guid)
{
	struct scan scan;
	uint64_t guid = 0;
	uint64_t part;

	import_trim(&text, &length);
	scan = scan_of(text, length);
	/* All 16 digits: with fewer it is cut. */
	if (length == 18 && scan_starts(&scan, "0x"))
		return import_parse_hex(text, length, ret_guid);
	for (int i = 0; i < 4; i++) {
		if ((i > 0 && !scan_char(&scan, ':')) || !scan_bare_hex(&scan, &part) ||
		    part > 0xffff)
			return false;
		guid = guid << 16 | part;
	}
	if (!scan_done(&scan))
		return false;
	*ret_guid = guid;
	return true;
}

const char *host_in_prompt(const char *text, size_t length, size_t *ret_length)
{
	const char *at = memchr(text, '@', length < 200 ? length : 200);
	const char *end = text + length;
	const char *stop;

	if (!at)
		return NULL;
	stop = at + 1;
	while (stop < end && ((*stop >= 'a' && *stop <= 'z') || (*stop >= 'A' && *stop <= 'Z') ||
			      (*stop >= '0' && *stop <= '9') || *stop == '-' || *stop == '.' ||
			      *stop == '_'))
		stop++;
	/* A prompt goes on with its directory. */
	if (stop == at + 1 || stop == end || (*stop != ' ' && *stop != ':' && *stop != ']'))
		return NULL;
	*ret_length = (size_t)(stop - at - 1);
	return at + 1;
}

void host_port_settle(struct host_port *port)
{
	/* Where the state is lost the rate may be one that means nothing, too. */
	if (port->state > 1)
		return;
	port->rate_mbps = FIELD_UNKNOWN;
	port->width = FIELD_UNKNOWN;
	port->speed = NULL;
}
