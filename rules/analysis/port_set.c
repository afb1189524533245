#include "rules/analysis/port_set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/analysis/qos_expect.h"
#include "store/array.h"
#include "store/text.h"

#define PORT_SET_DEVICES_MAX 200

int port_set_add(struct port_set *set, const struct port *port, struct err *err)
{
	const struct port **grown;

	if (set->count > 0 && set->ports[set->count - 1] == port)
		return 0;
	grown = array_grow(set->ports, set->count, &set->room, sizeof(const struct port *));
	if (!grown)
		return err_no_memory(err);
	set->ports = grown;
	set->ports[set->count++] = port;
	return 0;
}

void port_set_free(struct port_set *set)
{
	free(set->ports);
	memset(set, 0, sizeof(*set));
}

/* "1-18,20" for the ports first..last-1 of the list, which are one device's. */
static void write_ports(FILE *stream, const struct port_set *set, size_t first, size_t last)
{
	const char *comma = "";

	for (size_t i = first; i < last;) {
		size_t end = i;

		while (end + 1 < last &&
		       set->ports[end + 1]->num == set->ports[end]->num + 1)
			end++;
		fprintf(stream, "%s%d", comma, set->ports[i]->num);
		if (end > i)
			fprintf(stream, "-%d", set->ports[end]->num);
		comma = ",";
		i = end + 1;
	}
}

static size_t end_of_device(const struct port_set *set, size_t first)
{
	size_t last = first;

	while (last < set->count && set->ports[last]->device == set->ports[first]->device)
		last++;
	return last;
}

char *port_set_text(const struct port_set *set)
{
	char label[DEVICE_LABEL_SIZE];
	char *text = NULL;
	size_t size = 0;
	size_t devices = 0, left_out = 0;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0, last; i < set->count; i = last) {
		last = end_of_device(set, i);
		if (devices == PORT_SET_DEVICES_MAX) {
			left_out++;
			continue;
		}
		fprintf(stream, "%s%s %s ", devices ? "; " : "",
			device_label(set->ports[i]->device, label, sizeof(label)),
			text_plural(last - i, "port", "ports"));
		write_ports(stream, set, i, last);
		devices++;
	}
	if (left_out > 0)
		fprintf(stream, "; and %zu more %s", left_out,
			text_plural(left_out, "device", "devices"));
	if (fclose(stream) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

const char *port_set_words(const struct port_set *set, char out[PORT_SET_WORDS_SIZE])
{
	size_t counts[QOS_CLASS_COUNT] = {0}, used = 0;

	for (size_t i = 0; i < set->count; i++)
		counts[qos_class_of_port(set->ports[i])]++;
	out[0] = '\0';
	for (enum qos_class class = QOS_CLASS_CA; class < QOS_CLASS_COUNT; class++) {
		int written;

		if (counts[class] == 0)
			continue;
		written = snprintf(out + used, PORT_SET_WORDS_SIZE - used, "%s%zu %s", used ? ", " : "",
				   counts[class], qos_class_counted(class, counts[class]));
		if (written > 0 && (size_t)written < PORT_SET_WORDS_SIZE - used)
			used += (size_t)written;
	}
	return out;
}

struct finding *port_set_finding(const struct port_set *set, struct rule_output *out,
			       enum severity severity, const char *discriminator,
			       const char *message)
{
	const struct port *port = set->count == 1 ? set->ports[0] : NULL;
	const struct device *device = NULL;
	struct finding *finding;
	char *text = port_set_text(set);

	if (!text)
		return NULL;
	if (set->count > 0 && end_of_device(set, 0) == set->count)
		device = set->ports[0]->device;
	finding = rule_finding(out, severity, device, port, discriminator, "%s", message);
	if (finding && (!finding_evidence(finding, "ports", "%zu", set->count) ||
			!finding_evidence(finding, "places", "%s", text)))
		finding = NULL;
	free(text);
	return finding;
}

bool vlarb_evidence(struct finding *finding, const struct vlarb_entry *high, size_t high_count,
		    const struct vlarb_entry *low, size_t low_count)
{
	char text[QOS_VLARB_SIZE];

	return finding_evidence(finding, "high-priority table", "%s",
				qos_vlarb_text(high, high_count, text)) &&
	       finding_evidence(finding, "low-priority table", "%s",
				qos_vlarb_text(low, low_count, text));
}
