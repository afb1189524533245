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
	if (rc < 0 || !from || !to)
		return rc;
	return import_link(reader->import, from, to, false, reader->err);
}

static int end_sm(struct sa_reader *reader)
{
	struct sm *sm;

	if (reader->guid == 0)
		return 0;
	sm = import_sm(reader->import, reader->guid);
	if (!sm)
		return err_no_memory(reader->err);
	sm->lid = reader->lid;
	sm->act_count = reader->act_count;
	sm->priority = reader->priority;
	sm->state = reader->state;
	return 0;
}

static int end_lft(struct sa_reader *reader, struct device *device)
{
	struct lft_table *table;
	unsigned first;
	int rc;

	/* A block is known whole or not at all. */
	if (reader->lft_known != UINT64_MAX || reader->block < 0 || reader->block >= LFT_BLOCKS)
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

	if (reader->block < 1 || reader->block > 4 || reader->vl_count != reader->weight_count)
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
	/* A block has 32 places; the port has as many as its cap says. */
	if (cap >= 0 && (size_t)cap < count)
		count = (size_t)cap;
	import_port_read(reader->import, port, ATTRIBUTE_VLARB);
	return import_vlarb(reader->import, port, high, entries, count, reader->err);
}

static int end_table(struct sa_reader *reader, struct port *port)
{
	int rc = 0;

	switch (reader->record) {
	case RECORD_SL2VL:
		if (reader->vl_count != 16)
			return 0;
		import_port_read(reader->import, port, ATTRIBUTE_SL2VL);
		return import_sl2vl(reader->import, port,
				    reader->in >= 0 ? (unsigned)reader->in : 0, reader->vl,
				    reader->err);
	case RECORD_VLARB:
		return end_vlarb(reader, port);
	case RECORD_PKEY:
		import_port_read(reader->import, port, ATTRIBUTE_PKEY_TABLE);
		for (size_t i = 0; rc == 0 && i < reader->value_count; i++)
			rc = import_pkey_add(reader->import, port, (uint16_t)reader->values[i],
					     reader->err);
		return rc;
	case RECORD_GUID:
		if (reader->block > 0)
			return 0;
		while (reader->value_count > 0 && reader->values[reader->value_count - 1] == 0)
			reader->value_count--;
		import_port_read(reader->import, port, ATTRIBUTE_GUID_INFO);
		return import_guids(reader->import, port, reader->values, reader->value_count,
				    reader->err);
	case RECORD_LFT:
		return end_lft(reader, port->device);
	case RECORD_SWITCH:
		return smp_switch_apply(&reader->sw, reader->import, port->device, reader->err);
	case RECORD_PORT:
		return smp_port_apply(&reader->port, reader->import, port->device, port->num, &port,
				      reader->err);
	default:
		return 0;
	}
}

int sa_record_end(struct sa_reader *reader)
{
	enum record record = reader->record;
	struct port *port;
	int rc = 0;

	if (record == RECORD_NODE)
		rc = end_node(reader);
	else if (record == RECORD_LINK)
		rc = end_link(reader);
	else if (record == RECORD_SM)
		rc = end_sm(reader);
	else if (record != RECORD_NONE && record != RECORD_OTHER) {
		rc = port_of(reader, reader->lid, reader->num, &port);
		if (rc == 0 && port)
			rc = end_table(reader, port);
		else if (rc == 0)
			rc = import_odd(reader->import, reader->input,
					"the record before names a LID that no file explains",
					reader->err);
	}
	reader->record = RECORD_NONE;
	return rc;
}
