/*
 * The grammar of qos-policy.conf as a table, and the parser's state. For
 * qos_grammar.c, qos_parser.c and qos_rest.c.
 */
#ifndef COLLECTOR_IMPORT_QOS_GRAMMAR_H
#define COLLECTOR_IMPORT_QOS_GRAMMAR_H

#include "collector/import/qos_lexer.h"
#include "collector/import/qos_policy.h"

#define QOS_DEPTH_MAX 4		/* the root and three sections in each other */

enum qos_value_kind {
	QOS_VALUE_STRING,
	QOS_VALUE_STRINGS,
	QOS_VALUE_PORT_NAMES,
	QOS_VALUE_RANGES,
	QOS_VALUE_NUMBER,
	QOS_VALUE_TABLE,		/* 16 numbers of 0 to 15 */
	QOS_VALUE_PAIRS,
	QOS_VALUE_NODE_TYPES,
	QOS_VALUE_PORTS,		/* * or ranges of port numbers */
};

struct qos_entry {
	const char *keyword;
	enum qos_value_kind kind;
	bool once;
	uint64_t least, most;	/* of a QOS_VALUE_NUMBER; most 0: any */
};

struct qos_section {
	const char *name;
	const char *end;
	const char *children[3];
	bool needs_child;
	bool has_ulps;
	const struct qos_entry *entries;	/* ended by a NULL keyword */
	const char *required[2];		/* entries, in the order OpenSM looks for them */
	const char *one_of[4];			/* at least one of these */
};

/* By name, or NULL. The name need not end there. */
const struct qos_section *qos_section_find(const char *name, size_t length);

/* True for the five that stand outside all others. */
bool qos_section_is_top(const char *name);

/* A section whose end has not come yet. */
struct qos_open {
	struct policy_node *node;
	struct policy_node **tail;	/* where its next child goes */
};

struct qos_parser {
	struct qos_lexer lexer;
	struct qos_token token;		/* to be taken next */
	const char *text;
	const char *taken_end;		/* of the token taken last */
	struct config_notes *notes;
	struct qos_open open[QOS_DEPTH_MAX];
	size_t depth;
	struct err *err;
};

/*
 * Adds a child to the innermost open section; value may be NULL, blanks at its
 * end are left out. *ret_node may be NULL. 0 or ERR_NOMEM.
 */
int qos_add_node(struct qos_parser *parser, const char *keyword, size_t keyword_length,
		 const char *value, size_t value_length, int64_t line, struct policy_node **ret_node);

/* Opens a section. */
void qos_push(struct qos_parser *parser, struct policy_node *node);

/* Reads from the line of parser->token on as a person would, without a look at the grammar. */
int qos_read_rest(struct qos_parser *parser);

#endif
