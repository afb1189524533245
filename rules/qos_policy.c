#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/analysis/log_events.h"
#include "rules/analysis/policy_groups.h"
#include "rules/analysis/qos_expect.h"
#include "rules/config_problems.h"
#include "rules/places.h"
#include "store/text.h"

/* Groups looked up against the fabric: the cost grows with groups times ports. */
#define GROUPS_MAX 200
#define NAME_SIZE 256

static const char *const no_others[] = {NULL};

static const struct log_event *newest_rejection(const struct config *config)
{
	const struct log_event *newest = NULL, *event = NULL;

	while ((event = log_event_next(config, LOG_POLICY_REJECTED, event))) {
		if (event->error && strcmp(event->error, "AC02") != 0 &&
		    strcmp(event->error, "AC14") != 0 && log_event_is_newer(event, newest))
			newest = event;
	}
	return newest;
}

/* The log says that OpenSM refused a policy, and the file at hand (if any) does not show why. */
static int tell_log(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	const struct log_event *event = newest_rejection(config);
	struct finding *finding;
	char text[400] = "";

	if (!event || (config->policy.present && config->policy.dropped))
		return 0;
	if (event->text)
		text_escape(event->text, strlen(event->text), text, sizeof(text));
	finding = rule_finding(out, log_event_severity(event, SEVERITY_ERROR), NULL, NULL, "log-rejected",
			       "OpenSM's log says that it dropped a QoS policy: ERR %s: %s%s", event->error,
			       text, config->policy.present ? ". The file at hand has no such fault: it is "
							      "another one, or was mended since" : "");
	if (!finding || !config_finding_place(finding, in->fabric, event->source, event->last_line,
					      "opensm.log") ||
	    !log_event_add_run(finding, event) ||
	    !finding_evidence(finding, "times", "%" PRId64, event->count))
		return err_no_memory(err);
	return event->last_time && !finding_evidence(finding, "last", "%s", event->last_time)
		       ? err_no_memory(err)
		       : 0;
}

static bool has_ipoib_rule(const struct qos_policy *policy)
{
	const struct policy_node *section = NULL, *rule;

	while ((section = policy_child(policy->root, "qos-ulps", section))) {
		for (rule = section->first_child; rule; rule = rule->next) {
			if (strncmp(rule->keyword, "ipoib", 5) == 0)
				return true;
		}
	}
	return false;
}

static bool group_has_port(const struct fabric *fabric, const struct policy_groups *groups, int group)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (device->ports[num] && policy_group_has(groups, group, device->ports[num]))
				return true;
		}
	}
	return false;
}

/* Groups that hold no port of this fabric: rules on them never match. */
static int check_groups(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct qos_policy *policy = &in->fabric->config->policy;
	const struct policy_node *section = NULL, *node, *name;
	struct policy_groups *groups = NULL;
	size_t count = 0;
	int rc = 0;

	if (in->fabric->device_count == 0)
		return 0;
	rc = policy_groups_new(in->fabric, &groups, err);
	while (rc == 0 && (section = policy_child(policy->root, "port-groups", section))) {
		node = NULL;
		while (rc == 0 && count++ < GROUPS_MAX &&
		       (node = policy_child(section, "port-group", node))) {
			char shown[NAME_SIZE], discriminator[NAME_SIZE + 16];
			struct finding *finding;
			int group;

			name = policy_child(node, "name", NULL);
			group = name && name->value
					? policy_group_find(groups, name->value, strlen(name->value))
					: -1;
			if (group < 0 || group_has_port(in->fabric, groups, group))
				continue;
			text_escape(name->value, strlen(name->value), shown, sizeof(shown));
			snprintf(discriminator, sizeof(discriminator), "empty-group:%.200s", shown);
			finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, discriminator,
					       "No port of this fabric is in the port group \"%s\": rules "
					       "that name it never match",
					       shown);
			if (!finding || !config_finding_place(finding, in->fabric, policy->source,
							      node->line, "qos-policy.conf"))
				rc = err_no_memory(err);
		}
	}
	policy_groups_free(groups);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct problem_choice choice = {"qos-policy.conf", no_others, true, SEVERITY_CRITICAL, NULL};
	const struct config *config = in->fabric->config;
	int rc = tell_log(in, out, err);

	if (rc < 0)
		return rc;
	if (!config->policy.present)
		return rule_not_checked(out, err, "no qos-policy.conf is at hand (--config FILE)");
	/* What OpenSM does not read harms nobody now. */
	if (qos_state_of(config) == QOS_OFF)
		choice.most = SEVERITY_INFO;
	rc = config_problems_tell(in, out, &choice, err);
	if (rc == 0 && !config->policy.dropped && choice.most != SEVERITY_INFO)
		rc = check_groups(in, out, err);
	if (rc == 0 && config->partitions_conf == 0 && has_ipoib_rule(&config->policy))
		rc = rule_left_out(out, err,
				   "whether the partitions of the ipoib rules exist, without which OpenSM "
				   "drops the policy: no partitions.conf is at hand");
	return rc;
}

const struct rule rule_qos_policy = {
	.id = "qos-policy",
	.title = "The QoS policy is dropped, or rules of it never match",
	.severity = SEVERITY_ERROR,
	.why = "One name that is not defined, one word that OpenSM does not know, and it drops the whole "
	       "policy with a line in its log: every path then gets the SL of its partition. Rules are "
	       "tried in order, so a wide one in front takes what a narrow one behind was written for.",
	.needs = "qos-policy.conf; partitions.conf for its ipoib rules, the fabric for its port groups, "
		 "OpenSM's log for what was refused",
	.remedy = "Mend the line that the finding names and send OpenSM a SIGHUP; paths that are in use "
		  "keep their SL until they are asked for again.",
	.source = "OpenSM 3.3.23 osm_qos_parser_y.y, osm_qos_parser_l.l, osm_qos_policy.c: "
		  "osm_qos_policy_validate; doc/QoS_management_in_OpenSM.txt",
	.check = check,
};
