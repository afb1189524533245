/* One file with the output of several tools: where it is taken apart, and where it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"
#include "tests/support/import_text.h"

#define TOPOLOGY                                                                                  \
	"#\n# Topology file: generated on Mon Dec 18 12:34:08 2023\n#\n"                           \
	"vendid=0x2c9\ndevid=0xcb20\nswitchguid=0x8f10500650010(8f10500650010)\n"                 \
	"Switch\t2 \"S-0008f10500650010\"\t\t# \"s\" base port 0 lid 4 lmc 0\n"                   \
	"[1]\t\"H-0008f10500710020\"[1](8f10500710021) \t\t# \"h\" lid 7 4xEDR\n\n"               \
	"vendid=0x2c9\ndevid=0x1017\ncaguid=0x8f10500710020\n"                                   \
	"Ca\t1 \"H-0008f10500710020\"\t\t# \"h\"\n"                                               \
	"[1](8f10500710021) \t\"S-0008f10500650010\"[1]\t\t# lid 7 lmc 0 \"s\" lid 4 4xEDR\n"
#define LINKS                                                                                     \
	"CA: h:\n      0x0008f10500710021      7    1[  ] ==( 4X      25.78125 Gbps Active/  "    \
	"LinkUp)==>       4    1[  ] \"s\" ( )\n"                                                 \
	"Switch: 0x0008f10500650010 s:\n           4    1[  ] ==( 4X      25.78125 Gbps Active/  " \
	"LinkUp)==>       7    1[  ] \"h\" ( )\n           4    2[  ] ==(                "        \
	"Down/ Polling)==>             [  ] \"\" ( )\n"
#define SMINFO "sminfo: sm lid 7 sm guid 0x8f10500710021, activity count 2313 priority 4 state 3 SMINFO_MASTER\n"
#define IBSTAT                                                                                    \
	"CA 'mlx5_0'\n\tCA type: MT4119\n\tNumber of ports: 1\n\tFirmware version: 16.35.2000\n"  \
	"\tNode GUID: 0x0008f10500710020\n\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n" \
	"\t\tRate: 100\n\t\tBase lid: 7\n\t\tLMC: 0\n\t\tSM lid: 7\n"                             \
	"\t\tCapability mask: 0xa651e84a\n\t\tPort GUID: 0x0008f10500710021\n\t\tLink layer: InfiniBand\n"
#define GIDS                                                                                      \
	"DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n" \
	"mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:c0a8:1e07\t192.168.30.7  \tv2\tens5f0\nn_gids_found=1\n"
#define OPENSM_CONF "# ibdiagnet and\n# sminfo are tools\nlmc 2\nqos TRUE\nmax_op_vls 5\n"
#define PARTITIONS "Default=0x7fff, ipoib : ALL=full;\nA=0x10 : ALL=full;\n"

static const struct source *find_source(const struct fabric *fabric, const char *format)
{
	for (size_t i = 0; i < fabric->source_count; i++) {
		if (strcmp(fabric->sources[i].format, format) == 0)
			return &fabric->sources[i];
	}
	return NULL;
}

static void assert_part(const struct fabric *fabric, const char *format, int64_t rows, int64_t odd,
			const char *lines)
{
	const struct source *source = find_source(fabric, format);

	if (!source)
		fail_msg("no part is %s", format);
	assert_int_equal(source->rows, rows);
	assert_int_equal(source->odd_rows, odd);
	if (!source->detail || strncmp(source->detail, lines, strlen(lines)) != 0)
		fail_msg("%s: \"%s\" is not \"%s\"", format, source->detail ? source->detail : "", lines);
}

static void each_tool_s_output_is_a_source_with_the_lines_of_the_file(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# iblinkinfo\n" LINKS
					    "[root@sm ~]# ibnetdiscover\n" TOPOLOGY
					    "[root@sm ~]# sminfo\n" SMINFO "[root@sm ~]# exit\n");

	(void)state;
	assert_int_equal(fabric->source_count, 3);
	assert_part(fabric, "iblinkinfo", 3, 0, "lines 1 to 6");
	assert_part(fabric, "ibnetdiscover", 4, 0, "lines 7 to 21");
	assert_part(fabric, "sminfo", 1, 0, "lines 22 to 24");
	assert_non_null(strstr(find_source(fabric, "sminfo")->name, "/s.log (sminfo)"));
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->sm_count, 1);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void what_is_only_pasted_one_behind_the_other_is_taken_apart_where_only_another_format_begins(
	void **state)
{
	struct fabric *fabric = import_text("mail", "Hello,\nhere is all.\n" TOPOLOGY LINKS SMINFO IBSTAT GIDS
					    "Yours\n");

	(void)state;
	assert_int_equal(fabric->source_count, 5);
	assert_part(fabric, "ibnetdiscover", 4, 2, "lines 1 to 16");
	assert_part(fabric, "iblinkinfo", 3, 0, "lines 17 to 21");
	assert_part(fabric, "sminfo", 1, 0, "lines 22 to 22");
	assert_part(fabric, "ibstat", 15, 0, "lines 23 to 37");
	assert_part(fabric, "show_gids", 1, 1, "lines 38 to 42");
	assert_int_equal(fabric->odd_lines[fabric->odd_line_count - 1].line, 42);
	fabric_free(fabric);
}

static void what_other_commands_print_is_counted_and_costs_nothing_else(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# uptime\n 10:00:00 up 3 days\n"
					    "[root@sm ~]# ibnetdiscover\n" TOPOLOGY
					    "[root@sm ~]# cat /etc/hosts\n10.0.0.1 sm\n10.0.0.2 h\n"
					    "[root@sm ~]# sminfo\n" SMINFO);

	(void)state;
	assert_int_equal(fabric->source_count, 3);
	assert_part(fabric, "ibnetdiscover", 4, 0, "lines 3 to 17");
	assert_part(fabric, "unknown", 0, 3, "what other commands print is not read here; the first is `uptime`");
	assert_int_equal(fabric->hole_count, 0);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void a_prompt_in_the_middle_of_an_answer_ends_nothing(void **state)
{
	static const char cut[] =
		"[root@sm ~]# ibnetdiscover &\n[root@sm ~]# vendid=0x2c9\ndevid=0xcb20\n"
		"switchguid=0x8f10500650010(8f10500650010)\n"
		"Switch\t2 \"S-0008f10500650010\"\t\t# \"s\" base port 0 lid 4 lmc 0\n"
		"[root@sm ~]#\n[root@sm ~]# ibstat -l\n"
		"[1]\t\"H-0008f10500710020\"[1](8f10500710021) \t\t# \"h\" lid 7 4xEDR\n\n"
		"caguid=0x8f10500710020\nCa\t1 \"H-0008f10500710020\"\t\t# \"h\"\n"
		"[1](8f10500710021) \t\"S-0008f10500650010\"[1]\t\t# lid 7 lmc 0 \"s\" lid 4 4xEDR\n";
	struct fabric *fabric = import_text("s.log", cut);

	(void)state;
	assert_int_equal(fabric->source_count, 1);
	assert_int_equal(fabric->sources[0].rows, 4);
	assert_int_equal(fabric->sources[0].odd_rows, 0);
	fabric_free(fabric);
}

/* Names of devices that a device's owner may choose. */
static void a_node_description_that_looks_like_a_beginning_begins_nothing(void **state)
{
	static const char *const names[] = {
		"[root@sm ~]# iblinkinfo", "root@sm:~# sminfo",	 "# Topology file: generated on ",
		"START_NODES",		   "CA 'mlx5_0'",	 "sminfo: sm lid 7",
		"Switch: 0x8f10500650010", "# sminfo",		 "sm:~ # ibstat",
		"Unicast lids [0x1-0x2]",  "{ CA Ports:01",	 "NodeRecord dump:",
	};
	char text[2000];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct fabric *fabric;

		snprintf(text, sizeof(text), "CA: %s:\n      0x0008f10500710021      7    1[  ] ==( 4X      25.78125 Gbps Active/  "
			 "LinkUp)==>       4    1[  ] \"%s\" ( )\nSwitch: 0x0008f10500650010 %s:\n"
			 "           4    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       7    1[  ] \"%s\" ( )\n",
			 names[i], names[i], names[i], names[i]);
		fabric = import_text("l", text);
		if (fabric->source_count != 1 || fabric->sources[0].rows != 2)
			fail_msg("%s", names[i]);
		fabric_free(fabric);
		snprintf(text, sizeof(text), "Ca\t: 0x0008f10500710020 ports 1 \"%s\"\n# Node info: Lid 7\n"
			 "Node Description:%s\n", names[i], names[i]);
		fabric = import_text("l", text);
		if (fabric->source_count > 2)
			fail_msg("%s", names[i]);
		fabric_free(fabric);
	}
}

static void a_configuration_whose_comments_name_tools_is_one(void **state)
{
	struct fabric *fabric = import_text("opensm.conf", OPENSM_CONF "# iblinkinfo -l\n# sminfo\n"
					    "CA 'mlx5_0'\nlash_start_vl 0\n");

	(void)state;
	assert_int_equal(fabric->source_count, 1);
	assert_string_equal(fabric->sources[0].format, "opensm.conf");
	assert_string_equal(effective_option(fabric, "max_op_vls"), "5");
	fabric_free(fabric);
}

static void configurations_behind_prompts_are_files_of_their_own(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# cat /etc/opensm/opensm.conf\n" OPENSM_CONF
					    "[root@sm ~]# cat /etc/opensm/partitions.conf\n" PARTITIONS
					    "[root@sm ~]# \n");

	(void)state;
	assert_int_equal(fabric->source_count, 2);
	assert_part(fabric, "opensm.conf", 5, 0, "lines 2 to 6");
	assert_part(fabric, "partitions.conf", 2, 0, "lines 8 to 9");
	assert_int_equal(fabric->config->problem_count, 0);
	assert_int_equal(fabric->config->partition_count, 2);
	assert_int_equal(fabric->config->partitions[1].line, 9);
	fabric_free(fabric);
}

static void what_was_searched_for_in_a_configuration_is_not_the_configuration(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# sminfo\n" SMINFO
					    "[root@sm ~]# grep -v '^#' /etc/opensm/opensm.conf | head -3\n"
					    "lmc 2\nqos TRUE\nmax_op_vls 5\n");

	(void)state;
	assert_null(find_source(fabric, "opensm.conf"));
	assert_part(fabric, "unknown", 0, 3, "what other commands");
	fabric_free(fabric);
}

static void the_host_is_the_one_in_the_prompt_of_its_part(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@n1 ~]# ibstat\n" IBSTAT "[root@n1 ~]# show_gids\n" GIDS
					    "[root@n2 ~]# show_gids\n" GIDS);

	(void)state;
	assert_int_equal(fabric->source_count, 2);
	assert_int_equal(fabric->host_port_count, 1);
	assert_string_equal(fabric->host_ports[0].host, "n1");
	assert_int_equal(fabric->host_gid_count, 2);
	assert_string_equal(fabric->host_gids[0].host, "n1");
	assert_string_equal(fabric->host_gids[1].host, "n2");
	fabric_free(fabric);
}

static void one_command_line_may_print_two_outputs_of_its_host(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@n1 ~]# ibstat; show_gids\n" IBSTAT GIDS
					    "[root@n2 ~]# uptime\n 10:00 up\n" GIDS);

	(void)state;
	assert_string_equal(fabric->host_ports[0].host, "n1");
	assert_int_equal(fabric->host_gid_count, 2);
	assert_string_equal(fabric->host_gids[0].host, "n1");
	assert_string_equal(fabric->host_gids[1].host, "n2");
	fabric_free(fabric);
}

static void what_ran_elsewhere_is_not_of_the_prompt_s_host(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# ssh -p 22 root@n1 show_gids\n" GIDS
					    "[root@sm ~]# ssh n2 show_gids\n" GIDS
					    "[root@sm ~]# pdsh -w n3 show_gids\n" GIDS);

	(void)state;
	assert_int_equal(fabric->host_gid_count, 3);
	assert_string_equal(fabric->host_gids[0].host, "n1");
	assert_string_equal(fabric->host_gids[1].host, "n2");
	assert_null(fabric->host_gids[2].host);
	fabric_free(fabric);
}

static void a_part_that_ends_too_early_is_told_as_cut(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# ibnetdiscover\n" TOPOLOGY "[root@n1 ~]# ibstat\n"
					    "CA 'mlx5_0'\n\tNumber of ports: 2\n\tNode GUID: 0x0008f10500710020\n"
					    "\tPort 1:\n\t\tState: Active\n\t\tPort GUID: 0x0008f10500710021\n"
					    "[root@sm ~]# sminfo\n" SMINFO);
	const struct hole *hole = NULL;

	(void)state;
	assert_int_equal(fabric->source_count, 3);
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].reason == HOLE_CUT)
			hole = &fabric->holes[i];
	}
	assert_non_null(hole);
	assert_string_equal(fabric->sources[hole->source - 1].format, "ibstat");
	assert_non_null(strstr(hole->text, "(its last line is 22)"));
	assert_true(fabric->partial);
	fabric_free(fabric);
}

static void colours_quotes_and_line_ends_of_a_log_do_not_hide_its_parts(void **state)
{
	static const char *const texts[] = {
		"\x1b[01;32m[root@sm ~]#\x1b[00m sminfo\r\n" SMINFO "\x1b]0;t\a[root@sm ~]# ibstat\r\n" IBSTAT,
		"> [root@sm ~]# sminfo\n> sminfo: sm lid 7 sm guid 0x8f10500710021, activity count 2313 "
		"priority 4 state 3 SMINFO_MASTER\n> [root@sm ~]# show_gids\n"
		"> DEV\tPORT\tINDEX\tGID\n> mlx5_0\t1\t3\tfe80:0000:0000:0000:0000:ffff:c0a8:1e07\t\tv2\tens5f0\n"
		"> n_gids_found=1\n",
		"\xef\xbb\xbf" SMINFO "\xef\xbb\xbf" "Infiniband device 'mlx5_0' port 1 status:\n"
		"\tdefault gid:\t fe80:0000:0000:0000:0008:f105:0071:0021\n\tbase lid:\t 0x7\n\tsm lid:\t\t 0x7\n"
		"\tstate:\t\t 4: ACTIVE\n\tphys state:\t 5: LinkUp\n\trate:\t\t 100 Gb/sec (4X EDR)\n"
		"\tlink_layer:\t InfiniBand\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = import_text("s.log", texts[i]);

		if (fabric->source_count != 2 || fabric->sm_count != 1 ||
		    fabric->host_port_count + fabric->host_gid_count != 1 || fabric->odd_line_count > 0)
			fail_msg("text %zu: %zu sources, %zu odd lines", i, fabric->source_count,
				 fabric->odd_line_count);
		fabric_free(fabric);
	}
}

static void a_later_topology_in_one_log_is_a_source_with_its_own_time(void **state)
{
	struct fabric *fabric = import_text("s.log", TOPOLOGY
		"#\n# Topology file: generated on Mon Dec 25 12:34:08 2023\n#\n"
		"switchguid=0x8f10500650010(8f10500650010)\n"
		"Switch\t2 \"S-0008f10500650010\"\t\t# \"s\" base port 0 lid 4 lmc 0\n"
		"[2]\t\"H-0008f10500710020\"[1](8f10500710021) \t\t# \"h\" lid 7 4xEDR\n\n"
		"caguid=0x8f10500710020\nCa\t1 \"H-0008f10500710020\"\t\t# \"h\"\n"
		"[1](8f10500710021) \t\"S-0008f10500650010\"[2]\t\t# lid 7 lmc 0 \"s\" lid 4 4xEDR\n");
	const struct device *host = fabric_device_find(fabric, 0x8f10500710020);

	(void)state;
	assert_int_equal(fabric->source_count, 2);
	assert_int_equal(fabric->sources[1].taken_at - fabric->sources[0].taken_at, 7 * 86400);
	assert_non_null(strstr(fabric->sources[1].name, "s.log (ibnetdiscover 2)"));
	assert_int_equal(fabric->guid_conflict_count, 0);
	assert_int_equal(device_port(host, 1)->peer->num, 2);
	fabric_free(fabric);
}

static void opensm_s_cables_behind_another_output_are_a_source_of_their_own(void **state)
{
	static const char counters[] =
		"# Port counters: Lid 5 port 1 (CapMask: 0x1300)\nPortSelect:......................1\n";
	static const char cables[] = "0x0008f10500650010:1 0x0008f10500710021:1\n\n"
				     "0x0008f10500650010:2 0x0008f10500710031:1\n\n";
	struct fabric *fabric;
	char text[400];

	(void)state;
	snprintf(text, sizeof(text), "%s\n%s", counters, cables);
	fabric = import_text("t", text);
	assert_int_equal(fabric->source_count, 2);
	assert_part(fabric, "perfquery", 2, 1, "lines 1 to 3");
	assert_part(fabric, "neighbors", 2, 0, "lines 4 to 7");
	fabric_free(fabric);
	fabric = import_text("t", cables);
	assert_int_equal(fabric->source_count, 1);
	assert_int_equal(fabric->sources[0].rows, 2);
	assert_null(fabric->sources[0].detail);
	fabric_free(fabric);
}

#define UP "( 4X      25.78125 Gbps Active/  LinkUp)==>"
#define CA_LINES(name, guid, lid, port)                                                           \
	"CA: " name ":\n      " guid "      " lid "    1[  ] ==" UP "       4    " port "[  ] \"s\" ( )\n"
#define SWITCH_TITLE "Switch: 0x0008f10500650010 s:\n"
#define SWITCH_ROW(port, lid, name)                                                               \
	"           4    " port "[  ] ==" UP "       " lid "    1[  ] \"" name "\" ( )\n"
#define THREE_HOSTS                                                                               \
	CA_LINES("a", "0x0008f10500710021", "7", "1") CA_LINES("b", "0x0008f10500710031", "8", "2") \
	CA_LINES("c", "0x0008f10500710041", "9", "3") SWITCH_TITLE SWITCH_ROW("1", "7", "a")      \
	SWITCH_ROW("2", "8", "b") SWITCH_ROW("3", "9", "c")
#define TWO_HOSTS                                                                                 \
	CA_LINES("a", "0x0008f10500710021", "7", "1") CA_LINES("b", "0x0008f10500710031", "8", "2") \
	SWITCH_TITLE SWITCH_ROW("1", "7", "a") SWITCH_ROW("2", "8", "b")                          \
	"           4    3[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"

static void assert_c_has_left(struct fabric *fabric)
{
	const struct port *port = device_port(fabric_device_find(fabric, 0x8f10500650010), 3);

	assert_int_equal(fabric->source_count, 2);
	assert_int_equal(port->info.port_state, 1);
	assert_null(port->peer);
	assert_null(fabric_device_find(fabric, 0x8f10500710041));
	assert_int_equal(fabric->device_count, 3);
	assert_int_equal(fabric->hole_count, 0);
	assert_int_equal(fabric->odd_line_count, 0);
	assert_false(fabric->partial);
}

static void of_two_runs_of_one_tool_in_one_file_the_one_further_down_is_later(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# iblinkinfo\n" THREE_HOSTS
					    "[root@sm ~]# iblinkinfo\n" TWO_HOSTS);

	(void)state;
	assert_c_has_left(fabric);
	assert_int_equal(fabric->sources[1].taken_at, FIELD_UNKNOWN);
	assert_int_equal(fabric->contradictions[0].kept_source, 2);
	fabric_free(fabric);
	/* The other way round it has come. */
	fabric = import_text("s.log", "[root@sm ~]# iblinkinfo\n" TWO_HOSTS
			     "[root@sm ~]# iblinkinfo\n" THREE_HOSTS);
	assert_int_equal(fabric->device_count, 4);
	assert_non_null(device_port(fabric_device_find(fabric, 0x8f10500650010), 3)->peer);
	assert_false(fabric->partial);
	fabric_free(fabric);
}

static void what_date_prints_begins_a_run_and_is_its_time(void **state)
{
	struct fabric *fabric = import_text("cron.log", "Sun Nov 29 03:00:01 UTC 2026\n" THREE_HOSTS
					    "Mon Nov 30 03:00:02 UTC 2026\n" TWO_HOSTS);

	(void)state;
	assert_c_has_left(fabric);
	assert_int_equal(fabric->sources[0].taken_at, 1795921201);
	assert_int_equal(fabric->sources[1].taken_at, 1795921201 + 86401);
	fabric_free(fabric);
}

static void a_date_behind_each_run_is_not_the_time_of_the_next(void **state)
{
	struct fabric *fabric = import_text("cron.log", THREE_HOSTS "Sun Nov 29 03:00:01 UTC 2026\n" TWO_HOSTS
					    "Mon Nov 30 03:00:02 UTC 2026\n");

	(void)state;
	assert_c_has_left(fabric);
	assert_int_equal(fabric->sources[0].taken_at, FIELD_UNKNOWN);
	assert_int_equal(fabric->sources[1].taken_at, FIELD_UNKNOWN);
	fabric_free(fabric);
}

static void a_later_run_that_is_not_whole_takes_no_device_out(void **state)
{
	/* The switch's rows alone; all but the last line; and with a line that is lost. */
	static const char *const later[] = {
		SWITCH_TITLE SWITCH_ROW("1", "7", "a") SWITCH_ROW("2", "8", "b"),
		CA_LINES("a", "0x0008f10500710021", "7", "1") SWITCH_TITLE SWITCH_ROW("1", "7", "a")
		SWITCH_ROW("2", "8", "b"),
		TWO_HOSTS "           4    4[  ] ==( 4X\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(later) / sizeof(later[0]); i++) {
		char text[8000];
		struct fabric *fabric;

		snprintf(text, sizeof(text), "[root@sm ~]# iblinkinfo\n%s[root@sm ~]# iblinkinfo\n%s",
			 THREE_HOSTS, later[i]);
		fabric = import_text("s.log", text);
		assert_int_equal(fabric->source_count, 2);
		if (!fabric_device_find(fabric, 0x8f10500710041))
			fail_msg("text %zu: c is gone", i);
		fabric_free(fabric);
	}
}

static void what_another_part_names_too_has_not_left(void **state)
{
	struct fabric *fabric = import_text("s.log", "[root@sm ~]# iblinkinfo\n" THREE_HOSTS
					    "[root@sm ~]# iblinkinfo\n" TWO_HOSTS
					    "[root@sm ~]# ibhosts\n"
					    "Ca\t: 0x0008f10500710041 ports 1 \"c\"\n");

	(void)state;
	assert_int_equal(fabric->source_count, 3);
	assert_non_null(fabric_device_find(fabric, 0x8f10500710041));
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_tool_s_output_is_a_source_with_the_lines_of_the_file),
		cmocka_unit_test(what_is_only_pasted_one_behind_the_other_is_taken_apart_where_only_another_format_begins),
		cmocka_unit_test(what_other_commands_print_is_counted_and_costs_nothing_else),
		cmocka_unit_test(a_prompt_in_the_middle_of_an_answer_ends_nothing),
		cmocka_unit_test(a_node_description_that_looks_like_a_beginning_begins_nothing),
		cmocka_unit_test(a_configuration_whose_comments_name_tools_is_one),
		cmocka_unit_test(configurations_behind_prompts_are_files_of_their_own),
		cmocka_unit_test(what_was_searched_for_in_a_configuration_is_not_the_configuration),
		cmocka_unit_test(the_host_is_the_one_in_the_prompt_of_its_part),
		cmocka_unit_test(one_command_line_may_print_two_outputs_of_its_host),
		cmocka_unit_test(what_ran_elsewhere_is_not_of_the_prompt_s_host),
		cmocka_unit_test(a_part_that_ends_too_early_is_told_as_cut),
		cmocka_unit_test(colours_quotes_and_line_ends_of_a_log_do_not_hide_its_parts),
		cmocka_unit_test(a_later_topology_in_one_log_is_a_source_with_its_own_time),
		cmocka_unit_test(opensm_s_cables_behind_another_output_are_a_source_of_their_own),
		cmocka_unit_test(of_two_runs_of_one_tool_in_one_file_the_one_further_down_is_later),
		cmocka_unit_test(what_date_prints_begins_a_run_and_is_its_time),
		cmocka_unit_test(a_date_behind_each_run_is_not_the_time_of_the_next),
		cmocka_unit_test(a_later_run_that_is_not_whole_takes_no_device_out),
		cmocka_unit_test(what_another_part_names_too_has_not_left),
	};

	return cmocka_run_group_tests_name("import_parts", tests, NULL, NULL);
}
