/*
 * The end of a run. A device that stopped answering may be alive behind a
 * switch that died: it is looked for by the links that are known to lead to it.
 * A port behind which nothing answered is looked behind once more, now that the
 * fabric is quiet. Then come the ports whose two ends do not agree: a link whose
 * neighbour is not known, and a port that was Down although routes lead there. A
 * cable was plugged while the run went on, or something was taken for gone that was
 * not. What then stays unread becomes holes.
 */
#include "collector/live/collect.h"

#include <stdlib.h>
#include <string.h>

#define WAYS_AT_ONCE 4
#define WAYS_MAX 12

static bool same_route(const struct mad_route *a, const struct mad_route *b)
{
	return a->hops == b->hops && memcmp(a->out + 1, b->out + 1, a->hops) == 0;
}

/* The route to the target through its port `num`, if what is there answers and it is another one. */
static bool other_way(const struct collect *collect, const struct target *target, unsigned num,
		      struct mad_route *ret_route)
{
	const struct port *port = device_port(target->device, num);
	const struct target *peer;

	if (!port || !port->peer || port->peer->device->type != NODE_TYPE_SWITCH)
		return false;
	peer = target_find(collect, port->peer->device, port->peer->num);
	return peer && peer != target && !peer->silent &&
	       mad_route_extend(&peer->route, port->peer->num, (uint8_t)num, ret_route) &&
	       !same_route(ret_route, &target->route);
}

static bool behind_silent(const struct collect *collect, const struct target *target)
{
	const struct port *behind = target_behind(collect, target);
	const struct target *other =
		behind ? target_find(collect, behind->device, behind->num) : NULL;

	return other && other->silent;
}

static int ask_other_ways(struct collect *collect, struct target *target, unsigned *ret_asked,
			  struct err *err)
{
	unsigned ports = target_ports(target);
	unsigned seen = 0;
	unsigned asked = 0;

	for (unsigned i = 0;
	     i < ports && asked < WAYS_AT_ONCE && target->ways + asked < WAYS_MAX; i++) {
		unsigned num = target_port_num(target, i);
		struct mad_request request = {
			.owner = target,
			.tag = num,
			.kind = ASK_OTHER_WAY,
			.step = LIVE_STEP_AGAIN,
			.class = IB_SMI_DIRECT_CLASS,
			.attribute = IB_ATTR_NODE_INFO,
			.m_key = target->m_key,
		};
		struct mad_route route;

		if (!other_way(collect, target, num, &route) || seen++ < target->ways)
			continue;
		while (!engine_has_room(collect->engine)) {
			int rc = engine_pump(collect->engine, err);

			if (rc < 0)
				return rc;
		}
		if (engine_submit(collect->engine, &request, &route, err) < 0)
			return err->code;
		asked++;
	}
	target->ways = (uint8_t)(target->ways + asked);
	*ret_asked += asked;
	/* Found by no other way: what hangs on it may answer all the same. */
	if (asked == 0 && !target->looked && !behind_silent(collect, target)) {
		*ret_asked += target_is_switch(target);
		return discover_unread(collect, target, err);
	}
	return 0;
}

int again_other_way(struct collect *collect, const struct mad_request *request,
		    const struct answer *answer)
{
	struct target *target = request->owner;
	struct node_seen seen;
	struct mad_route route;
	const char *why;

	if (!target->silent || answer->outcome != OUTCOME_ANSWER ||
	    !node_decode(answer->data, &seen, &why) ||
	    (seen.guid != target->device->guid && !target->changes) ||
	    seen.local_port != request->tag ||
	    !other_way(collect, target, request->tag, &route))
		return 0;
	target->route = route;
	target->silent = false;
	target_wake(collect, target);
	return 0;
}

/* --- Ports whose ends do not agree. --- */

#define BIT_IS_SET(bits, num) ((bits)[(num) >> 6] >> ((num) & 63) & 1)

/* A bit for each port that an entry of the LFT leads to. */
static void routed_ports(const struct device *device, uint64_t ret_bits[4])
{
	size_t end = device->lft ? device->lft_size : 0;

	memset(ret_bits, 0, 4 * sizeof(*ret_bits));
	for (size_t lid = 1; lid < end && (int64_t)lid <= device->sw.linear_fdb_top; lid++) {
		if (lft_known(device, (unsigned)lid))
			ret_bits[device->lft[lid] >> 6] |= UINT64_C(1) << (device->lft[lid] & 63);
	}
}

/* There is a link, and nobody is known behind it; a hole has not told so yet. */
static bool lacks_neighbor(const struct target *target, const struct port *port)
{
	return port && port->num > 0 && !port->peer && port->source_of[ATTRIBUTE_PORT_INFO] &&
	       discover_says_link(port) && !BIT_IS_SET(target->told_behind, port->num);
}

static int look_last(struct collect *collect, struct target *target, unsigned *ret_asked,
		     struct err *err)
{
	unsigned ports = target_ports(target);
	uint64_t routed[4];

	if (target->silent || collect->full || (!target_is_switch(target) && target != collect->local))
		return 0;
	routed_ports(target->device, routed);
	for (unsigned i = 0; i < ports; i++) {
		unsigned num = target_port_num(target, i);
		const struct port *port = device_port(target->device, num);
		const struct question question = {
			.ask = ASK_PORT_INFO, .port = num, .modifier = num, .rounds = 1};

		if (BIT_IS_SET(target->looked_last, num) ||
		    !(lacks_neighbor(target, port) ||
		      (port && port->info.port_state == 1 && BIT_IS_SET(routed, num))))
			continue;
		while (!engine_has_room(collect->engine)) {
			int rc = engine_pump(collect->engine, err);

			if (rc < 0)
				return rc;
		}
		target->looked_last[num >> 6] |= UINT64_C(1) << (num & 63);
		if (port->info.port_state == 1)
			target->came_up[num >> 6] |= UINT64_C(1) << (num & 63);
		target->out++;
		if (target_ask(collect, target, &question, err) < 0)
			return err->code;
		(*ret_asked)++;
	}
	return 0;
}

int again_start(struct collect *collect, struct err *err)
{
	unsigned asked = 0;

	for (struct target *target = collect->targets; target; target = target->next) {
		if (target->silent && (target->ways < WAYS_MAX || !target->looked) &&
		    ask_other_ways(collect, target, &asked, err) < 0)
			return err->code;
	}
	for (size_t i = 0; i < collect->lost_probe_count; i++) {
		const struct probe *probe = &collect->lost_probes[i];

		if (probe->target->silent)
			continue;
		if (!agenda_add_probe(&collect->agenda, probe))
			return err_no_memory(err);
		collect->lost_probes[i--] = collect->lost_probes[--collect->lost_probe_count];
		asked++;
	}
	for (struct target *target = asked ? NULL : collect->targets; target; target = target->next) {
		if (look_last(collect, target, &asked, err) < 0)
			return err->code;
	}
	return asked > 0;
}

/* --- Holes. --- */

static const struct {
	enum stage stage;
	unsigned group;
	enum attribute attribute;
	bool of_switch;		/* a CA has none */
	const struct stage_reader *few;	/* only some have it: those that this stage asks */
} stage_attributes[] = {
	{STAGE_FIRST, LIVE_TOPOLOGY, ATTRIBUTE_NODE_DESCRIPTION, false, NULL},
	{STAGE_PORTS, LIVE_TOPOLOGY, ATTRIBUTE_PORT_INFO, true, NULL},
	{STAGE_SPEED, LIVE_PORTINFO, ATTRIBUTE_EXTENDED_PORT_INFO, false, &speed_stage},
	{STAGE_LFT, LIVE_LFT, ATTRIBUTE_LFT, true, NULL},
	{STAGE_MFT, LIVE_MFT, ATTRIBUTE_MFT, true, NULL},
	{STAGE_SL2VL, LIVE_SL2VL, ATTRIBUTE_SL2VL, false, NULL},
	{STAGE_VLARB, LIVE_VLARB, ATTRIBUTE_VLARB, false, NULL},
	{STAGE_PKEYS, LIVE_PKEYS, ATTRIBUTE_PKEY_TABLE, false, NULL},
	{STAGE_GUIDS, LIVE_GUIDS, ATTRIBUTE_GUID_INFO, false, NULL},
	{STAGE_SM, LIVE_SM, ATTRIBUTE_SM_INFO, false, &sm_stage},
	{STAGE_COUNTERS, LIVE_COUNTERS, ATTRIBUTE_COUNTERS, false, NULL},
};

/* Whether the stage, had it been reached, would have asked anything of the target. */
static bool would_ask(struct collect *collect, struct target *target,
		      const struct stage_reader *reader, struct err *err)
{
	struct question question = {0};

	target->cursor_end = 0;
	if (reader->enter(collect, target, err) < 0)
		return false;
	for (uint32_t at = 0; at < target->cursor_end; at++) {
		if (reader->question(collect, target, at, &question))
			return true;
	}
	return false;
}

/* One hole for each attribute that a silent device still owes. */
static int finish_target(struct collect *collect, struct target *target, struct err *err)
{
	enum stage reached = (enum stage)target->stage;
	uint32_t owed = 0;
	int rc = 0;

	/* Behind a device that went silent too: that says it all. */
	if (behind_silent(collect, target))
		return hole_of_target(collect, target, -1, ATTRIBUTE_PORT_INFO,
				      HOLE_NOT_REACHED, 0,
				      "lies behind a device that stopped answering", err);
	for (const struct unanswered *u = target->unanswered; u; u = u->next)
		owed |= UINT32_C(1) << ask_attribute(u->question.ask);
	for (size_t i = 0; i < sizeof(stage_attributes) / sizeof(stage_attributes[0]); i++) {
		if (stage_attributes[i].stage >= reached &&
		    (collect->groups & stage_attributes[i].group) &&
		    (!stage_attributes[i].of_switch || target_is_switch(target)) &&
		    (!stage_attributes[i].few ||
		     would_ask(collect, target, stage_attributes[i].few, err)))
			owed |= UINT32_C(1) << stage_attributes[i].attribute;
	}
	/* What the stage has gathered so far is kept. */
	if (target->entered)
		rc = target_leave(collect, target, err);
	for (unsigned i = 0; rc == 0 && i < ATTRIBUTE_COUNT; i++) {
		if (owed >> i & 1)
			rc = hole_of_target(collect, target, -1, (enum attribute)i, HOLE_TIMEOUT,
					    0, "stopped answering", err);
	}
	return rc;
}

/* Links with one end, and ports that came up too late for the rest to be read. */
static int finish_ports(struct collect *collect, struct target *target, struct err *err)
{
	unsigned ports = target_ports(target);
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < ports; i++) {
		unsigned num = target_port_num(target, i);
		const struct port *port = device_port(target->device, num);

		if (!collect->full && lacks_neighbor(target, port))
			rc = hole_of_target(collect, target, (int)num, ATTRIBUTE_NEIGHBOR,
					    HOLE_NOT_REACHED, 0,
					    "has a link whose other end was not seen: a cable was "
					    "plugged or pulled while the run went on", err);
		else if (port && port->peer && BIT_IS_SET(target->came_up, num))
			rc = hole_of_target(collect, target, (int)num, ATTRIBUTE_PORT_INFO,
					    HOLE_NOT_REACHED, 0,
					    "came up while the run went on: its tables and counters "
					    "were not read", err);
	}
	return rc;
}

int again_finish(struct collect *collect, struct err *err)
{
	int rc = 0;

	for (struct target *target = collect->targets; rc == 0 && target; target = target->next) {
		if (target->silent)
			rc = finish_target(collect, target, err);
		else
			rc = finish_ports(collect, target, err);
	}
	for (size_t i = 0; rc == 0 && i < collect->lost_probe_count; i++) {
		const struct probe *probe = &collect->lost_probes[i];
		struct port *port = device_port(probe->target->device, probe->port);
		struct mad_route route;

		if (!port || port->peer ||
		    !mad_route_extend(&probe->target->route, probe->port, 0, &route))
			continue;
		rc = hole_behind_port(collect, port, &route, HOLE_NOT_REACHED, 0,
				      "lies behind a device that stopped answering", err);
	}
	return rc;
}
