#include "collector/import/qos_grammar.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SWITCH_PORTS_MAX 128	/* OSM_QOS_POLICY_MAX_PORTS_ON_SWITCH */

/* Outcomes besides 0: the policy is dropped, and memory is gone. */
#define DROPPED 1

static void advance(struct qos_parser *parser)
{
	/* No token was taken in front of the first. */
	if (parser->token.text)
		parser->taken_end = parser->token.text + parser->token.length;
	parser->token = qos_lexer_next(&parser->lexer);
}

/* The rest of the token's line, for a sentence. */
static const char *show_place(const struct qos_parser *parser, char out[CONFIG_SHOW_SIZE])
{
	const char *at = parser->token.text;
	size_t left = (size_t)(parser->lexer.end - at);
	const char *line_end = left ? memchr(at, '\n', left) : NULL;

	return config_show(at, line_end ? (size_t)(line_end - at) : left, out);
}

/* Why a token stands where it must not, as far as experience tells. */
static const char *syntax_hint(const struct qos_parser *parser)
{
	const struct qos_token *token = &parser->token;

	if (token->kind == QOS_END)
		return " (something is not closed at the end of the file)";
	if (*token->text == '\r')
		return " (the lines end with CR LF, which OpenSM does not accept in this file)";
	if (*token->text == '\xef' && token->text == parser->text)
		return " (a byte order mark)";
	if (*token->text == '#')
		return " (a comment in the last line needs a line end behind it)";
	if (token->kind == QOS_SECTION || token->kind == QOS_KEYWORD)
		return " (this word cannot stand here, nor as a part of a name)";
	if (isupper((unsigned char)*token->text))
		return " (keywords are lower case)";
	return "";
}

/*
 * OpenSM's lexer goes on in the state in which a fault left it: behind a `use:` all that
 * comes is description, also of the files it reads later. NULL: this fault leaves none.
 */
static const char *way_out(const struct qos_parser *parser)
{
	if (!parser->lexer.in_description)
		return NULL;
	return "Mend the line and restart OpenSM: where its parser gave up, at a `use:`, it refuses every "
	       "policy that it reads at SIGHUP, a good one too.";
}

static int syntax_error(struct qos_parser *parser)
{
	char shown[CONFIG_SHOW_SIZE];

	if (config_note(parser->notes, parser->err, "policy-syntax", SEVERITY_ERROR, NULL,
			parser->token.line, way_out(parser),
			"OpenSM does not understand the policy from \"%s\" on%s and drops the whole of it "
			"(ERR AC05)", show_place(parser, shown), syntax_hint(parser)) < 0)
		return ERR_NOMEM;
	return DROPPED;
}

/* A value the grammar takes but OpenSM refuses; `what` is the end of a sentence, remedy may be NULL. */
static int value_error(struct qos_parser *parser, const char *keyword, int64_t line, const char *what,
		       const char *remedy)
{
	if (config_note(parser->notes, parser->err, "policy-value", SEVERITY_ERROR, keyword, line, remedy,
			"%s %s: OpenSM drops the whole policy (ERR AC05)", keyword, what) < 0)
		return ERR_NOMEM;
	return DROPPED;
}

int qos_add_node(struct qos_parser *parser, const char *keyword, size_t keyword_length,
		    const char *value, size_t value_length, int64_t line,
		    struct policy_node **ret_node)
{
	struct qos_open *top = &parser->open[parser->depth - 1];
	struct fabric *fabric = parser->notes->config->fabric;
	struct policy_node *node = fabric_alloc(fabric, 1, sizeof(*node));

	if (!node)
		return err_no_memory(parser->err);
	node->keyword = fabric_text(fabric, keyword, keyword_length);
	if (value) {
		while (value_length > 0 && isspace((unsigned char)value[value_length - 1]))
			value_length--;
		node->value = fabric_text(fabric, value, value_length);
	}
	if (!node->keyword || (value && !node->value))
		return err_no_memory(parser->err);
	node->line = line;
	*top->tail = node;
	top->tail = &node->next;
	if (ret_node)
		*ret_node = node;
	return 0;
}

void qos_push(struct qos_parser *parser, struct policy_node *node)
{
	parser->open[parser->depth].node = node;
	parser->open[parser->depth].tail = &node->first_child;
	parser->depth++;
}

static bool is_kind(const struct qos_parser *parser, enum qos_token_kind kind)
{
	return parser->token.kind == kind;
}

static int expect(struct qos_parser *parser, enum qos_token_kind kind)
{
	if (!is_kind(parser, kind))
		return syntax_error(parser);
	advance(parser);
	return 0;
}

static int take_number(struct qos_parser *parser, uint64_t *ret_value)
{
	/* Base 0, as strtoull: 010 is eight. The token ends at a byte that is no digit. */
	if (is_kind(parser, QOS_NUMBER) && ret_value)
		*ret_value = strtoull(parser->token.text, NULL, 0);
	return expect(parser, QOS_NUMBER);
}

static int parse_string(struct qos_parser *parser)
{
	int rc = expect(parser, QOS_TEXT);

	while (rc == 0 && is_kind(parser, QOS_TEXT))
		advance(parser);
	return rc;
}

/* "description/P1": a slash, p or P, a number that is not 0. */
static int check_port_name(struct qos_parser *parser, const char *text, size_t length, int64_t line)
{
	const char *slash = NULL;

	for (size_t i = 0; i < length; i++) {
		if (text[i] == '/')
			slash = text + i;
	}
	if (slash)
		slash++;
	if (slash && text + length - slash >= 2 && (*slash == 'p' || *slash == 'P') &&
	    strtoull(slash + 1, NULL, 0) != 0)
		return 0;
	/* Only behind words must the lexer have seen the next line's beginning. */
	return value_error(parser, "port-name", line, "does not end in /P and a port number", way_out(parser));
}

static int parse_strings(struct qos_parser *parser, bool port_names)
{
	int rc;

	for (;;) {
		const char *start = parser->token.text;
		int64_t line = parser->token.line;

		rc = parse_string(parser);
		if (rc == 0 && port_names)
			rc = check_port_name(parser, start, (size_t)(parser->taken_end - start), line);
		if (rc != 0 || !is_kind(parser, QOS_COMMA))
			return rc;
		advance(parser);
	}
}

/* number[-number], ...: `most` bounds the numbers, 0: none. */
static int parse_ranges(struct qos_parser *parser, uint64_t most, bool *ret_beyond)
{
	uint64_t value = 0;
	int rc;

	for (;;) {
		rc = take_number(parser, &value);
		if (rc == 0 && most && value > most)
			*ret_beyond = true;
		if (rc == 0 && is_kind(parser, QOS_DASH)) {
			advance(parser);
			rc = take_number(parser, &value);
			if (rc == 0 && most && value > most)
				*ret_beyond = true;
		}
		if (rc != 0 || !is_kind(parser, QOS_COMMA))
			return rc;
		advance(parser);
	}
}

static int parse_table(struct qos_parser *parser, int64_t line)
{
	uint64_t value = 0;
	size_t count = 0;
	bool beyond = false;
	int rc;

	for (;;) {
		rc = take_number(parser, &value);
		beyond = beyond || value > 15;
		count++;
		if (rc != 0 || !is_kind(parser, QOS_COMMA))
			break;
		advance(parser);
	}
	if (rc == 0 && count != 16)
		return value_error(parser, "sl2vl-table", line, "does not have 16 numbers", NULL);
	if (rc == 0 && beyond)
		return value_error(parser, "sl2vl-table", line, "has a VL above 15", NULL);
	return rc;
}

static int parse_pairs(struct qos_parser *parser)
{
	int rc;

	for (;;) {
		rc = take_number(parser, NULL);
		if (rc == 0)
			rc = expect(parser, QOS_COLON);
		if (rc == 0)
			rc = take_number(parser, NULL);
		if (rc != 0 || !is_kind(parser, QOS_COMMA))
			return rc;
		advance(parser);
	}
}

static int parse_node_types(struct qos_parser *parser)
{
	int rc = expect(parser, QOS_NODE_TYPE);

	while (rc == 0 && is_kind(parser, QOS_COMMA)) {
		advance(parser);
		rc = expect(parser, QOS_NODE_TYPE);
	}
	return rc;
}

static int parse_one_number(struct qos_parser *parser, const struct qos_entry *spec, int64_t line)
{
	uint64_t value = 0;
	char what[120];
	int rc = take_number(parser, &value);

	if (rc != 0 || spec->most == 0 || (value >= spec->least && value <= spec->most))
		return rc;
	snprintf(what, sizeof(what), "is %llu, which is none of the codes %llu to %llu",
		 (unsigned long long)value, (unsigned long long)spec->least,
		 (unsigned long long)spec->most);
	return value_error(parser, spec->keyword, line, what, NULL);
}

static int parse_value(struct qos_parser *parser, const struct qos_entry *spec, int64_t line)
{
	bool beyond = false;
	int rc;

	switch (spec->kind) {
	case QOS_VALUE_STRING:
		return parse_string(parser);
	case QOS_VALUE_STRINGS:
	case QOS_VALUE_PORT_NAMES:
		return parse_strings(parser, spec->kind == QOS_VALUE_PORT_NAMES);
	case QOS_VALUE_RANGES:
		return parse_ranges(parser, 0, &beyond);
	case QOS_VALUE_NUMBER:
		return parse_one_number(parser, spec, line);
	case QOS_VALUE_TABLE:
		return parse_table(parser, line);
	case QOS_VALUE_PAIRS:
		return parse_pairs(parser);
	case QOS_VALUE_NODE_TYPES:
		return parse_node_types(parser);
	case QOS_VALUE_PORTS:
		break;
	}
	if (is_kind(parser, QOS_ASTERISK)) {
		advance(parser);
		return 0;
	}
	rc = parse_ranges(parser, SWITCH_PORTS_MAX - 1, &beyond);
	if (rc == 0 && beyond)
		return value_error(parser, spec->keyword, line, "has a port number above 127", NULL);
	return rc;
}

static int parse_entry(struct qos_parser *parser, const struct qos_section *section)
{
	const struct policy_node *node = parser->open[parser->depth - 1].node;
	const struct qos_entry *spec = section->entries;
	const char *keyword = parser->token.name;
	int64_t line = parser->token.line;
	const char *start;
	int rc;

	while (spec->keyword && strcmp(spec->keyword, keyword) != 0)
		spec++;
	if (!spec->keyword)
		return syntax_error(parser);
	advance(parser);
	start = parser->token.text;
	rc = parse_value(parser, spec, line);
	if (rc != 0)
		return rc;
	if (spec->once && policy_child(node, keyword, NULL))
		return value_error(parser, keyword, line, "stands twice in one section", NULL);
	return qos_add_node(parser, keyword, strlen(keyword), start, (size_t)(parser->taken_end - start),
			line, NULL);
}

static int add_ulp(struct qos_parser *parser, const struct qos_token *ulp, const char *list,
		   size_t list_length, const char *sl, size_t sl_length)
{
	char *keyword;
	size_t name_length = strlen(ulp->name);
	int rc;

	while (list_length > 0 && isspace((unsigned char)list[list_length - 1]))
		list_length--;
	keyword = malloc(name_length + list_length + 2);
	if (!keyword)
		return err_no_memory(parser->err);
	memcpy(keyword, ulp->name, name_length);
	if (list_length > 0) {
		keyword[name_length++] = ' ';
		memcpy(keyword + name_length, list, list_length);
	}
	rc = qos_add_node(parser, keyword, name_length + list_length, sl, sl_length, ulp->line, NULL);
	free(keyword);
	return rc;
}

/* "default : 0", "sdp, port-num 1-5 : 2" */
static int parse_ulp(struct qos_parser *parser)
{
	struct qos_token ulp = parser->token;
	bool ports = strstr(ulp.name, "port-num") != NULL;
	bool beyond = false;
	const char *list, *list_end, *sl;
	uint64_t value = 0;
	int rc = 0;

	advance(parser);
	list = list_end = parser->token.text;
	if (ulp.has_number) {
		rc = parse_ranges(parser, ports ? 0xffff : 0, &beyond);
		list_end = parser->taken_end;
		if (rc == 0)
			rc = expect(parser, QOS_COLON);
		if (rc == 0 && beyond)
			rc = value_error(parser, ulp.name, ulp.line, "has a port number above 65535", NULL);
	}
	sl = parser->token.text;
	if (rc == 0)
		rc = take_number(parser, &value);
	if (rc == 0 && value > 15)
		rc = value_error(parser, ulp.name, ulp.line, "is given an SL above 15", NULL);
	return rc != 0 ? rc : add_ulp(parser, &ulp, list, (size_t)(list_end - list), sl,
				      (size_t)(parser->taken_end - sl));
}

/* What OpenSM looks for when the section's end has come. */
static int check_section(struct qos_parser *parser, const struct qos_section *section, int64_t line)
{
	const struct policy_node *node = parser->open[parser->depth - 1].node;
	bool found = section->one_of[0] == NULL;
	char what[80];

	for (size_t i = 0; i < 2 && section->required[i]; i++) {
		if (policy_child(node, section->required[i], NULL))
			continue;
		snprintf(what, sizeof(what), "has no %s", section->required[i]);
		return value_error(parser, section->name, line, what, NULL);
	}
	for (size_t i = 0; i < 4 && section->one_of[i]; i++)
		found = found || policy_child(node, section->one_of[i], NULL);
	return found ? 0 : value_error(parser, section->name, line, "names no port group", NULL);
}

static int parse_section(struct qos_parser *parser);

static bool has_child(const struct qos_section *section, const char *name)
{
	for (size_t i = 0; i < 3 && section->children[i]; i++) {
		if (strcmp(section->children[i], name) == 0)
			return true;
	}
	return false;
}

static int parse_item(struct qos_parser *parser, const struct qos_section *section)
{
	if (section->has_ulps && is_kind(parser, QOS_ULP))
		return parse_ulp(parser);
	if (section->entries && is_kind(parser, QOS_KEYWORD))
		return parse_entry(parser, section);
	if (is_kind(parser, QOS_SECTION) && has_child(section, parser->token.name))
		return parse_section(parser);
	return syntax_error(parser);
}

/* From the section's first word to its last. */
static int parse_section(struct qos_parser *parser)
{
	const struct qos_section *section = qos_section_find(parser->token.name, strlen(parser->token.name));
	int64_t line = parser->token.line;
	struct policy_node *node = NULL;
	size_t items = 0;
	int rc;

	rc = qos_add_node(parser, section->name, strlen(section->name), NULL, 0, line, &node);
	if (rc < 0)
		return rc;
	qos_push(parser, node);
	advance(parser);
	while (rc == 0 && !(is_kind(parser, QOS_SECTION) && strcmp(parser->token.name, section->end) == 0)) {
		rc = parse_item(parser, section);
		items++;
	}
	if (rc == 0 && section->needs_child && items == 0)
		rc = syntax_error(parser);
	if (rc == 0)
		rc = check_section(parser, section, line);
	if (rc == 0) {
		advance(parser);
		parser->depth--;
	}
	return rc;
}

int qos_policy_parse(struct config_notes *notes, const char *text, size_t length,
		     struct policy_node *root, bool *ret_dropped, struct err *err)
{
	struct qos_parser parser = {.text = text, .taken_end = text, .notes = notes, .err = err};
	int rc = 0;

	qos_lexer_start(&parser.lexer, text, length);
	qos_push(&parser, root);
	parser.token = qos_lexer_next(&parser.lexer);
	while (rc == 0 && !is_kind(&parser, QOS_END)) {
		if (is_kind(&parser, QOS_SECTION) && qos_section_is_top(parser.token.name))
			rc = parse_section(&parser);
		else
			rc = syntax_error(&parser);
	}
	if (rc != DROPPED)
		return rc;
	*ret_dropped = true;
	return qos_read_rest(&parser);
}
