#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/refusals.h"
#include "rules/collection_files.h"
#include "rules/places.h"
#include "rules/rule.h"

/*
 * Holes are told cause by cause. A refusal or nonsense is one cause wherever the
 * same is missing for the same reason; silence is one cause for the devices that
 * went silent, and one for all ports behind which nothing answered at all, since
 * one dead switch is behind many.
 */
static size_t device_order(const struct device *device)
{
	return device ? device->index + 1 : 0;
}

static int compare_numbers(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* What identifies the one who did not answer: the device, or the last port before it. */
static int compare_places(const struct hole *left, const struct hole *right)
{
	int order = compare_numbers(device_order(left->device), device_order(right->device));

	if (order != 0 || left->device)
		return order;
	order = compare_numbers(left->behind ? device_order(left->behind->device) : 0,
				right->behind ? device_order(right->behind->device) : 0);
	if (order != 0 || !left->behind || !right->behind)
		return order;
	return compare_numbers(left->behind->num, right->behind->num);
}

/* By reason, status, place, attribute, port. */
static int compare_holes(const void *a, const void *b)
{
	const struct hole *left = *(const struct hole *const *)a;
	const struct hole *right = *(const struct hole *const *)b;
	int order = compare_numbers(left->reason, right->reason);

	if (order == 0)
		order = compare_numbers((size_t)left->status, (size_t)right->status);
	if (order == 0)
		order = compare_places(left, right);
	if (order == 0)
		order = compare_numbers(left->attribute, right->attribute);
	return order ? order : compare_numbers((size_t)left->port + 1, (size_t)right->port + 1);
}

/* Whether the run that took the snapshot had an M_Key; which one is a secret. */
static bool had_m_key(const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->fact_count; i++) {
		const struct fact *fact = &fabric->facts[i];

		if (!fact->device && strcmp(fact->section, "run") == 0 &&
		    strcmp(fact->key, "M_Key") == 0)
			return true;
	}
	return false;
}

static const char *remedy_of(const struct fabric *fabric, const struct hole *hole)
{
	switch (hole->reason) {
	case HOLE_PROTECTED:
		if (had_m_key(fabric))
			return "No M_Key that was given is accepted there: give the one that these "
			       "devices have, with --m-key or a guid2mkey file, and collect again. The "
			       "SM's host knows them: opensm.conf m_key, or OpenSM's guid2mkey.";
		return "Give the M_Key with --m-key or a guid2mkey file and collect again. Reading "
		       "with it changes nothing on the fabric.";
	case HOLE_LIMIT:
		return "Raise the limit that is named here, or collect the part that is missing by "
		       "itself.";
	case HOLE_INCONSISTENT:
		return "Take the file again, whole: lines of it were lost or come from another one. "
		       "What may be wrong for that was left out, the rest was used.";
	default:
		return NULL;
	}
}

static void place_words(const struct hole *hole, char *out, size_t size)
{
	char label[DEVICE_LABEL_SIZE + 16];

	if (hole->device)
		snprintf(out, size, "%s", device_label(hole->device, label, sizeof(label)));
	else if (hole->behind)
		snprintf(out, size, "The device behind %s",
			 port_label(hole->behind, false, label, sizeof(label)));
	else
		snprintf(out, size, "A device at an unknown place");
}

/* "PortInfo of ports 3-5, LinearForwardingTable"; false: no memory. */
static bool add_attributes(struct finding *finding, const struct hole *const *holes, size_t count)
{
	struct places attributes = {0};

	for (size_t i = 0; i < count;) {
		size_t end = i + 1;

		while (end < count && holes[end]->attribute == holes[i]->attribute)
			end++;
		if (holes[i]->port < 0)
			places_add(&attributes, "%s", attribute_name(holes[i]->attribute));
		else if (holes[i]->port == holes[end - 1]->port)
			places_add(&attributes, "%s of port %d",
				   attribute_name(holes[i]->attribute), holes[i]->port);
		else
			places_add(&attributes, "%s of ports %d to %d",
				   attribute_name(holes[i]->attribute), holes[i]->port,
				   holes[end - 1]->port);
		i = end;
	}
	return places_evidence(&attributes, finding, "missing");
}

static bool add_details(struct finding *finding, const struct fabric *fabric,
			const struct hole *hole)
{
	char text[DEVICE_LABEL_SIZE + 512];

	const char *remedy = remedy_of(fabric, hole);

	if (remedy && !finding_text(&finding->remedy, "%s", remedy))
		return false;
	if (!finding_evidence(finding, "reason", "%s", hole_reason_name(hole->reason)))
		return false;
	if (hole->behind && !finding_evidence(finding, "behind", "%s",
					      port_label(hole->behind, true, text, sizeof(text))))
		return false;
	if (hole->text) {
		text_escape(hole->text, strlen(hole->text), text, sizeof(text));
		if (!finding_evidence(finding, "detail", "%s", text))
			return false;
	}
	return finding_source(finding, fabric, hole->source, 0);
}

/* Holes of one place, reason and status. */
struct silence {
	const struct hole *const *holes;
	size_t count;
	uint64_t attributes;	/* bit per enum attribute */
	size_t order;
};

/* True when the same must be missing for the cause to be the same. */
static bool goes_by_attributes(const struct silence *silence)
{
	enum hole_reason reason = silence->holes[0]->reason;

	return silence->holes[0]->device && reason != HOLE_TIMEOUT && reason != HOLE_PROTECTED &&
	       reason != HOLE_NOT_REACHED;
}

/* What counts as one cause beside reason and status; 0: places that no device is known at. */
static uint64_t cause_of(const struct silence *silence)
{
	if (!silence->holes[0]->device)
		return 0;
	return goes_by_attributes(silence) ? silence->attributes : UINT64_MAX;
}

static int compare_causes(const void *a, const void *b)
{
	const struct silence *left = a;
	const struct silence *right = b;
	int order = compare_numbers(left->holes[0]->reason, right->holes[0]->reason);

	if (order == 0)
		order = compare_numbers((size_t)left->holes[0]->status,
					(size_t)right->holes[0]->status);
	if (order == 0)
		order = compare_numbers(cause_of(left), cause_of(right));
	return order ? order : compare_numbers(left->order, right->order);
}

static bool is_one_cause(const struct silence *a, const struct silence *b)
{
	return a->holes[0]->reason == b->holes[0]->reason &&
	       a->holes[0]->status == b->holes[0]->status && cause_of(a) == cause_of(b);
}

/* "status=0x001c:VLArbitrationTable", "timeout", "timeout:behind". */
static void cause_id(const struct silence *silence, char *out, size_t size)
{
	const struct hole *hole = silence->holes[0];
	int used = snprintf(out, size, "%s", hole_reason_name(hole->reason));
	char mark = ':';

	if (hole->reason == HOLE_STATUS)
		used = snprintf(out, size, "status=0x%04x", (unsigned)hole->status & 0x7fff);
	if (goes_by_attributes(silence)) {
		for (int bit = 0; bit < ATTRIBUTE_COUNT; bit++) {
			if (!(silence->attributes >> bit & 1) || used < 0 || (size_t)used >= size)
				continue;
			used += snprintf(out + used, size - (size_t)used, "%c%s", mark,
					 attribute_name((enum attribute)bit));
			mark = '+';
		}
	} else if (!hole->device && used > 0) {
		snprintf(out + used, size - (size_t)used, ":behind");
	}
}

static bool has_several(const struct silence *silence)
{
	return silence->attributes & (silence->attributes - 1);
}

/*
 * True when the hole's own text says what is not known: which cable a device has,
 * whether it is one device, why it was not asked.
 */
static bool speaks_for_itself(const struct hole *hole)
{
	return hole->text && (hole->reason == HOLE_UNDECIDED ||
			      (hole->device && hole->reason == HOLE_NOT_REACHED));
}

#define MISSING_SIZE 640

/* " did not answer: PortInfo is missing"; the words of the first hole, and whether there are more. */
static void missing_words(const struct hole *hole, bool several, char *out, size_t size)
{
	char reason[HOLE_WORDS_SIZE];
	char text[512];

	if (speaks_for_itself(hole)) {
		text_escape(hole->text, strlen(hole->text), text, sizeof(text));
		snprintf(out, size, ": %s", text);
	} else {
		snprintf(out, size, " %s: %s%s missing", hole_words(hole, reason),
			 attribute_name(hole->attribute), several ? " and more are" : " is");
	}
}

static int tell_place(const struct fabric *fabric, const struct silence *silence, const char *id,
		      struct rule_output *out, struct err *err)
{
	const struct hole *hole = silence->holes[0];
	char place[DEVICE_LABEL_SIZE + 64];
	char words[MISSING_SIZE];
	struct finding *finding;

	place_words(hole, place, sizeof(place));
	missing_words(hole, has_several(silence), words, sizeof(words));
	finding = rule_finding(out, SEVERITY_WARNING, hole->device,
			       hole->device ? NULL : hole->behind, id, "%s%s", place, words);
	if (!finding || !add_attributes(finding, silence->holes, silence->count) ||
	    !add_details(finding, fabric, hole))
		return err_no_memory(err);
	return 0;
}

static void count_words(const struct silence *silence, size_t count, char *out, size_t size)
{
	const struct hole *hole = silence->holes[0];

	if (hole->device)
		snprintf(out, size, "Each of %zu devices", count);
	else if (hole->behind)
		snprintf(out, size, "What lies behind each of %zu ports", count);
	else
		snprintf(out, size, "Each of %zu devices at unknown places", count);
}

static int tell_many(const struct fabric *fabric, const struct silence *list, size_t count,
		     const char *id, struct rule_output *out, struct err *err)
{
	const struct hole *first = list[0].holes[0];
	uint64_t attributes = 0;
	struct places places = {0};
	struct finding *finding;
	char what[64];
	char place[DEVICE_LABEL_SIZE + 64];
	char words[MISSING_SIZE];

	for (size_t i = 0; i < count; i++)
		attributes |= list[i].attributes;
	missing_words(first, attributes & (attributes - 1), words, sizeof(words));
	if (speaks_for_itself(first)) {
		place_words(first, place, sizeof(place));
		finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, id,
				       "%s%s; the like at %zu more %s", place, words, count - 1,
				       text_plural(count - 1, "place", "places"));
	} else {
		count_words(list, count, what, sizeof(what));
		finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, id, "%s%s", what, words);
	}
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		const struct hole *hole = list[i].holes[0];

		if (speaks_for_itself(hole)) {
			place_words(hole, place, sizeof(place));
			missing_words(hole, false, words, sizeof(words));
			places_add(&places, "%s%s", place, words);
		} else if (!hole->device && hole->behind) {
			places_add_port(&places, hole->behind);
		} else if (goes_by_attributes(&list[i])) {
			places_add_device(&places, hole->device);
		} else {
			place_words(hole, place, sizeof(place));
			places_add(&places, "%s: %s%s", place, attribute_name(hole->attribute),
				   has_several(&list[i]) ? " and more" : "");
		}
	}
	if (!places_evidence(&places, finding, "places") || !add_details(finding, fabric, first))
		return err_no_memory(err);
	return 0;
}

/* Sorted holes put together by place; returns how many. */
static size_t gather(const struct hole *const *holes, size_t count, struct silence *ret_list)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		struct silence *last = used ? &ret_list[used - 1] : NULL;

		if (!last || last->holes[0]->reason != holes[i]->reason ||
		    last->holes[0]->status != holes[i]->status ||
		    compare_places(last->holes[0], holes[i]) != 0) {
			last = &ret_list[used];
			*last = (struct silence){.holes = holes + i, .order = used};
			used++;
		}
		last->count++;
		last->attributes |= UINT64_C(1) << holes[i]->attribute;
	}
	return used;
}

static int tell_causes(const struct fabric *fabric, const struct hole *const *holes, size_t count,
		       struct rule_output *out, struct err *err)
{
	struct silence *list = calloc(count + 1, sizeof(*list));
	size_t not_reached = 0;
	int rc = 0;

	if (!list)
		return err_no_memory(err);
	count = gather(holes, count, list);
	if (count > 0)
		qsort(list, count, sizeof(*list), compare_causes);
	for (size_t i = 0; rc == 0 && i < count;) {
		size_t end = i + 1;
		char id[512];

		while (end < count && is_one_cause(&list[i], &list[end]))
			end++;
		cause_id(&list[i], id, sizeof(id));
		/* What lies behind a silent one is told with that one. */
		if (list[i].holes[0]->reason == HOLE_NOT_REACHED &&
		    (list[0].holes[0]->reason != HOLE_NOT_REACHED ||
		     list[count - 1].holes[0]->reason != HOLE_NOT_REACHED)) {
			for (size_t j = i; j < end; j++)
				not_reached += list[j].count;
		} else if (end - i == 1)
			rc = tell_place(fabric, &list[i], id, out, err);
		else
			rc = tell_many(fabric, list + i, end - i, id, out, err);
		i = end;
	}
	if (rc == 0 && not_reached > 0)
		rc = rule_left_out(out, err, "%zu more %s behind what did not answer", not_reached,
				   text_plural(not_reached, "thing lies", "things lie"));
	free(list);
	return rc;
}

/* What a device does not support is no loss. */
static int check_holes(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	const struct hole **holes = calloc(fabric->hole_count + 1, sizeof(struct hole *));
	size_t count = 0;
	int rc;

	if (!holes)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (fabric->holes[i].reason != HOLE_UNSUPPORTED && !collection_is_of_file(&fabric->holes[i]))
			holes[count++] = &fabric->holes[i];
	}
	if (count > 0)
		qsort(holes, count, sizeof(struct hole *), compare_holes);
	rc = tell_causes(fabric, holes, count, out, err);
	free(holes);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct fabric *fabric = in->fabric;
	int rc;

	if (fabric->source_count == 0 && fabric->device_count == 0)
		return rule_not_checked(out, err, "the snapshot names no source");
	rc = check_holes(fabric, out, err);
	if (rc == 0)
		rc = collection_files_check(fabric, out, err);
	if (rc == 0 && fabric->partial && out->verdict->finding_count == 0 &&
	    !rule_finding(out, SEVERITY_WARNING, NULL, NULL, "partial",
			  "The snapshot is marked as partial without saying what is missing"))
		rc = err_no_memory(err);
	return rc;
}

const struct rule rule_collection_incomplete = {
	.id = "collection-incomplete",
	.title = "Something that was asked for is missing",
	.severity = SEVERITY_WARNING,
	.why = "What did not answer was not judged: a fault there goes unseen, and routes, links and "
	       "LIDs beside it are judged without it. A device that does not answer its SM is on its "
	       "way out of the fabric, too.",
	.needs = "the holes that the collector or an importer met",
	.reads = "holes",
	.remedy = "Look at the device named here: is its host up, its link stable, its firmware alive? "
		  "Then collect again; that costs nothing. A device that answers nobody needs a "
		  "restart, which takes its links down.",
	.source = "IBA Volume 1, 13.4.7 MAD status and 14.2.4 M_Key check",
	.check = check,
};
