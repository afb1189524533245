#include <stdio.h>

#include "rules/analysis/lids.h"
#include "rules/places.h"
#include "rules/rule.h"

/* More pairs than this are one finding with a list. */
#define PAIRS_APART 16

/*
 * Planes of one port show one port GUID and one LID on several ports of their
 * device; twins under one GUID are told by duplicate-guid.
 */
static bool is_explained(const struct port *a, const struct port *b)
{
	if (a->device == b->device)
		return a->guid != 0 && a->guid == b->guid;
	return a->device->guid == b->device->guid;
}

/* A run of LIDs that the same two ports own. */
struct run {
	unsigned first, last;
	const struct port *a, *b;
};

static bool by_guid(const struct port *a, const struct port *b)
{
	if (a->device->guid != b->device->guid)
		return a->device->guid < b->device->guid;
	return a->num < b->num;
}

static bool add_owner(struct finding *finding, const char *key, const struct port *port)
{
	char label[DEVICE_LABEL_SIZE + 16];

	port_label(port, true, label, sizeof(label));
	if (port->info.port_state == FIELD_UNKNOWN || port_is_base_port0(port))
		return finding_evidence(finding, key, "%s", label);
	return finding_evidence(finding, key, "%s, %s", label,
				port_state_name(port->info.port_state));
}

static int tell(const struct fabric *fabric, const struct run *run, struct rule_output *out,
		struct err *err)
{
	const struct port *a = by_guid(run->a, run->b) ? run->a : run->b;
	const struct port *b = a == run->a ? run->b : run->a;
	char first[DEVICE_LABEL_SIZE + 16];
	char second[DEVICE_LABEL_SIZE + 16];
	char guid[GUID_TEXT_SIZE];
	struct finding *finding;
	char lids[32];
	char id[64];

	port_label(a, false, first, sizeof(first));
	port_label(b, false, second, sizeof(second));
	snprintf(id, sizeof(id), "lid=%u,with=%s:%u", run->first,
		 guid_format(b->device->guid, guid), (unsigned)b->num);
	if (run->first == run->last)
		snprintf(lids, sizeof(lids), "LID %u belongs", run->first);
	else
		snprintf(lids, sizeof(lids), "LIDs %u to %u belong", run->first, run->last);
	finding = rule_finding(out, SEVERITY_ERROR, NULL, a, id, "%s to both %s and %s", lids, first,
			       second);
	if (!finding || !add_owner(finding, "owner_1", a) || !add_owner(finding, "owner_2", b) ||
	    !finding_source(finding, fabric, b->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	if (run->first == run->last ? !finding_evidence(finding, "lid", "%u", run->first)
				    : !finding_evidence(finding, "lids", "%u-%u", run->first,
							run->last))
		return err_no_memory(err);
	return 0;
}

/* Calls for each run; the clashes come by LID, so those of one pair are looked for ahead. */
static size_t next_run(const struct lid_owners *owners, size_t from, struct run *ret_run)
{
	for (size_t i = from; i < owners->clash_count; i++) {
		const struct lid_clash *clash = &owners->clashes[i];
		const struct port *first = owners->first[clash->lid];
		unsigned last = clash->lid;

		if (is_explained(first, clash->port))
			continue;
		/* Both ranges are whole: the run began at an earlier LID unless this is its first. */
		if (clash->lid > 0 && owners->first[clash->lid - 1] == first &&
		    port_owns_lid(clash->port, clash->lid - 1))
			continue;
		while (last < LID_UNICAST_LAST && owners->first[last + 1] == first &&
		       port_owns_lid(clash->port, last + 1))
			last++;
		*ret_run = (struct run){clash->lid, last, first, clash->port};
		return i + 1;
	}
	return 0;
}

static int tell_many(const struct lid_owners *owners, size_t count, struct rule_output *out,
		     struct err *err)
{
	struct places places = {0};
	struct finding *finding;
	struct run run;

	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "lid=*",
			       "%zu pairs of ports share LIDs", count);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = next_run(owners, 0, &run); i > 0; i = next_run(owners, i, &run)) {
		char first[DEVICE_LABEL_SIZE + 16];
		char second[DEVICE_LABEL_SIZE + 16];

		places_add(&places, "%u (%s; %s)", run.first,
			   port_label(run.a, false, first, sizeof(first)),
			   port_label(run.b, false, second, sizeof(second)));
	}
	if (!places_evidence(&places, finding, "lids"))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct lid_owners *owners = NULL;
	size_t count = 0;
	struct run run;
	int rc;

	rc = analysis_lids(in->analysis, &owners, err);
	if (rc < 0)
		return rc;
	if (owners->unknown == owners->end_ports)
		return rule_not_checked(out, err, "no LID of any port was read");
	for (size_t i = next_run(owners, 0, &run); i > 0; i = next_run(owners, i, &run))
		count++;
	if (count > PAIRS_APART)
		return tell_many(owners, count, out, err);
	for (size_t i = next_run(owners, 0, &run); rc == 0 && i > 0; i = next_run(owners, i, &run))
		rc = tell(in->fabric, &run, out, err);
	if (rc == 0 && owners->unknown > 0)
		rc = rule_left_out(out, err, "the LID of %zu of %zu end ports was not read",
				   owners->unknown, owners->end_ports);
	return rc;
}

const struct rule rule_duplicate_lid = {
	.id = "duplicate-lid",
	.title = "Two ports hold one LID",
	.severity = SEVERITY_ERROR,
	.why = "Switches forward a LID to one port only: the other owner gets none of its traffic, or "
	       "each gets a part, depending on the switch. It comes from two SMs at work, from a LID "
	       "kept over an SM change, or from overlapping LMC ranges.",
	.needs = "LID, LMC and state of the end ports",
	.remedy = "Make sure that one SM alone is master, then let it sweep (SIGHUP). If both keep the "
		  "LID, take the port down and up that the forwarding tables do not lead to: that "
		  "costs its traffic. Stale lines for these GUIDs in OpenSM's guid2lid file go first.",
	.source = "IBA Volume 1, 14.2.5.6 PortInfo (LID, LMC); OpenSM osm_lid_mgr.c",
	.check = check,
};
