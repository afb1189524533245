#include "collector/import/told_ends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

static bool is_told(const struct told_ends *told, const struct port *port)
{
	return port->device->index < told->room &&
	       (told->ports[port->device->index][port->num >> 3] >> (port->num & 7) & 1);
}

int told_end_add(struct told_ends *told, const struct port *port, struct err *err)
{
	size_t index = port->device->index;
	uint8_t (*ports)[32] = array_reach(told->ports, index, &told->room, sizeof(*ports));

	if (!ports)
		return err_no_memory(err);
	told->ports = ports;
	told->ports[index][port->num >> 3] |= (uint8_t)(1u << (port->num & 7));
	return 0;
}

/* Some line began with a port of the device. */
static bool has_line(const struct told_ends *told, const struct device *device)
{
	static const uint8_t none[32];

	return device->index < told->room &&
	       memcmp(told->ports[device->index], none, sizeof(none)) != 0;
}

int told_ends_settle(const struct told_ends *told, bool some, struct import *import,
		     struct err *err)
{
	const struct fabric *fabric = import_fabric(import);
	const struct port *first = NULL;
	size_t twice = 0;
	size_t once = 0;

	for (size_t i = 0; i < fabric->device_count && i < told->room; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			const struct port *port = device->ports[p];

			if (!port || !port->peer || !is_told(told, port))
				continue;
			if (is_told(told, port->peer)) {
				twice++;
			} else if (!some || has_line(told, port->peer->device)) {
				once++;
				first = first ? first : port;
			}
		}
	}
	return twice == 0 ? 0 : told_once(import, once, first, err);
}

int told_once(struct import *import, size_t once, const struct port *first, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	char text[DEVICE_LABEL_SIZE + 128];

	if (once == 0)
		return 0;
	snprintf(text, sizeof(text), "%zu cable%s told from one end only, %s", once,
		 once == 1 ? " is" : "s are", once == 1 ? "that of " : "the first is that of ");
	snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
		 port_label(first, false, label, sizeof(label)));
	return import_cut(import, ATTRIBUTE_NODE_INFO, text, err);
}

void told_ends_free(struct told_ends *told)
{
	free(told->ports);
	*told = (struct told_ends){NULL, 0};
}
