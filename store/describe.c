#include <stdio.h>
#include <string.h>

#include "store/store.h"
#include "store/text.h"

static void join_sources(const struct fabric *fabric, char *out, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < fabric->source_count; i++) {
		int length = snprintf(out + used, size - used, "%s%s", i ? ", " : "",
				      fabric->sources[i].name);

		if (length < 0 || (size_t)length >= size - used) {
			memcpy(out + size - 4, "...", 4);
			return;
		}
		used += (size_t)length;
	}
}

/* A link seen from both ends counts once, one seen from one end counts too. */
static int64_t count_links(const struct fabric *fabric)
{
	int64_t both = 0;
	int64_t one_way = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port->peer)
				continue;
			if (port->peer->peer != port)
				one_way++;
			else
				both += port->peer == port ? 2 : 1;
		}
	}
	return both / 2 + one_way;
}

void snapshot_describe(const struct fabric *fabric, const char *site, const char *label,
		       struct snapshot *ret_snapshot)
{
	struct snapshot snapshot = {.taken_at = fabric->taken_at,
				    .stored_at = FIELD_UNKNOWN,
				    .live = fabric->live,
				    .partial = fabric->partial,
				    .devices = (int64_t)fabric->device_count};

	for (size_t i = 0; i < fabric->device_count; i++) {
		enum node_type type = fabric->devices[i]->type;

		snapshot.switches += type == NODE_TYPE_SWITCH;
		snapshot.cas += type == NODE_TYPE_CA;
		snapshot.routers += type == NODE_TYPE_ROUTER;
	}
	snapshot.links = count_links(fabric);
	/* What a device does not have is no hole in our knowledge. */
	for (size_t i = 0; i < fabric->hole_count; i++)
		snapshot.holes += fabric->holes[i].reason != HOLE_UNSUPPORTED;
	for (int i = 0; i < 4; i++)
		snapshot.findings[i] = -1;
	join_sources(fabric, snapshot.sources, sizeof(snapshot.sources));
	if (site)
		text_escape(site, strlen(site), snapshot.site, sizeof(snapshot.site));
	if (label)
		text_escape(label, strlen(label), snapshot.label, sizeof(snapshot.label));
	*ret_snapshot = snapshot;
}
