/*
 * LIDs, once every device has been found: who claims which of them, and which
 * the ports name as their SM's. Whatever depends on the whole of it (whom to ask
 * for SMInfo, whose answer a MAD that goes by LID would bring) waits until then.
 */
#include "collector/live/collect.h"

#include <stdlib.h>
#include <string.h>

#define LID_END 0xc000

struct lids {
	const struct port *first[LID_END];	/* who claims it; NULL: nobody */
	const struct port *second[LID_END];	/* another port that claims it too */
	bool names_sm[LID_END];			/* some port's MasterSMLID */
};

static bool is_unicast(int64_t lid)
{
	return lid > 0 && lid < LID_END;
}

/* One past the last LID of the port, whose base LID is a unicast one. */
static unsigned end_of(const struct port *port)
{
	int64_t lmc = port->info.lmc == FIELD_UNKNOWN ? 0 : port->info.lmc & 7;
	unsigned end = (unsigned)port->info.lid + (1u << lmc);

	return end < LID_END ? end : LID_END;
}

static void add(struct lids *lids, const struct port *port)
{
	if (!port_is_end_port(port) || !is_unicast(port->info.lid))
		return;
	for (unsigned lid = (unsigned)port->info.lid; lid < end_of(port); lid++) {
		if (!lids->first[lid])
			lids->first[lid] = port;
		else if (!lids->second[lid])
			lids->second[lid] = port;
	}
	if (is_unicast(port->info.sm_lid))
		lids->names_sm[port->info.sm_lid] = true;
}

int lids_gather(struct collect *collect, struct err *err)
{
	if (!collect->lids)
		collect->lids = malloc(sizeof(*collect->lids));
	if (!collect->lids)
		return err_no_memory(err);
	memset(collect->lids, 0, sizeof(*collect->lids));
	for (size_t i = 0; i < collect->fabric->device_count; i++) {
		const struct device *device = collect->fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (device->ports[num])
				add(collect->lids, device->ports[num]);
		}
	}
	collect->target_done = 0;
	for (struct target *target = collect->targets; target; target = target->next) {
		if (target->stage == STAGE_DONE)
			collect->target_done++;
		else if (!target->silent)
			target_wake(collect, target);
	}
	return 0;
}

bool lids_name_sm(const struct collect *collect, const struct port *port)
{
	if (!collect->lids || !is_unicast(port->info.lid))
		return false;
	for (unsigned lid = (unsigned)port->info.lid; lid < end_of(port); lid++) {
		if (collect->lids->names_sm[lid])
			return true;
	}
	return false;
}

const struct port *lids_rival(const struct collect *collect, const struct port *port)
{
	const struct port *first;

	if (!collect->lids || !is_unicast(port->info.lid))
		return NULL;
	first = collect->lids->first[port->info.lid];
	return first == port ? collect->lids->second[port->info.lid] : first;
}
