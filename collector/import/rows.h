/*
 * Which device row a node line of one file means, when GUIDs can lie.
 *
 * A second line of the same shape (type, number of ports, device id) is the
 * same device told again; one of another shape is a second device with the same
 * GUID. What earlier files said does not count: a difference to them is a
 * contradiction, not a twin.
 */
#ifndef COLLECTOR_IMPORT_ROWS_H
#define COLLECTOR_IMPORT_ROWS_H

#include "collector/import/format.h"

/* The shape a line gives a node; unknown parts fit anything. */
struct row_shape {
	enum node_type type;
	int64_t num_ports;	/* or FIELD_UNKNOWN */
	int64_t device_id;	/* or FIELD_UNKNOWN */
};

struct rows {
	struct row {
		struct row_shape shape;
		bool told;	/* this file has a node line for the row */
	} *items;		/* by device->index */
	size_t room;
};

/* The row for a node line; NULL: no memory or the import's limit. */
struct device *rows_device(struct rows *rows, struct import *import, uint64_t guid,
			   const struct row_shape *shape);

/* True when this file has a node line for the device. */
bool rows_told(const struct rows *rows, const struct device *device);

void rows_free(struct rows *rows);

#endif
