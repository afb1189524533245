#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

#define RULE_ID "qos-setup-ignored"
#define ASKED "0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3"
#define OTHER "0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7"

#define GROUP(name, what) " port-group\n  name: " name "\n  " what "\n end-port-group\n"
#define SL2VL_SCOPE(words) "  sl2vl-scope\n" words "   sl2vl-table: " ASKED "\n  end-sl2vl-scope\n"
#define VLARB_SCOPE(words) "  vlarb-scope\n" words "  end-vlarb-scope\n"
#define POLICY(groups, sl2vl, vlarb)                                                              \
	"port-groups\n" groups "end-port-groups\nqos-setup\n sl2vl-tables\n" sl2vl                \
	" end-sl2vl-tables\n vlarb-tables\n" vlarb " end-vlarb-tables\nend-qos-setup\n"

static void a_policy_without_the_section_is_not_concerned(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_policy(fabric, "qos-ulps\n default : 0\nend-qos-ulps\n");
	assert_rule(fabric, RULE_ID, VERDICT_NOT_APPLICABLE);
	fabric_free(fabric);
}

static void without_the_file_nothing_was_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule(fabric, RULE_ID, VERDICT_NOT_CHECKED);
	fabric_free(fabric);
}

static void a_section_that_asks_for_nothing_is_not_concerned(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_policy(fabric, "qos-setup\n sl2vl-tables\n end-sl2vl-tables\nend-qos-setup\n");
	assert_rule(fabric, RULE_ID, VERDICT_NOT_APPLICABLE);
	fabric_free(fabric);
}

static void the_file_alone_is_a_warning_with_the_options_to_paste(void **state)
{
	struct fabric *fabric = build_fabric();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY(GROUP("everything", "node-type: ALL"), SL2VL_SCOPE("   group: Everything\n"),
				    VLARB_SCOPE("   vlarb-high: 0:64,1:32\n   vl-high-limit: 9\n")));

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.verdict->finding_count, 1);
	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_string_equal(run.first->subject, "qos-policy.conf:7");
	assert_non_null(strstr(run.first->remedy, "qos TRUE\nqos_sl2vl " ASKED "\n"));
	assert_non_null(strstr(run.first->remedy, "\nqos_vlarb_high 0:64,1:32\n"));
	assert_non_null(strstr(run.first->remedy, "\nqos_high_limit 9"));
	run_end(&run);
	fabric_free(fabric);
}

static void ports_that_hold_something_else_make_it_an_error(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY(GROUP("all", "node-type: ALL"),
				    SL2VL_SCOPE("   group: all\n   from: *\n   to: *\n"), ""));
	build_sl2vl_all(fabric, OTHER);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "line 9 sl2vl"), "16 ports hold something else"));
	assert_non_null(strstr(run_evidence(run.first, "line 9 sl2vl places"), "leaf-1"));
	run_end(&run);
	fabric_free(fabric);
}

static void ports_that_hold_the_same_make_it_worth_knowing_only(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY("", SL2VL_SCOPE(""), ""));
	build_sl2vl_all(fabric, ASKED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

static void what_is_asked_is_masked_by_the_lanes_of_the_port(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY("", SL2VL_SCOPE(""), ""));
	build_oper_vls_all(fabric, 2);
	build_sl2vl_all(fabric, "0,1,0,1,0,1,0,1,0,1,0,1,0,1,0,1");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

static void a_group_of_some_hosts_concerns_only_their_ports(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY(GROUP("storage", "port-name: host-11/P1, host-21/P1"),
				    SL2VL_SCOPE("   group: storage\n"), ""));
	build_sl2vl_all(fabric, OTHER);

	run = run_rule(fabric, RULE_ID);

	assert_non_null(strstr(run_evidence(run.first, "line 9 sl2vl"), "2 ports hold something else"));
	assert_non_null(strstr(run.first->remedy, "qos_ca_sl2vl " ASKED));
	assert_null(strstr(run.first->remedy, "qos_swe_sl2vl"));
	assert_non_null(strstr(run.first->remedy, "one set for each class"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_guid_range_names_ports(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY(GROUP("some", "port-guid: 0x1, 0x1000-0x100C"),
				    SL2VL_SCOPE("   group: some\n"), ""));
	build_sl2vl_all(fabric, ASKED);
	build_sl2vl(fabric, build_port(build_device(fabric, "host-21"), 1), OTHER);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

static void across_means_the_ports_that_face_the_group(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY(GROUP("storage", "port-name: host-11/P1"), "",
				    VLARB_SCOPE("   across: storage\n   vlarb-low: 0:32,1:64\n")));
	build_vlarb_all(fabric, "0:64", "1:64");

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "line 11 vlarb_low"), "such as leaf-1 port 1"));
	assert_non_null(strstr(run_evidence(run.first, "line 11 vlarb_low"), "1 port holds"));
	assert_non_null(strstr(run.first->remedy, "qos_swe_vlarb_low 0:32,1:64"));
	run_end(&run);
	fabric_free(fabric);
}

static void from_and_to_are_ports_of_a_switch(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY(GROUP("switches", "node-type: SWITCH"),
				    SL2VL_SCOPE("   group: switches\n   from: 3-4\n   to: 1\n"), ""));
	build_sl2vl_all(fabric, OTHER);

	run = run_rule(fabric, RULE_ID);

	assert_non_null(strstr(run_evidence(run.first, "line 9 sl2vl"), "2 ports hold something else"));
	assert_non_null(strstr(run_evidence(run.first, "line 9 sl2vl places"), "leaf-1"));
	assert_null(strstr(run_evidence(run.first, "line 9 sl2vl places"), "spine"));
	run_end(&run);
	fabric_free(fabric);
}

static void across_from_and_across_to_pair_in_and_out_ports(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY(GROUP("a", "port-name: host-11/P1") GROUP("b", "port-name: host-12/P1"),
				    SL2VL_SCOPE("   across-from: a\n   across-to: b\n"), ""));
	build_sl2vl_all(fabric, OTHER);

	run = run_rule(fabric, RULE_ID);

	assert_non_null(strstr(run_evidence(run.first, "line 13 sl2vl"), "such as leaf-1 port 2"));
	assert_non_null(strstr(run_evidence(run.first, "line 13 sl2vl"), "1 port holds"));
	run_end(&run);
	fabric_free(fabric);
}

static void of_two_scopes_for_a_port_the_last_one_counts(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY("", "  sl2vl-scope\n   sl2vl-table: " OTHER "\n  end-sl2vl-scope\n"
					SL2VL_SCOPE(""), ""));
	build_sl2vl_all(fabric, ASKED);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_INFO);
	run_end(&run);
	fabric_free(fabric);
}

static void the_high_limit_is_compared_too(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY("", "", VLARB_SCOPE("   vl-high-limit: 10\n")));
	build_port(build_device(fabric, "host-11"), 1)->info.vl_high_limit = 0;

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "line 7 high_limit"), "asks for 10"));
	run_end(&run);
	fabric_free(fabric);
}

static void with_qos_false_the_file_is_not_even_read(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_conf(fabric, "qos", "FALSE");
	build_policy(fabric, POLICY("", SL2VL_SCOPE(""), ""));
	build_sl2vl_all(fabric, OTHER);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_ERROR);
	assert_non_null(strstr(run_evidence(run.first, "qos"), "not even read"));
	run_end(&run);
	fabric_free(fabric);
}

static void a_group_that_is_not_defined_is_said(void **state)
{
	struct fabric *fabric = build_tree();
	struct rule_run run;

	(void)state;
	build_policy(fabric, POLICY("", SL2VL_SCOPE("   group: nowhere\n"), ""));
	build_sl2vl_all(fabric, OTHER);

	run = run_rule(fabric, RULE_ID);

	assert_int_equal(run.first->severity, SEVERITY_WARNING);
	assert_non_null(strstr(run_evidence(run.first, "groups"), "does not define"));
	run_end(&run);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_policy_without_the_section_is_not_concerned),
		cmocka_unit_test(without_the_file_nothing_was_checked),
		cmocka_unit_test(a_section_that_asks_for_nothing_is_not_concerned),
		cmocka_unit_test(the_file_alone_is_a_warning_with_the_options_to_paste),
		cmocka_unit_test(ports_that_hold_something_else_make_it_an_error),
		cmocka_unit_test(ports_that_hold_the_same_make_it_worth_knowing_only),
		cmocka_unit_test(what_is_asked_is_masked_by_the_lanes_of_the_port),
		cmocka_unit_test(a_group_of_some_hosts_concerns_only_their_ports),
		cmocka_unit_test(a_guid_range_names_ports),
		cmocka_unit_test(across_means_the_ports_that_face_the_group),
		cmocka_unit_test(from_and_to_are_ports_of_a_switch),
		cmocka_unit_test(across_from_and_across_to_pair_in_and_out_ports),
		cmocka_unit_test(of_two_scopes_for_a_port_the_last_one_counts),
		cmocka_unit_test(the_high_limit_is_compared_too),
		cmocka_unit_test(with_qos_false_the_file_is_not_even_read),
		cmocka_unit_test(a_group_that_is_not_defined_is_said),
	};

	return cmocka_run_group_tests_name("rule_qos_setup_ignored", tests, NULL, NULL);
}
