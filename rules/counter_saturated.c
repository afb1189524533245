/*
 * A short counter ends at all ones and stays there (IBA: it does not wrap). What
 * stands there is "at least", and that it has not moved since some earlier look is
 * no sign that nothing happened.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rules/host_list.h"
#include "rules/places.h"
#include "rules/port_list.h"
#include "store/text.h"

#define BIT(counter) (UINT64_C(1) << COUNTER_##counter)

/* What counts traffic and waiting: 32 bits of it are full within seconds, and no fault. */
static const uint64_t of_traffic = BIT(xmit_data) | BIT(rcv_data) | BIT(xmit_pkts) | BIT(rcv_pkts) |
				   BIT(xmit_wait) | BIT(unicast_xmit_pkts) | BIT(unicast_rcv_pkts) |
				   BIT(multicast_xmit_pkts) | BIT(multicast_rcv_pkts);

/* Those of the counters asked for that are known and at their maximum. */
static uint64_t full_of(const struct port_counters *counters, uint64_t wanted)
{
	return counters ? counters->known & counters->saturated & wanted : 0;
}

/* "SymbolErrorCounter at least 65535, LinkDownedCounter at least 255" */
#define FULL_SIZE 2048

static const char *full_words(const struct port_counters *counters, uint64_t wanted,
			      char out[FULL_SIZE])
{
	uint64_t full = full_of(counters, wanted);
	size_t used = 0;

	out[0] = '\0';
	for (int i = 0; i < COUNTER_COUNT && used < FULL_SIZE; i++) {
		if (full >> i & 1)
			used += (size_t)snprintf(out + used, FULL_SIZE - used,
						 "%s%s at least %" PRIu64, used ? ", " : "",
						 counter_table[i].name, counters->value[i]);
	}
	return out;
}

static bool add_evidence(struct finding *finding, const struct port_counters *counters)
{
	uint64_t full = full_of(counters, ~of_traffic);
	bool done = true;

	for (int i = 0; done && i < COUNTER_COUNT; i++) {
		if (full >> i & 1)
			done = finding_evidence(finding, counter_table[i].name, "at least %" PRIu64,
						counters->value[i]);
	}
	return done;
}

/* The counters of the same port in the baseline, or NULL. */
static const struct port_counters *counters_before(const struct fabric *baseline,
						   const struct port *port)
{
	const struct device *device =
		baseline ? fabric_device_find(baseline, port->device->guid) : NULL;
	const struct port *before = device ? device_port(device, port->num) : NULL;

	return before ? before->counters : NULL;
}

static const struct port_counters *host_counters_before(const struct fabric *baseline,
							const struct host_view *view)
{
	for (size_t i = 0; baseline && view->host && i < baseline->host_port_count; i++) {
		const struct host_port *before = &baseline->host_ports[i];

		if (before->counters && before->host && strcmp(before->host, view->host) == 0 &&
		    strcmp(before->device, view->device) == 0 && before->port == view->port)
			return before->counters;
	}
	return NULL;
}

static const char *stuck_words(const struct port_counters *counters,
			       const struct port_counters *before)
{
	bool stuck = (full_of(counters, ~of_traffic) & full_of(before, ~of_traffic)) != 0;

	return stuck ? "; the baseline has it there too, so whether errors were added since cannot be told"
		     : "";
}

#define AT_MAXIMUM "at the maximum, where a counter stays; clear and measure again"

static int tell_errors(void *context, const struct port *port, struct rule_output *out,
		       struct err *err)
{
	const struct rule_input *in = context;
	const struct port_counters *before = counters_before(in->baseline, port);
	char label[DEVICE_LABEL_SIZE + 16];
	struct finding *finding;
	char words[FULL_SIZE];

	finding = rule_finding(out, SEVERITY_WARNING, NULL, port, "errors", "%s: %s: " AT_MAXIMUM "%s",
			       port_label(port, false, label, sizeof(label)),
			       full_words(port->counters, ~of_traffic, words),
			       stuck_words(port->counters, before));
	if (!finding || !add_evidence(finding, port->counters) ||
	    !finding_source(finding, in->fabric, port->source_of[ATTRIBUTE_COUNTERS], 0))
		return err_no_memory(err);
	return 0;
}

static int tell_host_errors(const struct rule_input *in, const struct host_view *view,
			    struct rule_output *out, struct err *err)
{
	const struct port_counters *before = host_counters_before(in->baseline, view);
	char label[HOST_LABEL_SIZE];
	struct finding *finding;
	char words[FULL_SIZE];

	finding = host_finding(in->fabric, out, SEVERITY_WARNING, view, "errors",
			       "%s: %s: " AT_MAXIMUM "%s", host_label(view, label),
			       full_words(view->counters, ~of_traffic, words),
			       stuck_words(view->counters, before));
	if (!finding || !add_evidence(finding, view->counters))
		return err_no_memory(err);
	return 0;
}

/* What was met on the way through the ports. */
struct found {
	size_t read;
	struct port_list errors;
	struct host_list host_errors;
	struct places traffic;
	char first[HOST_LABEL_SIZE + FULL_SIZE];	/* of traffic */
};

static void add_traffic(struct found *found, const char *label, const struct port_counters *counters)
{
	char words[FULL_SIZE];

	if (full_of(counters, of_traffic) == 0)
		return;
	full_words(counters, of_traffic, words);
	if (found->traffic.count == 0)
		snprintf(found->first, sizeof(found->first), "%s: %s", label, words);
	places_add(&found->traffic, "%s: %s", label, words);
}

static int look_at_fabric(const struct fabric *fabric, struct found *found, struct err *err)
{
	char label[DEVICE_LABEL_SIZE + 16];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; rc == 0 && num < device->port_slots; num++) {
			const struct port *port = device->ports[num];

			if (!port || !port->counters || port->counters->known == 0)
				continue;
			found->read++;
			if (full_of(port->counters, ~of_traffic) != 0)
				rc = port_list_add(&found->errors, port, err);
			add_traffic(found, port_label(port, false, label, sizeof(label)), port->counters);
		}
	}
	return rc;
}

/* The fabric's own counters of that port are told already. */
static bool is_in_fabric(const struct fabric *fabric, const struct host_view *view)
{
	const struct device *device =
		view->node_guid ? fabric_device_find(fabric, view->node_guid) : NULL;
	const struct port *port = device ? device_port(device, view->port) : NULL;

	return port && port->counters;
}

static int look_at_hosts(const struct rule_input *in, struct found *found, struct err *err)
{
	const struct host_views *views = NULL;
	char label[HOST_LABEL_SIZE];
	int rc = analysis_hosts(in->analysis, &views, err);

	for (size_t i = 0; rc == 0 && i < views->count; i++) {
		const struct host_view *view = &views->list[i];

		if (!view->counters || is_in_fabric(in->fabric, view))
			continue;
		found->read++;
		if (full_of(view->counters, ~of_traffic) != 0)
			rc = host_list_add(&found->host_errors, view, err);
		add_traffic(found, host_label(view, label), view->counters);
	}
	return rc;
}

/* One line for the fabric: on a device without 64-bit counters every busy port is such. */
static int tell_traffic(struct found *found, struct rule_output *out, struct err *err)
{
	size_t count = found->traffic.count;
	struct finding *finding;

	if (count == 0)
		return 0;
	finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, "traffic",
			       "Counters of traffic or waiting are at their maximum on %zu %s: how much "
			       "passed there is not known (%s%s)",
			       count, text_plural(count, "port", "ports"), text_plural(count, "", "first "),
			       found->first);
	if (!finding || !places_evidence(&found->traffic, finding, "ports") ||
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
	struct found found = {0};
	int rc = look_at_fabric(in->fabric, &found, err);

	if (rc == 0)
		rc = look_at_hosts(in, &found, err);
	if (rc == 0 && found.read == 0)
		rc = rule_not_checked(out, err, "no counter of any port was read");
	if (rc == 0)
		rc = port_list_tell(&found.errors, SEVERITY_WARNING, "errors",
				    "ports have error counters at the maximum, where they stay until they "
				    "are cleared: whether errors are added cannot be told",
				    tell_errors, (void *)in, out, err);
	if (rc == 0)
		rc = host_list_tell(&found.host_errors, SEVERITY_WARNING, "errors",
				    "ports of hosts have error counters at the maximum, where they stay "
				    "until they are cleared: whether errors are added cannot be told",
				    tell_host_errors, in, out, err);
	if (rc == 0)
		rc = tell_traffic(&found, out, err);
	port_list_clear(&found.errors);
	host_list_clear(&found.host_errors);
	places_clear(&found.traffic);
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
		 "in place of the short one; or a host's own counters (/sys/class/infiniband)",
	.reads = "counters host_ports",
	.remedy = "Clear the counters of the port (perfquery -R LID PORT) and look again after an hour "
		  "of traffic: what they show then is of now. Clearing costs nothing on the links, but "
		  "other tools that keep a history see a reset.",
	.source = "IBA Volume 1, 16.1.3.5 PortCounters; libibmad fields.c for the widths",
	.check = check,
};
