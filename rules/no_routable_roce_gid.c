/*
 * A RoCE port is judged by its whole GID table: one RoCE v2 entry with an address that a
 * router forwards is enough, whatever its index. The entries every port has by itself
 * (fe80:: made of the MAC, as v1 and as v2) reach the own link only.
 */
#include <stdio.h>
#include <stdlib.h>

#include "rules/host_list.h"
#include "rules/places.h"
#include "store/text.h"

enum outcome {
	NOT_ROCE,		/* InfiniBand: its GIDs are fe80:: and right */
	FINE,			/* routable */
	IDLE,			/* not Active: nothing is expected of it */
	LINK_LOCAL_ONLY,
	V1_ONLY,
	NO_GID,			/* the table is empty */
	UNKNOWN_LAYER,
	UNKNOWN_STATE,
	UNKNOWN_TABLE,
	UNKNOWN_ENTRIES,
	OUTCOMES
};

static bool is_routable(const struct host_gid *gid)
{
	return gid_reach(gid->gid) == GID_ROUTABLE;
}

/* What the table alone says. */
static enum outcome judge_table(const struct host_view *view)
{
	bool open = view->gids_unread > 0;
	bool v1_only = true;

	for (size_t i = 0; i < view->gid_count; i++) {
		const struct host_gid *gid = view->gids[i];

		if (gid_is_v2(gid) && is_routable(gid))
			return FINE;
		open |= gid_type_is_unknown(gid) && is_routable(gid);
		v1_only &= !gid_is_v2(gid) && !gid_type_is_unknown(gid);
	}
	if (open)
		return UNKNOWN_ENTRIES;
	if (view->gid_count == 0)
		return view->gid_slots == FIELD_UNKNOWN ? UNKNOWN_TABLE : NO_GID;
	return v1_only ? V1_ONLY : LINK_LOCAL_ONLY;
}

static enum outcome judge(const struct host_view *view)
{
	enum outcome outcome = judge_table(view);

	if (view->link_layer && !host_is_layer(view, "Ethernet"))
		return NOT_ROCE;
	if (!host_is_roce(view))
		return UNKNOWN_LAYER;
	if (outcome == FINE)
		return FINE;
	/* An unused port has the entries of its MAC too. */
	if (view->state == FIELD_UNKNOWN)
		return UNKNOWN_STATE;
	return host_is_active(view) ? outcome : IDLE;
}

static bool add_gids(struct finding *finding, const struct host_view *view)
{
	struct places places = {0};
	char text[GID_TEXT_SIZE];

	for (size_t i = 0; i < view->gid_count; i++)
		places_add(&places, "%d: %s (%s)", view->gids[i]->index,
			   gid_text(view->gids[i]->gid, text),
			   view->gids[i]->type ? view->gids[i]->type : "type not read");
	return places_evidence(&places, finding, "gids");
}

static int tell_link_local(const struct rule_input *in, const struct host_view *view,
			   struct rule_output *out, struct err *err)
{
	char label[HOST_LABEL_SIZE];
	struct finding *finding;

	finding = host_finding(in->fabric, out, SEVERITY_WARNING, view, "link-local",
			       "%s has no routable RoCE v2 GID: %s link-local",
			       host_label_netdevs(view, label),
			       text_plural(view->gid_count, "its one GID is", "those it has are"));
	return finding && add_gids(finding, view) ? 0 : err_no_memory(err);
}

static int tell_v1(const struct rule_input *in, const struct host_view *view,
		   struct rule_output *out, struct err *err)
{
	char label[HOST_LABEL_SIZE];
	struct finding *finding;

	finding = host_finding(in->fabric, out, SEVERITY_INFO, view, "v1-only",
			       "%s has no RoCE v2 GID: %s RoCE v1, which no router forwards",
			       host_label_netdevs(view, label),
			       text_plural(view->gid_count, "its one GID is", "all its GIDs are"));
	return finding && add_gids(finding, view) ? 0 : err_no_memory(err);
}

struct left_out {
	enum outcome outcome;
	const char *one, *many;
};

static int tell_left_out(const struct host_views *views, const enum outcome *outcomes,
			 const size_t count[OUTCOMES], struct rule_output *out, struct err *err)
{
	static const struct left_out table[] = {
		{UNKNOWN_ENTRIES, "port has entries of its GID table that were not read",
		 "ports have entries of their GID tables that were not read"},
		{UNKNOWN_TABLE, "port's GID table was not read (show_gids, or a copy of "
				"/sys/class/infiniband)",
		 "ports' GID tables were not read (show_gids, or a copy of /sys/class/infiniband)"},
		{UNKNOWN_STATE, "port's state was not read (a copy of /sys/class/infiniband)",
		 "ports' states were not read (a copy of /sys/class/infiniband)"},
		{UNKNOWN_LAYER, "port's link layer was not read", "ports' link layers were not read"},
		{NO_GID, "Active Ethernet port has no GID at all: RoCE is off there, or it is the idle "
			 "half of a bond",
		 "Active Ethernet ports have no GID at all: RoCE is off there, or they are the idle "
		 "halves of bonds"},
	};
	size_t seen = count[FINE] + count[IDLE] + count[LINK_LOCAL_ONLY] + count[V1_ONLY] +
		      count[NO_GID];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(table) / sizeof(table[0]); i++) {
		char label[HOST_LABEL_SIZE];
		size_t n = count[table[i].outcome];
		size_t first = 0;

		if (n == 0)
			continue;
		while (outcomes[first] != table[i].outcome)
			first++;
		host_label(&views->list[first], label);
		rc = (seen > 0 ? rule_left_out : rule_not_checked)(
			out, err, "%zu %s, %s%s", n, text_plural(n, table[i].one, table[i].many),
			text_plural(n, "", "first "), label);
	}
	if (rc == 0 && count[NOT_ROCE] == views->count)
		rc = rule_not_applicable(out, err, "no port of a host is an Ethernet port");
	return rc;
}

static int judge_all(const struct host_views *views, enum outcome *outcomes,
		     size_t count[OUTCOMES], struct host_list *link_local, struct host_list *v1,
		     struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < views->count; i++) {
		outcomes[i] = judge(&views->list[i]);
		count[outcomes[i]]++;
		if (outcomes[i] == LINK_LOCAL_ONLY)
			rc = host_list_add(link_local, &views->list[i], err);
		else if (outcomes[i] == V1_ONLY)
			rc = host_list_add(v1, &views->list[i], err);
	}
	return rc;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct host_views *views = NULL;
	struct host_list link_local = {0};
	struct host_list v1 = {0};
	enum outcome *outcomes;
	size_t count[OUTCOMES] = {0};
	int rc = analysis_hosts(in->analysis, &views, err);

	if (rc < 0)
		return rc;
	if (views->count == 0)
		return rule_not_checked(out, err, "no GID table of any host was read (show_gids, or a copy "
						  "of /sys/class/infiniband)");
	outcomes = calloc(views->count, sizeof(*outcomes));
	if (!outcomes)
		return err_no_memory(err);
	rc = judge_all(views, outcomes, count, &link_local, &v1, err);
	if (rc == 0)
		rc = host_list_tell(&link_local, SEVERITY_WARNING, "link-local",
				    "Active Ethernet ports of hosts have no routable RoCE v2 GID, only "
				    "link-local ones",
				    tell_link_local, in, out, err);
	if (rc == 0)
		rc = host_list_tell(&v1, SEVERITY_INFO, "v1-only",
				    "Active Ethernet ports of hosts have no RoCE v2 GID, only v1, which no "
				    "router forwards",
				    tell_v1, in, out, err);
	if (rc == 0)
		rc = tell_left_out(views, outcomes, count, out, err);
	host_list_clear(&link_local);
	host_list_clear(&v1);
	free(outcomes);
	return rc;
}

const struct rule rule_no_routable_roce_gid = {
	.id = "no-routable-roce-gid",
	.title = "An Active RoCE port has no GID that a router would forward",
	.severity = SEVERITY_WARNING,
	.why = "Every RoCE port has link-local GIDs made of its MAC, so verbs and ping-pong tests on one "
	       "link work. An application that connects to another subnet, or is told to use the index "
	       "where the other hosts have their address, fails or hangs on this port only.",
	.needs = "GID tables of hosts with types (show_gids, /sys/class/infiniband), and the ports' states "
		 "and link layers",
	.reads = "host_gids",
	.remedy = "Give the netdev (or its VLAN or bond) an address of the network that RoCE runs on: the "
		  "GIDs follow at once and no link flaps. A port that is not meant for RDMA may stay as "
		  "it is: then keep applications off it (NCCL_IB_HCA, UCX_NET_DEVICES).",
	.source = "Linux Documentation/ABI/stable/sysfs-class-infiniband (gids, gid_attrs); IBTA Annex A17 "
		  "RoCEv2; RFC 4291 2.5.6, RFC 3927 2.7",
	.check = check,
};
