/*
 * An application is told one GID index for all hosts (NCCL_IB_GID_INDEX, ib_write_bw -x).
 * Where the tables were filled in another order it is another GID on some of them. Which
 * hosts are of one network no file says: those with a device of the same name are compared,
 * and the outcome is worth knowing, no more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/host_list.h"
#include "rules/places.h"
#include "store/text.h"

#define DEVICES_APART 16

static bool serves(const struct host_gid *gid, bool ipv4)
{
	return gid_is_v2(gid) && gid_reach(gid->gid) == GID_ROUTABLE && gid_is_ipv4(gid->gid) == ipv4;
}

static bool has_index(const struct host_view *view, int index, bool ipv4)
{
	for (size_t i = 0; i < view->gid_count; i++) {
		if (view->gids[i]->index == index && serves(view->gids[i], ipv4))
			return true;
	}
	return false;
}

static bool has_any(const struct host_view *view, bool ipv4)
{
	for (size_t i = 0; i < view->gid_count; i++) {
		if (serves(view->gids[i], ipv4))
			return true;
	}
	return false;
}

/* Ports of one name on hosts that are compared. */
struct group {
	const struct host_view **views;
	size_t count;
};

enum outcome {
	SOME_INDEX_SERVES,
	NO_COMMON_FAMILY,	/* they have no kind of address in common: other networks */
	NO_INDEX_SERVES,
};

static enum outcome judge_family(const struct group *group, bool ipv4)
{
	const struct host_view *first = group->views[0];

	for (size_t i = 0; i < group->count; i++) {
		if (!has_any(group->views[i], ipv4))
			return NO_COMMON_FAMILY;
	}
	for (size_t i = 0; i < first->gid_count; i++) {
		size_t same = 0;

		while (serves(first->gids[i], ipv4) && same < group->count &&
		       has_index(group->views[same], first->gids[i]->index, ipv4))
			same++;
		if (same == group->count)
			return SOME_INDEX_SERVES;
	}
	return NO_INDEX_SERVES;
}

/* The kind of address that all have and no index serves; false: there is none. */
static bool is_split(const struct group *group, bool *ret_ipv4)
{
	enum outcome ipv4 = judge_family(group, true);
	enum outcome ipv6 = judge_family(group, false);

	*ret_ipv4 = ipv4 == NO_INDEX_SERVES;
	return ipv4 != SOME_INDEX_SERVES && ipv6 != SOME_INDEX_SERVES &&
	       (ipv4 == NO_INDEX_SERVES || ipv6 == NO_INDEX_SERVES);
}

static void add_host(struct places *places, const struct host_view *view, bool ipv4)
{
	char host[128], indices[256];
	size_t used = 0;

	text_escape(view->host, strlen(view->host), host, sizeof(host));
	indices[0] = '\0';
	for (size_t i = 0; i < view->gid_count && used + 16 < sizeof(indices); i++) {
		if (serves(view->gids[i], ipv4))
			used += (size_t)snprintf(indices + used, sizeof(indices) - used, "%s%d",
						 used ? "/" : "", view->gids[i]->index);
	}
	places_add(places, "%s: %s", host, indices);
}

static int tell(const struct group *group, bool ipv4, struct rule_output *out, struct err *err)
{
	const struct host_view *first = group->views[0];
	char device[128], id[160];
	struct places places = {0};
	struct finding *finding;

	text_escape(first->device, strlen(first->device), device, sizeof(device));
	snprintf(id, sizeof(id), "index:%s/%u", device, first->port);
	finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, id,
			       "%s port %u: no GID index is RoCE v2 with a routable %s address on all %zu "
			       "hosts that have such a port", device, first->port, ipv4 ? "IPv4" : "IPv6",
			       group->count);
	if (!finding || !finding_text(&finding->subject, "%s port %u", device, first->port))
		return err_no_memory(err);
	for (size_t i = 0; i < group->count; i++)
		add_host(&places, group->views[i], ipv4);
	return places_evidence(&places, finding, "host_ports") ? 0 : err_no_memory(err);
}

static int view_compare(const void *left, const void *right)
{
	const struct host_view *a = *(const struct host_view *const *)left;
	const struct host_view *b = *(const struct host_view *const *)right;
	int order = strcmp(a->device, b->device);

	if (order == 0 && a->port != b->port)
		order = a->port < b->port ? -1 : 1;
	return order ? order : (a > b) - (a < b);
}

/* Ports of named hosts that could serve, those of one name in a row. */
static int gather(const struct host_views *views, struct host_list *ports, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < views->count; i++) {
		const struct host_view *view = &views->list[i];

		if (view->host && host_is_roce(view) && host_may_be_active(view) &&
		    (has_any(view, true) || has_any(view, false)))
			rc = host_list_add(ports, view, err);
	}
	if (ports->count > 1)
		qsort(ports->list, ports->count, sizeof(const struct host_view *), view_compare);
	return rc;
}

static struct group group_at(const struct host_list *ports, size_t at)
{
	struct group group = {ports->list + at, 1};

	while (at + group.count < ports->count &&
	       strcmp(ports->list[at]->device, ports->list[at + group.count]->device) == 0 &&
	       ports->list[at]->port == ports->list[at + group.count]->port)
		group.count++;
	return group;
}

/* Tells the groups one by one while they are few. */
static int tell_groups(const struct host_list *ports, struct rule_output *out, struct err *err)
{
	struct places places = {0};
	struct finding *finding;
	size_t split = 0;
	int rc = 0;
	bool ipv4;

	for (int pass = 0; rc == 0 && pass < 2; pass++) {
		for (size_t at = 0; rc == 0 && at < ports->count;) {
			struct group group = group_at(ports, at);
			char device[128];

			at += group.count;
			if (group.count < 2 || !is_split(&group, &ipv4))
				continue;
			split += pass == 0;
			text_escape(group.views[0]->device, strlen(group.views[0]->device), device,
				    sizeof(device));
			if (pass == 1 && split <= DEVICES_APART)
				rc = tell(&group, ipv4, out, err);
			else if (pass == 1)
				places_add(&places, "%s port %u", device, group.views[0]->port);
		}
	}
	if (rc < 0 || split <= DEVICES_APART)
		return rc;
	finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, "index:*",
			       "Of %zu devices no GID index serves all hosts that have one of that name", split);
	return finding && places_evidence(&places, finding, "host_ports") ? 0 : err_no_memory(err);
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct host_views *views = NULL;
	struct host_list ports = {0};
	size_t compared = 0;
	int rc = analysis_hosts(in->analysis, &views, err);

	if (rc == 0)
		rc = gather(views, &ports, err);
	for (size_t at = 0; rc == 0 && at < ports.count;) {
		size_t count = group_at(&ports, at).count;

		compared += count > 1;
		at += count;
	}
	if (rc == 0 && compared == 0)
		rc = rule_not_checked(out, err, "no device of one name was read on two hosts with routable "
						"RoCE v2 GIDs");
	if (rc == 0)
		rc = tell_groups(&ports, out, err);
	host_list_clear(&ports);
	return rc;
}

const struct rule rule_roce_gid_index = {
	.id = "roce-gid-index",
	.title = "No GID index serves all hosts",
	.severity = SEVERITY_INFO,
	.why = "Many applications take one GID index for all hosts. Where the address stands at another "
	       "index on some host, that host uses RoCE v1, a link-local GID or none: it alone cannot be "
	       "reached, or runs without the network's QoS.",
	.needs = "GID tables with types of two hosts or more that files name (show_gids, "
		 "HOST/sys/class/infiniband)",
	.reads = "host_gids",
	.remedy = "Let the application choose by version and address instead of by index (NCCL from 2.21 on does, "
		  "with NCCL_IB_GID_INDEX not set), or give the index per host. Tables come alike when "
		  "addresses are set in the same order: that takes a restart of the netdevs.",
	.source = "Linux Documentation/ABI/stable/sysfs-class-infiniband (gids, gid_attrs); NCCL user guide, "
		  "NCCL_IB_GID_INDEX",
	.check = check,
};
