/*
 * Two limited members of a partition cannot talk to each other: one of any pair
 * must be a full member (IBA volume 1, 10.9.3). Ports that are limited wherever
 * they are members can talk to none of their kind.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/config_problems.h"
#include "rules/places.h"
#include "store/text.h"

struct port_right {
	uint64_t guid;
	bool full;		/* somewhere */
};

struct rights {
	struct port_right *ports;	/* named by GUID, in order of it */
	size_t count;
	bool all_full;		/* a partition has all ports, or all CAs, as full members */
	const struct partition *limited_all;	/* one that has all ports as limited members, or NULL */
};

static int compare_rights(const void *a, const void *b)
{
	const struct port_right *x = a, *y = b;

	return x->guid < y->guid ? -1 : x->guid > y->guid;
}

/* What the partition gives the ports it names one by one, and all others. */
static void read_partition(const struct partition *partition, struct rights *rights)
{
	bool all = false, all_full = false;

	for (size_t i = 0; i < partition->member_count; i++) {
		const struct partition_member *member = &partition->members[i];
		bool full = member->membership != MEMBERSHIP_LIMITED;

		if (member->kind == MEMBER_ALL) {
			all = true;
			all_full = full;
		} else if (member->kind == MEMBER_ALL_CAS) {
			all_full = all_full || full;
		} else if (member->kind == MEMBER_GUID) {
			rights->ports[rights->count++] = (struct port_right){member->guid, full};
		}
	}
	rights->all_full = rights->all_full || all_full;
	if (all && !all_full && !rights->limited_all)
		rights->limited_all = partition;
}

/* One entry for each GUID: full if it is so in any partition. */
static void join_rights(struct rights *rights)
{
	size_t out = 0;

	qsort(rights->ports, rights->count, sizeof(rights->ports[0]), compare_rights);
	for (size_t i = 1; i < rights->count; i++) {
		if (rights->ports[i].guid == rights->ports[out].guid)
			rights->ports[out].full = rights->ports[out].full || rights->ports[i].full;
		else
			rights->ports[++out] = rights->ports[i];
	}
	if (rights->count > 0)
		rights->count = out + 1;
}

static int read_rights(const struct config *config, struct rights *rights, struct err *err)
{
	size_t most = 0;

	for (size_t i = 0; i < config->partition_count; i++)
		most += config->partitions[i].member_count;
	rights->ports = calloc(most ? most : 1, sizeof(rights->ports[0]));
	if (!rights->ports)
		return err_no_memory(err);
	for (size_t i = 0; i < config->partition_count; i++)
		read_partition(&config->partitions[i], rights);
	join_rights(rights);
	return 0;
}

static void add_guid(struct places *places, const struct fabric *fabric, uint64_t guid)
{
	char text[GUID_TEXT_SIZE];

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; num < device->port_slots; num++) {
			if (device->ports[num] && device->ports[num]->guid == guid &&
			    port_is_end_port(device->ports[num])) {
				places_add_port(places, device->ports[num]);
				return;
			}
		}
	}
	places_add(places, "%s", guid_format(guid, text));
}

/* Ports named in the file that are limited wherever they are. */
static int tell_named(const struct rule_input *in, struct rule_output *out, const struct rights *rights,
		      struct err *err)
{
	const struct config *config = in->fabric->config;
	struct places places = {0};
	struct finding *finding;
	size_t count = 0;

	for (size_t i = 0; i < rights->count; i++) {
		if (rights->ports[i].full)
			continue;
		count++;
		if (count <= PLACES_SHOWN)
			add_guid(&places, in->fabric, rights->ports[i].guid);
		else
			places_add(&places, "more");
	}
	if (count < 2) {
		places_clear(&places);
		return 0;
	}
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "named",
			       "%zu ports that partitions.conf names are limited members of every partition "
			       "they are in: no two of them share one in which they can talk", count);
	if (!finding) {
		places_clear(&places);
		return err_no_memory(err);
	}
	if (!places_evidence(&places, finding, "ports") ||
	    !config_finding_place(finding, in->fabric, config->partitions_conf, 0, "partitions.conf"))
		return err_no_memory(err);
	return 0;
}

/* Nothing but the SM's port is a full member for those whom no rule names. */
static int tell_others(const struct rule_input *in, struct rule_output *out,
		       const struct rights *rights, struct err *err)
{
	const struct config *config = in->fabric->config;
	const struct partition *partition = rights->limited_all;
	struct finding *finding;

	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "others",
			       "Ports that partitions.conf does not name are limited members of partition "
			       "0x%04x and full ones of none: they can talk to the SM%s, but not to each other",
			       partition->pkey, rights->count > 0 ? " and to full members" : "");
	if (!finding ||
	    !config_finding_place(finding, in->fabric, config->partitions_conf, partition->line,
				  "partitions.conf") ||
	    !finding_evidence(finding, "partition", "%s", partition->line ? "written" : "made by OpenSM "
			      "itself, since no rule gives 0x7fff"))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	struct rights rights = {.ports = NULL};
	int rc;

	if (config->partitions_conf == 0)
		return rule_not_checked(out, err, "no partitions.conf is at hand (--config FILE)");
	rc = read_rights(config, &rights, err);
	if (rc == 0 && !rights.all_full) {
		rc = tell_named(in, out, &rights, err);
		if (rc == 0 && rights.limited_all && rights.count == 0)
			rc = tell_others(in, out, &rights, err);
	}
	free(rights.ports);
	return rc;
}

const struct rule rule_partition_limited = {
	.id = "partition-limited",
	.title = "Ports share no partition in which they can talk",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "Of two members of a partition one must be full: two limited ones drop each other's packets "
	       "and count P_Key violations. Hosts that are limited everywhere reach servers and no peers, "
	       "which may be meant, or the lack of one word.",
	.needs = "partitions.conf",
	.reads = "partitions.conf",
	.remedy = "Write =full behind the members that must reach each other, or defmember=full in the rule; "
		  "SIGHUP applies it without a link going down.",
	.source = "IBA Volume 1, 10.9.3 Partition Key matching; OpenSM doc/partition-config.txt",
	.check = check,
};
