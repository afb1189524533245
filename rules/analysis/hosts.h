/*
 * What hosts say of their own ports, one view a port: its state by ibstat, its GIDs by
 * show_gids or sysfs, from whatever files there are.
 *
 * Files are joined by the host's name, device and port. A file that does not name its
 * host is joined with nothing: two such files may be of two hosts.
 */
#ifndef RULES_ANALYSIS_HOSTS_H
#define RULES_ANALYSIS_HOSTS_H

#include "rules/analysis/analysis.h"

/* Facts that two files tell differently are unknown here; of rates the larger one counts. */
struct host_view {
	const char *host;		/* or NULL */
	const char *device;
	unsigned port;
	source_ref source;		/* the first one */
	const char *link_layer;		/* or NULL */
	int64_t state;
	int64_t rate_mbps;
	int64_t width;
	const char *speed;		/* of that rate, or NULL */
	const char *fw_version;		/* or NULL */
	uint64_t node_guid;		/* 0 unknown */
	uint64_t port_guid;		/* 0 unknown */
	int64_t gid_slots;
	int64_t gids_unread;
	const struct port_counters *counters;	/* or NULL */
	const struct host_gid **gids;	/* by index, no entry twice */
	size_t gid_count;
	bool is_listed;			/* some file tells of the port itself, not of its GIDs alone */
};

struct host_views {
	struct host_view *list;		/* those of one host in a row */
	size_t count;
	size_t room;
	const struct host_gid **gids;	/* what the views point into */
};

/* *ret_views belongs to the analysis. 0 or ERR_NOMEM. */
int analysis_hosts(struct analysis *analysis, const struct host_views **ret_views,
		   struct err *err);

/* "gw7 mlx5_0 port 1", escaped. Returns out. */
#define HOST_LABEL_SIZE 512
const char *host_label(const struct host_view *view, char out[HOST_LABEL_SIZE]);

/* The same with the netdevs of its GIDs, "gw7 mlx5_0 port 1 (bond0)". Returns out. */
const char *host_label_netdevs(const struct host_view *view, char out[HOST_LABEL_SIZE]);

/* True when both are of one host, as far as their files name it. */
bool host_is_same(const struct host_view *a, const struct host_view *b);

/* True when its state is known to be Active. */
bool host_is_active(const struct host_view *view);

/* True for the link layer "Ethernet", "InfiniBand" and so on. */
bool host_is_layer(const struct host_view *view, const char *layer);

/* True for an Ethernet port; where the link layer was not read, for one with an entry of RoCE v2. */
bool host_is_roce(const struct host_view *view);

/* False for a port that is known not to be Active: it may have GIDs and uses none. */
bool host_may_be_active(const struct host_view *view);

/* --- GIDs. --- */

enum gid_reach {
	GID_NOWHERE,		/* unspecified, loopback, multicast: no address of a port */
	GID_LINK_LOCAL,		/* fe80::/10, 169.254.0.0/16: never forwarded by a router */
	GID_ROUTABLE,		/* all others, private and unique local ones too */
};

/* RFC 4291 2.4 and 2.5, RFC 3927, RFC 4193; RoCE v2 takes IPv4 as ::ffff:a.b.c.d (IBTA Annex A17). */
enum gid_reach gid_reach(const uint8_t gid[16]);

bool gid_is_ipv4(const uint8_t gid[16]);

/* "::ffff:10.40.1.5", "fe80::ac0:ebff:fe10:2001". Returns out. */
#define GID_TEXT_SIZE 64
const char *gid_text(const uint8_t gid[16], char out[GID_TEXT_SIZE]);

/* True for a type that is v2; false also where the type is not known. */
bool gid_is_v2(const struct host_gid *gid);

/* True when the type was not read, so that it may be v2. */
bool gid_type_is_unknown(const struct host_gid *gid);

#endif
