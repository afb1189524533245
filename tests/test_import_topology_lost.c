/*
 * ibnetdiscover's topology after lines or bytes of it were lost: what still stands
 * there is no other node's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/import_sample.h"
#include "support/import_text.h"

#define LEAF_IDS "vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0xa1\nswitchguid=0xa1(a1)\n"
#define LEAF "Switch\t40 \"S-00000000000000a1\"\t\t# \"leaf\" enhanced port 0 lid 2 lmc 0\n"
#define LEAF_1 "[1]\t\"H-00000000000000b1\"[1](00000000000000b1) \t\t# \"n1\" lid 4 4xHDR\n"
#define SPINE_IDS "vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0xa2\nswitchguid=0xa2(a2)\n"
#define SPINE "Switch\t40 \"S-00000000000000a2\"\t\t# \"spine\" enhanced port 0 lid 3 lmc 0\n"
#define SPINE_2 "[2](x)\t\"H-00000000000000b2\"[1](00000000000000b2) \t\t# \"n2\" lid 5 4xHDR\n"
#define N1 "vendid=0x2c9\ndevid=0x101b\nsysimgguid=0xb1\ncaguid=0xb1\n"                           \
	   "Ca\t1 \"H-00000000000000b1\"\t\t# \"n1\"\n"                                           \
	   "[1](00000000000000b1) \t\"S-00000000000000a1\"[1]\t\t# lid 4 lmc 0 \"leaf\" lid 2 4xHDR\n"
#define N2_LINES "Ca\t1 \"H-00000000000000b2\"\t\t# \"n2\"\n"                                     \
		 "[1](00000000000000b2) \t\"S-00000000000000a2\"[2]\t\t# lid 5 lmc 0 \"spine\" lid 3 4xHDR\n"
#define N2 "vendid=0x2c9\ndevid=0x101b\nsysimgguid=0xb2\ncaguid=0xb2\n" N2_LINES

static void a_port_line_that_its_neighbour_shows_to_be_anothers_is_taken_back(void **state)
{
	struct fabric *whole = import_text("t", LEAF_IDS LEAF LEAF_1 "\n" SPINE_IDS SPINE SPINE_2
					   "\n" N1 "\n" N2);
	struct fabric *lost = import_text("t", LEAF_IDS LEAF LEAF_1 SPINE_2 "\n" N1 "\n" N2);
	const struct port *port = must_port(lost, 0xa1, 2);

	(void)state;
	assert_true(must_port(whole, 0xb2, 1)->peer == must_port(whole, 0xa2, 2));
	assert_int_equal(whole->fact_count, 1);
	assert_int_equal(whole->hole_count, 0);
	assert_null(port->peer);
	assert_int_equal(port->info.link_speed_active, FIELD_UNKNOWN);
	assert_int_equal(port->source_of[ATTRIBUTE_NEIGHBOR], 0);
	assert_int_equal(lost->fact_count, 0);
	assert_true(must_port(lost, 0xb2, 1)->peer == must_port(lost, 0xa2, 2));
	assert_true(must_port(lost, 0xa1, 1)->peer == must_port(lost, 0xb1, 1));
	assert_non_null(strstr(lost->holes[0].text, "1 port line of nodes whose headers are lost"));
	fabric_free(whole);
	fabric_free(lost);
}

/* A cable between two ports of one switch has a line at each. */
static void a_loop_that_one_end_alone_tells_is_a_neighbours_line(void **state)
{
#define LOOP(from, to) "[" from "]\t\"S-00000000000000a1\"[" to "]\t\t# \"leaf\" lid 2 4xHDR\n"
	struct fabric *whole = import_text("t", LEAF_IDS LEAF LEAF_1 LOOP("2", "9") LOOP("9", "2") "\n" N1);
	/* The spine's line to the leaf. */
	struct fabric *lost = import_text("t", LEAF_IDS LEAF LEAF_1 LOOP("2", "9") "\n" N1);

	(void)state;
	assert_true(must_port(whole, 0xa1, 2)->peer == must_port(whole, 0xa1, 9));
	assert_false(whole->partial);
	assert_null(must_port(lost, 0xa1, 2)->peer);
	assert_true(lost->partial);
	fabric_free(whole);
	fabric_free(lost);
}

static void lines_in_front_of_a_lost_header_are_not_the_next_nodes(void **state)
{
	static const char *const texts[] = {
		/* The header is gone, then it and its ports, then all up to the next header. */
		N1 "\n" LEAF_IDS LEAF_1 "\n" N2_LINES SPINE_2,
		N1 "\n" LEAF_IDS "[...]\n" N2_LINES,
		N1 "\n" LEAF_IDS N2_LINES,
		LEAF_IDS N2_LINES "\n" N1,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct fabric *fabric = import_text("t", texts[i]);

		assert_int_equal(must_device(fabric, 0xb2)->system_image_guid, 0);
		assert_int_equal(must_device(fabric, 0xb2)->info.device_id, FIELD_UNKNOWN);
		assert_int_equal(must_device(fabric, 0xb1)->info.device_id, 0x101b);
		fabric_free(fabric);
	}
}

/* Who replaced the GUIDs of a capture may have left these lines as they were. */
static void lines_that_name_nobody_are_the_next_headers(void **state)
{
	struct fabric *fabric = import_text("t", "vendid=0x2c9\ndevid=0x101b\nsysimgguid=0xc9\n"
					    "caguid=0xc9\n" N2_LINES);

	(void)state;
	assert_int_equal(must_device(fabric, 0xb2)->system_image_guid, 0xc9);
	assert_int_equal(must_device(fabric, 0xb2)->info.device_id, 0x101b);
	fabric_free(fabric);
}

static void a_name_that_is_not_closed_is_a_cut_line(void **state)
{
	static const struct {
		const char *text;
		size_t holes;
	} files[] = {
		/* No line has a speed: old releases print none. */
		{LEAF "[1]\t\"H-00000000000000b1\"[1](00000000000000b1) \t\t# \"n1\" lid 4\n"
		 "Ca\t1 \"H-00000000000000b1\"\t\t# \"n1\"\n"
		 "[1](00000000000000b1) \t\"S-00000000000000a1\"[1]\t\t# lid 4 lmc 0 \"leaf\" lid 2\n", 0},
		{"Switch\t40 \"S-00000000000000a1\"\t\t# \"le\n"
		 "[1]\t\"H-00000000000000b1\"[1](00000000000000b1) \t\t# \"n1\" lid 4\n"
		 "Ca\t1 \"H-00000000000000b1\"\t\t# \"n1\"\n"
		 "[1](00000000000000b1) \t\"S-00000000000000a1\"[1]\t\t# lid 4 lmc 0 \"leaf\" lid 2\n", 1},
		{LEAF "[1]\t\"H-00000000000000b1\"[1](00000000000000b1) \t\t# \"n1\" lid 4\n"
		 "Ca\t1 \"H-00000000000000b1\"\t\t# \"n1\"\n"
		 "[1](00000000000000b1) \t\"S-00000000000000a1\"[1]\t\t# lid 4 lmc 0 \"le\n", 1},
		/* -f adds the lanes. */
		{LEAF "[1]\t\"H-00000000000000b1\"[1](00000000000000b1) \t\t# \"n1\" lid 4 4xHDR s=1 w=2 v=4\n"
		 "Ca\t1 \"H-00000000000000b1\"\t\t# \"n1\"\n"
		 "[1](00000000000000b1) \t\"S-00000000000000a1\"[1]\t\t# lid 4 lmc 0 \"leaf\" lid 2 4xHDR s=1 w=\n",
		 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct fabric *fabric = import_text("t", files[i].text);

		assert_int_equal(fabric->hole_count, files[i].holes);
		if (fabric->hole_count > 0)
			assert_non_null(strstr(fabric->holes[0].text, "lines lack their last words"));
		fabric_free(fabric);
	}
}

/* With a map in use a CA has two names, and a switch's may be an alias. */
static void bytes_lost_in_a_cas_name_do_not_prove_a_name_map(void **state)
{
	static const char *const names[] = {"n\0\0", "map"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct import_text *files = import_text_new();
		char text[600];
		int n = snprintf(text, sizeof(text), "%s[1]\t\"H-00000000000000b1\"[1](00000000000000b1) \t\t# \"@@@\" "
				 "lid 4 4xHDR\n\n%s", LEAF_IDS LEAF, N1);
		struct fabric *fabric;

		memcpy(strstr(text, "@@@"), names[i], 3);
		import_text_add(files, "t", text, (size_t)n);
		fabric = import_text_run(files);
		assert_string_equal(must_device(fabric, 0xb1)->description, "n1");
		if (i == 0)
			assert_string_equal(must_device(fabric, 0xa1)->description, "leaf");
		else
			assert_string_equal(must_device(fabric, 0xa1)->alias, "leaf");
		assert_int_equal(fabric->sources[0].odd_rows, i == 0);
		fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_port_line_that_its_neighbour_shows_to_be_anothers_is_taken_back),
		cmocka_unit_test(lines_in_front_of_a_lost_header_are_not_the_next_nodes),
		cmocka_unit_test(lines_that_name_nobody_are_the_next_headers),
		cmocka_unit_test(a_name_that_is_not_closed_is_a_cut_line),
		cmocka_unit_test(bytes_lost_in_a_cas_name_do_not_prove_a_name_map),
		cmocka_unit_test(a_loop_that_one_end_alone_tells_is_a_neighbours_line),
	};

	return cmocka_run_group_tests_name("import_topology_lost", tests, NULL, NULL);
}
