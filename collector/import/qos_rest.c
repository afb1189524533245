#include "collector/import/qos_grammar.h"

#include <ctype.h>
#include <string.h>

/* One line behind the fault, as a person reads it. */
static int add_line_as_meant(struct qos_parser *parser, const char *line, size_t length, int64_t number)
{
	const char *hash = memchr(line, '#', length);
	const struct qos_section *section;
	struct policy_node *node = NULL;
	const char *colon = NULL;
	size_t end;
	int rc;

	if (hash)
		length = (size_t)(hash - line);
	while (length > 0 && isspace((unsigned char)line[length - 1]))
		length--;
	while (length > 0 && isspace((unsigned char)*line)) {
		line++;
		length--;
	}
	if (length == 0)
		return 0;
	if (length > 4 && memcmp(line, "end-", 4) == 0) {
		for (size_t depth = parser->depth; depth > 1; depth--) {
			const char *open = parser->open[depth - 1].node->keyword;

			if (strlen(open) == length - 4 && memcmp(open, line + 4, length - 4) == 0) {
				parser->depth = depth - 1;
				break;
			}
		}
		return 0;
	}
	section = qos_section_find(line, length);
	if (section) {
		/* What was left open ends where a new part of the file begins. */
		if (qos_section_is_top(section->name))
			parser->depth = 1;
		if (parser->depth == QOS_DEPTH_MAX)
			return 0;
		rc = qos_add_node(parser, line, length, NULL, 0, number, &node);
		if (rc == 0)
			qos_push(parser, node);
		return rc;
	}
	/* The SL of a ULP rule stands behind the last colon. */
	for (size_t i = 0; i < length; i++) {
		if (line[i] == ':' && (!colon || strcmp(parser->open[parser->depth - 1].node->keyword,
							"qos-ulps") == 0))
			colon = line + i;
	}
	if (!colon)
		return 0;
	for (end = (size_t)(colon - line); end > 0 && isspace((unsigned char)line[end - 1]);)
		end--;
	for (colon++; colon < line + length && isspace((unsigned char)*colon);)
		colon++;
	return qos_add_node(parser, line, end, colon, (size_t)(line + length - colon), number, NULL);
}

int qos_read_rest(struct qos_parser *parser)
{
	const char *at = parser->token.text;
	int64_t number = parser->token.line;
	int rc = 0;

	while (at > parser->text && at[-1] != '\n')
		at--;
	while (rc == 0 && at < parser->lexer.end) {
		size_t left = (size_t)(parser->lexer.end - at);
		const char *line_end = memchr(at, '\n', left);
		size_t length = line_end ? (size_t)(line_end - at) : left;

		rc = add_line_as_meant(parser, at, length, number++);
		at += line_end ? length + 1 : length;
	}
	return rc;
}
