#include "collector/import/log_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define YEAR_SECONDS (372L * 86400)	/* months of 31 days: times are only compared */

/* Cuts one of the endings, if it is there. */
static void cut_ending(struct log_name *name, const char *const *endings)
{
	for (size_t i = 0; endings[i]; i++) {
		size_t length = strlen(endings[i]);

		if (name->stem > length &&
		    memcmp(name->name + name->stem - length, endings[i], length) == 0) {
			name->stem -= length;
			return;
		}
	}
}

void log_name_parse(const char *name, struct log_name *ret_name)
{
	static const char *const packed[] = {".gz", ".xz", ".bz2", ".zst", NULL};
	static const char *const old[] = {".old", ".bak", NULL};
	struct log_name parsed = {.name = name ? name : ""};
	size_t at, whole;

	parsed.stem = strlen(parsed.name);
	cut_ending(&parsed, packed);
	whole = parsed.stem;
	cut_ending(&parsed, old);
	if (parsed.stem != whole)
		parsed.number = 1;
	at = parsed.stem;
	while (at > 0 && isdigit((unsigned char)parsed.name[at - 1]))
		at--;
	/* The end of an address or of a version is no number of logrotate's. */
	if (parsed.number == 0 && at > 1 && at < parsed.stem && !isdigit((unsigned char)parsed.name[at - 2])) {
		size_t digits = parsed.stem - at;
		char mark = parsed.name[at - 1];

		if (mark == '.' && digits <= 3)
			parsed.number = strtol(parsed.name + at, NULL, 10);
		else if ((mark == '-' || mark == '.' || mark == '_') && digits >= 8 && digits <= 14)
			parsed.date = strtoll(parsed.name + at, NULL, 10);
		if (parsed.number || parsed.date)
			parsed.stem = at - 1;
	}
	*ret_name = parsed;
}

bool log_name_same(const struct log_name *a, const struct log_name *b)
{
	return a->stem == b->stem && memcmp(a->name, b->name, a->stem) == 0;
}

int log_name_compare(const struct log_name *a, const struct log_name *b)
{
	bool plain_a = a->number == 0 && a->date == 0;
	bool plain_b = b->number == 0 && b->date == 0;

	if (plain_a != plain_b)
		return plain_a ? 1 : -1;
	if (a->number && b->number)
		return (a->number < b->number) - (a->number > b->number);
	if (a->date && b->date)
		return (a->date > b->date) - (a->date < b->date);
	return 0;
}

/* Seconds since the year began, -1: no time. */
static long seconds_of(const char *time)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char month[4] = "";
	const char *place;

	if (strlen(time) < 15)
		return -1;
	memcpy(month, time, 3);
	place = strstr(months, month);
	if (!place)
		return -1;
	return ((place - months) / 3 * 31 + strtol(time + 4, NULL, 10)) * 86400 +
	       strtol(time + 7, NULL, 10) * 3600 + strtol(time + 10, NULL, 10) * 60 +
	       strtol(time + 13, NULL, 10);
}

int log_time_compare(const char *a, const char *b)
{
	long left = seconds_of(a), right = seconds_of(b);
	long between = left - right;

	if (left < 0 || right < 0 || between == 0)
		return 0;
	if (between > YEAR_SECONDS / 2 || between < -YEAR_SECONDS / 2)
		between = -between;
	return between < 0 ? -1 : 1;
}
