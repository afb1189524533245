#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "store/block.h"
#include "store/content.h"
#include "store/counters.h"
#include "store/db.h"
#include "store/device.h"

/* A neighbour to look up when all devices are there. */
struct pending_peer {
	struct port *port;
	uint64_t guid;
	int64_t twin;
	uint8_t num;
};

/* A device by the key that neighbours name. */
struct twin_place {
	uint64_t guid;
	int64_t twin;
	struct device *device;
};

struct device_reader {
	struct column_reader *columns;
	struct fabric *fabric;
	struct block_reader *blocks;
	struct content *devices;
	struct content *lfts;
	struct bytes peers;	/* struct pending_peer */
	struct bytes twins;	/* struct twin_place */
};

static int damaged(const struct device_reader *r, const char *what, struct err *err)
{
	return db_damaged(r->columns->store, what, err);
}

/* A block whose rows have `size` bytes: NULL data for a NULL column. */
static int get_block(struct device_reader *r, struct stmt *row, int column, enum block_kind kind,
		     size_t size, const unsigned char **ret_data, size_t *ret_count,
		     struct err *err)
{
	size_t length;
	int rc;

	*ret_data = NULL;
	*ret_count = 0;
	if (stmt_is_null(row, column))
		return 0;
	rc = block_get(r->blocks, kind, stmt_i64(row, column), ret_data, &length, err);
	if (rc < 0)
		return rc;
	if (length % size != 0)
		return damaged(r, "a block has an odd length", err);
	*ret_count = length / size;
	return 0;
}

static int get_sources(struct device_reader *r, struct stmt *row, int column,
		       source_ref source_of[ATTRIBUTE_COUNT], struct err *err)
{
	const unsigned char *data;
	size_t count;
	int rc;

	rc = get_block(r, row, column, BLOCK_SOURCE, 2, &data, &count, err);
	/* An older store may know fewer attributes. */
	for (size_t i = 0; rc == 0 && i < count && i < ATTRIBUTE_COUNT; i++) {
		source_of[i] = get_be16(data + 2 * i);
		if (source_of[i] > r->fabric->source_count)
			rc = damaged(r, "a source is missing", err);
	}
	return rc;
}

static int get_sl2vl(struct device_reader *r, struct stmt *row, int column, struct port *port,
		     struct err *err)
{
	const unsigned char *data;
	size_t count;
	int rc;

	rc = get_block(r, row, column, BLOCK_SL2VL, 18, &data, &count, err);
	if (rc < 0 || !data)
		return rc;
	port->sl2vl = fabric_alloc(r->fabric, count, sizeof(*port->sl2vl));
	if (!port->sl2vl)
		return err_no_memory(err);
	port->sl2vl_count = count;
	for (size_t i = 0; i < count; i++, data += 18) {
		port->sl2vl[i].in_first = data[0];
		port->sl2vl[i].in_last = data[1];
		memcpy(port->sl2vl[i].vl, data + 2, 16);
		for (size_t sl = 0; sl < 16; sl++) {
			if (data[2 + sl] > 15)
				return damaged(r, "a VL is above 15", err);
		}
	}
	return 0;
}

static int get_vlarb(struct device_reader *r, struct stmt *row, int column,
		     struct vlarb_entry **ret_entries, size_t *ret_count, struct err *err)
{
	const unsigned char *data;
	int rc;

	rc = get_block(r, row, column, BLOCK_VLARB, 2, &data, ret_count, err);
	if (rc < 0 || !data)
		return rc;
	*ret_entries = fabric_alloc(r->fabric, *ret_count, sizeof(**ret_entries));
	if (!*ret_entries)
		return err_no_memory(err);
	for (size_t i = 0; i < *ret_count; i++) {
		(*ret_entries)[i].vl = data[2 * i];
		(*ret_entries)[i].weight = data[2 * i + 1];
	}
	return 0;
}

static int get_pkeys(struct device_reader *r, struct stmt *row, int column, struct port *port,
		     struct err *err)
{
	const unsigned char *data;
	int rc;

	rc = get_block(r, row, column, BLOCK_PKEY, 2, &data, &port->pkey_count, err);
	if (rc < 0 || !data)
		return rc;
	port->pkeys = fabric_alloc(r->fabric, port->pkey_count, sizeof(*port->pkeys));
	if (!port->pkeys)
		return err_no_memory(err);
	for (size_t i = 0; i < port->pkey_count; i++)
		port->pkeys[i] = get_be16(data + 2 * i);
	return 0;
}

static int get_guids(struct device_reader *r, struct stmt *row, int column, struct port *port,
		     struct err *err)
{
	const unsigned char *data;
	int rc;

	rc = get_block(r, row, column, BLOCK_GUID, 8, &data, &port->guid_count, err);
	if (rc < 0 || !data)
		return rc;
	port->guids = fabric_alloc(r->fabric, port->guid_count, sizeof(*port->guids));
	if (!port->guids)
		return err_no_memory(err);
	for (size_t i = 0; i < port->guid_count; i++)
		port->guids[i] = get_be64(data + 8 * i);
	return 0;
}

static int get_mft(struct device_reader *r, int64_t id, struct device *device, struct err *err)
{
	const unsigned char *data;
	size_t length;
	size_t width;
	int rc;

	rc = block_get(r->blocks, BLOCK_MFT, id, &data, &length, err);
	if (rc < 0)
		return rc;
	if (length == 0 || data[0] > 32 || (length - 1) % (2u + data[0]) != 0)
		return damaged(r, "a multicast table has an odd length", err);
	width = data[0];
	device->mft_count = (length - 1) / (2 + width);
	device->mft = fabric_alloc(r->fabric, device->mft_count, sizeof(*device->mft));
	if (!device->mft)
		return err_no_memory(err);
	data++;
	for (size_t i = 0; i < device->mft_count; i++, data += 2 + width) {
		device->mft[i].mlid = get_be16(data);
		memcpy(device->mft[i].ports, data + 2, width);
	}
	return 0;
}

static int get_lft(struct device_reader *r, int64_t id, struct device *device, struct err *err)
{
	struct stmt *row = NULL;
	int64_t lids;
	int rc;

	rc = content_get(r->lfts, id, &row, err);
	if (rc < 0)
		return rc;
	lids = stmt_i64(row, 0);
	if (lids <= 0 || lids > 65536 || lids % 64 != 0)
		return damaged(r, "an LFT has an odd size", err);
	if (!device_lft_reserve(r->fabric, device, (size_t)lids))
		return err_no_memory(err);
	while ((rc = content_next_part(r->lfts, &row, err)) == 1) {
		int64_t part = stmt_i64(row, 0);
		int64_t known = stmt_i64(row, 1);
		const unsigned char *data;
		size_t count;

		rc = get_block(r, row, 2, BLOCK_LFT, BLOCK_LFT_LIDS, &data, &count, err);
		if (rc < 0)
			return rc;
		if (part < 0 || part > 65535 / BLOCK_LFT_LIDS || count != 1)
			return damaged(r, "a part of an LFT cannot be", err);
		for (int64_t i = 0; i < BLOCK_LFT_LIDS / 64; i++) {
			int64_t block = part * (BLOCK_LFT_LIDS / 64) + i;

			if (!(known >> i & 1))
				continue;
			if (block * 64 >= lids)
				return damaged(r, "an LFT is longer than it says", err);
			lft_set_block(device, (unsigned)block, data + 64 * i);
		}
	}
	return rc;
}

static int add_peer(struct device_reader *r, struct stmt *row, struct port *port, struct err *err)
{
	struct pending_peer peer = {.port = port};
	unsigned char *place;
	int64_t num = stmt_i64(row, 4);

	if (stmt_is_null(row, 2))
		return 0;
	if (num < 0 || num > 254)
		return damaged(r, "a neighbour's port cannot be", err);
	peer.guid = stmt_guid(row, 2);
	peer.twin = stmt_i64(row, 3);
	peer.num = (uint8_t)num;
	port->peer_inferred = stmt_is_null(row, 5);
	place = bytes_add(&r->peers, sizeof(peer));
	if (!place)
		return err_no_memory(err);
	memcpy(place, &peer, sizeof(peer));
	return 0;
}

/* Columns as in content.c: part number, port_guid, peer_guid, ... */
static int get_port(struct device_reader *r, struct device *device, struct stmt *row,
		    struct err *err)
{
	int64_t num = stmt_i64(row, 0);
	struct port *port;
	int column = 12;
	int rc;

	if (num < 0 || num > 254)
		return damaged(r, "a port's number cannot be", err);
	port = fabric_port(r->fabric, device, (uint8_t)num);
	if (!port)
		return err_no_memory(err);
	port->guid = stmt_guid(row, 1);
	rc = add_peer(r, row, port, err);
	if (rc == 0)
		rc = get_sl2vl(r, row, 6, port, err);
	if (rc == 0)
		rc = get_vlarb(r, row, 7, &port->vlarb_high, &port->vlarb_high_count, err);
	if (rc == 0)
		rc = get_vlarb(r, row, 8, &port->vlarb_low, &port->vlarb_low_count, err);
	if (rc == 0)
		rc = get_pkeys(r, row, 9, port, err);
	if (rc == 0)
		rc = get_guids(r, row, 10, port, err);
	if (rc == 0)
		rc = get_sources(r, row, 11, port->source_of, err);
	for (const struct field *field = port_field_table; field->member; field++)
		field_set(&port->info, field, stmt_field(row, column++));
	return rc;
}

/* Columns as in content.c: node_guid, twin, node_type, ... */
static int get_body(struct device_reader *r, int64_t body, struct device **ret_device,
		    struct err *err)
{
	struct twin_place twin = {0};
	struct device *device;
	struct stmt *row = NULL;
	unsigned char *place;
	int column = 9;
	int rc;

	rc = content_get(r->devices, body, &row, err);
	if (rc < 0)
		return rc;
	if (stmt_i64(row, 2) < NODE_TYPE_UNKNOWN || stmt_i64(row, 2) > NODE_TYPE_ROUTER)
		return damaged(r, "a device has no known type", err);
	device = fabric_device_add(r->fabric, stmt_guid(row, 0), (enum node_type)stmt_i64(row, 2));
	place = bytes_add(&r->twins, sizeof(twin));
	if (!device || !place)
		return err_no_memory(err);
	twin.guid = device->guid;
	twin.twin = stmt_i64(row, 1);
	twin.device = device;
	memcpy(place, &twin, sizeof(twin));
	device->system_image_guid = stmt_guid(row, 3);
	rc = column_read_text(r->columns, row, 4, &device->description, err);
	if (rc == 0)
		rc = column_read_text(r->columns, row, 5, &device->alias, err);
	if (rc == 0)
		rc = column_read_text(r->columns, row, 6, &device->fw_version, err);
	if (rc == 0)
		rc = column_read_text(r->columns, row, 7, &device->psid, err);
	if (rc == 0)
		rc = get_sources(r, row, 8, device->source_of, err);
	if (rc < 0)
		return rc;
	for (const struct field *field = node_field_table; field->member; field++)
		field_set(&device->info, field, stmt_field(row, column++));
	for (const struct field *field = switch_field_table; field->member; field++)
		field_set(&device->sw, field, stmt_field(row, column++));
	while ((rc = content_next_part(r->devices, &row, err)) == 1) {
		rc = get_port(r, device, row, err);
		if (rc < 0)
			return rc;
	}
	*ret_device = device;
	return rc;
}

static int compare_twins(const void *left, const void *right)
{
	const struct twin_place *a = left;
	const struct twin_place *b = right;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->twin < b->twin ? -1 : a->twin > b->twin;
}

static int resolve_peers(struct device_reader *r, struct err *err)
{
	const struct pending_peer *peers = (const void *)r->peers.data;
	struct twin_place *twins = (void *)r->twins.data;
	size_t peer_count = r->peers.length / sizeof(*peers);
	size_t twin_count = r->twins.length / sizeof(*twins);

	if (peer_count == 0)
		return 0;
	qsort(twins, twin_count, sizeof(*twins), compare_twins);
	for (size_t i = 0; i < peer_count; i++) {
		struct twin_place key = {.guid = peers[i].guid, .twin = peers[i].twin};
		const struct twin_place *found;

		found = bsearch(&key, twins, twin_count, sizeof(*twins), compare_twins);
		if (!found)
			return damaged(r, "a neighbour is missing", err);
		peers[i].port->peer = fabric_port(r->fabric, found->device, peers[i].num);
		if (!peers[i].port->peer)
			return err_no_memory(err);
	}
	return 0;
}

static int read_rows(struct device_reader *r, int64_t snapshot_id, struct bytes *places,
		     struct err *err)
{
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare(r->columns->store,
			  "SELECT body_id, seen_at, lft, mft FROM device_row"
			  " WHERE snapshot_id = :snapshot ORDER BY seq",
			  &rows, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64(rows, ":snapshot", snapshot_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		struct body_place place = {.body = stmt_i64(rows, 0)};
		unsigned char *out = bytes_add(places, sizeof(place));

		if (!out) {
			rc = err_no_memory(err);
			break;
		}
		rc = get_body(r, place.body, &place.device, err);
		if (rc == 0)
			rc = column_read_text(r->columns, rows, 1, &place.device->place, err);
		if (rc == 0 && !stmt_is_null(rows, 2))
			rc = get_lft(r, stmt_i64(rows, 2), place.device, err);
		if (rc == 0 && !stmt_is_null(rows, 3))
			rc = get_mft(r, stmt_i64(rows, 3), place.device, err);
		if (rc < 0)
			break;
		memcpy(out, &place, sizeof(place));
	}
	stmt_free(rows);
	return rc;
}

static int compare_places(const void *left, const void *right)
{
	const struct body_place *a = left;
	const struct body_place *b = right;

	return a->body < b->body ? -1 : a->body > b->body;
}

static int read_counters(struct device_reader *r, int64_t snapshot_id, struct err *err)
{
	static const char *const columns[] = {"port", COUNTERS_COLUMNS NULL};
	struct stmt *rows = NULL;
	int rc;

	rc = stmt_prepare_select(r->columns->store, "body_id", columns, "counter_row",
				 "WHERE snapshot_id = ?", &rows, err);
	if (rc < 0)
		return rc;
	stmt_bind_i64_at(rows, 1, snapshot_id);
	while ((rc = stmt_step(rows, err)) == 1) {
		struct device *device = column_device(r->columns, stmt_i64(rows, 0));
		int64_t num = stmt_i64(rows, 1);
		struct port_counters *counters;
		struct port *port = NULL;

		if (!device || num < 0 || num > 254) {
			rc = damaged(r, "counters belong to no port", err);
			break;
		}
		port = fabric_port(r->fabric, device, (uint8_t)num);
		counters = fabric_alloc(r->fabric, 1, sizeof(*counters));
		if (!port || !counters) {
			rc = err_no_memory(err);
			break;
		}
		counters_read(rows, 2, counters);
		port->counters = counters;
	}
	stmt_free(rows);
	return rc;
}

int devices_read(struct column_reader *reader, int64_t snapshot_id,
		 struct body_place **ret_places, size_t *ret_count, struct err *err)
{
	struct device_reader r = {.columns = reader, .fabric = reader->fabric};
	struct bytes places = {0};
	int rc;

	rc = block_reader_new(reader->store, &r.blocks, err);
	if (rc == 0)
		rc = content_new(reader->store, &content_device, &r.devices, err);
	if (rc == 0)
		rc = content_new(reader->store, &content_lft, &r.lfts, err);
	if (rc == 0)
		rc = read_rows(&r, snapshot_id, &places, err);
	if (rc == 0)
		rc = resolve_peers(&r, err);
	if (rc == 0 && places.length > 0) {
		reader->places = (const void *)places.data;
		reader->place_count = places.length / sizeof(struct body_place);
		qsort(places.data, reader->place_count, sizeof(struct body_place), compare_places);
		rc = read_counters(&r, snapshot_id, err);
	}
	if (rc == 0) {
		*ret_places = (void *)places.data;
		*ret_count = places.length / sizeof(struct body_place);
	} else {
		bytes_free(&places);
		reader->places = NULL;
		reader->place_count = 0;
	}
	block_reader_free(r.blocks);
	content_free(r.devices);
	content_free(r.lfts);
	bytes_free(&r.peers);
	bytes_free(&r.twins);
	return rc;
}
