/*
 * Whether the records of a file end where their tool ends them. infiniband-diags
 * prints one record behind the other without a foot; each kind has a last line,
 * and a file that was cut lacks that of its last record.
 *
 * Several records of a kind that all end alike, though not there, are whole:
 * that is how the tool of their release ends them, or what somebody chose of each.
 */
#ifndef COLLECTOR_IMPORT_RECORD_ENDS_H
#define COLLECTOR_IMPORT_RECORD_ENDS_H

#include "collector/import/format.h"

#define RECORD_KINDS_MAX 20

struct record_kind {
	const char *name;		/* "PortInfo": for the sentence */
	enum attribute attribute;	/* what is not known behind the cut */
	/* Keys, in lower case: the last line of a whole record has one of them. NULL: record_whole tells. */
	const char *const *last;
};

struct record_ends {
	struct record_state {
		const struct record_kind *kind;
		size_t whole;		/* records that ended as they should */
		size_t cut;		/* that did not */
		bool alike;		/* all those ended with the same key */
		uint64_t key;		/* hash of it */
		int64_t line;		/* where the first of those begins */
	} states[RECORD_KINDS_MAX];
	size_t count;
	struct record_state *open;	/* of the record being read, or NULL */
	bool is_whole;
	uint64_t key;
	int64_t line;
};

/* A record begins at this line; the one before has ended. */
void record_begin(struct record_ends *ends, const struct record_kind *kind, int64_t line);

/* The record's newest line is this key's. Without an open record nothing. */
void record_key(struct record_ends *ends, const char *key, size_t length);

/* The record is, or is no longer, as whole as it gets: for what does not end with a key. */
void record_whole(struct record_ends *ends, bool whole);

/* The open record, if any, has ended. */
void record_end(struct record_ends *ends);

/* Ends the last record and says which ones are cut, one of each kind. 0 or ERR_NOMEM. */
int record_ends_settle(struct record_ends *ends, struct import *import, struct err *err);

#endif
