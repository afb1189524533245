/*
 * Log entries as events, equal ones folded. For opensm_log.c and log_fold.c.
 */
#ifndef COLLECTOR_IMPORT_OPENSM_LOG_H
#define COLLECTOR_IMPORT_OPENSM_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/config.h"

#define ENTRY_MAX 4096
#define EVENTS_MAX 20000		/* of one file */
#define TIME_LENGTH 15			/* "Nov 29 20:52:27" */
/* Different texts of one error code; what is more goes into one event without a text. */
#define TEXTS_PER_ERROR 100
#define ERROR_CODES_MAX 256

/* One entry of the log, put together from its lines. */
struct log_entry {
	char time[TIME_LENGTH + 1];	/* "" for what OpenSM printed without one */
	unsigned level;
	char text[ENTRY_MAX];
	size_t length;
	int64_t first_line;
	int64_t last_line;
};

struct error_code {
	char code[8];
	size_t texts;
};

struct opensm_log {
	struct config *config;
	source_ref source;
	struct log_entry entry;
	bool open;			/* an entry is being put together */
	size_t wrapped;			/* a terminal wrapped all lines at this width; 0: none did */
	size_t wrapped_words;		/* a mail program did, between words: the longest line; 0: none did */
	size_t joined;			/* lines that were joined again with a blank */
	size_t line_length;		/* of the line before */
	size_t *slots;			/* index + 1 of the event, by hash */
	size_t room;			/* a power of two */
	size_t first_event;		/* events of this file begin here */
	size_t last_state;		/* index + 1 of the newest event of its kind */
	size_t last_configured;
	size_t run;			/* index + 1 of the run in the config's list */
	bool run_told;			/* it has told more than its start */
	struct error_code codes[ERROR_CODES_MAX];
	size_t code_count;
};

/* Room for the first events; slots are the caller's to free. 0 or ERR_NOMEM. */
int log_grow(struct opensm_log *log, struct err *err);

/*
 * Counts the event, which happened at log->entry; its texts are borrowed. 0 or
 * ERR_NOMEM. log_fold_event folds with an equal event anywhere in the file;
 * log_follow_event with the newest of its kind only (*newest), so that an order
 * of states stays one; log_add_error drops the text when its code has too many.
 */
int log_fold_event(struct opensm_log *log, const struct log_event *event, struct err *err);
int log_follow_event(struct opensm_log *log, const struct log_event *event, size_t *newest,
		     struct err *err);
int log_add_error(struct opensm_log *log, struct log_event *event, struct err *err);

/* The event equal to this one, or NULL and the free slot for it. */
struct log_event *log_find_event(const struct opensm_log *log, const struct log_event *event,
				 size_t *ret_slot);

#endif
