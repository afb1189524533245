/*
 * How much of the ports' QoS facts was read: what a rule needs to tell "not
 * checked" from "not applicable" from "passed".
 */
#ifndef RULES_ANALYSIS_QOS_SURVEY_H
#define RULES_ANALYSIS_QOS_SURVEY_H

#include "rules/analysis/qos_expect.h"
#include "rules/rule.h"

struct qos_tally {
	size_t ports;		/* that count: Active, more than one data VL */
	size_t no_mapping;	/* of these: the device says it has no SL to VL mapping */
	size_t sl2vl_read;	/* of the rest */
	size_t sl2vl_missing;
	size_t vlarb_read;	/* of `ports`: both tables */
	size_t vlarb_missing;
};

struct qos_survey {
	const struct fabric *fabric;
	struct qos_tally all;
	struct qos_tally class[QOS_CLASS_COUNT];	/* QOS_CLASS_DEFAULT stays empty */
	size_t links_read;				/* ports whose PortState is known */
};

void qos_survey_take(const struct fabric *fabric, struct qos_survey *ret_survey);

/* All zero starts at the first port. */
struct port_walk {
	size_t device;
	size_t num;
};

/* The next port of the fabric in order of device and number; NULL: no more. */
const struct port *port_walk_next(const struct fabric *fabric, struct port_walk *walk);

/* True when the fabric has a device with ports of this class, or has no devices at all. */
bool qos_class_present(const struct fabric *fabric, enum qos_class class);

/*
 * Says in the verdict how far SL2VL tables (or VLArb tables) were read. With
 * `otherwise` (a sentence's start such as "judged from opensm.conf alone")
 * missing tables do not make the verdict not-checked. 0 or ERR_NOMEM.
 */
int qos_survey_report_sl2vl(const struct qos_survey *survey, const char *otherwise,
			    struct rule_output *out, struct err *err);
int qos_survey_report_vlarb(const struct qos_survey *survey, const char *otherwise,
			    struct rule_output *out, struct err *err);

#endif
