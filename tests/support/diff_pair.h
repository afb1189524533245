/*
 * Two equal trees and what a diff tells of them; a test breaks `now`. Every
 * function fails the test, in cmocka's way, when the comparison itself fails.
 */
#ifndef TESTS_SUPPORT_DIFF_PAIR_H
#define TESTS_SUPPORT_DIFF_PAIR_H

#include "store/diff.h"

struct diff_pair {
	struct fabric *before;
	struct fabric *now;
	struct diff *diff;	/* of the last comparison */
};

/* Set-up and tear-down of a test whose state is the pair. */
int diff_pair_make(void **state);
int diff_pair_free(void **state);

/* The diff belongs to the pair, until the next comparison. */
const struct diff *diff_pair_compare_keys(struct diff_pair *pair, unsigned keys);
const struct diff *diff_pair_compare(struct diff_pair *pair);

size_t diff_count(const struct diff *diff, enum diff_kind kind);

/* The one change of that kind; fails the test when there is another number of them. */
const struct change *diff_only(const struct diff *diff, enum diff_kind kind);

/* True when some note contains the words. */
bool diff_has_note(const struct diff *diff, const char *words);

void rename_device(struct fabric *fabric, struct device *device, const char *name);

/* A copy of the tree without one host; its leaf's port is Down as after a cable was pulled. */
struct fabric *tree_without(const char *left_out);

/* `now` becomes the tree without that host. */
void diff_pair_take_away(struct diff_pair *pair, const char *name);

#endif
