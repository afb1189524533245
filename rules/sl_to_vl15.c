/*
 * SL2VL entries of 15. The tables of the ports are judged where they were read;
 * opensm.conf is judged for what it would write, and given as the cause where
 * the ports hold just that.
 *
 * SLs that a port drops are one finding whether or not they are known to be in use:
 * a policy that comes to hand makes it graver and no other. SL 15, which a map may
 * leave out on purpose, stands apart.
 */
#include <stdio.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/log_events.h"
#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/analysis/sl_use.h"
#include "rules/rule.h"

#define SL15 (1u << 15)

struct judge {
	const struct rule_input *in;
	struct rule_output *out;
	struct sl_use use;
	struct qos_survey survey;
	uint16_t seen[QOS_CLASS_COUNT];	/* SLs that ports of the class were seen to drop */
};

/* SLs in use drop traffic; 15 alone in the last place is a choice somebody made. */
static enum severity severity_of(uint16_t sls, bool in_use)
{
	if (in_use)
		return SEVERITY_CRITICAL;
	return sls == SL15 ? SEVERITY_INFO : SEVERITY_WARNING;
}

static uint16_t dropped_by(const uint8_t table[SL_COUNT])
{
	uint16_t sls = 0;

	for (unsigned sl = 0; sl < SL_COUNT; sl++) {
		if (table[sl] == VL_DROP)
			sls |= (uint16_t)(1u << sl);
	}
	return sls;
}

/* The class whose options the run follows: the first in-port that counts decides. */
static enum qos_class class_of_run(const struct port *port, const struct sl2vl *run)
{
	for (unsigned in = run->in_first; in <= run->in_last; in++) {
		if (qos_in_port_counts(port, in))
			return qos_class_of_sl2vl(port, in);
	}
	return QOS_CLASS_COUNT;
}

/* SLs that the port drops, by the class whose options its tables follow. */
static void dropped_on(const struct port *port, uint16_t ret_sls[QOS_CLASS_COUNT])
{
	memset(ret_sls, 0, QOS_CLASS_COUNT * sizeof(*ret_sls));
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		enum qos_class class = class_of_run(port, &port->sl2vl[i]);

		if (class != QOS_CLASS_COUNT)
			ret_sls[class] |= dropped_by(port->sl2vl[i].vl);
	}
}

static int judge_port(struct judge *judge, struct port_faults *faults, const struct port *port,
		      struct err *err)
{
	uint16_t dropped[QOS_CLASS_COUNT];
	int rc = 0;

	dropped_on(port, dropped);
	for (enum qos_class class = QOS_CLASS_CA; rc == 0 && class < QOS_CLASS_COUNT; class++) {
		uint16_t last = dropped[class] & SL15;
		uint16_t others = dropped[class] & (uint16_t)~SL15;

		judge->seen[class] |= dropped[class];
		if (others)
			rc = port_faults_add(faults, class, others, port, err);
		if (rc == 0 && last)
			rc = port_faults_add(faults, class, last, port, err);
	}
	return rc;
}

static int gather(struct judge *judge, struct port_faults *faults, struct err *err)
{
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(judge->in->fabric, &walk))) {
		if (port->sl2vl && qos_port_has_sl2vl(port))
			rc = judge_port(judge, faults, port, err);
	}
	return rc < 0 ? rc : port_faults_sort(faults, err);
}

/* The first table of the port that drops one of the SLs. */
static const uint8_t *table_of(const struct port *port, enum qos_class class, uint16_t sls)
{
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		if ((dropped_by(port->sl2vl[i].vl) & sls) &&
		    class_of_run(port, &port->sl2vl[i]) == class)
			return port->sl2vl[i].vl;
	}
	return port->sl2vl[0].vl;
}

/* Through which in-ports the first port of the places drops these SLs. */
static bool add_in_ports(struct finding *finding, const struct port *port, uint16_t sls)
{
	char text[256];
	size_t used = 0;

	if (port->device->type != NODE_TYPE_SWITCH)
		return true;
	text[0] = '\0';
	for (size_t i = 0; i < port->sl2vl_count && used < sizeof(text) - 16; i++) {
		const struct sl2vl *run = &port->sl2vl[i];

		if (!(dropped_by(run->vl) & sls) || !qos_run_counts(port, run))
			continue;
		if (run->in_first == run->in_last)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%d",
						 used ? "," : "", run->in_first);
		else
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%d-%d",
						 used ? "," : "", run->in_first, run->in_last);
	}
	return finding_evidence(finding, "in ports",
				"packets that come in by %s %s and leave by port %d (the first of the "
				"places)", strpbrk(text, ",-") ? "ports" : "port", text, port->num);
}

static bool add_config(struct finding *finding, const struct judge *judge, enum qos_class class,
		       uint16_t sls)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct qos_options *set = &fabric->config->opensm.set[class];
	char key[QOS_KEY_SIZE], place[CITE_SIZE], table[QOS_BITS_SIZE];

	switch (qos_state_of(fabric->config)) {
	case QOS_OFF:
		return finding_evidence(finding, "opensm.conf",
					"qos is not TRUE: unless it runs with -Q this OpenSM leaves the "
					"table as it found it");
	case QOS_ON:
		if ((dropped_by(set->sl2vl) & sls) == 0)
			return finding_evidence(finding, "opensm.conf",
						"asks for another table: not what this OpenSM wrote last");
		qos_key_of(set->sl2vl_from, "sl2vl", key);
		return finding_evidence(finding, "opensm.conf", "%s: %s %s",
					cite_option(fabric, key, place), key,
					qos_sl2vl_text(set->sl2vl, table));
	case QOS_UNKNOWN:
		break;
	}
	return true;
}

static bool add_use(struct finding *finding, const struct judge *judge, uint16_t sls)
{
	char text[SL_USE_TEXT_SIZE];

	if (!(sls & judge->use.used))
		return true;
	return finding_evidence(finding, "in use", "%s", sl_use_text(&judge->use, sls, text));
}

static int report_group(const struct judge *judge, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	uint16_t sls = (uint16_t)(fault->key & 0xffff);
	uint16_t used = sls & judge->use.used;
	bool in_use = used != 0;
	char users[QOS_SLS_SIZE], message[512], discriminator[96], bits[QOS_BITS_SIZE], table[QOS_BITS_SIZE];
	char subject[QOS_SLS_SIZE], words[PORT_SET_WORDS_SIZE];
	struct finding *finding;

	snprintf(users, sizeof(users), " (%s %s)", qos_bit_count(used) > 1 ? "SLs" : "SL",
		 qos_bits_text(used, bits));
	qos_bits_text(sls, bits);
	snprintf(discriminator, sizeof(discriminator), "%s:sl=%s", qos_class_word(fault->class), bits);
	snprintf(message, sizeof(message),
		 "%s mapped to VL 15 on %s: %s%s", qos_sls_are(sls, subject),
		 port_set_words(ports, words),
		 in_use ? "packets of a service level in use are dropped there" :
		 sls == SL15 ? "SL 15 is switched off (the usual map has VL 7 there)" :
			       "their packets are dropped; nothing read says that they are in use",
		 !in_use || used == sls ? "" : users);
	finding = port_set_finding(ports, judge->out, severity_of(sls, in_use), discriminator, message);
	if (!finding || !finding_evidence(finding, "SL2VL", "%s",
					  qos_sl2vl_text(table_of(fault->port, fault->class, sls), table)) ||
	    !add_in_ports(finding, fault->port, sls) || !add_use(finding, judge, sls) ||
	    !add_config(finding, judge, fault->class, sls))
		return err_no_memory(err);
	return 0;
}

/* True when ports of some class hold what the key asks: their finding names it. */
static bool key_is_told(const struct judge *judge, int from)
{
	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		const struct qos_options *set = &judge->in->fabric->config->opensm.set[class];
		uint16_t asked = dropped_by(set->sl2vl);

		if (set->sl2vl_from == from && asked && (asked & ~judge->seen[class]) == 0)
			return true;
	}
	return false;
}

/* What opensm.conf would write and no port was seen to hold, once for each key that says it. */
static int report_key(const struct judge *judge, int from, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	char key[QOS_KEY_SIZE], place[CITE_SIZE], bits[QOS_BITS_SIZE], table[QOS_BITS_SIZE];
	char classes[128] = "";
	const struct qos_options *set = NULL;
	struct finding *finding;
	bool tables_read = false;
	uint16_t sls = 0;

	if (key_is_told(judge, from))
		return 0;
	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		const struct qos_options *own = &fabric->config->opensm.set[class];
		uint16_t asked = dropped_by(own->sl2vl) & (uint16_t)~judge->seen[class];
		size_t used = strlen(classes);

		if (own->sl2vl_from != from || asked == 0 || !qos_class_present(fabric, class))
			continue;
		set = own;
		sls |= asked;
		if (judge->survey.class[class].sl2vl_read > 0)
			tables_read = true;
		snprintf(classes + used, sizeof(classes) - used, "%s%s", used ? ", " : "",
			 qos_class_words(class));
	}
	if (!set)
		return 0;
	qos_key_of(from, "sl2vl", key);
	qos_bits_text(sls, bits);
	finding = rule_finding(judge->out,
			       tables_read ? severity_of(sls, false) :
					     severity_of(sls, (sls & judge->use.used) != 0),
			       NULL, NULL, "", "%s maps %s %s to VL 15 on %s%s", key,
			       qos_bit_count(sls) > 1 ? "SLs" : "SL", bits, classes,
			       tables_read ? "; the ports do not hold that yet" :
					     ": OpenSM writes it and their packets are dropped");
	if (!finding || !finding_text(&finding->discriminator, "conf:%s:sl=%s", key, bits) ||
	    !finding_text(&finding->subject, "%s", cite_option(fabric, key, place)) ||
	    !finding_text(&finding->source, "%s", place) ||
	    !finding_evidence(finding, key, "%s", qos_sl2vl_text(set->sl2vl, table)) ||
	    !add_use(finding, judge, sls))
		return err_no_memory(err);
	return 0;
}

static int report_log(const struct judge *judge, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct log_event *event = log_event_next(fabric->config, LOG_SL_TO_VL15, NULL);
	struct finding *finding;
	char place[CITE_SIZE];

	if (!event)
		return 0;
	cite(fabric, event->source, event->last_line, "opensm.log", place);
	finding = rule_finding(judge->out, log_event_severity(event, SEVERITY_ERROR), NULL, NULL, "log",
			       "OpenSM refused a path because the SL asked for leads to "
			       "VL 15 (ERR 1F24, %lld times, last %s)",
			       (long long)event->count,
			       event->last_time ? event->last_time : "at a time unknown");
	if (!finding || !finding_text(&finding->subject, "%s", place) ||
	    !finding_text(&finding->source, "%s", place) || !log_event_add_run(finding, event) ||
	    (event->text && !finding_evidence(finding, "log", "%s", event->text)))
		return err_no_memory(err);
	return 0;
}

static int report_config(const struct judge *judge, struct err *err)
{
	int rc = 0;

	if (qos_state_of(judge->in->fabric->config) != QOS_ON)
		return 0;
	for (int from = QOS_CLASS_DEFAULT; rc == 0 && from < QOS_CLASS_COUNT; from++)
		rc = report_key(judge, from, err);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct judge judge = {.in = in, .out = out};
	struct port_faults faults = {0};
	const struct port_fault *fault;
	struct port_set ports;
	size_t cursor = 0;
	int rc;

	sl_use_find(in->fabric, &judge.use);
	qos_survey_take(in->fabric, &judge.survey);
	rc = gather(&judge, &faults, err);
	while (rc == 0 && (fault = port_faults_next(&faults, &cursor, &ports)))
		rc = report_group(&judge, fault, &ports, err);
	if (rc == 0)
		rc = report_config(&judge, err);
	if (rc == 0 && judge.survey.all.sl2vl_read == 0)
		rc = report_log(&judge, err);
	if (rc == 0)
		rc = qos_survey_report_sl2vl(&judge.survey,
					     qos_state_of(in->fabric->config) == QOS_ON ?
						     "judged from opensm.conf alone" : NULL,
					     out, err);
	port_faults_free(&faults);
	return rc;
}

const struct rule rule_sl_to_vl15 = {
	.id = "sl-to-vl15",
	.title = "A service level is mapped to VL 15, which drops its packets",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "VL 15 belongs to subnet management. A 15 in an SL2VL table is legal and means: "
	       "drop. An application that asks for this SL gets no path from the SA where qos is TRUE; "
	       "packets sent on it all the same vanish at that port without any link error.",
	.needs = "SL2VL tables of Active ports with more than one data VL; else opensm.conf with "
		 "qos TRUE. qos-policy.conf, partitions.conf, MasterSMSL and per-SL counters tell "
		 "which SLs are in use.",
	.reads = "sl2vl",
	.remedy = "Give the SL a data VL in qos_sl2vl (or the set of that port class) of "
		  "opensm.conf and send OpenSM a SIGHUP; links stay up. For SLs switched off on "
		  "purpose nothing is to be done.",
	.source = "IBA Volume 1, 7.6.6 (SL to VL mapping), 14.2.5.8; opensm osm_qos.c, "
		  "osm_sa_path_record.c (ERR 1F24)",
	.check = check,
};
