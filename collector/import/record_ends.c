#include "collector/import/record_ends.h"

#include <stdio.h>
#include <string.h>

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

void record_begin(struct record_ends *ends, const struct record_kind *kind, int64_t line)
{
	record_end(ends);
	ends->open = state_of(ends, kind);
	ends->is_whole = false;
	ends->key = 0;
	ends->line = line;
}

void record_key(struct record_ends *ends, const char *key, size_t length)
{
	const char *const *last = ends->open ? ends->open->kind->last : NULL;

	if (!last)
		return;
	ends->is_whole = false;
	for (; *last && !ends->is_whole; last++)
		ends->is_whole = import_is_word(key, length, *last);
	ends->key = UINT64_C(1469598103934665603);
	for (size_t i = 0; i < length; i++)
		ends->key = (ends->key ^ (unsigned char)key[i]) * UINT64_C(1099511628211);
}

void record_whole(struct record_ends *ends, bool whole)
{
	ends->is_whole = whole;
}

void record_end(struct record_ends *ends)
{
	struct record_state *state = ends->open;

	ends->open = NULL;
	if (!state)
		return;
	if (ends->is_whole) {
		state->whole++;
		return;
	}
	if (state->cut++ == 0) {
		state->line = ends->line;
		state->key = ends->key;
	}
	state->alike = state->alike && state->kind->last && state->key == ends->key;
}

int record_ends_settle(struct record_ends *ends, struct import *import, struct err *err)
{
	char text[160];
	int rc = 0;

	record_end(ends);
	for (size_t i = 0; rc == 0 && i < ends->count; i++) {
		const struct record_state *state = &ends->states[i];

		if (state->cut == 0 || (state->whole == 0 && state->cut > 1 && state->alike))
			continue;
		snprintf(text, sizeof(text), "the %s that begins at line %lld stops in the middle",
			 state->kind->name, (long long)state->line);
		rc = import_cut(import, state->kind->attribute, text, err);
	}
	return rc;
}
