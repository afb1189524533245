/* Two places that answer to one GUID: what their answers prove. */
#include "collector/live/identity.h"

#include <stdio.h>
#include <string.h>

#include "store/text.h"

static void missed(struct identity *identity, const struct answer *answer)
{
	identity->lost |= answer->outcome == OUTCOME_TIMEOUT;
	if (answer->outcome == OUTCOME_STATUS)
		identity->status = answer->status;
}

bool identity_is_home(struct collect *collect, const struct identity *identity,
		    const struct answer *answer)
{
	struct node_seen seen;
	struct mad_route route;
	uint8_t port;
	const char *why;

	return answer->outcome == OUTCOME_ANSWER && node_decode(answer->data, &seen, &why) &&
	       (seen.guid == collect->local_guid || seen.guid == collect->far_guid) &&
	       identity_route(identity, &route, &port) &&
	       mad_came_by(answer->mad, &route);
}

/* What was met there; nothing if it was on another way than the one that is known. */
static struct reading read_back(const struct identity *identity, const struct answer *answer)
{
	struct reading reading = {0};
	struct node_seen seen;
	struct mad_route route;
	uint8_t port;
	const char *why;

	if (answer->outcome != OUTCOME_ANSWER || !node_decode(answer->data, &seen, &why) ||
	    !identity_route(identity, &route, &port))
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
bool identity_is_still(const struct identity *identity, const struct answer *answer)
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
	       identity_could_be(&seen, identity->candidate);
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
		rc = identity_hole(collect, identity, HOLE_TIMEOUT,
				 "answers NodeInfo only now and then", err);
	else if (looks > LOOKS)
		rc = identity_hole(collect, identity, HOLE_BAD_ANSWER,
				 "says another NodeInfo each time", err);
	else
		rc = discover_probe(collect, from, port, looks, err);
	identity_close(collect, identity);
	return rc;
}

static bool is_down(const struct answer *answer)
{
	return answer->outcome == OUTCOME_ANSWER &&
	       mad_get_field(answer->data, 0, IB_PORT_STATE_F) == 1;
}

static bool may_move(const struct collect *collect, const struct identity *identity)
{
	return identity->known.hops > 0 && identity_known(collect, identity) != collect->local &&
	       identity_could_be(&identity->seen, identity->candidate);
}

/*
 * The known place is somebody else's now, or has no link. Then the device was seen
 * at one place at a time: the cable (or the way to it) changed. Ports that are left
 * without a neighbour are looked at once more when the run ends.
 */
static int moved(struct collect *collect, struct identity *identity, struct err *err)
{
	struct port *port = device_port(identity->candidate, identity->seen.local_port);
	struct target *target = identity_known(collect, identity);
	const struct mad_route *known = &identity->known;

	if (port && port->peer != identity_place(collect, identity))
		discover_unlink(port);
	if (known->hops > 0 && known->in[known->hops] != identity->seen.local_port)
		discover_unlink(device_port(identity->candidate, known->in[known->hops]));
	(void)mad_route_extend(&identity->from->route, identity->from_port,
			       (uint8_t)identity->seen.local_port, &target->route);
	return identity_same(collect, identity, err);
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
		return identity_undecided(collect, identity, err);
	}
	if (again && memcmp(name, answer->data, IB_SMP_DATA_SIZE) != 0)
		return identity_undecided(collect, identity, err);
	memcpy(name, answer->data, IB_SMP_DATA_SIZE);
	switch (identity->step) {
	case STEP_NEW_NAME:
		return identity_go(collect, identity, STEP_OLD_NAME);
	case STEP_OLD_NAME:
		if (memcmp(identity->names[0], identity->names[1], IB_SMP_DATA_SIZE) == 0)
			return identity_same(collect, identity, err);
		return identity_go(collect, identity, STEP_OLD_NAME_AGAIN);
	case STEP_OLD_NAME_AGAIN:
		return identity_go(collect, identity, STEP_NEW_NAME_AGAIN);
	default:
		return identity_other(collect, identity, "their NodeDescriptions differ", err);
	}
}

/* The next pair to compare: behind the port seen, then homeward hop by hop. */
static int next_back(struct collect *collect, struct identity *identity, bool equal,
		     struct err *err)
{
	unsigned hops = identity->known.hops;

	if (identity->back < hops && (equal || identity->back == 0)) {
		identity->back++;
		return identity_go(collect, identity, STEP_OLD_BACK);
	}
	/* Both ways end at the local port, whatever that calls itself on them. */
	if (equal && hops > 0)
		return identity_same(collect, identity, err);
	return identity_undecided(collect, identity, err);
}

static int compare_back(struct collect *collect, struct identity *identity, struct err *err)
{
	const struct reading *old = &identity->of_old, *new = &identity->of_new;

	if (same_reading(old, new))
		return next_back(collect, identity, true, err);
	if (old->answered && new->answered)
		return identity_go(collect, identity, STEP_NEW_BACK_AGAIN);
	/* The cable that was crossed is there: silence of the other side may be a port without one. */
	identity->port_of_new = identity->back > 0;
	if (identity->back == 0 ? new->answered : old->answered)
		return identity_go(collect, identity, STEP_PORT);
	identity->lost = true;
	return next_back(collect, identity, false, err);
}

static int take_port(struct collect *collect, struct identity *identity,
		     const struct answer *answer, struct err *err)
{
	if (!is_down(answer)) {
		missed(identity, answer);
		/* Else it was the port that kept the answer back. */
		identity->lost |= answer->outcome == OUTCOME_ANSWER;
		return next_back(collect, identity, false, err);
	}
	if (identity->step == STEP_PORT_AGAIN)
		return identity_other(collect, identity, "both were read twice", err);
	return identity_go(collect, identity,
		  identity->port_of_new ? STEP_OLD_BACK_AGAIN : STEP_NEW_BACK_AGAIN);
}

/* One side of a contradiction, again. */
static int take_again(struct collect *collect, struct identity *identity,
		      const struct answer *answer, struct err *err)
{
	const struct reading reading = read_back(identity, answer);
	bool of_old = identity->step == STEP_OLD_BACK_AGAIN;

	if (!same_reading(&reading, of_old ? &identity->of_old : &identity->of_new)) {
		missed(identity, answer);
		return identity_undecided(collect, identity, err);
	}
	if (!identity->of_old.answered || !identity->of_new.answered)
		return identity_go(collect, identity, STEP_PORT_AGAIN);
	if (!of_old)
		return identity_go(collect, identity, STEP_OLD_BACK_AGAIN);
	return identity_other(collect, identity, "both were read twice", err);
}

/* Both places were read again, the known one last. */
static int both_still(struct collect *collect, struct identity *identity, struct err *err)
{
	if (!identity_could_be(&identity->seen, identity->candidate))
		return identity_other(collect, identity, "their NodeInfos tell of two devices", err);
	if (identity->candidate->type == NODE_TYPE_SWITCH)
		return identity_go(collect, identity, STEP_OLD_BACK);
	return identity_go(collect, identity, STEP_NEW_BEFORE);
}

/*
 * A CA has two cables at one port, if the two devices before it are two: one that
 * changes its GUID looks like several.
 */
static int take_before(struct collect *collect, struct identity *identity,
		       const struct answer *answer, struct err *err)
{
	const struct target *known = identity_known(collect, identity);
	const struct port *behind = target_behind(collect, known);
	bool of_new = identity->step == STEP_NEW_BEFORE;
	const struct device *before = of_new ? identity->from->device
				      : behind ? behind->device : known->device;

	if (!says_guid(answer, before->guid)) {
		missed(identity, answer);
		return identity_undecided(collect, identity, err);
	}
	if (of_new)
		return identity_go(collect, identity, STEP_OLD_BEFORE);
	return identity_other(collect, identity, "both were read twice", err);
}

int identity_decide(struct collect *collect, struct identity *identity, const struct answer *answer,
		  struct err *err)
{
	switch (identity->step) {
	case STEP_SETTLE:
	case STEP_LOCAL:
	case STEP_LOCAL_AGAIN:
	case STEP_HOME_TO_ROW:
		return identity_settle(collect, identity, answer, err);
	case STEP_HOME:
		if (identity_is_home(collect, identity, answer))
			return identity_same(collect, identity, err);
		return identity_go(collect, identity, STEP_NEW_PLACE);
	case STEP_NEW_PLACE:
		if (!identity_is_still(identity, answer))
			return look_again(collect, identity, answer, err);
		return identity_go(collect, identity, STEP_OLD_PLACE);
	case STEP_OLD_PLACE:
		if (is_still_old(identity, answer))
			return both_still(collect, identity, err);
		if (answer->outcome == OUTCOME_ANSWER && may_move(collect, identity))
			return moved(collect, identity, err);
		missed(identity, answer);
		if (answer->outcome == OUTCOME_TIMEOUT && may_move(collect, identity))
			return identity_go(collect, identity, STEP_OLD_LINK);
		return identity_undecided(collect, identity, err);
	case STEP_OLD_LINK:
		if (is_down(answer))
			return moved(collect, identity, err);
		return identity_undecided(collect, identity, err);
	case STEP_NEW_NAME:
	case STEP_OLD_NAME:
	case STEP_OLD_NAME_AGAIN:
	case STEP_NEW_NAME_AGAIN:
		return take_name(collect, identity, answer, err);
	case STEP_NEW_BEFORE:
	case STEP_OLD_BEFORE:
		return take_before(collect, identity, answer, err);
	case STEP_OLD_BACK:
		identity->of_old = read_back(identity, answer);
		return identity_go(collect, identity, STEP_NEW_BACK);
	case STEP_NEW_BACK:
		identity->of_new = read_back(identity, answer);
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
	return identity_decide(collect, request->owner, answer, err);
}
