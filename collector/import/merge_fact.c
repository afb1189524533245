/* Facts without a column of their own, one of each kind per device and port. */
#include <stdlib.h>
#include <string.h>

#include "collector/import/merge.h"

static size_t fact_hash(const struct import *import, const struct fact *fact)
{
	uint64_t hash = fabric_hash(import->fabric, (uintptr_t)fact->device);

	hash = fabric_hash(import->fabric, hash ^ (uintptr_t)fact->section);
	hash = fabric_hash(import->fabric, hash ^ (uintptr_t)fact->key ^ (uint64_t)fact->port << 48);
	return (size_t)hash;
}

/* Texts are interned, so equal ones are one. */
static bool same_place(const struct fact *a, const struct fact *b)
{
	return a->device == b->device && a->port == b->port && a->section == b->section &&
	       a->key == b->key;
}

/* The slot of this fact: it holds the fact's number plus 1, or 0. */
static uint32_t *fact_slot(const struct import *import, const struct fact *fact)
{
	size_t mask = import->fact_room - 1;
	size_t at = fact_hash(import, fact) & mask;

	while (import->fact_slots[at] &&
	       !same_place(&import->fabric->facts[import->fact_slots[at] - 1], fact))
		at = (at + 1) & mask;
	return &import->fact_slots[at];
}

static bool facts_grow(struct import *import)
{
	uint32_t *old = import->fact_slots;
	size_t old_room = import->fact_room;

	if (import->fact_kept * 2 < old_room)
		return true;
	import->fact_room = old_room ? 2 * old_room : 1024;
	import->fact_slots = calloc(import->fact_room, sizeof(*import->fact_slots));
	if (!import->fact_slots) {
		import->fact_slots = old;
		import->fact_room = old_room;
		return false;
	}
	for (size_t i = 0; i < old_room; i++) {
		if (old[i])
			*fact_slot(import, &import->fabric->facts[old[i] - 1]) = old[i];
	}
	free(old);
	return true;
}

/* What is printed on a cable does not change by itself: a difference is worth a word. */
static bool is_lasting(const struct fact *fact)
{
	static const char *const keys[] = {"SN", "PN", "Vendor"};

	if (strcmp(fact->section, "cable") != 0)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (strcmp(fact->key, keys[i]) == 0)
			return true;
	}
	return false;
}

/* Another source told this fact before. */
static int merge_fact(struct import *import, struct fact *old, const struct fact *new,
		      struct err *err)
{
	bool replaces = import_replaces(import, old->source);
	int rc = 0;

	if (old->value != new->value && is_lasting(new))
		rc = import_contradiction(import, new->device, new->port, new->key,
					  replaces ? new->value : old->value,
					  replaces ? import->ref : old->source,
					  replaces ? old->value : new->value,
					  replaces ? old->source : import->ref, err);
	if (replaces) {
		old->value = new->value;
		old->source = import->ref;
	}
	return rc;
}

struct told_rows *import_events(struct import *import)
{
	return &import->events;
}

/* What is told of no device and never given to one later: db_csv's events are. */
static bool stays_without_device(const char *section)
{
	return strncmp(section, "ibdiagnet-", 10) != 0;
}

int import_fact(struct import *import, struct device *device, int port, const char *section,
		const char *key, const char *value, size_t length, struct err *err)
{
	struct fact fact = {.device = device, .port = port, .source = import->ref};
	uint32_t *slot = NULL;
	struct fact *added;

	if (import->fabric->fact_count >= IMPORT_FACTS_MAX)
		return err_set(err, ERR_LIMIT, "holds more facts than the %d that are accepted",
			       IMPORT_FACTS_MAX);
	import_trim(&value, &length);
	fact.section = import_intern(import, section, strlen(section));
	fact.key = import_intern(import, key, strlen(key));
	fact.value = import_intern(import, value, length);
	if (!fact.section || !fact.key || !fact.value || !facts_grow(import))
		return err_no_memory(err);
	/* Rows of one file stand side by side, and what two say of the whole fabric. */
	if (device || stays_without_device(section)) {
		slot = fact_slot(import, &fact);
		if (*slot) {
			struct fact *old = &import->fabric->facts[*slot - 1];

			/* Texts are interned. */
			if (old->value == fact.value && (!device || old->source == import->ref))
				return 0;
			if (device && old->source != import->ref)
				return merge_fact(import, old, &fact, err);
		}
	}
	added = fabric_fact_add(import->fabric);
	if (!added)
		return err_no_memory(err);
	*added = fact;
	if (slot && !*slot) {
		*slot = (uint32_t)import->fabric->fact_count;
		import->fact_kept++;
	}
	return 0;
}
