/*
 * What hosts say of their own ports (ibstat, ibstatus, show_gids, sysfs), by the port's
 * GUID, else by host, device and port. Which hosts were looked at is somebody's choice:
 * one that is not there any more is none that left. What both snapshots tell of the
 * same port of the fabric is compared there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/diff_parts.h"
#include "store/text.h"

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_names(const void *left, const void *right)
{
	const struct host_port *a = *(const struct host_port *const *)left;
	const struct host_port *b = *(const struct host_port *const *)right;
	int order = compare_text(a->host, b->host);

	if (order == 0)
		order = compare_text(a->device, b->device);
	return order ? order : (a->port > b->port) - (a->port < b->port);
}

static int compare_guids(const void *left, const void *right)
{
	const struct host_port *a = *(const struct host_port *const *)left;
	const struct host_port *b = *(const struct host_port *const *)right;

	return (a->port_guid > b->port_guid) - (a->port_guid < b->port_guid);
}

/* The ports of the newer snapshot, to be found by those of the older. */
struct host_ports {
	const struct host_port **by_guid;
	const struct host_port **by_name;
	size_t count;
};

static bool host_ports_find(const struct fabric *fabric, struct host_ports *ports)
{
	size_t size = (fabric->host_port_count + 1) * sizeof(const struct host_port *);

	ports->by_guid = malloc(size);
	ports->by_name = malloc(size);
	if (!ports->by_guid || !ports->by_name)
		return false;
	for (size_t i = 0; i < fabric->host_port_count; i++)
		ports->by_guid[i] = ports->by_name[i] = &fabric->host_ports[i];
	ports->count = fabric->host_port_count;
	qsort(ports->by_guid, ports->count, sizeof(const struct host_port *), compare_guids);
	qsort(ports->by_name, ports->count, sizeof(const struct host_port *), compare_names);
	return true;
}

/* NULL: not told again, or it cannot be known. */
static const struct host_port *again(const struct host_ports *ports, const struct host_port *before)
{
	const struct host_port *const *found = NULL;

	if (before->port_guid != 0)
		found = bsearch(&before, ports->by_guid, ports->count, sizeof(const struct host_port *),
				compare_guids);
	if (!found && before->host)
		found = bsearch(&before, ports->by_name, ports->count, sizeof(const struct host_port *),
				compare_names);
	if (!found || (before->port_guid != 0 && (*found)->port_guid != 0 &&
		       (*found)->port_guid != before->port_guid))
		return NULL;
	return *found;
}

static bool subject_of(const struct host_port *row, char **ret_subject)
{
	char host[TEXT_DESCRIPTION_SIZE] = "";
	char device[TEXT_DESCRIPTION_SIZE] = "";

	if (row->host)
		text_escape(row->host, strlen(row->host), host, sizeof(host));
	if (row->device)
		text_escape(row->device, strlen(row->device), device, sizeof(device));
	return finding_text(ret_subject, "%s%s%s port %u", host, *host ? " " : "", device, row->port);
}

/* A change of one value, when both are known and differ. */
static int compare_one(struct diff *diff, const struct host_port *after, enum diff_kind kind,
		       const char *field, const char *old_text, const char *new_text, struct err *err)
{
	struct change *change;

	if (!old_text || !new_text || strcmp(old_text, new_text) == 0)
		return 0;
	change = diff_add_row(diff);
	if (!change)
		return err_no_memory(err);
	change->kind = kind;
	change->node_guid = after->node_guid;
	change->port = after->port;
	if (!subject_of(after, &change->subject) || !finding_text(&change->field, "%s", field) ||
	    !finding_text(&change->before, "%s", old_text) ||
	    !finding_text(&change->after, "%s", new_text))
		return err_no_memory(err);
	return 0;
}

static const char *number(int64_t value, char out[24])
{
	if (value == FIELD_UNKNOWN)
		return NULL;
	snprintf(out, 24, "%lld", (long long)value);
	return out;
}

static const struct port_fields *info_of(const struct fabric *fabric, const struct host_port *row)
{
	const struct device *device = row->node_guid ? fabric_device_find(fabric, row->node_guid) : NULL;
	const struct port *port = device ? device_port(device, row->port) : NULL;

	return port ? &port->info : NULL;
}

static int compare_port(const struct diff_match *match, unsigned keys, struct diff *diff,
			const struct host_port *before, const struct host_port *after, struct err *err)
{
	const struct port_fields *old_info = info_of(match->old_side.fabric, before);
	const struct port_fields *new_info = info_of(match->new_side.fabric, after);
	bool state_told = old_info && new_info && old_info->port_state != FIELD_UNKNOWN &&
			  new_info->port_state != FIELD_UNKNOWN;
	bool lid_told = old_info && new_info && old_info->lid != FIELD_UNKNOWN &&
			new_info->lid != FIELD_UNKNOWN;
	char old_text[TEXT_DESCRIPTION_SIZE];
	char new_text[TEXT_DESCRIPTION_SIZE];
	bool down = before->state == 1 || after->state == 1;
	int rc = 0;

	if ((keys & DIFF_STATE) && !state_told && before->state != FIELD_UNKNOWN &&
	    after->state != FIELD_UNKNOWN)
		rc = compare_one(diff, after, DIFF_PORT_STATE, "port_state",
				 port_state_name(before->state), port_state_name(after->state), err);
	/* A port that is Down keeps the LID and rate of before, or shows those of nobody. */
	if (rc == 0 && (keys & DIFF_LID) && !lid_told && !down)
		rc = compare_one(diff, after, DIFF_PORT_FIELD, "lid", number(before->lid, old_text),
				 number(after->lid, new_text), err);
	if (rc == 0 && (keys & DIFF_PORT) && !down)
		rc = compare_one(diff, after, DIFF_PORT_FIELD, "rate_mbps",
				 number(before->rate_mbps, old_text), number(after->rate_mbps, new_text),
				 err);
	if (rc < 0 || !(keys & DIFF_NODE) || !before->fw_version || !after->fw_version)
		return rc;
	text_escape(before->fw_version, strlen(before->fw_version), old_text, sizeof(old_text));
	text_escape(after->fw_version, strlen(after->fw_version), new_text, sizeof(new_text));
	return compare_one(diff, after, DIFF_DEVICE_FIELD, "fw_version", old_text, new_text, err);
}

int diff_hosts(const struct diff_match *match, unsigned keys, struct diff *diff, struct err *err)
{
	const struct fabric *old_fabric = match->old_side.fabric;
	const struct fabric *new_fabric = match->new_side.fabric;
	struct host_ports ports = {0};
	size_t matched = 0;
	int rc = 0;

	if (!host_ports_find(new_fabric, &ports))
		rc = err_no_memory(err);
	for (size_t i = 0; rc == 0 && i < old_fabric->host_port_count; i++) {
		const struct host_port *before = &old_fabric->host_ports[i];
		const struct host_port *after = again(&ports, before);

		matched += after != NULL;
		if (after)
			rc = compare_port(match, keys, diff, before, after, err);
	}
	if (rc == 0 && old_fabric->host_port_count > matched)
		rc = diff_note(diff, err,
			       "%zu ports that hosts told of themselves in the older snapshot are not "
			       "told in the newer, or by no name to know them by: not compared",
			       old_fabric->host_port_count - matched);
	if (rc == 0 && new_fabric->host_port_count > matched)
		rc = diff_note(diff, err,
			       "%zu ports that hosts told of themselves in the newer snapshot are not "
			       "told in the older, or by no name to know them by: not compared",
			       new_fabric->host_port_count - matched);
	free(ports.by_guid);
	free(ports.by_name);
	return rc;
}
