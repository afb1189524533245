#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/analysis.h"
#include "rules/rule.h"
#include "rules/subnets.h"
#include "rules/unread.h"
#include "store/text.h"

#define RULE(name) extern const struct rule rule_##name;
#include "rules/list.h"
#undef RULE

const struct rule *const rule_table[] = {
#define RULE(name) &rule_##name,
#include "rules/list.h"
#undef RULE
	NULL,
};

const struct rule *rule_find(const char *id)
{
	for (size_t i = 0; rule_table[i]; i++) {
		if (strcmp(rule_table[i]->id, id) == 0)
			return rule_table[i];
	}
	return NULL;
}

/* Adds a reason to the verdict, behind one that is there. */
static int add_reason(struct rule_output *out, struct err *err, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static int add_reason(struct rule_output *out, struct err *err, const char *format, va_list args)
{
	char *text = finding_vprint(format, args);
	int rc = 0;

	if (!text)
		return err_no_memory(err);
	if (out->verdict->reason) {
		char *old = out->verdict->reason;

		out->verdict->reason = NULL;
		if (!finding_text(&out->verdict->reason, "%s; %s", old, text))
			rc = err_no_memory(err);
		free(old);
		free(text);
	} else {
		out->verdict->reason = text;
	}
	return rc;
}

int rule_not_checked(struct rule_output *out, struct err *err, const char *format, ...)
{
	va_list args;
	int rc;

	if (out->verdict->kind != VERDICT_FINDINGS)
		out->verdict->kind = VERDICT_NOT_CHECKED;
	va_start(args, format);
	rc = add_reason(out, err, format, args);
	va_end(args);
	return rc;
}

int rule_not_applicable(struct rule_output *out, struct err *err, const char *format, ...)
{
	va_list args;
	int rc;

	if (out->verdict->kind == VERDICT_PASS)
		out->verdict->kind = VERDICT_NOT_APPLICABLE;
	va_start(args, format);
	rc = add_reason(out, err, format, args);
	va_end(args);
	return rc;
}

int rule_left_out(struct rule_output *out, struct err *err, const char *format, ...)
{
	va_list args;
	int rc;

	va_start(args, format);
	rc = add_reason(out, err, format, args);
	va_end(args);
	return rc;
}

struct finding *rule_finding(struct rule_output *out, enum severity severity,
			     const struct device *device, const struct port *port,
			     const char *discriminator, const char *format, ...)
{
	char label[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;
	va_list args;

	if (port)
		device = port->device;
	finding = audit_finding_add(out->audit, out->rule->id, severity, device ? device->guid : 0,
				    port ? port->num : -1);
	if (!finding)
		return NULL;
	if (port)
		port_label(port, false, label, sizeof(label));
	else if (device)
		device_label(device, label, sizeof(label));
	else
		snprintf(label, sizeof(label), "fabric");
	va_start(args, format);
	finding->message = finding_vprint(format, args);
	va_end(args);
	if (!finding_text(&finding->discriminator, "%s", discriminator) ||
	    !finding_text(&finding->subject, "%s", label) || !finding->message)
		return NULL;
	out->verdict->kind = VERDICT_FINDINGS;
	out->verdict->finding_count++;
	return finding;
}

/* One rule with its verdict. */
static int run(const struct rule_input *in, struct rule_output *out, bool several, struct err *err)
{
	int rc;

	out->verdict->rule = out->rule->id;
	out->verdict->reads = out->rule->reads;
	if (several && out->rule->one_subnet)
		return rule_not_checked(out, err, "the files are of several subnets, see mixed-captures");
	rc = out->rule->check(in, out, err);
	return rc == 0 ? unread_tell(in, out, err) : rc;
}

int rules_run(const struct fabric *fabric, const struct fabric *baseline, struct audit **ret_audit,
	      struct err *err)
{
	return rules_run_list(rule_table, fabric, baseline, ret_audit, err);
}

int rules_run_list(const struct rule *const *list, const struct fabric *fabric,
		   const struct fabric *baseline, struct audit **ret_audit, struct err *err)
{
	struct rule_input in = {.fabric = fabric, .baseline = baseline};
	bool several = subnets_count(fabric) > 1;
	struct audit *audit = NULL;
	size_t count = 0;
	int rc;

	rc = audit_new(&audit, err);
	if (rc < 0)
		goto out;
	rc = analysis_new(fabric, &in.analysis, err);
	if (rc < 0)
		goto out;
	while (list[count])
		count++;
	audit->verdicts = calloc(count, sizeof(*audit->verdicts));
	if (!audit->verdicts) {
		rc = err_no_memory(err);
		goto out;
	}
	audit->verdict_count = count;
	for (size_t i = 0; i < count; i++) {
		struct rule_output out = {audit, &audit->verdicts[i], list[i]};

		rc = run(&in, &out, several, err);
		if (rc < 0) {
			err_prefix(err, "rule %s", list[i]->id);
			goto out;
		}
	}
	audit_sort(audit);
	*ret_audit = audit;
	audit = NULL;
out:
	analysis_free(in.analysis);
	audit_free(audit);
	return rc;
}
