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
	return *line >= '1' && *line <= '9' ? *line - '0' : 0;
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

bool record_kind_has(const struct record_kind *kind, const char *key, size_t length)
{
	return kind->lines && find_line(kind, 0, key, length) >= 0;
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

/* The lines that a release which prints those seen prints as well. */
static uint64_t missing_of(const struct record_ends *ends)
{
	const char *const *lines = ends->open->kind->lines;
	uint64_t missing = 0;
	int release = 0;

	for (int i = 0; lines && lines[i]; i++) {
		if ((ends->seen >> i & 1) && release_of(lines[i]) > release)
			release = release_of(lines[i]);
	}
	for (int i = 0; lines && lines[i]; i++) {
		if (!(ends->seen >> i & 1) && release_of(lines[i]) <= release)
			missing |= UINT64_C(1) << i;
	}
	return missing;
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
		state->whole++;
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

/* "stops in the middle" where the last lines are missing, else "lacks its line LinkSpeedActive". */
static void say_what_is_missing(const struct record_state *state, char *out, size_t size)
{
	const char *names;
	int line = 0;

	if (state->missing >> (state->last + 1) != 0 || state->missing == 0) {
		snprintf(out, size, "stops in the middle");
		return;
	}
	while (!(state->missing >> line & 1))
		line++;
	names = names_of(state->kind->lines[line]);
	snprintf(out, size, "lacks its line %.*s", (int)strcspn(names, "|"), names);
}

int record_ends_settle(struct record_ends *ends, struct import *import, struct err *err)
{
	char text[200];
	char what[80];
	int rc = 0;

	record_end(ends);
	for (size_t i = 0; rc == 0 && i < ends->count; i++) {
		const struct record_state *state = &ends->states[i];

		if (state->cut == 0 || (state->whole == 0 && state->cut > 1 && state->alike))
			continue;
		say_what_is_missing(state, what, sizeof(what));
		snprintf(text, sizeof(text), "the %s that begins at line %lld %s", state->kind->name,
			 (long long)state->line, what);
		rc = import_cut(import, state->kind->attribute, text, err);
	}
	return rc;
}
