/* Counters as bytes -> the fabric. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/live_bench.h"

static void a_counter_at_its_end_is_saturated(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};
	const struct port_counters *counters;

	(void)state;
	bench_put(bench, IB_PC_PORT_SELECT_F, 1);
	bench_put(bench, IB_PC_ERR_SYM_F, 65535);
	bench_put(bench, IB_PC_LINK_DOWNED_F, 254);
	bench_put(bench, IB_PC_ERR_LOCALINTEG_F, 15);
	assert_int_equal(bench_take(bench, read_counters, question), 0);
	counters = bench_port(bench, 1)->counters;
	assert_int_equal(counters->value[COUNTER_symbol_error], 65535);
	assert_true(counters->saturated >> COUNTER_symbol_error & 1);
	assert_false(counters->saturated >> COUNTER_link_downed & 1);
	assert_true(counters->saturated >> COUNTER_local_link_integrity_errors & 1);
	assert_false(counters->known >> COUNTER_unicast_xmit_pkts & 1);
	bench_free(bench);
}

static void the_long_counter_stands_whichever_comes_first(void **state)
{
	const struct question brief = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};
	const struct question extended = {
		.ask = ASK_COUNTERS_EXTENDED, .port = 1, .port_select = 1};

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct bench *bench = bench_new(NODE_TYPE_CA, 1);

		for (int step = 0; step < 2; step++) {
			memset(bench->data, 0, sizeof(bench->data));
			bench_put(bench, IB_PC_PORT_SELECT_F, 1);
			if (step == turn) {
				bench_put(bench, IB_PC_XMT_BYTES_F, UINT32_MAX);
				assert_int_equal(bench_take(bench, read_counters, brief), 0);
			} else {
				mad_set_field64(bench->data, 0, IB_PC_EXT_XMT_BYTES_F,
						UINT64_C(1) << 40);
				assert_int_equal(bench_take(bench, read_counters_extended, extended), 0);
			}
		}
		assert_true(bench_port(bench, 1)->counters->value[COUNTER_xmit_data] ==
			    UINT64_C(1) << 40);
		assert_false(bench_port(bench, 1)->counters->saturated >> COUNTER_xmit_data & 1);
		bench_free(bench);
	}
}

static void counters_of_another_port_are_refused(void **state)
{
	struct bench *bench = bench_new(NODE_TYPE_CA, 1);
	const struct question question = {.ask = ASK_COUNTERS, .port = 1, .port_select = 1};

	(void)state;
	bench_put(bench, IB_PC_PORT_SELECT_F, 2);
	assert_int_equal(bench_take(bench, read_counters, question), 1);
	bench_free(bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_at_its_end_is_saturated),
		cmocka_unit_test(the_long_counter_stands_whichever_comes_first),
		cmocka_unit_test(counters_of_another_port_are_refused),
	};

	return cmocka_run_group_tests_name("live_counters", tests, NULL, NULL);
}
