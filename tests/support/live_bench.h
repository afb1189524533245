/* One target of a run that never sends: its questions are asked and answered by hand. */
#ifndef TESTS_SUPPORT_LIVE_BENCH_H
#define TESTS_SUPPORT_LIVE_BENCH_H

#include "collector/live/collect.h"

struct bench {
	struct fabric *fabric;
	struct live_options options;
	struct collect collect;
	struct target *target;
	struct device *device;
	uint8_t data[192];
	struct err err;
	const char *why;
};

/* A device of this type with one target: port 0 of a switch, port 1 of the others. */
struct bench *bench_new(enum node_type type, unsigned ports);

void bench_free(struct bench *bench);

/* Sets a field of the answer to come. */
void bench_put(struct bench *bench, enum MAD_FIELDS field, uint32_t value);

/* Hands the answer to a reader. */
int bench_take(struct bench *bench, answer_reader *read, struct question question);

/* Port `num`, which must be there. */
struct port *bench_port(struct bench *bench, unsigned num);

/* Makes it Active, with eight VLs. */
void bench_port_up(struct bench *bench, unsigned num);

/*
 * Asks a stage's questions in order; the answer to each is put by `answer`.
 * Returns how many there were.
 */
unsigned bench_walk(struct bench *bench, const struct stage_reader *stage, answer_reader *read,
		    void (*answer)(struct bench *, const struct question *));

#endif
