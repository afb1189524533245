/*
 * The keys of opensm.conf that OpenSM 3.3.23 knows (osm_subnet.c, opt_tbl), and
 * those of the vendor's OpenSM, which Debian's only reports as unrecognised.
 */
#ifndef COLLECTOR_IMPORT_OPENSM_KEYS_H
#define COLLECTOR_IMPORT_OPENSM_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum opensm_type {
	OPENSM_BOOL,		/* TRUE, and FALSE for any other text */
	OPENSM_U8,
	OPENSM_U16,
	OPENSM_U32,
	OPENSM_U64,
	OPENSM_SECRET,		/* U64 whose value is never kept */
	OPENSM_TEXT,
	OPENSM_MAX_VLS,		/* U32, 0 unset */
	OPENSM_HIGH_LIMIT,	/* signed, text behind the digits ignored, below 0 unset */
	OPENSM_VLARB,
	OPENSM_SL2VL,
	OPENSM_MASK,		/* 256 bits in hex */
	OPENSM_CCT_ENTRY,	/* shift:multiplier */
	OPENSM_CCT,		/* list of those */
	OPENSM_SL_U8,		/* "SL value", once for each SL */
	OPENSM_SL_U16,
};

struct opensm_key {
	const char *name;
	enum opensm_type type;
	const char *initial;	/* canonical text of the built-in value, NULL: unset */
	bool live;		/* read again at SIGHUP; else at the start only */
};

/* In order of names. */
extern const struct opensm_key opensm_key_table[];
extern const size_t opensm_key_count;

/* Exact, as OpenSM compares. NULL: OpenSM 3.3.23 does not know it. */
const struct opensm_key *opensm_key_find(const char *name);

/* A key of MLNX OpenSM / UFM, or of a newer OpenSM. */
bool opensm_key_is_vendor(const char *name);

/* A name that may hold a key or password: its value is not kept. */
bool opensm_key_is_secret(const char *name);

/* The known name that was probably meant (case, dashes, up to two typos), or NULL. */
const char *opensm_key_nearest(const char *name);

/* Routing engines OpenSM 3.3.23 has, "no_fallback" among them. */
bool opensm_engine_is_known(const char *name, size_t length);

#endif
