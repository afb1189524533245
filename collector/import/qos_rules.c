#include "collector/import/qos_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "store/array.h"

/* Rules compared pair by pair; behind them only a rule that takes all is looked for. */
#define PAIRS_MAX 1000
#define NAME_SIZE 256

/* Service ids that the short forms stand for (osm_qos_policy.h). */
#define SDP_SERVICE_ID 0x10000u
#define TCP_SERVICE_ID 0x1060000u	/* RDS and iSER: plus the port */
#define RDS_PORT 0x48ca
#define ISER_PORT 0x0cbc

enum criterion { SOURCE, DESTINATION, QOS_CLASS, SERVICE_ID, PKEY, CRITERION_COUNT };

/* Groups are known by the hash of their name, so that all criteria are ranges of numbers. */
enum set_kind { ANY, RANGES, GROUPS };

struct range {
	uint64_t first, last;
};

struct set {
	enum set_kind kind;
	size_t start, count;	/* in rules->ranges, sorted and merged */
};

struct rule {
	const struct policy_node *node;
	size_t number;		/* among its kind, from 1 */
	bool ulp;
	struct set set[CRITERION_COUNT];
};

struct rules {
	struct rule *list;
	size_t count, room;
	struct range *ranges;
	size_t range_count, range_room;
	struct err *err;
};

static int add_range(struct rules *rules, uint64_t first, uint64_t last)
{
	struct range *ranges =
		array_grow(rules->ranges, rules->range_count, &rules->range_room, sizeof(*ranges));

	if (!ranges)
		return err_no_memory(rules->err);
	rules->ranges = ranges;
	rules->ranges[rules->range_count++] = (struct range){first, last};
	return 0;
}

static int compare_ranges(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* Takes in all ranges added since `start`. */
static void close_set(struct rules *rules, struct set *set, enum set_kind kind, size_t start)
{
	size_t count = rules->range_count - start, out = 0;
	struct range *ranges;

	if (count == 0)
		return;
	ranges = rules->ranges + start;
	qsort(ranges, count, sizeof(*ranges), compare_ranges);
	for (size_t i = 1; i < count; i++) {
		if (ranges[i].first <= ranges[out].last || ranges[i].first - 1 == ranges[out].last) {
			if (ranges[i].last > ranges[out].last)
				ranges[out].last = ranges[i].last;
		} else {
			ranges[++out] = ranges[i];
		}
	}
	rules->range_count = start + out + 1;
	*set = (struct set){kind, start, out + 1};
}

static uint64_t hash_name(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *name; name++) {
		unsigned char c = (unsigned char)*name;

		if (c >= 'A' && c <= 'Z')
			c = (unsigned char)(c - 'A' + 'a');
		hash = (hash ^ c) * 0x100000001b3u;
	}
	/* Neighbours would be merged to one range: keep the numbers apart. */
	return hash & ~(uint64_t)1;
}

static int add_list(struct rules *rules, const char *text, uint64_t mask, uint64_t offset)
{
	uint64_t first, last;
	int rc = 0;

	while (rc == 0 && policy_range_next(&text, &first, &last)) {
		first &= mask;
		last &= mask;
		rc = add_range(rules, (first < last ? first : last) + offset,
			       (first < last ? last : first) + offset);
	}
	return rc;
}

static int read_match_criterion(struct rules *rules, struct rule *rule, enum criterion criterion,
				const char *keyword)
{
	bool groups = criterion == SOURCE || criterion == DESTINATION;
	uint64_t mask = criterion == PKEY ? 0x7fff : UINT64_MAX;
	const struct policy_node *leaf = NULL;
	size_t start = rules->range_count;
	char name[NAME_SIZE];
	int rc = 0;

	while (rc == 0 && (leaf = policy_child(rule->node, keyword, leaf))) {
		const char *at = leaf->value;

		if (!groups)
			rc = add_list(rules, at, mask, 0);
		while (rc == 0 && groups && policy_name_next(&at, name, sizeof(name))) {
			uint64_t hash = hash_name(name);

			rc = add_range(rules, hash, hash);
		}
	}
	close_set(rules, &rule->set[criterion], groups ? GROUPS : RANGES, start);
	return rc;
}

static struct rule *new_rule(struct rules *rules, const struct policy_node *node, size_t number,
			     bool ulp)
{
	struct rule *list = array_grow(rules->list, rules->count, &rules->room, sizeof(*list));

	if (!list) {
		err_no_memory(rules->err);
		return NULL;
	}
	rules->list = list;
	rules->list[rules->count] = (struct rule){.node = node, .number = number, .ulp = ulp};
	return &rules->list[rules->count++];
}

static int read_match_rule(struct rules *rules, const struct policy_node *node, size_t number)
{
	static const char *const words[CRITERION_COUNT] = {
		[SOURCE] = "source", [DESTINATION] = "destination", [QOS_CLASS] = "qos-class",
		[SERVICE_ID] = "service-id", [PKEY] = "pkey",
	};
	struct rule *rule = new_rule(rules, node, number, false);
	int rc = rule ? 0 : ERR_NOMEM;

	for (int criterion = 0; rc == 0 && criterion < CRITERION_COUNT; criterion++)
		rc = read_match_criterion(rules, rule, (enum criterion)criterion, words[criterion]);
	return rc;
}

static bool begins(const char *text, const char *word)
{
	return strncasecmp(text, word, strlen(word)) == 0;
}

/* The list behind the words of a ULP rule, NULL: it has none. */
static const char *ulp_list(const char *keyword)
{
	const char *comma = strchr(keyword, ',');

	return comma ? strchr(comma + 2, ' ') : NULL;
}

static int read_ulp_rule(struct rules *rules, const struct policy_node *node, size_t number)
{
	struct rule *rule = new_rule(rules, node, number, true);
	const char *word = node->keyword, *list = ulp_list(word);
	enum criterion criterion = SERVICE_ID;
	size_t start = rules->range_count;
	uint64_t port = begins(word, "rds") ? RDS_PORT : ISER_PORT;
	int rc;

	if (!rule)
		return ERR_NOMEM;
	if (begins(word, "sdp"))
		rc = list ? add_list(rules, list, UINT64_MAX, SDP_SERVICE_ID)
			  : add_range(rules, SDP_SERVICE_ID, SDP_SERVICE_ID + 0xffff);
	else if (begins(word, "rds") || begins(word, "iser"))
		rc = list ? add_list(rules, list, UINT64_MAX, TCP_SERVICE_ID)
			  : add_range(rules, TCP_SERVICE_ID + port, TCP_SERVICE_ID + port);
	else if (begins(word, "ipoib") || begins(word, "any, pkey")) {
		criterion = PKEY;
		rc = list ? add_list(rules, list, 0x7fff, 0) : add_range(rules, 0x7fff, 0x7fff);
	} else {
		if (begins(word, "any, source-port-guid"))
			criterion = SOURCE;
		else if (strstr(word, "target-port-guid"))
			criterion = DESTINATION;
		rc = add_list(rules, list, UINT64_MAX, 0);
	}
	close_set(rules, &rule->set[criterion], RANGES, start);
	if (begins(word, "any, source-target-port-guid"))
		rule->set[SOURCE] = rule->set[DESTINATION];
	return rc;
}

static int read_rules(struct rules *rules, const struct policy_node *root)
{
	const struct policy_node *section = NULL, *node;
	size_t number = 0;
	int rc = 0;

	while (rc == 0 && (section = policy_child(root, "qos-match-rules", section))) {
		node = NULL;
		while (rc == 0 && (node = policy_child(section, "qos-match-rule", node)))
			rc = read_match_rule(rules, node, ++number);
	}
	number = 0;
	while (rc == 0 && (section = policy_child(root, "qos-ulps", section))) {
		for (node = section->first_child; rc == 0 && node; node = node->next) {
			if (strcmp(node->keyword, "default") != 0)
				rc = read_ulp_rule(rules, node, ++number);
		}
	}
	return rc;
}

static bool set_covers(const struct rules *rules, const struct set *wide, const struct set *narrow)
{
	const struct range *cover = rules->ranges + wide->start;
	size_t at = 0;

	if (wide->kind == ANY)
		return true;
	if (wide->kind != narrow->kind)
		return false;
	for (size_t i = 0; i < narrow->count; i++) {
		const struct range *range = &rules->ranges[narrow->start + i];

		while (at < wide->count && cover[at].last < range->first)
			at++;
		if (at == wide->count || cover[at].first > range->first || cover[at].last < range->last)
			return false;
	}
	return true;
}

static bool rule_covers(const struct rules *rules, const struct rule *wide, const struct rule *narrow)
{
	for (int criterion = 0; criterion < CRITERION_COUNT; criterion++) {
		if (!set_covers(rules, &wide->set[criterion], &narrow->set[criterion]))
			return false;
	}
	return true;
}

static bool takes_all(const struct rule *rule)
{
	for (int criterion = 0; criterion < CRITERION_COUNT; criterion++) {
		if (rule->set[criterion].kind != ANY)
			return false;
	}
	return true;
}

static int note_shadowed(struct config_notes *notes, const struct rule *wide,
			 const struct rule *narrow, struct err *err)
{
	char shown[CONFIG_SHOW_SIZE], name[CONFIG_SHOW_SIZE + 32];

	if (narrow->ulp)
		snprintf(name, sizeof(name), "the qos-ulps rule \"%s\"",
			 config_show(narrow->node->keyword, strlen(narrow->node->keyword), shown));
	else
		snprintf(name, sizeof(name), "match rule %zu", narrow->number);
	return config_note(notes, err, "unreachable-rule", SEVERITY_WARNING, NULL, narrow->node->line,
			   "Put the narrower rule in front of the wider one.",
			   "%s never matches: %s %zu in line %lld takes all that it could", name,
			   wide->ulp ? "qos-ulps rule" : "match rule", wide->number,
			   (long long)wide->node->line);
}

/* A rule without any criterion takes all: what follows it is told in one sentence. */
static int note_takes_all(struct config_notes *notes, const struct rules *rules, size_t at,
			  struct err *err)
{
	size_t behind = rules->count - at - 1;
	const struct rule *rule = &rules->list[at];

	if (behind == 0)
		return 0;
	return config_note(notes, err, "unreachable-rule", SEVERITY_WARNING, NULL,
			   rules->list[at + 1].node->line,
			   "Give the rule a source, destination, qos-class, service-id or pkey, or put it "
			   "last.",
			   "match rule %zu in line %lld has no criterion and matches everything: the %zu "
			   "rule%s behind it%s never match%s", rule->number, (long long)rule->node->line,
			   behind, behind == 1 ? "" : "s",
			   rules->list[rules->count - 1].ulp ? " (those of qos-ulps too)" : "",
			   behind == 1 ? "es" : "");
}

/* OpenSM's guide: rules on target ports alone belong behind all others of qos-ulps. */
static int check_target_rules(struct config_notes *notes, const struct rules *rules,
			      struct err *err)
{
	const struct rule *target = NULL;

	for (size_t i = 0; i < rules->count; i++) {
		const struct rule *rule = &rules->list[i];
		bool only_target = rule->ulp && rule->set[DESTINATION].kind == RANGES &&
				   rule->set[SOURCE].kind == ANY;

		if (only_target && !target)
			target = rule;
		if (target && rule->ulp && !only_target)
			return config_note(notes, err, "target-rule-not-last", SEVERITY_WARNING, NULL,
					   target->node->line,
					   "Move rules on target-port-guid (srp among them) to the end of "
					   "qos-ulps.",
					   "the qos-ulps rule \"%.80s\" takes every path to its targets, so "
					   "the rule in line %lld does not see these", target->node->keyword,
					   (long long)rule->node->line);
	}
	return 0;
}

int qos_rules_check(struct config_notes *notes, const struct policy_node *root, struct err *err)
{
	struct rules rules = {.err = err};
	int rc = read_rules(&rules, root);

	for (size_t i = 0; rc == 0 && i < rules.count; i++) {
		if (takes_all(&rules.list[i])) {
			rc = note_takes_all(notes, &rules, i, err);
			rules.count = i + 1;
			break;
		}
		for (size_t j = 0; rc == 0 && j < i && i < PAIRS_MAX; j++) {
			if (rule_covers(&rules, &rules.list[j], &rules.list[i])) {
				rc = note_shadowed(notes, &rules.list[j], &rules.list[i], err);
				break;
			}
		}
	}
	if (rc == 0)
		rc = check_target_rules(notes, &rules, err);
	free(rules.list);
	free(rules.ranges);
	return rc;
}
