#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/config.h"
#include "tests/support/same_fabric.h"

/* Numbers and texts that are all different. */
struct filler {
	struct fabric *fabric;
	int64_t next;
};

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

static int64_t number(struct filler *f)
{
	return f->next++;
}

static char *text(struct filler *f, const char *what)
{
	/* Not UTF-8, a control byte, a quote, markup, a mark that reorders text. */
	static const char *const foreign[] = {"plain", "\xff\xfe", "a\033[31mb", "it's \"<b>\"",
					      "\xe2\x80\xae x", "caf\xc3\xa9", "", "tab\tnew\nline"};
	char made[128];

	snprintf(made, sizeof(made), "%s %lld %s", what, (long long)f->next,
		 foreign[f->next % 8]);
	f->next++;
	return must(fabric_text(f->fabric, made, strlen(made)));
}

static void fill_fields(struct filler *f, void *fields, const struct field *table)
{
	for (; table->member; table++)
		field_set(fields, table, number(f));
}

static void fill_sources(struct filler *f, source_ref source_of[ATTRIBUTE_COUNT])
{
	for (size_t i = 0; i < ATTRIBUTE_COUNT; i++)
		source_of[i] = (source_ref)(number(f) % (int64_t)(f->fabric->source_count + 1));
}

static void fill_vlarb(struct filler *f, struct vlarb_entry **ret_entries, size_t *ret_count,
		       size_t count)
{
	*ret_entries = must(fabric_alloc(f->fabric, count, sizeof(**ret_entries)));
	*ret_count = count;
	for (size_t i = 0; i < count; i++) {
		(*ret_entries)[i].vl = (uint8_t)number(f);
		(*ret_entries)[i].weight = (uint8_t)number(f);
	}
}

static struct port_counters *some_counters(struct filler *f)
{
	struct port_counters *counters = must(fabric_alloc(f->fabric, 1, sizeof(*counters)));

	for (int i = 0; i < COUNTER_COUNT; i++) {
		if (i % 5 == 3)
			continue;
		counters->value[i] = (uint64_t)number(f);
		counters->known |= UINT64_C(1) << i;
	}
	counters->value[0] = UINT64_MAX;
	counters->saturated = 5;
	counters->read_at = number(f);
	return counters;
}

static void fill_tables(struct filler *f, struct port *port)
{
	struct fabric *fabric = f->fabric;

	port->sl2vl_count = 3;
	port->sl2vl = must(fabric_alloc(fabric, 3, sizeof(*port->sl2vl)));
	for (unsigned i = 0; i < 3; i++) {
		port->sl2vl[i].in_first = (uint8_t)(i * 10);
		port->sl2vl[i].in_last = (uint8_t)(i * 10 + 9);
		for (int sl = 0; sl < 16; sl++)
			port->sl2vl[i].vl[sl] = (uint8_t)(number(f) % 16);
	}
	fill_vlarb(f, &port->vlarb_high, &port->vlarb_high_count, 64);
	fill_vlarb(f, &port->vlarb_low, &port->vlarb_low_count, 0);
	port->pkey_count = 300;
	port->pkeys = must(fabric_alloc(fabric, 300, sizeof(*port->pkeys)));
	port->guid_count = 40;
	port->guids = must(fabric_alloc(fabric, 40, sizeof(*port->guids)));
	for (size_t i = 0; i < 300; i++)
		port->pkeys[i] = (uint16_t)(0x8000 | number(f));
	for (size_t i = 0; i < 40; i++)
		port->guids[i] = UINT64_MAX - (uint64_t)number(f);
}

static void fill_switch(struct filler *f, struct device *device)
{
	uint8_t entries[64];

	if (!device_lft_reserve(f->fabric, device, 49152))
		abort();
	for (unsigned block = 0; block < 49152 / 64; block += 1 + block / 100) {
		memset(entries, (int)(number(f) % 255), sizeof(entries));
		lft_set_block(device, block, entries);
	}
	device->mft_count = 5;
	device->mft = must(fabric_alloc(f->fabric, 5, sizeof(*device->mft)));
	for (unsigned i = 0; i < 5; i++) {
		device->mft[i].mlid = (uint16_t)(0xc000 + i * 3);
		device->mft[i].ports[i] = (uint8_t)(1 + number(f) % 255);
	}
}

static void add_device(struct filler *f, uint64_t guid, enum node_type type, unsigned ports)
{
	struct device *device = must(fabric_device_add(f->fabric, guid, type));

	device->system_image_guid = (uint64_t)number(f);
	fill_fields(f, &device->info, node_field_table);
	fill_fields(f, &device->sw, switch_field_table);
	device->description = text(f, "description");
	device->alias = text(f, "alias");
	device->place = text(f, "place");
	device->fw_version = text(f, "fw");
	device->psid = text(f, "psid");
	fill_sources(f, device->source_of);
	if (type == NODE_TYPE_SWITCH)
		fill_switch(f, device);
	for (unsigned i = type != NODE_TYPE_SWITCH; i <= ports; i++) {
		struct port *port = must(fabric_port(f->fabric, device, (uint8_t)i));

		port->guid = guid + i + 1;
		fill_fields(f, &port->info, port_field_table);
		fill_sources(f, port->source_of);
		fill_tables(f, port);
		port->counters = some_counters(f);
	}
}

static void add_facts(struct filler *f)
{
	struct fabric *fabric = f->fabric;
	struct device *device = fabric->devices[1];

	for (int i = 0; i < 3; i++) {
		struct fact *fact = must(fabric_fact_add(fabric));

		fact->device = i == 1 ? NULL : device;
		fact->port = i - 1;
		fact->section = text(f, "section");
		fact->key = text(f, "key");
		fact->value = text(f, "value");
		fact->source = 2;
	}
	/* Two more of the last one's place. */
	for (int i = 0; i < 2; i++) {
		struct fact *fact = must(fabric_fact_add(fabric));

		*fact = fabric->facts[2];
		fact->key = text(f, "key");
	}
}

static void add_lists(struct filler *f)
{
	struct fabric *fabric = f->fabric;
	struct device *device = fabric->devices[2];
	struct hole *hole = must(fabric_hole_add(fabric));
	struct hole *nowhere = NULL;
	struct odd_line *odd = must(fabric_odd_line_add(fabric));
	struct contradiction *contradiction = must(fabric_contradiction_add(fabric));
	struct guid_conflict *conflict = must(fabric_guid_conflict_add(fabric));
	struct sm *sm = must(fabric_sm_add(fabric));
	struct planned_link *planned = must(fabric_planned_link_add(fabric));

	*hole = (struct hole){device, 7, ATTRIBUTE_SL2VL, HOLE_STATUS, 12, device->ports[1],
			      text(f, "hole"), 1};
	nowhere = must(fabric_hole_add(fabric));
	*nowhere = (struct hole){.port = -1, .attribute = ATTRIBUTE_HOST, .reason = HOLE_LIMIT};
	*odd = (struct odd_line){2, number(f), text(f, "odd"), text(f, "reason")};
	*contradiction = (struct contradiction){device, -1, text(f, "fact"), text(f, "kept"), 1,
						text(f, "other"), 2};
	*conflict = (struct guid_conflict){UINT64_MAX, true, device->ports[1], NULL,
					   text(f, "conflict"), 2};
	*sm = (struct sm){fabric->devices[0]->ports[0], (uint64_t)number(f), number(f), number(f),
			  number(f), number(f), 1};
	*planned = (struct planned_link){text(f, "a"), text(f, "pa"), text(f, "b"), text(f, "pb"),
					 text(f, "detail"), 2};
}

static void add_host(struct filler *f)
{
	struct host_gid *gid = must(fabric_host_gid_add(f->fabric));
	struct host_port *port = must(fabric_host_port_add(f->fabric));

	gid->host = text(f, "host");
	gid->device = text(f, "device");
	gid->port = 1;
	gid->index = 3;
	for (int i = 0; i < 16; i++)
		gid->gid[i] = (uint8_t)number(f);
	gid->type = text(f, "type");
	gid->netdev = text(f, "netdev");
	gid->port_guid = (uint64_t)number(f);
	gid->source = 1;
	*port = (struct host_port){text(f, "host"), text(f, "device"), 2, (uint64_t)number(f),
				   (uint64_t)number(f), text(f, "layer"), number(f), number(f),
				   number(f), number(f), text(f, "speed"), number(f), number(f),
				   number(f), text(f, "fw"), number(f), number(f),
				   some_counters(f), 2};
}

static struct policy_node *node(struct filler *f, const char *keyword, char *value)
{
	struct policy_node *made = must(fabric_alloc(f->fabric, 1, sizeof(*made)));

	made->keyword = keyword ? text(f, keyword) : must(fabric_text(f->fabric, "", 0));
	made->value = value;
	made->line = number(f);
	return made;
}

static void add_policy(struct filler *f, struct config *config)
{
	struct policy_node *root = node(f, NULL, NULL);

	config->policy.present = true;
	config->policy.dropped = true;
	config->policy.source = 2;
	config->policy.root = root;
	root->first_child = node(f, "section", NULL);
	root->first_child->first_child = node(f, "key", text(f, "value"));
	root->first_child->first_child->next = node(f, "key", text(f, "value"));
	root->first_child->next = node(f, "section", NULL);
	root->first_child->next->next = node(f, "ulp", text(f, "value"));
}

static void add_config(struct filler *f)
{
	struct config *config = f->fabric->config;
	struct config_problem *problem = must(config_problem_add(config));

	config->opensm_conf = 1;
	config->partitions_conf = 2;
	config->opensm_log = 1;
	for (int i = 0; i < 40; i++) {
		struct config_option *option = must(config_option_add(config));

		*option = (struct config_option){text(f, "key"), i % 2 ? text(f, "raw") : NULL,
						 i % 3 ? text(f, "held") : NULL, number(f), 1};
	}
	for (int i = 0; i < 3; i++) {
		struct partition *partition = must(config_partition_add(config));
		size_t count = (size_t)i * 2;

		*partition = (struct partition){text(f, "name"), (uint16_t)number(f), i % 2,
						number(f), number(f), number(f), NULL, count,
						number(f), 2};
		if (count == 0)
			continue;
		partition->members = must(fabric_alloc(f->fabric, count, sizeof(*partition->members)));
		for (size_t m = 0; m < count; m++)
			partition->members[m] = (struct partition_member){
				(enum partition_member_kind)(m % 6), (uint64_t)number(f),
				(enum membership)(m % 3), number(f)};
	}
	for (int i = 0; i < LOG_EVENT_KIND_COUNT; i++) {
		struct log_event *event = must(config_event_add(config));

		*event = (struct log_event){(enum log_event_kind)i, text(f, "error"), text(f, "text"),
					    (uint64_t)number(f), (uint64_t)number(f),
					    (uint64_t)number(f), i, i + 1, 300, text(f, "first"),
					    text(f, "last"), number(f), number(f), number(f), 1,
					    (enum log_run_state)(i % LOG_RUN_STATE_COUNT),
					    i % 2 ? text(f, "until") : NULL};
	}
	*problem = (struct config_problem){text(f, "id"), text(f, "key"), text(f, "text"),
					   text(f, "remedy"), 2, number(f), 1};
	add_policy(f, config);
}

struct fabric *full_fabric(void)
{
	struct filler f = {.next = 1};
	struct err err = {0};
	struct source *source;

	if (fabric_new(&f.fabric, &err) < 0)
		abort();
	for (int i = 0; i < 2; i++) {
		source = must(fabric_source_add(f.fabric, i ? SOURCE_FILE : SOURCE_LIVE, "x", "y"));
		source->name = text(&f, "source");
		source->format = text(&f, "format");
		source->taken_at = number(&f);
		source->rows = number(&f);
		source->odd_rows = number(&f);
		source->detail = text(&f, "detail");
	}
	add_device(&f, UINT64_C(0xffffffffffff0000), NODE_TYPE_SWITCH, 36);
	for (int i = 0; i < 3; i++)
		add_device(&f, 0x1000, NODE_TYPE_CA, 2);
	add_device(&f, 0, NODE_TYPE_ROUTER, 1);
	fabric_link(f.fabric->devices[0]->ports[1], f.fabric->devices[1]->ports[1]);
	fabric_link(f.fabric->devices[0]->ports[2], f.fabric->devices[2]->ports[1]);
	fabric_link(f.fabric->devices[3]->ports[1], f.fabric->devices[3]->ports[1]);
	/* Seen from one end alone. */
	f.fabric->devices[0]->ports[3]->peer = f.fabric->devices[3]->ports[2];
	f.fabric->devices[0]->ports[4]->peer = f.fabric->devices[4]->ports[1];
	add_facts(&f);
	add_lists(&f);
	add_host(&f);
	add_config(&f);
	f.fabric->taken_at = number(&f);
	f.fabric->live = true;
	f.fabric->partial = true;
	f.fabric->asked = UINT32_C(0xfffffffe);
	return f.fabric;
}
