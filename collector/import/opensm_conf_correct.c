#include "collector/import/opensm_conf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number outside [0..most] without [gap_from..gap_to] becomes `instead`. */
struct range_rule {
	const char *key;
	uint32_t most;
	uint32_t gap_from;	/* 0: no gap */
	uint32_t gap_to;
	const char *instead;
};

static const struct range_rule range_rules[] = {
	{"sm_priority", 15, 0, 0, "0"},
	{"force_link_speed", 15, 8, 14, "15"},
	{"force_link_speed_ext", 31, 8, 29, "31"},
	{"force_link_width", 255, 32, 254, "255"},
	{"fdr10", 2, 0, 0, "1"},
	{"max_wire_smps", 0x7fffffff, 0, 0, "4"},
	{"m_key_protection_level", 3, 0, 0, "2"},
};

static int correct(struct opensm_conf *conf, const char *key, const char *instead,
		   const char *why, struct err *err)
{
	const struct opensm_slot *slot = opensm_conf_slot(conf, key);
	int rc;

	rc = config_note(&conf->notes, err, "value-corrected", SEVERITY_ERROR, key, slot->line, NULL,
			 "%s is %.100s, %s: OpenSM takes %s instead", key, opensm_conf_text(conf, key),
			 why, instead);
	return rc < 0 ? rc : opensm_conf_set(conf, key, instead, err);
}

static int correct_ranges(struct opensm_conf *conf, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(range_rules) / sizeof(range_rules[0]); i++) {
		const struct range_rule *rule = &range_rules[i];
		uint64_t value = opensm_conf_number(conf, rule->key);

		if (value > rule->most ||
		    (rule->gap_from && value >= rule->gap_from && value <= rule->gap_to))
			rc = correct(conf, rule->key, rule->instead, "which it does not accept", err);
	}
	return rc;
}

static int correct_lmc(struct opensm_conf *conf, struct err *err)
{
	uint64_t lmc = opensm_conf_number(conf, "lmc");
	int rc;

	if (lmc <= 7)
		return 0;
	rc = config_note(&conf->notes, err, "lmc-above-7", SEVERITY_ERROR, "lmc",
			 opensm_conf_slot(conf, "lmc")->line,
			 "Write an lmc of 0 to 7; it is read at OpenSM's start only and changes LIDs.",
			 "lmc is %" PRIu64 ", more than 7: OpenSM resets it to 0, every port gets one LID",
			 lmc);
	return rc < 0 ? rc : opensm_conf_set(conf, "lmc", "0", err);
}

static int correct_timeouts(struct opensm_conf *conf, struct err *err)
{
	uint64_t timeout = opensm_conf_number(conf, "transaction_timeout");
	char text[32];
	int rc = 0;

	if (opensm_conf_number(conf, "max_wire_smps") == 0)
		rc = opensm_conf_set(conf, "max_wire_smps", "2147483647", err);
	if (rc == 0 && opensm_conf_number(conf, "max_wire_smps2") > 0x7fffffff) {
		snprintf(text, sizeof(text), "%s", opensm_conf_text(conf, "max_wire_smps"));
		rc = correct(conf, "max_wire_smps2", text, "which it does not accept", err);
	}
	if (rc == 0 && opensm_conf_number(conf, "long_transaction_timeout") < timeout) {
		snprintf(text, sizeof(text), "%" PRIu64, timeout);
		rc = correct(conf, "long_transaction_timeout", text, "less than transaction_timeout", err);
	}
	if (rc == 0 && opensm_conf_number(conf, "perfmgr_sweep_time_s") < 1)
		rc = correct(conf, "perfmgr_sweep_time_s", "180", "which it does not accept", err);
	if (rc == 0 && opensm_conf_number(conf, "perfmgr_max_outstanding_queries") < 1)
		rc = correct(conf, "perfmgr_max_outstanding_queries", "500", "which it does not accept",
			     err);
	return rc;
}

/* With protection and a lease, the sweep must come before the lease ends. */
static int correct_lease(struct opensm_conf *conf, struct err *err)
{
	uint64_t lease = opensm_conf_number(conf, "m_key_lease_period");
	uint64_t sweep = opensm_conf_number(conf, "sweep_interval");
	char text[32];
	int rc = 0;

	if (opensm_conf_number(conf, "m_key_protection_level") == 0 || lease == 0)
		return 0;
	if (sweep == 0) {
		sweep = lease - 1;
		snprintf(text, sizeof(text), "%" PRIu64, sweep);
		rc = correct(conf, "sweep_interval", text,
			     "no sweeping, which would let the M_Key leases run out", err);
	}
	if (rc == 0 && sweep >= lease) {
		snprintf(text, sizeof(text), "%u", (unsigned)((sweep + 1) & 0xffff));
		rc = correct(conf, "m_key_lease_period", text, "not longer than the sweep interval", err);
	}
	return rc;
}

/* Both end OpenSM 3.3.23 with a segmentation fault when they are unset. */
static int note_crash(struct opensm_conf *conf, const char *key, struct err *err)
{
	const struct opensm_slot *slot = opensm_conf_slot(conf, key);

	if (slot->effective)
		return 0;
	return config_note(&conf->notes, err, "crashes-opensm", SEVERITY_CRITICAL, key, slot->line,
			   "Take the line out; OpenSM then uses its default.",
			   "%s is (null): OpenSM 3.3.23 crashes when it reads this file, so no SM starts "
			   "with it", key);
}

static int correct_words(struct opensm_conf *conf, struct err *err)
{
	static const char *const consoles[] = {"off", "local", "loopback", "socket"};
	static const char *const enforcements[] = {"both", "in", "out", "off"};
	const char *console = opensm_conf_text(conf, "console");
	const char *enforce = opensm_conf_text(conf, "part_enforce");
	bool known_console = false, known_enforce = false;
	int rc;

	for (size_t i = 0; i < 4; i++) {
		known_console = known_console || strcmp(console, consoles[i]) == 0;
		known_enforce = known_enforce || strcmp(enforce, enforcements[i]) == 0;
	}
	rc = note_crash(conf, "console", err);
	if (rc == 0)
		rc = note_crash(conf, "part_enforce", err);
	if (rc == 0 && !known_console)
		rc = correct(conf, "console", "off", "which it does not know", err);
	/* One that was corrected is no text of the file any more. */
	if (rc == 0 && known_console && strcmp(console, "socket") == 0)
		rc = config_note(&conf->notes, err, "console-socket", SEVERITY_INFO, "console",
				 opensm_conf_slot(conf, "console")->line, NULL,
				 "console socket needs an OpenSM that was built with it; any other, Debian's "
				 "among them, takes off instead");
	if (rc < 0)
		return rc;
	if (opensm_conf_true(conf, "no_partition_enforcement"))
		return opensm_conf_set(conf, "part_enforce", "off", err);
	return known_enforce ? 0 : correct(conf, "part_enforce", "both", "which it does not know", err);
}

static int correct_high_limit(struct opensm_conf *conf, enum qos_class class, struct err *err)
{
	char key[64], inherits[64] = "";
	const struct opensm_slot *slot;
	int rc;

	snprintf(key, sizeof(key), "%shigh_limit", qos_class_prefix(class));
	slot = opensm_conf_slot(conf, key);
	if (!slot->effective || strtoll(slot->effective, NULL, 10) <= 255)
		return 0;
	if (class != QOS_CLASS_DEFAULT)
		snprintf(inherits, sizeof(inherits), ", so %s take qos_high_limit", opensm_conf_ports(class));
	rc = config_note(&conf->notes, err, "high-limit-above-255", SEVERITY_ERROR, key, slot->line,
			 "Write 0 to 254 (units of 4096 bytes); 255 means no limit.",
			 "%s is %s, more than 255: OpenSM treats it as not set%s%s", key, slot->effective,
			 inherits, class == QOS_CLASS_DEFAULT ? ", which means 0" :
			 " (its message says 0 all the same)");
	return rc < 0 ? rc : opensm_conf_set(conf, key, NULL, err);
}

static int correct_qos(struct opensm_conf *conf, struct err *err)
{
	char key[64];
	int rc = 0;

	for (int class = 0; rc == 0 && class < QOS_CLASS_COUNT; class++) {
		rc = correct_high_limit(conf, (enum qos_class)class, err);
		snprintf(key, sizeof(key), "%smax_vls", qos_class_prefix((enum qos_class)class));
		if (rc == 0 && opensm_conf_number(conf, key) > 15)
			rc = opensm_conf_set(conf, key, NULL, err);
	}
	return rc;
}

int opensm_conf_correct(struct opensm_conf *conf, struct err *err)
{
	int rc = correct_lmc(conf, err);

	if (rc == 0)
		rc = correct_ranges(conf, err);
	if (rc == 0)
		rc = correct_timeouts(conf, err);
	if (rc == 0)
		rc = correct_words(conf, err);
	if (rc == 0 && opensm_conf_true(conf, "qos"))
		rc = correct_qos(conf, err);
	if (rc == 0)
		rc = correct_lease(conf, err);
	return rc;
}
