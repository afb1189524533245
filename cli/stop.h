/*
 * Being stopped by a signal while something long runs: the signal waits, the
 * loop asks for it between two steps, so everything is put down in order.
 */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <signal.h>
#include <stdbool.h>

#define STOP_SIGNALS 3

struct stop {
	sigset_t set;		/* SIGINT, SIGTERM, SIGHUP: those that are not ignored */
	sigset_t before;	/* the mask to go back to */
	struct sigaction action[STOP_SIGNALS];	/* and what each of them did */
	int signal;		/* the one that came, 0: none */
	bool begun;		/* they wait */
};

/* Nothing waits yet: a signal ends the program, as it should while opening a port hangs. */
void stop_init(struct stop *stop);

/*
 * From here on these signals wait; a nohup'ed SIGHUP stays ignored. For
 * live_options.opened. `context` is the struct stop.
 */
void stop_begin(void *context);

/* True once one of them has come; for live_options.stop. `context` is the struct stop. */
bool stop_asked(void *context);

/* Back to the former mask, if stop_begin was called; one that comes too late for stop_asked does what it always does. */
void stop_end(struct stop *stop);

/* "SIGINT". */
const char *stop_name(const struct stop *stop);

#endif
