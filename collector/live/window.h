/*
 * How many MADs may be in flight, and how long an answer takes.
 *
 * VL15 has no flow control: what exceeds a buffer on the way is lost. So the
 * number of MADs in flight, over all devices, is bounded by a window. It grows by
 * one with each answer until the first loss, then by one with each round trip. A
 * loss takes one off, but no more than half within one timeout; where an eighth of
 * it is lost at once, it falls to what was in flight when the first of them was
 * sent, for so much the path has carried.
 *
 * Times are in nanoseconds, of any one clock.
 */
#ifndef COLLECTOR_LIVE_WINDOW_H
#define COLLECTOR_LIVE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

struct window {
	double size;
	double limit;		/* the size never exceeds it */
	double threshold;	/* above it the size grows slowly */
	double epoch_floor;	/* the size does not fall below in this epoch */
	int64_t epoch_end;
	double srtt, rttvar;	/* round trip, smoothed, and how far off it is; 0: not measured */
	int64_t rto;		/* retransmission timeout (RFC 6298, with a floor of 20 ms) */
	int64_t rto_limit;
	double peak;
};

/* `limit`: most in flight, 1 or more; `timeout`: of one attempt, the longest rto. */
void window_init(struct window *window, unsigned limit, int64_t timeout);

/* An answer came after `rtt`, to a question that was sent once (Karn). */
void window_measure(struct window *window, int64_t rtt);

/* No answer takes longer than this but a late one. */
int64_t window_usual(const struct window *window);

/* An answer came, with `in_flight` others pending: grows where the window is used. */
void window_grow(struct window *window, double in_flight);

/*
 * `lost` were found lost together, 1 or more; `flight` is how many others were in
 * flight when the first of them was sent.
 */
void window_lose(struct window *window, int64_t now, unsigned lost, unsigned flight);

#endif
