#include "rules/analysis/engines.h"
#include "rules/analysis/lids.h"
#include "rules/analysis/sm_view.h"
#include "rules/places.h"
#include "rules/port_list.h"
#include "rules/rule.h"

/* The lower of the states of a link's two ends that is known; FIELD_UNKNOWN: neither is. */
static int64_t link_state(const struct port *port)
{
	int64_t state = port->info.port_state;
	int64_t other = port->peer->info.port_state;

	if (state == FIELD_UNKNOWN || (other != FIELD_UNKNOWN && other < state))
		return other;
	return state;
}

struct state_words {
	enum severity severity;
	const char *id;
	const char *is;		/* after "The link ... is up but" */
	const char *are;
};

static const struct state_words init_words = {SEVERITY_ERROR, "init", "was never configured (Init)",
					      "were never configured (Init)"};
static const struct state_words armed_words = {SEVERITY_WARNING, "armed", "not activated (Armed)",
					       "not activated (Armed)"};

static int tell_one(const struct fabric *fabric, const struct port *port,
		    const struct state_words *words, struct rule_output *out, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	char other[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;

	port_label(port, false, label, sizeof(label));
	port_label(port->peer, false, other, sizeof(other));
	finding = rule_finding(out, words->severity, NULL, port, words->id,
			       "The link from %s to %s is up but %s: it carries no traffic", label,
			       other, words->is);
	if (!finding ||
	    !finding_evidence(finding, "state", "%s", port_state_name(port->info.port_state)) ||
	    !finding_evidence(finding, "neighbor", "%s", other) ||
	    !finding_evidence(finding, "neighbor_state", "%s",
			      port_state_name(port->peer->info.port_state)) ||
	    !finding_source(finding, fabric, port->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	return 0;
}

static bool is_end_of_all(const struct device *device, const struct port_list *links)
{
	for (size_t i = 0; i < links->count; i++) {
		if (links->list[i]->device != device && links->list[i]->peer->device != device)
			return false;
	}
	return true;
}

/* Where all the links begin, or NULL. */
static const struct device *common_start(const struct port_list *links)
{
	for (size_t i = 1; i < links->count; i++) {
		if (links->list[i]->device != links->list[0]->device)
			return NULL;
	}
	return links->list[0]->device;
}

/* Links of one state wait for one thing, the SM, so they are one finding. */
static int tell(const struct fabric *fabric, const struct port_list *links,
		const struct state_words *words, struct rule_output *out, struct err *err)
{
	const struct port *first = links->count > 0 ? links->list[0] : NULL;
	char label[DEVICE_LABEL_SIZE + 8] = " of ";
	struct places places = {0};
	struct finding *finding;

	if (links->count < 2)
		return first ? tell_one(fabric, first, words, out, err) : 0;
	if (is_end_of_all(first->device, links))
		device_label(first->device, label + 4, sizeof(label) - 4);
	else if (is_end_of_all(first->peer->device, links))
		device_label(first->peer->device, label + 4, sizeof(label) - 4);
	else
		label[0] = '\0';
	finding = rule_finding(out, words->severity, common_start(links), NULL, words->id,
			       "%zu links%s are up but %s: they carry no traffic", links->count,
			       label, words->are);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < links->count; i++) {
		char from[DEVICE_LABEL_SIZE + 16];
		char to[DEVICE_LABEL_SIZE + 16];

		places_add(&places, "%s to %s",
			   port_label(links->list[i], false, from, sizeof(from)),
			   port_label(links->list[i]->peer, false, to, sizeof(to)));
	}
	if (!places_evidence(&places, finding, "places") ||
	    !finding_source(finding, fabric, first->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	return 0;
}

static bool has_twin(const struct fabric *fabric, const struct device *device)
{
	return device->same_guid || fabric_device_find(fabric, device->guid) != device;
}

/* True for an end port that owes a LID and has none: lost-lid tells of it. */
static bool lacks_lid(const struct port *port)
{
	const struct port *owner = port_lid_owner(port);

	return owner && port_owes_lid(owner) &&
	       (owner->info.lid == 0 || owner->info.lid == LID_PERMISSIVE);
}

static bool is_told_elsewhere(const struct fabric *fabric, const struct port *port)
{
	return has_twin(fabric, port->device) || has_twin(fabric, port->peer->device) ||
	       lacks_lid(port) || lacks_lid(port->peer);
}

static int collect(const struct fabric *fabric, struct port_list *init, struct port_list *armed,
		   size_t *ret_known, size_t *ret_elsewhere, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 1; rc == 0 && num < device->port_slots; num++) {
			const struct port *port = device->ports[num];
			int64_t state;

			if (!port || !port_is_first_end(port))
				continue;
			state = link_state(port);
			*ret_known += state != FIELD_UNKNOWN;
			if (state != 2 && state != 3)
				continue;
			if (is_told_elsewhere(fabric, port))
				(*ret_elsewhere)++;
			else
				rc = port_list_add(state == 2 ? init : armed, port, err);
		}
	}
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct lid_owners *owners = NULL;
	const struct sm_view *view = NULL;
	struct port_list init = {0};
	struct port_list armed = {0};
	size_t elsewhere = 0;
	size_t known = 0;
	int rc;

	rc = analysis_sm_view(in->analysis, &view, err);
	if (rc == 0)
		rc = analysis_lids(in->analysis, &owners, err);
	if (rc == 0)
		rc = collect(in->fabric, &init, &armed, &known, &elsewhere, err);
	if (rc < 0)
		goto out;
	if (known == 0) {
		rc = rule_not_checked(out, err, "no state of a cabled port was read");
		goto out;
	}
	if (view->unmanaged) {
		rc = rule_not_applicable(out, err, "no SM has configured this fabric: no-master-sm "
						   "tells about that");
		goto out;
	}
	if (init.count > 0 && view->active_links == 0 &&
	    engines_none_left(in->fabric->config, highest_lmc(owners))) {
		rc = rule_not_applicable(out, err, "no routing engine can work, so no link is ever "
						   "activated: lmc-with-fat-tree tells about that");
		goto out;
	}
	if (init.count > 0 && view->asked && !view->master)
		rc = rule_left_out(out, err, "%zu %s for an SM (no-master-sm)", init.count,
				   text_plural(init.count, "link in Init waits", "links in Init wait"));
	else
		rc = tell(in->fabric, &init, &init_words, out, err);
	if (rc == 0)
		rc = tell(in->fabric, &armed, &armed_words, out, err);
	if (rc == 0 && elsewhere > 0)
		rc = rule_left_out(out, err,
				   "%zu %s told with an end that has no LID or a GUID with two owners",
				   elsewhere, text_plural(elsewhere, "link is", "links are"));
out:
	port_list_clear(&init);
	port_list_clear(&armed);
	return rc;
}

const struct rule rule_link_not_active = {
	.id = "link-not-active",
	.title = "A link is up but not Active",
	.severity = SEVERITY_ERROR,
	.why = "A link in Init or Armed has trained and carries management packets only: the SM has "
	       "not finished with it. It looks connected, but no data passes.",
	.needs = "PortState of both ends of the cables; SMInfo",
	.reads = "port_state",
	.remedy = "Let the SM sweep again (SIGHUP to OpenSM; no other link is touched) and read its log "
		  "for the port. A link that stays in Init: take it down and up once.",
	.source = "IBA Volume 1, 7.2 link states and 14.2.5.6 PortInfo (PortState)",
	.check = check,
};
