/* What the files of the diff share. */
#ifndef STORE_DIFF_PARTS_H
#define STORE_DIFF_PARTS_H

#include "store/diff.h"

#define NO_DEVICE SIZE_MAX

/* A port (-1: all of the device) that something may lie behind unseen. */
struct hidden_place {
	size_t device;
	int port;
};

/* One of the two fabrics, with what of it is on the other side. */
struct diff_side {
	const struct fabric *fabric;
	const char *name;	/* "older", "newer" */
	size_t *other;		/* index on the other side by index here; NO_DEVICE: not there */
	bool *unseen;		/* by index here: not there, but behind a hole of the other side */
	struct hidden_place *places;	/* this side's holes, sorted */
	size_t place_count;
	bool somewhere;		/* one of them has no place: anything may be behind it */
};

/* Which device of one side is which of the other. */
struct diff_match {
	struct diff_side old_side;
	struct diff_side new_side;
};

int diff_match_new(const struct fabric *old_fabric, const struct fabric *new_fabric,
		   struct diff_match *ret_match, struct err *err);
void diff_match_free(struct diff_match *match);

/* True when the side `there` could have seen what `here` has at this port. */
bool diff_could_see(const struct diff_side *here, const struct diff_side *there,
		    const struct port *port);

/*
 * Appends a change; the texts are the caller's to set (finding_text). NULL
 * without memory. Good until the next one.
 */
struct change *diff_add(struct diff *diff, enum diff_kind kind, const struct device *device,
			const struct port *port);

/* Appends a change that is on no device of the fabric; all of it is the caller's to set. */
struct change *diff_add_row(struct diff *diff);

/* Appends a sentence. 0 or ERR_NOMEM. */
int diff_note(struct diff *diff, struct err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* True when it was asked of the whole fabric. */
bool diff_was_asked(const struct fabric *fabric, enum attribute attribute);

/* True when the sources of this fabric list devices, or links. */
bool diff_lists_devices(const struct fabric *fabric);
bool diff_lists_links(const struct fabric *fabric);

/* False of hosts for a list of switches alone (ibswitches, a dump of their tables), and the other way round. */
bool diff_lists_type(const struct fabric *fabric, enum node_type type);

/* Each part of the comparison. 0 or ERR_NOMEM. */
int diff_devices(const struct diff_match *match, unsigned keys, struct diff *diff,
		 struct err *err);
int diff_links(const struct diff_match *match, struct diff *diff, struct err *err);
int diff_ports(const struct diff_match *match, unsigned keys, struct diff *diff,
	       struct err *err);

int diff_hosts(const struct diff_match *match, unsigned keys, struct diff *diff,
	       struct err *err);

/* A note on the counters that could not have moved. */
int diff_counters(const struct diff_match *match, struct diff *diff, struct err *err);

#endif
