/* What the tools of infiniband-diags say when they fail, and lines of other programs among their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/complaint.h"
#include "tests/support/import_text.h"
#include "tests/support/sample_files.h"

#define NODE_RECORD                                                                               \
	"NodeRecord dump:\n\t\tlid.....................4\n\t\treserved................0x0\n"       \
	"\t\tbase_version............0x1\n\t\tclass_version...........0x1\n"                       \
	"\t\tnode_type...............Channel Adapter\n\t\tnum_ports...............1\n"             \
	"\t\tsys_guid................0x0008f10500710020\n"                                         \
	"\t\tnode_guid...............0x0008f10500710020\n"                                         \
	"\t\tport_guid...............0x0008f10500710021\n"                                         \
	"\t\tpartition_cap...........0x80\n\t\tdevice_id...............0x1017\n"                   \
	"\t\trevision................0x0\n\t\tport_num................1\n"                         \
	"\t\tvendor_id...............0x2C9\n\t\tNodeDescription.........knot\n"
#define SWITCH_RECORD                                                                             \
	"SwitchInfoRecord dump:\n\t\tRID\n\t\tLID.....................4\n"                         \
	"\t\tSwitchInfo dump:\n\t\tLinearFDBCap............0xC000\n"
#define EXTENDED_PORT "# MLNX ext Port info: Lid 4 port 1\nStateChangeEnable:...............0x00\n"
#define PLAIN_COUNTERS "# Port counters: Lid 4 port 1 (CapMask: 0x1300)\nPortSelect:......................1\n"

static bool says(const struct fabric *fabric, const char *words)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].text && strstr(fabric->holes[i].text, words))
			return true;
	}
	return false;
}

static void complaints_are_told_from_what_a_tool_helps_itself_with(void **state)
{
	static const struct {
		enum complaint complaint;
		const char *line;
	} lines[] = {
		{COMPLAINT_END, "saquery: iberror: failed: query failed: 110"},
		{COMPLAINT_END, "/usr/sbin/perfquery: iberror: [pid 7] main: failed: can't resolve self"},
		{COMPLAINT_END, "ibpanic: [7] main: Failed to bind to the SA: Success"},
		{COMPLAINT_QUERY, "ibwarn: [4711] sa_query: umad_recv returned -110"},
		{COMPLAINT_QUERY, "ibwarn: [7] mad_rpc_open_port: client_register for mgmt 1 failed"},
		{COMPLAINT_QUERY, "ibwarn: [7] sa_get_handle: No SM/SA found on port mlx5_0:1"},
		{COMPLAINT_QUERY, "libibnetdisc/ibnetdisc.c:802; can't open MAD port (mlx5_0:1)"},
		{COMPLAINT_QUERY, "Query SA failed: Connection timed out"},
		{COMPLAINT_NONE, "ibwarn: [7] dump: PortXmitWait not indicated so ignore this counter"},
		{COMPLAINT_NONE, "ibwarn: [7] main: Partial fabric scan failed; attempting full scan"},
		{COMPLAINT_NONE, "src/chassis.c:7; Unsupported node description format:x - (get board failed)"},
		{COMPLAINT_NONE, "sm01 kernel: mlx5_core 0000:03:00.0: Port 1 failed"},
		{COMPLAINT_NONE, "NodeDescription.........iberror: failed: "},
		{COMPLAINT_NONE, "iberror"},
		{COMPLAINT_NONE, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (complaint_of(lines[i].line, strlen(lines[i].line)) != lines[i].complaint)
			fail_msg("\"%s\"", lines[i].line);
	}
}

static const char *const tools[] = {
	"saquery", "saquery-nodes", "saquery-list", "smpquery", "smpquery-nodes", "perfquery",
	"ibqueryerrors", "iblinkinfo", "ibnetdiscover", "ibnetdiscover-ports", "node-list",
	"sminfo", "dump_fts", "mft-dump", "ibstat", "ibstatus",
};
#define TOOLS (sizeof(tools) / sizeof(tools[0]))

static unsigned seen[TOOLS];

static void give_up_behind(const struct sample *sample)
{
	static const char words[] = "tool: iberror: failed: discover failed";
	static struct text harmed;
	struct fabric *before, *fabric;
	size_t tool = 0;

	while (tool < TOOLS && strcmp(sample->format->id, tools[tool]) != 0)
		tool++;
	if (tool == TOOLS || sample->text.length == 0 || sample->text.bytes[sample->text.length - 1] != '\n')
		return;
	seen[tool]++;
	harmed = sample->text;
	text_put(&harmed, words, sizeof(words) - 1);
	text_put(&harmed, "\n", 1);
	before = read_sample(sample->format, &sample->text);
	fabric = read_sample(sample->format, &harmed);
	if (says(before, words) || !says(fabric, words) || !fabric->partial ||
	    fabric->sources[0].odd_rows != before->sources[0].odd_rows)
		fail_msg("%s: %lld lines odd of %lld", sample->name,
			 (long long)fabric->sources[0].odd_rows,
			 (long long)before->sources[0].odd_rows);
	fabric_free(before);
	fabric_free(fabric);
}

static void a_tool_that_gave_up_did_not_tell_all(void **state)
{
	(void)state;
	each_sample(give_up_behind);
	for (size_t i = 0; i < TOOLS; i++) {
		if (seen[i] == 0)
			fail_msg("no sample of %s", tools[i]);
	}
}

static void failures_of_one_file_are_one_hole_with_the_gravest_words(void **state)
{
	static const char whole[] = NODE_RECORD NODE_RECORD;
	static const char text[] =
		NODE_RECORD "ibwarn: [7] sa_query: umad_recv returned -110\n"
		"saquery: iberror: failed: query failed: 110\n"
		"ibwarn: [8] sa_query: umad_recv returned -110\n";
	struct fabric *fabric = import_text("t", whole);

	(void)state;
	assert_false(fabric->partial);
	assert_int_equal(fabric->hole_count, 0);
	fabric_free(fabric);
	fabric = import_text("t", text);
	assert_true(fabric->partial);
	assert_int_equal(fabric->hole_count, 1);
	assert_int_equal(fabric->holes[0].reason, HOLE_CUT);
	assert_true(says(fabric, "line 18 says \"saquery: iberror: failed: query failed: 110\", "
				 "and 2 more complain"));
	fabric_free(fabric);
}

static void a_node_that_did_not_answer_is_told_of_though_not_what_it_was_asked(void **state)
{
	static const char text[] =
		PLAIN_COUNTERS "ibwarn: [7] mad_rpc: _do_madrpc failed; dport (Lid 9)\n";
	struct fabric *fabric = import_text("t", text);

	(void)state;
	assert_true(fabric->partial);
	assert_true(says(fabric, "line 3 says that a query to LID 9 failed: what was asked for"));
	fabric_free(fabric);
}

/* A line behind an answer is none of the answer's. */
static void assert_odd(const char *answer, const char *line)
{
	struct fabric *before, *fabric;
	char text[2000];

	before = import_text("t", answer);
	snprintf(text, sizeof(text), "%s%s\n", answer, line);
	fabric = import_text("t", text);
	if (fabric->sources[0].odd_rows != before->sources[0].odd_rows + 1 ||
	    fabric->sources[0].rows != before->sources[0].rows)
		fail_msg("\"%s\" is taken behind %.20s", line, answer);
	fabric_free(before);
	fabric_free(fabric);
}

static void lines_of_other_programs_are_no_keys(void **state)
{
	static const char *const answers[] = {NODE_RECORD, SWITCH_RECORD, EXTENDED_PORT, PLAIN_COUNTERS};
	static const char *const lines[] = {
		"Nov 29 20:52:27 sm01 kernel: mlx5_core 0000:03:00.0: Port 1 link down",
		"2: ib0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 2044",
		"Tx: 7",
		"ibwarn: [7] dump: PortXmitWait not indicated so ignore this counter",
		"Reading package lists... Done",
		"Loading...",
		"total.7",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		for (size_t k = 0; k < sizeof(lines) / sizeof(lines[0]); k++)
			assert_odd(answers[i], lines[k]);
	}
}

static void keys_of_releases_to_come_are_passed_over(void **state)
{
	static const char *const texts[] = {
		PLAIN_COUNTERS "PortNewErrors:...................7\n"
			 "PortErrorsOfANameOf31Characters:.7\n"
			 "PortErrorsWithANameOf32Character:7\n",
		SWITCH_RECORD "\t\tNewFDBCap...............7\n",
		NODE_RECORD "\t\tnew_field...............0x7\n",
		EXTENDED_PORT "LinkSpeedNew:....................0x01 (FDR10)\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char text[2000];
		struct fabric *before, *fabric;
		size_t first = strlen(texts[i]) - 1;

		while (texts[i][first - 1] != '\n')
			first--;
		snprintf(text, sizeof(text), "%.*s", (int)first, texts[i]);
		before = import_text("t", text);
		fabric = import_text("t", texts[i]);
		assert_int_equal(fabric->sources[0].odd_rows, before->sources[0].odd_rows);
		assert_int_equal(fabric->sources[0].rows, before->sources[0].rows + 1);
		fabric_free(before);
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(complaints_are_told_from_what_a_tool_helps_itself_with),
		cmocka_unit_test(a_tool_that_gave_up_did_not_tell_all),
		cmocka_unit_test(failures_of_one_file_are_one_hole_with_the_gravest_words),
		cmocka_unit_test(a_node_that_did_not_answer_is_told_of_though_not_what_it_was_asked),
		cmocka_unit_test(lines_of_other_programs_are_no_keys),
		cmocka_unit_test(keys_of_releases_to_come_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
