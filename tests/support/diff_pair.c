#include "tests/support/diff_pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"

int diff_pair_make(void **state)
{
	struct diff_pair *pair = calloc(1, sizeof(*pair));

	if (!pair)
		return -1;
	pair->before = build_tree();
	pair->now = build_tree();
	*state = pair;
	return 0;
}

int diff_pair_free(void **state)
{
	struct diff_pair *pair = *state;

	diff_free(pair->diff);
	fabric_free(pair->before);
	fabric_free(pair->now);
	free(pair);
	return 0;
}

const struct diff *diff_pair_compare_keys(struct diff_pair *pair, unsigned keys)
{
	struct err err = {0};

	diff_free(pair->diff);
	pair->diff = NULL;
	if (diff_new(pair->before, pair->now, NULL, keys, &pair->diff, &err) < 0)
		fail_msg("%s", err.text);
	return pair->diff;
}

const struct diff *diff_pair_compare(struct diff_pair *pair)
{
	return diff_pair_compare_keys(pair, DIFF_ALL);
}

size_t diff_count(const struct diff *diff, enum diff_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		count += diff->changes[i].kind == kind;
	return count;
}

const struct change *diff_only(const struct diff *diff, enum diff_kind kind)
{
	assert_int_equal(diff_count(diff, kind), 1);
	for (size_t i = 0; i < diff->change_count; i++) {
		if (diff->changes[i].kind == kind)
			return &diff->changes[i];
	}
	return NULL;
}

bool diff_has_note(const struct diff *diff, const char *words)
{
	for (size_t i = 0; i < diff->note_count; i++) {
		if (strstr(diff->notes[i], words))
			return true;
	}
	return false;
}

void rename_device(struct fabric *fabric, struct device *device, const char *name)
{
	device->description = fabric_text(fabric, name, strlen(name));
}

struct fabric *tree_without(const char *left_out)
{
	struct fabric *full = build_tree();
	struct fabric *part = build_fabric();

	for (size_t i = 0; i < full->device_count; i++) {
		const struct device *from = full->devices[i];
		struct device *to;

		if (strcmp(from->description, left_out) == 0)
			continue;
		to = fabric_device_add(part, from->guid, from->type);
		to->info = from->info;
		to->sw = from->sw;
		rename_device(part, to, from->description);
		for (unsigned p = 0; p < from->port_slots; p++) {
			const struct port *port = device_port(from, p);

			if (port)
				fabric_port(part, to, (uint8_t)p)->info = port->info;
		}
	}
	for (size_t i = 0; i < full->device_count; i++) {
		const struct device *from = full->devices[i];
		const struct device *to = fabric_device_find(part, from->guid);

		for (unsigned p = 0; to && p < from->port_slots; p++) {
			const struct port *port = device_port(from, p);
			const struct device *peer;

			if (!port || !port->peer)
				continue;
			peer = fabric_device_find(part, port->peer->device->guid);
			if (peer)
				device_port(to, p)->peer = device_port(peer, port->peer->num);
			else
				device_port(to, p)->info.port_state = 1;
		}
	}
	fabric_free(full);
	return part;
}

void diff_pair_take_away(struct diff_pair *pair, const char *name)
{
	fabric_free(pair->now);
	pair->now = tree_without(name);
}
