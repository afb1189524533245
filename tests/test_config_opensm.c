#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/finding.h"
#include "tests/support/import_text.h"

static struct fabric *conf(const char *text)
{
	return import_text("opensm.conf", text);
}

static void assert_held(const char *text, const char *key, const char *expected)
{
	struct fabric *fabric = conf(text);
	const char *effective = effective_option(fabric, key);

	if (expected)
		assert_string_equal(effective, expected);
	else
		assert_null(effective);
	fabric_free(fabric);
}

static void assert_problem(const char *text, const char *id, const char *key, int64_t line)
{
	struct fabric *fabric = conf(text);
	const struct config_problem *problem = find_problem(fabric, id, 0);

	if (!problem)
		fail_msg("no %s in %s", id, text);
	if (key)
		assert_string_equal(problem->key, key);
	assert_int_equal(problem->line, line);
	fabric_free(fabric);
}

static void assert_quiet(const char *text)
{
	struct fabric *fabric = conf(text);

	if (fabric->config->problem_count != 0)
		fail_msg("%s", fabric->config->problems[0].text);
	fabric_free(fabric);
}

static void only_the_exact_word_TRUE_is_true(void **state)
{
	(void)state;

	assert_held("qos TRUE\n", "qos", "TRUE");
	assert_held("qos \"TRUE\"\n", "qos", "TRUE");
	assert_held("qos 'TRUE'\t# wanted\n", "qos", "TRUE");
	assert_held("qos True\n", "qos", "FALSE");
	assert_held("qos 1\n", "qos", "FALSE");
	assert_held("qos TRUE x\n", "qos", "FALSE");
	assert_held("m_key_lookup\nlmc 0\n", "m_key_lookup", "FALSE");
	assert_problem("lmc 0\nsweep_on_trap yes\n", "lookalike-boolean", "sweep_on_trap", 2);
	assert_problem("m_key_lookup\n", "empty-value", "m_key_lookup", 1);
	assert_quiet("sweep_on_trap no\nqos false\ndaemon TRUE\n");
}

static void the_last_line_that_can_be_read_wins(void **state)
{
	(void)state;

	assert_held("lmc 1\nlmc 2\n", "lmc", "2");
	assert_held("lmc 2\nlmc 1x\n", "lmc", "2");
	assert_held("lmc 2\nlmc 256\n", "lmc", "2");
	assert_problem("lmc 1\nlmc 2\n", "repeated-key", "lmc", 2);
	assert_problem("lmc 2\nlmc 1x\n", "not-a-number", "lmc", 2);
	assert_problem("lmc 2\nlmc 256\n", "number-too-big", "lmc", 2);
	assert_quiet("lmc 2\nlmc 2\n");
}

static void numbers_may_be_hex_or_octal(void **state)
{
	(void)state;

	assert_held("packet_life_time 0x10\n", "packet_life_time", "16");
	assert_held("max_op_vls 03\n", "max_op_vls", "3");
	assert_held("sm_priority \" 5\"\n", "sm_priority", "5");
	assert_held("subnet_prefix 0xFE80000000000009\n", "subnet_prefix", "0xfe80000000000009");
}

static void what_opensm_corrects_is_held_corrected(void **state)
{
	(void)state;

	assert_held("lmc 8\n", "lmc", "0");
	assert_problem("lmc 8\n", "lmc-above-7", "lmc", 1);
	assert_held("sm_priority 16\n", "sm_priority", "0");
	assert_held("force_link_width 40\n", "force_link_width", "255");
	assert_held("max_wire_smps 0\n", "max_wire_smps", "2147483647");
	assert_held("transaction_timeout 900\n", "long_transaction_timeout", "900");
	assert_held("m_key_protection_level 1\nm_key_lease_period 60\nsweep_interval 0\n",
		    "sweep_interval", "59");
	assert_held("part_enforce inn\n", "part_enforce", "both");
	assert_held("no_partition_enforcement TRUE\n", "part_enforce", "off");
	assert_problem("console (null)\n", "crashes-opensm", "console", 1);
}

static void a_console_that_not_every_opensm_has_is_told(void **state)
{
	(void)state;

	assert_held("console socket\n", "console", "socket");
	assert_problem("console socket\n", "console-socket", "console", 1);
	assert_quiet("console loopback\n");
	/* A word that nobody knows is told as such, and is not looked at again once it is replaced. */
	assert_held("console sock\n", "console", "off");
	assert_problem("console sock\n", "value-corrected", "console", 1);
}

static void a_high_limit_takes_the_digits_and_ends_at_255(void **state)
{
	(void)state;

	assert_held("qos TRUE\nqos_high_limit 7x\n", "qos_high_limit", "7");
	assert_held("qos TRUE\nqos_high_limit (null)\n", "qos_high_limit", "0");
	assert_held("qos TRUE\nqos_high_limit 255\n", "qos_high_limit", "255");
	assert_held("qos TRUE\nqos_high_limit 256\n", "qos_high_limit", NULL);
	assert_held("qos TRUE\nqos_high_limit -3\n", "qos_high_limit", NULL);
	assert_problem("qos TRUE\nqos_ca_high_limit 300\n", "high-limit-above-255", "qos_ca_high_limit", 2);
}

static void lists_are_a_stream_of_numbers(void **state)
{
	(void)state;

	assert_held("qos_vlarb_low 0:4,3,1:8\n", "qos_vlarb_low", "0:4,3:1,8:0");
	assert_held("qos_vlarb_low 16:300\n", "qos_vlarb_low", "1:44");
	assert_held("qos_vlarb_low VL1:4\n", "qos_vlarb_low", "0:0,1:4");
	assert_held("qos_sl2vl 0,-1,31,255,17\n", "qos_sl2vl", "0,15,15,15,1,0,0,0,0,0,0,0,0,0,0,0");
	assert_held("qos_sl2vl\nlmc 0\n", "qos_sl2vl", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0");
	assert_held("qos_sl2vl (null)\n", "qos_sl2vl", NULL);
	assert_problem("qos TRUE\nqos_vlarb_high 0:64,15:16\n", "vlarb-vl15", "qos_vlarb_high", 2);
	assert_problem("qos TRUE\nqos_vlarb_low 0:4,3\n", "vlarb-element", "qos_vlarb_low", 2);
	assert_problem("qos TRUE\nqos_ca_sl2vl 0,1,2,3\n", "sl2vl-length", "qos_ca_sl2vl", 2);
	assert_problem("qos TRUE\nqos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,16\n", "sl2vl-element",
		       "qos_sl2vl", 2);
	assert_quiet("qos TRUE\nqos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,15\nqos_vlarb_low 0:64,1:32\n");
}

static void qos_options_are_dead_without_qos(void **state)
{
	struct fabric *fabric;

	(void)state;

	fabric = conf("qos yes\nqos_sl2vl 0,1,2,3\nqos_vlarb_low 0:4,3\n");
	assert_int_equal(find_problem(fabric, "qos-dead", 0)->severity, SEVERITY_ERROR);
	assert_int_equal(find_problem(fabric, "sl2vl-length", 0)->severity, SEVERITY_INFO);
	fabric_free(fabric);
	fabric = conf("qos_high_limit 255\nmax_op_vls 3\n");
	assert_int_equal(find_problem(fabric, "qos-dead", 0)->severity, SEVERITY_WARNING);
	fabric_free(fabric);
	fabric = conf("qos FALSE\nqos_high_limit 255\n");
	assert_int_equal(find_problem(fabric, "qos-dead", 0)->severity, SEVERITY_INFO);
	fabric_free(fabric);
	assert_quiet("qos FALSE\nqos_max_vls 0\nqos_high_limit -1\nqos_sl2vl (null)\n"
		     "qos_policy_file /etc/opensm/qos-policy.conf\n");
}

static void an_unknown_key_is_told_from_a_vendors(void **state)
{
	struct fabric *fabric = conf("lmc 0\nlmcc 1\nqos=TRUE\nadv_routing_engine ar_updn\n"
				     "max_op_vls_ca 2\n");

	(void)state;

	assert_string_equal(find_problem(fabric, "unknown-key", 0)->key, "lmcc");
	assert_non_null(strstr(find_problem(fabric, "unknown-key", 0)->remedy, "`lmc VALUE`"));
	assert_string_equal(find_problem(fabric, "unknown-key", 1)->key, "qos");
	assert_int_equal(find_problem(fabric, "unknown-key", 1)->severity, SEVERITY_ERROR);
	assert_null(find_problem(fabric, "unknown-key", 2));
	assert_int_equal(find_problem(fabric, "vendor-key", 0)->severity, SEVERITY_INFO);
	assert_null(find_problem(fabric, "vendor-key", 1));
	fabric_free(fabric);
}

static void a_secret_is_never_kept(void **state)
{
	static const char text[] = "m_key 0x5ec3e7\nsm_key = 0x5ec3e7\nsa_key 0x1\nsa_key 0x5ec3e7\n"
				   "M_Key 0x5ec3e7\nmkey=0x5ec3e7\ncc_key:0x5ec3e7\ncc_key 5ec3e7\n";
	struct fabric *fabric = conf(text);

	(void)state;

	for (size_t i = 0; i < fabric->config->option_count; i++) {
		const struct config_option *option = &fabric->config->options[i];

		assert_null(strstr(option->key, "5ec3e7"));
		assert_true(!option->raw || !strstr(option->raw, "5ec3e7"));
		assert_true(!option->effective || !strstr(option->effective, "5ec3e7"));
	}
	for (size_t i = 0; i < fabric->config->problem_count; i++) {
		assert_null(strstr(fabric->config->problems[i].text, "5ec3e7"));
		assert_null(strstr(fabric->config->problems[i].text, "6211559"));
	}
	for (size_t i = 0; i < fabric->odd_line_count; i++)
		assert_null(strstr(fabric->odd_lines[i].text, "5ec3e7"));
	assert_string_equal(effective_option(fabric, "m_key"), "(hidden)");
	fabric_free(fabric);
}

static void a_line_is_cut_where_opensm_cuts_it(void **state)
{
	char text[2048];

	(void)state;

	memset(text, ' ', sizeof(text));
	memcpy(text, "log_file", 8);
	memcpy(text + 1022, "lmc 3\n", 7);
	assert_held(text, "lmc", "3");
	assert_problem(text, "line-too-long", NULL, 1);
	memset(text, ' ', 1021);
	memcpy(text, "lmc 1", 5);
	strcpy(text + 1021, "\n");
	assert_quiet(text);
}

static void a_byte_order_mark_counts_in_a_long_line(void **state)
{
	char text[1100] = "\xef\xbb\xbf" "qos";

	(void)state;

	/* With the mark, the rest begins at its first letter: a line of its own. */
	memset(text + 6, ' ', 1023 - 6);
	strcpy(text + 1023, "lmc 2\n");
	assert_held(text, "lmc", "2");
	strcpy(text + 1020, "lmc 2\n");
	assert_held(text, "lmc", "0");
}

static void nothing_stands_behind_a_nul(void **state)
{
	static const char text[] = "qos TRUE\r\nqos\0x\r\nlmc\0 2\r\n";
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "opensm.conf", text, sizeof(text) - 1);
	fabric = import_text_run(files);
	/* The key has an empty value, and no CR in it. */
	assert_string_equal(effective_option(fabric, "qos"), "FALSE");
	assert_string_equal(effective_option(fabric, "lmc"), "0");
	assert_null(find_problem(fabric, "unknown-key", 0));
	fabric_free(fabric);
}

static void a_hash_ends_the_line_wherever_it_stands(void **state)
{
	(void)state;

	assert_held("log_prefix rail#1\n", "log_prefix", "rail");
	assert_problem("log_prefix rail#1\n", "hash-in-value", "log_prefix", 1);
	assert_quiet("log_prefix rail # the first\n");
}

static void a_high_limit_that_is_no_number_is_told(void **state)
{
	(void)state;
	assert_held("qos_high_limit abc\n", "qos_high_limit", "0");
	assert_problem("qos_high_limit abc\n", "loose-number", "qos_high_limit", 1);
	assert_held("qos_ca_high_limit 12abc\n", "qos_ca_high_limit", "12");
	assert_problem("qos_ca_high_limit 12abc\n", "loose-number", "qos_ca_high_limit", 1);
	assert_quiet("qos TRUE\nqos_high_limit 0x0c\n");
	assert_quiet("qos TRUE\nqos_high_limit (null)\n");
}

/* As Debian's 3.3.23 holds them. */
static void a_cr_alone_ends_no_line(void **state)
{
	struct fabric *fabric = conf("lmc 1\rqos TRUE\r");

	(void)state;
	assert_non_null(find_problem(fabric, "line-ends", 0));
	fabric_free(fabric);
	fabric = conf("lmc 1\r\nqos TRUE\r\r\n");
	assert_null(find_problem(fabric, "line-ends", 0));
	fabric_free(fabric);
	assert_held("lmc 1\rqos TRUE\r", "lmc", "0");
	assert_held("lmc 1\rqos TRUE\r", "qos", "FALSE");
	assert_held("# one\rqos TRUE\nlmc 2\n", "qos", "FALSE");
	assert_held("# one\rqos TRUE\nlmc 2\n", "lmc", "2");
	assert_held("lmc 1\r\r\nqos TRUE\r\r\n", "lmc", "1");
}

static void line_ends_and_byte_order_marks_spoil_what_they_spoil_in_opensm(void **state)
{
	(void)state;

	assert_held("qos TRUE\r\nlmc 1\r\n", "qos", "TRUE");
	assert_held("m_key_lookup\r\nlmc 1\r\n", "m_key_lookup", "TRUE");
	assert_held("\xef\xbb\xbfqos TRUE\nlmc 1\n", "qos", "FALSE");
	assert_problem("\xef\xbb\xbfqos TRUE\nlmc 1\n", "byte-order-mark", "qos", 1);
	assert_quiet("\r\nlmc 1\r\n");
}

static void a_key_under_its_old_name_is_the_same_option(void **state)
{
	(void)state;

	assert_held("dimn_ports_file /etc/ports\n", "port_search_ordering_file", "/etc/ports");
	assert_held("dimn_ports_file /a\nport_search_ordering_file (null)\n", "port_search_ordering_file",
		    NULL);
}

static void every_key_is_there_once_and_in_order(void **state)
{
	struct fabric *fabric = conf("m_key_lookup\r\nqos=TRUE\nzzz 1\nzzz 2\nlmc 1\n");
	const struct config *config = fabric->config;

	(void)state;

	for (size_t i = 1; i < config->option_count; i++)
		assert_true(strcmp(config->options[i - 1].key, config->options[i].key) < 0);
	fabric_free(fabric);
}

static void an_engine_opensm_lacks_is_named(void **state)
{
	(void)state;

	assert_problem("routing_engine ar_updn,minhop\n", "engine-unknown", "routing_engine", 1);
	assert_problem("routing_engine none\n", "engine-none", "routing_engine", 1);
	assert_quiet("routing_engine torus-2QoS,no_fallback\n");
}

static void limits_that_limit_nothing_are_told(void **state)
{
	(void)state;

	assert_problem("max_op_vls 8\n", "max-op-vls-no-code", "max_op_vls", 1);
	assert_problem("qos TRUE\nqos_max_vls 4\n", "max-vls-limits-nothing", "qos_max_vls", 2);
	assert_problem("reassign_lids TRUE\n", "reassign-lids", "reassign_lids", 1);
	assert_quiet("max_op_vls 5\n");
}

static void of_two_files_the_first_stays_and_differences_are_told(void **state)
{
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;

	import_text_add(files, "a-opensm.conf", "sm_priority 5\nlmc 1\n", 20);
	import_text_add(files, "b-opensm.conf", "sm_priority 4\nlmc 1\n", 20);
	fabric = import_text_run(files);

	assert_string_equal(effective_option(fabric, "sm_priority"), "5");
	assert_int_equal(fabric->contradiction_count, 1);
	assert_string_equal(fabric->contradictions[0].fact, "opensm.conf sm_priority");
	assert_string_equal(fabric->contradictions[0].other, "4");
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cr_alone_ends_no_line),
		cmocka_unit_test(a_high_limit_that_is_no_number_is_told),
		cmocka_unit_test(only_the_exact_word_TRUE_is_true),
		cmocka_unit_test(the_last_line_that_can_be_read_wins),
		cmocka_unit_test(numbers_may_be_hex_or_octal),
		cmocka_unit_test(what_opensm_corrects_is_held_corrected),
		cmocka_unit_test(a_console_that_not_every_opensm_has_is_told),
		cmocka_unit_test(a_high_limit_takes_the_digits_and_ends_at_255),
		cmocka_unit_test(lists_are_a_stream_of_numbers),
		cmocka_unit_test(qos_options_are_dead_without_qos),
		cmocka_unit_test(an_unknown_key_is_told_from_a_vendors),
		cmocka_unit_test(a_secret_is_never_kept),
		cmocka_unit_test(a_line_is_cut_where_opensm_cuts_it),
		cmocka_unit_test(a_byte_order_mark_counts_in_a_long_line),
		cmocka_unit_test(nothing_stands_behind_a_nul),
		cmocka_unit_test(a_hash_ends_the_line_wherever_it_stands),
		cmocka_unit_test(line_ends_and_byte_order_marks_spoil_what_they_spoil_in_opensm),
		cmocka_unit_test(a_key_under_its_old_name_is_the_same_option),
		cmocka_unit_test(every_key_is_there_once_and_in_order),
		cmocka_unit_test(an_engine_opensm_lacks_is_named),
		cmocka_unit_test(limits_that_limit_nothing_are_told),
		cmocka_unit_test(of_two_files_the_first_stays_and_differences_are_told),
	};

	return cmocka_run_group_tests_name("config_opensm", tests, NULL, NULL);
}
