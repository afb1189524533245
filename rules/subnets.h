/*
 * A snapshot into which files of several subnets went: what joins devices by LID, name
 * or route would judge a fabric that does not exist.
 */
#ifndef RULES_SUBNETS_H
#define RULES_SUBNETS_H

#include "rules/rule.h"

/* How many subnets the snapshot's files are of, as the import found; 0: of one, or nobody looked. */
size_t subnets_count(const struct fabric *fabric);

/* Tells them and their files in one finding; none where there is one. 0 or ERR_NOMEM. */
int subnets_tell(const struct fabric *fabric, struct rule_output *out, struct err *err);

#endif
