#include "collector/import/rows.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

#define ROWS_OF_ONE_GUID 64	/* a hostile file must not make the chain long */

static struct row *row_of(struct rows *rows, const struct device *device)
{
	struct row *items = array_reach(rows->items, device->index, &rows->room, sizeof(*items));

	if (!items)
		return NULL;
	rows->items = items;
	return &rows->items[device->index];
}

static bool value_fits(int64_t a, int64_t b)
{
	return a == b || a == FIELD_UNKNOWN || b == FIELD_UNKNOWN;
}

static bool shape_fits(const struct row_shape *a, const struct row_shape *b)
{
	return (a->type == b->type || a->type == NODE_TYPE_UNKNOWN ||
		b->type == NODE_TYPE_UNKNOWN) &&
	       value_fits(a->num_ports, b->num_ports) && value_fits(a->device_id, b->device_id);
}

static struct device *row_take(struct row *row, struct device *device,
			       const struct row_shape *shape)
{
	if (!row->told || row->shape.type == NODE_TYPE_UNKNOWN)
		row->shape.type = shape->type;
	if (!row->told || row->shape.num_ports == FIELD_UNKNOWN)
		row->shape.num_ports = shape->num_ports;
	if (!row->told || row->shape.device_id == FIELD_UNKNOWN)
		row->shape.device_id = shape->device_id;
	row->told = true;
	return device;
}

struct device *rows_device(struct rows *rows, struct import *import, uint64_t guid,
			   const struct row_shape *shape)
{
	struct device *first = fabric_device_find(import_fabric(import), guid);
	struct device *untold = NULL;
	struct device *device;
	struct row *row;
	bool told = false;
	int count = 0;

	for (device = first; device; device = device->same_guid) {
		const struct row_shape known = {device->type, device->info.num_ports,
						device->info.device_id};

		row = row_of(rows, device);
		if (!row)
			return NULL;
		if (row->told && shape_fits(&row->shape, shape))
			return row_take(row, device, shape);
		if (++count == ROWS_OF_ONE_GUID)
			return device;
		told = told || row->told;
		if (!row->told && !untold && shape_fits(&known, shape))
			untold = device;
	}
	if (!told)
		device = import_device(import, guid, shape->type);
	else
		device = untold ? untold : import_device_twin(import, guid, shape->type);
	if (!device)
		return NULL;
	/* With several rows from other files, the one that fits is meant. */
	if (!told && untold)
		device = untold;
	row = row_of(rows, device);
	return row ? row_take(row, device, shape) : NULL;
}

bool rows_told(const struct rows *rows, const struct device *device)
{
	return device->index < rows->room && rows->items[device->index].told;
}

void rows_free(struct rows *rows)
{
	free(rows->items);
	*rows = (struct rows){NULL, 0};
}
