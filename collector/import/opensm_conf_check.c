#include "collector/import/opensm_conf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *opensm_conf_ports(enum qos_class class)
{
	static const char *const names[QOS_CLASS_COUNT] = {
		[QOS_CLASS_DEFAULT] = "all ports without options of their own",
		[QOS_CLASS_CA] = "CA ports",
		[QOS_CLASS_SW0] = "enhanced switch port 0",
		[QOS_CLASS_SWE] = "switch ports",
		[QOS_CLASS_RTR] = "router ports",
	};

	return names[class];
}

/* How many qos_* options of the file would change something, and the first of them. */
static size_t count_qos_options(const struct opensm_conf *conf, int64_t *ret_line,
				const char **ret_key)
{
	size_t count = 0;

	for (size_t i = 0; i < opensm_key_count; i++) {
		const struct opensm_key *key = &opensm_key_table[i];
		const struct opensm_slot *slot = &conf->slots[i];

		if (slot->line == 0 || !slot->effective || strncmp(key->name, "qos_", 4) != 0 ||
		    key->type == OPENSM_MAX_VLS)
			continue;
		if (key->initial && strcmp(slot->effective, key->initial) == 0)
			continue;
		if (count++ == 0 || slot->line < *ret_line) {
			*ret_line = slot->line;
			*ret_key = key->name;
		}
	}
	return count;
}

static int check_qos_dead(struct opensm_conf *conf, struct err *err)
{
	const struct opensm_slot *qos = opensm_conf_slot(conf, "qos");
	bool plain = qos->line && strcmp(qos->raw, "FALSE") == 0;
	enum severity severity = SEVERITY_WARNING;
	char shown[CONFIG_SHOW_SIZE], why[160] = "qos is not set, so FALSE";
	const char *key = NULL;
	int64_t line = 0;
	size_t count;

	if (opensm_conf_true(conf, "qos"))
		return 0;
	count = count_qos_options(conf, &line, &key);
	if (count == 0)
		return 0;
	if (plain) {
		severity = SEVERITY_INFO;
		snprintf(why, sizeof(why), "qos is FALSE");
	} else if (qos->line) {
		severity = SEVERITY_ERROR;
		snprintf(why, sizeof(why), "qos is \"%s\" and so FALSE",
			 config_show(qos->raw, strlen(qos->raw), shown));
	}
	return config_note(&conf->notes, err, "qos-dead", severity, "qos", qos->line ? qos->line : line,
			   "To have them in force, write `qos TRUE` (or start opensm with -Q); SIGHUP then "
			   "applies them. To leave QoS off, take them out.",
			   "%s: %zu qos_* option%s of the file (%s in line %lld first) and the QoS policy "
			   "file do nothing; only max_op_vls works on, unless opensm is started with -Q",
			   why, count, count == 1 ? "" : "s", key, (long long)line);
}

/* Severity of a fault in a table: dead ones harm nobody now. */
static enum severity table_severity(const struct opensm_conf *conf, enum severity severity)
{
	return opensm_conf_true(conf, "qos") ? severity : SEVERITY_INFO;
}

/* What is odd about one element "VL:weight", as subn_verify_vlarb sees it; NULL: nothing. */
static const char *odd_vlarb_element(const char *element, size_t length)
{
	const char *colon = memchr(element, ':', length);
	char *end;
	unsigned long vl, weight;

	if (!colon)
		return "has no weight";
	vl = strtoul(element, &end, 0);
	if (end != colon || end == element)
		return "has no number for the VL";
	weight = strtoul(colon + 1, &end, 0);
	if (end != element + length || end == colon + 1)
		return "has no number for the weight";
	if (vl == 15)
		return "names VL 15, which is never arbitrated: OpenSM takes it modulo 15 and gives the "
		       "weight to VL 0";
	if (vl > 14)
		return "names a VL above 14: OpenSM takes it modulo 15";
	if (weight > 255)
		return "has a weight above 255: OpenSM takes it modulo 256";
	return NULL;
}

static int note_vlarb_element(struct opensm_conf *conf, const char *key, int64_t line,
			      const char *element, size_t length, bool last, const char *odd,
			      struct err *err)
{
	char shown[CONFIG_SHOW_SIZE];
	const char *id = strstr(odd, "VL 15") ? "vlarb-vl15" : "vlarb-element";
	const char *effect = "";

	if (strstr(odd, "no weight"))
		effect = last ? ": OpenSM gives it weight 0"
			      : ": OpenSM takes the next number for the weight, and all that follows "
				"shifts";
	else if (strstr(odd, "no number"))
		effect = ": OpenSM skips one character after each number, so what follows shifts";
	return config_note(&conf->notes, err, id, table_severity(conf, SEVERITY_ERROR), key, line,
			   "Write pairs VL:weight, VL 0 to 14, weight 0 to 255, joined by commas alone.",
			   "the entry \"%s\" of %s %s%s; OpenSM reads the whole as %.600s",
			   config_show(element, length, shown), key, odd, effect,
			   opensm_conf_text(conf, key));
}

static int check_vlarb(struct opensm_conf *conf, const char *key, struct err *err)
{
	const struct opensm_slot *slot = opensm_conf_slot(conf, key);
	const char *text = slot->raw;
	size_t count = 0;
	int rc = 0;

	if (slot->line == 0 || !slot->effective)
		return 0;
	for (text += strspn(text, ","); rc == 0 && *text; text += strspn(text, ",")) {
		size_t length = strcspn(text, ",");
		const char *odd = odd_vlarb_element(text, length);

		if (odd)
			rc = note_vlarb_element(conf, key, slot->line, text, length,
						text[length + strspn(text + length, ",")] == '\0', odd,
						err);
		text += length;
		count++;
	}
	if (rc == 0 && count > 64)
		rc = config_note(&conf->notes, err, "vlarb-too-long",
				 table_severity(conf, SEVERITY_WARNING), key, slot->line, NULL,
				 "%s has %zu entries: OpenSM drops what is behind the 64th", key, count);
	return rc;
}

static int check_sl2vl_length(struct opensm_conf *conf, enum qos_class class, const char *key,
			      const struct opensm_slot *slot, size_t count, struct err *err)
{
	const char *general = opensm_conf_slot(conf, "qos_sl2vl")->effective;
	bool differs = class != QOS_CLASS_DEFAULT && general && slot->effective &&
		       strcmp(general, slot->effective) != 0;

	if (count > 16)
		return config_note(&conf->notes, err, "sl2vl-length",
				   table_severity(conf, SEVERITY_WARNING), key, slot->line, NULL,
				   "%s has %zu numbers: OpenSM drops those behind the 16th", key, count);
	if (count == 16)
		return 0;
	return config_note(&conf->notes, err, "sl2vl-length", table_severity(conf, SEVERITY_ERROR), key,
			   slot->line, "Write all 16 numbers, one for each SL.",
			   "%s has %zu of 16 numbers: OpenSM reads the rest as 0, so SL %zu to 15 go to "
			   "VL 0 on %s%s", key, count, count, opensm_conf_ports(class),
			   differs ? ", unlike on ports that take qos_sl2vl" : "");
}

static int check_sl2vl(struct opensm_conf *conf, enum qos_class class, struct err *err)
{
	char key[64], shown[CONFIG_SHOW_SIZE];
	const struct opensm_slot *slot;
	size_t count = 0;
	int rc = 0;

	snprintf(key, sizeof(key), "%ssl2vl", qos_class_prefix(class));
	slot = opensm_conf_slot(conf, key);
	if (slot->line == 0 || !slot->effective)
		return 0;
	for (const char *text = slot->raw + strspn(slot->raw, ","); rc == 0 && *text;
	     text += strspn(text, ",")) {
		size_t length = strcspn(text, ",");
		char *end;
		long vl = strtol(text, &end, 0);
		bool number = end == text + length;

		if (!number || vl < 0 || vl > 15)
			rc = config_note(&conf->notes, err, "sl2vl-element",
					 table_severity(conf, SEVERITY_ERROR), key, slot->line,
					 "Write 16 numbers of 0 to 15, joined by commas alone.",
					 "the entry \"%s\" of %s is no VL 0 to 15: OpenSM %s and reads the "
					 "whole as %.200s", config_show(text, length, shown), key,
					 number ? "cuts it to four bits"
						: "skips one character after each number",
					 slot->effective);
		text += length;
		count++;
	}
	return rc < 0 ? rc : check_sl2vl_length(conf, class, key, slot, count, err);
}

static int check_max_vls(struct opensm_conf *conf, struct err *err)
{
	bool torus = strstr(opensm_conf_text(conf, "routing_engine"), "torus-2QoS") != NULL;
	int rc = 0;

	if (!opensm_conf_true(conf, "qos"))
		return 0;
	for (int class = 0; rc == 0 && class < QOS_CLASS_COUNT; class++) {
		const struct opensm_slot *slot;
		char key[64];

		snprintf(key, sizeof(key), "%smax_vls", qos_class_prefix((enum qos_class)class));
		slot = opensm_conf_slot(conf, key);
		if (slot->line && slot->effective && !torus && strcmp(slot->effective, "15") != 0)
			rc = config_note(&conf->notes, err, "max-vls-limits-nothing",
					 SEVERITY_WARNING, key, slot->line,
					 "Limit lanes with max_op_vls (a code: 1, 2, 3, 4, 5 for 1, 2, 4, 8, "
					 "15 VLs); changing it takes links to CAs down for a moment.",
					 "%s is %s, but OpenSM limits nothing by it", key, slot->effective);
	}
	return rc;
}

static int check_max_op_vls(struct opensm_conf *conf, struct err *err)
{
	const struct opensm_slot *slot = opensm_conf_slot(conf, "max_op_vls");
	uint64_t code = opensm_conf_number(conf, "max_op_vls");

	if (slot->line == 0 || (code >= 1 && code <= 5))
		return 0;
	return config_note(&conf->notes, err, "max-op-vls-no-code", SEVERITY_WARNING, "max_op_vls",
			   slot->line,
			   "Write the code: 1, 2, 3, 4 or 5 for 1, 2, 4, 8 or 15 VLs; changing it takes "
			   "links to CAs down for a moment.",
			   "max_op_vls is %" PRIu64 ", which is none of the codes 1 to 5: OpenSM does not "
			   "check it and limits nothing", code);
}

static int check_reassign(struct opensm_conf *conf, struct err *err)
{
	const struct opensm_slot *slot = opensm_conf_slot(conf, "reassign_lids");
	bool honor = opensm_conf_true(conf, "honor_guid2lid_file");

	if (!opensm_conf_true(conf, "reassign_lids"))
		return 0;
	return config_note(&conf->notes, err, "reassign-lids", SEVERITY_WARNING, "reassign_lids",
			   slot->line,
			   "Write `reassign_lids FALSE`, so that LIDs stay over a restart of the SM.",
			   "reassign_lids is TRUE: each time this SM starts and becomes master it gives "
			   "every port a new LID%s", honor ?
			   ", and drops the guid2lid file although honor_guid2lid_file is TRUE" : "");
}

static int check_engines(struct opensm_conf *conf, struct err *err)
{
	const struct opensm_slot *slot = opensm_conf_slot(conf, "routing_engine");
	const char *text = slot->effective;
	char shown[CONFIG_SHOW_SIZE];
	int rc = 0;

	if (!text)
		return 0;
	for (text += strspn(text, ", \t"); rc == 0 && *text; text += strspn(text, ", \t")) {
		size_t length = strcspn(text, ", \t");
		bool none = length == 4 && memcmp(text, "none", 4) == 0;

		if (none)
			rc = config_note(&conf->notes, err, "engine-none", SEVERITY_CRITICAL,
					 "routing_engine", slot->line, "Name a routing engine.",
					 "routing_engine names \"none\": OpenSM 3.3.23 crashes with it");
		else if (!opensm_engine_is_known(text, length))
			rc = config_note(&conf->notes, err, "engine-unknown", SEVERITY_ERROR,
					 "routing_engine", slot->line, NULL,
					 "routing_engine names \"%s\", which OpenSM 3.3.23 does not know and "
					 "skips", config_show(text, length, shown));
		text += length;
	}
	return rc;
}

static int check_enforcement(struct opensm_conf *conf, struct err *err)
{
	const struct opensm_slot *slot = opensm_conf_slot(conf, "part_enforce");

	if (!opensm_conf_true(conf, "no_partition_enforcement") || slot->line == 0 ||
	    strcmp(slot->raw, "off") == 0)
		return 0;
	return config_note(&conf->notes, err, "enforcement-overridden", SEVERITY_WARNING, "part_enforce",
			   slot->line, "Take no_partition_enforcement out; part_enforce replaces it.",
			   "part_enforce is %.40s, but no_partition_enforcement TRUE turns enforcement off",
			   slot->raw);
}

/* All keys of the vendor's OpenSM in one note. */
static int note_vendor_keys(struct opensm_conf *conf, struct err *err)
{
	char names[400] = "";
	size_t length = 0, count = 0;
	int64_t line = 0;

	for (size_t i = 0; i < conf->unknown_count; i++) {
		if (!conf->unknown[i].vendor)
			continue;
		if (line == 0)
			line = conf->unknown[i].line;
		if (++count <= 5)
			length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%.64s",
						   length ? ", " : "", conf->unknown[i].name);
	}
	if (count == 0)
		return 0;
	return config_note(&conf->notes, err, "vendor-key", SEVERITY_INFO, NULL, line, NULL,
			   "%zu key%s of the vendor's OpenSM (%s%s): OpenSM 3.3.23 does not know %s; if the "
			   "vendor's runs here, values in force may differ from those given here", count,
			   count == 1 ? "" : "s", names, count > 5 ? ", ..." : "",
			   count == 1 ? "it" : "them");
}

int opensm_conf_check(struct opensm_conf *conf, struct err *err)
{
	int rc = check_qos_dead(conf, err);
	char key[64];

	if (rc == 0)
		rc = check_max_op_vls(conf, err);
	for (int class = 0; rc == 0 && class < QOS_CLASS_COUNT; class++) {
		const char *prefix = qos_class_prefix((enum qos_class)class);

		rc = check_sl2vl(conf, (enum qos_class)class, err);
		snprintf(key, sizeof(key), "%svlarb_high", prefix);
		if (rc == 0)
			rc = check_vlarb(conf, key, err);
		snprintf(key, sizeof(key), "%svlarb_low", prefix);
		if (rc == 0)
			rc = check_vlarb(conf, key, err);
	}
	if (rc == 0)
		rc = check_max_vls(conf, err);
	if (rc == 0)
		rc = check_reassign(conf, err);
	if (rc == 0)
		rc = check_engines(conf, err);
	if (rc == 0)
		rc = check_enforcement(conf, err);
	return rc < 0 ? rc : note_vendor_keys(conf, err);
}
