#include "store/config.h"

#include <stdlib.h>
#include <string.h>

const char *qos_class_prefix(enum qos_class class)
{
	static const char *const prefixes[QOS_CLASS_COUNT] = {
		[QOS_CLASS_DEFAULT] = "qos_", [QOS_CLASS_CA] = "qos_ca_",
		[QOS_CLASS_SW0] = "qos_sw0_", [QOS_CLASS_SWE] = "qos_swe_",
		[QOS_CLASS_RTR] = "qos_rtr_",
	};

	return prefixes[class];
}

enum qos_class qos_class_of_port(const struct port *port)
{
	switch (port->device->type) {
	case NODE_TYPE_SWITCH:
		return port->num == 0 ? QOS_CLASS_SW0 : QOS_CLASS_SWE;
	case NODE_TYPE_ROUTER:
		return QOS_CLASS_RTR;
	case NODE_TYPE_CA:
	case NODE_TYPE_UNKNOWN:
		break;
	}
	return QOS_CLASS_CA;
}

struct config *config_new(struct fabric *fabric)
{
	struct config *config = fabric_alloc(fabric, 1, sizeof(*config));
	struct err err = {0};

	if (!config)
		return NULL;
	config->fabric = fabric;
	return config_build(config, &err) < 0 ? NULL : config;
}

/*
 * Room for one more element in a list of the fabric's memory. The room follows
 * from the count alone (16, then powers of two), so no list carries it. What is
 * left behind is at most as much as the list itself.
 */
static void *list_grow(struct fabric *fabric, void *list, size_t count, size_t size)
{
	size_t room = count < 16 ? 16 : 2 * count;
	void *grown;

	if (count != 0 && (count < 16 || (count & (count - 1)) != 0))
		return list;
	grown = fabric_alloc(fabric, room, size);
	if (grown && count > 0)
		memcpy(grown, list, count * size);
	return grown;
}

#define CONFIG_LIST_ADD(config, list, count)                                                      \
	do {                                                                                      \
		void *grown = list_grow((config)->fabric, (config)->list, (config)->count,        \
					sizeof(*(config)->list));                                 \
		if (!grown)                                                                       \
			return NULL;                                                              \
		(config)->list = grown;                                                           \
		memset(&(config)->list[(config)->count], 0, sizeof(*(config)->list));             \
	} while (0)

struct config_option *config_option_add(struct config *config)
{
	CONFIG_LIST_ADD(config, options, option_count);
	return &config->options[config->option_count++];
}

struct partition *config_partition_add(struct config *config)
{
	struct partition *partition;

	CONFIG_LIST_ADD(config, partitions, partition_count);
	partition = &config->partitions[config->partition_count++];
	partition->mtu_code = FIELD_UNKNOWN;
	partition->rate_code = FIELD_UNKNOWN;
	partition->sl = FIELD_UNKNOWN;
	return partition;
}

struct log_event *config_event_add(struct config *config)
{
	struct log_event *event;

	CONFIG_LIST_ADD(config, events, event_count);
	event = &config->events[config->event_count++];
	event->port = -1;
	event->port_a = -1;
	event->port_b = -1;
	return event;
}

struct log_run *config_log_run_add(struct config *config)
{
	CONFIG_LIST_ADD(config, log_runs, log_run_count);
	return &config->log_runs[config->log_run_count++];
}

struct config_problem *config_problem_add(struct config *config)
{
	CONFIG_LIST_ADD(config, problems, problem_count);
	return &config->problems[config->problem_count++];
}

const struct config_option *config_option_find(const struct config *config, const char *key)
{
	for (size_t i = 0; i < config->option_count; i++) {
		if (config->options[i].key && strcmp(config->options[i].key, key) == 0)
			return &config->options[i];
	}
	return NULL;
}

const struct policy_node *policy_child(const struct policy_node *parent, const char *keyword,
				       const struct policy_node *after)
{
	const struct policy_node *node = after ? after->next : parent->first_child;

	while (node && strcmp(node->keyword, keyword) != 0)
		node = node->next;
	return node;
}

const char *log_event_kind_name(enum log_event_kind kind)
{
	static const char *const names[LOG_EVENT_KIND_COUNT] = {
		[LOG_SM_STATE] = "sm-state",
		[LOG_SUBNET_UP] = "subnet-up",
		[LOG_FTREE_LMC] = "ftree-lmc",
		[LOG_ENGINE_FAILED] = "engine-failed",
		[LOG_ENGINE_CONFIGURED] = "engine-configured",
		[LOG_NO_ENGINE] = "no-engine",
		[LOG_DUPLICATE_NODE_GUID] = "duplicate-node-guid",
		[LOG_DUPLICATE_PORT_GUID] = "duplicate-port-guid",
		[LOG_OPTION_REJECTED] = "option-rejected",
		[LOG_POLICY_REJECTED] = "policy-rejected",
		[LOG_SL_TO_VL15] = "sl-to-vl15",
		[LOG_UNKNOWN_REMOTE] = "unknown-remote",
		[LOG_OTHER_SM] = "other-sm",
		[LOG_ERROR] = "error",
	};

	return (unsigned)kind < LOG_EVENT_KIND_COUNT ? names[kind] : "unknown";
}

const char *log_run_state_name(enum log_run_state state)
{
	static const char *const names[LOG_RUN_STATE_COUNT] = {
		[LOG_RUN_LAST] = "last",
		[LOG_RUN_EXITED] = "exited",
		[LOG_RUN_EARLIER] = "earlier",
	};

	return (unsigned)state < LOG_RUN_STATE_COUNT ? names[state] : "unknown";
}
