/*
 * Two walks, so that memory stays small when everything is lost: the first
 * counts, the second lists the places that the first did not explain.
 */
#include "rules/lost_lid.h"

#include <stdlib.h>

#include "store/array.h"

#define WHOLE_LEAST 4		/* LIDs a switch has lost before it is told as a whole */
#define PLACES_MOST ((size_t)1 << 20)

static void loss_clear(struct loss *loss)
{
	size_t count = loss->switches ? loss->switches->count : 0;

	for (size_t i = 0; loss->tolls && i < count; i++)
		number_list_clear(&loss->tolls[i].lids);
	for (size_t i = 0; loss->down && i < count * 256; i++) {
		if (loss->down[i])
			number_list_clear(&loss->down[i]->lids);
		free(loss->down[i]);
	}
	for (size_t i = 0; i < loss->claim_count; i++)
		number_list_clear(&loss->claims[i].lids);
	free(loss->claims);
	free(loss->tolls);
	free(loss->down);
	free(loss->needed_by);
	free(loss->lids);
	free(loss->places);
}

static bool owner_is_switch(const struct port *owner)
{
	return owner->device->type == NODE_TYPE_SWITCH;
}

size_t loss_switch_duty(const struct loss *loss, size_t number)
{
	return loss->needed_everywhere +
	       (loss->switches->has_hosts[number] ? loss->needed_by_hosts : 0);
}

/*
 * Marks where the ways of hosts to a switch's LID break: healthy trees hold no
 * entry for it in switches that no host's way passes.
 */
static void mark_needed(struct loss *loss, const struct route_column *column)
{
	for (size_t i = 0; i < loss->switches->count; i++) {
		if (loss->switches->has_hosts[i] && column->end[i] > ROUTE_UNDECIDED)
			loss->needed_by[column->at[i]] = column->lid;
	}
}

/* True when the way to this LID breaks at this very switch, and somebody needs it. */
static bool breaks_here(const struct loss *loss, const struct route_column *column, size_t number)
{
	if (column->end[number] <= ROUTE_UNDECIDED || column->at[number] != number)
		return false;
	return !owner_is_switch(column->owner) || loss->needed_by[number] == column->lid;
}

static void count_place(struct loss *loss, const struct route_column *column, size_t number)
{
	enum route_end end = column->end[number];

	loss->lost++;
	if (end == ROUTE_DOWN_PORT || end == ROUTE_NO_CABLE)
		return;
	loss->tolls[number].lost++;
	loss->tolls[number].by_end[end]++;
}

static int list_down_port(struct loss *loss, const struct route_column *column, size_t number,
			  struct err *err)
{
	struct down_port **slot = &loss->down[number * 256 + column->entry[number]];

	if (!*slot)
		*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		return err_no_memory(err);
	(*slot)->end = (enum route_end)column->end[number];
	number_list_add(&(*slot)->lids, column->lid);
	return 0;
}

static int add_place(struct loss *loss, struct lost *lost, const struct place *place,
		     struct err *err)
{
	struct place *grown =
		array_grow(loss->places, loss->place_count, &loss->place_room, sizeof(*grown));

	if (!grown)
		return err_no_memory(err);
	loss->places = grown;
	loss->places[loss->place_count++] = *place;
	lost->count++;
	return 0;
}

static int list_place(struct loss *loss, struct lost *lost, const struct route_column *column,
		      size_t number, struct err *err)
{
	struct place place = {(uint32_t)number, column->end[number], column->entry[number]};

	if (place.end == ROUTE_DOWN_PORT || place.end == ROUTE_NO_CABLE)
		return list_down_port(loss, column, number, err);
	if (loss->tolls[number].whole) {
		number_list_add(&loss->tolls[number].lids, column->lid);
		return 0;
	}
	lost->signature = (lost->signature ^ (place.at * 16 + place.end + 1)) *
			  UINT64_C(0x100000001b3);
	/* Beyond this many the places of a LID are a number, not a list. */
	if (loss->place_count >= PLACES_MOST && lost->count > 0)
		return 0;
	return add_place(loss, lost, &place, err);
}

static int add_lost(struct loss *loss, const struct lost *lost, struct err *err)
{
	struct lost *grown =
		array_grow(loss->lids, loss->lid_count, &loss->lid_room, sizeof(*grown));

	if (!grown)
		return err_no_memory(err);
	loss->lids = grown;
	loss->lids[loss->lid_count++] = *lost;
	return 0;
}

static int take_column(void *context, const struct route_column *column, struct err *err)
{
	struct loss *loss = context;
	struct lost lost = {.lid = column->lid, .owner = column->owner,
			    .signature = UINT64_C(0xcbf29ce484222325),
			    .place = loss->place_count};
	int rc = 0;

	/* Lost everywhere: then nobody has assigned it. */
	if (column->lost > 0 && column->lost + column->undecided == loss->switches->count &&
	    lost_lid_is_beyond(loss, column->lid, column->owner))
		return loss->listing ? 0 : lost_lid_add_beyond(loss, column->lid, column->owner, err);
	if (!loss->listing) {
		loss->undecided += column->undecided;
		if (owner_is_switch(column->owner))
			loss->needed_by_hosts++;
		else
			loss->needed_everywhere++;
	}
	if (column->lost == 0)
		return 0;
	if (owner_is_switch(column->owner))
		mark_needed(loss, column);
	for (size_t i = 0; rc == 0 && i < loss->switches->count; i++) {
		if (loss->switches->has_hosts[i] && column->end[i] > ROUTE_UNDECIDED)
			lost.cut_off++;
		if (!breaks_here(loss, column, i))
			continue;
		if (loss->listing)
			rc = list_place(loss, &lost, column, i, err);
		else
			count_place(loss, column, i);
	}
	if (rc == 0 && lost.count > 0)
		rc = add_lost(loss, &lost, err);
	return rc;
}

/* Decides which switches are told as a whole; returns how many. */
static size_t find_whole_switches(struct loss *loss)
{
	size_t count = 0;

	for (size_t i = 0; i < loss->switches->count; i++) {
		struct toll *toll = &loss->tolls[i];

		toll->whole = toll->lost >= WHOLE_LEAST && 2 * toll->lost > loss_switch_duty(loss, i);
		count += toll->whole;
	}
	return count;
}

static int prepare(struct loss *loss, struct err *err)
{
	int rc = analysis_switches(loss->in->analysis, &loss->switches, err);

	if (rc == 0)
		rc = analysis_lids(loss->in->analysis, &loss->owners, err);
	if (rc < 0)
		return rc;
	loss->usual_lmc = lost_lid_usual_lmc(loss->in->fabric);
	loss->tolls = calloc(loss->switches->count + 1, sizeof(*loss->tolls));
	loss->down = calloc(loss->switches->count * 256 + 1, sizeof(struct down_port *));
	loss->needed_by = calloc(loss->switches->count + 1, sizeof(*loss->needed_by));
	if (!loss->tolls || !loss->down || !loss->needed_by)
		return err_no_memory(err);
	return 0;
}

static int tell_left_out(const struct loss *loss, struct rule_output *out, struct err *err)
{
	if (loss->undecided == 0)
		return 0;
	return rule_not_checked(out, err,
				"of %zu ways (switch to LID) %zu cannot be followed to their end, "
				"because a neighbour or a table on the way was not read",
				loss->switches->count *
					(loss->needed_everywhere + loss->needed_by_hosts),
				loss->undecided);
}

int lost_lid_check_routes(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct loss loss = {.in = in};
	size_t whole = 0;
	int rc;

	rc = prepare(&loss, err);
	if (rc == 0)
		rc = analysis_walk_routes(in->analysis, take_column, &loss, err);
	if (rc == 0 && loss.lost > 0) {
		whole = find_whole_switches(&loss);
		loss.listing = true;
		rc = analysis_walk_routes(in->analysis, take_column, &loss, err);
	}
	if (rc == 0)
		rc = lost_lid_tell_routes(&loss, out, whole, err);
	if (rc == 0)
		rc = lost_lid_tell_beyond(&loss, out, err);
	if (rc == 0)
		rc = lost_lid_tell_stale(&loss, out, err);
	if (rc == 0)
		rc = tell_left_out(&loss, out, err);
	loss_clear(&loss);
	return rc;
}
