/*
 * Arbitration tables that differ among ports that should be alike: one class of
 * ports, one model, equal lanes and table sizes, the same kind of neighbour. The
 * most frequent table is taken for the rule, the others for exceptions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/port_set.h"
#include "rules/analysis/qos_survey.h"
#include "rules/rule.h"

static int compare_number(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_kind(const struct port *a, const struct port *b)
{
	const int64_t keys[][2] = {
		{qos_class_of_port(a), qos_class_of_port(b)},
		{a->device->info.device_id, b->device->info.device_id},
		{a->peer ? (int64_t)a->peer->device->type : -1,
		 b->peer ? (int64_t)b->peer->device->type : -1},
		{a->info.vl_cap, b->info.vl_cap},
		{a->info.oper_vls, b->info.oper_vls},
		{a->info.vlarb_high_cap, b->info.vlarb_high_cap},
		{a->info.vlarb_low_cap, b->info.vlarb_low_cap},
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		int order = compare_number(keys[i][0], keys[i][1]);

		if (order != 0)
			return order;
	}
	return 0;
}

static int compare_table(const struct vlarb_entry *a, size_t a_count, const struct vlarb_entry *b,
			 size_t b_count)
{
	if (a_count != b_count)
		return a_count < b_count ? -1 : 1;
	return memcmp(a, b, a_count * sizeof(*a));
}

static int compare_tables(const struct port *a, const struct port *b)
{
	int order = compare_table(a->vlarb_high, a->vlarb_high_count, b->vlarb_high,
				  b->vlarb_high_count);

	return order ? order :
		       compare_table(a->vlarb_low, a->vlarb_low_count, b->vlarb_low, b->vlarb_low_count);
}

static int compare_ports(const void *a, const void *b)
{
	const struct port *x = *(const struct port *const *)a, *y = *(const struct port *const *)b;
	int order = compare_kind(x, y);

	if (order == 0)
		order = compare_tables(x, y);
	if (order == 0)
		order = compare_number((int64_t)x->device->index, (int64_t)y->device->index);
	return order ? order : compare_number(x->num, y->num);
}

static size_t end_of(const struct port_set *ports, size_t first, size_t last,
		     int (*compare)(const struct port *, const struct port *))
{
	size_t end = first;

	while (end < last && compare(ports->ports[first], ports->ports[end]) == 0)
		end++;
	return end;
}

static int report_table(struct rule_output *out, enum severity severity,
			const struct port_set *odd, const struct port *usual, size_t usual_count,
			struct err *err)
{
	const struct port *port = odd->ports[0];
	char message[512], discriminator[QOS_VLARB_SIZE], high[QOS_VLARB_SIZE], low[QOS_VLARB_SIZE];
	struct finding *finding;

	snprintf(discriminator, sizeof(discriminator), "%s:%lld:%lld:%.200s/%.200s",
		 qos_class_word(qos_class_of_port(port)),
		 (long long)(port->device->info.device_id == FIELD_UNKNOWN ? 0 :
				     port->device->info.device_id),
		 (long long)port->info.oper_vls,
		 qos_vlarb_text(port->vlarb_high, port->vlarb_high_count, high),
		 qos_vlarb_text(port->vlarb_low, port->vlarb_low_count, low));
	snprintf(message, sizeof(message),
		 "the arbitration tables of %zu %s differ from those of %zu %s of the same kind",
		 odd->count, qos_class_counted(qos_class_of_port(port), odd->count), usual_count,
		 text_plural(usual_count, "other", "others"));
	finding = port_set_finding(odd, out, severity, discriminator, message);
	if (!finding ||
	    !vlarb_evidence(finding, port->vlarb_high, port->vlarb_high_count, port->vlarb_low,
			    port->vlarb_low_count) ||
	    !finding_evidence(finding, "usual high-priority table", "%s",
			      qos_vlarb_text(usual->vlarb_high, usual->vlarb_high_count, high)) ||
	    !finding_evidence(finding, "usual low-priority table", "%s",
			      qos_vlarb_text(usual->vlarb_low, usual->vlarb_low_count, low)))
		return err_no_memory(err);
	return 0;
}

/* Ports first..last-1 are of one kind, sorted by their tables. */
static int judge_kind(struct rule_output *out, enum severity severity, const struct port_set *ports,
		      size_t first, size_t last, struct err *err)
{
	size_t usual = first, usual_count = 0;
	int rc = 0;

	for (size_t i = first, end; i < last; i = end) {
		end = end_of(ports, i, last, compare_tables);
		if (end - i > usual_count) {
			usual = i;
			usual_count = end - i;
		}
	}
	for (size_t i = first, end; rc == 0 && i < last; i = end) {
		struct port_set odd = {.ports = ports->ports + i};

		end = end_of(ports, i, last, compare_tables);
		odd.count = end - i;
		if (i != usual)
			rc = report_table(out, severity, &odd, ports->ports[usual], usual_count, err);
	}
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	enum qos_state state = qos_state_of(in->fabric->config);
	struct port_set ports = {0};
	struct qos_survey survey;
	struct port_walk walk = {0};
	const struct port *port;
	int rc = 0;

	if (state == QOS_ON)
		return rule_not_applicable(out, err, "qos-drift compares the tables with opensm.conf");
	while (rc == 0 && (port = port_walk_next(in->fabric, &walk))) {
		if (qos_port_counts(port) && port->vlarb_high && port->vlarb_low)
			rc = port_set_add(&ports, port, err);
	}
	if (ports.count > 0)
		qsort(ports.ports, ports.count, sizeof(const struct port *), compare_ports);
	for (size_t i = 0, end; rc == 0 && i < ports.count; i = end) {
		end = end_of(&ports, i, ports.count, compare_kind);
		rc = judge_kind(out, state == QOS_OFF ? SEVERITY_INFO : SEVERITY_WARNING, &ports, i, end,
				err);
	}
	qos_survey_take(in->fabric, &survey);
	if (rc == 0)
		rc = qos_survey_report_vlarb(&survey, NULL, out, err);
	port_set_free(&ports);
	return rc;
}

const struct rule rule_vlarb_unlike = {
	.id = "vlarb-unlike",
	.title = "Arbitration tables differ among ports of one kind",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "Traffic gets another share on some links than on their neighbours: an SM did not reach these "
	       "ports, or the firmware differs.",
	.needs = "Arbitration tables of Active ports, their model, lanes and neighbours.",
	.reads = "vlarb oper_vls",
	.remedy = "Look for ports that an SM could not set (its log, ERR 6202) and make it sweep again; links "
		  "stay up.",
	.source = "IBA Volume 1, 14.2.5.9; opensm osm_qos.c",
	.check = check,
};
