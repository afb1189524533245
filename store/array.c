#include "store/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 8

void *array_grow(void *list, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : FIRST_ROOM;
	void *grown;

	if (count < *room)
		return list;
	if (*room > SIZE_MAX / 2 / size)
		return NULL;
	grown = realloc(list, more * size);
	if (grown)
		*room = more;
	return grown;
}

void *array_reach(void *list, size_t index, size_t *room, size_t size)
{
	size_t more = *room ? *room : FIRST_ROOM;
	char *grown;

	if (index < *room)
		return list;
	if (index > SIZE_MAX / 2 / size)
		return NULL;
	while (more <= index)
		more *= 2;
	grown = realloc(list, more * size);
	if (!grown)
		return NULL;
	memset(grown + *room * size, 0, (more - *room) * size);
	*room = more;
	return grown;
}

size_t array_first_from(const void *key, const void *list, size_t count, size_t size,
			int (*compare)(const void *element, const void *key))
{
	size_t low = 0;

	while (low < count) {
		size_t middle = low + (count - low) / 2;

		if (compare((const char *)list + middle * size, key) < 0)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}
