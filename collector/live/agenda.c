#include "collector/live/collect.h"

#include <stdlib.h>
#include <string.h>

#include "store/array.h"

/* The lowest bit, 64 when there is none. */
static unsigned lowest(uint64_t bits)
{
	unsigned low = 0;

	if (bits == 0)
		return 64;
	while (!(bits >> low & 1))
		low++;
	return low;
}

bool agenda_is_empty(const struct agenda *agenda)
{
	return agenda->has_probes == 0 && agenda->has_finding == 0 && !agenda->reading;
}

static struct target *pop(struct target **stack)
{
	struct target *target = *stack;

	*stack = target->next_ready;
	target->ready = false;
	return target;
}

enum agenda_item agenda_take(struct agenda *agenda, struct probe *ret_probe,
			     struct target **ret_target)
{
	unsigned probe_hops = lowest(agenda->has_probes);
	unsigned target_hops = lowest(agenda->has_finding);

	if (probe_hops < 64 && probe_hops <= target_hops) {
		struct probe_queue *queue = &agenda->probes[probe_hops];

		*ret_probe = queue->list[queue->first++];
		if (queue->first == queue->count) {
			queue->first = queue->count = 0;
			agenda->has_probes &= ~(UINT64_C(1) << probe_hops);
		}
		return AGENDA_PROBE;
	}
	if (target_hops < 64) {
		*ret_target = pop(&agenda->finding[target_hops]);
		if (!agenda->finding[target_hops])
			agenda->has_finding &= ~(UINT64_C(1) << target_hops);
		return AGENDA_TARGET;
	}
	if (agenda->reading) {
		*ret_target = pop(&agenda->reading);
		return AGENDA_TARGET;
	}
	return AGENDA_NOTHING;
}

bool agenda_add_probe(struct agenda *agenda, const struct probe *probe)
{
	unsigned hops = probe->target->route.hops;
	struct probe_queue *queue = &agenda->probes[hops];
	struct probe *list = array_grow(queue->list, queue->count, &queue->room, sizeof(*list));

	if (!list)
		return false;
	queue->list = list;
	queue->list[queue->count++] = *probe;
	agenda->has_probes |= UINT64_C(1) << hops;
	return true;
}

void agenda_add_target(struct agenda *agenda, struct target *target)
{
	unsigned hops = target->route.hops;
	struct target **stack = &agenda->reading;

	if (target->ready)
		return;
	if (target->stage <= STAGE_PORTS) {
		stack = &agenda->finding[hops];
		agenda->has_finding |= UINT64_C(1) << hops;
	}
	target->ready = true;
	target->next_ready = *stack;
	*stack = target;
}

void agenda_free(struct agenda *agenda)
{
	for (unsigned hops = 0; hops <= MAD_ROUTE_MAX; hops++)
		free(agenda->probes[hops].list);
	memset(agenda, 0, sizeof(*agenda));
}
