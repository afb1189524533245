/*
 * Writes net files for ibsim (ibnetdiscover's format) of fabrics that could
 * stand in a machine room: two- and three-level fat trees, 2D and 3D tori,
 * with cabling faults on request. The same arguments give the same bytes.
 *
 *	gen_net SHAPE [KEY=VALUE...]
 *
 * Shapes, their own keys and defaults:
 *	tree2	leafs=4 spines=2 hosts=4 trunk=1
 *	tree3	pods=2 leafs=2 aggs=2 cores=2 hosts=2 trunk=1 (leafs and aggs per
 *		pod; cores per group, agg N of every pod goes to core group N)
 *	torus	x=3 y=3 z=1 hosts=1
 *	tree-270, tree-7952, tree-44544: fat trees of that many nodes; their
 *		keys may be set again
 * Keys of every shape:
 *	rate=4xEDR	of each link
 *	radix=N		ports of a switch; default: the next of 8, 20, 36, 40, 64 that fits
 *	port0=enhanced	or base
 *	ca_ports=1	ports of a host's CA; only port 1 is cabled
 *	guid=N		added to every GUID, so that two sites differ
 *	seed=N		of the faults below
 *	cut=N		leave out N links between switches
 *	slow=N		train N links between switches to 1xSDR
 *	lost=N		leave out N hosts (never the first)
 *	loop=N		N cables that go from a switch back to itself
 *
 * Names: leaf-p03-07, agg-p03-02, core-07-03 in three levels; leaf-07,
 * spine-03 in two; sw-2-0-1 in a torus; hosts "n0123 mlx5_0". The first record
 * is the first host, which ibsim takes as the place of its clients.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWITCH_GUID UINT64_C(0xb8599f0300600000)
#define HOST_GUID UINT64_C(0x0c42a10300800000)

struct end {
	int node;		/* -1: nothing plugged in */
	int port;
	bool slow;
};

struct node {
	bool is_switch;
	bool lost;
	uint64_t guid;
	int ports;
	struct end *ends;	/* by port number, ports + 1 of them */
	int next_port;
	char name[72];
};

struct net {
	struct node *nodes;
	int count;
	int room;
	int hosts;
	int switches;
	uint64_t random;
};

struct key {
	const char *name;
	long value;
};

/* Every numeric key with its default. */
enum {
	LEAFS, SPINES, HOSTS, TRUNK, PODS, AGGS, CORES, X, Y, Z, RADIX, CA_PORTS, GUID, SEED, CUT, SLOW,
	LOST, LOOP, KEY_COUNT
};

struct plan {
	struct key keys[KEY_COUNT];
	const char *rate;
	const char *port0;
};

static const struct plan plan_default = {
	.keys = {
		[LEAFS] = {"leafs", -1}, [SPINES] = {"spines", 2}, [HOSTS] = {"hosts", -1},
		[TRUNK] = {"trunk", 1}, [PODS] = {"pods", 2}, [AGGS] = {"aggs", 2},
		[CORES] = {"cores", 2}, [X] = {"x", 3}, [Y] = {"y", 3}, [Z] = {"z", 1},
		[RADIX] = {"radix", 0}, [CA_PORTS] = {"ca_ports", 1}, [GUID] = {"guid", 0},
		[SEED] = {"seed", 1}, [CUT] = {"cut", 0}, [SLOW] = {"slow", 0}, [LOST] = {"lost", 0},
		[LOOP] = {"loop", 0},
	},
	.rate = "4xEDR",
	.port0 = "enhanced",
};

static void die(const char *what, const char *which)
{
	fprintf(stderr, "gen_net: %s%s\n", what, which);
	exit(2);
}

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory)
		die("no memory", "");
	return memory;
}

/* xorshift64*, so that every libc gives the same faults. */
static uint64_t random_below(struct net *net, uint64_t bound)
{
	net->random ^= net->random >> 12;
	net->random ^= net->random << 25;
	net->random ^= net->random >> 27;
	return (net->random * UINT64_C(2685821657736338717) >> 33) % bound;
}

static int add_node(struct net *net, bool is_switch, int ports)
{
	struct node *node;

	if (net->count == net->room) {
		struct node *grown;

		net->room = net->room ? net->room * 2 : 256;
		grown = realloc(net->nodes, (size_t)net->room * sizeof(*grown));
		if (!grown)
			die("no memory", "");
		net->nodes = grown;
	}
	node = &net->nodes[net->count];
	memset(node, 0, sizeof(*node));
	node->is_switch = is_switch;
	node->ports = ports;
	node->next_port = 1;
	node->ends = allocate((size_t)ports + 1, sizeof(*node->ends));
	for (int port = 0; port <= ports; port++)
		node->ends[port].node = -1;
	/* Room for the port GUIDs that ibsim counts up from the node's. */
	if (is_switch)
		node->guid = SWITCH_GUID + (uint64_t)net->switches++ * 0x40;
	else
		node->guid = HOST_GUID + (uint64_t)net->hosts++ * 0x10;
	return net->count++;
}

static void plug(struct net *net, int a, int port_a, int b, int port_b)
{
	struct node *node_a = &net->nodes[a], *node_b = &net->nodes[b];

	if (port_a > node_a->ports || port_b > node_b->ports)
		die("not enough ports (radix) on ", port_a > node_a->ports ? node_a->name : node_b->name);
	node_a->ends[port_a] = (struct end){.node = b, .port = port_b};
	node_b->ends[port_b] = (struct end){.node = a, .port = port_a};
}

/* The next free port of each side. */
static void cable(struct net *net, int a, int b)
{
	int port_a = net->nodes[a].next_port++;
	int port_b = net->nodes[b].next_port++;

	plug(net, a, port_a, b, port_b);
}

static int add_switch(struct net *net, const struct plan *plan, const char *format, int a, int b)
{
	int index = add_node(net, true, (int)plan->keys[RADIX].value);
	struct node *node = &net->nodes[index];

	if (b < 0)
		snprintf(node->name, sizeof(node->name), "%s-%02d", format, a);
	else
		snprintf(node->name, sizeof(node->name), "%s%02d-%02d", format, a, b);
	return index;
}

static void add_hosts(struct net *net, const struct plan *plan, int leaf)
{
	for (long i = 0; i < plan->keys[HOSTS].value; i++) {
		int host = add_node(net, false, (int)plan->keys[CA_PORTS].value);

		snprintf(net->nodes[host].name, sizeof(net->nodes[host].name), "n%04d mlx5_0", net->hosts);
		plug(net, host, 1, leaf, net->nodes[leaf].next_port++);
	}
}

static void default_key(struct plan *plan, int key, long value)
{
	if (plan->keys[key].value < 0)
		plan->keys[key].value = value;
}

static void choose_radix(struct plan *plan, long needed)
{
	static const int sold[] = {8, 20, 36, 40, 64, 254};

	if (plan->keys[RADIX].value)
		return;
	for (size_t i = 0; i < sizeof(sold) / sizeof(sold[0]); i++) {
		if (needed <= sold[i]) {
			plan->keys[RADIX].value = sold[i];
			return;
		}
	}
	die("a switch would need more than 254 ports", "");
}

static long longest(long a, long b)
{
	return a > b ? a : b;
}

static void build_tree2(struct net *net, struct plan *plan)
{
	struct key *k = plan->keys;
	int *leafs, *spines;

	default_key(plan, LEAFS, 4);
	default_key(plan, HOSTS, 4);
	choose_radix(plan, longest(k[HOSTS].value + k[SPINES].value * k[TRUNK].value,
				   k[LEAFS].value * k[TRUNK].value) + k[LOOP].value * 2);
	leafs = allocate((size_t)k[LEAFS].value + 1, sizeof(*leafs));
	spines = allocate((size_t)k[SPINES].value + 1, sizeof(*spines));
	for (int i = 0; i < k[LEAFS].value; i++) {
		leafs[i] = add_switch(net, plan, "leaf", i + 1, -1);
		add_hosts(net, plan, leafs[i]);
	}
	for (int i = 0; i < k[SPINES].value; i++) {
		spines[i] = add_switch(net, plan, "spine", i + 1, -1);
		for (int j = 0; j < k[LEAFS].value; j++)
			for (int n = 0; n < k[TRUNK].value; n++)
				cable(net, leafs[j], spines[i]);
	}
	free(leafs);
	free(spines);
}

static void build_tree3(struct net *net, struct plan *plan)
{
	struct key *k = plan->keys;
	int *leafs, *aggs;

	default_key(plan, LEAFS, 2);
	default_key(plan, HOSTS, 2);
	choose_radix(plan, longest(longest(k[HOSTS].value + k[AGGS].value * k[TRUNK].value,
					   k[LEAFS].value * k[TRUNK].value + k[CORES].value),
				   k[PODS].value) + k[LOOP].value * 2);
	leafs = allocate((size_t)k[LEAFS].value + 1, sizeof(*leafs));
	aggs = allocate((size_t)(k[PODS].value * k[AGGS].value) + 1, sizeof(*aggs));
	for (int pod = 0; pod < k[PODS].value; pod++) {
		for (int i = 0; i < k[LEAFS].value; i++) {
			leafs[i] = add_switch(net, plan, "leaf-p", pod + 1, i + 1);
			add_hosts(net, plan, leafs[i]);
		}
		for (int i = 0; i < k[AGGS].value; i++) {
			int agg = add_switch(net, plan, "agg-p", pod + 1, i + 1);

			aggs[pod * k[AGGS].value + i] = agg;
			for (int j = 0; j < k[LEAFS].value; j++)
				for (int n = 0; n < k[TRUNK].value; n++)
					cable(net, leafs[j], agg);
		}
	}
	for (int group = 0; group < k[AGGS].value; group++) {
		for (int i = 0; i < k[CORES].value; i++) {
			int core = add_switch(net, plan, "core-", group + 1, i + 1);

			for (int pod = 0; pod < k[PODS].value; pod++)
				cable(net, aggs[pod * k[AGGS].value + group], core);
		}
	}
	free(leafs);
	free(aggs);
}

/* Ports 2n+1 and 2n+2 go up and down in dimension n; hosts come after them. */
static void build_torus(struct net *net, struct plan *plan)
{
	struct key *k = plan->keys;
	long size[3] = {k[X].value, k[Y].value, k[Z].value};
	long total = size[0] * size[1] * size[2], stride = 1;
	int *grid = allocate((size_t)total + 1, sizeof(*grid));

	default_key(plan, HOSTS, 1);
	choose_radix(plan, 6 + k[HOSTS].value + k[LOOP].value * 2);
	for (long i = 0; i < total; i++) {
		struct node *node;

		grid[i] = add_node(net, true, (int)k[RADIX].value);
		node = &net->nodes[grid[i]];
		snprintf(node->name, sizeof(node->name), "sw-%ld-%ld-%ld", i % size[0],
			 i / size[0] % size[1], i / size[0] / size[1]);
		node->next_port = 7;
		add_hosts(net, plan, grid[i]);
	}
	for (int dimension = 0; dimension < 3; dimension++) {
		for (long i = 0; i < total; i++) {
			long at = i / stride % size[dimension];
			long next = i + ((at + 1) % size[dimension] - at) * stride;

			/* Two in a row are joined once, not twice. */
			if (size[dimension] > 2 || (size[dimension] == 2 && at == 0))
				plug(net, grid[i], dimension * 2 + 1, grid[next], dimension * 2 + 2);
		}
		stride *= size[dimension];
	}
	free(grid);
}

/* A random cabled port between two switches; false after many tries without one. */
static bool random_trunk(struct net *net, int *ret_node, int *ret_port)
{
	for (int tries = 0; tries < 100000; tries++) {
		int index = (int)random_below(net, (uint64_t)net->count);
		struct node *node = &net->nodes[index];
		int port;

		if (!node->is_switch)
			continue;
		port = 1 + (int)random_below(net, (uint64_t)node->ports);
		if (node->ends[port].node < 0 || !net->nodes[node->ends[port].node].is_switch ||
		    node->ends[port].slow)
			continue;
		*ret_node = index;
		*ret_port = port;
		return true;
	}
	return false;
}

static void unplug(struct net *net, int node, int port)
{
	struct end far = net->nodes[node].ends[port];

	net->nodes[far.node].ends[far.port].node = -1;
	net->nodes[node].ends[port].node = -1;
}

static void lose_host(struct net *net)
{
	for (int tries = 0; tries < 100000; tries++) {
		int index = (int)random_below(net, (uint64_t)net->count);
		struct node *node = &net->nodes[index];

		if (node->is_switch || node->lost || node->guid == HOST_GUID)
			continue;
		node->lost = true;
		unplug(net, index, 1);
		return;
	}
	die("no host left to lose", "");
}

static void plant_faults(struct net *net, const struct plan *plan)
{
	int node, port;

	for (long i = 0; i < plan->keys[CUT].value; i++) {
		if (!random_trunk(net, &node, &port))
			die("no link left to cut", "");
		unplug(net, node, port);
	}
	for (long i = 0; i < plan->keys[SLOW].value; i++) {
		struct end *end;

		if (!random_trunk(net, &node, &port))
			die("no link left to slow down", "");
		end = &net->nodes[node].ends[port];
		net->nodes[end->node].ends[end->port].slow = true;
		end->slow = true;
	}
	for (long i = 0; i < plan->keys[LOST].value; i++)
		lose_host(net);
	for (long i = 0; i < plan->keys[LOOP].value; i++) {
		do
			node = (int)random_below(net, (uint64_t)net->count);
		while (!net->nodes[node].is_switch);
		port = net->nodes[node].ports;
		while (port > 1 && (net->nodes[node].ends[port].node >= 0 ||
				    net->nodes[node].ends[port - 1].node >= 0))
			port--;
		if (port <= 1)
			die("no room for a loop on ", net->nodes[node].name);
		plug(net, node, port - 1, node, port);
	}
}

static uint64_t shown_guid(const struct plan *plan, const struct node *node)
{
	return node->guid + (uint64_t)plan->keys[GUID].value;
}

static void write_port(const struct net *net, const struct plan *plan, const struct node *node, int port)
{
	const struct end *end = &node->ends[port];
	const struct node *far = &net->nodes[end->node];
	const char *rate = end->slow ? "1xSDR" : plan->rate;

	printf("[%d]", port);
	if (!node->is_switch)
		printf("(%" PRIx64 ")", shown_guid(plan, node) + (uint64_t)port);
	printf("\t\"%c-%016" PRIx64 "\"[%d]", far->is_switch ? 'S' : 'H', shown_guid(plan, far), end->port);
	if (!far->is_switch)
		printf("(%" PRIx64 ")", shown_guid(plan, far) + (uint64_t)end->port);
	if (node->is_switch)
		printf("\t\t# \"%s\" lid 0 %s\n", far->name, rate);
	else
		printf("\t\t# lid 0 lmc 0 \"%s\" lid 0 %s\n", far->name, rate);
}

static void write_node(const struct net *net, const struct plan *plan, const struct node *node)
{
	uint64_t guid = shown_guid(plan, node);

	printf("\nvendid=0x2c9\ndevid=0x%x\nsysimgguid=0x%" PRIx64 "\n", node->is_switch ? 0xd2f0 : 0x101b,
	       guid);
	if (node->is_switch)
		printf("switchguid=0x%" PRIx64 "(%" PRIx64 ")\n"
		       "Switch\t%d \"S-%016" PRIx64 "\"\t\t# \"%s\" %s port 0 lid 0 lmc 0\n",
		       guid, guid, node->ports, guid, node->name, plan->port0);
	else
		printf("caguid=0x%" PRIx64 "\nCa\t%d \"H-%016" PRIx64 "\"\t\t# \"%s\"\n", guid, node->ports, guid,
		       node->name);
	for (int port = 1; port <= node->ports; port++)
		if (node->ends[port].node >= 0)
			write_port(net, plan, node, port);
}

static void write_net(const struct net *net, const struct plan *plan, int argc, char **argv)
{
	printf("#");
	for (int i = 1; i < argc; i++)
		printf(" %s", argv[i]);
	printf("\n");
	for (int i = 0; i < net->count; i++)
		if (!net->nodes[i].is_switch && !net->nodes[i].lost)
			write_node(net, plan, &net->nodes[i]);
	for (int i = 0; i < net->count; i++)
		if (net->nodes[i].is_switch)
			write_node(net, plan, &net->nodes[i]);
}

static void set_key(struct plan *plan, const char *text)
{
	const char *equals = strchr(text, '=');
	char *end = NULL;

	if (!equals)
		die("KEY=VALUE expected, not ", text);
	if (strncmp(text, "rate=", 5) == 0) {
		plan->rate = equals + 1;
		return;
	}
	if (strncmp(text, "port0=", 6) == 0) {
		plan->port0 = equals + 1;
		return;
	}
	for (int i = 0; i < KEY_COUNT; i++) {
		struct key *key = &plan->keys[i];

		if (strlen(key->name) != (size_t)(equals - text) ||
		    strncmp(key->name, text, (size_t)(equals - text)) != 0)
			continue;
		key->value = strtol(equals + 1, &end, 0);
		if (end == equals + 1 || *end || key->value < 0 || (i != GUID && key->value > 65535))
			die("not a number in range: ", text);
		return;
	}
	die("no such key: ", text);
}

/* A preset is a shape with keys. */
static const char *preset(struct plan *plan, const char *shape)
{
	static const struct {
		const char *name;
		const char *shape;
		const char *keys[6];
	} presets[] = {
		{"tree-270", "tree2", {"leafs=12", "spines=6", "hosts=21", "trunk=3"}},
		{"tree-7952", "tree3", {"pods=28", "leafs=16", "hosts=16", "aggs=8", "cores=14"}},
		{"tree-44544", "tree3", {"pods=40", "leafs=32", "hosts=32", "aggs=32", "cores=32"}},
	};

	for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
		if (strcmp(presets[i].name, shape) != 0)
			continue;
		for (size_t j = 0; j < 6 && presets[i].keys[j]; j++)
			set_key(plan, presets[i].keys[j]);
		return presets[i].shape;
	}
	return shape;
}

int main(int argc, char **argv)
{
	struct plan plan = plan_default;
	struct net net = {0};
	const char *shape;

	if (argc < 2)
		die("usage: gen_net tree2|tree3|torus|tree-270|tree-7952|tree-44544 [KEY=VALUE...]", "");
	shape = preset(&plan, argv[1]);
	for (int i = 2; i < argc; i++)
		set_key(&plan, argv[i]);
	net.random = (uint64_t)plan.keys[SEED].value * UINT64_C(0x9e3779b97f4a7c15) + 1;
	if (strcmp(shape, "tree2") == 0)
		build_tree2(&net, &plan);
	else if (strcmp(shape, "tree3") == 0)
		build_tree3(&net, &plan);
	else if (strcmp(shape, "torus") == 0)
		build_torus(&net, &plan);
	else
		die("no such shape: ", shape);
	plant_faults(&net, &plan);
	write_net(&net, &plan, argc, argv);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write", "");
	for (int i = 0; i < net.count; i++)
		free(net.nodes[i].ends);
	free(net.nodes);
	return 0;
}
