/*
 * What a rule reads and is not there: the one place where every verdict learns it.
 *
 * A rule names what it reads in `reads`. After it has run, this looks how much of
 * that the snapshot holds, whatever the reason is: a device that is dead, an
 * M_Key, a refusal, nonsense, a group left out, a file that does not tell. Where
 * nothing of it was read a pass becomes not-checked; where a part is missing the
 * verdict says how much, whose and why. What a rule says itself of tables that
 * ports did not give is not repeated.
 */
#ifndef RULES_UNREAD_H
#define RULES_UNREAD_H

#include "rules/rule.h"

/* Adds to the verdict of the rule that has just run. 0 or ERR_NOMEM. */
int unread_tell(const struct rule_input *in, struct rule_output *out, struct err *err);

/*
 * "what lies behind 2 ports is not known, first spine-01 port 2 (did not answer)":
 * devices that may be there and are not in the snapshot; "" when none is known to
 * be missing. Returns out.
 */
#define UNREAD_SIZE 1024
const char *unread_devices(const struct fabric *fabric, char out[UNREAD_SIZE]);

/* True for something lost: a device's own lack of an attribute is none. */
bool unread_is_hole_of(const struct hole *hole, enum attribute attribute);

#endif
