/*
 * Ports that claim more LIDs than the fabric gave them: their LMC is above that
 * of nearly all others. What lies behind the LIDs of the usual LMC no SM has
 * assigned, so that it leads nowhere says something of this port, and nothing of
 * the switches.
 */
#include "rules/lost_lid.h"

#include <inttypes.h>
#include <stdlib.h>

#include "store/array.h"

#define PORTS_APART 16		/* more ports that claim too much are one finding */
#define USUAL_LEAST 3		/* so few ports have no usual LMC */

static bool has_lmc(const struct port *port)
{
	return port && port->num != 0 && port_owes_lid(port) && lid_is_unicast(port->info.lid) &&
	       port->info.lmc >= 0 && port->info.lmc <= 7;
}

int64_t lost_lid_usual_lmc(const struct fabric *fabric)
{
	size_t count[8] = {0};
	size_t known = 0;

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 1; num < device->port_slots; num++) {
			if (!has_lmc(device->ports[num]))
				continue;
			count[device->ports[num]->info.lmc]++;
			known++;
		}
	}
	for (int64_t lmc = 0; known >= USUAL_LEAST && lmc < 8; lmc++) {
		if (2 * count[lmc] > known)
			return lmc;
	}
	return FIELD_UNKNOWN;
}

bool lost_lid_is_beyond(const struct loss *loss, unsigned lid, const struct port *owner)
{
	return loss->usual_lmc != FIELD_UNKNOWN && has_lmc(owner) &&
	       owner->info.lmc > loss->usual_lmc &&
	       lid - (unsigned)owner->info.lid >= 1u << loss->usual_lmc;
}

int lost_lid_add_beyond(struct loss *loss, unsigned lid, const struct port *owner, struct err *err)
{
	struct claim *grown;
	size_t at = loss->claim_count;

	while (at > 0 && loss->claims[at - 1].port != owner)
		at--;
	if (at == 0) {
		grown = array_grow(loss->claims, loss->claim_count, &loss->claim_room, sizeof(*grown));
		if (!grown)
			return err_no_memory(err);
		loss->claims = grown;
		loss->claims[loss->claim_count] = (struct claim){.port = owner};
		at = ++loss->claim_count;
	}
	number_list_add(&loss->claims[at - 1].lids, lid);
	return 0;
}

static const char remedy[] =
	"See who gave this port its LMC: let the master SM sweep (SIGHUP), which writes the LMC that "
	"it means and moves no link. If the port keeps it, look in opensm.log for a PortInfo that it "
	"refuses; until then nothing should be sent to the LIDs beyond the usual ones.";

static int tell_claim(struct loss *loss, struct claim *claim, struct rule_output *out, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	size_t count = claim->lids.count;
	struct finding *finding;

	port_label(claim->port, false, label, sizeof(label));
	finding = rule_finding(out, SEVERITY_WARNING, NULL, claim->port, "lmc-range",
			       "%s has LMC %" PRId64 " where most ports have %" PRId64 ": %zu %s that "
			       "it claims by that %s nowhere",
			       label, claim->port->info.lmc, loss->usual_lmc, count,
			       text_plural(count, "LID", "LIDs"), text_plural(count, "leads", "lead"));
	if (!finding || !number_list_evidence(&claim->lids, finding, "lids") ||
	    !finding_text(&finding->remedy, "%s", remedy))
		return err_no_memory(err);
	return 0;
}

int lost_lid_tell_beyond(struct loss *loss, struct rule_output *out, struct err *err)
{
	struct places places = {0};
	struct finding *finding;
	int rc = 0;

	if (loss->claim_count <= PORTS_APART) {
		for (size_t i = 0; rc == 0 && i < loss->claim_count; i++)
			rc = tell_claim(loss, &loss->claims[i], out, err);
		return rc;
	}
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "lmc-range",
			       "%zu ports have an LMC above the usual %" PRId64 ", and LIDs that they "
			       "claim by that lead nowhere",
			       loss->claim_count, loss->usual_lmc);
	for (size_t i = 0; finding && i < loss->claim_count; i++)
		places_add_port(&places, loss->claims[i].port);
	if (!finding || !places_evidence(&places, finding, "ports") ||
	    !finding_text(&finding->remedy, "%s", remedy))
		return err_no_memory(err);
	return 0;
}
