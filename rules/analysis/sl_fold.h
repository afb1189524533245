/*
 * Service levels that shared no lane by design and share one now, because OpenSM
 * masks tables by the VLs that operate (VL & (n - 1): VL 4 of four lanes is VL 0).
 * Source: opensm osm_qos.c, sl2vl_update_table.
 */
#ifndef RULES_ANALYSIS_SL_FOLD_H
#define RULES_ANALYSIS_SL_FOLD_H

#include "rules/analysis/qos_expect.h"

/* SLs of `sls` that share a lane in `held` with another of `sls` that `design` keeps apart; 15 is no lane. */
uint16_t sl_fold_together(const uint8_t design[SL_COUNT], const uint8_t held[SL_COUNT], uint16_t sls);

enum sl_fold {
	SL_FOLD_NONE,
	SL_FOLD_SHIPPED,	/* the usual map 0, 1, 2, ... folded to so many lanes */
	SL_FOLD_OWN,		/* another map that repeats itself after so many SLs */
};

/*
 * Whether the table looks masked to `lanes` VLs (1, 2, 4 or 8), when no design is
 * at hand. Two SLs on one lane prove a fold; an SL that goes to VL15 proves
 * nothing, so every lane has to be shared by two that do not.
 */
enum sl_fold sl_fold_seen(const uint8_t table[SL_COUNT], int64_t lanes);

/*
 * The lanes a leftover of an earlier sweep was masked for: fewer than `lanes`,
 * and the design masked by them gives this table, which it does not for `lanes`.
 * 0: no leftover of that kind.
 */
int64_t sl_fold_leftover(const uint8_t design[SL_COUNT], const uint8_t table[SL_COUNT],
			 int64_t lanes);

/* True when some mask of the design gives this table. */
bool sl_fold_is_masked(const uint8_t design[SL_COUNT], const uint8_t table[SL_COUNT]);

/* True for the map that firmware ships and OpenSM has built in: 0, 1, ..., 14, 7. */
bool sl_fold_is_shipped(const uint8_t table[SL_COUNT]);

#endif
