/*
 * One cause is one finding: a switch that has lost most of what it should
 * forward, a Down port that tables still use, and only then LID by LID, where
 * LIDs lost at the same places are told together.
 */
#include "rules/lost_lid.h"

#include <stdio.h>
#include <stdlib.h>

#include "rules/analysis/engines.h"

#define OWNERS_APART 4		/* more owners lost at the same places are one finding */
#define SWITCHES_APART 16	/* more switches lost as a whole are one finding */
#define PORTS_APART 32		/* more Down ports in use are one finding */
#define GROUPS_APART 32		/* groups of LIDs beyond this share one finding */

static enum route_end most_frequent_end(const struct toll *toll)
{
	enum route_end best = ROUTE_NO_ENTRY;

	for (int end = ROUTE_NO_ENTRY; end < ROUTE_END_COUNT; end++) {
		if (toll->by_end[end] > toll->by_end[best])
			best = (enum route_end)end;
	}
	return best;
}

static bool cite_lft(const struct loss *loss, const struct device *device, struct finding *finding)
{
	return finding_source(finding, loss->in->fabric, device->source_of[ATTRIBUTE_LFT], 0);
}

static int tell_whole_switch(struct loss *loss, struct rule_output *out, size_t number,
			     struct err *err)
{
	const struct device *device = loss->switches->list[number];
	struct toll *toll = &loss->tolls[number];
	const char *cause = route_end_name(most_frequent_end(toll));
	size_t duty = loss_switch_duty(loss, number);
	char label[DEVICE_LABEL_SIZE];
	struct finding *finding;

	device_label(device, label, sizeof(label));
	finding = rule_finding(out, SEVERITY_ERROR, device, NULL, "unroutable:switch",
			       "%s forwards to %zu of the %zu LIDs it should reach: %zu are lost "
			       "here, most by %s",
			       label, duty - toll->lost, duty, toll->lost, cause);
	if (!finding || !number_list_evidence(&toll->lids, finding, "lids") ||
	    !finding_evidence(finding, "cause", "%s", cause) ||
	    !finding_evidence(finding, "lost", "%zu", toll->lost) ||
	    !cite_lft(loss, device, finding))
		return err_no_memory(err);
	if (device->sw.linear_fdb_top != FIELD_UNKNOWN &&
	    !finding_evidence(finding, "linear_fdb_top", "%lld",
			      (long long)device->sw.linear_fdb_top))
		return err_no_memory(err);
	return 0;
}

/* No switch knows a way to any LID but its own. */
static bool tables_are_empty(const struct loss *loss)
{
	for (size_t i = 0; i < loss->switches->count; i++) {
		const struct device *device = loss->switches->list[i];

		for (unsigned lid = 1; lid <= loss->owners->last; lid++) {
			const struct port *owner = loss->owners->first[lid];

			if (owner && owner->device != device && lft_known(device, lid) &&
			    device->lft[lid] != 255)
				return false;
		}
	}
	return true;
}

static int tell_whole_switches(struct loss *loss, struct rule_output *out, size_t whole,
			       struct err *err)
{
	bool all = whole == loss->switches->with_lft;
	struct places places = {0};
	struct finding *finding;
	int rc = 0;

	if (all && engines_none_left(loss->in->fabric->config, highest_lmc(loss->owners)))
		return rule_left_out(out, err, "no forwarding table was ever written, since no "
					       "routing engine can work: lmc-with-fat-tree tells "
					       "about that");
	if (whole <= SWITCHES_APART && !(all && whole > 1)) {
		for (size_t i = 0; rc == 0 && i < loss->switches->count; i++) {
			if (loss->tolls[i].whole)
				rc = tell_whole_switch(loss, out, i, err);
		}
		return rc;
	}
	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "unroutable:switch",
			       "%s%zu switches have no way to most of the LIDs they should "
			       "forward%s",
			       all ? "all " : "", whole,
			       all && tables_are_empty(loss)
				       ? ": no routes were ever written, or all were cleared"
				       : "");
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < loss->switches->count; i++) {
		if (loss->tolls[i].whole)
			places_add_device(&places, loss->switches->list[i]);
	}
	if (!places_evidence(&places, finding, "switches"))
		return err_no_memory(err);
	return 0;
}

static const struct dead_port_words {
	enum route_end end;
	const char *id;
	const char *one;
	const char *many;
} dead_port_words[] = {
	{ROUTE_DOWN_PORT, "unroutable:down-port", "is Down", "are Down"},
	{ROUTE_NO_CABLE, "unroutable:no-cable", "has no cable", "have no cable"},
};

static bool is_dead_as(const struct loss *loss, size_t slot, const struct dead_port_words *words)
{
	return loss->down[slot] && loss->down[slot]->end == words->end;
}

/* "leaf-1 port 3", for a port that the sources may not even list. */
static const char *slot_label(const struct loss *loss, size_t slot, char *out, size_t size)
{
	const struct port port = {.device = loss->switches->list[slot / 256],
				  .num = (uint8_t)(slot % 256)};

	return port_label(&port, false, out, size);
}

static int tell_dead_port(struct loss *loss, struct rule_output *out, size_t slot,
			  const struct dead_port_words *words, struct err *err)
{
	const struct device *device = loss->switches->list[slot / 256];
	struct number_list *lids = &loss->down[slot]->lids;
	bool one = lids->count == 1;
	char label[DEVICE_LABEL_SIZE + 16];
	char what[32];
	struct finding *finding;

	slot_label(loss, slot, label, sizeof(label));
	if (one)
		snprintf(what, sizeof(what), "LID %u", lids->first);
	else
		snprintf(what, sizeof(what), "%zu LIDs", lids->count);
	finding = rule_finding(out, SEVERITY_ERROR, device, NULL, words->id,
			       "%s %s and the forwarding table still sends %s to it", label,
			       words->one, what);
	if (!finding || !finding_text(&finding->subject, "%s", label))
		return err_no_memory(err);
	finding->port = (int)(slot % 256);
	if (!number_list_evidence(lids, finding, one ? "lid" : "lids") ||
	    !finding_evidence(finding, "entry", "%zu", slot % 256) ||
	    !cite_lft(loss, device, finding))
		return err_no_memory(err);
	return 0;
}

static int tell_dead_ports(struct loss *loss, struct rule_output *out,
			   const struct dead_port_words *words, struct err *err)
{
	size_t slots = loss->switches->count * 256;
	struct places places = {0};
	struct finding *finding;
	size_t count = 0;
	int rc = 0;

	for (size_t i = 0; i < slots; i++)
		count += is_dead_as(loss, i, words);
	for (size_t i = 0; rc == 0 && count <= PORTS_APART && i < slots; i++) {
		if (is_dead_as(loss, i, words))
			rc = tell_dead_port(loss, out, i, words, err);
	}
	if (count <= PORTS_APART)
		return rc;
	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, words->id,
			       "%zu ports %s and forwarding tables still send LIDs to them", count,
			       words->many);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < slots; i++) {
		char label[DEVICE_LABEL_SIZE + 16];

		if (is_dead_as(loss, i, words))
			places_add(&places, "%s", slot_label(loss, i, label, sizeof(label)));
	}
	if (!places_evidence(&places, finding, "ports"))
		return err_no_memory(err);
	return 0;
}

/* "leaf-1 port 3 -> spine-1 port 1 -> leaf-1", for a LID whose way runs in a circle there. */
static bool tell_loop(const struct loss *loss, unsigned lid, const struct device *start,
		      struct finding *finding)
{
	const struct device *at = start;
	struct places hops = {0};

	do {
		const struct port *port = device_port(at, at->lft[lid]);

		if (!port || !port->peer)
			break;
		places_add_port(&hops, port);
		at = port->peer->device;
	} while (at != start && hops.count <= loss->switches->count && lft_known(at, lid));
	return places_evidence(&hops, finding, "loop");
}

static bool add_places(const struct loss *loss, const struct lost *lost, struct finding *finding)
{
	struct places places = {0};

	for (size_t i = 0; i < lost->count; i++) {
		const struct place *place = &loss->places[lost->place + i];
		const struct device *device = loss->switches->list[place->at];
		char label[DEVICE_LABEL_SIZE];

		device_label(device, label, sizeof(label));
		if (place->end == ROUTE_BEYOND_PORTS || place->end == ROUTE_WRONG_DEVICE ||
		    place->end == ROUTE_LOOP)
			places_add(&places, "%s: %s (entry %u)", label, route_end_name(place->end),
				   (unsigned)place->entry);
		else
			places_add(&places, "%s: %s", label, route_end_name(place->end));
	}
	return places_evidence(&places, finding, lost->count == 1 ? "switch" : "switches");
}

/* Lost LIDs lids[0..count-1] with one owner and the same places. */
static int tell_owner(struct loss *loss, struct rule_output *out, const struct lost *lids,
		      size_t count, struct err *err)
{
	const struct place *place = &loss->places[lids[0].place];
	const struct device *device = loss->switches->list[place->at];
	size_t with_hosts = loss->switches->with_hosts;
	char owner[DEVICE_LABEL_SIZE + 16];
	char where[DEVICE_LABEL_SIZE];
	char more[48] = "";
	char span[32];
	char id[48];
	struct number_list numbers = {0};
	struct finding *finding;

	port_label(lids[0].owner, false, owner, sizeof(owner));
	device_label(device, where, sizeof(where));
	if (count == 1)
		snprintf(span, sizeof(span), "LID %u", lids[0].lid);
	else
		snprintf(span, sizeof(span), "LIDs %u to %u", lids[0].lid, lids[count - 1].lid);
	if (lids[0].count > 1)
		snprintf(more, sizeof(more), " and at %zu more %s", lids[0].count - 1,
			 text_plural(lids[0].count - 1, "switch", "switches"));
	snprintf(id, sizeof(id), "unroutable:lid=%u", lids[0].lid);
	finding = rule_finding(out, SEVERITY_ERROR, NULL, lids[0].owner, id,
			       "%s of %s %s lost at %s%s: %s", span, owner,
			       count == 1 ? "is" : "are", where, more, route_end_name(place->end));
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		number_list_add(&numbers, lids[i].lid);
	if (!number_list_evidence(&numbers, finding, count == 1 ? "lid" : "lids") ||
	    !add_places(loss, &lids[0], finding) || !cite_lft(loss, device, finding))
		return err_no_memory(err);
	if (place->end == ROUTE_LOOP && !tell_loop(loss, lids[0].lid, device, finding))
		return err_no_memory(err);
	if (with_hosts > 0 &&
	    !finding_evidence(finding, "cut_off", "hosts on %u of %zu switches with hosts",
			      lids[0].cut_off, with_hosts))
		return err_no_memory(err);
	return 0;
}

/* Many owners whose LIDs are lost at the same places. */
static int tell_together(struct loss *loss, struct rule_output *out, const struct lost *lids,
			 size_t count, struct err *err)
{
	const struct place *place = &loss->places[lids[0].place];
	const struct device *device = loss->switches->list[place->at];
	struct number_list numbers = {0};
	char where[DEVICE_LABEL_SIZE];
	struct finding *finding;

	device_label(device, where, sizeof(where));
	if (lids[0].count == 1) {
		finding = rule_finding(out, SEVERITY_ERROR, device, NULL, "unroutable:lid=*",
				       "%zu LIDs are lost at %s: %s", count, where,
				       route_end_name(place->end));
	} else {
		finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "unroutable:lid=*",
				       "%zu LIDs are lost at the same %zu switches, first at %s: "
				       "%s",
				       count, lids[0].count, where, route_end_name(place->end));
	}
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		number_list_add(&numbers, lids[i].lid);
	if (!number_list_evidence(&numbers, finding, "lids") ||
	    !add_places(loss, &lids[0], finding) || !cite_lft(loss, device, finding))
		return err_no_memory(err);
	if (place->end == ROUTE_LOOP && !tell_loop(loss, lids[0].lid, device, finding))
		return err_no_memory(err);
	return 0;
}

/* Lids of one signature: by owner when these are few, together otherwise. */
static int tell_group(struct loss *loss, struct rule_output *out, const struct lost *lids,
		      size_t count, struct err *err)
{
	size_t owners = 1;
	int rc = 0;

	for (size_t i = 1; i < count; i++)
		owners += lids[i].owner != lids[i - 1].owner;
	if (owners > OWNERS_APART)
		return tell_together(loss, out, lids, count, err);
	for (size_t i = 0; rc == 0 && i < count;) {
		size_t end = i + 1;

		while (end < count && lids[end].owner == lids[i].owner)
			end++;
		rc = tell_owner(loss, out, lids + i, end - i, err);
		i = end;
	}
	return rc;
}

static int compare_lost(const void *a, const void *b)
{
	const struct lost *left = a;
	const struct lost *right = b;

	if (left->signature != right->signature)
		return left->signature < right->signature ? -1 : 1;
	return (left->lid > right->lid) - (left->lid < right->lid);
}

struct group {
	size_t first;
	size_t count;
	unsigned lid;
};

static int compare_groups(const void *a, const void *b)
{
	const struct group *left = a;
	const struct group *right = b;

	return (left->lid > right->lid) - (left->lid < right->lid);
}

static int tell_rest(struct loss *loss, struct rule_output *out, const struct group *groups,
		     size_t count, struct err *err)
{
	struct places lids = {0};
	struct finding *finding;
	size_t lost = 0;

	for (size_t i = 0; i < count; i++) {
		lost += groups[i].count;
		for (size_t j = 0; j < groups[i].count; j++)
			places_add(&lids, "%u", loss->lids[groups[i].first + j].lid);
	}
	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "unroutable:lid=*",
			       "%zu more %s lost, at differing switches", lost,
			       text_plural(lost, "LID is", "LIDs are"));
	if (!finding || !places_evidence(&lids, finding, "lids"))
		return err_no_memory(err);
	return 0;
}

static int tell_lids(struct loss *loss, struct rule_output *out, struct err *err)
{
	struct group *groups;
	size_t count = 0;
	int rc = 0;

	if (loss->lid_count == 0)
		return 0;
	groups = calloc(loss->lid_count, sizeof(*groups));
	if (!groups)
		return err_no_memory(err);
	qsort(loss->lids, loss->lid_count, sizeof(*loss->lids), compare_lost);
	for (size_t i = 0; i < loss->lid_count; i++) {
		if (i == 0 || loss->lids[i].signature != loss->lids[i - 1].signature)
			groups[count++] = (struct group){i, 0, loss->lids[i].lid};
		groups[count - 1].count++;
	}
	qsort(groups, count, sizeof(*groups), compare_groups);
	for (size_t i = 0; rc == 0 && i < count && i < GROUPS_APART; i++)
		rc = tell_group(loss, out, loss->lids + groups[i].first, groups[i].count, err);
	if (rc == 0 && count > GROUPS_APART)
		rc = tell_rest(loss, out, groups + GROUPS_APART, count - GROUPS_APART, err);
	free(groups);
	return rc;
}

int lost_lid_tell_routes(struct loss *loss, struct rule_output *out, size_t whole,
			 struct err *err)
{
	int rc = 0;

	if (whole > 0)
		rc = tell_whole_switches(loss, out, whole, err);
	for (size_t i = 0; rc == 0 && i < sizeof(dead_port_words) / sizeof(dead_port_words[0]); i++)
		rc = tell_dead_ports(loss, out, &dead_port_words[i], err);
	if (rc == 0)
		rc = tell_lids(loss, out, err);
	return rc;
}
