/*
 * Fewer lanes than the design needs. With opensm.conf the design is the
 * effective SL2VL set of the port's class; without it the tables themselves can
 * show that they were folded. What opensm.conf would do and no port shows is
 * told in max_op_vls_conf.c.
 */
#include "rules/max_op_vls.h"

#include <stdio.h>
#include <string.h>

#include "rules/analysis/sl_fold.h"

/* Key of a fault: its kind, the lanes that operate, and those of the leftover or of the link. */
enum kind {
	KIND_TRUNCATED,		/* the design needs more lanes than operate */
	KIND_DEAD_LANES,	/* qos is FALSE: lanes were cut and the table names them still */
	KIND_DEAD_SEEN,		/* no opensm.conf: fewer lanes than both ends have, and the table names more */
	KIND_CUT_UNREAD,	/* qos is FALSE: lanes were cut and the table was not read */
	KIND_LEFTOVER,		/* folded for fewer lanes than operate now */
	KIND_FOLDED,		/* no opensm.conf: the table shows a fold */
	KIND_FOLDED_SHIPPED,	/* the same, and the map is the usual one */
};

static uint64_t pack(enum kind kind, int64_t lanes, int64_t other)
{
	return (uint64_t)kind << 32 | (uint64_t)(lanes & 0xff) << 16 | (uint64_t)(other & 0xff);
}

static enum kind kind_of(uint64_t key) { return (enum kind)(key >> 32); }
static int64_t lanes_of(uint64_t key) { return key >> 16 & 0xff; }
static int64_t other_of(uint64_t key) { return key & 0xff; }

/* The table of the first in-port that counts, or NULL. */
static const struct sl2vl *table_of(const struct port *port)
{
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		if (qos_run_counts(port, &port->sl2vl[i]))
			return &port->sl2vl[i];
	}
	return NULL;
}

static bool is_torus(const struct max_op_vls *judge)
{
	return strcmp(judge->use.engine, "torus-2QoS") == 0;
}

bool max_op_vls_is_fault(const struct max_op_vls *judge, enum qos_class class, int64_t lanes,
			 bool cut, bool aggregation)
{
	const struct qos_options *set = &judge->in->fabric->config->opensm.set[class];
	uint8_t held[SL_COUNT];

	if (is_torus(judge))
		return cut && lanes < 8;
	qos_mask_sl2vl(set->sl2vl, lanes, held);
	if (sl_fold_together(set->sl2vl, held, 0xffff) == 0)
		return false;
	if (cut)
		return true;
	if (aggregation)
		return false;
	/* The hardware has no more lanes: a fault for a map somebody wrote, or for SLs in use. */
	return !sl_fold_is_shipped(set->sl2vl) ||
	       sl_fold_together(set->sl2vl, held, judge->use.used) != 0;
}

/* The first class with the same design: classes that share one are told together. */
static enum qos_class class_of_design(const struct max_op_vls *judge, enum qos_class class)
{
	const struct qos_options *sets = judge->in->fabric->config->opensm.set;

	for (enum qos_class first = QOS_CLASS_CA; first < class; first++) {
		if (memcmp(sets[first].sl2vl, sets[class].sl2vl, SL_COUNT) == 0)
			return first;
	}
	return class;
}

/* What a port of a fabric whose opensm.conf says qos TRUE shows. */
static int judge_designed(struct max_op_vls *judge, const struct port *port, struct err *err)
{
	const struct opensm_options *options = &judge->in->fabric->config->opensm;
	enum qos_class class = qos_class_of_port(port);
	int64_t lanes = qos_lanes(port), cap = qos_link_vl_cap(port);
	const struct sl2vl *table = table_of(port);
	int64_t fewer = 0;

	/* OpenSM only ever lowers OperVLs of port 0: what an earlier limit left is no design's fault. */
	if (port->num == 0 && !qos_max_op_vls_cuts(options, cap))
		return 0;
	if (max_op_vls_is_fault(judge, class, lanes, lanes < cap && qos_max_op_vls_cuts(options, cap),
				qos_link_of_aggregation_node(port))) {
		judge->seen[class] = true;
		return port_faults_add(&judge->faults, class_of_design(judge, class),
				       pack(KIND_TRUNCATED, lanes, cap), port, err);
	}
	if (table && port->device->type == NODE_TYPE_SWITCH && !is_torus(judge))
		fewer = sl_fold_leftover(qos_expect_sl2vl(options, port, table->in_first), table->vl,
					 lanes);
	if (fewer > 0)
		return port_faults_add(&judge->faults, QOS_CLASS_DEFAULT, pack(KIND_LEFTOVER, lanes, fewer), port,
				       err);
	return 0;
}

/* True when a table names lanes that both ends have and that do not operate. */
static bool names_cut_lanes(const struct port *port, int64_t lanes, int64_t cap)
{
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		uint16_t vls = qos_sl2vl_vls(port->sl2vl[i].vl, 0xffff);

		if (qos_run_counts(port, &port->sl2vl[i]) &&
		    (vls >> lanes & ((1u << (cap - lanes)) - 1)))
			return true;
	}
	return false;
}

/* qos is FALSE: tables stand as they came, but max_op_vls still takes lanes away. */
static int judge_without_qos(struct max_op_vls *judge, const struct port *port, struct err *err)
{
	const struct opensm_options *options = &judge->in->fabric->config->opensm;
	enum qos_class class = qos_class_of_port(port);
	int64_t lanes = qos_lanes(port), cap = qos_link_vl_cap(port);

	if (cap == FIELD_UNKNOWN || lanes >= cap || !qos_max_op_vls_cuts(options, cap))
		return 0;
	judge->seen[class] = true;
	if (port->sl2vl_count == 0)
		return port_faults_add(&judge->faults, QOS_CLASS_DEFAULT, pack(KIND_CUT_UNREAD, lanes, cap), port,
				       err);
	return !names_cut_lanes(port, lanes, cap) ? 0 :
		       port_faults_add(&judge->faults, QOS_CLASS_DEFAULT, pack(KIND_DEAD_LANES, lanes, cap), port, err);
}

/* The map of the first CA port that was read: switches with the same design fold it alike. */
static const struct port *first_ca_table(const struct fabric *fabric)
{
	struct port_walk walk = {0};
	const struct port *port;

	while ((port = port_walk_next(fabric, &walk))) {
		if (qos_class_of_port(port) == QOS_CLASS_CA && qos_port_has_sl2vl(port) &&
		    port->sl2vl_count > 0 && qos_lanes(port) != FIELD_UNKNOWN)
			return port;
	}
	return NULL;
}

static int judge_by_table(struct max_op_vls *judge, const struct port *ca, const struct port *port,
			  struct err *err)
{
	int64_t lanes = qos_lanes(port), cap = qos_link_vl_cap(port), fewer = 0;
	const struct sl2vl *table = table_of(port);
	enum sl_fold fold;

	if (!table)
		return 0;
	if (ca && port->device->type == NODE_TYPE_SWITCH && qos_lanes(ca) >= lanes)
		fewer = sl_fold_leftover(ca->sl2vl[0].vl, table->vl, lanes);
	if (fewer > 0)
		return port_faults_add(&judge->faults, QOS_CLASS_DEFAULT, pack(KIND_LEFTOVER, lanes, fewer), port,
				       err);
	fold = sl_fold_seen(table->vl, lanes);
	/* OpenSM only ever lowers OperVLs of port 0: they say nothing of what is set now. */
	if (fold == SL_FOLD_NONE && port->num > 0 && cap != FIELD_UNKNOWN && lanes < cap &&
	    !qos_link_of_aggregation_node(port) && names_cut_lanes(port, lanes, cap))
		return port_faults_add(&judge->faults, QOS_CLASS_DEFAULT,
				       pack(KIND_DEAD_SEEN, lanes, cap), port, err);
	if (fold == SL_FOLD_NONE || qos_link_of_aggregation_node(port))
		return 0;
	return port_faults_add(&judge->faults, QOS_CLASS_DEFAULT,
			       pack(fold == SL_FOLD_OWN ? KIND_FOLDED : KIND_FOLDED_SHIPPED, lanes, cap),
			       port, err);
}

static int gather(struct max_op_vls *judge, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct port *ca = first_ca_table(fabric);
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(fabric, &walk))) {
		enum qos_class class = qos_class_of_port(port);
		int64_t cap;

		if (!qos_port_has_sl2vl(port) || port->info.port_state == FIELD_UNKNOWN)
			continue;
		if (qos_lanes(port) == FIELD_UNKNOWN) {
			judge->unread++;
			continue;
		}
		judge->read++;
		cap = qos_link_vl_cap(port);
		judge->class_read[class] = true;
		if (qos_max_op_vls_cuts(&fabric->config->opensm, cap))
			judge->class_cut[class] = true;
		if (judge->state == QOS_ON)
			rc = judge_designed(judge, port, err);
		else if (judge->state == QOS_OFF)
			rc = judge_without_qos(judge, port, err);
		else
			rc = judge_by_table(judge, ca, port, err);
	}
	return rc < 0 ? rc : port_faults_sort(&judge->faults, err);
}

/* Ports whose table names a lane that does not operate: not rewritten since the lanes were cut. */
static size_t count_behind(const struct port_set *ports)
{
	size_t behind = 0;

	for (size_t i = 0; i < ports->count; i++) {
		const struct sl2vl *table = table_of(ports->ports[i]);
		uint16_t vls = table ? qos_sl2vl_vls(table->vl, 0xffff) : 0;

		if (vls >> qos_lanes(ports->ports[i]))
			behind++;
	}
	return behind;
}

static bool drops_some(const struct port_set *ports)
{
	for (size_t i = 0; i < ports->count; i++) {
		const struct sl2vl *table = table_of(ports->ports[i]);

		if (table && memchr(table->vl, VL_DROP, SL_COUNT))
			return true;
	}
	return false;
}

static enum severity severity_of(const struct max_op_vls *judge, uint64_t key)
{
	bool cut = other_of(key) > lanes_of(key) && other_of(key) <= 15;

	switch (kind_of(key)) {
	case KIND_TRUNCATED:
	case KIND_FOLDED:
	case KIND_FOLDED_SHIPPED:
		if (judge->use.engine[0] && cut)
			return SEVERITY_ERROR;
		return kind_of(key) == KIND_FOLDED_SHIPPED ? SEVERITY_INFO : SEVERITY_WARNING;
	case KIND_DEAD_LANES:
		return judge->use.engine[0] ? SEVERITY_ERROR : SEVERITY_WARNING;
	case KIND_DEAD_SEEN:
		return judge->use.engine[0] ? SEVERITY_ERROR : SEVERITY_INFO;
	case KIND_CUT_UNREAD:
		return max_op_vls_unread_severity(judge);
	case KIND_LEFTOVER:
		break;
	}
	return SEVERITY_WARNING;
}

static void print_message(const struct max_op_vls *judge, const struct port_fault *fault,
			  const struct port_set *ports, char *out, size_t size)
{
	char words[PORT_SET_WORDS_SIZE];
	long long lanes = lanes_of(fault->key), other = other_of(fault->key);
	const struct qos_options *set = &judge->in->fabric->config->opensm.set[fault->class];
	unsigned designed = qos_bit_count(qos_sl2vl_vls(set->sl2vl, 0xffff));

	port_set_words(ports, words);
	switch (kind_of(fault->key)) {
	case KIND_TRUNCATED:
		if (is_torus(judge))
			snprintf(out, size, "%lld data VLs operate on %s: torus-2QoS needs 8 to keep "
				 "routes free of deadlock", lanes, words);
		else
			snprintf(out, size, "%lld data VLs operate on %s and the design uses %u: "
				 "service levels meant to be apart share a lane", lanes, words,
				 designed);
		break;
	case KIND_DEAD_LANES:
		snprintf(out, size, "max_op_vls leaves %lld of %lld data VLs on %s; with qos FALSE the "
			 "SL2VL tables are not rewritten and name lanes that were taken away", lanes,
			 other, words);
		break;
	case KIND_DEAD_SEEN:
		snprintf(out, size, "%lld of the %lld data VLs that both ends have operate on %s, and "
			 "the SL2VL tables name lanes that were taken away", lanes, other, words);
		break;
	case KIND_CUT_UNREAD:
		snprintf(out, size, "max_op_vls leaves %lld of %lld data VLs on %s; with qos FALSE the "
			 "SL2VL tables are not rewritten; they were not read and may name lanes that "
			 "were taken away", lanes, other, words);
		break;
	case KIND_LEFTOVER:
		snprintf(out, size, "the SL2VL tables of %s are folded for %lld data %s although %lld "
			 "operate: they are one heavy sweep behind", words, other,
			 text_plural((size_t)other, "VL", "VLs"), lanes);
		break;
	case KIND_FOLDED:
	case KIND_FOLDED_SHIPPED:
		snprintf(out, size, "the SL2VL tables of %s repeat after %lld service levels%s, the "
			 "number of VLs that operate: %s", words, lanes,
			 drops_some(ports) ? " (those sent to VL15 left out)" : "",
			 kind_of(fault->key) == KIND_FOLDED ?
				 "service levels that may have been meant to be apart share a lane" :
				 "the usual map, folded");
		break;
	}
}

static const char *kind_word(enum kind kind)
{
	static const char *const words[] = {
		[KIND_TRUNCATED] = "folded",	[KIND_DEAD_LANES] = "lanes-cut", [KIND_DEAD_SEEN] = "lanes-cut",
		[KIND_CUT_UNREAD] = "lanes-cut",
		[KIND_LEFTOVER] = "leftover",	[KIND_FOLDED] = "folded",
		[KIND_FOLDED_SHIPPED] = "folded",
	};

	return words[kind];
}

/*
 * Where all classes have one design it is that of all ports, as it is where no
 * opensm.conf tells a design: the finding stays the same when one comes to hand.
 */
static const char *class_word(const struct max_op_vls *judge, enum qos_class class)
{
	for (enum qos_class other = QOS_CLASS_CA; other < QOS_CLASS_COUNT; other++) {
		if (class != QOS_CLASS_DEFAULT && qos_class_present(judge->in->fabric, other) &&
		    class_of_design(judge, other) != class)
			return qos_class_word(class);
	}
	return qos_class_word(QOS_CLASS_DEFAULT);
}

static bool add_truncated(struct finding *finding, const struct max_op_vls *judge,
			  const struct port_fault *fault, const struct port_set *ports)
{
	const struct qos_options *set = &judge->in->fabric->config->opensm.set[fault->class];
	size_t behind = count_behind(ports);

	return (is_torus(judge) || max_op_vls_add_design(finding, judge, set, lanes_of(fault->key))) &&
	       (behind == 0 ||
		finding_evidence(finding, "tables behind",
				 "%zu %s lanes that do not operate: one more heavy sweep (SIGHUP) "
				 "rewrites them", behind,
				 text_plural(behind, "port still names", "ports still name")));
}

static bool add_held(struct finding *finding, const struct port_fault *fault)
{
	const struct sl2vl *table = table_of(fault->port);
	char text[QOS_BITS_SIZE], groups[QOS_GROUPS_SIZE];

	return !table ||
	       (finding_evidence(finding, "SL2VL", "%s", qos_sl2vl_text(table->vl, text)) &&
		finding_evidence(finding, "SLs on one lane", "%s",
				 qos_groups_text(table->vl, 0xffff, groups)));
}

static int report_group(const struct max_op_vls *judge, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	enum kind kind = kind_of(fault->key);
	char message[512], discriminator[64];
	struct finding *finding;

	print_message(judge, fault, ports, message, sizeof(message));
	snprintf(discriminator, sizeof(discriminator), "%s:%s:lanes=%lld",
		 class_word(judge, fault->class), kind_word(kind), (long long)lanes_of(fault->key));
	finding = port_set_finding(ports, judge->out, severity_of(judge, fault->key), discriminator,
				   message);
	if (!finding ||
	    !(kind == KIND_TRUNCATED ? add_truncated(finding, judge, fault, ports) :
				       add_held(finding, fault)) ||
	    !max_op_vls_add_limit(finding, judge, kind == KIND_LEFTOVER ? lanes_of(fault->key) :
									   other_of(fault->key),
				  lanes_of(fault->key)))
		return err_no_memory(err);
	if (kind == KIND_LEFTOVER &&
	    !finding_text(&finding->remedy,
			  "Have OpenSM make one more heavy sweep (SIGHUP, or wait for the next one): "
			  "it masks the tables by the VLs that operate now. Links stay up."))
		return err_no_memory(err);
	return 0;
}

static int report_coverage(const struct max_op_vls *judge, struct err *err)
{
	struct qos_survey survey;

	if (judge->state == QOS_UNKNOWN) {
		if (judge->read == 0 && judge->unread > 0)
			return rule_not_checked(judge->out, err,
						"neither opensm.conf is at hand nor were OperVLs read");
		qos_survey_take(judge->in->fabric, &survey);
		return qos_survey_report_sl2vl(&survey, NULL, judge->out, err);
	}
	if (judge->read > 0 && judge->unread > 0)
		return rule_left_out(judge->out, err, "%zu of %zu Active ports gave no OperVLs",
				     judge->unread, judge->read + judge->unread);
	if (judge->read == 0)
		return rule_left_out(judge->out, err,
				     "OperVLs were not read; judged from opensm.conf alone");
	qos_survey_take(judge->in->fabric, &survey);
	if (judge->state == QOS_ON && survey.all.sl2vl_read == 0 && survey.all.sl2vl_missing > 0)
		return rule_left_out(judge->out, err,
				     "SL2VL tables were not read: whether they are a sweep behind is not "
				     "known");
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct max_op_vls judge = {
		.in = in, .out = out, .state = qos_state_of(in->fabric->config)};
	const struct port_fault *fault;
	struct port_set ports;
	size_t cursor = 0;
	int rc;

	sl_use_find(in->fabric, &judge.use);
	rc = gather(&judge, err);
	while (rc == 0 && (fault = port_faults_next(&judge.faults, &cursor, &ports)))
		rc = report_group(&judge, fault, &ports, err);
	if (rc == 0 && judge.state != QOS_UNKNOWN)
		rc = max_op_vls_report_conf(&judge, err);
	if (rc == 0)
		rc = report_coverage(&judge, err);
	port_faults_free(&judge.faults);
	return rc;
}

const struct rule rule_max_op_vls_truncation = {
	.id = "max-op-vls-truncation",
	.title = "Fewer data VLs operate than the design needs, so classes share lanes",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "OpenSM masks SL2VL and arbitration tables by the VLs that operate: with four lanes "
	       "VL 4 becomes VL 0. Classes planned apart then share a lane, its weight and its "
	       "congestion; where SLs keep routes free of deadlock (LASH, DFSSSP, Nue, torus-2QoS) "
	       "the fabric can lock up. max_op_vls is in force with qos FALSE too.",
	.needs = "OperVLs and VLCap of both ends, SL2VL tables, and opensm.conf for the design; with "
		 "neither tables nor opensm.conf nothing can be said.",
	.reads = "oper_vls vl_cap sl2vl opensm.conf",
	.remedy = "Set max_op_vls (1, 2, 3, 4, 5 mean 1, 2, 4, 8, 15 data VLs) so that the design "
		  "fits, or reduce the design to the lanes there are. OpenSM takes every link to a "
		  "CA or router down when it changes OperVLs (links between switches stay up); UFM's "
		  "manual says that its SM takes down all links: plan a maintenance window either way.",
	.source = "IBA Volume 1, 7.6.6, 14.2.5.6 (VLCap, OperationalVLs); opensm osm_port.c "
		  "(osm_physp_calc_link_op_vls), osm_qos.c, osm_link_mgr.c",
	.check = check,
};
