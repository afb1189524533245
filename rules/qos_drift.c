/*
 * What this OpenSM with this opensm.conf would program, against what the ports
 * hold. Tables that are the design under another mask lag one heavy sweep behind
 * and are told by max-op-vls-truncation and sl-to-dead-vl.
 */
#include <stdio.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/analysis/sl_fold.h"
#include "rules/analysis/sl_use.h"
#include "rules/rule.h"

enum aspect {
	ASPECT_OPER_VLS,
	ASPECT_SL2VL,
	ASPECT_HIGH,
	ASPECT_LOW,
	ASPECT_LIMIT,
	ASPECT_COUNT
};

static const struct {
	const char *name;	/* for people */
	const char *word;	/* for discriminators */
	const char *option;	/* after the prefix of the class; max_op_vls has none */
} aspects[ASPECT_COUNT] = {
	[ASPECT_OPER_VLS] = {"OperVLs", "oper-vls", NULL},
	[ASPECT_SL2VL] = {"the SL2VL table", "sl2vl", "sl2vl"},
	[ASPECT_HIGH] = {"the high-priority arbitration table", "vlarb-high", "vlarb_high"},
	[ASPECT_LOW] = {"the low-priority arbitration table", "vlarb-low", "vlarb_low"},
	[ASPECT_LIMIT] = {"VLHighLimit", "high-limit", "high_limit"},
};

struct judge {
	const struct rule_input *in;
	struct rule_output *out;
	const struct opensm_options *options;
	bool tables;		/* qos TRUE, and an engine that leaves the tables to the options */
	struct port_faults faults;
	size_t compared, tables_read, unread;
};

static int add(struct judge *judge, const struct port *port, enum aspect aspect, struct err *err)
{
	return port_faults_add(&judge->faults, qos_class_of_port(port), aspect, port, err);
}

static int judge_oper_vls(struct judge *judge, const struct port *port, struct err *err)
{
	int64_t want = qos_expect_oper_vls(judge->options, port);

	if (want == FIELD_UNKNOWN || qos_lanes(port) == FIELD_UNKNOWN)
		return 0;
	judge->compared++;
	return want == qos_lanes(port) ? 0 : add(judge, port, ASPECT_OPER_VLS, err);
}

/* The design for the first in-port of the run that counts, and whose it is; NULL: none counts. */
static const uint8_t *design_of_run(const struct judge *judge, const struct port *port,
				    const struct sl2vl *run, enum qos_class *ret_class)
{
	for (unsigned in = run->in_first; in <= run->in_last; in++) {
		if (qos_in_port_counts(port, in)) {
			*ret_class = qos_class_of_sl2vl(port, in);
			return judge->options->set[*ret_class].sl2vl;
		}
	}
	return NULL;
}

/* The first run that is neither the design nor, on a switch, the design under another mask. */
static const struct sl2vl *sl2vl_drift(const struct judge *judge, const struct port *port,
				       enum qos_class *ret_class)
{
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		const struct sl2vl *run = &port->sl2vl[i];
		const uint8_t *design = design_of_run(judge, port, run, ret_class);
		uint8_t want[SL_COUNT];

		if (!design)
			continue;
		qos_mask_sl2vl(design, qos_lanes(port), want);
		if (memcmp(want, run->vl, SL_COUNT) != 0 &&
		    !(port->device->type == NODE_TYPE_SWITCH && sl_fold_is_masked(design, run->vl)))
			return run;
	}
	return NULL;
}

static bool vlarb_equals(const struct vlarb_entry *set, size_t set_count, int64_t cap, int64_t lanes,
			 const struct vlarb_entry *held, size_t held_count)
{
	struct vlarb_entry want[64];
	size_t count = qos_expect_vlarb(set, set_count, cap, lanes, want);

	/* Entries that OpenSM does not write (a cap of 64) are nobody's. */
	return qos_vlarb_equal(want, count, held, held_count < count ? held_count : count);
}

static bool vlarb_differs(const struct port *port, const struct vlarb_entry *set, size_t set_count,
			  int64_t cap, const struct vlarb_entry *held, size_t held_count)
{
	if (vlarb_equals(set, set_count, cap, qos_lanes(port), held, held_count))
		return false;
	for (int64_t lanes = 16; lanes >= 1 && port->device->type == NODE_TYPE_SWITCH; lanes /= 2) {
		if (vlarb_equals(set, set_count, cap, lanes, held, held_count))
			return false;
	}
	return true;
}

static int judge_tables(struct judge *judge, const struct port *port, struct err *err)
{
	const struct qos_options *set = &judge->options->set[qos_class_of_port(port)];
	enum qos_class class;
	int rc = 0;

	if (qos_port_has_sl2vl(port)) {
		judge->compared += port->sl2vl_count > 0;
		judge->tables_read += port->sl2vl_count > 0;
		judge->unread += port->sl2vl_count == 0;
		if (sl2vl_drift(judge, port, &class))
			rc = port_faults_add(&judge->faults, class, ASPECT_SL2VL, port, err);
	}
	if (rc == 0 && port->vlarb_high && port->info.vlarb_high_cap > 0 &&
	    vlarb_differs(port, set->vlarb_high, set->vlarb_high_count, port->info.vlarb_high_cap,
			  port->vlarb_high, port->vlarb_high_count))
		rc = add(judge, port, ASPECT_HIGH, err);
	if (rc == 0 && port->vlarb_low && port->info.vlarb_low_cap > 0 &&
	    vlarb_differs(port, set->vlarb_low, set->vlarb_low_count, port->info.vlarb_low_cap,
			  port->vlarb_low, port->vlarb_low_count))
		rc = add(judge, port, ASPECT_LOW, err);
	judge->tables_read += port->vlarb_high && port->vlarb_low;
	judge->unread += !port->vlarb_high || !port->vlarb_low;
	if (rc == 0 && port->info.vl_high_limit != FIELD_UNKNOWN &&
	    port->info.vl_high_limit != set->high_limit)
		rc = add(judge, port, ASPECT_LIMIT, err);
	return rc;
}

static int gather(struct judge *judge, struct err *err)
{
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(judge->in->fabric, &walk))) {
		if (!qos_port_counts(port) || port->info.port_state == FIELD_UNKNOWN)
			continue;
		rc = judge_oper_vls(judge, port, err);
		if (rc == 0 && judge->tables && qos_lanes(port) != FIELD_UNKNOWN)
			rc = judge_tables(judge, port, err);
	}
	return rc < 0 ? rc : port_faults_sort(&judge->faults, err);
}

/* What the first port of the group should hold and does hold. */
static void print_values(const struct judge *judge, const struct port *port, enum aspect aspect,
			 char want[QOS_VLARB_SIZE], char held[QOS_VLARB_SIZE])
{
	const struct qos_options *set = &judge->options->set[qos_class_of_port(port)];
	struct vlarb_entry table[64];
	const struct sl2vl *run;
	enum qos_class class;
	uint8_t map[SL_COUNT];
	size_t count;

	switch (aspect) {
	case ASPECT_OPER_VLS:
		snprintf(want, QOS_VLARB_SIZE, "%lld",
			 (long long)qos_expect_oper_vls(judge->options, port));
		snprintf(held, QOS_VLARB_SIZE, "%lld", (long long)qos_lanes(port));
		break;
	case ASPECT_SL2VL:
		run = sl2vl_drift(judge, port, &class);
		if (!run) {
			*want = *held = '\0';
			break;
		}
		qos_mask_sl2vl(judge->options->set[class].sl2vl, qos_lanes(port), map);
		qos_sl2vl_text(map, want);
		qos_sl2vl_text(run->vl, held);
		break;
	case ASPECT_HIGH:
		count = qos_expect_vlarb(set->vlarb_high, set->vlarb_high_count,
					 port->info.vlarb_high_cap, qos_lanes(port), table);
		qos_vlarb_text(table, count, want);
		qos_vlarb_text(port->vlarb_high, port->vlarb_high_count, held);
		break;
	case ASPECT_LOW:
		count = qos_expect_vlarb(set->vlarb_low, set->vlarb_low_count, port->info.vlarb_low_cap,
					 qos_lanes(port), table);
		qos_vlarb_text(table, count, want);
		qos_vlarb_text(port->vlarb_low, port->vlarb_low_count, held);
		break;
	case ASPECT_LIMIT:
	case ASPECT_COUNT:
		snprintf(want, QOS_VLARB_SIZE, "%lld", (long long)set->high_limit);
		snprintf(held, QOS_VLARB_SIZE, "%lld", (long long)port->info.vl_high_limit);
		break;
	}
}

static const char *option_key(const struct judge *judge, enum qos_class class, enum aspect aspect,
			      char out[QOS_KEY_SIZE])
{
	const struct qos_options *set = &judge->options->set[class];
	const int from[ASPECT_COUNT] = {-1, set->sl2vl_from, set->vlarb_high_from, set->vlarb_low_from,
				      set->high_limit_from};

	if (aspect == ASPECT_OPER_VLS)
		return "max_op_vls";
	return qos_key_of(from[aspect], aspects[aspect].option, out);
}

static int report_group(const struct judge *judge, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	enum aspect aspect = (enum aspect)fault->key;
	char message[512], discriminator[64], want[QOS_VLARB_SIZE], held[QOS_VLARB_SIZE];
	char buffer[QOS_KEY_SIZE], place[CITE_SIZE], words[PORT_SET_WORDS_SIZE];
	const char *key = option_key(judge, fault->class, aspect, buffer);
	struct finding *finding;

	print_values(judge, fault->port, aspect, want, held);
	snprintf(discriminator, sizeof(discriminator), "%s:%s", qos_class_word(fault->class),
		 aspects[aspect].word);
	snprintf(message, sizeof(message),
		 "%s of %s is not what this opensm.conf makes OpenSM write", aspects[aspect].name,
		 port_set_words(ports, words));
	finding = port_set_finding(ports, judge->out, SEVERITY_ERROR, discriminator, message);
	if (!finding || !finding_evidence(finding, "held", "%s", held[0] ? held : "no weights") ||
	    !finding_evidence(finding, "expected", "%s", want[0] ? want : "no weights") ||
	    !(key[0] ? finding_evidence(finding, "opensm.conf", "%s: %s",
					cite_option(fabric, key, place), key) :
		       finding_evidence(finding, "opensm.conf", "%s: not written, OpenSM's default",
					cite(fabric, fabric->config->opensm_conf, 0, "opensm.conf",
					     place))))
		return err_no_memory(err);
	return 0;
}

static int report_coverage(const struct judge *judge, const struct sl_use *use, struct err *err)
{
	int rc = 0;

	if (judge->compared == 0)
		return rule_not_checked(judge->out, err,
					"no Active port was read with what opensm.conf could be compared with");
	if (!judge->options->qos)
		rc = rule_left_out(judge->out, err,
				   "qos is not TRUE: only OperVLs are OpenSM's, tables and high limits "
				   "are not compared");
	else if (!judge->tables)
		rc = rule_left_out(judge->out, err, "%s writes tables of its own: only OperVLs are compared",
				   use->engine);
	else if (judge->tables_read == 0)
		rc = rule_left_out(judge->out, err,
				   "no SL2VL and no arbitration table was read: only OperVLs and high "
				   "limits are compared");
	else if (judge->unread > 0)
		rc = rule_left_out(judge->out, err, "%zu of %zu tables were not read", judge->unread,
				   judge->tables_read + judge->unread);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	struct judge judge = {.in = in, .out = out, .options = &config->opensm};
	const struct port_fault *fault;
	struct port_set ports;
	struct sl_use use;
	size_t cursor = 0;
	int rc;

	if (config->opensm_conf == 0)
		return rule_not_checked(out, err, "opensm.conf is not at hand");
	sl_use_find(in->fabric, &use);
	judge.tables = config->opensm.qos && strcmp(use.engine, "torus-2QoS") != 0;
	rc = gather(&judge, err);
	while (rc == 0 && (fault = port_faults_next(&judge.faults, &cursor, &ports)))
		rc = report_group(&judge, fault, &ports, err);
	if (rc == 0)
		rc = report_coverage(&judge, &use, err);
	port_faults_free(&judge.faults);
	return rc;
}

const struct rule rule_qos_drift = {
	.id = "qos-drift",
	.title = "Ports do not hold what this OpenSM configuration would write",
	.severity = SEVERITY_ERROR,
	.one_subnet = true,
	.why = "The SM runs with another configuration than this file, was not restarted or told of the "
	       "change, or another SM is master: what the file intends is not in force.",
	.needs = "opensm.conf; VLCap and OperVLs, and with qos TRUE SL2VL, arbitration tables and "
		 "VLHighLimit of Active ports.",
	.reads = "oper_vls sl2vl vlarb vl_high_limit opensm.conf",
	.remedy = "Find out which file the master SM reads (opensm -F) and whether options were given on its "
		  "command line; then send it a SIGHUP, or restart it. A change of OperVLs takes links to "
		  "CAs and routers down: plan a maintenance window for that.",
	.source = "opensm osm_qos.c, osm_link_mgr.c, osm_port.c",
	.check = check,
};
