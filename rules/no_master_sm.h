/* The rule no-master-sm: what SMInfo and ports say (no_master_sm.c), and OpenSM's log (here). */
#ifndef RULES_NO_MASTER_SM_H
#define RULES_NO_MASTER_SM_H

#include "rules/rule.h"

/* Findings for another sm_key and for mastership that moved, as the log has them. 0 or ERR_NOMEM. */
int no_master_sm_check_log(const struct fabric *fabric, struct rule_output *out, struct err *err);

#endif
