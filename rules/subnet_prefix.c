#include <inttypes.h>
#include <stdio.h>

#include "rules/analysis/lids.h"
#include "rules/places.h"
#include "rules/port_list.h"
#include "rules/rule.h"

#define NAMES_IN_MESSAGE 4

/* End ports that an SM has configured: a prefix is given with the LID. */
static bool has_prefix(const struct port *port)
{
	return port && port_owes_lid(port) && port->info.gid_prefix != FIELD_UNKNOWN &&
	       lid_is_unicast(port->info.lid);
}

/* Calls for every end port with a prefix; ends early with what `call` returns. */
static int for_prefixes(const struct fabric *fabric,
			int (*call)(void *context, const struct port *port, struct err *err),
			void *context, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		for (size_t num = 0; rc == 0 && num < device->port_slots; num++) {
			if (has_prefix(device->ports[num]))
				rc = call(context, device->ports[num], err);
		}
	}
	return rc;
}

/* The two prefixes most ports hold, by a vote that needs no table: enough to name them. */
struct census {
	uint64_t wanted;
	bool is_wanted_known;
	size_t known;
	size_t as_wanted;
	struct port_list others;	/* ports with another prefix than wanted */
};

static int vote(void *context, const struct port *port, struct err *err)
{
	struct census *census = context;
	uint64_t prefix = (uint64_t)port->info.gid_prefix;

	(void)err;
	census->known++;
	/* Majority vote (Boyer, Moore): with a majority it ends with that one. */
	if (census->as_wanted == 0)
		census->wanted = prefix;
	if (prefix == census->wanted)
		census->as_wanted++;
	else
		census->as_wanted--;
	return 0;
}

static int sort_port(void *context, const struct port *port, struct err *err)
{
	struct census *census = context;

	if ((uint64_t)port->info.gid_prefix == census->wanted)
		return 0;
	return port_list_add(&census->others, port, err);
}

static bool add_others(struct finding *finding, const struct census *census)
{
	struct places places = {0};

	for (size_t i = 0; i < census->others.count; i++) {
		const struct port *port = census->others.list[i];
		char label[DEVICE_LABEL_SIZE + 16];

		places_add(&places, "%s (0x%016" PRIx64 ")",
			   port_label(port, false, label, sizeof(label)),
			   (uint64_t)port->info.gid_prefix);
	}
	return places_evidence(&places, finding, "ports");
}

/* ": a, b" for the first few, "" for many. */
static void name_others(const struct census *census, char *out, size_t size)
{
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; census->others.count <= NAMES_IN_MESSAGE && i < census->others.count;
	     i++) {
		char label[DEVICE_LABEL_SIZE + 16];
		int length = snprintf(out + used, size - used, "%s%s", i ? ", " : ": ",
				      port_label(census->others.list[i], false, label,
						 sizeof(label)));

		if (length < 0 || (size_t)length >= size - used)
			return;
		used += (size_t)length;
	}
}

static int tell(const struct fabric *fabric, const struct census *census, struct rule_output *out,
		struct err *err)
{
	const struct config_option *option = config_option_find(fabric->config, "subnet_prefix");
	const struct port *first = census->others.list[0];
	char names[NAMES_IN_MESSAGE * (DEVICE_LABEL_SIZE + 32)];
	struct finding *finding;

	name_others(census, names, sizeof(names));
	if (census->is_wanted_known)
		finding = rule_finding(out, SEVERITY_ERROR, NULL, NULL, "not-applied",
				       "The subnet prefix of opensm.conf, 0x%016" PRIx64
				       ", is not applied on %zu of %zu end ports%s",
				       census->wanted, census->others.count, census->known, names);
	else
		finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "several",
				       "End ports of one subnet hold different prefixes: %zu of %zu "
				       "not the usual 0x%016" PRIx64 "%s",
				       census->others.count, census->known, census->wanted, names);
	if (!finding || !add_others(finding, census) ||
	    !finding_evidence(finding, "prefix", "0x%016" PRIx64, census->wanted))
		return err_no_memory(err);
	if (census->is_wanted_known && option && option->line > 0
		    ? !finding_source(finding, fabric, option->source, option->line)
		    : !finding_source(finding, fabric, first->source_of[ATTRIBUTE_PORT_INFO], 0))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	const struct config *config = in->fabric->config;
	struct census census = {.known = 0};
	int rc;

	rc = for_prefixes(in->fabric, vote, &census, err);
	if (rc == 0 && census.known == 0)
		rc = rule_not_checked(out, err, "no GidPrefix of a port with a LID was read");
	if (rc < 0 || census.known == 0)
		return rc;
	if (config->opensm_conf != 0) {
		census.is_wanted_known = true;
		census.wanted = config->opensm.subnet_prefix;
	}
	rc = for_prefixes(in->fabric, sort_port, &census, err);
	if (rc == 0 && census.others.count > 0)
		rc = tell(in->fabric, &census, out, err);
	port_list_clear(&census.others);
	return rc;
}

const struct rule rule_subnet_prefix = {
	.id = "subnet-prefix",
	.title = "Ports do not hold the one subnet prefix",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "A port's GIDs begin with its subnet prefix. Ports that disagree on it look to each other "
	       "as if they were in different subnets: connections by GID, and those over routers, fail.",
	.needs = "GidPrefix and LID of the end ports; opensm.conf for the prefix that is meant",
	.reads = "gid_prefix",
	.remedy = "Restart OpenSM: it reads subnet_prefix at its start only, and SIGHUP does not do. The "
		  "GIDs of ports that change end their connections, so take a maintenance window.",
	.source = "IBA Volume 1, 4.1.1 GIDs and 14.2.5.6 PortInfo (GidPrefix); OpenSM osm_port.c, "
		  "opensm.conf subnet_prefix",
	.check = check,
};
