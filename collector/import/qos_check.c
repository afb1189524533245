/*
 * A policy whose grammar is right, looked at as osm_qos_policy_validate does:
 * the default level, then rule by rule the level and the groups it names. What
 * OpenSM does not look at and an operator should: names given twice, and rules
 * that another one in front of them leaves nothing to match.
 */
#include "collector/import/qos_policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "collector/import/qos_rules.h"
#include "store/array.h"

#define NAME_SIZE 256

/* The names of levels or groups, to be found fast. */
struct name {
	char held[NAME_SIZE];
	const struct policy_node *node;
	size_t order;
	bool used;
};

struct names {
	struct name *list;	/* sorted once complete: by name without case, then by order */
	size_t count;
	size_t room;
};

static int names_add(struct names *names, const struct policy_node *node, struct err *err)
{
	const struct policy_node *name = policy_child(node, "name", NULL);
	const char *at = name ? name->value : NULL;
	struct name *list = array_grow(names->list, names->count, &names->room, sizeof(*list));

	if (!list)
		return err_no_memory(err);
	names->list = list;
	names->list[names->count] = (struct name){.node = node, .order = names->count};
	if (!policy_name_next(&at, names->list[names->count].held, NAME_SIZE))
		names->list[names->count].held[0] = '\0';
	names->count++;
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	int order = strcasecmp(x->held, y->held);

	return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static int collect_names(struct names *names, const struct policy_node *root, const char *sections,
			 const char *section, struct err *err)
{
	const struct policy_node *outer = NULL, *inner;
	int rc = 0;

	while (rc == 0 && (outer = policy_child(root, sections, outer))) {
		inner = NULL;
		while (rc == 0 && (inner = policy_child(outer, section, inner)))
			rc = names_add(names, inner, err);
	}
	if (rc == 0 && names->count > 1)
		qsort(names->list, names->count, sizeof(names->list[0]), compare_names);
	return rc;
}

static int name_and_text(const void *element, const void *key)
{
	return strcasecmp(((const struct name *)element)->held, key);
}

/* The first of the file with this name, as OpenSM finds it, or NULL. */
static struct name *names_find(const struct names *names, const char *held)
{
	size_t low = array_first_from(held, names->list, names->count, sizeof(names->list[0]),
				      name_and_text);

	return low < names->count && strcasecmp(names->list[low].held, held) == 0 ? &names->list[low]
										  : NULL;
}

/* As the file has it, with its blanks. */
static const char *as_written(const struct name *name)
{
	return policy_child(name->node, "name", NULL)->value;
}

static int note_doubles(struct config_notes *notes, const struct names *names, const char *what,
			struct err *err)
{
	int rc = 0;

	for (size_t i = 1; rc == 0 && i < names->count; i++) {
		const struct name *name = &names->list[i];
		char shown[CONFIG_SHOW_SIZE];

		if (strcasecmp(name->held, names->list[i - 1].held) != 0)
			continue;
		rc = config_note(notes, err, "repeated-name", SEVERITY_WARNING, as_written(name),
				 name->node->line, NULL,
				 "the %s \"%s\" is defined again: OpenSM uses the first one, this one never",
				 what, config_show(as_written(name), strlen(as_written(name)), shown));
	}
	return rc;
}

/* Levels or groups that no rule names, in one note. */
static int note_unused(struct config_notes *notes, const struct names *names, const char *what,
		       const char *except, struct err *err)
{
	char listed[300] = "", shown[CONFIG_SHOW_SIZE];
	size_t length = 0, count = 0;
	int64_t line = 0;

	for (size_t i = 0; i < names->count; i++) {
		const struct name *name = &names->list[i];

		if (name->used || (except && strcasecmp(name->held, except) == 0) ||
		    (i > 0 && strcasecmp(name->held, names->list[i - 1].held) == 0))
			continue;
		if (count == 0 || name->node->line < line)
			line = name->node->line;
		if (count++ < 3)
			length += (size_t)snprintf(listed + length, sizeof(listed) - length, "%s%s",
						   length ? ", " : "",
						   config_show(as_written(name), strlen(as_written(name)),
							       shown));
	}
	if (count == 0)
		return 0;
	return config_note(notes, err, "unused-name", SEVERITY_INFO, NULL, line, NULL,
			   "no match rule names the %s%s %s%s", what, count == 1 ? "" : "s", listed,
			   count > 3 ? ", ..." : "");
}

static const struct policy_node *last_default_ulp(const struct policy_node *root,
						  const struct policy_node **ret_before)
{
	const struct policy_node *section = NULL, *leaf, *found = NULL;

	*ret_before = NULL;
	while ((section = policy_child(root, "qos-ulps", section))) {
		leaf = NULL;
		while ((leaf = policy_child(section, "default", leaf))) {
			*ret_before = found;
			found = leaf;
		}
	}
	return found;
}

static int check_default(struct config_notes *notes, const struct policy_node *root,
			 const struct names *levels, bool *ret_dropped, struct err *err)
{
	const struct policy_node *before, *ulp = last_default_ulp(root, &before);
	const struct name *level = names_find(levels, "DEFAULT");

	if (!level && !ulp) {
		*ret_dropped = true;
		return config_note(notes, err, "no-default-level", SEVERITY_ERROR, "DEFAULT", 0,
				   "Add a qos-level named DEFAULT, or a line `default : 0` in qos-ulps.",
				   "there is neither a qos-level named DEFAULT nor a default in qos-ulps: "
				   "OpenSM drops the whole policy (ERR AC10)");
	}
	if (!ulp)
		return 0;
	if (level)
		return config_note(notes, err, "default-ulp-unused", SEVERITY_WARNING, "default",
				   ulp->line, NULL,
				   "the default of qos-ulps (SL %s) is never used, since there is a "
				   "qos-level named DEFAULT", ulp->value);
	if (before)
		return config_note(notes, err, "repeated-name", SEVERITY_WARNING, "default", ulp->line,
				   NULL, "the default SL stands twice in qos-ulps: %s in line %lld counts, "
				   "%s in line %lld does not", ulp->value, (long long)ulp->line,
				   before->value, (long long)before->line);
	return 0;
}

static int note_dangling(struct config_notes *notes, const char *id, const char *held,
			 const char *what, size_t rule, const char *error, int64_t line,
			 bool *ret_dropped, struct err *err)
{
	bool first = !*ret_dropped;
	char shown[CONFIG_SHOW_SIZE];

	*ret_dropped = true;
	return config_note(notes, err, id, SEVERITY_ERROR, held, line, NULL,
			   "match rule %zu names the %s \"%s\", which is not defined: OpenSM drops the "
			   "whole policy for it (%s%s)", rule, what,
			   config_show(held, strlen(held), shown), error,
			   first ? "" : "; it logs only the first such name");
}

static int check_groups(struct config_notes *notes, const struct policy_node *rule, size_t number,
			const char *keyword, const char *error, const struct names *groups,
			bool *ret_dropped, struct err *err)
{
	const struct policy_node *leaf = NULL;
	char held[NAME_SIZE];
	int rc = 0;

	while (rc == 0 && (leaf = policy_child(rule, keyword, leaf))) {
		const char *at = leaf->value;

		while (rc == 0 && policy_name_next(&at, held, sizeof(held))) {
			struct name *group = names_find(groups, held);

			if (group)
				group->used = true;
			else
				rc = note_dangling(notes, "dangling-group", held, "port group", number,
						   error, leaf->line, ret_dropped, err);
		}
	}
	return rc;
}

static int check_rule(struct config_notes *notes, const struct policy_node *rule, size_t number,
		      const struct names *levels, const struct names *groups, bool *ret_dropped,
		      struct err *err)
{
	const struct policy_node *leaf = policy_child(rule, "qos-level-name", NULL);
	const char *at = leaf ? leaf->value : NULL;
	char held[NAME_SIZE];
	int rc = 0;

	if (leaf && policy_name_next(&at, held, sizeof(held))) {
		struct name *level = names_find(levels, held);

		if (level)
			level->used = true;
		else
			rc = note_dangling(notes, "dangling-level", held, "qos-level", number, "ERR AC11",
					   leaf->line, ret_dropped, err);
	}
	if (rc == 0)
		rc = check_groups(notes, rule, number, "source", "ERR AC12", groups, ret_dropped, err);
	if (rc == 0)
		rc = check_groups(notes, rule, number, "destination", "ERR AC13", groups, ret_dropped,
				  err);
	return rc;
}

static int check_match_rules(struct config_notes *notes, const struct policy_node *root,
			     const struct names *levels, const struct names *groups,
			     bool *ret_dropped, struct err *err)
{
	const struct policy_node *section = NULL, *rule;
	size_t number = 0;
	int rc = 0;

	while (rc == 0 && (section = policy_child(root, "qos-match-rules", section))) {
		rule = NULL;
		while (rc == 0 && (rule = policy_child(section, "qos-match-rule", rule)))
			rc = check_rule(notes, rule, ++number, levels, groups, ret_dropped, err);
	}
	return rc;
}

/*
 * Groups that qos-setup alone names are in use for whoever wrote it, though nothing
 * of it is applied; that is said of the section, not of each group.
 */
static void mark_setup_groups(const struct policy_node *node, const struct names *groups)
{
	for (; node; node = node->next) {
		const char *at = node->value;
		char held[NAME_SIZE];

		if (node->first_child)
			mark_setup_groups(node->first_child, groups);
		if (strcmp(node->keyword, "group") != 0 && strncmp(node->keyword, "across", 6) != 0)
			continue;
		while (at && policy_name_next(&at, held, sizeof(held))) {
			struct name *group = names_find(groups, held);

			if (group)
				group->used = true;
		}
	}
}

static void mark_setup(const struct policy_node *root, const struct names *groups)
{
	const struct policy_node *section = NULL;

	while ((section = policy_child(root, "qos-setup", section)))
		mark_setup_groups(section->first_child, groups);
}

/* SLs that do not exist; OpenSM takes them as they come. */
static int check_level_sls(struct config_notes *notes, const struct names *levels, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < levels->count; i++) {
		const struct policy_node *sl = policy_child(levels->list[i].node, "sl", NULL);
		uint64_t first = 0, last = 0;
		const char *at = sl ? sl->value : NULL;

		if (sl && policy_range_next(&at, &first, &last) && first > 15)
			rc = config_note(notes, err, "sl-above-15", SEVERITY_ERROR,
					 as_written(&levels->list[i]),
					 sl->line, NULL,
					 "the qos-level \"%s\" asks for SL %llu; there are only 0 to 15, and "
					 "OpenSM does not look", as_written(&levels->list[i]),
					 (unsigned long long)first);
	}
	return rc;
}

/* An unquoted port-name loses its blanks, so no description with a blank is ever found by it. */
static int check_port_names(struct config_notes *notes, const struct names *groups, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < groups->count; i++) {
		const struct policy_node *leaf = NULL;

		while (rc == 0 && (leaf = policy_child(groups->list[i].node, "port-name", leaf))) {
			char shown[CONFIG_SHOW_SIZE];
			bool blank = false, quoted = false;

			for (const char *c = leaf->value; *c; c++) {
				quoted = quoted != (*c == '"');
				blank = blank || (!quoted && c[1] != '\0' && (*c == ' ' || *c == '\t') &&
						  c > leaf->value && c[-1] != ',');
			}
			if (!blank)
				continue;
			rc = config_note(notes, err, "port-name-blank", SEVERITY_WARNING,
					 as_written(&groups->list[i]), leaf->line,
					 "Put the port-name into double quotes.",
					 "the port-name %s has blanks but no quotes: OpenSM drops the blanks "
					 "and finds no such node, without a message",
					 config_show(leaf->value, strlen(leaf->value), shown));
		}
	}
	return rc;
}

int qos_policy_check(struct config_notes *notes, const struct policy_node *root, bool *ret_dropped,
		     struct err *err)
{
	struct names levels = {0}, groups = {0};
	int rc;

	rc = collect_names(&levels, root, "qos-levels", "qos-level", err);
	if (rc == 0)
		rc = collect_names(&groups, root, "port-groups", "port-group", err);
	if (rc == 0)
		rc = check_default(notes, root, &levels, ret_dropped, err);
	if (rc == 0)
		rc = check_match_rules(notes, root, &levels, &groups, ret_dropped, err);
	if (rc == 0)
		rc = note_doubles(notes, &levels, "qos-level", err);
	if (rc == 0)
		rc = note_doubles(notes, &groups, "port group", err);
	if (rc == 0)
		rc = check_level_sls(notes, &levels, err);
	if (rc == 0)
		rc = check_port_names(notes, &groups, err);
	if (rc == 0 && !*ret_dropped)
		rc = qos_rules_check(notes, root, err);
	mark_setup(root, &groups);
	if (rc == 0)
		rc = note_unused(notes, &levels, "qos-level", "DEFAULT", err);
	if (rc == 0)
		rc = note_unused(notes, &groups, "port group", NULL, err);
	free(levels.list);
	free(groups.list);
	return rc;
}
