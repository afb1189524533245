/* link-width-speed, link-not-active, looped-cable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/build_config.h"
#include "tests/support/build_fabric.h"
#include "tests/support/check_rule.h"

extern const struct rule rule_link_not_active;
extern const struct rule rule_link_width_speed;
extern const struct rule rule_looped_cable;

/* Both ends of the cable at this port run at these lanes and speed code. */
static void run_at(struct port *port, int64_t lanes, int64_t code)
{
	struct port *ends[] = {port, port->peer};

	for (size_t i = 0; i < 2; i++) {
		ends[i]->info.link_width_active = lanes;
		ends[i]->info.link_speed_code = code;
		ends[i]->info.link_speed_active = speed_of_code(code);
	}
}

static void links_at_what_both_enable_pass(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);
	fabric_free(fabric);
}

static void a_link_at_1x_of_4x_is_one_warning(void **state)
{
	struct fabric *fabric = build_tree();
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	run_at(build_port(build_device(fabric, "spine-1"), 1), 1, 512);

	audit = check_rule(&rule_link_width_speed, fabric, NULL);

	finding = only_finding(audit, "width", SEVERITY_WARNING);
	assert_contains(finding->message, "leaf-1 port 3");
	assert_contains(finding->message, "spine-1 port 1");
	assert_contains(finding->message, "runs at 1x; both ends enable 4x");
	audit_free(audit);
	fabric_free(fabric);
}

static void ends_that_disagree_on_their_link_are_a_warning(void **state)
{
	static const struct {
		const char *id, *says;
		int64_t lanes, code, mtu;
	} rows[] = {
		{"width-ends", "says 1x", 1, 512, 4096},
		{"speed-ends", "says QDR", 4, 4, 4096},
		{"mtu-ends", "says 256 bytes", 4, 512, 256},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		for (int end = 0; end < 2; end++) {
			struct fabric *fabric = build_tree();
			struct port *port = build_port(build_device(fabric, "spine-1"), 1);
			const struct finding *finding;
			struct audit *audit;

			if (end)
				port = port->peer;
			port->info.link_width_active = rows[i].lanes;
			port->info.link_speed_code = rows[i].code;
			port->info.link_speed_active = speed_of_code(rows[i].code);
			port->info.neighbor_mtu = rows[i].mtu;
			audit = check_rule(&rule_link_width_speed, fabric, NULL);
			finding = only_finding(audit, rows[i].id, SEVERITY_WARNING);
			assert_contains(finding->message, rows[i].says);
			audit_free(audit);
			fabric_free(fabric);
		}
	}
}

static void ends_that_could_not_be_compared_do_not_disagree(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "spine-1"), 1);

	(void)state;
	/* Told at another time. */
	port->info.neighbor_mtu = 2048;
	port->source_of[ATTRIBUTE_PORT_INFO] = (source_ref)(port->peer->source_of[ATTRIBUTE_PORT_INFO] + 1);
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);
	port->source_of[ATTRIBUTE_PORT_INFO] = port->peer->source_of[ATTRIBUTE_PORT_INFO];
	/* Not told. */
	port->info.neighbor_mtu = FIELD_UNKNOWN;
	/* FDR10, where the other end was not asked for the attribute that tells it. */
	run_at(port, 4, 65536);
	port->info.link_speed_code = 4;
	port->info.link_speed_active = speed_of_code(4);
	port->info.link_speed_supported = port->peer->info.link_speed_supported = 7;
	port->info.link_speed_enabled = port->peer->info.link_speed_enabled = 7;
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);
	fabric_free(fabric);
}

static void a_split_port_at_2x_is_healthy(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);

	(void)state;
	run_at(port, 2, 512);
	port->info.link_width_supported = 1 | 16;
	port->info.link_width_enabled = 1 | 16;
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);

	port->peer->info.link_width_supported = 1 | 2 | 16;
	port->peer->info.link_width_enabled = 1 | 2 | 16;
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);
	fabric_free(fabric);
}

static void two_of_four_lanes_are_less_than_four(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);
	struct audit *audit;

	(void)state;
	run_at(port, 2, 512);
	port->info.link_width_enabled = 1 | 2 | 16;
	port->peer->info.link_width_enabled = 1 | 2 | 16;

	audit = check_rule(&rule_link_width_speed, fabric, NULL);

	assert_contains(only_finding(audit, "width", SEVERITY_WARNING)->message,
			"runs at 2x; both ends enable 4x");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_slow_link_is_told_in_names_of_speeds(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	run_at(build_port(build_device(fabric, "leaf-1"), 1), 4, 4);

	audit = check_rule(&rule_link_width_speed, fabric, NULL);

	assert_contains(only_finding(audit, "speed", SEVERITY_WARNING)->message,
			"runs at QDR; both ends enable EDR");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_slower_end_sets_the_speed(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);

	(void)state;
	port->info.link_speed_supported = 1 | 4 | 512 | 1024 | 2048;
	port->info.link_speed_enabled = port->info.link_speed_supported;
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);
	fabric_free(fabric);
}

static void ndr_and_xdr_are_known(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);
	struct audit *audit;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct port *end = i ? port->peer : port;

		end->info.link_speed_supported = 4 | 2048 | 16777216;
		end->info.link_speed_enabled = 4 | 2048 | 16777216;
	}
	run_at(port, 4, 16777216);
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);
	run_at(port, 4, 2048 | 4);

	audit = check_rule(&rule_link_width_speed, fabric, NULL);

	assert_contains(only_finding(audit, "speed", SEVERITY_WARNING)->message,
			"runs at NDR; both ends enable XDR");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_speed_of_no_known_meaning_is_not_judged(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);

	(void)state;
	run_at(port, 4, 4096);
	assert_rule_verdict(&rule_link_width_speed, fabric, NULL, VERDICT_PASS,
			    "the speed of 1 of 8 links is not known");
	fabric_free(fabric);
}

static void what_a_down_port_answers_is_not_judged(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);
	struct port *peer = port->peer;

	(void)state;
	build_unlink(port->device, 1);
	port->info.link_width_active = 1;
	port->info.link_speed_active = 2500;
	port->peer = peer;
	peer->peer = port;
	assert_rule_passes(&rule_link_width_speed, fabric, NULL);
	fabric_free(fabric);
}

static void a_limit_that_one_end_sets_is_worth_an_info(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	run_at(port, 1, 512);
	port->info.link_width_enabled = 1;

	audit = check_rule(&rule_link_width_speed, fabric, NULL);

	finding = only_finding(audit, "width-limited", SEVERITY_INFO);
	assert_contains(evidence_of(finding, "end_1"), "up to 1x enabled, 4x supported");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_limit_that_most_links_share_is_how_it_is_meant(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t num = 1; num < device->port_slots; num++)
			device->ports[num]->info.link_width_supported = 1 | 2 | 4 | 8;
	}
	assert_rule_verdict(&rule_link_width_speed, fabric, NULL, VERDICT_PASS,
			    "8 links run at 4x where both ends support 12x");

	run_at(build_port(build_device(fabric, "leaf-1"), 1), 1, 512);
	build_port(build_device(fabric, "leaf-1"), 1)->info.link_width_enabled = 1;
	audit = check_rule(&rule_link_width_speed, fabric, NULL);
	only_finding(audit, "width-limited", SEVERITY_INFO);
	audit_free(audit);
	fabric_free(fabric);
}

static void below_support_is_a_warning_where_enabled_was_not_read(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 1);
	struct audit *audit;

	(void)state;
	run_at(port, 1, 512);
	port->info.link_width_enabled = FIELD_UNKNOWN;

	audit = check_rule(&rule_link_width_speed, fabric, NULL);

	assert_contains(only_finding(audit, "width", SEVERITY_WARNING)->message, "was not read");
	audit_free(audit);
	fabric_free(fabric);
}

static void without_masks_widths_are_not_checked(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 1; num < fabric->devices[i]->port_slots; num++) {
			struct port *port = fabric->devices[i]->ports[num];

			port->info.link_width_supported = FIELD_UNKNOWN;
			port->info.link_width_enabled = FIELD_UNKNOWN;
			port->info.link_speed_supported = FIELD_UNKNOWN;
			port->info.link_speed_enabled = FIELD_UNKNOWN;
		}
	}
	assert_rule_verdict(&rule_link_width_speed, fabric, NULL, VERDICT_NOT_CHECKED, "no link");
	fabric_free(fabric);
}

static void active_links_pass(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_rule_passes(&rule_link_not_active, fabric, NULL);
	fabric_free(fabric);
}

static void set_state(struct port *port, int64_t here, int64_t there)
{
	port->info.port_state = here;
	port->peer->info.port_state = there;
}

static void a_link_in_init_is_an_error_and_one_in_armed_a_warning(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *port = build_port(build_device(fabric, "leaf-1"), 3);
	struct audit *audit;

	(void)state;
	set_state(port, 2, 2);
	audit = check_rule(&rule_link_not_active, fabric, NULL);
	only_finding(audit, "init", SEVERITY_ERROR);
	audit_free(audit);

	set_state(port, 4, 3);
	audit = check_rule(&rule_link_not_active, fabric, NULL);
	assert_string_equal(evidence_of(only_finding(audit, "armed", SEVERITY_WARNING),
					"neighbor_state"),
			    "Armed");
	audit_free(audit);
	fabric_free(fabric);
}

static void the_links_of_one_switch_in_init_are_one_finding(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *spine = build_device(fabric, "spine-1");
	const struct finding *finding;
	struct audit *audit;

	(void)state;
	set_state(build_port(spine, 1), 2, 2);
	set_state(build_port(spine, 2), 2, 2);

	audit = check_rule(&rule_link_not_active, fabric, NULL);

	finding = only_finding(audit, "init", SEVERITY_ERROR);
	assert_contains(finding->message, "2 links of spine-1");
	assert_string_equal(evidence_of(finding, "places"),
			    "leaf-1 port 3 to spine-1 port 1, leaf-2 port 3 to spine-1 port 2");
	audit_free(audit);
	fabric_free(fabric);
}

static void links_of_no_common_switch_are_listed_too(void **state)
{
	struct fabric *fabric = build_tree();
	struct audit *audit;

	(void)state;
	set_state(build_port(build_device(fabric, "leaf-1"), 3), 3, 3);
	set_state(build_port(build_device(fabric, "leaf-2"), 4), 3, 3);

	audit = check_rule(&rule_link_not_active, fabric, NULL);

	assert_contains(only_finding(audit, "armed", SEVERITY_WARNING)->message, "2 links are up");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_link_to_a_port_without_a_lid_is_told_by_lost_lid(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *host = build_port(build_device(fabric, "host-21"), 1);

	(void)state;
	set_state(host, 2, 2);
	host->info.lid = 0;
	assert_rule_verdict(&rule_link_not_active, fabric, NULL, VERDICT_PASS, "1 link is told");
	fabric_free(fabric);
}

static void links_in_init_wait_for_an_sm_where_there_is_none(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	fabric->sm_count = 0;
	set_state(build_port(build_device(fabric, "leaf-1"), 3), 2, 2);
	assert_rule_verdict(&rule_link_not_active, fabric, NULL, VERDICT_PASS, "no-master-sm");
	fabric_free(fabric);
}

static void links_that_no_engine_lets_activate_are_told_by_another_rule(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	for (size_t i = 0; i < fabric->device_count; i++) {
		for (size_t num = 1; num < fabric->devices[i]->port_slots; num++) {
			if (fabric->devices[i]->ports[num]->peer)
				fabric->devices[i]->ports[num]->info.port_state = 2;
		}
	}
	build_option(fabric, "lmc", "1", 1);
	build_option(fabric, "routing_engine", "no_fallback,ftree", 2);
	assert_rule_verdict(&rule_link_not_active, fabric, NULL, VERDICT_NOT_APPLICABLE,
			    "lmc-with-fat-tree");
	fabric_free(fabric);
}

static void a_cable_back_to_its_switch_is_one_warning(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *spine = build_device(fabric, "spine-1");
	struct audit *audit;

	(void)state;
	assert_rule_passes(&rule_looped_cable, fabric, NULL);
	build_link(spine, 3, spine, 4);

	audit = check_rule(&rule_looped_cable, fabric, NULL);

	assert_string_equal(only_finding(audit, "loops", SEVERITY_WARNING)->subject, "spine-1 port 3");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_port_looped_to_itself_is_one_warning(void **state)
{
	struct fabric *fabric = build_tree();
	struct device *spine = build_device(fabric, "spine-1");
	struct audit *audit;

	(void)state;
	build_link(spine, 3, spine, 3);

	audit = check_rule(&rule_looped_cable, fabric, NULL);

	assert_contains(only_finding(audit, "loops", SEVERITY_WARNING)->message, "cabled to itself");
	audit_free(audit);
	fabric_free(fabric);
}

static void two_cables_between_two_switches_are_no_loop(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_link(build_device(fabric, "spine-1"), 3, build_device(fabric, "spine-2"), 3);
	build_link(build_device(fabric, "spine-1"), 4, build_device(fabric, "spine-2"), 4);
	assert_rule_passes(&rule_looped_cable, fabric, NULL);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_at_what_both_enable_pass),
		cmocka_unit_test(a_link_at_1x_of_4x_is_one_warning),
		cmocka_unit_test(ends_that_disagree_on_their_link_are_a_warning),
		cmocka_unit_test(ends_that_could_not_be_compared_do_not_disagree),
		cmocka_unit_test(a_split_port_at_2x_is_healthy),
		cmocka_unit_test(two_of_four_lanes_are_less_than_four),
		cmocka_unit_test(a_slow_link_is_told_in_names_of_speeds),
		cmocka_unit_test(the_slower_end_sets_the_speed),
		cmocka_unit_test(ndr_and_xdr_are_known),
		cmocka_unit_test(a_speed_of_no_known_meaning_is_not_judged),
		cmocka_unit_test(what_a_down_port_answers_is_not_judged),
		cmocka_unit_test(a_limit_that_one_end_sets_is_worth_an_info),
		cmocka_unit_test(a_limit_that_most_links_share_is_how_it_is_meant),
		cmocka_unit_test(below_support_is_a_warning_where_enabled_was_not_read),
		cmocka_unit_test(without_masks_widths_are_not_checked),
		cmocka_unit_test(active_links_pass),
		cmocka_unit_test(a_link_in_init_is_an_error_and_one_in_armed_a_warning),
		cmocka_unit_test(the_links_of_one_switch_in_init_are_one_finding),
		cmocka_unit_test(links_of_no_common_switch_are_listed_too),
		cmocka_unit_test(a_link_to_a_port_without_a_lid_is_told_by_lost_lid),
		cmocka_unit_test(links_in_init_wait_for_an_sm_where_there_is_none),
		cmocka_unit_test(links_that_no_engine_lets_activate_are_told_by_another_rule),
		cmocka_unit_test(a_cable_back_to_its_switch_is_one_warning),
		cmocka_unit_test(a_port_looped_to_itself_is_one_warning),
		cmocka_unit_test(two_cables_between_two_switches_are_no_loop),
	};

	return cmocka_run_group_tests_name("rule_links", tests, NULL, NULL);
}
