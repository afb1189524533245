#include "tests/support/build_qos.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *must(void *pointer)
{
	if (!pointer) {
		fprintf(stderr, "build_qos: no memory, or no such thing\n");
		abort();
	}
	return pointer;
}

static char *copy(struct fabric *fabric, const char *text)
{
	return must(fabric_text(fabric, text, strlen(text)));
}

void build_sl2vl_in(struct fabric *fabric, struct port *port, unsigned first, unsigned last,
		    const char *table)
{
	struct sl2vl *grown = must(fabric_alloc(fabric, port->sl2vl_count + 1, sizeof(*grown)));
	struct sl2vl *run = &grown[port->sl2vl_count];

	if (port->sl2vl_count > 0)
		memcpy(grown, port->sl2vl, port->sl2vl_count * sizeof(*grown));
	run->in_first = (uint8_t)first;
	run->in_last = (uint8_t)last;
	for (size_t sl = 0; sl < 16; sl++) {
		char *end;

		run->vl[sl] = (uint8_t)strtoul(table, &end, 10);
		table = *end ? end + 1 : end;
	}
	port->sl2vl = grown;
	port->sl2vl_count++;
	port->source_of[ATTRIBUTE_SL2VL] = 1;
}

void build_sl2vl(struct fabric *fabric, struct port *port, const char *table)
{
	unsigned last = 0;

	if (port->device->type == NODE_TYPE_SWITCH)
		last = (unsigned)port->device->info.num_ports;
	port->sl2vl_count = 0;
	build_sl2vl_in(fabric, port, 0, last, table);
}

static struct vlarb_entry *vlarb(struct fabric *fabric, const char *text, size_t room)
{
	struct vlarb_entry *table = must(fabric_alloc(fabric, room, sizeof(*table)));

	for (size_t i = 0; *text && i < room; i++) {
		char *end;

		table[i].vl = (uint8_t)strtoul(text, &end, 10);
		table[i].weight = (uint8_t)strtoul(end + 1, &end, 10);
		text = *end ? end + 1 : end;
	}
	return table;
}

void build_vlarb(struct fabric *fabric, struct port *port, const char *high, const char *low)
{
	port->info.vlarb_high_cap = 8;
	port->info.vlarb_low_cap = 8;
	port->vlarb_high = vlarb(fabric, high, 8);
	port->vlarb_low = vlarb(fabric, low, 8);
	port->vlarb_high_count = 8;
	port->vlarb_low_count = 8;
	port->source_of[ATTRIBUTE_VLARB] = 1;
}

#define FOR_EACH_ACTIVE(fabric, port)                                                             \
	for (size_t d_ = 0; d_ < (fabric)->device_count; d_++)                                    \
		for (size_t n_ = 0; n_ < (fabric)->devices[d_]->port_slots; n_++)                 \
			if (((port) = (fabric)->devices[d_]->ports[n_]) && port_is_active(port))

void build_sl2vl_all(struct fabric *fabric, const char *table)
{
	struct port *port;

	FOR_EACH_ACTIVE(fabric, port)
		build_sl2vl(fabric, port, table);
}

void build_vlarb_all(struct fabric *fabric, const char *high, const char *low)
{
	struct port *port;

	FOR_EACH_ACTIVE(fabric, port)
		build_vlarb(fabric, port, high, low);
}

void build_sl2vl_type(struct fabric *fabric, enum node_type type, const char *table)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];

		for (size_t num = 1; num < device->port_slots; num++) {
			if (device->type == type && port_is_active(device->ports[num]))
				build_sl2vl(fabric, device->ports[num], table);
		}
	}
}

void build_oper_vls_all(struct fabric *fabric, int64_t vls)
{
	struct port *port;

	FOR_EACH_ACTIVE(fabric, port)
		port->info.oper_vls = vls;
}

void build_conf(struct fabric *fabric, const char *key, const char *value)
{
	build_conf_held(fabric, key, value, value);
}

void build_conf_held(struct fabric *fabric, const char *key, const char *raw, const char *effective)
{
	struct config *config = fabric->config;
	struct config_option *option;
	struct err err = {0};

	if (config->opensm_conf == 0) {
		must(fabric_source_add(fabric, SOURCE_FILE, "/etc/opensm/opensm.conf", "opensm.conf"));
		config->opensm_conf = fabric_source_newest(fabric);
	}
	option = must(config_option_add(config));
	option->key = copy(fabric, key);
	option->raw = copy(fabric, raw);
	option->effective = effective ? copy(fabric, effective) : NULL;
	option->line = (int64_t)config->option_count;
	option->source = config->opensm_conf;
	if (config_build(config, &err) < 0)
		must(NULL);
}

static struct policy_node *add_node(struct fabric *fabric, struct policy_node *parent,
				    const char *keyword, const char *value, int64_t line)
{
	struct policy_node *node = must(fabric_alloc(fabric, 1, sizeof(*node)));
	struct policy_node **end = &parent->first_child;

	node->keyword = copy(fabric, keyword);
	node->value = value ? copy(fabric, value) : NULL;
	node->line = line;
	while (*end)
		end = &(*end)->next;
	*end = node;
	return node;
}

/* Cuts blanks off both ends, in place. */
static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

void build_policy(struct fabric *fabric, const char *text)
{
	struct qos_policy *policy = &fabric->config->policy;
	struct policy_node *stack[8];
	char *rest = copy(fabric, text);
	size_t depth = 0;
	int64_t number = 0;

	must(fabric_source_add(fabric, SOURCE_FILE, "/etc/opensm/qos-policy.conf", "qos-policy.conf"));
	policy->source = fabric_source_newest(fabric);
	policy->present = true;
	policy->root = must(fabric_alloc(fabric, 1, sizeof(*policy->root)));
	policy->root->keyword = copy(fabric, "");
	stack[0] = policy->root;
	while (rest) {
		char *line = rest, *newline = strchr(rest, '\n'), *colon;

		if (newline)
			*newline = '\0';
		rest = newline ? newline + 1 : NULL;

		number++;
		line[strcspn(line, "#")] = '\0';
		line = trim(line);
		colon = strrchr(line, ':');
		if (colon && strncmp(line, "vlarb", 5) == 0)
			colon = strchr(line, ':');
		if (strncmp(line, "end-", 4) == 0) {
			depth--;
		} else if (colon) {
			*colon = '\0';
			add_node(fabric, stack[depth], trim(line), trim(colon + 1), number);
		} else if (*line) {
			stack[depth + 1] = add_node(fabric, stack[depth], line, NULL, number);
			depth++;
		}
	}
}

struct rule_run run_rule(const struct fabric *fabric, const char *id)
{
	struct rule_run run = {0};
	struct err err = {0};

	if (rules_run(fabric, NULL, &run.audit, &err) < 0)
		must(NULL);
	for (size_t i = 0; i < run.audit->verdict_count; i++) {
		if (strcmp(run.audit->verdicts[i].rule, id) == 0)
			run.verdict = &run.audit->verdicts[i];
	}
	must((void *)(uintptr_t)run.verdict);
	run.first = run_finding(&run, "");
	return run;
}

const struct finding *run_finding(const struct rule_run *run, const char *discriminator)
{
	for (size_t i = 0; i < run->audit->finding_count; i++) {
		const struct finding *finding = &run->audit->findings[i];

		if (strcmp(finding->rule, run->verdict->rule) == 0 &&
		    strncmp(finding->discriminator, discriminator, strlen(discriminator)) == 0)
			return finding;
	}
	return NULL;
}

const char *run_evidence(const struct finding *finding, const char *key)
{
	for (size_t i = 0; i < finding->evidence_count; i++) {
		if (strcmp(finding->evidence[i].key, key) == 0)
			return finding->evidence[i].value;
	}
	return "";
}

void run_end(struct rule_run *run)
{
	audit_free(run->audit);
}

void assert_rule(const struct fabric *fabric, const char *id, enum verdict_kind kind)
{
	struct rule_run run = run_rule(fabric, id);

	if (run.first)
		print_error("%s: %s\n", run.first->discriminator, run.first->message);
	assert_int_equal(run.verdict->kind, kind);
	assert_int_equal(run.verdict->finding_count, 0);
	run_end(&run);
}
