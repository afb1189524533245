/*
 * What each format's whole file ends with, and that a file which ends before is
 * said to be cut. The texts are the samples called "whole-..." of the fuzzer's seeds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/import_sample.h"
#include "tests/support/import_text.h"
#include "tests/support/sample_files.h"

/*
 * Lines in front of which a file may end and be whole, since the next record begins
 * with them; "\n" stands for any line that is not indented.
 */
static const struct {
	const char *format;
	const char *begins[10];
} records[] = {
	{"smpquery_nodes/", {"# Node info", "# Port info", "# Switch info", "# SL2VL", "# VLArb",
			     "# MLNX", "   0: "}},
	{"smpquery/", {"# Node info", "# Port info", "# MLNX"}},
	{"perfquery/", {"# Port"}},
	{"saquery/", {"\n"}},
	/* Not every SA has a MulticastFDBTop to tell. */
	{"saquery_nodes/", {"\n", "\t\tMulticastFDBTop"}},
	{"ibdiagnet_log/", {"-I- You can see"}},
	{"ibstatus/", {"Infiniband device"}},
	{"ibqueryerrors/", {"##  ", "## Thresholds", "## Suppressed"}},
	{"sl2vl_dump/", {"Switch ", "Channel "}},
	{"mft_dump/", {"Multicast "}},
	{"dump_fts/", {"Unicast "}},
	{"opensm_lfts/", {"Unicast "}},
	{"ttar/", {"Path: ", "Mode: "}},
};

/* Where only the end of the file tells: some other line of it has to be there first. */
static const char *const by_the_rest[] = {"fdbs/whole-tables", "subnet_lst/whole-opensm",
					  "iblinkinfo/", "ibnetdiscover_ports/"};

static const char *line_at(const struct text *text, size_t at, size_t *ret_length)
{
	const char *lf = memchr(text->bytes + at, '\n', text->length - at);

	*ret_length = lf ? (size_t)(lf - text->bytes) - at : text->length - at;
	return text->bytes + at;
}

static bool starts_with(const char *line, size_t length, const char *words)
{
	return length >= strlen(words) && memcmp(line, words, strlen(words)) == 0;
}

/* Whether nothing of a record is missing when the file ends at this line. */
static bool is_whole_up_to(const struct sample *sample, size_t at)
{
	size_t length = 0;
	const char *line = line_at(&sample->text, at, &length);

	while (length == 0 && at < sample->text.length)
		line = line_at(&sample->text, ++at, &length);
	/* Behind the last record nothing but blank lines. */
	if (at >= sample->text.length)
		return true;
	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		if (strncmp(sample->name, records[i].format, strlen(records[i].format)) != 0)
			continue;
		for (size_t b = 0; records[i].begins[b]; b++) {
			if (records[i].begins[b][0] == '\n' ? line[0] != '\t'
							    : starts_with(line, length, records[i].begins[b]))
				return true;
		}
	}
	return false;
}

static const struct hole *find_cut(const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].reason == HOLE_CUT && !fabric->holes[i].device)
			return &fabric->holes[i];
	}
	return NULL;
}

static bool is_cut(const struct sample *sample, const struct text *text)
{
	struct fabric *fabric = read_sample(sample->format, text);
	const struct hole *cut = find_cut(fabric);
	bool is = cut != NULL;

	if (is && (!fabric->partial || !cut->text || !strstr(cut->text, "its last line is ")))
		fail_msg("%s: the cut is not told as one", sample->name);
	fabric_free(fabric);
	return is;
}

static size_t whole_count;

static void ends(const struct sample *sample)
{
	static struct text part;
	size_t length;

	if (!strstr(sample->name, "/whole-"))
		return;
	whole_count++;
	if (told_format(&sample->text) != sample->format)
		fail_msg("%s: of another format", sample->name);
	if (is_cut(sample, &sample->text))
		fail_msg("%s: whole, and said to be cut", sample->name);
	for (size_t i = 0; i < sizeof(by_the_rest) / sizeof(by_the_rest[0]); i++) {
		if (strncmp(sample->name, by_the_rest[i], strlen(by_the_rest[i])) == 0)
			return;
	}
	part = sample->text;
	line_at(&sample->text, 0, &length);
	for (size_t at = length + 1; at < sample->text.length; at += length + 1) {
		part.length = at;
		if (!is_whole_up_to(sample, at) && !is_cut(sample, &part))
			fail_msg("%s: cut at byte %zu nothing is told", sample->name, at);
		line_at(&sample->text, at, &length);
	}
}

static void a_file_that_ends_inside_a_record_or_lacks_its_foot_is_cut(void **state)
{
	(void)state;
	each_sample(ends);
	assert_true(whole_count >= 25);
}

/* The sample without its last `lines` lines. */
static struct fabric *without(const char *path, size_t lines)
{
	static char bytes[SAMPLE_TEXT_MAX];
	FILE *file = fopen(path, "rb");
	size_t length;

	assert_non_null(file);
	length = fread(bytes, 1, sizeof(bytes) - 1, file);
	fclose(file);
	while (lines-- > 0) {
		length--;
		while (length > 0 && bytes[length - 1] != '\n')
			length--;
	}
	bytes[length] = '\0';
	return import_text("t", bytes);
}

static void assert_cut(struct fabric *fabric, const char *words)
{
	const struct hole *cut = find_cut(fabric);

	if (!words) {
		assert_null(cut);
	} else {
		assert_non_null(cut);
		if (!strstr(cut->text, words))
			fail_msg("\"%s\" does not say \"%s\"", cut->text, words);
	}
	fabric_free(fabric);
}

static void a_list_that_tells_each_cable_twice_lacks_lines_when_some_are_told_once(void **state)
{
	(void)state;
	assert_cut(without("samples/fuzz/ibnetdiscover_ports/whole-list", 1),
		   "1 cable is told from one end only, that of heron-n03 mlx5_0 port 1");
	assert_cut(without("samples/fuzz/ibnetdiscover_ports/whole-list", 2), NULL);
	assert_cut(without("samples/fuzz/subnet_lst/whole-opensm", 1), "told from one end only");
}

/* The sample without the line that begins so. */
static struct fabric *without_line(const char *path, const char *begin)
{
	static char bytes[SAMPLE_TEXT_MAX];
	FILE *file = fopen(path, "rb");
	size_t length;
	char *line, *rest;

	assert_non_null(file);
	length = fread(bytes, 1, sizeof(bytes) - 1, file);
	fclose(file);
	bytes[length] = '\0';
	line = strstr(bytes, begin);
	assert_non_null(line);
	rest = strchr(line, '\n') + 1;
	memmove(line, rest, strlen(rest) + 1);
	return import_text("t", bytes);
}

static void a_topology_whose_block_lacks_a_line_that_the_far_end_has_says_so(void **state)
{
	(void)state;
	assert_cut(without_line("samples/import/ibnetdiscover.txt", "[2]\t\"H-00ca5e0000002040\""),
		   "1 cable is told from one end only, that of o'heron n04 port 1");
	assert_cut(import_samples("ibnetdiscover.txt", NULL), NULL);
	assert_cut(import_samples("ibnetdiscover-grouped.txt", NULL), NULL);
	assert_cut(import_samples("ibnetdiscover-full.txt", NULL), NULL);
}

static void a_list_that_tells_each_cable_once_lacks_none(void **state)
{
	(void)state;
	assert_cut(without("samples/fuzz/ibnetdiscover_ports/whole-list", 4), NULL);
	assert_cut(without("samples/fuzz/subnet_lst/whole-framed", 0), NULL);
}

static void the_last_routes_of_opensm_end_where_the_others_do(void **state)
{
	(void)state;
	assert_cut(without("samples/fuzz/fdbs/whole-tables", 1), "a table ends before");
	assert_cut(without("samples/fuzz/fdbs/whole-tables", 5), "a table ends before");
	assert_cut(without("samples/fuzz/fdbs/whole-tables", 6), NULL);
}

static void a_name_of_iblinkinfo_s_without_a_port_is_the_end_of_a_cut_file(void **state)
{
	(void)state;
	assert_cut(without("samples/fuzz/iblinkinfo/whole-nodes", 1), "no ports behind its name");
	assert_cut(without("samples/fuzz/iblinkinfo/whole-nodes", 0), NULL);
}

static void what_somebody_chose_of_each_record_is_not_cut(void **state)
{
	static const char *const node =
		"# Node info: Lid 7\nNodeType:........................Channel Adapter\n"
		"Guid:............................0x00000000000000b1\n";
	char twice[400];

	(void)state;
	assert_cut(import_text("t", node), "the NodeInfo that begins at line 1 stops in the middle");
	snprintf(twice, sizeof(twice), "%s%s", node, node);
	assert_cut(import_text("t", twice), NULL);
}

static void the_first_of_two_files_in_one_may_be_the_one_that_is_cut(void **state)
{
	static const char text[] =
		"# Switch info: Lid 7\nLinearFdbCap:....................30720\n"
		"# Switch info: Lid 8\nLinearFdbCap:....................30720\n"
		"EnhancedPort0:...................1\nMulticastFDBTop:.................0x0000\n";

	(void)state;
	assert_cut(import_text("t", text), "the SwitchInfo that begins at line 1 stops in the middle");
}

static void gids_that_the_foot_counts_and_nobody_sees_are_missing(void **state)
{
	static const char head[] = "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n---\t----\n"
		"mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:c0a8:1e07\t192.168.30.7  \tv2\tens5f0\n";
	char text[400];

	(void)state;
	snprintf(text, sizeof(text), "%sn_gids_found=2\n", head);
	assert_cut(import_text("t", text), "it has 1 GIDs, and its last line counts 2");
	snprintf(text, sizeof(text), "%sn_gids_found=1\n", head);
	assert_cut(import_text("t", text), NULL);
}

static void a_device_of_ibstat_s_has_the_ports_that_it_counts(void **state)
{
	(void)state;
	assert_cut(without("samples/fuzz/ibstat/whole-two-ports", 10), "of the ports of mlx5_0 1 are missing");
	assert_cut(without("samples/fuzz/ibstat/whole-two-ports", 0), NULL);
}

#define BARE_CA(name)                                                                             \
	"CA '" name "'\n\tCA type: MT4131\n\tNumber of ports: 1\n\tFirmware version: 40.44.1036\n" \
	"\tHardware version: 0\n\tNode GUID: 0xa088c20300d8b1aa\n\tSystem image GUID: 0xa088c20300d8b1aa\n"
#define CA_PORT                                                                                   \
	"\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tBase lid: 4\n" \
	"\t\tLMC: 0\n\t\tSM lid: 1\n\t\tCapability mask: 0xa651e848\n"                           \
	"\t\tPort GUID: 0xa088c20300d8b1aa\n\t\tLink layer: InfiniBand\n"

static void the_short_form_of_ibstat_lacks_no_port(void **state)
{
	(void)state;
	assert_cut(import_text("t", "[root@n1 ~]# ibstat -s\n" BARE_CA("mlx5_0")), NULL);
	assert_cut(import_text("t", "[root@n1 ~]# ibstat --short mlx5_0\n" BARE_CA("mlx5_0")), NULL);
	assert_cut(import_text("t", BARE_CA("mlx5_0") BARE_CA("mlx5_1")), NULL);
	assert_cut(import_text("t", "[root@n1 ~]# ibstat -s\n" BARE_CA("mlx5_0")
			       "[root@n1 ~]# ibstat\n" BARE_CA("mlx5_0") CA_PORT), NULL);
	/* One that was cut. */
	assert_cut(import_text("t", "[root@n1 ~]# ibstat\n" BARE_CA("mlx5_0")),
		   "of the ports of mlx5_0 1 are missing");
	assert_cut(import_text("t", BARE_CA("mlx5_0")), "of the ports of mlx5_0 1 are missing");
	assert_cut(import_text("t", BARE_CA("mlx5_0") CA_PORT BARE_CA("mlx5_1")),
		   "of the ports of mlx5_1 1 are missing");
	assert_cut(import_text("t", "[root@n1 ~]# ibstat -s\n" BARE_CA("mlx5_0")
			       "[root@n1 ~]# ibstat\n" BARE_CA("mlx5_1")),
		   "of the ports of mlx5_1 1 are missing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_ends_inside_a_record_or_lacks_its_foot_is_cut),
		cmocka_unit_test(a_list_that_tells_each_cable_twice_lacks_lines_when_some_are_told_once),
		cmocka_unit_test(a_topology_whose_block_lacks_a_line_that_the_far_end_has_says_so),
		cmocka_unit_test(a_list_that_tells_each_cable_once_lacks_none),
		cmocka_unit_test(the_last_routes_of_opensm_end_where_the_others_do),
		cmocka_unit_test(a_name_of_iblinkinfo_s_without_a_port_is_the_end_of_a_cut_file),
		cmocka_unit_test(what_somebody_chose_of_each_record_is_not_cut),
		cmocka_unit_test(the_first_of_two_files_in_one_may_be_the_one_that_is_cut),
		cmocka_unit_test(gids_that_the_foot_counts_and_nobody_sees_are_missing),
		cmocka_unit_test(a_device_of_ibstat_s_has_the_ports_that_it_counts),
		cmocka_unit_test(the_short_form_of_ibstat_lacks_no_port),
	};

	return cmocka_run_group_tests_name("import_ends", tests, NULL, NULL);
}
