#include "rules/config_problems.h"

static const char *const ids[] = {
	"vlarb-vl15", "vlarb-element", "vlarb-too-long", "sl2vl-length", "sl2vl-element",
	"max-vls-limits-nothing", NULL,
};

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct problem_choice choice = {"opensm.conf", ids, false, SEVERITY_CRITICAL, NULL};

	if (in->fabric->config->opensm_conf == 0)
		return rule_not_checked(out, err, "no opensm.conf is at hand (--config FILE)");
	return config_problems_tell(in, out, &choice, err);
}

const struct rule rule_qos_tables = {
	.id = "qos-tables",
	.title = "A QoS table of opensm.conf is not what it looks like",
	.severity = SEVERITY_ERROR,
	.why = "OpenSM reads qos_*_sl2vl and qos_*_vlarb_* as plain streams of numbers: a missing weight "
	       "shifts all that follows, missing entries become 0, VL 15 is taken modulo 15. The ports "
	       "then hold a table that nobody wrote, with a warning on standard output at most.",
	.needs = "opensm.conf",
	.remedy = "Write 16 numbers for sl2vl, and VL:weight pairs joined by commas for vlarb; SIGHUP "
		  "programs them without a link going down.",
	.source = "OpenSM 3.3.23 osm_qos.c: qos_build_config; osm_subnet.c: subn_verify_qos_set",
	.check = check,
};
