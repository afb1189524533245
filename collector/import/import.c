#include "collector/import/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/import/detect.h"
#include "collector/import/input.h"
#include "collector/import/merge.h"

#define MAX_BYTES (UINT64_C(16) << 30)
#define MAX_FILES 10000

int import_begin(struct import *import, struct fabric *fabric, const struct import_options *options,
		 struct err *err)
{
	*import = (struct import){.fabric = fabric, .options = options};
	import->rank_room = UINT16_MAX + 1;
	import->ranks = calloc(import->rank_room, sizeof(*import->ranks));
	if (!import->ranks)
		return err_no_memory(err);
	for (size_t i = 0; i < fabric->source_count; i++) {
		const struct source *source = &fabric->sources[i];
		const struct format *format = import_format_find(source->format);

		import->ranks[i + 1] = format ? format->rank : IMPORT_RANK_LIVE;
	}
	return 0;
}

void import_end(struct import *import)
{
	for (size_t i = 0; i < import->origin_room; i++) {
		for (size_t p = 0; p < import->origins[i].port_slots; p++)
			free(import->origins[i].ports[p]);
		free(import->origins[i].ports);
	}
	free(import->origins);
	free(import->ranks);
	free(import->guids);
	free(import->texts);
}

int import_source_begin(struct import *import, struct input *input, const char *name,
			const struct format *format, struct err *err)
{
	struct fabric *fabric = import->fabric;

	if (fabric->source_count >= UINT16_MAX - 1)
		return err_set(err, ERR_LIMIT, "more than %d files in one snapshot", UINT16_MAX - 1);
	if (!fabric_source_add(fabric, SOURCE_FILE, name, format ? format->id : "unknown"))
		return err_no_memory(err);
	import->ref = fabric_source_newest(fabric);
	import->ranks[import->ref] = format ? format->rank : 0;
	import->input = input;
	import->odd_kept = 0;
	return 0;
}

/* Reads one opened file into the fabric. */
static int read_input(struct import *import, struct input *input, const char *name,
		      const struct format *format, struct err *err)
{
	int rc = import_source_begin(import, input, name, format, err);

	if (rc == 0 && format)
		rc = format->read(import, input, err);
	if (rc < 0 && import->limit)
		rc = err_set(err, ERR_LIMIT, "line %lld: %s", (long long)input_line_number(input),
			     import->limit);
	import->input = NULL;
	import->limit = NULL;
	return rc;
}

/* Why a file that no format claims is refused. */
static int refuse(const struct input *input, struct err *err)
{
	const unsigned char *bytes;
	size_t length;

	input_raw(input, &bytes, &length);
	if (length == 0)
		return err_set(err, ERR_INPUT, "is empty");
	if (memchr(bytes, '\0', length))
		return err_set(err, ERR_INPUT, "is a binary file; captures are text");
	return err_set(err, ERR_INPUT,
		       "is no capture that is known here (see \"ibaudit help import\" for the formats)");
}

/* A path named by the user. */
static int import_file(struct import *import, const char *path, struct err *err)
{
	bool standard = strcmp(path, "-") == 0;
	const char *name = standard ? "standard input" : path;
	uint64_t max_bytes = import->options && import->options->max_bytes ?
				     import->options->max_bytes : MAX_BYTES;
	struct input *input = NULL;
	const struct format *format;
	struct probe probe;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int rc;

	if (fd < 0) {
		rc = err_set(err, ERR_INPUT, "%s", strerror(errno));
		goto out;
	}
	rc = input_open(name, input_read_fd, &fd, max_bytes, &input, err);
	if (rc < 0)
		goto out;
	rc = input_probe(input, &probe, err);
	if (rc < 0)
		goto out;
	format = import_detect(&probe);
	rc = format ? read_input(import, input, name, format, err) : refuse(input, err);
out:
	if (rc < 0)
		err_prefix(err, "%s", name);
	input_close(input);
	if (fd > STDERR_FILENO)
		close(fd);
	return rc;
}

/*
 * A base switch port 0 has no link: whatever a tool printed for it (zeros, or
 * the numbers of a simulator) is not a fact (IBA C14-24).
 */
static void forget_base_port0(struct fabric *fabric)
{
	static const char *const members[] = {
		"link_width_active", "link_width_supported", "link_width_enabled",
		"link_speed_active", "link_speed_code", "link_speed_supported",
		"link_speed_enabled", "port_state", "port_phys_state", "link_down_default",
		"neighbor_mtu", "mtu_cap", "vl_cap", "oper_vls", "vl_high_limit",
		"vlarb_high_cap", "vlarb_low_cap", "vl_stall_count", "hoq_life", "init_type",
		"init_type_reply", "partition_enforcement_inbound",
		"partition_enforcement_outbound", "filter_raw_inbound", "filter_raw_outbound",
		"local_phy_errors", "overrun_errors", "max_credit_hint",
		"link_round_trip_latency",
	};

	for (size_t i = 0; i < fabric->device_count; i++) {
		struct device *device = fabric->devices[i];
		struct port *port = device_port(device, 0);

		if (!port || device->type != NODE_TYPE_SWITCH || device->sw.enhanced_port0 != 0)
			continue;
		for (size_t m = 0; m < sizeof(members) / sizeof(members[0]); m++)
			field_set(&port->info, field_find(port_field_table, members[m]),
				  FIELD_UNKNOWN);
	}
}

int import_paths(const char *const *paths, size_t count, const struct import_options *options,
		 struct fabric *fabric, struct err *err)
{
	struct import import;
	int rc = import_begin(&import, fabric, options, err);

	for (size_t i = 0; i < count && rc == 0; i++)
		rc = import_file(&import, paths[i], err);
	if (rc == 0)
		forget_base_port0(fabric);
	import_end(&import);
	return rc;
}
