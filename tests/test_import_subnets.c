/* Files of several subnets in one import, and what is judged then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/check_rule.h"
#include "support/import_sample.h"
#include "support/import_text.h"

extern const struct rule rule_duplicate_lid;
extern const struct rule rule_lid_out_of_range;
extern const struct rule rule_mixed_captures;

/* ibnetdiscover of one switch with a host, whose CA has this GUID and uses this port. */
#define STAR(date, sw, ca, num)                                                                   \
	"# Topology file: generated on " date "\n\n"                                              \
	"switchguid=0x" sw "(" sw ")\n"                                                           \
	"Switch\t4 \"S-0000000000" sw "\"\t\t# \"switch-" sw "\" base port 0 lid 1 lmc 0\n"       \
	"[1]\t\"H-0000000000" ca "00\"[" num "](" ca "0" num ") \t\t# \"host-" ca "\" lid 2 4xEDR\n\n" \
	"caguid=0x" ca "00\n"                                                                     \
	"Ca\t2 \"H-0000000000" ca "00\"\t\t# \"host-" ca "\"\n"                                   \
	"[" num "](" ca "0" num ") \t\"S-0000000000" sw "\"[1]\t\t# lid 2 lmc 0 \"switch-" sw "\" lid 1 4xEDR\n"

#define MARCH "Fri Mar  1 10:00:00 2024"
#define TODAY "Sat Jun  1 10:00:00 2024"
#define ALPHA STAR(TODAY, "aaaa01", "aaaa", "1")
#define BETA STAR(TODAY, "bbbb01", "bbbb", "1")
/* The second port of alpha's CA in a subnet of its own. */
#define RAIL STAR(TODAY, "cccc01", "aaaa", "2")

/* Files by name and text, up to a NULL. */
static struct fabric *import_all(const char *const files[][2])
{
	struct import_text *list = import_text_new();

	for (size_t i = 0; files[i][0]; i++)
		import_text_add(list, files[i][0], files[i][1], strlen(files[i][1]));
	return import_text_run(list);
}

/* "1" of the file's subnet; "" when none is told of it. */
static const char *subnet_of(const struct fabric *fabric, const char *name)
{
	for (size_t i = 0; i < fabric->fact_count; i++) {
		const struct fact *fact = &fabric->facts[i];

		if (strcmp(fact->section, SUBNET_SECTION) == 0 && fact->source > 0 &&
		    strstr(fabric->sources[fact->source - 1].name, name))
			return fact->key;
	}
	return "";
}

static void assert_one_subnet(const char *const files[][2])
{
	struct fabric *fabric = import_all(files);

	for (size_t i = 0; files[i][0]; i++)
		assert_string_equal(subnet_of(fabric, files[i][0]), "");
	assert_rule_passes(&rule_mixed_captures, fabric, NULL);
	fabric_free(fabric);
}

static void two_fabrics_are_told_and_not_judged_as_one(void **state)
{
	struct fabric *fabric = import_all((const char *const[][2]){{"a.txt", ALPHA}, {"b.txt", BETA}, {NULL}});
	const struct finding *finding;
	struct audit *audit = expect_one(&rule_mixed_captures, fabric, "subnets", SEVERITY_ERROR, &finding);

	(void)state;
	assert_string_equal(finding->message, "The files describe 2 fabrics or subnets that have no device in "
			    "common: a.txt (2 devices) and b.txt (2 devices)");
	assert_contains(finding->remedy, "--site");
	assert_string_equal(evidence_of(finding, "subnet_2"), "b.txt");
	/* LID 1 and 2 have an owner in each. */
	assert_rule_verdict(&rule_duplicate_lid, fabric, NULL, VERDICT_NOT_CHECKED, "several subnets");
	/* What a port says of itself is judged. */
	assert_rule_passes(&rule_lid_out_of_range, fabric, NULL);
	audit_free(audit);
	fabric_free(fabric);
}

static void no_device_in_common_decides_before_a_fraction(void **state)
{
	/* Three devices in four are of today: the rest could have been taken for gone. */
	struct fabric *fabric = import_all((const char *const[][2]){
		{"a.txt", ALPHA}, {"b.txt", STAR(MARCH, "bbbb01", "bbbb", "1")},
		{"c.txt", STAR(TODAY, "aaaa01", "dddd", "1")}, {"d.txt", STAR(TODAY, "aaaa01", "eeee", "1")},
		{"e.txt", STAR(TODAY, "aaaa01", "ffff", "1")}, {NULL}});

	(void)state;
	assert_non_null(fabric_device_find(fabric, 0xbbbb01));
	assert_string_equal(subnet_of(fabric, "a.txt"), "1");
	assert_string_equal(subnet_of(fabric, "b.txt"), "2");
	fabric_free(fabric);
}

static void three_files_of_two_fabrics_stand_with_their_own(void **state)
{
	static const char list[] = "Switch\t: 0x0000000000bbbb01 ports 4 \"switch-bbbb01\" base port 0 lid 1 lmc 0\n";
	struct fabric *fabric = import_all((const char *const[][2]){
		{"a.txt", ALPHA}, {"b.txt", BETA}, {"c.txt", STAR(TODAY, "aaaa01", "dddd", "1")},
		{"list.txt", list}, {NULL}});
	const struct finding *finding;
	struct audit *audit = expect_one(&rule_mixed_captures, fabric, "subnets", SEVERITY_ERROR, &finding);

	(void)state;
	assert_string_equal(evidence_of(finding, "subnet_1"), "a.txt, c.txt");
	assert_string_equal(evidence_of(finding, "subnet_2"), "b.txt, list.txt");
	assert_contains(finding->message, "a.txt and 1 more file (3 devices)");
	audit_free(audit);
	fabric_free(fabric);
}

static void subnets_of_one_site_may_share_a_ca(void **state)
{
	struct fabric *fabric = import_all((const char *const[][2]){{"a.txt", ALPHA}, {"r.txt", RAIL}, {NULL}});
	const struct finding *finding;
	struct audit *audit = expect_one(&rule_mixed_captures, fabric, "subnets", SEVERITY_ERROR, &finding);

	(void)state;
	assert_int_equal(fabric->device_count, 3);
	assert_contains(finding->message, "no switch and no port in common");
	audit_free(audit);
	fabric_free(fabric);
}

static void a_neighbour_named_in_a_row_is_in_common(void **state)
{
	/* All that the second file knows of the first's switch is a cable to another port of it. */
	static const char leaf[] =
		"switchguid=0xbbbb01(bbbb01)\n"
		"Switch\t4 \"S-0000000000bbbb01\"\t\t# \"leaf\" base port 0 lid 9 lmc 0\n"
		"[3]\t\"S-0000000000aaaa01\"[4]\t\t# \"switch-aaaa01\" lid 1 4xEDR\n";
	/* The port of the host alone. */
	static const char host[] =
		"switchguid=0xcccc01(cccc01)\n"
		"Switch\t4 \"S-0000000000cccc01\"\t\t# \"moved\" base port 0 lid 9 lmc 0\n"
		"[3]\t\"H-0000000000aaaa00\"[1](aaaa01)\t\t# \"host-aaaa\" lid 2 4xEDR\n";
	struct fabric *fabric;

	(void)state;
	assert_one_subnet((const char *const[][2]){{"a.txt", ALPHA}, {"leaf.txt", leaf}, {NULL}});
	fabric = import_all((const char *const[][2]){{"a.txt", ALPHA}, {"host.txt", host}, {NULL}});
	assert_string_equal(subnet_of(fabric, "a.txt"), "");
	fabric_free(fabric);
}

static void what_tells_no_link_is_no_fabric(void **state)
{
	static const char gids[] =
		"DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV\n"
		"---\t----\t-----\t---\t\t\t\t\t------------  \t---\t---\n"
		"mlx5_0\t1\t0\tfe80:0000:0000:0000:0202:c9ff:fe00:0001\t\t\tv1\teth0\nn_gids_found=1\n";
	static const char hosts[] = "Ca\t: 0x0000000000dddd00 ports 1 \"elsewhere\"\n";
	static const char plan[] = "#StartDevice,StartPort,EndDevice,EndPort,LinkType\n"
				   "host-x,host-x mlx5_0,switch-x,Port 1, Data\n";

	(void)state;
	assert_one_subnet((const char *const[][2]){{"a.txt", ALPHA}, {"gids.txt", gids}, {NULL}});
	assert_one_subnet((const char *const[][2]){{"a.txt", ALPHA}, {"hosts.txt", hosts}, {NULL}});
	assert_one_subnet((const char *const[][2]){{"a.txt", ALPHA}, {"plan.csv", plan}, {NULL}});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_fabrics_are_told_and_not_judged_as_one),
		cmocka_unit_test(no_device_in_common_decides_before_a_fraction),
		cmocka_unit_test(three_files_of_two_fabrics_stand_with_their_own),
		cmocka_unit_test(subnets_of_one_site_may_share_a_ca),
		cmocka_unit_test(a_neighbour_named_in_a_row_is_in_common),
		cmocka_unit_test(what_tells_no_link_is_no_fabric),
	};

	return cmocka_run_group_tests_name("import_subnets", tests, NULL, NULL);
}
