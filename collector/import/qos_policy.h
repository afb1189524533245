/*
 * qos-policy.conf in three steps: the grammar (qos_parser.c), what the names and
 * rules say of each other (qos_check.c), the format (qos_policy.c). Follows
 * OpenSM's osm_qos_parser_y.y and osm_qos_policy.c.
 */
#ifndef COLLECTOR_IMPORT_QOS_POLICY_H
#define COLLECTOR_IMPORT_QOS_POLICY_H

#include "collector/import/config_note.h"

/* Larger policies are refused: OpenSM reads its own with recursion over all of it. */
#define QOS_POLICY_MAX_BYTES ((size_t)4 << 20)

/*
 * Builds the tree under `root`. At the first fault of the grammar a problem is
 * noted, *ret_dropped is set, and the rest is read line by line so that the
 * tree still shows what was meant. 0 or ERR_NOMEM.
 */
int qos_policy_parse(struct config_notes *notes, const char *text, size_t length,
		     struct policy_node *root, bool *ret_dropped, struct err *err);

/*
 * Notes what is wrong with a policy whose grammar is right; sets *ret_dropped
 * when OpenSM refuses it. 0 or ERR_NOMEM.
 */
int qos_policy_check(struct config_notes *notes, const struct policy_node *root, bool *ret_dropped,
		     struct err *err);

/*
 * Notes ranges of port GUIDs that keep OpenSM busy, in the lines in front of `before`, where
 * its parser gave up (INT64_MAX: nowhere). 0 or ERR_NOMEM.
 */
int qos_guid_ranges_check(struct config_notes *notes, const struct policy_node *root, int64_t before,
			  struct err *err);

#endif
