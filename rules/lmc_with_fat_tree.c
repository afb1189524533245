/*
 * Evidence in order of strength: what OpenSM's log says it did, what its
 * configuration makes it do, and the LMC that the ports hold when the
 * configuration names the engine only (LMC may come from the command line).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/engines.h"
#include "rules/analysis/lids.h"
#include "rules/analysis/log_events.h"
#include "rules/analysis/sm_view.h"
#include "rules/analysis/switches.h"
#include "rules/places.h"
#include "rules/rule.h"

/* What is known of the LMC that ports hold; switch port 0 has its own option and stays aside. */
struct port_lmcs {
	size_t count[8];
	size_t known;
	int64_t most;
};

static bool has_lmc(const struct port *port)
{
	return port && port->device->type != NODE_TYPE_SWITCH && port_owes_lid(port) &&
	       lid_is_unicast(port->info.lid) && port->info.lmc >= 0 && port->info.lmc <= 7;
}

static struct port_lmcs count_lmcs(const struct fabric *fabric)
{
	struct port_lmcs lmcs = {.known = 0};

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (!has_lmc(device->ports[num]))
				continue;
			lmcs.known++;
			lmcs.count[device->ports[num]->info.lmc]++;
			if (device->ports[num]->info.lmc > lmcs.most)
				lmcs.most = device->ports[num]->info.lmc;
		}
	}
	return lmcs;
}

static bool add_option(struct finding *finding, const struct fabric *fabric, const char *key)
{
	const struct config_option *option = config_option_find(fabric->config, key);
	char value[256];

	if (!option || option->line == 0 || !option->raw)
		return true;
	text_escape(option->raw, strlen(option->raw), value, sizeof(value));
	return finding_evidence(finding, key, "%s (line %" PRId64 ")", value, option->line);
}

static bool add_lmcs(struct finding *finding, const struct port_lmcs *lmcs)
{
	struct places values = {0};

	if (lmcs->known == 0)
		return true;
	for (int lmc = 0; lmc < 8; lmc++) {
		if (lmcs->count[lmc] > 0)
			places_add(&values, "%zu with LMC %d", lmcs->count[lmc], lmc);
	}
	return places_evidence(&values, finding, "ports");
}

/* What the file says otherwise than the running OpenSM; NULL: nothing. */
static const char *conf_against_refusal(const struct config *config)
{
	struct engine_list engines = engine_list_parse(config->opensm.routing_engine);

	if (config->opensm_conf == 0)
		return NULL;
	if (config->opensm.lmc == 0)
		return "opensm.conf has LMC 0: OpenSM was started with another (-l), or the file was "
		       "changed since";
	if (engines.ftree == engines.count)
		return "routing_engine of opensm.conf has no ftree: OpenSM was started with another "
		       "list (-R), or the file was changed since";
	return NULL;
}

static bool add_contradiction(struct finding *finding, const char *text)
{
	return !text || finding_evidence(finding, "contradiction", "%s", text);
}

/* True when `event` was last written behind the place where `other` was first. */
static bool is_behind_first(const struct log_event *event, const struct log_event *other)
{
	if (event->source != other->source)
		return log_event_is_newer(event, other);
	return event->last_line > other->first_line;
}

static int tell_log(const struct fabric *fabric, const struct log_event *refused,
		    const struct port_lmcs *lmcs, struct rule_output *out, struct err *err)
{
	const struct config *config = fabric->config;
	const struct log_event *used = log_newest_event(config, LOG_ENGINE_CONFIGURED);
	const struct log_event *none = log_newest_event(config, LOG_NO_ENGINE);
	bool nothing = none && log_event_is_newer(none, used);
	struct engine_list engines = engine_list_parse(config->opensm.routing_engine);
	const char *left = "the next engine of its list, else minhop";
	char text[96];
	char time[64];
	struct finding *finding;

	if (used && used->text && is_behind_first(used, refused)) {
		text_escape(used->text, strlen(used->text), text, sizeof(text));
		left = text;
	} else if (config->opensm_conf != 0 && engines.ftree < engines.count) {
		left = engine_list_after_ftree(&engines, text, sizeof(text));
		nothing |= !left;
	}
	if (nothing)
		finding = rule_finding(out, log_event_severity(refused, SEVERITY_CRITICAL), NULL, NULL,
				       "fallback",
				       "OpenSM refused fat-tree routing because LMC is above 0, and "
				       "has no other engine: no forwarding table is written");
	else
		finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "fallback",
				       "OpenSM refused fat-tree routing because LMC is above 0, and "
				       "routes with %s",
				       left);
	if (!finding || !add_contradiction(finding, conf_against_refusal(config)) ||
	    !finding_evidence(finding, "log_lines", "%" PRId64, refused->count) ||
	    !log_event_add_run(finding, refused) ||
	    !add_option(finding, fabric, "lmc") || !add_option(finding, fabric, "routing_engine") ||
	    !add_lmcs(finding, lmcs) ||
	    !finding_source(finding, fabric, refused->source, refused->first_line))
		return err_no_memory(err);
	if (refused->last_time) {
		text_escape(refused->last_time, strlen(refused->last_time), time, sizeof(time));
		if (!finding_evidence(finding, "log_last", "%s", time))
			return err_no_memory(err);
	}
	return 0;
}

/* Cites the line that sets LMC, else the one that names the engine. */
static bool cite_conf(struct finding *finding, const struct fabric *fabric)
{
	const struct config_option *lmc = config_option_find(fabric->config, "lmc");
	const struct config_option *engine = config_option_find(fabric->config, "routing_engine");
	const struct config_option *option = lmc && lmc->line > 0 ? lmc : engine;

	if (!option || option->line == 0)
		return finding_source(finding, fabric, fabric->config->opensm_conf, 0);
	return finding_source(finding, fabric, option->source, option->line);
}

static int tell_conf(const struct rule_input *in, const struct engine_list *engines,
		     const struct port_lmcs *lmcs, struct rule_output *out, struct err *err)
{
	const struct log_event *used = log_newest_event(in->fabric->config, LOG_ENGINE_CONFIGURED);
	int64_t lmc = in->fabric->config->opensm.lmc;
	const char *held = "";
	const struct sm_view *view = NULL;
	struct finding *finding;
	const char *left;
	char text[96];
	char would[96];
	char contradiction[320] = "";
	int rc;

	rc = analysis_sm_view(in->analysis, &view, err);
	if (rc < 0)
		return rc;
	if (lmc > 0 && lmcs->known > 0 && lmcs->most == 0)
		held = ". The ports hold LMC 0: the command line (-l, -R) overrules the file, or the "
		       "SM was not started since";
	else if (lmc == 0)
		held = ", by the command line (-l): opensm.conf has LMC 0";
	if (lmc == 0)
		lmc = lmcs->most;
	left = engine_list_after_ftree(engines, text, sizeof(text));
	if (left && used && used->text) {
		snprintf(would, sizeof(would), "%s", left);
		text_escape(used->text, strlen(used->text), text, sizeof(text));
		left = text;
		if (engines->ftree == 0 && strcmp(would, text) != 0)
			snprintf(contradiction, sizeof(contradiction),
				 "opensm.log says that %s is in use, with opensm.conf it would be %s",
				 text, would);
	}
	if (engines->ftree > 0)
		finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, "fallback",
				       "ftree stands in the list behind %s and would be refused, "
				       "since LMC is %" PRId64 "%s",
				       engines->list[0]->name, lmc, held);
	else if (left)
		finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "fallback",
				       "OpenSM refuses fat-tree routing with LMC %" PRId64
				       " and routes with %s%s",
				       lmc, left, held);
	else
		finding = rule_finding(out,
				       view->active_links > 0 ? SEVERITY_ERROR : SEVERITY_CRITICAL,
				       NULL, NULL, "fallback",
				       "OpenSM refuses fat-tree routing with LMC %" PRId64
				       ", and no_fallback leaves it no other engine: no forwarding "
				       "table is written%s",
				       lmc, held);
	if (!finding || !add_contradiction(finding, contradiction[0] ? contradiction : NULL) ||
	    !add_option(finding, in->fabric, "lmc") ||
	    !add_option(finding, in->fabric, "routing_engine") || !add_lmcs(finding, lmcs) ||
	    !cite_conf(finding, in->fabric))
		return err_no_memory(err);
	return 0;
}

/* The log shows ftree at work, the file asks for what ftree refuses: it is not the file that runs. */
static int tell_other_conf(const struct fabric *fabric, const struct engine_list *engines,
			   const struct log_event *used, const struct port_lmcs *lmcs,
			   struct rule_output *out, struct err *err)
{
	struct finding *finding;
	const char *left;
	char text[96];

	left = engine_list_after_ftree(engines, text, sizeof(text));
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "fallback-at-start",
			       "opensm.conf asks for fat-tree routing with LMC %" PRId64
			       ", which OpenSM refuses; the log says that ftree is in use, so the next "
			       "start with this file changes the routes: %s%s",
			       fabric->config->opensm.lmc, left ? "to " : "no engine is left",
			       left ? left : "");
	if (!finding ||
	    !add_contradiction(finding, "opensm.log says that ftree is in use, which rules out LMC above "
					"0: OpenSM was started with -l 0, or the file was changed since") ||
	    !finding_evidence(finding, "log_line", "%" PRId64, used->last_line) ||
	    !add_option(finding, fabric, "lmc") || !add_option(finding, fabric, "routing_engine") ||
	    !add_lmcs(finding, lmcs) || !cite_conf(finding, fabric))
		return err_no_memory(err);
	return 0;
}

static int check_fallback(const struct rule_input *in, const struct port_lmcs *lmcs,
			  struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	const struct log_event *refused = log_newest_event(config, LOG_FTREE_LMC);
	const struct log_event *used = log_newest_event(config, LOG_ENGINE_CONFIGURED);
	bool ftree_works = used && used->text && strcmp(used->text, "ftree") == 0 &&
			   log_event_is_newer(used, refused);
	struct engine_list engines = engine_list_parse(config->opensm.routing_engine);

	if (ftree_works && config->opensm_conf != 0 && config->opensm.lmc > 0 &&
	    engines.ftree == 0 && engines.count > 0)
		return tell_other_conf(in->fabric, &engines, used, lmcs, out, err);
	if (ftree_works)
		return 0;
	if (refused)
		return tell_log(in->fabric, refused, lmcs, out, err);
	if (config->opensm_conf == 0 || !engine_list_may_try_ftree(&engines))
		return 0;
	if (config->opensm.lmc > 0 || lmcs->most > 0)
		return tell_conf(in, &engines, lmcs, out, err);
	return 0;
}

/* The engine in use as far as log or configuration tell; NULL: not known. */
static const char *engine_in_use(const struct config *config)
{
	const struct log_event *used = log_newest_event(config, LOG_ENGINE_CONFIGURED);
	struct engine_list engines = engine_list_parse(config->opensm.routing_engine);

	if (used && used->text)
		return used->text;
	if (config->opensm_conf != 0 && engines.count > 0)
		return engines.list[0]->name;
	return NULL;
}

static int check_lash(const struct fabric *fabric, const struct port_lmcs *lmcs,
		      struct rule_output *out, struct err *err)
{
	const char *engine = engine_in_use(fabric->config);
	struct finding *finding;

	if (!engine || strcmp(engine, "lash") != 0 ||
	    (lmcs->most == 0 && (lmcs->known > 0 || fabric->config->opensm.lmc == 0)))
		return 0;
	finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, "lash",
			       "LMC is above 0 with LASH: the manual page calls that unsupported, "
			       "OpenSM does it all the same and gives all LIDs of a port one path");
	if (!finding || !add_lmcs(finding, lmcs) ||
	    !finding_text(&finding->remedy, "Set lmc 0 and restart OpenSM in a maintenance window: "
					    "LIDs change, and with them all connections end."))
		return err_no_memory(err);
	return 0;
}

static int check_unlike(const struct fabric *fabric, const struct port_lmcs *lmcs,
			struct rule_output *out, struct err *err)
{
	struct places places = {0};
	struct finding *finding;
	int common = 0;

	for (int lmc = 1; lmc < 8; lmc++) {
		if (lmcs->count[lmc] > lmcs->count[common])
			common = lmc;
	}
	if (lmcs->count[common] == lmcs->known)
		return 0;
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "unlike-lmc",
			       "%zu of %zu end ports %s another LMC than the usual %d",
			       lmcs->known - lmcs->count[common], lmcs->known,
			       text_plural(lmcs->known - lmcs->count[common], "has", "have"), common);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];
			char label[DEVICE_LABEL_SIZE + 16];

			if (has_lmc(port) && port->info.lmc != common)
				places_add(&places, "%s (LMC %" PRId64 ")",
					   port_label(port, false, label, sizeof(label)),
					   port->info.lmc);
		}
	}
	if (!places_evidence(&places, finding, "ports") ||
	    !finding_text(&finding->remedy,
			  "Let the master SM sweep again (SIGHUP). If they stay apart, look for a "
			  "second SM or for an SM that was restarted with another lmc; a port that "
			  "gets another LMC gets other LIDs, which ends its connections."))
		return err_no_memory(err);
	return 0;
}

static int check_single_path(const struct rule_input *in, const struct port_lmcs *lmcs,
			     struct rule_output *out, struct err *err)
{
	const struct switches *switches = NULL;
	struct finding *finding;
	bool no_memory;
	bool spare;
	int rc;

	if (lmcs->most == 0 || in->fabric->partial)
		return 0;
	rc = analysis_switches(in->analysis, &switches, err);
	if (rc < 0)
		return rc;
	/* Without a cable seen nothing is known of paths. */
	if (switches->with_hosts == 0)
		return 0;
	spare = switches_have_spare_path(switches, &no_memory);
	if (no_memory)
		return err_no_memory(err);
	if (spare)
		return 0;
	finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, "single-path",
			       "LMC gains nothing here: no two switches are joined by more than one "
			       "path");
	if (!finding || !add_lmcs(finding, lmcs) ||
	    !finding_text(&finding->remedy, "Leave it, or set lmc 0 at the next maintenance window: "
					    "LIDs change, and with them all connections end."))
		return err_no_memory(err);
	return 0;
}

static bool log_tells_engine(const struct config *config)
{
	return log_newest_event(config, LOG_ENGINE_CONFIGURED) ||
	       log_newest_event(config, LOG_ENGINE_FAILED) ||
	       log_newest_event(config, LOG_FTREE_LMC) || log_newest_event(config, LOG_NO_ENGINE);
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	struct port_lmcs lmcs = count_lmcs(in->fabric);
	int rc;

	rc = check_fallback(in, &lmcs, out, err);
	if (rc == 0)
		rc = check_lash(in->fabric, &lmcs, out, err);
	if (rc == 0)
		rc = check_unlike(in->fabric, &lmcs, out, err);
	if (rc == 0)
		rc = check_single_path(in, &lmcs, out, err);
	if (rc == 0 && config->opensm_conf == 0 && config->opensm_log != 0 && !log_tells_engine(config))
		rc = rule_not_checked(out, err,
				      "opensm.log has no line about routing: it is a piece of a log, "
				      "or not from the SM's start (--config opensm.conf would tell)");
	if (rc == 0 && config->opensm_conf == 0 && config->opensm_log == 0)
		rc = rule_not_checked(out, err,
				      "neither opensm.conf nor opensm.log is at hand, and only they "
				      "name the routing engine (--config FILE)");
	return rc;
}

const struct rule rule_lmc_with_fat_tree = {
	.id = "lmc-with-fat-tree",
	.title = "LMC above 0 keeps OpenSM from fat-tree routing",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "OpenSM's fat-tree engine does not work with several LIDs a port. It says so in one line "
	       "at INFO level and takes the next engine: the fabric comes up, but traffic is not "
	       "spread as the tree was built for, and nobody notices until it is slow. With no_fallback "
	       "in the list and no other engine no forwarding table is written at all.",
	.needs = "opensm.log, or opensm.conf (lmc, routing_engine); LMC of the end ports",
	.reads = "lmc opensm.conf",
	.remedy = "Decide for one: lmc 0 with ftree, or LMC with another engine (updn). Either takes a "
		  "restart of OpenSM in a maintenance window: with another LMC the LIDs change, which "
		  "ends all connections. Read the log afterwards for the engine that configured the "
		  "switches.",
	.source = "OpenSM osm_ucast_ftree.c, osm_ucast_mgr.c, osm_opensm.c; opensm(8) -R, -l",
	.check = check,
};
