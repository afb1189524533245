/*
 * Links by their ends. A link seen from one end alone is the same link as one
 * seen from both. One that went and one that came with an end in common are one
 * that moved.
 */
#include <stdlib.h>
#include <string.h>

#include "store/array.h"
#include "store/diff_parts.h"

/* An end by the device's place in the newer fabric, or behind those in the older. */
struct end {
	size_t device;
	unsigned port;
};

struct link {
	struct end low;
	struct end high;
	const struct port *low_port;	/* of the side the link is from */
	const struct port *high_port;
	bool used;
};

struct links {
	struct link *list;
	size_t count;
};

static int compare_ends(const struct end *a, const struct end *b)
{
	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return a->port < b->port ? -1 : a->port > b->port;
}

static int compare_links(const void *left, const void *right)
{
	const struct link *a = left;
	const struct link *b = right;
	int order = compare_ends(&a->low, &b->low);

	return order != 0 ? order : compare_ends(&a->high, &b->high);
}

static struct end end_of(const struct diff_match *match, const struct port *port, bool is_old)
{
	struct end end = {port->device->index, port->num};

	if (is_old) {
		end.device = match->old_side.other[port->device->index];
		if (end.device == NO_DEVICE)
			end.device = match->new_side.fabric->device_count + port->device->index;
	}
	return end;
}

static struct link link_of(const struct diff_match *match, const struct port *port, bool is_old)
{
	struct link link = {
		.low = end_of(match, port, is_old),
		.high = end_of(match, port->peer, is_old),
		.low_port = port,
		.high_port = port->peer,
	};

	if (compare_ends(&link.low, &link.high) > 0) {
		struct end end = link.low;

		link.low = link.high;
		link.high = end;
		link.low_port = port->peer;
		link.high_port = port;
	}
	return link;
}

/* Every link once, sorted. False: no memory. */
static bool links_of(const struct diff_match *match, bool is_old, struct links *links)
{
	const struct fabric *fabric = is_old ? match->old_side.fabric : match->new_side.fabric;
	size_t room = 0;
	size_t kept = 0;

	for (size_t i = 0; i < fabric->device_count; i++)
		room += fabric->devices[i]->port_slots;
	links->list = malloc((room + 1) * sizeof(*links->list));
	if (!links->list)
		return false;
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t p = 0; p < device->port_slots; p++) {
			if (device->ports[p] && device->ports[p]->peer)
				links->list[links->count++] =
					link_of(match, device->ports[p], is_old);
		}
	}
	qsort(links->list, links->count, sizeof(*links->list), compare_links);
	for (size_t i = 0; i < links->count; i++) {
		if (kept == 0 || compare_links(&links->list[kept - 1], &links->list[i]) != 0)
			links->list[kept++] = links->list[i];
	}
	links->count = kept;
	return true;
}

/* Takes out of both lists what is in both. */
static void drop_common(struct links *old_links, struct links *new_links)
{
	size_t o = 0, n = 0, old_kept = 0, new_kept = 0;

	while (o < old_links->count || n < new_links->count) {
		int order;

		if (o == old_links->count)
			order = 1;
		else if (n == new_links->count)
			order = -1;
		else
			order = compare_links(&old_links->list[o], &new_links->list[n]);
		if (order == 0) {
			o++;
			n++;
		} else if (order < 0) {
			old_links->list[old_kept++] = old_links->list[o++];
		} else {
			new_links->list[new_kept++] = new_links->list[n++];
		}
	}
	old_links->count = old_kept;
	new_links->count = new_kept;
}

/*
 * Takes out the links that the other side could not have seen from either end;
 * how many.
 */
static size_t drop_unseen(const struct diff_side *here, const struct diff_side *there,
			  struct links *links)
{
	size_t kept = 0;
	size_t unseen;

	for (size_t i = 0; i < links->count; i++) {
		const struct link *link = &links->list[i];

		if (diff_could_see(here, there, link->low_port) ||
		    diff_could_see(here, there, link->high_port))
			links->list[kept++] = *link;
	}
	unseen = links->count - kept;
	links->count = kept;
	return unseen;
}

static int note_unseen(struct diff *diff, const struct diff_side *there, size_t count,
		       const char *what, struct err *err)
{
	if (count == 0)
		return 0;
	return diff_note(diff, err,
			 "%zu link%s behind something that did not answer in the %s snapshot: "
			 "not called %s",
			 count, count == 1 ? " lies" : "s lie", there->name, what);
}

/* An end of a link that came, to be found by the links that went. */
struct end_place {
	struct end end;
	struct link *link;
};

static int compare_end_places(const void *left, const void *right)
{
	const struct end_place *a = left;
	const struct end_place *b = right;

	return compare_ends(&a->end, &b->end);
}

/* The unused link with this end, or NULL. */
static struct link *find_unused(const struct end_place *ends, size_t count, const struct end *end)
{
	const struct end_place wanted = {.end = *end};
	size_t first = array_first_from(&wanted, ends, count, sizeof(wanted), compare_end_places);

	/* A port has one cable, or two when sources disagree: no need to look far. */
	for (size_t i = first; i < count && i < first + 4; i++) {
		if (compare_ends(&ends[i].end, end) != 0)
			break;
		if (!ends[i].link->used)
			return ends[i].link;
	}
	return NULL;
}

static int label_into(char **text, const struct port *port, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];

	port_label(port, false, label, sizeof(label));
	return finding_text(text, "%s", label) ? 0 : err_no_memory(err);
}

/* A change told from the end `here`; the others may be NULL. */
static int add_link(struct diff *diff, enum diff_kind kind, const struct port *here,
		    const struct port *before, const struct port *after, struct err *err)
{
	struct change *change = diff_add(diff, kind, here->device, here);
	int rc = change ? 0 : err_no_memory(err);

	if (rc == 0 && before)
		rc = label_into(&change->before, before, err);
	if (rc == 0 && after)
		rc = label_into(&change->after, after, err);
	return rc;
}

/* Told from a switch, where a cable is looked for, rather than from a host. */
static int add_one(struct diff *diff, enum diff_kind kind, const struct link *link,
		   struct err *err)
{
	const struct port *here = link->low_port;
	const struct port *there = link->high_port;
	bool is_added = kind == DIFF_LINK_ADDED;

	if (here->device->type != NODE_TYPE_SWITCH && there->device->type == NODE_TYPE_SWITCH) {
		here = link->high_port;
		there = link->low_port;
	}
	return add_link(diff, kind, here, is_added ? NULL : there, is_added ? there : NULL, err);
}

/* A link that went finds one that came at the same end. 1 when it did. */
static int try_move(struct diff *diff, struct link *went, const struct end *end, bool is_low,
		    const struct end_place *ends, size_t end_count, struct err *err)
{
	struct link *came = find_unused(ends, end_count, end);
	const struct port *here;
	int rc;

	if (!came)
		return 0;
	went->used = true;
	came->used = true;
	here = compare_ends(&came->low, end) == 0 ? came->low_port : came->high_port;
	rc = add_link(diff, DIFF_LINK_MOVED, here, is_low ? went->high_port : went->low_port,
		      here == came->low_port ? came->high_port : came->low_port, err);
	return rc < 0 ? rc : 1;
}

/* Both ends of a link that went; of hosts only, or of any device. */
static int try_moves(struct diff *diff, struct link *went, bool hosts_only,
		     const struct end_place *ends, size_t end_count, struct err *err)
{
	int rc = 0;

	if (!went->used &&
	    (!hosts_only || went->low_port->device->type != NODE_TYPE_SWITCH))
		rc = try_move(diff, went, &went->low, true, ends, end_count, err);
	if (rc == 0 && !went->used &&
	    (!hosts_only || went->high_port->device->type != NODE_TYPE_SWITCH))
		rc = try_move(diff, went, &went->high, false, ends, end_count, err);
	return rc;
}

static int add_moved(struct diff *diff, struct links *old_links, struct links *new_links,
		     struct err *err)
{
	struct end_place *ends = malloc((2 * new_links->count + 1) * sizeof(*ends));
	size_t count = 0;
	int rc = 0;

	if (!ends)
		return err_no_memory(err);
	for (size_t i = 0; i < new_links->count; i++) {
		struct link *link = &new_links->list[i];

		ends[count++] = (struct end_place){link->low, link};
		ends[count++] = (struct end_place){link->high, link};
	}
	qsort(ends, count, sizeof(*ends), compare_end_places);
	/* Hosts first: who looks for a host wants to know where its cable is now. */
	for (int pass = 0; pass < 2 && rc >= 0; pass++) {
		for (size_t i = 0; i < old_links->count && rc >= 0; i++)
			rc = try_moves(diff, &old_links->list[i], pass == 0, ends, count, err);
	}
	free(ends);
	return rc < 0 ? rc : 0;
}

static int add_all(const struct diff_match *match, struct links *old_links,
		   struct links *new_links, struct diff *diff, struct err *err)
{
	const struct diff_side *old_side = &match->old_side;
	const struct diff_side *new_side = &match->new_side;
	int rc;

	drop_common(old_links, new_links);
	rc = note_unseen(diff, new_side, drop_unseen(old_side, new_side, old_links), "removed", err);
	if (rc == 0)
		rc = note_unseen(diff, old_side, drop_unseen(new_side, old_side, new_links),
				 "added", err);
	if (rc == 0)
		rc = add_moved(diff, old_links, new_links, err);
	for (size_t i = 0; i < old_links->count && rc == 0; i++) {
		if (!old_links->list[i].used)
			rc = add_one(diff, DIFF_LINK_REMOVED, &old_links->list[i], err);
	}
	for (size_t i = 0; i < new_links->count && rc == 0; i++) {
		if (!new_links->list[i].used)
			rc = add_one(diff, DIFF_LINK_ADDED, &new_links->list[i], err);
	}
	return rc;
}

int diff_links(const struct diff_match *match, struct diff *diff, struct err *err)
{
	struct links old_links = {0};
	struct links new_links = {0};
	int rc;

	for (int i = 0; i < 2; i++) {
		const struct diff_side *side = i ? &match->new_side : &match->old_side;

		if (!diff_lists_links(side->fabric))
			return diff_note(diff, err,
					 "links are not compared: the sources of the %s snapshot do "
					 "not tell them",
					 side->name);
	}
	if (links_of(match, true, &old_links) && links_of(match, false, &new_links))
		rc = add_all(match, &old_links, &new_links, diff, err);
	else
		rc = err_no_memory(err);
	free(old_links.list);
	free(new_links.list);
	return rc;
}
