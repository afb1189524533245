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

	if (config)
		config->fabric = fabric;
	return config;
}
