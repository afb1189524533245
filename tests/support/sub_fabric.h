/* For tests of the readers: nothing in one fabric that is not in the other. */
#ifndef TESTS_SUPPORT_SUB_FABRIC_H
#define TESTS_SUPPORT_SUB_FABRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "store/fabric.h"

/*
 * Every fact of `part` is one of `whole`: devices, ports, what is known of them,
 * links, tables, counters, SMs, hosts' ports and other facts. Else false, with the
 * first that is not in `why`. What was odd, missing or contradicted does not count.
 */
bool is_sub_fabric(const struct fabric *part, const struct fabric *whole, char *why, size_t size);

#endif
