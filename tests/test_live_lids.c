/* What depends on the LIDs of all: who may be the SM, and whose counters a LID brings. */
#include "tests/support/fake_net.h"

static struct {
	int leaf, host, other;
} at;

/* Here (LID 1, the master), a leaf (LID 2), two hosts (LIDs 4 and 8). */
static void begin_subnet(void)
{
	at.leaf = begin();
	at.host = node(NODE_TYPE_CA, 0xc00, "host");
	at.other = node(NODE_TYPE_CA, 0xd00, "other");
	cable(at.leaf, 3, at.host, 1);
	cable(at.leaf, 4, at.other, 1);
	net.nodes[0].lid = 1;
	net.nodes[0].is_sm = true;
	net.nodes[0].sm_state = 3;
	net.nodes[at.leaf].lid = 2;
	net.nodes[at.host].lid = 4;
	net.nodes[at.other].lid = 8;
	for (int i = 0; i < net.count; i++)
		net.nodes[i].sm_lid = 1;
}

static void refuse(int node_at, uint16_t attribute, uint16_t status)
{
	net.refusals[net.refusal_count++] = (struct refusal){node_at, attribute, -1, status};
}

static size_t lost_of(const struct fabric *fabric, enum attribute attribute)
{
	size_t lost = 0;

	for (size_t i = 0; i < fabric->hole_count; i++)
		lost += fabric->holes[i].attribute == attribute &&
			fabric->holes[i].reason != HOLE_UNSUPPORTED;
	return lost;
}

static void the_master_is_read_and_nobody_else_asked(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_subnet();
	fabric = collect_groups(LIVE_SM);
	assert_int_equal(fabric->sm_count, 1);
	assert_int_equal(fabric->sms[0].state, 3);
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(fabric);
	fabric = collect();
	assert_int_equal(links_of(fabric), 3);
	assert_int_equal(rows_of(fabric, 0xc00), 1);
	assert_int_equal(fabric->sm_count, 0);
	fabric_free(fabric);
}

static void a_master_that_does_not_announce_itself_is_found_by_its_lid(void **state)
{
	struct fabric *fabric;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		begin_subnet();
		net.nodes[0].is_sm = false;
		/* Named by one of its LIDs only. */
		net.nodes[0].lmc = (unsigned)turn;
		for (int i = 0; turn && i < net.count; i++)
			net.nodes[i].sm_lid = i == at.other ? 2 : 0;
		if (turn)
			net.nodes[at.leaf].lid = 16;
		fabric = collect_groups(LIVE_SM);
		assert_int_equal(fabric->sm_count, 1);
		assert_int_equal(fabric->sms[0].state, 3);
		assert_false(fabric->partial);
		fabric_free(fabric);
	}
}

static void a_named_port_that_says_it_has_no_sm_is_no_loss(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_subnet();
	net.nodes[0].is_sm = false;
	net.nodes[0].sm_state = 0;
	fabric = collect_groups(LIVE_SM);
	assert_int_equal(fabric->sm_count, 0);
	assert_int_equal(lost_of(fabric, ATTRIBUTE_SM_INFO), 0);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void an_announced_sm_that_refuses_is_a_loss_whatever_the_status(void **state)
{
	static const uint16_t statuses[] = {0x04, 0x08, 0x0c, 0x1c, 0};
	struct fabric *fabric;

	(void)state;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		begin_subnet();
		refuse(0, IB_ATTR_SMINFO, statuses[i]);
		fabric = collect_groups(LIVE_SM);
		assert_int_equal(lost_of(fabric, ATTRIBUTE_SM_INFO), 1);
		assert_true(fabric->partial);
		fabric_free(fabric);
	}
}

static void a_named_port_that_keeps_silent_is_a_loss(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_subnet();
	net.nodes[0].is_sm = false;
	refuse(0, IB_ATTR_SMINFO, 0);
	fabric = collect_groups(LIVE_SM);
	assert_int_equal(lost_of(fabric, ATTRIBUTE_SM_INFO), 1);
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static const struct port *port_of_guid(const struct fabric *fabric, uint64_t guid)
{
	return device_port(fabric_device_find(fabric, guid), 1);
}

static void counters_come_by_lids_that_one_port_holds(void **state)
{
	struct fabric *fabric;

	(void)state;
	begin_subnet();
	/* Ranges that lie side by side: 4 to 7, and 8 to 11. */
	net.nodes[at.host].lmc = 2;
	net.nodes[at.other].lmc = 2;
	fabric = collect_groups(LIVE_COUNTERS);
	assert_int_equal(lost_of(fabric, ATTRIBUTE_COUNTERS), 0);
	assert_true(net.asked_by_lid[at.host] > 0 && net.asked_by_lid[at.other] > 0);
	assert_int_equal(port_of_guid(fabric, 0xd00)->counters->value[COUNTER_xmit_data], at.other);
	fabric_free(fabric);
}

static void a_lid_that_two_ports_hold_brings_no_counters(void **state)
{
	struct fabric *fabric;
	unsigned lost = 0;

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		begin_subnet();
		/* The same base LID, or one that lies in the range of another. */
		net.nodes[at.other].lid = turn ? 6 : 4;
		net.nodes[at.host].lmc = turn ? 2 : 0;
		fabric = collect_groups(LIVE_COUNTERS);
		assert_null(port_of_guid(fabric, 0xd00)->counters);
		assert_true(turn || !port_of_guid(fabric, 0xc00)->counters);
		assert_true(fabric->partial);
		lost = 0;
		for (size_t i = 0; i < fabric->hole_count; i++) {
			const char *text = fabric->holes[i].text;

			if (fabric->holes[i].reason == HOLE_UNSUPPORTED)
				continue;
			lost++;
			assert_int_equal(fabric->holes[i].attribute, ATTRIBUTE_COUNTERS);
			assert_non_null(strstr(text, "is held by both "));
			assert_non_null(strstr(text, "other port 1"));
		}
		assert_int_equal(lost, turn ? 1 : 2);
		assert_non_null(port_of_guid(fabric, 0x100)->counters);
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_master_is_read_and_nobody_else_asked),
		cmocka_unit_test(a_master_that_does_not_announce_itself_is_found_by_its_lid),
		cmocka_unit_test(a_named_port_that_says_it_has_no_sm_is_no_loss),
		cmocka_unit_test(an_announced_sm_that_refuses_is_a_loss_whatever_the_status),
		cmocka_unit_test(a_named_port_that_keeps_silent_is_a_loss),
		cmocka_unit_test(counters_come_by_lids_that_one_port_holds),
		cmocka_unit_test(a_lid_that_two_ports_hold_brings_no_counters),
	};

	return cmocka_run_group_tests_name("live_lids", tests, NULL, NULL);
}
