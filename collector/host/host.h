/*
 * What a host says of itself: /sys/class/infiniband, its own or a copy of it.
 * The files are read as those of a copied tree are: collector/import/sysfs_tree.h.
 */
#ifndef COLLECTOR_HOST_HOST_H
#define COLLECTOR_HOST_HOST_H

#include "store/err.h"
#include "store/fabric.h"

/*
 * Adds host ports, GIDs and counters found under root ("/sys", or a directory that holds
 * class/infiniband, or is that directory itself) from `source`. `host` is its
 * name, or NULL. A host without InfiniBand or RoCE devices is no error: nothing
 * is added. ERR_NOMEM; ERR_INPUT when root itself cannot be read.
 */
int host_read(const char *root, const char *host, source_ref source, struct fabric *fabric,
	      struct err *err);

/* The host a copied tree is of, as its path names it: "gw7" of "/tmp/gw7/sys". Empty when it does not. */
void host_name_of_tree(const char *root, char *out, size_t size);

#endif
