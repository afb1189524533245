/* duplicate-gid, roce-gid-index: the GIDs of several hosts together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_host.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_duplicate_gid;
extern const struct rule rule_roce_gid_index;

#define SHARED "::ffff:10.40.1.5"

/* A RoCE port with the link-local GIDs of its MAC at 0 and 1 and an address behind them. */
static struct host_port *add_host(struct fabric *fabric, const char *host, unsigned mac,
				  const char *address, int index)
{
	struct host_port *port = build_host_port(fabric, host, "mlx5_0", "Ethernet");
	char own[64];

	snprintf(own, sizeof(own), "fe80::ac0:ebff:fe10:%x", mac);
	build_host_gid(fabric, host, "mlx5_0", 0, own, "RoCE v1", "eth4");
	build_host_gid(fabric, host, "mlx5_0", 1, own, "RoCE v2", "eth4");
	build_host_gid(fabric, host, "mlx5_0", index - 1, address, "RoCE v1", "eth4");
	build_host_gid(fabric, host, "mlx5_0", index, address, "RoCE v2", "eth4");
	return port;
}

static struct fabric *two_hosts(const char *address, int index)
{
	struct fabric *fabric = build_fabric();

	add_host(fabric, "gw7", 7, SHARED, 3);
	add_host(fabric, "gw8", 8, address, index);
	return fabric;
}

static void one_address_on_two_hosts_is_an_error(void **state)
{
	struct fabric *fabric = two_hosts(SHARED, 3);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	audit = expect_one(&rule_duplicate_gid, fabric, "gid=" SHARED, SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "gw7 mlx5_0 port 1 (eth4) and gw8 mlx5_0 port 1 (eth4)");
	audit_free(audit);
	fabric_free(fabric);
}

static void addresses_of_their_own_are_healthy(void **state)
{
	struct fabric *fabric = two_hosts("::ffff:10.40.1.6", 3);

	(void)state;
	assert_rule_passes(&rule_duplicate_gid, fabric, NULL);
	assert_rule_passes(&rule_roce_gid_index, fabric, NULL);
	fabric_free(fabric);
}

static void a_host_captured_under_two_names_has_no_duplicate(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	add_host(fabric, "before", 7, SHARED, 3);
	add_host(fabric, "after", 7, SHARED, 3);
	assert_rule_passes(&rule_duplicate_gid, fabric, NULL);
	fabric_free(fabric);
}

static void a_shared_node_guid_shows_one_host_too(void **state)
{
	struct fabric *fabric = two_hosts(SHARED, 3);

	(void)state;
	for (size_t i = 0; i < fabric->host_port_count; i++)
		fabric->host_ports[i].node_guid = 0x506b4b03005c2740;
	assert_rule_passes(&rule_duplicate_gid, fabric, NULL);
	fabric_free(fabric);
}

static void hosts_that_nothing_tells_apart_are_told(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	build_host_port(fabric, "gw7", "mlx5_0", "Ethernet");
	build_host_gid(fabric, "gw7", "mlx5_0", 3, SHARED, "RoCE v2", "eth4");
	add_host(fabric, "gw8", 8, SHARED, 3);
	assert_rule_verdict(&rule_duplicate_gid, fabric, NULL, VERDICT_PASS, "may be one host");
	fabric_free(fabric);
}

static void a_port_that_is_down_shares_nothing(void **state)
{
	struct fabric *fabric = two_hosts(SHARED, 3);

	(void)state;
	fabric->host_ports[1].state = 1;
	assert_rule_verdict(&rule_duplicate_gid, fabric, NULL, VERDICT_NOT_CHECKED, "two named hosts");
	fabric_free(fabric);
}

static void link_local_and_infiniband_gids_may_be_alike(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	add_host(fabric, "gw7", 7, "::ffff:169.254.1.1", 3);
	add_host(fabric, "gw8", 8, "::ffff:169.254.1.1", 3);
	build_host_port(fabric, "gw7", "mlx5_1", "InfiniBand");
	build_host_gid(fabric, "gw7", "mlx5_1", 0, "fd00::1", "IB", NULL);
	build_host_port(fabric, "gw8", "mlx5_1", "InfiniBand");
	build_host_gid(fabric, "gw8", "mlx5_1", 0, "fd00::1", "IB", NULL);
	assert_rule_passes(&rule_duplicate_gid, fabric, NULL);
	fabric_free(fabric);
}

static void many_shared_addresses_are_one_finding(void **state)
{
	struct fabric *fabric = two_hosts(SHARED, 3);
	const struct finding *finding;
	struct audit *audit;
	char gid[64];

	(void)state;
	for (int i = 0; i < 20; i++) {
		snprintf(gid, sizeof(gid), "::ffff:10.41.0.%d", i);
		build_host_gid(fabric, "gw7", "mlx5_0", 10 + i, gid, "RoCE v2", "eth4");
		build_host_gid(fabric, "gw8", "mlx5_0", 10 + i, gid, "RoCE v2", "eth4");
	}

	audit = expect_one(&rule_duplicate_gid, fabric, "gid=*", SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "21 GIDs");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_address_at_another_index_is_worth_knowing(void **state)
{
	struct fabric *fabric = two_hosts("::ffff:10.40.1.6", 5);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	audit = expect_one(&rule_roce_gid_index, fabric, "index:mlx5_0/1", SEVERITY_INFO, &finding);

	assert_contains(finding->message, "mlx5_0 port 1: no GID index");
	assert_string_equal(evidence_of(finding, "host_ports"), "gw7: 3, gw8: 5");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_second_address_at_the_common_index_serves(void **state)
{
	struct fabric *fabric = two_hosts("::ffff:10.40.1.6", 5);

	(void)state;
	build_host_gid(fabric, "gw8", "mlx5_0", 3, "::ffff:10.50.1.6", "RoCE v2", "eth4");
	assert_rule_passes(&rule_roce_gid_index, fabric, NULL);
	fabric_free(fabric);
}

static void an_index_of_ipv6_does_not_serve_hosts_with_ipv4(void **state)
{
	struct fabric *fabric = two_hosts("::ffff:10.40.1.6", 5);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_host_gid(fabric, "gw8", "mlx5_0", 3, "2001:db8::8", "RoCE v2", "eth4");

	audit = expect_one(&rule_roce_gid_index, fabric, "index:mlx5_0/1", SEVERITY_INFO, &finding);

	assert_contains(finding->message, "IPv4");
	audit_free(audit);
	fabric_free(fabric);
}

static void hosts_without_a_kind_of_address_in_common_are_of_other_networks(void **state)
{
	struct fabric *fabric = two_hosts("2001:db8::8", 5);

	(void)state;
	assert_rule_passes(&rule_roce_gid_index, fabric, NULL);
	fabric_free(fabric);
}

static void one_host_alone_has_nothing_to_be_held_against(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	add_host(fabric, "gw7", 7, SHARED, 3);
	assert_rule_verdict(&rule_roce_gid_index, fabric, NULL, VERDICT_NOT_CHECKED, "on two hosts");
	assert_rule_verdict(&rule_duplicate_gid, fabric, NULL, VERDICT_NOT_CHECKED, "two named hosts");
	/* Files that name no host may be of the same one. */
	add_host(fabric, NULL, 8, SHARED, 5);
	assert_rule_verdict(&rule_roce_gid_index, fabric, NULL, VERDICT_NOT_CHECKED, "on two hosts");
	assert_rule_verdict(&rule_duplicate_gid, fabric, NULL, VERDICT_NOT_CHECKED, "two named hosts");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_address_on_two_hosts_is_an_error),
		cmocka_unit_test(addresses_of_their_own_are_healthy),
		cmocka_unit_test(a_host_captured_under_two_names_has_no_duplicate),
		cmocka_unit_test(a_shared_node_guid_shows_one_host_too),
		cmocka_unit_test(hosts_that_nothing_tells_apart_are_told),
		cmocka_unit_test(a_port_that_is_down_shares_nothing),
		cmocka_unit_test(link_local_and_infiniband_gids_may_be_alike),
		cmocka_unit_test(many_shared_addresses_are_one_finding),
		cmocka_unit_test(the_address_at_another_index_is_worth_knowing),
		cmocka_unit_test(a_second_address_at_the_common_index_serves),
		cmocka_unit_test(an_index_of_ipv6_does_not_serve_hosts_with_ipv4),
		cmocka_unit_test(hosts_without_a_kind_of_address_in_common_are_of_other_networks),
		cmocka_unit_test(one_host_alone_has_nothing_to_be_held_against),
	};

	return cmocka_run_group_tests_name("rule_host_gids", tests, NULL, NULL);
}
