#include "collector/import/opensm_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash;
}

static uint64_t hash_event(const struct log_event *event)
{
	uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)event->kind;

	hash = hash_text(hash, event->error) * 31 + event->guid;
	hash = hash_text(hash, event->text) * 31 + event->guid_a;
	hash = hash * 31 + event->guid_b + (uint64_t)(event->port * 65536 + event->port_a * 256 +
						      event->port_b);
	return hash * 0x9e3779b97f4a7c15u;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_event(const struct log_event *a, const struct log_event *b)
{
	return a->kind == b->kind && a->guid == b->guid && a->guid_a == b->guid_a &&
	       a->guid_b == b->guid_b && a->port == b->port && a->port_a == b->port_a &&
	       a->port_b == b->port_b && same_text(a->error, b->error) && same_text(a->text, b->text);
}

int log_grow(struct opensm_log *log, struct err *err)
{
	size_t room = log->room ? log->room * 2 : 256;
	size_t *slots = calloc(room, sizeof(*slots));

	if (!slots)
		return err_no_memory(err);
	for (size_t i = 0; i < log->room; i++) {
		size_t at;

		if (log->slots[i] == 0)
			continue;
		at = hash_event(&log->config->events[log->slots[i] - 1]) & (room - 1);
		while (slots[at])
			at = (at + 1) & (room - 1);
		slots[at] = log->slots[i];
	}
	free(log->slots);
	log->slots = slots;
	log->room = room;
	return 0;
}

struct log_event *log_find_event(const struct opensm_log *log, const struct log_event *event,
				 size_t *ret_slot)
{
	size_t at = hash_event(event) & (log->room - 1);

	for (; log->slots[at]; at = (at + 1) & (log->room - 1)) {
		struct log_event *known = &log->config->events[log->slots[at] - 1];

		if (same_event(known, event))
			return known;
	}
	*ret_slot = at;
	return NULL;
}

static int copy(struct config *config, char **text, struct err *err)
{
	if (!*text)
		return 0;
	*text = fabric_text(config->fabric, *text, strlen(*text));
	return *text ? 0 : err_no_memory(err);
}

static void count_again(const struct opensm_log *log, struct log_event *event)
{
	event->count++;
	event->last_line = log->entry.last_line;
	if (log->entry.time[0]) {
		if (!event->last_time)
			return;
		memcpy(event->last_time, log->entry.time, TIME_LENGTH + 1);
	}
}

/* `event`'s texts are borrowed and copied here. *ret_index (may be NULL): index + 1 of the new event. */
static int add_event(struct opensm_log *log, const struct log_event *event, size_t *ret_index,
		     struct err *err)
{
	struct log_event *added;
	char *time = log->entry.time[0] ? log->entry.time : NULL;

	if (log->config->event_count - log->first_event >= EVENTS_MAX)
		return 0;
	added = config_event_add(log->config);
	if (!added)
		return err_no_memory(err);
	*added = *event;
	added->first_time = time;
	added->last_time = time;
	if (copy(log->config, &added->error, err) < 0 || copy(log->config, &added->text, err) < 0 ||
	    copy(log->config, &added->first_time, err) < 0 ||
	    copy(log->config, &added->last_time, err) < 0)
		return ERR_NOMEM;
	added->first_line = log->entry.first_line;
	added->last_line = log->entry.last_line;
	added->count = 1;
	added->source = log->source;
	if (ret_index)
		*ret_index = log->config->event_count;
	return 0;
}

int log_fold_event(struct opensm_log *log, const struct log_event *event, struct err *err)
{
	struct log_event *known;
	size_t slot = 0, index = 0;

	if ((log->config->event_count - log->first_event) * 2 >= log->room &&
	    log_grow(log, err) < 0)
		return ERR_NOMEM;
	known = log_find_event(log, event, &slot);
	if (known) {
		count_again(log, known);
		return 0;
	}
	if (add_event(log, event, &index, err) < 0)
		return ERR_NOMEM;
	log->slots[slot] = index;
	return 0;
}

int log_follow_event(struct opensm_log *log, const struct log_event *event, size_t *newest,
		     struct err *err)
{
	if (*newest && same_event(&log->config->events[*newest - 1], event)) {
		count_again(log, &log->config->events[*newest - 1]);
		return 0;
	}
	return add_event(log, event, newest, err);
}

static struct error_code *code_of(struct opensm_log *log, const char *code)
{
	for (size_t i = 0; i < log->code_count; i++) {
		if (strcmp(log->codes[i].code, code) == 0)
			return &log->codes[i];
	}
	if (log->code_count == ERROR_CODES_MAX)
		return NULL;
	snprintf(log->codes[log->code_count].code, sizeof(log->codes[0].code), "%s", code);
	return &log->codes[log->code_count++];
}

int log_add_error(struct opensm_log *log, struct log_event *event, struct err *err)
{
	struct error_code *code = code_of(log, event->error ? event->error : "");
	size_t before = log->config->event_count;
	size_t slot = 0;
	int rc;

	if (log->room == 0 && log_grow(log, err) < 0)
		return ERR_NOMEM;
	if ((!code || code->texts >= TEXTS_PER_ERROR) && !log_find_event(log, event, &slot))
		event->text = NULL;
	rc = log_fold_event(log, event, err);
	if (code && log->config->event_count > before)
		code->texts++;
	return rc;
}
