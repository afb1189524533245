/*
 * The report of one run of the rules: what was found first, then what was not
 * checked and why, so that silence is never taken for health.
 */
#include <string.h>

#include "report/report_impl.h"
#include "store/text.h"

static const char *count_text(int64_t count, char out[24])
{
	snprintf(out, 24, "%lld", (long long)count);
	return out;
}

static void put_head(struct writer *writer, const struct report_audit *report,
		     const struct report_options *options)
{
	const struct snapshot *snapshot = report->snapshot;
	char label[384];
	char now[TIME_TEXT_SIZE];
	size_t counts[4];

	writer_begin(writer, "ibaudit: audit of an InfiniBand fabric");
	writer_paragraph(writer, "%s; audited %s by ibaudit %s",
			 report_snapshot_label(snapshot, label, sizeof(label)),
			 report_time(options->now, now), options->version);
	if (report->baseline)
		writer_paragraph(writer, "compared with %s",
				 report_snapshot_label(report->baseline, label, sizeof(label)));
	writer_paragraph(writer, "%lld %s: %lld %s, %lld %s, %lld %s; %lld %s",
			 (long long)snapshot->devices,
			 text_plural((size_t)snapshot->devices, "device", "devices"),
			 (long long)snapshot->switches,
			 text_plural((size_t)snapshot->switches, "switch", "switches"),
			 (long long)snapshot->cas, text_plural((size_t)snapshot->cas, "CA", "CAs"),
			 (long long)snapshot->routers,
			 text_plural((size_t)snapshot->routers, "router", "routers"),
			 (long long)snapshot->links,
			 text_plural((size_t)snapshot->links, "link", "links"));
	if (snapshot->partial)
		writer_paragraph(writer, "The snapshot is partial: see \"What did not answer\".");
	report_tally(report->audit, counts);
	writer_tally(writer, counts);
}

static void put_finding(struct writer *writer, const struct report_audit *report,
			const struct finding *finding, bool explain)
{
	const struct rule *rule = report_rule_of(report->rules, finding->rule);
	struct writer_finding shown = {
		.severity = finding->severity,
		.rule = finding->rule,
		.title = rule ? rule->title : NULL,
		.subject = finding->subject,
		.message = finding->message,
		.evidence = finding->evidence,
		.evidence_count = finding->evidence_count,
		.remedy = finding->remedy,
		.source = finding->source,
	};

	if (finding->status != FINDING_OPEN)
		shown.status = finding_status_name(finding->status);
	/* The rule's own words once per rule, not once per finding. */
	if (explain && rule) {
		shown.why = rule->why;
		if (!shown.remedy)
			shown.remedy = rule->remedy;
	}
	writer_finding(writer, &shown);
}

static void put_findings(struct writer *writer, const struct report_audit *report)
{
	const struct audit *audit = report->audit;

	writer_section(writer, "findings", "Findings");
	if (audit->finding_count == 0)
		writer_paragraph(writer, "None in what was checked.");
	for (size_t i = 0; i < audit->finding_count; i++) {
		const char *rule = audit->findings[i].rule;
		bool first = true;

		for (size_t k = i; k > 0 && first; k--)
			first = strcmp(audit->findings[k - 1].rule, rule) != 0;
		put_finding(writer, report, &audit->findings[i], first);
	}
}

static void put_verdicts(struct writer *writer, const struct report_audit *report)
{
	static const char *const head[] = {"rule", "verdict", "findings", "what was left out, and why"};

	writer_section(writer, "coverage", "What was checked");
	writer_table_begin(writer, head, 4);
	for (size_t i = 0; i < report->audit->verdict_count; i++) {
		const struct verdict *verdict = &report->audit->verdicts[i];
		char findings[24];
		const char *cells[4] = {
			verdict->rule, verdict_name(verdict->kind),
			verdict->kind == VERDICT_FINDINGS
				? count_text((int64_t)verdict->finding_count, findings)
				: "",
			verdict->reason};

		writer_table_row(writer, cells);
	}
	writer_table_end(writer);
}

static const char *source_name(const struct fabric *fabric, source_ref ref)
{
	return ref > 0 && ref <= fabric->source_count ? fabric->sources[ref - 1].name : NULL;
}

#define PLACES_SHOWN 20

static void put_holes(struct writer *writer, const struct fabric *fabric, bool all)
{
	static const char *const head[] = {"where", "asked for", "reason", "detail"};
	size_t lost = 0;
	size_t shown = 0;

	for (size_t i = 0; i < fabric->hole_count; i++)
		lost += fabric->holes[i].reason != HOLE_UNSUPPORTED;
	if (lost == 0)
		return;
	writer_section(writer, "holes", "What did not answer");
	writer_table_begin(writer, head, 4);
	for (size_t i = 0; i < fabric->hole_count && (all || shown < PLACES_SHOWN); i++) {
		const struct hole *hole = &fabric->holes[i];
		struct port *port =
			hole->device && hole->port >= 0 ? device_port(hole->device, (unsigned)hole->port)
							: NULL;
		char where[2 * DEVICE_LABEL_SIZE];
		const char *cells[4] = {where, attribute_name(hole->attribute),
					hole_reason_name(hole->reason), hole->text};

		if (hole->reason == HOLE_UNSUPPORTED)
			continue;
		if (port)
			port_label(port, false, where, sizeof(where));
		else if (hole->device)
			device_label(hole->device, where, sizeof(where));
		else if (hole->behind) {
			snprintf(where, sizeof(where), "behind ");
			port_label(hole->behind, false, where + 7, sizeof(where) - 7);
		} else {
			snprintf(where, sizeof(where), "unknown place");
		}
		writer_table_row(writer, cells);
		shown++;
	}
	writer_table_end(writer);
	if (shown < lost)
		writer_paragraph(writer, "... and %zu more; -v shows all", lost - shown);
}

static void put_sources(struct writer *writer, const struct fabric *fabric)
{
	static const char *const head[] = {"source", "format", "its own time", "rows",
					   "not understood", "detail"};

	writer_section(writer, "sources", "Sources");
	writer_table_begin(writer, head, 6);
	for (size_t i = 0; i < fabric->source_count; i++) {
		const struct source *source = &fabric->sources[i];
		char when[TIME_TEXT_SIZE];
		char rows[24];
		char odd[24];
		const char *cells[6] = {source->name,
					source->format,
					report_time(source->taken_at, when),
					count_text(source->rows, rows),
					count_text(source->odd_rows, odd),
					source->detail};

		writer_table_row(writer, cells);
	}
	writer_table_end(writer);
}

static void put_odd_lines(struct writer *writer, const struct fabric *fabric, bool all)
{
	static const char *const head[] = {"place", "why", "text"};
	size_t count = fabric->odd_line_count;

	if (count == 0)
		return;
	if (!all && count > PLACES_SHOWN)
		count = PLACES_SHOWN;
	writer_section(writer, "odd-lines", "Lines that were not understood");
	writer_table_begin(writer, head, 3);
	for (size_t i = 0; i < count; i++) {
		const struct odd_line *odd = &fabric->odd_lines[i];
		const char *name = source_name(fabric, odd->source);
		char place[384];
		const char *cells[3] = {place, odd->reason, odd->text};

		snprintf(place, sizeof(place), "%.350s:%lld", name ? name : "?",
			 (long long)odd->line);
		writer_table_row(writer, cells);
	}
	writer_table_end(writer);
	if (count < fabric->odd_line_count)
		writer_paragraph(writer, "... and %zu more; -v shows all",
				 fabric->odd_line_count - count);
}

static int report_audit_json(const struct report_audit *report,
			     const struct report_options *options, FILE *out, struct err *err)
{
	json_t *rules = json_array();
	json_t *findings = json_array();
	size_t counts[4];
	size_t verdicts[VERDICT_NOT_CHECKED + 1] = {0};

	for (size_t i = 0; i < report->audit->verdict_count; i++) {
		const struct verdict *verdict = &report->audit->verdicts[i];

		verdicts[verdict->kind]++;
		json_array_append_new(rules,
				      json_pack("{s:s, s:s, s:i, s:o}", "id", verdict->rule,
						"verdict", verdict_name(verdict->kind), "findings",
						(int)verdict->finding_count, "reason",
						report_json_text(verdict->reason)));
	}
	for (size_t i = 0; i < report->audit->finding_count; i++)
		json_array_append_new(findings, report_json_finding(&report->audit->findings[i],
								    report->rules));
	report_tally(report->audit, counts);
	return report_json_write(
		json_pack("{s:s, s:o, s:o, s:o, s:o, s:{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}}",
			  "ibaudit", options->version, "snapshot",
			  report_json_snapshot(report->snapshot, report->fabric), "baseline",
			  report->baseline ? report_json_snapshot(report->baseline, NULL)
					   : json_null(),
			  "rules", rules, "findings", findings, "summary", "critical",
			  (int)counts[SEVERITY_CRITICAL], "error", (int)counts[SEVERITY_ERROR],
			  "warning", (int)counts[SEVERITY_WARNING], "info",
			  (int)counts[SEVERITY_INFO], "rules_pass", (int)verdicts[VERDICT_PASS],
			  "rules_findings", (int)verdicts[VERDICT_FINDINGS], "rules_not_applicable",
			  (int)verdicts[VERDICT_NOT_APPLICABLE], "rules_not_checked",
			  (int)verdicts[VERDICT_NOT_CHECKED]),
		out, err);
}

int report_audit(const struct report_audit *report, enum report_format format,
		 const struct report_options *options, FILE *out, struct err *err)
{
	bool all = options->verbose || format == REPORT_HTML;
	struct writer *writer;

	if (format == REPORT_JSON)
		return report_audit_json(report, options, out, err);
	writer = report_writer(format, options, out);
	put_head(writer, report, options);
	put_findings(writer, report);
	put_verdicts(writer, report);
	put_holes(writer, report->fabric, all);
	put_sources(writer, report->fabric);
	put_odd_lines(writer, report->fabric, all);
	return writer_finish(writer, err);
}
