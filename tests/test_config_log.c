#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_text.h"

static struct fabric *read_log(const char *text)
{
	return import_text("opensm.log", text);
}

/* The n-th event of that kind; fails the test when there are not so many. */
static const struct log_event *event(const struct fabric *fabric, enum log_event_kind kind, size_t n)
{
	for (size_t i = 0; i < fabric->config->event_count; i++) {
		const struct log_event *found = &fabric->config->events[i];

		if (found->kind == kind && n-- == 0)
			return found;
	}
	fail_msg("no such %s event", log_event_kind_name(kind));
	return NULL;
}

static size_t count(const struct fabric *fabric, enum log_event_kind kind)
{
	size_t found = 0;

	for (size_t i = 0; i < fabric->config->event_count; i++)
		found += fabric->config->events[i].kind == kind;
	return found;
}

static void states_keep_their_order_and_times(void **state)
{
	struct fabric *fabric = read_log(
		"Jan 05 10:00:00 000001 [7F00A740] 0x03 -> OpenSM 3.3.23\n"
		"Jan 05 10:00:00 000002 [7F00A740] 0x80 -> Entering DISCOVERING state\n"
		"Jan 05 10:00:03 000002 [7F00A740] 0x80 -> Entering MASTER state\n"
		"Jan 05 10:00:04 000002 [7F00A6C0] 0x02 -> SUBNET UP\n"
		"Jan 05 10:00:14 000002 [7F00A6C0] 0x02 -> SUBNET UP\n"
		"Jan 06 11:00:00 000002 [7F00A740] 0x80 -> Entering STANDBY state\n"
		"Jan 06 12:00:00 000002 [7F00A740] 0x80 -> Entering MASTER state\n"
		"Jan 06 13:00:00 000002 [7F00A740] 0x80 -> Exiting SM\n");

	(void)state;

	assert_int_equal(count(fabric, LOG_SM_STATE), 5);
	assert_string_equal(event(fabric, LOG_SM_STATE, 1)->text, "MASTER");
	assert_string_equal(event(fabric, LOG_SM_STATE, 1)->first_time, "Jan 05 10:00:03");
	assert_string_equal(event(fabric, LOG_SM_STATE, 2)->text, "STANDBY");
	assert_string_equal(event(fabric, LOG_SM_STATE, 3)->text, "MASTER");
	assert_string_equal(event(fabric, LOG_SM_STATE, 4)->text, "EXITED");
	assert_int_equal(count(fabric, LOG_SUBNET_UP), 1);
	assert_int_equal(event(fabric, LOG_SUBNET_UP, 0)->count, 2);
	assert_string_equal(event(fabric, LOG_SUBNET_UP, 0)->last_time, "Jan 05 10:00:14");
	assert_int_equal(count(fabric, LOG_ERROR), 0);
	assert_string_equal(fabric->sources[0].detail, "OpenSM 3.3.23");
	fabric_free(fabric);
}

static void a_stranger_sm_is_counted_once_for_both_lines_and_its_key_is_hidden(void **state)
{
	struct fabric *fabric = read_log(
		"Jan 05 10:00:01 000001 [1] 0x01 -> smi_rcv: ERR 2F18: Got SM (LID 9) with sm_key "
		"0x00000000005ec3e7 that doesn't match our local sm_key. Ignoring SMInfo\n"
		"Jan 05 10:00:01 000002 [1] 0x80 -> Found remote SM (LID 9) with non-matching sm_key\n"
		"Jan 05 10:00:11 000001 [1] 0x01 -> smi_rcv: ERR 2F18: Got SM (LID 9) with sm_key "
		"0x00000000005ec3e7 that doesn't match our local sm_key. Ignoring SMInfo\n"
		"Jan 05 10:00:11 000002 [1] 0x80 -> Found remote SM (LID 9) with non-matching sm_key\n");
	const struct log_event *other = event(fabric, LOG_OTHER_SM, 0);

	(void)state;

	assert_int_equal(count(fabric, LOG_OTHER_SM), 1);
	assert_int_equal(other->count, 2);
	assert_string_equal(other->error, "2F18");
	assert_non_null(strstr(other->text, "LID 9"));
	assert_null(strstr(other->text, "5ec3e7"));
	assert_string_equal(other->last_time, "Jan 05 10:00:11");
	fabric_free(fabric);
}

#define FALL_BACK \
	"Jan 05 10:00:01 000001 [58FBE6C0] 0x02 -> LMC > 0 is not supported by fat-tree routing.\n" \
	"Falling back to default routing\n" \
	"Jan 05 10:00:01 000002 [58FBE6C0] 0x01 -> ucast_mgr_route: ftree: cannot build lid matrices\n" \
	"Jan 05 10:00:01 000003 [58FBE6C0] 0x02 -> osm_ucast_mgr_process: updn tables configured on all switches\n" \
	"Jan 05 11:00:01 000003 [58FBE6C0] 0x02 -> osm_ucast_mgr_process: minhop tables configured on all switches\n" \
	"Jan 05 12:00:01 000003 [58FBE6C0] 0x02 -> osm_ucast_mgr_process: updn tables configured on all switches\n" \
	"Jan 05 12:00:02 000003 [58FBE6C0] 0x01 -> setup_routing_engines: Failed to setup routing engine 'no_fallback'\n" \
	"Jan 05 12:00:03 000003 [58FBE6C0] 0x01 -> osm_ucast_mgr_process: No routing engine able to successfully configure  switch tables on current fabric\n"

static void assert_fall_back(const struct fabric *fabric)
{
	assert_int_equal(event(fabric, LOG_FTREE_LMC, 0)->first_line, 1);
	assert_string_equal(event(fabric, LOG_ENGINE_FAILED, 0)->text, "ftree");
	assert_string_equal(event(fabric, LOG_ENGINE_FAILED, 1)->text, "no_fallback");
	assert_int_equal(count(fabric, LOG_ENGINE_CONFIGURED), 3);
	assert_string_equal(event(fabric, LOG_ENGINE_CONFIGURED, 2)->text, "updn");
	assert_int_equal(count(fabric, LOG_NO_ENGINE), 1);
}

static void a_fall_back_is_told_engine_by_engine(void **state)
{
	struct fabric *fabric = read_log(FALL_BACK);

	(void)state;
	assert_fall_back(fabric);
	fabric_free(fabric);
}

/* As a mail program wraps it: between words, without the blank. */
static void a_log_wrapped_between_words_is_joined_again(void **state)
{
	static const char text[] = FALL_BACK;
	struct fabric *fabric;
	char wrapped[sizeof(text)];
	size_t column = 0, blank = 0;

	(void)state;
	memcpy(wrapped, text, sizeof(text));
	for (size_t i = 0; wrapped[i]; i++) {
		column = wrapped[i] == '\n' ? 0 : column + 1;
		if (wrapped[i] == ' ' && wrapped[i + 1] != ' ')
			blank = i;
		if (column == 72) {
			wrapped[blank] = '\n';
			column = i - blank;
		}
	}
	assert_non_null(strstr(wrapped, "ftree:\ncannot build"));
	fabric = read_log(wrapped);
	assert_string_equal(event(fabric, LOG_ENGINE_FAILED, 0)->text, "ftree");
	assert_string_equal(event(fabric, LOG_ENGINE_CONFIGURED, 1)->text, "minhop");
	assert_int_equal(count(fabric, LOG_FTREE_LMC), 1);
	assert_int_equal(count(fabric, LOG_NO_ENGINE), 1);
	assert_int_equal(count(fabric, LOG_ERROR), 0);
	assert_non_null(strstr(fabric->sources[0].detail, "wrapped between words"));
	fabric_free(fabric);

	fabric = read_log(text);
	assert_null(fabric->sources[0].detail);
	fabric_free(fabric);
}

/* As a terminal wraps it: words and numbers are taken apart. */
static void a_wrapped_log_is_joined_again(void **state)
{
	static const char text[] = FALL_BACK;
	struct fabric *fabric;
	char wrapped[2 * sizeof(text)];
	size_t out = 0, column = 0;

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(text); i++) {
		if (text[i] != '\n' && column == 80) {
			wrapped[out++] = '\n';
			column = 0;
		}
		wrapped[out++] = text[i];
		column = text[i] == '\n' ? 0 : column + 1;
	}
	wrapped[out] = '\0';
	assert_null(strstr(wrapped, "Failed to setup routing engine 'no_fallback'"));
	fabric = read_log(wrapped);
	assert_fall_back(fabric);
	fabric_free(fabric);
}

static void a_duplicate_node_guid_is_told_by_the_lines_without_a_time(void **state)
{
	static const char repeated[] =
		"Jan 05 10:00:01 000001 [1] 0x81 -> report_duplicated_guid: ERR 0D01: Found duplicated node GUID.\n"
		"Node 0x248a070300a1b2c0 port 1 is reachable from remote node 0x248a070300000001 port 3 and "
		"remote node 0x248a070300000002 port 7.\n"
		"Paths are:\n"
		"Jan 05 10:00:01 000002 [1] 0x01 -> Directed Path Dump of 2 hop path: Path = 0,1,3\n"
		"Jan 05 10:00:01 000003 [1] 0x01 -> Directed Path Dump of 2 hop path: Path = 0,1,3\n";
	char text[3 * sizeof(repeated)] = "";
	const struct log_event *duplicate;
	struct fabric *fabric;

	(void)state;

	strcat(text, repeated);
	strcat(text, repeated);
	fabric = read_log(text);
	duplicate = event(fabric, LOG_DUPLICATE_NODE_GUID, 0);

	assert_int_equal(fabric->config->event_count, 1);
	assert_int_equal(duplicate->count, 2);
	assert_true(duplicate->guid == 0x248a070300a1b2c0u);
	assert_int_equal(duplicate->port, 1);
	assert_true(duplicate->guid_a == 0x248a070300000001u);
	assert_int_equal(duplicate->port_a, 3);
	assert_true(duplicate->guid_b == 0x248a070300000002u);
	assert_int_equal(duplicate->port_b, 7);
	fabric_free(fabric);
}

static void errors_fold_whatever_their_transaction_id(void **state)
{
	struct fabric *fabric = read_log(
		"Jan 05 10:00:01 000001 [1] 0x01 -> sm_mad_ctrl_send_err_cb: ERR 3113: MAD completed in error "
		"(IB_TIMEOUT): SubnGet(NodeInfo), attr_mod 0x0, TID 0x1201\n"
		"Jan 05 10:00:02 000001 [1] 0x01 -> sm_mad_ctrl_send_err_cb: ERR 3113: MAD completed in error "
		"(IB_TIMEOUT): SubnGet(NodeInfo), attr_mod 0x0, TID 0x1202\n"
		"Jan 05 10:00:03 000001 [1] 0x01 -> state_mgr: ERR 3315: Unknown remote side for node "
		"0x248a070300000001 (leaf port 9) port 12. Adding to light sweep sampling list\n"
		"Jan 05 10:00:04 000001 [1] 0x01 -> qos: ERR AC05: Syntax error (line 3:4): syntax error\n"
		"Jan 05 10:00:05 000001 [1] 0x01 -> pr_rcv: ERR 1F24: Selected SL (3) leads to VL15 [a port 1 <-> b port 1]\n");

	(void)state;

	assert_int_equal(count(fabric, LOG_ERROR), 1);
	assert_int_equal(event(fabric, LOG_ERROR, 0)->count, 2);
	assert_true(event(fabric, LOG_UNKNOWN_REMOTE, 0)->guid == 0x248a070300000001u);
	assert_int_equal(event(fabric, LOG_UNKNOWN_REMOTE, 0)->port, 12);
	assert_string_equal(event(fabric, LOG_POLICY_REJECTED, 0)->error, "AC05");
	assert_non_null(strstr(event(fabric, LOG_SL_TO_VL15, 0)->text, "SL (3)"));
	fabric_free(fabric);
}

static void many_texts_of_one_error_end_in_one_event(void **state)
{
	struct import_text *files = import_text_new();
	char *text = calloc(5000, 80);
	struct fabric *fabric;
	size_t length = 0;
	int64_t total = 0;

	(void)state;

	assert_non_null(text);
	for (int i = 0; i < 5000; i++)
		length += (size_t)sprintf(text + length, "Jan 05 10:00:01 000001 [1] 0x01 -> f: ERR 1B11: "
					  "number %d is odd\n", i);
	import_text_add(files, "opensm.log", text, length);
	fabric = import_text_run(files);

	assert_true(fabric->config->event_count < 200);
	for (size_t i = 0; i < fabric->config->event_count; i++)
		total += fabric->config->events[i].count;
	assert_int_equal(total, 5000);
	fabric_free(fabric);
	free(text);
}

static void what_opensm_printed_at_its_start_counts_too(void **state)
{
	struct fabric *fabric = read_log(
		"OpenSM 3.3.23\n Reading Cached Option File: /etc/opensm/opensm.conf\n"
		" Invalid Cached Option Value:lmc = 9:Using Default:0\n"
		"-E- Parsing error in field m_key, expected numeric input received: 0x5ec3e7e7z\n"
		"Jan 05 10:00:00 000001 [7F00A740] 0x03 -> OpenSM 3.3.23\n"
		"Jan 05 10:00:00 000002 [7F00A740] 0x80 -> Entering DISCOVERING state\n");

	(void)state;

	assert_int_equal(count(fabric, LOG_OPTION_REJECTED), 2);
	assert_non_null(strstr(event(fabric, LOG_OPTION_REJECTED, 0)->text, "lmc = 9"));
	assert_null(event(fabric, LOG_OPTION_REJECTED, 0)->first_time);
	assert_null(strstr(event(fabric, LOG_OPTION_REJECTED, 1)->text, "5ec3e7"));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_keep_their_order_and_times),
		cmocka_unit_test(a_stranger_sm_is_counted_once_for_both_lines_and_its_key_is_hidden),
		cmocka_unit_test(a_fall_back_is_told_engine_by_engine),
		cmocka_unit_test(a_wrapped_log_is_joined_again),
		cmocka_unit_test(a_log_wrapped_between_words_is_joined_again),
		cmocka_unit_test(a_duplicate_node_guid_is_told_by_the_lines_without_a_time),
		cmocka_unit_test(errors_fold_whatever_their_transaction_id),
		cmocka_unit_test(many_texts_of_one_error_end_in_one_event),
		cmocka_unit_test(what_opensm_printed_at_its_start_counts_too),
	};

	return cmocka_run_group_tests_name("config_log", tests, NULL, NULL);
}
