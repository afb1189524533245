#include "store/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "store/text.h"

int err_set(struct err *err, int code, const char *format, ...)
{
	char raw[sizeof(err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(raw, sizeof(raw), format, args);
	va_end(args);
	err->code = code;
	text_escape(raw, strlen(raw), err->text, sizeof(err->text));
	return code;
}

void err_prefix(struct err *err, const char *format, ...)
{
	char raw[sizeof(err->text)];
	char prefix[sizeof(err->text)];
	char joined[2 * sizeof(err->text) + 2];
	va_list args;

	va_start(args, format);
	vsnprintf(raw, sizeof(raw), format, args);
	va_end(args);
	text_escape(raw, strlen(raw), prefix, sizeof(prefix));
	snprintf(joined, sizeof(joined), "%s: %s", prefix, err->text);
	memcpy(err->text, joined, sizeof(err->text) - 1);
	err->text[sizeof(err->text) - 1] = '\0';
}
