/*
 * A small fabric that lives in a test program: it stands in front of libibumad
 * and answers directed route SMPs. GUIDs can be alike, cables can loop, a cable
 * can move while the run goes on, a device can be dead or refuse. Definitions,
 * not only declarations: for one file of a program.
 */
#ifndef TESTS_SUPPORT_FAKE_NET_H
#define TESTS_SUPPORT_FAKE_NET_H

#include <arpa/inet.h>
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
		bool lossy;		/* every second NodeInfo that it is asked for gets lost */
		bool misnumbers;	/* its NodeInfo calls every port `called` */
		int called;
		unsigned lid, lmc, sm_lid;	/* of each port; of a switch port 0's */
		bool is_sm;		/* its capability mask says so */
		int sm_state;		/* of its SM; 0: it has none, and says so to SMInfo */
		int odd_ports;		/* the first so many PortInfos cannot be right */
		bool changes;		/* its NodeInfo names another GUID each time */
		uint64_t far_guid;	/* what it calls itself when asked through the fabric; 0: guid */
		bool far_mute;		/* it answers itself alone, nobody through the fabric */
		struct end ends[PORTS];
	} nodes[NODES];
	int count;
	unsigned answers;
	unsigned move_at;	/* after so many answers the cable at `from` goes to `to` */
	struct end move_from, move_to;
	unsigned pulled_at, plugged_at;	/* between so many answers the cable at `pulled` is out */
	struct end pulled, pulled_far;
	bool routed;		/* every LFT leads LID n to port n */
	struct refusal {
		int node;
		uint16_t attribute;
		int port;	/* -1: each */
		uint16_t status;	/* 0: silence */
	} refusals[8];
	int refusal_count;
	unsigned loss, seed;	/* of 1000 answers so many get lost */
	unsigned node_infos;
	unsigned pkeys_asked[NODES];
	unsigned asked_by_lid[NODES];	/* performance MADs that each node got */
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

static const struct refusal *refusal_of(int at, uint16_t attribute, unsigned port)
{
	for (int i = 0; i < net.refusal_count; i++) {
		const struct refusal *refusal = &net.refusals[i];

		if (refusal->node == at && refusal->attribute == attribute &&
		    (refusal->port < 0 || refusal->port == (int)port))
			return refusal;
	}
	return NULL;
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

static unsigned chance(void)
{
	net.seed = net.seed * 1103515245u + 12345u;
	return net.seed >> 16;
}

static uint64_t guid_told(int at, const uint8_t *mad)
{
	if (net.nodes[at].changes)
		return (uint64_t)chance() << 16 | chance();
	return mad[7] != 0 && net.nodes[at].far_guid ? net.nodes[at].far_guid : net.nodes[at].guid;
}

static int holder_of(unsigned lid)
{
	for (int i = 0; i < net.count; i++) {
		if (lid >= net.nodes[i].lid && lid < net.nodes[i].lid + (1u << net.nodes[i].lmc))
			return i;
	}
	return -1;
}

/* The performance agent of whoever the tables lead the LID to: all counters are its node's number. */
static bool answer_by_lid(uint8_t *mad, unsigned lid)
{
	uint8_t *data = mad + IB_PC_DATA_OFFS;
	int at = holder_of(lid);

	if (at < 0 || net.nodes[at].dead)
		return false;
	net.asked_by_lid[at]++;
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	if ((mad[16] << 8 | mad[17]) == IB_GSI_PORT_COUNTERS)
		mad_set_field(data, 0, IB_PC_XMT_BYTES_F, (uint32_t)at);
	else if ((mad[16] << 8 | mad[17]) != CLASS_PORT_INFO)
		mad[5] = 0x0c;
	return true;
}

static bool answer(uint8_t *mad)
{
	struct end at = walk(mad);
	uint8_t *data = mad + IB_SMP_DATA_OFFS;
	unsigned port = mad[23];
	const struct refusal *refusal;

	if (net.move_at && ++net.answers == net.move_at) {
		uncable(net.move_from.node, net.move_from.port);
		uncable(net.move_to.node, net.move_to.port);
		cable(net.move_from.node, net.move_from.port, net.move_to.node, net.move_to.port);
		at = walk(mad);
	}
	if (net.pulled_at) {
		net.answers++;
		if (net.answers == net.pulled_at)
			uncable(net.pulled.node, net.pulled.port);
		if (net.answers == net.plugged_at)
			cable(net.pulled.node, net.pulled.port, net.pulled_far.node,
			      net.pulled_far.port);
		at = walk(mad);
	}
	if (at.node < 0 || net.nodes[at.node].dead || (mad[7] && net.nodes[at.node].far_mute))
		return false;
	/* What the local device asks itself goes by no cable. */
	if (mad[7] != 0 && net.loss > 0 && chance() % 1000 < net.loss)
		return false;
	if (net.nodes[at.node].lossy && (mad[16] << 8 | mad[17]) == IB_ATTR_NODE_INFO &&
	    net.node_infos++ % 2 == 0)
		return false;
	net.pkeys_asked[at.node] += (mad[16] << 8 | mad[17]) == IB_ATTR_PKEY_TBL;
	refusal = refusal_of(at.node, (uint16_t)(mad[16] << 8 | mad[17]), port);
	if (refusal && refusal->status == 0)
		return false;
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	mad[4] = 0x80;
	if (refusal) {
		mad[5] = (uint8_t)refusal->status;
		return true;
	}
	switch (mad[16] << 8 | mad[17]) {
	case IB_ATTR_NODE_INFO:
		mad_set_field(data, 0, IB_NODE_BASE_VERS_F, 1);
		mad_set_field(data, 0, IB_NODE_TYPE_F, net.nodes[at.node].type);
		mad_set_field(data, 0, IB_NODE_NPORTS_F, (uint32_t)ports_of(at.node));
		mad_set_field(data, 0, IB_NODE_PARTITION_CAP_F, 1);
		mad_set_field64(data, 0, IB_NODE_GUID_F, guid_told(at.node, mad));
		mad_set_field64(data, 0, IB_NODE_PORT_GUID_F,
				net.nodes[at.node].guid + (unsigned)at.port);
		mad_set_field(data, 0, IB_NODE_LOCAL_PORT_F,
			      (uint32_t)(net.nodes[at.node].misnumbers ? net.nodes[at.node].called
									: at.port));
		return true;
	case IB_ATTR_NODE_DESC:
		strncpy((char *)data, net.nodes[at.node].description, 64);
		return true;
	case IB_ATTR_SWITCH_INFO:
		mad_set_field(data, 0, IB_SW_ENHANCED_PORT0_F, 1);
		mad_set_field(data, 0, IB_SW_LINEAR_FDB_CAP_F, 64);
		mad_set_field(data, 0, IB_SW_LINEAR_FDB_TOP_F, net.routed ? PORTS - 1 : 0);
		return true;
	case IB_ATTR_PORT_INFO:
		mad_set_field(data, 0, IB_PORT_STATE_F,
			      port == 0 || net.nodes[at.node].ends[port].node >= 0 ? 4 : 1);
		mad_set_field(data, 0, IB_PORT_VL_CAP_F, 4);
		mad_set_field(data, 0, IB_PORT_OPER_VLS_F, 4);
		mad_set_field(data, 0, IB_PORT_MTU_CAP_F, 5);
		mad_set_field(data, 0, IB_PORT_NEIGHBOR_MTU_F, 5);
		if (port == 0 || net.nodes[at.node].type != NODE_TYPE_SWITCH) {
			mad_set_field(data, 0, IB_PORT_LID_F, net.nodes[at.node].lid);
			mad_set_field(data, 0, IB_PORT_LMC_F, net.nodes[at.node].lmc);
			mad_set_field(data, 0, IB_PORT_SMLID_F, net.nodes[at.node].sm_lid);
			mad_set_field(data, 0, IB_PORT_CAPMASK_F, net.nodes[at.node].is_sm ? 2 : 0);
		}
		if (port != 0 && (int)port <= net.nodes[at.node].odd_ports) {
			mad_set_field(data, 0, IB_PORT_MTU_CAP_F, 9);
			mad_set_field(data, 0, IB_PORT_VL_CAP_F, 9);
		}
		return true;
	case IB_ATTR_SMINFO:
		if (net.nodes[at.node].sm_state == 0)
			break;
		mad_set_field64(data, 0, IB_SMINFO_GUID_F, net.nodes[at.node].guid + 1);
		mad_set_field(data, 0, IB_SMINFO_STATE_F, (uint32_t)net.nodes[at.node].sm_state);
		return true;
	}
	if ((mad[16] << 8 | mad[17]) == IB_ATTR_LINEARFORWTBL && net.routed) {
		for (int lid = 0; lid < 64; lid++)
			data[lid] = (uint8_t)(lid > 0 && lid < PORTS ? lid : 255);
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
	port.base_lid = net.nodes[0].lid;
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
	if (mad[1] == IB_PERFORMANCE_CLASS)
		net.last += answer_by_lid(mad, ntohs(((struct ib_user_mad *)umad)->addr.lid));
	else
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

static struct fabric *collect_groups(unsigned groups)
{
	const struct live_options options = {
		.timeout_ms = 2,
		.retries = 1,
		.groups = groups,
		.now = 1700000000,
	};
	struct fabric *fabric = NULL;
	struct err err = {0};

	assert_int_equal(fabric_new(&fabric, &err), 0);
	assert_int_equal(live_collect(&options, fabric, NULL, &err), 0);
	return fabric;
}

static struct fabric *collect(void)
{
	return collect_groups(LIVE_TOPOLOGY);
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

#endif
