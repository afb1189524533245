#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "high-limit-unbounded"
#define MAP "0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3"

static struct port *host_port(struct fabric *fabric)
{
	return build_port(build_device(fabric, "host-11"), 1);
}

/* Every port holds the limit; tables are not read yet. */
static struct fabric *tree_with_limit(int64_t limit)
{
	struct fabric *fabric = build_tree();

	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 1; num < fabric->devices[i]->port_slots; num++)
			fabric->devices[i]->ports[num]->info.vl_high_limit = limit;
	}
	return fabric;
}

static void a_limit_of_254_passes(void **state)
{
	struct fabric *fabric = tree_with_limit(254);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64,2:64");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void limits_that_differ_between_switches_and_hosts_pass(void **state)
{
	struct fabric *fabric = tree_with_limit(0);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64,2:64");
	for (const char *const *name = (const char *const[]){"host-11", "host-12", NULL}; *name; name++)
		build_port(build_device(fabric, *name), 1)->info.vl_high_limit = 4;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void several_low_vls_under_255_are_an_error(void **state)
{
	struct fabric *fabric = tree_with_limit(0);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64,2:64");
	host_port(fabric)->info.vl_high_limit = 255;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_int_equal(run.first->node_guid, host_port(fabric)->device->guid);
	assert_int_equal(run.first->port, 1);
	assert_string_equal(run_evidence(run.first, "VLs that may starve"), "1, 2");
	run_end(&run);
	fabric_free(fabric);
}

static void one_low_vl_without_an_sl_in_use_is_a_warning(void **state)
{
	struct fabric *fabric = tree_with_limit(0);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64");
	build_sl2vl_all(fabric, MAP);
	host_port(fabric)->info.vl_high_limit = 255;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	run_end(&run);
	fabric_free(fabric);
}

static void one_low_vl_that_carries_an_sl_in_use_is_an_error(void **state)
{
	struct fabric *fabric = tree_with_limit(0);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "1:64", "0:64");
	build_sl2vl_all(fabric, MAP);
	host_port(fabric)->info.vl_high_limit = 255;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "in use"), "SL 0"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_high_table_without_weight_starves_nobody(void **state)
{
	struct fabric *fabric = tree_with_limit(255);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:0,1:0", "0:64,1:64");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void without_the_tables_the_limit_is_a_warning_that_says_so(void **state)
{
	struct fabric *fabric = tree_with_limit(255);
	struct rule_run run = run_rule(fabric, RULE_ID);

	(void)state;
	assert_int_equal(run.verdict->finding_count, 2);
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_non_null(strstr(run.first->message, "not read"));
	assert_non_null(strstr(run.verdict->reason, "not read"));
	run_end(&run);
	fabric_free(fabric);
}

static void what_is_known_of_the_tables_makes_no_other_finding(void **state)
{
	struct fabric *unread = tree_with_limit(255);
	struct fabric *read = tree_with_limit(255);
	struct rule_run before, now;
	struct err err = {0};

	(void)state;
	build_vlarb_all(read, "0:64", "1:64,2:64");
	before = run_rule(unread, RULE_ID);
	now = run_rule(read, RULE_ID);

	assert_int_equal(audit_compare(now.audit, before.audit, NULL, read, &err), 0);

	for (size_t i = 0; i < now.audit->finding_count; i++) {
		if (strcmp(now.audit->findings[i].rule, RULE_ID) == 0)
			assert_int_equal(now.audit->findings[i].status, FINDING_STILL);
	}
	assert_int_equal(run_finding(&now, "ca")->severity, SEVERITY_ERROR);
	run_end(&now);
	run_end(&before);
	fabric_free(read);
	fabric_free(unread);
}

static void ports_of_a_class_are_told_by_the_one_worst_off(void **state)
{
	struct fabric *fabric = tree_with_limit(255);
	const struct finding *finding;
	struct rule_run run;

	(void)state;
	build_vlarb(fabric, build_port(build_device(fabric, "host-21"), 1), "0:64", "1:64,2:64");

	run = run_rule(fabric, RULE_ID);

	finding = run_finding(&run, "ca");
	assert_int_equal(finding->severity, SEVERITY_ERROR);
	assert_non_null(strstr(finding->message, "on 4 CA ports"));
	assert_non_null(strstr(finding->message, "VLs 1, 2 of the low-priority table"));
	assert_non_null(strstr(run_evidence(finding, "worst"), "1 of these ports, such as host-21"));
	run_end(&run);
	fabric_free(fabric);
}

static void vls_of_both_tables_are_not_said_to_starve(void **state)
{
	struct fabric *fabric = tree_with_limit(255);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64,1:64", "0:4,1:4");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_null(strstr(run.first->message, "none"));
	assert_non_null(strstr(run.first->message, "weight in the high-priority table too"));
	run_end(&run);
	fabric_free(fabric);
}

static void where_one_vl_operates_nothing_can_starve(void **state)
{
	struct fabric *fabric = tree_with_limit(255);
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64,2:64");
	build_oper_vls_all(fabric, 1);
	run = run_rule(fabric, RULE_ID);
	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);

	build_oper_vls_all(fabric, 4);
	run = run_rule(fabric, RULE_ID);
	assert_int_equal(run.verdict->kind, VERDICT_FINDINGS);
	run_end(&run);
	fabric_free(fabric);
}

static void down_ports_and_ports_with_one_vl_are_left_alone(void **state)
{
	struct fabric *fabric = tree_with_limit(0);
	struct device *host = build_device(fabric, "host-12");
	struct rule_run run;

	(void)state;
	build_vlarb_all(fabric, "0:64", "1:64,2:64");
	host_port(fabric)->info.vl_high_limit = 255;
	host_port(fabric)->info.vl_cap = 1;
	build_port(host, 1)->info.vl_high_limit = 255;
	build_unlink(host, 1);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	run_end(&run);
	fabric_free(fabric);
}

static void a_limit_that_was_not_read_is_not_checked(void **state)
{
	struct fabric *fabric = tree_with_limit(FIELD_UNKNOWN);
	struct rule_run run = run_rule(fabric, RULE_ID);

	(void)state;
	assert_int_equal(run.verdict->kind, VERDICT_NOT_CHECKED);
	run_end(&run);
	fabric_free(fabric);
}

/* ibnetdiscover names ports and cables, and nothing of what they hold. */
static void ports_of_which_only_cables_are_known_are_not_checked(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf = fabric_device_add(fabric, 0x100, NODE_TYPE_SWITCH);
	struct rule_run run;

	(void)state;
	fabric_link(fabric_port(fabric, leaf, 1), fabric_port(fabric, leaf, 2));
	run = run_rule(fabric, RULE_ID);
	assert_int_equal(run.verdict->kind, VERDICT_NOT_CHECKED);
	run_end(&run);
	fabric_free(fabric);
}

static void where_no_port_is_active_no_limit_matters(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf = fabric_device_add(fabric, 0x100, NODE_TYPE_SWITCH);
	struct rule_run run;

	(void)state;
	fabric_port(fabric, leaf, 1)->info.port_state = 1;
	fabric_port(fabric, leaf, 1)->info.vl_high_limit = 0;
	run = run_rule(fabric, RULE_ID);
	assert_int_equal(run.verdict->kind, VERDICT_NOT_APPLICABLE);
	run_end(&run);
	fabric_free(fabric);
}

static void opensm_conf_is_judged_by_the_set_of_each_class(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_high_limit", "4");
	build_conf(fabric, "qos_ca_high_limit", "255");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_string_equal(run.first->discriminator, "conf:qos_ca_high_limit");
	assert_string_equal(run.first->subject, "opensm.conf:3");
	assert_non_null(strstr(run.first->message, "CA ports"));
	assert_null(strstr(run.first->message, "switch"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_general_255_is_inherited_by_every_class_and_told_once(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_high_limit", "255");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run.first->message, "external switch ports"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_class_limit_above_255_inherits_the_general_one(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_high_limit", "255");
	build_conf_held(fabric, "qos_ca_high_limit", "300", NULL);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_non_null(strstr(run.first->message, "CA ports"));
	assert_non_null(strstr(run_evidence(run.first, "qos_ca_high_limit"), "unsets"));
	run_end(&run);
	fabric_free(fabric);
}

static void opensm_conf_is_dead_while_qos_is_false(void **state)
{
	struct fabric *fabric = tree_with_limit(0);
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_conf(fabric, "qos_high_limit", "255");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->kind, VERDICT_PASS);
	assert_non_null(strstr(run.verdict->reason, "dead"));
	run_end(&run);
	fabric_free(fabric);
}

static void ports_that_hold_what_opensm_conf_asks_are_told_once(void **state)
{
	struct fabric *fabric = tree_with_limit(255);
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "TRUE");
	build_conf(fabric, "qos_high_limit", "255");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 2);
	assert_null(run_finding(&run, "conf:"));
	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "opensm.conf"), "opensm.conf:2"));
	run_end(&run);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_limit_of_254_passes),
		cmocka_unit_test(limits_that_differ_between_switches_and_hosts_pass),
		cmocka_unit_test(several_low_vls_under_255_are_an_error),
		cmocka_unit_test(one_low_vl_without_an_sl_in_use_is_a_warning),
		cmocka_unit_test(one_low_vl_that_carries_an_sl_in_use_is_an_error),
		cmocka_unit_test(a_high_table_without_weight_starves_nobody),
		cmocka_unit_test(without_the_tables_the_limit_is_a_warning_that_says_so),
		cmocka_unit_test(what_is_known_of_the_tables_makes_no_other_finding),
		cmocka_unit_test(ports_of_a_class_are_told_by_the_one_worst_off),
		cmocka_unit_test(vls_of_both_tables_are_not_said_to_starve),
		cmocka_unit_test(where_one_vl_operates_nothing_can_starve),
		cmocka_unit_test(down_ports_and_ports_with_one_vl_are_left_alone),
		cmocka_unit_test(a_limit_that_was_not_read_is_not_checked),
		cmocka_unit_test(ports_of_which_only_cables_are_known_are_not_checked),
		cmocka_unit_test(where_no_port_is_active_no_limit_matters),
		cmocka_unit_test(opensm_conf_is_judged_by_the_set_of_each_class),
		cmocka_unit_test(a_general_255_is_inherited_by_every_class_and_told_once),
		cmocka_unit_test(a_class_limit_above_255_inherits_the_general_one),
		cmocka_unit_test(opensm_conf_is_dead_while_qos_is_false),
		cmocka_unit_test(ports_that_hold_what_opensm_conf_asks_are_told_once),
	};

	return cmocka_run_group_tests_name("rule_high_limit_unbounded", tests, NULL, NULL);
}
