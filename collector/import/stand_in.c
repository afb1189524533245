#include "collector/import/stand_in.h"

struct port *stand_in_port(struct import *import, uint64_t port_guid, enum node_type type,
			   unsigned num)
{
	struct port *port = import_port_by_guid(import, port_guid);
	struct device *device;

	if (port)
		return port;
	device = import_device(import, port_guid, type);
	if (!device)
		return NULL;
	port = import_port(import, device, device->type == NODE_TYPE_SWITCH ? 0 : num);
	if (port)
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
