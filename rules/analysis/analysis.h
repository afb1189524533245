/*
 * Indices over one fabric that several rules need, each built once at its first
 * use: who owns a LID, which SLs are in use, which switches have hosts.
 *
 * Each file of this folder keeps its index as a part of the analysis, so that
 * it is built for the first rule that asks and released with the run.
 */
#ifndef RULES_ANALYSIS_ANALYSIS_H
#define RULES_ANALYSIS_ANALYSIS_H

#include "store/fabric.h"

struct analysis;

enum analysis_part {
	ANALYSIS_LIDS,		/* lids.h */
	ANALYSIS_SWITCHES,	/* switches.h */
	ANALYSIS_GUIDS,		/* guids.h */
	ANALYSIS_SM_VIEW,	/* sm_view.h */
	ANALYSIS_SL_USE,	/* sl_use.h */
	ANALYSIS_HOSTS,		/* hosts.h */
	ANALYSIS_PART_COUNT
};

/* *ret_analysis belongs to the caller and keeps a pointer to the fabric. 0 or ERR_NOMEM. */
int analysis_new(const struct fabric *fabric, struct analysis **ret_analysis, struct err *err);

void analysis_free(struct analysis *analysis);	/* NULL is fine */

const struct fabric *analysis_fabric(const struct analysis *analysis);

/* What was kept under this part, or NULL. */
void *analysis_part(const struct analysis *analysis, enum analysis_part part);

/* Keeps `data` until analysis_free calls release(data). Once for each part. */
void analysis_keep(struct analysis *analysis, enum analysis_part part, void *data,
		   void (*release)(void *data));

#endif
