/*
 * VLHighLimit 255. A port is judged by what it holds; where its arbitration
 * tables were not read, by those that opensm.conf gives it. Values differ
 * between port classes on healthy fabrics, so only the value itself counts.
 *
 * All ports of a class are one finding, as grave as the gravest of them: how much
 * was read of their tables, and whether an SL is known to be in use, changes what
 * is known of it and not what it is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/analysis/sl_use.h"
#include "rules/rule.h"

#define UNBOUNDED 255

/* What the arbitration of a port, or of a set of options, comes to. */
struct arbitration {
	bool known;
	bool from_config;
	uint16_t high;		/* VLs with a weight in the high table */
	uint16_t low;
	bool map_known;
	uint16_t vls_in_use;	/* VLs that carry SLs in use, when map_known */
};

struct judge {
	const struct rule_input *in;
	struct rule_output *out;
	struct sl_use use;
	struct port_faults faults;
	bool any_read;		/* of any port at all, one that does not count too */
	size_t read, unread, tables_unread;
	bool seen[QOS_CLASS_COUNT];	/* some port of the class holds 255 */
	bool other[QOS_CLASS_COUNT];	/* some port of the class holds another value */
};

static struct arbitration of_set(const struct judge *judge, enum qos_class class, int64_t lanes)
{
	const struct qos_options *set = &judge->in->fabric->config->opensm.set[class];
	struct arbitration arb = {.known = true, .from_config = true, .map_known = true};
	struct vlarb_entry table[64];
	uint8_t map[SL_COUNT];
	size_t count;

	count = qos_expect_vlarb(set->vlarb_high, set->vlarb_high_count, 64, lanes, table);
	arb.high = qos_vlarb_served(table, count);
	count = qos_expect_vlarb(set->vlarb_low, set->vlarb_low_count, 64, lanes, table);
	arb.low = qos_vlarb_served(table, count);
	qos_mask_sl2vl(set->sl2vl, lanes, map);
	arb.vls_in_use = qos_sl2vl_vls(map, judge->use.used);
	return arb;
}

static struct arbitration of_port(const struct judge *judge, const struct port *port)
{
	struct arbitration arb = {0};

	if (!port->vlarb_high || !port->vlarb_low) {
		if (qos_state_of(judge->in->fabric->config) == QOS_ON)
			return of_set(judge, qos_class_of_port(port), qos_lanes(port));
		return arb;
	}
	arb.known = true;
	arb.high = qos_vlarb_served(port->vlarb_high, port->vlarb_high_count);
	arb.low = qos_vlarb_served(port->vlarb_low, port->vlarb_low_count) &
		  qos_lanes_mask(qos_lanes(port));
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		if (!qos_run_counts(port, &port->sl2vl[i]))
			continue;
		arb.map_known = true;
		arb.vls_in_use |= qos_sl2vl_vls(port->sl2vl[i].vl, judge->use.used);
	}
	return arb;
}

/* Nothing can starve when the high table has no weight at all. */
static bool harmless(const struct arbitration *arb)
{
	return arb->known && arb->high == 0;
}

static uint16_t low_only_of(const struct arbitration *arb)
{
	return arb->known ? arb->low & (uint16_t)~arb->high : 0;
}

static enum severity severity_of(const struct arbitration *arb)
{
	uint16_t low_only = low_only_of(arb);

	if (low_only == 0)
		return SEVERITY_WARNING;
	if (qos_bit_count(arb->low) > 1 || (arb->map_known && (low_only & arb->vls_in_use)))
		return SEVERITY_ERROR;
	return SEVERITY_WARNING;
}

static int gather(struct judge *judge, struct err *err)
{
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(judge->in->fabric, &walk))) {
		enum qos_class class = qos_class_of_port(port);
		struct arbitration arb;

		judge->any_read |= port->info.vl_high_limit != FIELD_UNKNOWN;
		if (!qos_port_counts(port) || port->info.port_state == FIELD_UNKNOWN)
			continue;
		if (port->info.vl_high_limit == FIELD_UNKNOWN) {
			judge->unread++;
			continue;
		}
		judge->read++;
		if (port->info.vl_high_limit != UNBOUNDED) {
			judge->other[class] = true;
			continue;
		}
		arb = of_port(judge, port);
		/* One lane alone has nothing that could starve. */
		if (harmless(&arb) || qos_lanes(port) == 1)
			continue;
		judge->seen[class] = true;
		if (!arb.known || arb.from_config)
			judge->tables_unread++;
		rc = port_faults_add(&judge->faults, class, 0, port, err);
	}
	return rc < 0 ? rc : port_faults_sort(&judge->faults, err);
}

static bool add_arbitration(struct finding *finding, const struct judge *judge,
			    const struct arbitration *arb, const uint8_t *map)
{
	char high[QOS_BITS_SIZE], low[QOS_BITS_SIZE], text[SL_USE_TEXT_SIZE];
	uint16_t low_only = low_only_of(arb), sls = 0;

	if (!arb->known)
		return finding_evidence(finding, "arbitration", "the tables were not read");
	for (unsigned sl = 0; map && sl < SL_COUNT; sl++) {
		if (map[sl] < VL_DROP && (low_only >> map[sl] & 1))
			sls |= (uint16_t)(1u << sl);
	}
	sls &= judge->use.used;
	return finding_evidence(finding, "VLs served first", "%s%s",
				qos_bits_text(arb->high, high),
				arb->from_config ? " (opensm.conf; the tables were not read)" : "") &&
	       finding_evidence(finding, "VLs that may starve", "%s", qos_bits_text(low_only, low)) &&
	       (sls == 0 || finding_evidence(finding, "in use", "%s",
					     sl_use_text(&judge->use, sls, text)));
}

/* Which option gives the class its high limit, and whether one out of range led there. */
static bool add_option(struct finding *finding, const struct judge *judge, enum qos_class class)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct qos_options *set = &fabric->config->opensm.set[class];
	const struct config_option *own = qos_option_of(fabric->config, class, "high_limit");
	char key[QOS_KEY_SIZE], place[CITE_SIZE];

	switch (qos_state_of(fabric->config)) {
	case QOS_UNKNOWN:
		return true;
	case QOS_OFF:
		return finding_evidence(finding, "opensm.conf",
					"qos is not TRUE: unless it runs with -Q this OpenSM does not "
					"write VLHighLimit; the firmware or another SM left it");
	case QOS_ON:
		break;
	}
	if (set->high_limit != UNBOUNDED)
		return finding_evidence(finding, "opensm.conf", "asks for %lld, which the port does not hold",
					(long long)set->high_limit);
	qos_key_of(set->high_limit_from, "high_limit", key);
	if (!finding_evidence(finding, "opensm.conf", "%s: %s 255", cite_option(fabric, key, place), key))
		return false;
	if (set->high_limit_from == QOS_CLASS_DEFAULT && own && own->raw &&
	    strtoll(own->raw, NULL, 0) > UNBOUNDED)
		return finding_evidence(finding, own->key,
					"above 255, so OpenSM unsets it and %s holds, although its "
					"message says 0", key);
	return true;
}

/* How grave, then how much is known: the greater, the more it is worth telling. */
static int weight_of(const struct arbitration *arb)
{
	return (int)severity_of(arb) * 4 + (low_only_of(arb) != 0) * 2 + arb->known;
}

/* The port that is worst off; *ret_like is how many are as badly off. */
static const struct port *worst_of(const struct judge *judge, const struct port_set *ports,
				   size_t *ret_like)
{
	const struct port *worst = ports->ports[0];
	int most = -1;

	for (size_t i = 0; i < ports->count; i++) {
		struct arbitration arb = of_port(judge, ports->ports[i]);
		int weight = weight_of(&arb);

		if (weight > most) {
			most = weight;
			worst = ports->ports[i];
			*ret_like = 0;
		}
		*ret_like += weight == most;
	}
	return worst;
}

static void print_message(const struct arbitration *arb, enum qos_class class, size_t count,
			  char *out, size_t size)
{
	const char *words = qos_class_counted(class, count);
	uint16_t low_only = low_only_of(arb);
	char low[QOS_SLS_SIZE];

	if (!arb->known)
		snprintf(out, size,
			 "VLHighLimit is 255 (no limit) on %zu %s: VLs of the low-priority table may "
			 "starve; the arbitration tables were not read", count, words);
	else if (low_only == 0)
		snprintf(out, size,
			 "VLHighLimit is 255 (no limit) on %zu %s: the low-priority table may get no "
			 "turn; its VLs have weight in the high-priority table too", count, words);
	else
		snprintf(out, size,
			 "VLHighLimit is 255 (no limit) on %zu %s: while a VL of the high-priority "
			 "table has packets, %s of the low-priority table may starve",
			 count, words, qos_vls_text(low_only, low));
}

static int report_group(const struct judge *judge, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	size_t like = 0;
	const struct port *port = worst_of(judge, ports, &like);
	struct arbitration arb = of_port(judge, port);
	const uint8_t *map = port->sl2vl_count > 0 ? port->sl2vl[0].vl : NULL;
	char label[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;
	char message[512];

	print_message(&arb, fault->class, ports->count, message, sizeof(message));
	finding = port_set_finding(ports, judge->out, severity_of(&arb), qos_class_word(fault->class),
				   message);
	if (!finding || !add_arbitration(finding, judge, &arb, map) ||
	    !add_option(finding, judge, fault->class))
		return err_no_memory(err);
	if (like < ports->count &&
	    !finding_evidence(finding, "worst",
			      "%zu of these ports, such as %s; the others' tables starve less or were "
			      "not read", like, port_label(port, false, label, sizeof(label))))
		return err_no_memory(err);
	return 0;
}

/* True when ports of some class hold what the key gives: their finding names it. */
static bool key_is_told(const struct judge *judge, int from)
{
	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		const struct qos_options *set = &judge->in->fabric->config->opensm.set[class];

		if (set->high_limit_from == from && set->high_limit == UNBOUNDED && judge->seen[class])
			return true;
	}
	return false;
}

/* One finding for each key of opensm.conf that gives 255 to a class where no port was seen with it. */
static int report_key(const struct judge *judge, int from, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct opensm_options *options = &fabric->config->opensm;
	int64_t lanes = config_oper_vls(options, FIELD_UNKNOWN, FIELD_UNKNOWN);
	char key[QOS_KEY_SIZE], place[CITE_SIZE], classes[128] = "";
	enum severity severity = SEVERITY_WARNING;
	enum qos_class example = QOS_CLASS_DEFAULT;
	struct arbitration arb;
	struct finding *finding;
	bool held_other = false;

	if (key_is_told(judge, from) || lanes == 1)
		return 0;
	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		const struct qos_options *set = &options->set[class];
		size_t used = strlen(classes);

		arb = of_set(judge, class, lanes);
		if (set->high_limit != UNBOUNDED || set->high_limit_from != from ||
		    judge->seen[class] || harmless(&arb) || !qos_class_present(fabric, class))
			continue;
		held_other = held_other || judge->other[class];
		if (severity_of(&arb) > severity)
			severity = severity_of(&arb);
		if (example == QOS_CLASS_DEFAULT)
			example = class;
		snprintf(classes + used, sizeof(classes) - used, "%s%s", used ? ", " : "",
			 qos_class_words(class));
	}
	if (example == QOS_CLASS_DEFAULT)
		return 0;
	arb = of_set(judge, example, lanes);
	qos_key_of(from, "high_limit", key);
	finding = rule_finding(judge->out, held_other ? SEVERITY_WARNING : severity, NULL, NULL, "",
			       "%s 255 puts no limit on the high-priority table of %s: VLs of the "
			       "low-priority table may starve%s", key, classes,
			       held_other ? "; the ports read do not hold that" : "");
	if (!finding || !finding_text(&finding->discriminator, "conf:%s", key) ||
	    !finding_text(&finding->subject, "%s", cite_option(fabric, key, place)) ||
	    !finding_text(&finding->source, "%s", place) ||
	    !add_arbitration(finding, judge, &arb, options->set[example].sl2vl) ||
	    !add_option(finding, judge, example))
		return err_no_memory(err);
	return 0;
}

/* Options that would be 255 if they were in force. */
static int report_dead_options(const struct judge *judge, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;

	int rc = 0;

	for (enum qos_class class = QOS_CLASS_DEFAULT; rc == 0 && class < QOS_CLASS_COUNT; class++) {
		const struct qos_options *set = &fabric->config->opensm.set[class];
		char key[QOS_KEY_SIZE], place[CITE_SIZE];

		if (set->high_limit != UNBOUNDED || set->high_limit_from != (int)class)
			continue;
		qos_key_of(set->high_limit_from, "high_limit", key);
		rc = rule_left_out(judge->out, err,
				   "%s has %s 255, which is dead while qos is not TRUE",
				   cite_option(fabric, key, place), key);
	}
	return rc;
}

static int report_coverage(const struct judge *judge, struct err *err)
{
	enum qos_state state = qos_state_of(judge->in->fabric->config);

	if (judge->read + judge->unread == 0) {
		if (state == QOS_ON)
			return rule_left_out(judge->out, err, "no port was read; judged from opensm.conf alone");
		if (!judge->any_read)
			return rule_not_checked(judge->out, err, "no VLHighLimit of any port was read");
		return rule_not_applicable(judge->out, err,
					   "no Active port with more than one data VL was read");
	}
	if (judge->read == 0 && state != QOS_ON)
		return rule_not_checked(judge->out, err, "VLHighLimit was not read (PortInfo)");
	if (judge->unread > 0)
		return rule_left_out(judge->out, err, "%zu of %zu Active ports gave no VLHighLimit",
				     judge->unread, judge->read + judge->unread);
	if (judge->tables_unread > 0)
		return rule_left_out(judge->out, err,
				     "the arbitration tables of %zu %s with 255 were not read",
				     judge->tables_unread,
				     text_plural(judge->tables_unread, "port", "ports"));
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct judge judge = {.in = in, .out = out};
	enum qos_state state = qos_state_of(in->fabric->config);
	const struct port_fault *fault;
	struct port_set ports;
	size_t cursor = 0;
	int rc;

	sl_use_find(in->fabric, &judge.use);
	rc = gather(&judge, err);
	while (rc == 0 && (fault = port_faults_next(&judge.faults, &cursor, &ports)))
		rc = report_group(&judge, fault, &ports, err);
	for (int from = QOS_CLASS_DEFAULT; rc == 0 && state == QOS_ON && from < QOS_CLASS_COUNT; from++)
		rc = report_key(&judge, from, err);
	if (rc == 0 && state == QOS_OFF)
		rc = report_dead_options(&judge, err);
	if (rc == 0)
		rc = report_coverage(&judge, err);
	port_faults_free(&judge.faults);
	return rc;
}

const struct rule rule_high_limit_unbounded = {
	.id = "high-limit-unbounded",
	.title = "The high-priority arbitration table has no limit",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "VLHighLimit says how much may be sent from the high-priority table before one "
	       "low-priority packet gets its turn, in units of 4096 bytes. 255 means no limit: as "
	       "long as a high-priority VL has packets, the low-priority VLs wait, and packets that "
	       "wait too long are discarded.",
	.needs = "VLHighLimit of Active ports with more than one data VL and their arbitration "
		 "tables; else opensm.conf with qos TRUE.",
	.reads = "vl_high_limit",
	.remedy = "Set qos_high_limit (and the one of the port class) in opensm.conf to a number "
		  "that fits, such as 10 (40 KB), and send OpenSM a SIGHUP; links stay up.",
	.source = "IBA Volume 1, 7.6.9.2 (VL arbitration), 14.2.5.6 (VLHighLimit); opensm "
		  "osm_link_mgr.c, osm_qos.c",
	.check = check,
};
