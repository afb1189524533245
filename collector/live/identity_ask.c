/* The questions of a case: which way each goes. */
#include "collector/live/identity.h"

#include <string.h>

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
bool identity_route(const struct identity *identity,
		     struct mad_route *ret_route, uint8_t *ret_port)
{
	const struct mad_route *known = &identity->known;
	struct mad_route place;
	bool fits = mad_route_extend(&identity->from->route, identity->from_port,
				     (uint8_t)identity->seen.local_port, &place);

	switch (identity->step) {
	case STEP_HOME:
	case STEP_HOME_TO_ROW:
		return fits && way_home(identity, known, &place, ret_route);
	case STEP_LOCAL:
	case STEP_LOCAL_AGAIN:
		return fits && mad_route_extend(&place, (uint8_t)identity->seen.local_port,
						identity->from_port, ret_route);
	case STEP_OLD_PLACE:
	case STEP_OLD_NAME:
	case STEP_OLD_NAME_AGAIN:
		*ret_route = *known;
		return true;
	case STEP_SETTLE:
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
	case STEP_OLD_LINK:
		*ret_route = *known;
		*ret_port = ret_route->out[ret_route->hops--];
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
	case STEP_LOCAL:
	case STEP_LOCAL_AGAIN:
	case STEP_HOME:
	case STEP_HOME_TO_ROW:
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
		request.m_key = identity_known(collect, identity)->m_key;
		break;
	case STEP_OLD_LINK:
		request.attribute = IB_ATTR_PORT_INFO;
		break;
	case STEP_PORT:
	case STEP_PORT_AGAIN:
		request.attribute = IB_ATTR_PORT_INFO;
		if (identity->back <= 1)
			request.m_key = identity_known(collect, identity)->m_key;
		break;
	case STEP_NEW_PLACE:
	case STEP_OLD_PLACE:
		request.m_key = identity_known(collect, identity)->m_key;
		break;
	default:
		break;
	}
	if (!identity_route(identity, &route, &port)) {
		identity->too_far = true;
		return identity_decide(collect, identity, &nothing, err);
	}
	request.modifier = port;
	return engine_submit(collect->engine, &request, &route, err);
}
