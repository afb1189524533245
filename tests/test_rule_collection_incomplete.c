#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_collection_incomplete;

static struct hole *add_hole(struct fabric *fabric, struct device *device, int port,
			     enum attribute attribute, enum hole_reason reason)
{
	struct hole *hole = fabric_hole_add(fabric);

	assert_non_null(hole);
	hole->device = device;
	hole->port = port;
	hole->attribute = attribute;
	hole->reason = reason;
	hole->source = 1;
	fabric->partial = true;
	return hole;
}

static void a_snapshot_without_holes_passes(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_collection_incomplete, fabric, NULL);
	fabric_free(fabric);
}

static void a_silent_device_is_named_by_the_port_before_it(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_hole(fabric, NULL, -1, ATTRIBUTE_NODE_INFO, HOLE_TIMEOUT)->behind =
		build_port(build_device(fabric, "spine-1"), 4);

	audit = expect_one(&rule_collection_incomplete, fabric, "timeout:behind",
			   SEVERITY_WARNING, &finding);

	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_string_equal(finding->subject, "spine-1 port 4");
	assert_contains(finding->message, "The device behind spine-1 port 4 did not answer");
	assert_string_equal(evidence_of(finding, "missing"), "NodeInfo");
	audit_free(audit);
	fabric_free(fabric);
}

/* "did not answer: NodeInfo is missing" would be untrue of a device that is there. */
static void what_the_answers_leave_open_is_told_in_its_own_words(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	struct device *spine = build_device(fabric, "spine-1");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_hole(fabric, leaf, -1, ATTRIBUTE_NODE_INFO, HOLE_UNDECIDED)->text =
		fabric_text(fabric, "whether it is one device could not be told", 42);
	audit = expect_one(&rule_collection_incomplete, fabric, "undecided:NodeInfo",
			   SEVERITY_WARNING, &finding);
	assert_contains(finding->message, "leaf-1 (0x0000000000001001): whether it is one device could");
	audit_free(audit);

	add_hole(fabric, spine, -1, ATTRIBUTE_NODE_INFO, HOLE_UNDECIDED)->text =
		fabric_text(fabric, "whether that is so could not be told", 36);
	audit = expect_one(&rule_collection_incomplete, fabric, "undecided:NodeInfo",
			   SEVERITY_WARNING, &finding);
	assert_contains(finding->message, "one device could not be told; the like at 1 more place");
	assert_contains(evidence_of(finding, "places"), "): whether that is so");
	audit_free(audit);
	fabric_free(fabric);
}

static void what_was_not_asked_for_again_is_not_gone(void **state)
{
	static const struct {
		uint32_t asked;
		enum finding_status status;
	} nights[] = {
		{1u << ATTRIBUTE_NODE_INFO, FINDING_UNCHECKED},
		{1u << ATTRIBUTE_NODE_INFO | 1u << ATTRIBUTE_SM_INFO, FINDING_GONE},
	};
	struct fabric *before = build_tree();
	const struct finding *finding;
	struct err err = {0};

	(void)state;
	before->live = true;
	add_hole(before, build_device(before, "leaf-1"), -1, ATTRIBUTE_SM_INFO, HOLE_TIMEOUT);
	for (size_t i = 0; i < 2; i++) {
		struct audit *then = expect_one(&rule_collection_incomplete, before, "timeout",
						SEVERITY_WARNING, &finding);
		struct fabric *fabric = build_tree();
		struct audit *audit;

		fabric->live = true;
		fabric->asked = nights[i].asked;
		audit = check_rule(&rule_collection_incomplete, fabric, before);
		assert_int_equal(audit_compare(audit, then, before, fabric, &err), 0);
		assert_int_equal(audit->finding_count, 1);
		assert_int_equal(audit->findings[0].status, nights[i].status);
		audit_free(audit);
		audit_free(then);
		fabric_free(fabric);
	}
	fabric_free(before);
}

static void all_that_one_device_kept_back_is_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *leaf = build_device(fabric, "leaf-1");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	for (int port = 1; port <= 3; port++)
		add_hole(fabric, leaf, port, ATTRIBUTE_SL2VL, HOLE_TIMEOUT);
	add_hole(fabric, leaf, -1, ATTRIBUTE_LFT, HOLE_TIMEOUT);

	audit = expect_one(&rule_collection_incomplete, fabric, "timeout",
			   SEVERITY_WARNING, &finding);

	assert_string_equal(evidence_of(finding, "missing"),
			    "SLtoVLMappingTable of ports 1 to 3, LinearForwardingTable");
	assert_contains(finding->message, " and more are missing");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_refusal_is_told_with_its_status_in_words(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_hole(fabric, build_device(fabric, "host-21"), 1, ATTRIBUTE_VLARB, HOLE_STATUS)->status =
		0x1c;

	audit = expect_one(&rule_collection_incomplete, fabric, "status=0x001c:VLArbitrationTable",
			   SEVERITY_WARNING, &finding);

	assert_contains(finding->message, "0x001c (invalid attribute or modifier value)");
	audit_free(audit);
	fabric_free(fabric);
}

static void an_m_key_has_its_own_way_out(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_hole(fabric, build_device(fabric, "host-21"), 1, ATTRIBUTE_PORT_INFO, HOLE_PROTECTED);

	audit = expect_one(&rule_collection_incomplete, fabric, "protected",
			   SEVERITY_WARNING, &finding);

	assert_contains(finding->remedy, "--m-key");
	audit_free(audit);
	fabric_free(fabric);
}

static void what_a_device_does_not_support_is_no_loss(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	add_hole(fabric, build_device(fabric, "host-21"), 1, ATTRIBUTE_VLARB, HOLE_UNSUPPORTED);
	fabric->partial = false;
	assert_rule_passes(&rule_collection_incomplete, fabric, NULL);
	fabric_free(fabric);
}

static void what_lies_behind_a_silent_device_is_not_a_second_finding(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_hole(fabric, build_device(fabric, "spine-1"), -1, ATTRIBUTE_SWITCH_INFO, HOLE_TIMEOUT);
	add_hole(fabric, NULL, -1, ATTRIBUTE_NODE_INFO, HOLE_NOT_REACHED)->behind =
		build_port(build_device(fabric, "spine-1"), 4);

	audit = expect_one(&rule_collection_incomplete, fabric, "timeout",
			   SEVERITY_WARNING, &finding);

	assert_contains(audit->verdicts[0].reason, "1 more");
	audit_free(audit);
	fabric_free(fabric);
}

static void many_silent_devices_are_one_finding_with_a_list(void **state)
{
	struct fabric *fabric = build_fabric();
	struct device *leaf = build_switch(fabric, 0x10, 40, 1, "leaf");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	for (unsigned num = 1; num <= 40; num++)
		add_hole(fabric, NULL, -1, ATTRIBUTE_NODE_INFO, HOLE_TIMEOUT)->behind =
			build_port(leaf, num);

	audit = expect_one(&rule_collection_incomplete, fabric, "timeout:behind",
			   SEVERITY_WARNING, &finding);

	assert_contains(finding->message, "behind each of 40 ports");
	assert_contains(evidence_of(finding, "places"), "leaf port 17");
	audit_free(audit);
	fabric_free(fabric);
}

static void what_many_devices_refuse_alike_is_one_finding(void **state)
{
	static const char *const hosts[] = {"host-11", "host-12", "host-21"};
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		add_hole(fabric, build_device(fabric, hosts[i]), 1, ATTRIBUTE_VLARB,
			 HOLE_STATUS)->status = 0x1c;
	}

	audit = expect_one(&rule_collection_incomplete, fabric, "status=0x001c:VLArbitrationTable",
			   SEVERITY_WARNING, &finding);

	assert_contains(finding->message, "Each of 3 devices refused with MAD status 0x001c");
	assert_contains(evidence_of(finding, "places"), "host-21");
	audit_free(audit);
	fabric_free(fabric);
}

static void unlike_refusals_are_told_apart(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	add_hole(fabric, build_device(fabric, "host-11"), 1, ATTRIBUTE_VLARB, HOLE_STATUS)->status = 0x1c;
	add_hole(fabric, build_device(fabric, "host-12"), 1, ATTRIBUTE_VLARB, HOLE_STATUS)->status = 0x0c;
	add_hole(fabric, build_device(fabric, "host-21"), 1, ATTRIBUTE_SL2VL, HOLE_STATUS)->status = 0x1c;

	audit = check_rule(&rule_collection_incomplete, fabric, NULL);

	assert_int_equal(audit->finding_count, 3);
	finding_of(audit, "status=0x000c:VLArbitrationTable");
	finding_of(audit, "status=0x001c:SLtoVLMappingTable");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_dead_spine_is_one_finding_whatever_leads_to_it(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	for (int leaf = 1; leaf <= 2; leaf++)
		add_hole(fabric, NULL, -1, ATTRIBUTE_NODE_INFO, HOLE_TIMEOUT)->behind =
			build_port(build_device(fabric, leaf == 1 ? "leaf-1" : "leaf-2"), 4);

	audit = expect_one(&rule_collection_incomplete, fabric, "timeout:behind",
			   SEVERITY_WARNING, &finding);

	assert_string_equal(evidence_of(finding, "places"), "leaf-1 port 4, leaf-2 port 4");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_file_that_contradicts_itself_answered_no_nonsense(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	add_hole(fabric, build_device(fabric, "leaf-1"), -1, ATTRIBUTE_LFT, HOLE_INCONSISTENT);

	audit = expect_one(&rule_collection_incomplete, fabric, "inconsistent:LinearForwardingTable",
			   SEVERITY_WARNING, &finding);

	assert_contains(finding->message, "a file that contradicts itself");
	assert_contains(finding->remedy, "Take the file again");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_partial_snapshot_without_a_hole_is_still_told(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;

	(void)state;
	fabric->partial = true;
	audit_free(expect_one(&rule_collection_incomplete, fabric, "partial", SEVERITY_WARNING, &finding));
	fabric_free(fabric);
}

static void an_archive_read_in_part_is_not_said_to_be_unread(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;
	struct hole *hole;

	(void)state;
	fabric_source_add(fabric, SOURCE_FILE, "run.tgz", "unknown");
	hole = add_hole(fabric, NULL, -1, ATTRIBUTE_NODE_INFO, HOLE_CUT);
	hole->source = fabric_source_newest(fabric);
	audit = expect_one(&rule_collection_incomplete, fabric, "cut:run.tgz:NodeInfo", SEVERITY_WARNING,
			   &finding);
	assert_contains(finding->message, "run.tgz was not read: ");
	audit_free(audit);
	fabric_source_add(fabric, SOURCE_FILE, "run.tgz:a.db_csv", "ibdiagnet2.db_csv");
	audit = expect_one(&rule_collection_incomplete, fabric, "cut:run.tgz:NodeInfo", SEVERITY_WARNING,
			   &finding);
	assert_contains(finding->message, "run.tgz was not read to its end: ");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_file_that_breaks_off_is_named_with_what_it_lacks(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;
	char text[] = "it breaks off in the section LINKS";

	(void)state;
	add_hole(fabric, NULL, -1, ATTRIBUTE_NODE_INFO, HOLE_CUT)->text = text;
	audit = check_rule(&rule_collection_incomplete, fabric, NULL);
	assert_int_equal(audit->finding_count, 1);
	finding = &audit->findings[0];
	assert_int_equal(finding->severity, SEVERITY_WARNING);
	assert_contains(finding->message, "is not a whole capture: it breaks off in the section LINKS");
	assert_contains(finding->remedy, "capture again");
	audit_free(audit);
	fabric_free(fabric);
}

static void lines_not_understood_are_one_info_a_file(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct odd_line *line;
	struct audit *audit;

	(void)state;
	fabric_source_add(fabric, SOURCE_FILE, "cap\033.topo", "ibnetdiscover")->odd_rows = 2;
	fabric->sources[1].rows = 1;
	line = fabric_odd_line_add(fabric);
	line->source = 2;
	line->line = 17;
	line->text = fabric_text(fabric, "nonsense", 8);

	audit = expect_one(&rule_collection_incomplete, fabric, "odd-lines:cap\\x1b.topo",
			   SEVERITY_INFO, &finding);

	assert_int_equal(finding->severity, SEVERITY_INFO);
	assert_string_equal(finding->source, "cap\\x1b.topo:17");
	assert_string_equal(evidence_of(finding, "first"), "nonsense");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_file_of_which_little_was_understood_is_a_warning_with_its_cause(void **state)
{
	static const struct {
		const char *line;
		const char *cause;
	} cases[] = {
		{"[10:00:00] vendid=0x2c9", "a time stamp stands in front"},
		{"Nov 29 10:00:00 vendid=0x2c9", "a time stamp stands in front"},
		{"2025-03-31T10:00:00 vendid=0x2c9", "a time stamp stands in front"},
		{"\xe2\x80\x9dS-1\xe2\x80\x9d", "its own quotes"},
		{"&quot;S-1&quot;", "HTML"},
		{"vendid=3D0x2c9", "quoted-printable"},
		{"7\tvendid=0x2c9", "numbered"},
		{"nonsense", "were not understood"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct fabric *fabric = build_tree();
		const struct finding *finding;
		struct odd_line *line;
		struct audit *audit;

		fabric_source_add(fabric, SOURCE_FILE, "cap", "ibnetdiscover")->odd_rows = 12;
		fabric->sources[1].rows = i % 2 ? 12 : 0;
		line = fabric_odd_line_add(fabric);
		line->source = 2;
		line->line = 7;
		line->text = fabric_text(fabric, cases[i].line, strlen(cases[i].line));
		audit = expect_one(&rule_collection_incomplete, fabric, "odd-lines:cap", SEVERITY_WARNING,
				   &finding);
		assert_contains(finding->message, i % 2 ? "12 of 24 lines of cap" : "all 12 lines of cap");
		assert_contains(finding->message, cases[i].cause);
		audit_free(audit);
		fabric_free(fabric);
	}
}

/* "uptime" between two captures. */
static void what_another_command_prints_has_no_cause(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct odd_line *line;
	struct audit *audit;

	(void)state;
	fabric_source_add(fabric, SOURCE_FILE, "log (other output)", "unknown")->odd_rows = 1;
	line = fabric_odd_line_add(fabric);
	line->source = 2;
	line->line = 7;
	line->text = fabric_text(fabric, "10:00:01 up 3 days,  1 user", 27);
	audit = expect_one(&rule_collection_incomplete, fabric, "odd-lines:log (other output)",
			   SEVERITY_INFO, &finding);
	assert_contains(finding->message, "1 line of log (other output) was not understood");
	assert_null(strstr(finding->message, "time stamp"));
	audit_free(audit);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_without_holes_passes),
		cmocka_unit_test(what_another_command_prints_has_no_cause),
		cmocka_unit_test(a_silent_device_is_named_by_the_port_before_it),
		cmocka_unit_test(what_the_answers_leave_open_is_told_in_its_own_words),
		cmocka_unit_test(what_was_not_asked_for_again_is_not_gone),
		cmocka_unit_test(all_that_one_device_kept_back_is_one_finding),
		cmocka_unit_test(a_refusal_is_told_with_its_status_in_words),
		cmocka_unit_test(an_m_key_has_its_own_way_out),
		cmocka_unit_test(what_a_device_does_not_support_is_no_loss),
		cmocka_unit_test(what_lies_behind_a_silent_device_is_not_a_second_finding),
		cmocka_unit_test(many_silent_devices_are_one_finding_with_a_list),
		cmocka_unit_test(what_many_devices_refuse_alike_is_one_finding),
		cmocka_unit_test(unlike_refusals_are_told_apart),
		cmocka_unit_test(a_dead_spine_is_one_finding_whatever_leads_to_it),
		cmocka_unit_test(a_file_that_contradicts_itself_answered_no_nonsense),
		cmocka_unit_test(a_partial_snapshot_without_a_hole_is_still_told),
		cmocka_unit_test(an_archive_read_in_part_is_not_said_to_be_unread),
		cmocka_unit_test(a_file_that_breaks_off_is_named_with_what_it_lacks),
		cmocka_unit_test(lines_not_understood_are_one_info_a_file),
		cmocka_unit_test(a_file_of_which_little_was_understood_is_a_warning_with_its_cause),
	};

	return cmocka_run_group_tests_name("rule_collection_incomplete", tests, NULL, NULL);
}
