#include "rules/max_op_vls.h"

#include <stdio.h>
#include <string.h>

#include "rules/analysis/sl_fold.h"

bool max_op_vls_add_design(struct finding *finding, const struct max_op_vls *judge,
			   const struct qos_options *set, int64_t lanes)
{
	const struct fabric *fabric = judge->in->fabric;
	char table[QOS_BITS_SIZE], vls[QOS_BITS_SIZE], groups[QOS_GROUPS_SIZE];
	char key[QOS_KEY_SIZE], place[CITE_SIZE], users[SL_USE_TEXT_SIZE];
	uint8_t held[SL_COUNT];
	uint16_t together, in_use;

	qos_mask_sl2vl(set->sl2vl, lanes, held);
	together = sl_fold_together(set->sl2vl, held, 0xffff);
	in_use = sl_fold_together(set->sl2vl, held, judge->use.used);
	qos_bits_text(qos_sl2vl_vls(set->sl2vl, 0xffff), vls);
	qos_sl2vl_text(set->sl2vl, table);
	if (set->sl2vl_from < 0) {
		if (!finding_evidence(finding, "design", "VL %s: %s (OpenSM's built-in map)", vls, table))
			return false;
	} else {
		qos_key_of(set->sl2vl_from, "sl2vl", key);
		if (!finding_evidence(finding, "design", "VL %s: %s %s (%s)", vls, key, table,
				      cite_option(fabric, key, place)))
			return false;
	}
	return finding_evidence(finding, "lanes", "%lld", (long long)lanes) &&
	       finding_evidence(finding, "SLs on one lane", "%s",
				qos_groups_text(held, together, groups)) &&
	       (in_use == 0 ||
		finding_evidence(finding, "in use", "%s", sl_use_text(&judge->use, in_use, users)));
}

bool max_op_vls_add_limit(struct finding *finding, const struct max_op_vls *judge, int64_t cap,
			  int64_t lanes)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct opensm_options *options = &fabric->config->opensm;
	char place[CITE_SIZE];
	bool ok = true;

	if (judge->state != QOS_UNKNOWN && qos_max_op_vls_cuts(options, 15) &&
	    (cap != lanes || qos_max_op_vls_cuts(options, cap)))
		ok = finding_evidence(finding, "limit", "max_op_vls %lld (%s), a code for %lld data VLs",
				      (long long)options->max_op_vls,
				      cite_option(fabric, "max_op_vls", place),
				      (long long)config_oper_vls(options, FIELD_UNKNOWN, FIELD_UNKNOWN));
	else if (cap == lanes)
		ok = finding_evidence(finding, "limit", "VLCap of the link");
	else if (cap > lanes && cap <= 15)
		ok = finding_evidence(finding, "limit", "OperVLs is below the %lld VLs both ends can do",
				      (long long)cap);
	return ok && (!judge->use.engine[0] ||
		      finding_evidence(finding, "routing engine",
				       "%s (%s) keeps routes free of deadlock by SLs and VLs",
				       judge->use.engine, judge->use.engine_origin));
}

/* True when opensm.conf alone has to speak for the class. */
static bool speaks_for(const struct max_op_vls *judge, enum qos_class class)
{
	const struct fabric *fabric = judge->in->fabric;

	if (judge->seen[class] || !qos_class_present(fabric, class))
		return false;
	if (judge->read == 0)
		return true;
	return judge->class_read[class] && judge->class_cut[class];
}

enum severity max_op_vls_unread_severity(const struct max_op_vls *judge)
{
	const struct opensm_options *options = &judge->in->fabric->config->opensm;

	if (judge->use.engine[0])
		return SEVERITY_ERROR;
	if (qos_bit_count(judge->use.used) > 1)
		return SEVERITY_WARNING;
	for (enum qos_class class = QOS_CLASS_DEFAULT; class < QOS_CLASS_COUNT; class++) {
		if (options->set[class].sl2vl_from >= 0)
			return SEVERITY_WARNING;
	}
	return SEVERITY_INFO;
}

/* With qos FALSE no design is in force; what counts is that lanes go while tables stay. */
static int report_without_qos(const struct max_op_vls *judge, int64_t lanes, struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct opensm_options *options = &fabric->config->opensm;
	bool speaks = false;
	struct finding *finding;
	char place[CITE_SIZE];

	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++)
		speaks = speaks || speaks_for(judge, class);
	if (!speaks || judge->faults.count > 0)
		return 0;
	finding = rule_finding(judge->out, max_op_vls_unread_severity(judge), NULL, NULL, "conf",
			       "max_op_vls %lld leaves %lld data VLs although qos is not TRUE: the SL2VL "
			       "tables are not rewritten and may name lanes that were taken away",
			       (long long)options->max_op_vls, (long long)lanes);
	if (!finding || !finding_text(&finding->subject, "%s", cite_option(fabric, "max_op_vls", place)) ||
	    !finding_text(&finding->source, "%s", place) ||
	    !max_op_vls_add_limit(finding, judge, 15, lanes))
		return err_no_memory(err);
	return 0;
}

/* Classes with one and the same design are told together, under their first class. */
static int report_design(const struct max_op_vls *judge, enum qos_class first, int64_t lanes,
			 struct err *err)
{
	const struct fabric *fabric = judge->in->fabric;
	const struct opensm_options *options = &fabric->config->opensm;
	const struct qos_options *set = &options->set[first];
	char classes[128] = "", place[CITE_SIZE];
	struct finding *finding;
	bool read = false;

	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		size_t used = strlen(classes);

		if (!speaks_for(judge, class) ||
		    memcmp(options->set[class].sl2vl, set->sl2vl, SL_COUNT) != 0)
			continue;
		if (class < first)
			return 0;
		read = read || judge->class_read[class];
		snprintf(classes + used, sizeof(classes) - used, "%s%s", used ? ", " : "",
			 qos_class_words(class));
	}
	finding = rule_finding(judge->out, judge->use.engine[0] ? SEVERITY_ERROR : SEVERITY_WARNING, NULL,
			       NULL, "",
			       "max_op_vls %lld lets %lld data VLs operate and the design of %s uses %u: "
			       "service levels meant to be apart share a lane%s",
			       (long long)options->max_op_vls, (long long)lanes, classes,
			       qos_bit_count(qos_sl2vl_vls(set->sl2vl, 0xffff)),
			       read ? "; the ports read do not show that yet" : "");
	if (!finding ||
	    !finding_text(&finding->discriminator, "conf:%s", qos_class_word(first)) ||
	    !finding_text(&finding->subject, "%s", cite_option(fabric, "max_op_vls", place)) ||
	    !finding_text(&finding->source, "%s", place) ||
	    !max_op_vls_add_design(finding, judge, set, lanes) ||
	    !max_op_vls_add_limit(finding, judge, 15, lanes))
		return err_no_memory(err);
	return 0;
}

int max_op_vls_report_conf(const struct max_op_vls *judge, struct err *err)
{
	const struct opensm_options *options = &judge->in->fabric->config->opensm;
	int64_t lanes = config_oper_vls(options, FIELD_UNKNOWN, FIELD_UNKNOWN);
	int rc = 0;

	if (!qos_max_op_vls_cuts(options, 15))
		return 0;
	if (judge->state == QOS_OFF)
		return report_without_qos(judge, lanes, err);
	for (enum qos_class class = QOS_CLASS_CA; rc == 0 && class < QOS_CLASS_COUNT; class++) {
		if (speaks_for(judge, class) && max_op_vls_is_fault(judge, class, lanes, true, false))
			rc = report_design(judge, class, lanes, err);
	}
	return rc;
}
