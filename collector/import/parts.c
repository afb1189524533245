#include "collector/import/parts.h"

#include <stdio.h>
#include <string.h>

#include "collector/import/detect.h"
#include "collector/import/scan.h"

#define SURE 75			/* of a format behind a prompt */
#define SHORT_WINDOW ((size_t)1 << 10)	/* bytes behind a mark: as a rule the next one is there, */
#define WINDOW ((size_t)16 << 10)	/* else so many tell the format */
/* Where a part begins: as a rule it is short, else so many tell its format. */
#define SHORT_PART ((size_t)4 << 10)
#define LONG_PART ((size_t)60 << 10)

/* What a line may be to who looks for the parts' beginnings. */
enum mark_kind { MARK_NONE, MARK_PROMPT, MARK_BEGINNING };

struct mark {
	enum mark_kind kind;
	struct prompt prompt;
	struct beginning beginning;
};

/* The text that begins with a line: of the input, or of a text that is there already. */
struct view {
	struct input *input;	/* NULL: `text` holds all there is */
	struct probe text;
	bool full;		/* the shorter prompts are none: comments look like them */
};

static int view_text(struct view *view, size_t size, struct err *err)
{
	int rc = view->input ? input_window(view->input, size, &view->text, err) : 0;

	view->text.name = "";
	return rc;
}

static struct probe text_behind(const struct probe *text, size_t offset)
{
	offset = offset < text->length ? offset : text->length;
	return (struct probe){"", text->text + offset, text->length - offset};
}

/* A script's log has the output of `date` where a terminal's has a prompt. */
static bool is_prompt(const char *line, size_t length, bool full, struct prompt *ret_prompt)
{
	int64_t time;

	if (prompt_date(line, length, &time)) {
		*ret_prompt = (struct prompt){.command = ""};
		return true;
	}
	return prompt_find(line, length, ret_prompt) && (ret_prompt->full || !full);
}

/* 0 or an error. The line is the view's first one, and gone when a mark was found. */
static int mark_of(const char *line, size_t length, struct view *view, struct mark *ret_mark,
		   struct err *err)
{
	int needs = beginning_needs(line, length);
	size_t offset = 0;
	int rc;

	ret_mark->kind = MARK_NONE;
	if (needs < 0 && !is_prompt(line, length, view->full, &ret_mark->prompt))
		return 0;
	rc = view_text(view, needs < 0 ? SHORT_WINDOW : (size_t)needs, err);
	if (rc < 0)
		return rc;
	if (needs >= 0 && beginning_find(&view->text, &ret_mark->beginning))
		ret_mark->kind = MARK_BEGINNING;
	else if (probe_line(&view->text, &offset, &line, &length) &&
		 is_prompt(line, length, view->full, &ret_mark->prompt))
		ret_mark->kind = MARK_PROMPT;
	return 0;
}

/* What lies between a mark and the next one. */
struct region {
	const struct format *format;
	bool empty;		/* nothing but blank lines and comments */
	bool ended;		/* by another mark */
};

/* A file that the SM reads as a whole. */
static bool is_config(const struct format *format)
{
	return format && format->by_hand && format->config;
}

/* The mark that ends the region behind the text's first line, and where; at the text's end: MARK_NONE. */
static size_t region_end(const struct probe *text, size_t begin, bool full, struct region *region,
			 struct mark *ret_next)
{
	size_t at = begin, offset = begin;
	const char *line;
	size_t length;

	ret_next->kind = MARK_NONE;
	while (probe_line(text, &offset, &line, &length)) {
		struct view view = {NULL, text_behind(text, at), full};
		struct err err;

		if (mark_of(line, length, &view, ret_next, &err) < 0 || ret_next->kind != MARK_NONE)
			break;
		import_trim(&line, &length);
		region->empty = region->empty && (length == 0 || *line == '#');
		at = offset < text->length ? offset : text->length;
	}
	return at;
}

/* What stands behind the text's first line, which is the mark, up to the next one. */
static struct region region_of(const struct probe *text, bool full, const struct mark *mark)
{
	struct region region = {.empty = true};
	size_t begin = 0, end;
	struct mark next;
	const char *line;
	size_t length;
	struct probe inside;

	probe_line(text, &begin, &line, &length);
	begin = begin < text->length ? begin : text->length;
	end = region_end(text, begin, full, &region, &next);
	region.ended = next.kind != MARK_NONE;
	inside = (struct probe){"", text->text + begin, end - begin};
	region.format = import_detect_sure(&inside, SURE);
	/* What was searched for in a configuration is not the configuration. */
	if (mark->kind == MARK_PROMPT && is_config(region.format) && !prompt_shows_file(&mark->prompt))
		region.format = NULL;
	/* Lines of no format in front of a beginning belong to it. */
	if (!region.format && next.kind == MARK_BEGINNING) {
		struct probe rest = text_behind(text, end);

		region.format = next.beginning.format;
		/* A head of ibdiagnet's, once: of two the first has nothing behind it. */
		if (!region.format && mark->kind == MARK_PROMPT)
			return region_of(&rest, full, &next);
	}
	return region;
}

static bool is_one_reader(const struct format *a, const struct format *b)
{
	return a && b && a->read == b->read;
}

/*
 * One more answer of what the part holds already. Answers that say which node has an
 * address begin a part: it is read before those that ask for it by that.
 */
static bool goes_on(const struct format *now, const struct format *next)
{
	return is_one_reader(now, next) && (!now->late || next->late);
}

/* Whether the command may print this: it is none of our tools, or that of the format. */
static bool may_print(const struct prompt *prompt, const struct format *format)
{
	struct scan scan = scan_of(prompt->command, prompt->length);
	char tool[64];
	size_t length = strcspn(format->id, "-.2_");

	if (!prompt->ours || length >= sizeof(tool))
		return true;
	memcpy(tool, format->id, length);
	tool[length] = '\0';
	return scan_find(&scan, tool) != NULL;
}

/* Whether another part begins with this prompt. */
static bool prompt_ends(const struct parts *parts, const struct mark *mark, struct region region)
{
	const struct prompt *prompt = &mark->prompt;
	const struct part *now = &parts->now;

	/* A comment of a configuration may look like the short ones. */
	if (is_config(now->format))
		return prompt->full;
	if (region.format)
		return !goes_on(now->format, region.format) ||
		       (region.format->one_look && parts->content &&
			may_print(prompt, region.format));
	return now->format && prompt->full && prompt->length > 0 && !prompt->ours && !region.empty;
}

static bool beginning_ends(struct parts *parts, const struct mark *mark, struct region region)
{
	const struct format *now = parts->now.format;
	bool again = (parts->seen && mark->beginning.once) ||
		     (mark->beginning.head && parts->content);

	/* OpenSM's own files hold whatever somebody wrote, or told it to write. */
	if (is_config(now) && !parts->now.behind_prompt)
		return false;
	if (!region.format)
		return now != NULL;
	if (goes_on(now, region.format)) {
		parts->seen = parts->seen || mark->beginning.once;
		return again;
	}
	return !(now && strcmp(now->id, "opensm.log") == 0 && mark->beginning.opensm);
}

/* Blank, a comment, or a prompt. */
static bool says_nothing(const char *line, size_t length)
{
	struct prompt prompt;
	int64_t time;

	import_trim(&line, &length);
	return length == 0 || *line == '#' || prompt_find(line, length, &prompt) ||
	       prompt_date(line, length, &time);
}

/* What `date` printed in front of all else; 0: it did not. */
static int64_t date_in_front(const struct probe *text, bool *ret_first)
{
	size_t offset = 0;
	int64_t time = 0;
	const char *line;
	size_t length;

	*ret_first = true;
	while (probe_line(text, &offset, &line, &length) && says_nothing(line, length)) {
		if (prompt_date(line, length, &time))
			return time;
		*ret_first = false;
	}
	return 0;
}

/* A script that ends each run with `date` looks like one that begins it so, but for the first. */
static void note_date(struct parts *parts, const struct probe *text, bool first_part)
{
	bool first;
	int64_t time = date_in_front(text, &first);

	parts->dated = parts->dated || (first_part && time != 0);
	parts->now.time = parts->dated || !first ? time : 0;
}

/* 1: another part begins with this line, told in parts->next; 0: it goes on. Or an error. */
static int look_at(struct parts *parts, const char *line, size_t length, struct view *view,
		struct err *err)
{
	struct region region = {.empty = true};
	struct mark mark;
	bool ends;
	int rc = mark_of(line, length, view, &mark, err);

	if (rc < 0 || mark.kind == MARK_NONE)
		return rc;
	if (mark.kind == MARK_PROMPT && mark.prompt.full)
		snprintf(parts->host, sizeof(parts->host), "%.*s", (int)mark.prompt.host_length,
			 mark.prompt.host ? mark.prompt.host : "");
	if (mark.kind == MARK_BEGINNING && mark.beginning.format) {
		region.format = mark.beginning.format;
	} else {
		region = region_of(&view->text, view->full, &mark);
		/* The text's front stays where it is, and the prompt in it. */
		if (!region.ended && view->input) {
			rc = view_text(view, WINDOW, err);
			if (rc < 0)
				return rc;
			region = region_of(&view->text, view->full, &mark);
		}
	}
	ends = mark.kind == MARK_PROMPT ? prompt_ends(parts, &mark, region)
					: beginning_ends(parts, &mark, region);
	if (ends)
		parts->next = (struct part){.format = region.format,
					    .behind_prompt = mark.kind == MARK_PROMPT};
	return ends;
}

static int look(struct parts *parts, const char *line, size_t length, struct view *view,
		struct err *err)
{
	bool content = parts->content || (parts->lines >= parts->now.lead && !says_nothing(line, length));
	int rc = look_at(parts, line, length, view, err);

	parts->content = content;
	parts->lines++;
	return rc;
}

static int watch_line(void *context, const char *line, size_t length, struct err *err)
{
	struct parts *parts = context;
	struct view view = {.input = parts->input, .full = parts->full};
	int rc = look(parts, line, length, &view, err);

	/* The first line is the part's, whatever it is. */
	if (rc == 1 && parts->fresh)
		rc = 0;
	parts->fresh = false;
	parts->more = rc == 1;
	return rc;
}

/* How much of the text is the part's that it begins with, when that is of this format. */
static size_t extent_of(const struct probe *text, struct part now, bool full)
{
	struct parts parts = {.now = now};
	size_t offset = 0, at = 0;
	const char *line;
	size_t length;

	while (probe_line(text, &offset, &line, &length)) {
		struct view view = {NULL, text_behind(text, at), full};
		struct err err;

		if (look(&parts, line, length, &view, &err) != 0 && at > 0)
			return at;
		at = offset;
	}
	return text->length;
}

/*
 * The format of a part from all of its lines in the text: what begins it may fit
 * two formats of one reader, and what nothing splits is what it is as a whole.
 */
static const struct format *format_of(const struct probe *text, const struct part *now, bool full,
				      bool *ret_hopeless)
{
	struct probe part = *text;
	const struct format *format;

	part.length = extent_of(text, *now, full);
	if (part.length < text->length)
		part.name = "";
	format = import_detect(&part);
	*ret_hopeless = !format && !now->format && part.length == text->length;
	if (format && part.length == text->length && now->line == 1)
		return format;
	return is_one_reader(format, now->format) ? format : now->format;
}

static int64_t lines_of(const struct probe *text, size_t length)
{
	int64_t lines = 0;

	for (size_t i = 0; i < length; i++)
		lines += text->text[i] == '\n';
	return lines;
}

/* The first part of a file: what the lines up to the first mark are, or else what begins there. */
static void first_part(const struct probe *text, bool full, struct part *part)
{
	const struct parts any = {.now = {.format = import_format_at(0)}};
	struct region region = {.empty = true};
	struct mark mark;
	size_t at = region_end(text, 0, full, &region, &mark);
	struct probe rest = {"", text->text, at};

	part->format = import_detect_sure(&rest, SURE);
	while (!part->format && mark.kind != MARK_NONE) {
		size_t behind = 0;
		const char *line;
		size_t length;

		rest = text_behind(text, at);
		region = (struct region){.empty = true};
		if (mark.kind == MARK_BEGINNING && mark.beginning.format)
			region.format = mark.beginning.format;
		else
			region = region_of(&rest, full, &mark);
		part->behind_prompt = at == 0 && mark.kind == MARK_PROMPT;
		part->lead = lines_of(text, at);
		/* A configuration begins with nothing in front. */
		if (at == 0 || !is_config(region.format))
			part->format = region.format;
		if (part->format || is_config(region.format) ||
		    (part->behind_prompt && prompt_ends(&any, &mark, region)))
			return;
		probe_line(&rest, &behind, &line, &length);
		at = region_end(text, at + behind, full, &region, &mark);
	}
}

/* The line that the watch stopped at begins the part: what a file has once counts from it on. */
static void note_first(struct parts *parts, const struct probe *text)
{
	struct beginning beginning;
	size_t offset = 0;
	const char *line;
	size_t length;

	parts->seen = beginning_find(text, &beginning) && beginning.once;
	parts->content = probe_line(text, &offset, &line, &length) && !says_nothing(line, length);
}

static bool has_full_prompt(const struct probe *text)
{
	size_t offset = 0;
	struct prompt prompt;
	const char *line;
	size_t length;

	while (probe_line(text, &offset, &line, &length)) {
		if (prompt_find(line, length, &prompt) && prompt.full)
			return true;
	}
	return false;
}

static int begin_file(struct parts *parts, struct err *err)
{
	const struct format *shown;
	struct probe text;
	int rc = input_probe(parts->input, &text, err);

	if (rc < 0)
		return rc;
	if (parts->whole) {
		parts->now.format = import_detect(&text);
		return 0;
	}
	parts->full = has_full_prompt(&text);
	note_date(parts, &text, true);
	/* Without one it is the file that OpenSM reads. */
	parts->now.format = import_detect(&text);
	if (parts->full || !is_config(parts->now.format))
		first_part(&text, parts->full, &parts->now);
	shown = parts->now.format;
	parts->now.format = format_of(&text, &parts->now, parts->full, &parts->hopeless);
	/* As a whole it is something else than its first lines: nothing here can part the two. */
	if (shown && !is_one_reader(shown, parts->now.format))
		return 0;
	parts->fresh = true;
	input_watched(parts->input, watch_line, parts);
	return 0;
}

static int begin_next(struct parts *parts, struct err *err)
{
	struct probe text;
	int rc;

	parts->now = parts->next;
	memcpy(parts->now.host, parts->host, sizeof(parts->host));
	parts->seen = parts->content = false;
	parts->lines = 0;
	parts->now.line = input_line_number(parts->input) + 1;
	parts->now.place = parts->now.mark = input_place(parts->input);
	input_next_part(parts->input);
	if (!parts->now.format)
		return 0;
	rc = input_window(parts->input, SHORT_PART, &text, err);
	if (rc == 0 && extent_of(&text, parts->now, parts->full) == text.length)
		rc = input_window(parts->input, LONG_PART, &text, err);
	if (rc < 0)
		return rc;
	text.name = "";
	note_first(parts, &text);
	note_date(parts, &text, false);
	parts->now.format = format_of(&text, &parts->now, parts->full, &parts->hopeless);
	return 0;
}

void parts_begin(struct parts *parts, struct input *input, bool whole)
{
	*parts = (struct parts){.input = input, .whole = whole};
}

int parts_next(struct parts *parts, struct part *ret_part, struct err *err)
{
	char *line;
	size_t length;
	int rc = 0;

	if (!parts->begun) {
		parts->begun = true;
		parts->now.line = 1;
		rc = begin_file(parts, err);
	} else {
		while ((rc = input_line(parts->input, &line, &length, err)) == 1)
			;
		if (rc < 0 || !parts->more)
			return rc;
		parts->more = false;
		rc = begin_next(parts, err);
	}
	/* What the SM reads has no prompt in front. */
	if (rc == 0 && parts->now.behind_prompt && is_config(parts->now.format)) {
		parts->fresh = true;
		rc = input_line(parts->input, &line, &length, err);
		parts->now.line++;
		parts->now.place = input_place(parts->input);
		parts->fresh = true;
	}
	if (rc < 0)
		return rc;
	*ret_part = parts->now;
	return 1;
}
