#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>

#include "report/report.h"
#include "rules/rule.h"
#include "store/text.h"

static const char hostile[] = "<script>alert(1)</script> \033[31m \xe9 \"&'";

struct fixture {
	struct fabric *fabric;
	struct audit *audit;
	struct snapshot snapshot;
	char *text;
	size_t size;
};

/* A fabric whose only switch has a hostile name, with one finding on it. */
static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct err err = {0};
	struct device *device;
	struct finding *finding;
	char label[DEVICE_LABEL_SIZE];

	assert_non_null(fixture);
	assert_int_equal(fabric_new(&fixture->fabric, &err), 0);
	device = fabric_device_add(fixture->fabric, 0x0c42a10300d00010, NODE_TYPE_SWITCH);
	assert_non_null(device);
	device->description = fabric_text(fixture->fabric, hostile, strlen(hostile));
	assert_non_null(fabric_source_add(fixture->fabric, SOURCE_FILE, hostile, "test"));
	assert_int_equal(audit_new(&fixture->audit, &err), 0);
	fixture->audit->verdicts = calloc(1, sizeof(*fixture->audit->verdicts));
	assert_non_null(fixture->audit->verdicts);
	fixture->audit->verdict_count = 1;
	fixture->audit->verdicts[0].rule = rule_table[0]->id;
	fixture->audit->verdicts[0].kind = VERDICT_FINDINGS;
	fixture->audit->verdicts[0].finding_count = 1;
	finding = audit_finding_add(fixture->audit, rule_table[0]->id, SEVERITY_ERROR, device->guid, 3);
	assert_non_null(finding);
	device_label(device, label, sizeof(label));
	assert_true(finding_text(&finding->subject, "%s", label));
	assert_true(finding_text(&finding->message, "%s is odd", label));
	assert_true(finding_text(&finding->discriminator, "%s", "cause"));
	assert_true(finding_evidence(finding, "name", "%s", hostile));
	snapshot_describe(fixture->fabric, "site A", NULL, &fixture->snapshot);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	free(fixture->text);
	audit_free(fixture->audit);
	fabric_free(fixture->fabric);
	free(fixture);
	return 0;
}

static const char *report_as(struct fixture *fixture, enum report_format format, bool color)
{
	const struct report_options options = {
		.color = color, .verbose = true, .now = 1772366400, .version = "test"};
	const struct report_audit report = {&fixture->snapshot, fixture->fabric, fixture->audit, NULL,
					    rule_table};
	struct err err = {0};
	FILE *out;

	free(fixture->text);
	fixture->text = NULL;
	out = open_memstream(&fixture->text, &fixture->size);
	assert_non_null(out);
	assert_int_equal(report_audit(&report, format, &options, out, &err), 0);
	fclose(out);
	return fixture->text;
}

static void no_control_byte_of_the_fabric_reaches_a_terminal(void **state)
{
	const char *text = report_as(*state, REPORT_TEXT, false);

	for (const char *at = text; *at; at++)
		assert_true((unsigned char)*at >= 0x20 || *at == '\n');
	assert_non_null(strstr(text, "\\x1b[31m \\xe9"));
}

static void colour_is_only_there_when_asked_for(void **state)
{
	assert_null(strchr(report_as(*state, REPORT_TEXT, false), '\033'));
	assert_non_null(strchr(report_as(*state, REPORT_TEXT, true), '\033'));
}

static size_t count_scripts(const xmlNode *node)
{
	size_t count = 0;

	for (; node; node = node->next) {
		if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, "script") == 0)
			count++;
		count += count_scripts(node->children);
	}
	return count;
}

static void html_parses_without_an_error_and_holds_no_live_script(void **state)
{
	struct fixture *fixture = *state;
	const char *text = report_as(fixture, REPORT_HTML, false);
	xmlDocPtr html;
	xmlDocPtr xml;

	assert_null(strstr(text, "<script"));
	html = htmlReadMemory(text, (int)fixture->size, NULL, "utf-8", HTML_PARSE_NONET | HTML_PARSE_NOERROR);
	assert_non_null(html);
	assert_int_equal(count_scripts(xmlDocGetRootElement(html)), 0);
	xmlFreeDoc(html);
	xml = xmlReadMemory(text, (int)fixture->size, NULL, "utf-8", XML_PARSE_NONET);
	assert_non_null(xml);
	xmlFreeDoc(xml);
}

static void json_has_the_documented_shape(void **state)
{
	struct fixture *fixture = *state;
	json_error_t error;
	json_t *root = json_loads(report_as(fixture, REPORT_JSON, false), 0, &error);
	json_t *finding;

	assert_non_null(root);
	finding = json_array_get(json_object_get(root, "findings"), 0);
	assert_string_equal(json_string_value(json_object_get(finding, "node_guid")),
			    "0x0c42a10300d00010");
	assert_string_equal(json_string_value(json_object_get(finding, "severity")), "error");
	assert_string_equal(json_string_value(json_object_get(finding, "status")), "open");
	assert_int_equal(json_integer_value(json_object_get(finding, "port")), 3);
	assert_true(json_is_object(json_object_get(finding, "evidence")));
	assert_true(json_is_string(json_object_get(finding, "remedy")));
	assert_true(json_is_array(json_object_get(root, "rules")));
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(root, "summary"), "error")), 1);
	assert_string_equal(json_string_value(json_object_get(json_object_get(root, "snapshot"), "site")),
			    "site A");
	json_decref(root);
}

static void an_output_that_fails_is_told(void **state)
{
	struct fixture *fixture = *state;
	const struct report_options options = {.version = "test"};
	const struct report_audit report = {&fixture->snapshot, fixture->fabric, fixture->audit, NULL,
					    rule_table};
	static const enum report_format formats[] = {REPORT_TEXT, REPORT_HTML, REPORT_JSON};

	for (size_t i = 0; i < 3; i++) {
		struct err err = {0};
		FILE *out = fopen("/dev/full", "w");

		assert_non_null(out);
		assert_int_equal(report_audit(&report, formats[i], &options, out, &err), ERR_IO);
		assert_non_null(strstr(err.text, "No space"));
		fclose(out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_control_byte_of_the_fabric_reaches_a_terminal,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(colour_is_only_there_when_asked_for, set_up, tear_down),
		cmocka_unit_test_setup_teardown(html_parses_without_an_error_and_holds_no_live_script,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(json_has_the_documented_shape, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_output_that_fails_is_told, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
