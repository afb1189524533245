/*
 * Why lines of a capture may not have been understood: what somebody's copying
 * does to all of a file's lines shows in a few of them.
 */
#ifndef STORE_ODD_CAUSE_H
#define STORE_ODD_CAUSE_H

#include "store/fabric.h"

/* Counts over the lines looked at; start with all zero. */
struct odd_look {
	size_t lines;
	size_t stamped;		/* begin with a date or a time of day */
	size_t blanked;		/* begin with a word in <> or the like: someone took the GUIDs out */
	size_t numbered;	/* begin with their own number */
	size_t hosted;		/* begin with a word and a colon that one of the lines before has, too */
	uint64_t hosts[8];	/* hashes of these words, the last ones; 0: none */
	size_t host_next;	/* place of the next one */
	size_t typographic;	/* hold quotes or blanks of a word processor */
	size_t entities;	/* hold HTML's &quot; and its like */
	size_t printable;	/* hold =3D or =20, or end in = */
	size_t longest;		/* bytes of the longest line, */
	size_t at_longest;	/* and how many are so long */
};

/* `number` of the line, from 1. */
void odd_look_at(struct odd_look *look, const char *text, size_t length, int64_t number);

/* What most of them have in common, with the way out, as the end of a sentence; "" for nothing. */
const char *odd_look_cause(const struct odd_look *look);

/* The same of the lines of this source that were kept. */
const char *odd_cause(const struct fabric *fabric, source_ref source);

/* True when nothing of it was understood, or less than what was not: more than a stray line. */
bool odd_is_most(const struct source *source);

/* Fewer odd lines than this are stray ones, whatever else the file holds. */
#define ODD_STRAY_LINES 10

#endif
