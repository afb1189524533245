/* Which rules of a policy can never match. */
#ifndef COLLECTOR_IMPORT_QOS_RULES_H
#define COLLECTOR_IMPORT_QOS_RULES_H

#include "collector/import/config_note.h"

/*
 * OpenSM takes the first rule that matches, match rules before those of qos-ulps.
 * Notes rules that an earlier one leaves nothing to match, and qos-ulps rules on
 * target ports that stand in front of others. 0 or ERR_NOMEM.
 */
int qos_rules_check(struct config_notes *notes, const struct policy_node *root, struct err *err);

#endif
