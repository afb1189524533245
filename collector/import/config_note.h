/*
 * How the readers of configuration files say what is wrong: whole sentences,
 * with foreign text escaped and cut.
 */
#ifndef COLLECTOR_IMPORT_CONFIG_NOTE_H
#define COLLECTOR_IMPORT_CONFIG_NOTE_H

#include <stddef.h>
#include <stdint.h>

#include "store/config.h"
#include "store/finding.h"

/* Problems kept of one file; what is more is counted in one last problem. */
#define CONFIG_PROBLEMS_MAX 500

struct config_notes {
	struct config *config;
	source_ref source;
	size_t kept;
	size_t left_out;
};

/*
 * Adds a problem of the file: `key` (or NULL) is copied and escaped, `remedy`
 * too (NULL: none), the sentence is printed from format. *ret_problem (may be
 * NULL) is left alone when the file has too many. 0 or ERR_NOMEM.
 */
int config_note(struct config_notes *notes, struct err *err, const char *id,
		enum severity severity, const char *key, int64_t line, const char *remedy,
		const char *format, ...) __attribute__((format(printf, 8, 9)));

/* Says how many were left out, if any. 0 or ERR_NOMEM. */
int config_notes_end(struct config_notes *notes, struct err *err);

/* Foreign text for a sentence: escaped, at most about 80 characters, "..." when cut. Returns out. */
#define CONFIG_SHOW_SIZE 96
const char *config_show(const char *text, size_t length, char out[CONFIG_SHOW_SIZE]);

#endif
