/*
 * Indices over one fabric that several rules need, each built once at its first
 * use: who owns a LID, which SLs are in use, which switches have hosts.
 */
#ifndef RULES_ANALYSIS_ANALYSIS_H
#define RULES_ANALYSIS_ANALYSIS_H

#include "store/fabric.h"

struct analysis;

/* *ret_analysis belongs to the caller and keeps a pointer to the fabric. 0 or ERR_NOMEM. */
int analysis_new(const struct fabric *fabric, struct analysis **ret_analysis, struct err *err);

void analysis_free(struct analysis *analysis);	/* NULL is fine */

#endif
