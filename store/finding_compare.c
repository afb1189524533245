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

/* With more silent devices than this their names are not looked for in lists. */
#define SILENT_LOOKED_UP 64

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
	size_t first = 0;
	size_t last = ids->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (identity_compare(&ids->list[middle], &key) < 0)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
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

/* Evidence that lists the places of a finding on more than one device. */
static const char *places_of(const struct finding *finding)
{
	static const char *const keys[] = {"places", "ports", "devices", "switches"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		for (size_t j = 0; j < finding->evidence_count; j++) {
			if (strcmp(finding->evidence[j].key, keys[i]) == 0)
				return finding->evidence[j].value;
		}
	}
	return NULL;
}

/*
 * True when one of these places may have given no answer now. Devices stand there
 * by name; a name that others share only makes us say less.
 */
static bool places_are_silent(const struct blind_spots *spots, const char *places)
{
	char label[DEVICE_LABEL_SIZE];

	if (spots->devices || spots->count > SILENT_LOOKED_UP)
		return true;
	for (size_t i = 0; i < spots->count; i++) {
		const struct device *device = fabric_device_find(spots->fabric, spots->silent[i].guid);
		char *guid;

		if (!device)
			continue;
		device_label(device, label, sizeof(label));
		guid = strstr(label, " (0x");
		if (guid)
			*guid = '\0';
		if (strstr(places, label))
			return true;
	}
	return false;
}

/* True when the fabric could have shown this finding again. */
static bool was_looked_at(const struct blind_spots *spots, const struct finding *finding)
{
	size_t first = 0;
	size_t last = spots->count;

	if (!spots->fabric)
		return true;
	if (finding->node_guid == 0) {
		const char *places = places_of(finding);

		return !places || !places_are_silent(spots, places);
	}
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
	struct identities now = {0};
	struct identities before = {0};
	const struct finding **gone = NULL;
	size_t gone_count = 0;
	int rc = 0;

	gone = malloc((baseline->finding_count + 1) * sizeof(const struct finding *));
	if (!gone || !identities_find(audit, &now) || !identities_find(baseline, &before) ||
	    !blind_spots_find(fabric, &spots)) {
		rc = err_no_memory(err);
		goto out;
	}
	for (size_t i = 0; i < before.count; i++) {
		const struct finding *old = before.list[i];

		if (rule_was_checked(audit, old->rule) && was_looked_at(&spots, old) &&
		    !identity_in(old, &now))
			gone[gone_count++] = old;
	}
	for (size_t i = 0; i < audit->finding_count; i++) {
		struct finding *finding = &audit->findings[i];

		if (finding->status != FINDING_GONE)
			finding->status = identity_in(finding, &before) ? FINDING_STILL
									: FINDING_NEW;
	}
	/* Adding moves the findings of `audit`, so `now` is of no use from here. */
	for (size_t i = 0; i < gone_count && rc == 0; i++)
		rc = gone_add(audit, gone[i], err);
out:
	identities_free(&now);
	identities_free(&before);
	free(gone);
	free(spots.silent);
	return rc;
}
