/* Counters, P_Keys, GUIDs, SL2VL and VLArb tables, SMs and facts without a column. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/merge.h"
#include "store/text.h"

static enum attribute counter_attribute(enum counter counter)
{
	if (counter >= COUNTER_local_physical_errors)
		return ATTRIBUTE_COUNTER_DETAILS;
	if (counter >= COUNTER_unicast_xmit_pkts)
		return ATTRIBUTE_COUNTERS_EXTENDED;
	return ATTRIBUTE_COUNTERS;
}

/* What ibdiagnet prints for a counter that it could not get. */
#define NOT_AVAILABLE (UINT64_MAX - 1)

int import_counter(struct import *import, struct port *port, enum counter counter, uint64_t value,
		   bool saturated, struct err *err)
{
	struct port_origin *origin = import_port_origin(import, port);
	uint64_t bit = UINT64_C(1) << counter;

	if (value == NOT_AVAILABLE)
		return 0;
	if (!port->counters) {
		port->counters = fabric_alloc(import->fabric, 1, sizeof(*port->counters));
		if (port->counters)
			port->counters->read_at = FIELD_UNKNOWN;
	}
	if (!origin || !port->counters)
		return err_no_memory(err);
	/* Counters move on: a difference between two captures is no contradiction. */
	if ((port->counters->known & bit) && !import_replaces(import, origin->counter[counter]))
		return 0;
	/* "At least 255" says less than the 300 that is there, whoever told it last. */
	if (saturated && (port->counters->known & ~port->counters->saturated & bit) &&
	    port->counters->value[counter] > value)
		return 0;
	origin->counter[counter] = import->ref;
	port->counters->value[counter] = value;
	port->counters->known |= bit;
	port->counters->saturated &= ~bit;
	if (saturated)
		port->counters->saturated |= bit;
	if (import_source(import)->taken_at != FIELD_UNKNOWN)
		port->counters->read_at = import_source(import)->taken_at;
	import_port_read(import, port, counter_attribute(counter));
	return 0;
}

int import_counter_pair(struct import *import, struct port *port, enum counter counter,
			const uint64_t *value, const uint64_t *twin, struct err *err)
{
	uint64_t limit = (UINT64_C(1) << (counter_table[counter].short_bits & 63)) - 1;

	if (value && *value == NOT_AVAILABLE)
		value = NULL;
	if (twin && *twin == NOT_AVAILABLE)
		twin = NULL;
	if (twin && (!value || *twin >= *value))
		return import_counter(import, port, counter, *twin, *twin == UINT64_MAX, err);
	if (value)
		return import_counter(import, port, counter, *value, *value >= limit, err);
	return 0;
}

/* "0x7fff,0xffff, ..." for a contradiction, cut where the room ends. */
static void pkeys_text(const uint16_t *pkeys, size_t count, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < count && used + 8 < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s0x%04x", i ? "," : "", pkeys[i]);
}

int import_pkeys(struct import *import, struct port *port, const uint16_t *pkeys, size_t count,
		 struct err *err)
{
	char old[128];
	char new[128];
	bool equal = port->pkeys && port->pkey_count == count &&
		     memcmp(port->pkeys, pkeys, count * sizeof(*pkeys)) == 0;
	int rc;

	pkeys_text(port->pkeys, port->pkeys ? port->pkey_count : 0, old, sizeof(old));
	pkeys_text(pkeys, count, new, sizeof(new));
	rc = import_table(import, port->device, port->num, "pkeys",
			  &port->source_of[ATTRIBUTE_PKEY_TABLE], port->pkeys != NULL, equal, old,
			  new, err);
	if (rc != 1)
		return rc;
	port->pkeys = fabric_alloc(import->fabric, count ? count : 1, sizeof(*pkeys));
	if (!port->pkeys)
		return err_no_memory(err);
	memcpy(port->pkeys, pkeys, count * sizeof(*pkeys));
	port->pkey_count = count;
	return 0;
}

/* Room for one more element of a table that grows by doubling inside the fabric's memory. */
static void *table_grow(struct import *import, void *table, size_t count, size_t size)
{
	void *grown;

	if (table && (count & (count - 1)) != 0)
		return table;
	grown = fabric_alloc(import->fabric, count ? 2 * count : 1, size);
	if (grown && count)
		memcpy(grown, table, count * size);
	return grown;
}

int import_pkey_add(struct import *import, struct port *port, uint16_t pkey, struct err *err)
{
	source_ref *origin = &port->source_of[ATTRIBUTE_PKEY_TABLE];

	if (*origin != import->ref) {
		/* A table of another source: the first row decides for all of them. */
		if (port->pkeys && !import_replaces(import, *origin))
			return 0;
		port->pkeys = NULL;
		port->pkey_count = 0;
		*origin = import->ref;
	}
	for (size_t i = 0; i < port->pkey_count; i++) {
		if (port->pkeys[i] == pkey)
			return 0;
	}
	/* 65,536 rows for one port would search ever longer: no port has that many. */
	if (port->pkey_count >= 4096)
		return 0;
	port->pkeys = table_grow(import, port->pkeys, port->pkey_count, sizeof(*port->pkeys));
	if (!port->pkeys)
		return err_no_memory(err);
	if (pkey != 0)
		port->pkeys[port->pkey_count++] = pkey;
	return 0;
}

int import_guids(struct import *import, struct port *port, const uint64_t *guids, size_t count,
		 struct err *err)
{
	bool equal = port->guids && port->guid_count == count &&
		     memcmp(port->guids, guids, count * sizeof(*guids)) == 0;
	char old[32];
	char new[32];
	int rc;

	snprintf(old, sizeof(old), "%zu GUIDs", port->guid_count);
	snprintf(new, sizeof(new), "%zu GUIDs", count);
	rc = import_table(import, port->device, port->num, "guids",
			  &port->source_of[ATTRIBUTE_GUID_INFO], port->guids != NULL, equal, old,
			  new, err);
	if (rc != 1)
		return rc;
	port->guids = fabric_alloc(import->fabric, count ? count : 1, sizeof(*guids));
	if (!port->guids)
		return err_no_memory(err);
	memcpy(port->guids, guids, count * sizeof(*guids));
	port->guid_count = count;
	return 0;
}

static void sl2vl_text(const uint8_t vl[16], unsigned in, char *out, size_t size)
{
	size_t used = (size_t)snprintf(out, size, "from port %u:", in);

	for (int i = 0; i < 16 && used + 4 < size; i++)
		used += (size_t)snprintf(out + used, size - used, " %u", vl[i]);
}

/* Puts one in-port into the folded runs, kept in order of in_first. */
static int sl2vl_insert(struct import *import, struct port *port, unsigned in, const uint8_t vl[16],
			struct err *err)
{
	size_t at = port->sl2vl_count;
	struct sl2vl *last;

	while (at > 0 && port->sl2vl[at - 1].in_first > in)
		at--;
	last = at > 0 ? &port->sl2vl[at - 1] : NULL;
	if (last && last->in_last + 1u == in && memcmp(last->vl, vl, 16) == 0) {
		last->in_last = (uint8_t)in;
		return 0;
	}
	port->sl2vl = table_grow(import, port->sl2vl, port->sl2vl_count, sizeof(*port->sl2vl));
	if (!port->sl2vl)
		return err_no_memory(err);
	memmove(port->sl2vl + at + 1, port->sl2vl + at,
		(port->sl2vl_count - at) * sizeof(*port->sl2vl));
	port->sl2vl[at].in_first = (uint8_t)in;
	port->sl2vl[at].in_last = (uint8_t)in;
	memcpy(port->sl2vl[at].vl, vl, 16);
	port->sl2vl_count++;
	return 0;
}

int import_sl2vl(struct import *import, struct port *port, unsigned in, const uint8_t vl[16],
		 struct err *err)
{
	source_ref *origin = &port->source_of[ATTRIBUTE_SL2VL];
	const struct sl2vl *old = port_sl2vl(port, in);
	char old_text[96];
	char new_text[96];

	/* From port 0 to port 0 nothing passes a lane: smpquery prints what the switch answers. */
	if (in == 0 && port->num == 0 && port->device->type == NODE_TYPE_SWITCH)
		return 0;
	if (in > 254)
		return 0;
	if (old && memcmp(old->vl, vl, 16) != 0) {
		bool replaces = import_replaces(import, *origin);
		int rc;

		sl2vl_text(old->vl, in, old_text, sizeof(old_text));
		sl2vl_text(vl, in, new_text, sizeof(new_text));
		rc = import_contradiction(import, port->device, port->num, "sl2vl",
					  replaces ? new_text : old_text,
					  replaces ? import->ref : *origin,
					  replaces ? old_text : new_text,
					  replaces ? *origin : import->ref, err);
		if (rc < 0)
			return rc;
	}
	if (*origin != import->ref && import_replaces(import, *origin)) {
		port->sl2vl = NULL;
		port->sl2vl_count = 0;
		old = NULL;
		*origin = import->ref;
	}
	/* A hole in a better source's table is filled by a lesser one. */
	return old ? 0 : sl2vl_insert(import, port, in, vl, err);
}

static void vlarb_text(const struct vlarb_entry *entries, size_t count, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < count && used + 8 < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%u:%u", i ? "," : "",
					 entries[i].vl, entries[i].weight);
}

int import_vlarb(struct import *import, struct port *port, bool high,
		 const struct vlarb_entry *entries, size_t count, struct err *err)
{
	struct vlarb_entry **table = high ? &port->vlarb_high : &port->vlarb_low;
	size_t *table_count = high ? &port->vlarb_high_count : &port->vlarb_low_count;
	struct port_origin *origin = import_port_origin(import, port);
	bool equal = *table && *table_count == count &&
		     memcmp(*table, entries, count * sizeof(*entries)) == 0;
	char old[160];
	char new[160];
	int rc;

	if (!origin)
		return err_no_memory(err);
	vlarb_text(*table, *table ? *table_count : 0, old, sizeof(old));
	vlarb_text(entries, count, new, sizeof(new));
	rc = import_table(import, port->device, port->num, high ? "vlarb_high" : "vlarb_low",
			  &origin->vlarb[high], *table != NULL, equal, old, new, err);
	import_port_read(import, port, ATTRIBUTE_VLARB);
	if (rc != 1)
		return rc;
	*table = fabric_alloc(import->fabric, count ? count : 1, sizeof(*entries));
	if (!*table)
		return err_no_memory(err);
	memcpy(*table, entries, count * sizeof(*entries));
	*table_count = count;
	return 0;
}

struct sm *import_sm(struct import *import, uint64_t port_guid)
{
	struct fabric *fabric = import->fabric;
	struct sm *sm;

	for (size_t i = 0; i < fabric->sm_count; i++) {
		if (fabric->sms[i].port_guid == port_guid)
			return &fabric->sms[i];
	}
	if (fabric->sm_count >= IMPORT_SMS_MAX) {
		import->limit = "more subnet managers than any subnet has";
		return NULL;
	}
	sm = fabric_sm_add(fabric);
	if (!sm)
		return NULL;
	sm->port_guid = port_guid;
	sm->port = import_port_by_guid(import, port_guid);
	sm->source = import->ref;
	return sm;
}
