#include "rules/config_problems.h"

static const char *const ids[] = {"unknown-key", "vendor-key", NULL};

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct problem_choice choice = {"opensm.conf", ids, false, SEVERITY_CRITICAL, NULL};

	if (in->fabric->config->opensm_conf == 0)
		return rule_not_checked(out, err, "no opensm.conf is at hand (--config FILE)");
	return config_problems_tell(in, out, &choice, err);
}

const struct rule rule_opensm_conf_unknown_key = {
	.id = "opensm-conf-unknown-key",
	.title = "opensm.conf has keys that OpenSM does not know",
	.severity = SEVERITY_WARNING,
	.why = "A misspelt key is a setting that nobody made: OpenSM ignores the line, with one message "
	       "on its standard output. Keys of the vendor's OpenSM do nothing under the upstream one.",
	.needs = "opensm.conf",
	.remedy = "Correct the key or take the line out.",
	.source = "OpenSM 3.3.23 osm_subnet.c: opt_tbl; UFM manual, Subnet Manager Default Properties",
	.check = check,
};
