/*
 * opensm.log: what happened, folded. Lines begin with a time without a year, a
 * thread and a level ("Nov 29 20:52:27 260853 [5BFC5740] 0x02 -> text"); lines
 * without go on with the entry before. A busy SM repeats itself hundreds of
 * times a second, so equal events are one with a count, a first and a last.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/input.h"
#include "collector/import/log_runs.h"
#include "collector/import/log_secrets.h"
#include "collector/import/opensm_log.h"

#define TEXT_MAX 400

#define LEVEL_ERROR 0x01

static bool is_digits(const char *text, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
	}
	return true;
}

/* The length of the stamp up to and with "-> ", 0: none. *ret_level is the level. */
static size_t stamp_length(const char *line, size_t length, unsigned *ret_level)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char month[4] = "";
	const char *place;
	size_t at;

	if (length < TIME_LENGTH + 20 || line[3] != ' ' || line[6] != ' ' || line[15] != ' ' ||
	    line[9] != ':' || line[12] != ':')
		return 0;
	memcpy(month, line, 3);
	place = strstr(months, month);
	if (!place || (place - months) % 3 != 0 || strlen(month) != 3)
		return 0;
	if (!(line[4] == ' ' || isdigit((unsigned char)line[4])) || !is_digits(line + 5, 1) ||
	    !is_digits(line + 7, 2) || !is_digits(line + 10, 2) || !is_digits(line + 13, 2))
		return 0;
	at = TIME_LENGTH + 1;
	while (at < length && isdigit((unsigned char)line[at]))
		at++;
	if (length - at < 4 || line[at] != ' ' || line[at + 1] != '[')
		return 0;
	for (at += 2; at < length && isxdigit((unsigned char)line[at]);)
		at++;
	if (length - at < 9 || memcmp(line + at, "] 0x", 4) != 0 ||
	    memcmp(line + at + 6, " ->", 3) != 0)
		return 0;
	*ret_level = (unsigned)strtoul(line + at + 4, NULL, 16);
	at += 9;
	return at < length && line[at] == ' ' ? at + 1 : at;
}

/* Transaction ids differ in every entry and mean nothing later. */
static void drop_transaction_ids(char *text)
{
	char *tid = text;

	while ((tid = strstr(tid, "TID 0x")) != NULL) {
		char *number = tid + 4;
		size_t digits = 2 + strspn(number + 2, "0123456789abcdefABCDEF");

		memmove(number, number + digits, strlen(number + digits) + 1);
		tid = number;
	}
}

/* "0x5 port 3" behind `words`, first place; false: not there. */
static bool take_port(const char *text, const char *words, uint64_t *ret_guid, int *ret_port)
{
	const char *at = strstr(text, words);
	const char *port;
	char *end;

	if (!at)
		return false;
	at += strlen(words);
	*ret_guid = strtoull(at, &end, 16);
	if (end == at)
		return false;
	port = strstr(end, "port ");
	if (port && port - end < 160)
		*ret_port = (int)(strtoul(port + 5, NULL, 10) & 0xff);
	return true;
}

/* The number behind the last ") port ", or -1. */
static int last_port(const char *text)
{
	int port = -1;

	for (text = strstr(text, ") port "); text; text = strstr(text + 1, ") port "))
		port = (int)(strtoul(text + 7, NULL, 10) & 0xff);
	return port;
}

/* The word in front of `words` as the event's text, cut out of `text` in place; false: not there. */
static bool take_word_before(char *text, const char *words, char **ret_word)
{
	char *end = strstr(text, words);
	char *start = end;

	if (!end || end == text)
		return false;
	while (start > text && !isspace((unsigned char)start[-1]))
		start--;
	*end = '\0';
	*ret_word = start;
	return *start != '\0';
}

static bool take_quoted(char *text, const char *words, char **ret_word)
{
	char *start = strstr(text, words);
	char *end;

	if (!start)
		return false;
	start += strlen(words);
	end = strchr(start, '\'');
	if (!end)
		return false;
	*end = '\0';
	*ret_word = start;
	return true;
}

/* SMInfo of an SM with another sm_key; the same is told twice, at two levels. */
static int add_other_sm(struct opensm_log *log, const struct log_event *event, const char *text,
			struct err *err)
{
	const char *place = strstr(text, "SM (");
	struct log_event other = *event;
	char who[80], code[] = "2F18";

	if (!place)
		return 0;
	snprintf(who, sizeof(who), "SM (%.*s) has another sm_key", (int)strcspn(place + 4, ")\n") % 40,
		 place + 4);
	other.text = who;
	if (!other.error) {
		/* The twin of an ERR 2F18 that has just been counted. */
		other.error = code;
		if (log->entry.first_line > 1 && log->room) {
			size_t slot = 0;
			struct log_event *known = log_find_event(log, &other, &slot);

			if (known && known->last_line + 1 >= log->entry.first_line)
				return 0;
		}
	}
	return log_fold_event(log, &other, err);
}

static int add_coded(struct opensm_log *log, struct log_event *event, char *text, struct err *err)
{
	if (strcmp(event->error, "0D01") == 0) {
		event->kind = LOG_DUPLICATE_NODE_GUID;
		if (!take_port(text, "Node 0x", &event->guid, &event->port))
			event->text = NULL;
		take_port(text, "from remote node 0x", &event->guid_a, &event->port_a);
		take_port(text, "and remote node 0x", &event->guid_b, &event->port_b);
		return log_fold_event(log, event, err);
	}
	if (strcmp(event->error, "0D15") == 0) {
		event->kind = LOG_DUPLICATE_PORT_GUID;
		take_port(text, "Port GUID 0x", &event->guid, &event->port);
		event->port = -1;
		return log_fold_event(log, event, err);
	}
	if (strcmp(event->error, "3315") == 0 &&
	    take_port(text, "for node 0x", &event->guid, &event->port)) {
		event->kind = LOG_UNKNOWN_REMOTE;
		/* A description stands between, and may speak of ports too. */
		event->port = last_port(text);
		return log_fold_event(log, event, err);
	}
	if (strcmp(event->error, "2F18") == 0) {
		event->kind = LOG_OTHER_SM;
		return add_other_sm(log, event, text, err);
	}
	text[strcspn(text, "\n")] = '\0';
	event->text = text;
	event->kind = LOG_ERROR;
	if (strcmp(event->error, "1F24") == 0)
		event->kind = LOG_SL_TO_VL15;
	else if (strncmp(event->error, "AC", 2) == 0)
		event->kind = LOG_POLICY_REJECTED;
	return log_add_error(log, event, err);
}

/*
 * Entries at the error level that are none: the version, what only leads to
 * another (the paths below an error, an SMP's route), notices.
 */
static bool is_no_error(const char *text)
{
	return strncmp(text, "OpenSM ", 7) == 0 || strstr(text, "Directed Path Dump") ||
	       strstr(text, "Received SMP on a ") || strstr(text, "Received Generic Notice");
}

/* The version goes where the source's detail is shown: the one that was started last. */
static int keep_version(struct import *import, const char *text, struct err *err)
{
	struct source *source = import_source(import);

	size_t length = strcspn(text, "\n");

	if (strncmp(text, "OpenSM ", 7) != 0 ||
	    (source->detail && strlen(source->detail) == length && memcmp(source->detail, text, length) == 0))
		return 0;
	source->detail = fabric_text(import_fabric(import), text, length);
	return source->detail ? 0 : err_no_memory(err);
}

static int add_uncoded(struct opensm_log *log, struct log_event *event, char *text, struct err *err)
{
	char exited[] = "EXITED";
	char *word = NULL;

	text[strcspn(text, "\n")] = '\0';
	if (strncmp(text, "Entering ", 9) == 0 && take_word_before(text, " state", &word)) {
		event->kind = LOG_SM_STATE;
		event->text = word;
		return log_follow_event(log, event, &log->last_state, err);
	}
	if (strstr(text, "SUBNET UP")) {
		event->kind = LOG_SUBNET_UP;
		return log_fold_event(log, event, err);
	}
	if (strstr(text, "LMC > 0 is not supported by fat-tree routing")) {
		event->kind = LOG_FTREE_LMC;
		return log_fold_event(log, event, err);
	}
	if (take_word_before(text, " tables configured on all switches", &word)) {
		event->kind = LOG_ENGINE_CONFIGURED;
		event->text = word;
		return log_follow_event(log, event, &log->last_configured, err);
	}
	if (strstr(text, "No routing engine able to successfully configure")) {
		event->kind = LOG_NO_ENGINE;
		return log_fold_event(log, event, err);
	}
	if (take_word_before(text, ": cannot build ", &word) ||
	    take_quoted(text, "setup routing engine '", &word)) {
		event->kind = LOG_ENGINE_FAILED;
		event->text = word;
		return log_fold_event(log, event, err);
	}
	if (strstr(text, "with non-matching sm_key")) {
		event->kind = LOG_OTHER_SM;
		return add_other_sm(log, event, text, err);
	}
	if (strncmp(text, "Exiting SM", 10) == 0) {
		struct log_event gone = *event;

		gone.kind = LOG_SM_STATE;
		gone.text = exited;
		return log_follow_event(log, &gone, &log->last_state, err);
	}
	if (!(log->entry.level & LEVEL_ERROR) && strncmp(text, "Errors ", 7) != 0 &&
	    strncmp(text, "FATAL", 5) != 0)
		return 0;
	if (is_no_error(text))
		return 0;
	event->kind = LOG_ERROR;
	event->text = text;
	return log_add_error(log, event, err);
}

/* The entry is complete: what does it tell? */
static int close_entry(struct opensm_log *log, struct err *err)
{
	struct log_event event = {.port = -1, .port_a = -1, .port_b = -1};
	char text[ENTRY_MAX];
	char code[8] = "";
	char *mark;

	if (!log->open)
		return 0;
	log->open = false;
	memcpy(text, log->entry.text, log->entry.length + 1);
	log_hide_keys(text);
	drop_transaction_ids(text);
	if (log_run_follow(log, text, err) < 0)
		return ERR_NOMEM;
	mark = strstr(text, "ERR ");
	if (mark && isxdigit((unsigned char)mark[4])) {
		size_t digits = strspn(mark + 4, "0123456789ABCDEFabcdef");

		if (digits <= 4 && mark[4 + digits] == ':') {
			memcpy(code, mark + 4, digits);
			event.error = code;
			return add_coded(log, &event, mark + 4 + digits + 1 +
					 strspn(mark + 5 + digits, " "), err);
		}
	}
	return add_uncoded(log, &event, text, err);
}

/* What OpenSM prints at its start, without a time: options it refused or corrected. */
static int add_startup_line(struct opensm_log *log, const char *line, size_t length, int64_t number,
			    struct err *err)
{
	static const char *const heads[] = {" Invalid Cached Option", "-E- Parsing error in field ",
					    " Unrecognized token: ", " Warning: Cached Option "};
	struct log_event event = {.kind = LOG_OPTION_REJECTED, .port = -1, .port_a = -1, .port_b = -1};
	char text[TEXT_MAX];

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		if (length < strlen(heads[i]) || memcmp(line, heads[i], strlen(heads[i])) != 0)
			continue;
		snprintf(text, sizeof(text), "%.*s", (int)(length < TEXT_MAX ? length : TEXT_MAX), line);
		log_hide_keys(text);
		log_hide_value(text);
		event.text = text + strspn(text, " ");
		log->entry.time[0] = '\0';
		log->entry.first_line = number;
		log->entry.last_line = number;
		if (log_run_follow_startup(log, err) < 0)
			return ERR_NOMEM;
		return log_fold_event(log, &event, err);
	}
	return 0;
}

static void open_entry(struct opensm_log *log, const char *line, size_t length, size_t stamp,
		       unsigned level, int64_t number)
{
	struct log_entry *entry = &log->entry;

	memcpy(entry->time, line, TIME_LENGTH);
	entry->time[TIME_LENGTH] = '\0';
	entry->level = level;
	entry->length = length - stamp < ENTRY_MAX - 1 ? length - stamp : ENTRY_MAX - 1;
	memcpy(entry->text, line + stamp, entry->length);
	entry->text[entry->length] = '\0';
	entry->first_line = number;
	entry->last_line = number;
	log->open = true;
}

/* The next line from *at without its end, *ret_cut without blanks there; NULL: none with an end is left. */
static const char *next_raw(struct input *input, size_t *at, size_t *ret_length, size_t *ret_cut)
{
	const unsigned char *bytes;
	const char *line, *lf;
	size_t size, length;

	input_raw(input, &bytes, &size);
	line = (const char *)bytes + *at;
	lf = *at < size ? memchr(line, '\n', size - *at) : NULL;
	if (!lf)
		return NULL;
	length = (size_t)(lf - line);
	*at += length + 1;
	length -= length > 0 && line[length - 1] == '\r';
	*ret_length = length;
	while (length > 0 && line[length - 1] == ' ')
		length--;
	*ret_cut = length;
	return line;
}

static size_t first_word(const char *line, size_t length)
{
	const char *blank = memchr(line, ' ', length);

	return blank ? (size_t)(blank - line) : length;
}

/*
 * How all lines are wrapped. A terminal wraps at one width: behind the lines that are as
 * long as the longest the next one has no stamp. A mail program wraps between words: what
 * has no stamp begins with a word that had no room in the line before. One long entry that
 * goes on in a line of its own is OpenSM's.
 */
static void find_wrap(struct opensm_log *log, struct input *input)
{
	size_t length, cut, widest = 0, widest_cut = 0, before, before_cut;
	size_t full = 0, followed = 0, pairs = 0, no_room = 0;
	const char *line;
	unsigned level;

	for (size_t at = 0; next_raw(input, &at, &length, &cut);) {
		widest = length > widest ? length : widest;
		widest_cut = cut > widest_cut ? cut : widest_cut;
	}
	before = before_cut = 0;
	for (size_t at = 0; (line = next_raw(input, &at, &length, &cut)); before = length, before_cut = cut) {
		bool goes_on = before > 0 && length > 0 && stamp_length(line, length, &level) == 0;

		full += length == widest;
		followed += goes_on && before == widest;
		pairs += goes_on;
		no_room += goes_on && before_cut + 1 + first_word(line, cut) > widest_cut;
	}
	if (widest >= 40 && full >= 3 && followed * 10 >= full * 9 && full * 3 >= no_room * 2)
		log->wrapped = widest;
	else if (widest_cut >= 40 && no_room >= 3 && no_room * 10 >= pairs * 6)
		log->wrapped_words = widest_cut;
}

/* What stood between the entry's last line and this one: '\0' for nothing. */
static char joint(struct opensm_log *log, const char *line, size_t length)
{
	if (log->wrapped > 0 && log->line_length == log->wrapped)
		return '\0';
	if (log->wrapped_words > 0 &&
	    log->line_length + 1 + first_word(line, length) > log->wrapped_words) {
		log->joined++;
		return ' ';
	}
	return '\n';
}

/* A line without a stamp belongs to the entry before. */
static void continue_entry(struct opensm_log *log, const char *line, size_t length, int64_t number)
{
	struct log_entry *entry = &log->entry;
	char between = joint(log, line, length);

	if (entry->length + length + 1 >= ENTRY_MAX)
		return;
	if (between)
		entry->text[entry->length++] = between;
	memcpy(entry->text + entry->length, line, length);
	entry->length += length;
	entry->text[entry->length] = '\0';
	entry->last_line = number;
}

/* Blanks in front of what was wrapped between words are a guess that the source tells. */
static int tell_joined(struct import *import, const struct opensm_log *log, struct err *err)
{
	struct source *source = import_source(import);
	char text[400];

	if (log->joined == 0)
		return 0;
	snprintf(text, sizeof(text), "%.200s%swrapped between words: %zu lines without a time were joined "
		 "to the ones before with a blank", source->detail ? source->detail : "",
		 source->detail ? "; " : "", log->joined);
	source->detail = fabric_text(import_fabric(import), text, strlen(text));
	return source->detail ? 0 : err_no_memory(err);
}

static int read_opensm_log(struct import *import, struct input *input, struct err *err)
{
	struct config *config = import_fabric(import)->config;
	struct opensm_log *log = calloc(1, sizeof(*log));
	size_t length;
	char *line;
	int rc;

	if (!log)
		return err_no_memory(err);
	log->config = config;
	log->source = import_source_ref(import);
	log->first_event = config->event_count;
	if (config->opensm_log == 0)
		config->opensm_log = log->source;
	find_wrap(log, input);
	/* At the end of a wrapped line a blank is part of the text. */
	if (log->wrapped > 0)
		input_keep_blanks(input);
	rc = log_grow(log, err);
	while (rc == 0 && (rc = input_line(input, &line, &length, err)) == 1) {
		int64_t number = input_line_number(input);
		unsigned level = 0;
		size_t stamp;

		/* Texts end at a NUL. */
		length = strnlen(line, length);
		stamp = stamp_length(line, length, &level);
		rc = 0;
		if (stamp) {
			import_row(import);
			rc = close_entry(log, err);
			open_entry(log, line, length, stamp, level, number);
			if (rc == 0)
				rc = keep_version(import, log->entry.text, err);
		} else if (log->open) {
			continue_entry(log, line, length, number);
		} else {
			rc = add_startup_line(log, line, length, number, err);
		}
		log->line_length = length;
	}
	if (rc == 0)
		rc = close_entry(log, err);
	if (rc == 0)
		rc = tell_joined(import, log, err);
	free(log->slots);
	free(log);
	return rc;
}

static int detect_opensm_log(const struct probe *probe)
{
	size_t offset = 0, length, stamps = 0;
	const char *line;
	unsigned level;

	while (stamps < 3 && probe_line(probe, &offset, &line, &length))
		stamps += stamp_length(line, length, &level) != 0;
	return stamps >= 3 ? 90 : (int)stamps * 40;
}

const struct format format_opensm_log = {
	.id = "opensm.log",
	.title = "OpenSM log",
	.rank = 40,
	.config = true,
	.loses = ATTRIBUTE_SM_INFO,
	.detect = detect_opensm_log,
	.read = read_opensm_log,
};
