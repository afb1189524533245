#include "collector/import/sysfs_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/host_words.h"
#include "collector/import/scan.h"
#include "collector/import/sysfs_counters.h"
#include "collector/import/words.h"
#include "store/array.h"

#define NAME_SIZE 128
#define PORTS_MAX 20000		/* of all hosts in one source */
#define GIDS_MAX 1024		/* of one port */

/* What a device says of itself; its ports have it in common. */
struct sysfs_device {
	char host[NAME_SIZE];	/* "" unknown */
	char name[NAME_SIZE];
	char fw_version[NAME_SIZE];
	uint64_t node_guid;
};

struct sysfs_gid {
	uint8_t gid[16];
	bool known;		/* it was read and is not all zero */
	bool read;
	bool named;		/* some file of this index is there */
	char type[16];
	char netdev[32];
};

struct sysfs_port {
	size_t device;		/* place in the list */
	unsigned num;
	struct host_port values;	/* texts apart */
	char link_layer[32];
	struct sysfs_gid *gids;
	size_t gid_room;
	struct sysfs_counters counters;
};

struct sysfs_tree {
	struct sysfs_device *devices;
	size_t device_count, device_room;
	struct sysfs_port *ports;
	size_t port_count, port_room;
};

/* A path taken apart. */
struct parts {
	struct scan host, device;
	int64_t port;		/* -1: a file of the device's own */
	struct scan rest;	/* "rate", "gids/3", "fw_ver" */
};

int sysfs_tree_new(struct sysfs_tree **ret_tree, struct err *err)
{
	*ret_tree = calloc(1, sizeof(**ret_tree));
	return *ret_tree ? 0 : err_no_memory(err);
}

void sysfs_tree_free(struct sysfs_tree *tree)
{
	if (!tree)
		return;
	for (size_t i = 0; i < tree->port_count; i++)
		free(tree->ports[i].gids);
	free(tree->ports);
	free(tree->devices);
	free(tree);
}

bool sysfs_is_class_directory(const char *path)
{
	static const char tail[] = "class/infiniband";
	size_t length = strlen(path);
	size_t want = sizeof(tail) - 1;

	while (length > 0 && path[length - 1] == '/')
		length--;
	return length >= want && memcmp(path + length - want, tail, want) == 0 &&
	       (length == want || path[length - want - 1] == '/');
}

/* Up to the next slash, which is taken too. */
static struct scan next_part(struct scan *scan)
{
	const char *slash = memchr(scan->at, '/', scan_left(scan));
	struct scan part = {scan->at, slash ? slash : scan->end};

	scan->at = slash ? slash + 1 : scan->end;
	return part;
}

/* The directory in front of "sys/class/infiniband" is named for its host. */
static struct scan host_of(const char *path, const char *class_at)
{
	static const char sys[] = "/sys/";
	struct scan before = {path, class_at};
	const char *start;

	if (scan_left(&before) < sizeof(sys) - 1 ||
	    memcmp(before.end - (sizeof(sys) - 1), sys, sizeof(sys) - 1) != 0)
		return (struct scan){path, path};
	before.end -= sizeof(sys) - 1;
	start = before.end;
	while (start > path && start[-1] != '/')
		start--;
	if (before.end - start == 1 && *start == '.')
		return (struct scan){path, path};
	return (struct scan){start, before.end};
}

static bool path_parse(const char *path, struct parts *parts)
{
	struct scan scan = scan_of(path, strlen(path));
	const char *at = scan_find_last(&scan, "class/infiniband/");
	struct scan word;
	uint64_t num;

	if (!at || (at > path && at[-1] != '/'))
		return false;
	parts->host = host_of(path, at);
	scan.at = at + strlen("class/infiniband/");
	parts->device = next_part(&scan);
	parts->port = -1;
	if (scan_literal(&scan, "ports/")) {
		word = next_part(&scan);
		if (!scan_decimal(&word, &num) || !scan_done(&word) || num == 0 || num > 254)
			return false;
		parts->port = (int64_t)num;
	}
	parts->rest = scan;
	return scan_left(&parts->device) > 0 && scan_left(&parts->device) < NAME_SIZE &&
	       scan_left(&parts->host) < NAME_SIZE;
}

bool sysfs_is_file(const char *path)
{
	struct parts parts;

	return path_parse(path, &parts) && scan_left(&parts.rest) > 0;
}

static bool is_text(const char *text, const struct scan *scan)
{
	return strlen(text) == scan_left(scan) && memcmp(text, scan->at, scan_left(scan)) == 0;
}

static void copy_text(char *out, size_t size, const char *text, size_t length)
{
	if (length >= size)
		length = size - 1;
	memcpy(out, text, length);
	out[length] = '\0';
}

/* Files come grouped, so the newest is nearly always it. */
static int find_device(struct sysfs_tree *tree, const struct parts *parts, size_t *ret_index,
		       struct err *err)
{
	struct sysfs_device *devices, *device;

	for (size_t i = tree->device_count; i > 0; i--) {
		device = &tree->devices[i - 1];
		if (is_text(device->name, &parts->device) && is_text(device->host, &parts->host)) {
			*ret_index = i - 1;
			return 0;
		}
	}
	if (tree->device_count >= PORTS_MAX)
		return err_set(err, ERR_LIMIT, "holds more than %d host devices", PORTS_MAX);
	devices = array_grow(tree->devices, tree->device_count, &tree->device_room,
			     sizeof(*devices));
	if (!devices)
		return err_no_memory(err);
	tree->devices = devices;
	device = &tree->devices[tree->device_count];
	memset(device, 0, sizeof(*device));
	copy_text(device->host, sizeof(device->host), parts->host.at, scan_left(&parts->host));
	copy_text(device->name, sizeof(device->name), parts->device.at, scan_left(&parts->device));
	*ret_index = tree->device_count++;
	return 0;
}

static int find_port(struct sysfs_tree *tree, size_t device, unsigned num,
		     struct sysfs_port **ret_port, struct err *err)
{
	struct sysfs_port *ports, *port;

	for (size_t i = tree->port_count; i > 0; i--) {
		port = &tree->ports[i - 1];
		if (port->device == device && port->num == num) {
			*ret_port = port;
			return 0;
		}
	}
	if (tree->port_count >= PORTS_MAX)
		return err_set(err, ERR_LIMIT, "holds more than %d host ports", PORTS_MAX);
	ports = array_grow(tree->ports, tree->port_count, &tree->port_room, sizeof(*ports));
	if (!ports)
		return err_no_memory(err);
	tree->ports = ports;
	port = &tree->ports[tree->port_count++];
	*port = (struct sysfs_port){.device = device,
				    .num = num,
				    .values = {.state = FIELD_UNKNOWN,
					       .phys_state = FIELD_UNKNOWN,
					       .rate_mbps = FIELD_UNKNOWN,
					       .width = FIELD_UNKNOWN,
					       .lid = FIELD_UNKNOWN,
					       .lmc = FIELD_UNKNOWN,
					       .sm_lid = FIELD_UNKNOWN,
					       .gid_slots = FIELD_UNKNOWN,
					       .gids_unread = FIELD_UNKNOWN}};
	*ret_port = port;
	return 0;
}

static int find_gid(struct sysfs_port *port, unsigned index, struct sysfs_gid **ret_gid,
		    struct err *err)
{
	struct sysfs_gid *gids = array_reach(port->gids, index, &port->gid_room, sizeof(*gids));

	if (!gids)
		return err_no_memory(err);
	port->gids = gids;
	*ret_gid = &port->gids[index];
	return 0;
}

static bool device_file(struct sysfs_device *device, const struct scan *rest, const char *text,
			size_t length)
{
	if (is_text("node_guid", rest))
		return host_guid_parse(text, length, &device->node_guid);
	if (is_text("fw_ver", rest)) {
		copy_text(device->fw_version, sizeof(device->fw_version), text, length);
		return true;
	}
	return false;
}

static void take_number(const char *text, size_t length, uint64_t max, int64_t *slot)
{
	uint64_t value;

	if (import_parse_u64(text, length, &value) && value <= max)
		*slot = (int64_t)value;
}

/* "gids/3", "gid_attrs/types/3", "gid_attrs/ndevs/3". 1: one of them, 0: none. */
static int gid_file(struct sysfs_port *port, struct scan rest, const char *text, size_t length,
		    struct err *err)
{
	enum { GID, TYPE, NETDEV } what;
	struct sysfs_gid *gid = NULL;
	uint64_t index;
	int rc;

	if (scan_literal(&rest, "gids/"))
		what = GID;
	else if (scan_literal(&rest, "gid_attrs/types/"))
		what = TYPE;
	else if (scan_literal(&rest, "gid_attrs/ndevs/"))
		what = NETDEV;
	else
		return 0;
	if (!scan_decimal(&rest, &index) || !scan_done(&rest) || index >= GIDS_MAX)
		return 0;
	rc = find_gid(port, (unsigned)index, &gid, err);
	if (rc < 0)
		return rc;
	/* The kernel refuses type and netdev of an empty entry: such a file names nothing. */
	gid->named |= what == GID || length > 0;
	if (what == GID) {
		gid->read = host_gid_parse(text, length, gid->gid);
		gid->known = gid->read && !host_gid_is_zero(gid->gid);
	} else if (what == NETDEV) {
		copy_text(gid->netdev, sizeof(gid->netdev), text, length);
	} else {
		copy_text(gid->type, sizeof(gid->type), text, length);
	}
	return 1;
}

/* 1: a file that is kept, 0: none. */
static int port_file(struct sysfs_port *port, const struct scan *rest, const char *text,
		     size_t length, struct err *err)
{
	struct host_port *values = &port->values;
	const char *speed = NULL;

	if (is_text("state", rest)) {
		words_port_state(text, length, &values->state);
	} else if (is_text("phys_state", rest)) {
		words_phys_state(text, length, &values->phys_state);
	} else if (is_text("rate", rest)) {
		host_rate(text, length, &values->rate_mbps, &values->width, &speed);
		values->speed = (char *)speed;
	} else if (is_text("lid", rest)) {
		take_number(text, length, 0xffff, &values->lid);
	} else if (is_text("lid_mask_count", rest)) {
		take_number(text, length, 7, &values->lmc);
	} else if (is_text("sm_lid", rest)) {
		take_number(text, length, 0xffff, &values->sm_lid);
	} else if (is_text("link_layer", rest)) {
		copy_text(port->link_layer, sizeof(port->link_layer), text, length);
	} else if (sysfs_counter_file(&port->counters, *rest, text, length)) {
		return 1;
	} else {
		return gid_file(port, *rest, text, length, err);
	}
	return 1;
}

int sysfs_tree_file(struct sysfs_tree *tree, const char *path, const char *content, size_t length,
		    bool *ret_taken, struct err *err)
{
	const char *end = memchr(content, '\n', length);
	struct sysfs_port *port = NULL;
	struct parts parts;
	size_t device = 0;
	int rc;

	*ret_taken = false;
	if (!path_parse(path, &parts))
		return 0;
	if (end)
		length = (size_t)(end - content);
	import_trim(&content, &length);
	/* What could not be read counts where it may hide something. */
	if (length == 0 && !scan_starts(&parts.rest, "gids/") && !scan_starts(&parts.rest, "counters"))
		return 0;
	rc = find_device(tree, &parts, &device, err);
	if (rc < 0)
		return rc;
	if (parts.port < 0) {
		*ret_taken = device_file(&tree->devices[device], &parts.rest, content, length);
		return 0;
	}
	rc = find_port(tree, device, (unsigned)parts.port, &port, err);
	if (rc == 0)
		rc = port_file(port, &parts.rest, content, length, err);
	*ret_taken = rc == 1 && length > 0;
	return rc < 0 ? rc : 0;
}

/* A copy of a text that is there; NULL with *failed set: no memory. */
static char *keep(struct fabric *fabric, const char *text, bool *failed)
{
	char *copy;

	if (!*text)
		return NULL;
	copy = fabric_text(fabric, text, strlen(text));
	*failed = *failed || !copy;
	return copy;
}

static bool is_layer(const struct sysfs_port *port, const char *layer)
{
	return import_is_word(port->link_layer, strlen(port->link_layer), layer);
}

/* "IB/RoCE v1" is IB on an InfiniBand port and RoCE v1 on an Ethernet port. */
static const char *type_of(const struct sysfs_port *port, const struct sysfs_gid *gid)
{
	if (!import_is_word(gid->type, strlen(gid->type), "ib/roce v1"))
		return gid->type;
	if (is_layer(port, "infiniband"))
		return "IB";
	return is_layer(port, "ethernet") ? "RoCE v1" : gid->type;
}

static int settle_gids(const struct sysfs_tree *tree, const struct sysfs_port *port,
		       uint64_t port_guid, struct fabric *fabric, source_ref source,
		       struct err *err)
{
	const struct sysfs_device *device = &tree->devices[port->device];
	bool failed = false;

	for (size_t i = 0; i < port->gid_room && !failed; i++) {
		const struct sysfs_gid *gid = &port->gids[i];
		struct host_gid *entry;

		if (!gid->known)
			continue;
		entry = fabric_host_gid_add(fabric);
		if (!entry)
			return err_no_memory(err);
		entry->host = keep(fabric, device->host, &failed);
		entry->device = keep(fabric, device->name, &failed);
		entry->port = (uint8_t)port->num;
		entry->index = (int)i;
		memcpy(entry->gid, gid->gid, sizeof(entry->gid));
		entry->type = keep(fabric, type_of(port, gid), &failed);
		entry->netdev = keep(fabric, gid->netdev, &failed);
		entry->port_guid = port_guid;
		entry->source = source;
	}
	return failed ? err_no_memory(err) : 0;
}

static void settle_gid_slots(const struct sysfs_port *port, struct host_port *entry)
{
	int64_t slots = 0;
	int64_t unread = 0;

	for (size_t i = 0; i < port->gid_room; i++) {
		slots += port->gids[i].read;
		unread += port->gids[i].named && !port->gids[i].read;
	}
	if (slots + unread > 0) {
		entry->gid_slots = slots;
		entry->gids_unread = unread;
	}
}

static int settle_counters(const struct sysfs_port *port, struct host_port *entry,
			   struct fabric *fabric, struct err *err)
{
	char refused[SYSFS_REFUSED_SIZE];
	char text[SYSFS_REFUSED_SIZE + 3 * NAME_SIZE];
	struct hole *hole;
	int rc = sysfs_counters_settle(&port->counters, fabric, &entry->counters, err);

	if (rc < 0 || sysfs_counters_refused(&port->counters, refused)[0] == '\0')
		return rc;
	hole = fabric_hole_add(fabric);
	if (!hole)
		return err_no_memory(err);
	snprintf(text, sizeof(text), "%s%s%s port %u: %s", entry->host ? entry->host : "",
		 entry->host ? " " : "", entry->device, port->num, refused);
	/* A device refuses what it does not count. */
	*hole = (struct hole){.port = (int)port->num,
			      .attribute = ATTRIBUTE_HOST,
			      .reason = HOLE_UNSUPPORTED,
			      .text = fabric_text(fabric, text, strlen(text)),
			      .source = entry->source};
	return hole->text ? 0 : err_no_memory(err);
}

int sysfs_tree_settle(const struct sysfs_tree *tree, struct fabric *fabric, source_ref source,
		      struct err *err)
{
	for (size_t i = 0; i < tree->port_count; i++) {
		const struct sysfs_port *port = &tree->ports[i];
		const struct sysfs_device *device = &tree->devices[port->device];
		struct host_port *entry = fabric_host_port_add(fabric);
		bool failed = false;
		int rc;

		if (!entry)
			return err_no_memory(err);
		*entry = port->values;
		entry->port = (uint8_t)port->num;
		entry->host = keep(fabric, device->host, &failed);
		entry->device = keep(fabric, device->name, &failed);
		entry->fw_version = keep(fabric, device->fw_version, &failed);
		entry->link_layer = keep(fabric, port->link_layer, &failed);
		entry->node_guid = device->node_guid;
		/* GID 0 of an InfiniBand port is the subnet prefix and its GUID. */
		if (is_layer(port, "infiniband") && port->gid_room > 0 && port->gids[0].known)
			entry->port_guid = host_gid_guid(port->gids[0].gid);
		entry->source = source;
		host_port_settle(entry);
		settle_gid_slots(port, entry);
		if (failed)
			return err_no_memory(err);
		rc = settle_counters(port, entry, fabric, err);
		if (rc == 0)
			rc = settle_gids(tree, port, entry->port_guid, fabric, source, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}
