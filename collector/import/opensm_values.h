/*
 * One value of opensm.conf, read as OpenSM 3.3.23 reads it (osm_subnet.c,
 * opts_parse_*; osm_qos.c, qos_build_config) and told in one canonical form:
 * numbers decimal (64-bit ones as 0x and 16 digits), booleans TRUE or FALSE,
 * sl2vl as 16 numbers, vlarb as VL:weight pairs.
 */
#ifndef COLLECTOR_IMPORT_OPENSM_VALUES_H
#define COLLECTOR_IMPORT_OPENSM_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/import/opensm_keys.h"
#include "store/fabric.h"

/* Longest canonical value and its NUL. */
#define OPENSM_VALUE_SIZE 1200

enum opensm_reading {
	OPENSM_TAKEN,		/* *out holds the value */
	OPENSM_UNSET,		/* taken, and it means: not set */
	OPENSM_NO_NUMBER,	/* OpenSM reports a parse error and keeps what it had */
	OPENSM_TOO_BIG,		/* the same, for a number the field cannot hold */
	OPENSM_BAD_FORM,	/* ignored for another reason */
};

/* `text` is the value after blanks and one pair of quotes are gone; at most 1022 bytes. */
enum opensm_reading opensm_value_read(const struct opensm_key *key, const char *text,
				      char out[OPENSM_VALUE_SIZE]);

/*
 * Takes blanks off both ends and then one pair of equal quotes, in place, as
 * clean_val does. Returns the start.
 */
char *opensm_value_clean(char *text);

/*
 * A plain stream of numbers: one character is skipped after each, whatever it
 * is, so a letter shifts all that follows. VL modulo 15, weight modulo 256.
 * Returns the entries written out; OpenSM fills up to 64 with 0:0.
 */
size_t opensm_vlarb_read(const char *text, struct vlarb_entry entries[64]);

/* The same stream; cut to four bits, missing numbers are 0. Returns the numbers there. */
size_t opensm_sl2vl_read(const char *text, uint8_t vl[16]);

/* "SL value" of the cc_ca_cong_setting_* keys. False: no SL 0..15 or no second word. */
bool opensm_sl_value_split(const char *text, unsigned *ret_sl, const char **ret_value);

#endif
