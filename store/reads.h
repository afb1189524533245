/*
 * What a rule reads, in the words of `reads` (struct rule, struct verdict): the names
 * of port fields (PortInfo, as in port_field_table) and
 *
 *	live		it needs a fabric that was collected, not imported
 *	devices		which devices there are; neighbor: and their cables
 *	sm		the SMs and their states
 *	description, lft	of devices and switches
 *	sl2vl, vlarb, counters	of ports
 *	holes		what was asked for and did not come
 *	host_ports, host_gids	what hosts say of their own ports, and their GID tables
 *	opensm.conf, qos-policy.conf, partitions.conf, opensm.log
 */
#ifndef STORE_READS_H
#define STORE_READS_H

#include "store/fabric.h"

enum read_kind {
	READ_UNKNOWN,		/* no word of the above */
	READ_LIVE, READ_DEVICES, READ_NEIGHBOR, READ_SM,
	READ_DESCRIPTION, READ_LFT, READ_HOLES,
	READ_FIELD, READ_SL2VL, READ_VLARB, READ_COUNTERS,
	READ_HOST_PORTS, READ_HOST_GIDS,
	READ_OPENSM_CONF, READ_QOS_POLICY, READ_PARTITIONS, READ_OPENSM_LOG,
};

struct read_word {
	enum read_kind kind;
	const struct field *field;	/* with READ_FIELD, else NULL */
};

/* The word at *at, words being parted by blanks; *at goes behind it. False: no more; NULL has none. */
bool reads_next(const char **at, struct read_word *ret_word);

/* True when this port's, this device's part of it is known; false for what it has no part in. */
bool reads_port_knows(const struct port *port, const struct read_word *word);
bool reads_device_knows(const struct device *device, const struct read_word *word);

#endif
