/*
 * The words of a qos-policy.conf as OpenSM's lexer cuts them (osm_qos_parser_l.l):
 * the longest match wins, wherever it begins, so "hostname: x" holds the keyword
 * "name:". What a word means also depends on the keyword in front of it on the
 * same line.
 */
#ifndef COLLECTOR_IMPORT_QOS_LEXER_H
#define COLLECTOR_IMPORT_QOS_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum qos_token_kind {
	QOS_END,		/* of the file */
	QOS_TEXT,
	QOS_NUMBER,
	QOS_DASH,
	QOS_COLON,
	QOS_COMMA,
	QOS_ASTERISK,
	QOS_SECTION,		/* "qos-levels", "end-qos-levels": name says which */
	QOS_KEYWORD,		/* "sl:" with its colon: name is "sl" */
	QOS_NODE_TYPE,
	QOS_ULP,		/* "default :", "ipoib, pkey": name is in normal form */
};

struct qos_token {
	enum qos_token_kind kind;
	const char *name;	/* static, of sections, keywords and ULPs; else NULL */
	const char *text;	/* in the file's text */
	size_t length;
	int64_t line;		/* where it begins */
	bool has_number;	/* of a ULP: numbers or ranges follow, then the colon */
};

struct qos_lexer {
	const char *at;
	const char *end;
	int64_t line;
	bool in_description;	/* behind use: */
	bool in_string;		/* behind name:, source:, port-name:, ... */
	bool in_node_type;
	bool on_last_line;	/* no line end is left */
};

void qos_lexer_start(struct qos_lexer *lexer, const char *text, size_t length);

/* The next token; QOS_END again and again at the end. */
struct qos_token qos_lexer_next(struct qos_lexer *lexer);

#endif
