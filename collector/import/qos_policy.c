#include "collector/import/qos_policy.h"

#include <stdlib.h>
#include <string.h>

#include "collector/import/config_cross.h"
#include "collector/import/format.h"
#include "collector/import/qos_grammar.h"

struct text {
	char *bytes;
	size_t length;
	size_t room;
};

static int text_add(struct text *text, const char *bytes, size_t length, struct err *err)
{
	if (text->length + length > QOS_POLICY_MAX_BYTES)
		return err_set(err, ERR_LIMIT, "a QoS policy of more than %zu bytes is not read",
			       QOS_POLICY_MAX_BYTES);
	if (text->length + length + 1 > text->room) {
		size_t room = 2 * (text->length + length) + 4096;
		char *grown = realloc(text->bytes, room);

		if (!grown)
			return err_no_memory(err);
		text->bytes = grown;
		text->room = room;
	}
	memcpy(text->bytes + text->length, bytes, length);
	text->length += length;
	text->bytes[text->length] = '\0';
	return 0;
}

/* The file as OpenSM's lexer sees it: with its CRs, and without a last line end if it has none. */
static int read_text(struct import *import, struct input *input, struct text *text, struct err *err)
{
	size_t length;
	char *line;
	int rc = text_add(text, "", 0, err);

	if (rc == 0 && input_had_bom(input))
		rc = text_add(text, "\xef\xbb\xbf", 3, err);
	input_like_fgets(input);
	while (rc == 0 && (rc = input_line(input, &line, &length, err)) == 1) {
		if (length > 0)
			import_row(import);
		rc = text_add(text, line, length, err);
		if (rc == 0 && input_line_had_cr(input))
			rc = text_add(text, "\r", 1, err);
		if (rc == 0 && input_line_had_end(input))
			rc = text_add(text, "\n", 1, err);
	}
	return rc;
}

static int read_policy(struct config *config, source_ref source, const struct text *text,
		       struct err *err)
{
	struct config_notes notes = {.config = config, .source = source};
	struct policy_node *root = fabric_alloc(config->fabric, 1, sizeof(*root));
	bool dropped = false;
	int rc;

	if (root)
		root->keyword = fabric_text(config->fabric, "", 0);
	if (!root || !root->keyword)
		return err_no_memory(err);
	rc = qos_policy_parse(&notes, text->bytes, text->length, root, &dropped, err);
	/* The problem noted last is the fault. */
	if (rc == 0)
		rc = qos_guid_ranges_check(&notes, root, dropped && config->problem_count > 0 ?
					   config->problems[config->problem_count - 1].line : INT64_MAX, err);
	if (rc == 0 && !dropped)
		rc = qos_policy_check(&notes, root, &dropped, err);
	if (rc == 0)
		rc = config_notes_end(&notes, err);
	if (rc < 0)
		return rc;
	/* Of several policies the first one read stays. */
	if (config->policy.present)
		return 0;
	config->policy = (struct qos_policy){true, source, root, dropped};
	return config_cross_policy(config, err);
}

static int read_qos_policy(struct import *import, struct input *input, struct err *err)
{
	struct text text = {0};
	int rc = read_text(import, input, &text, err);

	if (rc == 0)
		rc = read_policy(import_fabric(import)->config, import_source_ref(import), &text, err);
	free(text.bytes);
	return rc;
}

/* Lines that are a section's first word and nothing else. */
static int detect_qos_policy(const struct probe *probe)
{
	size_t offset = 0, length, top = 0, inner = 0;
	const char *line;

	while (probe_line(probe, &offset, &line, &length)) {
		const char *hash = memchr(line, '#', length);
		const struct qos_section *section;

		if (hash)
			length = (size_t)(hash - line);
		import_trim(&line, &length);
		if (length > 4 && memcmp(line, "end-", 4) == 0) {
			line += 4;
			length -= 4;
		}
		section = qos_section_find(line, length);
		if (section)
			*(qos_section_is_top(section->name) ? &top : &inner) += 1;
	}
	if (top >= 2)
		return 95;
	if (top + inner > 0)
		return 60;
	/* No line of it may be right. */
	return strcmp(probe->name, "qos-policy.conf") == 0 ? 20 : 0;
}

const struct format format_qos_policy = {
	.id = "qos-policy.conf",
	.title = "OpenSM QoS policy",
	.rank = 50,
	.by_hand = true,
	.copied = true,
	.config = true,
	.detect = detect_qos_policy,
	.read = read_qos_policy,
};
