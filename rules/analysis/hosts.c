#include "rules/analysis/hosts.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "store/array.h"
#include "store/text.h"

/* Something told of a port: by a host port, or by a GID. */
struct told {
	const char *host;
	const char *device;
	unsigned port;
	source_ref source;
	const struct host_port *of_port;	/* or NULL */
	const struct host_gid *gid;		/* or NULL */
};

static int names_compare(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int ports_compare(const struct told *a, const struct told *b)
{
	int order = names_compare(a->host, b->host);

	if (order == 0 && !a->host && a->source != b->source)
		order = a->source < b->source ? -1 : 1;
	if (order == 0)
		order = names_compare(a->device, b->device);
	if (order == 0 && a->port != b->port)
		order = a->port < b->port ? -1 : 1;
	return order;
}

/* Ports first, then GIDs by index; of equal ones that first which says more. */
static int told_compare(const void *left, const void *right)
{
	const struct told *a = left;
	const struct told *b = right;
	int order = ports_compare(a, b);

	if (order == 0 && !a->gid != !b->gid)
		order = a->gid ? 1 : -1;
	if (order == 0 && a->gid) {
		if (a->gid->index != b->gid->index)
			return a->gid->index < b->gid->index ? -1 : 1;
		order = memcmp(a->gid->gid, b->gid->gid, 16);
		if (order == 0)
			order = (a->gid->type == NULL) - (b->gid->type == NULL);
		if (order == 0)
			order = (a->gid->netdev == NULL) - (b->gid->netdev == NULL);
	}
	if (order == 0 && a->source != b->source)
		order = a->source < b->source ? -1 : 1;
	return order;
}

static void join_number(int64_t *kept, int64_t told)
{
	if (*kept == FIELD_UNKNOWN)
		*kept = told;
	else if (told != FIELD_UNKNOWN && told != *kept)
		*kept = FIELD_UNKNOWN;
}

static void join_port(struct host_view *view, const struct host_port *port)
{
	bool first = !view->is_listed;

	view->is_listed = true;
	/* What was told differently before stays unknown. */
	if (first) {
		view->link_layer = port->link_layer;
		view->state = port->state;
	} else {
		if (!view->link_layer || !port->link_layer)
			view->link_layer = view->link_layer ? view->link_layer : port->link_layer;
		else if (strcasecmp(view->link_layer, port->link_layer) != 0)
			view->link_layer = NULL;
		join_number(&view->state, port->state);
	}
	if (port->rate_mbps > view->rate_mbps) {
		view->rate_mbps = port->rate_mbps;
		view->speed = port->speed ? port->speed : view->speed;
	}
	if (port->width > view->width)
		view->width = port->width;
	if (!view->fw_version)
		view->fw_version = port->fw_version;
	if (!view->node_guid)
		view->node_guid = port->node_guid;
	if (!view->port_guid)
		view->port_guid = port->port_guid;
	if (port->gid_slots > view->gid_slots)
		view->gid_slots = port->gid_slots;
	/* One whole table is enough. */
	if (port->gids_unread != FIELD_UNKNOWN &&
	    (view->gids_unread == FIELD_UNKNOWN || port->gids_unread < view->gids_unread))
		view->gids_unread = port->gids_unread;
	if (!view->counters)
		view->counters = port->counters;
}

static void join_gid(struct host_view *view, const struct host_gid *gid)
{
	const struct host_gid *last = view->gid_count ? view->gids[view->gid_count - 1] : NULL;

	if (last && last->index == gid->index && memcmp(last->gid, gid->gid, 16) == 0)
		return;
	view->gids[view->gid_count++] = gid;
}

static void views_free(void *data)
{
	struct host_views *views = data;

	free(views->list);
	free(views->gids);
	free(views);
}

static size_t tell_all(const struct fabric *fabric, struct told *told)
{
	size_t count = 0;

	for (size_t i = 0; i < fabric->host_port_count; i++) {
		const struct host_port *port = &fabric->host_ports[i];

		told[count++] = (struct told){port->host, port->device, port->port, port->source, port,
					      NULL};
	}
	for (size_t i = 0; i < fabric->host_gid_count; i++) {
		const struct host_gid *gid = &fabric->host_gids[i];

		told[count++] = (struct told){gid->host, gid->device, gid->port, gid->source, NULL, gid};
	}
	return count;
}

static int group(const struct told *told, size_t count, struct host_views *views, struct err *err)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		struct host_view *view;

		if (i == 0 || ports_compare(&told[i - 1], &told[i]) != 0) {
			struct host_view *grown = array_grow(views->list, views->count, &views->room,
							     sizeof(*grown));

			if (!grown)
				return err_no_memory(err);
			views->list = grown;
			views->list[views->count++] = (struct host_view){
				.host = told[i].host,
				.device = told[i].device ? told[i].device : "",
				.port = told[i].port,
				.source = told[i].source,
				.state = FIELD_UNKNOWN,
				.rate_mbps = FIELD_UNKNOWN,
				.width = FIELD_UNKNOWN,
				.gid_slots = FIELD_UNKNOWN,
				.gids_unread = FIELD_UNKNOWN,
				.gids = views->gids + used,
			};
		}
		view = &views->list[views->count - 1];
		if (told[i].of_port) {
			join_port(view, told[i].of_port);
		} else {
			size_t before = view->gid_count;

			join_gid(view, told[i].gid);
			used += view->gid_count - before;
		}
	}
	return 0;
}

int analysis_hosts(struct analysis *analysis, const struct host_views **ret_views, struct err *err)
{
	const struct fabric *fabric = analysis_fabric(analysis);
	struct host_views *views = analysis_part(analysis, ANALYSIS_HOSTS);
	size_t most = fabric->host_port_count + fabric->host_gid_count;
	struct told *told = NULL;
	int rc = 0;

	*ret_views = views;
	if (views)
		return 0;
	views = calloc(1, sizeof(*views));
	told = calloc(most + 1, sizeof(*told));
	if (views)
		views->gids = calloc(fabric->host_gid_count + 1, sizeof(const struct host_gid *));
	if (!views || !told || !views->gids) {
		rc = err_no_memory(err);
	} else {
		most = tell_all(fabric, told);
		qsort(told, most, sizeof(*told), told_compare);
		rc = group(told, most, views, err);
	}
	free(told);
	if (rc < 0) {
		if (views)
			views_free(views);
		return rc;
	}
	analysis_keep(analysis, ANALYSIS_HOSTS, views, views_free);
	*ret_views = views;
	return 0;
}

/* --- Words. --- */

static size_t append(char *out, size_t size, size_t used, const char *text)
{
	if (used >= size)
		return used;
	return used + text_escape(text, strlen(text), out + used, size - used);
}

const char *host_label(const struct host_view *view, char out[HOST_LABEL_SIZE])
{
	const size_t room = HOST_LABEL_SIZE - 16;	/* for the port */
	size_t used = 0;

	out[0] = '\0';
	if (view->host) {
		used = append(out, room - 160, used, view->host);
		used = append(out, room, used, " ");
	}
	used = append(out, room, used, view->device);
	snprintf(out + used, HOST_LABEL_SIZE - used, " port %u", view->port);
	return out;
}

const char *host_label_netdevs(const struct host_view *view, char out[HOST_LABEL_SIZE])
{
	const size_t room = HOST_LABEL_SIZE - 8;
	size_t used = strlen(host_label(view, out));
	bool any = false;

	for (size_t i = 0; i < view->gid_count && used < room; i++) {
		const char *netdev = view->gids[i]->netdev;
		bool known = !netdev;

		for (size_t j = 0; j < i && !known; j++)
			known = view->gids[j]->netdev && strcmp(view->gids[j]->netdev, netdev) == 0;
		if (known)
			continue;
		used = append(out, room, used, any ? ", " : " (");
		used = append(out, room, used, netdev);
		any = true;
	}
	if (any)
		snprintf(out + used, HOST_LABEL_SIZE - used, ")");
	return out;
}

bool host_is_same(const struct host_view *a, const struct host_view *b)
{
	if (!a->host && !b->host)
		return a->source == b->source;
	return names_compare(a->host, b->host) == 0;
}

bool host_is_active(const struct host_view *view)
{
	return view->state == 4 || view->state == 5;
}

bool host_is_layer(const struct host_view *view, const char *layer)
{
	return view->link_layer && strcasecmp(view->link_layer, layer) == 0;
}

bool host_is_roce(const struct host_view *view)
{
	if (view->link_layer)
		return host_is_layer(view, "Ethernet");
	/* An InfiniBand port never has such an entry. */
	for (size_t i = 0; i < view->gid_count; i++) {
		if (gid_is_v2(view->gids[i]))
			return true;
	}
	return false;
}

bool host_may_be_active(const struct host_view *view)
{
	return view->state == FIELD_UNKNOWN || host_is_active(view);
}

/* --- GIDs. --- */

static bool starts_with(const uint8_t gid[16], const uint8_t *bytes, size_t count)
{
	return memcmp(gid, bytes, count) == 0;
}

bool gid_is_ipv4(const uint8_t gid[16])
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	return starts_with(gid, mapped, sizeof(mapped));
}

enum gid_reach gid_reach(const uint8_t gid[16])
{
	static const uint8_t low[15] = {0};

	if (gid_is_ipv4(gid)) {
		if (gid[12] == 0 || gid[12] == 127 || gid[12] >= 224)
			return GID_NOWHERE;
		return gid[12] == 169 && gid[13] == 254 ? GID_LINK_LOCAL : GID_ROUTABLE;
	}
	if (gid[0] == 0xff || (starts_with(gid, low, sizeof(low)) && gid[15] <= 1))
		return GID_NOWHERE;
	return gid[0] == 0xfe && (gid[1] & 0xc0) == 0x80 ? GID_LINK_LOCAL : GID_ROUTABLE;
}

const char *gid_text(const uint8_t gid[16], char out[GID_TEXT_SIZE])
{
	if (!inet_ntop(AF_INET6, gid, out, GID_TEXT_SIZE))
		out[0] = '\0';
	return out;
}

bool gid_is_v2(const struct host_gid *gid)
{
	return gid->type && strcasecmp(gid->type, "RoCE v2") == 0;
}

bool gid_type_is_unknown(const struct host_gid *gid)
{
	static const char *const others[] = {"IB", "RoCE v1", "IB/RoCE v1"};

	for (size_t i = 0; gid->type && i < sizeof(others) / sizeof(others[0]); i++) {
		if (strcasecmp(gid->type, others[i]) == 0)
			return false;
	}
	return !gid_is_v2(gid);
}
