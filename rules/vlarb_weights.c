/*
 * Weights too small to mean anything: a turn ends when the weight is used up, but
 * a packet that has begun is sent whole. Judged where OpenSM programs the tables;
 * the tables that firmware ships are nobody's design.
 */
#include <stdio.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/rule.h"

#define WEIGHT_BYTES 64

/* Key of a fault: VLs with small weights, above them what kind of table it is, and the MTU. */
#define UNEQUAL (UINT64_C(1) << 16)
#define PLACEHOLDERS (UINT64_C(1) << 17)

/* VLs whose entries all weigh less than a packet; *ret_unequal: not all weights of the table are alike. */
static uint16_t small_in(const struct vlarb_entry *table, size_t count, int64_t mtu, bool *ret_unequal)
{
	uint16_t small = 0, large = 0;
	int weight = -1;

	for (size_t i = 0; i < count; i++) {
		uint16_t bit = (uint16_t)(1u << (table[i].vl & 15));

		if (table[i].weight == 0)
			continue;
		if (weight >= 0 && weight != table[i].weight)
			*ret_unequal = true;
		weight = table[i].weight;
		if (table[i].weight * WEIGHT_BYTES < mtu)
			small |= bit;
		else
			large |= bit;
	}
	return small & (uint16_t)~large;
}

static int gather(const struct rule_input *in, struct port_faults *faults, struct err *err)
{
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(in->fabric, &walk))) {
		const struct qos_options *set =
			&in->fabric->config->opensm.set[qos_class_of_port(port)];
		int64_t mtu = port->info.neighbor_mtu;
		bool unequal = false;
		uint16_t small;

		if (!qos_port_counts(port) || !port->vlarb_high || !port->vlarb_low || mtu < 256 ||
		    mtu > 4096)
			continue;
		small = small_in(port->vlarb_high, port->vlarb_high_count, mtu, &unequal) |
			small_in(port->vlarb_low, port->vlarb_low_count, mtu, &unequal);
		if (small)
			rc = port_faults_add(faults, QOS_CLASS_DEFAULT,
					     (uint64_t)mtu << 32 | (unequal ? UNEQUAL : 0) |
						     (set->vlarb_high_from < 0 && set->vlarb_low_from < 0 ?
							      PLACEHOLDERS : 0) | small,
					     port, err);
	}
	return rc < 0 ? rc : port_faults_sort(faults, err);
}

static int report_group(struct rule_output *out, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	long long mtu = (long long)(fault->key >> 32);
	bool unequal = (fault->key & UNEQUAL) != 0;
	bool placeholders = (fault->key & PLACEHOLDERS) != 0;
	char message[512], discriminator[96], bits[QOS_BITS_SIZE];
	char words[PORT_SET_WORDS_SIZE], vls[QOS_SLS_SIZE];
	struct finding *finding;

	qos_bits_text((uint16_t)(fault->key & 0xffff), bits);
	qos_vls_text((uint16_t)(fault->key & 0xffff), vls);
	snprintf(discriminator, sizeof(discriminator), "vl=%s:mtu=%lld%s", bits, mtu,
		 placeholders ? ":built-in" : unequal ? ":unequal" : "");
	snprintf(message, sizeof(message),
		 "the arbitration weights of %s on %s are below one packet of %lld bytes (%lld "
		 "units)%s", vls, port_set_words(ports, words), mtu, mtu / WEIGHT_BYTES,
		 placeholders ? ": OpenSM's built-in placeholders" :
		 unequal ? ": every turn sends one packet, whatever the weights say" : "");
	finding = port_set_finding(ports, out,
				   !placeholders && unequal ? SEVERITY_WARNING : SEVERITY_INFO,
				   discriminator, message);
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
	size_t cursor = 0;
	int rc;

	switch (qos_state_of(in->fabric->config)) {
	case QOS_UNKNOWN:
		return rule_not_checked(out, err, "opensm.conf is not at hand: the tables may be nobody's "
						  "design");
	case QOS_OFF:
		return rule_not_applicable(out, err, "qos is not TRUE: the tables are nobody's design");
	case QOS_ON:
		break;
	}
	qos_survey_take(in->fabric, &survey);
	rc = gather(in, &faults, err);
	while (rc == 0 && (fault = port_faults_next(&faults, &cursor, &ports)))
		rc = report_group(out, fault, &ports, err);
	if (rc == 0)
		rc = qos_survey_report_vlarb(&survey, NULL, out, err);
	port_faults_free(&faults);
	return rc;
}

const struct rule rule_vlarb_weights = {
	.id = "vlarb-weights",
	.title = "Arbitration weights below one packet of the MTU",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "A weight is spent in units of 64 bytes, but a packet that has begun is sent whole. Weights "
	       "below one packet all mean the same: one packet a turn. The shares that unequal weights "
	       "promise are not given.",
	.needs = "opensm.conf with qos TRUE; arbitration tables and NeighborMTU of Active ports.",
	.reads = "vlarb neighbor_mtu",
	.remedy = "Use multiples of one packet (64 units for an MTU of 4096, 32 for 2048) in qos_vlarb_high "
		  "and qos_vlarb_low and send OpenSM a SIGHUP; links stay up.",
	.source = "IBA Volume 1, 7.6.9.2; opensm doc/QoS_management_in_OpenSM.txt, chapter 7",
	.check = check,
};
