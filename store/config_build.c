#include "store/config.h"

#include <stdlib.h>
#include <string.h>

/* What OpenSM takes where a table is not given (osm_base.h). */
#define DEFAULT_SUBNET_PREFIX 0xfe80000000000000ull
#define DEFAULT_MAX_OP_VLS 5
#define DEFAULT_QOS_MAX_VLS 15
#define DEFAULT_SWEEP_INTERVAL 10
#define DEFAULT_ARB_WEIGHT 4

static const char *effective(const struct config *config, const char *key)
{
	const struct config_option *option = config_option_find(config, key);

	return option ? option->effective : NULL;
}

static bool get_bool(const struct config *config, const char *key, bool unset)
{
	const char *text = effective(config, key);

	return text ? strcmp(text, "TRUE") == 0 : unset;
}

static int64_t get_number(const struct config *config, const char *key, int64_t unset)
{
	const char *text = effective(config, key);

	return text && *text ? strtoll(text, NULL, 0) : unset;
}

/* "qos_ca_" + "sl2vl"; NULL when it is not set. */
static const char *class_text(const struct config *config, enum qos_class class, const char *name)
{
	char key[64];

	strcpy(key, qos_class_prefix(class));
	strcat(key, name);
	return effective(config, key);
}

/*
 * The text that counts for the class and, in *ret_from, whose it is: its own,
 * that of qos_*, or (NULL, -1) none.
 */
static const char *inherited(const struct config *config, enum qos_class class, const char *name,
			     int *ret_from)
{
	const char *text = class_text(config, class, name);

	*ret_from = (int)class;
	if (!text) {
		text = class_text(config, QOS_CLASS_DEFAULT, name);
		*ret_from = QOS_CLASS_DEFAULT;
	}
	if (!text)
		*ret_from = -1;
	return text;
}

static bool high_limit(const struct config *config, enum qos_class class, int64_t *ret_value)
{
	const char *text = class_text(config, class, "high_limit");
	int64_t value;

	if (!text || !*text)
		return false;
	value = strtoll(text, NULL, 0);
	if (value < 0 || value > 255)
		return false;
	*ret_value = value;
	return true;
}

static void build_high_limit(const struct config *config, enum qos_class class,
			     struct qos_options *set)
{
	set->high_limit = 0;
	set->high_limit_from = -1;
	if (high_limit(config, class, &set->high_limit))
		set->high_limit_from = (int)class;
	else if (high_limit(config, QOS_CLASS_DEFAULT, &set->high_limit))
		set->high_limit_from = QOS_CLASS_DEFAULT;
}

static size_t parse_vlarb(const char *text, struct vlarb_entry entries[64])
{
	size_t count = 0;

	while (*text && count < 64) {
		char *end;

		entries[count].vl = (uint8_t)strtoul(text, &end, 10);
		entries[count].weight = 0;
		if (*end == ':')
			entries[count].weight = (uint8_t)strtoul(end + 1, &end, 10);
		count++;
		if (*end != ',')
			break;
		text = end + 1;
	}
	return count;
}

/* The built-in pair: VL0 alone in the high table, the others alone in the low one. */
static size_t builtin_vlarb(bool high, struct vlarb_entry entries[64])
{
	for (uint8_t vl = 0; vl < 15; vl++) {
		entries[vl].vl = vl;
		entries[vl].weight = (vl == 0) == high ? DEFAULT_ARB_WEIGHT : 0;
	}
	return 15;
}

static void parse_sl2vl(const char *text, uint8_t vl[16])
{
	memset(vl, 0, 16);
	for (size_t sl = 0; sl < 16; sl++) {
		char *end;

		vl[sl] = strtoul(text, &end, 10) & 0xf;
		if (*end != ',')
			break;
		text = end + 1;
	}
}

static void builtin_sl2vl(uint8_t vl[16])
{
	for (uint8_t sl = 0; sl < 15; sl++)
		vl[sl] = sl;
	vl[15] = 7;
}

static void build_set(const struct config *config, enum qos_class class, struct qos_options *set)
{
	const char *text;
	int from;

	text = inherited(config, class, "max_vls", &from);
	set->max_vls = text && *text ? strtoll(text, NULL, 0) : 0;
	if (set->max_vls <= 0)
		set->max_vls = DEFAULT_QOS_MAX_VLS;
	build_high_limit(config, class, set);
	text = inherited(config, class, "vlarb_high", &set->vlarb_high_from);
	set->vlarb_high_count = text ? parse_vlarb(text, set->vlarb_high)
				     : builtin_vlarb(true, set->vlarb_high);
	text = inherited(config, class, "vlarb_low", &set->vlarb_low_from);
	set->vlarb_low_count = text ? parse_vlarb(text, set->vlarb_low)
				    : builtin_vlarb(false, set->vlarb_low);
	text = inherited(config, class, "sl2vl", &set->sl2vl_from);
	if (text)
		parse_sl2vl(text, set->sl2vl);
	else
		builtin_sl2vl(set->sl2vl);
}

int config_build(struct config *config, struct err *err)
{
	struct opensm_options *opensm = &config->opensm;
	const char *prefix = effective(config, "subnet_prefix");
	const char *engines = effective(config, "routing_engine");

	(void)err;
	memset(opensm, 0, sizeof(*opensm));
	opensm->qos = get_bool(config, "qos", false);
	opensm->lmc = get_number(config, "lmc", 0);
	if (opensm->lmc < 0 || opensm->lmc > 7)
		opensm->lmc = 0;
	opensm->lmc_esp0 = get_bool(config, "lmc_esp0", false);
	opensm->max_op_vls = get_number(config, "max_op_vls", DEFAULT_MAX_OP_VLS);
	opensm->subnet_prefix = prefix && *prefix ? strtoull(prefix, NULL, 0)
						  : DEFAULT_SUBNET_PREFIX;
	opensm->sm_priority = get_number(config, "sm_priority", 0);
	opensm->reassign_lids = get_bool(config, "reassign_lids", false);
	opensm->honor_guid2lid_file = get_bool(config, "honor_guid2lid_file", false);
	opensm->no_partition_enforcement = get_bool(config, "no_partition_enforcement", false);
	opensm->use_optimized_slvl = get_bool(config, "use_optimized_slvl", false);
	opensm->sweep_interval = get_number(config, "sweep_interval", DEFAULT_SWEEP_INTERVAL);
	if (engines && *engines) {
		opensm->routing_engine = fabric_text(config->fabric, engines, strlen(engines));
		if (!opensm->routing_engine)
			return err_no_memory(err);
	}
	for (int class = 0; class < QOS_CLASS_COUNT; class++)
		build_set(config, (enum qos_class)class, &opensm->set[class]);
	return 0;
}

int64_t config_oper_vls(const struct opensm_options *options, int64_t vl_cap_a, int64_t vl_cap_b)
{
	int64_t least = FIELD_UNKNOWN;
	int64_t limits[3] = {vl_cap_a, vl_cap_b, FIELD_UNKNOWN};

	if (options->max_op_vls >= 1 && options->max_op_vls <= 5)
		limits[2] = vl_count_of_code((unsigned)options->max_op_vls);
	for (size_t i = 0; i < 3; i++) {
		if (limits[i] != FIELD_UNKNOWN && (least == FIELD_UNKNOWN || limits[i] < least))
			least = limits[i];
	}
	return least;
}

uint8_t config_mask_vl(uint8_t vl, int64_t oper_vls)
{
	if (vl == 15 || oper_vls < 1 || oper_vls > 8)
		return vl;
	return (uint8_t)(vl & (oper_vls - 1));
}
