/*
 * A rule's header in partitions.conf: "Name=0x10, ipoib, mtu=4 :", its words by
 * their abbreviations.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/import/partitions_reader.h"
#include "store/field.h"

/* strtoul, and what it leaves is only looked at for a message that is off by default. */
static int64_t loose_number(const char *text)
{
	return text ? (int64_t)(strtoull(text, NULL, 0) & 0xffffffffu) : FIELD_UNKNOWN;
}

static int take_membership_flag(struct partitions_reader *reader, struct partition_rule *rule,
				const char *value)
{
	if (value && *value == '\0' &&
	    partitions_warn(reader, "membership-word", "defmember=", "Write defmember=full, limited or both.",
		 "has no value: OpenSM takes that for full") < 0)
		return ERR_NOMEM;
	if (!value || (!partitions_abbreviates(value, "limited") &&
		       !partitions_abbreviates(value, "both") &&
		       !partitions_abbreviates(value, "full")))
		return partitions_warn(reader, "membership-word", value ? value : "defmember",
				       "Write defmember=full, limited or both, in lower case.",
				       "is no membership that defmember takes: OpenSM skips it, members "
				       "are limited");
	rule->membership = partitions_abbreviates(value, "full")   ? MEMBERSHIP_FULL
			   : partitions_abbreviates(value, "both") ? MEMBERSHIP_BOTH
								   : MEMBERSHIP_LIMITED;
	return 0;
}

static int take_sl(struct partitions_reader *reader, struct partition_rule *rule, const char *value)
{
	char *end = NULL;
	unsigned long long sl = value && *value ? strtoull(value, &end, 0) : 16;

	if (sl > 15 || (*end && !isspace((unsigned char)*end)))
		return partitions_warn(reader, "partition-sl", value ? value : "sl", "Write sl=0 to sl=15.",
			    "is no SL: OpenSM skips it and uses SL 0");
	rule->sl = (int64_t)sl;
	return 0;
}

/* The order of the comparisons counts: "s" is scope, not sl. */
static int take_flag(struct partitions_reader *reader, struct partition_rule *rule, const char *name,
		     const char *value)
{
	if (partitions_abbreviates(name, "mtu")) {
		if (value)
			rule->mtu = loose_number(value);
	} else if (partitions_abbreviates(name, "rate")) {
		if (value)
			rule->rate = loose_number(value);
	} else if (partitions_abbreviates(name, "scope") || partitions_abbreviates(name, "Q_Key") ||
		   partitions_abbreviates(name, "TClass")) {
		return 0;
	} else if (partitions_abbreviates(name, "sl")) {
		return take_sl(reader, rule, value);
	} else if (partitions_abbreviates(name, "FlowLabel")) {
		return 0;
	} else if (partitions_abbreviates(name, "ipoib")) {
		rule->ipoib = true;
	} else if (partitions_abbreviates(name, "defmember")) {
		return take_membership_flag(reader, rule, value);
	} else if (strcmp(name, "indx0") != 0) {
		return partitions_warn(reader, "partition-flag", name,
			    "Flags are ipoib, mtu, rate, sl, scope, defmember, Q_Key, TClass, FlowLabel and "
			    "indx0, written so.",
			    "is no flag that OpenSM knows: it skips it, with a message only at the verbose "
			    "level");
	}
	return 0;
}

/* "Name=0x10" or "0x10" or "Name". */
static int take_name(struct partitions_reader *reader, struct partition_rule *rule, char *text)
{
	char *name, *value, *end;

	partitions_split(text, &name, &value);
	if (!value && isdigit((unsigned char)*name)) {
		value = name;
		name = NULL;
	}
	if (name) {
		rule->has_name = true;
		rule->name_cut = strlen(name) >= sizeof(rule->name);
		snprintf(rule->name, sizeof(rule->name), "%.*s", (int)sizeof(rule->name) - 1, name);
	}
	if (!value)
		return 0;
	rule->has_key = true;
	rule->key = (uint16_t)strtoull(value, &end, 0);
	if (end == value || *end)
		return partitions_fault(reader, value, " is no P_Key",
			     "Write Name=0x followed by up to four hex digits.");
	return 0;
}

int partitions_header(struct partitions_reader *reader, char *text)
{
	struct partition_rule rule = {
		.mtu = FIELD_UNKNOWN, .rate = FIELD_UNKNOWN, .sl = FIELD_UNKNOWN,
		.membership = MEMBERSHIP_LIMITED, .line = reader->line,
	};
	char *next = strchr(text, ',');
	char *name, *value;
	int rc;

	if (next)
		*next++ = '\0';
	rc = take_name(reader, &rule, text);
	while (rc == 0 && next) {
		text = next;
		next = strchr(text, ',');
		if (next)
			*next++ = '\0';
		partitions_split(text, &name, &value);
		rc = take_flag(reader, &rule, name, value);
	}
	if (rc != 0)
		return rc;
	rc = partition_table_rule(&reader->table, &rule, &reader->index, reader->err);
	if (rc == 1)
		return partitions_fault(reader, rule.name, " can be given no key: all are taken", NULL);
	reader->in_rule = true;
	reader->membership = rule.membership;
	return rc;
}
