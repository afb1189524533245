/*
 * partitions.conf while it is read. For partitions_conf.c (the grammar of
 * OpenSM's osm_prtn_config.c) and partitions_build.c (what it makes of it,
 * osm_prtn.c).
 */
#ifndef COLLECTOR_IMPORT_PARTITIONS_H
#define COLLECTOR_IMPORT_PARTITIONS_H

#include "collector/import/config_note.h"

#define PARTITION_DEFAULT_KEY 0x7fff
#define PARTITION_DEFAULT_MTU 4		/* code of 2048 bytes */
#define PARTITION_DEFAULT_RATE 3	/* code of 10 Gb/s */
#define PARTITION_NAME_SIZE 32		/* osm_prtn_t: a longer name is cut */

/* What stands in front of the colon of a rule. */
struct partition_rule {
	char name[PARTITION_NAME_SIZE];	/* "" when the rule begins with a number */
	bool has_name;
	bool name_cut;			/* it is longer than `name` holds, and than OpenSM keeps */
	bool has_key;
	uint64_t key;			/* as written, cut to 16 bits */
	bool ipoib;
	int64_t mtu, rate, sl;		/* FIELD_UNKNOWN: not given */
	enum membership membership;	/* of members without one of their own */
	int64_t line;
};

/* A partition that grows; members move into the fabric's memory at the end. */
struct partition_draft {
	char name[PARTITION_NAME_SIZE];
	uint16_t key;
	uint64_t key_written;		/* of the rule that made it */
	bool ipoib;
	int64_t mtu, rate, sl;
	struct partition_member *members;
	size_t member_count, member_room;
	int64_t line;
};

struct partition_table {
	struct config_notes notes;
	struct partition_draft *drafts;
	size_t count, room;
	uint16_t *by_key;		/* index + 1 of the draft, 32768 entries */
	uint16_t generated;		/* the last key that was given out */
};

/* With the Default partition that OpenSM makes before it reads. 0 or ERR_NOMEM. */
int partition_table_new(struct partition_table *table, struct config *config, source_ref source,
			struct err *err);
void partition_table_free(struct partition_table *table);

/*
 * The partition of the rule, made or merged with the one that has the key.
 * *ret_index: its draft. 0, 1 (no key is left: the rule fails) or ERR_NOMEM.
 */
int partition_table_rule(struct partition_table *table, const struct partition_rule *rule,
			 size_t *ret_index, struct err *err);

/* 0 or ERR_NOMEM. */
int partition_table_member(struct partition_table *table, size_t index,
			   enum partition_member_kind kind, uint64_t guid,
			   enum membership membership, int64_t line, struct err *err);

/*
 * Moves the partitions into the config; with `dropped` only the one that OpenSM
 * falls back to, all ports full in 0x7fff. 0 or ERR_NOMEM.
 */
int partition_table_store(struct partition_table *table, bool dropped, struct err *err);

#endif
