#include "tests/support/same_fabric.h"

#include <stdio.h>
#include <string.h>

#include "store/config.h"

/* Says what differs, and is false. */
static bool differ(const char *what, size_t index)
{
	fprintf(stderr, "fabrics differ: %s of element %zu\n", what, index);
	return false;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_device(const struct device *a, const struct device *b)
{
	return (!a && !b) || (a && b && a->index == b->index);
}

static bool same_port(const struct port *a, const struct port *b)
{
	return (!a && !b) || (a && b && a->num == b->num && same_device(a->device, b->device));
}

#define SAME(member)                                                                              \
	do {                                                                                      \
		if (a->member != b->member)                                                       \
			return differ(#member, i);                                                \
	} while (0)
#define SAME_TEXT(member)                                                                         \
	do {                                                                                      \
		if (!same_text(a->member, b->member))                                             \
			return differ(#member, i);                                                \
	} while (0)
#define SAME_DEVICE(member)                                                                       \
	do {                                                                                      \
		if (!same_device(a->member, b->member))                                           \
			return differ(#member, i);                                                \
	} while (0)
#define SAME_PORT(member)                                                                         \
	do {                                                                                      \
		if (!same_port(a->member, b->member))                                             \
			return differ(#member, i);                                                \
	} while (0)
/* Tables are both there or both not, and hold the same bytes. */
#define SAME_TABLE(member, count)                                                                 \
	do {                                                                                      \
		if (!a->member != !b->member || a->count != b->count ||                           \
		    (a->member && a->count > 0 &&                                                 \
		     memcmp(a->member, b->member, a->count * sizeof(*a->member)) != 0))           \
			return differ(#member, i);                                                \
	} while (0)

static bool same_fields(const void *a, const void *b, const struct field *table, size_t i)
{
	for (; table->member; table++) {
		if (field_get(a, table) != field_get(b, table))
			return differ(table->member, i);
	}
	return true;
}

static bool same_counters(const struct port_counters *a, const struct port_counters *b, size_t i)
{
	if (!a || !b)
		return a == b || differ("counters", i);
	SAME(known);
	SAME(saturated);
	SAME(read_at);
	for (int c = 0; c < COUNTER_COUNT; c++) {
		if (a->known >> c & 1)
			SAME(value[c]);
	}
	return true;
}

static bool same_port_facts(const struct port *a, const struct port *b, size_t i)
{
	if (!a || !b)
		return a == b || differ("port", i);
	SAME(num);
	SAME(guid);
	SAME_PORT(peer);
	SAME(peer_inferred);
	SAME_TABLE(sl2vl, sl2vl_count);
	SAME_TABLE(vlarb_high, vlarb_high_count);
	SAME_TABLE(vlarb_low, vlarb_low_count);
	SAME_TABLE(pkeys, pkey_count);
	SAME_TABLE(guids, guid_count);
	if (memcmp(a->source_of, b->source_of, sizeof(a->source_of)) != 0)
		return differ("source_of", i);
	return same_counters(a->counters, b->counters, i) &&
	       same_fields(&a->info, &b->info, port_field_table, i);
}

static bool same_device_facts(const struct device *a, const struct device *b, size_t i)
{
	size_t slots = a->port_slots > b->port_slots ? a->port_slots : b->port_slots;

	SAME(index);
	SAME(guid);
	SAME(system_image_guid);
	SAME(type);
	SAME_TEXT(description);
	SAME_TEXT(alias);
	SAME_TEXT(place);
	SAME_TEXT(fw_version);
	SAME_TEXT(psid);
	SAME_DEVICE(same_guid);
	SAME_TABLE(mft, mft_count);
	SAME(lft_size);
	for (unsigned lid = 0; lid < a->lft_size; lid++) {
		if (lft_known(a, lid) != lft_known(b, lid) ||
		    (lft_known(a, lid) && a->lft[lid] != b->lft[lid]))
			return differ("lft", i);
	}
	if (memcmp(a->source_of, b->source_of, sizeof(a->source_of)) != 0)
		return differ("source_of", i);
	for (size_t p = 0; p < slots; p++) {
		if (!same_port_facts(device_port(a, (unsigned)p), device_port(b, (unsigned)p), i))
			return false;
	}
	return same_fields(&a->info, &b->info, node_field_table, i) &&
	       same_fields(&a->sw, &b->sw, switch_field_table, i);
}

static bool same_source(const struct source *a, const struct source *b, size_t i)
{
	SAME(kind);
	SAME_TEXT(name);
	SAME_TEXT(format);
	SAME(taken_at);
	SAME(rows);
	SAME(odd_rows);
	SAME_TEXT(detail);
	return true;
}

static bool same_hole(const struct hole *a, const struct hole *b, size_t i)
{
	SAME_DEVICE(device);
	SAME(port);
	SAME(attribute);
	SAME(reason);
	SAME(status);
	SAME_PORT(behind);
	SAME_TEXT(text);
	SAME(source);
	return true;
}

static bool same_odd_line(const struct odd_line *a, const struct odd_line *b, size_t i)
{
	SAME(source);
	SAME(line);
	SAME_TEXT(text);
	SAME_TEXT(reason);
	return true;
}

static bool same_contradiction(const struct contradiction *a, const struct contradiction *b,
			       size_t i)
{
	SAME_DEVICE(device);
	SAME(port);
	SAME_TEXT(fact);
	SAME_TEXT(kept);
	SAME(kept_source);
	SAME_TEXT(other);
	SAME(other_source);
	return true;
}

static bool same_guid_conflict(const struct guid_conflict *a, const struct guid_conflict *b,
			       size_t i)
{
	SAME(guid);
	SAME(is_port_guid);
	SAME_PORT(place_a);
	SAME_PORT(place_b);
	SAME_TEXT(detail);
	SAME(source);
	return true;
}

static bool same_sm(const struct sm *a, const struct sm *b, size_t i)
{
	SAME_PORT(port);
	SAME(port_guid);
	SAME(lid);
	SAME(priority);
	SAME(state);
	SAME(act_count);
	SAME(source);
	return true;
}

static bool same_host_gid(const struct host_gid *a, const struct host_gid *b, size_t i)
{
	SAME_TEXT(host);
	SAME_TEXT(device);
	SAME(port);
	SAME(index);
	if (memcmp(a->gid, b->gid, 16) != 0)
		return differ("gid", i);
	SAME_TEXT(type);
	SAME_TEXT(netdev);
	SAME(port_guid);
	SAME(source);
	return true;
}

static bool same_host_port(const struct host_port *a, const struct host_port *b, size_t i)
{
	SAME_TEXT(host);
	SAME_TEXT(device);
	SAME(port);
	SAME(node_guid);
	SAME(port_guid);
	SAME_TEXT(link_layer);
	SAME(state);
	SAME(phys_state);
	SAME(rate_mbps);
	SAME(width);
	SAME_TEXT(speed);
	SAME(lid);
	SAME(lmc);
	SAME(sm_lid);
	SAME_TEXT(fw_version);
	SAME(gid_slots);
	SAME(gids_unread);
	SAME(source);
	return same_counters(a->counters, b->counters, i);
}

static bool same_fact(const struct fact *a, const struct fact *b, size_t i)
{
	SAME_DEVICE(device);
	SAME(port);
	SAME_TEXT(section);
	SAME_TEXT(key);
	SAME_TEXT(value);
	SAME(source);
	return true;
}

static bool same_planned_link(const struct planned_link *a, const struct planned_link *b, size_t i)
{
	SAME_TEXT(node_a);
	SAME_TEXT(port_a);
	SAME_TEXT(node_b);
	SAME_TEXT(port_b);
	SAME_TEXT(detail);
	SAME(source);
	return true;
}

static bool same_option(const struct config_option *a, const struct config_option *b, size_t i)
{
	SAME_TEXT(key);
	SAME_TEXT(raw);
	SAME_TEXT(effective);
	SAME(line);
	SAME(source);
	return true;
}

static bool same_partition(const struct partition *a, const struct partition *b, size_t i)
{
	SAME_TEXT(name);
	SAME(pkey);
	SAME(ipoib);
	SAME(mtu_code);
	SAME(rate_code);
	SAME(sl);
	SAME(line);
	SAME(source);
	SAME(member_count);
	for (size_t m = 0; m < a->member_count; m++) {
		SAME(members[m].kind);
		SAME(members[m].guid);
		SAME(members[m].membership);
		SAME(members[m].line);
	}
	return true;
}

static bool same_event(const struct log_event *a, const struct log_event *b, size_t i)
{
	SAME(kind);
	SAME_TEXT(error);
	SAME_TEXT(text);
	SAME(guid);
	SAME(guid_a);
	SAME(guid_b);
	SAME(port);
	SAME(port_a);
	SAME(port_b);
	SAME_TEXT(first_time);
	SAME_TEXT(last_time);
	SAME(first_line);
	SAME(last_line);
	SAME(count);
	SAME(source);
	SAME(run);
	SAME_TEXT(run_until);
	return true;
}

static bool same_problem(const struct config_problem *a, const struct config_problem *b, size_t i)
{
	SAME_TEXT(id);
	SAME_TEXT(key);
	SAME_TEXT(text);
	SAME_TEXT(remedy);
	SAME(severity);
	SAME(line);
	SAME(source);
	return true;
}

static bool same_policy_node(const struct policy_node *a, const struct policy_node *b, size_t i)
{
	for (; a && b; a = a->next, b = b->next) {
		SAME_TEXT(keyword);
		SAME_TEXT(value);
		SAME(line);
		if (!same_policy_node(a->first_child, b->first_child, i))
			return false;
	}
	return (!a && !b) || differ("policy", i);
}

#define SAME_LIST(list, count, same)                                                              \
	do {                                                                                      \
		if (a->count != b->count)                                                         \
			return differ(#count, 0);                                                 \
		for (size_t n = 0; n < a->count; n++) {                                           \
			if (!same(&a->list[n], &b->list[n], n))                                   \
				return false;                                                     \
		}                                                                                 \
	} while (0)

static bool same_config(const struct config *a, const struct config *b)
{
	size_t i = 0;

	SAME(opensm_conf);
	SAME(partitions_conf);
	SAME(opensm_log);
	SAME(policy.present);
	SAME(policy.source);
	SAME(policy.dropped);
	SAME_LIST(options, option_count, same_option);
	SAME_LIST(partitions, partition_count, same_partition);
	SAME_LIST(events, event_count, same_event);
	SAME_LIST(problems, problem_count, same_problem);
	return same_policy_node(a->policy.root, b->policy.root, 0);
}

bool same_fabric(const struct fabric *a, const struct fabric *b)
{
	size_t i = 0;

	SAME(taken_at);
	SAME(live);
	SAME(partial);
	SAME(asked);
	SAME(device_count);
	for (size_t n = 0; n < a->device_count; n++) {
		if (!same_device_facts(a->devices[n], b->devices[n], n))
			return false;
	}
	SAME_LIST(sources, source_count, same_source);
	SAME_LIST(holes, hole_count, same_hole);
	SAME_LIST(odd_lines, odd_line_count, same_odd_line);
	SAME_LIST(contradictions, contradiction_count, same_contradiction);
	SAME_LIST(guid_conflicts, guid_conflict_count, same_guid_conflict);
	SAME_LIST(sms, sm_count, same_sm);
	SAME_LIST(host_gids, host_gid_count, same_host_gid);
	SAME_LIST(host_ports, host_port_count, same_host_port);
	SAME_LIST(facts, fact_count, same_fact);
	SAME_LIST(planned_links, planned_link_count, same_planned_link);
	return same_config(a->config, b->config);
}
