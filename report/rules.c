#include "report/report_impl.h"

static json_t *json_rule(const struct rule *rule)
{
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "id", rule->id, "title",
			 rule->title, "severity", severity_name(rule->severity), "why", rule->why,
			 "needs", rule->needs, "remedy", rule->remedy, "source", rule->source);
}

int report_rules(const struct rule *const *rules, enum report_format format,
		 const struct report_options *options, FILE *out, struct err *err)
{
	static const char *const head[] = {"rule", "severity", "what it finds"};
	struct writer *writer;

	if (format == REPORT_JSON) {
		json_t *list = json_array();

		for (; *rules; rules++)
			json_array_append_new(list, json_rule(*rules));
		return report_json_write(list, out, err);
	}
	writer = report_writer(format, options, out);
	writer_begin(writer, "ibaudit: the rules");
	writer_table_begin(writer, head, 3);
	for (; *rules; rules++) {
		const char *cells[3] = {(*rules)->id, severity_name((*rules)->severity),
					(*rules)->title};

		writer_table_row(writer, cells);
	}
	writer_table_end(writer);
	writer_paragraph(writer, "`ibaudit explain RULE` tells more of one. A finding may be less or "
				 "more severe than its rule; why is in its text.");
	return writer_finish(writer, err);
}

int report_rule(const struct rule *rule, enum report_format format,
		const struct report_options *options, FILE *out, struct err *err)
{
	struct writer *writer;

	if (format == REPORT_JSON)
		return report_json_write(json_rule(rule), out, err);
	writer = report_writer(format, options, out);
	writer_begin(writer, rule->id);
	writer_paragraph(writer, "%s (usually: %s)", rule->title, severity_name(rule->severity));
	writer_section(writer, "why", "Why it matters");
	writer_paragraph(writer, "%s", rule->why);
	writer_section(writer, "needs", "What it needs");
	writer_paragraph(writer, "%s", rule->needs);
	writer_section(writer, "remedy", "What to do");
	writer_paragraph(writer, "%s", rule->remedy);
	writer_section(writer, "source", "Where it comes from");
	writer_paragraph(writer, "%s", rule->source);
	return writer_finish(writer, err);
}
