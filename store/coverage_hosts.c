/*
 * Findings on what hosts say of themselves lie on no device of the fabric: the host, its
 * device and the port stand in their evidence ("host", "device", "port"), or a list of
 * many in "host_ports".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/coverage_hosts.h"

/* A port that a host told of, by a row of its own or by its GID table. */
struct told {
	const char *host;
	const char *device;	/* NULL where the file named none */
	unsigned port;
	bool port_row;
	bool table;
};

struct coverage_hosts {
	struct told *now;	/* sorted */
	size_t count;
	bool all_again;		/* every host of the look before is in this one */
};

static const char *evidence_of(const struct finding *finding, const char *key)
{
	for (size_t i = 0; i < finding->evidence_count; i++) {
		if (strcmp(finding->evidence[i].key, key) == 0)
			return finding->evidence[i].value;
	}
	return NULL;
}

static int compare_told(const void *left, const void *right)
{
	const struct told *a = left;
	const struct told *b = right;
	int order = strcmp(a->host, b->host);

	if (order == 0)
		order = strcmp(a->device ? a->device : "", b->device ? b->device : "");
	return order ? order : (a->port > b->port) - (a->port < b->port);
}

/* The first that does not come before `wanted`. */
static size_t first_from(const struct coverage_hosts *hosts, const struct told *wanted)
{
	return array_first_from(wanted, hosts->now, hosts->count, sizeof(*wanted), compare_told);
}

/* Nothing comes before a host's device without a name. */
static bool has_host(const struct coverage_hosts *hosts, const char *host)
{
	const struct told wanted = {.host = host};
	size_t at = first_from(hosts, &wanted);

	return at < hosts->count && strcmp(hosts->now[at].host, host) == 0;
}

static void take_now(struct coverage_hosts *hosts, const struct fabric *now)
{
	for (size_t i = 0; i < now->host_port_count; i++) {
		const struct host_port *row = &now->host_ports[i];

		if (row->host)
			hosts->now[hosts->count++] = (struct told){row->host, row->device, row->port, true,
								   row->gid_slots != FIELD_UNKNOWN};
	}
	for (size_t i = 0; i < now->host_gid_count; i++) {
		const struct host_gid *row = &now->host_gids[i];
		const struct told told = {row->host, row->device, row->port, false, true};

		if (!row->host)
			continue;
		/* One table's rows come together. */
		if (hosts->count > 0 && compare_told(&hosts->now[hosts->count - 1], &told) == 0)
			hosts->now[hosts->count - 1].table = true;
		else
			hosts->now[hosts->count++] = told;
	}
	if (hosts->count > 0)
		qsort(hosts->now, hosts->count, sizeof(*hosts->now), compare_told);
}

static bool are_again(const struct coverage_hosts *hosts, const struct fabric *before)
{
	for (size_t i = 0; i < before->host_port_count; i++) {
		const char *host = before->host_ports[i].host;

		if (!host || !has_host(hosts, host))
			return false;
	}
	return true;
}

int coverage_hosts_new(const struct fabric *before, const struct fabric *now,
		       struct coverage_hosts **ret_hosts, struct err *err)
{
	struct coverage_hosts *hosts = calloc(1, sizeof(*hosts));

	if (hosts)
		hosts->now = calloc(now->host_port_count + now->host_gid_count + 1, sizeof(*hosts->now));
	if (!hosts || !hosts->now) {
		free(hosts);
		return err_no_memory(err);
	}
	take_now(hosts, now);
	hosts->all_again = before && are_again(hosts, before);
	*ret_hosts = hosts;
	return 0;
}

void coverage_hosts_free(struct coverage_hosts *hosts)
{
	if (!hosts)
		return;
	free(hosts->now);
	free(hosts);
}

bool coverage_hosts_show(const struct coverage_hosts *hosts, const struct finding *finding, bool gids)
{
	const char *port = evidence_of(finding, "port");
	struct told wanted = {.host = evidence_of(finding, "host"), .device = evidence_of(finding, "device")};
	bool port_seen = false;
	bool table = false;

	if (evidence_of(finding, "host_ports"))
		return hosts->all_again;
	if (!wanted.host || !wanted.device || !port)
		return true;
	wanted.port = (unsigned)strtoul(port, NULL, 10);
	for (size_t i = first_from(hosts, &wanted);
	     i < hosts->count && compare_told(&hosts->now[i], &wanted) == 0; i++) {
		port_seen = port_seen || hosts->now[i].port_row;
		table = table || hosts->now[i].table;
	}
	if (port_seen)
		return !gids || table;
	return has_host(hosts, wanted.host) && !(gids && table);
}
