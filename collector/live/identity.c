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
 * A cable that was moved in between looks the same. So before two devices that
 * are alike are said to share a GUID, both places are read once more, the first one
 * last: if either no longer answers as it did, the case is settled by what is true
 * now.
 */
#include "collector/live/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/text.h"

#define LOOKS 3			/* times a place may change before it is given up */

enum step {
	STEP_HOME,		/* from the new place along the known route backwards */
	STEP_NEW_NAME,		/* NodeDescription at the new place */
	STEP_OLD_NAME,		/* and at the known one */
	STEP_NEW_PLACE,		/* NodeInfo at the new place, again */
	STEP_OLD_PLACE,		/* NodeInfo at the known place, again */
	STEP_HOME_AGAIN,
};

struct identity {
	struct identity *next;
	struct node_seen seen;
	struct target *from;
	uint8_t from_port;
	unsigned looks;
	struct device *candidate;
	enum step step;
	const char *unlike;	/* why the first row of the GUID is another device */
	bool new_name_read;
	char new_name[IB_SMP_DATA_SIZE];
};

static void queue(struct collect *collect, struct identity *identity)
{
	identity->next = NULL;
	if (collect->identities_last)
		collect->identities_last->next = identity;
	else
		collect->identities_first = identity;
	collect->identities_last = identity;
}

static void close_case(struct collect *collect, struct identity *identity)
{
	collect->identity_count--;
	free(identity);
}

void identity_free_all(struct collect *collect)
{
	while (collect->identities_first) {
		struct identity *next = collect->identities_first->next;

		free(collect->identities_first);
		collect->identities_first = next;
	}
}

static struct port *new_place(struct collect *collect, const struct identity *identity)
{
	return fabric_port(collect->fabric, identity->from->device, identity->from_port);
}

/* The target whose route leads to the candidate: through the port seen, if it is known. */
static struct target *known_target(const struct collect *collect, const struct identity *identity)
{
	const struct device *candidate = identity->candidate;
	struct target *target = target_find(collect, candidate, identity->seen.local_port);

	return target ? target : collect->target_of[candidate->index];
}

/* What a device is for life. */
static bool could_be(const struct node_seen *seen, const struct device *device)
{
	return device->type == seen->type && device->info.num_ports == seen->num_ports &&
	       device->info.device_id == seen->device_id &&
	       device->info.vendor_id == seen->vendor_id &&
	       device->info.revision == seen->revision &&
	       device->system_image_guid == seen->system_image_guid;
}

static int same_device(struct collect *collect, struct identity *identity, struct err *err)
{
	int rc = discover_known_device(collect, &identity->seen, identity->candidate,
				       identity->from, identity->from_port, err);

	close_case(collect, identity);
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
	rc = discover_new_device(collect, &identity->seen, identity->from, identity->from_port,
				 &twin, err);
	if (rc < 0 || !twin)
		goto out;
	conflict->guid = identity->seen.guid;
	conflict->place_a = target_behind(collect, collect->target_of[first->index]);
	conflict->place_b = new_place(collect, identity);
	conflict->source = collect->source_ref;
	snprintf(text, sizeof(text), "node GUID %s answers at %s and at %s; %s",
		 guid_format(identity->seen.guid, guid), first->place, twin->place,
		 identity->unlike);
	conflict->detail = fabric_text(collect->fabric, text, strlen(text));
	if (!conflict->detail)
		rc = err_no_memory(err);
out:
	close_case(collect, identity);
	return rc;
}

static int next_candidate(struct collect *collect, struct identity *identity,
			  struct device *candidate, struct err *err);

static int other_device(struct collect *collect, struct identity *identity, const char *unlike,
			struct err *err)
{
	if (!identity->unlike)
		identity->unlike = unlike;
	return next_candidate(collect, identity, identity->candidate->same_guid, err);
}

/* The port seen has another cable already, as far as is known. */
static bool port_is_taken(struct collect *collect, const struct identity *identity)
{
	const struct port *port = device_port(identity->candidate, identity->seen.local_port);

	return port && port->peer && port->peer != new_place(collect, identity);
}

static int next_candidate(struct collect *collect, struct identity *identity,
			  struct device *candidate, struct err *err)
{
	while (candidate && !could_be(&identity->seen, candidate)) {
		if (!identity->unlike)
			identity->unlike = "their NodeInfos tell of two devices";
		candidate = candidate->same_guid;
	}
	identity->candidate = candidate;
	if (!candidate)
		return new_twin(collect, identity, err);
	if (candidate->type == NODE_TYPE_SWITCH)
		identity->step = STEP_HOME;
	else if (candidate == collect->local->device &&
		 identity->seen.local_port == collect->local->port &&
		 identity->from == collect->local)
		identity->step = STEP_NEW_NAME;	/* a plug that loops the local port, or a twin */
	else
		identity->step = port_is_taken(collect, identity) ? STEP_NEW_PLACE
								  : STEP_NEW_NAME;
	queue(collect, identity);
	return 0;
}

int identity_open(struct collect *collect, const struct node_seen *seen, struct target *from,
		  uint8_t from_port, unsigned looks, struct err *err)
{
	struct identity *identity = NULL;
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
	identity = calloc(1, sizeof(*identity));
	if (!identity)
		return err_no_memory(err);
	identity->seen = *seen;
	identity->from = from;
	identity->from_port = from_port;
	identity->looks = looks;
	collect->identity_count++;
	return next_candidate(collect, identity, fabric_device_find(collect->fabric, seen->guid),
			      err);
}

/* --- Sending. --- */

/* The way home; from a device that is the local one, out by the port seen and home from there. */
static bool way_home(const struct collect *collect, const struct identity *identity,
		     struct mad_route *ret_route)
{
	const struct target *known = known_target(collect, identity);
	struct mad_route there;

	if (known->route.hops == 0) {
		const struct mad_route here = {0};

		return mad_route_extend(&here, (uint8_t)identity->seen.local_port,
					identity->from_port, &there) &&
		       mad_route_return(&there, &identity->from->route, ret_route);
	}
	return mad_route_extend(&identity->from->route, identity->from_port,
				(uint8_t)identity->seen.local_port, &there) &&
	       mad_route_return(&there, &known->route, ret_route);
}

int identity_send(struct collect *collect, struct err *err)
{
	struct identity *identity = collect->identities_first;
	const struct target *known = known_target(collect, identity);
	struct mad_request request = {
		.owner = identity,
		.kind = ASK_IDENTITY,
		.step = LIVE_STEP_IDENTITY,
		.class = IB_SMI_DIRECT_CLASS,
		.attribute = IB_ATTR_NODE_INFO,
		.known = true,
	};
	struct mad_route route;
	bool fits;

	collect->identities_first = identity->next;
	if (!identity->next)
		collect->identities_last = NULL;
	fits = mad_route_extend(&identity->from->route, identity->from_port,
				(uint8_t)identity->seen.local_port, &route);
	request.m_key = known->m_key;
	switch (identity->step) {
	case STEP_HOME:
	case STEP_HOME_AGAIN:
		fits = fits && way_home(collect, identity, &route);
		request.m_key = collect->local->m_key;
		break;
	case STEP_NEW_NAME:
		request.attribute = IB_ATTR_NODE_DESC;
		break;
	case STEP_OLD_NAME:
		request.attribute = IB_ATTR_NODE_DESC;
		route = known->route;
		break;
	case STEP_OLD_PLACE:
		route = known->route;
		break;
	case STEP_NEW_PLACE:
		break;
	}
	/* Too far to be told apart: taken for the device that is known. */
	if (!fits)
		return same_device(collect, identity, err);
	return engine_submit(collect->engine, &request, &route, err);
}

/* --- Deciding. --- */

static bool is_home(const struct collect *collect, const struct identity *identity,
		    const struct answer *answer)
{
	struct node_seen seen;
	struct mad_route route;
	const char *why;

	return answer->outcome == OUTCOME_ANSWER && node_decode(answer->data, &seen, &why) &&
	       seen.guid == collect->local_guid && way_home(collect, identity, &route) &&
	       mad_came_by(answer->mad, &route);
}

static bool is_still(const struct identity *identity, const struct answer *answer)
{
	struct node_seen seen;
	const char *why;

	return answer->outcome == OUTCOME_ANSWER && node_decode(answer->data, &seen, &why) &&
	       node_entered_right(&seen, answer) && seen.guid == identity->seen.guid &&
	       could_be(&seen, identity->candidate);
}

static int again(struct collect *collect, struct identity *identity, enum step step)
{
	identity->step = step;
	queue(collect, identity);
	return 0;
}

/* The new place no longer answers as it did: look at it as if for the first time. */
static int look_again(struct collect *collect, struct identity *identity, struct err *err)
{
	struct target *from = identity->from;
	uint8_t port = identity->from_port;
	unsigned looks = identity->looks + 1;
	struct mad_route route;

	(void)mad_route_extend(&from->route, port, 0, &route);
	close_case(collect, identity);
	if (looks <= LOOKS)
		return discover_probe(collect, from, port, looks, err);
	return hole_behind_port(collect, fabric_port(collect->fabric, from->device, port), &route,
				HOLE_BAD_ANSWER, 0, "says another NodeInfo each time", err);
}

/*
 * The known place is silent or somebody else's now. Then the device was seen at
 * one place at a time: the cable (or the way to it) changed.
 */
static int moved(struct collect *collect, struct identity *identity, struct err *err)
{
	struct port *port = device_port(identity->candidate, identity->seen.local_port);
	struct target *target = known_target(collect, identity);

	if (port && port->peer && port->peer != new_place(collect, identity)) {
		if (port->peer->peer == port)
			port->peer->peer = NULL;
		port->peer = NULL;
	}
	(void)mad_route_extend(&identity->from->route, identity->from_port,
			       (uint8_t)identity->seen.local_port, &target->route);
	return same_device(collect, identity, err);
}

static int names_differ(struct collect *collect, struct identity *identity,
			const struct answer *answer, struct err *err)
{
	if (answer->outcome != OUTCOME_ANSWER || !identity->new_name_read ||
	    memcmp(identity->new_name, answer->data, sizeof(identity->new_name)) == 0)
		return same_device(collect, identity, err);
	return other_device(collect, identity, "their NodeDescriptions differ", err);
}

int identity_answer(struct collect *collect, const struct mad_request *request,
		    const struct answer *answer, struct err *err)
{
	struct identity *identity = request->owner;

	switch (identity->step) {
	case STEP_HOME:
		if (is_home(collect, identity, answer))
			return same_device(collect, identity, err);
		return again(collect, identity, STEP_NEW_PLACE);
	case STEP_NEW_NAME:
		identity->new_name_read = answer->outcome == OUTCOME_ANSWER;
		if (identity->new_name_read)
			memcpy(identity->new_name, answer->data, sizeof(identity->new_name));
		return again(collect, identity, STEP_OLD_NAME);
	case STEP_OLD_NAME:
		return names_differ(collect, identity, answer, err);
	case STEP_NEW_PLACE:
		if (!is_still(identity, answer))
			return look_again(collect, identity, err);
		return again(collect, identity, STEP_OLD_PLACE);
	case STEP_OLD_PLACE:
		if (!is_still(identity, answer))
			return moved(collect, identity, err);
		if (identity->candidate->type == NODE_TYPE_SWITCH)
			return again(collect, identity, STEP_HOME_AGAIN);
		return other_device(collect, identity, "both were read twice", err);
	case STEP_HOME_AGAIN:
		if (is_home(collect, identity, answer))
			return same_device(collect, identity, err);
		return other_device(collect, identity, "both were read twice", err);
	}
	return 0;
}
