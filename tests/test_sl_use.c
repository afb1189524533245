#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/analysis/sl_use.h"
#include "tests/support/build_fabric.h"
#include "tests/support/build_qos.h"

static const char policy[] = "qos-levels\n"
			     " qos-level\n"
			     "  name: Fast\n"
			     "  sl: 0x2\n"
			     " end-qos-level\n"
			     "end-qos-levels\n"
			     "qos-ulps\n"
			     " default : 1\n"
			     " ipoib, pkey 0x7fff : 4 \n"
			     " any, service-id 0x1234 : 99\n"
			     "end-qos-ulps\n";

static struct sl_use use_of(struct fabric *fabric)
{
	struct sl_use use;

	sl_use_find(fabric, &use);
	return use;
}

static void a_fabric_that_says_nothing_uses_sl_0(void **state)
{
	struct fabric *fabric = build_tree();
	struct sl_use use = use_of(fabric);

	(void)state;
	assert_int_equal(use.used, 1);
	assert_string_equal(use.engine, "");
	fabric_free(fabric);
}

static void levels_and_ulp_rules_count_with_their_lines(void **state)
{
	struct fabric *fabric = build_tree();
	char text[SL_USE_TEXT_SIZE];
	struct sl_use use;

	(void)state;
	build_policy(fabric, policy);

	use = use_of(fabric);

	assert_int_equal(use.used, 1 | 1 << 1 | 1 << 2 | 1 << 4);
	assert_string_equal(use.origin[2], "qos-policy.conf:4, qos-level Fast");
	assert_string_equal(use.origin[4], "qos-policy.conf:9, qos-ulps rule \"ipoib, pkey 0x7fff\"");
	assert_string_equal(sl_use_text(&use, 1 << 2 | 1 << 3, text),
			    "SL 2 (qos-policy.conf:4, qos-level Fast)");
	fabric_free(fabric);
}

static void a_dropped_policy_hands_out_nothing(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_policy(fabric, policy);
	fabric->config->policy.dropped = true;

	assert_int_equal(use_of(fabric).used, 1);
	fabric_free(fabric);
}

static void with_qos_false_neither_policy_nor_partitions_count(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_policy(fabric, policy);
	config_partition_add(fabric->config)->sl = 5;
	build_conf(fabric, "qos", "FALSE");

	assert_int_equal(use_of(fabric).used, 1);
	fabric_free(fabric);
}

static void add_counter(struct fabric *fabric, char *key, char *value)
{
	static char section[] = SL_FACT_XMIT;
	struct fact *fact = fabric_fact_add(fabric);

	fact->device = build_device(fabric, "host-11");
	fact->port = 1;
	fact->section = section;
	fact->key = key;
	fact->value = value;
}

static void a_counter_above_0_proves_use(void **state)
{
	char key3[] = "SL3", key4[] = "SL4", key99[] = "SL99", some[] = "1200", none[] = "0";
	struct fabric *fabric = build_tree();
	struct sl_use use;

	(void)state;
	add_counter(fabric, key3, some);
	add_counter(fabric, key4, none);
	add_counter(fabric, key99, some);

	use = use_of(fabric);

	assert_int_equal(use.used, 1 | 1 << 3);
	assert_string_equal(use.origin[3], "PortXmitDataSL of host-11 port 1");
	fabric_free(fabric);
}

static void an_engine_deals_out_the_sls_below_the_fewest_lanes(void **state)
{
	struct fabric *fabric = build_tree();
	struct sl_use use;

	(void)state;
	build_conf(fabric, "routing_engine", "dfsssp,updn");
	build_port(build_device(fabric, "spine-1"), 1)->info.oper_vls = 4;

	use = use_of(fabric);

	assert_int_equal(use.used, 0xf);
	assert_string_equal(use.engine, "dfsssp");
	assert_string_equal(use.engine_origin, "opensm.conf:1");
	fabric_free(fabric);
}

static void an_engine_later_in_the_list_is_not_taken_for_the_one_that_runs(void **state)
{
	struct fabric *fabric = build_tree();

	(void)state;
	build_conf(fabric, "routing_engine", "ftree,lash");
	assert_string_equal(use_of(fabric).engine, "");
	fabric_free(fabric);
}

static void names_from_files_come_out_escaped_and_cut(void **state)
{
	struct fabric *fabric = build_tree();
	char text[2600] = "qos-levels\n qos-level\n  sl: 7\n  name: \033[31m";

	(void)state;
	memset(text + strlen(text), 'x', 2000);
	strcat(text, "\n end-qos-level\nend-qos-levels\n");
	build_policy(fabric, text);

	assert_non_null(strstr(use_of(fabric).origin[7], "\\x1b[31mxxx"));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fabric_that_says_nothing_uses_sl_0),
		cmocka_unit_test(levels_and_ulp_rules_count_with_their_lines),
		cmocka_unit_test(a_dropped_policy_hands_out_nothing),
		cmocka_unit_test(with_qos_false_neither_policy_nor_partitions_count),
		cmocka_unit_test(a_counter_above_0_proves_use),
		cmocka_unit_test(an_engine_deals_out_the_sls_below_the_fewest_lanes),
		cmocka_unit_test(an_engine_later_in_the_list_is_not_taken_for_the_one_that_runs),
		cmocka_unit_test(names_from_files_come_out_escaped_and_cut),
	};

	return cmocka_run_group_tests_name("sl_use", tests, NULL, NULL);
}
