#include "collector/import/qos_grammar.h"

#include <string.h>

#define RATE_CODE_MAX 22	/* IB_MAX_RATE of 3.3.23 */

static const struct qos_entry port_group_entries[] = {
	{"name", QOS_VALUE_STRING, true, 0, 0}, {"use", QOS_VALUE_STRING, true, 0, 0},
	{"port-guid", QOS_VALUE_RANGES, false, 0, 0}, {"port-name", QOS_VALUE_PORT_NAMES, false, 0, 0},
	{"pkey", QOS_VALUE_RANGES, false, 0, 0}, {"partition", QOS_VALUE_STRINGS, false, 0, 0},
	{"node-type", QOS_VALUE_NODE_TYPES, false, 0, 0}, {NULL, QOS_VALUE_STRING, false, 0, 0},
};

static const struct qos_entry vlarb_scope_entries[] = {
	{"group", QOS_VALUE_STRINGS, false, 0, 0}, {"across", QOS_VALUE_STRINGS, false, 0, 0},
	{"vlarb-high", QOS_VALUE_PAIRS, false, 0, 0}, {"vlarb-low", QOS_VALUE_PAIRS, false, 0, 0},
	{"vl-high-limit", QOS_VALUE_NUMBER, false, 0, 0}, {NULL, QOS_VALUE_STRING, false, 0, 0},
};

static const struct qos_entry sl2vl_scope_entries[] = {
	{"group", QOS_VALUE_STRINGS, false, 0, 0}, {"across", QOS_VALUE_STRINGS, false, 0, 0},
	{"across-from", QOS_VALUE_STRINGS, false, 0, 0}, {"across-to", QOS_VALUE_STRINGS, false, 0, 0},
	{"from", QOS_VALUE_PORTS, false, 0, 0}, {"to", QOS_VALUE_PORTS, false, 0, 0},
	{"sl2vl-table", QOS_VALUE_TABLE, true, 0, 0}, {NULL, QOS_VALUE_STRING, false, 0, 0},
};

static const struct qos_entry qos_level_entries[] = {
	{"name", QOS_VALUE_STRING, true, 0, 0}, {"use", QOS_VALUE_STRING, true, 0, 0},
	{"sl", QOS_VALUE_NUMBER, true, 0, 0}, {"mtu-limit", QOS_VALUE_NUMBER, true, 1, 5},
	{"rate-limit", QOS_VALUE_NUMBER, true, 2, RATE_CODE_MAX},
	{"packet-life", QOS_VALUE_NUMBER, true, 0, 0}, {"path-bits", QOS_VALUE_RANGES, false, 0, 0},
	{"pkey", QOS_VALUE_RANGES, false, 0, 0}, {NULL, QOS_VALUE_STRING, false, 0, 0},
};

static const struct qos_entry match_rule_entries[] = {
	{"use", QOS_VALUE_STRING, true, 0, 0}, {"qos-class", QOS_VALUE_RANGES, false, 0, 0},
	{"qos-level-name", QOS_VALUE_STRING, true, 0, 0}, {"source", QOS_VALUE_STRINGS, false, 0, 0},
	{"destination", QOS_VALUE_STRINGS, false, 0, 0}, {"service-id", QOS_VALUE_RANGES, false, 0, 0},
	{"pkey", QOS_VALUE_RANGES, false, 0, 0}, {NULL, QOS_VALUE_STRING, false, 0, 0},
};

static const struct qos_section sections[] = {
	{.name = "qos-ulps", .end = "end-qos-ulps", .has_ulps = true, .needs_child = true},
	{.name = "port-groups", .end = "end-port-groups", .children = {"port-group"},
	 .needs_child = true},
	{.name = "port-group", .end = "end-port-group", .entries = port_group_entries,
	 .required = {"name"}},
	{.name = "qos-setup", .end = "end-qos-setup", .children = {"vlarb-tables", "sl2vl-tables"}},
	{.name = "vlarb-tables", .end = "end-vlarb-tables", .children = {"vlarb-scope"}},
	{.name = "vlarb-scope", .end = "end-vlarb-scope", .entries = vlarb_scope_entries,
	 .one_of = {"group", "across"}},
	{.name = "sl2vl-tables", .end = "end-sl2vl-tables", .children = {"sl2vl-scope"}},
	{.name = "sl2vl-scope", .end = "end-sl2vl-scope", .entries = sl2vl_scope_entries,
	 .required = {"sl2vl-table"}, .one_of = {"group", "across", "across-from", "across-to"}},
	{.name = "qos-levels", .end = "end-qos-levels", .children = {"qos-level"}},
	{.name = "qos-level", .end = "end-qos-level", .entries = qos_level_entries,
	 .required = {"sl", "name"}},
	{.name = "qos-match-rules", .end = "end-qos-match-rules", .children = {"qos-match-rule"}},
	{.name = "qos-match-rule", .end = "end-qos-match-rule", .entries = match_rule_entries,
	 .required = {"qos-level-name"}},
};

const struct qos_section *qos_section_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (strlen(sections[i].name) == length && memcmp(sections[i].name, name, length) == 0)
			return &sections[i];
	}
	return NULL;
}

bool qos_section_is_top(const char *name)
{
	static const char *const names[] = {"qos-ulps", "port-groups", "qos-setup", "qos-levels",
					    "qos-match-rules"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], name) == 0)
			return true;
	}
	return false;
}
