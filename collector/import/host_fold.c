#include "collector/import/host_fold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static uint64_t hash_text(const char *text, uint64_t hash)
{
	return text ? XXH3_64bits_withSeed(text, strlen(text), hash) : hash;
}

/* By what is compared: all of a row without a host's name. */
static uint64_t hash_port(const struct fabric *fabric, const struct host_port *row)
{
	const int64_t values[] = {row->state, row->phys_state, row->rate_mbps, row->lid, row->lmc,
				  row->sm_lid, (int64_t)row->port_guid, (int64_t)row->node_guid};
	uint64_t hash = hash_text(row->device, hash_text(row->host, fabric_hash(fabric, row->port)));

	return row->host ? hash : XXH3_64bits_withSeed(values, sizeof(values), hash);
}

static uint64_t hash_gid(const struct fabric *fabric, const struct host_gid *row)
{
	uint64_t place = (uint64_t)row->port << 32 | (uint32_t)row->index;
	uint64_t hash = hash_text(row->device, hash_text(row->host, fabric_hash(fabric, place)));

	if (row->host)
		return hash;
	hash = XXH3_64bits_withSeed(row->gid, sizeof(row->gid), hash);
	return hash_text(row->netdev, hash_text(row->type, hash));
}

/* Row numbers plus 1 by the hash of their place; 0: free. */
struct places {
	uint32_t *rows;
	size_t room;
};

static bool places_new(struct places *places, size_t count)
{
	places->room = 16;
	while (places->room < 2 * count)
		places->room *= 2;
	places->rows = calloc(places->room, sizeof(*places->rows));
	return places->rows != NULL;
}

/* Whether what `now` says goes before what `before` said; `now` was read later. */
static bool wins(struct import *import, source_ref now, source_ref before)
{
	import->ref = now;
	return now == before || now == 0 || import_replaces(import, before);
}

struct pair {
	struct import *import;
	struct err *err;
	const char *where;	/* "mlx5_0 port 1 of host n1" */
	source_ref kept, other;
	int rc;
};

static void disagree(struct pair *pair, const char *fact, const char *kept, const char *other)
{
	char text[400];

	if (pair->rc < 0)
		return;
	snprintf(text, sizeof(text), "%s of %s", fact, pair->where);
	pair->rc = import_contradiction(pair->import, NULL, -1, text, kept, pair->kept, other,
					pair->other, pair->err);
}

static void fold_number(struct pair *pair, const char *fact, int64_t *kept, int64_t other)
{
	char a[24], b[24];

	if (*kept == FIELD_UNKNOWN) {
		*kept = other;
	} else if (other != FIELD_UNKNOWN && other != *kept) {
		snprintf(a, sizeof(a), "%" PRId64, *kept);
		snprintf(b, sizeof(b), "%" PRId64, other);
		disagree(pair, fact, a, b);
	}
}

static void fold_text(struct pair *pair, const char *fact, char **kept, char *other)
{
	if (!*kept)
		*kept = other;
	else if (other && strcmp(*kept, other) != 0)
		disagree(pair, fact, *kept, other);
}

static void fold_ports(struct pair *pair, struct host_port *kept, const struct host_port *other)
{
	if (kept->node_guid == 0)
		kept->node_guid = other->node_guid;
	if (kept->port_guid == 0)
		kept->port_guid = other->port_guid;
	fold_text(pair, "link layer", &kept->link_layer, other->link_layer);
	fold_text(pair, "firmware", &kept->fw_version, other->fw_version);
	fold_number(pair, "state", &kept->state, other->state);
	fold_number(pair, "physical state", &kept->phys_state, other->phys_state);
	fold_number(pair, "LID", &kept->lid, other->lid);
	fold_number(pair, "LMC", &kept->lmc, other->lmc);
	fold_number(pair, "SM LID", &kept->sm_lid, other->sm_lid);
	/* Where the states differ one of the rates means nothing; width and speed belong to theirs. */
	if (kept->state == other->state || other->state == FIELD_UNKNOWN)
		fold_number(pair, "rate", &kept->rate_mbps, other->rate_mbps);
	if (kept->rate_mbps == other->rate_mbps) {
		if (kept->width == FIELD_UNKNOWN)
			kept->width = other->width;
		if (!kept->speed)
			kept->speed = other->speed;
	}
	if (kept->gid_slots == FIELD_UNKNOWN) {
		kept->gid_slots = other->gid_slots;
		kept->gids_unread = other->gids_unread;
	}
	if (!kept->counters)
		kept->counters = other->counters;
}

static bool equal_ports(const struct host_port *a, const struct host_port *b)
{
	return (a->port_guid != 0 || a->node_guid != 0) && a->port_guid == b->port_guid &&
	       a->node_guid == b->node_guid && a->state == b->state &&
	       a->phys_state == b->phys_state && a->rate_mbps == b->rate_mbps &&
	       a->width == b->width && a->lid == b->lid && a->lmc == b->lmc &&
	       a->sm_lid == b->sm_lid && same_text(a->link_layer, b->link_layer) &&
	       same_text(a->speed, b->speed) && same_text(a->fw_version, b->fw_version);
}

static bool same_guid(uint64_t a, uint64_t b)
{
	return a == 0 || b == 0 || a == b;
}

/* Two GUIDs are two hosts, however alike their names ("localhost"). */
static bool is_one_port(const struct host_port *a, const struct host_port *b)
{
	return a->port == b->port && same_text(a->device, b->device) && same_text(a->host, b->host) &&
	       (a->host ? same_guid(a->node_guid, b->node_guid) && same_guid(a->port_guid, b->port_guid)
			: equal_ports(a, b));
}

static int join_ports(struct import *import, struct host_port *old, struct host_port *new,
		      struct err *err)
{
	bool later = wins(import, new->source, old->source);
	struct pair pair = {.import = import, .err = err};
	struct host_port kept = later ? *new : *old;
	char where[200];

	snprintf(where, sizeof(where), "%.60s port %u of host %.80s", kept.device ? kept.device : "",
		 (unsigned)kept.port, kept.host ? kept.host : "");
	pair.where = where;
	pair.kept = kept.source;
	pair.other = later ? old->source : new->source;
	fold_ports(&pair, &kept, later ? old : new);
	*old = kept;
	return pair.rc;
}

static int fold_all_ports(struct import *import, struct err *err)
{
	struct fabric *fabric = import->fabric;
	struct places places = {0};
	size_t used = 0;
	int rc = 0;

	if (!places_new(&places, fabric->host_port_count))
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->host_port_count && rc == 0; i++) {
		struct host_port *row = &fabric->host_ports[i];
		size_t at = hash_port(fabric, row) & (places.room - 1);

		while (places.rows[at] && !is_one_port(&fabric->host_ports[places.rows[at] - 1], row))
			at = (at + 1) & (places.room - 1);
		if (places.rows[at]) {
			rc = join_ports(import, &fabric->host_ports[places.rows[at] - 1], row, err);
			continue;
		}
		fabric->host_ports[used] = *row;
		places.rows[at] = (uint32_t)++used;
	}
	if (rc == 0)
		fabric->host_port_count = used;
	free(places.rows);
	return rc;
}

/* fe80::/10, which a port makes of its own GUID or MAC address. */
static bool is_link_local(const uint8_t gid[16])
{
	return gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80;
}

static bool may_be_one_host(const struct host_gid *a, const struct host_gid *b)
{
	return memcmp(a->gid, b->gid, sizeof(a->gid)) == 0 ||
	       (!is_link_local(a->gid) && !is_link_local(b->gid));
}

static bool is_one_gid(const struct host_gid *a, const struct host_gid *b)
{
	return a->port == b->port && a->index == b->index && same_text(a->device, b->device) &&
	       same_text(a->host, b->host) &&
	       (a->host ? may_be_one_host(a, b) :
			  memcmp(a->gid, b->gid, sizeof(a->gid)) == 0 &&
				  same_text(a->type, b->type) && same_text(a->netdev, b->netdev));
}

static void gid_words(const struct host_gid *entry, char out[40])
{
	for (int i = 0; i < 8; i++)
		snprintf(out + (size_t)i * 5, 40 - (size_t)i * 5, "%02x%02x%s", entry->gid[2 * i],
			 entry->gid[2 * i + 1], i < 7 ? ":" : "");
}

static int join_gids(struct import *import, struct host_gid *old, struct host_gid *new,
		     struct err *err)
{
	bool later = wins(import, new->source, old->source);
	struct pair pair = {.import = import, .err = err};
	struct host_gid kept = later ? *new : *old;
	const struct host_gid *other = later ? old : new;
	char where[200], a[40], b[40];

	snprintf(where, sizeof(where), "index %d of %.60s port %u of host %.80s", kept.index,
		 kept.device ? kept.device : "", (unsigned)kept.port, kept.host ? kept.host : "");
	pair.where = where;
	pair.kept = kept.source;
	pair.other = other->source;
	if (memcmp(kept.gid, other->gid, sizeof(kept.gid)) != 0) {
		gid_words(&kept, a);
		gid_words(other, b);
		disagree(&pair, "GID", a, b);
	} else {
		fold_text(&pair, "GID type", &kept.type, other->type);
		fold_text(&pair, "network device", &kept.netdev, other->netdev);
		if (kept.port_guid == 0)
			kept.port_guid = other->port_guid;
	}
	*old = kept;
	return pair.rc;
}

static int fold_all_gids(struct import *import, struct err *err)
{
	struct fabric *fabric = import->fabric;
	struct places places = {0};
	size_t used = 0;
	int rc = 0;

	if (!places_new(&places, fabric->host_gid_count))
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->host_gid_count && rc == 0; i++) {
		struct host_gid *row = &fabric->host_gids[i];
		size_t at = hash_gid(fabric, row) & (places.room - 1);

		while (places.rows[at] && !is_one_gid(&fabric->host_gids[places.rows[at] - 1], row))
			at = (at + 1) & (places.room - 1);
		if (places.rows[at]) {
			rc = join_gids(import, &fabric->host_gids[places.rows[at] - 1], row, err);
			continue;
		}
		fabric->host_gids[used] = *row;
		places.rows[at] = (uint32_t)++used;
	}
	if (rc == 0)
		fabric->host_gid_count = used;
	free(places.rows);
	return rc;
}

int host_fold(struct import *import, struct err *err)
{
	source_ref last = import->ref;
	int rc = fold_all_ports(import, err);

	if (rc == 0)
		rc = fold_all_gids(import, err);
	import->ref = last;
	return rc;
}
