/*
 * opensm.conf while it is read: one slot for each key OpenSM knows, and the
 * names it does not know. For opensm_conf.c and opensm_conf_check.c.
 */
#ifndef COLLECTOR_IMPORT_OPENSM_CONF_H
#define COLLECTOR_IMPORT_OPENSM_CONF_H

#include "collector/import/config_note.h"
#include "collector/import/opensm_keys.h"

/* fgets into 1024 bytes with a size of 1023: what is longer goes on as another line. */
#define OPENSM_LINE_MAX 1022
#define OPENSM_UNKNOWN_MAX 500

struct opensm_slot {
	char *raw;		/* of the line that won, else of the last one written; NULL: not written */
	char *effective;	/* NULL: unset */
	char *rejected;		/* the last value that OpenSM refused, or NULL */
	char *per_sl[16];	/* values of the cc_ca_cong_setting_* keys */
	int64_t line;		/* that won; 0: none did */
	int64_t written_line;	/* the last one with this key; 0: none */
};

struct opensm_unknown {
	char *name;
	char *raw;
	int64_t line;
	bool vendor;
};

struct opensm_conf {
	struct config_notes notes;
	struct opensm_slot *slots;	/* opensm_key_count of them */
	struct opensm_unknown unknown[OPENSM_UNKNOWN_MAX];
	size_t unknown_count;
	size_t vendor_count;		/* lines with a key of the vendor's OpenSM */
	bool quoted;			/* its lines begin with a mail's quotation marks, also for OpenSM */
	bool after_bom;			/* the first line has a byte order mark in front */
};

/* The slot of a key that the table has. */
struct opensm_slot *opensm_conf_slot(struct opensm_conf *conf, const char *key);

/* The value in force as text ("" when unset) and as number (0 when unset). */
const char *opensm_conf_text(const struct opensm_conf *conf, const char *key);
uint64_t opensm_conf_number(const struct opensm_conf *conf, const char *key);
bool opensm_conf_true(const struct opensm_conf *conf, const char *key);

/* Replaces the value in force; NULL unsets. 0 or ERR_NOMEM. */
int opensm_conf_set(struct opensm_conf *conf, const char *key, const char *value, struct err *err);

/* "CA ports": whom the class's options are for. */
const char *opensm_conf_ports(enum qos_class class);

/*
 * What OpenSM corrects once the file is read (osm_subn_verify_config), each
 * with its problem. 0 or ERR_NOMEM.
 */
int opensm_conf_correct(struct opensm_conf *conf, struct err *err);

/*
 * Puts the values into config->options and builds config->opensm; of a second
 * opensm.conf, says only where it differs from the first. 0 or ERR_NOMEM.
 */
int opensm_conf_store(const struct opensm_conf *conf, struct err *err);

/* The text that stands for a secret's value. */
#define OPENSM_HIDDEN "(hidden)"

/* Problems of the file as a whole: dead options, tables, combinations. 0 or ERR_NOMEM. */
int opensm_conf_check(struct opensm_conf *conf, struct err *err);

#endif
