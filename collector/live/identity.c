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
#include "collector/live/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/text.h"

#define LOOKS 3			/* times a place may change before it is given up */
#define ROUNDS 3		/* times a case is gone through when answers are lost */
#define HOMELESS 8		/* silences of the local port after which that is no use */
#define TWINS_MAX 128		/* rows of one GUID */

enum step {
	STEP_HOME,		/* from the new place along the known route backwards */
	STEP_NEW_PLACE,		/* NodeInfo at the new place, again */
	STEP_OLD_PLACE,		/* NodeInfo at the known place, again */
	STEP_NEW_NAME,		/* NodeDescription at the new place */
	STEP_OLD_NAME,		/* and at the known one */
	STEP_OLD_NAME_AGAIN,
	STEP_NEW_NAME_AGAIN,
	STEP_NEW_BEFORE,	/* NodeInfo of the device before the new place */
	STEP_OLD_BEFORE,	/* and before the known one */
	STEP_OLD_BACK,		/* NodeInfo of what is met when the known place ... */
	STEP_NEW_BACK,		/* ... and the new one are left by the same port */
	STEP_NEW_BACK_AGAIN,
	STEP_OLD_BACK_AGAIN,
	STEP_PORT,		/* PortInfo of the port behind which one side met nothing */
	STEP_PORT_AGAIN,
};

/* What a place answered. */
struct reading {
	bool answered;
	uint8_t entry;		/* the port it was entered by */
	uint64_t guid;
};

struct identity {
	struct identity *next;
	struct node_seen seen;
	struct target *from;
	uint8_t from_port;
	unsigned looks;
	uint8_t rounds;
	uint8_t back;		/* STEP_..._BACK: 0 behind the port seen, else so many hops homeward */
	bool lost;		/* an answer that was wanted did not come */
	uint16_t status;	/* or was refused so */
	bool too_far;		/* a way that was wanted is too long */
	bool port_of_new;	/* STEP_PORT: at the new place, else at the known one */
	struct device *candidate;
	struct device *open;	/* the first row that could not be told from it */
	enum step step;
	const char *unlike;	/* why the first row of the GUID is another device */
	struct reading of_old, of_new;
	bool names_read[2];
	char names[2][IB_SMP_DATA_SIZE];	/* at the new place, at the known one */
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
	conflict->guid = identity->seen.guid;
	conflict->place_a = target_behind(collect, collect->target_of[first->index]);
	conflict->place_b = new_place(collect, identity);
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
	close_case(collect, identity);
	return rc;
}

/* The port seen has another cable already, as far as is known. */
static bool port_is_taken(struct collect *collect, const struct identity *identity)
{
	const struct port *port = device_port(identity->candidate, identity->seen.local_port);

	return port && port->peer && port->peer != new_place(collect, identity);
}

static int behind_hole(struct collect *collect, const struct identity *identity,
		       enum hole_reason reason, const char *text, struct err *err)
{
	struct mad_route route;

	(void)mad_route_extend(&identity->from->route, identity->from_port, 0, &route);
	return hole_behind_port(collect, new_place(collect, identity), &route, reason, 0, text,
				err);
}

/* One row for the GUID, with what could not be told. */
static int leave_open(struct collect *collect, struct identity *identity, struct err *err)
{
	enum hole_reason reason = identity->too_far  ? HOLE_LIMIT
				  : identity->lost   ? HOLE_TIMEOUT
				  : identity->status ? HOLE_STATUS
						     : HOLE_BAD_ANSWER;
	const char *why = identity->too_far  ? "the way that would tell is longer than 63 hops"
			  : identity->lost   ? "no answer to what would tell"
			  : identity->status ? "what would tell is refused"
					     : "what would tell is answered otherwise each time";
	struct port *behind = new_place(collect, identity);
	char place[DEVICE_LABEL_SIZE + 16];
	char guid[GUID_TEXT_SIZE];
	char text[sizeof(place) + 160];
	char *told;
	int rc;

	identity->candidate = identity->open;
	guid_format(identity->seen.guid, guid);
	port_label(behind, false, place, sizeof(place));
	if (port_is_taken(collect, identity) || !could_be(&identity->seen, identity->candidate)) {
		snprintf(text, sizeof(text),
			 "whether GUID %s is here the device that has it elsewhere could not be "
			 "told: %s", guid, why);
		told = fabric_text(collect->fabric, text, strlen(text));
		rc = told ? behind_hole(collect, identity, reason, told, err) : err_no_memory(err);
		close_case(collect, identity);
		return rc;
	}
	snprintf(text, sizeof(text),
		 "whether it is one device with what answers to its GUID behind %s could not be "
		 "told: %s", place, why);
	told = fabric_text(collect->fabric, text, strlen(text));
	if (!told)
		return err_no_memory(err);
	rc = hole_of_target(collect, collect->target_of[identity->candidate->index], -1,
			    ATTRIBUTE_NODE_INFO, reason, identity->status, told, err);
	return rc < 0 ? rc : same_device(collect, identity, err);
}

static int next_candidate(struct collect *collect, struct identity *identity,
			  struct device *candidate, struct err *err);

/* This row is another device: by answers that contradict each other. */
static int other_device(struct collect *collect, struct identity *identity, const char *unlike,
			struct err *err)
{
	if (!identity->unlike)
		identity->unlike = unlike;
	return next_candidate(collect, identity, identity->candidate->same_guid, err);
}

static int go(struct collect *collect, struct identity *identity, enum step step)
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
	if (!could_be(&identity->seen, candidate))
		return go(collect, identity, STEP_NEW_PLACE);
	if (candidate->type == NODE_TYPE_SWITCH)
		return go(collect, identity, STEP_HOME);
	/* A plug that loops the local port, or a twin. */
	if (looped || !port_is_taken(collect, identity))
		return go(collect, identity, STEP_NEW_NAME);
	return go(collect, identity, STEP_NEW_PLACE);
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
		int rc = behind_hole(collect, identity, HOLE_LIMIT,
				     "more devices of one GUID than are looked at", err);

		close_case(collect, identity);
		return rc;
	}
	return new_twin(collect, identity, err);
}

/* Nothing was proved: once more if answers were lost, else the row stays a possible one. */
static int undecided(struct collect *collect, struct identity *identity, struct err *err)
{
	bool homeless = collect->home_answers == 0 && collect->home_silences >= HOMELESS;

	if (identity->lost && !homeless && ++identity->rounds < ROUNDS) {
		identity->lost = false;
		return begin(collect, identity);
	}
	if (!identity->open)
		identity->open = identity->candidate;
	return next_candidate(collect, identity, identity->candidate->same_guid, err);
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
static bool way_home(const struct identity *identity, const struct mad_route *known,
		     const struct mad_route *place, struct mad_route *ret_route)
{
	const struct mad_route here = {0};
	struct mad_route there;

	if (known->hops == 0)
		return mad_route_extend(&here, (uint8_t)identity->seen.local_port,
					identity->from_port, &there) &&
		       mad_route_return(&there, &identity->from->route, ret_route);
	return mad_route_return(place, known, ret_route);
}

/* From a place out by the port seen, or as many hops homeward as the case has come to. */
static bool way_back(const struct identity *identity, const struct mad_route *known,
		     const struct mad_route *place, struct mad_route *ret_route)
{
	struct mad_route part = {.hops = identity->back};

	if (identity->back == 0)
		return mad_route_extend(place, (uint8_t)identity->seen.local_port, 0, ret_route);
	memcpy(part.out + 1, known->out + 1 + known->hops - part.hops, part.hops);
	memcpy(part.in + 1, known->in + 1 + known->hops - part.hops, part.hops);
	return mad_route_return(place, &part, ret_route);
}

/* False: too long. *ret_port: the port that STEP_PORT asks for. */
static bool route_of(const struct collect *collect, const struct identity *identity,
		     struct mad_route *ret_route, uint8_t *ret_port)
{
	const struct mad_route *known = &known_target(collect, identity)->route;
	struct mad_route place;
	bool fits = mad_route_extend(&identity->from->route, identity->from_port,
				     (uint8_t)identity->seen.local_port, &place);

	switch (identity->step) {
	case STEP_HOME:
		return fits && way_home(identity, known, &place, ret_route);
	case STEP_OLD_PLACE:
	case STEP_OLD_NAME:
	case STEP_OLD_NAME_AGAIN:
		*ret_route = *known;
		return true;
	case STEP_NEW_PLACE:
	case STEP_NEW_NAME:
	case STEP_NEW_NAME_AGAIN:
		*ret_route = place;
		return fits;
	case STEP_NEW_BEFORE:
		*ret_route = identity->from->route;
		return true;
	case STEP_OLD_BEFORE:
		*ret_route = *known;
		ret_route->hops -= known->hops > 0;
		return true;
	case STEP_OLD_BACK:
	case STEP_OLD_BACK_AGAIN:
		return way_back(identity, known, known, ret_route);
	case STEP_NEW_BACK:
	case STEP_NEW_BACK_AGAIN:
		return fits && way_back(identity, known, &place, ret_route);
	case STEP_PORT:
	case STEP_PORT_AGAIN:
		if (!fits ||
		    !way_back(identity, known, identity->port_of_new ? &place : known, ret_route))
			return false;
		*ret_port = ret_route->out[ret_route->hops--];
		return true;
	}
	return false;
}

static int decide(struct collect *collect, struct identity *identity, const struct answer *answer,
		  struct err *err);

int identity_send(struct collect *collect, struct err *err)
{
	const struct answer nothing = {.outcome = OUTCOME_TIMEOUT};
	struct identity *identity = collect->identities_first;
	struct mad_request request = {
		.owner = identity,
		.kind = ASK_IDENTITY,
		.step = LIVE_STEP_IDENTITY,
		.class = IB_SMI_DIRECT_CLASS,
		.attribute = IB_ATTR_NODE_INFO,
		.known = true,
		.m_key = keys_common(collect->keys, collect->options->m_key),
	};
	struct mad_route route;
	uint8_t port = 0;

	collect->identities_first = identity->next;
	if (!identity->next)
		collect->identities_last = NULL;
	switch (identity->step) {
	case STEP_HOME:
		request.m_key = collect->local->m_key;
		break;
	case STEP_NEW_BEFORE:
		request.m_key = identity->from->m_key;
		break;
	case STEP_NEW_NAME:
	case STEP_OLD_NAME:
	case STEP_OLD_NAME_AGAIN:
	case STEP_NEW_NAME_AGAIN:
		request.attribute = IB_ATTR_NODE_DESC;
		request.m_key = known_target(collect, identity)->m_key;
		break;
	case STEP_PORT:
	case STEP_PORT_AGAIN:
		request.attribute = IB_ATTR_PORT_INFO;
		if (identity->back <= 1)
			request.m_key = known_target(collect, identity)->m_key;
		break;
	case STEP_NEW_PLACE:
	case STEP_OLD_PLACE:
		request.m_key = known_target(collect, identity)->m_key;
		break;
	default:
		break;
	}
	if (!route_of(collect, identity, &route, &port)) {
		identity->too_far = true;
		return decide(collect, identity, &nothing, err);
	}
	request.modifier = port;
	return engine_submit(collect->engine, &request, &route, err);
}

/* --- Deciding. --- */

static void missed(struct identity *identity, const struct answer *answer)
{
	identity->lost |= answer->outcome == OUTCOME_TIMEOUT;
	if (answer->outcome == OUTCOME_STATUS)
		identity->status = answer->status;
}

static bool is_home(struct collect *collect, const struct identity *identity,
		    const struct answer *answer)
{
	struct node_seen seen;
	struct mad_route route;
	uint8_t port;
	const char *why;

	if (answer->outcome == OUTCOME_TIMEOUT)
		collect->home_silences++;
	if (answer->outcome != OUTCOME_ANSWER || !node_decode(answer->data, &seen, &why) ||
	    seen.guid != collect->local_guid || !route_of(collect, identity, &route, &port) ||
	    !mad_came_by(answer->mad, &route))
		return false;
	collect->home_answers++;
	return true;
}

/* What was met there; nothing if it was on another way than the one that is known. */
static struct reading read_back(const struct collect *collect, const struct identity *identity,
				const struct answer *answer)
{
	struct reading reading = {0};
	struct node_seen seen;
	struct mad_route route;
	uint8_t port;
	const char *why;

	if (answer->outcome != OUTCOME_ANSWER || !node_decode(answer->data, &seen, &why) ||
	    !route_of(collect, identity, &route, &port))
		return reading;
	route.hops--;
	reading.answered = mad_came_by(answer->mad, &route);
	reading.entry = (uint8_t)mad_entry(answer->mad);
	reading.guid = seen.guid;
	return reading;
}

static bool same_reading(const struct reading *a, const struct reading *b)
{
	return a->answered && b->answered && a->guid == b->guid && a->entry == b->entry;
}

static bool says_guid(const struct answer *answer, uint64_t guid)
{
	struct node_seen seen;
	const char *why;

	return answer->outcome == OUTCOME_ANSWER && node_decode(answer->data, &seen, &why) &&
	       node_entered_right(&seen, answer) && seen.guid == guid;
}

/* The place answers as it did when it was met. */
static bool is_still_new(const struct identity *identity, const struct answer *answer)
{
	const struct node_seen *was = &identity->seen;
	struct node_seen seen;
	const char *why;

	return says_guid(answer, was->guid) && node_decode(answer->data, &seen, &why) &&
	       seen.type == was->type && seen.num_ports == was->num_ports &&
	       seen.device_id == was->device_id && seen.vendor_id == was->vendor_id &&
	       seen.revision == was->revision && seen.system_image_guid == was->system_image_guid;
}

static bool is_still_old(const struct identity *identity, const struct answer *answer)
{
	struct node_seen seen;
	const char *why;

	return says_guid(answer, identity->seen.guid) && node_decode(answer->data, &seen, &why) &&
	       could_be(&seen, identity->candidate);
}

/* The new place no longer answers as it did: look at it as if for the first time. */
static int look_again(struct collect *collect, struct identity *identity,
		      const struct answer *answer, struct err *err)
{
	struct target *from = identity->from;
	uint8_t port = identity->from_port;
	unsigned looks = identity->looks + 1;
	int rc;

	if (looks > LOOKS && answer->outcome == OUTCOME_TIMEOUT)
		rc = behind_hole(collect, identity, HOLE_TIMEOUT,
				 "answers NodeInfo only now and then", err);
	else if (looks > LOOKS)
		rc = behind_hole(collect, identity, HOLE_BAD_ANSWER,
				 "says another NodeInfo each time", err);
	else
		rc = discover_probe(collect, from, port, looks, err);
	close_case(collect, identity);
	return rc;
}

/*
 * The known place is silent or somebody else's now. Then the device was seen at
 * one place at a time: the cable (or the way to it) changed. Ports that are left
 * without a neighbour are looked at once more when the run ends.
 */
static int moved(struct collect *collect, struct identity *identity, struct err *err)
{
	struct port *port = device_port(identity->candidate, identity->seen.local_port);
	struct target *target = known_target(collect, identity);
	const struct mad_route *known = &target->route;

	if (port && port->peer != new_place(collect, identity))
		discover_unlink(port);
	if (known->hops > 0 && known->in[known->hops] != identity->seen.local_port)
		discover_unlink(device_port(identity->candidate, known->in[known->hops]));
	(void)mad_route_extend(&identity->from->route, identity->from_port,
			       (uint8_t)identity->seen.local_port, &target->route);
	return same_device(collect, identity, err);
}

/* NodeDescriptions: of the new place, of the known one, and both again. */
static int take_name(struct collect *collect, struct identity *identity,
		     const struct answer *answer, struct err *err)
{
	bool again = identity->step == STEP_OLD_NAME_AGAIN || identity->step == STEP_NEW_NAME_AGAIN;
	unsigned which = identity->step == STEP_OLD_NAME || identity->step == STEP_OLD_NAME_AGAIN;
	char *name = identity->names[which];

	if (answer->outcome != OUTCOME_ANSWER) {
		missed(identity, answer);
		return undecided(collect, identity, err);
	}
	if (again && memcmp(name, answer->data, IB_SMP_DATA_SIZE) != 0)
		return undecided(collect, identity, err);
	memcpy(name, answer->data, IB_SMP_DATA_SIZE);
	switch (identity->step) {
	case STEP_NEW_NAME:
		return go(collect, identity, STEP_OLD_NAME);
	case STEP_OLD_NAME:
		if (memcmp(identity->names[0], identity->names[1], IB_SMP_DATA_SIZE) == 0)
			return same_device(collect, identity, err);
		return go(collect, identity, STEP_OLD_NAME_AGAIN);
	case STEP_OLD_NAME_AGAIN:
		return go(collect, identity, STEP_NEW_NAME_AGAIN);
	default:
		return other_device(collect, identity, "their NodeDescriptions differ", err);
	}
}

/* The next pair to compare: behind the port seen, then homeward hop by hop. */
static int next_back(struct collect *collect, struct identity *identity, bool equal,
		     struct err *err)
{
	unsigned hops = known_target(collect, identity)->route.hops;

	if (identity->back < hops && (equal || identity->back == 0)) {
		identity->back++;
		return go(collect, identity, STEP_OLD_BACK);
	}
	/* Both ways end at the local port, whatever that calls itself on them. */
	if (equal && hops > 0)
		return same_device(collect, identity, err);
	return undecided(collect, identity, err);
}

static int compare_back(struct collect *collect, struct identity *identity, struct err *err)
{
	const struct reading *old = &identity->of_old, *new = &identity->of_new;

	if (same_reading(old, new))
		return next_back(collect, identity, true, err);
	if (old->answered && new->answered)
		return go(collect, identity, STEP_NEW_BACK_AGAIN);
	/* The cable that was crossed is there: silence of the other side may be a port without one. */
	identity->port_of_new = identity->back > 0;
	if (identity->back == 0 ? new->answered : old->answered)
		return go(collect, identity, STEP_PORT);
	identity->lost = true;
	return next_back(collect, identity, false, err);
}

static int take_port(struct collect *collect, struct identity *identity,
		     const struct answer *answer, struct err *err)
{
	if (answer->outcome != OUTCOME_ANSWER ||
	    mad_get_field(answer->data, 0, IB_PORT_STATE_F) != 1) {
		missed(identity, answer);
		/* Else it was the port that kept the answer back. */
		identity->lost |= answer->outcome == OUTCOME_ANSWER;
		return next_back(collect, identity, false, err);
	}
	if (identity->step == STEP_PORT_AGAIN)
		return other_device(collect, identity, "both were read twice", err);
	return go(collect, identity,
		  identity->port_of_new ? STEP_OLD_BACK_AGAIN : STEP_NEW_BACK_AGAIN);
}

/* One side of a contradiction, again. */
static int take_again(struct collect *collect, struct identity *identity,
		      const struct answer *answer, struct err *err)
{
	const struct reading reading = read_back(collect, identity, answer);
	bool of_old = identity->step == STEP_OLD_BACK_AGAIN;

	if (!same_reading(&reading, of_old ? &identity->of_old : &identity->of_new)) {
		missed(identity, answer);
		return undecided(collect, identity, err);
	}
	if (!identity->of_old.answered || !identity->of_new.answered)
		return go(collect, identity, STEP_PORT_AGAIN);
	if (!of_old)
		return go(collect, identity, STEP_OLD_BACK_AGAIN);
	return other_device(collect, identity, "both were read twice", err);
}

/* Both places were read again, the known one last. */
static int both_still(struct collect *collect, struct identity *identity, struct err *err)
{
	if (!could_be(&identity->seen, identity->candidate))
		return other_device(collect, identity, "their NodeInfos tell of two devices", err);
	if (identity->candidate->type == NODE_TYPE_SWITCH)
		return go(collect, identity, STEP_OLD_BACK);
	return go(collect, identity, STEP_NEW_BEFORE);
}

/*
 * A CA has two cables at one port, if the two devices before it are two: one that
 * changes its GUID looks like several.
 */
static int take_before(struct collect *collect, struct identity *identity,
		       const struct answer *answer, struct err *err)
{
	const struct target *known = known_target(collect, identity);
	const struct port *behind = target_behind(collect, known);
	bool of_new = identity->step == STEP_NEW_BEFORE;
	const struct device *before = of_new ? identity->from->device
				      : behind ? behind->device : known->device;

	if (!says_guid(answer, before->guid)) {
		missed(identity, answer);
		return undecided(collect, identity, err);
	}
	if (of_new)
		return go(collect, identity, STEP_OLD_BEFORE);
	return other_device(collect, identity, "both were read twice", err);
}

static int decide(struct collect *collect, struct identity *identity, const struct answer *answer,
		  struct err *err)
{
	switch (identity->step) {
	case STEP_HOME:
		if (is_home(collect, identity, answer))
			return same_device(collect, identity, err);
		return go(collect, identity, STEP_NEW_PLACE);
	case STEP_NEW_PLACE:
		if (!is_still_new(identity, answer))
			return look_again(collect, identity, answer, err);
		return go(collect, identity, STEP_OLD_PLACE);
	case STEP_OLD_PLACE:
		if (is_still_old(identity, answer))
			return both_still(collect, identity, err);
		missed(identity, answer);
		if (!could_be(&identity->seen, identity->candidate) ||
		    known_target(collect, identity) == collect->local)
			return undecided(collect, identity, err);
		return moved(collect, identity, err);
	case STEP_NEW_NAME:
	case STEP_OLD_NAME:
	case STEP_OLD_NAME_AGAIN:
	case STEP_NEW_NAME_AGAIN:
		return take_name(collect, identity, answer, err);
	case STEP_NEW_BEFORE:
	case STEP_OLD_BEFORE:
		return take_before(collect, identity, answer, err);
	case STEP_OLD_BACK:
		identity->of_old = read_back(collect, identity, answer);
		return go(collect, identity, STEP_NEW_BACK);
	case STEP_NEW_BACK:
		identity->of_new = read_back(collect, identity, answer);
		return compare_back(collect, identity, err);
	case STEP_NEW_BACK_AGAIN:
	case STEP_OLD_BACK_AGAIN:
		return take_again(collect, identity, answer, err);
	case STEP_PORT:
	case STEP_PORT_AGAIN:
		return take_port(collect, identity, answer, err);
	}
	return 0;
}

int identity_answer(struct collect *collect, const struct mad_request *request,
		    const struct answer *answer, struct err *err)
{
	return decide(collect, request->owner, answer, err);
}
