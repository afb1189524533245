#include "rules/analysis/sl_use.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/cite.h"
#include "rules/analysis/log_events.h"
#include "store/text.h"

/* Marks the SL; foreign text in the origin is escaped. The first origin stays. */
__attribute__((format(printf, 3, 4)))
static void mark(struct sl_use *use, int64_t sl, const char *format, ...)
{
	char raw[3 * CITE_SIZE];
	va_list args;

	if (sl < 0 || sl >= SL_COUNT || (use->used >> sl & 1))
		return;
	use->used |= (uint16_t)(1u << sl);
	va_start(args, format);
	vsnprintf(raw, sizeof(raw), format, args);
	va_end(args);
	text_escape(raw, strlen(raw), use->origin[sl], SL_ORIGIN_SIZE);
}

/* An SL as the policy writes it; -1 when it is none. */
static int64_t parse_sl(const char *text)
{
	unsigned long value;
	char *end;

	if (!text || !isdigit((unsigned char)text[0]))
		return -1;
	errno = 0;
	value = strtoul(text, &end, 0);
	while (isspace((unsigned char)*end))
		end++;
	if (errno || *end || value >= SL_COUNT)
		return -1;
	return (int64_t)value;
}

static void find_in_policy(const struct fabric *fabric, struct sl_use *use)
{
	const struct qos_policy *policy = &fabric->config->policy;
	const struct policy_node *section = NULL, *node, *leaf;
	char file[CITE_SIZE];

	if (!policy->present || policy->dropped || qos_state_of(fabric->config) == QOS_OFF)
		return;
	while ((section = policy_child(policy->root, "qos-levels", section))) {
		node = NULL;
		while ((node = policy_child(section, "qos-level", node))) {
			const struct policy_node *name = policy_child(node, "name", NULL);

			leaf = policy_child(node, "sl", NULL);
			if (leaf)
				mark(use, parse_sl(leaf->value), "%s, qos-level %s",
				     cite(fabric, policy->source, leaf->line, "qos-policy.conf", file),
				     name && name->value ? name->value : "without a name");
		}
	}
	section = NULL;
	while ((section = policy_child(policy->root, "qos-ulps", section))) {
		for (leaf = section->first_child; leaf; leaf = leaf->next)
			mark(use, parse_sl(leaf->value), "%s, qos-ulps rule \"%s\"",
			     cite(fabric, policy->source, leaf->line, "qos-policy.conf", file),
			     leaf->keyword ? leaf->keyword : "");
	}
}

static void find_in_partitions(const struct fabric *fabric, struct sl_use *use)
{
	const struct config *config = fabric->config;
	char file[CITE_SIZE];

	if (qos_state_of(config) == QOS_OFF)
		return;
	for (size_t i = 0; i < config->partition_count; i++) {
		const struct partition *partition = &config->partitions[i];

		if (partition->sl != FIELD_UNKNOWN)
			mark(use, partition->sl, "%s, partition %s",
			     cite(fabric, partition->source, partition->line, "partitions.conf", file),
			     partition->name ? partition->name : "without a name");
	}
}

static void find_sm_sl(const struct fabric *fabric, struct sl_use *use)
{
	const struct config_option *option = config_option_find(fabric->config, "sm_sl");
	char label[DEVICE_LABEL_SIZE + 16];
	char file[CITE_SIZE];

	if (option && option->line > 0 && option->effective && parse_sl(option->effective) > 0)
		mark(use, parse_sl(option->effective), "%s, sm_sl",
		     cite(fabric, option->source, option->line, "opensm.conf", file));

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (port && port_is_end_port(port) && port_is_active(port) &&
			    port->info.sm_sl > 0)
				mark(use, port->info.sm_sl, "MasterSMSL of %s",
				     port_label(port, false, label, sizeof(label)));
		}
	}
}

/* The number at the end of a key; -1 when there is none. */
static int64_t trailing_number(const char *key)
{
	size_t length = strlen(key);
	size_t digits = 0;

	while (digits < length && digits < 3 && isdigit((unsigned char)key[length - digits - 1]))
		digits++;
	return digits > 0 && digits < 3 ? strtol(key + length - digits, NULL, 10) : -1;
}

static void find_counters(const struct fabric *fabric, struct sl_use *use)
{
	char label[DEVICE_LABEL_SIZE + 16];

	for (size_t i = 0; i < fabric->fact_count; i++) {
		const struct fact *fact = &fabric->facts[i];
		const struct port *port;

		if (!fact->section || !fact->key || !fact->value || !fact->device || fact->port < 0 ||
		    (strcmp(fact->section, SL_FACT_XMIT) != 0 &&
		     strcmp(fact->section, SL_FACT_RCV) != 0) ||
		    strtoull(fact->value, NULL, 0) == 0)
			continue;
		port = device_port(fact->device, (unsigned)fact->port);
		mark(use, trailing_number(fact->key), "%s of %s", fact->section,
		     port ? port_label(port, false, label, sizeof(label)) :
			    device_label(fact->device, label, sizeof(label)));
	}
}

/* "Selected SL (3) leads to VL15": somebody asked the SA for that SL. */
static void find_in_log(const struct fabric *fabric, struct sl_use *use)
{
	const struct config *config = fabric->config;
	const struct log_event *event = NULL;
	char file[CITE_SIZE];

	while ((event = log_event_next(config, LOG_SL_TO_VL15, event))) {
		const char *number;

		if (!event->text)
			continue;
		number = strstr(event->text, "SL");
		if (number)
			number = strpbrk(number, "0123456789");
		if (number)
			mark(use, strtol(number, NULL, 10), "%s, a path on it was asked for",
			     cite(fabric, event->source, event->last_line, "opensm.log", file));
	}
}

/* Canonical name when the engine deals out SLs; names are compared as OpenSM does, exactly. */
static const char *engine_of_sls(const char *name, size_t length)
{
	static const char *const engines[] = {"lash", "dfsssp", "nue", "torus-2QoS"};

	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (strlen(engines[i]) == length && strncmp(engines[i], name, length) == 0)
			return engines[i];
	}
	return NULL;
}

/* The log tells which engine ran; without it the first of the list is taken. */
static void find_engine(const struct fabric *fabric, struct sl_use *use)
{
	const struct config *config = fabric->config;
	const struct log_event *event = log_newest_event(config, LOG_ENGINE_CONFIGURED);
	const char *engine = NULL, *list = config->opensm.routing_engine;

	if (event && event->text) {
		engine = engine_of_sls(event->text, strlen(event->text));
		cite(fabric, event->source, event->last_line, "opensm.log", use->engine_origin);
	} else if (list) {
		list += strspn(list, " \t,");
		engine = engine_of_sls(list, strcspn(list, " \t,"));
		/* Refused without QoS (osm_torus.c, ERR 4E44). */
		if (engine && strcmp(engine, "torus-2QoS") == 0 && qos_state_of(config) == QOS_OFF)
			engine = NULL;
		cite_option(fabric, "routing_engine", use->engine_origin);
	}
	if (engine)
		snprintf(use->engine, sizeof(use->engine), "%s", engine);
	else
		use->engine_origin[0] = '\0';
}

/* The fewest VLs that operate on a cabled switch port; 0 when no port tells. */
static int64_t fewest_lanes(const struct fabric *fabric)
{
	int64_t lanes = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 1; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (device->type == NODE_TYPE_SWITCH && port && port->peer &&
			    port_is_active(port) && qos_lanes(port) > 0 &&
			    (lanes == 0 || qos_lanes(port) < lanes))
				lanes = qos_lanes(port);
		}
	}
	return lanes;
}

/*
 * lash, dfsssp and nue give paths the SLs below the number of lanes; torus-2QoS
 * the lower eight (three bits for the crossings of datelines).
 */
static void find_engine_sls(const struct fabric *fabric, struct sl_use *use)
{
	int64_t lanes;

	if (!use->engine[0])
		return;
	lanes = strcmp(use->engine, "torus-2QoS") == 0 ? 8 : fewest_lanes(fabric);
	for (int64_t sl = 0; sl < lanes; sl++)
		mark(use, sl, "dealt out by %s (%s)", use->engine, use->engine_origin);
}

void sl_use_find(const struct fabric *fabric, struct sl_use *ret_use)
{
	memset(ret_use, 0, sizeof(*ret_use));
	mark(ret_use, 0, "the default SL");
	find_in_policy(fabric, ret_use);
	find_in_partitions(fabric, ret_use);
	find_sm_sl(fabric, ret_use);
	find_counters(fabric, ret_use);
	find_in_log(fabric, ret_use);
	find_engine(fabric, ret_use);
	find_engine_sls(fabric, ret_use);
}

const char *sl_use_text(const struct sl_use *use, uint16_t sls, char out[SL_USE_TEXT_SIZE])
{
	size_t used = 0;

	out[0] = '\0';
	for (unsigned sl = 0; sl < SL_COUNT; sl++) {
		int written;

		if (!((sls & use->used) >> sl & 1))
			continue;
		written = snprintf(out + used, SL_USE_TEXT_SIZE - used, "%sSL %u (%s)",
				   used ? ", " : "", sl, use->origin[sl]);
		if (written < 0 || (size_t)written >= SL_USE_TEXT_SIZE - used) {
			out[used] = '\0';
			break;
		}
		used += (size_t)written;
	}
	return out;
}
