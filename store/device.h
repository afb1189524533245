/*
 * Devices with their ports and tables, to the store and back. Devices are found
 * again by node GUID and twin: 0 for the first row with that GUID, 1 for the
 * next, in the fabric's order.
 */
#ifndef STORE_DEVICE_H
#define STORE_DEVICE_H

#include "store/column.h"

/*
 * Writes all devices of writer's fabric as rows of the snapshot. *ret_bodies,
 * the body id by device index, belongs to the caller (free).
 */
int devices_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		  int64_t **ret_bodies, struct err *err);

/*
 * Appends a snapshot's devices to the reader's fabric. *ret_places, sorted by
 * body, belongs to the caller (free) and is what column_device wants.
 */
int devices_read(struct column_reader *reader, int64_t snapshot_id,
		 struct body_place **ret_places, size_t *ret_count, struct err *err);

#endif
