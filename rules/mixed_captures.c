#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rules/places.h"
#include "rules/subnets.h"

/* Captures of one run of a tool are written within this many seconds. */
#define ONE_RUN 1800

/* Facts that contradict each other are told apart up to this many. */
#define FACTS_APART 16

/* Configuration, logs and name lists need not be of the time of the capture. */
static bool is_of_the_fabric(const struct source *source)
{
	static const char *const others[] = {
		"opensm.conf", "qos-policy.conf", "partitions.conf", "opensm.log",
		"node-name-map", "unknown", "ibdm.topo", "ndt",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcmp(source->format, others[i]) == 0)
			return false;
	}
	return true;
}

static void time_words(int64_t seconds, char *out, size_t size)
{
	time_t when = (time_t)seconds;
	struct tm parts;

	if (!gmtime_r(&when, &parts) || strftime(out, size, "%Y-%m-%d %H:%M:%S UTC", &parts) == 0)
		snprintf(out, size, "%" PRId64, seconds);
}

static void source_words(const struct fabric *fabric, source_ref ref, char *out, size_t size)
{
	if (ref == 0 || ref > fabric->source_count) {
		snprintf(out, size, "an unknown source");
		return;
	}
	text_escape(fabric->sources[ref - 1].name, strlen(fabric->sources[ref - 1].name), out, size);
}

static int check_times(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	int64_t oldest = INT64_MAX;
	int64_t newest = INT64_MIN;
	struct places places = {0};
	struct finding *finding;
	char first[64];
	char last[64];

	for (size_t i = 0; i < fabric->source_count; i++) {
		int64_t time = fabric->sources[i].taken_at;

		if (!is_of_the_fabric(&fabric->sources[i]) || time == FIELD_UNKNOWN)
			continue;
		if (time < oldest)
			oldest = time;
		if (time > newest)
			newest = time;
	}
	if (oldest >= newest || newest - oldest <= ONE_RUN)
		return 0;
	time_words(oldest, first, sizeof(first));
	time_words(newest, last, sizeof(last));
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "times",
			       "The files are of different times, from %s to %s: what they say "
			       "together was never true at once",
			       first, last);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->source_count; i++) {
		const struct source *source = &fabric->sources[i];
		char name[512];

		if (!is_of_the_fabric(source) || source->taken_at == FIELD_UNKNOWN)
			continue;
		source_words(fabric, (source_ref)(i + 1), name, sizeof(name));
		time_words(source->taken_at, first, sizeof(first));
		places_add(&places, "%s (%s)", name, first);
	}
	if (!places_evidence(&places, finding, "files"))
		return err_no_memory(err);
	return 0;
}

static int compare_facts(const void *a, const void *b)
{
	const struct contradiction *left = *(const struct contradiction *const *)a;
	const struct contradiction *right = *(const struct contradiction *const *)b;
	int order = strcmp(left->fact ? left->fact : "", right->fact ? right->fact : "");

	if (order != 0)
		return order;
	return (left > right) - (left < right);
}

static void place_words(const struct contradiction *c, char *out, size_t size)
{
	const struct port *port = c->device && c->port >= 0
					  ? device_port(c->device, (unsigned)c->port)
					  : NULL;

	if (port)
		port_label(port, false, out, size);
	else if (c->device)
		device_label(c->device, out, size);
	else
		snprintf(out, size, "fabric");
}

static void value_words(const char *value, char *out, size_t size)
{
	if (value)
		text_escape(value, strlen(value), out, size);
	else
		snprintf(out, size, "nothing");
}

/* True when the two files are of different times, which explains that they disagree. */
static bool is_of_two_times(const struct fabric *fabric, const struct contradiction *c)
{
	int64_t kept = FIELD_UNKNOWN;
	int64_t other = FIELD_UNKNOWN;

	if (c->kept_source > 0 && c->kept_source <= fabric->source_count)
		kept = fabric->sources[c->kept_source - 1].taken_at;
	if (c->other_source > 0 && c->other_source <= fabric->source_count)
		other = fabric->sources[c->other_source - 1].taken_at;
	return kept != FIELD_UNKNOWN && other != FIELD_UNKNOWN &&
	       (kept > other ? kept - other : other - kept) > ONE_RUN;
}

/* Contradictions of one fact. */
static int tell_fact(const struct fabric *fabric, const struct contradiction *const *list,
		     size_t count, struct rule_output *out, struct err *err)
{
	const struct contradiction *first = list[0];
	bool one_file = first->kept_source == first->other_source;
	enum severity severity = SEVERITY_INFO;
	struct places places = {0};
	struct finding *finding;
	char fact[96];
	char kept[128];
	char other[128];
	char place[DEVICE_LABEL_SIZE + 16];
	char name[512];
	char id[128];

	value_words(first->fact, fact, sizeof(fact));
	value_words(first->kept, kept, sizeof(kept));
	value_words(first->other, other, sizeof(other));
	place_words(first, place, sizeof(place));
	snprintf(id, sizeof(id), "contradiction:%s", fact);
	for (size_t i = 0; i < count; i++) {
		if (!is_of_two_times(fabric, list[i]))
			severity = SEVERITY_WARNING;
	}
	if (count == 1)
		finding = rule_finding(out, severity, NULL, NULL, id,
				       "%s on %s of %s: %s is used, %s is not",
				       one_file ? "A file contradicts itself" : "The files disagree",
				       fact, place, kept, other);
	else
		finding = rule_finding(out, severity, NULL, NULL, id,
				       "%s on %s at %zu places, first at %s: %s is used, %s is not",
				       one_file ? "A file contradicts itself" : "The files disagree",
				       fact, count, place, kept, other);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		place_words(list[i], place, sizeof(place));
		value_words(list[i]->kept, kept, sizeof(kept));
		value_words(list[i]->other, other, sizeof(other));
		places_add(&places, "%s: %s, not %s", place, kept, other);
	}
	if (!places_evidence(&places, finding, "places"))
		return err_no_memory(err);
	source_words(fabric, first->kept_source, name, sizeof(name));
	if (!finding_evidence(finding, "used", "%s", name))
		return err_no_memory(err);
	source_words(fabric, first->other_source, name, sizeof(name));
	if (!finding_evidence(finding, "not_used", "%s", name) ||
	    !finding_source(finding, fabric, first->other_source, 0))
		return err_no_memory(err);
	return 0;
}

static int check_contradictions(const struct fabric *fabric, struct rule_output *out,
				struct err *err)
{
	size_t count = fabric->contradiction_count;
	const struct contradiction **list = calloc(count + 1, sizeof(struct contradiction *));
	size_t facts = 0;
	size_t told = 0;
	int rc = 0;

	if (!list)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		list[i] = &fabric->contradictions[i];
	qsort(list, count, sizeof(struct contradiction *), compare_facts);
	for (size_t i = 0; rc == 0 && i < count && facts < FACTS_APART; facts++) {
		size_t end = i + 1;

		while (end < count && strcmp(list[end]->fact ? list[end]->fact : "",
					     list[i]->fact ? list[i]->fact : "") == 0)
			end++;
		rc = tell_fact(fabric, list + i, end - i, out, err);
		told = i = end;
	}
	if (rc == 0 && told < count)
		rc = rule_left_out(out, err, "%zu more contradictions, on further facts",
				   count - told);
	free(list);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	int rc;

	if (in->fabric->source_count < 2 && in->fabric->contradiction_count == 0)
		return rule_not_applicable(out, err, "the snapshot has one source");
	if (subnets_count(in->fabric) > 1)
		return subnets_tell(in->fabric, out, err);
	rc = check_times(in->fabric, out, err);
	return rc < 0 ? rc : check_contradictions(in->fabric, out, err);
}

const struct rule rule_mixed_captures = {
	.id = "mixed-captures",
	.title = "The captures do not fit together",
	.severity = SEVERITY_WARNING,
	.why = "Files of two runs or of two subnets in one directory describe a fabric that never was: a "
	       "verdict on them can blame a cable that was mended long ago, or a LID that belongs to "
	       "another subnet.",
	.needs = "two sources or more, the times they name, and the switches and ports they share",
	.remedy = "Capture all of it in one run, into an empty directory; or import the files of each run "
		  "as a snapshot of its own and compare them.",
	.source = "the files' own time stamps and values",
	.check = check,
};
