#include "rules/places.h"
#include "rules/port_list.h"
#include "rules/rule.h"

static int tell(void *context, const struct port *port, struct rule_output *out, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	char other[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;

	port_label(port, false, label, sizeof(label));
	port_label(port->peer, false, other, sizeof(other));
	if (port->peer == port)
		finding = rule_finding(out, SEVERITY_WARNING, NULL, port, "loops",
				       "%s is cabled to itself", label);
	else
		finding = rule_finding(out, SEVERITY_WARNING, NULL, port, "loops",
				       "%s is cabled to %s, another port of the same device", label,
				       other);
	if (!finding || !finding_evidence(finding, "port_1", "%s", label) ||
	    !finding_evidence(finding, "port_2", "%s", other) ||
	    !finding_source(finding, context, port->source_of[ATTRIBUTE_NEIGHBOR], 0))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct port_list ports = {0};
	size_t cables = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < in->fabric->device_count; i++) {
		const struct device *device = in->fabric->devices[i];

		for (size_t num = 1; rc == 0 && num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port_is_first_end(port))
				continue;
			cables++;
			if (port->peer->device == device)
				rc = port_list_add(&ports, port, err);
		}
	}
	if (rc == 0 && cables == 0)
		rc = rule_not_checked(out, err, "no cable was seen");
	if (rc == 0)
		rc = port_list_tell(&ports, SEVERITY_WARNING, "loops",
				    "cables lead back to the device they come from", tell,
				    (void *)in->fabric, out, err);
	port_list_clear(&ports);
	return rc;
}

const struct rule rule_looped_cable = {
	.id = "looped-cable",
	.title = "A cable leads back to the device it comes from",
	.severity = SEVERITY_WARNING,
	.why = "Both ends train and look healthy, but the cable carries nothing and two ports are "
	       "lost. It is what a cable in the wrong socket looks like, and some SMs take it for "
	       "a duplicated GUID.",
	.needs = "the cabling",
	.reads = "neighbor",
	.remedy = "Compare with the cabling plan and move one end, or take the cable out. No other link "
		  "is touched.",
	.source = "OpenSM osm_node_info_rcv.c (link from a port to itself)",
	.check = check,
};
