#include "collector/import/merge.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

#include "collector/import/input.h"
#include "store/array.h"
#include "store/text.h"



static int rank_of(const struct import *import, source_ref ref)
{
	return ref < import->note_room ? import->notes[ref].rank : 0;
}

/* 1: a is of a later sweep than b, -1: of an earlier one, 0: of the same or nobody knows. */
static int sweep_compare(int64_t a, int64_t b)
{
	if (a == FIELD_UNKNOWN || b == FIELD_UNKNOWN)
		return 0;
	if (a - b > IMPORT_SAME_SWEEP)
		return 1;
	return b - a > IMPORT_SAME_SWEEP ? -1 : 0;
}

bool import_one_series(const struct import *import, source_ref a, source_ref b)
{
	const struct source *sources = import->fabric->sources;
	const struct source_note *notes = import->notes;

	return a != 0 && b != 0 && a < import->note_room && b < import->note_room &&
	       notes[a].file && notes[b].file && strcmp(notes[a].file, notes[b].file) == 0 &&
	       strcmp(sources[a - 1].format, sources[b - 1].format) == 0;
}

int import_sweep(const struct import *import, source_ref a, source_ref b)
{
	const struct source *sources = import->fabric->sources;
	int sweep = sweep_compare(sources[a - 1].taken_at, sources[b - 1].taken_at);

	if (sweep != 0 || !import_one_series(import, a, b))
		return sweep;
	return (import->notes[a].line > import->notes[b].line) -
	       (import->notes[a].line < import->notes[b].line);
}

bool import_replaces(struct import *import, source_ref other)
{
	const struct fabric *fabric = import->fabric;
	int64_t time_new = fabric->sources[import->ref - 1].taken_at;
	int64_t time_old;
	int sweep;

	if (other == import->ref)
		return false;
	if (other == 0)
		return true;
	time_old = fabric->sources[other - 1].taken_at;
	sweep = import_sweep(import, import->ref, other);
	if (sweep != 0)
		return sweep > 0;
	if (rank_of(import, import->ref) != rank_of(import, other))
		return rank_of(import, import->ref) > rank_of(import, other);
	return time_new > time_old;
}

/* One table of text, for a run's whole life: keys, vendors and versions repeat. */
static bool texts_grow(struct import *import)
{
	size_t room = import->text_room ? import->text_room * 2 : 1024;
	struct text_slot *texts;

	if (import->text_count * 2 < import->text_room)
		return true;
	texts = calloc(room, sizeof(*texts));
	if (!texts)
		return false;
	for (size_t i = 0; i < import->text_room; i++) {
		size_t at = import->texts[i].hash & (room - 1);

		if (!import->texts[i].text)
			continue;
		while (texts[at].text)
			at = (at + 1) & (room - 1);
		texts[at] = import->texts[i];
	}
	free(import->texts);
	import->texts = texts;
	import->text_room = room;
	return true;
}

/* Texts end at the first NUL; that something stood behind it is told. False: no memory. */
static bool end_at_nul(struct import *import, const char *text, size_t *length)
{
	const char *nul = memchr(text, '\0', *length);
	struct err err;

	if (!nul)
		return true;
	*length = (size_t)(nul - text);
	return import_odd_once(import, "a NUL byte ends a text before its end", &err) == 0;
}

char *import_intern(struct import *import, const char *text, size_t length)
{
	uint64_t hash;
	size_t at;

	if (!end_at_nul(import, text, &length) || !texts_grow(import))
		return NULL;
	hash = XXH3_64bits_withSeed(text, length, fabric_hash(import->fabric, 0));
	at = hash & (import->text_room - 1);
	for (; import->texts[at].text; at = (at + 1) & (import->text_room - 1)) {
		const struct text_slot *slot = &import->texts[at];

		if (slot->hash == hash && strncmp(slot->text, text, length) == 0 &&
		    slot->text[length] == '\0')
			return slot->text;
	}
	import->texts[at].text = fabric_text(import->fabric, text, length);
	if (!import->texts[at].text)
		return NULL;
	import->texts[at].hash = hash;
	import->text_count++;
	return import->texts[at].text;
}

/* What is there before a run was read live: each of these stands for one fact. */
static void origins_seed(const struct import *import, void *origins, size_t size)
{
	source_ref *refs = origins;

	for (size_t i = 0; i < size / sizeof(*refs); i++)
		refs[i] = import->live;
}

struct device_origin *import_device_origin(struct import *import, const struct device *device)
{
	size_t before = import->origin_room;
	struct device_origin *origins =
		array_reach(import->origins, device->index, &import->origin_room, sizeof(*origins));

	if (!origins)
		return NULL;
	for (size_t i = before; i < import->origin_room; i++)
		origins_seed(import, &origins[i], offsetof(struct device_origin, ports));
	import->origins = origins;
	return &origins[device->index];
}

struct port_origin *import_port_origin(struct import *import, const struct port *port)
{
	struct device_origin *device = import_device_origin(import, port->device);

	if (!device)
		return NULL;
	if (port->num >= device->port_slots) {
		size_t slots = port->device->port_slots;
		struct port_origin **ports = realloc(device->ports, slots * sizeof(struct port_origin *));

		if (!ports)
			return NULL;
		memset(ports + device->port_slots, 0,
		       (slots - device->port_slots) * sizeof(struct port_origin *));
		device->ports = ports;
		device->port_slots = slots;
	}
	if (!device->ports[port->num]) {
		device->ports[port->num] = calloc(1, sizeof(struct port_origin));
		if (device->ports[port->num])
			origins_seed(import, device->ports[port->num], sizeof(struct port_origin));
	}
	return device->ports[port->num];
}

int import_contradiction(struct import *import, struct device *device, int port, const char *fact,
			 const char *kept, source_ref kept_source, const char *other,
			 source_ref other_source, struct err *err)
{
	struct contradiction *c;

	if (import->fabric->contradiction_count >= IMPORT_CONTRADICTIONS_KEPT) {
		import->contradictions_dropped++;
		return 0;
	}
	c = fabric_contradiction_add(import->fabric);
	if (!c)
		return err_no_memory(err);
	c->device = device;
	c->port = port;
	c->fact = import_intern(import, fact, strlen(fact));
	c->kept = import_intern(import, kept, strlen(kept));
	c->other = import_intern(import, other, strlen(other));
	c->kept_source = kept_source;
	c->other_source = other_source;
	return c->fact && c->kept && c->other ? 0 : err_no_memory(err);
}

/*
 * The heart of it: what becomes of a new value beside the one that is there.
 * 1: take the new one, 0: keep the old one. *origin is who stands behind the
 * value that stays; the loser becomes a contradiction unless `quiet`.
 */
static int decide(struct import *import, struct device *device, int port, const char *fact,
		  source_ref *origin, const char *old, const char *new, bool quiet, struct err *err)
{
	bool replaces = import_replaces(import, *origin);
	source_ref loser = replaces ? *origin : import->ref;
	source_ref winner = replaces ? import->ref : *origin;
	int rc = 0;

	if (!quiet)
		rc = import_contradiction(import, device, port, fact, replaces ? new : old, winner,
					  replaces ? old : new, loser, err);
	*origin = winner;
	return rc < 0 ? rc : replaces;
}

int import_table(struct import *import, struct device *device, int port, const char *fact,
		 source_ref *origin, bool present, bool equal, const char *old, const char *new,
		 struct err *err)
{
	if (!present) {
		*origin = import->ref;
		return 1;
	}
	if (equal) {
		if (import_replaces(import, *origin))
			*origin = import->ref;
		return 0;
	}
	return decide(import, device, port, fact, origin, old, new, false, err);
}

/* Counts that move on between two captures: a difference says nothing. */
static bool moves_on(const char *member)
{
	return strstr(member, "violations") || strcmp(member, "diag_code") == 0 ||
	       strcmp(member, "port_state_change") == 0;
}

static void value_format(const char *member, int64_t value, char *out, size_t size)
{
	if (strstr(member, "mask") || strstr(member, "prefix") || strstr(member, "_code"))
		snprintf(out, size, "0x%" PRIx64, (uint64_t)value);
	else
		snprintf(out, size, "%" PRId64, value);
}

static int merge_scalar(struct import *import, struct device *device, int port, const char *member,
			int64_t *slot, source_ref *origin, int64_t value, struct err *err)
{
	char old[24];
	char new[24];
	int rc;

	if (value == FIELD_UNKNOWN)
		return 0;
	if (*slot == FIELD_UNKNOWN) {
		*slot = value;
		*origin = import->ref;
		return 0;
	}
	if (*slot == value) {
		if (*origin != import->ref && import_replaces(import, *origin))
			*origin = import->ref;
		return 0;
	}
	value_format(member, *slot, old, sizeof(old));
	value_format(member, value, new, sizeof(new));
	rc = decide(import, device, port, member, origin, old, new, moves_on(member), err);
	if (rc == 1)
		*slot = value;
	return rc < 0 ? rc : 0;
}

/* What a field can never be, whoever says it. */
static int refuse_value(struct import *import, const char *name, int64_t value, int64_t largest,
			struct err *err)
{
	char reason[96];

	if (largest == INT64_MAX)
		snprintf(reason, sizeof(reason), "%s %" PRId64 " is negative", name, value);
	else
		snprintf(reason, sizeof(reason), "%s %" PRId64 " is out of range (0 to %" PRId64 ")",
			 name, value, largest);
	return import_odd_once(import, reason, err);
}

int import_within(struct import *import, const char *name, int64_t value, int64_t largest,
		  int64_t *slot, struct err *err)
{
	if (value < 0 || value > largest)
		return value == FIELD_UNKNOWN ? 0 : refuse_value(import, name, value, largest, err);
	*slot = value;
	return 0;
}

/* The largest value of a port's field that can be told apart from a slip of the pen. */
static int64_t largest_of(const struct field *field)
{
	switch (field->offset) {
	case offsetof(struct port_fields, lid):
	case offsetof(struct port_fields, sm_lid):
		return 0xffff;
	case offsetof(struct port_fields, lmc):
		return 7;
	case offsetof(struct port_fields, sm_sl):
		return 15;
	case offsetof(struct port_fields, vl_high_limit):
	case offsetof(struct port_fields, vlarb_high_cap):
	case offsetof(struct port_fields, vlarb_low_cap):
		return 255;
	default:
		return INT64_MAX;
	}
}

int import_node_field(struct import *import, struct device *device, const struct field *field,
		      int64_t value, struct err *err)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (!origin)
		return err_no_memory(err);
	if (value < 0 && value != FIELD_UNKNOWN)
		return refuse_value(import, field->name, value, INT64_MAX, err);
	return merge_scalar(import, device, -1, field->member,
			    (int64_t *)((char *)&device->info + field->offset),
			    &origin->node[field->offset / sizeof(int64_t)], value, err);
}

int import_switch_field(struct import *import, struct device *device, const struct field *field,
			int64_t value, struct err *err)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (!origin)
		return err_no_memory(err);
	if (value < 0 && value != FIELD_UNKNOWN)
		return refuse_value(import, field->name, value, INT64_MAX, err);
	return merge_scalar(import, device, -1, field->member,
			    (int64_t *)((char *)&device->sw + field->offset),
			    &origin->sw[field->offset / sizeof(int64_t)], value, err);
}

int import_port_field(struct import *import, struct port *port, const struct field *field,
		      int64_t value, struct err *err)
{
	struct port_origin *origin = import_port_origin(import, port);
	int64_t largest = largest_of(field);

	if (!origin)
		return err_no_memory(err);
	if (value != FIELD_UNKNOWN && (value < 0 || value > largest) &&
	    field->offset != offsetof(struct port_fields, gid_prefix))
		return refuse_value(import, field->name, value, largest, err);
	return merge_scalar(import, port->device, port->num, field->member,
			    (int64_t *)((char *)&port->info + field->offset),
			    &origin->field[field->offset / sizeof(int64_t)], value, err);
}

/* The joined code: QDR of the legacy field, and the byte of ExtendedPortInfo. */
#define CODE_QDR INT64_C(4)
#define EXTENDED_SPEEDS INT64_C(0xff0000)

int import_port_speed(struct import *import, struct port *port, int64_t code, struct err *err)
{
	const struct field *field = field_find(port_field_table, "link_speed_code");
	struct port_origin *origin = import_port_origin(import, port);
	size_t at = field->offset / sizeof(int64_t);
	int64_t old = port->info.link_speed_code;
	int rc;

	if (!origin)
		return err_no_memory(err);
	if (code == FIELD_UNKNOWN)
		return 0;
	/* Tools that print a name cannot show the legacy bit beside it: the same speed is no contradiction. */
	if (old != FIELD_UNKNOWN && old != code && speed_of_code(old) == speed_of_code(code) &&
	    speed_of_code(old) != FIELD_UNKNOWN) {
		if (!import_replaces(import, origin->field[at]))
			return 0;
		port->info.link_speed_code = code;
		origin->field[at] = import->ref;
		return 0;
	}
	/* PortInfo shows FDR10 as QDR: who has ExtendedPortInfo too knows more. */
	if (old != FIELD_UNKNOWN && (old & EXTENDED_SPEEDS) != 0 &&
	    (old & ~EXTENDED_SPEEDS) == code && !import_replaces(import, origin->field[at]))
		return 0;
	rc = import_port_field(import, port, field, code, err);
	if (rc < 0)
		return rc;
	port->info.link_speed_active = speed_of_code(port->info.link_speed_code);
	return 0;
}

int import_port_extended_speed(struct import *import, struct port *port, int64_t active,
			       struct err *err)
{
	int64_t old = port->info.link_speed_code;

	import_port_read(import, port, ATTRIBUTE_EXTENDED_PORT_INFO);
	if (active == FIELD_UNKNOWN || (active & 3) == 0)
		return 0;
	if (old == FIELD_UNKNOWN)
		return import_port_speed(import, port, CODE_QDR | (active & 3) << 16, err);
	if (old != CODE_QDR)
		return 0;
	port->info.link_speed_code |= (active & 3) << 16;
	port->info.link_speed_active = speed_of_code(port->info.link_speed_code);
	return 0;
}

static int merge_text(struct import *import, struct device *device, const char *fact, char **slot,
		      source_ref *origin, const char *text, size_t length, struct err *err)
{
	char *copy;
	int rc;

	if (!end_at_nul(import, text, &length))
		return err_no_memory(err);
	if (*slot && strlen(*slot) == length && memcmp(*slot, text, length) == 0) {
		if (*origin != import->ref && import_replaces(import, *origin))
			*origin = import->ref;
		return 0;
	}
	copy = import_intern(import, text, length);
	if (!copy)
		return err_no_memory(err);
	rc = 1;
	if (*slot)
		rc = decide(import, device, -1, fact, origin, *slot, copy, false, err);
	else
		*origin = import->ref;
	if (rc == 1)
		*slot = copy;
	return rc < 0 ? rc : 0;
}

int import_description(struct import *import, struct device *device, const char *text,
		       size_t length, struct err *err)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (!origin)
		return err_no_memory(err);
	if (!end_at_nul(import, text, &length))
		return err_no_memory(err);
	if (length > 64)
		length = 64;
	import_device_read(import, device, ATTRIBUTE_NODE_DESCRIPTION);
	return merge_text(import, device, "description", &device->description, &origin->description,
			  text, length, err);
}

int import_alias(struct import *import, struct device *device, const char *text, size_t length,
		 struct err *err)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (!origin)
		return err_no_memory(err);
	return merge_text(import, device, "alias", &device->alias, &origin->alias, text, length,
			  err);
}

int import_fw_version(struct import *import, struct device *device, const char *text,
		      size_t length, struct err *err)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (!origin)
		return err_no_memory(err);
	return merge_text(import, device, "fw_version", &device->fw_version, &origin->fw_version,
			  text, length, err);
}

int import_psid(struct import *import, struct device *device, const char *text, size_t length,
		struct err *err)
{
	struct device_origin *origin = import_device_origin(import, device);

	if (!origin)
		return err_no_memory(err);
	return merge_text(import, device, "psid", &device->psid, &origin->psid, text, length, err);
}

int import_system_image_guid(struct import *import, struct device *device, uint64_t guid,
			     struct err *err)
{
	struct device_origin *origin = import_device_origin(import, device);
	char old[GUID_TEXT_SIZE];
	char new[GUID_TEXT_SIZE];
	int rc;

	if (!origin)
		return err_no_memory(err);
	if (guid == 0)
		return 0;
	guid_format(device->system_image_guid, old);
	guid_format(guid, new);
	rc = import_table(import, device, -1, "system_image_guid", &origin->system_image_guid,
			  device->system_image_guid != 0, device->system_image_guid == guid, old,
			  new, err);
	if (rc == 1)
		device->system_image_guid = guid;
	return rc < 0 ? rc : 0;
}
