/* Sections of ibdiagnet2.db_csv that fill tables: counters, P_Keys, firmware. */
#include <stdio.h>
#include <string.h>

#include "collector/import/db_csv.h"

/* A counter's short column and its 64-bit twin; NULL: there is none. */
struct pm_column {
	enum counter counter;
	const char *name;
	const char *twin;
};

static const struct pm_column pm_columns[] = {
	{COUNTER_symbol_error, "SymbolErrorCounter", "SymbolErrorCounterExt"},
	{COUNTER_link_error_recovery, "LinkErrorRecoveryCounter", "LinkErrorRecoveryCounterExt"},
	{COUNTER_link_downed, "LinkDownedCounter", "LinkDownedCounterExt"},
	{COUNTER_rcv_errors, "PortRcvErrors", "PortRcvErrorsExt"},
	{COUNTER_rcv_remote_physical_errors, "PortRcvRemotePhysicalErrors",
	 "PortRcvRemotePhysicalErrorsExt"},
	{COUNTER_rcv_switch_relay_errors, "PortRcvSwitchRelayErrors", "PortRcvSwitchRelayErrorsExt"},
	{COUNTER_xmit_discards, "PortXmitDiscards", "PortXmitDiscardsExt"},
	{COUNTER_xmit_constraint_errors, "PortXmitConstraintErrors", "PortXmitConstraintErrorsExt"},
	{COUNTER_rcv_constraint_errors, "PortRcvConstraintErrors", "PortRcvConstraintErrorsExt"},
	{COUNTER_local_link_integrity_errors, "LocalLinkIntegrityErrors",
	 "LocalLinkIntegrityErrorsExt"},
	{COUNTER_excessive_buffer_overrun_errors, "ExcessiveBufferOverrunErrors",
	 "ExcessiveBufferOverrunErrorsExt"},
	{COUNTER_vl15_dropped, "VL15Dropped", "VL15DroppedExt"},
	{COUNTER_qp1_dropped, "QP1Dropped", "QP1DroppedExt"},
	{COUNTER_xmit_data, "PortXmitData", "PortXmitDataExtended"},
	{COUNTER_rcv_data, "PortRcvData", "PortRcvDataExtended"},
	{COUNTER_xmit_pkts, "PortXmitPkts", "PortXmitPktsExtended"},
	{COUNTER_rcv_pkts, "PortRcvPkts", "PortRcvPktsExtended"},
	{COUNTER_xmit_wait, "PortXmitWait", "PortXmitWaitExt"},
	{COUNTER_unicast_xmit_pkts, NULL, "PortUniCastXmitPkts"},
	{COUNTER_unicast_rcv_pkts, NULL, "PortUniCastRcvPkts"},
	{COUNTER_multicast_xmit_pkts, NULL, "PortMultiCastXmitPkts"},
	{COUNTER_multicast_rcv_pkts, NULL, "PortMultiCastRcvPkts"},
	{COUNTER_local_physical_errors, "PortLocalPhysicalErrors", NULL},
	{COUNTER_malformed_packet_errors, "PortMalformedPacketErrors", NULL},
	{COUNTER_buffer_overrun_errors, "PortBufferOverrunErrors", NULL},
	{COUNTER_dlid_mapping_errors, "PortDLIDMappingErrors", NULL},
	{COUNTER_vl_mapping_errors, "PortVLMappingErrors", NULL},
	{COUNTER_looping_errors, "PortLoopingErrors", NULL},
	{COUNTER_inactive_discards, "PortInactiveDiscards", NULL},
	{COUNTER_neighbor_mtu_discards, "PortNeighborMTUDiscards", NULL},
	{COUNTER_sw_lifetime_limit_discards, "PortSwLifetimeLimitDiscards", NULL},
	{COUNTER_sw_hoq_lifetime_limit_discards, "PortSwHOQLifetimeLimitDiscards", NULL},
};

#define PM_COLUMNS (sizeof(pm_columns) / sizeof(pm_columns[0]))

static int begin_pm(struct db_csv *csv, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < PM_COLUMNS; i++) {
		csv->index[2 * i] = pm_columns[i].name ? db_column(csv, pm_columns[i].name) : -1;
		csv->index[2 * i + 1] = pm_columns[i].twin ? db_column(csv, pm_columns[i].twin) : -1;
	}
	import_asked(csv->import, ATTRIBUTE_COUNTERS);
	if (db_column(csv, "PortXmitDataExtended") >= 0)
		import_asked(csv->import, ATTRIBUTE_COUNTERS_EXTENDED);
	return 0;
}

/* A counter cell; false: no value. Counters use all 64 bits, so they do not pass through int64_t. */
static bool pm_cell(struct db_csv *csv, int column, uint64_t *ret_value, struct err *err)
{
	const struct cell *cell = &csv->cells[column < 0 ? 0 : column];

	if (column < 0)
		return false;
	if (import_parse_u64(cell->text, cell->length, ret_value))
		return true;
	if (!import_is_unknown(cell->text, cell->length))
		db_odd(csv, "a counter is no number", err);
	return false;
}

static int pm_counter(struct db_csv *csv, struct port *port, size_t i, struct err *err)
{
	uint64_t value = 0;
	uint64_t twin = 0;
	bool has_value = pm_cell(csv, csv->index[2 * i], &value, err);
	bool has_twin = pm_cell(csv, csv->index[2 * i + 1], &twin, err);

	return import_counter_pair(csv->import, port, pm_columns[i].counter,
				   has_value ? &value : NULL, has_twin ? &twin : NULL, err);
}

static int row_pm(struct db_csv *csv, struct err *err)
{
	struct port *port;
	int rc = db_port(csv, &port, err);

	if (rc < 0 || !port)
		return rc;
	for (size_t i = 0; i < PM_COLUMNS && rc == 0; i++)
		rc = pm_counter(csv, port, i, err);
	return rc;
}

static int begin_pkey(struct db_csv *csv, struct err *err)
{
	static const char *const names[] = {"PKey", "Membership", NULL};

	(void)err;
	db_extra(csv, names);
	csv->keys.port = db_column(csv, "LocalPortNum");
	import_asked(csv->import, ATTRIBUTE_PKEY_TABLE);
	return 0;
}

static int row_pkey(struct db_csv *csv, struct err *err)
{
	int64_t pkey = db_number(csv, csv->extra[0], 0xffff);
	int64_t full = db_number(csv, csv->extra[1], 1);
	struct port *port;
	int rc = db_port(csv, &port, err);

	if (rc < 0 || !port)
		return rc;
	if (pkey == FIELD_UNKNOWN)
		return db_odd(csv, "no P_Key", err);
	if (full == 1)
		pkey |= 0x8000;
	return import_pkey_add(csv->import, port, (uint16_t)pkey, err);
}

enum {
	FW_EXTENDED_MAJOR,
	FW_EXTENDED_MINOR,
	FW_EXTENDED_SUBMINOR,
	FW_MAJOR,
	FW_MINOR,
	FW_SUBMINOR,
	FW_PSID,
	FW_UP_TIME,
};

static int begin_firmware(struct db_csv *csv, struct err *err)
{
	static const char *const names[] = {"FWInfo_Extended_Major", "FWInfo_Extended_Minor",
					    "FWInfo_Extended_SubMinor", "FWInfo_Major",
					    "FWInfo_Minor", "FWInfo_SubMinor", "FWInfo_PSID",
					    "HWInfo_UpTime", NULL};

	(void)err;
	db_extra(csv, names);
	return 0;
}

/* "31.2012.1024" of three columns; false: not told, or all zero, which is no version. */
static bool version_text(struct db_csv *csv, int first, char *out, size_t size)
{
	int64_t part[3];

	for (int i = 0; i < 3; i++)
		part[i] = db_number(csv, csv->extra[first + i], UINT32_MAX);
	if (part[0] == FIELD_UNKNOWN || part[1] == FIELD_UNKNOWN || part[2] == FIELD_UNKNOWN ||
	    (part[0] == 0 && part[1] == 0 && part[2] == 0))
		return false;
	/* NVIDIA writes the last part with four digits. */
	snprintf(out, size, "%lld.%lld.%04lld", (long long)part[0], (long long)part[1],
		 (long long)part[2]);
	return true;
}

static int row_firmware(struct db_csv *csv, struct err *err)
{
	struct device *device;
	char version[80];
	int rc = db_device(csv, &device, err);

	if (rc < 0 || !device)
		return rc;
	if (version_text(csv, FW_EXTENDED_MAJOR, version, sizeof(version)) ||
	    version_text(csv, FW_MAJOR, version, sizeof(version)))
		rc = import_fw_version(csv->import, device, version, strlen(version), err);
	if (rc == 0 && db_has(csv, csv->extra[FW_PSID]))
		rc = import_psid(csv->import, device, csv->cells[csv->extra[FW_PSID]].text,
				 csv->cells[csv->extra[FW_PSID]].length, err);
	if (rc == 0 && db_has(csv, csv->extra[FW_UP_TIME]))
		rc = import_fact(csv->import, device, -1, "device", "HWInfo_UpTime",
				 csv->cells[csv->extra[FW_UP_TIME]].text,
				 csv->cells[csv->extra[FW_UP_TIME]].length, err);
	return rc;
}

const struct db_section db_table_sections[] = {
	{"PM_INFO", ATTRIBUTE_COUNTERS, begin_pm, row_pm},
	{"PKEY", ATTRIBUTE_PKEY_TABLE, begin_pkey, row_pkey},
	{"NODES_INFO", ATTRIBUTE_COUNT, begin_firmware, row_firmware},
	{"GENERAL_INFO_SMP", ATTRIBUTE_COUNT, begin_firmware, row_firmware},
	{NULL, ATTRIBUTE_COUNT, NULL, NULL},
};
