/* What the two ends of a link say of it apart: part of the rule link-width-speed. */
#ifndef RULES_LINK_ENDS_H
#define RULES_LINK_ENDS_H

#include "rules/rule.h"

/*
 * A warning for each Active link whose ends tell another width, speed or MTU of
 * it, both in one source (else they were read at different times). What an end
 * does not tell, or tells in a code that is not known here, is not compared. 0 or
 * ERR_NOMEM.
 */
int link_ends_check(const struct rule_input *in, struct rule_output *out, struct err *err);

#endif
