#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/analysis/engines.h"
#include "rules/analysis/log_events.h"
#include "rules/analysis/qos_expect.h"
#include "rules/config_problems.h"
#include "store/text.h"

static const char *const ids[] = {"qos-dead", NULL};

/* A policy that OpenSM does not even open. */
static int tell_policy(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	const struct config_option *qos = config_option_find(config, "qos");
	bool plain = qos && qos->raw && strcmp(qos->raw, "FALSE") == 0;
	struct finding *finding;

	finding = rule_finding(out, plain ? SEVERITY_INFO : SEVERITY_WARNING, NULL, NULL, "policy-not-read",
			       "QoS is off, so OpenSM does not read the QoS policy at all, unless it is "
			       "started with -Q");
	if (!finding || !config_finding_place(finding, in->fabric, config->policy.source, 0,
					      "qos-policy.conf"))
		return err_no_memory(err);
	return 0;
}

/* A partition's sl= is 0 then, without a word of it. */
static int tell_partition_sls(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;

	for (size_t i = 0; i < config->partition_count; i++) {
		const struct partition *partition = &config->partitions[i];
		char discriminator[64], name[128];
		struct finding *finding;

		if (partition->sl == FIELD_UNKNOWN || partition->sl == 0)
			continue;
		snprintf(discriminator, sizeof(discriminator), "partition-sl:0x%04x", partition->pkey);
		text_escape(partition->name, strlen(partition->name), name, sizeof(name));
		finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, discriminator,
				       "Partition %s (0x%04x) asks for SL %" PRId64 ", but QoS is off: OpenSM "
				       "gives it SL 0",
				       name, partition->pkey, partition->sl);
		if (!finding || !config_finding_place(finding, in->fabric, partition->source,
						      partition->line, "partitions.conf"))
			return err_no_memory(err);
	}
	return 0;
}

/* True when OpenSM comes to try torus-2QoS, and its log does not show that it ran. */
static bool tries_torus(const struct config *config, const struct engine_list *engines, size_t torus)
{
	const struct log_event *used = log_newest_event(config, LOG_ENGINE_CONFIGURED);

	for (size_t i = 0; i < torus && i < engines->count; i++) {
		if (engines->list[i]->never_fails)
			return false;
	}
	return torus < engines->count &&
	       !(used && used->text && strcmp(used->text, "torus-2QoS") == 0);
}

/* torus-2QoS builds no tables without QoS: its lanes are what keeps it free of deadlock (ERR 4E44). */
static int tell_torus(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	const struct config_option *option = config_option_find(config, "routing_engine");
	struct engine_list engines = engine_list_parse(config->opensm.routing_engine);
	size_t torus = engine_list_find(&engines, "torus-2QoS");
	const char *next;
	struct finding *finding;
	char text[96];

	if (!tries_torus(config, &engines, torus))
		return 0;
	next = engine_list_after(&engines, torus, text, sizeof(text));
	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "torus-2qos",
			       "routing_engine names torus-2QoS, but qos is not TRUE: OpenSM refuses that "
			       "engine (ERR 4E44) unless it is started with -Q, and %s%s",
			       next ? "routes with " : "has no other, so it writes no forwarding table",
			       next ? next : "");
	if (!finding || !config_finding_place(finding, in->fabric, config->opensm_conf,
					      option ? option->line : 0, "opensm.conf") ||
	    !finding_text(&finding->remedy,
			  "Write `qos TRUE` and restart OpenSM: it then programs routes, SL2VL and arbitration "
			  "tables anew. Links stay up; routes of running traffic change, so plan it."))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct problem_choice choice = {"opensm.conf", ids, false, SEVERITY_CRITICAL, NULL};
	const struct config *config = in->fabric->config;
	int rc;

	if (config->opensm_conf == 0)
		return rule_not_checked(out, err, "no opensm.conf is at hand (--config FILE)");
	rc = config_problems_tell(in, out, &choice, err);
	/* With options that are dead, too, the one finding says it of the policy as well. */
	if (rc == 0 && qos_state_of(config) == QOS_OFF && config->policy.present &&
	    out->verdict->kind != VERDICT_FINDINGS)
		rc = tell_policy(in, out, err);
	if (rc == 0 && qos_state_of(config) == QOS_OFF)
		rc = tell_partition_sls(in, out, err);
	if (rc == 0 && qos_state_of(config) == QOS_OFF)
		rc = tell_torus(in, out, err);
	return rc;
}

const struct rule rule_qos_disabled = {
	.id = "qos-disabled",
	.title = "QoS is configured, but qos is not TRUE",
	.severity = SEVERITY_ERROR,
	.why = "Unless qos is exactly TRUE (or opensm runs with -Q), OpenSM programs no SL2VL table, no VL "
	       "arbitration and no high limit, and does not read the QoS policy: the ports keep what an "
	       "earlier SM or their firmware left there. max_op_vls works on and cuts lanes all the same.",
	.needs = "opensm.conf; qos-policy.conf and partitions.conf for what hangs on it",
	.reads = "opensm.conf",
	.remedy = "Write `qos TRUE` and send OpenSM a SIGHUP: it then programs all ports. Links to CAs and "
		  "routers go down for a moment only where max_op_vls changes too.",
	.source = "OpenSM 3.3.23 osm_qos.c: osm_qos_setup; osm_link_mgr.c; osm_torus.c (ERR 4E44); "
		  "opensm(8) -Q",
	.check = check,
};
