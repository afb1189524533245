/*
 * What the snapshot tells of subnet managers, from SMInfo and from what they
 * left in the ports.
 */
#ifndef RULES_ANALYSIS_SM_VIEW_H
#define RULES_ANALYSIS_SM_VIEW_H

#include "rules/analysis/analysis.h"

#define SM_STATE_NOT_ACTIVE 0
#define SM_STATE_DISCOVERING 1
#define SM_STATE_STANDBY 2
#define SM_STATE_MASTER 3

struct sm_view {
	bool asked;		/* the sources could tell of every SM */
	const struct sm *master;	/* the first in state MASTER, or NULL */
	size_t masters;
	size_t standbys;
	size_t unknown;		/* those whose state was not read */
	size_t distinct;	/* SMs; one that two sources told counts once */
	bool *repeated;		/* by place in fabric->sms: an earlier entry is the same SM */
	/*
	 * No end port of the fabric has a LID, and no link went past Init: nobody
	 * has ever configured it. Enhanced port 0 reads Active all the same.
	 */
	bool unmanaged;
	size_t init_links;	/* ports with a link that are Init */
	size_t active_links;	/* ports with a link that are Active */
};

/* *ret_view belongs to the analysis. 0 or ERR_NOMEM. */
int analysis_sm_view(struct analysis *analysis, const struct sm_view **ret_view, struct err *err);

#endif
