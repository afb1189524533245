/*
 * Findings beside each other: their order in a report, and one audit against
 * another. Both go through sorted arrays, so that an audit with a finding on
 * every port of a large fabric costs n log n.
 */
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/coverage.h"
#include "store/finding.h"
#include "store/text.h"

static const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

struct ranked {
	struct finding finding;
	size_t rank;		/* place of its rule among the verdicts */
	size_t place;		/* before sorting */
};

static int ranked_compare(const void *left, const void *right)
{
	const struct ranked *a = left;
	const struct ranked *b = right;
	bool past_a = finding_is_past(&a->finding);
	bool past_b = finding_is_past(&b->finding);
	int order;

	if (past_a != past_b)
		return past_a ? 1 : -1;
	if (past_a && a->finding.status != b->finding.status)
		return a->finding.status < b->finding.status ? -1 : 1;
	if (a->finding.severity != b->finding.severity)
		return a->finding.severity > b->finding.severity ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	order = strcmp(a->finding.rule, b->finding.rule);
	if (order == 0)
		order = text_compare(text_or_empty(a->finding.subject),
				     text_or_empty(b->finding.subject));
	if (order != 0)
		return order;
	return a->place < b->place ? -1 : 1;
}

static size_t rule_rank(const struct audit *audit, const char *rule)
{
	for (size_t i = 0; i < audit->verdict_count; i++) {
		if (strcmp(audit->verdicts[i].rule, rule) == 0)
			return i;
	}
	return audit->verdict_count;
}

void audit_sort(struct audit *audit)
{
	struct ranked *ranked;
	size_t count = audit->finding_count;

	if (count < 2)
		return;
	ranked = malloc(count * sizeof(*ranked));
	/* Without memory the order stays as it is: a report in another order is still right. */
	if (!ranked)
		return;
	for (size_t i = 0; i < count; i++) {
		ranked[i].finding = audit->findings[i];
		ranked[i].place = i;
		if (i > 0 && audit->findings[i].rule == audit->findings[i - 1].rule)
			ranked[i].rank = ranked[i - 1].rank;
		else
			ranked[i].rank = rule_rank(audit, audit->findings[i].rule);
	}
	qsort(ranked, count, sizeof(*ranked), ranked_compare);
	for (size_t i = 0; i < count; i++)
		audit->findings[i] = ranked[i].finding;
	free(ranked);
}

static int cause_compare(const struct finding *a, const char *rule, const char *discriminator)
{
	int order = strcmp(a->rule, rule);

	return order ? order : strcmp(text_or_empty(a->discriminator), discriminator);
}

static int identity_compare(const void *left, const void *right)
{
	const struct finding *a = *(const struct finding *const *)left;
	const struct finding *b = *(const struct finding *const *)right;
	int order = cause_compare(a, b->rule, text_or_empty(b->discriminator));

	if (order != 0)
		return order;
	if (a->node_guid != b->node_guid)
		return a->node_guid < b->node_guid ? -1 : 1;
	return (a->port > b->port) - (a->port < b->port);
}

/* An audit's findings by identity, gone ones left out. */
struct identities {
	const struct finding **list;
	size_t count;
	const struct finding **folds;	/* those of the list that stand for many causes */
	size_t fold_count;
};

/* How much of the discriminator is before a closing '*'; 0: it names one cause. */
static size_t fold_length(const struct finding *finding)
{
	size_t length = strlen(text_or_empty(finding->discriminator));

	return length > 0 && finding->discriminator[length - 1] == '*' ? length - 1 : 0;
}

/* False: no memory; what was made is freed by identities_free either way. */
static bool identities_find(const struct audit *audit, struct identities *ids)
{
	ids->list = malloc((audit->finding_count + 1) * sizeof(const struct finding *));
	ids->folds = malloc((audit->finding_count + 1) * sizeof(const struct finding *));
	if (!ids->list || !ids->folds)
		return false;
	for (size_t i = 0; i < audit->finding_count; i++) {
		const struct finding *finding = &audit->findings[i];

		if (finding->status == FINDING_GONE)
			continue;
		ids->list[ids->count++] = finding;
		if (fold_length(finding) > 0)
			ids->folds[ids->fold_count++] = finding;
	}
	qsort(ids->list, ids->count, sizeof(const struct finding *), identity_compare);
	return true;
}

static void identities_free(struct identities *ids)
{
	free(ids->list);
	free(ids->folds);
}

/* The first finding that is not before this rule, discriminator and place. */
static size_t lower_bound(const struct identities *ids, const struct finding *key)
{
	return array_first_from(&key, ids->list, ids->count, sizeof(const struct finding *),
				identity_compare);
}

/* The cause of `key` at this place; port -1: at any port of the device. */
static bool is_at(const struct identities *ids, struct finding key, uint64_t node_guid, int port)
{
	size_t at;

	key.node_guid = node_guid;
	key.port = port;
	at = lower_bound(ids, &key);
	return at < ids->count &&
	       cause_compare(ids->list[at], key.rule, text_or_empty(key.discriminator)) == 0 &&
	       (node_guid == 0 || ids->list[at]->node_guid == node_guid) &&
	       (port == -1 || ids->list[at]->port == port);
}

static bool is_folded_in(const struct finding *finding, const struct finding *fold)
{
	return strcmp(finding->rule, fold->rule) == 0 &&
	       strncmp(text_or_empty(finding->discriminator), fold->discriminator,
		       fold_length(fold)) == 0;
}

static bool fold_is_in(const struct finding *fold, const struct identities *ids)
{
	char *prefix = strdup(fold->discriminator);
	struct finding key = *fold;
	bool found = true;	/* Without memory nothing is called new or gone. */
	size_t at;

	if (!prefix)
		return found;
	prefix[fold_length(fold)] = '\0';
	key.discriminator = prefix;
	key.node_guid = 0;
	key.port = -1;
	at = lower_bound(ids, &key);
	found = at < ids->count && is_folded_in(ids->list[at], fold);
	free(prefix);
	return found;
}

/* The cause of the finding, told of this device as a whole (guid 0: of the fabric). */
static bool is_on_all_of(const struct identities *ids, const struct finding *finding, uint64_t guid)
{
	struct finding key = *finding;
	size_t at;

	key.node_guid = guid;
	key.port = -1;
	at = lower_bound(ids, &key);
	return at < ids->count && identity_compare(&ids->list[at], &(const struct finding *){&key}) == 0;
}

/* True when `ids` has the finding, at its place, at one around it or at one within it. */
static bool identity_in(const struct finding *finding, const struct identities *ids)
{
	uint64_t guid = finding->node_guid;

	if (fold_length(finding) > 0)
		return fold_is_in(finding, ids);
	for (size_t i = 0; i < ids->fold_count; i++) {
		if (is_folded_in(finding, ids->folds[i]))
			return true;
	}
	if (guid == 0 && finding->port == -1)
		return is_at(ids, *finding, 0, -1);
	return is_at(ids, *finding, guid, finding->port) ||
	       is_on_all_of(ids, finding, guid) || is_on_all_of(ids, finding, 0);
}

/* NULL: this audit knows no such rule. */
static const struct verdict *verdict_of(const struct audit *audit, const char *rule)
{
	for (size_t i = 0; i < audit->verdict_count; i++) {
		if (strcmp(audit->verdicts[i].rule, rule) == 0)
			return &audit->verdicts[i];
	}
	return NULL;
}

/* Gone, when the rule was run and could have shown the finding again; else not checked. */
static int status_of_missing(const struct audit *audit, struct coverage *coverage,
			     const struct finding *old, enum finding_status *ret_status,
			     struct err *err)
{
	const struct verdict *verdict = verdict_of(audit, old->rule);
	bool shown = false;
	int rc = 0;

	if (verdict && verdict->kind != VERDICT_NOT_CHECKED)
		rc = coverage_shows(coverage, old, verdict->reads, &shown, err);
	*ret_status = shown ? FINDING_GONE : FINDING_UNCHECKED;
	return rc;
}

static bool text_copy(char **ret_copy, const char *text)
{
	return !text || finding_text(ret_copy, "%s", text);
}

/* What is of the baseline only, and what became of it. */
struct missing {
	const struct finding *finding;
	enum finding_status status;
};

static int missing_add(struct audit *audit, const struct missing *missing, struct err *err)
{
	const struct finding *old = missing->finding;
	struct finding *past = audit_finding_add(audit, old->rule, old->severity, old->node_guid,
						 old->port);

	if (!past)
		return err_no_memory(err);
	past->status = missing->status;
	if (!text_copy(&past->discriminator, old->discriminator) ||
	    !text_copy(&past->subject, old->subject) || !text_copy(&past->message, old->message) ||
	    !text_copy(&past->remedy, old->remedy) || !text_copy(&past->source, old->source))
		return err_no_memory(err);
	for (size_t i = 0; i < old->evidence_count; i++) {
		if (!finding_evidence(past, old->evidence[i].key, "%s", old->evidence[i].value))
			return err_no_memory(err);
	}
	return 0;
}

int audit_compare(struct audit *audit, const struct audit *baseline, const struct fabric *before,
		  const struct fabric *now, struct err *err)
{
	struct coverage *coverage = NULL;
	struct identities found = {0};
	struct identities known = {0};
	struct missing *missing = NULL;
	size_t missing_count = 0;
	int rc;

	rc = coverage_new(before, now, &coverage, err);
	if (rc < 0)
		return rc;
	missing = malloc((baseline->finding_count + 1) * sizeof(*missing));
	if (!missing || !identities_find(audit, &found) || !identities_find(baseline, &known)) {
		rc = err_no_memory(err);
		goto out;
	}
	for (size_t i = 0; rc == 0 && i < known.count; i++) {
		const struct finding *old = known.list[i];
		struct missing *entry = &missing[missing_count];

		if (identity_in(old, &found))
			continue;
		entry->finding = old;
		rc = status_of_missing(audit, coverage, old, &entry->status, err);
		missing_count++;
	}
	for (size_t i = 0; i < audit->finding_count; i++) {
		struct finding *finding = &audit->findings[i];

		if (!finding_is_past(finding))
			finding->status = identity_in(finding, &known) ? FINDING_STILL
								       : FINDING_NEW;
	}
	/* Adding moves the findings of `audit`, so `found` is of no use from here. */
	for (size_t i = 0; i < missing_count && rc == 0; i++)
		rc = missing_add(audit, &missing[i], err);
out:
	identities_free(&found);
	identities_free(&known);
	free(missing);
	coverage_free(coverage);
	return rc;
}
