#include "rules/analysis/policy_groups.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "store/array.h"

#define NODE_CA (1u << 0)
#define NODE_SWITCH (1u << 1)
#define NODE_ROUTER (1u << 2)
#define NODE_SELF (1u << 3)
#define NODE_ALL (1u << 4)

/* "description/P1" of a group; the text is the policy's own. */
struct port_name {
	const char *text;
	size_t length;		/* of the description */
	unsigned long num;
};

struct group {
	const char *name;
	struct policy_ranges guids;
	struct policy_ranges pkeys;
	struct port_name *names;	/* sorted */
	size_t name_count;
	size_t name_room;
	unsigned node_types;
};

struct policy_groups {
	const struct fabric *fabric;
	const struct port *sm_port;
	struct group *list;
	size_t count;
};

int policy_ranges_add(struct policy_ranges *ranges, const char *text, struct err *err)
{
	while (text && *text) {
		struct policy_range range;
		char *end;
		struct policy_range *grown;

		if (!isdigit((unsigned char)*text)) {
			text++;
			continue;
		}
		range.first = range.last = strtoull(text, &end, 0);
		text = end + strspn(end, " \t");
		if (*text == '-') {
			text += 1 + strspn(text + 1, " \t");
			if (isdigit((unsigned char)*text)) {
				range.last = strtoull(text, &end, 0);
				text = end;
			}
		}
		grown = array_grow(ranges->items, ranges->count, &ranges->room, sizeof(*grown));
		if (!grown)
			return err_no_memory(err);
		ranges->items = grown;
		if (range.first <= range.last)
			ranges->items[ranges->count++] = range;
	}
	return 0;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct policy_range *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

void policy_ranges_sort(struct policy_ranges *ranges)
{
	size_t kept = 0;

	if (ranges->count == 0)
		return;
	qsort(ranges->items, ranges->count, sizeof(*ranges->items), compare_ranges);
	for (size_t i = 1; i < ranges->count; i++) {
		if (ranges->items[i].first <= ranges->items[kept].last) {
			if (ranges->items[i].last > ranges->items[kept].last)
				ranges->items[kept].last = ranges->items[i].last;
		} else {
			ranges->items[++kept] = ranges->items[i];
		}
	}
	ranges->count = kept + 1;
}

static int compare_value(const void *value, const void *range)
{
	const struct policy_range *r = range;
	uint64_t v = *(const uint64_t *)value;

	return v < r->first ? -1 : v > r->last;
}

bool policy_ranges_have(const struct policy_ranges *ranges, uint64_t value)
{
	return ranges->count > 0 && bsearch(&value, ranges->items, ranges->count,
					    sizeof(*ranges->items), compare_value) != NULL;
}

void policy_ranges_free(struct policy_ranges *ranges)
{
	free(ranges->items);
	memset(ranges, 0, sizeof(*ranges));
}

/* The next word of a comma list in *rest, blanks cut off; NULL: no more. */
static const char *next_word(const char **rest, size_t *ret_length)
{
	const char *word = *rest + strspn(*rest, ", \t");
	size_t length = strcspn(word, ",");

	if (!*word)
		return NULL;
	*rest = word + length;
	while (length > 0 && isspace((unsigned char)word[length - 1]))
		length--;
	*ret_length = length;
	return word;
}

static int add_names(struct group *group, const char *list, struct err *err)
{
	const char *word;
	size_t length;

	while ((word = next_word(&list, &length))) {
		size_t slash = length;
		struct port_name *grown;

		while (slash > 0 && word[slash - 1] != '/')
			slash--;
		if (slash == 0 || length - slash < 2 || (word[slash] != 'P' && word[slash] != 'p'))
			continue;
		grown = array_grow(group->names, group->name_count, &group->name_room,
				   sizeof(*grown));
		if (!grown)
			return err_no_memory(err);
		group->names = grown;
		group->names[group->name_count++] =
			(struct port_name){word, slash - 1, strtoul(word + slash + 1, NULL, 0)};
	}
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct port_name *x = a, *y = b;
	size_t least = x->length < y->length ? x->length : y->length;
	int order = memcmp(x->text, y->text, least);

	if (order != 0)
		return order;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return x->num < y->num ? -1 : x->num > y->num;
}

static void add_node_types(struct group *group, const char *list)
{
	static const struct {
		const char *word;
		unsigned bit;
	} types[] = {{"CA", NODE_CA},
		     {"SWITCH", NODE_SWITCH},
		     {"ROUTER", NODE_ROUTER},
		     {"SELF", NODE_SELF},
		     {"ALL", NODE_ALL}};
	const char *word;
	size_t length;

	while ((word = next_word(&list, &length))) {
		for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
			if (strlen(types[i].word) == length &&
			    strncasecmp(types[i].word, word, length) == 0)
				group->node_types |= types[i].bit;
		}
	}
}

/* A partition's P_Key stands for its members. */
static int add_partitions(struct group *group, const struct config *config, const char *list,
			  struct err *err)
{
	const char *word;
	size_t length;

	while ((word = next_word(&list, &length))) {
		for (size_t i = 0; i < config->partition_count; i++) {
			const struct partition *partition = &config->partitions[i];
			char number[16];
			int rc;

			if (!partition->name || strlen(partition->name) != length ||
			    memcmp(partition->name, word, length) != 0)
				continue;
			snprintf(number, sizeof(number), "%u", partition->pkey & 0x7fffu);
			rc = policy_ranges_add(&group->pkeys, number, err);
			if (rc < 0)
				return rc;
		}
	}
	return 0;
}

static int read_group(struct group *group, const struct config *config,
		      const struct policy_node *node, struct err *err)
{
	int rc = 0;

	for (const struct policy_node *leaf = node->first_child; rc == 0 && leaf; leaf = leaf->next) {
		const char *value = leaf->value;

		if (!value)
			continue;
		if (strcmp(leaf->keyword, "name") == 0)
			group->name = value;
		else if (strcmp(leaf->keyword, "port-guid") == 0)
			rc = policy_ranges_add(&group->guids, value, err);
		else if (strcmp(leaf->keyword, "pkey") == 0)
			rc = policy_ranges_add(&group->pkeys, value, err);
		else if (strcmp(leaf->keyword, "partition") == 0)
			rc = add_partitions(group, config, value, err);
		else if (strcmp(leaf->keyword, "port-name") == 0)
			rc = add_names(group, value, err);
		else if (strcmp(leaf->keyword, "node-type") == 0)
			add_node_types(group, value);
	}
	policy_ranges_sort(&group->guids);
	policy_ranges_sort(&group->pkeys);
	if (group->name_count > 0)
		qsort(group->names, group->name_count, sizeof(*group->names), compare_names);
	return rc;
}

static size_t count_groups(const struct policy_node *root)
{
	const struct policy_node *section = NULL, *node;
	size_t count = 0;

	while ((section = policy_child(root, "port-groups", section))) {
		node = NULL;
		while ((node = policy_child(section, "port-group", node)))
			count++;
	}
	return count;
}

int policy_groups_new(const struct fabric *fabric, struct policy_groups **ret_groups,
		      struct err *err)
{
	const struct policy_node *root = fabric->config->policy.root, *section = NULL, *node;
	struct policy_groups *groups = calloc(1, sizeof(*groups));
	int rc = 0;

	if (!groups)
		return err_no_memory(err);
	groups->fabric = fabric;
	for (size_t i = 0; i < fabric->sm_count; i++) {
		if (fabric->sms[i].state == 3)
			groups->sm_port = fabric->sms[i].port;
	}
	groups->list = calloc(count_groups(root) + 1, sizeof(*groups->list));
	if (!groups->list)
		rc = err_no_memory(err);
	while (rc == 0 && (section = policy_child(root, "port-groups", section))) {
		node = NULL;
		while (rc == 0 && (node = policy_child(section, "port-group", node)))
			rc = read_group(&groups->list[groups->count++], fabric->config, node, err);
	}
	if (rc < 0) {
		policy_groups_free(groups);
		return rc;
	}
	*ret_groups = groups;
	return 0;
}

void policy_groups_free(struct policy_groups *groups)
{
	if (!groups)
		return;
	for (size_t i = 0; i < groups->count; i++) {
		policy_ranges_free(&groups->list[i].guids);
		policy_ranges_free(&groups->list[i].pkeys);
		free(groups->list[i].names);
	}
	free(groups->list);
	free(groups);
}

int policy_group_find(const struct policy_groups *groups, const char *name, size_t length)
{
	for (size_t i = 0; i < groups->count; i++) {
		const char *own = groups->list[i].name;

		if (own && strlen(own) == length && strncasecmp(own, name, length) == 0)
			return (int)i;
	}
	return -1;
}

static bool has_node_type(const struct policy_groups *groups, unsigned types, const struct port *port)
{
	if (types & NODE_ALL)
		return true;
	if ((types & NODE_SELF) && port == groups->sm_port)
		return true;
	switch (port->device->type) {
	case NODE_TYPE_CA:
		return types & NODE_CA;
	case NODE_TYPE_SWITCH:
		return types & NODE_SWITCH;
	case NODE_TYPE_ROUTER:
		return types & NODE_ROUTER;
	case NODE_TYPE_UNKNOWN:
		break;
	}
	return false;
}

static bool has_pkey(const struct group *group, const struct port *port)
{
	const struct port *owner = port_lid_owner(port);

	if (group->pkeys.count == 0 || !owner)
		return false;
	for (size_t i = 0; i < owner->pkey_count; i++) {
		if (policy_ranges_have(&group->pkeys, owner->pkeys[i] & 0x7fff))
			return true;
	}
	return false;
}

bool policy_group_has(const struct policy_groups *groups, int group_index, const struct port *port)
{
	const struct group *group = &groups->list[group_index];
	const char *description = port->device->description;

	if (has_node_type(groups, group->node_types, port))
		return true;
	if (port->guid != 0 && policy_ranges_have(&group->guids, port->guid))
		return true;
	if (description && group->name_count > 0) {
		struct port_name key = {description, strlen(description), port->num};

		if (bsearch(&key, group->names, group->name_count, sizeof(key), compare_names))
			return true;
	}
	return has_pkey(group, port);
}

unsigned policy_group_classes(const struct policy_groups *groups, int group_index)
{
	const struct group *group = &groups->list[group_index];
	unsigned classes = 0;

	if (group->guids.count > 0 || group->pkeys.count > 0 || group->name_count > 0 ||
	    (group->node_types & NODE_SELF))
		return 0;
	if (group->node_types & (NODE_CA | NODE_ALL))
		classes |= 1u << QOS_CLASS_CA;
	if (group->node_types & (NODE_SWITCH | NODE_ALL))
		classes |= 1u << QOS_CLASS_SWE | 1u << QOS_CLASS_SW0;
	if (group->node_types & (NODE_ROUTER | NODE_ALL))
		classes |= 1u << QOS_CLASS_RTR;
	return classes;
}
