/* no-routable-roce-gid, and what the analysis of hosts says of GIDs. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/analysis/hosts.h"
#include "store/store.h"
#include "tests/support/build_fabric.h"
#include "tests/support/build_host.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_no_routable_roce_gid;

#define RULE &rule_no_routable_roce_gid
#define V1 "RoCE v1"
#define V2 "RoCE v2"
#define LOCAL "fe80::ac0:ebff:fe10:2001"

/* gw7's mlx5_0, Active, with the two GIDs that every RoCE port has. */
static struct fabric *link_local_host(void)
{
	struct fabric *fabric = build_fabric();

	build_host_port(fabric, "gw7", "mlx5_0", "Ethernet");
	build_host_gid(fabric, "gw7", "mlx5_0", 0, LOCAL, V1, "ens3f0np0");
	build_host_gid(fabric, "gw7", "mlx5_0", 1, LOCAL, V2, "ens3f0np0");
	return fabric;
}

static void expect_pass_with(const char *gid, const char *netdev)
{
	struct fabric *fabric = link_local_host();

	build_host_gid(fabric, "gw7", "mlx5_0", 2, gid, V1, netdev);
	build_host_gid(fabric, "gw7", "mlx5_0", 3, gid, V2, netdev);
	assert_rule_passes(RULE, fabric, NULL);
	fabric_free(fabric);
}

static void a_port_with_link_local_gids_alone_is_a_warning(void **state)
{
	struct fabric *fabric = link_local_host();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	audit = expect_one(RULE, fabric, "link-local:gw7/mlx5_0/1", SEVERITY_WARNING, &finding);

	assert_string_equal(finding->subject, "gw7 mlx5_0 port 1");
	assert_contains(finding->message,
			"gw7 mlx5_0 port 1 (ens3f0np0) has no routable RoCE v2 GID");
	assert_contains(evidence_of(finding, "gids"), "1: " LOCAL " (RoCE v2)");
	audit_free(audit);
	fabric_free(fabric);
}

static void private_and_unique_local_addresses_are_routable(void **state)
{
	(void)state;
	expect_pass_with("::ffff:10.40.1.5", "ens3f0np0");
	expect_pass_with("::ffff:192.168.7.1", "ens3f0np0");
	expect_pass_with("fd00:1234::7", "ens3f0np0");
	expect_pass_with("2001:db8::7", "ens3f0np0");
}

static void the_address_may_be_that_of_a_vlan_or_a_bond(void **state)
{
	(void)state;
	expect_pass_with("::ffff:10.40.1.5", "ens3f0np0.100");
	expect_pass_with("::ffff:10.40.1.5", "bond0");
}

static void an_ipv4_link_local_address_is_none(void **state)
{
	struct fabric *fabric = link_local_host();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_host_gid(fabric, "gw7", "mlx5_0", 3, "::ffff:169.254.7.1", V2, "ens3f0np0");

	audit = expect_one(RULE, fabric, "link-local:gw7/mlx5_0/1", SEVERITY_WARNING, &finding);

	assert_contains(evidence_of(finding, "gids"), "::ffff:169.254.7.1");
	audit_free(audit);
	fabric_free(fabric);
}

static void an_address_as_v1_alone_is_worth_knowing(void **state)
{
	struct fabric *fabric = build_fabric();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_host_port(fabric, "gw7", "mlx4_0", "Ethernet");
	build_host_gid(fabric, "gw7", "mlx4_0", 0, LOCAL, V1, "eth4");
	build_host_gid(fabric, "gw7", "mlx4_0", 1, "::ffff:10.40.1.5", V1, "eth4");

	audit = expect_one(RULE, fabric, "v1-only:gw7/mlx4_0/1", SEVERITY_INFO, &finding);

	assert_contains(finding->message, "(eth4) has no RoCE v2 GID");
	audit_free(audit);
	fabric_free(fabric);
}

static void of_a_port_that_is_down_nothing_is_expected(void **state)
{
	struct fabric *fabric = link_local_host();

	(void)state;
	fabric->host_ports[0].state = 1;
	assert_rule_passes(RULE, fabric, NULL);
	fabric_free(fabric);
}

static void default_gids_of_infiniband_are_right(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	build_host_port(fabric, "gw7", "mlx5_0", "InfiniBand");
	build_host_gid(fabric, "gw7", "mlx5_0", 0, LOCAL, "IB", NULL);
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_APPLICABLE, "Ethernet");
	fabric_free(fabric);
}

static void a_type_that_was_not_read_is_no_finding_where_it_could_be_v2(void **state)
{
	struct fabric *fabric = link_local_host();

	(void)state;
	build_host_gid(fabric, "gw7", "mlx5_0", 3, "::ffff:10.40.1.5", NULL, "ens3f0np0");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_CHECKED, "gw7 mlx5_0 port 1");
	fabric_free(fabric);
}

static void a_type_that_was_not_read_changes_nothing_of_a_link_local_gid(void **state)
{
	struct fabric *fabric = link_local_host();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_host_gid(fabric, "gw7", "mlx5_0", 2, "fe80::1", NULL, "ens3f0np0");

	audit = expect_one(RULE, fabric, "link-local:gw7/mlx5_0/1", SEVERITY_WARNING, &finding);

	audit_free(audit);
	fabric_free(fabric);
}

static void a_gid_that_was_not_read_is_no_finding(void **state)
{
	struct fabric *fabric = link_local_host();

	(void)state;
	fabric->host_ports[0].gids_unread = 1;
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_CHECKED, "were not read");
	fabric_free(fabric);
}

static void an_unread_state_or_table_is_told_beside_a_port_that_was_judged(void **state)
{
	struct fabric *fabric = link_local_host();

	(void)state;
	build_host_gid(fabric, "gw7", "mlx5_0", 3, "::ffff:10.40.1.5", V2, "ens3f0np0");
	build_host_port(fabric, "gw8", "mlx5_0", "Ethernet")->gid_slots = FIELD_UNKNOWN;
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_PASS, "GID table was not read");
	/* show_gids alone does not say whether the port is in use. */
	build_host_gid(fabric, "gw9", "mlx5_0", 1, LOCAL, V2, "eth4");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_PASS, "state was not read");
	fabric_free(fabric);
}

static void a_port_without_any_gid_is_told_and_no_finding(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	build_host_port(fabric, "gw7", "mlx5_0", "Ethernet");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_PASS, "has no GID at all");
	fabric_free(fabric);
}

static void two_files_of_a_named_host_are_one_port(void **state)
{
	struct fabric *fabric = build_fabric();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	/* ibstat knows state and layer, show_gids the table; a copied tree repeats both. */
	build_host_port(fabric, "gw7", "mlx5_0", "Ethernet")->gid_slots = FIELD_UNKNOWN;
	build_host_gid(fabric, "gw7", "mlx5_0", 1, LOCAL, V2, "eth4")->source = 2;
	build_host_port(fabric, "gw7", "mlx5_0", "Ethernet")->source = 3;
	build_host_gid(fabric, "gw7", "mlx5_0", 1, LOCAL, NULL, NULL)->source = 3;

	audit = expect_one(RULE, fabric, "link-local:gw7/mlx5_0/1", SEVERITY_WARNING, &finding);

	assert_string_equal(evidence_of(finding, "gids"), "1: " LOCAL " (RoCE v2)");
	audit_free(audit);
	fabric_free(fabric);
}

static void two_files_that_name_no_host_are_not_joined(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	build_host_port(fabric, NULL, "mlx5_0", "Ethernet")->gid_slots = FIELD_UNKNOWN;
	build_host_gid(fabric, NULL, "mlx5_0", 1, LOCAL, V2, "eth4")->source = 2;
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_CHECKED, "state was not read");
	fabric_free(fabric);
}

static void many_ports_are_one_finding_that_is_still_the_same(void **state)
{
	struct fabric *many = link_local_host();
	struct fabric *one = link_local_host();
	const struct finding *finding;
	struct audit *baseline, *audit;
	struct err err = {0};
	char host[16];

	(void)state;
	for (int i = 0; i < 20; i++) {
		snprintf(host, sizeof(host), "gx%d", i);
		build_host_port(many, host, "mlx5_0", "Ethernet");
		build_host_gid(many, host, "mlx5_0", 1, LOCAL, V2, "eth4");
	}
	audit = check_rule(RULE, one, many);
	baseline = expect_one(RULE, many, "link-local:*", SEVERITY_WARNING, &finding);
	assert_contains(finding->message, "21 Active Ethernet ports");
	assert_contains(evidence_of(finding, "host_ports"), "gx7 mlx5_0 port 1 (eth4)");

	assert_int_equal(audit_compare(audit, baseline, many, one, &err), 0);

	assert_int_equal(only_finding(audit, "link-local:gw7/mlx5_0/1", SEVERITY_WARNING)->status,
			 FINDING_STILL);
	audit_free(audit);
	audit_free(baseline);
	fabric_free(many);
	fabric_free(one);
}

/* The status of the finding on gw7 in an audit of `now`, which does not find it. */
static enum finding_status status_in(struct fabric *now)
{
	struct fabric *before = link_local_host();
	struct audit *baseline = check_rule(RULE, before, NULL);
	struct audit *audit = check_rule(RULE, now, before);
	enum finding_status status;
	struct err err = {0};

	assert_int_equal(audit_compare(audit, baseline, before, now, &err), 0);
	status = finding_of(audit, "link-local:gw7/mlx5_0/1")->status;
	audit_free(audit);
	audit_free(baseline);
	fabric_free(before);
	fabric_free(now);
	return status;
}

static void a_finding_is_gone_only_where_its_host_was_read_again(void **state)
{
	struct fabric *mended = link_local_host();
	struct fabric *other = build_fabric();
	struct fabric *no_table = build_fabric();
	struct fabric *taken_out = build_fabric();

	(void)state;
	build_host_gid(mended, "gw7", "mlx5_0", 3, "::ffff:10.40.1.5", V2, "ens3f0np0");
	assert_int_equal(status_in(mended), FINDING_GONE);

	build_host_port(other, "gw8", "mlx5_0", "InfiniBand");
	assert_int_equal(status_in(other), FINDING_UNCHECKED);

	build_host_port(no_table, "gw7", "mlx5_0", "Ethernet")->gid_slots = FIELD_UNKNOWN;
	build_host_port(no_table, "gw7", "mlx5_1", "Ethernet");
	assert_int_equal(status_in(no_table), FINDING_UNCHECKED);

	build_host_port(taken_out, "gw7", "mlx5_1", "Ethernet");
	build_host_gid(taken_out, "gw7", "mlx5_1", 3, "::ffff:10.40.1.5", V2, "ens3f0np0");
	assert_int_equal(status_in(taken_out), FINDING_GONE);
}

static void without_hosts_nothing_was_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_CHECKED, "no GID table of any host");
	fabric_free(fabric);
}

static void how_far_a_gid_reaches_follows_from_its_address(void **state)
{
	static const struct {
		const char *gid;
		enum gid_reach reach;
	} gids[] = {
		{"::", GID_NOWHERE},
		{"::1", GID_NOWHERE},
		{"::ffff:127.0.0.1", GID_NOWHERE},
		{"::ffff:0.0.0.0", GID_NOWHERE},
		{"::ffff:224.0.0.1", GID_NOWHERE},
		{"ff02::1", GID_NOWHERE},
		{"fe80::1", GID_LINK_LOCAL},
		{"febf::1", GID_LINK_LOCAL},
		{"::ffff:169.254.0.1", GID_LINK_LOCAL},
		{"::ffff:169.255.0.1", GID_ROUTABLE},
		{"::ffff:10.0.0.1", GID_ROUTABLE},
		{"::ffff:172.16.0.1", GID_ROUTABLE},
		{"fec0::1", GID_ROUTABLE},
		{"fd00::1", GID_ROUTABLE},
		{"2001:db8::1", GID_ROUTABLE},
	};
	uint8_t gid[16];

	(void)state;
	for (size_t i = 0; i < sizeof(gids) / sizeof(gids[0]); i++) {
		assert_int_equal(inet_pton(AF_INET6, gids[i].gid, gid), 1);
		if (gid_reach(gid) != gids[i].reach)
			fail_msg("%s reaches %d", gids[i].gid, (int)gid_reach(gid));
	}
}

/* Cells of host_gid.reach, in order. */
static int add_reach(void *context, const char *const *names, const struct cell *cells, size_t count)
{
	char *out = context;

	(void)names;
	assert_int_equal(count, 1);
	if (cells)
		strcat(strncat(out, cells[0].text, cells[0].length), " ");
	return 0;
}

static void the_view_says_the_same_of_every_first_byte_as_the_rule(void **state)
{
	static const char *const words[] = {"nowhere", "link-local", "routable"};
	struct fabric *fabric = build_fabric();
	struct store *store = NULL;
	char wanted[16384] = "";
	char got[16384] = "";
	struct err err = {0};
	int64_t id = 0;

	(void)state;
	for (unsigned byte = 0; byte < 256; byte++) {
		int index = (int)(3 * byte);

		build_host_gid(fabric, "gw7", "mlx5_0", index, "::ffff:0.254.0.1", V2, NULL)->gid[12] =
			(uint8_t)byte;
		build_host_gid(fabric, "gw7", "mlx5_0", index + 1, "::1", V2, NULL)->gid[0] = (uint8_t)byte;
		build_host_gid(fabric, "gw7", "mlx5_0", index + 2, "fe00::1", V2, NULL)->gid[1] =
			(uint8_t)byte;
	}
	for (size_t i = 0; i < fabric->host_gid_count; i++)
		strcat(strcat(wanted, words[gid_reach(fabric->host_gids[i].gid)]), " ");
	assert_int_equal(store_open(":memory:", STORE_WRITE, &store, &err), 0);
	assert_int_equal(store_snapshot_write(store, fabric, NULL, NULL, 0, &id, &err), 0);

	assert_int_equal(store_query(store, "SELECT reach FROM host_gid ORDER BY gid_index", add_reach, got,
				     &err), 0);

	assert_string_equal(got, wanted);
	store_close(store);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_port_with_link_local_gids_alone_is_a_warning),
		cmocka_unit_test(private_and_unique_local_addresses_are_routable),
		cmocka_unit_test(the_address_may_be_that_of_a_vlan_or_a_bond),
		cmocka_unit_test(an_ipv4_link_local_address_is_none),
		cmocka_unit_test(an_address_as_v1_alone_is_worth_knowing),
		cmocka_unit_test(of_a_port_that_is_down_nothing_is_expected),
		cmocka_unit_test(default_gids_of_infiniband_are_right),
		cmocka_unit_test(a_type_that_was_not_read_is_no_finding_where_it_could_be_v2),
		cmocka_unit_test(a_type_that_was_not_read_changes_nothing_of_a_link_local_gid),
		cmocka_unit_test(a_gid_that_was_not_read_is_no_finding),
		cmocka_unit_test(an_unread_state_or_table_is_told_beside_a_port_that_was_judged),
		cmocka_unit_test(a_port_without_any_gid_is_told_and_no_finding),
		cmocka_unit_test(two_files_of_a_named_host_are_one_port),
		cmocka_unit_test(two_files_that_name_no_host_are_not_joined),
		cmocka_unit_test(many_ports_are_one_finding_that_is_still_the_same),
		cmocka_unit_test(a_finding_is_gone_only_where_its_host_was_read_again),
		cmocka_unit_test(without_hosts_nothing_was_checked),
		cmocka_unit_test(how_far_a_gid_reaches_follows_from_its_address),
		cmocka_unit_test(the_view_says_the_same_of_every_first_byte_as_the_rule),
	};

	return cmocka_run_group_tests_name("rule_roce_gid", tests, NULL, NULL);
}
