#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_no_master_sm;

static struct port *host_port(struct fabric *fabric, const char *name)
{
	return build_port(build_device(fabric, name), 1);
}

/* The tree, without the SM it was built with and as if SMInfo was never asked for. */
static struct fabric *tree_without_sm_info(void)
{
	struct fabric *fabric = build_tree();

	fabric->sm_count = 0;
	fabric->asked &= ~(1u << ATTRIBUTE_SM_INFO);
	return fabric;
}

/* The SM of the tree, stopped. */
static void stop_sm(struct fabric *fabric)
{
	fabric->sm_count = 0;
	host_port(fabric, "host-11")->info.capability_mask &= ~(INT64_C(1) << CAPABILITY_IS_SM);
}

static void take_every_lid(struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (!device->ports[num])
				continue;
			device->ports[num]->info.lid = 0;
			device->ports[num]->info.sm_lid = 0;
			if (device->ports[num]->info.port_state == 4)
				device->ports[num]->info.port_state = 2;
		}
	}
}

static void a_master_with_a_standby_passes(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_sm(fabric, host_port(fabric, "host-21"), 2, 3);
	assert_rule_passes(&rule_no_master_sm, fabric, NULL);
	fabric_free(fabric);
}

static void a_master_alone_is_worth_an_info(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;

	(void)state;
	audit_free(expect_one(&rule_no_master_sm, fabric, "no-standby", SEVERITY_INFO, &finding));
	fabric_free(fabric);
}

static void a_lone_master_is_not_gone_where_cables_are_not_told(void **state)
{
	static const struct {
		bool cables;
		enum finding_status status;
	} nights[] = {{true, FINDING_GONE}, {false, FINDING_UNCHECKED}};
	struct fabric *before = build_tree();
	const struct finding *finding;
	struct err err = {0};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct audit *then = expect_one(&rule_no_master_sm, before, "no-standby", SEVERITY_INFO, &finding);
		struct fabric *now = build_tree();
		struct audit *audit;

		build_sm(now, host_port(now, "host-21"), 2, 3);
		if (!nights[i].cables)
			now->asked &= ~(1u << ATTRIBUTE_NEIGHBOR);
		audit = check_rule(&rule_no_master_sm, now, before);
		assert_int_equal(audit_compare(audit, then, before, now, &err), 0);
		assert_int_equal(audit->finding_count, 1);
		assert_int_equal(audit->findings[0].status, nights[i].status);
		audit_free(audit);
		audit_free(then);
		fabric_free(now);
	}
	fabric_free(before);
}

static void no_answering_sm_is_an_error(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	stop_sm(fabric);

	audit = expect_one(&rule_no_master_sm, fabric, "none", SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "the last one left");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_fabric_that_was_never_configured_says_so_once(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	stop_sm(fabric);
	take_every_lid(fabric);
	build_enhanced_port0(build_device(fabric, "leaf-1"));

	audit = expect_one(&rule_no_master_sm, fabric, "none", SEVERITY_ERROR, &finding);

	assert_contains(finding->message, "no port has a LID");
	assert_string_equal(evidence_of(finding, "init_ports"), "16");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_fabric_that_was_never_configured_shows_it_without_sm_info(void **state)
{
	struct fabric *fabric = tree_without_sm_info();
	const struct finding *finding;

	(void)state;
	take_every_lid(fabric);
	audit_free(expect_one(&rule_no_master_sm, fabric, "none", SEVERITY_ERROR, &finding));
	fabric_free(fabric);
}

static void an_sm_held_up_by_a_duplicated_guid_is_told_with_that(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	take_every_lid(fabric);
	fabric->sms[0].state = 1;
	build_ca(fabric, 0x1015, 1, 0, "host-21");

	audit = expect_one(&rule_no_master_sm, fabric, "none", SEVERITY_INFO, &finding);

	assert_contains(finding->message, "duplicate-guid");
	assert_contains(evidence_of(finding, "sms"), "Discovering");
	audit_free(audit);
	fabric_free(fabric);
}

static void two_masters_are_an_error(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_sm(fabric, host_port(fabric, "host-21"), 3, 4);

	audit = expect_one(&rule_no_master_sm, fabric, "several", SEVERITY_ERROR, &finding);

	assert_contains(evidence_of(finding, "sms"), "host-11");
	assert_contains(evidence_of(finding, "sms"), "host-21");
	audit_free(audit);
	fabric_free(fabric);
}

static void one_master_told_by_two_sources_is_one(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_sm(fabric, host_port(fabric, "host-11"), 3, 4)->port = NULL;
	build_sm(fabric, host_port(fabric, "host-21"), 2, 3);
	assert_rule_passes(&rule_no_master_sm, fabric, NULL);
	fabric_free(fabric);
}

static void a_port_that_names_another_sm_is_a_leftover(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_sm(fabric, host_port(fabric, "host-21"), 2, 3);
	host_port(fabric, "host-22")->info.sm_lid = 21;

	audit = expect_one(&rule_no_master_sm, fabric, "stale-sm-lid",
			   SEVERITY_WARNING, &finding);

	assert_string_equal(evidence_of(finding, "ports"), "host-22 port 1");
	assert_contains(finding->remedy, "Start no other SM");
	audit_free(audit);
	fabric_free(fabric);
}

static void without_sm_info_the_port_that_all_name_shows_whether_an_sm_runs(void **state)
{
	struct fabric *fabric = tree_without_sm_info();
	const struct finding *finding;

	(void)state;
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_PASS, "SMInfo was not read");

	host_port(fabric, "host-11")->info.capability_mask &= ~(INT64_C(1) << CAPABILITY_IS_SM);
	audit_free(expect_one(&rule_no_master_sm, fabric, "left", SEVERITY_INFO, &finding));

	host_port(fabric, "host-11")->info.capability_mask = FIELD_UNKNOWN;
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED, "not known");
	fabric_free(fabric);
}

static void ports_that_name_different_sms_are_a_warning(void **state)
{
	struct fabric *fabric = tree_without_sm_info();
	const struct finding *finding;

	(void)state;
	host_port(fabric, "host-22")->info.sm_lid = 21;
	audit_free(expect_one(&rule_no_master_sm, fabric, "several-sm-lids", SEVERITY_WARNING, &finding));
	fabric_free(fabric);
}

static void when_nothing_tells_it_is_not_checked(void **state)
{
	struct fabric *fabric = tree_without_sm_info();

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 0; num < fabric->devices[i]->port_slots; num++) {
			if (fabric->devices[i]->ports[num])
				fabric->devices[i]->ports[num]->info.sm_lid = FIELD_UNKNOWN;
		}
	}
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED, "MasterSMLID");
	fabric_free(fabric);
}

static void another_sm_key_in_the_log_is_one_error(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	build_sm(fabric, host_port(fabric, "host-21"), 2, 3);
	build_log_event(fabric, LOG_OTHER_SM, "Got SM with sm_key that doesn't match", 40)->count = 2;

	audit = expect_one(&rule_no_master_sm, fabric, "log-other-sm",
			   SEVERITY_ERROR, &finding);

	assert_string_equal(evidence_of(finding, "times"), "2");
	assert_string_equal(finding->source, "opensm.log:40");
	audit_free(audit);
	fabric_free(fabric);
}

static void mastership_that_moved_in_the_log_is_worth_an_info(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;

	(void)state;
	build_sm(fabric, host_port(fabric, "host-21"), 2, 3);
	build_log_event(fabric, LOG_SM_STATE, "DISCOVERING", 3);
	build_log_event(fabric, LOG_SM_STATE, "MASTER", 5);
	assert_rule_passes(&rule_no_master_sm, fabric, NULL);

	build_log_event(fabric, LOG_SM_STATE, "STANDBY", 70);
	build_log_event(fabric, LOG_SM_STATE, "MASTER", 90);
	audit_free(expect_one(&rule_no_master_sm, fabric, "log-mastership", SEVERITY_INFO, &finding));
	fabric_free(fabric);
}

static void lose(struct fabric *fabric, struct device *device, enum attribute attribute,
		 enum hole_reason reason)
{
	struct hole *hole = fabric_hole_add(fabric);

	assert_non_null(hole);
	hole->device = device;
	hole->port = -1;
	hole->attribute = attribute;
	hole->reason = reason;
	hole->source = 1;
}

static void an_sm_that_announces_itself_and_is_not_heard_is_not_absent(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->sm_count = 0;
	fabric->asked |= 1u << ATTRIBUTE_SM_INFO;
	lose(fabric, build_device(fabric, "host-11"), ATTRIBUTE_SM_INFO, HOLE_BAD_ANSWER);
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED,
			    "the SMInfo of host-11 (");
	/* Nor does a standby that answers prove that there is no master. */
	build_sm(fabric, host_port(fabric, "host-21"), 2, 3);
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED, "answered nonsense");
	fabric_free(fabric);
}

static void an_announced_sm_without_its_sm_info_is_not_absent(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->sm_count = 0;
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED,
			    "host-11 port 1 announces one whose SMInfo is not there");
	fabric_free(fabric);
}

static void a_named_port_that_announces_no_sm_and_keeps_silent_is_an_error(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	stop_sm(fabric);
	lose(fabric, build_device(fabric, "host-11"), ATTRIBUTE_SM_INFO, HOLE_TIMEOUT);
	audit = expect_one(&rule_no_master_sm, fabric, "silent", SEVERITY_ERROR, &finding);
	assert_contains(finding->message, "host-11 port 1, which all ports name as their SM");
	assert_contains(finding->remedy, "start it only if it does not");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_named_port_that_refuses_is_not_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	stop_sm(fabric);
	lose(fabric, build_device(fabric, "host-11"), ATTRIBUTE_SM_INFO, HOLE_STATUS);
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED,
			    "the SMInfo of host-11 (");
	fabric_free(fabric);
}

static void a_standby_that_is_not_heard_is_not_absent(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->asked |= 1u << ATTRIBUTE_SM_INFO;
	lose(fabric, build_device(fabric, "host-21"), ATTRIBUTE_SM_INFO, HOLE_TIMEOUT);
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_PASS,
			    "whether there is another SM is not known: the SMInfo of host-21 (");
	fabric_free(fabric);
}

static void a_port_without_port_info_may_be_the_master(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->sm_count = 0;
	fabric->asked |= 1u << ATTRIBUTE_SM_INFO;
	host_port(fabric, "host-11")->info.lid = FIELD_UNKNOWN;
	host_port(fabric, "host-11")->info.capability_mask = FIELD_UNKNOWN;
	lose(fabric, build_device(fabric, "host-11"), ATTRIBUTE_PORT_INFO, HOLE_PROTECTED);
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED,
			    "the PortInfo of host-11 (");
	fabric_free(fabric);
}

static void an_sm_whose_state_is_not_known_may_be_the_master(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->sms[0].state = FIELD_UNKNOWN;
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED,
			    "1 of 1 SM is known, but not whether it is master");
	fabric->sms[0].state = 3;
	build_sm(fabric, host_port(fabric, "host-21"), FIELD_UNKNOWN, 3);
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_PASS,
			    "the state of 1 more SM is not known");
	fabric_free(fabric);
}

static void rows_of_sms_that_were_not_understood_are_not_absent(void **state)
{
	static char text[] = "1 row of its section SM_INFO";
	struct fabric *fabric = build_tree();
	struct hole *hole;

	(void)state;
	fabric->sm_count = 0;
	hole = fabric_hole_add(fabric);
	assert_non_null(hole);
	hole->port = -1;
	hole->attribute = ATTRIBUTE_SM_INFO;
	hole->reason = HOLE_ODD;
	hole->text = text;
	assert_rule_verdict(&rule_no_master_sm, fabric, NULL, VERDICT_NOT_CHECKED,
			    "SMInfo was not understood in 1 row of its section SM_INFO");
	fabric_free(fabric);
}

static void a_hole_elsewhere_does_not_hide_that_the_master_is_gone(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;

	(void)state;
	stop_sm(fabric);
	fabric->asked |= 1u << ATTRIBUTE_SM_INFO;
	lose(fabric, build_device(fabric, "host-22"), ATTRIBUTE_PORT_INFO, HOLE_TIMEOUT);
	audit_free(expect_one(&rule_no_master_sm, fabric, "none", SEVERITY_ERROR, &finding));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_master_with_a_standby_passes),
		cmocka_unit_test(a_master_alone_is_worth_an_info),
		cmocka_unit_test(a_lone_master_is_not_gone_where_cables_are_not_told),
		cmocka_unit_test(no_answering_sm_is_an_error),
		cmocka_unit_test(a_fabric_that_was_never_configured_says_so_once),
		cmocka_unit_test(a_fabric_that_was_never_configured_shows_it_without_sm_info),
		cmocka_unit_test(an_sm_held_up_by_a_duplicated_guid_is_told_with_that),
		cmocka_unit_test(two_masters_are_an_error),
		cmocka_unit_test(one_master_told_by_two_sources_is_one),
		cmocka_unit_test(a_port_that_names_another_sm_is_a_leftover),
		cmocka_unit_test(without_sm_info_the_port_that_all_name_shows_whether_an_sm_runs),
		cmocka_unit_test(ports_that_name_different_sms_are_a_warning),
		cmocka_unit_test(when_nothing_tells_it_is_not_checked),
		cmocka_unit_test(another_sm_key_in_the_log_is_one_error),
		cmocka_unit_test(an_sm_that_announces_itself_and_is_not_heard_is_not_absent),
		cmocka_unit_test(an_announced_sm_without_its_sm_info_is_not_absent),
		cmocka_unit_test(a_named_port_that_announces_no_sm_and_keeps_silent_is_an_error),
		cmocka_unit_test(the_named_port_that_refuses_is_not_checked),
		cmocka_unit_test(a_standby_that_is_not_heard_is_not_absent),
		cmocka_unit_test(a_port_without_port_info_may_be_the_master),
		cmocka_unit_test(an_sm_whose_state_is_not_known_may_be_the_master),
		cmocka_unit_test(rows_of_sms_that_were_not_understood_are_not_absent),
		cmocka_unit_test(a_hole_elsewhere_does_not_hide_that_the_master_is_gone),
		cmocka_unit_test(mastership_that_moved_in_the_log_is_worth_an_info),
	};

	return cmocka_run_group_tests_name("rule_no_master_sm", tests, NULL, NULL);
}
