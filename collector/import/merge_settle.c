/* What can only be said when every file of a run has been read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/host_fold.h"
#include "collector/import/log_runs.h"
#include "collector/import/merge_subnets.h"

/* Base: as told, or as an answer shows that has neither a state nor lanes. */
static bool is_base_port0(const struct device *device, const struct port *port)
{
	if (device->type != NODE_TYPE_SWITCH)
		return false;
	return device->sw.enhanced_port0 == 0 ||
	       (device->sw.enhanced_port0 == FIELD_UNKNOWN && port->info.oper_vls == 0 &&
		port->info.port_state == FIELD_UNKNOWN);
}

/*
 * A base switch port 0 has no link: whatever a tool printed for it (zeros, or
 * the numbers of a simulator) is not a fact (IBA C14-24).
 */
static void forget_base_port0(struct fabric *fabric)
{
	static const char *const members[] = {
		"link_width_active", "link_width_supported", "link_width_enabled",
		"link_speed_active", "link_speed_code", "link_speed_supported",
		"link_speed_enabled", "port_state", "port_phys_state", "link_down_default",
		"neighbor_mtu", "mtu_cap", "vl_cap", "oper_vls", "vl_high_limit",
		"vlarb_high_cap", "vlarb_low_cap", "vl_stall_count", "hoq_life", "init_type",
		"init_type_reply", "partition_enforcement_inbound",
		"partition_enforcement_outbound", "filter_raw_inbound", "filter_raw_outbound",
		"local_phy_errors", "overrun_errors", "max_credit_hint",
		"link_round_trip_latency",
	};

	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];
		struct port *port = device_port(device, 0);

		if (!port || !is_base_port0(device, port))
			continue;
		for (size_t m = 0; m < sizeof(members) / sizeof(members[0]); m++)
			field_set(&port->info, field_find(port_field_table, members[m]),
				  FIELD_UNKNOWN);
	}
}

/* The newest source that tells of the whole fabric and when; 0: none knows its time. */
static source_ref newest_whole(const struct import *import)
{
	const struct fabric *fabric = import->fabric;
	source_ref newest = 0;

	for (size_t i = 0; i < fabric->source_count; i++) {
		if (i + 1 >= import->note_room || !import->notes[i + 1].whole ||
		    fabric->sources[i].taken_at == FIELD_UNKNOWN)
			continue;
		if (newest == 0 || fabric->sources[i].taken_at > fabric->sources[newest - 1].taken_at)
			newest = (source_ref)(i + 1);
	}
	return newest;
}

/* True when only sources of sweeps before `newest` name this device. */
static bool is_of_the_past(struct import *import, const struct device *device, source_ref newest)
{
	const struct source *sources = import->fabric->sources;
	const struct device_origin *origin = import_device_origin(import, device);

	if (!origin || origin->seen == 0 || sources[origin->seen - 1].taken_at == FIELD_UNKNOWN)
		return false;
	return sources[newest - 1].taken_at - sources[origin->seen - 1].taken_at > IMPORT_SAME_SWEEP;
}

/* The last whole run of the tool in the file whose runs before it alone name this device; 0: there is none. */
static source_ref left_before(struct import *import, const struct device *device)
{
	const struct device_origin *origin = import_device_origin(import, device);
	source_ref last = 0;

	if (!origin || origin->elsewhere != 0)
		return 0;
	for (size_t i = 1; i <= import->fabric->source_count && i < import->note_room; i++) {
		source_ref ref = (source_ref)i;

		if (import->notes[i].whole_of_series && import_one_series(import, ref, origin->seen) &&
		    import_sweep(import, ref, last ? last : origin->seen) > 0)
			last = ref;
	}
	return last;
}

static int note_gone(struct import *import, const struct device *device, source_ref newest,
		     struct err *err)
{
	char label[DEVICE_LABEL_SIZE];
	char text[DEVICE_LABEL_SIZE + 16];

	snprintf(text, sizeof(text), "%s is there", device_label(device, label, sizeof(label)));
	return import_contradiction(import, NULL, -1, "device", "not there", newest, text,
				    import_device_origin(import, device)->seen, err);
}

/*
 * A device that an older sweep alone knows has left the fabric: its LID may
 * belong to another by now. When that were most of them, the fabric is another
 * by now, and taking one out would hide it.
 */
static int drop_past(struct import *import, struct err *err)
{
	struct fabric *fabric = import->fabric;
	source_ref newest = newest_whole(import);
	size_t count = fabric->device_count;
	size_t past = 0;
	source_ref *by;
	bool *drop;
	int rc = 0;

	drop = calloc(count + 1, sizeof(*drop));
	by = calloc(count + 1, sizeof(*by));
	if (!drop || !by) {
		free(drop);
		free(by);
		return err_no_memory(err);
	}
	for (size_t i = 0; i < count; i++) {
		bool by_time = newest != 0 && is_of_the_past(import, fabric->devices[i], newest);

		by[i] = by_time ? newest : left_before(import, fabric->devices[i]);
		drop[i] = by[i] != 0;
		past += drop[i];
	}
	if (past > 0 && past <= count / 3) {
		for (size_t i = 0; i < count && rc == 0; i++) {
			if (drop[i])
				rc = note_gone(import, fabric->devices[i], by[i], err);
		}
		fabric_devices_drop(fabric, drop);
	}
	free(by);
	free(drop);
	return rc;
}

/* Contradictions beyond those kept are at least counted. */
static int note_dropped(struct import *import, struct err *err)
{
	char text[32];

	if (import->contradictions_dropped == 0 || import->ref == 0)
		return 0;
	snprintf(text, sizeof(text), "%lld", (long long)import->contradictions_dropped);
	return import_fact(import, NULL, -1, "run", "contradictions not kept", text, strlen(text), err);
}

int import_settle(struct import *import, struct err *err)
{
	bool apart = false;
	int rc;

	forget_base_port0(import->fabric);
	rc = import_settle_ports(import, err);
	if (rc == 0)
		rc = import_settle_lfts(import, err);
	if (rc == 0)
		rc = fabric_mark_shared_names(import->fabric, err);
	if (rc == 0)
		rc = log_runs_settle(import->fabric, err);
	if (rc == 0)
		rc = host_fold(import, err);
	if (rc == 0)
		rc = import_subnets(import, &apart, err);
	if (rc == 0 && !apart)
		rc = drop_past(import, err);
	return rc < 0 ? rc : note_dropped(import, err);
}
