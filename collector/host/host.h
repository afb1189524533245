/*
 * What a host says of itself: /sys/class/infiniband, its own or a copy of it.
 * Ports (InfiniBand and Ethernet alike) and GID tables with types and netdevs.
 *
 * Sources: Linux Documentation/ABI/stable/sysfs-class-infiniband; the kernel
 * refuses to read the type of an empty GID entry (EINVAL), and a copied tree
 * lacks such files: that is normal and no fault.
 */
#ifndef COLLECTOR_HOST_HOST_H
#define COLLECTOR_HOST_HOST_H

#include "store/err.h"
#include "store/fabric.h"

/*
 * Adds host ports and GIDs found under root ("/sys", or a directory that holds
 * class/infiniband, or is that directory itself) from `source`. `host` is its
 * name, or NULL. A host without InfiniBand or RoCE devices is no error: nothing
 * is added. ERR_NOMEM; ERR_INPUT when root itself cannot be read.
 */
int host_read(const char *root, const char *host, source_ref source, struct fabric *fabric,
	      struct err *err);

/* The host a copied tree is of, as its path names it: "gw7" of "/tmp/gw7/sys". Empty when it does not. */
void host_name_of_tree(const char *root, char *out, size_t size);

/* --- Parsers of sysfs' texts, for tests and for captures that quote them. --- */

/*
 * "200 Gb/sec (4X HDR)", "2.5 Gb/sec (1X SDR)", "0 GB/sec", "10 Gb/sec (4X)":
 * the whole port's Mb/s, lanes and the speed's name; what is not said stays
 * FIELD_UNKNOWN, or "" of ret_speed. False when not even a number is there.
 */
bool host_parse_rate(const char *text, int64_t *ret_mbps, int64_t *ret_width, char *ret_speed,
		     size_t size);

/* "fe80:0000:...": 16 bytes in network order. False: not such. */
bool host_parse_gid(const char *text, uint8_t ret_gid[16]);

/* "506b:4b03:005c:2740" or "0x506b4b03005c2740". False: not such. */
bool host_parse_guid(const char *text, uint64_t *ret_guid);

#endif
