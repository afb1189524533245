#include "rules/analysis/qos_survey.h"

#include <string.h>

#include "rules/analysis/refusals.h"

const struct port *port_walk_next(const struct fabric *fabric, struct port_walk *walk)
{
	while (walk->device < fabric->device_count) {
		const struct device *device = fabric->devices[walk->device];

		while (walk->num < device->port_slots) {
			const struct port *port = device->ports[walk->num++];

			if (port)
				return port;
		}
		walk->device++;
		walk->num = 0;
	}
	return NULL;
}

static bool has_tables(const struct port *port)
{
	return port->sl2vl || port->vlarb_high || port->vlarb_low;
}

static void tally_port(struct qos_tally *tally, const struct port *port)
{
	tally->ports++;
	if (port_capability(port, CAPABILITY_SL_MAPPING) == 0)
		tally->no_mapping++;
	else if (port->sl2vl)
		tally->sl2vl_read++;
	else
		tally->sl2vl_missing++;
	if (port->vlarb_high && port->vlarb_low)
		tally->vlarb_read++;
	else
		tally->vlarb_missing++;
}

void qos_survey_take(const struct fabric *fabric, struct qos_survey *ret_survey)
{
	struct port_walk walk = {0};
	const struct port *port;

	memset(ret_survey, 0, sizeof(*ret_survey));
	ret_survey->fabric = fabric;
	while ((port = port_walk_next(fabric, &walk))) {
		if (port->info.port_state != FIELD_UNKNOWN)
			ret_survey->links_read++;
		if (!qos_port_counts(port) ||
		    (port->info.port_state == FIELD_UNKNOWN && !has_tables(port)))
			continue;
		tally_port(&ret_survey->all, port);
		tally_port(&ret_survey->class[qos_class_of_port(port)], port);
	}
}

bool qos_class_present(const struct fabric *fabric, enum qos_class class)
{
	if (fabric->device_count == 0)
		return true;
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		switch (class) {
		case QOS_CLASS_CA:
			if (device->type == NODE_TYPE_CA || device->type == NODE_TYPE_UNKNOWN)
				return true;
			break;
		case QOS_CLASS_SWE:
			if (device->type == NODE_TYPE_SWITCH)
				return true;
			break;
		case QOS_CLASS_SW0:
			if (device->type == NODE_TYPE_SWITCH && device->sw.enhanced_port0 == 1)
				return true;
			break;
		case QOS_CLASS_RTR:
			if (device->type == NODE_TYPE_ROUTER)
				return true;
			break;
		case QOS_CLASS_DEFAULT:
		case QOS_CLASS_COUNT:
			break;
		}
	}
	return false;
}

struct table_words {
	const char *name;
	enum attribute attribute;
	const char *how;	/* to get it */
};

static int report(const struct qos_survey *survey, const struct table_words *table, size_t read,
		  size_t missing, const char *otherwise, struct rule_output *out, struct err *err)
{
	char why[REFUSALS_SIZE];

	if (survey->links_read == 0 && read == 0) {
		if (otherwise)
			return rule_left_out(out, err, "no port was read; %s", otherwise);
		return rule_not_checked(out, err, "no port was read");
	}
	if (read + missing == 0)
		return rule_not_applicable(out, err,
					   "no Active port has more than one data VL and %s tables",
					   table->name);
	if (read == 0) {
		refusals_why(survey->fabric, table->attribute, table->how, why);
		if (otherwise)
			return rule_left_out(out, err, "%s tables were not read; %s", table->name,
					     otherwise);
		return rule_not_checked(out, err, "%s tables were not read%s", table->name, why);
	}
	if (missing > 0) {
		refusals_text(survey->fabric, table->attribute, why);
		return rule_left_out(out, err, "%zu of %zu Active ports gave no %s tables%s%s", missing,
				     read + missing, table->name, why[0] ? ": " : "", why);
	}
	return 0;
}

int qos_survey_report_sl2vl(const struct qos_survey *survey, const char *otherwise,
			    struct rule_output *out, struct err *err)
{
	static const struct table_words words = {
		"SL2VL", ATTRIBUTE_SL2VL,
		"; collect live, or import opensm-sl2vl.dump or the output of smpquery sl2vl"};

	return report(survey, &words, survey->all.sl2vl_read, survey->all.sl2vl_missing, otherwise, out,
		      err);
}

int qos_survey_report_vlarb(const struct qos_survey *survey, const char *otherwise,
			    struct rule_output *out, struct err *err)
{
	static const struct table_words words = {
		"VLArb", ATTRIBUTE_VLARB, "; collect live, or import the output of smpquery vlarb"};

	return report(survey, &words, survey->all.vlarb_read, survey->all.vlarb_missing, otherwise, out,
		      err);
}
