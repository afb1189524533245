/*
 * Breadth first: the local device, then whatever is behind each port that has
 * a link. A probe is a Get of NodeInfo one hop beyond a known device. A link
 * found from one side is not looked at from the other.
 */
#include "collector/live/collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/text.h"

bool node_decode(uint8_t *data, struct node_seen *ret_seen, const char **ret_why)
{
	unsigned type = mad_get_field(data, 0, IB_NODE_TYPE_F);
	struct node_seen seen = {
		.type = (enum node_type)type,
		.base_version = mad_get_field(data, 0, IB_NODE_BASE_VERS_F),
		.class_version = mad_get_field(data, 0, IB_NODE_CLASS_VERS_F),
		.num_ports = mad_get_field(data, 0, IB_NODE_NPORTS_F),
		.system_image_guid = mad_get_field64(data, 0, IB_NODE_SYSTEM_GUID_F),
		.guid = mad_get_field64(data, 0, IB_NODE_GUID_F),
		.port_guid = mad_get_field64(data, 0, IB_NODE_PORT_GUID_F),
		.partition_cap = mad_get_field(data, 0, IB_NODE_PARTITION_CAP_F),
		.device_id = mad_get_field(data, 0, IB_NODE_DEVID_F),
		.revision = mad_get_field(data, 0, IB_NODE_REVISION_F),
		.local_port = mad_get_field(data, 0, IB_NODE_LOCAL_PORT_F),
		.vendor_id = mad_get_field(data, 0, IB_NODE_VENDORID_F),
	};

	if (type < NODE_TYPE_CA || type > NODE_TYPE_ROUTER) {
		*ret_why = "NodeInfo with a NodeType that does not exist";
		return false;
	}
	if (seen.num_ports < 1 || seen.num_ports > 254 || seen.local_port > seen.num_ports ||
	    (seen.local_port == 0 && seen.type != NODE_TYPE_SWITCH)) {
		*ret_why = "NodeInfo with impossible port numbers";
		return false;
	}
	*ret_seen = seen;
	return true;
}

bool node_entered_right(const struct node_seen *seen, const struct answer *answer)
{
	unsigned entry = mad_entry(answer->mad);

	/* The cable of a switch never ends at its port 0. */
	if (entry == 0)
		return seen->local_port != 0 || answer->mad[7] == 0;
	return seen->local_port == entry;
}

int discover_probe(struct collect *collect, struct target *target, uint8_t port, unsigned looks,
		   struct err *err)
{
	const struct probe probe = {.target = target, .port = port, .looks = (uint8_t)looks};

	return agenda_add_probe(&collect->agenda, &probe) ? 0 : err_no_memory(err);
}

int discover_unread(struct collect *collect, struct target *target, struct err *err)
{
	struct probe probe = {.target = target, .guess = true};
	unsigned ports = target_ports(target);

	if (target->looked || (!target_is_switch(target) && target != collect->local))
		return 0;
	target->looked = true;
	for (unsigned i = 0; i < ports; i++) {
		unsigned num = target_port_num(target, i);
		const struct port *port = device_port(target->device, num);

		if (port && (port->peer || port->source_of[ATTRIBUTE_PORT_INFO]))
			continue;
		probe.port = (uint8_t)num;
		if (!agenda_add_probe(&collect->agenda, &probe))
			return err_no_memory(err);
	}
	return 0;
}

#define TAG_LOOKS_SHIFT 8
#define TAG_AGAIN (UINT32_C(1) << 16)

int discover_send(struct collect *collect, const struct probe *probe, struct err *err)
{
	struct port *port = device_port(probe->target->device, probe->port);
	struct mad_request request = {
		.owner = probe->target,
		.tag = probe->port | (uint32_t)probe->looks << TAG_LOOKS_SHIFT |
		       (probe->again ? TAG_AGAIN : 0),
		.guess = probe->guess,
		.kind = ASK_NEIGHBOR,
		.step = probe->again ? LIVE_STEP_AGAIN : LIVE_STEP_DISCOVERY,
		.class = IB_SMI_DIRECT_CLASS,
		.attribute = IB_ATTR_NODE_INFO,
		.m_key = keys_common(collect->keys, collect->options->m_key),
	};
	struct mad_route route;

	/* Meanwhile the other end has told. */
	if ((port && port->peer && !probe->untrue) || collect->full)
		return 0;
	if (!mad_route_extend(&probe->target->route, probe->port, 0, &route)) {
		if (probe->guess)
			return 0;
		return hole_behind_port(collect, port, &probe->target->route, HOLE_LIMIT, 0,
					"more than 63 hops away", err);
	}
	return engine_submit(collect->engine, &request, &route, err);
}

/* --- What was found. --- */

static int fill_device(struct collect *collect, const struct node_seen *seen,
		       struct device **ret_device, struct err *err)
{
	struct device *device = fabric_device_add(collect->fabric, seen->guid, seen->type);

	if (!device)
		return err_no_memory(err);
	device->system_image_guid = seen->system_image_guid;
	device->info.base_version = seen->base_version;
	device->info.class_version = seen->class_version;
	device->info.num_ports = seen->num_ports;
	device->info.partition_cap = seen->partition_cap;
	device->info.device_id = seen->device_id;
	device->info.revision = seen->revision;
	device->info.vendor_id = seen->vendor_id;
	device->source_of[ATTRIBUTE_NODE_INFO] = collect->source_ref;
	*ret_device = device;
	return 0;
}

void discover_unlink(struct port *port)
{
	if (!port || !port->peer)
		return;
	if (port->peer->peer == port)
		port->peer->peer = NULL;
	port->peer = NULL;
}

/* A port has one cable: what was known of these two before is not true any more. */
static void link_ports(struct collect *collect, struct port *a, struct port *b)
{
	if (a->peer != b) {
		discover_unlink(a);
		discover_unlink(b);
	}
	fabric_link(a, b);
	a->source_of[ATTRIBUTE_NEIGHBOR] = collect->source_ref;
	b->source_of[ATTRIBUTE_NEIGHBOR] = collect->source_ref;
}

/* The port through which a device was entered, and the target that asks through it. */
static int enter(struct collect *collect, const struct node_seen *seen, struct device *device,
		 const struct mad_route *route, struct port **ret_port, struct err *err)
{
	struct fabric *fabric = collect->fabric;
	bool is_switch = seen->type == NODE_TYPE_SWITCH;
	struct port *port = fabric_port(fabric, device, (uint8_t)seen->local_port);
	struct port *own = fabric_port(fabric, device,
				       is_switch ? 0 : (uint8_t)seen->local_port);

	if (!port || !own)
		return err_no_memory(err);
	own->guid = seen->port_guid;
	port->guid = seen->port_guid;
	if (!target_find(collect, device, own->num) &&
	    !target_add(collect, device, own->num, route))
		return err_no_memory(err);
	*ret_port = port;
	return 0;
}

static int set_place(struct collect *collect, struct device *device,
		     const struct mad_route *route, struct err *err)
{
	char text[MAD_ROUTE_TEXT_SIZE + 16] = "DR path ";

	mad_route_text(route, text + 8, sizeof(text) - 8);
	device->place = fabric_text(collect->fabric, text, strlen(text));
	return device->place ? 0 : err_no_memory(err);
}

int discover_new_device(struct collect *collect, const struct node_seen *seen,
			struct target *from, uint8_t from_port, struct device **ret_device,
			struct err *err)
{
	struct port *behind = fabric_port(collect->fabric, from->device, from_port);
	struct mad_route route;
	struct device *device;
	struct port *port;
	int rc;

	if (!behind)
		return err_no_memory(err);
	if (!mad_route_extend(&from->route, from_port, (uint8_t)seen->local_port, &route))
		return 0;
	rc = fill_device(collect, seen, &device, err);
	if (rc == 0)
		rc = set_place(collect, device, &route, err);
	if (rc == 0)
		rc = enter(collect, seen, device, &route, &port, err);
	if (rc < 0)
		return rc;
	link_ports(collect, behind, port);
	*ret_device = device;
	return 0;
}

/* From now on by the shorter way. */
static void shorten(struct collect *collect, const struct device *device, const struct port *port,
		    const struct mad_route *route)
{
	struct target *target = target_find(collect, device, port->num);

	if (target && !target->ready && route->hops < target->route.hops)
		target->route = *route;
}

int discover_known_device(struct collect *collect, const struct node_seen *seen,
			  struct device *device, struct target *from, uint8_t from_port,
			  struct err *err)
{
	struct port *behind = fabric_port(collect->fabric, from->device, from_port);
	struct mad_route route;
	struct port *port;
	int rc;

	if (!behind)
		return err_no_memory(err);
	if (!mad_route_extend(&from->route, from_port, (uint8_t)seen->local_port, &route))
		return 0;
	rc = enter(collect, seen, device, &route, &port, err);
	if (rc < 0)
		return rc;
	link_ports(collect, behind, port);
	shorten(collect, device, port, &route);
	return 0;
}

/* Keeps a probe that found nothing, or what cannot be, to be sent again at the end. */
static int lose(struct collect *collect, struct target *from, uint8_t from_port, bool untrue,
		struct err *err)
{
	struct probe *list = array_grow(collect->lost_probes, collect->lost_probe_count,
					&collect->lost_probe_room, sizeof(*list));

	if (!list)
		return err_no_memory(err);
	collect->lost_probes = list;
	collect->lost_probes[collect->lost_probe_count++] =
		(struct probe){
			.target = from, .port = from_port, .again = true, .untrue = untrue};
	return 0;
}

/* No NodeInfo behind this port, or none that can be right. */
static int found_nothing(struct collect *collect, const struct mad_request *request,
			 const struct answer *answer, struct port *behind, const char *why,
			 struct err *err)
{
	struct target *from = request->owner;
	struct mad_route route;

	if (!(request->tag & TAG_AGAIN))
		return lose(collect, from, behind->num, false, err);
	(void)mad_route_extend(&from->route, behind->num, 0, &route);
	switch (answer->outcome) {
	case OUTCOME_TIMEOUT:
		return hole_behind_port(collect, behind, &route, HOLE_TIMEOUT, 0,
					"no answer to NodeInfo", err);
	case OUTCOME_STATUS:
		return hole_behind_port(collect, behind, &route, HOLE_STATUS, answer->status, NULL,
					err);
	case OUTCOME_BAD:
	case OUTCOME_ANSWER:
		break;
	}
	return hole_behind_port(collect, behind, &route, HOLE_BAD_ANSWER, 0, why, err);
}

/*
 * LocalPortNum is not the port that was entered. Nothing else in such an answer
 * is believed. If the GUID turns out to be that of one known device, it is the
 * one that told it; so it is asked again at the end in any case.
 */
static int entered_wrong(struct collect *collect, const struct mad_request *request,
			 const struct node_seen *seen, const struct answer *answer,
			 struct port *behind, struct err *err)
{
	struct device *device = fabric_device_find(collect->fabric, seen->guid);
	char place[DEVICE_LABEL_SIZE + 16];
	char guid[GUID_TEXT_SIZE];
	char *told;
	char text[sizeof(place) + 160];

	if (!(request->tag & TAG_AGAIN))
		return lose(collect, request->owner, behind->num, true, err);
	snprintf(text, sizeof(text),
		 "NodeInfo of GUID %s calls port %u LocalPortNum where the cable from %s ends "
		 "at port %u",
		 guid_format(seen->guid, guid), seen->local_port,
		 port_label(behind, false, place, sizeof(place)), mad_entry(answer->mad));
	if (!device || device->same_guid || device->type != seen->type)
		return behind->peer ? 0 : found_nothing(collect, request, answer, behind, text, err);
	told = fabric_text(collect->fabric, text, strlen(text));
	if (!told)
		return err_no_memory(err);
	hole_is_told(request->owner, behind);
	return hole_of_target(collect, collect->target_of[device->index], -1, ATTRIBUTE_NODE_INFO,
			      HOLE_BAD_ANSWER, 0, told, err);
}

/* Every port that a cable goes to needs a unicast LID, and there are 0xbfff (IBA 4.1.3). */
#define DEVICES_MAX 0xbfff

/* Then some NodeInfo is not true; it cannot be said which. */
static int too_many(struct collect *collect, const struct target *from, struct port *behind,
		    struct err *err)
{
	struct mad_route route;

	collect->full = true;
	(void)mad_route_extend(&from->route, behind->num, 0, &route);
	return hole_behind_port(collect, behind, &route, HOLE_LIMIT, 0,
				"more devices than a subnet has LIDs: nothing further is looked for",
				err);
}

bool discover_says_link(const struct port *port)
{
	return port_is_up(port) || port->info.port_phys_state == 5;
}

/* Somebody says that a link is there: PortInfo, or that the run itself comes in by it. */
static bool has_link(const struct collect *collect, const struct target *from, uint8_t num)
{
	const struct port *port = device_port(from->device, num);

	if (port && discover_says_link(port))
		return true;
	return from == collect->local && !target_is_switch(from);
}

int discover_answer(struct collect *collect, const struct mad_request *request,
		    const struct answer *answer, struct err *err)
{
	struct target *from = request->owner;
	uint8_t from_port = (uint8_t)request->tag;
	unsigned looks = request->tag >> TAG_LOOKS_SHIFT & 255;
	struct port *behind;
	const char *why = "an answer of the wrong length or version";
	struct node_seen seen;
	struct device *device = NULL;
	int rc;

	collect->source->rows++;
	/* Then nothing is missing. */
	if (answer->outcome == OUTCOME_TIMEOUT && !has_link(collect, from, from_port))
		return 0;
	behind = fabric_port(collect->fabric, from->device, from_port);
	if (!behind)
		return err_no_memory(err);
	if (answer->outcome != OUTCOME_ANSWER || !node_decode(answer->data, &seen, &why))
		return found_nothing(collect, request, answer, behind, why, err);
	if (!node_entered_right(&seen, answer))
		return entered_wrong(collect, request, &seen, answer, behind, err);
	if (behind->peer || collect->full)
		return 0;
	if (collect->fabric->device_count >= DEVICES_MAX)
		return too_many(collect, from, behind, err);
	if (fabric_device_find(collect->fabric, seen.guid))
		return identity_open(collect, &seen, from, from_port, looks, err);
	if (seen.type == NODE_TYPE_SWITCH)
		return identity_meet(collect, &seen, from, from_port, looks, err);
	rc = discover_new_device(collect, &seen, from, from_port, &device, err);
	if (rc == 0 && device)
		target_took(collect->target_of[device->index], answer->after_us);
	return rc;
}

/* --- The beginning. --- */

int discover_local(struct collect *collect, const struct answer *answer, struct err *err)
{
	const struct mad_route here = {0};
	const char *why = "an answer of the wrong length or version";
	struct node_seen seen;
	struct device *device;
	struct port *port;
	char words[96];
	int rc;

	if (answer->outcome == OUTCOME_TIMEOUT)
		return err_set(err, ERR_FABRIC,
			       "the local port does not answer NodeInfo; give it more time with -t, "
			       "choose another with -C and -P, or look at its driver");
	if (answer->outcome == OUTCOME_STATUS)
		return err_set(err, ERR_FABRIC,
			       "the local port refuses NodeInfo: %s; choose another with -C and -P, or "
			       "look at its driver",
			       mad_status_text(answer->status, words, sizeof(words)));
	if (answer->outcome == OUTCOME_BAD || !node_decode(answer->data, &seen, &why))
		return err_set(err, ERR_FABRIC,
			       "the local port answers NodeInfo with nonsense (%s); choose another with "
			       "-C and -P, or look at its driver",
			       why);
	rc = fill_device(collect, &seen, &device, err);
	if (rc == 0)
		rc = set_place(collect, device, &here, err);
	if (rc == 0)
		rc = enter(collect, &seen, device, &here, &port, err);
	if (rc < 0)
		return rc;
	collect->source->rows++;
	collect->local = target_find(collect, device, seen.local_port);
	collect->local_guid = collect->far_guid = seen.guid;
	return 0;
}

int discover_start(struct collect *collect, struct err *err)
{
	const struct mad_route here = {0};
	struct mad_request request = {
		.kind = ASK_NEIGHBOR,
		.step = LIVE_STEP_DISCOVERY,
		.class = IB_SMI_DIRECT_CLASS,
		.attribute = IB_ATTR_NODE_INFO,
		.m_key = keys_common(collect->keys, collect->options->m_key),
	};

	return engine_submit(collect->engine, &request, &here, err);
}
