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

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct places places = {0};
	const struct device *first = NULL;
	struct finding *finding;
	size_t known = 0;
	size_t count = 0;

	for (size_t i = 0; i < in->fabric->device_count; i++) {
		const struct device *device = in->fabric->devices[i];

		known += device->source_of[ATTRIBUTE_NODE_INFO] != 0;
		if (!has_invalid_guid(device))
			continue;
		if (count++ == 0)
			first = device;
		add_place(&places, device);
	}
	if (known == 0)
		return rule_not_checked(out, err, "no device was read");
	if (count == 0)
		return 0;
	finding = rule_finding(out, SEVERITY_CRITICAL, NULL, NULL, "",
			       "%zu %s node GUID 0 or all ones", count,
			       text_plural(count, "device has", "devices have"));
	if (!finding || !places_evidence(&places, finding, "places") ||
	    !finding_source(finding, in->fabric, first->source_of[ATTRIBUTE_NODE_INFO], 0)) {
		places_clear(&places);
		return err_no_memory(err);
	}
	return 0;
}

const struct rule rule_zero_guid = {
	.id = "zero-guid",
	.title = "A device has no valid node GUID",
	.severity = SEVERITY_CRITICAL,
	.why = "0 and all ones are nobody's GUID. OpenSM leaves such a device out, so it gets no LID and "
	       "no route; it is what firmware without its settings answers.",
	.needs = "NodeInfo",
	.reads = "devices",
	.remedy = "Burn the GUID printed on the device's label with the vendor's tool and reset it: that "
		  "takes down the links of this device alone, which carry nothing now.",
	.source = "IBA Volume 1, 4.1.2 and 14.2.5.3 NodeInfo; OpenSM osm_node_info_rcv.c",
	.check = check,
};
