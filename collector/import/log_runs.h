/*
 * Runs of OpenSM in its logs. OpenSM goes on in the file of its run before
 * (accum_log_file), and logrotate keeps older files beside it: what a run met that
 * ended is not what is so now.
 */
#ifndef COLLECTOR_IMPORT_LOG_RUNS_H
#define COLLECTOR_IMPORT_LOG_RUNS_H

#include "store/config.h"

struct opensm_log;

/*
 * The entry with these words at log->entry goes on with the run of the entry before, or
 * begins another: the events of a run are folded by themselves. 0 or ERR_NOMEM.
 */
int log_run_follow(struct opensm_log *log, const char *text, struct err *err);

/* The same for what OpenSM prints at its start, in front of its start line. */
int log_run_follow_startup(struct opensm_log *log, struct err *err);

/*
 * To be called once all files were read: brings the logs into the order in which they
 * were written and marks events with the state of their run (enum log_run_state).
 * Files are of one SM's log when their names differ in what logrotate adds, or when both
 * bind to one port. 0 or ERR_NOMEM.
 */
int log_runs_settle(struct fabric *fabric, struct err *err);

#endif
