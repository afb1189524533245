/*
 * How the output of a tool begins: lines of one format alone, whatever stands in
 * front of them. A line that only looks like one is worse than one not seen, so
 * the lines behind it have to agree.
 */
#ifndef COLLECTOR_IMPORT_BEGINNINGS_H
#define COLLECTOR_IMPORT_BEGINNINGS_H

#include "collector/import/format.h"

struct beginning {
	const struct format *format;	/* NULL: what follows up to the next beginning tells */
	bool head;			/* a file has it in front of all rows */
	bool once;			/* a file has such a line once */
	bool opensm;			/* OpenSM dumps such lines into its log, too */
};

/* Bytes that have to be looked at to know whether the line begins something, itself not counted; -1: it does not. */
int beginning_needs(const char *line, size_t length);

/* The first line of the text, with those behind it, as a beginning. False: none. */
bool beginning_find(const struct probe *text, struct beginning *ret_beginning);

#endif
