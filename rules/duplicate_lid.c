/*
 * A LID with several owners is one finding, whoever they are and however many: its
 * identity is the LID, so that a third owner, or one that goes, makes no other of it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "rules/analysis/lids.h"
#include "rules/places.h"
#include "rules/rule.h"

/* More runs than this are one finding with a list. */
#define RUNS_APART 16

/* More owners than this are not all named in the message. */
#define OWNERS_NAMED 4

/* A run of LIDs that the same ports own: list[from..end-1] are those beside first[]. */
struct run {
	unsigned first, last;
	size_t from, end;
};

/* The owners of a run; those that are no owners of their own are left out. */
struct run_owners {
	const struct port **ports;	/* by GUID and port number */
	size_t count;
};

static int compare_ports(const void *left, const void *right)
{
	const struct port *a = *(const struct port *const *)left;
	const struct port *b = *(const struct port *const *)right;

	if (a->device->guid != b->device->guid)
		return a->device->guid < b->device->guid ? -1 : 1;
	if (a->device != b->device)
		return a->device->index < b->device->index ? -1 : 1;
	return (a->num > b->num) - (a->num < b->num);
}

/*
 * Planes of one port show one port GUID and one LID on several ports of their
 * device; twins under one GUID are told by duplicate-guid.
 */
static bool is_explained(const struct port *port, const struct port *before)
{
	if (port->device == before->device)
		return port->guid != 0 && port->guid == before->guid;
	return port->device->guid == before->device->guid;
}

/* ret_owners->ports is the caller's to free. 0 or ERR_NOMEM. */
static int owners_of_run(const struct lid_owners *owners, const struct run *run,
			 struct run_owners *ret_owners, struct err *err)
{
	size_t count = 0;

	ret_owners->count = 0;
	ret_owners->ports = calloc(run->end - run->from + 1, sizeof(const struct port *));
	if (!ret_owners->ports)
		return err_no_memory(err);
	ret_owners->ports[count++] = owners->first[run->first];
	for (size_t i = run->from; i < run->end; i++)
		ret_owners->ports[count++] = owners->clashes[i].port;
	qsort(ret_owners->ports, count, sizeof(const struct port *), compare_ports);
	for (size_t i = 0; i < count; i++) {
		const struct port *port = ret_owners->ports[i];
		size_t kept = ret_owners->count;

		if (kept == 0 || !is_explained(port, ret_owners->ports[kept - 1]))
			ret_owners->ports[ret_owners->count++] = port;
	}
	return 0;
}

static size_t end_of_lid(const struct lid_owners *owners, size_t from)
{
	size_t end = from;

	while (end < owners->clash_count && owners->clashes[end].lid == owners->clashes[from].lid)
		end++;
	return end;
}

static bool run_has(const struct lid_owners *owners, const struct run *run, const struct port *port)
{
	bool has = owners->first[run->first] == port;

	for (size_t i = run->from; !has && i < run->end; i++)
		has = owners->clashes[i].port == port;
	return has;
}

/* True when the clashes from `at` on are those of the LID behind the run, with its owners. */
static bool goes_on(const struct lid_owners *owners, const struct run *run, size_t at)
{
	size_t count = run->end - run->from;

	if (at == owners->clash_count || owners->clashes[at].lid != run->last + 1 ||
	    !run_has(owners, run, owners->first[run->last + 1]) ||
	    end_of_lid(owners, at) - at != count)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!run_has(owners, run, owners->clashes[at + i].port))
			return false;
	}
	return true;
}

/* The run that begins at this clash; returns the clash behind it, 0 when there is none. */
static size_t next_run(const struct lid_owners *owners, size_t from, struct run *ret_run)
{
	size_t at;

	if (from == owners->clash_count)
		return 0;
	at = end_of_lid(owners, from);
	*ret_run = (struct run){.first = owners->clashes[from].lid,
				.last = owners->clashes[from].lid, .from = from, .end = at};
	while (goes_on(owners, ret_run, at)) {
		ret_run->last++;
		at = end_of_lid(owners, at);
	}
	return at;
}

static void add_owner(struct places *places, const struct port *port)
{
	char label[DEVICE_LABEL_SIZE + 16];

	port_label(port, true, label, sizeof(label));
	if (port->info.port_state == FIELD_UNKNOWN || port_is_base_port0(port))
		places_add(places, "%s", label);
	else
		places_add(places, "%s (%s)", label, port_state_name(port->info.port_state));
}

/* "both A and B", "3 ports: A, B and C", "9 ports, A and B among them". */
static void print_owners(const struct run_owners *held, char *out, size_t size)
{
	char label[DEVICE_LABEL_SIZE + 16];
	char other[DEVICE_LABEL_SIZE + 16];
	size_t used;

	port_label(held->ports[0], false, label, sizeof(label));
	port_label(held->ports[1], false, other, sizeof(other));
	if (held->count == 2) {
		snprintf(out, size, "both %s and %s", label, other);
		return;
	}
	if (held->count > OWNERS_NAMED) {
		snprintf(out, size, "%zu ports, %s and %s among them", held->count, label, other);
		return;
	}
	used = (size_t)snprintf(out, size, "%zu ports: %s", held->count, label);
	for (size_t i = 1; i < held->count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s",
					 i + 1 < held->count ? ", " : " and ",
					 port_label(held->ports[i], false, label, sizeof(label)));
}

static int tell(const struct fabric *fabric, const struct run *run, const struct run_owners *held,
		struct rule_output *out, struct err *err)
{
	const struct port *last = held->ports[held->count - 1];
	char who[(OWNERS_NAMED + 1) * (DEVICE_LABEL_SIZE + 16)];
	struct places places = {0};
	struct finding *finding;
	char lids[32];
	char id[32];

	print_owners(held, who, sizeof(who));
	snprintf(id, sizeof(id), "lid=%u", run->first);
	if (run->first == run->last)
		snprintf(lids, sizeof(lids), "LID %u", run->first);
	else
		snprintf(lids, sizeof(lids), "LIDs %u to %u", run->first, run->last);
	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, id, "%s %s to %s", lids,
			       run->first == run->last ? "belongs" : "belong", who);
	if (!finding || !finding_text(&finding->subject, "%s", lids) ||
	    !finding_source(finding, fabric, last->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	if (run->first == run->last ? !finding_evidence(finding, "lid", "%u", run->first)
				    : !finding_evidence(finding, "lids", "%u-%u", run->first,
							run->last))
		return err_no_memory(err);
	for (size_t i = 0; i < held->count; i++)
		add_owner(&places, held->ports[i]);
	return places_evidence(&places, finding, "ports") ? 0 : err_no_memory(err);
}

static int tell_many(struct rule_output *out, size_t count, struct places *lids, struct err *err)
{
	struct finding *finding;

	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "lid=*",
			       "LIDs have more than one owner at %zu places", count);
	return finding && places_evidence(lids, finding, "lids") ? 0 : err_no_memory(err);
}

/* Calls for each run with more than one owner: counts and lists them, or tells each. */
static int walk(const struct rule_input *in, const struct lid_owners *owners, size_t *ret_count,
		struct places *lids, struct rule_output *out, struct err *err)
{
	struct run run;
	int rc = 0;

	for (size_t at = next_run(owners, 0, &run); rc == 0 && at > 0;
	     at = next_run(owners, at, &run)) {
		struct run_owners held = {0};
		char first[DEVICE_LABEL_SIZE + 16];
		char second[DEVICE_LABEL_SIZE + 16];

		rc = owners_of_run(owners, &run, &held, err);
		if (rc == 0 && held.count > 1 && out)
			rc = tell(in->fabric, &run, &held, out, err);
		if (rc == 0 && held.count > 1 && lids) {
			*ret_count += 1;
			places_add(lids, "%u (%s; %s%s)", run.first,
				   port_label(held.ports[0], false, first, sizeof(first)),
				   port_label(held.ports[1], false, second, sizeof(second)),
				   held.count > 2 ? "; ..." : "");
		}
		free(held.ports);
	}
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct lid_owners *owners = NULL;
	struct places lids = {0};
	size_t count = 0;
	int rc;

	rc = analysis_lids(in->analysis, &owners, err);
	if (rc < 0)
		return rc;
	if (owners->unknown == owners->end_ports)
		return rule_not_checked(out, err, "no LID of any port was read");
	rc = walk(in, owners, &count, &lids, NULL, err);
	if (rc == 0 && count > RUNS_APART)
		rc = tell_many(out, count, &lids, err);
	else if (rc == 0)
		rc = walk(in, owners, &count, NULL, out, err);
	places_clear(&lids);
	return rc;
}

const struct rule rule_duplicate_lid = {
	.id = "duplicate-lid",
	.title = "More than one port holds the same LID",
	.severity = SEVERITY_ERROR,
	.one_subnet = true,
	.why = "Switches forward a LID to one port only: another owner gets none of its traffic, or "
	       "each gets a part, depending on the switch. It comes from two SMs at work, from a LID "
	       "kept over an SM change, or from overlapping LMC ranges.",
	.needs = "LID, LMC and state of the end ports",
	.reads = "lid lmc",
	.remedy = "Make sure that one SM alone is master, then let it sweep (SIGHUP). If both keep the "
		  "LID, take the port down and up that the forwarding tables do not lead to: that "
		  "costs its traffic. Stale lines for these GUIDs in OpenSM's guid2lid file go first.",
	.source = "IBA Volume 1, 14.2.5.6 PortInfo (LID, LMC); OpenSM osm_lid_mgr.c",
	.check = check,
};
