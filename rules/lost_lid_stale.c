#include "rules/lost_lid.h"

#include <stdlib.h>

/* Marks in stale[] the LIDs whose entries on this switch lead to nobody. True: there are some. */
static bool mark_stale(const struct loss *loss, const struct device *device, bool *stale)
{
	size_t end = device->lft_size < LID_COUNT ? device->lft_size : LID_COUNT;
	bool any = false;

	if (device->sw.linear_fdb_top >= 0 && (size_t)device->sw.linear_fdb_top + 1 < end)
		end = (size_t)device->sw.linear_fdb_top + 1;
	for (size_t lid = 1; lid < end; lid++) {
		/* 0 is what a table that was never written reads. */
		if (loss->owners->first[lid] || device->lft[lid] == 255 || device->lft[lid] == 0 ||
		    !lft_known(device, (unsigned)lid))
			continue;
		stale[lid] = true;
		any = true;
	}
	return any;
}

/* With an unknown LMC a port may answer to more LIDs than its base LID: .lst files carry none. */
static bool lmc_is_unread(const struct loss *loss)
{
	for (unsigned lid = 1; lid <= loss->owners->last; lid++) {
		if (loss->owners->first[lid] && loss->owners->first[lid]->info.lmc == FIELD_UNKNOWN)
			return true;
	}
	return false;
}

/*
 * True when such a LID may belong to somebody after all: devices are there whose
 * LID was not read, some gave no answer, or the sources do not list devices.
 */
static bool owners_may_be_unread(const struct loss *loss)
{
	const struct fabric *fabric = loss->in->fabric;

	if (loss->owners->unknown > 0 || lmc_is_unread(loss))
		return true;
	for (size_t i = 0; i < fabric->hole_count; i++) {
		enum attribute attribute = fabric->holes[i].attribute;

		if ((attribute == ATTRIBUTE_NODE_INFO || attribute == ATTRIBUTE_NEIGHBOR ||
		     attribute == ATTRIBUTE_PORT_INFO) &&
		    fabric->holes[i].reason != HOLE_UNSUPPORTED)
			return true;
	}
	return !(fabric->asked >> ATTRIBUTE_NEIGHBOR & 1) && !fabric->live;
}

static int tell_unread(const struct loss *loss, size_t count, struct rule_output *out,
		       struct err *err)
{
	const char *lids = text_plural(count, "LID", "LIDs");
	size_t unknown = loss->owners->unknown;

	if (unknown > 0)
		return rule_left_out(out, err,
				     "%zu %s with routes may belong to end ports whose LID was not "
				     "read (%zu of %zu)",
				     count, lids, unknown, loss->owners->end_ports);
	if (lmc_is_unread(loss))
		return rule_left_out(out, err,
				     "%zu %s with routes may belong to ports whose LMC was not read",
				     count, lids);
	return rule_left_out(out, err,
			     "%zu %s with routes may belong to devices that were not read", count,
			     lids);
}

int lost_lid_tell_stale(const struct loss *loss, struct rule_output *out, struct err *err)
{
	bool *stale = calloc(LID_COUNT, sizeof(*stale));
	struct number_list lids = {0};
	struct finding *finding;
	size_t switches = 0;
	size_t count = 0;
	int rc = 0;

	if (!stale)
		return err_no_memory(err);
	for (size_t i = 0; i < loss->switches->count; i++)
		switches += mark_stale(loss, loss->switches->list[i], stale);
	for (unsigned lid = 1; lid < LID_COUNT; lid++) {
		if (!stale[lid])
			continue;
		number_list_add(&lids, lid);
		count++;
	}
	if (count > 0 && owners_may_be_unread(loss)) {
		rc = tell_unread(loss, count, out, err);
	} else if (count > 0) {
		finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, "stale",
				       "%zu %s routes on %zu %s", count,
				       text_plural(count, "LID that no known port owns still has",
						   "LIDs that no known port owns still have"),
				       switches, text_plural(switches, "switch", "switches"));
		if (!finding || !number_list_evidence(&lids, finding, "lids") ||
		    !finding_text(&finding->remedy,
				  "Nothing to do: the SM drops such entries when it rewrites the "
				  "tables. They lead to devices that left, that did not answer, or "
				  "that the sources do not list."))
			rc = err_no_memory(err);
	}
	number_list_clear(&lids);
	free(stale);
	return rc;
}

