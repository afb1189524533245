/*
 * Arbitration entries with a weight for VL 15 or for a VL above OperVLs. Without
 * qos TRUE the tables are as the firmware left them: named in the verdict only.
 */
#include <stdio.h>
#include <string.h>

#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/rule.h"

static int gather(const struct rule_input *in, struct port_faults *faults, size_t *ret_idle,
		  struct err *err)
{
	bool programmed = qos_state_of(in->fabric->config) == QOS_ON;
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(in->fabric, &walk))) {
		uint16_t served, dead = 0;

		if (!qos_port_counts(port) || (!port->vlarb_high && !port->vlarb_low))
			continue;
		served = qos_vlarb_served(port->vlarb_high, port->vlarb_high_count) |
			 qos_vlarb_served(port->vlarb_low, port->vlarb_low_count);
		if (qos_lanes(port) != FIELD_UNKNOWN)
			dead = served & 0x7fff & (uint16_t)~qos_lanes_mask(qos_lanes(port));
		if (dead && !programmed) {
			*ret_idle += 1;
			dead = 0;
		}
		dead |= served & (1u << VL_DROP);
		if (dead)
			rc = port_faults_add(faults, qos_class_of_port(port), dead, port, err);
	}
	return rc < 0 ? rc : port_faults_sort(faults, err);
}

static int report_group(struct rule_output *out, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	uint16_t vls = (uint16_t)fault->key;
	bool drop = vls >> VL_DROP & 1;
	char message[512], discriminator[96], bits[QOS_BITS_SIZE];
	char named[QOS_SLS_SIZE];
	struct finding *finding;

	qos_bits_text(vls, bits);
	snprintf(discriminator, sizeof(discriminator), "%s:vl=%s", qos_class_word(fault->class), bits);
	snprintf(message, sizeof(message),
		 "the arbitration tables of %zu %s give a weight to %s, %s", ports->count,
		 qos_class_counted(fault->class, ports->count), qos_vls_text(vls, named),
		 drop ? "and VL 15 cannot be arbitrated" : "above those that operate there");
	finding = port_set_finding(ports, out, drop ? SEVERITY_WARNING : SEVERITY_INFO, discriminator,
				   message);
	if (!finding ||
	    !vlarb_evidence(finding, fault->port->vlarb_high, fault->port->vlarb_high_count,
			    fault->port->vlarb_low, fault->port->vlarb_low_count))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct port_faults faults = {0};
	const struct port_fault *fault;
	struct qos_survey survey;
	struct port_set ports;
	size_t cursor = 0, idle = 0;
	int rc;

	qos_survey_take(in->fabric, &survey);
	rc = gather(in, &faults, &idle, err);
	while (rc == 0 && (fault = port_faults_next(&faults, &cursor, &ports)))
		rc = report_group(out, fault, &ports, err);
	if (rc == 0)
		rc = qos_survey_report_vlarb(&survey, NULL, out, err);
	if (rc == 0 && idle > 0)
		rc = rule_left_out(out, err,
				   "%zu %s entries for VLs that do not operate, where nobody is "
				   "known to program the tables", idle,
				   text_plural(idle, "port has", "ports have"));
	port_faults_free(&faults);
	return rc;
}

const struct rule rule_vlarb_dead_vl = {
	.id = "vlarb-dead-vl",
	.title = "An arbitration table gives a weight to a VL that does not operate",
	.severity = SEVERITY_INFO,
	.why = "The port may skip such an entry or lend its turn to any VL, as the device likes: a share "
	       "of the link goes where nobody planned it. Nothing is lost.",
	.needs = "Arbitration tables and OperVLs of Active ports.",
	.reads = "vlarb oper_vls",
	.remedy = "Name only VLs that operate in qos_vlarb_high and qos_vlarb_low. Where switch ports alone "
		  "are concerned the tables may be one heavy sweep behind: a SIGHUP to OpenSM mends that. "
		  "Links stay up.",
	.source = "IBA Volume 1, 7.6.9.2, 14.2.5.9; opensm doc/QoS_management_in_OpenSM.txt, chapter 7",
	.check = check,
};
