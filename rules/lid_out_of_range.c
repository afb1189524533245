#include <inttypes.h>

#include "rules/analysis/lids.h"
#include "rules/places.h"
#include "rules/port_list.h"
#include "rules/rule.h"

/* 0 and 0xFFFF mean "none assigned": lost-lid tells of those. */
static bool is_out_of_range(const struct port *port)
{
	int64_t lid = port->info.lid;

	if (lid == FIELD_UNKNOWN || lid == 0 || lid == LID_PERMISSIVE || !port_owes_lid(port))
		return false;
	return !lid_is_unicast(lid) || lid + port_lid_span(port) - 1 > LID_UNICAST_LAST;
}

static int tell(void *context, const struct port *port, struct rule_output *out, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;

	port_label(port, false, label, sizeof(label));
	if (lid_is_unicast(port->info.lid))
		finding = rule_finding(out, SEVERITY_ERROR, NULL, port, "range",
				       "The %u LIDs of %s from %" PRId64
				       " on reach past the last unicast LID, 49151",
				       port_lid_span(port), label, port->info.lid);
	else
		finding = rule_finding(out, SEVERITY_ERROR, NULL, port, "range",
				       "LID %" PRId64 " of %s is no unicast LID (1 to 49151)",
				       port->info.lid, label);
	if (!finding || !finding_evidence(finding, "lid", "%" PRId64, port->info.lid) ||
	    !finding_source(finding, context, port->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct lid_owners *owners = NULL;
	struct port_list ports = {0};
	int rc;

	rc = analysis_lids(in->analysis, &owners, err);
	if (rc < 0)
		return rc;
	if (owners->unknown == owners->end_ports)
		return rule_not_checked(out, err, "no LID of any port was read");
	for (size_t i = 0; rc == 0 && i < in->fabric->device_count; i++) {
		const struct device *device = in->fabric->devices[i];

		for (size_t num = 0; rc == 0 && num < device->port_slots; num++) {
			if (device->ports[num] && is_out_of_range(device->ports[num]))
				rc = port_list_add(&ports, device->ports[num], err);
		}
	}
	if (rc == 0)
		rc = port_list_tell(&ports, SEVERITY_ERROR, "range",
				    "ports have LIDs outside of 1 to 49151", tell,
				    (void *)in->fabric, out, err);
	port_list_clear(&ports);
	return rc;
}

const struct rule rule_lid_out_of_range = {
	.id = "lid-out-of-range",
	.title = "A port has a LID that is no unicast LID",
	.severity = SEVERITY_ERROR,
	.why = "LIDs from 49152 on name multicast groups: no forwarding table leads to a port that "
	       "holds one, and packets to it go to the group or nowhere.",
	.needs = "LID, LMC and state of the end ports",
	.reads = "lid",
	.remedy = "Find out who wrote it: a guid2lid file of OpenSM with wrong numbers, a second SM, or "
		  "damage in the capture. An SM that sweeps again gives the port another LID; its "
		  "connections end with that.",
	.source = "IBA Volume 1, 4.1.3 local identifiers; OpenSM osm_lid_mgr.c (ERR 0312)",
	.check = check,
};
