/*
 * The words of ibnetdiscover's topology text. Each function takes one from the
 * cursor; when it is not there the cursor stays (topology_lid excepted, which
 * always answers).
 */
#ifndef COLLECTOR_IMPORT_TOPOLOGY_TEXT_H
#define COLLECTOR_IMPORT_TOPOLOGY_TEXT_H

#include "collector/import/format.h"
#include "collector/import/scan.h"

/* The number after "lid"; FIELD_UNKNOWN when it is blank, negative or the width that follows it. */
int64_t topology_lid(struct scan *scan);

/*
 * The text between the quote at the cursor and `after` (which begins with the
 * closing quote), looked for from the right: names are printed unescaped.
 */
bool topology_quoted(struct scan *scan, const char *after, const char **ret_text,
		     size_t *ret_length);

/* "S-0002c90300b1c200" in quotes: S switch, H CA, R router, ? unknown. */
bool topology_node(struct scan *scan, enum node_type *ret_type, uint64_t *ret_guid);

/* "[12]" */
bool topology_port(struct scan *scan, unsigned *ret_num);

/* "(...)"; *ret_is_hex: all of it is one hex number, as GUIDs are (and some port labels). */
bool topology_parenthesis(struct scan *scan, uint64_t *ret_value, bool *ret_is_hex);

#endif
