#include "rules/config_problems.h"

static const char *const ids[] = {"reassign-lids", NULL};

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct problem_choice choice = {"opensm.conf", ids, false, SEVERITY_CRITICAL, NULL};

	if (in->fabric->config->opensm_conf == 0)
		return rule_not_checked(out, err, "no opensm.conf is at hand (--config FILE)");
	return config_problems_tell(in, out, &choice, err);
}

const struct rule rule_reassign_lids = {
	.id = "reassign-lids",
	.title = "OpenSM gives new LIDs at each start",
	.severity = SEVERITY_WARNING,
	.why = "Connections name LIDs. With reassign_lids a restart of the SM, or a standby that takes "
	       "over for the first time, renumbers the fabric: what runs breaks off, and captures of "
	       "before and after do not compare by LID.",
	.needs = "opensm.conf",
	.remedy = "Write `reassign_lids FALSE`; no restart is needed for that.",
	.source = "OpenSM 3.3.23 osm_lid_mgr.c: lid_mgr_init_sweep, osm_lid_mgr_init; opensm(8) -r",
	.check = check,
};
