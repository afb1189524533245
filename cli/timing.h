/* What -v tells on standard error of where the time went. */
#ifndef CLI_TIMING_H
#define CLI_TIMING_H

#include <stdio.h>

#include "collector/live/live.h"

/* Seconds on a clock that only goes forward. */
double timing_now(void);

/* "WHAT: N s" since then, if -v was given. */
void timing_tell(bool verbose, const char *what, double since);

/* The engine's totals, and a row for each step that sent something. */
void timing_live(FILE *out, const struct live_stats *stats);

#endif
