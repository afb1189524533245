#include "collector/import/detect.h"

#include <string.h>

#define FORMAT(name) extern const struct format format_##name;
#include "collector/import/formats.h"
#undef FORMAT

static const struct format *const formats[] = {
#define FORMAT(name) &format_##name,
#include "collector/import/formats.h"
#undef FORMAT
	NULL,
};

const struct format *import_format_find(const char *id)
{
	for (size_t i = 0; formats[i]; i++) {
		if (strcmp(formats[i]->id, id) == 0)
			return formats[i];
	}
	return NULL;
}

const struct format *import_format_at(size_t index)
{
	return index < sizeof(formats) / sizeof(formats[0]) ? formats[index] : NULL;
}

const struct format *import_detect(const struct probe *probe)
{
	return import_detect_sure(probe, 1);
}

const struct format *import_detect_sure(const struct probe *probe, int least)
{
	const struct format *best = NULL;
	int best_sure = least - 1;

	for (size_t i = 0; formats[i]; i++) {
		int sure = formats[i]->detect(probe);

		if (sure > best_sure) {
			best = formats[i];
			best_sure = sure;
		}
	}
	return best;
}

bool probe_line(const struct probe *probe, size_t *offset, const char **ret_line,
		size_t *ret_length)
{
	const char *line = probe->text + *offset;
	const char *lf;

	if (*offset >= probe->length)
		return false;
	lf = memchr(line, '\n', probe->length - *offset);
	*ret_line = line;
	*ret_length = lf ? (size_t)(lf - line) : probe->length - *offset;
	*offset += *ret_length + 1;
	return true;
}

bool probe_has(const struct probe *probe, const char *word)
{
	size_t length = strlen(word);
	const char *at = probe->text;
	const char *end = probe->text + probe->length;

	while ((size_t)(end - at) >= length) {
		at = memchr(at, word[0], (size_t)(end - at) - length + 1);
		if (!at)
			return false;
		if (memcmp(at, word, length) == 0)
			return true;
		at++;
	}
	return false;
}

bool probe_has_line(const struct probe *probe, const char *prefix)
{
	size_t length = strlen(prefix);
	size_t offset = 0;
	const char *line;
	size_t line_length;

	while (probe_line(probe, &offset, &line, &line_length)) {
		import_trim(&line, &line_length);
		if (line_length >= length && memcmp(line, prefix, length) == 0)
			return true;
	}
	return false;
}
