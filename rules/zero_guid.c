#include <string.h>

#include "rules/places.h"
#include "rules/rule.h"

static bool is_invalid(uint64_t guid)
{
	return guid == 0 || guid == UINT64_MAX;
}

/* A row that a file made without ever naming a node GUID is not a device with GUID 0. */
static bool has_invalid_guid(const struct device *device)
{
	return is_invalid(device->guid) && device->source_of[ATTRIBUTE_NODE_INFO] != 0;
}

/* OpenSM leaves out the device whose port answers with such a GUID (ERR 0D17). */
static bool has_invalid_port_guid(const struct port *port)
{
	if (port_lid_owner(port) != port)
		return false;	/* an external port of a switch has none of its own */
	return port->guid == UINT64_MAX ||
	       (port->guid == 0 && port->source_of[ATTRIBUTE_NODE_INFO] != 0);
}

static void add_place(struct places *places, const struct device *device)
{
	char label[DEVICE_LABEL_SIZE + 16];
	char place[256] = "";

	for (size_t i = 0; i < device->port_slots; i++) {
		const struct port *peer = device->ports[i] ? device->ports[i]->peer : NULL;

		if (peer) {
			places_add(places, "behind %s",
				   port_label(peer, false, label, sizeof(label)));
			return;
		}
	}
	if (device->place)
		text_escape(device->place, strlen(device->place), place, sizeof(place));
	places_add(places, "%s", *place ? place : device_label(device, label, sizeof(label)));
}

/* What has no valid GUID; places_key names them in the evidence. */
struct without {
	struct places places;
	const struct device *first;
	size_t count;
};

static int tell(const struct fabric *fabric, struct without *without, const char *discriminator,
		const char *what, const char *places_key, struct rule_output *out, struct err *err)
{
	struct finding *finding;

	if (without->count == 0)
		return 0;
	finding = rule_finding(out, SEVERITY_CRITICAL, NULL, NULL, discriminator,
			       "%zu %s GUID 0 or all ones", without->count, what);
	if (!finding || !places_evidence(&without->places, finding, places_key) ||
	    !finding_source(finding, fabric, without->first->source_of[ATTRIBUTE_NODE_INFO], 0)) {
		places_clear(&without->places);
		return err_no_memory(err);
	}
	return 0;
}

static int check_nodes(const struct fabric *fabric, struct rule_output *out, size_t *ret_known,
		       struct err *err)
{
	struct without without = {0};

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		*ret_known += device->source_of[ATTRIBUTE_NODE_INFO] != 0;
		if (!has_invalid_guid(device))
			continue;
		if (without.count++ == 0)
			without.first = device;
		add_place(&without.places, device);
	}
	return tell(fabric, &without, "",
		    text_plural(without.count, "device has node", "devices have node"), "places", out,
		    err);
}

static int check_ports(const struct fabric *fabric, struct rule_output *out, struct err *err)
{
	struct without without = {0};

	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];

		/* The device as a whole is told of already. */
		for (size_t num = 0; !has_invalid_guid(device) && num < device->port_slots; num++) {
			if (!device->ports[num] || !has_invalid_port_guid(device->ports[num]))
				continue;
			if (without.count++ == 0)
				without.first = device;
			places_add_port(&without.places, device->ports[num]);
		}
	}
	return tell(fabric, &without, "port",
		    text_plural(without.count, "port has port", "ports have port"), "ports", out, err);
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	size_t known = 0;
	int rc = check_nodes(in->fabric, out, &known, err);

	if (rc == 0)
		rc = check_ports(in->fabric, out, err);
	return rc == 0 && known == 0 && out->verdict->kind == VERDICT_PASS
		       ? rule_not_checked(out, err, "no device was read")
		       : rc;
}

const struct rule rule_zero_guid = {
	.id = "zero-guid",
	.title = "A device or port has no valid GUID",
	.severity = SEVERITY_CRITICAL,
	.why = "0 and all ones are nobody's GUID. OpenSM leaves such a device out, so it gets no LID and "
	       "no route; it is what firmware without its settings answers.",
	.needs = "NodeInfo (node and port GUID)",
	.reads = "devices",
	.remedy = "Burn the GUID printed on the device's label with the vendor's tool and reset it: that "
		  "takes down the links of this device alone, which carry nothing now.",
	.source = "IBA Volume 1, 4.1.2 and 14.2.5.3 NodeInfo; OpenSM osm_node_info_rcv.c",
	.check = check,
};
