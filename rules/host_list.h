/*
 * Findings on hosts' own ports: told one by one while they are few, else together
 * (port_list.h does it for ports of the fabric).
 */
#ifndef RULES_HOST_LIST_H
#define RULES_HOST_LIST_H

#include "rules/analysis/hosts.h"
#include "rules/rule.h"

#define HOSTS_APART 16

/* Zeroed memory is an empty list. */
struct host_list {
	const struct host_view **list;
	size_t count;
	size_t room;
};

/* 0 or ERR_NOMEM. */
int host_list_add(struct host_list *hosts, const struct host_view *view, struct err *err);

void host_list_clear(struct host_list *hosts);

/* Makes one finding with host_finding. 0 or ERR_NOMEM. */
typedef int (*host_tell_fn)(const struct rule_input *in, const struct host_view *view,
			    struct rule_output *out, struct err *err);

/*
 * Calls `one` for each of up to HOSTS_APART ports; else makes one finding "<count> <many>"
 * with the discriminator "<cause>:*", which stands for all that `one` makes, and the ports
 * as evidence. 0 or ERR_NOMEM.
 */
int host_list_tell(const struct host_list *hosts, enum severity severity, const char *cause,
		   const char *many, host_tell_fn one, const struct rule_input *in,
		   struct rule_output *out, struct err *err);

/*
 * A finding on this port of a host: subject, host, device and source are filled. Several
 * of one cause are told apart by "<cause>:<host>/<device>/<port>". NULL: no memory.
 */
struct finding *host_finding(const struct fabric *fabric, struct rule_output *out,
			     enum severity severity, const struct host_view *view,
			     const char *cause, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

#endif
