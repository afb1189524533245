#include "collector/live/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

struct port *target_behind(const struct collect *collect, const struct target *target)
{
	const struct port *own;

	if (target == collect->local || target->route.hops == 0)
		return NULL;
	own = device_port(target->device, target->route.in[target->route.hops]);
	return own ? own->peer : NULL;
}

/* --- Noted while the run goes on. --- */

static struct miss *find(const struct target *target, int port, enum attribute attribute,
			 enum hole_reason reason)
{
	for (size_t i = 0; i < target->miss_count; i++) {
		struct miss *miss = &target->misses[i];

		if (miss->attribute == attribute && miss->reason == reason && miss->port == port)
			return miss;
	}
	return NULL;
}

static struct miss *miss_add(struct target *target)
{
	struct miss *list =
		array_grow(target->misses, target->miss_count, &target->miss_room, sizeof(*list));

	if (!list)
		return NULL;
	target->misses = list;
	return &target->misses[target->miss_count++];
}

/* A CA or router is asked through each of its ports: what one says is said of that one. */
static int port_of(const struct target *target, int port, enum attribute attribute)
{
	if (target_is_switch(target) || attribute == ATTRIBUTE_NODE_DESCRIPTION)
		return port;
	return target->port;
}

int hole_of_target(struct collect *collect, struct target *target, int port,
		   enum attribute attribute, enum hole_reason reason, uint16_t status,
		   const char *text, struct err *err)
{
	struct miss *miss;

	port = port_of(target, port, attribute);
	miss = find(target, port, attribute, reason);
	target->missing |= UINT32_C(1) << attribute;
	if (!miss) {
		miss = miss_add(target);
		if (!miss)
			return err_no_memory(err);
		*miss = (struct miss){
			.attribute = (uint8_t)attribute,
			.reason = (uint8_t)reason,
			.port = (int16_t)port,
			.status = status,
			.text = text,
		};
		collect->hole_count += reason != HOLE_UNSUPPORTED;
	}
	miss->count++;
	return 0;
}

/* --- Written when it ends. --- */

/* "no answer, status 0x001c (...), 12 questions, DR path 0,1,10, behind leaf-01 port 10". */
static char *sentence(struct collect *collect, const struct miss *miss,
		      const struct mad_route *route, const struct port *behind)
{
	char path[MAD_ROUTE_TEXT_SIZE];
	char words[96] = "";
	char count[48] = "";
	char place[DEVICE_LABEL_SIZE + 32] = "";
	char line[sizeof(path) + sizeof(words) + sizeof(count) + sizeof(place) + 256];

	mad_route_text(route, path, sizeof(path));
	if (miss->status)
		mad_status_text(miss->status, words, sizeof(words));
	if (miss->count > 1)
		snprintf(count, sizeof(count), "%u questions, ", miss->count);
	if (behind) {
		snprintf(place, sizeof(place), ", behind ");
		port_label(behind, false, place + 9, sizeof(place) - 9);
	}
	snprintf(line, sizeof(line), "%s%s%s%s%sDR path %s%s", miss->text ? miss->text : "",
		 miss->text ? ", " : "", words, *words ? ", " : "", count, path, place);
	return fabric_text(collect->fabric, line, strlen(line));
}

static int write_hole(struct collect *collect, struct device *device, const struct miss *miss,
		      const struct mad_route *route, struct port *behind, struct err *err)
{
	struct hole *hole = fabric_hole_add(collect->fabric);

	if (!hole)
		return err_no_memory(err);
	hole->device = device;
	hole->port = miss->port;
	hole->attribute = (enum attribute)miss->attribute;
	hole->reason = (enum hole_reason)miss->reason;
	hole->status = miss->status;
	hole->behind = behind;
	hole->source = collect->source_ref;
	hole->text = sentence(collect, miss, route, device ? behind : NULL);
	if (!hole->text)
		return err_no_memory(err);
	/* What a device does not have is no loss. */
	if (hole->reason != HOLE_UNSUPPORTED)
		collect->fabric->partial = true;
	return 0;
}

bool hole_is_told(struct target *target, const struct port *behind)
{
	uint64_t bit = UINT64_C(1) << (behind->num & 63);
	uint64_t *bits = &target->told_behind[behind->num >> 6];
	bool first = (*bits & bit) == 0;

	*bits |= bit;
	return first;
}

int hole_behind_port(struct collect *collect, struct port *behind, const struct mad_route *route,
		     enum hole_reason reason, uint16_t status, const char *text, struct err *err)
{
	const struct miss miss = {
		.attribute = ATTRIBUTE_NODE_INFO,
		.reason = (uint8_t)reason,
		.port = -1,
		.status = status,
		.text = text,
	};
	struct target *target = target_find(collect, behind->device, behind->num);

	if (target && !hole_is_told(target, behind))
		return 0;
	collect->hole_count++;
	return write_hole(collect, NULL, &miss, route, behind, err);
}

/*
 * Another hole says it: the same of the device as a whole, or that it did
 * answer, where this one says that it kept silent.
 */
static bool is_said(const struct collect *collect, const struct target *target,
		    const struct miss *miss)
{
	static const enum hole_reason answers[] = {HOLE_STATUS, HOLE_UNSUPPORTED, HOLE_PROTECTED};
	enum attribute attribute = (enum attribute)miss->attribute;

	/* Of a device with several ports, through an earlier one. */
	for (const struct target *other = collect->target_of[target->device->index];
	     other != target; other = other->next_of_device) {
		if (find(other, miss->port, attribute, (enum hole_reason)miss->reason))
			return true;
	}
	if (miss->port >= 0 && find(target, -1, attribute, (enum hole_reason)miss->reason))
		return true;
	/* The details are several questions: that one was refused says nothing of another. */
	if (miss->reason != HOLE_TIMEOUT || attribute == ATTRIBUTE_COUNTER_DETAILS)
		return false;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		if (find(target, -1, attribute, answers[i]) ||
		    find(target, miss->port, attribute, answers[i]))
			return true;
	}
	return false;
}

int holes_write(struct collect *collect, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < collect->fabric->device_count; i++) {
		struct target *target =
			i < collect->target_of_room ? collect->target_of[i] : NULL;

		for (; target; target = target->next_of_device) {
			struct port *behind = target_behind(collect, target);

			for (size_t m = 0; rc == 0 && m < target->miss_count; m++) {
				const struct miss *miss = &target->misses[m];

				if (miss->attribute == ATTRIBUTE_EXTENDED_PORT_INFO &&
				    miss->reason != HOLE_UNSUPPORTED)
					speed_forget(target, miss->port);
				if (!is_said(collect, target, miss))
					rc = write_hole(collect, target->device, miss,
							&target->route, behind, err);
			}
		}
	}
	return rc;
}
