#include "cli/stop.h"

#include <stddef.h>
#include <time.h>

static const struct {
	int signal;
	const char *name;
} signals[] = {
	{SIGINT, "SIGINT"},
	{SIGTERM, "SIGTERM"},
	{SIGHUP, "SIGHUP"},
};

#define SIGNALS (sizeof(signals) / sizeof(signals[0]))

void stop_init(struct stop *stop)
{
	stop->signal = 0;
	stop->begun = false;
	sigemptyset(&stop->set);
}

void stop_begin(void *context)
{
	struct stop *stop = context;

	for (size_t i = 0; i < SIGNALS; i++) {
		struct sigaction action;

		/* Linux holds a blocked signal back even where it is ignored. */
		if (sigaction(signals[i].signal, NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			sigaddset(&stop->set, signals[i].signal);
	}
	sigprocmask(SIG_BLOCK, &stop->set, &stop->before);
	stop->begun = true;
}

bool stop_asked(void *context)
{
	const struct timespec at_once = {0};
	struct stop *stop = context;
	int taken;

	if (stop->signal == 0) {
		taken = sigtimedwait(&stop->set, NULL, &at_once);
		stop->signal = taken > 0 ? taken : 0;
	}
	return stop->signal != 0;
}

void stop_end(struct stop *stop)
{
	if (stop->begun)
		sigprocmask(SIG_SETMASK, &stop->before, NULL);
}

const char *stop_name(const struct stop *stop)
{
	for (size_t i = 0; i < SIGNALS; i++) {
		if (signals[i].signal == stop->signal)
			return signals[i].name;
	}
	return "a signal";
}
