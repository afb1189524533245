#include "rules/collection_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/places.h"
#include "store/odd_cause.h"
#include "store/text.h"

static bool is_cut_file(const struct hole *hole)
{
	return hole->reason == HOLE_CUT && !hole->device && !hole->behind && hole->source > 0;
}

bool collection_is_of_file(const struct hole *hole)
{
	return hole->reason == HOLE_ODD || is_cut_file(hole);
}

/* "capture.tgz" of which "capture.tgz:file" was read. */
static bool was_read_in_part(const struct fabric *fabric, const struct source *source)
{
	size_t length = strlen(source->name);

	for (size_t i = 0; i < fabric->source_count; i++) {
		if (strncmp(fabric->sources[i].name, source->name, length) == 0 &&
		    fabric->sources[i].name[length] == ':')
			return true;
	}
	return false;
}

static int tell_cut_file(const struct fabric *fabric, const struct hole *hole,
			 struct rule_output *out, struct err *err)
{
	const char *detail = hole->text ? hole->text : "it breaks off";
	struct finding *finding;
	char name[CITE_SIZE];
	char text[1024];
	const char *outcome = "is not a whole capture";
	bool unread;

	cite(fabric, hole->source, 0, "", name);
	snprintf(text, sizeof(text), "cut:%s:%s", name, attribute_name(hole->attribute));
	unread = strcmp(fabric->sources[hole->source - 1].format, "unknown") == 0;
	if (unread && was_read_in_part(fabric, &fabric->sources[hole->source - 1]))
		outcome = "was not read to its end";
	else if (unread)
		outcome = "was not read";
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, text, "%s %s: %s", name, outcome, detail);
	if (!finding || !finding_text(&finding->subject, "%s", name) ||
	    !finding_evidence(finding, "reason", "%s", hole_reason_name(hole->reason)) ||
	    !finding_source(finding, fabric, hole->source, 0) ||
	    !finding_text(&finding->remedy, "%s", unread ?
			  "Unpack the archive by hand and give what it holds, or copy it once more; that "
			  "costs nothing." :
			  "Copy the file once more, or capture again and look that the disk is not "
			  "full and the tool was not stopped; what stands before the cut was used."))
		return err_no_memory(err);
	return 0;
}

static int check_cut_files(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->hole_count; i++) {
		if (is_cut_file(&fabric->holes[i]) && fabric->holes[i].source <= fabric->source_count)
			rc = tell_cut_file(fabric, &fabric->holes[i], out, err);
	}
	return rc;
}

static int tell_odd_lines(const struct fabric *fabric, size_t index, const struct odd_line *line,
			  struct rule_output *out, struct err *err)
{
	const struct source *source = &fabric->sources[index];
	bool one = source->odd_rows == 1;
	bool most = odd_is_most(source);
	bool foreign = strcmp(source->format, "unknown") == 0;
	/* What another command prints looks as it looks. */
	const char *cause = foreign ? "" : odd_cause(fabric, (source_ref)(index + 1));
	struct finding *finding;
	char name[CITE_SIZE];
	char text[1024];
	char count[64];

	cite(fabric, (source_ref)(index + 1), 0, "", name);
	snprintf(text, sizeof(text), "odd-lines:%s", name);
	snprintf(count, sizeof(count), "%s%lld %s", source->rows == 0 && !one ? "all " : "",
		 (long long)source->odd_rows, one ? "line" : "lines");
	if (most && source->rows > 0)
		snprintf(count, sizeof(count), "%lld of %lld lines", (long long)source->odd_rows,
			 (long long)source->odd_rows + source->rows);
	finding = rule_finding(out, most ? SEVERITY_WARNING : SEVERITY_INFO, NULL, NULL, text,
			       "%s of %s %s not understood%s%s", count, name, one ? "was" : "were",
			       *cause ? ": " : "", cause);
	if (!finding || !finding_text(&finding->subject, "%s", name) ||
	    !finding_source(finding, fabric, (source_ref)(index + 1), line ? line->line : 0))
		return err_no_memory(err);
	if (line && line->text) {
		text_escape(line->text, strlen(line->text), text, sizeof(text));
		if (!finding_evidence(finding, "first", "%s", text))
			return err_no_memory(err);
	}
	if (source->detail && odd_is_most(source)) {
		text_escape(source->detail, strlen(source->detail), text, sizeof(text));
		if (!finding_evidence(finding, "detail", "%s", text))
			return err_no_memory(err);
	}
	if (line && line->reason && !finding_evidence(finding, "because", "%s", line->reason))
		return err_no_memory(err);
	if (!finding_text(&finding->remedy, "%s", most ?
			  "Save what the tool prints once more, unchanged (TOOL > FILE), each tool's in a "
			  "file of its own; that costs nothing." : foreign ?
			  "Nothing is to be done, unless a capture is among them: give that as a file of "
			  "its own." :
			  "Look whether the file is cut, mixed with other output, or of a release "
			  "that writes more than we know; the rest of it was used."))
		return err_no_memory(err);
	return 0;
}

/* Lines of a file that were not understood: one finding a file. */
static int check_odd_lines(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	const struct odd_line **first = calloc(fabric->source_count + 1, sizeof(struct odd_line *));
	int rc = 0;

	if (!first)
		return err_no_memory(err);
	for (size_t i = fabric->odd_line_count; i-- > 0;) {
		if (fabric->odd_lines[i].source > 0 &&
		    fabric->odd_lines[i].source <= fabric->source_count)
			first[fabric->odd_lines[i].source - 1] = &fabric->odd_lines[i];
	}
	for (size_t i = 0; rc == 0 && i < fabric->source_count; i++) {
		if (fabric->sources[i].odd_rows > 0)
			rc = tell_odd_lines(fabric, i, first[i], out, err);
	}
	free(first);
	return rc;
}

int collection_files_check(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	int rc = check_cut_files(fabric, out, err);

	return rc < 0 ? rc : check_odd_lines(fabric, out, err);
}
