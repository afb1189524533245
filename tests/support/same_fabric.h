/* For tests of the store: a fabric with everything in it, and a deep comparison. */
#ifndef TESTS_SUPPORT_SAME_FABRIC_H
#define TESTS_SUPPORT_SAME_FABRIC_H

#include <stdbool.h>

#include "store/fabric.h"

/*
 * Every member of every struct holds a value of its own, texts are foreign,
 * three devices share a node GUID. The caller frees it with fabric_free.
 */
struct fabric *full_fabric(void);

/* Prints the first difference to stderr. Pointers are compared by what they lead to. */
bool same_fabric(const struct fabric *a, const struct fabric *b);

#endif
