#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/coverage.h"
#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

struct pair {
	struct fabric *before;
	struct fabric *now;
	struct audit *audit;	/* holds the finding asked about */
	struct finding *finding;
};

static struct pair make_pair(uint64_t node_guid, int port)
{
	struct pair pair = {build_tree(), build_tree(), NULL, NULL};
	struct err err = {0};

	assert_int_equal(audit_new(&pair.audit, &err), 0);
	pair.finding = audit_finding_add(pair.audit, "a-rule", SEVERITY_ERROR, node_guid, port);
	assert_non_null(pair.finding);
	return pair;
}

static void free_pair(struct pair *pair)
{
	audit_free(pair->audit);
	fabric_free(pair->before);
	fabric_free(pair->now);
}

static bool shows(const struct pair *pair, const char *reads)
{
	struct coverage *coverage = NULL;
	struct err err = {0};
	bool shown = false;

	assert_int_equal(coverage_new(pair->before, pair->now, &coverage, &err), 0);
	assert_int_equal(coverage_shows(coverage, pair->finding, reads, &shown, &err), 0);
	coverage_free(coverage);
	return shown;
}

static struct port *host_port(struct fabric *fabric)
{
	return build_port(build_device(fabric, "host-21"), 1);
}

static void what_was_read_again_shows(void **state)
{
	struct pair pair = make_pair(0x1015, 1);

	(void)state;
	assert_true(shows(&pair, "lid sl2vl vlarb lft neighbor sm description live"));
	free_pair(&pair);
}

static void a_field_not_read_of_this_port_does_not_show(void **state)
{
	struct pair pair = make_pair(0x1015, 1);

	(void)state;
	host_port(pair.before)->info.vl_high_limit = 255;
	host_port(pair.now)->info.vl_high_limit = FIELD_UNKNOWN;
	build_port(build_device(pair.now, "host-22"), 1)->info.vl_high_limit = 4;
	assert_false(shows(&pair, "vl_high_limit"));
	assert_true(shows(&pair, "lid"));

	host_port(pair.now)->info.vl_high_limit = 4;
	assert_true(shows(&pair, "vl_high_limit"));
	free_pair(&pair);
}

static void a_port_that_went_down_has_nothing_to_show(void **state)
{
	struct pair pair = make_pair(0x1015, 1);

	(void)state;
	host_port(pair.before)->info.vl_high_limit = 255;
	build_port(build_device(pair.now, "host-22"), 1)->info.vl_high_limit = 4;
	build_unlink(build_device(pair.now, "host-21"), 1);
	host_port(pair.now)->info.vl_high_limit = FIELD_UNKNOWN;
	assert_true(shows(&pair, "vl_high_limit"));
	free_pair(&pair);
}

static void tables_that_are_read_nowhere_now_show_nothing(void **state)
{
	struct pair pair = make_pair(0, -1);

	(void)state;
	build_sl2vl_all(pair.before, SL2VL_ON_8);
	assert_false(shows(&pair, "sl2vl"));
	build_sl2vl_all(pair.now, SL2VL_ON_8);
	assert_true(shows(&pair, "sl2vl"));
	free_pair(&pair);
}

static void a_list_of_places_shows_when_all_of_them_were_read(void **state)
{
	struct pair pair = make_pair(0, -1);

	(void)state;
	build_sl2vl_all(pair.before, SL2VL_ON_8);
	build_sl2vl_all(pair.now, SL2VL_ON_8);
	host_port(pair.now)->sl2vl = NULL;
	assert_true(finding_evidence(pair.finding, "places", "host-11 port 1; host-12 port 1"));
	assert_true(shows(&pair, "sl2vl"));
	assert_true(finding_evidence(pair.finding, "ports", "3"));
	free(pair.finding->evidence[0].value);
	pair.finding->evidence[0].value = strdup("host-11 port 1; host-21 port 1");
	assert_false(shows(&pair, "sl2vl"));
	free_pair(&pair);
}

static void a_lost_way_shows_when_every_table_was_read(void **state)
{
	struct pair pair = make_pair(0x1015, 1);

	(void)state;
	build_device(pair.now, "spine-1")->lft = NULL;
	assert_true(shows(&pair, "lid lft"));
	assert_true(finding_evidence(pair.finding, "switch", "leaf-1: no entry (255)"));
	assert_false(shows(&pair, "lid lft"));
	free_pair(&pair);
}

static void a_file_of_the_sm_that_is_not_at_hand_shows_nothing_it_says(void **state)
{
	struct pair pair = make_pair(0, -1);

	(void)state;
	build_option(pair.before, "qos_high_limit", "255", 7);
	assert_true(finding_text(&pair.finding->source, "%s", "opensm.conf:7"));
	assert_false(shows(&pair, "vl_high_limit"));

	build_option(pair.now, "qos_high_limit", "4", 7);
	assert_true(shows(&pair, "vl_high_limit"));
	free_pair(&pair);
}

static void a_rule_that_reads_such_a_file_shows_nothing_without_it(void **state)
{
	struct pair pair = make_pair(0x1015, 1);

	(void)state;
	build_option(pair.before, "qos", "TRUE", 1);
	assert_true(shows(&pair, "lid"));
	assert_false(shows(&pair, "lid opensm.conf"));
	build_option(pair.now, "qos", "FALSE", 1);
	assert_true(shows(&pair, "lid opensm.conf"));
	free_pair(&pair);
}

static void only_a_live_collection_shows_what_only_that_can(void **state)
{
	struct pair pair = make_pair(0x1015, -1);

	(void)state;
	assert_true(shows(&pair, "live"));
	pair.now->live = false;
	assert_false(shows(&pair, "live"));
	pair.before->live = false;
	assert_true(shows(&pair, "live"));
	free_pair(&pair);
}

static void a_host_is_missed_only_where_hosts_are_listed(void **state)
{
	struct pair pair = make_pair(0x5000, 1);

	(void)state;
	build_ca(pair.before, 0x5000, 1, 50, "gone");
	assert_true(shows(&pair, "lid"));

	pair.now->live = false;
	pair.now->asked = 1u << ATTRIBUTE_LFT;
	assert_false(shows(&pair, "lid"));
	free_pair(&pair);
}

static void add_host(struct fabric *fabric, const char *host, const char *device, unsigned port,
		     bool table)
{
	struct host_port *row = fabric_host_port_add(fabric);

	assert_non_null(row);
	row->host = fabric_text(fabric, host, strlen(host));
	row->device = fabric_text(fabric, device, strlen(device));
	row->port = (uint8_t)port;
	row->gid_slots = table ? 16 : FIELD_UNKNOWN;
}

/* A finding on port 1 of n2's mlx5_0, which the earlier look had, beside n1. */
static struct pair make_host_pair(void)
{
	struct pair pair = make_pair(0, -1);

	add_host(pair.before, "n1", "mlx5_0", 1, true);
	add_host(pair.before, "n2", "mlx5_0", 1, true);
	assert_true(finding_evidence(pair.finding, "host", "n2"));
	assert_true(finding_evidence(pair.finding, "device", "mlx5_0"));
	assert_true(finding_evidence(pair.finding, "port", "1"));
	return pair;
}

static void a_host_port_shows_when_its_host_told_of_it_again(void **state)
{
	struct pair pair = make_host_pair();

	(void)state;
	assert_false(shows(&pair, "host_ports"));
	add_host(pair.now, "n3", "mlx5_0", 1, false);
	add_host(pair.now, "n1", "mlx5_0", 1, false);
	assert_false(shows(&pair, "host_ports"));
	/* The adapter is gone, and its host was looked at. */
	add_host(pair.now, "n2", "mlx5_1", 1, true);
	assert_true(shows(&pair, "host_ports"));
	add_host(pair.now, "n2", "mlx5_0", 2, true);
	add_host(pair.now, "n2", "mlx5_0", 1, false);
	assert_true(shows(&pair, "host_ports"));
	free_pair(&pair);
}

static void a_gid_table_shows_when_it_was_read_again(void **state)
{
	struct pair pair = make_host_pair();
	struct host_gid *gid;

	(void)state;
	add_host(pair.now, "n2", "mlx5_0", 1, false);
	assert_false(shows(&pair, "host_gids"));
	gid = fabric_host_gid_add(pair.now);
	assert_non_null(gid);
	gid->host = fabric_text(pair.now, "n2", 2);
	gid->device = fabric_text(pair.now, "mlx5_0", 6);
	gid->port = 2;
	assert_false(shows(&pair, "host_gids"));
	gid->port = 1;
	assert_true(shows(&pair, "host_gids"));
	free_pair(&pair);
}

static void a_list_of_host_ports_shows_when_every_host_was_read(void **state)
{
	struct pair pair = make_host_pair();

	(void)state;
	assert_true(finding_evidence(pair.finding, "host_ports", "n1 mlx5_0 port 1"));
	add_host(pair.now, "n2", "mlx5_0", 1, false);
	assert_false(shows(&pair, "host_ports"));
	add_host(pair.now, "n1", "mlx5_0", 1, false);
	assert_true(shows(&pair, "host_ports"));
	free_pair(&pair);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_read_again_shows),
		cmocka_unit_test(a_field_not_read_of_this_port_does_not_show),
		cmocka_unit_test(a_port_that_went_down_has_nothing_to_show),
		cmocka_unit_test(tables_that_are_read_nowhere_now_show_nothing),
		cmocka_unit_test(a_list_of_places_shows_when_all_of_them_were_read),
		cmocka_unit_test(a_lost_way_shows_when_every_table_was_read),
		cmocka_unit_test(a_file_of_the_sm_that_is_not_at_hand_shows_nothing_it_says),
		cmocka_unit_test(a_rule_that_reads_such_a_file_shows_nothing_without_it),
		cmocka_unit_test(only_a_live_collection_shows_what_only_that_can),
		cmocka_unit_test(a_host_is_missed_only_where_hosts_are_listed),
		cmocka_unit_test(a_host_port_shows_when_its_host_told_of_it_again),
		cmocka_unit_test(a_gid_table_shows_when_it_was_read_again),
		cmocka_unit_test(a_list_of_host_ports_shows_when_every_host_was_read),
	};

	return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
