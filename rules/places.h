/*
 * Lists for evidence: one finding with the places instead of many equal lines.
 * A list shows its first entries and says how many more there are.
 *
 * A failure for want of memory is kept and told by places_evidence, so that
 * adding needs no check. Zeroed memory is an empty list.
 */
#ifndef RULES_PLACES_H
#define RULES_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "store/finding.h"

#define PLACES_SHOWN 100

struct places {
	char *text;
	size_t length;
	size_t room;
	size_t count;		/* of entries added, shown or not */
	bool failed;
};

void places_add(struct places *places, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* "leaf-1 port 3", "leaf-1" with guid. NULL port: nothing is added. */
void places_add_port(struct places *places, const struct port *port);
void places_add_device(struct places *places, const struct device *device);

/* Adds key = list to the finding and empties the list. False: no memory. */
bool places_evidence(struct places *places, struct finding *finding, const char *key);

/* Empties the list. */
void places_clear(struct places *places);

/* Numbers in rising order, shown as "2, 17, 32-47". */
struct number_list {
	struct places ranges;
	unsigned first, last;	/* range not written yet, when count > 0 */
	size_t count;		/* of numbers */
};

void number_list_add(struct number_list *list, unsigned number);
bool number_list_evidence(struct number_list *list, struct finding *finding, const char *key);
void number_list_clear(struct number_list *list);

/* Sets the finding's source as cite() names it; with a line when it is above 0. */
bool finding_source(struct finding *finding, const struct fabric *fabric, source_ref ref,
		    int64_t line);

#endif
