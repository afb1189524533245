/*
 * Two kinds of gaps: what was asked for and did not come (the holes of the later
 * fabric), and what its sources do not hold while those of the earlier one did.
 * The second depends on what the rule reads, so it is looked for rule by rule.
 */
#include "store/coverage.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/config.h"
#include "store/coverage_hosts.h"
#include "store/diff_parts.h"
#include "store/reads.h"
#include "store/text.h"

/* With more silent devices than this their names are not looked for in lists. */
#define SILENT_LOOKED_UP 64

/* A device (port -1) or port that did not answer something, or of which something is not known now. */
struct silent {
	uint64_t guid;
	int port;
};

struct silent_list {
	struct silent *list;	/* sorted */
	size_t count;
	size_t room;
};

struct coverage {
	const struct fabric *before;
	const struct fabric *now;
	struct coverage_hosts *hosts;	/* NULL until a rule reads hosts */
	struct silent_list holes;
	bool devices;		/* some device may be missing altogether */
	const char *reads;	/* what the rest is about */
	struct silent_list lost;	/* known before, not known now; the holes are among them */
	bool blind;		/* some kind of fact is known nowhere now */
	bool tables_lost;	/* a forwarding table is not known now: ways end there */
};

static int silent_compare(const void *left, const void *right)
{
	const struct silent *a = left;
	const struct silent *b = right;

	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return a->port < b->port ? -1 : a->port > b->port;
}

static int silent_add(struct silent_list *silent, uint64_t guid, int port, struct err *err)
{
	struct silent *grown = array_grow(silent->list, silent->count, &silent->room, sizeof(*grown));

	if (!grown)
		return err_no_memory(err);
	silent->list = grown;
	silent->list[silent->count++] = (struct silent){guid, port};
	return 0;
}

static void silent_sort(struct silent_list *silent)
{
	if (silent->count > 1)
		qsort(silent->list, silent->count, sizeof(*silent->list), silent_compare);
}

static int find_holes(struct coverage *coverage, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < coverage->now->hole_count; i++) {
		const struct hole *hole = &coverage->now->holes[i];

		if (hole->reason == HOLE_UNSUPPORTED)
			continue;
		if (hole->device)
			rc = silent_add(&coverage->holes, hole->device->guid, hole->port, err);
		if (hole->attribute == ATTRIBUTE_NODE_INFO || hole->attribute == ATTRIBUTE_NEIGHBOR)
			coverage->devices = true;
	}
	silent_sort(&coverage->holes);
	return rc;
}

int coverage_new(const struct fabric *before, const struct fabric *now,
		 struct coverage **ret_coverage, struct err *err)
{
	struct coverage *coverage = calloc(1, sizeof(*coverage));
	int rc = 0;

	if (!coverage)
		return err_no_memory(err);
	coverage->before = before;
	coverage->now = now;
	if (now)
		rc = find_holes(coverage, err);
	if (rc < 0)
		coverage_free(coverage);
	else
		*ret_coverage = coverage;
	return rc;
}

void coverage_free(struct coverage *coverage)
{
	if (!coverage)
		return;
	coverage_hosts_free(coverage->hosts);
	free(coverage->holes.list);
	free(coverage->lost.list);
	free(coverage);
}

/* --- What the rule reads and is not known any more. --- */

/* True when the fabric as a whole knows this kind of thing; facts of ports are not asked here. */
static bool fabric_knows(const struct fabric *fabric, const struct read_word *word)
{
	const struct config *config = fabric->config;

	switch (word->kind) {
	case READ_LIVE:
		return fabric->live;
	case READ_SM:
		return fabric->asked >> ATTRIBUTE_SM_INFO & 1;
	case READ_NEIGHBOR:
		return fabric->asked >> ATTRIBUTE_NEIGHBOR & 1;
	case READ_OPENSM_CONF:
		return config->opensm_conf != 0;
	case READ_QOS_POLICY:
		return config->policy.present;
	case READ_PARTITIONS:
		return config->partitions_conf != 0;
	case READ_OPENSM_LOG:
		return config->opensm_log != 0;
	default:
		return true;
	}
}

struct tally {
	size_t before;
	size_t now;
};

static int compare_device(struct coverage *coverage, const struct device *before,
			  const struct device *now, const struct read_word *word,
			  struct tally *tally, struct err *err)
{
	bool known = reads_device_knows(before, word);
	bool known_now = reads_device_knows(now, word);
	int rc = 0;

	tally->before += known;
	tally->now += known_now;
	if (known && !known_now) {
		coverage->tables_lost |= word->kind == READ_LFT;
		rc = silent_add(&coverage->lost, before->guid, -1, err);
	}
	for (size_t num = 0; rc == 0 && num < before->port_slots; num++) {
		const struct port *port = before->ports[num];
		const struct port *port_now = device_port(now, (unsigned)num);

		known = port && reads_port_knows(port, word);
		known_now = port_now && reads_port_knows(port_now, word);
		tally->before += known;
		tally->now += known_now;
		/* Of a port that is Down there is nothing to be read. */
		if (known && !known_now && !(port_now && port_now->info.port_state == 1))
			rc = silent_add(&coverage->lost, before->guid, (int)num, err);
	}
	return rc;
}

/* What did not come then is only there now if it was asked for again. */
static int compare_holes(struct coverage *coverage, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < coverage->before->hole_count; i++) {
		const struct hole *hole = &coverage->before->holes[i];

		if (diff_was_asked(coverage->now, hole->attribute))
			continue;
		if (hole->device)
			rc = silent_add(&coverage->lost, hole->device->guid, hole->port, err);
		else if (hole->behind)
			rc = silent_add(&coverage->lost, hole->behind->device->guid,
					(int)hole->behind->num, err);
		else
			coverage->blind = true;
	}
	return rc;
}

static int compare_word(struct coverage *coverage, const struct read_word *word, struct err *err)
{
	struct tally tally = {0};
	int rc = 0;

	if (word->kind == READ_HOLES)
		return compare_holes(coverage, err);
	if (fabric_knows(coverage->before, word) && !fabric_knows(coverage->now, word))
		coverage->blind = true;
	for (size_t i = 0; rc == 0 && i < coverage->before->device_count; i++) {
		const struct device *before = coverage->before->devices[i];
		const struct device *now = fabric_device_find(coverage->now, before->guid);

		if (now)
			rc = compare_device(coverage, before, now, word, &tally, err);
	}
	if (tally.before > 0 && tally.now == 0)
		coverage->blind = true;
	return rc;
}

/* Makes `lost` that of a rule which reads this. */
static int look_for(struct coverage *coverage, const char *reads, struct err *err)
{
	const char *at = reads;
	struct read_word word;
	int rc = 0;

	coverage->lost.count = 0;
	coverage->blind = false;
	coverage->tables_lost = false;
	for (size_t i = 0; rc == 0 && i < coverage->holes.count; i++)
		rc = silent_add(&coverage->lost, coverage->holes.list[i].guid,
				coverage->holes.list[i].port, err);
	while (rc == 0 && coverage->before && reads_next(&at, &word))
		rc = compare_word(coverage, &word, err);
	silent_sort(&coverage->lost);
	coverage->reads = rc == 0 ? reads : NULL;
	return rc;
}

/* --- What a finding is about. --- */

static const char *evidence_of(const struct finding *finding, const char *const *keys)
{
	for (; *keys; keys++) {
		for (size_t i = 0; i < finding->evidence_count; i++) {
			if (strcmp(finding->evidence[i].key, *keys) == 0)
				return finding->evidence[i].value;
		}
	}
	return NULL;
}

static bool is_silent(const struct coverage *coverage, uint64_t guid, int port)
{
	const struct silent key = {guid, port};

	return coverage->lost.count > 0 &&
	       bsearch(&key, coverage->lost.list, coverage->lost.count, sizeof(key),
		       silent_compare) != NULL;
}

/* True when anything of the device is silent. */
static bool is_silent_somewhere(const struct coverage *coverage, uint64_t guid)
{
	const struct silent lowest = {guid, INT_MIN};
	size_t first = array_first_from(&lowest, coverage->lost.list, coverage->lost.count,
					sizeof(lowest), silent_compare);

	return first < coverage->lost.count && coverage->lost.list[first].guid == guid;
}

/*
 * True when one of these places may be silent now. Devices stand there by name; a
 * name that others share, or a list that was cut, only makes us say less.
 */
static bool places_are_silent(const struct coverage *coverage, const char *places)
{
	const struct silent_list *lost = &coverage->lost;
	char label[DEVICE_LABEL_SIZE];

	if (coverage->devices || lost->count > SILENT_LOOKED_UP)
		return true;
	if (lost->count > 0 && strstr(places, " more"))
		return true;
	for (size_t i = 0; i < lost->count; i++) {
		const struct device *device = fabric_device_find(coverage->now, lost->list[i].guid);
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

/* The device is not there: it was looked for, unless the sources list none of its kind. */
static bool was_looked_for(const struct coverage *coverage, uint64_t guid)
{
	const struct device *device =
		coverage->before ? fabric_device_find(coverage->before, guid) : NULL;

	if (coverage->devices || !diff_lists_devices(coverage->now))
		return false;
	return !device || diff_lists_type(coverage->now, device->type);
}

enum cited {
	CITED_NONE,
	CITED_AT_HAND,
	CITED_MISSING,		/* it was at hand before and is not now */
};

/* Which file of the SM's host the finding rests on. */
static enum cited cited_file(const struct coverage *coverage, const struct finding *finding)
{
	const struct config *before = coverage->before->config;
	const struct config *now = coverage->now->config;
	const struct {
		source_ref ref;
		bool at_hand;
	} files[] = {
		{before->opensm_conf, now->opensm_conf != 0},
		{before->policy.present ? before->policy.source : 0, now->policy.present},
		{before->partitions_conf, now->partitions_conf != 0},
		{before->opensm_log, now->opensm_log != 0},
	};

	for (size_t i = 0; finding->source && i < sizeof(files) / sizeof(files[0]); i++) {
		const char *name;
		const char *slash;

		if (files[i].ref == 0 || files[i].ref > coverage->before->source_count)
			continue;
		name = coverage->before->sources[files[i].ref - 1].name;
		slash = strrchr(name, '/');
		if (strstr(finding->source, slash ? slash + 1 : name))
			return files[i].at_hand ? CITED_AT_HAND : CITED_MISSING;
	}
	return CITED_NONE;
}

static int hosts_show(struct coverage *coverage, const struct finding *finding, const char *reads,
		      bool *ret_shown, struct err *err)
{
	struct read_word word;
	bool shown = true;
	int rc = 0;

	while (shown && reads_next(&reads, &word)) {
		if (word.kind != READ_HOST_PORTS && word.kind != READ_HOST_GIDS)
			continue;
		if (!coverage->hosts)
			rc = coverage_hosts_new(coverage->before, coverage->now, &coverage->hosts, err);
		if (rc < 0)
			return rc;
		shown = coverage_hosts_show(coverage->hosts, finding, word.kind == READ_HOST_GIDS);
	}
	*ret_shown = shown;
	return 0;
}

int coverage_shows(struct coverage *coverage, const struct finding *finding, const char *reads,
		   bool *ret_shown, struct err *err)
{
	static const char *const place_keys[] = {"places", "ports", "devices", "switches", NULL};
	static const char *const way_keys[] = {"switch", "switches", NULL};
	enum cited cited;
	const char *places;
	int rc;

	*ret_shown = true;
	if (!coverage->now)
		return 0;
	if (!reads)
		reads = "";
	rc = hosts_show(coverage, finding, reads, ret_shown, err);
	if (rc < 0 || !*ret_shown)
		return rc;
	if (reads != coverage->reads) {
		rc = look_for(coverage, reads, err);
		if (rc < 0)
			return rc;
	}
	places = evidence_of(finding, place_keys);
	cited = coverage->before ? cited_file(coverage, finding) : CITED_NONE;
	/* A line of a file speaks for itself, whatever was read of ports. */
	if (cited == CITED_AT_HAND && finding->node_guid == 0 && !places)
		return 0;
	if (coverage->blind || cited == CITED_MISSING ||
	    (coverage->tables_lost && evidence_of(finding, way_keys)))
		*ret_shown = false;
	else if (finding->node_guid == 0)
		*ret_shown = !places || !places_are_silent(coverage, places);
	else if (!fabric_device_find(coverage->now, finding->node_guid))
		*ret_shown = was_looked_for(coverage, finding->node_guid);
	else if (finding->port >= 0)
		*ret_shown = !is_silent(coverage, finding->node_guid, -1) &&
			     !is_silent(coverage, finding->node_guid, finding->port);
	else	/* A finding on the whole device may rest on any of its ports. */
		*ret_shown = !is_silent_somewhere(coverage, finding->node_guid);
	return 0;
}
