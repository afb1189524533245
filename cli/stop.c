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

_Static_assert(SIGNALS == STOP_SIGNALS, "struct stop keeps an action for each");

static volatile sig_atomic_t taken_elsewhere;

/* A library's thread that was there before they were blocked takes them instead of us. */
static void on_signal(int signal)
{
	taken_elsewhere = signal;
}

void stop_init(struct stop *stop)
{
	stop->signal = 0;
	stop->begun = false;
	sigemptyset(&stop->set);
}

void stop_begin(void *context)
{
	struct stop *stop = context;
	struct sigaction own = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	taken_elsewhere = 0;
	sigemptyset(&own.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++) {
		/* Linux holds a blocked signal back even where it is ignored. */
		if (sigaction(signals[i].signal, NULL, &stop->action[i]) == 0 &&
		    stop->action[i].sa_handler != SIG_IGN)
			sigaddset(&stop->set, signals[i].signal);
	}
	sigprocmask(SIG_BLOCK, &stop->set, &stop->before);
	for (size_t i = 0; i < SIGNALS; i++) {
		if (sigismember(&stop->set, signals[i].signal))
			sigaction(signals[i].signal, &own, NULL);
	}
	stop->begun = true;
}

bool stop_asked(void *context)
{
	const struct timespec at_once = {0};
	struct stop *stop = context;
	int taken;

	if (stop->signal == 0) {
		taken = sigtimedwait(&stop->set, NULL, &at_once);
		stop->signal = taken > 0 ? taken : (int)taken_elsewhere;
	}
	return stop->signal != 0;
}

void stop_end(struct stop *stop)
{
	if (!stop->begun)
		return;
	for (size_t i = 0; i < SIGNALS; i++) {
		if (sigismember(&stop->set, signals[i].signal))
			sigaction(signals[i].signal, &stop->action[i], NULL);
	}
	if (stop->signal == 0 && taken_elsewhere != 0)
		raise(taken_elsewhere);
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
