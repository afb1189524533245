/*
 * The routing_engine list of opensm.conf as OpenSM takes it, and what its log
 * says of engines.
 */
#ifndef RULES_ANALYSIS_ENGINES_H
#define RULES_ANALYSIS_ENGINES_H

#include "store/config.h"

#define ENGINES_MOST 16

/* An engine that OpenSM 3.3.23 knows (osm_opensm.c, routing_modules; exact spelling). */
struct engine {
	const char *name;
	bool never_fails;	/* what stands behind it in a list is never tried */
};

/* A routing_engine list as OpenSM takes it: unknown names are skipped. */
struct engine_list {
	const struct engine *list[ENGINES_MOST];
	size_t count;
	size_t ftree;		/* place in list, count: not there */
	bool no_fallback;
};

/* text: the option as written, NULL: not given. Names are apart by commas or blanks. */
struct engine_list engine_list_parse(const char *text);

/* True when ftree is in the list and nothing before it is sure to succeed. */
bool engine_list_may_try_ftree(const struct engine_list *engines);

/* Place of the engine in the list; count: not there. */
size_t engine_list_find(const struct engine_list *engines, const char *name);

/*
 * The next engine after the one at `at` (and after it named again) that works, in
 * words; NULL: none at all. Returns out.
 */
const char *engine_list_after(const struct engine_list *engines, size_t at, char *out, size_t size);

/* The next engine after ftree that works, in words; NULL: none at all. Returns out. */
const char *engine_list_after_ftree(const struct engine_list *engines, char *out, size_t size);

/*
 * True when log or configuration show that no engine at all can work, so that
 * no table is ever written. port_lmc: the highest LMC that ports hold.
 */
bool engines_none_left(const struct config *config, int64_t port_lmc);

#endif
