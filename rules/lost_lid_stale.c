#include "rules/lost_lid.h"

#include <stdlib.h>

#include "rules/unread.h"

/* What the routes to a LID that no port is known to own may be, 0 while there are none. */
enum stray {
	STRAY_STALE = 1,
	STRAY_COVERED,		/* a port below with an unknown LMC may own it too */
};

/*
 * Marks the LIDs behind a base LID that a port owns too if its LMC, which was not
 * read (.lst files carry none), is not 0. Its LIDs begin at a multiple of their
 * number (IBA Volume 1, 4.1.3), which is 128 at most.
 */
static void mark_covered(const struct lid_owners *owners, bool covered[LID_COUNT])
{
	for (unsigned base = 1; base <= owners->last; base++) {
		unsigned most = base & (~base + 1);

		if (!owners->first[base] || owners->first[base]->info.lmc != FIELD_UNKNOWN)
			continue;
		for (unsigned i = 1; i < most && i < 128 && base + i < LID_COUNT; i++) {
			if (owners->first[base + i])
				break;
			covered[base + i] = true;
		}
	}
}

/* Marks the LIDs whose entries on this switch lead to nobody. True: some of them are stale. */
static bool mark_strays(const struct loss *loss, const struct device *device, const bool *covered,
			unsigned char *strays)
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
		strays[lid] = covered[lid] ? STRAY_COVERED : STRAY_STALE;
		any |= !covered[lid];
	}
	return any;
}

/* True when devices are there whose LID was not read, or some gave no answer. */
static bool owners_may_be_unread(const struct loss *loss)
{
	const struct fabric *fabric = loss->in->fabric;

	if (loss->owners->unknown > 0)
		return true;
	for (size_t i = 0; i < fabric->hole_count; i++) {
		if (unread_is_hole_of(&fabric->holes[i], ATTRIBUTE_NODE_INFO) ||
		    unread_is_hole_of(&fabric->holes[i], ATTRIBUTE_NEIGHBOR) ||
		    unread_is_hole_of(&fabric->holes[i], ATTRIBUTE_PORT_INFO))
			return true;
	}
	return false;
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
	return rule_left_out(out, err,
			     "%zu %s with routes may belong to devices that were not read", count,
			     lids);
}

static int tell_stale(const struct loss *loss, struct number_list *lids, size_t count,
		      size_t switches, struct rule_output *out, struct err *err)
{
	const struct fabric *fabric = loss->in->fabric;
	bool all_listed = fabric->live || fabric->asked >> ATTRIBUTE_NEIGHBOR & 1;
	struct finding *finding =
		rule_finding(out, SEVERITY_INFO, NULL, NULL, "stale", "%zu %s routes on %zu %s%s",
			     count,
			     text_plural(count, "LID that no known port owns still has",
					 "LIDs that no known port owns still have"),
			     switches, text_plural(switches, "switch", "switches"),
			     all_listed ? "" : "; these sources do not list all devices");

	if (!finding || !number_list_evidence(lids, finding, "lids") ||
	    !finding_text(&finding->remedy,
			  "Nothing to do: the SM drops such entries when it rewrites the tables. "
			  "They lead to devices that left, that did not answer, or that the sources "
			  "do not list."))
		return err_no_memory(err);
	return 0;
}

static int tell(const struct loss *loss, const unsigned char *strays, size_t switches,
		struct rule_output *out, struct err *err)
{
	struct number_list lids = {0};
	size_t count = 0, covered = 0;
	int rc = 0;

	for (unsigned lid = 1; lid < LID_COUNT; lid++) {
		covered += strays[lid] == STRAY_COVERED;
		if (strays[lid] != STRAY_STALE)
			continue;
		number_list_add(&lids, lid);
		count++;
	}
	if (covered > 0)
		rc = rule_left_out(out, err,
				   "%zu %s with routes may belong to ports whose LMC was not read",
				   covered, text_plural(covered, "LID", "LIDs"));
	if (rc == 0 && count > 0 && owners_may_be_unread(loss))
		rc = tell_unread(loss, count, out, err);
	else if (rc == 0 && count > 0)
		rc = tell_stale(loss, &lids, count, switches, out, err);
	number_list_clear(&lids);
	return rc;
}

int lost_lid_tell_stale(const struct loss *loss, struct rule_output *out, struct err *err)
{
	bool *covered = calloc(LID_COUNT, sizeof(*covered));
	unsigned char *strays = calloc(LID_COUNT, sizeof(*strays));
	size_t switches = 0;
	int rc;

	if (!covered || !strays) {
		rc = err_no_memory(err);
		goto out;
	}
	mark_covered(loss->owners, covered);
	for (size_t i = 0; i < loss->switches->count; i++)
		switches += mark_strays(loss, loss->switches->list[i], covered, strays);
	rc = tell(loss, strays, switches, out, err);
out:
	free(covered);
	free(strays);
	return rc;
}
