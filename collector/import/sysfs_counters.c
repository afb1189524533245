#include "collector/import/sysfs_counters.h"

#include <stdio.h>
#include <string.h>

#include "collector/import/format.h"

/* Files of counters/, and what some kernels had in counters_ext/ beside them. */
static const struct {
	const char *file;
	enum counter counter;
	const char *twin;
} files[] = {
	{"symbol_error", COUNTER_symbol_error, NULL},
	{"link_error_recovery", COUNTER_link_error_recovery, NULL},
	{"link_downed", COUNTER_link_downed, NULL},
	{"port_rcv_errors", COUNTER_rcv_errors, NULL},
	{"port_rcv_remote_physical_errors", COUNTER_rcv_remote_physical_errors, NULL},
	{"port_rcv_switch_relay_errors", COUNTER_rcv_switch_relay_errors, NULL},
	{"port_xmit_discards", COUNTER_xmit_discards, NULL},
	{"port_xmit_constraint_errors", COUNTER_xmit_constraint_errors, NULL},
	{"port_rcv_constraint_errors", COUNTER_rcv_constraint_errors, NULL},
	{"local_link_integrity_errors", COUNTER_local_link_integrity_errors, NULL},
	{"excessive_buffer_overrun_errors", COUNTER_excessive_buffer_overrun_errors, NULL},
	{"VL15_dropped", COUNTER_vl15_dropped, NULL},
	{"port_xmit_data", COUNTER_xmit_data, "port_xmit_data_64"},
	{"port_rcv_data", COUNTER_rcv_data, "port_rcv_data_64"},
	{"port_xmit_packets", COUNTER_xmit_pkts, "port_xmit_packets_64"},
	{"port_rcv_packets", COUNTER_rcv_pkts, "port_rcv_packets_64"},
	{"port_xmit_wait", COUNTER_xmit_wait, NULL},
	{"unicast_xmit_packets", COUNTER_unicast_xmit_pkts, "port_unicast_xmit_packets"},
	{"unicast_rcv_packets", COUNTER_unicast_rcv_pkts, "port_unicast_rcv_packets"},
	{"multicast_xmit_packets", COUNTER_multicast_xmit_pkts, "port_multicast_xmit_packets"},
	{"multicast_rcv_packets", COUNTER_multicast_rcv_pkts, "port_multicast_rcv_packets"},
};

#define FILES (sizeof(files) / sizeof(files[0]))
#define BIT(counter) (UINT64_C(1) << COUNTER_##counter)

static const uint64_t of_traffic = BIT(xmit_data) | BIT(rcv_data) | BIT(xmit_pkts) | BIT(rcv_pkts);
static const uint64_t of_kinds = BIT(unicast_xmit_pkts) | BIT(unicast_rcv_pkts) |
				 BIT(multicast_xmit_pkts) | BIT(multicast_rcv_pkts);

static bool is_named(const struct scan *path, const char *name)
{
	return name && strlen(name) == scan_left(path) &&
	       memcmp(path->at, name, scan_left(path)) == 0;
}

bool sysfs_counter_file(struct sysfs_counters *counters, struct scan path, const char *text,
			size_t length)
{
	bool twin = scan_literal(&path, "counters_ext/");
	uint64_t value;

	if (!twin && !scan_literal(&path, "counters/"))
		return false;
	for (size_t i = 0; i < FILES; i++) {
		uint64_t bit = UINT64_C(1) << files[i].counter;

		if (!is_named(&path, twin ? files[i].twin : files[i].file))
			continue;
		if (!import_parse_u64(text, length, &value)) {
			counters->refused |= bit;
			return length > 0;
		}
		(twin ? counters->twin : counters->value)[files[i].counter] = value;
		*(twin ? &counters->twin_known : &counters->known) |= bit;
		return true;
	}
	return false;
}

/* True when data and packets are of PortCountersExtended. */
static bool has_wide_traffic(const struct sysfs_counters *counters)
{
	if (counters->known & of_kinds)
		return true;
	for (int i = 0; i < COUNTER_COUNT; i++) {
		if ((counters->known & of_traffic) >> i & 1 && counters->value[i] > UINT32_MAX)
			return true;
	}
	return false;
}

int sysfs_counters_settle(const struct sysfs_counters *counters, struct fabric *fabric,
			  struct port_counters **ret_counters, struct err *err)
{
	uint64_t wide = has_wide_traffic(counters) ? of_traffic : 0;
	struct port_counters *kept;

	*ret_counters = NULL;
	if ((counters->known | counters->twin_known) == 0)
		return 0;
	kept = fabric_alloc(fabric, 1, sizeof(*kept));
	if (!kept)
		return err_no_memory(err);
	kept->read_at = FIELD_UNKNOWN;
	kept->known = counters->known | counters->twin_known;
	for (int i = 0; i < COUNTER_COUNT; i++) {
		uint64_t bit = UINT64_C(1) << i;
		unsigned bits = counter_table[i].short_bits;
		uint64_t end = bits < 64 && !(wide & bit) ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;

		if ((counters->twin_known & bit) &&
		    (!(counters->known & bit) || counters->twin[i] >= counters->value[i])) {
			kept->value[i] = counters->twin[i];
			end = UINT64_MAX;
		} else {
			kept->value[i] = counters->value[i];
		}
		/* What is beyond the short form's end is no short form. */
		if ((kept->known & bit) && kept->value[i] == end)
			kept->saturated |= bit;
	}
	*ret_counters = kept;
	return 0;
}

const char *sysfs_counters_refused(const struct sysfs_counters *counters,
				   char out[SYSFS_REFUSED_SIZE])
{
	uint64_t refused = counters->refused & ~counters->known & ~counters->twin_known;
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < FILES && used < SYSFS_REFUSED_SIZE; i++) {
		if (refused >> files[i].counter & 1)
			used += (size_t)snprintf(out + used, SYSFS_REFUSED_SIZE - used, "%s%s",
						 used ? ", " : "", files[i].file);
	}
	return out;
}
