#include "rules/port_list.h"

#include <stdlib.h>
#include <string.h>

#include "rules/places.h"
#include "store/array.h"

int port_list_add(struct port_list *ports, const struct port *port, struct err *err)
{
	const struct port **grown =
		array_grow(ports->list, ports->count, &ports->room, sizeof(const struct port *));

	if (!grown)
		return err_no_memory(err);
	ports->list = grown;
	ports->list[ports->count++] = port;
	return 0;
}

void port_list_clear(struct port_list *ports)
{
	free(ports->list);
	memset(ports, 0, sizeof(*ports));
}

int port_list_tell(const struct port_list *ports, enum severity severity, const char *id,
		   const char *many, port_tell_fn one, void *context, struct rule_output *out,
		   struct err *err)
{
	struct places places = {0};
	struct finding *finding;
	int rc = 0;

	if (ports->count <= PORTS_APART) {
		for (size_t i = 0; rc == 0 && i < ports->count; i++)
			rc = one(context, ports->list[i], out, err);
		return rc;
	}
	finding = rule_finding(out, severity, NULL, NULL, id, "%zu %s", ports->count, many);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < ports->count; i++)
		places_add_port(&places, ports->list[i]);
	if (!places_evidence(&places, finding, "ports"))
		return err_no_memory(err);
	return 0;
}

bool port_is_first_end(const struct port *port)
{
	const struct port *peer = port->peer;

	if (!peer || port->num == 0)
		return false;
	if (peer->peer != port)
		return true;
	if (peer->device->guid != port->device->guid)
		return port->device->guid < peer->device->guid;
	if (peer->device != port->device)
		return port->device->index < peer->device->index;
	return port->num <= peer->num;
}
