#include "rules/analysis/port_faults.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

int port_faults_add(struct port_faults *faults, enum qos_class class, uint64_t key,
		    const struct port *port, struct err *err)
{
	struct port_fault *grown =
		array_grow(faults->items, faults->count, &faults->room, sizeof(*grown));

	if (!grown)
		return err_no_memory(err);
	faults->items = grown;
	faults->items[faults->count] = (struct port_fault){class, key, port, faults->count};
	faults->count++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct port_fault *x = a, *y = b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

int port_faults_sort(struct port_faults *faults, struct err *err)
{
	if (faults->count == 0)
		return 0;
	faults->ports = calloc(faults->count, sizeof(const struct port *));
	if (!faults->ports)
		return err_no_memory(err);
	qsort(faults->items, faults->count, sizeof(*faults->items), compare);
	for (size_t i = 0; i < faults->count; i++)
		faults->ports[i] = faults->items[i].port;
	return 0;
}

const struct port_fault *port_faults_next(const struct port_faults *faults, size_t *cursor,
					  struct port_set *ret_places)
{
	const struct port_fault *first;
	size_t end = *cursor;

	if (*cursor >= faults->count)
		return NULL;
	first = &faults->items[*cursor];
	while (end < faults->count && faults->items[end].class == first->class &&
	       faults->items[end].key == first->key)
		end++;
	*ret_places = (struct port_set){.ports = faults->ports + *cursor, .count = end - *cursor};
	*cursor = end;
	return first;
}

void port_faults_free(struct port_faults *faults)
{
	free(faults->items);
	free(faults->ports);
	memset(faults, 0, sizeof(*faults));
}
