#include "collector/import/qos_lexer.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static const char *const section_names[] = {
	"qos-ulps", "end-qos-ulps", "port-groups", "end-port-groups", "port-group", "end-port-group",
	"qos-setup", "end-qos-setup", "vlarb-tables", "end-vlarb-tables", "vlarb-scope",
	"end-vlarb-scope", "sl2vl-tables", "end-sl2vl-tables", "sl2vl-scope", "end-sl2vl-scope",
	"qos-levels", "end-qos-levels", "qos-level", "end-qos-level", "qos-match-rules",
	"end-qos-match-rules", "qos-match-rule", "end-qos-match-rule",
};

enum value_mode { MODE_NUMBERS, MODE_DESCRIPTION, MODE_STRING, MODE_NODE_TYPE };

static const struct {
	const char *name;
	enum value_mode mode;
} keywords[] = {
	{"port-guid", MODE_NUMBERS}, {"port-name", MODE_STRING}, {"partition", MODE_STRING},
	{"node-type", MODE_NODE_TYPE}, {"name", MODE_STRING}, {"use", MODE_DESCRIPTION},
	{"group", MODE_STRING}, {"vlarb-high", MODE_NUMBERS}, {"vlarb-low", MODE_NUMBERS},
	{"vl-high-limit", MODE_NUMBERS}, {"to", MODE_NUMBERS}, {"from", MODE_NUMBERS},
	{"across-to", MODE_STRING}, {"across-from", MODE_STRING}, {"across", MODE_STRING},
	{"sl2vl-table", MODE_NUMBERS}, {"sl", MODE_NUMBERS}, {"mtu-limit", MODE_NUMBERS},
	{"rate-limit", MODE_NUMBERS}, {"packet-life", MODE_NUMBERS}, {"path-bits", MODE_NUMBERS},
	{"qos-class", MODE_NUMBERS}, {"source", MODE_STRING}, {"destination", MODE_STRING},
	{"service-id", MODE_NUMBERS}, {"pkey", MODE_NUMBERS}, {"qos-level-name", MODE_STRING},
};

static const char *const node_types[] = {"router", "ca", "switch", "self", "all"};

/* With `word`: "ULP, word"; without: "ULP :". */
static const struct {
	const char *name;
	const char *ulp;
	const char *word;
} ulps[] = {
	{"default", "default", NULL},
	{"any, service-id", "any", "service-id"},
	{"any, pkey", "any", "pkey"},
	{"any, target-port-guid", "any", "target-port-guid"},
	{"any, source-port-guid", "any", "source-port-guid"},
	{"any, source-target-port-guid", "any", "source-target-port-guid"},
	{"sdp", "sdp", NULL},
	{"sdp, port-num", "sdp", "port-num"},
	{"rds", "rds", NULL},
	{"rds, port-num", "rds", "port-num"},
	{"iser", "iser", NULL},
	{"iser, port-num", "iser", "port-num"},
	{"srp, target-port-guid", "srp", "target-port-guid"},
	{"ipoib", "ipoib", NULL},
	{"ipoib, pkey", "ipoib", "pkey"},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	return at;
}

static bool starts(const char *at, const char *end, const char *word, bool any_case)
{
	size_t length = strlen(word);

	if ((size_t)(end - at) < length)
		return false;
	return any_case ? strncasecmp(at, word, length) == 0 : memcmp(at, word, length) == 0;
}

/* [ \t]*MARK[ \t]* at `at`: where it ends, or NULL. */
static const char *behind_mark(const char *at, const char *end, char mark)
{
	at = skip_blanks(at, end);
	if (at == end || *at != mark)
		return NULL;
	return skip_blanks(at + 1, end);
}

/* Keeps the longer match; of two equal ones the first, as flex does. */
static void consider(struct qos_token *best, enum qos_token_kind kind, const char *name,
		     const char *match_end)
{
	size_t length = (size_t)(match_end - best->text);

	if (length <= best->length)
		return;
	best->kind = kind;
	best->name = name;
	best->length = length;
}

static void match_words(struct qos_token *best, const char *end)
{
	const char *at = best->text;

	for (size_t i = 0; i < COUNT(section_names); i++) {
		if (starts(at, end, section_names[i], false))
			consider(best, QOS_SECTION, section_names[i], at + strlen(section_names[i]));
	}
	for (size_t i = 0; i < COUNT(keywords); i++) {
		if (starts(at, end, keywords[i].name, false)) {
			const char *behind = behind_mark(at + strlen(keywords[i].name), end, ':');

			if (behind)
				consider(best, QOS_KEYWORD, keywords[i].name, behind);
		}
	}
	for (size_t i = 0; i < COUNT(node_types); i++) {
		if (starts(at, end, node_types[i], true))
			consider(best, QOS_NODE_TYPE, node_types[i], at + strlen(node_types[i]));
	}
}

static void match_ulps(struct qos_token *best, const char *end)
{
	for (size_t i = 0; i < COUNT(ulps); i++) {
		const char *at = best->text;

		if (!starts(at, end, ulps[i].ulp, true))
			continue;
		at += strlen(ulps[i].ulp);
		if (!ulps[i].word) {
			at = behind_mark(at, end, ':');
		} else {
			at = behind_mark(at, end, ',');
			if (at)
				at = starts(at, end, ulps[i].word, false) ? at + strlen(ulps[i].word) : NULL;
		}
		if (at && (size_t)(at - best->text) > best->length) {
			consider(best, QOS_ULP, ulps[i].name, at);
			best->has_number = ulps[i].word != NULL;
		}
	}
}

static void match_number(struct qos_token *best, const char *end)
{
	const char *at = best->text;

	if (end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') &&
	    isxdigit((unsigned char)at[2])) {
		at += 2;
		while (at < end && isxdigit((unsigned char)*at))
			at++;
		consider(best, QOS_NUMBER, NULL, at);
		return;
	}
	while (at < end && isdigit((unsigned char)*at))
		at++;
	consider(best, QOS_NUMBER, NULL, at);
}

static void match_rest(struct qos_token *best, const char *end)
{
	static const struct {
		char mark;
		enum qos_token_kind kind;
	} marks[] = {{'-', QOS_DASH}, {':', QOS_COLON}, {',', QOS_COMMA}, {'*', QOS_ASTERISK}};
	const char *at = best->text;

	for (size_t i = 0; i < COUNT(marks); i++) {
		if (*at == marks[i].mark)
			consider(best, marks[i].kind, NULL, at + 1);
	}
	if (*at == '"') {
		/* A quotation goes on over line ends. */
		const char *quote = memchr(at + 1, '"', (size_t)(end - at - 1));

		if (quote)
			consider(best, QOS_TEXT, NULL, quote + 1);
	}
	consider(best, QOS_TEXT, NULL, at + 1);
}

/* What the token means where the lexer stands, and what it changes there. */
static void settle(struct qos_lexer *lexer, struct qos_token *token)
{
	bool free_text = lexer->in_description;
	bool text = lexer->in_description || lexer->in_string;

	switch (token->kind) {
	case QOS_SECTION:
	case QOS_ULP:
		if (free_text)
			token->kind = QOS_TEXT;
		break;
	case QOS_KEYWORD:
		if (free_text) {
			token->kind = QOS_TEXT;
			break;
		}
		for (size_t i = 0; i < COUNT(keywords); i++) {
			if (keywords[i].name != token->name)
				continue;
			lexer->in_description = keywords[i].mode == MODE_DESCRIPTION;
			lexer->in_string = lexer->in_string || keywords[i].mode == MODE_STRING;
			lexer->in_node_type = lexer->in_node_type || keywords[i].mode == MODE_NODE_TYPE;
		}
		break;
	case QOS_NODE_TYPE:
		if (!lexer->in_node_type)
			token->kind = QOS_TEXT;
		break;
	case QOS_NUMBER:
	case QOS_DASH:
	case QOS_COLON:
	case QOS_ASTERISK:
		if (text)
			token->kind = QOS_TEXT;
		break;
	case QOS_COMMA:
		if (free_text)
			token->kind = QOS_TEXT;
		break;
	case QOS_TEXT:
	case QOS_END:
		break;
	}
}

void qos_lexer_start(struct qos_lexer *lexer, const char *text, size_t length)
{
	*lexer = (struct qos_lexer){.at = text, .end = text + length, .line = 1};
}

static void end_line(struct qos_lexer *lexer, const char *behind)
{
	lexer->at = behind;
	lexer->line++;
	lexer->in_description = false;
	lexer->in_string = false;
	lexer->in_node_type = false;
}

/* Takes what makes no token: line ends, comments (with their line end), blanks. */
static bool skip_one(struct qos_lexer *lexer)
{
	const char *at = lexer->at;
	const char *behind = skip_blanks(at, lexer->end);

	if (behind < lexer->end && *behind == '\n') {
		end_line(lexer, behind + 1);
		return true;
	}
	if (behind > at) {
		if (lexer->in_description)
			return false;
		lexer->at = behind;
		return true;
	}
	if (*at == '#') {
		const char *line_end = NULL;

		if (!lexer->on_last_line)
			line_end = memchr(at, '\n', (size_t)(lexer->end - at));
		/* Without a line end behind it, it is no comment but a character. */
		lexer->on_last_line = !line_end;
		if (!line_end)
			return false;
		end_line(lexer, line_end + 1);
		return true;
	}
	return false;
}

struct qos_token qos_lexer_next(struct qos_lexer *lexer)
{
	struct qos_token token = {.kind = QOS_END};

	while (lexer->at < lexer->end && skip_one(lexer))
		;
	token.text = lexer->at;
	token.line = lexer->line;
	if (lexer->at == lexer->end)
		return token;
	if (is_blank(*lexer->at)) {
		consider(&token, QOS_TEXT, NULL, skip_blanks(lexer->at, lexer->end));
	} else {
		match_words(&token, lexer->end);
		match_ulps(&token, lexer->end);
		match_number(&token, lexer->end);
		match_rest(&token, lexer->end);
		settle(lexer, &token);
	}
	for (size_t i = 0; i < token.length; i++)
		lexer->line += token.text[i] == '\n';
	lexer->at += token.length;
	return token;
}
