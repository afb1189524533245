#include "rules/analysis/guids.h"

#include <stdlib.h>

#include "rules/analysis/log_events.h"
#include "store/array.h"

static void guids_release(void *data)
{
	struct guid_clashes *clashes = data;

	free(clashes->list);
	free(clashes->ports);
	free(clashes);
}

bool guid_clash_is_seen(const struct guid_clash *clash)
{
	return clash->other || clash->conflict || clash->place_a;
}

static bool guid_is_real(uint64_t guid)
{
	return guid != 0 && guid != UINT64_MAX;
}

static int add(struct guid_clashes *clashes, struct guid_clash clash, struct err *err)
{
	struct guid_clash *grown;

	if (!guid_is_real(clash.guid))
		return 0;
	grown = array_grow(clashes->list, clashes->count, &clashes->room, sizeof(*grown));
	if (!grown)
		return err_no_memory(err);
	clashes->list = grown;
	clashes->list[clashes->count++] = clash;
	return 0;
}

static int add_rows(struct guid_clashes *clashes, const struct fabric *fabric, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		if (device->same_guid)
			rc = add(clashes,
				 (struct guid_clash){.guid = device->guid, .device = device,
						     .other = device->same_guid},
				 err);
	}
	return rc;
}

/* A port whose neighbour is cabled, by the same source's word, to another port. */
static int add_shared_neighbors(struct guid_clashes *clashes, const struct fabric *fabric,
				struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t num = 0; rc == 0 && num < device->port_slots; num++) {
			struct port *port = device->ports[num];
			struct port *shared = port ? port->peer : NULL;
			struct port *rival = shared ? shared->peer : NULL;

			if (!rival || rival == port || rival->peer != shared ||
			    rival->source_of[ATTRIBUTE_NEIGHBOR] !=
				    port->source_of[ATTRIBUTE_NEIGHBOR])
				continue;
			rc = add(clashes,
				 (struct guid_clash){.guid = shared->device->guid,
						     .device = shared->device,
						     .place_a = rival, .place_b = port},
				 err);
		}
	}
	return rc;
}

static int compare_port_guids(const void *a, const void *b)
{
	const struct port *left = *(struct port *const *)a;
	const struct port *right = *(struct port *const *)b;

	if (left->guid != right->guid)
		return left->guid < right->guid ? -1 : 1;
	if (left->device->guid != right->device->guid)
		return left->device->guid < right->device->guid ? -1 : 1;
	if (left->device->index != right->device->index)
		return left->device->index < right->device->index ? -1 : 1;
	return (left->num > right->num) - (left->num < right->num);
}

/* All end ports with a GUID, by GUID. NULL: no memory. */
static const struct port **sorted_ports(const struct fabric *fabric, size_t *ret_count)
{
	const struct port **ports;
	size_t room = 1;

	*ret_count = 0;
	for (size_t i = 0; i < fabric->device_count; i++)
		room += fabric->devices[i]->port_slots;
	ports = calloc(room, sizeof(const struct port *));
	for (size_t i = 0; ports && i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (device->ports[num] && device->ports[num]->guid != 0 &&
			    port_is_end_port(device->ports[num]))
				ports[(*ret_count)++] = device->ports[num];
		}
	}
	if (ports)
		qsort(ports, *ret_count, sizeof(const struct port *), compare_port_guids);
	return ports;
}

/* Leaves one port of each device; returns how many there are. */
static size_t one_of_each_device(const struct port **ports, size_t count)
{
	size_t kept = 1;

	for (size_t i = 1; i < count; i++) {
		if (ports[i]->device != ports[kept - 1]->device)
			ports[kept++] = ports[i];
	}
	return kept;
}

static int add_port_guids(struct guid_clashes *clashes, const struct fabric *fabric,
			  struct err *err)
{
	size_t count;
	int rc = 0;

	clashes->ports = sorted_ports(fabric, &count);
	if (!clashes->ports)
		return err_no_memory(err);
	for (size_t i = 0, end; rc == 0 && i < count; i = end) {
		const struct port **ports = clashes->ports + i;
		struct guid_clash clash = {.guid = ports[0]->guid, .is_port_guid = true,
					   .device = ports[0]->device};
		size_t owners;

		for (end = i + 1; end < count && clashes->ports[end]->guid == clash.guid; end++)
			;
		owners = one_of_each_device(ports, end - i);
		if (owners == 1)
			continue;
		/* Twins under one node GUID: it is in the ports of both, whatever number it is. */
		if (ports[0]->device->guid != ports[owners - 1]->device->guid) {
			clash.other = ports[owners - 1]->device;
			clash.owners = ports;
			clash.owner_count = owners;
		}
		rc = add(clashes, clash, err);
	}
	return rc;
}

static int add_told(struct guid_clashes *clashes, const struct fabric *fabric, struct err *err)
{
	static const enum log_event_kind kinds[] = {LOG_DUPLICATE_NODE_GUID, LOG_DUPLICATE_PORT_GUID};
	const struct config *config = fabric->config;
	const struct log_event *event = NULL;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->guid_conflict_count; i++) {
		const struct guid_conflict *conflict = &fabric->guid_conflicts[i];

		rc = add(clashes,
			 (struct guid_clash){.guid = conflict->guid,
					     .is_port_guid = conflict->is_port_guid,
					     .conflict = conflict},
			 err);
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		while (rc == 0 && (event = log_event_next(config, kinds[i], event)))
			rc = add(clashes,
				 (struct guid_clash){.guid = event->guid,
						     .is_port_guid = kinds[i] == LOG_DUPLICATE_PORT_GUID,
						     .event = event},
				 err);
	}
	return rc;
}

static int compare_clashes(const void *a, const void *b)
{
	const struct guid_clash *left = a;
	const struct guid_clash *right = b;

	if (left->guid != right->guid)
		return left->guid < right->guid ? -1 : 1;
	if (left->is_port_guid != right->is_port_guid)
		return left->is_port_guid ? 1 : -1;
	if (left->device && right->device && left->device != right->device)
		return left->device->index < right->device->index ? -1 : 1;
	return 0;
}

static void take_over(struct guid_clash *into, const struct guid_clash *from)
{
	if (!into->device)
		into->device = from->device;
	if (!into->other) {
		into->other = from->other;
		into->owners = from->owners;
		into->owner_count = from->owner_count;
	}
	if (!into->conflict)
		into->conflict = from->conflict;
	if (!into->place_a) {
		into->place_a = from->place_a;
		into->place_b = from->place_b;
	}
	if (!into->event || (from->event && from->event->count > into->event->count))
		into->event = from->event;
}

/*
 * True for a port GUID that two devices of one node GUID have, or that is the node
 * GUID with two owners itself: the node GUID tells of them. `before` is the entry
 * before it, which has a node GUID of the same number when there is one.
 */
static bool is_told_by_node(const struct guid_clash *clash, const struct guid_clash *before)
{
	if (!clash->is_port_guid || clash->other)
		return false;
	return clash->device || (before && before->guid == clash->guid && !before->is_port_guid);
}

/* One entry for each GUID and kind; a device that only a log or a conflict named is looked up. */
static void merge(struct guid_clashes *clashes, const struct fabric *fabric)
{
	size_t kept = 0;

	if (clashes->count > 1)
		qsort(clashes->list, clashes->count, sizeof(*clashes->list), compare_clashes);
	for (size_t i = 0; i < clashes->count; i++) {
		struct guid_clash *last = kept ? &clashes->list[kept - 1] : NULL;

		if (last && last->guid == clashes->list[i].guid &&
		    last->is_port_guid == clashes->list[i].is_port_guid)
			take_over(last, &clashes->list[i]);
		else
			clashes->list[kept++] = clashes->list[i];
	}
	clashes->count = kept;
	kept = 0;
	for (size_t i = 0; i < clashes->count; i++) {
		struct guid_clash *before = kept ? &clashes->list[kept - 1] : NULL;

		if (!is_told_by_node(&clashes->list[i], before))
			clashes->list[kept++] = clashes->list[i];
		else if (before && before->guid == clashes->list[i].guid && !before->event)
			before->event = clashes->list[i].event;
	}
	clashes->count = kept;
	for (size_t i = 0; i < kept; i++) {
		struct guid_clash *clash = &clashes->list[i];

		if (!clash->device && !clash->is_port_guid)
			clash->device = fabric_device_find(fabric, clash->guid);
	}
}

int analysis_guids(struct analysis *analysis, const struct guid_clashes **ret_clashes,
		   struct err *err)
{
	const struct fabric *fabric = analysis_fabric(analysis);
	struct guid_clashes *clashes = analysis_part(analysis, ANALYSIS_GUIDS);
	int rc;

	if (clashes) {
		*ret_clashes = clashes;
		return 0;
	}
	clashes = calloc(1, sizeof(*clashes));
	if (!clashes)
		return err_no_memory(err);
	analysis_keep(analysis, ANALYSIS_GUIDS, clashes, guids_release);
	rc = add_rows(clashes, fabric, err);
	if (rc == 0)
		rc = add_shared_neighbors(clashes, fabric, err);
	if (rc == 0)
		rc = add_port_guids(clashes, fabric, err);
	if (rc == 0)
		rc = add_told(clashes, fabric, err);
	if (rc == 0)
		merge(clashes, fabric);
	*ret_clashes = clashes;
	return rc;
}
