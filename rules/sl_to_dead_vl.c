/*
 * SL2VL entries that name a VL above OperVLs. Where nobody is known to program the tables
 * (qos FALSE, or no opensm.conf at hand) the map that firmware ships names lanes
 * the link does not have; that is told in the verdict and is no finding as long
 * as no SL on them is in use.
 */
#include <stdio.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/port_faults.h"
#include "rules/analysis/qos_survey.h"
#include "rules/analysis/sl_fold.h"
#include "rules/analysis/sl_use.h"
#include "rules/rule.h"

/* Key of a fault: the SLs, above them the lanes, in use, and a leftover of the sweep before. */
#define IN_USE (UINT64_C(1) << 32)
#define LEFTOVER (UINT64_C(1) << 33)

struct judge {
	const struct rule_input *in;
	struct rule_output *out;
	enum qos_state state;
	struct sl_use use;
	struct port_faults faults;
	size_t idle;		/* ports where only SLs that nobody is known to use are concerned */
	uint16_t idle_sls;
	size_t cut;		/* of these: ports that operate fewer lanes than both ends have */
	size_t judged;
	size_t unread;		/* ports with a table whose OperVLs are not known */
};

static uint16_t dead_in(const uint8_t table[SL_COUNT], int64_t lanes)
{
	uint16_t sls = 0;

	for (unsigned sl = 0; sl < SL_COUNT; sl++) {
		if (table[sl] != VL_DROP && table[sl] >= lanes)
			sls |= (uint16_t)(1u << sl);
	}
	return sls;
}

/* *ret_leftover: every table with a dead lane is the design under another mask. */
static uint16_t dead_on(const struct judge *judge, const struct port *port, bool *ret_leftover)
{
	const struct opensm_options *options = &judge->in->fabric->config->opensm;
	uint16_t sls = 0;

	*ret_leftover = port->device->type == NODE_TYPE_SWITCH && judge->state == QOS_ON;
	for (size_t i = 0; i < port->sl2vl_count; i++) {
		const struct sl2vl *run = &port->sl2vl[i];
		uint16_t dead = dead_in(run->vl, qos_lanes(port));

		if (!dead || !qos_run_counts(port, run))
			continue;
		sls |= dead;
		if (!sl_fold_is_masked(qos_expect_sl2vl(options, port, run->in_first), run->vl))
			*ret_leftover = false;
	}
	return sls;
}

static int judge_port(struct judge *judge, const struct port *port, struct err *err)
{
	bool leftover;
	uint16_t sls = dead_on(judge, port, &leftover), used = sls & judge->use.used;
	uint64_t key = (uint64_t)qos_lanes(port) << 16 | (leftover ? LEFTOVER : 0);
	int rc = 0;

	judge->judged++;
	if (used)
		rc = port_faults_add(&judge->faults, qos_class_of_port(port), key | IN_USE | used, port,
				     err);
	sls &= (uint16_t)~used;
	if (rc < 0 || !sls)
		return rc;
	if (judge->state == QOS_ON)
		return port_faults_add(&judge->faults, qos_class_of_port(port), key | sls, port, err);
	judge->idle++;
	judge->idle_sls |= sls;
	judge->cut += port->num > 0 && qos_link_vl_cap(port) > qos_lanes(port);
	return 0;
}

static int gather(struct judge *judge, struct err *err)
{
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	while (rc == 0 && (port = port_walk_next(judge->in->fabric, &walk))) {
		if (!port->sl2vl || !qos_port_has_sl2vl(port))
			continue;
		if (qos_lanes(port) == FIELD_UNKNOWN)
			judge->unread++;
		else
			rc = judge_port(judge, port, err);
	}
	return rc < 0 ? rc : port_faults_sort(&judge->faults, err);
}

static int report_group(const struct judge *judge, const struct port_fault *fault,
			const struct port_set *ports, struct err *err)
{
	uint16_t sls = (uint16_t)(fault->key & 0xffff);
	bool in_use = (fault->key & IN_USE) != 0, leftover = (fault->key & LEFTOVER) != 0;
	char message[512], discriminator[128], bits[QOS_BITS_SIZE], table[QOS_BITS_SIZE];
	char users[SL_USE_TEXT_SIZE], subject[QOS_SLS_SIZE];
	struct finding *finding;

	qos_bits_text(sls, bits);
	snprintf(discriminator, sizeof(discriminator), "%s:sl=%s", qos_class_word(fault->class), bits);
	snprintf(message, sizeof(message),
		 "%s mapped to VLs above the %lld that operate on %zu %s: %s%s",
		 qos_sls_are(sls, subject), (long long)(fault->key >> 16 & 0xffff), ports->count,
		 qos_class_counted(fault->class, ports->count),
		 in_use ? "packets of a service level in use cannot be sent there" :
			  "their packets cannot be sent; nothing read says that they are in use",
		 leftover ? " (the tables are one heavy sweep behind)" : "");
	finding = port_set_finding(ports, judge->out, in_use ? SEVERITY_ERROR : SEVERITY_WARNING,
				   discriminator, message);
	if (!finding ||
	    !finding_evidence(finding, "SL2VL", "%s", qos_sl2vl_text(fault->port->sl2vl[0].vl, table)) ||
	    (in_use && !finding_evidence(finding, "in use", "%s", sl_use_text(&judge->use, sls, users))) ||
	    (judge->state == QOS_OFF &&
	     !finding_evidence(finding, "opensm.conf",
			       "qos is not TRUE: unless it runs with -Q this OpenSM cuts lanes but does "
			       "not write the table")) ||
	    (leftover &&
	     !finding_text(&finding->remedy,
			   "Have OpenSM make one more heavy sweep (SIGHUP, or wait for the next one): it "
			   "masks the tables by the VLs that operate now. Links stay up.")))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct judge judge = {.in = in, .out = out, .state = qos_state_of(in->fabric->config)};
	const struct port_fault *fault;
	struct qos_survey survey;
	struct port_set ports;
	char subject[QOS_SLS_SIZE];
	size_t cursor = 0;
	int rc;

	sl_use_find(in->fabric, &judge.use);
	qos_survey_take(in->fabric, &survey);
	rc = gather(&judge, err);
	while (rc == 0 && (fault = port_faults_next(&judge.faults, &cursor, &ports)))
		rc = report_group(&judge, fault, &ports, err);
	if (rc == 0)
		rc = qos_survey_report_sl2vl(&survey, NULL, out, err);
	if (rc == 0 && judge.unread > 0)
		rc = (judge.judged > 0 ? rule_left_out : rule_not_checked)(
			out, err, "OperVLs of %zu %s with a table are not known", judge.unread,
			text_plural(judge.unread, "port", "ports"));
	if (rc == 0 && judge.cut > 0 && judge.state == QOS_UNKNOWN)
		rc = rule_not_checked(out, err,
				      "%s mapped to lanes that do not operate, on %zu %s where somebody "
				      "took lanes away; whether they are in use only opensm.conf and "
				      "qos-policy.conf could tell",
				      qos_sls_are(judge.idle_sls, subject), judge.cut,
				      text_plural(judge.cut, "port", "ports"));
	else if (rc == 0 && judge.idle > 0)
		rc = rule_left_out(out, err,
				   "%s mapped to lanes that do not operate on %zu %s, where nobody is "
				   "known to program the tables; nothing read says that they are in use",
				   qos_sls_are(judge.idle_sls, subject), judge.idle,
				   text_plural(judge.idle, "port", "ports"));
	port_faults_free(&judge.faults);
	return rc;
}

const struct rule rule_sl_to_dead_vl = {
	.id = "sl-to-dead-vl",
	.title = "A service level is mapped to a VL that does not operate",
	.severity = SEVERITY_ERROR,
	.one_subnet = true,
	.why = "A VL above OperVLs has no buffer, so a packet mapped to it can neither be accepted nor "
	       "sent: it is discarded. The switch counts it among PortRcvSwitchRelayErrors, if at all.",
	.needs = "SL2VL tables and OperVLs of Active ports; what tells which SLs are in use.",
	.reads = "sl2vl oper_vls opensm.conf qos-policy.conf",
	.remedy = "Let OpenSM program the tables (qos TRUE and a qos_sl2vl that fits the lanes), or keep "
		  "traffic off the SL. Writing tables does not take links down.",
	.source = "IBA Volume 1, 7.6.6; MindShare, InfiniBand Network Architecture, chapter 17; opensm "
		  "osm_qos.c, osm_state_mgr.c",
	.check = check,
};
