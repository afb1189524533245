#include "tests/support/sub_fabric.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct compare {
	const struct fabric *part, *whole;
	char *why;
	size_t size;
};

static bool differs(const struct compare *compare, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static bool differs(const struct compare *compare, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(compare->why, compare->size, format, args);
	va_end(args);
	return false;
}

static bool same_text(const char *part, const char *whole)
{
	return !part || (whole && strcmp(part, whole) == 0);
}

/* A struct of int64_t's: each is unknown or the same. */
static bool sub_fields(const void *part, const void *whole, size_t size)
{
	const int64_t *a = part;
	const int64_t *b = whole;

	for (size_t i = 0; i < size / sizeof(*a); i++) {
		if (a[i] != FIELD_UNKNOWN && a[i] != b[i])
			return false;
	}
	return true;
}

static bool has_sl2vl(const struct port *port, unsigned in, const uint8_t vl[16])
{
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		const struct sl2vl *row = &port->sl2vl[i];

		if (in >= row->in_first && in <= row->in_last)
			return memcmp(row->vl, vl, 16) == 0;
	}
	return false;
}

static bool sub_vlarb(const struct vlarb_entry *part, size_t count, const struct vlarb_entry *whole,
		      size_t whole_count)
{
	return !part || (count <= whole_count && (count == 0 ||
						  memcmp(part, whole, count * sizeof(*part)) == 0));
}

static bool sub_tables(const struct compare *compare, const struct port *a, const struct port *b)
{
	for (size_t i = 0; i < a->sl2vl_count; i++) {
		for (unsigned in = a->sl2vl[i].in_first; in <= a->sl2vl[i].in_last; in++) {
			if (!has_sl2vl(b, in, a->sl2vl[i].vl))
				return differs(compare, "SL2VL in %u", in);
		}
	}
	if (!sub_vlarb(a->vlarb_high, a->vlarb_high_count, b->vlarb_high, b->vlarb_high_count) ||
	    !sub_vlarb(a->vlarb_low, a->vlarb_low_count, b->vlarb_low, b->vlarb_low_count))
		return differs(compare, "VLArb");
	for (size_t i = 0; i < a->pkey_count; i++) {
		size_t j = 0;

		while (j < b->pkey_count && b->pkeys[j] != a->pkeys[i])
			j++;
		if (j == b->pkey_count)
			return differs(compare, "P_Key 0x%04x", (unsigned)a->pkeys[i]);
	}
	for (size_t i = 0; i < a->guid_count; i++) {
		if (a->guids[i] != 0 && (i >= b->guid_count || a->guids[i] != b->guids[i]))
			return differs(compare, "GUID %zu", i);
	}
	for (unsigned i = 0; a->counters && i < COUNTER_COUNT; i++) {
		if (!(a->counters->known >> i & 1))
			continue;
		if (!b->counters || !(b->counters->known >> i & 1) ||
		    (a->counters->value[i] != b->counters->value[i] &&
		     /* "At least so much" is true of more. */
		     (!(a->counters->saturated >> i & 1) ||
		      a->counters->value[i] > b->counters->value[i])))
			return differs(compare, "counter %u is %" PRIu64, i, a->counters->value[i]);
	}
	return true;
}

/*
 * The device of the whole that is meant: with its GUID, or, of one known by its port's
 * GUID alone, that which has such a port or goes by the same name and a GUID nearby.
 */
static const struct device *find_meant(const struct fabric *whole, const struct device *part)
{
	const struct device *found = fabric_device_find(whole, part->guid);

	for (size_t i = 0; !found && i < whole->device_count; i++) {
		const struct device *device = whole->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			if (device->ports[p] && device->ports[p]->guid == part->guid)
				found = device;
		}
		if (part->type == NODE_TYPE_UNKNOWN && part->guid - device->guid <= 4 &&
		    part->description && same_text(part->description, device->description))
			found = device;
	}
	return found;
}

/* Somebody has this LID. */
static bool is_owned(const struct fabric *fabric, int64_t lid)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			if (device->ports[p] && device->ports[p]->info.lid == lid)
				return true;
		}
	}
	return false;
}

static bool sub_port(const struct compare *compare, const struct port *a, const struct port *b)
{
	char where[DEVICE_LABEL_SIZE + 16];
	char inner[200];
	const struct compare inside = {compare->part, compare->whole, inner, sizeof(inner)};

	port_label(a, true, where, sizeof(where));
	if (!b)
		return differs(compare, "%s: no such port", where);
	if (a->guid != 0 && a->guid != b->guid)
		return differs(compare, "%s: port GUID 0x%" PRIx64, where, a->guid);
	if (!sub_fields(&a->info, &b->info, sizeof(a->info))) {
		for (size_t i = 0; port_field_table[i].name; i++) {
			int64_t x = field_get(&a->info, &port_field_table[i]);

			if (x != FIELD_UNKNOWN && x != field_get(&b->info, &port_field_table[i]))
				return differs(compare, "%s: %s is %" PRId64, where,
					       port_field_table[i].name, x);
		}
	}
	if (a->peer && (!b->peer || a->peer->num != b->peer->num ||
			find_meant(compare->whole, a->peer->device) != b->peer->device))
		return differs(compare, "%s: another peer, port %u of 0x%" PRIx64, where,
			       (unsigned)a->peer->num, a->peer->device->guid);
	if (!sub_tables(&inside, a, b))
		return differs(compare, "%s: %s", where, inner);
	return true;
}

static bool sub_device(const struct compare *compare, const struct device *a)
{
	const struct device *b = find_meant(compare->whole, a);

	if (!b)
		return differs(compare, "device 0x%" PRIx64, a->guid);
	/* Whether it is in the other as well is said of each of several with one GUID. */
	if (b->same_guid)
		return true;
	if ((a->type != NODE_TYPE_UNKNOWN && a->type != b->type) ||
	    (a->system_image_guid != 0 && a->system_image_guid != b->system_image_guid) ||
	    !sub_fields(&a->info, &b->info, sizeof(a->info)) ||
	    !sub_fields(&a->sw, &b->sw, sizeof(a->sw)))
		return differs(compare, "device 0x%" PRIx64 ": type, image GUID or fields", a->guid);
	if (!same_text(a->description, b->description ? b->description : b->alias) ||
	    !same_text(a->alias, b->alias) || !same_text(a->fw_version, b->fw_version) ||
	    !same_text(a->psid, b->psid))
		return differs(compare, "device 0x%" PRIx64 ": the text \"%s\" \"%s\"", a->guid,
			       a->description ? a->description : "",
			       a->alias ? a->alias : "");
	for (size_t lid = 0; lid < a->lft_size; lid++) {
		/* No route to a LID that nobody has says nothing. */
		if (lft_known(a, (unsigned)lid) &&
		    (!lft_known(b, (unsigned)lid) || a->lft[lid] != b->lft[lid]) &&
		    (a->lft[lid] != 255 || is_owned(compare->part, (int64_t)lid)))
			return differs(compare, "device 0x%" PRIx64 ": LID %zu goes to %u", a->guid,
				       lid, (unsigned)a->lft[lid]);
	}
	for (size_t i = 0; i < a->mft_count; i++) {
		size_t j = 0;

		while (j < b->mft_count && b->mft[j].mlid != a->mft[i].mlid)
			j++;
		if (j == b->mft_count || memcmp(&a->mft[i], &b->mft[j], sizeof(a->mft[i])) != 0)
			return differs(compare, "device 0x%" PRIx64 ": MLID 0x%x", a->guid,
				       (unsigned)a->mft[i].mlid);
	}
	for (size_t p = 0; p < a->port_slots; p++) {
		if (a->ports[p] && !sub_port(compare, a->ports[p], device_port(b, (unsigned)p)))
			return false;
	}
	return true;
}

static bool has_fact(const struct fabric *whole, const struct fact *fact)
{
	for (size_t i = 0; i < whole->fact_count; i++) {
		const struct fact *other = &whole->facts[i];

		if (fact->port == other->port && !fact->device == !other->device &&
		    (!fact->device || fact->device->guid == other->device->guid) &&
		    strcmp(fact->section, other->section) == 0 &&
		    strcmp(fact->key, other->key) == 0 && strcmp(fact->value, other->value) == 0)
			return true;
	}
	return false;
}

static bool has_sm(const struct fabric *whole, const struct sm *sm)
{
	for (size_t i = 0; i < whole->sm_count; i++) {
		const struct sm *other = &whole->sms[i];

		if (sm->port_guid == other->port_guid &&
		    (sm->lid == FIELD_UNKNOWN || sm->lid == other->lid) &&
		    (sm->priority == FIELD_UNKNOWN || sm->priority == other->priority) &&
		    (sm->state == FIELD_UNKNOWN || sm->state == other->state) &&
		    (sm->act_count == FIELD_UNKNOWN || sm->act_count == other->act_count))
			return true;
	}
	return false;
}

static bool known(int64_t part, int64_t whole)
{
	return part == FIELD_UNKNOWN || part == whole;
}

static bool has_host_port(const struct fabric *whole, const struct host_port *port)
{
	for (size_t i = 0; i < whole->host_port_count; i++) {
		const struct host_port *other = &whole->host_ports[i];

		if (strcmp(port->device, other->device) == 0 && port->port == other->port &&
		    same_text(port->link_layer, other->link_layer) &&
		    same_text(port->speed, other->speed) &&
		    same_text(port->fw_version, other->fw_version) &&
		    (port->node_guid == 0 || port->node_guid == other->node_guid) &&
		    (port->port_guid == 0 || port->port_guid == other->port_guid) &&
		    known(port->state, other->state) && known(port->phys_state, other->phys_state) &&
		    known(port->rate_mbps, other->rate_mbps) && known(port->lid, other->lid) &&
		    known(port->lmc, other->lmc) && known(port->sm_lid, other->sm_lid))
			return true;
	}
	return false;
}

static bool has_gid(const struct fabric *whole, const struct host_gid *gid)
{
	for (size_t i = 0; i < whole->host_gid_count; i++) {
		const struct host_gid *other = &whole->host_gids[i];

		if (strcmp(gid->device, other->device) == 0 && gid->port == other->port &&
		    gid->index == other->index && memcmp(gid->gid, other->gid, 16) == 0 &&
		    same_text(gid->type, other->type) && same_text(gid->netdev, other->netdev))
			return true;
	}
	return false;
}

bool is_sub_fabric(const struct fabric *part, const struct fabric *whole, char *why, size_t size)
{
	const struct compare compare = {part, whole, why, size};

	for (size_t i = 0; i < part->device_count; i++) {
		if (!sub_device(&compare, part->devices[i]))
			return false;
	}
	if (part->guid_conflict_count > whole->guid_conflict_count)
		return differs(&compare, "a GUID has two owners");
	for (size_t i = 0; i < part->fact_count; i++) {
		/* What could not be resolved is no fact of the fabric. */
		if (strcmp(part->facts[i].section, "neighbor") != 0 && !has_fact(whole, &part->facts[i]))
			return differs(&compare, "the fact %s %s %s", part->facts[i].section,
				       part->facts[i].key, part->facts[i].value);
	}
	for (size_t i = 0; i < part->sm_count; i++) {
		if (!has_sm(whole, &part->sms[i]))
			return differs(&compare, "the SM 0x%" PRIx64, part->sms[i].port_guid);
	}
	for (size_t i = 0; i < part->host_port_count; i++) {
		if (!has_host_port(whole, &part->host_ports[i]))
			return differs(&compare, "the host's port %s/%u", part->host_ports[i].device,
				       (unsigned)part->host_ports[i].port);
	}
	for (size_t i = 0; i < part->host_gid_count; i++) {
		if (!has_gid(whole, &part->host_gids[i]))
			return differs(&compare, "the GID %s/%u/%d", part->host_gids[i].device,
				       (unsigned)part->host_gids[i].port, part->host_gids[i].index);
	}
	return true;
}
