/* Whether a later look at hosts could have shown a finding on one of them again. */
#ifndef STORE_COVERAGE_HOSTS_H
#define STORE_COVERAGE_HOSTS_H

#include "store/finding.h"

/*
 * True when the finding's port was read again, with its GID table where `gids`, or is not
 * there any more on a host that was read; and for a finding that is about no host. A host
 * without a name is nobody that could be found again. before may be NULL.
 */
bool coverage_hosts_show(const struct fabric *before, const struct fabric *now,
			 const struct finding *finding, bool gids);

#endif
