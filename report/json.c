#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/report_impl.h"
#include "store/text.h"

json_t *report_json_text(const char *text)
{
	size_t length;
	char *escaped;
	json_t *json;

	if (!text)
		return json_null();
	length = strlen(text);
	escaped = malloc(length * 4 + 1);
	if (!escaped)
		return NULL;
	text_escape(text, length, escaped, length * 4 + 1);
	json = json_string(escaped);
	free(escaped);
	return json;
}

json_t *report_json_guid(uint64_t guid)
{
	char text[GUID_TEXT_SIZE];

	return guid ? json_string(guid_format(guid, text)) : json_null();
}

json_t *report_json_field(int64_t value)
{
	return value == FIELD_UNKNOWN ? json_null() : json_integer(value);
}

static json_t *json_time(int64_t seconds)
{
	time_t when = (time_t)seconds;
	struct tm parts;
	char text[TIME_TEXT_SIZE];

	if (seconds == FIELD_UNKNOWN || !gmtime_r(&when, &parts) ||
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
		return json_null();
	return json_string(text);
}

static json_t *json_source(const struct source *source)
{
	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
			 source->kind == SOURCE_LIVE ? "live" : "file", "name",
			 report_json_text(source->name), "format", report_json_text(source->format),
			 "taken_at", json_time(source->taken_at), "rows", json_integer(source->rows),
			 "rows_not_understood", json_integer(source->odd_rows), "detail",
			 report_json_text(source->detail));
}

json_t *report_json_snapshot(const struct snapshot *snapshot, const struct fabric *fabric)
{
	json_t *sources = json_array();

	for (size_t i = 0; fabric && i < fabric->source_count; i++)
		json_array_append_new(sources, json_source(&fabric->sources[i]));
	return json_pack("{s:o, s:o, s:o, s:o, s:b, s:b, s:i, s:i, s:i, s:i, s:i, s:i, s:o}", "id",
			 snapshot->id ? json_integer(snapshot->id) : json_null(), "site",
			 report_json_text(*snapshot->site ? snapshot->site : NULL), "label",
			 report_json_text(*snapshot->label ? snapshot->label : NULL), "taken_at",
			 json_time(snapshot->taken_at), "live", (int)snapshot->live, "partial",
			 (int)snapshot->partial, "devices", (int)snapshot->devices, "switches",
			 (int)snapshot->switches, "cas", (int)snapshot->cas, "routers",
			 (int)snapshot->routers, "links", (int)snapshot->links, "holes",
			 (int)snapshot->holes, "sources", sources);
}

json_t *report_json_finding(const struct finding *finding, const struct rule *const *rules)
{
	const struct rule *rule = report_rule_of(rules, finding->rule);
	const char *remedy = finding->remedy ? finding->remedy : rule ? rule->remedy : NULL;
	json_t *evidence = json_object();

	for (size_t i = 0; i < finding->evidence_count; i++)
		json_object_set_new(evidence, finding->evidence[i].key,
				    report_json_text(finding->evidence[i].value));
	return json_pack(
		"{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rule", finding->rule,
		"severity", severity_name(finding->severity), "status",
		finding_status_name(finding->status), "node_guid",
		report_json_guid(finding->node_guid), "port",
		finding->port < 0 ? json_null() : json_integer(finding->port), "discriminator",
		report_json_text(finding->discriminator), "subject",
		report_json_text(finding->subject), "message", report_json_text(finding->message),
		"evidence", evidence, "remedy", report_json_text(remedy), "source",
		report_json_text(finding->source));
}

int report_json_write(json_t *root, FILE *out, struct err *err)
{
	int rc = 0;

	if (!root)
		return err_no_memory(err);
	errno = 0;
	if (json_dumpf(root, out, JSON_INDENT(2)) < 0 || fputc('\n', out) == EOF ||
	    fflush(out) != 0 || ferror(out))
		rc = err_set(err, ERR_IO, "the report cannot be written: %s; it is cut short",
			     errno ? strerror(errno) : "output error");
	json_decref(root);
	return rc;
}
