#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/port_set.h"
#include "rules/analysis/qos_survey.h"
#include "rules/analysis/sl_fold.h"
#include "rules/qos_setup.h"
#include "rules/rule.h"

/* What the ports of one scope hold against what it asks. */
struct outcome {
	size_t compared;
	size_t unread;		/* ports of the scope whose table was not read */
	struct port_set differ;
};

struct judge {
	const struct rule_input *in;
	struct rule_output *out;
	struct qos_setup setup;
	struct outcome (*outcomes)[QOS_TABLE_COUNT];	/* of each scope */
	size_t compared, differ, unread;
};

/* 1 the port holds it, 0 not, -1 not read. */
static int holds_sl2vl(const struct port *port, const struct qos_scope *scope, unsigned in)
{
	const struct sl2vl *table = port_sl2vl(port, in);
	uint8_t masked[SL_COUNT];

	if (!table)
		return -1;
	if (qos_lanes(port) == FIELD_UNKNOWN)
		return sl_fold_is_masked(scope->sl2vl, table->vl);
	qos_mask_sl2vl(scope->sl2vl, qos_lanes(port), masked);
	return memcmp(masked, table->vl, SL_COUNT) == 0;
}

static int holds_vlarb(const struct port *port, const struct vlarb_entry *asked, size_t asked_count,
		       const struct vlarb_entry *held, size_t held_count, int64_t cap)
{
	int64_t lanes = qos_lanes(port);
	struct vlarb_entry want[64];
	size_t want_count;

	if (!held)
		return -1;
	want_count = qos_expect_vlarb(asked, asked_count, cap >= 0 ? cap : 64, lanes, want);
	return qos_vlarb_equal(want, want_count, held, held_count);
}

static int holds(const struct port *port, const struct qos_scope *scope, enum qos_table table,
		 unsigned in)
{
	switch (table) {
	case QOS_TABLE_SL2VL:
		return holds_sl2vl(port, scope, in);
	case QOS_TABLE_HIGH:
		return holds_vlarb(port, scope->high, scope->high_count, port->vlarb_high,
				   port->vlarb_high_count, port->info.vlarb_high_cap);
	case QOS_TABLE_LOW:
		return holds_vlarb(port, scope->low, scope->low_count, port->vlarb_low,
				   port->vlarb_low_count, port->info.vlarb_low_cap);
	case QOS_TABLE_LIMIT:
		return port->info.vl_high_limit == FIELD_UNKNOWN ? -1 :
								   port->info.vl_high_limit == scope->limit;
	case QOS_TABLE_COUNT:
		break;
	}
	return -1;
}

static int compare_port(struct judge *judge, const struct port *port, enum qos_table table,
			unsigned in, struct err *err)
{
	const struct qos_scope *scope = qos_setup_for(&judge->setup, table, port, in);
	struct outcome *outcome;
	int held;

	if (!scope)
		return 0;
	outcome = &judge->outcomes[scope - judge->setup.scopes][table];
	held = holds(port, scope, table, in);
	if (held < 0) {
		outcome->unread++;
		judge->unread++;
		return 0;
	}
	outcome->compared++;
	judge->compared++;
	judge->differ += held == 0;
	return held ? 0 : port_set_add(&outcome->differ, port, err);
}

static int compare(struct judge *judge, struct err *err)
{
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(judge->in->fabric, &walk))) {
		size_t ins = port->device->type == NODE_TYPE_SWITCH ? port->device->port_slots : 1;

		if (!qos_port_counts(port) || port->info.port_state == FIELD_UNKNOWN)
			continue;
		for (size_t in = 0; rc == 0 && in < ins && qos_port_has_sl2vl(port); in++) {
			if (qos_in_port_counts(port, (unsigned)in))
				rc = compare_port(judge, port, QOS_TABLE_SL2VL, (unsigned)in, err);
		}
		for (enum qos_table table = QOS_TABLE_HIGH; rc == 0 && table < QOS_TABLE_COUNT; table++)
			rc = compare_port(judge, port, table, 0, err);
	}
	return rc;
}

/* "0,1,2,..." or "0:64,1:32" or "10": what the scope asks. Returns out. */
static const char *asked_text(const struct qos_scope *scope, enum qos_table table,
			      char out[QOS_VLARB_SIZE])
{
	switch (table) {
	case QOS_TABLE_SL2VL:
		qos_sl2vl_text(scope->sl2vl, out);
		break;
	case QOS_TABLE_HIGH:
		qos_vlarb_text(scope->high, scope->high_count, out);
		break;
	case QOS_TABLE_LOW:
		qos_vlarb_text(scope->low, scope->low_count, out);
		break;
	case QOS_TABLE_LIMIT:
	case QOS_TABLE_COUNT:
		snprintf(out, QOS_VLARB_SIZE, "%lld", (long long)scope->limit);
		break;
	}
	return out;
}

static const char *held_text(const struct port *port, enum qos_table table, char out[QOS_VLARB_SIZE])
{
	switch (table) {
	case QOS_TABLE_SL2VL:
		qos_sl2vl_text(port->sl2vl[0].vl, out);
		break;
	case QOS_TABLE_HIGH:
		qos_vlarb_text(port->vlarb_high, port->vlarb_high_count, out);
		break;
	case QOS_TABLE_LOW:
		qos_vlarb_text(port->vlarb_low, port->vlarb_low_count, out);
		break;
	case QOS_TABLE_LIMIT:
	case QOS_TABLE_COUNT:
		snprintf(out, QOS_VLARB_SIZE, "%lld", (long long)port->info.vl_high_limit);
		break;
	}
	return out[0] ? out : "(no weights)";
}

/* "line 12 sl2vl" = what is asked, and on which ports something else is held. */
static bool add_scope(struct finding *finding, const struct qos_scope *scope, enum qos_table table,
		      const struct outcome *outcome)
{
	char key[64], asked[QOS_VLARB_SIZE], held[QOS_VLARB_SIZE], label[DEVICE_LABEL_SIZE + 16];
	long long line = (long long)scope->node->line;
	char *places;
	bool ok;

	snprintf(key, sizeof(key), "line %lld %s", line, qos_table_option(table));
	asked_text(scope, table, asked);
	if (outcome->differ.count == 0)
		return finding_evidence(finding, key, "asks for %s; %s", asked,
					outcome->compared > 0 ? "the ports of the scope that were read hold it" :
					outcome->unread > 0 ? "the ports' tables were not read" :
							      "no port read belongs to the scope");
	places = port_set_text(&outcome->differ);
	if (!places)
		return false;
	ok = finding_evidence(finding, key, "asks for %s; %zu %s something else, such as %s: %s",
			      asked, outcome->differ.count,
			      text_plural(outcome->differ.count, "port holds", "ports hold"),
			      port_label(outcome->differ.ports[0], false, label, sizeof(label)),
			      held_text(outcome->differ.ports[0], table, held));
	snprintf(key, sizeof(key), "line %lld %s places", line, qos_table_option(table));
	ok = ok && finding_evidence(finding, key, "%s", places);
	free(places);
	return ok;
}

static bool add_scopes(struct finding *finding, const struct judge *judge)
{
	for (size_t i = 0; i < judge->setup.count; i++) {
		const struct qos_scope *scope = &judge->setup.scopes[i];

		for (enum qos_table table = QOS_TABLE_SL2VL; table < QOS_TABLE_COUNT; table++) {
			if (scope->has[table] &&
			    !add_scope(finding, scope, table, &judge->outcomes[i][table]))
				return false;
		}
	}
	return true;
}

/* For one table: the last scope that gives it to ports of each class. */
struct class_scopes {
	const struct qos_scope *of[QOS_CLASS_COUNT];
	bool any[QOS_CLASS_COUNT];	/* a port of the class was looked at */
	bool partly;			/* ports of a class are not all given the same */
};

static void note_scope(struct class_scopes *scopes, enum qos_class class,
		       const struct qos_scope *scope)
{
	if (scopes->any[class] && scope != scopes->of[class])
		scopes->partly = true;
	scopes->any[class] = true;
	if (scope && (!scopes->of[class] || scope > scopes->of[class]))
		scopes->of[class] = scope;
}

/* By the ports of the fabric; a class without any by what the file alone tells. */
static struct class_scopes scopes_of(const struct judge *judge, enum qos_table table)
{
	struct class_scopes scopes = {0};
	struct port_walk walk = {0};
	const struct port *port;

	while ((port = port_walk_next(judge->in->fabric, &walk))) {
		bool pairs = table == QOS_TABLE_SL2VL && port->device->type == NODE_TYPE_SWITCH;
		size_t ins = pairs ? port->device->port_slots : 1;

		if (!qos_port_counts(port) || port->info.port_state == FIELD_UNKNOWN)
			continue;
		for (size_t in = 0; in < ins; in++) {
			if (!pairs || qos_in_port_counts(port, (unsigned)in))
				note_scope(&scopes, qos_class_of_port(port),
					   qos_setup_for(&judge->setup, table, port, (unsigned)in));
		}
	}
	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		for (size_t i = 0; i < judge->setup.count && !scopes.any[class]; i++) {
			const struct qos_scope *scope = &judge->setup.scopes[i];
			unsigned classes = qos_scope_classes(&judge->setup, scope);

			if (!scope->has[table] || (classes != 0 && !(classes >> class & 1)))
				continue;
			scopes.of[class] = scope;
			scopes.partly = scopes.partly || classes == 0;
		}
	}
	return scopes;
}

/* The options that say the same, one a line; a general one where all classes present agree. */
static void write_options(FILE *stream, const struct judge *judge, bool *ret_partly)
{
	char text[QOS_VLARB_SIZE];

	for (enum qos_table table = QOS_TABLE_SL2VL; table < QOS_TABLE_COUNT; table++) {
		struct class_scopes scopes = scopes_of(judge, table);
		const struct qos_scope *common = NULL;
		bool agree = true, first = true;

		for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
			if (!qos_class_present(judge->in->fabric, class))
				continue;
			if (!first && scopes.of[class] != common)
				agree = false;
			common = scopes.of[class];
			first = false;
		}
		*ret_partly = *ret_partly || scopes.partly;
		if (agree && common)
			fprintf(stream, "\nqos_%s %s", qos_table_option(table),
				asked_text(common, table, text));
		for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT && !agree; class++) {
			if (scopes.of[class] && qos_class_present(judge->in->fabric, class))
				fprintf(stream, "\n%s%s %s", qos_class_prefix(class),
					qos_table_option(table),
					asked_text(scopes.of[class], table, text));
		}
	}
}

static bool add_remedy(struct finding *finding, const struct judge *judge)
{
	char *options = NULL;
	size_t size = 0;
	bool partly = false, ok;
	FILE *stream = open_memstream(&options, &size);

	if (!stream)
		return false;
	fputs("qos TRUE", stream);
	write_options(stream, judge, &partly);
	ok = fclose(stream) == 0 &&
	     finding_text(&finding->remedy,
			  "Say it in opensm.conf, send OpenSM a SIGHUP (links stay up) and take the section "
			  "out of the policy.%s These lines say it:\n%s",
			  partly ? " OpenSM has one set for each class of ports: where the section treats "
				   "ports of a class differently, its last scope for them is written here for "
				   "all of the class." : "", options);
	free(options);
	return ok;
}

static bool add_state(struct finding *finding, const struct judge *judge)
{
	const struct qos_policy *policy = &judge->in->fabric->config->policy;

	if (qos_state_of(judge->in->fabric->config) == QOS_OFF &&
	    !finding_evidence(finding, "qos", "not TRUE in opensm.conf: the policy is not even read"))
		return false;
	if (policy->dropped &&
	    !finding_evidence(finding, "policy", "OpenSM drops the whole file for other faults in it"))
		return false;
	if (judge->setup.undefined_group &&
	    !finding_evidence(finding, "groups", "a scope names a port group that the file does not define"))
		return false;
	return judge->setup.left_out == 0 ||
	       finding_evidence(finding, "left out", "%zu scopes beyond the first %d",
				judge->setup.left_out, QOS_SCOPES_MAX);
}

static int report(const struct judge *judge, const struct policy_node *section, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	enum severity severity = SEVERITY_WARNING;
	const char *held = judge->unread > 0 || judge->in->fabric->device_count == 0 ?
				   "what the ports hold was not read" :
				   "no port read belongs to its scopes";
	char place[CITE_SIZE];
	struct finding *finding;

	if (judge->differ > 0) {
		severity = SEVERITY_ERROR;
		held = "and the ports hold something else";
	} else if (judge->compared > 0) {
		severity = judge->unread > 0 ? SEVERITY_WARNING : SEVERITY_INFO;
		held = judge->unread > 0 ? "though the ports that were read hold the same" :
					   "though the ports hold the same";
	}
	finding = rule_finding(judge->out, severity, NULL, NULL, "",
			       "the qos-setup section is parsed and thrown away by OpenSM: none of its "
			       "tables is applied, %s", held);
	if (!finding ||
	    !finding_text(&finding->subject, "%s",
			  cite(fabric, fabric->config->policy.source, section->line, "qos-policy.conf",
			       place)) ||
	    !finding_text(&finding->source, "%s", place) || !add_scopes(finding, judge) ||
	    !add_state(finding, judge) || !add_remedy(finding, judge))
		return err_no_memory(err);
	if (judge->unread > 0)
		return rule_left_out(judge->out, err, "some tables of the ports were not read");
	return 0;
}

static bool asks_anything(const struct qos_setup *setup)
{
	for (size_t i = 0; i < setup->count; i++) {
		for (enum qos_table table = QOS_TABLE_SL2VL; table < QOS_TABLE_COUNT; table++) {
			if (setup->scopes[i].has[table])
				return true;
		}
	}
	return false;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct qos_policy *policy = &in->fabric->config->policy;
	struct judge judge = {.in = in, .out = out};
	const struct policy_node *section;
	int rc;

	if (!policy->present || !policy->root)
		return rule_not_checked(out, err, "qos-policy.conf is not at hand");
	section = policy_child(policy->root, "qos-setup", NULL);
	if (!section)
		return rule_not_applicable(out, err, "the policy has no qos-setup section");
	rc = qos_setup_read(in->fabric, &judge.setup, err);
	if (rc == 0 && !asks_anything(&judge.setup)) {
		rc = rule_not_applicable(out, err, "the qos-setup section asks for nothing");
		goto out;
	}
	if (rc == 0) {
		judge.outcomes = calloc(judge.setup.count, sizeof(*judge.outcomes));
		if (!judge.outcomes)
			rc = err_no_memory(err);
	}
	if (rc == 0)
		rc = compare(&judge, err);
	if (rc == 0)
		rc = report(&judge, section, err);
out:
	for (size_t i = 0; judge.outcomes && i < judge.setup.count; i++) {
		for (size_t table = 0; table < QOS_TABLE_COUNT; table++)
			port_set_free(&judge.outcomes[i][table].differ);
	}
	free(judge.outcomes);
	qos_setup_free(&judge.setup);
	return rc;
}

const struct rule rule_qos_setup_ignored = {
	.id = "qos-setup-ignored",
	.title = "The qos-setup section of the QoS policy is never applied",
	.severity = SEVERITY_ERROR,
	.one_subnet = true,
	.why = "OpenSM reads qos-setup, checks its grammar and frees it; SL2VL, VL arbitration and high "
	       "limits come from the qos_* options of opensm.conf alone. With qos FALSE the file is not "
	       "even read. Whoever wrote the section "
	       "believes in classes of service that no port knows.",
	.needs = "qos-policy.conf; SL2VL and arbitration tables and VLHighLimit of the ports to show the "
		 "differences.",
	.reads = "qos-policy.conf",
	.remedy = "Say it with the qos_* options of opensm.conf and send OpenSM a SIGHUP; links stay up.",
	.source = "opensm osm_qos_parser_y.y, osm_qos_policy.c; doc/QoS_management_in_OpenSM.txt, chapter 2",
	.check = check,
};
