#include "store/fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/array.h"
#include "store/config.h"
#include "store/text.h"

/*
 * Memory comes in chunks that are only given back together. A device is found
 * through a chained hash over node GUIDs that keeps insertion order for equal
 * ones, so that "the first row" does not depend on the table's size.
 */
struct chunk {
	struct chunk *next;
	size_t used;
	size_t size;
	max_align_t data[];
};

struct fabric_private {
	uint64_t seed;		/* of the hash */
	struct chunk *chunks;
	struct device **buckets;
	size_t bucket_count;	/* a power of two */
	struct {		/* what a new device or port begins with */
		struct node_fields node;
		struct switch_fields sw;
		struct port_fields port;
	} unknown;
	struct {
		size_t devices, sources, holes, odd_lines, contradictions, guid_conflicts, sms,
			host_gids, host_ports, facts, planned_links;
	} room;
};

/* Smaller where many small fabrics are made one after the other (fuzzing). */
#ifndef FABRIC_CHUNK_SIZE
#define FABRIC_CHUNK_SIZE (1 << 20)
#endif
#define CHUNK_SIZE ((size_t)FABRIC_CHUNK_SIZE)

void *fabric_alloc(struct fabric *fabric, size_t count, size_t size)
{
	struct fabric_private *private = fabric->private;
	struct chunk *chunk = private->chunks;
	size_t need;
	char *place;

	if (size != 0 && count > SIZE_MAX / 2 / size)
		return NULL;
	need = (count * size + sizeof(max_align_t) - 1) & ~(sizeof(max_align_t) - 1);
	if (need == 0)
		need = sizeof(max_align_t);
	if (!chunk || chunk->size - chunk->used < need) {
		size_t room = need > CHUNK_SIZE / 4 ? need : CHUNK_SIZE;

		chunk = calloc(1, sizeof(*chunk) + room);
		if (!chunk)
			return NULL;
		chunk->size = room;
		/* A chunk of its own goes behind the head, so that the head keeps its free rest. */
		if (room != CHUNK_SIZE && private->chunks) {
			chunk->next = private->chunks->next;
			private->chunks->next = chunk;
		} else {
			chunk->next = private->chunks;
			private->chunks = chunk;
		}
	}
	place = (char *)chunk->data + chunk->used;
	chunk->used += need;
	return place;
}

char *fabric_text(struct fabric *fabric, const char *text, size_t length)
{
	char *copy = fabric_alloc(fabric, length + 1, 1);

	if (copy)
		memcpy(copy, text, length);
	return copy;
}

int fabric_new(struct fabric **ret_fabric, struct err *err)
{
	struct fabric *fabric = calloc(1, sizeof(*fabric));
	struct timespec now = {0};

	if (!fabric)
		return err_no_memory(err);
	fabric->private = calloc(1, sizeof(*fabric->private));
	if (!fabric->private) {
		fabric_free(fabric);
		return err_no_memory(err);
	}
	field_set_all_unknown(&fabric->private->unknown.node, node_field_table);
	field_set_all_unknown(&fabric->private->unknown.sw, switch_field_table);
	field_set_all_unknown(&fabric->private->unknown.port, port_field_table);
	clock_gettime(CLOCK_MONOTONIC, &now);
	fabric->private->seed = (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^
				(uint64_t)(uintptr_t)fabric;
	fabric->config = config_new(fabric);
	if (!fabric->config) {
		fabric_free(fabric);
		return err_no_memory(err);
	}
	fabric->taken_at = FIELD_UNKNOWN;
	*ret_fabric = fabric;
	return 0;
}

void fabric_free(struct fabric *fabric)
{
	if (!fabric)
		return;
	if (fabric->private) {
		for (struct chunk *chunk = fabric->private->chunks; chunk;) {
			struct chunk *next = chunk->next;

			free(chunk);
			chunk = next;
		}
		free(fabric->private->buckets);
		free(fabric->private);
	}
	free(fabric->devices);
	free(fabric->sources);
	free(fabric->holes);
	free(fabric->odd_lines);
	free(fabric->contradictions);
	free(fabric->guid_conflicts);
	free(fabric->sms);
	free(fabric->host_gids);
	free(fabric->host_ports);
	free(fabric->facts);
	free(fabric->planned_links);
	free(fabric);
}

#define LIST_ADD(fabric, list, count)                                                             \
	do {                                                                                      \
		void *grown = array_grow((fabric)->list, (fabric)->count,                          \
					&(fabric)->private->room.list, sizeof(*(fabric)->list));  \
		if (!grown)                                                                       \
			return NULL;                                                              \
		(fabric)->list = grown;                                                           \
		memset(&(fabric)->list[(fabric)->count], 0, sizeof(*(fabric)->list));             \
	} while (0)

uint64_t fabric_hash(const struct fabric *fabric, uint64_t value)
{
	/* The finisher of splitmix64. */
	value ^= fabric->private->seed;
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static size_t bucket_of(const struct fabric *fabric, uint64_t guid, size_t bucket_count)
{
	return (size_t)fabric_hash(fabric, guid) & (bucket_count - 1);
}

/* Only the first of those with equal GUIDs stands in the bucket; the others hang on it. */
static void bucket_append(struct device **bucket, struct device *device)
{
	struct device **end = bucket;

	while (*end && (*end)->guid != device->guid)
		end = &(*end)->next_in_bucket;
	if (*end) {
		(*end)->last_of_guid->same_guid = device;
		(*end)->last_of_guid = device;
	} else {
		*end = device;
		device->last_of_guid = device;
	}
}

static bool buckets_grow(struct fabric *fabric)
{
	struct fabric_private *private = fabric->private;
	size_t count = private->bucket_count ? private->bucket_count * 4 : 256;
	struct device **buckets;

	if (fabric->device_count < private->bucket_count)
		return true;
	buckets = calloc(count, sizeof(struct device *));
	if (!buckets)
		return false;
	free(private->buckets);
	private->buckets = buckets;
	private->bucket_count = count;
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		device->next_in_bucket = NULL;
		device->same_guid = NULL;
		bucket_append(&buckets[bucket_of(fabric, device->guid, count)], device);
	}
	return true;
}

struct device *fabric_device_add(struct fabric *fabric, uint64_t guid, enum node_type type)
{
	struct device **devices;
	struct device *device;

	if (!buckets_grow(fabric))
		return NULL;
	devices = array_grow(fabric->devices, fabric->device_count, &fabric->private->room.devices,
			    sizeof(struct device *));
	if (!devices)
		return NULL;
	fabric->devices = devices;
	device = fabric_alloc(fabric, 1, sizeof(*device));
	if (!device)
		return NULL;
	device->index = fabric->device_count;
	device->guid = guid;
	device->type = type;
	device->info = fabric->private->unknown.node;
	device->sw = fabric->private->unknown.sw;
	fabric->devices[fabric->device_count++] = device;
	bucket_append(&fabric->private->buckets[bucket_of(fabric, guid, fabric->private->bucket_count)],
		      device);
	return device;
}

void fabric_devices_index(struct fabric *fabric)
{
	struct fabric_private *private = fabric->private;

	if (private->bucket_count == 0)
		return;
	memset(private->buckets, 0, private->bucket_count * sizeof(struct device *));
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		device->index = i;
		device->next_in_bucket = NULL;
		device->same_guid = NULL;
		bucket_append(&private->buckets[bucket_of(fabric, device->guid, private->bucket_count)],
			      device);
	}
}

void fabric_devices_compact(struct fabric *fabric, const bool *drop)
{
	size_t kept = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		if (!drop[i])
			fabric->devices[kept++] = fabric->devices[i];
	}
	fabric->device_count = kept;
	fabric_devices_index(fabric);
}

struct device *fabric_device_find(const struct fabric *fabric, uint64_t guid)
{
	const struct fabric_private *private = fabric->private;
	struct device *device;

	if (private->bucket_count == 0)
		return NULL;
	device = private->buckets[bucket_of(fabric, guid, private->bucket_count)];
	while (device && device->guid != guid)
		device = device->next_in_bucket;
	return device;
}

struct port *fabric_port(struct fabric *fabric, struct device *device, uint8_t num)
{
	struct port *port;

	if (num >= device->port_slots) {
		size_t slots = (size_t)num + 1;
		struct port **ports;

		/* NumPorts bounds the slots, but a wrong NumPorts must not lose a port. */
		if (device->info.num_ports > num && device->info.num_ports <= 254)
			slots = (size_t)device->info.num_ports + 1;
		ports = fabric_alloc(fabric, slots, sizeof(struct port *));
		if (!ports)
			return NULL;
		if (device->port_slots)
			memcpy(ports, device->ports, device->port_slots * sizeof(struct port *));
		device->ports = ports;
		device->port_slots = slots;
	}
	if (device->ports[num])
		return device->ports[num];
	port = fabric_alloc(fabric, 1, sizeof(*port));
	if (!port)
		return NULL;
	port->device = device;
	port->num = num;
	port->info = fabric->private->unknown.port;
	device->ports[num] = port;
	return port;
}

struct port *device_port(const struct device *device, unsigned num)
{
	return num < device->port_slots ? device->ports[num] : NULL;
}

void fabric_link(struct port *a, struct port *b)
{
	a->peer = b;
	b->peer = a;
	a->peer_inferred = false;
	b->peer_inferred = false;
}

bool port_peer_is_told_twice(const struct port *port)
{
	return port->peer && port->peer->peer == port && !port->peer_inferred &&
	       !port->peer->peer_inferred;
}

bool device_lft_reserve(struct fabric *fabric, struct device *device, size_t lids)
{
	size_t size = (lids + 63) & ~(size_t)63;
	uint8_t *lft;
	uint8_t *blocks;

	if (size <= device->lft_size)
		return true;
	if (size < 2 * device->lft_size)
		size = 2 * device->lft_size;
	if (size > 65536)
		size = 65536;
	lft = fabric_alloc(fabric, size, 1);
	blocks = fabric_alloc(fabric, size / 64 / 8 + 1, 1);
	if (!lft || !blocks)
		return false;
	memset(lft, 255, size);
	if (device->lft_size) {
		memcpy(lft, device->lft, device->lft_size);
		memcpy(blocks, device->lft_blocks, device->lft_size / 64 / 8 + 1);
	}
	device->lft = lft;
	device->lft_blocks = blocks;
	device->lft_size = size;
	return true;
}

void lft_set_block(struct device *device, unsigned block, const uint8_t entries[64])
{
	memcpy(device->lft + (size_t)block * 64, entries, 64);
	device->lft_blocks[block / 8] |= (uint8_t)(1u << (block % 8));
}

bool lft_known(const struct device *device, unsigned lid)
{
	if (lid >= device->lft_size)
		return false;
	return device->lft_blocks[lid / 64 / 8] >> (lid / 64 % 8) & 1;
}

struct source *fabric_source_add(struct fabric *fabric, enum source_kind kind, const char *name,
				 const char *format)
{
	struct source *source;

	if (fabric->source_count >= UINT16_MAX - 1)
		return NULL;
	LIST_ADD(fabric, sources, source_count);
	source = &fabric->sources[fabric->source_count];
	source->kind = kind;
	source->taken_at = FIELD_UNKNOWN;
	source->name = fabric_text(fabric, name, strlen(name));
	source->format = fabric_text(fabric, format, strlen(format));
	if (!source->name || !source->format)
		return NULL;
	fabric->source_count++;
	return source;
}

source_ref fabric_source_newest(const struct fabric *fabric)
{
	return (source_ref)fabric->source_count;
}

struct hole *fabric_hole_add(struct fabric *fabric)
{
	LIST_ADD(fabric, holes, hole_count);
	return &fabric->holes[fabric->hole_count++];
}

struct odd_line *fabric_odd_line_add(struct fabric *fabric)
{
	LIST_ADD(fabric, odd_lines, odd_line_count);
	return &fabric->odd_lines[fabric->odd_line_count++];
}

struct contradiction *fabric_contradiction_add(struct fabric *fabric)
{
	LIST_ADD(fabric, contradictions, contradiction_count);
	return &fabric->contradictions[fabric->contradiction_count++];
}

struct guid_conflict *fabric_guid_conflict_add(struct fabric *fabric)
{
	LIST_ADD(fabric, guid_conflicts, guid_conflict_count);
	return &fabric->guid_conflicts[fabric->guid_conflict_count++];
}

struct sm *fabric_sm_add(struct fabric *fabric)
{
	struct sm *sm;

	LIST_ADD(fabric, sms, sm_count);
	sm = &fabric->sms[fabric->sm_count++];
	sm->lid = FIELD_UNKNOWN;
	sm->priority = FIELD_UNKNOWN;
	sm->state = FIELD_UNKNOWN;
	sm->act_count = FIELD_UNKNOWN;
	return sm;
}

struct host_gid *fabric_host_gid_add(struct fabric *fabric)
{
	LIST_ADD(fabric, host_gids, host_gid_count);
	return &fabric->host_gids[fabric->host_gid_count++];
}

struct host_port *fabric_host_port_add(struct fabric *fabric)
{
	struct host_port *port;

	LIST_ADD(fabric, host_ports, host_port_count);
	port = &fabric->host_ports[fabric->host_port_count++];
	port->state = FIELD_UNKNOWN;
	port->phys_state = FIELD_UNKNOWN;
	port->rate_mbps = FIELD_UNKNOWN;
	port->width = FIELD_UNKNOWN;
	port->lid = FIELD_UNKNOWN;
	port->lmc = FIELD_UNKNOWN;
	port->sm_lid = FIELD_UNKNOWN;
	port->gid_slots = FIELD_UNKNOWN;
	port->gids_unread = FIELD_UNKNOWN;
	return port;
}

struct fact *fabric_fact_add(struct fabric *fabric)
{
	LIST_ADD(fabric, facts, fact_count);
	return &fabric->facts[fabric->fact_count++];
}

struct planned_link *fabric_planned_link_add(struct fabric *fabric)
{
	LIST_ADD(fabric, planned_links, planned_link_count);
	return &fabric->planned_links[fabric->planned_link_count++];
}

struct port *port_lid_owner(const struct port *port)
{
	if (port->device->type == NODE_TYPE_SWITCH)
		return device_port(port->device, 0);
	return port->device->ports[port->num];
}

bool port_is_end_port(const struct port *port)
{
	return port->device->type != NODE_TYPE_SWITCH || port->num == 0;
}

bool port_is_base_port0(const struct port *port)
{
	return port->device->type == NODE_TYPE_SWITCH && port->num == 0 &&
	       port->device->sw.enhanced_port0 != 1;
}

bool port_is_up(const struct port *port)
{
	return !port_is_base_port0(port) && port->info.port_state >= 2 &&
	       port->info.port_state <= 5;
}

bool port_is_active(const struct port *port)
{
	return port_is_up(port) && port->info.port_state >= 4;
}

int port_capability(const struct port *port, unsigned bit)
{
	const struct port *owner = port_lid_owner(port);

	if (!owner || owner->info.capability_mask == FIELD_UNKNOWN)
		return -1;
	return owner->info.capability_mask >> bit & 1;
}

const struct sl2vl *port_sl2vl(const struct port *port, unsigned in)
{
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		if (port->sl2vl[i].in_first <= in && in <= port->sl2vl[i].in_last)
			return &port->sl2vl[i];
	}
	return NULL;
}
