#include "collector/live/slots.h"

#include <stdbool.h>
#include <stdlib.h>

static struct link *link_of(struct slots *slots, uint16_t index)
{
	if (index >= SLOTS)
		return &slots->heads[index - SLOTS];
	return &slots->slot[index].link;
}

static void take_out(struct slots *slots, uint16_t index)
{
	struct slot *slot = &slots->slot[index];

	link_of(slots, slot->link.prev)->next = slot->link.next;
	link_of(slots, slot->link.next)->prev = slot->link.prev;
	slots->count[slot->place]--;
}

static void put(struct slots *slots, uint16_t index, enum place place, bool first)
{
	struct slot *slot = &slots->slot[index];
	uint16_t head = (uint16_t)(SLOTS + place);
	uint16_t before = first ? head : slots->heads[place].prev;
	uint16_t after = first ? slots->heads[place].next : head;

	slot->place = (uint8_t)place;
	slot->link.prev = before;
	slot->link.next = after;
	link_of(slots, before)->next = index;
	link_of(slots, after)->prev = index;
	slots->count[place]++;
}

int slots_new(struct slots *slots, struct err *err)
{
	*slots = (struct slots){.slot = calloc(SLOTS, sizeof(*slots->slot))};
	if (!slots->slot)
		return err_no_memory(err);
	for (unsigned i = 0; i < PLACES; i++)
		slots->heads[i].next = slots->heads[i].prev = (uint16_t)(SLOTS + i);
	for (unsigned i = 0; i < SLOTS; i++)
		put(slots, (uint16_t)i, PLACE_FREE, false);
	return 0;
}

void slots_free(struct slots *slots)
{
	free(slots->slot);
	slots->slot = NULL;
}

void slots_move(struct slots *slots, uint16_t index, enum place place)
{
	take_out(slots, index);
	/* It is still in the cache. */
	put(slots, index, place, place == PLACE_FREE);
}
