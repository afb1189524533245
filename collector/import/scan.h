/*
 * A cursor over one line: the readers of text dumps take a line apart with it,
 * from left to right, without a copy and without a call into libc.
 *
 * Every function stays inside [at, end); one that returns false has left the
 * cursor where it was and its outputs untouched.
 */
#ifndef COLLECTOR_IMPORT_SCAN_H
#define COLLECTOR_IMPORT_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collector/import/format.h"

struct scan {
	const char *at;
	const char *end;
};

static inline struct scan scan_of(const char *text, size_t length)
{
	return (struct scan){text, text + length};
}

static inline size_t scan_left(const struct scan *scan)
{
	/* A caller that cuts `end` short of `at` leaves nothing, not all of memory. */
	return scan->at < scan->end ? (size_t)(scan->end - scan->at) : 0;
}

static inline bool scan_done(const struct scan *scan)
{
	return scan->at == scan->end;
}

/* Takes blanks and tabs. */
static inline void scan_blanks(struct scan *scan)
{
	while (scan->at < scan->end && (*scan->at == ' ' || *scan->at == '\t'))
		scan->at++;
}

/* Takes them off the other end. */
static inline void scan_trim_end(struct scan *scan)
{
	while (scan->end > scan->at && (scan->end[-1] == ' ' || scan->end[-1] == '\t'))
		scan->end--;
}

static inline bool scan_char(struct scan *scan, char c)
{
	if (scan->at == scan->end || *scan->at != c)
		return false;
	scan->at++;
	return true;
}

static inline bool scan_starts(const struct scan *scan, const char *literal)
{
	size_t length = strlen(literal);

	return scan_left(scan) >= length && memcmp(scan->at, literal, length) == 0;
}

static inline bool scan_literal(struct scan *scan, const char *literal)
{
	if (!scan_starts(scan, literal))
		return false;
	scan->at += strlen(literal);
	return true;
}

/* The value of a hex digit, or 16 and more for anything else. */
static inline unsigned scan_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 16;
}

/*
 * True where a word goes on: "3D0x2c9" and "50c04a" are no numbers, whatever they begin
 * with, nor is "0x7f~f", in which something replaced a digit.
 */
static inline bool scan_goes_on(const char *at, const char *end)
{
	return at < end && ((*at >= '0' && *at <= '9') || ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z') ||
			    (unsigned char)*at >= 0x80 || (*at && strchr("_#~?*$%&!@^`", *at)));
}

/* Decimal digits, at most 19 of them, whatever stands behind: "L3P17". */
static inline bool scan_digits(struct scan *scan, uint64_t *ret_value)
{
	const char *at = scan->at;
	uint64_t value = 0;

	while (at < scan->end && *at >= '0' && *at <= '9' && at - scan->at < 20)
		value = value * 10 + (uint64_t)(*at++ - '0');
	if (at == scan->at || at - scan->at > 19)
		return false;
	scan->at = at;
	*ret_value = value;
	return true;
}

/* A decimal number, at most 19 digits. */
static inline bool scan_decimal(struct scan *scan, uint64_t *ret_value)
{
	struct scan rest = *scan;
	uint64_t value;

	if (!scan_digits(&rest, &value) || scan_goes_on(rest.at, rest.end))
		return false;
	scan->at = rest.at;
	*ret_value = value;
	return true;
}

/* Hex digits without 0x, at most 16 of them. */
static inline bool scan_bare_hex(struct scan *scan, uint64_t *ret_value)
{
	const char *at = scan->at;
	uint64_t value = 0;
	unsigned digit;

	while (at < scan->end && at - scan->at < 17 && (digit = scan_hex_digit(*at)) < 16) {
		value = value << 4 | digit;
		at++;
	}
	if (at == scan->at || at - scan->at > 16 || scan_goes_on(at, scan->end))
		return false;
	scan->at = at;
	*ret_value = value;
	return true;
}

/* "0x" and hex digits. */
static inline bool scan_hex(struct scan *scan, uint64_t *ret_value)
{
	struct scan rest = *scan;

	if (scan_left(scan) < 3 || rest.at[0] != '0' || (rest.at[1] | 0x20) != 'x')
		return false;
	rest.at += 2;
	if (!scan_bare_hex(&rest, ret_value))
		return false;
	scan->at = rest.at;
	return true;
}

/*
 * A GUID as a tool prints it inside a line, with 0x: all 16 digits, or fewer
 * without a leading zero. Fewer are the rest of one that was cut at the end of the
 * line, and in front of what begins another one ("[root@sm", "==> file <==", "-bash$").
 */
static inline bool scan_guid(struct scan *scan, uint64_t *ret_guid)
{
	struct scan rest = *scan;
	uint64_t guid;

	if (!scan_hex(&rest, &guid) || !import_is_guid(guid, (size_t)(rest.at - scan->at) - 2) ||
	    (rest.at - scan->at < 2 + 16 && (scan_done(&rest) || strchr("[]=-+<{", *rest.at))))
		return false;
	scan->at = rest.at;
	*ret_guid = guid;
	return true;
}

/* Hex with 0x, or decimal. */
static inline bool scan_number(struct scan *scan, uint64_t *ret_value)
{
	return scan_hex(scan, ret_value) || scan_decimal(scan, ret_value);
}

/* A word: everything up to a blank, a tab or the end; false when there is none. */
static inline bool scan_word(struct scan *scan, const char **ret_text, size_t *ret_length)
{
	const char *at = scan->at;

	while (at < scan->end && *at != ' ' && *at != '\t')
		at++;
	if (at == scan->at)
		return false;
	*ret_text = scan->at;
	*ret_length = (size_t)(at - scan->at);
	scan->at = at;
	return true;
}

/* First and last place of `literal` between the cursor and the end, or NULL. */
static inline const char *scan_find(const struct scan *scan, const char *literal)
{
	size_t length = strlen(literal);
	const char *at = scan->at;

	while ((size_t)(scan->end - at) >= length) {
		at = memchr(at, literal[0], (size_t)(scan->end - at) - length + 1);
		if (!at)
			return NULL;
		if (memcmp(at, literal, length) == 0)
			return at;
		at++;
	}
	return NULL;
}

static inline const char *scan_find_last(const struct scan *scan, const char *literal)
{
	size_t length = strlen(literal);

	if (scan_left(scan) < length)
		return NULL;
	for (const char *at = scan->end - length;; at--) {
		if (memcmp(at, literal, length) == 0)
			return at;
		if (at == scan->at)
			return NULL;
	}
}

#endif
