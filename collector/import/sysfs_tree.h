/*
 * /sys/class/infiniband of a host, file by file: from a copied directory, from a
 * text that holds many files (ttar), from the host itself.
 *
 * A file that is not there, or that the kernel refuses to read (an empty GID's
 * type gives EINVAL), is no fault: what it would tell is unknown. Ethernet ports
 * have LID 0 by design.
 *
 * Counters: those of PortCounters have its widths and stay at their maximum; data,
 * packets and their kinds have 64 bits where the device has PortCountersExtended,
 * which shows by the files of unicast and multicast packets, in counters/ since Linux 4.5
 * and in counters_ext/ before. port_xmit_data and port_rcv_data count 4-byte
 * words ("lanes"), not bytes. None of hw_counters/ is one of these.
 *
 * Source: Linux Documentation/ABI/stable/sysfs-class-infiniband and
 * drivers/infiniband/core/sysfs.c.
 */
#ifndef COLLECTOR_IMPORT_SYSFS_TREE_H
#define COLLECTOR_IMPORT_SYSFS_TREE_H

#include "store/fabric.h"

struct sysfs_tree;		/* opaque */

/* *ret_tree belongs to the caller. 0 or ERR_NOMEM. */
int sysfs_tree_new(struct sysfs_tree **ret_tree, struct err *err);

/*
 * One file: its path (".../<host>/sys/class/infiniband/<device>/ports/1/rate") and
 * its content, which is empty for one that is there and could not be read.
 * *ret_taken: it is one of those that are kept. 0, ERR_NOMEM or ERR_LIMIT.
 */
int sysfs_tree_file(struct sysfs_tree *tree, const char *path, const char *content, size_t length,
		    bool *ret_taken, struct err *err);

/* Host ports with their counters, and GIDs, into the fabric, all of this source. 0 or ERR_NOMEM. */
int sysfs_tree_settle(const struct sysfs_tree *tree, struct fabric *fabric, source_ref source,
		      struct err *err);

void sysfs_tree_free(struct sysfs_tree *tree);	/* NULL is fine */

/* True for the path of a file that belongs to a tree: "[<host>/.../]class/infiniband/<device>/...". */
bool sysfs_is_file(const char *path);

/* True for a directory whose path ends in "class/infiniband". */
bool sysfs_is_class_directory(const char *path);

/*
 * Reads every file of interest below a class directory into the tree. called: the path
 * that stands for the directory in it, or NULL: its own. *ret_files: how many.
 * ERR_INPUT: the directory cannot be opened; ERR_NOMEM, ERR_LIMIT.
 */
int sysfs_tree_walk(struct sysfs_tree *tree, const char *directory, const char *called,
		    int64_t *ret_files, struct err *err);

#endif
