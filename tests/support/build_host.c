#include "tests/support/build_host.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static char *keep(struct fabric *fabric, const char *text)
{
	char *copy = text ? fabric_text(fabric, text, strlen(text)) : NULL;

	assert_true(!text || copy);
	return copy;
}

struct host_port *build_host_port(struct fabric *fabric, const char *host, const char *device,
				  const char *layer)
{
	struct host_port *port = fabric_host_port_add(fabric);

	assert_non_null(port);
	port->host = keep(fabric, host);
	port->device = keep(fabric, device);
	port->port = 1;
	port->link_layer = keep(fabric, layer);
	port->state = 4;
	port->gid_slots = 16;
	port->gids_unread = 0;
	port->source = 1;
	return port;
}

void build_host_rate(struct fabric *fabric, struct host_port *port, int64_t mbps, int64_t width,
		     const char *speed)
{
	port->rate_mbps = mbps;
	port->width = width;
	port->speed = keep(fabric, speed);
}

struct host_gid *build_host_gid(struct fabric *fabric, const char *host, const char *device, int index,
				const char *gid, const char *type, const char *netdev)
{
	struct host_gid *entry = fabric_host_gid_add(fabric);

	assert_non_null(entry);
	entry->host = keep(fabric, host);
	entry->device = keep(fabric, device);
	entry->port = 1;
	entry->index = index;
	assert_int_equal(inet_pton(AF_INET6, gid, entry->gid), 1);
	entry->type = keep(fabric, type);
	entry->netdev = keep(fabric, netdev);
	entry->source = 1;
	return entry;
}
