/* Names and times of logs: what tells which of two files was written first. */
#ifndef COLLECTOR_IMPORT_LOG_NAMES_H
#define COLLECTOR_IMPORT_LOG_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A name without what logrotate adds: "opensm.log" of "opensm.log.2.gz" and "opensm.log-20261129". */
struct log_name {
	const char *name;
	size_t stem;			/* length of the name without it */
	long number;			/* of ".2"; 0: none */
	long long date;			/* of "-20261129", its digits; 0: none */
};

void log_name_parse(const char *name, struct log_name *ret_name);

/* True when both are names of one log, by their stems. */
bool log_name_same(const struct log_name *a, const struct log_name *b);

/* Below 0: a is the older one, above 0: b is; 0: their names do not tell. For names of one log. */
int log_name_compare(const struct log_name *a, const struct log_name *b);

/*
 * Below 0: a is before b, above 0: behind. Times as opensm.log writes them ("Nov 29
 * 20:52:27"), without a year: the nearer way round counts, December is before January.
 * 0 for equal ones and where one is no time.
 */
int log_time_compare(const char *a, const char *b);

#endif
