/* Devices, ports and links: what a fabric is made of, and who said so. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/input.h"
#include "collector/import/merge_subnets.h"
#include "collector/import/prompt.h"
#include "collector/import/merge.h"
#include "store/text.h"

struct fabric *import_fabric(struct import *import)
{
	return import->fabric;
}

struct source *import_source(struct import *import)
{
	return &import->fabric->sources[import->ref - 1];
}

source_ref import_source_ref(struct import *import)
{
	return import->ref;
}

void import_row(struct import *import)
{
	import_source(import)->rows++;
}

static int add_odd(struct import *import, const struct input *input, const char *line,
		   size_t length, const char *reason, struct err *err)
{
	struct odd_line *odd;

	import->odd_line = input ? input_line_number(input) : 0;
	import_source(import)->odd_rows++;
	if (import->odd_kept >= IMPORT_ODD_KEPT)
		return 0;
	odd = fabric_odd_line_add(import->fabric);
	if (!odd)
		return err_no_memory(err);
	import->odd_kept++;
	odd->source = import->ref;
	odd->line = import->odd_line;
	odd->text = fabric_text(import->fabric, length ? line : "", length < 200 ? length : 200);
	odd->reason = import_intern(import, reason, strlen(reason));
	return odd->text && odd->reason ? 0 : err_no_memory(err);
}

int import_odd(struct import *import, struct input *input, const char *reason, struct err *err)
{
	struct prompt prompt;
	char *line = NULL;
	size_t length = 0;

	if (input) {
		input_unread(input);
		if (input_line(input, &line, &length, err) != 1)
			length = 0;
	}
	/* In a terminal's log nothing is lost with it, whatever it stands among. */
	if (length > 0 && prompt_find(line, length, &prompt))
		return 0;
	return add_odd(import, input, line, length, reason, err);
}

int import_odd_hidden(struct import *import, struct input *input, const char *reason,
		      struct err *err)
{
	static const char hidden[] = "(hidden)";

	return add_odd(import, input, hidden, strlen(hidden), reason, err);
}

int import_odd_once(struct import *import, const char *reason, struct err *err)
{
	struct input *input = import->input;

	if (input && import->odd_line == input_line_number(input))
		return 0;
	return import_odd(import, input, reason, err);
}

int import_cut(struct import *import, enum attribute attribute, const char *what, struct err *err)
{
	struct fabric *fabric = import->fabric;
	struct hole *hole;
	char text[DEVICE_LABEL_SIZE + 240];

	for (size_t i = fabric->hole_count; i-- > 0;) {
		if (fabric->holes[i].source != import->ref)
			break;
		if (fabric->holes[i].reason == HOLE_CUT && !fabric->holes[i].device &&
		    fabric->holes[i].attribute == attribute)
			return 0;
	}
	hole = fabric_hole_add(fabric);
	if (!hole)
		return err_no_memory(err);
	hole->port = -1;
	hole->attribute = attribute;
	hole->reason = HOLE_CUT;
	hole->source = import->ref;
	snprintf(text, sizeof(text), "%s", what);
	if (import->input)
		snprintf(text, sizeof(text), "%s (its last line is %lld)", what,
			 (long long)input_line_number(import->input));
	hole->text = import_intern(import, text, strlen(text));
	fabric->partial = true;
	return hole->text ? 0 : err_no_memory(err);
}

int import_unclear(struct import *import, enum attribute attribute, const char *what,
		   struct err *err)
{
	struct hole *hole = fabric_hole_add(import->fabric);

	if (!hole)
		return err_no_memory(err);
	hole->port = -1;
	hole->attribute = attribute;
	hole->reason = HOLE_ODD;
	hole->source = import->ref;
	hole->text = import_intern(import, what, strlen(what));
	import->notes[import->ref].unclear = true;
	return hole->text ? 0 : err_no_memory(err);
}

void import_taken_at(struct import *import, int64_t taken_at)
{
	struct fabric *fabric = import->fabric;

	import_source(import)->taken_at = taken_at;
	/* A live snapshot is of its own time, whatever files explain it. */
	if (!fabric->live && taken_at > fabric->taken_at)
		fabric->taken_at = taken_at;
}

void import_asked(struct import *import, enum attribute attribute)
{
	import->fabric->asked |= UINT32_C(1) << attribute;
}

void import_lists_all(struct import *import)
{
	import_asked(import, ATTRIBUTE_NODE_INFO);
	import->notes[import->ref].whole = true;
}

void import_lists_all_of_series(struct import *import)
{
	import->notes[import->ref].whole_of_series = true;
}

void import_port_read(struct import *import, struct port *port, enum attribute attribute)
{
	struct port_origin *origin = import_port_origin(import, port);

	if (origin)
		import_touch(import, &origin->first);
	if (import_replaces(import, port->source_of[attribute]))
		port->source_of[attribute] = import->ref;
}

void import_device_read(struct import *import, struct device *device, enum attribute attribute)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (origin && device->type != NODE_TYPE_CA)
		import_touch(import, &origin->first);
	if (import_replaces(import, device->source_of[attribute]))
		device->source_of[attribute] = import->ref;
}

static struct device *device_new(struct import *import, uint64_t guid, enum node_type type)
{
	struct device_origin *origin;
	struct device *device;
	char place[32];
	size_t name;

	if (import->fabric->device_count >= IMPORT_DEVICES_MAX) {
		import->limit = "more devices than one subnet can hold several times over";
		return NULL;
	}
	device = fabric_device_add(import->fabric, guid, type);
	if (!device)
		return NULL;
	origin = import_device_origin(import, device);
	if (!origin)
		return NULL;
	origin->type = type == NODE_TYPE_UNKNOWN ? 0 : import->ref;
	origin->seen = import->ref;
	origin->elsewhere = 0;
	origin->first = import->ref;
	snprintf(place, sizeof(place), ":%" PRId64,
		 import->input ? input_line_number(import->input) : 0);
	name = strlen(import_source(import)->name);
	device->place = fabric_alloc(import->fabric, name + strlen(place) + 1, 1);
	if (!device->place)
		return NULL;
	memcpy(device->place, import_source(import)->name, name);
	memcpy(device->place + name, place, strlen(place));
	return device;
}

/* Keeps the newest source that names a device; one without a time counts as new. */
static void note_seen(struct import *import, struct device_origin *origin)
{
	int64_t time_new = import_source(import)->taken_at;
	int64_t time_old;

	if (origin->seen == import->ref)
		return;
	if (import_one_series(import, import->ref, origin->seen)) {
		if (import_sweep(import, import->ref, origin->seen) > 0)
			origin->seen = import->ref;
		return;
	}
	origin->elsewhere = import->ref;
	time_old = origin->seen ? import->fabric->sources[origin->seen - 1].taken_at : INT64_MIN + 1;
	if (time_old != FIELD_UNKNOWN && (time_new == FIELD_UNKNOWN || time_new > time_old))
		origin->seen = import->ref;
}

struct device *import_device_seen(struct import *import, struct device *device)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (!origin)
		return NULL;
	note_seen(import, origin);
	return device;
}

struct device *import_device(struct import *import, uint64_t guid, enum node_type type)
{
	struct device *device = fabric_device_find(import->fabric, guid);
	struct device_origin *origin;

	if (!device)
		return device_new(import, guid, type);
	origin = import_device_origin(import, device);
	if (!origin)
		return NULL;
	note_seen(import, origin);
	if (device->type != NODE_TYPE_CA && type != NODE_TYPE_CA)
		import_touch(import, &origin->first);
	if (type == NODE_TYPE_UNKNOWN || type == device->type)
		return device;
	if (device->type == NODE_TYPE_UNKNOWN || import_replaces(import, origin->type)) {
		device->type = type;
		origin->type = import->ref;
	}
	return device;
}

struct device *import_device_twin(struct import *import, uint64_t guid, enum node_type type)
{
	return device_new(import, guid, type);
}

struct port *import_port(struct import *import, struct device *device, unsigned num)
{
	struct port *port = device_port(device, num);

	if (port)
		return port;
	if (num > 254) {
		import->limit = "a port number above 254";
		return NULL;
	}
	return fabric_port(import->fabric, device, (uint8_t)num);
}

static size_t guid_place(const struct import *import, uint64_t guid)
{
	size_t at = (size_t)fabric_hash(import->fabric, guid) & (import->guid_room - 1);

	while (import->guids[at].port && import->guids[at].guid != guid)
		at = (at + 1) & (import->guid_room - 1);
	return at;
}

static bool guids_grow(struct import *import)
{
	struct guid_slot *old = import->guids;
	size_t old_room = import->guid_room;
	size_t room = old_room ? old_room * 2 : 1024;
	struct guid_slot *guids;

	if (import->guid_count * 2 < old_room)
		return true;
	guids = calloc(room, sizeof(*guids));
	if (!guids)
		return false;
	import->guids = guids;
	import->guid_room = room;
	for (size_t i = 0; i < old_room; i++) {
		if (old[i].port)
			guids[guid_place(import, old[i].guid)] = old[i];
	}
	free(old);
	return true;
}

struct port *import_port_by_guid(struct import *import, uint64_t port_guid)
{
	struct port *port;

	if (import->guid_room == 0 || port_guid == 0)
		return NULL;
	port = import->guids[guid_place(import, port_guid)].port;
	/* A switch's ports all bear the GUID of its port 0. */
	if (port && port->device->type == NODE_TYPE_SWITCH && port->num != 0)
		return import_port(import, port->device, 0);
	/* One above NumPorts is taken out at the end of a run. */
	return port && device_port(port->device, port->num) == port ? port : NULL;
}

/* Two end ports of different devices answer to one port GUID. */
static void note_port_guid_twice(struct import *import, uint64_t guid, struct port *a, struct port *b)
{
	struct guid_conflict *conflict;
	char label_a[DEVICE_LABEL_SIZE + 16];
	char label_b[DEVICE_LABEL_SIZE + 16];
	char text[2 * sizeof(label_a) + 64];

	if (import->fabric->guid_conflict_count >= IMPORT_CONFLICTS_KEPT)
		return;
	for (size_t i = 0; i < import->fabric->guid_conflict_count; i++) {
		const struct guid_conflict *c = &import->fabric->guid_conflicts[i];

		if (c->guid == guid && c->is_port_guid)
			return;
	}
	conflict = fabric_guid_conflict_add(import->fabric);
	if (!conflict)
		return;
	conflict->guid = guid;
	conflict->is_port_guid = true;
	conflict->source = import->ref;
	conflict->place_a = a->peer;
	conflict->place_b = b->peer;
	snprintf(text, sizeof(text), "%s and %s have this port GUID",
		 port_label(a, true, label_a, sizeof(label_a)),
		 port_label(b, true, label_b, sizeof(label_b)));
	conflict->detail = fabric_text(import->fabric, text, strlen(text));
}

void import_port_guid(struct import *import, struct port *port, uint64_t port_guid)
{
	struct port_origin *origin = import_port_origin(import, port);
	struct guid_slot *slot;

	if (!origin || port_guid == 0)
		return;
	import_touch(import, &origin->first);
	if (port->guid != port_guid) {
		if (port->guid != 0 && !import_replaces(import, origin->guid))
			return;
		port->guid = port_guid;
		origin->guid = import->ref;
	}
	if (!guids_grow(import))
		return;
	slot = &import->guids[guid_place(import, port_guid)];
	if (!slot->port) {
		slot->guid = port_guid;
		slot->port = port;
		import->guid_count++;
	} else if (slot->port->device == port->device) {
		if (port->num < slot->port->num)
			slot->port = port;
	} else if (port_is_end_port(port) || slot->port->num == 0) {
		origin = import_port_origin(import, slot->port);
		if (origin)
			import_touch(import, &origin->first);
		note_port_guid_twice(import, port_guid, slot->port, port);
	}
}

void import_port_guid_invalid(struct import *import, struct port *port)
{
	if (port->guid != 0 || !import_replaces(import, port->source_of[ATTRIBUTE_NODE_INFO]))
		return;
	port->source_of[ATTRIBUTE_NODE_INFO] = import->ref;
}

/* a has a peer already and this source names another one: a's GUID is in two places. */
static int note_two_places(struct import *import, struct port *a, struct port *b, struct err *err)
{
	struct guid_conflict *conflict;
	char label_a[DEVICE_LABEL_SIZE + 16];
	char label_b[DEVICE_LABEL_SIZE + 16];
	char text[2 * sizeof(label_a) + 64];

	if (import->fabric->guid_conflict_count >= IMPORT_CONFLICTS_KEPT)
		return 0;
	conflict = fabric_guid_conflict_add(import->fabric);
	if (!conflict)
		return err_no_memory(err);
	conflict->guid = a->device->guid;
	conflict->source = import->ref;
	conflict->place_a = a->peer;
	conflict->place_b = b;
	snprintf(text, sizeof(text), "port %u is seen behind %s and behind %s", (unsigned)a->num,
		 port_label(a->peer, true, label_a, sizeof(label_a)),
		 port_label(b, true, label_b, sizeof(label_b)));
	conflict->detail = fabric_text(import->fabric, text, strlen(text));
	return conflict->detail ? 0 : err_no_memory(err);
}

static int link_side(struct import *import, struct port *a, struct port *b, bool inferred,
		     struct err *err)
{
	struct port_origin *origin = import_port_origin(import, a);
	char old[DEVICE_LABEL_SIZE + 16] = "";
	char new[DEVICE_LABEL_SIZE + 16] = "";
	int rc;

	if (!origin)
		return err_no_memory(err);
	import_touch(import, &origin->first);
	if (a->peer && a->peer != b) {
		if (origin->peer == import->ref) {
			rc = note_two_places(import, a, b, err);
			if (rc < 0)
				return rc;
		}
		port_label(a->peer, true, old, sizeof(old));
		port_label(b, true, new, sizeof(new));
	}
	rc = import_table(import, a->device, a->num, "link", &origin->peer, a->peer != NULL,
			  a->peer == b, old, new, err);
	if (rc == 1) {
		/* The cable was moved, says the better source: its old end has no partner. */
		if (a->peer && a->peer->peer == a && a->peer != b)
			a->peer->peer = NULL;
		a->peer = b;
		a->peer_inferred = inferred;
	} else if (a->peer == b && !inferred) {
		a->peer_inferred = false;
	}
	import_port_read(import, a, ATTRIBUTE_NEIGHBOR);
	return rc < 0 ? rc : 0;
}

int import_link(struct import *import, struct port *a, struct port *b, bool both, struct err *err)
{
	struct port_origin *far = import_port_origin(import, b);
	int rc;

	if (!far)
		return err_no_memory(err);
	import_tells_links(import);
	import_touch(import, &far->first);
	rc = link_side(import, a, b, false, err);
	if (rc == 0 && both && a != b)
		rc = link_side(import, b, a, false, err);
	return rc;
}

/* The end's neighbour is gone, in the words of a later sweep than that which told of it. */
static void unlink_side(struct import *import, struct port *port, struct port_origin *origin)
{
	port->peer = NULL;
	port->peer_inferred = false;
	origin->peer = import->ref;
}

int import_no_link(struct import *import, struct port *port, struct err *err)
{
	struct port_origin *origin = import_port_origin(import, port);
	struct port *peer = port->peer;
	char old[DEVICE_LABEL_SIZE + 16];
	struct port_origin *far;
	int rc;

	if (!origin)
		return err_no_memory(err);
	if (!peer || origin->peer == 0 || import_sweep(import, import->ref, origin->peer) <= 0)
		return 0;
	far = import_port_origin(import, peer);
	if (!far)
		return err_no_memory(err);
	rc = import_contradiction(import, port->device, port->num, "link", "no neighbour", import->ref,
				  port_label(peer, true, old, sizeof(old)), origin->peer, err);
	if (peer->peer == port &&
	    (far->peer == 0 || import_sweep(import, import->ref, far->peer) > 0))
		unlink_side(import, peer, far);
	unlink_side(import, port, origin);
	return rc;
}

int import_link_back(struct import *import, struct port *port, struct err *err)
{
	struct port *peer = port->peer;

	return peer && !peer->peer ? link_side(import, peer, port, true, err) : 0;
}

int import_links_back(struct import *import, struct err *err)
{
	const struct fabric *fabric = import->fabric;

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			struct port *port = device->ports[p];
			int rc;

			if (!port || !port->peer || port->source_of[ATTRIBUTE_NEIGHBOR] != import->ref ||
			    port->peer->source_of[ATTRIBUTE_NEIGHBOR] == import->ref)
				continue;
			rc = import_link_back(import, port, err);
			if (rc < 0)
				return rc;
		}
	}
	return 0;
}

