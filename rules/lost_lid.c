#include "rules/lost_lid.h"

#include <stdio.h>
#include <stdlib.h>

#include "rules/analysis/lids.h"
#include "rules/analysis/refusals.h"
#include "rules/analysis/sm_view.h"
#include "rules/analysis/switches.h"
#include "rules/places.h"
#include "rules/unread.h"
#include "store/array.h"
#include "store/text.h"

/* More ports than this with one cause are one finding with a list. */
#define PORTS_APART 16

enum cause {
	CAUSE_UNASSIGNED,
	CAUSE_GONE,
	CAUSE_TAKEN,
	CAUSE_COUNT
};

static const char *const cause_names[CAUSE_COUNT] = {
	[CAUSE_UNASSIGNED] = "unassigned",
	[CAUSE_GONE] = "gone",
	[CAUSE_TAKEN] = "taken:*",
};

/* A port that should have a LID and has none. */
struct bare_port {
	const struct port *port;
	enum cause cause;
	unsigned lid_before;		/* 0: not known */
	const struct port *taker;	/* who has that LID now */
};

struct bare_ports {
	struct bare_port *list;
	size_t count;
	size_t room;
	size_t waiting;		/* left out: no SM is there to give them one */
	size_t twins;		/* left out: their GUID has two owners */
};

/* The LID that this port had in the baseline, 0 when it had none or cannot be told. */
static unsigned lid_in_baseline(const struct rule_input *in, const struct port *port)
{
	const struct device *device;
	const struct port *before;

	if (!in->baseline || port->device->guid == 0)
		return 0;
	device = fabric_device_find(in->baseline, port->device->guid);
	if (!device || device->same_guid)
		return 0;
	before = device_port(device, port->num);
	if (!before || !port_owes_lid(before) || !lid_is_unicast(before->info.lid))
		return 0;
	return (unsigned)before->info.lid;
}

static bool device_has_twin(const struct fabric *fabric, const struct device *device)
{
	return device->same_guid || fabric_device_find(fabric, device->guid) != device;
}

/*
 * Active CA and router ports owe a LID by themselves; the others only where an
 * SM is at work: a port in Init, or port 0, which knows no better state.
 */
static bool owes_lid_now(const struct port *port, bool managed)
{
	return managed || (port->num != 0 && port_is_active(port));
}

static int look_at_port(const struct rule_input *in, const struct port *port, bool managed,
			const struct lid_owners *owners, struct bare_ports *bare, struct err *err)
{
	struct bare_port found = {.port = port, .cause = CAUSE_UNASSIGNED};
	struct bare_port *grown;

	if (!port_owes_lid(port) || (port->info.lid != 0 && port->info.lid != LID_PERMISSIVE))
		return 0;
	if (device_has_twin(in->fabric, port->device)) {
		bare->twins++;
		return 0;
	}
	if (!owes_lid_now(port, managed)) {
		bare->waiting++;
		return 0;
	}
	found.lid_before = lid_in_baseline(in, port);
	if (found.lid_before) {
		found.taker = owners->first[found.lid_before];
		found.cause = found.taker ? CAUSE_TAKEN : CAUSE_GONE;
	}
	grown = array_grow(bare->list, bare->count, &bare->room, sizeof(*grown));
	if (!grown)
		return err_no_memory(err);
	bare->list = grown;
	bare->list[bare->count++] = found;
	return 0;
}

static bool tell_state(struct finding *finding, const struct rule_input *in,
		       const struct bare_port *bare)
{
	const struct port *port = bare->port;
	char label[DEVICE_LABEL_SIZE + 16];
	bool done = finding_evidence(finding, "lid", "%lld", (long long)port->info.lid);

	if (done && bare->lid_before)
		done = finding_evidence(finding, "lid_before", "%u", bare->lid_before);
	if (done && bare->taker)
		done = finding_evidence(finding, "owner_now", "%s",
					port_label(bare->taker, true, label, sizeof(label)));
	if (done && port->info.port_state != FIELD_UNKNOWN && !port_is_base_port0(port))
		done = finding_evidence(finding, "state", "%s",
					port_state_name(port->info.port_state));
	if (done && port->peer)
		done = finding_evidence(finding, "neighbor", "%s",
					port_label(port->peer, false, label, sizeof(label)));
	return done && finding_source(finding, in->fabric,
				      port->source_of[ATTRIBUTE_PORT_INFO], 0);
}

static int tell_one(const struct rule_input *in, struct rule_output *out,
		    const struct bare_port *bare, struct err *err)
{
	const struct port *port = bare->port;
	const char *none = port->info.lid == 0 ? "LID 0" : "LID 65535 (never assigned)";
	char label[DEVICE_LABEL_SIZE + 16];
	char taker[DEVICE_LABEL_SIZE + 16];
	char cause[32];
	struct finding *finding = NULL;

	port_label(port, false, label, sizeof(label));
	switch (bare->cause) {
	case CAUSE_UNASSIGNED:
		finding = rule_finding(out, SEVERITY_ERROR, NULL, port, "unassigned",
				       "%s has %s: nothing can be sent to it", label, none);
		break;
	case CAUSE_GONE:
		finding = rule_finding(out, SEVERITY_ERROR, NULL, port, "gone",
				       "%s had LID %u in the baseline and has %s now", label,
				       bare->lid_before, none);
		break;
	case CAUSE_TAKEN:
		snprintf(cause, sizeof(cause), "taken:lid=%u", bare->lid_before);
		port_label(bare->taker, false, taker, sizeof(taker));
		finding = rule_finding(out, SEVERITY_ERROR, NULL, port, cause,
				       "LID %u of %s belongs to %s now, and %s is left with %s",
				       bare->lid_before, label, taker, label, none);
		break;
	case CAUSE_COUNT:
		break;
	}
	if (!finding || !tell_state(finding, in, bare))
		return err_no_memory(err);
	return 0;
}

static int tell_many(struct rule_output *out, const struct bare_ports *bare, enum cause cause,
		     size_t count, struct err *err)
{
	struct places places = {0};
	struct finding *finding;

	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, cause_names[cause],
			       "%zu ports that need a LID have none%s", count,
			       cause == CAUSE_UNASSIGNED ? ""
			       : cause == CAUSE_GONE	 ? ", though they had one in the baseline"
							 : ", and others have those they had in the "
							   "baseline");
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < bare->count; i++) {
		if (bare->list[i].cause == cause)
			places_add_port(&places, bare->list[i].port);
	}
	if (!places_evidence(&places, finding, "ports"))
		return err_no_memory(err);
	return 0;
}

static int tell_all(const struct rule_input *in, struct rule_output *out,
		    const struct bare_ports *bare, struct err *err)
{
	size_t count[CAUSE_COUNT] = {0};
	int rc = 0;

	for (size_t i = 0; i < bare->count; i++)
		count[bare->list[i].cause]++;
	for (size_t i = 0; rc == 0 && i < CAUSE_COUNT; i++) {
		if (count[i] > PORTS_APART)
			rc = tell_many(out, bare, (enum cause)i, count[i], err);
	}
	for (size_t i = 0; rc == 0 && i < bare->count; i++) {
		if (count[bare->list[i].cause] <= PORTS_APART)
			rc = tell_one(in, out, &bare->list[i], err);
	}
	return rc;
}

static int check_ports(const struct rule_input *in, struct rule_output *out,
		       const struct sm_view *view, const struct lid_owners *owners,
		       struct err *err)
{
	bool managed = view->master || !view->asked;
	struct bare_ports bare = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < in->fabric->device_count; i++) {
		const struct device *device = in->fabric->devices[i];

		for (size_t num = 0; rc == 0 && num < device->port_slots; num++) {
			if (device->ports[num])
				rc = look_at_port(in, device->ports[num], managed, owners, &bare,
						  err);
		}
	}
	if (rc == 0)
		rc = tell_all(in, out, &bare, err);
	if (rc == 0 && bare.waiting > 0)
		rc = rule_left_out(out, err,
				   "%zu %s for an SM (no-master-sm)", bare.waiting,
				   text_plural(bare.waiting, "port has no LID yet and waits",
					       "ports have no LID yet and wait"));
	if (rc == 0 && bare.twins > 0)
		rc = rule_left_out(out, err,
				   "%zu %s whose GUID has two owners (duplicate-guid)", bare.twins,
				   text_plural(bare.twins, "port without a LID belongs to a device",
					       "ports without a LID belong to devices"));
	free(bare.list);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct sm_view *view = NULL;
	const struct lid_owners *owners = NULL;
	const struct switches *switches = NULL;
	char missing[UNREAD_SIZE];
	char why[REFUSALS_SIZE];
	int rc;

	rc = analysis_sm_view(in->analysis, &view, err);
	if (rc == 0)
		rc = analysis_lids(in->analysis, &owners, err);
	if (rc == 0)
		rc = analysis_switches(in->analysis, &switches, err);
	if (rc != 0)
		return rc;
	if (owners->unknown == owners->end_ports)
		return rule_not_checked(out, err, "no LID of any port was read");
	/* That nobody has a LID now does not mend what was lost before. */
	if (view->unmanaged && in->baseline)
		return rule_not_checked(out, err,
					"no SM gives this fabric any LID now: no-master-sm tells about "
					"that");
	if (view->unmanaged)
		return rule_not_applicable(out, err,
					   "no SM has given this fabric any LID: no-master-sm "
					   "tells about that");
	rc = check_ports(in, out, view, owners, err);
	if (rc == 0 && switches->count == 0 && *unread_devices(in->fabric, missing))
		return rule_not_checked(out, err, "no switch was read: %s", missing);
	if (rc < 0 || switches->count == 0)
		return rc;
	if (switches->with_lft == 0)
		return rule_not_checked(out, err,
					"the forwarding tables were not captured, so whether each "
					"LID can be reached is not known%s",
					refusals_why(in->fabric, ATTRIBUTE_LFT, "", why));
	if (switches->with_lft < switches->count) {
		refusals_text(in->fabric, ATTRIBUTE_LFT, why);
		rc = rule_left_out(out, err, "%zu of %zu switches gave no forwarding table%s%s",
				   switches->count - switches->with_lft, switches->count,
				   why[0] ? ": " : "", why);
	}
	return rc < 0 ? rc : lost_lid_check_routes(in, out, err);
}

const struct rule rule_lost_lid = {
	.id = "lost-lid",
	.title = "A LID that traffic needs is missing or leads nowhere",
	.severity = SEVERITY_ERROR,
	.one_subnet = true,
	.why = "A port without a LID cannot be addressed at all. A LID that a forwarding table "
	       "drops, or sends to a Down port, in circles or to another device, is lost for "
	       "everybody whose way passes that switch: jobs hang with transport retries while "
	       "every link looks healthy.",
	.needs = "LID and state of the end ports; the switches' linear forwarding tables and the "
		 "cabling for routes; a baseline for LIDs that went or were taken",
	.reads = "lid lft neighbor",
	.remedy = "Make the SM sweep again (SIGHUP to OpenSM: no link goes down, routes are "
		  "rewritten while traffic runs). If the loss stays, read opensm.log for the device "
		  "named here; restarting the SM or resetting that one port costs only its traffic.",
	.source = "IBA Volume 1, 14.2.5.6 PortInfo (LID) and 14.2.5.10 LinearForwardingTable; "
		  "OpenSM osm_lid_mgr.c, osm_ucast_mgr.c",
	.check = check,
};
