#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/host/host.h"

/* A tree in a directory of its own; gone at the end. */
struct tree {
	char root[64];
	struct fabric *fabric;
};

static int tree_new(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));
	struct err err = {0};

	if (!tree)
		return -1;
	strcpy(tree->root, "/tmp/ibaudit-host.XXXXXX");
	*state = tree;
	return mkdtemp(tree->root) && fabric_new(&tree->fabric, &err) == 0 ? 0 : -1;
}

static int tree_free(void **state)
{
	struct tree *tree = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", tree->root);
	fabric_free(tree->fabric);
	free(tree);
	return system(command);
}

static void put(const struct tree *tree, const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s/class/infiniband/%s", tree->root, path);
	for (char *slash = full + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		(void)mkdir(full, 0700);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void read_tree(struct tree *tree)
{
	struct err err = {0};

	assert_int_equal(host_read(tree->root, "gw7", 0, tree->fabric, &err), 0);
}

static void a_tree_names_its_host(void **state)
{
	char name[64];

	(void)state;
	host_name_of_tree("/srv/copies/gw7/sys/", name, sizeof(name));
	assert_string_equal(name, "gw7");
	host_name_of_tree("./gw8", name, sizeof(name));
	assert_string_equal(name, "gw8");
	host_name_of_tree("/sys", name, sizeof(name));
	assert_string_equal(name, "");
	host_name_of_tree("", name, sizeof(name));
	assert_string_equal(name, "");
}

static void a_port_is_read_with_its_first_gid_as_guid(void **state)
{
	struct tree *tree = *state;
	const struct host_port *port;

	put(tree, "mlx5_0/node_guid", "506b:4b03:005c:2740\n");
	put(tree, "mlx5_0/fw_ver", "20.31.1014\n");
	put(tree, "mlx5_0/ports/1/link_layer", "InfiniBand\n");
	put(tree, "mlx5_0/ports/1/state", "4: ACTIVE\n");
	put(tree, "mlx5_0/ports/1/phys_state", "5: LinkUp\n");
	put(tree, "mlx5_0/ports/1/rate", "200 Gb/sec (4X HDR)\n");
	put(tree, "mlx5_0/ports/1/lid", "0x96\n");
	put(tree, "mlx5_0/ports/1/gids/0", "fe80:0000:0000:0000:506b:4b03:005c:2741\n");
	put(tree, "mlx5_0/ports/1/gid_attrs/types/0", "IB/RoCE v1\n");
	read_tree(tree);

	assert_int_equal(tree->fabric->host_port_count, 1);
	port = &tree->fabric->host_ports[0];
	assert_string_equal(port->host, "gw7");
	assert_string_equal(port->device, "mlx5_0");
	assert_int_equal(port->lid, 0x96);
	assert_int_equal(port->rate_mbps, 200000);
	assert_true(port->node_guid == 0x506b4b03005c2740);
	assert_true(port->port_guid == 0x506b4b03005c2741);
	assert_string_equal(port->fw_version, "20.31.1014");
	assert_int_equal(tree->fabric->host_gid_count, 1);
	assert_string_equal(tree->fabric->host_gids[0].type, "IB");
	assert_true(tree->fabric->host_gids[0].port_guid == 0x506b4b03005c2741);
}

static void an_ethernet_port_has_no_port_guid(void **state)
{
	struct tree *tree = *state;

	put(tree, "mlx5_1/ports/1/link_layer", "Ethernet\n");
	put(tree, "mlx5_1/ports/1/state", "4: ACTIVE\n");
	put(tree, "mlx5_1/ports/1/gids/0", "fe80:0000:0000:0000:0ac0:ebff:fe21:03da\n");
	put(tree, "mlx5_1/ports/1/gid_attrs/types/0", "IB/RoCE v1\n");
	put(tree, "mlx5_1/ports/1/gid_attrs/ndevs/0", "eth4\n");
	read_tree(tree);

	assert_int_equal(tree->fabric->host_ports[0].port_guid, 0);
	assert_string_equal(tree->fabric->host_gids[0].type, "RoCE v1");
	assert_string_equal(tree->fabric->host_gids[0].netdev, "eth4");
}

static void empty_entries_and_refused_types_are_normal(void **state)
{
	struct tree *tree = *state;

	put(tree, "mlx5_1/ports/1/link_layer", "Ethernet\n");
	put(tree, "mlx5_1/ports/1/gids/0", "0000:0000:0000:0000:0000:0000:0000:0000\n");
	put(tree, "mlx5_1/ports/1/gids/3", "0000:0000:0000:0000:0000:ffff:0a28:0105\n");
	put(tree, "mlx5_1/ports/1/gids/10", "fe80:0000:0000:0000:0ac0:ebff:fe21:03da\n");
	put(tree, "mlx5_1/ports/1/gid_attrs/types/10", "RoCE v2\n");
	read_tree(tree);

	assert_int_equal(tree->fabric->host_ports[0].gid_slots, 3);
	assert_int_equal(tree->fabric->host_ports[0].gids_unread, 0);
	assert_int_equal(tree->fabric->host_gid_count, 2);
	assert_int_equal(tree->fabric->host_gids[0].index, 3);
	assert_null(tree->fabric->host_gids[0].type);
	assert_int_equal(tree->fabric->host_gids[1].index, 10);
	assert_string_equal(tree->fabric->host_gids[1].type, "RoCE v2");
}

static void the_rate_of_a_port_that_is_down_says_nothing(void **state)
{
	struct tree *tree = *state;

	put(tree, "mlx5_2/ports/1/state", "1: DOWN\n");
	put(tree, "mlx5_2/ports/1/rate", "10 Gb/sec (4X SDR)\n");
	read_tree(tree);

	assert_int_equal(tree->fabric->host_ports[0].state, 1);
	assert_true(tree->fabric->host_ports[0].rate_mbps == FIELD_UNKNOWN);
	assert_true(tree->fabric->host_ports[0].lid == FIELD_UNKNOWN);
}

static void the_own_counters_are_read_and_the_root_may_be_the_class_itself(void **state)
{
	struct tree *tree = *state;
	struct err err = {0};
	char root[128];

	put(tree, "mlx5_0/ports/1/state", "4: ACTIVE\n");
	put(tree, "mlx5_0/ports/1/counters/link_downed", "255\n");
	put(tree, "mlx5_0/ports/1/counters/port_xmit_wait", "4294967295\n");
	put(tree, "mlx5_0/ports/1/hw_counters/out_of_buffer", "7\n");
	snprintf(root, sizeof(root), "%s/class/infiniband", tree->root);
	assert_int_equal(host_read(root, NULL, 0, tree->fabric, &err), 0);

	assert_int_equal(tree->fabric->host_port_count, 1);
	assert_null(tree->fabric->host_ports[0].host);
	assert_non_null(tree->fabric->host_ports[0].counters);
	assert_int_equal(tree->fabric->host_ports[0].counters->value[COUNTER_xmit_wait], UINT32_MAX);
	assert_int_equal(tree->fabric->host_ports[0].counters->saturated,
			 UINT64_C(1) << COUNTER_xmit_wait | UINT64_C(1) << COUNTER_link_downed);
}

static void a_host_without_devices_adds_nothing(void **state)
{
	struct tree *tree = *state;
	struct err err = {0};

	assert_int_equal(host_read(tree->root, NULL, 0, tree->fabric, &err), 0);
	assert_int_equal(tree->fabric->host_port_count, 0);
	assert_int_equal(host_read("/nowhere/at/all", NULL, 0, tree->fabric, &err), ERR_INPUT);
}

static void names_of_any_length_and_kind_are_survived(void **state)
{
	struct tree *tree = *state;

	put(tree, "mlx5_0/ports/x/state", "4");
	put(tree, "mlx5_0/ports/999/state", "4");
	put(tree, "mlx5_0/ports/2/state", "no number");
	put(tree, "mlx5_0/ports/2/rate", "\xff\xfe");
	put(tree, "mlx5_0/ports/2/gids/zero", "not a gid");
	put(tree, "mlx5_0/fw_ver", "");
	read_tree(tree);

	assert_int_equal(tree->fabric->host_port_count, 1);
	assert_true(tree->fabric->host_ports[0].state == FIELD_UNKNOWN);
	assert_null(tree->fabric->host_ports[0].fw_version);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_new, tree_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_names_its_host),
		IN_TREE(a_port_is_read_with_its_first_gid_as_guid),
		IN_TREE(an_ethernet_port_has_no_port_guid),
		IN_TREE(empty_entries_and_refused_types_are_normal),
		IN_TREE(the_rate_of_a_port_that_is_down_says_nothing),
		IN_TREE(the_own_counters_are_read_and_the_root_may_be_the_class_itself),
		IN_TREE(a_host_without_devices_adds_nothing),
		IN_TREE(names_of_any_length_and_kind_are_survived),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
