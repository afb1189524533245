#include <stdio.h>
#include <string.h>

#include "rules/analysis/log_events.h"
#include "rules/config_problems.h"
#include "store/text.h"

/* Told by rules of their own. */
static const char *const others[] = {
	"unknown-key", "vendor-key", "qos-dead", "vlarb-vl15", "vlarb-element", "vlarb-too-long",
	"sl2vl-length", "sl2vl-element", "max-vls-limits-nothing", "reassign-lids", NULL,
};

/* Without the file, what OpenSM printed at its start tells at least what it refused. */
static int tell_log(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	const struct log_event *event = NULL;
	char text[400], discriminator[120];

	while ((event = log_event_next(config, LOG_OPTION_REJECTED, event))) {
		struct finding *finding;

		if (!event->text)
			continue;
		text_escape(event->text, strlen(event->text), text, sizeof(text));
		snprintf(discriminator, sizeof(discriminator), "log:%.100s", text);
		finding = rule_finding(out, log_event_severity(event, SEVERITY_ERROR), NULL, NULL,
				       discriminator, "OpenSM refused or corrected an option at its start: %s", text);
		if (!finding || !config_finding_place(finding, in->fabric, event->source,
						      event->first_line, "opensm.log") ||
		    !log_event_add_run(finding, event))
			return err_no_memory(err);
	}
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	struct problem_choice choice = {"opensm.conf", others, true, SEVERITY_CRITICAL, NULL};
	int rc;

	if (config->opensm_conf == 0) {
		rc = tell_log(in, out, err);
		return rc < 0 ? rc : rule_not_checked(out, err, "no opensm.conf is at hand (--config FILE)");
	}
	/* A qos that only looks TRUE is told by qos-disabled where options hang on it. */
	if (config_problem_find(config, "qos-dead", NULL))
		choice.skip = config_problem_find(config, "lookalike-boolean", "qos");
	return config_problems_tell(in, out, &choice, err);
}

const struct rule rule_opensm_conf = {
	.id = "opensm-conf",
	.title = "opensm.conf says something else than OpenSM takes from it",
	.severity = SEVERITY_ERROR,
	.why = "OpenSM takes only the exact word TRUE for true, ignores a number it cannot read, resets "
	       "what is out of range to a default and says so, if at all, on its standard output. The "
	       "fabric then runs with another setting than the file shows.",
	.needs = "opensm.conf; without it, what OpenSM printed at its start, in front of its log",
	.remedy = "Mend the line the finding names. Many options are read again at SIGHUP, others (lmc, "
		  "routing_engine, subnet_prefix among them) at OpenSM's start only.",
	.source = "OpenSM 3.3.23 osm_subnet.c: opts_parse_*, osm_subn_verify_config",
	.check = check,
};
