#include "collector/import/log_secrets.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "collector/import/opensm_keys.h"

void log_hide_keys(char *text)
{
	static const char hidden[] = "(hidden)";
	char *at = text;

	while (*at) {
		char *number;
		size_t digits, rest;
		char before;

		if (strncasecmp(at, "key", 3) != 0) {
			at++;
			continue;
		}
		before = at > text ? at[-1] : ' ';
		if (before == '_' && at - 1 > text)
			before = at[-2];
		at += 3;
		number = at + strspn(at, " \t:=<(");
		if (strchr("pPqQ", before) || strncasecmp(number, "0x", 2) != 0)
			continue;
		digits = 2 + strspn(number + 2, "0123456789abcdefABCDEF");
		rest = strlen(number + digits);
		if (digits < sizeof(hidden) - 1) {
			/* No room for the word: a short number becomes stars. */
			memset(number, '*', digits);
			at = number + digits;
			continue;
		}
		memcpy(number, hidden, sizeof(hidden) - 1);
		memmove(number + sizeof(hidden) - 1, number + digits, rest + 1);
		at = number + sizeof(hidden) - 1;
	}
}

void log_hide_value(char *text)
{
	char *field = strstr(text, "in field ");
	char *value = strstr(text, "received: ");
	char name[64];

	if (!field || !value)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(field + 9, ",") % (int)sizeof(name), field + 9);
	if (opensm_key_is_secret(name))
		strcpy(value + 9, "");
}
