#include <inttypes.h>

#include "rules/analysis/lids.h"
#include "rules/places.h"
#include "rules/port_list.h"
#include "rules/rule.h"

static bool is_misaligned(const struct port *port)
{
	return port_owes_lid(port) && lid_is_unicast(port->info.lid) &&
	       port->info.lid % port_lid_span(port) != 0;
}

static int tell(void *context, const struct port *port, struct rule_output *out, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;

	finding = rule_finding(out, SEVERITY_ERROR, NULL, port, "misaligned",
			       "LID %" PRId64 " of %s is no multiple of %u, as LMC %" PRId64 " wants",
			       port->info.lid, port_label(port, false, label, sizeof(label)),
			       port_lid_span(port), port->info.lmc);
	if (!finding || !finding_evidence(finding, "lid", "%" PRId64, port->info.lid) ||
	    !finding_evidence(finding, "lmc", "%" PRId64, port->info.lmc) ||
	    !finding_source(finding, context, port->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct port_list ports = {0};
	size_t known = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < in->fabric->device_count; i++) {
		const struct device *device = in->fabric->devices[i];

		for (size_t num = 0; rc == 0 && num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port_is_end_port(port))
				continue;
			known += port->info.lid != FIELD_UNKNOWN &&
				 port->info.lmc != FIELD_UNKNOWN;
			if (is_misaligned(port))
				rc = port_list_add(&ports, port, err);
		}
	}
	if (rc == 0 && known == 0)
		rc = rule_not_checked(out, err, "no port was read with both LID and LMC");
	if (rc == 0)
		rc = port_list_tell(&ports, SEVERITY_ERROR, "misaligned",
				    "ports have a LID that is no multiple of 2^LMC", tell,
				    (void *)in->fabric, out, err);
	port_list_clear(&ports);
	return rc;
}

const struct rule rule_lid_misaligned = {
	.id = "lid-misaligned",
	.title = "A port's base LID does not fit its LMC",
	.severity = SEVERITY_ERROR,
	.why = "A port with LMC n ignores the last n bits of a LID: with a base LID that is no multiple "
	       "of 2^n it answers to LIDs that belong to others and not to some of its own.",
	.needs = "LID and LMC of the end ports",
	.reads = "lid lmc",
	.remedy = "Remove lines with the wrong alignment from OpenSM's guid2lid file and restart it, or "
		  "let it sweep again: the port gets another LID and its connections end.",
	.source = "IBA Volume 1, 4.1.3 local identifiers; OpenSM osm_lid_mgr.c (ERR 0313)",
	.check = check,
};
