/*
 * Ports at fault, gathered while a rule walks the fabric and handed back in
 * groups of one port class and one key, so that one cause becomes one finding.
 */
#ifndef RULES_ANALYSIS_PORT_FAULTS_H
#define RULES_ANALYSIS_PORT_FAULTS_H

#include "rules/analysis/port_set.h"

struct port_fault {
	enum qos_class class;
	uint64_t key;			/* what is at fault, as the rule packs it */
	const struct port *port;
	size_t order;			/* as added */
};

/* All zero is an empty list. */
struct port_faults {
	struct port_fault *items;
	size_t count;
	size_t room;
	const struct port **ports;	/* in sorted order, once port_faults_sort ran */
};

/* 0 or ERR_NOMEM. */
int port_faults_add(struct port_faults *faults, enum qos_class class, uint64_t key,
		    const struct port *port, struct err *err);

/* To be called once after the last port_faults_add. 0 or ERR_NOMEM. */
int port_faults_sort(struct port_faults *faults, struct err *err);

/*
 * The next group from *cursor (0 at first): its first fault, and its places,
 * which belong to `faults`. NULL: no more.
 */
const struct port_fault *port_faults_next(const struct port_faults *faults, size_t *cursor,
					  struct port_set *ret_places);

void port_faults_free(struct port_faults *faults);

#endif
