/* What keeps a store that lasts for years small and whole. */
#ifndef STORE_MAINTAIN_H
#define STORE_MAINTAIN_H

#include "store/store.h"

/* Which snapshots a clean-up takes. */
struct prune_rule {
	const char *site;	/* only of this site; NULL: all, each counted for itself */
	int64_t keep;		/* the newest so many of each site stay; at least 1 */
	int64_t before;		/* only those stored before this UTC second; FIELD_UNKNOWN: any */
	bool labelled;		/* also those with a label, which else stay */
};

/*
 * What the rule takes, oldest first; nothing is deleted. *ret_ids belongs to
 * the caller (free; NULL when there is none). ERR_USAGE, ERR_DB, ERR_NOMEM.
 */
int store_prune_list(struct store *store, const struct prune_rule *rule, int64_t **ret_ids,
		     size_t *ret_count, struct err *err);

/* What a deletion gave back. */
struct prune_result {
	int64_t snapshots;
	int64_t bodies;		/* devices, tables, facts, findings that nothing refers to any more */
	int64_t blocks;
	int64_t bytes;		/* free in the file now; the next snapshots use them */
};

/*
 * Deletes snapshots with their audits and all that nothing refers to any more,
 * in one transaction. Ids are never used again. With `compact` the file is
 * rewritten without its free space afterwards, which for a while needs as much
 * room again. ERR_NOT_FOUND (one of the ids; nothing is deleted), ERR_DB.
 */
int store_prune(struct store *store, const int64_t *ids, size_t count, bool compact,
		struct prune_result *ret_result, struct err *err);

/* Receives a problem as a sentence. Return non-zero to stop. */
typedef int (*verify_fn)(void *context, const char *problem);

/*
 * Checks the file's structure, that what rows refer to is there, that every
 * block and body has its hash, and that every snapshot and audit can be read.
 * Changes nothing. *ret_problems is how many were told. ERR_DB when not even
 * the check can run.
 */
int store_verify(struct store *store, verify_fn problem, void *context, size_t *ret_problems,
		 struct err *err);

#endif
