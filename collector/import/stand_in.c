#include "collector/import/stand_in.h"

/*
 * The CA that this port belongs to as its neighbours prove: makers number the
 * ports' GUIDs of one CA as they number its ports, and give no two CAs GUIDs out
 * of one such row. NULL: nobody's.
 */
static struct device *sibling_device(struct import *import, uint64_t guid, unsigned num)
{
	for (unsigned other = 1; other <= CA_PORTS_MAX; other++) {
		const struct port *port;
		const struct port *own;

		if (other == num || guid <= CA_PORTS_MAX)
			continue;
		port = import_port_by_guid(import, guid - num + other);
		if (!port || port->num != other || port->device->type != NODE_TYPE_CA)
			continue;
		own = device_port(port->device, num);
		if ((own && own->guid != 0) || (port->device->info.num_ports != FIELD_UNKNOWN &&
						(int64_t)num > port->device->info.num_ports))
			continue;
		return port->device;
	}
	return NULL;
}

/* What was taken for proved stands beside the source. */
static bool tell_sibling(struct import *import)
{
	static const char text[] = "CA ports with neighbouring GUIDs and numbers are one device's";
	struct source *source = import_source(import);

	if (!source->detail)
		source->detail = import_intern(import, text, sizeof(text) - 1);
	return source->detail != NULL;
}

struct port *stand_in_port(struct import *import, uint64_t port_guid, enum node_type type,
			   unsigned num)
{
	struct port *port = import_port_by_guid(import, port_guid);
	struct device *device;

	if (port)
		return import_device_seen(import, port->device) ? port : NULL;
	device = NULL;
	if (type == NODE_TYPE_CA && num > 0 && num <= CA_PORTS_MAX)
		device = sibling_device(import, port_guid, num);
	if (device && !tell_sibling(import))
		return NULL;
	if (!device)
		device = import_device(import, port_guid, type);
	if (!device)
		return NULL;
	port = import_port(import, device, device->type == NODE_TYPE_SWITCH ? 0 : num);
	/* It may be a switch's, which is its port 0's. */
	if (port && device->type != NODE_TYPE_UNKNOWN)
		import_port_guid(import, port, port_guid);
	return port;
}

int stand_in_name(struct import *import, struct device *device, const char *text, size_t length,
		  struct err *err)
{
	import_trim(&text, &length);
	if (length == 0 || device->description || device->alias)
		return 0;
	return import_description(import, device, text, length, err);
}
