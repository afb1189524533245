/*
 * Snapshots of different files of one fabric, which nobody touched in between: none
 * tells all of it, and what one cannot tell is neither gone nor new.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "store/diff.h"
#include "store/node_names.h"
#include "support/import_sample.h"
#include "support/import_text.h"

static struct diff *compare(struct fabric *older, const struct fabric *newer)
{
	struct diff *diff = NULL;
	struct err err = {0};

	assert_int_equal(fabric_adopt_names(older, newer, &err), 0);
	assert_int_equal(diff_new(older, newer, NULL, DIFF_ALL & ~(unsigned)DIFF_FINDING, &diff, &err), 0);
	return diff;
}

static bool has_note(const struct diff *diff, const char *text)
{
	for (size_t i = 0; i < diff->note_count; i++) {
		if (strstr(diff->notes[i], text))
			return true;
	}
	return false;
}

static void no_file_of_one_fabric_adds_or_removes_anything(void **state)
{
	static const char *const names[] = {
		"ibnetdiscover.txt", "ibnetdiscover-ports.txt", "iblinkinfo.txt", "iblinkinfo-line.txt",
		"ibnetdiscover-list.txt", "ibhosts.txt", "ibswitches.txt", "neighbors", "guid2lid",
		"dump_fts.txt", "opensm-subnet.lst", "perfquery.txt", "ibstat.txt", "saquery-NR.txt",
		"smpquery-NI-2.txt", "opensm-sl2vl.dump", "ibqueryerrors.txt", "sminfo.txt",
	};
	size_t count = sizeof(names) / sizeof(names[0]);
	unsigned failures = 0;

	(void)state;
	for (size_t i = 0; i < count * count; i++) {
		struct fabric *older = import_samples(names[i / count], NULL);
		struct fabric *newer = import_samples(names[i % count], NULL);
		struct diff *diff = compare(older, newer);

		for (size_t c = 0; c < diff->change_count; c++) {
			if (diff->changes[c].kind != DIFF_DEVICE_REMOVED &&
			    diff->changes[c].kind != DIFF_DEVICE_ADDED &&
			    diff->changes[c].kind != DIFF_LINK_REMOVED &&
			    diff->changes[c].kind != DIFF_LINK_ADDED &&
			    diff->changes[c].kind != DIFF_LINK_MOVED)
				continue;
			print_error("%s, %s: %s\n", names[i / count], names[i % count],
				    diff->changes[c].subject);
			failures++;
		}
		diff_free(diff);
		fabric_free(older);
		fabric_free(newer);
	}
	assert_int_equal(failures, 0);
}

static void a_host_that_left_a_list_of_hosts_is_removed(void **state)
{
	struct fabric *older = import_text("h", "Ca\t: 0x00000000000000a1 ports 1 \"one\"\n"
						"Ca\t: 0x00000000000000b1 ports 1 \"two\"\n");
	struct fabric *newer = import_text("h", "Ca\t: 0x00000000000000a1 ports 1 \"one\"\n");
	struct diff *diff = compare(older, newer);

	(void)state;
	assert_int_equal(diff->change_count, 1);
	assert_int_equal(diff->changes[0].kind, DIFF_DEVICE_REMOVED);
	assert_int_equal(diff->changes[0].node_guid, 0xb1);
	assert_true(has_note(diff, "links are not compared"));
	diff_free(diff);
	fabric_free(older);
	fabric_free(newer);
}

static void a_list_of_hosts_says_nothing_of_switches(void **state)
{
	struct fabric *older = import_samples("ibnetdiscover.txt", NULL);
	struct fabric *newer = import_samples("ibhosts.txt", NULL);
	struct diff *diff = compare(older, newer);

	(void)state;
	assert_int_equal(diff->change_count, 0);
	assert_true(has_note(diff, "3 switches are not compared: the sources of the newer"));
	diff_free(diff);
	fabric_free(older);
	fabric_free(newer);
}

static void node_guids_alone_and_port_guids_are_not_compared(void **state)
{
	struct fabric *older = import_samples("ibhosts.txt", NULL);
	struct fabric *newer = import_samples("iblinkinfo.txt", NULL);
	struct diff *diff = compare(older, newer);

	(void)state;
	assert_int_equal(diff->change_count, 0);
	assert_true(has_note(diff, "4 hosts of the older snapshot are not compared"));
	assert_true(has_note(diff, "4 hosts of the newer snapshot are not compared"));
	diff_free(diff);
	fabric_free(older);
	fabric_free(newer);
}

/* The port GUID of the one host is the node GUID of the other. */
#define CHAIN                                                                                     \
	"vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x5001\nswitchguid=0x5000000000005001(5000000000005001)\n" \
	"Switch\t36 \"S-5000000000005001\"\t\t# \"sw\" enhanced port 0 lid 1 lmc 0\n"                 \
	"[1]\t\"H-50000000000000f1\"[1](50000000000000f2) \t\t# \"one\" lid 2 4xEDR\n"                \
	"[2]\t\"H-50000000000000f2\"[1](50000000000000f3) \t\t# \"two\" lid 3 4xEDR\n\n"              \
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x50000000000000f1\ncaguid=0x50000000000000f1\n"      \
	"Ca\t1 \"H-50000000000000f1\"\t\t# \"one\"\n"                                                 \
	"[1](50000000000000f2) \t\"S-5000000000005001\"[1]\t\t# lid 2 lmc 0 \"sw\" lid 1 4xEDR\n\n"    \
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x50000000000000f2\ncaguid=0x50000000000000f2\n"      \
	"Ca\t1 \"H-50000000000000f2\"\t\t# \"two\"\n"                                                 \
	"[1](50000000000000f3) \t\"S-5000000000005001\"[2]\t\t# lid 3 lmc 0 \"sw\" lid 1 4xEDR\n"
#define CHAIN_BY_PORTS(second)                                                                    \
	"CA     2  1 0x50000000000000f2 4x EDR - SW     1  1 0x5000000000005001 ( 'one' - 'sw' )\n"  \
	"SW     1  1 0x5000000000005001 4x EDR - CA     2  1 0x50000000000000f2 ( 'sw' - 'one' )\n"  \
	second
#define SECOND                                                                                    \
	"CA     3  1 0x50000000000000f3 4x EDR - SW     1  2 0x5000000000005001 ( 'two' - 'sw' )\n"  \
	"SW     1  2 0x5000000000005001 4x EDR - CA     3  1 0x50000000000000f3 ( 'sw' - 'two' )\n"

static void a_port_guid_that_is_another_ones_node_guid_names_its_own_node(void **state)
{
	(void)state;
	for (int back = 0; back < 2; back++) {
		struct fabric *nodes = import_text("n", CHAIN);
		struct fabric *ports = import_text("p", CHAIN_BY_PORTS(SECOND));
		struct diff *diff = back ? compare(ports, nodes) : compare(nodes, ports);

		assert_int_equal(nodes->device_count, 3);
		assert_int_equal(ports->device_count, 3);
		assert_int_equal(diff->change_count, 0);
		diff_free(diff);
		fabric_free(nodes);
		fabric_free(ports);
	}
}

static void a_host_that_left_is_not_mixed_up_with_the_one_that_stayed(void **state)
{
	struct fabric *nodes = import_text("n", CHAIN);
	struct fabric *ports = import_text("p", CHAIN_BY_PORTS(""));
	struct diff *diff = compare(nodes, ports);
	size_t removed = 0;

	(void)state;
	for (size_t i = 0; i < diff->change_count; i++) {
		assert_true(diff->changes[i].kind == DIFF_DEVICE_REMOVED ||
			    diff->changes[i].kind == DIFF_LINK_REMOVED);
		if (diff->changes[i].kind != DIFF_DEVICE_REMOVED)
			continue;
		removed++;
		assert_non_null(strstr(diff->changes[i].subject, "two"));
	}
	assert_int_equal(removed, 1);
	diff_free(diff);
	fabric_free(nodes);
	fabric_free(ports);
}

/* The switch's block and that of the second host are gone: of their cable nothing is told. */
#define CHAIN_CUT                                                                                 \
	"vendid=0x2c9\ndevid=0x1017\nsysimgguid=0x50000000000000f1\ncaguid=0x50000000000000f1\n"      \
	"Ca\t1 \"H-50000000000000f1\"\t\t# \"one\"\n"                                                 \
	"[1](50000000000000f2) \t\"S-5000000000005001\"[1]\t\t# lid 2 lmc 0 \"sw\" lid 1 4xEDR\n"

static void a_cable_in_the_part_that_was_cut_off_is_not_removed(void **state)
{
	(void)state;
	for (int back = 0; back < 2; back++) {
		struct fabric *whole = import_text("n", CHAIN);
		struct fabric *cut = import_text("n", CHAIN_CUT);
		struct diff *diff = back ? compare(cut, whole) : compare(whole, cut);

		assert_true(cut->partial);
		for (size_t i = 0; i < diff->change_count; i++)
			assert_int_equal(diff->changes[i].kind, DIFF_DEVICE_NOT_REACHED);
		assert_true(has_note(diff, "1 link lies behind something that did not answer"));
		diff_free(diff);
		fabric_free(whole);
		fabric_free(cut);
	}
}

#define IBSTAT(host, fw, state, phys, rate, lid)                                                  \
	"[root@" host " ~]# ibstat\nCA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n"           \
	"\tFirmware version: " fw "\n\tHardware version: 0\n\tNode GUID: 0x5000000000000a10\n"        \
	"\tSystem image GUID: 0x5000000000000a10\n\tPort 1:\n\t\tState: " state                       \
	"\n\t\tPhysical state: " phys "\n\t\tRate: " rate "\n\t\tBase lid: " lid                       \
	"\n\t\tLMC: 0\n\t\tSM lid: 1\n\t\tCapability mask: 0xa651e848\n"                              \
	"\t\tPort GUID: 0x5000000000000a10\n\t\tLink layer: InfiniBand\n"

static void expect_change(const struct diff *diff, enum diff_kind kind, const char *field,
			  const char *before, const char *after)
{
	for (size_t i = 0; i < diff->change_count; i++) {
		const struct change *change = &diff->changes[i];

		if (change->kind != kind || strcmp(change->field, field) != 0)
			continue;
		assert_string_equal(change->subject, "n1 mlx5_0 port 1");
		assert_string_equal(change->before, before);
		assert_string_equal(change->after, after);
		return;
	}
	fail_msg("no change of %s", field);
}

static void what_a_host_says_of_its_port_is_compared(void **state)
{
	struct fabric *first = import_text("a", IBSTAT("n1", "28.1.2", "Active", "LinkUp", "400", "4"));
	struct fabric *down = import_text("a", IBSTAT("n1", "28.3.4", "Down", "Polling", "10", "65535"));
	struct fabric *slow = import_text("a", IBSTAT("n1", "28.1.2", "Active", "LinkUp", "200", "5"));
	struct diff *diff = compare(first, down);

	(void)state;
	assert_int_equal(diff->change_count, 2);
	expect_change(diff, DIFF_PORT_STATE, "port_state", "Active", "Down");
	expect_change(diff, DIFF_DEVICE_FIELD, "fw_version", "28.1.2", "28.3.4");
	diff_free(diff);
	diff = compare(first, slow);
	assert_int_equal(diff->change_count, 2);
	expect_change(diff, DIFF_PORT_FIELD, "rate_mbps", "400000", "200000");
	expect_change(diff, DIFF_PORT_FIELD, "lid", "4", "5");
	diff_free(diff);
	fabric_free(first);
	fabric_free(down);
	fabric_free(slow);
}

/* Which hosts are asked is somebody's choice. */
static void a_host_that_was_not_asked_again_has_not_left(void **state)
{
	struct fabric *first = import_text("a", IBSTAT("n1", "28.1.2", "Active", "LinkUp", "400", "4"));
	struct fabric *again = import_text("a", IBSTAT("n1", "28.1.2", "Active", "LinkUp", "400", "4"));
	struct fabric *none = import_samples("ibnetdiscover.txt", NULL);
	struct diff *diff = compare(first, again);

	(void)state;
	assert_int_equal(diff->change_count, 0);
	assert_false(has_note(diff, "ports that hosts told"));
	diff_free(diff);
	diff = compare(first, none);
	assert_int_equal(diff->change_count, 0);
	assert_true(has_note(diff, "1 ports that hosts told of themselves in the older snapshot"));
	diff_free(diff);
	fabric_free(first);
	fabric_free(again);
	fabric_free(none);
}

/* Both ends of the second link are told to be in `state`; INDEX_TABLE counts two links. */
#define DB_NODES                                                                                  \
	"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n\"sw\",40,2,0x5000000000005001\n"         \
	"\"one\",1,1,0x50000000000000f1\n\"two\",1,1,0x50000000000000e1\nEND_NODES\n"
#define DB_PORTS(state)                                                                           \
	"START_PORTS\nNodeGuid,PortGuid,PortNum,PortState\n"                                       \
	"0x5000000000005001,0x5000000000005001,1,4\n0x50000000000000f1,0x50000000000000f2,1,4\n"   \
	"0x5000000000005001,0x5000000000005001,2," state "\n"                                      \
	"0x50000000000000e1,0x50000000000000e2,1," state "\nEND_PORTS\n"
#define DB_LINKS(second)                                                                          \
	"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"                                     \
	"0x50000000000000f1,1,0x5000000000005001,1\n" second "END_LINKS\n"                         \
	"START_INDEX_TABLE\nName, Offset, Size, Line, Rows\nNODES, 1, 1, 1, 3\nPORTS, 1, 1, 1, 4\n" \
	"LINKS, 1, 1, 1, 2\nEND_INDEX_TABLE\n"
#define DB_WHOLE DB_NODES DB_PORTS("4") DB_LINKS("0x50000000000000e1,1,0x5000000000005001,2\n")

static size_t links_removed(const char *text)
{
	struct fabric *whole = import_text("n", DB_WHOLE);
	struct fabric *newer = import_text("n", text);
	struct diff *diff = compare(whole, newer);
	size_t removed = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		removed += diff->changes[i].kind == DIFF_LINK_REMOVED;
	if (removed == 0 && newer->partial)
		assert_true(has_note(diff, "1 link lies behind something that did not answer"));
	diff_free(diff);
	fabric_free(whole);
	fabric_free(newer);
	return removed;
}

static void a_link_row_that_was_lost_removes_no_cable_of_ports_that_are_up(void **state)
{
	(void)state;
	assert_int_equal(links_removed(DB_WHOLE), 0);
	assert_int_equal(links_removed(DB_NODES DB_PORTS("4") DB_LINKS("")), 0);
	assert_int_equal(links_removed(DB_NODES DB_PORTS("1") DB_LINKS("")), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_file_of_one_fabric_adds_or_removes_anything),
		cmocka_unit_test(a_host_that_left_a_list_of_hosts_is_removed),
		cmocka_unit_test(a_list_of_hosts_says_nothing_of_switches),
		cmocka_unit_test(node_guids_alone_and_port_guids_are_not_compared),
		cmocka_unit_test(a_port_guid_that_is_another_ones_node_guid_names_its_own_node),
		cmocka_unit_test(a_host_that_left_is_not_mixed_up_with_the_one_that_stayed),
		cmocka_unit_test(a_cable_in_the_part_that_was_cut_off_is_not_removed),
		cmocka_unit_test(a_link_row_that_was_lost_removes_no_cable_of_ports_that_are_up),
		cmocka_unit_test(what_a_host_says_of_its_port_is_compared),
		cmocka_unit_test(a_host_that_was_not_asked_again_has_not_left),
	};

	return cmocka_run_group_tests_name("diff_files", tests, NULL, NULL);
}
