/* What changed: one table per kind of change, then findings new and gone. */
#include <stdlib.h>
#include <string.h>

#include "report/report_impl.h"
#include "store/text.h"

static const struct {
	enum diff_kind kind;
	const char *id;
	const char *title;
} sections[] = {
	{DIFF_DEVICE_ADDED, "devices-added", "Devices added"},
	{DIFF_DEVICE_REMOVED, "devices-removed", "Devices removed"},
	{DIFF_DEVICE_NOT_REACHED, "devices-not-reached",
	 "Devices not reached (behind something that did not answer; perhaps not gone)"},
	{DIFF_LINK_ADDED, "links-added", "Links added"},
	{DIFF_LINK_REMOVED, "links-removed", "Links removed"},
	{DIFF_LINK_MOVED, "links-moved", "Links moved"},
	{DIFF_PORT_STATE, "port-states", "Port states"},
	{DIFF_PORT_FIELD, "port-fields", "Port settings"},
	{DIFF_LID_CHANGED, "lids", "LIDs"},
	{DIFF_DESCRIPTION, "descriptions", "Descriptions"},
	{DIFF_DEVICE_FIELD, "device-fields", "Devices changed"},
};

_Static_assert(sizeof(sections) / sizeof(sections[0]) == DIFF_KIND_COUNT,
	       "what makes two snapshots different is shown");

/* The field's own name, or what stands for it; NULL for none. */
static const char *name_of_field(const char *member)
{
	static const struct field *const tables[] = {port_field_table, node_field_table,
						     switch_field_table};

	for (size_t i = 0; member && i < sizeof(tables) / sizeof(tables[0]); i++) {
		const struct field *field = field_find(tables[i], member);

		if (field)
			return field->name;
	}
	return member;
}

static void put_changes(struct writer *writer, const struct diff *diff, size_t section)
{
	static const char *const head[] = {"where", "what", "before", "after"};
	size_t count = 0;

	for (size_t i = 0; i < diff->change_count; i++)
		count += diff->changes[i].kind == sections[section].kind;
	if (count == 0)
		return;
	writer_section(writer, sections[section].id, sections[section].title);
	if (sections[section].kind == DIFF_LID_CHANGED && diff->lids_reassigned)
		writer_paragraph(writer,
				 "LIDs reassigned: %zu of %zu end ports have another LID. Devices are "
				 "matched by GUID, so nothing else changed by it.",
				 diff->lids_changed, diff->lid_owners);
	writer_table_begin(writer, head, 4);
	for (size_t i = 0; i < diff->change_count; i++) {
		const struct change *change = &diff->changes[i];
		const char *cells[4] = {change->subject, name_of_field(change->field),
					change->before, change->after};

		if (change->kind == sections[section].kind)
			writer_table_row(writer, cells);
	}
	writer_table_end(writer);
}

static void put_findings(struct writer *writer, const struct report_diff *report)
{
	const struct audit *audit = report->diff->audit;
	size_t counts[FINDING_UNCHECKED + 1] = {0};

	if (!audit)
		return;
	for (size_t i = 0; i < audit->finding_count; i++)
		counts[audit->findings[i].status]++;
	writer_section(writer, "findings", "Findings");
	if (counts[FINDING_UNCHECKED] == 0)
		writer_paragraph(writer, "%zu new, %zu still there, %zu gone", counts[FINDING_NEW],
				 counts[FINDING_STILL], counts[FINDING_GONE]);
	else
		writer_paragraph(writer,
				 "%zu new, %zu still there, %zu gone; %zu not checked: what they rest "
				 "on was not read this time",
				 counts[FINDING_NEW], counts[FINDING_STILL], counts[FINDING_GONE],
				 counts[FINDING_UNCHECKED]);
	for (size_t i = 0; i < audit->finding_count; i++) {
		const struct finding *finding = &audit->findings[i];
		const struct rule *rule = report_rule_of(report->rules, finding->rule);
		struct writer_finding shown = {
			.severity = finding->severity,
			.status = finding_status_name(finding->status),
			.rule = finding->rule,
			.title = rule ? rule->title : NULL,
			.subject = finding->subject,
			.message = finding->message,
		};

		if (finding->status == FINDING_STILL)
			continue;
		if (finding->status == FINDING_NEW) {
			shown.evidence = finding->evidence;
			shown.evidence_count = finding->evidence_count;
			shown.remedy = finding->remedy ? finding->remedy
						       : rule ? rule->remedy : NULL;
			shown.source = finding->source;
		}
		writer_finding(writer, &shown);
	}
}

static json_t *json_changes(const struct diff *diff)
{
	json_t *changes = json_array();

	for (size_t i = 0; i < diff->change_count; i++) {
		const struct change *change = &diff->changes[i];

		json_array_append_new(
			changes,
			json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
				  diff_kind_name(change->kind), "node_guid",
				  report_json_guid(change->node_guid), "port",
				  change->port < 0 ? json_null() : json_integer(change->port),
				  "subject", report_json_text(change->subject), "field",
				  report_json_text(change->field), "before",
				  report_json_text(change->before), "after",
				  report_json_text(change->after)));
	}
	return changes;
}

static int report_diff_json(const struct report_diff *report, const struct report_options *options,
			    FILE *out, struct err *err)
{
	const struct diff *diff = report->diff;
	json_t *summary = json_object();
	json_t *notes = json_array();
	json_t *findings = json_array();

	for (int kind = 0; kind < DIFF_KIND_COUNT; kind++) {
		size_t count = 0;

		for (size_t i = 0; i < diff->change_count; i++)
			count += diff->changes[i].kind == (enum diff_kind)kind;
		json_object_set_new(summary, diff_kind_name((enum diff_kind)kind),
				    json_integer((json_int_t)count));
	}
	for (size_t i = 0; i < diff->note_count; i++)
		json_array_append_new(notes, report_json_text(diff->notes[i]));
	for (size_t i = 0; diff->audit && i < diff->audit->finding_count; i++)
		json_array_append_new(findings, report_json_finding(&diff->audit->findings[i],
								    report->rules));
	return report_json_write(
		json_pack("{s:s, s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o}", "ibaudit",
			  options->version, "old", report_json_snapshot(report->old_snapshot, NULL),
			  "new", report_json_snapshot(report->new_snapshot, NULL), "different",
			  (int)diff_is_different(diff), "lids_reassigned",
			  (int)diff->lids_reassigned, "summary", summary, "changes",
			  json_changes(diff), "findings", findings, "notes", notes),
		out, err);
}

int report_diff(const struct report_diff *report, enum report_format format,
		const struct report_options *options, FILE *out, struct err *err)
{
	char label[384];
	struct writer *writer;

	if (format == REPORT_JSON)
		return report_diff_json(report, options, out, err);
	writer = report_writer(format, options, out);
	writer_begin(writer, "ibaudit: what changed");
	writer_paragraph(writer, "old: %s",
			 report_snapshot_label(report->old_snapshot, label, sizeof(label)));
	writer_paragraph(writer, "new: %s",
			 report_snapshot_label(report->new_snapshot, label, sizeof(label)));
	if (!diff_is_different(report->diff))
		writer_paragraph(writer, "No difference in what both could tell.");
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		put_changes(writer, report->diff, i);
	put_findings(writer, report);
	if (report->diff->note_count > 0)
		writer_section(writer, "notes", "What could not be compared");
	for (size_t i = 0; i < report->diff->note_count; i++)
		writer_paragraph(writer, "%s", report->diff->notes[i]);
	return writer_finish(writer, err);
}
