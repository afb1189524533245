/*
 * What hosts say of themselves, for the tests of the rules. Every function fails the test
 * when memory is gone.
 */
#ifndef TESTS_SUPPORT_BUILD_HOST_H
#define TESTS_SUPPORT_BUILD_HOST_H

#include "store/fabric.h"

/* An Active port; layer "InfiniBand" or "Ethernet". Its GID table counts as read and empty. */
struct host_port *build_host_port(struct fabric *fabric, const char *host, const char *device,
				  const char *layer);

/* Its rate in Mb/s, lanes (or FIELD_UNKNOWN) and the speed's name (or NULL). */
void build_host_rate(struct fabric *fabric, struct host_port *port, int64_t mbps, int64_t width,
		     const char *speed);

/* A GID of port 1 as inet_pton reads it; type NULL: not read. */
struct host_gid *build_host_gid(struct fabric *fabric, const char *host, const char *device, int index,
				const char *gid, const char *type, const char *netdev);

#endif
