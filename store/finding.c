#include "store/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

static const char *const severity_names[] = {
	[SEVERITY_INFO] = "info",
	[SEVERITY_WARNING] = "warning",
	[SEVERITY_ERROR] = "error",
	[SEVERITY_CRITICAL] = "critical",
};

static const char *const verdict_names[] = {
	[VERDICT_PASS] = "pass",
	[VERDICT_FINDINGS] = "findings",
	[VERDICT_NOT_APPLICABLE] = "not-applicable",
	[VERDICT_NOT_CHECKED] = "not-checked",
};

static const char *const status_names[] = {
	[FINDING_OPEN] = "open",
	[FINDING_NEW] = "new",
	[FINDING_STILL] = "still",
	[FINDING_GONE] = "gone",
	[FINDING_UNCHECKED] = "not-checked",
};

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

const char *severity_name(enum severity severity)
{
	return (unsigned)severity < COUNT_OF(severity_names) ? severity_names[severity] : "unknown";
}

bool severity_parse(const char *text, enum severity *ret_severity)
{
	for (size_t i = 0; i < COUNT_OF(severity_names); i++) {
		if (strcmp(text, severity_names[i]) == 0) {
			*ret_severity = (enum severity)i;
			return true;
		}
	}
	return false;
}

const char *verdict_name(enum verdict_kind verdict)
{
	return (unsigned)verdict < COUNT_OF(verdict_names) ? verdict_names[verdict] : "unknown";
}

const char *finding_status_name(enum finding_status status)
{
	return (unsigned)status < COUNT_OF(status_names) ? status_names[status] : "unknown";
}

bool finding_is_past(const struct finding *finding)
{
	return finding->status == FINDING_GONE || finding->status == FINDING_UNCHECKED;
}

static void finding_clear(struct finding *finding)
{
	free(finding->discriminator);
	free(finding->subject);
	free(finding->message);
	free(finding->remedy);
	free(finding->source);
	for (size_t i = 0; i < finding->evidence_count; i++) {
		free(finding->evidence[i].key);
		free(finding->evidence[i].value);
	}
	free(finding->evidence);
	memset(finding, 0, sizeof(*finding));
}

void audit_free(struct audit *audit)
{
	if (!audit)
		return;
	for (size_t i = 0; i < audit->verdict_count; i++)
		free(audit->verdicts[i].reason);
	for (size_t i = 0; i < audit->finding_count; i++)
		finding_clear(&audit->findings[i]);
	for (size_t i = 0; i < audit->rule_count; i++)
		free(audit->rules[i]);
	free(audit->verdicts);
	free(audit->findings);
	free(audit->rules);
	free(audit);
}

int audit_new(struct audit **ret_audit, struct err *err)
{
	struct audit *audit = calloc(1, sizeof(*audit));

	if (!audit)
		return err_no_memory(err);
	*ret_audit = audit;
	return 0;
}

const char *audit_rule_id(struct audit *audit, const char *rule)
{
	char **grown;

	/* A rule's findings come in a row: the newest id is the likely one. */
	for (size_t i = audit->rule_count; i-- > 0;) {
		if (strcmp(audit->rules[i], rule) == 0)
			return audit->rules[i];
	}
	grown = realloc(audit->rules, (audit->rule_count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	audit->rules = grown;
	grown[audit->rule_count] = strdup(rule);
	if (!grown[audit->rule_count])
		return NULL;
	return grown[audit->rule_count++];
}

struct finding *audit_finding_add(struct audit *audit, const char *rule, enum severity severity,
				  uint64_t node_guid, int port)
{
	const char *id = audit_rule_id(audit, rule);
	struct finding *finding, *grown;

	if (!id)
		return NULL;
	grown = array_grow(audit->findings, audit->finding_count, &audit->finding_room,
			   sizeof(*grown));
	if (!grown)
		return NULL;
	audit->findings = grown;
	finding = &audit->findings[audit->finding_count++];
	memset(finding, 0, sizeof(*finding));
	finding->rule = id;
	finding->severity = severity;
	finding->node_guid = node_guid;
	finding->port = port;
	return finding;
}

/* NULL without memory, or when the format cannot be printed. */
char *finding_vprint(const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0)
		return NULL;
	text = malloc((size_t)length + 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

bool finding_text(char **text, const char *format, ...)
{
	va_list args;
	char *made;

	va_start(args, format);
	made = finding_vprint(format, args);
	va_end(args);
	if (!made)
		return false;
	/* Freed last: the arguments may point into it. */
	free(*text);
	*text = made;
	return true;
}

bool finding_evidence(struct finding *finding, const char *key, const char *format, ...)
{
	struct evidence evidence = {0};
	struct evidence *grown;
	va_list args;

	grown = array_grow(finding->evidence, finding->evidence_count, &finding->evidence_room,
			   sizeof(*grown));
	if (!grown)
		return false;
	finding->evidence = grown;
	evidence.key = strdup(key);
	va_start(args, format);
	evidence.value = finding_vprint(format, args);
	va_end(args);
	if (!evidence.key || !evidence.value) {
		free(evidence.key);
		free(evidence.value);
		return false;
	}
	finding->evidence[finding->evidence_count++] = evidence;
	return true;
}

size_t audit_count_at(const struct audit *audit, enum severity level)
{
	size_t count = 0;

	for (size_t i = 0; i < audit->finding_count; i++) {
		const struct finding *finding = &audit->findings[i];

		if (finding->severity >= level && !finding_is_past(finding))
			count++;
	}
	return count;
}
