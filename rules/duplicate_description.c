#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/switches.h"
#include "rules/places.h"
#include "rules/rule.h"

#define NAMES_APART 16

/* Description and device, sorted by description. */
struct named {
	const char *name;
	const struct device *device;
};

struct names {
	struct named *list;
	size_t count;		/* with a name that somebody gave */
	struct places nameless;
	struct places factory;
	size_t known;
};

static bool is_blank(const char *name)
{
	return name[strspn(name, " \t")] == '\0';
}

static void take_device(struct names *names, const struct device *device)
{
	char label[DEVICE_LABEL_SIZE];

	if (!device->description)
		return;
	names->known++;
	/* Parts of a switch have their kind for a name, and nobody can give them another. */
	if (device_is_part_of_switch(device) || strstr(device->description, "Aggregation Node"))
		return;
	device_label(device, label, sizeof(label));
	if (is_blank(device->description))
		places_add(&names->nameless, "%s", label);
	else if (!device_is_named(device) ||
		 (device->type != NODE_TYPE_SWITCH && !description_is_given(device->description)))
		places_add(&names->factory, "%s", label);
	else
		names->list[names->count++] = (struct named){device->description, device};
}

static int compare_names(const void *a, const void *b)
{
	const struct named *left = a;
	const struct named *right = b;
	int order = strcmp(left->name, right->name);

	if (order != 0)
		return order;
	if (left->device->guid != right->device->guid)
		return left->device->guid < right->device->guid ? -1 : 1;
	return left->device->index < right->device->index ? -1 : 1;
}

/*
 * True when devices[0..count-1] of one name are more than one system: modules of
 * a chassis share their system image GUID, and twins under one node GUID are
 * told by duplicate-guid. A name map that tells them apart settles it, too.
 */
static bool are_apart(const struct named *names, size_t count)
{
	const struct device *first = names[0].device;

	for (size_t i = 1; i < count; i++) {
		const struct device *device = names[i].device;

		if (device->guid == first->guid)
			continue;
		if (device->system_image_guid != 0 &&
		    device->system_image_guid == first->system_image_guid)
			continue;
		if (device->alias && first->alias && strcmp(device->alias, first->alias) != 0)
			continue;
		return true;
	}
	return false;
}

static int tell_name(const struct fabric *fabric, const struct named *names, size_t count,
		     struct rule_output *out, struct err *err)
{
	char name[TEXT_DESCRIPTION_SIZE];
	struct places places = {0};
	struct finding *finding;

	text_escape(names[0].name, strlen(names[0].name), name, sizeof(name));
	finding = rule_finding(out, SEVERITY_WARNING, NULL, NULL, "",
			       "%zu devices are named \"%s\"", count, name);
	if (!finding || !finding_text(&finding->discriminator, "name=\"%s\"", name) ||
	    !finding_text(&finding->subject, "\"%s\"", name))
		return err_no_memory(err);
	for (size_t i = 0; i < count; i++) {
		const struct device *device = names[i].device;
		const struct port *port = NULL;
		char guid[GUID_TEXT_SIZE];
		char label[DEVICE_LABEL_SIZE + 16];

		for (size_t num = 0; !port && num < device->port_slots; num++)
			port = device->ports[num] ? device->ports[num]->peer : NULL;
		guid_format(device->guid, guid);
		if (port)
			places_add(&places, "%s behind %s", guid,
				   port_label(port, false, label, sizeof(label)));
		else
			places_add(&places, "%s", guid);
	}
	if (!places_evidence(&places, finding, "devices") ||
	    !finding_source(finding, fabric,
			    names[0].device->source_of[ATTRIBUTE_NODE_DESCRIPTION], 0))
		return err_no_memory(err);
	return 0;
}

static int tell_many(const struct named *names, size_t count, size_t groups,
		     struct rule_output *out, struct err *err)
{
	struct places places = {0};
	struct finding *finding =
		rule_finding(out, SEVERITY_WARNING, NULL, NULL, "name=*",
			     "%zu names are each used by more than one device", groups);

	if (!finding)
		return err_no_memory(err);
	for (size_t i = 0; i < count;) {
		char name[TEXT_DESCRIPTION_SIZE];
		size_t end = i + 1;

		while (end < count && strcmp(names[end].name, names[i].name) == 0)
			end++;
		text_escape(names[i].name, strlen(names[i].name), name, sizeof(name));
		if (are_apart(names + i, end - i))
			places_add(&places, "\"%s\" (%zu)", name, end - i);
		i = end;
	}
	if (!places_evidence(&places, finding, "names"))
		return err_no_memory(err);
	return 0;
}

static int tell_duplicates(const struct fabric *fabric, const struct names *names,
			   struct rule_output *out, struct err *err)
{
	size_t groups = 0;
	int rc = 0;

	for (int telling = 0; telling < 2; telling++) {
		for (size_t i = 0; rc == 0 && i < names->count;) {
			size_t end = i + 1;

			while (end < names->count &&
			       strcmp(names->list[end].name, names->list[i].name) == 0)
				end++;
			if (are_apart(names->list + i, end - i)) {
				if (telling)
					rc = tell_name(fabric, names->list + i, end - i, out, err);
				else
					groups++;
			}
			i = end;
		}
		if (groups > NAMES_APART)
			return tell_many(names->list, names->count, groups, out, err);
	}
	return rc;
}

static int tell_unnamed(struct places *places, const char *id, const char *what,
			struct rule_output *out, struct err *err)
{
	struct finding *finding;

	if (places->count == 0)
		return 0;
	finding = rule_finding(out, SEVERITY_INFO, NULL, NULL, id, "%zu %s %s", places->count,
			       text_plural(places->count, "device has", "devices have"), what);
	if (!finding || !places_evidence(places, finding, "devices"))
		return err_no_memory(err);
	return 0;
}

static int check(const struct rule_input *in, struct rule_output *out, struct err *err)
{
	struct names names = {.list = calloc(in->fabric->device_count + 1, sizeof(*names.list))};
	int rc = 0;

	if (!names.list)
		return err_no_memory(err);
	for (size_t i = 0; i < in->fabric->device_count; i++)
		take_device(&names, in->fabric->devices[i]);
	if (names.known == 0)
		rc = rule_not_checked(out, err, "no node description was read");
	if (names.count > 0)
		qsort(names.list, names.count, sizeof(*names.list), compare_names);
	if (rc == 0)
		rc = tell_duplicates(in->fabric, &names, out, err);
	if (rc == 0)
		rc = tell_unnamed(&names.factory, "factory",
				  "the name it left the factory with: nobody gave it one", out, err);
	if (rc == 0)
		rc = tell_unnamed(&names.nameless, "nameless", "no name at all", out, err);
	places_clear(&names.factory);
	places_clear(&names.nameless);
	free(names.list);
	return rc;
}

const struct rule rule_duplicate_description = {
	.id = "duplicate-description",
	.title = "A name does not lead to one device",
	.severity = SEVERITY_WARNING,
	.one_subnet = true,
	.why = "People find devices by their description. One that two hosts share sends somebody to the "
	       "wrong rack at night, and tools that go by names mix the two up.",
	.needs = "NodeDescription, the system image GUIDs and the cabling",
	.reads = "description",
	.remedy = "On hosts set the host name and restart rdma-ndd (or write to "
		  "/sys/class/infiniband/*/node_desc); on switches set the system name. Neither touches "
		  "a link. A node name map gives names without touching the devices.",
	.source = "IBA Volume 1, 14.2.5.2 NodeDescription; rdma-core rdma-ndd(8)",
	.check = check,
};
