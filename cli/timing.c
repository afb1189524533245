#include "cli/timing.h"

#include <inttypes.h>
#include <time.h>

double timing_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void timing_tell(bool verbose, const char *what, double since)
{
	if (verbose)
		fprintf(stderr, "%s: %.2f s\n", what, timing_now() - since);
}

void timing_live(FILE *out, const struct live_stats *stats)
{
	fprintf(out,
		"%" PRIu64 " MADs sent, %" PRIu64 " answered, %" PRIu64 " tried again, %" PRIu64
		" timed out, %" PRIu64 " late, %" PRIu64 " doubled and %" PRIu64
		" foreign answers dropped, %.2f s, up to %u in flight\n",
		stats->sent, stats->answered, stats->retried, stats->timed_out, stats->late,
		stats->duplicated, stats->foreign, stats->seconds, stats->window_peak);
	if (stats->sent == 0)
		return;
	/* They overlap: each device goes its own way through them. */
	fprintf(out, "%-26s %9s %9s %9s\n", "read", "MADs", "from s", "to s");
	for (unsigned i = 0; i < LIVE_STEP_COUNT; i++) {
		if (stats->steps[i].sent == 0)
			continue;
		fprintf(out, "%-26s %9" PRIu64 " %9.2f %9.2f\n",
			live_step_name((enum live_step)i), stats->steps[i].sent,
			stats->steps[i].from, stats->steps[i].to);
	}
}
