#include "collector/import/partitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/array.h"

#define KEYS 0x8000

/* Gb/s of the rate codes, 0: no such code (IBA volume 1, PathRecord; 2 is 2.5 Gb/s). */
static const unsigned rate_of_code[] = {0,   0,   2,  10,  30,  5,   20, 40, 60,  80,  120,  14, 56,
					112, 168, 25, 100, 200, 300, 28, 50, 400, 600, 800, 1200};
#define RATE_CODE_MAX 22	/* of OpenSM 3.3.23 */
#define RATE_CODE_NEWEST 24
#define SELECTOR_EXACTLY 0x80

int partition_table_new(struct partition_table *table, struct config *config, source_ref source,
			struct err *err)
{
	struct partition_rule rule = {
		.name = "Default", .has_name = true, .has_key = true, .key = PARTITION_DEFAULT_KEY,
		.mtu = FIELD_UNKNOWN, .rate = FIELD_UNKNOWN, .sl = FIELD_UNKNOWN,
	};
	size_t index;
	int rc;

	*table = (struct partition_table){.notes = {.config = config, .source = source}};
	table->by_key = calloc(KEYS, sizeof(*table->by_key));
	if (!table->by_key)
		return err_no_memory(err);
	rc = partition_table_rule(table, &rule, &index, err);
	if (rc == 0)
		rc = partition_table_member(table, index, MEMBER_ALL, 0, MEMBERSHIP_LIMITED, 0, err);
	if (rc == 0)
		rc = partition_table_member(table, index, MEMBER_SELF, 0, MEMBERSHIP_FULL, 0, err);
	return rc;
}

void partition_table_free(struct partition_table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free(table->drafts[i].members);
	free(table->drafts);
	free(table->by_key);
}

static uint16_t generate_key(struct partition_table *table)
{
	while (table->generated < PARTITION_DEFAULT_KEY - 1) {
		uint16_t key = ++table->generated;

		if (table->by_key[key] == 0)
			return key;
	}
	return 0;
}

/* OpenSM's map is in order of the keys as they are on the wire, read on a little-endian machine. */
static unsigned map_order(uint16_t key)
{
	return (unsigned)(key & 0xff) << 8 | key >> 8;
}

/* The draft with this name, or SIZE_MAX. */
static size_t find_by_name(const struct partition_table *table, const char *name)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->drafts[i].name, name) == 0 &&
		    (found == SIZE_MAX ||
		     map_order(table->drafts[i].key) < map_order(table->drafts[found].key)))
			found = i;
	}
	return found;
}

static int add_draft(struct partition_table *table, const struct partition_rule *rule, uint16_t key,
		     size_t *ret_index, struct err *err)
{
	struct partition_draft *draft;
	struct partition_draft *drafts =
		array_grow(table->drafts, table->count, &table->room, sizeof(*drafts));

	if (!drafts)
		return err_no_memory(err);
	table->drafts = drafts;
	draft = &table->drafts[table->count];
	*draft = (struct partition_draft){.key = key, .key_written = rule->has_key ? rule->key : key,
					  .mtu = FIELD_UNKNOWN, .rate = FIELD_UNKNOWN,
					  .sl = FIELD_UNKNOWN, .line = rule->line};
	if (rule->name[0])
		memcpy(draft->name, rule->name, sizeof(draft->name));
	else
		snprintf(draft->name, sizeof(draft->name), "%04x", key);
	table->by_key[key] = (uint16_t)(++table->count);
	*ret_index = table->count - 1;
	return 0;
}

/* What the group's parameter becomes: joined with "exactly", 3 in the top bits means the largest. */
static bool takes_largest(int64_t value)
{
	return ((value & 0xff) | SELECTOR_EXACTLY) >> 6 == 3;
}

static bool code_is_good(int64_t value, int least, int most)
{
	int code = (int)(((value & 0xff) | SELECTOR_EXACTLY) & 0x3f);

	return takes_largest(value) || (code >= least && code <= most);
}

static int code_of_mtu(int64_t bytes)
{
	for (int code = 1; code <= 5; code++) {
		if (mtu_of_code((unsigned)code) == bytes)
			return code;
	}
	return 0;
}

static int code_of_rate(int64_t gbps)
{
	for (int code = 2; code <= RATE_CODE_NEWEST; code++) {
		if ((int64_t)rate_of_code[code] == gbps)
			return code;
	}
	return 0;
}

/* One of mtu= and rate= of a group, when it is not a plain code. */
static int note_code(struct partition_table *table, const struct partition_draft *draft,
		     const char *word, int64_t value, int most, int meant, int64_t line,
		     struct err *err)
{
	bool rate = strcmp(word, "rate") == 0;
	int code = (int)((value & 0xff) & 0x3f);
	char remedy[120] = "", effect[160];

	if (value >= (rate ? 2 : 1) && value <= most) {
		/* A code all right, but perhaps a size was meant. */
		if (meant == 0 || meant == value || !rate)
			return 0;
		return config_note(&table->notes, err, "rate-code-or-size", SEVERITY_INFO, draft->name,
				   line, NULL,
				   "rate=%lld of partition %s is a code and means %u Gb/s; %lld Gb/s would "
				   "be rate=%d", (long long)value, draft->name, rate_of_code[value],
				   (long long)value, meant);
	}
	if (rate && value > most && value <= RATE_CODE_NEWEST)
		return config_note(&table->notes, err, "rate-code-new", SEVERITY_WARNING, draft->name,
				   line, NULL,
				   "rate=%lld of partition %s (%u Gb/s) is a code that OpenSM 3.3.23 does not "
				   "know: with it, the partition gets no IPoIB group (ERR 1B26)",
				   (long long)value, draft->name, rate_of_code[value]);
	if (meant)
		snprintf(remedy, sizeof(remedy), "Write %s=%d for %lld %s.", word, meant,
			 (long long)value, rate ? "Gb/s" : "bytes");
	if (takes_largest(value))
		snprintf(effect, sizeof(effect), "OpenSM cuts it to eight bits and takes it for \"the "
			 "largest that all ports have\"");
	else if (code_is_good(value, rate ? 2 : 1, most))
		snprintf(effect, sizeof(effect), "OpenSM cuts it to %d", code);
	else
		snprintf(effect, sizeof(effect), "OpenSM cannot make the group (ERR 1B26), so there is no "
			 "IPoIB in this partition");
	return config_note(&table->notes, err, rate ? "rate-no-code" : "mtu-no-code", SEVERITY_ERROR,
			   draft->name, line, meant ? remedy : NULL,
			   "%s=%lld of partition %s is none of the codes %d to %d: %s", word,
			   (long long)value, draft->name, rate ? 2 : 1, most, effect);
}

/* The broadcast group is made by the first rule that asks for it. */
static int make_group(struct partition_table *table, struct partition_draft *draft,
		      const struct partition_rule *rule, struct err *err)
{
	int64_t mtu = rule->mtu == FIELD_UNKNOWN ? PARTITION_DEFAULT_MTU : rule->mtu;
	int64_t rate = rule->rate == FIELD_UNKNOWN ? PARTITION_DEFAULT_RATE : rule->rate;
	int rc = 0;

	if (!rule->ipoib || draft->ipoib)
		return 0;
	draft->mtu = rule->mtu;
	draft->rate = rule->rate;
	draft->ipoib = code_is_good(mtu, 1, 5) &&
		       (code_is_good(rate, 2, RATE_CODE_MAX) || rate <= RATE_CODE_NEWEST);
	if (rule->mtu != FIELD_UNKNOWN)
		rc = note_code(table, draft, "mtu", mtu, 5, code_of_mtu(mtu), rule->line, err);
	if (rc == 0 && rule->rate != FIELD_UNKNOWN)
		rc = note_code(table, draft, "rate", rate, RATE_CODE_MAX, code_of_rate(rate), rule->line,
			       err);
	return rc;
}

/* Two rules are one partition: under two names or keys somebody may not know it. */
static int note_merge(struct partition_table *table, const struct partition_draft *draft,
		      const struct partition_rule *rule, struct err *err)
{
	const char *name = rule->name[0] ? rule->name : "(no name)";
	bool same_key = !rule->has_key || rule->key == draft->key_written;
	bool same_name = !rule->name[0] || strcmp(rule->name, draft->name) == 0;
	int rc = 0;

	if (draft->line == 0 && strcmp(rule->name, "Default") == 0)
		same_name = same_key = true;
	if (!same_name || !same_key)
		rc = config_note(&table->notes, err, "merged-partitions", SEVERITY_WARNING, draft->name,
				 rule->line,
				 "Give each partition one name and one key; bit 15 of a key does not count.",
				 "%s=0x%04x and %s=0x%04x%s are one partition, 0x%04x: only the low 15 bits "
				 "count, OpenSM merges the members and keeps the name %s", name,
				 (unsigned)(rule->has_key ? rule->key : draft->key), draft->name,
				 (unsigned)draft->key_written, draft->line ? "" : " (which OpenSM makes itself)",
				 draft->key, draft->name);
	if (rc == 0 && draft->sl != FIELD_UNKNOWN && draft->sl != 0 && rule->sl == FIELD_UNKNOWN)
		rc = config_note(&table->notes, err, "partition-sl-lost", SEVERITY_WARNING, draft->name,
				 rule->line, NULL,
				 "partition %s is given again without sl=: OpenSM resets its SL from %lld to 0",
				 draft->name, (long long)draft->sl);
	return rc;
}

/*
 * OpenSM reads the file at every heavy sweep, and the keys of the sweep before count as
 * taken. Only a partition that it finds again by its name keeps the key it made up.
 */
static int note_generated(struct partition_table *table, const struct partition_rule *rule, uint16_t key,
			  struct err *err)
{
	if (!rule->name[0] || rule->name_cut)
		return config_note(&table->notes, err, "generated-key", SEVERITY_ERROR, rule->name, rule->line,
				   "Write the key the hosts are to have: NAME=0xKEY.",
				   "a partition has no P_Key and %s: OpenSM makes up 0x%04x at its start and "
				   "another one at each heavy sweep, so that a cable that is plugged in takes "
				   "the partition's key from its hosts",
				   rule->name_cut ? "a name of more than 31 characters, which OpenSM does not find "
						    "again" : "no name", key);
	return config_note(&table->notes, err, "generated-key", SEVERITY_INFO, rule->name, rule->line,
			   "Write the key the hosts are to have: NAME=0xKEY.",
			   "partition %s has no P_Key: OpenSM makes up 0x%04x at its start, and may make up "
			   "another one when it reads a changed file at SIGHUP",
			   rule->name, key);
}

int partition_table_rule(struct partition_table *table, const struct partition_rule *rule,
			 size_t *ret_index, struct err *err)
{
	uint16_t key = (uint16_t)((rule->has_key ? rule->key : 0) & 0x7fff);
	size_t index = SIZE_MAX;
	int rc = 0;

	if (key == 0) {
		/* A name that was cut when it was kept is never found by its whole. */
		if (rule->has_name && !rule->name_cut)
			index = find_by_name(table, rule->name);
		if (index == SIZE_MAX) {
			key = generate_key(table);
			if (key == 0)
				return 1;
			rc = note_generated(table, rule, key, err);
		}
	} else if (table->by_key[key]) {
		index = (size_t)table->by_key[key] - 1;
	}
	if (rc == 0 && index != SIZE_MAX)
		rc = note_merge(table, &table->drafts[index], rule, err);
	else if (rc == 0)
		rc = add_draft(table, rule, key, &index, err);
	if (rc < 0)
		return rc;
	table->drafts[index].sl = rule->sl;
	if (table->drafts[index].line == 0)
		table->drafts[index].line = rule->line;
	*ret_index = index;
	return make_group(table, &table->drafts[index], rule, err);
}

int partition_table_member(struct partition_table *table, size_t index,
			   enum partition_member_kind kind, uint64_t guid,
			   enum membership membership, int64_t line, struct err *err)
{
	struct partition_draft *draft = &table->drafts[index];
	struct partition_member *members = array_grow(draft->members, draft->member_count,
						      &draft->member_room, sizeof(*members));

	if (!members)
		return err_no_memory(err);
	draft->members = members;
	draft->members[draft->member_count++] = (struct partition_member){kind, guid, membership, line};
	return 0;
}

static int store_draft(const struct partition_table *table, const struct partition_draft *draft,
		       struct err *err)
{
	struct config *config = table->notes.config;
	struct partition *partition = config_partition_add(config);

	if (!partition)
		return err_no_memory(err);
	partition->name = fabric_text(config->fabric, draft->name, strlen(draft->name));
	partition->pkey = draft->key;
	partition->ipoib = draft->ipoib;
	partition->mtu_code = draft->mtu;
	partition->rate_code = draft->rate;
	partition->sl = draft->sl;
	partition->line = draft->line;
	partition->source = table->notes.source;
	partition->member_count = draft->member_count;
	partition->members = fabric_alloc(config->fabric, draft->member_count, sizeof(*draft->members));
	if (!partition->name || !partition->members)
		return err_no_memory(err);
	if (draft->member_count)
		memcpy(partition->members, draft->members, draft->member_count * sizeof(*draft->members));
	return 0;
}

static int store_fallback(const struct partition_table *table, struct err *err)
{
	struct partition_member all = {MEMBER_ALL, 0, MEMBERSHIP_FULL, 0};
	struct partition_draft draft = {
		.name = "Default", .key = PARTITION_DEFAULT_KEY, .ipoib = true, .mtu = FIELD_UNKNOWN,
		.rate = FIELD_UNKNOWN, .sl = FIELD_UNKNOWN, .members = &all, .member_count = 1,
	};

	return store_draft(table, &draft, err);
}

int partition_table_store(struct partition_table *table, bool dropped, struct err *err)
{
	int rc = 0;

	if (dropped)
		return store_fallback(table, err);
	for (size_t i = 0; rc == 0 && i < table->count; i++) {
		struct partition_draft *draft = &table->drafts[i];

		if (draft->member_count == 0)
			rc = config_note(&table->notes, err, "empty-partition", SEVERITY_WARNING,
					 draft->name, draft->line, NULL,
					 "partition %s (0x%04x) has no member: OpenSM does not make it",
					 draft->name, draft->key);
		if (rc == 0)
			rc = store_draft(table, draft, err);
	}
	return rc;
}
