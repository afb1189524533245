#include "collector/live/window.h"

#define MS INT64_C(1000000)

#define FIRST 8			/* to begin with */
#define RTO_MIN (20 * MS)
#define BURST 64		/* answers come in so many at once: a window short of them is full */
#define COLLAPSE 8		/* one in so many of the window lost at once: it was too large */

void window_init(struct window *window, unsigned limit, int64_t timeout)
{
	*window = (struct window){
		.size = limit < FIRST ? limit : FIRST,
		.limit = limit,
		.threshold = limit,
		.rto = timeout,
		.rto_limit = timeout,
	};
}

void window_measure(struct window *window, int64_t rtt)
{
	double r = (double)rtt;
	double rto;

	if (window->srtt == 0) {
		window->srtt = r;
		window->rttvar = r / 2;
	} else {
		double off = r > window->srtt ? r - window->srtt : window->srtt - r;

		window->rttvar += (off - window->rttvar) / 4;
		window->srtt += (r - window->srtt) / 8;
	}
	rto = window->srtt + 4 * window->rttvar;
	window->rto = rto < (double)RTO_MIN ? RTO_MIN : (int64_t)rto;
	if (window->rto > window->rto_limit)
		window->rto = window->rto_limit;
}

int64_t window_usual(const struct window *window)
{
	return (int64_t)(window->srtt + 4 * window->rttvar) + MS / 4;
}

void window_grow(struct window *window, double in_flight)
{
	/* A window that is not used says nothing about what the path can carry. */
	if (in_flight + BURST < window->size)
		return;
	if (window->size < window->threshold)
		window->size += 1;
	else
		window->size += 1 / window->size;
	if (window->size > window->limit)
		window->size = window->limit;
	if (window->size > window->peak)
		window->peak = window->size;
}

static void set(struct window *window, double size)
{
	window->size = size < 1 ? 1 : size;
	window->threshold = window->size;
}

static void begin_epoch(struct window *window, int64_t now)
{
	window->epoch_floor = window->size / 2;
	window->epoch_end = now + window->rto;
}

void window_lose(struct window *window, int64_t now, unsigned lost, unsigned flight)
{
	if (lost >= 4 && lost * COLLAPSE >= window->size) {
		if (flight < window->size)
			set(window, flight);
		begin_epoch(window, now);
		return;
	}
	while (lost-- > 0) {
		if (now >= window->epoch_end)
			begin_epoch(window, now);
		if (window->size - 1 >= window->epoch_floor)
			set(window, window->size - 1);
	}
}
