/*
 * Counters of ports as rows: of the fabric's ports (device_write.c, device_read.c)
 * and of what hosts read of their own.
 */
#ifndef STORE_COUNTERS_H
#define STORE_COUNTERS_H

#include "store/column.h"

/* Column names, in the order of counters_bind and counters_read. */
#define COUNTERS_COLUMN(member, ...) #member,
#define COUNTERS_COLUMNS "read_at", "saturated", COUNTERS(COUNTERS_COLUMN)

/* Binds the columns from parameter `first` on (from 1). */
void counters_bind(struct stmt *insert, int first, const struct port_counters *counters);

/* Fills `counters`, which is zeroed, from cell `first` on (from 0). */
void counters_read(struct stmt *rows, int first, struct port_counters *counters);

/* Those of host ports; reading comes after the host ports were read. 0, ERR_DB or ERR_NOMEM. */
int host_counters_write(struct column_writer *writer, const struct fabric *fabric,
			int64_t snapshot_id, struct err *err);
int host_counters_read(struct column_reader *reader, int64_t snapshot_id, struct err *err);

#endif
