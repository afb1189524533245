/*
 * Ranges of port GUIDs: OpenSM looks for each number of a range among its ports, one
 * after the other, while it reads the file. A range that ends at the last number of all
 * never ends, since the counter behind it is 0 again.
 *
 * Source: OpenSM 3.3.23 osm_qos_parser_y.y, __parser_add_guid_range_to_port_map.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collector/import/qos_policy.h"
#include "store/config.h"

/* About 50 million look-ups a second: from here on it takes tens of seconds, or an hour and more. */
#define SLOW (UINT64_C(1) << 30)
#define VERY_SLOW (UINT64_C(1) << 37)
#define LOOKUPS_PER_MINUTE UINT64_C(3000000000)

static int check_list(struct config_notes *notes, const char *list, int64_t line, struct err *err)
{
	uint64_t first, last, minutes, total = 0;

	while (policy_range_next(&list, &first, &last)) {
		if (last == UINT64_MAX)
			return config_note(notes, err, "guid-range-endless", SEVERITY_CRITICAL, NULL, line,
					   "End the range at the last port GUID that is meant.",
					   "a range of port GUIDs ends at 0xffffffffffffffff: OpenSM counts "
					   "through it without end when it reads this file, and no SM is at work");
		total = last - first < UINT64_MAX - total - 1 ? total + (last - first) + 1 : UINT64_MAX;
	}
	if (total < SLOW)
		return 0;
	minutes = total / LOOKUPS_PER_MINUTE;
	return config_note(notes, err, "guid-range-long", total < VERY_SLOW ? SEVERITY_WARNING : SEVERITY_ERROR,
			   NULL, line, "Give the ports' GUIDs, or ranges no wider than they are.",
			   "the ranges hold %" PRIu64 " port GUIDs: OpenSM looks for each of them when it reads "
			   "this file, and does nothing else for %s%" PRIu64 " minutes", total,
			   minutes ? "about " : "more than ", minutes);
}

int qos_guid_ranges_check(struct config_notes *notes, const struct policy_node *root, int64_t before,
			  struct err *err)
{
	const struct policy_node *section = NULL, *node, *leaf;
	int rc = 0;

	while (rc == 0 && (section = policy_child(root, "port-groups", section))) {
		node = NULL;
		while (rc == 0 && (node = policy_child(section, "port-group", node))) {
			leaf = NULL;
			while (rc == 0 && (leaf = policy_child(node, "port-guid", leaf))) {
				if (leaf->value && leaf->line < before)
					rc = check_list(notes, leaf->value, leaf->line, err);
			}
		}
	}
	while (rc == 0 && (section = policy_child(root, "qos-ulps", section))) {
		for (node = section->first_child; rc == 0 && node; node = node->next) {
			const char *list = strstr(node->keyword, "port-guid ");

			if (list && node->line < before)
				rc = check_list(notes, list + strlen("port-guid "), node->line, err);
		}
	}
	return rc;
}
