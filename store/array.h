/* Lists that grow by doubling, and where in a sorted one something stands. */
#ifndef STORE_ARRAY_H
#define STORE_ARRAY_H

#include <stddef.h>

/*
 * Makes room for element `count` of a list that has room for *room elements of
 * `size` bytes, 1 or more. Returns the list, which may have moved and belongs to the
 * caller (free); NULL without memory, and then list and *room are as they were.
 * NULL with *room 0 is an empty list.
 */
void *array_grow(void *list, size_t count, size_t *room, size_t size);

/*
 * Makes room for element `index`, whatever the room so far; new elements are zero
 * bytes. Else as array_grow.
 */
void *array_reach(void *list, size_t index, size_t *room, size_t size);

/*
 * The index of the first element that does not come before the key in a list sorted
 * so: `compare` gets an element and the key. `count` when all come before it.
 */
size_t array_first_from(const void *key, const void *list, size_t count, size_t size,
			int (*compare)(const void *element, const void *key));

#endif
