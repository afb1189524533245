/*
 * A list of ports that share one fault, told as one finding: "leaf-1 ports
 * 1-18,20; leaf-2 port 3". One cause is one finding, with the places as evidence.
 */
#ifndef RULES_ANALYSIS_PLACES_H
#define RULES_ANALYSIS_PLACES_H

#include "rules/rule.h"

/* All zero is an empty list. */
struct places {
	const struct port **ports;
	size_t count;
	size_t room;
};

/* Appends; a port that was added last is not added twice. 0 or ERR_NOMEM. */
int places_add(struct places *places, const struct port *port, struct err *err);

void places_free(struct places *places);

/*
 * "leaf-1 (0x...) ports 1-18,20; host-7 (0x...) port 1", escaped; devices
 * beyond a bound are counted. Ports added device by device in rising number fold
 * best. The caller frees it; NULL: no memory.
 */
char *places_text(const struct places *places);

/*
 * A finding on the one port, on the one device, or on the fabric, whichever
 * holds all the places, with the evidence "ports" (how many) and "places". The
 * message is the caller's. NULL: no memory.
 */
struct finding *places_finding(const struct places *places, struct rule_output *out,
			       enum severity severity, const char *discriminator,
			       const char *message);

#endif
