#include <inttypes.h>
#include <string.h>

#include "rules/analysis/log_events.h"
#include "rules/config_problems.h"
#include "store/text.h"

static const char *const no_others[] = {NULL};

/* The log of an OpenSM that dropped its partitions, with no file at hand to say why. */
static int tell_log(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	const struct log_event *event = NULL;

	while ((event = log_event_next(config, LOG_ERROR, event))) {
		struct finding *finding;

		if (!event->text || !strstr(event->text, "Partition configuration in error"))
			continue;
		finding = rule_finding(out, log_event_severity(event, SEVERITY_ERROR), NULL, NULL,
				       "log-dropped",
				       "OpenSM's log says that it dropped its partitions.conf: every port "
				       "was a full member of 0x7fff then");
		if (!finding || !config_finding_place(finding, in->fabric, event->source,
						      event->last_line, "opensm.log") ||
		    !log_event_add_run(finding, event) ||
		    !finding_evidence(finding, "times", "%" PRId64, event->count))
			return err_no_memory(err);
		break;
	}
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct problem_choice choice = {"partitions.conf", no_others, true, SEVERITY_CRITICAL, NULL};
	const struct config *config = in->fabric->config;
	int rc = 0;

	if (!config_problem_find(config, "partitions-dropped", NULL))
		rc = tell_log(in, out, err);
	if (rc == 0 && config->partitions_conf == 0)
		return rule_not_checked(out, err, "no partitions.conf is at hand (--config FILE)");
	return rc < 0 ? rc : config_problems_tell(in, out, &choice, err);
}

const struct rule rule_partitions_conf = {
	.id = "partitions-conf",
	.title = "Partitions are not what partitions.conf says",
	.severity = SEVERITY_ERROR,
	.why = "At the first thing it does not understand OpenSM drops the whole file and makes every port "
	       "a full member of the default partition: nothing is apart any more, and IPoIB in other "
	       "partitions is gone. Words in the wrong case are skipped, sizes in the place of codes leave "
	       "a partition without IPoIB.",
	.needs = "partitions.conf; without it, OpenSM's log",
	.remedy = "Mend the line that the finding names; OpenSM reads the file again at SIGHUP and writes "
		  "the P_Key tables anew, which ends connections in partitions that change.",
	.source = "OpenSM 3.3.23 osm_prtn_config.c, osm_prtn.c; doc/partition-config.txt",
	.check = check,
};
