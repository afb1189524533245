/*
 * A switch that names another GUID in each NodeInfo would be a new device on each
 * way to it, and so would all that lies behind it. So a switch whose GUID is new is
 * asked twice. If it says something else, only the way home tells which row it is:
 * that goes by ports and cables, whatever the switch calls itself.
 */
#include "collector/live/identity.h"

#include <stdio.h>
#include <string.h>

#include "store/text.h"


#define CHANGING_MAX 64		/* rows of switches that change their GUID */

int identity_meet(struct collect *collect, const struct node_seen *seen, struct target *from,
		  uint8_t from_port, unsigned looks, struct err *err)
{
	struct identity *identity = identity_new(collect, seen, from, from_port, looks);

	if (!identity)
		return err_no_memory(err);
	if (from != collect->local || collect->home_asked)
		return identity_go(collect, identity, STEP_SETTLE);
	collect->home_asked = true;
	return identity_go(collect, identity, STEP_LOCAL);
}

static int says_another(struct collect *collect, struct target *target, struct err *err)
{
	target->changes = true;
	return hole_of_target(collect, target, -1, ATTRIBUTE_NODE_INFO, HOLE_BAD_ANSWER, 0,
			      "names another GUID each time it is asked", err);
}

/* The row of what was met: a settled one, or one whose GUID changes. */
static int add_row(struct collect *collect, struct identity *identity, bool changes,
		   struct err *err)
{
	struct device *device = NULL;
	int rc;

	if (changes && collect->changing_count >= CHANGING_MAX) {
		rc = identity_hole(collect, identity, HOLE_LIMIT,
				   "more switches that change their GUID than are looked at", err);
		identity_close(collect, identity);
		return rc;
	}
	rc = discover_new_device(collect, &identity->seen, identity->from, identity->from_port,
				 &device, err);
	identity_close(collect, identity);
	if (rc == 0 && device && changes) {
		collect->changing_count++;
		rc = says_another(collect, collect->target_of[device->index], err);
	}
	return rc;
}

/* The way home along the next row that it can be, or a row of its own. */
static int next_row(struct collect *collect, struct identity *identity, struct err *err)
{
	const struct fabric *fabric = collect->fabric;

	if (collect->homeless && collect->changing_count > 0) {
		int rc = identity_hole(collect, identity, HOLE_BAD_ANSWER,
				       "a switch that names another GUID each time, and the local "
				       "port does not answer on the way that would tell which", err);

		identity_close(collect, identity);
		return rc;
	}
	for (; identity->row < fabric->device_count; identity->row++) {
		struct device *device = fabric->devices[identity->row];
		const struct target *target = collect->target_of[device->index];

		if (device->type != NODE_TYPE_SWITCH || !target ||
		    !(target->changes || device->guid == identity->also))
			continue;
		identity->candidate = device;
		identity->known = identity_known(collect, identity)->route;
		return identity_go(collect, identity, STEP_HOME_TO_ROW);
	}
	/* Silence of a row that it is not is common: once more in all is enough. */
	if (identity->unheard && identity->rounds++ == 0) {
		identity->unheard = false;
		identity->row = 0;
		return next_row(collect, identity, err);
	}
	return add_row(collect, identity, true, err);
}

/*
 * Every way home ends at the local port: what does that call itself there? It may
 * answer nobody but its own host, have another GUID for the fabric, or change it.
 */
static int take_local(struct collect *collect, struct identity *identity,
		      const struct answer *answer, struct err *err)
{
	char text[128];
	char guid[GUID_TEXT_SIZE];
	struct node_seen seen;
	const char *why;
	char *told;

	if (answer->outcome != OUTCOME_ANSWER || !node_decode(answer->data, &seen, &why)) {
		collect->homeless = answer->outcome != OUTCOME_TIMEOUT ||
				    ++identity->rounds >= ROUNDS;
		return collect->homeless ? 1 : identity_go(collect, identity, identity->step);
	}
	if (identity->step == STEP_LOCAL && seen.guid == collect->local_guid)
		return 1;
	if (identity->step == STEP_LOCAL) {
		identity->also = seen.guid;
		return identity_go(collect, identity, STEP_LOCAL_AGAIN);
	}
	collect->homeless = seen.guid != identity->also;
	if (!collect->homeless)
		collect->far_guid = seen.guid;
	snprintf(text, sizeof(text), "calls itself GUID %s when it is asked through the fabric",
		 guid_format(seen.guid, guid));
	told = fabric_text(collect->fabric, text, strlen(text));
	if (!told)
		return err_no_memory(err);
	if (hole_of_target(collect, collect->local, -1, ATTRIBUTE_NODE_INFO, HOLE_BAD_ANSWER, 0,
			   told, err) < 0)
		return err->code;
	return 1;
}

static int settled(struct collect *collect, struct identity *identity, struct err *err)
{
	const struct node_seen seen = identity->seen;
	struct target *from = identity->from;
	uint8_t port = identity->from_port;
	unsigned looks = identity->looks;

	/* Met on another way in the meantime. */
	if (fabric_device_find(collect->fabric, seen.guid)) {
		identity_close(collect, identity);
		return identity_open(collect, &seen, from, port, looks, err);
	}
	return add_row(collect, identity, false, err);
}

int identity_settle(struct collect *collect, struct identity *identity,
		    const struct answer *answer, struct err *err)
{
	const struct port *place = identity_place(collect, identity);
	struct node_seen seen;
	const char *why;
	int rc;

	/* The link was found from the other end, or there is no room for a row. */
	if ((place && place->peer) || collect->full) {
		identity_close(collect, identity);
		return 0;
	}
	if (identity->step == STEP_LOCAL || identity->step == STEP_LOCAL_AGAIN) {
		rc = take_local(collect, identity, answer, err);
		if (rc != 1)
			return rc;
		identity->rounds = 0;
		return identity_go(collect, identity, STEP_SETTLE);
	}
	if (identity->step == STEP_SETTLE) {
		/* Silence, and what cannot be read, prove nothing. */
		if (answer->outcome != OUTCOME_ANSWER ||
		    !node_decode(answer->data, &seen, &why) || seen.guid == identity->seen.guid)
			return settled(collect, identity, err);
		identity->also = seen.guid;
		return next_row(collect, identity, err);
	}
	if (identity_is_home(collect, identity, answer)) {
		rc = says_another(collect, identity_known(collect, identity), err);
		return rc < 0 ? rc : identity_same(collect, identity, err);
	}
	identity->unheard |= answer->outcome == OUTCOME_TIMEOUT;
	identity->row++;
	return next_row(collect, identity, err);
}
