#include "rules/analysis/port_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/text.h"

#define PORT_SET_DEVICES_MAX 200

int port_set_add(struct port_set *places, const struct port *port, struct err *err)
{
	if (places->count > 0 && places->ports[places->count - 1] == port)
		return 0;
	if (places->count == places->room) {
		size_t room = places->room ? places->room * 2 : 16;
		const struct port **grown = realloc(places->ports, room * sizeof(*grown));

		if (!grown)
			return err_no_memory(err);
		places->ports = grown;
		places->room = room;
	}
	places->ports[places->count++] = port;
	return 0;
}

void port_set_free(struct port_set *places)
{
	free(places->ports);
	memset(places, 0, sizeof(*places));
}

/* "1-18,20" for the ports first..last-1 of the list, which are one device's. */
static void write_ports(FILE *stream, const struct port_set *places, size_t first, size_t last)
{
	const char *comma = "";

	for (size_t i = first; i < last;) {
		size_t end = i;

		while (end + 1 < last &&
		       places->ports[end + 1]->num == places->ports[end]->num + 1)
			end++;
		fprintf(stream, "%s%d", comma, places->ports[i]->num);
		if (end > i)
			fprintf(stream, "-%d", places->ports[end]->num);
		comma = ",";
		i = end + 1;
	}
}

static size_t end_of_device(const struct port_set *places, size_t first)
{
	size_t last = first;

	while (last < places->count && places->ports[last]->device == places->ports[first]->device)
		last++;
	return last;
}

char *port_set_text(const struct port_set *places)
{
	char label[DEVICE_LABEL_SIZE];
	char *text = NULL;
	size_t size = 0;
	size_t devices = 0, left_out = 0;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0, last; i < places->count; i = last) {
		last = end_of_device(places, i);
		if (devices == PORT_SET_DEVICES_MAX) {
			left_out++;
			continue;
		}
		fprintf(stream, "%s%s port%s ", devices ? "; " : "",
			device_label(places->ports[i]->device, label, sizeof(label)),
			last - i > 1 ? "s" : "");
		write_ports(stream, places, i, last);
		devices++;
	}
	if (left_out > 0)
		fprintf(stream, "; and %zu more devices", left_out);
	if (fclose(stream) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

struct finding *port_set_finding(const struct port_set *places, struct rule_output *out,
			       enum severity severity, const char *discriminator,
			       const char *message)
{
	const struct port *port = places->count == 1 ? places->ports[0] : NULL;
	const struct device *device = NULL;
	struct finding *finding;
	char *text = port_set_text(places);

	if (!text)
		return NULL;
	if (places->count > 0 && end_of_device(places, 0) == places->count)
		device = places->ports[0]->device;
	finding = rule_finding(out, severity, device, port, discriminator, "%s", message);
	if (finding && (!finding_evidence(finding, "ports", "%zu", places->count) ||
			!finding_evidence(finding, "places", "%s", text)))
		finding = NULL;
	free(text);
	return finding;
}
