/*
 * A list of ports that share one fault, told as one finding: "leaf-1 ports
 * 1-18,20; leaf-2 port 3". One cause is one finding, with the places as evidence.
 */
#ifndef RULES_ANALYSIS_PORT_SET_H
#define RULES_ANALYSIS_PORT_SET_H

#include "rules/rule.h"

/* All zero is an empty list. */
struct port_set {
	const struct port **ports;
	size_t count;
	size_t room;
};

/* Appends; a port that was added last is not added twice. 0 or ERR_NOMEM. */
int port_set_add(struct port_set *set, const struct port *port, struct err *err);

void port_set_free(struct port_set *set);

/*
 * "leaf-1 (0x...) ports 1-18,20; host-7 (0x...) port 1", escaped; devices
 * beyond a bound are counted. Ports added device by device in rising number fold
 * best. The caller frees it; NULL: no memory.
 */
char *port_set_text(const struct port_set *set);

/* "16 CA ports, 32 external switch ports". Returns out. */
#define PORT_SET_WORDS_SIZE 192
const char *port_set_words(const struct port_set *set, char out[PORT_SET_WORDS_SIZE]);

/*
 * A finding on the one port, on the one device, or on the fabric, whichever
 * holds all the places, with the evidence "ports" (how many) and "places". The
 * message is the caller's. NULL: no memory.
 */
struct finding *port_set_finding(const struct port_set *set, struct rule_output *out,
			       enum severity severity, const char *discriminator,
			       const char *message);

/* Adds both arbitration tables of a port or of a set of options as evidence. False: no memory. */
bool vlarb_evidence(struct finding *finding, const struct vlarb_entry *high, size_t high_count,
		    const struct vlarb_entry *low, size_t low_count);

#endif
