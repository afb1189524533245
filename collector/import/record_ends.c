#include "collector/import/record_ends.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static struct record_state *state_of(struct record_ends *ends, const struct record_kind *kind)
{
	for (size_t i = 0; i < ends->count; i++) {
		if (ends->states[i].kind == kind)
			return &ends->states[i];
	}
	if (ends->count == RECORD_KINDS_MAX)
		return NULL;
	ends->states[ends->count] = (struct record_state){.kind = kind, .alike = true};
	return &ends->states[ends->count++];
}

/* The release that begins to print the line, and its names. */
static int release_of(const char *line)
{
	return *line >= '1' && *line < '0' + RECORD_RELEASES ? *line - '0' : 0;
}

static const char *names_of(const char *line)
{
	return line + (release_of(line) > 0);
}

static bool is_line(const char *line, const char *key, size_t length)
{
	const char *name = names_of(line);

	for (;;) {
		size_t name_length = strcspn(name, "|");

		if (name_length == length && strncasecmp(name, key, length) == 0)
			return true;
		if (name[name_length] == '\0')
			return false;
		name += name_length + 1;
	}
}

/* The number of the key's line, looked for from `first` on and then in front of it; -1: none. */
static int find_line(const struct record_kind *kind, int first, const char *key, size_t length)
{
	for (int i = first; kind->lines[i]; i++) {
		if (is_line(kind->lines[i], key, length))
			return i;
	}
	for (int i = 0; i < first; i++) {
		if (is_line(kind->lines[i], key, length))
			return i;
	}
	return -1;
}

static bool has_line(const struct record_kind *kind, const char *key, size_t length)
{
	return kind->lines && find_line(kind, 0, key, length) >= 0;
}

const struct record_title *record_title_of(const struct record_title *titles, const char *text,
					   size_t length)
{
	for (; titles->words; titles++) {
		size_t words = strlen(titles->words);

		if (words <= length && memcmp(titles->words, text, words) == 0)
			return titles;
	}
	return NULL;
}

bool record_is_foreign(const struct record_ends *ends, const struct record_title *titles,
		       const char *key, size_t length)
{
	if (!ends->open || has_line(ends->open->kind, key, length))
		return false;
	for (; titles->words; titles++) {
		if (has_line(&titles->kind, key, length))
			return true;
	}
	return false;
}

void record_becomes(struct record_ends *ends, const struct record_kind *kind)
{
	ends->open = state_of(ends, kind);
	ends->seen = 0;
	ends->last = -1;
	ends->shuffled = false;
	ends->rows_whole = false;
}

void record_begin(struct record_ends *ends, const struct record_kind *kind, int64_t line)
{
	record_end(ends);
	record_becomes(ends, kind);
	ends->line = line;
}

bool record_key(struct record_ends *ends, const char *key, size_t length)
{
	const struct record_kind *kind = ends->open ? ends->open->kind : NULL;
	int line;

	if (!kind || !kind->lines)
		return true;
	line = find_line(kind, ends->last + 1, key, length);
	if (line < 0)
		return true;
	if (ends->seen >> line & 1)
		return false;
	ends->shuffled = ends->shuffled || line < ends->last;
	ends->seen |= UINT64_C(1) << line;
	ends->last = line;
	return true;
}

void record_whole(struct record_ends *ends, bool whole)
{
	ends->rows_whole = whole;
}

/* The latest release that has one of the lines seen. */
static int latest_release(const char *const *lines, uint64_t seen)
{
	int release = 0;

	for (int i = 0; lines && lines[i]; i++) {
		if ((seen >> i & 1) && release_of(lines[i]) > release)
			release = release_of(lines[i]);
	}
	return release;
}

/* What that release prints and was not seen. */
static uint64_t missing_lines(const char *const *lines, uint64_t seen, int release)
{
	uint64_t missing = 0;

	for (int i = 0; lines && lines[i]; i++) {
		if (!(seen >> i & 1) && release_of(lines[i]) <= release)
			missing |= UINT64_C(1) << i;
	}
	return missing;
}

static uint64_t missing_of(const struct record_ends *ends)
{
	const char *const *lines = ends->open->kind->lines;

	return missing_lines(lines, ends->seen, latest_release(lines, ends->seen));
}

static bool lacks_rows(const struct record_ends *ends)
{
	const struct record_kind *kind = ends->open->kind;

	return (kind->rows || !kind->lines) && !ends->rows_whole;
}

bool record_is_whole(const struct record_ends *ends)
{
	return ends->open && (ends->shuffled || missing_of(ends) == 0) && !lacks_rows(ends);
}

void record_end(struct record_ends *ends)
{
	struct record_state *state = ends->open;
	uint64_t missing;

	if (!state)
		return;
	missing = missing_of(ends);
	if (record_is_whole(ends)) {
		struct record_release *release =
			&state->releases[latest_release(state->kind->lines, ends->seen)];

		state->whole++;
		if (!ends->shuffled && release->count++ == 0) {
			release->seen = ends->seen;
			release->line = ends->line;
		}
	} else {
		if (state->cut++ == 0) {
			state->line = ends->line;
			state->missing = missing;
			state->last = ends->last;
		}
		state->alike = state->alike && !lacks_rows(ends) && state->missing == missing;
	}
	ends->open = NULL;
}

/* The name of the first line of `missing`. */
static void say_line(const struct record_kind *kind, uint64_t missing, char *out, size_t size)
{
	const char *names;
	int line = 0;

	while (!(missing >> line & 1))
		line++;
	names = names_of(kind->lines[line]);
	snprintf(out, size, "lacks its line %.*s", (int)strcspn(names, "|"), names);
}

/* "stops in the middle" where the last lines are missing, else "lacks its line LinkSpeedActive". */
static void say_what_is_missing(const struct record_state *state, char *out, size_t size)
{
	if (state->missing >> (state->last + 1) != 0 || state->missing == 0)
		snprintf(out, size, "stops in the middle");
	else
		say_line(state->kind, state->missing, out, size);
}

static int tell(const struct record_state *state, int64_t line, const char *what,
		struct import *import, struct err *err)
{
	char text[200];

	snprintf(text, sizeof(text), "the %s that begins at line %lld %s", state->kind->name,
		 (long long)line, what);
	return import_cut(import, state->kind->attribute, text, err);
}

/* The one record that has nothing of a release which two others or more are of. */
static int tell_odd_one(const struct record_state *state, struct import *import, struct err *err)
{
	const struct record_release *odd = NULL;
	int latest = RECORD_RELEASES - 1;
	char what[80];

	while (latest > 0 && state->releases[latest].count == 0)
		latest--;
	for (int i = 0; i < latest; i++) {
		if (state->releases[i].count == 0)
			continue;
		if (odd || state->releases[i].count > 1)
			return 0;
		odd = &state->releases[i];
	}
	if (!odd || state->releases[latest].count < 2)
		return 0;
	say_line(state->kind, missing_lines(state->kind->lines, odd->seen, latest), what,
		 sizeof(what));
	return tell(state, odd->line, what, import, err);
}

int record_ends_settle(struct record_ends *ends, struct import *import, struct err *err)
{
	char what[80];
	int rc = 0;

	record_end(ends);
	for (size_t i = 0; rc == 0 && i < ends->count; i++) {
		const struct record_state *state = &ends->states[i];

		rc = tell_odd_one(state, import, err);
		if (rc < 0 || state->cut == 0 ||
		    (state->whole == 0 && state->cut > 1 && state->alike))
			continue;
		say_what_is_missing(state, what, sizeof(what));
		rc = tell(state, state->line, what, import, err);
	}
	return rc;
}
