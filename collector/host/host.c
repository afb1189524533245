#include "collector/host/host.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/host/sysfs.h"

struct reading {
	struct fabric *fabric;
	const char *host;
	source_ref source;
	const char *device;
	uint64_t node_guid;
	char fw_version[SYSFS_TEXT_SIZE];
};

/* NULL for an empty text; *ret_ok false without memory. */
static char *copy(struct fabric *fabric, const char *text, bool *ret_ok)
{
	char *kept;

	if (!text || !*text)
		return NULL;
	kept = fabric_text(fabric, text, strlen(text));
	if (!kept)
		*ret_ok = false;
	return kept;
}

static bool is_zero(const uint8_t gid[16])
{
	static const uint8_t zero[16];

	return memcmp(gid, zero, sizeof(zero)) == 0;
}

static bool join(char *path, const char *dir, const char *name)
{
	return snprintf(path, SYSFS_PATH_SIZE, "%s/%s", dir, name) < SYSFS_PATH_SIZE;
}

/* "IB/RoCE v1" is what the kernel calls IB on an InfiniBand port and RoCE v1 on an Ethernet port. */
static const char *type_of(const char *type, bool ethernet)
{
	if (strcmp(type, "IB/RoCE v1") != 0)
		return type;
	return ethernet ? "RoCE v1" : "IB";
}

static int read_gid(const struct reading *reading, const char *port_dir, unsigned port,
		    const char *index, bool ethernet, struct err *err)
{
	char text[SYSFS_TEXT_SIZE], type[SYSFS_TEXT_SIZE], netdev[SYSFS_TEXT_SIZE];
	char path[SYSFS_PATH_SIZE];
	struct host_gid *entry;
	uint8_t gid[16];
	bool ok = true;

	if (!join(path, port_dir, "gids") || !sysfs_text(path, index, text) ||
	    !host_parse_gid(text, gid) || is_zero(gid))
		return 0;
	if (!join(path, port_dir, "gid_attrs/types") || !sysfs_text(path, index, type))
		type[0] = '\0';
	if (!join(path, port_dir, "gid_attrs/ndevs") || !sysfs_text(path, index, netdev))
		netdev[0] = '\0';
	entry = fabric_host_gid_add(reading->fabric);
	if (!entry)
		return err_no_memory(err);
	entry->host = copy(reading->fabric, reading->host, &ok);
	entry->device = copy(reading->fabric, reading->device, &ok);
	entry->port = (uint8_t)port;
	entry->index = atoi(index);
	memcpy(entry->gid, gid, sizeof(entry->gid));
	entry->type = copy(reading->fabric, type_of(type, ethernet), &ok);
	entry->netdev = copy(reading->fabric, netdev, &ok);
	entry->source = reading->source;
	return ok ? 0 : err_no_memory(err);
}

/* An InfiniBand port's first GID ends in its port GUID; 0 when it was not read. */
static uint64_t port_guid_of(const struct fabric *fabric, size_t first)
{
	uint64_t guid = 0;

	if (first >= fabric->host_gid_count || fabric->host_gids[first].index != 0)
		return 0;
	for (unsigned i = 8; i < 16; i++)
		guid = guid << 8 | fabric->host_gids[first].gid[i];
	return guid;
}

static int read_port(struct reading *reading, const char *ports_dir, const char *name,
		     struct err *err)
{
	struct fabric *fabric = reading->fabric;
	size_t first_gid = fabric->host_gid_count;
	char dir[SYSFS_PATH_SIZE], gids_dir[SYSFS_PATH_SIZE];
	char text[SYSFS_TEXT_SIZE], speed[16];
	long number = strtol(name, NULL, 10);
	char **indices = NULL;
	size_t count = 0;
	struct host_port *port;
	bool ok = true;
	bool ethernet;
	int rc = 0;

	if (number < 1 || number > 254 || !join(dir, ports_dir, name))
		return 0;
	port = fabric_host_port_add(fabric);
	if (!port)
		return err_no_memory(err);
	port->host = copy(fabric, reading->host, &ok);
	port->device = copy(fabric, reading->device, &ok);
	port->port = (uint8_t)number;
	port->node_guid = reading->node_guid;
	port->fw_version = copy(fabric, reading->fw_version, &ok);
	port->source = reading->source;
	if (sysfs_text(dir, "link_layer", text))
		port->link_layer = copy(fabric, text, &ok);
	port->state = sysfs_number(dir, "state");
	port->phys_state = sysfs_number(dir, "phys_state");
	port->lid = sysfs_number(dir, "lid");
	port->lmc = sysfs_number(dir, "lid_mask_count");
	port->sm_lid = sysfs_number(dir, "sm_lid");
	/* The rate of a port that is not Active is stale, or none. */
	if (sysfs_text(dir, "rate", text) && port->state == 4 &&
	    host_parse_rate(text, &port->rate_mbps, &port->width, speed, sizeof(speed)))
		port->speed = copy(fabric, speed, &ok);
	if (!ok)
		return err_no_memory(err);
	ethernet = port->link_layer && strcmp(port->link_layer, "Ethernet") == 0;
	if (join(gids_dir, dir, "gids") && sysfs_list(gids_dir, &indices, &count) == 0) {
		for (size_t i = 0; rc == 0 && i < count; i++)
			rc = read_gid(reading, dir, (unsigned)number, indices[i], ethernet, err);
		port->port_guid = ethernet ? 0 : port_guid_of(fabric, first_gid);
		for (size_t i = first_gid; i < fabric->host_gid_count; i++)
			fabric->host_gids[i].port_guid = port->port_guid;
	}
	sysfs_list_free(indices, count);
	return rc;
}

static int read_device(struct reading *reading, const char *dir, struct err *err)
{
	char ports_dir[SYSFS_PATH_SIZE];
	char text[SYSFS_TEXT_SIZE];
	char **ports = NULL;
	size_t count = 0;
	int rc = 0;

	reading->node_guid = 0;
	if (sysfs_text(dir, "node_guid", text))
		(void)host_parse_guid(text, &reading->node_guid);
	(void)sysfs_text(dir, "fw_ver", reading->fw_version);
	if (!join(ports_dir, dir, "ports") || sysfs_list(ports_dir, &ports, &count) < 0)
		return 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = read_port(reading, ports_dir, ports[i], err);
	sysfs_list_free(ports, count);
	return rc;
}

/* The infiniband class below root, wherever root points at; false: there is none. */
static bool find_class(const char *root, char path[SYSFS_PATH_SIZE])
{
	static const char *const places[] = {"class/infiniband", "sys/class/infiniband",
					     "infiniband", "."};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char **names = NULL;
		size_t count = 0;

		if (!join(path, root, places[i]) || sysfs_list(path, &names, &count) < 0)
			continue;
		sysfs_list_free(names, count);
		/* "." is the class only if what lies in it are devices. */
		if (strcmp(places[i], ".") != 0)
			return true;
		return count > 0;
	}
	return false;
}

/* A device has ports. */
static bool is_device(const char *dir)
{
	char path[SYSFS_PATH_SIZE];
	struct stat found;

	return join(path, dir, "ports") && stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

int host_read(const char *root, const char *host, source_ref source, struct fabric *fabric,
	      struct err *err)
{
	struct reading reading = {.fabric = fabric, .host = host, .source = source};
	char class_dir[SYSFS_PATH_SIZE], dir[SYSFS_PATH_SIZE];
	char **names = NULL;
	size_t count = 0;
	int rc = 0;

	if (!find_class(root, class_dir)) {
		if (sysfs_list(root, &names, &count) < 0)
			return err_set(err, ERR_INPUT, "cannot read the sysfs tree %s: %s", root,
				       strerror(errno));
		sysfs_list_free(names, count);
		return 0;
	}
	if (sysfs_list(class_dir, &names, &count) < 0)
		return 0;
	for (size_t i = 0; rc == 0 && i < count; i++) {
		reading.device = names[i];
		if (join(dir, class_dir, names[i]) && is_device(dir))
			rc = read_device(&reading, dir, err);
	}
	sysfs_list_free(names, count);
	return rc;
}
