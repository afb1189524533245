/* counter-saturated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_host.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_counter_saturated;

static void count(struct fabric *fabric, struct port *port, enum counter counter, uint64_t value,
		  bool saturated)
{
	uint64_t bit = UINT64_C(1) << counter;

	if (!port->counters)
		port->counters = fabric_alloc(fabric, 1, sizeof(*port->counters));
	assert_non_null(port->counters);
	port->counters->value[counter] = value;
	port->counters->known |= bit;
	if (saturated)
		port->counters->saturated |= bit;
	port->source_of[ATTRIBUTE_COUNTERS] = 1;
}

/* The tree with small counts on every port. */
static struct fabric *counted_tree(void)
{
	struct fabric *fabric = build_tree();

	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 1; num < fabric->devices[i]->port_slots; num++) {
			count(fabric, fabric->devices[i]->ports[num], COUNTER_link_downed, 1, false);
			count(fabric, fabric->devices[i]->ports[num], COUNTER_xmit_wait, 17, false);
		}
	}
	return fabric;
}

static struct port *leaf_port(const struct fabric *fabric, unsigned num)
{
	return build_port(build_device(fabric, "leaf-1"), num);
}

static void small_counts_and_one_reboot_are_no_finding(void **state)
{
	struct fabric *fabric = counted_tree();

	(void)state;
	assert_rule_passes(&rule_counter_saturated, fabric, NULL);
	fabric_free(fabric);
}

static void an_error_counter_at_its_maximum_is_at_least_that(void **state)
{
	struct fabric *fabric = counted_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	count(fabric, leaf_port(fabric, 1), COUNTER_symbol_error, 65535, true);
	count(fabric, leaf_port(fabric, 1), COUNTER_link_downed, 255, true);

	audit = expect_one(&rule_counter_saturated, fabric, "errors", SEVERITY_WARNING, &finding);

	assert_contains(finding->message, "leaf-1 port 1: SymbolErrorCounter at least 65535, "
					  "LinkDownedCounter at least 255");
	assert_contains(finding->message, "clear and measure again");
	assert_null(strstr(finding->message, "baseline"));
	assert_string_equal(evidence_of(finding, "LinkDownedCounter"), "at least 255");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_64_bit_value_beyond_the_short_maximum_is_the_count(void **state)
{
	struct fabric *fabric = counted_tree();

	(void)state;
	count(fabric, leaf_port(fabric, 1), COUNTER_link_downed, 300, false);
	count(fabric, leaf_port(fabric, 1), COUNTER_xmit_wait, UINT64_C(8123456789012), false);
	/* As a number of 32 bits this is -1, and it is neither that nor unknown. */
	count(fabric, leaf_port(fabric, 2), COUNTER_xmit_data, UINT32_MAX, false);
	assert_rule_passes(&rule_counter_saturated, fabric, NULL);
	fabric_free(fabric);
}

static void full_counters_of_traffic_are_one_line_and_no_fault(void **state)
{
	struct fabric *fabric = counted_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	count(fabric, leaf_port(fabric, 1), COUNTER_xmit_wait, UINT32_MAX, true);
	count(fabric, leaf_port(fabric, 2), COUNTER_xmit_data, UINT32_MAX, true);

	audit = expect_one(&rule_counter_saturated, fabric, "traffic", SEVERITY_INFO, &finding);

	assert_contains(finding->message, "2 ports");
	assert_contains(evidence_of(finding, "ports"),
			"leaf-1 port 1: PortXmitWait at least 4294967295");
	assert_contains(evidence_of(finding, "ports"), "leaf-1 port 2: PortXmitData");
	assert_contains(finding->remedy, "never of a bad cable");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_counter_stuck_since_the_baseline_does_not_say_no_new_errors(void **state)
{
	struct fabric *before = counted_tree();
	struct fabric *now = counted_tree();
	struct audit *audit;

	(void)state;
	count(before, leaf_port(before, 1), COUNTER_symbol_error, 65535, true);
	count(now, leaf_port(now, 1), COUNTER_symbol_error, 65535, true);

	audit = check_rule(&rule_counter_saturated, now, before);

	assert_contains(only_finding(audit, "errors", SEVERITY_WARNING)->message,
			"whether errors were added since cannot be told");
	audit_free(audit);
	fabric_free(before);
	fabric_free(now);
}

static void full_counters_everywhere_are_one_finding(void **state)
{
	struct fabric *fabric = counted_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 1; num < fabric->devices[i]->port_slots; num++)
			count(fabric, fabric->devices[i]->ports[num], COUNTER_symbol_error, 65535,
			      true);
	}

	audit = expect_one(&rule_counter_saturated, fabric, "errors", SEVERITY_WARNING, &finding);

	assert_int_equal(finding->node_guid, 0);
	assert_contains(evidence_of(finding, "ports"), "host-22 port 1");
	audit_free(audit);
	fabric_free(fabric);
}

static void where_no_counters_were_read_nothing_was_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_verdict(&rule_counter_saturated, fabric, NULL, VERDICT_NOT_CHECKED,
			    "no counter of any port was read");
	fabric_free(fabric);
}

static void ports_without_counters_are_told(void **state)
{
	struct fabric *fabric = counted_tree();

	(void)state;
	leaf_port(fabric, 1)->counters = NULL;
	assert_rule_verdict(&rule_counter_saturated, fabric, NULL, VERDICT_PASS,
			    "the PortCounters of 1 of 16 ports with a cable were not read");
	fabric_free(fabric);
}

static struct host_port *counted_host(struct fabric *fabric, uint64_t value, bool saturated)
{
	struct host_port *port = build_host_port(fabric, "gw7", "mlx5_0", "InfiniBand");

	port->counters = fabric_alloc(fabric, 1, sizeof(*port->counters));
	assert_non_null(port->counters);
	port->counters->value[COUNTER_symbol_error] = value;
	port->counters->known = UINT64_C(1) << COUNTER_symbol_error;
	port->counters->saturated = (uint64_t)saturated << COUNTER_symbol_error;
	return port;
}

static void a_host_s_own_counter_counts_where_the_fabric_s_was_not_read(void **state)
{
	struct fabric *fabric = build_fabric();
	struct fabric *before = build_fabric();
	struct audit *audit;

	(void)state;
	counted_host(fabric, 65535, true);
	counted_host(before, 65535, true);

	audit = check_rule(&rule_counter_saturated, fabric, before);

	assert_contains(only_finding(audit, "errors:gw7/mlx5_0/1", SEVERITY_WARNING)->message,
			"gw7 mlx5_0 port 1: SymbolErrorCounter at least 65535");
	assert_contains(audit->findings[0].message, "cannot be told");
	audit_free(audit);
	fabric->host_ports[0].counters->saturated = 0;
	assert_rule_passes(&rule_counter_saturated, fabric, before);
	fabric_free(fabric);
	fabric_free(before);
}

static void one_port_counted_by_fabric_and_host_is_told_once(void **state)
{
	struct fabric *fabric = counted_tree();

	(void)state;
	counted_host(fabric, 65535, true)->node_guid = build_device(fabric, "host-11")->guid;
	assert_rule_passes(&rule_counter_saturated, fabric, NULL);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_counts_and_one_reboot_are_no_finding),
		cmocka_unit_test(an_error_counter_at_its_maximum_is_at_least_that),
		cmocka_unit_test(a_64_bit_value_beyond_the_short_maximum_is_the_count),
		cmocka_unit_test(full_counters_of_traffic_are_one_line_and_no_fault),
		cmocka_unit_test(a_counter_stuck_since_the_baseline_does_not_say_no_new_errors),
		cmocka_unit_test(full_counters_everywhere_are_one_finding),
		cmocka_unit_test(where_no_counters_were_read_nothing_was_checked),
		cmocka_unit_test(ports_without_counters_are_told),
		cmocka_unit_test(a_host_s_own_counter_counts_where_the_fabric_s_was_not_read),
		cmocka_unit_test(one_port_counted_by_fabric_and_host_is_told_once),
	};

	return cmocka_run_group_tests_name("rule_counters", tests, NULL, NULL);
}
