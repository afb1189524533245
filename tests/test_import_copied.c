/* Captures copied through mail programs, word processors and web pages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collector/import/copied_text.h"
#include "support/import_sample.h"
#include "support/import_text.h"

#define LEAF UINT64_C(0x00000000000000a1)
#define HOST UINT64_C(0x00000000000000b1)

static const char topology[] =
	"vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0xa1\nswitchguid=0xa1(a1)\n"
	"Switch\t40 \"S-00000000000000a1\"\t\t# \"leaf's\" enhanced port 0 lid 2 lmc 0\n"
	"[1]\t\"H-00000000000000b1\"[1](b1) \t\t# \"a&b\" lid 4 4xHDR\n\n"
	"vendid=0x2c9\ndevid=0x101b\nsysimgguid=0xb1\ncaguid=0xb1\n"
	"Ca\t1 \"H-00000000000000b1\"\t\t# \"a&b\"\n"
	"[1](00000000000000b1) \t\"S-00000000000000a1\"[1]\t\t# lid 4 lmc 0 \"leaf's\" lid 2 4xHDR\n";
static const char links[] =
	"CA: a&b:\n"
	"      0x00000000000000b1      4    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       2    1[  ] \"leaf's\" ( )\n"
	"Switch: 0x00000000000000a1 leaf's:\n"
	"           2    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       4    1[  ] \"a&b\" ( )\n";

/* Each character in its other form, of those that have one. */
static void put(char *out, size_t size, const char *text, const char *from, const char *const *to)
{
	size_t n = 0;

	for (; *text; text++) {
		const char *at = strchr(from, *text);

		n += (size_t)(at ? snprintf(out + n, size - n, "%s", to[at - from]) :
				   snprintf(out + n, size - n, "%c", *text));
		assert_true(n < size);
	}
}

static const char *const named[] = {"&quot;", "&gt;", "&lt;", "&amp;"};
static const char *const numbered[] = {"&#34;", "&gt;", "&lt;", "&amp;"};
static const char *const typographic[] = {"\xe2\x80\x9d", "\xe2\x80\x99"};
static const char *const unbroken[] = {"\xc2\xa0"};

static void what_copying_did_to_all_lines_is_undone_and_told(void **state)
{
	static const struct {
		const char *text;
		const char *from;
		const char *const *to;
		const char *words;
	} copies[] = {
		{topology, "", NULL, NULL},
		{topology, "\"><&", named, "copied out of HTML"},
		{topology, "\"><&", numbered, "copied out of HTML"},
		{topology, "\"'", typographic, "a word processor or a mail program"},
		{topology, " ", unbroken, "non-breaking"},
		{links, "", NULL, NULL},
		{links, "\"><&", named, "copied out of HTML"},
		{links, "\"'", typographic, "a word processor or a mail program"},
		{links, " ", unbroken, "non-breaking"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
		char text[4096];
		struct fabric *fabric;

		put(text, sizeof(text), copies[i].text, copies[i].from, copies[i].to);
		fabric = import_text("t", text);
		assert_int_equal(fabric->sources[0].odd_rows, 0);
		assert_int_equal(fabric->device_count, 2);
		assert_string_equal(must_device(fabric, LEAF)->description, "leaf's");
		assert_string_equal(must_device(fabric, HOST)->description, "a&b");
		assert_true(must_port(fabric, HOST, 1)->peer == must_port(fabric, LEAF, 1));
		if (copies[i].words)
			assert_non_null(strstr(fabric->sources[0].detail, copies[i].words));
		else
			assert_null(fabric->sources[0].detail);
		fabric_free(fabric);
	}
}

/* A description may hold any of them: then the tool's own characters are there as well. */
static void a_description_that_looks_copied_stays(void **state)
{
	static const char *const names[] = {"&quot;n&gt;", "\xe2\x80\x9c" "n\xe2\x80\x9d", "n\xc2\xa0" "1"};
	static const char format[] =
		"Switch\t40 \"S-00000000000000a1\"\t\t# \"%s\" enhanced port 0 lid 2  lmc 0\n"
		"[1]\t\"H-00000000000000b1\"[1](b1) \t\t# \"x\" lid 4 4xHDR\n";

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[512];
		struct fabric *fabric;

		snprintf(text, sizeof(text), format, names[i]);
		fabric = import_text("t", text);
		assert_string_equal(must_device(fabric, LEAF)->description, names[i]);
		assert_null(fabric->sources[0].detail);
		fabric_free(fabric);
	}
}

/* OpenSM reads such a file as it is. */
static void a_file_by_hand_is_read_as_it_is(void **state)
{
	struct fabric *fabric = import_text("partitions.conf", "Default=0x7fff,ipoib : ALL=full ;\n"
					    "n1=0x0010 : ALL=full ;\n");
	struct fabric *copied = import_text("partitions.conf", "Default=0x7fff,ipoib\xc2\xa0:\xc2\xa0"
					    "ALL=full\xc2\xa0;\nn1=0x0010\xc2\xa0:\xc2\xa0" "ALL=full\xc2\xa0;\n");

	(void)state;
	assert_string_equal(fabric->sources[0].format, "partitions.conf");
	assert_int_equal(fabric->config->problem_count, 0);
	assert_true(!copied->sources[0].detail || !strstr(copied->sources[0].detail, "non-breaking"));
	assert_true(copied->config->problem_count > 0 || copied->sources[0].odd_rows > 0);
	fabric_free(fabric);
	fabric_free(copied);
}

static void only_what_nothing_speaks_against_is_undone(void **state)
{
	static const struct {
		const char *text;
		bool entities, quotes, blanks;
	} texts[] = {
		{"a &quot;b&quot; c\n", true, false, false},
		{"a &quot;b&quot; \"c\"\n", false, false, false},
		{"a &quot;b&quot; & c\n", false, false, false},
		{"a =&gt; b\nc => d\n", false, false, false},
		{"a\nb\nc\nd\ne\nf\ng\nh\n&gt;\n", false, false, false},
		{"\xe2\x80\x9c" "a\xe2\x80\x9d\n", false, true, false},
		{"\xe2\x80\x9c" "a\xe2\x80\x9d \"b\"\n", false, false, false},
		{"a\xc2\xa0 b\nc\nd\n", false, false, true},
		{"a\xc2\xa0 b\nc  d\n", false, false, false},
		{"", false, false, false},
		{"&", false, false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct copied_text copied = copied_text_look(texts[i].text, strlen(texts[i].text));

		assert_int_equal(copied.entities, texts[i].entities);
		assert_int_equal(copied.quotes, texts[i].quotes);
		assert_int_equal(copied.blanks, texts[i].blanks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_copying_did_to_all_lines_is_undone_and_told),
		cmocka_unit_test(a_description_that_looks_copied_stays),
		cmocka_unit_test(a_file_by_hand_is_read_as_it_is),
		cmocka_unit_test(only_what_nothing_speaks_against_is_undone),
	};

	return cmocka_run_group_tests_name("import_copied", tests, NULL, NULL);
}
