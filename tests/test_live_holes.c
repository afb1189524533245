/* What does not answer: whole runs over a small fabric, and the holes that they leave. */
#include "tests/support/fake_net.h"

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

static void refuse(int at, uint16_t attribute, int port, uint16_t status)
{
	net.refusals[net.refusal_count++] = (struct refusal){at, attribute, port, status};
}

/* The hole of this attribute; there must be one alone of the device. */
static const struct hole *hole_of(const struct fabric *fabric, enum attribute attribute)
{
	const struct hole *found = NULL;

	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].attribute != attribute)
			continue;
		assert_null(found);
		found = &fabric->holes[i];
	}
	assert_non_null(found);
	return found;
}

/* A leaf, a switch below it on port 2, and hosts on two ports of that. */
static int begin_tree(void)
{
	int leaf = begin();
	int below = node(NODE_TYPE_SWITCH, 0xa00, "below");

	cable(leaf, 2, below, 1);
	cable(below, 4, node(NODE_TYPE_CA, 0xc00, "host-a"), 1);
	cable(below, 7, node(NODE_TYPE_CA, 0xd00, "host-b"), 1);
	return below;
}

static void a_refusal_costs_what_is_refused(void **state)
{
	static const struct {
		uint16_t attribute, status;
		int port;
		enum attribute fills;
	} rows[] = {
		{IB_ATTR_PORT_INFO, 0x0c, -1, ATTRIBUTE_PORT_INFO},
		{IB_ATTR_PORT_INFO, 0x1c, -1, ATTRIBUTE_PORT_INFO},
		{IB_ATTR_PORT_INFO, 0, -1, ATTRIBUTE_PORT_INFO},
		{IB_ATTR_PORT_INFO, 0x1c, 4, ATTRIBUTE_PORT_INFO},
		{IB_ATTR_PORT_INFO, 0, 7, ATTRIBUTE_PORT_INFO},
		{IB_ATTR_SWITCH_INFO, 0x0c, -1, ATTRIBUTE_SWITCH_INFO},
		{IB_ATTR_SWITCH_INFO, 0x1c, -1, ATTRIBUTE_SWITCH_INFO},
		{IB_ATTR_SWITCH_INFO, 0, -1, ATTRIBUTE_SWITCH_INFO},
		{IB_ATTR_NODE_DESC, 0x0c, -1, ATTRIBUTE_NODE_DESCRIPTION},
		{IB_ATTR_NODE_DESC, 0x1c, -1, ATTRIBUTE_NODE_DESCRIPTION},
		{IB_ATTR_NODE_DESC, 0, -1, ATTRIBUTE_NODE_DESCRIPTION},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int below = begin_tree();
		struct fabric *fabric;
		const struct hole *hole;

		refuse(below, rows[i].attribute, rows[i].port, rows[i].status);
		fabric = collect();
		assert_int_equal(fabric->device_count, 5);
		assert_int_equal(links_of(fabric), 4);
		assert_int_equal(rows_of(fabric, 0xd00), 1);
		assert_int_equal(fabric->hole_count, 1);
		hole = hole_of(fabric, rows[i].fills);
		assert_int_equal(hole->reason, rows[i].status ? HOLE_STATUS : HOLE_TIMEOUT);
		assert_int_equal(hole->port, rows[i].port);
		assert_true(hole->device->guid == 0xa00);
		assert_non_null(strstr(hole->text, "behind leaf port 2"));
		fabric_free(fabric);
	}
}

static void a_host_that_refuses_all_is_not_called_protected(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 3, host, 1);
	refuse(host, IB_ATTR_NODE_DESC, -1, 0x1c);
	refuse(host, IB_ATTR_PORT_INFO, -1, 0x1c);
	fabric = collect();
	assert_int_equal(fabric->hole_count, 2);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_NODE_DESCRIPTION)->reason, HOLE_STATUS);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_PORT_INFO)->reason, HOLE_STATUS);
	fabric_free(fabric);
}

static void a_host_that_is_busy_is_not_called_protected(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 3, host, 1);
	refuse(host, IB_ATTR_NODE_DESC, -1, 0x01);
	refuse(host, IB_ATTR_PORT_INFO, -1, 0x01);
	fabric = collect_groups(LIVE_TOPOLOGY | LIVE_PKEYS);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_NODE_DESCRIPTION)->reason, HOLE_STATUS);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_PORT_INFO)->reason, HOLE_STATUS);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_PORT_INFO)->status, 0x01);
	assert_true(net.pkeys_asked[host] > 0);
	fabric_free(fabric);
}

static void a_host_behind_a_path_that_loses_is_not_called_protected(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 3, host, 1);
	refuse(host, IB_ATTR_NODE_DESC, -1, 0);
	refuse(host, IB_ATTR_PORT_INFO, -1, 0);
	net.nodes[host].lossy = true;
	fabric = collect();
	assert_int_equal(fabric->device_count, 3);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_NODE_DESCRIPTION)->reason, HOLE_TIMEOUT);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_PORT_INFO)->reason, HOLE_TIMEOUT);
	fabric_free(fabric);
}

static void a_name_refused_through_two_ports_is_missing_once(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 3, host, 1);
	cable(leaf, 4, host, 2);
	refuse(host, IB_ATTR_NODE_DESC, -1, 0x0c);
	refuse(host, IB_ATTR_PORT_INFO, 2, 0x0c);
	fabric = collect();
	assert_int_equal(fabric->hole_count, 3);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_NODE_DESCRIPTION)->port, -1);
	assert_int_equal(hole_of(fabric, ATTRIBUTE_PORT_INFO)->port, 2);
	/* Two hosts of one GUID would look the same. */
	assert_non_null(strstr(hole_of(fabric, ATTRIBUTE_NODE_INFO)->text,
			       "could not be told: what would tell is refused"));
	fabric_free(fabric);
}

static void a_host_that_keeps_silent_but_for_node_info_is(void **state)
{
	int leaf = begin();
	int host = node(NODE_TYPE_CA, 0xc00, "host");
	struct fabric *fabric;

	(void)state;
	cable(leaf, 3, host, 1);
	refuse(host, IB_ATTR_NODE_DESC, -1, 0);
	refuse(host, IB_ATTR_PORT_INFO, -1, 0);
	fabric = collect();
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].reason, HOLE_PROTECTED);
	fabric_free(fabric);
}

static void a_local_port_that_is_refused_is_gone_through(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_tree();
	refuse(0, IB_ATTR_PORT_INFO, -1, 0x0c);
	fabric = collect();
	assert_int_equal(fabric->device_count, 5);
	assert_int_equal(fabric->hole_count, 1);
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

/* Ports of a device whose PortInfo was believed. */
static unsigned read_ports(const struct device *device)
{
	unsigned count = 0;

	for (size_t i = 0; i < device->port_slots; i++)
		count += device->ports[i] && device->ports[i]->source_of[ATTRIBUTE_PORT_INFO] != 0;
	return count;
}

static void several_impossible_ports_make_all_of_a_switch_unread(void **state)
{
	(void)state;
	for (int odd = 0; odd < 4; odd++) {
		int below = begin_tree();
		struct fabric *fabric;

		net.nodes[below].odd_ports = odd;
		fabric = collect();
		assert_int_equal(fabric->device_count, 5);
		assert_int_equal(links_of(fabric), 4);
		assert_int_equal(fabric->hole_count, odd != 0);
		assert_int_equal(read_ports(fabric_device_find(fabric, 0xa00)),
				 odd > 1 ? 0 : PORTS - odd);
		if (odd) {
			assert_int_equal(fabric->holes[0].reason, HOLE_BAD_ANSWER);
			assert_int_equal(fabric->holes[0].port, odd > 1 ? -1 : 1);
			assert_true(fabric->holes[0].device->guid == 0xa00);
		}
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_dead_host_is_a_hole_with_its_place),
		cmocka_unit_test(a_refusal_costs_what_is_refused),
		cmocka_unit_test(a_host_that_refuses_all_is_not_called_protected),
		cmocka_unit_test(a_host_that_is_busy_is_not_called_protected),
		cmocka_unit_test(a_host_behind_a_path_that_loses_is_not_called_protected),
		cmocka_unit_test(a_name_refused_through_two_ports_is_missing_once),
		cmocka_unit_test(a_host_that_keeps_silent_but_for_node_info_is),
		cmocka_unit_test(a_local_port_that_is_refused_is_gone_through),
		cmocka_unit_test(nothing_at_all_is_an_error),
		cmocka_unit_test(several_impossible_ports_make_all_of_a_switch_unread),
	};

	return cmocka_run_group_tests_name("live_holes", tests, NULL, NULL);
}
