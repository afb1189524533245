#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/live/wire.h"

/* In front of libibumad's: what would have left. */
static int sent;

int umad_send(int portid, int agentid, void *umad, int length, int timeout_ms, int retries)
{
	(void)portid;
	(void)agentid;
	(void)umad;
	assert_int_equal(length, IB_MAD_SIZE);
	assert_true(timeout_ms > 0);
	assert_int_equal(retries, 0);
	sent++;
	return 0;
}

static const struct mad_route route = {.hops = 2, .out = {0, 1, 22}, .in = {0, 5, 7}};

static const struct mad_request port_info = {
	.class = IB_SMI_DIRECT_CLASS,
	.attribute = IB_ATTR_PORT_INFO,
	.modifier = 22,
};

/* A GetResp of PortInfo as a switch gave it: direction bit set, two hops gone back. */
static void answer_to(uint8_t mad[IB_MAD_SIZE], uint32_t tid)
{
	mad_encode_request(&port_info, &route, tid, mad);
	mad[3] = IB_MAD_METHOD_GET_RESPONSE;
	mad[4] = 0x80;
}

static void nothing_but_gets_leaves(void **state)
{
	const struct wire wire = {.fd = 3, .header = umad_size()};
	_Alignas(8) uint8_t umad[64 + IB_MAD_SIZE] = {0};
	uint8_t *mad = umad_get_mad(umad);

	(void)state;
	for (unsigned class = 0; class < 256; class++) {
		for (unsigned method = 0; method < 256; method++) {
			bool get = method == 0x01 || (class == 0x03 && method == 0x12);

			mad[1] = (uint8_t)class;
			mad[3] = (uint8_t)method;
			sent = 0;
			assert_int_equal(wire_send(&wire, umad, 100),
					 get ? WIRE_SENT : WIRE_REFUSED);
			assert_int_equal(sent, get);
		}
	}
}

static void a_question_is_written_as_the_standard_has_it(void **state)
{
	uint8_t mad[IB_MAD_SIZE];
	static const uint8_t head[] = {
		0x01, 0x81, 0x01, 0x01, 0x00, 0x00, 0x00, 0x02,	/* versions, class, Get, hop count */
		0x00, 0x00, 0x00, 0x00, 0x12, 0x34, 0x56, 0x78,	/* transaction */
		0x00, 0x15, 0x00, 0x00, 0x00, 0x00, 0x00, 0x16,	/* PortInfo of port 22 */
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,	/* M_Key */
		0xff, 0xff, 0xff, 0xff,				/* permissive LIDs */
	};

	(void)state;
	mad_encode_request(&port_info, &route, 0x12345678, mad);
	assert_memory_equal(mad, head, sizeof(head));
	assert_memory_equal(mad + 128, "\0\1\26\0", 4);
	assert_int_equal(mad_tid(mad), 0x12345678);
}

static void a_counter_question_names_its_port_and_carries_no_key(void **state)
{
	const struct mad_request request = {
		.class = IB_PERFORMANCE_CLASS,
		.attribute = IB_GSI_PORT_COUNTERS,
		.port_select = 9,
		.lid = 4,
		.m_key = 0xfeedfacecafebeef,
	};
	uint8_t mad[IB_MAD_SIZE];
	static const uint8_t none[8];

	(void)state;
	mad_encode_request(&request, NULL, 1, mad);
	assert_int_equal(mad[65], 9);
	assert_memory_equal(mad + 24, none, sizeof(none));
}

static void an_answer_is_taken_with_its_direction_bit(void **state)
{
	uint8_t mad[IB_MAD_SIZE];
	uint16_t status = 1;

	(void)state;
	answer_to(mad, 7);
	assert_int_equal(mad_check_answer(&port_info, 7, mad, sizeof(mad), &status),
			 MAD_VERDICT_OK);
	assert_int_equal(status, 0);
}

static void the_highest_status_bit_counts_where_there_is_no_direction(void **state)
{
	struct mad_request request = port_info;
	uint8_t mad[IB_MAD_SIZE];
	uint16_t status;

	(void)state;
	request.class = IB_SMI_CLASS;
	answer_to(mad, 7);
	mad[1] = IB_SMI_CLASS;
	assert_int_equal(mad_check_answer(&request, 7, mad, sizeof(mad), &status),
			 MAD_VERDICT_STATUS);
	assert_int_equal(status, 0x8000);
}

static void an_answer_to_something_else_is_foreign(void **state)
{
	static const struct {
		unsigned byte;
		uint8_t value;
	} changes[] = {
		{15, 0x99},	/* transaction */
		{1, 0x01},	/* class */
		{3, 0x01},	/* still a Get */
		{3, 0x82},
		{3, 0x07},	/* TrapRepress */
		{17, 0x12},	/* attribute */
		{16, 0x01},
		{23, 0x17},	/* modifier */
		{20, 0x80},
	};
	uint8_t mad[IB_MAD_SIZE];
	uint16_t status;

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		answer_to(mad, 7);
		mad[changes[i].byte] = changes[i].value;
		assert_int_equal(mad_check_answer(&port_info, 7, mad, sizeof(mad), &status),
				 MAD_VERDICT_FOREIGN);
	}
}

static void an_error_is_told_and_a_short_answer_is_no_answer(void **state)
{
	uint8_t mad[IB_MAD_SIZE];
	uint16_t status;

	(void)state;
	answer_to(mad, 7);
	mad[5] = 0x0c;
	assert_int_equal(mad_check_answer(&port_info, 7, mad, sizeof(mad), &status),
			 MAD_VERDICT_STATUS);
	assert_int_equal(status, 0x0c);
	answer_to(mad, 7);
	assert_int_equal(mad_check_answer(&port_info, 7, mad, 70, &status), MAD_VERDICT_BAD);
	assert_int_equal(mad_check_answer(&port_info, 7, mad, 24, &status), MAD_VERDICT_BAD);
	for (size_t length = 0; length < 24; length++)
		assert_int_equal(mad_check_answer(&port_info, 7, mad, length, &status),
				 MAD_VERDICT_FOREIGN);
	mad[0] = 0x80;
	assert_int_equal(mad_check_answer(&port_info, 7, mad, sizeof(mad), &status),
			 MAD_VERDICT_BAD);
}

static void a_route_is_written_as_the_tools_write_it(void **state)
{
	const struct mad_route here = {0};
	char text[MAD_ROUTE_TEXT_SIZE];

	(void)state;
	assert_string_equal(mad_route_text(&here, text, sizeof(text)), "0");
	assert_string_equal(mad_route_text(&route, text, sizeof(text)), "0,1,22");
}

static void a_route_ends_at_63_hops(void **state)
{
	struct mad_route longest = {0};
	struct mad_route longer = {0};
	char text[MAD_ROUTE_TEXT_SIZE];

	(void)state;
	for (unsigned i = 0; i < 63; i++)
		assert_true(mad_route_extend(&longest, 254, 254, &longest));
	assert_false(mad_route_extend(&longest, 1, 1, &longer));
	assert_int_equal(longer.hops, 0);
	assert_int_equal(strlen(mad_route_text(&longest, text, sizeof(text))), 1 + 63 * 4);
}

static void the_way_home_leaves_each_hop_by_the_port_it_was_entered(void **state)
{
	const struct mad_route there = {.hops = 1, .out = {0, 1}, .in = {0, 9}};
	struct mad_route back;
	char text[MAD_ROUTE_TEXT_SIZE];

	(void)state;
	assert_true(mad_route_return(&there, &route, &back));
	assert_string_equal(mad_route_text(&back, text, sizeof(text)), "0,1,7,5");
	assert_int_equal(back.in[3], 1);
}

static void a_status_is_told_in_words(void **state)
{
	char text[96];

	(void)state;
	assert_string_equal(mad_status_text(0x0c, text, sizeof(text)),
			    "status 0x000c (method and attribute combination not supported)");
	assert_string_equal(mad_status_text(0x01, text, sizeof(text)), "status 0x0001 (busy)");
	assert_string_equal(mad_status_text(0x1c, text, sizeof(text)),
			    "status 0x001c (invalid attribute or modifier value)");
	assert_string_equal(mad_status_text(0, text, sizeof(text)), "status 0x0000 (no error)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_but_gets_leaves),
		cmocka_unit_test(a_question_is_written_as_the_standard_has_it),
		cmocka_unit_test(a_counter_question_names_its_port_and_carries_no_key),
		cmocka_unit_test(an_answer_is_taken_with_its_direction_bit),
		cmocka_unit_test(the_highest_status_bit_counts_where_there_is_no_direction),
		cmocka_unit_test(an_answer_to_something_else_is_foreign),
		cmocka_unit_test(an_error_is_told_and_a_short_answer_is_no_answer),
		cmocka_unit_test(a_route_is_written_as_the_tools_write_it),
		cmocka_unit_test(a_route_ends_at_63_hops),
		cmocka_unit_test(the_way_home_leaves_each_hop_by_the_port_it_was_entered),
		cmocka_unit_test(a_status_is_told_in_words),
	};

	return cmocka_run_group_tests_name("live_wire", tests, NULL, NULL);
}
