#include "store/array.h"

#include <stdint.h>
#include <stdlib.h>

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
