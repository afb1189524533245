/* Each format: which ends of a cable told it. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_sample.h"
#include "support/import_text.h"

#define LEAF UINT64_C(0x00000000000000a1)
#define HOST UINT64_C(0x00000000000000b1)

#define IBN_LEAF "switchguid=0xa1(a1)\nSwitch\t8 \"S-00000000000000a1\"\t\t# \"leaf\" base port 0 lid 2 lmc 0\n" \
		 "[1]\t\"H-00000000000000b1\"[1](b1) \t\t# \"n1\" lid 4 4xHDR\n\n"
#define IBN_HOST "caguid=0xb1\nCa\t1 \"H-00000000000000b1\"\t\t# \"n1\"\n"                         \
		 "[1](00000000000000b1) \t\"S-00000000000000a1\"[1]\t\t# lid 4 lmc 0 \"leaf\" lid 2 4xHDR\n"
#define LINK_LEAF "Switch: 0x00000000000000a1 leaf:\n"                                            \
		  "   2    1[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==>       4    1[  ] \"n1\" ( )\n"
#define LINK_HOST "CA: n1:\n"                                                                     \
		  "      0x00000000000000b1      4    1[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==> "\
		  "      2    1[  ] \"leaf\" ( )\n"
#define PORTS_LEAF "SW     2  1 0x00000000000000a1 4x HDR - CA     4  1 0x00000000000000b1 ( 'leaf' - 'n1' )\n"
#define PORTS_HOST "CA     4  1 0x00000000000000b1 4x HDR - SW     2  1 0x00000000000000a1 ( 'n1' - 'leaf' )\n"
#define DB_LINKS                                                                                  \
	"START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID,PortGUID,LocalPortNum\n"                \
	"\"leaf\",8,2,0x00000000000000a1,0x00000000000000a1,0\n"                                  \
	"\"n1\",1,1,0x00000000000000b1,0x00000000000000b1,1\nEND_NODES\n"                         \
	"START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n"                                    \
	"0x00000000000000a1,1,0x00000000000000b1,1\nEND_LINKS\n"

static void a_link_is_told_twice_where_both_ends_have_a_line(void **state)
{
	static const struct {
		const char *text;
		bool leaf, host;	/* has a line */
	} files[] = {
		{IBN_LEAF IBN_HOST, true, true},     {IBN_LEAF, true, false},
		{IBN_HOST, false, true},	     {LINK_HOST LINK_LEAF, true, true},
		{PORTS_LEAF PORTS_HOST, true, true}, {PORTS_LEAF, true, false},
		{PORTS_HOST, false, true},
		/* One row is both ends' word. */
		{DB_LINKS, true, true},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct fabric *fabric = import_text("t", files[i].text);
		const struct port *leaf = must_port(fabric, LEAF, 1);
		const struct port *host = must_port(fabric, HOST, 1);

		assert_true(leaf->peer == host && host->peer == leaf);
		assert_int_equal(leaf->peer_inferred, !files[i].leaf);
		assert_int_equal(host->peer_inferred, !files[i].host);
		assert_int_equal(port_peer_is_told_twice(leaf), files[i].leaf && files[i].host);
		fabric_free(fabric);
	}
}

/* The other file has the end that was missing. */
static void a_second_file_tells_the_other_end(void **state)
{
	struct import_text *files = import_text_new();
	struct fabric *fabric;

	(void)state;
	import_text_add(files, "a", IBN_LEAF, strlen(IBN_LEAF));
	import_text_add(files, "b", PORTS_HOST, strlen(PORTS_HOST));
	fabric = import_text_run(files);
	assert_true(port_peer_is_told_twice(must_port(fabric, LEAF, 1)));
	assert_int_equal(fabric->contradiction_count, 0);
	fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_is_told_twice_where_both_ends_have_a_line),
		cmocka_unit_test(a_second_file_tells_the_other_end),
	};

	return cmocka_run_group_tests_name("import_link_ends", tests, NULL, NULL);
}
