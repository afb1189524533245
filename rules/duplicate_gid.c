/*
 * A routable RoCE GID is an IP address. Two hosts with the same one are proved to be two by
 * what is theirs alone, the node GUIDs and the link-local GIDs made of their MACs: a host that
 * was captured twice under two names has those twice too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/host_list.h"
#include "rules/places.h"
#include "store/array.h"
#include "store/text.h"

#define GIDS_APART 16
#define HOST_PORTS_MAX 64	/* of one host, more are not held against others */

/* An address and a port that has it. */
struct held {
	const uint8_t *gid;
	const struct host_view *view;
};

struct held_list {
	struct held *list;
	size_t count;
	size_t room;
};

/* A GID that several hosts have: part of the sorted list. */
struct shared {
	const struct held *first;
	size_t count;
	const struct host_view *other;	/* proved to be of another host than the first */
};

enum sameness {
	ONE_HOST,		/* or one that was captured under two names */
	TWO_HOSTS,
	NOT_KNOWN,
};

static int held_compare(const void *left, const void *right)
{
	const struct held *a = left;
	const struct held *b = right;
	int order = memcmp(a->gid, b->gid, 16);

	if (order != 0)
		return order;
	/* Views lie in one list, those of a host in a row. */
	return (a->view > b->view) - (a->view < b->view);
}

static int add_view(struct held_list *held, const struct host_view *view, struct err *err)
{
	const uint8_t *last = NULL;

	for (size_t i = 0; i < view->gid_count; i++) {
		const uint8_t *gid = view->gids[i]->gid;
		struct held *grown;

		/* The same address as v1 and as v2 is one. */
		if (gid_reach(gid) != GID_ROUTABLE || (last && memcmp(last, gid, 16) == 0))
			continue;
		grown = array_grow(held->list, held->count, &held->room, sizeof(*grown));
		if (!grown)
			return err_no_memory(err);
		held->list = grown;
		held->list[held->count++] = (struct held){gid, view};
		last = gid;
	}
	return 0;
}

/* The views of one host. */
static struct host_views host_of(const struct host_views *views, const struct host_view *view)
{
	const struct host_view *first = view;
	const struct host_view *end = view + 1;

	while (first > views->list && view - first < HOST_PORTS_MAX && host_is_same(first - 1, view))
		first--;
	while (end < views->list + views->count && end - view < HOST_PORTS_MAX && host_is_same(end, view))
		end++;
	return (struct host_views){.list = (struct host_view *)first, .count = (size_t)(end - first)};
}

/* The entry made of the port's MAC; NULL: none was read. */
static const uint8_t *own_gid(const struct host_view *view)
{
	for (size_t i = 0; i < view->gid_count; i++) {
		if (gid_reach(view->gids[i]->gid) == GID_LINK_LOCAL && !gid_is_ipv4(view->gids[i]->gid))
			return view->gids[i]->gid;
	}
	return NULL;
}

static bool has_identity(const struct host_views *host)
{
	for (size_t i = 0; i < host->count; i++) {
		if (host->list[i].node_guid || own_gid(&host->list[i]))
			return true;
	}
	return false;
}

static bool share_identity(const struct host_view *a, const struct host_view *b)
{
	const uint8_t *own_a = own_gid(a);
	const uint8_t *own_b = own_gid(b);

	return (a->node_guid && a->node_guid == b->node_guid) ||
	       (own_a && own_b && memcmp(own_a, own_b, 16) == 0);
}

static enum sameness compare_hosts(const struct host_views *views, const struct host_view *a,
				   const struct host_view *b)
{
	struct host_views one = host_of(views, a);
	struct host_views two = host_of(views, b);

	if (host_is_same(a, b))
		return ONE_HOST;
	if (one.count > HOST_PORTS_MAX || two.count > HOST_PORTS_MAX)
		return NOT_KNOWN;
	for (size_t i = 0; i < one.count; i++) {
		for (size_t j = 0; j < two.count; j++) {
			if (share_identity(&one.list[i], &two.list[j]))
				return ONE_HOST;
		}
	}
	return has_identity(&one) && has_identity(&two) ? TWO_HOSTS : NOT_KNOWN;
}

/* Whether some host that has this GID is proved to be another than the first. */
static enum sameness judge(const struct host_views *views, struct shared *shared)
{
	enum sameness found = ONE_HOST;

	for (size_t i = 1; i < shared->count && found != TWO_HOSTS; i++) {
		enum sameness now = compare_hosts(views, shared->first[0].view, shared->first[i].view);

		if (now != ONE_HOST) {
			found = now;
			shared->other = shared->first[i].view;
		}
	}
	return found;
}

static int tell(const struct shared *shared, struct rule_output *out, struct err *err)
{
	char first[HOST_LABEL_SIZE], label[HOST_LABEL_SIZE], gid[GID_TEXT_SIZE];
	char id[GID_TEXT_SIZE + 8];
	struct places places = {0};
	struct finding *finding;

	gid_text(shared->first->gid, gid);
	snprintf(id, sizeof(id), "gid=%s", gid);
	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, id,
			       "The GID %s is on two hosts: %s and %s", gid,
			       host_label_netdevs(shared->first[0].view, first),
			       host_label_netdevs(shared->other, label));
	if (!finding || !finding_text(&finding->subject, "%s", gid))
		return err_no_memory(err);
	for (size_t i = 0; i < shared->count; i++)
		places_add(&places, "%s", host_label_netdevs(shared->first[i].view, label));
	return places_evidence(&places, finding, "host_ports") ? 0 : err_no_memory(err);
}

static int tell_together(const struct shared *list, size_t count, struct rule_output *out,
			 struct err *err)
{
	char a[HOST_LABEL_SIZE], b[HOST_LABEL_SIZE], gid[GID_TEXT_SIZE];
	struct places places = {0};
	struct finding *finding;

	finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "gid=*",
			       "%zu GIDs are each on ports of two hosts or more", count);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++)
		places_add(&places, "%s: %s and %s", gid_text(list[i].first->gid, gid),
			   host_label(list[i].first[0].view, a),
			   host_label(list[i].other, b));
	return places_evidence(&places, finding, "host_ports") ? 0 : err_no_memory(err);
}

/* Finds and tells the shared GIDs of the sorted list; *ret_open: how many may be shared. */
static int tell_shared(const struct host_views *views, const struct held_list *held, size_t *ret_open,
		       struct rule_output *out, struct err *err)
{
	struct shared *list = calloc(held->count + 1, sizeof(*list));
	size_t count = 0;
	int rc = 0;

	if (!list)
		return err_no_memory(err);
	for (size_t i = 0, end; i < held->count; i = end) {
		struct shared shared = {&held->list[i], 0, NULL};
		enum sameness found;

		for (end = i; end < held->count && memcmp(held->list[end].gid, held->list[i].gid, 16) == 0;)
			end++;
		shared.count = end - i;
		found = judge(views, &shared);
		if (found == TWO_HOSTS)
			list[count++] = shared;
		*ret_open += found == NOT_KNOWN;
	}
	if (count > GIDS_APART)
		rc = tell_together(list, count, out, err);
	for (size_t i = 0; rc == 0 && count <= GIDS_APART && i < count; i++)
		rc = tell(&list[i], out, err);
	free(list);
	return rc;
}

/* Ports of named hosts that have addresses; how many hosts there are. */
static int gather(const struct host_views *views, struct held_list *held, size_t *ret_hosts,
		  struct err *err)
{
	const struct host_view *last = NULL;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < views->count; i++) {
		const struct host_view *view = &views->list[i];

		if (!view->host || !host_is_roce(view) || view->gid_count == 0 || !host_may_be_active(view))
			continue;
		*ret_hosts += !last || !host_is_same(last, view);
		last = view;
		rc = add_view(held, view, err);
	}
	if (held->count > 1)
		qsort(held->list, held->count, sizeof(*held->list), held_compare);
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct host_views *views = NULL;
	struct held_list held = {0};
	size_t hosts = 0;
	size_t open = 0;
	int rc = analysis_hosts(in->analysis, &views, err);

	if (rc == 0)
		rc = gather(views, &held, &hosts, err);
	if (rc == 0 && hosts < 2)
		rc = rule_not_checked(out, err, "the RoCE GIDs of two named hosts or more were not read "
						"(show_gids with its prompt, or copies of "
						"HOST/sys/class/infiniband)");
	if (rc == 0 && hosts >= 2)
		rc = tell_shared(views, &held, &open, out, err);
	if (rc == 0 && open > 0)
		rc = rule_left_out(out, err, "%zu %s under two names, which may be one host: neither node "
					     "GUID nor link-local GID was read of one of them",
				   open, text_plural(open, "GID stands", "GIDs stand"));
	free(held.list);
	return rc;
}

const struct rule rule_duplicate_gid = {
	.id = "duplicate-gid",
	.title = "Two hosts have the same routable RoCE GID",
	.severity = SEVERITY_ERROR,
	.why = "A routable GID is an IP address. With two owners in one network packets go to whoever "
	       "answered ARP last: connections break, come back, and break again elsewhere.",
	.needs = "GID tables of two hosts or more that files name, with node GUIDs or link-local GIDs that "
		 "tell hosts apart",
	.reads = "host_gids",
	.remedy = "Give one of the two netdevs another address: its connections end then. Where the networks "
		  "are apart and never meet, or the address is meant to be on several hosts, waive it.",
	.source = "IBTA Annex A17 RoCEv2 (the GID is the IP address); RFC 5227",
	.check = check,
};
