#include <string.h>

#include "collector/import/format.h"
#include "store/text.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

void import_trim(const char **text, size_t *length)
{
	while (*length && is_blank((*text)[*length - 1]))
		--*length;
	while (*length && is_blank(**text)) {
		++*text;
		--*length;
	}
}

/* The value of a digit in any base up to 16, or 255. */
static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A' + 10);
	return 255;
}

bool import_parse_u64(const char *text, size_t length, uint64_t *ret_value)
{
	unsigned base = 10;
	uint64_t value = 0;

	if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
		length -= 2;
	}
	if (length == 0)
		return false;
	for (size_t i = 0; i < length; i++) {
		unsigned digit = digit_of(text[i]);

		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*ret_value = value;
	return true;
}

/* No maker's number and no simulator's is below; other columns' numbers are. */
#define GUID_MIN UINT64_C(0x10000)
#define GUID_DIGITS 16

bool import_is_guid(uint64_t guid, size_t digits)
{
	if (guid == 0 || guid >= UINT64_MAX - 1)
		return false;
	/* The first digit is no zero. */
	return digits == GUID_DIGITS || (guid >= GUID_MIN && guid >> (4 * digits - 4) != 0);
}

bool import_parse_guid(const char *text, size_t length, uint64_t *ret_guid)
{
	uint64_t guid;

	if (length < 3 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X') ||
	    !guid_parse(text, length, &guid) || !import_is_guid(guid, length - 2))
		return false;
	*ret_guid = guid;
	return true;
}

bool import_parse_hex(const char *text, size_t length, uint64_t *ret_value)
{
	return guid_parse(text, length, ret_value);
}

static bool is_word(const char *text, size_t length, const char *word)
{
	size_t i;

	for (i = 0; i < length && word[i]; i++) {
		char c = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] - 'A' + 'a') : text[i];

		if (c != word[i])
			return false;
	}
	return i == length && !word[i];
}

bool import_is_word(const char *text, size_t length, const char *word)
{
	return is_word(text, length, word);
}

bool import_is_unknown(const char *text, size_t length)
{
	static const char *const words[] = {"n/a", "na", "err", "error", "-1", "?", "??",
					    "???", "unknown", "none", "-"};

	import_trim(&text, &length);
	if (length == 0)
		return true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (is_word(text, length, words[i]))
			return true;
	}
	return false;
}

bool import_parse_cell(const char *text, size_t length, int64_t *ret_value)
{
	uint64_t value;

	import_trim(&text, &length);
	if (import_parse_u64(text, length, &value)) {
		/* 64-bit patterns (GidPrefix) are kept as they are; INT64_MIN itself would read as unknown. */
		*ret_value = (int64_t)value;
		return true;
	}
	if (!import_is_unknown(text, length))
		return false;
	*ret_value = FIELD_UNKNOWN;
	return true;
}

bool import_parse_width(const char *text, size_t length, int64_t *ret_lanes)
{
	static const struct {
		const char *text;
		int64_t lanes;
	} widths[] = {{"1x", 1}, {"2x", 2}, {"4x", 4}, {"8x", 8}, {"12x", 12}};
	size_t word = 0;

	import_trim(&text, &length);
	while (word < length && (digit_of(text[word]) < 10))
		word++;
	if (word < length && (text[word] == 'x' || text[word] == 'X'))
		word++;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (is_word(text, word, widths[i].text)) {
			*ret_lanes = widths[i].lanes;
			return true;
		}
	}
	if (word == 0 && length > 0 && (*text == '?' || is_word(text, length, "n/a"))) {
		*ret_lanes = FIELD_UNKNOWN;
		return true;
	}
	return false;
}

bool import_parse_speed(const char *text, size_t length, int64_t *ret_code)
{
	static const struct {
		const char *text;
		int64_t code;
	} speeds[] = {
		{"sdr", 1},	       {"2.5", 1},	     {"ddr", 2},	  {"5", 2},
		{"5.0", 2},	       {"qdr", 4},	     {"10", 4},		  {"10.0", 4},
		{"fdr10", 65536},      {"fdr", 256},	     {"14", 256},	  {"14.0625", 256},
		{"edr20", 131072},     {"20", 131072},	     {"edr", 512},	  {"25", 512},
		{"25.78125", 512},     {"hdr", 1024},	     {"50", 1024},	  {"53.125", 1024},
		{"ndr", 2048},	       {"100", 2048},	     {"106.25", 2048},	  {"xdr", 16777216},
		{"200", 16777216},     {"212.5", 16777216},
	};

	char pointed[16];	/* "2,5": in some languages the point is a comma */

	import_trim(&text, &length);
	if (length > 0 && length <= sizeof(pointed)) {
		char *comma = memchr(memcpy(pointed, text, length), ',', length);

		if (comma)
			*comma = '.';
		text = pointed;
	}
	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		if (is_word(text, length, speeds[i].text)) {
			*ret_code = speeds[i].code;
			return true;
		}
	}
	if (length == 0 || !import_is_unknown(text, length))
		return false;
	*ret_code = FIELD_UNKNOWN;
	return true;
}
