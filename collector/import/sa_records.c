#include "collector/import/sa_records.h"

#include <stdlib.h>
#include <string.h>

#include "collector/import/lft_table.h"

void sa_record_begin(struct sa_reader *reader, enum record record)
{
	reader->record = record;
	smp_node_init(&reader->node);
	smp_port_init(&reader->port);
	smp_switch_init(&reader->sw);
	reader->lid = reader->num = reader->in = reader->block = FIELD_UNKNOWN;
	reader->position = FIELD_UNKNOWN;
	reader->masks_known = 0;
	reader->to_lid = reader->to_port = FIELD_UNKNOWN;
	reader->act_count = reader->priority = reader->state = FIELD_UNKNOWN;
	reader->guid = 0;
	reader->vl_count = reader->weight_count = reader->value_count = 0;
	reader->lft_known = 0;
	reader->name_told = false;
}

/* The end port that owns a LID, or NULL: nobody said. */
static int owner_of(struct sa_reader *reader, int64_t lid, struct port **ret_port)
{
	int rc = 0;

	if (!reader->lids)
		rc = lidmap_new(import_fabric(reader->import), &reader->lids, reader->err);
	*ret_port = rc == 0 ? lidmap_find(reader->lids, lid) : NULL;
	return rc;
}

/* The port `num` on the node that owns the LID; a CA's own port whatever num says when it is 0. */
static int port_of(struct sa_reader *reader, int64_t lid, int64_t num, struct port **ret_port)
{
	struct port *owner;
	int rc = owner_of(reader, lid, &owner);

	*ret_port = NULL;
	if (rc < 0 || !owner)
		return rc;
	if (num == FIELD_UNKNOWN || (num == 0 && owner->device->type != NODE_TYPE_SWITCH))
		num = owner->num;
	if (num < 0 || num > 254)
		return 0;
	*ret_port = import_port(reader->import, owner->device, (unsigned)num);
	return *ret_port ? 0 : err_no_memory(reader->err);
}

static int end_node(struct sa_reader *reader)
{
	struct device *device;
	struct port *port;
	int rc = smp_node_apply(&reader->node, &reader->rows, reader->import, &device, reader->err);

	if (rc < 0 || !device)
		return rc;
	if (reader->name_told) {
		import_device_read(reader->import, device, ATTRIBUTE_NODE_DESCRIPTION);
		rc = import_description(reader->import, device, reader->name, reader->name_length,
					reader->err);
	}
	port = device_port(device, device->type == NODE_TYPE_SWITCH ?
					   0 : (unsigned)(reader->node.local_port & 255));
	if (rc == 0 && port && reader->lids)
		lidmap_add(reader->lids, port);
	return rc;
}

static int end_link(struct sa_reader *reader)
{
	struct port *from = NULL;
	struct port *to = NULL;
	int rc = port_of(reader, reader->lid, reader->num, &from);

	if (rc == 0)
		rc = port_of(reader, reader->to_lid, reader->to_port, &to);
	if (rc == 0 && (!from || !to))
		return import_odd(reader->import, reader->input,
				  "the record before names a LID that no file explains", reader->err);
	return rc < 0 ? rc : import_link(reader->import, from, to, false, reader->err);
}

static void set_known(int64_t *slot, int64_t value)
{
	if (value != FIELD_UNKNOWN)
		*slot = value;
}

static int end_sm(struct sa_reader *reader)
{
	struct sm *sm;

	sm = import_sm(reader->import, reader->guid);
	if (!sm)
		return err_no_memory(reader->err);
	set_known(&sm->lid, reader->lid);
	set_known(&sm->act_count, reader->act_count);
	set_known(&sm->priority, reader->priority);
	set_known(&sm->state, reader->state);
	return 0;
}

static int end_lft(struct sa_reader *reader, struct device *device)
{
	struct lft_table *table;
	unsigned first;
	int rc;

	if (reader->block >= LFT_BLOCKS)
		return 0;
	table = malloc(sizeof(*table));
	if (!table)
		return err_no_memory(reader->err);
	table->touched = LFT_LIDS;
	lft_table_reset(table);
	first = (unsigned)reader->block * 64;
	memcpy(table->entries + first, reader->lft, 64);
	rc = lft_table_commit(table, reader->import, device, first, first + 63, false, reader->err);
	free(table);
	return rc;
}

/* Blocks 1 and 2 are the low table, 3 and 4 the high one; the second of each is added to the first. */
static int end_vlarb(struct sa_reader *reader, struct port *port)
{
	bool high = reader->block >= 3;
	const struct vlarb_entry *old = high ? port->vlarb_high : port->vlarb_low;
	int64_t cap = high ? port->info.vlarb_high_cap : port->info.vlarb_low_cap;
	struct vlarb_entry entries[64];
	size_t count = 0;

	if (reader->block < 1 || reader->block > 4)
		return 0;
	if (reader->block % 2 == 0) {
		if (!old || cap <= 32 || port->source_of[ATTRIBUTE_VLARB] !=
						 import_source_ref(reader->import))
			return 0;
		memcpy(entries, old, 32 * sizeof(entries[0]));
		count = 32;
	}
	for (size_t i = 0; i < reader->vl_count && count < 64; i++)
		entries[count++] = (struct vlarb_entry){reader->vl[i], reader->weight[i]};
	/* A block has 32 places; the port has as many as its cap says. What behind them is empty says nothing. */
	if (cap >= 0 && (size_t)cap < count)
		count = (size_t)cap;
	while (cap < 0 && count > 0 && entries[count - 1].weight == 0)
		count--;
	import_port_read(reader->import, port, ATTRIBUTE_VLARB);
	return import_vlarb(reader->import, port, high, entries, count, reader->err);
}

/* Eight GUIDs; those of block 0 begin the table, the others go behind what this file gave of it. */
static int end_guids(struct sa_reader *reader, struct port *port)
{
	size_t before = reader->block < 32 ? 8 * (size_t)reader->block : 256;
	uint64_t *guids;

	while (reader->value_count > 0 && reader->values[reader->value_count - 1] == 0)
		reader->value_count--;
	if (before == 0) {
		import_port_read(reader->import, port, ATTRIBUTE_GUID_INFO);
		return import_guids(reader->import, port, reader->values, reader->value_count,
				    reader->err);
	}
	if (before > 248 || reader->value_count == 0 || port->guid_count > before ||
	    port->source_of[ATTRIBUTE_GUID_INFO] != import_source_ref(reader->import))
		return 0;
	guids = fabric_alloc(import_fabric(reader->import), before + reader->value_count,
			     sizeof(*guids));
	if (!guids)
		return err_no_memory(reader->err);
	if (port->guid_count > 0)
		memcpy(guids, port->guids, port->guid_count * sizeof(*guids));
	memcpy(guids + before, reader->values, reader->value_count * sizeof(*guids));
	port->guids = guids;
	port->guid_count = before + reader->value_count;
	return 0;
}

/* The mask of an MLID's 16 ports at a position. */
static uint16_t *mft_mask(struct sa_mft *mft, unsigned block, unsigned row, unsigned position)
{
	return &mft->masks[(block * 32 + row) * 16 + position];
}

static int end_mft(struct sa_reader *reader, struct device *device)
{
	struct sa_mft *mft = &reader->mft;
	unsigned block, position;
	int rc = 0;

	if (reader->block >= SA_MFT_BLOCKS || reader->position > 15)
		return 0;
	if (mft->device != device)
		rc = sa_mft_end(reader);
	if (rc == 0 && !mft->masks)
		mft->masks = calloc(SA_MFT_BLOCKS * 32 * 16, sizeof(*mft->masks));
	if (rc < 0 || !mft->masks)
		return rc < 0 ? rc : err_no_memory(reader->err);
	block = (unsigned)reader->block;
	position = (unsigned)reader->position;
	mft->device = device;
	mft->lid = reader->lid;
	mft->seen[block] |= (uint16_t)(1u << position);
	if (block >= mft->blocks)
		mft->blocks = block + 1;
	for (unsigned row = 0; row < 32; row++)
		*mft_mask(mft, block, row, position) = reader->masks[row];
	return 0;
}

/* Every block up to the last holds all positions that the switch's ports need. */
static bool mft_is_whole(const struct sa_mft *mft)
{
	int64_t ports = mft->device->info.num_ports;
	unsigned need = mft->seen[0];

	if (ports != FIELD_UNKNOWN)
		need = (1u << (ports / 16 + 1)) - 1;
	for (unsigned block = 0; block < mft->blocks; block++) {
		if ((mft->seen[block] & need) != need)
			return false;
	}
	return need != 0;
}

int sa_mft_end(struct sa_reader *reader)
{
	struct sa_mft *mft = &reader->mft;
	struct mft_table table = {NULL, 0, 0};
	struct device *device = mft->device;
	int rc = 0;

	if (!device)
		return 0;
	if (!mft_is_whole(mft)) {
		rc = import_odd(reader->import, reader->input,
				"parts of the multicast table before are missing", reader->err);
		goto out;
	}
	for (unsigned row = 0; rc == 0 && row < mft->blocks * 32 &&
			       MFT_FIRST_MLID + row <= MFT_LAST_MLID; row++) {
		uint8_t ports[32];

		for (unsigned position = 0; position < 16; position++) {
			uint16_t mask = mft->masks[row * 16 + position];

			ports[2 * position] = (uint8_t)mask;
			ports[2 * position + 1] = (uint8_t)(mask >> 8);
		}
		rc = mft_table_add(&table, MFT_FIRST_MLID + row, ports, reader->err);
	}
	if (rc == 0)
		rc = mft_table_commit(&table, reader->import, device, reader->err);
out:
	mft_table_free(&table);
	memset(mft->masks, 0, (size_t)mft->blocks * 32 * 16 * sizeof(*mft->masks));
	memset(mft->seen, 0, sizeof(mft->seen));
	mft->device = NULL;
	mft->blocks = 0;
	return rc;
}

static int end_table(struct sa_reader *reader, struct port *port)
{
	int rc = 0;

	switch (reader->record) {
	case RECORD_SL2VL:
		import_port_read(reader->import, port, ATTRIBUTE_SL2VL);
		return import_sl2vl(reader->import, port, (unsigned)(reader->in & 255),
				    reader->vl, reader->err);
	case RECORD_VLARB:
		return end_vlarb(reader, port);
	case RECORD_PKEY:
		import_port_read(reader->import, port, ATTRIBUTE_PKEY_TABLE);
		for (size_t i = 0; rc == 0 && i < reader->value_count; i++)
			rc = import_pkey_add(reader->import, port, (uint16_t)reader->values[i],
					     reader->err);
		return rc;
	case RECORD_GUID:
		return end_guids(reader, port);
	case RECORD_MFT:
		return end_mft(reader, port->device);
	case RECORD_LFT:
		return end_lft(reader, port->device);
	case RECORD_SWITCH:
		return smp_switch_apply(&reader->sw, reader->import, port->device, reader->err);
	case RECORD_PORT:
		reader->port.cut = reader->ends.open && !record_is_whole(&reader->ends);
		return smp_port_apply(&reader->port, reader->import, port->device, port->num, &port,
				      reader->err);
	default:
		return 0;
	}
}

/* Its lines say what it is about. */
static bool names_its_subject(const struct sa_reader *reader)
{
	switch (reader->record) {
	case RECORD_NODE:
		return reader->node.guid != 0;
	case RECORD_SM:
		return reader->guid != 0;
	case RECORD_LINK:
		return reader->lid >= 0 && reader->num >= 0 && reader->to_lid >= 0 &&
		       reader->to_port >= 0;
	case RECORD_SWITCH:
		return reader->lid >= 0;
	case RECORD_PORT:
		return reader->lid >= 0 && reader->num >= 0;
	case RECORD_SL2VL:
		return reader->lid >= 0 && reader->num >= 0 && reader->in >= 0;
	case RECORD_VLARB:
	case RECORD_PKEY:
		return reader->lid >= 0 && reader->num >= 0 && reader->block >= 0;
	case RECORD_LFT:
	case RECORD_GUID:
		return reader->lid >= 0 && reader->block >= 0;
	case RECORD_MFT:
		return reader->lid >= 0 && reader->block >= 0 && reader->position >= 0;
	default:
		return true;
	}
}

/* A table is known whole or not at all. */
static bool is_torn_table(const struct sa_reader *reader)
{
	return reader->record >= RECORD_LFT && reader->record <= RECORD_MFT &&
	       !record_is_whole(&reader->ends);
}

static int end_by_lid(struct sa_reader *reader)
{
	struct port *port;
	int rc = port_of(reader, reader->lid, reader->num, &port);

	if (rc < 0)
		return rc;
	if (!port)
		return import_odd(reader->import, reader->input,
				  "the record before names a LID that no file explains", reader->err);
	return end_table(reader, port);
}

int sa_record_end(struct sa_reader *reader)
{
	enum record record = reader->record;
	int rc = 0;

	if (!names_its_subject(reader))
		rc = import_odd(reader->import, reader->input,
				"the record before lacks a line that says what it is about",
				reader->err);
	else if (is_torn_table(reader) || record == RECORD_NONE)
		rc = 0;
	else if (record == RECORD_NODE)
		rc = end_node(reader);
	else if (record == RECORD_LINK)
		rc = end_link(reader);
	else if (record == RECORD_SM)
		rc = end_sm(reader);
	else if (record >= RECORD_PATH)
		reader->unplaced[record]++;
	else
		rc = end_by_lid(reader);
	reader->record = RECORD_NONE;
	return rc;
}
