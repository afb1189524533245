#include "collector/import/counters.h"

#include <string.h>

enum counter counter_of_name(const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum counter counter;
	} others[] = {
		{"PortMalformedPktErrors", COUNTER_malformed_packet_errors},
		{"SymbolErrors", COUNTER_symbol_error},
		{"LinkRecovers", COUNTER_link_error_recovery},
		{"LinkDowned", COUNTER_link_downed},
		{"RcvErrors", COUNTER_rcv_errors},
		{"RcvRemotePhysErrors", COUNTER_rcv_remote_physical_errors},
		{"RcvSwRelayErrors", COUNTER_rcv_switch_relay_errors},
		{"XmtDiscards", COUNTER_xmit_discards},
		{"XmtConstraintErrors", COUNTER_xmit_constraint_errors},
		{"RcvConstraintErrors", COUNTER_rcv_constraint_errors},
		{"LinkIntegrityErrors", COUNTER_local_link_integrity_errors},
		{"ExcBufOverrunErrors", COUNTER_excessive_buffer_overrun_errors},
		{"XmtData", COUNTER_xmit_data},
		{"RcvData", COUNTER_rcv_data},
		{"XmtPkts", COUNTER_xmit_pkts},
		{"RcvPkts", COUNTER_rcv_pkts},
		{"XmtWait", COUNTER_xmit_wait},
		{"PortXmitPackets", COUNTER_xmit_pkts},
		{"PortRcvPackets", COUNTER_rcv_pkts},
	};

	for (int i = 0; i < COUNTER_COUNT; i++) {
		if (strlen(counter_table[i].name) == length &&
		    memcmp(counter_table[i].name, name, length) == 0)
			return (enum counter)i;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (strlen(others[i].name) == length && memcmp(others[i].name, name, length) == 0)
			return others[i].counter;
	}
	return COUNTER_COUNT;
}

int counter_apply(struct import *import, struct port *port, enum counter counter, uint64_t value,
		  bool wide, struct err *err)
{
	unsigned bits = counter_table[counter].short_bits;
	uint64_t bit = UINT64_C(1) << counter;
	bool saturated = !wide && bits < 64 && value >= (UINT64_C(1) << bits) - 1;

	/* "At least" gives way to the number itself, whichever came first; one that is less was never counted. */
	if (wide && port->counters && (port->counters->saturated & bit) &&
	    value >= port->counters->value[counter])
		port->counters->known &= ~bit;
	return import_counter(import, port, counter, value, saturated, err);
}
