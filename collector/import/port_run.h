/*
 * A list of a switch's ports goes on from one number to the next: rows that are
 * missing show, and so does one that belongs to another switch, whose title is lost.
 */
#ifndef COLLECTOR_IMPORT_PORT_RUN_H
#define COLLECTOR_IMPORT_PORT_RUN_H

#include "collector/import/format.h"

struct port_run {
	unsigned last;			/* port of the row before; 0: none */
	unsigned rows, gaps;		/* of this list */
	size_t all_gaps;		/* of all lists that have ended */
	int64_t gap_line;		/* behind the first of them */
};

/* The list has one more row. False: its number does not go on, and nothing is noted. */
bool port_run_next(struct port_run *run, unsigned num, int64_t line);

/* The list ends. One that leaves out port after port does so on purpose. */
void port_run_end(struct port_run *run);

/* Says where rows are missing. 0 or ERR_NOMEM. */
int port_run_tell(const struct port_run *run, struct import *import, struct err *err);

#endif
