/*
 * The counter files of one port in sysfs (sysfs_tree.h says what they mean).
 */
#ifndef COLLECTOR_IMPORT_SYSFS_COUNTERS_H
#define COLLECTOR_IMPORT_SYSFS_COUNTERS_H

#include "collector/import/scan.h"
#include "store/fabric.h"

/* What the files say. Zeroed memory: none was seen. */
struct sysfs_counters {
	uint64_t value[COUNTER_COUNT];
	uint64_t twin[COUNTER_COUNT];	/* of counters_ext/ */
	uint64_t known;			/* bits: value was read */
	uint64_t twin_known;
	uint64_t refused;		/* bits: the file is there and says nothing */
};

/*
 * "counters/port_xmit_data", "counters_ext/port_xmit_data_64" with its text, empty when it
 * could not be read. False: no file of a counter that has a place.
 */
bool sysfs_counter_file(struct sysfs_counters *counters, struct scan path, const char *text,
			size_t length);

/*
 * The counters for the fabric, which owns them; NULL when no file gave one.
 * read_at is unknown: the files do not say. 0 or ERR_NOMEM.
 */
int sysfs_counters_settle(const struct sysfs_counters *counters, struct fabric *fabric,
			  struct port_counters **ret_counters, struct err *err);

/* "port_xmit_wait, VL15_dropped": the files that were refused, or "". Returns out. */
#define SYSFS_REFUSED_SIZE 512
const char *sysfs_counters_refused(const struct sysfs_counters *counters,
				   char out[SYSFS_REFUSED_SIZE]);

#endif
