#include <stdlib.h>
#include <string.h>

#include "store/block.h"
#include "store/content.h"
#include "store/counters.h"
#include "store/db.h"
#include "store/device.h"

struct device_writer {
	struct column_writer *columns;
	const struct fabric *fabric;
	uint32_t *twin_of;	/* by device index */
	struct block_writer *blocks;
	struct content *devices;
	struct content *lfts;
	struct stmt *insert_row;
	struct stmt *insert_counters;
	struct bytes block;	/* being made */
	int64_t snapshot_id;
};

/* The place of each row among those with its node GUID. NULL without memory. */
static uint32_t *count_twins(const struct fabric *fabric)
{
	uint32_t *twin_of = calloc(fabric->device_count + 1, sizeof(*twin_of));

	if (!twin_of)
		return NULL;
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		if (device->same_guid)
			twin_of[device->same_guid->index] = twin_of[i] + 1;
	}
	return twin_of;
}

/* Puts the block made in w->block; *ret_id is NULL's 0 when there is no table. */
static int put_block(struct device_writer *w, enum block_kind kind, int64_t *ret_id,
		     struct err *err)
{
	return block_put(w->blocks, kind, w->block.data ? w->block.data : (void *)"",
			 w->block.length, ret_id, err);
}

static int put_sources(struct device_writer *w, const source_ref source_of[ATTRIBUTE_COUNT],
		       int64_t *ret_id, struct err *err)
{
	unsigned char *out;
	bool any = false;

	*ret_id = 0;
	w->block.length = 0;
	out = bytes_add(&w->block, 2 * ATTRIBUTE_COUNT);
	if (!out)
		return err_no_memory(err);
	for (size_t i = 0; i < ATTRIBUTE_COUNT; i++) {
		if (source_of[i] > w->fabric->source_count)
			return err_set(err, ERR_DB, "source %u is none of the snapshot's",
				       (unsigned)source_of[i]);
		put_be16(out + 2 * i, source_of[i]);
		any = any || source_of[i] != 0;
	}
	return any ? put_block(w, BLOCK_SOURCE, ret_id, err) : 0;
}

static int put_sl2vl(struct device_writer *w, const struct port *port, int64_t *ret_id,
		     struct err *err)
{
	*ret_id = 0;
	if (!port->sl2vl)
		return 0;
	w->block.length = 0;
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		unsigned char *out = bytes_add(&w->block, 18);

		if (!out)
			return err_no_memory(err);
		out[0] = port->sl2vl[i].in_first;
		out[1] = port->sl2vl[i].in_last;
		memcpy(out + 2, port->sl2vl[i].vl, 16);
		for (size_t sl = 0; sl < 16; sl++) {
			if (out[2 + sl] > 15)
				return err_set(err, ERR_DB, "%u is no VL a snapshot can hold",
					       (unsigned)out[2 + sl]);
		}
	}
	return put_block(w, BLOCK_SL2VL, ret_id, err);
}

static int put_vlarb(struct device_writer *w, const struct vlarb_entry *entries, size_t count,
		     int64_t *ret_id, struct err *err)
{
	*ret_id = 0;
	if (!entries)
		return 0;
	w->block.length = 0;
	for (size_t i = 0; i < count; i++) {
		unsigned char *out = bytes_add(&w->block, 2);

		if (!out)
			return err_no_memory(err);
		out[0] = entries[i].vl;
		out[1] = entries[i].weight;
	}
	return put_block(w, BLOCK_VLARB, ret_id, err);
}

static int put_pkeys(struct device_writer *w, const struct port *port, int64_t *ret_id,
		     struct err *err)
{
	*ret_id = 0;
	if (!port->pkeys)
		return 0;
	w->block.length = 0;
	for (size_t i = 0; i < port->pkey_count; i++) {
		unsigned char *out = bytes_add(&w->block, 2);

		if (!out)
			return err_no_memory(err);
		put_be16(out, port->pkeys[i]);
	}
	return put_block(w, BLOCK_PKEY, ret_id, err);
}

static int put_guids(struct device_writer *w, const struct port *port, int64_t *ret_id,
		     struct err *err)
{
	*ret_id = 0;
	if (!port->guids)
		return 0;
	w->block.length = 0;
	for (size_t i = 0; i < port->guid_count; i++) {
		unsigned char *out = bytes_add(&w->block, 8);

		if (!out)
			return err_no_memory(err);
		put_be64(out, port->guids[i]);
	}
	return put_block(w, BLOCK_GUID, ret_id, err);
}

/* Entries are as wide as the highest port needs. */
static int put_mft(struct device_writer *w, const struct device *device, int64_t *ret_id,
		   struct err *err)
{
	unsigned char width = 0;
	unsigned char *out;

	*ret_id = 0;
	if (!device->mft)
		return 0;
	for (size_t i = 0; i < device->mft_count; i++) {
		for (unsigned char b = 32; b > width; b--) {
			if (device->mft[i].ports[b - 1]) {
				width = b;
				break;
			}
		}
	}
	w->block.length = 0;
	out = bytes_add(&w->block, 1 + device->mft_count * (2u + width));
	if (!out)
		return err_no_memory(err);
	*out++ = width;
	for (size_t i = 0; i < device->mft_count; i++) {
		put_be16(out, device->mft[i].mlid);
		memcpy(out + 2, device->mft[i].ports, width);
		out += 2 + width;
	}
	return put_block(w, BLOCK_MFT, ret_id, err);
}

/* One part of an LFT: the bits of its blocks of 64 that were read, and all their entries. */
static int put_lft_part(struct device_writer *w, const struct device *device, size_t first,
			int64_t part, struct err *err)
{
	unsigned char entries[BLOCK_LFT_LIDS];
	size_t end = first + BLOCK_LFT_LIDS;
	int64_t known = 0;
	int64_t block = 0;
	int rc;

	memset(entries, 255, sizeof(entries));
	for (size_t lid = first; lid < end && lid < device->lft_size; lid += 64) {
		if (!lft_known(device, (unsigned)lid))
			continue;
		known |= INT64_C(1) << ((lid - first) / 64);
		memcpy(entries + (lid - first), device->lft + lid, 64);
	}
	if (known == 0)
		return 0;
	rc = block_put(w->blocks, BLOCK_LFT, entries, sizeof(entries), &block, err);
	if (rc < 0)
		return rc;
	content_part(w->lfts, part);
	content_value(w->lfts, value_integer(known));
	content_value(w->lfts, value_integer(block));
	return 0;
}

static int put_lft(struct device_writer *w, const struct device *device, int64_t *ret_id,
		   struct err *err)
{
	int64_t part = 0;
	int rc = 0;

	*ret_id = 0;
	if (!device->lft)
		return 0;
	content_begin(w->lfts);
	content_value(w->lfts, value_integer((int64_t)device->lft_size));
	for (size_t first = 0; first < device->lft_size && rc == 0; first += BLOCK_LFT_LIDS)
		rc = put_lft_part(w, device, first, part++, err);
	return rc < 0 ? rc : content_put(w->lfts, ret_id, err);
}

static int put_port_part(struct device_writer *w, const struct port *port, struct err *err)
{
	const struct port *peer = port->peer;
	int64_t sl2vl = 0, high = 0, low = 0, pkeys = 0, guids = 0, sources = 0;
	int rc;

	rc = put_sl2vl(w, port, &sl2vl, err);
	if (rc == 0)
		rc = put_vlarb(w, port->vlarb_high, port->vlarb_high_count, &high, err);
	if (rc == 0)
		rc = put_vlarb(w, port->vlarb_low, port->vlarb_low_count, &low, err);
	if (rc == 0)
		rc = put_pkeys(w, port, &pkeys, err);
	if (rc == 0)
		rc = put_guids(w, port, &guids, err);
	if (rc == 0)
		rc = put_sources(w, port->source_of, &sources, err);
	if (rc < 0)
		return rc;
	content_part(w->devices, port->num);
	content_value(w->devices, value_guid(port->guid));
	if (peer) {
		content_value(w->devices, value_integer((int64_t)peer->device->guid));
		content_value(w->devices, value_integer(w->twin_of[peer->device->index]));
		content_value(w->devices, value_integer(peer->num));
		content_value(w->devices, port->peer_inferred ?
						  value_null() :
						  value_integer(port_peer_is_told_twice(port)));
	} else {
		for (int i = 0; i < 4; i++)
			content_value(w->devices, value_null());
	}
	content_value(w->devices, value_id(sl2vl));
	content_value(w->devices, value_id(high));
	content_value(w->devices, value_id(low));
	content_value(w->devices, value_id(pkeys));
	content_value(w->devices, value_id(guids));
	content_value(w->devices, value_id(sources));
	for (const struct field *field = port_field_table; field->member; field++)
		content_value(w->devices, value_field(field_get(&port->info, field)));
	return 0;
}

static int put_body(struct device_writer *w, const struct device *device, int64_t *ret_id,
		    struct err *err)
{
	const char *const texts[] = {device->description, device->alias, device->fw_version,
				     device->psid};
	int64_t sources = 0;
	int rc;

	rc = put_sources(w, device->source_of, &sources, err);
	if (rc < 0)
		return rc;
	content_begin(w->devices);
	content_value(w->devices, value_integer((int64_t)device->guid));
	content_value(w->devices, value_integer(w->twin_of[device->index]));
	content_value(w->devices, value_integer(device->type));
	content_value(w->devices, value_guid(device->system_image_guid));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct value value;

		rc = column_text(w->columns, texts[i], &value, err);
		if (rc < 0)
			return rc;
		content_value(w->devices, value);
	}
	content_value(w->devices, value_id(sources));
	for (const struct field *field = node_field_table; field->member; field++)
		content_value(w->devices, value_field(field_get(&device->info, field)));
	for (const struct field *field = switch_field_table; field->member; field++)
		content_value(w->devices, value_field(field_get(&device->sw, field)));
	for (size_t i = 0; i < device->port_slots; i++) {
		if (!device->ports[i])
			continue;
		rc = put_port_part(w, device->ports[i], err);
		if (rc < 0)
			return rc;
	}
	return content_put(w->devices, ret_id, err);
}

static int put_counters(struct device_writer *w, const struct port *port, int64_t body,
			struct err *err)
{
	stmt_bind_i64_at(w->insert_counters, 1, w->snapshot_id);
	stmt_bind_i64_at(w->insert_counters, 2, body);
	stmt_bind_i64_at(w->insert_counters, 3, port->num);
	counters_bind(w->insert_counters, 4, port->counters);
	return stmt_run(w->insert_counters, err);
}

static int put_device(struct device_writer *w, const struct device *device, int64_t *ret_body,
		      struct err *err)
{
	struct value seen_at;
	struct value lft_value;
	struct value mft_value;
	int64_t lft = 0;
	int64_t mft = 0;
	int rc;

	rc = put_body(w, device, ret_body, err);
	if (rc == 0)
		rc = put_lft(w, device, &lft, err);
	if (rc == 0)
		rc = put_mft(w, device, &mft, err);
	if (rc == 0)
		rc = column_text(w->columns, device->place, &seen_at, err);
	if (rc < 0)
		return rc;
	lft_value = value_id(lft);
	mft_value = value_id(mft);
	stmt_bind_i64_at(w->insert_row, 1, w->snapshot_id);
	stmt_bind_i64_at(w->insert_row, 2, *ret_body);
	stmt_bind_i64_at(w->insert_row, 3, (int64_t)device->index + 1);
	value_bind(w->insert_row, 4, &seen_at);
	value_bind(w->insert_row, 5, &lft_value);
	value_bind(w->insert_row, 6, &mft_value);
	rc = stmt_run(w->insert_row, err);
	for (size_t i = 0; i < device->port_slots && rc == 0; i++) {
		if (device->ports[i] && device->ports[i]->counters)
			rc = put_counters(w, device->ports[i], *ret_body, err);
	}
	return rc;
}

static int writer_prepare(struct device_writer *w, struct err *err)
{
	static const char *const row_columns[] = {"seq", "seen_at", "lft", "mft", NULL};
	static const char *const counter_columns[] = {"port", COUNTERS_COLUMNS NULL};
	struct store *store = w->columns->store;
	int rc;

	w->twin_of = count_twins(w->fabric);
	if (!w->twin_of)
		return err_no_memory(err);
	rc = block_writer_new(store, &w->blocks, err);
	if (rc == 0)
		rc = content_new(store, &content_device, &w->devices, err);
	if (rc == 0)
		rc = content_new(store, &content_lft, &w->lfts, err);
	if (rc == 0)
		rc = stmt_prepare_insert(store, "device_row", "snapshot_id", "body_id",
					 row_columns, &w->insert_row, err);
	if (rc == 0)
		rc = stmt_prepare_insert(store, "counter_row", "snapshot_id", "body_id",
					 counter_columns, &w->insert_counters, err);
	return rc;
}

int devices_write(struct column_writer *writer, const struct fabric *fabric, int64_t snapshot_id,
		  int64_t **ret_bodies, struct err *err)
{
	struct device_writer w = {
		.columns = writer, .fabric = fabric, .snapshot_id = snapshot_id};
	int64_t *bodies = calloc(fabric->device_count + 1, sizeof(*bodies));
	int rc;

	if (!bodies)
		return err_no_memory(err);
	rc = writer_prepare(&w, err);
	for (size_t i = 0; i < fabric->device_count && rc == 0; i++)
		rc = put_device(&w, fabric->devices[i], &bodies[i], err);
	if (rc == 0) {
		*ret_bodies = bodies;
		bodies = NULL;
	}
	free(bodies);
	free(w.twin_of);
	block_writer_free(w.blocks);
	content_free(w.devices);
	content_free(w.lfts);
	stmt_free(w.insert_row);
	stmt_free(w.insert_counters);
	bytes_free(&w.block);
	return rc;
}
