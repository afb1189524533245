/* Whether a later look at hosts could have shown a finding on one of them again. */
#ifndef STORE_COVERAGE_HOSTS_H
#define STORE_COVERAGE_HOSTS_H

#include "store/finding.h"

/* The hosts of two looks, in an order in which each is found at once. */
struct coverage_hosts;

/* before may be NULL; both must outlive it. *ret_hosts belongs to the caller. 0 or ERR_NOMEM. */
int coverage_hosts_new(const struct fabric *before, const struct fabric *now,
		       struct coverage_hosts **ret_hosts, struct err *err);

void coverage_hosts_free(struct coverage_hosts *hosts);	/* NULL is fine */

/*
 * True when the finding's port was read again, with its GID table where `gids`, or is not
 * there any more on a host that was read; and for a finding that is about no host. A host
 * without a name is nobody that could be found again.
 */
bool coverage_hosts_show(const struct coverage_hosts *hosts, const struct finding *finding, bool gids);

#endif
