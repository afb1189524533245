/* host-port-slow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_host.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_host_port_slow;

#define RULE &rule_host_port_slow

static struct host_port *add(struct fabric *fabric, const char *host, const char *device, int64_t mbps,
			     int64_t width, const char *speed)
{
	struct host_port *port = build_host_port(fabric, host, device, "InfiniBand");

	build_host_rate(fabric, port, mbps, width, speed);
	return port;
}

/* A host with one port at 200 Gb/s over two lanes: a split port, and healthy. */
static struct fabric *fast_host(void)
{
	struct fabric *fabric = build_fabric();

	add(fabric, "gw7", "mlx5_4", 200000, 2, "NDR");
	return fabric;
}

static void expect_slow(struct fabric *fabric, const char *id, const char *words)
{
	const struct finding *finding;
	struct audit *audit = expect_one(RULE, fabric, id, SEVERITY_WARNING, &finding);

	assert_contains(finding->message, words);
	audit_free(audit);
	fabric_free(fabric);
}

static void one_lane_beside_a_port_of_200_is_a_warning(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	add(fabric, "gw7", "mlx5_3", 2500, 1, "SDR");
	expect_slow(fabric, "rate:gw7/mlx5_3/1",
		    "gw7 mlx5_3 port 1 runs at 2.5 Gb/s (1X SDR), while others of its kind run faster: "
		    "gw7 mlx5_4 port 1 at 200 Gb/s (2X NDR)");
}

static void one_fast_lane_of_four_is_a_warning_too(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	add(fabric, "gw7", "mlx5_3", 100000, 1, "NDR");
	expect_slow(fabric, "rate:gw7/mlx5_3/1", "100 Gb/s (1X NDR)");
}

static void a_port_of_another_host_of_the_fleet_shows_it(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	add(fabric, "gw8", "mlx5_0", 2500, 1, "SDR");
	expect_slow(fabric, "rate:gw8/mlx5_0/1", "gw7 mlx5_4 port 1");
}

static void ibstat_without_lanes_and_with_2_for_2_5_is_one_lane(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	add(fabric, "gw7", "mlx5_3", 2000, FIELD_UNKNOWN, NULL);
	expect_slow(fabric, "rate:gw7/mlx5_3/1", "runs at 2 Gb/s");
}

static void split_and_slower_generations_are_healthy(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	add(fabric, "gw7", "mlx5_0", 400000, 4, "NDR");
	add(fabric, "gw7", "mlx5_1", 56000, 4, "FDR");
	assert_rule_passes(RULE, fabric, NULL);
	fabric_free(fabric);
}

static void a_port_that_is_down_has_no_rate_to_judge(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	add(fabric, "gw7", "mlx5_2", 2500, 1, "SDR")->state = 1;
	assert_rule_passes(RULE, fabric, NULL);
	fabric_free(fabric);
}

static void an_ethernet_port_is_no_subject_whatever_its_speed_is_called(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	build_host_rate(fabric, build_host_port(fabric, "gw7", "mlx5_5", "Ethernet"), 2500, 1, "SDR");
	assert_rule_passes(RULE, fabric, NULL);
	fabric_free(fabric);
}

static void an_old_adapter_at_four_lanes_is_told_and_no_finding(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	add(fabric, "gw7", "mlx4_0", 10000, 4, "SDR");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_PASS, "gw7 mlx4_0 port 1");
	/* Another of that driver does not prove that this one can do more. */
	add(fabric, "gw7", "mlx4_1", 40000, 4, "QDR");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_PASS, "gw7 mlx4_0 port 1");
	fabric_free(fabric);
}

static void the_lowest_speed_of_several_lanes_may_be_one_the_kernel_does_not_know(void **state)
{
	struct fabric *fabric = fast_host();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	fabric->host_ports[0].fw_version = fabric_text(fabric, "28.39.1002", 10);
	add(fabric, "gw7", "mlx5_3", 10000, 4, "SDR")->fw_version = fabric_text(fabric, "28.38.1", 7);

	audit = expect_one(RULE, fabric, "speed:gw7/mlx5_3/1", SEVERITY_INFO, &finding);

	assert_contains(finding->message, "is said to run at 10 Gb/s (4X SDR)");
	audit_free(audit);
	fabric_free(fabric);
}

static void adapters_of_unlike_generations_are_not_held_together(void **state)
{
	struct fabric *fabric = fast_host();

	(void)state;
	fabric->host_ports[0].fw_version = fabric_text(fabric, "28.39.1002", 10);
	add(fabric, "gw7", "mlx5_3", 25000, 1, "EDR")->fw_version = fabric_text(fabric, "12.28.1", 7);
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_PASS, "gw7 mlx5_3 port 1");
	fabric_free(fabric);
}

static void what_the_fabric_shows_of_the_link_is_judged_there(void **state)
{
	struct fabric *fabric = build_tree();
	struct host_port *port = add(fabric, "host-11", "mlx5_0", 25000, 1, "EDR");

	(void)state;
	add(fabric, "host-12", "mlx5_0", 100000, 4, "EDR");
	port->node_guid = build_device(fabric, "host-11")->guid;
	assert_rule_passes(RULE, fabric, NULL);

	build_port(build_device(fabric, "host-11"), 1)->info.link_width_active = FIELD_UNKNOWN;
	expect_slow(fabric, "rate:host-11/mlx5_0/1", "25 Gb/s (1X EDR)");
}

static void a_rate_that_was_not_read_is_told(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	build_host_port(fabric, "gw7", "mlx5_0", "InfiniBand");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_CHECKED, "gw7 mlx5_0 port 1");
	add(fabric, "gw7", "mlx5_1", 400000, 4, "NDR");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_PASS, "gw7 mlx5_0 port 1");
	fabric_free(fabric);
}

static void hosts_without_infiniband_are_not_concerned(void **state)
{
	struct fabric *fabric = build_fabric();

	(void)state;
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_CHECKED, "no port of any host");
	build_host_port(fabric, "gw7", "mlx5_0", "Ethernet");
	assert_rule_verdict(RULE, fabric, NULL, VERDICT_NOT_APPLICABLE, "InfiniBand port");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_lane_beside_a_port_of_200_is_a_warning),
		cmocka_unit_test(one_fast_lane_of_four_is_a_warning_too),
		cmocka_unit_test(a_port_of_another_host_of_the_fleet_shows_it),
		cmocka_unit_test(ibstat_without_lanes_and_with_2_for_2_5_is_one_lane),
		cmocka_unit_test(split_and_slower_generations_are_healthy),
		cmocka_unit_test(a_port_that_is_down_has_no_rate_to_judge),
		cmocka_unit_test(an_ethernet_port_is_no_subject_whatever_its_speed_is_called),
		cmocka_unit_test(an_old_adapter_at_four_lanes_is_told_and_no_finding),
		cmocka_unit_test(the_lowest_speed_of_several_lanes_may_be_one_the_kernel_does_not_know),
		cmocka_unit_test(adapters_of_unlike_generations_are_not_held_together),
		cmocka_unit_test(what_the_fabric_shows_of_the_link_is_judged_there),
		cmocka_unit_test(a_rate_that_was_not_read_is_told),
		cmocka_unit_test(hosts_without_infiniband_are_not_concerned),
	};

	return cmocka_run_group_tests_name("rule_host_port_slow", tests, NULL, NULL);
}
