#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/analysis/guids.h"
#include "rules/analysis/log_events.h"
#include "rules/places.h"
#include "rules/rule.h"

#define ROWS_SHOWN 8
#define ROWS_IN_MESSAGE 4

/*
 * The first port that leads to this device, or NULL. A switch is behind another
 * switch rather than behind one of its own hosts, and not behind its own twin.
 */
static const struct port *port_before(const struct device *device)
{
	const struct port *any = NULL;

	for (size_t i = 0; i < device->port_slots; i++) {
		const struct port *peer = device->ports[i] ? device->ports[i]->peer : NULL;

		if (peer && peer->device->type == NODE_TYPE_SWITCH &&
		    peer->device->guid != device->guid)
			return peer;
		if (!any)
			any = peer;
	}
	return any;
}

/* "behind leaf-1 port 3 (DR path 0,1,3)", with what is known of it. */
static void describe_place(const struct device *device, char *out, size_t size)
{
	const struct port *before = port_before(device);
	char label[DEVICE_LABEL_SIZE + 16];
	char place[256];

	if (device->place) {
		/* Files go by the last part of their path, as everywhere in a finding. */
		const char *slash = strrchr(device->place, '/');
		const char *from = slash ? slash + 1 : device->place;

		text_escape(from, strlen(from), place, sizeof(place));
	}
	if (before) {
		port_label(before, false, label, sizeof(label));
		snprintf(out, size, device->place ? "behind %s (%s)" : "behind %s", label, place);
	} else {
		snprintf(out, size, "%s", device->place ? place : "at a place not known");
	}
}

static bool add_row(struct finding *finding, size_t number, const struct device *device)
{
	char place[DEVICE_LABEL_SIZE + 512];
	char label[DEVICE_LABEL_SIZE];
	char key[32];

	describe_place(device, place, sizeof(place));
	device_label(device, label, sizeof(label));
	snprintf(key, sizeof(key), "place_%zu", number);
	if (device->info.num_ports == FIELD_UNKNOWN)
		return finding_evidence(finding, key, "%s %s", label, place);
	return finding_evidence(finding, key, "%s %s, %" PRId64 " %s", label, place,
				device->info.num_ports,
				device->info.num_ports == 1 ? "port" : "ports");
}

/* The devices that have the GUID, one after the other; NULL behind the last. */
static const struct device *owner_at(const struct guid_clash *clash, size_t number,
				     const struct device *before)
{
	if (!clash->other)
		return NULL;
	if (clash->is_port_guid)
		return number < clash->owner_count ? clash->owners[number]->device : NULL;
	return number == 0 ? clash->device : before->same_guid;
}

static size_t count_owners(const struct guid_clash *clash)
{
	const struct device *owner = NULL;
	size_t count = 0;

	while ((owner = owner_at(clash, count, owner)))
		count++;
	return count;
}

static bool add_rows(struct finding *finding, const struct guid_clash *clash)
{
	const struct device *owner = NULL;
	size_t number = 0;

	while ((owner = owner_at(clash, number, owner))) {
		if (++number <= ROWS_SHOWN && !add_row(finding, number, owner))
			return false;
	}
	return number == 0 || finding_evidence(finding, "devices", "%zu", number);
}

static bool add_ports(struct finding *finding, const struct port *a, const struct port *b)
{
	char label[DEVICE_LABEL_SIZE + 16];

	if (a && !finding_evidence(finding, "reached_from_1", "%s",
				   port_label(a, true, label, sizeof(label))))
		return false;
	return !b || finding_evidence(finding, "reached_from_2", "%s",
				      port_label(b, true, label, sizeof(label)));
}

/* A remote end as the log names it, by the name we know it by if we do. */
static bool add_log_end(struct finding *finding, const struct fabric *fabric, const char *key,
			uint64_t guid, int port)
{
	const struct device *device = fabric_device_find(fabric, guid);
	char label[DEVICE_LABEL_SIZE];

	if (guid == 0)
		return true;
	if (device)
		device_label(device, label, sizeof(label));
	else
		guid_format(guid, label);
	return finding_evidence(finding, key, "%s port %d", label, port);
}

static bool add_event(struct finding *finding, const struct fabric *fabric,
		      const struct log_event *event)
{
	char time[64];

	if (!event)
		return true;
	if (!add_log_end(finding, fabric, "log_reached_from_1", event->guid_a, event->port_a) ||
	    !add_log_end(finding, fabric, "log_reached_from_2", event->guid_b, event->port_b) ||
	    !finding_evidence(finding, "log_lines", "%" PRId64, event->count) ||
	    !log_event_add_run(finding, event))
		return false;
	if (event->last_time) {
		text_escape(event->last_time, strlen(event->last_time), time, sizeof(time));
		if (!finding_evidence(finding, "log_last", "%s", time))
			return false;
	}
	return true;
}

static bool cite(struct finding *finding, const struct fabric *fabric,
		 const struct guid_clash *clash)
{
	if (clash->other)
		return finding_source(finding, fabric,
				      clash->other->source_of[ATTRIBUTE_NODE_INFO], 0);
	if (clash->conflict)
		return finding_source(finding, fabric, clash->conflict->source, 0);
	if (clash->place_a)
		return finding_source(finding, fabric,
				      clash->place_b->source_of[ATTRIBUTE_NEIGHBOR], 0);
	return finding_source(finding, fabric, clash->event->source, clash->event->first_line);
}

/* ": one behind leaf-1 port 3, one behind leaf-2 port 1 and 2 more" */
static void describe_rows(const struct guid_clash *clash, char *out, size_t size)
{
	const struct device *owner = NULL;
	size_t number = 0;
	size_t used = 0;

	out[0] = '\0';
	while (number < ROWS_IN_MESSAGE && (owner = owner_at(clash, number, owner))) {
		char place[DEVICE_LABEL_SIZE + 512];

		describe_place(owner, place, sizeof(place));
		if (used < size)
			used += (size_t)snprintf(out + used, size - used, "%s one %s",
						 number ? "," : ":", place);
		number++;
	}
	number = count_owners(clash) - number;
	if (number > 0 && used < size)
		snprintf(out + used, size - used, " and %zu more", number);
}

/* Where they are, in a few words for the message. */
static void describe_both(const struct guid_clash *clash, char *out, size_t size)
{
	char first[DEVICE_LABEL_SIZE + 512];
	char second[DEVICE_LABEL_SIZE + 512];

	if (clash->other) {
		describe_rows(clash, out, size);
	} else if (clash->conflict && clash->conflict->place_a && clash->conflict->place_b) {
		port_label(clash->conflict->place_a, false, first, sizeof(first));
		port_label(clash->conflict->place_b, false, second, sizeof(second));
		snprintf(out, size, ": one behind %s, one behind %s", first, second);
	} else if (clash->place_a) {
		port_label(clash->place_a, false, first, sizeof(first));
		port_label(clash->place_b, false, second, sizeof(second));
		snprintf(out, size, ": one port of it is seen behind %s and behind %s", first,
			 second);
	} else {
		snprintf(out, size, "%s%s", clash->conflict ? ": " : " by the word of OpenSM's log",
			 clash->conflict && clash->conflict->detail ? clash->conflict->detail : "");
	}
}

/*
 * The log alone: two remote ends are proof for a fabric read from files, which
 * may have lost one of the two. A live scan that met but one owner says more
 * than a line of some time ago, and without two ends a moved cable explains it.
 */
static enum severity judge(const struct fabric *fabric, const struct guid_clash *clash)
{
	const struct log_event *event = clash->event;
	bool two_ends;

	if (guid_clash_is_seen(clash))
		return SEVERITY_CRITICAL;
	two_ends = event->kind == LOG_DUPLICATE_PORT_GUID ||
		   (event->guid_a != 0 && event->guid_b != 0 &&
		    (event->guid_a != event->guid_b || event->port_a != event->port_b));
	return two_ends && !fabric->live ? log_event_severity(event, SEVERITY_CRITICAL) : SEVERITY_WARNING;
}

static int tell(const struct fabric *fabric, const struct guid_clash *clash,
		struct rule_output *out, struct err *err)
{
	const char *kind = clash->is_port_guid ? "Port" : "Node";
	enum severity severity = judge(fabric, clash);
	char both[ROWS_IN_MESSAGE * (DEVICE_LABEL_SIZE + 540)];
	size_t owners = count_owners(clash);
	char guid[GUID_TEXT_SIZE];
	char count[24] = "two";
	struct finding *finding;
	char id[48];

	guid_format(clash->guid, guid);
	describe_both(clash, both, sizeof(both));
	if (clash->is_port_guid)
		snprintf(id, sizeof(id), "port-guid=%s", guid);
	else
		snprintf(id, sizeof(id), "node-guid");
	if (owners > 2)
		snprintf(count, sizeof(count), "%zu", owners);
	finding = rule_finding(out, severity, clash->device, NULL, id, "%s GUID %s has %s owners%s",
			       kind, guid, count, both);
	if (!finding || !finding_evidence(finding, "guid", "%s", guid))
		return err_no_memory(err);
	if (owners > 2 &&
	    !finding_text(&finding->remedy,
			  "Unplug all but one of the %zu to let the SM work again: that costs these "
			  "devices their links. Then give each the GUID printed on its label with the "
			  "vendor's burning tool, which takes a reset of it, and plug it in again.",
			  owners))
		return err_no_memory(err);
	if (!clash->device) {
		finding->node_guid = clash->is_port_guid ? 0 : clash->guid;
		if (!finding_text(&finding->subject, "%s", guid))
			return err_no_memory(err);
	}
	if (!add_rows(finding, clash) || !add_ports(finding, clash->place_a, clash->place_b) ||
	    !add_event(finding, fabric, clash->event) || !cite(finding, fabric, clash))
		return err_no_memory(err);
	if (clash->conflict &&
	    !add_ports(finding, clash->conflict->place_a, clash->conflict->place_b))
		return err_no_memory(err);
	if (clash->conflict && clash->conflict->detail) {
		text_escape(clash->conflict->detail, strlen(clash->conflict->detail), both,
			    sizeof(both));
		if (!finding_evidence(finding, "detail", "%s", both))
			return err_no_memory(err);
	}
	if (!guid_clash_is_seen(clash) && fabric->live &&
	    !finding_evidence(finding, "now", "the live scan met one owner only"))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct guid_clashes *clashes = NULL;
	int rc;

	rc = analysis_guids(in->analysis, &clashes, err);
	for (size_t i = 0; rc == 0 && i < clashes->count; i++)
		rc = tell(in->fabric, &clashes->list[i], out, err);
	if (rc < 0 || clashes->count > 0)
		return rc;
	if (in->fabric->device_count == 0)
		return rule_not_checked(out, err, "no device was read");
	if (!in->fabric->live)
		return rule_left_out(out, err,
				     "files that list devices by GUID can hide one of two owners");
	return 0;
}

const struct rule rule_duplicate_guid = {
	.id = "duplicate-guid",
	.title = "More than one device answers to one GUID",
	.severity = SEVERITY_CRITICAL,
	.why = "The SM tells devices apart by GUID alone. With one CA there twice OpenSM repeats its "
	       "discovery without end (ERR 0D01 in its log) and configures nothing any more: at start "
	       "the whole fabric stays in Init. With one switch there twice it silently drops one of "
	       "the two and all that only that one reaches, so a log without a word of it proves "
	       "nothing.",
	.needs = "NodeInfo with the place each device was seen at; the cabling; OpenSM's log",
	.reads = "live",
	.remedy = "Unplug one of the two to let the SM work again: that costs this one device its "
		  "links. Then give it the GUID printed on its label with the vendor's burning tool, "
		  "which takes a reset of that device, and plug it in again.",
	.source = "IBA Volume 1, 14.2.5.3 NodeInfo; OpenSM osm_node_info_rcv.c (ERR 0D01, ERR 0D15)",
	.check = check,
};
