#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "store/config.h"
#include "support/import_sample.h"
#include "support/import_text.h"

#define HOST UINT64_C(0x0008f10500710021)
#define LEAF UINT64_C(0x0008f10500650010)

/* A db_csv taken at `date` with a switch and a host of this LID and description on this port. */
#define CSV(date, port, lid, description)                                                         \
	"START_RUN_INFO\nDate\n\"" date "\"\nEND_RUN_INFO\n"                                      \
	"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,DeviceID,LocalPortNum\n"       \
	"\"leaf\",36,2,0x0008f10500650010,0x0008f10500650010,53000,0\n"                           \
	"\"" description "\",1,1,0x0008f10500710021,0x0008f10500710021,4123,1\nEND_NODES\n"       \
	"START_PORTS\nNodeGuid,PortGuid,PortNum,LID,LinkSpeedActv\n"                              \
	"0x0008f10500710021,0x0008f10500710021,1," lid ",2052\nEND_PORTS\n"                       \
	"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"                                    \
	"0x0008f10500650010," port ",0x0008f10500710021,1\nEND_LINKS\n"

#define NETDISCOVER(lid)                                                                          \
	"#\n# Topology file: generated on Fri Mar  1 10:00:00 2024\n#\n\n"                        \
	"vendid=0x2c9\ndevid=0xcf08\nswitchguid=0x8f10500650010(8f10500650010)\n"                 \
	"Switch\t36 \"S-0008f10500650010\"\t\t# \"leaf\" base port 0 lid 3 lmc 0\n"               \
	"[7]\t\"H-0008f10500710021\"[1](8f10500710021) \t\t# \"host\" lid " lid " 4xNDR\n\n"      \
	"vendid=0x2c9\ndevid=0x101b\ncaguid=0x8f10500710021\n"                                    \
	"Ca\t1 \"H-0008f10500710021\"\t\t# \"host\"\n"                                            \
	"[1](8f10500710021) \t\"S-0008f10500650010\"[7]\t\t# lid " lid                            \
	" lmc 0 \"leaf\" lid 3 4xNDR\n"

static struct fabric *two(const char *first, const char *first_text, const char *second,
			  const char *second_text)
{
	struct import_text *files = import_text_new();

	import_text_add(files, first, first_text, strlen(first_text));
	import_text_add(files, second, second_text, strlen(second_text));
	return import_text_run(files);
}

static const struct contradiction *contradiction(const struct fabric *fabric, const char *fact)
{
	for (size_t i = 0; i < fabric->contradiction_count; i++) {
		if (strcmp(fabric->contradictions[i].fact, fact) == 0)
			return &fabric->contradictions[i];
	}
	return NULL;
}

static void two_files_that_agree_contradict_nothing(void **state)
{
	struct fabric *fabric = two("a.csv", CSV("2024-03-01 09:30:00 UTC +0000", "7", "21", "host"),
				    "b.topo", NETDISCOVER("21"));

	(void)state;
	assert_int_equal(fabric->source_count, 2);
	assert_int_equal(fabric->device_count, 2);
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(fabric->guid_conflict_count, 0);
	/* The legacy bit that the name "NDR" cannot show is no difference. */
	assert_int_equal(must_port(fabric, HOST, 1)->info.link_speed_code, 2052);
	fabric_free(fabric);
}

static void the_more_exact_file_wins_in_any_order(void **state)
{
	static const char csv[] = CSV("2024-03-01 09:30:00 UTC +0000", "7", "21", "host");
	static const char topo[] = NETDISCOVER("22");
	struct fabric *fabrics[] = {two("a.csv", csv, "b.topo", topo),
				    two("a.topo", topo, "b.csv", csv)};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct contradiction *c = contradiction(fabrics[i], "lid");

		assert_int_equal(must_port(fabrics[i], HOST, 1)->info.lid, 21);
		assert_non_null(c);
		assert_string_equal(c->kept, "21");
		assert_string_equal(c->other, "22");
		assert_string_equal(fabrics[i]->sources[c->kept_source - 1].format,
				    "ibdiagnet2.db_csv");
		assert_string_equal(fabrics[i]->sources[c->other_source - 1].format,
				    "ibnetdiscover");
		fabric_free(fabrics[i]);
	}
}

static void the_later_sweep_wins_whatever_its_format(void **state)
{
	struct fabric *fabric = two("a.csv", CSV("2024-02-01 09:30:00 UTC +0000", "9", "21", "old"),
				    "b.topo", NETDISCOVER("22"));

	(void)state;
	assert_int_equal(must_port(fabric, HOST, 1)->info.lid, 22);
	assert_string_equal(must_device(fabric, HOST)->description, "host");
	assert_int_equal(must_port(fabric, HOST, 1)->peer->num, 7);
	assert_null(must_port(fabric, LEAF, 9)->peer);
	assert_non_null(contradiction(fabric, "link"));
	assert_int_equal(fabric->guid_conflict_count, 0);
	/* What the later one does not tell stays. */
	assert_int_equal(must_device(fabric, HOST)->info.device_id, 4123);
	fabric_free(fabric);
}

static void of_two_alike_the_later_one_wins(void **state)
{
	struct fabric *fabric = two("a.csv", CSV("2024-03-01 09:40:00 UTC +0000", "7", "31", "new"),
				    "b.csv", CSV("2024-03-01 09:30:00 UTC +0000", "7", "30", "old"));

	(void)state;
	assert_int_equal(must_port(fabric, HOST, 1)->info.lid, 31);
	assert_string_equal(must_device(fabric, HOST)->description, "new");
	assert_string_equal(contradiction(fabric, "description")->other, "old");
	fabric_free(fabric);
}

static void a_device_of_an_earlier_sweep_alone_is_gone(void **state)
{
	static const char old[] =
		"START_RUN_INFO\nDate\n\"2024-02-01 09:30:00 UTC +0000\"\nEND_RUN_INFO\n"
		"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,DeviceID,LocalPortNum\n"
		"\"left\",1,1,0x990000,0x990000,4123,1\nEND_NODES\n"
		"START_PORTS\nNodeGuid,PortGuid,PortNum,LID\n0x990000,0x990000,1,21\nEND_PORTS\n"
		"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"
		"0x0008f10500650010,30,0x990000,1\nEND_LINKS\n"
		"START_TEMP_SENSING\nNodeGUID,CurrentTemperature\n0x990000,40\nEND_TEMP_SENSING\n";
	static const char now[] = CSV("2024-03-01 09:30:00 UTC +0000", "7", "21", "host");
	struct fabric *fabric = two("a.csv", now, "b.csv", old);

	(void)state;
	assert_int_equal(fabric->device_count, 2);
	assert_null(fabric_device_find(fabric, 0x990000));
	assert_null(must_port(fabric, LEAF, 30)->peer);
	assert_int_equal(fabric->fact_count, 2);
	assert_non_null(contradiction(fabric, "device"));
	for (size_t i = 0; i < fabric->device_count; i++)
		assert_int_equal(fabric->devices[i]->index, i);
	fabric_free(fabric);
}

#define ERRORS(count)                                                                             \
	"START_PORTS\nNodeGuid\nEND_PORTS\n"                                                      \
	"START_PM_INFO\nNodeGUID,PortGUID,PortNumber,SymbolErrorCounter\n"                        \
	"0x0008f10500710021,0x0008f10500710021,1," count "\nEND_PM_INFO\n"

static void counts_that_move_on_contradict_nothing(void **state)
{
	struct fabric *fabric = two("a.csv", ERRORS("5"), "b.csv", ERRORS("9"));

	(void)state;
	assert_int_equal(fabric->contradiction_count, 0);
	assert_true(must_port(fabric, HOST, 1)->counters->value[COUNTER_symbol_error] == 5);
	fabric_free(fabric);
}

/* The fabric of the two files above as a live run leaves it, with LID 21, read on 1 March 2024. */
static struct fabric *live(void)
{
	struct fabric *fabric = NULL;
	struct err err = {0};
	struct device *leaf;
	struct device *host;
	struct source *source;

	assert_int_equal(fabric_new(&fabric, &err), 0);
	source = fabric_source_add(fabric, SOURCE_LIVE, "mlx5_0 port 1", "live");
	source->taken_at = 1709287200;
	fabric->live = true;
	leaf = fabric_device_add(fabric, LEAF, NODE_TYPE_SWITCH);
	host = fabric_device_add(fabric, HOST, NODE_TYPE_CA);
	host->description = fabric_text(fabric, "host", 4);
	host->source_of[ATTRIBUTE_NODE_DESCRIPTION] = 1;
	fabric_port(fabric, leaf, 7)->peer = fabric_port(fabric, host, 1);
	device_port(host, 1)->peer = device_port(leaf, 7);
	device_port(host, 1)->info.lid = 21;
	device_port(host, 1)->source_of[ATTRIBUTE_PORT_INFO] = 1;
	return fabric;
}

static struct fabric *live_and(const char *text)
{
	struct import_text *files = import_text_new();

	import_text_add(files, "capture", text, strlen(text));
	return import_text_run_into(files, live());
}

static void a_file_does_not_replace_what_was_read_live(void **state)
{
	const char *const files[] = {
		NETDISCOVER("41"),
		CSV("2023-12-01 09:30:00 UTC +0000", "9", "41", "former name"),
		CSV("2024-03-01 09:59:00 UTC +0000", "9", "41", "former name"),
		CSV("no date", "9", "41", "former name"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct fabric *fabric = live_and(files[i]);
		const struct contradiction *lid = contradiction(fabric, "lid");
		const struct device *host = must_device(fabric, HOST);

		assert_int_equal(must_port(fabric, HOST, 1)->info.lid, 21);
		assert_string_equal(host->description, "host");
		assert_int_equal(host->source_of[ATTRIBUTE_NODE_DESCRIPTION], 1);
		assert_ptr_equal(must_port(fabric, HOST, 1)->peer, must_port(fabric, LEAF, 7));
		assert_non_null(lid);
		assert_int_equal(lid->kept_source, 1);
		assert_int_equal(lid->other_source, 2);
		fabric_free(fabric);
	}
}

static void what_was_not_read_live_is_taken_from_the_file(void **state)
{
	struct fabric *fabric = live_and(CSV("2024-03-01 09:59:00 UTC +0000", "7", "21", "host"));

	(void)state;
	assert_int_equal(fabric->contradiction_count, 0);
	assert_int_equal(must_device(fabric, HOST)->info.device_id, 4123);
	assert_int_equal(must_device(fabric, LEAF)->info.num_ports, 36);
	fabric_free(fabric);
}

static void a_file_of_a_later_sweep_replaces_a_live_reading(void **state)
{
	struct fabric *fabric = live_and(CSV("2024-03-09 09:30:00 UTC +0000", "7", "41", "host"));

	(void)state;
	assert_int_equal(must_port(fabric, HOST, 1)->info.lid, 41);
	assert_int_equal(contradiction(fabric, "lid")->other_source, 1);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_files_that_agree_contradict_nothing),
		cmocka_unit_test(the_more_exact_file_wins_in_any_order),
		cmocka_unit_test(the_later_sweep_wins_whatever_its_format),
		cmocka_unit_test(of_two_alike_the_later_one_wins),
		cmocka_unit_test(a_device_of_an_earlier_sweep_alone_is_gone),
		cmocka_unit_test(counts_that_move_on_contradict_nothing),
		cmocka_unit_test(a_file_does_not_replace_what_was_read_live),
		cmocka_unit_test(what_was_not_read_live_is_taken_from_the_file),
		cmocka_unit_test(a_file_of_a_later_sweep_replaces_a_live_reading),
	};

	return cmocka_run_group_tests_name("import_merge", tests, NULL, NULL);
}
