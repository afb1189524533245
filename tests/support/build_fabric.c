#include "tests/support/build_fabric.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUBNET_PREFIX INT64_C(-108086391056891904)	/* 0xfe80000000000000 */
#define EDR_CODE 512
#define EDR_MBPS 25781

static void *must(void *pointer)
{
	if (!pointer) {
		fprintf(stderr, "build_fabric: no memory, or no such thing\n");
		abort();
	}
	return pointer;
}

struct fabric *build_fabric(void)
{
	struct fabric *fabric = NULL;
	struct err err = {0};

	if (fabric_new(&fabric, &err) < 0)
		must(NULL);
	must(fabric_source_add(fabric, SOURCE_LIVE, "mlx5_0 port 1", "live"));
	fabric->live = true;
	fabric->taken_at = 1700000000;
	fabric->asked = (1u << ATTRIBUTE_NODE_INFO) | (1u << ATTRIBUTE_NODE_DESCRIPTION) |
			(1u << ATTRIBUTE_SWITCH_INFO) | (1u << ATTRIBUTE_PORT_INFO) |
			(1u << ATTRIBUTE_NEIGHBOR);
	return fabric;
}

static struct device *add_device(struct fabric *fabric, uint64_t guid, enum node_type type,
				 unsigned ports, const char *name)
{
	struct device *device = must(fabric_device_add(fabric, guid, type));

	device->info.num_ports = ports;
	device->info.base_version = 1;
	device->info.class_version = 1;
	device->info.partition_cap = 128;
	device->system_image_guid = guid;
	device->description = must(fabric_text(fabric, name, strlen(name)));
	device->source_of[ATTRIBUTE_NODE_INFO] = 1;
	device->source_of[ATTRIBUTE_NODE_DESCRIPTION] = 1;
	return device;
}

static void set_end_port(struct port *port, unsigned lid)
{
	port->info.lid = lid;
	port->info.lmc = 0;
	port->info.sm_lid = 0;
	port->info.sm_sl = 0;
	port->info.gid_prefix = SUBNET_PREFIX;
	port->info.capability_mask = (1 << CAPABILITY_SL_MAPPING) |
				     (1 << CAPABILITY_EXTENDED_SPEEDS) |
				     (1 << CAPABILITY_MASK2);
}

static void set_down(struct port *port)
{
	port->peer = NULL;
	port->info.port_state = 1;
	port->info.port_phys_state = 2;
	port->info.link_down_default = 2;
}

static struct port *add_port(struct fabric *fabric, struct device *device, unsigned num)
{
	struct port *port = must(fabric_port(fabric, device, (uint8_t)num));

	port->source_of[ATTRIBUTE_PORT_INFO] = 1;
	return port;
}

struct device *build_switch(struct fabric *fabric, uint64_t guid, unsigned ports, unsigned lid,
			    const char *name)
{
	struct device *device = add_device(fabric, guid, NODE_TYPE_SWITCH, ports, name);
	struct port *port = add_port(fabric, device, 0);

	device->source_of[ATTRIBUTE_SWITCH_INFO] = 1;
	device->sw.linear_fdb_cap = 49152;
	device->sw.linear_fdb_top = 0;
	device->sw.enhanced_port0 = 0;
	port->guid = guid;
	set_end_port(port, lid);
	for (unsigned num = 1; num <= ports; num++) {
		port = add_port(fabric, device, num);
		port->guid = guid;
		set_down(port);
	}
	return device;
}

void build_enhanced_port0(struct device *device)
{
	struct port *port = build_port(device, 0);

	device->sw.enhanced_port0 = 1;
	port->info.port_state = 4;
	port->info.port_phys_state = 5;
	port->info.link_width_active = 1;
	port->info.link_width_supported = 1;
	port->info.link_width_enabled = 1;
	port->info.link_speed_active = 2500;
	port->info.link_speed_code = 1;
	port->info.link_speed_supported = 1;
	port->info.link_speed_enabled = 1;
	port->info.neighbor_mtu = 4096;
	port->info.mtu_cap = 4096;
	port->info.vl_cap = 1;
	port->info.oper_vls = 1;
	port->info.vl_high_limit = 0;
	port->info.vlarb_high_cap = 0;
	port->info.vlarb_low_cap = 0;
}

struct device *build_ca(struct fabric *fabric, uint64_t guid, unsigned ports, unsigned lid,
			const char *name)
{
	struct device *device = add_device(fabric, guid, NODE_TYPE_CA, ports, name);

	for (unsigned num = 1; num <= ports; num++) {
		struct port *port = add_port(fabric, device, num);

		port->guid = guid + num;
		set_end_port(port, num == 1 ? lid : 0);
		set_down(port);
	}
	return device;
}

struct port *build_port(struct device *device, unsigned num)
{
	return must(device_port(device, num));
}

static void set_up(struct port *port)
{
	port->info.port_state = 4;
	port->info.port_phys_state = 5;
	port->info.link_width_active = 4;
	port->info.link_width_supported = 3;
	port->info.link_width_enabled = 3;
	port->info.link_speed_active = EDR_MBPS;
	port->info.link_speed_code = EDR_CODE;
	port->info.link_speed_supported = 1 | 2 | 4 | 256 | 512;
	port->info.link_speed_enabled = 1 | 2 | 4 | 256 | 512;
	port->info.neighbor_mtu = 4096;
	port->info.mtu_cap = 4096;
	port->info.vl_cap = 8;
	port->info.oper_vls = 8;
	port->info.vl_high_limit = 0;
	port->info.vlarb_high_cap = 8;
	port->info.vlarb_low_cap = 8;
	port->source_of[ATTRIBUTE_NEIGHBOR] = 1;
}

void build_link(struct device *a, unsigned port_a, struct device *b, unsigned port_b)
{
	struct port *end_a = build_port(a, port_a);
	struct port *end_b = build_port(b, port_b);

	set_up(end_a);
	set_up(end_b);
	fabric_link(end_a, end_b);
}

void build_unlink(struct device *a, unsigned port_a)
{
	struct port *end = build_port(a, port_a);

	set_down(must(end->peer));
	set_down(end);
}

/* Sets, in every switch that reaches `owner`, the entries of its LIDs. */
static void route_to(struct fabric *fabric, struct port *owner, struct device **queue, uint8_t *out)
{
	unsigned count = owner->info.lmc > 0 ? 1u << owner->info.lmc : 1;
	size_t head = 0;
	size_t tail = 0;

	memset(out, 255, fabric->device_count);
	if (owner->num == 0) {
		out[owner->device->index] = 0;
		queue[tail++] = owner->device;
	} else if (owner->peer && owner->peer->device->type == NODE_TYPE_SWITCH) {
		out[owner->peer->device->index] = owner->peer->num;
		queue[tail++] = owner->peer->device;
	}
	while (head < tail) {
		struct device *device = queue[head++];

		for (unsigned num = 1; num < device->port_slots; num++) {
			struct port *peer = device->ports[num] ? device->ports[num]->peer : NULL;

			if (!peer || peer->device->type != NODE_TYPE_SWITCH ||
			    out[peer->device->index] != 255)
				continue;
			out[peer->device->index] = peer->num;
			queue[tail++] = peer->device;
		}
	}
	for (size_t i = 0; i < tail; i++) {
		for (unsigned lid = 0; lid < count; lid++)
			queue[i]->lft[owner->info.lid + lid] = out[queue[i]->index];
	}
}

typedef void (*end_port_fn)(struct fabric *fabric, struct port *port, void *context);

static void for_end_ports(struct fabric *fabric, end_port_fn call, void *context)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (device->ports[num] && port_is_end_port(device->ports[num]))
				call(fabric, device->ports[num], context);
		}
	}
}

static bool has_lid(const struct port *port)
{
	return port->info.lid > 0 && port->info.lid < 49152;
}

static void raise_top(struct fabric *fabric, struct port *port, void *context)
{
	unsigned *top = context;
	unsigned last = has_lid(port) ? (unsigned)port->info.lid : 0;

	(void)fabric;
	if (last && port->info.lmc > 0)
		last += (1u << port->info.lmc) - 1;
	if (last > *top)
		*top = last;
}

struct route_work {
	struct device **queue;
	uint8_t *out;
};

static void route_port(struct fabric *fabric, struct port *port, void *context)
{
	struct route_work *work = context;

	if (has_lid(port))
		route_to(fabric, port, work->queue, work->out);
}

/* LIDs 0..last, whole blocks of them, are read and lead nowhere. */
static bool read_range(struct fabric *fabric, struct device *device, unsigned last)
{
	uint8_t no_path[64];

	memset(no_path, 255, sizeof(no_path));
	if (!device_lft_reserve(fabric, device, (size_t)last + 1))
		return false;
	for (unsigned block = 0; block <= last / 64; block++)
		lft_set_block(device, block, no_path);
	return true;
}

void build_routes(struct fabric *fabric)
{
	struct route_work work;
	unsigned top = 0;

	for_end_ports(fabric, raise_top, &top);
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		if (device->type != NODE_TYPE_SWITCH)
			continue;
		if (!read_range(fabric, device, top))
			must(NULL);
		device->sw.linear_fdb_top = top;
		device->source_of[ATTRIBUTE_LFT] = 1;
	}
	work.queue = must(calloc(fabric->device_count + 1, sizeof(struct device *)));
	work.out = must(malloc(fabric->device_count + 1));
	for_end_ports(fabric, route_port, &work);
	free(work.queue);
	free(work.out);
	fabric->asked |= 1u << ATTRIBUTE_LFT;
}

void build_route(struct device *device, unsigned lid, unsigned port)
{
	if (!lft_known(device, lid))
		must(NULL);
	device->lft[lid] = (uint8_t)port;
}

static void point_to_sm(struct fabric *fabric, struct port *port, void *context)
{
	const struct port *sm = context;

	(void)fabric;
	if (has_lid(port))
		port->info.sm_lid = sm->info.lid;
}

struct sm *build_sm(struct fabric *fabric, struct port *port, int64_t state, int64_t priority)
{
	struct sm *sm = must(fabric_sm_add(fabric));

	sm->port = port;
	sm->port_guid = port->guid;
	sm->lid = port->info.lid;
	sm->state = state;
	sm->priority = priority;
	sm->act_count = 100;
	sm->source = 1;
	port->info.capability_mask |= 1 << CAPABILITY_IS_SM;
	fabric->asked |= 1u << ATTRIBUTE_SM_INFO;
	if (state == 3)
		for_end_ports(fabric, point_to_sm, port);
	return sm;
}

struct fabric *build_tree(void)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf[2];
	struct device *spine[2];
	char name[16];

	leaf[0] = build_switch(fabric, 0x1001, 4, 1, "leaf-1");
	leaf[1] = build_switch(fabric, 0x1002, 4, 2, "leaf-2");
	spine[0] = build_switch(fabric, 0x1003, 4, 3, "spine-1");
	spine[1] = build_switch(fabric, 0x1004, 4, 4, "spine-2");
	for (unsigned i = 0; i < 2; i++) {
		for (unsigned j = 0; j < 2; j++) {
			unsigned lid = 10 * (i + 1) + j + 1;
			struct device *host;

			snprintf(name, sizeof(name), "host-%u", lid);
			host = build_ca(fabric, 0x1000 + lid, 1, lid, name);
			build_link(leaf[i], j + 1, host, 1);
			build_link(leaf[i], j + 3, spine[j], i + 1);
		}
	}
	build_routes(fabric);
	build_sm(fabric, build_port(build_device(fabric, "host-11"), 1), 3, 4);
	return fabric;
}

struct device *build_device(const struct fabric *fabric, const char *name)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		if (fabric->devices[i]->description &&
		    strcmp(fabric->devices[i]->description, name) == 0)
			return fabric->devices[i];
	}
	return must(NULL);
}
