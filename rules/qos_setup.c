#include "rules/qos_setup.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define GROUPS_END (-2)

const char *qos_table_option(enum qos_table table)
{
	static const char *const names[QOS_TABLE_COUNT] = {
		[QOS_TABLE_SL2VL] = "sl2vl",
		[QOS_TABLE_HIGH] = "vlarb_high",
		[QOS_TABLE_LOW] = "vlarb_low",
		[QOS_TABLE_LIMIT] = "high_limit",
	};

	return names[table];
}

/* Adds the groups that a comma list names to a list ended by GROUPS_END. */
static int add_groups(struct qos_setup *setup, int **list, const char *text, struct err *err)
{
	size_t count = 0;

	while (*list && (*list)[count] != GROUPS_END)
		count++;
	while (text && *text) {
		const char *word = text + strspn(text, ", \t");
		size_t length = strcspn(word, ",");
		int *grown, index;

		text = word + length;
		while (length > 0 && isspace((unsigned char)word[length - 1]))
			length--;
		if (length == 0)
			break;
		grown = realloc(*list, (count + 2) * sizeof(*grown));
		if (!grown)
			return err_no_memory(err);
		*list = grown;
		index = policy_group_find(setup->groups, word, length);
		if (index < 0)
			setup->undefined_group = true;
		grown[count++] = index;
		grown[count] = GROUPS_END;
	}
	return 0;
}

/* "0,1,2,..." with exactly 16 VLs; OpenSM refuses any other number. */
static bool parse_sl2vl(const char *text, uint8_t table[SL_COUNT])
{
	for (size_t sl = 0; sl < SL_COUNT; sl++) {
		unsigned long vl;
		char *end;

		text += strspn(text, " \t,");
		if (!isdigit((unsigned char)*text))
			return false;
		vl = strtoul(text, &end, 0);
		if (vl > 15)
			return false;
		table[sl] = (uint8_t)vl;
		text = end;
	}
	return text[strspn(text, " \t")] == '\0';
}

static size_t parse_vlarb(const char *text, struct vlarb_entry table[64])
{
	size_t count = 0;

	while (count < 64) {
		unsigned long vl, weight;
		char *end;

		text += strspn(text, " \t,");
		if (!isdigit((unsigned char)*text))
			break;
		vl = strtoul(text, &end, 0);
		text = end + strspn(end, " \t");
		if (*text != ':')
			break;
		weight = strtoul(text + 1, &end, 0);
		if (vl > 14 || weight > 255)
			break;
		table[count++] = (struct vlarb_entry){(uint8_t)vl, (uint8_t)weight};
		text = end;
	}
	return count;
}

static int read_ports(struct policy_ranges *ranges, bool *any, const char *text, struct err *err)
{
	int rc;

	if (strchr(text, '*')) {
		*any = true;
		return 0;
	}
	*any = false;
	rc = policy_ranges_add(ranges, text, err);
	policy_ranges_sort(ranges);
	return rc;
}

static int read_leaf(struct qos_setup *setup, struct qos_scope *scope, const char *keyword,
		     const char *value, struct err *err)
{
	bool sl2vl = strcmp(scope->node->keyword, "sl2vl-scope") == 0;

	if (strcmp(keyword, "group") == 0)
		return add_groups(setup, &scope->group, value, err);
	if (strcmp(keyword, "across") == 0 && !sl2vl)
		return add_groups(setup, &scope->across, value, err);
	if (strcmp(keyword, "across") == 0 || strcmp(keyword, "across-from") == 0) {
		int rc = add_groups(setup, &scope->across_from, value, err);

		if (rc < 0 || strcmp(keyword, "across") != 0)
			return rc;
	}
	if (strcmp(keyword, "across") == 0 || strcmp(keyword, "across-to") == 0)
		return add_groups(setup, &scope->across_to, value, err);
	if (strcmp(keyword, "from") == 0)
		return read_ports(&scope->from, &scope->any_in, value, err);
	if (strcmp(keyword, "to") == 0)
		return read_ports(&scope->to, &scope->any_out, value, err);
	if (strcmp(keyword, "sl2vl-table") == 0)
		scope->has[QOS_TABLE_SL2VL] = parse_sl2vl(value, scope->sl2vl);
	if (strcmp(keyword, "vlarb-high") == 0) {
		scope->high_count = parse_vlarb(value, scope->high);
		scope->has[QOS_TABLE_HIGH] = scope->high_count > 0;
	}
	if (strcmp(keyword, "vlarb-low") == 0) {
		scope->low_count = parse_vlarb(value, scope->low);
		scope->has[QOS_TABLE_LOW] = scope->low_count > 0;
	}
	if (strcmp(keyword, "vl-high-limit") == 0 && isdigit((unsigned char)*value)) {
		scope->limit = strtol(value, NULL, 0);
		scope->has[QOS_TABLE_LIMIT] = scope->limit >= 0 && scope->limit <= 255;
	}
	return 0;
}

static int read_scope(struct qos_setup *setup, const struct policy_node *node, struct err *err)
{
	struct qos_scope *scope;
	int rc = 0;

	if (setup->count == QOS_SCOPES_MAX) {
		setup->left_out++;
		return 0;
	}
	scope = &setup->scopes[setup->count++];
	scope->node = node;
	scope->any_in = true;
	scope->any_out = true;
	for (const struct policy_node *leaf = node->first_child; rc == 0 && leaf; leaf = leaf->next) {
		if (leaf->value)
			rc = read_leaf(setup, scope, leaf->keyword, leaf->value, err);
	}
	return rc;
}

int qos_setup_read(const struct fabric *fabric, struct qos_setup *ret_setup, struct err *err)
{
	static const char *const kinds[][2] = {{"sl2vl-tables", "sl2vl-scope"},
					       {"vlarb-tables", "vlarb-scope"}};
	const struct policy_node *section = NULL, *tables, *node;
	int rc;

	memset(ret_setup, 0, sizeof(*ret_setup));
	ret_setup->scopes = calloc(QOS_SCOPES_MAX, sizeof(*ret_setup->scopes));
	rc = ret_setup->scopes ? policy_groups_new(fabric, &ret_setup->groups, err) :
				 err_no_memory(err);
	while (rc == 0 && (section = policy_child(fabric->config->policy.root, "qos-setup", section))) {
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			tables = NULL;
			while (rc == 0 && (tables = policy_child(section, kinds[i][0], tables))) {
				node = NULL;
				while (rc == 0 && (node = policy_child(tables, kinds[i][1], node)))
					rc = read_scope(ret_setup, node, err);
			}
		}
	}
	return rc;
}

void qos_setup_free(struct qos_setup *setup)
{
	for (size_t i = 0; i < setup->count; i++) {
		struct qos_scope *scope = &setup->scopes[i];

		free(scope->group);
		free(scope->across);
		free(scope->across_from);
		free(scope->across_to);
		policy_ranges_free(&scope->from);
		policy_ranges_free(&scope->to);
	}
	free(setup->scopes);
	policy_groups_free(setup->groups);
	memset(setup, 0, sizeof(*setup));
}

static bool in_groups(const struct qos_setup *setup, const int *list, const struct port *port)
{
	for (; port && *list != GROUPS_END; list++) {
		if (*list >= 0 && policy_group_has(setup->groups, *list, port))
			return true;
	}
	return false;
}

static bool sl2vl_scope_has(const struct qos_setup *setup, const struct qos_scope *scope,
			    const struct port *port, unsigned in)
{
	const struct port *from = port->device->type == NODE_TYPE_SWITCH ?
					  device_port(port->device, in) : NULL;

	if (port->device->type == NODE_TYPE_SWITCH &&
	    ((!scope->any_in && !policy_ranges_have(&scope->from, in)) ||
	     (!scope->any_out && !policy_ranges_have(&scope->to, port->num))))
		return false;
	if (scope->group && in_groups(setup, scope->group, port))
		return true;
	if (!scope->across_to && !scope->across_from)
		return !scope->group;
	return (!scope->across_to || in_groups(setup, scope->across_to, port->peer)) &&
	       (!scope->across_from ||
		in_groups(setup, scope->across_from, from ? from->peer : NULL));
}

bool qos_scope_has(const struct qos_setup *setup, const struct qos_scope *scope,
		   enum qos_table table, const struct port *port, unsigned in)
{
	if (!scope->has[table])
		return false;
	if (table == QOS_TABLE_SL2VL)
		return sl2vl_scope_has(setup, scope, port, in);
	if (!scope->group && !scope->across)
		return true;
	return (scope->group && in_groups(setup, scope->group, port)) ||
	       (scope->across && in_groups(setup, scope->across, port->peer));
}

const struct qos_scope *qos_setup_for(const struct qos_setup *setup, enum qos_table table,
				      const struct port *port, unsigned in)
{
	for (size_t i = setup->count; i-- > 0;) {
		if (qos_scope_has(setup, &setup->scopes[i], table, port, in))
			return &setup->scopes[i];
	}
	return NULL;
}

unsigned qos_scope_classes(const struct qos_setup *setup, const struct qos_scope *scope)
{
	unsigned classes = 0;

	if (scope->across || scope->across_from || scope->across_to)
		return 0;
	if (!scope->group)
		return 1u << QOS_CLASS_CA | 1u << QOS_CLASS_SWE | 1u << QOS_CLASS_SW0 |
		       1u << QOS_CLASS_RTR;
	for (const int *group = scope->group; *group != GROUPS_END; group++) {
		unsigned own = *group >= 0 ? policy_group_classes(setup->groups, *group) : 0;

		if (own == 0)
			return 0;
		classes |= own;
	}
	return classes;
}
