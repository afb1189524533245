/*
 * VLs that carry an SL and have no weight in either arbitration table. Ports are
 * judged by what they hold; classes whose arbitration tables were not read by
 * what opensm.conf would write.
 */
#include <stdio.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/analysis/refusals.h"
#include "rules/analysis/sl_use.h"
#include "rules/rule.h"

/* No released switch or adapter has more data VLs than this, whatever the standard allows. */
#define USUAL_LANES 8

#define IN_USE (UINT64_C(1) << 32)

struct judge {
	const struct rule_input *in;
	struct rule_output *out;
	enum qos_state state;
	struct sl_use use;
	struct qos_survey survey;
	struct port_faults faults;
	size_t judged;
	size_t map_unread;		/* ports with arbitration tables but no SL2VL table */
	size_t lanes_unread;		/* ports whose OperVLs are not known: VL0 alone is judged */
	size_t idle;			/* ports where only SLs nobody is known to use are concerned */
	int64_t lanes[QOS_CLASS_COUNT];	/* most lanes of a port of the class; 0: not known */
	int64_t high_cap[QOS_CLASS_COUNT];	/* fewest table entries of a port of the class; 0: not known */
	int64_t low_cap[QOS_CLASS_COUNT];
};

/* SLs of the table whose VL operates and is not in `served`. */
static uint16_t unserved(const uint8_t table[SL_COUNT], int64_t lanes, uint16_t served)
{
	uint16_t sls = 0;

	for (unsigned sl = 0; sl < SL_COUNT; sl++) {
		if (table[sl] < VL_DROP && (qos_lanes_mask(lanes) >> table[sl] & 1) &&
		    !(served >> table[sl] & 1))
			sls |= (uint16_t)(1u << sl);
	}
	return sls;
}

static int judge_port(struct judge *judge, const struct port *port, struct err *err)
{
	uint16_t served = qos_vlarb_served(port->vlarb_high, port->vlarb_high_count) |
			  qos_vlarb_served(port->vlarb_low, port->vlarb_low_count);
	enum qos_class class = qos_class_of_port(port);
	int64_t lanes = qos_lanes(port);
	uint16_t sls = 0, used;
	int rc = 0;

	judge->judged++;
	judge->lanes_unread += lanes == FIELD_UNKNOWN;
	/* That lane every port has. */
	if (lanes == FIELD_UNKNOWN)
		lanes = 1;
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		if (qos_run_counts(port, &port->sl2vl[i]))
			sls |= unserved(port->sl2vl[i].vl, lanes, served);
	}
	used = sls & judge->use.used;
	sls &= (uint16_t)~used;
	if (used)
		rc = port_faults_add(&judge->faults, class, IN_USE | used, port, err);
	if (rc < 0 || !sls)
		return rc;
	if (judge->state == QOS_OFF) {
		judge->idle++;
		return 0;
	}
	return port_faults_add(&judge->faults, class, sls, port, err);
}

static void note_least(int64_t *least, int64_t value)
{
	if (value > 0 && (*least == 0 || value < *least))
		*least = value;
}

/* Lanes, and table entries of the ports that have so many: a class is judged by those. */
static void note_room(struct judge *judge, enum qos_class class, const struct port *port)
{
	int64_t lanes = qos_lanes(port);

	if (lanes == FIELD_UNKNOWN || lanes < judge->lanes[class])
		return;
	if (lanes > judge->lanes[class]) {
		judge->high_cap[class] = 0;
		judge->low_cap[class] = 0;
	}
	judge->lanes[class] = lanes;
	note_least(&judge->high_cap[class], port->info.vlarb_high_cap);
	note_least(&judge->low_cap[class], port->info.vlarb_low_cap);
}

static int gather(struct judge *judge, struct err *err)
{
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(judge->in->fabric, &walk))) {
		enum qos_class class = qos_class_of_port(port);

		if (!qos_port_counts(port))
			continue;
		note_room(judge, class, port);
		if (!port->vlarb_high || !port->vlarb_low)
			continue;
		if (port->sl2vl_count == 0)
			judge->map_unread++;
		else
			rc = judge_port(judge, port, err);
	}
	return rc < 0 ? rc : port_faults_sort(&judge->faults, err);
}

static bool add_use(struct finding *finding, const struct judge *judge, uint16_t sls)
{
	char text[SL_USE_TEXT_SIZE];

	return !(sls & judge->use.used) ||
	       finding_evidence(finding, "in use", "%s", sl_use_text(&judge->use, sls, text));
}

static int report_group(const struct judge *judge, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	const struct port *port = fault->port;
	uint16_t sls = (uint16_t)(fault->key & 0xffff);
	bool in_use = (fault->key & IN_USE) != 0;
	char message[512], discriminator[128], bits[QOS_BITS_SIZE], vls[QOS_SLS_SIZE];
	char table[QOS_BITS_SIZE], subject[QOS_SLS_SIZE];
	struct finding *finding;

	qos_bits_text(sls, bits);
	qos_vls_text(qos_sl2vl_vls(port->sl2vl[0].vl, sls), vls);
	snprintf(discriminator, sizeof(discriminator), "%s:sl=%s", qos_class_word(fault->class), bits);
	snprintf(message, sizeof(message),
		 "no weight for %s in either arbitration table of %zu %s, and %s mapped there: the "
		 "packets are never sent%s", vls, ports->count,
		 qos_class_counted(fault->class, ports->count),
		 qos_sls_are(sls, subject), in_use ? "" : "; nothing read says that such an SL is in use");
	finding = port_set_finding(ports, judge->out,
				   in_use ? SEVERITY_ERROR :
				   judge->state == QOS_ON ? SEVERITY_WARNING : SEVERITY_INFO,
				   discriminator, message);
	if (!finding ||
	    !finding_evidence(finding, "SL2VL", "%s", qos_sl2vl_text(port->sl2vl[0].vl, table)) ||
	    !vlarb_evidence(finding, port->vlarb_high, port->vlarb_high_count, port->vlarb_low,
			    port->vlarb_low_count) ||
	    !add_use(finding, judge, sls))
		return err_no_memory(err);
	return 0;
}

/* Lanes to judge a class by: as read, else the code's, else what hardware has. */
static int64_t class_lanes(const struct judge *judge, enum qos_class class)
{
	const struct opensm_options *options = &judge->in->fabric->config->opensm;
	int64_t limit = config_oper_vls(options, USUAL_LANES, USUAL_LANES);

	return judge->lanes[class] > 0 ? judge->lanes[class] : limit;
}

/* SLs that the class's set of options leaves without service. */
static uint16_t unserved_by_set(const struct judge *judge, enum qos_class class)
{
	const struct qos_options *set = &judge->in->fabric->config->opensm.set[class];
	int64_t lanes = class_lanes(judge, class);
	int64_t high = judge->high_cap[class] ? judge->high_cap[class] : 64;
	int64_t low = judge->low_cap[class] ? judge->low_cap[class] : 64;
	struct vlarb_entry table[64];
	uint8_t map[SL_COUNT];
	uint16_t served;
	size_t count;

	count = qos_expect_vlarb(set->vlarb_high, set->vlarb_high_count, high, lanes, table);
	served = qos_vlarb_served(table, count);
	count = qos_expect_vlarb(set->vlarb_low, set->vlarb_low_count, low, lanes, table);
	served |= qos_vlarb_served(table, count);
	qos_mask_sl2vl(set->sl2vl, lanes, map);
	return unserved(map, lanes, served);
}

/* True when no port of the class can speak for itself. */
static bool concerned(const struct judge *judge, enum qos_class class)
{
	const struct qos_tally *tally = &judge->survey.class[class];

	if (tally->vlarb_read > 0)
		return false;
	return judge->survey.links_read > 0 ? tally->ports > 0 :
					      qos_class_present(judge->in->fabric, class);
}

/* The option to name: the low-priority table, where a VL without weight belongs. */
static void key_of(const struct qos_options *set, char out[QOS_KEY_SIZE])
{
	int from = set->vlarb_low_from >= 0 ? set->vlarb_low_from : set->vlarb_high_from;

	qos_key_of(from >= 0 ? from : QOS_CLASS_DEFAULT,
		   set->vlarb_low_from >= 0 || from < 0 ? "vlarb_low" : "vlarb_high", out);
}

/* Classes that one key leaves without service alike are told together, under the first of them. */
static int report_set(const struct judge *judge, enum qos_class first, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct opensm_options *options = &fabric->config->opensm;
	const struct qos_options *set = &options->set[first];
	uint16_t sls = unserved_by_set(judge, first);
	char bits[QOS_BITS_SIZE], vls[QOS_SLS_SIZE], table[QOS_BITS_SIZE];
	char key[QOS_KEY_SIZE], other[QOS_KEY_SIZE], place[CITE_SIZE], classes[128] = "";
	char subject[QOS_SLS_SIZE];
	struct finding *finding;
	uint8_t map[SL_COUNT];

	if (!sls || !concerned(judge, first))
		return 0;
	key_of(set, key);
	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		size_t used = strlen(classes);

		key_of(&options->set[class], other);
		if (!concerned(judge, class) || unserved_by_set(judge, class) != sls ||
		    strcmp(key, other) != 0)
			continue;
		if (class < first)
			return 0;
		snprintf(classes + used, sizeof(classes) - used, "%s%s", used ? ", " : "",
			 qos_class_words(class));
	}
	qos_mask_sl2vl(set->sl2vl, class_lanes(judge, first), map);
	qos_bits_text(sls, bits);
	qos_vls_text(qos_sl2vl_vls(map, sls), vls);
	finding = rule_finding(judge->out, sls & judge->use.used ? SEVERITY_ERROR : SEVERITY_WARNING, NULL,
			       NULL, "",
			       "opensm.conf has no weight for %s in either arbitration table of %s, and %s "
			       "mapped there with %lld data VLs: the packets are never sent", vls, classes,
			       qos_sls_are(sls, subject), (long long)class_lanes(judge, first));
	if (!finding || !finding_text(&finding->discriminator, "conf:%s:sl=%s", key, bits) ||
	    !finding_text(&finding->subject, "%s", cite_option(fabric, key, place)) ||
	    !finding_text(&finding->source, "%s", place) ||
	    !finding_evidence(finding, "SL2VL", "%s", qos_sl2vl_text(map, table)) ||
	    !vlarb_evidence(finding, set->vlarb_high, set->vlarb_high_count, set->vlarb_low,
			    set->vlarb_low_count) ||
	    !add_use(finding, judge, sls))
		return err_no_memory(err);
	return 0;
}

static int report_config(const struct judge *judge, struct err *err)
{
	int rc = 0;

	if (judge->state != QOS_ON || strcmp(judge->use.engine, "torus-2QoS") == 0)
		return 0;
	for (enum qos_class class = QOS_CLASS_CA; rc == 0 && class < QOS_CLASS_COUNT; class++)
		rc = report_set(judge, class, err);
	return rc;
}

/* Without a single map nothing was compared: the weights alone tell nothing. */
static int tell_maps_unread(const struct judge *judge, struct err *err)
{
	size_t all = judge->judged + judge->map_unread;
	char why[REFUSALS_SIZE];

	refusals_why(judge->in->fabric, ATTRIBUTE_SL2VL, "", why);
	if (judge->judged == 0)
		return rule_not_checked(judge->out, err,
					"none of the %zu %s with arbitration tables gave an SL2VL table%s",
					all, text_plural(all, "port", "ports"), why);
	return rule_left_out(judge->out, err,
			     "%zu of %zu ports with arbitration tables gave no SL2VL table%s",
			     judge->map_unread, all, why);
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct judge judge = {.in = in, .out = out, .state = qos_state_of(in->fabric->config)};
	const struct port_fault *fault;
	struct port_set ports;
	size_t cursor = 0;
	int rc;

	sl_use_find(in->fabric, &judge.use);
	qos_survey_take(in->fabric, &judge.survey);
	rc = gather(&judge, err);
	while (rc == 0 && (fault = port_faults_next(&judge.faults, &cursor, &ports)))
		rc = report_group(&judge, fault, &ports, err);
	if (rc == 0)
		rc = report_config(&judge, err);
	if (rc == 0)
		rc = qos_survey_report_vlarb(&judge.survey,
					     judge.state == QOS_ON ? "judged from opensm.conf alone" : NULL,
					     out, err);
	if (rc == 0 && judge.map_unread > 0)
		rc = tell_maps_unread(&judge, err);
	if (rc == 0 && judge.lanes_unread > 0)
		rc = rule_left_out(out, err, "%zu of %zu %s OperVLs not known: VL0 alone was judged",
				   judge.lanes_unread, judge.judged,
				   text_plural(judge.judged, "port has", "ports have"));
	if (rc == 0 && judge.idle > 0)
		rc = rule_left_out(out, err,
				   "%zu %s VLs without weight, where nobody is known to program the tables; "
				   "nothing read says that an SL on them is in use", judge.idle,
				   text_plural(judge.idle, "port has", "ports have"));
	port_faults_free(&judge.faults);
	return rc;
}

const struct rule rule_vl_never_served = {
	.id = "vl-never-served",
	.title = "A VL that carries a service level has no weight in either arbitration table",
	.severity = SEVERITY_ERROR,
	.one_subnet = true,
	.why = "An entry of weight 0 is skipped and a VL without an entry is never asked: packets on that "
	       "VL wait until their lifetime ends and are discarded.",
	.needs = "Both arbitration tables and the SL2VL tables of Active ports; else opensm.conf with qos "
		 "TRUE.",
	.reads = "vlarb sl2vl opensm.conf qos-policy.conf",
	.remedy = "Give the VL a weight in qos_vlarb_low or qos_vlarb_high of opensm.conf (and of the port "
		  "class, if it has its own) and send OpenSM a SIGHUP; links stay up.",
	.source = "IBA Volume 1, 7.6.9.2, 14.2.5.9; opensm osm_qos.c",
	.check = check,
};
