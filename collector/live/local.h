/* Which local port to go through. */
#ifndef COLLECTOR_LIVE_LOCAL_H
#define COLLECTOR_LIVE_LOCAL_H

#include <stdbool.h>

#include "store/err.h"

struct local_port {
	char ca[64];
	int port;
	bool has_lid;	/* 1..0xBFFF, and Active: MADs by LID can be sent */
};

/*
 * The port named, or the first InfiniBand one that is Active, else the first
 * with a link: `ca` may be NULL, `port` 0; with a port alone, among the ports of
 * that number. ERR_DEVICE says what is wrong and
 * what there is.
 */
int local_choose(const char *ca, int port, struct local_port *ret_local, struct err *err);

#endif
