/*
 * Whether the records of a file are whole. infiniband-diags prints one record behind
 * the other without a foot, each kind with its lines in one order: a record that was
 * cut lacks the last ones, one that lost some lacks others, and one whose title was
 * lost has the lines of two.
 *
 * A record that alone lacks what two others of its kind and file have of a later release
 * has lost it. Several records of a kind that all lack the same are whole: that is what their
 * release prints, or what somebody chose of each. So is one whose lines stand in
 * another order, which is another tool's choice.
 */
#ifndef COLLECTOR_IMPORT_RECORD_ENDS_H
#define COLLECTOR_IMPORT_RECORD_ENDS_H

#include "collector/import/format.h"

#define RECORD_KINDS_MAX 24
#define RECORD_LINES_MAX 60
#define RECORD_RELEASES 4		/* the digits in front of lines, and none */

struct record_kind {
	const char *name;		/* "PortInfo": for the sentence */
	enum attribute attribute;	/* what is not known when lines are missing */
	/*
	 * The keys of its lines, in order, at most RECORD_LINES_MAX up to a NULL; "a|b" is called
	 * either way. A digit from 1 to 3 in front: later releases print it, together with all lines
	 * of that digit and of lower ones. NULL: record_whole alone tells.
	 */
	const char *const *lines;
	bool rows;			/* record_whole tells of what is behind the lines */
};

/* How a record's first line begins; a list of them ends with words NULL. */
struct record_title {
	const char *words;
	int what;			/* the reader's name for it */
	struct record_kind kind;
};

struct record_ends {
	struct record_state {
		const struct record_kind *kind;
		size_t whole;		/* records that lack nothing */
		size_t cut;		/* that do */
		bool alike;		/* all those lack the same */
		uint64_t missing;	/* bit per line: what the first of those lacks */
		int last;		/* its last line */
		int64_t line;		/* where it begins */
		struct record_release {	/* of the whole ones, by the latest line they have */
			size_t count;
			uint64_t seen;	/* lines of the first of them */
			int64_t line;	/* where that begins */
		} releases[RECORD_RELEASES];
	} states[RECORD_KINDS_MAX];
	size_t count;
	struct record_state *open;	/* of the record being read, or NULL */
	uint64_t seen;			/* bit per line of the kind */
	int last;			/* the newest of them, -1: none */
	bool shuffled;			/* they do not stand in the order of the kind */
	bool rows_whole;
	int64_t line;
};

/* A record begins at this line; the one before has ended. */
void record_begin(struct record_ends *ends, const struct record_kind *kind, int64_t line);

/* The open record turns out to be of this kind, whose lines begin now. */
void record_becomes(struct record_ends *ends, const struct record_kind *kind);

/*
 * The record's newest line is this key's. False: it has had one, so this is another
 * record's, whose title is missing. Without an open record, and for a key that is not
 * among the kind's lines, nothing.
 */
bool record_key(struct record_ends *ends, const char *key, size_t length);

/* The title whose words the text begins with, or NULL. */
const struct record_title *record_title_of(const struct record_title *titles, const char *text,
					   size_t length);

/* The key is not among the open record's lines but among those of one of the others. */
bool record_is_foreign(const struct record_ends *ends, const struct record_title *titles,
		       const char *key, size_t length);

/* The record is, or is no longer, as whole as it gets: for what does not end with a key. */
void record_whole(struct record_ends *ends, bool whole);

/* The open record lacks nothing. */
bool record_is_whole(const struct record_ends *ends);

/* The open record, if any, has ended. */
void record_end(struct record_ends *ends);

/* Ends the last record and says which ones are not whole, one of each kind. 0 or ERR_NOMEM. */
int record_ends_settle(struct record_ends *ends, struct import *import, struct err *err);

#endif
