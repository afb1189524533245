#include "store/config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool policy_name_next(const char **at, char *out, size_t size)
{
	const char *text = *at;
	size_t length = 0;

	if (!text || *text == '\0')
		return false;
	while (*text && *text != ',') {
		const char *quote = *text == '"' ? strchr(text + 1, '"') : NULL;

		if (quote) {
			for (text++; text < quote; text++) {
				if (length + 1 < size)
					out[length++] = *text;
			}
			text++;
			continue;
		}
		if (*text != ' ' && *text != '\t' && length + 1 < size)
			out[length++] = *text;
		text++;
	}
	/* The name as a whole loses blanks at both ends, quoted ones too. */
	while (length > 0 && isspace((unsigned char)out[length - 1]))
		length--;
	out[length] = '\0';
	memmove(out, out + strspn(out, " \t\r\n\v\f"), strlen(out + strspn(out, " \t\r\n\v\f")) + 1);
	*at = *text ? text + 1 : text;
	return true;
}

static bool take_number(const char **at, uint64_t *ret_value)
{
	char *end;

	*at += strspn(*at, " \t");
	if (!isdigit((unsigned char)**at))
		return false;
	*ret_value = strtoull(*at, &end, 0);
	/* 08 is octal, and wrong: what is left of its digits belongs to it all the same. */
	while (isdigit((unsigned char)*end))
		end++;
	*at = end + strspn(end, " \t");
	return true;
}

bool policy_range_next(const char **at, uint64_t *ret_first, uint64_t *ret_last)
{
	const char *text = *at;
	uint64_t first = 0, last;

	if (!text || !take_number(&text, &first))
		return false;
	last = first;
	if (*text == '-') {
		text++;
		if (!take_number(&text, &last))
			return false;
	}
	*ret_first = first < last ? first : last;
	*ret_last = first < last ? last : first;
	*at = *text == ',' ? text + 1 : text;
	return true;
}
