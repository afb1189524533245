/*
 * A short counter ends at all ones and stays there (IBA: it does not wrap). What
 * stands there is "at least", and that it has not moved since some earlier look is
 * no sign that nothing happened.
 */
#include <inttypes.h>
#include <stdio.h>

#include "rules/places.h"
#include "rules/port_list.h"
#include "rules/rule.h"
#include "store/text.h"

#define BIT(counter) (UINT64_C(1) << COUNTER_##counter)

/* What counts traffic and waiting: 32 bits of it are full within seconds, and no fault. */
static const uint64_t of_traffic = BIT(xmit_data) | BIT(rcv_data) | BIT(xmit_pkts) | BIT(rcv_pkts) |
				   BIT(xmit_wait) | BIT(unicast_xmit_pkts) | BIT(unicast_rcv_pkts) |
				   BIT(multicast_xmit_pkts) | BIT(multicast_rcv_pkts);

/* Those of the counters asked for that are known and at their maximum. */
static uint64_t full_of(const struct port *port, uint64_t wanted)
{
	const struct port_counters *counters = port->counters;

	return counters ? counters->known & counters->saturated & wanted : 0;
}

/* "SymbolErrorCounter at least 65535, LinkDownedCounter at least 255" */
#define FULL_SIZE 2048

static void full_words(const struct port *port, uint64_t full, char out[FULL_SIZE])
{
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < COUNTER_COUNT && used < FULL_SIZE; i++) {
		if (full >> i & 1)
			used += (size_t)snprintf(out + used, FULL_SIZE - used,
						 "%s%s at least %" PRIu64, used ? ", " : "",
						 counter_table[i].name, port->counters->value[i]);
	}
}

/* The same port in the baseline, or NULL. */
static const struct port *port_before(const struct fabric *baseline, const struct port *port)
{
	const struct device *device =
		baseline ? fabric_device_find(baseline, port->device->guid) : NULL;

	return device ? device_port(device, port->num) : NULL;
}

static int tell_errors(void *context, const struct port *port, struct rule_output *out,
		       struct err *err)
{
	const struct rule_input *in = context;
	const struct port *before = port_before(in->baseline, port);
	uint64_t full = full_of(port, ~of_traffic);
	bool stuck = before && (full_of(before, full) != 0);
	char label[DEVICE_LABEL_SIZE + 16];
	char words[FULL_SIZE];
	struct finding *finding;

	full_words(port, full, words);
	finding = rule_finding(out, SEVERITY_WARNING, NULL, port, "errors",
			       "%s: %s: at the maximum, where a counter stays; clear and measure again%s",
			       port_label(port, false, label, sizeof(label)), words,
			       stuck ? "; the baseline has it there too, so whether errors were "
				       "added since cannot be told"
				     : "");
	if (!finding || !finding_source(finding, in->fabric, port->source_of[ATTRIBUTE_COUNTERS], 0))
		return err_no_memory(err);
	for (int i = 0; i < COUNTER_COUNT; i++) {
		if ((full >> i & 1) &&
		    !finding_evidence(finding, counter_table[i].name, "at least %" PRIu64,
				      port->counters->value[i]))
			return err_no_memory(err);
	}
	return 0;
}

/* One line for the fabric: on a device without 64-bit counters every busy port is such. */
static int tell_traffic(const struct port_list *ports, struct rule_output *out, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	struct places places = {0};
	struct finding *finding;
	char words[FULL_SIZE];

	if (ports->count == 0)
		return 0;
	full_words(ports->list[0], full_of(ports->list[0], of_traffic), words);
	finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, "traffic",
			       "Counters of traffic or waiting are at their maximum on %zu %s: how much "
			       "passed there is not known (%s%s: %s)",
			       ports->count, text_plural(ports->count, "port", "ports"),
			       ports->count > 1 ? "first " : "",
			       port_label(ports->list[0], false, label, sizeof(label)), words);
	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < ports->count; i++) {
		full_words(ports->list[i], full_of(ports->list[i], of_traffic), words);
		places_add(&places, "%s: %s",
			   port_label(ports->list[i], false, label, sizeof(label)), words);
	}
	if (!places_evidence(&places, finding, "ports") ||
	    !finding_text(&finding->remedy, "%s",
			  "Nothing is wrong with the links. To measure, clear the counters "
			  "(perfquery -R) and read them again after seconds, or use a tool that reads "
			  "PortCountersExtended where the device has it. PortXmitWait tells of "
			  "congestion, never of a bad cable."))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct port_list errors = {0};
	struct port_list traffic = {0};
	size_t read = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < in->fabric->device_count; i++) {
		const struct device *device = in->fabric->devices[i];

		for (size_t num = 0; rc == 0 && num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port->counters || port->counters->known == 0)
				continue;
			read++;
			if (full_of(port, ~of_traffic) != 0)
				rc = port_list_add(&errors, port, err);
			if (rc == 0 && full_of(port, of_traffic) != 0)
				rc = port_list_add(&traffic, port, err);
		}
	}
	if (rc == 0 && read == 0)
		rc = rule_not_checked(out, err, "no counter of any port was read");
	if (rc == 0)
		rc = port_list_tell(&errors, SEVERITY_WARNING, "errors",
				    "ports have error counters at the maximum, where they stay until they "
				    "are cleared: whether errors are added cannot be told",
				    tell_errors, (void *)in, out, err);
	if (rc == 0)
		rc = tell_traffic(&traffic, out, err);
	port_list_clear(&errors);
	port_list_clear(&traffic);
	return rc;
}

const struct rule rule_counter_saturated = {
	.id = "counter-saturated",
	.title = "A counter stands at its maximum and counts no further",
	.severity = SEVERITY_WARNING,
	.why = "The short forms of the error counters have 4, 8 or 16 bits, do not wrap, and stay at all "
	       "ones until somebody clears them. The port had at least that many errors, nobody knows "
	       "how many or when, and a link that goes bad now looks the same as one that was bad a "
	       "year ago: equal values on two days are no sign that nothing was added.",
	.needs = "PortCounters, with PortCountersExtended where the device has it: a 64-bit value counts "
		 "in place of the short one",
	.reads = "counters",
	.remedy = "Clear the counters of the port (perfquery -R LID PORT) and look again after an hour "
		  "of traffic: what they show then is of now. Clearing costs nothing on the links, but "
		  "other tools that keep a history see a reset.",
	.source = "IBA Volume 1, 16.1.3.5 PortCounters; libibmad fields.c for the widths",
	.check = check,
};
