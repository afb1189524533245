/*
 * What a store costs: a fabric of 44,544 devices (3,000 switches of 36 ports,
 * LFTs for every LID, tables and counters on every port) is written, written
 * again unchanged, written with a night's changes, read and compared.
 * Usage: store FILE [SWITCHES HOSTS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/diff.h"
#include "store/store.h"

#define PORTS 36

struct bench {
	const char *path;
	struct store *store;
	struct fabric *fabric;
	unsigned switches, hosts;
	double started;
	clock_t cpu_started;
	long size;
};

static void *must(void *memory)
{
	if (!memory) {
		fputs("out of memory\n", stderr);
		exit(2);
	}
	return memory;
}

static void check(int rc, const struct err *err)
{
	if (rc < 0) {
		fprintf(stderr, "%s\n", err->text);
		exit(2);
	}
}

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static double peak_mib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_maxrss / 1024;
}

static void print_stage(struct bench *bench, const char *what)
{
	double seconds = now() - bench->started;
	struct stat status;
	long size = stat(bench->path, &status) == 0 ? (long)status.st_size : 0;

	printf("%-38s %6.2f s, CPU %5.2f s  store %7.1f MiB (%+7.1f)  peak %5.0f MiB\n", what,
	       seconds, (double)(clock() - bench->cpu_started) / CLOCKS_PER_SEC,
	       (double)size / 1048576, (double)(size - bench->size) / 1048576, peak_mib());
	fflush(stdout);
	bench->size = size;
	bench->started = now();
	bench->cpu_started = clock();
}

static void fill_port(struct fabric *fabric, struct port *port, bool is_switch)
{
	int64_t value = 1;

	for (const struct field *field = port_field_table; field->member; field++)
		field_set(&port->info, field, value++);
	port->info.port_state = 4;
	port->guid = port->device->guid;
	port->source_of[ATTRIBUTE_PORT_INFO] = 1;
	port->sl2vl_count = is_switch ? 2 : 1;
	port->sl2vl = must(fabric_alloc(fabric, port->sl2vl_count, sizeof(*port->sl2vl)));
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		port->sl2vl[i].in_first = (uint8_t)i;
		port->sl2vl[i].in_last = (uint8_t)(i * PORTS);
		for (unsigned sl = 0; sl < 16; sl++)
			port->sl2vl[i].vl[sl] = (uint8_t)(sl % 8);
	}
	port->vlarb_high_count = port->vlarb_low_count = 16;
	port->vlarb_high = must(fabric_alloc(fabric, 16, sizeof(*port->vlarb_high)));
	port->vlarb_low = port->vlarb_high;
	port->pkey_count = 4;
	port->pkeys = must(fabric_alloc(fabric, 4, sizeof(*port->pkeys)));
	port->counters = must(fabric_alloc(fabric, 1, sizeof(*port->counters)));
	for (int i = 0; i < COUNTER_COUNT; i++) {
		port->counters->known |= UINT64_C(1) << i;
		if (i >= COUNTER_xmit_data && i <= COUNTER_rcv_pkts)
			port->counters->value[i] = (uint64_t)(uintptr_t)port * 4096 + (uint64_t)i;
	}
	port->counters->read_at = 1700000000;
	if (!is_switch) {
		port->guid_count = 1;
		port->guids = must(fabric_alloc(fabric, 1, sizeof(*port->guids)));
		port->guids[0] = port->guid;
	}
}

/* Ports without a pattern, different on every switch: the worst that routing can be. */
static void fill_lft(struct bench *bench, struct device *device, unsigned number)
{
	unsigned lids = bench->switches + bench->hosts + 1;
	uint32_t random = number * 2654435761u + 1;
	uint8_t entries[64];

	if (!device_lft_reserve(bench->fabric, device, lids))
		must(NULL);
	for (unsigned block = 0; block * 64 < lids; block++) {
		for (unsigned i = 0; i < 64; i++) {
			random = random * 1664525 + 1013904223;
			entries[i] = (uint8_t)(1 + (random >> 16) % PORTS);
		}
		lft_set_block(device, block, entries);
	}
	device->sw.linear_fdb_top = lids - 1;
}

static struct device *add_device(struct bench *bench, unsigned number, bool is_switch)
{
	struct fabric *fabric = bench->fabric;
	struct device *device = must(fabric_device_add(fabric, 0xb83fd20300000000 + number * 64u,
						       is_switch ? NODE_TYPE_SWITCH : NODE_TYPE_CA));
	char name[64];
	int64_t value = 1;

	for (const struct field *field = node_field_table; field->member; field++)
		field_set(&device->info, field, value++);
	device->info.num_ports = is_switch ? PORTS : 1;
	snprintf(name, sizeof(name), "%s-p%02u-%05u mlx5_0", is_switch ? "leaf" : "host",
		 number % 97, number);
	device->description = must(fabric_text(fabric, name, strlen(name)));
	device->place = must(fabric_text(fabric, "DR path 0,1,20,7", 16));
	for (unsigned p = is_switch ? 0 : 1; p <= (is_switch ? PORTS : 1u); p++)
		fill_port(fabric, must(fabric_port(fabric, device, (uint8_t)p)), is_switch);
	if (is_switch)
		fill_lft(bench, device, number);
	return device;
}

static void build(struct bench *bench)
{
	struct err err = {0};
	unsigned down = PORTS / 2;

	check(fabric_new(&bench->fabric, &err), &err);
	must(fabric_source_add(bench->fabric, SOURCE_LIVE, "mlx5_0 port 1", "live"));
	for (unsigned i = 0; i < bench->switches; i++)
		add_device(bench, i, true);
	for (unsigned i = 0; i < bench->hosts; i++) {
		struct device *host = add_device(bench, bench->switches + i, false);
		struct device *leaf = bench->fabric->devices[i / down % bench->switches];

		fabric_link(host->ports[1], leaf->ports[1 + i % down]);
	}
	for (unsigned i = 0; i < bench->switches; i++) {
		for (unsigned p = down + 1; p < PORTS; p++) {
			struct device *other =
				bench->fabric->devices[(i + p) % bench->switches];
			struct port *port = bench->fabric->devices[i]->ports[p];

			if (!port->peer && !other->ports[PORTS - p + down]->peer)
				fabric_link(port, other->ports[PORTS - p + down]);
		}
	}
}

static int64_t write_night(struct bench *bench)
{
	struct err err = {0};
	int64_t id = 0;

	check(store_snapshot_write(bench->store, bench->fabric, NULL, NULL, 1700000000, &id, &err),
	      &err);
	return id;
}

static void change_counters(struct bench *bench, unsigned every)
{
	size_t seen = 0;

	for (size_t i = 0; i < bench->fabric->device_count; i++) {
		struct device *device = bench->fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			struct port *port = device->ports[p];

			if (!port)
				continue;
			port->counters->value[COUNTER_xmit_data] += 123456789;
			port->counters->read_at += 86400;
			if (every && ++seen % every == 0)
				port->info.link_width_active++;
		}
	}
}

static void compare_nights(struct bench *bench, int64_t before, int64_t after)
{
	struct fabric *old_fabric = NULL;
	struct fabric *new_fabric = NULL;
	struct diff *diff = NULL;
	struct err err = {0};

	check(store_snapshot_read(bench->store, before, &old_fabric, &err), &err);
	print_stage(bench, "read");
	check(store_snapshot_read(bench->store, after, &new_fabric, &err), &err);
	print_stage(bench, "read the other");
	check(diff_new(old_fabric, new_fabric, NULL, DIFF_ALL, &diff, &err), &err);
	print_stage(bench, "compare");
	printf("%zu changes\n", diff->change_count);
	diff_free(diff);
	fabric_free(old_fabric);
	fabric_free(new_fabric);
}

int main(int argc, char **argv)
{
	struct bench bench = {.switches = 3000, .hosts = 41544};
	struct err err = {0};
	int64_t first;
	int64_t changed;

	if (argc != 2 && argc != 4) {
		fputs("usage: store FILE [SWITCHES HOSTS]\n", stderr);
		return 2;
	}
	bench.path = argv[1];
	if (argc == 4) {
		bench.switches = (unsigned)strtoul(argv[2], NULL, 10);
		bench.hosts = (unsigned)strtoul(argv[3], NULL, 10);
	}
	unlink(bench.path);
	bench.started = now();
	build(&bench);
	print_stage(&bench, "fabric in memory");
	check(store_open(bench.path, STORE_WRITE, &bench.store, &err), &err);
	first = write_night(&bench);
	print_stage(&bench, "first night");
	write_night(&bench);
	print_stage(&bench, "the same night again");
	change_counters(&bench, 100);
	changed = write_night(&bench);
	print_stage(&bench, "counters and one port in 100 changed");
	compare_nights(&bench, first, changed);
	store_close(bench.store);
	fabric_free(bench.fabric);
	return 0;
}
