/* Lists of snapshots, and what one of them holds. */
#include <stdlib.h>
#include <string.h>

#include "report/report_impl.h"
#include "store/text.h"

static void count_text(int64_t count, char out[24])
{
	snprintf(out, 24, "%lld", (long long)count);
}

static void findings_text(const struct snapshot *snapshot, char out[96])
{
	if (snapshot->findings[SEVERITY_CRITICAL] < 0)
		snprintf(out, 96, "not audited");
	else
		snprintf(out, 96, "%lld critical, %lld error, %lld warning, %lld info",
			 (long long)snapshot->findings[SEVERITY_CRITICAL],
			 (long long)snapshot->findings[SEVERITY_ERROR],
			 (long long)snapshot->findings[SEVERITY_WARNING],
			 (long long)snapshot->findings[SEVERITY_INFO]);
}

int report_snapshots(const struct snapshot *list, size_t count, enum report_format format,
		     const struct report_options *options, FILE *out, struct err *err)
{
	static const char *const head[] = {"id",      "taken", "site", "label",
					   "devices", "links", "holes", "findings", "sources"};
	struct writer *writer;

	if (format == REPORT_JSON) {
		json_t *rows = json_array();

		for (size_t i = 0; i < count; i++)
			json_array_append_new(rows, report_json_snapshot(&list[i], NULL));
		return report_json_write(rows, out, err);
	}
	writer = report_writer(format, options, out);
	writer_begin(writer, "ibaudit: snapshots");
	writer_table_begin(writer, head, 9);
	for (size_t i = 0; i < count; i++) {
		char id[24], devices[24], links[24], holes[24], findings[96];
		char when[TIME_TEXT_SIZE];
		const char *cells[9] = {id,	 report_time(list[i].taken_at, when),
					list[i].site,  list[i].label,
					devices, links,
					holes,	 findings,
					list[i].sources};

		count_text(list[i].id, id);
		count_text(list[i].devices, devices);
		count_text(list[i].links, links);
		count_text(list[i].holes, holes);
		findings_text(&list[i], findings);
		writer_table_row(writer, cells);
	}
	writer_table_end(writer);
	return writer_finish(writer, err);
}

static const char *node_type_name(enum node_type type)
{
	switch (type) {
	case NODE_TYPE_CA:
		return "CA";
	case NODE_TYPE_SWITCH:
		return "switch";
	case NODE_TYPE_ROUTER:
		return "router";
	case NODE_TYPE_UNKNOWN:
		break;
	}
	return "unknown";
}

static const struct port *first_end_port(const struct device *device)
{
	unsigned first = device->type == NODE_TYPE_SWITCH ? 0 : 1;

	for (unsigned num = first; num < device->port_slots; num++) {
		if (device->ports[num])
			return device->ports[num];
		if (first == 0)
			break;
	}
	return NULL;
}

static void field_text(int64_t value, char out[24])
{
	if (value == FIELD_UNKNOWN)
		snprintf(out, 24, "?");
	else
		count_text(value, out);
}

static size_t link_count(const struct device *device)
{
	size_t links = 0;

	for (size_t num = 0; num < device->port_slots; num++)
		links += device->ports[num] && device->ports[num]->peer;
	return links;
}

static json_t *json_device(const struct device *device)
{
	const struct port *port = first_end_port(device);
	char guid[GUID_TEXT_SIZE];

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o}", "node_guid",
			 guid_format(device->guid, guid), "type", node_type_name(device->type),
			 "description", report_json_text(device->description), "alias",
			 report_json_text(device->alias), "num_ports",
			 report_json_field(device->info.num_ports), "device_id",
			 report_json_field(device->info.device_id), "lid",
			 report_json_field(port ? port->info.lid : FIELD_UNKNOWN), "lmc",
			 report_json_field(port ? port->info.lmc : FIELD_UNKNOWN), "links",
			 (int)link_count(device), "fw_version",
			 report_json_text(device->fw_version));
}

int report_show(const struct snapshot *snapshot, const struct fabric *fabric,
		enum report_format format, const struct report_options *options, FILE *out,
		struct err *err)
{
	static const char *const head[] = {"node GUID", "type", "LID", "ports", "links", "description"};
	struct writer *writer;
	char label[384];

	if (format == REPORT_JSON) {
		json_t *devices = json_array();

		for (size_t i = 0; i < fabric->device_count; i++)
			json_array_append_new(devices, json_device(fabric->devices[i]));
		return report_json_write(json_pack("{s:s, s:o, s:o}", "ibaudit", options->version,
						   "snapshot",
						   report_json_snapshot(snapshot, fabric),
						   "devices", devices),
					 out, err);
	}
	writer = report_writer(format, options, out);
	writer_begin(writer, "ibaudit: a snapshot's devices");
	writer_paragraph(writer, "%s", report_snapshot_label(snapshot, label, sizeof(label)));
	writer_paragraph(writer, "%lld %s, %lld %s, %lld %s", (long long)snapshot->devices,
			 text_plural((size_t)snapshot->devices, "device", "devices"),
			 (long long)snapshot->links,
			 text_plural((size_t)snapshot->links, "link", "links"),
			 (long long)snapshot->holes,
			 text_plural((size_t)snapshot->holes, "hole", "holes"));
	writer_table_begin(writer, head, 6);
	for (size_t i = 0; i < fabric->device_count; i++) {
		const struct device *device = fabric->devices[i];
		const struct port *port = first_end_port(device);
		char guid[GUID_TEXT_SIZE], lid[24], ports[24], links[24];
		const char *cells[6] = {guid_format(device->guid, guid),
					node_type_name(device->type),
					lid,
					ports,
					links,
					device->alias ? device->alias : device->description};

		field_text(port ? port->info.lid : FIELD_UNKNOWN, lid);
		field_text(device->info.num_ports, ports);
		count_text((int64_t)link_count(device), links);
		writer_table_row(writer, cells);
	}
	writer_table_end(writer);
	return writer_finish(writer, err);
}
