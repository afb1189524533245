/*
 * Findings beside each other: their order in a report, and one audit against
 * another. Both go through sorted arrays, so that an audit with a finding on
 * every port of a large fabric costs n log n.
 */
#include <stdlib.h>
#include <string.h>

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
	bool gone_a = a->finding.status == FINDING_GONE;
	bool gone_b = b->finding.status == FINDING_GONE;
	int order;

	if (gone_a != gone_b)
		return gone_a ? 1 : -1;
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

static int identity_compare(const void *left, const void *right)
{
	const struct finding *a = *(const struct finding *const *)left;
	const struct finding *b = *(const struct finding *const *)right;
	int order;

	if (a->node_guid != b->node_guid)
		return a->node_guid < b->node_guid ? -1 : 1;
	if (a->port != b->port)
		return a->port < b->port ? -1 : 1;
	order = strcmp(a->rule, b->rule);
	if (order != 0)
		return order;
	return strcmp(text_or_empty(a->discriminator), text_or_empty(b->discriminator));
}

/* Findings by identity, gone ones left out. NULL without memory. */
static const struct finding **identity_index(const struct audit *audit, size_t *ret_count)
{
	const struct finding **index = malloc((audit->finding_count + 1) * sizeof(*index));
	size_t count = 0;

	if (!index)
		return NULL;
	for (size_t i = 0; i < audit->finding_count; i++) {
		if (audit->findings[i].status != FINDING_GONE)
			index[count++] = &audit->findings[i];
	}
	qsort(index, count, sizeof(*index), identity_compare);
	*ret_count = count;
	return index;
}

static bool identity_in(const struct finding *finding, const struct finding *const *index,
			size_t count)
{
	return bsearch(&finding, index, count, sizeof(*index), identity_compare) != NULL;
}

/* The rule was looked at, as far as its verdict tells; a rule without verdict was not. */
static bool rule_was_checked(const struct audit *audit, const char *rule)
{
	for (size_t i = 0; i < audit->verdict_count; i++) {
		if (strcmp(audit->verdicts[i].rule, rule) == 0)
			return audit->verdicts[i].kind != VERDICT_NOT_CHECKED;
	}
	return false;
}

/* A device (port -1) or port that did not answer something. */
struct silent {
	uint64_t guid;
	int port;
};

/* What a fabric could not see. */
struct blind_spots {
	const struct fabric *fabric;
	struct silent *silent;	/* sorted */
	size_t count;
	bool devices;		/* some device may be missing altogether */
};

static int silent_compare(const void *left, const void *right)
{
	const struct silent *a = left;
	const struct silent *b = right;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->port < b->port ? -1 : a->port > b->port;
}

/* False: no memory. */
static bool blind_spots_find(const struct fabric *fabric, struct blind_spots *spots)
{
	size_t holes = fabric ? fabric->hole_count : 0;

	spots->fabric = fabric;
	spots->silent = malloc((holes + 1) * sizeof(*spots->silent));
	if (!spots->silent)
		return false;
	for (size_t i = 0; i < holes; i++) {
		const struct hole *hole = &fabric->holes[i];

		if (hole->reason == HOLE_UNSUPPORTED)
			continue;
		if (hole->device)
			spots->silent[spots->count++] =
				(struct silent){hole->device->guid, hole->port};
		if (hole->attribute == ATTRIBUTE_NODE_INFO || hole->attribute == ATTRIBUTE_NEIGHBOR)
			spots->devices = true;
	}
	qsort(spots->silent, spots->count, sizeof(*spots->silent), silent_compare);
	return true;
}

static bool is_silent(const struct blind_spots *spots, uint64_t guid, int port)
{
	const struct silent key = {guid, port};

	return bsearch(&key, spots->silent, spots->count, sizeof(key), silent_compare) != NULL;
}

/* True when the fabric could have shown this finding again. */
static bool was_looked_at(const struct blind_spots *spots, const struct finding *finding)
{
	size_t first = 0;
	size_t last = spots->count;

	if (!spots->fabric || finding->node_guid == 0)
		return true;
	if (!fabric_device_find(spots->fabric, finding->node_guid))
		return !spots->devices;
	if (finding->port >= 0)
		return !is_silent(spots, finding->node_guid, -1) &&
		       !is_silent(spots, finding->node_guid, finding->port);
	/* A finding on the whole device may rest on any of its ports. */
	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (spots->silent[middle].guid < finding->node_guid)
			first = middle + 1;
		else
			last = middle;
	}
	return first == spots->count || spots->silent[first].guid != finding->node_guid;
}

static bool text_copy(char **ret_copy, const char *text)
{
	return !text || finding_text(ret_copy, "%s", text);
}

static int gone_add(struct audit *audit, const struct finding *old, struct err *err)
{
	struct finding *gone = audit_finding_add(audit, old->rule, old->severity, old->node_guid,
						 old->port);

	if (!gone)
		return err_no_memory(err);
	gone->status = FINDING_GONE;
	if (!text_copy(&gone->discriminator, old->discriminator) ||
	    !text_copy(&gone->subject, old->subject) || !text_copy(&gone->message, old->message) ||
	    !text_copy(&gone->remedy, old->remedy) || !text_copy(&gone->source, old->source))
		return err_no_memory(err);
	for (size_t i = 0; i < old->evidence_count; i++) {
		if (!finding_evidence(gone, old->evidence[i].key, "%s", old->evidence[i].value))
			return err_no_memory(err);
	}
	return 0;
}

int audit_compare(struct audit *audit, const struct audit *baseline, const struct fabric *fabric,
		  struct err *err)
{
	struct blind_spots spots = {0};
	const struct finding **now = NULL;
	const struct finding **before = NULL;
	const struct finding **gone = NULL;
	size_t now_count = 0;
	size_t before_count = 0;
	size_t gone_count = 0;
	int rc = 0;

	now = identity_index(audit, &now_count);
	before = identity_index(baseline, &before_count);
	gone = malloc((before_count + 1) * sizeof(*gone));
	if (!now || !before || !gone || !blind_spots_find(fabric, &spots)) {
		rc = err_no_memory(err);
		goto out;
	}
	for (size_t i = 0; i < before_count; i++) {
		if (rule_was_checked(audit, before[i]->rule) && was_looked_at(&spots, before[i]) &&
		    !identity_in(before[i], now, now_count))
			gone[gone_count++] = before[i];
	}
	for (size_t i = 0; i < audit->finding_count; i++) {
		struct finding *finding = &audit->findings[i];

		if (finding->status != FINDING_GONE)
			finding->status = identity_in(finding, before, before_count)
						  ? FINDING_STILL
						  : FINDING_NEW;
	}
	/* Adding moves the findings of `audit`, so `now` is of no use from here. */
	for (size_t i = 0; i < gone_count && rc == 0; i++)
		rc = gone_add(audit, gone[i], err);
out:
	free(now);
	free(before);
	free(gone);
	free(spots.silent);
	return rc;
}
