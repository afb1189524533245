#include "collector/import/line_clean.h"

#include <string.h>

size_t line_strip_escapes(char *line, size_t length)
{
	size_t out = 0;

	for (size_t i = 0; i < length;) {
		if (line[i] != LINE_ESCAPE) {
			line[out++] = line[i++];
			continue;
		}
		i++;
		if (i < length && line[i] == '[') {		/* CSI: parameters, then one of @..~ */
			i++;
			while (i < length && (unsigned char)line[i] >= 0x20 &&
			       (unsigned char)line[i] <= 0x3f)
				i++;
			if (i < length)
				i++;
		} else if (i < length && line[i] == ']') {	/* OSC: a title, ended by BEL or ESC \ */
			while (i < length && line[i] != '\a' && line[i] != LINE_ESCAPE)
				i++;
			if (i < length && line[i] == '\a')
				i++;
			else if (i + 1 < length && line[i + 1] == '\\')
				i += 2;
		} else if (i < length) {
			i++;
		}
	}
	return out;
}

size_t line_quote_length(const char *line, size_t length)
{
	size_t i = 0;

	while (i < length && line[i] == '>') {
		i++;
		if (i < length && line[i] == ' ')
			i++;
	}
	return i;
}

bool text_is_quoted(const char *text, size_t length)
{
	size_t lines = 0;
	size_t quoted = 0;

	for (size_t i = 0; i < length;) {
		const char *lf = memchr(text + i, '\n', length - i);
		size_t line = lf ? (size_t)(lf - (text + i)) : length - i;

		if (line > 1 || (line == 1 && text[i] != '\r')) {
			lines++;
			quoted += text[i] == '>';
		}
		i += line + 1;
	}
	return lines > 0 && quoted * 8 >= lines * 7;
}
