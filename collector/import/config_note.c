#include "collector/import/config_note.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "store/text.h"

#define SENTENCE_MAX 2048

const char *config_show(const char *text, size_t length, char out[CONFIG_SHOW_SIZE])
{
	static const char cut[] = "...";
	size_t shown = length < CONFIG_SHOW_SIZE ? length : CONFIG_SHOW_SIZE;
	size_t written = text_escape(text, shown, out, CONFIG_SHOW_SIZE - sizeof(cut) + 1);
	char whole[4 * CONFIG_SHOW_SIZE + 1];

	if (shown < length || text_escape(text, shown, whole, sizeof(whole)) > written)
		memcpy(out + written, cut, sizeof(cut));
	return out;
}

/* NULL stays NULL, without an error. */
static int copy(struct config *config, char **ret_copy, const char *text, struct err *err)
{
	char escaped[SENTENCE_MAX];
	size_t length;

	*ret_copy = NULL;
	if (!text)
		return 0;
	length = text_escape(text, strlen(text), escaped, sizeof(escaped));
	*ret_copy = fabric_text(config->fabric, escaped, length);
	return *ret_copy ? 0 : err_no_memory(err);
}

int config_note(struct config_notes *notes, struct err *err, const char *id,
		enum severity severity, const char *key, int64_t line, const char *remedy,
		const char *format, ...)
{
	struct config_problem *problem;
	char sentence[SENTENCE_MAX];
	va_list args;

	if (notes->kept >= CONFIG_PROBLEMS_MAX) {
		notes->left_out++;
		return 0;
	}
	notes->kept++;
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	problem = config_problem_add(notes->config);
	if (!problem)
		return err_no_memory(err);
	problem->severity = severity;
	problem->line = line;
	problem->source = notes->source;
	if (copy(notes->config, &problem->id, id, err) < 0 ||
	    copy(notes->config, &problem->key, key, err) < 0 ||
	    copy(notes->config, &problem->text, sentence, err) < 0 ||
	    copy(notes->config, &problem->remedy, remedy, err) < 0)
		return ERR_NOMEM;
	return 0;
}

int config_notes_end(struct config_notes *notes, struct err *err)
{
	size_t left_out = notes->left_out;

	if (left_out == 0)
		return 0;
	notes->kept = 0;
	notes->left_out = 0;
	return config_note(notes, err, "more-problems", SEVERITY_WARNING, NULL, 0, NULL,
			   "%zu more problems of this file are not listed", left_out);
}
