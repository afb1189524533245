/*
 * Findings on what hosts say of themselves lie on no device of the fabric: the host, its
 * device and the port stand in their evidence ("host", "device", "port"), or a list of
 * many in "host_ports".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/coverage_hosts.h"

static const char *evidence_of(const struct finding *finding, const char *key)
{
	for (size_t i = 0; i < finding->evidence_count; i++) {
		if (strcmp(finding->evidence[i].key, key) == 0)
			return finding->evidence[i].value;
	}
	return NULL;
}

/* What is known of a host, and of one port of it. */
struct seen {
	bool host;
	bool port;
	bool table;		/* the GID table of that port */
};

static bool is_text(const char *text, const char *wanted)
{
	return text && strcmp(text, wanted) == 0;
}

/* device NULL: of the host as a whole. */
static struct seen look(const struct fabric *fabric, const char *host, const char *device,
			unsigned port)
{
	struct seen seen = {false, false, false};

	for (size_t i = 0; i < fabric->host_port_count; i++) {
		const struct host_port *entry = &fabric->host_ports[i];

		if (!is_text(entry->host, host))
			continue;
		seen.host = true;
		if (device && entry->port == port && is_text(entry->device, device)) {
			seen.port = true;
			seen.table |= entry->gid_slots != FIELD_UNKNOWN;
		}
	}
	for (size_t i = 0; i < fabric->host_gid_count && !seen.table; i++) {
		const struct host_gid *entry = &fabric->host_gids[i];

		if (!is_text(entry->host, host))
			continue;
		seen.host = true;
		seen.table |= device && entry->port == port && is_text(entry->device, device);
	}
	return seen;
}

/* True when every host of the one fabric is in the other. */
static bool same_hosts(const struct fabric *before, const struct fabric *now)
{
	const char *last = NULL;

	for (size_t i = 0; i < before->host_port_count; i++) {
		const char *host = before->host_ports[i].host;

		if (!host)
			return false;
		if (last && strcmp(last, host) == 0)
			continue;
		if (!look(now, host, NULL, 0).host)
			return false;
		last = host;
	}
	return true;
}

bool coverage_hosts_show(const struct fabric *before, const struct fabric *now,
			 const struct finding *finding, bool gids)
{
	const char *host = evidence_of(finding, "host");
	const char *device = evidence_of(finding, "device");
	const char *port = evidence_of(finding, "port");
	struct seen seen;

	if (evidence_of(finding, "host_ports"))
		return before && same_hosts(before, now);
	if (!host || !device || !port)
		return true;
	seen = look(now, host, device, (unsigned)strtoul(port, NULL, 10));
	if (seen.port)
		return !gids || seen.table;
	return seen.host && !(gids && seen.table);
}
