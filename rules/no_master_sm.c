#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/analysis/guids.h"
#include "rules/analysis/lids.h"
#include "rules/analysis/refusals.h"
#include "rules/analysis/sm_view.h"
#include "rules/no_master_sm.h"
#include "rules/places.h"
#include "rules/rule.h"
#include "rules/unread.h"

static void add_sm(struct places *places, const struct sm *sm)
{
	char label[DEVICE_LABEL_SIZE + 16];
	char priority[48] = "";

	if (sm->port)
		port_label(sm->port, true, label, sizeof(label));
	else if (sm->port_guid)
		guid_format(sm->port_guid, label);
	else
		snprintf(label, sizeof(label), "an unknown port");
	if (sm->priority != FIELD_UNKNOWN)
		snprintf(priority, sizeof(priority), ", priority %" PRId64, sm->priority);
	places_add(places, "%s (%s%s)", label, sm_state_name(sm->state), priority);
}

static bool add_sms(struct finding *finding, const struct fabric *fabric,
		    const struct sm_view *view)
{
	struct places places = {0};

	for (size_t i = 0; i < fabric->sm_count; i++) {
		if (!view->repeated[i])
			add_sm(&places, &fabric->sms[i]);
	}
	return places_evidence(&places, finding, "sms");
}

/* A duplicated GUID that is seen keeps OpenSM from ever ending a sweep. */
static int guid_clash_holds_sm(const struct rule_input *in, bool *ret_holds, struct err *err)
{
	const struct guid_clashes *clashes = NULL;
	int rc = analysis_guids(in->analysis, &clashes, err);

	*ret_holds = false;
	for (size_t i = 0; rc == 0 && i < clashes->count; i++)
		*ret_holds |= guid_clash_is_seen(&clashes->list[i]) && !clashes->list[i].is_port_guid;
	return rc;
}

static int tell_none(const struct rule_input *in, const struct sm_view *view,
		     struct rule_output *out, struct err *err)
{
	enum severity severity = SEVERITY_ERROR;
	const char *because = "";
	struct finding *finding;
	bool held = false;
	int rc;

	rc = guid_clash_holds_sm(in, &held, err);
	if (rc < 0)
		return rc;
	if (held && in->fabric->sm_count > 0) {
		severity = SEVERITY_INFO;
		because = "; a GUID with two owners keeps it from finishing (duplicate-guid)";
	}
	if (view->unmanaged)
		finding = rule_finding(out, severity, NULL, NULL, "none",
				       "No SM has configured this fabric: no port has a LID and "
				       "%zu %s in Init%s", view->init_links,
				       text_plural(view->init_links, "port with a cable waits",
						   "ports with a cable wait"),
				       because);
	else if (in->fabric->sm_count > 0)
		finding = rule_finding(out, severity, NULL, NULL, "none",
				       "No SM is master: %zu answered, none in state MASTER%s",
				       view->distinct, because);
	else
		finding = rule_finding(out, severity, NULL, NULL, "none",
				       "No SM answers: ports keep the LIDs and routes that the last "
				       "one left, and nothing new is configured");
	if (!finding || !finding_evidence(finding, "init_ports", "%zu", view->init_links) ||
	    !finding_evidence(finding, "active_ports", "%zu", view->active_links) ||
	    (in->fabric->sm_count > 0 && !add_sms(finding, in->fabric, view)))
		return err_no_memory(err);
	return 0;
}

static int tell_several(const struct fabric *fabric, const struct sm_view *view,
			struct rule_output *out, struct err *err)
{
	struct finding *finding =
		rule_finding(out, SEVERITY_ERROR, NULL, NULL, "several",
			     "%zu SMs are master of this fabric at the same time", view->masters);

	if (!finding || !add_sms(finding, fabric, view) ||
	    !finding_text(&finding->remedy,
			  "Find out which one is meant, and stop the others or give them the same "
			  "sm_key and a lower sm_priority: that moves no link, but LIDs and routes "
			  "may be written anew when the one that stays sweeps."))
		return err_no_memory(err);
	return 0;
}

static int tell_no_standby(const struct fabric *fabric, const struct sm_view *view,
			   struct rule_output *out, struct err *err)
{
	struct finding *finding =
		rule_finding(out, SEVERITY_INFO, NULL, NULL, "no-standby",
			     "There is one SM only: nobody takes over when it stops");

	if (!finding || !add_sms(finding, fabric, view) ||
	    !finding_text(&finding->remedy,
			  "Start a second SM on another host with a lower sm_priority and the same "
			  "configuration: it waits in STANDBY and costs nothing."))
		return err_no_memory(err);
	return 0;
}

/* Ports that name another SM than the master: leftovers of a master before. */
static int check_sm_lids(const struct rule_input *in, const struct sm *master,
			 struct rule_output *out, struct err *err)
{
	struct places places = {0};
	struct finding *finding;
	size_t count = 0;

	if (!master->port || !lid_is_unicast(master->port->info.lid))
		return 0;
	for (size_t i = 0; i < in->fabric->device_count; i++) {
		const struct device *device = in->fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port_owes_lid(port) || !lid_is_unicast(port->info.lid) ||
			    !lid_is_unicast(port->info.sm_lid) ||
			    port_owns_lid(master->port, (unsigned)port->info.sm_lid))
				continue;
			count++;
			places_add_port(&places, port);
		}
	}
	if (count == 0)
		return 0;
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "stale-sm-lid",
			       "%zu %s another SM than the master", count,
			       text_plural(count, "port still names", "ports still name"));
	if (!finding || !places_evidence(&places, finding, "ports") ||
	    !finding_evidence(finding, "master_lid", "%" PRId64, master->port->info.lid) ||
	    !finding_text(&finding->remedy,
			  "Start no other SM: a master runs. Let it sweep (SIGHUP to its OpenSM), which "
			  "writes this field anew and moves no link. If the port then still names "
			  "another, look in OpenSM's log for a PortInfo that the port refuses (an "
			  "M_Key), and for a second SM that writes it."))
		return err_no_memory(err);
	return 0;
}

/* What the ports say: which SMs they name. */
struct sm_lids {
	int64_t first;		/* FIELD_UNKNOWN: none */
	int64_t other;		/* a second one, FIELD_UNKNOWN: none */
	const struct port *names_other;
};

static struct sm_lids find_sm_lids(const struct fabric *fabric)
{
	struct sm_lids lids = {FIELD_UNKNOWN, FIELD_UNKNOWN, NULL};

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port_owes_lid(port) || !lid_is_unicast(port->info.lid) ||
			    !lid_is_unicast(port->info.sm_lid))
				continue;
			if (lids.first == FIELD_UNKNOWN)
				lids.first = port->info.sm_lid;
			else if (port->info.sm_lid != lids.first && lids.other == FIELD_UNKNOWN) {
				lids.other = port->info.sm_lid;
				lids.names_other = port;
			}
		}
	}
	return lids;
}

/* Where an SM may be that was not seen: the first hole of SMInfo, or of PortInfo, which tells of it. */
static const struct hole *find_hole(const struct fabric *fabric, enum attribute attribute)
{
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (unread_is_hole_of(&fabric->holes[i], attribute))
			return &fabric->holes[i];
	}
	return NULL;
}

/*
 * What may hide an SM, in words: one that announces itself and did not give its
 * SMInfo, devices that gave no PortInfo, devices that were not reached. "" when
 * everybody was asked and answered. Returns out.
 */
static const char *hidden_sms(const struct fabric *fabric, char out[UNREAD_SIZE])
{
	static const enum attribute telling[] = {ATTRIBUTE_SM_INFO, ATTRIBUTE_PORT_INFO};
	char words[HOLE_WORDS_SIZE];
	char label[DEVICE_LABEL_SIZE];

	for (size_t i = 0; i < sizeof(telling) / sizeof(telling[0]); i++) {
		const struct hole *hole = find_hole(fabric, telling[i]);

		if (!hole)
			continue;
		if (hole->reason == HOLE_ODD) {
			snprintf(out, UNREAD_SIZE, "%s was not understood in %s",
				 attribute_name(telling[i]), hole->text ? hole->text : "some lines");
			return out;
		}
		if (hole->device)
			device_label(hole->device, label, sizeof(label));
		snprintf(out, UNREAD_SIZE, "the %s of %s is missing (%s)", attribute_name(telling[i]),
			 hole->device ? label : "a device", hole_words(hole, words));
		return out;
	}
	return unread_devices(fabric, out);
}

/*
 * True when the port that all others name as their SM was read, and no port that
 * announces an SM kept its SMInfo back: then nobody unseen is master.
 */
static bool master_is_surely_none(const struct rule_input *in, const struct sm_view *view,
				  const struct lid_owners *owners)
{
	struct sm_lids lids = find_sm_lids(in->fabric);

	if (find_hole(in->fabric, ATTRIBUTE_SM_INFO))
		return false;
	if (view->unmanaged)
		return true;
	return lids.first != FIELD_UNKNOWN && lids.other == FIELD_UNKNOWN &&
	       owners->first[lids.first] &&
	       port_capability(owners->first[lids.first], CAPABILITY_IS_SM) != -1;
}

static int check_master(const struct rule_input *in, const struct sm_view *view,
			struct rule_output *out, struct err *err)
{
	char hidden[UNREAD_SIZE];
	int rc = check_sm_lids(in, view->master, out, err);

	if (rc < 0 || !view->asked)
		return rc;
	if (*hidden_sms(in->fabric, hidden))
		return rule_left_out(out, err, "whether there is another SM is not known: %s", hidden);
	if (view->unknown > 0)
		return rule_left_out(out, err, "the state of %zu more %s is not known", view->unknown,
				     text_plural(view->unknown, "SM", "SMs"));
	return view->standbys > 0 ? 0 : tell_no_standby(in->fabric, view, out, err);
}

/* A port that announces an SM of which no SMInfo is there; NULL: none. */
static const struct port *unheard_sm(const struct fabric *fabric)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];
			size_t at = 0;

			if (!port || !port_is_end_port(port) ||
			    port_capability(port, CAPABILITY_IS_SM) != 1)
				continue;
			while (at < fabric->sm_count && fabric->sms[at].port != port)
				at++;
			if (at == fabric->sm_count)
				return port;
		}
	}
	return NULL;
}

/*
 * The only one that kept silent, if that is the port which all others name as
 * their SM and which does not announce one: an SM that is gone looks like that,
 * and so does one that lives and was not heard. NULL: it is not like that.
 */
static const struct port *silent_named_port(const struct fabric *fabric, const struct sm_view *view,
					    const struct lid_owners *owners)
{
	struct sm_lids lids = find_sm_lids(fabric);
	const struct port *port;

	if (view->distinct > 0 || lids.first == FIELD_UNKNOWN || lids.other != FIELD_UNKNOWN)
		return NULL;
	port = owners->first[lids.first];
	if (!port || port_capability(port, CAPABILITY_IS_SM) != 0)
		return NULL;
	for (size_t i = 0; i < fabric->hole_count; i++) {
		const struct hole *hole = &fabric->holes[i];

		if (unread_is_hole_of(hole, ATTRIBUTE_SM_INFO) &&
		    (hole->device != port->device || hole->reason != HOLE_TIMEOUT))
			return NULL;
	}
	return find_hole(fabric, ATTRIBUTE_SM_INFO) ? port : NULL;
}

static int tell_silent(const struct port *port, const char *hidden, struct rule_output *out,
		       struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	struct finding *finding =
		rule_finding(out, SEVERITY_ERROR, NULL, port, "silent",
			     "No SM was heard: %s, which all ports name as their SM, does not announce "
			     "one and kept silent when asked for SMInfo",
			     port_label(port, false, label, sizeof(label)));

	if (!finding || !finding_evidence(finding, "lid", "%" PRId64, port->info.lid) ||
	    !finding_evidence(finding, "capability_mask", "0x%08" PRIx64, port->info.capability_mask) ||
	    !finding_text(&finding->remedy,
			  "See on that host whether OpenSM runs, and start it only if it does not: where "
			  "LIDs are set it keeps them, and no link goes down."))
		return err_no_memory(err);
	return rule_left_out(out, err, "whether there is a master is not known: %s", hidden);
}

static int check_answers(const struct rule_input *in, const struct sm_view *view,
			 const struct lid_owners *owners, struct rule_output *out, struct err *err)
{
	const struct port *silent = silent_named_port(in->fabric, view, owners);
	const struct port *unheard = unheard_sm(in->fabric);
	char label[DEVICE_LABEL_SIZE + 16];
	char hidden[UNREAD_SIZE];

	if (view->masters > 1)
		return tell_several(in->fabric, view, out, err);
	if (view->masters == 1)
		return check_master(in, view, out, err);
	if (view->unknown > 0)
		return rule_not_checked(out, err, "%zu of %zu %s known, but not whether %s master",
					view->unknown, view->distinct,
					text_plural(view->distinct, "SM is", "SMs are"),
					text_plural(view->unknown, "it is", "they are"));
	if (view->asked && *hidden_sms(in->fabric, hidden) && silent)
		return tell_silent(silent, hidden, out, err);
	if (view->asked && *hidden_sms(in->fabric, hidden) && !master_is_surely_none(in, view, owners))
		return rule_not_checked(out, err, "no SM that answered is master, but not all were heard: %s",
					hidden);
	if (view->asked && unheard)
		return rule_not_checked(out, err,
					"no SM that answered is master, but %s announces one whose SMInfo "
					"is not there",
					port_label(unheard, false, label, sizeof(label)));
	if (view->asked)
		return tell_none(in, view, out, err);
	return rule_not_checked(out, err,
				"the sources show some SMs, none of them master, and do not say "
				"that these are all");
}

/* SMInfo was not read: the ports say which SM they obey, and its port whether one runs there. */
static int check_traces(const struct rule_input *in, const struct sm_view *view,
			const struct lid_owners *owners, struct rule_output *out, struct err *err)
{
	struct sm_lids lids = find_sm_lids(in->fabric);
	char label[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;
	const struct port *port;

	if (view->unmanaged)
		return tell_none(in, view, out, err);
	if (lids.first == FIELD_UNKNOWN)
		return rule_not_checked(out, err, "neither SMInfo nor the ports' MasterSMLID was "
						  "read");
	if (lids.other != FIELD_UNKNOWN) {
		finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "several-sm-lids",
				       "Ports name different SMs: LID %" PRId64 " and LID %" PRId64,
				       lids.first, lids.other);
		if (!finding || !finding_evidence(finding, "port", "%s",
						  port_label(lids.names_other, true, label,
							     sizeof(label))) ||
		    !finding_text(&finding->remedy, "Ask both whether they are master (sminfo LID); "
						    "then let the one that is sweep (SIGHUP), which "
						    "moves no link, and stop the other if both are."))
			return err_no_memory(err);
		return 0;
	}
	port = owners->first[lids.first];
	if (!port)
		return rule_not_checked(out, err,
					"SMInfo was not read, and no known port owns LID %" PRId64
					" that the ports name as their SM",
					lids.first);
	if (port_capability(port, CAPABILITY_IS_SM) == -1)
		return rule_not_checked(out, err, "SMInfo was not read, and whether an SM runs on "
						  "the port that the others name is not known");
	if (port_capability(port, CAPABILITY_IS_SM) == 1)
		return rule_left_out(out, err,
				     "SMInfo was not read: one SM is there, since its port says so "
				     "and all others name it; whether others stand by is not known");
	port_label(port, false, label, sizeof(label));
	finding = rule_finding(out, SEVERITY_INFO, NULL, port, "left",
			       "All ports name the SM at LID %" PRId64 ", but %s does not announce "
			       "one: it seems to be gone",
			       lids.first, label);
	if (!finding || !finding_evidence(finding, "lid", "%" PRId64, lids.first) ||
	    !finding_evidence(finding, "capability_mask", "0x%08" PRIx64,
			      port->info.capability_mask))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct sm_view *view = NULL;
	const struct lid_owners *owners = NULL;
	int rc;

	rc = analysis_sm_view(in->analysis, &view, err);
	if (rc == 0)
		rc = analysis_lids(in->analysis, &owners, err);
	if (rc == 0)
		rc = no_master_sm_check_log(in->fabric, out, err);
	if (rc != 0)
		return rc;
	if (owners->end_ports == 0 && in->fabric->sm_count == 0)
		return rule_not_checked(out, err, "no port was read");
	if (in->fabric->sm_count > 0 || view->asked)
		return check_answers(in, view, owners, out, err);
	return check_traces(in, view, owners, out, err);
}

const struct rule rule_no_master_sm = {
	.id = "no-master-sm",
	.title = "The fabric has no master SM, or more than one",
	.severity = SEVERITY_ERROR,
	.one_subnet = true,
	.why = "Without a master nothing gets a LID or a route any more: hosts that boot stay in Init, "
	       "and a cable that fails is not routed around. Two masters write LIDs and routes "
	       "against each other.",
	.needs = "SMInfo of every SM; else MasterSMLID, states and CapabilityMask of the end ports; "
		 "OpenSM's log",
	.reads = "sm neighbor",
	.remedy = "Start OpenSM (or the switch's own SM) and see in its log that it reaches SUBNET UP. "
		  "Starting one where LIDs are set keeps them; no link goes down.",
	.source = "IBA Volume 1, 14.2.5.13 SMInfo and 14.4 subnet manager states; OpenSM "
		  "osm_sm_state_mgr.c, osm_sminfo_rcv.c (ERR 2F18)",
	.check = check,
};
