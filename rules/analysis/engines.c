#include "rules/analysis/engines.h"

#include <stdio.h>
#include <string.h>

#include "rules/analysis/log_events.h"

static const struct engine known_engines[] = {
	{"minhop", true}, {"updn", false},	 {"dnup", false},   {"file", true},
	{"ftree", false}, {"lash", false},	 {"dor", true},	    {"torus-2QoS", false},
	{"nue", false},	  {"dfsssp", false}, {"sssp", true},
};

static const struct engine *engine_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(known_engines) / sizeof(known_engines[0]); i++) {
		if (strlen(known_engines[i].name) == length &&
		    strncmp(known_engines[i].name, name, length) == 0)
			return &known_engines[i];
	}
	return NULL;
}

size_t engine_list_find(const struct engine_list *engines, const char *name)
{
	size_t at = 0;

	while (at < engines->count && strcmp(engines->list[at]->name, name) != 0)
		at++;
	return at;
}

struct engine_list engine_list_parse(const char *text)
{
	struct engine_list engines = {.count = 0};
	const char *at = text ? text : "";

	while (*(at += strspn(at, ", \t\n"))) {
		size_t length = strcspn(at, ", \t\n");
		const struct engine *engine = engine_find(at, length);

		if (length == strlen("no_fallback") && strncmp(at, "no_fallback", length) == 0)
			engines.no_fallback = true;
		if (engine && engines.count < ENGINES_MOST)
			engines.list[engines.count++] = engine;
		at += length;
	}
	engines.ftree = engine_list_find(&engines, "ftree");
	return engines;
}

bool engine_list_may_try_ftree(const struct engine_list *engines)
{
	for (size_t i = 0; i < engines->ftree; i++) {
		if (engines->list[i]->never_fails)
			return false;
	}
	return engines->ftree < engines->count;
}

const char *engine_list_after(const struct engine_list *engines, size_t at, char *out, size_t size)
{
	const struct engine *refused = at < engines->count ? engines->list[at] : NULL;
	const struct engine *next;

	/* Named again it is refused again. */
	while (at < engines->count && engines->list[at] == refused)
		at++;
	next = at < engines->count ? engines->list[at] : NULL;

	if (!next && engines->no_fallback)
		return NULL;
	if (!next || next->never_fails)
		snprintf(out, size, "%s", next ? next->name : "minhop");
	else
		snprintf(out, size, "%s, or %s where that fails", next->name,
			 at + 1 < engines->count	     ? "the next of the list"
			 : engines->no_fallback		     ? "none"
							     : "minhop");
	return out;
}

const char *engine_list_after_ftree(const struct engine_list *engines, char *out, size_t size)
{
	return engine_list_after(engines, engines->ftree, out, size);
}

bool engines_none_left(const struct config *config, int64_t port_lmc)
{
	const struct log_event *none = log_newest_event(config, LOG_NO_ENGINE);
	const struct log_event *used = log_newest_event(config, LOG_ENGINE_CONFIGURED);
	struct engine_list engines = engine_list_parse(config->opensm.routing_engine);
	char text[96];

	if (none || used)
		return none && log_event_is_newer(none, used);
	return config->opensm_conf != 0 && engines.ftree == 0 && engines.count > 0 &&
	       (config->opensm.lmc > 0 || port_lmc > 0) &&
	       !engine_list_after_ftree(&engines, text, sizeof(text));
}
