/*
 * Ports with one fault: told one by one while they are few, else together, so
 * that one cause never fills pages.
 */
#ifndef RULES_PORT_LIST_H
#define RULES_PORT_LIST_H

#include "rules/rule.h"

#define PORTS_APART 16

/* Zeroed memory is an empty list. */
struct port_list {
	const struct port **list;
	size_t count;
	size_t room;
};

/* 0 or ERR_NOMEM. */
int port_list_add(struct port_list *ports, const struct port *port, struct err *err);

void port_list_clear(struct port_list *ports);

/* Makes one finding. 0 or ERR_NOMEM. */
typedef int (*port_tell_fn)(void *context, const struct port *port, struct rule_output *out,
			    struct err *err);

/*
 * Calls `one` for each of up to PORTS_APART ports; else makes one finding
 * "<count> <many>" of the fabric with the list as evidence. Both have the
 * discriminator `id`, so that a finding stays the same however many there are.
 * 0 or ERR_NOMEM.
 */
int port_list_tell(const struct port_list *ports, enum severity severity, const char *id,
		   const char *many, port_tell_fn one, void *context, struct rule_output *out,
		   struct err *err);

/*
 * True for the end through which a cable is looked at, once for each cable. A
 * cable that only one end tells of is looked at from there; port 0 has none. It is
 * the end of the lower GUID, whatever order the devices were read in.
 */
bool port_is_first_end(const struct port *port);

#endif
