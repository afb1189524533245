#include "collector/import/config_cross.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/config_note.h"

#define KEYS 0x8000
/* Rules looked at; a policy with more is none that anybody wrote. */
#define RULES_MAX 1000

enum key_state { KEY_MISSING, KEY_FEW, KEY_GOOD };

/*
 * The most full members that the partition can have, as far as the file tells:
 * what comes later counts, and ALL stands for many.
 */
static size_t most_full_members(const struct partition *partition)
{
	size_t single = 0;
	bool many = false;

	for (size_t i = 0; i < partition->member_count; i++) {
		const struct partition_member *member = &partition->members[i];
		bool full = member->membership != MEMBERSHIP_LIMITED;

		switch (member->kind) {
		case MEMBER_ALL:
			many = full;
			single = 0;
			break;
		case MEMBER_ALL_CAS:
		case MEMBER_ALL_SWITCHES:
		case MEMBER_ALL_ROUTERS:
			many = many || full;
			break;
		case MEMBER_GUID:
		case MEMBER_SELF:
			single += full;
			break;
		}
	}
	return many ? SIZE_MAX : single;
}

static void read_states(const struct config *config, unsigned char states[KEYS])
{
	memset(states, KEY_MISSING, KEYS);
	for (size_t i = 0; i < config->partition_count; i++) {
		const struct partition *partition = &config->partitions[i];

		if (partition->member_count > 0)
			states[partition->pkey & 0x7fff] =
				most_full_members(partition) < 2 ? KEY_FEW : KEY_GOOD;
	}
}

static int check_key(struct config_notes *notes, const struct policy_node *rule, unsigned key,
		     enum key_state state, bool ipoib, bool *ret_dropped, struct err *err)
{
	char shown[CONFIG_SHOW_SIZE], name[8];

	if (state == KEY_GOOD || (state == KEY_FEW && !ipoib))
		return 0;
	snprintf(name, sizeof(name), "0x%04x", key);
	config_show(rule->keyword, strlen(rule->keyword), shown);
	if (!ipoib)
		return config_note(notes, err, "policy-partition", SEVERITY_INFO, name, rule->line, NULL,
				   "\"%s\" speaks of P_Key %s, which partitions.conf does not define; "
				   "OpenSM only logs that (ERR AC14)", shown, name);
	*ret_dropped = true;
	if (state == KEY_MISSING)
		return config_note(notes, err, "policy-partition", SEVERITY_ERROR, name, rule->line, NULL,
				   "\"%s\" needs a partition with P_Key %s, and partitions.conf defines "
				   "none: OpenSM drops the whole policy for it (ERR AC05)", shown, name);
	return config_note(notes, err, "policy-partition", SEVERITY_ERROR, name, rule->line,
			   "Make the ports that use IPoIB full members of the partition.",
			   "\"%s\" needs two full members in partition %s, and partitions.conf has fewer: "
			   "OpenSM drops the whole policy for it (ERR AC05)", shown, name);
}

/* The first key of each range that is not as it should be. */
static int check_ranges(struct config_notes *notes, const struct policy_node *rule, const char *list,
			const unsigned char states[KEYS], bool ipoib, bool *ret_dropped,
			struct err *err)
{
	uint64_t first, last;
	int rc = 0;

	while (rc == 0 && policy_range_next(&list, &first, &last)) {
		unsigned a = first & 0x7fff, b = last & 0x7fff;
		unsigned key = a < b ? a : b;
		unsigned end = a < b ? b : a;

		while (key < end && states[key] == KEY_GOOD)
			key++;
		rc = check_key(notes, rule, key, states[key], ipoib, ret_dropped, err);
	}
	return rc;
}

static int check_ulps(struct config_notes *notes, const struct policy_node *root,
		      const unsigned char states[KEYS], bool *ret_dropped, struct err *err)
{
	const struct policy_node *section = NULL, *rule;
	size_t count = 0;
	int rc = 0;

	while (rc == 0 && (section = policy_child(root, "qos-ulps", section))) {
		for (rule = section->first_child; rc == 0 && rule && count < RULES_MAX; rule = rule->next) {
			const char *key = "0x7fff";
			bool ipoib = strncmp(rule->keyword, "ipoib", 5) == 0;

			if (strncmp(rule->keyword, "ipoib, pkey ", 12) == 0)
				key = rule->keyword + 12;
			else if (strncmp(rule->keyword, "any, pkey ", 10) == 0)
				key = rule->keyword + 10;
			else if (!ipoib)
				continue;
			rc = check_ranges(notes, rule, key, states, ipoib, ret_dropped, err);
			count++;
		}
	}
	return rc;
}

static int check_match_rules(struct config_notes *notes, const struct policy_node *root,
			     const unsigned char states[KEYS], bool *ret_dropped, struct err *err)
{
	const struct policy_node *section = NULL, *rule, *leaf;
	size_t count = 0;
	int rc = 0;

	while (rc == 0 && (section = policy_child(root, "qos-match-rules", section))) {
		rule = NULL;
		while (rc == 0 && count++ < RULES_MAX &&
		       (rule = policy_child(section, "qos-match-rule", rule))) {
			leaf = NULL;
			while (rc == 0 && (leaf = policy_child(rule, "pkey", leaf)))
				rc = check_ranges(notes, leaf, leaf->value, states, false, ret_dropped,
						  err);
		}
	}
	return rc;
}

/* The grammar stopped OpenSM before it could look at partitions. */
static bool grammar_failed(const struct config *config)
{
	for (size_t i = 0; i < config->problem_count; i++) {
		const struct config_problem *problem = &config->problems[i];

		if (problem->source == config->policy.source &&
		    (strcmp(problem->id, "policy-syntax") == 0 || strcmp(problem->id, "policy-value") == 0))
			return true;
	}
	return false;
}

int config_cross_policy(struct config *config, struct err *err)
{
	struct config_notes notes = {.config = config, .source = config->policy.source};
	unsigned char *states;
	int rc;

	if (!config->policy.present || config->partitions_conf == 0 || grammar_failed(config))
		return 0;
	states = malloc(KEYS);
	if (!states)
		return err_no_memory(err);
	read_states(config, states);
	rc = check_ulps(&notes, config->policy.root, states, &config->policy.dropped, err);
	if (rc == 0)
		rc = check_match_rules(&notes, config->policy.root, states, &config->policy.dropped, err);
	free(states);
	return rc;
}
