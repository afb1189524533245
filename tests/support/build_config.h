/*
 * opensm.conf and opensm.log for built fabrics. As in build_fabric.h, every
 * function ends the test program when memory is gone.
 */
#ifndef TESTS_SUPPORT_BUILD_CONFIG_H
#define TESTS_SUPPORT_BUILD_CONFIG_H

#include "store/config.h"

/*
 * The key is set to `value` (as written and in force) on this line of an
 * opensm.conf, which is then at hand; the typed values follow.
 */
struct config_option *build_option(struct fabric *fabric, const char *key, const char *value,
				   int64_t line);

/* An event of an opensm.log, which is then at hand, on this line. text may be NULL. */
struct log_event *build_log_event(struct fabric *fabric, enum log_event_kind kind,
				  const char *text, int64_t line);

#endif
