#include <string.h>

#include "collector/import/format.h"

/* A text being taken apart from the front. */
struct cursor {
	const char *at;
	const char *end;
};

static void skip_blanks(struct cursor *cursor)
{
	while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
		cursor->at++;
}

/* One to `digits` decimal digits. */
static bool take_number(struct cursor *cursor, int digits, int64_t *ret_value)
{
	int64_t value = 0;
	int n = 0;

	while (n < digits && cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
		value = value * 10 + (*cursor->at++ - '0');
		n++;
	}
	*ret_value = value;
	return n > 0;
}

static bool take_char(struct cursor *cursor, char c)
{
	if (cursor->at == cursor->end || *cursor->at != c)
		return false;
	cursor->at++;
	return true;
}

/* Three letters of a month's English name: 1..12. */
static bool take_month(struct cursor *cursor, int64_t *ret_month)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	if (cursor->end - cursor->at < 3)
		return false;
	for (int i = 0; i < 12; i++) {
		if (memcmp(cursor->at, names + (ptrdiff_t)3 * i, 3) == 0) {
			cursor->at += 3;
			*ret_month = i + 1;
			return true;
		}
	}
	return false;
}

static bool take_clock(struct cursor *cursor, int64_t *ret_seconds)
{
	int64_t hour;
	int64_t minute;
	int64_t second;

	if (!take_number(cursor, 2, &hour) || !take_char(cursor, ':') ||
	    !take_number(cursor, 2, &minute) || !take_char(cursor, ':') ||
	    !take_number(cursor, 2, &second) || hour > 23 || minute > 59 || second > 60)
		return false;
	*ret_seconds = hour * 3600 + minute * 60 + second;
	return true;
}

/* Days from 1970-01-01 to this day of the Gregorian calendar, years 1970 to 9999. */
static int64_t days_of(int64_t year, int64_t month, int64_t day)
{
	static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	int64_t past = year - 1;
	int64_t leaps = past / 4 - past / 100 + past / 400 - 477;
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return (year - 1970) * 365 + leaps + before[month - 1] + (leap && month > 2) + day - 1;
}

static bool in_calendar(int64_t year, int64_t month, int64_t day)
{
	return year >= 1970 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* "+0800", "-0330" anywhere in the rest: seconds east of UTC; 0 without one. */
static int64_t take_offset(struct cursor *cursor)
{
	for (; cursor->at < cursor->end; cursor->at++) {
		int64_t sign = *cursor->at == '+' ? 1 : -1;
		int64_t value;
		struct cursor number = {cursor->at + 1, cursor->end};

		if ((*cursor->at == '+' || *cursor->at == '-') && take_number(&number, 4, &value) &&
		    number.at - cursor->at == 5)
			return sign * (value / 100 * 3600 + value % 100 * 60);
	}
	return 0;
}

/* "2025-03-31 23:43:37 CST +0800" */
static bool parse_iso(struct cursor cursor, int64_t *ret_time)
{
	int64_t year;
	int64_t month;
	int64_t day;
	int64_t seconds;

	if (!take_number(&cursor, 4, &year) || !take_char(&cursor, '-') ||
	    !take_number(&cursor, 2, &month) || !take_char(&cursor, '-') ||
	    !take_number(&cursor, 2, &day) || !in_calendar(year, month, day))
		return false;
	take_char(&cursor, 'T');
	skip_blanks(&cursor);
	if (!take_clock(&cursor, &seconds))
		return false;
	*ret_time = days_of(year, month, day) * 86400 + seconds - take_offset(&cursor);
	return true;
}

/* "Mon Dec 18 12:34:08 2023", "Mon Dec 18 12:34:08 CET 2023" */
static bool parse_ctime(struct cursor cursor, int64_t *ret_time)
{
	int64_t month;
	int64_t day;
	int64_t seconds;
	int64_t year;

	while (cursor.at < cursor.end && *cursor.at != ' ')
		cursor.at++;
	skip_blanks(&cursor);
	if (!take_month(&cursor, &month))
		return false;
	skip_blanks(&cursor);
	if (!take_number(&cursor, 2, &day))
		return false;
	skip_blanks(&cursor);
	if (!take_clock(&cursor, &seconds))
		return false;
	while (cursor.at < cursor.end && (*cursor.at < '0' || *cursor.at > '9'))
		cursor.at++;
	if (!take_number(&cursor, 4, &year) || !in_calendar(year, month, day))
		return false;
	*ret_time = days_of(year, month, day) * 86400 + seconds;
	return true;
}

bool import_parse_time(const char *text, size_t length, int64_t *ret_time)
{
	struct cursor cursor;

	import_trim(&text, &length);
	cursor = (struct cursor){text, text + length};
	return parse_iso(cursor, ret_time) || parse_ctime(cursor, ret_time);
}
