/* Devices that came and went, and what is told of a device as a whole. */
#include <stdlib.h>
#include <string.h>

#include "store/diff_parts.h"
#include "store/node_names.h"
#include "store/text.h"

/* Device types that one side cannot have missed. */
static bool has_type(const struct fabric *fabric, enum node_type type)
{
	for (size_t i = 0; i < fabric->device_count; i++) {
		if (fabric->devices[i]->type == type)
			return true;
	}
	return false;
}

bool diff_lists_type(const struct fabric *fabric, enum node_type type)
{
	return fabric->live || fabric->device_count == 0 ||
	       (type != NODE_TYPE_CA && type != NODE_TYPE_SWITCH) || has_type(fabric, type);
}

/* How the CAs of one side are named. */
struct naming {
	bool alone;
	bool by_port;
};

static struct naming naming_of(const struct fabric *fabric)
{
	struct naming naming = {0};

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		if (device->type == NODE_TYPE_SWITCH)
			continue;
		naming.alone |= node_name(device) == NODE_NAMED_ALONE;
		naming.by_port |= node_name(device) == NODE_BY_PORT;
	}
	return naming;
}

/* It may be there under a GUID that nobody can tell to be its own. */
static bool may_be_named_otherwise(const struct device *device, const struct naming *there)
{
	if (device->type == NODE_TYPE_SWITCH)
		return false;
	return (there->alone && node_name(device) == NODE_BY_PORT) ||
	       (there->by_port && node_name(device) == NODE_NAMED_ALONE);
}

/* The devices of one side that are not on the other. */
static int add_missing(const struct diff_side *here, const struct diff_side *there,
		       enum diff_kind kind, struct diff *diff, struct err *err)
{
	bool hosts = diff_lists_type(there->fabric, NODE_TYPE_CA);
	bool switches = diff_lists_type(there->fabric, NODE_TYPE_SWITCH);
	size_t hosts_left_out = 0;
	size_t switches_left_out = 0;
	struct naming naming = naming_of(there->fabric);
	size_t named_otherwise = 0;
	size_t unseen = 0;
	int rc = 0;

	for (size_t i = 0; i < here->fabric->device_count; i++) {
		const struct device *device = here->fabric->devices[i];
		enum diff_kind this_kind = kind;

		if (here->other[i] != NO_DEVICE)
			continue;
		if (!hosts && device->type == NODE_TYPE_CA) {
			hosts_left_out++;
			continue;
		}
		if (may_be_named_otherwise(device, &naming)) {
			named_otherwise++;
			continue;
		}
		if (!switches && device->type == NODE_TYPE_SWITCH) {
			switches_left_out++;
			continue;
		}
		if (here->unseen[i]) {
			unseen++;
			/* There is no such thing as a device that came and was there before. */
			if (kind == DIFF_DEVICE_ADDED)
				continue;
			this_kind = DIFF_DEVICE_NOT_REACHED;
		}
		if (!diff_add(diff, this_kind, device, NULL))
			return err_no_memory(err);
	}
	if (hosts_left_out > 0)
		rc = diff_note(diff, err,
			       "%zu hosts are not compared: the sources of the %s snapshot list "
			       "none",
			       hosts_left_out, there->name);
	if (rc == 0 && named_otherwise > 0)
		rc = diff_note(diff, err,
			       "%zu hosts of the %s snapshot are not compared: one snapshot knows "
			       "hosts by node GUIDs alone, the other by port GUIDs",
			       named_otherwise, here->name);
	if (rc == 0 && switches_left_out > 0)
		rc = diff_note(diff, err,
			       "%zu switches are not compared: the sources of the %s snapshot list "
			       "none",
			       switches_left_out, there->name);
	if (rc == 0 && unseen > 0 && kind == DIFF_DEVICE_ADDED)
		rc = diff_note(diff, err,
			       "%zu device%s behind something that did not answer in the older "
			       "snapshot: not called added",
			       unseen, unseen == 1 ? " lay" : "s lay");
	if (rc == 0 && unseen > 0 && there->somewhere)
		rc = diff_note(diff, err,
			       "something did not answer in the %s snapshot, and where it is could "
			       "not be told: no device that is missing there is called %s",
			       there->name, kind == DIFF_DEVICE_ADDED ? "added" : "removed");
	return rc;
}

static int compare_presence(const struct diff_match *match, struct diff *diff, struct err *err)
{
	const struct diff_side *old_side = &match->old_side;
	const struct diff_side *new_side = &match->new_side;
	int rc = 0;

	for (int i = 0; i < 2; i++) {
		const struct diff_side *side = i ? new_side : old_side;

		if (!diff_lists_devices(side->fabric))
			return diff_note(diff, err,
					 "devices added and removed are not told: the sources of the "
					 "%s snapshot do not list devices",
					 side->name);
	}
	rc = add_missing(old_side, new_side, DIFF_DEVICE_REMOVED, diff, err);
	if (rc == 0)
		rc = add_missing(new_side, old_side, DIFF_DEVICE_ADDED, diff, err);
	return rc;
}

static int set_escaped(char **text, const char *raw, struct err *err)
{
	char escaped[TEXT_DESCRIPTION_SIZE];

	if (!raw)
		return 0;
	text_escape(raw, strlen(raw), escaped, sizeof(escaped));
	return finding_text(text, "%s", escaped) ? 0 : err_no_memory(err);
}

/* A change of a text of the device as a whole. */
static int add_text_change(struct diff *diff, enum diff_kind kind, const struct device *device,
			   const char *field, const char *before, const char *after,
			   struct err *err)
{
	struct change *change = diff_add(diff, kind, device, NULL);
	int rc;

	if (!change || !finding_text(&change->field, "%s", field))
		return err_no_memory(err);
	rc = set_escaped(&change->before, before, err);
	return rc < 0 ? rc : set_escaped(&change->after, after, err);
}

/* What was known on one side only. */
struct names_tally {
	size_t older_only;
	size_t newer_only;
	size_t mapped;		/* a name map's name on one side, another name on the other */
};

static const char *shown_name(const struct device *device)
{
	return device->alias ? device->alias : device->description;
}

/*
 * Only what two devices said themselves makes a rename. A name from a node name
 * map is the reader's choice, and where it hides the description nothing is known.
 */
static int compare_description(const struct device *before, const struct device *after,
			       struct names_tally *tally, struct diff *diff, struct err *err)
{
	if (before->description && after->description) {
		if (strcmp(before->description, after->description) == 0)
			return 0;
		return add_text_change(diff, DIFF_DESCRIPTION, after, "description",
				       before->description, after->description, err);
	}
	if ((before->alias || after->alias) && shown_name(before) && shown_name(after)) {
		if (strcmp(shown_name(before), shown_name(after)) != 0)
			tally->mapped++;
	} else if (before->description) {
		tally->older_only++;
	} else if (after->description) {
		tally->newer_only++;
	}
	return 0;
}

static int note_names(const struct names_tally *tally, struct diff *diff, struct err *err)
{
	const size_t counts[] = {tally->older_only, tally->newer_only};
	static const char *const names[] = {"older", "newer"};
	int rc = 0;

	if (tally->mapped > 0)
		rc = diff_note(diff, err,
			       "%zu device%s another name through a node name map, which hides the "
			       "description: not called renamed",
			       tally->mapped, tally->mapped == 1 ? " has" : "s have");
	for (int i = 0; i < 2 && rc == 0; i++) {
		if (counts[i] > 0)
			rc = diff_note(diff, err,
				       "descriptions of %zu devices are known in the %s snapshot "
				       "only: not compared",
				       counts[i], names[i]);
	}
	return rc;
}

static int compare_number(const struct device *device, const struct field *field,
			  int64_t old_value, int64_t new_value, struct diff *diff, struct err *err)
{
	struct change *change;

	if (old_value == FIELD_UNKNOWN || new_value == FIELD_UNKNOWN || old_value == new_value)
		return 0;
	change = diff_add(diff, DIFF_DEVICE_FIELD, device, NULL);
	if (!change || !finding_text(&change->field, "%s", field->member) ||
	    !finding_text(&change->before, "%lld", (long long)old_value) ||
	    !finding_text(&change->after, "%lld", (long long)new_value))
		return err_no_memory(err);
	return 0;
}

/* What a device is; LinearFDBTop and the like follow the LIDs and are left out. */
static int compare_facts(const struct device *before, const struct device *after,
			 struct diff *diff, struct err *err)
{
	static const char *const type_names[] = {NULL, "CA", "switch", "router"};
	static const char *const node_members[] = {"num_ports", "partition_cap", "device_id",
						   "revision", "vendor_id"};
	static const char *const switch_members[] = {"linear_fdb_cap", "multicast_fdb_cap",
						     "life_time_value", "enhanced_port0"};
	int rc = 0;

	if (before->type != after->type && before->type != NODE_TYPE_UNKNOWN &&
	    after->type != NODE_TYPE_UNKNOWN)
		rc = add_text_change(diff, DIFF_DEVICE_FIELD, after, "node_type",
				     type_names[before->type], type_names[after->type], err);
	for (size_t i = 0; i < sizeof(node_members) / sizeof(node_members[0]) && rc == 0; i++) {
		const struct field *field = field_find(node_field_table, node_members[i]);

		rc = compare_number(after, field, field_get(&before->info, field),
				    field_get(&after->info, field), diff, err);
	}
	for (size_t i = 0; i < sizeof(switch_members) / sizeof(switch_members[0]) && rc == 0;
	     i++) {
		const struct field *field = field_find(switch_field_table, switch_members[i]);

		rc = compare_number(after, field, field_get(&before->sw, field),
				    field_get(&after->sw, field), diff, err);
	}
	if (rc == 0 && before->fw_version && after->fw_version &&
	    strcmp(before->fw_version, after->fw_version) != 0)
		rc = add_text_change(diff, DIFF_DEVICE_FIELD, after, "fw_version",
				     before->fw_version, after->fw_version, err);
	if (rc == 0 && before->psid && after->psid && strcmp(before->psid, after->psid) != 0)
		rc = add_text_change(diff, DIFF_DEVICE_FIELD, after, "psid", before->psid,
				     after->psid, err);
	return rc;
}

int diff_devices(const struct diff_match *match, unsigned keys, struct diff *diff,
		 struct err *err)
{
	struct names_tally tally = {0};
	int rc = 0;

	if (keys & DIFF_NODE)
		rc = compare_presence(match, diff, err);
	for (size_t i = 0; i < match->old_side.fabric->device_count && rc == 0; i++) {
		const struct device *before = match->old_side.fabric->devices[i];
		const struct device *after;

		if (match->old_side.other[i] == NO_DEVICE)
			continue;
		after = match->new_side.fabric->devices[match->old_side.other[i]];
		if (keys & DIFF_NODEDESC)
			rc = compare_description(before, after, &tally, diff, err);
		if (rc == 0 && (keys & DIFF_NODE))
			rc = compare_facts(before, after, diff, err);
	}
	return rc < 0 ? rc : note_names(&tally, diff, err);
}
