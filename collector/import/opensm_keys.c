#include "collector/import/opensm_keys.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define EMPTY_MASK "0x0000000000000000000000000000000000000000000000000000000000000000"
#define NAME_MAX_LENGTH 64

/* Last column: opt_tbl's can_update. Values: osm_subn_set_default_opt. */
const struct opensm_key opensm_key_table[] = {
	{"accum_log_file", OPENSM_BOOL, "TRUE", true},
	{"allow_both_pkeys", OPENSM_BOOL, "FALSE", false},
	{"avoid_throttled_links", OPENSM_BOOL, "FALSE", false},
	{"babbling_port_policy", OPENSM_BOOL, "FALSE", true},
	{"cc_ca_cong_setting_ccti_increase", OPENSM_SL_U8, NULL, true},
	{"cc_ca_cong_setting_ccti_min", OPENSM_SL_U8, NULL, true},
	{"cc_ca_cong_setting_ccti_timer", OPENSM_SL_U16, NULL, true},
	{"cc_ca_cong_setting_control_map", OPENSM_U16, "0", true},
	{"cc_ca_cong_setting_port_control", OPENSM_U16, "0", true},
	{"cc_ca_cong_setting_trigger_threshold", OPENSM_SL_U8, NULL, true},
	{"cc_cct", OPENSM_CCT, NULL, true},
	{"cc_key", OPENSM_SECRET, NULL, false},
	{"cc_max_outstanding_mads", OPENSM_U32, "500", false},
	{"cc_sw_cong_setting_control_map", OPENSM_U32, "0", true},
	{"cc_sw_cong_setting_credit_mask", OPENSM_MASK, EMPTY_MASK, true},
	{"cc_sw_cong_setting_credit_starvation_return_delay", OPENSM_CCT_ENTRY, "0:0", true},
	{"cc_sw_cong_setting_credit_starvation_threshold", OPENSM_U8, "0", true},
	{"cc_sw_cong_setting_marking_rate", OPENSM_U16, "0", true},
	{"cc_sw_cong_setting_packet_size", OPENSM_U8, "0", true},
	{"cc_sw_cong_setting_threshold", OPENSM_U8, "0", true},
	{"cc_sw_cong_setting_victim_mask", OPENSM_MASK, EMPTY_MASK, true},
	{"cn_guid_file", OPENSM_TEXT, NULL, false},
	{"congestion_control", OPENSM_BOOL, "FALSE", true},
	{"connect_roots", OPENSM_BOOL, "FALSE", true},
	{"console", OPENSM_TEXT, "off", false},
	{"console_port", OPENSM_U16, "10000", false},
	{"consolidate_ipv6_snm_req", OPENSM_BOOL, "FALSE", true},
	{"daemon", OPENSM_BOOL, "FALSE", false},
	{"dimn_ports_file", OPENSM_TEXT, NULL, false},
	{"disable_multicast", OPENSM_BOOL, "FALSE", true},
	{"do_mesh_analysis", OPENSM_BOOL, "FALSE", true},
	{"drop_event_subscriptions", OPENSM_BOOL, "FALSE", true},
	{"dump_files_dir", OPENSM_TEXT, "/var/log/", false},
	{"enable_quirks", OPENSM_BOOL, "FALSE", true},
	{"event_db_dump_file", OPENSM_TEXT, NULL, false},
	{"event_plugin_name", OPENSM_TEXT, NULL, false},
	{"event_plugin_options", OPENSM_TEXT, NULL, false},
	{"exit_on_fatal", OPENSM_BOOL, "TRUE", true},
	{"fdr10", OPENSM_U8, "1", true},
	{"force_heavy_sweep", OPENSM_BOOL, "FALSE", true},
	{"force_link_speed", OPENSM_U8, "15", true},
	{"force_link_speed_ext", OPENSM_U8, "31", true},
	{"force_link_width", OPENSM_U8, "255", true},
	{"force_log_flush", OPENSM_BOOL, "FALSE", true},
	{"fsync_high_avail_files", OPENSM_BOOL, "TRUE", true},
	{"guid", OPENSM_U64, "0x0000000000000000", false},
	{"guid_routing_order_file", OPENSM_TEXT, NULL, false},
	{"guid_routing_order_no_scatter", OPENSM_BOOL, "FALSE", false},
	{"head_of_queue_lifetime", OPENSM_U8, "18", true},
	{"honor_guid2lid_file", OPENSM_BOOL, "FALSE", true},
	{"hop_weights_file", OPENSM_TEXT, NULL, false},
	{"ids_guid_file", OPENSM_TEXT, NULL, false},
	{"ignore_other_sm", OPENSM_BOOL, "FALSE", true},
	{"io_guid_file", OPENSM_TEXT, NULL, false},
	{"ipoib_mcgroup_creation_validation", OPENSM_BOOL, "TRUE", true},
	{"keep_pkey_indexes", OPENSM_BOOL, "TRUE", true},
	{"lash_start_vl", OPENSM_U8, "0", true},
	{"leaf_head_of_queue_lifetime", OPENSM_U8, "16", true},
	{"leaf_vl_stall_count", OPENSM_U8, "7", true},
	{"lfts_file", OPENSM_TEXT, NULL, false},
	{"lid_matrix_dump_file", OPENSM_TEXT, NULL, false},
	{"lmc", OPENSM_U8, "0", false},
	{"lmc_esp0", OPENSM_BOOL, "FALSE", false},
	{"local_phy_errors_threshold", OPENSM_U8, "8", true},
	{"log_file", OPENSM_TEXT, "/var/log/opensm.log", false},
	{"log_flags", OPENSM_U8, "3", true},
	{"log_max_size", OPENSM_U32, "0", true},
	{"log_prefix", OPENSM_TEXT, NULL, true},
	{"long_transaction_timeout", OPENSM_U32, "500", false},
	{"m_key", OPENSM_SECRET, NULL, true},
	{"m_key_lease_period", OPENSM_U16, "0", true},
	{"m_key_lookup", OPENSM_BOOL, "TRUE", true},
	{"m_key_protection_level", OPENSM_U8, "0", true},
	{"max_msg_fifo_timeout", OPENSM_U32, "10000", true},
	{"max_op_vls", OPENSM_U8, "5", true},
	{"max_reverse_hops", OPENSM_U16, "0", false},
	{"max_smps_timeout", OPENSM_U32, "600000", true},
	{"max_wire_smps", OPENSM_U32, "4", true},
	{"max_wire_smps2", OPENSM_U32, "4", true},
	{"mcgroup_join_validation", OPENSM_BOOL, "TRUE", true},
	{"no_clients_rereg", OPENSM_BOOL, "FALSE", true},
	{"no_partition_enforcement", OPENSM_BOOL, "FALSE", true},
	{"node_name_map_name", OPENSM_TEXT, NULL, false},
	{"nue_include_switches", OPENSM_BOOL, "FALSE", false},
	{"nue_max_num_vls", OPENSM_U8, "1", true},
	{"overrun_errors_threshold", OPENSM_U8, "8", true},
	{"packet_life_time", OPENSM_U8, "18", true},
	{"part_enforce", OPENSM_TEXT, "both", true},
	{"partition_config_file", OPENSM_TEXT, "/etc/opensm/partitions.conf", false},
	{"per_module_logging_file", OPENSM_TEXT, "/etc/opensm/per-module-logging.conf", false},
	{"perfmgr", OPENSM_BOOL, "FALSE", false},
	{"perfmgr_ignore_cas", OPENSM_BOOL, "FALSE", false},
	{"perfmgr_log_errors", OPENSM_BOOL, "TRUE", false},
	{"perfmgr_max_outstanding_queries", OPENSM_U32, "500", false},
	{"perfmgr_query_cpi", OPENSM_BOOL, "TRUE", false},
	{"perfmgr_redir", OPENSM_BOOL, "TRUE", false},
	{"perfmgr_rm_nodes", OPENSM_BOOL, "TRUE", false},
	{"perfmgr_sweep_time_s", OPENSM_U16, "180", false},
	{"perfmgr_xmit_wait_log", OPENSM_BOOL, "FALSE", false},
	{"perfmgr_xmit_wait_threshold", OPENSM_U32, "65535", false},
	{"polling_retry_number", OPENSM_U32, "4", true},
	{"port_prof_ignore_file", OPENSM_TEXT, NULL, false},
	{"port_profile_switch_nodes", OPENSM_BOOL, "FALSE", true},
	{"port_search_ordering_file", OPENSM_TEXT, NULL, false},
	{"port_shifting", OPENSM_BOOL, "FALSE", true},
	{"prefix_routes_file", OPENSM_TEXT, "/etc/opensm/prefix-routes.conf", false},
	{"qos", OPENSM_BOOL, "FALSE", true},
	{"qos_ca_high_limit", OPENSM_HIGH_LIMIT, NULL, true},
	{"qos_ca_max_vls", OPENSM_MAX_VLS, NULL, true},
	{"qos_ca_sl2vl", OPENSM_SL2VL, NULL, true},
	{"qos_ca_vlarb_high", OPENSM_VLARB, NULL, true},
	{"qos_ca_vlarb_low", OPENSM_VLARB, NULL, true},
	{"qos_high_limit", OPENSM_HIGH_LIMIT, NULL, true},
	{"qos_max_vls", OPENSM_MAX_VLS, NULL, true},
	{"qos_policy_file", OPENSM_TEXT, "/etc/opensm/qos-policy.conf", false},
	{"qos_rtr_high_limit", OPENSM_HIGH_LIMIT, NULL, true},
	{"qos_rtr_max_vls", OPENSM_MAX_VLS, NULL, true},
	{"qos_rtr_sl2vl", OPENSM_SL2VL, NULL, true},
	{"qos_rtr_vlarb_high", OPENSM_VLARB, NULL, true},
	{"qos_rtr_vlarb_low", OPENSM_VLARB, NULL, true},
	{"qos_sl2vl", OPENSM_SL2VL, NULL, true},
	{"qos_sw0_high_limit", OPENSM_HIGH_LIMIT, NULL, true},
	{"qos_sw0_max_vls", OPENSM_MAX_VLS, NULL, true},
	{"qos_sw0_sl2vl", OPENSM_SL2VL, NULL, true},
	{"qos_sw0_vlarb_high", OPENSM_VLARB, NULL, true},
	{"qos_sw0_vlarb_low", OPENSM_VLARB, NULL, true},
	{"qos_swe_high_limit", OPENSM_HIGH_LIMIT, NULL, true},
	{"qos_swe_max_vls", OPENSM_MAX_VLS, NULL, true},
	{"qos_swe_sl2vl", OPENSM_SL2VL, NULL, true},
	{"qos_swe_vlarb_high", OPENSM_VLARB, NULL, true},
	{"qos_swe_vlarb_low", OPENSM_VLARB, NULL, true},
	{"qos_vlarb_high", OPENSM_VLARB, NULL, true},
	{"qos_vlarb_low", OPENSM_VLARB, NULL, true},
	{"quasi_ftree_indexing", OPENSM_BOOL, "FALSE", true},
	{"reassign_lids", OPENSM_BOOL, "FALSE", true},
	{"root_guid_file", OPENSM_TEXT, NULL, false},
	{"routing_engine", OPENSM_TEXT, NULL, false},
	{"sa_db_dump", OPENSM_BOOL, "FALSE", true},
	{"sa_db_file", OPENSM_TEXT, NULL, false},
	{"sa_key", OPENSM_SECRET, NULL, true},
	{"scatter_ports", OPENSM_U32, "0", true},
	{"single_thread", OPENSM_BOOL, "FALSE", false},
	{"sm_assigned_guid", OPENSM_U8, "0", true},
	{"sm_inactive", OPENSM_BOOL, "FALSE", true},
	{"sm_key", OPENSM_SECRET, NULL, true},
	{"sm_priority", OPENSM_U8, "0", true},
	{"sm_sl", OPENSM_U8, "0", true},
	{"sminfo_polling_timeout", OPENSM_U32, "10000", true},
	{"subnet_prefix", OPENSM_U64, "0xfe80000000000000", false},
	{"subnet_timeout", OPENSM_U8, "18", true},
	{"suppress_sl2vl_mad_status_errors", OPENSM_BOOL, "FALSE", true},
	{"sweep_interval", OPENSM_U32, "10", true},
	{"sweep_on_trap", OPENSM_BOOL, "TRUE", true},
	{"torus_config", OPENSM_TEXT, "/etc/opensm/torus-2QoS.conf", true},
	{"transaction_retries", OPENSM_U32, "3", false},
	{"transaction_timeout", OPENSM_U32, "200", false},
	{"use_mfttop", OPENSM_BOOL, "TRUE", true},
	{"use_optimized_slvl", OPENSM_BOOL, "FALSE", true},
	{"use_original_extended_sa_rates_only", OPENSM_BOOL, "FALSE", true},
	{"use_ucast_cache", OPENSM_BOOL, "FALSE", false},
	{"vl_stall_count", OPENSM_U8, "7", true},
};

const size_t opensm_key_count = sizeof(opensm_key_table) / sizeof(opensm_key_table[0]);

/*
 * Names of MLNX OpenSM and UFM's SM that upstream lacks, in order; a trailing *
 * stands for any rest. Source: UFM Enterprise manual, "Subnet Manager Default
 * Properties"; osm_subn_opt_t of MLNX OpenSM's headers.
 */
static const char *const vendor_keys[] = {
	"activity_report_subjects", "adaptive_timeout_sl_mask", "additional_gi_supporting_devices",
	"additional_mepi_force_devices", "adv_routing_engine*", "aguid_*", "allow_sm_port_reset",
	"allowed_sm_guids", "ar_*", "auto_join_hca_wo_topo", "ca_port_*", "cache_*",
	"calc_missing_routes", "cc_key_*", "client_rereg_mode", "congestion_control_policy_file",
	"consolidate_ipv4_mask", "const_multicast", "default_mcg_*", "device_configuration_file",
	"dfp_*", "disable_default_gi_support", "dor_hyper_cube_mode", "drop_subscr_on_report_fail",
	"drop_unreachable_*", "dump_ar", "enable_*", "enhanced_*", "fabric_mode_*",
	"fast_recovery_*", "find_roots_color_algorithm", "flid_compression",
	"force_heavy_sweep_window", "force_link_speed_ext2", "ftree_ca_order_dump_file",
	"get_mft_tables", "global_flid_*", "gmp_*", "hbf_*", "held_back_sw_file", "hm_*",
	"improved_lmc_path_distribution", "issu_*", "key_mgr_seed", "lids_per_rtr",
	"light_sweep_spst", "load_inform_info_from_sadb", "local_flid_*", "log_num_backlogs",
	"m_key_per_port", "master_sm_*", "max_alt_dr_path_retries", "max_cas_on_spine",
	"max_msg_fifo_len", "max_neighbor_mtu", "max_op_vls_ca", "max_op_vls_rtr", "max_op_vls_sw",
	"max_rate_enum", "max_seq_redisc", "max_threads_per_core", "max_topologies_per_sw",
	"max_wire_smps_per_device", "mc_*", "mepi_*", "mlnx_*", "n2n_*", "nvl_*", "nvlink_*",
	"offsweep_balancing_*", "osm_perflog_*", "osm_stats_*", "override_create_mcg_sl", "pfrn_*",
	"pgrp_policy_file", "pid_file", "planarized_routing_enabled", "plugin_name",
	"plugin_options", "port_*_change_action", "port_recovery_policy_enabled", "ppcc_*",
	"pqft_structure", "prism_*", "prp_override_allow_sm_port_reset", "qos_config_vl_enabled",
	"qos_sw2sw_*", "rch_policy_file", "rediscovery_*", "reply_lid_smps_in_dr", "reports",
	"rereg_on_guid_migr", "respond_unknown_lid_traps", "router_policy_*", "routing_flags",
	"routing_threads_num", "rtr_*", "sa_check_sgid_spoofing", "sa_db_dump_file",
	"sa_enhanced_trust_model", "sa_etm_*", "sa_pr_*", "sa_rate_threshold",
	"service_name2key_map_file", "sharp_*", "shield_mode", "sm_assign_guid_func", "sm_db_dump",
	"smdb_*", "smp_threads", "subnet_lst_file", "support_*", "suppress_mc_pkey_traps",
	"sweep_every_hup_signal", "switch_name", "syslog_log_flags", "tenants_*", "topo_*",
	"updn_lid_tracking_*", "use_optimized_port_mask_slvl", "use_scatter_for_switch_lid",
	"validate_*", "verbose_bypass_policy_file", "virt_*", "vs_*",
};

static int compare_key(const void *name, const void *key)
{
	return strcmp(name, ((const struct opensm_key *)key)->name);
}

const struct opensm_key *opensm_key_find(const char *name)
{
	return bsearch(name, opensm_key_table, opensm_key_count, sizeof(opensm_key_table[0]),
		       compare_key);
}

/* One * anywhere in the pattern. */
static bool matches(const char *pattern, const char *name)
{
	const char *star = strchr(pattern, '*');
	size_t length = strlen(name);
	size_t head, tail;

	if (!star)
		return strcmp(pattern, name) == 0;
	head = (size_t)(star - pattern);
	tail = strlen(star + 1);
	return length >= head + tail && strncmp(pattern, name, head) == 0 &&
	       strcmp(star + 1, name + length - tail) == 0;
}

bool opensm_key_is_vendor(const char *name)
{
	for (size_t i = 0; i < sizeof(vendor_keys) / sizeof(vendor_keys[0]); i++) {
		if (matches(vendor_keys[i], name))
			return true;
	}
	return false;
}

/* Lower case without dashes and underscores, so that M-Key and m_key are alike. */
static size_t fold(const char *name, char out[NAME_MAX_LENGTH + 1])
{
	size_t length = 0;

	for (; *name && length < NAME_MAX_LENGTH; name++) {
		if (*name != '_' && *name != '-')
			out[length++] = (char)tolower((unsigned char)*name);
	}
	out[length] = '\0';
	return length;
}

bool opensm_key_is_secret(const char *name)
{
	static const char *const words[] = {"key", "seed", "pass", "secret", "token"};
	const struct opensm_key *key = opensm_key_find(name);
	char folded[NAME_MAX_LENGTH + 1];

	if (key)
		return key->type == OPENSM_SECRET;
	fold(name, folded);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(folded, words[i]))
			return true;
	}
	return false;
}

/* Edits (insert, delete, replace) from a to b, or limit + 1 when it is more. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length, size_t limit)
{
	size_t row[NAME_MAX_LENGTH + 1];

	if (a_length > b_length + limit || b_length > a_length + limit)
		return limit + 1;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];
		size_t least = row[0] = i;

		for (size_t j = 1; j <= b_length; j++) {
			size_t cost = diagonal + (a[i - 1] != b[j - 1]);

			diagonal = row[j];
			if (row[j] + 1 < cost)
				cost = row[j] + 1;
			if (row[j - 1] + 1 < cost)
				cost = row[j - 1] + 1;
			row[j] = cost;
			if (cost < least)
				least = cost;
		}
		if (least > limit)
			return limit + 1;
	}
	return row[b_length];
}

const char *opensm_key_nearest(const char *name)
{
	char wanted[NAME_MAX_LENGTH + 1], known[NAME_MAX_LENGTH + 1];
	size_t length = fold(name, wanted);
	size_t best = length < 6 ? 1 : 2;
	const char *nearest = NULL;

	if (length < 2)
		return NULL;
	for (size_t i = 0; i < opensm_key_count; i++) {
		size_t known_length = fold(opensm_key_table[i].name, known);
		size_t edits = distance(wanted, length, known, known_length, best);

		if (edits < best || (edits == best && !nearest)) {
			best = edits;
			nearest = opensm_key_table[i].name;
		}
	}
	return nearest;
}

bool opensm_engine_is_known(const char *name, size_t length)
{
	static const char *const engines[] = {
		"minhop", "updn", "dnup", "file", "ftree", "lash", "dor", "torus-2QoS", "nue",
		"dfsssp", "sssp", "none", "no_fallback",
	};

	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
		if (strlen(engines[i]) == length && memcmp(engines[i], name, length) == 0)
			return true;
	}
	return false;
}
