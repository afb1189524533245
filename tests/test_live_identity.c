/*
 * Whole runs of the collector over a small fabric that lives in this file: it
 * stands in front of libibumad and answers directed route SMPs. GUIDs can be
 * alike, cables can loop, and a cable can move while the run goes on.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/live/live.h"
#include "collector/live/wire.h"

#define NODES 16
#define PORTS 9
#define WAITING 8192

struct end {
	int node;		/* -1: nothing plugged in */
	int port;
};

static struct {
	struct {
		enum node_type type;
		uint64_t guid;
		const char *description;
		bool dead;
		struct end ends[PORTS];
	} nodes[NODES];
	int count;
	unsigned answers;
	unsigned move_at;	/* after so many answers the cable at `from` goes to `to` */
	struct end move_from, move_to;
	uint8_t waiting[WAITING][IB_MAD_SIZE];
	unsigned first, last;
} net;

/* --- The fabric. --- */

static int node(enum node_type type, uint64_t guid, const char *description)
{
	net.nodes[net.count].type = type;
	net.nodes[net.count].guid = guid;
	net.nodes[net.count].description = description;
	for (int port = 0; port < PORTS; port++)
		net.nodes[net.count].ends[port].node = -1;
	return net.count++;
}

static void cable(int a, int a_port, int b, int b_port)
{
	net.nodes[a].ends[a_port] = (struct end){b, b_port};
	net.nodes[b].ends[b_port] = (struct end){a, a_port};
}

static void uncable(int a, int a_port)
{
	struct end far = net.nodes[a].ends[a_port];

	net.nodes[a].ends[a_port].node = -1;
	if (far.node >= 0)
		net.nodes[far.node].ends[far.port].node = -1;
}

static int ports_of(int at)
{
	return net.nodes[at].type == NODE_TYPE_SWITCH ? PORTS - 1 : 2;
}

/* Where the path leads, and the port it comes in by; node -1: nowhere. Writes the return path. */
static struct end walk(uint8_t *mad)
{
	struct end at = {.node = 0, .port = 1};

	for (int hop = 1; hop <= mad[7]; hop++) {
		if (hop > 1 && net.nodes[at.node].type != NODE_TYPE_SWITCH)
			return (struct end){-1, 0};
		if (mad[128 + hop] >= PORTS || net.nodes[at.node].dead)
			return (struct end){-1, 0};
		at = net.nodes[at.node].ends[mad[128 + hop]];
		if (at.node < 0)
			return at;
		mad[192 + hop] = (uint8_t)at.port;
	}
	return at;
}

static bool answer(uint8_t *mad)
{
	struct end at = walk(mad);
	uint8_t *data = mad + IB_SMP_DATA_OFFS;
	unsigned port = mad[23];

	if (net.move_at && ++net.answers == net.move_at) {
		uncable(net.move_from.node, net.move_from.port);
		uncable(net.move_to.node, net.move_to.port);
		cable(net.move_from.node, net.move_from.port, net.move_to.node, net.move_to.port);
		at = walk(mad);
	}
	if (at.node < 0 || net.nodes[at.node].dead)
		return false;
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	mad[4] = 0x80;
	switch (mad[16] << 8 | mad[17]) {
	case IB_ATTR_NODE_INFO:
		mad_set_field(data, 0, IB_NODE_BASE_VERS_F, 1);
		mad_set_field(data, 0, IB_NODE_TYPE_F, net.nodes[at.node].type);
		mad_set_field(data, 0, IB_NODE_NPORTS_F, (uint32_t)ports_of(at.node));
		mad_set_field64(data, 0, IB_NODE_GUID_F, net.nodes[at.node].guid);
		mad_set_field64(data, 0, IB_NODE_PORT_GUID_F,
				net.nodes[at.node].guid + (unsigned)at.port);
		mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F, (uint32_t)at.port);
		return true;
	case IB_ATTR_NODE_DESC:
		strncpy((char *)data, net.nodes[at.node].description, 64);
		return true;
	case IB_ATTR_SWITCH_INFO:
		mad_set_field(data, 0, IB_SW_ENHANCED_PORT0_F, 1);
		return true;
	case IB_ATTR_PORT_INFO:
		mad_set_field(data, 0, IB_PORT_STATE_F,
			      port == 0 || net.nodes[at.node].ends[port].node >= 0 ? 4 : 1);
		return true;
	}
	mad[5] = 0x0c;
	return true;
}

/* --- libibumad, as far as the collector uses it. --- */

int umad_init(void)
{
	return 0;
}

int umad_get_cas_names(char cas[][UMAD_CA_NAME_LEN], int max)
{
	(void)max;
	strcpy(cas[0], "fake0");
	return 1;
}

int umad_get_ca(const char *ca_name, umad_ca_t *ca)
{
	static umad_port_t port;

	(void)ca_name;
	memset(ca, 0, sizeof(*ca));
	port.portnum = 1;
	port.state = 4;
	strcpy(port.link_layer, "InfiniBand");
	ca->numports = 1;
	ca->ports[1] = &port;
	return 0;
}

int umad_release_ca(umad_ca_t *ca)
{
	(void)ca;
	return 0;
}

int umad_open_port(const char *ca_name, int portnum)
{
	(void)ca_name;
	(void)portnum;
	return 3;
}

int umad_close_port(int portid)
{
	(void)portid;
	return 0;
}

int umad_register(int portid, int mgmt_class, int mgmt_version, uint8_t rmpp_version,
		  long method_mask[16 / sizeof(long)])
{
	(void)portid;
	(void)mgmt_version;
	(void)rmpp_version;
	(void)method_mask;
	return mgmt_class & 7;
}

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	uint8_t *mad = net.waiting[net.last % WAITING];

	(void)portid;
	(void)agentid;
	(void)length;
	(void)timeout_ms;
	(void)retries;
	memcpy(mad, umad_get_mad(umad), IB_MAD_SIZE);
	net.last += answer(mad);
	return 0;
}

int umad_recv(int portid, void *umad, int *length, int timeout_ms)
{
	(void)portid;
	(void)timeout_ms;
	if (net.first == net.last) {
		errno = EWOULDBLOCK;
		return -EWOULDBLOCK;
	}
	memcpy(umad_get_mad(umad), net.waiting[net.first++ % WAITING], IB_MAD_SIZE);
	((struct ib_user_mad *)umad)->status = 0;
	*length = IB_MAD_SIZE;
	return 0;
}

int umad_poll(int portid, int timeout_ms)
{
	(void)portid;
	(void)timeout_ms;
	return 0;
}

/* --- Runs. --- */

static struct fabric *collect(void)
{
	const struct live_options options = {
		.timeout_ms = 2,
		.retries = 1,
		.groups = LIVE_TOPOLOGY,
		.now = 1700000000,
	};
	struct fabric *fabric = NULL;
	struct err err = {0};

	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(live_collect(&options, fabric, NULL, &err), 0);
	return fabric;
}

static unsigned rows_of(const struct fabric *fabric, uint64_t guid)
{
	unsigned rows = 0;

	for (const struct device *device = fabric_device_find(fabric, guid); device;
	     device = device->same_guid)
		rows++;
	return rows;
}

static unsigned links_of(const struct fabric *fabric)
{
	unsigned ends = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			const struct port *port = device->ports[p];

			if (!port || !port->peer)
				continue;
			assert_ptr_equal(port->peer->peer, port);
			ends += port->peer == port ? 2 : 1;
		}
	}
	return ends / 2;
}

/* A host and its switch: nodes 0 and 1. */
static int begin(void)
{
	int leaf;

	memset(&net, 0, sizeof(net));
	node(NODE_TYPE_CA, 0x100, "here");
	leaf = node(NODE_TYPE_SWITCH, 0x200, "leaf");
	cable(0, 1, leaf, 1);
	return leaf;
}

static void many_ways_to_one_switch_are_one_switch(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_SWITCH, 0xa00, "spine-a");
	int b = node(NODE_TYPE_SWITCH, 0xb00, "spine-b");
	int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 1);
	cable(leaf, 4, a, 5);
	cable(a, 2, far, 1);
	cable(b, 2, far, 2);
	cable(a, 3, far, 3);
	fabric = collect();
	assert_int_equal(fabric->device_count, 5);
	assert_int_equal(links_of(fabric), 7);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(fabric);
}

static void two_hosts_with_one_guid_are_two_rows(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_CA, 0xc00, "host-a");
	int b = node(NODE_TYPE_CA, 0xc00, "host-b");
	int c = node(NODE_TYPE_CA, 0xc00, "host-c");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 1);
	cable(leaf, 5, c, 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xc00), 3);
	assert_int_equal(links_of(fabric), 4);
	assert_int_equal(fabric->guid_conflict_count, 2);
	assert_non_null(fabric->guid_conflicts[0].place_a);
	assert_ptr_not_equal(fabric->guid_conflicts[0].place_a,
			     fabric->guid_conflicts[0].place_b);
	fabric_free(fabric);
}

static void a_host_with_two_cables_is_one_host(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, host, 1);
	cable(leaf, 3, host, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xc00), 1);
	assert_int_equal(links_of(fabric), 3);
	assert_int_equal(fabric->guid_conflict_count, 0);
	fabric_free(fabric);
}

static void two_hosts_with_two_cables_each_are_two(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_CA, 0xc00, "host-a");
	int b = node(NODE_TYPE_CA, 0xc00, "host-b");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 2);
	cable(leaf, 4, b, 1);
	cable(leaf, 5, a, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xc00), 2);
	assert_int_equal(links_of(fabric), 5);
	for (const struct device *device = fabric_device_find(fabric, 0xc00); device;
	     device = device->same_guid) {
		assert_non_null(device_port(device, 1)->peer);
		assert_non_null(device_port(device, 2)->peer);
		/* Ports 2 and 5, or 4 and 3, of the leaf. */
		assert_int_equal(device_port(device, 1)->peer->num +
					 device_port(device, 2)->peer->num,
				 7);
	}
	fabric_free(fabric);
}

static void two_switches_cabled_alike_are_two(void **state)
{
	int leaf = begin();
	int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
	int a = node(NODE_TYPE_SWITCH, 0x500, "spine");
	int b = node(NODE_TYPE_SWITCH, 0x500, "spine");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(leaf, 3, b, 1);
	cable(far, 2, a, 2);
	cable(far, 3, b, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x500), 2);
	assert_int_equal(links_of(fabric), 5);
	assert_int_equal(fabric->device_count, 5);
	fabric_free(fabric);
}

/*
 * Both pairs share a GUID, and each port's neighbour says what the twin's says:
 * only the way home tells them apart.
 */
static void crossed_twins_are_four_switches(void **state)
{
	int leaf = begin();
	int a1 = node(NODE_TYPE_SWITCH, 0xa00, "a");
	int a2 = node(NODE_TYPE_SWITCH, 0xa00, "a");
	int b1 = node(NODE_TYPE_SWITCH, 0xb00, "b");
	int b2 = node(NODE_TYPE_SWITCH, 0xb00, "b");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a1, 1);
	cable(leaf, 3, b1, 2);
	cable(a1, 5, b2, 7);
	cable(a2, 5, b1, 7);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0xa00), 2);
	assert_int_equal(rows_of(fabric, 0xb00), 2);
	assert_int_equal(links_of(fabric), 5);
	fabric_free(fabric);
}

static void twins_beside_each_other_are_two(void **state)
{
	int leaf = begin();
	int a = node(NODE_TYPE_SWITCH, 0x500, "twin");
	int b = node(NODE_TYPE_SWITCH, 0x500, "twin");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, a, 1);
	cable(a, 3, b, 3);
	cable(a, 4, b, 5);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x500), 2);
	assert_int_equal(links_of(fabric), 4);
	fabric_free(fabric);
}

static void a_ring_of_equal_guids_ends(void **state)
{
	int leaf = begin();
	int first = node(NODE_TYPE_SWITCH, 0x500, "ring");
	int last = first;
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, first, 1);
	for (int i = 0; i < 5; i++) {
		int next = node(NODE_TYPE_SWITCH, 0x500, "ring");

		cable(last, 3, next, 2);
		last = next;
	}
	cable(last, 3, first, 2);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x500), 6);
	assert_int_equal(links_of(fabric), 8);
	fabric_free(fabric);
}

static void a_cable_back_to_its_switch_is_no_twin(void **state)
{
	int leaf = begin();
	struct fabric *fabric;

	(void)state;
	cable(leaf, 3, leaf, 6);
	cable(leaf, 5, leaf, 5);
	fabric = collect();
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_int_equal(links_of(fabric), 3);
	assert_ptr_equal(device_port(fabric->devices[1], 5)->peer,
			 device_port(fabric->devices[1], 5));
	fabric_free(fabric);
}

static void the_second_port_of_the_local_host_is_its_own(void **state)
{
	int leaf = begin();
	struct fabric *fabric;

	(void)state;
	cable(leaf, 4, 0, 2);
	fabric = collect();
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(links_of(fabric), 2);
	fabric_free(fabric);
}

static void a_twin_of_the_local_host_is_found(void **state)
{
	int leaf = begin();
	int twin = node(NODE_TYPE_CA, 0x100, "elsewhere");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 4, twin, 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x100), 2);
	assert_int_equal(links_of(fabric), 2);
	fabric_free(fabric);
}

static void two_hosts_back_to_back_with_one_guid_are_two(void **state)
{
	struct fabric *fabric;
	int twin;

	(void)state;
	memset(&net, 0, sizeof(net));
	node(NODE_TYPE_CA, 0x100, "here");
	twin = node(NODE_TYPE_CA, 0x100, "there");
	cable(0, 1, twin, 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0x100), 2);
	assert_int_equal(links_of(fabric), 1);
	fabric_free(fabric);
}

/* Whenever the cable is moved, there is one host at the end, not two. */
static void a_cable_that_moves_is_no_duplicate(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 40; at += 3) {
		int leaf = begin();
		int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
		int host = node(NODE_TYPE_CA, 0xc00, "host");
		struct fabric *fabric;

		cable(leaf, 2, far, 1);
		cable(leaf, 3, host, 1);
		net.move_at = at;
		net.move_from = (struct end){host, 1};
		net.move_to = (struct end){far, 7};
		fabric = collect();
		assert_true(rows_of(fabric, 0xc00) <= 1);
		assert_int_equal(fabric->guid_conflict_count, 0);
		fabric_free(fabric);
	}
}

static void a_switch_that_moves_is_no_duplicate(void **state)
{
	(void)state;
	for (unsigned at = 1; at < 60; at += 3) {
		int leaf = begin();
		int far = node(NODE_TYPE_SWITCH, 0xf00, "far");
		int edge = node(NODE_TYPE_SWITCH, 0xe00, "edge");
		struct fabric *fabric;

		cable(leaf, 2, far, 1);
		cable(leaf, 3, edge, 1);
		net.move_at = at;
		net.move_from = (struct end){edge, 1};
		net.move_to = (struct end){far, 7};
		fabric = collect();
		assert_true(rows_of(fabric, 0xe00) <= 1);
		assert_int_equal(fabric->guid_conflict_count, 0);
		fabric_free(fabric);
	}
}

static void a_dead_host_is_a_hole_with_its_place(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;
	char label[DEVICE_LABEL_SIZE + 16];

	(void)state;
	cable(leaf, 6, host, 1);
	net.nodes[host].dead = true;
	fabric = collect();
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].reason, HOLE_TIMEOUT);
	assert_null(fabric->holes[0].device);
	assert_string_equal(port_label(fabric->holes[0].behind, false, label, sizeof(label)),
			    "leaf port 6");
	assert_non_null(strstr(fabric->holes[0].text, "DR path 0,1,6"));
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void a_zero_guid_is_a_guid_like_any_other(void **state)
{
	int leaf = begin();
	struct fabric *fabric;

	(void)state;
	cable(leaf, 2, node(NODE_TYPE_CA, 0, "no-a"), 1);
	cable(leaf, 3, node(NODE_TYPE_CA, 0, "no-b"), 1);
	cable(leaf, 4, node(NODE_TYPE_CA, UINT64_MAX, "all"), 1);
	fabric = collect();
	assert_int_equal(rows_of(fabric, 0), 2);
	assert_int_equal(rows_of(fabric, UINT64_MAX), 1);
	fabric_free(fabric);
}

static void nothing_at_all_is_an_error(void **state)
{
	const struct live_options options = {.timeout_ms = 2, .retries = 1, .now = 1700000000};
	struct fabric *fabric = NULL;
	struct err err = {0};

	(void)state;
	begin();
	net.nodes[0].dead = true;
	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(live_collect(&options, fabric, NULL, &err), ERR_FABRIC);
	assert_true(strlen(err.text) > 10);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_ways_to_one_switch_are_one_switch),
		cmocka_unit_test(two_hosts_with_one_guid_are_two_rows),
		cmocka_unit_test(a_host_with_two_cables_is_one_host),
		cmocka_unit_test(two_hosts_with_two_cables_each_are_two),
		cmocka_unit_test(two_switches_cabled_alike_are_two),
		cmocka_unit_test(crossed_twins_are_four_switches),
		cmocka_unit_test(twins_beside_each_other_are_two),
		cmocka_unit_test(a_ring_of_equal_guids_ends),
		cmocka_unit_test(a_cable_back_to_its_switch_is_no_twin),
		cmocka_unit_test(the_second_port_of_the_local_host_is_its_own),
		cmocka_unit_test(a_twin_of_the_local_host_is_found),
		cmocka_unit_test(two_hosts_back_to_back_with_one_guid_are_two),
		cmocka_unit_test(a_cable_that_moves_is_no_duplicate),
		cmocka_unit_test(a_switch_that_moves_is_no_duplicate),
		cmocka_unit_test(a_dead_host_is_a_hole_with_its_place),
		cmocka_unit_test(a_zero_guid_is_a_guid_like_any_other),
		cmocka_unit_test(nothing_at_all_is_an_error),
	};

	return cmocka_run_group_tests_name("live_identity", tests, NULL, NULL);
}
