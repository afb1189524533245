#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "qos-drift"
#define ON_8 "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7"
#define ON_4 "0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3"
#define HIGH "0:64,1:32"
#define LOW "2:16,3:16,4:16,5:16,6:16,7:16"

static struct port *host_port(struct fabric *fabric)
{
	return build_port(build_device(fabric, "host-11"), 1);
}

/* qos TRUE, tables as that opensm.conf makes OpenSM write them, a high limit of 4. */
static struct fabric *programmed_tree(void)
{
	struct fabric *fabric = build_tree();

	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_sl2vl", ON_8);
	build_conf(fabric, "qos_vlarb_high", HIGH);
	build_conf(fabric, "qos_vlarb_low", LOW);
	build_conf(fabric, "qos_high_limit", "4");
	build_sl2vl_all(fabric, ON_8);
	build_vlarb_all(fabric, HIGH, LOW);
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 1; num < fabric->devices[i]->port_slots; num++)
			fabric->devices[i]->ports[num]->info.vl_high_limit = 4;
	}
	return fabric;
}

static void ports_as_opensm_conf_says_pass(void **state)
{
	struct fabric *fabric = programmed_tree();

	(void)state;
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void without_opensm_conf_nothing_was_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule(fabric, RULE_ID, VERDICT_NOT_CHECKED);
	fabric_free(fabric);
}

static void each_kind_of_value_is_compared(void **state)
{
	struct fabric *fabric = programmed_tree();
	struct port *port = host_port(fabric);
	struct rule_run run;

	(void)state;
	build_sl2vl(fabric, port, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0");
	build_vlarb(fabric, port, "0:1", "1:1");
	port->info.vl_high_limit = 7;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 4);
	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_string_equal(run_evidence(run_finding(&run, "ca:sl2vl"), "expected"), ON_8);
	assert_string_equal(run_evidence(run_finding(&run, "ca:vlarb-high"), "held"), "0:1");
	assert_string_equal(run_evidence(run_finding(&run, "ca:vlarb-low"), "expected"), LOW);
	assert_string_equal(run_evidence(run_finding(&run, "ca:high-limit"), "held"), "7");
	run_end(&run);
	fabric_free(fabric);
}

static void oper_vls_are_compared_with_qos_false_too(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_conf(fabric, "max_op_vls", "3");
	build_sl2vl_all(fabric, ON_4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	assert_string_equal(run_evidence(run_finding(&run, "swe:oper-vls"), "expected"), "4");
	assert_non_null(strstr(run.verdict->reason, "only OperVLs"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_code_of_0_expects_no_number_of_lanes(void **state)
{
	struct fabric *fabric = programmed_tree();

	(void)state;
	build_conf(fabric, "max_op_vls", "0");
	build_oper_vls_all(fabric, 8);
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void switch_tables_a_sweep_behind_are_another_rules_matter(void **state)
{
	struct fabric *fabric = programmed_tree();

	(void)state;
	build_sl2vl(fabric, build_port(build_device(fabric, "leaf-1"), 1), ON_4);
	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

static void a_host_never_lags_a_sweep_behind(void **state)
{
	struct fabric *fabric = programmed_tree();
	struct rule_run run;

	(void)state;
	build_sl2vl(fabric, host_port(fabric), ON_4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run.first->discriminator, "ca:sl2vl");
	run_end(&run);
	fabric_free(fabric);
}

static void torus_2qos_writes_tables_of_its_own(void **state)
{
	struct fabric *fabric = programmed_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "routing_engine", "torus-2QoS");
	build_sl2vl_all(fabric, ON_4);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "torus-2QoS"));
	run_end(&run);
	fabric_free(fabric);
}

static void what_port_0_sends_follows_the_set_of_port_0(void **state)
{
	struct fabric *fabric = programmed_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	struct port *port0;

	(void)state;
	build_enhanced_port0(leaf);
	port0 = build_port(leaf, 0);
	port0->info.vl_cap = 8;
	port0->info.oper_vls = 8;
	port0->info.vl_high_limit = 4;
	build_conf(fabric, "qos_sw0_sl2vl", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1");
	build_vlarb(fabric, port0, HIGH, LOW);
	build_sl2vl_in(fabric, port0, 0, 0, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1");
	build_sl2vl_in(fabric, port0, 1, 4, ON_8);

	assert_rule(fabric, RULE_ID, VERDICT_PASS);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ports_as_opensm_conf_says_pass),
		cmocka_unit_test(without_opensm_conf_nothing_was_checked),
		cmocka_unit_test(each_kind_of_value_is_compared),
		cmocka_unit_test(oper_vls_are_compared_with_qos_false_too),
		cmocka_unit_test(a_code_of_0_expects_no_number_of_lanes),
		cmocka_unit_test(switch_tables_a_sweep_behind_are_another_rules_matter),
		cmocka_unit_test(a_host_never_lags_a_sweep_behind),
		cmocka_unit_test(torus_2qos_writes_tables_of_its_own),
		cmocka_unit_test(what_port_0_sends_follows_the_set_of_port_0),
	};

	return cmocka_run_group_tests_name("rule_qos_drift", tests, NULL, NULL);
}
