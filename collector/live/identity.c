/*
 * A GUID that has a row answers once more, behind another port: the same
 * device reached on a second way, or a twin with the same GUID?
 *
 * A switch is told by the way home: from the new place, leave by the port
 * through which the known device was entered and go its route backwards. From
 * the same device that ends at the local port, and each device on the way is
 * entered by the port its route left by. From a twin it cannot, however alike
 * the two are cabled: the local port has one cable, so the device before it is
 * the right one, so is the cable that was taken to it, and so on back. A CA
 * forwards nothing: there, one port with two cables is two ports, and another
 * port of the same GUID belongs to the device if the descriptions agree.
 *
 * Silence proves nothing. Two devices are said to share a GUID only where answers
 * contradict each other: leaving the two places by the same port, something else is
 * met, or one of them says that this port has no link; the same port has two cables;
 * the descriptions differ. Each such pair of answers is read again in the opposite
 * order, and so are both places: a device that changes what it says, or a cable that
 * was moved in between, looks the same. A cable that was moved is settled by what is
 * true now. What stays open is a hole: one row, and a sentence.
 */
#include "collector/live/identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/text.h"

#define TWINS_MAX 128		/* rows of one GUID */

static void queue(struct collect *collect, struct identity *identity)
{
	identity->next = NULL;
	if (collect->identities_last)
		collect->identities_last->next = identity;
	else
		collect->identities_first = identity;
	collect->identities_last = identity;
}

void identity_close(struct collect *collect, struct identity *identity)
{
	if (identity->before)
		identity->before->after = identity->after;
	else
		collect->identities = identity->after;
	if (identity->after)
		identity->after->before = identity->before;
	free(identity);
}

void identity_free_all(struct collect *collect)
{
	struct identity *next;

	for (struct identity *identity = collect->identities; identity; identity = next) {
		next = identity->after;
		free(identity);
	}
	collect->identities = collect->identities_first = collect->identities_last = NULL;
}

struct port *identity_place(struct collect *collect, const struct identity *identity)
{
	return fabric_port(collect->fabric, identity->from->device, identity->from_port);
}

/* The target whose route leads to the candidate: through the port seen, if it is known. */
struct target *identity_known(const struct collect *collect, const struct identity *identity)
{
	const struct device *candidate = identity->candidate;
	struct target *target = target_find(collect, candidate, identity->seen.local_port);

	return target ? target : collect->target_of[candidate->index];
}

/* What a device is for life. */
bool identity_could_be(const struct node_seen *seen, const struct device *device)
{
	return device->type == seen->type && device->info.num_ports == seen->num_ports &&
	       device->info.device_id == seen->device_id &&
	       device->info.vendor_id == seen->vendor_id &&
	       device->info.revision == seen->revision &&
	       device->system_image_guid == seen->system_image_guid;
}

int identity_same(struct collect *collect, struct identity *identity, struct err *err)
{
	int rc = discover_known_device(collect, &identity->seen, identity->candidate,
				       identity->from, identity->from_port, err);

	identity_close(collect, identity);
	return rc;
}

/* Every row of the GUID is another device. */
static int new_twin(struct collect *collect, struct identity *identity, struct err *err)
{
	struct device *first = fabric_device_find(collect->fabric, identity->seen.guid);
	struct guid_conflict *conflict = fabric_guid_conflict_add(collect->fabric);
	struct device *twin = NULL;
	char guid[GUID_TEXT_SIZE];
	char text[256];
	int rc;

	if (!conflict)
		return err_no_memory(err);
	conflict->guid = identity->seen.guid;
	conflict->place_a = target_behind(collect, collect->target_of[first->index]);
	conflict->place_b = identity_place(collect, identity);
	conflict->source = collect->source_ref;
	rc = discover_new_device(collect, &identity->seen, identity->from, identity->from_port,
				 &twin, err);
	if (rc < 0)
		goto out;
	snprintf(text, sizeof(text), "node GUID %s answers at %s and at %s; %s",
		 guid_format(identity->seen.guid, guid), first->place,
		 twin ? twin->place : "the end of the longest route", identity->unlike);
	conflict->detail = fabric_text(collect->fabric, text, strlen(text));
	if (!conflict->detail)
		rc = err_no_memory(err);
out:
	identity_close(collect, identity);
	return rc;
}

/* The port seen has another cable already, as far as is known. */
static bool port_is_taken(struct collect *collect, const struct identity *identity)
{
	const struct port *port = device_port(identity->candidate, identity->seen.local_port);

	return port && port->peer && port->peer != identity_place(collect, identity);
}

int identity_hole(struct collect *collect, const struct identity *identity,
		       enum hole_reason reason, const char *text, struct err *err)
{
	struct mad_route route;

	(void)mad_route_extend(&identity->from->route, identity->from_port, 0, &route);
	return hole_behind_port(collect, identity_place(collect, identity), &route, reason, 0, text,
				err);
}

/* One row for the GUID, with what could not be told. */
static int leave_open(struct collect *collect, struct identity *identity, struct err *err)
{
	const char *why = identity->too_far  ? "the way that would tell is longer than 63 hops"
			  : identity->lost   ? "no answer to what would tell"
			  : identity->status ? "what would tell is refused"
					     : "what would tell is answered otherwise each time";
	struct port *behind = identity_place(collect, identity);
	char place[DEVICE_LABEL_SIZE + 16];
	char guid[GUID_TEXT_SIZE];
	char text[sizeof(place) + 160];
	char *told;
	int rc;

	identity->candidate = identity->open;
	guid_format(identity->seen.guid, guid);
	port_label(behind, false, place, sizeof(place));
	if (port_is_taken(collect, identity) || !identity_could_be(&identity->seen, identity->candidate)) {
		snprintf(text, sizeof(text),
			 "whether GUID %s is here the device that has it elsewhere could not be "
			 "told: %s", guid, why);
		told = fabric_text(collect->fabric, text, strlen(text));
		rc = told ? identity_hole(collect, identity, HOLE_UNDECIDED, told, err) : err_no_memory(err);
		identity_close(collect, identity);
		return rc;
	}
	snprintf(text, sizeof(text),
		 "whether it is one device with what answers to its GUID behind %s could not be "
		 "told: %s", place, why);
	told = fabric_text(collect->fabric, text, strlen(text));
	if (!told)
		return err_no_memory(err);
	rc = hole_of_target(collect, collect->target_of[identity->candidate->index], -1,
			    ATTRIBUTE_NODE_INFO, HOLE_UNDECIDED, 0, told, err);
	return rc < 0 ? rc : identity_same(collect, identity, err);
}

static int next_candidate(struct collect *collect, struct identity *identity,
			  struct device *candidate, struct err *err);

/* This row is another device: by answers that contradict each other. */
int identity_other(struct collect *collect, struct identity *identity, const char *unlike,
			struct err *err)
{
	if (!identity->unlike)
		identity->unlike = unlike;
	return next_candidate(collect, identity, identity->candidate->same_guid, err);
}

int identity_go(struct collect *collect, struct identity *identity, enum step step)
{
	identity->step = step;
	queue(collect, identity);
	return 0;
}

static int begin(struct collect *collect, struct identity *identity)
{
	const struct device *candidate = identity->candidate;
	bool looped = candidate == collect->local->device &&
		      identity->seen.local_port == collect->local->port &&
		      identity->from == collect->local;

	identity->back = 0;
	identity->known = identity_known(collect, identity)->route;
	if (!identity_could_be(&identity->seen, candidate))
		return identity_go(collect, identity, STEP_NEW_PLACE);
	if (candidate->type == NODE_TYPE_SWITCH)
		return identity_go(collect, identity, STEP_HOME);
	/* A plug that loops the local port, or a twin. */
	if (looped || !port_is_taken(collect, identity))
		return identity_go(collect, identity, STEP_NEW_NAME);
	return identity_go(collect, identity, STEP_NEW_PLACE);
}

static int next_candidate(struct collect *collect, struct identity *identity,
			  struct device *candidate, struct err *err)
{
	unsigned rows = 0;

	identity->candidate = candidate;
	identity->rounds = 0;
	if (candidate)
		return begin(collect, identity);
	if (identity->open)
		return leave_open(collect, identity, err);
	for (const struct device *row = fabric_device_find(collect->fabric, identity->seen.guid);
	     row; row = row->same_guid)
		rows++;
	if (rows >= TWINS_MAX) {
		int rc = identity_hole(collect, identity, HOLE_LIMIT,
				     "more devices of one GUID than are looked at", err);

		identity_close(collect, identity);
		return rc;
	}
	return new_twin(collect, identity, err);
}

/* Nothing was proved: once more if answers were lost, else the row stays a possible one. */
int identity_undecided(struct collect *collect, struct identity *identity, struct err *err)
{
	if (identity->lost && !collect->homeless && ++identity->rounds < ROUNDS) {
		identity->lost = false;
		return begin(collect, identity);
	}
	if (!identity->open)
		identity->open = identity->candidate;
	return next_candidate(collect, identity, identity->candidate->same_guid, err);
}

struct identity *identity_new(struct collect *collect, const struct node_seen *seen,
			      struct target *from, uint8_t from_port, unsigned looks)
{
	struct identity *identity = calloc(1, sizeof(*identity));

	if (!identity)
		return NULL;
	identity->seen = *seen;
	identity->from = from;
	identity->from_port = from_port;
	identity->looks = looks;
	identity->after = collect->identities;
	if (identity->after)
		identity->after->before = identity;
	collect->identities = identity;
	return identity;
}

int identity_open(struct collect *collect, const struct node_seen *seen, struct target *from,
		  uint8_t from_port, unsigned looks, struct err *err)
{
	struct identity *identity;
	struct port *place = fabric_port(collect->fabric, from->device, from_port);

	if (!place)
		return err_no_memory(err);
	for (struct device *row = fabric_device_find(collect->fabric, seen->guid); row;
	     row = row->same_guid) {
		const struct port *port = device_port(row, seen->local_port);

		/* Found from the other end in the meantime. */
		if (port && port->peer == place)
			return 0;
	}
	identity = identity_new(collect, seen, from, from_port, looks);
	if (!identity)
		return err_no_memory(err);
	return next_candidate(collect, identity, fabric_device_find(collect->fabric, seen->guid),
			      err);
}
