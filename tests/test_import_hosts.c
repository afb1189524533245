#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/host_words.h"
#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"

static const struct host_port *must_host_port(const struct fabric *fabric, const char *device)
{
	for (size_t i = 0; i < fabric->host_port_count; i++) {
		if (strcmp(fabric->host_ports[i].device, device) == 0)
			return &fabric->host_ports[i];
	}
	fail_msg("no port of %s", device);
	return NULL;
}

static void a_copied_tree_is_one_source_of_its_host(void **state)
{
	struct fabric *fabric = import_samples("host", NULL);
	const struct host_port *port = must_host_port(fabric, "mlx5_0");

	(void)state;
	assert_int_equal(fabric->source_count, 1);
	assert_string_equal(fabric->sources[0].format, "sysfs");
	assert_int_equal(fabric->host_port_count, 5);
	assert_string_equal(port->host, "sandpiper");
	assert_int_equal(port->node_guid, HERON_N01);
	assert_int_equal(port->port_guid, HERON_N01 + 1);
	assert_string_equal(port->link_layer, "InfiniBand");
	assert_int_equal(port->state, 4);
	assert_int_equal(port->rate_mbps, 200000);
	assert_int_equal(port->width, 4);
	assert_string_equal(port->speed, "HDR");
	assert_int_equal(port->lid, 2);
	assert_int_equal(port->lmc, 1);
	assert_int_equal(port->sm_lid, 2);
	assert_string_equal(port->fw_version, "20.35.1012");
	fabric_free(fabric);
}

static void a_port_that_is_down_has_no_rate(void **state)
{
	struct fabric *fabric = import_samples("host", NULL);

	(void)state;
	assert_int_equal(must_host_port(fabric, "mlx5_2")->rate_mbps, FIELD_UNKNOWN);
	assert_int_equal(must_host_port(fabric, "mlx5_2")->width, FIELD_UNKNOWN);
	assert_null(must_host_port(fabric, "mlx5_2")->speed);
	assert_int_equal(must_host_port(fabric, "mlx5_3")->rate_mbps, FIELD_UNKNOWN);
	assert_int_equal(must_host_port(fabric, "mlx5_3")->phys_state, 3);
	assert_int_equal(must_host_port(fabric, "mlx4_0")->rate_mbps, 10000);
	assert_string_equal(must_host_port(fabric, "mlx4_0")->speed, "SDR");
	fabric_free(fabric);
}

static void empty_gids_are_none_and_types_are_the_kernel_s(void **state)
{
	struct fabric *fabric = import_samples("host", NULL);
	const struct host_gid *gid = NULL;

	(void)state;
	assert_int_equal(fabric->host_gid_count, 4);
	for (size_t i = 0; i < fabric->host_gid_count; i++) {
		if (fabric->host_gids[i].index == 2)
			gid = &fabric->host_gids[i];
		else if (strcmp(fabric->host_gids[i].device, "mlx5_0") == 0)
			assert_string_equal(fabric->host_gids[i].type, "IB");
	}
	assert_non_null(gid);
	assert_string_equal(gid->device, "mlx5_1");
	assert_string_equal(gid->type, "RoCE v2");
	assert_string_equal(gid->netdev, "ens5f0");
	assert_int_equal(gid->gid[12], 192);
	assert_int_equal(gid->gid[15], 7);
	fabric_free(fabric);
}

static bool known(const struct port_counters *counters, enum counter counter)
{
	return counters->known >> counter & 1;
}

static bool full(const struct port_counters *counters, enum counter counter)
{
	return counters->saturated >> counter & 1;
}

static void counters_of_a_tree_are_the_host_port_s(void **state)
{
	struct fabric *fabric = import_samples("host", NULL);
	const struct port_counters *wide = must_host_port(fabric, "mlx5_0")->counters;
	const struct port_counters *narrow = must_host_port(fabric, "mlx4_0")->counters;

	(void)state;
	assert_non_null(wide);
	assert_int_equal(wide->value[COUNTER_symbol_error], 4);
	assert_int_equal(wide->value[COUNTER_rcv_data], 81234567890);
	/* With PortCountersExtended all ones of 32 bits are a number like others. */
	assert_int_equal(wide->value[COUNTER_xmit_data], UINT32_MAX);
	assert_int_equal(wide->saturated, 0);
	assert_int_equal(wide->read_at, FIELD_UNKNOWN);

	assert_non_null(narrow);
	assert_true(full(narrow, COUNTER_symbol_error));
	assert_true(full(narrow, COUNTER_link_downed));
	assert_true(full(narrow, COUNTER_local_link_integrity_errors));
	assert_true(full(narrow, COUNTER_xmit_data));
	/* The 64-bit twin of older kernels is the count. */
	assert_int_equal(narrow->value[COUNTER_rcv_data], 5000000000);
	assert_false(full(narrow, COUNTER_rcv_data));
	assert_null(must_host_port(fabric, "mlx5_2")->counters);
	fabric_free(fabric);
}

static void a_counter_that_is_refused_is_unknown_and_a_hole_of_no_loss(void **state)
{
	struct fabric *fabric = import_samples("host", NULL);
	const struct port_counters *counters = must_host_port(fabric, "mlx5_0")->counters;

	(void)state;
	assert_false(known(counters, COUNTER_vl15_dropped));
	assert_false(known(counters, COUNTER_rcv_errors));
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].reason, HOLE_UNSUPPORTED);
	assert_int_equal(fabric->holes[0].attribute, ATTRIBUTE_HOST);
	assert_string_equal(fabric->holes[0].text, "sandpiper mlx5_0 port 1: VL15_dropped");
	fabric_free(fabric);
}

static void a_gid_that_cannot_be_read_is_counted_and_an_empty_one_is_read(void **state)
{
	static const char text[] =
		"Path: gw7/sys/class/infiniband/mlx5_1/ports/1/gids/0\nLines: 1\n"
		"fe80:0000:0000:0000:0ac0:ebff:fe21:03da\nMode: 444\n"
		"Path: gw7/sys/class/infiniband/mlx5_1/ports/1/gids/1\nLines: 1\n"
		"0000:0000:0000:0000:0000:0000:0000:0000\nMode: 444\n"
		"Path: gw7/sys/class/infiniband/mlx5_1/ports/1/gids/2\nLines: 1\n"
		"\nMode: 444\n"
		"Path: gw7/sys/class/infiniband/mlx5_1/ports/1/gid_attrs/types/3\nLines: 1\n"
		"RoCE v2\nMode: 444\n"
		"Path: gw7/sys/class/infiniband/mlx5_1/ports/1/gid_attrs/types/4\nLines: 1\n"
		"\nMode: 444\n"
		"Path: gw7/sys/class/infiniband/mlx5_2/ports/1/state\nLines: 1\n"
		"4: ACTIVE\nMode: 444\n";
	struct fabric *fabric = import_text("host.ttar", text);

	(void)state;
	assert_int_equal(fabric->host_gid_count, 1);
	assert_int_equal(must_host_port(fabric, "mlx5_1")->gid_slots, 2);
	assert_int_equal(must_host_port(fabric, "mlx5_1")->gids_unread, 2);
	assert_int_equal(must_host_port(fabric, "mlx5_2")->gid_slots, FIELD_UNKNOWN);
	assert_int_equal(must_host_port(fabric, "mlx5_2")->gids_unread, FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void rates_are_read_as_the_kernel_and_the_tools_write_them(void **state)
{
	static const struct {
		const char *text;
		int64_t mbps, width;
		const char *speed;
	} rates[] = {
		{"400 Gb/sec (4X NDR)", 400000, 4, "NDR"},
		{"200 Gb/sec (2X NDR)", 200000, 2, "NDR"},
		{"2.5 Gb/sec (1X SDR)", 2500, 1, "SDR"},
		{"10 Gb/sec (4X)", 10000, 4, "SDR"},
		{"40 (FDR10)", 40000, FIELD_UNKNOWN, "FDR10"},
		{"104", 104000, FIELD_UNKNOWN, NULL},
		{"0 GB/sec", FIELD_UNKNOWN, FIELD_UNKNOWN, NULL},
		{"100 Gb/sec (2X NDR)", 100000, 2, "NDR"},
		{"56 Gb/sec (4x FDR)", 56000, 4, "FDR"},
		{"40 Gb/sec (4X QDR", 40000, FIELD_UNKNOWN, NULL},
		{"40 Gb/sec (", 40000, FIELD_UNKNOWN, NULL},
	};

	static const char *const no_rates[] = {"", "nan Gb/sec", "unknown"};

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		int64_t mbps, width;
		const char *speed;

		assert_true(host_rate(rates[i].text, strlen(rates[i].text), &mbps, &width, &speed));
		assert_int_equal(mbps, rates[i].mbps);
		assert_int_equal(width, rates[i].width);
		if (rates[i].speed)
			assert_string_equal(speed, rates[i].speed);
		else
			assert_null(speed);
	}
	for (size_t i = 0; i < sizeof(no_rates) / sizeof(no_rates[0]); i++) {
		int64_t mbps, width;
		const char *speed;

		assert_false(host_rate(no_rates[i], strlen(no_rates[i]), &mbps, &width, &speed));
	}
}

static void a_gid_is_eight_groups_and_a_guid_four(void **state)
{
	static const char *const no_gids[] = {"fe80::1", "", "fe80:0:0:0:0ac0:ebff:fe21:03da:",
					      "fe80:0000:0000:0000:0ac0:ebff:fe21:-3da"};
	static const char text[] = "fe80:0000:0000:0000:0ac0:ebff:fe21:03da";
	uint8_t gid[16];
	uint64_t guid = 0;

	(void)state;
	assert_true(host_gid_parse(text, strlen(text), gid));
	assert_int_equal(gid[0], 0xfe);
	assert_int_equal(gid[15], 0xda);
	for (size_t i = 0; i < sizeof(no_gids) / sizeof(no_gids[0]); i++)
		assert_false(host_gid_parse(no_gids[i], strlen(no_gids[i]), gid));

	assert_true(host_guid_parse("506b:4b03:005c:2740", 19, &guid));
	assert_int_equal(guid, 0x506b4b03005c2740);
	assert_true(host_guid_parse("0x506b4b03005c2741", 18, &guid));
	assert_int_equal(guid, 0x506b4b03005c2741);
	assert_false(host_guid_parse("506b:4b03:005c", 14, &guid));
	assert_false(host_guid_parse("506b:4b03:005c:2740:1", 21, &guid));
}

static void ibstat_of_two_hosts_in_one_log_is_told_apart(void **state)
{
	static const char text[] =
		"[root@wren ~]# ibstat\n"
		"CA 'mlx5_0'\n\tCA type: MT4123\n\tNumber of ports: 2\n"
		"\tFirmware version: 20.31.1014\n\tHardware version: 0\n"
		"\tNode GUID: 0x00000000000000b1\n\tSystem image GUID: 0x00000000000000b1\n"
		"\tPort 1:\n\t\tState: Initializing\n\t\tPhysical state: LinkUp\n\t\tRate: 200\n"
		"\t\tBase lid: 65535\n\t\tLMC: 0\n\t\tSM lid: 0\n\t\tCapability mask: 0x2651e848\n"
		"\t\tPort GUID: 0x00000000000000b2\n\t\tLink layer: InfiniBand\n"
		"\tPort 2:\n\t\tState: Down\n\t\tPhysical state: Polling\n\t\tRate: 10\n"
		"\t\tBase lid: 0\n\t\tLMC: 0\n\t\tSM lid: 0\n\t\tCapability mask: 0x0\n"
		"\t\tPort GUID: 0x00000000000000b3\n\t\tLink layer: InfiniBand\n"
		"[root@wren ~]# ssh dunlin\n[root@dunlin ~]# ibstat\n"
		"CA 'mlx5_0'\n\tNode GUID: 0x00000000000000c1\n\tPort 1:\n\t\tState: Active\n"
		"\t\tRate: 40 (FDR10)\n\t\tBase lid: 7\n\t\tPort GUID: 0x00000000000000c2\n"
		"\t\tLink layer: InfiniBand\n";
	struct fabric *fabric = import_text("t", text);
	const struct host_port *ports = fabric->host_ports;

	(void)state;
	assert_int_equal(fabric->host_port_count, 3);
	assert_string_equal(ports[0].host, "wren");
	assert_string_equal(ports[1].host, "wren");
	assert_string_equal(ports[2].host, "dunlin");
	assert_int_equal(ports[0].state, 2);
	assert_int_equal(ports[0].lid, 65535);
	assert_string_equal(ports[0].fw_version, "20.31.1014");
	assert_int_equal(ports[1].rate_mbps, FIELD_UNKNOWN);
	assert_int_equal(ports[1].node_guid, 0xb1);
	assert_int_equal(ports[2].node_guid, 0xc1);
	assert_int_equal(ports[2].port_guid, 0xc2);
	assert_string_equal(ports[2].speed, "FDR10");
	fabric_free(fabric);
}

static void one_host_told_twice_is_one(void **state)
{
#define CA(guid, state)                                                                            \
	"CA 'mlx5_0'\n\tCA type: MT4123\n\tNumber of ports: 1\n\tNode GUID: 0x" guid "\n"          \
	"\tPort 1:\n\t\tState: " state "\n\t\tPhysical state: LinkUp\n\t\tRate: 200\n\t\tBase lid: 7\n" \
	"\t\tLMC: 0\n\t\tSM lid: 1\n\t\tPort GUID: 0x" guid "\n\t\tLink layer: InfiniBand\n"
	static const struct {
		const char *text;
		size_t ports;
	} cases[] = {
		{CA("0008f10500710021", "Active"), 1},
		{CA("0008f10500710021", "Active") CA("0008f10500710021", "Active"), 1},
		{CA("0008f10500710021", "Active") CA("0008f10500710021", "Down"), 2},
		{CA("0008f10500710021", "Active") CA("0008f10500710031", "Active"), 2},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = import_text("ibstat", cases[i].text);

		assert_int_equal(fabric->host_port_count, cases[i].ports);
		fabric_free(fabric);
	}
}

#define GID(value) "DEV\tPORT\tINDEX\tGID\nmlx5_0\t1\t3\t" value "\t192.168.30.7\tv2\tens5f0\nn_gids_found=1\n"

static void a_named_host_s_port_is_one_and_what_is_said_otherwise_a_contradiction(void **state)
{
	struct import_text *files = import_text_new();
	static const char first[] = "[root@n1 ~]# ibstat\n" CA("0008f10500710021", "Active");
	static const char second[] =
		"[root@n1 ~]# ibstatus\nInfiniband device 'mlx5_0' port 1 status:\n"
		"\tdefault gid:\t fe80:0000:0000:0000:0008:f105:0071:0021\n\tbase lid:\t 0x9\n\tsm lid:\t\t 0x1\n"
		"\tstate:\t\t 4: ACTIVE\n\tphys state:\t 5: LinkUp\n\trate:\t\t 200 Gb/sec (4X HDR)\n"
		"\tlink_layer:\t InfiniBand\n";
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "a", first, strlen(first));
	import_text_add(files, "b", second, strlen(second));
	fabric = import_text_run(files);
	assert_int_equal(fabric->host_port_count, 1);
	assert_int_equal(fabric->host_ports[0].lid, 7);
	assert_int_equal(fabric->host_ports[0].node_guid, 0x0008f10500710021);
	assert_string_equal(fabric->host_ports[0].speed, "HDR");
	assert_int_equal(fabric->contradiction_count, 1);
	assert_string_equal(fabric->contradictions[0].fact, "LID of mlx5_0 port 1 of host n1");
	assert_string_equal(fabric->contradictions[0].kept, "7");
	assert_string_equal(fabric->contradictions[0].other, "9");
	assert_int_equal(fabric->contradictions[0].other_source, 2);
	fabric_free(fabric);
}

static void hosts_of_one_name_and_two_guids_are_two(void **state)
{
	struct fabric *fabric = import_text("a", "[root@localhost ~]# ibstat\n" CA("0008f10500710021", "Active")
					    "[root@localhost ~]# ibstat\n" CA("0008f10500710031", "Active"));

	(void)state;
	assert_int_equal(fabric->host_port_count, 2);
	assert_int_equal(fabric->contradiction_count, 0);
	fabric_free(fabric);
}

static void a_gid_table_told_twice_is_one_and_its_last_word_holds(void **state)
{
#define SHOW "[root@n1 ~]# show_gids\n"
	static const struct {
		const char *text;
		size_t gids, contradictions;
		uint8_t last;	/* byte of the GID that is kept */
	} cases[] = {
		{SHOW GID("0000:0000:0000:0000:0000:ffff:c0a8:1e07") SHOW
		 GID("0000:0000:0000:0000:0000:ffff:c0a8:1e07"), 1, 0, 7},
		{SHOW GID("0000:0000:0000:0000:0000:ffff:c0a8:1e07") SHOW
		 GID("0000:0000:0000:0000:0000:ffff:c0a8:1e08"), 1, 1, 8},
		{GID("0000:0000:0000:0000:0000:ffff:c0a8:1e07")
		 GID("0000:0000:0000:0000:0000:ffff:c0a8:1e07"), 1, 0, 7},
		/* Nobody knows whether these are of one host. */
		{GID("0000:0000:0000:0000:0000:ffff:c0a8:1e07")
		 GID("0000:0000:0000:0000:0000:ffff:c0a8:1e08"), 2, 0, 7},
		/* A link-local GID is made of the port's own GUID. */
		{SHOW GID("fe80:0000:0000:0000:0008:f105:0071:0021") SHOW
		 GID("fe80:0000:0000:0000:0008:f105:0071:0022"), 2, 0, 0x21},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = import_text("a", cases[i].text);

		assert_int_equal(fabric->host_gid_count, cases[i].gids);
		assert_int_equal(fabric->contradiction_count, cases[i].contradictions);
		assert_int_equal(fabric->host_gids[0].gid[15], cases[i].last);
		fabric_free(fabric);
	}
}

static void the_simulator_s_ibstat_is_read_too(void **state)
{
	struct fabric *fabric = import_samples("ibstat.txt", NULL);

	(void)state;
	assert_int_equal(fabric->host_port_count, 1);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_string_equal(fabric->host_ports[0].link_layer, "InfiniBand");
	assert_int_equal(fabric->host_ports[0].port_guid, HERON_N01 + 1);
	fabric_free(fabric);
}

static void ibstatus_gives_the_guid_of_infiniband_ports_alone(void **state)
{
	static const char text[] =
		"Infiniband device 'mlx5_an0' port 1 status:\n"
		"        default gid:     fe80:0000:0000:0000:06ca:5eff:fe00:4010\n"
		"        base lid:        0x0\n        sm lid:          0x0\n"
		"        state:           4: ACTIVE\n        phys state:      5: LinkUp\n"
		"        rate:            100 Gb/sec (4X EDR)\n        link_layer:      Ethernet\n\n"
		"Infiniband device 'mlx5_ib0' port 1 status:\n"
		"        default gid:     fe80:0000:0000:0000:00ca:5e00:0000:2011\n"
		"        base lid:        0x96\n        sm lid:          0x11c\n"
		"        state:           4: ACTIVE\n        phys state:      5: LinkUp\n"
		"        rate:            200 Gb/sec (4X HDR)\n        link_layer:      InfiniBand\n"
		"        \n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->host_port_count, 2);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_int_equal(fabric->host_ports[0].port_guid, 0);
	assert_string_equal(fabric->host_ports[0].link_layer, "Ethernet");
	assert_int_equal(fabric->host_ports[1].port_guid, HERON_N01 + 1);
	assert_int_equal(fabric->host_ports[1].lid, 150);
	assert_int_equal(fabric->host_ports[1].sm_lid, 284);
	fabric_free(fabric);
}

static void show_gids_is_split_at_tabs(void **state)
{
	static const char text[] =
		"DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n"
		"---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
		"mlx5_0\t1\t0\tfe80:0000:0000:0000:06ca:5eff:fe00:4010\t\t\tv1\tens5f0\n"
		"mlx5_0\t1\t1\tfe80:0000:0000:0000:06ca:5eff:fe00:4010\t\t\tv2\tens5f0\n"
		"mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:c0a8:1e07\t192.168.30.7  \tv2\tens5f0\n"
		"mlx5_0\t1\t4\t0000:0000:0000:0000:0000:0000:0000:0000\t\t\tv2\t\n"
		"n_gids_found=3\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->host_gid_count, 3);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_string_equal(fabric->host_gids[0].type, "RoCE v1");
	assert_string_equal(fabric->host_gids[1].type, "RoCE v2");
	assert_string_equal(fabric->host_gids[1].netdev, "ens5f0");
	assert_int_equal(fabric->host_gids[2].index, 3);
	assert_string_equal(fabric->host_gids[2].netdev, "ens5f0");
	fabric_free(fabric);
}

static void a_ttar_text_holds_whole_trees(void **state)
{
	static const char text[] =
		"Directory: x/sys/class/infiniband/mlx5_0\nMode: 755\n# ttar - - -\n"
		"Path: dunlin/sys/class/infiniband/mlx5_0/node_guid\nLines: 1\n"
		"00ca:5e00:0000:2020\nMode: 644\n# ttar - - -\n"
		"Path: dunlin/sys/class/infiniband/mlx5_0/ports/1/rate\nLines: 1\n"
		"200 Gb/sec (4X HDR)\nMode: 644\n"
		"Path: dunlin/sys/class/infiniband/mlx5_0/ports/1/odd\nLines: 2\n"
		"Path: not a path\nLines: 9\nMode: 644\n"
		"Path: dunlin/sys/class/infiniband/mlx5_0/ports/1/state\nLines: 1\n4: ACTIVE\n"
		"Mode: 644\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_int_equal(fabric->host_port_count, 1);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	assert_string_equal(fabric->host_ports[0].host, "dunlin");
	assert_int_equal(fabric->host_ports[0].node_guid, HERON_N02);
	assert_int_equal(fabric->host_ports[0].rate_mbps, 200000);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copied_tree_is_one_source_of_its_host),
		cmocka_unit_test(a_port_that_is_down_has_no_rate),
		cmocka_unit_test(empty_gids_are_none_and_types_are_the_kernel_s),
		cmocka_unit_test(counters_of_a_tree_are_the_host_port_s),
		cmocka_unit_test(a_counter_that_is_refused_is_unknown_and_a_hole_of_no_loss),
		cmocka_unit_test(a_gid_that_cannot_be_read_is_counted_and_an_empty_one_is_read),
		cmocka_unit_test(rates_are_read_as_the_kernel_and_the_tools_write_them),
		cmocka_unit_test(a_gid_is_eight_groups_and_a_guid_four),
		cmocka_unit_test(ibstat_of_two_hosts_in_one_log_is_told_apart),
		cmocka_unit_test(one_host_told_twice_is_one),
		cmocka_unit_test(a_named_host_s_port_is_one_and_what_is_said_otherwise_a_contradiction),
		cmocka_unit_test(hosts_of_one_name_and_two_guids_are_two),
		cmocka_unit_test(a_gid_table_told_twice_is_one_and_its_last_word_holds),
		cmocka_unit_test(the_simulator_s_ibstat_is_read_too),
		cmocka_unit_test(ibstatus_gives_the_guid_of_infiniband_ports_alone),
		cmocka_unit_test(show_gids_is_split_at_tabs),
		cmocka_unit_test(a_ttar_text_holds_whole_trees),
	};

	return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
