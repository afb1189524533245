/*
 * Whether a later look at a fabric could have shown a finding of an earlier one
 * again. What was not read is no proof that a fault is gone.
 */
#ifndef STORE_COVERAGE_H
#define STORE_COVERAGE_H

#include "store/finding.h"

struct coverage;

/*
 * before: the fabric that the findings are about, or NULL; now: the later one, or
 * NULL, of which nothing is then said to be missing. Both are borrowed.
 * *ret_coverage belongs to the caller. 0 or ERR_NOMEM.
 */
int coverage_new(const struct fabric *before, const struct fabric *now,
		 struct coverage **ret_coverage, struct err *err);

void coverage_free(struct coverage *coverage);	/* NULL is fine */

/*
 * *ret_shown: what the finding rests on was read again, or what it is about was
 * looked for and is not there any more. reads: see struct verdict. Cheapest when
 * findings of one rule come one after the other. 0 or ERR_NOMEM.
 */
int coverage_shows(struct coverage *coverage, const struct finding *finding, const char *reads,
		   bool *ret_shown, struct err *err);

#endif
