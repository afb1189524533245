#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/build_fabric.h"

static void the_tree_is_cabled_both_ways(void **state)
{
	struct fabric *fabric = build_tree();
	struct port *host = build_port(build_device(fabric, "host-21"), 1);

	(void)state;
	assert_string_equal(host->peer->device->description, "leaf-2");
	assert_int_equal(host->peer->num, 1);
	assert_ptr_equal(host->peer->peer, host);
	assert_true(port_is_active(host));
	fabric_free(fabric);
}

static void the_tree_reaches_every_lid_from_every_switch(void **state)
{
	static const unsigned lids[] = {1, 2, 3, 4, 11, 12, 21, 22};
	struct fabric *fabric = build_tree();

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		for (size_t j = 0; j < 8; j++) {
			struct device *at = fabric->devices[i];
			unsigned hops = 0;

			while (at->type == NODE_TYPE_SWITCH && at->lft[lids[j]] != 0) {
				at = build_port(at, at->lft[lids[j]])->peer->device;
				assert_in_range(++hops, 1, 3);
			}
			assert_int_equal(at->guid, 0x1000 + lids[j]);
		}
	}
	assert_int_equal(fabric->devices[0]->sw.linear_fdb_top, 22);
	fabric_free(fabric);
}

static void every_end_port_of_the_tree_names_the_master(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	assert_int_equal(build_port(build_device(fabric, "spine-2"), 0)->info.sm_lid, 11);
	assert_int_equal(build_port(build_device(fabric, "host-22"), 1)->info.sm_lid, 11);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tree_is_cabled_both_ways),
		cmocka_unit_test(the_tree_reaches_every_lid_from_every_switch),
		cmocka_unit_test(every_end_port_of_the_tree_names_the_master),
	};

	return cmocka_run_group_tests_name("build_fabric", tests, NULL, NULL);
}
